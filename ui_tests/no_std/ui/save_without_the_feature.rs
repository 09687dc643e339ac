use ecs::Component;

#[derive(Component)]
#[component(save = "health")]
struct Health(u32);

fn main() {}
