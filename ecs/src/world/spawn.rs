//! Making and ending entities.

use crate::bundle::{Bundle, Inserter, Parts, check_bundle, is_distinct, parts_of};
use crate::entity::Entity;
use crate::signature::Signature;
use crate::world::World;
use crate::world::error::DespawnError;
use crate::world::handle::EntityMut;
use crate::world::name::Name;
use alloc::string::String;

impl World {
    /// Makes an entity without components, and returns the handle to fill it with. O(1).
    ///
    /// # Panics
    /// When all 2^32 - 1 indices are in use: by entities that are alive or reserved, or used up by as
    /// many generations.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Default)] struct Proximity { distance: f32 }
    /// # #[derive(Component)] struct Audio { volume: f32 }
    /// let mut world = World::new();
    /// let entity = world.spawn().add::<Proximity>().insert(Audio { volume: 4.0 }).id();
    /// assert!(world.contains(entity));
    /// ```
    #[inline]
    pub fn spawn(&mut self) -> EntityMut<'_> {
        let entity = self.entities.spawn(Signature::EMPTY);
        EntityMut::new(self, entity)
    }

    /// Makes an entity with a name. O(1).
    ///
    /// # Panics
    /// As [`spawn`](Self::spawn).
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// let bob = world.spawn_named("Bob").id();
    /// assert_eq!(world.name(bob), Some("Bob"));
    /// ```
    #[inline]
    pub fn spawn_named(&mut self, name: impl Into<String>) -> EntityMut<'_> {
        self.spawn_with(Name::new(name))
    }

    /// Makes an entity with the components of `bundle`: faster than one by one. O(components).
    ///
    /// # Panics
    /// As [`spawn`](Self::spawn).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, Default, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entity = world.spawn_with((Health(3), ecs::Name::new("Bob"))).id();
    /// assert!(world.has::<(Health, ecs::Name)>(entity));
    /// ```
    #[inline]
    pub fn spawn_with<B: Bundle>(&mut self, bundle: B) -> EntityMut<'_> {
        const { check_bundle::<B>() };
        let entity = self.insert_new(parts_of(bundle));
        EntityMut::new(self, entity)
    }

    #[inline]
    pub(super) fn insert_new<P: Parts>(&mut self, parts: P) -> Entity {
        if const { !is_distinct(&P::PART) } {
            // Instances of one generic type, which may be the same one: insert one after another.
            let entity = self.entities.spawn(Signature::EMPTY);
            let _ = self.put(entity, parts); // the entity is alive
            return entity;
        }
        let entity = self.entities.spawn(P::SIGNATURE);
        let made = core::slice::from_ref(&entity);
        let filling = Filling::new(self, made);
        parts.insert(&mut Inserter::fresh(&mut filling.world.pools, entity));
        filling.finish();
        if self.groups.watch(P::SIGNATURE) {
            self.groups.welcome(&mut self.pools, made, P::SIGNATURE);
        }
        entity
    }

    /// Makes the signature of a living entity exact. O(pools).
    #[cold]
    fn restore_signature(&mut self, entity: Entity) {
        if let Some(record) = self.entities.record_mut(entity) {
            let pools = self.pools.iter().filter(|pool| pool.contains(entity));
            record.signature = pools.fold(Signature::EMPTY, |bits, pool| bits.union(pool.bit()));
            self.groups.update(&mut self.pools, entity, record.signature, record.signature);
        }
    }

    /// Hands out an entity through a shared borrow, from any number of threads at once.
    ///
    /// It counts as alive from now on, and can be given components as soon as the world is
    /// borrowed exclusively. It comes alive when it is given some, or earlier by a spawn, a despawn, a
    /// batch of insertions or a mutable view; until it does, it matches no query. O(1), without a lock.
    ///
    /// # Panics
    /// As [`spawn`](Self::spawn).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let entity = world.reserve();
    /// assert!(world.contains(entity));
    /// world.insert(entity, Health(3)).unwrap();
    /// ```
    #[must_use]
    pub fn reserve(&self) -> Entity {
        self.entities.reserve()
    }

    /// Ends an entity and drops its components. O(components that it has or had, and those that share
    /// their bits); where a component with its bits has a veto, O(pools).
    ///
    /// The vetoes of its components are asked first; the values are dropped last.
    ///
    /// # Errors
    /// When there is no such entity, or a veto refuses; nothing has changed then, but for what vetoes
    /// themselves changed.
    ///
    /// ```
    /// # use ecs::{DespawnError, World};
    /// let mut world = World::new();
    /// let entity = world.spawn().id();
    /// assert_eq!(world.despawn(entity), Ok(()));
    /// assert_eq!(world.despawn(entity), Err(DespawnError::NoSuchEntity(entity)));
    /// ```
    #[doc(alias = "delete", alias = "destroy")]
    pub fn despawn(&mut self, entity: Entity) -> Result<(), DespawnError> {
        let Some(&mut record) = self.entities.record_mut(entity) else {
            return Err(DespawnError::NoSuchEntity(entity));
        };
        if let Some(name) = self.pools.refusal(entity, record.signature) {
            return Err(DespawnError::Refused(entity, name));
        }
        if self.groups.require(record.signature) {
            let World { pools, groups, .. } = self;
            groups.leave_all(pools, entity, record.signature, Signature::EMPTY);
        }
        self.entities.free(entity);
        self.pools.remove_all(entity, record.signature);
        Ok(())
    }

    /// Ends all entities and drops all components, without asking vetoes. O(indices and components).
    ///
    /// Keeps the room for entities and for values; gives back the pages by which pools find them.
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// let entity = world.spawn().id();
    /// world.clear();
    /// assert!(world.is_empty() && !world.contains(entity));
    /// ```
    #[doc(alias = "despawn_all")]
    pub fn clear(&mut self) {
        self.groups.clear();
        self.entities.clear();
        self.pools.clear();
    }
}

/// Entities that have a bundle's bits already, and are given its components.
///
/// Should that panic, for want of memory or as a component does not tell its number, the signatures
/// are set right.
pub(super) struct Filling<'w, 'e> {
    pub(super) world: &'w mut World,
    entities: &'e [Entity],
}

impl<'w, 'e> Filling<'w, 'e> {
    #[inline]
    pub(super) fn new(world: &'w mut World, entities: &'e [Entity]) -> Self {
        Self { world, entities }
    }

    /// Ends it: they were given all.
    #[inline]
    pub(super) fn finish(mut self) {
        self.entities = &[];
    }
}

impl Drop for Filling<'_, '_> {
    #[inline]
    fn drop(&mut self) {
        for &entity in self.entities {
            self.world.restore_signature(entity);
        }
    }
}
