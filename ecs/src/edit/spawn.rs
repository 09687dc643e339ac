//! Making worlds and entities.

use crate::component::set::ComponentSet;
use crate::edit::bundle::{
    Bundle, Inserter, Parts, Recipient, check_new_bundle, is_distinct, parts_of,
};
use crate::edit::commit;
use crate::entities::{Entities, SpawnAtError};
use crate::entity::Entity;
use crate::group::groups::Groups;
use crate::notify::calls::Calls;
use crate::notify::observe::Observers;
use crate::order::PoolOrder;
use crate::pool::pools::Pools;
use crate::pool::watch::Question;
use crate::query::matcher::Stores;
use crate::relation::relate::admit_new;
use crate::resource::Resources;
use crate::world::World;
use crate::world::handle::EntityMut;
use crate::world::name::Name;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

/// # Creating a world
impl World {
    /// Returns a world without entities. Allocates nothing.
    ///
    /// ```
    /// assert!(ecs::World::new().is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self {
            entities: Entities::new(),
            pools: Pools::new(),
            groups: Groups::new(),
            resources: Resources::new(),
            observers: Observers::new(),
            calls: Calls::new(),
            taking: None,
            order: PoolOrder::new(),
            #[cfg(feature = "serde")]
            unknown: None,
        }
    }

    /// Returns the parts that queries read.
    #[inline(always)]
    pub(crate) const fn stores(&self) -> Stores<'_> {
        Stores { pools: &self.pools, entities: &self.entities, groups: &self.groups }
    }

    /// Returns the number of entities that are alive, [reserved](Self::reserve_entity) ones included. O(1).
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// world.spawn_empty();
    /// let _ = world.reserve_entity();
    /// assert_eq!(world.len(), 2);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    /// Returns `true` if no entity is alive or reserved. O(1).
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// assert!(world.is_empty());
    /// world.spawn_empty();
    /// assert!(!world.is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// # Spawning entities
impl World {
    /// Makes an entity without components, and returns the handle to fill it with. O(1).
    ///
    /// # Panics
    /// Panics if all 2^32 - 1 indices are in use: by entities that are alive or reserved, or used up by as many
    /// generations.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Default)] struct Proximity { distance: f32 }
    /// # #[derive(Component)] struct Audio { volume: f32 }
    /// let mut world = World::new();
    /// let entity = world.spawn_empty().add::<Proximity>().insert(Audio { volume: 4.0 }).id();
    /// assert!(world.is_alive(entity));
    /// ```
    #[inline]
    pub fn spawn_empty(&mut self) -> EntityMut<'_> {
        let entity = self.entities.spawn();
        EntityMut::new(self, entity)
    }

    /// Makes an entity with this handle: one that was saved, or that another world gave out. It has no
    /// components. O(1); and 24 bytes for each index before it that was never in use.
    ///
    /// # Errors
    /// Returns an error if an entity has its index, or an entity with its index and this or a later generation was
    /// despawned. So it does if the index is more than 2^24 beyond the ones in use. The world is unchanged then.
    ///
    /// ```
    /// # use ecs::{Component, Entity, World};
    /// # #[derive(Component)] struct Health(u32);
    /// let saved: Entity = "7v3".parse().unwrap();
    /// let mut world = World::new();
    /// world.spawn_at(saved).unwrap().insert(Health(3));
    /// assert!(world.has::<Health>(saved) && world.spawn_at(saved).is_err());
    /// assert_eq!(world.spawn_empty().id().to_string(), "0v1");
    /// ```
    #[inline]
    pub fn spawn_at(&mut self, entity: Entity) -> Result<EntityMut<'_>, SpawnAtError> {
        self.entities.spawn_at(entity)?;
        Ok(EntityMut::new(self, entity))
    }

    /// Makes an entity with a name. O(1).
    ///
    /// # Panics
    /// Panics like [`spawn_empty`](Self::spawn_empty).
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// let bob = world.spawn_named("Bob").id();
    /// assert_eq!(world.name(bob), Some("Bob"));
    /// ```
    #[inline]
    pub fn spawn_named(&mut self, name: impl Into<String>) -> EntityMut<'_> {
        self.spawn(Name::new(name))
    }

    /// Makes an entity with the components of `bundle`: faster than one by one. O(components).
    ///
    /// # Panics
    /// Panics like [`spawn_empty`](Self::spawn_empty). Also panics if a [relation](crate::Relation) of the bundle points
    /// to an entity that is not alive, or if another entity has an equal component that is
    /// [unique](crate::guide::indexes#unique-values). So does a [rule](crate::guide::rules) between generic components that
    /// forbids the bundle. Nothing is spawned then.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, Default, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entity = world.spawn((Health(3), ecs::Name::new("Bob"))).id();
    /// assert!(world.has::<(Health, ecs::Name)>(entity));
    /// ```
    #[inline]
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> EntityMut<'_> {
        const { check_new_bundle::<B>() };
        let entity = self.insert_new(parts_of(bundle));
        EntityMut::new(self, entity)
    }

    /// Makes an entity, like [`spawn`](Self::spawn), and one more for each bundle that `others` returns for its handle;
    /// returns the first. O(components of all).
    ///
    /// # Panics
    /// Panics if all indices are in use, or a relation of a bundle points to an entity that is not alive.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Ship;
    /// # #[derive(Component)] struct Gun(u32);
    /// # #[derive(Component)] #[component(relation)] struct PartOf(ecs::Entity);
    /// # let mut world = World::new();
    /// let ship = world.spawn_with(Ship, |ship| [1, 2].map(|gun| (Gun(gun), PartOf(ship)))).id();
    /// assert!(world.view::<(Gun, PartOf)>().iter().all(|(_, _, part)| part.0 == ship));
    /// ```
    pub fn spawn_with<B: Bundle, I: IntoIterator<Item: Bundle>>(
        &mut self,
        bundle: B,
        others: impl FnOnce(Entity) -> I,
    ) -> EntityMut<'_> {
        let entity = self.spawn(bundle).id();
        self.spawn_batch(others(entity));
        EntityMut::new(self, entity)
    }

    #[inline]
    pub(super) fn insert_new<P: Parts>(&mut self, parts: P) -> Entity {
        if const { P::IS_CHECKED } {
            admit_new(self, &parts);
        }
        if const { P::RULED } {
            self.admit_new(P::kinds);
        }
        if const { !is_distinct(&P::PART) } {
            // Instances of one generic type, which may be equal: inserted one after another.
            let entity = self.entities.spawn();
            let _ = self.put(entity, parts); // the entity is alive
            return entity;
        }
        let entity = self.entities.spawn();
        let made = core::slice::from_ref(&entity);
        let filling = Filling::new(self, made);
        let World { pools, entities, .. } = &mut *filling.world;
        let mut inserter =
            Inserter::new(pools, entities, entity, Recipient::FRESH, const { P::HAVE_LONE_HOOK });
        parts.insert(&mut inserter);
        if const { P::REQUIRES } {
            P::require(&mut inserter, P::ALL);
        }
        let hook = inserter.hook();
        inserter.finish();
        if P::may_be_watched(&filling.world.pools) {
            filling.complete_spawn(P::numbers, P::REQUIRES);
            return entity;
        }
        filling.finish();
        if const { P::HAVE_LONE_HOOK }
            && let Some(hook) = hook
        {
            self.call_hook(hook, entity);
        }
        entity
    }

    /// Makes the set of components of a living entity exact, but for its mark. O(pools).
    #[cold]
    fn restore_components(&mut self, entity: Entity) {
        let Self { pools, entities, groups, .. } = self;
        commit::broken_insertion(pools, entities, groups, entity);
    }

    /// Hands out an entity through a shared borrow, from any number of threads at once.
    ///
    /// It counts as alive from now on, and can be given components as soon as the world is borrowed exclusively. It
    /// matches no query until it comes alive: when it is given components, or earlier by a spawn, a despawn, a batch of
    /// insertions or a mutable view. O(1), without a lock.
    ///
    /// # Panics
    /// Panics like [`spawn_empty`](Self::spawn_empty), or in a system of a [`Schedule`](crate::Schedule) that takes
    /// `&World`: such systems may overlap, so chance would decide the entity that each gets. Take an
    /// [`EntityAllocator`](crate::EntityAllocator) beside it.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let entity = world.reserve_entity();
    /// assert!(world.is_alive(entity));
    /// world.insert(entity, Health(3)).unwrap();
    /// ```
    #[must_use]
    #[track_caller]
    pub fn reserve_entity(&self) -> Entity {
        self.entities.reserve()
    }
}

/// Entities that are being given a bundle's components.
///
/// If that panics, for want of memory or in a component's number, a drop corrects the sets of their components.
pub(super) struct Filling<'w, 'e> {
    pub(super) world: &'w mut World,
    entities: &'e [Entity],
}

impl<'w, 'e> Filling<'w, 'e> {
    #[inline]
    pub(super) fn new(world: &'w mut World, entities: &'e [Entity]) -> Self {
        Self { world, entities }
    }

    /// Ends the insertion: the entities were given all components.
    #[inline]
    pub(super) fn finish(mut self) {
        self.entities = &[];
    }

    /// Ends the insertion for one entity that was just made: completes the insertion of its parts and their
    /// requirements, and notifies listeners.
    #[inline(never)]
    fn complete_spawn(mut self, tell: fn(&mut dyn FnMut(u32)), requires: bool) {
        let World { pools, entities, .. } = &mut *self.world;
        let [entity] = *self.entities else { return };
        let (components, mut given) =
            (entities.components(entity), mem::take(&mut pools.watch.log.given));
        given.clear();
        if pools.watch.answer_any(Question::Row, &components) {
            tell(&mut |number| given.push((number, 0))); // user code, which may panic
            if requires {
                add_held(pools, entity, &components, &mut given);
            }
        }
        let Self { ref mut world, entities: made } = self;
        let World { pools, entities, groups, .. } = &mut **world;
        pools.watch.log.begin();
        commit::insertions(pools, entities, groups, made, &components, &given, true);
        pools.watch.log.given = given;
        self.entities = &[];
        self.world.notify_added();
    }
}

/// Adds the components that the entity has and that are not in the list yet. By itself, as observers nest in the frame of
/// [`Filling::complete_spawn`].
#[inline(never)]
fn add_held(
    pools: &Pools,
    entity: Entity,
    components: &ComponentSet,
    given: &mut Vec<(u32, usize)>,
) {
    for number in pools.held(entity, *components) {
        if !given.contains(&(number, 0)) {
            given.push((number, 0));
        }
    }
}

impl Drop for Filling<'_, '_> {
    fn drop(&mut self) {
        for &entity in self.entities {
            self.world.restore_components(entity);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{ChildOf, World};

    #[test]
    fn an_entity_whose_components_are_restored_stays_a_target() {
        let mut world = World::new();
        let parent = world.spawn_named("Bob").id();
        world.spawn(ChildOf(parent));
        world.restore_components(parent);
        world.check_invariants();
        world.despawn(parent).unwrap();
        assert!(world.is_empty());
    }
}
