//! Systems: functions that are given what they ask for of a world.

//!
//! param < (this) < plan < run < list, timeline, share < schedule < overlap

pub(crate) mod fixed_step;
pub(crate) mod list;
#[cfg(feature = "parallel")]
mod overlap;
pub(crate) mod param;
pub(crate) mod plan;
pub(crate) mod run;
pub(crate) mod schedule;
#[cfg(feature = "parallel")]
pub(crate) mod share;
#[cfg(feature = "std")]
mod timeline;

use crate::component::access::Access;
use crate::component::alias;
use crate::component::clash::ORDINALS;
use crate::query::claim::ClaimSet;
use crate::system::param::Param;
use crate::tuples::for_each_tuple;
use crate::world::World;

/// A function or closure of up to twelve [`Param`]s, or of `&mut World`: run by [`World::run`], or again and again
/// by a [`Schedule`](crate::Schedule). It returns nothing, a value, or, in a schedule, a `Result`.
///
/// No parameter may touch what another one writes, as of the views of [`World::split_mut`]. The compiler checks it
/// when the system is used.
///
/// In a schedule, systems that touch nothing that another one writes may overlap. One that takes `&mut World` runs alone.
///
/// `Marker` tells closures of different parameters apart; it is inferred.
///
/// ```
/// use ecs::{Commands, Component, Resource, System, View, World};
///
/// #[derive(Component)]
/// struct Health(u32);
/// #[derive(Resource)]
/// struct Fallen(u32);
///
/// fn bury(healths: View<&Health>, fallen: &mut Fallen, commands: &mut Commands) {
///     for (entity, health) in healths {
///         if health.0 == 0 {
///             fallen.0 += 1;
///             commands.despawn(entity);
///         }
///     }
/// }
/// fn run_twice<M>(world: &mut World, system: impl System<M> + Copy) {
///     world.run(system);
///     world.run(system);
/// }
///
/// let mut world = World::new();
/// world.insert_resource(Fallen(0));
/// world.spawn_batch([Health(0), Health(3), Health(0)]);
/// run_twice(&mut world, bury);
/// assert_eq!((world.resource::<Fallen>().0, world.len()), (2, 1));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system",
    label = "not a system",
    note = "a system is a function of up to 12 parameters, each `View<Query>`, `&Resource`, `&mut Resource`, \
            `Local<T>`, `&mut Commands`, `Reserver` or `&Changes<T>`; or of `&mut World` alone"
)]
pub trait System<Marker> {
    /// What it keeps from run to run.
    #[doc(hidden)]
    type State: Default + Send + Sync + 'static;
    /// What it returns.
    type Out;
    /// What it claims of the world.
    #[doc(hidden)]
    type Claims: ClaimSet;
    /// What it touches.
    #[doc(hidden)]
    const TOUCH: Touch;
    /// Whether a run may record what is to be applied.
    #[doc(hidden)]
    const RECORDS: bool = false;
    /// Gets ready for a run, while the world is whole.
    #[doc(hidden)]
    #[inline]
    fn prepare(state: &mut Self::State, world: &mut World) {
        let _ = (state, world);
    }
    /// Runs it once, with what was claimed.
    #[doc(hidden)]
    fn call<'w>(
        &mut self,
        claimed: <Self::Claims as ClaimSet>::Claimed<'w>,
        state: &'w mut Self::State,
    ) -> Self::Out;
    /// Runs it once.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    fn run(&mut self, state: &mut Self::State, world: &mut World) -> Self::Out {
        const { alias::refuse_param_alias(&ORDINALS, <Self::Claims as ClaimSet>::ACCESSES) };
        Self::prepare(state, world);
        self.call(world.claim::<Self::Claims>(&ORDINALS), state)
    }
    /// Applies what it recorded.
    #[doc(hidden)]
    fn apply(state: &mut Self::State, world: &mut World) {
        let _ = (state, world);
    }
}

/// What a system touches.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Touch {
    /// The whole world: so it runs alone.
    World,
    /// What each of its parameters does.
    Params(&'static [Access]),
}

/// The marker of a function of `&mut World`.
#[doc(hidden)]
#[derive(Debug)]
pub struct OfWorld;

impl<R, F: FnMut(&mut World) -> R> System<(OfWorld, R)> for F {
    type State = ();
    type Out = R;
    type Claims = ();
    const TOUCH: Touch = Touch::World;
    fn call(&mut self, (): (), (): &mut ()) -> R {
        unreachable!("it is run with the world")
    }
    #[inline]
    fn run(&mut self, (): &mut (), world: &mut World) -> R {
        self(world)
    }
}

impl<R, F: FnMut() -> R> System<((), R)> for F {
    type State = ();
    type Out = R;
    type Claims = ();
    const TOUCH: Touch = Touch::Params(&[]);
    #[inline]
    fn call(&mut self, (): (), (): &mut ()) -> R {
        self()
    }
    #[inline]
    fn run(&mut self, (): &mut (), _: &mut World) -> R {
        self()
    }
}

macro_rules! system_of_params {
    ($($name:ident $index:tt $next:tt,)+) => {
        #[diagnostic::do_not_recommend]
        impl<R, Func, $($name: Param),+> System<(($($name,)+), R)> for Func
        where
            Func: FnMut($($name),+) -> R + for<'w> FnMut($($name::Item<'w>),+) -> R,
        {
            type State = ($($name::State,)+);
            type Out = R;
            type Claims = ($($name::Claim,)+);
            const TOUCH: Touch = Touch::Params(&[$($name::ACCESS),+]);
            const RECORDS: bool = $($name::RECORDS)||+;

            #[inline]
            fn prepare(state: &mut Self::State, world: &mut World) {
                $($name::prepare(&mut state.$index, world);)+
            }

            #[inline]
            fn call<'w>(
                &mut self,
                claimed: <Self::Claims as ClaimSet>::Claimed<'w>,
                state: &'w mut Self::State,
            ) -> R {
                /// The call, of a function whose parameters the compiler need not infer.
                #[inline]
                #[allow(clippy::too_many_arguments, reason = "one a parameter")]
                #[expect(non_snake_case, reason = "parameters are named like their types")]
                fn call<R, $($name),+>(
                    mut system: impl FnMut($($name),+) -> R,
                    $($name: $name,)+
                ) -> R {
                    system($($name),+)
                }
                call(&mut *self, $($name::item(claimed.$index, &mut state.$index)),+)
            }

            fn apply(state: &mut Self::State, world: &mut World) {
                $($name::apply(&mut state.$index, world);)+
            }
        }
    };
}
for_each_tuple!(system_of_params);

impl World {
    /// Runs a system once: with fresh [`Local`](crate::Local)s, and with all that it recorded applied. What it
    /// returns.
    ///
    /// # Panics
    /// When there is no such resource, unless it is asked for by an `Option`; when parameters alias by generic
    /// components, which only the running process can tell apart.
    ///
    /// ```
    /// # use ecs::{Component, View, World};
    /// # #[derive(Component)] struct Health(u32);
    /// fn total(healths: View<&Health>) -> u32 {
    ///     healths.into_iter().map(|(_, health)| health.0).sum()
    /// }
    /// # let mut world = World::new();
    /// world.spawn_batch([Health(3), Health(4)]);
    /// assert_eq!(world.run(total), 7);
    /// ```
    #[track_caller]
    pub fn run<M, S: System<M>>(&mut self, mut system: S) -> S::Out {
        let mut state = S::State::default();
        let out = system.run(&mut state, self);
        S::apply(&mut state, self);
        out
    }
}
