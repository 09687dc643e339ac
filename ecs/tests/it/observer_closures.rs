//! Observers that are functions, closures that capture nothing, and closures that capture.

use crate::fixtures::panics;
use ecs::{Component, Entity, Inserted, ObserverId, Removed, Resource, Updated, World};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

#[derive(Component, Clone, Debug, PartialEq)]
struct A(u32);
#[derive(Component, Clone, Debug, PartialEq)]
struct B(u32);

/// The notifications of observers that capture nothing.
#[derive(Resource, Default)]
struct Heard(Vec<&'static str>);

fn hear(world: &mut World, what: &'static str) {
    world.resource_mut::<Heard>().0.push(what);
}

fn new_world() -> World {
    let mut world = World::new();
    world.insert_resource(Heard::default());
    world
}

#[test]
fn functions_pointers_and_closures_are_observers() {
    fn came(world: &mut World, _: Entity) {
        hear(world, "function");
    }
    fn all_came(world: &mut World, _: &[Entity]) {
        hear(world, "function of all");
    }
    let mut world = new_world();
    let captured = "captured";
    world.on_insert::<A>(came);
    world.on_insert::<A>(|world, _| hear(world, "closure"));
    world.on_insert::<A>(came as fn(&mut World, Entity));
    world.on_insert::<A>(move |world, _| hear(world, captured));
    world.on_batch::<Inserted<A>>(all_came);
    world.on_batch::<Inserted<A>>(move |world, _| hear(world, captured));
    world.spawn(A(1));
    let heard = ["function", "closure", "function", "captured", "function of all", "captured"];
    assert_eq!(std::mem::take(&mut world.resource_mut::<Heard>().0), heard);

    world.spawn_batch([A(1)]);
    assert_eq!(world.resource::<Heard>().0, heard);
}

#[test]
fn every_method_accepts_closures_that_capture() {
    type Begin = fn(&mut World, Arc<AtomicUsize>) -> ObserverId;
    fn add(count: &AtomicUsize) {
        count.fetch_add(1, Ordering::Relaxed);
    }
    let observers: [Begin; 8] = [
        |world, count| world.on_insert::<A>(move |_, _| add(&count)),
        |world, count| world.on_update::<A>(move |_, _| add(&count)),
        |world, count| world.on_remove::<A>(move |_, _| add(&count)),
        |world, count| world.on_batch::<Inserted<A>>(move |_, _| add(&count)),
        |world, count| world.on_batch::<Updated<A>>(move |_, _| add(&count)),
        |world, count| world.on_batch::<Removed<A>>(move |_, _| add(&count)),
        |world, count| world.on::<u8>(move |_, _| add(&count)),
        |world, count| world.on_entity::<u8>(move |_, _, _| add(&count)),
    ];
    for begin in observers {
        let (mut world, count) = (World::new(), Arc::new(AtomicUsize::new(0)));
        let observer = begin(&mut world, Arc::clone(&count));
        let live = |world: &mut World| {
            let entity = world.spawn(A(1)).insert(A(2)).id();
            world.send(&1_u8);
            world.send_to(entity, &1_u8).unwrap();
            world.despawn(entity).unwrap();
        };
        live(&mut world);
        assert_eq!(count.load(Ordering::Relaxed), 1);
        assert!(world.unobserve(observer));
        assert_eq!(Arc::strong_count(&count), 1, "what it captured is dropped");
        live(&mut world);
        assert_eq!(count.load(Ordering::Relaxed), 1);
    }
}

#[test]
fn a_capture_without_size_is_dropped_with_its_observer() {
    static DROPPED: AtomicUsize = AtomicUsize::new(0);
    struct Guard;
    impl Drop for Guard {
        fn drop(&mut self) {
            DROPPED.fetch_add(1, Ordering::Relaxed);
        }
    }
    let mut world = World::new();
    let (one, all, event) = (Guard, Guard, Guard);
    let observers = [
        world.on_insert::<A>(move |_, _| _ = &one),
        world.on_batch::<Inserted<A>>(move |_, _| _ = &all),
        world.on::<u8>(move |_, _| _ = &event),
    ];
    world.spawn(A(1));
    for (ended, observer) in observers.into_iter().enumerate() {
        assert_eq!(DROPPED.load(Ordering::Relaxed), ended);
        world.unobserve(observer);
    }
    assert_eq!(DROPPED.load(Ordering::Relaxed), 3);
}

/// Writes to the log when it is dropped.
struct Capture(Arc<Mutex<Vec<String>>>);

impl Capture {
    fn note(&self, what: &str) {
        self.0.lock().unwrap().push(what.to_owned());
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        self.note("dropped");
    }
}

#[test]
fn a_closure_that_ends_itself_is_dropped_after_its_call() {
    #[derive(Resource)]
    struct Own(ObserverId);
    type Edit = fn(&mut World);
    let edits: [Edit; 3] = [
        |world| _ = world.spawn(A(1)),
        |world| _ = world.spawn_batch([A(1), A(2), A(3)]),
        |world| _ = world.spawn_batch([(A(1), B(1)), (A(2), B(2))]),
    ];
    let others: [fn(&mut World); 4] = [
        |_| (),
        |world| _ = world.on_insert::<A>(|_, _| ()),
        |world| _ = world.on_batch::<Inserted<A>>(|_, _| ()),
        |world| _ = world.collector::<Inserted<B>>(),
    ];
    for edit in edits {
        for other in others {
            for at_once in [false, true] {
                let mut world = World::new();
                let log = Arc::new(Mutex::new(Vec::new()));
                let capture = Capture(Arc::clone(&log));
                let end = move |world: &mut World| {
                    let own = world.resource::<Own>().0;
                    assert!(world.unobserve(own));
                    capture.note("ended");
                };
                let own = if at_once {
                    world.on_batch::<Inserted<A>>(move |world, _| end(world))
                } else {
                    world.on_insert::<A>(move |world, _| end(world))
                };
                world.insert_resource(Own(own));
                other(&mut world);
                edit(&mut world);
                assert_eq!(*log.lock().unwrap(), ["ended", "dropped"]);
            }
        }
    }
}

#[test]
fn a_closure_may_be_called_while_it_runs() {
    type Spawn = fn(&mut World, u32);
    let spawns: [Spawn; 2] = [
        |world, left| _ = world.spawn(A(left)),
        |world, left| _ = world.spawn_batch([A(left), A(0)]),
    ];
    for spawn in spawns {
        for several in [false, true] {
            let (mut world, depth) = (World::new(), Arc::new(Mutex::new(Vec::new())));
            let depths = Arc::clone(&depth);
            world.on_insert::<A>(move |world, entity| {
                let left = world.get::<A>(entity).unwrap().0;
                depths.lock().unwrap().push(left);
                if left > 0 {
                    spawn(world, left - 1);
                }
            });
            if several {
                world.on_insert::<A>(|_, _| ());
            }
            spawn(&mut world, 3);
            let mut depths = depth.lock().unwrap().clone();
            depths.sort_unstable();
            depths.retain(|&left| left > 0);
            assert_eq!(depths, [1, 2, 3]);
            assert_eq!(Arc::strong_count(&depth), 2);
        }
    }
}

#[test]
fn a_closure_is_called_again_after_it_panicked() {
    for several in [false, true] {
        let (mut world, count) = (World::new(), Arc::new(AtomicUsize::new(0)));
        let calls = Arc::clone(&count);
        let observer = world.on_insert::<A>(move |_, _| {
            assert_eq!(calls.fetch_add(1, Ordering::Relaxed) % 2, 1, "each second time");
        });
        if several {
            world.on_insert::<A>(|_, _| ());
        }
        for _ in 0..3 {
            assert!(panics(|| _ = world.spawn(A(1))).is_some());
            assert!(panics(|| _ = world.spawn(A(1))).is_none());
            assert!(panics(|| drop(world.spawn_batch([A(1), A(2)]))).is_some());
            assert!(panics(|| drop(world.spawn_batch([A(1), A(2), A(3)]))).is_some());
            count.store(0, Ordering::Relaxed);
        }
        world.unobserve(observer);
        assert_eq!(Arc::strong_count(&count), 1);
    }
}

#[test]
fn a_closure_that_is_lent_for_a_batch_can_be_replaced_during_it() {
    #[derive(Resource)]
    struct Own(ObserverId);
    fn begin(world: &mut World, log: Arc<Mutex<Vec<u32>>>) {
        let own = world.on_insert::<A>(move |world, entity| {
            let value = world.get::<A>(entity).unwrap().0;
            log.lock().unwrap().push(value);
            if value == 2 {
                let own = world.resource::<Own>().0;
                world.unobserve(own);
                begin(world, Arc::clone(&log));
            }
        });
        world.insert_resource(Own(own));
    }
    let (mut world, log) = (World::new(), Arc::new(Mutex::new(Vec::new())));
    begin(&mut world, Arc::clone(&log));
    world.spawn_batch((1..5).map(A));
    assert_eq!(*log.lock().unwrap(), [1, 2], "the new one is notified of later operations");
    world.spawn_batch((5..8).map(A));
    assert_eq!(*log.lock().unwrap(), [1, 2, 5, 6, 7]);
    assert_eq!(Arc::strong_count(&log), 2);
}
