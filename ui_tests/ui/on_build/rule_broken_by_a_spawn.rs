//! A new entity lacks a component that its bundle needs.

use ecs::{Component, World};

#[derive(Component)]
#[component(needs(Health))]
struct Player;
#[derive(Component)]
struct Health(u32);

pub(super) fn main() {
    World::new().spawn((Player, ecs::Name::new("Bob")));
}
