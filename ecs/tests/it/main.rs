//! The library's public behaviour, a file a subject.
#![allow(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    clippy::needless_for_each,
    reason = "small whole numbers, written and read back"
)]

mod batch_edits;
mod change_marks;
mod changes;
mod collectors;
mod columns;
mod commands;
mod derives;
mod edits;
mod entities;
mod enum_queries;
mod equal_order;
mod event_queues;
#[cfg(feature = "parallel")]
mod execution_order;
mod fixed_steps;
mod fixtures;
mod groups;
mod hooks;
mod in_pool;
mod indexes;
mod insert_if_absent;
mod lists;
mod lookups;
mod loops;
mod nested_groups;
mod observer_closures;
mod observer_recipes;
mod observers;
mod optional_components;
mod optional_filters;
mod optional_in_groups;
mod order;
mod panic_messages;
mod panics;
mod panics_at_any_call;
mod parallel;
mod plans;
mod pools;
mod random_pools;
mod recursive_observers;
mod relations;
mod requires;
mod resources;
mod rules;
mod schedules;
mod snapshots;
mod sorting;
mod sources;
mod sparse_sets;
mod spawn_batches;
mod splits;
mod stack;
mod systems;
mod typed_handles;
mod undo;
mod unique_components;
mod unobserve;
mod vetoes;
mod views;
mod views_among_changes;
#[cfg(feature = "serde")]
mod worlds;
mod wrong_implementations;
