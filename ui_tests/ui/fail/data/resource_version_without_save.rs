use ecs::Resource;

#[derive(Resource)]
#[resource(version = 2)]
struct Clock(u32);

fn main() {}
