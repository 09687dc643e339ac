use ecs::{Component, Query};

#[derive(Component)]
#[component(layout = "soa")]
struct Proximity { distance: f32, angle: f32 }

#[derive(Query)]
struct Near<'w>(&'w Proximity);

fn main() {}
