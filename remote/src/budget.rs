//! The budget of a frame: the time, the bytes and the values that all requests together may take of it.
//!
//! Work is done in pieces. A piece that does not fit is repeated at the beginning of the next frame. One that exceeds
//! the budget of a whole frame is refused, so a piece edits nothing before it was paid.

use crate::error::Error;
use crate::options::Options;
use std::cell::Cell;
use std::fmt;
use std::time::{Duration, Instant};

/// The most turns of a frame: a request gets at least this part of it, then others have their turn.
const TURNS: u32 = 8;
/// The number of pieces for each look at the clock.
const CHECKED: u32 = 8;

/// An amount of work: the work that a frame did for clients, as [`Remote::work`](crate::Remote::work) returns it.
///
/// ```
/// use ecs::World;
/// use ecs_remote::{Options, Work};
///
/// let mut remote = Options::new().port(0).start()?;
/// remote.serve(&mut World::new());
/// assert_eq!(remote.work(), Work::default()); // no request has come
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// The bytes of JSON that were read from requests, and written.
    pub bytes: usize,
    /// The values that were read, written or compared, and the entities that were looked at.
    pub values: usize,
}

/// Why a piece of work has no result.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The frame has not enough left of its budget.
    Later,
    Failed(Error),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Later => f.write_str("the budget of the frame is used up"),
            Self::Failed(error) => f.write_str(&error.message),
        }
    }
}

impl<E: Into<Error>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// The rest of a frame's budget.
#[derive(Debug)]
pub(crate) struct Budget {
    most: Work,
    bytes: Cell<usize>,
    values: Cell<usize>,
    time: Duration,
    until: Instant,
    /// The rest when the turn of a request ends.
    turn: Cell<Work>,
    turn_until: Cell<Instant>,
    /// `true` until a piece of this frame is done.
    is_first: Cell<bool>,
    checks: Cell<u32>,
    /// The option whose limit was reached last, and the limit.
    reached: Cell<(&'static str, usize)>,
}

impl Budget {
    /// Returns the budget of a frame that begins now.
    pub(crate) fn new(options: &Options) -> Self {
        let now = Instant::now();
        let most = options.frame;
        Self {
            most,
            bytes: Cell::new(most.bytes),
            values: Cell::new(most.values),
            time: options.budget,
            until: now + options.budget,
            turn: Cell::default(),
            turn_until: Cell::new(now),
            is_first: Cell::new(true),
            checks: Cell::new(0),
            reached: Cell::new(("", 0)),
        }
    }

    /// Returns a budget for the undo of an edit that failed in the middle.
    pub(crate) fn unlimited() -> Self {
        Self::new(&Options::new().frame_bytes(usize::MAX).frame_values(usize::MAX))
    }

    /// Returns the work that was done.
    pub(crate) fn done(&self) -> Work {
        Work {
            bytes: self.most.bytes - self.bytes.get(),
            values: self.most.values - self.values.get(),
        }
    }

    /// Begins the turn of one of several clients.
    pub(crate) fn begin_turn(&self, clients: usize) {
        let turns = u32::try_from(clients).unwrap_or(TURNS).clamp(1, TURNS);
        let rest = |left: usize, most: usize| left.saturating_sub(most / turns as usize);
        self.turn.set(Work {
            bytes: rest(self.bytes.get(), self.most.bytes),
            values: rest(self.values.get(), self.most.values),
        });
        self.turn_until.set(self.until.min(Instant::now() + self.time / turns));
        self.checks.set(0);
    }

    /// Returns `true` if a request has to end its turn. Each turn has some pieces, however late it is.
    pub(crate) fn is_turn_over(&self) -> bool {
        let turn = self.turn.get();
        if self.bytes.get() <= turn.bytes || self.values.get() <= turn.values {
            return true;
        }
        self.checks.set(self.checks.get() + 1);
        self.checks.get().is_multiple_of(CHECKED) && Instant::now() >= self.turn_until.get()
    }

    /// Returns `true` if no request has a turn any more.
    pub(crate) fn is_over(&self) -> bool {
        self.bytes.get() == 0 || self.values.get() == 0 || Instant::now() >= self.until
    }

    /// Takes bytes for work that is done now.
    pub(crate) fn take_bytes(&self, bytes: usize) -> Result<(), Stop> {
        take(&self.bytes, bytes).ok_or_else(|| {
            self.reached.set(("bytes: raise `Options::frame_bytes`", self.most.bytes));
            Stop::Later
        })
    }

    /// Takes values for work that is done now.
    pub(crate) fn take_values(&self, values: usize) -> Result<(), Stop> {
        take(&self.values, values).ok_or_else(|| {
            self.reached.set(("values: raise `Options::frame_values`", self.most.values));
            Stop::Later
        })
    }

    pub(crate) fn take(&self, work: Work) -> Result<(), Stop> {
        self.take_bytes(work.bytes)?;
        self.take_values(work.values)
    }

    /// Takes bytes that were written already, at most the rest.
    pub(crate) fn spend_bytes(&self, bytes: usize) {
        self.bytes.set(self.bytes.get().saturating_sub(bytes));
    }

    /// Does a piece of work: as a whole, later, or never, if it exceeds the budget of a frame.
    pub(crate) fn piece<T>(&self, work: impl FnOnce() -> Result<T, Stop>) -> Result<T, Stop> {
        let is_first = self.is_first.get();
        match work() {
            Err(Stop::Later) if is_first => {
                self.is_first.set(false);
                let (option, limit) = self.reached.get();
                let text = format!(
                    "this takes more of a frame than its {limit} {option}, or ask for less"
                );
                Err(Stop::Failed(Error::new(Error::SERVER, text)))
            }
            Err(Stop::Later) => Err(Stop::Later),
            done => {
                self.is_first.set(false);
                done
            }
        }
    }
}

/// Takes a number of the rest, if there are as many; else takes the rest.
fn take(rest: &Cell<usize>, number: usize) -> Option<()> {
    let left = rest.get().checked_sub(number);
    rest.set(left.unwrap_or(0));
    left.map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(bytes: usize) -> Budget {
        Budget::new(&Options::new().frame_bytes(bytes))
    }

    #[test]
    fn a_piece_that_does_not_fit_is_done_later_or_refused() {
        let budget = budget(10);
        budget.piece(|| budget.take_bytes(6)).unwrap();
        let later = budget.piece(|| budget.take_bytes(6));
        assert!(matches!(later, Err(Stop::Later)));
        let budget = self::budget(10);
        budget.piece(|| budget.take_bytes(6)).unwrap();
        let budget = self::budget(5);
        let refused = budget.piece(|| budget.take_bytes(6));
        let Err(Stop::Failed(error)) = refused else { panic!("{refused:?}") };
        assert_eq!(
            error.message,
            "this takes more of a frame than its 5 bytes: raise `Options::frame_bytes`, or ask for less"
        );
        assert_eq!(budget.done().bytes, 5);
    }

    #[test]
    fn a_turn_is_a_part_of_a_frame() {
        let budget = budget(80);
        budget.begin_turn(20);
        budget.take_bytes(9).unwrap();
        assert!(!budget.is_turn_over());
        budget.take_bytes(1).unwrap();
        assert!(budget.is_turn_over() && !budget.is_over());
        budget.take_bytes(70).unwrap();
        assert!(budget.is_over());
    }
}
