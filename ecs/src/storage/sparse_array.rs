//! Entity index → dense index, in pages that also hold the membership bits the joins run on.
//!
//! ```text
//! pages   [ 0 | · | 2 | .. ]            · a page without members is not there
//!           │
//!           ├─ words      16 × 64 bits, one an index: is it a member?
//!           ├─ summary    one bit a word: has it any?
//!           ├─ generation the one generation of all its members, or 0 when they differ
//!           └─ cells      where the members are in the dense array, in one of three forms:
//!
//!              Sequential  dense = base + offset     nothing stored: filled in index order
//!              Packed      [7 3 9]                   a cell a member, found by counting bits
//!              Direct      [· 7 · · 3 · 9 ..]        a cell an index
//! ```

use crate::storage::values::prefetch;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// Indices a page covers: `1 << PAGE_SHIFT`.
pub(crate) const PAGE_SHIFT: u32 = 10;
pub(crate) const PAGE_LEN: usize = 1 << PAGE_SHIFT;
/// Words of membership bits in a page.
pub(crate) const WORDS: usize = PAGE_LEN / 64;
/// Above this many members a page's cells go from [`Cells::Packed`] to [`Cells::Direct`].
const PACKED_MAX: usize = 128;

// A page's summary has a bit for each of its words, and ranks fit a byte while a page is packed.
const _: () = assert!(WORDS == u16::BITS as usize && PACKED_MAX <= u8::MAX as usize);

/// Which page an index is on.
#[inline]
pub(crate) const fn page_of(index: u32) -> usize {
    (index >> PAGE_SHIFT) as usize
}

/// Where on its page an index is.
#[inline]
pub(crate) const fn offset_of(index: u32) -> u32 {
    index & ((1 << PAGE_SHIFT) - 1)
}

/// The membership and dense indices of [`PAGE_LEN`] neighbouring indices.
///
/// * S1: bit `w` of `summary` is set exactly when `words[w] != 0`.
/// * S2: `len` is the number of set bits in `words`, and never 0 for a page in a [`SparseArray`].
/// * S3: when `cells` is packed, it has `len` cells in index order, and `ranks[w]` is the number
///   of members in the words before `w`.
#[derive(Debug)]
pub struct Page {
    words: [u64; WORDS],
    cells: Cells,
    ranks: [u8; WORDS],
    generation: u32,
    len: u16,
    summary: u16,
}

#[derive(Debug)]
enum Cells {
    Sequential { base: u32 },
    Packed(Vec<u32>),
    Direct(Box<[u32; PAGE_LEN]>),
}

/// The page of every index that has none.
pub(crate) static EMPTY_PAGE: Page = Page::new();

impl Page {
    const fn new() -> Self {
        Self {
            words: [0; WORDS],
            cells: Cells::Sequential { base: 0 },
            ranks: [0; WORDS],
            generation: 0,
            len: 0,
            summary: 0,
        }
    }

    /// The members among 64 neighbours, one bit each.
    #[inline]
    pub(crate) fn word(&self, word: usize) -> u64 {
        self.words[word % WORDS]
    }

    /// One bit a word: whether it has members.
    #[inline]
    pub(crate) fn summary(&self) -> u16 {
        self.summary
    }

    /// The generation that all members share, or 0.
    #[inline]
    pub(crate) fn generation(&self) -> u32 {
        self.generation
    }

    #[inline]
    pub(crate) fn contains(&self, offset: u32) -> bool {
        self.word((offset / 64) as usize) >> (offset % 64) & 1 != 0
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        usize::from(self.len) == PAGE_LEN
    }

    /// Whether it is known that neighbouring members are neighbours in the dense array.
    #[inline]
    pub(crate) fn is_sequential(&self) -> bool {
        matches!(self.cells, Cells::Sequential { .. })
    }

    /// The dense index of the member at `offset`; any number or a panic for an offset without one.
    #[inline(always)]
    pub(crate) fn dense_index(&self, offset: u32) -> u32 {
        match &self.cells {
            Cells::Sequential { base } => base.wrapping_add(offset),
            Cells::Direct(cells) => cells[offset as usize % PAGE_LEN],
            Cells::Packed(cells) => cells[rank(&self.words, &self.ranks, offset)],
        }
    }

    /// As [`dense_index`](Self::dense_index), for code that stays small: counting bits is a call.
    #[inline]
    fn dense_index_lean(&self, offset: u32) -> u32 {
        #[inline(never)]
        fn packed(page: &Page, offset: u32) -> u32 {
            page.dense_index(offset)
        }
        match &self.cells {
            Cells::Sequential { base } => base.wrapping_add(offset),
            Cells::Direct(cells) => cells[offset as usize % PAGE_LEN],
            Cells::Packed(_) => packed(self, offset),
        }
    }

    /// The dense index of `key`, if it is the member at `offset` of this page and of `dense`.
    ///
    /// A page whose members share one generation answers without reading the dense array.
    #[inline]
    pub(crate) fn find<K: Key>(&self, offset: u32, key: K, dense: &[K]) -> Option<u32> {
        if !self.contains(offset) {
            return None;
        }
        let dense_index = self.dense_index_lean(offset);
        let is_it =
            self.generation == key.generation() || dense.get(dense_index as usize) == Some(&key);
        is_it.then_some(dense_index)
    }

    #[inline]
    fn insert(&mut self, offset: u32, dense_index: u32, generation: u32) {
        if !self.is_in_order(offset, dense_index, generation) {
            self.insert_cell(offset, dense_index, generation);
        }
        self.set(offset);
    }

    /// Whether a member here goes on in the order and with the generation of the others.
    #[inline]
    fn is_in_order(&self, offset: u32, dense_index: u32, generation: u32) -> bool {
        matches!(self.cells, Cells::Sequential { base }
            if base.wrapping_add(offset) == dense_index && generation == self.generation)
    }

    #[inline]
    fn set(&mut self, offset: u32) {
        self.words[(offset / 64) as usize % WORDS] |= 1 << (offset % 64);
        self.summary |= 1 << (offset / 64);
        self.len += 1;
    }

    fn set_range(&mut self, offset: u32, len: u32) {
        let end = offset + len;
        let mut at = offset;
        while at < end {
            if at.is_multiple_of(64) && end - at >= 64 {
                self.words[(at / 64) as usize] = !0;
                self.summary |= 1 << (at / 64);
                self.len += 64;
                at += 64;
            } else {
                self.set(at);
                at += 1;
            }
        }
    }

    /// Makes room for a member and notes where it is, all but its bit.
    #[inline(never)]
    fn insert_cell(&mut self, offset: u32, dense_index: u32, generation: u32) {
        if self.len == 0 {
            self.generation = generation;
            self.cells = Cells::Sequential { base: dense_index.wrapping_sub(offset) };
        } else if self.generation != generation {
            self.generation = 0;
        }
        match &self.cells {
            Cells::Sequential { base } if base.wrapping_add(offset) == dense_index => {}
            Cells::Sequential { .. } => self.materialize(usize::from(self.len) + 1),
            Cells::Packed(cells) if cells.len() == PACKED_MAX => self.materialize(PACKED_MAX + 1),
            _ => {}
        }
        match &mut self.cells {
            Cells::Sequential { .. } => {}
            Cells::Direct(cells) => cells[offset as usize] = dense_index,
            Cells::Packed(cells) => {
                cells.insert(rank(&self.words, &self.ranks, offset), dense_index);
                for rank in &mut self.ranks[(offset / 64) as usize + 1..] {
                    *rank += 1;
                }
            }
        }
    }

    #[inline]
    fn remove(&mut self, offset: u32) {
        if let Cells::Packed(_) = self.cells {
            self.remove_cell(offset);
        }
        let word = &mut self.words[(offset / 64) as usize % WORDS];
        *word &= !(1 << (offset % 64));
        if *word == 0 {
            self.summary &= !(1 << (offset / 64));
        }
        self.len -= 1;
    }

    /// Closes the gap that a member leaves in packed cells.
    #[inline(never)]
    fn remove_cell(&mut self, offset: u32) {
        let rank = rank(&self.words, &self.ranks, offset);
        if let Cells::Packed(cells) = &mut self.cells {
            cells.remove(rank);
            for rank in &mut self.ranks[(offset / 64) as usize + 1..] {
                *rank -= 1;
            }
        }
    }

    /// Says that the member at `offset` is now at `dense_index`.
    #[inline]
    fn relocate(&mut self, offset: u32, dense_index: u32) {
        if let Cells::Direct(cells) = &mut self.cells {
            cells[offset as usize % PAGE_LEN] = dense_index;
        } else {
            self.relocate_cell(offset, dense_index);
        }
    }

    #[inline(never)]
    fn relocate_cell(&mut self, offset: u32, dense_index: u32) {
        if let Cells::Sequential { base } = &mut self.cells {
            if self.len == 1 {
                *base = dense_index.wrapping_sub(offset);
                return;
            }
            if base.wrapping_add(offset) == dense_index {
                return;
            }
            self.materialize(usize::from(self.len));
        }
        match &mut self.cells {
            Cells::Sequential { .. } => unreachable!("the cells were just made"),
            Cells::Direct(cells) => cells[offset as usize] = dense_index,
            Cells::Packed(cells) => cells[rank(&self.words, &self.ranks, offset)] = dense_index,
        }
    }

    /// Writes the cells out, in the form that fits `len` members.
    #[cold]
    fn materialize(&mut self, len: usize) {
        let cells = if len <= PACKED_MAX {
            let mut packed = Vec::with_capacity(len);
            for (first, word) in (0..).step_by(64).zip(0..WORDS) {
                #[expect(clippy::cast_possible_truncation, reason = "at most PACKED_MAX")]
                let rank = packed.len() as u8;
                self.ranks[word] = rank;
                for_each_bit(self.words[word], |bit| packed.push(self.dense_index(first + bit)));
            }
            Cells::Packed(packed)
        } else {
            let zeroed: Box<[u32]> = vec![0; PAGE_LEN].into_boxed_slice();
            let mut direct: Box<[u32; PAGE_LEN]> =
                zeroed.try_into().expect("the length is PAGE_LEN");
            for (first, &word) in (0..).step_by(64).zip(&self.words) {
                for_each_bit(word, |bit| {
                    let offset: u32 = first + bit;
                    direct[offset as usize] = self.dense_index(offset);
                });
            }
            Cells::Direct(direct)
        };
        self.cells = cells;
    }

    fn memory(&self) -> usize {
        size_of::<Self>()
            + match &self.cells {
                Cells::Sequential { .. } => 0,
                Cells::Packed(cells) => cells.capacity() * size_of::<u32>(),
                Cells::Direct(_) => size_of::<[u32; PAGE_LEN]>(),
            }
    }
}

/// How many members a packed page with these words and ranks has before `offset`.
#[inline(always)]
fn rank(words: &[u64; WORDS], ranks: &[u8; WORDS], offset: u32) -> usize {
    let word = (offset / 64) as usize % WORDS;
    let below = words[word] & ((1 << (offset % 64)) - 1);
    usize::from(ranks[word]) + below.count_ones() as usize
}

/// Calls `f` with the number of each set bit, ascending.
#[inline]
fn for_each_bit(mut bits: u64, mut f: impl FnMut(u32)) {
    while bits != 0 {
        f(bits.trailing_zeros());
        bits &= bits - 1;
    }
}

/// The sparse half of a sparse set: which indices are members, and their dense indices.
///
/// * S4: `pages[p]` is there exactly when an index of page `p` is a member.
#[derive(Debug, Default)]
pub(crate) struct SparseArray {
    pages: Vec<Option<Box<Page>>>,
}

impl SparseArray {
    pub(crate) const fn new() -> Self {
        Self { pages: Vec::new() }
    }

    /// One more than the number of the last page that can have members.
    #[inline]
    pub(crate) fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// The page with this number; an empty one where it has no members.
    #[inline]
    pub(crate) fn page(&self, number: usize) -> &Page {
        match self.pages.get(number) {
            Some(Some(page)) => page,
            _ => &EMPTY_PAGE,
        }
    }

    /// Prefetches the page with this number, and the cells of the one `near` it, whose head is
    /// at hand already.
    #[inline]
    pub(crate) fn warm(&self, far: usize, near: usize) {
        if let Some(Some(page)) = self.pages.get(far) {
            let page: *const Page = &raw const **page;
            for line in 0..size_of::<Page>().div_ceil(64) {
                prefetch(page.cast::<u8>().wrapping_add(line * 64));
            }
        }
        match &self.page(near).cells {
            Cells::Packed(cells) => {
                for line in cells.chunks(16) {
                    prefetch(line.as_ptr());
                }
            }
            Cells::Sequential { .. } | Cells::Direct(_) => {}
        }
    }

    #[inline]
    pub(crate) fn get(&self, index: u32) -> Option<u32> {
        let page = self.page(page_of(index));
        page.contains(offset_of(index)).then(|| page.dense_index(offset_of(index)))
    }

    #[inline]
    pub(crate) fn contains(&self, index: u32) -> bool {
        self.page(page_of(index)).contains(offset_of(index))
    }

    /// Makes `index` a member at `dense_index`, or finds where it is one already.
    #[inline]
    pub(crate) fn insert(&mut self, index: u32, dense_index: u32, generation: u32) -> Option<u32> {
        let number = page_of(index);
        let page = match self.pages.get_mut(number) {
            Some(Some(page)) => page,
            _ => self.add_page(number),
        };
        let offset = offset_of(index);
        if page.contains(offset) {
            return Some(page.dense_index_lean(offset));
        }
        page.insert(offset, dense_index, generation);
        None
    }

    /// Makes `index`, which is no member, one at `dense_index`, if that goes on in the order in
    /// which its page was filled.
    #[inline]
    pub(crate) fn append(&mut self, index: u32, dense_index: u32, generation: u32) -> bool {
        match self.pages.get_mut(page_of(index)) {
            Some(Some(page)) => {
                debug_assert!(!page.contains(offset_of(index)), "the index is new");
                let in_order = page.is_in_order(offset_of(index), dense_index, generation);
                if in_order {
                    page.set(offset_of(index));
                }
                in_order
            }
            _ => false,
        }
    }

    /// Makes the `len` indices from `index` on, which are no members, ones with the dense indices
    /// from `dense_index` on.
    pub(crate) fn append_range(
        &mut self,
        mut index: u32,
        mut dense_index: u32,
        mut len: u32,
        generation: u32,
    ) {
        while len > 0 {
            let here = len.min((1 << PAGE_SHIFT) - offset_of(index));
            // The first of a page makes the page, and shows whether the page is in order.
            self.insert(index, dense_index, generation);
            let page = self.pages[page_of(index)].as_mut();
            match page {
                Some(page) if page.is_in_order(offset_of(index), dense_index, generation) => {
                    page.set_range(offset_of(index) + 1, here - 1);
                }
                _ => {
                    for next in 1..here {
                        self.insert(index + next, dense_index + next, generation);
                    }
                }
            }
            // The last page may be the last there is.
            index = index.wrapping_add(here);
            dense_index = dense_index.wrapping_add(here);
            len -= here;
        }
    }

    #[cold]
    fn add_page(&mut self, number: usize) -> &mut Page {
        if number >= self.pages.len() {
            self.pages.resize_with(number + 1, || None);
        }
        self.pages[number].insert(Box::new(Page::new()))
    }

    /// Ends the membership of `key`, if exactly this key is a member of `dense`, and gives its
    /// dense index.
    #[inline]
    pub(crate) fn remove<K: Key>(&mut self, key: K, dense: &[K]) -> Option<u32> {
        let slot = self.pages.get_mut(page_of(key.index()))?;
        let page = slot.as_mut()?;
        let offset = offset_of(key.index());
        let dense_index = page.find(offset, key, dense)?;
        page.remove(offset);
        if page.is_empty() {
            *slot = None;
        }
        Some(dense_index)
    }

    /// Says that the member `index` is now at `dense_index`.
    #[inline]
    pub(crate) fn relocate(&mut self, index: u32, dense_index: u32) {
        debug_assert!(self.contains(index), "only a member has a place");
        if let Some(Some(page)) = self.pages.get_mut(page_of(index)) {
            page.relocate(offset_of(index), dense_index);
        }
    }

    /// Ends all memberships and gives the pages back.
    pub(crate) fn clear(&mut self) {
        self.pages.clear();
    }

    /// Gives back the part of the page table that no member needs.
    pub(crate) fn shrink_to_fit(&mut self) {
        let used = self.pages.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        self.pages.truncate(used);
        self.pages.shrink_to_fit();
        for page in self.pages.iter_mut().flatten() {
            if let Cells::Packed(cells) = &mut page.cells {
                cells.shrink_to_fit();
            }
        }
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.pages.capacity() * size_of::<Option<Box<Page>>>()
            + self.pages.iter().flatten().map(|page| page.memory()).sum::<usize>()
    }

    /// Checks S1 to S4, and that the members' dense indices are those of `dense`.
    pub(crate) fn check<K: Key>(&self, dense: &[K]) -> Result<(), &'static str> {
        let mut members = 0;
        for page in self.pages.iter().flatten() {
            let mut len = 0;
            for (word, &bits) in page.words.iter().enumerate() {
                if (page.summary >> word & 1 != 0) != (bits != 0) {
                    return Err("S1: a summary bit is wrong");
                }
                if let Cells::Packed(_) = page.cells
                    && usize::from(page.ranks[word]) != len
                {
                    return Err("S3: a rank is wrong");
                }
                len += bits.count_ones() as usize;
            }
            if len == 0 || len != usize::from(page.len) {
                return Err("S2: a page's length is wrong");
            }
            if let Cells::Packed(cells) = &page.cells
                && cells.len() != len
            {
                return Err("S3: a packed page has too many or too few cells");
            }
            members += len;
        }
        if members != dense.len() {
            return Err("K1: the sparse and the dense array have different lengths");
        }
        for (dense_index, key) in dense.iter().enumerate() {
            if self.get(key.index()).map(|at| at as usize) != Some(dense_index) {
                return Err("K1: a member's cell does not lead to it");
            }
            let generation = self.page(page_of(key.index())).generation;
            if generation != 0 && generation != key.generation() {
                return Err("S5: a page's generation is not its members'");
            }
        }
        Ok(())
    }
}

/// What a sparse set is keyed by: an index, or an entity, whose generation must match as well.
pub trait Key: Copy + Eq + core::fmt::Debug + sealed::Sealed + 'static {
    /// Where the key is in the sparse array.
    fn index(self) -> u32;
    /// What tells users of the same index apart; never 0.
    fn generation(self) -> u32;
}

impl Key for u32 {
    #[inline]
    fn index(self) -> u32 {
        self
    }
    #[inline]
    fn generation(self) -> u32 {
        1
    }
}

impl Key for crate::entity::Entity {
    #[inline]
    fn index(self) -> u32 {
        Self::index(self)
    }
    #[inline]
    fn generation(self) -> u32 {
        Self::generation(self).get()
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for crate::entity::Entity {}
}
