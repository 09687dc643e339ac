//! How the terms of a query read their components.
//!
//! What finds matches knows no types: it is told which pools are asked, and why
//! ([`ask`](Fetch::ask)), and gives blocks of matches: for each pool the positions of their values. A
//! [`Fetch`] reads the values there. That is all that is compiled for each query anew.
#![expect(
    unsafe_code,
    reason = "items of one view live together; only the join knows that they are of different entities"
)]

use crate::component::access::{Access, Mode};
use crate::component::{Component, index_of};
use crate::entity::Entity;
use crate::internal::Internal;
use crate::pool::Pool;
use crate::pool::pools::{NO_KEYS, Pools};
use crate::pool::relations::{Ends, Related};
use crate::pool::track::Track;
use crate::query::block::Lanes;
use crate::query::inputs::Inputs;
use crate::query::matcher::Stores;
use crate::query::presence::{Filter, passes};
use crate::query::projection::{Of, Projection, Raw, Target};
use crate::storage::keys::Keys;
use crate::storage::values::{InRun, Lane, Position, Presence, Window, prefetch_at};
use crate::tuples::for_each_tuple;
use core::marker::PhantomData;

/// The working half of a query or term. Sealed: implemented by this crate only, for its own types.
///
/// # Safety
/// * `ACCESS` names every component whose values an item gives access to, and whether they are written; what items of
///   different entities write does not overlap.
/// * [`ask`](Self::ask) asks for each pool that [`cursor`](Self::cursor) takes a lane of, and for each optional part that
///   it takes the presence of, in the same order. [`tell`](Self::tell) tells each of these pools that every match is in.
/// * [`find`](Self::find) returns a cursor only for an entity that is in all of these pools, and passes the tests.
/// * [`rejoin`](Self::rejoin) returns a cursor to the values of its slices.
#[doc(hidden)]
pub unsafe trait Fetch: 'static {
    /// What one match yields.
    type Item<'w>;
    /// Where the values of the pools are.
    type Window: Copy + Send + Sync;
    /// Where those of a block of matches are.
    type Cursor: Copy + Send + Sync;
    /// Those of neighbouring matches, as slices and tuples of them.
    type Slices<'w>;
    /// The same as a user sees them.
    type Chunk<'w>;

    const ACCESS: Access;
    /// Whether so many values as fit a vector register fill it, of each term that writes.
    const FILLS_LANES: bool = true;

    /// Finds the pools.
    ///
    /// # Safety
    /// The window is used only as long as the pools are there and do not change. Of all windows to one
    /// value that are used at a time, none writes, or there is no other.
    unsafe fn window(stores: Stores<'_>) -> Self::Window;

    /// Asks for these pools, of which the window is.
    fn ask<'w>(window: &Self::Window, pools: &'w Pools, inputs: &mut Inputs<'w>);

    /// Where the values of a block are, of a matcher that this fetch asked.
    fn cursor(window: &Self::Window, lanes: &mut Lanes<'_>) -> Self::Cursor;

    /// The item of a match.
    ///
    /// # Safety
    /// It is a match of the cursor's block, which is of a matcher that this fetch asked; while the item
    /// lives, nobody else fetches this match who writes or is written. The pools live for `'w`, and do not
    /// change.
    unsafe fn item<'w, P: Position>(cursor: &Self::Cursor, at: P) -> Self::Item<'w>;

    /// Tells the numbers of the pools that are read and that every match is in, and their members. The window
    /// is of these pools.
    #[inline(always)]
    fn tell<'w>(_: &Self::Window, _: &'w Pools, _: &mut impl FnMut(u32, &'w Keys<Entity>)) {}

    /// The run that is `entity` alone, if it matches, for as long as the entity stays where it is. It is
    /// alive if no component is required, and the window is of these pools. What is `INLINE` has its values
    /// fetched ahead; what is not is small, and takes a call a pool.
    fn find<const INLINE: bool>(
        window: &Self::Window,
        pools: &Pools,
        entity: &Entity,
    ) -> Option<Self::Cursor>;

    /// The items of a run, as slices.
    ///
    /// # Safety
    /// The cursor's block is a run of so many matches, and as for [`item`](Self::item), for each.
    unsafe fn slices<'w>(cursor: &Self::Cursor, len: usize) -> Self::Slices<'w>;
    /// What a user sees of these slices.
    fn chunk<'w>(_: Internal<Self>, slices: Self::Slices<'w>) -> Self::Chunk<'w>;
    /// The same run, by way of its slices: so that they are known not to overlap.
    fn rejoin(cursor: &Self::Cursor, slices: Self::Slices<'_>) -> Self::Cursor;

    /// Folds the items of a run.
    ///
    /// # Safety
    /// As [`slices`](Self::slices).
    #[inline(always)]
    unsafe fn each<'w, B>(
        cursor: &Self::Cursor,
        len: usize,
        init: B,
        f: &mut impl FnMut(B, Self::Item<'w>) -> B,
    ) -> B {
        let (mut result, mut at) = (init, 0);
        while at < len {
            // SAFETY: `at` is below `len`: so it is a match of the run, which the caller may fetch, once.
            result = f(result, unsafe { Self::item(cursor, InRun(at)) });
            at += 1;
        }
        result
    }
}

/// A fetch that writes nothing. Items of one match may be fetched any number of times.
///
/// # Safety
/// `ACCESS` has no term that writes, and items are shared references or plain values.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this query writes a component, or may write one, and a shared borrow only reads",
    label = "writes a component",
    note = "call `view_mut` on a world, `iter_mut` or `get_mut` on a view; or ask for `&T`",
    note = "a type parameter that only reads is bounded by `ReadOnlyQuery`"
)]
pub unsafe trait ReadOnlyFetch: Fetch {}

/// How a fetch turns the item of another into its own, and which tests it makes besides.
///
/// The safe half of a fetch that reads nothing by itself: that of a derived query.
#[doc(hidden)]
pub trait Map: 'static {
    type From: Fetch;
    /// What is done instead in a tuple.
    type Plain: Map;
    type Item<'w>;
    type Chunk<'w>;
    const TESTS: Access;
    fn map<'w>(item: <Self::From as Fetch>::Item<'w>) -> Self::Item<'w>;
    /// Turns the chunk of a run into its own.
    fn map_chunk<'w>(chunk: <Self::From as Fetch>::Chunk<'w>) -> Self::Chunk<'w>;
}

/// The pool of a component: who is in it, and where its values are.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct PoolWindow<W> {
    /// Its component's.
    number: u32,
    /// For as long as the window is used, as its maker promised.
    keys: &'static Keys<Entity>,
    values: W,
}

/// The values of a block in one pool.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct LaneWindow<W> {
    values: W,
    cells: *const u8,
}

// SAFETY: `cells` is an address, and sending one reads nothing. The unsafe functions of `Fetch` read there, whose callers
// answer for the thread that does.
unsafe impl<W: Send> Send for LaneWindow<W> {}
// SAFETY: as for `Send`: nothing is read or written through a shared `LaneWindow` but by those unsafe functions.
unsafe impl<W: Sync> Sync for LaneWindow<W> {}

impl<W: Window> LaneWindow<W> {
    #[inline(always)]
    fn new(values: W, lane: Lane) -> Self {
        Self { values: values.skip(lane.first), cells: lane.cells }
    }

    /// Those of a run.
    #[inline(always)]
    fn of_run(values: W) -> Self {
        Self { values, cells: core::ptr::null() }
    }
}

/// Where an entity is in a pool: compiled once for all queries.
#[inline(never)]
fn position_in(keys: &Keys<Entity>, entity: Entity) -> Option<usize> {
    keys.find(entity)
}

/// Yields the entity.
#[doc(hidden)]
#[derive(Debug)]
pub struct EntityFetch(());

// SAFETY: an item is a copy of a handle, and gives access to no component. It takes no lane but that of the handles, which
// each block has without being asked.
unsafe impl Fetch for EntityFetch {
    type Item<'w> = Entity;
    type Window = ();
    type Cursor = LaneWindow<crate::storage::values::VecWindow<Entity>>;
    type Slices<'w> = &'w [Entity];
    type Chunk<'w> = &'w [Entity];
    const ACCESS: Access = Access::Nothing;

    unsafe fn window(_: Stores<'_>) -> Self::Window {}
    #[inline(always)]
    fn ask<'w>((): &(), _: &'w Pools, _: &mut Inputs<'w>) {}
    #[inline(always)]
    fn cursor((): &(), lanes: &mut Lanes<'_>) -> Self::Cursor {
        LaneWindow::new(Window::of_slice(lanes.handles), lanes.handle)
    }
    #[inline(always)]
    unsafe fn item<'w, P: Position>(cursor: &Self::Cursor, at: P) -> Self::Item<'w> {
        // SAFETY: the caller says that it is a match of the cursor's block: so the lane of the handles has a cell for it,
        // and there is a handle at that position. The handles are borrowed for as long as the block is, and not written.
        unsafe { *cursor.values.read(at.of(cursor.cells)) }
    }
    #[inline(always)]
    fn find<const INLINE: bool>((): &(), _: &Pools, entity: &Entity) -> Option<Self::Cursor> {
        Some(LaneWindow::of_run(Window::of_slice(core::slice::from_ref(entity))))
    }
    #[inline(always)]
    unsafe fn slices<'w>(cursor: &Self::Cursor, len: usize) -> Self::Slices<'w> {
        // SAFETY: the caller says that the run has so many matches: so there are as many handles, which nobody writes
        // for `'w`.
        unsafe { cursor.values.read_slice(len) }
    }
    #[inline(always)]
    fn chunk<'w>(_: Internal<Self>, slices: Self::Slices<'w>) -> Self::Chunk<'w> {
        slices
    }
    #[inline(always)]
    fn rejoin(_: &Self::Cursor, slices: Self::Slices<'_>) -> Self::Cursor {
        LaneWindow::of_run(Window::of_slice(slices))
    }
}
// SAFETY: `ACCESS` has no term; items are plain values.
#[diagnostic::do_not_recommend]
unsafe impl ReadOnlyFetch for EntityFetch {}

/// Returns the same stores, with a lifetime that only the caller knows.
///
/// # Safety
/// They are used only as long as the pools are there and do not change.
#[inline(always)]
unsafe fn lasting(stores: Stores<'_>) -> Stores<'static> {
    // SAFETY: the address is that of `stores`, a type that has one layout whatever its lifetime. The caller promises that
    // what the references lead to is there whenever they are used, and that nobody changes it.
    unsafe { *core::ptr::from_ref(&stores).cast() }
}

/// What the fetches do alike that yield one item for all matches of a run.
macro_rules! yields_one_a_run {
    ($item:ty) => {
        type Item<'w> = $item;
        type Slices<'w> = $item;
        type Chunk<'w> = $item;

        #[inline(always)]
        unsafe fn slices<'w>(cursor: &Self::Cursor, _: usize) -> Self::Slices<'w> {
            // SAFETY: the first match of the run is a match, of which the caller says all that `item` asks for.
            unsafe { Self::item(cursor, InRun(0)) }
        }
        #[inline(always)]
        fn chunk<'w>(_: Internal<Self>, slices: Self::Slices<'w>) -> Self::Chunk<'w> {
            slices
        }
        #[inline(always)]
        fn rejoin(cursor: &Self::Cursor, _: Self::Slices<'_>) -> Self::Cursor {
            *cursor
        }
    };
}

/// A fetch that yields one thing for all matches, found once, and asks for no pool.
macro_rules! fetch_of_one_thing {
    ([$($param:ident: $bound:ident),*] $fetch:ty => $item:ty, $access:expr, |$stores:ident| $found:expr) => {
        // SAFETY: `ACCESS` names the components that the item leads to, whose values it does not write. It asks for
        // no pool, takes no lane, and matches everywhere.
        unsafe impl<$($param: $bound),*> Fetch for $fetch {
            yields_one_a_run!($item);
            /// For as long as the window is used, as its maker promised.
            type Window = Self::Item<'static>;
            type Cursor = Self::Item<'static>;
            const ACCESS: Access = $access;

            #[inline]
            unsafe fn window(stores: Stores<'_>) -> Self::Window {
                // SAFETY: the caller promises to use the window only as long as the pools are there and do not
                // change, and items live no longer. Windows that it contains are used no longer, and lead to what
                // `ACCESS` names.
                unsafe {
                    let $stores = lasting(stores);
                    $found
                }
            }
            #[inline(always)]
            fn ask<'w>(_: &Self::Window, _: &'w Pools, _: &mut Inputs<'w>) {}
            #[inline(always)]
            fn cursor(window: &Self::Window, _: &mut Lanes<'_>) -> Self::Cursor {
                *window
            }
            #[inline(always)]
            unsafe fn item<'w, P: Position>(cursor: &Self::Cursor, _: P) -> Self::Item<'w> {
                *cursor
            }
            #[inline(always)]
            fn find<const INLINE: bool>(
                window: &Self::Window, _: &Pools, _: &Entity,
            ) -> Option<Self::Cursor> {
                Some(*window)
            }
        }
        // SAFETY: `ACCESS` has no term that writes; items are shared references.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($param: $bound),*> ReadOnlyFetch for $fetch {}
    };
}

/// Yields all there is, to look at the entity with.
#[doc(hidden)]
#[derive(Debug)]
pub struct Everything(());

fetch_of_one_thing!([] Everything => Stores<'w>, Access::Everything, |stores| stores);

/// Yields the pool of `T`, to read the `T` of any entity.
#[doc(hidden)]
pub struct Elsewhere<T>(PhantomData<fn() -> T>);

fetch_of_one_thing!(
    [T: Component] Elsewhere<T> => Option<&'w Pool<T>>,
    Access::Elsewhere("Up", &Access::of::<T>(Mode::Read)),
    |stores| stores.pools.get::<T>()
);

/// Yields what finds the sources of any entity by the relation `R`, and the items of `F` of these.
#[doc(hidden)]
pub struct Beside<R, F>(PhantomData<fn() -> (R, F)>);

fetch_of_one_thing!(
    [R: Component, F: ReadOnlyFetch] Beside<R, F> => Lookup<'w, F>,
    Access::Elsewhere("Sources", &F::ACCESS), // and the relation, which no query writes
    |stores| Lookup {
        ends: stores.pools.relations.get(index_of::<R>().get()),
        pools: stores.pools, window: F::window(stores), // which are used as long as this one
    }
);

/// Finds the sources of an entity, and the items of `F` of these.
//
// * The pools do not change for `'w`. Of all windows that are used meanwhile, none writes what `F` reads.
#[doc(hidden)]
pub struct Lookup<'w, F: Fetch> {
    pools: &'w Pools,
    ends: Option<&'w Ends>,
    window: F::Window,
}

impl<F: Fetch> Clone for Lookup<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<F: Fetch> Copy for Lookup<'_, F> {}

impl<'w, F: ReadOnlyFetch> Lookup<'w, F> {
    /// Returns the handles of the sources of an entity.
    #[inline]
    pub(super) fn sources(&self, target: Entity) -> Related<'w> {
        self.ends.map_or_else(Related::nobody, |ends| ends.sources(target))
    }

    /// Returns the item of an entity that is alive, if it matches.
    #[inline]
    pub(super) fn get(&self, entity: Entity) -> Option<F::Item<'w>> {
        let found = F::find::<true>(&self.window, self.pools, &entity)?;
        // SAFETY: `find` returned the run that is this match alone. `F` writes nothing, and nobody writes what it reads.
        // The pools do not change for `'w`.
        Some(unsafe { F::item(&found, InRun(0)) })
    }
}

/// Yields the marks of changes of `T`, if they are read, and none of its values.
#[doc(hidden)]
pub struct Tracked<T>(PhantomData<fn() -> T>);

fetch_of_one_thing!(
    [T: Component] Tracked<T> => Option<&'w Track>, Access::Nothing,
    |stores| stores.pools.watch.tracks.get(index_of::<T>().get())
);

/// Yields shared references to `T`: components or a column of them.
#[doc(hidden)]
pub struct Read<T>(PhantomData<fn() -> T>);
/// Yields exclusive references to `T`: components or a column of them.
#[doc(hidden)]
pub struct Write<T>(PhantomData<fn() -> T>);
/// The same, for a guard that marks what it changes.
#[doc(hidden)]
pub struct Guarded<T>(PhantomData<fn() -> T>);

macro_rules! fetch_of_one_component {
    ($($fetch:ident: $mode:expr),+; $item:ident, $get:ident, $shown:ident, $slice:ident, $get_slice:ident,
     $shown_slice:ident, $of_slice:ident, |$pool:ident| $window:expr) => {$(
        // SAFETY: an item gives access to the value of its entity in the column that `ACCESS` names, in this mode.
        // Entities have positions of their own (K1), and columns of other numbers are other vectors. It asks for the one
        // pool that it takes a lane of, and tells it; `find` returns the position of a member.
        unsafe impl<T: Target> Fetch for $fetch<T> {
            type Item<'w> = <T::Projection as Projection>::$item<'w>;
            type Window = PoolWindow<Raw<T>>;
            type Cursor = LaneWindow<Raw<T>>;
            type Slices<'w> = <Raw<T> as Window>::$slice<'w>;
            type Chunk<'w> = <T::Projection as Projection>::$slice<'w>;
            const ACCESS: Access =
                Access::of_column::<Of<T>>($mode, T::Projection::COLUMN, T::NAME);
            const FILLS_LANES: bool = matches!($mode, Mode::Read) || Raw::<T>::FILLS_LANES;

            #[inline]
            unsafe fn window(stores: Stores<'_>) -> Self::Window {
                // SAFETY: the caller promises to use the window only as long as the pools are there and do not
                // change: so the keys and values are used no longer.
                let (number, pool) = unsafe { lasting(stores) }.pools.get_numbered::<Of<T>>();
                let (keys, values) = match pool {
                    Some($pool) => ($pool.raw_keys(), T::Projection::window($window)),
                    None => (&NO_KEYS, Raw::<T>::NOWHERE),
                };
                PoolWindow { number, keys, values }
            }
            #[inline(always)]
            fn ask<'w>(window: &Self::Window, _: &'w Pools, inputs: &mut Inputs<'w>) {
                let (address, stride) = window.values.first_column();
                inputs.read(window.number, window.keys, address, stride);
            }
            #[inline(always)]
            fn cursor(window: &Self::Window, lanes: &mut Lanes<'_>) -> Self::Cursor {
                LaneWindow::new(window.values, lanes.lane())
            }
            #[inline(always)]
            unsafe fn item<'w, P: Position>(cursor: &Self::Cursor, at: P) -> Self::Item<'w> {
                // SAFETY: the caller says that it is a match of the cursor's block: so it is a member of the pool, and
                // the lane has a cell for it with its position, where there is a value (K1, V2). The caller keeps the pool
                // as it is for `'w`, and everybody else from this value if either writes. The window is a writing one
                // where items are written.
                T::Projection::$shown(Internal::CALL, unsafe {
                    cursor.values.$get(at.of(cursor.cells))
                })
            }
            #[inline(always)]
            fn tell<'w>(
                window: &Self::Window,
                _: &'w Pools,
                tell: &mut impl FnMut(u32, &'w Keys<Entity>),
            ) {
                tell(window.number, window.keys);
            }
            #[inline(always)]
            fn find<const INLINE: bool>(
                window: &Self::Window,
                _: &Pools,
                entity: &Entity,
            ) -> Option<Self::Cursor> {
                let keys = window.keys;
                let first = if INLINE { keys.find(*entity) } else { position_in(keys, *entity) }?;
                let values = window.values.skip(first);
                if INLINE {
                    prefetch_at(values.first_column().0);
                }
                Some(LaneWindow::of_run(values))
            }
            #[inline(always)]
            unsafe fn slices<'w>(cursor: &Self::Cursor, len: usize) -> Self::Slices<'w> {
                // SAFETY: the caller says that the run has so many matches: members at positions one after the other,
                // where there are values (K1, V2). It answers for each of them as for an item.
                unsafe { cursor.values.$get_slice(len) }
            }
            #[inline(always)]
            fn chunk<'w>(_: Internal<Self>, slices: Self::Slices<'w>) -> Self::Chunk<'w> {
                T::Projection::$shown_slice(Internal::CALL, slices)
            }
            #[inline(always)]
            fn rejoin(_: &Self::Cursor, slices: Self::Slices<'_>) -> Self::Cursor {
                LaneWindow::of_run(Window::$of_slice(slices))
            }
        }
    )+};
}

fetch_of_one_component! {
    Read: Mode::Read; Ref, read, shown, Slice, read_slice, shown_slice, of_slice,
    |pool| pool.window()
}
fetch_of_one_component! {
    Write: Mode::Write, Guarded: Mode::Guard; RefMut, write, shown_mut, SliceMut, write_slice,
    shown_mut_slice, of_mut_slice,
    // SAFETY: as this fetch writes, the caller of `window` says that no other window to these values is used meanwhile: so
    // it holds the world exclusively (V1).
    |pool| unsafe { pool.raw_values().window_mut() }
}
// SAFETY: the only term of `ACCESS` reads; `Projection::Ref` is made of shared references and `Copy`.
#[diagnostic::do_not_recommend]
unsafe impl<T: Target> ReadOnlyFetch for Read<T> {}

/// Yields what `F` does where it matches, and matches everywhere.
#[doc(hidden)]
pub struct Optional<F>(PhantomData<fn() -> F>);

// SAFETY: items are those of `F`, whose access is named, where its presence says that it matches; that is the first part
// that both `ask` and `cursor` come to, and then all that `F` asks for. No pool is told, as a match need not be in any.
unsafe impl<F: Fetch> Fetch for Optional<F> {
    type Item<'w> = Option<F::Item<'w>>;
    type Window = F::Window;
    type Cursor = (F::Cursor, Presence);
    type Slices<'w> = Option<F::Slices<'w>>;
    type Chunk<'w> = Option<F::Chunk<'w>>;
    const ACCESS: Access = Access::Optional(&F::ACCESS);
    const FILLS_LANES: bool = F::FILLS_LANES;

    #[inline]
    unsafe fn window(stores: Stores<'_>) -> Self::Window {
        // SAFETY: the window is that of `F`, and what the caller promises of it is what `F` asks for.
        unsafe { F::window(stores) }
    }
    #[inline(always)]
    fn ask<'w>(window: &Self::Window, pools: &'w Pools, inputs: &mut Inputs<'w>) {
        inputs.optional(|inputs| F::ask(window, pools, inputs));
    }
    #[inline(always)]
    fn cursor(window: &Self::Window, lanes: &mut Lanes<'_>) -> Self::Cursor {
        let presence = lanes.presence();
        (F::cursor(window, lanes), presence)
    }
    #[inline(always)]
    unsafe fn item<'w, P: Position>(cursor: &Self::Cursor, at: P) -> Self::Item<'w> {
        // SAFETY: the caller says that it is a match of the cursor's block, of which the presence is. Where that tells
        // that `F` matches, the lanes of `F` have cells for this match. All else of `item` the caller promises as well.
        unsafe { at.has(cursor.1).then(|| F::item(&cursor.0, at)) }
    }
    #[inline(always)]
    fn find<const INLINE: bool>(
        window: &Self::Window,
        pools: &Pools,
        entity: &Entity,
    ) -> Option<Self::Cursor> {
        let found = F::find::<INLINE>(window, pools, entity);
        let nowhere = || F::cursor(window, &mut Lanes::front(&[])); // where nobody reads
        let presence = Presence::of_all(found.is_some());
        Some((found.unwrap_or_else(nowhere), presence))
    }
    #[inline(always)]
    unsafe fn slices<'w>(cursor: &Self::Cursor, len: usize) -> Self::Slices<'w> {
        // SAFETY: the caller says that the block is a run of so many matches: so `F` matches all of them or none, as the
        // presence tells, and the lanes of `F` are those of a run. The rest the caller promises for each.
        unsafe { InRun(0).has(cursor.1).then(|| F::slices(&cursor.0, len)) }
    }
    #[inline(always)]
    fn chunk<'w>(_: Internal<Self>, slices: Self::Slices<'w>) -> Self::Chunk<'w> {
        slices.map(|slices| F::chunk(Internal::CALL, slices))
    }
    #[inline(always)]
    fn rejoin(cursor: &Self::Cursor, slices: Self::Slices<'_>) -> Self::Cursor {
        match slices {
            Some(slices) => (F::rejoin(&cursor.0, slices), cursor.1),
            None => *cursor,
        }
    }
}
// SAFETY: `ACCESS` has the terms of `F`, none of which writes; items are those of `F`, or none.
#[diagnostic::do_not_recommend]
unsafe impl<F: ReadOnlyFetch> ReadOnlyFetch for Optional<F> {}

/// Yields a test itself, where it is passed.
#[doc(hidden)]
pub struct Tested<T>(PhantomData<fn() -> T>);

macro_rules! fetch_of_tests {
    ([$($param:ident)?] $fetch:ty, $filter:ty) => {
        // SAFETY: an item is a constant, and gives access to no component. It takes no lane; `find` makes the tests that
        // it asks for.
        unsafe impl$(<$param: Filter>)? Fetch for $fetch {
            yields_one_a_run!($filter);
            type Window = ();
            type Cursor = ();
            const ACCESS: Access = <$filter as Filter>::ACCESS;

            unsafe fn window(_: Stores<'_>) {}
            #[inline(always)]
            fn ask<'w>((): &(), pools: &'w Pools, inputs: &mut Inputs<'w>) {
                inputs.test(&<$filter as Filter>::ACCESS, pools);
            }
            #[inline(always)]
            fn cursor((): &(), _: &mut Lanes) {}
            #[inline(always)]
            unsafe fn item<'w, P: Position>((): &(), _: P) -> Self::Item<'w> {
                <$filter as Filter>::PASSED
            }
            #[inline(always)]
            fn find<const INLINE: bool>((): &(), pools: &Pools, entity: &Entity) -> Option<()> {
                passes(&<$filter as Filter>::ACCESS, pools, *entity).then_some(())
            }
        }
        // SAFETY: a filter's access names presence only; items are constants.
        #[diagnostic::do_not_recommend]
        unsafe impl$(<$param: Filter>)? ReadOnlyFetch for $fetch {}
    };
}
fetch_of_tests!([T] Tested<T>, T);
fetch_of_tests!([](), ());

/// Yields what `M` makes of the items of another fetch, where its tests are passed as well.
#[doc(hidden)]
pub struct Mapped<M>(PhantomData<fn() -> M>);

// SAFETY: safe code makes items of those of `M::From`, which give access to what the access of `M::From` names. All is
// asked, told and found by `M::From`; `M::TESTS` take no lanes.
unsafe impl<M: Map> Fetch for Mapped<M> {
    type Item<'w> = M::Item<'w>;
    type Window = <M::From as Fetch>::Window;
    type Cursor = <M::From as Fetch>::Cursor;
    type Slices<'w> = <M::From as Fetch>::Slices<'w>;
    type Chunk<'w> = M::Chunk<'w>;
    const ACCESS: Access = Access::All(&[M::From::ACCESS, M::TESTS]);
    const FILLS_LANES: bool = M::From::FILLS_LANES;

    #[inline]
    unsafe fn window(stores: Stores<'_>) -> Self::Window {
        // SAFETY: the window is that of `M::From`, and what the caller promises of it is what `M::From` asks for.
        unsafe { M::From::window(stores) }
    }
    #[inline(always)]
    fn ask<'w>(window: &Self::Window, pools: &'w Pools, inputs: &mut Inputs<'w>) {
        M::From::ask(window, pools, inputs);
        inputs.test(&M::TESTS, pools);
    }
    #[inline(always)]
    fn cursor(window: &Self::Window, lanes: &mut Lanes<'_>) -> Self::Cursor {
        M::From::cursor(window, lanes)
    }
    #[inline(always)]
    unsafe fn item<'w, P: Position>(cursor: &Self::Cursor, at: P) -> Self::Item<'w> {
        // SAFETY: the cursor is that of `M::From`, which asked the matcher, as `ask` here did; the rest the caller
        // promises of this match.
        M::map(unsafe { M::From::item(cursor, at) })
    }
    #[inline(always)]
    fn tell<'w>(
        window: &Self::Window,
        pools: &'w Pools,
        tell: &mut impl FnMut(u32, &'w Keys<Entity>),
    ) {
        M::From::tell(window, pools, tell);
    }
    #[inline(always)]
    fn find<const INLINE: bool>(
        window: &Self::Window,
        pools: &Pools,
        entity: &Entity,
    ) -> Option<Self::Cursor> {
        if !passes(&M::TESTS, pools, *entity) {
            return None;
        }
        M::From::find::<INLINE>(window, pools, entity)
    }
    #[inline(always)]
    unsafe fn slices<'w>(cursor: &Self::Cursor, len: usize) -> Self::Slices<'w> {
        // SAFETY: the cursor is that of `M::From`, of the run that the caller speaks of, and the rest the caller promises
        // for each match.
        unsafe { M::From::slices(cursor, len) }
    }
    #[inline(always)]
    fn chunk<'w>(_: Internal<Self>, slices: Self::Slices<'w>) -> Self::Chunk<'w> {
        M::map_chunk(M::From::chunk(Internal::CALL, slices))
    }
    #[inline(always)]
    fn rejoin(cursor: &Self::Cursor, slices: Self::Slices<'_>) -> Self::Cursor {
        M::From::rejoin(cursor, slices)
    }
    #[inline(always)]
    unsafe fn each<'w, B>(
        cursor: &Self::Cursor,
        len: usize,
        init: B,
        f: &mut impl FnMut(B, Self::Item<'w>) -> B,
    ) -> B {
        // SAFETY: the cursor is that of `M::From`, of the run that the caller speaks of, and the rest the caller promises
        // for each match.
        unsafe { M::From::each(cursor, len, init, &mut |result, item| f(result, M::map(item))) }
    }
}
// SAFETY: items are made of those of `M::From`, which are shared references or plain values; tests write nothing.
#[diagnostic::do_not_recommend]
unsafe impl<M: Map<From: ReadOnlyFetch>> ReadOnlyFetch for Mapped<M> {}

/// Yields the items of a tuple with the entity in front.
#[doc(hidden)]
pub struct TupleFetch<T>(PhantomData<fn() -> T>);

/// Fetches the parts of a tuple, each named like its type parameter.
macro_rules! fetch_for_parts {
    ([$($param:ident),+] $fetch:ty, $($name:ident = $part:ty: $index:tt),+) => {
        // SAFETY: `ACCESS` has those of all parts, of each of which an item has one; all functions go through the parts in
        // one order. `find` returns a cursor where all parts do, `tell` tells what any of them does.
        unsafe impl<$($param: Fetch),+> Fetch for $fetch {
            type Item<'w> = ($(<$part as Fetch>::Item<'w>,)+);
            type Window = ($(<$part as Fetch>::Window,)+);
            type Cursor = ($(<$part as Fetch>::Cursor,)+);
            type Slices<'w> = ($(<$part as Fetch>::Slices<'w>,)+);
            type Chunk<'w> = ($(<$part as Fetch>::Chunk<'w>,)+);
            const ACCESS: Access = Access::All(&[$(<$part>::ACCESS),+]);
            const FILLS_LANES: bool = true $(&& <$part>::FILLS_LANES)+;

            #[inline]
            unsafe fn window(stores: Stores<'_>) -> Self::Window {
                // SAFETY: the caller promises to use these windows only as long as the pools are there and do not
                // change, and that none of all that are used writes where another one leads, those of a tuple among them.
                unsafe { ($(<$part>::window(stores),)+) }
            }
            #[inline(always)]
            fn ask<'w>(window: &Self::Window, pools: &'w Pools, inputs: &mut Inputs<'w>) {
                $(<$part>::ask(&window.$index, pools, inputs);)+
            }
            #[inline(always)]
            fn cursor(window: &Self::Window, lanes: &mut Lanes<'_>) -> Self::Cursor {
                ($(<$part>::cursor(&window.$index, lanes),)+)
            }
            #[inline(always)]
            unsafe fn item<'w, At: Position>(cursor: &Self::Cursor, at: At) -> Self::Item<'w> {
                // SAFETY: each part has the lanes that it asked for, of the block whose match this is. Nobody else
                // fetches this match, says the caller, and no part writes what another one touches, says the maker of the
                // windows.
                unsafe { ($(<$part>::item(&cursor.$index, at),)+) }
            }
            #[inline(always)]
            fn tell<'w>(
                window: &Self::Window,
                pools: &'w Pools,
                tell: &mut impl FnMut(u32, &'w Keys<Entity>),
            ) {
                $(<$part>::tell(&window.$index, pools, tell);)+
            }
            #[inline(always)]
            fn find<const INLINE: bool>(
                window: &Self::Window,
                pools: &Pools,
                entity: &Entity,
            ) -> Option<Self::Cursor> {
                Some(($(<$part>::find::<INLINE>(&window.$index, pools, entity)?,)+))
            }
            #[inline(always)]
            unsafe fn slices<'w>(cursor: &Self::Cursor, len: usize) -> Self::Slices<'w> {
                // SAFETY: each part has the lanes that it asked for, of the run of so many matches. Nobody else fetches
                // these, says the caller, and no part writes what another one touches, says the maker of the windows.
                unsafe { ($(<$part>::slices(&cursor.$index, len),)+) }
            }
            #[inline(always)]
            fn chunk<'w>(_: Internal<Self>, slices: Self::Slices<'w>) -> Self::Chunk<'w> {
                ($(<$part>::chunk(Internal::CALL, slices.$index),)+)
            }
            #[inline(always)]
            fn rejoin(cursor: &Self::Cursor, slices: Self::Slices<'_>) -> Self::Cursor {
                ($(<$part>::rejoin(&cursor.$index, slices.$index),)+)
            }
            /// Slices that are one parameter each are known not to overlap, which lets the
            /// compiler vectorise the loop.
            #[inline(always)]
            unsafe fn each<'w, Acc>(
                cursor: &Self::Cursor,
                len: usize,
                init: Acc,
                f: &mut impl FnMut(Acc, Self::Item<'w>) -> Acc,
            ) -> Acc {
                /// # Safety
                /// The slices are those of `len` matches of this run, and the caller gives them away: no item of these
                /// matches lives, and nobody else fetches any for `'w`.
                #[inline]
                #[expect(non_snake_case, reason = "parts are named like their types")]
                #[allow(clippy::too_many_arguments, reason = "one a part")]
                unsafe fn walk<'w, Acc, $($name: Fetch),+>(
                    $($name: $name::Slices<'w>,)+
                    cursor: &($($name::Cursor,)+),
                    len: usize,
                    init: Acc,
                    f: &mut impl FnMut(Acc, ($($name::Item<'w>,)+)) -> Acc,
                ) -> Acc {
                    $(let $name = $name::rejoin(&cursor.$index, $name);)+
                    // Four values of, say, three floats fill whole registers, which one does not. A
                    // loop over many such terms is kept from being vectorised by itself: it would
                    // shuffle more than it computes.
                    let (mut result, mut at) = (init, 0);
                    if const { !(true $(&& $name::FILLS_LANES)+) } {
                        let (in_fours, mut four) = (len / 4, 0);
                        while four < in_fours {
                            if const { 0 $(+ $name::ACCESS.required())+ > 2 } {
                                core::hint::black_box(());
                            }
                            let (first, mut next) = (four * 4, 0);
                            while next < 4 {
                                // SAFETY: `first + next` is below `len`. The cursors lead to the values of slices of
                                // so many matches, which the caller gave away; each is fetched once.
                                let item = unsafe { ($($name::item(&$name, InRun(first + next)),)+) };
                                result = f(result, item);
                                next += 1;
                            }
                            four += 1;
                        }
                        at = in_fours * 4;
                    }
                    while at < len {
                        // SAFETY: `at` is below `len`, and beyond what was fetched before. The cursors lead to the
                        // values of slices of so many matches, which the caller gave away.
                        result = f(result, unsafe { ($($name::item(&$name, InRun(at)),)+) });
                        at += 1;
                    }
                    result
                }
                // SAFETY: each part has the lanes that it asked for, of the run of so many matches. The caller may fetch
                // each once, and does so by these slices only, which are given away here.
                unsafe {
                    walk::<Acc, $($part),+>(
                        $(<$part>::slices(&cursor.$index, len),)+ cursor, len, init, f,
                    )
                }
            }
        }
        // SAFETY: `ACCESS` has the terms of the parts, none of which writes; items are tuples of theirs.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($param: ReadOnlyFetch),+> ReadOnlyFetch for $fetch {}
    };
}

macro_rules! fetch_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        fetch_for_parts!([$($name),+] ($($name,)+), $($name = $name: $index),+);
        fetch_for_parts!(
            [$($name),+] TupleFetch<($($name,)+)>, Z = EntityFetch: 0, $($name = $name: $next),+
        );
    };
}
for_each_tuple!(fetch_for_tuple);
