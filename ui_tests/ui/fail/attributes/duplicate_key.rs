use ecs::Component;

#[derive(Component)]
#[component(bit = 5, bit = 6)]
struct Health(u32);

fn main() {}
