//! Reads values and numbers in the format of postcard, from bytes that anybody may have made.
//!
//! What is read is paid for before it is made, out of what the caller allows in all: elements of lists, texts, and
//! values in boxes. A box is known by what does not fit into its owner: of each value it is kept how many of its bytes
//! its parts have not taken yet, and a part that is larger than that is elsewhere. Elements that take no bytes in the
//! input are counted, too, as five bytes can promise four billion of them; and so is how deep values are nested, and
//! how large they are together, as each takes some of the stack.

use crate::entity::HANDLE;
pub use crate::format::error::ReadError;
use alloc::format;
use core::marker::PhantomData;
use serde::de::value::U32Deserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

type Result<T, E = ReadError> = core::result::Result<T, E>;

#[inline(always)]
pub(crate) fn wrong<T>(what: &str) -> Result<T> {
    Err(error(what))
}

#[cold]
fn too_short() -> ReadError {
    error("the bytes end too early")
}

#[cold]
fn error(what: &str) -> ReadError {
    ReadError::new(what)
}

/// Values may be nested so deep.
const DEEPEST: usize = 128;
/// And those that are elsewhere may take so many bytes together, as each is on the stack several times until it is
/// complete.
const LARGEST: usize = 1 << 17;
/// Whose nest is larger is too deep; of a value that is where its owner is only this is counted.
const LEVEL: usize = LARGEST / DEEPEST;
/// A value of so many bytes is not looked for in a box, nor taken from its owner: the byte that it takes in the input
/// pays for it. What it has in boxes is seen against its owner then; but not so of options, enums and elements, as
/// types that are within themselves go by these.
const SMALL: usize = 32;
/// A list may make room for so many elements before the first of them is read.
const AT_FIRST: usize = 16;
/// A list that grows may have twice the room that it needs, beside what it had.
const GROWING: usize = 3;
/// A map may make room for so many pairs.
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
    /// The last of them, which are not read yet.
    next: &'b [u8],
    /// How many bytes of memory may still be used.
    room: usize,
    /// How many elements may still be read that take no bytes of the input.
    free: u64,
    /// How many bytes of the value that is being read are not taken by its parts so far.
    own: usize,
    /// How deep, and how large, the values are that are being read.
    nest: usize,
    /// How many handles of entities were read.
    pub(crate) handles: usize,
}

impl<'b> Reader<'b> {
    /// Reads these bytes into at most so many bytes of memory.
    pub(crate) fn new(all: &'b [u8], room: usize) -> Self {
        let free = all.len() as u64 + FREE_ELEMENTS;
        Self { all, next: all, room, free, own: 0, nest: 0, handles: 0 }
    }

    /// Reads bytes that were just made of a value: it may take as much as that does.
    pub(crate) fn own(all: &'b [u8]) -> Self {
        Self { free: u64::MAX, ..Self::new(all, usize::MAX) }
    }

    /// Where the next byte is.
    pub(crate) fn at(&self) -> usize {
        self.all.len() - self.next.len()
    }

    /// The bytes from `start` on that were read.
    pub(crate) fn since(&self, start: usize) -> &'b [u8] {
        &self.all[start..self.at()]
    }

    pub(crate) fn left(&self) -> usize {
        self.next.len()
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

    /// Reads what bytes of this kind begin with: three letters, and the version of their format.
    pub(crate) fn begin(&mut self, magic: [u8; 4], kind: &str, made: &str) -> Result<u8> {
        if self.left() < magic.len() || self.bytes(3)? != &magic[..3] {
            return Err(ReadError::new(format!("these are not the bytes of a {kind}")));
        }
        let version = self.byte()?;
        if !(1..=magic[3]).contains(&version) {
            return Err(ReadError::new(format!("it was {made} by a later version of the library")));
        }
        Ok(version)
    }

    #[inline]
    pub(crate) fn byte(&mut self) -> Result<u8> {
        let Some((&byte, next)) = self.next.split_first() else { return Err(too_short()) };
        self.next = next;
        Ok(byte)
    }

    #[inline]
    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'b [u8]> {
        let Some((bytes, next)) = self.next.split_at_checked(count) else {
            return Err(too_short());
        };
        self.next = next;
        Ok(bytes)
    }

    /// The bytes of so many values of this size.
    #[cfg(feature = "bytes")]
    pub(crate) fn values(&mut self, count: usize, size: usize) -> Result<&'b [u8]> {
        count.checked_mul(size).map_or_else(|| Err(too_short()), |len| self.bytes(len))
    }

    #[inline]
    fn array<const LEN: usize>(&mut self) -> Result<[u8; LEN]> {
        let Some((array, next)) = self.next.split_first_chunk() else { return Err(too_short()) };
        self.next = next;
        Ok(*array)
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
        match self.next {
            [0, ..] => self.without::<0xff>(most).len(),
            _ => 0,
        }
    }

    /// Numbers of one byte that come next, at most so many.
    #[inline]
    pub(crate) fn small_numbers(&mut self, most: usize) -> &'b [u8] {
        self.without::<0x80>(most)
    }

    /// The bytes that come next without any of these bits, at most so many.
    #[inline]
    fn without<const BITS: u8>(&mut self, most: usize) -> &'b [u8] {
        let next = &self.next[..most.min(self.next.len())];
        // A chunk has no branch, so that it is looked at by whole registers.
        let is_without = |bytes: &[u8]| bytes.iter().fold(0, |all, byte| all | byte) & BITS == 0;
        let chunks = next.chunks_exact(32).take_while(|bytes| is_without(bytes)).count();
        let rest = next[32 * chunks..].iter().take_while(|byte| **byte & BITS == 0).count();
        let (found, next) = self.next.split_at(32 * chunks + rest);
        self.next = next;
        found
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
        // Most numbers are small.
        match *self.next {
            [byte @ ..0x80, ref next @ ..] => {
                self.next = next;
                return Ok(byte.into());
            }
            [low, high @ ..0x80, ref next @ ..] => {
                self.next = next;
                return Ok(u64::from(low & 0x7f) | u64::from(high) << 7);
            }
            _ => {}
        }
        if let Some(bytes) = self.next.first_chunk() {
            let bytes = u64::from_le_bytes(*bytes);
            let ends = !bytes & LAST;
            if ends != 0 {
                self.next = &self.next[ends.trailing_zeros() as usize / 8 + 1..];
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

    /// Counts an element that takes no bytes of the input.
    #[cold]
    fn take_free(&mut self) -> Result<()> {
        match self.free.checked_sub(1) {
            Some(free) => {
                self.free = free;
                Ok(())
            }
            None => wrong("too many elements take no bytes"),
        }
    }

    /// A value whose own bytes are paid for.
    #[inline(always)]
    pub(crate) fn whole<T: Deserialize<'b>>(&mut self) -> Result<T> {
        self.own = size_of::<T>();
        T::deserialize(self)
    }

    /// Goes into a value of type `T`, which is paid for if it is not in its owner: until the reader [leaves](Self::leave)
    /// it. Two calls around what reads it, and not one that is given it: so it is compiled where it is used, and what it
    /// returns stays in registers.
    #[inline(always)]
    fn enter<T>(&mut self) -> Result<Outside> {
        if size_of::<T>() > SMALL {
            return self.enter_any::<T>();
        }
        let outside = Outside { own: self.own, nest: self.nest };
        self.go_deeper()?;
        Ok(outside)
    }

    /// The same, of what types that are within themselves go by.
    #[inline(always)]
    fn enter_any<T>(&mut self) -> Result<Outside> {
        let (size, nest) = (size_of::<T>(), self.nest);
        self.go_deeper()?;
        let own = match self.own.checked_sub(size) {
            Some(left) => left,
            None => self.go_elsewhere(size)?,
        };
        self.own = size;
        Ok(Outside { own, nest })
    }

    /// Leaves a value of type `T`.
    #[inline(always)]
    fn leave<T>(&mut self, outside: Outside) {
        self.nest = outside.nest;
        // What is small takes nothing from its owner.
        if size_of::<T>() > SMALL {
            self.own = outside.own;
        }
    }

    /// Leaves one that was [entered](Self::enter_any) whatever its size.
    #[inline(always)]
    fn leave_any(&mut self, Outside { own, nest }: Outside) {
        (self.own, self.nest) = (own, nest);
    }

    /// Goes into a list of type `T`, whose elements are their own owners: what it left of its owner is as it was.
    #[inline(always)]
    fn enter_list<T>(&mut self) -> Result<Outside> {
        let own = self.own;
        Ok(Outside { own, ..self.enter::<T>()? })
    }

    #[inline(always)]
    fn go_deeper(&mut self) -> Result<()> {
        if self.nest > LARGEST - LEVEL {
            return Err(too_deep());
        }
        self.nest += LEVEL;
        Ok(())
    }

    /// Goes to a value of this size that is in a box. What its owner has left.
    #[cold]
    #[inline(never)]
    fn go_elsewhere(&mut self, size: usize) -> Result<usize> {
        self.pay(1, size)?;
        self.nest += size;
        Ok(self.own)
    }
}

/// What a reader had to do with around the value that it is within.
#[derive(Clone, Copy)]
struct Outside {
    own: usize,
    nest: usize,
}

#[cold]
fn too_deep() -> ReadError {
    ReadError::new(format!(
        "values are nested deeper than {DEEPEST}, or have more than {LARGEST} bytes together"
    ))
}

/// The elements of a tuple or a struct, of which the type tells how many there are.
struct Parts<'r, 'b> {
    reader: &'r mut Reader<'b>,
    left: usize,
}

impl<'b> SeqAccess<'b> for Parts<'_, 'b> {
    type Error = ReadError;

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'b>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        seed.deserialize(&mut *self.reader).map(Some)
    }
    #[inline(always)]
    fn next_element<T: Deserialize<'b>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(PhantomData)
    }
    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// The elements of a list or a map, which are on the heap, and as many as the input says.
struct Elements<'r, 'b> {
    reader: &'r mut Reader<'b>,
    left: usize,
    /// For how many there is room at first; then, how many the list makes room for when it grows.
    room: usize,
    /// How many are paid for, and not read so far.
    paid: usize,
}

impl<'r, 'b> Elements<'r, 'b> {
    /// So many, of which so many are made room for at first.
    #[inline(always)]
    fn new(reader: &'r mut Reader<'b>, left: usize, at_first: usize) -> Self {
        let room = left.min(reader.left()).min(at_first);
        Self { reader, left, room, paid: 0 }
    }

    /// Pays for the next elements of this size, as many as the list makes room for, before the first of them is read.
    #[inline(never)]
    fn pay(&mut self, size: usize) -> Result<()> {
        self.paid = self.room.clamp(1, self.left + 1);
        self.room = self.room.saturating_mul(2).max(1);
        self.reader.pay(GROWING * self.paid, size)
    }

    /// An element, or a part of one, that is paid for.
    #[inline]
    fn read_listed<T: DeserializeSeed<'b>>(&mut self, seed: T) -> Result<T::Value> {
        let (reader, size) = (&mut *self.reader, size_of::<T::Value>());
        let before = reader.left();
        reader.own = size;
        let value = if size <= SMALL {
            seed.deserialize(&mut *reader)
        } else {
            reader.nest += size;
            let value = seed.deserialize(&mut *reader);
            reader.nest -= size;
            value
        };
        if reader.left() == before {
            reader.take_free()?;
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
        if self.paid == 0 {
            self.pay(size_of::<T::Value>())?;
        }
        self.paid -= 1;
        self.read_listed(seed).map(Some)
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
        self.reader.pay(self.paid, size_of::<K::Value>())?;
        self.read_listed(seed).map(Some)
    }
    fn next_value_seed<V: DeserializeSeed<'b>>(&mut self, seed: V) -> Result<V::Value> {
        self.reader.pay(self.paid, size_of::<V::Value>())?;
        self.read_listed(seed)
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
            1 => {
                let outside = self.enter_any::<V::Value>()?;
                let value = visitor.visit_some(&mut *self);
                self.leave_any(outside);
                value
            }
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
        let outside = self.enter::<V::Value>()?;
        let value = visitor.visit_newtype_struct(&mut *self);
        self.leave::<V::Value>(outside);
        value
    }
    #[inline]
    fn deserialize_seq<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        let left = self.number()?;
        let Ok(left) = usize::try_from(left) else { return wrong("a list is too long") };
        let outside = self.enter_list::<V::Value>()?;
        let value = visitor.visit_seq(Elements::new(self, left, AT_FIRST));
        self.leave_any(outside);
        value
    }
    #[inline(always)]
    fn deserialize_tuple<V: Visitor<'b>>(self, left: usize, visitor: V) -> Result<V::Value> {
        let outside = self.enter::<V::Value>()?;
        let value = visitor.visit_seq(Parts { reader: &mut *self, left });
        self.leave::<V::Value>(outside);
        value
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
        let outside = self.enter_list::<V::Value>()?;
        let value = visitor.visit_map(Elements::new(self, left, PAIRS_AT_FIRST));
        self.leave_any(outside);
        value
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
        let outside = self.enter_any::<V::Value>()?;
        let value = visitor.visit_enum(Variant(&mut *self));
        self.leave_any(outside);
        value
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
