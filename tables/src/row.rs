//! What views yield, as records with names.

use ecs::{Component, Entity};
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// A part of what a view yields: the entity, a component, or one that not all have.
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
    note = "a component needs `#[derive(Serialize)]`; of anything else, make structs for `Table::of_records`"
)]
pub trait Column: Serialize {
    /// What the column is called, or what the names of its columns begin with.
    const NAME: &'static str;
}

impl Column for Entity {
    const NAME: &'static str = "entity";
}

impl<T: Component + Serialize> Column for &T {
    const NAME: &'static str = T::NAME;
}

impl<T: Component + Serialize> Column for Option<&T> {
    const NAME: &'static str = T::NAME;
}

/// What a view or a pool yields, if it is made of [columns](Column).
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
    /// Gives serde the row, as a struct.
    ///
    /// # Errors
    /// What the serializer, or a component's own code, has to say.
    #[doc(hidden)]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

impl Row for Entity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Row::serialize(&(*self,), serializer)
    }
}

macro_rules! row_for_tuple {
    ($($name:ident $index:tt),+) => {
        impl<$($name: Column),+> Row for ($($name,)+) {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut row = serializer.serialize_struct("Row", [$($name::NAME),+].len())?;
                $(row.serialize_field($name::NAME, &self.$index)?;)+
                row.end()
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

/// A row, for serde.
pub(crate) struct AsRecord<R>(pub(crate) R);

impl<R: Row> Serialize for AsRecord<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
