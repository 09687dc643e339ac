//! Counts the handles of entities that values write, whatever else they write.

use crate::entity::HANDLE;
use crate::format::error::ReadError;
use crate::format::parts::parts;
use core::fmt::Display;
use serde::ser::{Serialize, Serializer};

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// How many handles were written so far.
#[derive(Default)]
pub(crate) struct Counter(pub(crate) usize);

/// Values without parts.
macro_rules! leaves {
    ($($serialize:ident $ty:ty),+) => {
        $(fn $serialize(self, _: $ty) -> Result { Ok(()) })+
    };
}

/// Of those with parts, which are looked into.
macro_rules! wholes {
    ($($serialize:ident($($argument:ty),*);)+) => {
        $(fn $serialize(self, $(_: $argument),*) -> Result<Self> { Ok(self) })+
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

    /// As text a handle would not be told from any other.
    fn is_human_readable(&self) -> bool {
        false
    }

    leaves! {
        serialize_bool bool, serialize_char char, serialize_str &str, serialize_bytes &[u8],
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64, serialize_u128 u128,
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64, serialize_i128 i128,
        serialize_f32 f32, serialize_f64 f64, serialize_unit_struct &'static str
    }
    wholes! {
        serialize_seq(Option<usize>);
        serialize_tuple(usize);
        serialize_tuple_struct(&'static str, usize);
        serialize_tuple_variant(&'static str, u32, &'static str, usize);
        serialize_map(Option<usize>);
        serialize_struct(&'static str, usize);
        serialize_struct_variant(&'static str, u32, &'static str, usize);
    }

    fn serialize_none(self) -> Result {
        Ok(())
    }
    fn serialize_unit(self) -> Result {
        Ok(())
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result {
        value.serialize(self)
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result {
        Ok(())
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result {
        self.0 += usize::from(name == HANDLE);
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result {
        value.serialize(self)
    }
    fn collect_str<T: Display + ?Sized>(self, _: &T) -> Result {
        Ok(())
    }
}

parts!(Counter);
