use ecs::{Component, Query};

#[derive(Component)]
#[component(layout = "soa")]
struct Proximity { distance: f32, angle: f32 }

#[derive(Query)]
struct Near<'w>(#[query(column = proximity::angle)] &'w f64);

fn main() {}
