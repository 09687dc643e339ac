//! Data that leaves a world and comes back: copies.
//!
//! `ECS_WORLDS` says how many random worlds are tried, `ECS_SEED` which are the first.
#![allow(dead_code, reason = "of what stands beside columns not all is used")]

#[cfg(feature = "serde")]
mod changes;
#[cfg(feature = "serde")]
mod chosen;
mod clones;
mod copies;
#[path = "../counting/mod.rs"]
mod counting;
#[cfg(feature = "serde")]
mod deltas;
#[cfg(feature = "serde")]
mod depth;
#[cfg(feature = "serde")]
mod first_use;
#[cfg(feature = "serde")]
mod following;
#[cfg(feature = "serde")]
mod following_networks;
#[cfg(feature = "serde")]
mod fuzzed;
#[cfg(feature = "serde")]
mod golden;
#[cfg(feature = "serde")]
mod handles;
#[cfg(feature = "serde")]
mod hostile;
#[cfg(feature = "serde")]
mod kept;
mod kinds;
#[cfg(feature = "serde")]
mod limits;
#[cfg(feature = "serde")]
mod losses;
mod merge;
#[cfg(feature = "serde")]
mod order;
#[cfg(feature = "bytes")]
mod plain;
#[cfg(feature = "serde")]
mod replaced;
#[cfg(feature = "serde")]
#[path = "../../../ecs_derive/src/tests/replay.rs"]
mod replay;
#[cfg(feature = "serde")]
mod resources;
mod rows;
#[cfg(feature = "serde")]
mod saves;
mod shapes;
#[cfg(feature = "serde")]
mod texts;
#[cfg(feature = "serde")]
mod traps;
mod worlds;
