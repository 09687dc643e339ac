use ecs::{Commands, Schedule};

fn spawn(_: Commands) {}

fn main() {
    Schedule::new().add(spawn);
}
