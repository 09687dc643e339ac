//! Values of components that no entity has yet: made first, and inserted together.

use crate::by_name::kind::KindError;
use crate::component::data::Loose;
use crate::entity::Entity;
#[cfg(feature = "serde")]
use crate::format::budget::Budget;
#[cfg(feature = "serde")]
use crate::format::source::{Erased, Source};
use crate::pool::kind::Kind;
#[cfg(feature = "serde")]
use crate::saved::loaded::Limits;
use crate::world::World;
use alloc::boxed::Box;
#[cfg(feature = "serde")]
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;
#[cfg(feature = "serde")]
use serde::Deserializer;

/// Values of components that no entity has yet, at most one of each [`Kind`]: inserted together, all or none.
///
/// Values are made before anything changes, so an entity gets no component if one of its values is wrong. Observers
/// are notified once for each component, after all are in place. A component that another one requires is not made by
/// default first. Values belong to the world with which they are made.
///
/// ```
/// use ecs::by_name::{Kind, KindError, Values};
/// use ecs::{ChildOf, Component, World};
///
/// #[derive(Component, Default, Debug, PartialEq)]
/// #[component(default)]
/// struct Health(u32);
///
/// let mut world = World::new();
/// let mut values = Values::new();
/// values.add_default(&mut world, Kind::of::<Health>())?;
/// let error = values.add_default(&mut world, Kind::of::<ChildOf>()).unwrap_err();
/// assert_eq!(error, KindError::NotAllowed("ChildOf", "default"));
/// let entity = world.spawn_values(values)?;
/// assert_eq!(world.get::<Health>(entity), Some(&Health(0)));
/// # Ok::<(), KindError>(())
/// ```
#[derive(Default)]
pub struct Values {
    list: Vec<(Kind, Box<Loose>)>,
    /// The number of their world, if there are any.
    world: u64,
}

impl Values {
    /// Returns no values.
    #[must_use]
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value that is read from any format of serde; it replaces a value of this kind that was added before. The
    /// default [`Limits`](crate::save::Limits) hold. Handles in the value belong to this world.
    ///
    /// # Errors
    /// Returns an error if the component is not saved, no such value can be read, or the values added before belong to
    /// another world. They stay.
    ///
    /// ```
    /// # use ecs::{ChildOf, Name, World};
    /// # use ecs::by_name::{Kind, Values};
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// let mut values = Values::new();
    /// values.read(&mut world, Kind::of::<Name>(), serde_json::json!("Bob"))?;
    /// values.read(&mut world, Kind::of::<ChildOf>(), serde_json::json!(parent.to_bits()))?;
    /// let bob = world.spawn_values(values)?;
    /// assert_eq!((world.name(bob), world.parent(bob)), (Some("Bob"), Some(parent)));
    /// # Ok::<(), ecs::by_name::KindError>(())
    /// ```
    #[cfg(feature = "serde")]
    pub fn read<'de, D: Deserializer<'de>>(
        &mut self,
        world: &mut World,
        kind: Kind,
        deserializer: D,
    ) -> Result<(), KindError> {
        self.parse(world, kind, &mut Erased::new(deserializer))
    }

    #[cfg(feature = "serde")]
    #[inline]
    fn parse(
        &mut self,
        world: &mut World,
        kind: Kind,
        from: &mut dyn Source<'_>,
    ) -> Result<(), KindError> {
        world.know(kind);
        let pool = world.pools.at(kind.number);
        let (Some((_, schema)), Some(pool)) = (kind.saving(), pool.saved()) else {
            return Err(KindError::NotAllowed(kind.name(), "save = \"name\""));
        };
        let mut value = pool.no_values();
        let mut budget = Budget::new(Limits::default().memory);
        let read = pool.parse(schema.version, from, &mut budget, &mut *value, &mut Vec::new());
        read.map_err(|error| KindError::NotRead(kind.name(), error.to_string()))?;
        self.add(world, kind, value)
    }

    /// Adds the default of a component that says `#[component(default)]`; it replaces a value of this kind that was
    /// added before.
    ///
    /// # Errors
    /// Returns an error if the component does not say so, or the values added before belong to another world. They stay.
    #[inline]
    pub fn add_default(&mut self, world: &mut World, kind: Kind) -> Result<(), KindError> {
        world.know(kind);
        let value = world.pools.at(kind.number).kind().default_value(); // perhaps declared since
        self.add(world, kind, value.ok_or(KindError::NotAllowed(kind.name(), "default"))?)
    }

    #[inline]
    fn add(&mut self, world: &World, kind: Kind, value: Box<Loose>) -> Result<(), KindError> {
        self.refuse_other(world)?;
        self.world = world.entities.world();
        match self.list.iter_mut().find(|(of, _)| of.number == kind.number) {
            Some(entry) => entry.1 = value,
            None => self.list.push((kind, value)),
        }
        Ok(())
    }

    /// Returns an error if there are values of another world: handles in them would name other entities here.
    #[inline]
    fn refuse_other(&self, world: &World) -> Result<(), KindError> {
        let is_here = self.list.is_empty() || self.world == world.entities.world();
        is_here.then_some(()).ok_or(KindError::OtherWorld)
    }

    /// Returns the kinds of the values, in the order in which they were first added.
    #[inline]
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.list.iter().map(|(kind, _)| *kind)
    }
}

#[inline]
fn lent(values: &[(Kind, Box<Loose>)]) -> Vec<(Kind, &Loose)> {
    values.iter().map(|(kind, value)| (*kind, &**value)).collect()
}

impl fmt::Debug for Values {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.kinds()).finish()
    }
}

impl World {
    /// Returns an error unless an entity may be given loose values of kinds that differ and have a pool.
    #[inline]
    pub(super) fn check_loose(
        &mut self,
        entity: Entity,
        values: &[(Kind, &Loose)],
    ) -> Result<(), KindError> {
        if self.is_nested() {
            let numbers: Vec<u32> = values.iter().map(|(kind, _)| kind.number).collect();
            self.finish_before_insertion(entity, &numbers)
                .map_err(|_| KindError::NoSuchEntity(entity))?;
        }
        loop {
            for (kind, value) in values {
                self.refuse_other_fields(*kind, *value)?;
                for pointing in kind.pointings(*value) {
                    self.check_pointing(entity, pointing)?;
                }
                self.pools.check_unique_all(kind.number, &[(&[entity], *value)], &|_| false)?;
            }
            let kinds: Vec<Kind> = values.iter().map(|(kind, _)| *kind).collect();
            let is_ruled = |kind: &Kind| !self.here(*kind).declared_rules().is_empty();
            let may_be_ruled = !self.pools.rules.is_empty() || kinds.iter().any(is_ruled);
            if !may_be_ruled || !self.admit_kinds(entity, kinds, &|_| true)? {
                break;
            }
        }
        if self.entities.ensure_alive(entity) {
            Ok(())
        } else {
            Err(KindError::NoSuchEntity(entity))
        }
    }

    /// Returns an error if a loose value was made with fields that its component, which has a pool, does not have.
    #[inline]
    fn refuse_other_fields(&self, kind: Kind, value: &Loose) -> Result<(), KindError> {
        let are_its = self.pools.at(kind.number).takes(value);
        are_its.then_some(()).ok_or(KindError::OtherFields(kind.name()))
    }

    /// Inserts loose values that were [checked](Self::check_loose) into an entity, and the components that
    /// they require if it `requires`.
    #[inline]
    pub(super) fn insert_checked(
        &mut self,
        entity: Entity,
        values: Vec<(Kind, Box<Loose>)>,
        requires: bool,
    ) {
        self.place_checked(entity, values, requires);
        self.notify_added();
    }

    /// Inserts values like [`insert_checked`](Self::insert_checked), but notifies no listeners yet.
    #[inline]
    pub(super) fn place_checked(
        &mut self,
        entity: Entity,
        values: Vec<(Kind, Box<Loose>)>,
        requires: bool,
    ) {
        self.pools.watch.log.begin();
        let mut gone = Vec::with_capacity(values.len());
        let mut given = Vec::with_capacity(values.len());
        for (kind, value) in values {
            gone.push(self.put_loose(&[entity], kind, value).1);
            given.push(kind);
        }
        drop(gone); // while all is whole
        for kind in given.into_iter().filter(|_| requires) {
            self.insert_required(kind, entity);
        }
    }
}

/// # Values by kind
impl World {
    /// Inserts all values into an entity. O(values).
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if there is no such entity, the values belong to another world, or one is a
    /// relation that the entity may not be given. Returns an error if a [rule](crate::guide::rules) between components
    /// forbids it.
    #[inline]
    pub fn insert_values(&mut self, entity: Entity, values: Values) -> Result<(), KindError> {
        values.refuse_other(self)?;
        values.list.iter().for_each(|(kind, _)| self.know(*kind));
        self.check_loose(entity, &lent(&values.list))?;
        self.insert_checked(entity, values.list, true);
        Ok(())
    }

    /// Spawns an entity that has all values, and returns it. O(values).
    ///
    /// # Errors
    /// Returns an error, and spawns nothing, if the values belong to another world, or one is a relation to an entity
    /// that is not alive. Returns an error if a [rule](crate::guide::rules) between components forbids them.
    #[inline]
    pub fn spawn_values(&mut self, values: Values) -> Result<Entity, KindError> {
        values.refuse_other(self)?;
        for (kind, value) in &values.list {
            self.know(*kind);
            self.refuse_other_fields(*kind, &**value)?;
            for pointing in kind.pointings(&**value) {
                self.check_new_pointing(None, pointing)?;
            }
            let nobody = [Entity::PLACEHOLDER];
            self.pools.check_unique_all(kind.number, &[(&nobody, &**value)], &|_| false)?;
        }
        self.check_new(values.kinds().collect(), &|_| true)?;
        let entity = self.spawn_empty().id();
        self.check_loose(entity, &lent(&values.list))?;
        self.insert_checked(entity, values.list, true);
        Ok(entity)
    }
}
