//! Each call of user code panics once, in each edit of each world: the world stays consistent and usable, and no value is
//! lost or dropped twice.
//!
//! [`values`] has components whose `Drop`, `Clone`, `Default`, `Serialize`, `Deserialize`, hooks and vetoes call [`tick`].
//! [`settings`] has worlds, [`scenarios`] the operations on each of them: closures, comparators, iterators, observers and
//! systems tick there. The fuse is one tick longer at each run of a scenario, until it completes.
//!
//! `ECS_FAULTS=thread,observed` runs the scenarios and settings whose names contain these words.

mod scenarios;
mod settings;
mod values;

use crate::scenarios::SCENARIOS;
use crate::settings::{SETTINGS, Setting};
use crate::values::{alive, in_world, pair, value};
use ecs::{Entity, World};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// The number of calls of user code that succeed before one panics.
    static FUSE: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Burns the fuse down by one.
///
/// # Panics
/// Panics at the end of the fuse.
pub fn tick() {
    if !std::thread::panicking() {
        let left = FUSE.get();
        FUSE.set(match left {
            0 | usize::MAX => usize::MAX,
            left => left - 1,
        });
        assert!(left > 0, "{MISHAP}");
    }
}

const MISHAP: &str = "a mishap";

/// Calls `f` with a fuse that does not burn: for the preparations of a scenario.
pub fn quietly<R>(f: impl FnOnce() -> R) -> R {
    let fuse = FUSE.replace(usize::MAX);
    let result = f();
    FUSE.set(fuse);
    result
}

/// Runs a scenario until it completes, each time with a longer fuse. Returns the number of runs that panicked.
fn sweep(setting: &Setting, act: scenarios::Act) -> usize {
    for length in 0.. {
        let (mut world, entities) = (setting.make)();
        FUSE.set(length);
        let result = catch_unwind(AssertUnwindSafe(|| act(&mut world, &entities)));
        let is_complete = FUSE.replace(usize::MAX) != usize::MAX;
        if let Err(panic) = result {
            let words = panic.downcast_ref::<String>().map_or("no words", |words| words);
            assert!(!is_complete && words.contains(MISHAP), "tick {length}: {words}");
        }
        check(&world, length);
        use_further(&mut world);
        drop(world);
        assert_eq!(alive(), 0, "tick {length}: values are lost, or dropped twice");
        if is_complete {
            return length;
        }
    }
    unreachable!("a scenario ends")
}

fn check(world: &World, length: usize) {
    world.check_invariants();
    assert_eq!(alive(), in_world(world), "tick {length}: values are lost, or dropped twice");
}

/// A world in which a call panicked works like any other one.
fn use_further(world: &mut World) {
    let entity = world.spawn((values::Body(value()), pair())).id();
    assert!(world.has::<(values::Body, values::Pair)>(entity));
    assert_eq!(world.view::<values::Body>().count(), world.pool::<values::Body>().len());
    world.despawn(entity).unwrap();
    let all: Vec<Entity> = world.entities().collect();
    assert_eq!(all.len(), world.len());
    world.check_invariants();
    world.clear();
    assert!(world.is_empty() && world.kinds().all(|kind| world.kind_entities(kind).is_empty()));
    world.check_invariants();
}

/// Calls `run` on the stack that the standard library gives a thread, or on a larger one where sanitizers need it. Tests
/// that run one by one would have the stack of the process.
fn on_a_small_stack(run: fn()) {
    let larger = std::env::var("RUST_MIN_STACK").ok().and_then(|bytes| bytes.parse().ok());
    let thread = std::thread::Builder::new().stack_size(larger.unwrap_or(2 << 20));
    thread.spawn(run).unwrap().join().unwrap();
}

/// Runs the scenarios in one setting.
fn run(name: &str) {
    let only = std::env::var("ECS_FAULTS").unwrap_or_default();
    let is_chosen =
        |scenario: &str| only.split(',').all(|word| scenario.contains(word) || name.contains(word));
    let setting = SETTINGS.iter().find(|setting| setting.name == name).unwrap();
    let (mut points, mut scenarios) = (0, 0);
    std::panic::set_hook(Box::new(|info| {
        let words = info.to_string();
        if !words.contains(MISHAP) {
            eprintln!("{words}");
        }
    }));
    for (scenario, act) in SCENARIOS.iter().filter(|(scenario, _)| is_chosen(scenario)) {
        let swept = catch_unwind(AssertUnwindSafe(|| sweep(setting, *act)));
        let swept = swept.unwrap_or_else(|_| panic!("{name}, {scenario}"));
        points += swept;
        scenarios += 1;
    }
    println!("{name}: {points} faults in {scenarios} scenarios");
    assert!(
        !only.is_empty() || points >= setting.least,
        "{points} faults in {scenarios} scenarios"
    );
}

macro_rules! tests {
    ($($name:ident),*) => {
        $(
            #[test]
            fn $name() {
                on_a_small_stack(|| run(stringify!($name)));
            }
        )*

        #[test]
        fn every_setting_has_a_test() {
            let names: Vec<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
        }
    };
}
tests! { plain, grouped, related, observed, observed_in_batches, all_at_once }
