use ecs::Component;

#[derive(Component)]
#[component(layout = "soa")]
struct Position(f32, f32);

fn main() {}
