use ecs::{Component, Query};

#[derive(Component)]
#[component(layout = "soa")]
struct Proximity { distance: f32, angle: f32 }

#[derive(Query)]
struct Pan<'w>(#[query(column = Proximity::angle)] &'w f32);

fn main() {}
