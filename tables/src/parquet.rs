//! Files of Parquet.

use crate::columns::Columns;
use crate::error::TableError;
use crate::pages::{self, Shared};
use crate::table::Table;
use arrow_schema::{Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::ChunkReader;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

impl Table {
    /// Writes the table as a file of [Parquet](https://parquet.apache.org), compressed by Snappy. O(values).
    ///
    /// # Errors
    /// When writing fails, or the library below panics, as for some types of columns of other programs.
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
        let mut file = ParquetWriter::of(to, self.batch.schema())?;
        file.write(self)?;
        file.finish()?;
        Ok(())
    }

    /// Reads a file of Parquet: a [`File`](std::fs::File), or `Bytes` of the crate `bytes`. O(values).
    ///
    /// # Errors
    /// When the file is malformed, is compressed by something else than Snappy, or reading fails. Some malformed files
    /// make the library below panic: the panic is caught, and becomes an error. The panic hook runs, so the standard
    /// error has its message.
    ///
    /// ```
    /// # use ecs_tables::Table;
    /// let mut world = ecs::World::new();
    /// world.spawn_named("Alice");
    /// let table = Table::of(world.view::<&ecs::Name>())?;
    /// let mut file = Vec::new();
    /// table.write_parquet(&mut file)?;
    /// assert_eq!(Table::read_parquet(bytes::Bytes::from(file))?, table);
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn read_parquet(from: impl ChunkReader + 'static) -> Result<Self, TableError> {
        let batch = without_panic(|| {
            let file = Arc::new(from);
            let builder = ParquetRecordBatchReaderBuilder::try_new(Shared(file.clone()))?;
            pages::check(&file, builder.metadata())?;
            let schema = builder.schema().clone();
            let batches = builder.with_batch_size(1 << 16).build()?;
            let batches = batches.collect::<Result<Vec<_>, _>>()?;
            Ok(concat_batches(&schema, &batches)?)
        })?;
        Self::from_batch(&batch)
    }
}

/// Runs code of the library below, which panics for some malformed files and for some types of columns. Returns its panic
/// as an error. Values that the code holds must end with it.
fn without_panic<T>(run: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let text = text.unwrap_or("no message");
        Err(ParquetError::General(format!("its library panicked: {text}")))
    })
}

/// A file of Parquet that is written table by table.
///
/// See [`Columns::row_batches`] for an example.
pub struct ParquetWriter<W: Write + Send> {
    /// None after a panic of the library below.
    writer: Option<ArrowWriter<W>>,
    schema: SchemaRef,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Begins a file of these columns, compressed by Snappy.
    ///
    /// # Errors
    /// When writing fails.
    pub fn new(to: W, columns: &Columns) -> Result<Self, TableError> {
        Self::of(to, columns.schema())
    }

    fn of(to: W, schema: SchemaRef) -> Result<Self, TableError> {
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let of = schema.clone();
        let writer = without_panic(|| ArrowWriter::try_new(to, of, Some(properties)))?;
        Ok(Self { writer: Some(writer), schema })
    }

    /// Writes the rows of a table. O(values).
    ///
    /// # Errors
    /// When the table has other columns, or writing fails. When the library below panics: then the file cannot be
    /// finished, and later calls are errors.
    pub fn write(&mut self, table: &Table) -> Result<(), TableError> {
        let (file, own) = (columns(&self.schema), columns(&table.batch.schema()));
        if file != own {
            return Err(TableError::Columns(format!(
                "the file has the columns {file}, the table {own}"
            )));
        }
        let mut writer = self.take()?;
        let written = without_panic(|| Ok(writer.write(&table.batch)))?;
        self.writer = Some(writer);
        Ok(written?)
    }

    /// Ends the file, and returns its writer.
    ///
    /// # Errors
    /// When writing fails, or the library below panicked.
    pub fn finish(mut self) -> Result<W, TableError> {
        let writer = self.take()?;
        Ok(without_panic(|| writer.into_inner())?)
    }

    fn take(&mut self) -> Result<ArrowWriter<W>, ParquetError> {
        let what = "its library panicked before: begin another file";
        self.writer.take().ok_or_else(|| ParquetError::General(what.to_owned()))
    }
}

/// Returns the names and types of columns, as an error lists them.
fn columns(schema: &Schema) -> String {
    let columns = schema.fields().iter().map(|it| format!("`{}` of {}", it.name(), it.data_type()));
    columns.collect::<Vec<_>>().join(", ")
}
