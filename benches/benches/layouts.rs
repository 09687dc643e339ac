//! The two layouts of a component beside each other: rows, and a column a field.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ecs::{AnyComponent, Component, Entity, World};
use std::hint::black_box;

#[derive(Component, Clone, Copy, Default)]
struct Row {
    distance: f32,
    angle: f32,
    occlusion: f32,
}

#[derive(Component, Clone, Copy, Default)]
#[component(layout = "soa")]
struct Columns {
    distance: f32,
    angle: f32,
    occlusion: f32,
}

#[derive(Component, Clone, Copy, Default)]
struct Other(#[expect(dead_code, reason = "in the way")] u32);

const SIZES: [usize; 2] = [10_000, 1_000_000];

fn filled<T: AnyComponent + Default>(entities: usize) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let entities = world.spawn_batch((0..entities).map(|_| (T::default(), Other(0))));
    (world, entities)
}

fn one_field(c: &mut Criterion) {
    let mut group = c.benchmark_group("layouts/one_field");
    for entities in SIZES {
        group.throughput(Throughput::Elements(entities as u64));
        let (mut world, _) = filled::<Row>(entities);
        group.bench_function(BenchmarkId::new("rows", entities), |b| {
            b.iter(|| world.view_mut::<&mut Row>().for_each(|(_, it)| it.distance *= 0.5));
        });
        let (mut world, _) = filled::<Columns>(entities);
        group.bench_function(BenchmarkId::new("columns", entities), |b| {
            let view = |world: &mut World| {
                world.view_mut::<&mut columns::distance>().for_each(|(_, it)| *it *= 0.5);
            };
            b.iter(|| view(&mut world));
        });
        group.bench_function(BenchmarkId::new("columns_chunk", entities), |b| {
            b.iter(|| {
                world.view_mut::<&mut columns::distance>().for_each_chunk(|(_, it)| {
                    for it in it {
                        *it *= 0.5;
                    }
                });
            });
        });
        group.bench_function(BenchmarkId::new("columns_whole", entities), |b| {
            b.iter(|| world.view_mut::<&mut Columns>().for_each(|(_, it)| *it.distance *= 0.5));
        });
        let mut floor = vec![0.0_f32; entities];
        group.bench_function(BenchmarkId::new("floor_vec", entities), |b| {
            b.iter(|| {
                for it in &mut floor {
                    *it *= 0.5;
                }
                black_box(&mut floor);
            });
        });
    }
    group.finish();
}

fn all_fields(c: &mut Criterion) {
    let mut group = c.benchmark_group("layouts/all_fields");
    for entities in SIZES {
        group.throughput(Throughput::Elements(entities as u64));
        let (mut world, _) = filled::<Row>(entities);
        group.bench_function(BenchmarkId::new("rows", entities), |b| {
            b.iter(|| {
                world.view_mut::<&mut Row>().for_each(|(_, it)| {
                    it.distance += it.angle * it.occlusion;
                });
            });
        });
        let (mut world, _) = filled::<Columns>(entities);
        group.bench_function(BenchmarkId::new("columns", entities), |b| {
            b.iter(|| {
                world.view_mut::<&mut Columns>().for_each(|(_, it)| {
                    *it.distance += *it.angle * *it.occlusion;
                });
            });
        });
        group.bench_function(BenchmarkId::new("columns_terms", entities), |b| {
            b.iter(|| {
                type Terms<'a> = (&'a mut columns::distance, columns::angle, columns::occlusion);
                world.view_mut::<Terms>().for_each(|(_, distance, angle, occlusion)| {
                    *distance += angle * occlusion;
                });
            });
        });
    }
    group.finish();
}

fn edit(c: &mut Criterion) {
    fn case<T: AnyComponent + Copy + Default>(c: &mut Criterion, layout: &str) {
        let mut group = c.benchmark_group("layouts/edit");
        group.throughput(Throughput::Elements(10_000));
        let mut world = World::new();
        let entities = world.spawn_batch((0..10_000).map(Other));
        group.bench_function(BenchmarkId::new("insert_remove", layout), |b| {
            b.iter(|| {
                for &entity in &entities {
                    world.insert(entity, T::default()).unwrap();
                }
                for &entity in &entities {
                    black_box(world.remove::<T>(entity));
                }
            });
        });
        group.finish();
    }
    case::<Row>(c, "rows");
    case::<Columns>(c, "columns");
}

fn get(c: &mut Criterion) {
    let mut group = c.benchmark_group("layouts/random_get");
    group.throughput(Throughput::Elements(1_000_000)).sample_size(20);
    let (world, mut entities) = filled::<Row>(1_000_000);
    shuffle(&mut entities);
    group.bench_function("rows", |b| {
        let read = |entity: &Entity| world.get::<Row>(*entity).map_or(0.0, |it| it.distance);
        b.iter(|| entities.iter().map(read).sum::<f32>());
    });
    group.bench_function("rows_all", |b| {
        let read = |it: &Row| it.distance + it.angle + it.occlusion;
        let read = |entity: &Entity| world.get::<Row>(*entity).map_or(0.0, read);
        b.iter(|| entities.iter().map(read).sum::<f32>());
    });
    let (world, mut entities) = filled::<Columns>(1_000_000);
    shuffle(&mut entities);
    group.bench_function("columns", |b| {
        let read = |entity: &Entity| world.get::<Columns>(*entity).map_or(0.0, |it| *it.distance);
        b.iter(|| entities.iter().map(read).sum::<f32>());
    });
    group.bench_function("columns_all", |b| {
        let read = |it: ColumnsRef<'_>| it.distance + it.angle + it.occlusion;
        let read = |entity: &Entity| world.get::<Columns>(*entity).map_or(0.0, read);
        b.iter(|| entities.iter().map(read).sum::<f32>());
    });
    group.finish();
}

fn shuffle(items: &mut [Entity]) {
    // The generator of Marsaglia ("Xorshift RNGs", 2003), with a fixed seed.
    let mut random = 88_172_645_463_325_252_u64;
    for at in (1..items.len()).rev() {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        items.swap(at, usize::try_from(random % (at as u64 + 1)).unwrap());
    }
}

criterion_group!(benches, one_field, all_fields, edit, get);
criterion_main!(benches);
