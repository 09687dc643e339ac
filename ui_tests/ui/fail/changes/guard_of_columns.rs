//! A guard lends a value; columns have only its fields.

use ecs::{Component, Mut, Query};

#[derive(Component)]
#[component(track, layout = "soa")]
struct Near {
    distance: f32,
}

#[derive(Query)]
struct Measured<'w> {
    near: Mut<'w, Near>,
}

fn main() {}
