//! A value that is read, and never put anywhere.

use serde::de::{self, Deserializer, Visitor};

/// A deserializer that reads a value from another one and drops it. It notes that there was one, and returns an error, so
/// that nothing is made of it.
pub(crate) struct Dropped<'a, D> {
    pub(crate) inner: D,
    pub(crate) is_read: &'a mut bool,
}

impl<D> Dropped<'_, D> {
    fn end<T, E: de::Error>(is_read: &mut bool, read: Result<T, E>) -> Result<T, E> {
        drop(read?);
        *is_read = true;
        Err(de::Error::custom("a sample is dropped"))
    }
}

macro_rules! forwarded {
    ($($method:ident ($($name:ident: $ty:ty),*))*) => {
        $(fn $method<V: Visitor<'de>>(self, $($name: $ty,)* visitor: V) -> Result<V::Value, D::Error> {
            Self::end(self.is_read, self.inner.$method($($name,)* visitor))
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Dropped<'_, D> {
    type Error = D::Error;

    forwarded! {
        deserialize_any() deserialize_bool()
        deserialize_i8() deserialize_i16() deserialize_i32() deserialize_i64() deserialize_i128()
        deserialize_u8() deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128()
        deserialize_f32() deserialize_f64() deserialize_char() deserialize_str() deserialize_string()
        deserialize_bytes() deserialize_byte_buf() deserialize_option() deserialize_unit()
        deserialize_seq() deserialize_map() deserialize_identifier() deserialize_ignored_any()
        deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str)
        deserialize_tuple(len: usize)
        deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}
