//! Hooks, observers, collectors and readers of changes.

// In the order in which the documentation of `World` shows their methods. Blank lines keep it.
pub(crate) mod observe;

pub(crate) mod collect;

pub(crate) mod changes;

pub(crate) mod calls;
mod listeners;
