//! How the terms of a query find and read their components.
//!
//! A [`Fetch`] is the working half of a term: it borrows its pools for one view
//! ([`window`](Fetch::window)), stands at one page of them ([`cursor`](Fetch::cursor)), tells which
//! of the page's entities match, 64 at a time ([`word`](Fetch::word)), and finds where their values
//! are ([`slot`](Fetch::slot)). Where the values of neighbouring matches are neighbours too, a
//! [`run`](Fetch::run) reads them without looking at any index.
#![expect(
    unsafe_code,
    reason = "items of one view live together; only the join knows that their rows differ"
)]

use crate::entity::Entity;
use crate::query::access::{Access, only_more};
use crate::query::list::NO_KEYS;
use crate::query::row::{Member, Row, RowEntity, Stretch};
use crate::signature::Signature;
use crate::storage::keys::Keys;
use crate::storage::pools::Pools;
use crate::storage::sparse_array::{Forms, PageAt, Place};
use crate::tuples::for_each_tuple;
use core::marker::PhantomData;
use core::num::NonZeroU32;

/// The keys of the smallest pool seen so far that a match must be in.
pub(crate) type Smallest<'w> = Option<&'w Keys<Entity>>;

/// The working half of a query or term. Sealed: implemented by this crate only, for its own types.
///
/// # Safety
/// `ACCESS` names every component whose values `fetch` and `fetch_run` read or write; items of
/// different rows do not overlap; `run`, `word` and `forms` say what is so.
#[doc(hidden)]
#[expect(clippy::must_use_candidate, reason = "never called by users")]
pub unsafe trait Fetch: 'static {
    /// What one match yields.
    type Item<'w>;
    /// The borrowed pools.
    type Window<'w>: Copy;
    /// The pools at one page.
    type Cursor<'w>: Copy;
    /// Where the values of a match are.
    type Slot<'w>: Copy;
    /// Where the values of neighbouring matches are.
    type Run<'w>: Copy;
    /// The values of neighbouring matches, as slices and tuples of them.
    type Slices<'w>;
    /// The same as a user sees them.
    type Chunk<'w>;

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
    /// The bits of what is optional, if that is one term and the rest of an item is plain.
    const MORE: Option<Signature> = None;
    /// Whether so many values as fit a vector register fill it, of each term that writes.
    const FILLS_LANES: bool = true;
    /// Whether having and lacking components, as `ACCESS` names them, is all that a match needs.
    const NAMED: bool = true;

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
    fn cursor<'w>(window: &Self::Window<'w>, page: PageAt) -> Self::Cursor<'w>;
    /// Prefetches what the pages after this one need.
    #[inline]
    fn warm(_: &Self::Window<'_>, _: usize) {}
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
    /// Whether all pools that a match must be in pass a test.
    #[inline]
    fn all_keys(_: &Self::Window<'_>, _pass: &impl Fn(&Keys<Entity>) -> bool) -> bool {
        true
    }
    /// The same of those that are optional.
    fn more_keys(_: &Self::Window<'_>, _pass: &impl Fn(&Keys<Entity>) -> bool) -> bool {
        true
    }
    /// Whether this is a match.
    #[inline(always)]
    fn accepts(_: &Self::Window<'_>, _: &Member<'_>) -> bool {
        true
    }
    /// Whether this match has values that are looked up though it need not have them.
    #[inline(always)]
    fn has_more(_: &Self::Window<'_>, _: &Member<'_>) -> bool {
        false
    }
    /// Where the values of a match are, which are prefetched.
    fn slot<'w>(cursor: &Self::Cursor<'w>, place: Place) -> Self::Slot<'w>;
    /// Where the values of a group's or a leading pool's member are, if it is a match.
    fn slot_of<'w>(window: &Self::Window<'w>, member: &Member<'_>) -> Self::Slot<'w>;
    /// The same, if it is a match.
    #[inline(always)]
    fn slot_if<'w>(window: &Self::Window<'w>, member: &Member<'_>) -> Option<Self::Slot<'w>> {
        Self::accepts(window, member).then(|| Self::slot_of(window, member))
    }
    /// The match with these values and this entity, as a run of one. It ends where that of the
    /// entity does.
    fn lone<'w>(slot: Self::Slot<'w>, entity: RunEntities<'w>) -> Self::Run<'w>;
    /// The forms of the cells here; sequential if neighbouring matches have neighbouring values.
    fn forms(cursor: &Self::Cursor<'_>) -> Forms;
    /// The run that starts with this match.
    fn run<'w>(cursor: &Self::Cursor<'w>, row: &Row<'w>) -> Self::Run<'w>;
    /// The run of a stretch. Only for fetches that are `PLAIN` or have `MORE`.
    fn run_at<'w>(window: &Self::Window<'w>, stretch: Stretch<'w>) -> Self::Run<'w>;
    /// The run without its first rows.
    fn skip<'w>(run: Self::Run<'w>, rows: usize) -> Self::Run<'w>;
    /// Whether both begin at the same values.
    fn is_same(run: &Self::Run<'_>, other: &Self::Run<'_>) -> bool;
    /// The item at `at` of a run.
    ///
    /// # Safety
    /// The run is longer than `at` and its rows are matches; while the item lives, this row is
    /// fetched by nobody else who writes or is written. The window's promise holds.
    unsafe fn fetch_run<'w>(run: &Self::Run<'w>, at: usize) -> Self::Item<'w>;
    /// The first `len` items of a run, as slices.
    ///
    /// # Safety
    /// The run has `len` rows and is not [lone](Self::lone), and otherwise as
    /// [`fetch_run`](Self::fetch_run), for each of them.
    unsafe fn slices<'w>(run: &Self::Run<'w>, len: usize) -> Self::Slices<'w>;
    /// What a user sees of these slices.
    fn chunk<'w>(slices: Self::Slices<'w>) -> Self::Chunk<'w>;
    /// The run that these slices are.
    fn rejoin<'w>(slices: Self::Slices<'w>) -> Self::Run<'w>;
    /// Folds the first `len` items of a run.
    ///
    /// # Safety
    /// As [`slices`](Self::slices).
    #[inline]
    unsafe fn each<'w, B>(
        run: &Self::Run<'w>,
        len: usize,
        init: B,
        f: &mut impl FnMut(B, Self::Item<'w>) -> B,
    ) -> B {
        // SAFETY: the caller promises as much.
        (0..len).fold(init, |result, at| f(result, unsafe { Self::fetch_run(run, at) }))
    }
}

/// Whether the entity at this offset of the page matches `F`.
#[inline]
pub(crate) fn matches_at<F: Fetch>(cursor: &F::Cursor<'_>, offset: u32) -> bool {
    F::word(cursor, (offset / 64) as usize) >> (offset % 64) & 1 != 0
}

/// A fetch that writes nothing. Items of one row may be fetched any number of times.
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

/// How a fetch turns the item of another into its own.
///
/// The safe half of a fetch that reads nothing by itself: that of a derived query.
#[doc(hidden)]
pub trait Map: 'static {
    type From: Fetch;
    type Item<'w>;
    fn map<'w>(item: <Self::From as Fetch>::Item<'w>) -> Self::Item<'w>;
}

/// The entities of a run.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct RunEntities<'w> {
    first: *const RowEntity,
    /// Where an entity is a member whose generation its row does not tell.
    keys: &'w Keys<Entity>,
}

// SAFETY: it is read as shared entities are.
unsafe impl Send for RunEntities<'_> {}
// SAFETY: as above.
unsafe impl Sync for RunEntities<'_> {}

impl<'w> RunEntities<'w> {
    /// These.
    #[inline(always)]
    fn new(entities: &'w [Entity], keys: &'w Keys<Entity>) -> Self {
        Self { first: entities.as_ptr().cast(), keys }
    }

    /// The one in this place, for as long as it stays there.
    #[inline(always)]
    pub(super) fn one(row: *const RowEntity, keys: &'w Keys<Entity>) -> Self {
        Self { first: row, keys }
    }
}

/// Yields the entity.
#[doc(hidden)]
#[derive(Debug)]
pub struct EntityFetch(());

// SAFETY: touches no component.
unsafe impl Fetch for EntityFetch {
    type Item<'w> = Entity;
    type Window<'w> = ();
    type Cursor<'w> = ();
    type Slot<'w> = ();
    type Run<'w> = RunEntities<'w>;
    type Slices<'w> = &'w [Entity];
    type Chunk<'w> = &'w [Entity];
    const ACCESS: Access = Access::Nothing;

    unsafe fn window<'w>(_: &'w Pools) -> Self::Window<'w> {}
    fn shrink<'short, 'long: 'short>(_: Self::Window<'long>) -> Self::Window<'short> {}
    fn cursor<'w>(_: &Self::Window<'w>, _: PageAt) -> Self::Cursor<'w> {}
    #[inline(always)]
    fn slot<'w>(_: &Self::Cursor<'w>, _: Place) -> Self::Slot<'w> {}
    #[inline(always)]
    fn slot_of<'w>(_: &Self::Window<'w>, _: &Member<'_>) -> Self::Slot<'w> {}
    #[inline(always)]
    fn lone<'w>(_: Self::Slot<'w>, entity: RunEntities<'w>) -> Self::Run<'w> {
        entity
    }
    #[inline]
    fn forms(_: &Self::Cursor<'_>) -> Forms {
        Forms::ANY
    }
    #[inline]
    fn run<'w>(_: &Self::Cursor<'w>, row: &Row<'w>) -> Self::Run<'w> {
        RunEntities::new(row.keys.members_from(row.index), row.keys)
    }
    #[inline]
    fn run_at<'w>(_: &Self::Window<'w>, stretch: Stretch<'w>) -> Self::Run<'w> {
        RunEntities::new(&stretch.entities[stretch.at..], &NO_KEYS)
    }
    #[inline]
    fn skip<'w>(run: Self::Run<'w>, rows: usize) -> Self::Run<'w> {
        RunEntities { first: run.first.wrapping_add(rows), ..run }
    }
    fn is_same(run: &Self::Run<'_>, other: &Self::Run<'_>) -> bool {
        core::ptr::eq(run.first, other.first)
    }
    #[inline]
    unsafe fn fetch_run<'w>(run: &Self::Run<'w>, at: usize) -> Self::Item<'w> {
        // SAFETY: the caller says that the run is longer than `at`; so are its entities.
        let entity = unsafe { *run.first.add(at) }.get(run.keys);
        // Of no effect, but plain to the compiler: an item's generation tells it from no item, and
        // need not be found out for that.
        Entity::new(entity.index(), entity.generation().max(NonZeroU32::MIN))
    }
    #[inline]
    unsafe fn slices<'w>(run: &Self::Run<'w>, len: usize) -> Self::Slices<'w> {
        // SAFETY: so long is the run, by the caller's word. These are entities, not rows: slices
        // are of runs that pages or pools have told.
        unsafe { core::slice::from_raw_parts(run.first.cast(), len) }
    }
    #[inline]
    fn chunk<'w>(slices: Self::Slices<'w>) -> Self::Chunk<'w> {
        slices
    }
    #[inline]
    fn rejoin<'w>(slices: Self::Slices<'w>) -> Self::Run<'w> {
        RunEntities::new(slices, &NO_KEYS)
    }
}
// SAFETY: touches no component.
#[diagnostic::do_not_recommend]
unsafe impl ReadOnlyFetch for EntityFetch {}

// SAFETY: touches no component.
unsafe impl Fetch for () {
    type Item<'w> = ();
    type Window<'w> = ();
    type Cursor<'w> = ();
    type Slot<'w> = ();
    type Run<'w> = ();
    type Slices<'w> = ();
    type Chunk<'w> = ();
    const ACCESS: Access = Access::Nothing;

    unsafe fn window<'w>(_: &'w Pools) -> Self::Window<'w> {}
    fn shrink<'short, 'long: 'short>(_: Self::Window<'long>) -> Self::Window<'short> {}
    fn cursor<'w>(_: &Self::Window<'w>, _: PageAt) -> Self::Cursor<'w> {}
    #[inline(always)]
    fn slot<'w>(_: &Self::Cursor<'w>, _: Place) -> Self::Slot<'w> {}
    #[inline(always)]
    fn slot_of<'w>(_: &Self::Window<'w>, _: &Member<'_>) -> Self::Slot<'w> {}
    fn lone<'w>(_: Self::Slot<'w>, _: RunEntities<'w>) -> Self::Run<'w> {}
    #[inline]
    fn forms(_: &Self::Cursor<'_>) -> Forms {
        Forms::ANY
    }
    fn run<'w>(_: &Self::Cursor<'w>, _: &Row<'w>) -> Self::Run<'w> {}
    fn run_at<'w>(_: &Self::Window<'w>, _: Stretch<'w>) -> Self::Run<'w> {}
    fn skip<'w>(_: Self::Run<'w>, _: usize) -> Self::Run<'w> {}
    fn is_same(_: &Self::Run<'_>, _: &Self::Run<'_>) -> bool {
        true
    }
    unsafe fn fetch_run<'w>(_: &Self::Run<'w>, _: usize) -> Self::Item<'w> {}
    unsafe fn slices<'w>(_: &Self::Run<'w>, _: usize) -> Self::Slices<'w> {}
    fn chunk<'w>(_: Self::Slices<'w>) -> Self::Chunk<'w> {}
    fn rejoin<'w>(_: Self::Slices<'w>) -> Self::Run<'w> {}
}
// SAFETY: touches no component.
#[diagnostic::do_not_recommend]
unsafe impl ReadOnlyFetch for () {}

/// Yields the items of a tuple with the entity in front.
#[doc(hidden)]
pub struct Rows<T>(PhantomData<fn() -> T>);

/// Fetches the parts of a tuple, each named like its type parameter.
macro_rules! fetch_for_parts {
    ([$($param:ident),+] $fetch:ty, $($name:ident = $part:ty: $index:tt),+) => {
        // SAFETY: each part keeps its promise, and `ACCESS` names what all of them touch.
        unsafe impl<$($param: Fetch),+> Fetch for $fetch {
            type Item<'w> = ($(<$part as Fetch>::Item<'w>,)+);
            type Window<'w> = ($(<$part as Fetch>::Window<'w>,)+);
            type Cursor<'w> = ($(<$part as Fetch>::Cursor<'w>,)+);
            type Slot<'w> = ($(<$part as Fetch>::Slot<'w>,)+);
            type Run<'w> = ($(<$part as Fetch>::Run<'w>,)+);
            type Slices<'w> = ($(<$part as Fetch>::Slices<'w>,)+);
            type Chunk<'w> = ($(<$part as Fetch>::Chunk<'w>,)+);
            const ACCESS: Access = Access::All(&[$(<$part>::ACCESS),+]);
            const REQUIRED: Signature = Signature::EMPTY$(.union(<$part>::REQUIRED))+;
            const EXCLUDED: Signature = Signature::EMPTY$(.union(<$part>::EXCLUDED))+;
            const POOLS: usize = 0 $(+ <$part>::POOLS)+;
            const EXACT: bool = true $(&& <$part>::EXACT)+;
            const PLAIN: bool = true $(&& <$part>::PLAIN)+;
            const MORE: Option<Signature> = only_more(&[$((<$part>::PLAIN, <$part>::MORE)),+]);
            const NAMED: bool = true $(&& <$part>::NAMED)+;
            const FILLS_LANES: bool = true $(&& <$part>::FILLS_LANES)+;

            #[inline(always)]
            unsafe fn window<'w>(pools: &'w Pools) -> Self::Window<'w> {
                // SAFETY: the caller promises as much for each part.
                unsafe { ($(<$part>::window(pools),)+) }
            }
            #[inline]
            fn smallest<'w>(window: &Self::Window<'w>, best: Smallest<'w>) -> Smallest<'w> {
                $(let best = <$part>::smallest(&window.$index, best);)+
                best
            }
            #[inline]
            fn shrink<'short, 'long: 'short>(window: Self::Window<'long>) -> Self::Window<'short> {
                ($(<$part>::shrink(window.$index),)+)
            }
            #[inline]
            fn cursor<'w>(window: &Self::Window<'w>, page: PageAt) -> Self::Cursor<'w> {
                ($(<$part>::cursor(&window.$index, page),)+)
            }
            #[inline]
            fn warm(window: &Self::Window<'_>, page: usize) {
                $(<$part>::warm(&window.$index, page);)+
            }
            #[inline]
            fn summary(cursor: &Self::Cursor<'_>) -> u16 {
                !0 $(& <$part>::summary(&cursor.$index))+
            }
            #[inline]
            fn word(cursor: &Self::Cursor<'_>, word: usize) -> u64 {
                !0 $(& <$part>::word(&cursor.$index, word))+
            }
            #[inline]
            fn all_keys(window: &Self::Window<'_>, pass: &impl Fn(&Keys<Entity>) -> bool) -> bool {
                true $(&& <$part>::all_keys(&window.$index, pass))+
            }
            #[inline]
            fn more_keys(window: &Self::Window<'_>, pass: &impl Fn(&Keys<Entity>) -> bool) -> bool {
                true $(&& <$part>::more_keys(&window.$index, pass))+
            }
            #[inline(always)]
            fn accepts(window: &Self::Window<'_>, member: &Member<'_>) -> bool {
                true $(& <$part>::accepts(&window.$index, member))+
            }
            #[inline(always)]
            fn has_more(window: &Self::Window<'_>, member: &Member<'_>) -> bool {
                false $(| <$part>::has_more(&window.$index, member))+
            }
            #[inline(always)]
            fn slot<'w>(cursor: &Self::Cursor<'w>, place: Place) -> Self::Slot<'w> {
                ($(<$part>::slot(&cursor.$index, place),)+)
            }
            #[inline(always)]
            fn slot_of<'w>(window: &Self::Window<'w>, member: &Member<'_>) -> Self::Slot<'w> {
                ($(<$part>::slot_of(&window.$index, member),)+)
            }
            #[inline(always)]
            fn slot_if<'w>(
                window: &Self::Window<'w>,
                member: &Member<'_>,
            ) -> Option<Self::Slot<'w>> {
                Some(($(<$part>::slot_if(&window.$index, member)?,)+))
            }
            #[inline(always)]
            fn lone<'w>(slot: Self::Slot<'w>, entity: RunEntities<'w>) -> Self::Run<'w> {
                ($(<$part>::lone(slot.$index, entity),)+)
            }
            #[inline]
            fn forms(cursor: &Self::Cursor<'_>) -> Forms {
                Forms::ANY $(.and(<$part>::forms(&cursor.$index)))+
            }
            #[inline]
            fn run<'w>(cursor: &Self::Cursor<'w>, row: &Row<'w>) -> Self::Run<'w> {
                ($(<$part>::run(&cursor.$index, row),)+)
            }
            #[inline]
            fn run_at<'w>(window: &Self::Window<'w>, stretch: Stretch<'w>) -> Self::Run<'w> {
                ($(<$part>::run_at(&window.$index, stretch),)+)
            }
            #[inline]
            fn skip<'w>(run: Self::Run<'w>, rows: usize) -> Self::Run<'w> {
                ($(<$part>::skip(run.$index, rows),)+)
            }
            fn is_same(run: &Self::Run<'_>, other: &Self::Run<'_>) -> bool {
                true $(&& <$part>::is_same(&run.$index, &other.$index))+
            }
            #[inline]
            unsafe fn fetch_run<'w>(run: &Self::Run<'w>, at: usize) -> Self::Item<'w> {
                // SAFETY: the caller promises as much for each part.
                unsafe { ($(<$part>::fetch_run(&run.$index, at),)+) }
            }
            #[inline]
            unsafe fn slices<'w>(run: &Self::Run<'w>, len: usize) -> Self::Slices<'w> {
                // SAFETY: the caller promises as much for each part.
                unsafe { ($(<$part>::slices(&run.$index, len),)+) }
            }
            #[inline]
            fn chunk<'w>(slices: Self::Slices<'w>) -> Self::Chunk<'w> {
                ($(<$part>::chunk(slices.$index),)+)
            }
            #[inline]
            fn rejoin<'w>(slices: Self::Slices<'w>) -> Self::Run<'w> {
                ($(<$part>::rejoin(slices.$index),)+)
            }
            /// Slices that are one parameter each are known not to overlap, which lets the
            /// compiler vectorise the loop.
            #[inline]
            unsafe fn each<'w, Acc>(
                run: &Self::Run<'w>,
                len: usize,
                init: Acc,
                f: &mut impl FnMut(Acc, Self::Item<'w>) -> Acc,
            ) -> Acc {
                /// # Safety
                /// The slices are of `len` rows.
                #[inline]
                #[expect(non_snake_case, reason = "parts are named like their types")]
                #[allow(clippy::too_many_arguments, reason = "one a part")]
                unsafe fn walk<'w, Acc, $($name: Fetch),+>(
                    $($name: $name::Slices<'w>,)+
                    len: usize,
                    init: Acc,
                    f: &mut impl FnMut(Acc, ($($name::Item<'w>,)+)) -> Acc,
                ) -> Acc {
                    $(let $name = $name::rejoin($name);)+
                    let mut item = |result, at| {
                        // SAFETY: the caller promises as much.
                        f(result, unsafe { ($($name::fetch_run(&$name, at),)+) })
                    };
                    // Four values of, say, three floats fill whole registers, which one does not. A
                    // loop over many such terms is kept from being vectorised by itself: it would
                    // shuffle more than it computes.
                    let in_fours = if true $(&& $name::FILLS_LANES)+ { 0 } else { len / 4 };
                    let result = (0..in_fours).fold(init, |result, four| {
                        if 0 $(+ $name::POOLS)+ > 2 {
                            core::hint::black_box(());
                        }
                        (0..4).fold(result, |result, next| item(result, four * 4 + next))
                    });
                    (in_fours * 4..len).fold(result, item)
                }
                // SAFETY: the caller promises as much for each part.
                unsafe { walk::<Acc, $($part),+>($(<$part>::slices(&run.$index, len),)+ len, init, f) }
            }
        }
        // SAFETY: each part reads only.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($param: ReadOnlyFetch),+> ReadOnlyFetch for $fetch {}
    };
}

macro_rules! fetch_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        fetch_for_parts!([$($name),+] ($($name,)+), $($name = $name: $index),+);
        fetch_for_parts!(
            [$($name),+] Rows<($($name,)+)>, Z = EntityFetch: 0, $($name = $name: $next),+
        );
    };
}
for_each_tuple!(fetch_for_tuple);

/// The methods of a fetch that reads what another one does: `$inner`, at `$at` of its windows and
/// cursors, whose items it turns into its own.
macro_rules! fetch_as {
    ($inner:ty, |$at:ident| $inner_at:expr, |$item:ident| $mapped:expr) => {
        const PLAIN: bool = <$inner>::PLAIN;
        const MORE: Option<Signature> = <$inner>::MORE;
        const FILLS_LANES: bool = <$inner>::FILLS_LANES;

        #[inline]
        fn more_keys($at: &Self::Window<'_>, pass: &impl Fn(&Keys<Entity>) -> bool) -> bool {
            <$inner>::more_keys($inner_at, pass)
        }
        #[inline(always)]
        fn has_more($at: &Self::Window<'_>, member: &Member<'_>) -> bool {
            <$inner>::has_more($inner_at, member)
        }
        #[inline(always)]
        fn slot<'w>($at: &Self::Cursor<'w>, place: Place) -> Self::Slot<'w> {
            <$inner>::slot($inner_at, place)
        }
        #[inline(always)]
        fn slot_of<'w>($at: &Self::Window<'w>, member: &Member<'_>) -> Self::Slot<'w> {
            <$inner>::slot_of($inner_at, member)
        }
        #[inline(always)]
        fn lone<'w>(slot: Self::Slot<'w>, entity: RunEntities<'w>) -> Self::Run<'w> {
            <$inner>::lone(slot, entity)
        }
        #[inline]
        fn forms($at: &Self::Cursor<'_>) -> Forms {
            <$inner>::forms($inner_at)
        }
        #[inline]
        fn run<'w>($at: &Self::Cursor<'w>, row: &Row<'w>) -> Self::Run<'w> {
            <$inner>::run($inner_at, row)
        }
        #[inline]
        fn run_at<'w>($at: &Self::Window<'w>, stretch: Stretch<'w>) -> Self::Run<'w> {
            <$inner>::run_at($inner_at, stretch)
        }
        #[inline]
        fn skip<'w>(run: Self::Run<'w>, rows: usize) -> Self::Run<'w> {
            <$inner>::skip(run, rows)
        }
        fn is_same(run: &Self::Run<'_>, other: &Self::Run<'_>) -> bool {
            <$inner>::is_same(run, other)
        }
        #[inline]
        unsafe fn fetch_run<'w>(run: &Self::Run<'w>, at: usize) -> Self::Item<'w> {
            // SAFETY: the caller's promise is the same.
            let $item = unsafe { <$inner>::fetch_run(run, at) };
            $mapped
        }
        #[inline]
        unsafe fn slices<'w>(run: &Self::Run<'w>, len: usize) -> Self::Slices<'w> {
            // SAFETY: the caller's promise is the same.
            unsafe { <$inner>::slices(run, len) }
        }
        #[inline]
        fn chunk<'w>(slices: Self::Slices<'w>) -> Self::Chunk<'w> {
            <$inner>::chunk(slices)
        }
        #[inline]
        fn rejoin<'w>(slices: Self::Slices<'w>) -> Self::Run<'w> {
            <$inner>::rejoin(slices)
        }
        #[inline]
        unsafe fn each<'w, B>(
            run: &Self::Run<'w>,
            len: usize,
            init: B,
            f: &mut impl FnMut(B, Self::Item<'w>) -> B,
        ) -> B {
            // SAFETY: the caller's promise is the same.
            unsafe { <$inner>::each(run, len, init, &mut |result, $item| f(result, $mapped)) }
        }
    };
}
pub(super) use fetch_as;
