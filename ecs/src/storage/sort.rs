//! Sorting a sparse set.
//!
//! What is sorted are positions; the members follow when the order is known. So user code never
//! meets a set in between, and a comparison that panics or contradicts itself changes nothing or
//! ends in some permutation.

use crate::storage::key::Key;
use crate::storage::keys::stored;
use crate::storage::sparse_set::SparseSet;
use crate::storage::values::Storage;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The positions `0..len` in the order of a stable sort, or none where they are in order already.
///
/// The standard library's merge sort finds what is in order already: few members out of place cost
/// few comparisons more than one a member.
pub(crate) fn sorted_positions(
    len: usize,
    mut compare: impl FnMut(usize, usize) -> Ordering,
) -> Option<Vec<u32>> {
    let mut compare = |a: u32, b: u32| compare(a as usize, b as usize);
    let len = stored(len);
    if (1..len).all(|at| compare(at - 1, at).is_le()) {
        return None;
    }
    let mut order: Vec<u32> = (0..len).collect();
    order.sort_by(|&a, &b| compare(a, b));
    Some(order)
}

/// The positions `0..len`: these first, each once, and then the others; or none where that is their order.
pub(crate) fn placed_first(len: usize, first: impl Iterator<Item = usize>) -> Option<Vec<u32>> {
    let mut is_placed = alloc::vec![false; len];
    let mut order = Vec::with_capacity(len);
    for at in first {
        if !core::mem::replace(&mut is_placed[at], true) {
            order.push(stored(at));
        }
    }
    order.extend((0..).zip(is_placed).filter(|(_, placed)| !placed).map(|(at, _)| at));
    (!order.is_sorted()).then_some(order)
}

/// What each position, one after the other, is to change places with, so that the one at `order[i]`
/// comes to `i`.
///
/// Where an exchange leads to is known before the one before is made, so many wait for memory at the
/// same time. Along the cycles of the permutation each would wait for the one before.
pub(crate) fn exchanges(mut order: Vec<u32>) -> Vec<u32> {
    let mut places: Vec<u32> = (0..stored(order.len())).collect(); // where each is by now
    let mut members = places.clone(); // which one is at each place
    for at in 0..order.len() {
        let with = places[order[at] as usize];
        let moved = members[at];
        (members[with as usize], places[moved as usize]) = (moved, with);
        order[at] = with;
    }
    order
}

impl<T, K: Key, S: Storage<T>> SparseSet<T, K, S> {
    /// Moves the one at `order[i]` to `i`.
    fn reorder(&mut self, order: Vec<u32>) {
        if !order.is_sorted() {
            self.exchange_all(0, &exchanges(order));
        }
    }

    /// Sorts the members by their values. Stable.
    ///
    /// O(n log n) comparisons, less for members that are partly in order, then one exchange a
    /// member that is out of place. Allocates 12 bytes a member.
    ///
    /// A comparison that panics leaves the order as it was.
    ///
    /// # Panics
    /// Perhaps, when the comparison is no total order, as that of floats by `partial_cmp` is none where
    /// one is not a number: see [`slice::sort_by`]. The order is then as it was, too.
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<i32> = [(0, 30), (1, 10), (2, 20)].into_iter().collect();
    /// set.sort_by(Ord::cmp);
    /// assert_eq!((set.as_slice(), set.keys()), (&[10, 20, 30][..], &[1, 2, 0][..]));
    /// ```
    pub fn sort_by(&mut self, mut compare: impl FnMut(S::Ref<'_>, S::Ref<'_>) -> Ordering) {
        let values = self.raw_values().get();
        let compare = |a, b| match (values.get(a), values.get(b)) {
            (Some(a), Some(b)) => compare(a, b),
            _ => Ordering::Equal,
        };
        if let Some(order) = sorted_positions(self.len(), compare) {
            self.reorder(order);
        }
    }

    /// Sorts the members by a key of their values. Stable; makes each key once.
    ///
    /// As [`sort_by`](Self::sort_by), and allocates the keys, too.
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<i32> = [(0, -3), (1, 1), (2, -2)].into_iter().collect();
    /// set.sort_by_key(|value| value.abs());
    /// assert_eq!(set.as_slice(), [1, -2, -3]);
    /// ```
    pub fn sort_by_key<V: Ord>(&mut self, mut key: impl FnMut(S::Ref<'_>) -> V) {
        let values = self.raw_values().get();
        let key = |at: u32| values.get(at as usize).map(&mut key);
        let mut keys: Vec<(Option<V>, u32)> = (0..stored(self.len())).map(key).zip(0..).collect();
        if keys.is_sorted_by(|a, b| a.0 <= b.0) {
            return;
        }
        keys.sort_by(|a, b| a.0.cmp(&b.0));
        self.reorder(keys.into_iter().map(|(_, at)| at).collect());
    }

    /// Sorts the members by their values; equal ones may change places.
    ///
    /// As [`sort_by`](Self::sort_by), and often faster.
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<i32> = [(0, 30), (1, 10), (2, 20)].into_iter().collect();
    /// set.sort_unstable_by(|a, b| b.cmp(a));
    /// assert_eq!(set.as_slice(), [30, 20, 10]);
    /// ```
    pub fn sort_unstable_by(
        &mut self,
        mut compare: impl FnMut(S::Ref<'_>, S::Ref<'_>) -> Ordering,
    ) {
        let values = self.raw_values().get();
        let mut order: Vec<u32> = (0..stored(self.len())).collect();
        order.sort_unstable_by(|&a, &b| match (values.get(a as usize), values.get(b as usize)) {
            (Some(a), Some(b)) => compare(a, b),
            _ => Ordering::Equal,
        });
        self.reorder(order);
    }

    /// Moves the members that are among `keys` to the front, in the order of `keys`; the others
    /// follow in theirs. O(members and keys); allocates 12 bytes a member.
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<char> = (0..).zip('a'..='d').collect();
    /// set.sort_as(&[3, 9, 1]);
    /// assert_eq!(set.as_slice(), ['d', 'b', 'a', 'c']);
    /// ```
    pub fn sort_as(&mut self, keys: &[K]) {
        let first = keys.iter().filter_map(|key| self.raw_keys().find(*key));
        if let Some(order) = placed_first(self.len(), first) {
            self.reorder(order);
        }
    }
}
