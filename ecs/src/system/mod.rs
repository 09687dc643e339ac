//! Systems: functions that get their parameters from a world.
//!
//! parts < param < split, (this) < `calling_thread`, stays, plan < run < list, `time_stats`, timeline, share < schedule < snapshot,
//! tuple, overlap

pub(crate) mod app_state;
pub(crate) mod calling_thread;
pub(crate) mod fixed_step;
#[cfg(debug_assertions)]
pub(crate) mod late;
pub(crate) mod list;
#[cfg(feature = "parallel")]
mod overlap;
pub(crate) mod param;
pub(crate) mod parts;
pub(crate) mod plan;
pub(crate) mod run;
pub(crate) mod schedule;
#[cfg(feature = "parallel")]
pub(crate) mod share;
pub(crate) mod snapshot;
pub(crate) mod split;
pub(crate) mod stays;
pub(crate) mod steps;
#[cfg(test)]
mod tests;
#[cfg(feature = "std")]
pub(crate) mod time_stats;
#[cfg(feature = "std")]
mod timeline;
pub(crate) mod tuple;

use crate::commands::applied::Applied;
use crate::component::alias::{self, Borrower, Owner};
use crate::system::param::{Param, SupplySet, take};
use crate::system::parts::VisitParts;
use crate::tuples::for_each_tuple;
use crate::world::World;

/// A function or closure of up to twelve [`Param`](crate::Param)s: run by [`World::run`], or again and again by a
/// [`Schedule`](crate::Schedule). It returns nothing, a value, or, in a schedule, a `Result`.
///
/// No parameter may access data that another one writes, like the views of [`World::split_mut`]. The compiler
/// checks it when the system is used. `&World` reads everything. Beside `&mut World` there is no other parameter.
///
/// In a schedule, two systems may overlap if neither accesses data that the other one writes. A system that takes
/// `&mut World` runs alone.
///
/// `Marker` differs between closures of different parameters; it is inferred. A function that passes a system on to
/// [`Schedule::add`](crate::Schedule::add) takes an `impl System<M, Out: SystemOutput> + Send + Sync + 'static`, with
/// an `M: 'static`; one that passes on a condition takes an `impl System<M, Out = bool>` with the other bounds.
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
    note = "a system is a function of up to 12 parameters, as `ecs::Param` lists them"
)]
pub trait System<Marker>: Takes<Marker> {
    /// The supplies of its parameters.
    #[doc(hidden)]
    type Supplies: SupplySet;
    /// `true` if the system stays on the thread that runs the schedule.
    #[doc(hidden)]
    const STAYS: bool = Self::Supplies::STAYS;
    /// Runs the system once, with the values that its parameters are made of.
    #[doc(hidden)]
    fn call(&mut self, given: <Self::Supplies as SupplySet>::Given<'_>) -> Self::Out;
    /// Calls `visit` with the values that a closure captures. A function has none.
    #[doc(hidden)]
    fn visit(&mut self, visit: &mut VisitParts<'_>)
    where
        Self: Sized,
    {
        if const { size_of::<Self>() > 0 } {
            visit.refuse_captured();
        }
    }
}

/// The state that a system keeps from run to run.
pub(crate) type State<S> = <S as SupplySet>::State;

/// Checks that no parameter of a system accesses data that another one writes: for constants, where a user
/// names the system.
///
/// # Panics
/// When one does.
#[track_caller]
pub(crate) const fn check_params<M, S: System<M>>() {
    alias::refuse_alias_among(Owner::System(""), S::Supplies::CLAIMED);
}

/// Runs a system once, after [`check_params`].
#[inline]
#[track_caller]
pub(crate) fn run<M, S: System<M>>(
    system: &mut S,
    state: &mut State<S::Supplies>,
    world: &mut World,
    by: Borrower<'_>,
) -> S::Out {
    S::Supplies::prepare(state, world);
    system.call(take::<S::Supplies>(world, state, by))
}

/// A function with this number of parameters of any types. So the compiler infers a system's parameters before it
/// checks each of them, and reports the wrong one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system",
    label = "not a system",
    note = "a system is a function of up to 12 parameters, as `ecs::Param` lists them"
)]
pub trait Takes<Marker> {
    /// Its result.
    type Out;
    /// The name of its type.
    #[must_use]
    fn name() -> &'static str {
        core::any::type_name::<Self>()
    }
}

impl<R, F: FnMut() -> R> Takes<((), R)> for F {
    type Out = R;
}

impl<R, F: FnMut() -> R> System<((), R)> for F {
    type Supplies = ();
    #[inline]
    fn call(&mut self, (): ()) -> R {
        self()
    }
}

macro_rules! system_of_params {
    ($($name:ident $index:tt $next:tt,)+) => {
        impl<R, Func, $($name),+> Takes<(($($name,)+), R)> for Func
        where
            Func: FnMut($($name),+) -> R,
        {
            type Out = R;
        }

        impl<R, Func, $($name: Param),+> System<(($($name,)+), R)> for Func
        where
            Func: FnMut($($name),+) -> R + for<'w> FnMut($($name::Item<'w>),+) -> R,
        {
            type Supplies = ($($name::Supply,)+);

            #[inline]
            fn call(&mut self, given: <Self::Supplies as SupplySet>::Given<'_>) -> R {
                /// Calls a function with parameters that the compiler need not infer.
                #[inline]
                #[allow(clippy::too_many_arguments, reason = "one a parameter")]
                #[expect(non_snake_case, reason = "parameters are named like their types")]
                fn call<R, $($name),+>(
                    mut system: impl FnMut($($name),+) -> R,
                    $($name: $name,)+
                ) -> R {
                    system($($name),+)
                }
                call::<R, $($name::Item<'_>),+>(&mut *self, $(given.$index.into()),+)
            }
        }
    };
}
for_each_tuple!(system_of_params);

/// # Running one system
impl World {
    /// Runs a system once, with fresh [`Local`](crate::Local)s, then applies the commands that it recorded. Returns the
    /// system's result. Commands that cannot be applied are skipped; only a [strict](crate::Schedule::set_strict)
    /// schedule reports them.
    ///
    /// # Panics
    /// When there is no such resource, unless the parameter is an `Option`; when parameters alias by generic
    /// components, which only the running process can compare.
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
    pub fn run<M, S: Takes<M> + System<M>>(&mut self, mut system: S) -> S::Out {
        const { check_params::<M, S>() };
        let mut state = State::<S::Supplies>::default();
        let by = Borrower::new(Owner::System(S::name()), None);
        let out = run(&mut system, &mut state, self, by);
        S::Supplies::apply(&mut state, self, &mut Applied::default());
        out
    }
}
