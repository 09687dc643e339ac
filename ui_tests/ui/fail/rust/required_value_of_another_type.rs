use ecs::Component;

#[derive(Component)]
struct Health(u32);
#[derive(Component)]
#[component(requires(Health = 3))]
struct Ship;

fn main() {}
