use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    let (mut world, limit) = (World::new(), std::env::args().count());
    world.on_insert::<Health>(move |world, _| assert!(world.len() < limit));
}
