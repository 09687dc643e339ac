//! The cells of a page: the position of each of its members in the dense array.

use crate::extent::masked;
use crate::storage::place::{PAGE_LEN, PAGE_SHIFT, WORDS};
use crate::storage::values::{Address, Lane, prefetch};
use alloc::boxed::Box;
use alloc::vec;

/// Returns the most members of a packed page, in a pool where one of its members is at this dense index. A page with
/// more members has a cell for each index.
///
/// While the cells of all pages fit the caches (768 kB), the number of instructions for each member decides; beyond,
/// the number of bytes does.
pub(super) fn most_packed(dense_index: u32) -> usize {
    ((dense_index >> 8) as usize).clamp(LEAST_PACKED, PACKED_MAX)
}
/// A page of at most this many members is packed in any pool, unless it is in order.
const LEAST_PACKED: usize = 4;
/// A page of more members is never packed.
pub(super) const PACKED_MAX: usize = 128;

// A page's summary has a bit for each of its words, and ranks fit a byte while a page is packed.
const _: () = assert!(WORDS == u16::BITS as usize && PACKED_MAX <= u8::MAX as usize);

/// The cells of a page, in the form that fits its members.
#[derive(Debug)]
pub(super) enum Cells {
    Sequential,
    Narrow(Narrow),
    Packed(Box<[u32]>),
    Wide(Box<[u32; PAGE_LEN]>),
}

impl Clone for Cells {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Self::Sequential => Self::Sequential,
            Self::Narrow(cells) => Self::Narrow(Narrow(cells.0.clone())),
            Self::Packed(cells) => Self::Packed(cells.clone()),
            Self::Wide(cells) => Self::Wide(cells.clone()),
        }
    }

    /// Copies into the existing memory, if both have one form.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        match (&mut *self, source) {
            (Self::Narrow(cells), Self::Narrow(from)) => cells.0.clone_from(&from.0),
            (Self::Packed(cells), Self::Packed(from)) => cells.clone_from(from),
            (Self::Wide(cells), Self::Wide(from)) => cells.clone_from(from),
            _ => *self = source.clone(),
        }
    }
}

impl Cells {
    /// Returns the cells as cells of three bytes, if they have three bytes or the members are in order. For members in
    /// order, each offset has itself as its cell, and the lane begins at `base`, the dense index of offset 0. If offset
    /// 0 is not a member, `base` may be below 0, so additions wrap.
    #[inline(always)]
    pub(super) fn small(&self, base: u32) -> Option<Lane> {
        match self {
            Self::Narrow(cells) => {
                Some(Lane { first: 0, cells: Address::new(&*cells.0, Narrow::SIZE) })
            }
            Self::Sequential if base.cast_signed() > -(1 << PAGE_SHIFT) => Some(Lane {
                first: (base.cast_signed() as isize).cast_unsigned(),
                cells: Address::new(&IN_ORDER, Narrow::SIZE),
            }),
            _ => None,
        }
    }
}

/// A cell of three bytes for each index.
#[derive(Debug)]
pub(super) struct Narrow(Box<[u8; Self::SIZE]>);

impl Narrow {
    /// The bytes of all cells, and one more so that each can be read as four.
    pub(super) const SIZE: usize = 3 * PAGE_LEN + 1;
    /// The first dense index that does not fit.
    pub(super) const END: u32 = 1 << 24;

    pub(super) fn new() -> Self {
        Self(zeroed())
    }

    #[inline(always)]
    pub(super) fn get(&self, offset: u32) -> u32 {
        let at = 3 * masked!(offset as usize, PAGE_LEN);
        // The read includes one byte too many: one read is faster than two.
        let mut bytes = [0; 4];
        bytes.copy_from_slice(&self.0[at..at + 4]);
        u32::from_le_bytes(bytes) % Self::END
    }

    #[inline(always)]
    pub(super) fn set(&mut self, offset: u32, dense_index: u32) {
        let at = 3 * masked!(offset as usize, PAGE_LEN);
        // Written as one number: the compiler makes two stores of two bytes.
        #[expect(clippy::cast_possible_truncation, reason = "the other byte follows")]
        let low = dense_index as u16;
        self.0[at..at + 2].copy_from_slice(&low.to_le_bytes());
        self.0[at + 2] = dense_index.to_le_bytes()[2];
    }

    /// Prefetches the cell of an offset.
    #[inline(always)]
    pub(super) fn prefetch(&self, offset: u32) {
        prefetch(self.0.as_ptr().wrapping_add(3 * offset as usize));
    }
}

/// A cell for each offset that contains the offset itself.
static IN_ORDER: [u8; Narrow::SIZE] = {
    let (mut cells, mut offset) = ([0; Narrow::SIZE], 0);
    while offset < PAGE_LEN {
        let [low, high, ..] = offset.to_le_bytes();
        (cells[3 * offset], cells[3 * offset + 1]) = (low, high);
        offset += 1;
    }
    cells
};

/// Returns zeroed cells on the heap, made without using the stack.
#[expect(clippy::unnecessary_box_returns, reason = "cells live on the heap")]
pub(super) fn zeroed<T: Copy + Default, const LEN: usize>() -> Box<[T; LEN]> {
    match vec![T::default(); LEN].into_boxed_slice().try_into() {
        Ok(cells) => cells,
        Err(_) => unreachable!("the length is LEN"),
    }
}
