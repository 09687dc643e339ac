//! Random operations, compared with naive models and with each other.
//!
//! Each file names the environment variables that enlarge it.

mod fuzzed;
#[path = "../it/in_pool.rs"]
mod in_pool;
mod lifecycle;
mod many_types;
#[path = "../model/mod.rs"]
mod model;
mod numbers;
mod one_result;
mod recorded;
#[path = "../../../ecs_derive/src/tests/replay.rs"]
mod replay;
mod replays;
mod rules;
mod swapped;
mod undone;
