use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &World) {
    world.view_mut::<&mut Health>();
}

fn main() {}
