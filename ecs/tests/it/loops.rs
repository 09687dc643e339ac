//! Iterators that are begun in one way and ended in another: whatever a walk is made of, each match
//! comes once, with its own entity.

use crate::fixtures::{Mass, Position, Random, Tag, Velocity};
use crate::parallel;
use ecs::{Entity, Group, Has, PlanKind, Query, ReadOnlyQuery, With, Without, World};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Matches in long runs, matches that are scattered, whole pages of neither, and recycled indices,
/// so that pages have members of several generations.
fn patchwork() -> World {
    let mut world = World::new();
    let entities = world.spawn_batch((0..9_000).map(|at| Position(at as f32)));
    for (at, &entity) in entities.iter().enumerate() {
        let is_match = match at / 1_000 {
            0 | 1 | 6 => true,
            2 | 7 => at % 3 == 0,
            3 => at % 64 < 20,
            4 => at % 97 == 0,
            _ => false,
        };
        if is_match {
            world.insert(entity, Velocity(at as f32)).unwrap();
        }
    }
    for &entity in entities[2_000..4_500].iter().step_by(2) {
        world.despawn(entity).unwrap();
    }
    for at in 0..700 {
        world.spawn((Position(at as f32), Velocity(at as f32)));
    }
    let found = expected(&world);
    assert!(found.iter().any(|entity| entity.generation().get() > 1) && found.len() > 3_000);
    world
}

/// Returns the matches that every way has to find.
pub fn expected(world: &World) -> BTreeSet<Entity> {
    let both = |entity: &Entity| world.has::<(Position, Velocity)>(*entity);
    world.entities().filter(both).collect()
}

const BEGUN: [usize; 17] =
    [0, 1, 2, 63, 64, 65, 127, 128, 129, 500, 1_000, 1_023, 1_024, 1_025, 2_500, 3_000, 100_000];

/// Panics unless each way to iterate yields each match once, with its own values.
#[track_caller]
pub fn check(world: &World, plan: Option<PlanKind>) {
    parallel::check(world, plan);
    let expected = expected(world);
    let view = || world.view::<(Position, Velocity)>().with_plan(plan);
    let items = || view().into_iter();
    let mut chunked = Vec::new();
    view().for_each_chunk(|(entities, positions, velocities)| {
        assert!(entities.len() == positions.len() && entities.len() == velocities.len());
        for ((entity, position), velocity) in entities.iter().zip(positions).zip(velocities) {
            assert_eq!(world.get::<Position>(*entity), Some(position));
            assert_eq!(world.get::<Velocity>(*entity), Some(velocity));
        }
        chunked.extend(entities);
    });
    assert_eq!(chunked.len(), expected.len(), "{plan:?}: each once");
    assert_eq!(chunked.into_iter().collect::<BTreeSet<_>>(), expected, "{plan:?}");
    let mut each = Vec::new();
    view().for_each(|(entity, position, velocity)| {
        assert_eq!(world.get::<Position>(entity), Some(position));
        assert_eq!(world.get::<Velocity>(entity), Some(velocity));
        each.push(entity);
    });
    assert_eq!(each, items().map(|(entity, ..)| entity).collect::<Vec<_>>(), "{plan:?}");
    for begun in BEGUN {
        let mut found = Vec::new();
        let mut rest = items();
        for (entity, position, velocity) in rest.by_ref().take(begun) {
            assert_eq!(world.get::<Position>(entity), Some(position));
            assert_eq!(world.get::<Velocity>(entity), Some(velocity));
            found.push(entity);
        }
        let (least, most) = rest.size_hint();
        let before = found.len();
        rest.for_each(|(entity, position, velocity)| {
            assert_eq!(world.get::<Position>(entity), Some(position));
            assert_eq!(world.get::<Velocity>(entity), Some(velocity));
            found.push(entity);
        });
        let left = found.len() - before;
        assert!(least <= left && most.is_none_or(|most| left <= most), "{plan:?}, {begun}");
        assert_eq!(found.len(), expected.len(), "{plan:?}, {begun}: each once");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected, "{plan:?}, {begun}");
    }
    let mut ended = items();
    assert_eq!(ended.by_ref().count(), expected.len());
    assert!((0..3).all(|_| ended.next().is_none()), "{plan:?}: the end is the end");
    assert_eq!(ended.size_hint().0, 0);
    assert_eq!(ended.fold(0, |count, _| count + 1), 0, "{plan:?}: for fold, too");
}

/// Checks a pool by itself, whose runs are shortened as they are taken.
#[track_caller]
fn check_one_pool(world: &World) {
    let expected = world.view::<Velocity>().count();
    for plan in [None, Some(PlanKind::Words), Some(PlanKind::Dense)] {
        for begun in BEGUN {
            let mut rest = world.view::<Velocity>().with_plan(plan).into_iter();
            let mut found: Vec<_> = rest.by_ref().take(begun).map(|(entity, _)| entity).collect();
            rest.for_each(|(entity, velocity)| {
                assert_eq!(world.get::<Velocity>(entity), Some(velocity));
                found.push(entity);
            });
            assert_eq!(found.len(), expected, "{plan:?}, {begun}: each once");
            assert_eq!(found.into_iter().collect::<BTreeSet<_>>().len(), expected, "{plan:?}");
        }
    }
}

#[test]
fn begun_by_next_and_ended_by_fold() {
    let mut world = patchwork();
    check_one_pool(&world);
    for plan in [None, Some(PlanKind::Words), Some(PlanKind::Dense)] {
        check(&world, plan);
    }
    let observing = Group::observing::<(Position, Velocity)>();
    world.declare_group(observing).unwrap();
    check(&world, None);
    world.drop_group(observing).unwrap();
    world.declare_group(Group::owning::<Velocity>().with::<Position>()).unwrap();
    check(&world, None);
    let mut world = patchwork();
    world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
    check(&world, None);
}

/// Returns pages of 1,024 entities, whose members are in all orders that pages distinguish.
fn pages_of_all_forms() -> World {
    let mut world = World::new();
    let entities = world.spawn_batch((0..12 * 1_024).map(|_| Tag));
    for &entity in entities[3_072..4_096].iter().step_by(2) {
        world.despawn(entity).unwrap();
    }
    world.spawn_batch((0..512).map(|_| Tag)); // of another generation
    let mut by_index: Vec<_> = world.entities().collect();
    by_index.sort_unstable_by_key(|entity| entity.index());
    assert_eq!(by_index.len(), entities.len(), "every index is used again");
    let mut insert = |at: u32, moves: bool, rests: bool| {
        let (entity, value) = (by_index[at as usize], at as f32);
        if moves {
            world.insert(entity, Velocity(value)).unwrap();
        }
        if rests {
            world.insert(entity, Position(value)).unwrap();
        }
    };
    for step in 0..12 * 1_024 {
        // In another order than the indices, but for pages 8 to 10.
        let at = step * 7 % (12 * 1_024);
        match at / 1_024 {
            0 | 2 | 3 => insert(at, at % 3 > 0, at % 5 > 0),
            1 => insert(at, at % 2 == 0, at % 2 == 1), // no entity has both
            4 => insert(at, at % 128 == 0, at % 192 == 0),
            5 => insert(at, at % 2 == 0, at % 192 == 0), // not of the same form
            6 => insert(at, at % 64 < 3, at % 1_024 > 960),
            10 => insert(at, at % 3 == 0, false),
            _ => {}
        }
    }
    (8 * 1_024..10 * 1_024).for_each(|at| insert(at, true, true));
    (10 * 1_024..11 * 1_024).for_each(|at| insert(at, false, at % 5 > 0)); // one in order, one not
    (11 * 1_024..12 * 1_024).rev().for_each(|at| insert(at, true, true));
    world
}

#[test]
fn pages_of_every_form_in_one_loop() {
    let mut world = pages_of_all_forms();
    assert!(expected(&world).len() > 3_000);
    check(&world, None);
    check(&world, Some(PlanKind::Words));
    let expected: Vec<_> = expected(&world).into_iter().collect();
    // The optional component is elsewhere.
    let is_rare = |(_, at): &(_, u32)| at % 60 == 0 || *at > 700 && at % 3 == 0;
    for (&entity, at) in expected.iter().zip(0..).filter(is_rare) {
        world.insert(entity, Mass(at)).unwrap();
    }
    let mut found = Vec::new();
    for (entity, _, velocity, mass) in world.view::<(Position, Velocity, Option<&Mass>)>() {
        assert_eq!(world.get::<Velocity>(entity), Some(velocity));
        assert_eq!(world.get::<Mass>(entity), mass);
        found.push(entity);
    }
    found.sort_unstable();
    assert_eq!(found, expected);
    // Each match gets its own writes.
    for (entity, position, velocity, has) in
        world.view_mut::<(&mut Position, &Velocity, Has<Tag>)>()
    {
        assert!(position.0 == velocity.0 && has);
        position.0 += entity.index() as f32;
    }
    for entity in &expected {
        assert_eq!(world.get::<Position>(*entity).unwrap().0, 2.0 * entity.index() as f32);
    }
    // Filters have no values that could be near.
    let without = |entity: &&Entity| entity.index().is_multiple_of(2);
    for &entity in expected.iter().filter(without) {
        world.remove::<Tag>(entity).unwrap();
    }
    let mut odd = 0;
    for (entity, position, _) in world.view::<(Position, Velocity)>().with::<Tag>() {
        assert!(!entity.index().is_multiple_of(2));
        assert_eq!(world.get::<Position>(entity), Some(position));
        odd += 1;
    }
    let mut even = 0;
    for entity in world.view::<With<(Position, Velocity)>>().without::<Tag>() {
        assert!(entity.index().is_multiple_of(2));
        even += 1;
    }
    assert_eq!(even + odd, expected.len());
    assert!(even > 1_000 && odd > 1_000);
}

/// If many pages before it leave a page of a hundred packed, it may have more matches than are found
/// at a time. Then the rest of them come before the next page's.
#[test]
fn a_packed_page_among_others_is_ended_before_the_next() {
    const PAGE: usize = 1_024;
    let mut world = World::new();
    let entities = world.spawn_batch((0..29 * PAGE).map(|at| Position(at as f32)));
    let mut insert = |page: usize, at: usize| {
        world.insert(entities[page * PAGE + at], Velocity(at as f32)).unwrap();
    };
    // Not in the order of indices, because cells are not read in that order.
    (0..26).for_each(|page| (0..PAGE).for_each(|at| insert(page, at * 7 % PAGE)));
    (0..100).for_each(|at| insert(26, at * 70 % (10 * 100)));
    (0..400).for_each(|at| insert(27, at * 7 % PAGE));
    check(&world, None);
    check(&world, Some(PlanKind::Words));
    let found: Vec<_> = world.view::<(Position, Velocity)>().into_iter().collect();
    assert!(found.is_sorted_by_key(|(entity, ..)| entity.index()), "pages in their order");
    assert_eq!(found.len(), 26 * PAGE + 100 + 400);
}

/// All positions are in order, so neighbours are read as runs, and others by their page.
#[test]
fn runs_and_scattered_matches_take_turns_on_a_page() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..2_048).map(|at| (Position(at as f32), Tag)));
    for (at, &entity) in entities.iter().enumerate() {
        if at / 64 % 3 > 0 && at % (at / 64 % 3 + 1) > 0 {
            world.remove::<Tag>(entity);
        }
    }
    let expected = entities.iter().filter(|entity| world.has::<&Tag>(**entity));
    let expected: Vec<_> = expected.map(|&entity| (entity, entity.index() as f32)).collect();
    let view = || world.view::<(Position, With<Tag>)>();
    assert_eq!(view().explain().kind, PlanKind::Words);
    let found: Vec<_> = view().iter().map(|(entity, position)| (entity, position.0)).collect();
    assert_eq!(found, expected, "by an iterator");
    let mut found = Vec::new();
    view().for_each(|(entity, position)| found.push((entity, position.0)));
    assert_eq!(found, expected, "by a loop");
}

/// Random words of runs, gaps and scattered bits; pools in order of their entities, or not.
#[test]
fn any_pattern_of_matches_is_read_where_it_is() {
    let mut random = Random(0x5EED);
    let bits = |random: &mut Random| match random.below(6) {
        0 | 1 => u64::MAX,
        2 => 0,
        3 => random.next() & random.next() & random.next(),
        4 => u64::MAX << random.below(64),
        _ => random.next() | random.next(),
    };
    for case in 0..150 {
        let mut world = World::new();
        let count = 64 * (1 + random.below(50));
        let entities = world.spawn_batch((0..count).map(|at| Position(at as f32)));
        let words =
            [(); 3].map(|()| (0..count / 64).map(|_| bits(&mut random)).collect::<Vec<_>>());
        let [velocities, tags, masses] =
            words.map(|words| move |at: usize| words[at / 64] >> (at % 64) & 1 == 1);
        let mut order: Vec<usize> = (0..count).collect();
        if case % 3 == 0 {
            order.sort_by_cached_key(|_| random.next()); // the pools below are not in order
        }
        for &at in &order {
            let mut entity = world.entity_mut(entities[at]);
            if velocities(at) {
                entity.insert(Velocity(-(at as f32)));
            }
            if tags(at) {
                entity.insert(Tag);
            }
            if masses(at) {
                entity.insert(Mass(entities[at].index()));
            }
        }
        let all = |is_match: &dyn Fn(usize) -> bool| -> BTreeSet<usize> {
            (0..count).filter(|&at| is_match(at)).collect()
        };
        let expect = |name, found: Vec<(Entity, f32, f32)>, is_match: &dyn Fn(usize) -> bool| {
            for &(entity, position, velocity) in &found {
                let at = entity.index() as f32;
                assert_eq!((position, velocity), (at, -at), "case {case}, {name}: {entity}");
            }
            let entities = found.iter().map(|(entity, ..)| entity.index() as usize);
            assert_eq!(entities.collect::<BTreeSet<_>>(), all(is_match), "case {case}, {name}");
        };
        macro_rules! both_ways {
            ($query:ty, $item:pat => $found:expr, $is_match:expr) => {
                let view = || world.view::<$query>();
                let found = view().into_iter().map(|$item| $found).collect();
                expect(concat!(stringify!($query), " by an iterator"), found, &$is_match);
                let mut found = Vec::new();
                view().for_each(|$item| found.push($found));
                expect(concat!(stringify!($query), " by a loop"), found, &$is_match);
            };
        }
        both_ways!((&Position, With<Tag>), (e, p) => (e, p.0, -p.0), &tags);
        both_ways!((&Position, &Velocity), (e, p, v) => (e, p.0, v.0), &velocities);
        both_ways!((&Position, &Velocity, With<Tag>), (e, p, v) => (e, p.0, v.0),
            |at| velocities(at) && tags(at));
        both_ways!((&Position, &Velocity, &Mass), (e, p, v, m) => (e, p.0 + (m.0 as f32 - p.0), v.0),
            |at| velocities(at) && masses(at));
        both_ways!((&Position, &Velocity, Without<Tag>), (e, p, v) => (e, p.0, v.0),
            |at| velocities(at) && !tags(at));
        both_ways!((&Position, Without<Velocity>), (e, p) => (e, p.0, -p.0), |at| !velocities(at));
        both_ways!((&Position, Option<&Velocity>), (e, p, v) => (e, p.0, v.map_or(-p.0, |v| v.0)),
            |_| true);
    }
}

#[test]
fn few_members_are_looked_up() {
    for count in [0, 1, 2, 15, 16, 17, 40] {
        let mut world = World::new();
        let entities = world.spawn_batch((0..20_000).map(|at| Position(at as f32)));
        for at in 0..count {
            let entity = entities[at * 7_919 % 20_000];
            world.insert(entity, Velocity(at as f32)).unwrap();
            if at % 4 == 1 {
                world.remove::<Position>(entity).unwrap();
            }
        }
        assert_eq!(expected(&world).len(), count - (count + 2) / 4);
        for plan in [None, Some(PlanKind::Words), Some(PlanKind::Dense)] {
            check(&world, plan);
            let mut found = 0;
            for (entity, velocity) in world.view::<Velocity>().with_plan(plan) {
                assert_eq!(world.get::<Velocity>(entity), Some(velocity));
                found += 1;
            }
            assert_eq!(found, count);
        }
        let view = world.view::<(Position, Velocity)>();
        assert_eq!(view.explain().kind, PlanKind::Dense);
        world.declare_group(Group::observing::<(Position, Velocity)>()).unwrap();
        check(&world, None);
        // For so few it takes longer to look for a group.
        let kind = if count <= 16 { PlanKind::Dense } else { PlanKind::Group };
        assert_eq!(world.view::<(Position, Velocity)>().explain().kind, kind);
    }
    // With few members, pools in step make no difference.
    let mut world = World::new();
    let entities = world.spawn_batch((0..20_000).map(|_| Tag));
    for at in [0, 3_000, 6_000, 9_000, 1, 3_001, 6_001, 9_001] {
        world.insert(entities[at], (Position(at as f32), Velocity(at as f32))).unwrap();
    }
    check(&world, None);
    assert_eq!(world.view::<(Position, Velocity)>().explain().kind, PlanKind::Dense);
}

#[test]
fn loops_in_loops() {
    let world = patchwork();
    let pairs = |world: &World| {
        let mut pairs = 0;
        for (outer, ..) in world.view::<(Position, Velocity)>().into_iter().step_by(400) {
            for (inner, ..) in world.view::<(Position, Velocity)>() {
                pairs += usize::from(outer == inner);
            }
            // Left early, with matches found and not taken.
            for (inner, ..) in world.view::<(Velocity, Position)>() {
                if inner.index() > 2_100 {
                    break;
                }
            }
        }
        pairs
    };
    assert_eq!(pairs(&world), expected(&world).len().div_ceil(400));
    // Threads have their own stock of memory, and an iterator may end on another.
    std::thread::scope(|scope| {
        let threads = [(); 2].map(|()| {
            let mut begun = world.view::<(Position, Velocity)>().into_iter();
            let first = begun.by_ref().take(2_100).count();
            let world = &world;
            scope.spawn(move || {
                assert_eq!(first + begun.count(), expected(world).len());
                assert_eq!(pairs(world), expected(world).len().div_ceil(400));
            })
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn everyone_with_generations_of_their_own() {
    let mut world = patchwork();
    let tagged = world.spawn(Tag).id();
    let all: Vec<_> = world.view::<Has<Tag>>().into_iter().collect();
    assert_eq!(all.len(), world.len());
    assert!(all.iter().all(|(entity, has)| world.is_alive(*entity) && *has == (*entity == tagged)));
    let mut mixed = world.view::<Has<Tag>>().into_iter();
    let first = mixed.next().unwrap().0;
    let others: Vec<_> = mixed.map(|(entity, _)| entity).collect();
    assert!(!others.contains(&first) && others.len() + 1 == all.len());
}

#[test]
fn a_thread_that_is_ending_can_iterate() {
    fn walked(world: &World) -> usize {
        let mut found = 0;
        for _ in world.view::<(Position, Velocity)>() {
            found += 1;
        }
        found
    }
    /// Walks its world when it is dropped.
    struct Last(World, Arc<AtomicUsize>);
    impl Drop for Last {
        fn drop(&mut self) {
            self.1.store(walked(&self.0), Ordering::Relaxed);
        }
    }
    thread_local! {
        static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
    }

    let found = Arc::new(AtomicUsize::new(0));
    let world = patchwork();
    let expected = expected(&world).len();
    let last = Last(world, found.clone());
    std::thread::spawn(move || {
        LAST.set(Some(last));
        // The buffers that loops of this thread leave are dropped before `LAST`.
        LAST.with_borrow(|last| {
            assert_eq!(walked(&last.as_ref().unwrap().0), expected);
        });
    })
    .join()
    .unwrap();
    assert_eq!(found.load(Ordering::Relaxed), expected);
}

#[test]
fn a_query_of_entities_yields_all_living_ones() {
    #[derive(ecs::Query)]
    struct Anyone {
        entity: Entity,
    }
    let mut world = World::new();
    assert_eq!(world.view::<Anyone>().into_iter().count(), 0);
    for len in [1, 63, 64, 3_000, 300_000] {
        world.clear();
        let entities = world.spawn_batch((0..len).map(|_| Tag));
        for &entity in entities.iter().skip(1).step_by(3) {
            world.despawn(entity).unwrap();
        }
        let living: Vec<_> = world.entities().collect();
        let found: Vec<_> = world.view::<Anyone>().into_iter().map(|it| it.entity).collect();
        assert_eq!(found, living);
        let mut walked = Vec::new();
        for anyone in world.view::<Anyone>() {
            walked.push(anyone.entity);
        }
        assert_eq!(walked, living);
    }
}

#[test]
fn an_optional_part_may_have_no_pool() {
    #[derive(ecs::Query)]
    struct Who {
        entity: Entity,
    }
    for len in [10, 3_000, 200_000] {
        let mut world = World::new();
        let entities = world.spawn_batch((0..len).map(|_| Position(1.0)));
        for &entity in entities.iter().rev().step_by(3) {
            world.insert(entity, Velocity(1.0)).unwrap();
        }
        let view = world.view::<(&Position, &Velocity, Option<Who>)>();
        let itself = |it: &(Entity, &Position, &Velocity, Option<Who>)| {
            it.3.as_ref().is_some_and(|who| who.entity == it.0)
        };
        assert_eq!(view.iter().filter(itself).count(), entities.len().div_ceil(3));
        let mut count = 0;
        view.for_each(|(entity, _, _, who)| count += usize::from(who.unwrap().entity == entity));
        assert_eq!(count, entities.len().div_ceil(3));
    }
}

/// Entities that are tested for one component only are found by all loops.
#[test]
fn unread_components_are_found() {
    #[derive(Query)]
    #[query(with(Tag))]
    struct Tagged {
        entity: Entity,
    }
    let mut world = World::new();
    let tagged = world.spawn_batch((0..300).map(|_| Tag));
    world.spawn_batch((0..300).map(|_| Position(0.0)));
    let by_for: Vec<Entity> = world.view::<Tagged>().into_iter().map(|it| it.entity).collect();
    assert_eq!(by_for, tagged);
    let mut iter = world.view::<With<Tag>>().into_iter();
    assert_eq!((iter.next(), iter.count()), (Some(tagged[0]), 299));
    let mut by_for_each = Vec::new();
    world.view::<Tagged>().for_each(|it| by_for_each.push(it.entity));
    assert_eq!((by_for_each, world.view::<Tagged>().count()), (tagged, 300));
}

#[test]
fn a_copy_of_an_iterator_goes_on_from_where_it_was_taken() {
    fn check<Q: ReadOnlyQuery>(world: &World)
    where
        for<'w> ecs::Item<'w, Q>: PartialEq + std::fmt::Debug,
    {
        let plans = [PlanKind::All, PlanKind::Words, PlanKind::Dense, PlanKind::Group];
        for plan in plans.map(Some).into_iter().chain([None]) {
            let all: Vec<_> = world.view::<Q>().with_plan(plan).into_iter().collect();
            let mut iter = world.view::<Q>().with_plan(plan).into_iter();
            let mut copies = Vec::new();
            for at in 0..=all.len() {
                if at % 401 == 0 || at == all.len() {
                    copies.push((at, iter.clone()));
                }
                iter.next();
            }
            // Matches that the iterator found since then are in a buffer that its copies do not read.
            for (at, copy) in copies {
                assert_eq!(copy.clone().count(), all.len() - at, "{plan:?}");
                assert_eq!(copy.collect::<Vec<_>>(), all[at..], "{plan:?}, {at}");
            }
        }
    }
    let mut world = patchwork();
    let some: Vec<_> = world.entities().step_by(3).collect();
    world.insert_batch(some.iter().map(|&entity| (entity, Tag))).unwrap();
    check::<(&Position, &Velocity)>(&world);
    check::<(&Position, Option<&Velocity>, Has<Tag>)>(&world);
    check::<(&Position, Option<(&Velocity, &Tag)>)>(&world);
    check::<(&Tag, &Position)>(&world);
    check::<Has<Tag>>(&world);
    check::<&Position>(&world);
    // Few of many, so that each is looked up.
    let mut world = World::new();
    let entities = world.spawn_batch((0..200_000).map(|at| Position(at as f32)));
    for (at, &entity) in entities.iter().rev().step_by(331).enumerate() {
        world.insert(entity, Mass(u32::try_from(at).unwrap())).unwrap();
        if at % 3 == 0 {
            world.insert(entity, Velocity(at as f32)).unwrap();
        }
    }
    let plan = world.view::<(&Mass, &Position, Option<&Velocity>)>().explain();
    assert_eq!(plan.kind, PlanKind::Dense);
    check::<(&Mass, &Position, Option<&Velocity>)>(&world);
    check::<(&Mass, &Position)>(&world);
}
