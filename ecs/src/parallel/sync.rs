//! What threads meet by. A model checker puts its own in its place, to try the gate in every order of events.
//!
//! `ThreadSanitizer` sees nothing of what the standard library does inside, nor all of what rayon does. With
//! `--cfg ecs_thread_sanitizer` threads are such as it sees: those of the standard library, one a job.

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

/// How often one looks whether the others are ready before one sleeps: some 20 µs, about as long as falling asleep
/// and being woken take.
pub(super) const LOOKS: usize = 1_000;

/// Locks, whoever panicked while he had the lock.
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

/// The value, as of [`lock`].
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
