//! Schedules: systems that are run again and again, in the order of a list.

use crate::system::System;
use crate::world::World;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt::{self, Write as _};
use core::marker::PhantomData;
#[cfg(feature = "std")]
use core::time::Duration;

/// Systems in a list, which are run in its order, as often as wanted. Each keeps what is its own from run to run.
///
/// What systems record as [`Commands`](crate::Commands) is applied at the end of a run, and where the list says
/// [`sync`](Self::sync), in the order of the list.
///
/// A system that returns an `Err` ends itself only: the others are run, and [`run`](Self::run) tells of all errors.
///
/// A schedule is built once; a run allocates nothing by itself.
///
/// ```
/// use ecs::{Commands, Component, Resource, Schedule, View, World};
///
/// #[derive(Component)]
/// struct Health(u32);
/// #[derive(Component)]
/// struct Poison(u32);
/// #[derive(Resource, Default)]
/// struct Paused(bool);
///
/// fn hurt(sick: View<(&mut Health, &Poison)>) {
///     for (_, health, poison) in sick {
///         health.0 = health.0.saturating_sub(poison.0);
///     }
/// }
/// fn bury(all: View<&Health>, commands: &mut Commands) {
///     for (entity, health) in all {
///         if health.0 == 0 {
///             commands.despawn(entity);
///         }
///     }
/// }
/// fn is_running(paused: &Paused) -> bool {
///     !paused.0
/// }
///
/// let mut frame = Schedule::new().add_if(is_running, hurt).add(bury);
/// let mut world = World::new();
/// world.insert_resource(Paused::default());
/// world.spawn_batch([(Health(3), Poison(1)), (Health(1), Poison(1))]);
/// frame.run(&mut world)?;
/// assert_eq!(world.len(), 1);
/// world.resource_mut::<Paused>().0 = true;
/// frame.run(&mut world)?;
/// assert_eq!(world.view::<&Health>().single().unwrap().1.0, 2);
/// # Ok::<(), ecs::ScheduleError>(())
/// ```
#[derive(Default)]
pub struct Schedule {
    steps: Vec<Step>,
}

struct Step {
    name: &'static str,
    kind: Kind,
    is_on: bool,
    #[cfg(feature = "std")]
    took: Duration,
}

enum Kind {
    System(Box<dyn Run>),
    Sync,
    Nested(Schedule),
}

/// A system with its condition and what both keep, of whatever type.
trait Run: Send + Sync {
    fn run(&mut self, world: &mut World) -> Result<(), Failure>;
    fn apply(&mut self, world: &mut World);
}

type Failure = Box<dyn Error + Send + Sync>;

/// What a system of a schedule may return: nothing, or a `Result` of nothing.
///
/// ```
/// # use ecs::{Outcome, Schedule, World};
/// fn fails() -> Result<(), std::num::ParseIntError> {
///     let _: u32 = "x".parse()?;
///     Ok(())
/// }
/// fn is_an_outcome<O: Outcome>(_: fn() -> O) {}
/// is_an_outcome(fails);
/// let error = Schedule::new().add(fails).run(&mut World::new()).unwrap_err();
/// assert_eq!(error.to_string(), "system `fails` failed: invalid digit found in string");
/// ```
#[diagnostic::on_unimplemented(
    message = "a system of a schedule returns nothing or a `Result<(), Error>`, not `{Self}`",
    label = "nobody would have it",
    note = "`World::run` gives what a system returns"
)]
pub trait Outcome {
    #[doc(hidden)]
    fn into_result(self) -> Result<(), Failure>;
}

impl Outcome for () {
    fn into_result(self) -> Result<(), Failure> {
        Ok(())
    }
}

impl<E: Into<Failure>> Outcome for Result<(), E> {
    fn into_result(self) -> Result<(), Failure> {
        self.map_err(Into::into)
    }
}

struct Runner<S, T, C, D> {
    system: S,
    state: T,
    condition: C,
    condition_state: D,
}

struct Typed<M, N, S: System<M>, C: System<N>>(Runner<S, S::State, C, C::State>, Markers<M, N>);

/// What the parameters of both are told by.
type Markers<M, N> = PhantomData<fn() -> (M, N)>;

impl<M, N, S, C> Run for Typed<M, N, S, C>
where
    S: System<M, Out: Outcome> + Send + Sync,
    C: System<N, Out = bool> + Send + Sync,
{
    fn run(&mut self, world: &mut World) -> Result<(), Failure> {
        let Runner { system, state, condition, condition_state } = &mut self.0;
        if condition.run(condition_state, world) {
            system.run(state, world).into_result()
        } else {
            Ok(())
        }
    }

    fn apply(&mut self, world: &mut World) {
        C::apply(&mut self.0.condition_state, world);
        S::apply(&mut self.0.state, world);
    }
}

impl Schedule {
    /// Without systems.
    ///
    /// ```
    /// # use ecs::{Schedule, World};
    /// assert!(Schedule::new().run(&mut World::new()).is_ok());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { steps: Vec::new() }
    }

    /// Adds a system, to be run after all that the list has.
    ///
    /// ```
    /// # use ecs::{Resource, Schedule, World};
    /// # #[derive(Resource, Debug, PartialEq)] struct Count(u32);
    /// let mut schedule = Schedule::new()
    ///     .add(|count: &mut Count| count.0 += 1)
    ///     .add(|count: &mut Count| count.0 *= 10);
    /// let mut world = World::new();
    /// world.insert_resource(Count(1));
    /// schedule.run(&mut world).unwrap();
    /// assert_eq!(*world.resource::<Count>(), Count(20));
    /// ```
    #[must_use]
    #[expect(
        clippy::should_implement_trait,
        reason = "the field's word; nobody adds schedules by `+`"
    )]
    pub fn add<M: 'static, S>(self, system: S) -> Self
    where
        S: System<M, Out: Outcome> + Send + Sync + 'static,
    {
        self.add_if(|| true, system)
    }

    /// Adds a system that is run when the condition is: a system that returns a `bool`, asked just before.
    ///
    /// ```
    /// # use ecs::{Component, Schedule, View, World};
    /// # #[derive(Component)] struct Health(u32);
    /// fn is_anybody_there(healths: View<&Health>) -> bool {
    ///     !healths.is_empty()
    /// }
    /// let mut schedule = Schedule::new().add_if(is_anybody_there, |world: &mut World| {
    ///     world.clear();
    /// });
    /// let mut world = World::new();
    /// world.spawn(Health(3));
    /// schedule.run(&mut world).unwrap();
    /// assert!(world.is_empty());
    /// ```
    #[must_use]
    pub fn add_if<M: 'static, N: 'static, S, C>(self, condition: C, system: S) -> Self
    where
        S: System<M, Out: Outcome> + Send + Sync + 'static,
        C: System<N, Out = bool> + Send + Sync + 'static,
    {
        let name = short_name(core::any::type_name::<S>());
        let (state, condition_state) = Default::default();
        let runner = Runner { system, state, condition, condition_state };
        self.step(name, Kind::System(Box::new(Typed(runner, PhantomData))))
    }

    /// Applies here what systems before this recorded.
    ///
    /// ```
    /// # use ecs::{Commands, Component, Reserver, Schedule, View, World};
    /// # #[derive(Component)] struct Health(u32);
    /// fn spawn(reserver: Reserver, commands: &mut Commands) {
    ///     commands.spawn(reserver, Health(3));
    /// }
    /// fn is_there(healths: View<&Health>) {
    ///     assert_eq!(healths.count(), 1);
    /// }
    /// Schedule::new().add(spawn).sync().add(is_there).run(&mut World::new()).unwrap();
    /// ```
    #[must_use]
    pub fn sync(self) -> Self {
        self.step("sync", Kind::Sync)
    }

    /// Adds a list of systems under a name, by which it can be [switched off](Self::switch).
    ///
    /// ```
    /// # use ecs::{Resource, Schedule, World};
    /// # #[derive(Resource)] struct Ticks(u32);
    /// let physics = Schedule::new().add(|ticks: &mut Ticks| ticks.0 += 1);
    /// let mut frame = Schedule::new().add_all("physics", physics);
    /// let mut world = World::new();
    /// world.insert_resource(Ticks(0));
    /// frame.run(&mut world).unwrap();
    /// assert!(frame.switch("physics", false));
    /// frame.run(&mut world).unwrap();
    /// assert_eq!(world.resource::<Ticks>().0, 1);
    /// ```
    #[must_use]
    pub fn add_all(self, name: &'static str, systems: Self) -> Self {
        self.step(name, Kind::Nested(systems))
    }

    fn step(mut self, name: &'static str, kind: Kind) -> Self {
        self.steps.push(Step {
            name,
            kind,
            is_on: true,
            #[cfg(feature = "std")]
            took: Duration::ZERO,
        });
        self
    }

    /// Switches all systems and lists with this name on or off, here and in lists within. Whether there is any.
    ///
    /// ```
    /// # use ecs::{Schedule, World};
    /// fn fails() -> Result<(), String> {
    ///     Err("no".into())
    /// }
    /// let mut schedule = Schedule::new().add(fails);
    /// assert!(schedule.switch("fails", false) && !schedule.switch("other", false));
    /// assert!(schedule.run(&mut World::new()).is_ok());
    /// ```
    pub fn switch(&mut self, name: &str, is_on: bool) -> bool {
        let mut is_there = false;
        for step in &mut self.steps {
            if step.name == name {
                (step.is_on, is_there) = (is_on, true);
            }
            if let Kind::Nested(nested) = &mut step.kind {
                is_there |= nested.switch(name, is_on);
            }
        }
        is_there
    }

    /// Runs all systems in the order of the list, and applies what they recorded.
    ///
    /// # Errors
    /// What systems returned as errors, all of them, after all were run.
    ///
    /// # Panics
    /// When a system does: those after it are not run, and what was recorded is applied by the next run. As
    /// [`World::run`].
    ///
    /// ```
    /// # use ecs::{Schedule, World};
    /// let mut schedule = Schedule::new()
    ///     .add(|| Err::<(), _>("first"))
    ///     .add(|| Err::<(), _>("second"));
    /// let error = schedule.run(&mut World::new()).unwrap_err();
    /// assert_eq!(error.errors().len(), 2);
    /// ```
    #[track_caller]
    pub fn run(&mut self, world: &mut World) -> Result<(), ScheduleError> {
        let mut errors = Vec::new();
        self.run_steps(world, &mut errors);
        if errors.is_empty() { Ok(()) } else { Err(ScheduleError(errors)) }
    }

    #[track_caller]
    fn run_steps(&mut self, world: &mut World, errors: &mut Vec<(&'static str, Failure)>) {
        for at in 0..self.steps.len() {
            let step = &mut self.steps[at];
            if !step.is_on {
                continue;
            }
            #[cfg(feature = "std")]
            let start = std::time::Instant::now();
            match &mut step.kind {
                Kind::System(system) => {
                    errors.extend(system.run(world).err().map(|error| (step.name, error)));
                }
                Kind::Nested(nested) => nested.run_steps(world, errors),
                Kind::Sync => self.apply(at, world),
            }
            #[cfg(feature = "std")]
            {
                self.steps[at].took = start.elapsed();
            }
        }
        self.apply(self.steps.len(), world);
    }

    /// Applies what the first systems recorded.
    fn apply(&mut self, end: usize, world: &mut World) {
        for step in &mut self.steps[..end] {
            if let Kind::System(system) = &mut step.kind {
                system.apply(world);
            }
        }
    }

    /// The systems and lists in order, and how long each took when it was run last, what was applied at `sync`
    /// included: zero, if never.
    ///
    /// ```
    /// # use ecs::{Schedule, World};
    /// fn wait() {
    ///     std::thread::sleep(std::time::Duration::from_millis(2));
    /// }
    /// let mut schedule = Schedule::new().add(wait);
    /// schedule.run(&mut World::new()).unwrap();
    /// let (name, took) = schedule.times().next().unwrap();
    /// assert!(name == "wait" && took.as_millis() >= 2);
    /// ```
    #[cfg(feature = "std")]
    pub fn times(&self) -> impl Iterator<Item = (&'static str, Duration)> {
        self.steps.iter().map(|step| (step.name, step.took))
    }
}

/// The name of a function without its modules; that of a closure has the function around it.
fn short_name(full: &'static str) -> &'static str {
    let base = full.split_once('<').map_or(full, |(base, _)| base);
    let own = base.strip_suffix("::{{closure}}").unwrap_or(base);
    let start = own.rfind("::").map_or(0, |at| at + 2);
    &full[start..]
}

/// The names, in order; lists within in brackets.
impl fmt::Debug for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('[')?;
        for (at, step) in self.steps.iter().enumerate() {
            write!(f, "{}{}", if at > 0 { ", " } else { "" }, step.name)?;
            if let Kind::Nested(nested) = &step.kind {
                write!(f, " {nested:?}")?;
            }
            if !step.is_on {
                f.write_str(" (off)")?;
            }
        }
        f.write_char(']')
    }
}

/// What systems of a [`Schedule`] returned as errors, in the order in which they were run.
///
/// ```
/// # use ecs::{Schedule, World};
/// fn load() -> Result<(), &'static str> {
///     Err("the file is empty")
/// }
/// let error = Schedule::new().add(load).run(&mut World::new()).unwrap_err();
/// assert_eq!(error.to_string(), "system `load` failed: the file is empty");
/// ```
#[derive(Debug)]
pub struct ScheduleError(Vec<(&'static str, Failure)>);

impl ScheduleError {
    /// Each system's name and its error.
    ///
    /// ```
    /// # use ecs::{Schedule, World};
    /// fn load() -> Result<(), &'static str> {
    ///     Err("the file is empty")
    /// }
    /// let error = Schedule::new().add(load).run(&mut World::new()).unwrap_err();
    /// let (system, error) = error.errors().next().unwrap();
    /// assert_eq!((system, error.to_string()), ("load", "the file is empty".to_owned()));
    /// ```
    #[must_use]
    pub fn errors(
        &self,
    ) -> impl ExactSizeIterator<Item = (&'static str, &(dyn Error + Send + Sync + 'static))> {
        self.0.iter().map(|(system, error)| (*system, &**error))
    }
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (system, error)) in self.0.iter().enumerate() {
            let between = if at > 0 { "; " } else { "" };
            write!(f, "{between}system `{system}` failed: {error}")?;
        }
        Ok(())
    }
}

impl Error for ScheduleError {}
