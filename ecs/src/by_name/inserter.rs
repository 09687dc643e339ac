//! A kind that is bound once, for many insertions.

use crate::by_name::kind::KindError;
use crate::component::defined::{FieldValue, for_each_plain};
use crate::entities::Entities;
use crate::entity::Entity;
use crate::pool::WorldPool;
use crate::pool::defined::DefinedPool;
use crate::pool::field_columns::FieldColumn;
use crate::pool::kind::Kind;
use crate::tuples::for_each_tuple;
use crate::world::World;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use sealed::{RowColumn, RowColumns};

/// Inserts values of one [defined](World::define) component: its kind is looked up once, by [`World::kind_inserter`].
///
/// ```
/// use ecs::World;
/// use ecs::by_name::{FieldValue, Fields, KindInserter};
///
/// let mut world = World::new();
/// let place = world.define("Place", Fields::new().f32("x").f32("y"))?;
/// let entities: Vec<_> = (0..100).map(|_| world.spawn_empty().id()).collect();
///
/// let mut places: KindInserter<'_> = world.kind_inserter(place)?;
/// for (x, entity) in (0_u8..).zip(&entities) {
///     places.insert(*entity, (f32::from(x), 0.5_f32))?;
/// }
/// places.insert(entities[0], &[2.0_f32.into(), 1.0_f32.into()])?; // if their types are not known in Rust
/// let value = world.kind_value(place, entities[7]).unwrap();
/// assert_eq!(value.field("x"), Some(FieldValue::F32(7.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct KindInserter<'w> {
    kind: Kind,
    destination: Destination<'w>,
}

/// The place to which values are inserted.
enum Destination<'w> {
    /// Insertions are not watched, so only the pool and the records of entities change.
    Pool(&'w mut DefinedPool, &'w mut Entities),
    World(&'w mut World),
}

impl fmt::Debug for KindInserter<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KindInserter").field(&self.kind.name()).finish()
    }
}

/// The values of the fields of a [defined](World::define) component, in order: a slice, or a tuple of values whose types are
/// known in Rust. A tuple has up to twelve values of the types of [`FieldType`](crate::by_name::FieldType) without parts, such as
/// `f32`, `Option<Entity>` and `String`. They are moved to their columns without an intermediate value.
///
/// See [`KindInserter`] for an example.
pub trait FieldRow: sealed::PushedRow {}

mod sealed {
    use crate::component::defined::FieldValue;
    use crate::pool::field_columns::{FieldColumn, FieldColumns};
    use alloc::vec::Vec;

    /// The columns of the component.
    pub struct RowColumns<'a>(pub(super) &'a mut FieldColumns);

    /// A column.
    pub struct RowColumn<'a>(pub(super) &'a mut FieldColumn);

    /// A type of fields without parts.
    pub trait PlainField: Into<FieldValue> {
        /// Returns the values of a column, if they are of this type.
        fn values(column: RowColumn<'_>) -> Option<&mut Vec<Self>>;
    }

    pub trait PushedRow: Sized {
        /// Appends the values to their columns.
        ///
        /// # Errors
        /// Returns the values if they are of other types than the columns, or have parts.
        fn push(self, columns: RowColumns<'_>) -> Result<(), Vec<FieldValue>>;
        fn into_values(self) -> Vec<FieldValue>;
    }
}

impl FieldRow for &[FieldValue] {}
impl sealed::PushedRow for &[FieldValue] {
    #[inline]
    fn push(self, columns: RowColumns<'_>) -> Result<(), Vec<FieldValue>> {
        if columns.0.push_plain(self) { Ok(()) } else { Err(self.to_vec()) }
    }
    #[inline]
    fn into_values(self) -> Vec<FieldValue> {
        self.to_vec()
    }
}

impl<const N: usize> FieldRow for &[FieldValue; N] {}
impl<const N: usize> sealed::PushedRow for &[FieldValue; N] {
    #[inline]
    fn push(self, columns: RowColumns<'_>) -> Result<(), Vec<FieldValue>> {
        self.as_slice().push(columns)
    }
    #[inline]
    fn into_values(self) -> Vec<FieldValue> {
        self.to_vec()
    }
}

macro_rules! plain_values {
    ($($variant:ident: $ty:ty = $name:literal;)+) => {
        $(impl sealed::PlainField for $ty {
            #[inline(always)]
            fn values(RowColumn(column): RowColumn<'_>) -> Option<&mut Vec<Self>> {
                if let FieldColumn::$variant(values) = column { Some(values) } else { None }
            }
        })+
    };
}
for_each_plain!(plain_values);

macro_rules! row_of_tuple {
    ($($name:ident $at:tt $next:tt),+ $(,)?) => {
        impl<$($name: sealed::PlainField),+> FieldRow for ($($name,)+) {}
        #[expect(non_snake_case, reason = "a column for each type")]
        impl<$($name: sealed::PlainField),+> sealed::PushedRow for ($($name,)+) {
            #[inline(always)]
            fn push(self, RowColumns(columns): RowColumns<'_>) -> Result<(), Vec<FieldValue>> {
                if let [$($name),+] = columns.columns_mut()
                    && let ($(Some($name),)+) = ($($name::values(RowColumn($name)),)+)
                {
                    $($name.push(self.$at);)+
                    columns.note_row();
                    return Ok(());
                }
                Err(self.into_values())
            }
            #[inline]
            fn into_values(self) -> Vec<FieldValue> {
                Vec::from([$(self.$at.into()),+])
            }
        }
    };
}
for_each_tuple!(row_of_tuple);

impl KindInserter<'_> {
    /// Inserts a value into an entity, as a row of the values of its fields. It replaces the value that the entity has. O(fields),
    /// like [`World::insert_fields`].
    ///
    /// # Errors
    /// Returns an error like [`World::insert_fields`].
    #[inline]
    pub fn insert(&mut self, entity: Entity, row: impl FieldRow) -> Result<(), KindError> {
        let values = match &mut self.destination {
            Destination::World(_) => row.into_values(),
            Destination::Pool(pool, entities) => {
                let Err(values) = row.push(RowColumns(pool.columns_mut())) else {
                    let is_alive = pool.enter_pushed(entities, entity);
                    return is_alive.then_some(()).ok_or(KindError::NoSuchEntity(entity));
                };
                values
            }
        };
        self.insert_parts(entity, Cow::Owned(values))
    }

    /// Inserts like [`insert`](Self::insert), also values with parts, and where insertions are watched.
    #[inline]
    pub(super) fn insert_parts(
        &mut self,
        entity: Entity,
        values: Cow<'_, [FieldValue]>,
    ) -> Result<(), KindError> {
        let kind = self.kind;
        let check = |pool: &DefinedPool| {
            let checked = pool.definition.tree.check(&values);
            checked.map_err(|what| KindError::NotRead(kind.name(), what))
        };
        match &mut self.destination {
            Destination::Pool(pool, entities) => {
                check(pool)?;
                if !entities.add_if_alive(entity, kind.number) {
                    return Err(KindError::NoSuchEntity(entity));
                }
                pool.put_fields(entity, &values);
                Ok(())
            }
            Destination::World(world) => {
                let Some(pool) = world.pools.defined_mut(kind.number) else {
                    return Err(KindError::NotDefined(kind.name()));
                };
                check(pool)?;
                let value = Box::new(pool.definition.loose_of(values.into_owned()));
                world.insert_loose(entity, kind, value)
            }
        }
    }
}

impl World {
    /// Returns an inserter of values of a [defined](Self::define) component. Insertions by it skip the search for the pool and
    /// its observers, which [`insert_fields`](Self::insert_fields) repeats. O(1).
    ///
    /// # Errors
    /// Returns an error if the component is not defined so.
    ///
    /// See [`KindInserter`] for an example.
    #[inline]
    pub fn kind_inserter(&mut self, kind: Kind) -> Result<KindInserter<'_>, KindError> {
        self.know(kind);
        let watch = &self.pools.watch;
        // Rules are watched, too.
        let is_watched = watch.watches_insertion(kind.number) || watch.is_notifying();
        let Some(pool) = self.pools.defined_mut(kind.number) else {
            return Err(KindError::NotDefined(kind.name()));
        };
        if is_watched || pool.kind().requires_any() {
            return Ok(KindInserter { kind, destination: Destination::World(self) });
        }
        let Self { pools, entities, .. } = self;
        let Some(pool) = pools.defined_mut(kind.number) else {
            return Err(KindError::NotDefined(kind.name()));
        };
        Ok(KindInserter { kind, destination: Destination::Pool(pool, entities) })
    }
}
