use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

struct Inner<'w>(&'w Position);

#[derive(Query)]
struct Outer<'w>(&'w Position, Inner<'w>);

fn main() {}
