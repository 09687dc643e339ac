//! The accesses of a generic struct are found where it is used.

use ecs::{Component, View, Views, World};

#[derive(Component)]
struct Health(u32);

#[derive(Views)]
struct Nursing<'w, T: Component> {
    patients: View<'w, &'w mut T>,
    visitors: View<'w, &'w Health>,
}

fn nurse<T: Component>(_: Nursing<T>) {}

pub(super) fn main() {
    World::new().run(nurse::<Health>);
}
