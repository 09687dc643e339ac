//! Change tracking: the changes that each reader sees, compared with a naive model.

use crate::fixtures::{Random, panics};
use ecs::{
    Changes, Component, Entity, EntitySet, Group, Has, Mut, Query, Tracked, With, Without, World,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Component, Clone, Debug, Default, PartialEq)]
#[component(track)]
struct Health(u32);
#[derive(Component, Clone, Debug, PartialEq)]
#[component(track, layout = "soa")]
struct Near {
    distance: f32,
    angle: f32,
}
#[derive(Component)]
#[component(track)]
struct Seen;
#[derive(Component, Clone, Copy)]
struct Armour(u32);
#[derive(Component, Clone, Copy)]
struct Rare;

fn near(distance: f32) -> Near {
    Near { distance, angle: 0.0 }
}

/// Returns the changed and the inserted entities since the last time.
fn news<T: Tracked>(
    world: &mut World,
    reader: &mut Changes<T>,
) -> (BTreeSet<Entity>, BTreeSet<Entity>) {
    world.advance(reader);
    let among = |marked: &EntitySet| {
        let all: BTreeSet<Entity> = world.view::<Entity>().among(marked).into_iter().collect();
        assert_eq!(all.len(), marked.len());
        assert_eq!(all.is_empty(), marked.is_empty());
        all
    };
    (among(reader.changed()), among(reader.inserted()))
}

fn changed<T: Tracked>(world: &mut World, reader: &mut Changes<T>) -> Vec<Entity> {
    news(world, reader).0.into_iter().collect()
}

#[test]
fn insertions_count_as_changes_and_are_distinguished() {
    // Trap 16 of such models: does an insertion count as a change? Here it does.
    let mut world = World::new();
    let old = world.spawn(Health(1)).id();
    let mut reader = world.changes::<Health>();
    assert_eq!(news(&mut world, &mut reader), (BTreeSet::new(), BTreeSet::new()));
    let new = world.spawn((Health(2), Armour(1))).id();
    world.insert(old, Health(3)).unwrap();
    let (both, one) = (BTreeSet::from([old, new]), BTreeSet::from([new]));
    assert_eq!(news(&mut world, &mut reader), (both, one));
    assert_eq!(news(&mut world, &mut reader), (BTreeSet::new(), BTreeSet::new()));
}

#[test]
fn only_lent_references_are_changes() {
    // Trap 17: false positives.
    let mut world = World::new();
    let entities = world.spawn_batch((0..100).map(|at| (Health(at), Armour(at))));
    let mut reader = world.changes::<Health>();
    assert_eq!(world.get::<Health>(entities[3]), Some(&Health(3)));
    assert_eq!(world.view::<Health>().count(), 100);
    world.view_mut::<(&Health, &mut Armour)>().for_each(|(_, _, armour)| armour.0 += 1);
    let _ = world.view_mut::<&mut Health>().matches(entities[0]);
    assert_eq!(world.view_mut::<&mut Health>().count(), 100);
    assert!(!world.view_mut::<(&mut Health, Has<Rare>)>().is_empty());
    let _ = world.view_mut::<&mut Health>().explain();
    assert!(world.view_mut::<(&mut Health, Rare)>().into_iter().next().is_none());
    assert!(
        world.view_mut::<&mut Health>().get_mut(Entity::from_bits(7 << 32 | 3).unwrap()).is_none()
    );
    assert!(world.get_mut::<Health>("3v7".parse().unwrap()).is_none());
    assert!(!world.patch::<Health>("3v7".parse().unwrap(), |_| unreachable!()));
    world.insert_if_absent(entities[5], Health(9)).unwrap();
    world.remove::<Armour>(entities[6]);
    assert_eq!(changed(&mut world, &mut reader), []);
}

#[test]
fn each_way_to_write_marks_lent_values() {
    let mut world = World::new();
    let all = world.spawn_batch((0..2_000).map(|at| (Health(at), near(0.0), Seen)));
    for &entity in all.iter().step_by(2) {
        world.insert(entity, Armour(1)).unwrap();
    }
    for &entity in all.iter().step_by(500) {
        world.insert(entity, Rare).unwrap();
    }
    let mut reader = world.changes::<Health>();
    let mut columns = world.changes::<Near>();
    let even: Vec<Entity> = all.iter().copied().step_by(2).collect();
    let rare: Vec<Entity> = all.iter().copied().step_by(500).collect();
    let some = [all[7], all[3]];
    let sorted = [all[3], all[7]];

    let mut is = |world: &mut World, expected: &[Entity], what: &str| {
        assert_eq!(changed(world, &mut reader), expected, "{what}");
    };
    world.get_mut::<Health>(all[7]).unwrap().0 = 0;
    is(&mut world, &[all[7]], "get_mut");
    world.entity_mut(all[7]).get_mut::<Health>().unwrap().0 = 0;
    is(&mut world, &[all[7]], "get_mut of a handle");
    world.get_or_insert_with(all[7], || Health(0)).unwrap().0 = 0;
    is(&mut world, &[all[7]], "get_or_insert_with");
    world.patch::<Health>(all[7], |health| health.0 = 0);
    is(&mut world, &[all[7]], "patch");
    world.replace(all[7], Health(1)).unwrap();
    is(&mut world, &[all[7]], "replace");
    let _ = world.pool_mut::<Health>().get_mut(all[7]);
    is(&mut world, &[all[7]], "get_mut of a pool");
    let _ = world.pool_mut::<Health>().as_mut_slice();
    is(&mut world, &all, "slices of a pool");
    let _ = world.pool_mut::<Health>().iter_mut();
    is(&mut world, &all, "iter_mut of a pool");
    let _ = world.pool_mut::<Health>().into_iter();
    is(&mut world, &all, "into_iter of a pool");
    let _ = (&mut world.pool_mut::<Health>()).into_iter();
    is(&mut world, &all, "into_iter of a pool that is borrowed");
    world.pool_mut::<Health>().retain(|_, _| true);
    is(&mut world, &all, "retain of a pool");

    for _ in world.view_mut::<&mut Health>() {}
    is(&mut world, &all, "for, one pool");
    world.view_mut::<&mut Health>().for_each(|_| {});
    is(&mut world, &all, "for_each, one pool");
    world.view_mut::<&mut Health>().for_each_chunk(|_| {});
    is(&mut world, &all, "chunks, one pool");
    let _ = world.view_mut::<&mut Health>().as_mut_slices();
    is(&mut world, &all, "slices of a view");
    for _ in world.view_mut::<(&mut Health, &Armour)>() {}
    is(&mut world, &even, "for, a join");
    world.view_mut::<(&mut Health, &Armour)>().for_each(|_| {});
    is(&mut world, &even, "for_each, a join");
    world.view_mut::<(&mut Health, With<Armour>)>().for_each_chunk(|_| {});
    is(&mut world, &even, "chunks, filtered");
    world.view_mut::<(&mut Health, Without<Armour>)>().for_each(|_| {});
    let odd: Vec<Entity> = all.iter().copied().skip(1).step_by(2).collect();
    is(&mut world, &odd, "excluded");
    world.view_mut::<(&mut Health, &Rare)>().for_each(|_| {});
    is(&mut world, &rare, "few members");
    world.view_mut::<(Option<&mut Health>, &Rare)>().for_each(|_| {});
    is(&mut world, &rare, "optional");
    world.view_mut::<Option<(&mut Health, &Armour)>>().for_each(|_| {});
    is(&mut world, &even, "optional, of two");
    world.view_mut::<(&Armour, Option<(&mut Health, Option<&mut Near>)>)>().for_each(|_| {});
    is(&mut world, &even, "nested");
    let _ = world.view_mut::<&mut Health>().get_mut(all[7]);
    is(&mut world, &[all[7]], "get_mut of a view");
    let _ = world.view_mut::<(&Armour, Option<(&mut Health, &Rare)>)>().get_mut(all[2]);
    is(&mut world, &[], "get_mut of a view, optional, not there");
    let _ = world.view_mut::<(&Armour, Option<&mut Health>)>().get_mut(all[2]);
    is(&mut world, &[all[2]], "get_mut of a view, optional");
    let _ = world.view_mut::<&mut Health>().get_disjoint_mut(some);
    is(&mut world, &sorted, "get_disjoint_mut");
    world.view_mut::<&mut Health>().for_each_many(some, |_| {});
    is(&mut world, &sorted, "for_each_many");
    let _ = world.view_mut::<(&mut Health, &Rare)>().with::<Armour>().single();
    is(&mut world, &rare, "single");
    let _ = world.view_mut::<&mut Health>().iter_mut();
    is(&mut world, &all, "iter_mut of a view");
    let (mut writes, _) =
        world.split_mut::<((&mut Health, With<Armour>), (&mut Health, Without<Armour>))>();
    writes.iter_mut().for_each(drop);
    is(&mut world, &even, "one of a split");

    for (_, mut health) in world.view_mut::<Mut<Health>>() {
        if health.0 % 1_000 == 5 {
            health.0 += 1;
        }
    }
    is(&mut world, &[all[5], all[1_005]], "a guard");
    for (_, mut health, _) in world.view_mut::<(Mut<Health>, &Rare)>() {
        assert!(!health.set_if_neq(Health(health.0)));
        let _ = health.bypass();
    }
    is(&mut world, &[], "a guard that is looked at");

    assert_eq!(changed(&mut world, &mut columns), even, "nested");
    world.view_mut::<(&mut near::distance, &Rare)>().for_each(|_| {});
    assert_eq!(changed(&mut world, &mut columns), rare, "a column");
    world.view_mut::<(&near::distance, &mut Armour)>().for_each(|_| {});
    assert_eq!(changed(&mut world, &mut columns), [], "a column that is read");
}

#[test]
fn a_loop_that_ends_early_marks_lent_values() {
    // Trap 18: the marks of a loop that ends early, by `break`, `take` or a panic.
    let mut world = World::new();
    let all = world.spawn_batch((0..10).map(Health));
    let mut reader = world.changes::<Health>();
    for (_, health) in world.view_mut::<&mut Health>() {
        health.0 += 1;
        if health.0 == 3 {
            break;
        }
    }
    assert_eq!(changed(&mut world, &mut reader), all);
    let ended = panics(|| world.view_mut::<&mut Health>().for_each(|_| panic!("early")));
    assert!(ended.is_some());
    assert_eq!(changed(&mut world, &mut reader), all);
    let taken = world.view_mut::<&mut Health>().into_iter().take(3);
    taken.for_each(|(_, health)| health.0 += 1);
    assert_eq!(changed(&mut world, &mut reader), all);
    // A guard marks just the values that it was written through, whichever way the loop ends.
    for (at, (_, mut health)) in world.view_mut::<Mut<Health>>().into_iter().enumerate() {
        health.0 += 1;
        if at == 1 {
            break;
        }
    }
    assert_eq!(changed(&mut world, &mut reader), all[..2]);
    let taken = world.view_mut::<Mut<Health>>().into_iter().take(3);
    taken.for_each(|(_, mut health)| health.0 += 1);
    assert_eq!(changed(&mut world, &mut reader), all[..3]);
    let ended = panics(|| {
        world.view_mut::<Mut<Health>>().for_each(|(entity, mut health)| {
            health.0 += 1;
            assert!(entity != all[3], "early");
        });
    });
    assert_eq!(ended.unwrap(), "early");
    assert_eq!(changed(&mut world, &mut reader), all[..4]);
}

#[derive(Query)]
struct Hurt<'w> {
    entity: Entity,
    health: Mut<'w, Health>,
    armour: Option<&'w Armour>,
}

/// Loops find out that pools have the same members, and then mark these without a look at each page.
#[test]
fn loops_over_pools_in_step_mark_all_members_and_no_others() {
    let mut world = World::new();
    let all = world.spawn_batch((0..3_000).map(|at| (Health(at), Armour(1))));
    let mut reader = world.changes::<Health>();
    let heal = |world: &mut World| {
        world.view_mut::<(&mut Health, &Armour)>().for_each(|(_, health, _)| health.0 += 1);
    };
    for _ in 0..3 {
        heal(&mut world);
        assert_eq!(changed(&mut world, &mut reader), all);
        assert_eq!(changed(&mut world, &mut reader), []);
    }
    // An entity that is removed afterwards is not among them; an inserted one is, as it is new, and not among the
    // changes of later loops.
    heal(&mut world);
    world.despawn(all[5]).unwrap();
    let new = world.spawn(Health(7)).id();
    let mut left: Vec<Entity> = all.iter().copied().filter(|entity| *entity != all[5]).collect();
    let those: BTreeSet<Entity> = left.iter().copied().chain([new]).collect();
    assert_eq!(news(&mut world, &mut reader), (those, BTreeSet::from([new])));
    heal(&mut world);
    assert_eq!(changed(&mut world, &mut reader), left);
    world.remove::<Health>(new);
    for _ in 0..3 {
        heal(&mut world);
    }
    let mut late = world.changes::<Health>();
    world.view_mut::<(&mut Health, &Armour)>().among(reader.changed()).for_each(|_| {});
    assert_eq!(changed(&mut world, &mut late), left);
    world.remove::<Armour>(all[9]);
    heal(&mut world);
    left.retain(|entity| *entity != all[9]);
    assert_eq!(changed(&mut world, &mut late), left);
    // A reader that looks later sees all changes that the others saw.
    left.push(all[9]);
    assert_eq!(
        changed(&mut world, &mut reader),
        BTreeSet::from_iter(left).into_iter().collect::<Vec<_>>()
    );
}

#[test]
fn derived_queries_have_guards_and_filter_by_marks() {
    let mut world = World::new();
    let all = world.spawn_batch((0..10).map(Health));
    world.insert(all[4], Armour(2)).unwrap();
    let mut reader = world.changes::<Health>();
    for mut hurt in world.view_mut::<Hurt>() {
        if hurt.armour.is_some() {
            hurt.health.0 += 1;
        }
    }
    world.advance(&mut reader);
    let found: Vec<Entity> =
        world.view_mut::<Hurt>().among(reader.changed()).into_iter().map(|it| it.entity).collect();
    assert_eq!(found, [all[4]]);
    assert!(world.view::<(&Health, &Armour)>().among(reader.changed()).get(all[4]).is_some());
    assert!(!world.view::<&Health>().among(reader.changed()).matches(all[3]));
}

#[test]
fn a_view_is_among_two_sets() {
    let mut world = World::new();
    let all = world.spawn_batch((0..10).map(|at| (Health(at), near(0.0))));
    let (mut healths, mut nears) = (world.changes::<Health>(), world.changes::<Near>());
    all[..6].iter().for_each(|&entity| _ = world.get_mut::<Health>(entity));
    all[4..].iter().for_each(|&entity| _ = world.get_mut::<Near>(entity));
    world.advance(&mut healths);
    world.advance(&mut nears);
    let both = world.view::<Entity>().among(healths.changed()).among(nears.changed());
    assert_eq!(both.iter().collect::<Vec<_>>(), [all[4], all[5]]);
    assert!(both.matches(all[4]) && !both.matches(all[3]) && !both.matches(all[6]));
    assert_eq!((both.count(), both.is_empty()), (2, false));
}

#[test]
fn removals_are_kept_in_order_however_often_an_index_was_used() {
    // Traps 14 and 15: polled removals that are missed, and one handle an index.
    let mut world = World::new();
    let mut reader = world.changes::<Seen>();
    let mut expected = Vec::new();
    for _ in 0..5 {
        let entity = world.spawn(Seen).id();
        world.despawn(entity).unwrap();
        expected.push(entity);
    }
    let entity = world.spawn(Seen).id();
    for _ in 0..3 {
        world.remove::<Seen>(entity);
        world.insert(entity, Seen).unwrap();
        expected.push(entity);
    }
    let others = world.spawn_batch((0..10).map(|_| Seen));
    world.remove_batch::<Seen>(&others[..4]);
    world.despawn_batch(&others[4..8]);
    expected.extend(&others[..8]);
    world.advance(&mut reader);
    assert_eq!(reader.removed(), expected);
    world.clear();
    world.advance(&mut reader);
    let all: BTreeSet<Entity> = reader.removed().iter().copied().collect();
    assert_eq!(all, BTreeSet::from([entity, others[8], others[9]]));
    world.advance(&mut reader);
    assert_eq!(reader.removed(), []);
}

#[test]
fn a_reader_may_idle_and_sees_all_when_it_comes() {
    // Trap 20: a reader that is idle for ages. Nothing wraps around.
    let mut world = World::new();
    let entity = world.spawn(Health(0)).id();
    let (mut idle, mut busy) = (world.changes::<Health>(), world.changes::<Health>());
    world.get_mut::<Health>(entity).unwrap().0 = 1;
    for _ in 0..100_000 {
        world.advance(&mut busy);
    }
    assert!(busy.changed().is_empty());
    assert_eq!(changed(&mut world, &mut idle), [entity]);
}

#[test]
fn sorts_swaps_and_groups_move_no_marks() {
    // Trap 21: marks after sort, clear and drain.
    let mut world = World::new();
    let all = world.spawn_batch((0..100).map(|at| (Health(99 - at), Armour(at))));
    let mut reader = world.changes::<Health>();
    world.get_mut::<Health>(all[3]).unwrap().0 += 100;
    world.pool_mut::<Health>().sort_by_key(|health| health.0).unwrap();
    world.pool_mut::<Health>().swap(all[3], all[4]).unwrap();
    let group = Group::owning::<(Health, Armour)>();
    world.declare_group(group).unwrap();
    world.group_mut(group).unwrap().sort_by_key(|(health, _)| health.0);
    assert_eq!(changed(&mut world, &mut reader), [all[3]]);
    world.view_mut::<(&mut Health, &Armour)>().for_each(|_| {});
    assert_eq!(changed(&mut world, &mut reader), all);
    world.get_mut::<Health>(all[3]).unwrap();
    assert_eq!(world.pool_mut::<Health>().drain().count(), 100);
    assert_eq!(changed(&mut world, &mut reader), []);
    assert_eq!(reader.removed().len(), 100);
}

#[test]
fn a_reader_of_another_world_begins_with_all_as_new() {
    let mut world = World::new();
    world.spawn(Health(1));
    let mut reader = world.changes::<Health>();
    world = World::new();
    let entity = world.spawn(Health(2)).id();
    let all = BTreeSet::from([entity]);
    assert_eq!(news(&mut world, &mut reader), (all.clone(), all));
    assert_eq!(changed(&mut world, &mut reader), []);
    world.get_mut::<Health>(entity).unwrap();
    assert_eq!(changed(&mut world, &mut reader), [entity]);
}

#[test]
fn dropped_readers_cost_no_memory() {
    let mut world = World::new();
    let reader = world.changes::<Seen>();
    let all = world.spawn_batch((0..100).map(|_| Seen));
    drop(reader);
    let before = world.memory_usage();
    for _ in 0..100 {
        world.remove_batch::<Seen>(&all);
        world.insert_batch(all.iter().map(|&entity| (entity, Seen))).unwrap();
    }
    let after = world.memory_usage();
    assert!(after.tables < before.tables + 2_000, "{before:?} {after:?}");
}

#[test]
fn components_without_readers_are_tracked_no_more() {
    let edits: [fn(&mut World, Entity); 9] = [
        |world, entity| world.insert(entity, Health(2)).unwrap(),
        |world, _| _ = world.spawn((Armour(1), Health(2))),
        |world, entity| _ = world.remove::<Health>(entity),
        |world, entity| world.despawn(entity).unwrap(),
        |world, entity| _ = world.remove_batch::<Health>(&[entity, entity]),
        |world, _| _ = world.spawn_batch((0..3).map(Health)),
        |world, _| world.view_mut::<(&mut Health, &Armour)>().for_each(|_| {}),
        |world, _| world.split_mut::<(&mut Health, &Armour)>().0.for_each(|_| {}),
        |world, _| {
            world.clear();
            world.spawn(Health(1));
        },
    ];
    for edit in edits {
        let mut world = World::new();
        let entities = world.spawn_batch((0..50_000).map(|at| (Health(at), Armour(at))));
        let before = world.memory_usage().tables;
        let (mut stays, ends) = (world.changes::<Seen>(), world.changes::<Health>());
        assert!(world.memory_usage().tables > before + 5_000);
        drop(ends);
        edit(&mut world, entities[7]);
        let after = world.memory_usage().tables;
        assert!(after < before + 2_000, "{before} {after}");
        world.insert(entities[8], Seen).ok();
        world.advance(&mut stays);
        assert!(stays.inserted().len() <= 1);
        let mut again = world.changes::<Health>();
        assert_eq!(changed(&mut world, &mut again), []);
        let entity = world.spawn(Health(3)).id();
        assert_eq!(changed(&mut world, &mut again), [entity]);
    }
}

#[test]
fn marks_are_made_on_several_threads() {
    // Trap 19: halves of a split write one component, each with its marks in the same words.
    let mut world = World::new();
    let all = world.spawn_batch((0..10_000).map(Health));
    for &entity in all.iter().step_by(2) {
        world.insert(entity, Armour(0)).unwrap();
    }
    let mut reader = world.changes::<Health>();
    for _ in 0..20 {
        let (one, other) =
            world.split_mut::<((&mut Health, With<Armour>), (&mut Health, Without<Armour>))>();
        std::thread::scope(|scope| {
            let one = scope.spawn(move || one.for_each(|(_, health)| health.0 += 1));
            let other = scope.spawn(move || other.for_each(|(_, health)| health.0 += 1));
            [one, other].into_iter().for_each(|thread| thread.join().unwrap());
        });
        assert_eq!(changed(&mut world, &mut reader), all);
    }
}

/// Calls both closures on two threads that start at the same time.
fn at_one_time(one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
    let ready = AtomicUsize::new(0);
    let wait = || {
        ready.fetch_add(1, Ordering::SeqCst);
        // Spins, so that both threads hold a processor when they start, unless there is only one.
        for spins in 0.. {
            match ready.load(Ordering::SeqCst) {
                2 => return,
                _ if spins < 20_000 => std::hint::spin_loop(),
                _ => std::thread::yield_now(),
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            wait();
            one();
        });
        wait();
        other();
    });
}

/// Both threads write marks to the same words.
#[test]
fn concurrent_marks_in_one_word_are_all_kept() {
    type Halves = ((Mut<'static, Health>, With<Armour>), (Mut<'static, Health>, Without<Armour>));
    type Loops = ((&'static mut Health, With<Armour>), (&'static mut Health, Without<Armour>));
    let rounds = std::env::var("ECS_MARK_ROUNDS").map_or(400, |text| text.parse().unwrap());
    let mut world = World::new();
    let all = world.spawn_batch((0..8_192).map(Health));
    for &entity in all.iter().step_by(2) {
        world.insert(entity, Armour(0)).unwrap();
    }
    let mut reader = world.changes::<Health>();
    for round in 0..rounds {
        match round % 4 {
            0 => {
                let (one, other) = world.split_mut::<Halves>();
                at_one_time(
                    || one.for_each(|(_, mut health)| health.0 += 1),
                    || other.for_each(|(_, mut health)| health.0 += 1),
                );
            }
            1 => {
                let (one, other) = world.split_mut::<Loops>();
                at_one_time(
                    || one.for_each(|(_, health)| health.0 += 1),
                    || other.for_each(|(_, health)| health.0 += 1),
                );
            }
            2 => {
                let (mut one, mut other) = world.split_mut::<Loops>();
                let all = &all;
                let add = |(_, health): (Entity, &mut Health)| health.0 += 1;
                at_one_time(
                    || all.iter().for_each(|it| one.get_mut(*it).into_iter().for_each(add)),
                    || all.iter().for_each(|it| other.get_mut(*it).into_iter().for_each(add)),
                );
            }
            _ => {
                let (mut one, mut other) = world.split_mut::<Halves>();
                let all = &all;
                let add = |(_, mut health): (Entity, Mut<Health>)| health.0 += 1;
                at_one_time(
                    || all.iter().for_each(|it| one.get_mut(*it).into_iter().for_each(add)),
                    || other.for_each_many(all, add),
                );
            }
        }
        world.advance(&mut reader);
        assert_eq!(reader.changed().len(), all.len(), "round {round}");
    }
    let mut healths = world.view::<&Health>().into_iter();
    assert!(healths.all(|(entity, health)| health.0 == entity.index() + rounds));
}

/// The state of a naive reader.
#[derive(Default)]
struct Belief {
    changed: BTreeSet<Entity>,
    inserted: BTreeSet<Entity>,
    removed: Vec<Entity>,
}

/// The components of an entity in the model.
#[derive(Clone, Copy, Default)]
struct Row {
    health: bool,
    near: bool,
    armour: bool,
}

struct Trial {
    world: World,
    rows: BTreeMap<Entity, Row>,
    readers: Vec<(Changes<Health>, Belief)>,
    columns: Vec<(Changes<Near>, Belief)>,
    random: Random,
}

impl Trial {
    fn entity(&mut self) -> Option<Entity> {
        let at = self.random.below(self.rows.len().max(1));
        self.rows.keys().nth(at).copied()
    }

    fn some(&mut self) -> Vec<Entity> {
        let count = self.random.below(6);
        (0..count).filter_map(|_| self.entity()).collect()
    }

    fn matching(&self, is_it: impl Fn(Row) -> bool) -> Vec<Entity> {
        self.rows.iter().filter(|(_, row)| is_it(**row)).map(|(entity, _)| *entity).collect()
    }

    fn healths_changed(&mut self, entities: &[Entity]) {
        self.readers.iter_mut().for_each(|(_, belief)| belief.changed.extend(entities));
    }

    fn columns_changed(&mut self, entities: &[Entity]) {
        self.columns.iter_mut().for_each(|(_, belief)| belief.changed.extend(entities));
    }

    fn give_health(&mut self, entity: Entity) {
        let is_new = !std::mem::replace(&mut self.rows.get_mut(&entity).unwrap().health, true);
        for (_, belief) in &mut self.readers {
            belief.changed.insert(entity);
            if is_new {
                belief.inserted.insert(entity);
            }
        }
    }

    fn give_near(&mut self, entity: Entity) {
        let is_new = !std::mem::replace(&mut self.rows.get_mut(&entity).unwrap().near, true);
        for (_, belief) in &mut self.columns {
            belief.changed.insert(entity);
            if is_new {
                belief.inserted.insert(entity);
            }
        }
    }

    fn take_health(&mut self, entity: Entity) {
        let had = self.rows.get_mut(&entity).is_some_and(|row| std::mem::take(&mut row.health));
        for (_, belief) in self.readers.iter_mut().filter(|_| had) {
            belief.removed.push(entity);
        }
    }

    fn take_near(&mut self, entity: Entity) {
        let had = self.rows.get_mut(&entity).is_some_and(|row| std::mem::take(&mut row.near));
        for (_, belief) in self.columns.iter_mut().filter(|_| had) {
            belief.removed.push(entity);
        }
    }

    fn end(&mut self, entity: Entity) {
        self.take_health(entity);
        self.take_near(entity);
        self.rows.remove(&entity);
    }

    fn edit(&mut self) {
        match self.random.below(14) {
            0 | 1 => {
                let entity = self.world.spawn((Health(1), near(1.0))).id();
                self.rows.insert(entity, Row::default());
                self.give_health(entity);
                self.give_near(entity);
            }
            2 => {
                let entities = self.world.spawn_batch((0..20).map(Health));
                for entity in entities {
                    self.rows.insert(entity, Row::default());
                    self.give_health(entity);
                }
            }
            3 | 4 => {
                let Some(entity) = self.entity() else { return };
                self.world.insert(entity, (Health(2), Armour(1))).unwrap();
                self.rows.get_mut(&entity).unwrap().armour = true;
                self.give_health(entity);
            }
            5 => {
                let some = self.some();
                let all = some.iter().map(|&entity| (entity, (near(2.0), Health(0))));
                self.world.insert_batch(all).unwrap();
                for entity in some {
                    self.give_near(entity);
                    self.give_health(entity);
                }
            }
            6 => {
                let Some(entity) = self.entity() else { return };
                self.world.remove::<Health>(entity);
                self.take_health(entity);
            }
            7 => {
                let some = self.some();
                self.world.remove_batch::<Near>(&some);
                some.into_iter().for_each(|entity| self.take_near(entity));
            }
            8 => {
                let some = self.some();
                self.world.despawn_batch(&some);
                some.into_iter().for_each(|entity| self.end(entity));
            }
            9 => {
                let Some(entity) = self.entity() else { return };
                self.world.despawn(entity).unwrap();
                self.end(entity);
            }
            10 => {
                let Some(entity) = self.entity() else { return };
                self.world.remove_except::<Health>(entity).unwrap();
                self.take_near(entity);
                self.rows.get_mut(&entity).unwrap().armour = false;
            }
            11 => {
                let Some(entity) = self.entity() else { return };
                if self.world.take::<(Health, Near)>(entity).is_some() {
                    self.take_health(entity);
                    self.take_near(entity);
                }
            }
            12 if self.random.below(20) == 0 => {
                self.world.clear();
                let all: Vec<Entity> = self.rows.keys().copied().collect();
                all.into_iter().for_each(|entity| self.end(entity));
            }
            _ => match self.random.below(3) {
                0 => _ = self.world.declare_group(Group::owning::<(Health, Armour)>()),
                1 => {
                    let group = Group::observing::<(Near, Armour)>();
                    if self.world.declare_group(group).is_ok() {
                        self.world.drop_group(group).unwrap();
                    }
                }
                _ => _ = self.world.pool_mut::<Near>().sort_by_entity(),
            },
        }
    }

    fn write(&mut self) {
        match self.random.below(12) {
            0 => {
                self.world.view_mut::<&mut Health>().for_each(|_| {});
                let all = self.matching(|row| row.health);
                self.healths_changed(&all);
            }
            1 => {
                for _ in self.world.view_mut::<(&mut Health, &Armour)>() {}
                let all = self.matching(|row| row.health && row.armour);
                self.healths_changed(&all);
            }
            2 => {
                self.world
                    .view_mut::<(&mut Health, &mut Near)>()
                    .without::<Armour>()
                    .for_each(|_| {});
                let all = self.matching(|row| row.health && row.near && !row.armour);
                self.healths_changed(&all);
                self.columns_changed(&all);
            }
            3 => {
                self.world
                    .view_mut::<(Option<&mut Health>, Option<(&mut Near, &Armour)>)>()
                    .for_each(|_| {});
                let healths = self.matching(|row| row.health);
                let nears = self.matching(|row| row.near && row.armour);
                self.healths_changed(&healths);
                self.columns_changed(&nears);
            }
            4 => {
                self.world.view_mut::<(&mut near::angle, &Health)>().for_each_chunk(|_| {});
                let all = self.matching(|row| row.near && row.health);
                self.columns_changed(&all);
            }
            5 => {
                let mut written = Vec::new();
                for (entity, mut health, _) in self.world.view_mut::<(Mut<Health>, Has<Near>)>() {
                    if self.random.below(2) == 0 {
                        health.0 += 1;
                        written.push(entity);
                    }
                }
                self.healths_changed(&written);
            }
            6 => {
                let Some(entity) = self.entity() else { return };
                if self.world.get_mut::<Health>(entity).is_some() {
                    self.healths_changed(&[entity]);
                }
            }
            7 => {
                let some = self.some();
                let mut view = self.world.view_mut::<(&mut Near, With<Armour>)>();
                view.for_each_many(&some, |_| {});
                let rows = &self.rows;
                let is_it =
                    |entity: &Entity| rows.get(entity).is_some_and(|it| it.near && it.armour);
                let found: Vec<Entity> = some.into_iter().filter(is_it).collect();
                self.columns_changed(&found);
            }
            8 => {
                let _ = self.world.pool_mut::<Near>().as_mut_slice();
                let all = self.matching(|row| row.near);
                self.columns_changed(&all);
            }
            9 => {
                // Among the changes of one reader: changed again.
                let at = self.random.below(self.readers.len());
                let (reader, _) = &self.readers[at];
                let view = self.world.view_mut::<(&mut Near, Option<&mut Health>)>();
                let mut found = Vec::new();
                for (entity, _, _) in view.among(reader.changed()).with::<Armour>() {
                    found.push(entity);
                }
                let healths: Vec<Entity> =
                    found.iter().copied().filter(|entity| self.rows[entity].health).collect();
                self.columns_changed(&found);
                self.healths_changed(&healths);
            }
            10 => {
                let Some(entity) = self.entity() else { return };
                if self.world.patch::<Health>(entity, |_| {}) {
                    self.healths_changed(&[entity]);
                }
            }
            _ => {
                let (mut one, mut other) =
                    self.world.split_mut::<(&mut near::angle, &mut near::distance)>();
                one.iter_mut().for_each(drop);
                other.iter_mut().for_each(drop);
                let all = self.matching(|row| row.near);
                self.columns_changed(&all);
            }
        }
    }

    fn read(&mut self) {
        let at = self.random.below(self.readers.len());
        let (reader, belief) = &mut self.readers[at];
        check(&mut self.world, reader, belief, |entity| {
            self.rows.get(&entity).is_some_and(|row| row.health)
        });
        let at = self.random.below(self.columns.len());
        let (reader, belief) = &mut self.columns[at];
        check(&mut self.world, reader, belief, |entity| {
            self.rows.get(&entity).is_some_and(|row| row.near)
        });
        if self.random.below(20) == 0 {
            let at = self.random.below(self.readers.len());
            self.readers.remove(at);
            self.readers.push((self.world.changes(), Belief::default()));
        }
    }
}

fn check<T: Tracked>(
    world: &mut World,
    reader: &mut Changes<T>,
    belief: &mut Belief,
    has: impl Fn(Entity) -> bool,
) {
    let Belief { changed, inserted, mut removed } = std::mem::take(belief);
    let members = |all: BTreeSet<Entity>| all.into_iter().filter(|&it| has(it)).collect();
    let expected: (BTreeSet<Entity>, BTreeSet<Entity>) = (members(changed), members(inserted));
    assert_eq!(news(world, reader), expected);
    let mut found = reader.removed().to_vec();
    found.sort_unstable(); // batches may take them in another order
    removed.sort_unstable();
    assert_eq!(found, removed);
}

#[test]
fn random_histories_equal_a_naive_model() {
    for seed in 0..40 {
        let mut world = World::new();
        let readers = (0..3).map(|_| (world.changes(), Belief::default())).collect();
        let columns = (0..2).map(|_| (world.changes(), Belief::default())).collect();
        let random = Random(seed);
        let mut trial = Trial { world, rows: BTreeMap::new(), readers, columns, random };
        for _ in 0..400 {
            match trial.random.below(4) {
                0 | 1 => trial.edit(),
                2 => trial.write(),
                _ => trial.read(),
            }
        }
    }
}
