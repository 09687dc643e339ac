//! The shape of a type, as serde reads it.

use crate::format::budget::Budget;
use crate::format::error::ReadError;
use crate::format::limited::read_within;
use crate::format::source::{Elements, Receive, Request, Sink, Source, Token, VariantSource};
use alloc::format;
use serde::de::DeserializeOwned;

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// The greatest depth at which values are followed, because a type may be recursive.
const DEEPEST: usize = 16;

/// The 32-bit hash FNV-1a (Fowler, Noll, Vo) of no bytes.
pub(crate) const FNV_32: u32 = 0x811c_9dc5;

/// Returns the 32-bit hash FNV-1a of some bytes and one more.
pub(crate) fn fnv_32(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

/// Returns the fingerprint of `T`: a hash of its requests while it reads an empty value (zeros, no elements, and first
/// variants).
///
/// It differs between types of different shape, but for one case in four billion, and is never zero. Only the first
/// variant of an enum within the type is read.
pub(crate) fn fingerprint_of<T: DeserializeOwned>() -> u32 {
    let mut recorder = Recorder { hash: FNV_32, depth: 0 };
    // A type may refuse the value. Its requests before that count.
    let _ = read_within::<T>(&mut recorder, &mut Budget::new(usize::MAX));
    recorder.hash.max(1)
}

/// A source that records requests.
struct Recorder {
    hash: u32,
    depth: usize,
}

impl Recorder {
    #[inline]
    fn mix(&mut self, text: &str) {
        self.hash = text.bytes().chain([0]).fold(self.hash, fnv_32);
    }

    #[inline]
    fn mix_all(&mut self, names: &[&str]) {
        for name in names {
            self.mix(name);
        }
    }

    /// Sends a list of this many elements.
    #[inline]
    fn send_all<'de>(&mut self, left: usize, receiver: &mut dyn Receive<'de>) -> Result {
        receiver.receive(Token::Seq(&mut RecordedItems { recorder: self, left }))
    }
}

impl<'de> Source<'de> for Recorder {
    fn is_human_readable(&self) -> bool {
        false
    }

    #[inline]
    fn read(&mut self, request: Request, receiver: &mut dyn Receive<'de>) -> Result {
        if let Request::Struct(_, names) | Request::Enum(_, names) = request {
            self.mix_all(names);
        }
        let (kind, len) = request.kind();
        self.mix(&format!("{kind}{len}"));
        if self.depth == DEEPEST {
            return Err(ReadError::new("values are nested too deep"));
        }
        self.depth += 1;
        let sent = match request {
            Request::Bool => receiver.receive(Token::Bool(false)),
            Request::I128 => receiver.receive(Token::I128(0)),
            Request::U128 => receiver.receive(Token::U128(0)),
            Request::F32 | Request::F64 => receiver.receive(Token::F64(0.0)),
            Request::Char => receiver.receive(Token::Char('a')),
            Request::Str | Request::String => receiver.receive(Token::Str("")),
            Request::Bytes | Request::ByteBuf => receiver.receive(Token::Bytes(&[])),
            Request::Option => receiver.receive(Token::None),
            Request::NewtypeStruct(_) => receiver.receive(Token::Newtype(self)),
            Request::Seq => self.send_all(0, receiver),
            Request::Map => {
                receiver.receive(Token::Map(&mut RecordedItems { recorder: self, left: 0 }))
            }
            Request::Tuple(_) | Request::TupleStruct(..) | Request::Struct(..) => {
                self.send_all(len, receiver)
            }
            Request::Enum(..) => receiver.receive(Token::Enum(self)),
            Request::Any | Request::IgnoredAny | Request::Unit | Request::UnitStruct(_) => {
                receiver.receive(Token::Unit)
            }
            _ => receiver.receive(Token::U64(0)),
        };
        self.depth -= 1;
        sent
    }
}

impl<'de> VariantSource<'de> for Recorder {
    #[inline]
    fn variant(&mut self, send: &mut Sink<'_, 'de>) -> Result {
        send(self)
    }
    fn unit(&mut self) -> Result {
        Ok(())
    }
    #[inline]
    fn newtype(&mut self, send: &mut Sink<'_, 'de>) -> Result {
        send(self)
    }
    #[inline]
    fn tuple(&mut self, len: usize, receiver: &mut dyn Receive<'de>) -> Result {
        self.send_all(len, receiver)
    }
    #[inline]
    fn fields(
        &mut self,
        fields: &'static [&'static str],
        receiver: &mut dyn Receive<'de>,
    ) -> Result {
        self.mix_all(fields);
        self.send_all(fields.len(), receiver)
    }
}

/// The elements of a list; each is recorded when it is read.
struct RecordedItems<'a> {
    recorder: &'a mut Recorder,
    left: usize,
}

impl<'de> Elements<'de> for RecordedItems<'_> {
    #[inline]
    fn next(&mut self, send: &mut Sink<'_, 'de>) -> Result {
        let Some(left) = self.left.checked_sub(1) else { return Ok(()) };
        self.left = left;
        send(self.recorder)
    }
    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::fmt;
    use serde::de::{Deserialize, Deserializer, IgnoredAny, Visitor};
    use std::boxed::Box;
    use std::collections::BTreeMap;
    use std::string::String;
    use std::vec::Vec;

    /// Returns the hash of these requests and names, with a zero behind each.
    fn hash_of(requests: &str) -> u32 {
        let bytes = requests.split(' ').flat_map(|it| it.bytes().chain([0]));
        bytes.fold(2_166_136_261, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619))
    }

    /// Checks the requests of a type; a number behind it shows that it accepted its empty value.
    #[track_caller]
    fn check<T: DeserializeOwned>(requests: &str) {
        assert_eq!(fingerprint_of::<(T, u8)>(), hash_of(&format!("t2 {requests} u8")));
    }

    /// Defines types that accept no other values than they request.
    macro_rules! only {
        ($($name:ident $deserialize:ident $visit:ident $ty:ty;)+) => {
            $(
                struct $name;

                impl<'de> Visitor<'de> for $name {
                    type Value = Self;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str(stringify!($ty))
                    }
                    fn $visit<E>(self, _: $ty) -> Result<Self, E> {
                        Ok(self)
                    }
                }
                impl<'de> Deserialize<'de> for $name {
                    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                        from.$deserialize(Self)
                    }
                }
            )+
        };
    }
    only! {
        Narrow deserialize_f32 visit_f64 f64;
        Wide deserialize_f64 visit_f64 f64;
        Signed deserialize_i128 visit_i128 i128;
        Unsigned deserialize_u128 visit_u128 u128;
        Borrowed deserialize_bytes visit_bytes &[u8];
        Owned deserialize_byte_buf visit_bytes &[u8];
    }

    #[test]
    fn values_without_parts_are_requested() {
        check::<bool>("b0");
        check::<(i8, i16, i32, i64)>("t4 i8 i16 i32 i64");
        check::<(u8, u16, u32, u64)>("t4 u8 u16 u32 u64");
        check::<(Signed, Unsigned)>("t2 i128 u128");
        check::<(Narrow, Wide)>("t2 f32 f64");
        check::<(char, String)>("t2 c0 s0");
        check::<(Borrowed, Owned)>("t2 x0 x0");
        check::<((), IgnoredAny)>("t2 n0 z0");
    }

    #[derive(serde::Deserialize)]
    struct Unit;
    #[derive(serde::Deserialize)]
    #[expect(dead_code, reason = "it is only read")]
    struct Newtype(u16);
    #[derive(serde::Deserialize)]
    #[expect(dead_code, reason = "it is only read")]
    struct Pair(u8, bool);
    #[derive(serde::Deserialize)]
    #[expect(dead_code, reason = "it is only read")]
    struct Named {
        width: u8,
        name: String,
    }

    #[test]
    fn parts_and_their_names_are_requested() {
        check::<Unit>("n0");
        check::<Newtype>("w0 u16");
        check::<Pair>("t2 u8 b0");
        check::<Named>("width name t2 u8 s0");
        check::<[u8; 3]>("t3 u8 u8 u8");
        check::<(Option<u16>, Vec<u16>, BTreeMap<u16, u16>)>("t3 o0 l0 m0");
    }

    /// Defines an enum with this variant and another one.
    macro_rules! first_variant {
        ($($name:ident $first:tt;)+) => {
            $(
                #[derive(serde::Deserialize)]
                #[expect(dead_code, reason = "it is only read")]
                enum $name {
                    First $first,
                    Other(bool),
                }
            )+
        };
    }
    first_variant! {
        OfOne (u16);
        OfPair (u16, u32);
        OfNamed { a: u16, b: u32 };
    }
    #[derive(serde::Deserialize)]
    #[expect(dead_code, reason = "it is only read")]
    enum Nothing {
        First,
        Other(bool),
    }

    #[test]
    fn the_first_variant_is_requested() {
        check::<Nothing>("First Other e2 k0");
        check::<OfOne>("First Other e2 k0 u16");
        check::<OfPair>("First Other e2 k0 u16 u32");
        check::<OfNamed>("First Other e2 k0 a b u16 u32");
    }

    #[derive(serde::Deserialize)]
    #[expect(dead_code, reason = "it is only read")]
    struct Chain {
        next: Box<Chain>,
    }

    #[test]
    fn recursive_types_are_followed_to_a_depth() {
        assert_eq!(fingerprint_of::<Chain>(), hash_of(&["next t1"; DEEPEST + 1].join(" ")));
        // Neighbours are no deeper.
        check::<[u8; 32]>(&format!("t32 {}", ["u8"; 32].join(" ")));
    }

    struct ForPeople;

    impl<'de> Deserialize<'de> for ForPeople {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            if from.is_human_readable() {
                String::deserialize(from).map(|_| Self)
            } else {
                u32::deserialize(from).map(|_| Self)
            }
        }
    }

    #[test]
    fn the_form_in_bytes_is_requested() {
        check::<ForPeople>("u32");
    }
}
