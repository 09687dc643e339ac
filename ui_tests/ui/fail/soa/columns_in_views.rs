use ecs::{Component, View, Views};

#[derive(Component)]
#[component(layout = "soa")]
struct Proximity { distance: f32, angle: f32 }

#[derive(Views)]
struct Both<'w> {
    angles: View<'w, &'w mut proximity::angle>,
    whole: View<'w, Option<&'w Proximity>>,
}
fn main() {}
