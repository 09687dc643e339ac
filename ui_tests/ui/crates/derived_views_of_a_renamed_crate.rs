//! Nothing that the derive emits needs docs, or the library's usual name.
#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications, clippy::pedantic)]
#![forbid(unsafe_code)]

extern crate core as ecs;

use engine::ecs as library;
use library::{Component, View, Views, World};

/// Life.
#[derive(Component)]
#[ecs(crate = library)]
pub struct Health(u32);

/// All of it.
#[derive(Views)]
#[ecs(crate = library)]
pub struct All<'w> {
    /// It.
    pub healths: View<'w, &'w mut Health>,
}

fn main() {
    let mut world = World::new();
    world.spawn_empty().insert(Health(3));
    world.split_mut::<All<'_>>().healths.for_each(|(_, health)| health.0 += 1);
    assert_eq!(world.view::<Health>().single().map(|(_, health)| health.0), Ok(4));
}
