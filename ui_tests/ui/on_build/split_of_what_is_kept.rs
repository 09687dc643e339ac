//! A split is made anew each time.

use ecs::{Component, Local, View, Views, World};

#[derive(Component)]
struct Health(u32);

#[derive(Views)]
struct Nursing<'w> {
    patients: View<'w, &'w mut Health>,
    seen: Local<'w, u32>,
}

pub(super) fn main() {
    World::new().split_mut::<Nursing>();
}
