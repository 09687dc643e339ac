use ecs::{Res, ResMut, Resource, World};

#[derive(Resource)]
struct Score(u32);

pub(super) fn main() {
    World::new().split_mut::<(ResMut<Score>, Option<Res<Score>>)>();
}
