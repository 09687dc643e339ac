//! Collectors of anything that happens, with filters, also in a function over any of them.

use ecs::{CollectList, CollectorId, Component, Inserted, Removed, Updated, With, Without, World};

#[derive(Component)]
struct Health(#[allow(dead_code)] u32);
#[derive(Component)]
struct Player;

fn begin<L: CollectList>(world: &mut World) -> CollectorId {
    world.collector::<(L, Removed<Player>)>()
}

pub(super) fn main() {
    let mut world = World::new();
    let any = begin::<(Inserted<Health>, Updated<Health>, With<Player>, Without<(Health, ecs::Name)>)>(
        &mut world,
    );
    world.spawn((Health(3), Player)).remove::<Health>();
    assert_eq!(world.drain(any).len(), 1);
}
