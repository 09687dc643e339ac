//! The cells of a page: where each of its members is in the dense array.

use crate::storage::place::{PAGE_LEN, PAGE_SHIFT, WORDS};
use crate::storage::values::prefetch;
use alloc::boxed::Box;
use alloc::vec;

/// The most members of which a page packs the cells, in a pool where one of them is at this dense
/// index; one with more has a cell for each of its indices.
///
/// While those cells of all pages fit the caches, 768 kB, what counts is how many instructions a
/// member takes; beyond, how many bytes.
pub(super) fn most_packed(dense_index: u32) -> usize {
    ((dense_index >> 8) as usize).clamp(LEAST_PACKED, PACKED_MAX)
}
/// A page of at most so many members is packed in any pool, unless it is in order,
const LEAST_PACKED: usize = 4;
/// and none of more.
const PACKED_MAX: usize = 128;

// A page's summary has a bit for each of its words, and ranks fit a byte while a page is packed.
const _: () = assert!(WORDS == u16::BITS as usize && PACKED_MAX <= u8::MAX as usize);

/// The cells of a page, in the form that fits its members. A page tells more of each.
#[derive(Debug)]
pub(super) enum Cells {
    Sequential,
    Narrow(Narrow),
    Packed(Box<[u32]>),
    Wide(Box<[u32; PAGE_LEN]>),
}

impl Cells {
    /// Their form, where `base` is the dense index of offset 0, while they are sequential.
    #[inline]
    pub(super) fn forms(&self, base: u32) -> Forms {
        let sequential = matches!(self, Self::Sequential);
        let is_in_reach = base.cast_signed() > -(1 << PAGE_SHIFT);
        let near = sequential && is_in_reach || matches!(self, Self::Narrow(_));
        Forms { sequential, near }
    }

    /// The cells, where they are [near](Forms::near) ones; and what, wrapping, a dense index exceeds
    /// its cell by. Where members are in order, offset 0 may be nobody's, and its dense index below 0.
    #[inline]
    pub(super) fn near(&self, base: u32) -> (NearCells<'_>, usize) {
        match self {
            Self::Narrow(cells) => (cells.view(), 0),
            _ => (NearCells::IN_ORDER, (base.cast_signed() as isize).cast_unsigned()),
        }
    }
}

/// A cell of three bytes for each index.
#[derive(Debug)]
pub(super) struct Narrow(Box<[u8; Self::SIZE]>);

impl Narrow {
    /// The bytes of all cells, and one more so that each can be read as four.
    pub(super) const SIZE: usize = 3 * PAGE_LEN + 1;
    /// Below this dense indices fit.
    pub(super) const END: u32 = 1 << 24;

    pub(super) fn new() -> Self {
        Self(zeroed())
    }

    #[inline(always)]
    pub(super) fn get(&self, offset: u32) -> u32 {
        self.view().get(offset)
    }

    /// These cells, to be read.
    #[inline(always)]
    pub(super) fn view(&self) -> NearCells<'_> {
        NearCells(&self.0)
    }

    #[inline(always)]
    pub(super) fn set(&mut self, offset: u32, dense_index: u32) {
        let at = 3 * (offset as usize % PAGE_LEN);
        // As one number: of two bytes the compiler makes two stores.
        #[expect(clippy::cast_possible_truncation, reason = "the other byte follows")]
        let low = dense_index as u16;
        self.0[at..at + 2].copy_from_slice(&low.to_le_bytes());
        self.0[at + 2] = dense_index.to_le_bytes()[2];
    }

    /// Prefetches the cell of an offset.
    #[inline(always)]
    pub(super) fn warm(&self, offset: u32) {
        prefetch(self.0.as_ptr().wrapping_add(3 * offset as usize));
    }
}

/// Cells of three bytes, to be read without asking for their form again.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct NearCells<'w>(&'w [u8; Narrow::SIZE]);

/// Of each offset that offset itself.
static IN_ORDER: [u8; Narrow::SIZE] = {
    let (mut cells, mut offset) = ([0; Narrow::SIZE], 0);
    while offset < PAGE_LEN {
        let [low, high, ..] = offset.to_le_bytes();
        (cells[3 * offset], cells[3 * offset + 1]) = (low, high);
        offset += 1;
    }
    cells
};

impl NearCells<'_> {
    /// Those that a page in order would have, whose first dense index is 0.
    const IN_ORDER: Self = Self(&IN_ORDER);
    /// Those of a page whose cells are not asked for; as from [`Cells::near`].
    pub(crate) const NONE: (Self, usize) = (Self::IN_ORDER, 0);

    #[inline(always)]
    pub(crate) fn get(self, offset: u32) -> u32 {
        let at = 3 * (offset as usize % PAGE_LEN);
        // With one byte too many: one read is faster than two.
        let mut bytes = [0; 4];
        bytes.copy_from_slice(&self.0[at..at + 4]);
        u32::from_le_bytes(bytes) % Narrow::END
    }
}

/// What the cells of several pools have in common at one page.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Forms {
    /// Neighbouring members are neighbours in the dense arrays.
    pub(crate) sequential: bool,
    /// Cells have three bytes, or members are in order, in the first half of all dense indices: all
    /// can be read as [`NearCells`].
    pub(crate) near: bool,
}

impl Forms {
    /// Those of no pool.
    pub(crate) const ANY: Self = Self { sequential: true, near: true };

    #[inline(always)]
    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        let sequential = self.sequential & other.sequential;
        Self { sequential, near: self.near & other.near }
    }
}

/// Cells on the heap, without having been on the stack.
#[expect(clippy::unnecessary_box_returns, reason = "cells live on the heap")]
pub(super) fn zeroed<T: Copy + Default, const LEN: usize>() -> Box<[T; LEN]> {
    match vec![T::default(); LEN].into_boxed_slice().try_into() {
        Ok(cells) => cells,
        Err(_) => unreachable!("the length is LEN"),
    }
}
