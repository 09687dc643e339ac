//! The join of a query's pools: the items of the entities that a matcher finds.
#![expect(unsafe_code, reason = "the items of a join are of different entities")]

use crate::allocator::EntityAllocator;
use crate::component::access::Access;
use crate::component::alias;
use crate::entities::Entities;
use crate::entity::Entity;
use crate::group::groups::{Groups, low_bit};
use crate::internal::Internal;
use crate::pool::pools::{NO_KEYS, Pools};
use crate::pool::track::EntitySet;
use crate::query::block::{BlockKind, Lanes, Want};
use crate::query::error::{DisjointError, refuse_repeated};
use crate::query::fetch::{Fetch, ReadOnlyFetch};
use crate::query::inputs::{Inputs, is_cached};
use crate::query::matcher::{MatchSource, Matcher, Stores};
use crate::query::parts;
use crate::query::plan::{Plan, PlanKind};
use crate::query::presence::{AmongEntities, Filter, MOST_MARKED, are_marked, mark, passes};
use crate::query::request::{Item, OnePool, Query};
#[cfg(feature = "std")]
use crate::query::spare;
use crate::storage::keys::Keys;
use crate::storage::page::cold_path;
use crate::storage::values::{CellOrder, InRun, Scattered};
use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::num::NonZeroU32;
use core::ops::{Deref, DerefMut, Range};
use core::ptr::NonNull;

/// The borrowed pools of a query, and the right to fetch the item of each match once.
///
/// * J4: a `Join` is one right to fetch. It is not `Clone`, and functions that take it by value may fetch every match
///   once. [`Join::reborrow`] lends the right, [`Join::copied`] copies it where fetching twice is harmless;
///   [`Join::for_each_many`] has one item at a time.
pub struct Join<'w, F: Fetch, T: Filter> {
    /// It has no drop, which the compiler need not look for: so it reports an invalid query once less.
    window: ManuallyDrop<F::Window>,
    stores: Stores<'w>,
    /// The sets of marked entities that contain the matches, as many as `T` requires.
    marked: [Option<&'w EntitySet>; MOST_MARKED],
    /// The answers of indexes that contain the matches. They have no drop either.
    answers: ManuallyDrop<T::Answers>,
    /// The plan to use, if it is not chosen by the join.
    plan: Option<PlanKind>,
    tests: PhantomData<fn() -> T>,
}

impl<'w, F: Fetch> Join<'w, F, ()> {
    /// Joins the pools of `F`, for reading.
    #[inline]
    pub(crate) fn shared(stores: Stores<'w>) -> Self
    where
        F: ReadOnlyFetch,
    {
        // SAFETY: the pools are borrowed for `'w`, as long as the window is used, so they do not change. `F` writes
        // nothing, and nothing else writes while they are borrowed.
        unsafe { Self::new(stores) }
    }

    /// Joins the pools of `F`, for reading and writing.
    ///
    /// # Panics
    /// Panics if two terms of `F` access one component and one of them writes it, or if `F` reads whole entities.
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
        if const { F::ACCESS.may_mark() } {
            pools.watch.set_marking_shared(false);
        }
        // SAFETY: the pools are borrowed for `'w`, as long as the window is used, and exclusively: there is no window
        // but the windows of `F`. No two terms of it access one component while one writes it: types of different ids
        // differ, and others were just compared; reading whole entities was refused.
        unsafe { Self::new(Stores { pools, entities, groups }) }
    }

    /// # Safety
    /// For `'w`, the pools exist and do not change. No window that is used meanwhile leads to a value that a term of
    /// `F` writes, and none writes a value that a term of `F` accesses. That holds for the terms of `F` among each
    /// other as well.
    #[inline]
    pub(crate) unsafe fn new(stores: Stores<'w>) -> Self {
        // SAFETY: the join, which uses the window, lasts no longer than `'w`, for which the caller guarantees the
        // requirements of `window`.
        let window = ManuallyDrop::new(unsafe { F::window(stores) });
        let (marked, answers) = ([None; MOST_MARKED], ManuallyDrop::new(()));
        Self { window, stores, plan: None, marked, answers, tests: PhantomData }
    }
}

impl<'w, F: Fetch, T: Filter> Join<'w, F, T> {
    /// The accesses and tests of the join.
    pub(super) const ACCESS: Access = Access::All(&[F::ACCESS, T::ACCESS]);
    /// `true` if the matches are not restricted to sets or answers.
    const IS_FREE: bool = T::MARKED == 0 && !T::HAS_ANSWERS;
    /// `true` if the matches are all members of one pool, which is read.
    const IS_SLICE: bool =
        Self::ACCESS.required() == 1 && Self::ACCESS.is_all_values() && Self::IS_FREE;
    /// `true` if fetched values are marked as changed.
    const MARKS: bool = F::ACCESS.marks();
    /// `true` if the matches come in the order of a pool that not all of them need to be in.
    const IS_ORDERED: bool = T::ORDER.is_some() && !Self::IS_SLICE;

    /// Returns the pools of the world. Only the pools that the query accesses may be read.
    #[inline]
    pub(crate) const fn pools(&self) -> &'w Pools {
        self.stores.pools
    }

    /// Returns the allocator of entities of this world.
    #[inline]
    pub(crate) const fn allocator(&self) -> EntityAllocator<'w> {
        EntityAllocator::new(self.stores.entities)
    }

    /// Returns this join for as long as `self` is not used.
    #[inline]
    pub(crate) fn reborrow(&mut self) -> Join<'_, F, T> {
        Self { answers: self.answers.clone(), ..*self }
    }

    /// Returns a join that reads the values of this one, for as long as `self` does not write.
    #[inline]
    pub(crate) fn read_only(&self) -> Join<'_, F::ReadOnly, T> {
        // The maker of this join guaranteed that no other window writes a value that `F` accesses, and `ReadOnly`
        // accesses no others. This window is borrowed: methods that write take it exclusively or by value, and so do the
        // items that they return (J4). So nothing writes meanwhile, as `shared` requires.
        let Self { stores, plan, marked, .. } = *self;
        let Join { window, .. } = Join::<F::ReadOnly, ()>::shared(stores);
        let answers = self.answers.clone();
        Join { window, stores, plan, marked, answers, tests: PhantomData }
    }

    /// Returns a copy of the join.
    #[inline]
    pub(crate) fn copied(&self) -> Self
    where
        F: ReadOnlyFetch,
    {
        Self { answers: self.answers.clone(), ..*self }
    }

    /// Returns this join with a plan, which is used if possible.
    pub(crate) fn with_plan(self, plan: Option<PlanKind>) -> Self {
        Self { plan, ..self }
    }

    /// Adds tests to the join.
    #[inline]
    pub(crate) fn filter<U: Filter<Answers = ()>>(self) -> Join<'w, F, (T, U)> {
        self.with_answers(())
    }

    /// Adds tests to the join, and the answers of theirs.
    #[inline]
    fn with_answers<U: Filter>(self, more: U::Answers) -> Join<'w, F, (T, U)> {
        let Self { window, stores, plan, marked, answers, .. } = self;
        let answers = ManuallyDrop::new((ManuallyDrop::into_inner(answers), more));
        Join { window, stores, plan, marked, answers, tests: PhantomData }
    }

    /// Restricts the join to these entities; there may be [`MOST_MARKED`] sets.
    ///
    /// # Panics
    /// Panics if they are entities of another world.
    #[inline]
    #[track_caller]
    pub(crate) fn among<A: AmongEntities<'w>>(
        mut self,
        entities: A,
    ) -> Join<'w, F, (T, A::Filter)> {
        let (marked, answers) = entities.into_parts();
        if let Some(marked) = marked {
            marked.refuse_other(self.stores.entities.world());
            self.marked[T::MARKED] = Some(marked);
        }
        A::Filter::for_each_answer(&answers, &mut |_, owner| {
            if let Some(owner) = owner {
                self.stores.pools.refuse_other_index(owner);
            }
        });
        self.with_answers(answers)
    }

    /// Returns `true` if `entity` passes the tests. It must be alive if no component is required.
    #[inline(always)]
    fn passes(&self, entity: Entity) -> bool {
        let Stores { pools, entities, .. } = self.stores;
        // Members of pools are alive.
        (const { Self::ACCESS.required() > 0 } || entities.is_alive(entity))
            && (const { T::IS_EMPTY } || passes(&T::ACCESS, pools, entity))
            && (const { T::MARKED == 0 } || are_marked(&self.marked, entity))
            && T::are_in_answers(&self.answers, entity.index())
    }

    /// Marks all matches, or one, as changed, for readers of changes.
    #[inline(always)]
    fn mark(&self, one: Option<Entity>) {
        if const { Self::MARKS } && self.stores.pools.watch.is_tracking() {
            match one {
                Some(entity) => mark(&F::ACCESS, self.stores.pools, entity),
                None => self.ask().mark(self.stores, &Self::ACCESS),
            }
        }
    }

    /// Returns `true` if `entity` matches.
    #[inline]
    pub(crate) fn contains(&self, entity: Entity) -> bool {
        self.passes(entity) && F::find::<false>(&self.window, self.stores.pools, &entity).is_some()
    }

    /// Returns the item of `entity`, if it matches.
    #[inline(always)]
    pub(crate) fn find(self, entity: Entity) -> Option<F::Item<'w>> {
        if !self.passes(entity) {
            return None;
        }
        let found = F::find::<true>(&self.window, self.stores.pools, &entity)?;
        self.mark(Some(entity));
        // SAFETY: `find` returned the run that consists of this match alone; `self`, which was the right to fetch it,
        // ends (J4). The pools are borrowed for `'w`.
        Some(unsafe { F::item(&found, InRun(0)) })
    }

    /// Calls `put` with the items of these entities in order. Returns an error if one of them does not match or is
    /// repeated.
    pub(crate) fn find_all(
        self,
        entities: &[Entity],
        mut put: impl FnMut(F::Item<'w>),
    ) -> Result<(), DisjointError> {
        refuse_repeated(entities, |entity| self.contains(entity))?;
        // All must match before any is marked.
        if const { Self::MARKS }
            && let Some(entity) = entities.iter().find(|entity| !self.contains(**entity))
        {
            return Err(DisjointError::NoMatch(*entity));
        }
        for entity in entities {
            // The entities differ: so each is fetched once (J4).
            put(Self { answers: self.answers.clone(), ..self }
                .find(*entity)
                .ok_or(DisjointError::NoMatch(*entity))?);
        }
        Ok(())
    }

    /// Returns all matches, without their items.
    pub(crate) fn entities(&self) -> Items<'w, Entity> {
        Items::of_begun(self.stores, self.begin())
    }

    /// Adds the pools and tests of the join.
    #[inline(always)]
    fn add_inputs(&self, inputs: &mut Inputs<'w>) {
        F::ask(&self.window, self.stores.pools, inputs);
        if const { !T::IS_EMPTY } {
            inputs.test(&T::ACCESS, self.stores.pools);
        }
        if const { T::MARKED > 0 } {
            self.marked.iter().flatten().for_each(|marked| inputs.among(marked));
        }
        if const { T::HAS_ANSWERS } {
            T::for_each_answer(&self.answers, &mut |it, owner| inputs.among_answer(it, owner));
        }
    }

    /// Returns a matcher with the inputs of the join, which has not begun.
    #[inline(always)]
    fn ask(&self) -> Held<'w> {
        Held::asked(|inputs| self.add_inputs(inputs))
    }

    /// Returns the members of the pool whose order the matches have, if there is one.
    #[inline(always)]
    fn order(&self) -> Option<&'w Keys<Entity>> {
        if const { Self::IS_ORDERED } { Some(T::ORDER?(self.stores.pools)) } else { None }
    }

    /// Returns a matcher of the join, for a loop.
    #[inline(always)]
    fn begin(&self) -> Held<'w> {
        let mut matcher = self.ask();
        match self.order() {
            None => matcher.begin(self.stores, self.plan),
            Some(order) => matcher.begin_in_order(self.stores, order),
        }
        matcher
    }

    /// Returns the smallest pool that is read and contains every match (J1).
    #[inline(always)]
    fn smallest(&self) -> Option<&'w Keys<Entity>> {
        let mut smallest: Option<&Keys<Entity>> = None;
        F::list(&self.window, self.stores.pools, &mut |_, keys| {
            if smallest.is_none_or(|other| keys.len() < other.len()) {
                smallest = Some(keys);
            }
        });
        smallest
    }

    /// Returns the matches as a run, and their number, if a cheap test finds them. They are the members of one
    /// pool, the members of a group that owns all pools that are read, or the only member of a pool.
    #[inline(always)]
    fn run(&self) -> Option<(F::Cursor, usize)> {
        if const { Self::ACCESS.required() == 0 }
            || const { !Self::IS_SLICE } && self.plan.is_some()
            || const { Self::IS_ORDERED }
        {
            return None;
        }
        let members = self.smallest()?.dense();
        if const { Self::IS_SLICE } {
            return Some(self.front(members));
        }
        let Stores { pools, groups, .. } = self.stores;
        // Tested first, so that a group does not slow the smallest joins.
        if let [entity] = members {
            let find = || F::find::<false>(&self.window, pools, entity);
            let found = self.passes(*entity).then(find).flatten();
            return Some(found.map_or_else(|| self.front(&[]), |cursor| (cursor, 1)));
        }
        if groups.is_empty() || const { !Self::ACCESS.is_all_values() || !Self::IS_FREE } {
            return None;
        }
        let mut numbers = 0;
        F::list(&self.window, pools, &mut |number, _| numbers |= low_bit(number));
        Some(self.front(groups.owning_low(numbers, members)?))
    }

    /// Returns these members, the first of all pools that are read, as a run.
    #[inline(always)]
    fn front(&self, members: &[Entity]) -> (F::Cursor, usize) {
        (F::cursor(&self.window, &mut Lanes::front(members)), members.len())
    }

    /// Returns the number of matches.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        match self.run() {
            Some((_, len)) => len,
            None => self.ask().count(self.stores, self.plan),
        }
    }

    /// Returns `true` if any entity matches.
    #[inline]
    pub(crate) fn any(&self) -> bool {
        if let Some((_, len)) = self.run() {
            return len > 0;
        }
        let mut matcher = self.ask();
        matcher.begin_uncounted(self.stores, self.plan);
        matcher.next(Want::Block).len > 0
    }

    /// Returns the plan of the join.
    pub(crate) fn plan(&self) -> Plan {
        match self.order() {
            None => self.ask().plan(self.stores, self.plan, &Self::ACCESS),
            Some(order) => self.ask().plan_in_order(self.stores, order),
        }
    }

    /// Calls `f` with the items of these entities, in their order, if they match.
    #[inline]
    pub(crate) fn for_each_many(
        &mut self,
        mut entities: impl Iterator<Item = Entity>,
        mut f: impl FnMut(F::Item<'_>),
    ) {
        let (mut list, mut len) = ([Entity::new(0, NonZeroU32::MIN); LIST], LIST);
        let is_far = self.smallest().is_some_and(|keys| !is_cached(keys));
        // The pages of all, and then the values of all, come from memory together.
        while len == LIST {
            len = 0;
            for (place, entity) in list.iter_mut().zip(&mut entities) {
                (*place, len) = (entity, len + 1);
                if is_far {
                    let prefetch =
                        &mut |_, keys: &Keys<Entity>| keys.prefetch_index(entity.index());
                    F::list(&self.window, self.stores.pools, prefetch);
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
                // SAFETY: `find` returned the run that consists of this match alone. `self` is borrowed exclusively, so
                // that nothing else fetches (J4), and `f` takes an item with any lifetime, so that this one ends before
                // another is fetched.
                f(unsafe { F::item(cursor, InRun(0)) });
            }
        }
    }

    /// Returns the items by position. Equal positions in different pools belong to one entity only if the pools begin
    /// with equal members.
    pub(crate) fn by_position(self) -> ByPosition<'w, F>
    where
        F: ReadOnlyFetch,
    {
        const { assert!(F::ACCESS.is_plain(), "reads only pools that are required") };
        let driver = self.smallest().unwrap_or(&NO_KEYS); // all others have as many members, or more
        let cursor = F::cursor(&self.window, &mut Lanes::by_position(driver.dense()));
        ByPosition { cursor, len: driver.len(), of: PhantomData }
    }

    /// Returns the matches as slices, if they are the first of all pools that are read. Views check that the query has
    /// slices, so that compile errors point to the user's code.
    #[inline]
    pub(crate) fn slices(self) -> Option<F::Chunk<'w>> {
        let members = match self.order() {
            None => self.ask().front(self.stores, self.plan)?,
            Some(order) => self.ask().front_in_order(self.stores, order)?,
        };
        self.mark(None);
        let lanes = &mut Lanes::front(members);
        // SAFETY: this many members are in front of all pools that are read, so they are a run that begins there, and
        // all match. `self`, which was the right to fetch them, ends (J4); the pools are borrowed for `'w`.
        let slices = unsafe { F::slices(&F::cursor(&self.window, lanes), members.len()) };
        Some(F::chunk(Internal::CALL, slices))
    }

    /// Returns a matcher of the matches as slices.
    fn begin_chunks(&self) -> Held<'w> {
        self.mark(None);
        let mut matcher = self.ask();
        match self.order() {
            None => matcher.begin_chunks(self.stores, self.plan),
            Some(order) => matcher.begin_in_order(self.stores, order),
        }
        matcher
    }

    /// Calls `f` with the matches as slices, each as long as values are neighbours.
    pub(crate) fn for_each_chunk(self, f: impl FnMut(F::Chunk<'w>)) {
        // SAFETY: `F` added the matcher's inputs, by this window; `self` ends, so each match is fetched once (J4).
        unsafe { walk_chunks::<F>(&mut self.begin_chunks(), &self.window, f) }
    }

    /// Calls `f` with the matches as slices, on as many threads as are useful.
    pub(crate) fn par_for_each_chunk(self, f: impl Fn(F::Chunk<'w>) + Sync) {
        // SAFETY: `F` added the matcher's inputs, by this window; `self` ends (J4), and no two of the matchers find one
        // match (J2).
        let walk = |matcher: &mut _| unsafe { walk_chunks::<F>(matcher, &self.window, &f) };
        parts::walk(self.begin_chunks(), &walk);
    }

    /// Calls `f` with all items, on as many threads as are useful.
    pub(crate) fn par_for_each(self, f: impl Fn(F::Item<'w>) + Sync) {
        self.mark(None);
        // SAFETY: `F` added the matcher's inputs, by this window; `self` ends (J4), and no two of the matchers find one
        // match (J2).
        let walk = |matcher: &mut _| unsafe {
            fold_blocks::<F, _>(matcher, &self.window, (), |(), item| f(item));
        };
        parts::walk(self.begin(), &walk);
    }

    /// Folds all items in parts, on as many threads as are useful, and combines the results.
    pub(crate) fn par_fold<B: Send>(
        self,
        identity: impl Fn() -> B + Sync,
        f: impl Fn(B, F::Item<'w>) -> B + Sync,
        combine: impl Fn(B, B) -> B + Sync,
    ) -> B {
        self.mark(None);
        // SAFETY: `F` added the matcher's inputs, by this window; `self` ends (J4), and no two of the matchers find one
        // match (J2).
        let fold =
            |matcher: &mut _| unsafe { fold_blocks::<F, _>(matcher, &self.window, identity(), &f) };
        parts::fold(self.begin(), &fold, &combine).unwrap_or_else(&identity)
    }

    /// Folds all items.
    #[inline(always)]
    pub(crate) fn fold<B>(self, init: B, mut f: impl FnMut(B, F::Item<'w>) -> B) -> B {
        self.mark(None);
        match self.run() {
            // SAFETY: the run has this many matches; `self` ends, so each is fetched once (J4).
            Some((cursor, len)) => unsafe { F::each(&cursor, len, init, &mut f) },
            // SAFETY: `F` added the matcher's inputs, by this window; `self` ends, so each match is fetched once (J4).
            None => unsafe { fold_blocks::<F, B>(&mut self.begin(), &self.window, init, f) },
        }
    }

    /// Returns an iterator over all items.
    #[inline(always)]
    pub(crate) fn into_iter<Q: Query<Fetch = F>>(self) -> Items<'w, Q, T> {
        self.mark(None);
        let (run, matcher) = match self.run() {
            Some(run) => (run, None),
            None => (self.front(&[]), Some(self.begin())),
        };
        // SAFETY: `F` added the matcher's inputs, by the window of `self`; nothing else has the right of `self` (J4).
        unsafe { Items::new(run, matcher, self) }
    }

    /// Begins to divide the matches into `count` parts, with about as many positions or indices of the source each.
    pub(super) fn begin_parts(self, count: usize) -> JoinRest<'w, F, T> {
        self.mark(None);
        let whole = self.begin();
        let (source, end) = whole.source();
        let whole = if const { Self::IS_SLICE } {
            WholeSource::OfSlices(whole)
        } else {
            WholeSource::Shared(Arc::new(whole))
        };
        JoinRest { each: end.div_ceil(count), whole, source, end, at: 0, join: self }
    }
}

/// The matches of a join that belong to no part yet.
///
/// * Each position or index of the source before `at` belongs to exactly one part, all others to none. So no two parts
///   share a match (J2), and each has the right to fetch its own (J4).
pub(super) struct JoinRest<'w, F: Fetch, T: Filter> {
    join: Join<'w, F, T>,
    whole: WholeSource<'w>,
    source: MatchSource<'w>,
    /// The number of positions or indices of the source, and of a part.
    end: usize,
    each: usize,
    at: usize,
}

/// The matcher of a source that is divided.
enum WholeSource<'w> {
    /// Finds one part after the other: slices need no matcher to continue.
    OfSlices(Held<'w>),
    /// Has not found anything; the parts share it.
    Shared(Arc<Held<'w>>),
}

impl<'w, F: Fetch, T: Filter> JoinRest<'w, F, T> {
    /// Returns the items of the next part; none if nothing is left.
    pub(super) fn take<Q: Query<Fetch = F>>(&mut self) -> PartItems<'w, Q, T> {
        let start = self.at;
        self.at = self.end.min(start + self.each);
        let (range, join) =
            (start..self.at, Join { answers: self.join.answers.clone(), ..self.join });
        let (run, part) = match &mut self.whole {
            WholeSource::Shared(whole) => {
                (join.front(&[]), Some(JoinPart { whole: whole.clone(), range }))
            }
            WholeSource::OfSlices(matcher) => {
                // The members of one pool are one run of fixed positions: the matcher stores nothing.
                matcher.begin_part(self.source, range);
                let len = matcher.next(Want::Block).len;
                ((F::cursor(&join.window, &mut matcher.search.block.lanes()), len), None)
            }
        };
        // SAFETY: `F` added the matcher's inputs, by the window of this join. The run, or the matcher of the part, has
        // only the matches of this part, which belong to no other part.
        PartItems { items: unsafe { Items::new(run, None, join) }, part }
    }
}

/// A part of a source that was not searched yet, so it is cheap to make. Parts that are searched one after the other
/// take turns with the matcher that their thread keeps.
#[derive(Clone)]
struct JoinPart<'w> {
    /// A matcher that has begun, and has found nothing.
    whole: Arc<Held<'w>>,
    range: Range<usize>,
}

/// The items of pools that are borrowed for reading, by position.
pub(crate) struct ByPosition<'w, F: Fetch> {
    cursor: F::Cursor,
    /// The number of values in the smallest pool.
    len: usize,
    of: PhantomData<&'w ()>,
}

impl<'w, F: ReadOnlyFetch> ByPosition<'w, F> {
    /// Returns the item at this position.
    ///
    /// # Panics
    /// Panics if a pool has no value there.
    #[inline]
    pub(crate) fn at(&self, at: usize) -> F::Item<'w> {
        assert!(at < self.len, "a position in all pools");
        // SAFETY: the cursor begins with the first values of all pools. Each has more than `at` values (V2): `len` is
        // the length of the smallest. They are borrowed for reading for `'w`, so nothing writes.
        unsafe { F::item(&self.cursor, InRun(at)) }
    }
}

/// Calls `f` with all remaining runs, as slices.
///
/// # Safety
/// `F` added the matcher's inputs, by this window, and its pools are borrowed for `'w`. The caller has the right to
/// fetch each match that the matcher finds, once (J4).
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
        // SAFETY: the caller guarantees that `F` added the matcher's inputs, so the lanes belong to its pools. The
        // run has this many matches, and no other run has one of them (J2). The caller may fetch each once.
        let slices = unsafe { F::slices(&F::cursor(window, &mut matcher.chunk_lanes()), len) };
        f(F::chunk(Internal::CALL, slices));
    }
}

/// Folds the items of all remaining blocks.
///
/// # Safety
/// `F` added the matcher's inputs, by this window, and its pools are borrowed for `'w`. The caller has the right to
/// fetch each match that the matcher finds, once (J4).
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
            // SAFETY: the caller guarantees that `F` added the matcher's inputs, so the lanes belong to its pools.
            // The run has this many matches, and no other block has one of them (J2). The caller may fetch each once.
            BlockKind::Run => result = unsafe { F::each(&cursor, found.len, result, &mut f) },
            BlockKind::Words => {
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
            BlockKind::Scattered => {
                let (order, mut at) = (matcher.search.block.order(found.len), 0);
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
// * `Q::Fetch` added the matcher's inputs, by the window of the join. The iterator has the right to fetch, once each,
//   the matches of the block from `at` on, and the matches that the matcher finds (J4). `cursor` and `order` are of
//   that block, which stays in its place until the matcher continues.
pub struct Items<'w, Q: Query, F: Filter = ()> {
    /// The addresses of the values of the current block; `at` of its `len` matches were taken.
    cursor: <Q::Fetch as Fetch>::Cursor,
    at: usize,
    /// `len` if the block is a run, otherwise 0.
    run: usize,
    len: usize,
    order: CellOrder,
    /// The matcher of further blocks. Its code is not inlined, so that a loop is kept in registers.
    matcher: Option<Held<'w>>,
    join: Join<'w, Q::Fetch, F>,
}

impl<'w, Q: Query, F: Filter> Items<'w, Q, F> {
    /// Returns the items of a run, and of all blocks that `matcher` finds.
    ///
    /// # Safety
    /// The cursor is of a run of this many matches, and has no address in the matcher. `Q::Fetch` added the matcher's
    /// inputs, by the window of `join`; or it has no inputs. These matches are not fetched by anything else that
    /// writes, nor at all if they are written here.
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
    /// Returns the entities that a matcher finds, which must have begun.
    pub(super) fn of_begun(stores: Stores<'w>, matcher: Held<'w>) -> Self {
        let join = Join::shared(stores);
        // SAFETY: `EntityFetch` has no inputs: it reads the handles, which every block has. Entities are copied, and
        // nothing writes the entities of a pool that is borrowed.
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
                // SAFETY: the block is a run of `run` matches, for which `cursor` is; this may fetch each (J4), and
                // never reaches `at` again.
                let item = unsafe { Q::Fetch::item(&self.cursor, InRun(at)) };
                self.at = at + 1;
                return Some(item);
            }
            if const { Join::<Q::Fetch, F>::IS_SLICE } {
                return None;
            }
            if at < self.len {
                self.at = at + 1;
                // SAFETY: `cursor` and `order` are of this block, which has more matches than `at`; this may fetch each
                // (J4), and never reaches `at` again.
                return Some(unsafe { Q::Fetch::item(&self.cursor, self.order.at(at)) });
            }
            cold_path();
            let matcher = self.matcher.as_mut()?;
            let found = matcher.next(Want::Block);
            if found.len == 0 {
                return None;
            }
            let run = if found.kind == BlockKind::Run { found.len } else { 0 };
            (self.at, self.run, self.len) = (0, run, found.len);
            self.order = matcher.search.block.order(found.len - run);
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
            // SAFETY: the block is a run of this many matches, for which `cursor` is, and none was fetched; this may
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
            // SAFETY: `Q::Fetch` added the matcher's inputs, by this window, or has none; this may fetch the matches
            // that the matcher finds, once each (J4), and ends.
            Some(matcher) => unsafe {
                fold_blocks::<Q::Fetch, B>(matcher, &self.join.window, result, f)
            },
            None => result,
        }
    }
}

impl<Q: Query, F: Filter> core::iter::FusedIterator for Items<'_, Q, F> {}

/// A clone yields the remaining items. It copies the current block, which takes some kilobytes for scattered matches.
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
            (cursor, order) = (
                Q::Fetch::cursor(&self.join.window, &mut block.lanes()),
                block.order(self.len - self.run),
            );
        }
        Self { cursor, order, matcher, join: self.join.copied(), ..*self }
    }
}

impl<Q: Query<Fetch: OnePool>> ExactSizeIterator for Items<'_, Q> {}

/// The items of a part of a view: from [`View::into_parts`](crate::View::into_parts).
///
/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component)] struct Health(u32);
/// # let mut world = World::new();
/// world.spawn_batch((0..10).map(Health));
/// let mut parts = world.view::<Health>().into_parts(2);
/// assert_eq!(parts.next().map(|part| part.map(|(_, health)| health.0).sum()), Some(10));
/// assert_eq!(parts.next().map(|mut part| part.next().map(|(_, health)| health.0)), Some(Some(5)));
/// ```
//
// Not a field of `Items`: its destructor would have the address of the iterator, so that each loop kept its state in
// memory. A `for` loop over 10,000 matches took 11 us then, instead of 7.6.
pub struct PartItems<'w, Q: Query, F: Filter = ()> {
    items: Items<'w, Q, F>,
    /// The part of a source from which the matcher of the items is made, if there is none yet.
    part: Option<JoinPart<'w>>,
}

impl<'w, Q: Query, F: Filter> PartItems<'w, Q, F> {
    #[inline(always)]
    fn begun(&mut self) -> &mut Items<'w, Q, F> {
        if let Some(part) = self.part.take() {
            self.items.matcher = Some(Held::of_part(&part));
        }
        &mut self.items
    }
}

impl<'w, Q: Query, F: Filter> Iterator for PartItems<'w, Q, F> {
    type Item = Item<'w, Q>;

    #[inline(always)]
    fn next(&mut self) -> Option<Item<'w, Q>> {
        self.begun().next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.part {
            Some(JoinPart { whole, range }) => whole.bounds_of(range.clone()),
            None => self.items.size_hint(),
        }
    }

    #[inline]
    fn fold<B, G>(mut self, init: B, f: G) -> B
    where
        G: FnMut(B, Item<'w, Q>) -> B,
    {
        self.begun();
        self.items.fold(init, f)
    }
}

impl<Q: Query, F: Filter> core::iter::FusedIterator for PartItems<'_, Q, F> {}
impl<Q: Query<Fetch: OnePool>> ExactSizeIterator for PartItems<'_, Q> {}

/// A clone yields the remaining items, like a clone of [`Items`].
impl<Q: Query<Fetch: ReadOnlyFetch>, F: Filter> Clone for PartItems<'_, Q, F> {
    fn clone(&self) -> Self {
        Self { items: self.items.clone(), part: self.part.clone() }
    }
}

impl<Q: Query, F: Filter> fmt::Debug for PartItems<'_, Q, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartItems").finish_non_exhaustive()
    }
}

impl<Q: Query, F: Filter> fmt::Debug for Items<'_, Q, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").finish_non_exhaustive()
    }
}

/// A matcher that a thread lends to a loop.
///
/// The loop has only its address: so the loop's own variables can stay in registers, and a block stays in its place
/// when the loop is moved.
///
/// Only the [`MatcherLoan`] is dropped, which has no lifetime: so an iterator in a variable does not borrow the world after
/// its last use.
pub(super) struct Held<'w> {
    loan: MatcherLoan,
    of: PhantomData<&'w Matcher<'w>>,
}

/// A matcher that is returned to its thread. It may outlive the world to which it refers.
struct MatcherLoan(NonNull<Matcher<'static>>);

/// Checks that a matcher may be sent and shared.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Matcher<'_>>();
};
// SAFETY: a loan owns its matcher like a `Box`, and that is `Send`.
unsafe impl Send for MatcherLoan {}
// SAFETY: a shared loan gives shared references to its matcher only, and that is `Sync`.
unsafe impl Sync for MatcherLoan {}

impl<'w> Deref for Held<'w> {
    type Target = Matcher<'w>;
    #[inline(always)]
    fn deref(&self) -> &Matcher<'w> {
        // SAFETY: the address is the address of a leaked `Box`, which only the loan has until it is dropped;
        // `self` is borrowed. A `Matcher` has one layout for any lifetime, and all its inputs live for `'w`.
        unsafe { self.loan.0.cast().as_ref() }
    }
}

impl<'w> DerefMut for Held<'w> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Matcher<'w> {
        // SAFETY: the address is the address of a leaked `Box`, which only the loan has until it is dropped; `self`
        // is borrowed exclusively. Inputs that are added here live for `'w`, and are removed unread when the loan
        // ends.
        unsafe { self.loan.0.cast().as_mut() }
    }
}

/// A clone is in the same state.
impl Clone for Held<'_> {
    fn clone(&self) -> Self {
        Self::new(NonNull::from(Box::leak(Box::new(Matcher::clone(self)))).cast())
    }
}

impl Drop for MatcherLoan {
    #[inline(always)]
    fn drop(&mut self) {
        give_back(self.0);
    }
}

impl<'w> Held<'w> {
    #[inline(always)]
    const fn new(matcher: NonNull<Matcher<'static>>) -> Self {
        Self { loan: MatcherLoan(matcher), of: PhantomData }
    }

    /// Returns a matcher with the inputs that `ask` adds, which has not begun.
    #[inline(always)]
    pub(super) fn asked(ask: impl FnOnce(&mut Inputs<'w>)) -> Self {
        let mut matcher = Self::new(take_matcher());
        ask(&mut matcher.search.inputs);
        matcher
    }

    /// Returns a matcher of this part.
    #[cold]
    #[inline(never)]
    fn of_part(JoinPart { whole, range }: &JoinPart<'w>) -> Self {
        let mut matcher = Self::new(take_matcher());
        matcher.begin_like(whole, range.clone());
        matcher
    }
}

/// Returns a matcher without inputs.
#[inline(never)]
fn take_matcher() -> NonNull<Matcher<'static>> {
    NonNull::from(Box::leak(spare::take().unwrap_or_else(Matcher::boxed)))
}

/// Takes a matcher back, and removes its inputs.
///
/// The pools to which it refers may not exist any more. It reads none of them, and only overwrites the references.
#[inline(never)]
fn give_back(matcher: NonNull<Matcher<'static>>) {
    // SAFETY: the address is the address of a `Box` that `take_matcher` or `clone` leaked. The only loan that had it
    // is being dropped, so nothing uses it any more.
    let mut matcher = unsafe { Box::from_raw(matcher.as_ptr()) };
    matcher.clear();
    spare::keep(matcher);
}

/// The matcher of the last loop: without `std`, threads cannot be distinguished.
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
        // SAFETY: an address that is not null came from the `Box` that `keep` received, and the exchange returns it to
        // one thread only, after all writes there (`AcqRel`). A matcher may be sent.
        (!before.is_null()).then(|| unsafe { Box::from_raw(before) })
    }
}

/// The number of entities of a list that are looked up together.
const LIST: usize = 64;

#[cfg(test)]
mod tests {
    use crate::{Component, Entity, Group, World};
    use std::format;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::vec::Vec;

    #[derive(Component)]
    struct C(u32);
    #[derive(Component)]
    struct A(u32);
    #[derive(Component)]
    struct B(u32);

    /// A world whose entities have an A in order; some have a B, in the opposite order.
    fn world() -> World {
        let mut world = World::new();
        let entities = world.spawn_batch((0..1_900).map(A));
        for (at, entity) in (0..1_900).zip(entities).rev() {
            if at % 3 == 0 || (200..260).contains(&at) {
                world.insert(entity, B(at)).unwrap();
            }
        }
        world
    }

    /// Compares the rest after some items, of the iterator and of its clone, with the tail of `all`.
    fn compare<I: Iterator<Item = (Entity, u32)> + Clone>(items: impl Fn() -> I, is_exact: bool) {
        let all: Vec<_> = items().collect();
        assert!(!all.is_empty());
        for taken in (0..=all.len()).step_by(61) {
            let mut some = items();
            assert!(some.by_ref().take(taken).eq(all[..taken].iter().copied()));
            let (least, most) = some.size_hint();
            let left = all.len() - taken;
            assert!(least <= left && left <= most.unwrap());
            assert!(!is_exact || (least, most) == (left, Some(left)));
            let (clone, other) = (some.clone(), some.clone());
            // The blocks of the first one are overwritten by then.
            let mut folded = Vec::new();
            some.for_each(|item| folded.push(item));
            assert!(folded == all[taken..] && clone.eq(all[taken..].iter().copied()));
            assert_eq!(other.count(), left);
        }
        let mut over = items();
        assert_eq!(over.by_ref().count(), all.len());
        assert_eq!(over.size_hint(), (0, Some(0)));
    }

    #[test]
    fn clones_and_folds_yield_the_remaining_items() {
        let world = world();
        compare(|| world.view::<A>().iter().map(|(entity, a)| (entity, a.0)), true);
        compare(|| world.view::<(A, B)>().iter().map(|(entity, a, b)| (entity, a.0 + b.0)), false);
        let optional = || world.view::<(A, Option<&B>)>().iter();
        let sum = |(entity, a, b): (Entity, &A, Option<&B>)| (entity, a.0 + b.map_or(1, |b| b.0));
        compare(|| optional().map(sum), false);
        let lacking = || world.view::<A>().without::<B>();
        compare(|| lacking().iter().map(|(entity, a)| (entity, a.0)), false);
    }

    /// The list of a group replaces the tests of a query, but not its optional items.
    #[test]
    fn a_listed_group_serves_queries_with_optional_items() {
        let mut world = world();
        for (at, entity) in world.view::<A>().iter().map(|(it, a)| (a.0, it)).collect::<Vec<_>>() {
            if at % 2 == 0 {
                world.insert(entity, C(at)).unwrap();
            }
        }
        let find = |world: &World| {
            let view = world.view::<(A, Option<&C>)>().with::<B>();
            view.iter().map(|(entity, a, c)| (entity, a.0, c.map(|c| c.0))).collect::<Vec<_>>()
        };
        let mut before = find(&world);
        assert!(before.iter().all(|(_, a, c)| *c == (a % 2 == 0).then_some(*a)));
        world.declare_group(Group::observing::<(A, B)>()).unwrap();
        let mut after = find(&world);
        before.sort_unstable();
        after.sort_unstable();
        assert!(before.len() > 600 && before == after);
    }

    #[test]
    fn a_loop_over_chunks_that_panicked_leaves_nothing_to_the_next() {
        let (world, mut few) = (world(), World::new());
        few.spawn((A(7), B(9)));
        few.spawn((A(8), B(1)));
        let panics = AssertUnwindSafe(|| {
            world.view::<(A, B)>().for_each_chunk(|_| panic!("at the first chunk"));
        });
        assert!(catch_unwind(panics).is_err());
        let mut sums = Vec::new();
        few.view::<(A, B)>().for_each_chunk(|(_, a, b)| {
            sums.extend(a.iter().zip(b).map(|(a, b)| a.0 + b.0));
        });
        assert_eq!(sums, [16, 9]);
    }

    #[test]
    fn items_print_in_a_line() {
        assert_eq!(format!("{:?}", world().view::<(A, B)>().iter()), "Items { .. }");
    }
}
