//! Whole entities are read only where nothing is written.

use ecs::{Component, EntityRef, View, World};

#[derive(Component)]
struct Health(u32);

fn show(_: View<&mut Health>, _: View<EntityRef>) {}

pub(super) fn main() {
    World::new().run(show);
}
