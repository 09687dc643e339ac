use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let view = world.view_mut::<&mut Health>();
    let copy = view.clone();
}

fn main() {}
