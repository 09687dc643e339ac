//! Components by [`Kind`]: values whose types are not named are read, inserted, copied and removed.

use crate::by_name::values::Values;
#[cfg(feature = "serde")]
use crate::component::Skips;
use crate::component::data::Loose;
use crate::component::set::ComponentSet;
use crate::component::{AnyComponent, Ref};
use crate::edit::bundle::One;
#[cfg(feature = "serde")]
use crate::edit::bundle::{FilteredInserter, Inserter, Recipient};
use crate::edit::commit;
use crate::entity::Entity;
#[cfg(feature = "serde")]
use crate::format::counter::check_depth;
#[cfg(feature = "serde")]
use crate::internal::Internal;
use crate::pool::kind::Kind;
use crate::pool::{Pool, WorldPool};
use crate::relation::ends::RelateError;
use crate::text::{Nearest, nearest};
use crate::world::World;
use crate::world::error::{NoSuchEntityError, RemoveError};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
#[cfg(feature = "serde")]
use alloc::string::ToString;
use alloc::vec::Vec;
#[cfg(feature = "serde")]
use core::cell::Cell;
use core::error::Error;
use core::fmt;
#[cfg(feature = "serde")]
use serde::{Deserializer, Serialize, Serializer, ser::Error as _};

/// The error of an operation on a component by its name or its [`Kind`].
///
/// ```
/// # use ecs::{Component, World};
/// # use ecs::by_name::KindError;
/// # #[derive(Component)] struct Socket;
/// let mut world = World::new();
/// let entity = world.spawn(Socket).id();
/// let error = world.kind("Soket").unwrap_err();
/// assert_eq!(error, KindError::Unknown("Soket".to_owned(), Some("Socket")));
/// assert!(error.to_string().starts_with("the world knows no component `Soket` (the nearest is `Socket`)"));
///
/// let socket = world.kind("Socket").unwrap();
/// let error = world.insert_kind_default(socket, entity).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`Socket` is not inserted by default: add `#[component(default)]` to it, or declare it by \
///      `by_name::Declaration`"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KindError {
    /// The world has no pool of a component with this name: the name, and the nearest name of a pool.
    Unknown(String, Option<&'static str>),
    /// Several components have this name: their full names.
    Ambiguous(String, Vec<&'static str>),
    /// The entity was despawned, or is of another world.
    NoSuchEntity(Entity),
    /// The entity does not have the component of this name.
    Missing(Entity, &'static str),
    /// The entity has a component of this name already.
    Present(Entity, &'static str),
    /// The component of this name does not say by its attribute, which is named next, that this may be done.
    NotAllowed(&'static str, &'static str),
    /// The value is a relation that the entity may not be given.
    Relation(RelateError),
    /// No value of the component of this name was read, for this reason.
    NotRead(&'static str, String),
    /// A query names the component of this name twice, once to be written.
    Aliased(&'static str),
    /// A query writes the component of this name, which is a relation, or is only lent to be read.
    NotWritten(&'static str),
    /// The component of this name is not [defined](World::define) by its fields, but has a type in Rust.
    NotDefined(&'static str),
    /// The query requires no component, so its matches are in the order of no pool, and have no chunks.
    NothingRequired,
    /// The value was made with other fields than the component of this name has in this world.
    OtherFields(&'static str),
    /// The component of this name, which is [defined](World::define), has other fields in this world than the query was
    /// made for.
    Redefined(&'static str),
    /// The values belong to another world, or to this one before it was loaded, and may hold handles of entities there.
    OtherWorld,
    /// The component of this name has no index of a field.
    NotIndexed(&'static str),
    /// The index of the component of this name is not ordered, so it has no ranges.
    NotOrdered(&'static str),
    /// The component of this name is found by a field, whose path comes next, and the value is not of its type.
    WrongKey(&'static str, &'static str, String),
}

impl fmt::Display for KindError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name, nearest) => {
                let nearest = Nearest(*nearest);
                write!(
                    f,
                    "the world knows no component `{name}`{nearest}: it knows components that it has a pool of"
                )
            }
            Self::Ambiguous(name, all) => {
                write!(f, "several components are called `{name}`; name one in full:")?;
                all.iter().try_for_each(|name| write!(f, " `{name}`"))
            }
            Self::NoSuchEntity(entity) => NoSuchEntityError(*entity).fmt(f),
            Self::Missing(entity, name) => write!(f, "entity {entity} has no `{name}`"),
            Self::Present(entity, name) => {
                write!(f, "entity {entity} has a `{name}` already: remove it first")
            }
            Self::NotAllowed(name, key) => {
                let done = match *key {
                    "clone" => "copied",
                    "default" => "inserted by default",
                    "track" => "tracked",
                    _ => "saved, so no value of it is read",
                };
                write!(f, "`{name}` is not {done}: add `#[component({key})]` to it")?;
                if *key == "track" && cfg!(not(feature = "serde")) {
                    return Ok(()); // declared ones are compared as they are saved
                }
                f.write_str(", or declare it by `by_name::Declaration`")
            }
            Self::Relation(error) => error.fmt(f),
            Self::NotRead(name, what) => write!(f, "no `{name}` was read: {what}"),
            Self::Aliased(name) => {
                write!(f, "the query asks for `{name}` twice, and writes it: ask for it once")
            }
            Self::NotWritten(name) => write!(
                f,
                "`{name}` cannot be written here: `World::for_each_row` writes, and a relation is inserted anew"
            ),
            Self::Redefined(name) => write!(
                f,
                "`{name}` has other fields here than the query was made for: make the query anew by this world"
            ),
            Self::NotDefined(name) => write!(
                f,
                "`{name}` has a type in Rust, and is not made of the values of fields: read it by `World::insert_kind`, or \
                 insert it by `World::insert`"
            ),
            Self::NothingRequired => f.write_str(
                "the query requires no component, so its matches have no columns: name one that each match has",
            ),
            Self::OtherFields(name) => write!(
                f,
                "the value was made with other fields or rules than `{name}` has in this world, and no change of them \
                 converts it: make it anew"
            ),
            Self::NotIndexed(name) => write!(
                f,
                "`{name}` has no index of a field: state one by `Fields::index`; a type in Rust is found by `World::index`"
            ),
            Self::NotOrdered(name) => write!(
                f,
                "the index of `{name}` finds equal values, and no ranges: state it by `Fields::ordered_index`"
            ),
            Self::WrongKey(name, path, what) => write!(f, "`{name}` is found by `{path}`: {what}"),
            Self::OtherWorld => f.write_str(
                "the values belong to another world, or to this one before it was loaded, and may hold handles of \
                 entities \
                 there: make them anew with this world, or copy their entity by `World::spawn_copies_of`",
            ),
        }
    }
}

impl Error for KindError {}

impl From<NoSuchEntityError> for KindError {
    fn from(error: NoSuchEntityError) -> Self {
        Self::NoSuchEntity(error.0)
    }
}

impl From<RelateError> for KindError {
    #[inline]
    fn from(error: RelateError) -> Self {
        match error {
            RelateError::NoSuchEntity(entity) => Self::NoSuchEntity(entity),
            error => Self::Relation(error),
        }
    }
}

/// A component of an entity, whose type is not named: from [`World::kind_value`] and [`World::kind_values`].
///
/// It prints as the component does, where that says `#[component(debug)]`, one in columns as the references to its
/// fields; and by its name otherwise. With the feature
/// `serde` it is written as the component is, where that is saved.
///
/// ```
/// # use ecs::by_name::Value;
/// use ecs::{Component, World};
/// #[derive(Component, Debug, PartialEq)]
/// #[component(debug)]
/// struct Health { points: u32 }
/// #[derive(Component)]
/// struct Socket;
///
/// let mut world = World::new();
/// let entity = world.spawn((Health { points: 3 }, Socket)).id();
/// let shown: Vec<String> = world.kind_values(entity).map(|value| format!("{value:?}")).collect();
/// assert!(shown.contains(&"Health { points: 3 }".into()) && shown.contains(&"Socket { .. }".into()));
///
/// let value = world.kind_value(world.kind("Health").unwrap(), entity).unwrap();
/// assert_eq!(value.get::<Health>(), Some(&Health { points: 3 }));
/// assert!(value.as_debug().is_some() && value.get::<Socket>().is_none());
/// ```
#[derive(Clone, Copy)]
pub struct Value<'w> {
    pool: &'w dyn WorldPool,
    at: usize,
}

impl<'w> Value<'w> {
    /// Returns the entity's value in this pool, if it has one.
    #[inline]
    pub(super) fn of(pool: &'w dyn WorldPool, entity: Entity) -> Option<Self> {
        Some(Self { pool, at: pool.raw_keys().find(entity)? })
    }

    /// Returns the pool of the component, and its position there.
    pub(super) fn place(self) -> (&'w dyn WorldPool, usize) {
        (self.pool, self.at)
    }

    /// Returns the kind of the component. O(1).
    #[must_use]
    #[inline]
    pub fn kind(self) -> Kind {
        self.pool.kind()
    }

    /// Returns the entity that has the component. O(1).
    #[must_use]
    #[inline]
    pub fn entity(self) -> Entity {
        self.pool.keys()[self.at]
    }

    /// Returns the value, if it is a `T`. O(1).
    #[must_use]
    pub fn get<T: AnyComponent>(self) -> Option<Ref<'w, T>> {
        self.pool.as_any().downcast_ref::<Pool<T>>()?.borrowed().get(self.at)
    }

    /// Returns the value to be shown to people, if the component says `#[component(debug)]`.
    #[must_use]
    #[inline]
    pub fn as_debug(&self) -> Option<&(dyn fmt::Debug + 'w)> {
        self.kind().is_shown().then_some(self)
    }

    /// Returns the value to be written in any format of serde, if the component is saved.
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// let bob = world.spawn_named("Bob").id();
    /// let value = world.kind_values(bob).next().unwrap();
    /// let text = serde_json::to_string(value.as_serialize().unwrap()).unwrap();
    /// assert_eq!(text, "\"Bob\"");
    /// ```
    #[cfg(feature = "serde")]
    #[must_use]
    #[inline]
    pub fn as_serialize(&self) -> Option<&(dyn erased_serde::Serialize + 'w)> {
        self.pool.kind().saving().is_some().then_some(self)
    }
}

impl fmt::Debug for Value<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = None;
        self.pool.look_at(self.at, &mut |value| shown = Some(value.fmt(f)));
        shown.unwrap_or_else(|| f.debug_struct(self.pool.name()).finish_non_exhaustive())
    }
}

/// Writes the value as the component is saved. Returns an error if it is not saved, or nested too deep to be read
/// again.
#[cfg(feature = "serde")]
impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_shown(serializer, |look| {
            if let Some(pool) = self.pool.saved() {
                pool.show(self.at, look);
            }
        })
    }
}

/// A function that looks at a value.
#[cfg(feature = "serde")]
pub(super) type ShowValue<'a> = &'a mut dyn FnMut(&dyn erased_serde::Serialize);

/// Writes the value that `show` shows. Returns an error if it shows none, or one that is nested too deep to be read
/// again.
#[cfg(feature = "serde")]
pub(super) fn serialize_shown<S: Serializer>(
    serializer: S,
    show: impl FnOnce(ShowValue<'_>),
) -> Result<S::Ok, S::Error> {
    let (serializer, written) = (Cell::new(Some(serializer)), Cell::new(None));
    show(&mut |value| {
        written.set(serializer.take().map(|serializer| {
            let is_flat = check_depth(value, serializer.is_human_readable());
            is_flat.map_err(S::Error::custom)?;
            value.serialize(serializer)
        }));
    });
    written.take().unwrap_or_else(|| Err(S::Error::custom("it is not saved")))
}

/// # Components by name
impl World {
    /// Returns the kind of the component with this name: its saved name, the full name of its type, or the name as
    /// declared, if only one component has that. O(pools).
    ///
    /// # Errors
    /// Returns an error if the world has no pool of such a component, or pools of several.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// #[derive(Component)]
    /// struct Stock<T>(T);
    ///
    /// let mut world = World::new();
    /// world.spawn((Stock(3_u8), Stock('a')));
    /// let error = world.kind("Stock").unwrap_err(); // of which?
    /// assert!(error.to_string().starts_with("several components are called `Stock`"));
    /// let letters = std::any::type_name::<Stock<char>>();
    /// assert_eq!(world.kind(letters).unwrap().size(), 4);
    /// ```
    #[inline]
    pub fn kind(&self, name: &str) -> Result<Kind, KindError> {
        let all = || self.kinds();
        let called: Vec<Kind> = all().filter(|kind| kind.is_called(name)).collect();
        let found = match called[..] {
            [] => all().filter(|kind| kind.name() == name).collect(),
            _ => called,
        };
        match found[..] {
            [kind] => Ok(kind),
            [] => {
                let nearest = nearest(name, all().map(Kind::name));
                Err(KindError::Unknown(name.to_owned(), nearest))
            }
            _ => {
                let all = found.iter().map(|kind| kind.type_name()).collect();
                Err(KindError::Ambiguous(name.to_owned(), all))
            }
        }
    }

    /// Inserts a loose value of this kind, whose pool exists, into an entity.
    #[inline]
    pub(super) fn insert_loose(
        &mut self,
        entity: Entity,
        kind: Kind,
        value: Box<Loose>,
    ) -> Result<(), KindError> {
        self.check_loose(entity, &[(kind, &*value)])?;
        self.insert_checked(entity, Vec::from([(kind, value)]), true);
        Ok(())
    }

    /// Inserts loose values of this kind, whose pool exists, into as many different living entities. If the values are
    /// relations, they were checked. Notes the insertions; the caller notifies observers. Returns the entities that
    /// lacked the component, and the replaced values, to be dropped when the world is consistent.
    #[inline]
    pub(crate) fn put_loose(
        &mut self,
        list: &[Entity],
        kind: Kind,
        values: Box<Loose>,
    ) -> (Vec<Entity>, Box<Loose>) {
        let Self { pools, entities, groups, .. } = self;
        let number = kind.number;
        for entity in list {
            entities.add(*entity, number);
        }
        let before = pools.keys_at(number).len();
        let gone = pools.at_mut(number).put_loose(list, values);
        let keys = pools.keys_at(number);
        let is_new = |entity: &Entity| keys.find(*entity).is_some_and(|at| at >= before);
        let new = list.iter().copied().filter(is_new).collect();
        let (components, given) = (ComponentSet::of(number), [(number, before)]);
        commit::insertions(pools, entities, groups, list, &components, &given, false);
        (new, gone)
    }

    /// Makes the pool of this kind, unless there is one.
    #[inline]
    pub(crate) fn know(&mut self, kind: Kind) {
        if self.pools.of_kind(kind).is_none() {
            kind.creating()(self, kind);
        }
    }

    /// Returns this kind as the world has it: one of a defined component may have other fields and rules here.
    #[inline]
    pub(crate) fn here(&self, kind: Kind) -> Kind {
        let pool = kind.definition().and_then(|_| self.pools.of_kind(kind));
        pool.map_or(kind, WorldPool::kind)
    }

    /// Inserts the components that this component requires into an entity that was given it, where it lacks them.
    #[inline]
    pub(crate) fn insert_required(&mut self, kind: Kind, entity: Entity) {
        let kind = self.here(kind);
        match kind.requiring() {
            Some(require) => require(self, entity),
            None if kind.requires_any() => self.insert_defaults(kind, entity),
            None => {}
        }
    }

    /// Inserts the components that this defined component requires, like [`insert_required`](Self::insert_required).
    #[inline]
    fn insert_defaults(&mut self, kind: Kind, entity: Entity) {
        for required in kind.required() {
            if let Some(value) = self.missing_default(required, entity) {
                drop(self.put_loose(&[entity], required, value));
                self.insert_required(required, entity);
            }
        }
    }

    /// Returns the default of a component if an entity lacks it. Makes its pool.
    #[inline]
    fn missing_default(&mut self, kind: Kind, entity: Entity) -> Option<Box<Loose>> {
        self.know(kind);
        let pool = self.pools.at(kind.number);
        if pool.contains(entity) { None } else { pool.kind().default_value() }
    }

    /// Inserts some of the components that this component requires into an entity that has it: see
    /// [`FilteredEdit`](crate::component::FilteredEdit).
    ///
    /// # Errors
    /// Returns an error if the entity may not have a value, which is left out then.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn insert_some_required(
        &mut self,
        kind: Kind,
        entity: Entity,
        skips: Skips<'_>,
        is_silent: bool,
    ) -> Result<(), String> {
        let kind = self.here(kind);
        if let Some(require) = kind.requiring_some() {
            return require(self, entity, skips, is_silent);
        }
        let mut refused = Ok(());
        for required in kind.required() {
            if skips(required.number, required.saving().is_some(), required.is_tracked()) {
                continue;
            }
            let Some(value) = self.missing_default(required, entity) else { continue };
            if is_silent {
                self.entities.add(entity, required.number);
                drop(self.pools.at_mut(required.number).put_loose(&[entity], value));
            } else {
                drop(self.put_loose(&[entity], required, value));
            }
            refused = refused.and(self.insert_some_required(required, entity, skips, is_silent));
        }
        refused
    }

    /// Makes the pool of `T`, unless there is one.
    pub(crate) fn create_pool<T: AnyComponent>(&mut self) {
        self.pools.get_or_create::<T>();
    }

    /// Inserts the components that a `T` requires into an entity that was given a `T`.
    pub(crate) fn require_for<T: AnyComponent>(&mut self, entity: Entity) {
        self.require::<One<T>>(&[entity]);
    }

    /// Inserts the components that a `T` requires, except the ones that `skips` names, into an entity that has a `T`.
    /// Notes the insertions for observers, unless it `is_silent`: then relations are left out, and the caller restores
    /// groups.
    ///
    /// # Errors
    /// Returns an error if the entity may not have a value, which is left out then.
    #[cfg(feature = "serde")]
    pub(crate) fn require_some_for<T: AnyComponent>(
        &mut self,
        entity: Entity,
        skips: Skips<'_>,
        is_silent: bool,
    ) -> Result<(), String> {
        let Self { pools, entities, groups, .. } = self;
        let recipient = if is_silent {
            Recipient::UNWATCHED
        } else {
            Recipient::Existing { groups: Some(groups), has_rows: true }
        };
        let inserter = Inserter::new(pools, entities, entity, recipient, is_silent);
        let leaves_relations = is_silent;
        let mut filtered = FilteredInserter { inserter, skips, leaves_relations, refused: Ok(()) };
        T::require(Internal::CALL, &mut filtered);
        filtered.refused.map_err(|error| error.to_string())
    }

    /// Calls `insert` with an inserter that neither notes insertions for observers nor updates groups: the caller
    /// restores groups.
    #[cfg(feature = "serde")]
    pub(crate) fn with_silent_inserter<R>(
        &mut self,
        entity: Entity,
        insert: impl FnOnce(&mut Inserter<'_>) -> R,
    ) -> R {
        let Self { pools, entities, .. } = self;
        insert(&mut Inserter::new(pools, entities, entity, Recipient::UNWATCHED, true))
    }
}

/// # Components by kind: values
impl World {
    /// Returns all components of an entity; none of a dead one. O(pools).
    ///
    /// See [`Value`] for an example.
    #[inline]
    pub fn kind_values(&self, entity: Entity) -> impl Iterator<Item = Value<'_>> {
        self.pools.iter().filter_map(move |pool| Value::of(pool, entity))
    }

    /// Returns the entity's component of this kind, if it is alive and has one. O(1).
    ///
    /// See [`Value`] for an example.
    #[must_use]
    #[inline]
    pub fn kind_value(&self, kind: Kind, entity: Entity) -> Option<Value<'_>> {
        Value::of(self.pools.of_kind(kind)?, entity)
    }

    /// Inserts into an entity the default of a component that says `#[component(default)]`. O(1).
    ///
    /// # Errors
    /// Returns an error if the component does not say so, there is no such entity, or the default is a relation that it
    /// may not be given.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use ecs::by_name::Kind;
    /// #[derive(Component, Default, Debug, PartialEq)]
    /// #[component(default)]
    /// struct Health(u32);
    ///
    /// let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// world.insert_kind_default(Kind::of::<Health>(), entity).unwrap();
    /// assert_eq!(world.get::<Health>(entity), Some(&Health(0)));
    /// ```
    #[inline]
    pub fn insert_kind_default(&mut self, kind: Kind, entity: Entity) -> Result<(), KindError> {
        let mut values = Values::new();
        values.add_default(self, kind)?;
        self.insert_values(entity, values)
    }

    /// Inserts into the entity `to` a copy of the component of the entity `from`, if the component says
    /// `#[component(clone)]`. Handles in it stay as they are. O(1).
    ///
    /// # Errors
    /// Returns an error if the component cannot be cloned, one of the entities is not alive, or `from` lacks the
    /// component. Also returns one if it is a relation that `to` may not be given.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use ecs::by_name::Kind;
    /// # #[derive(Component, Clone, Debug, PartialEq)] #[component(clone)] struct Health(u32);
    /// let mut world = World::new();
    /// let [a, b] = [world.spawn(Health(3)).id(), world.spawn_empty().id()];
    /// world.copy_kind(Kind::of::<Health>(), a, b).unwrap();
    /// assert_eq!(world.get::<Health>(b), Some(&Health(3)));
    /// ```
    #[inline]
    pub fn copy_kind(&mut self, kind: Kind, from: Entity, to: Entity) -> Result<(), KindError> {
        if !kind.is_copied() {
            return Err(KindError::NotAllowed(kind.name(), "clone"));
        }
        for entity in [from, to] {
            if !self.is_alive(entity) {
                return Err(KindError::NoSuchEntity(entity));
            }
        }
        let value = self.kind_value(kind, from).ok_or(KindError::Missing(from, kind.name()))?;
        let copy = value.pool.copies_of(&[from], 1);
        self.insert_loose(to, kind, copy.ok_or(KindError::NotAllowed(kind.name(), "clone"))?)
    }

    /// Inserts into an entity a value that is read from any format of serde, of a component that is saved, in its
    /// present version. Handles in it belong to this world. The default [`Limits`](crate::save::Limits) hold. O(1),
    /// beside the reading.
    ///
    /// # Errors
    /// Returns an error if the component is not saved, there is no such entity, or no such value is read. Also returns
    /// one if it is a relation that the entity may not be given.
    ///
    /// ```
    /// # use ecs::{Name, World};
    /// # use ecs::by_name::Kind;
    /// let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// let mut from = serde_json::Deserializer::from_str("\"Bob\"");
    /// world.insert_kind(Kind::of::<Name>(), entity, &mut from).unwrap();
    /// assert_eq!(world.name(entity), Some("Bob"));
    /// ```
    #[cfg(feature = "serde")]
    pub fn insert_kind<'de, D: Deserializer<'de>>(
        &mut self,
        kind: Kind,
        entity: Entity,
        deserializer: D,
    ) -> Result<(), KindError> {
        let mut values = Values::new();
        values.read(self, kind, deserializer)?;
        self.insert_values(entity, values)
    }

    /// Removes the component of this kind from an entity and drops it, like [`World::try_remove`]. O(1).
    ///
    /// # Errors
    /// Returns an error if there is no such entity, it lacks the component, the veto refuses, or another component
    /// [needs](crate::guide::rules) it.
    ///
    /// ```
    /// # use ecs::{Name, RemoveError, World};
    /// # use ecs::by_name::Kind;
    /// let mut world = World::new();
    /// let bob = world.spawn_named("Bob").id();
    /// world.remove_kind(Kind::of::<Name>(), bob).unwrap();
    /// let error = world.remove_kind(Kind::of::<Name>(), bob).unwrap_err();
    /// assert_eq!(error, RemoveError::Missing(bob, "Name"));
    /// ```
    #[inline]
    pub fn remove_kind(&mut self, kind: Kind, entity: Entity) -> Result<(), RemoveError> {
        if !self.is_alive(entity) {
            return Err(RemoveError::NoSuchEntity(entity));
        }
        if !self.pools.has(kind.number, entity) {
            return Err(RemoveError::Missing(entity, kind.name()));
        }
        self.remove_numbered(entity, &[kind.number])
    }
}
