//! The join: the items of the entities that a walk finds.
#![expect(unsafe_code, reason = "the join knows that the rows of its items differ")]

use crate::entities::Entities;
use crate::entity::Entity;
use crate::group::groups::Groups;
use crate::query::access::{self, Access};
use crate::query::batch::{BATCH, Batch, Led, Near, led_member, take_lowest};
use crate::query::fetch::{Fetch, ReadOnlyFetch};
use crate::query::iter::{Iter, Kept, Step};
use crate::query::row::{Miss, Row, RowEntity, Stretch};
use crate::query::scratch::{Scratch, Word};
use crate::query::tables::Tables;
use crate::query::terms::Filtered;
use crate::query::walk::{PlanKind, Source, Walk};
use crate::storage::pools::Pools;
use crate::storage::sparse_array::{PAGE_LEN, PageAt, Place, offset_of};
use crate::tuples::for_each_tuple;
use core::ops::Range;

/// The borrowed pools of a query, and the right to fetch each row's item once.
///
/// * J2: a `Join` stands for one right to fetch: it is not `Clone`, and what takes it by value may
///   fetch every row once. [`Join::reborrow`] lends the right, [`Join::copied`] copies it where
///   fetching twice does no harm; [`Join::for_each_many`] has one item at a time.
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

    /// The item of `entity`, if it matches.
    #[inline]
    pub(crate) fn find(self, entity: Entity) -> Option<F::Item<'w>> {
        let (slot, row) = self.tables.find(entity)?;
        // SAFETY: the row is a match; it is fetched once, as `self` ends (J2).
        Some(unsafe { self.tables.item(slot, row) })
    }

    /// The items of these entities, or the first of them that does not match or comes twice.
    pub(crate) fn find_all<const N: usize>(
        self,
        entities: [Entity; N],
    ) -> Result<[F::Item<'w>; N], (Entity, Miss)> {
        let rows = self.tables.find_all(entities)?;
        // SAFETY: each row is a match; the entities differ, so each is fetched once (J2).
        Ok(rows.map(|(slot, row)| unsafe { self.tables.item(slot, row) }))
    }

    /// Calls `f` with the items of those of these entities that match, in their order.
    #[inline]
    pub(crate) fn for_each_many(
        &mut self,
        mut entities: impl Iterator<Item = Entity>,
        mut f: impl FnMut(F::Item<'_>),
    ) {
        let tables = &self.tables;
        if tables.has_near_members() {
            let matches = entities.filter_map(|entity| tables.find(entity));
            // SAFETY: they are matches; an item ends before one is fetched again (J2).
            return matches.for_each(|(slot, row)| f(unsafe { tables.item(slot, row) }));
        }
        let (mut batch, mut found) = (Batch::new(), BATCH);
        while found == BATCH {
            found = batch.find(&mut entities, tables);
            for at in 0..found {
                // SAFETY: so many were found (J5), and as above.
                f(unsafe { F::fetch_run(&batch.run(at, tables), 0) });
            }
        }
    }

    /// The items by their position in pools, in each of which it is another entity's, unless the
    /// pools begin with the same members.
    pub(crate) fn by_position(self) -> impl Fn(usize) -> F::Item<'w>
    where
        F: ReadOnlyFetch,
    {
        const { assert!(F::PLAIN && F::POOLS > 0, "reads only pools that are required") };
        let members = self.tables.keys().dense(); // all others have as many (J1)
        let run = F::run_at(&self.tables.window, Stretch::new(members, 0));
        move |at| {
            assert!(at < members.len(), "a position in all pools");
            // SAFETY: every pool that is read has more values than `at`; nobody writes.
            unsafe { F::fetch_run(&run, at) }
        }
    }

    /// The matches as slices, where they are the first of all pools that are read.
    #[inline]
    pub(crate) fn slices(self) -> Option<F::Chunk<'w>> {
        let members = self.whole_front()?;
        let run = F::run_at(&self.tables.window, Stretch::new(members, 0));
        // SAFETY: so many members are in front of all pools that are read; all match, and are
        // fetched once, as `self` ends (J2).
        Some(F::chunk(unsafe { F::slices(&run, members.len()) }))
    }

    /// Calls `f` with the matches as slices, each as long as their values are neighbours.
    pub(crate) fn for_each_chunk(mut self, mut f: impl FnMut(F::Chunk<'w>)) {
        const { assert!(F::POOLS > 0, "a query that requires no component has no slices") };
        let source = self.begin();
        let tables = self.tables;
        let mut pending: Option<(F::Run<'w>, usize)> = None;
        let mut add = |run: F::Run<'w>, len: usize| match &mut pending {
            Some((first, before)) if F::is_same(&F::skip(*first, *before), &run) => *before += len,
            _ => {
                if let Some((first, before)) = pending.replace((run, len)) {
                    // SAFETY: so long is the run, of matches; each is passed once (J2, J3).
                    f(F::chunk(unsafe { F::slices(&first, before) }));
                }
            }
        };
        let mut walk = Walk::new(&tables, source);
        loop {
            if let Some(run) = walk.run {
                add(run, walk.len);
            }
            while walk.bits != 0 {
                let row = walk.page.row(&tables, walk.word * 64 + take_lowest(&mut walk.bits));
                add(F::run(&walk.page.cursor, &row), 1);
            }
            if !walk.advance(&tables) {
                break;
            }
        }
        for entity in walk.source.entities().iter().filter(|entity| tables.contains(**entity)) {
            let index = entity.index();
            let cursor = F::cursor(&tables.window, PageAt::of(index));
            add(F::run(&cursor, &Row { offset: offset_of(index), index, keys: tables.keys() }), 1);
        }
        if let Some((first, len)) = pending {
            // SAFETY: as above.
            f(F::chunk(unsafe { F::slices(&first, len) }));
        }
    }

    /// Calls `f` with each item. Without an iterator, which would have to be dropped if `f` panics:
    /// that costs a sum its place in a register.
    #[inline]
    pub(crate) fn for_each(self, mut f: impl FnMut(F::Item<'w>)) {
        match self.shortcut() {
            Some(Source::Slices(members)) => {
                let run = F::run_at(&self.tables.window, Stretch::new(members, 0));
                // SAFETY: as in `slices`.
                unsafe { F::each(&run, members.len(), (), &mut |(), item| f(item)) }
            }
            Some(mut few) => {
                while let Some((slot, row)) = few.next_looked_up(&self.tables) {
                    // SAFETY: it is a match; each is taken once (J2, J3).
                    f(unsafe { self.tables.item(slot, row) });
                }
            }
            None => {
                let mut join = Self { ..self }; // in memory for this way only
                let source = join.choose();
                let walk = Walk::new(&join.tables, source);
                fold_walk(&join.tables, walk, (), |(), item| f(item));
            }
        }
    }

    /// All matches.
    #[inline]
    pub(crate) fn into_iter(mut self) -> Iter<'w, F> {
        let source = self.begin();
        Iter::new(self.tables, source)
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

/// Joins that live together: of a tuple of fetches.
#[doc(hidden)]
pub trait JoinSet {
    type Joins<'w>;
    /// What each touches.
    const ACCESSES: &'static [Access];

    /// Joins the pools for all of them, which have names for messages.
    ///
    /// # Panics
    /// When two of them alias.
    fn split<'w>(
        names: &[&str],
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
            fn split<'w>(
                names: &[&str],
                pools: &'w mut Pools,
                entities: &'w Entities,
                groups: &'w Groups,
            ) -> Self::Joins<'w> {
                if const { access::split_needs_check(Self::ACCESSES) } {
                    access::check_split(names, Self::ACCESSES);
                }
                // SAFETY: the borrow of `pools` is exclusive, and what one join writes no other
                // touches: the types differ, or the joins have no entity in common.
                unsafe { ($(Join::<'w, $name>::new(pools, entities, groups),)+) }
            }
        }
    };
}
for_each_tuple!(join_set_for_tuple);

impl<'w, F: Fetch> Tables<'w, F> {
    /// The item of a match.
    ///
    /// # Safety
    /// As [`Fetch::fetch_run`].
    #[inline(always)]
    unsafe fn item(&self, slot: F::Slot<'w>, row: RowEntity) -> F::Item<'w> {
        // SAFETY: the caller's promise is the same; the run is of one, whose row stays here.
        unsafe { F::fetch_run(&self.lone(slot, &raw const row), 0) }
    }
}

impl<'w, F: Fetch> Batch<'w, F> {
    /// A match, as a run.
    ///
    /// # Safety
    /// More than `at` were found.
    #[inline(always)]
    unsafe fn run(&self, at: usize, tables: &Tables<'w, F>) -> F::Run<'w> {
        // SAFETY: so this is written (J5).
        let slot = unsafe { self.slots.get_unchecked(at).assume_init() };
        tables.lone(slot, self.rows.as_ptr().wrapping_add(at).cast())
    }
}

/// Defines functions that are compiled twice: as they are, and with the processor's own instructions
/// to find and count bits, for where it has them.
macro_rules! by_own_instructions {
    ($($(#[$attr:meta])+ $visibility:vis fn $name:ident<$lifetime:lifetime, $fetch:ident>(
        $($argument:ident: $type:ty),+
    ) -> $result:ty $body:block)+) => {$(
        $(#[$attr])+
        $visibility fn $name<$lifetime, $fetch: Fetch>($($argument: $type),+) -> $result {
            #[inline(always)]
            fn plain<$lifetime, $fetch: Fetch>($($argument: $type),+) -> $result $body

            #[cfg(target_arch = "x86_64")]
            {
                /// # Safety
                /// The processor has these instructions.
                #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
                unsafe fn by_own<$lifetime, $fetch: Fetch>($($argument: $type),+) -> $result {
                    plain($($argument),+)
                }
                if std::arch::is_x86_feature_detected!("avx2")
                    && std::arch::is_x86_feature_detected!("popcnt")
                    && std::arch::is_x86_feature_detected!("bmi1")
                    && std::arch::is_x86_feature_detected!("bmi2")
                {
                    // SAFETY: the processor has what the function is compiled for.
                    return unsafe { by_own($($argument),+) };
                }
            }
            plain($($argument),+)
        }
    )+};
}

by_own_instructions! {
    #[inline]
    pub(super) fn count_pages<'w, F>(join: &Join<'w, F>, pages: Range<usize>) -> usize {
        join.count_pages_plain(pages)
    }

    /// As [`Batch::collect`].
    #[inline]
    fn collect<'w, F>(
        batch: &mut Batch<'w, F>, found: usize, walk: &mut Walk<'w, F>, tables: &Tables<'w, F>
    ) -> usize {
        batch.collect(found, walk, tables)
    }

    /// As [`Tables::led`]. By value, as [`Iter::find`] is.
    #[inline(never)]
    fn led_from<'w, F>(tables: Tables<'w, F>, members: &'w [Entity], first: usize) -> Led {
        tables.led(members, first)
    }
}

/// Folds the matches among the members of the only pool that is required.
#[inline(always)]
fn fold_led<'w, F: Fetch, B>(
    tables: &Tables<'w, F>,
    members: &'w [Entity],
    mut result: B,
    mut f: impl FnMut(B, F::Item<'w>) -> B,
) -> B {
    for first in (0..members.len()).step_by(64) {
        let led = led_from(*tables, members, first);
        for (mut bits, has_more) in [(led.plain, false), (led.more, true)] {
            while bits != 0 {
                let at = first + take_lowest(&mut bits) as usize;
                let slot = F::slot_of(&tables.window, &led_member(members, at, has_more));
                // SAFETY: the bit says that the member matches; each is taken once (J2, J3).
                result = f(result, unsafe { tables.item(slot, members[at].into()) });
            }
        }
    }
    result
}

/// Folds what a walk finds that has not begun.
#[inline(always)]
fn fold_walk<'w, F: Fetch, B>(
    tables: &Tables<'w, F>,
    mut walk: Walk<'w, F>,
    init: B,
    mut f: impl FnMut(B, F::Item<'w>) -> B,
) -> B {
    if Iter::<F>::CAN_BE_LED
        && let Source::Lead { members } = walk.source
    {
        return fold_led(tables, members, init, f);
    }
    let (mut batch, mut result) = (Batch::new(), init);
    result = walk.fold_near(tables, result, |result, row, slot| {
        // SAFETY: it is a match, which is read once (J2, J3).
        f(result, unsafe { tables.item(slot, row) })
    });
    if walk.run.is_none() && walk.is_over() {
        return result;
    }
    // What is folded is folded in one place each, so that `f` is worth being inlined there.
    loop {
        let (mut count, mut is_over) = (0, false);
        while walk.run.is_none() && count < BATCH && !is_over {
            count = collect(&mut batch, count, &mut walk, tables);
            is_over = count < BATCH && !walk.advance(tables);
        }
        for at in 0..count {
            // SAFETY: so many were found, matches that are read once (J2, J3).
            result = f(result, unsafe { F::fetch_run(&batch.run(at, tables), 0) });
        }
        if let Some(run) = walk.run.take() {
            // SAFETY: so long is the run, of matches; each is taken once (J2, J3).
            result = unsafe { F::each(&run, walk.len, result, &mut f) };
        }
        if is_over || walk.is_over() {
            return result;
        }
    }
}

impl<'w, F: Fetch> Iter<'w, F> {
    /// What is kept.
    ///
    /// # Safety
    /// The scratch is not empty.
    #[inline(always)]
    unsafe fn kept(&self) -> &Kept<'w, F> {
        // SAFETY: so it is this (J6).
        unsafe { &*self.scratch.memory().cast() }
    }

    /// The walk that finds what follows the batch.
    #[inline(always)]
    fn walk(&self) -> &Walk<'w, F> {
        if self.scratch.is_empty() {
            return &self.start;
        }
        // SAFETY: just asked.
        unsafe { &self.kept().walk }
    }

    /// Memory that keeps a walk that begins there. It makes the walk itself: one handed over would be read
    /// in larger pieces than it had just been written in.
    #[cold]
    #[inline(never)]
    pub(super) fn begin(tables: Tables<'w, F>, source: Source<'w>) -> Scratch {
        const { assert!(align_of::<Kept<'w, F>>() <= align_of::<Word>(), "made of words") };
        let words = const { size_of::<Kept<'w, F>>().div_ceil(size_of::<Word>()) };
        let mut scratch = Scratch::of(words);
        let kept = scratch.memory_mut().cast::<Kept<'w, F>>();
        // SAFETY: the scratch is long enough, aligned, and ours. The rest may be left unwritten (J5, J7).
        unsafe {
            (&raw mut (*kept).walk).write(Walk::new(&tables, source));
            (&raw mut (*kept).tables).write(tables);
        }
        scratch
    }

    /// As [`Walk::collect_near`]; no words of any page, if there is none.
    ///
    /// # Safety
    /// This is in a scratch that this iterator has begun.
    #[inline(never)]
    unsafe fn find_near(kept: *mut Kept<'w, F>) -> (usize, u32) {
        // SAFETY: so it is kept there (J6).
        let Kept { walk, tables, noted, .. } = unsafe { &mut *kept };
        walk.collect_near(tables, noted).unwrap_or_default()
    }

    /// Finds a page, a run or a batch of matches. Out of line and by value, so that the iterator can
    /// be kept in registers.
    ///
    /// # Safety
    /// The scratch is one that this iterator has begun.
    #[inline(never)]
    unsafe fn find(mut scratch: Scratch) -> Option<Step<'w, F>> {
        // SAFETY: so this is kept there (J6).
        let Kept { walk, tables, batch, noted }: &mut Kept<'w, F> =
            unsafe { &mut *scratch.memory_mut().cast() };
        if walk.is_near(tables)
            && let near @ Some(_) = walk.collect_near(tables, noted)
        {
            return Some(Step { scratch, near, count: 0, run: None, len: 0 });
        }
        let tables = *tables;
        loop {
            let count = if walk.is_scattered() { collect(batch, 0, walk, &tables) } else { 0 };
            if count == 0 && !walk.advance(&tables) {
                return None;
            }
            if count > 0 || walk.run.is_some() {
                let (run, len) = (walk.run.take(), core::mem::take(&mut walk.len));
                return Some(Step { scratch, near: None, count, run, len });
            }
        }
    }
}

impl<'w, F: Fetch> Iterator for Iter<'w, F> {
    type Item = F::Item<'w>;

    #[inline(always)]
    fn next(&mut self) -> Option<F::Item<'w>> {
        loop {
            if self.at < self.len {
                // SAFETY: `at` is below the length; each position is taken once (J2, J3).
                let item = unsafe { F::fetch_run(&self.run, self.at) };
                if Tables::<F>::IS_SLICE {
                    (self.run, self.len) = (F::skip(self.run, 1), self.len - 1); // is vectorised
                } else {
                    self.at += 1; // takes less than to shorten several slices
                }
                return Some(item);
            }
            if F::POOLS > 1 {
                if self.near.bits == 0 {
                    core::hint::cold_path();
                    if self.near.words == Near::MORE {
                        core::hint::cold_path();
                        // SAFETY: the scratch is not empty (J7).
                        let near = unsafe { Self::find_near(self.scratch.memory_mut().cast()) };
                        self.enter_near(near);
                    }
                    if let Some(word) = self.near.next_word() {
                        // SAFETY: all words of the page were noted (J7).
                        self.near.bits = unsafe { self.kept().noted[word].assume_init() };
                    }
                }
                if let Some(offset) = self.near.take() {
                    // SAFETY: the word is one of a page.
                    unsafe { core::hint::assert_unchecked((offset as usize) < PAGE_LEN) };
                    let (page, place) = (&self.start.page, Place::near(offset));
                    let row = page.entity(&self.tables, offset);
                    // SAFETY: it is a match; each is taken once (J2, J3).
                    return Some(unsafe { self.tables.item(F::slot(&page.cursor, place), row) });
                }
            }
            if Self::CAN_BE_LED
                && let Some((bit, has_more)) = self.led.take()
                && let Source::Lead { members } = self.start.source
            {
                let at = self.next - 64 + bit as usize;
                let slot = F::slot_of(&self.tables.window, &led_member(members, at, has_more));
                // SAFETY: the bit says that the member matches; each is taken once (J2, J3).
                return Some(unsafe { self.tables.item(slot, members[at].into()) });
            }
            if self.taken < self.found {
                let at = self.taken;
                self.taken += 1;
                // SAFETY: as above; the match is taken once (J2, J3).
                return Some(unsafe { F::fetch_run(&self.kept().batch.run(at, &self.tables), 0) });
            }
            core::hint::cold_path();
            self.begun = true;
            if Self::is_few(self.start.source) {
                let (slot, row) = self.start.source.next_looked_up(&self.tables)?;
                // SAFETY: it is a match; each is taken once (J2, J3).
                return Some(unsafe { self.tables.item(slot, row) });
            }
            if Self::CAN_BE_LED
                && let Source::Lead { members } = self.start.source
            {
                if self.next >= members.len() {
                    return None;
                }
                self.led = led_from(self.tables, members, self.next);
                self.next += 64;
                continue;
            }
            if self.scratch.is_empty() || self.walk().is_over() {
                return None;
            }
            let scratch = core::mem::take(&mut self.scratch);
            // SAFETY: it is this iterator's, and not empty (J6).
            let Some(step) = (unsafe { Self::find(scratch) }) else {
                self.start = Walk::new(&self.tables, Source::NONE);
                return None;
            };
            (self.scratch, self.taken, self.found) = (step.scratch, 0, step.count);
            if let Some(near) = step.near {
                self.enter_near(near);
            }
            if let Some(run) = step.run {
                (self.run, self.at, self.len) = (run, 0, step.len);
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.bounds(self.walk())
    }

    #[inline]
    fn fold<B, G>(mut self, init: B, f: G) -> B
    where
        G: FnMut(B, F::Item<'w>) -> B,
    {
        if !self.has_begun() && !Self::is_few(self.start.source) {
            let Self { run, len, mut start, tables, .. } = self;
            (start.run, start.len) = (start.run.and(Some(run)), len);
            return fold_walk(&tables, start, init, f);
        }
        // What `next` has begun it ends; and of few it is done sooner.
        core::iter::from_fn(|| self.next()).fold(init, f)
    }
}
