//! Tables of what is in a world of [`ecs`]: for data frames, databases and spreadsheets.
//!
//! What a view or a pool yields becomes a [`Table`], a row an entity: a [`RecordBatch`] of Arrow, a Parquet file, or
//! CSV. Components are taken apart by [serde](https://serde.rs), into a column a field.
//!
//! ```
//! use ecs::{Component, World};
//! use ecs_tables::Table;
//! use serde::Serialize;
//!
//! #[derive(Component, Serialize)]
//! struct Position { x: f32, y: f32 }
//! #[derive(Component, Serialize)]
//! struct Health(u32);
//!
//! let mut world = World::new();
//! world.spawn((Position { x: 1.0, y: 2.0 }, Health(10)));
//! world.spawn((Position { x: 3.0, y: 4.5 }, Health(20)));
//!
//! let table = Table::of(world.view::<(&Position, &Health)>())?;
//! let mut csv = Vec::new();
//! table.write_csv(&mut csv)?;
//! assert_eq!(
//!     String::from_utf8(csv)?,
//!     "entity,Position.x,Position.y,Health\n\
//!      0v1,1.0,2.0,10\n\
//!      1v1,3.0,4.5,20\n",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod row;

pub use arrow_array;
pub use error::TableError;
pub use row::{Column, Row};

use arrow_array::RecordBatch;
use arrow_schema::{DataType, FieldRef, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use row::AsRecord;
use serde::Serialize;
use serde_arrow::schema::{SchemaLike, TracingOptions};
use std::io::Write;
use std::sync::Arc;

/// Rows of equal columns, in the memory format of [Arrow](https://arrow.apache.org).
///
/// The values are copies: the table stays as it is when the world goes on.
///
/// A field of a component is a column with the name of both, such as `Position.x`, and a field of a field one with the
/// names of all three; a component of one unnamed field is a column with the component's name. Entities are text, such as
/// `12v3`, from which [`Entity`](ecs::Entity) is parsed. What a row lacks is null, and so is a tag, which has no value.
/// Enums whose variants hold nothing are text; lists are lists.
///
/// A column's type is learnt from its values; so a table of no rows has no columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    batch: RecordBatch,
}

impl Table {
    /// A table of what a view or a pool yields: the entity, and references to components. O(rows), twice: once to learn
    /// the columns' types, and once to fill them.
    ///
    /// Of components in columns (`layout = "soa"`) and of what derived queries yield, make
    /// [records](Self::of_records).
    ///
    /// # Errors
    /// When the rows have no common type, such as an enum that holds data in one of its variants only.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use ecs_tables::Table;
    /// # use serde::Serialize;
    /// # #[derive(Component, Serialize)] struct Health { now: u32, most: u32 }
    /// let mut world = World::new();
    /// world.spawn_batch((0..100).map(|now| Health { now, most: 99 }));
    ///
    /// let pool = Table::of(world.pool::<Health>().iter())?;
    /// assert_eq!((pool.num_rows(), pool.num_columns()), (100, 3));
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn of<R: Row>(rows: impl IntoIterator<Item = R>) -> Result<Self, TableError> {
        Self::of_records(rows.into_iter().map(AsRecord))
    }

    /// A table of structs that serde can take apart: what `#[derive(Query)]` made, or what is put together for the
    /// occasion. O(rows), as [`of`](Self::of).
    ///
    /// # Errors
    /// As [`of`](Self::of), and when the records are not structs.
    ///
    /// ```
    /// use ecs::{Component, Entity, Query, World};
    /// use ecs_tables::Table;
    /// use serde::Serialize;
    ///
    /// #[derive(Component, Serialize)]
    /// struct Position { x: f32, y: f32 }
    ///
    /// #[derive(Query, Serialize)]
    /// struct Placed<'w> { entity: Entity, at: &'w Position }
    ///
    /// let mut world = World::new();
    /// world.spawn(Position { x: 1.0, y: 2.0 });
    /// let table = Table::of_records(world.view::<Placed>())?;
    /// assert_eq!(table.column_names(), ["entity", "at.x", "at.y"]);
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn of_records<R: Serialize>(
        records: impl IntoIterator<Item = R>,
    ) -> Result<Self, TableError> {
        let records: Vec<R> = records.into_iter().collect();
        if records.is_empty() {
            return Ok(Self { batch: RecordBatch::new_empty(Arc::new(Schema::empty())) });
        }
        let options =
            TracingOptions::new().allow_null_fields(true).enums_without_data_as_strings(true);
        let fields = Vec::<FieldRef>::from_samples(&records, options)?;
        let batch = serde_arrow::to_record_batch(&fields, &records)?;
        Ok(Self { batch: batch.normalize(".", None)? })
    }

    /// How many rows it has.
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

    /// How many columns it has: that of entities included.
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

    /// The names of its columns, in their order.
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

    /// The table as other crates of Arrow take it, in the version that is [re-exported](arrow_array).
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

    /// Writes the table as CSV, below a line of the columns' names. O(values).
    ///
    /// # Errors
    /// When a column holds lists or maps, which CSV has no place for; when writing fails. What was written until
    /// then stays written.
    ///
    /// ```
    /// # use ecs_tables::Table;
    /// let mut world = ecs::World::new();
    /// world.spawn_named("Alice");
    /// let mut csv = Vec::new();
    /// Table::of(world.view::<&ecs::Name>())?.write_csv(&mut csv)?;
    /// assert_eq!(csv, b"entity,Name\n0v1,Alice\n");
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn write_csv(&self, to: impl Write) -> Result<(), TableError> {
        if self.num_columns() == 0 {
            return Ok(()); // and no line of no names
        }
        Ok(arrow_csv::Writer::new(to).write(&self.batch)?)
    }

    /// Writes the table as a file of [Parquet](https://parquet.apache.org), compressed by Snappy. O(values).
    ///
    /// # Errors
    /// When a column's type is one that Parquet has not, such as an enum that holds data; when writing fails.
    ///
    /// ```
    /// # use ecs_tables::Table;
    /// let mut world = ecs::World::new();
    /// world.spawn_named("Alice");
    /// let mut file = Vec::new();
    /// Table::of(world.view::<&ecs::Name>())?.write_parquet(&mut file)?;
    /// assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn write_parquet(&self, to: impl Write + Send) -> Result<(), TableError> {
        let fields = self.batch.schema_ref().fields();
        if let Some(field) = fields.iter().find(|field| holds_union(field.data_type())) {
            let what = format!("column `{}` is of an enum that holds data", field.name());
            return Err(ParquetError::NYI(what).into());
        }
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let mut writer = ArrowWriter::try_new(to, self.batch.schema(), Some(properties))?;
        writer.write(&self.batch)?;
        writer.close()?;
        Ok(())
    }
}

/// Whether there is a union in this type: what enums become that hold data.
fn holds_union(data: &DataType) -> bool {
    match data {
        DataType::Union(..) => true,
        DataType::List(item) | DataType::LargeList(item) | DataType::Map(item, _) => {
            holds_union(item.data_type())
        }
        DataType::Struct(fields) => fields.iter().any(|field| holds_union(field.data_type())),
        _ => false,
    }
}
