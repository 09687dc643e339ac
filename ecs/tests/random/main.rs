//! Random operations, compared with naive models and with each other.
//!
//! Each file names the environment variables that enlarge it.

#[path = "../it/in_pool.rs"]
mod in_pool;
mod lifecycle;
mod model;
mod numbers;
mod one_result;
mod readers;
mod recorded;
mod swapped;
