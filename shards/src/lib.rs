#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod channels;
mod checkpoint;
mod cuts;
mod ends;
mod error;
mod ghosts;
mod identity;
mod message;
mod migrate;
mod reduce;
mod shards;
mod transport;

pub use channels::Channels;
pub use cuts::Cuts;
pub use error::ShardError;
pub use ghosts::{Ghosts, Shown};
pub use identity::{Identity, StandIn};
pub use shards::{Shards, Traffic};
pub use transport::Transport;
