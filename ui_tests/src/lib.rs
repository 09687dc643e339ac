//! What must compile with `ecs`, what must not, and with which words: see `tests/ui.rs`.

/// What the README shows compiles and runs. It stands beside no crate, so this one takes it.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}
