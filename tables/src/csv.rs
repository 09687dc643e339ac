//! CSV, in which null is an empty field and the empty text is `""`.
//!
//! The crates that read and write CSV do not distinguish quoted fields from others, so that they take both for one.

use crate::columns::Columns;
use crate::error::{Fault, TableError};
use crate::fill::Recorder;
use crate::read::{Cell, Cells};
use crate::table::Table;
use crate::time;
use std::borrow::Cow;
use std::io::{Read, Write};

impl Table {
    /// Writes the table as CSV, below a line of the columns' names. O(values).
    ///
    /// Null is nothing between two commas, and the empty text is `""`.
    ///
    /// # Errors
    /// When a column holds lists or bytes, which CSV has no place for; when writing fails. The rows written until
    /// then stay written.
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
    pub fn write_csv(&self, mut to: impl Write) -> Result<(), TableError> {
        let mut line = String::new();
        for (at, name) in self.column_names().into_iter().enumerate() {
            push_text(name, at, &mut line);
        }
        if self.num_columns() > 0 {
            line.push('\n');
        }
        to.write_all(line.as_bytes())?;
        self.append_csv(to)
    }

    /// Writes the rows of the table as CSV, without the columns' names: behind a table of equal columns, as of
    /// [batches](Columns::batches).
    ///
    /// # Errors
    /// When [`write_csv`](Self::write_csv) returns one.
    ///
    /// ```
    /// # use ecs_tables::Columns;
    /// # #[derive(serde::Serialize, serde::Deserialize)] struct Line { number: u32 }
    /// let columns = Columns::of::<Line>()?;
    /// let mut csv = b"number\n".to_vec();
    /// for batch in columns.batches((0..3).map(|number| Line { number }), 2) {
    ///     batch?.append_csv(&mut csv)?;
    /// }
    /// assert_eq!(csv, b"number\n0\n1\n2\n");
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn append_csv(&self, mut to: impl Write) -> Result<(), TableError> {
        if self.num_columns() == 0 {
            return Ok(()); // and no lines of nothing
        }
        let names = self.column_names();
        let columns = names.iter().zip(self.batch.columns());
        let columns: Vec<Cells> =
            columns.map(|(name, array)| Cells::new(name, array)).collect::<Result<_, _>>()?;
        let mut lines = String::new();
        for row in 0..self.num_rows() {
            for (at, cells) in columns.iter().enumerate() {
                push_cell(cells.cell(row), at, &mut lines).map_err(|fault| {
                    Fault::new(format!("column `{}`: {fault}", names[at])).at(row)
                })?;
            }
            lines.push('\n');
            if lines.len() > 1 << 16 {
                to.write_all(lines.as_bytes())?;
                lines.clear();
            }
        }
        to.write_all(lines.as_bytes())?;
        Ok(to.flush()?)
    }

    /// Reads CSV: the columns that are given, by their names in the first line; others are passed over. O(bytes).
    ///
    /// A field of nothing is null, and `""` is the empty text; so is, without quotes, each text of `nulls`, such as
    /// `NA`.
    ///
    /// # Errors
    /// When a column is missing, or a line has more or fewer fields than the first. When a field does not fit its
    /// column, or is null where the column holds no null. When the bytes are no UTF-8, or reading fails.
    ///
    /// ```
    /// use ecs::{Component, World};
    /// use ecs_tables::{Columns, Table};
    /// use serde::Deserialize;
    ///
    /// #[derive(Component, Deserialize, Debug, PartialEq)]
    /// struct Plane { tailnum: String, year: Option<u16> }
    ///
    /// let csv = "tailnum,year,model\nN10156,2004,EMB-145XR\nN14558,NA,\n";
    /// let table = Table::read_csv(csv.as_bytes(), &Columns::of::<Plane>()?, &["NA"])?;
    /// let mut world = World::new();
    /// let planes = world.spawn_batch(table.records::<Plane>()?);
    /// assert_eq!(world.get::<Plane>(planes[1]).unwrap().year, None);
    /// # Ok::<(), ecs_tables::TableError>(())
    /// ```
    pub fn read_csv(
        mut from: impl Read,
        columns: &Columns,
        nulls: &[&str],
    ) -> Result<Self, TableError> {
        let mut text = String::new();
        from.read_to_string(&mut text)?;
        let mut reader = Reader { left: text.strip_prefix('\u{feff}').unwrap_or(&text), line: 1 };
        let mut fields = Vec::new();
        if !reader.next(&mut fields)? {
            return Err(TableError::Csv {
                line: 1,
                what: "there are no names of columns".to_owned(),
            });
        }
        let names: Vec<String> = fields.drain(..).map(|field| field.text.into_owned()).collect();
        let wanted = columns.record.columns.iter().map(|column| {
            let mut found = (0..names.len()).filter(|&at| names[at] == column.name);
            match (found.next(), found.next()) {
                (Some(at), None) => Ok(at),
                (None, _) => Err(TableError::Columns(format!(
                    "there is no column `{}` among {}",
                    column.name,
                    names.join(", ")
                ))),
                _ => Err(TableError::Columns(format!(
                    "two columns are named `{}`: rename one",
                    column.name
                ))),
            }
        });
        let wanted: Vec<usize> = wanted.collect::<Result<_, _>>()?;
        let mut recorder = Recorder::new(&columns.record, 0)?;
        loop {
            let line = reader.line;
            if !reader.next(&mut fields)? {
                break;
            }
            let malformed = |what| TableError::Csv { line, what };
            if fields.len() != names.len() {
                let (is, should) = (fields.len(), names.len());
                return Err(malformed(format!("there are {is} fields, and {should} columns")));
            }
            let texts = wanted.iter().map(|&at| {
                let field = &fields[at];
                let is_null =
                    !field.is_quoted && (field.text.is_empty() || nulls.contains(&&*field.text));
                (!is_null).then_some(&*field.text)
            });
            recorder.push_texts(texts).map_err(|fault| malformed(fault.to_string()))?;
            fields.clear();
        }
        Ok(Self { batch: recorder.finish(&columns.schema())? })
    }
}

/// A field of a line.
struct CsvField<'t> {
    text: Cow<'t, str>,
    is_quoted: bool,
}

/// Reads lines of fields.
struct Reader<'t> {
    left: &'t str,
    /// The line that comes next.
    line: usize,
}

impl<'t> Reader<'t> {
    /// Appends the fields of the next line. Returns `false` if there is none.
    fn next(&mut self, fields: &mut Vec<CsvField<'t>>) -> Result<bool, TableError> {
        if self.left.is_empty() {
            return Ok(false);
        }
        loop {
            let field = if let Some(rest) = self.left.strip_prefix('"') {
                self.quoted(rest)?
            } else {
                let end = self.left.find([',', '\n']).unwrap_or(self.left.len());
                let (text, rest) = self.left.split_at(end);
                self.left = rest;
                let is_last = !rest.starts_with(',');
                let text = if is_last { text.strip_suffix('\r').unwrap_or(text) } else { text };
                CsvField { text: text.into(), is_quoted: false }
            };
            fields.push(field);
            let rest = self.left.strip_prefix('\r').unwrap_or(self.left);
            if let Some(rest) = self.left.strip_prefix(',') {
                self.left = rest;
            } else if rest.is_empty() || rest.starts_with('\n') {
                self.left = rest.strip_prefix('\n').unwrap_or(rest);
                self.line += 1;
                return Ok(true);
            } else {
                return Err(self.malformed("there is text behind a closing quote"));
            }
        }
    }

    fn quoted(&mut self, mut rest: &'t str) -> Result<CsvField<'t>, TableError> {
        let mut text = Cow::Borrowed("");
        loop {
            let Some((part, behind)) = rest.split_once('"') else {
                return Err(self.malformed("a quote is not closed"));
            };
            self.line += part.matches('\n').count();
            text += part;
            let Some(behind) = behind.strip_prefix('"') else {
                self.left = behind;
                return Ok(CsvField { text, is_quoted: true });
            };
            text += "\"";
            rest = behind;
        }
    }

    fn malformed(&self, what: &str) -> TableError {
        TableError::Csv { line: self.line, what: what.to_owned() }
    }
}

fn push_cell(cell: Cell<'_>, at: usize, line: &mut String) -> Result<(), Fault> {
    use std::fmt::Write as _;
    if let Cell::Text(text) = cell {
        push_text(text, at, line);
        return Ok(());
    }
    if at > 0 {
        line.push(',');
    }
    let written = match cell {
        Cell::Null | Cell::Text(_) => Ok(()),
        Cell::Bool(value) => write!(line, "{value}"),
        Cell::Int(value) => write!(line, "{value}"),
        Cell::Unsigned(value) => write!(line, "{value}"),
        Cell::Single(value) => write!(line, "{value:?}"),
        Cell::Float(value) => write!(line, "{value:?}"),
        Cell::Time(nanos, is_utc) => write!(line, "{}", time::write(nanos, is_utc)?),
        Cell::Date(days) => write!(line, "{}", time::write_date(days)?),
        Cell::Bytes(_) => return Err(Fault::new("CSV has no place for bytes")),
        Cell::List(..) => return Err(Fault::new("CSV has no place for lists")),
    };
    written.map_err(|error| Fault::new(error.to_string()))
}

/// Appends a text, in quotes where they are needed.
fn push_text(text: &str, at: usize, line: &mut String) {
    if at > 0 {
        line.push(',');
    }
    if text.is_empty() || text.contains(['"', ',', '\n', '\r']) {
        line.push('"');
        line.push_str(&text.replace('"', "\"\""));
        line.push('"');
    } else {
        line.push_str(text);
    }
}
