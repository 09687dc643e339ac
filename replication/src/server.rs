//! The side that is followed.

use crate::link::Link;
use crate::message::{HEARTBEAT, PATIENCE, PROTOCOL, ToClient, ToServer, read, to_bytes};
use crate::{Error, Statistics, Transport};
use ecs::save::{ChangeSets, SaveError};
use ecs::{Entity, World};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// A message from a client is at most so long.
const LONGEST_MESSAGE: usize = 1 << 16;
/// A client that did not acknowledge this many bytes, or this many sets, is sent no other until it
/// does.
const MOST_BYTES: usize = 1 << 18;
const MOST_SETS: u64 = 32;

/// A client of a [`Server`]. It names no client of another server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientId(u64);

impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "client {}", self.0)
    }
}

/// Returns `true` if a client may see an entity.
type IsVisible = Box<dyn FnMut(&World, Entity) -> bool + Send>;

/// A server, whose world the worlds of clients follow.
///
/// See the [crate](crate) for an example.
pub struct Server<T> {
    clients: BTreeMap<ClientId, Peer<T>>,
    begin: Box<dyn Fn() -> ChangeSets + Send>,
    patience: u64,
    received: VecDeque<(ClientId, Vec<u8>)>,
    departed: VecDeque<(ClientId, Error)>,
}

/// A client, as the server sees it.
struct Peer<T> {
    link: Link<T>,
    sets: ChangeSets,
    is_visible: Option<IsVisible>,
    has_said_hello: bool,
    /// The numbers of the last set that was sent, and of the last one that was applied.
    sent: u64,
    acknowledged: u64,
    sent_at: u64,
}

impl<T: Transport> Default for Server<T> {
    /// A server that sends all components that are tracked and saved, and no resources.
    fn default() -> Self {
        Self::new(ChangeSets::default)
    }
}

impl<T: Transport> Server<T> {
    /// Returns a server that sends the changes of a reader. It calls `begin` for each client, which returns the reader.
    ///
    /// ```
    /// # use ecs::{ChildOf, Resource};
    /// # use ecs::save::ChangeSets;
    /// # use ecs_replication::{Server, udp};
    /// # use serde::{Deserialize, Serialize};
    /// #[derive(Resource, Serialize, Deserialize)]
    /// #[resource(save = "score")]
    /// struct Score(u32);
    ///
    /// let server: Server<udp::Peer> =
    ///     Server::new(|| ChangeSets::default().only::<ChildOf>().resource::<Score>());
    /// ```
    #[must_use]
    pub fn new(begin: impl Fn() -> ChangeSets + Send + 'static) -> Self {
        Self {
            clients: BTreeMap::new(),
            begin: Box::new(begin),
            patience: PATIENCE,
            received: VecDeque::new(),
            departed: VecDeque::new(),
        }
    }

    /// Sets the number of silent updates after which a client is given up, by default 600; a client sends something
    /// every 30.
    #[must_use]
    pub const fn gives_up_after(mut self, updates: u64) -> Self {
        self.patience = updates;
        self
    }

    /// Adds a client, which is sent everything when it says that it is there.
    pub fn connect(&mut self, transport: T) -> ClientId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = ClientId(NEXT.fetch_add(1, Ordering::Relaxed));
        let peer = Peer {
            link: Link::new(transport, LONGEST_MESSAGE, self.patience),
            sets: (self.begin)(),
            is_visible: None,
            has_said_hello: false,
            sent: 0,
            acknowledged: 0,
            sent_at: 0,
        };
        self.clients.insert(id, peer);
        id
    }

    /// Ends the connection to a client. Returns `false` if there is no such client.
    pub fn disconnect(&mut self, client: ClientId) -> bool {
        let is_there = self.clients.remove(&client).is_some();
        if is_there {
            self.departed.push_back((client, Error::Disconnected));
        }
        is_there
    }

    /// Limits a client to the entities for which `is_visible` returns `true`, by
    /// [`ChangeSets::drain_visible`]. The function is called for each entity that has a sent
    /// component, in each update. Returns `false` if there is no such client.
    pub fn set_visibility(
        &mut self,
        client: ClientId,
        is_visible: impl FnMut(&World, Entity) -> bool + Send + 'static,
    ) -> bool {
        let peer = self.clients.get_mut(&client);
        peer.map(|peer| peer.is_visible = Some(Box::new(is_visible))).is_some()
    }

    /// Sends the changes of the world to all clients, and reads their messages. Call it once a
    /// frame, with one world; in another world, clients get everything anew.
    ///
    /// # Errors
    /// When a value of the world cannot be written. Clients that were to receive it get a full set the next time.
    pub fn update(&mut self, world: &mut World) -> Result<(), SaveError> {
        let mut result = Ok(());
        self.clients.retain(|id, peer| {
            let step =
                peer.receive(*id, &mut self.received).and_then(|()| match peer.send(world) {
                    Ok(sent) => sent,
                    Err(error) => {
                        result = Err(error);
                        Ok(())
                    }
                });
            let step = step.and_then(|()| peer.link.flush());
            step.map_err(|error| self.departed.push_back((*id, error))).is_ok()
        });
        result
    }

    /// Returns the next message from a client, by [`Client::send`](crate::Client::send).
    pub fn received(&mut self) -> Option<(ClientId, Vec<u8>)> {
        self.received.pop_front()
    }

    /// Returns the next client that is gone, and why.
    pub fn departed(&mut self) -> Option<(ClientId, Error)> {
        self.departed.pop_front()
    }

    /// Sends a message to a client, behind the sets that were sent before. Returns `false` if there is no such client,
    /// or its connection has ended.
    pub fn send(&mut self, client: ClientId, message: &[u8]) -> bool {
        let Some(peer) = self.clients.get_mut(&client) else { return false };
        to_bytes(&ToClient::User(message)).and_then(|bytes| peer.link.send(&bytes)).is_ok()
    }

    /// Returns the clients.
    pub fn clients(&self) -> impl Iterator<Item = ClientId> {
        self.clients.keys().copied()
    }

    /// Returns the numbers of the last set that was sent to a client, and of the last one that it acknowledged.
    #[must_use]
    pub fn progress(&self, client: ClientId) -> Option<(u64, u64)> {
        self.clients.get(&client).map(|peer| (peer.sent, peer.acknowledged))
    }

    /// Returns the traffic of the connection to a client.
    #[must_use]
    pub fn statistics(&self, client: ClientId) -> Option<Statistics> {
        self.clients.get(&client).map(|peer| peer.link.statistics)
    }
}

impl<T: Transport> Peer<T> {
    fn receive(
        &mut self,
        id: ClientId,
        received: &mut VecDeque<(ClientId, Vec<u8>)>,
    ) -> Result<(), Error> {
        while let Some(bytes) = self.link.receive()? {
            match read(&bytes)? {
                ToServer::Hello { protocol: PROTOCOL } => self.has_said_hello = true,
                ToServer::Hello { protocol } => {
                    let why = format!(
                        "it speaks version {protocol} of the protocol, the server {PROTOCOL}"
                    );
                    self.link.send(&to_bytes(&ToClient::Refused(&why))?)?;
                    self.link.flush()?;
                    return Err(Error::Refused(why));
                }
                _ if !self.has_said_hello => return Err(Error::Invalid),
                ToServer::Applied { number, .. } if number > self.sent => {
                    return Err(Error::Invalid);
                }
                ToServer::Applied { number, needs_full } => {
                    self.acknowledged = number;
                    if needs_full {
                        self.sets.restart();
                    }
                }
                ToServer::User(message) => received.push_back((id, message.to_vec())),
            }
        }
        Ok(())
    }

    /// Sends the changes, unless too much is underway already.
    fn send(&mut self, world: &mut World) -> Result<Result<(), Error>, SaveError> {
        let is_ready =
            self.link.backlog() < MOST_BYTES && self.sent - self.acknowledged < MOST_SETS;
        if !self.has_said_hello || !is_ready {
            return Ok(Ok(()));
        }
        let set = match &mut self.is_visible {
            Some(is_visible) => self.sets.drain_visible(world, is_visible)?,
            None => self.sets.drain(world)?,
        };
        if set.is_empty() && self.link.now - self.sent_at < HEARTBEAT {
            return Ok(Ok(()));
        }
        (self.sent, self.sent_at) = (set.number(), self.link.now);
        if !set.is_empty() {
            self.link.statistics.add_set(set.as_bytes().len(), set.is_full());
        }
        let message = to_bytes(&ToClient::Set(set.as_bytes()));
        Ok(message.and_then(|bytes| self.link.send(&bytes)).map_err(Error::from))
    }
}

impl<T> fmt::Debug for Server<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("clients", &self.clients.keys()).finish_non_exhaustive()
    }
}
