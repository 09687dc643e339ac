//! Why a connection ended.

use ecs::save::LoadError;
use std::{fmt, io};

/// Why a connection ended: for a client from [`Client::update`](crate::Client::update), for a server from
/// [`Server::departed`](crate::Server::departed).
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The transport says so.
    Transport(io::Error),
    /// A change set cannot be applied: often because a component is not registered in the client's world.
    Set(LoadError),
    /// The server refused the client, for this reason.
    Refused(String),
    /// A message is not one of this library.
    Invalid,
    /// The client did not identify itself within this many updates.
    NoHello(u64),
    /// The server has as many clients as it may have.
    Full,
    /// The other side acknowledged something that was not sent to it.
    FalseAcknowledgement,
    /// The client did not acknowledge anything for this many updates, while it said that it is there.
    Unacknowledged(u64),
    /// The client requested another full set before it acknowledged the last one.
    TooManyFullSets,
    /// More bytes than the limit wait to be read by the other side.
    Unread(usize),
    /// More bytes than the limit arrived, and the program did not take them.
    Untaken(usize),
    /// Nothing was heard of the other side for this many updates.
    Silent(u64),
    /// [`Server::disconnect`](crate::Server::disconnect) was called.
    Disconnected,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transport(error) => write!(f, "the connection ended: {error}"),
            Self::Set(error) => write!(f, "a change set cannot be applied: {error}"),
            Self::Refused(why) => write!(f, "the server refused the client: {why}"),
            Self::Invalid => f.write_str("a message is not one of this library"),
            Self::NoHello(updates) => {
                write!(f, "the client did not identify itself within {updates} updates")
            }
            Self::Full => f.write_str("the server has as many clients as it may have"),
            Self::FalseAcknowledgement => {
                f.write_str("the other side acknowledged something that was not sent to it")
            }
            Self::Unacknowledged(updates) => {
                write!(f, "the client acknowledged nothing for {updates} updates")
            }
            Self::TooManyFullSets => {
                f.write_str("the client requested a full set before it acknowledged the last one")
            }
            Self::Unread(bytes) => {
                write!(f, "the other side left {bytes} bytes of messages unread")
            }
            Self::Untaken(bytes) => {
                write!(f, "{bytes} bytes of messages wait: take them by `received` in each update")
            }
            Self::Silent(updates) => write!(f, "nothing was heard for {updates} updates"),
            Self::Disconnected => f.write_str("the server ended the connection"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Transport(error) => Some(error),
            Self::Set(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Transport(error)
    }
}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Self {
        Self::Set(error)
    }
}
