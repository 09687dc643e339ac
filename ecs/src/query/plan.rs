//! Which way a view finds its matches, and how it tells people.

use crate::entity::Entity;
use crate::group::declare::GroupNames;
use crate::group::groups::{Found, Wanted};
use crate::query::fetch::{Fetch, ReadOnlyFetch};
use crate::query::join::{Join, count_pages};
use crate::query::tables::{InStep, Tables};
use crate::query::walk::{FEW, PlanKind, Source};
use crate::storage::keys::Keys;
use crate::storage::pool::ErasedPool;
use crate::storage::sparse_array::{PAGE_LEN, PageAt, WORDS};
use crate::text::Counted;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// A group would help where it spares so many tests, be it of a word of bits.
const WORTH_A_GROUP: usize = 128;
/// Candidates that are looked up one by one, for each match, before a group would help.
const FEW_MATCHES: usize = 8;

/// The only pool that is required leads, whatever group there is that owns nothing, when it has at
/// most so many times as many members as match.
const LEADS_GROUP: usize = 4;

/// How a view finds its matches, from [`View::explain`](crate::View::explain).
///
/// ```
/// # use ecs::{Component, Plan, PlanKind, World};
/// # #[derive(Component)] struct Position(f32);
/// let mut world = World::new();
/// world.spawn_with(Position(1.0));
/// let plan: Plan = world.view::<Position>().explain();
/// assert_eq!((plan.kind, plan.driver, plan.candidates), (PlanKind::All, Some("Position"), 1));
/// assert!(plan.group.is_none() && plan.helpful.is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The way that is taken.
    pub kind: PlanKind,
    /// The component with the smallest pool, in which every match is; `None` if no component is
    /// required, or the world has never had one that is.
    pub driver: Option<&'static str>,
    /// How many members, or entity indices, are tested, be it 64 at a time.
    pub candidates: usize,
    /// The group whose members are walked.
    pub group: Option<GroupNames>,
    /// Where many candidates are tested for few matches: a group that would spare the tests. It
    /// serves as well if it owns some of what is observed here.
    pub helpful: Option<GroupNames>,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (driver, candidates) = (self.driver.unwrap_or_default(), self.candidates);
        let members = Counted(candidates, "member", "members");
        match (self.kind, &self.group) {
            (PlanKind::Everyone, _) => {
                write!(f, "looks at the {}", Counted(candidates, "entity index", "entity indices"))
            }
            _ if driver.is_empty() => {
                write!(f, "walks nothing: the world has never had a component that is required")
            }
            (PlanKind::Words, _) => {
                let words = Counted(candidates / 64, "word", "words");
                write!(f, "joins {words} of bits, led by `{driver}`")
            }
            (PlanKind::Dense, Some(group)) => {
                write!(f, "looks up the {members} of the {group} in the other pools")
            }
            (PlanKind::Dense, None) => {
                write!(f, "looks up the {members} of `{driver}` in the other pools")
            }
            (_, Some(group)) => write!(f, "walks the {members} of the {group}"),
            (_, None) => write!(f, "walks the {members} of `{driver}`"),
        }?;
        match &self.helpful {
            Some(group) => write!(f, "; a {group} would spare most of the tests"),
            None => Ok(()),
        }
    }
}

impl<'w, F: Fetch> Join<'w, F> {
    /// The same join for as long as `self` is not used.
    #[inline]
    pub(crate) fn reborrow(&mut self) -> Join<'_, F> {
        let Tables { window, anchor, entities, listed } = self.tables;
        Join {
            tables: Tables { window: F::shrink(window), anchor, entities, listed },
            pools: self.pools,
            groups: self.groups,
            plan: self.plan,
        }
    }

    /// The same join once more.
    #[inline]
    pub(crate) fn copied(&self) -> Self
    where
        F: ReadOnlyFetch,
    {
        Self { ..*self }
    }

    /// The same join, walked in this way where it can be, or in the best.
    pub(crate) fn with_plan(self, plan: Option<PlanKind>) -> Self {
        Self { plan, ..self }
    }

    #[inline]
    pub(crate) fn contains(&self, entity: Entity) -> bool {
        self.tables.contains(entity)
    }

    /// The best group for this join, where it is for the join to choose.
    #[inline]
    pub(super) fn group(&self) -> Option<Found<'w>> {
        let is_free = matches!(self.plan, None | Some(PlanKind::Group));
        if self.groups.is_empty() || !is_free || F::POOLS == 0 {
            return None;
        }
        let has_members = self.tables.anchor.is_some_and(|anchor| anchor.len() > 0);
        self.groups.best(self.pools, &const { Self::WANTED }, has_members)
    }

    const WANTED: Wanted = Wanted {
        access: F::ACCESS,
        required: F::REQUIRED,
        excluded: F::EXCLUDED,
        is_named: F::NAMED,
    };

    /// The matches, where they are the first of every pool that is read and that takes little to
    /// see: those of one pool, or of a group that owns just these pools.
    #[inline]
    pub(super) fn front(&self) -> Option<&'w [Entity]> {
        if !F::EXACT || !F::PLAIN || self.plan.is_some() {
            return None;
        }
        self.required_front()
    }

    /// The entities that have what is required, where they are the first of every pool of that.
    #[inline]
    fn required_front(&self) -> Option<&'w [Entity]> {
        let members = self.tables.anchor?.dense();
        if F::POOLS == 1 {
            return Some(members);
        }
        if !self.pools.are_unshared(F::REQUIRED) {
            return None;
        }
        // None where the query requires a component that the world does not know, with the bit of
        // one that it knows: such a pool is empty.
        members.get(..self.groups.owning(F::REQUIRED)?)
    }

    /// The matches, where they are the first of every pool that is required, and a group tells which
    /// of them have what is optional.
    #[inline]
    fn halves(&self) -> Option<Source<'w>> {
        let more = F::MORE.filter(|_| F::EXACT && self.plan.is_none())?;
        let all = F::REQUIRED.union(more);
        let with = self.groups.owning(all).filter(|_| self.pools.are_unshared(all))?;
        let members = self.required_front()?;
        // Fewer where what is optional is not known, as above.
        let are_there = F::more_keys(&self.tables.window, &|keys| keys.len() >= with);
        (with <= members.len() && are_there).then_some(Source::Halves { members, next: 0, with })
    }

    /// As [`front`](Self::front), and where that takes more to see.
    #[inline]
    pub(super) fn whole_front(&self) -> Option<&'w [Entity]> {
        let other =
            || if let Source::Slices(members) = self.way().0 { Some(members) } else { None };
        self.front().or_else(other)
    }

    /// Where a walk begins, if that takes little to see: with the [`front`](Self::front) of the pools,
    /// or with so few members of the smallest pool that each is looked up and read at once.
    #[inline]
    pub(super) fn shortcut(&self) -> Option<Source<'w>> {
        self.front().map(Source::Slices).or_else(|| self.few())
    }

    /// So few members, where no group can serve.
    #[inline]
    fn few(&self) -> Option<Source<'w>> {
        let anchor = self.tables.anchor?;
        let is_few = F::POOLS > 1 && anchor.len() <= FEW && self.tables.are_few(anchor.len());
        let is_free = self.plan.is_none() && !self.groups.require(F::REQUIRED);
        (is_few && is_free).then(|| Source::looked_up(anchor))
    }

    /// The way that the walk takes, and the group that it uses.
    #[inline]
    pub(super) fn way(&self) -> (Source<'w>, Option<Found<'w>>) {
        let plain = self.tables.source(self.plan);
        let Some(found) = self.group() else { return (plain, None) };
        let members = found.members;
        let is_smaller = |anchor: &Keys<Entity>| members.len() < anchor.len();
        let source = match plain {
            Source::Slices(_) => return (plain, None),
            _ if found.is_exact && F::PLAIN && found.owns_all => Source::Slices(members),
            // Reading the values in a row is worth the tests of those that do not match.
            Source::Lead { members: all, .. }
                if found.listed.is_some() && all.len() <= members.len() * LEADS_GROUP =>
            {
                return (plain, None);
            }
            Source::Pages { .. } | Source::Lead { .. }
                if found.is_exact
                    && found.listed.is_some()
                    && !self.tables.are_few_matches(members.len()) =>
            {
                self.tables.pages()
            }
            _ if found.is_exact => {
                Source::Group { members, next: 0, owned: found.owned_bits(self.pools) }
            }
            _ if self.tables.are_few(members.len())
                && self.tables.anchor.is_some_and(is_smaller) =>
            {
                Source::Dense { members, next: 0, lead: None }
            }
            _ => return (plain, None),
        };
        (source, Some(found))
    }

    /// As [`way`](Self::way), for those who read values.
    #[inline]
    fn walk_way(&self) -> (Source<'w>, Option<Found<'w>>) {
        if let Some(halves) = self.halves() {
            return (halves, None);
        }
        let way = self.way();
        let is_plain = matches!(way, (Source::Pages { .. } | Source::Dense { .. }, None));
        if !is_plain || self.plan.is_some() {
            return way;
        }
        let members = self.tables.keys().dense();
        match self.tables.in_step() {
            InStep::Told => (Source::Slices(members), None),
            InStep::Seemingly => (Source::InStep { members, next: 0 }, None),
            InStep::Not => way,
        }
    }

    /// Where a walk begins.
    #[inline]
    pub(super) fn begin(&mut self) -> Source<'w> {
        self.shortcut().unwrap_or_else(|| self.choose())
    }

    /// The way that the walk takes where there is no [`shortcut`](Self::shortcut), for which the
    /// tables are made ready.
    #[inline]
    pub(super) fn choose(&mut self) -> Source<'w> {
        let (source, found) = self.walk_way();
        if let Source::Pages { .. } = source {
            self.tables.listed = found.and_then(|found| found.listed);
        }
        source
    }

    /// The matches, if a group has exactly these.
    fn listed(&self) -> Option<&'w [Entity]> {
        let exact = || self.group().filter(|found| found.is_exact);
        self.front().or_else(|| exact().map(|found| found.members))
    }

    /// Whether any entity matches.
    pub(crate) fn any(&self) -> bool {
        if let Some(members) = self.listed() {
            return !members.is_empty();
        }
        match self.way().0 {
            Source::Slices(members) | Source::Group { members, .. } => !members.is_empty(),
            Source::Dense { members, lead, .. } => {
                members.iter().any(|entity| self.tables.accepts(*entity, lead))
            }
            Source::Pages { next, end } if self.tables.anchor.is_some() => {
                (next..end).any(|number| {
                    let cursor = F::cursor(&self.tables.window, PageAt::far(number));
                    F::summary(&cursor) != 0 && (0..WORDS).any(|word| F::word(&cursor, word) != 0)
                })
            }
            Source::Pages { .. } => self.living().next().is_some(),
            led => {
                let accepts = |entity: &Entity| self.tables.accepts(*entity, self.tables.anchor);
                led.entities().iter().any(accepts)
            }
        }
    }

    /// How many entities match.
    pub(crate) fn count(&self) -> usize {
        let Some(anchor) = self.tables.anchor else {
            return if F::EXACT { self.tables.entities.alive() } else { self.living().count() };
        };
        if F::POOLS == 1 && F::EXACT {
            return anchor.len();
        }
        if let Some(members) = self.listed() {
            return members.len();
        }
        match self.way().0 {
            Source::Slices(members) | Source::Group { members, .. } => members.len(),
            Source::Dense { members, lead, .. } => {
                members.iter().filter(|entity| self.tables.accepts(**entity, lead)).count()
            }
            _ => count_pages(self, 0..anchor.page_count()),
        }
    }

    /// The matches, of a query that requires no component.
    fn living(&self) -> impl Iterator<Item = Entity> {
        self.tables.entities.iter().filter(|entity| self.contains(*entity))
    }

    /// As [`count_pages`].
    #[inline(always)]
    pub(super) fn count_pages_plain(&self, pages: Range<usize>) -> usize {
        let mut count = 0;
        for number in pages {
            let cursor = F::cursor(&self.tables.window, PageAt::far(number));
            if F::summary(&cursor) != 0 {
                for word in 0..WORDS {
                    count += F::word(&cursor, word).count_ones() as usize;
                }
            }
        }
        count
    }

    /// The same count by both ways of counting bits: for tests.
    pub(crate) fn counts(&self) -> [usize; 2] {
        let pages = 0..self.tables.anchor.map_or(0, Keys::page_count);
        [count_pages(self, pages.clone()), self.count_pages_plain(pages)]
    }

    /// How the join is walked.
    pub(crate) fn plan(&self) -> Plan {
        let (source, found) = self.few().map_or_else(|| self.walk_way(), |few| (few, None));
        let driver = self.tables.anchor.and_then(|keys| {
            let is_driver = |pool: &&dyn ErasedPool| core::ptr::eq(pool.raw_keys(), keys);
            self.pools.iter().find(is_driver).map(ErasedPool::name)
        });
        let (kind, candidates) = match source {
            Source::Slices(members) if found.is_none() => (PlanKind::All, members.len()),
            Source::Halves { members, .. } => (PlanKind::All, members.len()),
            Source::InStep { members, .. } if self.tables.are_in_step(0..members.len()) => {
                (PlanKind::All, members.len())
            }
            Source::Slices(members) | Source::Group { members, .. } => {
                (PlanKind::Group, members.len())
            }
            Source::InStep { members, .. }
            | Source::Dense { members, .. }
            | Source::Lead { members } => (PlanKind::Dense, members.len()),
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

impl<F: Fetch> fmt::Debug for Join<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Join").finish_non_exhaustive()
    }
}
