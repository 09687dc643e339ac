//! Inserting, removing and changing components.

use crate::bundle::{Bundle, Inserter, Parts, check_bundle, parts_of};
use crate::component::set::ComponentSet;
use crate::component::slot::ComponentIndex;
use crate::component::{Component, RefMut, index_of};
use crate::entity::Entity;
use crate::world::World;
use crate::world::error::{NoSuchEntityError, RemoveError};

impl World {
    /// Gives `entity` the components of `bundle`; a component that it has is replaced in place and
    /// the old value dropped: if that panics, the components after it are dropped and not inserted.
    /// O(components).
    ///
    /// # Errors
    /// When there is no such entity; the bundle is dropped then.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # #[derive(Component)] struct Armour(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// world.insert(entity, (Health(3), Armour(5))).unwrap();
    /// world.insert(entity, Health(4)).unwrap();
    /// assert_eq!(world.get::<Health>(entity).unwrap().0, 4);
    /// ```
    #[inline(always)]
    pub fn insert<B: Bundle>(
        &mut self,
        entity: Entity,
        bundle: B,
    ) -> Result<(), NoSuchEntityError> {
        const { check_bundle::<B>() };
        self.put(entity, parts_of(bundle))
    }

    /// As [`insert`](Self::insert), for a bundle that was checked where the user named it.
    #[inline(always)]
    pub(crate) fn put<P: Parts>(
        &mut self,
        entity: Entity,
        parts: P,
    ) -> Result<(), NoSuchEntityError> {
        if !self.entities.wake(entity) {
            return Err(NoSuchEntityError(entity));
        }
        let Self { pools, entities, groups } = self;
        parts.insert(&mut Inserter::new(pools, entities, entity, groups));
        Ok(())
    }

    /// Takes a component from `entity`; `None` if it has none, is dead, or the veto refuses. O(1).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// assert_eq!(world.remove::<Health>(entity), Some(Health(3)));
    /// assert_eq!(world.remove::<Health>(entity), None);
    /// ```
    #[inline(always)] // so that nothing is moved out by way of memory that is dropped at once
    pub fn remove<T: Component>(&mut self, entity: Entity) -> Option<T> {
        if T::GUARDED && !T::permits_removal(self.get_mut::<T>(entity)?) {
            return None;
        }
        let index = index_of::<T>(); // user code, which may panic: before anything is changed
        if self.groups.watch(index.get()) {
            return self.take_watched(entity, index);
        }
        // The record keeps the bit (E4): writing it would take longer than all the rest.
        self.pools.get_mut_at(index)?.remove(entity)
    }

    /// Takes a component that groups watch: its entity leaves those that require it, and may join
    /// those that exclude it.
    #[inline(never)]
    fn take_watched<T: Component>(
        &mut self,
        entity: Entity,
        index: ComponentIndex<T>,
    ) -> Option<T> {
        let value = if self.groups.require(index.get()) {
            let (from, by) = self.groups.leave(&mut self.pools, entity, index)?;
            self.pools.get_mut_at(index)?.remove_by_way_of(entity, from, by)
        } else {
            self.pools.get_mut_at(index)?.remove(entity)?
        };
        self.note_removal(entity, index.get());
        Some(value)
    }

    /// Tells the record of `entity`, and the groups that exclude this component, that it has none any
    /// more.
    #[inline]
    pub(super) fn note_removal(&mut self, entity: Entity, number: u32) {
        let Self { pools, entities, groups } = self;
        // What has no place of its own stays: the entity may have another one of those.
        let gone = ComponentSet::of(number);
        if !gone.is_coarse() {
            entities.remove_all(entity, gone);
        }
        if groups.exclude(number) {
            groups.update(pools, entity, &entities.components(entity), number);
        }
    }

    /// As [`remove`](Self::remove), and says why nothing was removed. O(1).
    ///
    /// # Errors
    /// When there is no such entity, it lacks the component, or the veto refuses; nothing has
    /// changed then, but for what the veto itself changed.
    ///
    /// ```
    /// # use ecs::{Component, RemoveError, World};
    /// # #[derive(Component, Debug)] struct Health(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// let error = world.try_remove::<Health>(entity).unwrap_err();
    /// assert_eq!(error, RemoveError::Missing(entity, "Health"));
    /// ```
    pub fn try_remove<T: Component>(&mut self, entity: Entity) -> Result<T, RemoveError> {
        if !self.is_alive(entity) {
            return Err(RemoveError::NoSuchEntity(entity));
        }
        if self.get::<T>(entity).is_none() {
            return Err(RemoveError::Missing(entity, T::NAME));
        }
        self.remove(entity).ok_or(RemoveError::Refused(entity, T::NAME))
    }

    /// Changes a component in place, and returns what `change` returns, if there is one. O(1),
    /// beside what `change` takes.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// let left = world.patch::<Health, _>(entity, |health| {
    ///     health.0 -= 1;
    ///     health.0
    /// });
    /// assert_eq!(left, Some(2));
    /// ```
    #[inline]
    pub fn patch<T: Component, R>(
        &mut self,
        entity: Entity,
        change: impl FnOnce(RefMut<'_, T>) -> R,
    ) -> Option<R> {
        self.get_mut::<T>(entity).map(change)
    }
}
