use ecs::Component;

#[derive(Component)]
#[component(layout = "columns")]
struct Proximity { distance: f32, angle: f32 }

fn main() {}
