use ecs::Component;

#[derive(Component)]
#[component(bits = 5)]
struct Health(u32);

fn main() {}
