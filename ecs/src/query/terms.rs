//! The terms that queries are made of: components read, written or optional, presence, filters.
#![expect(unsafe_code, reason = "terms read and write through the windows of pools")]

use crate::component::{Component, Ref, RefMut, Slice, SliceMut};
use crate::entity::Entity;
use crate::query::access::{Access, Mode};
use crate::query::fetch::{Fetch, ReadOnlyFetch, Smallest, fetch_as, matches_at};
use crate::query::list::{ComponentList, NO_KEYS, keys_of};
use crate::query::row::{Member, Row};
use crate::signature::Signature;
use crate::storage::keys::Keys;
use crate::storage::pools::Pools;
use crate::storage::sparse_array::{Page, WORDS, offset_of, page_of};
use crate::storage::values::Storage;
use core::fmt;
use core::marker::PhantomData;

/// The window type of the values of `T`.
type Window<T> = <<T as Component>::Storage as Storage<T>>::Window;

/// Yields a shared reference to a component of type `T`.
#[doc(hidden)]
pub struct Read<T>(PhantomData<fn() -> T>);
/// Yields an exclusive reference to a component of type `T`.
#[doc(hidden)]
pub struct Write<T>(PhantomData<fn() -> T>);

macro_rules! fetch_of_one_component {
    ($fetch:ident, $mode:expr, $item:ident, $get:ident, $items:ident, $slice:ident, $window_of:ident,
     |$pool:ident| $window:expr) => {
        // SAFETY: reads or writes values of `T`, as `ACCESS` says, each row its own.
        unsafe impl<T: Component> Fetch for $fetch<T> {
            type Item<'w> = $item<'w, T>;
            type Window<'w> = (&'w Keys<Entity>, Window<T>);
            type Cursor<'w> = (&'w Page, Window<T>);
            type Slot<'w> = Window<T>;
            /// Where the first value is.
            type Run<'w> = Window<T>;
            type Chunk<'w> = $items<'w, T>;
            const ACCESS: Access = Access::of::<T>($mode);
            const REQUIRED: Signature = T::BIT;
            const POOLS: usize = 1;

            #[inline]
            unsafe fn window<'w>(pools: &'w Pools) -> Self::Window<'w> {
                match pools.get::<T>() {
                    Some($pool) => ($pool.raw_keys(), $window),
                    None => (&NO_KEYS, T::Storage::NOWHERE),
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
            fn cursor<'w>(window: &Self::Window<'w>, page: usize) -> Self::Cursor<'w> {
                (window.0.page(page), window.1)
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
            #[inline(always)]
            fn slot<'w>(cursor: &Self::Cursor<'w>, row: &Row<'w>) -> Self::Slot<'w> {
                let slot = T::Storage::skip(cursor.1, cursor.0.dense_index(row.offset) as usize);
                T::Storage::prefetch(slot);
                slot
            }
            #[inline(always)]
            fn slot_of<'w>(window: &Self::Window<'w>, member: &Member) -> Self::Slot<'w> {
                if member.owned.intersects(T::BIT) {
                    return T::Storage::skip(window.1, member.dense_index);
                }
                let page = window.0.page(page_of(member.entity.index()));
                let dense_index = page.dense_index(offset_of(member.entity.index()));
                let slot = T::Storage::skip(window.1, dense_index as usize);
                T::Storage::prefetch(slot);
                slot
            }
            #[inline(always)]
            unsafe fn fetch_slot<'w>(slot: &Self::Slot<'w>) -> Self::Item<'w> {
                // SAFETY: a match is a member and has a value; the caller promises the rest.
                unsafe { T::Storage::$get(*slot, 0) }
            }
            #[inline]
            unsafe fn fetch<'w>(cursor: &Self::Cursor<'w>, row: Row<'w>) -> Self::Item<'w> {
                // SAFETY: a member's dense index is a value's (K1); the caller promises the rest.
                unsafe { T::Storage::$get(cursor.1, cursor.0.dense_index(row.offset) as usize) }
            }
            #[inline]
            fn is_sequential(cursor: &Self::Cursor<'_>) -> bool {
                cursor.0.is_sequential()
            }
            #[inline]
            fn run<'w>(cursor: &Self::Cursor<'w>, row: &Row<'w>) -> Self::Run<'w> {
                T::Storage::skip(cursor.1, cursor.0.dense_index(row.offset) as usize)
            }
            #[inline]
            fn run_at<'w>(
                window: &Self::Window<'w>,
                _: &'w [Entity],
                dense_index: usize,
            ) -> Self::Run<'w> {
                T::Storage::skip(window.1, dense_index)
            }
            #[inline]
            fn follows(run: &Self::Run<'_>, len: usize, next: &Self::Run<'_>) -> bool {
                T::Storage::skip(*run, len) == *next
            }
            #[inline]
            unsafe fn fetch_run<'w>(run: &Self::Run<'w>, at: usize) -> Self::Item<'w> {
                // SAFETY: the caller says that the run is so long; a run's rows are members.
                unsafe { T::Storage::$get(*run, at) }
            }
            #[inline]
            unsafe fn chunk<'w>(run: &Self::Run<'w>, len: usize) -> Self::Chunk<'w> {
                // SAFETY: as above.
                unsafe { T::Storage::$slice(*run, len) }
            }
            #[inline]
            fn rejoin<'w>(chunk: Self::Chunk<'w>) -> Self::Run<'w> {
                T::Storage::$window_of(chunk)
            }
        }
    };
}

fetch_of_one_component!(Read, Mode::Read, Ref, read, Slice, read_slice, slice_window, |pool| {
    pool.window()
});
fetch_of_one_component!(
    Write,
    Mode::Write,
    RefMut,
    write,
    SliceMut,
    write_slice,
    mut_slice_window,
    |pool| {
        // SAFETY: V1 is the caller's promise: the components of this type are this window's alone.
        unsafe { pool.raw_values().window_mut() }
    }
);
// SAFETY: reads only; `Storage::Ref` is a shared reference and `Copy`.
#[diagnostic::do_not_recommend]
unsafe impl<T: Component> ReadOnlyFetch for Read<T> {}

/// The shorter of two dense arrays' keys.
#[inline]
fn smaller<'w>(keys: &'w Keys<Entity>, best: Smallest<'w>) -> &'w Keys<Entity> {
    match best {
        Some(best) if best.len() <= keys.len() => best,
        _ => keys,
    }
}

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
    type Chunk<'w> = Option<F::Chunk<'w>>;
    const ACCESS: Access = Access::Optional(&F::ACCESS);
    const PLAIN: bool = false;

    #[inline]
    unsafe fn window<'w>(pools: &'w Pools) -> Self::Window<'w> {
        // SAFETY: the caller's promise is the same.
        unsafe { F::window(pools) }
    }
    #[inline]
    fn shrink<'short, 'long: 'short>(window: Self::Window<'long>) -> Self::Window<'short> {
        F::shrink(window)
    }
    #[inline]
    fn cursor<'w>(window: &Self::Window<'w>, page: usize) -> Self::Cursor<'w> {
        F::cursor(window, page)
    }
    #[inline(always)]
    fn has_more(cursor: &Self::Cursor<'_>, offset: u32) -> bool {
        matches_at::<F>(cursor, offset)
    }
    #[inline(always)]
    fn slot<'w>(cursor: &Self::Cursor<'w>, row: &Row<'w>) -> Self::Slot<'w> {
        matches_at::<F>(cursor, row.offset).then(|| F::slot(cursor, row))
    }
    #[inline(always)]
    fn slot_of<'w>(window: &Self::Window<'w>, member: &Member) -> Self::Slot<'w> {
        let index = member.entity.index();
        let matches = || matches_at::<F>(&F::cursor(window, page_of(index)), offset_of(index));
        // What is optional is looked up: no group owns it, and no pool of it leads.
        let member = Member { owned: Signature::EMPTY, ..*member };
        (member.has_more && matches()).then(|| F::slot_of(window, &member))
    }
    #[inline(always)]
    unsafe fn fetch_slot<'w>(slot: &Self::Slot<'w>) -> Self::Item<'w> {
        // SAFETY: the caller's promise is the same; where there is a slot, `F` matches.
        slot.as_ref().map(|slot| unsafe { F::fetch_slot(slot) })
    }
    #[inline]
    unsafe fn fetch<'w>(cursor: &Self::Cursor<'w>, row: Row<'w>) -> Self::Item<'w> {
        // SAFETY: the row is a match of `F` as well.
        matches_at::<F>(cursor, row.offset).then(|| unsafe { F::fetch(cursor, row) })
    }
    #[inline]
    fn is_sequential(cursor: &Self::Cursor<'_>) -> bool {
        F::summary(cursor) == 0
            || F::is_sequential(cursor) && (0..WORDS).all(|word| F::word(cursor, word) == !0)
    }
    #[inline]
    fn run<'w>(cursor: &Self::Cursor<'w>, row: &Row<'w>) -> Self::Run<'w> {
        matches_at::<F>(cursor, row.offset).then(|| F::run(cursor, row))
    }
    fn run_at<'w>(_: &Self::Window<'w>, _: &'w [Entity], _: usize) -> Self::Run<'w> {
        None // not a plain fetch
    }
    #[inline]
    fn follows(run: &Self::Run<'_>, len: usize, next: &Self::Run<'_>) -> bool {
        match (run, next) {
            (Some(run), Some(next)) => F::follows(run, len, next),
            (None, None) => true,
            _ => false,
        }
    }
    #[inline]
    unsafe fn fetch_run<'w>(run: &Self::Run<'w>, at: usize) -> Self::Item<'w> {
        // SAFETY: the caller's promise is the same; where there is a run, all its rows match.
        run.as_ref().map(|run| unsafe { F::fetch_run(run, at) })
    }
    #[inline]
    unsafe fn chunk<'w>(run: &Self::Run<'w>, len: usize) -> Self::Chunk<'w> {
        // SAFETY: as above.
        run.as_ref().map(|run| unsafe { F::chunk(run, len) })
    }
    #[inline]
    fn rejoin<'w>(chunk: Self::Chunk<'w>) -> Self::Run<'w> {
        chunk.map(F::rejoin)
    }
}
// SAFETY: as `F`.
#[diagnostic::do_not_recommend]
unsafe impl<F: ReadOnlyFetch> ReadOnlyFetch for Optional<F> {}

/// A term that tells whether an entity has a `T`, and asks nothing of it.
///
/// The value derefs to `bool`.
///
/// ```
/// # use ecs::{Component, Has, World};
/// #[derive(Component, Default)]
/// struct Audio(f32);
/// #[derive(Component, Default)]
/// struct Muted;
///
/// let mut world = World::new();
/// world.spawn().add::<Audio>();
/// world.spawn().add::<Audio>().add::<Muted>();
/// let muted: Vec<bool> =
///     world.view::<(&Audio, Has<Muted>)>().into_iter().map(|(_, _, muted)| *muted).collect();
/// assert_eq!(muted, [false, true]);
/// ```
pub struct Has<T> {
    present: bool,
    of: PhantomData<fn() -> T>,
}

impl<T> Has<T> {
    const fn new(present: bool) -> Self {
        Self { present, of: PhantomData }
    }

    /// Whether the entity has it.
    #[must_use]
    pub const fn get(self) -> bool {
        self.present
    }
}

impl<T> Clone for Has<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Has<T> {}
impl<T> core::ops::Deref for Has<T> {
    type Target = bool;
    fn deref(&self) -> &bool {
        &self.present
    }
}
impl<T> fmt::Debug for Has<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.present.fmt(f)
    }
}

// SAFETY: touches no values.
unsafe impl<T: Component> Fetch for Has<T> {
    type Item<'w> = Self;
    type Window<'w> = &'w Keys<Entity>;
    type Cursor<'w> = &'w Page;
    type Slot<'w> = Self;
    type Run<'w> = Self;
    type Chunk<'w> = Self;
    const ACCESS: Access = Access::Nothing;
    const PLAIN: bool = false;

    #[inline]
    unsafe fn window<'w>(pools: &'w Pools) -> Self::Window<'w> {
        keys_of::<T>(pools)
    }
    #[inline]
    fn shrink<'short, 'long: 'short>(window: Self::Window<'long>) -> Self::Window<'short> {
        window
    }
    #[inline]
    fn cursor<'w>(window: &Self::Window<'w>, page: usize) -> Self::Cursor<'w> {
        window.page(page)
    }
    #[inline(always)]
    fn slot<'w>(cursor: &Self::Cursor<'w>, row: &Row<'w>) -> Self::Slot<'w> {
        Self::new(cursor.contains(row.offset))
    }
    #[inline(always)]
    fn slot_of<'w>(window: &Self::Window<'w>, member: &Member) -> Self::Slot<'w> {
        let index = member.entity.index();
        Self::new(window.page(page_of(index)).contains(offset_of(index)))
    }
    #[inline(always)]
    unsafe fn fetch_slot<'w>(slot: &Self::Slot<'w>) -> Self::Item<'w> {
        *slot
    }
    #[inline]
    unsafe fn fetch<'w>(cursor: &Self::Cursor<'w>, row: Row<'w>) -> Self::Item<'w> {
        Self::new(cursor.contains(row.offset))
    }
    #[inline]
    fn is_sequential(cursor: &Self::Cursor<'_>) -> bool {
        cursor.is_empty() || cursor.is_full()
    }
    #[inline]
    fn run<'w>(cursor: &Self::Cursor<'w>, row: &Row<'w>) -> Self::Run<'w> {
        Self::new(cursor.contains(row.offset))
    }
    fn run_at<'w>(_: &Self::Window<'w>, _: &'w [Entity], _: usize) -> Self::Run<'w> {
        Self::new(false) // not a plain fetch
    }
    #[inline]
    fn follows(run: &Self::Run<'_>, _: usize, next: &Self::Run<'_>) -> bool {
        run.present == next.present
    }
    #[inline]
    unsafe fn fetch_run<'w>(run: &Self::Run<'w>, _: usize) -> Self::Item<'w> {
        *run
    }
    #[inline]
    unsafe fn chunk<'w>(run: &Self::Run<'w>, _: usize) -> Self::Chunk<'w> {
        *run
    }
    #[inline]
    fn rejoin<'w>(chunk: Self::Chunk<'w>) -> Self::Run<'w> {
        chunk
    }
}
// SAFETY: touches no values.
#[diagnostic::do_not_recommend]
unsafe impl<T: Component> ReadOnlyFetch for Has<T> {}

macro_rules! filter {
    ($(#[$doc:meta])* $name:ident, access: $access:expr, pools: $pools:expr, exact: $exact:expr, named: $named:expr, required: $required:expr,
     excluded: $excluded:expr, smallest: |$keys:ident, $best:ident| $smallest:expr,
     summary: |$page_summaries:ident| $summary:expr, word: |$pages:ident, $word:ident| $test:expr) => {
        $(#[$doc])*
        pub struct $name<L>(PhantomData<fn() -> L>);

        impl<L> Clone for $name<L> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<L> Copy for $name<L> {}
        impl<L> fmt::Debug for $name<L> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }

        // SAFETY: touches no values.
        unsafe impl<L: ComponentList> Fetch for $name<L> {
            type Item<'w> = Self;
            type Window<'w> = L::Keys<'w>;
            type Cursor<'w> = L::Pages<'w>;
            type Slot<'w> = Self;
            type Run<'w> = Self;
            type Chunk<'w> = Self;
            const ACCESS: Access = $access;
            const REQUIRED: Signature = $required;
            const EXCLUDED: Signature = $excluded;
            const POOLS: usize = $pools;
            const EXACT: bool = $exact;
            const NAMED: bool = $named;

            #[inline]
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
            fn cursor<'w>(window: &Self::Window<'w>, page: usize) -> Self::Cursor<'w> {
                L::pages(window, page)
            }
            #[inline]
            fn summary($page_summaries: &Self::Cursor<'_>) -> u16 {
                $summary
            }
            #[inline]
            fn word($pages: &Self::Cursor<'_>, $word: usize) -> u64 {
                $test
            }
            #[inline(always)]
            fn accepts(cursor: &Self::Cursor<'_>, offset: u32) -> bool {
                Self::POOLS > 0 || matches_at::<Self>(cursor, offset)
            }
            #[inline(always)]
            fn slot<'w>(_: &Self::Cursor<'w>, _: &Row<'w>) -> Self::Slot<'w> {
                Self(PhantomData)
            }
            #[inline(always)]
            fn slot_of<'w>(_: &Self::Window<'w>, _: &Member) -> Self::Slot<'w> {
                Self(PhantomData)
            }
            #[inline(always)]
            unsafe fn fetch_slot<'w>(slot: &Self::Slot<'w>) -> Self::Item<'w> {
                *slot
            }
            #[inline]
            unsafe fn fetch<'w>(_: &Self::Cursor<'w>, _: Row<'w>) -> Self::Item<'w> {
                Self(PhantomData)
            }
            #[inline]
            fn is_sequential(_: &Self::Cursor<'_>) -> bool {
                true
            }
            #[inline]
            fn run<'w>(_: &Self::Cursor<'w>, _: &Row<'w>) -> Self::Run<'w> {
                Self(PhantomData)
            }
            #[inline]
            fn run_at<'w>(_: &Self::Window<'w>, _: &'w [Entity], _: usize) -> Self::Run<'w> {
                Self(PhantomData)
            }
            #[inline]
            fn follows(_: &Self::Run<'_>, _: usize, _: &Self::Run<'_>) -> bool {
                true
            }
            #[inline]
            unsafe fn fetch_run<'w>(run: &Self::Run<'w>, _: usize) -> Self::Item<'w> {
                *run
            }
            #[inline]
            unsafe fn chunk<'w>(run: &Self::Run<'w>, _: usize) -> Self::Chunk<'w> {
                *run
            }
            #[inline]
            fn rejoin<'w>(chunk: Self::Chunk<'w>) -> Self::Run<'w> {
                chunk
            }
        }
        // SAFETY: touches no values.
        #[diagnostic::do_not_recommend]
        unsafe impl<L: ComponentList> ReadOnlyFetch for $name<L> {}
    };
}

filter! {
    /// A filter and a term: entities that have all of `L`, a component or a tuple of components.
    With,
    access: Access::All(L::WITH), pools: L::LEN, exact: true, named: true, required: L::SIGNATURE, excluded: Signature::EMPTY,
    smallest: |keys, best| keys.as_ref().iter().fold(best, |best, keys| Some(smaller(keys, best))),
    summary: |pages| pages.as_ref().iter().fold(!0, |all, page| all & page.summary()),
    word: |pages, word| pages.as_ref().iter().fold(!0, |all, page| all & page.word(word))
}
filter! {
    /// A filter and a term: entities that have none of `L`, a component or a tuple of components.
    Without,
    access: Access::All(L::WITHOUT), pools: 0, exact: false, named: true, required: Signature::EMPTY, excluded: L::SIGNATURE,
    smallest: |_keys, best| best,
    summary: |_pages| !0,
    word: |pages, word| !pages.as_ref().iter().fold(0, |any, page| any | page.word(word))
}
filter! {
    /// A filter and a term: entities that have at least one of `L`, a tuple of components.
    WithAny,
    access: Access::Nothing, pools: 0, exact: false, named: false, required: Signature::EMPTY, excluded: Signature::EMPTY,
    smallest: |_keys, best| best,
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
    type Chunk<'w> = Q::Chunk<'w>;
    const ACCESS: Access = {
        assert!(F::ACCESS.is_presence(), "a filter touches no values");
        Access::All(&[Q::ACCESS, F::ACCESS])
    };
    const REQUIRED: Signature = Q::REQUIRED.union(F::REQUIRED);
    const EXCLUDED: Signature = Q::EXCLUDED.union(F::EXCLUDED);
    const POOLS: usize = Q::POOLS + F::POOLS;
    const EXACT: bool = Q::EXACT && F::EXACT;
    const PLAIN: bool = Q::PLAIN;
    const NAMED: bool = Q::NAMED && F::NAMED;

    #[inline]
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
    fn cursor<'w>(window: &Self::Window<'w>, page: usize) -> Self::Cursor<'w> {
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
    #[inline(always)]
    fn accepts(cursor: &Self::Cursor<'_>, offset: u32) -> bool {
        Q::accepts(&cursor.0, offset) & F::accepts(&cursor.1, offset)
    }
    fetch_as!(Q, |at| &at.0, |item| item);
}
// SAFETY: as `Q`.
#[diagnostic::do_not_recommend]
unsafe impl<Q: ReadOnlyFetch, F: ReadOnlyFetch> ReadOnlyFetch for Filtered<Q, F> {}
