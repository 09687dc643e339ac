use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
#[query(with(Position), with(Position))]
struct Placed<'w>(&'w Position);

fn main() {}
