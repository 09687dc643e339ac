//! Edits of many members of a sparse set at once, for batches and groups.

use crate::storage::key::Key;
#[cfg(feature = "serde")]
use crate::storage::keys::Keys;
use crate::storage::sparse_set::SparseSet;
use crate::storage::values::Storage;

impl<T, K: Key, S: Storage<T>> SparseSet<T, K, S> {
    /// Appends a value whose key is to follow: see [`adopt`](Self::adopt).
    #[inline]
    pub(crate) fn push_value(&mut self, value: T) {
        self.values.get_mut().push(value);
    }

    /// Makes these keys, whose indices no member has, members with the values that were pushed in
    /// advance. A value without a key stays until the set is [settled](Self::settle). `run` is as for
    /// [`Keys::extend_run`].
    pub(crate) fn adopt(&mut self, keys: &[K], run: &[K]) {
        debug_assert!(self.has_values_for(keys.len() + run.len()), "a value for each was pushed");
        self.keys.reserve(keys.len() + run.len());
        for key in keys {
            self.keys.push_new(*key);
        }
        self.keys.extend_run(run);
    }

    /// Makes these keys, whose indices no member has, members with these values: as many.
    pub(crate) fn append(&mut self, keys: &[K], values: S) {
        debug_assert!(values.len() == keys.len(), "a value for each");
        self.keys.reserve(keys.len());
        let own = self.values.get_mut();
        if own.len() == 0 {
            *own = values;
        } else {
            own.reserve(values.len());
            values.into_iter().for_each(|value| own.push(value));
        }
        self.keys.push_all(keys, |_, _, _| ());
    }

    /// Inserts these keys with these values, as many. Makes room only for keys that are not members yet; the values of
    /// the others are replaced in their places and added to `gone`.
    pub(crate) fn put_all(&mut self, keys: &[K], values: S, gone: &mut S) {
        let replaced = keys.iter().filter(|key| self.contains(**key)).count();
        if replaced == 0 {
            return self.append(keys, values);
        }
        self.reserve(keys.len() - replaced);
        gone.reserve(replaced);
        for (&key, value) in keys.iter().zip(values.into_iter()) {
            if let Some(old) = self.put(key, value) {
                gone.push(old);
            }
        }
    }

    /// The value at this position, to be changed.
    pub(crate) fn value_mut(&mut self, at: usize) -> Option<S::RefMut<'_>> {
        self.values.get_mut().get_mut(at)
    }

    /// What `look` sees in the values.
    pub(crate) fn with_values<R>(&self, look: impl FnOnce(&S) -> R) -> R {
        look(self.values.get())
    }

    /// Becomes a set with these keys and these values: as many.
    #[cfg(feature = "serde")]
    pub(crate) fn restore(&mut self, keys: Keys<K>, values: S) {
        debug_assert!(values.len() == keys.len(), "a value for each");
        (self.keys, *self.values.get_mut()) = (keys, values);
    }

    /// Becomes a set with these keys, or its own, and with these values at these positions, which ascend. What nobody
    /// has any more is added to `gone`.
    #[cfg(feature = "serde")]
    pub(crate) fn put_at(
        &mut self,
        keys: Option<Keys<K>>,
        positions: &[usize],
        new: S,
        gone: &mut S,
    ) {
        let values = self.values.get_mut();
        if let Some(keys) = keys {
            while values.len() > keys.len() {
                gone.push(values.swap_remove(values.len() - 1));
            }
            values.reserve(keys.len() - values.len());
            self.keys = keys;
        }
        for (&at, value) in positions.iter().zip(new.into_iter()) {
            if at < values.len() {
                gone.push(values.replace(at, value));
            } else {
                values.push(value);
            }
        }
        debug_assert!(values.len() == self.keys.len(), "a value for each");
    }

    /// Takes all values; the set has no members then.
    pub(crate) fn take_values(&mut self) -> S {
        self.keys.clear();
        core::mem::take(self.values.get_mut())
    }

    /// A copy of a member's value.
    pub(crate) fn copy_one(&self, key: K, copy: fn(&S, usize) -> T) -> Option<T> {
        Some(copy(self.values.get(), self.keys.find(key)?))
    }

    /// Becomes a copy of `from`, whose values `copy` copies: user code. Should it panic, the set is to be cleared.
    pub(crate) fn copy_by(&mut self, copy: impl FnOnce(&mut S, &S), from: &Self) {
        copy(self.values.get_mut(), from.values.get());
        self.keys.clone_from(&from.keys);
    }

    /// Whether values for so many keys were [pushed](Self::push_value) in advance.
    fn has_values_for(&self, keys: usize) -> bool {
        self.values.get().len() >= self.keys.len() + keys
    }

    /// Ends the memberships of those of `keys` that pass, of `all` in several calls. Until the set is
    /// [settled](Self::settle), their values stay, behind those of the members or, if the set is to be
    /// [swept](is_swept), among them, and nothing may be inserted. Asked is only of those whose index is a
    /// member's, and told whether it is known to be theirs: those must pass. `ONLY` says that it is.
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
        self.keys.warm_all(keys, all);
        for &key in keys {
            if let Some(dense_index) = self.keys.swap_remove::<ONLY>(key) {
                if const { core::mem::needs_drop::<T>() } {
                    self.values.get_mut().swap(dense_index, self.keys.len());
                } else {
                    self.values.get_mut().swap_remove(dense_index); // without reading it
                }
                pass(key, true);
            }
        }
    }

    /// Puts those of the first `end` members that were taken out, to be [swept](is_swept), behind the
    /// others, whose number it returns; their order is as for [`Keys::sweep_front`]. `exchanged` is
    /// told of each two positions that changed places.
    pub(crate) fn sweep_front(
        &mut self,
        end: usize,
        exchanged: &mut dyn FnMut(usize, usize),
    ) -> usize {
        let values = self.values.get_mut();
        self.keys.sweep_front(end, |a, b| {
            values.swap(a, b);
            exchanged(a, b);
        })
    }

    /// Ends the membership of the key at position `from`: the one at `by`, not before it, takes its position, and the
    /// last one that one's. The value stays behind those of the members, until it is [popped](Self::pop_taken) or the
    /// set is [settled](Self::settle).
    pub(crate) fn take_out_at(&mut self, from: usize, by: usize) {
        let key = self.keys.dense()[from];
        self.keys.remove_by_way_of(key, from, by);
        let (values, last) = (self.values.get_mut(), self.keys.len());
        values.swap(by, last);
        if from != by {
            values.swap(from, last);
        }
    }

    /// Returns the value that was [taken out](Self::take_out_at), of a set without others that are no member's.
    pub(crate) fn pop_taken(&mut self) -> Option<T> {
        let (values, last) = (self.values.get_mut(), self.keys.len());
        (last < values.len()).then(|| values.swap_remove(last))
    }

    /// Ends [taking out](Self::take_out), as it was begun, and [taking over](Self::take_over): drops the
    /// values that are no member's.
    pub(crate) fn settle(&mut self, sweep: bool) {
        let values = self.values.get_mut();
        if sweep {
            self.keys.sweep(|a, b| values.swap(a, b));
        }
        values.truncate(self.keys.len());
    }

    /// Puts those of the values that were [pushed](Self::push_value) in advance of which this is true
    /// before the others, in order.
    #[cold]
    pub(crate) fn put_first(&mut self, are_wanted: &[bool]) {
        let first = self.keys.len();
        let values = self.values.get_mut();
        let wanted = (first..).zip(are_wanted).filter(|(_, is_wanted)| **is_wanted);
        for (to, (from, _)) in (first..).zip(wanted) {
            if from != to {
                values.swap(from, to);
            }
        }
    }

    /// Makes `keys` members with the values that were [pushed](Self::push_value) in advance, in
    /// order. The value that a member had stays behind those of the members until the set is
    /// [settled](Self::settle).
    pub(crate) fn take_over(&mut self, keys: &[K]) {
        debug_assert!(self.has_values_for(keys.len()), "a value for each was pushed");
        let first = self.keys.len();
        let values = self.values.get_mut();
        self.keys.warm_all(keys, keys.len());
        self.keys.push_all(keys, |at, dense_index, len| {
            if dense_index != first + at {
                (0..len).for_each(|next| values.swap(dense_index + next, first + at + next));
            }
        });
    }

    /// Exchanges each member from `start` on, one after the other, for the one at `start + with[i]`.
    pub(crate) fn exchange_all(&mut self, start: usize, with: &[u32]) {
        let values = self.values.get_mut();
        for (at, &with) in (start..).zip(with) {
            let with = start + with as usize;
            if with != at {
                self.keys.swap_unlinked(at, with);
                values.swap(at, with);
            }
        }
        self.keys.relink(start..start + with.len());
    }
}

/// Whether so many keys to be taken out are so large a part of a set's members that one pass over
/// the dense array is faster than a look for each. To be decided once, before the first is taken out.
#[inline]
pub(crate) fn is_swept(members: usize, all: usize) -> bool {
    all.saturating_mul(SWEPT_PART) >= members
}

/// From this part of a set's members on, one in so many, keys are taken out by a pass over all.
const SWEPT_PART: usize = 4;
