//! Fetches that yield one shared reference for all matches, and find none themselves.
#![expect(
    unsafe_code,
    reason = "windows have no lifetime: their makers promise how long they are used"
)]

use crate::component::access::Access;
use crate::component::{Component, index_of};
use crate::entity::Entity;
use crate::internal::Internal;
use crate::pool::Pool;
use crate::pool::pools::Pools;
use crate::pool::track::Track;
use crate::query::block::Lanes;
use crate::query::fetch::{Fetch, ReadOnlyFetch, lasting};
use crate::query::inputs::Inputs;
use crate::query::matcher::Stores;
use crate::storage::values::Position;
use core::marker::PhantomData;

/// Yields all there is, to look at the entity with.
#[doc(hidden)]
#[derive(Debug)]
pub struct Everything(());

/// Yields the marks of the changes of `T`, if there are any. They are no component: views of one world share them.
#[doc(hidden)]
pub struct MarksOf<T>(PhantomData<fn() -> T>);

/// Yields the pool of `T`, if there is one: for the values of other entities than the match.
#[doc(hidden)]
pub struct Elsewhere<T>(PhantomData<fn() -> T>);

macro_rules! fetch_of_one_reference {
    ([$($params:tt)*] $fetch:ty, $item:ident, $access:expr, |$stores:ident| $window:expr) => {
        // SAFETY: it reads what `ACCESS` names and nothing else, and asks for no pool. Each match gets the same shared
        // reference.
        unsafe impl<$($params)*> Fetch for $fetch {
            type Item<'w> = $item!('w);
            /// Valid as long as the window is used, as its maker promised.
            type Window = $item!('static);
            type Cursor = $item!('static);
            type Slices<'w> = $item!('w);
            type Chunk<'w> = $item!('w);
            const ACCESS: Access = $access;

            unsafe fn window($stores: Stores<'_>) -> Self::Window {
                $window
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
                window: &Self::Window,
                _: &Pools,
                _: &Entity,
            ) -> Option<Self::Cursor> {
                Some(*window)
            }
            #[inline(always)]
            unsafe fn slices<'w>(cursor: &Self::Cursor, _: usize) -> Self::Slices<'w> {
                *cursor
            }
            #[inline(always)]
            fn chunk<'w>(_: Internal<Self>, slices: Self::Slices<'w>) -> Self::Chunk<'w> {
                slices
            }
            #[inline(always)]
            fn rejoin(cursor: &Self::Cursor, _: Self::Slices<'_>) -> Self::Cursor {
                *cursor
            }
        }
        // SAFETY: it reads only. An exclusive borrow of the pools serves no query with it that writes what it reads, as
        // `ACCESS` names that.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($params)*> ReadOnlyFetch for $fetch {}
    };
}
macro_rules! stores {
    ($life:lifetime) => { Stores<$life> };
}
macro_rules! track {
    ($life:lifetime) => { Option<&$life Track> };
}
macro_rules! pool {
    ($life:lifetime) => { Option<&$life Pool<T>> };
}
fetch_of_one_reference!([] Everything, stores, Access::Everything, |stores| {
    let Stores { pools, entities, groups } = stores;
    // SAFETY: the caller uses the window only as long as what `stores` refers to is borrowed.
    unsafe { Stores { pools: lasting(pools), entities: lasting(entities), groups: lasting(groups) } }
});
fetch_of_one_reference!([T: Component] MarksOf<T>, track, Access::Nothing, |stores| {
    let track = stores.pools.watch.tracks.get(index_of::<T>().get());
    // SAFETY: the caller uses the window only as long as the pools are borrowed, and the marks are a part of them.
    track.map(|track| unsafe { lasting(track) })
});
fetch_of_one_reference!(
    [T: Component] Elsewhere<T>, pool, Access::Optional(&Access::elsewhere::<T>()), |stores| {
        // SAFETY: the caller uses the window only as long as the pools are borrowed, and the pool is one of them.
        stores.pools.get::<T>().map(|pool| unsafe { lasting(pool) })
    }
);
