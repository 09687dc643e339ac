use ecs::{Name, Res, Resource, World};

#[derive(Resource)]
struct Clock(u32);

fn main() {
    World::new().register::<(Name, Res<Clock>)>();
}
