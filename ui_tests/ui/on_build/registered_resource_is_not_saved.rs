use ecs::{Name, Res, Resource, World};

#[derive(Resource)]
struct Clock(u32);

pub(super) fn main() {
    World::new().register::<(Name, Res<Clock>)>();
}
