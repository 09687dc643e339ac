//! Schedules: systems that are run again and again, in the order of a list.

use crate::commands::applied::Applied;
use crate::storage::sort::sort_few;
#[cfg(debug_assertions)]
use crate::system::late::LateCommands;
use crate::system::list::Line;
#[cfg(debug_assertions)]
use crate::system::parts::{VisitParts, Way};
use crate::system::plan::{Facts, KnownPlan, Step, applies_before};
use crate::system::run::{Answer, Ask, Caller, Failure, Run, SystemOutput, boxed, boxed_condition};
#[cfg(feature = "parallel")]
use crate::system::share::Shared;
#[cfg(feature = "std")]
use crate::system::time_stats::TimeStats;
#[cfg(feature = "std")]
use crate::system::timeline::{Lap, Laps};
use crate::system::{System, Takes, check_params};
use crate::text::short_name;
use crate::world::World;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt::{self, Write as _};
use core::mem;
use core::panic::Location;
#[cfg(feature = "std")]
use core::time::Duration;
#[cfg(feature = "std")]
use std::time::Instant;

/// A list of systems, which run in its order. Each keeps its own state from run to run.
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
///
/// A schedule is built once. A run allocates nothing by itself, unless threads share it. [`schedule!`](crate::schedule)
/// declares a list with conflicts that are compile errors. A system that returns an `Err` ends only itself: the others
/// run, and [`run`](Self::run) returns all errors. In a [strict](Self::set_strict) schedule, commands that are not applied
/// are errors as well.
///
/// # Commands
///
/// Commands of all systems before a place are applied there, in the order of the list:
///
/// * before a system or a condition that takes `&mut World` or `&World`, which thus sees everything before it. This
///   holds even if the system is switched off or its condition is false; for [`together`](Self::together), it is
///   before the first system;
/// * at the end of a nested list that records commands;
/// * at each [`sync`](Self::sync);
/// * at the end of the run.
///
/// A system between a command and this place does not see its result. Builds with debug assertions
/// [warn](Self::set_warns) of that. [`steps`](Self::steps) and the pictures show the places; so does the
/// [`PLAN`](crate::SchedulePlan::applies) of a [`schedule!`](crate::schedule).
///
/// A nested list that does not run applies nothing. Commands belong to the world in which they were
/// [recorded](crate::Commands#worlds). After a panic, the next run applies the rest first, or drops it in another world.
///
/// # Overlapping systems
///
/// Systems that conflict run in the order of the list. A system that takes `&mut World` conflicts with all. Others may run
/// at the same time, on the threads of rayon's pool, with the feature `parallel`. Before commands are applied, all systems
/// listed before have ended; none listed behind has begun.
///
/// The result is equal to running the list from top to bottom, under every `Sharing` and on any number of threads:
/// components, handles and free indices included. Entities that a system reserves by its
/// [`EntityAllocator`](crate::EntityAllocator) come alive before the next system that can see them. Systems with an
/// `EntityAllocator` take turns; others cannot reserve. If a system panics, systems that overlap it may have run or
/// not.
///
/// # Threads
///
/// A system with a parameter [`CallingThread`](crate::CallingThread), `NonSendRef` or `NonSendMut` stays on the thread
/// that calls [`run`](Self::run), while others may overlap with it. So does a system in a `NonSend`, which may capture
/// values that are not `Send`, and one that takes `&mut World`. Other systems run on any thread. A schedule is `Send`
/// and `Sync` nevertheless. If it runs on another thread than a `NonSend` value's, the system that uses the value
/// panics.
pub struct Schedule {
    pub(crate) steps: Vec<Step>,
    /// One for each step.
    pub(crate) slots: Vec<Slot>,
    /// The numbers of the steps that may record commands.
    recorders: Vec<usize>,
    /// The place in the user's code that runs it.
    pub(crate) caller: Caller,
    /// `true` if a run began and did not end: commands that its systems recorded may be left.
    pub(crate) is_unfinished: bool,
    /// `true` if commands that are not applied are errors.
    is_strict: bool,
    /// The warnings about commands that are applied too late; `None` if there are to be none.
    #[cfg(debug_assertions)]
    late: Option<LateCommands>,
    /// `true` if the time of steps is measured.
    pub(crate) is_timed: bool,
    /// The time of each step in its last run; empty unless the schedule is timed.
    #[cfg(feature = "std")]
    pub(crate) laps: Laps,
    #[cfg(feature = "parallel")]
    pub(crate) shared: Shared,
}

impl Default for Schedule {
    fn default() -> Self {
        Self::new()
    }
}

/// A world in which a schedule runs: entities are reserved in turns, and come alive at the end, also by a panic.
struct Running<'w>(&'w mut World);

impl<'w> Running<'w> {
    fn new(world: &'w mut World) -> Self {
        world.entities.set_in_turns(true);
        Self(world)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.entities.set_in_turns(false);
        self.0.entities.flush();
    }
}

/// The system or condition of a step.
pub(crate) struct Slot {
    pub(crate) kind: SlotKind,
    /// `true` if earlier commands are [applied](applies_before) first, unless a list around it is skipped.
    pub(crate) applies: bool,
    /// `true` if it was switched off by its own name.
    pub(crate) is_off: bool,
    pub(crate) lists: ListsRun,
}

/// `true` if the lists that a step is in are run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListsRun {
    /// One of them was switched off.
    Off,
    /// Skipped, because its condition was false.
    Skipped,
    Run,
}

#[cfg(feature = "serde")]
impl ListsRun {
    /// In the order of their numbers.
    pub(crate) const ALL: [Self; 3] = [Self::Off, Self::Skipped, Self::Run];
}

impl Slot {
    /// Returns `true` if the step runs, unless its own condition is false.
    pub(crate) const fn runs(&self) -> bool {
        matches!(self.lists, ListsRun::Run) && !self.is_off
    }

    /// Returns `true` if neither it nor a list around it is switched off.
    pub(crate) const fn is_on(&self) -> bool {
        !matches!(self.lists, ListsRun::Off) && !self.is_off
    }

    /// Returns `true` if earlier commands are applied before it.
    pub(crate) const fn applies(&self) -> bool {
        matches!(self.lists, ListsRun::Run) && self.applies
    }
}

pub(crate) enum SlotKind {
    System(Box<dyn Run>),
    Conditional(Box<dyn Ask>, Box<dyn Run>),
    Sync,
    Heading,
    ConditionalHeading(Box<dyn Ask>),
}

#[cfg(feature = "parallel")]
impl SlotKind {
    pub(crate) fn system(&self) -> Option<&dyn Run> {
        match self {
            Self::System(system) | Self::Conditional(_, system) => Some(&**system),
            Self::Sync | Self::Heading | Self::ConditionalHeading(_) => None,
        }
    }

    pub(crate) fn system_mut(&mut self) -> Option<&mut Box<dyn Run>> {
        match self {
            Self::System(system) | Self::Conditional(_, system) => Some(system),
            Self::Sync | Self::Heading | Self::ConditionalHeading(_) => None,
        }
    }
}

/// The errors of systems, each with the number of its step.
pub(crate) type Errors = Vec<(usize, Failure)>;

impl Schedule {
    /// Without systems.
    ///
    /// ```
    /// # use ecs::{Schedule, World};
    /// assert!(Schedule::new().run(&mut World::new()).is_ok());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self {
            steps: Vec::new(),
            slots: Vec::new(),
            recorders: Vec::new(),
            caller: None,
            is_unfinished: false,
            is_strict: false,
            #[cfg(debug_assertions)]
            late: Some(LateCommands::new()),
            is_timed: false,
            #[cfg(feature = "std")]
            laps: Laps::NONE,
            #[cfg(feature = "parallel")]
            shared: Shared::new(),
        }
    }

    /// Adds a system at the end of the list.
    ///
    /// A system that captures values that are not `Send` or not `Sync` is added within a `NonSend`, which keeps
    /// it on its thread.
    ///
    /// # Panics
    /// When its parameters alias by generic components, which only the running process can compare.
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
    #[track_caller]
    #[expect(
        clippy::should_implement_trait,
        reason = "the field's word; schedules are not added by `+`"
    )]
    pub fn add<M: 'static, S>(self, system: S) -> Self
    where
        S: Takes<M, Out: SystemOutput> + System<M> + Send + Sync + 'static,
    {
        const { check_params::<M, S>() };
        self.add_checked(system)
    }

    /// Adds a system like [`add`](Self::add), without its check.
    #[track_caller]
    pub(crate) fn add_checked<M: 'static, S>(self, system: S) -> Self
    where
        S: Takes<M, Out: SystemOutput> + System<M> + Send + Sync + 'static,
    {
        self.step(Step::System(facts_of::<M, S>(), None), SlotKind::System(boxed(system)))
    }

    /// Adds a system that runs if a condition is true: a system that returns a `bool`, and runs just before.
    ///
    /// # Panics
    /// Panics like [`add`](Self::add).
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
    #[track_caller]
    pub fn add_if<M: 'static, N: 'static, S, C>(self, condition: C, system: S) -> Self
    where
        S: Takes<M, Out: SystemOutput> + System<M> + Send + Sync + 'static,
        C: Takes<N, Out: Answer> + System<N> + Send + Sync + 'static,
    {
        const {
            check_params::<M, S>();
            let condition = Facts::of::<N, C>("");
            condition.refuse_alias(true);
            condition.refuse_writing();
        };
        let step = Step::System(facts_of::<M, S>(), Some(facts_of::<N, C>()));
        self.step(step, SlotKind::Conditional(boxed_condition(condition), boxed(system)))
    }

    /// Applies the commands of all earlier systems at this place, also of earlier systems in lists around this one.
    ///
    /// ```
    /// # use ecs::{Component, Schedule, SpawnCommands, View, World};
    /// # #[derive(Component)] struct Health(u32);
    /// fn spawn(mut commands: SpawnCommands) {
    ///     commands.spawn(Health(3));
    /// }
    /// fn is_there(healths: View<&Health>) {
    ///     assert_eq!(healths.count(), 1);
    /// }
    /// Schedule::new().add(spawn).sync().add(is_there).run(&mut World::new()).unwrap();
    /// ```
    #[must_use]
    pub fn sync(self) -> Self {
        self.step(Step::Sync, SlotKind::Sync)
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
        self.add_set(name, systems, None, SlotKind::Heading)
    }

    /// Adds a list of systems under a name, which run if a condition is true. It is evaluated once, before the first.
    ///
    /// ```
    /// # use ecs::{Resource, Schedule, World};
    /// # #[derive(Resource)] struct Ticks(u32);
    /// let physics = Schedule::new()
    ///     .add(|ticks: &mut Ticks| ticks.0 += 1)
    ///     .add(|ticks: &mut Ticks| ticks.0 += 10);
    /// let is_early = |ticks: &Ticks| ticks.0 < 20;
    /// let mut frame = Schedule::new().add_all_if("physics", is_early, physics);
    /// let mut world = World::new();
    /// world.insert_resource(Ticks(0));
    /// (0..5).for_each(|_| frame.run(&mut world).unwrap());
    /// assert_eq!(world.resource::<Ticks>().0, 22);
    /// ```
    #[must_use]
    pub fn add_all_if<M: 'static, C>(self, name: &'static str, condition: C, systems: Self) -> Self
    where
        C: Takes<M, Out: Answer> + System<M> + Send + Sync + 'static,
    {
        const {
            let condition = Facts::of::<M, C>("");
            condition.refuse_alias(true);
            condition.refuse_writing();
        };
        let kind = SlotKind::ConditionalHeading(boxed_condition(condition));
        self.add_set(name, systems, Some(facts_of::<M, C>()), kind)
    }

    fn add_set(
        self,
        name: &'static str,
        systems: Self,
        asked: Option<Facts>,
        kind: SlotKind,
    ) -> Self {
        let records = !systems.recorders.is_empty();
        let len = systems.steps.len() + usize::from(records);
        let this = self.step(Step::Set(name, len, asked), kind).append(systems);
        if records { this.sync() } else { this }
    }

    #[track_caller]
    pub(crate) fn step(mut self, step: Step, kind: SlotKind) -> Self {
        step.check_alias();
        if step.records() {
            self.recorders.push(self.steps.len());
        }
        self.steps.push(step);
        let slot = Slot { kind, applies: false, is_off: false, lists: ListsRun::Run };
        self.slots.push(slot);
        self.reset(self.steps.len() - 1);
        self
    }

    pub(crate) fn append(mut self, mut systems: Self) -> Self {
        let before = self.steps.len();
        self.steps.append(&mut systems.steps);
        self.slots.append(&mut systems.slots);
        self.recorders.extend(systems.recorders.into_iter().map(|at| at + before));
        self.reset(before);
        self
    }

    /// Updates the fields that depend on the list, after the steps from this number on were added.
    fn reset(&mut self, added: usize) {
        for at in added..self.steps.len() {
            self.slots[at].applies = applies_before(&self.steps, at);
        }
        #[cfg(feature = "std")]
        self.set_timed(self.is_timed);
        #[cfg(feature = "parallel")]
        self.shared.reset();
    }

    /// Builds the schedule that a `schedule!` declares.
    #[doc(hidden)]
    #[must_use]
    #[track_caller]
    #[inline]
    pub fn of_lines(lines: &[Line]) -> Self {
        let mut this = Self::new();
        for line in lines {
            this = match line {
                Line::Sync => this.sync(),
                Line::Set { name, lines, condition } => {
                    let (asked, kind) = match condition {
                        None => (None, SlotKind::Heading),
                        Some(asked) => {
                            (Some(asked.facts), SlotKind::ConditionalHeading(asked.make()))
                        }
                    };
                    this.add_set(name, Self::of_lines(lines), asked, kind)
                }
                Line::Together { lines } => this.together(Self::of_lines(lines)),
                Line::System { system, condition: None } => {
                    this.step(line.step(), SlotKind::System(system.make()))
                }
                Line::System { system, condition: Some(condition) } => {
                    let (condition, system) = (condition.make(), system.make());
                    this.step(line.step(), SlotKind::Conditional(condition, system))
                }
            };
        }
        this
    }

    /// Switches all systems and lists with this name on or off, here and in lists within. Returns `true` if
    /// there is any.
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
    #[inline]
    pub fn switch(&mut self, name: &str, is_on: bool) -> bool {
        let mut is_there = false;
        let mut off_until = 0; // the end of the lists that are off
        for (at, (step, slot)) in self.steps.iter().zip(&mut self.slots).enumerate() {
            if step.name() == name && !matches!(step, Step::Sync | Step::Together(_)) {
                (slot.is_off, is_there) = (!is_on, true);
            }
            slot.lists = if at < off_until { ListsRun::Off } else { ListsRun::Run };
            if let (Step::Set(_, len, _), true) = (step, slot.is_off) {
                off_until = off_until.max(at + 1 + len);
            }
        }
        is_there
    }

    /// Runs all systems, as if in the order of the list, and applies their commands.
    ///
    /// # Errors
    /// Returns all errors of systems after all were run, and the errors of commands that were not applied, if the
    /// schedule is [strict](Self::set_strict).
    ///
    /// # Panics
    /// Panics when a system does: systems after it are not run, and recorded commands are applied at the beginning
    /// of the next run in this world. Panics like [`World::run`], too.
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
        #[cfg(feature = "std")]
        self.laps.begin();
        self.caller = Some(Location::caller());
        let world = Running::new(world);
        let world = &mut *world.0;
        if mem::replace(&mut self.is_unfinished, true) {
            self.apply(self.steps.len(), world, &mut errors);
        }
        self.run_steps(world, &mut errors);
        self.apply(self.steps.len(), world, &mut errors);
        self.is_unfinished = false;
        if errors.is_empty() { Ok(()) } else { Err(self.error(errors)) }
    }

    #[cold]
    fn error(&self, mut errors: Errors) -> ScheduleError {
        sort_few(&mut errors, |a, b| a.0 < b.0);
        let named = |(at, error): (usize, _)| (self.steps[at].name(), error);
        ScheduleError(errors.into_iter().map(named).collect())
    }

    #[cfg(not(feature = "parallel"))]
    #[inline]
    fn run_steps(&mut self, world: &mut World, errors: &mut Errors) {
        for at in 0..self.slots.len() {
            self.run_step(at, world, errors);
        }
    }

    /// Runs one step on this thread.
    #[inline]
    pub(crate) fn run_step(&mut self, at: usize, world: &mut World, errors: &mut Errors) {
        let caller = self.caller;
        match &mut self.slots[at] {
            Slot {
                kind: SlotKind::System(system),
                applies: false,
                is_off: false,
                lists: ListsRun::Run,
                ..
            } if !self.is_timed => {
                if let Err(error) = trace(|| self.steps[at].name(), || system.run(world, caller)) {
                    fail(errors, at, error);
                }
            }
            _ => self.run_any(at, world, errors),
        }
    }

    #[inline(never)]
    fn run_any(&mut self, at: usize, world: &mut World, errors: &mut Errors) {
        let caller = self.caller;
        if self.slots[at].applies() {
            self.apply(at, world, errors);
        }
        let (step, slot) = (&self.steps[at], &mut self.slots[at]);
        if !slot.runs() || matches!(slot.kind, SlotKind::Heading) {
            return;
        }
        if let Step::Set(_, len, _) = *step {
            return ask_for_all(&mut self.slots[at..=at + len], world, caller);
        }
        #[cfg(feature = "std")]
        let start = self.is_timed.then(Instant::now);
        if let SlotKind::Conditional(condition, _) = &mut slot.kind
            && !condition.ask(world, caller)
        {
            return;
        }
        if let SlotKind::System(system) | SlotKind::Conditional(_, system) = &mut slot.kind {
            if let Err(error) = trace(|| step.name(), || system.run(world, caller)) {
                fail(errors, at, error);
            }
        } else if let Step::Sync = step {
            self.apply(at, world, errors);
        }
        #[cfg(feature = "std")]
        if let Some(start) = start {
            self.laps.set(at, Lap::since(start));
        }
    }

    /// Evaluates the conditions of all lists of the schedule. Returns `true` if all are true.
    #[track_caller]
    pub(crate) fn asks_all(&mut self, world: &mut World) -> bool {
        let caller = Some(Location::caller());
        let mut is_true = true;
        for slot in &mut self.slots {
            if let SlotKind::ConditionalHeading(condition) = &mut slot.kind {
                is_true &= condition.ask(world, caller);
            }
        }
        is_true
    }

    /// Applies the commands that steps before `end` recorded.
    pub(crate) fn apply(&mut self, end: usize, world: &mut World, errors: &mut Errors) {
        #[cfg(debug_assertions)]
        self.warn_of_late_commands(end, world);
        world.entities.flush();
        world.entities.set_in_turns(false);
        for &at in self.recorders.iter().take_while(|at| **at < end) {
            let mut applied = Applied::default();
            if let SlotKind::System(system) | SlotKind::Conditional(_, system) =
                &mut self.slots[at].kind
            {
                system.apply(world, &mut applied);
            }
            if self.is_strict
                && let Err(error) = applied.into_result()
            {
                fail(errors, at, error.into());
            }
        }
        world.entities.set_in_turns(true);
    }

    /// Warns of systems before this step that do not see the commands of systems before them.
    #[cfg(debug_assertions)]
    fn warn_of_late_commands(&mut self, end: usize, world: &mut World) {
        let Some(late) = &mut self.late else { return };
        for &recorder in self.recorders.iter().take_while(|at| **at < end) {
            let (mut edited, mut errors) = (Vec::new(), Vec::new());
            if let SlotKind::System(system) | SlotKind::Conditional(_, system) =
                &mut self.slots[recorder].kind
            {
                system.visit(&mut VisitParts::new(world, Way::Edited(&mut edited), &mut errors));
            }
            for at in recorder + 1..end {
                if !edited.is_empty() && self.slots[at].runs() {
                    late.compare(at, &self.steps[at], self.steps[recorder].name(), &edited);
                }
            }
        }
    }

    /// Sets whether commands that are not applied are errors of the systems that recorded them. By default they are not,
    /// because an entity often ends for two reasons in one run.
    ///
    /// The error is a [`CommandsError`](crate::CommandsError), with their number and the reasons.
    ///
    /// ```
    /// # use ecs::{Commands, Component, Schedule, View, World};
    /// # #[derive(Component)] struct Health(u32);
    /// fn bury(all: View<&Health>, commands: &mut Commands) {
    ///     all.iter().for_each(|(entity, _)| commands.despawn(entity));
    /// }
    /// let mut frame = Schedule::new().add(bury).add(bury);
    /// let mut world = World::new();
    /// world.spawn(Health(0));
    /// assert!(frame.run(&mut world).is_ok());
    /// frame.set_strict(true);
    /// world.spawn(Health(0));
    /// assert_eq!(
    ///     frame.run(&mut world).unwrap_err().to_string(),
    ///     "system `bury` failed: not all commands were applied: 1 found no living entity",
    /// );
    /// ```
    pub fn set_strict(&mut self, is_strict: bool) {
        self.is_strict = is_strict;
    }

    /// Sets whether runs warn of systems that do not see the commands of an earlier system of the list. Such a system names a
    /// component that the commands insert, change or remove, and the commands are applied behind it. There is one
    /// warning for each such system, on the standard error stream, or as an event with the feature `tracing`.
    ///
    /// A new schedule warns, if the library is built with debug assertions. Otherwise there are no warnings, and they cost
    /// nothing.
    ///
    /// ```
    /// # use ecs::{Component, Schedule, SpawnCommands, View, World};
    /// # #[derive(Component)] struct Health(u32);
    /// fn spawn(mut commands: SpawnCommands) {
    ///     commands.spawn(Health(3));
    /// }
    /// fn count(healths: View<&Health>) {}
    /// let mut late = Schedule::new().add(spawn).add(count);
    /// late.set_warns(false); // the next run counts them, which is early enough
    /// late.run(&mut World::new())?;
    /// assert_eq!(late.warnings().count(), 0);
    /// # Ok::<(), ecs::ScheduleError>(())
    /// ```
    pub fn set_warns(&mut self, warns: bool) {
        #[cfg(debug_assertions)]
        {
            self.late = warns.then(LateCommands::new);
        }
        #[cfg(not(debug_assertions))]
        let _ = warns;
    }

    /// Returns the [warnings](Self::set_warns) of all runs.
    ///
    /// ```
    /// # use ecs::{Component, Schedule, SpawnCommands, View, World};
    /// # #[derive(Component)] struct Health(u32);
    /// fn spawn(mut commands: SpawnCommands) {
    ///     commands.spawn(Health(3));
    /// }
    /// fn count(healths: View<&Health>) {}
    /// let mut late = Schedule::new().add(spawn).add(count);
    /// late.run(&mut World::new())?;
    /// # if cfg!(debug_assertions) {
    /// assert!(late.warnings().next().unwrap().starts_with("`count` does not see the `Health` that `spawn` recorded"));
    /// # }
    /// let mut early = Schedule::new().add(spawn).sync().add(count);
    /// early.run(&mut World::new())?;
    /// assert_eq!(early.warnings().count(), 0);
    /// # Ok::<(), ecs::ScheduleError>(())
    /// ```
    pub fn warnings(&self) -> impl Iterator<Item = &str> {
        #[cfg(debug_assertions)]
        let all = self.late.iter().flat_map(LateCommands::messages);
        #[cfg(not(debug_assertions))]
        let all = core::iter::empty();
        all
    }

    /// Sets whether runs measure the time of each system, which costs some 50 ns a system. A new schedule does not.
    ///
    /// ```
    /// # use ecs::Schedule;
    /// let mut schedule = Schedule::new().add(|| {});
    /// assert_eq!(schedule.times().count(), 0);
    /// schedule.set_timed(true);
    /// assert_eq!(schedule.times().count(), 1);
    /// ```
    #[cfg(feature = "std")]
    pub fn set_timed(&mut self, is_timed: bool) {
        self.is_timed = is_timed;
        self.laps = if is_timed { Laps::of(self.steps.len()) } else { Laps::NONE };
    }

    /// Returns the systems and lists in order, with the time that each took in the last run, or zero if it was not run.
    /// Returns none before [`set_timed`](Self::set_timed).
    ///
    /// The time of a list is the time of its systems together, and the time of a `sync` is the time of
    /// applying commands.
    ///
    /// ```
    /// # use ecs::{Schedule, World};
    /// fn wait() {
    ///     std::thread::sleep(std::time::Duration::from_millis(2));
    /// }
    /// let mut schedule = Schedule::new().add(wait);
    /// schedule.set_timed(true);
    /// schedule.run(&mut World::new()).unwrap();
    /// let (name, took) = schedule.times().next().unwrap();
    /// assert!(name == "wait" && took.as_millis() >= 2);
    /// ```
    #[cfg(feature = "std")]
    pub fn times(&self) -> impl Iterator<Item = (&'static str, Duration)> {
        let laps = self.laps.all();
        let took = |at: usize, step: &Step| match step {
            Step::System(..) | Step::Sync => laps[at].took,
            Step::Set(_, len, _) | Step::Together(len) => {
                laps[at + 1..at + 1 + len].iter().map(|lap| lap.took).sum()
            }
        };
        let steps = self.steps.iter().take(laps.len()).enumerate();
        steps.map(move |(at, step)| (step.name(), took(at, step)))
    }

    /// Returns the systems in order, with the times of all runs since [`set_timed`](Self::set_timed); a system that was
    /// switched off was not run. A `sync` has the times of applying commands. Returns none if the schedule is not timed.
    ///
    /// ```
    /// # use ecs::{Schedule, World};
    /// # use std::time::Duration;
    /// fn wait() {
    ///     std::thread::sleep(Duration::from_millis(2));
    /// }
    /// let mut schedule = Schedule::new().add(wait).add(|| {});
    /// schedule.set_timed(true);
    /// for _ in 0..3 {
    ///     schedule.run(&mut World::new()).unwrap();
    /// }
    /// let (name, times) = schedule.time_stats().next().unwrap();
    /// assert_eq!((name, times.runs()), ("wait", 3));
    /// assert!(times.most() >= Duration::from_millis(2));
    /// ```
    #[cfg(feature = "std")]
    #[inline]
    pub fn time_stats(&self) -> impl Iterator<Item = (&'static str, &TimeStats)> {
        let steps = self.steps.iter().zip(self.laps.stats());
        let systems = steps.filter(|(step, _)| matches!(step, Step::System(..) | Step::Sync));
        systems.map(|(step, stats)| (step.name(), stats))
    }

    /// Returns a picture of the last run, as the text of an SVG file. A bar for each system spans its begin and end, and
    /// each thread has a row. It is empty before [`set_timed`](Self::set_timed) and a run.
    ///
    /// ```
    /// # use ecs::{Schedule, World};
    /// let mut schedule = Schedule::new().add(|| {});
    /// schedule.set_timed(true);
    /// schedule.run(&mut World::new()).unwrap();
    /// assert!(schedule.timeline().starts_with("<svg"));
    /// ```
    #[cfg(feature = "std")]
    #[must_use]
    #[inline]
    pub fn timeline(&self) -> String {
        self.laps.draw(&self.steps)
    }

    /// Returns a picture of the systems that wait for others, in the language of Mermaid.
    ///
    /// ```
    /// # use ecs::{Schedule, World};
    /// fn look(_: &mut World) {}
    /// let picture = Schedule::new().add(look).add(look).mermaid();
    /// assert!(picture.contains("s0 --> s1"));
    /// ```
    #[must_use]
    #[inline]
    pub fn mermaid(&self) -> String {
        KnownPlan::of(&self.steps).graph().mermaid()
    }

    /// Returns a picture of the systems that wait for others, in the language of Graphviz.
    ///
    /// ```
    /// # use ecs::{Schedule, World};
    /// fn look(_: &mut World) {}
    /// assert!(Schedule::new().add(look).add(look).dot().contains("s0 -> s1"));
    /// ```
    #[must_use]
    #[inline]
    pub fn dot(&self) -> String {
        KnownPlan::of(&self.steps).graph().dot()
    }
}

/// Evaluates the condition of a list, which is in its first slot, and sets whether the other slots run.
pub(crate) fn ask_for_all(list: &mut [Slot], world: &mut World, caller: Caller) {
    let Some((heading, others)) = list.split_first_mut() else { return };
    if heading.runs()
        && let SlotKind::ConditionalHeading(condition) = &mut heading.kind
    {
        let lists = if condition.ask(world, caller) { ListsRun::Run } else { ListsRun::Skipped };
        for slot in others.iter_mut().filter(|slot| slot.lists != ListsRun::Off) {
            slot.lists = lists;
        }
    }
}

/// Runs a system, within a span of its name with the feature `tracing`.
#[inline]
#[cfg_attr(not(feature = "tracing"), expect(unused_variables, reason = "no span is entered"))]
pub(crate) fn trace<R>(name: impl FnOnce() -> &'static str, run: impl FnOnce() -> R) -> R {
    #[cfg(feature = "tracing")]
    let _span = tracing::info_span!("system", name = name()).entered();
    run()
}

#[cold]
fn fail(errors: &mut Errors, step: usize, error: Failure) {
    errors.push((step, error));
}

/// Returns the facts of a system that is named by its type.
fn facts_of<M, S: System<M>>() -> Facts {
    Facts::of::<M, S>(short_name(S::name()))
}

/// Lists the names in order, with nested lists in brackets.
impl fmt::Debug for Schedule {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut ends, mut between) = (Vec::new(), "");
        f.write_char('[')?;
        for (at, (step, slot)) in self.steps.iter().zip(&self.slots).enumerate() {
            write!(f, "{between}{}{}", step.name(), if slot.is_off { " (off)" } else { "" })?;
            between = ", ";
            if let Step::Set(_, len, _) | Step::Together(len) = step {
                f.write_str(" [")?;
                ends.push(at + len);
                between = "";
            }
            while ends.pop_if(|end| *end == at).is_some() {
                f.write_char(']')?;
                between = ", ";
            }
        }
        f.write_char(']')
    }
}

/// The errors that systems of a [`Schedule`] returned, and the errors of commands in a
/// [strict](Schedule::set_strict) one, in the order of the list.
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
pub struct ScheduleError(pub(crate) Vec<(&'static str, Failure)>);

impl ScheduleError {
    /// Returns these errors, unless there are none.
    pub(crate) fn unless_empty(errors: Vec<(&'static str, Failure)>) -> Result<(), Self> {
        if errors.is_empty() { Ok(()) } else { Err(Self(errors)) }
    }

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
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (system, error)) in self.0.iter().enumerate() {
            let between = if at > 0 { "; " } else { "" };
            write!(f, "{between}system `{system}` failed: {error}")?;
        }
        Ok(())
    }
}

impl Error for ScheduleError {
    /// Returns the first system's error.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.first().map(|(_, error)| &**error as _)
    }
}
