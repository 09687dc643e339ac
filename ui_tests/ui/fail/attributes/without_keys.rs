use ecs::Component;

#[derive(Component)]
#[component]
struct Health(u32);

fn main() {}
