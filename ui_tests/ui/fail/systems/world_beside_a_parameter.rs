//! The whole world is borrowed alone.

use ecs::{Component, View, World};

#[derive(Component)]
struct Health(u32);

fn hurt(_: &mut World, _: View<&Health>) {}

fn main() {
    World::new().run(hurt);
}
