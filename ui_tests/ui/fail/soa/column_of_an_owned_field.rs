use ecs::{Component, Query};

#[derive(Component)]
#[component(layout = "soa")]
struct Proximity { distance: f32, angle: f32 }

#[derive(Query)]
struct Pan<'w>(#[query(column = proximity::angle)] f32, ProximityRef<'w>);

fn main() {}
