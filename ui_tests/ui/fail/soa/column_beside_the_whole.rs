use ecs::{Component, Query};

#[derive(Component)]
#[component(layout = "soa")]
struct Proximity { distance: f32, angle: f32 }

#[derive(Query)]
struct Pan<'w>(ProximityMut<'w>, #[query(column = proximity::angle)] &'w f32);

fn main() {}
