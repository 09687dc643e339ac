//! A struct of parameters, and another parameter.

use ecs::{Component, Local, View, Views, schedule};

#[derive(Component)]
struct Health(u32);

#[derive(Views)]
struct Nursing<'w> {
    patients: View<'w, &'w mut Health>,
    seen: Local<'w, u32>,
}

fn nurse(_: View<&Health>, _: Nursing) {}

schedule! { struct Frame { nurse } }

fn main() {}
