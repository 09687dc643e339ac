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
//! which they were first named, as far as [`App::order`] allows. Systems of different sets never overlap; those
//! of one set may, as in any [`Schedule`](crate::Schedule).
//!
//! [`App::run`] takes the time of each frame from the caller, so an app needs no clock. It returns after a
//! system has set the resource [`Exit`]. [`App::after_frame`] calls a function at the end of each frame, when
//! no schedule runs, and [`App::parts_mut`] lends the world beside all schedules: both are for tools.
//!
//! [`App::after_frame`]: crate::app::App::after_frame
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
