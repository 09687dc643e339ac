//! Values and entities that are taken out of a world to be restored later, for undo.

use crate::component::AnyComponent;
use crate::entity::Entity;
use crate::pool::Loose;
use crate::pool::kind::Kind;
use crate::storage::values::Container;
use crate::world::World;
use crate::world::error::{DespawnError, RemoveError};
use crate::world::kind::KindError;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

/// A component outside of any world, whose type is not named: from [`Kind::take`]. A dropped one drops the component.
///
/// ```
/// # use ecs::by_name::{Kind, OwnedValue};
/// # use ecs::{Component, World};
/// #[derive(Component, Debug, PartialEq)]
/// struct Health(u32);
///
/// let mut world = World::new();
/// let entity = world.spawn(Health(3)).id();
/// let undo: OwnedValue = Kind::of::<Health>().take(&mut world, entity).unwrap();
/// assert!(!world.has::<&Health>(entity));
/// undo.insert(&mut world, entity).unwrap();
/// assert_eq!(world.get::<Health>(entity), Some(&Health(3)));
/// ```
pub struct OwnedValue {
    kind: Kind,
    /// The storage of the component, with this value alone.
    value: Box<dyn Any + Send + Sync>,
}

impl OwnedValue {
    /// Returns the kind of the component. O(1).
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the component, if it is a `T`. O(1).
    ///
    /// # Errors
    /// Returns the value itself if it is of another type.
    ///
    /// ```
    /// # use ecs::by_name::Kind;
    /// # use ecs::{Name, World};
    /// let mut world = World::new();
    /// let bob = world.spawn_named("Bob").id();
    /// let name = Kind::of::<Name>().take(&mut world, bob).unwrap();
    /// assert_eq!(name.into_inner::<Name>().unwrap().as_str(), "Bob");
    /// ```
    pub fn into_inner<T: AnyComponent>(self) -> Result<T, Self> {
        let Self { kind, value } = self;
        match value.downcast::<T::Storage>() {
            Ok(mut values) => Ok(values.swap_remove(0)),
            Err(value) => Err(Self { kind, value }),
        }
    }

    /// Inserts the component into any entity of any world. O(1).
    ///
    /// # Errors
    /// Returns the value and the reason: there is no such entity, it has such a component already, or the value is a
    /// relation that it may not be given.
    ///
    /// ```
    /// # use ecs::by_name::{Kind, KindError};
    /// # use ecs::{Name, World};
    /// let mut world = World::new();
    /// let bob = world.spawn_named("Bob").id();
    /// let name = Kind::of::<Name>().take(&mut world, bob).unwrap();
    /// world.insert(bob, Name::new("Eve")).unwrap();
    /// let (name, error) = name.insert(&mut world, bob).unwrap_err();
    /// assert_eq!(error, KindError::Present(bob, "Name"));
    /// Kind::of::<Name>().remove(&mut world, bob).unwrap();
    /// name.insert(&mut world, bob).unwrap();
    /// assert_eq!(world.name(bob), Some("Bob"));
    /// ```
    pub fn insert(self, world: &mut World, entity: Entity) -> Result<(), (Self, KindError)> {
        match world.check_owned(entity, &self) {
            Ok(()) => {
                world.insert_checked(entity, Vec::from([self.into_loose()]), true);
                Ok(())
            }
            Err(error) => Err((self, error)),
        }
    }

    fn into_loose(self) -> (Kind, Box<Loose>) {
        (self.kind, self.value)
    }
}

impl fmt::Debug for OwnedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(self.kind.name()).finish_non_exhaustive()
    }
}

impl Kind {
    /// Takes the component of this kind from an entity, like [`World::try_remove`]. O(1).
    ///
    /// # Errors
    /// Returns an error if there is no such entity, it lacks the component, or the veto refuses.
    ///
    /// See [`OwnedValue`] for an example.
    pub fn take(self, world: &mut World, entity: Entity) -> Result<OwnedValue, RemoveError> {
        if !world.is_alive(entity) {
            return Err(RemoveError::NoSuchEntity(entity));
        }
        if world.pools.has(self.number, entity) {
            if !world.pools.at_mut(self.number).permits_removal(entity) {
                return Err(RemoveError::Refused(entity, self.name()));
            }
            if let Some(value) = world.take_loose(entity, self) {
                return Ok(value);
            }
        }
        Err(RemoveError::Missing(entity, self.name()))
    }
}

impl World {
    /// Takes a component out without calling its veto. Returns `None` if the entity lacks it or a listener takes it.
    fn take_loose(&mut self, entity: Entity, kind: Kind) -> Option<OwnedValue> {
        if !self.take_out(entity, kind.number) {
            return None;
        }
        let value = self.pools.at_mut(kind.number).pop_loose();
        Some(OwnedValue { kind, value })
    }

    /// Checks that a value may be inserted into an entity, which lacks the component.
    fn check_owned(&mut self, entity: Entity, value: &OwnedValue) -> Result<(), KindError> {
        let OwnedValue { kind, value } = value;
        self.know(*kind);
        self.check_loose(entity, &[(*kind, &**value)])?;
        if self.pools.has(kind.number, entity) {
            return Err(KindError::Present(entity, kind.name()));
        }
        Ok(())
    }

    /// Inserts the components of a restored entity without their requirements. Drops relations to dead targets, and
    /// components that observers inserted before.
    fn put_back(&mut self, entity: Entity, mut values: Vec<OwnedValue>) {
        values.iter().for_each(|value| self.know(value.kind));
        let all: Vec<(Kind, &Loose)> =
            values.iter().map(|it| (it.kind, &*it.value as &Loose)).collect();
        _ = self.check_loose(entity, &all); // calls all listeners that the next checks could call
        values.retain(|value| self.check_owned(entity, value).is_ok());
        let values = values.drain(..).map(OwnedValue::into_loose).collect();
        self.insert_checked(entity, values, false);
    }
}

/// Entities that were despawned to come back under their handles, with their components: an undo of a despawn.
///
/// Their handles are dead, and their indices are given to no other entity until [`discard`](Self::discard). A dropped
/// `Despawned` drops the components, and leaves the indices unused.
///
/// A world that follows by change sets spawns a new entity for one that ended and is restored. Handles of the old one
/// in fields there stay dead until their component changes.
///
/// ```
/// use ecs::by_name::Despawned;
/// use ecs::{ChildOf, Component, World};
///
/// #[derive(Component, Debug, PartialEq)]
/// struct Health(u32);
///
/// let mut world = World::new();
/// let ship = world.spawn(Health(9)).id();
/// let gun = world.spawn((Health(3), ChildOf(ship))).id();
///
/// let undo = Despawned::take(&mut world, ship).unwrap();
/// assert!(world.is_empty() && undo.entities().eq([ship, gun]));
/// let other = world.spawn_empty().id();
///
/// undo.restore(&mut world).unwrap();
/// assert_eq!(world.get::<Health>(gun), Some(&Health(3)));
/// assert!(world.children(ship).eq([gun]) && world.is_alive(other));
/// ```
#[must_use = "the entities come back by `restore`, and their indices by `discard`"]
pub struct Despawned {
    /// The entities, each behind those that it depends on, with their components.
    rows: Vec<(Entity, Vec<OwnedValue>)>,
}

impl Despawned {
    /// Takes an entity out of a world, with those that are despawned with it. O(pools) for each of them.
    ///
    /// Hooks and observers are notified of the removal of each component, children before parents, and then of the
    /// despawn of the empty entities. Relations that other entities lose to them are not kept.
    ///
    /// # Errors
    /// Returns an error if there is no such entity, or a veto refuses, like [`World::despawn`].
    pub fn take(world: &mut World, entity: Entity) -> Result<Self, DespawnError> {
        let list = world.family(entity)?;
        let mut rows = Vec::with_capacity(list.len());
        for &entity in list.iter().rev() {
            let numbered = world.pools.numbered().filter(|(_, pool)| pool.contains(entity));
            let kinds: Vec<Kind> = numbered.map(|(_, pool)| pool.kind()).collect();
            let values = kinds.iter().filter_map(|kind| world.take_loose(entity, *kind));
            rows.push((entity, values.collect()));
        }
        rows.reverse();
        world.despawn_batch(&list);
        for (entity, _) in &rows {
            world.entities.hold(*entity);
        }
        Ok(Self { rows })
    }

    /// Returns the handles, parents before children.
    #[must_use]
    pub fn entities(&self) -> impl DoubleEndedIterator<Item = Entity> + ExactSizeIterator + '_ {
        self.rows.iter().map(|(entity, _)| *entity)
    }

    /// Makes the entities again, under their handles, and inserts their components: all of an entity at once, and none
    /// that it lacked, also if others require it. A relation is lost if its target is not alive any more; otherwise the
    /// entity comes last among the sources of a target outside.
    ///
    /// # Errors
    /// Returns the entities if a handle cannot be restored, because the world is another one, or was loaded since.
    /// Nothing has changed then.
    pub fn restore(self, world: &mut World) -> Result<(), Self> {
        if !self.entities().all(|entity| world.entities.is_held(entity)) {
            return Err(self);
        }
        self.entities().for_each(|entity| world.entities.release(entity, true));
        for (entity, values) in self.rows {
            world.put_back(entity, values);
        }
        Ok(())
    }

    /// Drops the components, and gives the indices back to the world, with other generations.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::by_name::Despawned;
    /// let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// Despawned::take(&mut world, entity).unwrap().discard(&mut world);
    /// assert_eq!(world.spawn_empty().id().to_string(), "0v2");
    /// ```
    pub fn discard(self, world: &mut World) {
        for entity in self.entities().rev() {
            if world.entities.is_held(entity) {
                world.entities.release(entity, false);
            }
        }
    }
}

impl fmt::Debug for Despawned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entities()).finish()
    }
}
