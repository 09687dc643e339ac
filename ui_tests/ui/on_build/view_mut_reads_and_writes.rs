use ecs::{Component, World};

#[derive(Component)]
struct Position(f32);

pub(super) fn main() {
    World::new().view_mut::<(&mut Position, &Position)>();
}
