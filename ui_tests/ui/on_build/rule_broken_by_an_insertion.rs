//! A bundle has components that exclude each other.

use ecs::{Component, World};

#[derive(Component)]
#[component(replaces(Walking))]
struct Swimming;
#[derive(Component)]
struct Walking;

pub(super) fn main() {
    let mut world = World::new();
    let entity = world.spawn_empty().id();
    world.insert(entity, (Swimming, Walking)).unwrap();
}
