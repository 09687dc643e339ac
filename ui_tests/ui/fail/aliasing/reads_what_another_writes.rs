use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Steer<'w> {
    a: &'w mut Position,
    b: &'w Position,
}

fn main() {}
