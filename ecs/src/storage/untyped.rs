//! A sparse set without the type of its values: edits that move, drop or take out values, but read none.
//!
//! A world edits pools of any types. This code is compiled once. It calls the few functions that are compiled for each type.

use crate::storage::key::Key;
use crate::storage::keys::Keys;
#[cfg(feature = "serde")]
use crate::storage::keys::Noted;
use crate::storage::values::{EachColumn, EachColumnMut, PoolValues, Storage};
use alloc::boxed::Box;
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
    /// Removes and returns all values.
    fn take(&mut self) -> Box<Loose>;
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
            Some(values) => append_all(self.get_mut(), values),
            None => 0,
        }
    }
    fn take(&mut self) -> Box<Loose> {
        Box::new(core::mem::take(self.get_mut()))
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

/// Moves values behind others, or in their place if there are none. Returns their number.
pub(super) fn append_all<T, S: Storage<T>>(own: &mut S, values: &mut S) -> usize {
    let count = values.len();
    if own.len() == 0 {
        *own = core::mem::take(values);
    } else {
        own.reserve(count);
        own.append(values);
    }
    count
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
    pub(crate) fn append(&mut self, keys: &[K], mut values: Box<Loose>) {
        self.keys.reserve(keys.len());
        let (len, count) = (self.keys.len(), self.values.append(&mut *values));
        if count != keys.len() {
            self.values.truncate(len);
        }
        check_lengths(keys.len(), count);
        self.keys.append(keys);
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
        self.values.take()
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
    /// members' values or, if the set is to be [swept](super::bulk::is_swept), among them. `pass` is called only for keys
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
    /// [popped](super::sparse_set::SparseSet::pop_taken) or the set is [finished](Self::finish).
    pub(crate) fn take_out_at(&mut self, from: usize, by: usize) {
        let key = self.keys.dense()[from];
        self.keys.remove_by_way_of(key, from, by);
        let last = self.keys.len();
        self.values.swap(by, last);
        if from != by {
            self.values.swap(from, last);
        }
    }

    /// Moves the members among the first `end` that were taken out, to be [swept](super::bulk::is_swept), behind the
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
#[inline]
pub(super) fn check_lengths(keys: usize, values: usize) {
    assert!(keys == values, "{values} values for {keys} keys");
}
