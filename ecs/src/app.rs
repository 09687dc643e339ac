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

pub use crate::system::app_state::{AppState, in_state};
pub use crate::system::fixed_step::{Elapsed, every};

use crate::component::id::ComponentId;
use crate::internal::function_trait;
use crate::resource::{InSnapshots, Resource, ResourceSlot};
use crate::storage::sort::sort_few;
use crate::system::app_state::{AnyStateLists, StateLists};
use crate::system::fixed_step::FixedStep;
use crate::system::run::{Answer, Failure};
use crate::system::schedule::{Schedule, ScheduleError};
use crate::system::snapshot::{AppParts, Snapshot, SnapshotError};
use crate::system::{System, Takes};
use crate::text::{Nearest, distance, nearest};
use crate::world::World;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::{Any, TypeId, type_name};
use core::fmt;
use core::mem;
use core::time::Duration;

/// The label of the schedule that a frame runs first.
///
/// ```
/// # use core::time::Duration;
/// # use ecs::app::{App, FIRST, UPDATE};
/// # use ecs::Resource;
/// # #[derive(Resource)] struct Log(Vec<&'static str>);
/// # let mut app = App::new();
/// # app.world.insert_resource(Log(vec![]));
/// app.add_systems(FIRST, "a", |list| list.add(|log: &mut Log| log.0.push("a")));
/// app.add_systems(UPDATE, "b", |list| list.add(|log: &mut Log| log.0.push("b")));
/// app.frame(Duration::from_millis(40))?;
/// assert_eq!(app.world.resource::<Log>().0, ["a", "b"]);
/// # Ok::<(), ecs::ScheduleError>(())
/// ```
pub const FIRST: &str = "first";
/// The label of the schedule that a frame runs once for each fixed step.
///
/// ```
/// # use core::time::Duration;
/// # use ecs::app::{App, FIXED, UPDATE};
/// # use ecs::Resource;
/// # #[derive(Resource)] struct Log(Vec<&'static str>);
/// # let mut app = App::new();
/// # app.world.insert_resource(Log(vec![]));
/// app.add_systems(FIXED, "a", |list| list.add(|log: &mut Log| log.0.push("a")));
/// app.add_systems(UPDATE, "b", |list| list.add(|log: &mut Log| log.0.push("b")));
/// app.frame(Duration::from_millis(40))?;
/// assert_eq!(app.world.resource::<Log>().0, ["a", "a", "b"]);
/// # Ok::<(), ecs::ScheduleError>(())
/// ```
pub const FIXED: &str = "fixed";
/// The label of the schedule that a frame runs after the fixed steps.
///
/// ```
/// # use core::time::Duration;
/// # use ecs::app::{App, FIXED, UPDATE};
/// # use ecs::Resource;
/// # #[derive(Resource)] struct Log(Vec<&'static str>);
/// # let mut app = App::new();
/// # app.world.insert_resource(Log(vec![]));
/// app.add_systems(UPDATE, "a", |list| list.add(|log: &mut Log| log.0.push("a")));
/// app.add_systems(FIXED, "b", |list| list.add(|log: &mut Log| log.0.push("b")));
/// app.frame(Duration::from_millis(40))?;
/// assert_eq!(app.world.resource::<Log>().0, ["b", "b", "a"]);
/// # Ok::<(), ecs::ScheduleError>(())
/// ```
pub const UPDATE: &str = "update";
/// The label of the schedule that a frame runs after [`UPDATE`].
///
/// ```
/// # use core::time::Duration;
/// # use ecs::app::{App, LAST, UPDATE};
/// # use ecs::Resource;
/// # #[derive(Resource)] struct Log(Vec<&'static str>);
/// # let mut app = App::new();
/// # app.world.insert_resource(Log(vec![]));
/// app.add_systems(LAST, "a", |list| list.add(|log: &mut Log| log.0.push("a")));
/// app.add_systems(UPDATE, "b", |list| list.add(|log: &mut Log| log.0.push("b")));
/// app.frame(Duration::from_millis(40))?;
/// assert_eq!(app.world.resource::<Log>().0, ["b", "a"]);
/// # Ok::<(), ecs::ScheduleError>(())
/// ```
pub const LAST: &str = "last";
/// The label of the schedule that a frame runs at its end.
///
/// ```
/// # use core::time::Duration;
/// # use ecs::app::{App, DRAW, LAST};
/// # use ecs::Resource;
/// # #[derive(Resource)] struct Log(Vec<&'static str>);
/// # let mut app = App::new();
/// # app.world.insert_resource(Log(vec![]));
/// app.add_systems(DRAW, "a", |list| list.add(|log: &mut Log| log.0.push("a")));
/// app.add_systems(LAST, "b", |list| list.add(|log: &mut Log| log.0.push("b")));
/// app.frame(Duration::from_millis(40))?;
/// assert_eq!(app.world.resource::<Log>().0, ["b", "a"]);
/// # Ok::<(), ecs::ScheduleError>(())
/// ```
pub const DRAW: &str = "draw";

/// A resource of each [`App`]: [`App::run`] returns after the frame in which a system sets it to `true`. It stays when the
/// world is copied, saved or loaded.
///
/// ```
/// # use core::time::Duration;
/// use ecs::app::{App, Exit, UPDATE};
///
/// let mut app = App::new();
/// app.add_systems(UPDATE, "quit", |list| list.add(|exit: &mut Exit| exit.0 = true));
/// app.run(|| Duration::from_millis(16))?;
/// assert!(app.world.resource::<Exit>().0);
/// # Ok::<(), ecs::ScheduleError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exit(pub bool);

#[diagnostic::do_not_recommend]
impl Resource for Exit {
    const NAME: &'static str = "Exit";
    const ID: ComponentId = ComponentId::of(Some("ecs"), None, "app", "Exit", 0, 0);
    const SKIPS_COPIES: bool = true;
    const SKIPS_SAVES: bool = true;
    const IN_SNAPSHOTS: Option<InSnapshots<Self>> = Some(InSnapshots::COPIED);

    fn slot() -> Option<&'static ResourceSlot<Self>> {
        static SLOT: ResourceSlot<Exit> = ResourceSlot::new();
        Some(&SLOT)
    }
}

/// A part of an app: systems, resources, components and observers that are installed together.
///
/// ```
/// # use core::time::Duration;
/// use ecs::app::{App, Plugin, UPDATE};
/// use ecs::Resource;
///
/// #[derive(Resource)]
/// struct Score(u32);
///
/// struct Scoring { first: u32 }
/// impl Plugin for Scoring {
///     fn install(self, app: &mut App) {
///         app.world.insert_resource(Score(self.first));
///         app.add_systems(UPDATE, "score", |list| list.add(|score: &mut Score| score.0 += 1));
///     }
/// }
///
/// let mut app = App::new();
/// app.install(Scoring { first: 7 });
/// app.frame(Duration::ZERO)?;
/// assert_eq!(app.world.resource::<Score>().0, 8);
/// # Ok::<(), ecs::ScheduleError>(())
/// ```
pub trait Plugin: 'static {
    /// Adds the plugin's parts to the app. A plugin installs the plugins that it requires here.
    ///
    /// ```
    /// # use ecs::app::{App, Plugin};
    /// # struct Physics;
    /// # impl Plugin for Physics { fn install(self, _: &mut App) {} }
    /// struct Game;
    /// impl Plugin for Game {
    ///     fn install(self, app: &mut App) {
    ///         app.install(Physics); // nothing, if it is installed
    ///     }
    /// }
    /// # App::new().install(Game);
    /// ```
    fn install(self, app: &mut App);
}

/// A world and its schedules. A schedule has a label, and consists of named sets of systems that run one after the
/// other.
///
/// ```
/// # use core::time::Duration;
/// use ecs::app::{App, FIXED};
/// use ecs::{Component, FixedStep, View};
///
/// #[derive(Component)]
/// struct Height(f32);
///
/// let mut app = App::new();
/// app.fixed_step = FixedStep::new(Duration::from_millis(10));
/// app.world.spawn(Height(5.0));
/// app.add_systems(FIXED, "fall", |list| list.add(|all: View<&mut Height>| all.for_each(|(_, at)| at.0 -= 1.0)));
/// app.frame(Duration::from_millis(30))?;
/// assert_eq!(app.world.view::<&Height>().single().unwrap().1.0, 2.0);
/// # Ok::<(), ecs::ScheduleError>(())
/// ```
pub struct App {
    /// The world in which the schedules run.
    pub world: World,
    /// The length of the steps of [`FIXED`]; a 60th of a second in a new app.
    pub fixed_step: FixedStep,
    stages: Vec<Stage>,
    /// The lists of each state.
    machines: Vec<Box<dyn AnyStateLists>>,
    /// `true` if no label runs.
    is_paused: bool,
    /// `true` if the names of labels and sets were checked since they changed.
    is_checked: bool,
    installed: Vec<TypeId>,
    after_frame: Vec<AfterFrame>,
}

/// A function that each frame calls at its end.
type AfterFrame = Box<dyn FnMut(&mut App) + Send>;

/// The end of a frame, which calls these functions. Restores the removed functions in front of functions that are
/// added during the calls, also after a panic.
struct Ending<'a> {
    app: &'a mut App,
    calls: Vec<AfterFrame>,
}

impl Drop for Ending<'_> {
    #[inline]
    fn drop(&mut self) {
        self.calls.append(&mut self.app.after_frame);
        self.app.after_frame = mem::take(&mut self.calls);
    }
}

/// The sets of one label, in the order in which they run.
struct Stage {
    label: &'static str,
    /// `true` if it is no label of a frame, and was declared or run.
    is_known: bool,
    is_paused: bool,
    /// The conditions under which it runs.
    gate: Schedule,
    sets: Vec<Set>,
    /// Pairs of sets: the first runs before the second.
    orders: Vec<(&'static str, &'static str)>,
}

/// Systems of a label under a name.
struct Set {
    name: &'static str,
    list: Schedule,
    /// The conditions under which it runs.
    gate: Schedule,
    /// `true` if systems were added to it; else it was only ordered, or given a condition.
    is_added: bool,
}

/// The labels that a frame runs, in this order.
const LABELS: [&str; 5] = [FIRST, FIXED, UPDATE, LAST, DRAW];

function_trait! {
    /// The function that adds systems to the list of a set.
    #[doc(hidden)]
    #[diagnostic::on_unimplemented(
        message = "`add_systems` takes a function of the set's list: write `app.add_systems(label, set, |list| list.add(system))`",
        label = "not a function of the list, a `Schedule`, that returns it"
    )]
    AddToList: FnOnce(Schedule) -> Schedule
}

impl App {
    /// Returns an app with an empty world, but for the resources [`Exit`] and [`Elapsed`].
    ///
    /// ```
    /// # use ecs::app::App;
    /// assert!(App::new().world.is_empty());
    /// ```
    #[must_use]
    #[inline]
    pub fn new() -> Self {
        let mut world = World::new();
        world.insert_resource(Exit::default());
        world.insert_resource(Elapsed::default());
        let fixed_step = FixedStep::new(Duration::from_nanos(16_666_667));
        Self {
            world,
            fixed_step,
            stages: Vec::new(),
            machines: Vec::new(),
            is_paused: false,
            is_checked: false,
            installed: Vec::new(),
            after_frame: Vec::new(),
        }
    }

    /// Installs a plugin, unless one of its type is installed.
    ///
    /// ```
    /// # use ecs::Component;
    /// # use ecs::app::{App, Plugin};
    /// # #[derive(Component)] struct Sun;
    /// struct Sky;
    /// impl Plugin for Sky {
    ///     fn install(self, app: &mut App) {
    ///         app.world.spawn(Sun);
    ///     }
    /// }
    /// let mut app = App::new();
    /// app.install(Sky).install(Sky);
    /// assert_eq!(app.world.view::<Sun>().count(), 1);
    /// ```
    pub fn install<P: Plugin>(&mut self, plugin: P) -> &mut Self {
        let id = TypeId::of::<P>();
        if !self.installed.contains(&id) {
            self.installed.push(id);
            plugin.install(self);
        }
        self
    }

    /// Adds systems to the end of a set: `add`, an `FnOnce(Schedule) -> Schedule`, receives the set's list and returns it
    /// with the systems added.
    ///
    /// Sets run in the order in which they were first named, as far as [`order`](Self::order) allows. Without systems, it
    /// names a set that others may be ordered before or behind.
    ///
    /// ```
    /// # use ecs::Resource;
    /// # use ecs::app::{App, UPDATE};
    /// # #[derive(Resource)] struct Score(u32);
    /// # let mut app = App::new();
    /// # app.world.insert_resource(Score(0));
    /// fn add(score: &mut Score) {
    ///     score.0 += 1;
    /// }
    /// fn double(score: &mut Score) {
    ///     score.0 *= 2;
    /// }
    /// app.add_systems(UPDATE, "score", |list| list.add(add).add(double));
    /// app.run_schedule(UPDATE)?;
    /// assert_eq!(app.world.resource::<Score>().0, 2);
    /// # Ok::<(), ecs::ScheduleError>(())
    /// ```
    pub fn add_systems(
        &mut self,
        label: &'static str,
        set: &'static str,
        add: impl AddToList,
    ) -> &mut Self {
        let set = self.stage(label).set(set);
        set.is_added = true;
        set.list = add(mem::take(&mut set.list));
        self
    }

    /// Declares a label of the program's own, which [`run_schedule`](Self::run_schedule) runs. Only labels that are
    /// spelt almost like one of a frame have to be declared: without this, they are taken for misspelt.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use ecs::app::App;
    /// let mut app = App::new();
    /// app.add_label("update2").add_systems("update2", "all", |list| list.add(|| {}));
    /// app.frame(Duration::ZERO)?;
    /// # Ok::<(), ecs::ScheduleError>(())
    /// ```
    #[inline]
    pub fn add_label(&mut self, label: &'static str) -> &mut Self {
        self.stage(label).is_known = true;
        self
    }

    /// Makes one set of a label run before another, whether or not they have systems yet.
    ///
    /// # Panics
    /// Panics if the sets are ordered the other way round already, directly or through other sets.
    ///
    /// ```
    /// # use ecs::Resource;
    /// # use ecs::app::{App, UPDATE};
    /// # #[derive(Resource)] struct Log(Vec<&'static str>);
    /// # let mut app = App::new();
    /// # app.world.insert_resource(Log(vec![]));
    /// app.add_systems(UPDATE, "physics", |list| list.add(|log: &mut Log| log.0.push("physics")));
    /// app.add_systems(UPDATE, "input", |list| list.add(|log: &mut Log| log.0.push("input")));
    /// app.order(UPDATE, "input", "physics");
    /// app.run_schedule(UPDATE)?;
    /// assert_eq!(app.world.resource::<Log>().0, ["input", "physics"]);
    /// # Ok::<(), ecs::ScheduleError>(())
    /// ```
    #[track_caller]
    #[inline]
    pub fn order(
        &mut self,
        label: &'static str,
        before: &'static str,
        after: &'static str,
    ) -> &mut Self {
        let stage = self.stage(label);
        assert!(
            !stage.runs_before(after, before),
            "set `{before}` of `{label}` cannot run before `{after}`, which runs before it: remove one of the orders"
        );
        stage.set(before);
        stage.set(after);
        stage.orders.push((before, after));
        stage.sort();
        self
    }

    /// Makes several sets of a label run in this order, like [`order`](Self::order) for each two neighbours.
    ///
    /// # Panics
    /// Panics if two of the sets are ordered the other way round already, directly or through other sets.
    ///
    /// ```
    /// # use ecs::Resource;
    /// # use ecs::app::{App, UPDATE};
    /// # #[derive(Resource)] struct Log(Vec<&'static str>);
    /// # let mut app = App::new();
    /// # app.world.insert_resource(Log(vec![]));
    /// for set in ["draw", "physics", "input"] {
    ///     app.add_systems(UPDATE, set, |list| list.add(move |log: &mut Log| log.0.push(set)));
    /// }
    /// app.order_all(UPDATE, ["input", "physics", "draw"]);
    /// app.run_schedule(UPDATE)?;
    /// assert_eq!(app.world.resource::<Log>().0, ["input", "physics", "draw"]);
    /// # Ok::<(), ecs::ScheduleError>(())
    /// ```
    #[track_caller]
    pub fn order_all(
        &mut self,
        label: &'static str,
        sets: impl IntoIterator<Item = &'static str>,
    ) -> &mut Self {
        let mut sets = sets.into_iter();
        let Some(mut before) = sets.next() else { return self };
        for after in sets {
            self.order(label, before, after);
            before = after;
        }
        self
    }

    /// Runs the sets of a label only if a condition is true: a system that returns a `bool`. It is evaluated each time
    /// that the label is about to run, for [`FIXED`] before each step. If a label has several conditions, all of them are
    /// evaluated, and all must be true.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use ecs::Resource;
    /// # use ecs::app::{App, FIXED};
    /// #[derive(Resource)]
    /// struct Paused(bool);
    /// # #[derive(Resource)] struct Steps(u32);
    /// # let mut app = App::new();
    /// # app.world.insert_resource(Steps(0));
    /// app.world.insert_resource(Paused(true));
    /// app.add_systems(FIXED, "count", |list| list.add(|steps: &mut Steps| steps.0 += 1));
    /// app.run_label_if(FIXED, |paused: &Paused| !paused.0);
    /// app.frame(Duration::from_millis(40))?;
    /// assert_eq!(app.world.resource::<Steps>().0, 0);
    /// # Ok::<(), ecs::ScheduleError>(())
    /// ```
    #[track_caller]
    pub fn run_label_if<M: 'static, C>(&mut self, label: &'static str, condition: C) -> &mut Self
    where
        C: Takes<M, Out: Answer> + System<M> + Send + Sync + 'static,
    {
        let gate = &mut self.stage(label).gate;
        *gate = mem::take(gate).add_all_if(label, condition, Schedule::new());
        self
    }

    /// Runs a set of a label only if a condition is true: a system that returns a `bool`. It is evaluated just before
    /// the set. If a set has several conditions, all of them are evaluated, and all must be true.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use ecs::Resource;
    /// # use ecs::app::{App, UPDATE};
    /// #[derive(Resource)]
    /// struct Fuel(u32);
    ///
    /// let mut app = App::new();
    /// app.world.insert_resource(Fuel(2));
    /// app.add_systems(UPDATE, "fly", |list| list.add(|fuel: &mut Fuel| fuel.0 -= 1));
    /// app.run_set_if(UPDATE, "fly", |fuel: &Fuel| fuel.0 > 0);
    /// for _ in 0..5 {
    ///     app.frame(Duration::ZERO)?;
    /// }
    /// assert_eq!(app.world.resource::<Fuel>().0, 0);
    /// # Ok::<(), ecs::ScheduleError>(())
    /// ```
    #[track_caller]
    pub fn run_set_if<M: 'static, C>(
        &mut self,
        label: &'static str,
        set: &'static str,
        condition: C,
    ) -> &mut Self
    where
        C: Takes<M, Out: Answer> + System<M> + Send + Sync + 'static,
    {
        let gate = &mut self.stage(label).set(set).gate;
        *gate = mem::take(gate).add_all_if(set, condition, Schedule::new());
        self
    }

    /// Pauses a label, or lets it go on: frames do not run it while it is paused. While [`FIXED`] is paused, the time of
    /// frames counts for no step.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use ecs::Resource;
    /// # use ecs::app::{App, UPDATE};
    /// # #[derive(Resource)] struct Count(u32);
    /// # let mut app = App::new();
    /// # app.world.insert_resource(Count(0));
    /// app.add_systems(UPDATE, "count", |list| list.add(|count: &mut Count| count.0 += 1));
    /// for is_paused in [false, true, false] {
    ///     app.pause_label(UPDATE, is_paused).frame(Duration::ZERO)?;
    /// }
    /// assert_eq!(app.world.resource::<Count>().0, 2);
    /// # Ok::<(), ecs::ScheduleError>(())
    /// ```
    #[inline]
    pub fn pause_label(&mut self, label: &'static str, is_paused: bool) -> &mut Self {
        self.stage(label).is_paused = is_paused;
        self
    }

    /// Pauses the app, or lets it go on: while it is paused, frames run no label, make no change of state and count no
    /// time. Functions of [`after_frame`](Self::after_frame) are called.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use ecs::Resource;
    /// # use ecs::app::{App, FIXED};
    /// # #[derive(Resource)] struct Steps(u32);
    /// # let mut app = App::new();
    /// # app.world.insert_resource(Steps(0));
    /// app.add_systems(FIXED, "count", |list| list.add(|steps: &mut Steps| steps.0 += 1));
    /// app.pause(true).frame(Duration::from_secs(1))?;
    /// app.pause(false).frame(Duration::from_millis(17))?;
    /// assert_eq!(app.world.resource::<Steps>().0, 1);
    /// # Ok::<(), ecs::ScheduleError>(())
    /// ```
    pub const fn pause(&mut self, is_paused: bool) -> &mut Self {
        self.is_paused = is_paused;
        self
    }

    /// Returns `true` if the app is [paused](Self::pause).
    ///
    /// ```
    /// # use ecs::app::App;
    /// assert!(!App::new().is_paused());
    /// ```
    #[must_use]
    pub const fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Adds a state, which begins with this value: inserts the resource [`AppState`]. The next frame runs the list of
    /// [`on_enter`](Self::on_enter) for it. An app may have several states, each of a type of its own.
    ///
    /// See [`AppState`] for an example.
    ///
    /// # Panics
    /// Panics if the app has a state of this type.
    #[track_caller]
    pub fn add_state<S: Clone + PartialEq + Send + Sync + 'static>(
        &mut self,
        first: S,
    ) -> &mut Self {
        assert!(
            self.state_lists::<S>().is_none(),
            "the app has a state `{}` already: set it by `AppState::set`",
            type_name::<S>()
        );
        self.world.insert_resource(AppState::new(first));
        self.machines.push(Box::new(StateLists::<S>::new()));
        self
    }

    /// Adds systems to the list that runs when a state begins: `add` receives the list and returns it with the systems
    /// added.
    ///
    /// See [`AppState`] for an example.
    ///
    /// # Panics
    /// Panics if the app has no state of this type.
    #[track_caller]
    pub fn on_enter<S: Clone + PartialEq + Send + Sync + 'static>(
        &mut self,
        state: S,
        add: impl AddToList,
    ) -> &mut Self {
        self.on_change(state, false, add)
    }

    /// Adds systems to the list that runs when a state ends: `add` receives the list and returns it with the systems
    /// added.
    ///
    /// See [`AppState`] for an example.
    ///
    /// # Panics
    /// Panics if the app has no state of this type.
    #[track_caller]
    pub fn on_exit<S: Clone + PartialEq + Send + Sync + 'static>(
        &mut self,
        state: S,
        add: impl AddToList,
    ) -> &mut Self {
        self.on_change(state, true, add)
    }

    #[track_caller]
    fn on_change<S: Clone + PartialEq + Send + Sync + 'static>(
        &mut self,
        state: S,
        is_exit: bool,
        add: impl AddToList,
    ) -> &mut Self {
        let Some(lists) = self.state_lists::<S>() else {
            panic!(
                "the app has no state `{}`: add it by `App::add_state` before",
                type_name::<S>()
            );
        };
        let list = lists.list(state, is_exit);
        *list = add(mem::take(list));
        self
    }

    fn state_lists<S: Clone + PartialEq + Send + Sync + 'static>(
        &mut self,
    ) -> Option<&mut StateLists<S>> {
        let mut all = self.machines.iter_mut().map(|lists| &mut **lists as &mut dyn Any);
        all.find_map(|lists| lists.downcast_mut())
    }

    /// Runs the sets of a label.
    ///
    /// # Errors
    /// Returns the errors of all systems, after all sets have run.
    ///
    /// # Panics
    /// Panics if the label has no sets, unless it is one that [`frame`](Self::frame) runs.
    ///
    /// ```
    /// # use ecs::Resource;
    /// # use ecs::app::App;
    /// # #[derive(Resource)] struct Saves(u32);
    /// # let mut app = App::new();
    /// # app.world.insert_resource(Saves(0));
    /// app.add_systems("save", "all", |list| list.add(|saves: &mut Saves| saves.0 += 1));
    /// app.run_schedule("save")?;
    /// assert_eq!(app.world.resource::<Saves>().0, 1);
    /// # Ok::<(), ecs::ScheduleError>(())
    /// ```
    #[track_caller]
    #[inline]
    pub fn run_schedule(&mut self, label: &str) -> Result<(), ScheduleError> {
        let own = self.stages.iter().filter(|stage| stage.sets.iter().any(|set| set.is_added));
        let mut known = own.map(|stage| stage.label).chain(LABELS);
        if !known.clone().any(|known| known == label) {
            let nearest = Nearest(nearest(label, &mut known));
            panic!(
                "no set has the label `{label}`{nearest}: add systems to it by `App::add_systems`"
            );
        }
        if let Some(stage) = self.stages.iter_mut().find(|stage| stage.label == label) {
            stage.is_known = true;
        }
        self.check_names();
        let mut errors = Vec::new();
        self.run_sets(label, &mut errors);
        ScheduleError::unless_empty(errors)
    }

    /// Runs one frame: [`FIRST`], [`FIXED`] as often as steps fit into the time, [`UPDATE`], [`LAST`] and [`DRAW`].
    /// Systems find the time in the resource [`Elapsed`]. Before each label, changes of [states](AppState) are made.
    ///
    /// # Errors
    /// Returns the errors of all systems, after the whole frame has run.
    ///
    /// # Panics
    /// Panics if a set was ordered or given a condition and never added, or a label is spelt almost like one of these.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use ecs::app::{App, UPDATE};
    /// # let mut app = App::new();
    /// app.add_systems(UPDATE, "load", |list| list.add(|| Err::<(), _>("no such file")));
    /// let error = app.frame(Duration::from_millis(16)).unwrap_err();
    /// assert_eq!(error.errors().len(), 1);
    /// ```
    #[track_caller]
    #[inline]
    pub fn frame(&mut self, elapsed: Duration) -> Result<(), ScheduleError> {
        self.check_names();
        let mut errors = Vec::new();
        for label in LABELS {
            let is_paused = |stage: &Stage| stage.label == label && stage.is_paused;
            if self.is_paused || self.stages.iter().any(is_paused) {
                continue;
            }
            let (times, time) = match label {
                FIXED => (self.fixed_step.advance(elapsed), self.fixed_step.length()),
                _ => (1, elapsed),
            };
            self.world.insert_resource(Elapsed(time));
            for _ in 0..times {
                self.run_sets(label, &mut errors);
            }
        }
        let mut ending = Ending { calls: mem::take(&mut self.after_frame), app: self };
        let Ending { calls, app } = &mut ending;
        for call in calls {
            call(app);
        }
        ScheduleError::unless_empty(errors)
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

    /// Makes the changes of states, runs the sets of a label, and adds the errors of the systems.
    #[track_caller]
    #[inline]
    fn run_sets(&mut self, label: &str, errors: &mut Vec<(&'static str, Failure)>) {
        let Self { world, stages, machines, .. } = self;
        for state in machines {
            state.run(world, errors);
        }
        let Some(stage) = stages.iter_mut().find(|stage| stage.label == label) else { return };
        if !stage.gate.asks_all(world) {
            return;
        }
        for set in &mut stage.sets {
            if set.gate.asks_all(world) {
                errors.extend(set.list.run(world).err().into_iter().flat_map(|error| error.0));
            }
        }
    }

    /// Checks the names of labels and sets, once they have changed.
    ///
    /// # Panics
    /// Panics if a name is misspelt.
    #[track_caller]
    #[inline]
    fn check_names(&mut self) {
        if self.is_checked {
            return;
        }
        let added = |stage: &Stage| {
            stage.sets.iter().filter(|set| set.is_added).map(|set| set.name).collect::<Vec<_>>()
        };
        for stage in &self.stages {
            let (label, sets) = (stage.label, added(stage));
            if !stage.is_known && !LABELS.contains(&label) {
                let others = self.stages.iter().filter(|other| other.is_known);
                let others: Vec<&str> = others.map(|other| other.label).chain(LABELS).collect();
                let near = others.iter().copied().find(|other| is_misspelt(label, other));
                assert!(
                    near.is_none() && !sets.is_empty(),
                    "the label `{label}` is unknown{}: labels are {}; declare one of your own by `App::add_label`",
                    Nearest(near.or_else(|| nearest(label, others.iter().copied()))),
                    NamesOfLists(&others),
                );
            }
            if let Some(set) = stage.sets.iter().find(|set| !set.is_added) {
                panic!(
                    "no systems were added to the set `{}` of `{label}`{}: its sets are {}",
                    set.name,
                    Nearest(nearest(set.name, sets.iter().copied())),
                    NamesOfLists(&sets),
                );
            }
        }
        self.is_checked = true;
    }

    /// Runs frames until a system sets [`Exit`]; `elapsed` returns the time since the frame before.
    ///
    /// # Errors
    /// Returns the errors of the first frame that has any, and runs no further frame.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use ecs::app::{App, Exit, UPDATE};
    /// use std::time::Instant;
    /// # let mut app = App::new();
    /// # app.add_systems(UPDATE, "quit", |list| list.add(|exit: &mut Exit| exit.0 = true));
    ///
    /// let mut last = Instant::now();
    /// app.run(|| {
    ///     let now = Instant::now();
    ///     now - core::mem::replace(&mut last, now)
    /// })?;
    /// # Ok::<(), ecs::ScheduleError>(())
    /// ```
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
        let schedules = self.stages.iter_mut().flat_map(|stage| {
            stage.sets.iter_mut().map(|set| (stage.label, set.name, &mut set.list))
        });
        (&mut self.world, schedules)
    }

    /// Returns a [`Snapshot`] of the program: of the world, of the state that the systems of all schedules keep, and of
    /// the fixed step. O(entity ids and components).
    ///
    /// # Errors
    /// Returns an error that names each part that cannot be copied and does not say that it stays.
    ///
    /// ```
    /// use core::time::Duration;
    /// use ecs::app::{App, FIXED};
    /// use ecs::{Local, Resource};
    ///
    /// #[derive(Resource, Clone)]
    /// #[resource(clone)]
    /// struct Steps(u32);
    ///
    /// fn count(mut steps: Local<u32>, all: &mut Steps) {
    ///     *steps += 1;
    ///     all.0 = *steps;
    /// }
    /// let mut app = App::new();
    /// app.world.insert_resource(Steps(0));
    /// app.add_systems(FIXED, "count", |list| list.add(count));
    /// app.frame(Duration::from_millis(25))?; // 1 step, and 8 ms are left
    /// let snapshot = app.snapshot()?;
    /// for _ in 0..3 {
    ///     app.frame(Duration::from_millis(10))?;
    ///     assert_eq!(app.world.resource::<Steps>().0, 2);
    ///     app.restore(&snapshot)?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn snapshot(&mut self) -> Result<Snapshot, SnapshotError> {
        let mut snapshot = Snapshot::default();
        self.snapshot_into(&mut snapshot)?;
        Ok(snapshot)
    }

    /// Takes a snapshot like [`snapshot`](Self::snapshot), over an earlier one: its memory is used again.
    ///
    /// # Errors
    /// Returns the errors of [`snapshot`](Self::snapshot). The earlier snapshot is lost.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use ecs::Snapshot;
    /// # use ecs::app::App;
    /// let (mut app, mut before) = (App::new(), Snapshot::default());
    /// for _ in 0..10 {
    ///     app.snapshot_into(&mut before)?;
    ///     app.frame(Duration::from_millis(16))?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn snapshot_into(&mut self, snapshot: &mut Snapshot) -> Result<(), SnapshotError> {
        let Self { world, stages, machines, .. } = self;
        snapshot.take(world, schedules(stages, machines))?;
        snapshot.app = Some(AppParts {
            fixed_step: self.fixed_step.clone(),
            is_paused: self.is_paused,
            paused: self.stages.iter().map(|stage| stage.is_paused).collect(),
        });
        Ok(())
    }

    /// Brings the program back to the snapshot. O(entity ids and components of both).
    ///
    /// Observers of [`Replaced`](crate::Replaced) are notified that the world was copied. Functions of
    /// [`after_frame`](Self::after_frame) stay.
    ///
    /// # Errors
    /// Returns an error if the snapshot is of a program with other systems, or the world has resources that cannot be
    /// replaced. Then nothing has changed.
    ///
    /// # Panics
    /// Panics like [`World::copy_from`].
    ///
    /// ```
    /// # use ecs::app::App;
    /// let mut app = App::new();
    /// let snapshot = app.snapshot()?;
    /// app.world.spawn_empty();
    /// app.restore(&snapshot)?;
    /// assert!(app.world.is_empty());
    /// # Ok::<(), ecs::SnapshotError>(())
    /// ```
    #[inline]
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let Self { world, stages, machines, .. } = self;
        snapshot.check(world, schedules(stages, machines))?;
        snapshot.restore_world(world)?;
        snapshot.restore_schedules(world, schedules(stages, machines));
        if let Some(AppParts { fixed_step, is_paused, paused }) = &snapshot.app {
            self.fixed_step.clone_from(fixed_step);
            self.is_paused = *is_paused;
            for (stage, is_paused) in self.stages.iter_mut().zip(paused) {
                stage.is_paused = *is_paused;
            }
        }
        Ok(())
    }

    #[inline]
    fn stage(&mut self, label: &'static str) -> &mut Stage {
        self.is_checked = false;
        let new = || Stage {
            label,
            is_known: false,
            is_paused: false,
            gate: Schedule::new(),
            sets: Vec::new(),
            orders: Vec::new(),
        };
        find_or_push(&mut self.stages, |stage| stage.label == label, new)
    }
}

/// Returns the schedules of all sets, conditions and states.
#[inline]
fn schedules<'a>(
    stages: &'a mut [Stage],
    machines: &'a mut [Box<dyn AnyStateLists>],
) -> impl Iterator<Item = &'a mut Schedule> {
    let of_stages = stages.iter_mut().flat_map(|stage| {
        let sets = stage.sets.iter_mut().flat_map(|set| [&mut set.gate, &mut set.list]);
        [&mut stage.gate].into_iter().chain(sets)
    });
    of_stages.chain(machines.iter_mut().flat_map(|lists| lists.schedules()))
}

/// Returns `true` if a name differs from another one by one letter that is missing, wrong or too many, by two letters that
/// are exchanged, or by case.
#[inline]
fn is_misspelt(name: &str, other: &str) -> bool {
    let sorted = |name: &str| {
        let mut letters = name.to_ascii_lowercase().into_bytes();
        sort_few(&mut letters, PartialOrd::lt);
        letters
    };
    match distance(name, other) {
        0 | 1 => true,
        2 => sorted(name) == sorted(other),
        _ => false,
    }
}

/// Names in a message.
struct NamesOfLists<'a>(&'a [&'a str]);

impl fmt::Display for NamesOfLists<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, name) in self.0.iter().enumerate() {
            write!(f, "{}`{name}`", if at > 0 { ", " } else { "" })?;
        }
        if self.0.is_empty() { f.write_str("none") } else { Ok(()) }
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
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl Stage {
    #[inline]
    fn set(&mut self, name: &'static str) -> &mut Set {
        let (list, gate) = (Schedule::new(), Schedule::new());
        let new = || Set { name, list, gate, is_added: false };
        find_or_push(&mut self.sets, |set| set.name == name, new)
    }

    /// Returns `true` if a set is another one, or runs before it, directly or through others.
    #[inline]
    fn runs_before(&self, before: &'static str, after: &str) -> bool {
        let (mut later, mut at) = (Vec::from([before]), 0);
        while let Some(&name) = later.get(at) {
            for order in self.orders.iter().filter(|order| order.0 == name) {
                if !later.contains(&order.1) {
                    later.push(order.1);
                }
            }
            at += 1;
        }
        later.contains(&after)
    }

    /// Moves each set behind the sets that run before it; free sets keep their order.
    #[inline]
    fn sort(&mut self) {
        let mut left = mem::take(&mut self.sets);
        let is_free = |left: &[Set], name| {
            let waits = |order: &(&str, &str)| {
                order.1 == name && left.iter().any(|set| set.name == order.0)
            };
            !self.orders.iter().any(waits)
        };
        while let Some(at) = left.iter().position(|set| is_free(&left, set.name)) {
            self.sets.push(left.remove(at));
        }
    }
}
