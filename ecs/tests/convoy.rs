//! The example `convoy`: its own unit tests, which run here because Cargo runs none of an example's.

// Miri reads no files.
#![cfg(not(miri))]

#[expect(dead_code, reason = "nothing here calls the example's `main`")]
#[path = "../examples/convoy.rs"]
mod convoy;
