//! Errors in tables.

use arrow_schema::ArrowError;
use ecs_shape::NoShape;
use parquet::errors::ParquetError;
use std::error::Error;
use std::fmt;
use std::io;

/// The error of everything that makes, reads or writes tables.
///
/// ```
/// use ecs_tables::{Columns, TableError};
///
/// let numbers = Columns::of::<u32>();
/// assert!(matches!(numbers, Err(TableError::Columns(_))));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum TableError {
    /// A type or a schema has no columns, two columns have one name, or a table lacks a column.
    Columns(String),
    /// A value does not fit its column, or a column's value does not fit the type that is read.
    Value {
        /// The row, counted from 0.
        row: usize,
        /// The value, the column, and why they do not fit.
        what: String,
    },
    /// A line of a CSV file is malformed.
    Csv {
        /// The line, counted from 1.
        line: usize,
        /// The mistake in the line.
        what: String,
    },
    /// Arrow refused a table.
    Arrow(ArrowError),
    /// A Parquet file could not be written or read.
    Parquet(ParquetError),
    /// A file could not be read or written.
    Io(io::Error),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Columns(what) => f.write_str(what),
            Self::Value { row, what } => write!(f, "row {row}: {what}"),
            Self::Csv { line, what } => write!(f, "line {line}: {what}"),
            Self::Arrow(error) => write!(f, "arrow refused the table: {error}"),
            Self::Parquet(error) => write!(f, "the parquet file failed: {error}"),
            Self::Io(error) => write!(f, "the file failed: {error}"),
        }
    }
}

impl Error for TableError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Columns(_) | Self::Value { .. } | Self::Csv { .. } => None,
            Self::Arrow(error) => Some(error),
            Self::Parquet(error) => Some(error),
            Self::Io(error) => Some(error),
        }
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

impl From<io::Error> for TableError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// An error in one value, whose row is added later.
#[derive(Debug)]
pub struct Fault(Box<Inner>); // small, as each value that is written may be one

#[derive(Debug)]
struct Inner {
    what: String,
    is_placed: bool,
}

impl Fault {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self(Box::new(Inner { what: what.into(), is_placed: false }))
    }

    /// Adds the name of the column, unless the error has one.
    pub(crate) fn in_column(self, name: &str) -> Self {
        if self.0.is_placed {
            return self;
        }
        Self(Box::new(Inner { what: format!("column `{name}`: {self}"), is_placed: true }))
    }

    /// Returns the error of an invalid column.
    pub(crate) fn of_column(name: &str, what: &str) -> Self {
        Self(Box::new(Inner { what: format!("column `{name}` {what}"), is_placed: true }))
    }

    /// Returns the reason why a type has no columns, and a remedy.
    pub(crate) fn of_type(why: &NoShape) -> Self {
        let is_refused = matches!(why, NoShape::Refused(_));
        let remedy = if is_refused { "" } else { ": give its columns by `Columns::from_schema`" };
        Self::new(format!("{why}{remedy}"))
    }

    pub(crate) fn at(self, row: usize) -> TableError {
        TableError::Value { row, what: self.0.what }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.what)
    }
}

impl Error for Fault {}

impl serde::ser::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }
}

impl serde::de::Error for Fault {
    /// A component that is read without its type returns the text of an error, which may have its column.
    fn custom<T: fmt::Display>(message: T) -> Self {
        let what = message.to_string();
        let is_placed = what.starts_with("column `");
        Self(Box::new(Inner { what, is_placed }))
    }
}
