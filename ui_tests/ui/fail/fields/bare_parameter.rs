use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Beside<'w, T>(&'w Position, T);

fn main() {}
