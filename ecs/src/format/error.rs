//! What is wrong with bytes, or with values that are to be written.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::fmt::{self, Display};
use serde::{de, ser};

/// What is wrong with some bytes.
///
/// A pointer, as what reads a value returns it in the value's place, and is compiled for each type of values.
#[derive(Debug)]
pub struct ReadError(Box<Cause>);

#[derive(Debug)]
struct Cause(String);

impl ReadError {
    #[cold]
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self(Box::new(Cause(what.into())))
    }

    pub(crate) fn into_text(self) -> String {
        self.0.0
    }
}

impl Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.0)
    }
}
impl core::error::Error for ReadError {}

impl de::Error for ReadError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(message.to_string())
    }
}

impl ser::Error for ReadError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(message.to_string())
    }
}
