use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);
type Place<'a> = &'a mut Position;

#[derive(Query)]
struct Steer<'w> {
    a: &'w Position,
    b: Place<'w>,
}

fn main() {}
