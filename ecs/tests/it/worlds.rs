//! Values that users keep of a world, used in another one: they find nothing there, are errors, panic, or begin anew.
//! The world may be moved, and its content replaced. Recorded commands are tested in `tests/random/one_result`.

use crate::fixtures::panics;
use ecs::by_name::{Kind, KindError, KindQuery, Values};
use ecs::copies::Copies;
use ecs::save::{ChangeSet, ChangeSets, Delta, Follower, Limits, Received};
use ecs::{
    Changes, ChildOf, Commands, Component, Entity, EntitySet, EventCursor, Events, Group,
    GroupError, HasChanged, Inserted, Local, Removed, Resource, Schedule, SparseSet, World,
};
use serde::{Deserialize, Serialize};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

#[derive(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[component(clone, save = "worlds::health", track, default)]
struct Health(u32);

#[derive(Resource, Clone, Default, Serialize, Deserialize)]
#[resource(clone, save = "worlds::score")]
struct Score(u32);

/// Two worlds with equal histories, so that all numbers within them are equal.
fn twins(make: fn() -> World) -> [World; 2] {
    [make(), make()]
}

fn world_of_three() -> World {
    let mut world = World::new();
    world.spawn_batch((0..3).map(Health));
    world
}

fn bytes_of(world: &World) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.save().to_bytes(&mut bytes).unwrap();
    bytes
}

/// Replaces a world's content by its own, from a file.
fn reload(world: &mut World) {
    let bytes = bytes_of(world);
    world.load(&bytes, &Limits::default()).unwrap();
}

/// Makes a world equal to itself with one more entity, by a delta.
fn grow_by_delta(world: &mut World) {
    let mut newer = world.try_clone().unwrap();
    newer.spawn(Health(9));
    let delta = Delta::between(world, &newer).unwrap();
    world.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
}

#[test]
fn an_observer_is_ended_by_its_own_world_only() {
    struct Hit;
    for which in 0..5 {
        let [mut here, mut there] = twins(world_of_three);
        let calls = Arc::new(AtomicU32::new(0));
        let [id, other] = [&mut here, &mut there].map(|world| {
            let calls = Arc::clone(&calls);
            let count = move || _ = calls.fetch_add(1, Ordering::Relaxed);
            match which {
                0 => world.on_insert::<Health>(move |_, _| count()),
                1 => world.on_batch::<Inserted<Health>>(move |_, _| count()),
                2 => world.on::<Hit>(move |_, _| count()),
                3 => world.on_entity::<Hit>(move |_, _, _| count()),
                _ => world.on_remove::<Health>(move |_, _| count()),
            }
        });
        let happens = |world: &mut World| {
            let before = calls.load(Ordering::Relaxed);
            let entity = world.spawn(Health(7)).id();
            world.send(&Hit);
            world.send_to(entity, &Hit).unwrap();
            world.despawn(entity).unwrap();
            calls.load(Ordering::Relaxed) - before
        };
        assert!(id != other && !there.unobserve(id) && !here.unobserve(other));
        assert_eq!([happens(&mut here), happens(&mut there)], [1, 1], "{which}");
        // The world of the id is where it was moved, whatever it has now; a copy is another world.
        let mut copy = here.try_clone().unwrap();
        mem::swap(&mut here, &mut there);
        reload(&mut there);
        there.copy_from(&copy).unwrap();
        grow_by_delta(&mut there);
        assert!(!copy.unobserve(id) && !here.unobserve(id));
        assert!(there.unobserve(id) && !there.unobserve(id));
        assert_eq!([happens(&mut here), happens(&mut there)], [1, 0], "{which}");
    }
}

#[test]
fn a_collector_is_drained_and_ended_by_its_own_world_only() {
    let [mut here, mut there] = twins(world_of_three);
    let [born, other] = [&mut here, &mut there].map(World::collector::<Inserted<Health>>);
    let [mine, theirs] = [&mut here, &mut there].map(|world| world.spawn(Health(7)).id());
    assert_eq!(mine, theirs);
    assert!(born != other && !there.unobserve(born) && !here.unobserve(other));
    let words = panics(|| _ = there.drain(born)).unwrap();
    assert_eq!(words, "no such collector: it was ended, or is one of another world");
    let mut copy = here.try_clone().unwrap();
    mem::swap(&mut here, &mut there);
    assert!(panics(|| _ = copy.drain(born)).is_some());
    assert_eq!((there.drain(born), here.drain(other)), (vec![mine], vec![theirs]));
    reload(&mut there);
    assert!(there.drain(born).is_empty() && there.unobserve(born));
    // An observer and a collector have numbers of one kind.
    let observer = there.on_insert::<Health>(|_, _| {});
    let gone = here.collector::<Removed<Health>>();
    assert!(!here.unobserve(observer) && here.drain(gone).is_empty());
}

const OTHER_SET: &str = "the set has entities of another world, or of this one before it was loaded: bring its reader \
                         up to date in this world";

#[test]
fn a_set_of_entities_is_refused_by_views_of_another_world() {
    let [mut here, mut there] = twins(world_of_three);
    let mut seen = here.changes::<Health>();
    let entity = here.spawn(Health(7)).id();
    there.spawn(Health(8)); // with the same index
    here.advance(&mut seen);
    let count = |world: &World, set: &EntitySet| world.view::<&Health>().among(set).count();
    for set in [seen.inserted(), seen.changed()] {
        assert_eq!(count(&here, set), 1);
        assert_eq!(panics(|| _ = count(&there, set)).unwrap(), OTHER_SET);
    }
    let mut write = || _ = there.view_mut::<&mut Health>().among(seen.changed()).count();
    assert_eq!(panics(&mut write).unwrap(), OTHER_SET);
    let mut split = || _ = there.split_mut::<(&mut Health,)>().0.among(seen.changed()).count();
    assert_eq!(panics(&mut split).unwrap(), OTHER_SET);
    // An empty set is of no world.
    assert_eq!(count(&there, &EntitySet::default()), 0);

    // The set goes with its world, also while that is made equal to another one.
    let copy = here.try_clone().unwrap();
    assert!(panics(|| _ = count(&copy, seen.inserted())).is_some());
    mem::swap(&mut here, &mut there);
    assert_eq!(count(&there, seen.inserted()), 1);
    grow_by_delta(&mut there);
    there.copy_from(&copy).unwrap();
    assert_eq!(count(&there, seen.inserted()), 1);
    // A world that is loaded, or becomes a copy of another one, has other entities.
    let mut third = here.try_clone().unwrap();
    let mut read = third.changes::<Health>();
    third.spawn(Health(1));
    third.advance(&mut read);
    assert_eq!(count(&third, read.inserted()), 1);
    third.copy_from(&copy).unwrap();
    assert!(panics(|| _ = count(&third, read.inserted())).is_some());
    reload(&mut there);
    assert_eq!(panics(|| _ = count(&there, seen.inserted())).unwrap(), OTHER_SET);
    there.advance(&mut seen);
    assert_eq!((count(&there, seen.inserted()), there.is_alive(entity)), (4, true));
    // A reader that was shared by others, and one that was merged.
    let mut late = there.changes::<Health>();
    there.spawn(Health(1));
    there.advance(&mut seen);
    there.spawn(Health(2));
    there.advance(&mut late);
    assert_eq!(count(&there, late.inserted()), 2);
    assert!(panics(|| _ = count(&here, late.inserted())).is_some());
}

#[test]
fn a_reader_of_changes_begins_anew_in_another_world_and_goes_on_in_its_own() {
    let [mut here, mut there] = twins(world_of_three);
    let mut seen = here.changes::<Health>();
    let mut step = |world: &mut World| {
        world.spawn(Health(7));
        world.advance(&mut seen);
        (seen.inserted().len(), world.view::<&Health>().among(seen.inserted()).count())
    };
    assert_eq!([step(&mut here), step(&mut there)], [(1, 1), (4, 4)]);
    assert_eq!([step(&mut here), step(&mut there)], [(1, 1), (1, 1)]);
    mem::swap(&mut here, &mut there);
    assert_eq!([step(&mut here), step(&mut there)], [(1, 1), (1, 1)]);
    reload(&mut here);
    assert_eq!(step(&mut here), (7, 7));
}

#[test]
fn a_reader_by_kind_lists_entities_of_the_world_that_it_read() {
    let [mut here, mut there] = twins(world_of_three);
    let mut seen = here.kind_changes(Kind::of::<Health>()).unwrap();
    let entity = here.spawn(Health(7)).id();
    there.spawn(Health(8));
    here.advance_kind(&mut seen);
    assert!(
        here.entities_in(seen.inserted()).eq([entity])
            && here.entities_in(seen.changed()).eq([entity])
    );
    assert_eq!(panics(|| _ = there.entities_in(seen.inserted()).count()).unwrap(), OTHER_SET);
    assert_eq!(panics(|| _ = there.entities_in(seen.changed()).count()).unwrap(), OTHER_SET);
    there.advance_kind(&mut seen);
    assert_eq!(there.entities_in(seen.inserted()).count(), 4);
    assert!(panics(|| _ = here.entities_in(seen.inserted()).count()).is_some());
    here.advance_kind(&mut seen);
    assert_eq!(
        (here.entities_in(seen.inserted()).count(), there.entities_in(seen.inserted()).count()),
        (0, 0)
    );
}

#[test]
fn a_cursor_has_a_place_of_its_own_in_each_queue() {
    let (mut here, mut there) = ((0..5).collect::<Events<_>>(), (10..12).collect::<Events<_>>());
    let mut seen = EventCursor::default();
    assert!(here.read(&mut seen).eq(&[0, 1, 2, 3, 4]));
    assert!(there.read(&mut seen).eq(&[10, 11]), "none of them was read");
    there.extend([12, 13]);
    here.send(5);
    assert_eq!((here.read(&mut seen).len(), there.read(&mut seen).len()), (1, 2));
    assert_eq!(here.read(&mut seen).next(), Some(&5));
    assert!(there.read(&mut seen).eq(&[12, 13]));
    assert!(here.read(&mut seen).len() == 0 && there.read(&mut seen).len() == 0);
    mem::swap(&mut here, &mut there);
    there.send(6);
    assert!(here.read(&mut seen).len() == 0 && there.read(&mut seen).eq(&[6]));
    // Cursors that begin in a queue are of that queue.
    let mut late = here.cursor_at_end();
    assert_eq!((there.read(&mut late).len(), here.read(&mut late).len()), (7, 0));
    // Places in many queues are forgotten, the oldest first.
    for _ in 0..20 {
        assert_eq!(Events::from_iter([1]).read(&mut seen).count(), 1);
    }
    assert_eq!(here.read(&mut seen).len(), 4);
}

#[test]
fn a_cursor_goes_on_in_a_copy_of_its_queue() {
    let mut queue: Events<_> = (0..4).collect();
    let mut seen = EventCursor::default();
    assert_eq!(queue.read(&mut seen).nth(1), Some(&1));
    let mut copy = queue.clone();
    queue.extend([4, 5]);
    copy.send(40);
    // The copy has the events that it has not read, and the ones that only the copy has.
    let mut other = seen.clone();
    assert!(copy.read(&mut other).eq(&[2, 3, 40]));
    assert!(queue.read(&mut seen).eq(&[2, 3, 4, 5]));
    let mut ahead = seen.clone();
    assert!(copy.read(&mut ahead).eq(&[40]), "those that both have were read");
    assert!(queue.read(&mut other).eq(&[2, 3, 4, 5]), "it has a place of its own there");
    // In a copy of the copy, too: the queue of a world that was rolled back.
    let mut copy = copy.clone();
    copy.send(41);
    assert!(copy.read(&mut seen).eq(&[40, 41]));
    assert!(copy.read(&mut other).eq(&[41]));
    let mut far = queue.cursor();
    for event in 6..9 {
        queue.send(event);
        queue = queue.clone();
    }
    assert_eq!(queue.read(&mut far).count(), 9);
    let copies = (0..20).fold(queue.clone(), |copy, _| copy.clone());
    assert_eq!(copies.read(&mut far).missed(), 0);
}

#[test]
fn values_are_inserted_into_their_own_world_only() {
    let [mut here, mut there] = twins(world_of_three);
    let parent = here.spawn_empty().id();
    let stranger = there.spawn_empty().id();
    assert_eq!(parent, stranger);
    let made = |world: &mut World| {
        let mut values = Values::new();
        values.read(world, Kind::of::<ChildOf>(), serde_json::json!(parent)).unwrap();
        values
    };
    assert_eq!(there.spawn_values(made(&mut here)), Err(KindError::OtherWorld));
    assert_eq!(there.insert_values(stranger, made(&mut here)), Err(KindError::OtherWorld));
    assert_eq!((there.len(), there.children(stranger).len()), (4, 0));
    let mut values = made(&mut here);
    assert_eq!(values.add_default(&mut there, Kind::of::<Health>()), Err(KindError::OtherWorld));
    let read = values.read(&mut there, Kind::of::<Health>(), serde_json::json!(3));
    assert_eq!(read, Err(KindError::OtherWorld));
    assert_eq!(
        KindError::OtherWorld.to_string(),
        "the values belong to another world, or to this one before it was loaded, and may hold handles of entities there: make \
         them anew with this world, or copy their entity by `World::spawn_copies_of`"
    );
    mem::swap(&mut here, &mut there);
    let child = there.spawn_values(values).unwrap();
    assert_eq!(there.parent(child), Some(parent));
    let values = made(&mut there);
    reload(&mut there);
    assert_eq!(there.spawn_values(values), Err(KindError::OtherWorld));
    // Without values they are of no world.
    assert!(here.spawn_values(Values::new()).is_ok());
}

fn changes_of(sets: &mut ChangeSets, world: &mut World) -> ChangeSet {
    sets.drain(world).unwrap()
}

#[test]
fn a_follower_follows_into_one_world() {
    let [mut here, mut there] = twins(world_of_three);
    let mut server = World::new();
    let mut sets = server.change_sets();
    let knight = server.spawn(Health(7)).id();
    let mut follower = Follower::default();
    let first = changes_of(&mut sets, &mut server);
    let limits = Limits::default();
    let apply = |world: &mut World, set: &ChangeSet, follower: &mut Follower| {
        world.apply_change_set(set.as_bytes(), follower, &limits)
    };
    assert_eq!(apply(&mut here, &first, &mut follower).unwrap(), Received::Applied);
    let copy = follower.get(knight).unwrap();
    there.spawn(Health(1)); // has the handle of the copy
    server.insert(knight, Health(8)).unwrap();
    let second = changes_of(&mut sets, &mut server);
    let error = apply(&mut there, &second, &mut follower).unwrap_err();
    assert!(
        error.to_string().contains(
            "the follower belongs to another world, or to this one before it was loaded: begin with a new one, and \
             request a full set"
        ),
        "{error}"
    );
    assert_eq!(there.get::<Health>(copy), Some(&Health(1)), "a stranger");
    // A clone goes on in a copy of its world, but in no other one.
    let saved = here.try_clone().unwrap();
    let mut other = saved.try_clone().unwrap();
    assert!(apply(&mut other, &second, &mut follower).is_err());
    let mut clone = follower.clone();
    assert!(apply(&mut there, &second, &mut clone).is_err());
    assert_eq!(apply(&mut other, &second, &mut clone).unwrap(), Received::Applied);
    assert!(apply(&mut here, &second, &mut clone).is_err(), "it belongs to the copy now");
    assert_eq!(
        (other.get::<Health>(copy), here.get::<Health>(copy)),
        (Some(&Health(8)), Some(&Health(7)))
    );
    // It goes with its world, also while that is rolled back.
    mem::swap(&mut here, &mut there);
    assert_eq!(apply(&mut there, &second, &mut follower).unwrap(), Received::Applied);
    there.copy_from(&saved).unwrap();
    server.insert(knight, Health(9)).unwrap();
    let third = changes_of(&mut sets, &mut server);
    assert_eq!(apply(&mut there, &third, &mut follower).unwrap(), Received::Applied);
    assert_eq!(there.get::<Health>(copy), Some(&Health(9)));
    let mut reloaded = there;
    reload(&mut reloaded);
    server.insert(knight, Health(10)).unwrap();
    let fourth = changes_of(&mut sets, &mut server);
    assert!(apply(&mut reloaded, &fourth, &mut follower).is_err());
    // A new one may begin with the known content.
    let known: SparseSet<Entity, Entity> = [(knight, copy)].into_iter().collect();
    let mut follower = Follower::from(known);
    follower.restart();
    sets.restart();
    let full = changes_of(&mut sets, &mut server);
    assert_eq!(apply(&mut reloaded, &full, &mut follower).unwrap(), Received::Applied);
    assert_eq!(reloaded.get::<Health>(copy), Some(&Health(10)));
}

#[test]
fn a_reader_of_change_sets_sends_all_of_another_world() {
    let [mut here, mut there] = twins(world_of_three);
    let mut sets = here.change_sets();
    here.spawn(Health(7));
    assert!(!changes_of(&mut sets, &mut here).is_full());
    let full = changes_of(&mut sets, &mut there);
    assert!(full.is_full());
    let mut client = World::new();
    client.register::<Health>();
    let mut follower = Follower::default();
    let limits = Limits::default();
    let applied = client.apply_change_set(full.as_bytes(), &mut follower, &limits);
    assert_eq!((applied.unwrap(), client.len()), (Received::Applied, 3));
    mem::swap(&mut here, &mut there);
    assert!(
        !changes_of(&mut sets, &mut here).is_full() && changes_of(&mut sets, &mut there).is_full()
    );
}

#[test]
fn commands_are_for_a_world_until_it_has_other_entities() {
    let same: [fn(&mut World); 2] =
        [grow_by_delta, |world| world.copy_from(&world.try_clone().unwrap()).unwrap()];
    let others: [fn(&mut World); 2] = [reload, |world| world.copy_from(&world_of_three()).unwrap()];
    let all = same.map(|change| (change, 0)).into_iter().chain(others.map(|change| (change, 2)));
    for (change, foreign) in all {
        let mut world = world_of_three();
        let first = world.entities().next().unwrap();
        let mut commands = Commands::new();
        commands.spawn(&world, Health(1));
        commands.despawn(first);
        change(&mut world);
        let applied = commands.apply(&mut world);
        assert_eq!((applied.foreign, world.is_alive(first)), (foreign, foreign > 0));
    }
}

#[test]
fn versions_of_resources_of_two_worlds_differ() {
    let make = || {
        let mut world = World::new();
        world.insert_resource(Score(1));
        world
    };
    let [mut here, mut there] = twins(make);
    let version = World::resource_version::<Score>;
    assert_ne!(version(&here), version(&there));
    let seen = version(&here);
    for _ in 0..100 {
        there.resource_mut::<Score>().0 += 1;
        assert_ne!(version(&there), seen);
    }
    let copy = here.try_clone().unwrap();
    assert_ne!(version(&copy), seen);
    mem::swap(&mut here, &mut there);
    assert_eq!(version(&there), seen);
    there.copy_from(&copy).unwrap();
    assert!(version(&there) > seen);
    there.remove_resource::<Score>();
    assert!(version(&there) > seen);
    assert_eq!([version(&World::new()), version(&World::new())], [0, 0]);
}

/// A system's readers, its cursor and the versions that it compares belong to the world in which it runs.
#[test]
fn a_schedule_runs_in_two_worlds_in_turn() {
    #[derive(Resource, Default)]
    struct Seen(Vec<[usize; 3]>);
    #[expect(clippy::needless_pass_by_value, reason = "as systems take it")]
    fn look(
        changes: &Changes<Health>,
        hits: &Events<u32>,
        mut cursor: Local<EventCursor>,
        score: HasChanged<Score>,
        seen: &mut Seen,
    ) {
        let read = hits.read(&mut cursor).count();
        seen.0.push([changes.inserted().len(), read, usize::from(score.get())]);
    }
    let make = || {
        let mut world = world_of_three();
        world.insert_resource((0..5_u32).collect::<Events<_>>());
        world.insert_resource(Score(1));
        world.insert_resource(Seen::default());
        world
    };
    let [mut here, mut there] = twins(make);
    let mut frame = Schedule::new().add(look);
    for round in 0..3 {
        for world in [&mut here, &mut there] {
            if round == 2 {
                world.spawn(Health(9));
                world.resource_mut::<Events<u32>>().send(7);
            }
            frame.run(world).unwrap();
        }
    }
    for world in [&here, &there] {
        let [first, later, last] = world.resource::<Seen>().0[..] else { panic!("three runs") };
        assert_eq!(
            [first, [later[0], later[1], 0], [last[0], last[1], 0]],
            [[3, 5, 1], [0, 0, 0], [1, 1, 0]]
        );
    }
}

/// Kinds, queries of kinds, choices of components and groups name types of the process, which any world may lack.
#[test]
fn kinds_and_groups_are_of_all_worlds() {
    let mut here = world_of_three();
    here.insert_resource(Score(3));
    let kind = here.kind("Health").unwrap();
    let score = here.resource_kind("worlds::score").unwrap();
    let entity = here.entities().next().unwrap();
    let mut there = World::new();
    let stranger = there.spawn_empty().id();
    assert_eq!(entity, stranger);
    assert!(there.kind_value(kind, stranger).is_none() && there.kind_entities(kind).is_empty());
    assert!(
        there.remove_kind(kind, stranger).is_err()
            && there.copy_kind(kind, stranger, stranger).is_err()
    );
    assert!(there.kind_target(kind, stranger).is_none() && there.kind_targets(kind).is_empty());
    assert!(!there.has_resource_kind(score) && there.resource_kind_value(score).is_none());
    assert_eq!(there.remove_resource_kind(score), Ok(false));
    let query = KindQuery::new().read(kind);
    assert_eq!(
        (here.kind_rows(&query).unwrap().count(), there.kind_rows(&query).unwrap().count()),
        (3, 0)
    );
    assert_eq!(there.kind_rows_from(&query, 0).unwrap().count(), 0);
    assert!(there.try_clone_by(&Copies::default().leave_out::<Health>()).is_ok());
    there.insert_resource_kind(score, serde_json::json!(4)).unwrap();
    there.insert_kind_default(kind, stranger).unwrap();
    assert_eq!((there.resource::<Score>().0, there.get::<Health>(stranger)), (4, Some(&Health(0))));
    assert_eq!(here.get::<Health>(entity), Some(&Health(0)));
    let group = Group::owning::<Health>();
    here.declare_group(group).unwrap();
    assert_eq!(here.group(group).unwrap().len(), 3);
    assert_eq!(there.group(group).unwrap_err(), GroupError::NotDeclared);
    assert_eq!(there.drop_group(group), Err(GroupError::NotDeclared));
}

#[test]
fn a_delta_is_refused_by_a_world_that_is_seen_to_be_another() {
    let old = world_of_three();
    let mut new = old.try_clone().unwrap();
    new.spawn(Health(7));
    let delta = Delta::between(&old, &new).unwrap();
    let mut other = World::new();
    other.spawn_batch((0..2).map(Health));
    let before = bytes_of(&other);
    let error = other.apply_delta(delta.as_bytes(), &Limits::default()).unwrap_err();
    assert!(!error.to_string().is_empty() && bytes_of(&other) == before);
}
