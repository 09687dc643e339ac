use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Steer<'w> {
    here: &'w mut Position,
    there: &'w mut Position,
}

fn main() {}
