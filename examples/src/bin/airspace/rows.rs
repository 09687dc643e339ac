//! Reading CSV tables, plain or gzipped, with errors that point at the field.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{Chain, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use csv::{DeserializeErrorKind, ErrorKind, StringRecord, Terminator, Trim};
use flate2::read::MultiGzDecoder;
use indicatif::ProgressBar;
use serde::Deserialize;

use super::error::{Error, Problem, RowError};

/// Opens a file for reading, unpacks it if its name ends in `.gz`, and shows on `progress` how much
/// of it has been read.
pub fn open(path: &Path, progress: &ProgressBar) -> Result<Box<dyn Read>, Error> {
    let failed = |source| Error::Read { path: path.to_owned(), source };
    let file = File::open(path).map_err(failed)?;
    progress.set_length(file.metadata().map_err(failed)?.len());
    let file = progress.wrap_read(file);
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
        Ok(Box::new(MultiGzDecoder::new(file)))
    } else {
        Ok(Box::new(file))
    }
}

/// A table with a header, read row by row into one reused buffer.
pub struct Rows<R> {
    path: PathBuf,
    reader: csv::Reader<Chain<R, &'static [u8]>>,
    header: StringRecord,
    row: StringRecord,
    /// The line on which `row` begins, counted from 1. The `csv` crate's own position is before
    /// blank lines that it skips.
    line: u64,
}

impl<R: Read> Rows<R> {
    /// Reads the header, which must have these columns, in any order and among others.
    pub fn new(path: &Path, input: R, columns: &[&str]) -> Result<Self, Error> {
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            // A row ends at \n, and trimming takes the \r before it. With one more \n the last row
            // ends there too, so lines can be counted.
            .terminator(Terminator::Any(b'\n'))
            .trim(Trim::All)
            .from_reader(input.chain(&b"\n"[..]));
        let (header, row) = (StringRecord::new(), StringRecord::new());
        let mut rows = Self { path: path.to_owned(), reader, header, row, line: 1 };
        rows.read_row()?;
        rows.header = std::mem::take(&mut rows.row);
        match columns.iter().find(|&&column| rows.header.iter().all(|name| name != column)) {
            Some(column) => Err(rows.error(column, Problem::NotInHeader)),
            None => Ok(rows),
        }
    }

    /// Reads the next row; false at the end.
    pub fn advance(&mut self) -> Result<bool, Error> {
        if !self.read_row()? {
            return Ok(false);
        }
        let (fields, columns) = (self.row.len(), self.header.len());
        let problem = match fields.cmp(&columns) {
            Ordering::Less => Problem::Missing { fields, columns },
            Ordering::Equal => return Ok(true),
            Ordering::Greater => Problem::TooMany { fields, columns },
        };
        Err(self.error(self.column(fields), problem))
    }

    /// Reads the next line that is not blank, and whatever lines belong to it.
    fn read_row(&mut self) -> Result<bool, Error> {
        loop {
            let found = self.reader.read_record(&mut self.row);
            let lines_inside = self.row.as_slice().matches('\n').count() as u64;
            let line_after = self.reader.position().line();
            self.line = line_after.saturating_sub(1 + lines_inside).max(1);
            if !found.map_err(|error| self.explain(error))? {
                return Ok(false);
            }
            if self.row.len() > 1 || !self.row.as_slice().is_empty() {
                return Ok(true);
            }
        }
    }

    /// Returns the current row as a struct whose fields are named after columns.
    pub fn parse<'row, T: Deserialize<'row>>(&'row self) -> Result<T, Error> {
        self.row.deserialize(Some(&self.header)).map_err(|error| self.explain(error))
    }

    /// An error about a column of the current row.
    pub fn error(&self, column: &str, problem: Problem) -> Error {
        let (path, column) = (self.path.clone(), column.to_owned());
        Error::Row(RowError { path, line: self.line, column, problem })
    }

    /// Refuses a field of the current row that is empty.
    pub fn check_filled(&self, column: &str, text: &str) -> Result<(), Error> {
        if text.is_empty() { Err(self.error(column, Problem::Empty)) } else { Ok(()) }
    }

    /// Refuses a number of the current row that is infinite or not a number at all.
    pub fn check_finite(&self, column: &str, value: f64) -> Result<(), Error> {
        if value.is_finite() {
            return Ok(());
        }
        Err(self.error(column, Problem::NotFinite(value)))
    }

    /// Refuses a number of the current row outside a range.
    pub fn check_range(
        &self,
        column: &str,
        value: f64,
        range: RangeInclusive<f64>,
    ) -> Result<(), Error> {
        self.check_finite(column, value)?;
        if range.contains(&value) {
            return Ok(());
        }
        let (min, max) = range.into_inner();
        Err(self.error(column, Problem::OutOfRange { value, min, max }))
    }

    /// The header's name for a column, or for the last one if the header ends before it.
    fn column(&self, index: usize) -> &str {
        self.header.get(index).or_else(|| self.header.iter().next_back()).unwrap_or("1")
    }

    /// Translates an error of the `csv` crate about the current row.
    fn explain(&self, error: csv::Error) -> Error {
        let (index, problem) = match error.into_kind() {
            ErrorKind::Io(source) => return Error::Read { path: self.path.clone(), source },
            ErrorKind::Utf8 { err, .. } => (err.field(), Problem::NotUtf8),
            ErrorKind::Deserialize { err, .. } => {
                let index = err.field().and_then(|index| usize::try_from(index).ok()).unwrap_or(0);
                let problem = match (err.kind(), self.row.get(index)) {
                    (_, Some("")) => Problem::Empty,
                    (DeserializeErrorKind::ParseFloat(_), Some(text)) => {
                        Problem::NotANumber(text.to_owned())
                    }
                    (kind, _) => Problem::Other(kind.to_string()),
                };
                (index, problem)
            }
            other => (0, Problem::Other(format!("{other:?}"))),
        };
        self.error(self.column(index), problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Pair<'r> {
        name: &'r str,
        value: f64,
    }

    fn sum(table: &[u8]) -> Result<f64, String> {
        let read = || {
            let mut rows = Rows::new(Path::new("t.csv"), table, &["name", "value"])?;
            let mut sum = 0.0;
            while rows.advance()? {
                let pair: Pair<'_> = rows.parse()?;
                rows.check_filled("name", pair.name)?;
                rows.check_range("value", pair.value, 0.0..=9.0)?;
                sum += pair.value;
            }
            Ok(sum)
        };
        read().map_err(|error: Error| error.to_string())
    }

    #[test]
    fn columns_in_any_order() {
        assert_eq!(sum(b"\xEF\xBB\xBFvalue,more,name\n1,,a\n2.5,x, b \n"), Ok(3.5));
        assert_eq!(sum(b"name,value\n"), Ok(0.0));
    }

    #[test]
    fn headers_are_checked_first() {
        assert_eq!(sum(b""), Err("t.csv: line 1, column name: not in the header".into()));
        assert_eq!(sum(b"name\na\n"), Err("t.csv: line 1, column value: not in the header".into()));
    }

    #[test]
    fn fields_are_named() {
        let problem = |table: &[u8]| sum(table).unwrap_err();
        assert_eq!(
            problem(b"name,value\na,1\nb,x1\n"),
            "t.csv: line 3, column value: `x1` is not a number"
        );
        assert_eq!(problem(b"value,name\n,a\n"), "t.csv: line 2, column value: empty");
        assert_eq!(problem(b"value,name\n1,\n"), "t.csv: line 2, column name: empty");
        assert_eq!(
            problem(b"name,value\na,nan\n"),
            "t.csv: line 2, column value: NaN is not a finite number"
        );
        assert_eq!(
            problem(b"name,value\na,-1\n"),
            "t.csv: line 2, column value: -1 is not between 0 and 9"
        );
        assert_eq!(
            problem(b"name,value\na\n"),
            "t.csv: line 2, column value: missing, the row has 1 of 2 fields"
        );
        assert_eq!(
            problem(b"name,value\na,1,2\n"),
            "t.csv: line 2, column value: should be the last of 2, but the row has 3 fields"
        );
        assert_eq!(
            problem(b"value,name\n1,a\n2,\xFF\n"),
            "t.csv: line 3, column name: not valid UTF-8"
        );
    }

    #[test]
    fn lines_are_counted_whatever_ends_them() {
        let problem = |table: &[u8]| sum(table).unwrap_err();
        let expected = "t.csv: line 4, column value: `x` is not a number";
        assert_eq!(problem(b"name,value\r\na,1\r\nb,1\r\nc,x\r\n"), expected);
        assert_eq!(problem(b"name,value\n\na,1\nb,x\n"), expected);
        assert_eq!(problem(b"name,value\na,1\n\nb,x\n"), expected);
        assert_eq!(problem(b"name,value\r\na,1\r\n\r\nb,x\r\n"), expected);
        assert_eq!(problem(b"name,value\n\"a\na\",1\nb,x\n"), expected);
        assert_eq!(problem(b"name,value\na,1\n\n\"b\nb\",x"), expected);
        assert_eq!(
            problem(b"name,value\r\na,1\r\n\r\n\xFF,x"),
            expected.replace("value: `x` is not a number", "name: not valid UTF-8")
        );
    }
}
