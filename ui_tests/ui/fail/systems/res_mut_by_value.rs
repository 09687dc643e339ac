use ecs::{ResMut, Resource, Schedule};

#[derive(Resource)]
struct Score(u32);

fn add(_: ResMut<Score>) {}

fn main() {
    Schedule::new().add(add);
}
