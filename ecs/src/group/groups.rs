//! The groups of a world: kept up to date, and found by views.

use crate::component::set::ComponentSet;
use crate::entity::Entity;
use crate::group::counts::Counts;
use crate::group::declare::{GroupError, GroupId, GroupList, GroupNames};
use crate::group::state::{Departure, GroupState, Terms};
use crate::pool::pools::{KnownPosition, Pools};
use crate::storage::bulk::is_swept;
use crate::storage::keys::Keys;
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::ops::Range;

/// The groups of a world.
///
/// An entity enters outer groups first and leaves inner ones first: so an entity that moves to a
/// boundary, or away from it, never crosses that of another group.
///
/// * G3: a group that holds another stands before it.
/// * G4: of two groups that own one pool, one holds the other.
#[derive(Clone, Debug)]
pub struct Groups {
    list: Vec<GroupState>,
    /// What groups require, and what they exclude.
    required: ComponentSet,
    excluded: ComponentSet,
    /// Both, so that an edit asks once.
    watched: ComponentSet,
    /// Of these an entity may lack some that its set names, though a group watches them.
    doubtful: ComponentSet,
    declared: u32,
    /// What is counted of views and edits, if the world observes them.
    counts: Option<Box<Counts>>,
}

/// The components that have no place of their own in sets.
const SHARED: ComponentSet = ComponentSet::of(u32::MAX);

/// What a query asks for, to find the group that keeps it.
pub(crate) struct Wanted<'a> {
    pub(crate) required: ComponentSet,
    pub(crate) excluded: ComponentSet,
    /// Those that are read or written.
    pub(crate) read: ComponentSet,
    /// Whether that is all that a match needs.
    pub(crate) is_all: bool,
    /// The numbers of these components, and whether they are excluded.
    pub(crate) terms: &'a dyn Fn(Tell<'_>),
}

/// Is told the number of a component, and whether it is excluded.
pub(crate) type Tell<'a> = &'a mut dyn FnMut(u32, bool);

/// The members of a group that owns nothing, in order.
pub(crate) struct ListedGroup {
    pub(crate) required: Vec<u32>,
    pub(crate) excluded: Vec<u32>,
    pub(crate) members: Vec<Entity>,
}

impl ListedGroup {
    /// Whether it is the group that requires and excludes these, in order.
    pub(crate) fn is_of(&self, required: &[u32], excluded: &[u32]) -> bool {
        self.required == required && self.excluded == excluded
    }
}

/// A group with all matches of a query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BestGroup<'w> {
    pub(crate) group: &'w GroupState,
    pub(crate) members: &'w [Entity],
    /// The group's list, if it owns nothing.
    pub(crate) listed: Option<&'w Keys<Entity>>,
    /// Whether all its members match.
    pub(crate) is_exact: bool,
    /// Whether it owns all pools that the query reads or writes; told where it `is_exact`.
    pub(crate) owns_all: bool,
}

/// Returns the bit of a component's number, or all bits if it is none of the first 64.
#[inline]
pub(crate) fn low_bit(number: u32) -> u64 {
    1_u64.checked_shl(number).unwrap_or(u64::MAX)
}

impl Groups {
    pub(crate) const fn new() -> Self {
        Self {
            list: Vec::new(),
            required: ComponentSet::EMPTY,
            excluded: ComponentSet::EMPTY,
            watched: ComponentSet::EMPTY,
            doubtful: SHARED,
            declared: 0,
            counts: None,
        }
    }

    /// All components that a group requires or excludes.
    #[inline]
    pub(crate) fn watched(&self) -> &ComponentSet {
        &self.watched
    }

    /// Whether a group requires or excludes this component.
    #[inline]
    pub(crate) fn watch(&self, number: u32) -> bool {
        self.watched.contains(number)
    }

    /// Whether a group requires this component.
    #[inline]
    pub(crate) fn require(&self, number: u32) -> bool {
        self.required.contains(number)
    }

    /// Whether a group requires one of these components.
    #[inline]
    pub(crate) fn require_any(&self, components: &ComponentSet) -> bool {
        self.required.intersects(components)
    }

    /// Whether a group excludes this component.
    #[inline]
    pub(crate) fn exclude(&self, number: u32) -> bool {
        self.excluded.contains(number)
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// What is counted of views and edits, if the world observes them.
    #[inline(always)]
    pub(crate) fn counts(&self) -> Option<&Counts> {
        self.counts.as_deref()
    }

    /// The counts, to be taken.
    pub(crate) fn counts_mut(&mut self) -> Option<&mut Counts> {
        self.counts.as_deref_mut()
    }

    /// Begins to count what views and edits do, or ends that.
    pub(crate) fn observe(&mut self, is_observed: bool) {
        if is_observed != self.counts.is_some() {
            self.counts = is_observed.then(|| Box::new(Counts::new()));
            let Self { list, counts, .. } = self;
            for group in list {
                group.note_places(counts.as_deref());
            }
        }
    }

    /// The components of which edits are counted.
    pub(crate) fn counted(&self) -> ComponentSet {
        self.counts().map_or(ComponentSet::EMPTY, |counts| counts.edits.counted())
    }

    /// Counts that each of these entities gained or lost these components.
    pub(crate) fn count_edits(
        &mut self,
        pools: &Pools,
        entities: &[Entity],
        changed: &ComponentSet,
    ) {
        if let Some(counts) = &mut self.counts {
            counts.edits.add(pools, entities, changed);
        }
    }

    /// Counts that each of these entities was given components with these numbers, beside which stands how many members
    /// their pools had before.
    pub(crate) fn count_given(
        &mut self,
        pools: &Pools,
        entities: &[Entity],
        given: &[(u32, usize)],
    ) {
        if let Some(counts) = &mut self.counts {
            counts.edits.add_given(pools, entities, given);
        }
    }

    /// The terms of all groups, outer ones first, and which of them the world chose.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (&Terms, bool)> {
        self.list.iter().map(|group| (&group.terms, group.is_tuned))
    }

    /// Whether the world chose this group.
    pub(crate) fn is_tuned(&self, id: GroupId) -> bool {
        self.list.iter().any(|group| group.id == id && group.is_tuned)
    }

    /// Keeps a group that the world chose. No group is in conflict with it.
    pub(crate) fn add_tuned(&mut self, terms: Terms, pools: &mut Pools) {
        debug_assert!(self.conflict(&terms).is_none(), "a tuned group yields to others");
        self.add(terms, pools, true);
    }

    /// Ends the groups that the world chose and whose terms are such. Returns `true` if there were any.
    pub(crate) fn drop_tuned(&mut self, is_dropped: impl Fn(&Terms) -> bool) -> bool {
        let before = self.list.len();
        self.list.retain(|group| !(group.is_tuned && is_dropped(&group.terms)));
        let is_any = self.list.len() < before;
        if is_any {
            self.note_watched();
        }
        is_any
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = GroupId> {
        self.list.iter().map(|group| group.id)
    }

    /// What a group was declared of, if it is kept.
    pub(crate) fn names(&self, id: GroupId, pools: &Pools) -> Option<GroupNames> {
        self.list.iter().find(|group| group.id == id).map(|group| group.terms.names(pools))
    }

    /// Declares a group, unless it was declared before, the terms in any order.
    #[track_caller]
    pub(crate) fn declare<O: GroupList, S: GroupList, X: GroupList>(
        &mut self,
        pools: &mut Pools,
    ) -> Result<(), GroupError> {
        O::create(pools);
        S::create(pools);
        X::create(pools);
        let terms = Terms::of::<O, S, X>();
        terms.refuse_repetition(pools);
        if let Some(group) = self.list.iter_mut().find(|group| group.terms == terms) {
            group.is_tuned = false;
            return Ok(());
        }
        let conflict = self.declared_conflict(&terms);
        if let Some((existing, number)) = conflict {
            return Err(GroupError::Conflict {
                declared: terms.names(pools).to_string(),
                existing: existing.names(pools).to_string(),
                component: pools.at(number).name(),
            });
        }
        self.drop_tuned(|tuned| terms.conflict(tuned).is_some());
        self.add(terms, pools, false);
        Ok(())
    }

    /// Returns the first declared group that a new one cannot stand beside, and a component that both would own.
    pub(crate) fn declared_conflict(&self, terms: &Terms) -> Option<(&Terms, u32)> {
        let declared = self.list.iter().filter(|group| !group.is_tuned);
        let mut conflicts =
            declared.filter_map(|group| Some((&group.terms, terms.conflict(&group.terms)?)));
        conflicts.next()
    }

    /// Returns the first group that a new one cannot stand beside, and a component that both would own.
    pub(crate) fn conflict(&self, terms: &Terms) -> Option<(&Terms, u32)> {
        self.list.iter().find_map(|group| Some((&group.terms, terms.conflict(&group.terms)?)))
    }

    fn add(&mut self, terms: Terms, pools: &mut Pools, is_tuned: bool) {
        let id = GroupId(self.declared);
        self.declared = self.declared.checked_add(1).expect("too many groups were declared");
        let weight = terms.weight();
        let at = self.list.partition_point(|group| group.terms.weight() <= weight);
        // The groups that it holds are a chain (G4): the longest has the members of all.
        let inside =
            |group: &&GroupState| terms.owned.iter().any(|own| group.terms.owned.contains(own));
        let inner = self.list[at..].iter().filter(inside).map(GroupState::len).max().unwrap_or(0);
        let mut group = GroupState::new(id, terms);
        group.is_tuned = is_tuned;
        group.note_places(self.counts.as_deref());
        group.fill(pools, inner);
        self.list.insert(at, group);
        self.note_watched();
    }

    fn note_watched(&mut self) {
        let all = |components: fn(&GroupState) -> ComponentSet| {
            self.list.iter().map(components).fold(ComponentSet::EMPTY, ComponentSet::union)
        };
        let (required, excluded) = (all(|group| group.required), all(|group| group.excluded));
        (self.required, self.excluded) = (required, excluded);
        self.watched = required.union(excluded);
    }

    /// Says that of these components an entity may lack some that its set names.
    pub(crate) fn mark_doubtful(&mut self, components: ComponentSet) {
        self.doubtful = self.doubtful.union(components);
    }

    /// Says that of these components an entity has all that its set names.
    pub(crate) fn mark_exact(&mut self, components: ComponentSet) {
        self.doubtful = self.doubtful.difference(components).union(SHARED);
    }

    /// The components of which an entity may lack some that its set names, though a group watches them.
    pub(crate) fn doubtful(&self) -> &ComponentSet {
        &self.doubtful
    }

    /// Ends a group. Its pools stay in the order that they are in.
    pub(crate) fn remove(&mut self, id: GroupId) {
        self.list.retain(|group| group.id != id);
        self.note_watched();
    }

    /// Sets right whether `entity`, which may have these components, is in the groups that care about
    /// one that it just got or lost.
    pub(crate) fn update(
        &mut self,
        pools: &mut Pools,
        entity: Entity,
        components: &ComponentSet,
        changed: u32,
    ) {
        self.update_after(pools, entity, components, changed, KnownPosition::NOWHERE);
    }

    /// As [`update`](Self::update), after an insertion that left the component `known`.
    #[inline(never)]
    pub(crate) fn update_after(
        &mut self,
        pools: &mut Pools,
        entity: Entity,
        components: &ComponentSet,
        changed: u32,
        mut known: KnownPosition,
    ) {
        if self.exclude(changed) {
            self.leave_excluding(pools, entity, components, &ComponentSet::of(changed));
        }
        for group in &mut self.list {
            if group.watched().contains(changed)
                && group.wants(pools, entity, components, &self.doubtful)
            {
                group.enter(pools, entity, &mut known);
            }
        }
    }

    /// As [`update`](Self::update), for each of these, whose components can be asked for, and for several
    /// that changed.
    pub(crate) fn update_all(
        &mut self,
        pools: &mut Pools,
        entities: &[Entity],
        components: impl Fn(Entity) -> ComponentSet,
        changed: &ComponentSet,
    ) {
        if self.excluded.intersects(changed) {
            for &entity in entities {
                self.leave_excluding(pools, entity, &components(entity), changed);
            }
        }
        for group in &mut self.list {
            if group.watched().intersects(changed) {
                let doubtful = &self.doubtful;
                group.enter_some(pools, entities, |group, pools, entity| {
                    group.wants(pools, entity, &components(entity), doubtful)
                });
            }
        }
    }

    /// Lets entities that were just made with these components into their groups. They are the last of
    /// all pools that they are in, in one order.
    pub(crate) fn enter_new(
        &mut self,
        pools: &mut Pools,
        made: &[Entity],
        components: &ComponentSet,
    ) {
        let Some(&first) = made.first() else { return };
        for group in &mut self.list {
            // Of new entities nothing else is doubtful.
            if group.watched().intersects(components)
                && group.wants(pools, first, components, &SHARED)
            {
                group.enter_all(pools, made);
            }
        }
    }

    /// Lets `entity` leave the groups that exclude one of the `changed` components, if it does not belong
    /// there.
    #[inline(never)]
    fn leave_excluding(
        &mut self,
        pools: &mut Pools,
        entity: Entity,
        components: &ComponentSet,
        changed: &ComponentSet,
    ) {
        for group in self.list.iter_mut().rev() {
            if group.excluded.intersects(changed)
                && !group.wants(pools, entity, components, &self.doubtful)
            {
                group.release(pools, entity);
            }
        }
    }

    /// Removes `entity` from the groups that require the component of this departure. The last step in that component's
    /// pool is left to the caller, who takes the component out.
    #[inline(never)]
    pub(crate) fn leave(&mut self, pools: &mut Pools, entity: Entity, departure: &mut Departure) {
        let number = departure.number;
        for group in self.list.iter_mut().rev() {
            if group.owns(number) {
                group.release_at(pools, departure);
            } else if group.requires(number) {
                group.release(pools, entity);
            }
        }
    }

    /// Lets `entity`, which may have these components, leave all groups but those whose pools are
    /// [swept](Self::swept).
    #[inline(never)]
    pub(crate) fn leave_all(
        &mut self,
        pools: &mut Pools,
        entity: Entity,
        components: &ComponentSet,
        swept: &ComponentSet,
    ) {
        for group in self.list.iter_mut().rev() {
            if components.includes(&group.required) && !group.owns_only(swept) {
                group.release(pools, entity);
            }
        }
    }

    /// The components of groups that so many entities need not leave one by one, if they are despawned:
    /// they are [swept](Self::sweep) out.
    pub(crate) fn swept(&self, pools: &Pools, all: usize) -> ComponentSet {
        let swept = self.list.iter().filter(|group| group.is_swept(pools, all));
        swept.fold(ComponentSet::EMPTY, |swept, group| swept.union(group.owned))
    }

    /// Lets all entities that were taken out of [swept](Self::swept) pools leave their groups.
    pub(crate) fn sweep(&mut self, pools: &mut Pools, swept: &ComponentSet) {
        for group in self.list.iter_mut().rev() {
            if group.owns_only(swept) {
                group.sweep(pools);
            }
        }
    }

    /// Whether so many entities that lose a component, of the pool with this number, need not leave
    /// one by one what groups watch it: they are [swept](Self::sweep_by) out.
    pub(crate) fn are_swept_by(&self, pools: &Pools, number: u32, all: usize) -> bool {
        let watch = |group: &&GroupState| group.watched().contains(number);
        is_swept(pools.at(number).len(), all)
            && self.list.iter().filter(watch).all(|group| group.owns(number))
    }

    /// Lets all entities that were taken out of the pool with this number leave the groups that own
    /// it.
    pub(crate) fn sweep_by(&mut self, pools: &mut Pools, number: u32) {
        for group in self.list.iter_mut().rev() {
            if group.owns(number) {
                group.sweep_by(pools, number);
            }
        }
    }

    /// Lets all entities leave all groups.
    pub(crate) fn clear(&mut self) {
        self.list.iter_mut().for_each(GroupState::clear);
    }

    /// Returns `true` if a group requires and excludes no more than these, and owns all of the last, as far as sets
    /// tell.
    pub(crate) fn may_serve(
        &self,
        required: &ComponentSet,
        excluded: &ComponentSet,
        owned: &ComponentSet,
    ) -> bool {
        self.list.iter().any(|group| {
            required.includes(&group.required)
                && excluded.includes(&group.excluded)
                && group.owned.includes(owned)
        })
    }

    /// The group that serves a query best: the one that keeps its matches, or the smallest of
    /// those that keep them among others.
    pub(crate) fn best<'w>(
        &'w self,
        pools: &'w Pools,
        wanted: &Wanted<'_>,
    ) -> Option<BestGroup<'w>> {
        let found = self.list.iter().filter_map(|group| serve(group, pools, wanted));
        found.min_by_key(|found| (!found.is_exact, !found.owns_all, found.members.len()))
    }

    /// How many members the group has that owns just these components, and asks for nothing else: the
    /// first of each pool.
    #[inline]
    pub(crate) fn owning(&self, components: &ComponentSet) -> Option<usize> {
        let owns = |group: &&GroupState| {
            group.owned == *components
                && group.required == *components
                && group.excluded.is_empty()
                && !components.is_coarse()
        };
        self.list.iter().find(owns).map(GroupState::len)
    }

    /// The same of components with these numbers below 64, one bit each: the first of these members of
    /// one of its pools. Counts a walk of them, which reads values or only counts.
    #[inline]
    pub(crate) fn owning_low<'m>(
        &self,
        numbers: u64,
        members: &'m [Entity],
        reads: bool,
    ) -> Option<&'m [Entity]> {
        let group = self.list.iter().find(|group| group.owned_low == numbers)?;
        let members = members.get(..group.len())?;
        if let Some(counts) = &self.counts {
            counts.walk_at(group.places[usize::from(reads)]);
        }
        Some(members)
    }

    /// The components that a group owns.
    pub(crate) fn owned(&self, id: GroupId) -> &[u32] {
        let group = self.list.iter().find(|group| group.id == id);
        group.map_or(&[], |group| &group.terms.owned)
    }

    /// The innermost declared group that owns the pool with this number.
    pub(crate) fn owner(&self, pools: &Pools, number: u32) -> Option<GroupNames> {
        let owner = self.list.iter().rev().find(|group| group.owns(number) && !group.is_tuned);
        owner.map(|group| group.terms.names(pools))
    }

    /// The group declared with these terms.
    pub(crate) fn find<O: GroupList, S: GroupList, X: GroupList>(&self) -> Option<GroupId> {
        let terms = Terms::of::<O, S, X>();
        let is_it = |group: &&GroupState| group.terms == terms && !group.is_tuned;
        self.list.iter().find(is_it).map(|group| group.id)
    }

    /// The members of a group; none of one that was dropped.
    pub(crate) fn members<'w>(&'w self, id: GroupId, pools: &'w Pools) -> &'w [Entity] {
        let group = self.list.iter().find(|group| group.id == id);
        group.map_or(&[], |group| group.members(pools))
    }

    /// The parts of a group in which its members can change places: from each to the end of the
    /// next, with the pools that must move together. The innermost group comes first.
    pub(crate) fn parts(&self, id: GroupId) -> impl Iterator<Item = (Range<usize>, &[u32])> {
        let outer = self.list.iter().find(|group| group.id == id);
        let inner = outer.into_iter().flat_map(|outer| {
            self.list.iter().rev().filter(|group| {
                group.terms.weight() >= outer.terms.weight()
                    && group.terms.owned.iter().any(|own| outer.terms.owned.contains(own))
            })
        });
        inner.scan(0, |end, group| {
            let start = core::mem::replace(end, group.len());
            Some((start..group.len(), &*group.terms.owned))
        })
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.list.iter_mut().for_each(GroupState::shrink_to_fit);
        self.list.shrink_to_fit();
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.list.capacity() * size_of::<GroupState>()
            + self.list.iter().map(GroupState::memory).sum::<usize>()
            + self.counts.as_ref().map_or(0, |counts| size_of::<Counts>() + counts.memory())
    }

    /// The declared groups that own nothing: what each requires, what it excludes, and its members in order.
    pub(crate) fn lists(&self) -> impl Iterator<Item = (&[u32], &[u32], &[Entity])> {
        self.list.iter().filter(|group| !group.is_tuned).filter_map(GroupState::list)
    }

    /// Makes all groups complete, without members so far, in the order in which entities are already; those that own
    /// nothing in that of their lists, each with what the group requires and excludes.
    #[cfg(feature = "serde")]
    pub(crate) fn restore(&mut self, pools: &mut Pools, lists: &[ListedGroup]) {
        self.mark_exact(self.doubtful); // records are exact
        self.rebuild(pools, lists);
    }

    /// Returns how many bytes [restoring](Self::restore) takes at most, where a pool has so many members on so many
    /// pages.
    #[cfg(feature = "serde")]
    pub(crate) fn restoring_takes(&self, size_of: impl Fn(u32) -> (usize, usize)) -> usize {
        self.list.iter().map(|group| group.restoring_takes(&size_of)).sum()
    }

    /// As [`restore`](Self::restore), where records are as they were.
    pub(crate) fn rebuild(&mut self, pools: &mut Pools, lists: &[ListedGroup]) {
        for group in &mut self.list {
            let is_its = |list: &&ListedGroup| {
                group.list().is_some_and(|(of, without, _)| list.is_of(of, without))
            };
            let members = lists.iter().find(is_its).map_or(&[][..], |list| &list.members);
            group.restore(pools, members);
        }
    }

    /// Whether every group has its members and no others: for tests.
    pub(crate) fn check(&self, pools: &Pools) -> Result<(), &'static str> {
        self.list.iter().try_for_each(|group| group.check(pools))
    }
}

impl BestGroup<'_> {
    /// Whether the group's members are the first of the pool with this number.
    pub(crate) fn owns(&self, number: u32) -> bool {
        self.group.owns(number)
    }

    pub(crate) fn names(&self, pools: &Pools) -> GroupNames {
        self.group.terms.names(pools)
    }
}

/// How a group serves a query; not at all, unless every match is a member.
fn serve<'w>(
    group: &'w GroupState,
    pools: &'w Pools,
    wanted: &Wanted<'_>,
) -> Option<BestGroup<'w>> {
    let serves =
        wanted.required.includes(&group.required) && wanted.excluded.includes(&group.excluded);
    if !serves {
        return None;
    }
    let is_same = group.required == wanted.required && group.excluded == wanted.excluded;
    let (mut is_exact, mut owns_all) =
        (wanted.is_all && is_same, group.owned.includes(&wanted.read));
    if group.watched().is_coarse() || wanted.required.union(wanted.excluded).is_coarse() {
        // Some have no number of their own in sets: so they are compared one by one.
        let (mut asked, mut are_all_named) = (Vec::new(), true);
        (wanted.terms)(&mut |number, is_excluded| {
            let terms = &group.terms;
            are_all_named &= if is_excluded {
                terms.excluded.contains(&number)
            } else {
                terms.required().any(|required| *required == number)
            };
            owns_all &= is_excluded || !wanted.read.contains(number) || group.owns(number);
            asked.push((number, is_excluded));
        });
        let is_asked = |number: &u32, is_excluded| asked.contains(&(*number, is_excluded));
        if !group.terms.required().all(|number| is_asked(number, false))
            || !group.terms.excluded.iter().all(|number| is_asked(number, true))
        {
            return None;
        }
        is_exact &= are_all_named;
    }
    let (members, listed) = (group.members(pools), group.listed());
    Some(BestGroup { group, members, listed, is_exact, owns_all })
}
