//! The type-level request: what may stand between the angle brackets of `view::<..>()`.

use crate::component::Component;
use crate::component::access::{self, Access};
use crate::entity::Entity;
use crate::pool::list::ComponentList;
use crate::query::fetch::{
    EntityFetch, Fetch, Map, Mapped, Optional, Read, ReadOnlyFetch, Rows, Tested, Write,
};
use crate::query::presence::{Filter, Has, With, WithAny, Without};
use crate::query::projection::Target;
use crate::signature::Signature;
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
/// | `(Audio, Option<&Label>, Has<Muted>)` | `(Entity, &Audio, Option<&Label>, Has<Muted>)` |
/// | `(Audio, With<Label>, Without<Muted>)` | as `(Audio, ..)`, and the filters themselves |
/// | a struct with `#[derive(Query)]` | the struct |
///
/// The derive takes structs whose fields are `Entity`, `&'w T`, `&'w mut T`, other derived queries,
/// `Option` of the last three, `Has<T>`, filters, and tuples of these. Of a component in columns
/// ([layouts](Component#layouts)), a field is `ProximityRef<'w>` or `ProximityMut<'w>`, or a borrow
/// of one column with `#[query(column = proximity::distance)]` on it. `#[query(with(A, B), without(C))]` on the
/// struct filters.
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
    message = "`{Self}` is not a query",
    label = "cannot be viewed",
    note = "a query is a component, `&T`, `&mut T`, `Option<&T>`, `Has<T>`, a tuple of up to 12 of \
            those, or a struct with `#[derive(Query)]`",
    note = "a tuple yields its entity first: leave `Entity` out",
    note = "to make data of an entity a component, add `#[derive(Component)]`"
)]
pub trait Query {
    #[doc(hidden)]
    type Fetch: Fetch;
    /// The bits of the components that a match must have.
    /// ```
    /// # use ecs::{Component, Has, Query};
    /// # #[derive(Component)] struct Audio(f32);
    /// # #[derive(Component)] struct Muted;
    /// assert_eq!(<(&mut Audio, Has<Muted>)>::REQUIRED, Audio::BIT);
    /// ```
    const REQUIRED: Signature = <Self::Fetch as Fetch>::ACCESS.asked(false).1;
    /// The bits of the components that a match must not have.
    /// ```
    /// # use ecs::{Component, Query, Without};
    /// # #[derive(Component)] struct Audio(f32);
    /// # #[derive(Component)] struct Muted;
    /// assert_eq!(<(&Audio, Without<Muted>)>::EXCLUDED, Muted::BIT);
    /// ```
    const EXCLUDED: Signature = <Self::Fetch as Fetch>::ACCESS.asked(true).1;
}

/// What a query yields for one entity.
///
/// ```
/// # use ecs::{Component, Has, Item, World};
/// # #[derive(Component)] struct Health(u32);
/// # #[derive(Component)] struct Blessed;
/// fn heal((_, health, blessed): Item<'_, (&mut Health, Has<Blessed>)>) {
///     health.0 += if blessed.get() { 10 } else { 1 };
/// }
/// # let mut world = World::new();
/// let entity = world.spawn((Health(3), Blessed)).id();
/// world.view_mut::<(&mut Health, Has<Blessed>)>().for_each(heal);
/// assert_eq!(world.get::<Health>(entity).unwrap().0, 13);
/// ```
pub type Item<'w, Q> = <<Q as Query>::Fetch as Fetch>::Item<'w>;

/// What a query yields for neighbouring matches, in [`View::for_each_chunk`].
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

/// A [`Query`] that only reads: what a shared borrow of the world can serve.
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
    message = "`{Self}` is not a query",
    label = "cannot be viewed",
    note = "a query is a component, `&T`, `&mut T`, `Option<&T>`, `Has<T>`, a tuple of up to 12 of \
            those, or a struct with `#[derive(Query)]`",
    note = "a tuple yields its entity first: leave `Entity` out",
    note = "to make data of an entity a component, add `#[derive(Component)]`"
)]
pub trait ReadOnlyQuery: Query<Fetch: ReadOnlyFetch> {}
impl<Q: Query<Fetch: ReadOnlyFetch>> ReadOnlyQuery for Q {}

/// A part of a tuple query: `Audio`, `&Audio`, `&mut Audio`, `Option<&Audio>`, `Has<Audio>`,
/// `With<Audio>`, `Without<Audio>`, `WithAny<(Audio, ..)>`, or a derived query.
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
            `With<T>`, `Without<T>` or a struct with `#[derive(Query)]`",
    note = "a tuple yields its entity first, without being asked: leave `Entity` out",
    note = "if `{Self}` is data of an entity, add `#[derive(Component)]`"
)]
pub trait Term {
    /// What the term yields beside others.
    #[doc(hidden)]
    type Fetch: Fetch;
    /// What the term yields as a whole query.
    #[doc(hidden)]
    type WithEntity: Fetch;
}

/// A field of a derived query: a [`Term`], [`Entity`], or a tuple of these.
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

/// A struct with `#[derive(Query)]`, as the derive describes it.
#[doc(hidden)]
pub trait StructQuery: 'static {
    type Terms: Fetch;
    type Filter: Filter;
    type Item<'w>;
    const NAME: &'static str;
    const FIELDS: &'static [&'static str];
    fn build<'w>(items: <Self::Terms as Fetch>::Item<'w>) -> Self::Item<'w>;
}

/// Checks the field at `at` of a derived query against those before it: in a constant, a compile
/// error where they alias.
///
/// # Panics
/// When they alias.
#[doc(hidden)]
#[track_caller]
pub const fn check_field<Q: StructQuery>(at: usize) {
    access::check_field(Q::NAME, Q::FIELDS, &Q::Terms::ACCESS, at);
}

/// Checks a query against itself: in a constant, a compile error where its terms alias.
///
/// # Panics
/// When two terms alias.
#[doc(hidden)]
#[track_caller]
pub const fn check_query<Q: Query>() {
    access::refuse_alias(&<Q::Fetch as Fetch>::ACCESS);
}

/// Checks a query where it stands, for `cargo check`.
///
/// Views check their queries when they are compiled in full, by `cargo build`; derived queries
/// check themselves always. This macro gives a tuple the same.
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

/// The fetch of a derived query.
#[doc(hidden)]
pub type Derived<Q> = Mapped<BuildStruct<Q>>;

#[doc(hidden)]
pub struct BuildStruct<Q>(PhantomData<fn() -> Q>);

impl<Q: StructQuery> Map for BuildStruct<Q> {
    type From = Q::Terms;
    type Item<'w> = Q::Item<'w>;
    const TESTS: Access = Q::Filter::ACCESS;
    #[inline]
    fn map<'w>(items: <Q::Terms as Fetch>::Item<'w>) -> Q::Item<'w> {
        Q::build(items)
    }
}

impl<T: Term> Query for T {
    type Fetch = T::WithEntity;
}

impl<T: Term> Field for T {
    type Fetch = T::Fetch;
}

impl Field for Entity {
    type Fetch = EntityFetch;
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
    type WithEntity = (EntityFetch, Optional<T::Fetch>);
}

impl<T: Component> Term for Has<T> {
    type Fetch = Self;
    type WithEntity = (EntityFetch, Self);
}

impl<L: ComponentList> Term for With<L> {
    type Fetch = Tested<Self>;
    type WithEntity = (EntityFetch, Tested<Self>);
}

impl<L: ComponentList> Term for Without<L> {
    type Fetch = Tested<Self>;
    type WithEntity = (EntityFetch, Tested<Self>);
}

impl<L: ComponentList> Term for WithAny<L> {
    type Fetch = Tested<Self>;
    type WithEntity = (EntityFetch, Tested<Self>);
}

macro_rules! query_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        #[diagnostic::do_not_recommend]
        impl<$($name: Term),+> Query for ($($name,)+) {
            type Fetch = Rows<($($name::Fetch,)+)>;
        }
        #[diagnostic::do_not_recommend]
        impl<$($name: Field),+> Field for ($($name,)+) {
            type Fetch = ($($name::Fetch,)+);
        }
    };
}
for_each_tuple!(query_for_tuple);
