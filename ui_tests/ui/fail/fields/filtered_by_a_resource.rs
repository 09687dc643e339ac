use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);
struct Config;

#[derive(Query)]
#[query(without(Config))]
struct Placed<'w>(&'w Position);

fn main() {}
