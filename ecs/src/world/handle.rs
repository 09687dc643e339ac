//! The fluent handles of one entity.

use crate::component::access::Access;
use crate::component::{AnyComponent, Ref, RefMut, Relation, check_writable, index_of};
use crate::edit::bundle::{Bundle, check_bundle, parts_of};
use crate::edit::components::TakeList;
use crate::entity::Entity;
use crate::internal::{InQueries, known};
use crate::pool::WorldPool;
use crate::pool::kind::Kind;
use crate::pool::list::ComponentList;
use crate::query::fetch::{EntityFetch, Everything, Fetch, Map, Mapped};
use crate::query::join::Join;
use crate::query::matcher::Stores;
use crate::query::request::{ReadOnlyQuery, Term};
use crate::relation::ends::{RelateError, Related};
use crate::relation::hierarchy::ChildOf;
use crate::storage::sort::sort_few;
use crate::world::World;
use crate::world::error::{DespawnError, NoSuchEntityError, RemoveError};
use crate::world::name::Name;
use alloc::vec::Vec;
use core::fmt;

/// An entity that is alive or reserved, to be read: from [`World::entity`].
///
/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
/// let mut world = World::new();
/// let id = world.spawn_named("Bob").insert(Health(3)).id();
/// let bob = world.entity(id);
/// assert_eq!((bob.id(), bob.name()), (id, Some("Bob")));
/// assert!(bob.has::<Health>());
/// assert_eq!(bob.get::<Health>(), Some(&Health(3)));
/// ```
#[derive(Clone, Copy)]
pub struct EntityRef<'w> {
    stores: Stores<'w>,
    entity: Entity,
}

impl<'w> EntityRef<'w> {
    pub(crate) const fn new(stores: Stores<'w>, entity: Entity) -> Self {
        Self { stores, entity }
    }

    /// Returns the entity's id.
    #[must_use]
    pub const fn id(self) -> Entity {
        self.entity
    }

    /// Returns the component of type `T`, if the entity has one: borrowed from the world, not from this handle. O(1).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// let health = world.entity(entity).get::<Health>();
    /// assert_eq!(health, Some(&Health(3))); // outlives the handle
    /// ```
    #[must_use]
    pub fn get<T: AnyComponent>(self) -> Option<Ref<'w, T>> {
        self.stores.pools.get::<T>()?.get(self.entity)
    }

    /// Returns `true` if the entity matches the query `Q`. A reserved entity matches no query
    /// before it comes alive. O(terms).
    ///
    /// ```
    /// # use ecs::{Component, Without, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # #[derive(Component)] struct Dead;
    /// let mut world = World::new();
    /// let (entity, reserved) = (world.spawn(Health(3)).id(), world.reserve_entity());
    /// assert!(world.entity(entity).has::<(Health, Without<Dead>)>());
    /// assert!(!world.entity(reserved).has::<Without<Dead>>());
    /// ```
    #[must_use]
    pub fn has<Q: ReadOnlyQuery>(self) -> bool {
        Join::<Q::Fetch, ()>::shared(self.stores).contains(self.entity)
    }

    /// Returns the kinds of the components that the entity has; none before a reserved one comes alive. O(pools).
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::by_name::Kind;
    /// # let mut world = World::new();
    /// let bob = world.spawn_named("Bob").id();
    /// let kinds = world.entity(bob).components();
    /// assert_eq!(kinds.map(Kind::name).collect::<Vec<_>>(), ["Name"]);
    /// ```
    pub fn components(self) -> impl Iterator<Item = Kind> + use<'w> {
        let Self { stores: Stores { pools, entities, .. }, entity } = self;
        let components = entities.is_alive(entity).then(|| entities.components(entity));
        pools.of(entity, components.unwrap_or_default()).map(WorldPool::kind)
    }

    /// Returns the entity's name, if it has one. O(1).
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// let bob = world.spawn_named("Bob").id();
    /// assert_eq!(world.entity(bob).name(), Some("Bob"));
    /// ```
    #[must_use]
    #[inline]
    pub fn name(self) -> Option<&'w str> {
        self.get::<Name>().map(Name::as_str)
    }

    /// Returns the entity to which this one points by the relation `R`, like [`World::target_of`]. O(1).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// let child = world.spawn(ChildOf(parent)).id();
    /// assert_eq!(world.entity(child).target_of::<ChildOf>(), Some(parent));
    /// ```
    #[must_use]
    pub fn target_of<R: Relation>(self) -> Option<Entity> {
        self.get::<R>().map(R::target)
    }

    /// Returns the entities that point to this one by the relation `R`, in order, like [`World::related`]. O(1) to
    /// begin.
    ///
    /// ```
    /// # use ecs::{Component, Entity, World};
    /// # #[derive(Component)] #[component(relation)] struct CarriedBy(Entity);
    /// let mut world = World::new();
    /// let hero = world.spawn_empty().id();
    /// let items = world.spawn_batch((0..3).map(|_| CarriedBy(hero)));
    /// assert!(world.entity(hero).related::<CarriedBy>().eq(items));
    /// ```
    #[must_use]
    pub fn related<R: Relation>(self) -> Related<'w> {
        let ends = self.stores.pools.relations.get(index_of::<R>().get());
        ends.map_or_else(Related::nobody, |ends| ends.sources(self.entity))
    }

    /// Returns the entity's parent, like [`World::parent`]. O(1).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// let child = world.spawn(ChildOf(parent)).id();
    /// assert_eq!(world.entity(child).parent(), Some(parent));
    /// ```
    #[must_use]
    #[inline]
    pub fn parent(self) -> Option<Entity> {
        self.target_of::<ChildOf>()
    }

    /// Returns the entity's children, in order, like [`World::children`]. O(1) to begin.
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// let children = world.spawn_batch((0..3).map(|_| ChildOf(parent)));
    /// assert!(world.entity(parent).children().eq(children));
    /// ```
    #[must_use]
    #[inline]
    pub fn children(self) -> Related<'w> {
        self.related::<ChildOf>()
    }
}

/// An entity that is alive or reserved, to be changed: from [`World::spawn`] and
/// [`World::entity_mut`].
///
/// An [observer](crate::guide::lifecycle) may end the entity while the handle exists. Then `get` and `remove` return
/// `None`, `despawn` returns an error, and insertions panic.
///
/// Changes chain:
///
/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component, Default)] struct Proximity { distance: f32 }
/// # #[derive(Component)] struct Audio { volume: f32 }
/// let mut world = World::new();
/// let mut bob = world.spawn_named("Bob");
/// bob.add::<Proximity>().insert(Audio { volume: 4.0 });
/// assert!(bob.has::<(Proximity, Audio)>());
/// assert!(bob.remove::<Audio>().is_some());
/// let bob = bob.id(); // ends the borrow of the world
/// assert_eq!(world.name(bob), Some("Bob"));
/// ```
pub struct EntityMut<'w> {
    world: &'w mut World,
    entity: Entity,
}

impl<'w> EntityMut<'w> {
    #[inline]
    pub(crate) const fn new(world: &'w mut World, entity: Entity) -> Self {
        Self { world, entity }
    }

    /// Returns the result of `edit`, or panics with its error.
    #[inline(always)]
    #[track_caller]
    fn expect<R>(
        &mut self,
        edit: impl FnOnce(&mut World, Entity) -> Result<R, NoSuchEntityError>,
    ) -> R {
        match edit(self.world, self.entity) {
            Ok(result) => result,
            Err(error) => gone(error, self.entity),
        }
    }

    /// Returns the entity's id.
    #[must_use]
    #[inline]
    pub const fn id(&self) -> Entity {
        self.entity
    }

    /// Inserts a default `T`, and replaces one that the entity has. O(1).
    ///
    /// # Panics
    /// Panics like [`insert`](Self::insert).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, Default, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let mut bob = world.spawn_empty();
    /// bob.add::<Health>();
    /// assert_eq!(bob.get::<Health>(), Some(&Health(0)));
    /// ```
    #[inline]
    #[track_caller]
    pub fn add<T: AnyComponent + Default>(&mut self) -> &mut Self {
        self.insert(T::default())
    }

    /// Inserts the components of `bundle`, and replaces the ones that the entity has.
    /// O(components).
    ///
    /// # Panics
    /// Panics if an observer ended the entity since the handle was made. It also panics if a
    /// [relation](crate::Relation) of the bundle points to an entity that is not alive, or would close a forbidden
    /// circle. [`relate`](Self::relate) returns an error instead.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, Default, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let mut bob = world.spawn_empty();
    /// bob.insert(Health(3)).insert((Health(4), ecs::Name::new("Bob")));
    /// assert_eq!(bob.get::<Health>(), Some(&Health(4)));
    /// ```
    #[inline]
    #[track_caller]
    pub fn insert<B: Bundle>(&mut self, bundle: B) -> &mut Self {
        const { check_bundle::<B>() };
        self.expect(|world, entity| world.put(entity, parts_of(bundle)));
        self
    }

    /// Inserts the components of `bundle` like [`insert`](Self::insert), but returns each error. O(components).
    ///
    /// # Errors
    /// Returns an error like [`World::try_insert`]. The bundle is dropped then.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// #[derive(Component)]
    /// #[component(needs(Health))]
    /// struct Player;
    /// #[derive(Component)]
    /// struct Health(u32);
    ///
    /// # let mut world = World::new();
    /// let mut bob = world.spawn_empty();
    /// assert!(bob.try_insert(Player).is_err());
    /// assert!(bob.try_insert((Player, Health(3))).is_ok());
    /// ```
    pub fn try_insert<B: Bundle>(&mut self, bundle: B) -> Result<(), RelateError> {
        self.world.try_insert(self.entity, bundle)
    }

    /// Inserts those components of `bundle` that the entity lacks, and drops the others.
    /// O(components).
    ///
    /// # Panics
    /// Panics like [`insert`](Self::insert).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let mut bob = world.spawn(Health(3));
    /// bob.insert_if_absent((Health(4), ecs::Name::new("Bob")));
    /// assert_eq!((bob.get::<Health>(), bob.name()), (Some(&Health(3)), Some("Bob")));
    /// ```
    #[track_caller]
    pub fn insert_if_absent<B: Bundle>(&mut self, bundle: B) -> &mut Self {
        self.expect(|world, entity| world.insert_if_absent(entity, bundle));
        self
    }

    /// Inserts a component, and returns the one that it replaces. O(1).
    ///
    /// # Panics
    /// Panics like [`insert`](Self::insert).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let mut bob = world.spawn(Health(3));
    /// assert_eq!(bob.replace(Health(4)), Some(Health(3)));
    /// ```
    #[track_caller]
    pub fn replace<T: AnyComponent>(&mut self, value: T) -> Option<T> {
        self.expect(|world, entity| world.replace(entity, value))
    }

    /// Returns the component of the entity, to be changed: the one that it has, or else the one that `make` makes.
    /// O(1), and the time of `make`.
    ///
    /// # Panics
    /// Panics if an observer ended the entity, or took the component away at once.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let mut bob = world.spawn_named("Bob");
    /// bob.get_or_insert_with(|| Health(3)).0 += 1;
    /// assert_eq!(bob.get::<Health>(), Some(&Health(4)));
    /// ```
    #[track_caller]
    pub fn get_or_insert_with<T: AnyComponent>(
        &mut self,
        make: impl FnOnce() -> T,
    ) -> RefMut<'_, T> {
        const { check_writable::<T>() };
        match self.world.obtain(self.entity, make) {
            Ok(value) => value,
            Err(error) => gone(error, self.entity),
        }
    }

    /// Removes a component of the entity, or several, each for itself, and returns them. Returns `None` for one that it
    /// lacks or that a veto keeps. O(components).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, Default, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let mut bob = world.spawn_empty();
    /// assert_eq!(bob.insert(Health(3)).remove::<Health>(), Some(Health(3)));
    /// ```
    #[inline]
    pub fn remove<L: TakeList>(&mut self) -> L::Removed {
        self.world.remove::<L>(self.entity)
    }

    /// Takes components from the entity, all of them, or none: where it lacks one, or a veto refuses.
    /// O(components).
    ///
    /// ```
    /// # use ecs::{Component, Name, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let mut bob = world.spawn_named("Bob");
    /// assert_eq!(bob.take::<(Name, Health)>(), None);
    /// assert_eq!(bob.insert(Health(3)).take::<(Name, Health)>(), Some((Name::new("Bob"), Health(3))));
    /// ```
    pub fn take<L: TakeList>(&mut self) -> Option<L::Taken> {
        self.world.take::<L>(self.entity)
    }

    /// Takes all components from the entity except the ones in `L`, and drops them. O(pools).
    ///
    /// # Errors
    /// Returns an error if the veto of one that would go refuses; nothing has changed then, except by the
    /// vetoes themselves.
    ///
    /// ```
    /// # use ecs::{Component, Name, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let mut bob = world.spawn((Name::new("Bob"), Health(3)));
    /// bob.remove_except::<Name>().unwrap();
    /// assert!(bob.has::<Name>() && !bob.has::<Health>());
    /// ```
    pub fn remove_except<L: ComponentList>(&mut self) -> Result<(), RemoveError> {
        self.world.remove_except::<L>(self.entity)
    }

    /// Removes a component like [`remove`](Self::remove), but returns an error where nothing was removed. O(1).
    ///
    /// # Errors
    /// Returns an error if the entity lacks the component, or the veto refuses; nothing has changed then, except by
    /// the veto itself.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, Default, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let mut bob = world.spawn_empty();
    /// assert!(bob.try_remove::<Health>().is_err());
    /// ```
    pub fn try_remove<T: AnyComponent>(&mut self) -> Result<T, RemoveError> {
        self.world.try_remove(self.entity)
    }

    /// Returns the component of type `T`, if the entity has one. O(1).
    ///
    /// ```
    /// # use ecs::{Component, Name, World};
    /// # let mut world = World::new();
    /// let bob = world.spawn_named("Bob");
    /// assert_eq!(bob.get::<Name>(), Some(&Name::new("Bob")));
    /// ```
    #[must_use]
    pub fn get<T: AnyComponent>(&self) -> Option<Ref<'_, T>> {
        self.world.get::<T>(self.entity)
    }

    /// Returns the component of type `T`, if the entity has one, to be changed. O(1).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, Default, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let mut bob = world.spawn_empty();
    /// bob.insert(Health(3)).get_mut::<Health>().unwrap().0 += 1;
    /// assert_eq!(bob.get::<Health>(), Some(&Health(4)));
    /// ```
    #[must_use]
    pub fn get_mut<T: AnyComponent>(&mut self) -> Option<RefMut<'_, T>> {
        const { check_writable::<T>() };
        self.world.lend::<T>(self.entity)
    }

    /// Changes the component of type `T`, if the entity has one. O(1), and the time of `change`.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, Default, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let mut bob = world.spawn_empty();
    /// bob.insert(Health(3)).patch::<Health>(|health| health.0 += 1);
    /// assert_eq!(bob.get::<Health>(), Some(&Health(4)));
    /// ```
    pub fn patch<T: AnyComponent>(&mut self, change: impl FnOnce(RefMut<'_, T>)) -> &mut Self {
        const { check_writable::<T>() };
        self.world.change::<T>(self.entity, change);
        self
    }

    /// Returns `true` if the entity matches the query `Q`. A reserved entity matches no query
    /// before it comes alive. O(terms).
    ///
    /// ```
    /// # use ecs::{Name, World};
    /// let mut world = World::new();
    /// let reserved = world.reserve_entity();
    /// let mut entity = world.entity_mut(reserved);
    /// assert!(!entity.has::<Option<&Name>>());
    /// assert!(entity.insert(Name::new("Bob")).has::<&Name>()); // it came alive
    /// ```
    #[must_use]
    pub fn has<Q: ReadOnlyQuery>(&self) -> bool {
        self.world.has::<Q>(self.entity)
    }

    /// Returns the entity's name, if it has one. O(1).
    ///
    /// ```
    /// # use ecs::World;
    /// # let mut world = World::new();
    /// assert_eq!(world.spawn_named("Bob").name(), Some("Bob"));
    /// ```
    #[must_use]
    #[inline]
    pub fn name(&self) -> Option<&str> {
        self.world.name(self.entity)
    }

    /// Returns the kinds of the components that the entity has; none before a reserved one comes alive. O(pools).
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::by_name::Kind;
    /// # let mut world = World::new();
    /// let bob = world.spawn_named("Bob");
    /// assert_eq!(bob.components().map(Kind::name).collect::<Vec<_>>(), ["Name"]);
    /// ```
    pub fn components(&self) -> impl Iterator<Item = Kind> {
        self.world.components(self.entity)
    }

    /// Inserts a relation to another entity, like [`World::relate`].
    ///
    /// # Errors
    /// Returns an error if the target is dead, or the relation would close a circle that it forbids. Nothing has
    /// changed then.
    ///
    /// ```
    /// # use ecs::{Component, Entity, World};
    /// # #[derive(Component)] #[component(relation)] struct CarriedBy(Entity);
    /// let mut world = World::new();
    /// let hero = world.spawn_empty().id();
    /// let mut sword = world.spawn_empty();
    /// sword.relate(CarriedBy(hero)).unwrap();
    /// assert_eq!(sword.target_of::<CarriedBy>(), Some(hero));
    /// ```
    pub fn relate<R: Relation>(&mut self, relation: R) -> Result<(), RelateError> {
        self.world.relate(self.entity, relation)
    }

    /// Returns the entity to which this one points by the relation `R`, like [`World::target_of`]. O(1).
    ///
    /// See [`relate`](Self::relate) for an example.
    #[must_use]
    pub fn target_of<R: Relation>(&self) -> Option<Entity> {
        self.world.target_of::<R>(self.entity)
    }

    /// Returns the entities that point to this one by the relation `R`, in order, like [`World::related`]. O(1) to
    /// begin.
    ///
    /// ```
    /// # use ecs::{Component, Entity, World};
    /// # #[derive(Component)] #[component(relation)] struct CarriedBy(Entity);
    /// let mut world = World::new();
    /// let hero = world.spawn_empty().id();
    /// let items = world.spawn_batch((0..3).map(|_| CarriedBy(hero)));
    /// assert!(world.entity_mut(hero).related::<CarriedBy>().eq(items));
    /// ```
    #[must_use]
    pub fn related<R: Relation>(&self) -> Related<'_> {
        self.world.related::<R>(self.entity)
    }

    /// Makes the entity the last child of a parent, like [`World::attach`].
    ///
    /// # Errors
    /// Returns the errors of [`relate`](Self::relate).
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// let mut child = world.spawn_empty();
    /// child.attach(parent).unwrap();
    /// assert_eq!(child.parent(), Some(parent));
    /// assert_eq!((child.detach(), child.parent()), (Some(parent), None));
    /// ```
    #[inline]
    pub fn attach(&mut self, parent: Entity) -> Result<(), RelateError> {
        self.world.attach(self.entity, parent)
    }

    /// Removes the entity from its parent, and returns the parent, like [`World::detach`].
    ///
    /// See [`attach`](Self::attach) for an example.
    #[inline]
    pub fn detach(&mut self) -> Option<Entity> {
        self.world.detach(self.entity)
    }

    /// Returns the entity's parent, like [`World::parent`]. O(1).
    ///
    /// See [`attach`](Self::attach) for an example.
    #[must_use]
    #[inline]
    pub fn parent(&self) -> Option<Entity> {
        self.world.parent(self.entity)
    }

    /// Returns the entity's children, in order, like [`World::children`]. O(1) to begin.
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// let children = world.spawn_batch((0..3).map(|_| ChildOf(parent)));
    /// assert!(world.entity_mut(parent).children().eq(children));
    /// ```
    #[must_use]
    #[inline]
    pub fn children(&self) -> Related<'_> {
        self.world.children(self.entity)
    }

    /// Ends the entity, at the cost of [`World::despawn`].
    ///
    /// # Errors
    /// Returns an error if the veto of a component refuses; nothing has changed then, except by the vetoes
    /// themselves.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, Default, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let mut bob = world.spawn_empty();
    /// bob.despawn().unwrap();
    /// assert!(world.is_empty());
    /// ```
    pub fn despawn(self) -> Result<(), DespawnError> {
        self.world.despawn(self.entity)
    }

    /// Returns the world, with the lifetime of this handle.
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// let world: &mut World = world.spawn_named("Bob").into_world();
    /// assert!(world.entity_named("Bob").is_some());
    /// ```
    #[must_use]
    pub fn into_world(self) -> &'w mut World {
        self.world
    }
}

/// Returns `true` if both handles are of one entity in one world.
///
/// ```
/// # use ecs::World;
/// let mut world = World::new();
/// let (a, b) = (world.spawn_empty().id(), world.spawn_empty().id());
/// assert_eq!(world.entity(a), world.entity(a));
/// assert_ne!(world.entity(a), world.entity(b));
/// ```
impl PartialEq for EntityRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.entity == other.entity && core::ptr::eq(self.stores.entities, other.stores.entities)
    }
}
impl Eq for EntityRef<'_> {}

impl fmt::Debug for EntityRef<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show("EntityRef", *self, f)
    }
}

impl fmt::Debug for EntityMut<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show("EntityMut", EntityRef::new(self.world.stores(), self.entity), f)
    }
}

/// # Panics
/// Panics always: an insertion has no entity.
#[cold]
#[track_caller]
fn gone(error: NoSuchEntityError, entity: Entity) -> ! {
    assert!(
        error.0 == entity,
        "{error}, to which a relation would point; `World::insert` returns an error instead"
    );
    panic!("{error}: an observer ended it; `World::insert` returns an error instead")
}

/// Writes the entity and its components, without the world.
#[inline]
fn show(handle: &str, entity: EntityRef<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut components: Vec<_> = entity.components().map(Kind::name).collect();
    sort_few(&mut components, PartialOrd::lt);
    f.debug_struct(handle).field("id", &entity.id()).field("components", &components).finish()
}

/// The whole entity as a term, of a query that only reads: `view::<(EntityRef, &Health)>()`.
///
/// ```
/// # use ecs::{Component, EntityRef, World};
/// # #[derive(Component)] struct Health(u32);
/// # let mut world = World::new();
/// world.spawn_named("Bob").insert(Health(3));
/// for (_, entity, health) in world.view::<(EntityRef, &Health)>() {
///     assert_eq!((entity.name(), entity.components().count(), health.0), (Some("Bob"), 2, 3));
/// }
/// assert_eq!(world.view::<EntityRef>().iter().count(), 1);
/// ```
impl Term for EntityRef<'_> {
    type Fetch = Mapped<ToEntityRef>;
    type WithEntity = Mapped<ToEntityRef>;
}

known!(InQueries: ['w] EntityRef<'w>,);

/// Makes a handle of an entity and the parts of the world.
#[doc(hidden)]
#[derive(Debug)]
pub struct ToEntityRef(());

impl Map for ToEntityRef {
    type From = (EntityFetch, Everything);
    type Plain = Self;
    type Item<'w> = EntityRef<'w>;
    type Chunk<'w> = <Self::From as Fetch>::Chunk<'w>;
    type ReadOnly = Mapped<Self>;
    const TESTS: Access = Access::Nothing;
    #[inline(always)]
    fn map<'w>((entity, stores): <Self::From as Fetch>::Item<'w>) -> Self::Item<'w> {
        EntityRef::new(stores, entity)
    }
    #[inline(always)]
    fn map_chunk<'w>(chunk: <Self::From as Fetch>::Chunk<'w>) -> Self::Chunk<'w> {
        chunk
    }
}
