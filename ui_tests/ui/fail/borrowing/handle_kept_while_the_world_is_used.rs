use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let mut handle = world.spawn_empty();
    world.spawn_empty();
    handle.insert(Health(3));
}

fn main() {}
