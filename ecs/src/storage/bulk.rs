//! Edits of many members of a sparse set at once, for batches and groups.
//!
//! Views read a member's value without checking that it exists. So each function that combines keys and values checks
//! once, before the set changes, that each key has a value. There are never fewer values than keys, even after a panic
//! (V2).

use crate::storage::key::Key;
#[cfg(feature = "serde")]
use crate::storage::keys::Keys;
use crate::storage::sparse_set::SparseSet;
use crate::storage::untyped::{append_all, check_lengths};
use crate::storage::values::Storage;

impl<T, K: Key, S: Storage<T>> SparseSet<T, K, S> {
    /// Appends a value; its key follows: see [`adopt`](super::untyped::SetMut::adopt).
    #[inline]
    pub(crate) fn push_value(&mut self, value: T) {
        self.values.get_mut().push(value);
    }

    /// Makes these keys members with these values; no member may have their indices.
    ///
    /// # Panics
    /// Panics if the numbers of keys and values differ; the set is then unchanged.
    pub(crate) fn append(&mut self, keys: &[K], mut values: S) {
        check_lengths(keys.len(), values.len());
        self.keys.reserve(keys.len());
        append_all(self.values.get_mut(), &mut values);
        self.keys.append(keys);
    }

    /// Inserts these keys with these values. Makes room only for keys that are not members yet; the values of the
    /// others are replaced in their places and added to `gone`.
    ///
    /// # Panics
    /// Panics if the numbers of keys and values differ; the set is then unchanged.
    pub(crate) fn put_all(&mut self, keys: &[K], mut values: S, gone: &mut S) {
        check_lengths(keys.len(), values.len());
        let replaced = self.keys.count_of(keys);
        if replaced == 0 {
            return self.append(keys, values);
        }
        self.reserve(keys.len() - replaced);
        gone.reserve(replaced);
        reverse(&mut values);
        for &key in keys {
            if let Some(old) = self.put(key, pop(&mut values)) {
                gone.push(old);
            }
        }
    }

    /// Makes `key` a member whose value the caller pushes to its [values](Self::values_mut) immediately, if it is a new
    /// one. Otherwise returns its position. No other key with this index may be a member.
    #[inline]
    pub(crate) fn enter_key(&mut self, key: K) -> Option<usize> {
        self.keys.push(key)
    }

    /// Returns the values, to be changed. Their number stays the one of the keys.
    #[inline]
    pub(crate) fn values_mut(&mut self) -> &mut S {
        self.values.get_mut()
    }

    /// Returns the value at this position, to be changed.
    pub(crate) fn value_mut(&mut self, at: usize) -> Option<S::RefMut<'_>> {
        self.values.get_mut().get_mut(at)
    }

    /// Returns the result of `look`, called with the values.
    pub(crate) fn with_values<'a, R>(&'a self, look: impl FnOnce(&'a S) -> R) -> R {
        look(self.values.get())
    }

    /// Replaces the set by these keys and these values.
    ///
    /// # Panics
    /// Panics if their numbers differ; the set is then unchanged.
    #[cfg(feature = "serde")]
    pub(crate) fn restore(&mut self, keys: Keys<K>, values: S) {
        check_lengths(keys.len(), values.len());
        (self.keys, *self.values.get_mut()) = (keys, values);
    }

    /// Replaces the keys by these, or keeps them for `None`, and writes these values at these positions. The positions
    /// must ascend and include each new member. Values that are replaced, or belong to removed members, are added to
    /// `gone`.
    ///
    /// # Panics
    /// Panics if the numbers of values and positions differ, or a new member has no value; the set is then unchanged.
    #[cfg(feature = "serde")]
    pub(crate) fn put_at(
        &mut self,
        keys: Option<Keys<K>>,
        positions: &[usize],
        mut new: S,
        gone: &mut S,
    ) {
        check_lengths(positions.len(), new.len());
        let values = self.values.get_mut();
        let len = keys.as_ref().map_or(self.keys.len(), Keys::len);
        let kept = len.min(values.len());
        let replaced = replaced_of(positions, kept, len);
        gone.reserve(replaced.len() + values.len() - kept);
        values.reserve(len - kept);
        reverse(&mut new);
        for &at in replaced {
            let mut value = pop(&mut new);
            values.exchange(at, &mut value);
            gone.push(value);
        }
        while new.len() > 0 {
            values.push(pop(&mut new));
        }
        if let Some(keys) = keys {
            self.keys = keys;
        }
        while values.len() > len {
            gone.push(pop(values));
        }
    }

    /// Returns a copy of a member's value.
    pub(crate) fn copy_one(&self, key: K, copy: fn(&S, usize) -> T) -> Option<T> {
        Some(copy(self.values.get(), self.keys.find(key)?))
    }

    /// Makes this set a copy of `from`; `copy`, which is user code, copies the values.
    ///
    /// # Panics
    /// Panics if `copy` does, or leaves another number of values; the set is then empty.
    #[inline]
    pub(crate) fn copy_by(&mut self, copy: impl FnOnce(&mut S, &S), from: &Self) {
        /// Empties the set on drop, unless everything was copied.
        struct WholeSet<'a, T, K: Key, S: Storage<T>>(&'a mut SparseSet<T, K, S>, bool);
        impl<T, K: Key, S: Storage<T>> Drop for WholeSet<'_, T, K, S> {
            fn drop(&mut self) {
                if !self.1 {
                    self.0.clear();
                }
            }
        }
        let mut whole = WholeSet(self, false);
        copy(whole.0.values.get_mut(), from.values.get());
        check_lengths(from.keys.len(), whole.0.values.get().len());
        whole.0.keys.clone_from(&from.keys);
        whole.1 = true;
    }

    /// Removes and returns the value that was [taken out](super::untyped::SetMut::take_out_at); the set must have no other values without
    /// members.
    pub(crate) fn pop_taken(&mut self) -> Option<T> {
        let (values, last) = (self.values.get_mut(), self.keys.len());
        if last < values.len() { Some(values.swap_remove(last)) } else { None }
    }

    /// Keeps the members in the order that they have, or ends that.
    pub(crate) fn pin(&mut self, is_pinned: bool) {
        self.keys.pin(is_pinned);
    }
}

/// Returns the positions among these, which ascend, that members keep; the others belong to new members.
///
/// # Panics
/// When the others are not.
#[cfg(feature = "serde")]
fn replaced_of(positions: &[usize], kept: usize, len: usize) -> &[usize] {
    let (replaced, added) =
        positions.split_at(positions.partition_point(|position| *position < kept));
    assert!(
        added.iter().copied().eq(kept..len),
        "the new values are at positions {added:?}, and the new members at {kept}..{len}"
    );
    replaced
}

/// Reverses the order of values. They are taken in order by [`pop`] then, without an iterator that is compiled for their
/// type.
fn reverse<T, S: Storage<T>>(values: &mut S) {
    let len = values.len();
    (0..len / 2).for_each(|at| values.swap(at, len - 1 - at));
}

/// Removes and returns the last value, which must exist.
fn pop<T, S: Storage<T>>(values: &mut S) -> T {
    values.swap_remove(values.len() - 1)
}

/// Returns `true` if one pass over the dense array is faster than a lookup for each of `all` keys that are taken out.
/// To be decided once, before the first is taken out.
#[inline]
pub(crate) fn is_swept(members: usize, all: usize) -> bool {
    all.saturating_mul(SWEPT_PART) >= members
}

/// The share of members, one in this many, from which on one pass takes out all keys.
const SWEPT_PART: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    type Set = SparseSet<u32, u32, Vec<u32>>;

    /// Returns a set with these keys; each value is ten times its key.
    fn set_of(keys: impl IntoIterator<Item = u32>) -> Set {
        keys.into_iter().map(|key| (key, key * 10)).collect()
    }

    /// Checks that `edit` is refused, and that a set with the members 1, 2 and 3 stays unchanged. Members that come
    /// later must have their own values, too.
    #[track_caller]
    fn assert_refused(edit: impl FnOnce(&mut Set)) {
        let mut set = set_of(1..=3);
        let refused = catch_unwind(AssertUnwindSafe(|| edit(&mut set)));
        assert!(refused.is_err(), "the edit was not refused");
        set.untyped().finish(false); // drops the values pushed in advance
        set.check_invariants();
        assert_eq!((set.keys(), set.as_slice()), (&[1, 2, 3][..], &[10, 20, 30][..]));
        set.insert(4, 40);
        set.check_invariants();
        assert_eq!(set.get(4), Some(&40));
    }

    #[test]
    fn keys_without_a_value_are_not_appended() {
        assert_refused(|set| set.append(&[7, 8], Vec::from([70])));
        assert_refused(|set| set.append(&[7], Vec::from([70, 80])));
        assert_refused(|set| set.append(&[7], Vec::new()));
    }

    #[test]
    fn keys_without_a_value_are_not_put() {
        assert_refused(|set| set.put_all(&[7, 2], Vec::from([70]), &mut Vec::new()));
        assert_refused(|set| set.put_all(&[2], Vec::from([70, 80]), &mut Vec::new()));
    }

    #[test]
    fn keys_without_a_pushed_value_are_not_adopted() {
        let push = |set: &mut Set, values: &[u32]| values.iter().for_each(|v| set.push_value(*v));
        assert_refused(|set| set.untyped().adopt(&[7], &[]));
        assert_refused(|set| set.untyped().adopt(&[], &[7, 8]));
        assert_refused(|set| {
            push(set, &[70, 80]);
            set.untyped().adopt(&[7], &[8, 9]);
        });
    }

    #[test]
    fn keys_without_a_pushed_value_take_nothing_over() {
        assert_refused(|set| set.untyped().take_over(&[7]));
        assert_refused(|set| {
            set.push_value(70);
            set.untyped().take_over(&[2, 7]);
        });
    }

    #[test]
    fn nothing_is_popped_where_nothing_was_taken_out() {
        let mut set = set_of(1..=3);
        assert_eq!(set.pop_taken(), None);
        set.untyped().take_out_at(1, 1);
        assert_eq!((set.pop_taken(), set.pop_taken()), (Some(20), None));
        set.check_invariants();
    }

    #[test]
    fn the_check_finds_missing_keys_and_values() {
        let broken = |change: fn(&mut Set)| {
            let mut set = set_of(1..=3);
            change(&mut set);
            assert!(set.check().is_err());
            assert!(catch_unwind(AssertUnwindSafe(|| set.check_invariants())).is_err());
        };
        broken(|set| set.push_value(40));
        broken(|set| set.keys.append(&[4]));
        broken(|set| {
            set.push_value(40);
            set.keys.swap_unlinked(0, 1);
            set.pop_taken();
        });
    }

    #[test]
    fn a_set_that_is_not_copied_as_a_whole_is_empty() {
        type Copy = fn(&mut Vec<u32>, &Vec<u32>);
        let copies: [Copy; 3] = [
            |values, from| values.clone_from(&from[1..].to_vec()),
            |values, _| values.truncate(1),
            |values, _| {
                values.clear();
                panic!("a value that cannot be copied");
            },
        ];
        for copy in copies {
            let (mut set, from) = (set_of(1..=3), set_of(1..=5));
            assert!(catch_unwind(AssertUnwindSafe(|| set.copy_by(copy, &from))).is_err());
            set.check_invariants();
            assert!(set.is_empty());
        }
    }

    #[cfg(feature = "serde")]
    mod restored {
        use super::*;

        /// The last of the new keys, which begin with 1, if there are any; positions; values.
        type At<'a> = (Option<u32>, &'a [usize], &'a [u32]);

        fn keys_of(keys: impl IntoIterator<Item = u32>) -> Keys<u32> {
            set_of(keys).keys
        }

        #[test]
        fn keys_without_a_value_are_not_restored() {
            assert_refused(|set| set.restore(keys_of(1..=4), Vec::from([10, 20, 30])));
            assert_refused(|set| set.restore(keys_of(1..=2), Vec::from([10, 20, 30])));
        }

        #[test]
        fn keys_without_a_value_are_not_patched() {
            let refused: [At; 8] = [
                (Some(5), &[], &[]),
                (Some(5), &[3], &[40]),
                (Some(5), &[4], &[50]),
                (Some(5), &[3, 5], &[40, 50]),
                (Some(5), &[3, 4], &[40]),
                (Some(3), &[3], &[40]),
                (None, &[3], &[40]),
                (None, &[1], &[]),
            ];
            for (last, positions, values) in refused {
                let keys = last.map(|last| keys_of(1..=last));
                assert_refused(|set| {
                    set.put_at(keys, positions, values.to_vec(), &mut Vec::new());
                });
            }
        }

        #[test]
        fn patched_sets_have_the_new_values_and_give_the_old_ones_back() {
            let patches: [(At, [&[u32]; 2]); 4] = [
                ((None, &[0, 2], &[11, 33]), [&[11, 20, 33], &[10, 30]]),
                ((Some(5), &[1, 3, 4], &[22, 40, 50]), [&[10, 22, 30, 40, 50], &[20]]),
                ((Some(1), &[0], &[11]), [&[11], &[10, 30, 20]]),
                ((Some(0), &[], &[]), [&[], &[30, 20, 10]]),
            ];
            for ((last, positions, values), [after, old]) in patches {
                let (mut set, mut gone) = (set_of(1..=3), Vec::new());
                let keys = last.map(|last| keys_of(1..=last));
                set.put_at(keys, positions, values.to_vec(), &mut gone);
                set.check_invariants();
                assert_eq!((set.as_slice(), &gone[..]), (after, old));
            }
        }
    }
}
