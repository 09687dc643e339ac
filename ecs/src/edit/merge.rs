//! Insertion of entities with components of all kinds at once: from another world, or as copies.

use crate::component::data::{Loose, WholePool};
use crate::component::set::ComponentSet;
use crate::copy::replaced::Replaced;
use crate::edit::commit;
use crate::entities::out_of_indices;
use crate::entity::Entity;
use crate::pool::pools::Pools;
use crate::relation::ends::RelateError;
use crate::storage::sparse_set::SparseSet;
use crate::world::World;
use crate::world::error::{CopyError, MergeError};
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;

/// Components of one type that are to be moved into a pool, and their entities.
pub(crate) struct Incoming {
    pub(crate) number: u32,
    pub(crate) keys: Vec<Entity>,
    pub(crate) values: Box<Loose>,
}

/// Entities that were just made for incoming components. They end if the insertion panics, before they are
/// [kept](Self::keep).
pub(crate) struct Made<'w> {
    pub(crate) world: &'w mut World,
    pub(crate) entities: Vec<Entity>,
}

impl<'w> Made<'w> {
    /// Makes `count` entities, which may have these components.
    ///
    /// # Panics
    /// Panics if there are too few indices; no entity is made then.
    #[inline]
    pub(crate) fn new(world: &'w mut World, count: usize, components: ComponentSet) -> Self {
        let mut made = Self { world, entities: Vec::with_capacity(count) };
        made.world.entities.spawn_many(count, components, &mut made.entities);
        if made.entities.len() < count {
            out_of_indices();
        }
        made
    }

    /// Returns the entities, which stay alive.
    #[inline]
    pub(crate) fn keep(mut self) -> Vec<Entity> {
        core::mem::take(&mut self.entities)
    }
}

impl Drop for Made<'_> {
    fn drop(&mut self) {
        for entity in self.entities.drain(..).rev() {
            self.world.entities.free(entity);
        }
    }
}

/// A world whose components are taken away: it is empty at the end.
struct Emptied<'w>(&'w mut World);

impl Drop for Emptied<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.empty();
    }
}

/// # Merging worlds
impl World {
    /// Moves all entities of another world into this one, with their components, under new handles. Returns the new
    /// handle for each old one. Handles in [relations](crate::Relation), and handles that
    /// [`MapEntities`](crate::MapEntities) finds in components, become the new ones; handles of dead entities
    /// become [`Entity::PLACEHOLDER`]. The sources of one target keep their order. O(entities and components).
    ///
    /// Hooks and observers of this world are notified of insertions when all entities are complete. The other world is
    /// empty then, as if by [`clear`](Self::clear): it keeps its resources, groups and observers.
    ///
    /// # Errors
    /// Returns an error, and leaves both worlds unchanged, if an entity has such a component:
    ///
    /// * one field may hold handles, and nothing replaces them;
    /// * the other world loaded the component as unknown, by `Limits::keep_unknown`;
    /// * it is [unique](crate::guide::indexes#unique-values), and an entity of this world has an equal one.
    ///
    /// # Panics
    /// Panics like [`spawn_empty`](Self::spawn_empty), and if it is called by a hook or an observer of the other world.
    /// If a [`MapEntities`](crate::MapEntities) panics, no entity is added, and the other world is empty.
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut level = World::new();
    /// let ship = level.spawn_named("ship").id();
    /// level.spawn(ChildOf(ship));
    ///
    /// let mut world = World::new();
    /// world.spawn_named("was here");
    /// let new = world.merge(&mut level).unwrap();
    /// assert!(level.is_empty());
    /// let ship = *new.get(ship).unwrap();
    /// assert_eq!((world.name(ship), world.children(ship).len()), (Some("ship"), 1));
    /// ```
    #[inline]
    pub fn merge(&mut self, other: &mut Self) -> Result<SparseSet<Entity, Entity>, MergeError> {
        self.merge_around(other, &[])
    }

    /// Merges another world like [`merge`](Self::merge), except for entities without components that stand for living
    /// entities of this world: pairs of both.
    #[inline]
    pub(crate) fn merge_around(
        &mut self,
        other: &mut Self,
        standing: &[(Entity, Entity)],
    ) -> Result<SparseSet<Entity, Entity>, MergeError> {
        other.refuse_while_notifying("merged into another one");
        other.check_merge(self)?;
        self.check_unique_of(other)?;
        other.entities.flush();
        let mut old: Vec<Entity> = other.entities.iter().collect();
        old.retain(|entity| !standing.iter().any(|(stands, _)| stands == entity));
        let made = Made::new(self, old.len(), ComponentSet::EMPTY);
        let new = old.into_iter().zip(made.entities.iter().copied());
        let new: SparseSet<Entity, Entity> = new.chain(standing.iter().copied()).collect();
        let mapped = |entity: Entity| new.get(entity).copied().unwrap_or(Entity::PLACEHOLDER);
        other.pools.track_all_ends();
        let numbers: Vec<u32> = other.pools.numbered().map(|(number, _)| number).collect();
        let emptied = Emptied(other);
        let from = &mut emptied.0.pools;
        let mut incoming = Vec::new();
        for number in numbers {
            let pool = from.at_mut(number);
            if !pool.is_empty() {
                let keys = pool.keys().iter().map(|entity| mapped(*entity)).collect();
                let values = pool.set_mut().take_values();
                let values = pool.kind().map_loose(values, &mut |_, entity| mapped(entity));
                made.world.pools.create_like(number, pool);
                incoming.push(Incoming { number, keys, values });
            }
        }
        let made = made.keep();
        self.take_in(&made, incoming, &|pools: &mut Pools| {
            pools.relations.order_like(&emptied.0.pools.relations, &mapped);
        });
        drop(emptied);
        other.announce(Replaced::Cleared);
        Ok(new)
    }

    /// Returns an error if the entities cannot move to another world with all that they have.
    #[inline]
    fn check_merge(&self, into: &Self) -> Result<(), MergeError> {
        if let Some(name) = into.pools.other_fields(&self.pools, |_| false) {
            return Err(MergeError(CopyError::OtherFields(name).to_string()));
        }
        for pool in self.pools.iter().filter(|pool| !pool.is_empty()) {
            pool.kind().handle_error().map_or(Ok(()), |what| Err(MergeError(what)))?;
        }
        #[cfg(feature = "serde")]
        if let Some(name) = self.unknown_names().next() {
            return Err(MergeError(alloc::format!(
                "the world loaded `{name}` as unknown, so handles in it cannot be replaced: register it before it is \
                 loaded, or load without it by `Limits::skip_unknown`"
            )));
        }
        Ok(())
    }

    /// Returns an error if an entity of another world has a unique component that one of this world has, too.
    #[inline]
    fn check_unique_of(&self, other: &Self) -> Result<(), MergeError> {
        for (number, pool) in other.pools.numbered().filter(|(_, pool)| !pool.is_empty()) {
            let Some(rule) = pool.unique() else { continue };
            let index = self.pools.index(number);
            let (pool, members, name) = (pool.as_any(), pool.keys(), pool.name());
            let pool = WholePool { world: index, pool, members, patch: None };
            (rule.check_pool)(pool).map_err(|(_, holder)| {
                MergeError(RelateError::NotUnique(name, holder).to_string())
            })?;
        }
        Ok(())
    }

    /// Makes `count` entities, which may have these components.
    ///
    /// # Panics
    /// Panics if there are too few indices; no entity is made then.
    #[cfg(feature = "serde")]
    pub(crate) fn make(&mut self, count: usize, components: ComponentSet) -> Vec<Entity> {
        Made::new(self, count, components).keep()
    }

    /// Moves components into their pools for entities that were just made; then `order` orders their
    /// relations. No user code runs before all is there.
    #[inline]
    pub(crate) fn take_in(
        &mut self,
        made: &[Entity],
        incoming: Vec<Incoming>,
        order: &dyn Fn(&mut Pools),
    ) {
        let Self { pools, entities, groups, .. } = self;
        let mut given = Vec::new();
        for Incoming { number, keys, values } in incoming {
            pools.at_mut(number).take_in(&keys, values);
            for entity in &keys {
                entities.add(*entity, number);
            }
            given.push((number, keys));
        }
        pools.watch.log.begin();
        commit::insertions_into_made(pools, entities, groups, made, &given);
        order(pools);
        self.notify_all_added(made.len() > 1, false);
    }
}
