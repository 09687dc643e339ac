//! Substitutes for the standard library's atomics.

use loom::sync::atomic;
use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

/// One of the model checker's, that can be made in a constant: its parts are made on first use.
pub(crate) struct AtomicU64 {
    first: u64,
    made: OnceLock<atomic::AtomicU64>,
}

impl AtomicU64 {
    pub(crate) const fn new(first: u64) -> Self {
        Self { first, made: OnceLock::new() }
    }

    fn made(&self) -> &atomic::AtomicU64 {
        self.made.get_or_init(|| atomic::AtomicU64::new(self.first))
    }

    pub(crate) fn load(&self, order: Ordering) -> u64 {
        self.made().load(order)
    }

    pub(crate) fn fetch_update(
        &self,
        set: Ordering,
        fetch: Ordering,
        f: impl FnMut(u64) -> Option<u64>,
    ) -> Result<u64, u64> {
        self.made().fetch_update(set, fetch, f)
    }
}

impl fmt::Debug for AtomicU64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AtomicU64").finish_non_exhaustive()
    }
}
