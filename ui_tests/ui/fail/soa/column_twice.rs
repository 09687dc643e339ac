use ecs::{Component, Query};

#[derive(Component)]
#[component(layout = "soa")]
struct Proximity { distance: f32, angle: f32 }
#[derive(Query)]
struct Pan<'w>(
    #[query(column = proximity::angle)] &'w f32,
    #[query(column = proximity::angle)] &'w mut f32,
);
fn main() {}
