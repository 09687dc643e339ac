use ecs::{Component, Query};

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

#[derive(Query)]
struct Moving<'p, 'v> {
    position: &'p mut Position,
    velocity: &'v Velocity,
}

fn main() {}
