//! Two views of a split write one component, and an entity may match both: the rule is about another component.

use ecs::{Component, With, World};

#[derive(Component)]
#[component(needs(Health))]
struct Player;
#[derive(Component)]
struct Health(u32);

pub(super) fn main() {
    World::new().split_mut::<((&mut Health, With<Player>), &mut Health)>();
}
