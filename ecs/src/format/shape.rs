//! The shape of a type, as serde reads it.

use crate::format::budget::Budget;
use crate::format::error::ReadError;
use crate::format::limited::read_within;
use crate::format::source::{Elements, Receive, Request, Send, Source, Token, Variants};
use alloc::format;
use serde::de::DeserializeOwned;

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// The greatest depth at which values are followed, because a type may be recursive.
const DEEPEST: usize = 16;

/// Returns the fingerprint of `T`: a hash of its requests while it reads an empty value (zeros, no elements, and first
/// variants).
///
/// It differs between types of different shape, but for one case in four billion, and is never zero. Only the first
/// variant of an enum within the type is read.
pub(crate) fn fingerprint_of<T: DeserializeOwned>() -> u32 {
    let mut recorder = Recorder { hash: 0x811c_9dc5, depth: 0 };
    // A type may refuse the value. Its requests before that count.
    let _ = read_within::<T>(&mut recorder, &mut Budget::new(usize::MAX));
    recorder.hash.max(1)
}

/// A source that records requests.
struct Recorder {
    /// Fowler, Noll and Vo's hash of bytes, FNV-1a.
    hash: u32,
    depth: usize,
}

impl Recorder {
    fn mix(&mut self, text: &str) {
        let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        self.hash = text.bytes().chain([0]).fold(self.hash, mix);
    }

    fn mix_all(&mut self, names: &[&str]) {
        for name in names {
            self.mix(name);
        }
    }

    /// Sends a list of so many elements.
    fn send_all<'de>(&mut self, left: usize, receiver: &mut dyn Receive<'de>) -> Result {
        receiver.receive(Token::Seq(&mut Items { recorder: self, left }))
    }
}

impl<'de> Source<'de> for Recorder {
    fn is_human_readable(&self) -> bool {
        false
    }

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
            Request::Map => receiver.receive(Token::Map(&mut Items { recorder: self, left: 0 })),
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

impl<'de> Variants<'de> for Recorder {
    fn variant(&mut self, send: &mut Send<'_, 'de>) -> Result {
        send(self)
    }
    fn unit(&mut self) -> Result {
        Ok(())
    }
    fn newtype(&mut self, send: &mut Send<'_, 'de>) -> Result {
        send(self)
    }
    fn tuple(&mut self, len: usize, receiver: &mut dyn Receive<'de>) -> Result {
        self.send_all(len, receiver)
    }
    fn fields(
        &mut self,
        fields: &'static [&'static str],
        receiver: &mut dyn Receive<'de>,
    ) -> Result {
        self.mix_all(fields);
        self.send_all(fields.len(), receiver)
    }
}

/// A number of elements, each of which is recorded.
struct Items<'a> {
    recorder: &'a mut Recorder,
    left: usize,
}

impl<'de> Elements<'de> for Items<'_> {
    fn next(&mut self, send: &mut Send<'_, 'de>) -> Result {
        let Some(left) = self.left.checked_sub(1) else { return Ok(()) };
        self.left = left;
        send(self.recorder)
    }
    fn next_value(&mut self, send: &mut Send<'_, 'de>) -> Result {
        send(self.recorder)
    }
    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}
