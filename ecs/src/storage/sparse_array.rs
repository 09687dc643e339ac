//! Entity index → dense index, in pages that also hold the membership bits the joins run on.
//!
//! ```text
//! pages   [ 0 | · | 2 | .. ]            · a page without members is not stored
//! ```

use crate::storage::key::Key;
pub(crate) use crate::storage::page::EMPTY_PAGE;
pub(crate) use crate::storage::page::Page;
pub(crate) use crate::storage::place::{
    PAGE_LEN, PAGE_SHIFT, PagePlace, WORDS, offset_of, page_of,
};
use crate::storage::place::{index_in, offset_in};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The sparse half of a sparse set: which indices are members, and their dense indices.
///
/// * S4: `pages[p]` is `Some` exactly if an index of page `p` is a member; the spare page has no members.
/// * S7: where the order of a page is complete, all indices that it puts below the number of members are members. The
///   only page with such an order that is not full is `growing`, if it is not [`NONE`].
#[derive(Debug)]
pub(crate) struct SparseArray {
    pub(super) pages: Vec<Option<Box<Page>>>,
    /// The page that became empty last, reset to a new one. So a component that is inserted and removed repeatedly on
    /// one entity needs no allocation.
    spare: Option<Box<Page>>,
    pub(super) growing: usize,
}

/// No page.
pub(super) const NONE: usize = usize::MAX;

/// The spare page is not copied: a copy has none, or keeps its own.
impl Clone for SparseArray {
    #[inline]
    fn clone(&self) -> Self {
        Self { pages: self.pages.clone(), spare: None, growing: self.growing }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.pages.clone_from(&source.pages);
        self.growing = source.growing;
    }
}

impl SparseArray {
    pub(crate) const fn new() -> Self {
        Self { pages: Vec::new(), spare: None, growing: NONE }
    }

    /// Returns one more than the number of the last page that can have members.
    #[inline]
    pub(crate) fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// Returns `true` if there are no members. O(pages).
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.pages.iter().all(Option::is_none)
    }

    /// Returns the page with this number, or an empty one if it has no members.
    #[inline]
    pub(crate) fn page(&self, number: usize) -> &Page {
        match self.pages.get(number) {
            Some(Some(page)) => page,
            _ => &EMPTY_PAGE,
        }
    }

    /// Prefetches the page with number `far`, and the cells of page `near`. The head of `near` is in the caches
    /// already.
    #[inline]
    pub(crate) fn prefetch(&self, far: usize, near: usize) {
        if let Some(Some(page)) = self.pages.get(far) {
            page.prefetch();
        }
        self.page(near).prefetch_cells();
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

    /// Returns `true` if any of the `len` indices from `index` on, which are on one page, is a member.
    #[inline]
    pub(crate) fn contains_any(&self, index: u32, len: u32) -> bool {
        self.page(page_of(index)).contains_any(offset_of(index), len)
    }

    /// Returns the page table.
    #[inline]
    pub(crate) fn pages(&self) -> &[Option<Box<Page>>] {
        &self.pages
    }

    /// Returns the page with this number, if it has members.
    #[inline(always)]
    pub(crate) fn page_mut(&mut self, number: usize) -> Option<&mut Page> {
        self.pages.get_mut(number)?.as_deref_mut()
    }

    /// Makes a key with these bits a member at `dense_index`, behind all others, if it continues a complete order.
    /// Otherwise calls `otherwise`, if the page exists and no other page is growing. Returns `true` if the key is a
    /// member now.
    #[inline(always)]
    fn extend(
        &mut self,
        bits: u64,
        dense_index: u32,
        otherwise: impl FnOnce(&mut Page) -> bool,
    ) -> bool {
        let is_alone = self.growing == NONE;
        let Some(page) = self.page_mut(page_of(index_in(bits))) else { return false };
        page.append_next(bits, dense_index) || is_alone && otherwise(page)
    }

    /// Makes a key with these bits a member at `dense_index`, behind all others, if its page exists and no other page
    /// is growing. Returns `false` if it did not. The index must not be a member.
    #[inline(always)]
    pub(crate) fn insert_here(&mut self, bits: u64, dense_index: u32) -> bool {
        self.extend(bits, dense_index, |page| {
            page.insert(bits, dense_index);
            true
        })
    }

    /// Makes a key a member like [`insert_here`](Self::insert_here), but only if its index is free and no cells must be
    /// made or moved.
    #[inline(always)]
    pub(crate) fn append(&mut self, bits: u64, dense_index: u32) -> bool {
        self.extend(bits, dense_index, |page| page.append(bits, dense_index))
    }

    /// Makes a key with these bits a member at `dense_index`, behind all others. Its index must not be a member.
    pub(crate) fn insert(&mut self, bits: u64, dense_index: u32) {
        if self.insert_here(bits, dense_index) {
            return;
        }
        if let Some(page) = self.page_mut(self.growing) {
            page.leave();
        }
        self.growing = NONE;
        if !self.insert_here(bits, dense_index) {
            let number = page_of(index_in(bits));
            self.add_page(number).insert(bits, dense_index);
            self.growing = number;
        }
    }

    /// Makes `len` keys members, with the dense indices from `dense_index` on. The keys are `first` and those with its
    /// generation and the next indices; none may be a member.
    pub(crate) fn append_range(&mut self, first: impl Key, mut dense_index: u32, mut len: u32) {
        let mut bits = first.bits();
        while len > 0 {
            let here = len.min((1 << PAGE_SHIFT) - offset_in(bits));
            // The first key of a page makes the page, and shows if the page is in order.
            self.insert(bits, dense_index);
            match self.page_mut(page_of(index_in(bits))) {
                Some(page) if page.is_in_order(bits, dense_index) => {
                    page.set_range(offset_in(bits) + 1, here - 1, true);
                }
                _ => {
                    for next in 1..here {
                        self.insert(bits + u64::from(next), dense_index + next);
                    }
                }
            }
            // The last page may be the last of all pages.
            bits = bits.wrapping_add(here.into());
            dense_index = dense_index.wrapping_add(here);
            len -= here;
        }
    }

    #[cold]
    fn add_page(&mut self, number: usize) -> &mut Page {
        if number >= self.pages.len() {
            self.pages.resize_with(number + 1, || None);
        }
        let page = self.spare.take().unwrap_or_else(|| Box::new(Page::new()));
        self.pages[number].insert(page)
    }

    /// Ends the membership of `key`, if exactly this key is a member of `dense`, and returns its dense index.
    #[inline]
    pub(crate) fn remove<K: Key>(&mut self, key: K, dense: &[K]) -> Option<usize> {
        let number = page_of(key.index());
        let page = self.page_mut(number)?;
        let dense_index = page.find(key, dense, dense.len())?;
        if page.remove(offset_of(key.index())) {
            self.free_page(number);
        }
        Some(dense_index)
    }

    /// Ends the membership of `key` if `pass` returns `true`, without finding its position. `pass` is called only if
    /// the index of `key` is a member; its argument is `true` if the page's generation proves that the member is `key`.
    #[inline(always)]
    pub(crate) fn strike(&mut self, key: impl Key, pass: impl FnOnce(bool) -> bool) {
        let (number, offset) = (page_of(key.index()), offset_of(key.index()));
        if let Some(page) = self.page_mut(number)
            && page.contains(offset)
            && pass(page.generation() == key.generation())
            && page.remove(offset)
        {
            self.free_page(number);
        }
    }

    /// Ends the memberships of `run`, neighbours of one generation on one page. Does so only if all are members and
    /// clearing bits is enough; returns `false` otherwise. `only` says that no other keys with their indices can be
    /// members.
    pub(crate) fn strike_run(&mut self, run: &[impl Key], len: u32, only: bool) -> bool {
        let (number, offset) = (page_of(run[0].index()), offset_of(run[0].index()));
        let Some(page) = self.page_mut(number) else { return false };
        let is_simple = !page.is_packed()
            && (only || page.generation() == run[0].generation())
            && page.contains_all(offset, len);
        if is_simple {
            page.set_range(offset, len, false);
            if page.is_empty() {
                self.free_page(number);
            }
        }
        is_simple
    }

    /// Removes the page with this number, which must have no members.
    #[cold]
    pub(crate) fn free_page(&mut self, number: usize) {
        self.spare = self.pages[number].take();
        if let Some(page) = &mut self.spare {
            **page = Page::new();
        }
    }

    /// Moves the member `index` to `dense_index`.
    #[inline]
    pub(crate) fn relocate(&mut self, index: u32, dense_index: u32) {
        debug_assert!(self.contains(index), "only a member has a place");
        if let Some(page) = self.page_mut(page_of(index))
            && !page.relocate_cheaply(offset_of(index), dense_index)
        {
            page.relocate(offset_of(index), dense_index);
        }
    }

    /// Moves a member like [`relocate`](Self::relocate), but only if that takes no more than writing an existing cell.
    /// Returns `false` if it takes more.
    #[inline(always)]
    pub(crate) fn relocate_cheaply(&mut self, index: u32, dense_index: u32) -> bool {
        match self.page_mut(page_of(index)) {
            Some(page) => page.relocate_cheaply(offset_of(index), dense_index),
            None => false,
        }
    }

    /// Restores the form of a page, if its members allow that: `true` is returned. At most one page that is not full has a
    /// complete order: forms without one come first.
    pub(super) fn restore_form<K: Key>(
        &mut self,
        number: usize,
        form: [u8; 2],
        dense: &[K],
    ) -> bool {
        let Some(page) = self.pages.get(number).and_then(Option::as_deref) else { return false };
        let bits_at = |dense_index: u32| dense[dense_index as usize].bits();
        let Some(page) = page.reformed(form, bits_at) else { return false };
        let (is_complete, may_be) = page.is_complete(dense.len());
        let is_growing = is_complete && !page.is_full();
        if !may_be || is_growing && self.growing != NONE && self.growing != number {
            return false;
        }
        self.pages[number] = Some(Box::new(page));
        if is_growing {
            self.growing = number;
        } else if self.growing == number {
            self.growing = NONE;
        }
        true
    }

    /// Ends all memberships and frees the pages.
    pub(crate) fn clear(&mut self) {
        self.pages.clear();
        self.spare = None;
    }

    /// Frees the memory that no member needs: the spare page and a part of the page table.
    #[inline]
    pub(crate) fn shrink_to_fit(&mut self) {
        self.spare = None;
        let used = self.pages.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        self.pages.truncate(used);
        self.pages.shrink_to_fit();
        for page in self.pages.iter_mut().flatten() {
            page.shrink_to_fit();
        }
    }

    /// Returns the bytes on the heap.
    #[inline]
    pub(crate) fn memory(&self) -> usize {
        let pages = self.pages.iter().chain([&self.spare]).flatten();
        self.pages.capacity() * size_of::<Option<Box<Page>>>()
            + pages.map(|page| page.memory()).sum::<usize>()
    }

    /// Checks S1 to S7, and that the members' dense indices match `dense`.
    pub(crate) fn check<K: Key>(&self, dense: &[K]) -> Result<(), &'static str> {
        let mut members = 0;
        for page in self.pages.iter().flatten() {
            members += page.check(dense.len())?;
        }
        if self.spare.as_ref().is_some_and(|page| !page.is_empty()) {
            return Err("S4: the spare page has members");
        }
        if members != dense.len() {
            return Err("K1: the sparse and the dense array have different lengths");
        }
        for (dense_index, key) in dense.iter().enumerate() {
            if self.get(key.index()).map(|at| at as usize) != Some(dense_index) {
                return Err("K1: a member's cell does not lead to it");
            }
            let generation = self.page(page_of(key.index())).generation();
            if generation != 0 && generation != key.generation() {
                return Err("S5: a page's generation is not its members'");
            }
        }
        Ok(())
    }
}

#[cfg(test)]
impl SparseArray {
    /// Appends all that later edits and lookups depend on; the spare page is like a new one.
    pub(crate) fn write_state(&self, state: &mut Vec<u8>) {
        state.extend([self.pages.len(), self.growing].map(usize::to_le_bytes).concat());
        for page in &self.pages {
            state.push(u8::from(page.is_some()));
            page.iter().for_each(|page| page.write_state(state));
        }
    }
}
