//! Costs that must not grow. The cost of an entity must not depend on the number of entities, the
//! cost of an operation not on the number of component types in the world. The cost of single calls
//! must not depend on the number of indices or reserved entities, or on being a batch of one.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ecs::{Component, Entity, Group, World};
use std::hint::black_box;
use std::time::{Duration, Instant};

#[derive(Component, Clone, Copy, Default)]
struct Position([f32; 3]);
#[derive(Component, Clone, Copy, Default)]
struct Velocity([f32; 3]);
#[derive(Component, Clone, Copy, Default)]
struct Audio([f32; 3]);

/// One more component type for each number.
#[derive(Component)]
struct Filler<const N: usize>;

macro_rules! fill {
    ($world:ident, $types:ident: $($number:expr),*) => {
        $(if $number < $types {
            $world.spawn(Filler::<{ $number }>);
        })*
    };
}

macro_rules! fill_64 {
    ($world:ident, $types:ident: $($of:expr),*) => {
        $(fill!($world, $types:
            $of * 64, $of * 64 + 1, $of * 64 + 2, $of * 64 + 3, $of * 64 + 4, $of * 64 + 5,
            $of * 64 + 6, $of * 64 + 7, $of * 64 + 8, $of * 64 + 9, $of * 64 + 10, $of * 64 + 11,
            $of * 64 + 12, $of * 64 + 13, $of * 64 + 14, $of * 64 + 15, $of * 64 + 16,
            $of * 64 + 17, $of * 64 + 18, $of * 64 + 19, $of * 64 + 20, $of * 64 + 21,
            $of * 64 + 22, $of * 64 + 23, $of * 64 + 24, $of * 64 + 25, $of * 64 + 26,
            $of * 64 + 27, $of * 64 + 28, $of * 64 + 29, $of * 64 + 30, $of * 64 + 31,
            $of * 64 + 32, $of * 64 + 33, $of * 64 + 34, $of * 64 + 35, $of * 64 + 36,
            $of * 64 + 37, $of * 64 + 38, $of * 64 + 39, $of * 64 + 40, $of * 64 + 41,
            $of * 64 + 42, $of * 64 + 43, $of * 64 + 44, $of * 64 + 45, $of * 64 + 46,
            $of * 64 + 47, $of * 64 + 48, $of * 64 + 49, $of * 64 + 50, $of * 64 + 51,
            $of * 64 + 52, $of * 64 + 53, $of * 64 + 54, $of * 64 + 55, $of * 64 + 56,
            $of * 64 + 57, $of * 64 + 58, $of * 64 + 59, $of * 64 + 60, $of * 64 + 61,
            $of * 64 + 62, $of * 64 + 63
        );)*
    };
}

/// A world with this many component types.
fn world_of(types: usize) -> World {
    let mut world = World::new();
    world.spawn((Position::default(), Velocity::default(), Audio::default()));
    // The three above count.
    let types = types - 3;
    fill_64!(world, types: 0, 1, 2, 3, 4, 5, 6, 7);
    world
}

const FEW: usize = 10_000;

fn types(c: &mut Criterion) {
    let mut group = c.benchmark_group("scaling/types");
    group.throughput(Throughput::Elements(FEW as u64));
    for types in [8, 512] {
        let mut world = world_of(types);
        let spawned = |world: &mut World| -> Vec<Entity> {
            (0..FEW).map(|_| world.spawn((Position::default(), Velocity::default())).id()).collect()
        };
        let despawn = |world: &mut World, entities: Vec<Entity>| {
            for entity in entities {
                world.despawn(entity).unwrap();
            }
        };
        let timed = |f: &mut dyn FnMut()| {
            let start = Instant::now();
            f();
            start.elapsed()
        };
        group.bench_function(BenchmarkId::new("spawn", types), |b| {
            b.iter_custom(|rounds| {
                (0..rounds).fold(Duration::ZERO, |sum, _| {
                    let mut entities = Vec::new();
                    let time = timed(&mut || entities = spawned(&mut world));
                    despawn(&mut world, entities);
                    sum + time
                })
            });
        });
        group.bench_function(BenchmarkId::new("despawn", types), |b| {
            b.iter_custom(|rounds| {
                (0..rounds).fold(Duration::ZERO, |sum, _| {
                    let entities = spawned(&mut world);
                    sum + timed(&mut || despawn(&mut world, entities.clone()))
                })
            });
        });
        let entities = spawned(&mut world);
        let insert = |world: &mut World| {
            for &entity in &entities {
                world.insert(entity, Audio::default()).unwrap();
            }
        };
        let remove = |world: &mut World| {
            for &entity in &entities {
                world.remove::<Audio>(entity);
            }
        };
        group.bench_function(BenchmarkId::new("insert", types), |b| {
            b.iter_custom(|rounds| {
                (0..rounds).fold(Duration::ZERO, |sum, _| {
                    let time = timed(&mut || insert(&mut world));
                    remove(&mut world);
                    sum + time
                })
            });
        });
        group.bench_function(BenchmarkId::new("remove", types), |b| {
            b.iter_custom(|rounds| {
                (0..rounds).fold(Duration::ZERO, |sum, _| {
                    insert(&mut world);
                    sum + timed(&mut || remove(&mut world))
                })
            });
        });
        group.bench_function(BenchmarkId::new("get", types), |b| {
            b.iter(|| {
                entities
                    .iter()
                    .map(|&entity| world.get::<Position>(entity).unwrap().0[0])
                    .sum::<f32>()
            });
        });
        group.bench_function(BenchmarkId::new("view", types), |b| {
            b.iter(|| {
                for _ in 0..FEW {
                    black_box(black_box(&world).view::<(Position, Velocity, Audio)>());
                }
            });
        });
    }
    group.finish();
}

fn entities(c: &mut Criterion) {
    let mut group = c.benchmark_group("scaling/entities");
    for count in [10_000_usize, 100_000, 1_000_000, 10_000_000] {
        group.throughput(Throughput::Elements(count as u64));
        let mut world = World::new();
        let all = world.spawn_batch((0..count).map(|_| (Position([1.0; 3]), Velocity([0.1; 3]))));
        group.bench_function(BenchmarkId::new("iterate", count), |b| {
            b.iter(|| {
                let view = world.view_mut::<(&mut Position, &Velocity)>();
                view.for_each(|(_, position, velocity)| position.0[0] += velocity.0[0]);
            });
        });
        // 50% and 10%, which meet in 10%: the removals have scattered the velocities.
        for &entity in all.iter().step_by(10) {
            world.insert(entity, Audio([1.0; 3])).unwrap();
        }
        for &entity in all.iter().skip(1).step_by(2) {
            world.remove::<Velocity>(entity);
        }
        group.bench_function(BenchmarkId::new("join", count), |b| {
            b.iter(|| {
                let mut sum = 0.0;
                let view = world.view::<(Velocity, Audio)>();
                view.for_each(|(_, velocity, audio)| sum += velocity.0[0] * audio.0[0]);
                sum
            });
        });
        group.bench_function(BenchmarkId::new("count", count), |b| {
            b.iter(|| world.view::<(Velocity, Audio)>().count());
        });
    }
    group.finish();
}

fn indices(c: &mut Criterion) {
    let mut group = c.benchmark_group("scaling/indices");
    let row = || (Position::default(), Velocity::default());
    for count in [100, 1_000_000] {
        let mut world = World::new();
        let all = world.spawn_batch((0..count).map(|_| row()));
        let one = all[count / 2];
        group.bench_function(BenchmarkId::new("insert_remove", count), |b| {
            b.iter(|| {
                world.insert(one, Audio::default()).unwrap();
                world.remove::<Audio>(one)
            });
        });
        group.bench_function(BenchmarkId::new("insert_remove_batch_of_one", count), |b| {
            b.iter(|| {
                world.insert_batch([(one, Audio::default())]).unwrap();
                world.remove_batch::<Audio>(&[one])
            });
        });
        group.bench_function(BenchmarkId::new("spawn_despawn", count), |b| {
            b.iter(|| {
                let entity = world.spawn(row()).id();
                world.despawn(entity).unwrap();
            });
        });
        group.bench_function(BenchmarkId::new("spawn_despawn_batch_of_one", count), |b| {
            b.iter(|| {
                let made = world.spawn_batch([row()]);
                world.despawn_batch(&made)
            });
        });
    }
    for count in [10, 100_000] {
        let world = World::new();
        let reserved: Vec<_> = (0..count).map(|_| world.reserve_entity()).collect();
        let asked = [reserved[0], reserved[count / 2], reserved[count - 1]];
        group.bench_function(BenchmarkId::new("contains_reserved", count), |b| {
            b.iter(|| asked.iter().all(|&entity| black_box(&world).is_alive(entity)));
        });
    }
    // A hundred members, at both ends of this many indices.
    for count in [1_000, 10_000_000] {
        let mut world = World::new();
        let all = world.spawn_batch((0..count).map(|_| ()));
        for &entity in all[..50].iter().chain(&all[count - 50..]) {
            world.insert(entity, row()).unwrap();
        }
        group.bench_function(BenchmarkId::new("declare_owning", count), |b| {
            b.iter(|| {
                let group = Group::owning::<(Position, Velocity)>();
                world.declare_group(group).unwrap();
                world.drop_group(group)
            });
        });
        group.bench_function(BenchmarkId::new("declare_observing", count), |b| {
            b.iter(|| {
                let group = Group::observing::<(Position, Velocity)>();
                world.declare_group(group).unwrap();
                world.drop_group(group)
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(1))
        .warm_up_time(Duration::from_millis(300));
    targets = types, entities, indices
}
criterion_main!(benches);
