use ecs::{Component, World};

#[derive(Component)]
struct Position(f32);
type Place = Position;

pub(super) fn main() {
    World::new().view_mut::<(&mut Position, &Place)>();
}
