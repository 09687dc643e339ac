//! What threads meet by. A model checker puts its own in its place, to try the gate in every order of events.

pub(super) use alloc::sync::Arc;
pub(super) use core::hint::spin_loop;
pub(super) use core::sync::atomic::AtomicUsize;
pub(super) use rayon::{current_num_threads, spawn};
pub(super) use std::sync::Mutex;
pub(super) use std::thread::{Thread, current, park};

/// How often one looks whether the others are ready before one sleeps: some 20 µs, about as long as falling asleep
/// and being woken take.
pub(super) const LOOKS: usize = 1_000;
