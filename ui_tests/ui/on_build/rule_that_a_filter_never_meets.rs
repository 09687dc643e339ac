//! A view excludes a component that its matches need.

use ecs::{Component, With, Without, World};

#[derive(Component)]
#[component(needs(Health))]
struct Player;
#[derive(Component)]
struct Health(u32);

pub(super) fn main() {
    World::new().view_mut::<(&mut ecs::Name, With<Player>, Without<Health>)>().for_each(|_| {});
}
