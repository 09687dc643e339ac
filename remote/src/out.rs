//! JSON that is written within a budget.

use crate::budget::{Budget, Stop};
use crate::error::Error;
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use std::fmt::{self, Write as _};
use std::io;

/// Longer parts are moved no more when others are appended.
const PART: usize = 64 << 10;

/// The text of an answer, in parts, so that it is never copied as a whole.
#[derive(Debug, Default)]
pub(crate) struct Out {
    full: Vec<Vec<u8>>,
    last: Vec<u8>,
    len: usize,
}

impl Out {
    /// Returns the number of bytes.
    pub(crate) const fn len(&self) -> usize {
        self.len + self.last.len()
    }

    /// Appends text that is a part of JSON.
    pub(crate) fn push(&mut self, text: &str) {
        self.last.extend_from_slice(text.as_bytes());
    }

    /// Returns the place behind all that was written.
    pub(crate) fn mark(&mut self) -> usize {
        if self.last.len() >= PART {
            self.len += self.last.len();
            self.full.push(std::mem::take(&mut self.last));
        }
        self.last.len()
    }

    /// Removes all that was written since the last mark.
    pub(crate) fn rewind(&mut self, mark: usize) {
        self.last.truncate(mark);
    }

    /// Appends a value. It is all there, or nothing is. The inner error is about a value that JSON cannot write.
    pub(crate) fn write(
        &mut self,
        value: &(impl Serialize + ?Sized),
        budget: &Budget,
    ) -> Result<Result<(), Error>, Stop> {
        write_to(&mut self.last, value, budget)
    }

    /// Appends a value, or the error of a value that JSON cannot write.
    pub(crate) fn write_or_fail(
        &mut self,
        value: &(impl Serialize + ?Sized),
        budget: &Budget,
    ) -> Result<(), Stop> {
        Ok(self.write(value, budget)??)
    }

    /// Appends a value that is there, or `null`. Returns `None` if it is not there, and the error of one that JSON cannot
    /// write, or that takes more than a frame.
    pub(crate) fn or_null(
        &mut self,
        budget: &Budget,
        write: impl FnOnce(&mut Self) -> Result<Option<Result<(), Error>>, Stop>,
    ) -> Result<Option<Result<(), Error>>, Stop> {
        let mark = self.mark();
        match budget.piece(|| write(self)) {
            Ok(Some(Err(error))) | Err(Stop::Failed(error)) => {
                self.rewind(mark);
                self.push("null");
                Ok(Some(Err(error)))
            }
            written => written,
        }
    }

    /// Appends a short value, which is never too long for the frame.
    pub(crate) fn put(&mut self, value: &impl Serialize, budget: &Budget) {
        let text = serde_json::to_string(value).unwrap_or_else(|_| "null".into());
        budget.spend_bytes(text.len());
        self.push(&text);
    }

    /// Appends an error as a field behind others, if there is one.
    pub(crate) fn put_error(&mut self, error: Option<Error>, budget: &Budget) {
        if let Some(error) = error {
            self.push(",\"error\":");
            self.put(&error, budget);
        }
    }

    /// Returns all parts.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &[u8]> {
        self.full.iter().chain([&self.last]).map(|part| &**part)
    }

    /// Returns the text.
    pub(crate) fn into_text(mut self) -> Result<String, Error> {
        if !self.full.is_empty() {
            self.full.push(std::mem::take(&mut self.last));
            self.last = self.full.concat();
        }
        String::from_utf8(self.last).map_err(|error| Error::new(Error::INTERNAL, error))
    }
}

impl From<&str> for Out {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<String> for Out {
    fn from(text: String) -> Self {
        Self { last: text.into_bytes(), ..Self::default() }
    }
}

/// Returns a value as the text of JSON.
pub(crate) fn text(
    value: &(impl Serialize + ?Sized),
    budget: &Budget,
) -> Result<Result<String, Error>, Stop> {
    let mut out = Vec::new();
    Ok(match write_to(&mut out, value, budget)? {
        Ok(()) => String::from_utf8(out).map_err(|error| Error::new(Error::INTERNAL, error)),
        Err(error) => Err(error),
    })
}

fn write_to(
    out: &mut Vec<u8>,
    value: &(impl Serialize + ?Sized),
    budget: &Budget,
) -> Result<Result<(), Error>, Stop> {
    let start = out.len();
    budget.take_values(1)?;
    let writer = Limited { out, budget };
    let written = value.serialize(&mut Serializer::with_formatter(writer, Counting(budget)));
    if let Err(error) = written {
        out.truncate(start);
        if error.is_io() {
            return Err(Stop::Later);
        }
        return Ok(Err(Error::new(
            Error::COMPONENT_ERROR,
            format_args!("cannot be written as JSON: {error}"),
        )));
    }
    Ok(Ok(()))
}

/// Returns the text of a value's `Debug`.
pub(crate) fn debug_text(value: &dyn fmt::Debug, budget: &Budget) -> Result<String, Stop> {
    let mut text = LimitedText { text: String::new(), budget, is_stopped: false };
    let written = write!(text, "{value:?}");
    if text.is_stopped {
        return Err(Stop::Later);
    }
    written.map_err(|error| Error::new(Error::INTERNAL, error))?;
    Ok(text.text)
}

/// A writer that stops when the budget is used up, also in the middle of a value.
struct Limited<'a> {
    out: &'a mut Vec<u8>,
    budget: &'a Budget,
}

/// The error of a writer that stopped.
fn stopped(_: Stop) -> io::Error {
    io::ErrorKind::QuotaExceeded.into()
}

impl io::Write for Limited<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.budget.take_bytes(bytes.len()).map_err(stopped)?;
        self.out.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct LimitedText<'a> {
    text: String,
    budget: &'a Budget,
    is_stopped: bool,
}

impl fmt::Write for LimitedText<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let taken = self.budget.take_bytes(text.len()).and_then(|()| self.budget.take_values(1));
        if taken.is_err() {
            self.is_stopped = true;
            return Err(fmt::Error);
        }
        self.text.push_str(text);
        Ok(())
    }
}

/// Writes JSON, and counts its values.
struct Counting<'a>(&'a Budget);

impl Formatter for Counting<'_> {
    fn begin_array_value<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.take_values(1).map_err(stopped)?;
        CompactFormatter.begin_array_value(writer, first)
    }

    fn begin_object_key<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.take_values(1).map_err(stopped)?;
        CompactFormatter.begin_object_key(writer, first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use std::collections::BTreeMap;

    #[test]
    fn a_value_that_does_not_fit_is_not_there() {
        let budget = Budget::new(&Options::new().frame_bytes(20));
        let mut out = Out::default();
        out.write_or_fail(&[1, 2, 3], &budget).unwrap();
        assert!(matches!(out.write(&[7; 100][..], &budget), Err(Stop::Later)));
        assert_eq!((out.into_text().unwrap(), budget.done().bytes), ("[1,2,3]".to_owned(), 20));

        let budget = Budget::new(&Options::new().frame_values(20));
        let mut out = Out::default();
        assert!(matches!(out.write(&[(); 20][..], &budget), Err(Stop::Later)));
        assert_eq!((out.len(), budget.done().values), (0, 20));
        let long = "x".repeat(30);
        let budget = Budget::new(&Options::new().frame_bytes(20));
        assert!(matches!(debug_text(&long, &budget), Err(Stop::Later)));
    }

    #[test]
    fn a_value_that_json_cannot_write_is_an_error_of_its_own() {
        let budget = Budget::new(&Options::new());
        let mut out = Out::default();
        out.push("[");
        let error = out.write(&BTreeMap::from([((1, 2), 3)]), &budget).unwrap().unwrap_err();
        assert_eq!(error.message, "cannot be written as JSON: key must be a string");
        assert_eq!(out.into_text().unwrap(), "[");
    }

    #[test]
    fn long_texts_are_kept_in_parts() {
        let budget = Budget::new(&Options::new().frame_bytes(1 << 20));
        let (mut out, text) = (Out::default(), "x".repeat(50_000));
        for _ in 0..5 {
            out.mark();
            out.write_or_fail(&text, &budget).unwrap();
        }
        let mark = out.mark();
        out.push("more");
        out.rewind(mark);
        assert_eq!((out.parts().count(), out.len()), (3, 250_010));
        assert_eq!(out.into_text().unwrap().len(), 250_010);
    }
}
