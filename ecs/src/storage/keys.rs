//! The two index arrays of a sparse set, without its values.
//!
//! ```text
//!  index      0  1  2  3  4  5
//!  sparse   [ ·  2  ·  0  ·  1 ]      the position of each index
//!  dense    [ 3  5  1 ]               the members, packed
//!  values   [ a  b  c ]               their values, stored by the owner of these keys
//!
//!  remove 3: the last member takes its place
//!  sparse   [ ·  0  ·  ·  ·  1 ]
//!  dense    [ 1  5 ]
//!  values   [ c  b ]
//! ```

use crate::extent::check;
use crate::storage::dense::Dense;
use crate::storage::key::Key;
use crate::storage::sparse_array::{PAGE_LEN, Page, SparseArray, offset_of, page_of};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp;
use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};

/// The members of a sparse set: a sparse array and the dense array it leads to.
///
/// * K1: `sparse` has exactly the members of `dense`, each with its position there.
#[derive(Debug)]
pub struct Keys<K> {
    sparse: SparseArray,
    dense: Dense<K>,
    /// The number of positions of the last [tiling](crate::order); 0 without one.
    tiled: u32,
    /// The least number of members since, or [`SCATTERED`].
    least: u32,
    /// The members that left positions of the tiling since, and these positions.
    gaps: Vec<(K, u32)>,
    /// `true` if the members stay in the order that the program gave them.
    is_pinned: bool,
    /// The loops that these keys drove, since they were looked at.
    pub(crate) walks: Walks,
}

/// Members were moved in ways that are not noted, or there is no tiling.
const SCATTERED: u32 = u32::MAX;

/// Loops over several pools that one pool drove.
#[derive(Debug)]
pub(crate) struct Walks {
    /// The number of matches that were found.
    matches: AtomicU64,
    /// The loss of loops whose matches were not found as slices, in the unit of `order`, and the places of their pools.
    lost: AtomicU64,
    places: [AtomicU64; 4],
}

/// The numbers of some [`Walks`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Walked {
    pub(crate) matches: u64,
    pub(crate) lost: u64,
    pub(crate) places: [u64; 4],
}

/// The changes of keys since their last tiling, and the rest of the state that an order goes on
/// with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Noted<'k, K: Clone> {
    pub(crate) tiled: u32,
    pub(crate) least: u32,
    pub(crate) gaps: Cow<'k, [(K, u32)]>,
    pub(crate) is_pinned: bool,
    pub(crate) band: Option<u8>,
}

impl<K: Clone> Noted<'_, K> {
    pub(crate) const NONE: Self =
        Self { tiled: 0, least: SCATTERED, gaps: Cow::Borrowed(&[]), is_pinned: false, band: None };
}

impl<K: Clone> Default for Noted<'_, K> {
    fn default() -> Self {
        Self::NONE
    }
}

impl Walks {
    const fn new() -> Self {
        Self {
            matches: AtomicU64::new(0),
            lost: AtomicU64::new(0),
            places: [const { AtomicU64::new(0) }; 4],
        }
    }

    /// Adds a loop with matches in slices.
    pub(crate) fn add(&self, matches: u64) {
        self.matches.fetch_add(matches, Ordering::Relaxed);
    }

    /// Adds a loop with scattered matches, and its loss. Returns the loss of all loops.
    pub(crate) fn add_scattered(&self, matches: u64, lost: u64, places: [u64; 4]) -> u64 {
        for (all, some) in self.places.iter().zip(places) {
            if all.load(Ordering::Relaxed) & some != some {
                all.fetch_or(some, Ordering::Relaxed);
            }
        }
        self.add(matches);
        self.lost.fetch_add(lost, Ordering::Relaxed) + lost
    }

    /// Returns the numbers.
    pub(crate) fn get(&self) -> Walked {
        Walked {
            matches: self.matches.load(Ordering::Relaxed),
            lost: self.lost.load(Ordering::Relaxed),
            places: self.places.each_ref().map(|some| some.load(Ordering::Relaxed)),
        }
    }

    /// Sets the numbers.
    #[cfg(feature = "serde")]
    pub(crate) fn set(&self, walked: Walked) {
        self.matches.store(walked.matches, Ordering::Relaxed);
        self.lost.store(walked.lost, Ordering::Relaxed);
        for (all, some) in self.places.iter().zip(walked.places) {
            all.store(some, Ordering::Relaxed);
        }
    }

    /// Returns the numbers, and forgets the loops.
    #[inline]
    pub(crate) fn take(&self) -> Walked {
        let walked = self.get();
        self.matches.store(0, Ordering::Relaxed);
        self.lost.store(0, Ordering::Relaxed);
        self.places.iter().for_each(|some| some.store(0, Ordering::Relaxed));
        walked
    }
}

impl Clone for Walks {
    fn clone(&self) -> Self {
        let Walked { matches, lost, places } = self.get();
        let (matches, lost) = (AtomicU64::new(matches), AtomicU64::new(lost));
        Self { matches, lost, places: places.map(AtomicU64::new) }
    }
}

impl<K: Clone> Clone for Keys<K> {
    fn clone(&self) -> Self {
        let Self { tiled, least, is_pinned, .. } = *self;
        Self {
            sparse: self.sparse.clone(),
            dense: self.dense.clone(),
            gaps: self.gaps.clone(),
            walks: self.walks.clone(),
            tiled,
            least,
            is_pinned,
        }
    }

    /// Copies into the existing memory, as far as it is large enough.
    fn clone_from(&mut self, source: &Self) {
        self.sparse.clone_from(&source.sparse);
        self.dense.clone_from(&source.dense);
        (self.tiled, self.least, self.is_pinned) = (source.tiled, source.least, source.is_pinned);
        self.walks = source.walks.clone();
        self.gaps.clone_from(&source.gaps);
    }
}

/// The keys of a set that is borrowed, by value: see [`Borrowed`](super::values::Borrowed).
#[derive(Clone, Copy)]
pub(crate) struct KeyLookup<'a, K> {
    pages: &'a [Option<Box<Page>>],
    dense: &'a [K],
}

impl<K: Key> KeyLookup<'_, K> {
    /// No keys.
    pub(crate) const EMPTY: Self = Self { pages: &[], dense: &[] };

    /// Returns the position of `key`, if exactly this key is a member. For `len`, see [`Page::find`].
    #[inline]
    pub(crate) fn find(self, key: K, len: usize) -> Option<usize> {
        let page = self.pages.get(page_of(key.index()))?.as_deref()?;
        let found = page.find(key, self.dense, len);
        check!(
            found.is_none_or(|at| self.dense.get(at) == Some(&key)),
            "a position belongs to another key"
        );
        found
    }
}

/// Converts a position in a dense array to the form in which it is stored.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "members have distinct 32-bit indices, so there are at most 2^32"
)]
pub(crate) const fn stored(dense_index: usize) -> u32 {
    dense_index as u32
}

/// No position, for functions that return it as a number: an `Option` would prevent a tail call.
const NOWHERE: u64 = u64::MAX;

/// Converts a number back to a position.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "positions lie within a `Vec`")]
fn unpacked(position: u64) -> Option<usize> {
    (position != NOWHERE).then_some(position as usize)
}

/// Returns the additional room for an array of `len` members that is full: four times as much while there are few
/// members, then twice.
///
/// Much of the time of filling a pool is spent on moving it to larger memory; this halves it.
#[inline]
pub(crate) fn more_room(len: usize) -> usize {
    if len < EAGER_BELOW { (3 * len).max(FIRST_ROOM) } else { len }
}

/// The room that a set begins with.
const FIRST_ROOM: usize = 16;
/// A full set with fewer members makes four times as much room, a larger one twice.
const EAGER_BELOW: usize = 1 << 14;

/// Returns the first of `keys`: as many as have one generation and neighbouring indices of one page, if those are a
/// long run. Otherwise returns only the first key, if there is one.
#[inline]
pub(crate) fn run_of<K: Key>(keys: &[K]) -> &[K] {
    // This test is enough for most keys that are in no order.
    let is_long = keys
        .get(LONG_RUN - 1)
        .is_some_and(|last| last.index().wrapping_sub(keys[0].index()) == stored(LONG_RUN - 1));
    if !is_long {
        return &keys[..keys.len().min(1)];
    }
    let (first, offset) = (keys[0].bits(), offset_of(keys[0].index()) as usize);
    let here = &keys[..keys.len().min(PAGE_LEN - offset)];
    let differs = |at: usize, key: &K| key.bits() ^ first.wrapping_add(at as u64);
    let mut len = 0;
    for keys in here.chunks(64) {
        // A chunk has no branch, so that it is compared by whole registers.
        if keys.iter().enumerate().fold(0, |any, (at, key)| any | differs(len + at, key)) != 0 {
            break;
        }
        len += keys.len();
    }
    len += (len..here.len()).take_while(|&at| differs(at, &here[at]) == 0).count();
    &here[..len]
}

/// Divides these keys into pieces, in their order: long runs, with `true`, and groups of others, with `false`.
#[inline]
fn pieces_of<K: Key>(mut keys: &[K]) -> impl Iterator<Item = (&[K], bool)> {
    core::iter::from_fn(move || {
        let run = run_of(keys);
        let is_run = run.len() >= LONG_RUN;
        let len = if is_run { run.len() } else { keys.len().min(LONG_RUN) };
        let piece;
        (piece, keys) = keys.split_at(len);
        (len > 0).then_some((piece, is_run))
    })
}

/// Runs of at least this many neighbours become or stop being members together. One by one, each would wait for the
/// word of bits that the previous one has written.
const LONG_RUN: usize = 8;

/// This many pages, 400 kB with their cells, stay in the caches while many of their members are edited. Prefetching
/// them would cost more than it saves. In the frame of 200 pages between passes over 7 MB, it saves 10% of an edit.
const CACHED_PAGES: usize = 128;
/// With this many edits for each page, the first edits fetch the page for the others.
const MANY_A_PAGE: usize = 16;

impl<K: Key> Keys<K> {
    pub(crate) const fn new() -> Self {
        Self {
            sparse: SparseArray::new(),
            dense: Dense::new(),
            tiled: 0,
            least: SCATTERED,
            gaps: Vec::new(),
            is_pinned: false,
            walks: Walks::new(),
        }
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

    /// Returns `true` if both have a key with one index. O(pages).
    pub(crate) fn meet(&self, other: &Self) -> bool {
        (0..self.page_count().min(other.page_count())).any(|number| {
            let (own, others) = (self.page(number), other.page(number));
            let words = || own.words().iter().zip(others.words());
            own.summary() & others.summary() != 0 && words().any(|(a, b)| a & b != 0)
        })
    }

    /// Prefetches the page that a walk over pages needs soon.
    #[inline]
    pub(crate) fn prefetch(&self, number: usize) {
        self.sparse.prefetch(number + 4, number + 2);
    }

    /// Prefetches the pages of these keys, some of `all` that are edited, if those may be far away. Skips neighbours,
    /// which share a page. So several keys wait for memory together.
    #[inline]
    pub(crate) fn prefetch_all(&self, keys: &[K], all: usize) {
        let pages = self.page_count();
        let is_far = pages > CACHED_PAGES && all / MANY_A_PAGE < pages;
        if is_far && keys.len() >= LONG_RUN && run_of(keys).len() == 1 {
            for key in keys {
                self.sparse.page(page_of(key.index())).prefetch_at(offset_of(key.index()));
            }
        }
    }

    /// Prefetches the word and the cell of the key with this index.
    #[inline(always)]
    pub(crate) fn prefetch_index(&self, index: u32) {
        self.sparse.page(page_of(index)).prefetch_at(offset_of(index));
    }

    /// Returns these keys by value, for lookups.
    #[inline]
    pub(crate) fn lookup(&self) -> KeyLookup<'_, K> {
        KeyLookup { pages: self.sparse.pages(), dense: &self.dense }
    }

    /// Returns the position of `key`, if exactly this key is a member.
    #[inline]
    pub(crate) fn find(&self, key: K) -> Option<usize> {
        self.lookup().find(key, self.dense.len())
    }

    /// Returns the position of the member with this index, of any generation.
    #[inline]
    pub(crate) fn find_index(&self, index: u32) -> Option<usize> {
        self.sparse.get(index).map(|dense_index| dense_index as usize)
    }

    /// Returns the member with this index, of any generation.
    #[inline]
    pub(crate) fn at_index(&self, index: u32) -> Option<K> {
        self.dense.get(self.find_index(index)?).copied()
    }

    /// Returns `true` if both are marked as having equal members in equal order: see
    /// [`mark_in_step`](Self::mark_in_step).
    #[inline]
    pub(crate) fn is_marked_in_step(&self, other: &Self) -> bool {
        self.dense.is_marked_equal(&other.dense)
    }

    /// Returns `true` if both are marked as in step, and the pages of this one alone show it.
    #[inline]
    pub(crate) fn is_marked_in_step_by_pages(&self, other: &Self) -> bool {
        self.dense.is_ordered_by_pages() && self.is_marked_in_step(other)
    }

    /// Marks these as having equal members in equal order, until one is edited. Either all their pages showed it, or
    /// they were compared.
    pub(crate) fn mark_in_step<'k>(
        &'k self,
        others: impl Iterator<Item = &'k Self> + Clone,
        by_pages: bool,
    ) {
        self.dense.stamp_all(others.map(|other| &other.dense), by_pages);
    }

    /// Returns `true` if both have equal members in these positions.
    pub(crate) fn is_in_step(&self, other: &Self, at: Range<usize>) -> bool {
        if core::ptr::eq(self, other) {
            return true;
        }
        let mut pairs = self.dense[at.clone()].chunks(64).zip(other.dense[at].chunks(64));
        // A chunk has no branch, so that it is compared by whole registers.
        let differ = |differ: u64, (a, b): (&K, &K)| differ | (a.bits() ^ b.bits());
        pairs.all(|(a, b)| a.iter().zip(b).fold(0, differ) == 0)
    }

    /// Makes room for `additional` members in the dense array.
    #[inline]
    pub(crate) fn reserve(&mut self, additional: usize) {
        self.dense.memory().reserve(additional);
    }

    /// Appends a member; or returns the position of the member with its index.
    #[inline(always)]
    pub(crate) fn push(&mut self, key: K) -> Option<usize> {
        unpacked(self.push_or_find(key))
    }

    /// The common case of [`push`](Self::push). The rest is a tail call, so this needs no stack.
    #[inline(never)]
    fn push_or_find(&mut self, key: K) -> u64 {
        let len = self.dense.len();
        if len < self.dense.capacity() {
            // Pushed immediately, so that the capacity is tested only once.
            self.dense.memory().push(key);
            if self.sparse.append(key.bits(), stored(len)) {
                self.dense.edit(); // which ends the mark
                return NOWHERE;
            }
            self.dense.memory().pop();
        }
        self.push_slowly(key)
    }

    /// Finds a member; needs no stack, either.
    #[inline(never)]
    fn push_slowly(&mut self, key: K) -> u64 {
        match self.find_index(key.index()) {
            Some(dense_index) => dense_index as u64,
            None => self.push_anew(key),
        }
    }

    #[inline(never)]
    fn push_anew(&mut self, key: K) -> u64 {
        if self.dense.len() == self.dense.capacity() {
            let more = more_room(self.dense.len());
            self.dense.memory().reserve(more);
        }
        let end = stored(self.dense.len());
        self.sparse.insert(key.bits(), end);
        self.dense.edit().push(key);
        NOWHERE
    }

    /// Replaces the member with the index of `key` by `key`, if their generations differ.
    #[inline]
    pub(crate) fn renew(&mut self, key: K) {
        if let Some(old) = self.at_index(key.index())
            && old.generation() != key.generation()
        {
            self.replace(old, key);
        }
    }

    #[cold]
    fn replace(&mut self, old: K, new: K) {
        if let Some(dense_index) = self.swap_remove::<true>(old) {
            let end = self.len();
            self.push(new);
            self.swap(dense_index, end);
        }
    }

    /// Pushes each key like [`push`](Self::push). Calls `placed` with the first index among `keys`, the first position
    /// in the dense array, and the number of each group of neighbours.
    #[inline]
    pub(crate) fn push_all(&mut self, keys: &[K], mut placed: impl FnMut(usize, usize, usize)) {
        let mut at = 0;
        for (piece, is_run) in pieces_of(keys) {
            if is_run && !self.sparse.contains_any(piece[0].index(), stored(piece.len())) {
                placed(at, self.dense.len(), piece.len());
                self.extend_run(piece);
            } else {
                for (next, &key) in (at..).zip(piece) {
                    let end = self.dense.len();
                    placed(next, self.push(key).unwrap_or(end), 1);
                }
            }
            at += piece.len();
        }
    }

    /// Makes each of these keys a member, in code that is compiled once for all types of values.
    #[inline(never)]
    pub(crate) fn append(&mut self, keys: &[K]) {
        self.push_all(keys, |_, _, _| ());
    }

    /// Appends a member with a new index.
    #[inline]
    pub(crate) fn push_new(&mut self, key: K) {
        let len = self.dense.len();
        if len < self.dense.capacity() {
            self.dense.edit().push(key);
            if self.sparse.insert_here(key.bits(), stored(len)) {
                return;
            }
            self.dense.edit().pop();
        }
        self.push_slowly(key);
    }

    /// Appends members of one generation with new indices, each the next of the previous one.
    pub(crate) fn extend_run(&mut self, keys: &[K]) {
        let Some(first) = keys.first() else { return };
        let end = stored(self.dense.len());
        self.dense.edit().extend_from_slice(keys);
        self.sparse.append_range(*first, end, stored(keys.len()));
    }

    /// Removes a member and returns its position, which the last member takes. `ONLY` says that no other key with this
    /// index is a member.
    #[inline(always)]
    pub(crate) fn swap_remove<const ONLY: bool>(&mut self, key: K) -> Option<usize> {
        unpacked(self.take_out::<ONLY>(key))
    }

    /// The common case of [`swap_remove`](Self::swap_remove). The rest is a tail call, so this needs no stack.
    #[inline(never)]
    fn take_out<const ONLY: bool>(&mut self, key: K) -> u64 {
        debug_assert!(!ONLY || self.is_only(key), "no other key with this index is a member");
        let Some(page) = self.sparse.page_mut(page_of(key.index())) else { return NOWHERE };
        let is_key = |at: u32| ONLY || self.dense.get(at as usize) == Some(&key);
        let Some((dense_index, was_last)) = page.take(key.bits(), is_key) else {
            return self.take_out_slowly(key);
        };
        check!(
            self.dense.get(dense_index as usize) == Some(&key),
            "a position belongs to another key"
        );
        if was_last {
            return self.free_page(key, dense_index);
        }
        self.fill_gap(dense_index)
    }

    /// Returns `true` if no other key with this index is a member.
    fn is_only(&self, key: K) -> bool {
        self.at_index(key.index()).is_none_or(|member| member == key)
    }

    #[inline(never)]
    fn take_out_slowly(&mut self, key: K) -> u64 {
        match self.sparse.remove(key, &self.dense) {
            Some(dense_index) => self.fill_gap(stored(dense_index)),
            None => NOWHERE,
        }
    }

    /// Completes the removal of `key`, which was the last member of its page.
    #[cold]
    #[inline(never)]
    fn free_page(&mut self, key: K, dense_index: u32) -> u64 {
        self.sparse.free_page(page_of(key.index()));
        self.fill_gap(dense_index)
    }

    /// Moves the last member to the position of a removed one.
    #[inline(never)]
    fn fill_gap(&mut self, dense_index: u32) -> u64 {
        if dense_index < self.tiled {
            return self.fill_noted_gap(dense_index); // a tail call, so this needs no stack
        }
        self.fill(dense_index)
    }

    #[cold]
    #[inline(never)]
    fn fill_noted_gap(&mut self, dense_index: u32) -> u64 {
        self.note_gap(dense_index);
        self.fill(dense_index)
    }

    #[inline(always)]
    fn fill(&mut self, dense_index: u32) -> u64 {
        let dense = self.dense.edit();
        if let Some(last) = dense.pop()
            && let Some(place) = dense.get_mut(dense_index as usize)
        {
            *place = last;
            if !self.sparse.relocate_cheaply(last.index(), dense_index) {
                return self.relocate_moved(dense_index);
            }
        }
        dense_index.into()
    }

    /// Notes that another member takes a position of the tiling, and that the last position ends.
    #[cold]
    #[inline(never)]
    fn note_gap(&mut self, dense_index: u32) {
        if self.gaps.len() >= self.tiled as usize {
            return self.scatter(); // no repair follows, or it would take longer than ordering anew
        }
        self.gaps.push((self.dense[dense_index as usize], dense_index));
        self.least = self.least.min(stored(self.dense.len() - 1));
    }

    /// Notes, for a tiling, that the members at these positions are about to exchange them.
    #[inline(never)]
    pub(crate) fn note_exchange(&mut self, a: usize, b: usize) {
        if self.gaps.len() >= self.tiled as usize {
            return self.scatter();
        }
        let of_tiling = [a, b].into_iter().filter(|at| stored(*at) < self.tiled);
        self.gaps.extend(of_tiling.map(|at| (self.dense[at], stored(at))));
    }

    /// Returns the band of the tiling, unless the members were edited since.
    #[inline]
    pub(crate) fn band(&self) -> Option<u8> {
        self.dense.band()
    }

    /// Returns the number of positions at the front that have the members of the last tiling, except for the
    /// [gaps](Self::gaps).
    pub(crate) fn kept(&self) -> usize {
        self.least as usize
    }

    /// Returns the members that left positions of the tiling, and these positions. They may repeat, or be behind the last
    /// member.
    pub(crate) fn gaps(&self) -> &[(K, u32)] {
        &self.gaps
    }

    /// Returns the number of edits since the last tiling, at most.
    pub(crate) fn edits(&self) -> usize {
        self.gaps.len() + self.len() - self.kept().min(self.len())
    }

    /// Begins to note which of the first `len` positions other members take. They are the positions of a tiling,
    /// in this band if it covers all members.
    pub(crate) fn keep(&mut self, len: usize, band: Option<u8>) {
        (self.tiled, self.least) = (stored(len), stored(len));
        self.gaps.clear();
        match band {
            Some(band) => self.dense.mark_tiled(band),
            None => drop(self.dense.edit()),
        }
    }

    /// Returns the state that an order goes on with.
    pub(crate) fn noted(&self) -> Noted<'_, K> {
        Noted {
            tiled: self.tiled,
            least: self.least,
            gaps: Cow::Borrowed(&self.gaps),
            is_pinned: self.is_pinned,
            band: self.band(),
        }
    }

    /// Goes on with an order. [`check`](crate::order::check) decides if it fits the members.
    #[cfg(feature = "serde")]
    pub(crate) fn restore_noted(&mut self, noted: Noted<'_, K>) {
        let Noted { tiled, least, gaps, is_pinned, band } = noted;
        match band {
            Some(band) => self.dense.mark_tiled(band),
            None => drop(self.dense.edit()),
        }
        (self.tiled, self.least, self.is_pinned) = (tiled, least, is_pinned);
        self.gaps = gaps.into_owned();
    }

    /// Ends the tiling: members move in ways that are not noted.
    #[inline]
    pub(crate) fn scatter(&mut self) {
        (self.tiled, self.least) = (0, SCATTERED);
        self.gaps.clear();
        self.dense.edit(); // which ends the mark
    }

    /// Returns `true` if there is no tiling, or members were moved in ways that are not noted.
    pub(crate) fn is_scattered(&self) -> bool {
        self.least == SCATTERED
    }

    /// Returns `true` if members were edited since the last tiling.
    #[inline]
    pub(crate) fn is_edited(&self) -> bool {
        !self.is_scattered() && self.band().is_none()
    }

    /// Keeps the members in the order that they have, or ends that.
    pub(crate) fn pin(&mut self, is_pinned: bool) {
        if is_pinned {
            self.scatter();
        }
        self.is_pinned = is_pinned;
    }

    pub(crate) fn is_pinned(&self) -> bool {
        self.is_pinned
    }

    /// Notes the new position of the member there.
    #[inline(never)]
    fn relocate_moved(&mut self, dense_index: u32) -> u64 {
        self.sparse.relocate(self.dense[dense_index as usize].index(), dense_index);
        dense_index.into()
    }

    /// Ends the memberships of the `keys` for which `pass` returns `true`, and leaves them in the dense array until a
    /// [`sweep`](Self::sweep). `pass` is called only for keys with the index of a member. Its second argument is
    /// `true` if the member is proven to be the key. `ONLY` says that it always is.
    #[inline(never)]
    pub(crate) fn strike<const ONLY: bool>(
        &mut self,
        keys: &[K],
        mut pass: impl FnMut(K, bool) -> bool,
    ) {
        for (piece, is_run) in pieces_of(keys) {
            debug_assert!(!ONLY || piece.iter().all(|&key| self.is_only(key)), "no other keys");
            if is_run && self.sparse.strike_run(piece, stored(piece.len()), ONLY) {
                for &key in piece {
                    pass(key, true);
                }
            } else {
                for &key in piece {
                    self.sparse.strike(key, |is_own| pass(key, ONLY || is_own));
                }
            }
        }
    }

    /// Removes the keys that were [struck](Self::strike) from the dense array; the last members take their places.
    /// Calls `exchange` with each two positions that change places.
    pub(crate) fn sweep(&mut self, exchange: impl FnMut(usize, usize)) {
        let len = self.sweep_front(self.dense.len(), exchange);
        if len < self.dense.len() {
            self.scatter();
            self.dense.edit().truncate(len);
        }
    }

    /// Moves the [struck](Self::strike) ones among the first `end` keys behind the members among them, and returns the
    /// number of these members. Their resulting order depends only on the positions of the struck keys.
    pub(crate) fn sweep_front(
        &mut self,
        mut end: usize,
        mut exchange: impl FnMut(usize, usize),
    ) -> usize {
        let is_member = |keys: &Self, at: usize| keys.sparse.contains(keys.dense[at].index());
        let mut at = 0;
        // Often all are struck. Testing the pages takes no longer than one pass over the members.
        if self.page_count() <= end && self.sparse.is_empty() {
            end = 0;
        }
        loop {
            while at < end && is_member(self, at) {
                at += 1;
            }
            while at < end && !is_member(self, end - 1) {
                end -= 1;
            }
            if at == end {
                return end;
            }
            end -= 1;
            self.dense.edit().swap(at, end);
            exchange(at, end);
            self.sparse.relocate(self.dense[at].index(), stored(at));
            at += 1;
        }
    }

    /// Exchanges two members' positions.
    #[inline]
    pub(crate) fn swap(&mut self, a: usize, b: usize) {
        self.exchange(a, b);
    }

    /// The common case of [`swap`](Self::swap); returns the first position. The rest is a tail call.
    #[inline(never)]
    fn exchange(&mut self, a: usize, b: usize) -> u64 {
        let (first, second) = (self.dense[a], self.dense[b]);
        let dense = self.dense.edit();
        (dense[a], dense[b]) = (second, first);
        if self.sparse.relocate_cheaply(second.index(), stored(a))
            && self.sparse.relocate_cheaply(first.index(), stored(b))
        {
            return a as u64;
        }
        self.relocate_both(a, b)
    }

    /// Notes the new positions of the members there.
    #[inline(never)]
    fn relocate_both(&mut self, a: usize, b: usize) -> u64 {
        self.relink(a..a + 1);
        self.relink(b..b + 1);
        a as u64
    }

    /// Exchanges `key` with the member at position `to`, and returns the previous position of `key`. Returns `None` if
    /// `key` is not a member or is before `to`.
    #[inline(always)]
    pub(crate) fn move_to(&mut self, key: K, to: usize) -> Option<usize> {
        unpacked(self.bring_to(key, to))
    }

    #[inline(never)]
    fn bring_to(&mut self, key: K, to: usize) -> u64 {
        let Some(from) = self.find(key) else { return NOWHERE };
        match from.cmp(&to) {
            cmp::Ordering::Less => NOWHERE,
            cmp::Ordering::Equal => from as u64,
            cmp::Ordering::Greater => self.exchange(from, to),
        }
    }

    /// Removes the member `key`, which is at `from`: the member at position `by` takes its position, and the last
    /// member takes position `by`.
    #[inline(never)]
    pub(crate) fn remove_by_way_of(&mut self, key: K, from: usize, by: usize) {
        if let Some(page) = self.sparse.page_mut(page_of(key.index()))
            && page.remove(offset_of(key.index()))
        {
            self.sparse.free_page(page_of(key.index()));
        }
        if by != from {
            if stored(from) < self.tiled {
                self.note_gap(stored(from));
            }
            let moved = self.dense[by];
            self.dense.edit()[from] = moved;
            self.sparse.relocate(moved.index(), stored(from));
        }
        self.fill_gap(stored(by));
    }

    /// Exchanges two members; lookups find them again after a [`relink`](Self::relink).
    #[inline]
    pub(super) fn swap_unlinked(&mut self, a: usize, b: usize) {
        self.dense.edit().swap(a, b);
    }

    /// Updates the sparse array for the members at these positions.
    pub(super) fn relink(&mut self, positions: Range<usize>) {
        for at in positions {
            self.sparse.relocate(self.dense[at].index(), stored(at));
        }
    }

    /// Makes pages sequential whose members lie in the order of their indices, after all members moved.
    pub(super) fn straighten(&mut self) {
        let Self { sparse, dense, .. } = self;
        for number in 0..sparse.pages().len() {
            let is_straight = sparse.pages()[number].as_ref().is_some_and(|it| it.is_straight());
            if is_straight && !sparse.restore_form(number, Page::SEQUENTIAL_ALIKE, dense) {
                sparse.restore_form(number, Page::SEQUENTIAL, dense);
            }
        }
    }

    /// Calls `note` with the pages of these members and of the page that grows, and with their forms.
    pub(crate) fn note_forms(&self, members: &[K], note: &mut dyn FnMut(usize, [u8; 2])) {
        let pages = members.iter().map(|member| page_of(member.index()));
        for number in pages.chain([self.sparse.growing]) {
            if let Some(Some(page)) = self.sparse.pages().get(number) {
                note(number, page.form());
            }
        }
    }

    /// Restores the forms of pages, as far as their members allow that.
    pub(crate) fn restore_forms(&mut self, forms: &[(usize, [u8; 2])]) {
        let Self { sparse, dense, .. } = self;
        for is_complete in [false, true] {
            for (page, form) in
                forms.iter().filter(|(_, form)| Page::completes(*form) == is_complete)
            {
                sparse.restore_form(*page, *form, dense);
            }
        }
    }

    /// Removes every member. The dense array keeps its capacity.
    pub(crate) fn clear(&mut self) {
        self.scatter();
        self.sparse.clear();
        self.dense.edit().clear();
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.sparse.shrink_to_fit();
        self.dense.memory().shrink_to_fit();
        self.gaps.shrink_to_fit();
    }

    /// Returns the bytes on the heap: of the sparse array, and of the dense array and its changes.
    pub(crate) fn memory(&self) -> (usize, usize) {
        let gaps = self.gaps.capacity() * size_of::<(K, u32)>();
        (self.sparse.memory(), self.dense.capacity() * size_of::<K>() + gaps)
    }

    pub(crate) fn check(&self) -> Result<(), &'static str> {
        self.sparse.check(&self.dense)
    }
}

/// Keys in the form of files.
#[cfg(feature = "serde")]
mod restored {
    use super::{Keys, run_of, stored};
    use crate::format::reader::{ReadError, Reader};
    use crate::format::writer::write_number;
    use crate::storage::key::Key;
    use crate::storage::sparse_array::{NONE, Page, SparseArray, offset_of, page_of};
    use alloc::boxed::Box;
    use alloc::vec::Vec;

    impl<K: Key> Keys<K> {
        /// Appends the forms of the pages, which the members do not imply.
        pub(crate) fn write_forms(&self, bytes: &mut Vec<u8>) {
            self.sparse.write_forms(bytes);
        }

        /// Reads the forms of at most `most_pages` pages, and returns the keys of these members.
        pub(crate) fn read(
            dense: Vec<K>,
            most_pages: usize,
            reader: &mut Reader,
        ) -> Result<Self, ReadError> {
            let sparse = SparseArray::read(&dense, most_pages, reader)?;
            Ok(Self { sparse, dense: dense.into(), ..Self::new() })
        }
    }

    /// Divides these keys into runs of neighbours on one page and of one generation, each with the position of its
    /// first key. `length_of` returns the length of the run that begins with a key, or 0 if it must be searched.
    fn runs<K: Key>(
        mut keys: &[K],
        length_of: impl Fn(&K) -> usize,
    ) -> impl Iterator<Item = (u32, &[K])> {
        let mut at = 0;
        core::iter::from_fn(move || {
            let run;
            let len = match keys.first().map_or(0, &length_of) {
                0 => run_of(keys).len(),
                len => len,
            };
            (run, keys) = keys.split_at(len);
            let first = at;
            at += stored(run.len());
            (!run.is_empty()).then_some((first, run))
        })
    }

    impl SparseArray {
        /// Appends the number of pages, and the form of each that has members.
        fn write_forms(&self, bytes: &mut Vec<u8>) {
            write_number(self.page_count() as u64, bytes);
            for page in self.pages.iter().flatten() {
                bytes.extend_from_slice(&page.form());
            }
        }

        /// Reads the sparse array of these members, with at most `most_pages` pages.
        fn read<K: Key>(
            dense: &[K],
            most_pages: usize,
            reader: &mut Reader,
        ) -> Result<Self, ReadError> {
            let wrong = |what: &str| Err(ReadError::new(what));
            let pages = usize::try_from(reader.number()?).unwrap_or(usize::MAX);
            if pages > most_pages {
                return wrong("there are more pages than entities");
            }
            reader.pay(pages, size_of::<Option<Box<Page>>>() + size_of::<usize>())?;
            let mut all = Self::new();
            all.pages.resize_with(pages, || None);
            // The length of the run, for pages that consist of one run: it is not searched again.
            let mut only_runs = alloc::vec![0; pages];
            for (at, run) in runs(dense, |_| 0) {
                let first = run[0];
                let number = page_of(first.index());
                let Some(entry) = all.pages.get_mut(number) else {
                    return wrong("the page of an entity is missing");
                };
                let page = if let Some(page) = entry {
                    only_runs[number] = 0;
                    page
                } else {
                    only_runs[number] = run.len();
                    reader.pay(1, size_of::<Page>())?;
                    entry.insert(Box::new(Page::new()))
                };
                if !page.enrol(first.bits(), at, stored(run.len())) {
                    return wrong("an entity is there twice");
                }
            }
            for page in all.pages.iter_mut().flatten() {
                let form = [reader.byte()?, reader.byte()?];
                reader.pay(1, Page::memory_of_form(form))?;
                if !page.take_form(form) {
                    return wrong("a page has an impossible form");
                }
            }
            let only_run = |key: &K| only_runs[page_of(key.index())];
            for (at, run) in runs(dense, only_run) {
                let is_right = all.page_mut(page_of(run[0].index())).is_some_and(|page| {
                    // Neighbours are in order if the first one is.
                    let checked = if page.is_sequential() { 1 } else { run.len() };
                    let mut seats = (at..).zip(&run[..checked]);
                    seats.all(|(at, key)| page.seat(offset_of(key.index()), at))
                });
                if !is_right {
                    return wrong("a page is not in its stated order");
                }
            }
            for (number, page) in all.pages.iter().enumerate() {
                let Some(page) = page else { continue };
                let (is_complete, may_be) = page.is_complete(dense.len());
                let is_growing = is_complete && !page.is_full();
                if !may_be || is_growing && all.growing != NONE {
                    return wrong("the order of a page is not complete");
                }
                if is_growing {
                    all.growing = number;
                }
            }
            Ok(all)
        }
    }
}

#[cfg(test)]
impl<K: Key> Keys<K> {
    /// Appends all that later edits and lookups depend on: the pages, the members, and the room for more.
    pub(crate) fn write_state(&self, state: &mut Vec<u8>) {
        self.sparse.write_state(state);
        state.extend(self.dense.capacity().to_le_bytes());
        state.extend(self.dense.iter().flat_map(|key| key.bits().to_le_bytes()));
    }
}

#[cfg(any(debug_assertions, ecs_checked))]
#[cfg(feature = "serde")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::Entity;
    use crate::format::reader::{ReadError, Reader};
    use crate::storage::sparse_array::NONE;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::vec::Vec;

    #[test]
    fn keys_meet_if_they_share_an_index() {
        let mut world = crate::World::new();
        let all: Vec<Entity> = (0..1_800).map(|_| world.spawn_empty().id()).collect();
        let keys = |chosen: &dyn Fn(usize) -> bool| {
            let mut keys = Keys::new();
            let chosen = all.iter().enumerate().filter(|(at, _)| chosen(*at));
            chosen.for_each(|(_, entity)| _ = keys.push(*entity));
            keys
        };
        let (even, odd) = (keys(&|at| at % 2 == 0), keys(&|at| at % 2 == 1));
        assert!(!even.meet(&odd) && even.meet(&even) && !even.meet(&Keys::new()));
        for one in [0, 63, 64, 1_023, 1_024, 1_799] {
            assert!(keys(&|at| at == one).meet(if one % 2 == 0 { &even } else { &odd }));
        }
    }

    #[test]
    fn a_position_of_another_key_is_refused() {
        let mut keys = Keys::new();
        keys.append(&[3_u32, 4]);
        assert_eq!(keys.find(3), Some(0));
        keys.dense.edit().swap(0, 1);
        assert!(catch_unwind(AssertUnwindSafe(|| keys.find(3))).is_err());
        assert!(catch_unwind(AssertUnwindSafe(|| keys.swap_remove::<true>(3))).is_err());
    }

    fn entity(index: u32, generation: u64) -> Entity {
        Entity::from_bits(generation << 32 | u64::from(index)).unwrap()
    }

    /// The order of a full page shows that all its indices are members, until one of them is not.
    #[test]
    fn a_run_that_is_struck_out_of_a_full_page_is_not_found() {
        let mut keys = Keys::new();
        let all: Vec<u32> = (0..1_100).collect();
        keys.append(&all);
        keys.strike::<true>(&all[8..24], |_, _| true);
        keys.sweep(|_, _| ());
        keys.check().unwrap();
        assert!(all.iter().all(|key| keys.find(*key).is_some() != (8..24).contains(key)));
    }

    #[test]
    fn a_page_that_is_left_does_not_claim_the_members_that_it_lacks() {
        for len in [64, 128, 1_023] {
            let mut keys = Keys::new();
            keys.append(&(0..len).chain(2_048..3_200).collect::<Vec<u32>>());
            keys.check().unwrap();
            assert_eq!((keys.find(len - 1), keys.find(len)), (Some(len as usize - 1), None));
        }
    }

    /// Reads keys from their form, in exactly the memory that they take.
    #[cfg(feature = "serde")]
    #[test]
    fn keys_are_read_with_the_forms_of_their_pages() {
        let of = |ranges: &[Range<u32>]| {
            let all = ranges.iter().cloned().flatten();
            let mut keys = Keys::new();
            all.for_each(|index| keys.push_new(entity(index, 1)));
            keys
        };
        let mut mixed = of(&[0..1_024, 1_024..2_048]);
        mixed.swap_remove::<true>(entity(9, 1));
        mixed.push(entity(9, 2));
        let all = [
            (of(&[]), 0),
            (of(&[0..1_024, 1_024..2_500]), 0),
            (of(&[0..1_024, 5_120..6_144]), 0),
            (of(&[0..3, 1_024..1_500, 3..9]), 3 * 1_024 + 1),
            (of(&[8..11, 2..3]), 4 * 4),
            (of(&[8..800, 2..3]), 3 * 1_024 + 1),
            (mixed, 2 * (3 * 1_024 + 1)),
        ];
        for (mut keys, cells) in all {
            // A page that is full grows no more.
            if keys.sparse.page(keys.sparse.growing).is_full() {
                keys.sparse.growing = NONE;
            }
            let mut forms = Vec::new();
            keys.write_forms(&mut forms);
            let pages = keys.sparse.pages.iter().flatten().count();
            let room = 16 * keys.page_count() + pages * size_of::<Page>() + cells;
            let read = |most_pages, room| {
                let mut reader = Reader::new(&forms, room);
                let read = Keys::read(keys.dense().to_vec(), most_pages, &mut reader)?;
                assert_eq!(reader.left(), 0);
                Ok::<_, ReadError>(read)
            };
            let again = read(keys.page_count(), room).unwrap();
            again.check().unwrap();
            let state = |keys: &Keys<Entity>| {
                let mut state = Vec::new();
                keys.sparse.write_state(&mut state);
                state
            };
            assert!((state(&again), again.dense()) == (state(&keys), keys.dense()));
            assert!(room == 0 || read(keys.page_count(), room - 1).is_err());
            assert!(room == 0 || read(keys.page_count() - 1, room).is_err());
        }
    }

    #[test]
    fn the_check_finds_each_mistake() {
        let broken = |change: &dyn Fn(&mut Vec<Entity>)| {
            let mut keys = Keys::new();
            keys.append(&[entity(3, 1), entity(4, 1)]);
            keys.check().unwrap();
            change(keys.dense.edit());
            keys.check().unwrap_err()
        };
        assert!(broken(&|dense| dense.swap(0, 1)).starts_with("K1: a member's cell"));
        assert!(broken(&|dense| dense.truncate(1)).starts_with("K1: the sparse and the dense"));
        assert!(broken(&|dense| dense[0] = entity(3, 2)).starts_with("S5"));
    }
}
