//! Files of Parquet.

use crate::columns::Columns;
use crate::error::TableError;
use crate::table::Table;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::ChunkReader;
use std::io::Write;

impl Table {
    /// Writes the table as a file of [Parquet](https://parquet.apache.org), compressed by Snappy. O(values).
    ///
    /// # Errors
    /// When writing fails.
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
    /// When the file is malformed, is compressed by something else than Snappy, or reading fails.
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
        let builder = ParquetRecordBatchReaderBuilder::try_new(from)?;
        let schema = builder.schema().clone();
        let batches = builder.with_batch_size(1 << 16).build()?.collect::<Result<Vec<_>, _>>()?;
        Self::from_batches(&schema, &batches)
    }
}

/// A file of Parquet that is written table by table.
///
/// See [`Columns::row_batches`] for an example.
pub struct ParquetWriter<W: Write + Send> {
    writer: ArrowWriter<W>,
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
        Ok(Self { writer: ArrowWriter::try_new(to, schema, Some(properties))? })
    }

    /// Writes the rows of a table. O(values).
    ///
    /// # Errors
    /// When the table has other columns, or writing fails.
    pub fn write(&mut self, table: &Table) -> Result<(), TableError> {
        Ok(self.writer.write(&table.batch)?)
    }

    /// Ends the file, and returns its writer.
    ///
    /// # Errors
    /// When writing fails.
    pub fn finish(self) -> Result<W, TableError> {
        Ok(self.writer.into_inner()?)
    }
}
