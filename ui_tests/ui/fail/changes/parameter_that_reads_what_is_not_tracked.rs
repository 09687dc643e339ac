//! A system reads the changes of a tracked component.

use ecs::{Changes, Component};

#[derive(Component)]
struct Health(u32);

fn heal(changes: &Changes<Health>) {
    let _ = changes;
}

fn main() {}
