//! Lists of systems as constants: the output of `schedule!`.

use crate::system::plan::{Facts, SchedulePlan, Step, refuse_together};
use crate::system::run::{Answer, Ask, Run, SystemOutput, boxed, boxed_condition};
use crate::system::{System, Takes, check_params};
use alloc::boxed::Box;
use core::any::Any;

/// A list of systems that a schedule is made of. Implemented by [`schedule!`](crate::schedule).
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a schedule",
    label = "not a schedule",
    note = "`name: Type` puts one schedule into another, and `schedule!` declares the type"
)]
pub trait Listed {
    const LINES: &'static [Line];
}

/// A line of a list.
#[doc(hidden)]
pub enum Line {
    System { system: Entry<dyn Run>, condition: Option<Entry<dyn Ask>> },
    Sync,
    Set { name: &'static str, lines: &'static [Self], condition: Option<Entry<dyn Ask>> },
    Together { lines: &'static [Self] },
}

/// A system of a list with its facts. Its marker type is erased.
#[doc(hidden)]
pub struct Entry<As: ?Sized + 'static> {
    pub(crate) facts: Facts,
    system: &'static (dyn Any + Send + Sync),
    /// Makes the system ready to be run.
    make: fn(&(dyn Any + Send + Sync)) -> Box<As>,
}

impl<As: ?Sized> Entry<As> {
    pub(crate) fn make(&self) -> Box<As> {
        (self.make)(self.system)
    }
}

/// Returns the system, which has this type.
fn get<S: Copy + 'static>(system: &(dyn Any + Send + Sync)) -> S {
    *system.downcast_ref().expect("it was named with its type")
}

/// A system of a list.
#[doc(hidden)]
pub const fn system<M: 'static, S>(name: &'static str, system: &'static S) -> Entry<dyn Run>
where
    S: Takes<M, Out: SystemOutput> + System<M> + Copy + Send + Sync + 'static,
{
    Entry {
        facts: Facts::of::<M, S>(name),
        system,
        make: |system| {
            const { check_params::<M, S>() };
            boxed(get::<S>(system))
        },
    }
}

/// A condition of a list.
#[doc(hidden)]
pub const fn condition<M: 'static, S>(name: &'static str, system: &'static S) -> Entry<dyn Ask>
where
    S: Takes<M, Out: Answer> + System<M> + Copy + Send + Sync + 'static,
{
    Entry {
        facts: Facts::of::<M, S>(name),
        system,
        make: |system| {
            const { Facts::of::<M, S>("").refuse_alias(true) };
            boxed_condition(get::<S>(system))
        },
    }
}

impl Line {
    /// Returns the line at this place among the lines that stand together.
    #[must_use]
    pub const fn member(&self, at: usize) -> &Self {
        match self {
            Self::Together { lines } => &lines[at],
            _ => self,
        }
    }

    pub(crate) const fn step(&self) -> Step {
        match self {
            Self::System { system, .. } => Step::System(system.facts, self.asked()),
            Self::Sync => Step::Sync,
            Self::Set { name, lines, .. } => Step::Set(name, count_within(lines), self.asked()),
            Self::Together { lines } => Step::Together(lines.len()),
        }
    }

    const fn condition(&self) -> Option<&Entry<dyn Ask>> {
        match self {
            Self::System { condition, .. } | Self::Set { condition, .. } => condition.as_ref(),
            Self::Sync | Self::Together { .. } => None,
        }
    }

    /// Returns the facts of the condition of this line.
    const fn asked(&self) -> Option<Facts> {
        match self.condition() {
            Some(condition) => Some(condition.facts),
            None => None,
        }
    }

    /// Returns `true` if the line records commands.
    const fn records(&self) -> bool {
        match self {
            Self::System { system, .. } => system.facts.records,
            Self::Sync => false,
            Self::Set { lines, .. } | Self::Together { lines } => record(lines),
        }
    }
}

const fn record(lines: &[Line]) -> bool {
    let mut at = 0;
    while at < lines.len() {
        if lines[at].records() {
            return true;
        }
        at += 1;
    }
    false
}

/// Returns the number of steps that these lines become.
#[doc(hidden)]
#[must_use]
pub const fn count_steps(lines: &[Line]) -> usize {
    let (mut count, mut at) = (lines.len(), 0);
    while at < lines.len() {
        count += match lines[at] {
            Line::System { .. } | Line::Sync => 0,
            Line::Set { lines, .. } => count_within(lines),
            Line::Together { lines } => lines.len(),
        };
        at += 1;
    }
    count
}

/// Returns the number of steps of a set. A set that records commands ends with a step that applies them.
const fn count_within(lines: &[Line]) -> usize {
    count_steps(lines) + record(lines) as usize
}

/// Writes the steps of these lines from `at` on, and returns the position behind them.
const fn write_steps(lines: &[Line], steps: &mut [Step], mut at: usize) -> usize {
    let mut next = 0;
    while next < lines.len() {
        let part = &lines[next];
        steps[at] = part.step();
        at += 1;
        match part {
            Line::System { .. } | Line::Sync => {}
            Line::Together { lines } => at = write_steps(lines, steps, at),
            Line::Set { lines, .. } => {
                at = write_steps(lines, steps, at);
                if record(lines) {
                    steps[at] = Step::Sync;
                    at += 1;
                }
            }
        }
        next += 1;
    }
    at
}

/// Returns the plan of a list, which has `N` steps.
#[doc(hidden)]
#[must_use]
pub const fn plan<const N: usize>(lines: &[Line]) -> SchedulePlan<N> {
    let mut steps = [Step::Sync; N];
    write_steps(lines, &mut steps, 0);
    SchedulePlan::of(steps)
}

/// Checks the system of a line by itself.
///
/// # Panics
/// When parameters alias. In a constant, that is a compile error.
#[doc(hidden)]
#[track_caller]
pub const fn check_system(line: &Line) {
    if let Line::System { system, .. } = line {
        system.facts.refuse_alias(false);
    }
}

/// Checks the condition of a line.
///
/// # Panics
/// When parameters alias, or it writes. In a constant, that is a compile error.
#[doc(hidden)]
#[track_caller]
pub const fn check_condition(line: &Line) {
    if let Some(condition) = line.condition() {
        condition.facts.refuse_alias(true);
        condition.facts.refuse_writing();
    }
}

/// Checks a member of `together` against the members before it.
///
/// # Panics
/// When it conflicts with one of them. In a constant, that is a compile error.
#[doc(hidden)]
#[track_caller]
pub const fn check_member(together: &Line, member: usize) {
    let mut before = 0;
    while before < member {
        refuse_together(&together.member(before).step(), &together.member(member).step());
        before += 1;
    }
}
