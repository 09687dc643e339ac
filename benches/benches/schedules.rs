//! Schedules: the cost of running a list without the work of its systems, and the gain by threads.
//!
//! `cargo bench -p ecs_benches --bench schedules`.
#![allow(
    clippy::needless_pass_by_value,
    missing_docs,
    reason = "systems take their parameters by value"
)]

use criterion::{Criterion, criterion_group, criterion_main};
use ecs::{Component, Resource, Schedule, View, World, schedule};

#[derive(Component, Clone, Copy)]
struct Position([f32; 3]);
#[derive(Component, Clone, Copy)]
struct Velocity([f32; 3]);
#[derive(Component, Clone, Copy)]
struct Heat(f32);
#[derive(Resource)]
struct Score(u64);

fn empty<const N: usize>() {}

/// Each waits for the one before.
fn count<const N: usize>(score: &mut Score) {
    score.0 += N as u64;
}

fn look<const N: usize>(positions: View<&Position>) {
    assert_eq!(positions.count(), 100_000);
}

fn steer(movers: View<(&mut Position, &Velocity)>) {
    movers.for_each(|(_, position, velocity)| {
        for (at, by) in position.0.iter_mut().zip(velocity.0) {
            *at = (*at + by).sin();
        }
    });
}

fn cool(heats: View<&mut Heat>) {
    heats.for_each(|(_, heat)| {
        for _ in 0..3 {
            heat.0 = heat.0.sin();
        }
    });
}

/// A hundred of one kind.
macro_rules! hundred {
    ($name:ident $system:ident: $($n:literal)*) => {
        schedule! { struct $name { $($system::<$n>),* } }
    };
}

macro_rules! hundreds {
    ($($name:ident $system:ident,)*) => {$(
        hundred!($name $system: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29
            30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
            64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97
            98 99);
    )*};
}
hundreds! {
    Empty empty,
    Conflicting count,
    Looking look,
}
schedule! { struct Heavy { together(steer, cool) } }

fn world() -> World {
    let mut world = World::new();
    world.insert_resource(Score(0));
    world.spawn_batch((0..100_000).map(|_| (Position([1.0; 3]), Velocity([0.1; 3]), Heat(1.0))));
    world
}

fn overhead(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("schedules");
    let mut world = world();
    let lists: [(&str, Schedule); 3] = [
        ("empty/100", Empty::new().into()),
        ("conflicting/100", Conflicting::new().into()),
        ("a view/100", Looking::new().into()),
    ];
    for (name, mut schedule) in lists {
        group.bench_function(name, |bencher| bencher.iter(|| schedule.run(&mut world)));
    }
    group.bench_function("built/100", |bencher| bencher.iter(Empty::new));
    group.finish();
}

fn threads(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("schedules/two heavy");
    let mut world = world();
    let mut heavy = Heavy::new();
    for sharing in [ecs::Sharing::Never, ecs::Sharing::Always, ecs::Sharing::Measured] {
        heavy.set_sharing(sharing);
        group.bench_function(format!("{sharing:?}"), |bencher| {
            bencher.iter(|| heavy.run(&mut world));
        });
    }
    group.finish();
}

criterion_group!(benches, overhead, threads);
criterion_main!(benches);
