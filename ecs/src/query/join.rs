//! The join: which entities are in all pools of a query, and their items.
//!
//! A join walks one of these:
//!
//! * **all**: the one pool of a query that asks for nothing else, as slices;
//! * **words**: the pages that all pools have, 64 entities at a time: AND the membership words,
//!   skip what is zero, read the items of the bits that are left. Where a page knows that its
//!   members lie in the values in index order, neighbouring bits are a run of slices;
//! * **dense**: the members of the smallest pool, when they are few beside the words;
//! * **everyone**: all living entities, when the query requires no pool.
#![expect(unsafe_code, reason = "the join knows that the rows of its items differ")]

use crate::entities::Entities;
use crate::entity::Entity;
use crate::query::fetch::{Fetch, ReadOnlyFetch, Row, RowEntity};
use crate::storage::keys::Keys;
use crate::storage::pools::Pools;
use crate::storage::sparse_array::{EMPTY_PAGE, PAGE_LEN, Page, WORDS, offset_of, page_of};
use core::fmt;
use core::iter::FusedIterator;

/// The smallest pool drives the join when it has fewer members than this many a page.
const DENSE_BELOW: usize = 8;
/// Fewer neighbours than this are read bit by bit.
const RUN_MIN: u32 = 8;

/// The borrowed pools of a query, and the right to fetch each row's item once.
///
/// * J1: a `Join` stands for one right to fetch: it is not `Clone`, and what takes it by value may
///   fetch every row once. [`Join::reborrow`] lends the right, [`Join::copied`] copies it where
///   fetching twice does no harm.
/// * J2: `anchor` is the smallest pool that every match is in, or `None` if there is no such.
pub(crate) struct Join<'w, F: Fetch> {
    window: F::Window<'w>,
    anchor: Option<&'w Keys<Entity>>,
    pools: &'w Pools,
    entities: &'w Entities,
}

impl<'w, F: Fetch> Join<'w, F> {
    /// Joins the pools that `F` names, to read them.
    #[inline]
    pub(crate) fn shared(pools: &'w Pools, entities: &'w Entities) -> Self
    where
        F: ReadOnlyFetch,
    {
        // SAFETY: `F` reads only, and while `pools` is borrowed nobody writes.
        unsafe { Self::new(pools, entities) }
    }

    /// Joins the pools that `F` names, to read and write them.
    ///
    /// # Panics
    /// When two terms of `F` touch one component and one of them writes it.
    #[inline]
    #[track_caller]
    pub(crate) fn exclusive<Q>(pools: &'w mut Pools, entities: &'w Entities) -> Self {
        if const { !F::ACCESS.is_disjoint() } {
            F::ACCESS.assert_disjoint(core::any::type_name::<Q>());
        }
        // SAFETY: the borrow of `pools` is exclusive, and each component that a term writes is
        // that term's alone: types of different ids differ, and others were just compared.
        unsafe { Self::new(pools, entities) }
    }

    /// # Safety
    /// As [`Fetch::window`], and no two terms of `F` touch one component while one writes it.
    #[inline]
    unsafe fn new(pools: &'w Pools, entities: &'w Entities) -> Self {
        // SAFETY: the caller's promise is the same.
        let window = unsafe { F::window(pools) };
        Self { anchor: F::smallest(&window, None), window, pools, entities }
    }

    /// Joins with a filter, too.
    #[inline]
    pub(crate) fn filter<G: ReadOnlyFetch>(self) -> Join<'w, (F, G)> {
        const { assert!(G::ACCESS.is_nothing(), "a filter touches no values") };
        // SAFETY: a filter touches no values.
        let window = unsafe { G::window(self.pools) };
        Join {
            anchor: G::smallest(&window, self.anchor),
            window: (self.window, window),
            pools: self.pools,
            entities: self.entities,
        }
    }

    /// Whether any entity matches.
    pub(crate) fn any(&self) -> bool {
        let Some(anchor) = self.anchor else {
            return self.entities.iter().any(|entity| self.contains(entity));
        };
        if F::POOLS == 1 && F::EXACT {
            return anchor.len() > 0;
        }
        if self.drives(anchor) {
            return anchor.dense().iter().any(|entity| self.contains(*entity));
        }
        (0..anchor.page_count()).any(|number| {
            let cursor = F::cursor(&self.window, number);
            F::summary(&cursor) != 0 && (0..WORDS).any(|word| F::word(&cursor, word) != 0)
        })
    }

    /// The same join for as long as `self` is not used.
    #[inline]
    pub(crate) fn reborrow(&mut self) -> Join<'_, F> {
        Join {
            window: F::shrink(self.window),
            anchor: self.anchor,
            pools: self.pools,
            entities: self.entities,
        }
    }

    /// The same join once more.
    #[inline]
    pub(crate) fn copied(&self) -> Self
    where
        F: ReadOnlyFetch,
    {
        Self { ..*self }
    }

    /// The row of `entity`, if it matches, and the cursor that it is at.
    #[inline]
    fn locate(&self, entity: Entity) -> Option<(F::Cursor<'w>, Row<'w>)> {
        let alive = match self.anchor {
            Some(anchor) => anchor.find(entity).is_some(),
            None => self.entities.record(entity).is_some(),
        };
        let offset = offset_of(entity.index());
        let cursor = F::cursor(&self.window, page_of(entity.index()));
        let matches = alive && F::word(&cursor, (offset / 64) as usize) >> (offset % 64) & 1 != 0;
        matches.then(|| (cursor, Row { offset, entity: RowEntity::Known(entity) }))
    }

    #[inline]
    pub(crate) fn contains(&self, entity: Entity) -> bool {
        self.locate(entity).is_some()
    }

    /// The item of `entity`, if it matches.
    #[inline]
    pub(crate) fn find(self, entity: Entity) -> Option<F::Item<'w>> {
        let (cursor, row) = self.locate(entity)?;
        // SAFETY: the row is a match at this cursor; it is fetched once, as `self` ends (J1).
        Some(unsafe { F::fetch(&cursor, row) })
    }

    /// The items of these entities, or the first of them that does not match or comes twice.
    pub(crate) fn find_all<const N: usize>(
        self,
        entities: [Entity; N],
    ) -> Result<[F::Item<'w>; N], (Entity, Miss)> {
        let mut rows = [const { None }; N];
        for (at, &entity) in entities.iter().enumerate() {
            if entities[..at].contains(&entity) {
                return Err((entity, Miss::Repeated));
            }
            rows[at] = self.locate(entity);
            if rows[at].is_none() {
                return Err((entity, Miss::NoMatch));
            }
        }
        Ok(rows.map(|found| match found {
            // SAFETY: each row is a match at its cursor; the entities differ, so each is fetched
            // once (J1).
            Some((cursor, row)) => unsafe { F::fetch(&cursor, row) },
            None => unreachable!("all rows were found"),
        }))
    }

    /// How many entities match.
    pub(crate) fn count(&self) -> usize {
        let Some(anchor) = self.anchor else {
            return self.count_everyone();
        };
        if F::POOLS == 1 && F::EXACT {
            return anchor.len();
        }
        if self.drives(anchor) {
            return anchor.dense().iter().filter(|entity| self.contains(**entity)).count();
        }
        let mut count = 0;
        for number in 0..anchor.page_count() {
            let cursor = F::cursor(&self.window, number);
            if F::summary(&cursor) != 0 {
                count += (0..WORDS).map(|word| F::word(&cursor, word).count_ones()).sum::<u32>()
                    as usize;
            }
        }
        count
    }

    fn count_everyone(&self) -> usize {
        if F::EXACT {
            return self.entities.len();
        }
        self.entities.iter().filter(|entity| self.contains(*entity)).count()
    }

    /// Whether the smallest pool has so few members that looking each up beats walking words.
    #[inline]
    fn drives(&self, anchor: &Keys<Entity>) -> bool {
        anchor.len() < anchor.page_count() * DENSE_BELOW
    }

    /// All matches.
    #[inline]
    pub(crate) fn into_iter(self) -> Iter<'w, F> {
        let source = match self.anchor {
            Some(anchor) if F::POOLS == 1 && F::EXACT && F::PLAIN => Source::All(anchor),
            Some(anchor) if self.drives(anchor) => Source::Dense(anchor.dense()),
            Some(anchor) => Source::Pages { next: 0, end: anchor.page_count() },
            None => Source::Pages { next: 0, end: self.entities.index_count().div_ceil(PAGE_LEN) },
        };
        Iter { join: self, source, page: None, bits: 0, word: 0, run: None }
    }

    /// The page with this number, if it can have matches.
    #[inline]
    fn enter(&self, number: usize) -> Option<PageWalk<'w, F>> {
        let cursor = F::cursor(&self.window, number);
        let words = F::summary(&cursor);
        (words != 0).then(|| PageWalk {
            sequential: self.anchor.is_some() && F::run(&cursor, 0).is_some(),
            cursor,
            anchor: self.anchor.map_or(&EMPTY_PAGE, |anchor| anchor.page(number)),
            number,
            words,
        })
    }
}

impl<'w, F: Fetch, A: Fetch, B: Fetch> Join<'w, ((F, A), B)> {
    /// The same join with its filters as one.
    #[inline]
    pub(crate) fn nest(self) -> Join<'w, (F, (A, B))> {
        let ((fetch, a), b) = self.window;
        Join {
            window: (fetch, (a, b)),
            anchor: self.anchor,
            pools: self.pools,
            entities: self.entities,
        }
    }
}

/// Why an entity has no item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Miss {
    NoMatch,
    Repeated,
}

/// A page on its way through a join.
struct PageWalk<'w, F: Fetch> {
    cursor: F::Cursor<'w>,
    /// The anchor's page.
    anchor: &'w Page,
    number: usize,
    /// The words that are still to be visited, one bit each.
    words: u16,
    /// Whether neighbours here are neighbours in all values.
    sequential: bool,
}

impl<'w, F: Fetch> Clone for PageWalk<'w, F> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<'w, F: Fetch> Copy for PageWalk<'w, F> {}

impl<'w, F: Fetch> PageWalk<'w, F> {
    /// The next word that has matches: its number and its bits.
    #[inline]
    fn next_word(&mut self, join: &Join<'w, F>) -> Option<(u32, u64)> {
        while self.words != 0 {
            let word = self.words.trailing_zeros();
            self.words &= self.words - 1;
            let mut bits = F::word(&self.cursor, word as usize);
            if join.anchor.is_none() {
                bits &= self.living(join, word);
            }
            if bits != 0 {
                return Some((word, bits));
            }
        }
        None
    }

    /// Which of a word's entities are alive.
    fn living(&self, join: &Join<'w, F>, word: u32) -> u64 {
        let first = self.index(word * 64);
        (0..64).fold(0, |bits, bit| {
            bits | u64::from(join.entities.at(first + bit).is_some()) << bit
        })
    }

    /// The index at an offset of this page.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "pages of 32-bit indices")]
    fn index(&self, offset: u32) -> u32 {
        (self.number * PAGE_LEN) as u32 + offset
    }

    #[inline]
    fn row(&self, join: &Join<'w, F>, offset: u32) -> Row<'w> {
        let index = self.index(offset);
        let entity = match join.anchor {
            Some(keys) => RowEntity::In { keys, page: self.anchor, index },
            None => RowEntity::At { entities: join.entities, index },
        };
        Row { offset, entity }
    }

    /// If the lowest bits of a word begin a run worth taking: the run, and the bits after it.
    ///
    /// A run that reaches the end of its word goes on through the next words while they are full.
    #[inline]
    fn take_run(&mut self, join: &Join<'w, F>, word: u32, bits: u64) -> Option<(Run<'w, F>, u64)> {
        if !self.sequential {
            return None;
        }
        let start = bits.trailing_zeros();
        let ones = (!(bits >> start)).trailing_zeros();
        if ones < RUN_MIN {
            return None;
        }
        let mut len = ones as usize;
        let rest = if start + ones == 64 {
            let mut next = word + 1;
            while next < WORDS as u32
                && self.words >> next & 1 != 0
                && F::word(&self.cursor, next as usize) == !0
            {
                self.words &= !(1 << next);
                len += 64;
                next += 1;
            }
            0
        } else {
            bits >> (start + ones) << (start + ones)
        };
        let offset = word * 64 + start;
        let first = self.anchor.dense_index(offset) as usize;
        let entities = &join.anchor?.dense()[first..first + len];
        Some((Run { values: F::run(&self.cursor, offset)?, entities, at: 0 }, rest))
    }
}

/// Neighbouring matches whose values are neighbours.
struct Run<'w, F: Fetch> {
    values: F::Run<'w>,
    entities: &'w [Entity],
    /// How many were taken.
    at: usize,
}

enum Source<'w> {
    All(&'w Keys<Entity>),
    Dense(&'w [Entity]),
    Pages { next: usize, end: usize },
    Done,
}

/// The iterator over a join's items.
///
/// * J3: every match is in exactly one of: taken, the run, the bits of the current word, the
///   unvisited words of the current page, the source.
pub struct Iter<'w, F: Fetch> {
    run: Option<Run<'w, F>>,
    bits: u64,
    word: u32,
    page: Option<PageWalk<'w, F>>,
    source: Source<'w>,
    join: Join<'w, F>,
}

impl<'w, F: Fetch> Iter<'w, F> {
    /// Finds more matches, once the run and the word are used up.
    fn advance(&mut self) -> bool {
        loop {
            if let Some(page) = &mut self.page {
                if let Some((word, bits)) = page.next_word(&self.join) {
                    self.word = word;
                    self.bits = bits;
                    if let Some((run, rest)) = page.take_run(&self.join, word, bits) {
                        self.run = Some(run);
                        self.bits = rest;
                    }
                    return true;
                }
                self.page = None;
            }
            match &mut self.source {
                Source::All(keys) => {
                    let values = F::run_at(&self.join.window, 0);
                    self.run = Some(Run { values, entities: keys.dense(), at: 0 });
                    self.source = Source::Done;
                    return true;
                }
                Source::Dense(rest) => {
                    let Some((&entity, left)) = rest.split_first() else {
                        return false;
                    };
                    *rest = left;
                    if let Some((cursor, row)) = self.join.locate(entity) {
                        self.bits = 1 << (row.offset % 64);
                        self.word = row.offset / 64;
                        self.page = Some(PageWalk {
                            cursor,
                            anchor: self.join.anchor.map_or(&EMPTY_PAGE, |keys| {
                                keys.page(page_of(entity.index()))
                            }),
                            number: page_of(entity.index()),
                            words: 0,
                            sequential: false,
                        });
                        return true;
                    }
                }
                Source::Pages { next, end } => {
                    if next == end {
                        return false;
                    }
                    *next += 1;
                    self.page = self.join.enter(*next - 1);
                }
                Source::Done => return false,
            }
        }
    }
}

impl<'w, F: Fetch> Iterator for Iter<'w, F> {
    type Item = F::Item<'w>;

    #[inline]
    fn next(&mut self) -> Option<F::Item<'w>> {
        loop {
            if let Some(run) = &mut self.run {
                if run.at < run.entities.len() {
                    run.at += 1;
                    // SAFETY: `at` was below the length; each position is taken once (J1, J3).
                    return Some(unsafe { F::fetch_run(&run.values, run.entities, run.at - 1) });
                }
                self.run = None;
            }
            if self.bits != 0
                && let Some(page) = &self.page
            {
                let offset = self.word * 64 + self.bits.trailing_zeros();
                self.bits &= self.bits - 1;
                let row = page.row(&self.join, offset);
                // SAFETY: the bit says that the row matches; each bit is taken once (J1, J3).
                return Some(unsafe { F::fetch(&page.cursor, row) });
            }
            if !self.advance() {
                return None;
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let most = self.join.anchor.map_or(self.join.entities.len(), Keys::len);
        (0, Some(most))
    }

    fn count(self) -> usize {
        self.fold(0, |count, _| count + 1)
    }

    fn fold<B, G>(mut self, init: B, mut f: G) -> B
    where
        G: FnMut(B, F::Item<'w>) -> B,
    {
        let mut result = init;
        loop {
            if let Some(Run { values, entities, at }) = self.run.take() {
                for at in at..entities.len() {
                    // SAFETY: `at` is in range, each position is taken once (J1, J3).
                    result = f(result, unsafe { F::fetch_run(&values, entities, at) });
                }
            }
            if let Some(mut page) = self.page.take() {
                let (mut word, mut bits) = (self.word, core::mem::take(&mut self.bits));
                loop {
                    while bits != 0 {
                        let row = page.row(&self.join, word * 64 + bits.trailing_zeros());
                        bits &= bits - 1;
                        // SAFETY: the bit says that the row matches; each bit is taken once (J1,
                        // J3).
                        result = f(result, unsafe { F::fetch(&page.cursor, row) });
                    }
                    let Some(next) = page.next_word(&self.join) else { break };
                    (word, bits) = next;
                    while let Some((run, rest)) = page.take_run(&self.join, word, bits) {
                        bits = rest;
                        for at in 0..run.entities.len() {
                            // SAFETY: as above.
                            let item = unsafe { F::fetch_run(&run.values, run.entities, at) };
                            result = f(result, item);
                        }
                        if bits == 0 {
                            break;
                        }
                    }
                }
            }
            if !self.advance() {
                return result;
            }
        }
    }
}

impl<F: Fetch> FusedIterator for Iter<'_, F> {}

impl<F: Fetch> fmt::Debug for Iter<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Iter").finish_non_exhaustive()
    }
}
