//! One group: its terms, and its members.
//!
//! ```text
//!  owning (A, B), nested in it owning (A, B, C)
//!
//!  A   [ 4  7 | 2  9  5 | 1  8 ]       positions below the bars: the inner group's members,
//!  B   [ 4  7 | 2  9  5 | 3 ]          the outer group's; the order is the same in all pools
//!  C   [ 4  7 | 6 ]                    that a group owns
//!
//! 5 gets a C: it is moved to the inner boundary, by one swap in each pool
//!
//!  A   [ 4  7  5 | 9  2 | 1  8 ]
//!  B   [ 4  7  5 | 9  2 | 3 ]
//!  C   [ 4  7  5 | 6 ]
//! ```

use crate::component::set::ComponentSet;
use crate::entity::Entity;
use crate::group::declare::{GroupId, GroupList, GroupNames};
use crate::pool::WorldPool;
use crate::pool::list::repeated;
use crate::pool::pools::{LastPosition, Pools};
use crate::storage::keys::Keys;
#[cfg(feature = "serde")]
use crate::storage::page::Page;
use crate::storage::sort::sort_few;
use crate::storage::untyped::is_swept;
use alloc::vec::Vec;

/// The terms of a group, as numbers of pools, in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Terms {
    pub(crate) owned: Vec<u32>,
    pub(crate) observed: Vec<u32>,
    pub(crate) excluded: Vec<u32>,
}

impl Terms {
    /// Returns the terms of a group that owns, observes and excludes these, in any order.
    #[inline]
    pub(crate) fn new(mut owned: Vec<u32>, mut observed: Vec<u32>, mut excluded: Vec<u32>) -> Self {
        for numbers in [&mut owned, &mut observed, &mut excluded] {
            sort_few(numbers, |a, b| a < b);
        }
        Self { owned, observed, excluded }
    }

    /// Returns the terms of a declaration.
    pub(super) fn of<O: GroupList, S: GroupList, X: GroupList>() -> Self {
        Self::new(O::numbers(), S::numbers(), X::numbers())
    }

    /// Checks that no component is named twice, which generic types can cause.
    ///
    /// # Panics
    /// Panics if one is.
    #[track_caller]
    #[inline]
    pub(super) fn refuse_repetition(&self, pools: &Pools) {
        let all = self.required().chain(&self.excluded).copied().collect();
        if let Some(twice) = repeated(all) {
            let name = pools.at(twice).name();
            panic!("a group names `{name}` twice: own, observe or exclude each component once");
        }
    }

    pub(crate) fn required(&self) -> impl Iterator<Item = &u32> {
        self.owned.iter().chain(&self.observed)
    }

    /// Returns `true` if `inner` owns, requires and excludes all that this does. Then the members of `inner` are
    /// members here, and may precede the others.
    #[inline]
    fn holds(&self, inner: &Self) -> bool {
        self.owned.iter().all(|number| inner.owned.contains(number))
            && self.required().all(|number| inner.required().any(|other| other == number))
            && self.excluded.iter().all(|number| inner.excluded.contains(number))
    }

    /// Returns a pool that both own although neither contains the other.
    #[inline]
    pub(crate) fn conflict(&self, other: &Self) -> Option<u32> {
        let shared = self.owned.iter().find(|number| other.owned.contains(number));
        shared.filter(|_| !self.holds(other) && !other.holds(self)).copied()
    }

    /// Returns `true` if it owns the components with these numbers, and names no others.
    #[cold]
    pub(super) fn owns_just(&self, numbers: &[u32]) -> bool {
        self.observed.is_empty()
            && self.excluded.is_empty()
            && self.owned.iter().all(|own| numbers.contains(own))
            && numbers.iter().all(|number| self.owned.contains(number))
    }

    /// Returns a number that grows strictly from a group to those nested in it.
    #[inline]
    pub(super) fn weight(&self) -> usize {
        self.owned.len() + self.required().count() + self.excluded.len()
    }

    #[inline]
    pub(crate) fn names(&self, pools: &Pools) -> GroupNames {
        let names =
            |numbers: &[u32]| numbers.iter().map(|&number| pools.at(number).name()).collect();
        GroupNames {
            owned: names(&self.owned),
            observed: names(&self.observed),
            excluded: names(&self.excluded),
        }
    }
}

/// The members of a group.
#[derive(Clone, Debug)]
enum GroupMembers {
    /// The number of first entities of each owned pool, in one order.
    Front(usize),
    /// The list of a group that owns nothing.
    Listed(Keys<Entity>),
}

/// An entity that leaves groups because it is about to lose a component.
#[derive(Debug)]
pub(crate) struct Departure {
    /// The number of the component.
    pub(crate) number: u32,
    /// The position of the entity in the component's pool.
    pub(crate) from: usize,
    /// The position that the entity would have after exchanging places with the last member of the outermost group that
    /// owns the pool. That member takes its place. In other pools the entity is there.
    pub(crate) by: usize,
}

/// The role of a component in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TermRole {
    /// Matches have the component, and its values are read or written.
    Read,
    /// Matches have the component.
    Required,
    /// Matches lack the component.
    Excluded,
}

/// A component of a view, with its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GroupTerm {
    pub(crate) number: u32,
    pub(crate) role: TermRole,
}

impl GroupTerm {
    #[inline]
    pub(crate) const fn new(number: u32, role: TermRole) -> Self {
        Self { number, role }
    }
}

/// A group.
///
/// * G1: its members are exactly the entities that have the components that it requires and lack the
///   components that it excludes.
/// * G2: they are the first of each pool that it owns, in equal order.
#[derive(Clone, Debug)]
pub(crate) struct GroupState {
    pub(super) id: GroupId,
    pub(super) terms: Terms,
    /// One bit for each owned number, if the group has no other terms and all numbers are below 64; otherwise 0.
    pub(super) owned_low: u64,
    /// The components that it owns, requires and excludes.
    pub(super) owned: ComponentSet,
    pub(super) required: ComponentSet,
    pub(super) excluded: ComponentSet,
    members: GroupMembers,
    /// `true` if entities that are being despawned stay members until they are [swept](Self::sweep) out.
    pub(super) is_swept: bool,
}

impl GroupState {
    /// Returns a group without members.
    #[inline]
    pub(super) fn new(id: GroupId, terms: Terms) -> Self {
        let owned: ComponentSet = terms.owned.iter().copied().collect();
        let [low, high @ ..] = owned.words();
        let is_low = terms.observed.is_empty()
            && terms.excluded.is_empty()
            && high == [0; ComponentSet::WORDS - 1];
        Self {
            id,
            owned_low: if is_low { low } else { 0 },
            owned,
            required: terms.required().copied().collect(),
            excluded: terms.excluded.iter().copied().collect(),
            members: if terms.owned.is_empty() {
                GroupMembers::Listed(Keys::new())
            } else {
                GroupMembers::Front(0)
            },
            is_swept: false,
            terms,
        }
    }

    #[inline]
    pub(super) fn watched(&self) -> ComponentSet {
        self.required.union(self.excluded)
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        match &self.members {
            GroupMembers::Front(len) => *len,
            GroupMembers::Listed(keys) => keys.len(),
        }
    }

    #[inline]
    pub(super) fn members<'w>(&'w self, pools: &'w Pools) -> &'w [Entity] {
        match &self.members {
            GroupMembers::Front(len) => &pools.at(self.terms.owned[0]).keys()[..*len],
            GroupMembers::Listed(keys) => keys.dense(),
        }
    }

    /// Returns the members, if the group owns nothing.
    pub(super) fn listed(&self) -> Option<&Keys<Entity>> {
        match &self.members {
            GroupMembers::Front(_) => None,
            GroupMembers::Listed(keys) => Some(keys),
        }
    }

    #[inline]
    pub(super) fn memory(&self) -> usize {
        let terms = &self.terms;
        let numbers =
            terms.owned.capacity() + terms.observed.capacity() + terms.excluded.capacity();
        let listed = match &self.members {
            GroupMembers::Front(_) => 0,
            GroupMembers::Listed(keys) => keys.memory().0 + keys.memory().1,
        };
        numbers * size_of::<u32>() + listed
    }

    pub(super) fn shrink_to_fit(&mut self) {
        if let GroupMembers::Listed(keys) = &mut self.members {
            keys.shrink_to_fit();
        }
    }

    /// Returns `true` if `entity`, which may have these components, has the components that the group requires and
    /// lacks the ones that it excludes. Tests the pools of `inexact` components.
    #[inline]
    pub(super) fn wants(
        &self,
        pools: &Pools,
        entity: Entity,
        components: &ComponentSet,
        inexact: &ComponentSet,
    ) -> bool {
        let is_likely = components.includes(&self.required);
        if is_likely && inexact.intersects(&self.watched()) {
            return self.fits(pools, entity);
        }
        is_likely && !components.intersects(&self.excluded)
    }

    /// Tests membership like [`wants`](Self::wants), but by the pools.
    #[inline(never)]
    fn fits(&self, pools: &Pools, entity: Entity) -> bool {
        let has = |number: &u32| pools.at(*number).contains(entity);
        self.terms.required().all(has) && !self.terms.excluded.iter().any(has)
    }

    /// Adds `entity`, which must have the components that the group requires, unless it is a member.
    #[inline]
    pub(super) fn enter(&mut self, pools: &mut Pools, entity: Entity, last: &mut LastPosition) {
        match &mut self.members {
            GroupMembers::Front(len) => {
                // The first pool shows if the entity is a member (G2); nothing is moved then.
                let mut owned = self.terms.owned.iter();
                let is_new = owned.all(|&number| pools.move_to(number, entity, *len, last));
                *len += usize::from(is_new);
            }
            GroupMembers::Listed(keys) => {
                keys.push(entity);
            }
        }
    }

    /// Adds entities that were just made, and have the components that the group requires. They must be the last of
    /// their pools, in one order, unless outer groups have moved some.
    pub(super) fn enter_all(&mut self, pools: &mut Pools, made: &[Entity]) {
        if let GroupMembers::Front(len) = &mut self.members {
            // All other entities there are members of this group, and so of outer ones, which have moved none then.
            let follow = |&number: &u32| pools.at(number).len() == *len + made.len();
            if self.terms.owned.iter().all(follow) {
                *len += made.len();
                return;
            }
        }
        let mut last = LastPosition::NOWHERE;
        for &entity in made {
            self.enter(pools, entity, &mut last);
        }
    }

    /// Adds the entities that belong to the group.
    pub(super) fn enter_some(
        &mut self,
        pools: &mut Pools,
        entities: &[Entity],
        wants: impl Fn(&Self, &Pools, Entity) -> bool,
    ) {
        if self.are_next(pools, entities)
            && entities.iter().all(|&entity| wants(self, pools, entity))
        {
            if let GroupMembers::Front(len) = &mut self.members {
                *len += entities.len();
            }
            return;
        }
        let mut last = LastPosition::NOWHERE;
        for &entity in entities {
            if wants(self, pools, entity) {
                self.enter(pools, entity, &mut last);
            }
        }
    }

    /// Returns `true` if these follow the members, in this order, in all pools that it owns.
    fn are_next(&self, pools: &Pools, entities: &[Entity]) -> bool {
        let GroupMembers::Front(len) = self.members else { return false };
        let next = len..len + entities.len();
        let mut owned = self.terms.owned.iter();
        owned.all(|&number| pools.at(number).keys().get(next.clone()) == Some(entities))
    }

    /// Returns `true` if despawned entities, `all` in number, are to stay members until they are [swept](Self::sweep) out
    /// of the pools. That is so if all owned pools are swept.
    pub(super) fn sweeps(&self, pools: &Pools, all: usize) -> bool {
        matches!(self.members, GroupMembers::Front(_))
            && self.terms.owned.iter().all(|&number| is_swept(pools.at(number).len(), all))
    }

    /// Returns `true` if it owns the pool with this number.
    #[inline]
    pub(super) fn owns(&self, number: u32) -> bool {
        self.owned.contains(number)
            && (!self.owned.is_coarse() || self.terms.owned.contains(&number))
    }

    /// Returns `true` if it requires the component with this number.
    #[inline]
    pub(super) fn requires(&self, number: u32) -> bool {
        self.required.contains(number)
            && (!self.required.is_coarse() || self.terms.required().any(|other| *other == number))
    }

    /// Returns `true` if it requires or excludes the component with this number.
    pub(super) fn names(&self, number: u32) -> bool {
        self.requires(number)
            || self.excluded.contains(number)
                && (!self.excluded.is_coarse() || self.terms.excluded.contains(&number))
    }

    /// Removes all members that were taken out of the pools. Inner groups must have been swept before.
    pub(super) fn sweep(&mut self, pools: &mut Pools) {
        let GroupMembers::Front(len) = &mut self.members else { return };
        let end = *len;
        for &number in &self.terms.owned {
            *len = pools.at_mut(number).set_mut().sweep_front(end, &mut |_, _| ()); // equal for all: G2
        }
    }

    /// Removes all members that were taken out of the pool with this number, which it owns. Inner groups must have been
    /// swept before.
    #[inline]
    pub(super) fn sweep_by(&mut self, pools: &mut Pools, number: u32) {
        if let GroupMembers::Front(len) = &mut self.members {
            *len = pools.sweep_fronts(number, *len, &self.terms.owned);
        }
    }

    /// Exchanges a member of a list with the one at this position, if there is one.
    pub(super) fn put_in_list(&mut self, entity: Entity, at: usize) {
        if let GroupMembers::Listed(keys) = &mut self.members
            && let Some(now) = keys.find(entity)
            && now != at
            && at < keys.len()
        {
            keys.swap(now, at);
        }
    }

    /// Removes a member; ignores other entities.
    #[inline]
    pub(super) fn release(&mut self, pools: &mut Pools, entity: Entity) {
        let len = match &mut self.members {
            GroupMembers::Front(len) => len,
            GroupMembers::Listed(keys) => {
                keys.swap_remove::<true>(entity);
                return;
            }
        };
        // One position in all owned pools (G2).
        match pools.at(self.terms.owned[0]).raw_keys().find(entity) {
            Some(position) if position < *len => {
                *len -= 1;
                if position != *len {
                    for &number in &self.terms.owned {
                        pools.at_mut(number).set_mut().swap_at(position, *len);
                    }
                }
            }
            _ => {}
        }
    }

    /// Removes a member that is about to lose a component that the group owns.
    #[inline]
    pub(super) fn release_at(&mut self, pools: &mut Pools, departure: &mut Departure) {
        let GroupMembers::Front(len) = &mut self.members else { return };
        let from = departure.by;
        if from >= *len {
            return;
        }
        *len -= 1;
        if from == *len {
            return;
        }
        if departure.by != departure.from {
            // This is the last step of an inner group.
            pools.at_mut(departure.number).set_mut().swap_at(departure.from, departure.by);
        }
        (departure.from, departure.by) = (from, *len);
        for &number in &self.terms.owned {
            if number != departure.number {
                pools.at_mut(number).set_mut().swap_at(from, *len);
            }
        }
    }

    /// Completes the group, in one pass over the smallest required pool. Its members so far are the first `inner` of
    /// each owned pool, in one order.
    #[inline]
    pub(super) fn fill(&mut self, pools: &mut Pools, inner: usize) {
        if let GroupMembers::Front(len) = &mut self.members {
            *len = inner;
            self.terms.owned.iter().for_each(|&number| pools.at_mut(number).set_mut().scatter());
        }
        // The first name decides between equally small pools: numbers differ from process to process, but orders must
        // not.
        let smallest = self.terms.required().copied().min_by_key(|&number| {
            let pool = pools.at(number);
            (pool.len(), pool.kind().type_name())
        });
        let Some(driver) = smallest else { return };
        let mut last = LastPosition::NOWHERE;
        // Entering moves members of the driver only to positions that were visited.
        for at in 0..pools.at(driver).len() {
            let entity = pools.at(driver).keys()[at];
            if self.fits(pools, entity) {
                self.enter(pools, entity, &mut last);
            }
        }
    }

    /// Completes the group in the current order of entities: for owned pools, the order of their first positions;
    /// for a list, the order of `listed`.
    #[inline]
    pub(super) fn restore(&mut self, pools: &mut Pools, listed: &[Entity]) {
        let inner = match &mut self.members {
            GroupMembers::Front(_) => {
                let owned = || self.terms.owned.iter().map(|&number| pools.at(number).keys());
                let shortest = owned().map(<[Entity]>::len).min().unwrap_or(0);
                let is_in_order = |at: &usize| {
                    owned().all(|keys| keys[*at] == owned().next().map_or(keys[*at], |it| it[*at]))
                };
                let first = pools.at(self.terms.owned[0]).keys();
                (0..shortest)
                    .take_while(|at| is_in_order(at) && self.fits(pools, first[*at]))
                    .count()
            }
            GroupMembers::Listed(keys) => {
                keys.clear();
                let listed: Vec<Entity> =
                    listed.iter().copied().filter(|entity| self.fits(pools, *entity)).collect();
                let mut last = LastPosition::NOWHERE;
                for entity in listed {
                    self.enter(pools, entity, &mut last);
                }
                0
            }
        };
        self.fill(pools, inner);
    }

    /// Returns the most bytes that [restoring](Self::restore) takes: for a list, which grows, or for cells of pools
    /// with moved members. `size_of_pool` returns the numbers of members and pages of a pool.
    #[cfg(feature = "serde")]
    pub(super) fn restoring_takes(&self, size_of_pool: impl Fn(u32) -> (usize, usize)) -> usize {
        let with_pages = |(members, pages): (usize, usize)| members.min(pages) * Page::MOST_MEMORY;
        if let GroupMembers::Front(_) = self.members {
            return self.terms.owned.iter().map(|number| with_pages(size_of_pool(*number))).sum();
        }
        let required = self.terms.required().map(|number| size_of_pool(*number));
        let (members, pages) = required.min().unwrap_or((0, 0));
        with_pages((members, pages)) + 8 * (members + pages) * size_of::<Entity>()
    }

    /// Returns, for a group that owns nothing, the required and excluded components, and the members in order.
    #[inline]
    pub(super) fn list(&self) -> Option<(&[u32], &[u32], &[Entity])> {
        let listed = self.listed()?.dense();
        Some((&self.terms.observed, &self.terms.excluded, listed))
    }

    pub(super) fn clear(&mut self) {
        match &mut self.members {
            GroupMembers::Front(len) => *len = 0,
            GroupMembers::Listed(keys) => keys.clear(),
        }
    }

    /// Checks that the members are exactly the entities that belong to the group: for tests. O(members and smallest
    /// pool).
    #[inline]
    pub(super) fn check(&self, pools: &Pools) -> Result<(), &'static str> {
        let members = self.members(pools);
        for &number in &self.terms.owned {
            if pools.at(number).keys().get(..members.len()) != Some(members) {
                return Err("the front of an owned pool is out of order");
            }
        }
        if let GroupMembers::Listed(keys) = &self.members {
            keys.check()?;
        }
        let fits = |entity: &Entity| self.fits(pools, *entity);
        if !members.iter().all(fits) {
            return Err("a member does not belong to it");
        }
        let first: Option<&dyn WorldPool> =
            self.terms.required().next().map(|&number| pools.at(number));
        let wanted = first.map_or(0, |pool| pool.keys().iter().filter(|e| fits(e)).count());
        if wanted != members.len() {
            return Err("an entity that belongs to it is no member");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::World;

    fn group(owned: &[u32], observed: &[u32], excluded: &[u32]) -> GroupState {
        let terms = Terms::new(owned.to_vec(), observed.to_vec(), excluded.to_vec());
        GroupState::new(GroupId(0), terms)
    }

    fn entity(index: u32) -> Entity {
        Entity::from_bits(1 << 32 | u64::from(index)).unwrap()
    }

    #[test]
    fn numbers_that_share_a_bit_are_distinguished() {
        let shared = group(&[1, 300], &[302], &[304]);
        let owned = [1, 300, 302, 304].map(|number| shared.owns(number));
        assert_eq!(owned, [true, true, false, false]);
        let required = [1, 300, 301, 302, 304].map(|number| shared.requires(number));
        assert_eq!(required, [true, true, false, true, false]);
        let few = group(&[1, 2], &[3], &[4]);
        assert_eq!([1, 3, 4, 5].map(|number| few.owns(number)), [true, false, false, false]);
        assert_eq!([1, 3, 4, 5].map(|number| few.requires(number)), [true, true, false, false]);
        let named = [1, 300, 301, 302, 304].map(|number| shared.names(number));
        assert_eq!(named, [true, true, false, true, true]);
        assert_eq!([1, 3, 4, 5].map(|number| few.names(number)), [true, true, true, false]);
    }

    #[test]
    fn a_group_owns_just_its_numbers_in_any_order() {
        let owns = |group: &GroupState, numbers: &[u32]| group.terms.owns_just(numbers);
        let both = group(&[300, 301], &[], &[]);
        assert!(owns(&both, &[301, 300]) && owns(&both, &[300, 301, 300]));
        assert!(
            !owns(&both, &[300, 302]) && !owns(&both, &[300]) && !owns(&both, &[300, 301, 302])
        );
        assert!(!owns(&group(&[300], &[301], &[]), &[300]));
        assert!(!owns(&group(&[300], &[], &[301]), &[300]));
    }

    #[test]
    fn a_nested_group_weighs_more() {
        assert_eq!(group(&[1, 2], &[3], &[4]).terms.weight(), 2 + 3 + 1);
        assert_eq!(group(&[], &[3], &[4, 5, 6]).terms.weight(), 1 + 3);
    }

    #[test]
    fn the_memory_of_a_group_is_that_of_its_lists() {
        assert_eq!(group(&[1, 2], &[3], &[4, 5, 6]).memory(), 6 * 4);
        let mut listed = group(&[], &[1, 2], &[]);
        let GroupMembers::Listed(keys) = &mut listed.members else { panic!("it owns nothing") };
        keys.append(&[9, 5, 7].map(entity));
        let (sparse, dense) = keys.memory();
        assert_eq!(listed.memory(), 2 * 4 + sparse + dense);
        listed.shrink_to_fit();
        assert!(listed.memory() < 2 * 4 + sparse + dense);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn restoring_takes_cells_of_moved_members_and_a_list() {
        let most = Page::MOST_MEMORY;
        // Pools with this many members and pages.
        let size_of = |number: u32| [(9, 2), (5, 7), (0, 0), (3, 3)][number as usize];
        let takes =
            |owned: &[u32], observed: &[u32]| group(owned, observed, &[]).restoring_takes(size_of);
        assert_eq!(takes(&[0, 1], &[3]), (2 + 5) * most);
        assert_eq!(takes(&[], &[0, 1]), 5 * most + 8 * (5 + 7) * 8);
        assert_eq!(takes(&[], &[0]), 2 * most + 8 * (9 + 2) * 8);
        assert_eq!(takes(&[], &[0, 2]), 0);
    }

    #[test]
    fn the_check_of_a_list_finds_each_mistake() {
        let mut world = World::new();
        let pools = &mut world.pools;
        let mut listed = group(&[], &[], &[]);
        assert_eq!(listed.check(pools), Ok(()));
        let GroupMembers::Listed(keys) = &mut listed.members else { panic!("it owns nothing") };
        keys.append(&[entity(4)]);
        assert_eq!(listed.check(pools), Err("an entity that belongs to it is no member"));
    }
}
