//! The join: the items of the entities that a walk finds.
#![expect(unsafe_code, reason = "the join knows that the rows of its items differ")]

use crate::entities::Entities;
use crate::entity::Entity;
use crate::query::access::{self, Access};
use crate::query::fetch::{Fetch, ReadOnlyFetch};
use crate::query::terms::Filtered;
use crate::query::walk::{PlanKind, Source, Tables, Walk};
use crate::storage::keys::Keys;
use crate::storage::pool::ErasedPool;
use crate::storage::pools::Pools;
use crate::storage::sparse_array::WORDS;
use crate::tuples::for_each_tuple;
use core::fmt;
use core::iter::FusedIterator;
use core::mem::MaybeUninit;
use core::ops::Range;

/// How many scattered matches are found before they are read.
const BATCH: usize = 64;

/// The borrowed pools of a query, and the right to fetch each row's item once.
///
/// * J2: a `Join` stands for one right to fetch: it is not `Clone`, and what takes it by value may
///   fetch every row once. [`Join::reborrow`] lends the right, [`Join::copied`] copies it where
///   fetching twice does no harm.
pub struct Join<'w, F: Fetch> {
    tables: Tables<'w, F>,
    pools: &'w Pools,
    /// The way to go, where it is not for the join to choose.
    plan: Option<PlanKind>,
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
        Self { tables, pools, plan: None }
    }

    /// Whether any entity matches.
    pub(crate) fn any(&self) -> bool {
        if F::EXACT && F::POOLS <= 1 {
            return self.count() > 0;
        }
        match self.tables.source(self.plan) {
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
        match (self.tables.anchor, self.tables.source(self.plan)) {
            (Some(anchor), _) if F::POOLS == 1 && F::EXACT => anchor.len(),
            (None, _) if F::EXACT => self.tables.entities.alive(),
            (None, _) => {
                self.tables.entities.iter().filter(|entity| self.contains(*entity)).count()
            }
            (_, Source::All(rest) | Source::Dense(rest)) => {
                rest.iter().filter(|entity| self.contains(**entity)).count()
            }
            (_, Source::Pages { next, end }) => self.count_pages(next..end),
        }
    }

    #[inline]
    fn count_pages(&self, pages: Range<usize>) -> usize {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { self.count_pages_by_popcnt(pages) };
        }
        self.count_pages_plain(pages)
    }

    /// # Safety
    /// The processor has this instruction.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt")]
    unsafe fn count_pages_by_popcnt(&self, pages: Range<usize>) -> usize {
        self.count_pages_plain(pages)
    }

    #[inline(always)]
    fn count_pages_plain(&self, pages: Range<usize>) -> usize {
        let mut count = 0;
        for number in pages {
            let cursor = F::cursor(&self.tables.window, number);
            if F::summary(&cursor) != 0 {
                for word in 0..WORDS {
                    count += F::word(&cursor, word).count_ones() as usize;
                }
            }
        }
        count
    }

    /// The same count by both ways of counting bits: for tests.
    pub(crate) fn counts(&self) -> [usize; 2] {
        let pages = 0..self.tables.anchor.map_or(0, Keys::page_count);
        [self.count_pages(pages.clone()), self.count_pages_plain(pages)]
    }

    /// The same join for as long as `self` is not used.
    #[inline]
    pub(crate) fn reborrow(&mut self) -> Join<'_, F> {
        let Tables { window, anchor, entities } = self.tables;
        Join {
            tables: Tables { window: F::shrink(window), anchor, entities },
            pools: self.pools,
            plan: self.plan,
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

    /// The same join, walked in this way where it can be.
    pub(crate) fn with_plan(self, plan: PlanKind) -> Self {
        Self { plan: Some(plan), ..self }
    }

    /// How the join is walked: the way, the component of the pool that drives it, and how many
    /// entities are tested.
    pub(crate) fn plan(&self) -> (PlanKind, Option<&'static str>, usize) {
        let driver = self.tables.anchor.and_then(|keys| {
            let is_driver = |pool: &&dyn ErasedPool| core::ptr::eq(pool.entities(), keys.dense());
            self.pools.iter().find(is_driver).map(ErasedPool::name)
        });
        let (kind, candidates) = self.tables.plan(self.plan);
        (kind, driver, candidates)
    }

    /// Calls `f` with the matches as slices, each as long as their values are neighbours.
    pub(crate) fn for_each_chunk(self, mut f: impl FnMut(F::Chunk<'w>)) {
        const { assert!(F::POOLS > 0, "a query that requires no component has no slices") };
        let tables = self.tables;
        let mut pending: Option<(F::Run<'w>, usize)> = None;
        let mut add = |run: F::Run<'w>, len: usize| match &mut pending {
            Some((first, before)) if F::follows(first, *before, &run) => *before += len,
            _ => {
                if let Some((first, before)) = pending.replace((run, len)) {
                    // SAFETY: so long is the run, of matches; each is passed once (J2, J3).
                    f(F::chunk(unsafe { F::slices(&first, before) }));
                }
            }
        };
        let mut walk = Walk::new(&tables, tables.source(self.plan));
        while walk.advance(&tables) {
            if let Some(run) = walk.run {
                add(run, walk.len);
            }
            while walk.bits != 0 {
                let row = walk.page.row(&tables, walk.word * 64 + walk.bits.trailing_zeros());
                walk.bits &= walk.bits - 1;
                add(F::run(&walk.page.cursor, &row), 1);
            }
        }
        if let Some((first, len)) = pending {
            // SAFETY: as above.
            f(F::chunk(unsafe { F::slices(&first, len) }));
        }
    }

    /// All matches.
    #[inline]
    pub(crate) fn into_iter(self) -> Iter<'w, F> {
        Iter::new(self.tables, self.tables.source(self.plan))
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
        Join { tables, pools: self.pools, plan: self.plan }
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
                if const { access::split_needs_check(Self::ACCESSES) } {
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

/// Slots of matches that were found and not yet read.
///
/// Finding some dozens before reading them keeps many cache misses under way at once.
///
/// * J5: `slots[..len]` are written, each the slot of another match.
struct Batch<'w, F: Fetch> {
    slots: [MaybeUninit<F::Slot<'w>>; BATCH],
    len: usize,
}

impl<'w, F: Fetch> Batch<'w, F> {
    #[inline]
    fn new() -> Self {
        Self { slots: [const { MaybeUninit::uninit() }; BATCH], len: 0 }
    }

    /// Takes matches off the word and, unless it is sequential, the page, until there are no more
    /// or the batch is full.
    #[inline]
    fn collect(&mut self, walk: &mut Walk<'w, F>, tables: &Tables<'w, F>) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("popcnt")
            && std::arch::is_x86_feature_detected!("bmi1")
        {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { self.collect_by_popcnt(walk, tables) };
        }
        self.collect_plain(walk, tables);
    }

    /// # Safety
    /// The processor has these instructions.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1")]
    unsafe fn collect_by_popcnt(&mut self, walk: &mut Walk<'w, F>, tables: &Tables<'w, F>) {
        self.collect_plain(walk, tables);
    }

    #[inline(always)]
    fn collect_plain(&mut self, walk: &mut Walk<'w, F>, tables: &Tables<'w, F>) {
        let (mut word, mut bits, mut page) = (walk.word, walk.bits, walk.page);
        while self.len < BATCH {
            if bits == 0 {
                if page.sequential {
                    break;
                }
                let Some(next) = page.next_word(tables) else { break };
                (word, bits) = next;
            }
            let row = page.row(tables, word * 64 + bits.trailing_zeros());
            bits &= bits - 1;
            self.slots[self.len] = MaybeUninit::new(F::slot(&page.cursor, &row));
            self.len += 1;
        }
        (walk.word, walk.bits, walk.page) = (word, bits, page);
    }

    /// Reads the slots.
    #[inline]
    fn fold<B>(&mut self, init: B, f: &mut impl FnMut(B, F::Item<'w>) -> B) -> B {
        let len = core::mem::take(&mut self.len);
        self.slots[..len].iter().fold(init, |result, slot| {
            // SAFETY: the slot is written (J5), and a match's, which is read once (J2, J3).
            f(result, unsafe { F::fetch_slot(slot.assume_init_ref()) })
        })
    }
}

/// The iterator over a join's items.
pub(crate) struct Iter<'w, F: Fetch> {
    walk: Walk<'w, F>,
    /// How many of the run were taken.
    at: usize,
    tables: Tables<'w, F>,
}

impl<'w, F: Fetch> Iter<'w, F> {
    #[inline]
    fn new(tables: Tables<'w, F>, source: Source<'w>) -> Self {
        Self { walk: Walk::new(&tables, source), at: 0, tables }
    }
}

impl<'w, F: Fetch> Iterator for Iter<'w, F> {
    type Item = F::Item<'w>;

    #[inline(always)]
    fn next(&mut self) -> Option<F::Item<'w>> {
        loop {
            if self.at < self.walk.len
                && let Some(run) = &self.walk.run
            {
                self.at += 1;
                // SAFETY: `at` was below the length; each position is taken once (J2, J3).
                return Some(unsafe { F::fetch_run(run, self.at - 1) });
            }
            // Not rare, but the loop over a run is the one that is short of registers.
            core::hint::cold_path();
            if self.walk.bits != 0 {
                let offset = self.walk.word * 64 + self.walk.bits.trailing_zeros();
                self.walk.bits &= self.walk.bits - 1;
                let row = self.walk.page.row(&self.tables, offset);
                // SAFETY: the bit says that the row matches; each bit is taken once (J2, J3).
                return Some(unsafe { F::fetch(&self.walk.page.cursor, row) });
            }
            // The common way on in a page of scattered matches, without a call.
            if !self.walk.page.sequential
                && let Some((word, bits)) = self.walk.page.next_word(&self.tables)
            {
                (self.walk.word, self.walk.bits) = (word, bits);
                continue;
            }
            self.walk = self.walk.advanced(self.tables)?;
            self.at = 0;
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let most = self.tables.anchor.map_or(self.tables.entities.len(), Keys::len);
        (0, Some(most))
    }

    #[inline]
    fn fold<B, G>(self, init: B, mut f: G) -> B
    where
        G: FnMut(B, F::Item<'w>) -> B,
    {
        let Self { mut walk, at, tables } = self;
        let mut result = init;
        // What `next` left of a run.
        if let Some(run) = &walk.run {
            for at in at..walk.len {
                // SAFETY: `at` is in range; each position is taken once (J2, J3).
                result = f(result, unsafe { F::fetch_run(run, at) });
            }
            walk.run = None;
        }
        let mut batch = Batch::new();
        loop {
            if let Some(run) = &walk.run {
                result = batch.fold(result, &mut f);
                // SAFETY: so long is the run, of matches; each is taken once (J2, J3).
                result = unsafe { F::each(run, walk.len, result, &mut f) };
            }
            batch.collect(&mut walk, &tables);
            while batch.len == BATCH {
                result = batch.fold(result, &mut f);
                batch.collect(&mut walk, &tables);
            }
            if !walk.advance(&tables) {
                return batch.fold(result, &mut f);
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
