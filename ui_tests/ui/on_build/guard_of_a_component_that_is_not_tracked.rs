//! A guard marks, so its component is tracked.

use ecs::{Component, Mut, World};

#[derive(Component)]
struct Health(u32);

pub(super) fn main() {
    let mut world = World::new();
    for (_, mut health) in world.view_mut::<Mut<Health>>() {
        health.0 += 1;
    }
}
