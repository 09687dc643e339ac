//! A sparse set: values packed in an array, found by a sparse key in constant time.

use crate::storage::copies::CopyStorage;
use crate::storage::key::Key;
use crate::storage::keys::{Keys, more_room};
use crate::storage::memory::MemoryUsage;
use crate::storage::untyped::{Loose, SetMut};
use crate::storage::values::{Borrowed, PoolValues, Storage};
use alloc::vec::{self, Vec};
use core::fmt;
use core::iter::{Copied, Zip};
use core::slice;

/// A map from small integers to values that keeps the values packed, as described by Briggs and
/// Torczon ("An Efficient Representation for Sparse Sets", 1993), with a paged sparse array.
///
/// `insert`, `get` and `remove` take constant time; iterating is a walk over a slice. A removal moves the last value
/// into the gap: the order is unspecified, but depends only on the history of calls. Values are `Send + Sync +
/// 'static`. Each member costs its value, its key (4 bytes, an entity 8), and a share of its page of 1,024 keys. A page
/// takes 192 bytes. Unless it was filled in key order, it takes 3 kB more (4 kB above 2^24 members), or 4 to 8 bytes
/// for each member if they are few. An empty page before the last takes 8.
///
/// The pools of a world are sparse sets keyed by [`Entity`](crate::Entity) ([`EntityMap`](crate::EntityMap)).
///
/// ```
/// let mut names = ecs::SparseSet::new();
/// assert_eq!((names.insert(1_000_000, "far"), names.insert(3, "near")), (None, None));
/// assert_eq!(names.insert(3, "nearer"), Some("near"));
/// assert_eq!(names.get(3), Some(&"nearer"));
/// assert_eq!(names.remove(1_000_000), Some("far"));
/// assert_eq!(names.as_slice(), ["nearer"]);
/// ```
//
// * V2: there are at least as many values as keys, even after a panic; so each member's position has a value.
pub struct SparseSet<T, K: Key = u32, S: Storage<T> = Vec<T>> {
    pub(super) keys: Keys<K>,
    pub(super) values: PoolValues<T, S>,
}

impl<T: Send + Sync + 'static> SparseSet<T> {
    /// Creates an empty set; allocates nothing.
    ///
    /// ```
    /// assert!(ecs::SparseSet::<u8>::new().is_empty());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<T, K: Key, S: Storage<T>> SparseSet<T, K, S> {
    /// Returns the number of members.
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<char> = [(5, 'a'), (6, 'b')].into_iter().collect();
    /// assert_eq!(set.len(), 2);
    /// ```
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns `true` if the set has no members.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the keys of the members, in the order of their values.
    ///
    /// ```
    /// let set: ecs::SparseSet<char> = [(9, 'a'), (4, 'b')].into_iter().collect();
    /// assert_eq!(set.keys(), [9, 4]);
    /// ```
    #[must_use]
    #[inline]
    pub fn keys(&self) -> &[K] {
        self.keys.dense()
    }

    /// Returns the values, packed, in the order of [`keys`](Self::keys).
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<char> = [(5, 'a'), (6, 'b')].into_iter().collect();
    /// assert_eq!(set.as_slice(), ['a', 'b']);
    /// ```
    #[must_use]
    pub fn as_slice(&self) -> S::Slice<'_> {
        self.values.get().as_slice()
    }

    /// Returns the values, packed, to be changed in place.
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<i32> = (0..3).map(|key| (key, 1)).collect();
    /// set.as_mut_slice().fill(7);
    /// assert_eq!(set.get(2), Some(&7));
    /// ```
    #[must_use]
    pub fn as_mut_slice(&mut self) -> S::SliceMut<'_> {
        self.values.get_mut().as_mut_slice()
    }

    /// Returns `true` if `key` is a member.
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<char> = [(5, 'a'), (6, 'b')].into_iter().collect();
    /// assert!(set.contains(5) && !set.contains(7));
    /// ```
    #[must_use]
    #[inline]
    pub fn contains(&self, key: K) -> bool {
        self.keys.find(key).is_some()
    }

    /// Returns the value of `key`.
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<char> = [(5, 'a'), (6, 'b')].into_iter().collect();
    /// assert_eq!(set.get(6), Some(&'b'));
    /// ```
    #[must_use]
    #[inline]
    pub fn get(&self, key: K) -> Option<S::Ref<'_>> {
        let values = self.borrowed();
        values.get(self.keys.lookup().find(key, values.len())?)
    }

    /// Returns the value of `key`, to be changed.
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<char> = [(5, 'a'), (6, 'b')].into_iter().collect();
    /// *set.get_mut(6).unwrap() = 'c';
    /// assert_eq!(set.get(6), Some(&'c'));
    /// ```
    #[must_use]
    #[inline]
    pub fn get_mut(&mut self, key: K) -> Option<S::RefMut<'_>> {
        let values = self.values.get_mut();
        values.get_mut(self.keys.lookup().find(key, values.len())?)
    }

    /// Makes `key` a member with this value, and returns the value that it replaces.
    ///
    /// # Panics
    /// Panics if the size of its memory overflows; the set is then unchanged.
    #[inline]
    pub fn insert(&mut self, key: K, value: T) -> Option<T> {
        self.keys.renew(key);
        self.put(key, value)
    }

    /// Inserts a value like [`insert`](Self::insert), but no other key with this index may be a member.
    #[inline]
    pub(crate) fn put(&mut self, key: K, mut value: T) -> Option<T> {
        if self.enter(key, &mut value) {
            self.push_value(value);
            return None;
        }
        Some(value)
    }

    /// Makes `key` a member like [`put`](Self::put). If it is a new one, makes room for its value, which the caller
    /// [pushes](Self::push_value) immediately, and returns `true`. Otherwise exchanges its value with this one.
    #[inline(always)]
    pub(crate) fn enter(&mut self, key: K, value: &mut T) -> bool {
        if let Some(dense_index) = self.keys.push(key) {
            self.values.get_mut().exchange(dense_index, value);
            return false;
        }
        self.make_room();
        true
    }

    /// Makes `key` a member; no member may have its index. Makes room for its value, which the caller
    /// [pushes](Self::push_value) immediately.
    #[inline(always)]
    pub(crate) fn enter_new(&mut self, key: K) {
        self.keys.push_new(key);
        self.make_room();
    }

    /// Makes room for the value of the last key.
    #[inline(always)]
    fn make_room(&mut self) {
        if self.values.get().is_full() {
            self.make_room_for_last();
        }
    }

    /// Makes room for the value of the last key. If that panics, removes the key again, so that the set is unchanged.
    #[cold]
    #[inline(never)]
    fn make_room_for_last(&mut self) {
        let mut last = Last { keys: &mut self.keys, has_room: false };
        self.values.get_mut().reserve(more_room(last.keys.len()));
        last.has_room = true;
    }

    /// Inserts a value like [`insert`](Self::insert); `make` makes it before the set changes.
    ///
    /// ```
    /// # let mut set = ecs::SparseSet::new();
    /// set.insert_with(2, || vec![0; 100]);
    /// assert_eq!(set.get(2).map(Vec::len), Some(100));
    /// ```
    #[inline]
    pub fn insert_with(&mut self, key: K, make: impl FnOnce() -> T) -> Option<T> {
        let value = make();
        self.insert(key, value)
    }

    /// Ends the membership of `key` and returns its value. The last member takes its position.
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<char> = [(5, 'a'), (6, 'b')].into_iter().collect();
    /// assert_eq!((set.remove(5), set.remove(5)), (Some('a'), None));
    /// ```
    #[inline]
    pub fn remove(&mut self, key: K) -> Option<T> {
        self.take::<false>(key)
    }

    /// Removes a member like [`remove`](Self::remove). `ONLY` says that no other key with this index is a member.
    #[inline]
    pub(crate) fn take<const ONLY: bool>(&mut self, key: K) -> Option<T> {
        let dense_index = self.keys.swap_remove::<ONLY>(key)?;
        Some(self.values.get_mut().swap_remove(dense_index))
    }

    /// Appends a value; its key follows: see [`SetMut::adopt`].
    #[inline]
    pub(crate) fn push_value(&mut self, value: T) {
        self.values.get_mut().push(value);
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

    /// Removes and returns the value that was [taken out](SetMut::take_out_at); the set must have no other values without
    /// members.
    pub(crate) fn pop_taken(&mut self) -> Option<T> {
        let (values, last) = (self.values.get_mut(), self.keys.len());
        if last < values.len() { Some(values.swap_remove(last)) } else { None }
    }

    /// Keeps the members in the order that they have, or ends that.
    pub(crate) fn pin(&mut self, is_pinned: bool) {
        self.keys.pin(is_pinned);
    }

    /// Exchanges the positions of two members, and so their places in the order of iteration.
    ///
    /// # Panics
    /// Panics if one of the keys is not a member.
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<char> = [(5, 'a'), (6, 'b')].into_iter().collect();
    /// set.swap(5, 6);
    /// assert_eq!((set.keys(), set.get(5)), (&[6, 5][..], Some(&'a')));
    /// ```
    pub fn swap(&mut self, a: K, b: K) {
        let [a, b] = [a, b].map(|key| match self.keys.find(key) {
            Some(dense_index) => dense_index,
            None => panic!("cannot swap {key:?}: it is not a member of this sparse set"),
        });
        self.pin(true);
        self.keys.scatter();
        self.untyped().swap_at(a, b);
    }

    /// Removes all members; values are dropped last. Keeps the memory for values and keys, but not the pages.
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<char> = [(5, 'a'), (6, 'b')].into_iter().collect();
    /// set.clear();
    /// assert!(set.is_empty());
    /// ```
    pub fn clear(&mut self) {
        self.untyped().clear();
    }

    /// Makes room for `additional` more members, except for their pages.
    ///
    /// # Panics
    /// Panics if the size overflows.
    ///
    /// ```
    /// # let mut set = ecs::SparseSet::<u64>::new();
    /// set.reserve(1_000);
    /// assert!(set.memory_usage().values >= 8_000);
    /// ```
    #[inline]
    pub fn reserve(&mut self, additional: usize) {
        self.keys.reserve(additional);
        self.values.get_mut().reserve(additional);
    }

    /// Frees the memory that no member needs. O(pages), and the time for copying.
    pub fn shrink_to_fit(&mut self) {
        self.untyped().shrink_to_fit();
    }

    /// Returns the set without the type of its values.
    #[inline(always)]
    pub(crate) fn untyped(&mut self) -> SetMut<'_, K> {
        SetMut { keys: &mut self.keys, values: &mut self.values }
    }

    /// Returns the bytes that this set holds on the heap, without memory that its values own. O(pages).
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<u64> = (0..1_000).map(|key| (key, 1)).collect();
    /// set.shrink_to_fit();
    /// assert_eq!(set.memory_usage().values, 8_000);
    /// assert!(set.memory_usage().sparse < 1_000); // filled in order: bits, no indices
    /// ```
    #[must_use]
    #[inline]
    pub fn memory_usage(&self) -> MemoryUsage {
        let (sparse, dense) = self.keys.memory();
        MemoryUsage { sparse, dense, values: self.values.get().memory() }
    }

    /// Returns the keys, for joins.
    #[inline]
    pub(crate) fn raw_keys(&self) -> &Keys<K> {
        &self.keys
    }

    /// Returns a window for reading values.
    #[inline]
    pub(crate) fn window(&self) -> S::Window {
        self.values.get().window()
    }

    /// Returns the values by value, for reading.
    #[inline]
    pub(crate) fn borrowed(&self) -> Borrowed<'_, T, S> {
        Borrowed::new(self.values.get())
    }

    /// Returns the cell of the values, for joins that write.
    #[inline]
    pub(crate) fn raw_values(&self) -> &PoolValues<T, S> {
        &self.values
    }

    /// Checks all invariants, for tests.
    ///
    /// # Panics
    /// Panics if an invariant is broken, and names it.
    #[doc(hidden)]
    pub fn check_invariants(&self) {
        if let Err(what) = self.check() {
            panic!("broken invariant of a sparse set: {what}");
        }
    }

    /// Checks the index arrays against each other and the values.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        if self.values.get().len() != self.keys.len() {
            return Err("the values and the dense array have different lengths");
        }
        self.keys.check()
    }

    /// Keeps the members for which `keep` returns `true`; drops the others one by one, and the last member takes the
    /// place of each. O(members).
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<u32> = (0..10).map(|key| (key, key)).collect();
    /// set.retain(|_, value| *value % 2 == 0);
    /// assert_eq!(set.len(), 5);
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(K, S::RefMut<'_>) -> bool) {
        let mut at = 0;
        while at < self.len() {
            let key = self.keys()[at];
            if self.values.get_mut().get_mut(at).is_none_or(|value| keep(key, value)) {
                at += 1;
            } else {
                drop(self.remove(key));
            }
        }
    }

    /// Removes all members and returns them as pairs of key and value, in their order. Copies the keys, and takes the
    /// memory of the values. The set is empty at once, even if the iterator is leaked.
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<char> = [(7, 'a'), (8, 'b')].into_iter().collect();
    /// assert_eq!(set.drain().collect::<Vec<_>>(), [(7, 'a'), (8, 'b')]);
    /// assert!(set.is_empty());
    /// ```
    pub fn drain(
        &mut self,
    ) -> impl DoubleEndedIterator<Item = (K, T)> + ExactSizeIterator + use<T, K, S> {
        self.take_all()
    }

    fn take_all(&mut self) -> Zip<vec::IntoIter<K>, S::IntoIter> {
        let keys = self.keys().to_vec();
        self.keys.clear();
        keys.into_iter().zip(core::mem::take(self.values.get_mut()).into_iter())
    }

    /// Returns the members as pairs of key and value, from either end.
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<char> = [(5, 'a'), (6, 'b')].into_iter().collect();
    /// assert_eq!(set.iter().next(), Some((5, &'a')));
    /// assert_eq!(set.iter().rev().next(), Some((6, &'b')));
    /// ```
    pub fn iter(&self) -> <&Self as IntoIterator>::IntoIter {
        self.into_iter()
    }

    /// Returns the members as pairs of key and value to be changed.
    ///
    /// ```
    /// # let mut set: ecs::SparseSet<u32> = [(7, 1), (8, 2)].into_iter().collect();
    /// set.iter_mut().for_each(|(key, value)| *value += key);
    /// assert_eq!(set.as_slice(), [8, 10]);
    /// ```
    pub fn iter_mut(&mut self) -> <&mut Self as IntoIterator>::IntoIter {
        self.into_iter()
    }
}

impl<T, K: Key, S: Storage<T>> Default for SparseSet<T, K, S> {
    #[inline]
    fn default() -> Self {
        Self { keys: Keys::new(), values: PoolValues::default() }
    }
}

impl<T: Send + Sync + 'static, K: Key> FromIterator<(K, T)> for SparseSet<T, K> {
    fn from_iter<I: IntoIterator<Item = (K, T)>>(members: I) -> Self {
        let mut set = Self::default();
        set.extend(members);
        set
    }
}

impl<T: Send + Sync + 'static, K: Key> Extend<(K, T)> for SparseSet<T, K> {
    fn extend<I: IntoIterator<Item = (K, T)>>(&mut self, members: I) {
        for (key, value) in members {
            self.insert(key, value);
        }
    }
}

/// Iterates over the members in their order, like [`iter`](SparseSet::iter).
///
/// ```
/// # let set: ecs::SparseSet<u32> = [(7, 1), (8, 2)].into_iter().collect();
/// let mut sum = 0;
/// for (key, value) in &set {
///     sum += key * value;
/// }
/// assert_eq!(sum, 23);
/// ```
impl<'a, T, K: Key, S: Storage<T>> IntoIterator for &'a SparseSet<T, K, S> {
    type Item = (K, S::Ref<'a>);
    type IntoIter = Zip<Copied<slice::Iter<'a, K>>, S::Iter<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.keys().iter().copied().zip(self.values.get().iter())
    }
}

/// Iterates over the members in their order, to be changed, like [`iter_mut`](SparseSet::iter_mut).
impl<'a, T, K: Key, S: Storage<T>> IntoIterator for &'a mut SparseSet<T, K, S> {
    type Item = (K, S::RefMut<'a>);
    type IntoIter = Zip<Copied<slice::Iter<'a, K>>, S::IterMut<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.keys.dense().iter().copied().zip(self.values.get_mut().iter_mut())
    }
}

/// Iterates over the members in their order, by value.
///
/// ```
/// # let set: ecs::SparseSet<char> = [(7, 'a'), (8, 'b')].into_iter().collect();
/// assert_eq!(set.into_iter().collect::<Vec<_>>(), [(7, 'a'), (8, 'b')]);
/// ```
impl<T, K: Key, S: Storage<T>> IntoIterator for SparseSet<T, K, S> {
    type Item = (K, T);
    type IntoIter = Zip<vec::IntoIter<K>, S::IntoIter>;

    fn into_iter(mut self) -> Self::IntoIter {
        self.take_all()
    }
}

/// A clone has equal members in equal order. O(members).
impl<T, K: Key, S: CopyStorage<T>> Clone for SparseSet<T, K, S> {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Copies into the existing memory, as far as it is large enough. If cloning a value panics, the set is empty.
    fn clone_from(&mut self, source: &Self) {
        let copy = |copies: &mut Loose, from: &Loose| {
            if let (Some(copies), Some(from)) = (copies.downcast_mut::<S>(), from.downcast_ref()) {
                copies.copy_all(from);
            }
        };
        self.untyped().copy_by(&copy, (&source.keys, &source.values));
    }
}

impl<T: fmt::Debug + Send + Sync + 'static, K: Key> fmt::Debug for SparseSet<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// The last key, until there is room for its value: on drop, the key is removed.
struct Last<'a, K: Key> {
    keys: &'a mut Keys<K>,
    has_room: bool,
}

impl<K: Key> Drop for Last<'_, K> {
    fn drop(&mut self) {
        if let Some(&last) = self.keys.dense().last()
            && !self.has_room
        {
            self.keys.swap_remove::<true>(last);
        }
    }
}
