//! The columns of a table.

use crate::error::{Fault, TableError};
use crate::fill::Recorder;
use crate::plain::{self, Records, Rows, Tuples};
use crate::row::Row;
use crate::shape::{Choice, ColumnType, Optional, Part, Record, Shape, join, parts_of};
use crate::table::Table;
use arrow_schema::{DataType, Schema, SchemaRef};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::iter::Fuse;
use std::sync::Arc;

/// The columns of a table: their names and types, and how values are spread over them.
///
/// They come from types, not from values: all tables of one type have equal columns. A type is looked at through its
/// `Deserialize`.
///
/// | in a type | in a table |
/// |---|---|
/// | a number, `bool` | a column of this type |
/// | text, `char`, a number of 128 bits, an address | text |
/// | bytes of `serde_bytes` | binary |
/// | `SystemTime`, and times and dates that serde writes as RFC 3339, as `chrono` does | a timestamp of nanoseconds, or a date |
/// | [`Entity`](ecs::Entity) | text such as `12v3`; [`Entity::PLACEHOLDER`](ecs::Entity::PLACEHOLDER) is null |
/// | a struct or a tuple | the columns of its parts, such as `Position.x` |
/// | an enum | text, the variant's name; and columns of the contents of variants, such as `Shape.Circle`, which are null in other variants |
/// | `Option` | the columns of its content, null if there is nothing |
/// | a tag | `true` |
/// | a list, a map | a list; of several values a list of structs; of entries of `key` and `value` |
///
/// An `Option` that holds something, with columns that may all be null, has one more column, which is `true` or null.
/// In a list, the column of variants is `variant`, and this one is `some`; with `_` behind it if a field or a variant has
/// this name.
///
/// ```
/// use ecs_tables::Columns;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Flight { number: u16, gate: Option<char>, state: State }
/// #[derive(Deserialize)]
/// enum State { Waiting, Delayed { minutes: u32 } }
///
/// let columns = Columns::of::<Flight>()?;
/// let schema = columns.schema();
/// let columns: Vec<_> = schema.fields().iter().map(|it| (it.name().as_str(), it.is_nullable())).collect();
/// let expected =
///     [("number", false), ("gate", true), ("state", false), ("state.Delayed.minutes", true)];
/// assert_eq!(columns, expected);
/// # Ok::<(), ecs_tables::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    pub(crate) record: Record,
}

impl Default for Columns {
    fn default() -> Self {
        Self::new()
    }
}

impl Columns {
    /// Returns no columns, to which [`with`](Self::with) adds some.
    #[must_use]
    pub const fn new() -> Self {
        Self { record: Record { shape: Shape::Struct(Vec::new()), columns: Vec::new() } }
    }

    /// Returns the columns of a struct, with the names of its fields.
    ///
    /// # Errors
    /// When the type is no struct, or two columns have one name. When its `Deserialize` does not name its
    /// parts, as with `flatten`, `untagged` and `tag` of serde. When it holds itself, or refuses all values
    /// that are tried.
    ///
    /// ```
    /// # use ecs_tables::Columns;
    /// let error = Columns::of::<Vec<u8>>().unwrap_err();
    /// assert_eq!(error.to_string(), "the columns of `alloc::vec::Vec<u8>`: it is no struct");
    /// ```
    pub fn of<T: DeserializeOwned>() -> Result<Self, TableError> {
        Self::traced::<T>().map_err(|fault| about(std::any::type_name::<T>(), &fault))
    }

    fn traced<T: DeserializeOwned>() -> Result<Self, Fault> {
        let found = found::<T>()?;
        let Some(fields) = parts_of(&found) else {
            return Err(Fault::new("it is no struct"));
        };
        let mut columns = Vec::new();
        let parts =
            fields.iter().map(|(name, field)| Record::part(&mut columns, field, name, name, false));
        let shape = Shape::Struct(parts.collect::<Result<_, _>>()?);
        let record = Record { shape, columns };
        record.check_names()?;
        Ok(Self { record })
    }

    /// Returns the columns of the items of a view or a pool.
    ///
    /// # Errors
    /// When a component has no columns, like in [`of`](Self::of).
    ///
    /// ```
    /// # use ecs::{Entity, Name};
    /// # use ecs_tables::Columns;
    /// let columns = Columns::of_rows::<(Entity, Option<&Name>)>()?;
    /// assert_eq!(columns, Columns::new().with::<Entity>("entity")?.with::<Option<Name>>("Name")?);
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn of_rows<R: Row>() -> Result<Self, TableError> {
        R::columns()
    }

    /// Adds the columns of one field of this name.
    ///
    /// # Errors
    /// When the type has no columns, like in [`of`](Self::of); it need be no struct.
    ///
    /// ```
    /// use ecs::{Component, Entity, Query, World};
    /// use ecs_tables::{Columns, Table};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Component, Serialize, Deserialize)]
    /// struct Position { x: f32, y: f32 }
    ///
    /// #[derive(Query, Serialize)]
    /// struct Placed<'w> { entity: Entity, at: &'w Position } // which is not deserialized
    ///
    /// let columns = Columns::new().with::<Entity>("entity")?.with::<Position>("at")?;
    /// let mut world = World::new();
    /// world.spawn(Position { x: 1.0, y: 2.0 });
    /// let table = Table::of_records(&columns, world.view::<Placed>())?;
    /// assert_eq!(table.column_names(), ["entity", "at.x", "at.y"]);
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn with<T: DeserializeOwned>(self, name: &str) -> Result<Self, TableError> {
        let added = found::<T>().and_then(|found| self.with_shape(name, &found));
        added.map_err(|fault| about(std::any::type_name::<T>(), &fault))
    }

    /// Adds the columns of a field of this shape.
    pub(crate) fn with_shape(
        mut self,
        name: &str,
        found: &ecs_shape::Shape,
    ) -> Result<Self, Fault> {
        let Record { shape, columns } = &mut self.record;
        let part = Record::part(columns, found, name, name, false)?;
        if let Shape::Struct(parts) = shape {
            parts.push(part);
        }
        self.record.check_names()?;
        Ok(self)
    }

    /// Changes the type of a column: a value that does not fit is an error when it is written. So
    /// text becomes a timestamp of seconds, or a `u32` a column of `Int64`.
    ///
    /// # Errors
    /// When there is no such column; when it holds lists, or the type is none of Boolean, a number of at most 64 bits,
    /// a `Timestamp`, `Date32`, text or binary.
    ///
    /// ```
    /// # use ecs_tables::{Columns, Table};
    /// # use ecs_tables::arrow_schema::{DataType, TimeUnit};
    /// # use serde::{Deserialize, Serialize};
    /// #[derive(Serialize, Deserialize)]
    /// struct Seen { at: String }
    ///
    /// let seconds = DataType::Timestamp(TimeUnit::Second, Some("UTC".into()));
    /// let columns = Columns::of::<Seen>()?.with_type("at", seconds)?;
    /// Table::of_records(&columns, [Seen { at: "2013-01-31T12:00:00Z".into() }])?;
    /// let error = Table::of_records(&columns, [Seen { at: "noon".into() }]).unwrap_err();
    /// assert!(error.to_string().starts_with("row 0: column `at`: `noon` is no time such as"));
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn with_type(mut self, name: &str, data: DataType) -> Result<Self, TableError> {
        let Some(column) = self.record.columns.iter_mut().find(|it| it.name == name) else {
            return Err(TableError::Columns(format!("there is no column `{name}`")));
        };
        if column.items.is_some() {
            return Err(TableError::Columns(format!("column `{name}` holds lists")));
        }
        column.data = data;
        Recorder::new(&self.record, 0)?;
        Ok(self)
    }

    /// Returns the given columns, for records whose types cannot describe themselves.
    ///
    /// Names say how values are spread: `at.x` and `at.y` are of a field `at`. A column of text beside columns of its
    /// own, such as `shape` and `shape.Circle`, is of an enum, and one of Boolean of an `Option`.
    ///
    /// # Errors
    /// When a column is of a type that is not written, or two columns have one name. When the columns of a
    /// field do not stand side by side, its own first.
    ///
    /// ```
    /// # use ecs_tables::{Columns, Table};
    /// # use ecs_tables::arrow_schema::{DataType, Field, Schema};
    /// #[derive(serde::Serialize)]
    /// struct Line<'a> { text: &'a str, at: (f32, f32) }
    ///
    /// let schema = Schema::new(vec![
    ///     Field::new("text", DataType::LargeUtf8, false),
    ///     Field::new("at.0", DataType::Float64, false),
    ///     Field::new("at.1", DataType::Float64, false),
    /// ]);
    /// let columns = Columns::from_schema(&schema)?;
    /// let table = Table::of_records(&columns, [Line { text: "a", at: (0.5, 1.5) }])?;
    /// assert_eq!(**table.batch().schema_ref(), schema);
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn from_schema(schema: &Schema) -> Result<Self, TableError> {
        let record =
            given(schema.fields()).map_err(|fault| TableError::Columns(fault.to_string()))?;
        Recorder::new(&record, 0)?;
        Ok(Self { record })
    }

    /// Returns the names and types, for other crates of Arrow.
    ///
    /// See [`Columns`] for an example.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        Arc::new(Schema::new(self.record.fields()))
    }

    /// Returns tables of at most `rows` records each, made one by one: so a world of any size is written in little
    /// memory.
    ///
    /// # Panics
    /// If `rows` is zero.
    ///
    /// ```
    /// use ecs::{Component, Entity, World};
    /// use ecs_tables::{Columns, ParquetWriter};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Component, Serialize, Deserialize)]
    /// struct Health(u32);
    ///
    /// let mut world = World::new();
    /// world.spawn_batch((0..2_500).map(Health));
    ///
    /// let columns = Columns::of_rows::<(Entity, &Health)>()?;
    /// let mut file = ParquetWriter::new(Vec::new(), &columns)?;
    /// for batch in columns.row_batches(world.view::<&Health>(), 1_000) {
    ///     file.write(&batch?)?;
    /// }
    /// let bytes = file.finish()?;
    /// # let read = ecs_tables::Table::read_parquet(bytes_of(bytes))?;
    /// # fn bytes_of(bytes: Vec<u8>) -> bytes::Bytes { bytes.into() }
    /// # assert_eq!(read.num_rows(), 2_500);
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn row_batches<I: IntoIterator<Item: Row>>(
        &self,
        rows_of: I,
        rows: usize,
    ) -> Batches<'_, I::IntoIter> {
        Batches::new(self, rows_of.into_iter(), rows, fill_some::<Tuples, _>)
    }

    /// Returns tables of at most `rows` records each, like [`row_batches`](Self::row_batches), of structs that serde
    /// takes apart.
    ///
    /// # Panics
    /// If `rows` is zero.
    ///
    /// ```
    /// # use ecs_tables::Columns;
    /// # #[derive(serde::Serialize, serde::Deserialize)] struct Line { number: u32 }
    /// let columns = Columns::of::<Line>()?;
    /// let batches = columns.batches((0..10).map(|number| Line { number }), 4);
    /// let batches = batches.collect::<Result<Vec<_>, _>>()?;
    /// assert!(batches.iter().map(|batch| batch.num_rows()).eq([4, 4, 2]));
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn batches<I: IntoIterator<Item: Serialize>>(
        &self,
        records: I,
        rows: usize,
    ) -> Batches<'_, I::IntoIter> {
        Batches::new(self, records.into_iter(), rows, fill_some::<Records, _>)
    }

    /// Returns tables of at most `rows` records each, of rows of this kind.
    pub(crate) fn batches_of<K: Rows<I::Item>, I: Iterator>(
        &self,
        records: I,
        rows: usize,
    ) -> Batches<'_, I> {
        Batches::new(self, records, rows, fill_some::<K, I>)
    }

    /// Returns a table of all rows.
    pub(crate) fn fill<K: Rows<R>, R>(
        &self,
        rows: impl Iterator<Item = R>,
    ) -> Result<Table, TableError> {
        let mut recorder = Recorder::new(&self.record, rows.size_hint().0)?;
        plain::fill::<K, R>(&mut recorder, rows).map_err(|(row, fault)| fault.at(row))?;
        Ok(Table { batch: recorder.finish(&self.schema())? })
    }
}

fn found<T: DeserializeOwned>() -> Result<ecs_shape::Shape, Fault> {
    ecs_shape::Shape::of::<T>().map_err(|error| Fault::of_type(&error))
}

/// Adds the name of a type to an error about its columns.
pub(crate) fn about(name: &str, fault: &Fault) -> TableError {
    TableError::Columns(format!("the columns of `{name}`: {fault}"))
}

/// Tables of some rows each: from [`Columns::batches`] and [`Columns::row_batches`].
///
/// After an error there are no more.
///
/// See [`Columns::row_batches`] for an example.
#[must_use = "tables are made when they are asked for"]
pub struct Batches<'c, I: Iterator> {
    columns: &'c Columns,
    schema: SchemaRef,
    left: Fuse<I>,
    rows: usize,
    fill: FillFn<I>,
    /// The number of rows in the tables before.
    before: usize,
    is_over: bool,
}

/// Appends at most this many rows, and returns the number of the one that does not fit with its
/// fault.
type FillFn<I> = fn(&mut Recorder<'_>, &mut Fuse<I>, usize) -> Result<(), (usize, Fault)>;

fn fill_some<K: Rows<I::Item>, I: Iterator>(
    recorder: &mut Recorder<'_>,
    from: &mut Fuse<I>,
    rows: usize,
) -> Result<(), (usize, Fault)> {
    plain::fill::<K, I::Item>(recorder, from.take(rows))
}

impl<'c, I: Iterator> Batches<'c, I> {
    fn new(columns: &'c Columns, left: I, rows: usize, fill: FillFn<I>) -> Self {
        assert!(rows > 0, "a batch has at least one row");
        let schema = columns.schema();
        Self { columns, schema, left: left.fuse(), rows, fill, before: 0, is_over: false }
    }

    fn next_batch(&mut self) -> Result<Option<Table>, TableError> {
        let room = self.rows.min(self.left.size_hint().0);
        let mut recorder = Recorder::new(&self.columns.record, room)?;
        (self.fill)(&mut recorder, &mut self.left, self.rows)
            .map_err(|(row, fault)| fault.at(self.before + row))?;
        if recorder.rows == 0 {
            return Ok(None);
        }
        self.before += recorder.rows;
        Ok(Some(Table { batch: recorder.finish(&self.schema)? }))
    }
}

impl<I: Iterator> Iterator for Batches<'_, I> {
    type Item = Result<Table, TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let batch = self.next_batch().transpose();
        self.is_over = !matches!(batch, Some(Ok(_)));
        batch
    }
}

/// Returns the record of columns whose names describe how values are spread.
fn given(fields: &arrow_schema::Fields) -> Result<Record, Fault> {
    let columns = fields.iter().map(|field| {
        let mut column =
            ColumnType::new(field.name(), field.data_type().clone(), field.is_nullable());
        if let DataType::LargeList(item) = field.data_type() {
            let record = match item.data_type() {
                DataType::Struct(fields) => given(fields)?,
                data => Record {
                    shape: Shape::Leaf(0),
                    columns: vec![ColumnType::new("", data.clone(), item.is_nullable())],
                },
            };
            column.items = Some(Box::new(record));
        }
        Ok(column)
    });
    let record = Record { shape: Shape::Nothing, columns: columns.collect::<Result<_, Fault>>()? };
    record.check_names()?;
    let shape = Shape::Struct(given_parts(&record.columns, 0, "")?);
    Ok(Record { shape, ..record })
}

/// Returns the fields of these columns, which begin at a position and have names behind `prefix`.
fn given_parts(columns: &[ColumnType], start: usize, prefix: &str) -> Result<Vec<Part>, Fault> {
    let mut parts: Vec<Part> = Vec::new();
    let mut at = 0;
    while let Some(column) = columns.get(at) {
        let rest = column.name.strip_prefix(prefix).unwrap_or(&column.name);
        let rest = rest.strip_prefix('.').unwrap_or(rest);
        let part = rest.split('.').next().unwrap_or(rest);
        let name = join(prefix, part);
        let is_within = |other: &ColumnType| {
            other
                .name
                .strip_prefix(&name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let end = at + columns[at..].iter().take_while(|other| is_within(other)).count();
        if parts.iter().any(|other| other.name == part) {
            let what = format!(
                "the columns of `{name}` stand apart: put them side by side, its own first"
            );
            return Err(Fault::new(what));
        }
        let shape = given_shape(&columns[at..end], start + at, &name)?;
        parts.push(Part { name: part.to_owned(), shape, columns: start + at..start + end });
        at = end;
    }
    Ok(parts)
}

fn given_shape(columns: &[ColumnType], start: usize, name: &str) -> Result<Shape, Fault> {
    let end = start + columns.len();
    let some = |shape, columns| Part { name: "Some".to_owned(), shape, columns };
    match columns {
        [own] if own.name == name => Ok(Shape::Leaf(start)),
        [own, rest @ ..] if own.name == name => {
            let parts = given_parts(rest, start + 1, name)?;
            let columns = start + 1..end;
            match own.data {
                DataType::Utf8 | DataType::LargeUtf8 => {
                    Ok(Shape::Enum(Box::new(Choice { tag: start, variants: parts, columns })))
                }
                DataType::Boolean => {
                    let some = some(Shape::Struct(parts), columns);
                    Ok(Shape::Option(Box::new(Optional { mark: Some(start), some })))
                }
                _ => Err(Fault::new(format!(
                    "column `{name}` of {} has columns of its own: let it be text for an enum, or \
                     Boolean for an option",
                    own.data
                ))),
            }
        }
        _ => {
            let shape = Shape::Struct(given_parts(columns, start, name)?);
            Ok(if columns.iter().all(|column| column.nullable) {
                let some = some(shape, start..end);
                Shape::Option(Box::new(Optional { mark: None, some }))
            } else {
                shape
            })
        }
    }
}
