use ecs::Component;

#[derive(Component)]
#[component(bytes)]
struct Health(u32);

fn main() {}
