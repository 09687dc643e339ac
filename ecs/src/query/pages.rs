//! Matches by their bits: page by page, the words of all pools are joined, 64 entities at a time.

use crate::entities::Entities;
use crate::entity::Entity;
use crate::extent::masked;
use crate::query::bits::{BLOCK, Multiversioned, ROOM, Words, first_bits, note, summary};
use crate::query::block::{Block, BlockKind, Found, HandlePlace, Want};
use crate::query::inputs::{FAR_MEMBERS, Input, Inputs};
use crate::storage::sparse_array::{PAGE_LEN, PAGE_SHIFT, Page, PagePlace, WORDS};
use crate::storage::values::{Lane, Presence, SMALL_CELL};
use alloc::vec::Vec;
use core::num::NonZeroU32;
use core::ops::Range;

/// The number of scattered matches in a block with values that are prefetched.
const FETCHED: usize = 64;
/// Fewer neighbours than this are read one by one.
const RUN_LEAST: u32 = 8;

/// The inputs, and the current block: the state that all sources of matches share.
#[derive(Clone, Debug)]
pub(super) struct Search<'w> {
    pub(super) inputs: Inputs<'w>,
    pub(super) block: Block<'w>,
    pub(super) entities: &'w Entities,
    /// `true` if all values that are read are in the caches.
    pub(super) is_cached: bool,
}

/// The matches that a pass over pages finds. If few matches have optional items, there are two passes: so those without
/// are neighbours in runs as long as without optional terms, and no value is read twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum PassShare {
    #[default]
    All,
    /// The matches that lack all optional items; then the others.
    Lacking,
    /// The matches that may have an optional item.
    Others,
}

/// The state of a walk through pages.
///
/// Every match of the part is found exactly once (J2). The remaining matches are in a word of the current page that
/// is `left`, or on a page from `next` on. Others follow the matches without optional items.
#[derive(Clone, Debug, Default)]
pub(super) struct Pages {
    share: PassShare,
    first: usize,
    /// The page after the current one.
    next: usize,
    end: usize,
    /// The range of indices in which matches are found, if it does not consist of whole pages.
    part: Option<[usize; 2]>,
    /// `true` if later pages are prefetched.
    is_warmed: bool,
    /// `true` if values of neighbours are neighbours on the current page, in all pools that are read.
    is_sequential: bool,
    /// `true` if the cells of all pools that are read can be read there as cells of three bytes.
    has_small_cells: bool,
    /// The words of the current page with matches that were not found yet, one bit each.
    left: u64,
    /// The matches there, one bit each: the matches of a block that is words.
    pub(super) words: Words,
    /// The matches among them with each optional item; empty if all lack them.
    parts: Vec<Words>,
}

impl Pages {
    /// Begins at the first of this many pages.
    #[inline]
    pub(super) fn begin(&mut self, end: usize, is_warmed: bool) {
        (self.first, self.next, self.end, self.is_warmed, self.left) = (0, 0, end, is_warmed, 0);
        (self.share, self.part) = (PassShare::All, None);
        self.parts.clear();
    }

    /// Makes two passes, as few matches have optional items.
    pub(super) fn go_twice(&mut self) {
        self.share = PassShare::Lacking;
    }

    /// Begins like another walk, which has found nothing yet.
    pub(super) fn begin_like(&mut self, other: &Self) {
        self.begin(other.end, other.is_warmed);
        self.share = other.share;
    }

    /// Begins anew, to find only matches with these indices.
    pub(super) fn begin_part(&mut self, part: Range<usize>) {
        (self.first, self.end) = (part.start / PAGE_LEN, part.end.div_ceil(PAGE_LEN));
        (self.next, self.part, self.left) = (self.first, Some([part.start, part.end]), 0);
        if self.share == PassShare::Others {
            self.share = PassShare::Lacking;
        }
    }

    /// Returns the index behind the last page.
    pub(super) const fn end(&self) -> usize {
        self.end * PAGE_LEN
    }

    /// Returns `true` if no match is left.
    pub(super) fn is_over(&self) -> bool {
        self.left == 0 && self.next == self.end && self.share != PassShare::Lacking
    }

    /// Finds the next block. With `K` > 0, `K` pools are required and there is no other test, except one set of marked
    /// members; with 0, there may be any tests.
    #[inline(always)]
    fn next<const K: usize>(&mut self, search: &mut Search<'_>, want: Want) -> Found {
        if self.left == 0 && !self.enter_next::<K>(search) {
            return Found::NONE;
        }
        let word = masked!(self.left.trailing_zeros() as usize, WORDS);
        if want == Want::Run || self.is_sequential && self.starts_run(word) {
            return Found::run(self.find_run(word, search));
        }
        if !self.has_small_cells {
            return Found::scattered(self.find_in_rows::<K>(search));
        }
        let Search { inputs, block, .. } = search;
        block.set_on_page();
        if self.is_sequential {
            // A run on this page may have moved the lanes to its beginning.
            for input in inputs.read_ones() {
                if let Some(lane) = input.page.small_cells() {
                    block.lanes[input.lane as usize] = lane;
                }
            }
            let mut count = 0;
            while let Some(word) = self.take_word() {
                count = note::<SMALL_CELL>([(word, self.words[word])], &mut block.order, count);
            }
            return Found::scattered(count);
        }
        self.left = 0;
        if want == Want::Words {
            let count = self.words.iter().map(|bits| bits.count_ones() as usize).sum();
            return Found { kind: BlockKind::Words, len: count };
        }
        let words = self.words.iter().copied().enumerate();
        Found::scattered(note::<SMALL_CELL>(words, &mut block.order, 0))
    }

    /// Returns the number of matches. The walk must not have begun.
    #[inline(always)]
    fn count<const K: usize>(&mut self, search: &mut Search<'_>) -> usize {
        if search.inputs.required.is_empty() && search.inputs.tests == 0 {
            return search.entities.alive();
        }
        let mut count = 0;
        while self.next < self.end {
            let words = matches::<K>(self.next, search);
            count += words.iter().map(|bits| bits.count_ones() as usize).sum::<usize>();
            self.next += 1;
        }
        count
    }

    /// Calls `each`, page by page, with the matches and with the ones that have each optional item. The walk must
    /// not have begun.
    #[inline(always)]
    fn for_each<const K: usize>(&mut self, search: &mut Search<'_>, each: &mut VisitPage<'_>) {
        for number in 0..self.end {
            let words = matches::<K>(number, search);
            if words.iter().fold(0, |any, bits| any | bits) != 0 {
                if K == 0 && !search.inputs.parts.is_empty() {
                    self.words = words;
                    self.look_at_parts(&search.inputs);
                }
                each(number, &words, &self.parts);
            }
        }
    }

    /// Goes to the next page that has matches.
    #[inline(always)]
    fn enter_next<const K: usize>(&mut self, search: &mut Search<'_>) -> bool {
        loop {
            while self.next < self.end {
                let number = self.next;
                self.next += 1;
                if self.enter::<K>(number, search) {
                    return true;
                }
            }
            if K > 0 || self.share != PassShare::Lacking {
                return false;
            }
            (self.share, self.next) = (PassShare::Others, self.first);
        }
    }

    /// Goes to the page with this number. Returns `true` if it has matches.
    #[inline(always)]
    fn enter<const K: usize>(&mut self, number: usize, search: &mut Search<'_>) -> bool {
        self.words = matches::<K>(number, search);
        if K == 0 && self.share != PassShare::All {
            let others = search.inputs.may_have_optional(number);
            let is_lacking = self.share == PassShare::Lacking;
            for (bits, other) in self.words.iter_mut().zip(others) {
                *bits &= if is_lacking { !other } else { other };
            }
        }
        if let Some(part) = self.part {
            cut(&mut self.words, part.map(|index| index.saturating_sub(number * PAGE_LEN)));
        }
        if self.words.iter().fold(0, |any, bits| any | bits) == 0 {
            return false;
        }
        let Search { inputs, block, .. } = search;
        // Prefetches after the reads of this page, which would wait for it otherwise.
        if self.is_warmed {
            inputs.read_ones().for_each(|input| input.keys.prefetch(number));
        }
        let required = if K > 0 { &inputs.required[..K] } else { &inputs.required };
        let has_lanes = !required.is_empty();
        let (mut is_sequential, mut are_small) = (has_lanes, has_lanes);
        let is_far = inputs.driver.len() > FAR_MEMBERS;
        for input in required.iter().filter(|input| input.is_read()) {
            is_sequential &= input.page.is_sequential();
            are_small &= !is_far || input.page.is_near();
            match input.page.small_cells() {
                Some(lane) if are_small => block.lanes[input.lane as usize] = lane,
                _ => are_small = false,
            }
        }
        (self.is_sequential, self.has_small_cells) = (is_sequential, are_small);
        if K == 0 && !inputs.parts.is_empty() {
            self.look_at_parts(inputs);
        }
        self.left = summary(&self.words);
        true
    }

    /// Finds the matches on the current page that have optional items.
    fn look_at_parts(&mut self, inputs: &Inputs<'_>) {
        self.has_small_cells = false; // the cells of a page are not optional
        self.parts.clear();
        if self.share == PassShare::Lacking {
            return;
        }
        for (part, &outer) in (1..).zip(&inputs.parts) {
            let words = if outer == 0 { self.words } else { self.parts[outer as usize - 1] };
            self.parts.push(inputs.passing(part, words, |input| *input.page.words()));
        }
        let mut optional = inputs.others.iter().filter(|input| input.is_read());
        self.is_sequential &=
            optional.all(|input| input.page.is_empty() || input.page.is_sequential());
    }

    /// Returns the number of neighbours from a match on, in its word, that all have or all lack each optional item.
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

    /// Returns `true` if a word begins with enough neighbours to be read as a run.
    #[inline(always)]
    fn starts_run(&self, word: usize) -> bool {
        self.neighbours(word, self.words[word].trailing_zeros() % 64) >= RUN_LEAST
    }

    /// Returns one value for each optional item: `true` if the match at an offset has it.
    fn has(&self, offset: u32) -> impl Iterator<Item = bool> {
        let (word, bit) = ((offset / 64) as usize, offset % 64);
        self.parts.iter().map(move |part| part[word] >> bit & 1 != 0)
    }

    /// Finds the run that begins with the first match of a word, and returns its length.
    fn find_run(&mut self, word: usize, search: &mut Search<'_>) -> usize {
        #[expect(clippy::cast_possible_truncation, reason = "a page has 16 words")]
        let offset = word as u32 * 64 + self.words[word].trailing_zeros() % 64;
        let Search { inputs, block, .. } = search;
        for input in inputs.read_ones() {
            let first = input.page.dense_index(offset) as usize;
            block.lanes[input.lane as usize] = Lane { first, ..Lane::FRONT };
        }
        block.presences.fill(Presence::NONE);
        for (presence, is_there) in block.presences.iter_mut().zip(self.has(offset)) {
            *presence = Presence::of_all(is_there);
        }
        block.handles = HandlePlace::OfLane;
        self.take_run(offset)
    }

    /// Removes the match at an offset, the first of its word, and its neighbours on the page, and returns their number.
    fn take_run(&mut self, offset: u32) -> usize {
        let (mut word, start) = (masked!((offset / 64) as usize, WORDS), offset % 64);
        let most = if self.is_sequential { self.neighbours(word, start) } else { 1 };
        let (mut end, mut len) = (start + most, most as usize);
        loop {
            self.words[word] = if end < 64 { self.words[word] >> end << end } else { 0 };
            if self.words[word] == 0 {
                self.left &= !(1 << word);
            }
            word += 1;
            #[expect(clippy::cast_possible_truncation, reason = "a page has 16 words")]
            let goes_on = end == 64
                && self.is_sequential
                && self.words.get(word).is_some_and(|bits| bits & 1 != 0)
                && self.has(offset).eq(self.has(word as u32 * 64));
            if !goes_on {
                return len;
            }
            end = self.neighbours(word, 0);
            len += end as usize;
        }
    }

    /// Removes and returns the next word of the current page with scattered matches.
    #[inline(always)]
    fn take_word(&mut self) -> Option<usize> {
        let word = self.left.trailing_zeros() as usize % WORDS;
        if self.left == 0 || self.is_sequential && self.starts_run(word) {
            return None;
        }
        self.left &= self.left - 1;
        Some(word)
    }

    /// Finds some of the next matches, up to the next possible run, and returns their number.
    #[inline(always)]
    fn find_in_rows<const K: usize>(&mut self, search: &mut Search<'_>) -> usize {
        search.block.begin_rows(K);
        let most = if search.is_cached { BLOCK } else { FETCHED };
        let (mut count, mut are_known) = (0, true);
        loop {
            let handle_page = search.inputs.required.first().map(|input| input.page);
            let generation = handle_page.map(Page::common_generation);
            are_known &= generation != Some(None);
            count = self.note::<K>(count, most, generation.flatten(), search);
            if self.left != 0 || count >= most || !self.enter_next::<K>(search) {
                break;
            }
        }
        let block = &mut search.block;
        block.end_rows();
        self.has_small_cells = false; // the lanes belong to the rows now
        if !are_known {
            block.handles = HandlePlace::OfLane;
        }
        if K == 0 && block.presences.len() == 1 {
            block.set_order(&first_bits::<{ ROOM / 64 }>(count), false);
        }
        count
    }

    /// Stores the positions and handles of the next matches of the current page, behind `count` others, and returns the
    /// resulting number.
    ///
    /// All is done in one loop: the end of each of several loops would be mispredicted.
    #[inline(always)]
    fn note<const K: usize>(
        &mut self,
        mut count: usize,
        most: usize,
        generation: Option<NonZeroU32>,
        search: &mut Search<'_>,
    ) -> usize {
        let Search { inputs, block, entities, is_cached } = search;
        let Block { rows, noted, bits: presences, .. } = block;
        let Some((first_rows, rows)) = rows.split_first_chunk_mut::<K>() else { return count };
        let known = generation.unwrap_or(NonZeroU32::MIN);
        #[expect(clippy::cast_possible_truncation, reason = "pages of 32-bit indices")]
        let first = (self.next as u32 - 1) << PAGE_SHIFT;
        let (is_cached, words) = (*is_cached, self.words);
        // Copied to registers, which stores cannot change.
        let pools: [Input<'_>; K] = core::array::from_fn(|at| inputs.required[at]);
        while count < most
            && let Some(word) = self.take_word()
        {
            let mut bits = words[word];
            assert!(count <= BLOCK, "a full block gets no more matches");
            while bits != 0 {
                #[expect(clippy::cast_possible_truncation, reason = "a page has 16 words")]
                let place = PagePlace::lowest(word as u32, bits);
                bits &= bits - 1;
                let index = first + place.offset;
                noted[count] = Entity::new(index, known);
                for (input, row) in pools.iter().zip(&mut *first_rows) {
                    if input.is_read() {
                        input.note(place, &mut row[count], is_cached);
                    }
                }
                if K == 0 {
                    if inputs.required.is_empty() {
                        noted[count] = entities.at(index).unwrap_or(noted[count]);
                    }
                    for (part, words) in presences.iter_mut().zip(&self.parts) {
                        let is_there = words[word] >> (place.offset % 64) & 1;
                        part[count / 64] |= is_there << (count % 64);
                    }
                    for input in inputs.read_ones() {
                        let is_there = match input.part {
                            0 => true,
                            part => {
                                presences[part as usize - 1][count / 64] >> (count % 64) & 1 != 0
                            }
                        };
                        if is_there {
                            input.note(place, &mut rows[input.lane as usize][count], is_cached);
                        }
                    }
                }
                count += 1;
            }
        }
        count
    }
}

/// Answers a request by pages, with `K` required pools, or any tests for 0.
pub(super) struct NextPage<'a, 'w, const K: usize>(
    pub(super) &'a mut Pages,
    pub(super) &'a mut Search<'w>,
    pub(super) Want,
);

impl<'p, 'w, const K: usize> Multiversioned for NextPage<'p, 'w, K> {
    type Output = Found;
    type Portable = NextPage<'p, 'w, 0>;
    fn portable(self) -> Self::Portable {
        let Self(pages, search, want) = self;
        NextPage(pages, search, want)
    }
    #[inline(always)]
    fn run(self) -> Found {
        let Self(pages, search, want) = self;
        match want {
            Want::Count => Found::run(pages.count::<K>(search)),
            _ => pages.next::<K>(search, want),
        }
    }
}

/// Receives a page's matches, and the ones that have each optional item.
type VisitPage<'t> = dyn FnMut(usize, &Words, &[Words]) + 't;

/// Visits each page. With `K` > 0, `K` pools are required and there is no other test, except one set of marked members;
/// with 0, there may be any tests.
pub(super) struct EachPage<'a, 'w, 't, const K: usize>(
    pub(super) &'a mut Pages,
    pub(super) &'a mut Search<'w>,
    pub(super) &'a mut VisitPage<'t>,
);

impl<'p, 'w, 't, const K: usize> Multiversioned for EachPage<'p, 'w, 't, K> {
    type Output = ();
    type Portable = EachPage<'p, 'w, 't, 0>;
    fn portable(self) -> Self::Portable {
        let Self(pages, search, each) = self;
        EachPage(pages, search, each)
    }
    #[inline(always)]
    fn run(self) {
        let Self(pages, search, each) = self;
        pages.for_each::<K>(search, each);
    }
}

/// Returns the matches on the page with this number; moves the inputs there if there can be any.
#[inline(always)]
fn matches<const K: usize>(number: usize, search: &mut Search<'_>) -> Words {
    let Search { inputs, entities, .. } = search;
    let required = if K > 0 { &mut inputs.required[..K] } else { &mut inputs.required };
    let summaries = required.iter().map(|input| input.keys.page(number).summary());
    if summaries.fold(!0, |all, summary| all & summary) == 0 {
        return [0; WORDS];
    }
    let mut words = [!0; WORDS];
    if K < 2 && !inputs.marked.iter().all(|marked| marked.restrict(number, &mut words)) {
        return [0; WORDS];
    }
    if required.is_empty() {
        words.iter_mut().zip(living(entities, number)).for_each(|(bits, living)| *bits &= living);
    }
    for input in required {
        input.page = input.keys.page(number);
        words.iter_mut().zip(input.page.words()).for_each(|(bits, own)| *bits &= own);
    }
    if K == 0 && !inputs.others.is_empty() {
        inputs.others.iter_mut().for_each(|input| input.page = input.keys.page(number));
        words = inputs.passing(0, words, |input| *input.page.words());
    }
    words
}

/// Clears the bits outside a range of offsets, which may end behind the last.
#[cold]
fn cut(words: &mut Words, [start, end]: [usize; 2]) {
    let [before, within] = [start, end].map(first_bits::<WORDS>);
    for (word, bits) in words.iter_mut().enumerate() {
        *bits &= within[word] & !before[word];
    }
}

/// Returns the living entities on the page with this number.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::index_of;
    use crate::query::inputs::Role;
    use crate::query::join::Held;
    use crate::query::plan::PlanKind;
    use crate::{Component, Without, World};
    use std::vec;

    #[derive(Component)]
    #[component(track)]
    struct A(u32);
    #[derive(Component)]
    struct B;
    #[derive(Component)]
    struct C;

    /// Returns a matcher of the entities with an A and without a C, which may have a B.
    fn asked(world: &World) -> Held<'_> {
        let keys = |number| (number, world.pools.keys_at(number));
        let [a, b, c] =
            [index_of::<A>().get(), index_of::<B>().get(), index_of::<C>().get()].map(keys);
        Held::asked(|inputs| {
            inputs.read(a.0, a.1, 0, 0);
            inputs.optional(|inputs| inputs.read(b.0, b.1, 0, 0));
            inputs.test_one(c.0, c.1, Role::Excluded);
        })
    }

    /// Returns all blocks that a search of the pages finds: runs with `true` if they have a B, or scattered matches.
    fn blocks(world: &World, want: Want) -> Vec<(usize, Option<bool>)> {
        let mut matcher = asked(world);
        matcher.begin_from(world.stores(), 0);
        let next = || {
            let found = matcher.next(want);
            let is_run = found.kind == BlockKind::Run;
            let has_b = is_run.then(|| matcher.search.block.presences[0].is_some());
            (found.len > 0).then_some((found.len, has_b))
        };
        core::iter::from_fn(next).collect()
    }

    /// A world of entities with an A, in order. Entities with some indices have a B or a C.
    fn world_of(count: u32, b: Range<usize>, c: &[Range<usize>]) -> World {
        let mut world = World::new();
        let entities = world.spawn_batch((0..count).map(A));
        b.for_each(|at| world.insert(entities[at], B).unwrap());
        c.iter().cloned().flatten().for_each(|at| world.insert(entities[at], C).unwrap());
        world
    }

    #[test]
    fn runs_are_as_long_as_matches_are_neighbours_that_have_or_lack_an_optional_item() {
        let runs = |count, b: Range<usize>, c: &[Range<usize>]| {
            let runs = blocks(&world_of(count, b, c), Want::Run);
            runs.into_iter().map(|(len, has_b)| (len, has_b.unwrap())).collect::<Vec<_>>()
        };
        assert_eq!(runs(200, 0..0, &[]), [(200, false)]);
        assert_eq!(runs(65, 0..0, &[]), [(65, false)]);
        assert_eq!(runs(1_900, 0..0, &[]), [(1_024, false), (876, false)], "pages end runs");
        assert_eq!(runs(200, 30..70, &[]), [(30, false), (40, true), (130, false)]);
        assert_eq!(runs(200, 64..128, &[]), [(64, false), (64, true), (72, false)]);
        assert_eq!(runs(130, 64..65, &[]), [(64, false), (1, true), (65, false)]);
        let apart = [10..20, 65..70, 128..192];
        assert_eq!(runs(256, 0..0, &apart), [10, 45, 58, 64].map(|len| (len, false)));
    }

    /// A world with entities that have an A, in no order on their pages.
    fn scattered(indices: &[usize]) -> World {
        let mut world = World::new();
        let entities = world.spawn_batch((0..1_900).map(|_| ()));
        for &at in indices.iter().rev() {
            world.insert(entities[at], A(0)).unwrap();
        }
        world
    }

    #[test]
    fn blocks_of_scattered_matches_cover_pages_and_end_when_they_are_full() {
        let few: Vec<usize> = (0..1_900).step_by(50).collect();
        assert_eq!(blocks(&scattered(&few), Want::Block), [(few.len(), None)]);
        let many: Vec<usize> = (0..PAGE_LEN).step_by(2).collect();
        assert_eq!(blocks(&scattered(&many), Want::Block), [(BLOCK, None); 2]);
    }

    #[test]
    fn a_block_ends_before_a_run() {
        let odd = |count: usize| (1..count).step_by(2).map(|at| at..at + 1);
        let c: Vec<_> = odd(64).chain([64..128, 200..1_024]).collect();
        let blocks = blocks(&world_of(1_100, 0..0, &c), Want::Block);
        assert_eq!(blocks, [(32, None), (72, Some(false)), (76, Some(false))]);
    }

    #[test]
    fn matches_of_a_block_that_lack_the_optional_item_come_first() {
        let mut world = scattered(&(0..PAGE_LEN).step_by(2).collect::<Vec<_>>());
        let some: Vec<Entity> = world.pool::<A>().keys().iter().step_by(2).copied().collect();
        some.into_iter().for_each(|entity| world.insert(entity, B).unwrap());
        let view = world.view::<(&A, Option<&B>)>().with_plan(PlanKind::Words);
        let has_b: Vec<bool> = view.into_iter().map(|(.., b)| b.is_some()).collect();
        assert_eq!(has_b.len(), 512);
        for block in has_b.chunks(BLOCK) {
            assert!(block.is_sorted() && block[0] != block[BLOCK - 1]);
        }
    }

    #[test]
    fn each_part_has_all_of_its_matches_when_few_have_an_optional_item() {
        let (mut world, mut found) = (world_of(1_900, 0..0, &[]), vec![]);
        let few: Vec<Entity> = world.pool::<A>().keys().iter().step_by(100).copied().collect();
        few.into_iter().for_each(|entity| world.insert(entity, B).unwrap());
        let mut matcher = asked(&world);
        matcher.begin(world.stores(), Some(PlanKind::Words));
        let (source, end) = matcher.source();
        for start in (0..end).step_by(PAGE_LEN) {
            matcher.begin_part(source, start..start + PAGE_LEN);
            let lens = core::iter::from_fn(|| Some(matcher.next(Want::Block).len));
            found.push(lens.take_while(|len| *len > 0).sum::<usize>());
        }
        assert_eq!(found, [1_024, 876]);
    }

    #[test]
    fn an_optional_item_is_there_without_the_component_that_it_excludes() {
        let world = world_of(100, 0..50, &[]);
        let view = world.view::<(&A, Option<(&B, Without<C>)>)>().with_plan(PlanKind::Words);
        let have = view.into_iter().filter(|(_, a, b)| {
            assert_eq!(b.is_some(), a.0 < 50);
            b.is_some()
        });
        assert_eq!(have.count(), 50);
    }

    #[test]
    fn joined_matches_are_among_the_marked_ones() {
        let mut world = world_of(100, 0..100, &[]);
        let mut seen = world.changes::<A>();
        let some = world.pool::<A>().keys()[..30].to_vec();
        some.into_iter().for_each(|entity| world.get_mut::<A>(entity).unwrap().0 += 1);
        world.advance(&mut seen);
        let marked = seen.changed();
        let one = world.view::<&A>().among(marked).with_plan(PlanKind::Words);
        let two = world.view::<(&A, &B)>().among(marked).with_plan(PlanKind::Words);
        assert_eq!((marked.len(), one.count(), two.count()), (30, 30, 30));
    }
}
