//! All components of one type, as a user sees them.

use crate::component::{Component, Ref, RefMut, Slice, SliceMut, index_of};
use crate::entity::Entity;
use crate::group::declare::GroupNames;
use crate::group::groups::Groups;
use crate::pool::Pool;
use crate::pool::pools::Pools;
use crate::storage::keys::Lookup;
use crate::storage::memory::MemoryUsage;
use crate::storage::values::{Borrowed, Container};
use crate::text::entities;
use crate::world::error::OwnedByGroupError;
use core::cmp::Ordering;
use core::fmt;

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
pub struct PoolRef<'w, T: Component> {
    pool: Option<&'w Pool<T>>,
    keys: Lookup<'w, Entity>,
    values: Borrowed<'w, T, T::Storage>,
}

impl<T: Component> Clone for PoolRef<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: Component> Copy for PoolRef<'_, T> {}

impl<'w, T: Component> PoolRef<'w, T> {
    #[inline]
    pub(crate) fn new(pool: Option<&'w Pool<T>>) -> Self {
        let (keys, values) = pool.map_or((Lookup::EMPTY, Borrowed::EMPTY), |pool| {
            (pool.raw_keys().lookup(), pool.borrowed())
        });
        Self { pool, keys, values }
    }

    /// How many entities have a `T`.
    #[must_use]
    pub fn len(self) -> usize {
        self.keys().len()
    }

    /// Whether no entity has a `T`.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The entities that have a `T`, in the order of their values.
    #[must_use]
    pub fn keys(self) -> &'w [Entity] {
        self.pool.map_or(&[], Pool::<T>::keys)
    }

    /// Whether `entity` has a `T`.
    #[must_use]
    pub fn contains(self, entity: Entity) -> bool {
        self.keys.find(entity, self.values.len()).is_some()
    }

    /// The entity's `T`, if it has one: borrowed from the world, not from this value.
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

    /// The values, packed.
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

    /// The entities and their values. A whole walk is O(members).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([Health(3), Health(9)]);
    /// let most = world.pool::<Health>().iter().max_by_key(|(_, health)| health.0);
    /// assert_eq!(most.map(|(entity, _)| entity), Some(entities[1]));
    /// ```
    pub fn iter(self) -> impl Iterator<Item = (Entity, Ref<'w, T>)> {
        self.pool.into_iter().flat_map(Pool::<T>::iter)
    }

    /// The bytes that the pool holds on the heap. O(pages).
    #[must_use]
    pub fn memory_usage(self) -> MemoryUsage {
        self.pool.map_or(MemoryUsage::default(), Pool::<T>::memory_usage)
    }
}

impl<T: Component> fmt::Debug for PoolRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PoolRef<{}>({})", T::NAME, entities(self.len()))
    }
}

/// All components of type `T` in a world, to be changed in place: from
/// [`World::pool_mut`](crate::World::pool_mut).
///
/// Which entities have a `T` is the world's business, not to be changed here.
///
/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component)] struct Health(u32);
/// let mut world = World::new();
/// let entities = world.spawn_batch([Health(3), Health(4)]);
/// let mut pool = world.pool_mut::<Health>();
/// pool.iter_mut().for_each(|(_, health)| health.0 += 1);
/// pool.get_mut(entities[0]).unwrap().0 += 1;
/// pool.shrink_to_fit();
/// assert_eq!((pool.keys().len(), pool.as_ref().as_slice()[0].0), (2, 5));
/// ```
pub struct PoolMut<'w, T: Component> {
    pool: &'w mut Pool<T>,
    /// The group that keeps the pool in order.
    owner: Option<GroupNames>,
}

impl<'w, T: Component> PoolMut<'w, T> {
    pub(crate) fn new(pools: &'w mut Pools, groups: &Groups) -> Self {
        pools.get_or_create::<T>();
        let owner = groups.owner(pools, index_of::<T>().get());
        Self { pool: pools.get_or_create(), owner }
    }

    /// The same pool, to be read.
    #[must_use]
    pub fn as_ref(&self) -> PoolRef<'_, T> {
        PoolRef::new(Some(self.pool))
    }

    /// The entities that have a `T`, in the order of their values.
    #[must_use]
    pub fn keys(&self) -> &[Entity] {
        self.pool.keys()
    }

    /// The entity's `T`, if it has one, to be changed. O(1).
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
    pub fn get_mut(&mut self, entity: Entity) -> Option<RefMut<'_, T>> {
        self.pool.get_mut(entity)
    }

    /// The values, packed.
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
        self.pool.as_mut_slice()
    }

    /// The entities and their values, to be changed. A whole walk is O(members).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([Health(3), Health(4)]);
    /// world.pool_mut::<Health>().iter_mut().for_each(|(_, health)| health.0 *= 2);
    /// assert_eq!(world.get::<Health>(entities[1]).unwrap().0, 8);
    /// ```
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Entity, RefMut<'_, T>)> {
        self.pool.iter_mut()
    }

    /// Gives back the memory that no component needs. O(pages), beside the copying.
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
        self.pool.shrink_to_fit();
    }

    /// The pool, if no group keeps it in order.
    fn free(&mut self) -> Result<&mut Pool<T>, OwnedByGroupError> {
        match &self.owner {
            None => Ok(self.pool),
            Some(group) => Err(OwnedByGroupError { component: T::NAME, group: group.to_string() }),
        }
    }

    /// Sorts the components, and with them the order of views over this pool alone. Stable.
    ///
    /// O(n log n) comparisons, less for a pool that is partly in order, then one exchange a
    /// component that is out of place. Allocates 12 bytes a component.
    /// A comparison that panics leaves the order as it was.
    ///
    /// # Panics
    /// Perhaps, when the comparison is no total order, as that of floats by `partial_cmp` is none where
    /// one is not a number: see [`slice::sort_by`]. The order is then as it was, too.
    ///
    /// # Errors
    /// When a group owns the pool.
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
    /// As [`sort_by`](Self::sort_by), and allocates the keys, too.
    ///
    /// # Errors
    /// When a group owns the pool.
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

    /// Sorts the components; equal ones may change places. As [`sort_by`](Self::sort_by), and often
    /// faster, not so where they are partly in order.
    ///
    /// # Errors
    /// When a group owns the pool.
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

    /// Moves the components of these entities to the front, in this order.
    pub(crate) fn sort_as(&mut self, entities: &[Entity]) -> Result<(), OwnedByGroupError> {
        self.free()?.sort_as(entities);
        Ok(())
    }
}

impl<T: Component> fmt::Debug for PoolMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PoolMut<{}>({})", T::NAME, entities(self.keys().len()))
    }
}
