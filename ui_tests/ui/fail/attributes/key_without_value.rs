use ecs::Component;

#[derive(Component)]
#[component(bit)]
struct Health(u32);

fn main() {}
