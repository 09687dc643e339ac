use ecs::Component;

#[derive(Component)]
#[component(layout = "soa")]
struct Tag;

fn main() {}
