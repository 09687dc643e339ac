use ecs::{Component, World};

#[derive(Component)]
#[component(layout = "soa")]
struct Proximity { distance: f32, angle: f32 }

pub(super) fn main() {
    World::new().view_mut::<(&proximity::angle, &mut Proximity)>();
}
