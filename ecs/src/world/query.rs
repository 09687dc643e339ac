//! Access to entities and components, one by one and by views.

use crate::component::access::reads_world;
use crate::component::alias::Borrower;
use crate::component::{AnyComponent, Ref, RefMut, check_writable};
use crate::entity::{Entity, EntityOf};
use crate::pool::track::EntitySet;
use crate::query::claim::{ClaimSet, claim, claim_beside};
#[cfg(feature = "parallel")]
use crate::query::claim::{Claims, Compared};
use crate::query::join::Join;
use crate::query::request::{Query, ReadOnlyQuery, check_matches, check_query};
use crate::query::view::View;
use crate::world::World;
use crate::world::error::NoSuchEntityError;
use crate::world::handle::{EntityMut, EntityRef};
use crate::world::pool::{PoolMut, PoolRef};

/// # Reading: single entities, views and pools
impl World {
    /// Returns `true` if `entity` is alive or [reserved](Self::reserve_entity). A reserved entity matches no query
    /// before it comes alive. O(1).
    ///
    /// ```
    /// # use ecs::World;
    /// # let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// assert!(world.is_alive(entity));
    /// world.despawn(entity).unwrap();
    /// assert!(!world.is_alive(entity) && world.is_alive(world.reserve_entity()));
    /// ```
    #[doc(alias = "contains")]
    #[must_use]
    #[inline]
    pub fn is_alive(&self, entity: Entity) -> bool {
        self.entities.contains(entity)
    }

    /// Returns the set of these entities, for [`View::among`]. An entity that is not alive is left out. O(entities).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let herd = world.spawn_batch((0..10).map(Health));
    /// world.despawn(herd[0]).unwrap();
    /// let chosen = world.entity_set(herd.iter().step_by(3).copied());
    /// assert!(chosen.len() == 3 && chosen.contains(herd[9]) && !chosen.contains(herd[1]));
    /// let total: u32 = world.view::<&Health>().among(&chosen).into_iter().map(|(_, health)| health.0).sum();
    /// assert_eq!(total, 3 + 6 + 9);
    /// ```
    #[must_use]
    pub fn entity_set(&self, entities: impl IntoIterator<Item = Entity>) -> EntitySet {
        let alive = entities.into_iter().filter(|entity| self.is_alive(*entity));
        EntitySet::of_indices(self.entities.world(), alive.map(Entity::index))
    }

    /// Returns the entities of a set that are alive, by index. O(pages of 1,024 indices that have any + entities).
    ///
    /// # Panics
    /// Panics if these are entities of another world.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// #[derive(Component)]
    /// #[component(track)]
    /// struct Health(u32);
    ///
    /// let mut world = World::new();
    /// let mut seen = world.changes::<Health>();
    /// let entity = world.spawn(Health(3)).id();
    /// world.advance(&mut seen);
    /// assert!(world.entities_in(seen.inserted()).eq([entity]));
    /// ```
    #[track_caller]
    pub fn entities_in<'w>(&'w self, set: &'w EntitySet) -> impl Iterator<Item = Entity> + 'w {
        set.refuse_other(self.entities.world());
        set.indices().filter_map(|index| self.entities.at(index))
    }

    /// Returns the entity's component of type `T`, if it is alive and has one. O(1).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, Default, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// assert_eq!(world.get::<Health>(entity), Some(&Health(3)));
    /// ```
    #[must_use]
    #[inline]
    pub fn get<T: AnyComponent>(&self, entity: Entity) -> Option<Ref<'_, T>> {
        self.pools.get::<T>()?.get(entity)
    }

    /// Returns the entity's component of type `T`, if it is alive and has one, to be changed. O(1).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// world.get_mut::<Health>(entity).unwrap().0 += 1;
    /// assert_eq!(world.get::<Health>(entity).unwrap().0, 4);
    /// ```
    #[must_use]
    #[inline]
    pub fn get_mut<T: AnyComponent>(&mut self, entity: Entity) -> Option<RefMut<'_, T>> {
        const { check_writable::<T>() };
        self.lend::<T>(entity)
    }

    /// Returns the handle of an entity that has a `T`, with this kind. O(1).
    ///
    /// ```
    /// # use ecs::{Component, EntityOf, World};
    /// # #[derive(Component)] struct Mass(f32);
    /// let mut world = World::new();
    /// let (stone, idea) = (world.spawn(Mass(3.0)).id(), world.spawn_empty().id());
    /// let stone: EntityOf<Mass> = world.handle_of(stone).unwrap();
    /// assert_eq!(world.get_of(stone).unwrap().0, 3.0);
    /// assert!(world.handle_of::<Mass>(idea).is_none());
    /// ```
    #[must_use]
    #[inline]
    pub fn handle_of<T: AnyComponent>(&self, entity: Entity) -> Option<EntityOf<T>> {
        self.get::<T>(entity).map(|_| EntityOf::new(entity))
    }

    /// Returns the component of the kind that the handle states; `None` if the entity ended or lost it. O(1).
    ///
    /// ```
    /// # use ecs::{Component, EntityOf, World};
    /// # #[derive(Component)] struct Mass(f32);
    /// # let mut world = World::new();
    /// let stone = world.spawn(Mass(3.0)).id();
    /// let stone: EntityOf<Mass> = world.handle_of(stone).unwrap();
    /// assert_eq!(world.get_of(stone).unwrap().0, 3.0);
    /// world.remove::<Mass>(stone.entity());
    /// assert!(world.get_of(stone).is_none());
    /// ```
    #[must_use]
    #[inline]
    pub fn get_of<T: AnyComponent>(&self, handle: EntityOf<T>) -> Option<Ref<'_, T>> {
        self.get::<T>(handle.entity())
    }

    /// Returns the component of the kind that the handle states, to be changed; `None` if the entity ended or lost it.
    /// O(1).
    ///
    /// ```
    /// # use ecs::{Component, EntityOf, World};
    /// # #[derive(Component)] struct Mass(f32);
    /// # let mut world = World::new();
    /// let stone = world.spawn(Mass(3.0)).id();
    /// let stone: EntityOf<Mass> = world.handle_of(stone).unwrap();
    /// world.get_mut_of(stone).unwrap().0 = 4.0;
    /// assert_eq!(world.get_of(stone).unwrap().0, 4.0);
    /// ```
    #[must_use]
    #[inline]
    pub fn get_mut_of<T: AnyComponent>(&mut self, handle: EntityOf<T>) -> Option<RefMut<'_, T>> {
        self.get_mut::<T>(handle.entity())
    }

    /// Returns the component of the kind that the handle states, and one that it [needs](crate::guide::rules), which is
    /// there too; `None` if the entity ended or lost them. O(1).
    ///
    /// Each by itself: [`get_of`](Self::get_of), and `world.get_of(handle.needed::<N>())`.
    ///
    /// ```
    /// # use ecs::{Component, EntityOf, World};
    /// # #[derive(Component)] struct Health(u32);
    /// #[derive(Component)]
    /// #[component(needs(Health))]
    /// struct Player { name: &'static str }
    ///
    /// let mut world = World::new();
    /// let ann = world.spawn((Player { name: "Ann" }, Health(7))).id();
    /// let ann: EntityOf<Player> = world.handle_of(ann).unwrap();
    /// let (player, health) = world.get_needed::<Player, Health>(ann).unwrap();
    /// assert_eq!((player.name, health.0), ("Ann", 7));
    /// ```
    #[must_use]
    #[inline]
    pub fn get_needed<T: AnyComponent, N: AnyComponent>(
        &self,
        handle: EntityOf<T>,
    ) -> Option<(Ref<'_, T>, Ref<'_, N>)> {
        Some((self.get_of(handle)?, self.get_of(handle.needed::<N>())?))
    }

    /// Returns a value like [`get_mut`](Self::get_mut), for methods that have made its check. So the compiler reports a
    /// relation that is written once, at the place where the user wrote it.
    #[inline]
    pub(crate) fn lend<T: AnyComponent>(&mut self, entity: Entity) -> Option<RefMut<'_, T>> {
        if const { T::MARKED } {
            return self.pools.get_marked::<T>(entity);
        }
        self.pools.get_mut::<T>()?.get_mut(entity)
    }

    /// Returns `true` if `entity` is alive and matches the query `Q`. O(terms).
    ///
    /// A reserved entity matches nothing before it comes alive, not even `Without`;
    /// [`is_alive`](Self::is_alive) is true of it.
    ///
    /// ```
    /// # use ecs::{Component, With, Without, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # #[derive(Component)] struct Dead;
    /// let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// assert!(world.has::<Health>(entity));
    /// assert!(world.has::<(Health, Without<Dead>)>(entity));
    /// assert!(!world.has::<(Health, Dead)>(entity));
    /// assert!(!world.has::<Without<Dead>>(world.reserve_entity()));
    /// ```
    #[must_use]
    #[inline]
    pub fn has<Q: ReadOnlyQuery>(&self, entity: Entity) -> bool {
        Join::<Q::Fetch, ()>::shared(self.stores()).contains(entity)
    }

    /// Returns the entity as a handle to read. Costs as much as [`is_alive`](Self::is_alive).
    ///
    /// # Panics
    /// Panics if there is no such entity.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, Default, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// assert!(world.entity(entity).has::<Health>());
    /// ```
    #[must_use]
    #[track_caller]
    pub fn entity(&self, entity: Entity) -> EntityRef<'_> {
        match self.get_entity(entity) {
            Ok(entity) => entity,
            Err(error) => panic!("{error}; `World::get_entity` returns an error instead"),
        }
    }

    /// Returns the entity as a handle to change. Costs as much as [`is_alive`](Self::is_alive).
    ///
    /// # Panics
    /// Panics if there is no such entity.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// world.entity_mut(entity).insert(Health(3));
    /// assert_eq!(world.entity(entity).get::<Health>().unwrap().0, 3);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn entity_mut(&mut self, entity: Entity) -> EntityMut<'_> {
        match self.get_entity_mut(entity) {
            Ok(entity) => entity,
            Err(error) => panic!("{error}; `World::get_entity_mut` returns an error instead"),
        }
    }

    /// Returns the entity as a handle to read. Costs as much as [`is_alive`](Self::is_alive).
    ///
    /// # Errors
    /// Returns an error if there is no such entity.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, Default, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// assert!(world.get_entity(entity).is_ok());
    /// world.clear();
    /// assert!(world.get_entity(entity).is_err());
    /// ```
    pub fn get_entity(&self, entity: Entity) -> Result<EntityRef<'_>, NoSuchEntityError> {
        if self.is_alive(entity) {
            Ok(EntityRef::new(self.stores(), entity))
        } else {
            Err(NoSuchEntityError(entity))
        }
    }

    /// Returns the entity as a handle to change. Costs as much as [`is_alive`](Self::is_alive).
    ///
    /// # Errors
    /// Returns an error if there is no such entity.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, Default, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// if let Ok(mut entity) = world.get_entity_mut(entity) {
    ///     entity.insert(Health(3));
    /// }
    /// assert!(world.has::<Health>(entity));
    /// ```
    pub fn get_entity_mut(&mut self, entity: Entity) -> Result<EntityMut<'_>, NoSuchEntityError> {
        if self.is_alive(entity) {
            Ok(EntityMut::new(self, entity))
        } else {
            Err(NoSuchEntityError(entity))
        }
    }

    /// Returns all entities that match the query `Q`, to be read. O(terms); allocates nothing.
    ///
    /// Reserved entities that did not come alive yet are not among them. See [`Query`] for the
    /// queries that `Q` can be, and [`View`] for the methods of a view.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Proximity { distance: f32 }
    /// # #[derive(Component)] struct Audio { volume: f32 }
    /// let mut world = World::new();
    /// world.spawn((Proximity { distance: 1.0 }, Audio { volume: 4.0 }));
    /// world.spawn(Proximity { distance: 9.0 });
    /// for (entity, proximity, audio) in world.view::<(Proximity, Audio)>() {
    ///     assert_eq!((entity.index(), proximity.distance, audio.volume), (0, 1.0, 4.0));
    /// }
    /// ```
    #[doc(alias = "query")]
    #[inline]
    pub fn view<Q: ReadOnlyQuery>(&self) -> View<'_, Q> {
        const { check_matches::<Q>() };
        View::new(Join::shared(self.stores()))
    }

    /// Returns all entities that match the query `Q`, to be read and written. O(terms); reserved entities come alive
    /// first, which takes O(reserved).
    ///
    /// A term that says `&mut` writes: `view_mut::<&mut Health>()` yields `&mut Health`, and `view_mut::<Health>()`
    /// yields `&Health`, like `view`. Two terms of one component do not compile if one of them writes it.
    ///
    /// # Panics
    /// Panics if two terms are of one component, and one of them writes it, by a generic type: that is found only at
    /// run time.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Component)] struct Velocity(f32);
    /// let mut world = World::new();
    /// world.spawn((Position(1.0), Velocity(2.0)));
    /// for (_, position, velocity) in world.view_mut::<(&mut Position, &Velocity)>() {
    ///     position.0 += velocity.0;
    /// }
    /// assert_eq!(world.view::<Position>().single().unwrap().1.0, 3.0);
    /// ```
    #[doc(alias = "query_mut")]
    #[inline]
    #[track_caller]
    pub fn view_mut<Q: Query>(&mut self) -> View<'_, Q> {
        const { check_query::<Q>() };
        self.entities.flush();
        self.keep_order();
        View::new(Join::exclusive::<Q>(&mut self.pools, &self.entities, &self.groups))
    }

    /// Does not compile: the error names [`view`](Self::view), which is the name of this method here.
    #[doc(hidden)]
    #[must_use]
    pub fn query<Q: AskedByQuery>(&self) -> Q::View {
        unreachable!("this does not compile")
    }

    /// Does not compile: the error names [`view_mut`](Self::view_mut), which is the name of this method here.
    #[doc(hidden)]
    #[must_use]
    pub fn query_mut<Q: AskedByQuery>(&mut self) -> Q::View {
        unreachable!("this does not compile")
    }

    /// Returns the members of a split, or the parameters of a system.
    ///
    /// # Panics
    /// Panics if two of them alias, or a resource is missing.
    #[inline]
    #[track_caller]
    pub(crate) fn claim<C: ClaimSet>(&mut self, by: Borrower<'_>) -> C::Claimed<'_> {
        self.entities.flush();
        self.keep_order();
        if const { reads_world(C::ACCESSES) } {
            let Self { pools, entities, groups, resources, .. } = &*self;
            return claim_beside::<C>(by, self, pools, entities, groups, resources);
        }
        claim::<C>(by, &mut self.pools, &self.entities, &self.groups, &mut self.resources)
    }

    /// Begins to claim the accesses of several systems that were compared.
    #[cfg(feature = "parallel")]
    pub(crate) fn claims<'w>(&'w mut self, compared: &'w Compared) -> Claims<'w> {
        self.entities.flush();
        self.keep_order();
        if compared.reads_world {
            let Self { pools, entities, groups, resources, .. } = &*self;
            return compared.begin_beside(self, pools, entities, groups, resources);
        }
        compared.begin(&mut self.pools, &self.entities, &self.groups, &mut self.resources)
    }

    /// Returns all components of type `T`: packed values and their entities. O(1).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// let pool = world.pool::<Health>();
    /// assert_eq!((pool.keys(), pool.as_slice()), (&[entity][..], &[Health(3)][..]));
    /// ```
    #[must_use]
    pub fn pool<T: AnyComponent>(&self) -> PoolRef<'_, T> {
        PoolRef::new(self.pools.get())
    }

    /// Returns all components of type `T`, to be changed. O(1); makes their pool, if there is none.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, Default, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// world.pool_mut::<Health>().as_mut_slice()[0].0 = 5;
    /// assert_eq!(world.get::<Health>(entity), Some(&Health(5)));
    /// ```
    #[must_use]
    pub fn pool_mut<T: AnyComponent>(&mut self) -> PoolMut<'_, T> {
        PoolMut::new(self)
    }
}

/// A bound that no type has. So `rustc` reports the call of `query` and nothing about the use of its result.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a world is asked by `view`, not by `query`",
    label = "write `view::<{Self}>()`, or `view_mut::<{Self}>()` to change the matches"
)]
pub trait AskedByQuery {
    type View;
}
