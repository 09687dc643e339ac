//! What can be wrong with a table.

use arrow_schema::ArrowError;
use parquet::errors::ParquetError;
use std::error::Error;
use std::fmt;

/// Why rows are no table, or a table could not be written.
///
/// ```
/// use ecs_tables::{Table, TableError};
///
/// let numbers = Table::of_records([1, 2]);
/// assert!(matches!(numbers, Err(TableError::Rows(_))));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum TableError {
    /// The rows have no common columns.
    Rows(serde_arrow::Error),
    /// Arrow could not hold the table, or could not write it as CSV.
    Arrow(ArrowError),
    /// The table could not be written as Parquet.
    Parquet(ParquetError),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows(error) => write!(f, "the rows have no common columns: {}", error.message()),
            Self::Arrow(error) => write!(f, "the table has no place for this: {error}"),
            Self::Parquet(error) => write!(f, "the table is not written as Parquet: {error}"),
        }
    }
}

impl Error for TableError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(match self {
            Self::Rows(error) => error,
            Self::Arrow(error) => error,
            Self::Parquet(error) => error,
        })
    }
}

impl From<serde_arrow::Error> for TableError {
    fn from(error: serde_arrow::Error) -> Self {
        Self::Rows(error)
    }
}

impl From<ArrowError> for TableError {
    fn from(error: ArrowError) -> Self {
        Self::Arrow(error)
    }
}

impl From<ParquetError> for TableError {
    fn from(error: ParquetError) -> Self {
        Self::Parquet(error)
    }
}
