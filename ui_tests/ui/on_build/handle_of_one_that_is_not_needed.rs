//! A handle states a component that its own one does not need.

use ecs::{Component, EntityOf, World};

#[derive(Component)]
struct Health(u32);
#[derive(Component)]
struct Player;

fn health(world: &World, player: EntityOf<Player>) -> u32 {
    world.get_of(player.needed::<Health>()).unwrap().0
}

pub(super) fn main() {
    let mut world = World::new();
    let player = world.spawn((Player, Health(3))).id();
    health(&world, world.handle_of(player).unwrap());
}
