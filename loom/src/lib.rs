//! The gate of `ecs`, compiled with the threads and atomics of a model checker.

extern crate alloc;

mod parallel {
    #[path = "../../../ecs/src/parallel/gate.rs"]
    pub(crate) mod gate;
    pub(crate) mod sync;
}

pub use parallel::sync::with_pool_of;

/// Calls `run` with every number below `tasks`, on the threads that come.
pub fn share(tasks: usize, run: &(dyn Fn(usize) + Sync)) {
    parallel::gate::share(tasks, run);
}
