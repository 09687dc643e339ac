use ecs::{Component, World};
use std::sync::Mutex;

#[derive(Component)]
struct Health(u32);

fn main() {
    let (mut world, kept) = (World::new(), Mutex::new(Vec::new()));
    world.on_insert::<Health>(move |world, entity| {
        kept.lock().unwrap().push(world.get::<Health>(entity));
    });
}
