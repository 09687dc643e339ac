use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);
type Perhaps<'w> = Option<&'w mut Position>;

#[derive(Query)]
struct Steer<'w>(&'w Position, Perhaps<'w>);

fn main() {}
