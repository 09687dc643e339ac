use ecs::{Res, Resource, World};

#[derive(Resource)]
struct Score(u32);

fn show(_: Res<Score>) {}

fn main() {
    World::new().run(show);
}
