use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Placed<'w>(&'w Position);

#[derive(Query)]
struct Outer<'w>(&'w Position, Placed<'_>);

fn main() {}
