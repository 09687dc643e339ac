//! Worlds that are saved, loaded and copied: a million entities of three components, 32 bytes of values each, beside
//! a plain copy of as many bytes, and beside the columns of hecs, which are saved and loaded by postcard, too.

mod hecs_columns;

use bytemuck::{Pod, Zeroable};
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

/// The same, saved as the bytes that they have in memory.
mod plain {
    use super::{Component, Deserialize, Pod, Serialize, Zeroable};

    macro_rules! plain {
        ($($name:ident $ty:ty, $save:literal;)+) => {
            $(
                #[derive(Component, Clone, Copy, Pod, Zeroable, Serialize, Deserialize)]
                #[component(save = $save, bytes, clone)]
                #[repr(C)]
                pub struct $name(pub $ty);
            )+
        };
    }
    plain! {
        Position [f32; 3], "position";
        Velocity [f32; 3], "velocity";
        Health u64, "health";
    }
}

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

fn as_bytes() -> World {
    let mut world = World::new();
    world.spawn_batch(values().map(|(position, velocity, health)| {
        (plain::Position(position.0), plain::Velocity(velocity.0), plain::Health(health.0))
    }));
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
    let world = hecs_columns::world();
    let mut bytes = Vec::new();
    hecs_columns::save(&world, &mut bytes); // what is loaded, if only that is asked for
    group.bench_function("hecs/save", |b| {
        b.iter(|| {
            bytes.clear();
            hecs_columns::save(&world, &mut bytes);
        });
    });
    group.bench_function("hecs/load", |b| {
        b.iter_batched(|| (), |()| hecs_columns::load(&bytes), BatchSize::PerIteration);
    });
    drop(world);
    for (name, world) in
        [("in order", in_order()), ("as bytes", as_bytes()), ("at random", at_random())]
    {
        let mut bytes = Vec::new();
        world.save().to_bytes(&mut bytes).unwrap();
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
