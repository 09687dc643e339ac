use ecs::Component;

#[derive(Component)]
#[ecs(crate = "ecs")]
struct Health(u32);

fn main() {}
