use ecs::Component;

#[derive(Component)]
#[component(save = "health", bytes)]
struct Health(u32);

fn main() {}
