//! A term that marks only the values that it changes.

use crate::component::AnyComponent;
use crate::component::access::Access;
use crate::entity::Entity;
use crate::internal::{InQueries, known};
use crate::pool::track::Track;
use crate::query::fetch::{EntityFetch, Fetch, Guarded, Map, Mapped, Read, ReadMarks};
use crate::query::request::Term;
use crate::storage::values::Container;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

/// A term of queries that reads and writes a tracked component, and marks an entity as changed when its value is
/// written. It is for loops that read many values and change few.
///
/// `&mut T` marks all matches when the loop begins, and is as fast as for a component that is not tracked. A `Mut`
/// takes some nanoseconds for each value that it writes.
///
/// It has no slices: [`View::for_each_chunk`](crate::View::for_each_chunk) takes `&mut T`. It does not support
/// components in columns.
///
/// ```
/// use ecs::{Component, Mut, World};
///
/// #[derive(Component, PartialEq)]
/// #[component(track)]
/// struct Health(u32);
///
/// let mut world = World::new();
/// world.spawn_batch((0..100).map(Health));
/// let mut hurt = world.changes::<Health>();
/// for (_, mut health) in world.view_mut::<Mut<Health>>() {
///     if health.0 > 97 {
///         health.0 -= 10;
///     }
/// }
/// world.advance(&mut hurt);
/// assert_eq!(world.view::<Health>().among(hurt.changed()).count(), 2);
/// ```
pub struct Mut<'w, T> {
    value: &'w mut T,
    entity: Entity,
    /// The track to mark, if there are readers of changes.
    track: Option<&'w Track>,
}

impl<T: AnyComponent> Mut<'_, T> {
    /// Writes the value, and marks the entity as changed, unless it has this value already. Returns `true` if the value
    /// was different.
    ///
    /// ```
    /// # use ecs::{Component, Mut, World};
    /// # #[derive(Component, PartialEq)]
    /// # #[component(track)]
    /// # struct Health(u32);
    /// # let mut world = World::new();
    /// world.spawn_batch([Health(1), Health(2)]);
    /// let mut seen = world.changes::<Health>();
    /// for (_, mut health) in world.view_mut::<Mut<Health>>() {
    ///     health.set_if_neq(Health(2));
    /// }
    /// world.advance(&mut seen);
    /// assert_eq!(seen.changed().len(), 1);
    /// ```
    pub fn set_if_neq(&mut self, value: T) -> bool
    where
        T: PartialEq,
    {
        let differs = *self.value != value;
        if differs {
            **self = value;
        }
        differs
    }

    /// Returns the value, to be changed without a mark. An [index](crate::guide::indexes) sees the change all the same.
    ///
    /// ```
    /// # use ecs::{Component, Mut, World};
    /// # #[derive(Component, PartialEq)]
    /// # #[component(track)]
    /// # struct Health(u32);
    /// # let mut world = World::new();
    /// world.spawn(Health(1));
    /// let mut seen = world.changes::<Health>();
    /// for (_, mut health) in world.view_mut::<Mut<Health>>() {
    ///     health.bypass().0 = 7;
    /// }
    /// world.advance(&mut seen);
    /// assert!(seen.changed().is_empty());
    /// ```
    #[must_use]
    pub fn bypass(&mut self) -> &mut T {
        if const { T::INDEX.is_some() }
            && let Some(track) = self.track
        {
            track.mark_for_index(self.entity.index());
        }
        self.value
    }
}

impl<T> Deref for Mut<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T: AnyComponent> DerefMut for Mut<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        if let Some(track) = self.track {
            track.mark_beside_others(self.entity.index());
        }
        self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Mut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// A storage with each value as a whole, so that a guard can lend it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "there is no `Mut<{T}>`, as `{T}` is stored in columns",
    label = "cannot be lent by a guard",
    note = "ask for `&mut {T}`, or for a column of it, which marks all matches"
)]
pub trait WholeRows<T>: Container<T> {
    fn whole<'a>(value: Self::RefMut<'a>) -> &'a mut T
    where
        T: 'a;
}

impl<T: Send + Sync + 'static> WholeRows<T> for Vec<T> {
    #[inline(always)]
    fn whole<'a>(value: &'a mut T) -> &'a mut T
    where
        T: 'a,
    {
        value
    }
}

/// Fetches a [`Mut`].
#[doc(hidden)]
pub struct MakeMut<T>(PhantomData<fn() -> T>);

impl<T: AnyComponent<Storage: WholeRows<T>>> Map for MakeMut<T> {
    type From = (EntityFetch, Guarded<T>, ReadMarks<T>);
    type Plain = Self;
    type Item<'w> = Mut<'w, T>;
    type Chunk<'w> = <Self::From as Fetch>::Chunk<'w>;
    type ReadOnly = Read<T>;
    const TESTS: Access = Access::Nothing;
    #[inline(always)]
    fn map<'w>(item: <Self::From as Fetch>::Item<'w>) -> Mut<'w, T> {
        let (entity, value, track) = item;
        Mut { value: T::Storage::whole(value), entity, track }
    }
    #[inline(always)]
    fn map_chunk<'w>(chunk: <Self::From as Fetch>::Chunk<'w>) -> Self::Chunk<'w> {
        chunk
    }
}

known!(InQueries: ['w, T: AnyComponent] Mut<'w, T>,);

impl<T: AnyComponent<Storage: WholeRows<T>>> Term for Mut<'_, T> {
    type Fetch = Mapped<MakeMut<T>>;
    type WithEntity = (EntityFetch, Mapped<MakeMut<T>>);
}

#[cfg(test)]
mod tests {
    use crate::{Component, Mut, World};
    use std::format;

    #[derive(Component, Debug, PartialEq)]
    #[component(track)]
    struct Health(u32);

    #[test]
    fn a_guard_prints_its_value_and_returns_if_a_new_one_differs() {
        let mut world = World::new();
        world.spawn(Health(1));
        for (_, mut health) in world.view_mut::<Mut<Health>>() {
            assert_eq!(format!("{health:?}"), "Health(1)");
            assert!(!health.set_if_neq(Health(1)) && health.set_if_neq(Health(2)));
            assert_eq!(*health, Health(2));
        }
    }
}
