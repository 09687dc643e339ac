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
        self.view().get(offset)
    }

    /// These cells, to be read.
    #[inline(always)]
    pub(super) fn view(&self) -> NarrowView<'_> {
        NarrowView(&self.0)
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
pub struct NarrowView<'w>(&'w [u8; Narrow::SIZE]);

impl NarrowView<'_> {
    /// Those of a page that has others.
    pub(super) const NONE: Self = Self(&[0; Narrow::SIZE]);

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
    /// There are three bytes for each index.
    pub(crate) narrow: bool,
}

impl Forms {
    /// Those of no pool.
    pub(crate) const ANY: Self = Self { sequential: true, narrow: true };

    #[inline(always)]
    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        let sequential = self.sequential & other.sequential;
        Self { sequential, narrow: self.narrow & other.narrow }
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
