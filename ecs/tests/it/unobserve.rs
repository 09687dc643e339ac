//! Adding observers during calls, and removing observers.

use ecs::{Component, Entity, Inserted, ObserverId, Removed, Resource, Updated, World};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

#[derive(Component)]
struct A(u32);
#[derive(Component)]
struct B;

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn note(&self, what: impl Into<String>) {
        self.0.lock().unwrap().push(what.into());
    }

    #[track_caller]
    fn expect(&self, expected: &[&str]) {
        assert_eq!(std::mem::take(&mut *self.0.lock().unwrap()), expected);
    }
}

/// An observer of any kind.
type Call = Box<dyn Fn(&mut World) + Send + Sync>;

/// An operation that calls observers: adds a closure as an observer, and performs the operation.
struct Happening {
    name: &'static str,
    observe: fn(&mut World, Call) -> ObserverId,
    happen: fn(&mut World),
}

/// An entity with an `A`, for updates and events.
#[derive(Resource)]
struct Subject(Entity);

fn subject(world: &World) -> Entity {
    world.resource::<Subject>().0
}

fn world() -> World {
    let mut world = World::new();
    let entity = world.spawn(A(1)).id();
    world.insert_resource(Subject(entity));
    world
}

const HAPPENINGS: [Happening; 9] = [
    Happening {
        name: "an event",
        observe: |world, call| world.on::<u32>(move |world, _| call(world)),
        happen: |world| world.send(&1_u32),
    },
    Happening {
        name: "an event to an entity",
        observe: |world, call| world.on_entity::<u32>(move |world, _, _| call(world)),
        happen: |world| world.send_to(subject(world), &1_u32).unwrap(),
    },
    Happening {
        name: "an insertion",
        observe: |world, call| world.on_insert::<A>(move |world, _| call(world)),
        happen: |world| _ = world.spawn(A(1)).id(),
    },
    Happening {
        name: "an insertion of two",
        observe: |world, call| world.on_insert::<A>(move |world, _| call(world)),
        happen: |world| _ = world.spawn((B, A(1))).id(),
    },
    Happening {
        name: "an update",
        observe: |world, call| world.on_update::<A>(move |world, _| call(world)),
        happen: |world| world.insert(subject(world), A(2)).unwrap(),
    },
    Happening {
        name: "a patch",
        observe: |world, call| world.on_update::<A>(move |world, _| call(world)),
        happen: |world| _ = world.patch::<A>(subject(world), |a| a.0 += 1),
    },
    Happening {
        name: "a removal",
        observe: |world, call| world.on_remove::<B>(move |world, _| call(world)),
        happen: |world| {
            let entity = world.spawn(B).id();
            world.remove::<B>(entity);
        },
    },
    Happening {
        name: "an end",
        observe: |world, call| world.on_remove::<B>(move |world, _| call(world)),
        happen: |world| world.spawn(B).despawn().unwrap(),
    },
    Happening {
        name: "the end of several",
        observe: |world, call| {
            world.on_remove::<A>(move |world, entity| {
                if world.get::<A>(entity).unwrap().0 == 1 {
                    call(world);
                }
            })
        },
        happen: |world| {
            let all = world.spawn_batch([A(0), A(1)]);
            world.despawn_batch(&all);
        },
    },
];

impl Happening {
    /// Adds an observer that writes `name` to the log.
    fn note(&self, world: &mut World, log: &Log, name: &'static str) -> ObserverId {
        let log = log.clone();
        (self.observe)(world, Box::new(move |_| log.note(name)))
    }

    /// Returns `true` for removals, whose observers are called in reverse order.
    fn goes(&self) -> bool {
        matches!(self.name, "a removal" | "an end" | "the end of several")
    }
}

#[test]
fn an_observer_added_during_a_call_is_first_called_for_the_next_operation() {
    for it in &HAPPENINGS {
        let (mut world, log) = (world(), Log::default());
        it.note(&mut world, &log, "first");
        let (begins, observe) = (log.clone(), it.observe);
        let ended = Arc::new(Mutex::new(None));
        let own = ended.clone();
        let id = (it.observe)(
            &mut world,
            Box::new(move |world| {
                begins.note("begins another");
                let log = begins.clone();
                observe(world, Box::new(move |_| log.note("another")));
                if let Some(id) = own.lock().unwrap().take() {
                    assert!(world.unobserve(id));
                }
            }),
        );
        *ended.lock().unwrap() = Some(id);
        it.note(&mut world, &log, "last");
        (it.happen)(&mut world);
        let mut once = ["first", "begins another", "last"];
        if it.goes() {
            once.reverse();
        }
        log.expect(&once);
        (it.happen)(&mut world);
        let mut twice = ["first", "last", "another"];
        if it.goes() {
            twice.reverse();
        }
        log.expect(&twice);
        world.check_invariants();
    }
}

#[test]
fn unobserve_returns_true_once_and_stops_all_calls() {
    for it in &HAPPENINGS {
        let (mut world, log) = (world(), Log::default());
        let [first, second] = ["first", "second"].map(|name| it.note(&mut world, &log, name));
        assert!(world.unobserve(first), "{}", it.name);
        assert!(!world.unobserve(first), "{}", it.name);
        (it.happen)(&mut world);
        log.expect(&["second"]);
        assert!(world.unobserve(second));
        assert!(!world.unobserve(second) && !world.unobserve(first));
        (it.happen)(&mut world);
        log.expect(&[]);
        // A later observer has another id.
        let third = it.note(&mut world, &log, "third");
        assert!(third != first && third != second && !world.unobserve(second));
        (it.happen)(&mut world);
        log.expect(&["third"]);
    }
}

#[test]
fn an_observer_may_remove_itself_and_its_neighbours_during_its_call() {
    for it in &HAPPENINGS {
        // Named by the order in which they are called.
        let names = if it.goes() { ["2", "1", "0"] } else { ["0", "1", "2"] };
        for (ended, told, later) in [
            ("0", &["0", "1", "2"][..], ["1", "2"]),
            ("1", &["0", "1", "2"], ["0", "2"]),
            ("2", &["0", "1"], ["0", "1"]),
        ] {
            let (mut world, log) = (world(), Log::default());
            let ids = Arc::new(Mutex::new(BTreeMap::new()));
            for name in names {
                let (log, known) = (log.clone(), ids.clone());
                let call = move |world: &mut World| {
                    log.note(name);
                    if name == "1" {
                        let id: ObserverId = known.lock().unwrap()[ended];
                        log.0
                            .lock()
                            .unwrap()
                            .extend(world.unobserve(id).then(|| "ends".to_owned()));
                        assert!(!world.unobserve(id));
                    }
                };
                let id = (it.observe)(&mut world, Box::new(call));
                ids.lock().unwrap().insert(name, id);
            }
            (it.happen)(&mut world);
            let at = told.iter().position(|name| *name == "1").unwrap() + 1;
            log.expect(&[&told[..at], &["ends"], &told[at..]].concat());
            if ended == "1" {
                (it.happen)(&mut world);
                log.expect(&later);
            }
            world.check_invariants();
        }
    }
}

/// A lone observer is called by a shorter path than several.
#[test]
fn a_lone_observer_may_replace_itself_during_its_call() {
    for it in &HAPPENINGS {
        let (mut world, log) = (world(), Log::default());
        let (observe, own) = (it.observe, Arc::new(Mutex::new(None)));
        let (begins, known) = (log.clone(), own.clone());
        let first = move |world: &mut World| {
            begins.note("first");
            let id: ObserverId = known.lock().unwrap().take().unwrap();
            assert!(world.unobserve(id));
            let log = begins.clone();
            observe(world, Box::new(move |_| log.note("second")));
        };
        let id = (it.observe)(&mut world, Box::new(first));
        *own.lock().unwrap() = Some(id);
        for told in ["first", "second", "second"] {
            (it.happen)(&mut world);
            log.expect(&[told]);
        }
    }
}

#[derive(Resource)]
struct Known(ObserverId);

/// A function that observes alone is called by a path of its own, and not if it began within the batch.
#[test]
fn a_function_that_replaces_another_during_a_batch_is_first_called_for_the_next() {
    fn first(world: &mut World, _: Entity) {
        world.resource_mut::<Batches>().0.push(1);
        let Known(id) = *world.resource::<Known>();
        assert!(world.unobserve(id));
        world.on_insert::<A>(second);
    }
    fn second(world: &mut World, _: Entity) {
        world.resource_mut::<Batches>().0.push(2);
    }
    let mut world = World::new();
    world.insert_resource(Batches::default());
    let id = world.on_insert::<A>(first);
    world.insert_resource(Known(id));
    world.spawn_batch((0..3).map(A));
    assert_eq!(world.resource::<Batches>().0, [1]);
    world.spawn_batch((0..3).map(A));
    assert_eq!(world.resource::<Batches>().0, [1, 2, 2, 2]);
}

fn count(world: &mut World, _: Entity) {
    world.resource_mut::<Batches>().0.push(1);
}

/// Function pointers are called by a path of their own.
#[test]
fn unobserve_removes_function_observers() {
    let mut world = world();
    world.insert_resource(Batches::default());
    let entity = subject(&world);
    for (begin, happen) in [
        (
            (|world| world.on_insert::<A>(count)) as fn(&mut World) -> ObserverId,
            (|world, _| _ = world.spawn(A(1)).id()) as fn(&mut World, Entity),
        ),
        (|world| world.on_insert::<A>(count), |world, _| _ = world.spawn((A(1), B)).id()),
        (|world| world.on_insert::<A>(count), |world, _| _ = world.spawn_batch([A(1)])),
        (|world| world.on_update::<A>(count), |world, it| world.insert(it, A(2)).unwrap()),
        (|world| world.on_update::<A>(count), |world, it| _ = world.patch::<A>(it, |a| a.0 += 1)),
        (
            |world| world.on_update::<A>(count),
            |world, it| {
                world.insert_batch([(it, A(1))]).unwrap();
            },
        ),
        (|world| world.on_remove::<B>(count), |world, _| world.spawn(B).despawn().unwrap()),
        (|world| world.on_remove::<B>(count), |world, _| _ = world.spawn(B).remove::<B>()),
        (
            |world| world.on::<u32>(|world, _| count(world, subject(world))),
            |world, _| world.send(&1_u32),
        ),
        (
            |world| world.on_entity::<u32>(|world, entity, _| count(world, entity)),
            |world, it| world.send_to(it, &1_u32).unwrap(),
        ),
    ] {
        let calls = |world: &mut World| {
            happen(world, entity);
            std::mem::take(&mut world.resource_mut::<Batches>().0).len()
        };
        assert_eq!(calls(&mut world), 0);
        let [one, other] = [begin(&mut world), begin(&mut world)];
        assert_eq!(calls(&mut world), 2);
        assert!(world.unobserve(one) && !world.unobserve(one));
        assert_eq!(calls(&mut world), 1);
        assert!(world.unobserve(other) && !world.unobserve(other));
        assert_eq!(calls(&mut world), 0);
        // A lone observer is called without a lookup.
        let only = begin(&mut world);
        assert_eq!(calls(&mut world), 1);
        assert!(world.unobserve(only) && !world.unobserve(only));
        assert_eq!(calls(&mut world), 0);
    }
}

fn note_batch(world: &mut World, entities: &[Entity]) {
    world.resource_mut::<Batches>().0.push(entities.len());
}

#[derive(Resource, Default)]
struct Batches(Vec<usize>);

#[test]
fn unobserve_removes_batch_observers_before_during_and_after_a_batch() {
    let mut world = World::new();
    world.insert_resource(Batches::default());
    let ids = [
        world.on_batch::<Inserted<A>>(note_batch),
        world.on_batch::<Updated<A>>(note_batch),
        world.on_batch::<Removed<A>>(note_batch),
    ];
    let told = |world: &mut World| {
        let entities = world.spawn_batch((0..3).map(A));
        world.insert_batch(entities.iter().map(|&entity| (entity, A(7)))).unwrap();
        world.remove_batch::<A>(&entities);
        world.despawn_batch(&entities);
        std::mem::take(&mut world.resource_mut::<Batches>().0).len()
    };
    assert_eq!(told(&mut world), 3);
    for (left, id) in (0..3).rev().zip(ids) {
        assert!(world.unobserve(id) && !world.unobserve(id));
        assert_eq!(told(&mut world), left);
    }
    // Observers of single entities are called before batch observers, and may remove them.
    let ended = world.on_batch::<Inserted<A>>(|_, _| panic!("it was removed"));
    world.on_insert::<A>(move |world, _| _ = world.unobserve(ended));
    world.on_batch::<Inserted<A>>(note_batch);
    let own = Arc::new(Mutex::new(None));
    let known = own.clone();
    world.on_batch::<Inserted<A>>(|world, _| world.send(&()));
    let id = world.on::<()>(move |world, ()| {
        let id = known.lock().unwrap().take();
        assert!(id.is_some_and(|id| world.unobserve(id)), "it is called once");
    });
    *own.lock().unwrap() = Some(id);
    world.spawn_batch((0..3).map(A));
    world.spawn_batch((0..2).map(A));
    world.spawn(A(1));
    assert_eq!(world.resource::<Batches>().0, [3, 2, 1]);
}

#[test]
fn an_unknown_id_from_another_world_removes_nothing() {
    let (mut here, log) = (world(), Log::default());
    let ids = HAPPENINGS.each_ref().map(|it| it.note(&mut here, &log, it.name));
    let mut elsewhere = World::new();
    // The other world has issued more ids, so this one is unknown here.
    let foreign = (0..100).map(|_| elsewhere.on::<u8>(|_, _| {})).last().unwrap();
    assert!(!here.unobserve(foreign), "no observer has this id");
    assert!(!World::new().unobserve(ids[0]), "a world without observers removes none");
    for (at, it) in HAPPENINGS.iter().enumerate() {
        (it.happen)(&mut here);
        assert!(log.0.lock().unwrap().iter().any(|told| told == it.name), "{at}");
        log.0.lock().unwrap().clear();
    }
    assert!(ids.into_iter().all(|id| here.unobserve(id)), "all are still there");
}

#[test]
fn unobserve_and_uncollect_do_not_affect_each_other() {
    let (mut world, log) = (world(), Log::default());
    let entity = subject(&world);
    let all = world.collector::<(Inserted<A>, Updated<A>, Removed<A>)>();
    let observers = HAPPENINGS.each_ref().map(|it| it.note(&mut world, &log, it.name));
    assert!(observers.into_iter().all(|id| world.unobserve(id)));
    let other = world.spawn(A(1)).id();
    world.insert(entity, A(2)).unwrap();
    assert_eq!(world.drain(all), [other, entity], "the collector is unaffected");
    log.expect(&[]);
    // Removing a collector leaves observers in place.
    let heard = log.clone();
    let id = world.on_insert::<A>(move |_, _| heard.note("heard"));
    assert!(world.unobserve(all) && !world.unobserve(all));
    world.spawn(A(1));
    log.expect(&["heard"]);
    let again = world.collector::<Inserted<A>>();
    assert!(world.unobserve(id) && !world.unobserve(id));
    let last = world.spawn(A(1)).id();
    assert_eq!(world.drain(again), [last]);
    log.expect(&[]);
    // An observer removes a collector.
    let ends = world.on_update::<A>(move |world, _| assert!(world.unobserve(again)));
    world.insert(last, A(3)).unwrap();
    assert!(world.unobserve(ends) && !world.unobserve(again));
}
