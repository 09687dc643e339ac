//! A world with its schedules, assembled from plugins.
//!
//! ```
//! use core::time::Duration;
//! use ecs::app::{App, Exit, Plugin, UPDATE};
//! use ecs::Resource;
//!
//! #[derive(Resource)]
//! struct Count(u32);
//!
//! struct Counting;
//!
//! impl Plugin for Counting {
//!     fn install(self, app: &mut App) {
//!         app.world.insert_resource(Count(0));
//!         app.add_systems(UPDATE, "count", |list| {
//!             list.add(|count: &mut Count, exit: &mut Exit| {
//!                 count.0 += 1;
//!                 exit.0 = count.0 == 3;
//!             })
//!         });
//!     }
//! }
//!
//! let mut app = App::new();
//! app.install(Counting);
//! app.run(|| Duration::from_millis(16))?;
//! assert_eq!(app.world.resource::<Count>().0, 3);
//! # Ok::<(), ecs::ScheduleError>(())
//! ```

use crate::system::fixed_step::FixedStep;
use crate::system::schedule::{Schedule, ScheduleError};
use crate::world::World;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::TypeId;
use core::mem;
use core::time::Duration;

/// The label of the schedule that a frame runs first.
pub const FIRST: &str = "first";
/// The label of the schedule that a frame runs once for each fixed step.
pub const FIXED: &str = "fixed";
/// The label of the schedule that a frame runs after the fixed steps.
pub const UPDATE: &str = "update";
/// The label of the schedule that a frame runs after [`UPDATE`].
pub const LAST: &str = "last";
/// The label of the schedule that a frame runs at its end.
pub const DRAW: &str = "draw";

/// A resource of each [`App`]: [`App::run`] returns after the frame in which a system sets it to `true`.
#[derive(ecs_derive::Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exit(pub bool);

/// A part of an app: systems, resources, components and observers that are installed together.
pub trait Plugin: 'static {
    /// Adds the plugin's parts to the app. A plugin installs the plugins that it requires here.
    fn install(self, app: &mut App);
}

/// A world and its schedules. A schedule has a label, and consists of named sets of systems that run one after the other.
pub struct App {
    /// The world in which the schedules run.
    pub world: World,
    /// The length of the steps of [`FIXED`]; a 60th of a second in a new app.
    pub fixed_step: FixedStep,
    stages: Vec<Stage>,
    installed: Vec<TypeId>,
    after_frame: Vec<AfterFrame>,
}

/// What is called at the end of each frame.
type AfterFrame = Box<dyn FnMut(&mut App) + Send>;

/// The sets of one label, in the order in which they run.
struct Stage {
    label: &'static str,
    sets: Vec<(&'static str, Schedule)>,
    /// Pairs of sets, of which the first runs before the second.
    orders: Vec<(&'static str, &'static str)>,
}

impl App {
    /// Returns an app with an empty world, but for the resource [`Exit`].
    #[must_use]
    pub fn new() -> Self {
        let mut world = World::new();
        world.insert_resource(Exit::default());
        let fixed_step = FixedStep::new(Duration::from_nanos(16_666_667));
        Self {
            world,
            fixed_step,
            stages: Vec::new(),
            installed: Vec::new(),
            after_frame: Vec::new(),
        }
    }

    /// Installs a plugin, unless one of its type is installed.
    pub fn install<P: Plugin>(&mut self, plugin: P) -> &mut Self {
        let id = TypeId::of::<P>();
        if !self.installed.contains(&id) {
            self.installed.push(id);
            plugin.install(self);
        }
        self
    }

    /// Adds systems to the end of a set: `add` receives the set's list and returns it with the systems added.
    ///
    /// Sets run in the order in which they were first named, as far as [`order`](Self::order) allows.
    pub fn add_systems(
        &mut self,
        label: &'static str,
        set: &'static str,
        add: impl FnOnce(Schedule) -> Schedule,
    ) -> &mut Self {
        let list = self.stage(label).set(set);
        *list = add(mem::take(list));
        self
    }

    /// Makes one set of a label run before another, whether or not they have systems yet.
    ///
    /// # Panics
    /// Panics if the sets are ordered the other way round already, directly or through other sets.
    #[track_caller]
    pub fn order(
        &mut self,
        label: &'static str,
        before: &'static str,
        after: &'static str,
    ) -> &mut Self {
        let stage = self.stage(label);
        stage.set(before);
        stage.set(after);
        stage.orders.push((before, after));
        assert!(
            stage.sort(),
            "set `{before}` of `{label}` cannot run before `{after}`, which runs before it: remove one of the orders"
        );
        self
    }

    /// Runs the sets of a label. A label without sets runs nothing.
    ///
    /// # Errors
    /// Returns the errors of all systems, after all sets have run.
    #[track_caller]
    pub fn run_schedule(&mut self, label: &str) -> Result<(), ScheduleError> {
        self.run_labels([(label, 1)])
    }

    /// Runs one frame: [`FIRST`], [`FIXED`] as often as steps fit into the time, [`UPDATE`], [`LAST`] and [`DRAW`].
    ///
    /// # Errors
    /// Returns the errors of all systems, after the whole frame has run.
    #[track_caller]
    pub fn frame(&mut self, elapsed: Duration) -> Result<(), ScheduleError> {
        let steps = self.fixed_step.advance(elapsed) as usize;
        let result =
            self.run_labels([(FIRST, 1), (FIXED, steps), (UPDATE, 1), (LAST, 1), (DRAW, 1)]);
        let mut calls = mem::take(&mut self.after_frame);
        for call in &mut calls {
            call(self);
        }
        calls.append(&mut self.after_frame);
        self.after_frame = calls;
        result
    }

    /// Makes each frame call a function at its end, when no schedule runs: for tools that look at schedules too.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use ecs::app::App;
    /// # use ecs::Resource;
    /// # #[derive(Resource)] struct Frames(u32);
    /// let mut app = App::new();
    /// app.world.insert_resource(Frames(0));
    /// app.after_frame(|app| app.world.resource_mut::<Frames>().0 += 1);
    /// app.frame(Duration::ZERO)?;
    /// assert_eq!(app.world.resource::<Frames>().0, 1);
    /// # Ok::<(), ecs::ScheduleError>(())
    /// ```
    pub fn after_frame(&mut self, call: impl FnMut(&mut Self) + Send + 'static) -> &mut Self {
        self.after_frame.push(Box::new(call));
        self
    }

    /// Runs the sets of each of these labels so many times. Returns the errors of all systems, after all have run.
    #[track_caller]
    fn run_labels<'a>(
        &mut self,
        labels: impl IntoIterator<Item = (&'a str, usize)>,
    ) -> Result<(), ScheduleError> {
        let mut errors = Vec::new();
        for (label, times) in labels {
            let Some(stage) = self.stages.iter_mut().find(|stage| stage.label == label) else {
                continue;
            };
            for _ in 0..times {
                for (_, list) in &mut stage.sets {
                    if let Err(ScheduleError(more)) = list.run(&mut self.world) {
                        errors.extend(more);
                    }
                }
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(ScheduleError(errors)) }
    }

    /// Runs frames until a system sets [`Exit`]; `elapsed` returns the time since the frame before.
    ///
    /// # Errors
    /// Returns the errors of the first frame that has any, and runs no further frame.
    #[track_caller]
    pub fn run(&mut self, mut elapsed: impl FnMut() -> Duration) -> Result<(), ScheduleError> {
        while !self.world.resource::<Exit>().0 {
            self.frame(elapsed())?;
        }
        Ok(())
    }

    /// Returns the world, and all schedules with their labels and the names of their sets, in the order of the labels'
    /// first use.
    ///
    /// ```
    /// # use ecs::app::{App, UPDATE};
    /// let mut app = App::new();
    /// app.add_systems(UPDATE, "think", |list| list.add(|| {}));
    /// let (world, mut schedules) = app.parts_mut();
    /// let (label, set, schedule) = schedules.next().unwrap();
    /// schedule.run(world)?;
    /// assert_eq!((label, set), ("update", "think"));
    /// # Ok::<(), ecs::ScheduleError>(())
    /// ```
    pub fn parts_mut(
        &mut self,
    ) -> (&mut World, impl Iterator<Item = (&'static str, &'static str, &mut Schedule)>) {
        let schedules = self
            .stages
            .iter_mut()
            .flat_map(|stage| stage.sets.iter_mut().map(|(name, list)| (stage.label, *name, list)));
        (&mut self.world, schedules)
    }

    fn stage(&mut self, label: &'static str) -> &mut Stage {
        let new = || Stage { label, sets: Vec::new(), orders: Vec::new() };
        find_or_push(&mut self.stages, |stage| stage.label == label, new)
    }
}

/// Returns the first item that passes the test; without one, adds a new item and returns it.
fn find_or_push<T>(
    list: &mut Vec<T>,
    is_it: impl FnMut(&T) -> bool,
    new: impl FnOnce() -> T,
) -> &mut T {
    let at = list.iter().position(is_it).unwrap_or_else(|| {
        list.push(new());
        list.len() - 1
    });
    &mut list[at]
}

impl Default for App {
    fn default() -> Self {
        Self::new()
    }
}

impl Stage {
    fn set(&mut self, name: &'static str) -> &mut Schedule {
        let new = || (name, Schedule::new());
        &mut find_or_push(&mut self.sets, |set| set.0 == name, new).1
    }

    /// Moves each set behind those that run before it; sets that are free keep their order. Returns `false` if the orders
    /// form a circle: its sets, and those behind them, then keep their order.
    fn sort(&mut self) -> bool {
        let mut left = mem::take(&mut self.sets);
        let is_free = |left: &[(&str, Schedule)], name| {
            let waits =
                |order: &(&str, &str)| order.1 == name && left.iter().any(|set| set.0 == order.0);
            !self.orders.iter().any(waits)
        };
        while let Some(at) = left.iter().position(|set| is_free(&left, set.0)) {
            self.sets.push(left.remove(at));
        }
        let is_whole = left.is_empty();
        self.sets.append(&mut left);
        is_whole
    }
}
