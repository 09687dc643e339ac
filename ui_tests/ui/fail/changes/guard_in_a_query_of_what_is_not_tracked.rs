//! A guard marks, so its component is tracked.

use ecs::{Component, Mut, Query};

#[derive(Component)]
struct Health(u32);

#[derive(Query)]
struct Hurt<'w> {
    health: Mut<'w, Health>,
}

fn main() {}
