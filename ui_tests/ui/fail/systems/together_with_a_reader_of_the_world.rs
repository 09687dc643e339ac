//! A reader of the world reads values that others write.

use ecs::{Component, View, World, schedule};

#[derive(Component)]
struct Health(u32);

fn heal(_: View<&mut Health>) {}
fn save(_: &World) {}

schedule! { struct Frame { together(heal, save) } }

fn main() {}
