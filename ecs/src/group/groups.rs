//! The groups of a world: kept up to date, and found by views.

use crate::component::Component;
use crate::component::slot::ComponentIndex;
use crate::entity::Entity;
use crate::group::declare::{GroupConflict, GroupId, GroupInfo, GroupList, GroupNames};
use crate::group::kept::{Kept, Leaver, Terms};
use crate::query::access::Access;
use crate::signature::Signature;
use crate::storage::bulk::is_swept;
use crate::storage::keys::Keys;
use crate::storage::pools::{Placed, Pools};
use alloc::vec::Vec;
use core::ops::Range;

/// The groups of a world.
///
/// An entity enters outer groups first and leaves inner ones first: so an entity that moves to a
/// boundary, or away from it, never crosses that of another group.
///
/// * G3: a group that holds another stands before it.
/// * G4: of two groups that own one pool, one holds the other.
#[derive(Debug)]
pub struct Groups {
    list: Vec<Kept>,
    /// The bits of all components that a group requires, and of those that one excludes.
    required: Signature,
    excluded: Signature,
    /// Both, so that an edit asks once.
    watched: Signature,
    declared: u32,
}

/// What a query asks for, to find the group that keeps it.
#[derive(Debug)]
pub(crate) struct Wanted {
    pub(crate) access: Access,
    pub(crate) required: Signature,
    pub(crate) excluded: Signature,
    /// Whether `access` names all that a match needs.
    pub(crate) is_named: bool,
}

/// A group with all matches of a query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<'w> {
    pub(crate) group: &'w Kept,
    pub(crate) members: &'w [Entity],
    /// The group's list, if it owns nothing.
    pub(crate) listed: Option<&'w Keys<Entity>>,
    /// Whether all its members match.
    pub(crate) is_exact: bool,
    /// Whether it owns all pools that the query reads or writes; told where it `is_exact`.
    pub(crate) owns_all: bool,
}

impl Groups {
    pub(crate) const fn new() -> Self {
        Self {
            list: Vec::new(),
            required: Signature::EMPTY,
            excluded: Signature::EMPTY,
            watched: Signature::EMPTY,
            declared: 0,
        }
    }

    /// The bits of all components that a group requires or excludes.
    #[inline]
    pub(crate) fn watched(&self) -> Signature {
        self.watched
    }

    /// Whether a group requires or excludes a component with one of these bits.
    #[inline]
    pub(crate) fn watch(&self, bits: Signature) -> bool {
        self.watched().intersects(bits)
    }

    /// Whether a group requires a component with one of these bits.
    #[inline]
    pub(crate) fn require(&self, bits: Signature) -> bool {
        self.required.intersects(bits)
    }

    /// Whether a group excludes a component with one of these bits.
    #[inline]
    pub(crate) fn exclude(&self, bits: Signature) -> bool {
        self.excluded.intersects(bits)
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn infos<'a>(&'a self, pools: &'a Pools) -> impl Iterator<Item = GroupInfo> + 'a {
        self.list.iter().map(|group| group.info(pools))
    }

    /// Declares a group, or finds the one that was declared with the same terms.
    #[track_caller]
    pub(crate) fn declare<O: GroupList, S: GroupList, X: GroupList>(
        &mut self,
        pools: &mut Pools,
    ) -> Result<GroupId, GroupConflict> {
        let terms = Terms::of::<O, S, X>(pools);
        if let Some(group) = self.list.iter().find(|group| group.terms == terms) {
            return Ok(group.id);
        }
        for group in &self.list {
            if let Some(number) = terms.conflict(&group.terms) {
                return Err(GroupConflict {
                    declared: terms.names(pools),
                    existing: group.terms.names(pools),
                    component: pools.at(number).name(),
                });
            }
        }
        Ok(self.add(terms, pools))
    }

    fn add(&mut self, terms: Terms, pools: &mut Pools) -> GroupId {
        let id = GroupId(self.declared);
        self.declared = self.declared.checked_add(1).expect("too many groups were declared");
        let weight = terms.weight();
        let at = self.list.partition_point(|group| group.terms.weight() <= weight);
        // The groups that it holds are a chain (G4): the longest has the members of all.
        let inside = |group: &&Kept| terms.owned.iter().any(|own| group.terms.owned.contains(own));
        let inner = self.list[at..].iter().filter(inside).map(Kept::len).max().unwrap_or(0);
        let mut group = Kept::new(id, terms, pools);
        group.fill(pools, inner);
        self.list.insert(at, group);
        self.note_bits();
        id
    }

    fn note_bits(&mut self) {
        let all = |bits: fn(&Kept) -> Signature| {
            self.list.iter().map(bits).fold(Signature::EMPTY, Signature::union)
        };
        let (required, excluded) = (all(|group| group.required), all(|group| group.excluded));
        (self.required, self.excluded) = (required, excluded);
        self.watched = required.union(excluded);
    }

    /// Ends a group. Its pools stay in the order that they are in.
    pub(crate) fn remove(&mut self, id: GroupId) -> bool {
        let before = self.list.len();
        self.list.retain(|group| group.id != id);
        self.note_bits();
        self.list.len() < before
    }

    /// Sets right whether `entity`, with this signature, is in the groups that care about one of
    /// the `changed` bits.
    pub(crate) fn update(
        &mut self,
        pools: &mut Pools,
        entity: Entity,
        signature: Signature,
        changed: Signature,
    ) {
        self.update_after(pools, entity, signature, changed, Placed::NOWHERE);
    }

    /// As [`update`](Self::update), after an insertion that left one component `placed`.
    #[inline(never)]
    pub(crate) fn update_after(
        &mut self,
        pools: &mut Pools,
        entity: Entity,
        signature: Signature,
        changed: Signature,
        mut placed: Placed,
    ) {
        if self.exclude(changed) {
            self.dismiss(pools, entity, signature, changed);
        }
        for group in &mut self.list {
            if group.watched().intersects(changed) && group.wants(pools, entity, signature) {
                group.admit(pools, entity, &mut placed);
            }
        }
    }

    /// As [`update`](Self::update), for each of these, whose signatures can be asked for.
    pub(crate) fn update_all(
        &mut self,
        pools: &mut Pools,
        entities: &[Entity],
        signature: impl Fn(Entity) -> Signature,
        changed: Signature,
    ) {
        if self.exclude(changed) {
            for &entity in entities {
                self.dismiss(pools, entity, signature(entity), changed);
            }
        }
        for group in &mut self.list {
            if group.watched().intersects(changed) {
                group.admit_some(pools, entities, &signature);
            }
        }
    }

    /// Lets entities that were just made with this signature into their groups. They are the last of
    /// all pools that they are in, in one order.
    pub(crate) fn welcome(&mut self, pools: &mut Pools, made: &[Entity], signature: Signature) {
        let Some(&first) = made.first() else { return };
        for group in &mut self.list {
            if group.watched().intersects(signature) && group.wants(pools, first, signature) {
                group.admit_all(pools, made);
            }
        }
    }

    /// Lets `entity` leave the groups that exclude one of the `changed` bits, if it does not belong
    /// there.
    #[inline(never)]
    fn dismiss(
        &mut self,
        pools: &mut Pools,
        entity: Entity,
        signature: Signature,
        changed: Signature,
    ) {
        for group in self.list.iter_mut().rev() {
            if group.excluded.intersects(changed) && !group.wants(pools, entity, signature) {
                group.release(pools, entity);
            }
        }
    }

    /// Lets `entity` leave the groups that require a `T`, which it is about to lose. In the pool of
    /// that, which has this number, the last step is left to be done: where the entity is, and where
    /// it would be behind the groups' members.
    #[inline(always)]
    pub(crate) fn leave<T: Component>(
        &mut self,
        pools: &mut Pools,
        entity: Entity,
        index: ComponentIndex<T>,
    ) -> Option<(usize, usize)> {
        let from = pools.get_mut_at(index)?.raw_keys().find(entity)?;
        let mut leaver = Leaver { number: index.get(), bit: T::BIT, from, by: from };
        self.release(pools, entity, &mut leaver);
        Some((leaver.from, leaver.by))
    }

    #[inline(never)]
    fn release(&mut self, pools: &mut Pools, entity: Entity, leaver: &mut Leaver) {
        let is_told_by_bits = pools.are_unshared(leaver.bit);
        for group in self.list.iter_mut().rev() {
            if !group.required.intersects(leaver.bit) {
                continue;
            }
            let (owns, observes) = if is_told_by_bits {
                (group.owned.intersects(leaver.bit), true)
            } else {
                group.terms.names_required(leaver.number)
            };
            if owns {
                group.release_at(pools, leaver);
            } else if observes {
                group.release(pools, entity);
            }
        }
    }

    /// Lets `entity`, with this signature, leave all groups but those whose pools are
    /// [swept](Self::swept).
    #[inline(never)]
    pub(crate) fn leave_all(
        &mut self,
        pools: &mut Pools,
        entity: Entity,
        signature: Signature,
        swept: Signature,
    ) {
        for group in self.list.iter_mut().rev() {
            if signature.contains(group.required) && !group.owns_only(swept) {
                group.release(pools, entity);
            }
        }
    }

    /// The bits of what groups own that so many entities need not leave one by one, if they are
    /// despawned: they are [swept](Self::sweep) out. No other component of the world has these bits.
    pub(crate) fn swept(&self, pools: &Pools, all: usize) -> Signature {
        let swept = self.list.iter().filter(|group| group.is_swept(pools, all));
        swept.fold(Signature::EMPTY, |bits, group| bits.union(group.owned))
    }

    /// Lets all entities that were taken out of [swept](Self::swept) pools leave their groups.
    pub(crate) fn sweep(&mut self, pools: &mut Pools, swept: Signature) {
        for group in self.list.iter_mut().rev() {
            if group.owns_only(swept) {
                group.sweep(pools);
            }
        }
    }

    /// Whether so many entities that lose a component, of the pool with this number, need not leave
    /// one by one what groups watch it: they are [swept](Self::sweep_by) out.
    pub(crate) fn are_swept_by(&self, pools: &Pools, number: u32, all: usize) -> bool {
        let pool = pools.at(number);
        let is_swept = pools.are_unshared(pool.bit()) && is_swept(pool.len(), all);
        let watch = |group: &&Kept| group.watched().intersects(pool.bit());
        is_swept && self.list.iter().filter(watch).all(|group| group.owned.intersects(pool.bit()))
    }

    /// Lets all entities that were taken out of the pool with this number leave the groups that own
    /// it.
    pub(crate) fn sweep_by(&mut self, pools: &mut Pools, number: u32) {
        for group in self.list.iter_mut().rev() {
            if group.terms.owned.contains(&number) {
                group.sweep_by(pools, number);
            }
        }
    }

    /// Lets all entities leave all groups.
    pub(crate) fn clear(&mut self) {
        self.list.iter_mut().for_each(Kept::clear);
    }

    /// The group that serves a query best: the one that keeps its matches, or the smallest of
    /// those that keep them among others. `has_members` tells whether every pool that the query
    /// requires has any.
    pub(crate) fn best<'w>(
        &'w self,
        pools: &'w Pools,
        wanted: &Wanted,
        has_members: bool,
    ) -> Option<Found<'w>> {
        // A component of the query that the world does not know may have the bit of another one;
        // but then the query requires an empty pool.
        let are_told = has_members && pools.are_unshared(wanted.required);
        let may_serve = |group: &&Kept| {
            wanted.required.contains(group.required) && wanted.excluded.contains(group.excluded)
        };
        self.list
            .iter()
            .filter(may_serve)
            .filter_map(|group| {
                if are_told && group.excluded.is_empty() && group.required != wanted.required {
                    let (members, listed) = (group.members(pools), group.listed());
                    return Some(Found {
                        group,
                        members,
                        listed,
                        is_exact: false,
                        owns_all: false,
                    });
                }
                serve(group, pools, wanted)
            })
            .min_by_key(|found| (!found.is_exact, !found.owns_all, found.members.len()))
    }

    /// How many members the group has that owns components with just these bits, and asks for
    /// nothing else: the first of each pool.
    #[inline]
    pub(crate) fn owning(&self, bits: Signature) -> Option<usize> {
        let owns = |group: &&Kept| {
            group.owned == bits && group.required == bits && group.excluded.is_empty()
        };
        self.list.iter().find(owns).map(Kept::len)
    }

    /// The innermost group that owns the pool with this number.
    pub(crate) fn owner(&self, pools: &Pools, number: u32) -> Option<GroupNames> {
        let owner = self.list.iter().rev().find(|group| group.terms.owned.contains(&number));
        owner.map(|group| group.terms.names(pools))
    }

    /// The group declared with these terms.
    pub(crate) fn find<O: GroupList, S: GroupList, X: GroupList>(
        &self,
        pools: &mut Pools,
    ) -> Option<GroupId> {
        let terms = Terms::of::<O, S, X>(pools);
        self.list.iter().find(|group| group.terms == terms).map(|group| group.id)
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
        self.list.iter_mut().for_each(Kept::shrink_to_fit);
        self.list.shrink_to_fit();
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.list.capacity() * size_of::<Kept>() + self.list.iter().map(Kept::memory).sum::<usize>()
    }

    /// Whether every group has its members and no others: for tests.
    pub(crate) fn check(&self, pools: &Pools) -> Result<(), &'static str> {
        self.list.iter().try_for_each(|group| group.check(pools))
    }
}

impl Found<'_> {
    /// The bits of the pools that the group owns, and that no other component of the world has.
    pub(crate) fn owned_bits(&self, pools: &Pools) -> Signature {
        let bits = self.group.terms.owned.iter().map(|&number| pools.at(number).bit());
        bits.filter(|bit| pools.are_unshared(*bit)).fold(Signature::EMPTY, Signature::union)
    }

    pub(crate) fn names(&self, pools: &Pools) -> GroupNames {
        self.group.terms.names(pools)
    }
}

/// How a group serves a query; not at all, unless every match is a member.
fn serve<'w>(group: &'w Kept, pools: &'w Pools, wanted: &Wanted) -> Option<Found<'w>> {
    let terms = &group.terms;
    let (mut required, mut excluded) = (0, 0);
    let (mut is_exact, mut owns_all) = (wanted.is_named, true);
    wanted.access.for_each_test(&mut |term| {
        let number = term.number();
        if term.is_exclusion() {
            match terms.excluded.binary_search(&number) {
                Ok(at) => excluded |= 1_u64 << at,
                Err(_) => is_exact = false,
            }
            return;
        }
        if let Ok(at) = terms.owned.binary_search(&number) {
            required |= 1_u64 << at;
        } else {
            owns_all &= !term.touches();
            match terms.observed.binary_search(&number) {
                Ok(at) => required |= 1_u64 << (terms.owned.len() + at),
                Err(_) => is_exact = false,
            }
        }
    });
    let all = required.count_ones() as usize == terms.required().count()
        && excluded.count_ones() as usize == terms.excluded.len();
    all.then(|| Found {
        group,
        members: group.members(pools),
        listed: group.listed(),
        is_exact,
        owns_all,
    })
}
