#![forbid(unsafe_code)]

use ecs::{Bundle, Component, Entity, Has, Query, World};

#[derive(Component, Default)]
#[component(bit = 3, veto = may_go)]
struct Health(u32);

fn may_go(health: &mut Health) -> bool {
    health.0 == 0
}

#[derive(Component)]
struct Pair<T>(T, T);

#[derive(Query)]
#[query(with(Health))]
struct Living<'w, T: Send + Sync + 'static> {
    entity: Entity,
    health: &'w mut Health,
    pair: Option<&'w Pair<T>>,
    has: Has<Pair<T>>,
}

#[derive(Bundle)]
struct Hero(Health, Pair<u32>);

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert(Hero(Health(3), Pair(1, 2)));
    for living in world.view_mut::<Living<u32>>() {
        assert_eq!((living.entity.index(), living.has.get()), (0, true));
        living.health.0 += living.pair.map_or(0, |pair| pair.0 + pair.1);
    }
    assert_eq!(world.view::<Health>().single().unwrap().1.0, 6);
}
