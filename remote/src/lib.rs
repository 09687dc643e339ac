//! An inspector for worlds of [`ecs`], and a server that speaks the Bevy Remote Protocol.
//!
//! Three lines in a program, and its world can be looked at and edited in a browser, at `http://127.0.0.1:15702`:
//!
//! ```no_run
//! use ecs::World;
//! use ecs_remote::Options;
//!
//! let mut world = World::new();
//! let mut remote = Options::new().start()?;
//! loop {
//!     // .. a frame ..
//!     remote.serve(&mut world);
//! }
//! # #[allow(unreachable_code)]
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! In an [`App`](ecs::app::App), [`RemotePlugin`] does that, and shows all schedules.
//!
//! # What is seen
//!
//! Components and resources that are saved (`#[component(save = "name")]`) have values that are read and written, those
//! with `#[component(debug)]` are shown as text, and of others the name is shown. An entity is its number of 64 bits, as
//! [`Entity::to_bits`](ecs::Entity::to_bits) returns it, or the text `12v3`: a request may have either.
//!
//! Clients also define components while the program runs (`ecs.define`), and change their fields (`ecs.redefine`).
//!
//! # Who may look
//!
//! Nothing is served before [`Options::start`]. After that, every program of this machine may read and edit the world,
//! but no page of another site. Requests from browsers are served only if they come from this server's own pages. See
//! [`Options::read_only`], [`Options::allow`] and [`Options::token`] for less.
//!
//! No request ends or stalls the world. A panic in code that a request calls, such as an observer, is an error of that
//! request. Code of the program's own, called by a request, takes as long as it takes.
//!
//! # The budget of a frame
//!
//! Each call of [`Remote::serve`] has a budget of [time](Options::budget), of [bytes](Options::frame_bytes) and of
//! [values](Options::frame_values), for all clients together. They take turns, and long answers go on in later frames.
//! One value, an edit, an undo, a prefab and a snapshot are not divided. One that exceeds the budget of a frame is
//! refused, and the error names the option. A program that takes snapshots of a large world raises the budget.
//!
//! ```
//! # use ecs_remote::Options;
//! let options = Options::new().frame_bytes(64 << 20).frame_values(4_000_000);
//! ```
//!
//! A value that cannot be written as JSON, or that takes more than a frame, is an error in its place. The row of a query
//! has it in `errors`, beside `components`.
//!
//! [`Options::limits`] limits an answer, [`Options::waiting`] the requests that wait for the world, and
//! [`Options::connections`] the connections. `docs/threats.md` lists all limits, with their tests.

#![forbid(unsafe_code)]

mod budget;
mod error;
mod frames;
mod http;
mod measure;
mod methods;
mod names;
mod options;
mod out;
mod page;
mod parts;
mod patch;
mod protocol;
mod remote;
mod room;
mod shape;
mod walk;
mod watch;

pub use budget::Work;
pub use error::Error;
pub use options::{Options, PORT};
pub use protocol::{Protocol, Schedules};
pub use remote::{Remote, RemotePlugin};
