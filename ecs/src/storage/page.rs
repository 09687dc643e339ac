//! The membership and dense indices of neighbouring indices.
//!
//! ```text
//!  words       16 × 64 bits, one for each index: is it a member?
//!  summary     one bit for each word: has it members?
//!  generation  the generation of all members, or 0 if they differ
//!  order       key − dense index, if that is equal for every member
//!  cells       the positions of the members in the dense array, in one of four forms:
//!
//!     Sequential  dense = base + offset        nothing stored: filled in index order
//!     Packed      [7 3 9]                      few members: found by counting bits
//!     Narrow      [· 7 · · 3 · 9 ..]           three bytes for each index
//!     Wide        [· 7 · · 3 · 9 ..]           four bytes, from 2^24 members on
//! ```

use crate::extent::masked;
use crate::storage::cells::{Cells, Narrow, most_packed, zeroed};
use crate::storage::key::Key;
use crate::storage::order::PageOrder;
use crate::storage::place::{PAGE_LEN, PagePlace, WORDS, bits_of, generation_in, offset_in};
use crate::storage::values::{Lane, prefetch};
use alloc::boxed::Box;
use alloc::vec;
use core::num::NonZeroU32;

/// The membership and dense indices of [`PAGE_LEN`] neighbouring indices.
///
/// * S1: bit `w` of `summary` is set exactly when `words[w] != 0`.
/// * S2: a page in a [`SparseArray`](super::sparse_array::SparseArray) has members.
/// * S3: packed cells are in index order, and byte `w` of `ranks` is the number of members in the
///   words before `w`.
/// * S5: `generation` is the generation of all members, or 0.
/// * S6: while the page is sequential, `base` is the dense index of offset 0, and `order` is the order of all members,
///   unless their generations differ. Otherwise `order` is none.
#[derive(Debug)]
#[repr(C)] // the fields that a lookup reads first share one cache line
pub struct Page {
    cells: Cells,
    order: PageOrder,
    base: u32,
    generation: u32,
    summary: u16,
    ranks: [u8; WORDS],
    words: [u64; WORDS],
}

impl Clone for Page {
    fn clone(&self) -> Self {
        Self { cells: self.cells.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        let mut cells = core::mem::replace(&mut self.cells, Cells::Sequential);
        cells.clone_from(&source.cells);
        *self = Self { cells, ..*source };
    }
}

/// Marks the branch that calls it as the unlikely one, like `core::hint::cold_path` of newer compilers.
#[cold]
#[inline(always)]
pub(crate) const fn cold_path() {}

/// The page that stands for every page without members.
pub(crate) static EMPTY_PAGE: Page = Page::new();

impl Page {
    pub(crate) const fn new() -> Self {
        Self {
            words: [0; WORDS],
            cells: Cells::Sequential,
            order: PageOrder::NONE,
            base: 0,
            ranks: [0; WORDS],
            generation: 0,
            summary: 0,
        }
    }

    /// Returns the members among 64 neighbours, one bit each.
    #[inline]
    pub(crate) fn word(&self, word: usize) -> u64 {
        self.words[masked!(word, WORDS)]
    }

    /// Returns the members, one bit each.
    #[inline]
    pub(crate) fn words(&self) -> &[u64; WORDS] {
        &self.words
    }

    /// Returns one bit for each word: 1 if the word has members.
    #[inline]
    pub(crate) fn summary(&self) -> u16 {
        self.summary
    }

    /// Returns the generation that all members share, or 0.
    #[inline]
    pub(crate) fn generation(&self) -> u32 {
        self.generation
    }

    /// Returns the generation that all members share, if they share one.
    #[inline]
    pub(crate) fn common_generation(&self) -> Option<NonZeroU32> {
        NonZeroU32::new(self.generation)
    }

    #[inline]
    pub(crate) fn contains(&self, offset: u32) -> bool {
        self.word((offset / 64) as usize) >> (offset % 64) & 1 != 0
    }

    /// Returns `true` if any of the `len` offsets from `offset` on is a member.
    #[inline]
    pub(crate) fn contains_any(&self, offset: u32, len: u32) -> bool {
        bits_of(offset, len).any(|(word, bits)| self.words[word] & bits != 0)
    }

    /// Returns `true` if all of the `len` offsets from `offset` on are members.
    #[inline]
    pub(crate) fn contains_all(&self, offset: u32, len: u32) -> bool {
        bits_of(offset, len).all(|(word, bits)| self.words[word] & bits == bits)
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.summary == 0
    }

    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.words.iter().fold(!0, |all, word| all & word) == !0
    }

    fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns `true` if neighbouring members are marked as neighbours in the dense array.
    #[inline]
    pub(crate) fn is_sequential(&self) -> bool {
        matches!(self.cells, Cells::Sequential)
    }

    /// Returns the dense indices as cells of three bytes, if the cells have three bytes or the members are in order.
    #[inline(always)]
    pub(crate) fn small_cells(&self) -> Option<Lane> {
        self.cells.small(self.base)
    }

    /// Returns the offsets of the first and the last member, or zeros.
    fn ends(&self) -> [u32; 2] {
        let word = |at: u32| self.word(at as usize);
        let first = self.summary.trailing_zeros() % 16;
        let last = self.summary.checked_ilog2().unwrap_or(0);
        let last_bit = word(last).checked_ilog2().unwrap_or(0);
        [first * 64 + word(first).trailing_zeros() % 64, last * 64 + last_bit]
    }

    /// Returns the positions of the first and the last member.
    fn end_positions(&self) -> [u32; 2] {
        self.ends().map(|offset| if self.summary == 0 { 0 } else { self.dense_index(offset) })
    }

    /// Returns `true` if the positions of the first and the last member are not far from each other. So they are if
    /// members were inserted about in the order of their indices, and the processor fetches their values in advance.
    #[inline]
    pub(crate) fn is_near(&self) -> bool {
        let [first, last] = self.end_positions();
        first.abs_diff(last) as usize <= 4 * PAGE_LEN
    }

    /// Returns `true` if the page may be sequential, and is not marked as such.
    #[inline]
    pub(crate) fn is_straight(&self) -> bool {
        let ([first, last], [start, end]) = (self.ends(), self.end_positions());
        !self.is_sequential() && end.wrapping_sub(start) == last.wrapping_sub(first)
    }

    /// Returns `true` if both pages are marked as having equal members in equal positions.
    #[inline]
    pub(crate) fn is_in_step(&self, other: &Self) -> bool {
        let is_one_order = self.order.is_some() && self.order.is_same(other.order);
        (is_one_order || self.is_empty()) && self.words == other.words
    }

    #[inline]
    pub(crate) fn is_packed(&self) -> bool {
        matches!(self.cells, Cells::Packed(_))
    }

    /// Returns the dense index of the member at `offset`. For an offset without a member, returns any number or panics.
    #[inline(always)]
    pub(crate) fn dense_index(&self, offset: u32) -> u32 {
        self.dense_index_at(PagePlace::of(offset))
    }

    /// Returns the dense index of the member at `place`, like [`dense_index`](Self::dense_index), but without a branch
    /// that panics. So the compiler can remove a read if its result is unused.
    #[inline(always)]
    pub(crate) fn dense_index_at(&self, place: PagePlace) -> u32 {
        if let Cells::Packed(cells) = &self.cells {
            return cells.get(self.rank_at(place)).map_or(u32::MAX, |cell| *cell);
        }
        // Tested after `Sequential`, the slowest form to read: a jump table is slower. `Narrow` comes first, because it
        // is the most frequent form where matches are scattered.
        cold_path();
        if let Cells::Narrow(cells) = &self.cells {
            return cells.get(place.offset);
        }
        match &self.cells {
            Cells::Sequential => self.in_order(place.offset),
            Cells::Wide(cells) => cells[masked!(place.offset as usize, PAGE_LEN)],
            Cells::Packed(_) | Cells::Narrow(_) => u32::MAX, // tested above
        }
    }

    /// Returns the number of members before `offset`, while the page is packed.
    #[inline(always)]
    fn rank(&self, offset: u32) -> usize {
        self.rank_at(PagePlace::of(offset))
    }

    #[inline(always)]
    fn rank_at(&self, place: PagePlace) -> usize {
        let word = masked!(place.word as usize, WORDS);
        let below = self.words[word] & place.below;
        usize::from(self.ranks[word]) + below.count_ones() as usize
    }

    /// Returns the number of members, while the page is packed.
    fn packed_len(&self) -> usize {
        usize::from(self.ranks[WORDS - 1]) + self.words[WORDS - 1].count_ones() as usize
    }

    /// Returns the dense index of `key`, if `key` is a member of this page and of `dense`.
    ///
    /// The caller checks the answer against `len`, the number of members. Passing it here leaves only one of the two
    /// checks.
    ///
    /// The dense array is not read if the members of a page share one generation. One comparison is enough if they are
    /// in order; the bits are not read either if the order is complete. Counting bits is a call, so that this code
    /// stays small.
    #[inline(always)]
    pub(crate) fn find<K: Key>(&self, key: K, dense: &[K], len: usize) -> Option<usize> {
        #[inline(never)]
        fn otherwise(page: &Page, offset: u32) -> u32 {
            page.dense_index(offset)
        }
        let offset = offset_in(key.bits());
        if let Some(dense_index) = self.order.find(key.bits(), len) {
            return Some(dense_index);
        }
        if !self.contains(offset) {
            return None;
        }
        if let Some(dense_index) = self.order.find_member(key.bits(), len) {
            return Some(dense_index);
        }
        let dense_index = if let Cells::Narrow(cells) = &self.cells {
            cells.get(offset)
        } else {
            otherwise(self, offset)
        } as usize;
        let is_it = self.generation == key.generation() || dense.get(dense_index) == Some(&key);
        is_it.then_some(dense_index)
    }

    /// Makes a key with these bits a member at `dense_index`. Its index must not be a member.
    #[inline(always)]
    pub(crate) fn insert(&mut self, bits: u64, dense_index: u32) {
        debug_assert!(!self.contains(offset_in(bits)), "the index is new");
        self.note_place(bits, dense_index);
        self.set(offset_in(bits));
    }

    /// Makes a key with these bits a member at `dense_index`, behind all others, if it continues a complete order.
    /// Returns `false` if it does not. An index that continues a complete order is not a member yet.
    #[inline(always)]
    pub(crate) fn append_next(&mut self, bits: u64, dense_index: u32) -> bool {
        let is_next = self.order.goes_on(bits, dense_index);
        if is_next {
            self.set(offset_in(bits));
        }
        is_next
    }

    /// Marks the order as not complete, because the next member is made on another page. An index that the order puts
    /// at the end would otherwise count as a member.
    pub(crate) fn leave(&mut self) {
        if !self.is_full() {
            self.order = self.order.partial();
        }
    }

    /// Notes the place of a new member that is out of order; mostly without using the stack.
    #[inline(never)]
    fn note_place(&mut self, bits: u64, dense_index: u32) {
        if !(self.keeps_generation(bits) && self.relocate_cheaply(offset_in(bits), dense_index)) {
            self.insert_cell(bits, dense_index);
        }
    }

    /// Returns `true` if a new member leaves the generation as it is.
    #[inline(always)]
    fn keeps_generation(&self, bits: u64) -> bool {
        self.generation == generation_in(bits) || self.generation == 0
    }

    /// Makes a key a member like [`insert`](Self::insert), but only if its index is free and no cells must be made or
    /// moved. Returns `false` if it did not.
    #[inline(always)]
    pub(crate) fn append(&mut self, bits: u64, dense_index: u32) -> bool {
        let offset = offset_in(bits);
        let is_simple = self.keeps_generation(bits)
            && !self.contains(offset)
            && (self.relocate_cheaply(offset, dense_index)
                || self.is_sequential() && self.in_order(offset) == dense_index);
        if is_simple {
            self.set(offset);
        }
        is_simple
    }

    /// Ends the membership of a key with these bits. Returns its dense index, and `true` if it was the page's last
    /// member. Returns `None` if it is not a member of this page, or its cell is not stored by offset. `is_key` tests
    /// if the member at a dense index is the key; it is called if the generation does not prove that.
    #[inline(always)]
    pub(crate) fn take(&mut self, bits: u64, is_key: impl Fn(u32) -> bool) -> Option<(u32, bool)> {
        let offset = offset_in(bits);
        let word = self.word((offset / 64) as usize);
        let rest = word & !(1 << (offset % 64));
        if rest == word {
            return None;
        }
        let dense_index = if let Cells::Narrow(cells) = &self.cells {
            cells.get(offset)
        } else if self.is_sequential() {
            self.in_order(offset)
        } else {
            return None;
        };
        let is_it = self.generation == generation_in(bits) || is_key(dense_index);
        is_it.then(|| (dense_index, self.leave_in((offset / 64) as usize, rest)))
    }

    /// Returns `true` if a member here would continue the order and share the generation of the others.
    #[inline(always)]
    pub(crate) fn is_in_order(&self, bits: u64, dense_index: u32) -> bool {
        self.order.is_same(PageOrder::of(bits, dense_index))
    }

    /// Returns the dense index of an offset, while cells are sequential.
    #[inline(always)]
    fn in_order(&self, offset: u32) -> u32 {
        self.base.wrapping_add(offset)
    }

    #[inline(always)]
    fn set(&mut self, offset: u32) {
        let word = &mut self.words[masked!((offset / 64) as usize, WORDS)];
        if *word == 0 {
            self.summary |= 1 << (offset / 64);
        }
        *word |= 1 << (offset % 64);
    }

    /// Makes the `len` offsets from `offset` on members; their cells must be in order. With `is_member` false, ends
    /// their memberships; the page must not be packed then.
    pub(crate) fn set_range(&mut self, offset: u32, len: u32, is_member: bool) {
        if !is_member {
            self.order = self.order.partial();
        }
        for (word, bits) in bits_of(offset, len) {
            self.words[word] = self.words[word] & !bits | if is_member { bits } else { 0 };
            self.summary = self.summary & !(1 << word) | u16::from(self.words[word] != 0) << word;
        }
    }

    /// Makes room for a member and notes its place; does not set its bit.
    #[inline(never)]
    fn insert_cell(&mut self, bits: u64, dense_index: u32) {
        let (offset, generation) = (offset_in(bits), generation_in(bits));
        if self.is_empty() {
            self.cells = Cells::Sequential;
            self.base = dense_index.wrapping_sub(offset);
            let order = PageOrder::of(bits, dense_index);
            self.order = if offset == 0 { order.complete() } else { order };
            self.generation = generation;
            return;
        }
        if self.generation != generation {
            (self.order, self.generation) = (PageOrder::NONE, 0);
        }
        match &self.cells {
            Cells::Sequential if self.in_order(offset) == dense_index => return,
            Cells::Sequential => self.materialize(1, dense_index),
            Cells::Packed(cells) if self.packed_len() == cells.len() => {
                self.materialize(1, dense_index);
            }
            _ => {}
        }
        let (rank, len) = (self.rank(offset), self.packed_len());
        if let Cells::Packed(cells) = &mut self.cells {
            cells.copy_within(rank..len, rank + 1);
            cells[rank] = dense_index;
            self.shift_ranks(offset, u128::wrapping_add);
        } else {
            self.relocate(offset, dense_index);
        }
    }

    /// Changes the ranks of the words after the word of `offset` by one.
    #[inline(always)]
    fn shift_ranks(&mut self, offset: u32, change: fn(u128, u128) -> u128) {
        const ONES: u128 = u128::MAX / 0xff;
        // No rank leaves its byte.
        let above = ONES << (offset / 64 * 8) << 8;
        self.ranks = change(u128::from_le_bytes(self.ranks), above).to_le_bytes();
    }

    /// Ends the membership of `offset`. Returns `true` if it was the last member.
    #[inline(always)]
    pub(crate) fn remove(&mut self, offset: u32) -> bool {
        if let Cells::Packed(_) = self.cells {
            self.remove_cell(offset);
        }
        let word = (offset / 64) as usize;
        self.leave_in(word, self.word(word) & !(1 << (offset % 64)))
    }

    /// Leaves only these members in a word. Returns `true` if the page has none any more.
    #[inline(always)]
    fn leave_in(&mut self, word: usize, members: u64) -> bool {
        self.order = self.order.partial();
        self.words[masked!(word, WORDS)] = members;
        if members != 0 {
            return false;
        }
        self.summary &= !(1 << word);
        self.is_empty()
    }

    /// Closes the gap that a member leaves in packed cells.
    #[inline(never)]
    fn remove_cell(&mut self, offset: u32) {
        let (rank, len) = (self.rank(offset), self.packed_len());
        if let Cells::Packed(cells) = &mut self.cells {
            cells.copy_within(rank + 1..len, rank);
            self.shift_ranks(offset, u128::wrapping_sub);
        }
    }

    /// Moves the member at `offset` to `dense_index` if that only takes writing an existing cell. Returns `false` if it
    /// takes more.
    #[inline(always)]
    pub(crate) fn relocate_cheaply(&mut self, offset: u32, dense_index: u32) -> bool {
        match &mut self.cells {
            Cells::Narrow(cells) if dense_index < Narrow::END => {
                cells.set(offset, dense_index);
                true
            }
            _ => false,
        }
    }

    /// Moves the member at `offset` to `dense_index`.
    #[inline(never)]
    pub(crate) fn relocate(&mut self, offset: u32, dense_index: u32) {
        if self.is_sequential() {
            let before = self.in_order(offset);
            if before == dense_index {
                return;
            }
            if self.summary.is_power_of_two() && self.len() == 1 {
                self.base = dense_index.wrapping_sub(offset);
                if self.order.is_some() {
                    self.order = PageOrder::of(self.order.bits_at(before), dense_index);
                }
                return;
            }
            self.materialize(0, dense_index);
        }
        if let Cells::Narrow(_) = self.cells
            && dense_index >= Narrow::END
        {
            self.widen();
        }
        let rank = self.rank(offset);
        match &mut self.cells {
            Cells::Sequential => unreachable!("the cells were just made"),
            Cells::Narrow(cells) => cells.set(offset, dense_index),
            Cells::Packed(cells) => cells[rank] = dense_index,
            Cells::Wide(cells) => cells[offset as usize] = dense_index,
        }
    }

    /// Stores the cells in the form that fits `more` further members; one of them gets this dense index.
    #[cold]
    fn materialize(&mut self, more: usize, dense_index: u32) {
        let len = self.len();
        if len + more <= most_packed(dense_index) {
            let room = (len + more).next_power_of_two().max(4);
            if let Cells::Packed(cells) = &mut self.cells {
                let mut roomier = vec![0; room].into_boxed_slice();
                roomier[..len].copy_from_slice(&cells[..len]);
                *cells = roomier;
            } else {
                self.pack(room);
            }
            return;
        }
        let mut cells = Narrow::new();
        let mut highest = 0;
        self.for_each(|offset, dense_index| {
            highest = highest.max(dense_index);
            cells.set(offset, dense_index);
        });
        if highest < Narrow::END {
            (self.cells, self.order) = (Cells::Narrow(cells), PageOrder::NONE);
        } else {
            self.widen();
        }
    }

    /// Packs the cells, with room for `room` members.
    fn pack(&mut self, room: usize) {
        let mut cells = vec![0; room].into_boxed_slice();
        let mut members = 0;
        self.for_each(|_, dense_index| {
            cells[members] = dense_index;
            members += 1;
        });
        self.count_ranks();
        (self.cells, self.order) = (Cells::Packed(cells), PageOrder::NONE);
    }

    /// Counts the members before each word, of a page that is packed (S3).
    fn count_ranks(&mut self) {
        let mut rank = 0;
        for (before, word) in self.ranks.iter_mut().zip(&self.words) {
            *before = rank;
            // At most PACKED_MAX.
            rank += u8::try_from(word.count_ones()).unwrap_or(0);
        }
    }

    /// Makes a wide cell for every index.
    #[cold]
    fn widen(&mut self) {
        let mut cells: Box<[u32; PAGE_LEN]> = zeroed();
        self.for_each(|offset, dense_index| cells[offset as usize] = dense_index);
        (self.cells, self.order) = (Cells::Wide(cells), PageOrder::NONE);
    }

    /// Calls `f` with the offset and the dense index of each member, in index order.
    fn for_each(&self, mut f: impl FnMut(u32, u32)) {
        if self.is_sequential() {
            self.for_each_offset(|offset| f(offset, self.in_order(offset)));
        } else {
            self.for_each_offset(|offset| f(offset, self.dense_index(offset)));
        }
    }

    #[inline(always)]
    fn for_each_offset(&self, mut f: impl FnMut(u32)) {
        for (first, &word) in (0..).step_by(64).zip(&self.words) {
            let mut bits = word;
            while bits != 0 {
                f(first + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
    }

    /// Frees the room that packed cells do not need.
    pub(crate) fn shrink_to_fit(&mut self) {
        if let Cells::Packed(cells) = &self.cells
            && self.packed_len() < cells.len()
        {
            self.pack(self.packed_len());
        }
    }

    /// Prefetches the head of the page.
    #[inline]
    pub(crate) fn prefetch(&self) {
        let head = core::ptr::from_ref(self).cast::<u8>();
        for line in 0..size_of::<Self>().div_ceil(64) {
            prefetch(head.wrapping_add(line * 64));
        }
    }

    /// Prefetches the word and the cell of one offset.
    #[inline(always)]
    pub(crate) fn prefetch_at(&self, offset: u32) {
        prefetch(&raw const self.words[(offset / 64) as usize % WORDS]);
        if let Cells::Narrow(cells) = &self.cells {
            cells.prefetch(offset);
        }
    }

    /// Prefetches packed cells.
    #[inline]
    pub(crate) fn prefetch_cells(&self) {
        if let Cells::Packed(cells) = &self.cells {
            let first = cells.as_ptr();
            for line in (0..cells.len()).step_by(16) {
                prefetch(first.wrapping_add(line));
            }
        }
    }

    /// Returns the bytes on the heap, including the head.
    #[inline]
    pub(crate) fn memory(&self) -> usize {
        size_of::<Self>()
            + match &self.cells {
                Cells::Sequential => 0,
                Cells::Narrow(_) => Narrow::SIZE,
                Cells::Packed(cells) => size_of_val(&**cells),
                Cells::Wide(_) => size_of::<[u32; PAGE_LEN]>(),
            }
    }

    /// Checks S1 to S3, S6 and S7. Returns the number of members of this page, of `all` in the pool.
    #[inline]
    pub(crate) fn check(&self, all: usize) -> Result<usize, &'static str> {
        let mut len = 0;
        for (word, &bits) in (0_u32..).zip(&self.words) {
            if (self.summary >> word & 1 != 0) != (bits != 0) {
                return Err("S1: a summary bit is wrong");
            }
            if let Cells::Packed(_) = self.cells
                && self.rank(word * 64) != len
            {
                return Err("S3: a rank is wrong");
            }
            len += bits.count_ones() as usize;
        }
        if len == 0 {
            return Err("S2: a page is empty");
        }
        let has_order = self.is_sequential() && self.generation != 0;
        let mut is_right = has_order == self.order.is_some();
        self.for_each(|offset, dense_index| {
            let bits = self.order.bits_at(dense_index);
            let is_key = (offset_in(bits), generation_in(bits)) == (offset, self.generation);
            is_right &= is_key || !has_order;
        });
        if !is_right {
            return Err("S6: the order is not the page's");
        }
        let is_missing = |offset| !self.contains(offset) && (self.in_order(offset) as usize) < all;
        if self.order.is_complete() && (0..).take(PAGE_LEN).any(is_missing) {
            return Err("S7: a page's order is not complete");
        }
        if let Cells::Packed(cells) = &self.cells
            && cells.len() < len
        {
            return Err("S3: a packed page has too few cells");
        }
        Ok(len)
    }
}

/// Two bytes that restore the form of a page, so that later edits behave as they would have.
mod form {
    use super::{Page, PagePlace, zeroed};
    use crate::extent::masked;
    use crate::storage::cells::{Cells, Narrow, PACKED_MAX};
    use crate::storage::order::PageOrder;
    use crate::storage::place::{PAGE_LEN, generation_in, offset_in};
    use alloc::vec;

    /// The form of the cells.
    const CELLS: u8 = 3;
    /// Set if all members are marked as sharing a generation.
    const SHARES: u8 = 4;
    /// Set if the order is marked as complete.
    const COMPLETE: u8 = 8;

    impl Page {
        /// The most memory that a page takes.
        #[cfg(feature = "serde")]
        pub(crate) const MOST_MEMORY: usize = size_of::<Self>() + 4 * PAGE_LEN;

        /// The form of a sequential page whose members share a generation, and of any other one.
        pub(crate) const SEQUENTIAL_ALIKE: [u8; 2] = [SHARES, 0];
        pub(crate) const SEQUENTIAL: [u8; 2] = [0, 0];

        /// Returns the form, and the room for packed cells.
        pub(crate) fn form(&self) -> [u8; 2] {
            let (cells, room) = match &self.cells {
                Cells::Sequential => (0, 0),
                Cells::Packed(cells) => (1, cells.len()),
                Cells::Narrow(_) => (2, 0),
                Cells::Wide(_) => (3, 0),
            };
            let shares = if self.generation == 0 { 0 } else { SHARES };
            let complete = if self.order.is_complete() { COMPLETE } else { 0 };
            [cells | shares | complete, room.to_le_bytes()[0]] // at most `PACKED_MAX`
        }

        /// Returns the bytes that a form takes, without the head.
        #[cfg(feature = "serde")]
        pub(crate) fn memory_of_form([form, room]: [u8; 2]) -> usize {
            match form & CELLS {
                0 => 0,
                1 => 4 * usize::from(room),
                2 => Narrow::SIZE,
                _ => 4 * PAGE_LEN,
            }
        }

        /// Returns `true` if pages of this form have a complete order.
        pub(crate) const fn completes([form, _]: [u8; 2]) -> bool {
            form & COMPLETE != 0
        }

        /// Makes `len` neighbouring keys, beginning with these bits, members of a page that gets its
        /// [form](Self::take_form) later. Returns `false` if one of them was a member.
        #[inline]
        pub(crate) fn enrol(&mut self, bits: u64, dense_index: u32, len: u32) -> bool {
            let offset = offset_in(bits);
            // Most runs are long, or keys in no order.
            let are_new = match len {
                1 => !self.contains(offset),
                _ => !self.contains_any(offset, len),
            };
            let generation = generation_in(bits);
            if self.is_empty() {
                self.base = dense_index.wrapping_sub(offset_in(bits));
                self.order = PageOrder::of(bits, dense_index);
                self.generation = generation;
            } else if self.generation != generation {
                self.generation = 0;
            }
            match len {
                1 => self.set(offset),
                _ => self.set_range(offset, len, true),
            }
            are_new
        }

        /// Sets the form of a page after its members were [enrolled](Self::enrol); each must be [seated](Self::seat)
        /// next. Returns `false` if the page cannot have that form.
        #[inline]
        pub(crate) fn take_form(&mut self, [form, room]: [u8; 2]) -> bool {
            let may_share = self.generation != 0;
            let (shares, complete) = (form & SHARES != 0, form & COMPLETE != 0);
            if !shares {
                self.generation = 0;
            }
            let has_order = form & CELLS == 0 && shares;
            if !has_order {
                self.order = PageOrder::NONE;
            } else if complete {
                self.order = self.order.complete();
            }
            let mut is_right = form <= CELLS | SHARES | COMPLETE
                && (may_share || !shares)
                && (has_order || !complete);
            match form & CELLS {
                0 => is_right &= room == 0,
                1 => {
                    let room = usize::from(room);
                    is_right &= self.len() <= room && room <= PACKED_MAX;
                    if is_right {
                        self.count_ranks();
                        self.cells = Cells::Packed(vec![0; room].into_boxed_slice());
                    }
                }
                2 => self.cells = Cells::Narrow(Narrow::new()),
                _ => self.cells = Cells::Wide(zeroed()),
            }
            is_right
        }

        /// Notes the place of a member. Returns `false` if the form does not allow that place.
        #[inline]
        pub(crate) fn seat(&mut self, offset: u32, dense_index: u32) -> bool {
            let rank = if self.is_packed() { self.rank_at(PagePlace::of(offset)) } else { 0 };
            match &mut self.cells {
                Cells::Sequential => self.base.wrapping_add(offset) == dense_index,
                Cells::Narrow(cells) => {
                    cells.set(offset, dense_index);
                    dense_index < Narrow::END
                }
                Cells::Packed(cells) => {
                    cells[rank] = dense_index;
                    true
                }
                Cells::Wide(cells) => {
                    cells[masked!(offset as usize, PAGE_LEN)] = dense_index;
                    true
                }
            }
        }

        /// Returns this page in another form, if its members allow that. `bits_at` returns the bits of the key at a dense
        /// index.
        pub(crate) fn reformed(&self, form: [u8; 2], bits_at: impl Fn(u32) -> u64) -> Option<Self> {
            let mut page = Self::new();
            self.for_each(|_, dense_index| {
                page.enrol(bits_at(dense_index), dense_index, 1);
            });
            let mut is_right = page.take_form(form);
            self.for_each(|offset, dense_index| {
                is_right = is_right && page.seat(offset, dense_index);
            });
            is_right.then_some(page)
        }

        /// Returns two values, for `all` members of the pool (S7): `true` if the order is complete, and `true` if it
        /// may be.
        #[inline]
        pub(crate) fn is_complete(&self, all: usize) -> (bool, bool) {
            let is_missing =
                |offset| !self.contains(offset) && (self.in_order(offset) as usize) < all;
            let is_complete = self.order.is_complete();
            // The search is skipped for full pages, which are the most frequent.
            let may_be = !is_complete || self.is_full() || !(0..).take(PAGE_LEN).any(is_missing);
            (is_complete, may_be)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::place::PAGE_SHIFT;
    use core::ops::RangeInclusive;
    use std::collections::{BTreeMap, BTreeSet};
    use std::vec::Vec;

    impl Page {
        /// Appends all that later edits and lookups depend on. It leaves out cells of indices that are not members,
        /// and ranks and base where the form of cells has none.
        pub(crate) fn write_state(&self, state: &mut Vec<u8>) {
            let (form, room) = match &self.cells {
                Cells::Sequential => (0, self.base),
                Cells::Packed(cells) => (1, u32::try_from(cells.len()).unwrap()),
                Cells::Narrow(_) => (2, 0),
                Cells::Wide(_) => (3, 0),
            };
            state.push(form);
            state.extend([room, self.generation].map(u32::to_le_bytes).concat());
            state.extend(self.order.bits_at(0).to_le_bytes());
            state.push(u8::from(self.order.is_complete()));
            state.push(u8::from(self.order.is_some()));
            self.for_each(|offset, dense_index| {
                state.extend([offset, dense_index].map(u32::to_le_bytes).concat());
            });
        }
    }

    /// Compares a page with a map through this many changes, and returns the forms of cells that occurred. Members are
    /// at offsets below `most`. One in `stir` of them is out of order, at one of `dense`.
    fn compare(
        seed: u64,
        most: u32,
        stir: u32,
        dense: &RangeInclusive<u32>,
    ) -> BTreeSet<&'static str> {
        let mut state = 88_172_645_463_325_252 + seed;
        let mut random = move |below: u32| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            u32::try_from(state % u64::from(below)).unwrap()
        };
        let (mut page, mut map, mut forms) = (Page::new(), BTreeMap::new(), BTreeSet::new());
        for edit in 0..2_000 {
            let offset = random(most);
            let stirred = dense.start() + random(dense.end() - dense.start() + 1);
            let in_order = map.iter().next().map_or(stirred, |(first, at): (&u32, &u32)| {
                at.wrapping_add(offset).wrapping_sub(*first)
            });
            let is_stirred = random(stir) == 0;
            let dense_index = if is_stirred { stirred } else { in_order };
            let generation = 1 + u64::from(random(500) == 0);
            // The number of the page does not matter.
            let bits = generation << 32 | u64::from(5 << PAGE_SHIFT | offset);
            match map.contains_key(&offset) {
                false if random(2) == 0 && page.append(bits, dense_index) => {
                    map.insert(offset, dense_index);
                }
                false => {
                    page.insert(bits, dense_index);
                    map.insert(offset, dense_index);
                }
                true if is_stirred => {
                    if !page.relocate_cheaply(offset, dense_index) {
                        page.relocate(offset, dense_index);
                    }
                    map.insert(offset, dense_index);
                }
                true if map.len() > 1 && random(3) == 0 => {
                    page.remove(offset);
                    map.remove(&offset);
                }
                true => {}
            }
            forms.insert(match page.cells {
                Cells::Sequential => "sequential",
                Cells::Narrow(_) => "narrow",
                Cells::Packed(_) => "packed",
                Cells::Wide(_) => "wide",
            });
            if map.len() > 40 && edit % 16 != 0 {
                continue;
            }
            assert_eq!(page.check(0), Ok(map.len()));
            let mut members = BTreeMap::new();
            page.for_each(|offset, dense_index| {
                members.insert(offset, dense_index);
            });
            assert_eq!(members, map);
            if let Some(lane) = page.small_cells() {
                let small = |offset| lane.small_cell(offset as usize);
                assert!(map.iter().all(|(&offset, &at)| small(offset) == at as usize));
            }
        }
        forms
    }

    #[test]
    fn against_a_map_through_every_form_of_cells() {
        let mut forms = BTreeSet::new();
        for dense in [
            0..=9_999,
            Narrow::END - 2..=Narrow::END,
            Narrow::END - 2_000..=Narrow::END + 2_000,
            Narrow::END..=Narrow::END + 9_999,
            u32::MAX - 9_999..=u32::MAX - 1,
        ] {
            for (seed, most, stir) in [(1, 20, 8), (2, 200, 9), (3, 1_024, 9), (4, 1_024, 1_500)] {
                forms.extend(compare(seed, most, stir, &dense));
            }
        }
        assert_eq!(forms, BTreeSet::from(["narrow", "packed", "sequential", "wide"]));
    }

    #[test]
    fn the_check_finds_each_mistake() {
        let broken = |is_packed: bool, change: fn(&mut Page)| {
            let mut page = Page::new();
            (1..=3).for_each(|offset: u32| page.insert(1 << 32 | u64::from(offset), 5 + offset));
            if is_packed {
                page.insert(1 << 32 | 64, 2);
            }
            assert_eq!(page.is_packed(), is_packed);
            page.check(9).unwrap();
            change(&mut page);
            page.check(9).unwrap_err()
        };
        assert!(broken(false, |page| page.summary = 3).starts_with("S1"));
        assert!(broken(false, |page| *page = Page::new()).starts_with("S2"));
        assert!(broken(true, |page| page.ranks[1] += 1).starts_with("S3: a rank"));
        let few = |page: &mut Page| page.cells = Cells::Packed(vec![0; 3].into_boxed_slice());
        assert!(broken(true, few).starts_with("S3: a packed page"));
        assert!(broken(false, |page| page.base += 1).starts_with("S6"));
        assert!(broken(false, |page| page.generation = 0).starts_with("S6"));
        assert!(broken(false, |page| page.order = page.order.complete()).starts_with("S7"));
    }

    /// Returns a page with `count` members: in order, or one behind the other from the end of the page.
    fn page_of(count: u32, dense_index: u32, in_order: bool) -> Page {
        let mut page = Page::new();
        for at in 0..count {
            let offset = if in_order { at + 1 } else { 1_023 - at };
            page.insert(1 << 32 | u64::from(offset), dense_index + at);
        }
        page
    }

    #[test]
    fn few_members_of_a_large_pool_are_packed() {
        let is_packed = |count, dense_index| page_of(count, dense_index, false).is_packed();
        assert!(is_packed(4, 0) && !is_packed(5, 0));
        assert!(is_packed(9, 9 << 8) && !is_packed(9, (9 << 8) - 9));
        assert!(is_packed(128, 1 << 20) && !is_packed(129, 1 << 20));
        // A removal makes room for one more.
        let mut page = page_of(128, 1 << 20, false);
        page.remove(1_023);
        page.insert(1 << 32 | 7, 1 << 20);
        assert!(page.is_packed());
        page.check(0).unwrap();
    }

    #[test]
    fn the_memory_of_a_page_depends_on_its_cells() {
        let memory = |page: &Page| page.memory() - size_of::<Page>();
        let pages = [
            (page_of(9, 5, true), 0),
            (page_of(3, 5, false), 4 * 4),
            (page_of(9, 5 << 8, false), 3 * 1_024 + 1),
            (page_of(129, Narrow::END, false), 4 * 1_024),
        ];
        for (page, bytes) in pages {
            assert_eq!(memory(&page), bytes, "{page:?}");
            #[cfg(feature = "serde")]
            assert_eq!(Page::memory_of_form(page.form()), bytes);
        }
    }

    /// Returns a page with members at offsets 1, 2 and 64, which are to be seated at 5, 6 and 68, or a full page.
    #[cfg(feature = "serde")]
    fn enrolled(is_full: bool, generation: u64) -> Page {
        let mut page = Page::new();
        if is_full {
            assert!(page.enrol(1 << 32, 5, 1_024));
        } else {
            assert!(page.enrol(1 << 32 | 1, 5, 2) && page.enrol(generation << 32 | 64, 68, 1));
        }
        page
    }

    #[test]
    #[cfg(feature = "serde")]
    fn an_offset_is_enrolled_once() {
        for (offset, len) in [(1, 1), (64, 1), (0, 2), (2, 5), (60, 9)] {
            assert!(!enrolled(false, 1).enrol(1 << 32 | offset, 9, len));
        }
        assert!(enrolled(false, 1).enrol(1 << 32 | 3, 9, 61));
    }

    #[test]
    #[cfg(feature = "serde")]
    fn a_form_fits_the_members_or_is_refused() {
        // The members have one generation, and are in order, completely or not, are packed, or have a cell each.
        for form in [[4, 0], [0, 0], [12, 0], [5, 3], [1, 3], [5, 128], [6, 0], [2, 0], [7, 0]] {
            let mut page = enrolled(false, 1);
            assert!(page.take_form(form), "{form:?}");
            assert_eq!(page.form(), form);
            assert_eq!(page.generation() != 0, form[0] & 4 != 0);
            for (offset, at) in [(1, 5), (2, 6), (64, 68)] {
                assert!(page.seat(offset, at));
                assert_eq!(page.dense_index(offset), at, "{form:?}");
            }
            assert!(page.check(if form[0] & 8 == 0 { 99 } else { 4 }).is_ok(), "{form:?}");
        }
        // With room, incomplete without an order, of unknown bits, with too little or too much room.
        let refused = [[4, 1], [8, 0], [14, 0], [13, 3], [15, 0], [16, 0], [5, 2], [5, 129]];
        for form in refused {
            assert!(!enrolled(false, 1).take_form(form), "{form:?}");
        }
        let mixed = || enrolled(false, 2);
        assert!(mixed().take_form([0, 0]) && mixed().take_form([1, 3]));
        assert!(!mixed().take_form([4, 0]) && !mixed().take_form([5, 3]));
    }

    #[test]
    #[cfg(feature = "serde")]
    fn members_are_seated_where_the_form_allows() {
        let seat = |form, offset, at| {
            let mut page = enrolled(false, 1);
            assert!(page.take_form(form));
            page.seat(offset, at)
        };
        assert!(seat([4, 0], 2, 6) && !seat([4, 0], 2, 7));
        assert!(seat([6, 0], 2, Narrow::END - 1) && !seat([6, 0], 2, Narrow::END));
        assert!(seat([7, 0], 2, Narrow::END) && seat([5, 3], 2, Narrow::END));
    }

    #[test]
    #[cfg(feature = "serde")]
    fn an_order_may_be_complete_if_no_member_is_missing() {
        let of = |is_full, form| {
            let mut page = enrolled(is_full, 1);
            assert!(page.take_form(form));
            page
        };
        // Offset 0 is missing, and would be at position 4.
        assert_eq!(of(false, [12, 0]).is_complete(4), (true, true));
        assert_eq!(of(false, [12, 0]).is_complete(5), (true, false));
        assert_eq!(of(false, [4, 0]).is_complete(5), (false, true));
        assert_eq!(of(true, [12, 0]).is_complete(usize::MAX), (true, true));
        assert_eq!(of(true, [4, 0]).is_complete(usize::MAX), (false, true));
    }

    #[test]
    fn indices_beyond_three_bytes_take_four() {
        type Change = fn(&mut Page, u32);
        // Each change makes offset 7 a member, or moves it, to a given dense index.
        let changes: [(bool, Change); 4] = [
            (false, |page, at| page.insert(1 << 32 | 7, at)),
            (false, |page, at| {
                if !page.append(1 << 32 | 7, at) {
                    page.insert(1 << 32 | 7, at);
                }
            }),
            (true, |page, at| page.relocate(7, at)),
            (true, |page, at| {
                if !page.relocate_cheaply(7, at) {
                    page.relocate(7, at);
                }
            }),
        ];
        // A page with members in order behind a dense index.
        let in_order = |first: u32| {
            let mut page = Page::new();
            (8..=908).for_each(|offset| page.insert(1 << 32 | u64::from(offset), first + offset));
            page
        };
        let is_wide = |page: &Page| matches!(page.cells, Cells::Wide(_));
        for at in [Narrow::END - 1, Narrow::END] {
            for (is_member, change) in changes {
                let mut page = in_order(5_000);
                if is_member {
                    page.insert(1 << 32 | 7, 3);
                }
                change(&mut page, at);
                assert_eq!((page.dense_index(7), is_wide(&page)), (at, at == Narrow::END));
            }
            let mut page = in_order(at - 908);
            page.insert(1 << 32 | 7, 3);
            assert_eq!((page.dense_index(908), is_wide(&page)), (at, at == Narrow::END));
        }
    }

    /// A key of a complete order is found without a look at the bits.
    #[test]
    fn a_page_is_complete_until_members_end() {
        let mut page = Page::new();
        page.insert(1 << 32, 0);
        page.set_range(1, 99, true);
        assert!(page.order.is_complete());
        page.set_range(90, 10, false);
        assert!(!page.order.is_complete() && page.contains(89) && !page.contains(90));
    }
}
