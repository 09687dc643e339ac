use ecs::{Component, World};

#[derive(Component)]
#[component(layout = "soa")]
struct Proximity { distance: f32, angle: f32 }

fn main() {
    World::new().get::<proximity::angle>(World::new().reserve_entity());
}
