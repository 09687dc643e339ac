//! A slice cannot mark its written values.

use ecs::{Component, Mut, World};

#[derive(Component)]
#[component(track)]
struct Health(u32);

pub(super) fn main() {
    let mut world = World::new();
    world.view_mut::<Mut<Health>>().for_each_chunk(|_| {});
}
