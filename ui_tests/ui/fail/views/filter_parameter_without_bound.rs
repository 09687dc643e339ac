use ecs::{Component, View};

#[derive(Component)]
struct Health(u32);

fn look<F>(_: View<'_, Health, F>) {}

fn main() {}
