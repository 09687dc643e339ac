//! Several views that live together.

use crate::commands::applied::Applied;
use crate::component::access::Access;
use crate::component::alias::{self, Borrower, Owner};
use crate::entity::Entity;
use crate::internal::Internal;
use crate::query::claim::{ClaimSet, NamedClaims, OfFields};
use crate::query::fetch::EntityFetch;
use crate::query::request::Query;
use crate::query::view::View;
use crate::resource::{Asked, Res, ResMut, Resource};
use crate::system::param::{OfQuery, Param, ParamParts, Supply, SupplySet, known_params};
use crate::system::parts::VisitParts;
use crate::text::Text;
use crate::tuples::for_each_tuple;
use crate::world::World;
use alloc::boxed::Box;
use core::marker::PhantomData;

/// Queries whose views may live together: a tuple of up to 12, or a struct of views with
/// `#[derive(Views)]`. The parameter of [`World::split_mut`](crate::World::split_mut).
///
/// No view may access a component that another writes, unless one requires a component that the
/// other excludes: `(&mut Health, With<Player>)` beside `(&mut Health, Without<Player>)`. The
/// compiler checks it.
///
/// [Resources](Resource) live beside the views: in a tuple they are `Res<T>` or `ResMut<T>`, in a struct fields of type
/// `&'w T` or `&'w mut T`; each may be in an `Option`. A struct may also hold a `&'w World`, where nothing writes, and
/// any other [`Param`]. A parameter that keeps something from run to run has no place in a split.
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
    type Supplies: SupplySet;
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
    /// Their names, for messages.
    #[doc(hidden)]
    const NAMES: &'static [&'static str];
    #[doc(hidden)]
    fn build(_: Internal<Self>, given: <Self::Supplies as SupplySet>::Given<'_>)
    -> Self::Views<'_>;
}

/// A member of a tuple that splits the world: a query, or a resource.
#[doc(hidden)]
pub trait SplitTerm {
    type Supply: Supply;
    type Member<'w>: From<<Self::Supply as Supply>::Given<'w>>;
}

impl<Q: Query> SplitTerm for Q {
    type Supply = OfQuery<Q::Fetch>;
    type Member<'w> = View<'w, Q>;
}

macro_rules! resources_in_splits {
    ($($name:ident [$($mutable:tt)?],)+) => {$(
        impl<T: Resource> SplitTerm for $name<T> {
            type Supply = Asked<Self>;
            type Member<'w> = &'w $($mutable)? T;
        }
        impl<T: Resource> SplitTerm for Option<$name<T>> {
            type Supply = Asked<Self>;
            type Member<'w> = Option<&'w $($mutable)? T>;
        }
    )+};
}
resources_in_splits!(Res [], ResMut [mut],);

/// Implemented by `#[derive(Views)]`, field by field.
#[doc(hidden)]
#[derive(Debug)]
pub struct OfStruct<V>(PhantomData<fn() -> V>);

impl<V: ViewSet + 'static> NamedClaims for OfStruct<V> {
    type Claims = <V::Supplies as SupplySet>::Claims;
    const NAMES: &'static [&'static str] = V::NAMES;
}

impl<V: ViewSet + 'static> Supply for OfStruct<V> {
    type Claim = OfFields<Self>;
    type State = <V::Supplies as SupplySet>::State;
    type Given<'w> = V::Views<'w>;
    const ACCESS: Access = Access::Fields(V::NAMES, V::Supplies::ACCESSES);
    const RECORDS: bool = V::Supplies::RECORDS;
    const STAYS: bool = V::Supplies::STAYS;

    fn prepare(state: &mut Self::State, world: &mut World) {
        V::Supplies::prepare(state, world);
    }
    #[inline]
    fn given<'w>(
        claimed: <<V::Supplies as SupplySet>::Claims as ClaimSet>::Claimed<'w>,
        state: &'w mut Self::State,
    ) -> V::Views<'w> {
        V::build(Internal::CALL, V::Supplies::given(claimed, state))
    }
    fn apply(state: &mut Self::State, world: &mut World, applied: &mut Applied) {
        V::Supplies::apply(state, world, applied);
    }
    fn visit(state: &mut Self::State, visit: &mut VisitParts<'_>) {
        V::Supplies::visit(state, visit);
    }
}

/// Stands for a `View` of `Q`, which can be named only if `Q` is a query.
#[doc(hidden)]
#[derive(Debug)]
pub struct Viewed<Q>(PhantomData<fn() -> Q>);

known_params! { [Q] Viewed<Q>, [F, const IS_PARAM: bool] ParamIf<F, IS_PARAM>, }

impl<Q: Query> ParamParts for Viewed<Q> {
    type Supply = OfQuery<Q::Fetch>;
    type Item<'w> = View<'w, Q>;
}

/// Inspects a field of a struct of views, in two ways; the compiler prefers the first where it holds. The
/// constant has a name that no trait of a user has, which may be there for all types.
#[doc(hidden)]
#[derive(Debug)]
pub struct ParamProbe<F>(PhantomData<fn() -> F>);

impl<F: Param> ParamProbe<F> {
    pub const __ECS_IS_PARAM: bool = true;
}

#[doc(hidden)]
pub trait NoParam {
    const __ECS_IS_PARAM: bool = false;
}
impl<F> NoParam for ParamProbe<F> {}

/// A field, if it is a parameter. Otherwise stands for a view of all entities, so that only the field is an error.
#[doc(hidden)]
#[derive(Debug)]
pub struct ParamIf<F, const IS_PARAM: bool>(PhantomData<fn() -> F>);

impl<F: Param> ParamParts for ParamIf<F, true> {
    type Supply = F::Supply;
    type Item<'w> = F::Item<'w>;
}
impl<F> ParamParts for ParamIf<F, false> {
    type Supply = OfQuery<EntityFetch>;
    type Item<'w> = View<'w, Entity>;
}

/// The value for a field, if it is a view.
#[doc(hidden)]
#[derive(Debug)]
pub struct GivenIf<const IS_PARAM: bool, G>(PhantomData<fn() -> G>);

impl<G> GivenIf<true, G> {
    #[inline(always)]
    pub fn __ecs_into<V: From<G>>(given: G) -> V {
        given.into()
    }
}

impl<G> GivenIf<false, G> {
    /// Accepts any type. A build that calls it fails, unless an error at the field ends it before.
    #[must_use]
    pub fn __ecs_into<V>(_: G) -> V {
        const {
            panic!(
                "a field of type `View<'w, ..>` is a view of a query; call a type of your own by another name"
            )
        }
    }
}

/// Checks a field of a struct of views.
#[doc(hidden)]
pub const fn check_param<F: Param>() {}

/// Checks the views of a split: in a constant, a compile error where two alias.
///
/// # Panics
/// When two alias.
#[doc(hidden)]
#[track_caller]
pub const fn check_views<V: ViewSet>() {
    let accesses = <<V::Supplies as SupplySet>::Claims as ClaimSet>::ACCESSES;
    alias::refuse_alias_among(Owner::Split(V::NAMES), accesses);
}

/// Checks that a split has no member that only a system has.
///
/// # Panics
/// When one is kept from run to run.
#[track_caller]
const fn refuse_kept(names: &[&str], kept: &[usize]) {
    let mut at = 0;
    while at < kept.len() {
        if kept[at] > 0 {
            let text =
                Text::new().push("field `").push(names[at]).push("` is kept from run to run");
            text.push(", for which a split has no place: give the struct to a system").panic()
        }
        at += 1;
    }
}

/// # Several views at once
impl World {
    /// Returns several views that live together, each to be read and written: of a tuple of up to
    /// 12 queries, or of a struct of views with `#[derive(Views)]`. [Resources](crate::Resource)
    /// may be among them, by [`Res`](crate::Res) and [`ResMut`](crate::ResMut).
    ///
    /// The compiler checks that no two alias; nothing is counted or flagged at run time. Each view costs
    /// as much as [`view_mut`](Self::view_mut).
    ///
    /// # Panics
    /// When two views alias by generic components, which only the running process can compare. When there is
    /// no such resource, unless the field is an `Option`.
    ///
    /// ```
    /// # use ecs::{Component, Entity, World};
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Component)] struct Target(Entity);
    /// let mut world = World::new();
    /// let goal = world.spawn(Position(9.0)).id();
    /// world.spawn((Position(1.0), Target(goal)));
    /// // Walk the targets, and look positions up meanwhile.
    /// let (targets, mut positions) = world.split_mut::<(&Target, &mut Position)>();
    /// for (entity, target) in targets {
    ///     let goal = positions.get_mut(target.0).map(|(_, position)| position.0);
    ///     if let (Some(goal), Some((_, position))) = (goal, positions.get_mut(entity)) {
    ///         position.0 += (goal - position.0) / 2.0;
    ///     }
    /// }
    /// # assert_eq!(world.view::<Position>().iter().map(|(_, p)| p.0).sum::<f32>(), 14.0);
    /// ```
    ///
    /// ```
    /// # use ecs::{Component, Res, ResMut, Resource, World};
    /// # #[derive(Component)] struct Falling { height: f32 }
    /// #[derive(Resource)]
    /// struct Gravity(f32);
    /// #[derive(Resource, Default)]
    /// struct Landed(u32);
    ///
    /// let mut world = World::new();
    /// world.insert_resource(Gravity(9.8));
    /// world.insert_resource(Landed(0));
    /// world.spawn_batch([Falling { height: 5.0 }, Falling { height: 50.0 }]);
    /// let (falling, gravity, landed) =
    ///     world.split_mut::<(&mut Falling, Res<Gravity>, ResMut<Landed>)>();
    /// falling.for_each(|(_, falling)| {
    ///     falling.height -= gravity.0;
    ///     landed.0 += u32::from(falling.height <= 0.0);
    /// });
    /// assert_eq!(world.resource::<Landed>().0, 1);
    /// ```
    #[inline]
    #[track_caller]
    pub fn split_mut<V: ViewSet>(&mut self) -> V::Views<'_> {
        const {
            check_views::<V>();
            refuse_kept(V::NAMES, V::Supplies::KEPT);
        };
        let by = Borrower::new(Owner::Split(V::NAMES), None);
        let claimed = self.claim::<<V::Supplies as SupplySet>::Claims>(by);
        // Nothing is kept, which takes no memory.
        V::build(Internal::CALL, V::Supplies::given(claimed, Box::leak(Box::default())))
    }
}

macro_rules! view_set_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        #[diagnostic::do_not_recommend]
        impl<$($name: SplitTerm),+> ViewSet for ($($name,)+) {
            type Supplies = ($($name::Supply,)+);
            type Views<'w> = ($($name::Member<'w>,)+);
            const NAMES: &'static [&'static str] = &[$(stringify!($index)),+];
            #[inline]
            fn build(
                _: Internal<Self>,
                given: <Self::Supplies as SupplySet>::Given<'_>,
            ) -> Self::Views<'_> {
                ($(given.$index.into(),)+)
            }
        }
    };
}
for_each_tuple!(view_set_for_tuple);
