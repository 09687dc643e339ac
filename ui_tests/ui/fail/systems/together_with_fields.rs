//! A parameter accesses all that its fields access.

use ecs::{Component, Local, View, Views, schedule};

#[derive(Component)]
struct Health(u32);

#[derive(Views)]
struct Nursing<'w> {
    seen: Local<'w, u32>,
    patients: View<'w, &'w mut Health>,
}

fn nurse(_: Local<u32>, _: Nursing) {}
fn count(_: View<&Health>) {}

schedule! { struct Frame { together(count, nurse) } }

fn main() {}
