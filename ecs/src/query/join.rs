//! The join of a query's pools: the items of the entities that a matcher finds.
#![expect(unsafe_code, reason = "the join knows that its items are of different entities")]

use crate::allocator::EntityAllocator;
use crate::component::access::Access;
use crate::component::alias;
use crate::entities::Entities;
use crate::entity::Entity;
use crate::group::groups::{Groups, low_bit};
use crate::internal::Internal;
use crate::pool::pools::{NO_KEYS, Pools};
use crate::pool::track::EntitySet;
use crate::query::block::{Kind, Lanes, Want};
use crate::query::error::{DisjointError, refuse_repeated};
use crate::query::fetch::{Fetch, ReadOnlyFetch};
use crate::query::inputs::{Inputs, is_cached};
use crate::query::matcher::{Matcher, Stores};
use crate::query::parts;
use crate::query::plan::{Plan, PlanKind};
use crate::query::presence::{Among, Filter, MOST_MARKED, are_marked, mark, passes};
use crate::query::request::{Item, OnePool, Query};
#[cfg(feature = "std")]
use crate::query::spare;
use crate::storage::keys::Keys;
use crate::storage::values::{CellOrder, InRun, Scattered};
use alloc::boxed::Box;
use core::fmt;
use core::marker::PhantomData;
use core::num::NonZeroU32;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

/// The borrowed pools of a query, and the right to fetch the item of each match once.
///
/// * J4: a `Join` stands for one right to fetch: it is not `Clone`, and what takes it by value may
///   fetch every match once. [`Join::reborrow`] lends the right, [`Join::copied`] copies it where
///   fetching twice does no harm; [`Join::for_each_many`] has one item at a time.
pub struct Join<'w, F: Fetch, T: Filter> {
    window: F::Window,
    stores: Stores<'w>,
    /// The sets of marked entities that matches are among, as many as `T` says.
    marked: [Option<&'w EntitySet>; MOST_MARKED],
    /// The way to go, where it is not for the join to choose.
    plan: Option<PlanKind>,
    tests: PhantomData<fn() -> T>,
}

impl<'w, F: Fetch> Join<'w, F, ()> {
    /// Joins the pools that `F` names, to read them.
    #[inline]
    pub(crate) fn shared(stores: Stores<'w>) -> Self
    where
        F: ReadOnlyFetch,
    {
        // SAFETY: the pools are borrowed for `'w`, as long as the window is used, so they do not change. `F` writes nothing,
        // and nor does anybody else while they are borrowed.
        unsafe { Self::new(stores) }
    }

    /// Joins the pools that `F` names, to read and write them.
    ///
    /// # Panics
    /// When two terms of `F` touch one component and one of them writes it, or `F` reads whole entities.
    #[inline]
    #[track_caller]
    pub(crate) fn exclusive<Q>(
        pools: &'w mut Pools,
        entities: &'w Entities,
        groups: &'w Groups,
    ) -> Self {
        if const { alias::needs_check(&F::ACCESS) } {
            alias::check(&F::ACCESS, core::any::type_name::<Q>());
        }
        if const { Self::MARKS } {
            pools.watch.set_marking_shared(false);
        }
        // SAFETY: the pools are borrowed for `'w`, as long as the window is used, and exclusively: there is no window but
        // those of `F`. No two terms of it touch one component while one writes it: types of different ids differ, and
        // others were just compared; what reads whole entities was refused.
        unsafe { Self::new(Stores { pools, entities, groups }) }
    }

    /// # Safety
    /// For `'w`, the pools are there and do not change; of all windows that are used meanwhile, none leads to a value that a
    /// term of `F` writes, and none writes a value that a term of `F` touches. That holds for the terms of `F` among each
    /// other as well.
    #[inline]
    pub(crate) unsafe fn new(stores: Stores<'w>) -> Self {
        // SAFETY: the join, which uses the window, lasts no longer than `'w`, for which the caller promises all that
        // `window` asks for.
        let window = unsafe { F::window(stores) };
        Self { window, stores, plan: None, marked: [None; MOST_MARKED], tests: PhantomData }
    }
}

impl<'w, F: Fetch, T: Filter> Join<'w, F, T> {
    /// What the join touches and tests.
    pub(super) const ACCESS: Access = Access::All(&[F::ACCESS, T::ACCESS]);
    /// Whether the matches are all members of one pool, which is read.
    const IS_SLICE: bool =
        Self::ACCESS.required() == 1 && Self::ACCESS.is_all_values() && T::MARKED == 0;
    /// Whether what is fetched is marked as changed.
    const MARKS: bool = F::ACCESS.marks();

    /// What hands out entities of the same world.
    #[inline]
    pub(crate) const fn allocator(&self) -> EntityAllocator<'w> {
        EntityAllocator::new(self.stores.entities)
    }

    /// The same join for as long as `self` is not used.
    #[inline]
    pub(crate) fn reborrow(&mut self) -> Join<'_, F, T> {
        Self { ..*self }
    }

    /// The same join once more.
    #[inline]
    pub(crate) fn copied(&self) -> Self
    where
        F: ReadOnlyFetch,
    {
        Self { ..*self }
    }

    /// The same join, walked in this way where it can be, or in the best.
    pub(crate) fn with_plan(self, plan: Option<PlanKind>) -> Self {
        Self { plan, ..self }
    }

    /// The same join, with more tests.
    #[inline]
    pub(crate) fn filter<U: Filter>(self) -> Join<'w, F, (T, U)> {
        let Self { window, stores, plan, marked, .. } = self;
        Join { window, stores, plan, marked, tests: PhantomData }
    }

    /// The same join, among these: as one of [`MOST_MARKED`] sets at most.
    #[inline]
    pub(crate) fn among(mut self, marked: &'w EntitySet) -> Join<'w, F, (T, Among)> {
        self.marked[T::MARKED] = Some(marked);
        self.filter()
    }

    /// Whether `entity`, which is alive if no component is required, passes the tests.
    #[inline(always)]
    fn passes(&self, entity: Entity) -> bool {
        let Stores { pools, entities, .. } = self.stores;
        // Members of pools are alive.
        (const { Self::ACCESS.required() > 0 } || entities.is_alive(entity))
            && (const { T::IS_EMPTY } || passes(&T::ACCESS, pools, entity))
            && (const { T::MARKED == 0 } || are_marked(&self.marked, entity))
    }

    /// Marks all matches, or one, as changed, for those who read changes.
    #[inline(always)]
    fn mark(&self, one: Option<Entity>) {
        if const { Self::MARKS } && self.stores.pools.watch.is_tracking() {
            match one {
                Some(entity) => mark(&F::ACCESS, self.stores.pools, entity),
                None => self.ask().mark(self.stores, &Self::ACCESS),
            }
        }
    }

    /// Whether `entity` matches.
    #[inline]
    pub(crate) fn contains(&self, entity: Entity) -> bool {
        self.passes(entity) && F::find::<false>(&self.window, self.stores.pools, &entity).is_some()
    }

    /// The item of `entity`, if it matches.
    #[inline(always)]
    pub(crate) fn find(self, entity: Entity) -> Option<F::Item<'w>> {
        if !self.passes(entity) {
            return None;
        }
        let found = F::find::<true>(&self.window, self.stores.pools, &entity)?;
        self.mark(Some(entity));
        // SAFETY: `find` returned the run that is this match alone; `self`, which was the right to fetch it, ends (J4). The
        // pools are borrowed for `'w`.
        Some(unsafe { F::item(&found, InRun(0)) })
    }

    /// Calls `put` with the items of these entities in order, unless one of them does not match, or comes twice.
    pub(crate) fn find_all(
        self,
        entities: &[Entity],
        mut put: impl FnMut(F::Item<'w>),
    ) -> Result<(), DisjointError> {
        refuse_repeated(entities, |entity| self.contains(entity))?;
        // None is marked that is not lent: so it is known first that all match.
        if const { Self::MARKS }
            && let Some(entity) = entities.iter().find(|entity| !self.contains(**entity))
        {
            return Err(DisjointError::NoMatch(*entity));
        }
        for entity in entities {
            // The entities differ: so each is fetched once (J4).
            put(Self { ..self }.find(*entity).ok_or(DisjointError::NoMatch(*entity))?);
        }
        Ok(())
    }

    /// All matches, without their items.
    pub(crate) fn entities(&self) -> Items<'w, Entity> {
        Items::of_begun(self.stores, self.begin())
    }

    /// Asks for what the join requires and tests.
    #[inline(always)]
    fn tell(&self, inputs: &mut Inputs<'w>) {
        F::ask(&self.window, self.stores.pools, inputs);
        if const { !T::IS_EMPTY } {
            inputs.test(&T::ACCESS, self.stores.pools);
        }
        if const { T::MARKED > 0 } {
            self.marked.iter().flatten().for_each(|marked| inputs.among(marked));
        }
    }

    /// A matcher that was asked, and has not begun.
    #[inline(always)]
    fn ask(&self) -> Held<'w> {
        Held::asked(|inputs| self.tell(inputs))
    }

    /// A matcher of the join, for a loop.
    #[inline(always)]
    fn begin(&self) -> Held<'w> {
        let mut matcher = self.ask();
        matcher.begin(self.stores, self.plan);
        matcher
    }

    /// The smallest pool that is read and that every match is in (J1).
    #[inline(always)]
    fn smallest(&self) -> Option<&'w Keys<Entity>> {
        let mut smallest: Option<&Keys<Entity>> = None;
        F::tell(&self.window, self.stores.pools, &mut |_, keys| {
            if smallest.is_none_or(|other| keys.len() < other.len()) {
                smallest = Some(keys);
            }
        });
        smallest
    }

    /// The matches as a run, and how many there are, if that takes little to see: those of one pool or of a group
    /// that owns all that is read, or of the only member of a pool. The walk of a group is counted, as one that
    /// reads values or only counts.
    #[inline(always)]
    fn run(&self, reads: bool) -> Option<(F::Cursor, usize)> {
        if const { Self::ACCESS.required() == 0 }
            || const { !Self::IS_SLICE } && self.plan.is_some()
        {
            return None;
        }
        let members = self.smallest()?.dense();
        if const { Self::IS_SLICE } {
            return Some(self.front(members));
        }
        let Stores { pools, groups, .. } = self.stores;
        // First, so that a group does not slow the smallest joins.
        if let [entity] = members {
            let find = || F::find::<false>(&self.window, pools, entity);
            let found = self.passes(*entity).then(find).flatten();
            return Some(found.map_or_else(|| self.front(&[]), |cursor| (cursor, 1)));
        }
        if groups.is_empty() || const { !Self::ACCESS.is_all_values() || T::MARKED > 0 } {
            return None;
        }
        let mut numbers = 0;
        F::tell(&self.window, pools, &mut |number, _| numbers |= low_bit(number));
        Some(self.front(groups.owning_low(numbers, members, reads)?))
    }

    /// These members, the first of all pools that are read, as a run.
    #[inline(always)]
    fn front(&self, members: &[Entity]) -> (F::Cursor, usize) {
        (F::cursor(&self.window, &mut Lanes::front(members)), members.len())
    }

    /// How many entities match.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        match self.run(false) {
            Some((_, len)) => len,
            None => self.ask().count(self.stores, self.plan),
        }
    }

    /// Whether any entity matches.
    #[inline]
    pub(crate) fn any(&self) -> bool {
        if let Some((_, len)) = self.run(false) {
            return len > 0;
        }
        let mut matcher = self.ask();
        matcher.begin_uncounted(self.stores, self.plan);
        matcher.next(Want::Block).len > 0
    }

    /// How the join is walked.
    pub(crate) fn plan(&self) -> Plan {
        self.ask().plan(self.stores, self.plan, &Self::ACCESS)
    }

    /// Calls `f` with the items of those of these entities that match, in their order.
    #[inline]
    pub(crate) fn for_each_many(
        &mut self,
        mut entities: impl Iterator<Item = Entity>,
        mut f: impl FnMut(F::Item<'_>),
    ) {
        let (mut list, mut len) = ([Entity::new(0, NonZeroU32::MIN); LIST], LIST);
        let is_far = self.smallest().is_some_and(|keys| !is_cached(keys));
        // What tells of all, and then the values of all, come from memory at the same time.
        while len == LIST {
            len = 0;
            for (place, entity) in list.iter_mut().zip(&mut entities) {
                (*place, len) = (entity, len + 1);
                if is_far {
                    let warm = &mut |_, keys: &Keys<Entity>| keys.prefetch_index(entity.index());
                    F::tell(&self.window, self.stores.pools, warm);
                }
            }
            let mut found = [const { None }; LIST];
            for (cursor, entity) in found.iter_mut().zip(&list[..len]) {
                if self.passes(*entity) {
                    *cursor = F::find::<true>(&self.window, self.stores.pools, entity);
                }
            }
            for (cursor, entity) in found.iter().zip(&list[..len]) {
                let Some(cursor) = cursor else { continue };
                self.mark(Some(*entity));
                // SAFETY: `find` returned the run that is this match alone. `self` is borrowed exclusively, so that nobody
                // else fetches (J4), and `f` takes any item, so that this one ends before another is fetched.
                f(unsafe { F::item(cursor, InRun(0)) });
            }
        }
    }

    /// The items by their position in pools, in each of which it is another entity's, unless the
    /// pools begin with the same members.
    pub(crate) fn by_position(self) -> ByPosition<'w, F>
    where
        F: ReadOnlyFetch,
    {
        const { assert!(F::ACCESS.is_plain(), "reads only pools that are required") };
        let driver = self.smallest().unwrap_or(&NO_KEYS); // all others have as many members, or more
        let cursor = F::cursor(&self.window, &mut Lanes::front(driver.dense()));
        ByPosition { cursor, len: driver.len(), of: PhantomData }
    }

    /// The matches as slices, where they are the first of all pools that are read. That none is a guard's, and
    /// that there are any, views check: so that the compiler tells where the user asks.
    #[inline]
    pub(crate) fn slices(self) -> Option<F::Chunk<'w>> {
        let members = self.ask().front(self.stores, self.plan)?;
        self.mark(None);
        let lanes = &mut Lanes::front(members);
        // SAFETY: so many members are in front of all pools that are read, so they are a run that begins there, and all
        // match. `self`, which was the right to fetch them, ends (J4); the pools are borrowed for `'w`.
        let slices = unsafe { F::slices(&F::cursor(&self.window, lanes), members.len()) };
        Some(F::chunk(Internal::CALL, slices))
    }

    /// A matcher of the matches as slices.
    fn begin_chunks(&self) -> Held<'w> {
        self.mark(None);
        let mut matcher = self.ask();
        matcher.begin_chunks(self.stores, self.plan);
        matcher
    }

    /// Calls `f` with the matches as slices, each as long as their values are neighbours.
    pub(crate) fn for_each_chunk(self, f: impl FnMut(F::Chunk<'w>)) {
        // SAFETY: `F` asked the matcher, by this window; `self` ends, so each match is fetched once (J4).
        unsafe { walk_chunks::<F>(&mut self.begin_chunks(), &self.window, f) }
    }

    /// The same, on as many threads as are of use.
    pub(crate) fn par_for_each_chunk(self, f: impl Fn(F::Chunk<'w>) + Sync) {
        // SAFETY: `F` asked the matcher, by this window; `self` ends (J4), and of the matchers that are walked no
        // two find one match (J2).
        let walk = |matcher: &mut _| unsafe { walk_chunks::<F>(matcher, &self.window, &f) };
        parts::walk(self.begin_chunks(), &walk);
    }

    /// Calls `f` with all items, on as many threads as are of use.
    pub(crate) fn par_for_each(self, f: impl Fn(F::Item<'w>) + Sync) {
        self.mark(None);
        // SAFETY: `F` asked the matcher, by this window; `self` ends (J4), and of the matchers that are walked no
        // two find one match (J2).
        let walk = |matcher: &mut _| unsafe {
            fold_blocks::<F, _>(matcher, &self.window, (), |(), item| f(item));
        };
        parts::walk(self.begin(), &walk);
    }

    /// Folds all items in parts, on as many threads as are of use, and combines the results.
    pub(crate) fn par_fold<B: Send>(
        self,
        identity: impl Fn() -> B + Sync,
        f: impl Fn(B, F::Item<'w>) -> B + Sync,
        combine: impl Fn(B, B) -> B + Sync,
    ) -> B {
        self.mark(None);
        // SAFETY: `F` asked the matcher, by this window; `self` ends (J4), and of the matchers that are walked no
        // two find one match (J2).
        let fold =
            |matcher: &mut _| unsafe { fold_blocks::<F, _>(matcher, &self.window, identity(), &f) };
        parts::fold(self.begin(), &fold, &combine).unwrap_or_else(&identity)
    }

    /// Folds all items.
    #[inline(always)]
    pub(crate) fn fold<B>(self, init: B, mut f: impl FnMut(B, F::Item<'w>) -> B) -> B {
        self.mark(None);
        match self.run(true) {
            // SAFETY: the run has so many matches; `self` ends, so each is fetched once (J4).
            Some((cursor, len)) => unsafe { F::each(&cursor, len, init, &mut f) },
            // SAFETY: `F` asked the matcher, by this window; `self` ends, so each match is fetched once (J4).
            None => unsafe { fold_blocks::<F, B>(&mut self.begin(), &self.window, init, f) },
        }
    }

    /// All matches.
    #[inline(always)]
    pub(crate) fn into_iter<Q: Query<Fetch = F>>(self) -> Items<'w, Q, T> {
        self.mark(None);
        let (run, matcher) = match self.run(true) {
            Some(run) => (run, None),
            None => (self.front(&[]), Some(self.begin())),
        };
        // SAFETY: `F` asked the matcher, by the window of `self`; nobody else has the right of `self` (J4).
        unsafe { Items::new(run, matcher, self) }
    }

    /// Begins to take the matches in so many parts, of about as many positions or indices of the source each.
    pub(super) fn begin_parts(self, count: usize) -> Rest<'w, F, T> {
        self.mark(None);
        let whole = self.begin();
        Rest { each: whole.source().1.div_ceil(count), whole, at: 0, join: self }
    }
}

/// The matches of a join that no part was given yet.
///
/// * Each position or index of the source before `at` was given to one part, and no other was. So no two parts have a
///   match in common (J2), and each has the right to fetch its own (J4).
pub(super) struct Rest<'w, F: Fetch, T: Filter> {
    join: Join<'w, F, T>,
    /// It stands where it began.
    whole: Held<'w>,
    /// The number of positions or indices of a part.
    each: usize,
    at: usize,
}

impl<'w, F: Fetch, T: Filter> Rest<'w, F, T> {
    /// Takes the items of the next part; of none, where nothing is left.
    pub(super) fn take<Q: Query<Fetch = F>>(&mut self) -> Items<'w, Q, T> {
        let (source, end) = self.whole.source();
        let start = self.at;
        self.at = end.min(start + self.each);
        let mut matcher = self.whole.clone();
        matcher.begin_part(source, start..self.at);
        let join = Join { ..self.join };
        let (run, matcher) = if const { Join::<F, T>::IS_SLICE } {
            // The members of one pool are one run, told by positions alone: nothing is kept in the matcher.
            let len = matcher.next(Want::Block).len;
            ((F::cursor(&join.window, &mut matcher.search.block.lanes()), len), None)
        } else {
            (join.front(&[]), Some(matcher))
        };
        // SAFETY: `F` asked the matcher, by the window of this join, and it finds the matches of this part only, which
        // no other part has.
        unsafe { Items::new(run, matcher, join) }
    }
}

/// The items of pools that are borrowed to be read, by position.
pub(crate) struct ByPosition<'w, F: Fetch> {
    cursor: F::Cursor,
    /// How many values all of the pools have.
    len: usize,
    of: PhantomData<&'w ()>,
}

impl<'w, F: ReadOnlyFetch> ByPosition<'w, F> {
    /// Returns the item at this position.
    ///
    /// # Panics
    /// When a pool has no value there.
    #[inline]
    pub(crate) fn at(&self, at: usize) -> F::Item<'w> {
        assert!(at < self.len, "a position in all pools");
        // SAFETY: the cursor begins with the first values of all pools, each of which has more than `at` (V2): `len` is that
        // of the smallest. They are borrowed to be read for `'w`, so nobody writes.
        unsafe { F::item(&self.cursor, InRun(at)) }
    }
}

/// Calls `f` with all runs that are to be found, as slices.
///
/// # Safety
/// `F` asked the matcher, by this window, whose pools are borrowed for `'w`; and the caller has the right to fetch each
/// match that it finds, once (J4).
unsafe fn walk_chunks<'w, F: Fetch>(
    matcher: &mut Held<'w>,
    window: &F::Window,
    mut f: impl FnMut(F::Chunk<'w>),
) {
    loop {
        let len = matcher.next_chunk();
        if len == 0 {
            return;
        }
        // SAFETY: `F` asked the matcher, says the caller, so the lanes are those of its pools; the run has so many
        // matches, and no other has one of them (J2). The caller may fetch each once.
        let slices = unsafe { F::slices(&F::cursor(window, &mut matcher.chunk_lanes()), len) };
        f(F::chunk(Internal::CALL, slices));
    }
}

/// Folds the items of all blocks that are to be found.
///
/// # Safety
/// `F` asked the matcher, by this window, whose pools are borrowed for `'w`; and the caller has the right to fetch each
/// match that it finds, once (J4).
#[inline(always)]
unsafe fn fold_blocks<'w, F: Fetch, B>(
    matcher: &mut Held<'w>,
    window: &F::Window,
    init: B,
    mut f: impl FnMut(B, F::Item<'w>) -> B,
) -> B {
    let mut result = init;
    loop {
        let found = matcher.next(Want::Words);
        if found.len == 0 {
            return result;
        }
        let cursor = F::cursor(window, &mut matcher.search.block.lanes());
        match found.kind {
            // SAFETY: `F` asked the matcher, says the caller, so the lanes are those of its pools; the run has so many
            // matches, and no other block has one of them (J2). The caller may fetch each once.
            Kind::Run => result = unsafe { F::each(&cursor, found.len, result, &mut f) },
            Kind::Words => {
                for (word, bits) in matcher.pages.words.iter().enumerate() {
                    let mut bits = *bits;
                    while bits != 0 {
                        let at = Scattered::small(word * 64 + bits.trailing_zeros() as usize);
                        bits &= bits - 1;
                        // SAFETY: each bit is a match, for which the page has a cell in each lane, and which no other
                        // block has (J2); it is cleared, so it comes once. The caller may fetch each once.
                        result = f(result, unsafe { F::item(&cursor, at) });
                    }
                }
            }
            Kind::Scattered => {
                let (order, mut at) = (matcher.search.block.order(), 0);
                while at < found.len {
                    // SAFETY: `order` is this block's, which has more matches than `at`, and no other block has one of
                    // them (J2); each `at` comes once. The caller may fetch each once.
                    result = f(result, unsafe { F::item(&cursor, order.at(at)) });
                    at += 1;
                }
            }
        }
    }
}

/// The iterator over a view's items.
///
/// ```
/// # use ecs::{Component, World};
/// # use ecs::iter::Items;
/// # #[derive(Component)] struct Health(u32);
/// # let mut world = World::new();
/// world.spawn_batch([Health(3), Health(4)]);
/// let mut items: Items<'_, Health> = world.view::<Health>().iter();
/// assert_eq!(items.next().map(|(_, health)| health.0), Some(3));
/// assert_eq!(items.size_hint(), (1, Some(1)));
/// ```
//
// * `Q::Fetch` asked the matcher, by the window of the join. The iterator has the right to fetch, once each, the matches
//   of the block from `at` on, and what the matcher finds (J4). `cursor` and `order` are of that block, which stays where
//   it is until the matcher goes on.
pub struct Items<'w, Q: Query, F: Filter = ()> {
    /// Where the values of the block are that is being read, of whose `len` matches `at` were taken.
    cursor: <Q::Fetch as Fetch>::Cursor,
    at: usize,
    /// `len` if the block is a run, else 0.
    run: usize,
    len: usize,
    order: CellOrder,
    /// Then: what this finds. It is out of line, so that a loop is kept in registers.
    matcher: Option<Held<'w>>,
    join: Join<'w, Q::Fetch, F>,
}

impl<'w, Q: Query, F: Filter> Items<'w, Q, F> {
    /// The items of a run, and of all blocks that `matcher` finds.
    ///
    /// # Safety
    /// The cursor is of a run of so many matches, and keeps nothing that the matcher changes. `Q::Fetch` asked the
    /// matcher, by the window of `join`; or it asks for nothing. Nobody else fetches these matches who writes or is
    /// written.
    #[inline(always)]
    unsafe fn new(
        (cursor, len): (<Q::Fetch as Fetch>::Cursor, usize),
        matcher: Option<Held<'w>>,
        join: Join<'w, Q::Fetch, F>,
    ) -> Self {
        Self { cursor, at: 0, run: len, len, order: CellOrder::NONE, matcher, join }
    }
}

impl<'w> Items<'w, Entity> {
    /// Returns the entities that a matcher finds, which has begun.
    pub(super) fn of_begun(stores: Stores<'w>, matcher: Held<'w>) -> Self {
        let join = Join::shared(stores);
        // SAFETY: `EntityFetch` asks for nothing: it reads the handles, which every block has, whatever was asked for.
        // Entities are copied, and nobody writes those of a pool that is borrowed.
        unsafe { Self::new(join.front(&[]), Some(matcher), join) }
    }
}

impl<'w, Q: Query, F: Filter> Iterator for Items<'w, Q, F> {
    type Item = Item<'w, Q>;

    #[inline(always)]
    fn next(&mut self) -> Option<Item<'w, Q>> {
        loop {
            let at = self.at;
            if at < self.run {
                // SAFETY: the block is a run of `run` matches, of which `cursor` is; this may fetch each (J4), and
                // never comes to `at` again.
                let item = unsafe { Q::Fetch::item(&self.cursor, InRun(at)) };
                self.at = at + 1;
                return Some(item);
            }
            if const { Join::<Q::Fetch, F>::IS_SLICE } {
                return None;
            }
            if at < self.len {
                self.at = at + 1;
                // SAFETY: the block, of which `cursor` and `order` are, has more matches than `at`; this may fetch
                // each (J4), and never comes to `at` again.
                return Some(unsafe { Q::Fetch::item(&self.cursor, self.order.at(at)) });
            }
            core::hint::cold_path();
            let matcher = self.matcher.as_mut()?;
            let found = matcher.next(Want::Block);
            if found.len == 0 {
                return None;
            }
            let run = if found.kind == Kind::Run { found.len } else { 0 };
            (self.at, self.run, self.len) = (0, run, found.len);
            self.order = matcher.search.block.order();
            self.cursor = Q::Fetch::cursor(&self.join.window, &mut matcher.search.block.lanes());
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        if const { Join::<Q::Fetch, F>::IS_SLICE } {
            return (self.run - self.at, Some(self.run - self.at));
        }
        let here = self.len - self.at;
        let (least, most) = self.matcher.as_ref().map_or((0, Some(0)), |matcher| matcher.bounds());
        (here + least, most.map(|most| here + most))
    }

    #[inline]
    fn fold<B, G>(mut self, init: B, mut f: G) -> B
    where
        G: FnMut(B, Item<'w, Q>) -> B,
    {
        let mut result = init;
        if self.at == 0 && self.run > 0 {
            // SAFETY: the block is a run of so many matches, of which `cursor` is and none was fetched; this may
            // fetch each (J4), and ends.
            result = unsafe { Q::Fetch::each(&self.cursor, self.run, result, &mut f) };
            (self.at, self.run) = (self.len, 0);
        }
        while self.at < self.len
            && let Some(item) = self.next()
        {
            result = f(result, item);
        }
        match &mut self.matcher {
            // SAFETY: `Q::Fetch` asked the matcher, by this window, or asks for nothing; this may fetch what the
            // matcher finds, once each (J4), and ends.
            Some(matcher) => unsafe {
                fold_blocks::<Q::Fetch, B>(matcher, &self.join.window, result, f)
            },
            None => result,
        }
    }
}

impl<Q: Query, F: Filter> core::iter::FusedIterator for Items<'_, Q, F> {}

/// The items that are left, once more. Copies what the iterator has found ahead, some kilobytes where it
/// searches.
///
/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component)] struct Health(u32);
/// # let mut world = World::new();
/// world.spawn_batch([Health(3), Health(4), Health(5)]);
/// let mut items = world.view::<Health>().iter();
/// items.next();
/// let sum = items.clone().map(|(_, health)| health.0).sum::<u32>();
/// assert_eq!((sum, items.count()), (9, 2));
/// ```
impl<Q: Query<Fetch: ReadOnlyFetch>, F: Filter> Clone for Items<'_, Q, F> {
    fn clone(&self) -> Self {
        let matcher = self.matcher.clone();
        let (mut cursor, mut order) = (self.cursor, self.order);
        if let Some(matcher) = &matcher
            && self.at < self.len
        {
            let block = &matcher.search.block;
            (cursor, order) =
                (Q::Fetch::cursor(&self.join.window, &mut block.lanes()), block.order());
        }
        Self { cursor, order, matcher, join: self.join.copied(), ..*self }
    }
}

impl<Q: Query<Fetch: OnePool>> ExactSizeIterator for Items<'_, Q> {}

impl<Q: Query, F: Filter> fmt::Debug for Items<'_, Q, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").finish_non_exhaustive()
    }
}

/// A matcher that a thread lends to a loop.
///
/// The loop has only its address: so what the loop keeps itself can stay in registers, and what it reads
/// of a block stays where it is when the loop is moved.
///
/// Only the [`Loan`] is dropped, which has no lifetime: so an iterator in a variable does not borrow the world after its
/// last use.
pub(super) struct Held<'w> {
    loan: Loan,
    of: PhantomData<&'w Matcher<'w>>,
}

/// A matcher that goes back to its thread. It may outlive the world whose parts it refers to.
struct Loan(NonNull<Matcher<'static>>);

/// That a matcher may be sent and shared.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Matcher<'_>>();
};
// SAFETY: a loan owns its matcher like a `Box`, and that is `Send`.
unsafe impl Send for Loan {}
// SAFETY: a shared loan gives shared references to its matcher only, and that is `Sync`.
unsafe impl Sync for Loan {}

impl<'w> Deref for Held<'w> {
    type Target = Matcher<'w>;
    #[inline(always)]
    fn deref(&self) -> &Matcher<'w> {
        // SAFETY: the address is that of a leaked `Box`, which the loan alone has until it is dropped; `self` is borrowed.
        // A `Matcher` has one layout whatever its lifetime, and all that this one was told lives for `'w`.
        unsafe { self.loan.0.cast().as_ref() }
    }
}

impl<'w> DerefMut for Held<'w> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Matcher<'w> {
        // SAFETY: the address is that of a leaked `Box`, which the loan alone has until it is dropped; `self` is borrowed
        // exclusively. What it is told here lives for `'w`, and is forgotten unread when the loan ends.
        unsafe { self.loan.0.cast().as_mut() }
    }
}

/// One that stands where this one does.
impl Clone for Held<'_> {
    fn clone(&self) -> Self {
        Self::new(NonNull::from(Box::leak(Box::new(Matcher::clone(self)))).cast())
    }
}

impl Drop for Loan {
    #[inline(always)]
    fn drop(&mut self) {
        give_back(self.0);
    }
}

impl<'w> Held<'w> {
    #[inline(always)]
    const fn new(matcher: NonNull<Matcher<'static>>) -> Self {
        Self { loan: Loan(matcher), of: PhantomData }
    }

    /// One that `ask` asked, and that has not begun.
    #[inline(always)]
    pub(super) fn asked(ask: impl FnOnce(&mut Inputs<'w>)) -> Self {
        let mut matcher = Self::new(take_matcher());
        ask(&mut matcher.search.inputs);
        matcher
    }
}

/// A matcher that was told nothing yet.
#[inline(never)]
fn take_matcher() -> NonNull<Matcher<'static>> {
    NonNull::from(Box::leak(spare::take().unwrap_or_else(Matcher::boxed)))
}

/// Takes one back, which forgets all.
///
/// The parts of a world that it refers to may be gone. It reads none of them, and only overwrites the references where
/// they are.
#[inline(never)]
fn give_back(matcher: NonNull<Matcher<'static>>) {
    // SAFETY: the address is that of a `Box` that `take_matcher` or `clone` leaked. The loan that had it alone is being
    // dropped, so nobody uses it any more.
    let mut matcher = unsafe { Box::from_raw(matcher.as_ptr()) };
    matcher.clear();
    spare::keep(matcher);
}

/// The matcher that the last loop has left: without `std`, nobody tells threads apart.
#[cfg(not(feature = "std"))]
mod spare {
    use super::Matcher;
    use alloc::boxed::Box;
    use core::ptr::null_mut;
    use core::sync::atomic::{AtomicPtr, Ordering};

    static SPARE: AtomicPtr<Matcher<'static>> = AtomicPtr::new(null_mut());

    pub(super) fn take() -> Option<Box<Matcher<'static>>> {
        exchange(null_mut())
    }

    pub(super) fn keep(matcher: Box<Matcher<'static>>) {
        drop(exchange(Box::into_raw(matcher)));
    }

    fn exchange(with: *mut Matcher<'static>) -> Option<Box<Matcher<'static>>> {
        let before = SPARE.swap(with, Ordering::AcqRel);
        // SAFETY: an address that is not null came out of the `Box` that `keep` was given, and the exchange gives it to one
        // thread only, after all that was written there (`AcqRel`). A matcher may be sent.
        (!before.is_null()).then(|| unsafe { Box::from_raw(before) })
    }
}

/// So many entities of a list are looked up together.
const LIST: usize = 64;
