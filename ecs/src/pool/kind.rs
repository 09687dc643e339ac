//! Component types as values: their names, properties and untyped operations.

use crate::component::Component;
#[cfg(feature = "serde")]
use crate::component::data::{Late, SavingName};
use crate::component::id::ComponentId;
use crate::component::shape::Shape;
use crate::component::{Creator, EntityEdit, creating, index_of, requiring};
#[cfg(feature = "serde")]
use crate::component::{FilteredEdit, Requirer, requiring_some, sealed};
use crate::entity::Entity;
#[cfg(feature = "serde")]
use crate::format::budget::Budget;
#[cfg(feature = "serde")]
use crate::format::counter::Counter;
#[cfg(feature = "serde")]
use crate::format::header::Schema;
#[cfg(feature = "serde")]
use crate::format::reader::{ReadError, Reader};
#[cfg(feature = "serde")]
use crate::internal::Internal;
use crate::pool::relations::Pointing;
use crate::signature::Signature;
#[cfg(feature = "serde")]
use crate::storage::keys::Keys;
use crate::storage::sparse_set::SparseSet;
use crate::storage::values::Container;
use alloc::boxed::Box;
#[cfg(feature = "serde")]
use alloc::format;
#[cfg(feature = "serde")]
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::any::{Any, type_name};
use core::fmt;
#[cfg(feature = "serde")]
use serde::Serialize;

/// A component type as a value: its names, its size, and the operations on its values. Returned by
/// [`World::kind`](crate::World::kind) for a name, and by [`Kind::of`] for a type.
///
/// It belongs to the process, not to a world: kinds of one type are equal, from any world. Each method is O(1).
///
/// ```
/// use ecs::Component;
/// use ecs::by_name::Kind;
///
/// #[derive(Component, Debug, Default)]
/// #[component(debug, default)]
/// struct Place { x: f32, y: f32 }
///
/// let kind = Kind::of::<Place>();
/// assert_eq!((kind.name(), kind.size()), ("Place", 8));
/// assert!(kind.is_shown() && kind.has_default() && !kind.is_copied());
/// assert!(kind.type_name().ends_with("::Place"));
/// ```
#[derive(Clone, Copy)]
pub struct Kind {
    pub(crate) number: u32,
    about: &'static About,
}

/// The properties of a component.
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the attribute")]
struct About {
    name: &'static str,
    type_name: fn() -> &'static str,
    id: ComponentId,
    bit: Signature,
    shape: &'static str,
    size: usize,
    is_in_columns: bool,
    is_shown: bool,
    has_default: bool,
    is_copied: bool,
    skips_copies: bool,
    is_tracked: bool,
    is_relation: bool,
    #[cfg(feature = "serde")]
    saved_as: Option<(SavingName, Schema)>,
    /// Creates its pool.
    create: Creator,
    /// Inserts the components that this component requires into an entity.
    require: Option<EntityEdit>,
    #[cfg(feature = "serde")]
    require_some: Option<FilteredEdit>,
    /// Returns the kinds of the components that it requires.
    #[cfg(feature = "serde")]
    required: Option<fn() -> Vec<Kind>>,
    #[cfg(feature = "serde")]
    holds_entities: bool,
}

impl Kind {
    /// Returns the kind of the components of this type.
    ///
    /// ```
    /// # use ecs::{Name, World};
    /// # use ecs::by_name::Kind;
    /// let mut world = World::new();
    /// world.spawn_named("Bob");
    /// assert_eq!(world.kind("Name"), Ok(Kind::of::<Name>()));
    /// ```
    #[must_use]
    pub fn of<T: Component>() -> Self {
        Self { number: index_of::<T>().get(), about: About::of::<T>() }
    }

    /// Returns the name as declared. Other components may have it, too.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.about.name
    }

    /// Returns the full name of the type, with its parameters; unique in most programs.
    ///
    /// ```
    /// # use ecs::Component;
    /// # use ecs::by_name::Kind;
    /// #[derive(Component)]
    /// struct Stock<T>(T);
    ///
    /// assert!(Kind::of::<Stock<u8>>().type_name().ends_with("::Stock<u8>"));
    /// assert_eq!(Kind::of::<Stock<u8>>().name(), "Stock");
    /// ```
    #[must_use]
    pub fn type_name(self) -> &'static str {
        (self.about.type_name)()
    }

    /// Returns the component's id.
    #[must_use]
    pub const fn id(self) -> ComponentId {
        self.about.id
    }

    /// Returns its bit in signatures.
    #[must_use]
    pub const fn bit(self) -> Signature {
        self.about.bit
    }

    /// Returns its fields and variants. O(their number).
    ///
    /// ```
    /// # use ecs::Component;
    /// # use ecs::by_name::{Kind, Shape};
    /// #[derive(Component)]
    /// struct Place { x: f32, y: f32 }
    ///
    /// let Shape::Struct(fields) = Kind::of::<Place>().shape() else { panic!("its fields have names") };
    /// assert_eq!((fields[1].name, &*fields[1].type_text), ("y", "f32"));
    /// ```
    #[must_use]
    pub fn shape(self) -> Shape {
        Shape::read(self.about.shape, self.type_name())
    }

    /// Returns the number of bytes of a value, without memory that it owns.
    #[must_use]
    pub const fn size(self) -> usize {
        self.about.size
    }

    /// Returns `true` if it is stored [in columns](crate::Component#layouts).
    #[must_use]
    pub const fn is_in_columns(self) -> bool {
        self.about.is_in_columns
    }

    /// Returns `true` if its values can be displayed: `#[component(debug)]`.
    #[must_use]
    pub const fn is_shown(self) -> bool {
        self.about.is_shown
    }

    /// Returns `true` if it can be inserted without a value: `#[component(default)]`.
    #[must_use]
    pub const fn has_default(self) -> bool {
        self.about.has_default
    }

    /// Returns `true` if its values may be copied: `#[component(clone)]`.
    #[must_use]
    pub const fn is_copied(self) -> bool {
        self.about.is_copied
    }

    /// Returns `true` if copies omit it on purpose: `#[component(clone = skip)]`.
    #[must_use]
    pub const fn skips_copies(self) -> bool {
        self.about.skips_copies
    }

    /// Returns `true` if its changes can be read: `#[component(track)]`.
    #[must_use]
    pub const fn is_tracked(self) -> bool {
        self.about.is_tracked
    }

    /// Returns `true` if it is a [relation](crate::Relation).
    #[must_use]
    pub const fn is_relation(self) -> bool {
        self.about.is_relation
    }

    /// Returns the name and the version under which it is saved, if it is: `#[component(save = "name")]`. All instances
    /// of a generic component share the name.
    #[cfg(feature = "serde")]
    #[must_use]
    pub fn saved_as(self) -> Option<(&'static str, u32)> {
        self.about.saved_as.map(|(name, schema)| (name.base, schema.version))
    }

    /// Returns the whole name under which it is saved, including the name of its instance if it is generic. The name is
    /// unique among saved kinds, and [`World::kind`](crate::World::kind) finds it.
    ///
    /// ```
    /// # use ecs::by_name::Kind;
    /// assert_eq!(Kind::of::<ecs::ChildOf>().saved_name().unwrap(), "ecs::ChildOf");
    /// ```
    #[cfg(feature = "serde")]
    #[must_use]
    pub fn saved_name(self) -> Option<String> {
        self.about.saved_as.map(|(name, _)| name.to_string())
    }

    /// Returns `true` if `name` is the name under which it is saved, or its full name.
    pub(crate) fn is_called(self, name: &str) -> bool {
        #[cfg(feature = "serde")]
        if self.about.saved_as.is_some_and(|(saved, _)| saved.is(name)) {
            return true;
        }
        self.type_name() == name
    }

    /// Returns the name in files, and the version with its fingerprint, of a component that is saved.
    #[cfg(feature = "serde")]
    pub(crate) const fn saving(self) -> Option<(SavingName, Schema)> {
        self.about.saved_as
    }

    /// Returns the function that creates the pool of such components.
    pub(crate) fn creating(self) -> Creator {
        self.about.create
    }

    /// Returns the edit that inserts the components that this component requires, if it requires any.
    pub(crate) fn requiring(self) -> Option<EntityEdit> {
        self.about.require
    }

    /// Returns the edit that inserts some of the components that this component requires, if it is saved and requires
    /// any.
    #[cfg(feature = "serde")]
    pub(crate) fn requiring_some(self) -> Option<FilteredEdit> {
        self.about.require_some
    }

    /// Returns the components that this component itself requires.
    #[cfg(feature = "serde")]
    pub(crate) fn required(self) -> Vec<Self> {
        self.about.required.map_or_else(Vec::new, |required| required())
    }

    /// Returns the names in files of the saved components that this component itself requires.
    #[cfg(feature = "serde")]
    pub(crate) fn required_names(self) -> Vec<String> {
        let name = |kind: &Self| Some(kind.saving()?.0.to_string());
        self.required().iter().filter_map(name).collect()
    }

    /// Returns `true` if its values contain handles that are replaced when they enter another world: those of
    /// relations, and of fields that are marked by `#[component(entities)]`.
    ///
    /// ```
    /// # use ecs::{ChildOf, Name};
    /// # use ecs::by_name::Kind;
    /// assert!(Kind::of::<ChildOf>().holds_entities() && !Kind::of::<Name>().holds_entities());
    /// ```
    #[cfg(feature = "serde")]
    #[must_use]
    pub const fn holds_entities(self) -> bool {
        self.about.holds_entities
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}
impl Eq for Kind {}

/// Displays the full name of the type.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.type_name())
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kind({})", self.type_name())
    }
}

impl About {
    fn of<T: Component>() -> &'static Self {
        const {
            &Self {
                name: T::NAME,
                type_name: type_name::<T>,
                id: T::ID,
                bit: T::BIT,
                shape: T::SHAPE,
                size: size_of::<T>(),
                is_in_columns: <T::Storage as Container<T>>::IN_COLUMNS,
                is_shown: T::DEBUGGING.is_some(),
                has_default: T::DEFAULT.is_some(),
                is_copied: T::COPYING.is_some(),
                skips_copies: T::SKIPS_COPIES,
                is_tracked: T::TRACKED,
                is_relation: T::RELATION.is_some(),
                #[cfg(feature = "serde")]
                saved_as: match T::SAVING {
                    Some(saving) => Some((saving.name, saving.schema)),
                    None => None,
                },
                create: creating::<T>(),
                require: requiring::<T>(),
                #[cfg(feature = "serde")]
                require_some: requiring_some::<T>(),
                #[cfg(feature = "serde")]
                required: if T::REQUIRES { Some(required_by::<T>) } else { None },
                #[cfg(feature = "serde")]
                holds_entities: T::HOLDS_ENTITIES,
            }
        }
    }
}

/// Collects the kinds of the components that a component requires, without making any.
#[cfg(feature = "serde")]
struct Required(Vec<Kind>);

#[cfg(feature = "serde")]
impl sealed::Sealed for Required {}

#[cfg(feature = "serde")]
impl Requirer for Required {
    fn require<T: Component>(&mut self, _: impl FnOnce() -> T) {
        self.0.push(Kind::of::<T>());
    }
}

#[cfg(feature = "serde")]
fn required_by<T: Component>() -> Vec<Kind> {
    let mut required = Required(Vec::new());
    T::require(Internal::CALL, &mut required);
    required.0
}

/// The part of a pool that inserts and reads values without their type.
pub(crate) trait KindPool {
    /// Returns this pool, so that it can be cast to its type.
    fn as_any_mut(&mut self) -> &mut dyn Any;
    /// Calls `look` with the value at this position, if values are shown.
    fn look_at(&self, at: usize, look: &mut dyn FnMut(&dyn fmt::Debug));
    /// Returns the default of the component, if it declares one.
    fn default_value(&self) -> Option<Box<dyn Any>>;
    /// Removes the value that was taken out last, and returns it without its type. The pool must be finished later.
    fn pop_loose(&mut self) -> Box<dyn Any + Send + Sync>;
    /// Returns the targets of untyped values of this type, if it is a relation.
    fn pointings(&self, values: &dyn Any) -> Vec<Pointing>;
    /// Inserts untyped values of this type into these entities, one for each. The entities must not have the component,
    /// unless values of the type [may replace](Kind::may_replace) others. Returns the replaced values.
    fn put_loose(&mut self, entities: &[Entity], values: Box<dyn Any>) -> Box<dyn Any>;
    /// Returns the positions at which the saved bytes of this pool and of another one of its type differ. The type must
    /// be saved.
    #[cfg(feature = "serde")]
    fn changed_since(&self, old: &dyn Any) -> Vec<usize>;
    /// Reads `count` values of this version, written as bytes or not. Returns the number of the wrong value if that fails.
    /// Adds other components that result from the values to `late`.
    #[cfg(feature = "serde")]
    fn read_loose(
        &self,
        version: u32,
        as_bytes: bool,
        count: usize,
        reader: &mut Reader,
        late: &mut Vec<Late>,
    ) -> Result<Box<dyn Any>, (usize, ReadError)>;
    /// Replaces the keys by these, or keeps them for `None`, and writes untyped values of this type at these positions,
    /// which ascend. Returns the values that no entity has any more.
    #[cfg(feature = "serde")]
    fn patch(
        &mut self,
        keys: Option<Keys<Entity>>,
        positions: &[usize],
        values: Box<dyn Any>,
    ) -> Box<dyn Any>;
}

impl<T: Component> KindPool for SparseSet<T, Entity, T::Storage> {
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
    fn look_at(&self, at: usize, look: &mut dyn FnMut(&dyn fmt::Debug)) {
        if let Some(debugging) = T::DEBUGGING {
            self.with_values(|values| (debugging.0)(values, at, look));
        }
    }
    fn default_value(&self) -> Option<Box<dyn Any>> {
        let default = T::DEFAULT?;
        let mut values = T::Storage::default();
        values.push(default());
        Some(Box::new(values))
    }
    fn pop_loose(&mut self) -> Box<dyn Any + Send + Sync> {
        let mut values = T::Storage::default();
        self.pop_taken().into_iter().for_each(|value| values.push(value));
        Box::new(values)
    }
    fn pointings(&self, values: &dyn Any) -> Vec<Pointing> {
        let Some(rule) = T::RELATION else { return Vec::new() };
        let Some(values) = values.downcast_ref::<T::Storage>() else { return Vec::new() };
        values.iter().map(|value| Pointing::to((rule.target_at)(value), &rule)).collect()
    }
    fn put_loose(&mut self, entities: &[Entity], values: Box<dyn Any>) -> Box<dyn Any> {
        let mut gone = T::Storage::default();
        match values.downcast::<T::Storage>() {
            Ok(values) if const { Kind::may_replace::<T>() } => {
                self.put_all(entities, *values, &mut gone);
            }
            Ok(values) => self.append(entities, *values),
            Err(_) => {}
        }
        Box::new(gone)
    }
    #[cfg(feature = "serde")]
    fn changed_since(&self, old: &dyn Any) -> Vec<usize> {
        let mut changed = Vec::new();
        if let (Some(saving), Some(old)) = (T::SAVING, old.downcast_ref::<Self>()) {
            let len = self.len().min(old.len());
            old.with_values(|old| {
                self.with_values(|new| (saving.compare)(old, new, len, &mut changed));
            });
        }
        changed
    }
    #[cfg(feature = "serde")]
    fn read_loose(
        &self,
        version: u32,
        as_bytes: bool,
        count: usize,
        reader: &mut Reader,
        late: &mut Vec<Late>,
    ) -> Result<Box<dyn Any>, (usize, ReadError)> {
        Ok(Box::new(read_values::<T>(version, as_bytes, count, reader, late)?))
    }
    #[cfg(feature = "serde")]
    fn patch(
        &mut self,
        keys: Option<Keys<Entity>>,
        positions: &[usize],
        values: Box<dyn Any>,
    ) -> Box<dyn Any> {
        let mut gone = T::Storage::default();
        if let Ok(values) = values.downcast::<T::Storage>()
            && const { T::SAVING.is_some() }
        {
            self.put_at(keys, positions, *values, &mut gone);
        }
        Box::new(gone)
    }
}

impl Kind {
    /// Returns `true` if any values of this type can be inserted without naming it.
    const fn may_replace<T: Component>() -> bool {
        #[cfg(feature = "serde")]
        if T::SAVING.is_some() {
            return true;
        }
        T::COPYING.is_some() || T::DEFAULT.is_some()
    }
}

/// Reads `count` values of this version. If that fails, returns the number of the wrong value, or `count` if no single
/// value is wrong.
#[cfg(feature = "serde")]
fn read_values<T: Component>(
    version: u32,
    as_bytes: bool,
    count: usize,
    reader: &mut Reader,
    late: &mut Vec<Late>,
) -> Result<T::Storage, (usize, ReadError)> {
    let current = T::SAVING.filter(|saving| saving.schema.version == version);
    let older = T::SAVED_BEFORE.iter().find(|old| old.version == version);
    let read = match &current {
        Some(saving) if as_bytes => saving.bytes.map(|(_, read)| read),
        Some(saving) => Some(saving.read),
        None => None,
    };
    let old = older.filter(|_| !as_bytes && current.is_none()).map(|old| old.read);
    if read.is_none() && old.is_none() {
        let is_known = current.is_some() || older.is_some();
        let error = if is_known {
            serde::de::Error::custom(
                "it was saved as bytes, but values of this version are not read as bytes",
            )
        } else {
            serde::de::Error::custom(UnknownVersion(version))
        };
        return Err((count, error));
    }
    let mut values = T::Storage::default();
    let handles = reader.handles;
    let read = reader.pay(count, size_of::<T>()).and_then(|()| {
        values.reserve(count);
        match (read, old) {
            (Some(read), _) => read(reader, count, &mut values),
            (None, Some(old)) => old(reader, count, &mut values, late),
            (None, None) => Ok(()),
        }
    });
    read.map_err(|error| (values.len(), error))?;
    if values.len() != count {
        let what = format!("{} values were read, not {count}", values.len());
        return Err((values.len(), ReadError::new(what)));
    }
    let handles = reader.handles - handles;
    // Values of an earlier version may have had more or fewer handles.
    let counted = if current.is_none() && (handles > 0 || T::HOLDS_ENTITIES) {
        check_handles::<T>(values, &mut reader.budget)
    } else {
        count_handles::<T>(values, handles, &mut reader.budget)
    };
    counted.map_err(|error| (count, error))
}

/// Returns the number of handles that these values write, which is equal for all formats.
#[cfg(feature = "serde")]
fn handles_in<T: Component>(values: &T::Storage) -> Result<usize, ReadError> {
    let Some(saving) = T::SAVING else { return Ok(0) };
    let (mut counter, mut written) = (Counter::default(), Ok(()));
    for at in 0..values.len() {
        (saving.show)(values, at, &mut |value| {
            if written.is_ok() {
                written = value.serialize(&mut counter);
            }
        });
    }
    written.map(|()| counter.handles)
}

/// Returns an error if some handles of values of a saved type are not visited.
#[cfg(feature = "serde")]
pub(crate) fn check_handles<T: Component>(
    values: T::Storage,
    budget: &mut Budget,
) -> Result<T::Storage, ReadError> {
    let handles = if T::KEEPS_ENTITIES { 0 } else { handles_in::<T>(&values)? };
    count_handles::<T>(values, handles, budget)
}

/// The error for values of a version that no type reads.
#[cfg(feature = "serde")]
pub(crate) struct UnknownVersion(pub(crate) u32);

#[cfg(feature = "serde")]
impl fmt::Display for UnknownVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(version) = self;
        write!(
            f,
            "version {version} is not readable: name the type of its values by `from({version} = Old)`"
        )
    }
}

/// Returns the values, if replacing visits as many handles as were read; otherwise some were missed.
#[cfg(feature = "serde")]
fn count_handles<T: Component>(
    values: T::Storage,
    read: usize,
    budget: &mut Budget,
) -> Result<T::Storage, ReadError> {
    if read == 0 || T::KEEPS_ENTITIES {
        return Ok(values);
    }
    budget.pay(values.len(), size_of::<T>())?;
    let (mut counted, mut mapped) = (T::Storage::default(), 0);
    counted.reserve(values.len());
    for mut value in Container::into_iter(values) {
        T::map_entities(Internal::CALL, &mut value, &mut |entity| {
            mapped += 1;
            entity
        });
        counted.push(value);
    }
    if mapped == read {
        return Ok(counted);
    }
    Err(ReadError::new(format!(
        "it contains {read} entity handles, but only {mapped} are marked: mark the fields that hold them by \
         `#[component(entities)]`, or by `#[component(entities = ignore)]`"
    )))
}
