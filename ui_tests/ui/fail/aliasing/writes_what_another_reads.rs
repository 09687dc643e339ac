use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Steer<'w>(&'w Position, &'w mut Position);

fn main() {}
