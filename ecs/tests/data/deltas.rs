//! Computing and applying deltas, and hostile bytes of deltas.

use crate::hostile::{SLACK, knowing, mutate, outcome, small};
use crate::saves::bytes_of;
use crate::worlds::{
    Friends, Generic, Number, Place, Random, Tag, Text, asked, assert_alike, edit,
};
use ecs::save::{Delta, Limits, LoadError};
use ecs::{ChildOf, Component, Entity, Group, Name, World};
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub fn between(old: &World, new: &World) -> Vec<u8> {
    Delta::between(old, new).unwrap().into_bytes()
}

fn apply(world: &mut World, delta: &[u8]) -> Result<(), LoadError> {
    world.apply_delta(delta, &Limits::default())
}

/// All components that random worlds have, so that a delta finds their pools.
pub fn know(world: &mut World) {
    world
        .register::<(Number, Text, Tag, Place, Friends, Generic<u8>, Generic<u64>, ChildOf, Name)>(
        );
}

#[track_caller]
fn assert_equal(a: &World, b: &World) {
    assert!(bytes_of(a) == bytes_of(b), "other bytes");
    assert_alike(a, b);
    assert!(Delta::between(a, b).unwrap().is_empty());
}

/// Its name sorts before the names of the instances of `generic`, `generic<u8>` and `generic<u64>`.
#[derive(Component, Clone, serde::Serialize, serde::Deserialize, Debug, PartialEq)]
#[component(save = "generic2", clone)]
struct Generic2(u8);

#[test]
fn parts_are_in_the_order_of_whole_names() {
    let old = World::new();
    let mut new = World::new();
    let entity = new.spawn((Generic(1_u8), Generic(2_u64), Generic2(3))).id();
    let mut world = World::new();
    world.register::<(Generic<u8>, Generic<u64>, Generic2)>();
    apply(&mut world, &between(&old, &new)).unwrap();
    assert_eq!(world.get::<Generic2>(entity), Some(&Generic2(3)));
    assert_equal(&world, &new);
}

#[test]
fn unchanged_values_take_no_bytes() {
    let mut world = World::new();
    let all = world.spawn_batch((0..10_000).map(|it| (Number(it), Text(it.to_string()))));
    let old = world.try_clone().unwrap();
    assert_eq!(between(&old, &world).len(), 16);
    world.get_mut::<Number>(all[5_000]).unwrap().0 = 1 << 50;
    assert!(between(&old, &world).len() < 60);
    world.despawn(all[77]).unwrap();
    world.spawn((Number(1), Tag));
    assert!(between(&old, &world).len() < 200, "{}", between(&old, &world).len());
}

#[test]
fn values_are_compared_by_their_bits() {
    let mut world = World::new();
    let entity = world.spawn(Place { x: f32::NAN, label: None, y: 0 }).id();
    let old = world.try_clone().unwrap();
    assert!(Delta::between(&old, &world).unwrap().is_empty());
    *world.get_mut::<Place>(entity).unwrap().x = -0.0;
    let mut other = world.try_clone().unwrap();
    *other.get_mut::<Place>(entity).unwrap().x = 0.0;
    assert!(!Delta::between(&other, &world).unwrap().is_empty());
    let delta = between(&other, &world);
    apply(&mut other, &delta).unwrap();
    assert!(other.get::<Place>(entity).unwrap().x.is_sign_negative());
}

#[derive(Component)]
struct Socket;
#[derive(Component)]
#[component(relation)]
struct Watches(Entity);

#[test]
fn unsaved_components_stay_with_surviving_entities() {
    let mut world = World::new();
    know(&mut world);
    world.declare_group(Group::owning::<(Number, Socket)>()).unwrap();
    let all = world.spawn_batch((0..6).map(|it| (Number(it), Socket)));
    world.insert(all[0], Watches(all[3])).unwrap();
    world.insert(all[3], Watches(all[1])).unwrap();
    world.insert(all[2], Watches(all[1])).unwrap();
    let copy = || {
        let mut bytes = Vec::new();
        world.save().leave_out_rest().to_bytes(&mut bytes).unwrap();
        world.read(&bytes, &Limits::default()).unwrap().0
    };
    let (old, mut new) = (copy(), copy());
    new.despawn(all[3]).unwrap();
    let delta = between(&old, &new);
    apply(&mut world, &delta).unwrap();
    world.check_invariants();
    assert_eq!(world.pool::<Socket>().len(), 5);
    assert!(world.has::<Socket>(all[2]) && !world.is_alive(all[3]));
    assert!(world.related::<Watches>(all[1]).eq([all[2]]) && !world.has::<Watches>(all[0]));
}

#[test]
fn groups_of_unsaved_components_lose_the_entities_that_a_delta_ends() {
    let mut world = World::new();
    let all = world.spawn_batch([Socket, Socket, Socket]);
    let group = Group::observing::<Socket>();
    world.declare_group(group).unwrap();
    let bytes = {
        let mut bytes = Vec::new();
        world.save().leave_out_rest().to_bytes(&mut bytes).unwrap();
        bytes
    };
    let [old, mut new] = [(); 2].map(|()| world.read(&bytes, &Limits::default()).unwrap().0);
    new.despawn(all[0]).unwrap();
    apply(&mut world, &between(&old, &new)).unwrap();
    world.check_invariants();
    assert_eq!(world.group(group).unwrap().members().len(), 2);
}

#[test]
fn an_order_of_sources_alone_is_a_difference() {
    let mut old = World::new();
    let parent = old.spawn_empty().id();
    let children = old.spawn_batch((0..3).map(|_| ChildOf(parent)));
    let mut new = World::new();
    know(&mut new);
    let delta = between(&new, &old);
    apply(&mut new, &delta).unwrap();
    assert!(new.move_related::<ChildOf>(children[2], 0));
    let delta = between(&old, &new);
    apply(&mut old, &delta).unwrap();
    assert!(old.children(parent).eq([children[2], children[0], children[1]]));
}

/// So no program that loads the file loses the index.
#[test]
fn an_index_that_waits_for_an_undo_is_free_in_deltas_and_files_and_copies() {
    let [mut old, mut new] = [(); 2].map(|()| World::new());
    let [a, b, c] = [(); 3].map(|()| {
        new.spawn_empty();
        old.spawn_empty().id()
    });
    let before = new.try_clone().unwrap();
    old.despawn(b).unwrap();
    let held = new.take_entity(b).unwrap();
    assert!(Delta::between(&old, &new).unwrap().is_empty() && bytes_of(&old) == bytes_of(&new));
    let mut copy = new.try_clone().unwrap();
    assert!(bytes_of(&copy) == bytes_of(&new));
    assert_eq!(copy.spawn_empty().id().to_string(), "1v2");
    assert_eq!(new.spawn_empty().id().to_string(), "3v1", "here it is not used");
    // Free indices are used before waiting ones.
    new.despawn(a).unwrap();
    let mut copy = World::new();
    copy.copy_from(&new).unwrap();
    let more = [(); 3].map(|()| copy.spawn_empty().id().to_string());
    assert_eq!(more, ["0v2", "1v2", "4v1"]);
    let mut applied = before.try_clone().unwrap();
    apply(&mut applied, &between(&before, &new)).unwrap();
    assert_eq!(applied.spawn_empty().id(), new.spawn_empty().id());
    assert!(applied.restore(held).is_err());
    _ = c;
}

#[test]
fn an_index_without_further_generations_is_a_difference() {
    let mut old = World::new();
    let last = Entity::from_bits(u64::from(u32::MAX >> 1) << 32).unwrap();
    old.spawn_at(Entity::from_bits(last.to_bits() - (1 << 32)).unwrap())
        .unwrap()
        .despawn()
        .unwrap();
    let mut new = old.try_clone().unwrap();
    assert!(new.spawn_empty().id() == last && new.despawn(last).is_ok());
    assert!(!Delta::between(&old, &new).unwrap().is_empty());
    let delta = between(&old, &new);
    apply(&mut old, &delta).unwrap();
    assert!(bytes_of(&old) == bytes_of(&new));
}

#[test]
fn readers_of_changes_find_the_entities_of_a_delta() {
    let mut world = World::new();
    let all: Vec<Entity> = (0..5).map(|_| world.spawn(Friends::default()).id()).collect();
    let old = world.try_clone().unwrap();
    let mut seen = world.changes::<Friends>();
    let mut new = old.try_clone().unwrap();
    new.get_mut::<Friends>(all[1]).unwrap().0.push(all[0]);
    new.remove::<Friends>(all[4]).unwrap();
    let born = new.spawn(Friends(vec![all[0]])).id();
    apply(&mut world, &between(&old, &new)).unwrap();
    world.advance(&mut seen);
    assert_eq!(seen.removed(), [all[4]]);
    let inserted = world.view::<&Friends>().among(seen.inserted());
    assert_eq!(inserted.single().unwrap().0, born);
    let changed = world.view::<&Friends>().among(seen.changed());
    assert_eq!(changed.iter().map(|(entity, _)| entity).collect::<Vec<_>>(), [all[1], born]);
}

#[test]
fn a_value_that_panics_when_it_is_dropped_leaves_the_new_world() {
    #[derive(Component, Clone, serde::Serialize, serde::Deserialize)]
    #[component(clone, save = "bomb")]
    struct Bomb(bool);
    impl Drop for Bomb {
        fn drop(&mut self) {
            assert!(!self.0 || std::thread::panicking(), "boom");
        }
    }
    let mut world = World::new();
    let entity = world.spawn((Bomb(true), Number(1))).id();
    let old = ManuallyDrop::new(world.try_clone().unwrap());
    let mut new = world.try_clone().unwrap();
    let _kept = ManuallyDrop::new(new.remove::<Bomb>(entity));
    new.get_mut::<Number>(entity).unwrap().0 = 2;
    let delta = between(&old, &new);
    assert!(catch_unwind(AssertUnwindSafe(|| apply(&mut world, &delta))).is_err());
    assert_equal(&world, &new);
}

/// Checks that a world refuses this delta with these words, and is as it was.
#[track_caller]
fn refused(world: &mut World, delta: &[u8], words: &str) {
    let before = bytes_of(world);
    let error = apply(world, delta).unwrap_err().to_string();
    assert!(error.ends_with(words), "{error}");
    world.check_invariants();
    assert!(bytes_of(world) == before, "it changed");
}

/// A delta with these parts: entities, and components, each with its name and its description.
fn crafted(entities: &[u8], parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = [&b"ecs\x04d"[..], entities].concat();
    bytes.push(parts.len().try_into().unwrap());
    for (name, part) in parts {
        bytes.push(name.len().try_into().unwrap());
        bytes.extend(name.as_bytes());
        bytes.extend([1, 0, 0, 0, 0]); // version, fingerprint
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend(*part);
    }
    bytes.extend([0, 0]); // groups, resources
    bytes
}

/// The bytes of two living entities.
const BOTH: &[u8] = &[2, 2, 0, 0, 0, 0];
/// The bytes of one living entity, and a free handle of the second.
const ONE: &[u8] = &[2, 2, 0, 1, 1, 0, 0, 1, 1, 2];

fn two() -> World {
    let mut world = knowing();
    world.spawn_batch([Number(5), Number(6)]);
    world
}

#[test]
fn a_delta_made_by_hand_is_applied() {
    let mut world = two();
    let [a, b] = world.entities().collect::<Vec<_>>()[..] else { unreachable!() };
    // Two members, no other keys: the value at position 1 is 9.
    apply(&mut world, &crafted(BOTH, &[("number", &[2, 32, 2, 0, 1, 1, 9])])).unwrap();
    assert_eq!(world.pool::<Number>().as_slice(), [Number(5), Number(9)]);
    // One member is left, with its page in order, and no other value.
    apply(&mut world, &crafted(ONE, &[("number", &[1, 33, 2, 0, 1, 12, 0, 0])])).unwrap();
    assert!(world.is_alive(a) && !world.is_alive(b) && world.pool::<Number>().len() == 1);
    world.check_invariants();
}

#[test]
fn impossible_deltas_are_refused() {
    let number = |part: &[u8]| crafted(BOTH, &[("number", part)]);
    let another = "the delta was made for another world";
    refused(&mut two(), b"", "these are not the bytes of a delta");
    refused(&mut two(), &bytes_of(&two()), "these are not the bytes of a delta");
    refused(&mut two(), b"ecs\x05", "it was made by a later version of the library");
    refused(&mut World::new(), &crafted(BOTH, &[]), another);
    refused(&mut two(), &crafted(&[2, 2, 1, 0, 0, 0], &[]), another);
    refused(&mut two(), &crafted(&[2, 2, 0, 0, 1, 0], &[]), another);
    refused(&mut two(), &number(&[3, 32, 3, 0, 0]), another);
    refused(
        &mut two(),
        &crafted(BOTH, &[("nothing", &[0, 0, 0])]),
        "register it by `World::register`",
    );
    refused(&mut two(), &number(&[2, 0, 2, 0, 0]), another);
    refused(&mut two(), &number(&[1, 32, 2, 0, 0]), "its pages are missing");
    refused(&mut two(), &number(&[2, 32, 2, 1, 0, 2, 0]), "its pages are missing");
    for early in [&b"ecd\x01"[..], b"ecs\x02d"] {
        refused(
            &mut two(),
            early,
            "it was made by an earlier version of the library: make it again",
        );
    }
    let twice: &[(&str, &[u8])] = &[("number", &[2, 32, 2, 0, 0]), ("number", &[2, 32, 2, 0, 0])];
    refused(&mut two(), &crafted(BOTH, twice), "it is there twice");
    for of_another_kind in [4, 8, 16, 64, 128] {
        let part = number(&[2, 32 | of_another_kind, 2, 0, 0]);
        refused(&mut two(), &part, "its encoding is unknown");
    }
    refused(&mut two(), &number(&[2, 32, 2, 0, 1, 2, 9]), "a position is behind the last");
    refused(&mut two(), &number(&[2, 32, 2, 0, 2, 1, 0, 9, 9]), "a position is behind the last");
    refused(
        &mut two(),
        &number(&[2, 32, 2, 0, 0, 7]),
        "it is shorter or longer than its stated length",
    );
    refused(&mut two(), &number(&[3, 33, 2, 0]), "more have it than there are entities");
    refused(&mut two(), &number(&[2, 33, 2, 1, 0, 2, 1, 12, 0, 0]), "an entity is there twice");
    refused(
        &mut two(),
        &number(&[2, 33, 2, 1, 0, 6, 1, 12, 0, 0]),
        "an index has no living entity",
    );
    refused(
        &mut two(),
        &[&crafted(BOTH, &[])[..], &[0]].concat(),
        "there are bytes behind the end",
    );
    let ended = "the entity was despawned, and still has the component or sources by it";
    refused(&mut two(), &crafted(ONE, &[]), ended);
    let still: &[(&str, &[u8])] = &[("number", &[2, 33, 2, 0, 1, 12, 0, 0])];
    refused(
        &mut two(),
        &crafted(ONE, still),
        "the entity was despawned, and still has the component",
    );
    let kept: &[(&str, &[u8])] = &[("number", &[1, 33, 2, 1, 0, 2, 1, 12, 0, 0])];
    refused(&mut two(), &crafted(ONE, kept), "an index has no living entity");
    let stays: &[(&str, &[u8])] = &[("tag", &[1, 33, 0, 0, 1, 12, 0, 0])];
    refused(&mut two(), &crafted(BOTH, stays), "a position has no member");
    let no_value: &[(&str, &[u8])] = &[("tag", &[1, 33, 0, 1, 0, 0, 1, 12, 0, 0])];
    refused(&mut two(), &crafted(BOTH, no_value), "a member has no value");
    let alive_and_free = &[2, 2, 0, 0, 0, 1, 1, 2];
    refused(
        &mut two(),
        &crafted(alive_and_free, &[]),
        "a free handle is alive, or is listed twice",
    );
    let unsaid = &[2, 3, 0, 1, 0, 1, 0, 0];
    refused(&mut two(), &crafted(unsaid, &[]), "an index is neither alive nor free nor retired");
    let huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
    let many = [&[2][..], &huge, &[0, 0, 0, 0]].concat();
    refused(&mut two(), &crafted(&many, &[]), "the bytes are too few for the number of indices");
    let other = "an index or a generation is too large";
    refused(&mut two(), &crafted(&[2, 2, 0, 1, 2, 1, 0, 0], &[]), other);
    refused(&mut two(), &number(&[2, 34, 2, 0, 0, 0]), "it is no relation");
}

#[test]
fn relations_point_to_the_living_and_form_no_circle() {
    let family = || {
        let mut world = knowing();
        let [a, b, c] = [(); 3].map(|()| world.spawn_empty().id());
        world.attach(b, a).unwrap();
        world.attach(c, a).unwrap();
        world
    };
    let of = |part: &[u8]| crafted(&[3, 3, 0, 0, 0, 0], &[("ecs::ChildOf", part)]);
    // Only the order of the two differs.
    let mut world = family();
    apply(&mut world, &of(&[2, 34, 2, 0, 1, 2, 1, 0, 0])).unwrap();
    let [a, b, c] = world.entities().collect::<Vec<_>>()[..] else { unreachable!() };
    assert!(world.children(a).eq([c, b]));
    refused(
        &mut family(),
        &of(&[2, 34, 2, 0, 1, 1, 0, 0]),
        "not all entities with the relation are listed",
    );
    refused(&mut family(), &of(&[2, 34, 2, 0, 1, 2, 0, 0, 0]), "an entity is listed twice");
    let listed = "an entity is listed that has no such relation";
    refused(&mut family(), &of(&[2, 34, 2, 0, 1, 2, 0, 5, 0]), listed);
    refused(
        &mut family(),
        &of(&[2, 34, 2, 0, 1, 3, 0, 1, 0, 0]),
        "not all entities with the relation are listed",
    );
    let bits = |index: u8| [index | 0x80, 0x80, 0x80, 0x80, 0x10]; // generation 1
    let value =
        |index: u8, lists: &[u8]| of(&[&[2, 34, 2, 0], lists, &[1, 1], &bits(index)[..]].concat());
    refused(&mut family(), &value(7, &[2, 1, 0, 1, 1]), "it points to an entity that is dead");
    let other = "it is listed with sources that point to another entity";
    refused(&mut family(), &value(1, &[1, 2, 0, 1]), other);
    refused(&mut family(), &value(2, &[2, 1, 0, 1, 1]), "entities point to each other in a circle");
    let no_lists = of(&[&[2, 32, 2, 0, 1, 1], &bits(0)[..]].concat());
    refused(&mut family(), &no_lists, "not all entities with the relation are listed");
    let mut world = family();
    let parent_ended = crafted(&[3, 3, 0, 1, 0, 0, 0, 1, 0, 2], &[]);
    refused(
        &mut world,
        &parent_ended,
        "the entity was despawned, and still has the component or sources by it",
    );
}

/// Mutates deltas: `ECS_MUTATIONS` says how many times.
#[test]
fn mutated_deltas_do_no_harm() {
    let mut cases = Vec::new();
    for seed in 0..12 {
        let mut old = small(seed);
        know(&mut old);
        let mut new = old.try_clone().unwrap();
        edit(&mut new, &mut Random(seed), 3);
        let delta = between(&old, &new);
        if delta.len() < 5_000 {
            cases.push((old, delta));
        }
    }
    let deltas: Vec<Vec<u8>> = cases.iter().map(|(_, delta)| delta.clone()).collect();
    let mut random = Random(asked("ECS_SEED", 0));
    let (mut applied, all) = (0, asked("ECS_MUTATIONS", 1_000));
    for at in 0..all {
        let (old, delta) = &cases[random.below(cases.len())];
        let mut world = old.try_clone().unwrap();
        let before = bytes_of(&world);
        let mut bytes = delta.clone();
        for _ in 0..=random.below(3) {
            mutate(&mut bytes, &deltas, &mut random);
        }
        let allowed = 32 * bytes.len() + 300 * (bytes.len() + before.len()) + 200_000;
        let limits = Limits::default().memory(allowed);
        let done = outcome(at, &bytes, allowed + SLACK, || world.apply_delta(&bytes, &limits));
        applied += u64::from(done.is_some());
        world.check_invariants();
        assert!(done.is_some() || bytes_of(&world) == before, "mutation {at} changed the world");
    }
    assert!(applied > all / 100, "only {applied} of {all} still apply");
}
