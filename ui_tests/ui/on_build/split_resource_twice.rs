use ecs::{Res, ResMut, Resource, World};

#[derive(Resource)]
struct Score(u32);

fn main() {
    World::new().split_mut::<(ResMut<Score>, Option<Res<Score>>)>();
}
