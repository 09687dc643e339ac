//! A system reads the changes of what is tracked.

use ecs::{Changes, Component};

#[derive(Component)]
struct Health(u32);

fn heal(changes: &Changes<Health>) {
    let _ = changes;
}

fn main() {}
