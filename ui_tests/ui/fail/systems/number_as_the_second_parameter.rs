use ecs::{Component, Schedule, View};

#[derive(Component)]
struct Position(f32);

fn fall(_: View<&mut Position>, _: f32) {}

fn main() {
    Schedule::new().add(fall);
}
