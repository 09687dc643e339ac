//! The example `epidemic`: its own tests, which run here because Cargo runs none of an example's.

// Threads of rayon's and the clock are not Miri's.
#![cfg(not(miri))]

#[expect(dead_code, reason = "nothing here calls the example's `main`")]
#[path = "../examples/epidemic.rs"]
mod epidemic;
