//! Copies: of a whole world, and of entities with all that they have.

use crate::component::Relation;
use crate::component::set::ComponentSet;
use crate::entity::Entity;
use crate::pool::WorldPool;
use crate::pool::pools::Pools;
use crate::storage::sparse_set::SparseSet;
use crate::world::World;
use crate::world::absorb::{Coming, Made};
use crate::world::error::CopyError;
use crate::world::replaced::Replaced;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// A world that is being made a copy of another one: empty, should that panic.
struct Copied<'w> {
    world: &'w mut World,
    is_whole: bool,
}

impl Drop for Copied<'_> {
    fn drop(&mut self) {
        if !self.is_whole {
            self.world.empty();
        }
    }
}

/// # Copies
impl World {
    /// A copy of this world: the same entities under the same handles, which go on alike, as the next handles are
    /// the same, too; the same components, relations and groups, in the same order by whichever way they are walked.
    /// O(indices and components).
    ///
    /// Components say that they may be copied by `#[component(clone)]`, resources by `#[resource(clone)]`. Other
    /// resources stay out of the copy; so do observers, collectors and readers of changes, hooks and vetoes not.
    ///
    /// # Errors
    /// When entities have components that may not be copied: their names.
    ///
    /// ```
    /// # use ecs::{Component, CopyError, World};
    /// #[derive(Component, Clone, Debug, PartialEq)]
    /// #[component(clone)]
    /// struct Health(u32);
    /// #[derive(Component)]
    /// struct Connection;
    ///
    /// let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// let mut copy = world.try_clone().unwrap();
    /// assert_eq!(copy.get::<Health>(entity), Some(&Health(3)));
    /// assert_eq!(copy.spawn_empty().id(), world.spawn(Connection).id());
    /// assert_eq!(world.try_clone().unwrap_err(), CopyError::NotCloned(vec!["Connection"]));
    /// ```
    pub fn try_clone(&self) -> Result<Self, CopyError> {
        let mut copy = Self::new();
        copy.copy_from(self)?;
        Ok(copy)
    }

    /// Becomes a copy of another world, as [`try_clone`](Self::try_clone) makes one, in the memory that this one
    /// has. So a frame is rolled back: keep a copy, and copy from it. What both have grown to is not allocated
    /// again. O(indices and components of both).
    ///
    /// Observers, collectors and readers of changes stay, and so do resources without `#[resource(clone)]`. Hooks and
    /// observers of components are not called. Observers of [`Replaced`] are notified once, when the copy is complete;
    /// readers of changes find that all components were removed and inserted; collectors forget what they listed.
    ///
    /// If a value's `Clone` or `Drop` panics, this world is empty, and no observer is notified of it.
    ///
    /// # Errors
    /// As [`try_clone`](Self::try_clone); this world is unchanged then.
    ///
    /// # Panics
    /// When it is called by a hook or an observer, which are told of what would not be there any more.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Clone, Debug, PartialEq)]
    /// # #[component(clone)]
    /// # struct Position(f32);
    /// let mut world = World::new();
    /// let entity = world.spawn(Position(1.0)).id();
    /// let saved = world.try_clone().unwrap();
    /// world.get_mut::<Position>(entity).unwrap().0 = 7.0;
    /// world.copy_from(&saved).unwrap();
    /// assert_eq!(world.get::<Position>(entity), Some(&Position(1.0)));
    /// ```
    pub fn copy_from(&mut self, other: &Self) -> Result<(), CopyError> {
        self.refuse_while_telling("copied into");
        refuse_uncopied(&other.pools, |_| true)?;
        let mut copied = Copied { world: self, is_whole: false };
        let Self { entities, pools, groups, resources, .. } = &mut *copied.world;
        pools.track_all_ends();
        pools.copy_from(&other.pools);
        entities.clone_from(&other.entities);
        groups.clone_from(&other.groups);
        pools.watch.set_grouped(*groups.watched());
        pools.track_all_new();
        resources.copy_from(&other.resources);
        #[cfg(feature = "serde")]
        copied.world.kept.clone_from(&other.kept);
        copied.is_whole = true;
        copied.world.announce(Replaced::Copied);
        Ok(())
    }

    /// Spawns so many copies of an entity, with all that it has, and returns them. A copy points to what the entity
    /// points to: a child's copy is a child of the same parent. Nobody points to the copies:
    /// [`spawn_copies_with`](Self::spawn_copies_with) copies those, too. O(components of all); faster than one by one.
    ///
    /// # Errors
    /// When there is no such entity, or it has components without `#[component(clone)]`; nothing is spawned then.
    ///
    /// # Panics
    /// As [`spawn_empty`](Self::spawn_empty).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Clone)] #[component(clone)] struct Health(u32);
    /// let mut world = World::new();
    /// let orc = world.spawn_named("orc").insert(Health(9)).id();
    /// let horde = world.spawn_copies(orc, 100).unwrap();
    /// assert_eq!((horde.len(), world.name(horde[99])), (100, Some("orc")));
    /// ```
    pub fn spawn_copies(&mut self, entity: Entity, count: usize) -> Result<Vec<Entity>, CopyError> {
        self.entities.flush();
        if !self.entities.is_alive(entity) {
            return Err(CopyError::NoSuchEntity(entity));
        }
        self.spawn_copies_in(&[entity], count)
    }

    /// As [`spawn_copies`](Self::spawn_copies), with those that point to the entity by a relation, those that point
    /// to these, and so on. Among themselves the copies point as what they are copies of does; so do handles in fields that are marked by `#[component(entities)]`.
    /// Returns the copies of the entity itself.
    ///
    /// # Errors
    /// As [`spawn_copies`](Self::spawn_copies), of all of them.
    ///
    /// # Panics
    /// As [`spawn_empty`](Self::spawn_empty).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let ship = world.spawn_named("ship").id();
    /// world.spawn(ChildOf(ship)).insert(ecs::Name::new("gun"));
    /// let fleet = world.spawn_copies_with::<ChildOf>(ship, 3).unwrap();
    /// let gun = world.children(fleet[2]).next().unwrap();
    /// assert_eq!((world.len(), world.name(gun)), (8, Some("gun")));
    /// ```
    pub fn spawn_copies_with<R: Relation>(
        &mut self,
        entity: Entity,
        count: usize,
    ) -> Result<Vec<Entity>, CopyError> {
        self.entities.flush();
        if !self.entities.is_alive(entity) {
            return Err(CopyError::NoSuchEntity(entity));
        }
        let mut seen = SparseSet::<(), Entity>::default(); // as there may be circles
        seen.insert(entity, ());
        let (mut all, mut at) = (Vec::from([entity]), 0);
        while let Some(&target) = all.get(at) {
            all.extend(self.related::<R>(target).filter(|it| seen.insert(*it, ()).is_none()));
            at += 1;
        }
        let mut made = self.spawn_copies_in(&all, count)?;
        let mut at = 0;
        made.retain(|_| {
            at += 1;
            (at - 1) % all.len() == 0
        });
        Ok(made)
    }

    /// Spawns so many copies of all entities of another world, a *prefab*, and returns them: those of the first copy
    /// in the order of their indices there, then those of the next. Relations and marked handles among them are
    /// as in the prefab; handles of the dead become [`Entity::NOBODY`]. Prefabs are copied, not inherited: a later
    /// change of one changes no copy. O(components of all).
    ///
    /// # Errors
    /// When the prefab has components without `#[component(clone)]`; nothing is spawned then.
    ///
    /// # Panics
    /// As [`spawn_empty`](Self::spawn_empty).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut prefab = World::new();
    /// let ship = prefab.spawn_named("ship").id();
    /// prefab.spawn(ChildOf(ship));
    ///
    /// let mut world = World::new();
    /// let made = world.spawn_copies_of(&prefab, 2).unwrap();
    /// assert_eq!(made.len(), 4);
    /// assert_eq!(world.parent(made[3]), Some(made[2]));
    /// ```
    pub fn spawn_copies_of(
        &mut self,
        prefab: &Self,
        count: usize,
    ) -> Result<Vec<Entity>, CopyError> {
        refuse_uncopied(&prefab.pools, |_| true)?;
        let sources: Vec<Entity> = prefab.entities().collect();
        let coming = copies(&prefab.pools, &sources, count);
        for (number, pool) in prefab.pools.numbered() {
            self.pools.create_like(number, pool);
        }
        Ok(self.spawn_coming(&sources, count, coming, Some(&prefab.pools)))
    }

    fn spawn_copies_in(
        &mut self,
        sources: &[Entity],
        count: usize,
    ) -> Result<Vec<Entity>, CopyError> {
        refuse_uncopied(&self.pools, |number| {
            sources.iter().any(|entity| self.pools.has(number, *entity))
        })?;
        let coming = copies(&self.pools, sources, count);
        Ok(self.spawn_coming(sources, count, coming, None))
    }

    /// Spawns what was copied, so many times, from the pools of another world, or from this one's.
    fn spawn_coming(
        &mut self,
        sources: &[Entity],
        count: usize,
        mut coming: Vec<Coming>,
        prefab: Option<&Pools>,
    ) -> Vec<Entity> {
        let each = sources.len();
        let made = Made::new(self, each * count, ComponentSet::EMPTY);
        let places: SparseSet<usize, Entity> = sources.iter().copied().zip(0..).collect();
        // Of the copy with this number, among those that were made.
        let mapped = |made: &[Entity], copy: usize, entity: Entity| match places.get(entity) {
            Some(place) => made[copy * each + place],
            None if prefab.is_some() => Entity::NOBODY,
            None => entity,
        };
        for Coming { number, keys, values } in &mut coming {
            let here = keys.len(); // a copy's
            *keys = (0..count)
                .flat_map(|copy| keys.iter().map(move |key| (copy, *key)))
                .map(|(copy, key)| mapped(&made.entities, copy, key))
                .collect();
            let pool = made.world.pools.at(*number);
            let loose = core::mem::replace(values, Box::new(()));
            let mut map = |at, entity| mapped(&made.entities, at / here, entity);
            *values = pool.map_loose(loose, &mut map);
        }
        let made = made.keep();
        self.take_in(&made, coming, &|pools: &mut Pools| {
            if let Some(prefab) = prefab {
                for copy in 0..count {
                    let copied = |entity| mapped(&made, copy, entity);
                    pools.relations.order_like(&prefab.relations, &copied);
                }
            }
        });
        made
    }
}

/// Copies of the components of some entities, of each so many.
fn copies(pools: &Pools, sources: &[Entity], count: usize) -> Vec<Coming> {
    let coming = pools.numbered().filter_map(|(number, pool)| {
        let members = sources.iter().copied().filter(|entity| pool.contains(*entity));
        let keys: Vec<Entity> = members.collect();
        let values = (!keys.is_empty()).then(|| pool.copies_of(&keys, count))?;
        Some(Coming { number, keys, values })
    });
    coming.collect()
}

/// Refuses pools with members whose values may not be copied, of those with a number that is concerned.
fn refuse_uncopied(pools: &Pools, concerns: impl Fn(u32) -> bool) -> Result<(), CopyError> {
    let is_missing =
        |number, pool: &dyn WorldPool| !pool.is_copied() && !pool.is_empty() && concerns(number);
    let missing = pools.numbered().filter(|(number, pool)| is_missing(*number, *pool));
    let names: Vec<_> = missing.map(|(_, pool)| pool.name()).collect();
    if names.is_empty() { Ok(()) } else { Err(CopyError::NotCloned(names)) }
}
