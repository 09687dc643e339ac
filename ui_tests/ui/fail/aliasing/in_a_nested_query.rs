use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Placed<'w>(&'w Position);
#[derive(Query)]
struct Steer<'w> {
    placed: Placed<'w>,
    position: &'w mut Position,
}

fn main() {}
