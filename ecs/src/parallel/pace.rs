//! Sharing a loop, where that seems to take less time than to walk it alone.
//!
//! ```text
//! 4 │ 64 │ 1,024    │ ..       probes: walked by the caller, each under the clock, until one takes long enough to tell
//!                   │ ▒▒▒▒│▒▒▒▒│▒▒▒▒│ ..   the rest: shared, if it seems to be worth it
//! ```

use crate::parallel::gate::share;
use crate::parallel::sync::{AtomicUsize, current_num_threads};
use core::cell::Cell;
use core::ops::Range;
use core::sync::atomic::Ordering;
use core::time::Duration;
use std::time::Instant;

/// A probe that takes so long tells what the others will take.
const TELLING: Duration = Duration::from_micros(2);
/// What takes longer is shared: waking a thread takes some 5 µs, and up to 50 where it slept deeply.
const WORTH_SHARING: Duration = Duration::from_micros(50);
/// So long should one work without looking for others.
const STINT: Duration = Duration::from_micros(25);
/// A probe is so many times as large as the one before.
const GROWTH: usize = 16;

/// Walks some of the pieces, with what a worker keeps.
type Walk<'a, W> = &'a (dyn Fn(&mut W, Range<usize>) + Sync);

std::thread_local! {
    static IS_EAGER: Cell<bool> = const { Cell::new(false) };
}

/// Calls `f`; all loops that this thread begins meanwhile are shared at once, a piece at a time. For tests.
#[doc(hidden)]
pub fn eagerly<R>(f: impl FnOnce() -> R) -> R {
    /// Ends it, be it by a panic.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            IS_EAGER.set(self.0);
        }
    }
    let _before = Before(IS_EAGER.replace(true));
    f()
}

/// Calls `walk` with ranges of pieces, each piece once: with `worker`, and where that seems to be worth it, with copies
/// of it on the other threads of the pool. The first probe has so many pieces.
///
/// # Panics
/// When `walk` does. Then no range is begun any more.
pub(crate) fn pace<W: Clone + Sync>(pieces: usize, first: usize, mut worker: W, walk: Walk<'_, W>) {
    let mut rest = 0..pieces;
    if IS_EAGER.get() {
        return share_rest(rest, 1, Duration::ZERO, &worker, walk);
    }
    if pieces <= first || current_num_threads() == 1 {
        return walk(&mut worker, rest);
    }
    let (mut size, mut before) = (first, Instant::now());
    loop {
        let start = rest.start;
        rest.start = rest.end.min(start.saturating_add(size));
        walk(&mut worker, start..rest.start);
        if rest.is_empty() {
            return;
        }
        let now = Instant::now();
        let took = now - before;
        if took >= TELLING
            && took.as_nanos() * rest.len() as u128 > WORTH_SHARING.as_nanos() * size as u128
        {
            let stint = STINT.as_nanos() * size as u128 / took.as_nanos();
            let stint = usize::try_from(stint).map_or(rest.len(), |stint| stint.max(1));
            return share_rest(rest, stint, STINT, &worker, walk);
        }
        (size, before) = (size.saturating_mul(GROWTH), now);
    }
}

/// Shares what is left, at first so many pieces at a time, then about as many as take so long.
#[cold]
fn share_rest<W: Clone + Sync>(
    rest: Range<usize>,
    size: usize,
    stint: Duration,
    copied: &W,
    walk: Walk<'_, W>,
) {
    let (next, end) = (AtomicUsize::new(rest.start), rest.end);
    share(current_num_threads(), &|_| {
        let _stopping = Stopping(&next, end);
        let (mut worker, mut size) = (None, size);
        let after = |start: usize, size| end.min(start.saturating_add(size));
        while let Ok(start) = next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |start| {
            (start < end).then(|| after(start, size))
        }) {
            let before = Instant::now();
            walk(worker.get_or_insert_with(|| W::clone(copied)), start..after(start, size));
            let took = before.elapsed();
            if took < stint / 2 {
                size = size.saturating_mul(2);
            } else if took > stint * 2 {
                size = (size / 2).max(1);
            }
        }
    });
}

/// When one has no more to do, or panics, nobody begins anything.
struct Stopping<'a>(&'a AtomicUsize, usize);

impl Drop for Stopping<'_> {
    fn drop(&mut self) {
        self.0.store(self.1, Ordering::Relaxed);
    }
}
