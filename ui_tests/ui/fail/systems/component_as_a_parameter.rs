//! Components are viewed.

use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn hurt(_: Health) {}

fn main() {
    World::new().run(hurt);
}
