//! The example `rollback`: its own unit tests, which run here because Cargo runs none of an example's.

#[expect(dead_code, reason = "nothing here calls the example's `main`")]
#[path = "../examples/rollback.rs"]
mod rollback;
