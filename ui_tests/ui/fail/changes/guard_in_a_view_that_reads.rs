//! A guard writes.

use ecs::{Component, Mut, World};

#[derive(Component)]
#[component(track)]
struct Health(u32);

fn main() {
    let world = World::new();
    let _ = world.view::<Mut<Health>>();
}
