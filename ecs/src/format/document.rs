//! Reads structs, maps and lists of any format of serde, part by part.

use crate::format::error::ReadError;
use crate::format::source::{Elements, Receive, Request, Source, Token, missing};
use alloc::format;
use alloc::string::String;
use core::fmt;
use serde::de::{Error, Expected};

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// Passes the token that answers a request to a function.
struct Taker<'a, 'de> {
    expected: &'a str,
    take: &'a mut dyn FnMut(Token<'_, 'de>) -> Result,
}

impl<'de> Receive<'de> for Taker<'_, 'de> {
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Expected::fmt(&self.expected, f)
    }
    fn receive(&mut self, token: Token<'_, 'de>) -> Result {
        (self.take)(token)
    }
}

/// Reads a list or a map, whose parts `read` reads. `expected` describes it in errors.
pub(crate) fn read_parts<'de>(
    source: &mut dyn Source<'de>,
    request: Request,
    expected: &str,
    read: &mut dyn FnMut(&mut dyn Elements<'de>) -> Result,
) -> Result {
    let take = &mut |token: Token<'_, 'de>| match (request, token) {
        (Request::Seq | Request::Tuple(_), Token::Seq(parts))
        | (Request::Map | Request::Struct(..), Token::Map(parts)) => read(parts),
        (_, other) => Err(other.unexpected(&expected)),
    };
    source.read(request, &mut Taker { expected, take })
}

impl<'de> dyn Elements<'de> + '_ {
    /// Reads the next element or key by `read`, if there is one.
    pub(crate) fn read_next<T>(
        &mut self,
        read: impl FnOnce(&mut dyn Source<'de>) -> Result<T>,
    ) -> Result<Option<T>> {
        let (mut read, mut value) = (Some(read), None);
        self.next(&mut |source| {
            let read = read.take().ok_or_else(missing)?;
            value = Some(read(source)?);
            Ok(())
        })?;
        Ok(value)
    }
}

/// The keys of a struct: each comes once, in order.
pub(crate) struct StructKeys {
    /// The name of the struct, for formats that write it.
    pub(crate) of: &'static str,
    pub(crate) expected: &'static str,
    pub(crate) names: &'static [&'static str],
    /// The keys that may be missing.
    pub(crate) optional: &'static [&'static str],
}

impl StructKeys {
    /// Reads a struct: `read` reads the value of each key.
    pub(crate) fn read<'de>(
        &self,
        source: &mut dyn Source<'de>,
        read: &mut dyn FnMut(&'static str, &mut dyn Source<'de>) -> Result,
    ) -> Result {
        // Other formats may have no names of fields, so there are keys of a map.
        let is_struct = source.is_human_readable();
        let request = if is_struct { Request::Struct(self.of, self.names) } else { Request::Map };
        read_parts(source, request, self.expected, &mut |all| {
            // The number of keys that were read or passed over, and the last one that was read.
            let (mut passed, mut last) = (0, "");
            while let Some(at) = all.read_next(|key| self.find(passed, last, key))? {
                (passed, last) = (at + 1, self.names[at]);
                all.next_value(&mut |value| read(last, value))?;
            }
            self.pass(passed, self.names.len())
        })
    }

    /// Reads a key, and returns its place.
    fn find(&self, passed: usize, last: &str, source: &mut dyn Source<'_>) -> Result<usize> {
        let mut found = None;
        let mut find = |key: &str| {
            let Some(at) = self.names.iter().position(|name| *name == key) else {
                return Err(ReadError::custom(format_args!(
                    "unknown key `{key}`: {}",
                    self.order()
                )));
            };
            if key == last {
                return Err(ReadError::new(format!("`{key}` is there twice")));
            }
            if at < passed {
                let order = self.order();
                return Err(ReadError::new(format!("`{key}` comes behind `{last}`: {order}")));
            }
            found = Some(at);
            self.pass(passed, at)
        };
        let order = self.order();
        let take = &mut |token: Token<'_, '_>| match token.name(&mut [0; 4]) {
            Some(key) => find(key),
            None => Err(token.unexpected(&&*order)),
        };
        let request = if source.is_human_readable() { Request::Identifier } else { Request::Str };
        source.read(request, &mut Taker { expected: &order, take })?;
        found.ok_or_else(missing)
    }

    /// Returns an error if one of the keys between these places is required.
    fn pass(&self, from: usize, to: usize) -> Result {
        let mut passed = self.names[from..to].iter();
        match passed.find(|name| !self.optional.contains(name)) {
            None => Ok(()),
            Some(missing) => {
                Err(ReadError::new(format!("`{missing}` is missing: {}", self.order())))
            }
        }
    }

    /// Returns the list of keys, for errors.
    fn order(&self) -> String {
        let names = self.names.join("`, `");
        format!("the keys are `{names}`, each once and in this order")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::source::Erased;
    use std::string::ToString;

    #[test]
    fn a_format_names_the_value_that_was_expected() {
        let mut from = serde_json::Deserializer::from_str("5");
        let mut source = Erased::new(&mut from);
        let read = read_parts(&mut source, Request::Seq, "a list of ships", &mut |_| Ok(()));
        let error = read.unwrap_err().to_string();
        assert!(error.contains("integer `5`, expected a list of ships"), "{error}");
    }
}
