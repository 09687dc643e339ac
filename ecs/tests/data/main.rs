//! Data that leaves a world and comes back: copies.
//!
//! `ECS_WORLDS` says how many random worlds are tried, `ECS_SEED` which are the first.

mod absorb;
mod copies;
mod worlds;
