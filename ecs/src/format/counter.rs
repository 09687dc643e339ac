//! A serializer that writes nothing: it counts handles of entities and depth, and checks that formats with field
//! names can read a value back.

use crate::entity::HANDLE;
use crate::format::budget::Depth;
use crate::format::error::ReadError;
use crate::format::parts::parts;
use alloc::format;
use core::fmt::Display;
use serde::ser::{Serialize, Serializer};

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// Counts the handles in a value, and refuses values that are nested too deep.
#[derive(Default)]
pub(crate) struct Counter {
    pub(crate) handles: usize,
    depth: Depth<true>,
    /// `true` if values write text for people. Handles are then texts like others.
    is_human_readable: bool,
    /// `true` if values are refused that most formats cannot read back.
    is_strict: bool,
    /// `true` if a `Some` was entered, and nothing within it yet.
    is_in_some: bool,
}

/// Returns an error if a value, written for people or not, is nested too deep.
pub(crate) fn check_depth(value: &(impl Serialize + ?Sized), is_human_readable: bool) -> Result {
    value.serialize(&mut Counter { is_human_readable, ..Counter::default() })
}

/// Returns an error if a value is nested too deep, or if formats like JSON would write it but could not read it back.
pub(crate) fn check_named(value: &(impl Serialize + ?Sized), is_human_readable: bool) -> Result {
    value.serialize(&mut Counter { is_human_readable, is_strict: true, ..Counter::default() })
}

impl Counter {
    /// Refuses a value that is written as nothing within a `Some`, because that would be read as `None`.
    fn nothing(&self) -> Result {
        if self.is_strict && self.is_in_some {
            return Err(ReadError::new(
                "`Some` of a value that is written as nothing, such as `Some(None)`, would be read as `None` in formats like \
                 JSON: save as bytes, or use an enum of your own",
            ));
        }
        Ok(())
    }

    /// Refuses a number that is not finite, because texts have no such numbers.
    fn float(&mut self, value: f64) -> Result {
        self.is_in_some = false;
        if self.is_strict && self.is_human_readable && !value.is_finite() {
            return Err(ReadError::new(format!(
                "{value} is no number in formats for people, where it would be written as nothing: save as bytes, or say \
                 how it is written by `#[serde(with = \"..\")]`"
            )));
        }
        Ok(())
    }
}

/// Serializes values without parts.
macro_rules! leaves {
    ($($serialize:ident $ty:ty),+) => {
        $(fn $serialize(self, _: $ty) -> Result {
            self.is_in_some = false;
            Ok(())
        })+
    };
}

/// Serializes values with parts, which are this many levels deeper.
macro_rules! wholes {
    ($($serialize:ident($($argument:ty),*) ($fixed:literal, $open:literal);)+) => {
        $(fn $serialize(self, $(_: $argument),*) -> Result<Self> {
            self.is_in_some = false;
            self.depth.enter($fixed, $open)?;
            Ok(self)
        })+
    };
}

impl Serializer for &mut Counter {
    type Ok = ();
    type Error = ReadError;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    fn is_human_readable(&self) -> bool {
        self.is_human_readable
    }

    leaves! {
        serialize_bool bool, serialize_char char, serialize_str &str, serialize_bytes &[u8],
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64, serialize_u128 u128,
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64, serialize_i128 i128
    }
    wholes! {
        serialize_seq(Option<usize>) (0, 1);
        serialize_tuple(usize) (1, 0);
        serialize_tuple_struct(&'static str, usize) (1, 0);
        serialize_tuple_variant(&'static str, u32, &'static str, usize) (1, 1);
        serialize_map(Option<usize>) (0, 1);
        serialize_struct(&'static str, usize) (1, 0);
        serialize_struct_variant(&'static str, u32, &'static str, usize) (1, 1);
    }

    fn serialize_f32(self, value: f32) -> Result {
        self.float(value.into())
    }
    fn serialize_f64(self, value: f64) -> Result {
        self.float(value)
    }
    fn serialize_none(self) -> Result {
        self.nothing()
    }
    fn serialize_unit(self) -> Result {
        self.nothing()
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result {
        self.nothing()
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result {
        self.is_in_some = true;
        self.inside(0, 1, value)
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result {
        self.is_in_some = false;
        self.depth.enter(0, 1)?;
        self.depth.leave(0, 1);
        Ok(())
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result {
        self.handles += usize::from(name == HANDLE);
        self.inside(1, 0, value)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result {
        self.is_in_some = false;
        self.inside(0, 1, value)
    }
    fn collect_str<T: Display + ?Sized>(self, _: &T) -> Result {
        self.is_in_some = false;
        Ok(())
    }
}

parts!(Counter);

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Serialize)]
    struct Nothing;

    #[derive(serde::Serialize)]
    enum Choice {
        A,
        B(u8),
    }

    /// A variant within this number of options.
    struct Nested(usize);

    impl Serialize for Nested {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            match self.0 {
                0 => Choice::A.serialize(to),
                depth => to.serialize_some(&Self(depth - 1)),
            }
        }
    }

    /// A value that is nested deeply where people read it.
    struct DeepForPeople;

    impl Serialize for DeepForPeople {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            if to.is_human_readable() { Nested(1_000).serialize(to) } else { to.serialize_unit() }
        }
    }

    struct Text;

    impl Serialize for Text {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            to.collect_str("text")
        }
    }

    #[test]
    fn values_are_refused_beyond_a_depth() {
        assert!(check_depth(&Nested(127), false).is_ok());
        assert!(check_depth(&Nested(128), false).is_err());
        assert!(check_depth(&DeepForPeople, false).is_ok());
        assert!(check_depth(&DeepForPeople, true).is_err());
    }

    #[test]
    fn some_of_nothing_is_refused_and_some_of_anything_else_is_not() {
        assert!(check_named(&Some(()), false).is_err());
        assert!(check_named(&Some(Nothing), false).is_err());
        assert!(check_named(&Some(None::<u8>), false).is_err());
        // Values after the one in `Some` are not in it.
        assert!(check_named(&(Some(Choice::A), Nothing), false).is_ok());
        assert!(check_named(&(Some(Choice::B(1)), Nothing), false).is_ok());
        assert!(check_named(&(Some(Text), Nothing), false).is_ok());
    }
}
