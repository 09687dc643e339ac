//! Worlds that are saved, loaded and copied: a million entities of three components, 32 bytes of values each, beside
//! a plain copy of as many bytes.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use ecs::{Component, Entity, Limits, World};
use serde::{Deserialize, Serialize};
use std::hint::black_box;

#[derive(Component, Clone, Copy, Serialize, Deserialize)]
#[component(save = "position", clone)]
struct Position([f32; 3]);
#[derive(Component, Clone, Copy, Serialize, Deserialize)]
#[component(save = "velocity", clone)]
struct Velocity([f32; 3]);
#[derive(Component, Clone, Copy, Serialize, Deserialize)]
#[component(save = "health", clone)]
struct Health(u64);

const COUNT: u16 = 1_000;

fn values() -> impl Iterator<Item = (Position, Velocity, Health)> {
    let rows = (0..COUNT).flat_map(|a| (0..COUNT).map(move |b| (f32::from(a), f32::from(b))));
    rows.zip(1_u64..).map(|((a, b), health)| {
        (Position([a, b, 0.5]), Velocity([b, a, 1.5]), Health(health % 1_000))
    })
}

fn in_order() -> World {
    let mut world = World::new();
    world.spawn_batch(values());
    world
}

/// The same entities, each component inserted in an order of its own.
fn at_random() -> World {
    let mut world = World::new();
    let count = usize::from(COUNT) * usize::from(COUNT);
    let entities: Vec<Entity> = (0..count).map(|_| world.spawn_empty().id()).collect();
    let values: Vec<_> = values().collect();
    // Steps that have no common divisor with the count visit all.
    let order = |step: usize| (0..count).map(move |at| at * step % count);
    world.insert_batch(order(386_411).map(|at| (entities[at], values[at].0))).unwrap();
    world.insert_batch(order(611_953).map(|at| (entities[at], values[at].1))).unwrap();
    world.insert_batch(order(104_729).map(|at| (entities[at], values[at].2))).unwrap();
    world
}

fn snapshots(c: &mut Criterion) {
    let mut group = c.benchmark_group("snapshots/1M");
    group.sample_size(10);
    let plain = vec![7_u64; 4_000_000];
    let mut copy = plain.clone();
    group.bench_function("memcpy/values", |b| b.iter(|| copy.clone_from(black_box(&plain))));
    // Beside the values the handles: 24 bytes an entity.
    let plain = vec![7_u64; 7_000_000];
    let mut copy = plain.clone();
    group.bench_function("memcpy/values and handles", |b| {
        b.iter(|| copy.clone_from(black_box(&plain)));
    });
    for (name, world) in [("in order", in_order()), ("at random", at_random())] {
        let mut bytes = Vec::new();
        group.bench_function(format!("save/{name}"), |b| {
            b.iter(|| {
                bytes.clear();
                world.save().to_bytes(&mut bytes).unwrap();
            });
        });
        group.bench_function(format!("load/{name}"), |b| {
            let read = || world.read(&bytes, &Limits::default()).unwrap();
            b.iter_batched(|| (), |()| read(), BatchSize::PerIteration);
        });
        group.bench_function(format!("try_clone/{name}"), |b| {
            b.iter_batched(|| (), |()| world.try_clone().unwrap(), BatchSize::PerIteration);
        });
        let mut kept = world.try_clone().unwrap();
        group.bench_function(format!("copy_from/{name}"), |b| {
            b.iter(|| kept.copy_from(&world).unwrap());
        });
    }
    group.finish();
    let mut world = World::new();
    let entity = world.spawn(values().next().unwrap()).id();
    c.bench_function("snapshots/10k/spawn_copies", |b| {
        b.iter_batched(
            || (),
            |()| {
                let copies = world.spawn_copies(entity, 10_000).unwrap();
                world.despawn_batch(&copies);
            },
            BatchSize::PerIteration,
        );
    });
}

criterion_group!(benches, snapshots);
criterion_main!(benches);
