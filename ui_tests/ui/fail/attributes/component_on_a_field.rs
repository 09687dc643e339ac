use ecs::Component;

#[derive(Component)]
struct Health(#[component(bit = 5)] u32);

fn main() {}
