//! Snapshots of programs: a world, and all that the systems of its schedules keep.

use crate::resource::InSnapshot;
use crate::system::fixed_step::FixedStep;
use crate::system::parts::{PartList, VisitParts, Way};
use crate::system::schedule::{ListsRun, Schedule, SlotKind};
use crate::text::Text;
use crate::world::World;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

/// A program at one moment: its world, and the state that its systems keep from run to run. Taken by [`Schedule::snapshot`] or
/// [`App::snapshot`](crate::app::App::snapshot); the program goes back to it by `restore`, as often as is wanted.
///
/// After that, equal inputs have equal results: each frame leaves the same components, resources, entity ids and
/// iteration orders as after the snapshot, on any number of threads.
///
/// | part | goes back |
/// |---|---|
/// | components, relations, groups, free entity ids | like [`World::copy_from`]: those with `#[component(clone)]` |
/// | resources | those with `#[resource(clone)]`; `clone = skip` says that one stays |
/// | [`Events`](crate::Events) as resources | a queue made [`in_snapshots`](crate::Events::in_snapshots); one made [`outside_snapshots`](crate::Events::outside_snapshots) stays |
/// | [`Local`](crate::Local)s of systems and conditions | always; `Local<Stays<T>>` says that one [stays](crate::Stays) |
/// | [`EventCursor`](crate::EventCursor)s, [`FixedStep`](crate::FixedStep)s | as `Local`s and resources |
/// | `&Changes<T>`, [`HasChanged`](crate::HasChanged) | always: a system sees the changes that it had not seen at the snapshot |
/// | captured values of systems and conditions | if they are in a [`CopiedSystem`](crate::CopiedSystem), such as [`every`](crate::app::every); [`Stays`](crate::Stays) says that they stay |
/// | lists that are [switched off](Schedule::switch) | always |
/// | of an app: its [state](crate::app::AppState), fixed step, pauses, [`Elapsed`](crate::app::Elapsed), [`Exit`](crate::app::Exit) | always |
/// | observers, vetoes, hooks, functions of [`App::after_frame`](crate::app::App::after_frame) | no: they stay |
/// | collectors, readers of [`World::changes`] | no: they are outside of the program, and find all components replaced |
///
/// Whatever cannot be copied, and does not say that it stays, is an error of the snapshot. The systems must not depend on
/// anything outside, such as a clock or the order of a hash map.
///
/// ```
/// use ecs::{Component, Local, Schedule, View, World};
///
/// #[derive(Component, Clone)]
/// #[component(clone)]
/// struct Height(u32);
///
/// fn climb(all: View<&mut Height>, mut frame: Local<u32>) {
///     *frame += 1;
///     all.for_each(|(_, height)| height.0 += *frame);
/// }
/// let mut world = World::new();
/// let entity = world.spawn(Height(0)).id();
/// let mut schedule = Schedule::new().add(climb);
/// schedule.run(&mut world)?;
///
/// let snapshot = schedule.snapshot(&mut world)?;
/// for _ in 0..2 {
///     schedule.run(&mut world)?;
///     assert_eq!(world.get::<Height>(entity).unwrap().0, 1 + 2); // the second frame, each time
///     schedule.restore(&mut world, &snapshot)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Snapshot {
    pub(crate) world: World,
    /// One for each schedule of the program.
    pub(crate) schedules: Vec<ScheduleParts>,
    pub(crate) app: Option<AppParts>,
}

/// The parts of an app beside its world and schedules.
pub(crate) struct AppParts {
    pub(crate) fixed_step: FixedStep,
    pub(crate) is_paused: bool,
    /// `true` for each label that is paused.
    pub(crate) paused: Vec<bool>,
}

/// The parts that the systems of a schedule keep.
#[derive(Default)]
pub(crate) struct ScheduleParts {
    /// The name of each step, and how it is switched.
    pub(crate) switches: Vec<(&'static str, bool, ListsRun)>,
    pub(crate) parts: PartList,
}

impl Snapshot {
    /// Returns the world at the moment of the snapshot.
    ///
    /// ```
    /// # use ecs::{Schedule, World};
    /// let mut world = World::new();
    /// world.spawn_empty();
    /// let snapshot = Schedule::new().snapshot(&mut world)?;
    /// world.clear();
    /// assert_eq!(snapshot.world().len(), 1);
    /// # Ok::<(), ecs::SnapshotError>(())
    /// ```
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// Takes a snapshot of schedules and their world over this one. Without an error, only memory that grew is allocated.
    #[inline]
    pub(crate) fn take<'s>(
        &mut self,
        world: &mut World,
        schedules: impl Iterator<Item = &'s mut Schedule>,
    ) -> Result<(), SnapshotError> {
        let mut errors = Vec::new();
        let mut count = 0;
        for schedule in schedules {
            if self.schedules.len() == count {
                self.schedules.push(ScheduleParts::default());
            }
            self.schedules[count].take(schedule, world, &mut errors);
            count += 1;
        }
        self.schedules.truncate(count);
        errors.extend(world.resources.types_in_snapshots(InSnapshot::Refused).into_iter().map(|queue| {
            format!(
                "the resource `{}` does not say whether it goes back: create it by `Events::in_snapshots`, or by \
                 `Events::outside_snapshots`, as it stays",
                Text::new().push_type(queue).as_str()
            )
        }));
        errors.extend(self.world.copy_program(world).err().map(|error| error.to_string()));
        SnapshotError::unless_empty(errors)
    }

    /// Returns an error if these are not the schedules of this snapshot.
    #[inline]
    pub(crate) fn check<'s>(
        &self,
        world: &mut World,
        schedules: impl Iterator<Item = &'s mut Schedule>,
    ) -> Result<(), SnapshotError> {
        let (mut errors, schedules) = (Vec::new(), schedules.collect::<Vec<_>>());
        if schedules.len() == self.schedules.len() {
            for (schedule, parts) in schedules.into_iter().zip(&self.schedules) {
                parts.check(schedule, world, &mut errors);
            }
        } else {
            errors.push(format!(
                "the program has {} lists of systems and conditions, and the snapshot {}: it is of another program",
                schedules.len(),
                self.schedules.len()
            ));
        }
        SnapshotError::unless_empty(errors)
    }

    /// Replaces the content of the world by the content of the snapshot.
    #[inline]
    pub(crate) fn restore_world(&self, world: &mut World) -> Result<(), SnapshotError> {
        let copied = world.copy_program(&self.world);
        copied.map_err(|error| SnapshotError(Vec::from([error.to_string()])))
    }

    /// Brings schedules back to the snapshot, after [`check`](Self::check) and [`restore_world`](Self::restore_world).
    #[inline]
    pub(crate) fn restore_schedules<'s>(
        &self,
        world: &mut World,
        schedules: impl Iterator<Item = &'s mut Schedule>,
    ) {
        for (schedule, parts) in schedules.zip(&self.schedules) {
            parts.restore(schedule, world);
        }
    }
}

impl fmt::Debug for Snapshot {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot").field("world", &self.world).finish_non_exhaustive()
    }
}

impl ScheduleParts {
    #[inline]
    fn take(&mut self, schedule: &mut Schedule, world: &mut World, errors: &mut Vec<String>) {
        if schedule.is_unfinished {
            let error =
                "the last run of the schedule ended by a panic: run it before a snapshot is taken";
            errors.push(error.to_owned());
        }
        self.switches.clear();
        self.switches.extend(schedule.switches());
        schedule.visit(VisitParts::new(world, Way::Copy(&mut self.parts), errors));
    }

    #[inline]
    fn check(&self, schedule: &mut Schedule, world: &mut World, errors: &mut Vec<String>) {
        let names = self.switches.iter().map(|(name, ..)| *name);
        if !names.eq(schedule.switches().map(|(name, ..)| name)) {
            let error =
                "the schedule has other systems than in the snapshot: it is of another program";
            return errors.push(error.to_owned());
        }
        schedule.visit(VisitParts::new(world, Way::Check(&self.parts), errors));
    }

    #[inline]
    fn restore(&self, schedule: &mut Schedule, world: &mut World) {
        for (slot, (_, is_off, lists)) in schedule.slots.iter_mut().zip(&self.switches) {
            (slot.is_off, slot.lists) = (*is_off, *lists);
        }
        schedule.is_unfinished = false;
        schedule.visit(VisitParts::new(world, Way::Restore(&self.parts), &mut Vec::new()));
    }
}

/// # Snapshots
impl Schedule {
    /// Returns a [`Snapshot`] of the program that consists of this schedule and a world. O(entity ids and components).
    ///
    /// # Errors
    /// Returns an error that names each part that cannot be copied and does not say that it stays.
    ///
    /// ```
    /// # use ecs::{Resource, Schedule, World};
    /// # #[derive(Resource)] struct Window;
    /// let mut world = World::new();
    /// world.insert_resource(Window);
    /// let next = 1;
    /// let mut schedule = Schedule::new().add(move || drop(next));
    /// let error = schedule.snapshot(&mut world).unwrap_err();
    /// assert_eq!(error.parts().count(), 2);
    /// assert!(error.to_string().contains("captures values") && error.to_string().contains("`Window`"));
    /// ```
    #[inline]
    pub fn snapshot(&mut self, world: &mut World) -> Result<Snapshot, SnapshotError> {
        let mut snapshot = Snapshot::default();
        self.snapshot_into(world, &mut snapshot)?;
        Ok(snapshot)
    }

    /// Takes a snapshot like [`snapshot`](Self::snapshot), over an earlier one: its memory is used again.
    ///
    /// # Errors
    /// Returns the errors of [`snapshot`](Self::snapshot). The earlier snapshot is lost.
    ///
    /// ```
    /// # use ecs::{Schedule, Snapshot, World};
    /// let (mut world, mut schedule) = (World::new(), Schedule::new());
    /// let mut last = [Snapshot::default(), Snapshot::default()];
    /// for frame in 0..10 {
    ///     schedule.snapshot_into(&mut world, &mut last[frame % 2])?;
    ///     schedule.run(&mut world)?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn snapshot_into(
        &mut self,
        world: &mut World,
        snapshot: &mut Snapshot,
    ) -> Result<(), SnapshotError> {
        snapshot.take(world, core::iter::once(self))
    }

    /// Brings this schedule and a world back to the snapshot. O(entity ids and components of both).
    ///
    /// Observers of [`Replaced`](crate::Replaced) are notified that the world was copied, before the parts of systems go
    /// back.
    ///
    /// # Errors
    /// Returns an error if the snapshot is of other systems, or the world has resources that cannot be replaced. Then
    /// nothing has changed.
    ///
    /// # Panics
    /// Panics like [`World::copy_from`].
    ///
    /// ```
    /// # use ecs::{Local, Schedule, World};
    /// fn end_at_two(mut runs: Local<u32>) -> Result<(), &'static str> {
    ///     *runs += 1;
    ///     if *runs < 2 { Ok(()) } else { Err("two") }
    /// }
    /// let (mut world, mut schedule) = (World::new(), Schedule::new().add(end_at_two));
    /// let snapshot = schedule.snapshot(&mut world)?;
    /// for _ in 0..5 {
    ///     schedule.run(&mut world)?;
    ///     schedule.restore(&mut world, &snapshot)?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn restore(&mut self, world: &mut World, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        snapshot.check(world, core::iter::once(&mut *self))?;
        snapshot.restore_world(world)?;
        snapshot.restore_schedules(world, core::iter::once(self));
        Ok(())
    }

    /// Returns the name of each step, whether it is switched off, and whether its lists run.
    #[inline]
    fn switches(&self) -> impl Iterator<Item = (&'static str, bool, ListsRun)> {
        let steps = self.steps.iter().zip(&self.slots);
        steps.map(|(step, slot)| (step.name(), slot.is_off, slot.lists))
    }

    /// Visits the state of systems and conditions, in the order of the list.
    #[inline]
    fn visit(&mut self, mut visit: VisitParts<'_>) {
        for (step, slot) in self.steps.iter().zip(&mut self.slots) {
            visit.name = step.name();
            if let SlotKind::Conditional(condition, _) | SlotKind::ConditionalHeading(condition) =
                &mut slot.kind
            {
                visit.is_condition = true;
                condition.visit(&mut visit);
                visit.is_condition = false;
            }
            if let SlotKind::System(system) | SlotKind::Conditional(_, system) = &mut slot.kind {
                system.visit(&mut visit);
            }
        }
        visit.end();
    }
}

/// The error of a [`Snapshot`] that could not be taken or restored: each part that is in the way, and why.
///
/// ```
/// # use ecs::{Events, Schedule, World};
/// let mut world = World::new();
/// world.insert_resource(Events::<u32>::new());
/// let error = Schedule::new().snapshot(&mut world).unwrap_err();
/// assert!(error.to_string().starts_with("the resource `Events<u32>` does not say whether it goes back"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotError(pub(crate) Vec<String>);

impl SnapshotError {
    #[inline]
    pub(crate) fn unless_empty(parts: Vec<String>) -> Result<(), Self> {
        if parts.is_empty() { Ok(()) } else { Err(Self(parts)) }
    }

    /// Returns a message for each part that is in the way.
    ///
    /// ```
    /// # use ecs::{Schedule, World};
    /// let mut schedule = Schedule::new().add(|| ());
    /// let snapshot = schedule.snapshot(&mut World::new())?;
    /// let error = Schedule::new().restore(&mut World::new(), &snapshot).unwrap_err();
    /// assert!(error.parts().next().unwrap().contains("other systems"));
    /// # Ok::<(), ecs::SnapshotError>(())
    /// ```
    #[inline]
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl fmt::Display for SnapshotError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, part) in self.0.iter().enumerate() {
            write!(f, "{}{part}", if at > 0 { "; " } else { "" })?;
        }
        Ok(())
    }
}

impl Error for SnapshotError {}
