//! Everything that can end the program early.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// The reasons for which the program fails.
#[derive(Debug)]
pub enum Error {
    /// A file could not be opened or read.
    Read { path: PathBuf, source: io::Error },
    /// A file could not be written.
    Write { path: PathBuf, source: io::Error },
    /// A file is not a saved replay.
    Resume { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    /// Standard output could not be written.
    Print(io::Error),
    /// A row of a table does not match its header.
    Row(RowError),
    /// The requested airport is not in the table; `near` are similar ones.
    UnknownAirport { wanted: String, path: PathBuf, near: Vec<String> },
    /// The world returned an error to the replay.
    World(Box<dyn std::error::Error + Send + Sync>),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, source } => write!(f, "cannot read {}: {source}", path.display()),
            Self::Write { path, source } => write!(f, "cannot write {}: {source}", path.display()),
            Self::Resume { path, source } => {
                write!(f, "cannot go on from {}: {source}", path.display())
            }
            Self::Print(source) => write!(f, "cannot print the result: {source}"),
            Self::Row(row) => row.fmt(f),
            Self::UnknownAirport { wanted, path, near } => {
                write!(f, "no airport `{wanted}` in {}", path.display())?;
                match near.split_last() {
                    None => Ok(()),
                    Some((only, [])) => write!(f, "; did you mean {only}?"),
                    Some((last, others)) => {
                        write!(f, "; did you mean {} or {last}?", others.join(", "))
                    }
                }
            }
            Self::World(source) => source.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { source, .. } | Self::Write { source, .. } | Self::Print(source) => {
                Some(source)
            }
            Self::World(source) | Self::Resume { source, .. } => Some(source.as_ref()),
            Self::Row(_) | Self::UnknownAirport { .. } => None,
        }
    }
}

/// A malformed row, and where it is.
#[derive(Debug)]
pub struct RowError {
    pub path: PathBuf,
    /// Counted from 1; the header is a line too.
    pub line: u64,
    /// The column's name in the header.
    pub column: String,
    pub problem: Problem,
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, column, problem } = self;
        write!(f, "{}: line {line}, column {column}: {problem}", path.display())
    }
}

/// The mistakes in a field.
#[derive(Debug, PartialEq)]
pub enum Problem {
    /// The header lacks the column.
    NotInHeader,
    /// The row ends before this column.
    Missing {
        fields: usize,
        columns: usize,
    },
    /// The row goes on after this column, which is the last.
    TooMany {
        fields: usize,
        columns: usize,
    },
    Empty,
    NotUtf8,
    NotANumber(String),
    NotFinite(f64),
    OutOfRange {
        value: f64,
        min: f64,
        max: f64,
    },
    /// Reports are sorted by time, and this one is not.
    Backwards {
        value: f64,
        previous: f64,
    },
    /// Anything else that serde found.
    Other(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInHeader => f.write_str("not in the header"),
            Self::Missing { fields, columns } => {
                write!(f, "missing, the row has {fields} of {columns} fields")
            }
            Self::TooMany { fields, columns } => {
                write!(f, "should be the last of {columns}, but the row has {fields} fields")
            }
            Self::Empty => f.write_str("empty"),
            Self::NotUtf8 => f.write_str("not valid UTF-8"),
            Self::NotANumber(text) => write!(f, "`{text}` is not a number"),
            Self::NotFinite(value) => write!(f, "{value} is not a finite number"),
            Self::OutOfRange { value, min, max } => {
                write!(f, "{value} is not between {min} and {max}")
            }
            Self::Backwards { value, previous } => {
                write!(f, "{value} comes after {previous}, but time must not go back")
            }
            Self::Other(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_name_file_line_and_column() {
        let error = Error::Row(RowError {
            path: "some/flights.csv".into(),
            line: 7,
            column: "lat".into(),
            problem: Problem::OutOfRange { value: 91.5, min: -90.0, max: 90.0 },
        });
        let expected = "some/flights.csv: line 7, column lat: 91.5 is not between -90 and 90";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn suggestions_read_as_a_sentence() {
        let message = |near: &[&str]| {
            let near = near.iter().map(ToString::to_string).collect();
            Error::UnknownAirport { wanted: "LFPX".into(), path: "a.csv".into(), near }.to_string()
        };
        assert_eq!(message(&[]), "no airport `LFPX` in a.csv");
        assert_eq!(message(&["A"]), "no airport `LFPX` in a.csv; did you mean A?");
        assert_eq!(message(&["A", "B"]), "no airport `LFPX` in a.csv; did you mean A or B?");
        assert_eq!(
            message(&["A", "B", "C"]),
            "no airport `LFPX` in a.csv; did you mean A, B or C?"
        );
    }
}
