use ecs::Component;

#[derive(Component)]
#[component(ref = Near)]
struct Proximity { distance: f32, angle: f32 }

fn main() {}
