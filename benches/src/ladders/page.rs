//! Pages of 1,024 neighbouring indices, allocated on first use and freed when the last member
//! leaves.

use super::cells::Cells;
use super::set::Sparse;

/// The indices of a page.
pub const LEN: usize = 1 << 10;
/// The words of its membership bits.
pub const WORDS: usize = LEN / 64;

/// The membership bits of a page.
#[derive(Debug, Default)]
pub struct Membership {
    words: [u64; WORDS],
    /// One bit a word: has it any members?
    summary: u16,
}

impl Membership {
    #[inline]
    pub fn summary(&self) -> u16 {
        self.summary
    }

    #[inline]
    pub fn words(&self) -> &[u64; WORDS] {
        &self.words
    }

    #[inline]
    pub fn word(&self, word: usize) -> u64 {
        self.words[word % WORDS]
    }

    #[inline]
    fn contains(&self, offset: usize) -> bool {
        self.word(offset / 64) >> (offset % 64) & 1 != 0
    }

    #[inline]
    fn set(&mut self, offset: usize) {
        let word = &mut self.words[offset / 64 % WORDS];
        if *word == 0 {
            self.summary |= 1 << (offset / 64);
        }
        *word |= 1 << (offset % 64);
    }

    #[inline]
    fn clear(&mut self, offset: usize) {
        let word = &mut self.words[offset / 64 % WORDS];
        *word &= !(1 << (offset % 64));
        if *word == 0 {
            self.summary &= !(1 << (offset / 64));
        }
    }

    /// Calls `each` with the offsets of the members.
    #[inline]
    pub fn for_each(&self, mut each: impl FnMut(usize)) {
        for (number, &word) in self.words.iter().enumerate() {
            let mut bits = word;
            while bits != 0 {
                each(number * 64 + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }
}

/// The membership and positions of neighbouring indices.
#[derive(Debug, Default)]
pub struct Page<C> {
    pub members: Membership,
    pub cells: C,
}

impl<C: Cells> Page<C> {
    /// The position of a member.
    #[inline(always)]
    pub fn position(&self, offset: usize) -> u32 {
        self.cells.position(offset, &self.members)
    }

    #[inline(always)]
    fn position_lean(&self, offset: usize) -> u32 {
        self.cells.position_lean(offset, &self.members)
    }

    /// Makes an offset a member, which it is not yet.
    #[inline]
    fn put(&mut self, offset: usize, position: u32, generation: u32) {
        self.cells.put(offset, position, generation, &self.members);
        self.members.set(offset);
    }
}

/// A table of pages, where those without members are missing.
#[derive(Debug)]
pub struct Paged<C> {
    pages: Vec<Option<Box<Page<C>>>>,
}

impl<C> Default for Paged<C> {
    fn default() -> Self {
        Self { pages: Vec::new() }
    }
}

#[inline]
fn split(index: u32) -> (usize, usize) {
    let index = index as usize;
    (index / LEN, index % LEN)
}

impl<C: Cells> Paged<C> {
    #[inline]
    pub fn pages(&self) -> &[Option<Box<Page<C>>>] {
        &self.pages
    }

    pub fn pages_mut(&mut self) -> impl Iterator<Item = &mut Page<C>> {
        self.pages.iter_mut().flatten().map(|page| &mut **page)
    }

    #[inline]
    fn page(&self, number: usize) -> Option<&Page<C>> {
        self.pages.get(number)?.as_deref()
    }

    #[inline]
    fn page_mut(&mut self, number: usize) -> Option<&mut Page<C>> {
        self.pages.get_mut(number)?.as_deref_mut()
    }

    #[cold]
    fn add_page(&mut self, number: usize) -> &mut Page<C> {
        if number >= self.pages.len() {
            self.pages.resize_with(number + 1, || None);
        }
        self.pages[number].insert(Box::default())
    }
}

impl<C: Cells> Sparse for Paged<C> {
    #[inline(always)]
    fn find(&self, index: u32, generation: u32, is_it: impl FnOnce(u32) -> bool) -> Option<u32> {
        let (number, offset) = split(index);
        let page = self.page(number)?;
        if !page.members.contains(offset) {
            return None;
        }
        let position = page.position_lean(offset);
        (page.cells.is_of(generation) || is_it(position)).then_some(position)
    }

    #[inline(always)]
    fn put(&mut self, index: u32, position: u32, generation: u32) -> Option<u32> {
        let (number, offset) = split(index);
        match self.page_mut(number) {
            Some(page) if page.members.contains(offset) => return Some(page.position_lean(offset)),
            Some(page) => page.put(offset, position, generation),
            None => self.add_page(number).put(offset, position, generation),
        }
        None
    }

    #[inline(always)]
    fn push(&mut self, index: u32, position: u32, generation: u32) {
        let (number, offset) = split(index);
        match self.page_mut(number) {
            Some(page) => page.put(offset, position, generation),
            None => self.add_page(number).put(offset, position, generation),
        }
    }

    #[inline(always)]
    fn take(
        &mut self,
        index: u32,
        generation: u32,
        is_it: impl FnOnce(u32) -> bool,
    ) -> Option<u32> {
        let (number, offset) = split(index);
        let page = self.page_mut(number)?;
        if !page.members.contains(offset) {
            return None;
        }
        let position = page.position_lean(offset);
        if !page.cells.is_of(generation) && !is_it(position) {
            return None;
        }
        page.members.clear(offset);
        if page.members.summary == 0 {
            self.pages[number] = None;
        }
        Some(position)
    }

    #[inline(always)]
    fn relocate(&mut self, index: u32, position: u32) {
        let (number, offset) = split(index);
        if let Some(page) = self.page_mut(number) {
            page.cells.relocate(offset, position, &page.members);
        }
    }
}
