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

use crate::storage::dense::Dense;
use crate::storage::key::Key;
use crate::storage::sparse_array::{PAGE_LEN, Page, SparseArray, offset_of, page_of};
use alloc::boxed::Box;
use core::cmp::Ordering;
use core::ops::Range;

/// The members of a sparse set: a sparse array and the dense array it leads to.
///
/// * K1: `sparse` has exactly the members in `dense`, each with its position there.
#[derive(Debug)]
pub struct Keys<K> {
    sparse: SparseArray,
    dense: Dense<K>,
}

impl<K: Clone> Clone for Keys<K> {
    fn clone(&self) -> Self {
        Self { sparse: self.sparse.clone(), dense: self.dense.clone() }
    }

    /// In the same memory, as far as it is enough.
    fn clone_from(&mut self, source: &Self) {
        self.sparse.clone_from(&source.sparse);
        self.dense.clone_from(&source.dense);
    }
}

/// The keys of a set that is borrowed, by value: see [`Borrowed`](super::values::Borrowed).
#[derive(Clone, Copy)]
pub(crate) struct Lookup<'a, K> {
    pages: &'a [Option<Box<Page>>],
    dense: &'a [K],
}

impl<K: Key> Lookup<'_, K> {
    /// No keys.
    pub(crate) const EMPTY: Self = Self { pages: &[], dense: &[] };

    /// The position of `key`, when exactly this key is a member. Of `len`, see [`Page::find`].
    #[inline]
    pub(crate) fn find(self, key: K, len: usize) -> Option<usize> {
        let page = self.pages.get(page_of(key.index()))?.as_deref()?;
        page.find(key, self.dense, len)
    }
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

/// No position, where one is returned as a number: an `Option` would not be a tail call's.
const NOWHERE: u64 = u64::MAX;

/// The position that a number means.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "positions are those of a `Vec`")]
fn unpacked(position: u64) -> Option<usize> {
    (position != NOWHERE).then_some(position as usize)
}

/// How much more room an array of `len` members makes when it is full: four times as much while
/// there are few, then twice.
///
/// Filling pools is for a good part moving them to where there is more room: this halves it.
#[inline]
pub(crate) fn more_room(len: usize) -> usize {
    if len < EAGER_BELOW { (3 * len).max(FIRST_ROOM) } else { len }
}

/// The room that a set begins with.
const FIRST_ROOM: usize = 16;
/// Below this many members a full set makes four times as much room, above twice.
const EAGER_BELOW: usize = 1 << 14;

/// The first of `keys`, as many as are of one generation and have neighbouring indices of one page,
/// if those are a long run; else just the first, if there is one.
#[inline]
pub(crate) fn run_of<K: Key>(keys: &[K]) -> &[K] {
    // Of keys in any order most are told by this.
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

/// These keys in pieces, in their order: long runs, of which it says so, and some others at a time.
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

/// From this many on, neighbours become or end being members together: one by one each would wait
/// for the word of bits that the one before has written.
const LONG_RUN: usize = 8;

/// So many pages, 400 kB with their cells, are in the caches while many of their members are edited:
/// fetching them would take more than it spares. In the frame of 200 pages between passes over 7 MB
/// it spares 10% of an edit.
const CACHED_PAGES: usize = 128;
/// Of so many edits a page the first fetch it for the others.
const MANY_A_PAGE: usize = 16;

impl<K: Key> Keys<K> {
    pub(crate) const fn new() -> Self {
        Self { sparse: SparseArray::new(), dense: Dense::new() }
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
    pub(crate) fn prefetch(&self, number: usize) {
        self.sparse.prefetch(number + 4, number + 2);
    }

    /// Prefetches what tells of these keys, some of `all` that are edited, if that may be far away
    /// and they are no neighbours, who share it: what one waits for in memory the others wait for at
    /// the same time.
    #[inline]
    pub(crate) fn warm_all(&self, keys: &[K], all: usize) {
        let pages = self.page_count();
        let is_far = pages > CACHED_PAGES && all / MANY_A_PAGE < pages;
        if is_far && keys.len() >= LONG_RUN && run_of(keys).len() == 1 {
            for key in keys {
                self.sparse.page(page_of(key.index())).warm_at(offset_of(key.index()));
            }
        }
    }

    /// Prefetches what tells of the key with this index.
    #[inline(always)]
    pub(crate) fn prefetch_index(&self, index: u32) {
        self.sparse.page(page_of(index)).warm_at(offset_of(index));
    }

    /// These keys by value, to be looked up.
    #[inline]
    pub(crate) fn lookup(&self) -> Lookup<'_, K> {
        Lookup { pages: self.sparse.pages(), dense: &self.dense }
    }

    /// The position of `key`, when exactly this key is a member.
    #[inline]
    pub(crate) fn find(&self, key: K) -> Option<usize> {
        self.lookup().find(key, self.dense.len())
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

    /// Returns `true` if both are known to have the same members in the same order: by [`note_in_step`](Self::note_in_step).
    #[inline]
    pub(crate) fn is_known_in_step(&self, other: &Self) -> bool {
        self.dense.is_known_to_equal(&other.dense)
    }

    /// Returns `true` if that is known, and known to be told by the pages of this one.
    #[inline]
    pub(crate) fn is_told_in_step(&self, other: &Self) -> bool {
        self.dense.is_told_by_pages() && self.is_known_in_step(other)
    }

    /// Notes that these have the same members in the same order, until one is edited: so all their pages told, or they
    /// were compared.
    pub(crate) fn note_in_step<'k>(
        &'k self,
        others: impl Iterator<Item = &'k Self>,
        by_pages: bool,
    ) {
        self.dense.stamp_all(others.map(|other| &other.dense), by_pages);
    }

    /// Returns `true` if both have the same members in these positions.
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

    /// Appends a member; or finds the position of the member with its index.
    #[inline(always)]
    pub(crate) fn push(&mut self, key: K) -> Option<usize> {
        unpacked(self.push_or_find(key))
    }

    /// The common case of [`push`](Self::push). The rest is a tail call: so this needs no stack.
    #[inline(never)]
    fn push_or_find(&mut self, key: K) -> u64 {
        let len = self.dense.len();
        if len < self.dense.capacity() {
            // At once, so that the capacity is looked at once.
            self.dense.edit().push(key);
            if self.sparse.append(key.bits(), stored(len)) {
                return NOWHERE;
            }
            self.dense.edit().pop();
        }
        self.push_slowly(key)
    }

    /// Finds a member; this needs no stack, either.
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

    /// Puts `key` in the place of the member with its index, if that is of another generation.
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

    /// As [`push`](Self::push) for each; `placed` is told where some are among these, where from on
    /// they are in the dense array, and how many they are.
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

    /// Appends members with new indices, each the next of the one before, and one generation.
    pub(crate) fn extend_run(&mut self, keys: &[K]) {
        let Some(first) = keys.first() else { return };
        let end = stored(self.dense.len());
        self.dense.edit().extend_from_slice(keys);
        self.sparse.append_range(*first, end, stored(keys.len()));
    }

    /// Removes a member; the last one takes its position, which is returned. `ONLY` says that no
    /// other key with the same index is a member.
    #[inline(always)]
    pub(crate) fn swap_remove<const ONLY: bool>(&mut self, key: K) -> Option<usize> {
        unpacked(self.take_out::<ONLY>(key))
    }

    /// The common case of [`swap_remove`](Self::swap_remove). The rest is a tail call: so this
    /// needs no stack.
    #[inline(never)]
    fn take_out<const ONLY: bool>(&mut self, key: K) -> u64 {
        debug_assert!(!ONLY || self.is_only(key), "no other key with this index is a member");
        let Some(page) = self.sparse.page_mut(page_of(key.index())) else { return NOWHERE };
        let Some((dense_index, was_last)) = page.take(key, &self.dense, ONLY) else {
            return self.take_out_slowly(key);
        };
        if was_last {
            return self.free_page(key, dense_index);
        }
        self.fill_gap(dense_index)
    }

    /// Returns `true` if no other key with the same index is a member.
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

    /// Goes on with the removal of `key`, which was the last member of its page.
    #[cold]
    #[inline(never)]
    fn free_page(&mut self, key: K, dense_index: u32) -> u64 {
        self.sparse.free_page(page_of(key.index()));
        self.fill_gap(dense_index)
    }

    /// Moves the last member to where one was removed.
    #[inline(never)]
    fn fill_gap(&mut self, dense_index: u32) -> u64 {
        self.dense.edit().swap_remove(dense_index as usize);
        if let Some(&moved) = self.dense.get(dense_index as usize)
            && !self.sparse.relocate_cheaply(moved.index(), dense_index)
        {
            return self.relocate_moved(dense_index);
        }
        dense_index.into()
    }

    /// Notes the new position of the member there.
    #[inline(never)]
    fn relocate_moved(&mut self, dense_index: u32) -> u64 {
        self.sparse.relocate(self.dense[dense_index as usize].index(), dense_index);
        dense_index.into()
    }

    /// Ends the memberships of those of `keys` that pass, and leaves them in the dense array until a
    /// [`sweep`](Self::sweep). Asked is only of those whose index is a member's, and told whether it is
    /// known to be theirs. `ONLY` says that it is.
    #[inline]
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
                    self.sparse.strike(key, |is_told| pass(key, ONLY || is_told));
                }
            }
        }
    }

    /// Takes those that were [struck](Self::strike) out of the dense array, the last members into
    /// their places. `exchange` is told of each two positions that change places.
    pub(crate) fn sweep(&mut self, exchange: impl FnMut(usize, usize)) {
        let len = self.sweep_front(self.dense.len(), exchange);
        self.dense.edit().truncate(len);
    }

    /// Puts those of the first `end` that were [struck](Self::strike) behind the members among
    /// them, whose number it returns. In which order they are then, follows from where struck ones
    /// were.
    pub(crate) fn sweep_front(
        &mut self,
        mut end: usize,
        mut exchange: impl FnMut(usize, usize),
    ) -> usize {
        let is_member = |keys: &Self, at: usize| keys.sparse.contains(keys.dense[at].index());
        let mut at = 0;
        // Often all are struck. A look at the pages takes no longer than one at the members.
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

    /// The common case of [`swap`](Self::swap); gives the first position. The rest is a tail call.
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

    /// Exchanges the positions of `key`, unless it is no member or before `to`, and of the member
    /// that is there. Where `key` was.
    #[inline(always)]
    pub(crate) fn move_to(&mut self, key: K, to: usize) -> Option<usize> {
        unpacked(self.bring_to(key, to))
    }

    #[inline(never)]
    fn bring_to(&mut self, key: K, to: usize) -> u64 {
        let Some(from) = self.find(key) else { return NOWHERE };
        match from.cmp(&to) {
            Ordering::Less => NOWHERE,
            Ordering::Equal => from as u64,
            Ordering::Greater => self.exchange(from, to),
        }
    }

    /// Removes the member `key`, which is at `from`: the one at position `by` takes its position,
    /// and the last one that one's.
    #[inline(never)]
    pub(crate) fn remove_by_way_of(&mut self, key: K, from: usize, by: usize) {
        if let Some(page) = self.sparse.page_mut(page_of(key.index()))
            && page.remove(offset_of(key.index()))
        {
            self.sparse.free_page(page_of(key.index()));
        }
        if by != from {
            let moved = self.dense[by];
            self.dense.edit()[from] = moved;
            self.sparse.relocate(moved.index(), stored(from));
        }
        self.fill_gap(stored(by));
    }

    /// Exchanges two members, which are found at their positions again after a
    /// [`relink`](Self::relink).
    #[inline]
    pub(super) fn swap_unlinked(&mut self, a: usize, b: usize) {
        self.dense.edit().swap(a, b);
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
        self.dense.edit().clear();
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.sparse.shrink_to_fit();
        self.dense.memory().shrink_to_fit();
    }

    /// Bytes on the heap: the sparse array's and the dense array's.
    pub(crate) fn memory(&self) -> (usize, usize) {
        (self.sparse.memory(), self.dense.capacity() * size_of::<K>())
    }

    pub(crate) fn check(&self) -> Result<(), &'static str> {
        self.sparse.check(&self.dense)
    }
}

/// Keys, written and read as they are.
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
        /// Appends what is known of pages, beside the members.
        pub(crate) fn write_forms(&self, bytes: &mut Vec<u8>) {
            self.sparse.write_forms(bytes);
        }

        /// The keys of these members, whose pages are told next, at most so many.
        pub(crate) fn read(
            dense: Vec<K>,
            most_pages: usize,
            reader: &mut Reader,
        ) -> Result<Self, ReadError> {
            let sparse = SparseArray::read(&dense, most_pages, reader)?;
            Ok(Self { sparse, dense: dense.into() })
        }
    }

    /// These keys in runs of neighbours on one page and of one generation, each with the position of its first; of
    /// those whose length is `known` by their first, that is not zero.
    fn runs<K: Key>(
        mut keys: &[K],
        known: impl Fn(&K) -> usize,
    ) -> impl Iterator<Item = (u32, &[K])> {
        let mut at = 0;
        core::iter::from_fn(move || {
            let run;
            let len = match keys.first().map_or(0, &known) {
                0 => run_of(keys).len(),
                known => known,
            };
            (run, keys) = keys.split_at(len);
            let first = at;
            at += stored(run.len());
            (!run.is_empty()).then_some((first, run))
        })
    }

    impl SparseArray {
        /// Appends how many pages there may be, and the form of each that has members.
        fn write_forms(&self, bytes: &mut Vec<u8>) {
            write_number(self.page_count() as u64, bytes);
            for page in self.pages.iter().flatten() {
                bytes.extend_from_slice(&page.form());
            }
        }

        /// The sparse array of these members, of as many pages at most.
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
            // Of those whose members are one run, how long that is: it is not looked for again.
            let mut only_runs = alloc::vec![0; pages];
            for (at, run) in runs(dense, |_| 0) {
                let first = run[0];
                let number = page_of(first.index());
                let Some(entry) = all.pages.get_mut(number) else {
                    return wrong("an entity is on no page");
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
                    return wrong("a page cannot be as it is said to be");
                }
            }
            let only_run = |key: &K| only_runs[page_of(key.index())];
            for (at, run) in runs(dense, only_run) {
                let is_right = all.page_mut(page_of(run[0].index())).is_some_and(|page| {
                    // Neighbours are in order if the first one is.
                    let told = if page.is_sequential() { 1 } else { run.len() };
                    let mut seats = (at..).zip(&run[..told]);
                    seats.all(|(at, key)| page.seat(offset_of(key.index()), at))
                });
                if !is_right {
                    return wrong("a page is not in the order that it is said to be in");
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
