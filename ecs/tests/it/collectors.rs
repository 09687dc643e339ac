//! Collectors: lists of entities to which something happened. `tests/random/lifecycle.rs` compares one with an
//! observer's notes.

use crate::fixtures::panics;
use ecs::{
    CollectList, CollectorId, Component, Entity, Inserted, Removed, Updated, With, WithAny,
    Without, World,
};

#[derive(Component, Debug, PartialEq)]
struct A(u32);
#[derive(Component, Debug, PartialEq)]
struct B(u32);
#[derive(Component, Debug, Default, PartialEq)]
struct C(u32);

/// Collectors of everything that can happen to `A`.
struct All {
    came: CollectorId,
    changed: CollectorId,
    gone: CollectorId,
}

impl All {
    fn of_a(world: &mut World) -> Self {
        Self {
            came: world.collector::<Inserted<A>>(),
            changed: world.collector::<Updated<A>>(),
            gone: world.collector::<Removed<A>>(),
        }
    }

    fn drain(&self, world: &mut World) -> [Vec<Entity>; 3] {
        [self.came, self.changed, self.gone].map(|collector| world.drain(collector))
    }
}

const NONE: [Entity; 0] = [];

#[test]
fn each_operation_is_collected_as_the_table_says() {
    let mut world = World::new();
    let all = All::of_a(&mut world);
    let check = |world: &mut World, came: &[Entity], changed: &[Entity], gone: &[Entity]| {
        assert_eq!(all.drain(world), [came.to_vec(), changed.to_vec(), gone.to_vec()]);
    };
    let no = &NONE;
    let entity = world.spawn((B(1), A(1))).id();
    check(&mut world, &[entity], no, no);
    world.insert(entity, (A(2), C(1))).unwrap();
    check(&mut world, no, &[entity], no);
    world.patch::<A>(entity, |a| a.0 = 5);
    check(&mut world, no, &[entity], no);
    assert_eq!(world.replace(entity, A(6)), Ok(Some(A(5))));
    check(&mut world, no, &[entity], no);
    world.get_mut::<A>(entity).unwrap().0 = 7;
    world.view_mut::<&mut A>().for_each(|(_, a)| a.0 = 8);
    world.insert_if_absent(entity, A(1)).unwrap();
    world.get_or_insert_with(entity, || A(1)).unwrap();
    check(&mut world, no, no, no);
    assert_eq!(world.remove::<A>(entity), Some(A(8)));
    check(&mut world, no, no, &[entity]);
    world.get_or_insert_with(entity, || A(1)).unwrap();
    check(&mut world, &[entity], no, no);
    assert_eq!(world.take::<(B, A)>(entity), Some((B(1), A(1))));
    check(&mut world, no, no, &[entity]);
    world.insert(entity, A(1)).unwrap();
    world.remove_except::<C>(entity).unwrap();
    check(&mut world, &[entity], no, &[entity]);
    world.insert(entity, A(1)).unwrap();
    world.despawn(entity).unwrap();
    check(&mut world, no, no, &[entity]);

    let entities = world.spawn_batch((0..300).map(|at| (A(at), B(at))));
    check(&mut world, &entities, no, no);
    world.insert_batch(entities.iter().map(|&entity| (entity, A(7)))).unwrap();
    check(&mut world, no, &entities, no);
    assert_eq!(world.remove_batch::<A>(&entities[..100]), 100);
    check(&mut world, no, no, &entities[..100]);
    world.insert_batch(entities.iter().map(|&entity| (entity, A(7)))).unwrap();
    check(&mut world, &entities[..100], &entities[100..], no);
    world.pool_mut::<A>().retain(|entity, _| entity != entities[7]);
    check(&mut world, no, no, &entities[7..8]);
    assert_eq!(world.despawn_batch(&entities[..20]), 20);
    let but_one: Vec<_> = entities[..20].iter().copied().filter(|&it| it != entities[7]).collect();
    check(&mut world, no, no, &but_one);
    world.clear();
    check(&mut world, no, no, no);
    let again = world.spawn_batch((0..3).map(A));
    assert_eq!(world.pool_mut::<A>().drain().count(), 3);
    let last_first: Vec<_> = again.iter().rev().copied().collect();
    check(&mut world, &again, no, &last_first);
    world.check_invariants();
}

#[test]
fn an_entity_is_collected_once_in_the_order_of_its_first_mention() {
    let mut world = World::new();
    let all = world.collector::<(Inserted<A>, Updated<A>, Removed<A>, Inserted<B>)>();
    let entities = world.spawn_batch((0..4).map(C));
    for at in [2, 0, 2, 3, 0, 1] {
        world.insert(entities[at], A(1)).unwrap();
    }
    world.remove::<A>(entities[3]);
    world.insert(entities[2], B(1)).unwrap();
    assert_eq!(world.drain(all), [2, 0, 3, 1].map(|at| entities[at]));
    assert_eq!(world.drain(all), NONE);
    world.insert_batch([(entities[1], B(1)), (entities[0], B(1)), (entities[1], B(2))]).unwrap();
    assert_eq!(world.drain(all), [entities[1], entities[0]]);
}

#[test]
fn filters_are_evaluated_by_drain() {
    let mut world = World::new();
    let with = world.collector::<(Inserted<A>, With<B>, Without<C>)>();
    let any = world.collector::<(Inserted<A>, WithAny<(B, C)>)>();
    let [none, b, both, late] = std::array::from_fn(|_| world.spawn(A(1)).id());
    world.insert(b, B(1)).unwrap();
    world.insert(both, (B(1), C(1))).unwrap();
    world.insert(late, B(1)).unwrap();
    world.remove::<A>(b);
    assert_eq!(world.drain(with), [b, late], "what was inserted may be gone");
    assert_eq!(world.drain(any), [b, both, late]);
    world.insert(none, B(1)).unwrap();
    assert_eq!(world.drain(with), NONE, "what did not pass is not kept");
}

#[test]
fn despawned_entities_stay_only_if_their_removal_is_collected() {
    let mut world = World::new();
    let came = world.collector::<(Inserted<A>, Updated<A>)>();
    let either = world.collector::<(Inserted<A>, Removed<B>)>();
    let with = world.collector::<(Removed<B>, With<A>)>();
    let without = world.collector::<(Removed<B>, Without<A>)>();
    let [a, ab, b] = [
        world.spawn(A(1)).id(),
        world.spawn((A(1), B(1))).insert(A(2)).id(),
        world.spawn((A(1), B(1))).id(),
    ];
    world.remove::<B>(b);
    world.despawn_batch(&[a, ab]);
    assert_eq!(world.drain(came), [b]);
    assert_eq!(world.drain(either), [ab, b]);
    assert_eq!(world.drain(with), [b], "who ended has no components");
    assert_eq!(world.drain(without), [ab]);
}

#[test]
fn trap_14_removals_are_kept_until_they_are_drained() {
    let mut world = World::new();
    let gone = world.collector::<Removed<A>>();
    let mut lost = Vec::new();
    for frame in 0..100 {
        let entity = world.spawn(A(frame)).id();
        match frame % 3 {
            0 => drop(world.remove::<A>(entity)),
            1 => world.despawn(entity).unwrap(),
            _ => _ = world.despawn_batch(&[entity, entity]),
        }
        lost.push(entity);
    }
    assert_eq!(world.drain(gone), lost);
}

#[test]
fn trap_15_an_index_that_is_used_again_has_all_its_handles() {
    let mut world = World::new();
    let gone = world.collector::<Removed<A>>();
    let came = world.collector::<Inserted<A>>();
    let lives: Vec<Entity> = (0..5)
        .map(|at| {
            let entity = world.spawn(A(at)).id();
            world.despawn(entity).unwrap();
            entity
        })
        .collect();
    assert!(lives.iter().all(|entity| entity.index() == lives[0].index()), "one index");
    let alive = world.spawn(A(7)).id();
    assert_eq!(alive.index(), lives[0].index());
    assert_eq!(world.drain(gone), lives);
    assert_eq!(world.drain(came), [alive]);
}

#[test]
fn collectors_are_notified_independently() {
    let mut world = World::new();
    let first = world.collector::<Inserted<A>>();
    let entity = world.spawn(A(1)).id();
    let second = world.collector::<Inserted<A>>();
    let other = world.spawn(A(1)).id();
    assert_eq!(world.drain(second), [other], "of what began later");
    assert_eq!(world.drain(first), [entity, other]);
    assert!(world.unobserve(first) && !world.unobserve(first));
    let third = world.collector::<(Inserted<A>, Inserted<A>)>(); // in the place of the first
    assert_ne!(first, third);
    assert!(!world.unobserve(first));
    let entity = world.spawn(A(1)).id();
    assert_eq!((world.drain(second), world.drain(third)), (vec![entity], vec![entity]));
    let message = "no such collector: it was ended, or is one of another world";
    assert_eq!(panics(|| drop(world.drain(first))).unwrap(), message);
    let mut other = World::new();
    let foreign = other.collector::<Inserted<A>>();
    assert_eq!(panics(|| drop(world.drain(foreign))).unwrap(), message);
    assert_eq!(panics(|| drop(World::new().drain(second))).unwrap(), message);
    assert!(!world.unobserve(foreign) && !World::new().unobserve(second));
    assert_eq!(world.drain(second), NONE);
}

#[test]
fn trap_13_ending_one_does_not_end_other_notifications() {
    let mut world = World::new();
    let [first, second] = [(); 2].map(|()| world.collector::<(Inserted<A>, Removed<A>)>());
    let observer = world.on_insert::<A>(|world, _| _ = world.spawn_named("told"));
    let batch = world.on_batch::<Inserted<A>>(|world, _| _ = world.spawn_named("told of all"));
    assert!(world.unobserve(first) && world.unobserve(batch));
    let entity = world.spawn(A(1)).id();
    assert!(world.entity_named("told").is_some() && world.entity_named("told of all").is_none());
    assert_eq!(world.drain(second), [entity]);
    assert!(world.unobserve(observer));
    let entity = world.spawn(A(1)).id();
    assert_eq!((world.drain(second), world.len()), (vec![entity], 3));
    let observer = world.on_remove::<A>(|world, _| _ = world.spawn_named("goes"));
    assert!(world.unobserve(second));
    world.remove::<A>(entity);
    assert!(world.entity_named("goes").is_some() && world.unobserve(observer));
}

#[test]
fn another_world_in_its_place_has_none() {
    let mut world = World::new();
    let came = world.collector::<(Inserted<A>, Removed<A>, Inserted<B>)>();
    world = World::new();
    world.spawn((A(1), B(1)));
    assert!(panics(|| drop(world.drain(came))).is_some() && !world.unobserve(came));
}

#[test]
fn a_panic_of_an_observer_ends_collection_and_notification() {
    let mut world = World::new();
    let came = world.collector::<(Inserted<A>, Inserted<B>, Updated<C>)>();
    let gone = world.collector::<(Removed<A>, Removed<B>)>();
    let observer = world.on_insert::<A>(|_, _| panic!("came"));
    let entity = world.spawn_empty().id();
    assert_eq!(panics(|| world.insert(entity, (B(1), A(1)))).unwrap(), "came");
    assert_eq!(world.drain(came), [entity], "it comes before the observer that panics");
    let later = world.collector::<(Inserted<A>, Inserted<B>)>();
    assert_eq!(panics(|| world.insert_batch([(entity, (C(1), A(2)))])), None);
    let other = world.spawn_empty().id();
    assert_eq!(panics(|| world.insert(other, (A(1), B(1)))).unwrap(), "came");
    assert_eq!((world.drain(came), world.drain(later)), (vec![other], vec![]));
    assert!(world.unobserve(observer));
    world.on_remove::<A>(|_, _| panic!("goes"));
    let [a, b] = [world.spawn((A(1), B(1))).id(), world.spawn((B(1), A(1))).id()];
    assert_eq!(panics(|| world.despawn(a)).unwrap(), "goes");
    assert_eq!(panics(|| world.remove::<A>(a)).unwrap(), "goes");
    assert_eq!(panics(|| world.remove_batch::<A>(&[a, b])).unwrap(), "goes");
    assert_eq!(panics(|| world.despawn_batch(&[a, b])).unwrap(), "goes");
    assert_eq!(world.drain(gone), NONE, "nothing went");
    world.remove::<B>(b);
    assert_eq!(world.drain(gone), [b]);
}

#[test]
fn it_is_notified_like_observers() {
    let mut world = World::new();
    let fuses = world.collector::<(Inserted<B>, Removed<B>)>();
    let bombs = world.collector::<(Inserted<A>, Removed<A>)>();
    world.on_insert::<A>(|world, entity| world.despawn(entity).unwrap());
    let bomb = world.spawn((A(1), B(1))).id();
    assert_eq!(world.drain(bombs), [bomb]);
    assert_eq!(world.drain(fuses), NONE, "it went before anybody heard of it");
    let bombs_of_all = world.spawn_batch((0..3).map(|at| (A(at), B(at))));
    assert_eq!(world.drain(bombs), bombs_of_all);
    assert_eq!(world.drain(fuses), NONE);

    // An update that merges with an insertion before its notification is an insertion.
    let mut world = World::new();
    let (came, changed) = (world.collector::<Inserted<B>>(), world.collector::<Updated<B>>());
    world.on_insert::<A>(|world, entity| world.insert(entity, B(2)).unwrap());
    let entity = world.spawn((A(1), B(1))).id();
    assert_eq!((world.drain(came), world.drain(changed)), (vec![entity], vec![]));
}

#[test]
fn observers_begin_and_drain_collectors() {
    #[derive(Component)]
    struct Id(CollectorId);

    let mut world = World::new();
    world.on_insert::<B>(|_, _| {}); // so that it is notified
    world.on_insert::<A>(|world, entity| {
        let came = world.collector::<(Inserted<B>, Updated<B>)>();
        world.insert(entity, Id(came)).unwrap();
    });
    world.on_update::<A>(|world, entity| {
        let came = world.get::<Id>(entity).unwrap().0;
        assert_eq!(world.drain(came), [entity]);
    });
    let entity = world.spawn((A(1), B(1))).id();
    let came = world.get::<Id>(entity).unwrap().0;
    assert_eq!(world.drain(came), NONE, "it began after the operation");
    world.insert(entity, (B(2), A(2))).unwrap();
    assert_eq!(world.drain(came), NONE, "the observer drained it");
}

/// Compares collectors with snapshots before and after each operation, without other observers.
#[test]
fn collectors_alone_list_all_changes() {
    fn present<T: Component>(world: &World) -> Vec<Entity> {
        world.pool::<T>().keys().to_vec()
    }
    let mut random = 7_u32;
    let mut below = |end: u32| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 8) % end
    };
    let mut world = World::new();
    world.declare_group(ecs::Group::owning::<(A, B)>()).unwrap();
    let all = All::of_a(&mut world);
    let mut entities = world.spawn_batch((0..8).map(C));
    for _ in 0..4_000 {
        let before = present::<A>(&world);
        let entity = entities[below(8) as usize];
        let given = [entity, entities[below(8) as usize], entities[below(8) as usize]];
        let mut updated = Vec::new();
        match below(8) {
            0 => {
                world.insert(entity, (A(1), B(2))).unwrap();
                updated.push(entity);
            }
            1 => {
                world.insert_batch(given.map(|entity| (entity, (B(1), A(2))))).unwrap();
                updated.extend(given);
            }
            2 => _ = world.remove::<A>(entity),
            3 => _ = world.remove_batch::<A>(&given),
            4 => _ = world.despawn_batch(&given),
            5 => _ = world.despawn(entity),
            6 if world.patch::<A>(entity, |a| a.0 += 1) => updated.push(entity),
            _ => world.remove_except::<C>(entity).unwrap(),
        }
        let after = present::<A>(&world);
        let [mut came, mut changed, mut gone] = all.drain(&mut world);
        let without = |of: &[Entity], other: &[Entity]| -> Vec<Entity> {
            let mut left: Vec<_> = of.iter().copied().filter(|it| !other.contains(it)).collect();
            left.sort();
            left.dedup();
            left
        };
        [&mut came, &mut changed, &mut gone].into_iter().for_each(|list| list.sort());
        assert_eq!(came, without(&after, &before));
        assert_eq!(gone, without(&before, &after));
        assert_eq!(changed, without(&updated, &came));
        for entity in &mut entities {
            if !world.is_alive(*entity) {
                *entity = world.spawn(C(0)).id();
            }
        }
        world.check_invariants();
    }
}

#[test]
fn memory_of_collectors_is_counted_and_released() {
    fn held(world: &World) -> usize {
        world.memory_usage().observers
    }
    let mut world = World::new();
    assert_eq!(held(&world), 0);
    let came = world.collector::<Inserted<A>>();
    let empty = held(&world);
    assert!(empty > 0);
    world.spawn_batch((0..1_000).map(A));
    assert!(held(&world) >= empty + 16 * 1_000);
    assert_eq!(world.drain(came).len(), 1_000);
    world.shrink_to_fit();
    assert_eq!(held(&world), empty);
    assert!(world.unobserve(came));
}

#[test]
fn functions_over_any_list() {
    fn count<L: CollectList>(edit: fn(&mut World)) -> usize {
        let mut world = World::new();
        let collector = world.collector::<L>();
        edit(&mut world);
        world.drain(collector).len()
    }
    let edit: fn(&mut World) = |world| _ = world.spawn((A(1), B(1))).remove::<A>();
    assert_eq!(count::<Inserted<A>>(edit), 1);
    assert_eq!(count::<(Inserted<A>, With<A>)>(edit), 0);
    assert_eq!(count::<(Updated<A>, Removed<A>, WithAny<(A, B)>)>(edit), 1);
}

#[test]
fn a_collector_in_a_reused_slot_collects_only_its_own_events() {
    let mut world = World::new();
    let first = world.collector::<(Inserted<A>, Updated<A>, Removed<A>)>();
    assert!(world.unobserve(first));
    let second = world.collector::<(Inserted<B>, Removed<C>)>();
    let a = world.spawn(A(1)).insert(A(2)).id();
    world.remove::<A>(a);
    assert_eq!(world.drain(second), NONE);
    let [b, c] = [world.spawn((A(1), B(1))).id(), world.spawn((A(1), C(1))).id()];
    world.despawn_batch(&[a, b, c]);
    assert_eq!(world.drain(second), [c], "removals of `B` are not collected");
}

#[test]
fn a_removal_stays_collected_after_later_edits_of_the_entity() {
    let mut world = World::new();
    let all = world.collector::<(Removed<A>, Inserted<A>, Updated<A>, Inserted<B>)>();
    let edits: [fn(&mut World, Entity); 5] = [
        |_, _| {},
        |world, entity| world.insert(entity, B(1)).unwrap(),
        |world, entity| world.insert(entity, A(1)).unwrap(),
        |world, entity| world.insert_batch([(entity, (A(1), B(1)))]).unwrap(),
        |world, entity| {
            world.insert(entity, A(1)).unwrap();
            world.insert(entity, A(2)).unwrap();
            world.insert(entity, B(2)).unwrap();
        },
    ];
    for edit in edits {
        let [entity, other] = [(); 2].map(|()| world.spawn((A(1), C(1))).id());
        world.drain(all);
        world.remove::<A>(entity);
        edit(&mut world, entity);
        edit(&mut world, other);
        world.pool_mut::<A>().shrink_to_fit();
        world.remove::<(A, B)>(entity);
        let unmentioned = world.remove::<A>(other).is_none();
        world.despawn_batch(&[entity, other]);
        assert!(!unmentioned);
        assert_eq!(world.drain(all), [entity, other]);
    }
    // A despawned entity without a collected removal is not yielded.
    let came = world.collector::<(Inserted<B>, Removed<C>)>();
    let entity = world.spawn(B(1)).insert(B(2)).id();
    world.despawn(entity).unwrap();
    assert_eq!(world.drain(came), NONE);
}

#[test]
fn shrink_to_fit_keeps_collected_entities_unique() {
    let mut world = World::new();
    let all = world.collector::<(Inserted<A>, Updated<A>)>();
    let entities = world.spawn_batch((0..100).map(A));
    world.shrink_to_fit();
    world.insert_batch(entities.iter().map(|&entity| (entity, A(7)))).unwrap();
    assert_eq!(world.drain(all), entities);
    world.shrink_to_fit();
    world.insert(entities[3], A(1)).unwrap();
    world.shrink_to_fit();
    world.insert(entities[3], A(2)).unwrap();
    assert_eq!(world.drain(all), [entities[3]]);
}

#[test]
fn an_entity_repeated_in_a_batch_is_collected_once_as_inserted_or_updated() {
    for repeats in [2, 3, 200] {
        let mut world = World::new();
        let all = All::of_a(&mut world);
        let entities: Vec<Entity> = (0..300).map(|_| world.spawn_empty().id()).collect();
        let had = world.spawn(A(1)).id();
        all.drain(&mut world);
        let named = || (0..repeats).flat_map(|_| entities.iter().copied().chain([had]));
        world.insert_batch(named().map(|entity| (entity, A(2)))).unwrap();
        assert_eq!(all.drain(&mut world), [entities.clone(), vec![had], vec![]]);
        world.remove_batch::<A>(&named().collect::<Vec<_>>());
        let [came, changed, mut gone] = all.drain(&mut world);
        gone.sort();
        assert_eq!((came, changed, gone.len()), (vec![], vec![], 301));
    }
    let mut world = World::new();
    let all = All::of_a(&mut world);
    let entity = world.spawn_empty().id();
    // The length is unknown, so the first bundle is inserted by itself.
    let twice = [(entity, A(1)), (entity, A(2))].into_iter().filter(|_| true);
    world.insert_batch(twice).unwrap();
    assert_eq!(all.drain(&mut world), [vec![entity], vec![], vec![]]);
}

#[test]
fn entities_drained_by_a_panicking_observer_are_not_collected_again() {
    #[derive(Component)]
    struct Id(CollectorId);
    let mut world = World::new();
    let came = world.collector::<(Inserted<A>, Inserted<B>)>();
    world.spawn(Id(came));
    let drain = |world: &mut World, _: Entity| {
        let came = world.view::<Id>().single().unwrap().1.0;
        assert!(!world.drain(came).is_empty(), "collectors are notified before observers");
        panic!("drained");
    };
    for several in [false, true] {
        let observer = world.on_insert::<A>(drain);
        let other = several.then(|| world.on_insert::<A>(|_, _| ()));
        let entity = world.spawn_empty().id();
        assert_eq!(panics(|| world.insert(entity, (A(1), B(1)))).unwrap(), "drained");
        assert_eq!(world.drain(came), NONE, "the panic ends what is notified of `B`");
        let entity = world.spawn_empty().id();
        assert_eq!(panics(|| world.insert(entity, A(1))).unwrap(), "drained");
        assert_eq!(world.drain(came), NONE);
        let batch = panics(|| drop(world.spawn_batch([A(1), A(2)]))).unwrap();
        assert_eq!(batch, "drained");
        assert_eq!(world.drain(came), NONE, "and of the second entity of a batch");
        assert!(world.unobserve(observer) && other.is_none_or(|id| world.unobserve(id)));
    }
}

/// Compares collectors with lists of the expected entities.
#[test]
fn collectors_begin_and_end_in_any_order() {
    let mut random = 11_u32;
    let mut below = |end: usize| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 8) as usize % end
    };
    let mut world = World::new();
    let entities = world.spawn_batch((0..6).map(C));
    // Each collector, its topic, and the entities that it should yield.
    let mut all: Vec<(CollectorId, usize, Vec<Entity>)> = Vec::new();
    for _ in 0..3_000 {
        let entity = entities[below(entities.len())];
        let of = match below(8) {
            0 if all.len() < 6 => {
                let of = below(4);
                let id = match of {
                    0 => world.collector::<Inserted<A>>(),
                    1 => world.collector::<Removed<A>>(),
                    2 => world.collector::<Inserted<B>>(),
                    _ => world.collector::<Removed<B>>(),
                };
                all.push((id, of, vec![]));
                continue;
            }
            1 if !all.is_empty() => {
                let (id, ..) = all.swap_remove(below(all.len()));
                assert!(world.unobserve(id) && !world.unobserve(id));
                continue;
            }
            2 if !all.is_empty() => {
                let at = below(all.len());
                assert_eq!(world.drain(all[at].0), std::mem::take(&mut all[at].2));
                continue;
            }
            3..6 if world.remove::<A>(entity).is_some() => 1,
            3..6 => {
                world.insert(entity, A(1)).unwrap();
                0
            }
            _ if world.remove::<B>(entity).is_some() => 3,
            _ => {
                world.insert(entity, B(1)).unwrap();
                2
            }
        };
        for (_, _, expected) in all.iter_mut().filter(|it| it.1 == of) {
            if !expected.contains(&entity) {
                expected.push(entity);
            }
        }
    }
}

#[test]
fn a_component_whose_insertion_was_collected_may_be_removed_by_the_next_observer() {
    let mut world = World::new();
    let collector = world.collector::<Inserted<A>>();
    world.on_insert::<B>(|world, entity| _ = world.remove::<A>(entity));
    let entity = world.spawn((A(1), B(2))).id();
    assert!(!world.has::<A>(entity) && world.has::<B>(entity));
    assert!(world.drain(collector).iter().all(|it| *it == entity));
}
