//! The place of an index: its page, and its offset there.

use crate::extent::masked;

/// The number of indices of a page, as a power of two.
pub(crate) const PAGE_SHIFT: u32 = 10;
pub(crate) const PAGE_LEN: usize = 1 << PAGE_SHIFT;
/// Words of membership bits in a page.
pub(crate) const WORDS: usize = PAGE_LEN / 64;

/// Returns the number of the page of an index.
#[inline]
pub(crate) const fn page_of(index: u32) -> usize {
    (index >> PAGE_SHIFT) as usize
}

/// Returns the offset of an index on its page.
#[inline]
pub(crate) const fn offset_of(index: u32) -> u32 {
    index & ((1 << PAGE_SHIFT) - 1)
}

/// Returns the index of a key with these bits.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the lower half is the index")]
pub(super) const fn index_in(bits: u64) -> u32 {
    bits as u32
}

/// Returns the offset, on its page, of a key with these bits.
#[inline(always)]
pub(super) const fn offset_in(bits: u64) -> u32 {
    offset_of(index_in(bits))
}

/// Returns the generation of a key with these bits.
#[inline(always)]
pub(super) const fn generation_in(bits: u64) -> u32 {
    (bits >> 32) as u32
}

/// The place of an index on its page.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct PagePlace {
    pub(crate) offset: u32,
    pub(super) word: u32,
    /// The bits of its word below its own.
    pub(super) below: u64,
}

impl PagePlace {
    #[inline(always)]
    pub(crate) const fn of(offset: u32) -> Self {
        Self { offset, word: offset / 64, below: (1 << (offset % 64)) - 1 }
    }

    /// Returns the place of the lowest of these bits of a word.
    #[inline(always)]
    pub(crate) const fn lowest(word: u32, bits: u64) -> Self {
        let below = bits.wrapping_sub(1) & !bits;
        Self { offset: word * 64 + bits.trailing_zeros(), word, below }
    }
}

/// Returns the words of the `len` offsets from `offset` on, and their bits in each.
#[inline]
pub(super) fn bits_of(offset: u32, len: u32) -> impl Iterator<Item = (usize, u64)> {
    let end = offset + len;
    (offset / 64..end.div_ceil(64)).map(move |word| {
        let from = offset.saturating_sub(word * 64);
        let to = (end - word * 64).min(64);
        (masked!(word as usize, WORDS), (!0 << from) & (!0 >> (64 - to)))
    })
}
