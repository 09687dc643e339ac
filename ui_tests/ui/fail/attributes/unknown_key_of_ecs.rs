use ecs::Component;

#[derive(Component)]
#[ecs(path = ecs)]
struct Health(u32);

fn main() {}
