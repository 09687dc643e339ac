//! A reader of the world reads values that another parameter writes.

use ecs::{Component, View, World, schedule};

#[derive(Component)]
struct Health(u32);

fn heal(_: &World, _: View<&mut Health>) {}

schedule! { struct Frame { heal } }

fn main() {}
