use ecs::Component;

#[derive(Component)]
#[component(bit = 64)]
struct Health(u32);

fn main() {}
