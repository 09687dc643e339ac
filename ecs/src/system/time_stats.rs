//! The times of many runs, without a list of them.
//!
//! ```text
//! counts   0 1 2 .. 7 | 8 9 .. 15 | 16 18 .. 30 | 32 36 .. 60 | ..    nanoseconds at which a count begins
//! ```
//!
//! Each power of two is divided into eight counts, so a percentile is at most an eighth too long.

use alloc::vec::Vec;
use core::time::Duration;

/// The number of counts for each power of two is two to this power.
const DIVIDED: u32 = 3;

/// The times of many runs: their number, their sum, the longest, and percentiles.
///
/// A [timed](crate::Schedule::set_timed) schedule has them for each of its systems:
/// [`Schedule::time_stats`](crate::Schedule::time_stats). They take at most 4 kB, however many runs there are.
///
/// ```
/// use ecs::inspect::TimeStats;
/// use std::time::Duration;
///
/// let mut times = TimeStats::default();
/// for run in 0..100 {
///     times.add(Duration::from_millis(if run % 50 == 0 { 40 } else { 2 }));
/// }
/// assert_eq!((times.runs(), times.most()), (100, Duration::from_millis(40)));
/// assert!(times.percentile(50.0) < Duration::from_micros(2_250));
/// assert_eq!(times.percentile(99.0), Duration::from_millis(40));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeStats {
    runs: u64,
    total: Duration,
    most: Duration,
    counts: Vec<u64>,
}

impl TimeStats {
    /// Adds the time of a run. O(1).
    pub fn add(&mut self, took: Duration) {
        self.runs += 1;
        self.total = self.total.saturating_add(took);
        self.most = self.most.max(took);
        let at = place(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX));
        if at >= self.counts.len() {
            self.counts.resize(at + 1, 0);
        }
        self.counts[at] += 1;
    }

    /// Returns the number of runs.
    #[must_use]
    pub const fn runs(&self) -> u64 {
        self.runs
    }

    /// Returns the time of all runs together.
    #[must_use]
    pub const fn total(&self) -> Duration {
        self.total
    }

    /// Returns the time of the longest run; zero if there were none.
    #[must_use]
    pub const fn most(&self) -> Duration {
        self.most
    }

    /// Returns the mean time of a run; zero if there were none.
    #[must_use]
    #[inline]
    pub fn mean(&self) -> Duration {
        let nanos = self.total.as_nanos() / u128::from(self.runs.max(1));
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }

    /// Returns a time that this percentage of the runs do not exceed, at most an eighth above the exact one; zero if
    /// there were no runs. O(1).
    ///
    /// A percentage below 0 is 0, and one above 100 is 100.
    #[must_use]
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "between zero and the number of runs"
    )]
    pub fn percentile(&self, percentage: f64) -> Duration {
        let share = percentage.clamp(0.0, 100.0) / 100.0;
        let mut left = ((self.runs as f64 * share) as u64).min(self.runs.saturating_sub(1));
        for (at, count) in self.counts.iter().enumerate() {
            if left < *count {
                return Duration::from_nanos(last_of(at)).min(self.most);
            }
            left -= count;
        }
        self.most
    }
}

/// Returns the place of the count for a number of nanoseconds.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "less than sixteen")]
fn place(nanos: u64) -> usize {
    let shift = (u64::BITS - nanos.leading_zeros()).saturating_sub(DIVIDED + 1);
    ((shift << DIVIDED) as usize) + (nanos >> shift) as usize
}

/// Returns the greatest number of nanoseconds at this place.
#[inline]
fn last_of(place: usize) -> u64 {
    let shift = (place >> DIVIDED).saturating_sub(1);
    let first = (place - (shift << DIVIDED)) as u64;
    (first << shift) + ((1 << shift) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_is_within_its_place_and_an_eighth_of_its_end() {
        let near =
            (0..64).flat_map(|bit| (0..16).map(move |more| (1_u64 << bit) | more << bit >> 4));
        for nanos in near.chain(0..2_000).chain([u64::MAX]) {
            let at = place(nanos);
            let last = last_of(at);
            assert!(last >= nanos && (at == 0 || last_of(at - 1) < nanos), "{nanos} at {at}");
            assert!(last - nanos <= nanos / 8, "{nanos} to {last}");
        }
        assert_eq!(place(u64::MAX), 495);
    }

    #[test]
    fn percentiles_are_those_of_a_sorted_list() {
        let mut times = TimeStats::default();
        assert_eq!((times.percentile(99.0), times.mean()), (Duration::ZERO, Duration::ZERO));
        let mut all: Vec<u64> = (0..1_000).map(|at| at * at * 37 % 90_001).collect();
        all.iter().for_each(|nanos| times.add(Duration::from_nanos(*nanos)));
        all.sort_unstable();
        for (percentage, at) in [(0.0, 0), (50.0, 500), (99.0, 990), (99.9, 999), (100.0, 999)] {
            let found = times.percentile(percentage);
            let exact = Duration::from_nanos(all[at]);
            assert!(found >= exact && found <= exact * 9 / 8, "{percentage}: {found:?} {exact:?}");
        }
        assert_eq!(times.percentile(-1.0), times.percentile(0.0));
        assert_eq!(times.total(), Duration::from_nanos(all.iter().sum()));
        assert_eq!(times.mean(), times.total() / 1_000);
    }
}
