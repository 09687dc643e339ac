//! From values to columns: a serializer that appends a value to the columns of its shape.

use crate::error::Fault;
use crate::fill::{Building, Recorder, Values, position};
use crate::shape::{Part, Shape};
use crate::time;
use ecs::Entity;
use serde::ser::{self, Error as _, Serialize, Serializer};
use std::fmt;
use std::ops::Range;

/// Appends a value to the columns of its shape.
pub struct Put<'a, 's> {
    shape: &'s Shape,
    columns: &'a mut [Building<'s>],
}

/// Appends nulls to all of these columns.
fn skip(columns: &mut [Building<'_>], which: &Range<usize>) -> Result<(), Fault> {
    columns[which.clone()].iter_mut().try_for_each(Building::null)
}

impl<'a, 's> Put<'a, 's> {
    #[inline]
    pub(crate) const fn new(shape: &'s Shape, columns: &'a mut [Building<'s>]) -> Self {
        Self { shape, columns }
    }

    /// Returns the column of a single value.
    #[inline]
    fn leaf(self, what: &dyn fmt::Display) -> Result<&'a mut Building<'s>, Fault> {
        match self.into_some()? {
            Put { shape: Shape::Leaf(at), columns } => Ok(&mut columns[*at]),
            put => Err(put.mismatch(what)),
        }
    }

    /// Goes into an option that has a value.
    #[inline]
    fn into_some(self) -> Result<Self, Fault> {
        let Self { mut shape, columns } = self;
        while let Shape::Option(optional) = shape {
            if let Some(mark) = optional.mark {
                columns[mark].bool(true)?;
            }
            shape = &optional.some.shape;
        }
        Ok(Self { shape, columns })
    }

    #[cold]
    fn mismatch(&self, what: &dyn fmt::Display) -> Fault {
        let expected = match self.shape {
            Shape::Leaf(at) => return self.columns[*at].misfit(what),
            Shape::Nothing => "nothing".to_owned(),
            Shape::Option(_) => "an option".to_owned(),
            Shape::Struct(parts) => {
                let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
                format!("the fields {}", names.join(", "))
            }
            Shape::Enum(choice) => {
                format!("a variant of `{}`", self.columns[choice.tag].column.name)
            }
        };
        Fault::new(format!("{what} is written where the columns have {expected}"))
    }

    pub(crate) fn handle(self, entity: Entity) -> Result<(), Fault> {
        self.leaf(&entity)?.handle(entity)
    }

    pub(crate) fn parts(self, what: &dyn fmt::Display) -> Result<PutParts<'a, 's>, Fault> {
        match self.into_some()? {
            Put { shape: Shape::Struct(parts), columns } => {
                Ok(PutParts { parts, at: 0, out_of_order: Vec::new(), columns })
            }
            put => Err(put.mismatch(what)),
        }
    }

    /// Chooses a variant. Returns where its content goes.
    fn variant(self, name: &'static str) -> Result<Self, Fault> {
        let Put { shape: Shape::Enum(choice), columns } = self.into_some()? else {
            return Err(Fault::new(format!(
                "the variant `{name}` is written where columns have no enum"
            )));
        };
        let Some(chosen) = choice.find(name) else {
            return Err(columns[choice.tag].misfit(format_args!("the variant `{name}`")));
        };
        columns[choice.tag].text(name)?;
        skip(columns, &(choice.columns.start..chosen.columns.start))?;
        skip(columns, &(chosen.columns.end..choice.columns.end))?;
        Ok(Self { shape: &chosen.shape, columns })
    }
}

macro_rules! put_numbers {
    ($($method:ident $type:ty, $values:ident, $other:ident;)*) => {
        $(#[inline]
        fn $method(self, value: $type) -> Result<(), Fault> {
            let column = self.leaf(&value)?;
            match &mut column.values {
                Values::$values(vec) => vec.push(value),
                _ => return column.$other(value.into()),
            }
            column.is_there();
            Ok(())
        })*
    };
}

impl<'a, 's> Serializer for Put<'a, 's> {
    type Ok = ();
    type Error = Fault;
    type SerializeSeq = PutItems<'a, 's>;
    type SerializeTuple = PutParts<'a, 's>;
    type SerializeTupleStruct = PutParts<'a, 's>;
    type SerializeTupleVariant = PutParts<'a, 's>;
    type SerializeMap = PutItems<'a, 's>;
    type SerializeStruct = PutStruct<'a, 's>;
    type SerializeStructVariant = PutStruct<'a, 's>;

    put_numbers! {
        serialize_i8 i8, I8, other_int;
        serialize_i16 i16, I16, other_int;
        serialize_i32 i32, I32, other_int;
        serialize_i64 i64, I64, other_int;
        serialize_u8 u8, U8, other_int;
        serialize_u16 u16, U16, other_int;
        serialize_u32 u32, U32, other_int;
        serialize_u64 u64, U64, other_int;
        serialize_f32 f32, F32, other_float;
        serialize_f64 f64, F64, other_float;
    }

    fn serialize_i128(self, value: i128) -> Result<(), Fault> {
        self.leaf(&value)?.other_int(value)
    }
    fn serialize_u128(self, value: u128) -> Result<(), Fault> {
        match i128::try_from(value) {
            Ok(value) => self.serialize_i128(value),
            Err(_) => self.leaf(&value)?.text(&value.to_string()),
        }
    }
    #[inline]
    fn serialize_bool(self, value: bool) -> Result<(), Fault> {
        self.leaf(&value)?.bool(value)
    }
    fn serialize_char(self, value: char) -> Result<(), Fault> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }
    fn serialize_str(self, value: &str) -> Result<(), Fault> {
        match self.shape {
            // An enum that writes itself as text.
            Shape::Enum(choice) if choice.columns.is_empty() => {
                self.columns[choice.tag].text(value)
            }
            _ => self.leaf(&value)?.text(value),
        }
    }
    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<(), Fault> {
        self.leaf(&"a text")?.display(value, None)
    }
    fn serialize_bytes(self, value: &[u8]) -> Result<(), Fault> {
        self.leaf(&"bytes")?.bytes(value)
    }
    fn serialize_none(self) -> Result<(), Fault> {
        match self.shape {
            Shape::Option(optional) => {
                if let Some(mark) = optional.mark {
                    self.columns[mark].null()?;
                }
                skip(self.columns, &optional.some.columns)
            }
            Shape::Leaf(at) => self.columns[*at].null(),
            _ => Err(self.mismatch(&"null")),
        }
    }
    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Fault> {
        let Self { shape, columns } = self;
        match shape {
            Shape::Option(optional) => {
                if let Some(mark) = optional.mark {
                    columns[mark].bool(true)?;
                }
                value.serialize(Put { shape: &optional.some.shape, columns })
            }
            _ => value.serialize(Put { shape, columns }),
        }
    }
    fn serialize_unit(self) -> Result<(), Fault> {
        match self.shape {
            Shape::Nothing => Ok(()),
            _ => self.leaf(&"a tag")?.bool(true),
        }
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Fault> {
        self.serialize_unit()
    }
    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Fault> {
        match self.into_some()? {
            Put { shape: Shape::Leaf(at), columns } => columns[*at].text(variant),
            // Given columns do not name variants that hold nothing.
            Put { shape: Shape::Enum(choice), columns } if choice.find(variant).is_none() => {
                columns[choice.tag].text(variant)?;
                skip(columns, &choice.columns)
            }
            put => put.variant(variant)?.serialize_unit(),
        }
    }
    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Fault> {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Fault> {
        match self.variant(variant)? {
            Put { shape: Shape::Nothing, .. } => Ok(()), // its content is nothing
            put => value.serialize(put),
        }
    }
    fn serialize_seq(self, _: Option<usize>) -> Result<PutItems<'a, 's>, Fault> {
        let column = self.leaf(&"a list")?;
        match column.values {
            Values::Items { .. } => Ok(PutItems { column }),
            _ => Err(column.misfit("a list")),
        }
    }
    #[inline]
    fn serialize_tuple(self, _: usize) -> Result<PutParts<'a, 's>, Fault> {
        self.parts(&"a tuple")
    }
    #[inline]
    fn serialize_tuple_struct(
        self,
        name: &'static str,
        _: usize,
    ) -> Result<PutParts<'a, 's>, Fault> {
        self.parts(&name)
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<PutParts<'a, 's>, Fault> {
        self.variant(variant)?.parts(&variant)
    }
    fn serialize_map(self, len: Option<usize>) -> Result<PutItems<'a, 's>, Fault> {
        self.serialize_seq(len)
    }
    #[inline]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<PutStruct<'a, 's>, Fault> {
        match self.into_some()? {
            Put { shape: Shape::Leaf(at), columns } => {
                let column = &mut columns[*at];
                if len == 0 {
                    column.bool(true)?;
                    return Ok(PutStruct::Fields(PutParts::default()));
                }
                if name == time::SYSTEM_TIME.0 {
                    return Ok(PutStruct::Time { column, nanos: 0 });
                }
                Err(column.misfit(format_args!("the struct `{name}`")))
            }
            put => Ok(PutStruct::Fields(put.parts(&name)?)),
        }
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<PutStruct<'a, 's>, Fault> {
        self.variant(variant)?.serialize_struct(variant, len)
    }
}

/// Appends the items of a list, or the entries of a map.
pub struct PutItems<'a, 's> {
    column: &'a mut Building<'s>,
}

impl<'s> PutItems<'_, 's> {
    fn items(&mut self) -> &mut Recorder<'s> {
        match &mut self.column.values {
            Values::Items { items, .. } => items,
            _ => unreachable!("looked at when it was made"),
        }
    }

    fn finish(self) {
        if let Values::Items { ends, items } = &mut self.column.values {
            ends.push(position(items.rows));
        }
        self.column.is_there();
    }

    /// Appends the key of an entry, or its value.
    fn half<T: Serialize + ?Sized>(&mut self, which: usize, value: &T) -> Result<(), Fault> {
        let items = self.items();
        match &items.record.shape {
            Shape::Struct(parts) if parts.len() == 2 => {
                value.serialize(Put { shape: &parts[which].shape, columns: &mut items.columns })?;
            }
            _ => return Err(self.column.misfit("a map")),
        }
        items.rows += which;
        Ok(())
    }
}

impl ser::SerializeSeq for PutItems<'_, '_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        self.items().push(&value)
    }
    fn end(self) -> Result<(), Fault> {
        self.finish();
        Ok(())
    }
}

impl ser::SerializeMap for PutItems<'_, '_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Fault> {
        self.half(0, key)
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        self.half(1, value)
    }
    fn end(self) -> Result<(), Fault> {
        self.finish();
        Ok(())
    }
}

/// Appends fields, or the parts of a tuple.
#[derive(Default)]
pub struct PutParts<'a, 's> {
    parts: &'s [Part],
    /// The number of values that were written, in their order.
    at: usize,
    /// The values that were written before their turn.
    out_of_order: Vec<usize>,
    columns: &'a mut [Building<'s>],
}

impl<'s> PutParts<'_, 's> {
    /// Returns the field of this name.
    #[inline]
    fn named(&mut self, name: &'static str) -> Result<&'s Part, Fault> {
        match self.parts.get(self.at) {
            Some(part) if part.name == name => {
                self.at += 1;
                Ok(part)
            }
            _ => self.elsewhere(name),
        }
    }

    #[cold]
    fn elsewhere(&mut self, name: &'static str) -> Result<&'s Part, Fault> {
        let found = self.parts.iter().position(|part| part.name == name);
        let at = found
            .ok_or_else(|| Fault::new(format!("there is no column for the field `{name}`")))?;
        if at < self.at || self.out_of_order.contains(&at) {
            return Err(Fault::new(format!("the field `{name}` is written twice")));
        }
        self.out_of_order.push(at);
        Ok(&self.parts[at])
    }

    /// Appends a field by a function.
    #[inline]
    pub(crate) fn put_with(
        &mut self,
        name: &'static str,
        put: impl FnOnce(Put<'_, 's>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let part = self.named(name)?;
        put(Put { shape: &part.shape, columns: self.columns })
    }

    #[inline]
    fn put<T: Serialize + ?Sized>(&mut self, part: &'s Part, value: &T) -> Result<(), Fault> {
        value.serialize(Put { shape: &part.shape, columns: self.columns })
    }

    #[inline]
    fn next<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        let Some(part) = self.parts.get(self.at) else {
            return Err(Fault::new(format!(
                "there are columns for {} parts only",
                self.parts.len()
            )));
        };
        self.at += 1;
        self.put(part, value)
    }

    /// Fields that were not written are null.
    #[inline]
    pub(crate) fn finish(self) -> Result<(), Fault> {
        if self.at < self.parts.len() { self.finish_late() } else { Ok(()) }
    }

    #[cold]
    fn finish_late(self) -> Result<(), Fault> {
        for at in self.at..self.parts.len() {
            if !self.out_of_order.contains(&at) {
                skip(self.columns, &self.parts[at].columns)?;
            }
        }
        Ok(())
    }
}

macro_rules! put_parts {
    ($($trait:ident $method:ident)*) => {
        $(impl ser::$trait for PutParts<'_, '_> {
            type Ok = ();
            type Error = Fault;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
                self.next(value)
            }
            #[inline]
            fn end(self) -> Result<(), Fault> {
                self.finish()
            }
        })*
    };
}
put_parts! {
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

/// Appends the fields of a struct.
pub enum PutStruct<'a, 's> {
    Fields(PutParts<'a, 's>),
    /// A time of the system, in seconds and nanoseconds.
    Time {
        column: &'a mut Building<'s>,
        nanos: i128,
    },
}

impl PutStruct<'_, '_> {
    #[inline]
    pub(crate) fn put<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Fault> {
        match self {
            Self::Fields(fields) => {
                let part = fields.named(name)?;
                fields.put(part, value)
            }
            Self::Time { nanos, .. } => {
                let a_unit = if name == time::SYSTEM_TIME.1[0] { 1_000_000_000 } else { 1 };
                let number: i128 = Shown(value).to_string().parse().map_err(Fault::custom)?;
                *nanos += a_unit * number;
                Ok(())
            }
        }
    }

    #[inline]
    fn finish(self) -> Result<(), Fault> {
        match self {
            Self::Fields(fields) => fields.finish(),
            Self::Time { column, nanos } => column.nanos(nanos),
        }
    }
}

macro_rules! put_struct {
    ($($trait:ident)*) => {
        $(impl ser::$trait for PutStruct<'_, '_> {
            type Ok = ();
            type Error = Fault;

            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Fault> {
                self.put(name, value)
            }
            #[inline]
            fn end(self) -> Result<(), Fault> {
                self.finish()
            }
        })*
    };
}
put_struct!(SerializeStruct SerializeStructVariant);

/// Shows a number as serde writes it.
struct Shown<'a, T: ?Sized>(&'a T);

impl<T: Serialize + ?Sized> fmt::Display for Shown<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.serialize(f)
    }
}
