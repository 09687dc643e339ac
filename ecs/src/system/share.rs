//! Which systems of a list may overlap, and when threads share them.

use crate::query::claim::Compared;
use alloc::vec::Vec;
use core::time::Duration;

/// When threads share the systems of a [`Schedule`](crate::Schedule) that may overlap.
///
/// ```
/// use ecs::{Schedule, Sharing, World};
///
/// let mut schedule = Schedule::new().add(|| {}).add(|| {});
/// schedule.set_sharing(Sharing::Never);
/// schedule.run(&mut World::new()).unwrap();
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sharing {
    /// Where it was faster lately: of 32 runs, two take the time of one thread, and two that of many, unless so little
    /// is to do that waking a thread takes longer.
    #[default]
    Measured,
    /// In every run.
    Always,
    /// Not at all: systems run in the order of the list.
    Never,
}

/// How a schedule is shared.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    pub(crate) sharing: Sharing,
    /// Unless the list changed since.
    pub(crate) waves: Option<Vec<Wave>>,
}

impl Shared {
    pub(crate) const fn new() -> Self {
        Self { sharing: Sharing::Measured, waves: None }
    }

    /// The list changed.
    pub(crate) fn reset(&mut self) {
        self.waves = None;
    }
}

/// Systems that may overlap, in the order of the list.
#[derive(Debug)]
pub(crate) struct Wave {
    pub(crate) steps: Vec<usize>,
    /// What they claim.
    pub(crate) compared: Compared,
    pub(crate) clock: Clock,
}

/// A run in so many is measured anew.
const PERIOD: u32 = 32;
/// So many runs of either way are measured, of which the faster one counts: the first one finds cold caches, or a thread
/// asleep.
const TRIALS: u32 = 2;
/// To wake a thread takes about as long.
const LEAST: Duration = Duration::from_micros(10);

/// Finds out whether to share.
#[derive(Debug)]
pub(crate) struct Clock {
    turn: u32,
    sequential: Duration,
    shared: Duration,
}

impl Clock {
    pub(crate) const NEW: Self = Self { turn: 0, sequential: Duration::MAX, shared: Duration::MAX };

    /// Whether the next run is shared, and whether it is measured.
    pub(crate) fn next(&mut self) -> (bool, bool) {
        if self.turn == PERIOD {
            *self = Self::NEW;
        }
        self.turn += 1;
        let is_trial = self.turn > TRIALS && self.turn <= 2 * TRIALS && self.sequential >= LEAST;
        let is_measured = self.turn <= TRIALS || is_trial;
        (is_trial || self.shared < self.sequential, is_measured)
    }

    pub(crate) fn note(&mut self, is_shared: bool, took: Duration) {
        let best = if is_shared { &mut self.shared } else { &mut self.sequential };
        *best = took.min(*best);
    }
}
