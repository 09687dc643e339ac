//! Several views that live together.

use crate::component::access;
use crate::entities::Entities;
use crate::group::groups::Groups;
use crate::internal::Internal;
use crate::pool::pools::Pools;
use crate::query::fetch::Fetch;
use crate::query::join::JoinSet;
use crate::query::request::Query;
use crate::query::view::View;

/// Queries whose views may live together: a tuple of up to 12, or a struct of views with
/// `#[derive(Views)]`. What [`World::split_mut`](crate::World::split_mut) takes.
///
/// No view may touch what another writes, unless one requires a component that the other excludes:
/// `(&mut Health, With<Player>)` beside `(&mut Health, Without<Player>)`. The compiler checks it.
///
/// ```
/// use ecs::{Component, View, Views, With, Without, World};
///
/// #[derive(Component)]
/// struct Health(u32);
/// #[derive(Component)]
/// struct Player;
///
/// #[derive(Views)]
/// struct Sides<'w> {
///     players: View<'w, (&'w mut Health, With<Player>)>,
///     others: View<'w, (&'w mut Health, Without<Player>)>,
/// }
///
/// let mut world = World::new();
/// world.spawn((Health(10), Player));
/// world.spawn(Health(3));
/// let mut sides = world.split_mut::<Sides>();
/// for (_, player) in &mut sides.players {
///     for (_, other) in &mut sides.others {
///         core::mem::swap(player, other);
///     }
/// }
/// assert_eq!(world.view::<Health>().with::<Player>().single().unwrap().1.0, 3);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of views",
    label = "cannot split the world",
    note = "write a tuple of up to 12 queries, `split_mut::<(&mut A, (&B, &mut C))>()`, or a struct of \
            `View`s with `#[derive(Views)]`"
)]
pub trait ViewSet {
    #[doc(hidden)]
    type Joins: JoinSet;
    /// The views.
    ///
    /// ```
    /// # use ecs::{Component, ViewSet, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # #[derive(Component)] struct Wound(u32);
    /// fn bleed((mut healths, wounds): <(&mut Health, &Wound) as ViewSet>::Views<'_>) {
    ///     for (entity, wound) in wounds {
    ///         healths.get_mut(entity).unwrap().1.0 -= wound.0;
    ///     }
    /// }
    /// # let mut world = World::new();
    /// let entity = world.spawn((Health(9), Wound(2))).id();
    /// bleed(world.split_mut::<(&mut Health, &Wound)>());
    /// assert_eq!(world.get::<Health>(entity).unwrap().0, 7);
    /// ```
    type Views<'w>;
    /// What they are called, for messages.
    #[doc(hidden)]
    const NAMES: &'static [&'static str];
    #[doc(hidden)]
    fn build(_: Internal<Self>, joins: <Self::Joins as JoinSet>::Joins<'_>) -> Self::Views<'_>;
}

/// A field of a struct with `#[derive(Views)]`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a view",
    label = "not a view",
    note = "a field of `#[derive(Views)]` is a `View<'w, Query>`; filters stand in the query: \
            `View<'w, (&'w mut Health, With<Player>)>`"
)]
pub trait ViewField {
    type Fetch: Fetch;
}

impl<Q: Query> ViewField for View<'_, Q> {
    type Fetch = Q::Fetch;
}

/// Checks the views of a split: in a constant, a compile error where two alias.
///
/// # Panics
/// When two alias.
#[doc(hidden)]
#[track_caller]
pub const fn check_views<V: ViewSet>() {
    access::refuse_split_alias(V::NAMES, V::Joins::ACCESSES);
}

/// The views of `V`.
///
/// # Panics
/// When two of them alias, which only the running process could tell.
#[inline]
#[track_caller]
pub(crate) fn split<'w, V: ViewSet>(
    pools: &'w mut Pools,
    entities: &'w Entities,
    groups: &'w Groups,
) -> V::Views<'w> {
    V::build(Internal::CALL, V::Joins::split(V::NAMES, pools, entities, groups))
}

macro_rules! view_set_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        #[diagnostic::do_not_recommend]
        impl<$($name: Query),+> ViewSet for ($($name,)+) {
            type Joins = ($($name::Fetch,)+);
            type Views<'w> = ($(View<'w, $name>,)+);
            const NAMES: &'static [&'static str] = &[$(stringify!($index)),+];
            #[inline]
            fn build(
                _: Internal<Self>,
                joins: <Self::Joins as JoinSet>::Joins<'_>,
            ) -> Self::Views<'_> {
                ($(View::new(joins.$index),)+)
            }
        }
    };
}
crate::tuples::for_each_tuple!(view_set_for_tuple);
