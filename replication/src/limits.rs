//! The limits of a server.

/// The limits of a [`Server`](crate::Server): the most that a client can make it keep, read, and send. Times are counted in
/// updates, and the defaults are made for 60 updates a second.
///
/// ```
/// use ecs_replication::{Server, ServerLimits, udp};
///
/// let mut limits = ServerLimits::default();
/// limits.clients = 16;
/// let server = Server::<udp::Peer>::default().limits(limits);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerLimits {
    /// The most clients: 256. [`Server::connect`](crate::Server::connect) ends the connection of another one.
    pub clients: usize,
    /// The most updates until a client identifies itself: 300.
    pub hello_updates: u64,
    /// The least updates between two full sets for one client: 60. A request within this time waits.
    pub full_set_updates: u64,
    /// The most bytes of newest values that are sent to a client in one update: 64 KiB. Others come first in the next update.
    pub value_bytes: usize,
    /// The most bytes that [`Server::send`](crate::Server::send) may leave with a client that does not acknowledge them:
    /// 1 MiB. A client that has more is disconnected.
    pub unread_bytes: usize,
    /// The most bytes that are read from a client in one update: 128 KiB. The rest waits in the transport. A packet counts as
    /// its bytes and 64.
    pub read_bytes: usize,
    /// The most bytes of a client's messages that wait for [`Server::received`](crate::Server::received): 1 MiB. A client
    /// that has more is disconnected. A message counts as its bytes and 64.
    pub untaken_bytes: usize,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            clients: 256,
            hello_updates: 300,
            full_set_updates: 60,
            value_bytes: 1 << 16,
            unread_bytes: 1 << 20,
            read_bytes: 1 << 17,
            untaken_bytes: 1 << 20,
        }
    }
}
