//! The join: the items of the entities that a walk finds.
#![expect(unsafe_code, reason = "the join knows that the rows of its items differ")]

use crate::entities::Entities;
use crate::entity::Entity;
use crate::group::groups::Groups;
use crate::query::access::{self, Access};
use crate::query::fetch::{Fetch, ReadOnlyFetch};
use crate::query::row::{Row, RowEntity};
use crate::query::terms::Filtered;
use crate::query::walk::{Led, PlanKind, Source, Tables, Walk, led_member};
use crate::storage::keys::Keys;
use crate::storage::pools::Pools;
use crate::storage::sparse_array::{WORDS, offset_of, page_of};
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
    pub(super) tables: Tables<'w, F>,
    pub(super) pools: &'w Pools,
    pub(super) groups: &'w Groups,
    /// The way to go, where it is not for the join to choose.
    pub(super) plan: Option<PlanKind>,
}

impl<'w, F: Fetch> Join<'w, F> {
    /// Joins the pools that `F` names, to read them.
    #[inline]
    pub(crate) fn shared(pools: &'w Pools, entities: &'w Entities, groups: &'w Groups) -> Self
    where
        F: ReadOnlyFetch,
    {
        // SAFETY: `F` reads only, and while `pools` is borrowed nobody writes.
        unsafe { Self::new(pools, entities, groups) }
    }

    /// Joins the pools that `F` names, to read and write them.
    ///
    /// # Panics
    /// When two terms of `F` touch one component and one of them writes it.
    #[inline]
    #[track_caller]
    pub(crate) fn exclusive<Q>(
        pools: &'w mut Pools,
        entities: &'w Entities,
        groups: &'w Groups,
    ) -> Self {
        if const { access::needs_check(&F::ACCESS) } {
            access::check(&F::ACCESS, core::any::type_name::<Q>());
        }
        // SAFETY: the borrow of `pools` is exclusive, and each component that a term writes is
        // that term's alone: types of different ids differ, and others were just compared.
        unsafe { Self::new(pools, entities, groups) }
    }

    /// # Safety
    /// As [`Fetch::window`], and no two terms of `F` touch one component while one writes it.
    #[inline]
    unsafe fn new(pools: &'w Pools, entities: &'w Entities, groups: &'w Groups) -> Self {
        // SAFETY: the caller's promise is the same.
        let window = unsafe { F::window(pools) };
        let tables = Tables { anchor: F::smallest(&window, None), window, entities, listed: None };
        Self { tables, pools, groups, plan: None }
    }

    #[inline]
    pub(super) fn count_pages(&self, pages: Range<usize>) -> usize {
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
    pub(super) fn count_pages_plain(&self, pages: Range<usize>) -> usize {
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

    /// The first values of all pools.
    pub(crate) fn front(self) -> Front<'w, F>
    where
        F: ReadOnlyFetch,
    {
        const { assert!(F::PLAIN && F::POOLS > 0, "reads only pools that are required") };
        // The smallest pool (J1): all others have as many members.
        let members = self.tables.anchor.map_or(&[][..], Keys::dense);
        Front { run: F::run_at(&self.tables.window, members, 0), len: members.len() }
    }

    /// The matches as slices, where they are the first of all pools that are read.
    #[inline]
    pub(crate) fn slices(self) -> Option<F::Chunk<'w>> {
        let Source::Slices(members) = self.way().0 else { return None };
        let run = F::run_at(&self.tables.window, members, 0);
        // SAFETY: so many members are in front of all pools that are read; all match, and are
        // fetched once, as `self` ends (J2).
        Some(F::chunk(unsafe { F::slices(&run, members.len()) }))
    }

    /// Calls `f` with the matches as slices, each as long as their values are neighbours.
    pub(crate) fn for_each_chunk(self, mut f: impl FnMut(F::Chunk<'w>)) {
        const { assert!(F::POOLS > 0, "a query that requires no component has no slices") };
        let (tables, source) = self.walked();
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
        if let (Source::Lead { members, .. }, Some(keys)) = (source, tables.anchor) {
            for entity in members.iter().filter(|entity| tables.contains(**entity)) {
                let index = entity.index();
                let entity = RowEntity::In { keys, index, generation: 0 };
                let cursor = F::cursor(&tables.window, page_of(index));
                add(F::run(&cursor, &Row { offset: offset_of(index), entity }), 1);
            }
        }
        let mut walk = Walk::new(&tables, source);
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
        let (tables, source) = self.walked();
        Iter::new(tables, source)
    }
}

impl<'w, F: Fetch, A: ReadOnlyFetch> Join<'w, Filtered<F, A>> {
    /// Joins with one more filter.
    #[inline]
    pub(crate) fn filter<B: ReadOnlyFetch>(self) -> Join<'w, Filtered<F, (A, B)>> {
        const { assert!(B::ACCESS.is_presence(), "a filter touches no values") };
        // SAFETY: a filter touches no values.
        let window = unsafe { B::window(self.pools) };
        let Tables { window: (query, filter), anchor, entities, listed } = self.tables;
        let anchor = B::smallest(&window, anchor);
        let tables = Tables { window: (query, (filter, window)), anchor, entities, listed };
        Join { tables, pools: self.pools, groups: self.groups, plan: self.plan }
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
    fn split<'w, N: SplitNames>(
        pools: &'w mut Pools,
        entities: &'w Entities,
        groups: &'w Groups,
    ) -> Self::Joins<'w>;
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
                groups: &'w Groups,
            ) -> Self::Joins<'w> {
                if const { access::split_needs_check(Self::ACCESSES) } {
                    access::check_split(N::NAMES, Self::ACCESSES);
                }
                // SAFETY: the borrow of `pools` is exclusive, and what one join writes no other
                // touches: the types differ, or the joins have no entity in common.
                unsafe { ($(Join::<'w, $name>::new(pools, entities, groups),)+) }
            }
        }
    };
}
for_each_tuple!(join_set_for_tuple);

/// Items by their position in pools, in each of which it is another entity's, unless the pools
/// begin with the same members.
pub(crate) struct Front<'w, F: Fetch> {
    run: F::Run<'w>,
    len: usize,
}

impl<'w, F: ReadOnlyFetch> Front<'w, F> {
    #[inline]
    pub(crate) fn get(&self, at: usize) -> F::Item<'w> {
        assert!(at < self.len, "a position in all pools");
        // SAFETY: every pool that is read has more values than `at`; nobody writes.
        unsafe { F::fetch_run(&self.run, at) }
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
        if has_popcnt() {
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
        while self.len < BATCH
            && let Some(slot) = walk.next_member(tables)
        {
            self.slots[self.len] = MaybeUninit::new(slot);
            self.len += 1;
        }
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

/// Whether the processor counts bits.
#[cfg(target_arch = "x86_64")]
#[inline]
fn has_popcnt() -> bool {
    std::arch::is_x86_feature_detected!("popcnt") && std::arch::is_x86_feature_detected!("bmi1")
}

/// The matches in a word of the members of the only pool that is required. By value, as
/// [`Walk::advanced`] is.
#[inline(never)]
fn led<'w, F: Fetch>(tables: Tables<'w, F>, members: &'w [Entity], word: u32) -> Led {
    #[cfg(target_arch = "x86_64")]
    {
        /// # Safety
        /// The processor has these instructions.
        #[target_feature(enable = "popcnt,bmi1")]
        unsafe fn by_popcnt<F: Fetch>(
            tables: &Tables<'_, F>,
            members: &[Entity],
            word: u32,
        ) -> Led {
            tables.led(members, word)
        }
        if has_popcnt() {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { by_popcnt(&tables, members, word) };
        }
    }
    tables.led(members, word)
}

/// The item of the member at `at` of the only pool that is required.
///
/// # Safety
/// The member matches, and otherwise as [`Fetch::fetch`].
#[inline(always)]
unsafe fn fetch_led<'w, F: Fetch>(
    tables: &Tables<'w, F>,
    members: &'w [Entity],
    at: usize,
    has_more: bool,
) -> F::Item<'w> {
    // SAFETY: the caller promises as much. What is plain is read from the pool of the members
    // only, which has so many.
    unsafe {
        if F::PLAIN {
            F::fetch_run(&F::run_at(&tables.window, members, 0), at)
        } else {
            F::fetch_slot(&F::slot_of(&tables.window, &led_member(members, at, has_more)))
        }
    }
}

impl<'w, F: Fetch> Walk<'w, F> {
    /// Finds the matches of the next word of the members of the only pool that is required.
    #[inline(always)]
    fn advance_led(&mut self, tables: &Tables<'w, F>) -> Option<&'w [Entity]> {
        let Source::Lead { members, next } = &mut self.source else { return None };
        if *next as usize * 64 >= members.len() {
            return None;
        }
        let led = led(*tables, members, *next);
        (self.bits, self.more, self.word) = (led.matches, led.more, *next);
        *next += 1;
        Some(members)
    }

    /// The next match, if the only pool that is required leads.
    #[inline(always)]
    fn next_led(&mut self, tables: &Tables<'w, F>) -> Option<F::Item<'w>> {
        let Source::Lead { members, .. } = self.source else { return None };
        while self.bits == 0 {
            self.advance_led(tables)?;
        }
        let bit = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        let at = self.word as usize * 64 + bit as usize;
        // SAFETY: the bit says that the member matches; each bit is taken once (J2, J3).
        Some(unsafe { fetch_led(tables, members, at, self.more >> bit & 1 != 0) })
    }

    /// Folds the other matches, if the only pool that is required leads.
    #[inline(always)]
    fn fold_led<B>(
        mut self,
        tables: &Tables<'w, F>,
        mut result: B,
        mut f: impl FnMut(B, F::Item<'w>) -> B,
    ) -> B {
        while self.bits != 0
            && let Some(item) = self.next_led(tables)
        {
            result = f(result, item);
        }
        while let Some(members) = self.advance_led(tables) {
            let first = self.word as usize * 64;
            while F::PLAIN && self.bits != 0 {
                let bit = self.bits.trailing_zeros() as usize;
                self.bits &= self.bits - 1;
                // SAFETY: as in `next_led`.
                result = f(result, unsafe { fetch_led(tables, members, first + bit, false) });
            }
            // Most match: testing all is faster than finding them.
            for bit in 0..(members.len() - first).min(64) {
                if self.bits >> bit & 1 != 0 {
                    let has_more = self.more >> bit & 1 != 0;
                    // SAFETY: as in `next_led`.
                    let item = unsafe { fetch_led(tables, members, first + bit, has_more) };
                    result = f(result, item);
                }
            }
            self.bits = 0;
        }
        result
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
            if F::POOLS == 1 && matches!(self.walk.source, Source::Lead { .. }) {
                return self.walk.next_led(&self.tables);
            }
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
        if let Some(left) = self.walk.left() {
            return (left - self.at, Some(left - self.at));
        }
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
        if F::POOLS == 1 && matches!(walk.source, Source::Lead { .. }) {
            return walk.fold_led(&tables, result, f);
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
