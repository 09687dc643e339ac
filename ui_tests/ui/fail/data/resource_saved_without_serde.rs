use ecs::Resource;

#[derive(Resource)]
#[resource(save = "clock")]
struct Clock(u32);

fn main() {}
