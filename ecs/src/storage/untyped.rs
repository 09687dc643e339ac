//! A sparse set without the type of its values: edits that move, drop or take out values, but read none.
//!
//! A world edits pools of any types. This code is compiled once. It calls the few functions that are compiled for each type.
//!
//! Views read a member's value without checking that it exists. So each function that combines keys and values checks
//! once, before the set changes, that each key has a value. There are never fewer values than keys, even after a panic
//! (V2).

use crate::storage::key::Key;
use crate::storage::keys::Keys;
#[cfg(feature = "serde")]
use crate::storage::keys::Noted;
use crate::storage::values::{EachColumn, EachColumnMut, PoolValues, Storage};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;

/// The values of a pool, without keys.
pub(crate) type Loose = dyn Any + Send + Sync;

/// The values of a sparse set, without their type.
pub(crate) trait UntypedValues {
    fn len(&self) -> usize;
    fn swap(&mut self, a: usize, b: usize);
    /// Moves the value at `at` to the position `last`, or forgets it if its type has no drop. The last value takes its
    /// place.
    fn take_out(&mut self, at: usize, last: usize);
    /// Drops all but the first `len` values.
    fn truncate(&mut self, len: usize);
    /// Moves untyped values of this type behind the others, and returns their number; 0 if they are of another type.
    fn append(&mut self, values: &mut Loose) -> usize;
    /// Exchanges the values at these positions with untyped values of this type, one for each, and returns their number.
    /// Exchanges none if that is another one; 0 stands for values of another type.
    fn exchange(&mut self, positions: &[usize], values: &mut Loose) -> usize;
    /// Removes and returns the values from a position on: all in their order, others in reverse order.
    fn split_off(&mut self, at: usize) -> Box<Loose>;
    /// Returns the storage of the values.
    fn as_loose(&self) -> &Loose;
    /// Returns the storage of the values.
    fn as_loose_mut(&mut self) -> &mut Loose;
    fn shrink_to_fit(&mut self);
    /// Returns the bytes on the heap, without memory that the values own.
    fn memory(&self) -> usize;
    /// Calls `each` with each column: the values of a field, or whole values.
    fn each_column<'a>(&'a self, each: EachColumn<'_, 'a>);
    /// Calls `each` with each column, to be changed in place.
    fn each_column_mut<'a>(&'a mut self, each: EachColumnMut<'_, 'a>);
}

impl<T, S: Storage<T>> UntypedValues for PoolValues<T, S> {
    fn len(&self) -> usize {
        self.get().len()
    }
    fn swap(&mut self, a: usize, b: usize) {
        self.get_mut().swap(a, b);
    }
    fn take_out(&mut self, at: usize, last: usize) {
        let values = self.get_mut();
        if const { core::mem::needs_drop::<T>() } {
            values.swap(at, last);
        } else {
            values.swap_remove(at); // without reading it
        }
    }
    fn truncate(&mut self, len: usize) {
        self.get_mut().truncate(len);
    }
    fn append(&mut self, values: &mut Loose) -> usize {
        match values.downcast_mut::<S>() {
            Some(values) => {
                let (own, count) = (self.get_mut(), values.len());
                if own.len() == 0 {
                    *own = core::mem::take(values);
                } else {
                    own.reserve(count);
                    own.append(values);
                }
                count
            }
            None => 0,
        }
    }
    fn exchange(&mut self, positions: &[usize], values: &mut Loose) -> usize {
        let Some(values) = values.downcast_mut::<S>() else { return 0 };
        let count = values.len();
        if count == positions.len() {
            for (from, &at) in positions.iter().enumerate() {
                self.get_mut().exchange_with(at, values, from);
            }
        }
        count
    }
    fn split_off(&mut self, at: usize) -> Box<Loose> {
        let values = self.get_mut();
        if at == 0 {
            return Box::new(core::mem::take(values));
        }
        let mut taken = S::default();
        taken.reserve(values.len().saturating_sub(at));
        while values.len() > at {
            taken.push(values.swap_remove(values.len() - 1));
        }
        Box::new(taken)
    }
    fn as_loose(&self) -> &Loose {
        self.get()
    }
    fn as_loose_mut(&mut self) -> &mut Loose {
        self.get_mut()
    }
    fn shrink_to_fit(&mut self) {
        self.get_mut().shrink_to_fit();
    }
    fn memory(&self) -> usize {
        self.get().memory()
    }
    fn each_column<'a>(&'a self, each: EachColumn<'_, 'a>) {
        self.get().each_column(each);
    }
    fn each_column_mut<'a>(&'a mut self, each: EachColumnMut<'_, 'a>) {
        self.get_mut().each_column_mut(each);
    }
}

/// A sparse set that is borrowed without the type of its values.
///
/// Some methods leave it half changed: values without members follow the others until the set is
/// [finished](Self::finish).
pub(crate) struct SetMut<'a, K: Key> {
    pub(super) keys: &'a mut Keys<K>,
    pub(super) values: &'a mut dyn UntypedValues,
}

impl<'a, K: Key> SetMut<'a, K> {
    /// Makes these keys members with untyped values; no member may have their indices.
    ///
    /// # Panics
    /// Panics if the numbers of keys and values differ, or the values are of another type; the set is then unchanged.
    pub(crate) fn append(&mut self, keys: &[K], values: Box<Loose>) {
        self.keys.reserve(keys.len());
        self.push_values(keys.len(), values);
        self.keys.append(keys);
    }

    /// Moves this many untyped values behind the others.
    ///
    /// # Panics
    /// Panics if the values are more or fewer, or of another type; the set is then unchanged.
    fn push_values(&mut self, expected: usize, mut values: Box<Loose>) {
        let (len, count) = (self.values.len(), self.values.append(&mut *values));
        if count != expected {
            self.values.truncate(len);
        }
        check_count(expected, count);
    }

    /// Makes these keys members with untyped values, one for each, and returns the values that they replace. Makes no room
    /// if all keys are members.
    ///
    /// # Panics
    /// Panics like [`append`](Self::append).
    pub(crate) fn put_all(&mut self, keys: &[K], values: Box<Loose>) -> Box<Loose> {
        let positions = keys.iter().filter_map(|key| self.keys.find(*key));
        let positions: Vec<usize> = positions.collect();
        if positions.is_empty() {
            self.append(keys, values);
            return Box::new(());
        }
        if positions.len() == keys.len() {
            return self.exchange(&positions, values);
        }
        self.push_values(keys.len(), values);
        self.take_over(keys);
        self.pop_loose()
    }

    /// Writes untyped values at these positions, and returns the values that were there.
    ///
    /// # Panics
    /// Panics if the values are more or fewer, or of another type; the set is then unchanged.
    fn exchange(&mut self, positions: &[usize], mut values: Box<Loose>) -> Box<Loose> {
        check_count(positions.len(), self.values.exchange(positions, &mut *values));
        values
    }

    /// Makes this set a copy of another one of its type; `copy`, which is user code, copies the values.
    ///
    /// # Panics
    /// Panics if `copy` does, or leaves another number of values; the set is then empty.
    pub(crate) fn copy_by(
        self,
        copy: &dyn Fn(&mut Loose, &Loose),
        from: (&Keys<K>, &dyn UntypedValues),
    ) {
        /// Empties the set on drop, unless everything was copied.
        struct Whole<'a, K: Key>(SetMut<'a, K>, bool);
        impl<K: Key> Drop for Whole<'_, K> {
            fn drop(&mut self) {
                if !self.1 {
                    self.0.clear();
                }
            }
        }
        let mut whole = Whole(self, false);
        copy(whole.0.values.as_loose_mut(), from.1.as_loose());
        check_count(from.0.len(), whole.0.values.len());
        whole.0.keys.clone_from(from.0);
        whole.1 = true;
    }

    /// Removes and returns the values without members: ones that were [taken out](Self::take_out_at), or
    /// [replaced](Self::take_over).
    pub(crate) fn pop_loose(&mut self) -> Box<Loose> {
        self.values.split_off(self.keys.len())
    }

    /// Replaces the set by these keys and untyped values of this type. The old values are dropped last.
    ///
    /// # Panics
    /// Panics if their numbers differ; the set is then unchanged.
    #[cfg(feature = "serde")]
    pub(crate) fn restore(&mut self, keys: Keys<K>, mut values: Box<Loose>) {
        let mut old = self.values.split_off(0);
        let count = self.values.append(&mut *values);
        if count != keys.len() {
            let _new = self.values.split_off(0);
            self.values.append(&mut *old);
        }
        check_count(keys.len(), count);
        *self.keys = keys;
    }

    /// Replaces the keys by these, or keeps them for `None`, and writes untyped values of this type at these positions. The
    /// positions must ascend and include each new member. Returns the values that are replaced, or belong to removed
    /// members.
    ///
    /// # Panics
    /// Panics if the numbers of values and positions differ, or a new member has no value; the set is then unchanged.
    #[cfg(feature = "serde")]
    pub(crate) fn put_at(
        &mut self,
        keys: Option<Keys<K>>,
        positions: &[usize],
        new: Box<Loose>,
    ) -> Box<Loose> {
        let first = self.values.len();
        let len = keys.as_ref().map_or(first, Keys::len);
        let replaced = replaced_of(positions, len.min(first), len);
        let exchanged = if len == first && replaced.len() == positions.len() {
            Some(self.exchange(positions, new))
        } else {
            self.push_values(positions.len(), new);
            for (at, &position) in (first..).zip(replaced) {
                self.values.swap(position, at);
            }
            // The values of new members are behind the replaced ones, and change places with them, from the first on.
            if !replaced.is_empty() {
                (first..len).for_each(|at| self.values.swap(at, at + replaced.len()));
            }
            None
        };
        if let Some(keys) = keys {
            *self.keys = keys;
        }
        exchanged.unwrap_or_else(|| self.values.split_off(len))
    }

    /// Makes these keys members with the values that were pushed in advance; no member may have their indices. A value
    /// without a key stays until the set is [finished](Self::finish). `run` is as for [`Keys::extend_run`].
    ///
    /// # Panics
    /// Panics if fewer values were pushed; the set is then unchanged.
    pub(crate) fn adopt(&mut self, keys: &[K], run: &[K]) {
        self.check_pushed(keys.len() + run.len());
        self.keys.reserve(keys.len() + run.len());
        for key in keys {
            self.keys.push_new(*key);
        }
        self.keys.extend_run(run);
    }

    /// Checks that values for this many keys were pushed in advance.
    ///
    /// # Panics
    /// Panics if there are fewer.
    fn check_pushed(&self, keys: usize) {
        let pushed = self.values.len().saturating_sub(self.keys.len());
        assert!(pushed >= keys, "{pushed} values were pushed for {keys} keys");
    }

    /// Moves the wanted values among the ones pushed in advance before the others, in order.
    #[cold]
    pub(crate) fn put_first(&mut self, are_wanted: &[bool]) {
        let first = self.keys.len();
        let wanted = (first..).zip(are_wanted).filter(|(_, is_wanted)| **is_wanted);
        for (to, (from, _)) in (first..).zip(wanted) {
            if from != to {
                self.values.swap(from, to);
            }
        }
    }

    /// Makes `keys` members with the values that were pushed in advance, in order. A member's previous value stays behind
    /// the members' values until the set is [finished](Self::finish).
    ///
    /// # Panics
    /// Panics if fewer values were pushed; the set is then unchanged.
    pub(crate) fn take_over(&mut self, keys: &[K]) {
        self.check_pushed(keys.len());
        let first = self.keys.len();
        let Self { keys: own, values } = self;
        own.prefetch_all(keys, keys.len());
        own.push_all(keys, |at, dense_index, len| {
            if dense_index != first + at {
                (0..len).for_each(|next| values.swap(dense_index + next, first + at + next));
            }
        });
    }

    /// Removes all members; values are dropped last.
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.values.truncate(0);
    }

    /// Removes all members, and returns their values.
    pub(crate) fn take_values(&mut self) -> Box<Loose> {
        self.keys.clear();
        self.values.split_off(0)
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.keys.shrink_to_fit();
        self.values.shrink_to_fit();
    }

    /// Calls `each` with each column, to be changed in place, and returns the keys.
    pub(crate) fn each_column_mut(self, each: EachColumnMut<'_, 'a>) -> &'a Keys<K> {
        self.values.each_column_mut(each);
        self.keys
    }

    /// Exchanges a member, unless it is before position `to`, with the member there. Returns `true` if it is there now.
    #[inline]
    pub(crate) fn move_to(&mut self, key: K, to: usize) -> bool {
        let Some(from) = self.keys.move_to(key, to) else { return false };
        if from != to {
            self.values.swap(from, to);
        }
        true
    }

    /// Exchanges the members at two positions.
    #[inline]
    pub(crate) fn swap_at(&mut self, a: usize, b: usize) {
        if a != b {
            self.keys.swap(a, b);
            self.values.swap(a, b);
        }
    }

    /// Exchanges each member from `start` on, one after the other, with the member at `start + with[i]`.
    pub(crate) fn exchange_all(&mut self, start: usize, with: &[u32]) {
        self.keys.scatter();
        for (at, &with) in (start..).zip(with) {
            let with = start + with as usize;
            if with != at {
                self.keys.swap_unlinked(at, with);
                self.values.swap(at, with);
            }
        }
        self.keys.relink(start..start + with.len());
        if with.len() == self.keys.len() {
            self.keys.straighten();
        }
    }

    /// Ends the memberships of the `keys` for which `pass` returns `true`; `all` counts the keys of several calls.
    /// Until the set is [finished](Self::finish), nothing may be inserted. Until then the values stay: behind the
    /// members' values or, if the set is to be [swept](is_swept), among them. `pass` is called only for keys
    /// with the index of a member. Its second argument is `true` if the member is proven to be the key; `pass` must return
    /// `true` then. `ONLY` says that it always is.
    #[inline]
    pub(crate) fn take_out<const ONLY: bool>(
        &mut self,
        keys: &[K],
        all: usize,
        sweep: bool,
        mut pass: impl FnMut(K, bool) -> bool,
    ) {
        if sweep {
            return self.keys.strike::<ONLY>(keys, pass);
        }
        self.keys.prefetch_all(keys, all);
        for &key in keys {
            if let Some(at) = self.keys.swap_remove::<ONLY>(key) {
                self.values.take_out(at, self.keys.len());
                pass(key, true);
            }
        }
    }

    /// Ends the membership of the key at position `from`. The member at `by`, not before it, takes its position, and
    /// the last member takes position `by`. The value stays behind the members' values, until it is
    /// [popped](Self::pop_loose) or the set is [finished](Self::finish).
    pub(crate) fn take_out_at(&mut self, from: usize, by: usize) {
        let key = self.keys.dense()[from];
        self.keys.remove_by_way_of(key, from, by);
        let last = self.keys.len();
        self.values.swap(by, last);
        if from != by {
            self.values.swap(from, last);
        }
    }

    /// Moves the members among the first `end` that were taken out, to be [swept](is_swept), behind the
    /// others, and returns the number of the others. Their order is as for [`Keys::sweep_front`]. Calls `exchanged` with
    /// each two positions that changed places.
    pub(crate) fn sweep_front(
        &mut self,
        end: usize,
        exchanged: &mut dyn FnMut(usize, usize),
    ) -> usize {
        let Self { keys, values } = self;
        let exchange: &mut dyn FnMut(usize, usize) = &mut |a, b| {
            values.swap(a, b);
            exchanged(a, b);
        };
        keys.sweep_front(end, exchange)
    }

    /// Ends [taking out](Self::take_out), as it was begun, and [taking over](Self::take_over):
    /// drops the values without members.
    pub(crate) fn finish(&mut self, sweep: bool) {
        let Self { keys, values } = self;
        if sweep {
            keys.sweep(|a, b| values.swap(a, b));
        }
        values.truncate(keys.len());
    }

    /// Restores the forms of pages, as far as their members allow that: see [`Keys::restore_forms`].
    pub(crate) fn restore_forms(&mut self, forms: &[(usize, [u8; 2])]) {
        self.keys.restore_forms(forms);
    }

    /// Begins to note which of the first `len` positions other members take: see [`Keys::keep`].
    pub(crate) fn keep(&mut self, len: usize, band: Option<u8>) {
        self.keys.keep(len, band);
    }

    /// Goes on with an order: see [`Keys::restore_noted`].
    #[cfg(feature = "serde")]
    pub(crate) fn restore_noted(&mut self, noted: Noted<'_, K>) {
        self.keys.restore_noted(noted);
    }

    /// Notes an exchange of members: see [`Keys::note_exchange`].
    pub(crate) fn note_exchange(&mut self, a: usize, b: usize) {
        self.keys.note_exchange(a, b);
    }

    /// Ends the tiling of the keys.
    pub(crate) fn scatter(&mut self) {
        self.keys.scatter();
    }
}

/// Checks that there are as many values as keys.
///
/// # Panics
/// Panics if there are more or fewer.
fn check_count(keys: usize, values: usize) {
    assert!(keys == values, "{values} values for {keys} keys");
}

/// Returns the positions among these, which ascend, that members keep; the others belong to new members.
///
/// # Panics
/// Panics if the others do not.
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
    use crate::storage::sparse_set::SparseSet;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    type Set = SparseSet<u32, u32, Vec<u32>>;

    fn loose(values: &[u32]) -> Box<Loose> {
        Box::new(values.to_vec())
    }

    fn sorted(values: Box<Loose>) -> Vec<u32> {
        let mut values = *values.downcast::<Vec<u32>>().unwrap();
        values.sort_unstable();
        values
    }

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
        assert_refused(|set| set.untyped().append(&[7, 8], loose(&[70])));
        assert_refused(|set| set.untyped().append(&[7], loose(&[70, 80])));
        assert_refused(|set| set.untyped().append(&[7], loose(&[])));
        assert_refused(|set| set.untyped().append(&[7], Box::new(Vec::from([7_u8]))));
    }

    #[test]
    fn keys_without_a_value_are_not_put() {
        assert_refused(|set| drop(set.untyped().put_all(&[7, 2], loose(&[70]))));
        assert_refused(|set| drop(set.untyped().put_all(&[2], loose(&[70, 80]))));
        assert_refused(|set| drop(set.untyped().put_all(&[2], Box::new(Vec::from([7_u8])))));
        assert_refused(|set| drop(set.untyped().put_all(&[2, 7], Box::new(Vec::from([7_u8; 2])))));
    }

    #[test]
    fn put_values_replace_others() {
        type Put<'a> = (&'a [u32], &'a [u32], &'a [u32]);
        let puts: [Put; 3] = [
            (&[3, 1], &[30, 10], &[1, 20, 3]),
            (&[3, 4, 1], &[30, 10], &[1, 20, 3, 4]),
            (&[4, 5], &[], &[10, 20, 30, 4, 5]),
        ];
        for (keys, old, after) in puts {
            let mut set = set_of(1..=3);
            let gone = set.untyped().put_all(keys, loose(keys));
            set.check_invariants();
            let gone = gone.downcast::<Vec<u32>>().map_or_else(|_| Vec::new(), |gone| *gone);
            assert_eq!(set.as_slice(), after);
            assert!(gone.len() == old.len() && old.iter().all(|value| gone.contains(value)));
        }
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
        assert_eq!((set.pop_taken(), sorted(set.untyped().pop_loose())), (None, Vec::new()));
        set.untyped().take_out_at(1, 1);
        assert_eq!((set.pop_taken(), set.pop_taken()), (Some(20), None));
        set.untyped().take_out_at(0, 0);
        assert_eq!(sorted(set.untyped().pop_loose()), [10]);
        assert!(sorted(set.untyped().pop_loose()).is_empty());
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
            drop(set.untyped().pop_loose());
        });
    }

    #[test]
    fn a_set_that_is_not_copied_as_a_whole_is_empty() {
        type Copy = fn(&mut Vec<u32>);
        let copies: [Copy; 3] = [
            |values| *values = Vec::from([20, 30]),
            |values| values.truncate(1),
            |values| {
                values.clear();
                panic!("a value that cannot be copied");
            },
        ];
        for copy in copies {
            let (mut set, from) = (set_of(1..=3), set_of(1..=5));
            let copy = |values: &mut Loose, _: &Loose| copy(values.downcast_mut().unwrap());
            let from: (_, &dyn UntypedValues) = (&from.keys, &from.values);
            let result = catch_unwind(AssertUnwindSafe(|| set.untyped().copy_by(&copy, from)));
            assert!(result.is_err());
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
            assert_refused(|set| set.untyped().restore(keys_of(1..=4), loose(&[10, 20, 30])));
            assert_refused(|set| set.untyped().restore(keys_of(1..=2), loose(&[10, 20, 30])));
            assert_refused(|set| {
                set.untyped().restore(keys_of(1..=2), Box::new(Vec::from([7_u8])));
            });
        }

        #[test]
        fn restored_sets_have_the_new_values_alone() {
            let mut set = set_of(1..=3);
            set.untyped().restore(keys_of(4..=5), loose(&[4, 5]));
            set.check_invariants();
            assert_eq!((set.keys(), set.as_slice()), (&[4, 5][..], &[4, 5][..]));
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
                    drop(set.untyped().put_at(keys, positions, loose(values)));
                });
            }
        }

        #[test]
        fn patched_sets_have_the_new_values_and_give_the_old_ones_back() {
            let patches: [(At, [&[u32]; 2]); 6] = [
                ((None, &[0, 2], &[11, 33]), [&[11, 20, 33], &[10, 30]]),
                ((Some(5), &[1, 3, 4], &[22, 40, 50]), [&[10, 22, 30, 40, 50], &[20]]),
                ((Some(5), &[3, 4], &[40, 50]), [&[10, 20, 30, 40, 50], &[]]),
                ((Some(4), &[0, 1, 2, 3], &[1, 2, 3, 4]), [&[1, 2, 3, 4], &[10, 20, 30]]),
                ((Some(1), &[0], &[11]), [&[11], &[10, 20, 30]]),
                ((Some(0), &[], &[]), [&[], &[10, 20, 30]]),
            ];
            for ((last, positions, values), [after, old]) in patches {
                let mut set = set_of(1..=3);
                let keys = last.map(|last| keys_of(1..=last));
                let gone = set.untyped().put_at(keys, positions, loose(values));
                set.check_invariants();
                assert_eq!((set.as_slice(), &sorted(gone)[..]), (after, old));
            }
        }
    }
}
