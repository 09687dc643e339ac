//! Rows of equal columns.

use crate::columns::Columns;
use crate::error::TableError;
use crate::plain::{Records, Tuples};
use crate::row::Row;
use crate::shape::check_names;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, make_array};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, FieldRef, Schema};
use serde::Serialize;
use std::sync::Arc;

/// Rows of equal columns, in the memory format of [Arrow](https://arrow.apache.org).
///
/// The values are copies: the table stays as it is when the world goes on.
///
/// A field of a component is a column with the name of both, such as `Position.x`, and a field of a field one with the
/// names of all three. A component of one unnamed field is a column with the component's name. [`Columns`] has all of
/// it.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub(crate) batch: RecordBatch,
}

impl Table {
    /// Returns a table of the items of a view or a pool: the entity, and references to components.
    /// O(values).
    ///
    /// For components in columns (`layout = "soa"`) and items of derived queries, make
    /// [records](Self::of_records). For worlds that are too large for a copy, there are
    /// [batches](Columns::row_batches).
    ///
    /// # Errors
    /// When a component has no [columns](Columns::of); when it writes other fields than its `Deserialize` reads.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use ecs_tables::Table;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize)] struct Health { now: u32, most: u32 }
    /// let mut world = World::new();
    /// world.spawn_batch((0..100).map(|now| Health { now, most: 99 }));
    ///
    /// let pool = Table::of(world.pool::<Health>().iter())?;
    /// assert_eq!((pool.num_rows(), pool.num_columns()), (100, 3));
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn of<R: Row>(rows: impl IntoIterator<Item = R>) -> Result<Self, TableError> {
        R::columns()?.fill::<Tuples, R>(rows.into_iter())
    }

    /// Returns a table of structs that serde takes apart: items of `#[derive(Query)]`, or structs that are put
    /// together for the occasion. O(values).
    ///
    /// # Errors
    /// When a record has a field without a column, or a value that does not fit its column.
    ///
    /// ```
    /// # use ecs_tables::{Columns, Table};
    /// #[derive(serde::Serialize, serde::Deserialize)]
    /// struct Line { text: Option<String> }
    ///
    /// let lines = [Some("a"), None].map(|text| Line { text: text.map(str::to_owned) });
    /// let table = Table::of_records(&Columns::of::<Line>()?, lines)?;
    /// assert_eq!(table.batch().column(0).null_count(), 1);
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn of_records<R: Serialize>(
        columns: &Columns,
        records: impl IntoIterator<Item = R>,
    ) -> Result<Self, TableError> {
        columns.fill::<Records, R>(records.into_iter())
    }

    /// Returns a table of a batch that other crates of Arrow made. Structs are spread: their fields become columns, such as `at.x`.
    /// O(columns).
    ///
    /// # Errors
    /// When two columns have one name.
    ///
    /// ```
    /// use ecs_tables::Table;
    /// use ecs_tables::arrow_array::record_batch;
    ///
    /// let batch = record_batch!(("number", UInt8, [1, 2])).unwrap();
    /// assert_eq!(Table::from_batch(&batch)?.num_rows(), 2);
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn from_batch(batch: &RecordBatch) -> Result<Self, TableError> {
        let (mut fields, mut arrays) = (Vec::new(), Vec::new());
        for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
            spread(field, array, None, &mut fields, &mut arrays)?;
        }
        check_names(fields.iter().map(|field| field.name()))
            .map_err(|fault| TableError::Columns(fault.to_string()))?;
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let schema = Arc::new(Schema::new(fields));
        Ok(Self { batch: RecordBatch::try_new_with_options(schema, arrays, &options)? })
    }

    /// Returns how many rows it has.
    ///
    /// ```
    /// # use ecs_tables::Table;
    /// let world = ecs::World::new();
    /// assert_eq!(Table::of(world.view::<&ecs::Name>())?.num_rows(), 0);
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    #[must_use]
    pub fn num_rows(&self) -> usize {
        self.batch.num_rows()
    }

    /// Returns the number of columns, including the column of entities.
    ///
    /// ```
    /// # use ecs_tables::Table;
    /// let mut world = ecs::World::new();
    /// world.spawn_named("Alice");
    /// assert_eq!(Table::of(world.view::<&ecs::Name>())?.num_columns(), 2);
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    #[must_use]
    pub fn num_columns(&self) -> usize {
        self.batch.num_columns()
    }

    /// Returns the names of its columns, in their order.
    ///
    /// ```
    /// # use ecs_tables::Table;
    /// let mut world = ecs::World::new();
    /// world.spawn_named("Alice");
    /// let table = Table::of(world.view::<&ecs::Name>())?;
    /// assert_eq!(table.column_names(), ["entity", "Name"]);
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    #[must_use]
    pub fn column_names(&self) -> Vec<&str> {
        self.batch.schema_ref().fields().iter().map(|field| field.name().as_str()).collect()
    }

    /// Returns the table as other crates of Arrow take it, in the version that is [re-exported](arrow_array).
    ///
    /// ```
    /// use ecs_tables::Table;
    /// use ecs_tables::arrow_array::StringArray;
    ///
    /// let mut world = ecs::World::new();
    /// world.spawn_named("Alice");
    /// let table = Table::of(world.view::<&ecs::Name>())?;
    /// let names = table.batch().column_by_name("Name").unwrap();
    /// assert_eq!(names.len(), 1);
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    #[must_use]
    pub const fn batch(&self) -> &RecordBatch {
        &self.batch
    }
}

/// Appends a column; for a struct, the columns of its fields, in which a missing struct is null.
pub(crate) fn spread(
    field: &FieldRef,
    array: &ArrayRef,
    nulls: Option<&NullBuffer>,
    fields: &mut Vec<FieldRef>,
    arrays: &mut Vec<ArrayRef>,
) -> Result<(), TableError> {
    use arrow_array::cast::AsArray as _;
    let all = NullBuffer::union(nulls, array.nulls());
    if let Some(parts) = array.as_struct_opt() {
        for (part, array) in parts.fields().iter().zip(parts.columns()) {
            let name = format!("{}.{}", field.name(), part.name());
            let is_nullable = field.is_nullable() || part.is_nullable();
            let part = Field::new(name, part.data_type().clone(), is_nullable);
            spread(&Arc::new(part), array, all.as_ref(), fields, arrays)?;
        }
        return Ok(());
    }
    fields.push(field.clone());
    arrays.push(match nulls {
        // An array of nothing but nulls has no list of them.
        Some(_) if *array.data_type() != DataType::Null => {
            make_array(array.to_data().into_builder().nulls(all).build()?)
        }
        _ => array.clone(),
    });
    Ok(())
}
