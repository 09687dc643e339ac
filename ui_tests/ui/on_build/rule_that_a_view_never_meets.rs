//! No entity has both components of a view.

use ecs::{Component, World};

#[derive(Component)]
#[component(excludes(Enemy))]
struct Ally;
#[derive(Component)]
struct Enemy;

pub(super) fn main() {
    World::new().view::<(&Ally, &Enemy)>().for_each(|_| {});
}
