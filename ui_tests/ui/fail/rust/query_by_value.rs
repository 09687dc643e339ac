use ecs::{Component, Query, Schedule};

#[derive(Component)]
struct Position(f32);

fn fall(_: Query<&mut Position>) {}

fn main() {
    Schedule::new().add(fall);
}
