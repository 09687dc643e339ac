//! Fuzzes operations on worlds, and schedules: each compared with its model.
#![no_main]
#![allow(dead_code, unused_imports, reason = "the tests beside the targets are left out")]

mod mutate;
mod target;

#[path = "../../ecs/tests/counting/mod.rs"]
mod counting;
#[path = "../../ecs/tests/it/in_pool.rs"]
mod in_pool;
#[path = "../../ecs/tests/model/mod.rs"]
mod model;
#[path = "../../ecs/tests/random/numbers.rs"]
mod numbers;
#[path = "../../ecs/tests/random/one_result/random.rs"]
mod random;

target::fuzz! {
    "schedules": random::schedules, Vec::new, mutate::bytes;
    "operations": model::run_bytes, Vec::new, mutate::bytes;
}
