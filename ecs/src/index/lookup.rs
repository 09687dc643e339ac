//! The methods of the world.

use crate::component::index_of;
use crate::component::slot;
use crate::entity::Entity;
use crate::index::filed::typed;
use crate::index::hashed::Hashed;
use crate::index::kind::{HashedKey, Indexed};
use crate::pool::pools::Pools;
use crate::world::World;
use alloc::boxed::Box;
use core::any::{Any, TypeId};
use core::fmt;
use core::ops::Deref;

/// Returns the index of `T` in these pools, brought up to date.
#[inline]
pub(crate) fn index_in<T: Indexed>(pools: &Pools) -> &T::Index {
    match pools.index(index_of::<T>().get()) {
        Some(index) => typed::<T>(index),
        None => empty::<T::Index>(),
    }
}

/// The index of `T`, in a system: a [`Param`](crate::Param) that lends the result of [`World::index`].
///
/// It shows the values at the time when the system began: all that earlier systems wrote, but no commands that are not
/// applied yet. The system itself cannot write a `T` meanwhile: a view of `&mut T` beside it is a compile error, like one beside
/// a view of `&T`.
///
/// ```
/// use ecs::{Component, Index, View, World};
///
/// #[derive(Component, Clone, PartialEq, Eq, Hash)]
/// #[component(index)]
/// struct Team(u8);
/// #[derive(Component)]
/// struct Health(u32);
///
/// fn heal(teams: Index<Team>, mut healths: View<&mut Health>) {
///     healths.for_each_many(teams.get(&Team(3)), |(_, health)| health.0 += 1);
/// }
/// let mut world = World::new();
/// let entities = world.spawn_batch([(Team(3), Health(5)), (Team(4), Health(5))]);
/// world.run(heal);
/// let healths = entities.iter().map(|entity| world.get::<Health>(*entity).unwrap().0);
/// assert_eq!(healths.collect::<Vec<_>>(), [6, 5]);
/// ```
pub struct Index<'w, T: Indexed>(&'w T::Index);

impl<'w, T: Indexed> Index<'w, T> {
    pub(crate) fn of(pools: &'w Pools) -> Self {
        Self(index_in::<T>(pools))
    }
}

impl<T: Indexed> Clone for Index<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: Indexed> Copy for Index<'_, T> {}

impl<T: Indexed> Deref for Index<'_, T> {
    type Target = T::Index;
    fn deref(&self) -> &T::Index {
        self.0
    }
}

impl<T: Indexed<Index: fmt::Debug>> fmt::Debug for Index<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Returns an index for worlds that never had the component.
#[cold]
#[inline(never)]
fn empty<I: Any + Default + Send + Sync>() -> &'static I {
    let empty: &dyn Any = slot::empty_of(TypeId::of::<I>(), || Box::new(I::default()));
    empty.downcast_ref().expect("it is stored by its type")
}

/// # Finding by value
impl World {
    /// Returns the index of `T`: a [`Hashed`](crate::Hashed) or an [`Ordered`](crate::Ordered) one, or one of your own
    /// [kind](crate::IndexKind). It has all entities with a `T`, by their values at this moment.
    ///
    /// Brings the index up to date first: O(members of `T` that changed since the last call, in any way, and pages of 65,536
    /// indices). Without changes it is O(1).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// #[derive(Component, Clone, PartialEq, Eq, Hash)]
    /// #[component(index)]
    /// struct Team(u8);
    ///
    /// let mut world = World::new();
    /// world.spawn_batch([Team(3), Team(1), Team(3)]);
    /// assert_eq!(world.index::<Team>().get(&Team(3)).count(), 2);
    /// for (_, team) in world.view_mut::<&mut Team>() {
    ///     team.0 = 3;
    /// }
    /// assert_eq!(world.index::<Team>().get(&Team(3)).count(), 3);
    /// ```
    #[inline]
    #[must_use]
    pub fn index<T: Indexed>(&self) -> &T::Index {
        index_in::<T>(&self.pools)
    }

    /// Returns the entity with this value, the first by index if there are several. Like [`index`](Self::index), it
    /// brings the index up to date first.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// #[derive(Component, Clone, PartialEq, Eq, Hash)]
    /// #[component(index)]
    /// struct Callsign(String);
    ///
    /// let mut world = World::new();
    /// let flight = world.spawn(Callsign("AFR69CR".into())).id();
    /// assert_eq!(world.find(&Callsign("AFR69CR".into())), Some(flight));
    /// ```
    #[inline]
    #[must_use]
    pub fn find<T: Indexed<Key = T, Index = Hashed<T>> + HashedKey>(
        &self,
        value: &T,
    ) -> Option<Entity> {
        self.index::<T>().find(value)
    }
}
