//! Reads values in any format of serde within a [`Budget`].
//!
//! A type is compiled for one deserializer, [`Limited`], whatever the format. The deserializer of a format is a
//! [`Source`], which sends one [`Token`] for each value. Each value, text and element is paid for before the type may
//! allocate it. So the code for types is independent of formats, and the code for formats is independent of types.

use crate::format::budget::{Budget, Growth};
use crate::format::error::ReadError;
use crate::format::source::{
    Elements, PartsPlace, Receive, Request, Sink, Source, Token, VariantSource, missing,
};
use core::fmt;
use core::marker::PhantomData;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// Reads a value whose own bytes are paid for.
pub(crate) fn read_within<'de, T: Deserialize<'de>>(
    source: &mut dyn Source<'de>,
    budget: &mut Budget,
) -> Result<T> {
    read_seed_within(PhantomData::<T>, size_of::<T>(), source, budget)
}

/// Reads a value by a seed, whose own bytes are this many, and paid for.
pub(crate) fn read_seed_within<'de, S: DeserializeSeed<'de>>(
    seed: S,
    size: usize,
    source: &mut dyn Source<'de>,
    budget: &mut Budget,
) -> Result<S::Value> {
    budget.begin(size);
    seed.deserialize(Limited { source, budget })
}

/// The deserializer that reads from a source within a budget.
struct Limited<'t, 'b, 'de> {
    source: &'t mut dyn Source<'de>,
    budget: &'b mut Budget,
}

impl<'de> Limited<'_, '_, 'de> {
    /// Requests a value, and passes the token that answers to the visitor.
    fn request<V: Visitor<'de>>(
        self,
        request: Request,
        parts: PartsPlace,
        visitor: V,
        visit: LimitedVisitor<'de, V>,
    ) -> Result<V::Value> {
        let mut waiting = Waiting::new(visitor, visit, parts, self.budget);
        self.source.read(request, &mut waiting)?;
        waiting.value()
    }
}

/// Calls the method of a visitor for a token.
type LimitedVisitor<'de, V> =
    fn(V, Token<'_, 'de>, &mut Budget, Option<Growth>) -> Result<<V as Visitor<'de>>::Value>;

/// A visitor that waits for its token, and then the value that it made from the token.
struct Waiting<'b, 'de, V: Visitor<'de>> {
    visitor: Option<V>,
    value: Option<V::Value>,
    visit: LimitedVisitor<'de, V>,
    parts: PartsPlace,
    budget: &'b mut Budget,
}

impl<'b, 'de, V: Visitor<'de>> Waiting<'b, 'de, V> {
    fn new(
        visitor: V,
        visit: LimitedVisitor<'de, V>,
        parts: PartsPlace,
        budget: &'b mut Budget,
    ) -> Self {
        Self { visitor: Some(visitor), value: None, visit, parts, budget }
    }

    fn value(self) -> Result<V::Value> {
        self.value.ok_or_else(missing)
    }
}

impl<'de, V: Visitor<'de>> Receive<'de> for Waiting<'_, 'de, V> {
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.as_ref().map_or(Ok(()), |visitor| visitor.expecting(f))
    }

    fn receive(&mut self, token: Token<'_, 'de>) -> Result {
        let (outside, growth) = token.pay(self.budget, size_of::<V::Value>(), self.parts)?;
        let visitor = self.visitor.take().ok_or_else(missing)?;
        self.value = Some((self.visit)(visitor, token, self.budget, growth)?);
        if let Some(outside) = outside {
            self.budget.leave(outside);
        }
        Ok(())
    }
}

// The request decides which tokens are expected: so the visitor of a type is compiled for few of them.

/// Visits a token of any kind: for numbers and texts, and where the format chooses.
fn any<'de, V: Visitor<'de>>(
    visitor: V,
    token: Token<'_, 'de>,
    budget: &mut Budget,
    growth: Option<Growth>,
) -> Result<V::Value> {
    match token {
        Token::Bool(value) => visitor.visit_bool(value),
        Token::I64(value) => visitor.visit_i64(value),
        Token::I128(value) => visitor.visit_i128(value),
        Token::U64(value) => visitor.visit_u64(value),
        Token::U128(value) => visitor.visit_u128(value),
        Token::F64(value) => visitor.visit_f64(value),
        Token::Char(value) => visitor.visit_char(value),
        Token::Str(text) => visitor.visit_str(text),
        Token::BorrowedStr(text) => visitor.visit_borrowed_str(text),
        Token::String(text) => visitor.visit_string(text),
        Token::Bytes(bytes) => visitor.visit_bytes(bytes),
        Token::BorrowedBytes(bytes) => visitor.visit_borrowed_bytes(bytes),
        Token::ByteBuf(bytes) => visitor.visit_byte_buf(bytes),
        Token::None | Token::Some(_) => option(visitor, token, budget, growth),
        Token::Unit => visitor.visit_unit(),
        Token::Newtype(_) => newtype(visitor, token, budget, growth),
        Token::Seq(_) | Token::Map(_) => parts(visitor, token, budget, growth),
        Token::Enum(_) => variant(visitor, token, budget, growth),
    }
}

fn option<'de, V: Visitor<'de>>(
    visitor: V,
    token: Token<'_, 'de>,
    budget: &mut Budget,
    _: Option<Growth>,
) -> Result<V::Value> {
    match token {
        Token::None => visitor.visit_none(),
        Token::Unit => visitor.visit_unit(),
        Token::Some(source) => visitor.visit_some(Limited { source, budget }),
        other => Err(other.unexpected(&visitor)),
    }
}

fn unit<'de, V: Visitor<'de>>(
    visitor: V,
    token: Token<'_, 'de>,
    _: &mut Budget,
    _: Option<Growth>,
) -> Result<V::Value> {
    match token {
        Token::Unit => visitor.visit_unit(),
        other => Err(other.unexpected(&visitor)),
    }
}

fn newtype<'de, V: Visitor<'de>>(
    visitor: V,
    token: Token<'_, 'de>,
    budget: &mut Budget,
    growth: Option<Growth>,
) -> Result<V::Value> {
    match token {
        Token::Newtype(source) => visitor.visit_newtype_struct(Limited { source, budget }),
        Token::Seq(inner) => visitor.visit_seq(BudgetedElements { inner, budget, growth }),
        other => Err(other.unexpected(&visitor)),
    }
}

/// Visits a list, a map, or fields.
fn parts<'de, V: Visitor<'de>>(
    visitor: V,
    token: Token<'_, 'de>,
    budget: &mut Budget,
    growth: Option<Growth>,
) -> Result<V::Value> {
    match token {
        Token::Seq(inner) => visitor.visit_seq(BudgetedElements { inner, budget, growth }),
        Token::Map(inner) => visitor.visit_map(BudgetedElements { inner, budget, growth }),
        other => Err(other.unexpected(&visitor)),
    }
}

fn variant<'de, V: Visitor<'de>>(
    visitor: V,
    token: Token<'_, 'de>,
    budget: &mut Budget,
    _: Option<Growth>,
) -> Result<V::Value> {
    match token {
        Token::Enum(inner) => visitor.visit_enum(BudgetedVariant { inner, budget }),
        other => Err(other.unexpected(&visitor)),
    }
}

/// Visits the name of a field or a variant, or its number.
fn identifier<'de, V: Visitor<'de>>(
    visitor: V,
    token: Token<'_, 'de>,
    _: &mut Budget,
    _: Option<Growth>,
) -> Result<V::Value> {
    // One call, because the code of a visitor is compiled where it is called.
    if let Some(name) = token.name(&mut [0; 4]) {
        return visitor.visit_str(name);
    }
    match token.number() {
        Ok(number) => visitor.visit_u64(number),
        Err(other) => Err(other.unexpected(&visitor)),
    }
}

macro_rules! deserialize {
    ($($name:ident($($argument:ident: $ty:ty),*) $request:ident $parts:ident $visit:ident;)+) => {
        $(fn $name<V: Visitor<'de>>(self $(, $argument: $ty)*, visitor: V) -> Result<V::Value> {
            let request = deserialize!(@ $request($($argument),*));
            self.request(request, PartsPlace::$parts, visitor, $visit)
        })+
    };
    (@ $request:ident()) => { Request::$request };
    (@ $request:ident($($argument:ident),+)) => { Request::$request($($argument),+) };
}

impl<'de> Deserializer<'de> for Limited<'_, '_, 'de> {
    type Error = ReadError;

    fn is_human_readable(&self) -> bool {
        self.source.is_human_readable()
    }

    deserialize! {
        deserialize_any() Any Listed any;
        deserialize_bool() Bool Listed any;
        deserialize_i8() I8 Listed any;
        deserialize_i16() I16 Listed any;
        deserialize_i32() I32 Listed any;
        deserialize_i64() I64 Listed any;
        deserialize_i128() I128 Listed any;
        deserialize_u8() U8 Listed any;
        deserialize_u16() U16 Listed any;
        deserialize_u32() U32 Listed any;
        deserialize_u64() U64 Listed any;
        deserialize_u128() U128 Listed any;
        deserialize_f32() F32 Listed any;
        deserialize_f64() F64 Listed any;
        deserialize_char() Char Listed any;
        deserialize_str() Str Listed any;
        deserialize_string() String Listed any;
        deserialize_bytes() Bytes Listed any;
        deserialize_byte_buf() ByteBuf Listed any;
        deserialize_option() Option Listed option;
        deserialize_unit() Unit Listed unit;
        deserialize_unit_struct(name: &'static str) UnitStruct Listed unit;
        deserialize_newtype_struct(name: &'static str) NewtypeStruct Listed newtype;
        deserialize_seq() Seq Listed parts;
        deserialize_tuple(len: usize) Tuple Within parts;
        deserialize_tuple_struct(name: &'static str, len: usize) TupleStruct Within parts;
        deserialize_map() Map Listed parts;
        deserialize_struct(name: &'static str, fields: &'static [&'static str]) Struct Within parts;
        deserialize_enum(name: &'static str, variants: &'static [&'static str]) Enum Listed variant;
        deserialize_identifier() Identifier Listed identifier;
        deserialize_ignored_any() IgnoredAny Listed any;
    }
}

/// Access to the parts of a value; for a list, with the payments for its elements.
struct BudgetedElements<'t, 'b, 'de> {
    inner: &'t mut dyn Elements<'de>,
    budget: &'b mut Budget,
    growth: Option<Growth>,
}

/// A part of a value: an element of a list or a field of a tuple; a key; the value of the last key.
#[derive(Clone, Copy)]
enum PartOfValue {
    Element,
    Key,
    Value,
}

impl PartOfValue {
    /// Enters a part of this size that is on the heap, and pays for it. Returns the argument for
    /// [`Budget::leave_element`].
    fn enter(self, growth: &mut Growth, budget: &mut Budget, size: usize) -> Result<usize> {
        match self {
            Self::Element => growth.next(budget, usize::MAX, size),
            Self::Key => growth.next_key(budget, size),
            Self::Value => growth.next_value(budget, size),
        }?;
        Ok(budget.enter_element(size))
    }
}

impl<'de> BudgetedElements<'_, '_, 'de> {
    /// Reads the next part, if there is one.
    fn next<S: DeserializeSeed<'de>>(
        &mut self,
        part: PartOfValue,
        seed: S,
    ) -> Result<Option<S::Value>> {
        let Self { inner, budget, growth } = self;
        let (mut seed, mut value) = (Some(seed), None);
        let read: &mut Sink<'_, 'de> = &mut |source| {
            let nest = match growth {
                Some(growth) => Some(part.enter(growth, budget, size_of::<S::Value>())?),
                None => None,
            };
            let seed = seed.take().ok_or_else(missing)?;
            value = Some(seed.deserialize(Limited { source, budget })?);
            if let Some(nest) = nest {
                budget.leave_element(nest);
            }
            Ok(())
        };
        if let PartOfValue::Value = part { inner.next_value(read) } else { inner.next(read) }?;
        Ok(value)
    }

    fn most(&self) -> Option<usize> {
        let room = self.growth.as_ref().map_or(usize::MAX, Growth::room);
        self.inner.size_hint().map(|hint| hint.min(room))
    }
}

impl<'de> SeqAccess<'de> for BudgetedElements<'_, '_, 'de> {
    type Error = ReadError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        self.next(PartOfValue::Element, seed)
    }
    fn size_hint(&self) -> Option<usize> {
        self.most()
    }
}

impl<'de> MapAccess<'de> for BudgetedElements<'_, '_, 'de> {
    type Error = ReadError;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        self.next(PartOfValue::Key, seed)
    }
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        self.next(PartOfValue::Value, seed)?.ok_or_else(missing)
    }
    fn size_hint(&self) -> Option<usize> {
        self.most()
    }
}

/// Access to the variant of an enum, and then to its content.
struct BudgetedVariant<'t, 'b, 'de> {
    inner: &'t mut dyn VariantSource<'de>,
    budget: &'b mut Budget,
}

impl<'de> BudgetedVariant<'_, '_, 'de> {
    /// Reads by `seed` the value that `request` sends.
    fn read<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
        request: fn(&mut (dyn VariantSource<'de> + '_), &mut Sink<'_, 'de>) -> Result,
    ) -> Result<S::Value> {
        let Self { inner, budget } = self;
        let (mut seed, mut value) = (Some(seed), None);
        request(&mut **inner, &mut |source| {
            let seed = seed.take().ok_or_else(missing)?;
            value = Some(seed.deserialize(Limited { source, budget })?);
            Ok(())
        })?;
        value.ok_or_else(missing)
    }
}

impl<'de> EnumAccess<'de> for BudgetedVariant<'_, '_, 'de> {
    type Error = ReadError;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(mut self, seed: S) -> Result<(S::Value, Self)> {
        let variant = self.read(seed, |inner, send| inner.variant(send))?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for BudgetedVariant<'_, '_, 'de> {
    type Error = ReadError;

    fn unit_variant(self) -> Result {
        self.inner.unit()
    }
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(mut self, seed: S) -> Result<S::Value> {
        self.read(seed, |inner, send| inner.newtype(send))
    }
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        let mut waiting = Waiting::new(visitor, parts, PartsPlace::Within, self.budget);
        self.inner.tuple(len, &mut waiting)?;
        waiting.value()
    }
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let mut waiting = Waiting::new(visitor, parts, PartsPlace::Within, self.budget);
        self.inner.fields(fields, &mut waiting)?;
        waiting.value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::reader::Reader;
    use crate::format::source::Erased;
    use std::collections::BTreeMap;
    use std::string::String;
    use std::vec::Vec;

    fn read<T: for<'de> Deserialize<'de>>(json: &str, room: usize) -> Result<T> {
        let mut from = serde_json::Deserializer::from_str(json);
        read_within(&mut Erased::new(&mut from), &mut Budget::new(room))
    }

    #[derive(serde::Deserialize, Debug, PartialEq)]
    enum BudgetedVariant {
        Unit,
        Newtype(u8),
        Tuple(u8, u8),
        Struct { a: u8 },
    }

    #[test]
    fn variants_of_all_kinds_are_read() {
        let of = |json| read::<BudgetedVariant>(json, 0).unwrap();
        assert_eq!(of(r#""Unit""#), BudgetedVariant::Unit);
        assert_eq!(of(r#"{"Unit":null}"#), BudgetedVariant::Unit);
        assert_eq!(of(r#"{"Newtype":1}"#), BudgetedVariant::Newtype(1));
        assert_eq!(of(r#"{"Tuple":[1,2]}"#), BudgetedVariant::Tuple(1, 2));
        assert_eq!(of(r#"{"Struct":{"a":3}}"#), BudgetedVariant::Struct { a: 3 });
    }

    #[test]
    fn values_on_the_heap_are_paid_for() {
        // Room for four numbers, thrice; for twelve pairs, each with its padding.
        assert_eq!(read::<Vec<u64>>("[7]", 96).unwrap(), [7]);
        assert!(read::<Vec<u64>>("[7]", 95).is_err());
        assert!(read::<BTreeMap<u64, u64>>(r#"{"7":8}"#, 288).is_ok());
        assert!(read::<BTreeMap<u64, u64>>(r#"{"7":8}"#, 287).is_err());
        assert_eq!(read::<String>(r#""abc""#, 3).unwrap(), "abc");
        assert!(read::<String>(r#""abc""#, 2).is_err());
        assert_eq!(read::<(u64, [u64; 2])>("[1,[2,3]]", 0).unwrap(), (1, [2, 3]));
    }

    /// The number of elements for which a list or a map may make room.
    struct Room(Option<usize>);

    struct RoomOf;

    impl<'de> Visitor<'de> for RoomOf {
        type Value = Room;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list or a map")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, all: A) -> Result<Room, A::Error> {
            Ok(Room(all.size_hint()))
        }
        fn visit_map<A: MapAccess<'de>>(self, all: A) -> Result<Room, A::Error> {
            Ok(Room(all.size_hint()))
        }
    }

    struct List(Room);
    struct Map(Room);

    impl<'de> Deserialize<'de> for List {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            from.deserialize_seq(RoomOf).map(Self)
        }
    }
    impl<'de> Deserialize<'de> for Map {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            from.deserialize_map(RoomOf).map(Self)
        }
    }

    #[test]
    fn lists_and_maps_make_room_for_few_elements_before_they_read_the_first() {
        for (len, list, map) in [(100, 16, 3), (2, 2, 2)] {
            let bytes = [&[len][..], &[0; 100]].concat();
            let reader = || Reader::own(&bytes);
            assert_eq!(List::deserialize(&mut reader()).unwrap().0.0, Some(list));
            assert_eq!(Map::deserialize(&mut reader()).unwrap().0.0, Some(map));
            let mut budget = Budget::new(usize::MAX);
            let read = read_within::<List>(&mut Erased::new(&mut reader()), &mut budget);
            assert_eq!(read.unwrap().0.0, Some(list));
            let read = read_within::<Map>(&mut Erased::new(&mut reader()), &mut budget);
            assert_eq!(read.unwrap().0.0, Some(map));
        }
    }

    struct Readable(bool);

    impl<'de> Deserialize<'de> for Readable {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            Ok(Self(from.is_human_readable()))
        }
    }

    #[test]
    fn a_format_says_whether_people_read_it() {
        let (mut reader, mut budget) = (Reader::own(&[]), Budget::new(0));
        assert!(!read_within::<Readable>(&mut Erased::new(&mut reader), &mut budget).unwrap().0);
        assert!(read::<Readable>("5", 0).unwrap().0);
    }
}
