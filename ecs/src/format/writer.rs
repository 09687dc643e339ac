//! Writes values and numbers in the format of postcard.
//!
//! The writer refuses values that could not be read back. The bytes contain no field names, so a skipped field would
//! be missing. A list without a length would have no end. The reader refuses values that are nested too deep.

use crate::entity::HANDLE;
use crate::format::budget::Depth;
use crate::format::counter::check_depth;
use crate::format::parts::parts;
use crate::format::reader::ReadError;
use alloc::format;
use alloc::vec::Vec;
use serde::ser::{Serialize, Serializer};

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// A serializer that appends to these bytes.
struct Writer<'a> {
    bytes: &'a mut Vec<u8>,
    depth: Depth<false>,
    /// The number of handles of entities that were written.
    handles: usize,
}

/// Serializes values without parts, each by an expression.
macro_rules! leaves {
    ($($serialize:ident $ty:ty, |$bytes:ident, $value:ident| $write:expr;)+) => {
        $(
            #[inline]
            fn $serialize(self, $value: $ty) -> Result {
                let $bytes = &mut *self.bytes;
                $write;
                Ok(())
            }
        )+
    };
}

/// Returns the number whose lowest bit is the sign of `$value`.
macro_rules! folded {
    ($value:expr) => {{
        let value = $value;
        (value << 1 ^ value >> (size_of_val(&value) * 8 - 1)).cast_unsigned()
    }};
}

impl Serializer for &mut Writer<'_> {
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
        false
    }

    leaves! {
        serialize_bool bool, |bytes, value| bytes.push(value.into());
        serialize_u8 u8, |bytes, value| bytes.push(value);
        serialize_i8 i8, |bytes, value| bytes.push(value.cast_unsigned());
        serialize_u16 u16, |bytes, value| write_number(value.into(), bytes);
        serialize_u32 u32, |bytes, value| write_number(value.into(), bytes);
        serialize_u64 u64, |bytes, value| write_number(value, bytes);
        serialize_u128 u128, |bytes, value| write_long(value, bytes);
        serialize_i16 i16, |bytes, value| write_number(folded!(value).into(), bytes);
        serialize_i32 i32, |bytes, value| write_number(folded!(value).into(), bytes);
        serialize_i64 i64, |bytes, value| write_number(folded!(value), bytes);
        serialize_i128 i128, |bytes, value| write_long(folded!(value), bytes);
        serialize_f32 f32, |bytes, value| bytes.extend_from_slice(&value.to_le_bytes());
        serialize_f64 f64, |bytes, value| bytes.extend_from_slice(&value.to_le_bytes());
        serialize_char char, |bytes, value| write_text(value.encode_utf8(&mut [0; 4]), bytes);
        serialize_str &str, |bytes, value| write_text(value, bytes);
    }

    fn serialize_bytes(self, value: &[u8]) -> Result {
        write_number(value.len() as u64, self.bytes);
        self.bytes.extend_from_slice(value);
        Ok(())
    }
    #[inline]
    fn serialize_none(self) -> Result {
        self.bytes.push(0);
        Ok(())
    }
    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result {
        self.bytes.push(1);
        self.inside(0, 1, value)
    }
    fn serialize_unit(self) -> Result {
        Ok(())
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result {
        Ok(())
    }
    #[inline]
    fn serialize_unit_variant(self, _: &'static str, number: u32, _: &'static str) -> Result {
        self.depth.enter(0, 1)?;
        self.depth.leave(0, 1);
        write_number(number.into(), self.bytes);
        Ok(())
    }
    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result {
        self.handles += usize::from(name == HANDLE);
        self.inside(1, 0, value)
    }
    #[inline]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        number: u32,
        _: &'static str,
        value: &T,
    ) -> Result {
        write_number(number.into(), self.bytes);
        self.inside(0, 1, value)
    }
    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<Self> {
        self.counted(len)
    }
    #[inline]
    fn serialize_tuple(self, _: usize) -> Result<Self> {
        self.depth.enter(1, 0)?;
        Ok(self)
    }
    #[inline]
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self> {
        self.depth.enter(1, 0)?;
        Ok(self)
    }
    #[inline]
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        number: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self> {
        self.depth.enter(1, 1)?;
        write_number(number.into(), self.bytes);
        Ok(self)
    }
    #[inline]
    fn serialize_map(self, len: Option<usize>) -> Result<Self> {
        self.counted(len)
    }
    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self> {
        self.depth.enter(1, 0)?;
        Ok(self)
    }
    #[inline]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        number: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self> {
        self.serialize_tuple_variant(name, number, variant, len)
    }
}

impl Writer<'_> {
    #[inline]
    fn counted(&mut self, len: Option<usize>) -> Result<&mut Self> {
        let Some(len) = len else { return Err(uncounted()) };
        self.depth.enter(0, 1)?;
        write_number(len as u64, self.bytes);
        Ok(self)
    }
}

#[cold]
fn uncounted() -> ReadError {
    ReadError::new(format!(
        "a list or a map states no length before its elements, as with serde's `flatten`; {IN_BYTES}"
    ))
}

#[cold]
fn skipped(field: &str) -> ReadError {
    ReadError::new(format!(
        "its field `{field}` is skipped by `skip_serializing_if`, and would be missing when the value is read; {IN_BYTES}"
    ))
}

/// The end of an error for values that can be read back only with field names.
const IN_BYTES: &str = "bytes have no names of fields: remove the attribute, or save in a format for people, \
                                   such as JSON";

parts!(Writer<'_>, skipped);

/// Appends a value, and returns the number of handles of entities in it. If that fails, some of its bytes may be
/// appended already.
#[inline]
pub(crate) fn write_value<T: Serialize + ?Sized>(value: &T, bytes: &mut Vec<u8>) -> Result<usize> {
    let mut writer = Writer { bytes, depth: Depth::default(), handles: 0 };
    value.serialize(&mut writer)?;
    if writer.depth.is_doubtful {
        check_depth(value, false)?;
    }
    Ok(writer.handles)
}

/// Appends a number of 128 bits in the form of [`write_number`].
fn write_long(mut number: u128, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

/// Appends a number: seven bits in each byte, the lowest first. The highest bit of a byte is set if more bytes
/// follow.
#[inline]
pub(crate) fn write_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

/// Appends the number of `numbers`, and then each of them.
pub(crate) fn write_list(numbers: impl ExactSizeIterator<Item = u64>, bytes: &mut Vec<u8>) {
    write_number(numbers.len() as u64, bytes);
    for number in numbers {
        write_number(number, bytes);
    }
}

/// Appends the length of a text, and then the text.
pub(crate) fn write_text(text: &str, bytes: &mut Vec<u8>) {
    write_number(text.len() as u64, bytes);
    bytes.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::boxed::Box;
    use std::vec;

    struct Bytes<'a>(&'a [u8]);

    impl Serialize for Bytes<'_> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            to.serialize_bytes(self.0)
        }
    }

    #[test]
    fn bytes_are_written_behind_their_number() {
        let mut bytes = vec![];
        write_value(&Bytes(&[7, 8, 9]), &mut bytes).unwrap();
        assert_eq!(bytes, [3, 7, 8, 9]);
    }

    /// A link takes two levels, and one is open.
    #[derive(serde::Serialize)]
    struct Link(Option<Box<Link>>);

    #[test]
    fn all_levels_count_where_a_value_is_nested_deeply() {
        let write = |links| {
            let chain = (1..links).fold(Link(None), |chain, _| Link(Some(Box::new(chain))));
            write_value(&chain, &mut vec![])
        };
        assert!(write(64).is_ok());
        assert!(write(65).is_err());
    }
}
