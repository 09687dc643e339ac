//! The library's public behaviour, a file a subject.
#![allow(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    clippy::needless_for_each,
    reason = "small whole numbers, written and read back"
)]

mod absent;
mod among;
mod at_random;
mod batch_edits;
mod batches;
mod changes;
mod closures;
mod collectors;
mod columns;
mod commands;
mod derives;
mod edits;
mod entities;
mod enum_queries;
mod event_queues;
mod few_optional;
mod fixed_steps;
mod fixtures;
mod groups;
mod halves;
mod hooks;
mod in_pool;
mod in_step;
mod liars;
mod lists;
mod lookups;
mod loops;
mod marks;
mod messages;
mod mishaps;
mod nested;
mod nested_groups;
mod observers;
mod optional_filters;
mod order;
mod panics;
mod parallel;
mod plans;
mod pools;
mod recipes;
mod relations;
mod requires;
mod resources;
#[cfg(feature = "parallel")]
mod same_everywhere;
mod schedules;
mod sorting;
mod sources;
mod sparse_sets;
mod splits;
mod stack;
mod systems;
mod undo;
mod unobserve;
mod vetoes;
mod views;
#[cfg(feature = "serde")]
mod worlds;
