//! Sorting a sparse set.
//!
//! Positions are sorted; the members follow when the order is complete. So user code never meets a set between two
//! orders. A comparison that panics changes nothing; one that contradicts itself ends in some permutation.

use crate::storage::key::Key;
use crate::storage::keys::stored;
use crate::storage::sparse_set::SparseSet;
use crate::storage::values::Storage;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Returns the positions `0..len` in the order of a stable sort, or `None` if they are in order already.
///
/// The standard library's merge sort detects existing order: if few members are out of place, it needs little more than
/// one comparison for each member.
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

/// Sorts a list that is short or nearly in order, by insertion; equal elements keep their order. O(n²). The standard
/// library's sorts are compiled anew for each type, and each is thirty times as much code.
pub(crate) fn sort_few<T>(list: &mut [T], is_before: impl Fn(&T, &T) -> bool) {
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && is_before(&list[at], &list[at - 1]) {
            list.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// Returns the positions `0..len`, with `first` before the others, each once; or `None` if that is their order already.
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

/// Returns, for each position in turn, the position to change places with, so that the member at `order[i]` comes to
/// `i`.
///
/// The target of each exchange is computed before the previous exchange is made, so several accesses wait for memory
/// together. Along the cycles of the permutation, each would wait for the previous one.
pub(crate) fn exchanges(mut order: Vec<u32>) -> Vec<u32> {
    let mut places: Vec<u32> = (0..stored(order.len())).collect(); // the current place of each member
    let mut members = places.clone(); // the member at each place
    for at in 0..order.len() {
        let with = places[order[at] as usize];
        let moved = members[at];
        (members[with as usize], places[moved as usize]) = (moved, with);
        order[at] = with;
    }
    order
}

impl<T, K: Key, S: Storage<T>> SparseSet<T, K, S> {
    /// Moves the member at `order[i]` to `i`.
    fn reorder(&mut self, order: Vec<u32>) {
        if !order.is_sorted() {
            self.untyped().exchange_all(0, &exchanges(order));
        }
    }

    /// Sorts the members by their values. Stable.
    ///
    /// O(n log n) comparisons, fewer for members that are partly in order, then one exchange for each member that is
    /// out of place. Allocates 12 bytes for each member.
    ///
    /// A comparison that panics leaves the order as it was.
    ///
    /// # Panics
    /// May panic if the comparison is not a total order; `partial_cmp` of floats is not one if a value is NaN: see
    /// [`slice::sort_by`]. The order is then unchanged, too.
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<i32> = [(0, 30), (1, 10), (2, 20)].into_iter().collect();
    /// set.sort_by(Ord::cmp);
    /// assert_eq!((set.as_slice(), set.keys()), (&[10, 20, 30][..], &[1, 2, 0][..]));
    /// ```
    pub fn sort_by(&mut self, mut compare: impl FnMut(S::Ref<'_>, S::Ref<'_>) -> Ordering) {
        self.pin(true);
        let values = self.raw_values().get();
        let compare = |a, b| match (values.get(a), values.get(b)) {
            (Some(a), Some(b)) => compare(a, b),
            _ => Ordering::Equal,
        };
        if let Some(order) = sorted_positions(self.len(), compare) {
            self.reorder(order);
        }
    }

    /// Sorts the members by a key of their values. Stable; computes each key once.
    ///
    /// Costs and panics are like in [`sort_by`](Self::sort_by); the keys are allocated as well.
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<i32> = [(0, -3), (1, 1), (2, -2)].into_iter().collect();
    /// set.sort_by_key(|value| value.abs());
    /// assert_eq!(set.as_slice(), [1, -2, -3]);
    /// ```
    pub fn sort_by_key<V: Ord>(&mut self, mut key: impl FnMut(S::Ref<'_>) -> V) {
        self.pin(true);
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
    /// Costs and panics are like in [`sort_by`](Self::sort_by), but it is often faster.
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
        self.pin(true);
        let values = self.raw_values().get();
        let mut order: Vec<u32> = (0..stored(self.len())).collect();
        order.sort_unstable_by(|&a, &b| match (values.get(a as usize), values.get(b as usize)) {
            (Some(a), Some(b)) => compare(a, b),
            _ => Ordering::Equal,
        });
        self.reorder(order);
    }

    /// Moves the members that are among `keys` to the front, in the order of `keys`; the others follow in their order.
    /// O(members and keys); allocates 12 bytes for each member.
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<char> = (0..).zip('a'..='d').collect();
    /// set.sort_as(&[3, 9, 1]);
    /// assert_eq!(set.as_slice(), ['d', 'b', 'a', 'c']);
    /// ```
    pub fn sort_as(&mut self, keys: &[K]) {
        self.pin(true);
        let first = keys.iter().filter_map(|key| self.raw_keys().find(*key));
        if let Some(order) = placed_first(self.len(), first) {
            self.reorder(order);
        }
    }
}
