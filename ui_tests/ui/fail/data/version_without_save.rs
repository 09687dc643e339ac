use ecs::Component;

#[derive(Component)]
#[component(version = 2)]
struct Health(u32);

fn main() {}
