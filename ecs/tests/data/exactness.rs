//! Mistakes of other libraries in saving worlds, each with a test: here the ones that no other file
//! has.
//!
//! Trusted counts and sizes, duplicates, nesting, empty lists: `hostile`. Forgotten handles, dead entities,
//! unknown names, versions: `saves`, `kept`. Components without copies, prefabs, early notifications: `copies`.
//! Worlds with other components: `changes`.

use crate::counting::most_bytes;
use crate::saves::{bytes_of, load};
use crate::worlds::{Friends, Number, Tag, Text, assert_alike};
use ecs::save::{Delta, Limits};
use ecs::{ChildOf, Component, Entity, Group, Name, PlanKind, World};
use serde::{Deserialize, Serialize};

/// Returns copies of a world, by each of the ways to make one.
fn all_ways(world: &World) -> [World; 3] {
    let empty = || {
        let mut empty = World::new();
        empty.register::<(Number, Text, Tag, Friends, Name, ChildOf)>();
        empty
    };
    let (mut loaded, mut patched) = (empty(), empty());
    load(&mut loaded, &bytes_of(world)).unwrap();
    let delta = Delta::between(&patched, world).unwrap();
    patched.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
    [loaded, patched, world.try_clone().unwrap()]
}

/// The sum of numbers that round, in the order of the walk.
fn sum(world: &World, plan: Option<PlanKind>) -> f64 {
    let (mut sum, view) = (0.0, world.view::<(&Number, &Text)>());
    let view = match plan {
        Some(plan) => view.with_plan(plan),
        None => view,
    };
    view.for_each(|(_, number, _)| {
        sum += 1.0 / (f64::from(u32::try_from(number.0).unwrap()) + 0.1);
    });
    sum
}

/// The list of a group was not saved if no entity had a component that the group excludes.
#[test]
fn a_list_keeps_its_order_where_nothing_is_excluded() {
    let group = || Group::observing::<(Number, Tag)>().without::<Text>();
    let mut world = World::new();
    world.declare_group(group()).unwrap();
    let [first, last] = [(); 2].map(|()| world.spawn(Tag).id());
    for entity in [last, first] {
        world.insert(entity, Number(entity.index().into())).unwrap();
    }
    world.pool_mut::<Number>().sort_by_key(|number| number.0).unwrap();
    let mut loaded = World::new();
    loaded.register::<(Number, Tag, Text)>();
    loaded.declare_group(group()).unwrap();
    load(&mut loaded, &bytes_of(&world)).unwrap();
    assert_eq!(loaded.group(group()).unwrap().members(), [last, first]);
}

/// After pages had been freed, a world was walked by its members before it was loaded and by its
/// pages after: equal members, and another sum.
#[test]
fn pages_that_were_freed_change_no_sum() {
    for kept in [1, 90, 1_500, 5_000] {
        let mut world = World::new();
        let all: Vec<Entity> = (0..9_000).map(|_| world.spawn_empty().id()).collect();
        let values = all.iter().rev().zip(0_u64..).map(|(it, number)| (*it, Number(number)));
        world.insert_batch(values.collect::<Vec<_>>()).unwrap();
        let texts = all.iter().step_by(2).map(|it| (*it, Text::default()));
        world.insert_batch(texts.collect::<Vec<_>>()).unwrap();
        world.remove_batch::<Number>(&all[kept..]);
        for other in all_ways(&world) {
            assert_alike(&world, &other);
            for plan in [None, Some(PlanKind::Words), Some(PlanKind::Dense)] {
                assert!(
                    sum(&world, plan).to_bits() == sum(&other, plan).to_bits(),
                    "{kept} {plan:?}"
                );
            }
        }
    }
}

/// The form of a page depends on its past members; so does the plan of a walk.
#[test]
fn pages_lead_to_their_members_as_they_did() {
    for (step, gone) in [(1, 0), (1, 300), (3, 7), (7, 20), (31, 2), (511, 1)] {
        let mut world = World::new();
        let all =
            world.spawn_batch((0..4_000).map(|it| (Text::default(), Name::new(it.to_string()))));
        for at in 0..all.len() {
            world.insert(all[at * step % all.len()], Number(at as u64)).unwrap();
        }
        for entity in all.iter().step_by(5).take(gone) {
            world.remove::<Number>(*entity);
        }
        for other in all_ways(&world) {
            assert_alike(&world, &other);
            assert!(sum(&world, None).to_bits() == sum(&other, None).to_bits(), "{step} {gone}");
        }
    }
}

#[test]
fn free_handles_come_in_the_order_in_which_they_would_have() {
    let mut world = World::new();
    let all: Vec<Entity> = (0..10).map(|_| world.spawn_empty().id()).collect();
    for at in [7, 2, 5, 0, 9] {
        world.despawn(all[at]).unwrap();
    }
    let copies = all_ways(&world);
    let spawned =
        |mut world: World| -> Vec<Entity> { (0..7).map(|_| world.spawn_empty().id()).collect() };
    let others = copies.map(spawned);
    let expected = spawned(world);
    assert!(others.iter().all(|other| *other == expected), "{others:?}");
    let indices: Vec<u32> = expected.iter().map(|entity| entity.index()).collect();
    assert_eq!(indices, [9, 0, 5, 2, 7, 10, 11]);
}

#[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
#[component(save = "armour")]
struct Armour(u8);

/// A program with more components reads files of one with fewer, and writes files that leave these out.
#[test]
fn a_new_component_breaks_no_file() {
    let mut world = World::new();
    let old = world.spawn((Number(3), Name::new("old"))).id();
    let mut newer = World::new();
    newer.register::<(Armour, Name, Number)>();
    let new = newer.spawn(Armour(9)).id(); // goes: the world becomes the file's
    load(&mut newer, &bytes_of(&world)).unwrap();
    assert_eq!((newer.get::<Number>(old), newer.has::<Armour>(new)), (Some(&Number(3)), false));
    assert_eq!(bytes_of(&newer), bytes_of(&world));
    newer.insert(old, Armour(1)).unwrap();
    let told = world.load(&bytes_of(&newer), &Limits::default().skip_unknown()).unwrap();
    assert_eq!((told.unknown()[0].name(), world.name(old)), ("armour", Some("old")));
}

/// Handles of entities that occur later in the file, and of entities in no file.
#[test]
fn handles_keep_their_entities_wherever_these_are_stored() {
    let mut world = World::new();
    let [a, b, c, dead] = [(); 4].map(|()| world.spawn_empty().id());
    world.insert(a, (Friends(vec![c, dead, b, a]), ChildOf(c))).unwrap();
    world.insert(b, ChildOf(a)).unwrap();
    world.despawn(dead).unwrap();
    let newest = world.spawn(Tag).id(); // under the index of the dead one
    assert_eq!(newest.index(), dead.index());
    for mut level in all_ways(&world) {
        assert_eq!(level.get::<Friends>(a), world.get::<Friends>(a));
        assert!(level.children(c).eq([a]) && level.parent(b) == Some(a));
        let mut other = World::new();
        other.spawn_batch((0..3).map(Number));
        let new = other.merge(&mut level).unwrap();
        let [a, b, c, newest] = [a, b, c, newest].map(|it| *new.get(it).unwrap());
        assert_eq!(other.get::<Friends>(a).unwrap().0, [c, Entity::PLACEHOLDER, b, a]);
        assert!(
            other.children(c).eq([a]) && other.parent(b) == Some(a) && other.has::<Tag>(newest)
        );
    }
}

/// A file names pages before it names members: it may not make many of them by a few bytes.
#[test]
fn pages_take_no_more_than_their_members_allow() {
    let mut world = World::new();
    let all: Vec<Entity> = (0..200_000).map(|_| world.spawn_empty().id()).collect();
    // A member a page, which is the most that one can take.
    let values = all.iter().step_by(1_024).map(|it| (*it, Number(7)));
    world.insert_batch(values.collect::<Vec<_>>()).unwrap();
    let bytes = bytes_of(&world);
    let mut known = World::new();
    known.register::<Number>();
    let most = most_bytes(|| drop(known.read(&bytes, &Limits::default()).unwrap()));
    assert!(most <= 32 * bytes.len() + 8_192, "{most} bytes of {}", bytes.len());
}
