//! Worlds of [`ecs`] on clients that follow a server.
//!
//! A [`Server`] sends to each client the content of its world, and then, update by update, the changes. It sends all
//! components that say both `#[component(track, save = "name")]`. A [`Client`] does the same to its own world, which may
//! have entities and components of its own. Both work over any [`Transport`], ordered or not; [`udp`] is one for local
//! networks, and `quinn`, a feature, has two over QUIC.
//!
//! ```
//! use ecs::{Component, World};
//! use ecs_replication::{Client, Server, udp};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
//! #[component(track, save = "position")]
//! struct Position(f32, f32);
//!
//! let mut world = World::new();
//! let ship = world.spawn(Position(1.0, 2.0)).id();
//! let mut listener = udp::Listener::bind("127.0.0.1:0")?;
//! let mut server = Server::default();
//!
//! let mut view = World::new();
//! view.register::<Position>();
//! let mut client = Client::new(udp::Socket::connect(listener.local_addr()?)?);
//!
//! while client.follower().get(ship).is_none() {
//!     if let Some(socket) = listener.accept()? {
//!         server.connect(socket);
//!     }
//!     server.update(&mut world)?;
//!     client.update(&mut view)?;
//! }
//! let here = client.follower().get(ship).unwrap();
//! assert_eq!(view.get::<Position>(here), Some(&Position(1.0, 2.0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The world of a client
//!
//! A client has exactly the sent components of the entities that it [may see](Server::set_visibility). Handles are its
//! own, and the order of children is the server's. A client that joins late, or connects [again](Client::reconnect), gets
//! all at once and changes from then on. If a client is slow, the server waits, and sends several changes as one.
//!
//! Over a transport that loses packets, new values of components travel apart from the rest, and do not wait for lost
//! packets: [`ChangeSets::values_apart`](ecs::save::ChangeSets::values_apart). Values of one entity may then be of different
//! ticks for a moment. At rest, the client has exactly the server's state. Over an ordered transport, each set has all.
//!
//! A client may write in advance, too: [`World::apply_change_set`](ecs::World::apply_change_set) describes the effects.
//! An entity that it despawned, and that the server goes on to change, is brought back after a while
//! ([`Client::patience`]).
//!
//! # Messages
//!
//! [`Client::send`] and [`Server::send`] carry messages of yours, in order, along with the rest: inputs, commands, chat. A
//! handle in them is translated by [`Follower::get`](ecs::save::Follower::get) and
//! [`Follower::there`](ecs::save::Follower::there).

mod client;
mod error;
mod hello;
mod interpolated;
mod limits;
mod link;
mod message;
mod predicted;
#[cfg(feature = "quinn")]
pub mod quinn;
mod server;
mod statistics;
mod transport;
pub mod udp;

pub use client::Client;
pub use error::Error;
pub use hello::{Admission, Hello};
pub use interpolated::Interpolated;
pub use limits::ServerLimits;
pub use predicted::{Predicted, PredictedProgram, PredictionError};
pub use server::{ClientId, Server};
pub use statistics::Statistics;
pub use transport::{Delivery, Transport};
