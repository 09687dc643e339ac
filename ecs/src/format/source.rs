//! Deserializers of serde without their types: each is a [`Source`], which answers a [`Request`] by a [`Token`].

use crate::format::budget::{AT_FIRST, Budget, Growth, Outside, PAIRS_AT_FIRST};
use crate::format::error::ReadError;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, Expected, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

macro_rules! requests {
    ($($name:ident $(($($argument:ident: $ty:ty),+))? $deserialize:ident $letter:literal $parts:expr;)+) => {
        /// A method of a deserializer, with its arguments.
        #[derive(Clone, Copy)]
        pub enum Request {
            $($name $(($($ty),+))?,)+
        }

        impl Request {
            /// Returns a letter for the method, and the number of parts of the value, or 0 if the format decides.
            #[expect(unused_variables, reason = "names of types do not count")]
            pub(crate) const fn kind(self) -> (char, usize) {
                match self {
                    $(Self::$name $(($($argument),+))? => ($letter, $parts),)+
                }
            }

            /// Calls the method.
            fn send<'de, D: Deserializer<'de>>(self, from: D, to: Receiver<'_, 'de>) -> Result<(), D::Error> {
                match self {
                    $(Self::$name $(($($argument),+))? => from.$deserialize($($($argument,)+)? to),)+
                }
            }
        }
    };
}
requests! {
    Any deserialize_any 'a' 0;
    Bool deserialize_bool 'b' 0;
    I8 deserialize_i8 'i' 8;
    I16 deserialize_i16 'i' 16;
    I32 deserialize_i32 'i' 32;
    I64 deserialize_i64 'i' 64;
    I128 deserialize_i128 'i' 128;
    U8 deserialize_u8 'u' 8;
    U16 deserialize_u16 'u' 16;
    U32 deserialize_u32 'u' 32;
    U64 deserialize_u64 'u' 64;
    U128 deserialize_u128 'u' 128;
    F32 deserialize_f32 'f' 32;
    F64 deserialize_f64 'f' 64;
    Char deserialize_char 'c' 0;
    Str deserialize_str 's' 0;
    String deserialize_string 's' 0;
    Bytes deserialize_bytes 'x' 0;
    ByteBuf deserialize_byte_buf 'x' 0;
    Option deserialize_option 'o' 0;
    Unit deserialize_unit 'n' 0;
    UnitStruct(name: &'static str) deserialize_unit_struct 'n' 0;
    NewtypeStruct(name: &'static str) deserialize_newtype_struct 'w' 0;
    Seq deserialize_seq 'l' 0;
    Tuple(len: usize) deserialize_tuple 't' len;
    TupleStruct(name: &'static str, len: usize) deserialize_tuple_struct 't' len;
    Map deserialize_map 'm' 0;
    Struct(name: &'static str, fields: &'static [&'static str]) deserialize_struct 't' fields.len();
    Enum(name: &'static str, variants: &'static [&'static str]) deserialize_enum 'e' variants.len();
    Identifier deserialize_identifier 'k' 0;
    IgnoredAny deserialize_ignored_any 'z' 0;
}

/// A deserializer without its type. It reads one value.
pub trait Source<'de> {
    fn is_human_readable(&self) -> bool;
    /// Answers a request by one token.
    fn read(&mut self, request: Request, receiver: &mut dyn Receive<'de>) -> Result;
}

/// Takes the source of a part.
pub type Sink<'a, 'de> = dyn FnMut(&mut dyn Source<'de>) -> Result + 'a;

/// The variant of an enum, and then its content.
pub trait VariantSource<'de> {
    fn variant(&mut self, send: &mut Sink<'_, 'de>) -> Result;
    fn unit(&mut self) -> Result;
    fn newtype(&mut self, send: &mut Sink<'_, 'de>) -> Result;
    fn tuple(&mut self, len: usize, receiver: &mut dyn Receive<'de>) -> Result;
    fn fields(
        &mut self,
        fields: &'static [&'static str],
        receiver: &mut dyn Receive<'de>,
    ) -> Result;
}

/// A deserializer of any type.
pub(crate) struct Erased<D> {
    inner: Option<D>,
    is_human_readable: bool,
}

impl<'de, D: Deserializer<'de>> Erased<D> {
    pub(crate) fn new(inner: D) -> Self {
        Self { is_human_readable: inner.is_human_readable(), inner: Some(inner) }
    }
}

fn erased(error: impl Error) -> ReadError {
    ReadError::custom(error)
}

impl<'de, D: Deserializer<'de>> Source<'de> for Erased<D> {
    fn is_human_readable(&self) -> bool {
        self.is_human_readable
    }

    fn read(&mut self, request: Request, receiver: &mut dyn Receive<'de>) -> Result {
        let inner = self.inner.take().ok_or_else(missing)?;
        request.send(inner, Receiver(receiver)).map_err(erased)
    }
}

/// The visitor of all formats and types: it passes tokens on.
struct Receiver<'a, 'de>(&'a mut dyn Receive<'de>);

macro_rules! visit {
    ($($name:ident($($value:ident: $ty:ty)?) $token:ident;)+) => {
        $(fn $name<E: Error>(self $(, $value: $ty)?) -> Result<(), E> {
            self.0.receive(Token::$token$(($value.into()))?).map_err(E::custom)
        })+
    };
}

impl<'de> Visitor<'de> for Receiver<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    visit! {
        visit_bool(value: bool) Bool;
        visit_i8(value: i8) I64;
        visit_i16(value: i16) I64;
        visit_i32(value: i32) I64;
        visit_i64(value: i64) I64;
        visit_i128(value: i128) I128;
        visit_u8(value: u8) U64;
        visit_u16(value: u16) U64;
        visit_u32(value: u32) U64;
        visit_u64(value: u64) U64;
        visit_u128(value: u128) U128;
        visit_f32(value: f32) F64;
        visit_f64(value: f64) F64;
        visit_char(value: char) Char;
        visit_str(text: &str) Str;
        visit_borrowed_str(text: &'de str) BorrowedStr;
        visit_string(text: String) String;
        visit_bytes(bytes: &[u8]) Bytes;
        visit_borrowed_bytes(bytes: &'de [u8]) BorrowedBytes;
        visit_byte_buf(bytes: Vec<u8>) ByteBuf;
        visit_none() None;
        visit_unit() Unit;
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        self.0.receive(Token::Some(&mut Erased::new(from))).map_err(D::Error::custom)
    }
    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        self.0.receive(Token::Newtype(&mut Erased::new(from))).map_err(D::Error::custom)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, all: A) -> Result<(), A::Error> {
        self.0.receive(Token::Seq(&mut SeqElements(all))).map_err(A::Error::custom)
    }
    fn visit_map<A: MapAccess<'de>>(self, all: A) -> Result<(), A::Error> {
        self.0.receive(Token::Map(&mut Pairs(all))).map_err(A::Error::custom)
    }
    fn visit_enum<A: EnumAccess<'de>>(self, from: A) -> Result<(), A::Error> {
        self.0.receive(Token::Enum(&mut OneOf::Any(from))).map_err(A::Error::custom)
    }
}

/// The seed of all formats and types: it passes its deserializer on.
struct SendSeed<'a, 'b, 'de>(&'a mut Sink<'b, 'de>);

impl<'de> DeserializeSeed<'de> for SendSeed<'_, '_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        (self.0)(&mut Erased::new(from)).map_err(D::Error::custom)
    }
}

struct SeqElements<A>(A);

impl<'de, A: SeqAccess<'de>> Elements<'de> for SeqElements<A> {
    fn next(&mut self, send: &mut Sink<'_, 'de>) -> Result {
        self.0.next_element_seed(SendSeed(send)).map(drop).map_err(erased)
    }
    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

struct Pairs<A>(A);

impl<'de, A: MapAccess<'de>> Elements<'de> for Pairs<A> {
    fn next(&mut self, send: &mut Sink<'_, 'de>) -> Result {
        self.0.next_key_seed(SendSeed(send)).map(drop).map_err(erased)
    }
    fn next_value(&mut self, send: &mut Sink<'_, 'de>) -> Result {
        self.0.next_value_seed(SendSeed(send)).map_err(erased)
    }
    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

/// An enum whose variant is not read yet, or that variant.
enum OneOf<A, V> {
    Any(A),
    Variant(V),
    Read,
}

impl<A, V> OneOf<A, V> {
    fn take(&mut self) -> Result<V> {
        match core::mem::replace(self, Self::Read) {
            Self::Variant(variant) => Ok(variant),
            _ => Err(missing()),
        }
    }
}

impl<'de, A: EnumAccess<'de>> VariantSource<'de> for OneOf<A, A::Variant> {
    fn variant(&mut self, send: &mut Sink<'_, 'de>) -> Result {
        let Self::Any(all) = core::mem::replace(self, Self::Read) else { return Err(missing()) };
        let ((), variant) = all.variant_seed(SendSeed(send)).map_err(erased)?;
        *self = Self::Variant(variant);
        Ok(())
    }
    fn unit(&mut self) -> Result {
        self.take()?.unit_variant().map_err(erased)
    }
    fn newtype(&mut self, send: &mut Sink<'_, 'de>) -> Result {
        self.take()?.newtype_variant_seed(SendSeed(send)).map_err(erased)
    }
    fn tuple(&mut self, len: usize, receiver: &mut dyn Receive<'de>) -> Result {
        self.take()?.tuple_variant(len, Receiver(receiver)).map_err(erased)
    }
    fn fields(
        &mut self,
        fields: &'static [&'static str],
        receiver: &mut dyn Receive<'de>,
    ) -> Result {
        self.take()?.struct_variant(fields, Receiver(receiver)).map_err(erased)
    }
}

/// A value, or an access to its parts: the argument of a method of serde's `Visitor`. Numbers are of the widest type,
/// as visitors take them by default.
pub enum Token<'t, 'de> {
    Bool(bool),
    I64(i64),
    I128(i128),
    U64(u64),
    U128(u128),
    F64(f64),
    Char(char),
    Str(&'t str),
    BorrowedStr(&'de str),
    String(String),
    Bytes(&'t [u8]),
    BorrowedBytes(&'de [u8]),
    ByteBuf(Vec<u8>),
    None,
    Unit,
    Some(&'t mut dyn Source<'de>),
    Newtype(&'t mut dyn Source<'de>),
    Seq(&'t mut dyn Elements<'de>),
    Map(&'t mut dyn Elements<'de>),
    Enum(&'t mut dyn VariantSource<'de>),
}

/// Takes a token.
pub trait Receive<'de> {
    /// Writes a description of the expected value.
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    fn receive(&mut self, token: Token<'_, 'de>) -> Result;
}

/// The elements of a list, or the keys and values of a map.
pub trait Elements<'de> {
    /// Sends the next element or key, if there is one.
    fn next(&mut self, send: &mut Sink<'_, 'de>) -> Result;
    /// Sends the value of the last key, if there are keys.
    fn next_value(&mut self, _: &mut Sink<'_, 'de>) -> Result {
        Err(missing())
    }
    fn size_hint(&self) -> Option<usize>;
}

/// The place of a value's parts.
#[derive(Clone, Copy, PartialEq)]
pub enum PartsPlace {
    /// In the value, like the fields of a struct.
    Within,
    /// On the heap, like the elements of a list.
    Listed,
}

impl Token<'_, '_> {
    /// Returns `true` if the value has parts, which are read before it is complete.
    #[inline(always)]
    const fn has_parts(&self) -> bool {
        matches!(
            self,
            Self::Some(_) | Self::Newtype(_) | Self::Seq(_) | Self::Map(_) | Self::Enum(_)
        )
    }

    /// Pays for a value of this size. Enters it if it has parts; they are read before it is [left](Budget::leave).
    #[inline]
    pub(crate) fn pay(
        &self,
        budget: &mut Budget,
        size: usize,
        parts: PartsPlace,
    ) -> Result<(Option<Outside>, Option<Growth>)> {
        if self.has_parts() {
            let (outside, growth) = self.enter(budget, size, parts)?;
            return Ok((Some(outside), growth));
        }
        self.take(budget, size)?;
        Ok((None, None))
    }

    /// Pays for a value of this size that has no parts.
    fn take(&self, budget: &mut Budget, size: usize) -> Result {
        let len = match self {
            Self::I128(_) | Self::U128(_) | Self::None => 0,
            texts => match texts.len() {
                Some(len) => len,
                None => return Ok(()), // no larger than a pointer to it
            },
        };
        // A value that has no room for a pointer does not keep a text.
        if size >= size_of::<usize>() {
            budget.pay(len, 1)?;
        }
        budget.take(size)
    }

    /// Enters a value of this size that has parts, and pays for it.
    fn enter(
        &self,
        budget: &mut Budget,
        size: usize,
        parts: PartsPlace,
    ) -> Result<(Outside, Option<Growth>)> {
        let entered = match self {
            Self::Newtype(_) => budget.enter(size)?,
            Self::Seq(_) | Self::Map(_) if parts == PartsPlace::Within => budget.enter(size)?,
            Self::Seq(inner) | Self::Map(inner) => {
                let most = if let Self::Seq(_) = self { AT_FIRST } else { PAIRS_AT_FIRST };
                let at_first = inner.size_hint().unwrap_or(0).min(most);
                let outside = budget.enter_list(size)?;
                return Ok((outside, Some(Growth::new(budget, at_first))));
            }
            _ => budget.enter_any(size)?,
        };
        Ok((entered, None))
    }

    /// Returns the length of a text or of bytes.
    fn len(&self) -> Option<usize> {
        Some(match self {
            Self::Str(text) | Self::BorrowedStr(text) => text.len(),
            Self::String(text) => text.len(),
            Self::Bytes(bytes) | Self::BorrowedBytes(bytes) => bytes.len(),
            Self::ByteBuf(bytes) => bytes.len(),
            _ => return None,
        })
    }

    /// Returns the name of a field or a variant; `buffer` is for a name of one character.
    pub(crate) fn name<'a>(&'a self, buffer: &'a mut [u8; 4]) -> Option<&'a str> {
        match self {
            Self::Str(name) | Self::BorrowedStr(name) => Some(name),
            Self::String(name) => Some(name),
            Self::Bytes(name) | Self::BorrowedBytes(name) => core::str::from_utf8(name).ok(),
            Self::ByteBuf(name) => core::str::from_utf8(name).ok(),
            Self::Char(name) => Some(name.encode_utf8(buffer)),
            _ => None,
        }
    }

    /// Returns the number of an integer that is not negative, or the token itself.
    pub(crate) fn number(self) -> Result<u64, Self> {
        match self {
            Self::U64(number) => Ok(number),
            Self::I64(number) => u64::try_from(number).map_err(|_| self),
            other => Err(other),
        }
    }

    /// Returns the error that another token was expected.
    #[cold]
    pub(crate) fn unexpected(&self, expected: &dyn Expected) -> ReadError {
        let unexpected = match self {
            Self::Bool(value) => Unexpected::Bool(*value),
            Self::I64(value) => Unexpected::Signed(*value),
            Self::U64(value) => Unexpected::Unsigned(*value),
            Self::I128(_) | Self::U128(_) => Unexpected::Other("a number of 128 bits"),
            Self::F64(value) => Unexpected::Float(*value),
            Self::Char(value) => Unexpected::Char(*value),
            Self::Str(text) | Self::BorrowedStr(text) => Unexpected::Str(text),
            Self::String(text) => Unexpected::Str(text),
            Self::Bytes(bytes) | Self::BorrowedBytes(bytes) => Unexpected::Bytes(bytes),
            Self::ByteBuf(bytes) => Unexpected::Bytes(bytes),
            Self::None | Self::Some(_) => Unexpected::Option,
            Self::Unit => Unexpected::Unit,
            Self::Newtype(_) => Unexpected::NewtypeStruct,
            Self::Seq(_) => Unexpected::Seq,
            Self::Map(_) => Unexpected::Map,
            Self::Enum(_) => Unexpected::Enum,
        };
        ReadError::invalid_type(unexpected, expected)
    }
}

/// Returns the error that a format sent no token, or more than one.
#[cold]
pub(crate) fn missing() -> ReadError {
    ReadError::new("the format did not answer with one value")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    /// Returns tokens of all kinds of texts and bytes.
    fn texts(text: &str) -> [Token<'_, '_>; 6] {
        let bytes = text.as_bytes();
        [
            Token::Str(text),
            Token::BorrowedStr(text),
            Token::String(text.into()),
            Token::Bytes(bytes),
            Token::BorrowedBytes(bytes),
            Token::ByteBuf(bytes.into()),
        ]
    }

    #[test]
    fn texts_are_paid_for_where_they_may_be_kept() {
        for text in texts("abcde") {
            let pays = |room, size| {
                let mut budget = Budget::new(room);
                budget.begin(size);
                text.take(&mut budget, size).is_ok()
            };
            assert!(pays(5, 24) && !pays(4, 24));
            assert!(pays(5, size_of::<usize>()) && !pays(4, size_of::<usize>()));
            assert!(pays(0, size_of::<usize>() - 1), "a number, perhaps");
        }
    }

    #[test]
    fn names_are_texts_or_bytes_or_one_character() {
        for name in texts("abc") {
            assert_eq!(name.name(&mut [0; 4]), Some("abc"));
        }
        assert_eq!(Token::Char('ö').name(&mut [0; 4]), Some("ö"));
        assert_eq!(Token::Bytes(&[0xff]).name(&mut [0; 4]), None);
        assert_eq!(Token::U64(1).name(&mut [0; 4]), None);
    }

    #[test]
    fn numbers_of_fields_are_not_negative() {
        assert!(matches!(Token::U64(7).number(), Ok(7)));
        assert!(matches!(Token::I64(8).number(), Ok(8)));
        assert!(matches!(Token::I64(-1).number(), Err(Token::I64(-1))));
        assert!(matches!(Token::Bool(true).number(), Err(Token::Bool(true))));
    }

    struct NoSource;

    impl Source<'_> for NoSource {
        fn is_human_readable(&self) -> bool {
            false
        }
        fn read(&mut self, _: Request, _: &mut dyn Receive<'_>) -> Result {
            Err(missing())
        }
    }

    struct NoElements;

    impl Elements<'_> for NoElements {
        fn next(&mut self, _: &mut Sink<'_, '_>) -> Result {
            Ok(())
        }
        fn size_hint(&self) -> Option<usize> {
            Some(9)
        }
    }

    #[test]
    fn values_with_parts_are_entered_in_their_owner() {
        // Nothing is paid for: a value of eight bytes, twice in an owner of twelve.
        let entered = |token: Token<'_, '_>, parts| {
            let mut budget = Budget::new(0);
            budget.begin(12);
            let (outside, growth) = token.enter(&mut budget, 8, parts)?;
            budget.leave(outside);
            token.enter(&mut budget, 8, parts)?;
            Ok::<_, ReadError>(growth.is_some())
        };
        // Only options and enums take their bytes, as types may be recursive through them.
        assert!(!entered(Token::Newtype(&mut NoSource), PartsPlace::Listed).unwrap());
        assert!(entered(Token::Some(&mut NoSource), PartsPlace::Listed).is_err());
        assert!(!entered(Token::Seq(&mut NoElements), PartsPlace::Within).unwrap());
        assert!(!entered(Token::Map(&mut NoElements), PartsPlace::Within).unwrap());
        assert!(entered(Token::Seq(&mut NoElements), PartsPlace::Listed).unwrap());
    }

    /// Reads values of keys, and notes whether there are any.
    struct Values(Vec<bool>);

    impl<'de> Receive<'de> for Values {
        fn expecting(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            Ok(())
        }
        fn receive(&mut self, token: Token<'_, 'de>) -> Result {
            let Token::Seq(list) = token else { return Err(missing()) };
            self.0.push(list.next_value(&mut |_| Ok(())).is_ok());
            Ok(())
        }
    }

    #[test]
    fn a_list_has_no_values_of_keys() {
        let mut from = serde_json::Deserializer::from_str("[1,2]");
        let mut source = Erased::new(&mut from);
        let mut values = Values(vec![]);
        let _ = source.read(Request::Seq, &mut values);
        assert_eq!(values.0, [false]);
    }
}
