//! Inspection of a world: its entities and their components, its memory, its invariants.

use crate::entities::EntityIter;
use crate::entity::Entity;
use crate::order::check::check;
use crate::pool::WorldPool;
use crate::pool::kind::Kind;
use crate::storage::memory::MemoryUsage;
use crate::world::World;
use crate::world::handle::EntityRef;
use alloc::vec::Vec;

/// The bytes that a world holds on the heap, without memory that its components and resources own.
///
/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component)] struct Health(u32);
/// let mut world = World::new();
/// world.spawn_batch((0..1_000).map(Health));
/// let memory = world.memory_usage();
/// assert!(memory.pools[0].0 == "Health" && memory.pools[0].1.values >= 4_000);
/// assert!(memory.entities >= 16_000 && memory.groups == 0); // a record takes 16 bytes
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorldMemory {
    /// Records and free handles of entities.
    pub entities: usize,
    /// The tables through which pools are found.
    pub tables: usize,
    /// The groups: their terms, and the entities of groups that own no pool.
    pub groups: usize,
    /// The order of the pools, and the memory of its upkeep.
    pub order: usize,
    /// The lists of observers, without their captures.
    pub observers: usize,
    /// The resources, and the table through which they are found.
    pub resources: usize,
    /// Each pool: the component's name and its pool's bytes.
    pub pools: Vec<(&'static str, MemoryUsage)>,
}

impl WorldMemory {
    /// Returns the sum of all parts.
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// world.spawn_named("Bob");
    /// let memory = world.memory_usage();
    /// let of_pools = memory.pools[0].1.total();
    /// assert_eq!(memory.total(), memory.entities + memory.tables + memory.groups + of_pools);
    /// ```
    #[must_use]
    #[inline]
    pub fn total(&self) -> usize {
        self.entities
            + self.tables
            + self.groups
            + self.order
            + self.observers
            + self.resources
            + self.pools.iter().map(|(_, usage)| usage.total()).sum::<usize>()
    }
}

/// # Looking into a world
impl World {
    /// Returns the kinds of all components that the world has a pool of, even an empty one; in the order in which the
    /// process first used the components.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::by_name::Kind;
    /// let mut world = World::new();
    /// world.spawn_named("Bob");
    /// assert_eq!(world.kinds().map(Kind::name).collect::<Vec<_>>(), ["Name"]);
    /// ```
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.pools.iter().map(WorldPool::kind)
    }

    /// Returns all entities, in the order of their indices; then the entities that were
    /// [reserved](Self::reserve_entity) and did not come alive yet, in the order in which they were handed out.
    /// O(indices).
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// let (a, b) = (world.spawn_empty().id(), world.spawn_empty().id());
    /// let reserved = world.reserve_entity();
    /// assert_eq!(world.entities().collect::<Vec<_>>(), [a, b, reserved]);
    /// ```
    pub fn entities(&self) -> EntityIter<'_> {
        self.entities.iter_all()
    }

    /// Returns the entities from this index on, in the order of their indices, including
    /// [reserved](Self::reserve_entity) ones. The first one is found at once, so a tool shows any part of a long list.
    /// O(indices that are looked at).
    ///
    /// ```
    /// # use ecs::{Entity, World};
    /// # let mut world = World::new();
    /// let all: Vec<Entity> = (0..1_000).map(|_| world.spawn_empty().id()).collect();
    /// world.despawn(all[900]).unwrap();
    /// let page: Vec<Entity> = world.entities_from(899).take(3).collect();
    /// assert_eq!(page, [all[899], all[901], all[902]]);
    /// // The next page begins behind the last.
    /// let next = world.entities_from(page[2].index() + 1).next();
    /// assert_eq!(next, Some(all[903]));
    /// ```
    #[inline]
    pub fn entities_from(&self, index: u32) -> impl Iterator<Item = Entity> {
        self.entities.iter_from(index)
    }

    /// Returns the kinds of the components that `entity` has; none of a dead one, or one that is only reserved.
    /// O(components that it has or had, and components that share their bits).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use ecs::by_name::Kind;
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn_named("Alice").insert(Health(3)).id();
    /// let mut names: Vec<_> = world.components(entity).map(Kind::name).collect();
    /// names.sort_unstable();
    /// assert_eq!(names, ["Health", "Name"]);
    /// ```
    pub fn components(&self, entity: Entity) -> impl Iterator<Item = Kind> {
        EntityRef::new(self.stores(), entity).components()
    }

    /// Returns the bytes held on the heap, by part, without memory that components and resources own. O(pools and
    /// pages).
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// assert_eq!(world.memory_usage().total(), 0);
    /// world.spawn_named("Alice");
    /// assert!(world.memory_usage().total() > 0);
    /// ```
    #[must_use]
    #[inline]
    pub fn memory_usage(&self) -> WorldMemory {
        let tiling = self.pools.tiling();
        WorldMemory {
            entities: self.entities.memory(),
            tables: self.pools.memory(),
            groups: self.groups.memory(),
            order: self.order.memory() + tiling.map_or(0, |it| size_of_val(it) + it.memory()),
            observers: self.observers.memory(),
            resources: self.resources.memory(),
            pools: self.pools.iter().map(|pool| (pool.name(), pool.memory_usage())).collect(),
        }
    }

    /// Frees the memory that no entity and no component needs. O(pools and pages), beside the
    /// copying. An index that was ever in use keeps its 16 bytes, and 8 while it waits to be used
    /// again; a pool once made stays.
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// (0..1_000).for_each(|_| drop(world.spawn_named("one of many").id()));
    /// world.clear();
    /// let before = world.memory_usage().total();
    /// world.shrink_to_fit();
    /// assert!(world.memory_usage().total() < before);
    /// ```
    #[inline]
    pub fn shrink_to_fit(&mut self) {
        self.entities.shrink_to_fit();
        self.pools.shrink_to_fit();
        self.groups.shrink_to_fit();
        self.order.shrink_to_fit();
        self.observers.collectors.shrink_to_fit();
    }

    /// Checks all invariants, for tests.
    ///
    /// # Panics
    /// Panics if an invariant is broken, and names it.
    #[doc(hidden)]
    #[inline]
    pub fn check_invariants(&self) {
        let fail = |part: &str, what: &str| panic!("broken invariant of {part}: {what}");
        if let Err(what) = self.entities.check() {
            fail("the entities", what);
        }
        let Self { pools, entities, .. } = self;
        let is_alive = |entity| entities.is_alive(entity);
        let checked = pools.rules.check_all(
            &|it| pools.keys_at(it),
            &|it| pools.relations.get(it),
            &is_alive,
        );
        if let Err((entity, rule)) = checked {
            panic!("broken invariant of the rules: {entity}: {rule}");
        }
        for (number, pool) in self.pools.numbered() {
            if let Err(what) = pool.check() {
                fail(pool.name(), what);
            }
            for &entity in pool.keys() {
                if !self.entities.is_alive(entity) {
                    fail(pool.name(), "a member is dead");
                }
                if !self.entities.components(entity).contains(number) {
                    fail(pool.name(), "a member's set of components lacks it");
                }
            }
        }
        if let Err(what) = self.groups.check(&self.pools) {
            fail("a group", what);
        }
        if let Err(what) = check(&self.pools) {
            fail("the order of pools", what);
        }
        let members = |number| self.pools.at(number).keys();
        let target = |number, entity| self.pools.at(number).target(entity);
        if let Err(what) = self.pools.relations.check_all(&self.entities, members, target) {
            fail("a relation", what);
        }
        let exact = self.groups.watched().difference(*self.groups.inexact());
        for entity in self.entities.iter() {
            let may_have = self.entities.components(entity);
            let is_member = |(number, pool): &(u32, &dyn WorldPool)| {
                may_have.contains(*number) && pool.contains(entity)
            };
            let has = self.pools.numbered().filter(is_member).map(|(number, _)| number).collect();
            if may_have.difference(has).intersects(&exact) {
                fail("the records", "an entity's set has a watched component that it lacks");
            }
        }
    }
}
