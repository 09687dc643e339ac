//! How the terms of a query find and read their components.
//!
//! A [`Fetch`] is the working half of a term: it borrows its pools for one view ([`window`]),
//! stands at one page of them ([`cursor`]), tells which of the page's entities match, 64 at a
//! time ([`word`]), and reads the item of one ([`fetch`]). Where the values of neighbouring
//! matches are neighbours too, a [`run`] reads them without looking at any index.
//!
//! [`window`]: Fetch::window
//! [`cursor`]: Fetch::cursor
//! [`word`]: Fetch::word
//! [`fetch`]: Fetch::fetch
//! [`run`]: Fetch::run
#![expect(unsafe_code, reason = "items of one view live together; only the join knows that their rows differ")]

use crate::entities::Entities;
use crate::entity::Entity;
use crate::query::access::Access;
use crate::signature::Signature;
use crate::storage::keys::Keys;
use crate::storage::pools::Pools;
use crate::storage::sparse_array::Page;
use crate::tuples::for_each_tuple;
use core::marker::PhantomData;

/// The keys of the smallest pool seen so far that a match must be in.
pub(crate) type Smallest<'w> = Option<&'w Keys<Entity>>;

/// One entity of the page that the cursors stand at.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Row<'w> {
    /// Where on the page it is.
    pub(crate) offset: u32,
    pub(crate) entity: RowEntity<'w>,
}

/// The entity of a row: known, or to be found out if somebody asks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RowEntity<'w> {
    Known(Entity),
    /// A member of these keys with this index, on this page of theirs.
    In { keys: &'w Keys<Entity>, page: &'w Page, index: u32 },
    /// The one alive at this index.
    At { entities: &'w Entities, index: u32 },
}

impl Row<'_> {
    #[inline]
    pub(crate) fn entity(&self) -> Entity {
        match self.entity {
            RowEntity::Known(entity) => entity,
            RowEntity::In { keys, page, index } => {
                match core::num::NonZeroU32::new(page.generation()) {
                    Some(generation) => Entity::new(index, generation),
                    None => keys.dense()[page.dense_index(self.offset) as usize],
                }
            }
            RowEntity::At { entities, index } => match entities.at(index) {
                Some(entity) => entity,
                None => unreachable!("a match is alive"),
            },
        }
    }
}

/// The working half of a query or term. Sealed: implemented by this crate only, for its own types.
///
/// # Safety
/// `ACCESS` names every component whose values `fetch` and `fetch_run` read or write; items of
/// different rows do not overlap; `run` and `word` say what is so.
#[doc(hidden)]
pub unsafe trait Fetch: 'static {
    /// What one match yields.
    type Item<'w>;
    /// The borrowed pools.
    type Window<'w>: Copy;
    /// The pools at one page.
    type Cursor<'w>: Copy;
    /// The values of neighbouring matches.
    type Run<'w>: Copy;

    const ACCESS: Access;
    /// Bits an entity must have to match.
    const REQUIRED: Signature = Signature::EMPTY;
    /// Bits of components that an entity must not have. (It may have the bits.)
    const EXCLUDED: Signature = Signature::EMPTY;
    /// How many pools a match must be in.
    const POOLS: usize = 0;
    /// Whether being in those pools is all that a match needs.
    const EXACT: bool = true;
    /// Whether an item is read from nothing but those pools.
    const PLAIN: bool = true;

    /// Borrows the pools.
    ///
    /// # Safety
    /// For `'w` the caller has the world of `pools` to itself as far as `ACCESS` says: nothing
    /// else reads what this writes or writes what this reads.
    unsafe fn window<'w>(pools: &'w Pools) -> Self::Window<'w>;
    /// The smaller of `best` and the keys of the smallest pool that a match must be in.
    #[inline]
    fn smallest<'w>(_: &Self::Window<'w>, best: Smallest<'w>) -> Smallest<'w> {
        best
    }
    /// The same window for a part of its time.
    fn shrink<'short, 'long: 'short>(window: Self::Window<'long>) -> Self::Window<'short>;
    fn cursor<'w>(window: &Self::Window<'w>, page: usize) -> Self::Cursor<'w>;
    /// One bit a word: zero where [`word`](Self::word) is.
    #[inline]
    fn summary(_: &Self::Cursor<'_>) -> u16 {
        !0
    }
    /// The matches among 64 neighbours.
    #[inline]
    fn word(_: &Self::Cursor<'_>, _: usize) -> u64 {
        !0
    }
    /// The item of a match.
    ///
    /// # Safety
    /// The row is a match at this cursor, and while its item lives it is fetched by nobody else
    /// who writes or is written. The window's promise holds.
    unsafe fn fetch<'w>(cursor: &Self::Cursor<'w>, row: Row<'w>) -> Self::Item<'w>;
    /// The values from `offset` on, if those of neighbouring matches are neighbours all over the
    /// page.
    fn run<'w>(cursor: &Self::Cursor<'w>, offset: u32) -> Option<Self::Run<'w>>;
    /// The values from this position on, the same in every pool. Only for `PLAIN` fetches.
    fn run_at<'w>(window: &Self::Window<'w>, dense_index: usize) -> Self::Run<'w>;
    /// The item at `at` of a run, whose entities are `entities`.
    ///
    /// # Safety
    /// `at` is below the run's length, `entities` are as many, and otherwise as [`fetch`](Self::fetch).
    unsafe fn fetch_run<'w>(run: &Self::Run<'w>, entities: &'w [Entity], at: usize) -> Self::Item<'w>;
}

/// A fetch that writes nothing. Items of one row may be fetched any number of times.
///
/// # Safety
/// `ACCESS` has no term that writes, and items are shared references or plain values.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this query writes a component, and a shared borrow of the world only reads",
    label = "writes a component",
    note = "call `view_mut` on the world, or ask for `&T` instead of `&mut T`"
)]
pub unsafe trait ReadOnlyFetch: Fetch {}

/// Yields the entity.
#[doc(hidden)]
#[derive(Debug)]
pub struct EntityFetch(());

// SAFETY: touches no component.
unsafe impl Fetch for EntityFetch {
    type Item<'w> = Entity;
    type Window<'w> = ();
    type Cursor<'w> = ();
    type Run<'w> = ();
    const ACCESS: Access = Access::Nothing;

    unsafe fn window<'w>(_: &'w Pools) -> Self::Window<'w> {}
    #[inline]
    fn shrink<'short, 'long: 'short>(window: Self::Window<'long>) -> Self::Window<'short> {
        window
    }
    fn cursor<'w>(_: &Self::Window<'w>, _: usize) -> Self::Cursor<'w> {}
    #[inline]
    unsafe fn fetch<'w>(_: &Self::Cursor<'w>, row: Row<'w>) -> Entity {
        row.entity()
    }
    #[inline]
    fn run<'w>(_: &Self::Cursor<'w>, _: u32) -> Option<Self::Run<'w>> {
        Some(())
    }
    fn run_at<'w>(_: &Self::Window<'w>, _: usize) -> Self::Run<'w> {}
    #[inline]
    unsafe fn fetch_run<'w>(_: &(), entities: &'w [Entity], at: usize) -> Entity {
        debug_assert!(at < entities.len());
        // SAFETY: the caller says that `at` is in range. Checked access would keep the load alive
        // where the caller drops the entity.
        unsafe { *entities.get_unchecked(at) }
    }
}
// SAFETY: touches no component.
unsafe impl ReadOnlyFetch for EntityFetch {}

/// The item of a tuple of terms with the entity in front.
#[doc(hidden)]
pub trait Flatten: Fetch {
    type Flat<'w>;
    fn flatten<'w>(entity: Entity, item: Self::Item<'w>) -> Self::Flat<'w>;
}

// SAFETY: touches no component.
unsafe impl Fetch for () {
    type Item<'w> = ();
    type Window<'w> = ();
    type Cursor<'w> = ();
    type Run<'w> = ();
    const ACCESS: Access = Access::Nothing;

    unsafe fn window<'w>(_: &'w Pools) -> Self::Window<'w> {}
    fn shrink<'short, 'long: 'short>(_: Self::Window<'long>) -> Self::Window<'short> {}
    fn cursor<'w>(_: &Self::Window<'w>, _: usize) -> Self::Cursor<'w> {}
    #[inline]
    unsafe fn fetch<'w>(_: &Self::Cursor<'w>, _: Row<'w>) {}
    #[inline]
    fn run<'w>(_: &Self::Cursor<'w>, _: u32) -> Option<Self::Run<'w>> {
        Some(())
    }
    fn run_at<'w>(_: &Self::Window<'w>, _: usize) -> Self::Run<'w> {}
    #[inline]
    unsafe fn fetch_run<'w>((): &(), _: &'w [Entity], _: usize) {}
}
// SAFETY: touches no component.
unsafe impl ReadOnlyFetch for () {}

macro_rules! fetch_for_tuple {
    ($($name:ident $index:tt,)+) => {
        // SAFETY: each part keeps its promise, and `ACCESS` names what all of them touch.
        unsafe impl<$($name: Fetch),+> Fetch for ($($name,)+) {
            type Item<'w> = ($($name::Item<'w>,)+);
            type Window<'w> = ($($name::Window<'w>,)+);
            type Cursor<'w> = ($($name::Cursor<'w>,)+);
            type Run<'w> = ($($name::Run<'w>,)+);
            const ACCESS: Access = Access::All(&[$($name::ACCESS),+]);
            const REQUIRED: Signature = Signature::EMPTY$(.union($name::REQUIRED))+;
            const EXCLUDED: Signature = Signature::EMPTY$(.union($name::EXCLUDED))+;
            const POOLS: usize = 0 $(+ $name::POOLS)+;
            const EXACT: bool = true $(&& $name::EXACT)+;
            const PLAIN: bool = true $(&& $name::PLAIN)+;

            #[inline]
            unsafe fn window<'w>(pools: &'w Pools) -> Self::Window<'w> {
                // SAFETY: the caller promises as much for each part.
                unsafe { ($($name::window(pools),)+) }
            }
            #[inline]
            fn smallest<'w>(window: &Self::Window<'w>, best: Smallest<'w>) -> Smallest<'w> {
                $(let best = $name::smallest(&window.$index, best);)+
                best
            }
            #[inline]
            fn shrink<'short, 'long: 'short>(window: Self::Window<'long>) -> Self::Window<'short> {
                ($($name::shrink(window.$index),)+)
            }
            #[inline]
            fn cursor<'w>(window: &Self::Window<'w>, page: usize) -> Self::Cursor<'w> {
                ($($name::cursor(&window.$index, page),)+)
            }
            #[inline]
            fn summary(cursor: &Self::Cursor<'_>) -> u16 {
                !0 $(& $name::summary(&cursor.$index))+
            }
            #[inline]
            fn word(cursor: &Self::Cursor<'_>, word: usize) -> u64 {
                !0 $(& $name::word(&cursor.$index, word))+
            }
            #[inline]
            unsafe fn fetch<'w>(cursor: &Self::Cursor<'w>, row: Row<'w>) -> Self::Item<'w> {
                // SAFETY: a match of the tuple matches each part.
                unsafe { ($($name::fetch(&cursor.$index, row),)+) }
            }
            #[inline]
            fn run<'w>(cursor: &Self::Cursor<'w>, offset: u32) -> Option<Self::Run<'w>> {
                Some(($($name::run(&cursor.$index, offset)?,)+))
            }
            #[inline]
            fn run_at<'w>(window: &Self::Window<'w>, dense_index: usize) -> Self::Run<'w> {
                ($($name::run_at(&window.$index, dense_index),)+)
            }
            #[inline]
            unsafe fn fetch_run<'w>(
                run: &Self::Run<'w>,
                entities: &'w [Entity],
                at: usize,
            ) -> Self::Item<'w> {
                // SAFETY: the caller promises as much for each part.
                unsafe { ($($name::fetch_run(&run.$index, entities, at),)+) }
            }
        }
        // SAFETY: each part reads only.
        unsafe impl<$($name: ReadOnlyFetch),+> ReadOnlyFetch for ($($name,)+) {}

        impl<$($name: Fetch),+> Flatten for ($($name,)+) {
            type Flat<'w> = (Entity, $($name::Item<'w>,)+);
            #[inline]
            fn flatten<'w>(entity: Entity, item: Self::Item<'w>) -> Self::Flat<'w> {
                (entity, $(item.$index,)+)
            }
        }
    };
}
for_each_tuple!(fetch_for_tuple);

/// How a fetch turns the item of another into its own.
///
/// The safe half of a fetch that reads nothing by itself: derived queries, tuples with the entity
/// in front, views with filters.
#[doc(hidden)]
pub trait Map: 'static {
    type From: Fetch;
    type Item<'w>;
    fn map<'w>(item: <Self::From as Fetch>::Item<'w>) -> Self::Item<'w>;
}

/// The fetch of a [`Map`].
#[doc(hidden)]
pub struct Mapped<M>(PhantomData<fn() -> M>);

// SAFETY: as `M::From`, whose item is turned into another by safe code.
unsafe impl<M: Map> Fetch for Mapped<M> {
    type Item<'w> = M::Item<'w>;
    type Window<'w> = <M::From as Fetch>::Window<'w>;
    type Cursor<'w> = <M::From as Fetch>::Cursor<'w>;
    type Run<'w> = <M::From as Fetch>::Run<'w>;
    const ACCESS: Access = M::From::ACCESS;
    const REQUIRED: Signature = M::From::REQUIRED;
    const EXCLUDED: Signature = M::From::EXCLUDED;
    const POOLS: usize = M::From::POOLS;
    const EXACT: bool = M::From::EXACT;
    const PLAIN: bool = M::From::PLAIN;

    #[inline]
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
    fn cursor<'w>(window: &Self::Window<'w>, page: usize) -> Self::Cursor<'w> {
        M::From::cursor(window, page)
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
    unsafe fn fetch<'w>(cursor: &Self::Cursor<'w>, row: Row<'w>) -> Self::Item<'w> {
        // SAFETY: the caller's promise is the same.
        M::map(unsafe { M::From::fetch(cursor, row) })
    }
    #[inline]
    fn run<'w>(cursor: &Self::Cursor<'w>, offset: u32) -> Option<Self::Run<'w>> {
        M::From::run(cursor, offset)
    }
    #[inline]
    fn run_at<'w>(window: &Self::Window<'w>, dense_index: usize) -> Self::Run<'w> {
        M::From::run_at(window, dense_index)
    }
    #[inline]
    unsafe fn fetch_run<'w>(
        run: &Self::Run<'w>,
        entities: &'w [Entity],
        at: usize,
    ) -> Self::Item<'w> {
        // SAFETY: the caller's promise is the same.
        M::map(unsafe { M::From::fetch_run(run, entities, at) })
    }
}
// SAFETY: as `M::From`.
unsafe impl<M: Map<From: ReadOnlyFetch>> ReadOnlyFetch for Mapped<M> {}
