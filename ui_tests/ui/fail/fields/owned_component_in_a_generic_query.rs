use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Placed<'w, T> {
    value: &'w mut T,
    position: Position,
}

fn main() {}
