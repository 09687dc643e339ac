//! The two index arrays of a sparse set, without its values.
//!
//! ```text
//!  index      0  1  2  3  4  5
//!  sparse   [ ·  2  ·  0  ·  1 ]      which member an index is
//!  dense    [ 3  5  1 ]               the members, packed
//!  values   [ a  b  c ]               their values, kept by the owner of these keys
//!
//!  remove 3: the last member takes its place
//!  sparse   [ ·  0  ·  ·  ·  1 ]
//!  dense    [ 1  5 ]
//!  values   [ c  b ]
//! ```

use crate::storage::sparse_array::{Key, Page, SparseArray, offset_of, page_of};
use alloc::vec::Vec;
use core::ops::Range;

/// The members of a sparse set: a sparse array and the dense array it leads to.
///
/// * K1: `sparse` has exactly the members in `dense`, each with its position there.
#[derive(Debug)]
pub struct Keys<K> {
    sparse: SparseArray,
    dense: Vec<K>,
}

/// A position in a dense array as it is stored.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "members have distinct 32-bit indices, so there are at most 2^32"
)]
pub(super) const fn stored(dense_index: usize) -> u32 {
    dense_index as u32
}

impl<K: Key> Keys<K> {
    pub(crate) const fn new() -> Self {
        Self { sparse: SparseArray::new(), dense: Vec::new() }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.dense.len()
    }

    #[inline]
    pub(crate) fn dense(&self) -> &[K] {
        &self.dense
    }

    #[inline]
    pub(crate) fn page_count(&self) -> usize {
        self.sparse.page_count()
    }

    #[inline]
    pub(crate) fn page(&self, number: usize) -> &Page {
        self.sparse.page(number)
    }

    /// Prefetches what a walk over pages will soon need.
    #[inline]
    pub(crate) fn warm(&self, number: usize) {
        self.sparse.warm(number + 4, number + 2);
    }

    /// The position of `key`, when exactly this key is a member.
    #[inline]
    pub(crate) fn find(&self, key: K) -> Option<usize> {
        let page = self.sparse.page(page_of(key.index()));
        page.find(offset_of(key.index()), key, &self.dense).map(|dense_index| dense_index as usize)
    }

    /// The position of the member with this index, whatever its generation.
    #[inline]
    pub(crate) fn find_index(&self, index: u32) -> Option<usize> {
        self.sparse.get(index).map(|dense_index| dense_index as usize)
    }

    /// The member with this index, whatever its generation.
    #[inline]
    pub(crate) fn at_index(&self, index: u32) -> Option<K> {
        self.dense.get(self.find_index(index)?).copied()
    }

    /// The members from the one with this index on; none without it.
    #[inline]
    pub(crate) fn members_from(&self, index: u32) -> &[K] {
        self.find_index(index).and_then(|dense_index| self.dense.get(dense_index..)).unwrap_or(&[])
    }

    /// Whether the next member needs more room in the dense array.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.dense.len() == self.dense.capacity()
    }

    /// Makes room for `additional` members in the dense array.
    #[inline]
    pub(crate) fn reserve(&mut self, additional: usize) {
        self.dense.reserve(additional);
    }

    /// Appends a member, for which there is room; or finds the position of the member with its
    /// index.
    #[inline]
    pub(crate) fn push(&mut self, key: K) -> Option<usize> {
        let end = stored(self.dense.len());
        if let Some(dense_index) = self.sparse.insert(key.index(), end, key.generation()) {
            return Some(dense_index as usize);
        }
        self.dense.push(key);
        None
    }

    /// Appends a member with a new index, for which there is room.
    #[inline]
    pub(crate) fn push_new(&mut self, key: K) {
        let end = stored(self.dense.len());
        if !self.sparse.append(key.index(), end, key.generation()) {
            self.sparse.insert(key.index(), end, key.generation());
        }
        self.dense.push(key);
    }

    /// Appends members with new indices.
    pub(crate) fn extend_new(&mut self, mut keys: &[K]) {
        self.dense.reserve(keys.len());
        while let Some(first) = keys.first() {
            // As many as have neighbouring indices and one generation.
            let next_to = |(at, key): &(u32, &K)| {
                first.index().checked_add(*at) == Some(key.index())
                    && key.generation() == first.generation()
            };
            let len = (0..).zip(keys).take_while(next_to).count();
            let end = stored(self.dense.len());
            self.sparse.append_range(first.index(), end, stored(len), first.generation());
            self.dense.extend_from_slice(&keys[..len]);
            keys = &keys[len..];
        }
    }

    /// Removes a member; the last one takes its position, which is returned.
    #[inline]
    pub(crate) fn swap_remove(&mut self, key: K) -> Option<usize> {
        let dense_index = self.sparse.remove(key, &self.dense)?;
        self.dense.swap_remove(dense_index as usize);
        if let Some(moved) = self.dense.get(dense_index as usize) {
            self.sparse.relocate(moved.index(), dense_index);
        }
        Some(dense_index as usize)
    }

    /// Exchanges two members' positions.
    #[inline]
    pub(crate) fn swap(&mut self, a: usize, b: usize) {
        self.dense.swap(a, b);
        self.sparse.relocate(self.dense[a].index(), stored(a));
        self.sparse.relocate(self.dense[b].index(), stored(b));
    }

    /// Exchanges two members, which are found at their positions again after a
    /// [`relink`](Self::relink).
    #[inline]
    pub(super) fn swap_unlinked(&mut self, a: usize, b: usize) {
        self.dense.swap(a, b);
    }

    /// Makes the sparse array lead to these positions.
    pub(super) fn relink(&mut self, positions: Range<usize>) {
        for at in positions {
            self.sparse.relocate(self.dense[at].index(), stored(at));
        }
    }

    /// Removes every member. The dense array keeps its capacity.
    pub(crate) fn clear(&mut self) {
        self.sparse.clear();
        self.dense.clear();
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.sparse.shrink_to_fit();
        self.dense.shrink_to_fit();
    }

    /// Bytes on the heap: the sparse array's and the dense array's.
    pub(crate) fn memory(&self) -> (usize, usize) {
        (self.sparse.memory(), self.dense.capacity() * size_of::<K>())
    }

    pub(crate) fn check(&self) -> Result<(), &'static str> {
        self.sparse.check(&self.dense)
    }
}
