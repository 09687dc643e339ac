//! Matches by their bits: page by page, the words of all pools are joined, 64 entities at a time.

use crate::entities::Entities;
use crate::entity::Entity;
use crate::query::bits::{BLOCK, Task, Words, by_own_instructions, note, note_page, summary};
use crate::query::block::{Block, Found, Handles};
use crate::query::inputs::{Input, Inputs, UNREAD};
use crate::storage::keys::Keys;
use crate::storage::sparse_array::{PAGE_LEN, PAGE_SHIFT, Page, Place, WORDS};
use crate::storage::values::{CELL, Lane, Presence, SMALL_CELL};
use alloc::vec::Vec;
use core::num::NonZeroU32;
use core::ops::Range;

/// So many scattered matches make a block where their values are fetched into the caches.
const FETCHED: usize = 64;
/// Fewer neighbours than this are read one by one.
const RUN_LEAST: u32 = 8;

/// What is asked, and what was found: what all sources of matches work with.
#[derive(Debug)]
pub(super) struct Search<'w> {
    pub(super) inputs: Inputs<'w>,
    pub(super) block: Block<'w>,
    pub(super) entities: &'w Entities,
}

/// Where a walk through pages stands.
///
/// Every match was found (J2), or is in a word of the present page that is `left`, or on a page from
/// `next` on.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub(super) struct Pages<'w> {
    /// The page after the present one.
    next: usize,
    end: usize,
    /// The matches, where a group lists them.
    listed: Option<&'w Keys<Entity>>,
    /// Whether all that pages lead to is in the caches.
    is_cached: bool,
    /// Whether pages further on are fetched.
    is_warmed: bool,
    /// Whether values of neighbours are neighbours on the present page, in all pools that are read.
    is_sequential: bool,
    /// Whether the cells of all pools that are read can be read there as ones of three bytes.
    has_small_cells: bool,
    /// The words of the present page that have matches which were not found yet, one bit each.
    left: u16,
    /// The matches there.
    words: Words,
    /// Those of them that have something optional.
    parts: Vec<Words>,
}

impl<'w> Pages<'w> {
    pub(super) const fn new() -> Self {
        Self {
            next: 0,
            end: 0,
            listed: None,
            is_cached: false,
            is_warmed: false,
            is_sequential: false,
            has_small_cells: false,
            left: 0,
            words: [0; WORDS],
            parts: Vec::new(),
        }
    }

    /// Begins at the first of so many pages.
    #[inline]
    pub(super) fn begin(
        &mut self,
        end: usize,
        listed: Option<&'w Keys<Entity>>,
        is_cached: bool,
        is_warmed: bool,
    ) {
        (self.next, self.end, self.listed, self.left) = (0, end, listed, 0);
        (self.is_cached, self.is_warmed) = (is_cached, is_warmed);
        self.parts.clear();
    }

    /// Whether what follows may be [small](Self::next_small).
    pub(super) const fn may_go_on_small(&self) -> bool {
        self.left == 0 && self.is_cached
    }

    /// Whether there is no match any more.
    pub(super) fn is_over(&self) -> bool {
        self.left == 0 && self.next == self.end
    }

    /// Finds the next block of matches, where `K` pools are required and nothing else is asked; or, if that
    /// is 0, in any case.
    #[inline(always)]
    pub(super) fn next<const K: usize>(&mut self, search: &mut Search<'w>) -> Found {
        if self.left == 0 && !self.enter_next::<K>(search) {
            return Found::NONE;
        }
        if self.is_sequential {
            let word = self.left.trailing_zeros() as usize % WORDS;
            if self.starts_run(word) {
                return Found::run(self.find_run::<K>(word, search));
            }
        }
        Found::scattered(if self.has_small_cells {
            self.find_on_page(search)
        } else {
            self.find_in_rows::<K>(search)
        })
    }

    /// The matches on the present page, one bit each: those of a block that is words.
    #[inline(always)]
    pub(super) const fn words(&self) -> &Words {
        &self.words
    }

    /// Goes to the next page that has matches.
    #[inline(always)]
    fn enter_next<const K: usize>(&mut self, search: &mut Search<'w>) -> bool {
        while self.next < self.end {
            let number = self.next;
            self.next += 1;
            if self.enter::<K>(number, search) {
                return true;
            }
        }
        false
    }

    /// Goes to the page with this number. Whether it has matches.
    #[inline(always)]
    fn enter<const K: usize>(&mut self, number: usize, search: &mut Search<'w>) -> bool {
        let Search { inputs, entities, .. } = search;
        if K == 0 {
            return self.enter_any(number, inputs, entities);
        }
        let Some(list) = inputs.required.first_chunk_mut::<K>() else { return false };
        let pages = list.each_ref().map(|input| input.keys.page(number));
        if pages.iter().fold(!0, |all, page| all & page.summary()) == 0 {
            return false;
        }
        let words = all(pages);
        let left = summary(&words);
        (self.words, self.left) = (words, left);
        let (mut is_sequential, mut is_cached) = (true, self.is_cached);
        for (input, page) in list.iter_mut().zip(pages) {
            input.page = page;
            if input.lane != UNREAD {
                is_sequential &= page.is_sequential();
                is_cached &= page.small_cells().is_some();
            }
        }
        // Behind what is read here, for which it would wait.
        if self.is_warmed {
            for input in list.iter() {
                input.keys.warm(number);
            }
        }
        (self.is_sequential, self.has_small_cells) = (is_sequential, is_cached);
        left != 0
    }

    /// The same, whatever is asked.
    fn enter_any(&mut self, number: usize, inputs: &mut Inputs<'w>, entities: &Entities) -> bool {
        inputs.enter(number);
        if self.is_warmed {
            let read = inputs.read_ones();
            read.for_each(|input| input.keys.warm(number));
        }
        self.words = match self.listed {
            Some(keys) => *keys.page(number).words(),
            None => matches(inputs, number, entities),
        };
        self.left = summary(&self.words);
        if self.left == 0 {
            return false;
        }
        let has_lanes = !inputs.required.is_empty();
        (self.is_sequential, self.has_small_cells) = (has_lanes, has_lanes && self.is_cached);
        for input in inputs.required.iter().filter(|input| input.lane != UNREAD) {
            self.is_sequential &= input.page.is_sequential();
            self.has_small_cells &= input.page.small_cells().is_some();
        }
        if !inputs.parts.is_empty() {
            self.look_at_parts(inputs);
        }
        true
    }

    /// Finds out which matches on the present page have something optional.
    fn look_at_parts(&mut self, inputs: &Inputs<'w>) {
        self.parts.clear();
        for (part, &outer) in (1..).zip(&inputs.parts) {
            let words = match outer {
                0 => self.words,
                outer => self.parts[outer as usize - 1],
            };
            self.parts.push(inputs.passing_here(part, words));
        }
        self.has_small_cells = false; // cells of pages do not tell of each match
        let mut optional = inputs.others.iter();
        let is_in_order = |input: &Input<'_>| {
            input.lane == UNREAD || input.page.is_empty() || input.page.is_sequential()
        };
        self.is_sequential &= optional.all(is_in_order);
    }

    /// How many neighbours there are from a match in a word on, in this word, that all have or all lack
    /// what is optional.
    #[inline(always)]
    fn neighbours(&self, word: usize, start: u32) -> u32 {
        let mut len = (!(self.words[word] >> start)).trailing_zeros().min(64 - start);
        for part in &self.parts {
            let there = part[word] >> start;
            let alike = if there & 1 != 0 { !there } else { there };
            len = len.min(alike.trailing_zeros());
        }
        len
    }

    /// Whether the first matches of a word are so many neighbours that they are read as a run.
    #[inline(always)]
    fn starts_run(&self, word: usize) -> bool {
        self.neighbours(word, self.words[word].trailing_zeros() % 64) >= RUN_LEAST
    }

    /// Which of what is optional the match at an offset has.
    fn has(&self, offset: u32) -> impl Iterator<Item = bool> {
        let (word, bit) = ((offset / 64) as usize, offset % 64);
        self.parts.iter().map(move |part| part[word] >> bit & 1 != 0)
    }

    /// Takes the neighbours from the first match of a word on, as many as there are on the page. How many,
    /// and whether they reach its end.
    fn take_run(&mut self, mut word: usize) -> (usize, bool) {
        let start = self.words[word].trailing_zeros() % 64;
        #[expect(clippy::cast_possible_truncation, reason = "a page has 16 words")]
        let first = word as u32 * 64 + start;
        let mut end = start + self.neighbours(word, start);
        let mut len = (end - start) as usize;
        loop {
            self.words[word] = if end < 64 { self.words[word] >> end << end } else { 0 };
            if self.words[word] == 0 {
                self.left &= !(1 << word);
            }
            if end < 64 || word + 1 == WORDS {
                return (len, end == 64);
            }
            word += 1;
            #[expect(clippy::cast_possible_truncation, reason = "as above")]
            let goes_on =
                self.words[word] & 1 != 0 && self.has(first).eq(self.has(word as u32 * 64));
            if !goes_on {
                return (len, false);
            }
            end = self.neighbours(word, 0);
            len += end as usize;
        }
    }

    /// Finds the run that begins with the first match of a word. How long it is.
    fn find_run<const K: usize>(&mut self, word: usize, search: &mut Search<'w>) -> usize {
        #[expect(clippy::cast_possible_truncation, reason = "a page has 16 words")]
        let offset = word as u32 * 64 + self.words[word].trailing_zeros() % 64;
        let Search { inputs, block, .. } = search;
        for input in inputs.read_ones() {
            let first = input.page.dense_index(offset) as usize;
            block.lanes[input.lane as usize] = Lane { first, ..Lane::FRONT };
        }
        for (presence, is_there) in block.presences.iter_mut().zip(self.has(offset)) {
            *presence = Presence::of_all(is_there);
        }
        block.handles = Handles::OfLane;
        let (mut len, mut reaches_end) = self.take_run(word);
        // It may go on on the pages that follow.
        if reaches_end && inputs.is_all_required() {
            while self.next < self.end && goes_on(self.next, len, inputs, block) {
                self.next += 1;
                len += PAGE_LEN;
            }
        }
        while reaches_end && self.next < self.end {
            let number = self.next;
            self.next += 1;
            if !self.enter::<K>(number, search)
                || !self.is_sequential
                || self.words[0] & 1 == 0
                || !self.follows(len, search)
            {
                break;
            }
            let more;
            (more, reaches_end) = self.take_run(0);
            len += more;
        }
        len
    }

    /// Whether a run of this length goes on with the first match of the page, in all pools that are read.
    fn follows(&self, len: usize, search: &Search<'w>) -> bool {
        let Search { inputs, block, .. } = search;
        let is_next = |input: &Input<'w>| {
            let first = block.lanes[input.lane as usize].first;
            input.page.dense_index(0) as usize == first + len
        };
        let is_there = |part: u32| part == 0 || block.presences[part as usize - 1].is_some();
        let mut read = inputs.read_ones();
        self.has(0).eq(block.presences.iter().map(|presence| presence.is_some()))
            && read.all(|input| !is_there(input.part) || is_next(input))
    }

    /// Finds the matches on the next page that has any, as words, if they are wanted; unless cells there have
    /// four bytes, or members are in order in all pools.
    ///
    /// Few instructions a page count here: a page of a join of a tenth with a tenth has ten matches.
    #[inline(always)]
    pub(super) fn next_small<const K: usize>(
        &mut self,
        search: &mut Search<'w>,
        wants_words: bool,
    ) -> Option<Found> {
        let Search { inputs, block, .. } = search;
        let list = inputs.required.first_chunk_mut::<K>()?;
        while self.next < self.end {
            let pages = list.each_ref().map(|input| input.keys.page(self.next));
            if pages.iter().fold(!0, |all, page| all & page.summary()) == 0 {
                self.next += 1;
                continue;
            }
            let mut is_sequential = true;
            for (input, page) in list.iter_mut().zip(pages) {
                input.page = page;
                if let Some(lane) = block.lanes.get_mut(input.lane as usize) {
                    *lane = page.small_cells()?;
                    is_sequential &= page.is_sequential();
                }
            }
            if is_sequential {
                return None;
            }
            self.next += 1;
            let found = if wants_words {
                self.words = all(pages);
                let any = self.words.iter().fold(0, |any, bits| any | bits);
                Found { len: usize::from(any != 0), ..Found::WORDS }
            } else {
                let bits = |word| pages.iter().fold(!0, |all, page| all & page.word(word));
                Found::scattered(note_page::<SMALL_CELL>(bits, &mut block.order, 0))
            };
            if found.len > 0 {
                block.set_on_page();
                return Some(found);
            }
        }
        Some(Found::NONE)
    }

    /// Finds the matches left on a page whose cells have three bytes, or members are in order. How many.
    #[inline(always)]
    fn find_on_page(&mut self, search: &mut Search<'w>) -> usize {
        let Search { inputs, block, .. } = search;
        let mut count = 0;
        while let Some(word) = self.take_word() {
            count = note::<SMALL_CELL>(word * 64, self.words[word], &mut block.order, count);
        }
        for input in inputs.required.iter().filter(|input| input.lane != UNREAD) {
            if let Some(lane) = input.page.small_cells() {
                block.lanes[input.lane as usize] = lane;
            }
        }
        block.set_on_page();
        count
    }

    /// Finds some of the next matches, up to where a run may begin. How many.
    #[inline(always)]
    fn find_in_rows<const K: usize>(&mut self, search: &mut Search<'w>) -> usize {
        search.block.begin_rows(K);
        let most = if self.is_cached { BLOCK } else { FETCHED };
        let (mut count, mut are_mixed) = (0, false);
        loop {
            let mixed;
            (count, mixed) = if K > 0 {
                self.note_required::<K>(count, most, search)
            } else {
                self.note_any(count, most, search)
            };
            are_mixed |= mixed;
            if self.left != 0 || count >= most || !self.enter_next::<K>(search) {
                break;
            }
        }
        let block = &mut search.block;
        block.end_rows();
        if are_mixed {
            block.handles = Handles::OfLane;
        }
        if K == 0 && block.presences.len() == 1 {
            order_by_presence(count, block);
        }
        count
    }

    /// The next word of the present page whose matches are scattered.
    #[inline(always)]
    fn take_word(&mut self) -> Option<usize> {
        let word = self.left.trailing_zeros() as usize % WORDS;
        if self.left == 0 || self.is_sequential && self.starts_run(word) {
            return None;
        }
        self.left &= self.left - 1;
        Some(word)
    }

    /// The first index of the present page.
    #[expect(clippy::cast_possible_truncation, reason = "pages of 32-bit indices")]
    fn first_index(&self) -> u32 {
        (self.next as u32 - 1) << PAGE_SHIFT
    }

    /// Notes where the values of the next matches of the present page are, and their handles, behind
    /// `count` others, where nothing but `K` pools is asked. How many there are then, and whether handles
    /// are to be looked up.
    ///
    /// All in one loop: of several, each would end where the processor does not foresee it.
    #[inline(always)]
    fn note_required<const K: usize>(
        &mut self,
        mut count: usize,
        most: usize,
        search: &mut Search<'w>,
    ) -> (usize, bool) {
        let Search { inputs, block, .. } = search;
        let Block { rows, noted, .. } = block;
        let list = inputs.required.first_chunk::<K>();
        let at: [usize; K] =
            core::array::from_fn(|at| list.map_or(at, |list| list[at].row(at, inputs.lanes)));
        let (Some(list), Ok(rows)) = (list, rows.get_disjoint_mut(at)) else {
            return (count, true);
        };
        let generation = inputs.handle_input().and_then(|input| input.page.common_generation());
        let known = generation.unwrap_or(NonZeroU32::MIN);
        let (first, is_cached) = (self.first_index(), self.is_cached);
        // In registers, which what is written cannot change.
        let pools = list.each_ref().map(|input| (input.lane != UNREAD, input.page, input.values));
        let (mut left, words) = (self.left, self.words);
        while count < most && left != 0 {
            let word = left.trailing_zeros();
            let mut bits = words[word as usize % WORDS];
            if self.is_sequential && self.starts_run(word as usize) {
                break;
            }
            left &= left - 1;
            assert!(count <= BLOCK, "a full block gets no more matches");
            while bits != 0 {
                let place = Place::lowest(word, bits);
                bits &= bits - 1;
                for at in 0..K {
                    let (is_read, page, values) = pools[at];
                    if is_read {
                        let position = page.dense_index_at(place);
                        rows[at][count] = position.to_le();
                        if !is_cached {
                            values.prefetch(position as usize);
                        }
                    }
                }
                noted[count] = Entity::new(first + place.offset, known);
                count += 1;
            }
        }
        self.left = left;
        (count, generation.is_none())
    }

    /// The same, whatever is asked.
    fn note_any(
        &mut self,
        mut count: usize,
        most: usize,
        search: &mut Search<'w>,
    ) -> (usize, bool) {
        let before = count;
        while count < most
            && let Some(word) = self.take_word()
        {
            let offsets = &mut search.block.offsets;
            count = note::<1>(word * 64, self.words[word], offsets, count);
        }
        (count, self.note_rows(before..count, search))
    }

    /// Notes where the values of these matches of the present page are, whose offsets are known, and
    /// their handles; or says that those are to be looked up.
    fn note_rows(&self, at: Range<usize>, search: &mut Search<'w>) -> bool {
        if !self.parts.is_empty() {
            self.note_parts(at.clone(), search);
        }
        let Search { inputs, block, entities } = search;
        let Block { offsets, rows, .. } = &mut *block;
        let offsets = &offsets[at.clone()];
        for input in inputs.required.iter().filter(|input| input.lane != UNREAD) {
            let row = &mut rows[input.lane as usize][at.clone()];
            input.page.positions(offsets, row);
        }
        if !self.is_cached {
            block.prefetch(inputs, || at.clone());
        }
        let first = self.first_index();
        let noted = block.noted[at.clone()].iter_mut().zip(&block.offsets[at]);
        if inputs.required.is_empty() {
            for (handle, &offset) in noted {
                *handle = entities.at(first + u32::from(offset)).unwrap_or(*handle);
            }
            return false;
        }
        let Some(generation) = inputs.handle_input().and_then(|it| it.page.common_generation())
        else {
            return true;
        };
        for (handle, &offset) in noted {
            *handle = Entity::new(first + u32::from(offset), generation);
        }
        false
    }

    /// Notes which of these matches have something optional, and where that is.
    fn note_parts(&self, at: Range<usize>, search: &mut Search<'w>) {
        let Search { inputs, block, .. } = search;
        let Block { offsets, rows, bits, .. } = block;
        for (part, words) in self.parts.iter().enumerate() {
            for (at, &offset) in at.clone().zip(&offsets[at.clone()]) {
                let bit = words[usize::from(offset) / 64 % WORDS] >> (offset % 64) & 1;
                bits[part][at / 64] |= bit << (at % 64);
            }
        }
        for input in inputs.others.iter().filter(|input| input.lane != UNREAD) {
            let row = &mut rows[input.lane as usize];
            for at in at.clone() {
                if bits[input.part as usize - 1][at / 64] >> (at % 64) & 1 != 0 {
                    row[at] = input.page.dense_index(offsets[at].into()).to_le();
                }
            }
        }
    }

    /// How many matches there are; up to `most` are counted. It has not begun.
    pub(super) fn count(&mut self, search: &mut Search<'w>, most: usize) -> usize {
        let Search { inputs, entities, .. } = search;
        if let Some(listed) = self.listed {
            return listed.len();
        }
        if inputs.required.is_empty() && inputs.tests == 0 {
            return entities.alive();
        }
        by_own_instructions(Count { pages: self, search, most })
    }

    /// The count with and without the processor's own instructions: for tests.
    pub(super) fn counts(&mut self, search: &mut Search<'w>) -> [usize; 2] {
        let most = usize::MAX;
        [self.count(search, most), Count { pages: self, search, most }.run()]
    }
}

/// Whether a run of this length goes on through a full page, in all pools that are read.
fn goes_on(number: usize, len: usize, inputs: &Inputs<'_>, block: &Block<'_>) -> bool {
    inputs.required.iter().all(|input| {
        let page = input.keys.page(number);
        let is_next = || {
            let first = block.lanes[input.lane as usize].first;
            page.is_sequential() && page.dense_index(0) as usize == first + len
        };
        page.is_full() && (input.lane == UNREAD || is_next())
    })
}

/// Puts the matches that lack the only optional thing before those that have it: so that the
/// processor predicts well which it is.
fn order_by_presence(count: usize, block: &mut Block<'_>) {
    let mut noted = 0;
    for is_there in [false, true] {
        for (first, bits) in (0..count).step_by(64).zip(&block.bits[0]) {
            let bits = if is_there { *bits } else { !bits };
            let bits = if count - first < 64 { bits & ((1 << (count - first)) - 1) } else { bits };
            noted = note::<CELL>(first, bits, &mut block.order, noted);
        }
    }
    block.set_ordered();
}

/// Counts matches.
struct Count<'a, 'w> {
    pages: &'a mut Pages<'w>,
    search: &'a mut Search<'w>,
    most: usize,
}

impl Task for Count<'_, '_> {
    type Output = usize;
    #[inline(always)]
    fn run(self) -> usize {
        let Self { pages, search: Search { inputs, entities, .. }, most } = self;
        let range = pages.next..pages.end;
        match &inputs.required[..] {
            _ if !inputs.is_all_required() => {}
            [a, b] => return count_all([a.keys, b.keys], range, most),
            [a, b, c] => return count_all([a.keys, b.keys, c.keys], range, most),
            [a, b, c, d] => return count_all([a.keys, b.keys, c.keys, d.keys], range, most),
            _ => {}
        }
        let mut count = 0;
        for number in range {
            inputs.enter(number);
            let words = matches(inputs, number, entities);
            count += words.iter().map(|bits| bits.count_ones() as usize).sum::<usize>();
            if count >= most {
                break;
            }
        }
        count
    }
}

/// How many are members of all these.
#[inline(always)]
fn count_all<const K: usize>(keys: [&Keys<Entity>; K], range: Range<usize>, most: usize) -> usize {
    let mut count = 0;
    for number in range {
        let pages = keys.map(|keys| keys.page(number));
        if pages.iter().fold(!0, |all, page| all & page.summary()) == 0 {
            continue;
        }
        for word in 0..WORDS {
            let bits = pages.iter().fold(!0, |all, page| all & page.word(word));
            count += bits.count_ones() as usize;
        }
        if count >= most {
            break;
        }
    }
    count
}

/// The members of all these.
#[inline(always)]
fn all<const K: usize>(pages: [&Page; K]) -> Words {
    let mut words = [!0; WORDS];
    for page in pages {
        for (word, bits) in words.iter_mut().enumerate() {
            *bits &= page.word(word);
        }
    }
    words
}

/// The matches on the page with this number, at which the pools stand.
#[inline(always)]
fn matches(inputs: &Inputs<'_>, number: usize, entities: &Entities) -> Words {
    let words = if inputs.required.is_empty() {
        living(entities, number)
    } else if inputs.required.iter().fold(!0, |all, input| all & input.page.summary()) == 0 {
        return [0; WORDS];
    } else {
        inputs.members_here()
    };
    if inputs.tests > 0 { inputs.passing_here(0, words) } else { words }
}

/// Who is alive on the page with this number.
#[cold]
fn living(entities: &Entities, number: usize) -> Words {
    let mut words = [0; WORDS];
    for (at, bits) in words.iter_mut().enumerate() {
        let first = number * PAGE_LEN + at * 64;
        for bit in 0..64 {
            let is_alive =
                u32::try_from(first + bit).is_ok_and(|index| entities.at(index).is_some());
            *bits |= u64::from(is_alive) << bit;
        }
    }
    words
}
