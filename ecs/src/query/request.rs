//! The type-level request: the types between the angle brackets of `view::<..>()`.

use crate::component::AnyComponent;
use crate::component::access::Access;
use crate::component::alias;
use crate::entity::{Entity, EntityOf};
use crate::internal::{InQueries, Internal, Known, known};
use crate::pool::list::{FilterList, Tests};
use crate::query::fetch::{
    EntityFetch, Fetch, Guarded, Map, Mapped, Optional, Read, ReadOnlyFetch, Tested, TupleFetch,
    Write,
};
use crate::query::presence::{Filter, Has, With, WithAny, Without};
use crate::query::projection::Target;
use crate::signature::Signature;
use crate::text::Text;
use crate::tuples::for_each_tuple;
use core::marker::PhantomData;

/// A request for entities and their components.
///
/// | query | yields |
/// |---|---|
/// | `Audio` or `&Audio` | `(Entity, &Audio)` |
/// | `&mut Audio` | `(Entity, &mut Audio)` |
/// | `&proximity::distance`, a column | `(Entity, &f32)` |
/// | `(Proximity, &mut Audio)`, up to 12 terms | `(Entity, &Proximity, &mut Audio)` |
/// | `(Audio, Option<&Label>, Has<Muted>)` | `(Entity, &Audio, Option<&Label>, bool)` |
/// | `(Audio, With<Label>, Without<Muted>)` | like `(Audio,)`: filters at the end yield nothing |
/// | `(Entity, &Audio)` | like `(&Audio,)`: the entity always comes first |
/// | `(Audio, Option<(&Label, &Muted)>)` | `(Entity, &Audio, Option<(&Label, &Muted)>)` |
/// | `((&Audio, &Label), &Proximity)` | `(Entity, (&Audio, &Label), &Proximity)` |
/// | `Entity`, `With<Label>` | `Entity` |
/// | a struct or an enum with `#[derive(Query)]` | the struct, or a variant of the enum |
///
/// Further terms fit into nested tuples. A filter before other terms yields itself, and so does `Has<T>` as a field of
/// a struct.
///
/// The derive takes structs with fields of the types `Entity`, `&'w T`, `&'w mut T`, other derived queries,
/// `Option` of the last three, `Has<T>`, filters, [`Sources`](crate::Sources), `PhantomData<T>`, and tuples of these.
/// A field for a component in columns ([layouts](crate::Component#layouts)) is `ProximityRef<'w>` or
/// `ProximityMut<'w>`, or a borrow of one column with `#[query(column = proximity::distance)]` on it.
/// `#[query(with(A, B), without(C))]` on the struct filters.
///
/// The variants of an enum are alternatives, with such fields. An entity matches an enum if it matches a variant, and yields
/// the first one that it matches. A last variant without fields matches every entity. A component that one variant writes is
/// in no other variant. An enum requires no component. A view of it alone, as of an `Option`, looks at each page of entities;
/// a term beside it that requires one narrows the search. It has at most twelve variants. A loop marks the tracked components
/// that any matching variant writes.
///
/// ```
/// # use ecs::{Component, Query, World};
/// # #[derive(Component)] struct Sword { edge: u32 }
/// # #[derive(Component)] struct Bow { arrows: u32 }
/// # #[derive(Component)] struct Aim(u32);
/// #[derive(Query)]
/// enum Armed<'w> {
///     Archer { bow: &'w mut Bow, aim: &'w Aim },
///     Fencer(&'w Sword),
/// }
///
/// # let mut world = World::new();
/// let archer = world.spawn((Bow { arrows: 3 }, Aim(5))).id();
/// world.spawn(Sword { edge: 4 });
/// world.spawn(Bow { arrows: 9 }); // without an aim
/// let mut harm = 0;
/// for armed in world.view_mut::<Armed>() {
///     match armed {
///         Armed::Archer { bow, aim } => {
///             bow.arrows -= 1;
///             harm += aim.0;
///         }
///         Armed::Fencer(sword) => harm += sword.edge,
///     }
/// }
/// assert_eq!((harm, world.get::<Bow>(archer).unwrap().arrows), (9, 2));
/// ```
///
/// ```
/// use ecs::{Component, Entity, Query, World};
///
/// #[derive(Component, Default)]
/// struct Proximity { distance: f32 }
/// #[derive(Component, Default)]
/// struct Audio { volume: f32 }
/// #[derive(Component)]
/// struct Muted;
///
/// #[derive(Query)]
/// #[query(without(Muted))]
/// struct Noisy<'w> {
///     entity: Entity,
///     proximity: &'w Proximity,
///     audio: &'w mut Audio,
/// }
///
/// let mut world = World::new();
/// world.spawn(Proximity { distance: 4.0 }).add::<Audio>();
/// for noisy in world.view_mut::<Noisy>() {
///     noisy.audio.volume = 1.0 / noisy.proximity.distance;
/// }
/// assert_eq!(world.view::<Audio>().single().unwrap().1.volume, 0.25);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a query: its types need `#[derive(Component)]`",
    label = "cannot be viewed",
    note = "a query is a component, `&T`, `&mut T`, `Option<&T>`, `Has<T>`, `Entity`, a tuple of up to 12 of these \
            (nest tuples for more), or a struct with `#[derive(Query)]`; add `#[derive(Component)]` to data of \
            yours, put a value of another type into a struct of yours, and read a resource by `World::resource`; a type \
            parameter has the bound `Query`, or `ReadOnlyQuery` where it is only read"
)]
pub trait Query {
    #[doc(hidden)]
    type Fetch: Fetch;
    /// The bits of the components that a match must have.
    /// ```
    /// # use ecs::{AnyComponent, Component, Has, Query};
    /// # #[derive(Component)] struct Audio(f32);
    /// # #[derive(Component)] struct Muted;
    /// assert_eq!(<(&mut Audio, Has<Muted>)>::REQUIRED, Audio::BIT);
    /// ```
    const REQUIRED: Signature = <Self::Fetch as Fetch>::ACCESS.asked(false).1;
    /// The bits of the components that a match must not have.
    /// ```
    /// # use ecs::{AnyComponent, Component, Query, Without};
    /// # #[derive(Component)] struct Audio(f32);
    /// # #[derive(Component)] struct Muted;
    /// assert_eq!(<(&Audio, Without<Muted>)>::EXCLUDED, Muted::BIT);
    /// ```
    const EXCLUDED: Signature = <Self::Fetch as Fetch>::ACCESS.asked(true).1;
}

/// The item of a query for one entity.
///
/// ```
/// # use ecs::{Component, Has, Item, World};
/// # #[derive(Component)] struct Health(u32);
/// # #[derive(Component)] struct Blessed;
/// fn heal((_, health, blessed): Item<'_, (&mut Health, Has<Blessed>)>) {
///     health.0 += if blessed { 10 } else { 1 };
/// }
/// # let mut world = World::new();
/// let entity = world.spawn((Health(3), Blessed)).id();
/// world.view_mut::<(&mut Health, Has<Blessed>)>().for_each(heal);
/// assert_eq!(world.get::<Health>(entity).unwrap().0, 13);
/// ```
pub type Item<'w, Q> = <<Q as Query>::Fetch as Fetch>::Item<'w>;

/// The slices of a query for neighbouring matches, in [`View::for_each_chunk`].
///
/// ```
/// # use ecs::{Chunk, Component, World};
/// # #[derive(Component)] struct Health(u32);
/// fn total((_, healths): Chunk<'_, Health>) -> u32 {
///     healths.iter().map(|health| health.0).sum() // a `&[Health]`
/// }
/// # let mut world = World::new();
/// world.spawn_batch([Health(3), Health(4)]);
/// assert_eq!(world.view::<Health>().as_slices().map(total), Some(7));
/// ```
///
/// [`View::for_each_chunk`]: crate::View::for_each_chunk
pub type Chunk<'w, Q> = <<Q as Query>::Fetch as Fetch>::Chunk<'w>;

/// A [`Query`] that only reads, and so needs only a shared borrow of the world.
///
/// ```
/// # use ecs::{Component, ReadOnlyQuery, World};
/// # #[derive(Component)] struct Health(u32);
/// # #[derive(Component)] struct Armour(u32);
/// fn share<Q: ReadOnlyQuery>(world: &World) -> usize {
///     100 * world.view::<Q>().count() / world.len()
/// }
/// # let mut world = World::new();
/// world.spawn_batch((0..4).map(Health));
/// world.spawn_batch([(Health(1), Armour(2))]);
/// assert_eq!(share::<(&Health, &Armour)>(&world), 20); // per cent
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a query: its types need `#[derive(Component)]`",
    label = "cannot be viewed",
    note = "a query is a component, `&T`, `&mut T`, `Option<&T>`, `Has<T>`, `Entity`, a tuple of up to 12 of these \
            (nest tuples for more), or a struct with `#[derive(Query)]`; add `#[derive(Component)]` to data of \
            yours, put a value of another type into a struct of yours, and read a resource by `World::resource`; a type \
            parameter has the bound `Query`, or `ReadOnlyQuery` where it is only read"
)]
pub trait ReadOnlyQuery: Query<Fetch: ReadOnlyFetch> {}
impl<Q: Query<Fetch: ReadOnlyFetch>> ReadOnlyQuery for Q {}

/// A part of a tuple query: `Audio`, `&Audio`, `&mut Audio`, `Option<&Audio>`, `Has<Audio>`,
/// `With<Audio>`, `Without<Audio>`, `WithAny<(Audio, ..)>`, `Entity`, a tuple of these, or a derived
/// query.
///
/// ```
/// # use ecs::{Component, Has, Term, World};
/// # #[derive(Component)] struct Health(u32);
/// # #[derive(Component)] struct Armour(u32);
/// fn count_beside_health<T: Term>(world: &mut World) -> usize {
///     world.view_mut::<(&Health, T)>().count()
/// }
/// # let mut world = World::new();
/// world.spawn(Health(3));
/// assert_eq!(count_beside_health::<Has<Armour>>(&mut world), 1);
/// assert_eq!(count_beside_health::<&mut Armour>(&mut world), 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a term of a query",
    label = "not a query term",
    note = "a term is a component, `&T`, `&mut T`, `Option<&T>`, `Option<&mut T>`, `Has<T>`, \
            `With<T>`, `Without<T>`, `Entity`, a tuple of up to 12 of these (nest tuples for more), or a \
            struct with `#[derive(Query)]`; if `{Self}` is data of an entity, add `#[derive(Component)]`"
)]
pub trait Term: Known<This = Self> {
    /// The fetch of the term as a field of a struct: its item is a value of the term's type.
    #[doc(hidden)]
    type Fetch: PlainTerm;
    /// The fetch of the term as a whole query.
    #[doc(hidden)]
    type WithEntity: Fetch;
}

/// The fetch of a term in a tuple.
#[doc(hidden)]
pub trait PlainTerm: Fetch {
    /// The fetch within a tuple: `Has` yields a `bool`, and a tuple its terms without filters at its end.
    type Plain: Fetch;
    /// The query of a tuple that begins with it: the entity is added in front, unless this is the entity.
    type First<WithEntity: Fetch, Plain: Fetch>: Fetch;
    /// The fetch of a tuple that ends with it: unchanged, or, if this is a filter, the fetch of the terms
    /// before.
    type Last<Whole: Fetch, Before: Fetch>: Fetch;
}

macro_rules! part {
    ([$($params:tt)*] $fetch:ty => $plain:ty) => {
        #[diagnostic::do_not_recommend]
        impl<$($params)*> PlainTerm for $fetch {
            type Plain = $plain;
            type First<WithEntity: Fetch, Plain: Fetch> = WithEntity;
            type Last<Whole: Fetch, Before: Fetch> = Whole;
        }
    };
}
part!([T: Target] Read<T> => Self);
part!([T: Target] Write<T> => Self);
part!([T: Target] Guarded<T> => Self);
part!([F: PlainTerm] Optional<F> => Optional<F::Plain>);
part!([M: Map] Mapped<M> => Mapped<M::Plain>);

impl PlainTerm for EntityFetch {
    type Plain = Self;
    type First<WithEntity: Fetch, Plain: Fetch> = Plain;
    type Last<Whole: Fetch, Before: Fetch> = Whole;
}

#[diagnostic::do_not_recommend]
impl<T: Filter + 'static> PlainTerm for Tested<T> {
    type Plain = Self;
    type First<WithEntity: Fetch, Plain: Fetch> = WithEntity;
    type Last<Whole: Fetch, Before: Fetch> = Mapped<Filtered<Before, T>>;
}

/// The fetch of a query that matches the members of one pool.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "how many entities match this query is not known without counting them",
    label = "asks for more than one component",
    note = "`count` counts the matches of any view"
)]
pub trait OnePool: Fetch {}
impl<T: Target> OnePool for (EntityFetch, Read<T>) {}
impl<T: Target> OnePool for (EntityFetch, Write<T>) {}

/// Converts the result of a test to a [`Has`].
#[doc(hidden)]
pub struct MakeHas<T>(PhantomData<fn() -> T>);
/// Converts the result of a test to a `bool`.
#[doc(hidden)]
pub struct IsThere<T>(PhantomData<fn() -> T>);

macro_rules! map_to_has {
    ($map:ident => $item:ty, |$has:ident| $shown:expr) => {
        impl<T: AnyComponent> Map for $map<T> {
            type From = Optional<Tested<With<T>>>;
            type Plain = IsThere<T>;
            type Item<'w> = $item;
            type Chunk<'w> = Has<T>;
            type ReadOnly = Mapped<Self>;
            const TESTS: Access = Access::Nothing;
            #[inline(always)]
            fn map<'w>(passed: <Self::From as Fetch>::Item<'w>) -> Self::Item<'w> {
                let $has = Has::<T>::new(passed.is_some());
                $shown
            }
            #[inline(always)]
            fn map_chunk<'w>(passed: <Self::From as Fetch>::Chunk<'w>) -> Self::Chunk<'w> {
                Has::new(passed.is_some())
            }
        }
    };
}
map_to_has!(MakeHas => Has<T>, |has| has);
map_to_has!(IsThere => bool, |has| has.get());

/// Fetches the items of `F`, and adds the tests of `T`.
#[doc(hidden)]
pub struct Filtered<F, T>(PhantomData<fn() -> (F, T)>);

impl<F: Fetch, T: Filter + 'static> Map for Filtered<F, T> {
    type From = F;
    type Plain = Self;
    type Item<'w> = F::Item<'w>;
    type Chunk<'w> = <Self::From as Fetch>::Chunk<'w>;
    type ReadOnly = Mapped<Filtered<F::ReadOnly, T>>;
    const TESTS: Access = T::ACCESS;
    #[inline(always)]
    fn map<'w>(item: F::Item<'w>) -> F::Item<'w> {
        item
    }
    #[inline(always)]
    fn map_chunk<'w>(chunk: <Self::From as Fetch>::Chunk<'w>) -> Self::Chunk<'w> {
        chunk
    }
}

/// Converts the handle of a match to an [`EntityOf`].
#[doc(hidden)]
pub struct MakeHandle<T>(PhantomData<fn() -> T>);

impl<T: AnyComponent> Map for MakeHandle<T> {
    type From = EntityFetch;
    type Plain = Self;
    type Item<'w> = EntityOf<T>;
    type Chunk<'w> = <EntityFetch as Fetch>::Chunk<'w>;
    type ReadOnly = Mapped<Self>;
    const TESTS: Access = <With<T> as Filter>::ACCESS;
    #[inline(always)]
    fn map<'w>(entity: <Self::From as Fetch>::Item<'w>) -> Self::Item<'w> {
        EntityOf::new(entity)
    }
    #[inline(always)]
    fn map_chunk<'w>(chunk: <Self::From as Fetch>::Chunk<'w>) -> Self::Chunk<'w> {
        chunk
    }
}

/// A field of a derived query: a [`Term`]. It yields a value of its own type.
///
/// ```
/// # use ecs::{Component, Entity, Query, World};
/// # #[derive(Component)] struct Health(u32);
/// # #[derive(Component)] struct Armour(u32);
/// #[derive(Query)]
/// struct Fighter<'w> {
///     entity: Entity,
///     state: (&'w Health, Option<&'w Armour>),
/// }
/// # let mut world = World::new();
/// let entity = world.spawn(Health(3)).id();
/// let fighter = world.view::<Fighter>().single().unwrap();
/// assert!(fighter.entity == entity && fighter.state.1.is_none());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a query",
    label = "not a query field",
    note = "a field is `Entity`, `&'w T`, `&'w mut T`, an `Option` of these, `Has<T>`, a tuple of \
            these or a struct with `#[derive(Query)]`",
    note = "to read a component, borrow it: `&'w {Self}`"
)]
pub trait Field {
    #[doc(hidden)]
    type Fetch: Fetch;
}

/// A struct or an enum with `#[derive(Query)]`, as the derive describes it.
#[doc(hidden)]
pub trait StructQuery: Sized + 'static {
    type Terms: Fetch;
    type Filter: Filter;
    type Item<'w>;
    const NAME: &'static str;
    const FIELDS: &'static [&'static str];
    fn build<'w>(_: Internal<Self>, items: <Self::Terms as Fetch>::Item<'w>) -> Self::Item<'w>;
}

/// Checks the field at `at` of a derived query against those before it: in a constant, a compile error if they alias.
///
/// # Panics
/// Panics if they alias.
#[doc(hidden)]
#[track_caller]
pub const fn check_field<Q: StructQuery>(at: usize) {
    alias::check_field(Q::NAME, Q::FIELDS, &Q::Terms::ACCESS, at);
}

/// Checks a query against itself: in a constant, a compile error if its terms alias.
///
/// # Panics
/// Panics if two terms alias.
#[doc(hidden)]
#[track_caller]
pub const fn check_query<Q: Query>() {
    alias::refuse_alias(&<Q::Fetch as Fetch>::ACCESS);
}

/// Checks that entities may match a query: in a constant, a compile error if a rule between components forbids it.
#[track_caller]
pub(crate) const fn check_matches<Q: Query>() {
    let _ = alias::refuse_never(Text::new(), &<Q::Fetch as Fetch>::ACCESS);
}

/// Checks a query at its place, in `cargo check`.
///
/// Views check their queries when they are compiled in full, by `cargo build`; derived queries always check themselves.
/// This macro makes that check for a tuple.
///
/// ```
/// # use ecs::Component;
/// # #[derive(Component)] struct Position(f32);
/// # #[derive(Component)] struct Velocity(f32);
/// ecs::check_query!((&mut Position, &Velocity));
/// ```
///
/// ```compile_fail
/// # use ecs::Component;
/// # #[derive(Component)] struct Position(f32);
/// ecs::check_query!((&mut Position, &Position)); // reads what it writes
/// ```
#[macro_export]
macro_rules! check_query {
    ($query:ty) => {
        const _: () = $crate::__private::check_query::<$query>();
    };
}

/// The test of an enum with `#[derive(Query)]`: an entity matches one of these fetches, a tuple of the variants' fetches.
#[doc(hidden)]
pub struct Variants<F>(PhantomData<fn() -> F>);

macro_rules! tests_of_variants {
    ($($name:ident $index:tt $next:tt,)+) => {
        impl<$($name: Fetch),+> Tests for Variants<($($name,)+)> {
            const WITH: &'static [Access] = &[$($name::ACCESS),+];
            const WITHOUT: &'static [Access] = &[];
        }
    };
}
for_each_tuple!(tests_of_variants);

/// The fetch of a derived query.
#[doc(hidden)]
pub type Derived<Q> = Mapped<BuildStruct<Q>>;

#[doc(hidden)]
pub struct BuildStruct<Q>(PhantomData<fn() -> Q>);

impl<Q: StructQuery> Map for BuildStruct<Q> {
    type From = Q::Terms;
    type Plain = Self;
    type Item<'w> = Q::Item<'w>;
    type Chunk<'w> = <Self::From as Fetch>::Chunk<'w>;
    type ReadOnly = Mapped<Filtered<<Q::Terms as Fetch>::ReadOnly, Q::Filter>>;
    const TESTS: Access = Q::Filter::ACCESS;
    #[inline]
    fn map<'w>(items: <Q::Terms as Fetch>::Item<'w>) -> Q::Item<'w> {
        Q::build(Internal::CALL, items)
    }
    #[inline(always)]
    fn map_chunk<'w>(chunk: <Self::From as Fetch>::Chunk<'w>) -> Self::Chunk<'w> {
        chunk
    }
}

impl<T: Known> Query for T
where
    T::This: Term,
{
    type Fetch = <T::This as Term>::WithEntity;
}

impl<T: Term> Field for T {
    type Fetch = T::Fetch;
}

known! { InQueries:
    [] Entity,
    [T] EntityOf<T>,
    ['w, T] &'w T,
    ['w, T] &'w mut T,
    [T] Option<T>,
    [T] Has<T>,
    [L] With<L>,
    [L] Without<L>,
    [L] WithAny<L>,
    [T] PhantomData<T>,
}
known!(Place: [Place] (),);

impl Term for Entity {
    type Fetch = EntityFetch;
    type WithEntity = EntityFetch;
}

impl<T: AnyComponent> Term for EntityOf<T> {
    type Fetch = Mapped<MakeHandle<T>>;
    type WithEntity = Mapped<MakeHandle<T>>;
}

impl<T: Target> Term for &T {
    type Fetch = Read<T>;
    type WithEntity = (EntityFetch, Read<T>);
}

impl<T: Target> Term for &mut T {
    type Fetch = Write<T>;
    type WithEntity = (EntityFetch, Write<T>);
}

impl<T: Term> Term for Option<T> {
    type Fetch = Optional<T::Fetch>;
    type WithEntity = (EntityFetch, Optional<<T::Fetch as PlainTerm>::Plain>);
}

impl<T: AnyComponent> Term for Has<T> {
    type Fetch = Mapped<MakeHas<T>>;
    type WithEntity = (EntityFetch, Mapped<IsThere<T>>);
}

impl<L: FilterList> Term for With<L> {
    type Fetch = Tested<With<L::Tests>>;
    type WithEntity = Mapped<Filtered<EntityFetch, With<L::Tests>>>;
}

impl<L: FilterList> Term for Without<L> {
    type Fetch = Tested<Without<L::Tests>>;
    type WithEntity = Mapped<Filtered<EntityFetch, Without<L::Tests>>>;
}

impl<L: FilterList> Term for WithAny<L> {
    type Fetch = Tested<WithAny<L::Tests>>;
    type WithEntity = Mapped<Filtered<EntityFetch, WithAny<L::Tests>>>;
}

/// Matches any entity, and yields the entity alone.
impl Term for () {
    type Fetch = ();
    type WithEntity = EntityFetch;
}

/// A query with the terms of `Q` that only reads: the query of [`View::read_only`](crate::View::read_only).
///
/// ```
/// # use ecs::{Component, ReadOnly, World};
/// # #[derive(Component)] struct Health(u32);
/// let mut world = World::new();
/// let entity = world.spawn(Health(3)).id();
/// let (_, health) = world.view::<ReadOnly<&mut Health>>().get(entity).unwrap();
/// assert_eq!(health.0, 3);
/// ```
pub struct ReadOnly<Q>(PhantomData<fn() -> Q>);

/// Fetches the values of `F`, to be read.
#[doc(hidden)]
pub struct ReadOnlyOf<F>(PhantomData<fn() -> F>);

impl<F: Fetch> Map for ReadOnlyOf<F> {
    type From = F::ReadOnly;
    type Plain = Self;
    type Item<'w> = <Self::From as Fetch>::Item<'w>;
    type Chunk<'w> = <Self::From as Fetch>::Chunk<'w>;
    type ReadOnly = Mapped<Self>;
    const TESTS: Access = Access::Nothing;
    #[inline(always)]
    fn map<'w>(item: <Self::From as Fetch>::Item<'w>) -> Self::Item<'w> {
        item
    }
    #[inline(always)]
    fn map_chunk<'w>(chunk: <Self::From as Fetch>::Chunk<'w>) -> Self::Chunk<'w> {
        chunk
    }
}

known!(InQueries: [Q] ReadOnly<Q>,);

impl<Q: Query> Term for ReadOnly<Q> {
    type Fetch = Mapped<ReadOnlyOf<Q::Fetch>>;
    type WithEntity = <Q::Fetch as Fetch>::ReadOnly;
}

/// Makes a marker.
#[doc(hidden)]
pub struct Marker<T>(PhantomData<fn() -> T>);

impl<T: 'static> Map for Marker<T> {
    type From = ();
    type Plain = Self;
    type Item<'w> = PhantomData<T>;
    type Chunk<'w> = PhantomData<T>;
    type ReadOnly = Mapped<Self>;
    const TESTS: Access = Access::Nothing;
    #[inline(always)]
    fn map<'w>(_: <Self::From as Fetch>::Item<'w>) -> Self::Item<'w> {
        PhantomData
    }
    #[inline(always)]
    fn map_chunk<'w>(_: <Self::From as Fetch>::Chunk<'w>) -> Self::Chunk<'w> {
        PhantomData
    }
}

/// Matches any entity, and yields the marker: for structs with type parameters that no other field names.
impl<T: 'static> Term for PhantomData<T> {
    type Fetch = Mapped<Marker<T>>;
    type WithEntity = (EntityFetch, Mapped<Marker<T>>);
}

/// A tuple is a term that yields its items; as a query, it has the entity in front.
macro_rules! term_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        term_for_tuple!(@split [] $($name)+);
    };
    (@split [$($before:ident)*] $last:ident) => {
        term_for_tuple!(@impl [$($before)*] $last [$($before)* $last]);
    };
    (@split [$($before:ident)*] $name:ident $($rest:ident)+) => {
        term_for_tuple!(@split [$($before)* $name] $($rest)+);
    };
    (@impl [$($before:ident)*] $last:ident [$first:ident $($other:ident)*]) => {
        known!(Place: [Place, $first, $($other),*] ($first, $($other,)*),);

        impl<$first: Term, $($other: Term),*> Term for ($first, $($other,)*) {
            type Fetch = ($first::Fetch, $($other::Fetch,)*);
            type WithEntity = <$last::Fetch as PlainTerm>::Last<
                <$first::Fetch as PlainTerm>::First<
                    TupleFetch<(PlainOf<$first>, $(PlainOf<$other>,)*)>,
                    (PlainOf<$first>, $(PlainOf<$other>,)*),
                >,
                term_for_tuple!(@query $($before)*),
            >;
        }
        #[diagnostic::do_not_recommend]
        impl<$first: PlainTerm, $($other: PlainTerm),*> PlainTerm for ($first, $($other,)*) {
            type Plain = $last::Last<
                ($first::Plain, $($other::Plain,)*),
                <($($before,)*) as PlainTerm>::Plain,
            >;
            type First<WithEntity: Fetch, Plain: Fetch> = WithEntity;
            type Last<Whole: Fetch, Before: Fetch> = Whole;
        }
    };
    (@query) => { (EntityFetch,) };
    (@query $($name:ident)+) => { <($($name,)+) as Term>::WithEntity };
}
part!([] () => ());
for_each_tuple!(term_for_tuple);

type PlainOf<T> = <<T as Term>::Fetch as PlainTerm>::Plain;
