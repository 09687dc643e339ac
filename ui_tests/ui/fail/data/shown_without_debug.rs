use ecs::Component;

#[derive(Component)]
#[component(debug)]
struct Health(u32);

fn main() {}
