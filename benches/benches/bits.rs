//! The cost of pinned bits: the same work over eight components with a bit each, and with one bit
//! for all. Their figures should be equal.

use criterion::{Criterion, criterion_group, criterion_main};
use std::time::{Duration, Instant};

/// The number of entities there are.
const COUNT: usize = 10_000;

/// Returns the result and the running time of `f`.
fn timed<R>(f: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    let result = f();
    (result, start.elapsed())
}

/// The benches, over components with these bits.
macro_rules! benches {
    ($module:ident: $($name:ident $bit:literal),*) => {
        /// The benches, with these bits.
        pub mod $module {
            use super::{COUNT, timed};
            use criterion::{BenchmarkId, Criterion, Throughput};
            use ecs::{Component, Entity, Group, World};
            use std::time::Duration;

            $(
                /// A component with this bit.
                #[derive(Component, Clone, Copy, Default)]
                #[component(bit = $bit)]
                pub struct $name(pub f32);
            )*
            type All = ($($name,)*);

            super::benches_of!(stringify!($module));
        }
    };
}

/// The benches, where the components are in scope.
macro_rules! benches_of {
    ($bits:expr) => {
        fn filled(world: &mut World) -> Vec<Entity> {
            (0..COUNT).map(|_| world.spawn(All::default()).id()).collect()
        }

        fn despawned(world: &mut World, entities: &[Entity]) {
            for &entity in entities {
                world.despawn(entity).unwrap();
            }
        }

        /// A world in which half of the entities have an `A`, half a `B`, and half of these have both.
        fn scattered() -> World {
            let mut world = World::new();
            let entities: Vec<_> = (0..COUNT).map(|_| world.spawn_empty().id()).collect();
            for step in 0..COUNT {
                let at = step * 7 % COUNT; // prime to each other
                if at % 2 == 0 {
                    world.insert(entities[at], A(1.0)).unwrap();
                }
                if at % 4 > 1 {
                    world.insert(entities[at], B(1.0)).unwrap();
                }
                world.insert(entities[at], H(1.0)).unwrap();
            }
            world
        }

        fn join(world: &World) -> f32 {
            let mut sum = 0.0;
            world.view::<(A, B)>().for_each(|(_, a, b)| sum += a.0 * b.0);
            sum
        }

        fn edits(c: &mut Criterion, group: &str, mut world: World) {
            let mut group = c.benchmark_group(format!("bits/{group}"));
            group.throughput(Throughput::Elements(COUNT as u64));
            group.bench_function(BenchmarkId::new("spawn", $bits), |b| {
                b.iter_custom(|rounds| {
                    (0..rounds).fold(Duration::ZERO, |sum, _| {
                        let (entities, time) = timed(|| filled(&mut world));
                        despawned(&mut world, &entities);
                        sum + time
                    })
                });
            });
            group.bench_function(BenchmarkId::new("despawn", $bits), |b| {
                b.iter_custom(|rounds| {
                    (0..rounds).fold(Duration::ZERO, |sum, _| {
                        let entities = filled(&mut world);
                        sum + timed(|| despawned(&mut world, &entities)).1
                    })
                });
            });
            let entities = filled(&mut world);
            group.bench_function(BenchmarkId::new("remove_insert", $bits), |b| {
                b.iter(|| {
                    for &entity in &entities {
                        let b = world.remove::<B>(entity).unwrap();
                        world.insert(entity, b).unwrap();
                    }
                });
            });
            group.bench_function(BenchmarkId::new("has", $bits), |b| {
                b.iter(|| entities.iter().filter(|entity| world.has::<(A, H)>(**entity)).count());
            });
            group.finish();
        }

        /// Measures all.
        pub fn run(c: &mut Criterion) {
            edits(c, "plain", World::new());
            let mut grouped = World::new();
            grouped.declare_group(Group::owning::<(A, B)>().with::<C>()).unwrap();
            edits(c, "grouped", grouped);

            let mut group = c.benchmark_group("bits/loops");
            let mut world = scattered();
            group.bench_function(BenchmarkId::new("join", $bits), |b| b.iter(|| join(&world)));
            world.declare_group(Group::observing::<(A, B)>()).unwrap();
            group.bench_function(BenchmarkId::new("join_observed", $bits), |b| {
                b.iter(|| join(&world));
            });
            world.declare_group(Group::owning::<(A, B)>()).unwrap();
            group.bench_function(BenchmarkId::new("owned", $bits), |b| {
                b.iter(|| {
                    world.view_mut::<(&mut A, &B)>().for_each(|(_, a, b)| a.0 += b.0);
                });
            });
            group.finish();
        }
    };
}
use benches_of;

benches!(distinct: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
benches!(pinned: A 9, B 9, C 9, D 9, E 9, F 9, G 9, H 9);

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(1))
        .warm_up_time(Duration::from_millis(300));
    targets = distinct::run, pinned::run
}
criterion_main!(benches);
