//! Systems of any type, as lists keep them.

use crate::commands::applied::Applied;
use crate::component::access::is_exclusive;
use crate::component::alias::{Borrower, Owner};
#[cfg(feature = "parallel")]
use crate::query::claim::{Claims, Compared};
use crate::system::param::SupplySet;
use crate::system::parts::VisitParts;
use crate::system::{self, State, System};
use crate::world::World;
use alloc::boxed::Box;
use core::error::Error;
use core::marker::PhantomData;
use core::panic::Location;

pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// The place in the user's code that runs the schedule of a system.
pub(crate) type Caller = Option<&'static Location<'static>>;

/// The result of a system of a schedule: nothing, or a `Result` of nothing.
///
/// ```
/// # use ecs::{SystemOutput, Schedule, World};
/// fn fails() -> Result<(), std::num::ParseIntError> {
///     let _: u32 = "x".parse()?;
///     Ok(())
/// }
/// fn is_an_outcome<O: SystemOutput>(_: fn() -> O) {}
/// is_an_outcome(fails);
/// let error = Schedule::new().add(fails).run(&mut World::new()).unwrap_err();
/// assert_eq!(error.to_string(), "system `fails` failed: invalid digit found in string");
/// ```
#[diagnostic::on_unimplemented(
    message = "a system of a schedule returns nothing or a `Result<(), Error>`, not `{Self}`",
    label = "a schedule drops this result",
    note = "`World::run` returns the result of a system"
)]
pub trait SystemOutput {
    #[doc(hidden)]
    fn into_result(self) -> Result<(), Failure>;
}

impl SystemOutput for () {
    #[inline]
    fn into_result(self) -> Result<(), Failure> {
        Ok(())
    }
}

impl<E: Into<Failure>> SystemOutput for Result<(), E> {
    fn into_result(self) -> Result<(), Failure> {
        self.map_err(Into::into)
    }
}

/// The result of a condition: a `bool`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a condition returns a `bool`, not `{Self}`",
    label = "neither yes nor no"
)]
pub trait Answer {
    fn into_bool(self) -> bool;
}

impl Answer for bool {
    #[inline]
    fn into_bool(self) -> bool {
        self
    }
}

/// A system and its state.
#[doc(hidden)]
pub trait Run: Send + Sync {
    /// Runs the system; the schedule is run by `caller`.
    fn run(&mut self, world: &mut World, caller: Caller) -> Result<(), Failure>;
    /// Applies its commands, and counts the ones that it cannot.
    fn apply(&mut self, world: &mut World, applied: &mut Applied);
    /// Calls `visit` with each part of its state that a snapshot holds.
    fn visit(&mut self, visit: &mut VisitParts<'_>);
    /// Adds its accesses to the accesses that may be claimed at one time.
    #[cfg(feature = "parallel")]
    fn compare(&self, compared: &mut Compared);
    /// Gets ready for a run, while the world is whole.
    #[cfg(feature = "parallel")]
    fn prepare(&mut self, world: &mut World);
    /// Returns a run, for any thread, with claims made now.
    #[cfg(feature = "parallel")]
    fn claim<'w>(&'w mut self, claims: &mut Claims<'w>, caller: Caller) -> SystemWork<'w>;
}

/// A run of a system on any thread.
#[cfg(feature = "parallel")]
pub(crate) type SystemWork<'w> = Box<dyn FnOnce() -> Result<(), Failure> + Send + 'w>;

/// A condition and its state.
#[doc(hidden)]
pub trait Ask: Send + Sync {
    /// Evaluates the condition; the schedule is run by `caller`.
    fn ask(&mut self, world: &mut World, caller: Caller) -> bool;
    /// Calls `visit` with each part of its state that a snapshot holds.
    fn visit(&mut self, visit: &mut VisitParts<'_>);
}

/// The marker type of a system.
type MarkerOf<M> = PhantomData<fn() -> M>;

struct SystemWithState<M, S: System<M>> {
    system: S,
    state: State<S::Supplies>,
    marker: MarkerOf<M>,
}

impl<M, S: System<M>> SystemWithState<M, S> {
    fn new(system: S) -> Self {
        Self { system, state: State::<S::Supplies>::default(), marker: PhantomData }
    }

    fn visit_all(&mut self, visit: &mut VisitParts<'_>) {
        if const { size_of::<Self>() > 0 } {
            self.system.visit(visit);
            S::Supplies::visit(&mut self.state, visit);
        }
    }
}

impl<M, S: System<M, Out: SystemOutput> + Send + Sync> Run for SystemWithState<M, S> {
    fn run(&mut self, world: &mut World, caller: Caller) -> Result<(), Failure> {
        let by = Borrower::new(Owner::System(S::name()), caller);
        if const { !is_exclusive(<S::Supplies as SupplySet>::CLAIMED) } {
            return system::run(&mut self.system, &mut self.state, world, by).into_result();
        }
        // It may put another world in place.
        world.entities.set_in_turns(false);
        let result = system::run(&mut self.system, &mut self.state, world, by).into_result();
        world.entities.set_in_turns(true);
        result
    }
    fn apply(&mut self, world: &mut World, applied: &mut Applied) {
        S::Supplies::apply(&mut self.state, world, applied);
    }
    fn visit(&mut self, visit: &mut VisitParts<'_>) {
        self.visit_all(visit);
    }
    #[cfg(feature = "parallel")]
    fn compare(&self, compared: &mut Compared) {
        compared.add::<<S::Supplies as SupplySet>::Claims>();
    }
    #[cfg(feature = "parallel")]
    fn prepare(&mut self, world: &mut World) {
        S::Supplies::prepare(&mut self.state, world);
    }
    #[cfg(feature = "parallel")]
    fn claim<'w>(&'w mut self, claims: &mut Claims<'w>, caller: Caller) -> SystemWork<'w> {
        let by = Borrower::new(Owner::System(S::name()), caller);
        let claimed = claims.claim::<<S::Supplies as SupplySet>::Claims>(by);
        Box::new(move || {
            self.system.call(S::Supplies::given(claimed, &mut self.state)).into_result()
        })
    }
}

impl<M, S: System<M, Out: Answer> + Send + Sync> Ask for SystemWithState<M, S> {
    fn ask(&mut self, world: &mut World, caller: Caller) -> bool {
        let by = Borrower::new(Owner::Condition(S::name()), caller);
        system::run(&mut self.system, &mut self.state, world, by).into_bool()
    }
    fn visit(&mut self, visit: &mut VisitParts<'_>) {
        self.visit_all(visit);
    }
}

/// Boxes a system with checked parameters. One that keeps nothing takes no memory.
pub(crate) fn boxed<M: 'static, S>(system: S) -> Box<dyn Run>
where
    S: System<M, Out: SystemOutput> + Send + Sync + 'static,
{
    Box::new(SystemWithState::new(system))
}

/// Boxes a condition with checked parameters.
pub(crate) fn boxed_condition<M: 'static, S>(system: S) -> Box<dyn Ask>
where
    S: System<M, Out: Answer> + Send + Sync + 'static,
{
    Box::new(SystemWithState::new(system))
}
