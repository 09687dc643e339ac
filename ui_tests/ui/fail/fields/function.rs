use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Placed<'w> {
    position: &'w Position,
    next: fn(f32) -> f32,
}

fn main() {}
