//! Groups: declaring, listing and dropping them; sorting.

use crate::component::AnyComponent;
use crate::component::set::ComponentSet;
use crate::entity::Entity;
use crate::group::declare::{Group, GroupError, GroupId, GroupList, GroupNames, check_group};
use crate::pool::list::ComponentList;
use crate::query::fetch::{Fetch, Read, ReadOnlyFetch};
use crate::query::join::{ByPosition, Join};
use crate::query::matcher::Stores;
use crate::storage::sort::{exchanges, placed_first, sorted_positions};
use crate::text::entities;
use crate::tuples::for_each_tuple;
use crate::world::World;
use alloc::boxed::Box;
use core::cmp::Ordering;
use core::fmt;
use core::iter::{Enumerate, FusedIterator};
use core::marker::PhantomData;
use core::slice;

/// # Groups
impl World {
    /// Declares a group: from now on the world keeps it, and views of its components walk its members.
    ///
    /// An entity that enters or leaves costs one exchange a pool that the group owns; other edits
    /// cost a test of bits. Declared again, the terms in any order, the group is the same. On a
    /// filled world: O(members of the smallest pool); and once for each component that no other group
    /// names, O(its members).
    ///
    /// # Errors
    /// Returns an error if another group owns a pool that this one would, and neither is nested in the other: that is,
    /// owns, requires and excludes no more. Nothing has changed then, but that each component has a pool, be it an
    /// empty one.
    ///
    /// # Panics
    /// Panics if the terms name one component twice by a generic type; by others that does not compile.
    ///
    /// ```
    /// # use ecs::{Component, Group, World};
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Component)] struct Velocity(f32);
    /// # #[derive(Component)] struct Mass(f32);
    /// let mut world = World::new();
    /// world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
    /// world.declare_group(Group::owning::<(Velocity, Mass, Position)>()).unwrap(); // nested
    /// world.declare_group(Group::owning::<(Velocity, Position)>()).unwrap(); // the first one
    /// assert_eq!(world.groups().count(), 2);
    /// ```
    #[track_caller]
    pub fn declare_group<O: GroupList, S: GroupList, X: GroupList>(
        &mut self,
        group: Group<O, S, X>,
    ) -> Result<(), GroupError> {
        const { check_group::<O, S, X>() };
        let _ = group;
        let watched = *self.groups.watched();
        let declared = self.groups.declare::<O, S, X>(&mut self.pools);
        self.pools.watch.set_grouped(*self.groups.watched());
        let new = self.groups.watched().difference(watched);
        if !new.is_empty() {
            self.make_exact(new);
        }
        declared
    }

    /// Takes these components from the sets of entities that only had them (E4). If finding such
    /// entities would take longer than the group did, notes that there may be some.
    #[inline]
    pub(super) fn make_exact(&mut self, new: ComponentSet) {
        let Self { entities, pools, groups, .. } = self;
        let of_new = || pools.numbered().filter(|(number, _)| new.contains(*number));
        let members = of_new().map(|(_, pool)| pool.len()).sum::<usize>();
        if entities.index_count() > FEW_INDICES.max(INDICES_A_MEMBER * members) {
            return groups.mark_inexact(new);
        }
        entities.remove_from_all(new);
        for (number, pool) in of_new() {
            for &entity in pool.keys() {
                entities.add(entity, number);
            }
        }
        groups.mark_exact(new);
    }

    /// Drops a group. Its pools stay in their order. O(groups).
    ///
    /// # Errors
    /// Returns an error if it was not declared, or was dropped before.
    ///
    /// ```
    /// # use ecs::{Component, Group, World};
    /// # #[derive(Component)] struct Position(f32);
    /// let mut world = World::new();
    /// let placed = Group::owning::<Position>();
    /// world.declare_group(placed).unwrap();
    /// assert!(world.drop_group(placed).is_ok() && world.drop_group(placed).is_err());
    /// ```
    pub fn drop_group<O: GroupList, S: GroupList, X: GroupList>(
        &mut self,
        group: Group<O, S, X>,
    ) -> Result<(), GroupError> {
        let id = self.find_group(group)?;
        self.groups.remove(id);
        self.pools.watch.set_grouped(*self.groups.watched());
        Ok(())
    }

    /// Returns the groups of this world, outer ones before those nested in them.
    ///
    /// ```
    /// # use ecs::{Component, Group, World};
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Component)] struct Asleep;
    /// let mut world = World::new();
    /// world.spawn(Position(1.0));
    /// world.declare_group(Group::owning::<Position>().without::<Asleep>()).unwrap();
    /// let group = world.groups().next().unwrap();
    /// assert_eq!((group.len(), &*group.owned()), (1, &["Position"][..]));
    /// ```
    pub fn groups(&self) -> impl Iterator<Item = GroupRef<'_>> {
        self.groups.ids().map(|id| GroupRef { world: self, id, of: PhantomData })
    }

    /// Returns a group, to be read. O(groups).
    ///
    /// # Errors
    /// Returns an error if it was not declared, or was dropped.
    ///
    /// ```
    /// # use ecs::{Component, Group, World};
    /// # #[derive(Component)] struct Near;
    /// # #[derive(Component)] struct Loud;
    /// let mut world = World::new();
    /// let heard = Group::observing::<(Near, Loud)>();
    /// world.declare_group(heard).unwrap();
    /// let entity = world.spawn((Near, Loud)).id();
    /// assert_eq!(world.group(heard).unwrap().members(), [entity]);
    /// ```
    pub fn group<O: GroupList, S: GroupList, X: GroupList>(
        &self,
        group: Group<O, S, X>,
    ) -> Result<GroupRef<'_, O>, GroupError> {
        let id = self.find_group(group)?;
        Ok(GroupRef { world: self, id, of: PhantomData })
    }

    fn find_group<O: GroupList, S: GroupList, X: GroupList>(
        &self,
        _: Group<O, S, X>,
    ) -> Result<GroupId, GroupError> {
        const { check_group::<O, S, X>() };
        self.groups.find::<O, S, X>().ok_or(GroupError::NotDeclared)
    }

    /// Returns a group that owns pools, to be sorted. O(groups).
    ///
    /// # Errors
    /// Returns an error if it was not declared, or was dropped.
    ///
    /// ```
    /// # use ecs::{Component, Group, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Depth(u32);
    /// # #[derive(Component)] struct Sprite(char);
    /// let mut world = World::new();
    /// world.spawn_batch([(Depth(2), Sprite('b')), (Depth(1), Sprite('a'))]);
    /// let drawn = Group::owning::<(Depth, Sprite)>();
    /// world.declare_group(drawn).unwrap();
    /// world.group_mut(drawn).unwrap().sort_by(|a, b| a.0.0.cmp(&b.0.0));
    /// assert_eq!(world.pool::<Depth>().as_slice(), [Depth(1), Depth(2)]);
    /// ```
    pub fn group_mut<O: GroupOwned, S: GroupList, X: GroupList>(
        &mut self,
        group: Group<O, S, X>,
    ) -> Result<GroupMut<'_, O>, GroupError> {
        let id = self.find_group(group)?;
        Ok(GroupMut { world: self, id, of: PhantomData })
    }
}

/// The most entity indices, for each member of the pools that groups begin to watch, with which a declaration reads
/// the records of all entities. So its time depends on members.
const INDICES_A_MEMBER: usize = 4;
/// The number of indices up to which a declaration reads all records in any case.
const FEW_INDICES: usize = 1 << 10;

/// The components that a group owns: a component, or a tuple of up to twelve.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a group that owns `{Self}` cannot be sorted",
    label = "owns no pool",
    note = "a group that is declared by `Group::owning::<(Position, Velocity)>()` has an order of its \
            own; to sort pools that a group observes, sort them by `World::pool_mut`"
)]
pub trait GroupOwned: ComponentList {
    type Fetch: ReadOnlyFetch;
}

/// The values of one member of a group: a reference, or a tuple of references.
type GroupItem<'w, O> = <<O as GroupOwned>::Fetch as Fetch>::Item<'w>;

impl<T: AnyComponent> GroupOwned for T {
    type Fetch = Read<T>;
}

macro_rules! owned_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        #[diagnostic::do_not_recommend]
        impl<$($name: AnyComponent),+> GroupOwned for ($($name,)+) {
            type Fetch = ($(Read<$name>,)+);
        }
    };
}
for_each_tuple!(owned_for_tuple);

/// A group that owns the pools of `O`, to be read: from [`World::group`]. One from [`World::groups`] does not name the
/// types that it owns, so it gives no access to values.
///
/// ```
/// # use ecs::{Component, Group, World};
/// # #[derive(Component, Debug, PartialEq)] struct Depth(u32);
/// # #[derive(Component, Debug, PartialEq)] struct Sprite(char);
/// let mut world = World::new();
/// let drawn = Group::owning::<(Depth, Sprite)>();
/// world.declare_group(drawn).unwrap();
/// let entities = world.spawn_batch([(Depth(2), Sprite('b')), (Depth(1), Sprite('a'))]);
/// let group = world.group(drawn).unwrap();
/// assert_eq!((group.len(), group.is_empty()), (2, false));
/// assert_eq!(group.members(), entities);
/// assert_eq!(group.iter().next(), Some((entities[0], (&Depth(2), &Sprite('b')))));
///
/// let listed = world.groups().next().unwrap();
/// assert_eq!(listed.members(), entities);
/// assert_eq!(listed.to_string(), "group owning (`Depth`, `Sprite`)");
/// ```
pub struct GroupRef<'w, O = ()> {
    world: &'w World,
    id: GroupId,
    of: PhantomData<fn(O) -> O>,
}

impl<'w, O> GroupRef<'w, O> {
    /// Returns the group's members, in order. O(groups).
    #[must_use]
    pub fn members(self) -> &'w [Entity] {
        self.world.groups.members(self.id, &self.world.pools)
    }

    /// Returns the number of members. O(groups).
    #[must_use]
    pub fn len(self) -> usize {
        self.members().len()
    }

    /// Returns `true` if the group has no members. O(groups).
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.members().is_empty()
    }

    /// Returns the names of the components that the group owns, and so keeps in one order. Like in the other
    /// methods, they are in the order in which the process first used them.
    #[must_use]
    pub fn owned(self) -> Box<[&'static str]> {
        self.names().owned
    }

    /// Returns the names of the components that the group requires but does not own.
    #[must_use]
    pub fn observed(self) -> Box<[&'static str]> {
        self.names().observed
    }

    /// Returns the names of the components that its members lack.
    #[must_use]
    pub fn excluded(self) -> Box<[&'static str]> {
        self.names().excluded
    }

    fn names(self) -> GroupNames {
        let names = self.world.groups.names(self.id, &self.world.pools);
        names.expect("groups stay while the world is borrowed")
    }

    /// Returns the members and their values in the pools that the group owns, as tuples of references. A whole walk is
    /// O(members).
    #[must_use]
    pub fn iter(self) -> GroupIter<'w, O>
    where
        O: GroupOwned,
    {
        let items = Join::<O::Fetch, ()>::shared(self.world.stores()).by_position();
        GroupIter { members: self.members().iter().enumerate(), items }
    }
}

/// The members of a group and their values: from [`GroupRef::iter`].
///
/// ```
/// # use ecs::{Component, Group, World};
/// # #[derive(Component)] struct Depth(u32);
/// # let mut world = World::new();
/// let depths = Group::owning::<Depth>();
/// world.declare_group(depths).unwrap();
/// world.spawn_batch([Depth(2), Depth(1)]);
/// let members = world.group(depths).unwrap().iter();
/// assert_eq!((members.len(), members.map(|(_, depth)| depth.0).sum::<u32>()), (2, 3));
/// ```
pub struct GroupIter<'w, O: GroupOwned> {
    members: Enumerate<slice::Iter<'w, Entity>>,
    items: ByPosition<'w, O::Fetch>,
}

impl<'w, O: GroupOwned> Iterator for GroupIter<'w, O> {
    type Item = (Entity, GroupItem<'w, O>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (at, &entity) = self.members.next()?;
        Some((entity, self.items.at(at)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.members.size_hint()
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
        let Self { members, items } = self;
        members.fold(init, |result, (at, &entity)| f(result, (entity, items.at(at))))
    }
}

impl<O: GroupOwned> ExactSizeIterator for GroupIter<'_, O> {}
impl<O: GroupOwned> FusedIterator for GroupIter<'_, O> {}

impl<O: GroupOwned> fmt::Debug for GroupIter<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GroupIter({})", entities(self.len()))
    }
}

impl<O> Clone for GroupRef<'_, O> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<O> Copy for GroupRef<'_, O> {}

impl<O> fmt::Debug for GroupRef<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GroupRef({self}, {} members)", self.len())
    }
}

/// Prints its declaration.
impl<O> fmt::Display for GroupRef<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.names().fmt(f)
    }
}

/// A group that owns the pools of `O`, to be sorted: from [`World::group_mut`].
///
/// ```
/// # use ecs::{Component, Group, World};
/// # #[derive(Component)] struct Depth(u32);
/// let mut world = World::new();
/// let entities = world.spawn_batch([Depth(2), Depth(1)]);
/// let depths = Group::owning::<Depth>();
/// world.declare_group(depths).unwrap();
/// let mut group = world.group_mut(depths).unwrap();
/// group.sort_by_key(|depth| depth.0);
/// assert_eq!(group.members(), [entities[1], entities[0]]);
/// ```
pub struct GroupMut<'w, O> {
    world: &'w mut World,
    id: GroupId,
    of: PhantomData<fn(O) -> O>,
}

impl<O: GroupOwned> GroupMut<'_, O> {
    /// Returns the group's members, in order. O(groups).
    #[must_use]
    pub fn members(&self) -> &[Entity] {
        self.world.groups.members(self.id, &self.world.pools)
    }

    /// Sorts the members by their values, a tuple of references: all pools that the group owns
    /// move together, by one permutation. Stable; costs and allocates as
    /// [`PoolMut::sort_by`](crate::PoolMut::sort_by), but for the exchanges: one a pool.
    ///
    /// Members of a group that is nested in this one stay in front of the others: each part is
    /// sorted for itself. A comparison that panics leaves the members of its part as they were.
    ///
    /// # Panics
    /// Panics like [`PoolMut::sort_by`](crate::PoolMut::sort_by).
    ///
    /// ```
    /// # use ecs::{Component, Group, World};
    /// # #[derive(Component)] struct Depth(u32);
    /// # #[derive(Component, Debug, PartialEq)] struct Sprite(char);
    /// # let mut world = World::new();
    /// world.spawn_batch([(Depth(2), Sprite('b')), (Depth(1), Sprite('a'))]);
    /// let drawn = Group::owning::<(Depth, Sprite)>();
    /// world.declare_group(drawn).unwrap();
    /// world.group_mut(drawn).unwrap().sort_by(|(_, a), (_, b)| a.0.cmp(&b.0));
    /// let view = world.view::<(Depth, Sprite)>();
    /// assert_eq!(view.as_slices().unwrap().2, [Sprite('a'), Sprite('b')]);
    /// ```
    pub fn sort_by(
        &mut self,
        mut compare: impl FnMut(GroupItem<'_, O>, GroupItem<'_, O>) -> Ordering,
    ) {
        let World { entities, pools, groups, .. } = &mut *self.world;
        for (part, owned) in groups.parts(self.id) {
            let sorted = {
                let stores = Stores { pools, entities, groups };
                let items = Join::<O::Fetch, ()>::shared(stores).by_position();
                sorted_positions(part.len(), |a, b| {
                    compare(items.at(part.start + a), items.at(part.start + b))
                })
            };
            if let Some(order) = sorted {
                pools.exchange_all(owned, part.start, &exchanges(order));
            }
        }
    }

    /// Sorts the members by a key of their values. Stable; makes keys as it compares.
    ///
    /// Costs and members of nested groups are like in [`sort_by`](Self::sort_by).
    ///
    /// ```
    /// # use ecs::{Component, Group, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Depth(u32);
    /// # let mut world = World::new();
    /// world.spawn_batch([Depth(2), Depth(1)]);
    /// let depths = Group::owning::<Depth>();
    /// world.declare_group(depths).unwrap();
    /// world.group_mut(depths).unwrap().sort_by_key(|depth| depth.0);
    /// assert_eq!(world.pool::<Depth>().as_slice(), [Depth(1), Depth(2)]);
    /// ```
    pub fn sort_by_key<V: Ord>(&mut self, mut key: impl FnMut(GroupItem<'_, O>) -> V) {
        self.sort_by(|a, b| key(a).cmp(&key(b)));
    }

    /// Moves these members to the front, in this order; the others follow in theirs. Entities that are not members are
    /// passed over. O(members and these); allocates 12 bytes a member.
    ///
    /// Members of a group that is nested in this one stay in front of the others, as by [`sort_by`](Self::sort_by).
    ///
    /// ```
    /// # use ecs::{Component, Group, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Depth(u32);
    /// # #[derive(Component)] struct Sprite(char);
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([1, 2, 3].map(|depth| (Depth(depth), Sprite('a'))));
    /// let drawn = Group::owning::<(Depth, Sprite)>();
    /// world.declare_group(drawn).unwrap();
    /// world.group_mut(drawn).unwrap().sort_as(&[entities[2]]);
    /// assert_eq!(world.pool::<Depth>().as_slice(), [Depth(3), Depth(1), Depth(2)]);
    /// ```
    pub fn sort_as(&mut self, entities: &[Entity]) {
        let World { pools, groups, .. } = &mut *self.world;
        for (part, owned) in groups.parts(self.id) {
            let Some(&any) = owned.first() else { continue };
            let find = |entity: &Entity| pools.keys_at(any).find(*entity);
            let first = entities.iter().filter_map(find).filter(|at| part.contains(at));
            if let Some(order) = placed_first(part.len(), first.map(|at| at - part.start)) {
                pools.exchange_all(owned, part.start, &exchanges(order));
            }
        }
    }
}

impl<O> fmt::Debug for GroupMut<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { world, id, of } = self;
        let group = GroupRef { world, id: *id, of: *of };
        write!(f, "GroupMut({group}, {} members)", group.len())
    }
}
