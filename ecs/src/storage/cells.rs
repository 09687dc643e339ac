//! The cells of a page: where each of its members is in the dense array.

use crate::storage::place::PAGE_LEN;
use crate::storage::values::prefetch;
use alloc::boxed::Box;
use alloc::vec;

/// The cells of a page, in the form that fits its members. A page tells more of each.
#[derive(Debug)]
pub(super) enum Cells {
    Sequential,
    Narrow(Narrow),
    Packed(Box<[u32]>),
    Wide(Box<[u32; PAGE_LEN]>),
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
        let at = 3 * (offset as usize % PAGE_LEN);
        // With one byte too many: one read is faster than two.
        let mut bytes = [0; 4];
        bytes.copy_from_slice(&self.0[at..at + 4]);
        u32::from_le_bytes(bytes) % Self::END
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

/// Cells on the heap, without having been on the stack.
#[expect(clippy::unnecessary_box_returns, reason = "cells live on the heap")]
pub(super) fn zeroed<T: Copy + Default, const LEN: usize>() -> Box<[T; LEN]> {
    match vec![T::default(); LEN].into_boxed_slice().try_into() {
        Ok(cells) => cells,
        Err(_) => unreachable!("the length is LEN"),
    }
}
