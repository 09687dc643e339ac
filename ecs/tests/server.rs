//! The example `server`: its own tests, which run here because Cargo runs none of an example's.

// Miri has no sockets.
#![cfg(not(miri))]

#[path = "../examples/server.rs"]
mod server;
