use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);
struct Config;

#[derive(Query)]
struct Setup<'w>(&'w Position, Config);

fn main() {}
