use ecs::{Component, World};

#[derive(Component)]
struct Position(f32);

fn both<T: Component>(world: &mut World) {
    world.view_mut::<(&mut T, &Position)>();
}

pub(super) fn main() {
    both::<Position>(&mut World::new());
}
