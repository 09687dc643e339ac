use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Placed<'w> {
    positions: &'w [Position],
}

fn main() {}
