//! What a system asks for: its parameters.

use crate::commands::Commands;
use crate::component::Tracked;
use crate::component::access::{Access, Mode};
use crate::component::id::ComponentId;
use crate::entities::Reserver;
use crate::query::claim::Claim;
use crate::query::fetch::EntityFetch;
use crate::query::join::Join;
use crate::query::request::Query;
use crate::query::view::View;
use crate::resource::{Asked, Res, ResMut, Resource};
use crate::world::World;
use crate::world::changes::Changes;
use core::fmt;
use core::ops::{Deref, DerefMut};

/// A parameter of a [`System`](crate::System).
///
/// | parameter | is |
/// |---|---|
/// | `View<Q>` | the view of a query |
/// | `&T`, `&mut T`, an `Option` of these | a [`Resource`] |
/// | [`Local<T>`](Local) | a value of the system's own, kept from run to run |
/// | `&mut Commands` | edits that are recorded, and applied after the system |
/// | [`Reserver`] | hands out entities, for commands |
/// | `&Changes<T>` | what happened to a [tracked](Tracked) component since the system ran last |
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
    note = "a parameter is `View<Query>`, `&Resource`, `&mut Resource`, `Local<T>`, `&mut Commands`, \
            `Reserver` or `&Changes<T>`",
    note = "a type with `#[derive(Resource)]` is borrowed: `&{Self}` or `&mut {Self}`"
)]
pub trait Param {
    /// What it borrows of the world.
    #[doc(hidden)]
    type Claim: Claim;
    /// What it keeps from run to run.
    #[doc(hidden)]
    type State: Default + Send + Sync + 'static;
    /// The same parameter, for one run.
    type Item<'w>;
    /// What it touches, for those who order systems: what is claimed, or more.
    #[doc(hidden)]
    const ACCESS: Access = <Self::Claim as Claim>::ACCESS;
    /// Whether a run may record what is to be applied.
    #[doc(hidden)]
    const RECORDS: bool = false;

    /// Gets ready for a run, while the world is whole.
    #[doc(hidden)]
    fn prepare(state: &mut Self::State, world: &mut World) {
        let _ = (state, world);
    }
    #[doc(hidden)]
    fn item<'w>(
        claimed: <Self::Claim as Claim>::Claimed<'w>,
        state: &'w mut Self::State,
    ) -> Self::Item<'w>;
    /// Applies what a run recorded, when the world is whole again.
    #[doc(hidden)]
    fn apply(state: &mut Self::State, world: &mut World) {
        let _ = (state, world);
    }
}

impl<Q: Query> Param for View<'_, Q> {
    type Claim = Q::Fetch;
    type State = ();
    type Item<'w> = View<'w, Q>;

    #[inline]
    fn item<'w>(join: Join<'w, Q::Fetch, ()>, (): &'w mut ()) -> View<'w, Q> {
        View::new(join)
    }
}

macro_rules! resource_params {
    ($($name:ident [$($mutable:tt)?],)+) => {$(
        impl<T: Resource> Param for &$($mutable)? T {
            type Claim = Asked<$name<T>>;
            type State = ();
            type Item<'w> = &'w $($mutable)? T;

            #[inline]
            fn item<'w>(resource: Self::Item<'w>, (): &'w mut ()) -> Self::Item<'w> {
                resource
            }
        }
        impl<T: Resource> Param for Option<&$($mutable)? T> {
            type Claim = Asked<Option<$name<T>>>;
            type State = ();
            type Item<'w> = Option<&'w $($mutable)? T>;

            #[inline]
            fn item<'w>(resource: Self::Item<'w>, (): &'w mut ()) -> Self::Item<'w> {
                resource
            }
        }
    )+};
}
resource_params!(Res [], ResMut [mut],);

/// A value of a system's own: its `Default` at first, and then what the last run left. A [`Param`].
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

/// What a system can keep from run to run.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be kept by a system",
    label = "not `Default + Send + Sync + 'static`",
    note = "a `Local` begins with its `Default`, and a schedule may go to another thread"
)]
pub trait Kept: Default + Send + Sync + 'static {}
#[diagnostic::do_not_recommend]
impl<T: Default + Send + Sync + 'static> Kept for T {}

impl<T: Kept> Param for Local<'_, T> {
    type Claim = Asked<()>;
    type State = T;
    type Item<'w> = Local<'w, T>;

    #[inline]
    fn item<'w>((): (), state: &'w mut T) -> Local<'w, T> {
        Local(state)
    }
}

impl Param for &mut Commands {
    type Claim = Asked<()>;
    type State = Commands;
    type Item<'w> = &'w mut Commands;
    const RECORDS: bool = true;

    #[inline]
    fn item((): (), state: &mut Commands) -> &mut Commands {
        state
    }
    fn apply(state: &mut Commands, world: &mut World) {
        if !state.is_empty() {
            state.apply(world);
        }
    }
}

/// Systems that reserve entities run in the order of their list, so that each gets the same ones in each run.
impl Param for Reserver<'_> {
    type Claim = EntityFetch;
    type State = ();
    type Item<'w> = Reserver<'w>;
    const ACCESS: Access = Access::of_resource(
        ComponentId::of(Some("ecs"), None, "entities", "Reserver", 0, 0),
        || u32::MAX,
        "Reserver",
        Mode::Write,
    );

    #[inline]
    fn item<'w>(join: Join<'w, EntityFetch, ()>, (): &'w mut ()) -> Reserver<'w> {
        join.reserver()
    }
}

/// A reader that begins at the first run.
#[doc(hidden)]
pub struct Reads<T>(Option<Changes<T>>);

impl<T> Default for Reads<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Tracked> Param for &Changes<T> {
    type Claim = Asked<()>;
    type State = Reads<T>;
    type Item<'w> = &'w Changes<T>;
    /// Whoever writes a `T` before is to be heard of, and whoever does after is not.
    const ACCESS: Access = Access::of::<T>(Mode::Read);

    fn prepare(state: &mut Reads<T>, world: &mut World) {
        let changes = state.0.get_or_insert_with(|| world.changes_from_all());
        world.advance(changes);
    }
    #[inline]
    fn item((): (), state: &mut Reads<T>) -> &Changes<T> {
        state.0.as_ref().expect("it was made before the run")
    }
}
