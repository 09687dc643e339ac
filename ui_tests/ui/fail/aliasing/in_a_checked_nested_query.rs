use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Placed<'w>(&'w mut Position);

ecs::check_query!((Placed, &Position));

fn main() {}
