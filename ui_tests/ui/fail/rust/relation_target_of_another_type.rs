use ecs::Component;

#[derive(Component)]
#[component(relation)]
struct ChildOf(#[component(target)] u32);

fn main() {}
