//! Sharing a loop, where that seems to take less time than to walk it alone.
//!
//! ```text
//! ├┼─┼───┼────────┤                 probes: walked by the caller, each under the clock
//!                 ├──┼──┼──┼──┼──┤  the rest: shared, if it seems to be worth it
//! ```

use crate::parallel::gate::share;
use crate::parallel::sync::{AtomicUsize, current_num_threads};
use core::cell::Cell;
use core::ops::Range;
use core::sync::atomic::Ordering;
use core::time::Duration;
use std::time::Instant;

/// A probe that takes so long tells what the others will take; the next one is to take twice as long.
const TELLING: Duration = Duration::from_micros(2);
/// What takes longer is shared: waking a thread takes some 5 µs, and up to 50 where it slept deeply.
const WORTH_SHARING: Duration = Duration::from_micros(50);
/// So long should one work without looking for others.
const STINT: Duration = Duration::from_micros(25);
/// The first probe has so many pieces, or fewer if there are few: to look at the clock takes as long as many items do.
const FIRST: usize = 16;
const LEAST: usize = 4;
/// A probe is at most so many times as large as the one before.
const GROWTH: usize = 64;

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
/// of it on the other threads of the pool.
///
/// # Panics
/// When `walk` does. Then no range is begun any more.
pub(crate) fn pace<W: Clone + Sync>(pieces: usize, worker: &mut W, walk: Walk<'_, W>) {
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

/// Returns the number of pieces that are walked in this time, if so many take so long: of many, a multiple of `FIRST`.
fn times(size: usize, time: Duration, took: Duration) -> usize {
    let nanos = |time: Duration| usize::try_from(time.as_nanos()).unwrap_or(usize::MAX);
    let times = size.saturating_mul(nanos(time)) / nanos(took).max(1);
    if times > FIRST { times / FIRST * FIRST } else { times.max(1) }
}

/// Shares what is left, at first so many pieces at a time, then about as many as take so long; in the end fewer, so that
/// all are ready at the same time.
#[cold]
fn share_rest<W: Clone + Sync>(
    rest: Range<usize>,
    size: usize,
    stint: Duration,
    copied: &W,
    walk: Walk<'_, W>,
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

/// When one has no more to do, or panics, nobody begins anything.
struct Stopping<'a>(&'a AtomicUsize, usize);

impl Drop for Stopping<'_> {
    fn drop(&mut self) {
        self.0.store(self.1, Ordering::Relaxed);
    }
}
