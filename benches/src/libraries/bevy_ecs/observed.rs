//! Edits with hooks or observers. Nothing here is notified of a batch at once, and nothing collects
//! insertions: change ticks are another feature.

use super::{Burst, add_and_remove, add_and_remove_batch, few_of};
use crate::library::Library;
use bevy_ecs::prelude::{Add, On, Remove, World};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of calls.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// One thread counts: it takes no lock.
fn add(count: &AtomicUsize) {
    count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}

fn calls(run: impl FnOnce()) -> usize {
    let before = CALLS.load(Ordering::Relaxed);
    run();
    CALLS.load(Ordering::Relaxed) - before
}

type Observe = fn(&mut World);

pub fn observation(bevy: &mut Library) {
    fn one(world: &mut World) {
        world.add_observer(|_: On<Add<Burst>>| add(&CALLS));
    }
    let one_by_one: [(&str, Observe); 5] = [
        ("observe_hook", |world| {
            world.register_component_hooks::<Burst>().on_add(|_, _| add(&CALLS));
        }),
        ("observe_fn", one),
        ("observe_closure", |world| {
            let seen = Arc::new(AtomicUsize::new(0));
            world.add_observer(move |_: On<Add<Burst>>| {
                add(&seen);
                add(&CALLS);
            });
        }),
        ("observe_ten", |world| (0..10).for_each(|_| one(world))),
        ("observe_remove", |world| {
            world.add_observer(|_: On<Remove<Burst>>| add(&CALLS));
        }),
    ];
    for (name, observe) in one_by_one {
        bevy.add(name, move || few_of(observe), |scene| calls(|| _ = add_and_remove(scene)));
    }
    bevy.add("observe_batch", || few_of(one), |scene| calls(|| _ = add_and_remove_batch(scene)));
}
