use ecs::Component;

#[derive(Component)]
#[component(5)]
struct Health(u32);

fn main() {}
