use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
union Placed<'w> {
    position: &'w Position,
}

fn main() {}
