use ecs::{Component, Has, Query};

#[derive(Component)]
struct Position(f32);
struct Config;

#[derive(Query)]
struct Setup<'w>(&'w Position, Has<Config>);

fn main() {}
