//! Pages of 1,024 neighbouring indices, allocated on first use and freed when the last member
//! leaves: with plain cells, or with cells in the forms that the library's pages have.

use super::set::{NOWHERE, Sparse, number};

const LEN: usize = 1 << 10;
const WORDS: usize = LEN / 64;

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
    fn for_each(&self, mut each: impl FnMut(usize)) {
        for (number, &word) in self.words.iter().enumerate() {
            let mut bits = word;
            while bits != 0 {
                each(number * 64 + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }
}

/// Where the members of a page are.
pub trait Cells: Default + 'static {
    /// The position of the member at an offset.
    fn position(&self, offset: usize, members: &Membership) -> u32;
    /// As [`position`](Self::position), for code that stays small.
    #[inline(always)]
    fn position_lean(&self, offset: usize, members: &Membership) -> u32 {
        self.position(offset, members)
    }
    /// Notes the position of an offset that is about to become a member.
    fn put(&mut self, offset: usize, position: u32, generation: u32, members: &Membership);
    /// Notes the new position of a member.
    fn relocate(&mut self, offset: usize, position: u32, members: &Membership);
    /// Whether all members are of this generation.
    fn is_of(&self, generation: u32) -> bool;
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

/// One cell for each index.
#[derive(Debug)]
pub struct Plain([u32; LEN]);

impl Default for Plain {
    #[inline]
    fn default() -> Self {
        Self([0; LEN])
    }
}

impl Cells for Plain {
    #[inline]
    fn position(&self, offset: usize, _: &Membership) -> u32 {
        self.0[offset % LEN]
    }
    #[inline]
    fn put(&mut self, offset: usize, position: u32, _: u32, _: &Membership) {
        self.0[offset % LEN] = position;
    }
    #[inline]
    fn relocate(&mut self, offset: usize, position: u32, _: &Membership) {
        self.0[offset % LEN] = position;
    }
    #[inline]
    fn is_of(&self, _: u32) -> bool {
        false
    }
}

/// Cells in the form that takes the least room, and the generation that all members share, or 0.
#[derive(Debug, Default)]
pub struct Forms {
    form: Form,
    generation: u32,
}

#[derive(Debug)]
enum Form {
    /// Nothing is stored: members were added in index order.
    Sequential { base: u32 },
    /// Three bytes an index, and one more so that each can be read as four.
    Narrow(Box<[u8; 3 * LEN + 1]>),
    /// A cell a member.
    Packed(Packed),
}

/// Cells that are found by counting bits: `ranks` are the members in the words before. They are only
/// read: a change unpacks them.
#[derive(Debug)]
struct Packed {
    ranks: [u8; WORDS],
    cells: Box<[u32]>,
}

impl Packed {
    #[inline]
    fn position(&self, offset: usize, members: &Membership) -> u32 {
        let below = members.word(offset / 64) & ((1 << (offset % 64)) - 1);
        let rank = usize::from(self.ranks[offset / 64 % WORDS]) + below.count_ones() as usize;
        self.cells.get(rank).copied().unwrap_or(NOWHERE)
    }

    /// For code that stays small.
    #[inline(never)]
    fn position_by_call(&self, offset: usize, members: &Membership) -> u32 {
        self.position(offset, members)
    }
}

impl Default for Form {
    fn default() -> Self {
        Self::Sequential { base: 0 }
    }
}

#[inline]
fn narrow(cells: &[u8; 3 * LEN + 1], offset: usize) -> u32 {
    let at = 3 * (offset % LEN);
    u32::from_le_bytes([cells[at], cells[at + 1], cells[at + 2], cells[at + 3]]) & 0xff_ffff
}

#[inline]
fn write_narrow(cells: &mut [u8; 3 * LEN + 1], offset: usize, position: u32) {
    let at = 3 * (offset % LEN);
    let [a, b, c, _] = position.to_le_bytes();
    (cells[at], cells[at + 1], cells[at + 2]) = (a, b, c);
}

impl Forms {
    #[cold]
    fn unpack(&mut self, members: &Membership) -> &mut [u8; 3 * LEN + 1] {
        let mut cells = Box::new([0; 3 * LEN + 1]);
        members.for_each(|offset| {
            write_narrow(&mut cells, offset, self.position(offset, members));
        });
        self.form = Form::Narrow(cells);
        let Form::Narrow(cells) = &mut self.form else { unreachable!("just made") };
        cells
    }

    /// Packs the cells of up to `most` members.
    fn pack(&mut self, most: usize, members: &Membership) {
        let mut cells = Vec::new();
        members.for_each(|offset| cells.push(self.position(offset, members)));
        if cells.len() > most || matches!(self.form, Form::Sequential { .. }) {
            return;
        }
        let (mut ranks, mut rank) = ([0; WORDS], 0);
        for (before, word) in ranks.iter_mut().zip(members.words) {
            *before = rank;
            rank += u8::try_from(word.count_ones()).unwrap_or(0);
        }
        self.form = Form::Packed(Packed { ranks, cells: cells.into() });
    }
}

impl Paged<Forms> {
    /// Packs the cells of pages with few members, as many as the library has in a set of this size.
    pub fn pack(&mut self, size: usize) {
        let most = if size <= 1 << 15 { 64 } else { 128 };
        for page in self.pages.iter_mut().flatten() {
            page.cells.pack(most, &page.members);
        }
    }
}

impl Cells for Forms {
    #[inline(always)]
    fn position(&self, offset: usize, members: &Membership) -> u32 {
        match &self.form {
            Form::Sequential { base } => base.wrapping_add(number(offset)),
            Form::Narrow(cells) => narrow(cells, offset),
            Form::Packed(packed) => packed.position(offset, members),
        }
    }

    #[inline(always)]
    fn position_lean(&self, offset: usize, members: &Membership) -> u32 {
        match &self.form {
            Form::Sequential { base } => base.wrapping_add(number(offset)),
            Form::Narrow(cells) => narrow(cells, offset),
            Form::Packed(packed) => packed.position_by_call(offset, members),
        }
    }

    #[inline]
    fn put(&mut self, offset: usize, position: u32, generation: u32, members: &Membership) {
        let base_here = position.wrapping_sub(number(offset));
        if members.summary == 0 {
            (self.form, self.generation) = (Form::Sequential { base: base_here }, generation);
            return;
        }
        if self.generation != generation {
            self.generation = 0;
        }
        match &mut self.form {
            Form::Sequential { base } if *base == base_here => {}
            Form::Narrow(cells) => write_narrow(cells, offset, position),
            _ => write_narrow(self.unpack(members), offset, position),
        }
    }

    #[inline]
    fn relocate(&mut self, offset: usize, position: u32, members: &Membership) {
        match &mut self.form {
            Form::Narrow(cells) => write_narrow(cells, offset, position),
            Form::Sequential { base } if *base == position.wrapping_sub(number(offset)) => {}
            _ => write_narrow(self.unpack(members), offset, position),
        }
    }

    #[inline]
    fn is_of(&self, generation: u32) -> bool {
        self.generation == generation
    }
}
