use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let handle = world.spawn_empty();
    handle.despawn().unwrap();
    handle.id();
}

fn main() {}
