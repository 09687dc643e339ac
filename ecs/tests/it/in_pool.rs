//! Calls in rayon's pools, and locks, as `ThreadSanitizer` can follow them.
//!
//! It knows nothing of how the standard library waits, nor of all that rayon does. So with `--cfg ecs_thread_sanitizer`
//! shared loops have threads of their own, and locks are only waited for by trying again.
#![allow(dead_code, reason = "several programs have this file, and not all use all of it")]

use rayon::ThreadPool;
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Calls `f` in the pool.
#[cfg(not(ecs_thread_sanitizer))]
pub fn in_pool<R: Send>(pool: &ThreadPool, f: impl FnOnce() -> R + Send) -> R {
    pool.install(f)
}

/// Calls `f` here: there is no pool.
#[cfg(ecs_thread_sanitizer)]
pub fn in_pool<R: Send>(_: &ThreadPool, f: impl FnOnce() -> R + Send) -> R {
    f()
}

/// Locks.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    loop {
        match mutex.try_lock() {
            Ok(guard) => return guard,
            Err(TryLockError::Poisoned(error)) => panic!("{error}"),
            Err(TryLockError::WouldBlock) => std::thread::yield_now(),
        }
    }
}
