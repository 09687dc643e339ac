use crate::fixtures::{Ledger, Position, Tag, Tracked, Velocity};
use ecs::{Component, World};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn the_fluent_handle_chains() {
    let mut world = World::new();
    let mut entity = world.spawn_empty();
    entity.add::<Position>().insert(Velocity(2.0)).insert((Tag, Position(3.0)));
    assert_eq!(entity.get::<Position>(), Some(&Position(3.0)));
    entity.get_mut::<Position>().unwrap().0 = 4.0;
    entity.patch::<Velocity>(|velocity| velocity.0 += 1.0).patch::<Position>(|p| p.0 += 1.0);
    assert!(entity.has::<(Position, Velocity, Tag)>());
    assert_eq!(entity.remove::<Velocity>(), Some(Velocity(3.0)));
    assert!(entity.try_remove::<Velocity>().is_err());
    let id = entity.id();
    assert_eq!(entity.into_world().get::<Position>(id), Some(&Position(5.0)));
    assert_eq!(world.entity(id).get::<Position>(), Some(&Position(5.0)));
    assert!(world.entity(id).has::<(Position, Tag)>());
    world.entity_mut(id).despawn().unwrap();
    assert!(world.is_empty());
}

#[test]
fn add_replaces_like_insert() {
    let mut world = World::new();
    let entity = world.spawn_empty().insert(Position(9.0)).add::<Position>().id();
    assert_eq!(world.get::<Position>(entity), Some(&Position(0.0)));
}

#[test]
fn replaced_and_removed_values_are_dropped_once() {
    let (mut world, ledger) = (World::new(), Ledger::default());
    let entity = world.spawn_empty().insert(ledger.tracked()).insert(ledger.tracked()).id();
    assert_eq!(ledger.alive(), 1);
    let removed = world.remove::<Tracked>(entity).unwrap();
    assert_eq!(ledger.alive(), 1, "the caller has it");
    world.insert(entity, removed).unwrap();
    world.despawn(entity).unwrap();
    assert_eq!(ledger.alive(), 0);
    for _ in 0..10 {
        world.spawn_empty().insert(ledger.tracked());
    }
    world.clear();
    assert_eq!(ledger.alive(), 0);
    world.spawn_empty().insert(ledger.tracked());
    drop(world);
    assert_eq!(ledger.alive(), 0);
}

#[test]
fn a_bundle_for_a_dead_entity_is_dropped() {
    let (mut world, ledger) = (World::new(), Ledger::default());
    let entity = world.spawn_empty().id();
    world.despawn(entity).unwrap();
    assert!(world.insert(entity, (ledger.tracked(), Tag)).is_err());
    assert_eq!(ledger.alive(), 0);
    world.check_invariants();
}

#[test]
fn removal_at_every_place_keeps_the_others() {
    for count in 1..=4 {
        for removed in 0..count {
            let mut world = World::new();
            let entities = world.spawn_batch((0..count).map(|at| Position(at as f32)));
            assert_eq!(world.remove(entities[removed]), Some(Position(removed as f32)));
            world.check_invariants();
            for (at, entity) in entities.iter().enumerate() {
                let expected = (at != removed).then_some(Position(at as f32));
                assert_eq!(world.get::<Position>(*entity).copied(), expected);
            }
        }
    }
}

#[test]
fn tags_store_nothing_and_over_aligned_values_are_aligned() {
    #[derive(Component)]
    #[repr(align(4096))]
    struct Page(u8);
    #[derive(Component)]
    #[repr(align(64))]
    struct AlignedTag;

    let mut world = World::new();
    let entities = world.spawn_batch((0..100).map(|at| (Page(at), AlignedTag, Tag)));
    world.despawn(entities[50]).unwrap();
    world.shrink_to_fit();
    for (_, page, tag) in world.view_mut::<(&mut Page, &mut AlignedTag)>() {
        assert_eq!(core::ptr::from_mut(page) as usize % 4096, 0);
        assert_eq!(core::ptr::from_mut(tag) as usize % 64, 0);
        page.0 += 1;
    }
    assert_eq!(world.get::<Page>(entities[9]).unwrap().0, 10);
    assert_eq!(world.pool::<Tag>().memory_usage().values, 0);
    assert_eq!(world.pool::<AlignedTag>().memory_usage().values, 0);
}

#[test]
fn components_that_share_a_bit_are_told_apart() {
    #[derive(Component)]
    #[component(bit = 3)]
    struct One;
    #[derive(Component)]
    #[component(bit = 3)]
    struct Two;

    let mut world = World::new();
    let both = world.spawn((One, Two)).id();
    let one = world.spawn(One).id();
    assert!(world.has::<(One, Two)>(both) && !world.has::<Two>(one));
    world.remove::<One>(both).unwrap();
    assert!(world.has::<Two>(both) && !world.has::<One>(both));
    world.check_invariants();
    world.despawn(both).unwrap();
    assert_eq!(world.pool::<Two>().len(), 0);
    world.check_invariants();
}

#[test]
fn despawns_find_the_pools_of_each_in_turn() {
    #[derive(Component)]
    #[component(bit = 7)]
    struct Early;
    #[derive(Component)]
    #[component(bit = 7)]
    struct Late;

    let mut world = World::new();
    let (a, b) = (world.spawn((Early, Position(1.0))).id(), world.spawn(Tag).id());
    world.despawn(a).unwrap();
    world.despawn(b).unwrap();
    let early = world.spawn(Early).id();
    world.despawn(early).unwrap();
    // The same bit, but another pool, which was not there the last time.
    let late = world.spawn(Late).id();
    world.despawn(late).unwrap();
    world.check_invariants();
    let lens = (world.pool::<Early>().len(), world.pool::<Late>().len(), world.pool::<Tag>().len());
    assert_eq!((lens, world.pool::<Position>().len()), ((0, 0, 0), 0));
}

#[test]
fn tags_are_dropped_once() {
    static ALIVE: AtomicUsize = AtomicUsize::new(0);
    #[derive(Component)]
    #[repr(align(64))]
    struct Token;
    impl Token {
        fn new() -> Self {
            ALIVE.fetch_add(1, Ordering::Relaxed);
            Self
        }
    }
    impl Drop for Token {
        fn drop(&mut self) {
            ALIVE.fetch_sub(1, Ordering::Relaxed);
        }
    }

    let alive = || ALIVE.load(Ordering::Relaxed);
    let mut world = World::new();
    let entities = world.spawn_batch((0..20).map(|_| Token::new()));
    world.insert(entities[0], Token::new()).unwrap();
    assert_eq!(alive(), 20, "one was replaced");
    let removed = world.remove::<Token>(entities[0]).unwrap();
    assert_eq!((alive(), world.pool::<Token>().len()), (20, 19));
    drop(removed);
    world.despawn(entities[1]).unwrap();
    assert_eq!((world.remove_batch::<Token>(&entities[..4]), alive()), (2, 16));
    assert_eq!((world.despawn_batch(&entities[..18]), alive()), (17, 2));
    let again = [entities[18], entities[0], entities[18], entities[19]];
    assert!(world.insert_batch(again.map(|entity| (entity, Token::new()))).is_err());
    assert_eq!((alive(), world.pool::<Token>().len()), (2, 2));
    world.check_invariants();
    drop(world);
    assert_eq!(alive(), 0);
}

#[test]
fn bundles_of_nothing_change_nothing() {
    let mut world = World::new();
    let (living, dead) = (world.spawn(()).id(), world.spawn(((), ((),))).id());
    world.despawn(dead).unwrap();
    let reserved = [world.reserve_entity(), world.reserve_entity()];
    assert!(world.insert(living, ()).is_ok() && world.insert(reserved[0], ((), ())).is_ok());
    assert!(world.insert(dead, ()).is_err());
    let some = [living, reserved[1], dead, living];
    assert!(some.iter().filter(|entity| world.is_alive(**entity)).count() >= 3);
    let missing = world.insert_batch(some.map(|entity| (entity, ()))).err();
    assert_eq!(missing.map_or(0, |missing| missing.count), usize::from(!world.is_alive(dead)));
    let all = world.spawn_batch((0..2_000).map(|_| ((), ())));
    world.insert_batch(all.iter().map(|&entity| (entity, ()))).unwrap();
    world.check_invariants();
    assert_eq!((all.len(), world.pools().count()), (2_000, 0));
    assert_eq!(world.despawn_batch(&all), 2_000);
    world.check_invariants();
}
