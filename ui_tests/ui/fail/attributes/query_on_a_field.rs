use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Placed<'w> {
    #[query(with(Position))]
    position: &'w Position,
}

fn main() {}
