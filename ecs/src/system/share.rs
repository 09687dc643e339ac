//! Which systems of a list may overlap, and when threads share them.

use crate::query::claim::Compared;
use alloc::vec::Vec;
use core::time::Duration;

/// The rule by which threads share the systems of a [`Schedule`](crate::Schedule) that may overlap.
///
/// ```
/// use ecs::{Schedule, Sharing, World};
///
/// let mut schedule = Schedule::new().add(|| {}).add(|| {});
/// schedule.set_sharing(Sharing::Never);
/// schedule.run(&mut World::new()).unwrap();
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Sharing {
    /// Measures both ways, two runs each, and keeps the faster one. Measures again at growing intervals, and as soon
    /// as a run takes twice or half as long as before. Threads are not tried if waking a thread would take longer
    /// than the run.
    #[default]
    Measured,
    /// In every run.
    Always,
    /// Not at all: systems run in the order of the list.
    Never,
}

/// The sharing of a schedule.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    pub(crate) sharing: Sharing,
    /// The waves; `None` if the list changed since they were found.
    pub(crate) waves: Option<Vec<Wave>>,
}

impl Shared {
    pub(crate) const fn new() -> Self {
        Self { sharing: Sharing::Measured, waves: None }
    }

    /// Forgets the waves, because the list changed.
    pub(crate) fn reset(&mut self) {
        self.waves = None;
    }
}

/// Systems that may overlap, in the order of the list.
#[derive(Debug)]
pub(crate) struct Wave {
    pub(crate) steps: Vec<usize>,
    /// `true` if other threads may take any: there is more than one, and not all stay on the thread that runs the
    /// schedule.
    pub(crate) is_shareable: bool,
    /// The claims of its systems.
    pub(crate) compared: Compared,
    pub(crate) clock: Clock,
}

/// One run in this many is measured, to notice changes.
const PERIOD: u32 = 32;
/// The most periods until both ways are tried again. The cost of a trial is lost if its result is the same as before.
const MOST_PERIODS: u32 = 16;
/// The number of runs of either way that are measured in a trial; the faster one counts. The first one finds cold
/// caches, or a thread asleep.
const TRIALS: u32 = 2;
/// About the time that waking a thread takes.
const LEAST: Duration = Duration::from_micros(10);

/// Measures whether runs are faster in parallel.
///
/// ```text
/// runs     s s p p c c c c c c .. m c c c .. m c c c .. s s p p c c ..
///          trial              periods               trial
/// ```
///
/// In the drawing, a run in the order of the list is `s`, and a parallel one `p`. `c` is a run in the faster of the two
/// ways, and `m` such a run that is measured.
#[derive(Debug)]
pub(crate) struct Clock {
    /// Runs since the last trial began.
    turn: u32,
    /// The number of periods until the next trial.
    periods: u32,
    /// The result of the last trial, with the time of each way.
    is_shared: bool,
    sequential: Duration,
    shared: Duration,
}

impl Clock {
    pub(crate) const NEW: Self = Self {
        turn: 0,
        periods: 1,
        is_shared: false,
        sequential: Duration::MAX,
        shared: Duration::MAX,
    };

    /// Returns whether the next run is shared, and whether it is measured.
    pub(crate) fn next(&mut self) -> (bool, bool) {
        if self.turn >= PERIOD * self.periods {
            *self = Self { periods: self.periods, is_shared: self.is_shared, ..Self::NEW };
        }
        if self.turn == 2 * TRIALS {
            self.decide();
        }
        let turn = self.turn;
        self.turn += 1;
        if turn >= 2 * TRIALS {
            return (self.is_shared, turn % PERIOD == PERIOD - 1);
        }
        let is_shared = turn >= TRIALS && self.sequential >= LEAST;
        (is_shared, is_shared || turn < TRIALS)
    }

    /// Ends a trial: the faster way is used from now on.
    fn decide(&mut self) {
        let is_shared = self.shared < self.sequential;
        let is_as_before = is_shared == self.is_shared;
        self.periods = if is_as_before { MOST_PERIODS.min(self.periods * 2) } else { 1 };
        self.is_shared = is_shared;
    }

    pub(crate) fn note(&mut self, is_shared: bool, took: Duration) {
        let best = if is_shared { &mut self.shared } else { &mut self.sequential };
        if self.turn <= 2 * TRIALS {
            *best = took.min(*best);
        } else if took > *best * 2 || took < *best / 2 {
            self.turn = PERIOD * self.periods;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates `runs` runs; `took` gives the time of each in µs, by its number and way. Returns their
    /// sum.
    fn run(clock: &mut Clock, runs: u32, took: impl Fn(u32, bool) -> u64) -> u64 {
        let one = |at| {
            let (is_shared, is_measured) = clock.next();
            let took = took(at, is_shared);
            if is_measured {
                clock.note(is_shared, Duration::from_micros(took));
            }
            took
        };
        (0..runs).map(one).sum()
    }

    /// Returns the time that a schedule takes with these times of both ways, in thousandths of the first one.
    fn thousandths(sequential: u64, shared: u64) -> u64 {
        let runs = 10_000;
        let took = |_, is_shared| if is_shared { shared } else { sequential };
        let mut clock = Clock::NEW;
        let all = run(&mut clock, runs, took);
        all * 1_000 / (u64::from(runs) * sequential)
    }

    #[test]
    fn measuring_useless_threads_costs_little() {
        assert!(thousandths(12, 90) < 1_040, "{}", thousandths(12, 90));
        assert!(thousandths(1_000, 1_100) < 1_001);
        // Short schedules are not tried.
        assert_eq!(thousandths(9, 90), 1_000);
    }

    #[test]
    fn useful_threads_are_used() {
        let took = thousandths(950, 500); // at best 526
        assert!(took < 529, "{took}");
    }

    #[test]
    fn a_thread_that_sleeps_at_first_may_be_worth_it() {
        let took = |at, is_shared| match (is_shared, at) {
            (true, 2) => 5_000,
            (true, _) => 50,
            (false, _) => 100,
        };
        let mut clock = Clock::NEW;
        run(&mut clock, 100, took);
        assert!(clock.is_shared);
    }

    #[test]
    fn changed_costs_are_measured_again() {
        let mut clock = Clock::NEW;
        let mut after = |runs, sequential, shared| {
            run(&mut clock, runs, |_, is_shared| if is_shared { shared } else { sequential });
            clock.is_shared
        };
        let soon = PERIOD + 2 * TRIALS + 1;
        let (long, late) = (3_000, MOST_PERIODS * soon);
        assert!(after(long, 900, 500));
        assert!(!after(soon, 900, 2_000), "threads are busy elsewhere");
        assert!(!after(long, 900, 2_000));
        assert!(after(late, 900, 500), "and then they are not: only a trial shows that");
        assert!(!after(soon, 5, 60), "less is to do");
        assert!(!after(long, 5, 60));
        assert!(after(soon, 900, 500), "more is to do");
    }
}
