//! Reads values and numbers in the format of postcard from untrusted bytes.
//!
//! A [`Budget`] pays for memory before it is allocated. Elements that take no bytes in the input are counted, too,
//! because five bytes can promise four billion of them.

use crate::entity::HANDLE;
use crate::format::budget::{AT_FIRST, Budget, Growth, PAIRS_AT_FIRST};
pub use crate::format::error::ReadError;
use alloc::vec::Vec;
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

/// The number of elements without bytes that may be read, beside one for each element with bytes, and some for each value of
/// a component: a few milliseconds. The length of the input does not count: the same world may be saved as fewer bytes.
const FREE_ELEMENTS: u64 = if cfg!(test) { 1_000 } else { 1 << 20 };

/// The number of elements without bytes that each value of a component may have.
const FREE_IN_VALUE: u64 = 4;

/// The highest bit of each byte: it is clear in the last byte of a number.
const LAST: u64 = 0x8080_8080_8080_8080;

/// Returns the number that has seven bits in each of these bytes, the lowest first: joins bytes to pairs, pairs to
/// fours, and fours to the number.
#[inline]
const fn joined(bytes: u64) -> u64 {
    let pairs = bytes & 0x007f_007f_007f_007f | (bytes & 0x7f00_7f00_7f00_7f00) >> 1;
    let fours = pairs & 0x0000_3fff_0000_3fff | (pairs & 0x3fff_0000_3fff_0000) >> 2;
    fours & 0x0fff_ffff | (fours & 0x0fff_ffff_0000_0000) >> 4
}

/// A reader of untrusted bytes.
#[derive(Debug)]
pub struct Reader<'b> {
    all: &'b [u8],
    /// The bytes that are not read yet: the end of `all`.
    next: &'b [u8],
    pub(crate) budget: Budget,
    /// The number of elements that may still be read without bytes of the input.
    free: u64,
    /// The number of handles of entities that were read.
    pub(crate) handles: usize,
}

impl<'b> Reader<'b> {
    /// Returns a reader of these bytes that may allocate at most `room` bytes.
    pub(crate) fn new(all: &'b [u8], room: usize) -> Self {
        Self { all, next: all, budget: Budget::new(room), free: FREE_ELEMENTS, handles: 0 }
    }

    /// Returns a reader without limits of memory, for bytes that were just written from a value.
    pub(crate) fn own(all: &'b [u8]) -> Self {
        Self { free: 1 << 63, ..Self::new(all, usize::MAX) }
    }

    /// Returns the position of the next byte.
    pub(crate) fn at(&self) -> usize {
        self.all.len() - self.next.len()
    }

    /// Goes back to a position before.
    pub(crate) fn go_back(&mut self, at: usize) {
        self.next = &self.all[at..];
    }

    /// Returns the bytes that were read from `start` on.
    pub(crate) fn since(&self, start: usize) -> &'b [u8] {
        &self.all[start..self.at()]
    }

    pub(crate) fn left(&self) -> usize {
        self.next.len()
    }

    /// Pays for `count` things of this size.
    #[inline]
    pub(crate) fn pay(&mut self, count: usize, size: usize) -> Result<()> {
        self.budget.pay(count, size)
    }

    /// Reads a list: its length, and each element by `read`. Each element takes at least one byte.
    pub(crate) fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let count = self.count()?;
        self.pay(count, size_of::<T>())?;
        let mut all = Vec::with_capacity(count);
        for _ in 0..count {
            all.push(read(self)?);
        }
        Ok(all)
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

    /// Reads the bytes of `count` values of this size.
    #[cfg(feature = "bytes")]
    pub(crate) fn values(&mut self, count: usize, size: usize) -> Result<&'b [u8]> {
        count.checked_mul(size).map_or_else(|| Err(too_short()), |len| self.bytes(len))
    }

    #[inline]
    pub(crate) fn array<const LEN: usize>(&mut self) -> Result<[u8; LEN]> {
        let Some((array, next)) = self.next.split_first_chunk() else { return Err(too_short()) };
        self.next = next;
        Ok(*array)
    }

    /// Calls `read` with a local copy of this reader, and stores the copy back. The compiler keeps a local reader in
    /// registers.
    #[inline]
    pub(crate) fn locally<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> R {
        let mut local = Self { ..*self };
        let read = read(&mut local);
        *self = local;
        read
    }

    /// Skips at most `most` zeros, and returns their number.
    #[inline]
    pub(crate) fn zeros(&mut self, most: usize) -> usize {
        match self.next {
            [0, ..] => self.without::<0xff>(most).len(),
            _ => 0,
        }
    }

    /// Reads at most `most` numbers of one byte, until a longer one.
    #[inline]
    pub(crate) fn small_numbers(&mut self, most: usize) -> &'b [u8] {
        self.without::<0x80>(most)
    }

    /// Reads at most `most` bytes, until one that has any of these bits.
    #[inline]
    fn without<const BITS: u8>(&mut self, most: usize) -> &'b [u8] {
        let next = &self.next[..most.min(self.next.len())];
        // The check of a chunk has no branch, so the compiler vectorises it.
        let is_without = |bytes: &[u8]| bytes.iter().fold(0, |all, byte| all | byte) & BITS == 0;
        let chunks = next.chunks_exact(32).take_while(|bytes| is_without(bytes)).count();
        let rest = next[32 * chunks..].iter().take_while(|byte| **byte & BITS == 0).count();
        let (found, next) = self.next.split_at(32 * chunks + rest);
        self.next = next;
        found
    }

    /// Reads a number of at most `bits` bits.
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

    /// Reads a number of a smaller type.
    #[inline]
    fn narrow<N: TryFrom<u64>>(&mut self) -> Result<N> {
        match N::try_from(self.number()?) {
            Ok(number) => Ok(number),
            Err(_) => wrong("a number is too large"),
        }
    }

    /// Reads the length of a list whose elements take at least one byte each: at most the number of bytes left.
    pub(crate) fn count(&mut self) -> Result<usize> {
        let count = self.number()?;
        match usize::try_from(count) {
            Ok(count) if count <= self.left() => Ok(count),
            _ => wrong("the bytes are too few for the number of elements"),
        }
    }

    pub(crate) fn text(&mut self) -> Result<&'b str> {
        let len = self.count()?;
        match core::str::from_utf8(self.bytes(len)?) {
            Ok(text) => Ok(text),
            Err(_) => wrong("a text is not UTF-8"),
        }
    }

    /// Reads the length of a block that `saved::write` wrote.
    pub(crate) fn block(&mut self) -> Result<usize> {
        let len = u64::from_le_bytes(self.array()?);
        match usize::try_from(len) {
            Ok(len) if len <= self.left() => Ok(len),
            _ => wrong("a part is longer than the rest"),
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

    /// Allows the elements without bytes that this many values of a component may have.
    pub(crate) fn begin_values(&mut self, count: usize) {
        self.free += FREE_IN_VALUE * count as u64;
    }

    /// Reads a value whose own bytes are paid for.
    #[inline(always)]
    pub(crate) fn whole<T: Deserialize<'b>>(&mut self) -> Result<T> {
        self.budget.begin(size_of::<T>());
        T::deserialize(self)
    }
}

/// The elements of a tuple or a struct, whose number depends on the type.
struct FixedElements<'r, 'b> {
    reader: &'r mut Reader<'b>,
    left: usize,
}

impl<'b> SeqAccess<'b> for FixedElements<'_, 'b> {
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

/// The elements of a list or a map: they are on the heap, and the input contains their number.
struct CountedElements<'r, 'b> {
    reader: &'r mut Reader<'b>,
    left: usize,
    growth: Growth,
}

impl<'r, 'b> CountedElements<'r, 'b> {
    /// Returns `left` elements, with room for at most `at_first` before the first is read.
    #[inline(always)]
    fn new(reader: &'r mut Reader<'b>, left: usize, at_first: usize) -> Self {
        let growth = Growth::new(&reader.budget, left.min(reader.left()).min(at_first));
        Self { reader, left, growth }
    }

    /// Reads an element, a key or a value that is paid for.
    #[inline]
    fn read_listed<T: DeserializeSeed<'b>>(&mut self, seed: T) -> Result<T::Value> {
        let (reader, size) = (&mut *self.reader, size_of::<T::Value>());
        let before = reader.left();
        let nest = reader.budget.enter_element(size);
        let value = seed.deserialize(&mut *reader);
        reader.budget.leave_element(nest);
        if reader.left() == before {
            reader.take_free()?;
        } else {
            reader.free += 1;
        }
        value
    }
}

impl<'b> SeqAccess<'b> for CountedElements<'_, 'b> {
    type Error = ReadError;

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'b>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        self.growth.next(&mut self.reader.budget, left + 1, size_of::<T::Value>())?;
        self.read_listed(seed).map(Some)
    }
    #[inline(always)]
    fn next_element<T: Deserialize<'b>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(PhantomData)
    }
    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(self.growth.room()))
    }
}

impl<'b> MapAccess<'b> for CountedElements<'_, 'b> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'b>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        self.growth.next_key(&mut self.reader.budget, size_of::<K::Value>())?;
        self.read_listed(seed).map(Some)
    }
    fn next_value_seed<V: DeserializeSeed<'b>>(&mut self, seed: V) -> Result<V::Value> {
        self.growth.next_value(&mut self.reader.budget, size_of::<V::Value>())?;
        self.read_listed(seed)
    }
    fn size_hint(&self) -> Option<usize> {
        SeqAccess::size_hint(self)
    }
}

/// A variant whose number is not read yet.
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

/// Deserializes numbers, each by an expression.
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

/// Returns the signed number whose sign is the lowest bit of `$folded`.
macro_rules! unfolded {
    ($folded:expr) => {{
        let folded = $folded;
        (folded >> 1).cast_signed() ^ -(folded & 1).cast_signed()
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
        deserialize_i16 visit_i16 |reader| Ok(unfolded!(reader.narrow::<u16>()?));
        deserialize_i32 visit_i32 |reader| Ok(unfolded!(reader.narrow::<u32>()?));
        deserialize_i64 visit_i64 |reader| Ok(unfolded!(reader.number()?));
        deserialize_f32 visit_f32 |reader| Ok(f32::from_le_bytes(reader.array()?));
        deserialize_f64 visit_f64 |reader| Ok(f64::from_le_bytes(reader.array()?));
    }

    fn deserialize_u128<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        self.budget.take(size_of::<V::Value>())?;
        visitor.visit_u128(self.bits(128)?)
    }
    fn deserialize_i128<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        self.budget.take(size_of::<V::Value>())?;
        visitor.visit_i128(unfolded!(self.bits(128)?))
    }
    #[inline]
    fn deserialize_bool<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        match self.byte()? {
            0 => visitor.visit_bool(false),
            1 => visitor.visit_bool(true),
            _ => wrong("a `bool` is neither 0 nor 1"),
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
        self.budget.take(size_of::<V::Value>())?;
        visitor.visit_borrowed_str(text)
    }
    fn deserialize_string<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }
    fn deserialize_bytes<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        let len = self.count()?;
        self.pay(len, 1)?;
        self.budget.take(size_of::<V::Value>())?;
        visitor.visit_borrowed_bytes(self.bytes(len)?)
    }
    fn deserialize_byte_buf<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }
    #[inline]
    fn deserialize_option<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        match self.byte()? {
            0 => {
                self.budget.take(size_of::<V::Value>())?;
                visitor.visit_none()
            }
            1 => {
                let outside = self.budget.enter_any(size_of::<V::Value>())?;
                let value = visitor.visit_some(&mut *self);
                self.budget.leave(outside);
                value
            }
            _ => wrong("an `Option` begins with neither 0 nor 1"),
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
        let outside = self.budget.enter(size_of::<V::Value>())?;
        let value = visitor.visit_newtype_struct(&mut *self);
        self.budget.leave(outside);
        value
    }
    #[inline]
    fn deserialize_seq<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        let left = self.number()?;
        let Ok(left) = usize::try_from(left) else { return wrong("a list is too long") };
        let outside = self.budget.enter_list(size_of::<V::Value>())?;
        let value = visitor.visit_seq(CountedElements::new(self, left, AT_FIRST));
        self.budget.leave(outside);
        value
    }
    #[inline(always)]
    fn deserialize_tuple<V: Visitor<'b>>(self, left: usize, visitor: V) -> Result<V::Value> {
        let outside = self.budget.enter(size_of::<V::Value>())?;
        let value = visitor.visit_seq(FixedElements { reader: &mut *self, left });
        self.budget.leave(outside);
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
        let outside = self.budget.enter_list(size_of::<V::Value>())?;
        let value = visitor.visit_map(CountedElements::new(self, left, PAIRS_AT_FIRST));
        self.budget.leave(outside);
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
        let outside = self.budget.enter_any(size_of::<V::Value>())?;
        let value = visitor.visit_enum(Variant(&mut *self));
        self.budget.leave(outside);
        value
    }
    fn deserialize_any<V: Visitor<'b>>(self, _: V) -> Result<V::Value> {
        wrong(
            "the type must name the values that it reads: `untagged`, `flatten` and the like need a format for people",
        )
    }
    fn deserialize_identifier<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }
    fn deserialize_ignored_any<V: Visitor<'b>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::writer::write_number;
    use std::vec;

    #[test]
    fn zeros_and_small_numbers_end_at_the_first_other_byte() {
        for at in 0..100 {
            let mut bytes = vec![0; 100];
            bytes[at] = 0xff;
            let mut reader = Reader::own(&bytes);
            assert_eq!((reader.zeros(200), reader.at()), (at, at));
            bytes[at] = 0x80;
            let mut reader = Reader::own(&bytes);
            assert_eq!((reader.small_numbers(200).len(), reader.at()), (at, at));
            let mut reader = Reader::own(&bytes);
            assert_eq!((reader.zeros(at / 2), reader.at()), (at / 2, at / 2));
        }
    }

    #[test]
    fn a_block_is_no_longer_than_what_is_left() {
        assert_eq!(Reader::own(&[2, 0, 0, 0, 0, 0, 0, 0, 1, 1]).block().unwrap(), 2);
        assert!(Reader::own(&[3, 0, 0, 0, 0, 0, 0, 0, 1, 1]).block().is_err());
        assert!(Reader::own(&[0xff; 10]).block().is_err());
    }

    #[test]
    fn untrusted_bytes_may_have_so_many_elements_without_bytes() {
        let read = |more: u64, allow: fn(&mut Reader)| {
            let mut bytes = vec![3, 7, 7, 7];
            write_number(FREE_ELEMENTS + more, &mut bytes);
            bytes.extend([0; 100]);
            let mut reader = Reader::new(&bytes, usize::MAX);
            allow(&mut reader);
            reader.whole::<Vec<()>>().map(|units| units.len() as u64 - FREE_ELEMENTS)
        };
        let skip: fn(&mut Reader) = |reader| _ = reader.bytes(4).unwrap();
        assert!(read(0, skip).is_ok_and(|more| more == 0));
        assert!(read(1, skip).is_err());
        let sevens: fn(&mut Reader) = |reader| _ = reader.whole::<Vec<u16>>().unwrap();
        assert!(read(3, sevens).is_ok_and(|more| more == 3));
        assert!(read(4, sevens).is_err());
        let values: fn(&mut Reader) = |reader| {
            reader.begin_values(2);
            reader.bytes(4).unwrap();
        };
        assert!(read(8, values).is_ok_and(|more| more == 8));
        assert!(read(9, values).is_err());
        let mut bytes = vec![];
        write_number(2 * FREE_ELEMENTS, &mut bytes);
        let units = Reader::own(&bytes).whole::<Vec<()>>().unwrap();
        assert_eq!(units.len() as u64, 2 * FREE_ELEMENTS, "own bytes have no limit");
    }
}
