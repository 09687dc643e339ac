//! Insertion, removal, spawning and despawning, of one entity and of many.

// In the order in which the documentation of `World` shows their methods. Blank lines keep it.
pub(crate) mod spawn;

pub(crate) mod components;

pub(crate) mod remove;

mod despawn;

pub(crate) mod batch;

pub(crate) mod merge;

pub(crate) mod bundle;
pub(crate) mod commit;
