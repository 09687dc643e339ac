use ecs::Component;

#[derive(Component, Default)]
struct Health(u32);
#[derive(Component)]
#[component(requires(Health: 3))]
struct Ship;

fn main() {}
