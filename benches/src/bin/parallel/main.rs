//! The gain of sharing a loop: each loop alone and shared, in turns, so that other programs on the machine affect both.
//!
//! `cargo run --release -p ecs_benches --bin parallel -- --rounds 200`

use clap::Parser;
use ecs::{Component, Entity, World};
use ecs_benches::machine::{Others, facts};
use ecs_benches::markdown::{digits, head};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Measures loops alone and shared.
#[derive(Parser)]
struct Arguments {
    /// The number of turns that each of both gets.
    #[arg(long, default_value_t = 200)]
    rounds: usize,
    /// Only loops whose names contain this text.
    #[arg(long, default_value = "")]
    only: String,
}

#[derive(Component, Clone, Copy)]
struct Position([f32; 3]);
#[derive(Component, Clone, Copy)]
struct Velocity([f32; 3]);

type Make = fn() -> World;
type Run = fn(&mut World);

/// A loop in two ways over the same world.
struct Case {
    name: &'static str,
    world: World,
    alone: Run,
    shared: Run,
}

fn step(position: &mut Position, velocity: &Velocity) {
    for (at, by) in position.0.iter_mut().zip(velocity.0) {
        *at += by * 0.01;
    }
}

/// Some 3 ns.
fn turn(position: &mut Position, velocity: &Velocity) {
    let [x, y, z] = velocity.0;
    let speed = (x * x + y * y + z * z).sqrt() + 1.0;
    for (at, by) in position.0.iter_mut().zip(velocity.0) {
        *at = (*at + by / speed).sqrt() + 0.5;
    }
}

/// Computes for some 10 µs.
fn toil(position: &mut Position) {
    let start = Instant::now();
    while start.elapsed() < Duration::from_micros(10) {
        position.0[0] = black_box(position.0[0] + 1.0);
    }
}

fn movers(count: usize) -> World {
    let mut world = World::new();
    world.spawn_batch((0..count).map(|_| (Position([1.0; 3]), Velocity([0.1; 3]))));
    world
}

/// Half of the entities have the one, half the other, inserted in an order of chance.
fn shuffled(count: usize) -> World {
    let mut world = World::new();
    let entities: Vec<Entity> = (0..count).map(|_| world.spawn_empty().id()).collect();
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).expect("31 bits")
    };
    for is_first in [true, false] {
        let mut some: Vec<Entity> =
            entities.iter().copied().filter(|_| random() % 2 == 0).collect();
        for at in (1..some.len()).rev() {
            some.swap(at, random() % (at + 1));
        }
        for entity in some {
            let inserted = if is_first {
                world.insert(entity, Position([1.0; 3]))
            } else {
                world.insert(entity, Velocity([0.1; 3]))
            };
            inserted.expect("it is alive");
        }
    }
    world
}

type Moving<'w> = (&'w mut Position, &'w Velocity);

const LIGHT: [Run; 2] = [
    |world| world.view_mut::<Moving>().for_each(|(_, at, by)| step(at, by)),
    |world| world.view_mut::<Moving>().par_for_each(|(_, at, by)| step(at, by)),
];
const MEDIUM: [Run; 2] = [
    |world| world.view_mut::<Moving>().for_each(|(_, at, by)| turn(at, by)),
    |world| world.view_mut::<Moving>().par_for_each(|(_, at, by)| turn(at, by)),
];
const HEAVY: [Run; 2] = [
    |world| world.view_mut::<&mut Position>().for_each(|(_, at)| toil(at)),
    |world| world.view_mut::<&mut Position>().par_for_each(|(_, at)| toil(at)),
];
const FOLD: [Run; 2] = [
    |world| {
        let view = world.view::<(Position, Velocity)>().into_iter();
        black_box(view.fold(0.0, |sum, (_, at, by)| sum + at.0[0] * by.0[0]));
    },
    |world| {
        let view = world.view::<(Position, Velocity)>();
        let fold = |sum: f32, (_, at, by): (Entity, &Position, &Velocity)| sum + at.0[0] * by.0[0];
        black_box(view.par_fold(|| 0.0, fold, |left, right| left + right));
    },
];
const ONE: [Run; 2] = [
    |world| world.view_mut::<&mut Position>().for_each(|(_, at)| at.0[0] += 1.0),
    |world| world.view_mut::<&mut Position>().par_for_each(|(_, at)| at.0[0] += 1.0),
];
const CHUNKS: [Run; 2] = [
    |world| {
        let view = world.view_mut::<Moving>();
        view.for_each_chunk(|(_, at, by)| at.iter_mut().zip(by).for_each(|(at, by)| step(at, by)));
    },
    |world| {
        let view = world.view_mut::<Moving>();
        view.par_for_each_chunk(|(_, at, by)| {
            at.iter_mut().zip(by).for_each(|(at, by)| step(at, by));
        });
    },
];

fn cases() -> impl Iterator<Item = Case> {
    let cases: [(&'static str, Make, [Run; 2]); 16] = [
        ("1M light", || movers(1_000_000), LIGHT),
        ("1M medium", || movers(1_000_000), MEDIUM),
        ("1M light, chunks", || movers(1_000_000), CHUNKS),
        ("1M, shuffled join of 50% and 50%", || shuffled(1_000_000), LIGHT),
        ("1M, the same, fold", || shuffled(1_000_000), FOLD),
        ("1M, fold", || movers(1_000_000), FOLD),
        ("64 of 10 µs", || movers(64), HEAVY),
        ("100k light", || movers(100_000), LIGHT),
        ("100k medium", || movers(100_000), MEDIUM),
        ("30k light", || movers(30_000), LIGHT),
        ("30k medium", || movers(30_000), MEDIUM),
        ("1k light", || movers(1_000), LIGHT),
        ("1k medium", || movers(1_000), MEDIUM),
        ("1k, one component", || movers(1_000), ONE),
        ("1k, shuffled join", || shuffled(1_000), LIGHT),
        ("1k, fold", || movers(1_000), FOLD),
    ];
    cases.into_iter().map(|(name, make, [alone, shared])| Case {
        name,
        world: make(),
        alone,
        shared,
    })
}

/// Returns the time of `repeats` runs, in µs each.
fn time(world: &mut World, run: Run, repeats: u32) -> f64 {
    let start = Instant::now();
    (0..repeats).for_each(|_| run(world));
    start.elapsed().as_secs_f64() * 1e6 / f64::from(repeats)
}

/// Returns the value above this percentage of all values.
fn percentile(values: &mut [f64], percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() - 1) * percent / 100]
}

fn main() {
    let Arguments { rounds, only } = Arguments::parse();
    ecs_benches::measure::settle_allocator();
    println!("{}", head("Loops alone and shared", &facts("parallel", &["rayon"])));
    let others = Others::begin();
    println!(
        "| loop | alone, µs | shared, µs | gain, median of pairs | gain, best tenth | gain after 1 ms of sleep |"
    );
    println!("|---|---|---|---|---|---|");
    for Case { name, mut world, alone, shared } in cases().filter(|case| case.name.contains(&only))
    {
        (0..20).for_each(|_| (alone(&mut world), shared(&mut world)).1);
        let once = time(&mut world, alone, 5);
        // Short loops are repeated, as the clock is no finer.
        let repeats = if once < 20.0 { 100 } else { 1 };
        let mut pairs = Vec::new();
        let mut after_sleep = Vec::new();
        for round in 0..rounds {
            // The first may find colder caches, so the order alternates.
            let mut times = [0.0; 2];
            for at in [round % 2, 1 - round % 2] {
                times[at] = time(&mut world, [alone, shared][at], repeats);
            }
            pairs.push(times);
            if round % 4 == 0 {
                std::thread::sleep(Duration::from_millis(1));
                let alone = time(&mut world, alone, 1);
                std::thread::sleep(Duration::from_millis(1));
                after_sleep.push(alone / time(&mut world, shared, 1));
            }
        }
        let mut gains: Vec<f64> = pairs.iter().map(|[alone, shared]| alone / shared).collect();
        let [mut alone, mut shared] =
            [0, 1].map(|at| pairs.iter().map(|pair| pair[at]).collect::<Vec<_>>());
        println!(
            "| {name} | {} | {} | {:.2} | {:.2} | {:.2} |",
            digits(percentile(&mut alone, 50)),
            digits(percentile(&mut shared, 50)),
            percentile(&mut gains, 50),
            percentile(&mut gains, 90),
            percentile(&mut after_sleep, 50),
        );
    }
    println!("\nOthers on the machine: {}", others.told());
}
