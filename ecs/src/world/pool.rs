//! The pool of one type, as its users see it.

use crate::component::{AnyComponent, Ref, RefMut, Slice, SliceMut, check_writable, index_of};
use crate::entity::Entity;
use crate::pool::Pool;
use crate::storage::keys::KeyLookup;
use crate::storage::memory::MemoryUsage;
use crate::storage::values::{Borrowed, Container};
use crate::text::entities;
use crate::world::World;
use crate::world::error::OwnedByGroupError;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

/// All components of type `T` in a world, to be read: from [`World::pool`](crate::World::pool).
/// Its methods are O(1), where they do not say otherwise.
///
/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
/// let mut world = World::new();
/// let entities = world.spawn_batch([Health(3), Health(4)]);
/// let pool = world.pool::<Health>();
/// assert_eq!((pool.len(), pool.is_empty()), (2, false));
/// assert_eq!(pool.get(entities[1]), Some(&Health(4)));
/// assert!(pool.contains(entities[0]) && pool.keys() == entities);
/// assert_eq!(pool.iter().map(|(_, health)| health.0).sum::<u32>(), 7);
/// assert!(pool.memory_usage().values >= 8);
/// ```
pub struct PoolRef<'w, T: AnyComponent> {
    pool: Option<&'w Pool<T>>,
    keys: KeyLookup<'w, Entity>,
    values: Borrowed<'w, T, T::Storage>,
}

impl<T: AnyComponent> Clone for PoolRef<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: AnyComponent> Copy for PoolRef<'_, T> {}

impl<'w, T: AnyComponent> PoolRef<'w, T> {
    #[inline]
    pub(crate) fn new(pool: Option<&'w Pool<T>>) -> Self {
        let (keys, values) = pool.map_or((KeyLookup::EMPTY, Borrowed::EMPTY), |pool| {
            (pool.raw_keys().lookup(), pool.borrowed())
        });
        Self { pool, keys, values }
    }

    /// Returns the number of entities that have a `T`.
    #[must_use]
    pub fn len(self) -> usize {
        self.keys().len()
    }

    /// Returns `true` if no entity has a `T`.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the entities that have a `T`, in the order of their values.
    #[must_use]
    pub fn keys(self) -> &'w [Entity] {
        self.pool.map_or(&[], Pool::<T>::keys)
    }

    /// Returns `true` if `entity` has a `T`.
    #[must_use]
    pub fn contains(self, entity: Entity) -> bool {
        self.keys.find(entity, self.values.len()).is_some()
    }

    /// Returns the entity's `T`, if it has one: borrowed from the world, not from this value.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch((0..100).map(Health));
    /// let healths = world.pool::<Health>(); // found once for all reads
    /// let read = entities.iter().filter_map(|&entity| healths.get(entity));
    /// assert_eq!(read.map(|health| health.0).sum::<u32>(), 4950);
    /// ```
    #[must_use]
    #[inline]
    pub fn get(self, entity: Entity) -> Option<Ref<'w, T>> {
        self.values.get(self.keys.find(entity, self.values.len())?)
    }

    /// Returns the values, packed.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// let mut world = World::new();
    /// assert_eq!(world.pool::<Health>().as_slice(), []);
    /// world.spawn_batch([Health(3), Health(4)]);
    /// assert_eq!(world.pool::<Health>().as_slice(), [Health(3), Health(4)]);
    /// ```
    #[must_use]
    pub fn as_slice(self) -> Slice<'w, T> {
        match self.pool {
            Some(pool) => pool.as_slice(),
            None => T::Storage::empty(),
        }
    }

    /// Returns the entities and their values, from either end. A whole walk is O(members).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([Health(3), Health(9)]);
    /// let most = world.pool::<Health>().iter().max_by_key(|(_, health)| health.0);
    /// assert_eq!(most.map(|(entity, _)| entity), Some(entities[1]));
    /// let last = world.pool::<Health>().iter().rev().next();
    /// assert_eq!(last.map(|(entity, _)| entity), Some(entities[1]));
    /// ```
    #[must_use]
    pub fn iter(self) -> PoolIter<'w, T> {
        PoolIter(self.pool.map(IntoIterator::into_iter))
    }

    /// Returns `true` if the world may [order](crate::guide::order) the pool with others. O(1).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Depth(u32);
    /// # let mut world = World::new();
    /// # world.spawn_batch([Depth(2), Depth(1)]);
    /// assert!(world.pool::<Depth>().is_ordered());
    /// world.pool_mut::<Depth>().sort_by_key(|depth| depth.0).unwrap();
    /// assert!(!world.pool::<Depth>().is_ordered());
    /// ```
    #[must_use]
    pub fn is_ordered(self) -> bool {
        self.pool.is_none_or(|pool| !pool.raw_keys().is_pinned())
    }

    /// Returns the bytes that the pool holds on the heap. O(pages).
    #[must_use]
    pub fn memory_usage(self) -> MemoryUsage {
        self.pool.map_or(MemoryUsage::default(), Pool::<T>::memory_usage)
    }
}

impl<T: AnyComponent> fmt::Debug for PoolRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PoolRef<{}>({})", T::NAME, entities(self.len()))
    }
}

/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component)] struct Health(u32);
/// # let mut world = World::new();
/// world.spawn_batch([Health(3), Health(9)]);
/// for (entity, health) in world.pool::<Health>() {
///     assert_eq!(health.0, 3 + 6 * entity.index());
/// }
/// ```
impl<'w, T: AnyComponent> IntoIterator for PoolRef<'w, T> {
    type Item = (Entity, Ref<'w, T>);
    type IntoIter = PoolIter<'w, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

type MembersOf<'w, T> = <&'w Pool<T> as IntoIterator>::IntoIter;

/// The entities that have a `T`, and their values: from [`PoolRef::iter`].
///
/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component)] struct Health(u32);
/// # let mut world = World::new();
/// world.spawn_batch([Health(3), Health(9), Health(4)]);
/// let mut healths = world.pool::<Health>().iter();
/// healths.next_back();
/// assert_eq!((healths.len(), healths.clone().map(|(_, health)| health.0).sum::<u32>()), (2, 12));
/// ```
pub struct PoolIter<'w, T: AnyComponent>(Option<MembersOf<'w, T>>);

impl<'w, T: AnyComponent> Iterator for PoolIter<'w, T> {
    type Item = (Entity, Ref<'w, T>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.as_mut()?.next()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.as_ref().map_or((0, Some(0)), Iterator::size_hint)
    }
}

impl<T: AnyComponent> DoubleEndedIterator for PoolIter<'_, T> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.as_mut()?.next_back()
    }
}

impl<T: AnyComponent> ExactSizeIterator for PoolIter<'_, T> {}
impl<T: AnyComponent> FusedIterator for PoolIter<'_, T> {}

impl<T: AnyComponent> Clone for PoolIter<'_, T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: AnyComponent> fmt::Debug for PoolIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PoolIter<{}>({})", T::NAME, entities(self.len()))
    }
}

/// The pool of type `T` in a world, to be changed: from [`World::pool_mut`](crate::World::pool_mut).
///
/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component)] struct Health(u32);
/// let mut world = World::new();
/// let entities = world.spawn_batch([Health(3), Health(4), Health(9)]);
/// let mut pool = world.pool_mut::<Health>();
/// pool.iter_mut().for_each(|(_, health)| health.0 += 1);
/// pool.get_mut(entities[0]).unwrap().0 += 1;
/// pool.retain(|_, health| health.0 < 9);
/// pool.shrink_to_fit();
/// assert_eq!((pool.keys().len(), pool.as_ref().as_slice()[0].0), (2, 5));
/// ```
pub struct PoolMut<'w, T: AnyComponent> {
    world: &'w mut World,
    of: PhantomData<fn(T) -> T>,
}

impl<'w, T: AnyComponent> PoolMut<'w, T> {
    pub(crate) fn new(world: &'w mut World) -> Self {
        world.pools.get_or_create::<T>();
        Self { world, of: PhantomData }
    }

    fn pool(&mut self) -> &mut Pool<T> {
        self.world.pools.get_or_create()
    }

    /// Returns the pool, and marks all its values as written. The caller has checked that `T` is no relation.
    fn written(self) -> &'w mut Pool<T> {
        if const { T::MARKED } {
            self.world.pools.mark_all(index_of::<T>().get());
        }
        self.world.pools.get_or_create()
    }

    fn reborrow(&mut self) -> PoolMut<'_, T> {
        PoolMut { world: self.world, of: PhantomData }
    }

    /// Returns the pool, to be read.
    #[must_use]
    pub fn as_ref(&self) -> PoolRef<'_, T> {
        PoolRef::new(self.world.pools.get())
    }

    /// Returns the entities that have a `T`, in the order of their values.
    #[must_use]
    pub fn keys(&self) -> &[Entity] {
        self.as_ref().keys()
    }

    /// Returns the entity's `T`, if it has one, to be changed. O(1).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([Health(3), Health(4)]);
    /// world.pool_mut::<Health>().get_mut(entities[1]).unwrap().0 = 7;
    /// assert_eq!(world.get::<Health>(entities[1]).unwrap().0, 7);
    /// ```
    #[must_use]
    #[inline]
    pub fn get_mut(&mut self, entity: Entity) -> Option<RefMut<'_, T>> {
        const { check_writable::<T>() };
        self.world.lend::<T>(entity)
    }

    /// Returns the values, packed.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Clone)] struct Health(u32);
    /// # let mut world = World::new();
    /// world.spawn_batch((0..10).map(Health));
    /// world.pool_mut::<Health>().as_mut_slice().fill(Health(7));
    /// assert!(world.pool::<Health>().iter().all(|(_, health)| health.0 == 7));
    /// ```
    #[must_use]
    pub fn as_mut_slice(&mut self) -> SliceMut<'_, T> {
        const { check_writable::<T>() };
        self.reborrow().written().as_mut_slice()
    }

    /// Returns the entities and their values, to be changed, from either end. A whole walk is O(members).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([Health(3), Health(4)]);
    /// world.pool_mut::<Health>().iter_mut().for_each(|(_, health)| health.0 *= 2);
    /// assert_eq!(world.get::<Health>(entities[1]).unwrap().0, 8);
    /// ```
    pub fn iter_mut(&mut self) -> <&mut Pool<T> as IntoIterator>::IntoIter {
        const { check_writable::<T>() };
        self.reborrow().written().iter_mut()
    }

    /// Removes the component of all entities and drops it, like
    /// [`World::remove_batch`](crate::World::remove_batch). One that a veto keeps stays. O(members).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Burning;
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([Burning, Burning]);
    /// world.pool_mut::<Burning>().clear();
    /// assert!(world.pool::<Burning>().is_empty() && world.is_alive(entities[0]));
    /// ```
    pub fn clear(&mut self) {
        let all = self.keys().to_vec();
        self.world.remove_batch::<T>(&all);
    }

    /// Removes and drops the components for which `keep` returns `false`, like
    /// [`World::remove_batch`](crate::World::remove_batch). One that a veto keeps stays. O(members).
    ///
    /// `keep` is called for all before the first is removed. As it may change them, it does not compile for a
    /// [relation](crate::Relation): use [`World::remove_batch`](crate::World::remove_batch).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch((0..10).map(Health));
    /// world.pool_mut::<Health>().retain(|_, health| health.0 > 2);
    /// assert_eq!(world.pool::<Health>().len(), 7);
    /// assert!(!world.has::<Health>(entities[2]) && world.has::<Health>(entities[3]));
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(Entity, RefMut<'_, T>) -> bool) {
        const { check_writable::<T>() };
        let gone = |(entity, value)| (!keep(entity, value)).then_some(entity);
        let gone: Vec<Entity> = self.reborrow().written().iter_mut().filter_map(gone).collect();
        self.world.remove_batch::<T>(&gone);
    }

    /// Removes the component of all entities, like [`World::remove`](crate::World::remove), and returns them. One that
    /// a veto keeps stays. In the order of the pool; O(members), and allocates them anew.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Damage(u32);
    /// # let mut world = World::new();
    /// world.spawn_batch([Damage(3), Damage(4)]);
    /// let sum: u32 = world.pool_mut::<Damage>().drain().map(|(_, damage)| damage.0).sum();
    /// assert_eq!((sum, world.pool::<Damage>().len()), (7, 0));
    /// ```
    pub fn drain(
        &mut self,
    ) -> impl DoubleEndedIterator<Item = (Entity, T)> + ExactSizeIterator + use<T> {
        // From the end, so that no member is moved into the gap.
        let all: Vec<Entity> = self.keys().iter().rev().copied().collect();
        let take = |&entity: &Entity| Some((entity, self.world.remove::<T>(entity)?));
        IntoIterator::into_iter(all.iter().filter_map(take).collect::<Vec<_>>()).rev()
    }

    /// Frees the memory that no component needs. O(pages), beside the copying.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # let mut world = World::new();
    /// world.spawn_batch((0..1_000).map(Health));
    /// world.clear();
    /// assert!(world.pool::<Health>().memory_usage().values > 0);
    /// world.pool_mut::<Health>().shrink_to_fit();
    /// assert_eq!(world.pool::<Health>().memory_usage().total(), 0);
    /// ```
    pub fn shrink_to_fit(&mut self) {
        self.pool().shrink_to_fit();
    }

    /// Returns the pool, or an error if a group keeps it in order.
    fn free(&mut self) -> Result<&mut Pool<T>, OwnedByGroupError> {
        let number = index_of::<T>().get();
        let World { pools, groups, .. } = &mut *self.world;
        match groups.owner(pools, number) {
            None => Ok(pools.get_or_create()),
            Some(group) => Err(OwnedByGroupError { component: T::NAME, group: group.to_string() }),
        }
    }

    /// Exchanges the positions of two members, and with them their places in the order of views. O(1).
    ///
    /// # Errors
    /// Returns an error if a group owns the pool.
    ///
    /// # Panics
    /// Panics if one of the entities has no `T`.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Depth(u32);
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([Depth(2), Depth(1)]);
    /// world.pool_mut::<Depth>().swap(entities[0], entities[1]).unwrap();
    /// assert_eq!(world.pool::<Depth>().as_slice(), [Depth(1), Depth(2)]);
    /// ```
    #[track_caller]
    pub fn swap(&mut self, a: Entity, b: Entity) -> Result<(), OwnedByGroupError> {
        self.free()?.swap(a, b);
        Ok(())
    }

    /// Leaves the order of the pool to the program, or lets the world [order](crate::guide::order) it with others, as it
    /// does with new pools. Sorting and [`swap`](Self::swap) have the first effect. O(1).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Depth(u32);
    /// # let mut world = World::new();
    /// # world.spawn_batch([Depth(2), Depth(1)]);
    /// let mut depths = world.pool_mut::<Depth>();
    /// depths.sort_by_key(|depth| depth.0).unwrap();
    /// depths.set_ordering(true);
    /// assert!(world.pool::<Depth>().is_ordered());
    /// ```
    pub fn set_ordering(&mut self, is_on: bool) {
        self.pool().pin(!is_on);
    }

    /// Sorts the components. Stable. Views of this component alone follow the order, and views of more terms follow it
    /// by [`in_order_of`](crate::View::in_order_of).
    ///
    /// O(n log n) comparisons, less for a pool that is partly in order, then one exchange a
    /// component that is out of place. Allocates 12 bytes a component.
    /// A comparison that panics leaves the order as it was.
    ///
    /// # Panics
    /// May panic if the comparison is no total order, such as `partial_cmp` of floats if one of them is NaN: see
    /// [`slice::sort_by`]. The order is left as it was then, too.
    ///
    /// # Errors
    /// Returns an error if a group owns the pool.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Depth(f32);
    /// let mut world = World::new();
    /// world.spawn_batch([Depth(2.0), Depth(1.0)]);
    /// world.pool_mut::<Depth>().sort_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    /// assert_eq!(world.pool::<Depth>().as_slice(), [Depth(1.0), Depth(2.0)]);
    /// ```
    pub fn sort_by(
        &mut self,
        compare: impl FnMut(Ref<'_, T>, Ref<'_, T>) -> Ordering,
    ) -> Result<(), OwnedByGroupError> {
        self.free()?.sort_by(compare);
        Ok(())
    }

    /// Sorts the components by a key, which is made once for each. Stable.
    ///
    /// Costs the time of [`sort_by`](Self::sort_by), and allocates the keys, too.
    ///
    /// # Errors
    /// Returns an error if a group owns the pool.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Depth(u32);
    /// let mut world = World::new();
    /// world.spawn_batch([Depth(2), Depth(1)]);
    /// world.pool_mut::<Depth>().sort_by_key(|depth| depth.0).unwrap();
    /// assert_eq!(world.pool::<Depth>().as_slice(), [Depth(1), Depth(2)]);
    /// ```
    pub fn sort_by_key<V: Ord>(
        &mut self,
        key: impl FnMut(Ref<'_, T>) -> V,
    ) -> Result<(), OwnedByGroupError> {
        self.free()?.sort_by_key(key);
        Ok(())
    }

    /// Sorts the components like [`sort_by`](Self::sort_by), but equal ones may change places. Often faster, but not
    /// for pools that are partly in order.
    ///
    /// # Errors
    /// Returns an error if a group owns the pool.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Depth(u32);
    /// let mut world = World::new();
    /// world.spawn_batch([Depth(2), Depth(1)]);
    /// world.pool_mut::<Depth>().sort_unstable_by(|a, b| a.0.cmp(&b.0)).unwrap();
    /// assert_eq!(world.pool::<Depth>().as_slice(), [Depth(1), Depth(2)]);
    /// ```
    pub fn sort_unstable_by(
        &mut self,
        compare: impl FnMut(Ref<'_, T>, Ref<'_, T>) -> Ordering,
    ) -> Result<(), OwnedByGroupError> {
        self.free()?.sort_unstable_by(compare);
        Ok(())
    }

    /// Sorts the components by their entities: by index, then by generation. O(n log n); allocates 24
    /// bytes a component.
    ///
    /// Pools that are sorted so are walked together the fastest, where groups do not keep them.
    ///
    /// # Errors
    /// Returns an error if a group owns the pool.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Depth(u32);
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([Depth(2), Depth(1)]);
    /// world.pool_mut::<Depth>().sort_by_key(|depth| depth.0).unwrap();
    /// world.pool_mut::<Depth>().sort_by_entity().unwrap();
    /// assert_eq!(world.pool::<Depth>().keys(), entities);
    /// ```
    pub fn sort_by_entity(&mut self) -> Result<(), OwnedByGroupError> {
        let pool = self.free()?;
        let mut order = pool.keys().to_vec();
        order.sort_unstable();
        pool.sort_as(&order);
        Ok(())
    }

    /// Moves the components of these entities to the front, in this order; the others follow in theirs.
    /// Entities without one are passed over. O(members and these); allocates 12 bytes a component.
    ///
    /// # Errors
    /// Returns an error if a group owns the pool.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Depth(u32);
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([Depth(1), Depth(2), Depth(3)]);
    /// world.pool_mut::<Depth>().sort_as(&[entities[2], entities[0]]).unwrap();
    /// assert_eq!(world.pool::<Depth>().as_slice(), [Depth(3), Depth(1), Depth(2)]);
    /// ```
    pub fn sort_as(&mut self, entities: &[Entity]) -> Result<(), OwnedByGroupError> {
        self.free()?.sort_as(entities);
        Ok(())
    }

    /// Orders the pool like the pool of `From`: entities that have both components come first, in the order of
    /// `From`; the others follow in their own order. O(members of both); allocates 8 bytes a member of `From` and
    /// 12 a member of this pool.
    ///
    /// # Errors
    /// Returns an error if a group owns this pool.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Depth(u32);
    /// # #[derive(Component, Debug, PartialEq)] struct Sprite(char);
    /// let mut world = World::new();
    /// world.spawn_batch([(Depth(2), Sprite('b')), (Depth(1), Sprite('a'))]);
    /// world.pool_mut::<Depth>().sort_by_key(|depth| depth.0).unwrap();
    /// world.pool_mut::<Sprite>().sort_like::<Depth>().unwrap();
    /// assert_eq!(world.pool::<Sprite>().as_slice(), [Sprite('a'), Sprite('b')]);
    /// ```
    pub fn sort_like<From: AnyComponent>(&mut self) -> Result<(), OwnedByGroupError> {
        // A copy, as the other pool cannot be borrowed while this one is sorted.
        let order =
            self.world.pools.get::<From>().map_or_else(Vec::new, |from| from.keys().to_vec());
        self.sort_as(&order)
    }
}

/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
/// # let mut world = World::new();
/// let entity = world.spawn(Health(3)).id();
/// for (_, health) in &mut world.pool_mut::<Health>() {
///     health.0 += 1;
/// }
/// assert_eq!(world.get::<Health>(entity), Some(&Health(4)));
/// ```
impl<'a, T: AnyComponent> IntoIterator for &'a mut PoolMut<'_, T> {
    type Item = (Entity, RefMut<'a, T>);
    type IntoIter = <&'a mut Pool<T> as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        const { check_writable::<T>() };
        self.reborrow().written().into_iter()
    }
}

/// The members with the borrow that the handle has.
impl<'w, T: AnyComponent> IntoIterator for PoolMut<'w, T> {
    type Item = (Entity, RefMut<'w, T>);
    type IntoIter = <&'w mut Pool<T> as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        const { check_writable::<T>() };
        self.written().into_iter()
    }
}

impl<T: AnyComponent> fmt::Debug for PoolMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PoolMut<{}>({})", T::NAME, entities(self.keys().len()))
    }
}
