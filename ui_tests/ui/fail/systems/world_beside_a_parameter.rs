//! The whole world holds all that others could ask for.

use ecs::{Component, View, World, schedule};

#[derive(Component)]
struct Health(u32);

fn hurt(_: &mut World, _: View<&Health>) {}

schedule! { struct Frame { hurt } }

fn main() {}
