//! The size of values, found out without writing them in any format.

use crate::budget::{Budget, Stop};
use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use std::fmt;

/// Takes the values and bytes of a value from the budget.
pub(crate) fn measure(value: &(impl Serialize + ?Sized), budget: &Budget) -> Result<(), Stop> {
    value.serialize(Measure(budget)).or_else(|error| match error {
        End::Later => Err(Stop::Later),
        End::Refused => Ok(()), // the save returns its error
    })
}

/// A serializer that counts.
#[derive(Clone, Copy)]
struct Measure<'a>(&'a Budget);

#[derive(Debug)]
enum End {
    Later,
    Refused,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value was not measured")
    }
}

impl std::error::Error for End {}

impl serde::ser::Error for End {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::Refused
    }
}

impl From<Stop> for End {
    fn from(_: Stop) -> Self {
        Self::Later
    }
}

impl Measure<'_> {
    fn take(self, bytes: usize) -> Result<(), End> {
        self.0.take_bytes(bytes)?;
        Ok(self.0.take_values(1)?)
    }
}

macro_rules! numbers {
    ($($name:ident $ty:ty),*) => {$(
        fn $name(self, _: $ty) -> Result<(), End> {
            self.take(size_of::<$ty>())
        }
    )*};
}

macro_rules! begin {
    ($($name:ident($($ty:ty),*) $out:ident;)*) => {$(
        fn $name(self, $(_: $ty),*) -> Result<Self, End> {
            self.take(1)?;
            Ok(self)
        }
    )*};
}

impl Serializer for Measure<'_> {
    type Ok = ();
    type Error = End;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    numbers! {
        serialize_bool bool, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_i128 i128, serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64,
        serialize_u128 u128, serialize_f32 f32, serialize_f64 f64, serialize_char char
    }

    fn serialize_str(self, text: &str) -> Result<(), End> {
        self.take(text.len())
    }
    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), End> {
        self.take(bytes.len())
    }
    fn serialize_none(self) -> Result<(), End> {
        self.take(1)
    }
    fn serialize_unit(self) -> Result<(), End> {
        self.take(1)
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result<(), End> {
        self.take(1)
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), End> {
        self.take(1)
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), End> {
        value.serialize(self)
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), End> {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), End> {
        value.serialize(self)
    }

    begin! {
        serialize_seq(Option<usize>) SerializeSeq;
        serialize_tuple(usize) SerializeTuple;
        serialize_tuple_struct(&'static str, usize) SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) SerializeTupleVariant;
        serialize_map(Option<usize>) SerializeMap;
        serialize_struct(&'static str, usize) SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) SerializeStructVariant;
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<(), End> {
        use std::fmt::Write;
        struct Text<'a>(&'a Budget);
        impl Write for Text<'_> {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                self.0.take_bytes(text.len()).map_err(|_| fmt::Error)
            }
        }
        write!(Text(self.0), "{value}").map_err(|_| End::Later)?;
        self.take(1)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

macro_rules! parts {
    ($($of:ident $name:ident($($key:ident)?);)*) => {$(
        impl $of for Measure<'_> {
            type Ok = ();
            type Error = End;
            fn $name<T: Serialize + ?Sized>(
                &mut self,
                $($key: &'static str,)?
                value: &T,
            ) -> Result<(), End> {
                $(let _ = $key;)?
                value.serialize(*self)
            }
            fn end(self) -> Result<(), End> {
                Ok(())
            }
        }
    )*};
}

parts! {
    SerializeSeq serialize_element();
    SerializeTuple serialize_element();
    SerializeTupleStruct serialize_field();
    SerializeTupleVariant serialize_field();
    SerializeStruct serialize_field(key);
    SerializeStructVariant serialize_field(key);
}

impl SerializeMap for Measure<'_> {
    type Ok = ();
    type Error = End;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), End> {
        key.serialize(*self)
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), End> {
        value.serialize(*self)
    }
    fn end(self) -> Result<(), End> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use std::collections::BTreeMap;

    #[derive(serde::Serialize)]
    struct Point {
        x: f32,
        name: Option<String>,
    }

    #[test]
    fn values_of_any_type_are_measured() {
        let budget = Budget::new(&Options::new());
        let value =
            (Point { x: 1.0, name: Some("ab".into()) }, BTreeMap::from([((1_u8, 2_u8), 3_u8)]));
        measure(&value, &budget).unwrap();
        let done = budget.done();
        assert!((10..30).contains(&done.bytes) && (8..12).contains(&done.values), "{done:?}");
        let budget = Budget::new(&Options::new().frame_values(50));
        assert!(matches!(measure(&[(); 32][..].repeat(2), &budget), Err(Stop::Later)));
        assert_eq!(budget.done().values, 50);
    }
}
