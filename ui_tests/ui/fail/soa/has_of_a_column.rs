use ecs::{Component, Has, World};

#[derive(Component)]
#[component(layout = "soa")]
struct Proximity { distance: f32, angle: f32 }

fn main() {
    World::new().view::<(Proximity, Has<proximity::angle>)>();
}
