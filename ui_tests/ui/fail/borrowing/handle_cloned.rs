use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let handle = world.spawn_empty();
    let copy = handle.clone();
}

fn main() {}
