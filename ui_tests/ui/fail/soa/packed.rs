use ecs::Component;

#[derive(Component)]
#[component(layout = "soa")]
#[repr(C, packed)]
struct Proximity { distance: f32, near: bool }

fn main() {}
