//! Reads values in any format of serde within a [`Budget`].
//!
//! Deserializers, and what they are given, are wrapped, so that each value, text and element is paid for before the
//! type that is read may allocate it.

use crate::format::budget::{AT_FIRST, Budget, Growth, PAIRS_AT_FIRST};
use crate::format::error::ReadError;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

/// Reads a value whose own bytes are paid for.
pub(crate) fn read_within<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
    budget: &mut Budget,
) -> Result<T, D::Error> {
    Limited::seed(budget).deserialize(from)
}

/// A deserializer, an access to parts, or a seed, which reads within a budget.
pub(crate) struct Limited<'a, X> {
    inner: X,
    budget: &'a mut Budget,
}

impl<'a, T> Limited<'a, PhantomData<T>> {
    /// The seed of a value whose own bytes are paid for.
    pub(crate) fn seed(budget: &'a mut Budget) -> Self {
        budget.begin(size_of::<T>());
        Self { inner: PhantomData, budget }
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Limited<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<S::Value, D::Error> {
        self.inner.deserialize(Limited { inner: from, budget: self.budget })
    }
}

/// Methods that give the deserializer a wrapped visitor: of a value whose parts are in it, or that may be a list.
macro_rules! deserialize {
    ($($name:ident($($argument:ident: $ty:ty),*) $parts:ident;)+) => {
        $(fn $name<V: Visitor<'de>>(self $(, $argument: $ty)*, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$name($($argument,)* Within { visitor, budget: self.budget, parts: Parts::$parts })
        })+
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Limited<'_, D> {
    type Error = D::Error;

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }

    deserialize! {
        deserialize_any() Listed;
        deserialize_bool() Listed;
        deserialize_i8() Listed;
        deserialize_i16() Listed;
        deserialize_i32() Listed;
        deserialize_i64() Listed;
        deserialize_i128() Listed;
        deserialize_u8() Listed;
        deserialize_u16() Listed;
        deserialize_u32() Listed;
        deserialize_u64() Listed;
        deserialize_u128() Listed;
        deserialize_f32() Listed;
        deserialize_f64() Listed;
        deserialize_char() Listed;
        deserialize_str() Listed;
        deserialize_string() Listed;
        deserialize_bytes() Listed;
        deserialize_byte_buf() Listed;
        deserialize_option() Listed;
        deserialize_unit() Listed;
        deserialize_unit_struct(name: &'static str) Listed;
        deserialize_newtype_struct(name: &'static str) Listed;
        deserialize_seq() Listed;
        deserialize_tuple(len: usize) Within;
        deserialize_tuple_struct(name: &'static str, len: usize) Within;
        deserialize_map() Listed;
        deserialize_struct(name: &'static str, fields: &'static [&'static str]) Within;
        deserialize_enum(name: &'static str, variants: &'static [&'static str]) Listed;
        deserialize_identifier() Listed;
        deserialize_ignored_any() Listed;
    }
}

/// Where the parts of a value are.
#[derive(Clone, Copy, PartialEq)]
enum Parts {
    /// In the value, as the fields of a struct.
    Within,
    /// On the heap, as the elements of a list.
    Listed,
}

/// A visitor that reads within a budget.
struct Within<'a, V> {
    visitor: V,
    budget: &'a mut Budget,
    parts: Parts,
}

/// Values that take no more than a pointer to them.
macro_rules! visit {
    ($($name:ident($($value:ident: $ty:ty)?);)+) => {
        $(fn $name<E: Error>(self $(, $value: $ty)?) -> Result<V::Value, E> {
            self.visitor.$name($($value)?)
        })+
    };
}

/// Values that may be larger than a pointer to them.
macro_rules! visit_large {
    ($($name:ident($($value:ident: $ty:ty)?);)+) => {
        $(fn $name<E: Error>(self $(, $value: $ty)?) -> Result<V::Value, E> {
            self.budget.take::<V::Value>().map_err(E::custom)?;
            self.visitor.$name($($value)?)
        })+
    };
}

/// Texts and bytes. Errors that tell a long one are cut.
macro_rules! visit_text {
    ($($name:ident($ty:ty);)+) => {
        $(fn $name<E: Error>(self, text: $ty) -> Result<V::Value, E> {
            // What has no room for a pointer does not keep a text.
            let kept = if size_of::<V::Value>() < size_of::<usize>() { 0 } else { text.len() };
            let paid = self.budget.pay(kept, 1).and_then(|()| self.budget.take::<V::Value>());
            paid.and_then(|()| self.visitor.$name::<ReadError>(text)).map_err(E::custom)
        })+
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Within<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    visit! {
        visit_bool(value: bool);
        visit_i8(value: i8);
        visit_i16(value: i16);
        visit_i32(value: i32);
        visit_i64(value: i64);
        visit_u8(value: u8);
        visit_u16(value: u16);
        visit_u32(value: u32);
        visit_u64(value: u64);
        visit_f32(value: f32);
        visit_f64(value: f64);
        visit_char(value: char);
        visit_unit();
    }
    visit_large! {
        visit_i128(value: i128);
        visit_u128(value: u128);
        visit_none();
    }
    visit_text! {
        visit_str(&str);
        visit_borrowed_str(&'de str);
        visit_string(String);
        visit_bytes(&[u8]);
        visit_borrowed_bytes(&'de [u8]);
        visit_byte_buf(Vec<u8>);
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<V::Value, D::Error> {
        let Self { visitor, budget, .. } = self;
        let outside = budget.enter_any::<V::Value>().map_err(D::Error::custom)?;
        let value = visitor.visit_some(Limited { inner: from, budget: &mut *budget });
        budget.leave(outside);
        value
    }
    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<V::Value, D::Error> {
        let Self { visitor, budget, .. } = self;
        let outside = budget.enter::<V::Value>().map_err(D::Error::custom)?;
        let value = visitor.visit_newtype_struct(Limited { inner: from, budget: &mut *budget });
        budget.leave(outside);
        value
    }
    fn visit_seq<A: SeqAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        let at_first = inner.size_hint().unwrap_or(0).min(AT_FIRST);
        self.visit_parts(at_first, |visitor, budget, growth| {
            visitor.visit_seq(Access { inner, budget, growth })
        })
    }
    fn visit_map<A: MapAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        let at_first = inner.size_hint().unwrap_or(0).min(PAIRS_AT_FIRST);
        self.visit_parts(at_first, |visitor, budget, growth| {
            visitor.visit_map(Access { inner, budget, growth })
        })
    }
    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        let Self { visitor, budget, .. } = self;
        let outside = budget.enter_any::<V::Value>().map_err(A::Error::custom)?;
        let value = visitor.visit_enum(Limited { inner: access, budget: &mut *budget });
        budget.leave(outside);
        value
    }
}

impl<V> Within<'_, V> {
    /// Enters the value, and lets `visit` read its parts.
    fn visit_parts<'de, E: Error>(
        self,
        at_first: usize,
        visit: impl FnOnce(V, &mut Budget, Option<Growth>) -> Result<V::Value, E>,
    ) -> Result<V::Value, E>
    where
        V: Visitor<'de>,
    {
        let Self { visitor, budget, parts } = self;
        if parts == Parts::Within {
            let outside = budget.enter::<V::Value>().map_err(E::custom)?;
            let value = visit(visitor, &mut *budget, None);
            budget.leave(outside);
            return value;
        }
        let outside = budget.enter_list::<V::Value>().map_err(E::custom)?;
        let growth = Growth::new(budget, at_first);
        let value = visit(visitor, &mut *budget, Some(growth));
        budget.leave(outside);
        value
    }
}

/// An access to the parts of a value: of one that is a list, with what is paid for them.
struct Access<'a, A> {
    inner: A,
    budget: &'a mut Budget,
    growth: Option<Growth>,
}

impl<A> Access<'_, A> {
    /// Returns the seed of the next part, for which `pay` pays if it is there and on the heap.
    fn part<S>(&mut self, seed: S, pay: Pay) -> (&mut A, Part<'_, S>) {
        let Self { inner, budget, growth } = self;
        (inner, Part { seed, budget, growth: growth.as_mut().map(|growth| (growth, pay)) })
    }

    fn most(&self, hint: Option<usize>) -> Option<usize> {
        let room = self.growth.as_ref().map_or(usize::MAX, Growth::room);
        hint.map(|hint| hint.min(room))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Access<'_, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let (inner, seed) =
            self.part(seed, |growth, budget, size| growth.next(budget, usize::MAX, size));
        inner.next_element_seed(seed)
    }
    fn size_hint(&self) -> Option<usize> {
        self.most(self.inner.size_hint())
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Access<'_, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let (inner, seed) = self.part(seed, Growth::next_key);
        inner.next_key_seed(seed)
    }
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let (inner, seed) = self.part(seed, |growth, budget, size| growth.next_value(budget, size));
        inner.next_value_seed(seed)
    }
    fn size_hint(&self) -> Option<usize> {
        self.most(self.inner.size_hint())
    }
}

/// Pays for a part of this size.
type Pay = fn(&mut Growth, &mut Budget, usize) -> Result<(), ReadError>;

/// The seed of a part, and what pays for it.
struct Part<'a, S> {
    seed: S,
    budget: &'a mut Budget,
    growth: Option<(&'a mut Growth, Pay)>,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Part<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<S::Value, D::Error> {
        let Self { seed, budget, growth } = self;
        let Some((growth, pay)) = growth else {
            return seed.deserialize(Limited { inner: from, budget });
        };
        let size = size_of::<S::Value>();
        pay(growth, budget, size).map_err(D::Error::custom)?;
        let nest = budget.enter_element(size);
        let value = seed.deserialize(Limited { inner: from, budget: &mut *budget });
        budget.leave_element(nest);
        value
    }
}

impl<'a, 'de, A: EnumAccess<'de>> EnumAccess<'de> for Limited<'a, A> {
    type Error = A::Error;
    type Variant = Limited<'a, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), A::Error> {
        let Self { inner, budget } = self;
        let (value, inner) = inner.variant_seed(Limited { inner: seed, budget: &mut *budget })?;
        Ok((value, Limited { inner, budget }))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Limited<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.inner.newtype_variant_seed(Limited { inner: seed, budget: self.budget })
    }
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.inner.tuple_variant(len, Within { visitor, budget: self.budget, parts: Parts::Within })
    }
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = Within { visitor, budget: self.budget, parts: Parts::Within };
        self.inner.struct_variant(fields, visitor)
    }
}
