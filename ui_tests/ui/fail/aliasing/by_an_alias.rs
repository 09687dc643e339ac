use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);
type Place = Position;

#[derive(Query)]
struct Steer<'w> {
    a: &'w mut Position,
    b: &'w Place,
}

fn main() {}
