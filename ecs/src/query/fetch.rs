//! The terms of a query, which read their components.
//!
//! The matcher has no type parameters. [`ask`](Fetch::ask) adds the pools and their roles to its inputs, and it returns
//! blocks of matches: the positions of their values in each pool. A [`Fetch`] reads the values there. Only that is
//! compiled for each query.
#![expect(
    unsafe_code,
    reason = "items of one view live together; only the join knows that they are of different entities"
)]

use crate::component::access::{Access, Mode};
use crate::component::{AnyComponent, index_of};
use crate::entity::Entity;
use crate::extent::check;
use crate::internal::Internal;
use crate::pool::Pool;
use crate::pool::pools::{NO_KEYS, Pools};
use crate::pool::track::Track;
use crate::query::block::Lanes;
use crate::query::inputs::Inputs;
use crate::query::matcher::Stores;
use crate::query::presence::{Filter, passes};
use crate::query::projection::{Of, Projection, Raw, Target};
use crate::relation::ends::{Ends, Related};
use crate::storage::keys::Keys;
use crate::storage::values::{
    InRun, LaneWindow, Position, Presence, VecWindow, Window, prefetch_at,
};
use crate::tuples::for_each_tuple;
use core::marker::PhantomData;

/// The implementation of a query or term. Sealed: implemented by this crate only, for its own types.
///
/// # Safety
/// * `ACCESS` names every component with values to which an item gives access, and if they are written; values that
/// items of
///   different entities write do not overlap.
/// * [`ask`](Self::ask) adds each pool for which [`cursor`](Self::cursor) takes a lane, and each optional part for
///   which it takes the presence, in that order. [`list`](Self::list) lists each of these pools that contains every
///   match.
/// * [`find`](Self::find) returns a cursor only for an entity that is in all of these pools, and passes the tests.
/// * [`rejoin`](Self::rejoin) returns a cursor to the values of its slices.
/// * [`ReadOnly`](Self::ReadOnly) accesses no other values than this fetch, for the same entities.
#[doc(hidden)]
pub unsafe trait Fetch: 'static {
    /// The item of one match.
    type Item<'w>;
    /// The addresses of the pools' values.
    type Window: Copy + Send + Sync;
    /// The addresses of the values of a block.
    type Cursor: Copy + Send + Sync;
    /// The items of neighbouring matches, as slices and tuples of them.
    type Slices<'w>;
    /// The slices as a user sees them.
    type Chunk<'w>;
    /// The fetch of the same values that only reads.
    type ReadOnly: ReadOnlyFetch;

    const ACCESS: Access;
    /// `true` if, for each term that writes, the values that fit a vector register fill it exactly.
    const FILLS_LANES: bool = true;

    /// Finds the pools.
    ///
    /// # Safety
    /// The window is used only as long as the pools exist and do not change. If several windows to one value are used
    /// simultaneously, none of them writes.
    unsafe fn window(stores: Stores<'_>) -> Self::Window;

    /// Adds the pools of the window to the inputs.
    fn ask<'w>(window: &Self::Window, pools: &'w Pools, inputs: &mut Inputs<'w>);

    /// Returns the addresses of the values of a block, which must be of a matcher with this fetch's inputs.
    fn cursor(window: &Self::Window, lanes: &mut Lanes<'_>) -> Self::Cursor;

    /// Returns the item of a match.
    ///
    /// # Safety
    /// The match belongs to the cursor's block, which is of a matcher with this fetch's inputs. While the item lives,
    /// this match is not fetched by anything else that writes, or if this item is written. The pools live for `'w`, and
    /// do not change.
    unsafe fn item<'w, P: Position>(cursor: &Self::Cursor, at: P) -> Self::Item<'w>;

    /// Lists the numbers of the pools that are read and contain every match, and their members. The window is of these
    /// pools.
    #[inline(always)]
    fn list<'w>(_: &Self::Window, _: &'w Pools, _: &mut impl FnMut(u32, &'w Keys<Entity>)) {}

    /// Returns the run that consists of `entity` alone, if it matches; valid as long as the entity is not moved. The
    /// entity must be alive if no component is required, and the window must be of these pools. `INLINE` prefetches the
    /// values; without it, the code is small, and makes a call for each pool.
    fn find<const INLINE: bool>(
        window: &Self::Window,
        pools: &Pools,
        entity: &Entity,
    ) -> Option<Self::Cursor>;

    /// Returns the items of a run, as slices.
    ///
    /// # Safety
    /// The cursor's block is a run of `len` matches; the requirements of [`item`](Self::item), for each.
    unsafe fn slices<'w>(cursor: &Self::Cursor, len: usize) -> Self::Slices<'w>;
    /// Converts these slices to the form that a user sees.
    fn chunk<'w>(_: Internal<Self>, slices: Self::Slices<'w>) -> Self::Chunk<'w>;
    /// Returns a cursor to the run of these slices: so it is evident to the compiler that they do not overlap.
    fn rejoin(cursor: &Self::Cursor, slices: Self::Slices<'_>) -> Self::Cursor;

    /// Folds the items of a run.
    ///
    /// # Safety
    /// The requirements of [`slices`](Self::slices).
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
    note = "call `view_mut` on a world, and `iter_mut`, `get_mut` or `read_only` on a view; or ask for `&T`",
    note = "a type parameter that only reads is bounded by `ReadOnlyQuery`"
)]
pub unsafe trait ReadOnlyFetch: Fetch {}

/// The conversion of another fetch's items, with additional tests.
///
/// The safe half of a fetch that reads nothing by itself, such as the fetch of a derived query.
#[doc(hidden)]
pub trait Map: 'static {
    type From: Fetch;
    /// The map to use within a tuple instead.
    type Plain: Map;
    type Item<'w>;
    type Chunk<'w>;
    /// The fetch of the values of `From` that only reads. It converts them if `From` only reads, too.
    type ReadOnly: ReadOnlyFetch;
    const TESTS: Access;
    fn map<'w>(item: <Self::From as Fetch>::Item<'w>) -> Self::Item<'w>;
    /// Converts the chunk of a run.
    fn map_chunk<'w>(chunk: <Self::From as Fetch>::Chunk<'w>) -> Self::Chunk<'w>;
}

/// The pool of a component: its members, and the address of its values.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct PoolWindow<W> {
    /// The component's number.
    number: u32,
    /// The members; valid as long as the window is used, which its maker guarantees.
    keys: &'static Keys<Entity>,
    values: W,
}

/// Returns the position of an entity in a pool; compiled once for all queries.
#[inline(never)]
fn position_in(keys: &Keys<Entity>, entity: Entity) -> Option<usize> {
    keys.find(entity)
}

/// Fetches the entity.
#[doc(hidden)]
#[derive(Debug)]
pub struct EntityFetch(());

// SAFETY: an item is a copy of a handle, and gives access to no component. It takes no lane but the handles' lane,
// which each block has.
unsafe impl Fetch for EntityFetch {
    type Item<'w> = Entity;
    type Window = ();
    type Cursor = LaneWindow<VecWindow<Entity>>;
    type Slices<'w> = &'w [Entity];
    type Chunk<'w> = &'w [Entity];
    type ReadOnly = Self;
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
        // SAFETY: the caller guarantees that the match belongs to the cursor's block. So the lane of the handles has a
        // cell for it, and there is a handle at that position. The handles are borrowed for as long as the block is,
        // and not written.
        unsafe { *cursor.values.read(at.of(cursor.cells)) }
    }
    #[inline(always)]
    fn find<const INLINE: bool>((): &(), _: &Pools, entity: &Entity) -> Option<Self::Cursor> {
        Some(LaneWindow::of_run(Window::of_slice(core::slice::from_ref(entity))))
    }
    #[inline(always)]
    unsafe fn slices<'w>(cursor: &Self::Cursor, len: usize) -> Self::Slices<'w> {
        // SAFETY: the caller guarantees that the run has this many matches: so there are as many handles, which nothing
        // writes for `'w`.
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

/// Returns these stores with a lifetime that the caller chooses.
///
/// # Safety
/// The stores are used only as long as the pools exist and do not change.
#[inline(always)]
unsafe fn lasting(stores: Stores<'_>) -> Stores<'static> {
    // SAFETY: the address is the address of `stores`, a type with one layout for any lifetime. The caller guarantees
    // that the targets of the references exist whenever they are used, and that nothing changes them.
    unsafe { *core::ptr::from_ref(&stores).cast() }
}

/// Implements the functions of fetches that yield one item for all matches of a run.
macro_rules! yields_one_a_run {
    ($item:ty) => {
        type Item<'w> = $item;
        type Slices<'w> = $item;
        type Chunk<'w> = $item;
        type ReadOnly = Self;

        #[inline(always)]
        unsafe fn slices<'w>(cursor: &Self::Cursor, _: usize) -> Self::Slices<'w> {
            // SAFETY: the first match of the run is a match, for which the caller guarantees the requirements of
            // `item`.
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

/// Implements a fetch that yields one value for all matches, found once, and adds no pool.
macro_rules! fetch_of_one_thing {
    ([$($param:ident: $bound:ident),*] $fetch:ty => $item:ty, $access:expr, |$stores:ident| $found:expr) => {
        // SAFETY: `ACCESS` names the components that the item gives access to, without writing their values. The fetch
        // adds no pool, takes no lane, and matches everywhere.
        unsafe impl<$($param: $bound),*> Fetch for $fetch {
            yields_one_a_run!($item);
            /// The item; valid as long as the window is used, which its maker guarantees.
            type Window = Self::Item<'static>;
            type Cursor = Self::Item<'static>;
            const ACCESS: Access = $access;

            #[inline]
            unsafe fn window(stores: Stores<'_>) -> Self::Window {
                // SAFETY: the caller guarantees that the window is used only as long as the pools exist and do not
                // change, and items live no longer. Windows that it contains are used no longer, and give access only
                // to components in `ACCESS`.
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

/// Fetches the stores, for access to the entity as a whole.
#[doc(hidden)]
#[derive(Debug)]
pub struct Everything(());

fetch_of_one_thing!([] Everything => Stores<'w>, Access::Everything, |stores| stores);

/// Fetches the pool of `T`, to read the `T` of any entity.
#[doc(hidden)]
pub struct Elsewhere<T>(PhantomData<fn() -> T>);

fetch_of_one_thing!(
    [T: AnyComponent] Elsewhere<T> => Option<&'w Pool<T>>,
    Access::Elsewhere("Up", &Access::of::<T>(Mode::Read)),
    |stores| stores.pools.get::<T>()
);

/// Fetches a lookup of the sources of any entity by the relation `R`, and of the items of `F` of these.
#[doc(hidden)]
pub struct Beside<R, F>(PhantomData<fn() -> (R, F)>);

fetch_of_one_thing!(
    [R: AnyComponent, F: ReadOnlyFetch] Beside<R, F> => Lookup<'w, F>,
    Access::Elsewhere("Sources", &F::ACCESS), // and the relation, which no query writes
    |stores| Lookup {
        ends: stores.pools.relations.get(index_of::<R>().get()),
        pools: stores.pools, window: F::window(stores), // which are used as long as this one
    }
);

/// Finds the sources of an entity, and the items of `F` of these.
//
// * The pools do not change for `'w`. No window that is used meanwhile writes values that `F` reads.
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
        // SAFETY: `find` returned the run that consists of this match alone. `F` writes nothing, and nothing writes the
        // values that it reads. The pools do not change for `'w`.
        Some(unsafe { F::item(&found, InRun(0)) })
    }
}

/// Fetches the marks of changes of `T`, if they have readers, and none of its values.
#[doc(hidden)]
pub struct ReadMarks<T>(PhantomData<fn() -> T>);

fetch_of_one_thing!(
    [T: AnyComponent] ReadMarks<T> => Option<&'w Track>, Access::Nothing,
    |stores| stores.pools.watch.tracks.get(index_of::<T>().get())
);

/// Fetches shared references to `T`: components or a column of them.
#[doc(hidden)]
pub struct Read<T>(PhantomData<fn() -> T>);
/// Fetches exclusive references to `T`: components or a column of them.
#[doc(hidden)]
pub struct Write<T>(PhantomData<fn() -> T>);
/// Fetches exclusive references to `T`, for a guard that marks its changes.
#[doc(hidden)]
pub struct Guarded<T>(PhantomData<fn() -> T>);

macro_rules! fetch_of_one_component {
    ($($fetch:ident: $mode:expr),+; $item:ident, $get:ident, $shown:ident, $slice:ident, $get_slice:ident,
     $shown_slice:ident, $of_slice:ident, |$pool:ident| $window:expr) => {$(
        // SAFETY: an item gives access to the value of its entity in the column that `ACCESS` names, in this mode.
        // Entities have positions of their own (K1), and columns of other numbers are other vectors. The fetch adds the
        // one pool for which it takes a lane, and lists it; `find` returns the position of a member.
        unsafe impl<T: Target> Fetch for $fetch<T> {
            type Item<'w> = <T::Projection as Projection>::$item<'w>;
            type Window = PoolWindow<Raw<T>>;
            type Cursor = LaneWindow<Raw<T>>;
            type Slices<'w> = <Raw<T> as Window>::$slice<'w>;
            type Chunk<'w> = <T::Projection as Projection>::$slice<'w>;
            type ReadOnly = Read<T>;
            const ACCESS: Access =
                Access::of_column::<Of<T>>($mode, T::Projection::COLUMN, T::NAME);
            const FILLS_LANES: bool = matches!($mode, Mode::Read) || Raw::<T>::FILLS_LANES;

            #[inline]
            unsafe fn window(stores: Stores<'_>) -> Self::Window {
                // SAFETY: the caller guarantees that the window is used only as long as the pools exist and do not
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
                lanes.next(window.values, window.keys)
            }
            #[inline(always)]
            unsafe fn item<'w, P: Position>(cursor: &Self::Cursor, at: P) -> Self::Item<'w> {
                // SAFETY: the caller guarantees that the match belongs to the cursor's block. So it is a member of the
                // pool, and the lane has a cell for it with its position, where there is a value (K1, V2). The caller
                // also guarantees that the pool does not change for `'w`, and that nothing else accesses this value if
                // either access writes. The window is a writing one if items are written.
                T::Projection::$shown(Internal::CALL, unsafe {
                    cursor.check(at, 1);
                    cursor.values.$get(at.of(cursor.cells))
                })
            }
            #[inline(always)]
            fn list<'w>(
                window: &Self::Window,
                _: &'w Pools,
                add: &mut impl FnMut(u32, &'w Keys<Entity>),
            ) {
                add(window.number, window.keys);
            }
            #[inline(always)]
            fn find<const INLINE: bool>(
                window: &Self::Window,
                _: &Pools,
                entity: &Entity,
            ) -> Option<Self::Cursor> {
                let keys = window.keys;
                let first = if INLINE { keys.find(*entity) } else { position_in(keys, *entity) }?;
                check!(keys.dense()[first] == *entity, "a position belongs to another entity");
                let values = window.values.skip(first);
                if INLINE {
                    prefetch_at(values.first_column().0);
                }
                Some(LaneWindow::of_run(values))
            }
            #[inline(always)]
            unsafe fn slices<'w>(cursor: &Self::Cursor, len: usize) -> Self::Slices<'w> {
                // SAFETY: the caller guarantees that the run has this many matches: members at consecutive positions,
                // where there are values (K1, V2). The caller guarantees the requirements of an item for each of them.
                unsafe {
                    cursor.check(InRun(0), len);
                    cursor.values.$get_slice(len)
                }
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
    // SAFETY: as this fetch writes, the caller of `window` guarantees that no other window to these values is used
    // meanwhile: so it has exclusive access to the world (V1).
    |pool| unsafe { pool.raw_values().window_mut() }
}
// SAFETY: the only term of `ACCESS` reads; `Projection::Ref` is made of shared references and `Copy`.
#[diagnostic::do_not_recommend]
unsafe impl<T: Target> ReadOnlyFetch for Read<T> {}

/// Fetches the item of `F` if `F` matches; matches everywhere.
#[doc(hidden)]
pub struct Optional<F>(PhantomData<fn() -> F>);

// SAFETY: items are the items of `F`, with a named access, if its presence says that it matches. The part is the first
// that both `ask` and `cursor` reach, followed by all inputs of `F`. No pool is listed, as a match need not be in any.
unsafe impl<F: Fetch> Fetch for Optional<F> {
    type Item<'w> = Option<F::Item<'w>>;
    type Window = F::Window;
    type Cursor = (F::Cursor, Presence);
    type Slices<'w> = Option<F::Slices<'w>>;
    type Chunk<'w> = Option<F::Chunk<'w>>;
    type ReadOnly = Optional<F::ReadOnly>;
    const ACCESS: Access = Access::Optional(&F::ACCESS);
    const FILLS_LANES: bool = F::FILLS_LANES;

    #[inline]
    unsafe fn window(stores: Stores<'_>) -> Self::Window {
        // SAFETY: the window is the window of `F`, for which the caller guarantees the requirements
        // of `F`.
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
        // SAFETY: the caller guarantees that the match belongs to the cursor's block, like the presence. If that says
        // that
        // `F` matches, the lanes of `F` have cells for this match. The caller guarantees all other requirements, too.
        unsafe { at.has(cursor.1).then(|| F::item(&cursor.0, at)) }
    }
    #[inline(always)]
    fn find<const INLINE: bool>(
        window: &Self::Window,
        pools: &Pools,
        entity: &Entity,
    ) -> Option<Self::Cursor> {
        let found = F::find::<INLINE>(window, pools, entity);
        let nowhere = || F::cursor(window, &mut Lanes::front(&[])); // never read
        let presence = Presence::of_all(found.is_some());
        Some((found.unwrap_or_else(nowhere), presence))
    }
    #[inline(always)]
    unsafe fn slices<'w>(cursor: &Self::Cursor, len: usize) -> Self::Slices<'w> {
        // SAFETY: the caller guarantees that the block is a run of this many matches. So `F` matches all of them or
        // none, as the presence says, and the lanes of `F` belong to a run. The caller guarantees the rest for each.
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
// SAFETY: `ACCESS` has the terms of `F`, and none writes; items are the items of `F`, or none.
#[diagnostic::do_not_recommend]
unsafe impl<F: ReadOnlyFetch> ReadOnlyFetch for Optional<F> {}

/// Fetches a test itself, if it is passed.
#[doc(hidden)]
pub struct Tested<T>(PhantomData<fn() -> T>);

macro_rules! fetch_of_tests {
    ([$($param:ident)?] $fetch:ty, $filter:ty) => {
        // SAFETY: an item is a constant, and gives access to no component. It takes no lane; `find` makes the tests
        // that it adds.
        unsafe impl$(<$param: Filter + 'static>)? Fetch for $fetch {
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
        unsafe impl$(<$param: Filter + 'static>)? ReadOnlyFetch for $fetch {}
    };
}
fetch_of_tests!([T] Tested<T>, T);
fetch_of_tests!([](), ());

/// Fetches the items of another fetch, converted by `M`, if its tests are passed as well.
#[doc(hidden)]
pub struct Mapped<M>(PhantomData<fn() -> M>);

// SAFETY: safe code converts items of `M::From`, which give access to components in the access of `M::From`. `M::From`
// adds, lists and finds all pools; `M::TESTS` take no lanes.
unsafe impl<M: Map> Fetch for Mapped<M> {
    type Item<'w> = M::Item<'w>;
    type Window = <M::From as Fetch>::Window;
    type Cursor = <M::From as Fetch>::Cursor;
    type Slices<'w> = <M::From as Fetch>::Slices<'w>;
    type Chunk<'w> = M::Chunk<'w>;
    type ReadOnly = M::ReadOnly;
    const ACCESS: Access = Access::All(&[M::From::ACCESS, M::TESTS]);
    const FILLS_LANES: bool = M::From::FILLS_LANES;

    #[inline]
    unsafe fn window(stores: Stores<'_>) -> Self::Window {
        // SAFETY: the window is the window of `M::From`, for which the caller guarantees the requirements of
        // `M::From`.
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
        // SAFETY: the cursor is the cursor of `M::From`, which added the inputs of the matcher, by `ask` here; the
        // caller guarantees the rest for this match.
        M::map(unsafe { M::From::item(cursor, at) })
    }
    #[inline(always)]
    fn list<'w>(
        window: &Self::Window,
        pools: &'w Pools,
        add: &mut impl FnMut(u32, &'w Keys<Entity>),
    ) {
        M::From::list(window, pools, add);
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
        // SAFETY: the cursor is the cursor of `M::From`, of the caller's run, and the caller guarantees the rest
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
        // SAFETY: the cursor is the cursor of `M::From`, of the caller's run, and the caller guarantees the rest
        // for each match.
        unsafe { M::From::each(cursor, len, init, &mut |result, item| f(result, M::map(item))) }
    }
}
// SAFETY: items are made of items of `M::From`, which are shared references or plain values; tests write nothing.
#[diagnostic::do_not_recommend]
unsafe impl<M: Map<From: ReadOnlyFetch>> ReadOnlyFetch for Mapped<M> {}

/// Fetches the items of a tuple with the entity in front.
#[doc(hidden)]
pub struct TupleFetch<T>(PhantomData<fn() -> T>);

/// Fetches the parts of a tuple, each named like its type parameter.
macro_rules! fetch_for_parts {
    ([$($param:ident),+] $fetch:ty, $reading:ty, $($name:ident = $part:ty: $index:tt),+) => {
        // SAFETY: `ACCESS` has the accesses of all parts, and an item has one item of each; all functions go through
        // the parts in one order. `find` returns a cursor if all parts do, `list` lists the pools that any part lists.
        unsafe impl<$($param: Fetch),+> Fetch for $fetch {
            type Item<'w> = ($(<$part as Fetch>::Item<'w>,)+);
            type Window = ($(<$part as Fetch>::Window,)+);
            type Cursor = ($(<$part as Fetch>::Cursor,)+);
            type Slices<'w> = ($(<$part as Fetch>::Slices<'w>,)+);
            type Chunk<'w> = ($(<$part as Fetch>::Chunk<'w>,)+);
            type ReadOnly = $reading;
            const ACCESS: Access = Access::All(&[$(<$part>::ACCESS),+]);
            const FILLS_LANES: bool = true $(&& <$part>::FILLS_LANES)+;

            #[inline]
            unsafe fn window(stores: Stores<'_>) -> Self::Window {
                // SAFETY: the caller guarantees that these windows are used only as long as the pools exist and do not
                // change. It guarantees that no used window writes values of another one, including the windows of a
                // tuple.
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
                // SAFETY: each part has the lanes that it added, of the block of this match. The caller guarantees that
                // nothing else fetches this match, and the maker of the windows that no part writes values that another
                // one accesses.
                unsafe { ($(<$part>::item(&cursor.$index, at),)+) }
            }
            #[inline(always)]
            fn list<'w>(
                window: &Self::Window,
                pools: &'w Pools,
                add: &mut impl FnMut(u32, &'w Keys<Entity>),
            ) {
                $(<$part>::list(&window.$index, pools, add);)+
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
                // SAFETY: each part has the lanes that it added, of the run of this many matches. The caller guarantees
                // that nothing else fetches these, and the maker of the windows that no part writes values that another
                // one accesses.
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
            /// Passes each slice as one parameter: it is evident to the compiler then that they do not overlap, so it
            /// vectorises the loop.
            #[inline(always)]
            unsafe fn each<'w, Acc>(
                cursor: &Self::Cursor,
                len: usize,
                init: Acc,
                f: &mut impl FnMut(Acc, Self::Item<'w>) -> Acc,
            ) -> Acc {
                /// # Safety
                /// The slices belong to `len` matches of this run, and the caller gives them away: no item of these
                /// matches lives, and nothing else fetches any for `'w`.
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
                    // Four values of, say, three floats fill whole registers; one value does not. A loop over many such
                    // terms is kept from being vectorised across items: it would shuffle more than it computes.
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
                                // this many matches, which the caller gave away; each is fetched once.
                                let item = unsafe { ($($name::item(&$name, InRun(first + next)),)+) };
                                result = f(result, item);
                                next += 1;
                            }
                            four += 1;
                        }
                        at = in_fours * 4;
                    }
                    while at < len {
                        // SAFETY: `at` is below `len`, and beyond all that were fetched before. The cursors lead to the
                        // values of slices of this many matches, which the caller gave away.
                        result = f(result, unsafe { ($($name::item(&$name, InRun(at)),)+) });
                        at += 1;
                    }
                    result
                }
                // SAFETY: each part has the lanes that it added, of the run of this many matches. The caller may fetch
                // each once, and does so by these slices only, which are given away here.
                unsafe {
                    walk::<Acc, $($part),+>(
                        $(<$part>::slices(&cursor.$index, len),)+ cursor, len, init, f,
                    )
                }
            }
        }
        // SAFETY: `ACCESS` has the terms of the parts, and none writes; items are tuples of theirs.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($param: ReadOnlyFetch),+> ReadOnlyFetch for $fetch {}
    };
}

macro_rules! fetch_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        fetch_for_parts!(
            [$($name),+] ($($name,)+), ($($name::ReadOnly,)+), $($name = $name: $index),+
        );
        fetch_for_parts!(
            [$($name),+] TupleFetch<($($name,)+)>, TupleFetch<($($name::ReadOnly,)+)>,
            Z = EntityFetch: 0, $($name = $name: $next),+
        );
    };
}
for_each_tuple!(fetch_for_tuple);

/// In checked builds, a position of another entity panics before a value is read there.
#[cfg(any(debug_assertions, ecs_checked))]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Component, World};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[derive(Component)]
    struct Health(u32);

    #[test]
    fn positions_of_other_entities_are_refused() {
        let mut world = World::new();
        let [a, b] = [3, 4].map(|value| world.spawn(Health(value)).id());
        let pool = world.pools.get::<Health>().unwrap();
        let cursor = |lanes: &mut Lanes<'_>| lanes.next(pool.window(), pool.raw_keys());
        // The value of the first match, and the number of values, unless it panics.
        let read = |cursor: LaneWindow<VecWindow<Health>>| {
            // SAFETY: the pool has two values, and nothing writes them; a check comes before each read.
            let item = || unsafe { Read::<Health>::item(&cursor, InRun(0)).0 };
            // SAFETY: like above.
            let slice = || unsafe { Read::<Health>::slices(&cursor, 2).len() };
            (catch_unwind(AssertUnwindSafe(item)).ok(), catch_unwind(AssertUnwindSafe(slice)).ok())
        };
        assert_eq!(read(cursor(&mut Lanes::front(&[a, b]))), (Some(3), Some(2)));
        assert_eq!(read(cursor(&mut Lanes::front(&[b, a]))), (None, None));
        assert_eq!(read(cursor(&mut Lanes::by_position(&[b, a]))), (Some(3), Some(2)));
    }
}
