//! Observers that cause the change that they observe: on a stack of 2 MiB, in every build, they end in a panic
//! that says so.

use ecs::{Commands, Component, Entity, Inserted, Removed, World};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// Large, so that unoptimised code copies it through many places on the stack.
#[derive(Component, Clone)]
#[component(clone)]
struct Large([u64; 64]);

#[derive(Component, Clone)]
#[component(clone)]
struct Other(#[allow(dead_code, reason = "takes room on the stack")] [u64; 64]);

const LARGE: Large = Large([7; 64]);

/// The stack of threads that the standard library spawns.
const STACK: usize = 2 << 20;

/// Calls `edit`, which causes itself, on a small stack. It panics with a clear message and leaves a world that works.
fn panics(prepare: fn(&mut World), edit: fn(&mut World)) {
    let run = move || {
        let mut world = World::new();
        prepare(&mut world);
        let payload = catch_unwind(AssertUnwindSafe(|| edit(&mut world))).unwrap_err();
        let message = payload.downcast::<String>().unwrap();
        assert!(message.starts_with("observers call each other without end: "), "{message}");
        world.check_invariants();
        let (copy, len) = (world.try_clone().unwrap(), world.len());
        copy.check_invariants();
        assert!(len > 0 && copy.len() == len);
    };
    thread::Builder::new().stack_size(STACK).spawn(run).unwrap().join().unwrap();
}

fn first(world: &World) -> Entity {
    world.view::<&Large>().iter().next().unwrap().0
}

#[test]
fn spawning_inside_an_insert_observer_without_end_panics() {
    panics(
        |world| _ = world.on_insert::<Large>(|world, _| _ = world.spawn(LARGE)),
        |world| _ = world.spawn(LARGE),
    );
    panics(
        |world| {
            world.on_insert::<Large>(|world, _| _ = world.spawn((LARGE, Other([1; 64]))));
            world.on_insert::<Other>(|_, _| ());
        },
        |world| _ = world.spawn(LARGE),
    );
    panics(
        |world| {
            let spawn: fn(&mut World) = |world| _ = world.spawn(LARGE);
            world.on_insert::<Large>(move |world, _| spawn(world));
        },
        |world| _ = world.spawn(LARGE),
    );
    panics(
        |world| {
            world.on_insert::<Large>(|world, _| {
                world.spawn_batch((0..3).map(|_| (LARGE, Other([1; 64]))));
            });
        },
        |world| _ = world.spawn_batch([LARGE, LARGE]),
    );
    panics(
        |world| {
            world.on_batch::<Inserted<Large>>(|world, _| {
                _ = world.spawn_batch([LARGE, LARGE, LARGE]);
            });
        },
        |world| _ = world.spawn_batch([LARGE, LARGE]),
    );
}

#[test]
fn editing_inside_an_observer_without_end_panics() {
    panics(
        |world| {
            world.on_insert::<Large>(|world, _| {
                let entity = world.spawn_empty().id();
                world.insert(entity, LARGE).unwrap();
            });
        },
        |world| _ = world.spawn(LARGE),
    );
    panics(
        |world| {
            world.on_insert::<Large>(|world, _| {
                let entities = [(); 3].map(|()| world.spawn_empty().id());
                world.insert_batch(entities.map(|it| (it, LARGE))).unwrap();
            });
        },
        |world| _ = world.spawn(LARGE),
    );
    panics(
        |world| {
            world.spawn(LARGE);
            world.on_update::<Large>(|world, _| {
                let entity = world.spawn(Other([1; 64])).insert(LARGE).id();
                _ = world.replace(entity, LARGE);
            });
        },
        |world| _ = world.replace(first(world), LARGE),
    );
    panics(
        |world| {
            world.spawn(LARGE);
            world.on_update::<Large>(|world, entity| {
                world.patch::<Large>(entity, |value| value.0[0] += 1);
            });
        },
        |world| _ = world.patch::<Large>(first(world), |value| value.0[0] += 1),
    );
    panics(
        |world| {
            world.spawn_batch((0..1000).map(|_| LARGE));
            world.on_remove::<Large>(|world, gone| {
                let others = world.view::<&Large>();
                let other = others.iter().map(|it| it.0).find(|it| it.index() > gone.index());
                _ = other.map(|it| world.remove::<Large>(it));
            });
        },
        |world| _ = world.remove::<Large>(first(world)),
    );
    panics(
        |world| {
            world.spawn_batch((0..1000).map(|_| LARGE));
            world.on_remove::<Large>(|world, gone| {
                let others = world.view::<&Large>();
                let other = others.iter().map(|it| it.0).find(|it| it.index() > gone.index());
                _ = other.map(|it| world.despawn(it));
            });
        },
        |world| world.despawn(first(world)).unwrap(),
    );
    panics(
        |world| {
            world.spawn_batch((0..3000).map(|_| LARGE));
            world.on_batch::<Removed<Large>>(|world, gone| {
                let last = gone.iter().map(|it| it.index()).max().unwrap();
                let others = world.view::<&Large>();
                let others = others.iter().map(|it| it.0).filter(|it| it.index() > last).take(2);
                let others: Vec<Entity> = others.collect();
                world.despawn_batch(&others);
            });
        },
        |world| _ = world.despawn_batch(&[first(world)]),
    );
}

#[test]
fn commands_and_events_inside_observers_without_end_panic() {
    panics(
        |world| {
            world.on_insert::<Large>(|world, _| {
                let mut commands = Commands::new();
                for _ in 0..3 {
                    commands.spawn(&*world, (LARGE, Other([1; 64])));
                }
                commands.apply(world);
            });
        },
        |world| _ = world.spawn(LARGE),
    );
    panics(
        |world| {
            world.on_insert::<Large>(|world, _| {
                let mut commands = Commands::new();
                commands.queue(|world| _ = world.spawn((LARGE, Other([1; 64]))));
                commands.apply(world);
            });
        },
        |world| _ = world.spawn(LARGE),
    );
    panics(
        |world| {
            world.spawn(LARGE);
            world.on::<Large>(|world, event| world.send(&event.clone()));
        },
        |world| world.send(&LARGE),
    );
    panics(
        |world| {
            world.spawn(LARGE);
            world.on_entity::<Large>(|world, entity, event| {
                world.send_to(entity, &event.clone()).unwrap();
            });
        },
        |world| world.send_to(first(world), &LARGE).unwrap(),
    );
}

#[test]
#[allow(clippy::large_stack_arrays, reason = "it is about the stack")]
fn observers_with_much_on_their_stack_panic_as_well() {
    panics(
        |world| {
            world.on_insert::<Large>(|world, _| {
                let locals = std::hint::black_box([1_u8; 100_000]);
                world.spawn(LARGE);
                std::hint::black_box(&locals);
            });
        },
        |world| _ = world.spawn(LARGE),
    );
}

#[test]
fn calls_on_stacks_of_other_threads_are_not_added_up() {
    let mut world = World::new();
    world.on_insert::<Large>(|world, entity| {
        if entity.index() < 100 {
            thread::scope(|scope| _ = scope.spawn(|| _ = world.spawn(LARGE)).join());
        }
    });
    world.spawn(LARGE);
    assert_eq!(world.len(), 101);
}

#[test]
fn an_observer_may_call_twice_from_another_thread() {
    #[derive(Component)]
    struct Inner;
    let mut world = World::new();
    world.on_insert::<Large>(|world, _| {
        let twice = || (0..2).for_each(|_| _ = world.spawn(Inner));
        thread::scope(|scope| scope.spawn(twice).join().unwrap());
    });
    world.on_insert::<Inner>(|world, _| _ = world.spawn_empty());
    let run = move || {
        world.spawn(LARGE);
        assert_eq!(world.len(), 5);
    };
    thread::spawn(run).join().unwrap();
}
