//! Computing and applying a delta: a million entities of three components, and ten thousand.

use criterion::{Criterion, criterion_group, criterion_main};
use ecs::save::{Delta, Limits};
use ecs::{Component, Entity, World};
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

fn values(count: u32) -> impl Iterator<Item = (Position, Velocity, Health)> {
    let row = |at: u32| {
        let [a, b] = [at / 1_000, at % 1_000].map(|it| f32::from(u16::try_from(it).unwrap()));
        (Position([a, b, 0.5]), Velocity([b, a, 1.5]), Health(u64::from(at) % 1_000))
    };
    (0..count).map(row)
}

fn world_of(count: u32) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let entities = world.spawn_batch(values(count));
    (world, entities)
}

fn deltas(c: &mut Criterion) {
    for (size, count) in [("1M", 1_000_000), ("10k", 10_000)] {
        let mut group = c.benchmark_group(format!("deltas/{size}"));
        group.sample_size(if count > 100_000 { 10 } else { 100 });
        let (old, entities) = world_of(count);
        let mut changed = old.try_clone().unwrap();
        for &entity in entities.iter().step_by(100) {
            changed.get_mut::<Position>(entity).unwrap().0[0] += 1.0;
            changed.get_mut::<Velocity>(entity).unwrap().0[0] += 1.0;
            changed.get_mut::<Health>(entity).unwrap().0 += 1;
        }
        let mut moved = old.try_clone().unwrap();
        let some: Vec<Entity> = entities.iter().copied().step_by(100).collect();
        moved.despawn_batch(&some);
        moved.spawn_batch(values(count / 200));
        let copy = old.try_clone().unwrap();
        let news = [("same", &copy), ("1 in 100 changed", &changed), ("1 in 100 ended", &moved)];
        for (name, new) in news {
            group.bench_function(format!("between/{name}"), |b| {
                b.iter(|| Delta::between(black_box(&old), new).unwrap());
            });
            let there = Delta::between(&old, new).unwrap();
            let back = Delta::between(new, &old).unwrap();
            println!("deltas/{size}/{name}: {} bytes", there.as_bytes().len());
            let mut world = old.try_clone().unwrap();
            group.bench_function(format!("apply there and back/{name}"), |b| {
                b.iter(|| {
                    world.apply_delta(there.as_bytes(), &Limits::default()).unwrap();
                    world.apply_delta(back.as_bytes(), &Limits::default()).unwrap();
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, deltas);
criterion_main!(benches);
