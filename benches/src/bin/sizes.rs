//! Joins of two components in worlds of many sizes, each a quarter larger than the one before. The time of a match
//! must not jump from one size to the next, except where a cache of the machine is full.
//!
//! `cargo run --release -p ecs_benches --features peers --bin sizes`

use clap::Parser;
use ecs::{Component, World};
use ecs_benches::libraries::upkeep;
use ecs_benches::machine::{Others, facts};
use ecs_benches::markdown::head;
use std::time::{Duration, Instant};

/// Measures a join in worlds of many sizes.
#[derive(Parser)]
struct Arguments {
    /// The least number of members of the first component.
    #[arg(long, default_value_t = 1_000)]
    from: usize,
    /// The largest number of members.
    #[arg(long, default_value_t = 4_000_000)]
    to: usize,
    /// The number of turns that each world gets; the quickest counts.
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Measures pools that do not order themselves.
    #[arg(long)]
    unordered: bool,
}

/// A step to more than this multiple of the time of a match is marked.
const STEP: f64 = 1.3;

#[derive(Component, Clone, Copy)]
struct A([f32; 3]);
#[derive(Component, Clone, Copy)]
struct B([f32; 3]);

const fn a() -> A {
    A([1.0; 3])
}

const fn b() -> B {
    B([0.5; 3])
}

fn add(a: &mut A, b: &B) {
    for (a, b) in a.0.iter_mut().zip(b.0) {
        *a += b;
    }
}

/// Numbers that look random and are the same in every run: Marsaglia's xorshift (2003).
struct Random(u64);

impl Random {
    const fn new() -> Self {
        Self(88_172_645_463_325_252)
    }

    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).expect("48 bits") % end
    }

    fn is_heads(&mut self) -> bool {
        self.below(2) == 0
    }
}

/// The number of matches, and the loop over them.
type Loop = (usize, Box<dyn FnMut()>);

fn ours(mut world: World, is_ordered: bool) -> Loop {
    world.set_ordering(is_ordered);
    let matches = world.view::<(A, B)>().count();
    let run = move || {
        upkeep(&mut world);
        world.view_mut::<(&mut A, &B)>().for_each(|(_, a, b)| add(a, b));
    };
    (matches, Box::new(run))
}

/// `members` entities have `A`, half of them `B`.
fn all_and_half(members: usize, is_ordered: bool) -> Loop {
    let (mut world, mut random) = (World::new(), Random::new());
    for _ in 0..members {
        if random.is_heads() {
            world.spawn((a(), b()));
        } else {
            world.spawn(a());
        }
    }
    ours(world, is_ordered)
}

/// Half of the entities have `A`, half have `B`.
fn half_and_half(members: usize, is_ordered: bool) -> Loop {
    let (mut world, mut random) = (World::new(), Random::new());
    for _ in 0..members * 2 {
        match (random.is_heads(), random.is_heads()) {
            (true, true) => world.spawn((a(), b())),
            (true, false) => world.spawn(a()),
            (false, true) => world.spawn(b()),
            (false, false) => world.spawn_empty(),
        };
    }
    ours(world, is_ordered)
}

/// Half of the entities have `A`, half have `B`. Every thousandth one that has both has ended and come again, with another
/// handle.
fn respawned_world(members: usize) -> World {
    let (mut world, mut random) = (World::new(), Random::new());
    let mut both = Vec::new();
    for _ in 0..members * 2 {
        match (random.is_heads(), random.is_heads()) {
            (true, true) => both.push(world.spawn((a(), b())).id()),
            (true, false) => _ = world.spawn(a()),
            (false, true) => _ = world.spawn(b()),
            (false, false) => _ = world.spawn_empty(),
        }
    }
    for &entity in both.iter().step_by(1_000) {
        world.despawn(entity).expect("it is alive");
        world.spawn((a(), b()));
    }
    world
}

fn respawned(members: usize, is_ordered: bool) -> Loop {
    ours(respawned_world(members), is_ordered)
}

/// Like [`respawned`]; then both pools were sorted by the entities.
fn sorted_again(members: usize, is_ordered: bool) -> Loop {
    let mut world = respawned_world(members);
    world.pool_mut::<A>().sort_by_entity().expect("no group owns it");
    world.pool_mut::<B>().sort_by_entity().expect("no group owns it");
    ours(world, is_ordered)
}

/// Loops over the same members, inserted in random orders.
fn shuffled(members: usize, is_ordered: bool) -> Loop {
    let (mut world, mut random) = (World::new(), Random::new());
    let mut entities = world.spawn_batch((0..members * 2).map(|_| ()));
    for is_first in [true, false] {
        for last in (1..entities.len()).rev() {
            entities.swap(last, random.below(last + 1));
        }
        for &entity in &entities[..members] {
            let inserted =
                if is_first { world.insert(entity, a()) } else { world.insert(entity, b()) };
            inserted.expect("it is alive");
        }
    }
    ours(world, is_ordered)
}

/// Half of the entities have `A`, half have `B`: in hecs, whose tables are in order by themselves.
#[cfg(feature = "peers")]
fn hecs(members: usize, _: bool) -> Loop {
    let (mut world, mut random) = (hecs::World::new(), Random::new());
    for _ in 0..members * 2 {
        match (random.is_heads(), random.is_heads()) {
            (true, true) => world.spawn((a(), b())),
            (true, false) => world.spawn((a(),)),
            (false, true) => world.spawn((b(),)),
            (false, false) => world.spawn(()),
        };
    }
    let matches = world.query_mut::<(&A, &B)>().into_iter().len();
    let run = move || {
        world.query_mut::<(&mut A, &B)>().into_iter().for_each(|(a, b)| add(a, b));
    };
    (matches, Box::new(run))
}

type Scene = (&'static str, fn(usize, bool) -> Loop);

const SCENES: &[Scene] = &[
    ("all × half, in order", all_and_half),
    ("half × half, in order", half_and_half),
    ("half × half, respawned", respawned),
    ("half × half, respawned and sorted", sorted_again),
    ("half × half, shuffled", shuffled),
    #[cfg(feature = "peers")]
    ("hecs, half × half", hecs),
];

/// The number of loops before a world is measured: pools are ordered when loops have paid for it.
const FIRST: usize = 100;

/// Returns the nanoseconds of a match, in the quickest of some turns.
#[expect(clippy::cast_precision_loss, reason = "some million matches")]
fn measure((matches, mut run): Loop, rounds: usize) -> f64 {
    (0..FIRST).for_each(|_| run());
    let mut repeats = 1;
    let mut turn = |repeats: u32| {
        let start = Instant::now();
        (0..repeats).for_each(|_| run());
        start.elapsed()
    };
    while turn(repeats) < Duration::from_millis(1) {
        repeats *= 2;
    }
    let least = (0..rounds).map(|_| turn(repeats)).min().expect("a round");
    least.as_secs_f64() * 1e9 / f64::from(repeats) / matches as f64
}

fn main() {
    let Arguments { from, to, rounds, unordered } = Arguments::parse();
    let others = Others::begin();
    let packages: &[_] = if cfg!(feature = "peers") { &["ecs", "hecs"] } else { &["ecs"] };
    let mut facts = facts("sizes", packages);
    facts.push(("rounds", format!("the quickest of {rounds}")));
    println!("{}", head("A join in worlds of many sizes", &facts));
    println!(
        "Nanoseconds of a match, by the number of members of the first component. Bold: more than {STEP} times as \
         long as in the world before, which is smaller by a fifth. Each \
         world is measured after {FIRST} loops.\n"
    );
    let names: Vec<_> = SCENES.iter().map(|scene| scene.0).collect();
    println!("| members | {} |", names.join(" | "));
    println!("|---:|{}", "---:|".repeat(names.len()));
    let mut before = vec![f64::INFINITY; SCENES.len()];
    let mut members = from;
    while members <= to {
        let mut cell = |((_, make), before): (&Scene, &mut f64)| {
            let time = measure(make(members, !unordered), rounds);
            let step = time / *before;
            *before = time;
            if step > STEP { format!("**{time:.3}** (× {step:.2})") } else { format!("{time:.3}") }
        };
        let cells: Vec<_> = SCENES.iter().zip(&mut before).map(&mut cell).collect();
        println!("| {members} | {} |", cells.join(" | "));
        members += members / 4;
    }
    println!("\nOthers on the machine: {}.", others.told());
}
