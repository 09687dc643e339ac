//! Fuzzes readers: of files, texts, deltas, change sets and queries.
#![no_main]
#![allow(dead_code, unused_imports, reason = "the tests beside the targets are left out")]

mod mutate;
mod target;

#[path = "../../ecs/tests/data/changes.rs"]
mod changes;
#[path = "../../ecs/tests/counting/mod.rs"]
mod counting;
#[path = "../../ecs/tests/data/deltas.rs"]
mod deltas;
#[path = "../../ecs/tests/data/fuzzed.rs"]
mod fuzzed;
#[path = "../../ecs/tests/data/hostile.rs"]
mod hostile;
#[path = "../../ecs/tests/random/numbers.rs"]
mod numbers;
#[path = "../../ecs/tests/data/saves.rs"]
mod saves;
#[path = "../../ecs/tests/data/worlds.rs"]
mod worlds;

target::fuzz! {
    "files": fuzzed::files, fuzzed::file_seeds, mutate::parts;
    "texts": fuzzed::texts, fuzzed::text_seeds, mutate::words;
    "deltas": fuzzed::deltas, fuzzed::delta_seeds, mutate::parts;
    "change_sets": fuzzed::change_sets, fuzzed::set_seeds, mutate::parts;
    "queries": fuzzed::queries, fuzzed::query_seeds, mutate::words;
}
