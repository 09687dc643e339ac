//! The messages of a server and a client.

use crate::Error;
use serde::{Deserialize, Serialize};
use std::io;

/// Both sides are to have the same.
pub(crate) const PROTOCOL: u32 = 2;
/// Each side sends something after this many updates, so that the other side hears of it.
pub(crate) const HEARTBEAT: u64 = 30;
/// A side is gone if nothing was heard of it for this many updates, unless another number is set.
pub(crate) const PATIENCE: u64 = 600;
/// The most bytes of the first message of a client, and of the token and the data in it.
pub(crate) const LONGEST_HELLO: usize = 8_192;
pub(crate) const LONGEST_IDENTITY: usize = 8_000;

#[derive(Serialize, Deserialize)]
pub(crate) enum ToServer<'a> {
    /// The first one.
    Hello {
        protocol: u32,
        token: &'a [u8],
        data: &'a [u8],
    },
    /// The last set that arrived: its proof; the number of the last set that was applied, and whether the next one is to be
    /// full.
    Applied {
        proof: u64,
        number: u64,
        needs_full: bool,
    },
    User(&'a [u8]),
}

#[derive(Serialize, Deserialize)]
pub(crate) enum ToClient<'a> {
    Refused(&'a str),
    /// A number that only a client can know that read the set, the server's tick, and the set.
    Set {
        proof: u64,
        tick: u64,
        set: &'a [u8],
    },
    User(&'a [u8]),
}

/// The content of a loose packet to a client.
#[derive(Serialize, Deserialize)]
pub(crate) enum LooseToClient<'a> {
    /// Newest values, their number, and the server's tick.
    Values {
        tick: u64,
        number: u64,
        set: &'a [u8],
    },
    User(&'a [u8]),
}

/// The content of a loose packet to a server.
#[derive(Serialize, Deserialize)]
pub(crate) enum LooseToServer<'a> {
    Arrived(Arrivals),
    User(#[serde(borrow)] &'a [u8]),
}

/// The numbers of sets of values that arrived, as ranges. Each begins with its distance from the end of the one before.
pub(crate) type Arrivals = Vec<(u64, u64)>;

pub(crate) fn to_bytes<M: Serialize>(message: &M) -> io::Result<Vec<u8>> {
    postcard::to_allocvec(message).map_err(io::Error::other)
}

pub(crate) fn read<'a, M: Deserialize<'a>>(bytes: &'a [u8]) -> Result<M, Error> {
    postcard::from_bytes(bytes).map_err(|_| Error::Invalid)
}

/// Returns the version of the protocol in the first message of a client. It stands at one place in all versions.
pub(crate) fn protocol(bytes: &[u8]) -> Result<u32, Error> {
    match postcard::take_from_bytes(bytes) {
        Ok(((0_u32, protocol), _)) => Ok(protocol),
        _ => Err(Error::Invalid),
    }
}
