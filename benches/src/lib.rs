//! The library beside its peers: equal scenes and loops, written once for each library.
//!
//! A [`Workload`](workload::Workload) describes a measurement. A [`Library`](library::Library) holds
//! one [`Case`](library::Case) for each workload that it does. A case makes a
//! [`Scene`](library::Scene): a warmed world with the loop to be timed. `scene` declares the content
//! of scenes, so that all libraries get the same entities, values and history. Each file under
//! `libraries` expresses it in its library's best idiom.
//! `cargo run --release -p ecs_benches --features peers --bin compare` measures them in turns.
//!
//! `frames` has the scene of a program's frame: a driver that edits entities and times the parts of each frame, and the
//! trait that each library implements for its world.
//!
//! Beside the comparison stand `ladders`: the library's promises, one for each rung, for the
//! workloads in which a bare implementation is far quicker.
//! `cargo run --release -p ecs_benches --bin limits` measures them.
//!
//! `benches/core.rs` and `benches/layouts.rs` are apart from this: ours alone, with criterion.

mod components;
pub mod frames;
pub mod ladders;
pub mod libraries;
pub mod library;
pub mod machine;
pub mod markdown;
pub mod measure;
pub mod program;
mod scene;
pub mod workload;
