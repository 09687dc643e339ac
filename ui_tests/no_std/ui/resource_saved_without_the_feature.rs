use ecs::Resource;

#[derive(Resource)]
#[resource(save = "health")]
struct Health(u32);

fn main() {}
