//! The terms that queries are made of: components read, written or optional, presence, filters.
#![expect(unsafe_code, reason = "terms read and write through the windows of pools")]

use crate::component::Component;
use crate::entity::Entity;
use crate::query::access::{Access, Mode};
use crate::query::fetch::{Fetch, Map, ReadOnlyFetch, RunEntities, Smallest, fetch_as, matches_at};
use crate::query::list::{ComponentList, NO_KEYS, keys_of, smaller};
use crate::query::presence::{Has, With, WithAny, Without};
use crate::query::reach::{Of, Raw, Reach, Target};
use crate::query::row::{Member, Row, Stretch};
use crate::signature::Signature;
use crate::storage::keys::Keys;
use crate::storage::pools::Pools;
use crate::storage::sparse_array::{Forms, NearCells, Page, PageAt, Place, WORDS, offset_of};
use crate::storage::values::Window;
use core::marker::PhantomData;

/// Yields shared references to `T`: components or a column of them.
#[doc(hidden)]
pub struct Read<T>(PhantomData<fn() -> T>);
/// Yields exclusive references to `T`: components or a column of them.
#[doc(hidden)]
pub struct Write<T>(PhantomData<fn() -> T>);

macro_rules! fetch_of_one_component {
    ($fetch:ident, $mode:expr, $item:ident, $get:ident, $shown:ident, $slice:ident, $get_slice:ident,
     $shown_slice:ident, $of_slice:ident, |$pool:ident| $window:expr) => {
        // SAFETY: reads or writes values of `T`, as `ACCESS` says, each row its own.
        unsafe impl<T: Target> Fetch for $fetch<T> {
            type Item<'w> = <T::Reach as Reach>::$item<'w>;
            type Window<'w> = (&'w Keys<Entity>, Raw<T>);
            type Cursor<'w> = (&'w Page, Raw<T>, NearCells<'w>);
            type Slot<'w> = Raw<T>;
            /// Where the first value is.
            type Run<'w> = Raw<T>;
            type Slices<'w> = <Raw<T> as Window>::$slice<'w>;
            type Chunk<'w> = <T::Reach as Reach>::$slice<'w>;
            const ACCESS: Access = Access::of_column::<Of<T>>($mode, T::Reach::COLUMN, T::NAME);
            const REQUIRED: Signature = <Of<T>>::BIT;
            const POOLS: usize = 1;
            const FILLS_LANES: bool = !matches!($mode, Mode::Write) || Raw::<T>::FILLS_LANES;

            #[inline(always)]
            unsafe fn window<'w>(pools: &'w Pools) -> Self::Window<'w> {
                match pools.get::<Of<T>>() {
                    Some($pool) => ($pool.raw_keys(), T::Reach::window($window)),
                    None => (&NO_KEYS, Raw::<T>::NOWHERE),
                }
            }
            #[inline]
            fn smallest<'w>(window: &Self::Window<'w>, best: Smallest<'w>) -> Smallest<'w> {
                Some(smaller(window.0, best))
            }
            #[inline]
            fn shrink<'short, 'long: 'short>(window: Self::Window<'long>) -> Self::Window<'short> {
                window
            }
            #[inline]
            fn cursor<'w>(window: &Self::Window<'w>, page: PageAt) -> Self::Cursor<'w> {
                let (near, page) = (page.near, window.0.page(page.number));
                let (cells, first) = if near { page.near() } else { NearCells::NONE };
                (page, window.1.skip(first), cells)
            }
            #[inline]
            fn warm(window: &Self::Window<'_>, page: usize) {
                window.0.warm(page);
            }
            #[inline]
            fn summary(cursor: &Self::Cursor<'_>) -> u16 {
                cursor.0.summary()
            }
            #[inline]
            fn word(cursor: &Self::Cursor<'_>, word: usize) -> u64 {
                cursor.0.word(word)
            }
            #[inline]
            fn all_keys(window: &Self::Window<'_>, pass: &impl Fn(&Keys<Entity>) -> bool) -> bool {
                pass(window.0)
            }
            #[inline(always)]
            fn accepts(window: &Self::Window<'_>, member: &Member<'_>) -> bool {
                member.is_led_by(window.0) || member.is_in(window.0)
            }
            #[inline(always)]
            fn slot<'w>(cursor: &Self::Cursor<'w>, place: Place) -> Self::Slot<'w> {
                if place.near {
                    return cursor.1.skip(cursor.2.get(place.offset) as usize);
                }
                let slot = cursor.1.skip(cursor.0.dense_index_at(place) as usize);
                slot.prefetch();
                slot
            }
            #[inline(always)]
            fn slot_of<'w>(window: &Self::Window<'w>, member: &Member<'_>) -> Self::Slot<'w> {
                if member.owned.intersects(<Of<T>>::BIT) {
                    return window.1.skip(member.dense_index);
                }
                let cursor = Self::cursor(window, PageAt::of(member.index));
                Self::slot(&cursor, Place::of(offset_of(member.index)))
            }
            /// With one look for the page.
            #[inline(always)]
            fn slot_if<'w>(
                window: &Self::Window<'w>,
                member: &Member<'_>,
            ) -> Option<Self::Slot<'w>> {
                if member.is_led_by(window.0) {
                    return Some(member.slot(window.1));
                }
                let (page, offset) = (PageAt::of(member.index), offset_of(member.index));
                let cursor = Self::cursor(window, page);
                matches_at::<Self>(&cursor, offset).then(|| Self::slot(&cursor, Place::of(offset)))
            }
            #[inline(always)]
            fn lone<'w>(slot: Self::Slot<'w>, _: RunEntities<'w>) -> Self::Run<'w> {
                slot
            }
            #[inline]
            fn forms(cursor: &Self::Cursor<'_>) -> Forms {
                cursor.0.forms()
            }
            #[inline]
            fn run<'w>(cursor: &Self::Cursor<'w>, row: &Row<'w>) -> Self::Run<'w> {
                cursor.1.skip(cursor.0.dense_index(row.offset) as usize)
            }
            #[inline]
            fn run_at<'w>(window: &Self::Window<'w>, stretch: Stretch<'w>) -> Self::Run<'w> {
                window.1.skip(stretch.at)
            }
            #[inline]
            fn skip<'w>(run: Self::Run<'w>, rows: usize) -> Self::Run<'w> {
                run.skip(rows)
            }
            fn is_same(run: &Self::Run<'_>, other: &Self::Run<'_>) -> bool {
                run == other
            }
            #[inline]
            unsafe fn fetch_run<'w>(run: &Self::Run<'w>, at: usize) -> Self::Item<'w> {
                // SAFETY: the caller says that the run is so long. Its rows are members, and a
                // member's dense index is a value's (K1).
                T::Reach::$shown(unsafe { run.$get(at) })
            }
            #[inline]
            unsafe fn slices<'w>(run: &Self::Run<'w>, len: usize) -> Self::Slices<'w> {
                // SAFETY: as above.
                unsafe { run.$get_slice(len) }
            }
            #[inline]
            fn chunk<'w>(slices: Self::Slices<'w>) -> Self::Chunk<'w> {
                T::Reach::$shown_slice(slices)
            }
            #[inline]
            fn rejoin<'w>(slices: Self::Slices<'w>) -> Self::Run<'w> {
                Window::$of_slice(slices)
            }
        }
    };
}

fetch_of_one_component! {
    Read, Mode::Read, Ref, read, shown, Slice, read_slice, shown_slice, of_slice,
    |pool| pool.window()
}
fetch_of_one_component! {
    Write, Mode::Write, RefMut, write, shown_mut, SliceMut, write_slice, shown_mut_slice,
    of_mut_slice,
    // SAFETY: V1 is the caller's promise: these values are this window's alone.
    |pool| unsafe { pool.raw_values().window_mut() }
}
// SAFETY: reads only; `Reach::Ref` is made of shared references and `Copy`.
#[diagnostic::do_not_recommend]
unsafe impl<T: Target> ReadOnlyFetch for Read<T> {}

/// Yields what `F` does where it matches, and matches everywhere.
#[doc(hidden)]
pub struct Optional<F>(PhantomData<fn() -> F>);

// SAFETY: as `F`, which is fetched only where it matches.
unsafe impl<F: Fetch> Fetch for Optional<F> {
    type Item<'w> = Option<F::Item<'w>>;
    type Window<'w> = F::Window<'w>;
    type Cursor<'w> = F::Cursor<'w>;
    type Slot<'w> = Option<F::Slot<'w>>;
    type Run<'w> = Option<F::Run<'w>>;
    type Slices<'w> = Option<F::Slices<'w>>;
    type Chunk<'w> = Option<F::Chunk<'w>>;
    const ACCESS: Access = Access::Optional(&F::ACCESS);
    const PLAIN: bool = false;
    const MORE: Option<Signature> =
        if F::PLAIN && F::EXACT && F::POOLS > 0 { Some(F::REQUIRED) } else { None };
    const FILLS_LANES: bool = F::FILLS_LANES;

    #[inline(always)]
    unsafe fn window<'w>(pools: &'w Pools) -> Self::Window<'w> {
        // SAFETY: the caller's promise is the same.
        unsafe { F::window(pools) }
    }
    #[inline]
    fn shrink<'short, 'long: 'short>(window: Self::Window<'long>) -> Self::Window<'short> {
        F::shrink(window)
    }
    #[inline]
    fn cursor<'w>(window: &Self::Window<'w>, page: PageAt) -> Self::Cursor<'w> {
        F::cursor(window, page)
    }
    #[inline]
    fn more_keys(window: &Self::Window<'_>, pass: &impl Fn(&Keys<Entity>) -> bool) -> bool {
        F::all_keys(window, pass)
    }
    #[inline(always)]
    fn has_more(window: &Self::Window<'_>, member: &Member<'_>) -> bool {
        F::accepts(window, member)
    }
    #[inline(always)]
    fn slot<'w>(cursor: &Self::Cursor<'w>, place: Place) -> Self::Slot<'w> {
        matches_at::<F>(cursor, place.offset).then(|| F::slot(cursor, place))
    }
    #[inline(always)]
    fn slot_of<'w>(window: &Self::Window<'w>, member: &Member<'_>) -> Self::Slot<'w> {
        // What is optional is looked up: no group owns it.
        let member = Member { owned: Signature::EMPTY, ..*member };
        if member.has_more { F::slot_if(window, &member) } else { None }
    }
    #[inline(always)]
    fn lone<'w>(slot: Self::Slot<'w>, entity: RunEntities<'w>) -> Self::Run<'w> {
        slot.map(|slot| F::lone(slot, entity))
    }
    #[inline]
    fn forms(cursor: &Self::Cursor<'_>) -> Forms {
        let Forms { sequential, near } = F::forms(cursor);
        let is_full = || (0..WORDS).all(|word| F::word(cursor, word) == !0);
        Forms { sequential: F::summary(cursor) == 0 || sequential && is_full(), near }
    }
    #[inline]
    fn run<'w>(cursor: &Self::Cursor<'w>, row: &Row<'w>) -> Self::Run<'w> {
        matches_at::<F>(cursor, row.offset).then(|| F::run(cursor, row))
    }
    #[inline]
    fn run_at<'w>(window: &Self::Window<'w>, stretch: Stretch<'w>) -> Self::Run<'w> {
        stretch.has_more.then(|| F::run_at(window, stretch))
    }
    #[inline]
    fn skip<'w>(run: Self::Run<'w>, rows: usize) -> Self::Run<'w> {
        run.map(|run| F::skip(run, rows))
    }
    fn is_same(run: &Self::Run<'_>, other: &Self::Run<'_>) -> bool {
        match (run, other) {
            (Some(run), Some(other)) => F::is_same(run, other),
            (run, other) => run.is_none() && other.is_none(),
        }
    }
    #[inline]
    unsafe fn fetch_run<'w>(run: &Self::Run<'w>, at: usize) -> Self::Item<'w> {
        // SAFETY: the caller's promise is the same; where there is a run, all its rows match.
        run.as_ref().map(|run| unsafe { F::fetch_run(run, at) })
    }
    #[inline]
    unsafe fn slices<'w>(run: &Self::Run<'w>, len: usize) -> Self::Slices<'w> {
        // SAFETY: as above.
        run.as_ref().map(|run| unsafe { F::slices(run, len) })
    }
    #[inline]
    fn chunk<'w>(slices: Self::Slices<'w>) -> Self::Chunk<'w> {
        slices.map(F::chunk)
    }
    #[inline]
    fn rejoin<'w>(slices: Self::Slices<'w>) -> Self::Run<'w> {
        slices.map(F::rejoin)
    }
}
// SAFETY: as `F`.
#[diagnostic::do_not_recommend]
unsafe impl<F: ReadOnlyFetch> ReadOnlyFetch for Optional<F> {}

/// What the fetches do alike whose items are the same for all rows of a run, and hold no reference.
macro_rules! one_value_for_a_run {
    () => {
        type Item<'w> = Self;
        type Slot<'w> = Self;
        type Run<'w> = Self;
        type Slices<'w> = Self;
        type Chunk<'w> = Self;
        #[inline(always)]
        fn lone<'w>(slot: Self::Slot<'w>, _: RunEntities<'w>) -> Self::Run<'w> {
            slot
        }
        #[inline]
        fn skip<'w>(run: Self::Run<'w>, _: usize) -> Self::Run<'w> {
            run
        }
        #[inline]
        unsafe fn fetch_run<'w>(run: &Self::Run<'w>, _: usize) -> Self::Item<'w> {
            *run
        }
        #[inline]
        unsafe fn slices<'w>(run: &Self::Run<'w>, _: usize) -> Self::Slices<'w> {
            *run
        }
        #[inline]
        fn chunk<'w>(slices: Self::Slices<'w>) -> Self::Chunk<'w> {
            slices
        }
        #[inline]
        fn rejoin<'w>(slices: Self::Slices<'w>) -> Self::Run<'w> {
            slices
        }
    };
}

// SAFETY: touches no values.
unsafe impl<T: Component> Fetch for Has<T> {
    type Window<'w> = &'w Keys<Entity>;
    type Cursor<'w> = &'w Page;
    const ACCESS: Access = Access::Nothing;
    const PLAIN: bool = false;

    #[inline(always)]
    unsafe fn window<'w>(pools: &'w Pools) -> Self::Window<'w> {
        keys_of::<T>(pools)
    }
    #[inline]
    fn shrink<'short, 'long: 'short>(window: Self::Window<'long>) -> Self::Window<'short> {
        window
    }
    #[inline]
    fn cursor<'w>(window: &Self::Window<'w>, page: PageAt) -> Self::Cursor<'w> {
        window.page(page.number)
    }
    #[inline(always)]
    fn slot<'w>(cursor: &Self::Cursor<'w>, place: Place) -> Self::Slot<'w> {
        Self::new(cursor.contains(place.offset))
    }
    #[inline(always)]
    fn slot_of<'w>(window: &Self::Window<'w>, member: &Member<'_>) -> Self::Slot<'w> {
        Self::new(member.is_in(window))
    }
    #[inline]
    fn forms(cursor: &Self::Cursor<'_>) -> Forms {
        Forms { sequential: cursor.is_empty() || cursor.is_full(), near: true }
    }
    #[inline]
    fn run<'w>(cursor: &Self::Cursor<'w>, row: &Row<'w>) -> Self::Run<'w> {
        Self::new(cursor.contains(row.offset))
    }
    fn run_at<'w>(_: &Self::Window<'w>, _: Stretch<'w>) -> Self::Run<'w> {
        Self::new(false) // not a plain fetch
    }
    fn is_same(run: &Self::Run<'_>, other: &Self::Run<'_>) -> bool {
        run.get() == other.get()
    }
    one_value_for_a_run!();
}
// SAFETY: touches no values.
#[diagnostic::do_not_recommend]
unsafe impl<T: Component> ReadOnlyFetch for Has<T> {}

macro_rules! filter {
    ($name:ident, access: $access:expr, pools: $pools:expr, exact: $exact:expr, named: $named:expr, required: $required:expr,
     excluded: $excluded:expr, smallest: |$keys:ident, $best:ident| $smallest:expr,
     accepts: |$lists:ident, $member:ident| $accepts:expr,
     summary: |$page_summaries:ident| $summary:expr, word: |$pages:ident, $word:ident| $test:expr) => {
        // SAFETY: touches no values.
        unsafe impl<L: ComponentList> Fetch for $name<L> {
            type Window<'w> = L::Keys<'w>;
            type Cursor<'w> = L::Pages<'w>;
            const ACCESS: Access = $access;
            const REQUIRED: Signature = $required;
            const EXCLUDED: Signature = $excluded;
            const POOLS: usize = $pools;
            const EXACT: bool = $exact;
            const NAMED: bool = $named;

            #[inline(always)]
            unsafe fn window<'w>(pools: &'w Pools) -> Self::Window<'w> {
                L::keys(pools)
            }
            #[inline]
            fn smallest<'w>($keys: &Self::Window<'w>, $best: Smallest<'w>) -> Smallest<'w> {
                $smallest
            }
            #[inline]
            fn shrink<'short, 'long: 'short>(window: Self::Window<'long>) -> Self::Window<'short> {
                L::shrink(window)
            }
            #[inline]
            fn cursor<'w>(window: &Self::Window<'w>, page: PageAt) -> Self::Cursor<'w> {
                L::pages(window, page.number)
            }
            #[inline]
            fn summary($page_summaries: &Self::Cursor<'_>) -> u16 {
                $summary
            }
            #[inline]
            fn word($pages: &Self::Cursor<'_>, $word: usize) -> u64 {
                $test
            }
            #[inline]
            fn all_keys(window: &Self::Window<'_>, pass: &impl Fn(&Keys<Entity>) -> bool) -> bool {
                Self::POOLS == 0 || window.as_ref().iter().all(|keys| pass(keys))
            }
            #[inline(always)]
            fn accepts($lists: &Self::Window<'_>, $member: &Member<'_>) -> bool {
                $accepts
            }
            #[inline(always)]
            fn slot<'w>(_: &Self::Cursor<'w>, _: Place) -> Self::Slot<'w> {
                Self::new()
            }
            #[inline(always)]
            fn slot_of<'w>(_: &Self::Window<'w>, _: &Member<'_>) -> Self::Slot<'w> {
                Self::new()
            }
            #[inline]
            fn forms(_: &Self::Cursor<'_>) -> Forms {
                Forms::ANY
            }
            #[inline]
            fn run<'w>(_: &Self::Cursor<'w>, _: &Row<'w>) -> Self::Run<'w> {
                Self::new()
            }
            #[inline]
            fn run_at<'w>(_: &Self::Window<'w>, _: Stretch<'w>) -> Self::Run<'w> {
                Self::new()
            }
            fn is_same(_: &Self::Run<'_>, _: &Self::Run<'_>) -> bool {
                true
            }
            one_value_for_a_run!();
        }
        // SAFETY: touches no values.
        #[diagnostic::do_not_recommend]
        unsafe impl<L: ComponentList> ReadOnlyFetch for $name<L> {}
    };
}

filter! {
    With,
    access: Access::All(L::WITH), pools: L::LEN, exact: true, named: true, required: L::SIGNATURE, excluded: Signature::EMPTY,
    smallest: |keys, best| keys.as_ref().iter().fold(best, |best, keys| Some(smaller(keys, best))),
    accepts: |lists, member| {
        lists.as_ref().iter().all(|keys| member.is_led_by(keys) || member.is_in(keys))
    },
    summary: |pages| pages.as_ref().iter().fold(!0, |all, page| all & page.summary()),
    word: |pages, word| pages.as_ref().iter().fold(!0, |all, page| all & page.word(word))
}
filter! {
    Without,
    access: Access::All(L::WITHOUT), pools: 0, exact: false, named: true, required: Signature::EMPTY, excluded: L::SIGNATURE,
    smallest: |_keys, best| best,
    accepts: |lists, member| !lists.as_ref().iter().any(|keys| member.is_in(keys)),
    summary: |_pages| !0,
    word: |pages, word| !pages.as_ref().iter().fold(0, |any, page| any | page.word(word))
}
filter! {
    WithAny,
    access: Access::Nothing, pools: 0, exact: false, named: false, required: Signature::EMPTY, excluded: Signature::EMPTY,
    smallest: |_keys, best| best,
    accepts: |lists, member| lists.as_ref().iter().any(|keys| member.is_in(keys)),
    summary: |pages| pages.as_ref().iter().fold(0, |any, page| any | page.summary()),
    word: |pages, word| pages.as_ref().iter().fold(0, |any, page| any | page.word(word))
}

/// Yields what `Q` does where `F` matches as well.
#[doc(hidden)]
pub struct Filtered<Q, F>(PhantomData<fn() -> (Q, F)>);

// SAFETY: as `Q`; a filter touches no values, which `ACCESS` asserts.
unsafe impl<Q: Fetch, F: ReadOnlyFetch> Fetch for Filtered<Q, F> {
    type Item<'w> = Q::Item<'w>;
    type Window<'w> = (Q::Window<'w>, F::Window<'w>);
    type Cursor<'w> = (Q::Cursor<'w>, F::Cursor<'w>);
    type Slot<'w> = Q::Slot<'w>;
    type Run<'w> = Q::Run<'w>;
    type Slices<'w> = Q::Slices<'w>;
    type Chunk<'w> = Q::Chunk<'w>;
    const ACCESS: Access = {
        assert!(F::ACCESS.is_presence(), "a filter touches no values");
        Access::All(&[Q::ACCESS, F::ACCESS])
    };
    const REQUIRED: Signature = Q::REQUIRED.union(F::REQUIRED);
    const EXCLUDED: Signature = Q::EXCLUDED.union(F::EXCLUDED);
    const POOLS: usize = Q::POOLS + F::POOLS;
    const EXACT: bool = Q::EXACT && F::EXACT;
    const NAMED: bool = Q::NAMED && F::NAMED;

    #[inline(always)]
    unsafe fn window<'w>(pools: &'w Pools) -> Self::Window<'w> {
        // SAFETY: the caller promises as much for both.
        unsafe { (Q::window(pools), F::window(pools)) }
    }
    #[inline]
    fn smallest<'w>(window: &Self::Window<'w>, best: Smallest<'w>) -> Smallest<'w> {
        F::smallest(&window.1, Q::smallest(&window.0, best))
    }
    #[inline]
    fn shrink<'short, 'long: 'short>(window: Self::Window<'long>) -> Self::Window<'short> {
        (Q::shrink(window.0), F::shrink(window.1))
    }
    #[inline]
    fn cursor<'w>(window: &Self::Window<'w>, page: PageAt) -> Self::Cursor<'w> {
        (Q::cursor(&window.0, page), F::cursor(&window.1, page))
    }
    #[inline]
    fn warm(window: &Self::Window<'_>, page: usize) {
        Q::warm(&window.0, page);
    }
    #[inline]
    fn summary(cursor: &Self::Cursor<'_>) -> u16 {
        Q::summary(&cursor.0) & F::summary(&cursor.1)
    }
    #[inline]
    fn word(cursor: &Self::Cursor<'_>, word: usize) -> u64 {
        Q::word(&cursor.0, word) & F::word(&cursor.1, word)
    }
    #[inline]
    fn all_keys(window: &Self::Window<'_>, pass: &impl Fn(&Keys<Entity>) -> bool) -> bool {
        Q::all_keys(&window.0, pass) && F::all_keys(&window.1, pass)
    }
    #[inline(always)]
    fn accepts(window: &Self::Window<'_>, member: &Member<'_>) -> bool {
        Q::accepts(&window.0, member) & F::accepts(&window.1, member)
    }
    #[inline(always)]
    fn slot_if<'w>(window: &Self::Window<'w>, member: &Member<'_>) -> Option<Self::Slot<'w>> {
        F::slot_if(&window.1, member)?;
        Q::slot_if(&window.0, member)
    }
    fetch_as!(Q, |at| &at.0, |item| item);
}
// SAFETY: as `Q`.
#[diagnostic::do_not_recommend]
unsafe impl<Q: ReadOnlyFetch, F: ReadOnlyFetch> ReadOnlyFetch for Filtered<Q, F> {}

/// The fetch of a [`Map`].
#[doc(hidden)]
pub struct Mapped<M>(PhantomData<fn() -> M>);

// SAFETY: as `M::From`, whose item is turned into another by safe code.
unsafe impl<M: Map> Fetch for Mapped<M> {
    type Item<'w> = M::Item<'w>;
    type Window<'w> = <M::From as Fetch>::Window<'w>;
    type Cursor<'w> = <M::From as Fetch>::Cursor<'w>;
    type Slot<'w> = <M::From as Fetch>::Slot<'w>;
    type Run<'w> = <M::From as Fetch>::Run<'w>;
    type Slices<'w> = <M::From as Fetch>::Slices<'w>;
    type Chunk<'w> = <M::From as Fetch>::Chunk<'w>;
    const ACCESS: Access = M::From::ACCESS;
    const REQUIRED: Signature = M::From::REQUIRED;
    const EXCLUDED: Signature = M::From::EXCLUDED;
    const POOLS: usize = M::From::POOLS;
    const EXACT: bool = M::From::EXACT;
    const NAMED: bool = M::From::NAMED;

    #[inline(always)]
    unsafe fn window<'w>(pools: &'w Pools) -> Self::Window<'w> {
        // SAFETY: the caller's promise is the same.
        unsafe { M::From::window(pools) }
    }
    #[inline]
    fn smallest<'w>(window: &Self::Window<'w>, best: Smallest<'w>) -> Smallest<'w> {
        M::From::smallest(window, best)
    }
    #[inline]
    fn shrink<'short, 'long: 'short>(window: Self::Window<'long>) -> Self::Window<'short> {
        M::From::shrink(window)
    }
    #[inline]
    fn cursor<'w>(window: &Self::Window<'w>, page: PageAt) -> Self::Cursor<'w> {
        M::From::cursor(window, page)
    }
    #[inline]
    fn warm(window: &Self::Window<'_>, page: usize) {
        M::From::warm(window, page);
    }
    #[inline]
    fn summary(cursor: &Self::Cursor<'_>) -> u16 {
        M::From::summary(cursor)
    }
    #[inline]
    fn word(cursor: &Self::Cursor<'_>, word: usize) -> u64 {
        M::From::word(cursor, word)
    }
    #[inline]
    fn all_keys(window: &Self::Window<'_>, pass: &impl Fn(&Keys<Entity>) -> bool) -> bool {
        M::From::all_keys(window, pass)
    }
    #[inline(always)]
    fn accepts(window: &Self::Window<'_>, member: &Member<'_>) -> bool {
        M::From::accepts(window, member)
    }
    #[inline(always)]
    fn slot_if<'w>(window: &Self::Window<'w>, member: &Member<'_>) -> Option<Self::Slot<'w>> {
        M::From::slot_if(window, member)
    }
    fetch_as!(M::From, |at| at, |item| M::map(item));
}
// SAFETY: as `M::From`.
#[diagnostic::do_not_recommend]
unsafe impl<M: Map<From: ReadOnlyFetch>> ReadOnlyFetch for Mapped<M> {}
