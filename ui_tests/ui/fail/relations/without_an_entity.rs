use ecs::Component;

#[derive(Component)]
#[component(relation)]
struct ChildOf(u32);

fn main() {}
