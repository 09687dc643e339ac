//! One component, twice in a view.

use ecs::{Component, View, schedule};

#[derive(Component)]
struct Health(u32);

fn heal(_: View<(&mut Health, &Health)>) {}

schedule! { struct Frame { heal } }

fn main() {}
