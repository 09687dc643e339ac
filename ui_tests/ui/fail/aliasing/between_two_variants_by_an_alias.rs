use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);
type Place = Position;

#[derive(Query)]
enum Placed<'w> {
    Moving(&'w mut Position),
    Standing(&'w Place),
}

fn main() {}
