//! Several views that live together.

use crate::component::alias;
use crate::entities::Entities;
use crate::group::groups::Groups;
use crate::internal::Internal;
use crate::pool::pools::Pools;
use crate::query::claim::{Claim, ClaimSet, claim};
use crate::query::fetch::EntityFetch;
use crate::query::join::Join;
use crate::query::request::Query;
use crate::query::view::View;
use crate::resource::{Asked, Res, ResMut, Resource, Resources};
use core::marker::PhantomData;

/// Queries whose views may live together: a tuple of up to 12, or a struct of views with
/// `#[derive(Views)]`. What [`World::split_mut`](crate::World::split_mut) takes.
///
/// No view may touch what another writes, unless one requires a component that the other excludes:
/// `(&mut Health, With<Player>)` beside `(&mut Health, Without<Player>)`. The compiler checks it.
///
/// [Resources](Resource) live beside the views: in a tuple they are `Res<T>` or `ResMut<T>`, in a struct fields of
/// type `&'w T` or `&'w mut T`; each may be in an `Option`.
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
            `View`s with `#[derive(Views)]`",
    note = "a resource is `Res<T>` or `ResMut<T>` there; its type has `#[derive(Resource)]`"
)]
pub trait ViewSet {
    #[doc(hidden)]
    type Claims: ClaimSet;
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
    fn build(
        _: Internal<Self>,
        claimed: <Self::Claims as ClaimSet>::Claimed<'_>,
    ) -> Self::Views<'_>;
}

/// A member of a tuple that splits the world: a query, or a resource.
#[doc(hidden)]
pub trait SplitTerm {
    type Claim: Claim;
    type Member<'w>: From<<Self::Claim as Claim>::Claimed<'w>>;
}

impl<Q: Query> SplitTerm for Q {
    type Claim = Q::Fetch;
    type Member<'w> = View<'w, Q>;
}

impl<'w, Q: Query> From<Join<'w, Q::Fetch, ()>> for View<'w, Q> {
    #[inline]
    fn from(join: Join<'w, Q::Fetch, ()>) -> Self {
        Self::new(join)
    }
}

/// A field of a struct with `#[derive(Views)]`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a view",
    label = "not a view",
    note = "a field of `#[derive(Views)]` is a `View<'w, Query>`; filters stand in the query: \
            `View<'w, (&'w mut Health, With<Player>)>`",
    note = "a resource is a field, too: `&'w T` or `&'w mut T`, if `T` has `#[derive(Resource)]`"
)]
pub trait ViewField {
    type Claim: Claim;
}

impl<Q: Query> ViewField for View<'_, Q> {
    type Claim = Q::Fetch;
}

/// Stands for a `View` of `Q`, which can be named only if `Q` is a query.
#[doc(hidden)]
#[derive(Debug)]
pub struct Viewed<Q>(PhantomData<fn() -> Q>);

impl<Q: Query> ViewField for Viewed<Q> {
    type Claim = Q::Fetch;
}

macro_rules! resources_in_splits {
    ($($name:ident [$($mutable:tt)?],)+) => {$(
        impl<T: Resource> SplitTerm for $name<T> {
            type Claim = Asked<Self>;
            type Member<'w> = &'w $($mutable)? T;
        }
        impl<T: Resource> SplitTerm for Option<$name<T>> {
            type Claim = Asked<Self>;
            type Member<'w> = Option<&'w $($mutable)? T>;
        }
        #[diagnostic::do_not_recommend]
        impl<T: Resource> ViewField for &$($mutable)? T {
            type Claim = Asked<$name<T>>;
        }
        #[diagnostic::do_not_recommend]
        impl<T: Resource> ViewField for Option<&$($mutable)? T> {
            type Claim = Asked<Option<$name<T>>>;
        }
    )+};
}
resources_in_splits!(Res [], ResMut [mut],);

/// Asks about a field of a struct of views, in two ways of which the compiler prefers the first where it holds. The
/// constant has a name that no trait of a user has, which may be there for all types.
#[doc(hidden)]
#[derive(Debug)]
pub struct ViewProbe<F>(PhantomData<fn() -> F>);

impl<F: ViewField> ViewProbe<F> {
    pub const __ECS_IS_VIEW: bool = true;
}

#[doc(hidden)]
pub trait NoView {
    const __ECS_IS_VIEW: bool = false;
}
impl<F> NoView for ViewProbe<F> {}

/// A field, if it is one: else the entity stands in its place, so that nothing but the field fails.
#[doc(hidden)]
#[derive(Debug)]
pub struct FieldIf<F, const IS_VIEW: bool>(PhantomData<fn() -> F>);

impl<F: ViewField> ViewField for FieldIf<F, true> {
    type Claim = F::Claim;
}
impl<F> ViewField for FieldIf<F, false> {
    type Claim = EntityFetch;
}

/// What was claimed for a field, if it is one.
#[doc(hidden)]
#[derive(Debug)]
pub struct ClaimedIf<const IS_VIEW: bool, C>(pub C);

impl<C> ClaimedIf<true, C> {
    #[inline(always)]
    pub fn __ecs_into<V: From<C>>(self) -> V {
        self.0.into()
    }
}

impl<C> ClaimedIf<false, C> {
    /// Any type will do: it is never called.
    pub fn __ecs_into<V>(self) -> V {
        unreachable!("this does not compile")
    }
}

/// Checks a field of a struct of views.
#[doc(hidden)]
pub const fn check_view<F: ViewField>() {}

/// Checks the views of a split: in a constant, a compile error where two alias.
///
/// # Panics
/// When two alias.
#[doc(hidden)]
#[track_caller]
pub const fn check_views<V: ViewSet>() {
    alias::refuse_split_alias(V::NAMES, V::Claims::ACCESSES);
}

/// The views of `V`.
///
/// # Panics
/// When two of them alias, which only the running process could tell; or when a resource is missing.
#[inline]
#[track_caller]
pub(crate) fn split<'w, V: ViewSet>(
    pools: &'w mut Pools,
    entities: &'w Entities,
    groups: &'w Groups,
    resources: &'w mut Resources,
) -> V::Views<'w> {
    let claimed = claim::<V::Claims>(V::NAMES, pools, entities, groups, resources);
    V::build(Internal::CALL, claimed)
}

macro_rules! view_set_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        #[diagnostic::do_not_recommend]
        impl<$($name: SplitTerm),+> ViewSet for ($($name,)+) {
            type Claims = ($($name::Claim,)+);
            type Views<'w> = ($($name::Member<'w>,)+);
            const NAMES: &'static [&'static str] = &[$(stringify!($index)),+];
            #[inline]
            fn build(
                _: Internal<Self>,
                claimed: <Self::Claims as ClaimSet>::Claimed<'_>,
            ) -> Self::Views<'_> {
                ($(claimed.$index.into(),)+)
            }
        }
    };
}
crate::tuples::for_each_tuple!(view_set_for_tuple);
