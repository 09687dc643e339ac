use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
enum Placed<'w> {
    Moving(&'w mut Position),
    Standing { at: &'w Position },
}

fn main() {}
