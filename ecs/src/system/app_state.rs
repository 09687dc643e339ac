//! States of an app, and the lists that run when one begins or ends.

use crate::component::id::ComponentId;
use crate::resource::{InSnapshot, InSnapshots, Resource};
use crate::system::run::Failure;
use crate::system::schedule::Schedule;
use crate::system::stays::Stays;
use crate::world::World;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::any::Any;
use core::mem;

/// A state of an [`App`](crate::app::App): a menu, a game, a pause. A resource, which
/// [`App::add_state`](crate::app::App::add_state) inserts.
///
/// Systems read it by [`get`](Self::get) and change it by [`set`](Self::set). The change takes place before the app runs
/// its next label. The lists of [`on_exit`](crate::app::App::on_exit) run for the state that ends, then the lists of
/// [`on_enter`](crate::app::App::on_enter) for the state that begins. Each change takes place, in the order of the calls: if
/// a system sets B and then A again, the app leaves A, enters B, leaves B and enters A.
///
/// It stays when the world is copied, saved or loaded, and goes back with the app to a [`Snapshot`](crate::Snapshot).
///
/// ```
/// use core::time::Duration;
/// use ecs::Resource;
/// use ecs::app::{App, AppState, UPDATE, in_state};
///
/// #[derive(Clone, PartialEq)]
/// enum Screen { Menu, Game }
/// #[derive(Resource)]
/// struct Log(Vec<&'static str>);
///
/// let mut app = App::new();
/// app.world.insert_resource(Log(vec![]));
/// app.add_state(Screen::Menu);
/// app.on_exit(Screen::Menu, |list| list.add(|log: &mut Log| log.0.push("close")));
/// app.on_enter(Screen::Game, |list| list.add(|log: &mut Log| log.0.push("begin")));
/// app.add_systems(UPDATE, "play", |list| list.add(|log: &mut Log| log.0.push("play")));
/// app.run_set_if(UPDATE, "play", in_state(Screen::Game));
/// app.add_systems(UPDATE, "menu", |list| list.add(|screen: &mut AppState<Screen>| screen.set(Screen::Game)));
/// app.run_set_if(UPDATE, "menu", in_state(Screen::Menu));
///
/// app.frame(Duration::ZERO)?;
/// app.frame(Duration::ZERO)?;
/// assert_eq!(app.world.resource::<Log>().0, ["close", "begin", "play"]);
/// # Ok::<(), ecs::ScheduleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AppState<S> {
    current: S,
    /// The states to enter, in the order in which they were set.
    next: VecDeque<S>,
    /// `true` if the lists of the first state ran.
    has_begun: bool,
}

impl<S> AppState<S> {
    pub(crate) const fn new(first: S) -> Self {
        Self { current: first, next: VecDeque::new(), has_begun: false }
    }

    /// Returns the present state, those to enter, and whether the lists of the first one ran.
    #[cfg(feature = "serde")]
    pub(crate) const fn to_parts(&self) -> (&S, &VecDeque<S>, bool) {
        (&self.current, &self.next, self.has_begun)
    }

    #[cfg(feature = "serde")]
    pub(crate) fn from_parts((current, next, has_begun): (S, Vec<S>, bool)) -> Self {
        Self { current, next: next.into(), has_begun }
    }

    /// Returns the state that the app is in. It changes between labels only.
    ///
    /// ```
    /// # use ecs::app::{App, AppState};
    /// let mut app = App::new();
    /// app.add_state("menu");
    /// assert_eq!(*app.world.resource::<AppState<&str>>().get(), "menu");
    /// ```
    #[must_use]
    pub const fn get(&self) -> &S {
        &self.current
    }

    /// Makes the app enter a state before it runs its next label. Does nothing if that is the last state that was set, or
    /// the present one if none was: to enter the present state again, leave it for another one.
    ///
    /// ```
    /// # use core::time::Duration;
    /// # use ecs::app::{App, AppState};
    /// let mut app = App::new();
    /// app.add_state("menu");
    /// app.world.resource_mut::<AppState<&str>>().set("game");
    /// app.frame(Duration::ZERO)?;
    /// assert_eq!(*app.world.resource::<AppState<&str>>().get(), "game");
    /// # Ok::<(), ecs::ScheduleError>(())
    /// ```
    pub fn set(&mut self, state: S)
    where
        S: PartialEq,
    {
        if *self.next.back().unwrap_or(&self.current) != state {
            self.next.push_back(state);
        }
    }
}

/// The instances share an id, so they are distinguished at run time.
#[diagnostic::do_not_recommend]
impl<S: Clone + Send + Sync + 'static> Resource for AppState<S> {
    const NAME: &'static str = "AppState";
    const ID: ComponentId =
        ComponentId::of(Some("ecs"), None, "app_state", "AppState", 0, 0).inexact();
    const SKIPS_COPIES: bool = true;
    const SKIPS_SAVES: bool = true;
    const IN_SNAPSHOTS: Option<InSnapshots<Self>> =
        Some(InSnapshots { state: |_| InSnapshot::Copied, copy: |state| Some(state.clone()) });
}

/// Returns a condition that is true while the app is in a state.
///
/// ```
/// # use core::time::Duration;
/// use ecs::app::{App, UPDATE, in_state};
/// # let mut app = App::new();
/// app.add_state("menu");
/// app.add_systems(UPDATE, "draw", |list| list.add_if(in_state("menu"), || {}));
/// # app.frame(Duration::ZERO)?;
/// # Ok::<(), ecs::ScheduleError>(())
/// ```
#[must_use]
pub fn in_state<S: Clone + PartialEq + Send + Sync + 'static>(
    state: S,
) -> Stays<impl FnMut(&AppState<S>) -> bool + Send + Sync + 'static> {
    Stays(move |now: &AppState<S>| now.current == state)
}

/// The most changes of a state between two labels.
const MOST_CHANGES: usize = 1_000;

/// The lists of one state of an app, for each of its values.
pub(crate) struct StateLists<S> {
    lists: Vec<StateList<S>>,
}

/// The systems that run when a value of a state begins, or when it ends.
struct StateList<S> {
    value: S,
    is_exit: bool,
    list: Schedule,
}

/// The lists of a state of any type.
pub(crate) trait AnyStateLists: Any + Send + Sync {
    /// Makes the changes that were set, in their order, and runs the lists.
    fn run(&mut self, world: &mut World, errors: &mut Vec<(&'static str, Failure)>);
    fn schedules(&mut self) -> Box<dyn Iterator<Item = &mut Schedule> + '_>;
}

impl<S: Clone + PartialEq + Send + Sync + 'static> StateLists<S> {
    pub(crate) const fn new() -> Self {
        Self { lists: Vec::new() }
    }

    /// Returns the list of a value.
    pub(crate) fn list(&mut self, value: S, is_exit: bool) -> &mut Schedule {
        let is_it = |it: &StateList<S>| it.is_exit == is_exit && it.value == value;
        let at = self.lists.iter().position(is_it).unwrap_or_else(|| {
            self.lists.push(StateList { value, is_exit, list: Schedule::new() });
            self.lists.len() - 1
        });
        &mut self.lists[at].list
    }

    #[track_caller]
    fn run_list(
        &mut self,
        is_exit: bool,
        world: &mut World,
        errors: &mut Vec<(&'static str, Failure)>,
    ) {
        let Some(state) = world.get_resource::<AppState<S>>() else { return };
        let is_it = |it: &&mut StateList<S>| it.is_exit == is_exit && it.value == state.current;
        if let Some(found) = self.lists.iter_mut().find(is_it) {
            errors.extend(found.list.run(world).err().into_iter().flat_map(|error| error.0));
        }
    }
}

impl<S: Clone + PartialEq + Send + Sync + 'static> AnyStateLists for StateLists<S> {
    fn run(&mut self, world: &mut World, errors: &mut Vec<(&'static str, Failure)>) {
        for _ in 0..MOST_CHANGES {
            // Borrowed to be read at first, so that nothing counts as changed.
            let Some(state) = world.get_resource::<AppState<S>>() else { return };
            if state.has_begun && state.next.is_empty() {
                return;
            }
            let state = world.resource_mut::<AppState<S>>();
            if mem::replace(&mut state.has_begun, true) {
                self.run_list(true, world, errors);
                let Some(state) = world.get_resource_mut::<AppState<S>>() else { return };
                let Some(next) = state.next.pop_front() else { return };
                state.current = next;
            }
            self.run_list(false, world, errors);
        }
        panic!(
            "the state `{}` changed {MOST_CHANGES} times between two labels: a list of `on_enter` or `on_exit` sets it \
             without end",
            core::any::type_name::<S>()
        );
    }

    fn schedules(&mut self) -> Box<dyn Iterator<Item = &mut Schedule> + '_> {
        Box::new(self.lists.iter_mut().map(|it| &mut it.list))
    }
}
