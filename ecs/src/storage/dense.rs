//! The dense array of a sparse set: its members, packed.

use alloc::vec::Vec;
use core::ops::Deref;
use core::sync::atomic::{AtomicU64, Ordering};

/// Members in an order, and a stamp by which others are known to have the same.
///
/// * D1: two arrays with one stamp, other than 0, have the same members in the same order. The lowest bit is no part
///   of the stamp: it says that each page tells the order of its members.
#[derive(Debug)]
pub(super) struct Dense<K> {
    members: Vec<K>,
    /// 0 since the last edit, or what [`stamp_all`](Self::stamp_all) gave.
    stamp: AtomicU64,
}

impl<K> Dense<K> {
    pub(super) const fn new() -> Self {
        Self { members: Vec::new(), stamp: AtomicU64::new(0) }
    }

    /// The members, to be edited.
    #[inline(always)]
    pub(super) fn edit(&mut self) -> &mut Vec<K> {
        *self.stamp.get_mut() = 0;
        &mut self.members
    }

    /// The members, of whom none comes, goes or changes its place.
    #[inline]
    pub(super) fn memory(&mut self) -> &mut Vec<K> {
        &mut self.members
    }

    #[inline]
    pub(super) fn capacity(&self) -> usize {
        self.members.capacity()
    }

    /// Returns `true` if both are known to have the same members in the same order.
    #[inline]
    pub(super) fn is_known_to_equal(&self, other: &Self) -> bool {
        let stamp = self.stamp.load(Ordering::Relaxed) >> 1;
        stamp != 0 && stamp == other.stamp.load(Ordering::Relaxed) >> 1
    }

    /// Returns `true` if its pages are known to tell the order of its members.
    #[inline]
    pub(super) fn is_told_by_pages(&self) -> bool {
        self.stamp.load(Ordering::Relaxed) & 1 != 0
    }

    /// Notes of arrays that were found to be equal that they are, and maybe that all their pages told so.
    ///
    /// They are borrowed, so none is edited meanwhile; whoever edits one later has seen what is written
    /// here. If two threads do this at the same time, arrays may get different stamps, which says nothing.
    pub(super) fn stamp_all<'k>(&'k self, others: impl Iterator<Item = &'k Self>, by_pages: bool) {
        static STAMPS: AtomicU64 = AtomicU64::new(1);
        let mut stamp = self.stamp.load(Ordering::Relaxed) >> 1;
        if stamp == 0 {
            stamp = STAMPS.fetch_add(1, Ordering::Relaxed);
        }
        for Self { stamp: own, .. } in core::iter::once(self).chain(others) {
            let is_told = own.load(Ordering::Relaxed) & 1 | u64::from(by_pages);
            own.store(stamp << 1 | is_told, Ordering::Relaxed);
        }
    }
}

/// What is known of an array is known of its copy.
impl<K: Clone> Clone for Dense<K> {
    fn clone(&self) -> Self {
        let stamp = AtomicU64::new(self.stamp.load(Ordering::Relaxed));
        Self { members: self.members.clone(), stamp }
    }

    /// In the same memory, if it is enough.
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
        assert!(!arrays[0].is_known_to_equal(&arrays[1]));
        arrays[0].stamp_all(arrays[1..2].iter(), true);
        arrays[1].stamp_all(arrays[2..].iter(), false);
        assert!(arrays[0].is_known_to_equal(&arrays[2]));
        assert!(arrays.each_ref().map(Dense::is_told_by_pages) == [true, true, false]);
        let [a, mut b, c] = arrays;
        b.edit().push(1);
        assert!(!a.is_known_to_equal(&b) && !b.is_known_to_equal(&c) && a.is_known_to_equal(&c));
        b.memory().reserve(8);
        b.edit().pop();
        assert!(!a.is_known_to_equal(&b) && !b.is_told_by_pages());
        // What was equal once gets another stamp than what is equal now.
        let mut a = a;
        a.edit().push(2);
        a.stamp_all(core::iter::empty(), false);
        assert!(!a.is_known_to_equal(&c));
    }
}
