use ecs::Component;

#[derive(Component)]
#[component(default)]
struct Health(u32);

fn main() {}
