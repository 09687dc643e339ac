//! Data that leaves a world and comes back: copies.
//!
//! `ECS_WORLDS` says how many random worlds are tried, `ECS_SEED` which are the first.
#![allow(dead_code, reason = "of what stands beside columns not all is used")]

mod absorb;
mod copies;
#[cfg(feature = "serde")]
mod deltas;
#[cfg(feature = "serde")]
mod hostile;
mod kinds;
mod rows;
#[cfg(feature = "serde")]
mod saves;
mod worlds;
