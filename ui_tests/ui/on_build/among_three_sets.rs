//! A view is among two sets of marked entities at most.

use ecs::{Component, World};

#[derive(Component)]
#[component(track)]
struct Health(u32);

pub(super) fn main() {
    let mut world = World::new();
    let seen = world.changes::<Health>();
    let (new, changed) = (seen.inserted(), seen.changed());
    world.view::<&Health>().among(new).among(changed).among(new).for_each(|_| {});
}
