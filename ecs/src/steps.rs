//! Counts the rows and entities that searches visit, for tests of their cost.

use core::cell::Cell;
use std::thread_local;

thread_local! {
    static STEPS: Cell<usize> = const { Cell::new(0) };
}

/// Counts a step of this thread.
pub(crate) fn count() {
    STEPS.set(STEPS.get() + 1);
}

/// Returns the steps of this thread since the last call.
pub(crate) fn taken() -> usize {
    STEPS.take()
}
