//! The steps of a schedule as data, for tools.

use crate::system::plan::{KnownPlan, Step};
use crate::system::schedule::Schedule;
use alloc::vec::Vec;
use core::time::Duration;

/// The kind of a step of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StepKind {
    /// A system, perhaps with a condition.
    System,
    /// The commands recorded before are applied here.
    Sync,
    /// The heading of a list, perhaps with a condition.
    List,
    /// The heading of systems that overlap.
    Together,
}

/// A step of a schedule, from [`Schedule::steps`].
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StepInfo {
    /// The name of the system or of the list.
    pub name: &'static str,
    /// The kind of the step.
    pub kind: StepKind,
    /// In how many lists the step stands.
    pub depth: usize,
    /// The names of the components and resources that the step and its condition read.
    pub reads: Vec<&'static str>,
    /// The names of the components and resources that the step writes.
    pub writes: Vec<&'static str>,
    /// `true` if nothing overlaps the step: it takes `&mut World`, or is a `sync`.
    pub is_exclusive: bool,
    /// `true` if the step takes `&World` or `&mut World`.
    pub sees_world: bool,
    /// `true` if the step records commands.
    pub records: bool,
    /// `true` if the commands that were recorded before are applied here: by a `sync`, or before a step that sees the
    /// world.
    pub applies: bool,
    /// `true` if the step and the lists around it are switched on.
    pub is_on: bool,
    /// The positions of the steps that it waits for. Steps that follow from others are left out.
    pub waits_for: Vec<usize>,
    /// The time of the step in the last run: zero if it was not run, `None` if the schedule is not
    /// timed, by `Schedule::set_timed`.
    pub took: Option<Duration>,
}

impl Schedule {
    /// Returns the steps in the order of the list, with the data that each reads and writes, and the
    /// steps that it waits for. O(steps²).
    ///
    /// ```
    /// # use ecs::{Commands, Component, Schedule, View, World};
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Component)] struct Velocity(f32);
    /// fn fly(moving: View<(&mut Position, &Velocity)>) {
    ///     moving.for_each(|(_, position, velocity)| position.0 += velocity.0);
    /// }
    /// fn look(_: View<&Position>) {}
    /// let steps = Schedule::new().add(fly).add(look).steps();
    /// assert_eq!((steps[0].name, &steps[0].writes[..], &steps[0].reads[..]), ("fly", &["Position"][..],
    /// &["Velocity"][..])); assert_eq!(steps[1].waits_for, [0]);
    ///
    /// let record = |_: &mut Commands| {};
    /// let steps = Schedule::new().add(record).add(look).sync().add(record).add(|_: &World| {}).steps();
    /// assert_eq!(steps.iter().map(|step| step.applies).collect::<Vec<_>>(), [false, false, true, false, true]);
    /// ```
    #[must_use]
    #[inline]
    pub fn steps(&self) -> Vec<StepInfo> {
        #[cfg(feature = "std")]
        let times: Vec<Duration> = self.times().map(|(_, took)| took).collect();
        #[cfg(not(feature = "std"))]
        let times: Vec<Duration> = Vec::new();
        let mut ends: Vec<usize> = Vec::new();
        let numbered = self.steps.iter().zip(&self.slots).enumerate();
        let mut all: Vec<StepInfo> = numbered
            .map(|(at, (step, slot))| {
                while ends.pop_if(|end| *end < at).is_some() {}
                let depth = ends.len();
                let kind = match step {
                    Step::System(..) => StepKind::System,
                    Step::Sync => StepKind::Sync,
                    Step::Set(_, len, _) => {
                        ends.push(at + len);
                        StepKind::List
                    }
                    Step::Together(len) => {
                        ends.push(at + len);
                        StepKind::Together
                    }
                };
                let (reads, writes) = touched(step);
                StepInfo {
                    name: step.name(),
                    kind,
                    depth,
                    reads,
                    writes,
                    is_exclusive: step.is_fence(),
                    sees_world: step.sees_world(),
                    records: step.records(),
                    applies: slot.applies || matches!(step, Step::Sync),
                    is_on: slot.is_on(),
                    waits_for: Vec::new(),
                    took: times.get(at).copied(),
                }
            })
            .collect();
        for (earlier, later) in KnownPlan::of(&self.steps).graph().edges() {
            all[later].waits_for.push(earlier);
        }
        all
    }
}

/// Returns the names of the data that a step reads, and of the data that it writes, each once.
#[inline]
fn touched(step: &Step) -> (Vec<&'static str>, Vec<&'static str>) {
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    for facts in step.parts().into_iter().flatten() {
        for access in facts.params() {
            access.for_each_touched(&mut |name, is_written| {
                let list = if is_written { &mut writes } else { &mut reads };
                if !list.contains(&name) {
                    list.push(name);
                }
            });
        }
    }
    reads.retain(|name| !writes.contains(name));
    (reads, writes)
}
