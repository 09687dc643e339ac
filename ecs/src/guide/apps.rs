//! Apps: programs assembled from plugins.
//!
//! ```
//! use core::time::Duration;
//! use ecs::Resource;
//! use ecs::app::{App, Exit, Plugin, UPDATE};
//!
//! #[derive(Resource, Default)]
//! struct Log(Vec<&'static str>);
//!
//! struct Physics;
//! impl Plugin for Physics {
//!     fn install(self, app: &mut App) {
//!         app.add_systems(UPDATE, "physics", |list| list.add(|log: &mut Log| log.0.push("physics")));
//!     }
//! }
//!
//! struct Input;
//! impl Plugin for Input {
//!     fn install(self, app: &mut App) {
//!         app.add_systems(UPDATE, "input", |list| list.add(|log: &mut Log| log.0.push("input")));
//!     }
//! }
//!
//! struct Game;
//! impl Plugin for Game {
//!     fn install(self, app: &mut App) {
//!         app.world.insert_resource(Log::default());
//!         app.install(Physics).install(Input).order(UPDATE, "input", "physics");
//!         app.add_systems(UPDATE, "game", |list| list.add(|exit: &mut Exit| exit.0 = true));
//!     }
//! }
//!
//! let mut app = App::new();
//! app.install(Game);
//! app.run(|| Duration::from_millis(16))?;
//! assert_eq!(app.world.resource::<Log>().0, ["input", "physics"]);
//! # Ok::<(), ecs::ScheduleError>(())
//! ```
//!
//! A [`Plugin`] adds systems to an app, and resources and observers to its [`App::world`]. [`App::install`]
//! installs a plugin once: later calls with a plugin of that type do nothing, so a plugin installs the plugins
//! that it requires.
//!
//! Each schedule has a label: [`FIRST`], [`FIXED`], [`UPDATE`], [`LAST`], [`DRAW`], or a name of yours, which
//! [`App::run_schedule`] runs. A schedule consists of named sets. Sets run one after the other, in the order in
//! which they were first named, as far as [`App::order`] and [`App::order_all`] allow. Systems of different sets never
//! overlap; systems of one set may, as in any [`Schedule`](crate::Schedule). The first frame panics if a label or a set is
//! misspelt, and lists the existing ones.
//!
//! A condition on a label is added by [`App::run_label_if`], one on a set by [`App::run_set_if`]. [`App::pause_label`]
//! pauses a label, such as [`FIXED`] and [`UPDATE`] under a menu, and [`App::pause`] the whole app.
//!
//! # States
//!
//! An app may be in states of its own, such as a menu, a game and a pause: [`App::add_state`]. Systems change a state by
//! the resource [`AppState`], and [`in_state`] is a condition. The app makes each change before its next label: it runs
//! the systems of [`App::on_exit`] for the old value, then the systems of [`App::on_enter`] for the new one. No change is
//! missed: from A to B and back to A, it leaves A, enters B, leaves B and enters A.
//!
//! ```
//! use core::time::Duration;
//! use ecs::app::{App, AppState, FIXED, UPDATE, in_state};
//! use ecs::{Commands, Component, Entity, Resource, View, With, World};
//!
//! #[derive(Clone, Copy, PartialEq)]
//! enum Screen { Menu, Running, Paused }
//! #[derive(Resource)]
//! struct Keys(Vec<char>);
//! #[derive(Component)]
//! struct Ball(f32);
//!
//! fn press(keys: &mut Keys, screen: &mut AppState<Screen>) {
//!     for key in keys.0.drain(..) {
//!         screen.set(match (*screen.get(), key) {
//!             (Screen::Menu, 's') | (Screen::Paused, 'p') => Screen::Running,
//!             (Screen::Running, 'p') => Screen::Paused,
//!             (Screen::Running | Screen::Paused, 'q') => Screen::Menu,
//!             (same, _) => same,
//!         });
//!     }
//! }
//! fn begin(world: &mut World) {
//!     if world.view::<With<Ball>>().count() == 0 {
//!         world.spawn(Ball(10.0));
//!     }
//! }
//! fn end(balls: View<(Entity, With<Ball>)>, commands: &mut Commands) {
//!     balls.into_iter().for_each(|(ball, ..)| commands.despawn(ball));
//! }
//! fn fall(balls: View<&mut Ball>) {
//!     balls.for_each(|(_, height)| height.0 -= 1.0);
//! }
//!
//! let mut app = App::new();
//! app.world.insert_resource(Keys(vec![]));
//! app.add_state(Screen::Menu);
//! app.on_enter(Screen::Running, |list| list.add(begin));
//! app.on_enter(Screen::Menu, |list| list.add(end));
//! app.add_systems(UPDATE, "keys", |list| list.add(press));
//! app.add_systems(FIXED, "fall", |list| list.add(fall));
//! app.run_label_if(FIXED, in_state(Screen::Running));
//!
//! let mut press = |key, app: &mut App| {
//!     app.world.resource_mut::<Keys>().0.push(key);
//!     app.frame(Duration::ZERO)?; // the key is read
//!     app.frame(Duration::from_millis(17)) // a step
//! };
//! press('s', &mut app)?;
//! assert_eq!(app.world.view::<&Ball>().single().unwrap().1.0, 9.0);
//! press('p', &mut app)?;
//! assert_eq!(app.world.view::<&Ball>().single().unwrap().1.0, 9.0);
//! press('q', &mut app)?;
//! assert!(app.world.is_empty());
//! # Ok::<(), ecs::ScheduleError>(())
//! ```
//!
//! # Going back
//!
//! [`App::snapshot`] takes the whole program: the world, and all that its systems keep. [`App::restore`] brings it back,
//! and then equal inputs have equal results. [`Snapshot`](crate::Snapshot) lists the parts that go back, and how a part says
//! that it stays.
//!
//! [`App::run`] takes the time of each frame from the caller, so an app needs no clock. It returns after a
//! system has set the resource [`Exit`]. [`App::after_frame`] calls a function at the end of each frame, when
//! no schedule runs, and [`App::parts_mut`] lends the world beside all schedules: both are for tools.
//!
//! [`App::add_state`]: crate::app::App::add_state
//! [`App::after_frame`]: crate::app::App::after_frame
//! [`App::on_enter`]: crate::app::App::on_enter
//! [`App::on_exit`]: crate::app::App::on_exit
//! [`App::order_all`]: crate::app::App::order_all
//! [`App::pause_label`]: crate::app::App::pause_label
//! [`App::pause`]: crate::app::App::pause
//! [`App::restore`]: crate::app::App::restore
//! [`App::run_label_if`]: crate::app::App::run_label_if
//! [`App::run_set_if`]: crate::app::App::run_set_if
//! [`App::snapshot`]: crate::app::App::snapshot
//! [`AppState`]: crate::app::AppState
//! [`in_state`]: crate::app::in_state
//! [`App::parts_mut`]: crate::app::App::parts_mut
//! [`Plugin`]: crate::app::Plugin
//! [`App::world`]: crate::app::App::world
//! [`App::install`]: crate::app::App::install
//! [`App::run_schedule`]: crate::app::App::run_schedule
//! [`App::order`]: crate::app::App::order
//! [`App::run`]: crate::app::App::run
//! [`Exit`]: crate::app::Exit
//! [`FIRST`]: crate::app::FIRST
//! [`FIXED`]: crate::app::FIXED
//! [`UPDATE`]: crate::app::UPDATE
//! [`LAST`]: crate::app::LAST
//! [`DRAW`]: crate::app::DRAW
