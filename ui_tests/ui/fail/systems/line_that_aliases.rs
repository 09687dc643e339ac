//! Two parameters of one system.

use ecs::{Component, View, schedule};

#[derive(Component)]
struct Health(u32);

fn heal(_: View<&mut Health>, _: View<&Health>) {}

schedule! { struct Frame { heal } }

fn main() {}
