//! A system is told whether a resource may have changed.

use ecs::{Component, HasChanged};

#[derive(Component)]
struct Health(u32);

fn heal(health: HasChanged<Health>) {
    let _ = health;
}

fn main() {}
