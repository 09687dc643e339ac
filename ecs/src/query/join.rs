//! The join: which entities are in all pools of a query, and their items.
//!
//! A join walks one of these:
//!
//! * **all**: the one pool of a query that asks for nothing else, as slices;
//! * **words**: the pages that all pools have, 64 entities at a time: AND the membership words,
//!   skip what is zero, read the items of the bits that are left. Where a page knows that its
//!   members lie in the values in index order, neighbouring bits are a run of slices;
//! * **dense**: the members of the smallest pool, when they are few beside the words;
//! * **everyone**: the pages of all living entities, when the query requires no pool.
#![expect(unsafe_code, reason = "the join knows that the rows of its items differ")]

use crate::entities::Entities;
use crate::entity::Entity;
use crate::query::access::{self, Access};
use crate::query::fetch::{Fetch, Filtered, ReadOnlyFetch, Row, RowEntity};
use crate::query::terms::matches_at;
use crate::storage::keys::Keys;
use crate::storage::pools::Pools;
use crate::storage::sparse_array::{EMPTY_PAGE, PAGE_LEN, Page, WORDS, offset_of, page_of};
use crate::tuples::for_each_tuple;
use core::fmt;
use core::iter::FusedIterator;

/// The smallest pool drives the join when it has fewer members than this many a page.
const DENSE_BELOW: usize = 8;
/// Fewer neighbours than this are read bit by bit.
const RUN_MIN: u32 = 8;

/// What a join looks things up in.
///
/// * J1: `anchor` is the smallest pool that every match is in, or `None` if there is no such.
struct Tables<'w, F: Fetch> {
    window: F::Window<'w>,
    anchor: Option<&'w Keys<Entity>>,
    entities: &'w Entities,
}

impl<F: Fetch> Clone for Tables<'_, F> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<F: Fetch> Copy for Tables<'_, F> {}

impl<'w, F: Fetch> Tables<'w, F> {
    /// The row of `entity`, if it matches, and the cursor that it is at.
    #[inline]
    fn locate(&self, entity: Entity) -> Option<(F::Cursor<'w>, Row<'w>)> {
        let alive = match self.anchor {
            Some(anchor) => anchor.find(entity).is_some(),
            None => self.entities.record(entity).is_some(),
        };
        let offset = offset_of(entity.index());
        let cursor = F::cursor(&self.window, page_of(entity.index()));
        let matches = alive && matches_at::<F>(&cursor, offset);
        matches.then_some((cursor, Row { offset, entity: RowEntity::Known(entity) }))
    }

    #[inline]
    fn contains(&self, entity: Entity) -> bool {
        self.locate(entity).is_some()
    }

    /// How this join is best walked.
    #[inline]
    fn source(&self) -> Source<'w> {
        match self.anchor {
            Some(anchor) if F::POOLS == 1 && F::EXACT && F::PLAIN => Source::All(anchor.dense()),
            Some(anchor) if anchor.len() < anchor.page_count() * DENSE_BELOW => {
                Source::Dense(anchor.dense())
            }
            Some(anchor) => Source::Pages { next: 0, end: anchor.page_count() },
            None => Source::Pages { next: 0, end: self.entities.index_count().div_ceil(PAGE_LEN) },
        }
    }

    /// The page with this number, with the words in which it can have matches.
    #[inline]
    fn enter(&self, number: usize) -> PageWalk<'w, F> {
        let cursor = F::cursor(&self.window, number);
        PageWalk {
            words: F::summary(&cursor),
            sequential: self.anchor.is_some_and(|anchor| anchor.page(number).is_sequential())
                && F::is_sequential(&cursor),
            cursor,
            anchor: self.anchor.map_or(&EMPTY_PAGE, |anchor| anchor.page(number)),
            number,
        }
    }
}

/// The borrowed pools of a query, and the right to fetch each row's item once.
///
/// * J2: a `Join` stands for one right to fetch: it is not `Clone`, and what takes it by value may
///   fetch every row once. [`Join::reborrow`] lends the right, [`Join::copied`] copies it where
///   fetching twice does no harm.
pub struct Join<'w, F: Fetch> {
    tables: Tables<'w, F>,
    pools: &'w Pools,
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
        if const { access::needs_check(&F::ACCESS) } {
            access::check(&F::ACCESS, core::any::type_name::<Q>());
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
        let tables = Tables { anchor: F::smallest(&window, None), window, entities };
        Self { tables, pools }
    }

    /// Whether any entity matches.
    pub(crate) fn any(&self) -> bool {
        if F::EXACT && F::POOLS <= 1 {
            return self.count() > 0;
        }
        match self.tables.source() {
            Source::Dense(rest) => rest.iter().any(|entity| self.contains(*entity)),
            _ if self.tables.anchor.is_none() => {
                self.tables.entities.iter().any(|entity| self.contains(entity))
            }
            Source::Pages { next, end } => (next..end).any(|number| {
                let cursor = F::cursor(&self.tables.window, number);
                F::summary(&cursor) != 0 && (0..WORDS).any(|word| F::word(&cursor, word) != 0)
            }),
            Source::All(_) => self.count() > 0,
        }
    }

    /// How many entities match.
    pub(crate) fn count(&self) -> usize {
        match (self.tables.anchor, self.tables.source()) {
            (Some(anchor), _) if F::POOLS == 1 && F::EXACT => anchor.len(),
            (None, _) if F::EXACT => self.tables.entities.len(),
            (None, _) => {
                self.tables.entities.iter().filter(|entity| self.contains(*entity)).count()
            }
            (_, Source::All(rest)) => rest.len(),
            (_, Source::Dense(rest)) => {
                rest.iter().filter(|entity| self.contains(**entity)).count()
            }
            (_, Source::Pages { next, end }) => (next..end)
                .map(|number| F::cursor(&self.tables.window, number))
                .filter(|cursor| F::summary(cursor) != 0)
                .map(|cursor| {
                    (0..WORDS).map(|word| F::word(&cursor, word).count_ones()).sum::<u32>()
                })
                .map(|matches| matches as usize)
                .sum(),
        }
    }

    /// The same join for as long as `self` is not used.
    #[inline]
    pub(crate) fn reborrow(&mut self) -> Join<'_, F> {
        let Tables { window, anchor, entities } = self.tables;
        Join { tables: Tables { window: F::shrink(window), anchor, entities }, pools: self.pools }
    }

    /// The same join once more.
    #[inline]
    pub(crate) fn copied(&self) -> Self
    where
        F: ReadOnlyFetch,
    {
        Self { ..*self }
    }

    #[inline]
    pub(crate) fn contains(&self, entity: Entity) -> bool {
        self.tables.contains(entity)
    }

    /// The item of `entity`, if it matches.
    #[inline]
    pub(crate) fn find(self, entity: Entity) -> Option<F::Item<'w>> {
        let (cursor, row) = self.tables.locate(entity)?;
        // SAFETY: the row is a match at this cursor; it is fetched once, as `self` ends (J2).
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
            rows[at] = self.tables.locate(entity);
            if rows[at].is_none() {
                return Err((entity, Miss::NoMatch));
            }
        }
        Ok(rows.map(|found| match found {
            // SAFETY: each row is a match at its cursor; the entities differ, so each is fetched
            // once (J2).
            Some((cursor, row)) => unsafe { F::fetch(&cursor, row) },
            None => unreachable!("all rows were found"),
        }))
    }

    /// All matches.
    #[inline]
    pub(crate) fn into_iter(self) -> Iter<'w, F> {
        Iter {
            run: None,
            at: 0,
            len: 0,
            bits: 0,
            word: 0,
            page: self.tables.enter(usize::MAX),
            source: self.tables.source(),
            tables: self.tables,
        }
    }
}

impl<'w, F: Fetch, A: ReadOnlyFetch> Join<'w, Filtered<F, A>> {
    /// Joins with one more filter.
    #[inline]
    pub(crate) fn filter<B: ReadOnlyFetch>(self) -> Join<'w, Filtered<F, (A, B)>> {
        const { assert!(B::ACCESS.is_presence(), "a filter touches no values") };
        // SAFETY: a filter touches no values.
        let window = unsafe { B::window(self.pools) };
        let Tables { window: (query, filter), anchor, entities } = self.tables;
        let anchor = B::smallest(&window, anchor);
        let tables = Tables { window: (query, (filter, window)), anchor, entities };
        Join { tables, pools: self.pools }
    }
}

/// What the views of a split are called, for messages.
#[doc(hidden)]
pub trait SplitNames {
    const NAMES: &'static [&'static str];
}

/// Joins that live together: of a tuple of fetches.
#[doc(hidden)]
pub trait JoinSet {
    type Joins<'w>;
    /// What each touches.
    const ACCESSES: &'static [Access];

    /// Joins the pools for all of them.
    ///
    /// # Panics
    /// When two of them alias.
    fn split<'w, N: SplitNames>(pools: &'w mut Pools, entities: &'w Entities) -> Self::Joins<'w>;
}

macro_rules! join_set_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        impl<$($name: Fetch),+> JoinSet for ($($name,)+) {
            type Joins<'w> = ($(Join<'w, $name>,)+);
            const ACCESSES: &'static [Access] = &[$($name::ACCESS),+];

            #[inline]
            #[track_caller]
            fn split<'w, N: SplitNames>(
                pools: &'w mut Pools,
                entities: &'w Entities,
            ) -> Self::Joins<'w> {
                if const { access::split_needs_check(N::NAMES, Self::ACCESSES) } {
                    access::check_split(N::NAMES, Self::ACCESSES);
                }
                // SAFETY: the borrow of `pools` is exclusive, and what one join writes no other
                // touches: the types differ, or the joins have no entity in common.
                unsafe { ($(Join::<'w, $name>::new(pools, entities),)+) }
            }
        }
    };
}
for_each_tuple!(join_set_for_tuple);

impl<F: Fetch> fmt::Debug for Join<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Join").finish_non_exhaustive()
    }
}

/// Why an entity has no item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Miss {
    NoMatch,
    Repeated,
}

/// Where a walk finds its next matches.
#[derive(Clone, Copy)]
enum Source<'w> {
    /// These members of the one pool, which all match.
    All(&'w [Entity]),
    /// These members of the smallest pool, if they match.
    Dense(&'w [Entity]),
    /// These pages.
    Pages { next: usize, end: usize },
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

impl<F: Fetch> Clone for PageWalk<'_, F> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<F: Fetch> Copy for PageWalk<'_, F> {}

impl<'w, F: Fetch> PageWalk<'w, F> {
    /// The next word that has matches: its number and its bits.
    #[inline]
    fn next_word(&mut self, tables: &Tables<'w, F>) -> Option<(u32, u64)> {
        while self.words != 0 {
            let word = self.words.trailing_zeros();
            self.words &= self.words - 1;
            let mut bits = F::word(&self.cursor, word as usize);
            if tables.anchor.is_none() {
                bits &= self.living(tables, word);
            }
            if bits != 0 {
                return Some((word, bits));
            }
        }
        None
    }

    /// Which of a word's entities are alive.
    fn living(&self, tables: &Tables<'w, F>, word: u32) -> u64 {
        let first = self.index(word * 64);
        (0..64)
            .fold(0, |bits, bit| bits | u64::from(tables.entities.at(first + bit).is_some()) << bit)
    }

    /// The index at an offset of this page.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "pages of 32-bit indices")]
    fn index(&self, offset: u32) -> u32 {
        (self.number * PAGE_LEN) as u32 + offset
    }

    #[inline]
    fn row(&self, tables: &Tables<'w, F>, offset: u32) -> Row<'w> {
        let index = self.index(offset);
        let entity = match tables.anchor {
            Some(keys) => RowEntity::In { keys, page: self.anchor, index },
            None => RowEntity::At { entities: tables.entities, index },
        };
        Row { offset, entity }
    }

    /// How many rows, from the lowest of these bits of a word on, are neighbours; and the word's
    /// bits behind them. Neighbours that reach the word's end go on while the next words are full.
    #[inline]
    fn neighbours(&mut self, word: u32, bits: u64) -> (usize, u64) {
        let start = bits.trailing_zeros();
        let ones = (!(bits >> start)).trailing_zeros();
        if start + ones < 64 {
            return (ones as usize, bits >> (start + ones) << (start + ones));
        }
        let (mut len, mut next) = (ones as usize, word + 1);
        while next < u16::BITS
            && self.words >> next & 1 != 0
            && F::word(&self.cursor, next as usize) == !0
        {
            self.words &= !(1 << next);
            len += 64;
            next += 1;
        }
        (len, 0)
    }
}

/// What a walk comes to next.
struct Step<'w, F: Fetch> {
    /// Neighbouring matches, `len` of them.
    run: Option<F::Run<'w>>,
    len: usize,
    /// Then: matches in this word of the page.
    bits: u64,
    word: u32,
    /// Then: matches in the other words of the page.
    page: PageWalk<'w, F>,
    /// Then: matches from here.
    source: Source<'w>,
}

/// Finds the next matches, once the run and the word are used up.
///
/// Takes and gives the whole state by value, so that an iterator can keep it in registers.
#[inline(never)]
fn advance<'w, F: Fetch>(
    tables: Tables<'w, F>,
    mut page: PageWalk<'w, F>,
    mut source: Source<'w>,
) -> Option<Step<'w, F>> {
    loop {
        if let Some((word, mut bits)) = page.next_word(&tables) {
            let (mut run, mut len) = (None, 0);
            if page.sequential && (!(bits >> bits.trailing_zeros())).trailing_zeros() >= RUN_MIN {
                let row = page.row(&tables, word * 64 + bits.trailing_zeros());
                (len, bits) = page.neighbours(word, bits);
                run = Some(F::run(&page.cursor, &row));
            }
            return Some(Step { run, len, bits, word, page, source });
        }
        match &mut source {
            Source::Pages { next, end } => {
                if next == end {
                    return None;
                }
                page = tables.enter(*next);
                *next += 1;
            }
            Source::Dense(rest) => {
                let (&entity, left) = rest.split_first()?;
                *rest = left;
                if let Some((_, row)) = tables.locate(entity) {
                    page = tables.enter(page_of(entity.index()));
                    page.words = 0;
                    let (bits, word) = (1 << (row.offset % 64), row.offset / 64);
                    return Some(Step { run: None, len: 0, bits, word, page, source });
                }
            }
            Source::All(rest) => {
                let (run, len) = (F::run_at(&tables.window, rest, 0), rest.len());
                source = Source::Pages { next: 0, end: 0 };
                return (len > 0).then_some(Step {
                    run: Some(run),
                    len,
                    bits: 0,
                    word: 0,
                    page,
                    source,
                });
            }
        }
    }
}

/// The iterator over a join's items.
///
/// * J3: every match is in exactly one of: taken, the run from `at` on, the bits of the current
///   word, the unvisited words of the current page, the source.
/// * J4: `run` is there when `at < len`.
pub(crate) struct Iter<'w, F: Fetch> {
    run: Option<F::Run<'w>>,
    at: usize,
    len: usize,
    bits: u64,
    word: u32,
    page: PageWalk<'w, F>,
    source: Source<'w>,
    tables: Tables<'w, F>,
}

impl<'w, F: Fetch> Iter<'w, F> {
    #[inline(always)]
    fn step(&mut self) -> bool {
        let Some(step) = advance(self.tables, self.page, self.source) else {
            return false;
        };
        self.run = step.run;
        self.at = 0;
        self.len = step.len;
        self.bits = step.bits;
        self.word = step.word;
        self.page = step.page;
        self.source = step.source;
        true
    }
}

impl<'w, F: Fetch> Iterator for Iter<'w, F> {
    type Item = F::Item<'w>;

    #[inline(always)]
    fn next(&mut self) -> Option<F::Item<'w>> {
        loop {
            if self.at < self.len
                && let Some(run) = &self.run
            {
                self.at += 1;
                // SAFETY: `at` was below the length; each position is taken once (J2, J3).
                return Some(unsafe { F::fetch_run(run, self.at - 1) });
            }
            // Not rare, but the loop over a run is the one that is short of registers.
            core::hint::cold_path();
            if self.bits != 0 {
                let offset = self.word * 64 + self.bits.trailing_zeros();
                self.bits &= self.bits - 1;
                let row = self.page.row(&self.tables, offset);
                // SAFETY: the bit says that the row matches; each bit is taken once (J2, J3).
                return Some(unsafe { F::fetch(&self.page.cursor, row) });
            }
            // The common way on in a page of scattered matches, without a call.
            if !self.page.sequential
                && let Some((word, bits)) = self.page.next_word(&self.tables)
            {
                (self.word, self.bits) = (word, bits);
            } else if !self.step() {
                return None;
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let most = self.tables.anchor.map_or(self.tables.entities.len(), Keys::len);
        (0, Some(most))
    }

    #[inline]
    fn fold<B, G>(mut self, init: B, mut f: G) -> B
    where
        G: FnMut(B, F::Item<'w>) -> B,
    {
        let mut result = init;
        loop {
            if let Some(run) = self.run {
                if self.at > 0 {
                    for at in self.at..self.len {
                        // SAFETY: `at` is in range; each position is taken once (J2, J3).
                        result = f(result, unsafe { F::fetch_run(&run, at) });
                    }
                } else {
                    // SAFETY: so long is the run, of matches; each is taken once (J2, J3).
                    result = unsafe { F::each(&run, self.len, result, &mut f) };
                }
            }
            loop {
                while self.bits != 0 {
                    let offset = self.word * 64 + self.bits.trailing_zeros();
                    let row = self.page.row(&self.tables, offset);
                    self.bits &= self.bits - 1;
                    // SAFETY: the bit says that the row matches; each is taken once (J2, J3).
                    result = f(result, unsafe { F::fetch(&self.page.cursor, row) });
                }
                if self.page.sequential {
                    break;
                }
                let Some((word, bits)) = self.page.next_word(&self.tables) else { break };
                (self.word, self.bits) = (word, bits);
            }
            if !self.step() {
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
