use ecs::Component;

#[derive(Component)]
#[component(needs(Self))]
struct Hand;

fn main() {}
