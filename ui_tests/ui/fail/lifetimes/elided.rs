use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Placed<'w> {
    position: &'w Position,
    other: Option<&Position>,
}

fn main() {}
