//! Items of views, as records with names.

use crate::columns::Columns;
use crate::error::{Fault, TableError};
use crate::plain::{NotPlain, Spread};
use crate::spawn::{Handles, Insert};
use crate::table::Table;
use crate::write::Put;
use ecs::{AnyComponent, Entity};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A part of an item of a view: the entity, a component, or a component that not all entities have.
///
/// ```
/// use ecs_tables::Column;
///
/// assert_eq!(<(ecs::Entity) as Column>::NAME, "entity");
/// assert_eq!(<Option<&ecs::Name> as Column>::NAME, "Name");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a column of a table",
    label = "tables are made of entities, `&Component` and `Option<&Component>`",
    note = "a component needs `#[derive(Serialize, Deserialize)]`; of anything else, make structs for \
            `Table::of_records`"
)]
pub trait Column {
    /// The name of the column, or the prefix of the names of its columns.
    const NAME: &'static str;

    #[doc(hidden)]
    fn add_to(columns: Columns) -> Result<Columns, TableError>;

    #[doc(hidden)]
    fn put(&self, put: Put<'_, '_>) -> Result<(), Fault>;

    #[doc(hidden)]
    fn spread<const LEARN: bool>(&self, to: &mut Spread<'_, LEARN>) -> Result<(), NotPlain>;

    #[doc(hidden)]
    fn read(table: &Table, handles: Option<&Handles>) -> Result<Option<Insert>, TableError>;
}

impl Column for Entity {
    const NAME: &'static str = "entity";

    fn add_to(columns: Columns) -> Result<Columns, TableError> {
        columns.with::<Self>(Self::NAME)
    }
    #[inline]
    fn put(&self, put: Put<'_, '_>) -> Result<(), Fault> {
        put.handle(*self)
    }
    #[inline]
    fn spread<const LEARN: bool>(&self, to: &mut Spread<'_, LEARN>) -> Result<(), NotPlain> {
        to.handle(*self)
    }
    fn read(_: &Table, _: Option<&Handles>) -> Result<Option<Insert>, TableError> {
        Ok(None) // the rows have entities already
    }
}

impl<T: AnyComponent + Serialize + DeserializeOwned> Column for &T {
    const NAME: &'static str = T::NAME;

    fn add_to(columns: Columns) -> Result<Columns, TableError> {
        columns.with::<T>(T::NAME)
    }
    #[inline]
    fn put(&self, put: Put<'_, '_>) -> Result<(), Fault> {
        self.serialize(put)
    }
    #[inline]
    fn spread<const LEARN: bool>(&self, to: &mut Spread<'_, LEARN>) -> Result<(), NotPlain> {
        self.serialize(to)
    }
    fn read(table: &Table, handles: Option<&Handles>) -> Result<Option<Insert>, TableError> {
        let columns = Self::add_to(Columns::new())?;
        table.component(&columns, handles, |get| T::deserialize(get).map(Some)).map(Some)
    }
}

impl<T: AnyComponent + Serialize + DeserializeOwned> Column for Option<&T> {
    const NAME: &'static str = T::NAME;

    fn add_to(columns: Columns) -> Result<Columns, TableError> {
        columns.with::<Option<T>>(T::NAME)
    }
    #[inline]
    fn put(&self, put: Put<'_, '_>) -> Result<(), Fault> {
        self.serialize(put)
    }
    #[inline]
    fn spread<const LEARN: bool>(&self, to: &mut Spread<'_, LEARN>) -> Result<(), NotPlain> {
        self.serialize(to)
    }
    fn read(table: &Table, handles: Option<&Handles>) -> Result<Option<Insert>, TableError> {
        let columns = Self::add_to(Columns::new())?;
        table.component::<T>(&columns, handles, |get| Option::deserialize(get)).map(Some)
    }
}

/// An item of a view or a pool that consists of [columns](Column).
///
/// ```
/// fn is_row(_: &impl ecs_tables::Row) {}
///
/// let mut world = ecs::World::new();
/// world.spawn_named("Alice");
/// is_row(&world.view::<&ecs::Name>().into_iter().next().unwrap());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a row of a table",
    label = "not a tuple of an entity and components",
    note = "if it is a struct with `#[derive(Serialize)]`, use `Table::of_records`"
)]
pub trait Row {
    #[doc(hidden)]
    fn columns() -> Result<Columns, TableError>;

    #[doc(hidden)]
    fn put(&self, put: Put<'_, '_>) -> Result<(), Fault>;

    #[doc(hidden)]
    fn spread<const LEARN: bool>(&self, to: &mut Spread<'_, LEARN>) -> Result<(), NotPlain>;

    #[doc(hidden)]
    fn read(table: &Table, handles: Option<&Handles>) -> Result<Vec<Insert>, TableError>;
}

impl Row for Entity {
    fn columns() -> Result<Columns, TableError> {
        <(Self,)>::columns()
    }
    fn put(&self, put: Put<'_, '_>) -> Result<(), Fault> {
        Row::put(&(*self,), put)
    }
    fn spread<const LEARN: bool>(&self, to: &mut Spread<'_, LEARN>) -> Result<(), NotPlain> {
        Row::spread(&(*self,), to)
    }
    fn read(_: &Table, _: Option<&Handles>) -> Result<Vec<Insert>, TableError> {
        Ok(Vec::new())
    }
}

macro_rules! row_for_tuple {
    ($($name:ident $index:tt),+) => {
        impl<$($name: Column),+> Row for ($($name,)+) {
            fn columns() -> Result<Columns, TableError> {
                let columns = Columns::new();
                $(let columns = $name::add_to(columns)?;)+
                Ok(columns)
            }
            #[inline]
            fn put(&self, put: Put<'_, '_>) -> Result<(), Fault> {
                let mut row = put.parts(&"a row")?;
                $(row.put_with($name::NAME, |put| self.$index.put(put))?;)+
                row.finish()
            }
            #[inline]
            fn spread<const LEARN: bool>(
                &self,
                to: &mut Spread<'_, LEARN>,
            ) -> Result<(), NotPlain> {
                $(to.part($name::NAME, |to| self.$index.spread(to))?;)+
                Ok(())
            }
            fn read(table: &Table, handles: Option<&Handles>) -> Result<Vec<Insert>, TableError> {
                let all = [$($name::read(table, handles)?),+];
                Ok(all.into_iter().flatten().collect())
            }
        }
    };
}
row_for_tuple!(A 0);
row_for_tuple!(A 0, B 1);
row_for_tuple!(A 0, B 1, C 2);
row_for_tuple!(A 0, B 1, C 2, D 3);
row_for_tuple!(A 0, B 1, C 2, D 3, E 4);
row_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
row_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
row_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
row_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
row_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
row_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
row_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);
row_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12);
