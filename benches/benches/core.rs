//! The library alone: join, iterate, insert, remove, get.

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ecs::{Component, Entity, World};
use std::hint::black_box;

#[derive(Component, Clone, Copy, Default)]
struct Position([f32; 3]);
#[derive(Component, Clone, Copy, Default)]
struct Velocity([f32; 3]);
#[derive(Component, Clone, Copy, Default)]
struct Proximity([f32; 3]);
#[derive(Component, Clone, Copy, Default)]
struct Audio([f32; 3]);

/// The generator of Marsaglia ("Xorshift RNGs", 2003), with a fixed seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            let other = usize::try_from(self.next() % (at as u64 + 1)).unwrap();
            items.swap(at, other);
        }
    }
}

/// Entities: 10% have a proximity and another 10% audio, added in this order or shuffled.
fn scattered(entities: usize, shuffled: bool) -> World {
    let mut random = Random(88_172_645_463_325_252);
    let mut world = World::new();
    let all: Vec<Entity> = (0..entities).map(|_| world.spawn_empty().id()).collect();
    let mut tenth = || {
        let mut some: Vec<_> =
            all.iter().copied().filter(|_| random.next().is_multiple_of(10)).collect();
        if shuffled {
            random.shuffle(&mut some);
        }
        some
    };
    let (near, audible) = (tenth(), tenth());
    for entity in near {
        world.insert(entity, Proximity([1.0; 3])).unwrap();
    }
    for entity in audible {
        world.insert(entity, Audio([2.0; 3])).unwrap();
    }
    world
}

fn movers(entities: usize) -> World {
    let mut world = World::new();
    world.spawn_batch((0..entities).map(|_| (Position([1.0; 3]), Velocity([0.1; 3]))));
    world
}

fn join(c: &mut Criterion) {
    for (order, shuffled) in [("in_order", false), ("shuffled", true)] {
        let mut group = c.benchmark_group(format!("join/{order}"));
        for entities in [100_000, 1_000_000, 10_000_000] {
            let world = scattered(entities, shuffled);
            group.throughput(Throughput::Elements(entities as u64));
            if entities > 1_000_000 {
                group.sample_size(10);
            }
            group.bench_function(BenchmarkId::new("count", entities), |b| {
                b.iter(|| world.view::<(Proximity, Audio)>().count());
            });
            group.bench_function(BenchmarkId::new("sum_for_each", entities), |b| {
                b.iter(|| {
                    let mut sum = 0.0;
                    let view = world.view::<(Proximity, Audio)>();
                    view.for_each(|(_, near, audio)| sum += near.0[0] + audio.0[0]);
                    sum
                });
            });
            group.bench_function(BenchmarkId::new("sum_for", entities), |b| {
                b.iter(|| {
                    let mut sum = 0.0;
                    for (_, near, audio) in world.view::<(Proximity, Audio)>() {
                        sum += near.0[0] + audio.0[0];
                    }
                    sum
                });
            });
        }
        group.finish();
    }
}

fn iterate(c: &mut Criterion) {
    let mut group = c.benchmark_group("iterate");
    for entities in [10_000, 1_000_000] {
        let mut world = movers(entities);
        group.throughput(Throughput::Elements(entities as u64));
        group.bench_function(BenchmarkId::new("for_each", entities), |b| {
            b.iter(|| {
                let view = world.view_mut::<(&mut Position, &Velocity)>();
                view.for_each(|(_, position, velocity)| step(position, velocity));
            });
        });
        group.bench_function(BenchmarkId::new("for", entities), |b| {
            b.iter(|| {
                for (_, position, velocity) in world.view_mut::<(&mut Position, &Velocity)>() {
                    step(position, velocity);
                }
            });
        });
        let mut positions = vec![Position([1.0; 3]); entities];
        let velocities = vec![Velocity([0.1; 3]); entities];
        group.bench_function(BenchmarkId::new("floor_two_vecs", entities), |b| {
            b.iter(|| {
                for (position, velocity) in positions.iter_mut().zip(&velocities) {
                    step(position, velocity);
                }
                black_box(&mut positions);
            });
        });
    }
    group.finish();
}

#[inline(always)]
fn step(position: &mut Position, velocity: &Velocity) {
    for (position, velocity) in position.0.iter_mut().zip(&velocity.0) {
        *position += velocity;
    }
}

fn edit(c: &mut Criterion) {
    let mut world = movers(10_000);
    let entities: Vec<Entity> = world.entities().collect();
    let mut group = c.benchmark_group("edit");
    group.throughput(Throughput::Elements(10_000));
    group.bench_function("insert_remove/10000", |b| {
        b.iter(|| {
            for &entity in &entities {
                world.insert(entity, Audio::default()).unwrap();
            }
            for &entity in &entities {
                black_box(world.remove::<Audio>(entity));
            }
        });
    });
    group.bench_function("insert_remove_batch/10000", |b| {
        b.iter(|| {
            let bundles = entities.iter().map(|&entity| (entity, Audio::default()));
            world.insert_batch(bundles).unwrap();
            black_box(world.remove_batch::<Audio>(&entities));
        });
    });
    group.finish();

    let mut group = c.benchmark_group("despawn");
    group.throughput(Throughput::Elements(100_000)).sample_size(20);
    let scene = || {
        let world = movers(100_000);
        let mut entities: Vec<Entity> = world.entities().collect();
        Random(1_234_567).shuffle(&mut entities);
        (world, entities)
    };
    group.bench_function("loop/100000", |b| {
        let each = |(mut world, entities): (World, Vec<Entity>)| {
            for &entity in &entities {
                world.despawn(entity).unwrap();
            }
            (world, entities)
        };
        b.iter_batched(scene, each, BatchSize::LargeInput);
    });
    group.bench_function("batch/100000", |b| {
        let all = |(mut world, entities): (World, Vec<Entity>)| {
            world.despawn_batch(&entities);
            (world, entities)
        };
        b.iter_batched(scene, all, BatchSize::LargeInput);
    });
    group.finish();
}

fn get(c: &mut Criterion) {
    let world = movers(1_000_000);
    let mut entities: Vec<Entity> = world.entities().collect();
    Random(1_234_567).shuffle(&mut entities);
    let mut group = c.benchmark_group("get");
    group.throughput(Throughput::Elements(1_000_000)).sample_size(20);
    group.bench_function("random/1000000", |b| {
        b.iter(|| {
            let read = |entity| world.get::<Position>(entity).map_or(0.0, |position| position.0[0]);
            entities.iter().map(|&entity| read(entity)).sum::<f32>()
        });
    });
    group.finish();
}

criterion_group!(benches, join, iterate, edit, get);
criterion_main!(benches);
