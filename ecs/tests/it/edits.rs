use crate::fixtures::{Ledger, Mass, Position, Tag, Tracked, Velocity, panics};
use ecs::{Component, Group, RemoveError, World};
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
            assert_eq!(world.remove::<Position>(entities[removed]), Some(Position(removed as f32)));
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
fn components_that_share_a_bit_are_distinguished() {
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
    // Another pool with an equal bit, which was not there the last time.
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
    assert_eq!((all.len(), world.kinds().count()), (2_000, 0));
    assert_eq!(world.despawn_batch(&all), 2_000);
    world.check_invariants();
}

#[test]
fn several_components_are_removed_each_or_taken_all_or_none() {
    let (mut world, ledger) = (World::new(), Ledger::default());
    let entity = world.spawn((Position(1.0), ledger.tracked())).id();
    let (velocity, tracked) = world.remove::<(Velocity, Tracked)>(entity);
    assert!(velocity.is_none() && tracked.is_some());
    assert_eq!(world.take::<(Position, Tracked)>(entity).map(|(position, _)| position), None);
    assert!(world.has::<Position>(entity), "nothing was taken");
    world.insert(entity, tracked.unwrap()).unwrap();
    let (position, tracked) = world.take::<(Position, Tracked)>(entity).unwrap();
    assert_eq!((position, ledger.alive()), (Position(1.0), 1));
    drop(tracked);
    assert_eq!(ledger.alive(), 0);
    world.despawn(entity).unwrap();
    assert_eq!(world.remove::<(Position, Tag)>(entity), (None, None));
    assert!(world.take::<Position>(entity).is_none());
    world.check_invariants();
}

/// Stays while it says so.
#[derive(Component)]
#[component(veto = Oath::may_go)]
struct Oath(bool);

impl Oath {
    fn may_go(&mut self) -> bool {
        self.0
    }
}

#[test]
fn a_veto_keeps_dependent_entities() {
    let mut world = World::new();
    let entity = world.spawn((Position(1.0), Tag, Oath(false))).id();
    assert!(world.take::<(Position, Oath)>(entity).is_none());
    let error = world.remove_except::<Tag>(entity).unwrap_err();
    assert_eq!(error, RemoveError::Refused(entity, "Oath"));
    assert!(world.has::<(Position, Tag, Oath)>(entity));
    world.remove_except::<(Oath, Tag)>(entity).unwrap();
    assert!(world.has::<(Tag, Oath)>(entity) && !world.has::<Position>(entity));
    world.get_mut::<Oath>(entity).unwrap().0 = true;
    world.entity_mut(entity).remove_except::<Position>().unwrap();
    assert_eq!(world.components(entity).count(), 0);
    world.despawn(entity).unwrap();
    assert_eq!(world.remove_except::<Tag>(entity), Err(RemoveError::NoSuchEntity(entity)));
    world.check_invariants();
}

#[test]
fn groups_follow_retain() {
    let mut world = World::new();
    let moving = Group::owning::<(Position, Velocity)>();
    world.declare_group(moving).unwrap();
    world.declare_group(Group::observing::<Position>().without::<Tag>()).unwrap();
    let entities = world.spawn_batch((0..10).map(|at| (Position(at as f32), Velocity(0.0), Tag)));
    for &entity in &entities[..4] {
        world.remove_except::<Position>(entity).unwrap();
        world.check_invariants();
    }
    world.remove_except::<(Position, Velocity)>(entities[5]).unwrap();
    assert_eq!(world.group(moving).unwrap().len(), 6);
    assert_eq!(world.groups().map(ecs::GroupRef::len).sum::<usize>(), 6 + 5);
    world.check_invariants();
}

#[test]
fn drops_that_panic_while_others_go() {
    let (mut world, ledger) = (World::new(), Ledger::default());
    let entity = world.spawn((Position(1.0), ledger.bomb(), Tag)).id();
    assert!(panics(|| world.remove_except::<Tag>(entity)).is_some());
    assert_eq!((ledger.alive(), world.components(entity).count()), (0, 1));
    world.check_invariants();
}

#[test]
fn a_component_named_twice_by_a_generic_type_is_not_taken() {
    #[derive(Component)]
    struct Of<T: Send + Sync + 'static>(T);
    let mut world = World::new();
    let entity = world.spawn(Of(3_u8)).id();
    let message = panics(|| world.take::<(Of<u8>, Of<u8>)>(entity).is_some()).unwrap();
    assert!(message.contains("named twice"), "{message}");
    assert_eq!(world.get::<Of<u8>>(entity).unwrap().0, 3);
    assert!(world.take::<(Of<u8>, Of<u16>)>(entity).is_none());
}

#[test]
fn old_values_come_back_and_absent_ones_are_made() {
    let (mut world, ledger) = (World::new(), Ledger::default());
    let entity = world.spawn_empty().id();
    assert!(world.replace(entity, ledger.tracked()).unwrap().is_none());
    assert!(world.replace(entity, ledger.tracked()).unwrap().is_some());
    assert_eq!(ledger.alive(), 1);
    let mut made = 0;
    for _ in 0..3 {
        world
            .get_or_insert_with(entity, || {
                made += 1;
                Position(0.0)
            })
            .unwrap()
            .0 += 1.0;
    }
    assert_eq!((made, world.get::<Position>(entity)), (1, Some(&Position(3.0))));
    world.insert(entity, Position::default()).unwrap();
    assert_eq!(world.get::<Position>(entity), Some(&Position(0.0)));
    assert!(world.entity_mut(entity).get_or_insert_with(|| Velocity(7.0)).0 > 6.0);
    world.insert_if_absent(entity, (Position(9.0), ledger.tracked(), (Tag, ()))).unwrap();
    assert_eq!((world.get::<Position>(entity), ledger.alive()), (Some(&Position(0.0)), 1));
    assert!(world.entity_mut(entity).insert_if_absent(Mass(2)).has::<(Tag, Mass)>());
    world.despawn(entity).unwrap();
    assert!(world.insert_if_absent(entity, ledger.tracked()).is_err());
    assert_eq!(ledger.alive(), 0);
    assert!(world.get_or_insert_with(entity, || unreachable!() as Position).is_err());
    assert!(world.replace(entity, Tag).is_err() && world.insert(entity, Tag).is_err());
    world.check_invariants();
}
