//! The error of reading bytes and of writing values.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt::{self, Display, Write};
use serde::{de, ser};

/// An error of reading or writing values.
///
/// The error is a pointer, because functions that read values are compiled for each type and return it in the value's
/// place.
#[derive(Debug)]
pub struct ReadError(Box<Cause>);

#[derive(Debug)]
struct Cause(String);

impl ReadError {
    #[cold]
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self(Box::new(Cause(what.into())))
    }

    #[inline]
    pub(crate) fn into_text(self) -> String {
        self.0.0
    }
}

impl Display for ReadError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.0)
    }
}
impl core::error::Error for ReadError {}

impl de::Error for ReadError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(Short::of(message))
    }
}

impl ser::Error for ReadError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(Short::of(message))
    }
}

/// The greatest length of a message in bytes: it may contain a value, such as a long text.
const LONGEST: usize = 1_000;

/// A message that is cut off when it is too long.
struct Short(String);

impl Short {
    fn of(message: impl Display) -> String {
        let mut short = Self(String::new());
        if write!(short, "{message}").is_err() {
            short.0.push('…');
        }
        short.0
    }
}

impl Write for Short {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let left = LONGEST - self.0.len();
        let end = (0..=left.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
        self.0.push_str(&text[..end.unwrap_or(0)]);
        if text.len() > left { Err(fmt::Error) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    #[test]
    fn long_messages_are_cut_off() {
        let whole = "x".repeat(LONGEST);
        assert_eq!(Short::of(&whole), whole);
        assert_eq!(Short::of(format_args!("{whole}y")), format!("{whole}…"));
        let umlauts = "ö".repeat(LONGEST);
        assert_eq!(Short::of(&umlauts[..LONGEST]), umlauts[..LONGEST]);
        assert_eq!(Short::of(format_args!("z{umlauts}")), format!("z{}…", &umlauts[..LONGEST - 2]));
    }
}
