use ecs::Component;

#[derive(Component)]
struct Health(#[component(entities)] Vec<u32>);

fn main() {}
