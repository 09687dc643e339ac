//! Substitutes for the standard library's threads and for rayon's pool.

use loom::sync::MutexGuard;
use std::cell::Cell;
use std::sync::PoisonError;

pub(super) use loom::hint::spin_loop;
pub(super) use loom::sync::atomic::AtomicUsize;
pub(super) use loom::sync::{Arc, Mutex};
pub(super) use loom::thread::{Thread, current, park};

/// One look, as each makes more orders of events.
pub(super) const LOOKS: usize = 1;

std::thread_local! {
    static THREADS: Cell<usize> = const { Cell::new(1) };
}

/// Calls `f` with every order of events of a pool of this many threads.
pub fn with_pool_of(threads: usize, f: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(move || {
        THREADS.set(threads); // all threads of a model run on one
        f();
    });
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn current_num_threads() -> usize {
    THREADS.get()
}

pub(super) fn spawn(job: impl FnOnce() + Send + 'static) {
    drop(loom::thread::spawn(job));
}
