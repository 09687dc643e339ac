//! `HasChanged` is about a resource, not a component.

use ecs::{Component, HasChanged};

#[derive(Component)]
struct Health(u32);

fn heal(health: HasChanged<Health>) {
    let _ = health;
}

fn main() {}
