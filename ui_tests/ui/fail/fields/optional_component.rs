use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Placed<'w>(&'w Position, Option<Position>);

fn main() {}
