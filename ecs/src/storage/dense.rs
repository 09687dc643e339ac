//! The dense array of a sparse set: its members, packed.

use alloc::vec::Vec;
use core::ops::Deref;
use core::sync::atomic::{AtomicU64, Ordering};

/// Members in an order, with a stamp that marks equal or tiled arrays.
///
/// * D1: two arrays with one stamp from [`FIRST_STAMP`] on have equal members in equal order. The lowest bit is not part
///   of the stamp: it is set if the pages alone give the order of the members.
/// * D2: an array with a lower stamp, other than 0, is [tiled](crate::order), in the band before that number.
#[derive(Debug)]
pub(super) struct Dense<K> {
    members: Vec<K>,
    /// 0 since the last edit, or the value that [`stamp_all`](Self::stamp_all) or [`mark_tiled`](Self::mark_tiled) set.
    stamp: AtomicU64,
}

/// The first stamp of equal arrays; lower ones are the bands of tiled arrays.
const FIRST_STAMP: u64 = 1 << 8;

impl<K> Dense<K> {
    pub(super) const fn new() -> Self {
        Self { members: Vec::new(), stamp: AtomicU64::new(0) }
    }

    /// Returns the members, to be edited.
    #[inline(always)]
    pub(super) fn edit(&mut self) -> &mut Vec<K> {
        *self.stamp.get_mut() = 0;
        &mut self.members
    }

    /// Returns the members for changes of capacity: no member may be moved, and none added or removed for good.
    #[inline]
    pub(super) fn memory(&mut self) -> &mut Vec<K> {
        &mut self.members
    }

    #[inline]
    pub(super) fn capacity(&self) -> usize {
        self.members.capacity()
    }

    /// Returns `true` if both are marked as having equal members in equal order.
    #[inline]
    pub(super) fn is_marked_equal(&self, other: &Self) -> bool {
        let stamp = self.stamp.load(Ordering::Relaxed) >> 1;
        stamp >= FIRST_STAMP && stamp == other.stamp.load(Ordering::Relaxed) >> 1
    }

    /// Returns the band as which the array is tiled, unless it was edited since.
    #[inline]
    pub(super) fn band(&self) -> Option<u8> {
        match self.stamp.load(Ordering::Relaxed) >> 1 {
            0 => None,
            #[expect(clippy::cast_possible_truncation, reason = "the stamp is below 256")]
            stamp => (stamp < FIRST_STAMP).then(|| stamp as u8 - 1),
        }
    }

    /// Marks the array as tiled, as this band, until it is edited.
    pub(super) fn mark_tiled(&mut self, band: u8) {
        *self.stamp.get_mut() = (u64::from(band) + 1) << 1;
    }

    /// Returns `true` if the array is marked as ordered by its pages.
    #[inline]
    pub(super) fn is_ordered_by_pages(&self) -> bool {
        self.stamp.load(Ordering::Relaxed) & 1 != 0
    }

    /// Marks arrays that were found to be equal; with `by_pages`, also marks that their pages alone show it.
    ///
    /// The arrays are borrowed, so none is edited meanwhile; a later edit sees the mark that is written here. If two
    /// threads do this simultaneously, arrays may get different stamps, which claims nothing. Tiled arrays stay so: if
    /// there is one, nothing is marked.
    pub(super) fn stamp_all<'k>(
        &'k self,
        others: impl Iterator<Item = &'k Self> + Clone,
        by_pages: bool,
    ) {
        static STAMPS: AtomicU64 = AtomicU64::new(FIRST_STAMP);
        if self.band().is_some() || others.clone().any(|other| other.band().is_some()) {
            return;
        }
        let mut stamp = self.stamp.load(Ordering::Relaxed) >> 1;
        if stamp == 0 {
            stamp = STAMPS.fetch_add(1, Ordering::Relaxed);
        }
        for Self { stamp: own, .. } in core::iter::once(self).chain(others) {
            let low_bit = own.load(Ordering::Relaxed) & 1 | u64::from(by_pages);
            own.store(stamp << 1 | low_bit, Ordering::Relaxed);
        }
    }
}

/// A copy keeps the marks of its original.
impl<K: Clone> Clone for Dense<K> {
    fn clone(&self) -> Self {
        let stamp = AtomicU64::new(self.stamp.load(Ordering::Relaxed));
        Self { members: self.members.clone(), stamp }
    }

    /// Copies into the existing memory, if it is large enough.
    fn clone_from(&mut self, source: &Self) {
        self.members.clone_from(&source.members);
        *self.stamp.get_mut() = source.stamp.load(Ordering::Relaxed);
    }
}

#[cfg(feature = "serde")]
impl<K> From<Vec<K>> for Dense<K> {
    fn from(members: Vec<K>) -> Self {
        Self { members, stamp: AtomicU64::new(0) }
    }
}

impl<K> Deref for Dense<K> {
    type Target = [K];
    #[inline(always)]
    fn deref(&self) -> &[K] {
        &self.members
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_ends_with_an_edit() {
        let arrays: [Dense<u32>; 3] = [const { Dense::new() }; 3];
        assert!(!arrays[0].is_marked_equal(&arrays[1]));
        arrays[0].stamp_all(arrays[1..2].iter(), true);
        arrays[1].stamp_all(arrays[2..].iter(), false);
        assert!(arrays[0].is_marked_equal(&arrays[2]));
        assert!(arrays.each_ref().map(Dense::is_ordered_by_pages) == [true, true, false]);
        let [a, mut b, c] = arrays;
        b.edit().push(1);
        assert!(!a.is_marked_equal(&b) && !b.is_marked_equal(&c) && a.is_marked_equal(&c));
        b.memory().reserve(8);
        b.edit().pop();
        assert!(!a.is_marked_equal(&b) && !b.is_ordered_by_pages());
        // Arrays that were equal once have another stamp than arrays that are equal now.
        let mut a = a;
        a.edit().push(2);
        a.stamp_all(core::iter::empty(), false);
        assert!(!a.is_marked_equal(&c));
    }
}
