use ecs::Component;

#[derive(Component)]
#[component(clone)]
struct Health(u32);

fn main() {}
