//! Shares a loop if that seems to take less time than one thread.
//!
//! ```text
//! ├┼─┼───┼────────┤                 probes: timed runs on the calling thread
//!                 ├──┼──┼──┼──┼──┤  the rest: shared, if it seems to be worth it
//! ```

use crate::parallel::gate::share;
use crate::parallel::sync::{AtomicUsize, current_num_threads};
use core::cell::Cell;
use core::ops::Range;
use core::sync::atomic::Ordering;
use core::time::Duration;
use std::time::Instant;

/// A probe that takes this long predicts the time of the others; the next one is made twice as long.
const TELLING: Duration = Duration::from_micros(2);
/// A loop that takes longer is shared: waking a thread takes some 5 µs, and up to 50 if it slept deeply.
const WORTH_SHARING: Duration = Duration::from_micros(50);
/// The time that a thread should work before it takes more work.
const STINT: Duration = Duration::from_micros(25);
/// The number of pieces of the first probe, or fewer if there are few: reading the clock takes as long as many items.
const FIRST: usize = 16;
const LEAST: usize = 4;
/// The greatest growth from one probe to the next.
const GROWTH: usize = 64;

/// Processes a range of pieces with a worker.
type PacedWalk<'a, W> = &'a (dyn Fn(&mut W, Range<usize>) + Sync);

std::thread_local! {
    static IS_EAGER: Cell<bool> = const { Cell::new(false) };
}

/// Calls `f`; all loops that this thread begins meanwhile are shared at once, a piece at a time. For tests.
#[doc(hidden)]
pub fn eagerly<R>(f: impl FnOnce() -> R) -> R {
    /// Ends the mode, also by a panic.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            IS_EAGER.set(self.0);
        }
    }
    let _before = Before(IS_EAGER.replace(true));
    f()
}

/// Calls `walk` with ranges of pieces, each piece once: with `worker`, and if that seems worthwhile, with copies of it
/// on the other threads of the pool.
///
/// # Panics
/// Panics if `walk` does. Then no further range is begun.
pub(crate) fn pace<W: Clone + Sync>(pieces: usize, worker: &mut W, walk: PacedWalk<'_, W>) {
    let mut rest = 0..pieces;
    if IS_EAGER.get() {
        return share_rest(rest, 1, Duration::ZERO, worker, walk);
    }
    let mut size = (pieces / 64).clamp(LEAST, FIRST);
    if pieces <= size || current_num_threads() == 1 {
        return walk(worker, rest);
    }
    let begin = Instant::now();
    let mut before = begin;
    loop {
        let start = rest.start;
        rest.start = rest.end.min(start.saturating_add(size));
        walk(worker, start..rest.start);
        if rest.is_empty() {
            return;
        }
        let now = Instant::now();
        let took = now - before;
        let in_time = |time: Duration| times(size, time, took);
        if took >= TELLING && in_time(WORTH_SHARING) < rest.len() {
            return share_rest(rest, in_time(STINT), STINT, worker, walk);
        }
        size = in_time((now - begin).max(TELLING * 2)).min(size.saturating_mul(GROWTH));
        if size >= rest.len() / 2 {
            size = rest.len();
        }
        before = now;
    }
}

/// Returns the number of pieces for `time`, if `size` pieces took `took`; for many pieces, a multiple of `FIRST`.
fn times(size: usize, time: Duration, took: Duration) -> usize {
    let nanos = |time: Duration| usize::try_from(time.as_nanos()).unwrap_or(usize::MAX);
    let times = size.saturating_mul(nanos(time)) / nanos(took).max(1);
    if times > FIRST { times / FIRST * FIRST } else { times.max(1) }
}

/// Shares the remaining pieces: at first this many at a time, then about as many as take the time of a stint. In the
/// end it shares fewer, so that all threads end together.
#[cold]
fn share_rest<W: Clone + Sync>(
    rest: Range<usize>,
    size: usize,
    stint: Duration,
    copied: &W,
    walk: PacedWalk<'_, W>,
) {
    let (next, end, threads) = (AtomicUsize::new(rest.start), rest.end, current_num_threads());
    share(threads, &|_| {
        let _stopping = Stopping(&next, end);
        let (mut worker, mut size) = (None, size);
        let after = |start: usize, size: usize| {
            let fair = (end - start) / (2 * threads);
            end.min(start + size.min(fair.max(size / 8).max(1)))
        };
        while let Ok(start) = next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |start| {
            (start < end).then(|| after(start, size))
        }) {
            let part = start..after(start, size);
            let (len, before) = (part.len(), Instant::now());
            walk(worker.get_or_insert_with(|| W::clone(copied)), part);
            let took = before.elapsed();
            if took < stint / 2 && len == size {
                size = size.saturating_mul(2);
            } else if took > stint * 2 {
                size = (size / 2).max(1);
            }
        }
    });
}

/// Stops all threads when one has no more work, or panics.
struct Stopping<'a>(&'a AtomicUsize, usize);

impl Drop for Stopping<'_> {
    fn drop(&mut self) {
        self.0.store(self.1, Ordering::Relaxed);
    }
}
