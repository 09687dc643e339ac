//! The synchronization of threads. A model checker substitutes its own types, to try the gate in every order of events.
//!
//! `ThreadSanitizer` does not observe the inside of the standard library, nor all of rayon. With `--cfg
//! ecs_thread_sanitizer`, threads are of a kind that it observes: the standard library's, one for each job.

pub(super) use alloc::sync::Arc;
pub(super) use core::hint::spin_loop;
pub(super) use core::sync::atomic::AtomicUsize;
#[cfg(not(ecs_thread_sanitizer))]
pub(crate) use rayon::current_num_threads;
#[cfg(not(ecs_thread_sanitizer))]
pub(super) use rayon::spawn;
pub(crate) use std::sync::Mutex;
use std::sync::{MutexGuard, PoisonError};
pub(super) use std::thread::{Thread, current, park};

/// The number of tests for the end of the others before sleeping: some 20 µs, about the time of falling asleep and
/// being woken.
pub(super) const LOOKS: usize = 1_000;

/// Locks a mutex, even if a thread panicked while it had the lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    #[cfg(not(ecs_thread_sanitizer))]
    let locked = mutex.lock();
    #[cfg(ecs_thread_sanitizer)]
    let locked = loop {
        match mutex.try_lock() {
            Ok(guard) => break Ok(guard),
            Err(std::sync::TryLockError::Poisoned(error)) => break Err(error),
            Err(std::sync::TryLockError::WouldBlock) => std::thread::yield_now(),
        }
    };
    locked.unwrap_or_else(PoisonError::into_inner)
}

/// Returns the value, even if a thread panicked while it had the lock.
pub(crate) fn unlocked<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(ecs_thread_sanitizer)]
pub(crate) const fn current_num_threads() -> usize {
    3
}

#[cfg(ecs_thread_sanitizer)]
pub(super) fn spawn(job: impl FnOnce() + Send + 'static) {
    drop(std::thread::spawn(job));
}
