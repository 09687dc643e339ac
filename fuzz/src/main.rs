//! Calls one of the targets of the tests with bytes that libFuzzer makes: `ECS_FUZZ` names it.
#![no_main]
#![allow(dead_code, unused_imports, reason = "the tests beside the targets are left out")]

mod mutate;

#[path = "../../ecs/tests/counting/mod.rs"]
mod counting;
#[path = "../../ecs/tests/data/changes.rs"]
mod changes;
#[path = "../../ecs/tests/data/deltas.rs"]
mod deltas;
#[path = "../../ecs/tests/data/fuzzed.rs"]
mod fuzzed;
#[path = "../../ecs/tests/data/hostile.rs"]
mod hostile;
#[path = "../../ecs/tests/data/saves.rs"]
mod saves;
#[path = "../../ecs/tests/data/worlds.rs"]
mod worlds;

#[path = "../../ecs/tests/it/in_pool.rs"]
mod in_pool;
#[path = "../../ecs/tests/model/mod.rs"]
mod model;
#[path = "../../ecs/tests/random/one_result/random.rs"]
mod random;

#[path = "../../ecs_derive/src/aliasing.rs"]
mod aliasing;
#[path = "../../ecs_derive/src/attr.rs"]
mod attr;
#[path = "../../ecs_derive/src/bundle.rs"]
mod bundle;
#[path = "../../ecs_derive/src/columns.rs"]
mod columns;
#[path = "../../ecs_derive/src/component.rs"]
mod component;
#[path = "../../ecs_derive/src/tests/fuzzed.rs"]
mod derives;
#[path = "../../ecs_derive/src/errors.rs"]
mod errors;
#[path = "../../ecs_derive/src/field_type.rs"]
mod field_type;
#[path = "../../ecs_derive/src/fields.rs"]
mod fields;
#[path = "../../ecs_derive/src/item.rs"]
mod item;
#[path = "../../ecs_derive/src/lifetimes.rs"]
mod lifetimes;
#[path = "../../ecs_derive/src/tests/named.rs"]
mod named;
#[path = "../../ecs_derive/src/parts.rs"]
mod parts;
#[path = "../../ecs_derive/src/query.rs"]
mod query;
#[path = "../../ecs_derive/src/relation.rs"]
mod relation;
#[path = "../../ecs_derive/src/resource.rs"]
mod resource;
#[path = "../../ecs_derive/src/saving.rs"]
mod saving;
#[path = "../../ecs_derive/src/schedule.rs"]
mod schedule;
#[path = "../../ecs_derive/src/serde_words.rs"]
mod serde_words;
#[path = "../../ecs_derive/src/shape.rs"]
mod shape;
#[path = "../../ecs_derive/src/spell.rs"]
mod spell;
#[path = "../../ecs_derive/src/table.rs"]
mod table;
#[path = "../../ecs_derive/src/views.rs"]
mod views;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use std::sync::LazyLock;
use std::{env, fs};

/// A function that may be called with any bytes, and how to find some that reach far into it.
struct Target {
    name: &'static str,
    run: fn(&[u8]),
    seeds: fn() -> Vec<Vec<u8>>,
    mutate: mutate::Mutate,
}

const TARGETS: [Target; 7] = [
    target("files", fuzzed::files, fuzzed::file_seeds, mutate::parts),
    target("texts", fuzzed::texts, fuzzed::text_seeds, mutate::words),
    target("deltas", fuzzed::deltas, fuzzed::delta_seeds, mutate::parts),
    target("change_sets", fuzzed::change_sets, fuzzed::set_seeds, mutate::parts),
    target("derives", derives::derives, derives::derive_seeds, mutate::words),
    target("schedules", random::schedules, Vec::new, mutate::bytes),
    target("operations", model::run_bytes, Vec::new, mutate::bytes),
];

const fn target(
    name: &'static str,
    run: fn(&[u8]),
    seeds: fn() -> Vec<Vec<u8>>,
    mutate: mutate::Mutate,
) -> Target {
    Target { name, run, seeds, mutate }
}

/// The target, and its seeds.
static CHOSEN: LazyLock<(Target, Vec<Vec<u8>>)> = LazyLock::new(|| {
    let name = env::var("ECS_FUZZ").expect("ECS_FUZZ names a target");
    let target = TARGETS.into_iter().find(|target| target.name == name).expect("a target");
    let seeds = (target.seeds)();
    (target, seeds)
});

fuzz_target!(
    init: {
        // libFuzzer reads its folders after this.
        if let Ok(folder) = env::var("ECS_FUZZ_SEEDS") {
            for (at, seed) in CHOSEN.1.iter().enumerate() {
                fs::write(format!("{folder}/seed-{at}"), seed).unwrap();
            }
        }
    },
    |bytes: &[u8]| (CHOSEN.0.run)(bytes)
);

fuzz_mutator!(|bytes: &mut [u8], len: usize, most: usize, seed: u32| {
    let (target, seeds) = &*CHOSEN;
    (target.mutate)(bytes, len, most, seeds, &mut worlds::Random(seed.into()))
});
