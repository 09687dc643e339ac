use ecs::World;

struct Tick;

fn main() {
    let (mut world, limit) = (World::new(), std::env::args().count());
    world.on::<Tick>(move |world, _| assert!(world.len() < limit));
}
