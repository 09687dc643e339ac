use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
pub struct Placed<'w> {
    position: &'w Position,
}

fn main() {}
