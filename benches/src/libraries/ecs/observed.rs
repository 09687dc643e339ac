//! Edits with hooks, observers or collectors.

use super::{add_and_remove, add_and_remove_batch, few};
use crate::components::{Vec3, Velocity};
use crate::library::Library;
use ecs::{Component, Entity, Inserted, World};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of calls.
static CALLS: AtomicUsize = AtomicUsize::new(0);

fn count(_: &mut World, _: Entity) {
    add(&CALLS, 1);
}

fn count_all(_: &mut World, entities: &[Entity]) {
    add(&CALLS, entities.len());
}

/// One thread counts: it takes no lock.
fn add(count: &AtomicUsize, more: usize) {
    count.store(count.load(Ordering::Relaxed) + more, Ordering::Relaxed);
}

fn calls(run: impl FnOnce()) -> usize {
    let before = CALLS.load(Ordering::Relaxed);
    run();
    CALLS.load(Ordering::Relaxed) - before
}

#[derive(Component)]
#[component(on_insert = count)]
struct Hooked(Vec3);

type Observe = fn(&mut World);

pub fn observation(ecs: &mut Library) {
    ecs.add(
        "observe_hook",
        || few(|world| world),
        |(world, entities)| {
            calls(|| {
                for &entity in &*entities {
                    world.insert(entity, Hooked(Vec3::ONE)).expect("it is alive");
                }
                for &entity in &*entities {
                    world.remove::<Hooked>(entity);
                }
            })
        },
    );
    let one_by_one: [(&str, Observe); 4] = [
        ("observe_fn", |world| _ = world.on_insert::<Velocity>(count)),
        ("observe_closure", |world| {
            let seen = Arc::new(AtomicUsize::new(0));
            world.on_insert::<Velocity>(move |world, entity| {
                add(&seen, 1);
                count(world, entity);
            });
        }),
        ("observe_ten", |world| (0..10).for_each(|_| _ = world.on_insert::<Velocity>(count))),
        ("observe_remove", |world| _ = world.on_remove::<Velocity>(count)),
    ];
    for (name, observe) in one_by_one {
        ecs.add(name, observed(observe), |scene| calls(|| _ = add_and_remove(scene)));
    }
    let batches: [(&str, Observe); 2] = [
        ("observe_batch", |world| _ = world.on_insert::<Velocity>(count)),
        ("observe_batch_at_once", |world| _ = world.on_batch::<Inserted<Velocity>>(count_all)),
    ];
    for (name, observe) in batches {
        ecs.add(name, observed(observe), |scene| calls(|| _ = add_and_remove_batch(scene)));
    }
    let collected = || {
        let (mut world, entities) = few(|world| world);
        let collector = world.collector::<Inserted<Velocity>>();
        ((world, entities), collector)
    };
    ecs.add("collect", collected, |(scene, collector)| {
        add_and_remove(scene);
        scene.0.drain(*collector).len()
    });
    ecs.add("collect_batch", collected, |(scene, collector)| {
        add_and_remove_batch(scene);
        scene.0.drain(*collector).len()
    });
}

/// Some entities, and an observer.
fn observed(observe: Observe) -> impl Fn() -> (World, Vec<Entity>) {
    move || {
        let (mut world, entities) = few(|world| world);
        observe(&mut world);
        (world, entities)
    }
}
