use ecs::{Component, World};

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

pub(super) fn main() {
    World::new().split_mut::<(&Velocity, (&mut Position, &Position))>();
}
