//! The groups of a world: updated by edits, and found by views.

use crate::component::set::ComponentSet;
use crate::entity::Entity;
use crate::group::declare::{GroupError, GroupId, GroupList, GroupNames};
use crate::group::state::{Departure, GroupState, Terms};
use crate::group::state::{GroupTerm, TermRole};
use crate::pool::pools::{LastPosition, Pools};
use crate::storage::keys::Keys;
use crate::storage::sort::sort_few;
use crate::storage::untyped::is_swept;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::ops::Range;

/// The groups of a world.
///
/// An entity enters outer groups first and leaves inner ones first: so an entity that moves to a boundary, or away from
/// it, never crosses the boundary of another group.
///
/// * G3: a group that contains another stands before it.
/// * G4: of two groups that own one pool, one contains the other.
#[derive(Clone, Debug)]
pub struct Groups {
    list: Vec<GroupState>,
    /// The components that groups require, and the ones that they exclude.
    required: ComponentSet,
    excluded: ComponentSet,
    /// The union of both, so that an edit tests one set.
    watched: ComponentSet,
    /// The components that an entity may lack though its set names them and a group watches them.
    inexact: ComponentSet,
    declared: u32,
}

/// The components without a bit of their own in sets.
const SHARED: ComponentSet = ComponentSet::of(u32::MAX);

/// The terms of a query, to find a group that contains its matches.
pub(crate) struct Wanted<'a> {
    pub(crate) required: ComponentSet,
    pub(crate) excluded: ComponentSet,
    /// The components that are read or written.
    pub(crate) read: ComponentSet,
    /// `true` if a match needs nothing else.
    pub(crate) is_all: bool,
    /// Calls its argument with these components, but for optional ones.
    pub(crate) terms: &'a dyn Fn(AddTerm<'_>),
}

/// Receives a component and its role.
pub(crate) type AddTerm<'a> = &'a mut dyn FnMut(GroupTerm);

/// The members of a group that owns nothing, in order.
pub(crate) struct ListedGroup {
    pub(crate) required: Vec<u32>,
    pub(crate) excluded: Vec<u32>,
    pub(crate) members: Vec<Entity>,
}

impl ListedGroup {
    /// Returns `true` if the group requires and excludes these, in order.
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
    /// `true` if all its members match.
    pub(crate) is_exact: bool,
    /// `true` if it owns all pools that the query reads or writes; only set if it `is_exact`.
    pub(crate) owns_all: bool,
}

/// Returns the bit of a component's number, or all bits if it is not among the first 64.
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
            inexact: SHARED,
            declared: 0,
        }
    }

    /// Returns all components that a group requires or excludes.
    #[inline]
    pub(crate) fn watched(&self) -> &ComponentSet {
        &self.watched
    }

    /// Returns `true` if a group requires or excludes this component.
    #[inline]
    pub(crate) fn watch(&self, number: u32) -> bool {
        self.watched.contains(number)
    }

    /// Returns `true` if a group names this component, and not only one that shares its bit.
    #[inline]
    pub(crate) fn name(&self, number: u32) -> bool {
        self.watch(number) && self.list.iter().any(|group| group.names(number))
    }

    /// Returns `true` if a group requires this component.
    #[inline]
    pub(crate) fn require(&self, number: u32) -> bool {
        self.required.contains(number)
    }

    /// Returns `true` if a group requires one of these components; takes two instructions if there is no group.
    #[inline]
    pub(crate) fn require_any(&self, components: &ComponentSet) -> bool {
        !self.is_empty() && self.required.intersects(components)
    }

    /// Returns `true` if a group excludes this component.
    #[inline]
    pub(crate) fn exclude(&self, number: u32) -> bool {
        self.excluded.contains(number)
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns `true` if a group owns the pool of this component.
    pub(crate) fn own(&self, number: u32) -> bool {
        self.list.iter().any(|group| group.owns(number))
    }

    /// Returns the terms of all groups, outer ones first.
    #[cfg(test)]
    pub(crate) fn terms(&self) -> impl Iterator<Item = &Terms> {
        self.list.iter().map(|group| &group.terms)
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = GroupId> {
        self.list.iter().map(|group| group.id)
    }

    /// Returns the names of a group's components, if the group exists.
    #[inline]
    pub(crate) fn names(&self, id: GroupId, pools: &Pools) -> Option<GroupNames> {
        self.list.iter().find(|group| group.id == id).map(|group| group.terms.names(pools))
    }

    /// Declares a group, unless it was declared before with its terms in any order.
    #[track_caller]
    pub(crate) fn declare<O: GroupList, S: GroupList, X: GroupList>(
        &mut self,
        pools: &mut Pools,
    ) -> Result<(), GroupError> {
        O::create(pools);
        S::create(pools);
        X::create(pools);
        self.declare_terms(Terms::of::<O, S, X>(), pools)
    }

    #[inline]
    #[track_caller]
    fn declare_terms(&mut self, terms: Terms, pools: &mut Pools) -> Result<(), GroupError> {
        terms.refuse_repetition(pools);
        if self.list.iter().any(|group| group.terms == terms) {
            return Ok(());
        }
        let conflict = self.conflict(&terms);
        if let Some((existing, number)) = conflict {
            return Err(GroupError::Conflict {
                declared: terms.names(pools).to_string(),
                existing: existing.names(pools).to_string(),
                component: pools.at(number).name(),
            });
        }
        self.add(terms, pools);
        Ok(())
    }

    /// Returns the first group that conflicts with a new one, and a component that both would own.
    #[inline]
    pub(crate) fn conflict(&self, terms: &Terms) -> Option<(&Terms, u32)> {
        self.list.iter().find_map(|group| Some((&group.terms, terms.conflict(&group.terms)?)))
    }

    #[inline]
    fn add(&mut self, terms: Terms, pools: &mut Pools) {
        let id = GroupId(self.declared);
        self.declared = self.declared.checked_add(1).expect("too many groups were declared");
        let weight = terms.weight();
        let at = self.list.partition_point(|group| group.terms.weight() <= weight);
        // The groups within it are a chain (G4): the longest one has the members of all.
        let inside =
            |group: &&GroupState| terms.owned.iter().any(|own| group.terms.owned.contains(own));
        let inner = self.list[at..].iter().filter(inside).map(GroupState::len).max().unwrap_or(0);
        let mut group = GroupState::new(id, terms);
        group.fill(pools, inner);
        self.list.insert(at, group);
        self.note_watched();
    }

    #[inline]
    fn note_watched(&mut self) {
        let all = |components: fn(&GroupState) -> ComponentSet| {
            self.list.iter().map(components).fold(ComponentSet::EMPTY, ComponentSet::union)
        };
        let (required, excluded) = (all(|group| group.required), all(|group| group.excluded));
        (self.required, self.excluded) = (required, excluded);
        self.watched = required.union(excluded);
    }

    /// Marks components that an entity may lack though its set names them.
    pub(crate) fn mark_inexact(&mut self, components: ComponentSet) {
        self.inexact = self.inexact.union(components);
    }

    /// Marks components that an entity has whenever its set names them.
    pub(crate) fn mark_exact(&mut self, components: ComponentSet) {
        self.inexact = self.inexact.difference(components).union(SHARED);
    }

    /// Returns the components that an entity may lack though its set names them and a group watches them.
    pub(crate) fn inexact(&self) -> &ComponentSet {
        &self.inexact
    }

    /// Ends a group. Its pools keep their current order.
    #[inline]
    pub(crate) fn remove(&mut self, id: GroupId) {
        self.list.retain(|group| group.id != id);
        self.note_watched();
    }

    /// Updates the membership of `entity`, which may have these components, in the groups that watch the component it
    /// just got or lost.
    pub(crate) fn update(
        &mut self,
        pools: &mut Pools,
        entity: Entity,
        components: &ComponentSet,
        changed: u32,
    ) {
        self.update_after(pools, entity, components, changed, LastPosition::NOWHERE);
    }

    /// Updates memberships like [`update`](Self::update), after an insertion at the position `last`.
    #[inline(never)]
    pub(crate) fn update_after(
        &mut self,
        pools: &mut Pools,
        entity: Entity,
        components: &ComponentSet,
        changed: u32,
        mut last: LastPosition,
    ) {
        if self.exclude(changed) {
            self.leave_excluding(pools, entity, components, &ComponentSet::of(changed));
        }
        for group in &mut self.list {
            if group.watched().contains(changed)
                && group.wants(pools, entity, components, &self.inexact)
            {
                group.enter(pools, entity, &mut last);
            }
        }
    }

    /// Updates memberships like [`update`](Self::update), but for several entities, whose records have their
    /// components, and for several changed components.
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
                let inexact = &self.inexact;
                group.enter_some(pools, entities, |group, pools, entity| {
                    group.wants(pools, entity, &components(entity), inexact)
                });
            }
        }
    }

    /// Adds entities that were just made with these components to their groups. They must be the last of all their
    /// pools, in one order.
    pub(crate) fn enter_new(
        &mut self,
        pools: &mut Pools,
        made: &[Entity],
        components: &ComponentSet,
    ) {
        let Some(&first) = made.first() else { return };
        for group in &mut self.list {
            // Nothing else is inexact for new entities.
            if group.watched().intersects(components)
                && group.wants(pools, first, components, &SHARED)
            {
                group.enter_all(pools, made);
            }
        }
    }

    /// Removes `entity` from the groups that exclude one of the `changed` components, if it does not belong there.
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
                && !group.wants(pools, entity, components, &self.inexact)
            {
                group.release(pools, entity);
            }
        }
    }

    /// Removes `entity` from the groups that require the component of this departure. The caller makes the last step in
    /// that component's pool, and removes the component.
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

    /// Removes `entity`, which may have these components, from all groups except the
    /// [swept](Self::begin_sweep) ones.
    #[inline(never)]
    pub(crate) fn leave_all(
        &mut self,
        pools: &mut Pools,
        entity: Entity,
        components: &ComponentSet,
    ) {
        for group in self.list.iter_mut().rev() {
            if components.includes(&group.required) && !group.is_swept {
                group.release(pools, entity);
            }
        }
    }

    /// Begins to despawn `all` entities: finds the groups that they are [swept](Self::sweep) out of instead of leaving
    /// one by one, and returns `true` if there are any.
    pub(crate) fn begin_sweep(&mut self, pools: &Pools, all: usize) -> bool {
        let mut is_any = false;
        for group in &mut self.list {
            group.is_swept = group.sweeps(pools, all);
            is_any |= group.is_swept;
        }
        is_any
    }

    /// Removes all entities that were taken out of the pools from the groups that are [swept](Self::begin_sweep).
    pub(crate) fn sweep(&mut self, pools: &mut Pools) {
        for group in self.list.iter_mut().rev() {
            if core::mem::take(&mut group.is_swept) {
                group.sweep(pools);
            }
        }
    }

    /// Returns `true` if `all` entities that lose the component with this number are [swept](Self::sweep_by) out of the
    /// groups that watch it, instead of leaving one by one.
    #[inline]
    pub(crate) fn are_swept_by(&self, pools: &Pools, number: u32, all: usize) -> bool {
        let mut naming = self.list.iter().filter(|group| group.names(number));
        is_swept(pools.at(number).len(), all) && naming.all(|group| group.owns(number))
    }

    /// Removes all entities that were taken out of the pool with this number from the groups that own it.
    #[inline]
    pub(crate) fn sweep_by(&mut self, pools: &mut Pools, number: u32) {
        for group in self.list.iter_mut().rev() {
            if group.owns(number) {
                group.sweep_by(pools, number);
            }
        }
    }

    /// Returns the numbers of the pools in which an entity moves if it gets or loses the component with this number.
    #[inline]
    pub(crate) fn moving(&self, number: u32) -> Vec<u32> {
        let mut moving = Vec::from([number]);
        for group in self.list.iter().filter(|group| group.watched().contains(number)) {
            moving.extend(group.terms.owned.iter().filter(|owned| **owned != number));
        }
        sort_few(&mut moving, |a, b| a < b);
        moving.dedup();
        moving
    }

    /// Returns the members of the pool with this number beside which a member is when it enters or leaves a group.
    #[inline]
    pub(crate) fn at_bounds(&self, pools: &Pools, number: u32) -> Vec<Entity> {
        let keys = pools.keys_at(number).dense();
        let mut at_bounds = Vec::new();
        for group in self.list.iter().filter(|group| group.owns(number)) {
            let end = group.len();
            at_bounds.extend((end.saturating_sub(1)..=end).filter_map(|at| keys.get(at)));
        }
        at_bounds
    }

    /// Returns the positions of an entity in the lists of groups that own nothing.
    #[inline]
    pub(crate) fn listed_at(&self, entity: Entity) -> Vec<(GroupId, usize)> {
        let listed = self.list.iter().filter_map(|group| Some((group.id, group.listed()?)));
        listed.filter_map(|(id, keys)| Some((id, keys.find(entity)?))).collect()
    }

    /// Moves an entity back to these positions of pools and lists, where the groups that have it now allow that: each
    /// time, it changes places with the member there.
    #[inline]
    pub(crate) fn put_back(
        &mut self,
        pools: &mut Pools,
        entity: Entity,
        places: &[(u32, usize)],
        lists: &[(GroupId, usize)],
    ) {
        for &(number, at) in places {
            let keys = pools.keys_at(number);
            let Some(now) = keys.find(entity).filter(|now| *now != at && at < keys.len()) else {
                continue;
            };
            // Inner groups come last. Positions of one part of the pool are owned by the same groups.
            let owners = || self.list.iter().filter(|group| group.owns(number));
            let part = |at: usize| owners().filter(|group| at < group.len()).count();
            if part(now) == part(at) {
                let owner = owners().rfind(|group| at < group.len());
                for &owned in owner.map_or(&[number][..], |group| &group.terms.owned) {
                    pools.at_mut(owned).set_mut().note_exchange(now, at);
                    pools.at_mut(owned).set_mut().swap_at(now, at);
                }
            }
        }
        for &(id, at) in lists {
            if let Some(group) = self.list.iter_mut().find(|group| group.id == id) {
                group.put_in_list(entity, at);
            }
        }
    }

    /// Removes all entities from all groups.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.list.iter_mut().for_each(GroupState::clear);
    }

    /// Returns `true` if a group requires and excludes no more than these, and owns all of the last, as far as sets can
    /// decide it.
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

    /// Returns the group that serves a query best: the one with exactly its matches, or the smallest one that contains
    /// them.
    pub(crate) fn best<'w>(
        &'w self,
        pools: &'w Pools,
        wanted: &Wanted<'_>,
    ) -> Option<BestGroup<'w>> {
        let found = self.list.iter().filter_map(|group| serve(group, pools, wanted));
        found.min_by_key(|found| (!found.is_exact, !found.owns_all, found.members.len()))
    }

    /// Returns the number of members of the group that owns just the components with these numbers, and has no other
    /// terms. They are the first of each pool. The numbers are listed if some share a bit.
    #[inline]
    pub(crate) fn owning(
        &self,
        components: ComponentSet,
        numbers: &dyn Fn() -> Vec<u32>,
    ) -> Option<usize> {
        let owns = |group: &&GroupState| {
            group.owned == components
                && group.required == components
                && group.excluded.is_empty()
                && (!components.is_coarse() || group.terms.owns_just(&numbers()))
        };
        self.list.iter().find(owns).map(GroupState::len)
    }

    /// Returns the members of such a group like [`owning`](Self::owning), for components with numbers below 64, one bit
    /// each: the first of these members of one of its pools.
    #[inline]
    pub(crate) fn owning_low<'m>(
        &self,
        numbers: u64,
        members: &'m [Entity],
    ) -> Option<&'m [Entity]> {
        let group = self.list.iter().find(|group| group.owned_low == numbers)?;
        members.get(..group.len())
    }

    /// Returns the innermost group that owns the pool with this number.
    #[inline]
    pub(crate) fn owner(&self, pools: &Pools, number: u32) -> Option<GroupNames> {
        let owner = self.list.iter().rev().find(|group| group.owns(number));
        owner.map(|group| group.terms.names(pools))
    }

    /// Returns the group declared with these terms.
    pub(crate) fn find<O: GroupList, S: GroupList, X: GroupList>(&self) -> Option<GroupId> {
        let terms = Terms::of::<O, S, X>();
        let is_it = |group: &&GroupState| group.terms == terms;
        self.list.iter().find(is_it).map(|group| group.id)
    }

    /// Returns the members of a group, or none if it was dropped.
    #[inline]
    pub(crate) fn members<'w>(&'w self, id: GroupId, pools: &'w Pools) -> &'w [Entity] {
        let group = self.list.iter().find(|group| group.id == id);
        group.map_or(&[], |group| group.members(pools))
    }

    /// Returns the parts of a group within which its members can change places: the range to the end of the next part,
    /// with the pools that must move together. The innermost group comes first.
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

    #[inline]
    pub(crate) fn shrink_to_fit(&mut self) {
        self.list.iter_mut().for_each(GroupState::shrink_to_fit);
        self.list.shrink_to_fit();
    }

    /// Returns the bytes on the heap.
    #[inline]
    pub(crate) fn memory(&self) -> usize {
        self.list.capacity() * size_of::<GroupState>()
            + self.list.iter().map(GroupState::memory).sum::<usize>()
    }

    /// Returns the declared groups that own nothing: required and excluded components, and members in order.
    pub(crate) fn lists(&self) -> impl Iterator<Item = (&[u32], &[u32], &[Entity])> {
        self.list.iter().filter_map(GroupState::list)
    }

    /// Completes all groups, without members so far, in the current order of entities. Groups that own nothing take the
    /// order of their lists, each with the components that the group requires and excludes.
    #[cfg(feature = "serde")]
    pub(crate) fn restore(&mut self, pools: &mut Pools, lists: &[ListedGroup]) {
        self.mark_exact(self.inexact); // records are exact
        self.rebuild(pools, lists);
    }

    /// Returns the most bytes that [restoring](Self::restore) takes. `size_of` returns the numbers of members and pages
    /// of a pool.
    #[cfg(feature = "serde")]
    pub(crate) fn restoring_takes(&self, size_of: impl Fn(u32) -> (usize, usize)) -> usize {
        self.list.iter().map(|group| group.restoring_takes(&size_of)).sum()
    }

    /// Completes all groups like [`restore`](Self::restore), but with unchanged records.
    #[inline]
    pub(crate) fn rebuild(&mut self, pools: &mut Pools, lists: &[ListedGroup]) {
        for group in &mut self.list {
            let is_its = |list: &&ListedGroup| {
                group.list().is_some_and(|(of, without, _)| list.is_of(of, without))
            };
            let members = lists.iter().find(is_its).map_or(&[][..], |list| &list.members);
            group.restore(pools, members);
        }
    }

    /// Checks that every group has exactly its members: for tests.
    #[inline]
    pub(crate) fn check(&self, pools: &Pools) -> Result<(), &'static str> {
        self.list.iter().try_for_each(|group| group.check(pools))
    }
}

impl BestGroup<'_> {
    /// Returns `true` if the group's members are the first of the pool with this number.
    pub(crate) fn owns(&self, number: u32) -> bool {
        self.group.owns(number)
    }

    #[inline]
    pub(crate) fn names(&self, pools: &Pools) -> GroupNames {
        self.group.terms.names(pools)
    }
}

/// Returns how a group serves a query; `None` unless every match is a member.
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
    if group.watched().is_coarse() {
        // Some components have no bit of their own in sets, so they are compared one by one.
        let (mut named, mut are_all_named) = (Vec::new(), true);
        (wanted.terms)(&mut |GroupTerm { number, role }| {
            let (terms, is_excluded) = (&group.terms, role == TermRole::Excluded);
            are_all_named &= if is_excluded {
                terms.excluded.contains(&number)
            } else {
                terms.required().any(|required| *required == number)
            };
            owns_all &= role != TermRole::Read || group.owns(number);
            named.push((number, is_excluded));
        });
        let is_named = |number: &u32, is_excluded| named.contains(&(*number, is_excluded));
        if !group.terms.required().all(|number| is_named(number, false))
            || !group.terms.excluded.iter().all(|number| is_named(number, true))
        {
            return None;
        }
        is_exact &= are_all_named;
    }
    let (members, listed) = (group.members(pools), group.listed());
    Some(BestGroup { group, members, listed, is_exact, owns_all })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::index_of;
    use crate::{Component, Group, World};
    use std::vec;

    #[derive(Component)]
    struct A;
    #[derive(Component)]
    struct B;

    fn terms(owned: &[u32], observed: &[u32], excluded: &[u32]) -> Terms {
        Terms::new(owned.to_vec(), observed.to_vec(), excluded.to_vec())
    }

    #[test]
    fn a_list_is_that_of_its_group() {
        let list = ListedGroup { required: vec![1], excluded: vec![2], members: Vec::new() };
        assert!(list.is_of(&[1], &[2]) && !list.is_of(&[1], &[]) && !list.is_of(&[2], &[2]));
    }

    #[test]
    fn groups_watch_what_they_name() {
        let mut world = World::new();
        let (a, b) = (index_of::<A>().get(), index_of::<B>().get());
        let seen = |groups: &Groups, number| {
            let one = ComponentSet::of(number);
            let is_required = groups.require(number);
            assert_eq!(groups.require_any(&one), is_required);
            (groups.watch(number), is_required, groups.exclude(number))
        };
        assert_eq!(seen(&world.groups, a), (false, false, false));
        world.declare_group(Group::owning::<A>().without::<B>()).unwrap();
        assert_eq!(seen(&world.groups, a), (true, true, false));
        assert_eq!(seen(&world.groups, b), (true, false, true));
        assert_eq!(seen(&world.groups, b + 1), (false, false, false));
    }

    #[test]
    fn the_memory_of_groups_is_that_of_their_lists() {
        let mut world = World::new();
        world.declare_group(Group::owning::<A>().without::<B>()).unwrap();
        world.declare_group(Group::owning::<A>()).unwrap();
        let groups = &mut world.groups;
        groups.shrink_to_fit();
        let lists = 2 * size_of::<GroupState>() + (1 + 1 + 1) * 4;
        assert_eq!(groups.memory(), lists);
    }

    #[test]
    fn the_check_finds_an_entity_that_is_no_member() {
        let mut world = World::new();
        world.declare_group(Group::owning::<A>()).unwrap();
        world.spawn(A);
        assert_eq!(world.groups.check(&world.pools), Ok(()));
        world.groups.clear();
        assert!(world.groups.check(&world.pools).is_err());
    }

    /// The pools have as many entities besides as a product of the numbers of old and new members suggests.
    #[test]
    fn new_members_follow_the_old_ones_and_not_others() {
        let mut world = World::new();
        world.declare_group(Group::owning::<(A, B)>()).unwrap();
        world.spawn_batch((0..3).map(|_| (A, B)));
        world.spawn(A);
        world.spawn(B);
        let new = world.spawn_batch((0..2).map(|_| (A, B)));
        assert_eq!(world.groups.check(&world.pools), Ok(()));
        let group = world.group(Group::owning::<(A, B)>()).unwrap();
        assert_eq!(group.members()[3..], new);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn restoring_groups_takes_as_much_as_restoring_each() {
        let mut world = World::new();
        world.declare_group(Group::owning::<A>()).unwrap();
        world.declare_group(Group::observing::<B>()).unwrap();
        let size_of = |_| (3, 5);
        let each = world.groups.list.iter().map(|group| group.restoring_takes(size_of));
        assert_eq!(world.groups.restoring_takes(size_of), each.sum::<usize>());
        assert!(world.groups.restoring_takes(size_of) > 3 * 4_096);
    }

    /// Groups that own nothing, of components that share a bit in sets.
    #[test]
    fn a_group_serves_a_query_that_names_all_of_its_terms() {
        let pools = World::new().pools;
        let serves = |of: &[u32], without: &[u32], query: &[(u32, bool)], is_all| {
            let group = GroupState::new(GroupId(0), terms(&[], of, without));
            let set = |excluded| {
                query.iter().filter(|it| it.1 == excluded).map(|it| it.0).collect::<ComponentSet>()
            };
            let role = |excluded| if excluded { TermRole::Excluded } else { TermRole::Required };
            let wanted = Wanted {
                required: set(false),
                excluded: set(true),
                read: ComponentSet::EMPTY,
                is_all,
                terms: &|add| query.iter().for_each(|it| add(GroupTerm::new(it.0, role(it.1)))),
            };
            serve(&group, &pools, &wanted).map(|found| (found.is_exact, found.owns_all))
        };
        let (required, excluded) = (|number| (number, false), |number| (number, true));
        let exact = Some((true, true));
        assert_eq!(serves(&[1], &[2], &[required(1), excluded(2)], true), exact);
        assert_eq!(serves(&[300], &[301], &[required(300), excluded(301)], true), exact);
        assert_eq!(serves(&[300, 1], &[], &[required(1), required(300)], true), exact);
        let contains = Some((false, true));
        assert_eq!(serves(&[1], &[2], &[required(1), excluded(2)], false), contains);
        assert_eq!(serves(&[300], &[], &[required(300), required(301)], true), contains);
        assert_eq!(serves(&[], &[300], &[excluded(300), excluded(301)], true), contains);
        assert_eq!(serves(&[1], &[], &[required(1), required(300)], true), contains);
        assert_eq!(serves(&[300], &[], &[required(301)], true), None);
        assert_eq!(serves(&[], &[300], &[excluded(301)], true), None);
        assert_eq!(serves(&[300], &[], &[required(301), excluded(300)], true), None);
        assert_eq!(serves(&[1, 300], &[], &[required(1)], true), None);
        assert_eq!(serves(&[1], &[2], &[required(1)], true), None);
    }
}
