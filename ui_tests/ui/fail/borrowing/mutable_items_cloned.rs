use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let items = world.view_mut::<&mut Health>().into_iter();
    let copy = items.clone();
}

fn main() {}
