//! Worlds that are saved, loaded and copied, beside plain copies of as many bytes, the columns of hecs by postcard, and JSON and RON.
//! Also the cost of reading values through a trait object. All take turns, and the least CPU time of 12 rounds counts. Some figures
//! have bounds.
//!
//! ```sh
//! cargo bench -p ecs_benches --bench snapshots                   # all, and what is promised of it
//! cargo bench -p ecs_benches --bench snapshots -- 1M/ hecs       # what has one of these in its name
//! ```

mod erased;
mod hecs_columns;
mod turns;

use bytemuck::{Pod, Zeroable};
use ecs::save::Limits;
use ecs::{Component, Entity, Local, Schedule, Snapshot, View, World};
use ecs_benches::measure::settle_allocator;
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use turns::{Promise, Turns};

#[derive(Component, Clone, Copy, Serialize, Deserialize)]
#[component(save = "position", clone)]
struct Position([f32; 3]);
#[derive(Component, Clone, Copy, Serialize, Deserialize)]
#[component(save = "velocity", clone)]
struct Velocity([f32; 3]);
#[derive(Component, Clone, Copy, Serialize, Deserialize)]
#[component(save = "health", clone)]
struct Health(u64);

/// The components of the benchmark, saved as their bytes in memory.
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

const MILLION: u16 = 1_000;
/// The number of entities of much slower cases.
const TENTH: u16 = 100;

/// The components of this many thousand entities: 32 bytes each.
fn values(thousands: u16) -> impl Iterator<Item = (Position, Velocity, Health)> {
    let rows =
        (0..thousands).flat_map(|a| (0..1_000_u16).map(move |b| (f32::from(a), f32::from(b))));
    rows.zip(1_u64..).map(|((a, b), health)| {
        (Position([a, b, 0.5]), Velocity([b, a, 1.5]), Health(health % 1_000))
    })
}

fn in_order(thousands: u16) -> World {
    let mut world = World::new();
    world.spawn_batch(values(thousands));
    world
}

fn as_bytes() -> World {
    let mut world = World::new();
    world.spawn_batch(values(MILLION).map(|(position, velocity, health)| {
        (plain::Position(position.0), plain::Velocity(velocity.0), plain::Health(health.0))
    }));
    world
}

/// Returns a world of the same entities, with each component inserted in an order of its own.
fn at_random() -> World {
    let mut world = World::new();
    let count = usize::from(MILLION) * 1_000;
    let entities: Vec<Entity> = (0..count).map(|_| world.spawn_empty().id()).collect();
    let values: Vec<_> = values(MILLION).collect();
    // Steps that have no common divisor with the count visit all.
    let order = |step: usize| (0..count).map(move |at| at * step % count);
    world.insert_batch(order(386_411).map(|at| (entities[at], values[at].0))).unwrap();
    world.insert_batch(order(611_953).map(|at| (entities[at], values[at].1))).unwrap();
    world.insert_batch(order(104_729).map(|at| (entities[at], values[at].2))).unwrap();
    world
}

/// A world, its bytes, and another one that becomes its copy.
struct Saved {
    world: World,
    bytes: Vec<u8>,
    kept: World,
}

impl Saved {
    fn new(world: World) -> Self {
        let (mut bytes, kept) = (Vec::new(), world.try_clone().unwrap());
        world.save().to_bytes(&mut bytes).unwrap();
        Self { world, bytes, kept }
    }

    /// Saves it into existing memory, reads it, makes a copy, and copies into an earlier copy.
    fn add<'w>(&'w mut self, names: [&'static str; 4], turns: &mut Turns<'w>) {
        let Self { world, bytes, kept } = self;
        let (world, bytes) = (&*world, &*bytes);
        let mut reused = bytes.clone();
        turns.add(names[0], move || {
            reused.clear();
            world.save().to_bytes(&mut reused).unwrap();
        });
        turns.add(names[1], || world.read(bytes, &Limits::default()).unwrap());
        turns.add(names[2], || world.try_clone().unwrap());
        turns.add(names[3], || kept.copy_from(world).unwrap());
    }
}

/// The names of the operations on a world.
macro_rules! names {
    ($world:literal) => {
        [
            concat!($world, "/save"),
            concat!($world, "/load"),
            concat!($world, "/try_clone"),
            concat!($world, "/copy_from"),
        ]
    };
}

const fn at_most(own: &'static str, most: f64, over: &'static str) -> Promise {
    Promise { own, over, most }
}

const PROMISES: [Promise; 11] = [
    at_most("1M/save", 1.1, "1M/hecs/save"),
    at_most("1M/load", 1.0, "1M/hecs/load"),
    at_most("1M as bytes/save", 4.0, "1M/memcpy of values"),
    at_most("1M as bytes/save", 4.0, "1M/memcpy of values and handles"),
    at_most("1M/copy_from", 3.0, "1M/memcpy of values"),
    at_most("1M/copy_from", 3.0, "1M/memcpy of values and handles"),
    at_most("1M at random/save", 3.0, "1M/save"),
    at_most("1M at random/load", 3.0, "1M/load"),
    at_most("1M at random/try_clone", 3.0, "1M/try_clone"),
    at_most("1M at random/copy_from", 3.0, "1M/copy_from"),
    at_most("10k/snapshot of a program", 2.0, "10k/copy_from"),
];

fn drift(all: View<(&mut Position, &Velocity)>, mut runs: Local<u64>) {
    *runs += 1;
    all.for_each(|(_, position, velocity)| position.0[0] += velocity.0[0]);
}

#[expect(clippy::needless_pass_by_value, reason = "systems take their parameters by value")]
fn count(all: View<&Health>, mut last: Local<Vec<usize>>) {
    last.push(all.count());
    last.truncate(60);
}

/// Adds a turn that takes a snapshot of 10,000 entities and two systems with values of their own.
fn add_program(name: &'static str, turns: &mut Turns<'_>) {
    let (mut world, mut snapshot) = (in_order(TENTH / 10), Snapshot::default());
    let mut schedule = Schedule::new().add(drift).add(count);
    schedule.run(&mut world).unwrap();
    turns.add(name, move || schedule.snapshot_into(&mut world, &mut snapshot).unwrap());
}

/// Adds a turn that copies this many numbers.
fn add_memcpy(name: &'static str, count: usize, turns: &mut Turns<'_>) {
    let numbers = vec![7_u64; count];
    let mut copy = numbers.clone();
    turns.add(name, move || copy.clone_from(black_box(&numbers)));
}

/// Makes glibc's allocator keep all freed memory. Fresh pages from the kernel take longer than the
/// measured work, and they are distributed by chance: beyond 64 MB, glibc returns the end of its
/// heap. So an allocation of more than two untouched gigabytes stays at the end.
fn keep_what_is_freed() {
    let room: Vec<Vec<u8>> = (0..128).map(|_| black_box(Vec::with_capacity(16 << 20))).collect();
    black_box(vec![1_u8; 1 << 17]).leak();
    drop(room);
}

fn main() {
    settle_allocator();
    keep_what_is_freed();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // Cargo says so when it measures, and not when it tests.
    let rounds = if arguments.iter().any(|it| it == "--bench") { 12 } else { 1 };
    let asked = arguments.into_iter().filter(|it| !it.starts_with("--")).collect();

    let [mut ordered, mut plain, mut shuffled] =
        [in_order(MILLION), as_bytes(), at_random()].map(Saved::new);
    let (mut small, mut smallest) = (Saved::new(in_order(TENTH)), Saved::new(in_order(TENTH / 10)));
    let by_hecs = hecs_columns::world();
    let mut of_hecs = Vec::new();
    hecs_columns::save(&by_hecs, &mut of_hecs);
    let text = serde_json::to_vec(&small.world.save()).unwrap();
    let ron_text = ron::to_string(&small.world.save()).unwrap();
    let written = erased::write();
    let (like_small, mut single) = (small.world.try_clone().unwrap(), World::new());
    let entity = single.spawn(values(1).next().unwrap()).id();

    let mut turns = Turns::new(asked);
    add_memcpy("1M/memcpy of values", 4_000_000, &mut turns);
    // Three handles an entity, as each of its components is in a pool of its own.
    add_memcpy("1M/memcpy of values and handles", 7_000_000, &mut turns);
    let mut reused = of_hecs.clone();
    let by_hecs = &by_hecs;
    turns.add("1M/hecs/save", move || {
        reused.clear();
        hecs_columns::save(by_hecs, &mut reused);
    });
    turns.add("1M/hecs/load", || hecs_columns::load(&of_hecs));
    ordered.add(names!("1M"), &mut turns);
    plain.add(names!("1M as bytes"), &mut turns);
    shuffled.add(names!("1M at random"), &mut turns);
    small.add(names!("100k"), &mut turns);
    smallest.add(names!("10k"), &mut turns);
    add_program("10k/snapshot of a program", &mut turns);
    turns.add("100k/JSON/save", || serde_json::to_vec(&like_small.save()).unwrap());
    turns.add("100k/JSON/load", || {
        like_small.read_from(&mut serde_json::Deserializer::from_slice(&text)).unwrap()
    });
    turns.add("100k/RON/save", || ron::to_string(&like_small.save()).unwrap());
    turns.add("100k/RON/load", || {
        like_small.read_from(&mut ron::Deserializer::from_str(&ron_text).unwrap()).unwrap()
    });
    turns.add("300k values/read", || erased::read(&written));
    turns.add("300k values/read, erased", || erased::read_erased(&written));
    turns.add("10k copies of an entity", || {
        let copies = single.spawn_copies(entity, 10_000).unwrap();
        single.despawn_batch(&copies);
    });

    turns.measure(rounds);
    let mut table = String::new();
    turns.table(&mut table);
    turns.promises(&PROMISES, &mut table);
    println!("{table}");
}
