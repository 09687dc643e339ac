use ecs::{Component, Query, World};

#[derive(Component)]
#[component(layout = "soa")]
struct Archery {
    level: u32,
}

#[derive(Query)]
struct Trained<'w, T: 'static>(&'w mut T);

fn main() {
    World::new().view_mut::<Trained<Archery>>();
}
