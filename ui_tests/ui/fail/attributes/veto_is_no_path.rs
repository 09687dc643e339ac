use ecs::Component;

#[derive(Component)]
#[component(veto = |health| health.0 == 0)]
struct Health(u32);

fn main() {}
