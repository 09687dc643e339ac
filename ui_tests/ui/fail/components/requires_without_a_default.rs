use ecs::Component;

#[derive(Component)]
struct Health(u32);
#[derive(Component)]
#[component(requires(Health))]
struct Ship;

fn main() {}
