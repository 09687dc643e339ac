use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
enum Placed<'w> {
    At(&'w Position),
}

fn main() {}
