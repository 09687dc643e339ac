//! Two fields of a struct of parameters.

use ecs::{Commands, Component, Local, View, Views};

#[derive(Component)]
struct Health(u32);

#[derive(Views)]
struct Nursing<'w> {
    seen: Local<'w, u32>,
    patients: View<'w, &'w mut Health>,
    visitors: View<'w, &'w Health>,
    commands: &'w mut Commands,
}

fn main() {}
