use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Placed<'w>(&'w mut Position);

#[derive(Query)]
struct Steer<'w>(Placed<'w>, Option<Placed<'w>>);

fn main() {}
