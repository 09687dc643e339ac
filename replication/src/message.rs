//! The messages of a server and a client.

use crate::Error;
use serde::{Deserialize, Serialize};
use std::io;

/// Both sides are to have the same.
pub(crate) const PROTOCOL: u32 = 1;
/// Each side sends something after this many updates, so that the other side hears of it.
pub(crate) const HEARTBEAT: u64 = 30;
/// A side is gone if nothing was heard of it for this many updates, unless another number is set.
pub(crate) const PATIENCE: u64 = 600;

#[derive(Serialize, Deserialize)]
pub(crate) enum ToServer<'a> {
    /// The first one.
    Hello {
        protocol: u32,
    },
    /// The number of the last set that was applied, and whether the next one is to be full.
    Applied {
        number: u64,
        needs_full: bool,
    },
    User(#[serde(borrow)] &'a [u8]),
}

#[derive(Serialize, Deserialize)]
pub(crate) enum ToClient<'a> {
    Refused(&'a str),
    Set(#[serde(borrow)] &'a [u8]),
    User(&'a [u8]),
}

pub(crate) fn to_bytes<M: Serialize>(message: &M) -> io::Result<Vec<u8>> {
    postcard::to_allocvec(message).map_err(io::Error::other)
}

pub(crate) fn read<'a, M: Deserialize<'a>>(bytes: &'a [u8]) -> Result<M, Error> {
    postcard::from_bytes(bytes).map_err(|_| Error::Invalid)
}
