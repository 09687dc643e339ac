use ecs::Resource;

#[derive(Resource)]
#[resource(clone)]
struct Clock(u32);

fn main() {}
