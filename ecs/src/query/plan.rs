//! How a view finds its matches, for people.

use crate::group::declare::GroupNames;
use crate::query::fetch::Fetch;
use crate::query::join::Join;
use crate::query::walk::{PlanKind, Source};
use crate::storage::pool::ErasedPool;
use crate::storage::sparse_array::PAGE_LEN;
use alloc::vec::Vec;
use core::fmt;

/// A group would help where it spares so many tests, be it of a word of bits.
const WORTH_A_GROUP: usize = 128;
/// Candidates that are looked up one by one, for each match, before a group would help.
const FEW_MATCHES: usize = 8;

/// How a view finds its matches, from [`View::explain`](crate::View::explain).
///
/// ```
/// # use ecs::{Component, Plan, PlanKind, World};
/// # #[derive(Component)] struct Position(f32);
/// let mut world = World::new();
/// world.spawn_with(Position(1.0));
/// let plan: Plan = world.view::<Position>().explain();
/// assert_eq!((plan.kind, plan.driver, plan.group), (PlanKind::All, Some("Position"), None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The way that is taken.
    pub kind: PlanKind,
    /// The component with the smallest pool, in which every match is.
    pub driver: Option<&'static str>,
    /// How many entities are tested, be it 64 at a time.
    pub candidates: usize,
    /// The group whose members are walked.
    pub group: Option<GroupNames>,
    /// Where many candidates are tested for few matches: a group that would spare the tests. It
    /// serves as well if it owns some of what is observed here.
    pub helpful: Option<GroupNames>,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (driver, candidates) = (self.driver.unwrap_or("an empty pool"), self.candidates);
        match (self.kind, &self.group) {
            (PlanKind::Words, _) => {
                write!(f, "joins {} words of bits, led by `{driver}`", candidates / 64)
            }
            (PlanKind::Everyone, _) => write!(f, "looks at each of {candidates} entity indices"),
            (PlanKind::Dense, Some(group)) => {
                write!(f, "looks up the {candidates} members of the {group} in the other pools")
            }
            (PlanKind::Dense, None) => {
                write!(f, "looks up the {candidates} members of `{driver}` in the other pools")
            }
            (_, Some(group)) => write!(f, "walks the {candidates} members of the {group}"),
            (_, None) => write!(f, "walks the {candidates} members of `{driver}`"),
        }?;
        match &self.helpful {
            Some(group) => write!(f, "; a {group} would spare most of the tests"),
            None => Ok(()),
        }
    }
}

impl<F: Fetch> Join<'_, F> {
    /// How the join is walked.
    pub(crate) fn plan(&self) -> Plan {
        let (source, found) = self.way();
        let driver = self.tables.anchor.and_then(|keys| {
            let is_driver = |pool: &&dyn ErasedPool| core::ptr::eq(pool.entities(), keys.dense());
            self.pools.iter().find(is_driver).map(ErasedPool::name)
        });
        let (kind, candidates) = match source {
            Source::Slices(members) if found.is_none() => (PlanKind::All, members.len()),
            Source::Slices(members) | Source::Group { members, .. } => {
                (PlanKind::Group, members.len())
            }
            Source::Dense(members) => (PlanKind::Dense, members.len()),
            Source::Pages { .. } if let Some(found) = found => {
                (PlanKind::Group, found.members.len())
            }
            Source::Pages { end, .. } if self.tables.anchor.is_some() => {
                (PlanKind::Words, end * PAGE_LEN)
            }
            Source::Pages { .. } => (PlanKind::Everyone, self.tables.entities.index_count()),
        };
        let tests = match kind {
            PlanKind::Words => candidates / 64,
            _ => candidates / FEW_MATCHES,
        };
        let group = found.map(|found| found.names(self.pools));
        Plan { kind, driver, candidates, group, helpful: self.helpful(tests) }
    }

    /// The group that would spare so many tests, where there are many, and fewer matches.
    fn helpful(&self, tests: usize) -> Option<GroupNames> {
        let is_kept = self.group().is_some_and(|found| found.is_exact);
        let (mut observed, mut excluded) = (Vec::new(), Vec::new());
        F::ACCESS.for_each_test(&mut |term| {
            let list = if term.is_exclusion() { &mut excluded } else { &mut observed };
            list.push(term.name());
        });
        let is_join = !observed.is_empty() && observed.len() + excluded.len() > 1;
        let is_worth = tests >= WORTH_A_GROUP && self.count() < tests;
        (!is_kept && F::NAMED && is_join && is_worth).then(|| GroupNames {
            owned: [].into(),
            observed: observed.into(),
            excluded: excluded.into(),
        })
    }
}
