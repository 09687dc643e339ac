//! The files of `ecs` that threads share, compiled with the threads and atomics of a model checker:
//! the gate, and the reservation of handles.

extern crate alloc;

mod component;
#[path = "../../ecs/src/entities/mod.rs"]
#[allow(dead_code, missing_docs, reason = "only the shared parts are called")]
mod entities;
#[path = "../../ecs/src/entity.rs"]
#[allow(dead_code, reason = "as above")]
mod entity;
#[path = "../../ecs/src/extent.rs"]
#[allow(dead_code, unused_imports, unused_macros, reason = "as above")]
mod extent;
mod handles;
mod parallel {
    #[path = "../../../ecs/src/parallel/gate.rs"]
    pub(crate) mod gate;
    pub(crate) mod sync;

    use gate::{Gate, Work};
    use sync::Arc;

    /// Opens a gate, and closes it while another thread arrives, which calls `inside` if it may enter.
    pub fn close_while_one_comes(inside: impl FnOnce() + 'static) {
        let work: Work<'_> = &|_| {};
        let gate = Arc::new(Gate::new(1, &work));
        let helper = Arc::clone(&gate);
        drop(loom::thread::spawn(move || {
            if helper.enter() {
                inside();
                helper.leave();
            }
        }));
        gate.close();
    }
}
mod storage;
mod sync;

pub use handles::Handles;
pub use parallel::close_while_one_comes;
pub use parallel::sync::with_pool_of;

/// Calls `run` with every number below `tasks`, on the threads that come.
pub fn share(tasks: usize, run: &(dyn Fn(usize) + Sync)) {
    parallel::gate::share(tasks, run);
}
