//! Lists of systems as constants: what `schedule!` emits.

use crate::component::access::Access;
use crate::component::alias;
use crate::component::clash::ORDINALS;
use crate::query::join::ClaimSet;
use crate::system::System;
use crate::system::plan::{Facts, SchedulePlan, Step, refuse_together};
use crate::system::run::{Ask, Outcome, Run, boxed, boxed_condition};
use alloc::boxed::Box;
use core::fmt;
use core::marker::PhantomData;

/// What a schedule is made of. Implemented by [`schedule!`](crate::schedule).
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
#[derive(Clone, Copy, Debug)]
pub enum Line {
    System { system: SystemRef, condition: Option<ConditionRef> },
    Sync,
    Set { name: &'static str, lines: &'static [Self] },
    Together { lines: &'static [Self] },
}

type SystemRef = &'static Entry<dyn Make<dyn Run>>;
type ConditionRef = &'static Entry<dyn Make<dyn Ask>>;

/// A system of a list, and what is known of it.
#[doc(hidden)]
pub struct Entry<S: ?Sized> {
    pub(crate) facts: Facts,
    /// What its parameters claim, one each.
    claims: &'static [Access],
    pub(crate) system: S,
}

impl<S: ?Sized> fmt::Debug for Entry<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.facts.fmt(f)
    }
}

/// A system as it was named. What its parameters are told by is inferred.
#[doc(hidden)]
pub struct Given<M, S>(S, PhantomData<fn() -> M>);

/// Makes a system ready to be run, of a type that is forgotten.
#[doc(hidden)]
pub trait Make<As: ?Sized> {
    fn make(&self) -> Box<As>;
}

impl<M: 'static, S> Make<dyn Run> for Given<M, S>
where
    S: System<M, Out: Outcome> + Copy + Send + Sync + 'static,
{
    fn make(&self) -> Box<dyn Run> {
        boxed(self.0)
    }
}

impl<M: 'static, S> Make<dyn Ask> for Given<M, S>
where
    S: System<M, Out = bool> + Copy + Send + Sync + 'static,
{
    fn make(&self) -> Box<dyn Ask> {
        boxed_condition(self.0)
    }
}

const fn entry<M, S: System<M>>(name: &'static str, system: S) -> Entry<Given<M, S>> {
    let claims = <S::Claims as ClaimSet>::ACCESSES;
    Entry { facts: Facts::of::<M, S>(name), claims, system: Given(system, PhantomData) }
}

/// A system of a list.
#[doc(hidden)]
pub const fn system<M, S>(name: &'static str, system: S) -> Entry<Given<M, S>>
where
    S: System<M, Out: Outcome> + Copy,
{
    entry(name, system)
}

/// A condition of a list.
#[doc(hidden)]
pub const fn condition<M, S>(name: &'static str, system: S) -> Entry<Given<M, S>>
where
    S: System<M, Out = bool> + Copy,
{
    entry(name, system)
}

impl Line {
    pub(crate) const fn step(&self) -> Step {
        match self {
            Self::System { system, condition } => {
                let condition = match condition {
                    Some(condition) => Some(condition.facts),
                    None => None,
                };
                Step::System(system.facts, condition)
            }
            Self::Sync => Step::Sync(0),
            Self::Set { name, lines } => Step::Set(name, count_within(lines)),
            Self::Together { lines } => Step::Together(lines.len()),
        }
    }

    /// Whether it records what is to be applied.
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

/// How many steps these are.
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

/// How many steps a set has: if it records, one that applies it ends the set.
const fn count_within(lines: &[Line]) -> usize {
    count_steps(lines) + record(lines) as usize
}

/// Writes the steps from `at` on. Where they end.
const fn write_steps(lines: &[Line], steps: &mut [Step], mut at: usize) -> usize {
    let (first, mut next) = (at, 0);
    while next < lines.len() {
        let part = &lines[next];
        steps[at] = part.step();
        at += 1;
        match part {
            Line::System { .. } => {}
            Line::Sync => steps[at - 1] = Step::Sync(first),
            Line::Together { lines } => at = write_steps(lines, steps, at),
            Line::Set { lines, .. } => {
                let set = at;
                at = write_steps(lines, steps, at);
                if record(lines) {
                    steps[at] = Step::Sync(set);
                    at += 1;
                }
            }
        }
        next += 1;
    }
    at
}

/// The plan of a list, which has so many steps.
#[doc(hidden)]
#[must_use]
pub const fn plan<const N: usize>(lines: &[Line]) -> SchedulePlan<N> {
    let mut steps = [Step::Sync(0); N];
    write_steps(lines, &mut steps, 0);
    SchedulePlan::of(steps)
}

/// Checks the system with this number, and its condition.
///
/// # Panics
/// When parameters alias, or the condition writes. In a constant, that is a compile error.
#[doc(hidden)]
#[track_caller]
pub const fn check_system(lines: &[Line], at: usize) {
    if let Line::System { system, condition } = &lines[at] {
        alias::refuse_param_alias(&ORDINALS, system.claims);
        if let Some(condition) = condition {
            condition.facts.refuse_writing();
        }
    }
}

/// Checks a member of the line with this number, by itself and against those before it: they stand together.
///
/// # Panics
/// As [`check_system`], and when two conflict. In a constant, that is a compile error.
#[doc(hidden)]
#[track_caller]
pub const fn check_member(lines: &[Line], at: usize, member: usize) {
    let Line::Together { lines } = lines[at] else { return };
    check_system(lines, member);
    let mut before = 0;
    while before < member {
        refuse_together(&lines[before].step(), &lines[member].step());
        before += 1;
    }
}
