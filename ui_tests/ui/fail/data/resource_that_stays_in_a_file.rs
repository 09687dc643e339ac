use ecs::Resource;

#[derive(Resource)]
#[resource(save = skipped)]
struct Window;

fn main() {}
