//! Data that leaves a world and comes back: copies.
//!
//! `ECS_WORLDS` says how many random worlds are tried, `ECS_SEED` which are the first.
#![allow(dead_code, reason = "of what stands beside columns not all is used")]

#[cfg(feature = "serde")]
mod changes;
#[cfg(feature = "serde")]
mod chosen_entities;
mod clones;
mod components_by_name;
mod copies;
#[path = "../counting/mod.rs"]
mod counting;
mod defined;
mod defined_indexes;
mod defined_rules;
mod defined_values;
#[cfg(feature = "serde")]
mod deltas;
#[cfg(feature = "serde")]
mod depth;
#[cfg(feature = "serde")]
mod exactness;
#[cfg(feature = "serde")]
mod first_use;
#[cfg(feature = "serde")]
mod followers;
#[cfg(feature = "serde")]
mod followers_over_networks;
#[cfg(feature = "serde")]
mod fuzzed;
#[cfg(feature = "serde")]
mod golden;
#[cfg(feature = "serde")]
mod handles;
#[cfg(feature = "serde")]
mod hostile;
#[cfg(feature = "serde")]
mod indexed;
#[cfg(feature = "serde")]
mod memory_limits;
mod merge;
#[cfg(feature = "serde")]
mod one_entity;
#[cfg(feature = "serde")]
mod order;
#[cfg(feature = "serde")]
mod prefabs;
mod queries_by_name;
mod query_chunks;
mod query_texts;
#[cfg(feature = "serde")]
mod recordings;
#[cfg(feature = "serde")]
mod replacements;
#[cfg(feature = "serde")]
#[path = "../../../ecs_derive/src/tests/replay.rs"]
mod replay;
#[cfg(feature = "serde")]
mod resources;
#[cfg(feature = "serde")]
mod rules;
#[cfg(feature = "bytes")]
mod saved_as_bytes;
#[cfg(feature = "serde")]
mod saves;
#[cfg(feature = "serde")]
mod schema_changes;
mod shapes;
#[cfg(feature = "serde")]
mod texts;
#[cfg(feature = "serde")]
mod unknown_components;
#[cfg(feature = "serde")]
mod values_apart;
mod worlds;
