//! Only the changes of tracked components can be read.

use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    let mut world = World::new();
    let _ = world.changes::<Health>();
}
