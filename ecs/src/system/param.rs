//! The parameters of systems.

use crate::allocator::EntityAllocator;
use crate::commands::Commands;
use crate::commands::applied::Applied;
use crate::commands::spawning::SpawnCommands;
use crate::component::Tracked;
use crate::component::access::{Access, Mode, is_exclusive};
use crate::component::alias::Borrower;
use crate::component::id::ComponentId;
use crate::index::kind::Indexed;
use crate::index::lookup::Index;
use crate::internal::Registry;
use crate::notify::changes::Changes;
use crate::query::claim::{Claim, ClaimSet, WholeMut, WholeWorld};
use crate::query::fetch::{EntityFetch, Fetch, Read};
use crate::query::join::Join;
use crate::query::presence::Filter;
use crate::query::request::Query;
use crate::query::view::View;
use crate::resource::{Asked, AskedResource, Res, ResMut, Resource};
use crate::system::parts::VisitParts;
use crate::tuples::for_each_tuple;
use crate::world::World;
use core::fmt;
use core::marker::PhantomData;
use core::mem;
use core::ops::{Deref, DerefMut};

/// A parameter of a [`System`](crate::System).
///
/// | parameter | is |
/// |---|---|
/// | `View<Q>` | the view of a query |
/// | `&T`, `&mut T`, an `Option` of these | a [`Resource`] |
/// | `&Events<E>`, `&mut Events<E>` | a [queue](crate::Events) to read, with a `Local<EventCursor>`, or to write |
/// | [`Local<T>`](Local) | a value of the system's own, kept from run to run |
/// | `&mut Commands` | edits that are recorded, and applied after the system |
/// | [`SpawnCommands`] | the same, with handles for entities to spawn |
/// | [`EntityAllocator`] | hands out entities, for commands |
/// | `&World` | the whole world, to be read: no other parameter writes |
/// | `&mut World` | the whole world: it is the only parameter |
/// | a struct with [`#[derive(Views)]`](macro@crate::Views) | several of these, under names |
/// | `&Changes<T>` | the changes of a [tracked](Tracked) component since the system ran last |
/// | [`Index<T>`](Index) | entities by the value of an [indexed](Indexed) component |
/// | [`HasChanged<T>`](HasChanged) | whether a [`Resource`] may have changed since then |
/// | `NonSendRef<T>`, `NonSendMut<T>`, an `Option` of these | the value of a `NonSend<T>` that is a [`Resource`]; the system stays on the thread that runs the schedule |
/// | [`CallingThread`](crate::CallingThread) | nothing, but the system stays there |
///
/// ```
/// # use ecs::{Component, Local, Param, View, World};
/// # #[derive(Component)] struct Health(u32);
/// fn count(healths: View<&Health>, mut runs: Local<u32>) {
///     *runs += 1;
///     assert_eq!(healths.count(), 1);
/// }
/// fn is_a_parameter<P: Param>() {}
/// is_a_parameter::<Local<u32>>();
/// # let mut world = World::new();
/// world.spawn(Health(3));
/// world.run(count);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a parameter of a system",
    label = "not a parameter",
    note = "a parameter, or a field of `#[derive(Views)]`, is `View<Query>`, `&Resource`, `&mut Resource`, \
            `Local<T>`, `&mut Commands`, `SpawnCommands`, `EntityAllocator`, `&Changes<T>`, `Index<T>`, `HasChanged<T>`, \
            `NonSendRef<T>`, `NonSendMut<T>`, `CallingThread`, `&World` or a struct with `#[derive(Views)]`; or it is `&mut World`, alone",
    note = "a component `T` is viewed, as in `View<(&mut T, With<Player>)>`; a resource `T` is taken as `&T` or `&mut T`; \
            write `&mut Commands` in place of `Commands`"
)]
pub trait Param {
    /// The supply of the parameter.
    #[doc(hidden)]
    type Supply: Supply;
    /// The parameter with the lifetime of one run.
    type Item<'w>: From<<Self::Supply as Supply>::Given<'w>>;
}

/// A type that may be a parameter. A [`Param`] requires it first, like a query a [`Known`](crate::internal::Known) type: so
/// an error about another type lists no parameters.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a parameter of a system",
    label = "not a parameter",
    note = "a parameter, or a field of `#[derive(Views)]`, is `View<Query>`, `&Resource`, `&mut Resource`, \
            `Local<T>`, `&mut Commands`, `SpawnCommands`, `EntityAllocator`, `&Changes<T>`, `Index<T>`, `HasChanged<T>`, \
            `NonSendRef<T>`, `NonSendMut<T>`, `CallingThread`, `&World` or a struct with `#[derive(Views)]`; or it is `&mut World`, alone",
    note = "a component `T` is viewed, as in `View<(&mut T, With<Player>)>`; a resource `T` is taken as `&T` or `&mut T`; \
            write `&mut Commands` in place of `Commands`"
)]
pub trait KnownParam {
    /// The type itself.
    type This;
}

#[diagnostic::do_not_recommend]
impl<P> KnownParam for P
where
    Registry: ListsParam<P>,
{
    type This = <Registry as ListsParam<P>>::This;
}

/// Makes `P` a [`KnownParam`].
#[doc(hidden)]
pub trait ListsParam<P> {
    /// `P`.
    type This;
}

macro_rules! known_params {
    ($([$($param:tt)*] $ty:ty,)+) => {$(
        impl<$($param)*> $crate::system::param::ListsParam<$ty> for $crate::internal::Registry {
            type This = $ty;
        }
    )+};
}
pub(super) use known_params;

/// The parts of a [`Param`].
#[doc(hidden)]
pub trait ParamParts {
    type Supply: Supply;
    type Item<'w>: From<<Self::Supply as Supply>::Given<'w>>;
}

impl<P: KnownParam> Param for P
where
    P::This: ParamParts,
{
    type Supply = <P::This as ParamParts>::Supply;
    type Item<'w> = <P::This as ParamParts>::Item<'w>;
}

known_params! {
    ['w, Q: Query, F: Filter] View<'w, Q, F>,
    ['w, T] &'w T,
    ['w, T] &'w mut T,
    ['w, T] Option<&'w T>,
    ['w, T] Option<&'w mut T>,
    ['w, T] Local<'w, T>,
    ['w] EntityAllocator<'w>,
    ['w] SpawnCommands<'w>,
    ['w, T: Indexed] Index<'w, T>,
    [T: Resource] HasChanged<T>,
    [T] Res<T>,
    [T] ResMut<T>,
}

/// The working half of a parameter.
#[doc(hidden)]
pub trait Supply: 'static {
    /// The part of the world that it borrows.
    type Claim: Claim;
    /// The state that it keeps from run to run.
    type State: Default + Send + Sync + 'static;
    /// The value that the parameter is made of.
    type Given<'w>;
    /// The accesses of the parameter: the accesses of its claim, or more. Systems are ordered by them.
    const ACCESS: Access = <Self::Claim as Claim>::ACCESS;
    /// `true` if a run may record commands to be applied.
    const RECORDS: bool = false;
    /// `true` if the system must run on the thread that runs the schedule.
    const STAYS: bool = false;

    /// Gets ready for a run, while the world is whole.
    fn prepare(state: &mut Self::State, world: &mut World) {
        let _ = (state, world);
    }
    fn given<'w>(
        claimed: <Self::Claim as Claim>::Claimed<'w>,
        state: &'w mut Self::State,
    ) -> Self::Given<'w>;
    /// Returns the whole world, if the parameter is one.
    fn whole<'w>(world: &mut Option<&'w mut World>) -> Self::Given<'w> {
        let _ = world;
        unreachable!("a parameter that takes the whole world is the only parameter")
    }
    /// Applies the commands of a run, when the world is whole again, and counts the ones that it
    /// cannot.
    fn apply(state: &mut Self::State, world: &mut World, applied: &mut Applied) {
        let _ = (state, world, applied);
    }
    /// Calls `visit` with each part of the state that a snapshot holds.
    fn visit(state: &mut Self::State, visit: &mut VisitParts<'_>) {
        let _ = (state, visit);
    }
}

/// The supplies of several parameters: a tuple.
#[doc(hidden)]
pub trait SupplySet: 'static {
    type Claims: ClaimSet;
    type State: Default + Send + Sync + 'static;
    type Given<'w>;
    /// The accesses of each, by which systems are ordered.
    const ACCESSES: &'static [Access];
    /// The accesses that a run of the system claims, for each parameter.
    const CLAIMED: &'static [Access] = <Self::Claims as ClaimSet>::ACCESSES;
    /// The size of the state of each, in bytes.
    const KEPT: &'static [usize];
    const RECORDS: bool;
    /// `true` if one of them keeps the system on the thread that runs the schedule.
    const STAYS: bool;

    fn prepare(state: &mut Self::State, world: &mut World);
    fn given<'w>(
        claimed: <Self::Claims as ClaimSet>::Claimed<'w>,
        state: &'w mut Self::State,
    ) -> Self::Given<'w>;
    /// The whole world, for the only one.
    fn whole(world: &mut World) -> Self::Given<'_>;
    fn apply(state: &mut Self::State, world: &mut World, applied: &mut Applied);
    fn visit(state: &mut Self::State, visit: &mut VisitParts<'_>);
}

/// Returns the values that the parameters of a system are made of, if it runs alone. The caller checked at
/// compile time that no two alias.
///
/// # Panics
/// When two alias that only the running process can compare, or when a resource is missing.
#[inline]
#[track_caller]
pub(super) fn take<'w, S: SupplySet>(
    world: &'w mut World,
    state: &'w mut S::State,
    by: Borrower<'_>,
) -> S::Given<'w> {
    if const { is_exclusive(S::CLAIMED) } {
        world.entities.flush();
        return S::whole(world);
    }
    S::given(world.claim::<S::Claims>(by), state)
}

/// Nothing.
impl SupplySet for () {
    type Claims = ();
    type State = ();
    type Given<'w> = ();
    const ACCESSES: &'static [Access] = &[];
    const KEPT: &'static [usize] = &[];
    const RECORDS: bool = false;
    const STAYS: bool = false;

    #[inline]
    fn prepare((): &mut (), _: &mut World) {}
    #[inline]
    fn given<'w>((): (), (): &'w mut ()) -> Self::Given<'w> {}
    fn whole(_: &mut World) -> Self::Given<'_> {}
    #[inline]
    fn apply((): &mut (), _: &mut World, _: &mut Applied) {}
    fn visit((): &mut (), _: &mut VisitParts<'_>) {}
}

macro_rules! supply_set_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        impl<$($name: Supply),+> SupplySet for ($($name,)+) {
            type Claims = ($($name::Claim,)+);
            type State = ($($name::State,)+);
            type Given<'w> = ($($name::Given<'w>,)+);
            const ACCESSES: &'static [Access] = &[$($name::ACCESS),+];
            const KEPT: &'static [usize] = &[$(size_of::<$name::State>()),+];
            const RECORDS: bool = $($name::RECORDS)||+;
            const STAYS: bool = $($name::STAYS)||+;

            #[inline]
            fn prepare(state: &mut Self::State, world: &mut World) {
                $($name::prepare(&mut state.$index, world);)+
            }

            #[inline]
            fn given<'w>(
                claimed: <Self::Claims as ClaimSet>::Claimed<'w>,
                state: &'w mut Self::State,
            ) -> Self::Given<'w> {
                ($($name::given(claimed.$index, &mut state.$index),)+)
            }

            #[inline]
            fn whole(world: &mut World) -> Self::Given<'_> {
                let mut world = Some(world);
                ($($name::whole(&mut world),)+)
            }

            #[inline]
            fn apply(state: &mut Self::State, world: &mut World, applied: &mut Applied) {
                $($name::apply(&mut state.$index, world, applied);)+
            }

            fn visit(state: &mut Self::State, visit: &mut VisitParts<'_>) {
                $($name::visit(&mut state.$index, visit);)+
            }
        }
    };
}
for_each_tuple!(supply_set_for_tuple);

impl<Q: Query, F: NoFilter<Q>> ParamParts for View<'_, Q, F> {
    type Supply = OfQuery<Q::Fetch>;
    type Item<'w> = View<'w, Q, F>;
}

/// The filter of a view that is a parameter: none.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the filter of a parameter stands in its query: write `View<({Q}, {Self})>`",
    label = "takes a view with a filter of its own"
)]
pub trait NoFilter<Q: Query>: Filter {
    fn view(join: Join<'_, Q::Fetch, ()>) -> View<'_, Q, Self>
    where
        Self: Sized;
}

#[diagnostic::do_not_recommend]
impl<Q: Query> NoFilter<Q> for () {
    #[inline]
    fn view(join: Join<'_, Q::Fetch, ()>) -> View<'_, Q> {
        View::new(join)
    }
}

/// The [`Supply`] of a view.
#[doc(hidden)]
#[derive(Debug)]
pub struct OfQuery<F>(PhantomData<fn() -> F>);

impl<F: Fetch> OfQuery<F> {
    const OF_ALL: &'static [Access] = &[F::ACCESS, reserved("Entity", Mode::Read)];
}

impl<F: Fetch> Supply for OfQuery<F> {
    type Claim = F;
    type State = ();
    type Given<'w> = Join<'w, F, ()>;
    /// A query that requires no component matches all entities: also entities that were reserved before, and no
    /// others.
    const ACCESS: Access =
        if F::ACCESS.required() == 0 { Access::All(Self::OF_ALL) } else { F::ACCESS };

    #[inline]
    fn given<'w>(join: Join<'w, F, ()>, (): &'w mut ()) -> Join<'w, F, ()> {
        join
    }
}

impl<'w, Q: Query, F: NoFilter<Q>> From<Join<'w, Q::Fetch, ()>> for View<'w, Q, F> {
    #[inline]
    fn from(join: Join<'w, Q::Fetch, ()>) -> Self {
        F::view(join)
    }
}

/// The type behind a reference that a system takes. With a bound of its own, `rustc` names both derives.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource: add `#[derive(Resource)]` to it, or view components by `View<&{Self}>`",
    label = "takes a reference to `{Self}`",
    note = "a system takes a resource as `&T` or `&mut T`, and components by a view of them: `View<&T>`, `View<&mut T>`"
)]
pub trait TakenByReference: Resource {}
#[diagnostic::do_not_recommend]
impl<T: Resource> TakenByReference for T {}

macro_rules! resource_params {
    ($($name:ident [$($mutable:tt)?],)+) => {$(
        impl<T: TakenByReference> ParamParts for &$($mutable)? T {
            type Supply = Asked<$name<T>>;
            type Item<'w> = &'w $($mutable)? T;
        }
        impl<T: TakenByReference> ParamParts for Option<&$($mutable)? T> {
            type Supply = Asked<Option<$name<T>>>;
            type Item<'w> = Option<&'w $($mutable)? T>;
        }
    )+};
}
resource_params!(Res [], ResMut [mut],);

impl<R: AskedResource> Supply for Asked<R> {
    type Claim = Self;
    type State = ();
    type Given<'w> = R::Given<'w>;

    #[inline]
    fn given<'w>(resource: R::Given<'w>, (): &'w mut ()) -> R::Given<'w> {
        resource
    }
}

/// A value of a system's own: its `Default` at first, and then the value that the last run left. A
/// [`Param`].
///
/// A [`Snapshot`](crate::Snapshot) of the program clones it. A type without `Clone` is kept in a
/// `Local<`[`Stays`](crate::Stays)`<T>>`.
///
/// ```
/// # use ecs::{Local, Schedule, World};
/// fn count(mut runs: Local<u32>) -> Result<(), String> {
///     *runs += 1;
///     if *runs < 3 { Ok(()) } else { Err("three times".into()) }
/// }
/// let (mut world, mut schedule) = (World::new(), Schedule::new().add(count));
/// assert!(schedule.run(&mut world).is_ok() && schedule.run(&mut world).is_ok());
/// assert!(schedule.run(&mut world).is_err());
/// ```
pub struct Local<'w, T>(&'w mut T);

impl<T> Deref for Local<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.0
    }
}

impl<T> DerefMut for Local<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0
    }
}

impl<T: fmt::Debug> fmt::Debug for Local<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A value that a system can keep from run to run.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be kept by a system",
    label = "not `Clone + Default + Send + Sync + 'static`",
    note = "a `Local` begins with its `Default`, a schedule may go to another thread, and a snapshot of the program clones it",
    note = "without `Clone`, keep it in a `Local<Stays<{Self}>>`: it stays when the program goes back"
)]
pub trait Kept: Clone + Default + Send + Sync + 'static {}
#[diagnostic::do_not_recommend]
impl<T: Clone + Default + Send + Sync + 'static> Kept for T {}

impl<T: Kept> ParamParts for Local<'_, T> {
    type Supply = OfLocal<T>;
    type Item<'w> = Local<'w, T>;
}

/// The [`Supply`] of a [`Local`].
#[doc(hidden)]
#[derive(Debug)]
pub struct OfLocal<T>(PhantomData<fn() -> T>);

impl<T: Kept> Supply for OfLocal<T> {
    type Claim = Asked<()>;
    type State = T;
    type Given<'w> = Local<'w, T>;

    #[inline]
    fn given<'w>((): (), state: &'w mut T) -> Local<'w, T> {
        Local(state)
    }
    fn visit(state: &mut T, visit: &mut VisitParts<'_>) {
        visit.value(state);
    }
}

impl ParamParts for &mut Commands {
    type Supply = Commands;
    type Item<'w> = &'w mut Commands;
}

impl Supply for Commands {
    type Claim = Asked<()>;
    type State = Self;
    type Given<'w> = &'w mut Self;
    const RECORDS: bool = true;

    #[inline]
    fn prepare(state: &mut Self, world: &mut World) {
        state.enter(world);
    }
    #[inline]
    fn given((): (), state: &mut Self) -> &mut Self {
        state
    }
    fn apply(state: &mut Self, world: &mut World, applied: &mut Applied) {
        state.apply_and_count(world, applied);
    }
    #[cfg(debug_assertions)]
    fn visit(state: &mut Self, visit: &mut VisitParts<'_>) {
        visit.commands(state);
    }
}

/// The access to reserved entities, as if they were a resource.
const fn reserved(name: &'static str, mode: Mode) -> Access {
    let id = ComponentId::of(Some("ecs"), None, "entities", "EntityAllocator", 0, 0);
    Access::of_resource(id, || u32::MAX, (name, || ""), mode)
}

/// Systems that reserve entities run in the order of their list, so each gets the same entities in each run.
impl ParamParts for EntityAllocator<'_> {
    type Supply = EntityAllocator<'static>;
    type Item<'w> = EntityAllocator<'w>;
}

impl Supply for EntityAllocator<'static> {
    type Claim = EntityFetch;
    type State = ();
    type Given<'w> = EntityAllocator<'w>;
    const ACCESS: Access = reserved("EntityAllocator", Mode::Write);

    #[inline]
    fn given<'w>(join: Join<'w, EntityFetch, ()>, (): &'w mut ()) -> EntityAllocator<'w> {
        join.allocator().taking_turns()
    }
}

/// Systems that spawn run in the order of their list, like those with a [`EntityAllocator`].
impl ParamParts for SpawnCommands<'_> {
    type Supply = SpawnCommands<'static>;
    type Item<'w> = SpawnCommands<'w>;
}

impl Supply for SpawnCommands<'static> {
    type Claim = EntityFetch;
    type State = Commands;
    type Given<'w> = SpawnCommands<'w>;
    const ACCESS: Access = <EntityAllocator<'static> as Supply>::ACCESS;
    const RECORDS: bool = true;

    #[inline]
    fn prepare(state: &mut Commands, world: &mut World) {
        Commands::prepare(state, world);
    }
    #[inline]
    fn given<'w>(join: Join<'w, EntityFetch, ()>, state: &'w mut Commands) -> SpawnCommands<'w> {
        SpawnCommands::new(state, join.allocator().taking_turns())
    }
    fn apply(state: &mut Commands, world: &mut World, applied: &mut Applied) {
        state.apply_and_count(world, applied);
    }
    #[cfg(debug_assertions)]
    fn visit(state: &mut Commands, visit: &mut VisitParts<'_>) {
        visit.commands(state);
    }
}

impl ParamParts for &World {
    type Supply = WholeWorld<World>;
    type Item<'w> = &'w World;
}

impl Supply for WholeWorld<World> {
    type Claim = Self;
    type State = ();
    type Given<'w> = &'w World;

    #[inline]
    fn given<'w>(world: &'w World, (): &'w mut ()) -> &'w World {
        world
    }
}

impl ParamParts for &mut World {
    type Supply = WholeMut;
    type Item<'w> = &'w mut World;
}

impl Supply for WholeMut {
    type Claim = WholeMut;
    type State = ();
    type Given<'w> = &'w mut World;

    fn given((): (), (): &mut ()) -> &mut World {
        unreachable!("it is taken as a whole")
    }
    #[inline]
    fn whole<'w>(world: &mut Option<&'w mut World>) -> &'w mut World {
        world.take().expect("only this takes it")
    }
}

/// A reader that begins at the first run.
#[doc(hidden)]
pub struct Reads<T: Tracked> {
    changes: Option<Changes<T>>,
    /// `true` if the system was run since the reader was brought up to date: a panic of another system may prevent that.
    were_seen: bool,
}

impl<T: Tracked> Default for Reads<T> {
    fn default() -> Self {
        Self { changes: None, were_seen: true }
    }
}

impl<T: Tracked> ParamParts for &Changes<T> {
    type Supply = Changes<T>;
    type Item<'w> = &'w Changes<T>;
}

impl<T: Tracked> Supply for Changes<T> {
    type Claim = Asked<()>;
    type State = Reads<T>;
    type Given<'w> = &'w Self;
    /// A read: the system sees the writes of earlier systems of the list, and none of later systems.
    const ACCESS: Access = Access::of::<T>(Mode::Read);

    fn prepare(state: &mut Reads<T>, world: &mut World) {
        let changes = state.changes.get_or_insert_with(|| world.changes_from(false));
        world.advance_beyond(changes, mem::replace(&mut state.were_seen, false));
    }
    #[inline]
    fn given((): (), state: &mut Reads<T>) -> &Self {
        state.were_seen = true;
        state.changes.as_ref().expect("it was made before the run")
    }
    fn visit(state: &mut Reads<T>, visit: &mut VisitParts<'_>) {
        let mut reader = state.changes.take().map(Self::into_parts);
        let number = |world: &mut World| world.pools.create::<T>().get();
        visit.reader(number, &mut reader, &mut state.were_seen);
        state.changes = reader.map(Self::from_parts);
    }
}

impl<T: Indexed> ParamParts for Index<'_, T> {
    type Supply = OfIndex<T>;
    type Item<'w> = Index<'w, T>;
}

/// The [`Supply`] of an [`Index`].
#[doc(hidden)]
#[derive(Debug)]
pub struct OfIndex<T>(PhantomData<fn() -> T>);

impl<T: Indexed> Supply for OfIndex<T> {
    /// Reads the values, so that nothing writes them meanwhile.
    type Claim = Read<T>;
    type State = ();
    type Given<'w> = Index<'w, T>;

    #[inline]
    fn given<'w>(join: Join<'w, Read<T>, ()>, (): &'w mut ()) -> Index<'w, T> {
        Index::of(join.pools())
    }
}

/// `true` if a resource was inserted, removed or mutably borrowed since the system ran last. At the first run, `true` if
/// the world ever had the resource. A [`Param`], for conditions as well.
///
/// By [`World::resource_version`]: a `&mut T` counts as a change, written or not. A change by the system itself is seen
/// at its next run.
///
/// ```
/// # use ecs::{HasChanged, Resource, World, schedule};
/// #[derive(Resource)]
/// struct Config { volume: u8 }
/// # #[derive(Resource, Default)] struct Played(Vec<u8>);
///
/// fn is_new(config: HasChanged<Config>) -> bool {
///     config.get()
/// }
/// fn adjust(config: &Config, played: &mut Played) {
///     played.0.push(config.volume);
/// }
/// schedule! { struct Frame { adjust if is_new } }
///
/// # let mut world = World::new();
/// # world.insert_resource(Played::default());
/// world.insert_resource(Config { volume: 7 });
/// let mut frame = Frame::new();
/// frame.run(&mut world)?;
/// frame.run(&mut world)?; // nothing to do
/// world.resource_mut::<Config>().volume = 9;
/// frame.run(&mut world)?;
/// assert_eq!(world.resource::<Played>().0, [7, 9]);
/// # Ok::<(), ecs::ScheduleError>(())
/// ```
pub struct HasChanged<T: Resource> {
    changed: bool,
    of: PhantomData<fn() -> T>,
}

impl<T: Resource> HasChanged<T> {
    /// Returns `true` if it may have changed.
    ///
    /// ```
    /// # use ecs::{HasChanged, Resource, World};
    /// # #[derive(Resource)] struct Config;
    /// let mut world = World::new();
    /// assert!(!world.run(|config: HasChanged<Config>| config.get()));
    /// world.insert_resource(Config);
    /// assert!(world.run(|config: HasChanged<Config>| config.get()));
    /// ```
    #[must_use]
    pub const fn get(&self) -> bool {
        self.changed
    }
}

impl<T: Resource> fmt::Debug for HasChanged<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HasChanged<{}>({})", T::NAME, self.changed)
    }
}

/// The version of a resource that a system saw last, and the present version.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Seen {
    last: u64,
    now: u64,
}

impl<T: Resource> ParamParts for HasChanged<T> {
    type Supply = Self;
    type Item<'w> = Self;
}

impl<T: Resource> Supply for HasChanged<T> {
    type Claim = Asked<()>;
    type State = Seen;
    type Given<'w> = Self;
    /// A read: the system sees the writes of earlier systems of the list, and none of later systems.
    const ACCESS: Access = <Res<T> as AskedResource>::ACCESS;

    fn prepare(state: &mut Seen, world: &mut World) {
        state.now = world.resource_version::<T>();
    }
    #[inline]
    fn given((): (), state: &mut Seen) -> Self {
        let changed = mem::replace(&mut state.last, state.now) != state.now;
        Self { changed, of: PhantomData }
    }
    fn visit(state: &mut Seen, visit: &mut VisitParts<'_>) {
        let version = visit.world.resource_version::<T>();
        visit.has_changed(version, &mut state.last);
    }
}

/// Types that other libraries take as parameters. Nothing meets the bound, so `rustc` reports its message.
macro_rules! respelt {
    ($($bound:ident $form:ident: $message:literal,)+) => {$(
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = $message, label = "not a parameter")]
        pub trait $bound<T> {}

        impl<T: 'static> ParamParts for $form<T>
        where
            Respelt<Self>: $bound<T>,
        {
            type Supply = Respelt<Self>;
            type Item<'w> = Self;
        }
    )+};
}
respelt! {
    ByReference Res: "write `&{T}` in place of `Res<{T}>` as a parameter of a system",
    ByMutableReference ResMut: "write `&mut {T}` in place of `ResMut<{T}>` as a parameter of a system",
}

/// Supplies no value: no system has the parameter.
#[doc(hidden)]
#[derive(Debug)]
pub struct Respelt<T>(PhantomData<fn() -> T>);

impl<T: 'static> Supply for Respelt<T> {
    type Claim = Asked<()>;
    type State = ();
    type Given<'w> = T;

    fn given((): (), (): &mut ()) -> T {
        unreachable!("no system has the parameter")
    }
}
