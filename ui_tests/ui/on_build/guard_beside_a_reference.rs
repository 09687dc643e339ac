//! A guard aliases like a reference.

use ecs::{Component, Mut, World};

#[derive(Component)]
#[component(track)]
struct Health(u32);

pub(super) fn main() {
    let mut world = World::new();
    world.view_mut::<(Mut<Health>, &Health)>().for_each(|_| {});
}
