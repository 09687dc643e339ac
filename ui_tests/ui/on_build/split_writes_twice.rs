use ecs::{Component, World};

#[derive(Component)]
struct Position(f32);

pub(super) fn main() {
    World::new().split_mut::<(&mut Position, &mut Position)>();
}
