//! Looks at what values write, without writing it: how many handles of entities, how deep, and whether formats with names
//! of fields read it again.

use crate::entity::HANDLE;
use crate::format::budget::Depth;
use crate::format::error::ReadError;
use crate::format::parts::parts;
use alloc::format;
use core::fmt::Display;
use serde::ser::{Serialize, Serializer};

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// Counts the handles that are written, and refuses what is nested too deep.
#[derive(Default)]
pub(crate) struct Counter {
    pub(crate) handles: usize,
    depth: Depth<true>,
    /// Whether values are to write text for people. Handles are not told from other texts then.
    is_human_readable: bool,
    /// Whether what most formats do not read again is refused.
    is_strict: bool,
    /// Whether a `Some` was entered, and nothing within it so far.
    is_in_some: bool,
}

/// Refuses a value that is nested too deep, as it is written for people or otherwise.
pub(crate) fn check_depth(value: &(impl Serialize + ?Sized), is_human_readable: bool) -> Result {
    value.serialize(&mut Counter { is_human_readable, ..Counter::default() })
}

/// Refuses a value that JSON and formats like it would write and not read again, or that is nested too deep.
pub(crate) fn check_named(value: &(impl Serialize + ?Sized), is_human_readable: bool) -> Result {
    value.serialize(&mut Counter { is_human_readable, is_strict: true, ..Counter::default() })
}

impl Counter {
    /// Refuses what is written as nothing, as the `Some` around it would be read as a `None`.
    fn nothing(&self) -> Result {
        if self.is_strict && self.is_in_some {
            return Err(ReadError::new(
                "`Some` of a value that is written as nothing, such as `Some(None)`, would be read as `None` in formats like \
                 JSON: save as bytes, or use an enum of your own",
            ));
        }
        Ok(())
    }

    /// Refuses a number that is not finite, as texts have no such numbers.
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

/// Values without parts.
macro_rules! leaves {
    ($($serialize:ident $ty:ty),+) => {
        $(fn $serialize(self, _: $ty) -> Result {
            self.is_in_some = false;
            Ok(())
        })+
    };
}

/// Values with parts, so many levels above them.
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
