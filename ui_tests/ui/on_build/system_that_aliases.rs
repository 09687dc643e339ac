//! Two parameters write one component.

use ecs::{Component, View, World};

#[derive(Component)]
struct Health(u32);

fn hurt(_: View<&mut Health>, _: View<&Health>) {}

pub(super) fn main() {
    World::new().run(hurt);
}
