use ecs::Resource;

#[derive(Resource)]
#[component(bit = 5)]
struct Score(u32);

fn main() {}
