//! Looks at what values write, without writing it: how many handles of entities, and how deep.

use crate::entity::HANDLE;
use crate::format::budget::Depth;
use crate::format::error::ReadError;
use crate::format::parts::parts;
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
}

/// Refuses a value that is nested too deep, as it is written for people or otherwise.
pub(crate) fn check_depth(value: &(impl Serialize + ?Sized), is_human_readable: bool) -> Result {
    value.serialize(&mut Counter { is_human_readable, ..Counter::default() })
}

/// Values without parts.
macro_rules! leaves {
    ($($serialize:ident $ty:ty),+) => {
        $(fn $serialize(self, _: $ty) -> Result { Ok(()) })+
    };
}

/// Values with parts, so many levels above them.
macro_rules! wholes {
    ($($serialize:ident($($argument:ty),*) ($fixed:literal, $open:literal);)+) => {
        $(fn $serialize(self, $(_: $argument),*) -> Result<Self> {
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
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64, serialize_i128 i128,
        serialize_f32 f32, serialize_f64 f64, serialize_unit_struct &'static str
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

    fn serialize_none(self) -> Result {
        Ok(())
    }
    fn serialize_unit(self) -> Result {
        Ok(())
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result {
        self.inside(0, 1, value)
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result {
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
        self.inside(0, 1, value)
    }
    fn collect_str<T: Display + ?Sized>(self, _: &T) -> Result {
        Ok(())
    }
}

parts!(Counter);
