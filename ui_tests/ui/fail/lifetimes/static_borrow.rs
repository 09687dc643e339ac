use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

#[derive(Query)]
struct Moving<'w>(&'static mut Position, &'w Velocity);

fn main() {}
