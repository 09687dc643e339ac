//! Reads values and numbers in the format of postcard, from bytes that anybody may have made.
//!
//! What is read is paid for before it is made, out of what the caller allows in all: elements of lists, texts, and
//! values in boxes. A box is known by what does not fit into its owner: of each value it is kept how many of its bytes
//! its parts have not taken yet, and a part that is larger than that is elsewhere. Elements that take no bytes in the
//! input are counted, too, as five bytes can promise four billion of them; and so is how deep values are nested, and
//! how large they are together, as each takes some of the stack.

use crate::entity::HANDLE;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::{self, Display};
use core::marker::PhantomData;
use serde::de::value::U32Deserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};

/// What is wrong with some bytes.
#[derive(Debug)]
pub struct ReadError(pub(crate) String);

impl Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl core::error::Error for ReadError {}

impl Error for ReadError {
    fn custom<T: Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

type Result<T, E = ReadError> = core::result::Result<T, E>;

#[inline(always)]
fn wrong<T>(what: &str) -> Result<T> {
    Err(error(what))
}

#[cold]
fn error(what: &str) -> ReadError {
    ReadError(what.to_owned())
}

/// Values may be nested so deep.
const DEEPEST: u32 = 128;
/// Elements and values in boxes that others are within may take so many bytes together: each is on the stack several
/// times until it is complete.
const LARGEST_NEST: usize = 1 << 17;
/// A list may make room for so many elements before the first of them is read.
const AT_FIRST: usize = 16;
/// A list that grows may have twice the room that it needs, beside what it had.
const GROWING: usize = 3;
/// A map may do so for so many pairs.
const PAIRS_AT_FIRST: usize = 3;
/// A tree has nodes for 11 pairs, a table of hashes is at most half full when it grew: so a first pair is counted as
/// so many, and the next ones as so many each.
const FIRST_PAIR: usize = 12;
const NEXT_PAIR: usize = 4;
/// So many elements without bytes are read beyond one a byte of the input.
const FREE_ELEMENTS: u64 = 1_024;

/// The bit that a byte lacks if it is the last of a number.
const LAST: u64 = 0x8080_8080_8080_8080;

/// The number that has seven bits in each of these bytes, the lowest first: pairs are joined, pairs of those, and so
/// on.
#[inline]
const fn joined(bytes: u64) -> u64 {
    let pairs = bytes & 0x007f_007f_007f_007f | (bytes & 0x7f00_7f00_7f00_7f00) >> 1;
    let fours = pairs & 0x0000_3fff_0000_3fff | (pairs & 0x3fff_0000_3fff_0000) >> 2;
    fours & 0x0fff_ffff | (fours & 0x0fff_ffff_0000_0000) >> 4
}

/// What is left of some bytes.
#[derive(Debug)]
pub struct Reader<'b> {
    all: &'b [u8],
    at: usize,
    /// How many bytes of memory may still be used.
    room: usize,
    /// How many elements may still be read that take no bytes of the input.
    free: u64,
    depth: u32,
    /// How many bytes of the value that is being read are not taken by its parts so far.
    own: usize,
    /// How many bytes those elements and values in boxes take that are being read.
    nest: usize,
    /// How many handles of entities were read.
    pub(crate) handles: usize,
}

impl<'b> Reader<'b> {
    /// Reads these bytes into at most so many bytes of memory.
    pub(crate) fn new(all: &'b [u8], room: usize) -> Self {
        let free = all.len() as u64 + FREE_ELEMENTS;
        Self { all, at: 0, room, free, depth: 0, own: 0, nest: 0, handles: 0 }
    }

    /// Where the next byte is.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The bytes from `start` on that were read.
    pub(crate) fn since(&self, start: usize) -> &'b [u8] {
        &self.all[start..self.at]
    }

    pub(crate) fn left(&self) -> usize {
        self.all.len() - self.at
    }

    /// Takes memory for so many things of this size.
    #[inline]
    pub(crate) fn pay(&mut self, count: usize, size: usize) -> Result<()> {
        let room = count.checked_mul(size).and_then(|bytes| self.room.checked_sub(bytes));
        match room {
            Some(room) => {
                self.room = room;
                Ok(())
            }
            None => wrong("it takes more memory than the limit"),
        }
    }

    #[inline]
    pub(crate) fn byte(&mut self) -> Result<u8> {
        let Some(&byte) = self.all.get(self.at) else { return wrong("the bytes end too early") };
        self.at += 1;
        Ok(byte)
    }

    #[inline]
    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'b [u8]> {
        let Some(bytes) = self.all[self.at..].get(..count) else {
            return wrong("the bytes end too early");
        };
        self.at += count;
        Ok(bytes)
    }

    /// The bytes of so many values of this size.
    #[cfg(feature = "bytes")]
    pub(crate) fn values(&mut self, count: usize, size: usize) -> Result<&'b [u8]> {
        count
            .checked_mul(size)
            .map_or_else(|| wrong("the bytes end too early"), |len| self.bytes(len))
    }

    #[inline]
    fn array<const LEN: usize>(&mut self) -> Result<[u8; LEN]> {
        let mut array = [0; LEN];
        array.copy_from_slice(self.bytes(LEN)?);
        Ok(array)
    }

    /// As `read` does with this reader, which is kept in registers meanwhile: nobody else can look at a local one.
    #[inline]
    pub(crate) fn locally<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> R {
        let mut local = Self { ..*self };
        let read = read(&mut local);
        *self = local;
        read
    }

    /// Passes over the zeros that come next, at most so many, and returns how many they are.
    #[inline]
    pub(crate) fn zeros(&mut self, most: usize) -> usize {
        let next = &self.all[self.at..];
        let zeros = next.iter().take(most).take_while(|byte| **byte == 0).count();
        self.at += zeros;
        zeros
    }

    /// A number of at most so many bits.
    #[cold]
    fn bits(&mut self, bits: u32) -> Result<u128> {
        let mut number = 0_u128;
        let mut shift = 0;
        loop {
            let byte = self.byte()?;
            let part = u128::from(byte & 0x7f);
            let left = bits - shift;
            if left < 7 && part >> left != 0 {
                return wrong("a number is too large");
            }
            number |= part << shift;
            if byte < 0x80 {
                return Ok(number);
            }
            shift += 7;
            if shift >= bits {
                return wrong("a number is too large");
            }
        }
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "it has 64 bits")]
    pub(crate) fn number(&mut self) -> Result<u64> {
        let next = &self.all[self.at..];
        // Most numbers are small.
        if let Some(&byte) = next.first()
            && byte < 0x80
        {
            self.at += 1;
            return Ok(byte.into());
        }
        if let Some(bytes) = next.first_chunk() {
            let bytes = u64::from_le_bytes(*bytes);
            let ends = !bytes & LAST;
            if ends != 0 {
                self.at += ends.trailing_zeros() as usize / 8 + 1;
                return Ok(joined(bytes & (ends ^ (ends - 1))));
            }
        }
        self.bits(64).map(|number| number as u64)
    }

    /// A number of a smaller type.
    #[inline]
    fn narrow<N: TryFrom<u64>>(&mut self) -> Result<N> {
        match N::try_from(self.number()?) {
            Ok(number) => Ok(number),
            Err(_) => wrong("a number is too large"),
        }
    }

    /// A number of things each of which takes a byte at least: there are not more than there are bytes.
    pub(crate) fn count(&mut self) -> Result<usize> {
        let count = self.number()?;
        match usize::try_from(count) {
            Ok(count) if count <= self.left() => Ok(count),
            _ => wrong("more are promised than there are bytes"),
        }
    }

    pub(crate) fn text(&mut self) -> Result<&'b str> {
        let len = self.count()?;
        match core::str::from_utf8(self.bytes(len)?) {
            Ok(text) => Ok(text),
            Err(_) => wrong("a text is not UTF-8"),
        }
    }

    /// The bytes of a block: see [`write_block`](super::writer::write_block).
    pub(crate) fn block(&mut self) -> Result<usize> {
        let len = u64::from_le_bytes(self.array()?);
        match usize::try_from(len) {
            Ok(len) if len <= self.left() => Ok(len),
            _ => wrong("a part is longer than what is left"),
        }
    }

    /// A value whose own bytes are paid for.
    #[inline(always)]
    pub(crate) fn whole<T: Deserialize<'b>>(&mut self) -> Result<T> {
        self.own = size_of::<T>();
        T::deserialize(self)
    }

    /// As `read` does with this reader, within a value of type `T`, which is paid for if it is not in its owner.
    #[inline(always)]
    fn within<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEEPEST {
            return Err(too_deep());
        }
        let (size, nest) = (size_of::<T>(), self.nest);
        let left = match self.own.checked_sub(size) {
            Some(left) => left,
            None => self.go_elsewhere(1, size)?,
        };
        self.depth += 1;
        self.own = size;
        let value = read(self);
        (self.own, self.nest) = (left, nest);
        self.depth -= 1;
        value
    }

    /// Goes to what is on the heap, and paid for as so many of this size. What the owner has left.
    #[inline(never)]
    fn go_elsewhere(&mut self, times: usize, size: usize) -> Result<usize> {
        self.pay(times, size)?;
        if self.nest > LARGEST_NEST {
            return Err(too_deep());
        }
        self.nest += size;
        Ok(self.own)
    }
}

#[cold]
fn too_deep() -> ReadError {
    ReadError(format!(
        "values are nested deeper than {DEEPEST}, or have more than {LARGEST_NEST} bytes together"
    ))
}

/// The elements of a sequence, a tuple or a map.
struct Elements<'r, 'b> {
    reader: &'r mut Reader<'b>,
    left: usize,
    /// Whether their number was read, not told by the type: then they are on the heap.
    are_listed: bool,
    /// For how many there is room at first; then, of how many the next is one that are paid for.
    room: usize,
    /// How many are paid for, and not read so far.
    paid: usize,
}

impl<'r, 'b> Elements<'r, 'b> {
    /// So many that a type tells of.
    #[inline(always)]
    const fn told(reader: &'r mut Reader<'b>, left: usize) -> Self {
        Self { reader, left, are_listed: false, room: left, paid: 0 }
    }

    /// So many that are promised, of which so many are made room for at first.
    #[inline]
    fn listed(reader: &'r mut Reader<'b>, left: usize, at_first: usize) -> Self {
        let room = left.min(reader.left()).min(at_first);
        Self { reader, left, are_listed: true, room, paid: 0 }
    }

    /// An element on the heap, or a part of one, that is paid for as so many.
    #[inline]
    fn read_listed<T: DeserializeSeed<'b>>(&mut self, seed: T, times: usize) -> Result<T::Value> {
        let (reader, size) = (&mut *self.reader, size_of::<T::Value>());
        let (own, nest, before) = (reader.own, reader.nest, reader.at);
        reader.go_elsewhere(times, size)?;
        reader.own = size;
        let value = seed.deserialize(&mut *reader);
        (reader.own, reader.nest) = (own, nest);
        if reader.at == before {
            match reader.free.checked_sub(1) {
                Some(free) => reader.free = free,
                None => return wrong("too many elements take no bytes"),
            }
        }
        value
    }
}

impl<'b> SeqAccess<'b> for Elements<'_, 'b> {
    type Error = ReadError;

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'b>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        if !self.are_listed {
            return seed.deserialize(&mut *self.reader).map(Some);
        }
        let mut times = 0;
        if self.paid == 0 {
            self.paid = core::mem::replace(&mut self.room, 1).max(1);
            times = GROWING * self.paid;
        }
        self.paid -= 1;
        self.read_listed(seed, times).map(Some)
    }
    #[inline(always)]
    fn next_element<T: Deserialize<'b>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(PhantomData)
    }
    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(self.room))
    }
}

impl<'b> MapAccess<'b> for Elements<'_, 'b> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'b>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        self.paid = if self.paid == 0 { FIRST_PAIR } else { NEXT_PAIR };
        self.read_listed(seed, self.paid).map(Some)
    }
    fn next_value_seed<V: DeserializeSeed<'b>>(&mut self, seed: V) -> Result<V::Value> {
        self.read_listed(seed, self.paid)
    }
    fn size_hint(&self) -> Option<usize> {
        SeqAccess::size_hint(self)
    }
}

/// A variant, whose number was not read yet.
struct Variant<'r, 'b>(&'r mut Reader<'b>);

impl<'b> EnumAccess<'b> for Variant<'_, 'b> {
    type Error = ReadError;
    type Variant = Self;

    #[inline]
    fn variant_seed<V: DeserializeSeed<'b>>(self, seed: V) -> Result<(V::Value, Self)> {
        let number: U32Deserializer<ReadError> = self.0.narrow::<u32>()?.into_deserializer();
        Ok((seed.deserialize(number)?, self))
    }
}

impl<'b> VariantAccess<'b> for Variant<'_, 'b> {
    type Error = ReadError;

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }
    fn newtype_variant_seed<T: DeserializeSeed<'b>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(self.0)
    }
    fn tuple_variant<V: Visitor<'b>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.0.deserialize_tuple(len, visitor)
    }
    fn struct_variant<V: Visitor<'b>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.0.deserialize_tuple(fields.len(), visitor)
    }
}

/// Numbers, each read by a type.
macro_rules! numbers {
    ($($deserialize:ident $visit:ident $read:expr;)+) => {
        $(
            #[inline(always)]
            fn $deserialize<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
                let read: fn(&mut Reader<'b>) -> Result<_> = $read;
                visitor.$visit(read(self)?)
            }
        )+
    };
}

/// Of a number whose lowest bit is its sign.
macro_rules! unfolded {
    ($folded:expr) => {{
        let folded = $folded;
        Ok((folded >> 1).cast_signed() ^ -(folded & 1).cast_signed())
    }};
}

impl<'b> Deserializer<'b> for &mut Reader<'b> {
    type Error = ReadError;

    fn is_human_readable(&self) -> bool {
        false
    }

    numbers! {
        deserialize_u8 visit_u8 Reader::byte;
        deserialize_i8 visit_i8 |reader| Ok(reader.byte()?.cast_signed());
        deserialize_u16 visit_u16 Reader::narrow;
        deserialize_u32 visit_u32 Reader::narrow;
        deserialize_u64 visit_u64 Reader::number;
        deserialize_u128 visit_u128 |reader| reader.bits(128);
        deserialize_i16 visit_i16 |reader| unfolded!(reader.narrow::<u16>()?);
        deserialize_i32 visit_i32 |reader| unfolded!(reader.narrow::<u32>()?);
        deserialize_i64 visit_i64 |reader| unfolded!(reader.number()?);
        deserialize_i128 visit_i128 |reader| unfolded!(reader.bits(128)?);
        deserialize_f32 visit_f32 |reader| Ok(f32::from_le_bytes(reader.array()?));
        deserialize_f64 visit_f64 |reader| Ok(f64::from_le_bytes(reader.array()?));
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        match self.byte()? {
            0 => visitor.visit_bool(false),
            1 => visitor.visit_bool(true),
            _ => wrong("neither yes nor no"),
        }
    }
    fn deserialize_char<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        let mut all = self.text()?.chars();
        match (all.next(), all.next()) {
            (Some(char), None) => visitor.visit_char(char),
            _ => wrong("not one character"),
        }
    }
    fn deserialize_str<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        let text = self.text()?;
        self.pay(text.len(), 1)?;
        visitor.visit_borrowed_str(text)
    }
    fn deserialize_string<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }
    fn deserialize_bytes<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        let len = self.count()?;
        self.pay(len, 1)?;
        visitor.visit_borrowed_bytes(self.bytes(len)?)
    }
    fn deserialize_byte_buf<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }
    #[inline]
    fn deserialize_option<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        match self.byte()? {
            0 => visitor.visit_none(),
            1 => self.within(|reader| visitor.visit_some(reader)),
            _ => wrong("neither some nor none"),
        }
    }
    fn deserialize_unit<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
    fn deserialize_unit_struct<V: Visitor<'b>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_unit()
    }
    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'b>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.handles += usize::from(name == HANDLE);
        self.within(|reader| visitor.visit_newtype_struct(reader))
    }
    #[inline]
    fn deserialize_seq<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        let left = self.number()?;
        let Ok(left) = usize::try_from(left) else { return wrong("a list is too long") };
        self.within(|reader| visitor.visit_seq(Elements::listed(reader, left, AT_FIRST)))
    }
    #[inline(always)]
    fn deserialize_tuple<V: Visitor<'b>>(self, left: usize, visitor: V) -> Result<V::Value> {
        self.within(|reader| visitor.visit_seq(Elements::told(reader, left)))
    }
    #[inline]
    fn deserialize_tuple_struct<V: Visitor<'b>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }
    fn deserialize_map<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        let left = self.number()?;
        let Ok(left) = usize::try_from(left) else { return wrong("a map is too long") };
        self.within(|reader| visitor.visit_map(Elements::listed(reader, left, PAIRS_AT_FIRST)))
    }
    #[inline]
    fn deserialize_struct<V: Visitor<'b>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(fields.len(), visitor)
    }
    #[inline]
    fn deserialize_enum<V: Visitor<'b>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.within(|reader| visitor.visit_enum(Variant(reader)))
    }
    fn deserialize_any<V: Visitor<'b>>(self, _: V) -> Result<V::Value> {
        wrong(
            "the type is to tell what it reads: `untagged`, `flatten` and the like need a format for people",
        )
    }
    fn deserialize_identifier<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }
    fn deserialize_ignored_any<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }
}
