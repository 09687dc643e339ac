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
