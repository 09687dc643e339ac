//! Hooks, observers and events. `tests/random/lifecycle.rs` looks for faults in random histories of them.

use crate::fixtures::panics;
use ecs::{
    Component, DespawnError, Entity, Group, Inserted, NoSuchEntityError, ObserverId, Removed,
    Resource, Updated, World,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

#[derive(Component, Debug, PartialEq)]
struct A(u32);
#[derive(Component, Debug, PartialEq)]
struct B(u32);
#[derive(Component, Debug, Default, PartialEq)]
struct C(u32);

/// The log of observers.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn note(&self, what: impl Into<String>) {
        self.0.lock().unwrap().push(what.into());
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }

    /// Observes everything of `T`, under a name.
    fn observe<T: Component>(&self, world: &mut World, name: &'static str) -> [ObserverId; 3] {
        let note = |what: &'static str| {
            let log = self.clone();
            move |world: &mut World, entity| {
                assert!(world.get::<T>(entity).is_some(), "{name} is told of what is not there");
                log.note(format!("{name} {what}"));
            }
        };
        [
            world.on_insert::<T>(note("came")),
            world.on_update::<T>(note("changed")),
            world.on_remove::<T>(note("goes")),
        ]
    }
}

/// A world in which everything that happens to `A`, `B` and `C` is written down.
fn logged() -> (World, Log) {
    let (mut world, log) = (World::new(), Log::default());
    log.observe::<A>(&mut world, "A");
    log.observe::<B>(&mut world, "B");
    log.observe::<C>(&mut world, "C");
    (world, log)
}

#[test]
fn each_operation_notifies_by_the_documented_table() {
    let (mut world, log) = logged();
    let entity = world.spawn((B(1), A(1))).id();
    assert_eq!(log.take(), ["B came", "A came"]);
    world.insert(entity, (A(2), C(1))).unwrap();
    assert_eq!(log.take(), ["A changed", "C came"]);
    world.patch::<A>(entity, |a| a.0 = 5);
    assert_eq!(world.replace(entity, A(6)), Ok(Some(A(5))));
    assert_eq!(log.take(), ["A changed", "A changed"]);
    world.get_mut::<A>(entity).unwrap().0 = 7;
    world.view_mut::<&mut A>().for_each(|(_, a)| a.0 = 8);
    assert!(log.take().is_empty(), "writing through references tells nobody");
    world.insert_if_absent(entity, (A(1), B(1))).unwrap();
    world.get_or_insert_with(entity, || A(1)).unwrap();
    assert!(log.take().is_empty());
    assert_eq!(world.remove::<A>(entity), Some(A(8)));
    assert_eq!(world.remove::<A>(entity), None);
    assert_eq!(log.take(), ["A goes"]);
    world.remove_except::<B>(entity).unwrap();
    assert_eq!(log.take(), ["C goes"]);
    world.get_or_insert_with(entity, || A(1)).unwrap();
    assert_eq!(world.take::<(A, B)>(entity), Some((A(1), B(1))));
    assert_eq!(log.take(), ["A came", "A goes", "B goes"]);
    world.insert(entity, A(1)).unwrap();
    world.despawn(entity).unwrap();
    assert_eq!(log.take(), ["A came", "A goes"]);

    let entities = world.spawn_batch((0..2).map(|at| (A(at), B(at))));
    assert_eq!(log.take(), ["A came", "B came", "A came", "B came"]);
    world.insert_batch(entities.iter().map(|&entity| (entity, (B(7), C(7))))).unwrap();
    assert_eq!(log.take(), ["B changed", "C came", "B changed", "C came"]);
    assert_eq!(world.remove_batch::<B>(&entities), 2);
    assert_eq!(log.take(), ["B goes", "B goes"]);
    world.pool_mut::<C>().retain(|entity, _| entity == entities[0]);
    assert_eq!(log.take(), ["C goes"]);
    assert_eq!(world.despawn_batch(&entities), 2);
    let mut ends = log.take();
    ends.sort();
    assert_eq!(ends, ["A goes", "A goes", "C goes"]);
    world.spawn_batch((0..3).map(A));
    log.take();
    assert_eq!(world.pool_mut::<A>().drain().count(), 3);
    assert_eq!(log.take(), ["A goes"; 3]);
    world.check_invariants();
}

#[test]
fn clearing_dropping_sorting_and_grouping_notify_no_observer_of_components() {
    #[derive(Component)]
    #[component(veto = never, on_remove = unreached)]
    struct Stuck;
    fn never(_: &mut Stuck) -> bool {
        false
    }
    fn unreached(_: &mut World, _: Entity) {
        unreachable!("nobody is notified");
    }

    let (mut world, log) = logged();
    world.spawn_batch([(A(2), B(1)), (A(1), B(2))]);
    log.take();
    world.pool_mut::<A>().sort_by_key(|a| a.0).unwrap();
    let group = Group::owning::<(A, B)>();
    world.declare_group(group).unwrap();
    world.group_mut(Group::owning::<(A, B)>()).unwrap().sort_by_key(|(_, b)| b.0);
    world.drop_group(group).unwrap();
    assert!(log.take().is_empty());
    let stuck = world.spawn(Stuck).id();
    assert_eq!(world.despawn(stuck), Err(DespawnError::Refused(stuck, "Stuck")));
    world.clear();
    assert!(log.take().is_empty() && world.is_empty());
    world.spawn(A(1));
    log.take();
    drop(world);
    assert!(log.take().is_empty());
}

#[test]
fn a_veto_that_refuses_is_checked_first_and_no_observer_is_notified() {
    #[derive(Component)]
    #[component(veto = never, on_remove = unreached)]
    struct Stuck;
    fn never(_: &mut Stuck) -> bool {
        false
    }
    fn unreached(_: &mut World, _: Entity) {
        panic!("told of what stays");
    }

    let (mut world, log) = logged();
    let entity = world.spawn((A(1), Stuck)).id();
    log.take();
    assert!(world.remove::<Stuck>(entity).is_none());
    assert!(world.despawn(entity).is_err() && world.remove_except::<A>(entity).is_err());
    assert_eq!(
        (world.remove_batch::<Stuck>(&[entity; 2]), world.despawn_batch(&[entity; 2])),
        (0, 0)
    );
    assert!(log.take().is_empty());
}

#[test]
fn required_components_are_notified_and_the_whole_bundle_is_visible() {
    #[derive(Component)]
    #[component(requires(C), on_insert = look)]
    struct Ship;
    fn look(world: &mut World, entity: Entity) {
        assert!(world.has::<(Ship, A, C)>(entity), "the whole bundle is in");
        assert_eq!(world.group(Group::observing::<(Ship, A)>()).unwrap().members().len(), 1);
    }

    let (mut world, log) = logged();
    world.declare_group(Group::observing::<(Ship, A)>()).unwrap();
    let entity = world.spawn((Ship, A(1))).id();
    assert_eq!(log.take(), ["A came", "C came"]);
    world.despawn(entity).unwrap();
    log.take();
    let entity = world.spawn_empty().insert((Ship, A(1))).insert_if_absent(B(1)).id();
    assert_eq!(log.take(), ["A came", "C came", "B came"]);
    world.despawn(entity).unwrap();
    log.take();
    let entity = world.spawn(A(1)).id();
    world.insert_batch([(entity, Ship)]).unwrap();
    assert_eq!(log.take(), ["A came", "C came"]);
}

#[test]
fn observers_of_batches_are_notified_once() {
    #[derive(Component)]
    struct Count(Vec<usize>);
    fn count(world: &mut World, entities: &[Entity]) {
        assert!(entities.iter().all(|&entity| world.get::<A>(entity).is_some()));
        let entity = world.view::<Count>().single().unwrap().0;
        world.get_mut::<Count>(entity).unwrap().0.push(entities.len());
    }

    let mut world = World::new();
    world.spawn(Count(vec![]));
    world.on_batch::<Inserted<A>>(count);
    world.on_batch::<Updated<A>>(count);
    world.on_batch::<Removed<A>>(count);
    let counts = |world: &mut World| {
        let entity = world.view::<Count>().single().unwrap().0;
        std::mem::take(&mut world.get_mut::<Count>(entity).unwrap().0)
    };
    let entities = world.spawn_batch((0..300).map(A));
    assert_eq!(counts(&mut world), [300]);
    world.insert_batch(entities.iter().map(|&entity| (entity, A(1)))).unwrap();
    assert_eq!(counts(&mut world), [300]);
    assert_eq!(world.remove_batch::<A>(&entities[..100]), 100);
    assert_eq!(world.despawn_batch(&entities), 300);
    assert_eq!(counts(&mut world), [100, 200]);
    let entity = world.spawn(A(1)).id();
    world.remove::<A>(entity);
    assert_eq!(counts(&mut world), [1, 1]);
}

/// An unobserved edit makes the pool through which later edits are observed.
#[test]
fn the_first_component_of_a_type_is_notified() {
    #[derive(Component, Default)]
    #[component(bit = 7, on_insert = came)]
    struct Hooked;
    #[derive(Component)]
    #[component(bit = 7, requires(Hooked))]
    struct Needy;
    #[derive(Component)]
    #[component(bit = 7)]
    struct Plain;
    #[derive(Component)]
    #[component(bit = 7, relation)]
    struct At(Entity);
    fn came(world: &mut World, entity: Entity) {
        assert!(world.has::<Plain>(entity), "the whole bundle is in");
        world.insert(entity, A(1)).unwrap();
    }

    let edits: [fn(&mut World, Entity); 4] = [
        |world, entity| world.insert(entity, (Hooked, Plain)).unwrap(),
        |world, entity| world.insert_if_absent(entity, (Plain, Hooked)).unwrap(),
        |world, entity| world.insert(entity, (Needy, Plain)).unwrap(),
        |world, entity| world.insert_batch([(entity, (Hooked, Plain))]).unwrap(),
    ];
    for edit in edits {
        let mut world = World::new();
        let entity = world.spawn_empty().id();
        edit(&mut world, entity);
        assert!(world.has::<(Hooked, A)>(entity));
    }

    let mut world = World::new();
    let [target, entity] = [(); 2].map(|()| world.spawn(C(1)).id());
    world.declare_group(Group::owning::<C>().without::<Plain>()).unwrap();
    world.insert(entity, (B(1), At(target))).unwrap();
    world.insert(entity, (B(2), Plain)).unwrap();
    world.check_invariants();
    assert!(world.view::<C>().without::<Plain>().iter().eq([(target, &C(1))]));
    world.despawn(target).unwrap();
    assert!(!world.has::<At>(entity));
    world.remove::<Plain>(entity);
    assert_eq!(world.view::<C>().without::<Plain>().count(), 1);
    world.check_invariants();
}

#[test]
fn trap_1_an_entity_is_despawned_in_its_own_insertion() {
    let (mut world, log) = logged();
    world.on_insert::<B>(|world, entity| world.despawn(entity).unwrap());
    let entity = world.spawn((A(1), B(1), C(1))).id();
    assert!(!world.is_alive(entity) && world.is_empty());
    let told = log.take();
    assert_eq!((&told[..2], told.len()), (&["A came".to_owned(), "B came".to_owned()][..], 4));
    assert!(!told.iter().any(|told| told.starts_with('C')), "nobody heard of it");
    world.check_invariants();
}

#[test]
fn trap_2_an_earlier_observer_despawns_the_entity() {
    let (mut world, log) = (World::new(), Log::default());
    world.on_insert::<A>(|world, entity| world.despawn(entity).unwrap());
    log.observe::<A>(&mut world, "A");
    world.spawn(A(1));
    assert_eq!(log.take(), ["A came", "A goes"]);
    let entity = world.spawn_empty().id();
    world.on_update::<A>(|_, _| panic!("gone before"));
    world.insert_batch([(entity, A(1)), (entity, A(2))]).unwrap();
    assert_eq!(log.take(), ["A came", "A goes"]);
}

#[test]
fn trap_3_an_observer_of_a_batch_spawns() {
    let (mut world, log) = logged();
    world.on_insert::<A>(|world, entity| {
        let a = world.get::<A>(entity).unwrap().0;
        if a > 0 {
            world.spawn_batch([A(a - 1), A(a - 1)]);
        }
    });
    let made = world.spawn_batch((0..4).map(A));
    assert_eq!(made.len(), 4);
    assert_eq!(world.len(), 1 + 3 + 7 + 15);
    assert_eq!(log.take(), vec!["A came"; 26]);
    world.check_invariants();
}

#[test]
fn trap_4_an_observer_of_a_removal_spawns() {
    let mut world = World::new();
    world.on_remove::<A>(|world, _| _ = world.spawn(B(1)).id());
    let entities = world.spawn_batch((0..3).map(A));
    world.remove::<A>(entities[0]);
    world.despawn_batch(&entities);
    assert_eq!(world.view::<B>().count(), 3);
    world.check_invariants();
}

#[test]
fn trap_5_a_chained_handle_whose_entity_is_gone() {
    let mut world = World::new();
    world.on_insert::<A>(|world, entity| world.despawn(entity).unwrap());
    let mut gone = world.spawn(A(1));
    let entity = gone.id();
    assert_eq!((gone.get::<A>(), gone.name()), (None, None));
    assert_eq!(gone.remove::<A>(), None);
    assert!(!gone.has::<B>() && gone.patch::<A>(|_| unreachable!()).remove_except::<B>().is_err());
    let message =
        "no such entity: 0v1: an observer ended it; `World::insert` returns an error instead";
    assert_eq!(panics(|| _ = gone.insert(B(1))).unwrap(), message);
    assert_eq!(panics(|| _ = gone.insert_if_absent(B(1))).unwrap(), message);
    assert_eq!(panics(|| gone.replace(B(1))).unwrap(), message);
    assert_eq!(panics(|| gone.get_or_insert_with(|| B(1)).0 += 1).unwrap(), message);
    assert_eq!(gone.despawn(), Err(DespawnError::NoSuchEntity(entity)));
    assert_eq!(world.insert(entity, B(1)), Err(NoSuchEntityError(entity)));
}

/// The message of a world whose observer replaced it.
const EXCHANGED: &str = "an observer put another world in the place of its own while an edit was under way: let it \
    note that the world is to be exchanged, and exchange it after the edit, or send an event from there";

/// Edits of a world of three entities with an `A` and a `B`; each calls an observer of `A`.
const EDITS: [fn(&mut World, &[Entity]); 8] = [
    |world, entities| _ = world.remove::<A>(entities[0]),
    |world, entities| world.despawn(entities[0]).unwrap(),
    |world, entities| _ = world.remove_batch::<A>(entities),
    |world, entities| _ = world.despawn_batch(entities),
    |world, entities| world.insert(entities[0], (A(7), C(7))).unwrap(),
    |world, _| _ = world.spawn((A(1), C(1))),
    |world, _| _ = world.spawn_batch((0..9).map(|at| (A(at), C(1)))),
    |world, entities| _ = world.patch::<A>(entities[1], |a| a.0 += 1),
];

#[test]
fn trap_6_an_observer_that_exchanges_the_world_is_a_panic_and_both_worlds_can_be_used() {
    static TAKEN: Mutex<Option<World>> = Mutex::new(None);
    fn exchange(world: &mut World, _: Entity) {
        let mut other = World::new();
        other.spawn_batch((0..3).map(|at| (A(at), B(at))));
        *TAKEN.lock().unwrap() = Some(std::mem::replace(world, other));
    }
    for (edit, acts) in EDITS.iter().flat_map(|edit| [(edit, false), (edit, true)]) {
        let mut world = World::new();
        let entities = world.spawn_batch((0..3).map(|at| (A(at), B(at))));
        let unreached = |_: &mut World, _: Entity| panic!("it is notified of nothing more");
        let others = [world.on_remove::<A>(unreached), world.on_insert::<C>(unreached)];
        let act = move |world: &mut World, entity: Entity| {
            if acts {
                world.spawn(B(1));
            }
            exchange(world, entity);
        };
        let observers =
            [world.on_insert::<A>(act), world.on_remove::<A>(act), world.on_update::<A>(act)];
        // Many times: nothing is left of the earlier ones.
        for _ in 0..40 {
            assert_eq!(panics(|| edit(&mut world, &entities)).unwrap(), EXCHANGED);
            assert_eq!(world.view::<(A, B)>().count(), 3, "it is the other world");
            world.spawn((A(1), C(1)));
            world.check_invariants();
            world = TAKEN.lock().unwrap().take().unwrap();
            world.check_invariants();
        }
        // The operation has ended: another one neither completes it, nor is inside it.
        for id in observers.into_iter().chain(others) {
            assert!(world.unobserve(id));
        }
        world.insert(entities[0], B(9)).unwrap();
        world.remove::<B>(entities[0]);
        assert_eq!(world.despawn_batch(&entities), 3);
        world.copy_from(&World::new()).unwrap();
        world.check_invariants();
    }
}

#[test]
fn a_world_that_an_observer_exchanged_can_be_edited_at_once() {
    static TAKEN: Mutex<Option<World>> = Mutex::new(None);
    // Each is of the entity whose despawn was under way.
    let edits: [fn(&mut World, Entity); 6] = [
        |world, entity| world.insert(entity, B(1)).unwrap(),
        |world, entity| world.insert_batch([(entity, B(1))]).unwrap(),
        |world, entity| assert!(world.patch::<A>(entity, |a| a.0 += 1)),
        |world, entity| assert_eq!(world.remove::<A>(entity), Some(A(1))),
        |world, entity| assert_eq!(world.remove_batch::<A>(&[entity]), 1),
        |world, entity| assert_eq!(world.despawn_batch(&[entity]), 1),
    ];
    for edit in edits {
        let mut world = World::new();
        let entity = world.spawn(A(1)).id();
        world.on_remove::<A>(|world, _| {
            if world.get_resource::<Exchanges>().is_some() {
                let own = std::mem::take(world);
                *TAKEN.lock().unwrap() = Some(own);
            }
        });
        let log = Log::default();
        log.observe::<A>(&mut world, "A");
        log.observe::<B>(&mut world, "B");
        world.insert_resource(Exchanges);
        assert_eq!(panics(|| world.despawn(entity)).unwrap(), EXCHANGED);
        assert_eq!(log.take(), ["A goes"]);
        world = TAKEN.lock().unwrap().take().unwrap();
        world.remove_resource::<Exchanges>();
        edit(&mut world, entity);
        assert_eq!(log.take().len(), 1);
        world.check_invariants();
    }
}

#[test]
fn an_observer_of_an_event_may_exchange_the_world() {
    let mut world = World::new();
    let entity = world.spawn(A(1)).id();
    world.on_entity::<()>(|world, _, ()| *world = World::new());
    world.on_entity::<()>(|_, _, ()| panic!("of the old world"));
    world.send_to(entity, &()).unwrap();
    assert!(world.is_empty());
}

#[test]
fn a_world_that_comes_back_before_its_observer_returns_goes_on() {
    let (mut world, log) = (World::new(), Log::default());
    world.on_insert::<A>(|world, _| {
        let mut own = std::mem::take(world);
        own.spawn(B(1));
        *world = own;
    });
    log.observe::<A>(&mut world, "A");
    world.spawn(A(1));
    assert_eq!((log.take(), world.view::<B>().count()), (vec!["A came".to_owned()], 1));
}

#[test]
fn trap_7_an_observer_of_an_end_despawns_again() {
    let (mut world, log) = logged();
    world.on_remove::<A>(|world, entity| {
        assert_eq!(world.despawn(entity), Ok(()), "the first one completes it");
    });
    let entities = world.spawn_batch((0..3).map(|at| (A(at), B(at))));
    log.take();
    let told = || {
        let mut told = log.take();
        told.sort();
        told
    };
    world.despawn(entities[0]).unwrap();
    assert_eq!(told(), ["A goes", "B goes"]);
    assert_eq!(world.despawn_batch(&entities), 2);
    assert_eq!(told(), ["A goes", "A goes", "B goes", "B goes"]);
    assert!(world.is_empty());
    world.check_invariants();
}

/// An observer exchanges the world while it has this.
#[derive(Resource)]
struct Exchanges;

/// The log of hooks, which capture nothing.
#[derive(Component)]
struct Notes(Vec<&'static str>);

fn note(world: &mut World, what: &'static str) {
    world.view_mut::<&mut Notes>().for_each(|(_, notes)| notes.0.push(what));
}

#[test]
fn trap_8_hooks_come_first_and_go_last() {
    #[derive(Component)]
    #[component(on_insert = came, on_update = changed, on_remove = Self::goes)]
    struct Hooked;
    fn came(world: &mut World, _: Entity) {
        note(world, "hook came");
    }
    fn changed(world: &mut World, _: Entity) {
        note(world, "hook changed");
    }
    impl Hooked {
        fn goes(world: &mut World, _: Entity) {
            note(world, "hook goes");
        }
    }

    let mut world = World::new();
    world.on_insert::<Hooked>(|world, _| note(world, "1 came"));
    world.on_insert::<Hooked>(|world, _| note(world, "2 came"));
    world.on_batch::<Inserted<Hooked>>(|world, _| note(world, "all came"));
    world.on_remove::<Hooked>(|world, _| note(world, "1 goes"));
    world.on_remove::<Hooked>(|world, _| note(world, "2 goes"));
    world.on_batch::<Removed<Hooked>>(|world, _| note(world, "all go"));
    let notes = world.spawn(Notes(vec![])).id();
    let mut hooked = world.spawn(Hooked);
    hooked.insert(Hooked);
    hooked.despawn().unwrap();
    assert_eq!(
        world.get::<Notes>(notes).unwrap().0,
        ["hook came", "1 came", "2 came", "all came", "hook changed"]
            .into_iter()
            .chain(["all go", "2 goes", "1 goes", "hook goes"])
            .collect::<Vec<_>>()
    );
}

#[test]
fn trap_9_siblings_are_readable_at_death() {
    fn look(world: &mut World, entity: Entity) {
        assert!(world.has::<(A, B, C)>(entity));
        assert_eq!(world.group(Group::owning::<(A, B)>()).unwrap().members(), [entity]);
        note(world, "looked");
    }

    let mut world = World::new();
    world.on_remove::<A>(look);
    world.on_remove::<B>(look);
    world.on_remove::<C>(look);
    world.declare_group(Group::owning::<(A, B)>()).unwrap();
    let notes = world.spawn(Notes(vec![])).id();
    let entity = world.spawn((A(1), B(1), C(1))).id();
    world.despawn(entity).unwrap();
    let entity = world.spawn((A(1), B(1), C(1))).id();
    world.despawn_batch(&[entity, entity]);
    assert_eq!(world.get::<Notes>(notes).unwrap().0.len(), 6);
}

#[test]
fn trap_10_nested_operations_are_notified_once() {
    let (mut world, log) = (World::new(), Log::default());
    world.on_insert::<A>(|world, entity| {
        if world.get::<A>(entity) == Some(&A(1)) {
            world.insert(entity, (A(2), B(2))).unwrap();
        }
    });
    log.observe::<A>(&mut world, "A");
    log.observe::<B>(&mut world, "B");
    let entity = world.spawn((A(1), B(1))).id();
    // A is finished first; the insertion of B merges into the observer's.
    assert_eq!(log.take(), ["A came", "A changed", "B came"]);
    assert_eq!(world.get::<B>(entity), Some(&B(2)));
}

#[test]
fn trap_11_observers_are_ended_by_others_and_by_themselves() {
    #[derive(Component)]
    struct Ids(Vec<ObserverId>);
    for ended in 0..4 {
        let (mut world, log) = (World::new(), Log::default());
        let ids = world.spawn(Ids(vec![])).id();
        for at in 0..3 {
            let log = log.clone();
            let id = world.on_insert::<A>(move |world, _| {
                log.note(at.to_string());
                if at == 1 {
                    let all = world.get::<Ids>(ids).unwrap().0.clone();
                    let some = if ended == 3 { &all[..] } else { &all[ended..=ended] };
                    some.iter().for_each(|&id| _ = world.unobserve(id));
                    let log = log.clone();
                    world.on_insert::<A>(move |_, _| log.note("new"));
                }
            });
            world.get_mut::<Ids>(ids).unwrap().0.push(id);
        }
        world.spawn(A(1));
        let told = [&["0", "1", "2"][..], &["0", "1", "2"], &["0", "1"], &["0", "1"]];
        assert_eq!(log.take(), told[ended], "one that begins meanwhile hears of the next");
        world.spawn(A(1));
        let told = [&["1", "2", "new"][..], &["0", "2", "new"], &["0", "1", "new"], &["new"]];
        assert_eq!(log.take(), told[ended]);
    }
}

/// Trap 11, too: observers are ended from a drop.
#[test]
fn captures_of_an_observer_are_dropped_after_it_returned() {
    /// A captured value that ends other observers when it is dropped.
    struct Captured(Log, Arc<Mutex<Vec<ObserverId>>>, ObserverId);
    impl Drop for Captured {
        fn drop(&mut self) {
            self.0.note("dropped");
            self.1.lock().unwrap().push(self.2);
        }
    }
    #[derive(Component)]
    struct Own(ObserverId);
    let (mut world, log) = (World::new(), Log::default());
    let (to_end, heard) = (Arc::new(Mutex::new(vec![])), log.clone());
    let next = world.on_insert::<A>(move |_, _| heard.note("next"));
    let captured = Captured(log.clone(), to_end.clone(), next);
    let own = world.on_insert::<A>(move |world, _| {
        let own = world.view::<Own>().single().unwrap().1.0;
        assert!(world.unobserve(own));
        captured.0.note("told"); // its captures still exist
    });
    world.spawn(Own(own));
    let entity = world.spawn(A(1)).id();
    assert_eq!(log.take(), ["next", "told", "dropped"]);
    for id in to_end.lock().unwrap().drain(..) {
        assert!(world.unobserve(id));
    }
    world.insert(entity, A(2)).unwrap();
    world.spawn(A(1));
    assert!(log.take().is_empty());
}

#[test]
fn captures_of_an_observer_may_panic_when_dropped() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }
    let (mut world, log) = logged();
    let bomb = Bomb;
    let id = world.on_insert::<A>(move |_, _| _ = &bomb);
    assert_eq!(panics(|| world.unobserve(id)).unwrap(), "dropped");
    assert!(!world.unobserve(id));
    world.spawn(A(1));
    assert_eq!(log.take(), ["A came"]);
    world.check_invariants();
}

#[test]
fn trap_12_observers_outlive_their_entities_and_the_other_way_round() {
    let (mut world, log) = logged();
    world.on_entity::<u32>(|world, entity, event| {
        if *event == 1 {
            world.despawn(entity).unwrap();
        }
    });
    let heard = log.clone();
    let second = world.on_entity::<u32>(move |_, _, event| heard.note(event.to_string()));
    let entity = world.spawn(A(1)).id();
    log.take();
    world.send_to(entity, &2_u32).unwrap();
    world.send_to(entity, &1_u32).unwrap();
    assert_eq!(world.send_to(entity, &1_u32), Err(NoSuchEntityError(entity)));
    assert_eq!(log.take(), ["2", "A goes"], "the second is not told of a dead entity");
    assert!(world.unobserve(second) && !world.unobserve(second));
    let entity = world.spawn(A(1)).id();
    world.send_to(entity, &2_u32).unwrap();
    assert_eq!(log.take(), ["A came"]);
    let other = World::new().on::<u8>(|_, _| {});
    _ = world.unobserve(other); // may name one here, and does no harm
}

#[test]
fn events_are_sent_in_order_and_nested() {
    struct Count(u32);
    let (mut world, log) = (World::new(), Log::default());
    for name in ["first", "second"] {
        let log = log.clone();
        world.on::<Count>(move |world, count| {
            log.note(format!("{name} {}", count.0));
            if name == "first" && count.0 > 0 {
                world.send(&Count(count.0 - 1));
            }
        });
    }
    world.send(&"nobody waits for this");
    world.send(&Count(1));
    assert_eq!(log.take(), ["first 1", "first 0", "second 0", "second 1"]);
}

#[test]
fn observers_that_never_end_are_a_panic() {
    let mut world = World::new();
    world.on_insert::<A>(|world, _| _ = world.spawn(A(1)).id());
    let message = panics(|| _ = world.spawn(A(1)).id()).unwrap();
    let words = "observers call each other without end: 256 nested calls take ";
    assert!(message.starts_with(words), "{message}");
    world.check_invariants();
    assert_eq!(world.len(), 257, "what was inserted stays");
    world.on::<()>(|world, ()| world.send(&()));
    assert!(panics(|| world.send(&())).unwrap().starts_with(words));
    world.on_remove::<A>(|world, _| {
        let other = world.view::<A>().iter().next().unwrap().0;
        world.insert(other, A(2)).unwrap();
    });
    world.on_update::<A>(|world, entity| world.insert(entity, A(3)).unwrap());
    let entity = world.view::<A>().iter().next().unwrap().0;
    assert!(panics(|| world.remove::<A>(entity)).unwrap().starts_with(words));
    world.check_invariants();
}

#[test]
fn a_panic_cancels_removals_and_keeps_insertions() {
    let mut world = World::new();
    let [came, changed, goes] = [
        world.on_insert::<A>(|_, _| panic!("came")),
        world.on_update::<A>(|_, _| panic!("changed")),
        world.on_remove::<A>(|_, _| panic!("goes")),
    ];
    let notes = world.spawn(Notes(vec![])).id();
    world.on_insert::<B>(|world, _| note(world, "B"));
    let entity = world.spawn_empty().id();
    assert_eq!(panics(|| world.insert(entity, (A(1), B(1)))).unwrap(), "came");
    assert!(world.has::<(A, B)>(entity));
    assert_eq!(panics(|| world.insert(entity, A(2))).unwrap(), "changed");
    assert_eq!(world.get::<A>(entity), Some(&A(2)));
    assert_eq!(panics(|| world.remove::<A>(entity)).unwrap(), "goes");
    assert_eq!(panics(|| world.despawn(entity)).unwrap(), "goes");
    assert_eq!(panics(|| world.remove_batch::<A>(&[entity; 2])).unwrap(), "goes");
    assert_eq!(panics(|| world.despawn_batch(&[entity; 2])).unwrap(), "goes");
    assert_eq!(panics(|| drop(world.spawn_batch([A(1), A(2)]))).unwrap(), "came");
    assert_eq!((world.get::<A>(entity), world.view::<A>().count()), (Some(&A(2)), 3));
    world.check_invariants();
    assert!(world.unobserve(came) && world.unobserve(changed) && world.unobserve(goes));
    assert!(world.get::<Notes>(notes).unwrap().0.is_empty(), "the telling ended");
    world.insert(entity, (A(1), B(1))).unwrap();
    world.spawn(B(1));
    assert_eq!(world.get::<Notes>(notes).unwrap().0, ["B"], "and nothing of it is told later");
    world.despawn(entity).unwrap();
}

#[test]
fn a_removal_that_an_observer_completes_is_not_done_twice() {
    let (mut world, log) = logged();
    world.on_remove::<A>(|world, entity| {
        if world.get::<A>(entity) == Some(&A(1)) {
            world.insert(entity, A(2)).unwrap(); // first completes the removal
        }
    });
    let entities = world.spawn_batch((0..3).map(|_| (A(1), B(1))));
    log.take();
    assert_eq!(world.remove::<A>(entities[0]), None, "the observer's insertion dropped it");
    assert_eq!(world.get::<A>(entities[0]), Some(&A(2)));
    assert_eq!(log.take(), ["A goes", "A came"]);
    assert_eq!(world.remove_batch::<A>(&entities[1..]), 2);
    assert_eq!(world.view::<A>().count(), 3);
    assert_eq!(log.take(), ["A goes", "A came", "A goes", "A came"]);
    world.check_invariants();
}

/// Adds observers of `A`, `B` and `C` that count how often each component is notified as removed.
fn counted(world: &mut World) -> Arc<Mutex<Vec<&'static str>>> {
    let removed = Arc::new(Mutex::new(Vec::new()));
    macro_rules! count {
        ($($name:ident)+) => {$(
            let list = removed.clone();
            world.on_remove::<$name>(move |_, _| list.lock().unwrap().push(stringify!($name)));
        )+};
    }
    count!(A B C);
    removed
}

#[test]
fn an_observer_of_a_despawn_takes_values_and_each_removal_is_notified_once() {
    type Rescue = fn(&mut World, Entity);
    let rescues: [(&str, Rescue); 8] = [
        ("its own", |world, entity| assert_eq!(world.remove::<A>(entity), Some(A(1)))),
        ("another", |world, entity| assert_eq!(world.remove::<B>(entity), Some(B(2)))),
        ("one that is not observed", |world, entity| {
            assert_eq!(world.try_remove::<Plain>(entity), Ok(Plain(4)));
        }),
        ("several", |world, entity| {
            assert_eq!(world.take::<(B, A, Plain)>(entity), Some((B(2), A(1), Plain(4))));
        }),
        ("in a batch", |world, entity| {
            assert_eq!(world.remove_batch::<B>(&[entity, entity]), 1);
        }),
        ("all but one", |world, entity| {
            world.remove_except::<C>(entity).unwrap();
            assert!(world.has::<C>(entity) && !world.has::<A>(entity));
        }),
        ("by a pool", |world, _| world.pool_mut::<B>().clear()),
        ("by commands", |world, entity| {
            let mut commands = ecs::Commands::new();
            commands.remove::<(A, B)>(entity);
            assert_eq!(commands.apply(world), ecs::Applied::default());
        }),
    ];
    for (name, rescue) in rescues {
        for is_batch in [false, true] {
            for first in [false, true] {
                let mut world = World::new();
                let has_acted = Arc::new(AtomicBool::new(false));
                let act = move |world: &mut World, entity: Entity| {
                    if !has_acted.swap(true, Ordering::Relaxed) {
                        rescue(world, entity);
                    }
                };
                let removed;
                if first {
                    world.on_remove::<A>(act);
                    removed = counted(&mut world);
                } else {
                    removed = counted(&mut world);
                    world.on_remove::<A>(act);
                }
                let all = world.spawn_batch((0..2).map(|_| (A(1), B(2), C(3), Plain(4))));
                if is_batch {
                    assert_eq!(world.despawn_batch(&all), 2, "{name}");
                } else {
                    all.iter().for_each(|entity| world.despawn(*entity).unwrap());
                }
                assert!(world.is_empty(), "{name}");
                let mut removed = removed.lock().unwrap().clone();
                removed.sort_unstable();
                assert_eq!(removed, ["A", "A", "B", "B", "C", "C"], "{name}");
                world.check_invariants();
            }
        }
    }
}

#[derive(Component, Debug, PartialEq)]
struct Plain(u32);

#[test]
fn an_entity_that_is_being_despawned_is_changed_in_silence_and_given_nothing() {
    let mut world = World::new();
    world.on_update::<B>(|_, _| panic!("it is about to go"));
    world.on_insert::<C>(|_, _| panic!("it is about to go"));
    world.on_remove::<A>(|world, entity| {
        assert!(world.patch::<B>(entity, |b| b.0 += 1));
        assert_eq!(world.get::<B>(entity), Some(&B(3)));
        let refused = Err(NoSuchEntityError(entity));
        assert_eq!(world.insert(entity, (B(9), C(1))), refused);
        assert_eq!(world.replace(entity, B(9)).err(), refused.err());
        assert_eq!(world.insert_batch([(entity, C(1))]).unwrap_err().count, 1);
        assert!(world.is_alive(entity) && world.has::<(A, B)>(entity));
    });
    let entity = world.spawn((A(1), B(2))).id();
    world.despawn(entity).unwrap();
    assert!(!world.is_alive(entity));
}

#[test]
fn a_removal_inside_an_observer_of_the_same_removal_gets_the_value() {
    let mut world = World::new();
    let removed = counted(&mut world);
    world.on_remove::<A>(|world, entity| assert_eq!(world.remove::<A>(entity), Some(A(1))));
    let all = world.spawn_batch((0..3).map(|_| A(1)));
    assert_eq!(world.remove::<A>(all[0]), None, "the observer has it");
    assert_eq!(world.remove_batch::<A>(&all), 2);
    assert_eq!(*removed.lock().unwrap(), ["A"; 3]);
    world.check_invariants();
}

/// No observer was notified of the inserted `B`, so none is notified of its removal; the count includes it.
#[test]
fn remove_batch_counts_components_whose_insertion_was_not_observed_yet() {
    #[derive(Component)]
    struct Removed(usize);
    let (mut world, log) = (World::new(), Log::default());
    world.on_insert::<A>(|world, entity| {
        let all: Vec<Entity> = world.pool::<B>().keys().to_vec();
        assert!(all.contains(&entity));
        let removed = world.remove_batch::<B>(&all);
        world.spawn(Removed(removed));
    });
    log.observe::<B>(&mut world, "B");
    let other = world.spawn_batch([B(1), B(2)]);
    assert_eq!(log.take(), ["B came", "B came"]);
    let entity = world.spawn((A(1), B(1))).id();
    assert_eq!(log.take(), ["B goes", "B goes"], "the `B` of the new entity was not observed");
    assert!(![entity, other[0], other[1]].into_iter().any(|it| world.has::<B>(it)));
    assert_eq!(world.view::<Removed>().single().unwrap().1.0, 3);
    world.check_invariants();
}

#[test]
fn observers_are_called_once_for_an_entity_repeated_in_a_large_batch() {
    for (first, second) in [(0, 1), (5, 90), (3, 127), (0, 128), (127, 299), (298, 299)] {
        let (mut world, log) = logged();
        world.on_batch::<Inserted<A>>(|_, entities| assert_eq!(entities.len(), 299));
        let mut entities: Vec<Entity> = (0..300).map(|_| world.spawn_empty().id()).collect();
        entities[second] = entities[first];
        world.insert_batch(entities.iter().map(|&entity| (entity, A(1)))).unwrap();
        assert_eq!(log.take(), vec!["A came"; 299], "{first} is {second}");
        world.insert_batch(entities.iter().map(|&entity| (entity, (A(2), B(1))))).unwrap();
        let told = log.take();
        let count = |what| told.iter().filter(|told| *told == what).count();
        assert_eq!((count("A changed"), count("B came"), told.len()), (299, 299, 598));
    }
}

/// Each kind of edit inserts a component twice into one entity, as constants cannot detect.
#[test]
fn a_component_that_is_twice_in_a_bundle_is_notified_once() {
    #[derive(Component)]
    struct Of<T>(T);
    let twice = || (Of(1_u8), Of(2_u8));
    let (mut world, log) = (World::new(), Log::default());
    let came = world.collector::<Inserted<Of<u8>>>();
    let changed = world.collector::<Updated<Of<u8>>>();
    for is_observed in [false, true] {
        if is_observed {
            log.observe::<Of<u8>>(&mut world, "it");
        }
        let spawned = world.spawn(twice()).id();
        let given = world.spawn_empty().id();
        world.insert(given, twice()).unwrap();
        let entities = world.spawn_batch([twice(), twice()]);
        let empty = [world.spawn_empty().id(), world.spawn_empty().id()];
        world.insert_batch(empty.map(|entity| (entity, twice()))).unwrap();
        let all = [&[spawned, given], &entities[..], &empty].concat();
        assert_eq!(log.take(), vec!["it came"; if is_observed { 6 } else { 0 }]);
        assert_eq!((world.drain(came), world.drain(changed)), (all.clone(), vec![]));
        world.insert(spawned, twice()).unwrap();
        world.insert_batch([(given, twice())]).unwrap();
        assert_eq!(log.take(), vec!["it changed"; if is_observed { 2 } else { 0 }]);
        assert_eq!((world.drain(came), world.drain(changed)), (vec![], all[..2].into()));
    }
}

#[test]
fn all_observers_of_a_batch_are_notified_once_of_all_entities() {
    let (mut world, log) = (World::new(), Log::default());
    let (in_order, reversed) = (["first", "second", "third"], ["third", "second", "first"]);
    for name in in_order {
        let note = || {
            let log = log.clone();
            move |_: &mut World, all: &[Entity]| log.note(format!("{name} of {}", all.len()))
        };
        world.on_batch::<Inserted<A>>(note());
        world.on_batch::<Removed<A>>(note());
    }
    let expected = |names: [&str; 3], count| names.map(|name| format!("{name} of {count}"));
    for is_observed_each in [false, true] {
        let each = log.clone();
        if is_observed_each {
            world.on_insert::<A>(move |_, _| each.note("each"));
        }
        let entities = world.spawn_batch((0..4).map(A));
        let told = log.take();
        let (by_each, at_once) = told.split_at(if is_observed_each { 4 } else { 0 });
        assert_eq!(at_once, expected(in_order, 4));
        assert!(by_each.iter().all(|told| told == "each"));
        assert_eq!(world.remove_batch::<A>(&entities[..2]), 2);
        assert_eq!(log.take(), expected(reversed, 2));
        assert_eq!(world.despawn_batch(&entities), 4);
        assert_eq!(log.take(), expected(reversed, 2));
    }
}

/// An observer of a batch edits one of its entities: later observers are notified of that entity first, and the panic of
/// one is caught.
#[test]
fn observers_of_a_batch_are_notified_of_an_entity_once_though_one_panics() {
    fn edit_first(world: &mut World, entities: &[Entity]) {
        if entities.len() > 1 {
            let message = panics(|| world.remove::<A>(entities[0]));
            assert_eq!(message.as_deref(), Some("alone"));
        }
    }
    let panicking = |log: &Log| {
        let log = log.clone();
        move |_: &mut World, entities: &[Entity]| {
            log.note(format!("panicking of {}", entities.len()));
            assert!(entities.len() > 1, "alone");
        }
    };
    let counting = |log: &Log| {
        let log = log.clone();
        move |_: &mut World, entities: &[Entity]| log.note(format!("of {}", entities.len()))
    };
    let expected = ["panicking of 1", "panicking of 2", "of 3"];
    let (mut world, log) = (World::new(), Log::default());
    world.on_batch::<Inserted<A>>(edit_first);
    world.on_batch::<Inserted<A>>(panicking(&log));
    world.on_batch::<Inserted<A>>(counting(&log));
    let entities = world.spawn_batch((0..3).map(A));
    assert_eq!(log.take(), expected);
    // Later observers are notified of removals first.
    world.on_batch::<Removed<A>>(counting(&log));
    world.on_batch::<Removed<A>>(panicking(&log));
    world.on_batch::<Removed<A>>(edit_first);
    assert_eq!(world.remove_batch::<A>(&entities), 3);
    assert_eq!(log.take(), expected);
    world.check_invariants();
}

/// There are no observers of removals; the remaining observers of the insertion are still called first.
#[test]
fn insertion_observers_are_called_before_the_component_is_removed() {
    let edits: [fn(&mut World); 5] = [
        |world| _ = world.spawn(A(1)).id(),
        |world| _ = world.spawn_batch([A(1), A(2)]),
        |world| _ = world.spawn_empty().insert(A(1)),
        |world| _ = world.spawn_empty().insert((C(1), A(1))),
        |world| {
            let entity = world.spawn_empty().id();
            world.insert_batch([(entity, A(1)), (entity, A(2))]).unwrap();
        },
    ];
    let ends: [fn(&mut World, Entity); 3] = [
        |world, entity| world.despawn(entity).unwrap(),
        |world, entity| assert_eq!(world.despawn_batch(&[entity, entity]), 1),
        |world, entity| _ = world.remove::<A>(entity),
    ];
    for (edit, end) in edits.iter().flat_map(|edit| ends.iter().map(move |end| (edit, end))) {
        let (mut world, log) = (World::new(), Log::default());
        world.on_insert::<A>(*end);
        let heard = log.clone();
        world.on_insert::<A>(move |world, entity| {
            assert!(world.get::<A>(entity).is_some(), "the component is still present");
            heard.note("second");
        });
        edit(&mut world);
        assert!(!log.take().is_empty());
        assert_eq!(world.view::<A>().count(), 0);
        world.check_invariants();
    }
}
