//! The side that is followed.

use crate::hello::IsVisible;
use crate::link::{Arrived, EACH, Link, LinkLimits, MOST_TO_CLIENT, MOST_TO_SERVER};
use crate::message::{
    Arrivals, HEARTBEAT, LONGEST_HELLO, LooseToClient, LooseToServer, PATIENCE, PROTOCOL, ToClient,
    ToServer, protocol, read, to_bytes,
};
use crate::{Admission, Error, Hello, ServerLimits, Statistics, Transport};
use ecs::save::{ChangeSet, ChangeSets, SaveError};
use ecs::{Entity, World};
use siphasher::sip::SipHasher24;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::hash::Hasher;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// A message from a client is at most so long.
const LONGEST_MESSAGE: usize = 1 << 16;
/// A client that did not acknowledge this many bytes, or this many sets, is sent no other until it
/// does.
const MOST_BYTES: usize = 1 << 18;
const MOST_SETS: usize = 32;
/// The bytes of a set of values beside its own: two numbers and a length.
const VALUES_HEAD: usize = 1 + 2 * 10 + 3;
/// The most updates whose sets of values are remembered with their times.
const MOST_UPDATES: usize = 256;
/// The updates in which a refused client can acknowledge the reason.
const FAREWELL: u64 = 60;
/// The most clients that wait for [`Server::departed`] and [`Server::joined`]; the oldest are forgotten.
const MOST_NEWS: usize = 1_024;

/// A client of a [`Server`]. It names no client of another server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientId(u64);

impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "client {}", self.0)
    }
}

/// Decides about a client.
type Accepts = Box<dyn FnMut(&Hello<'_>) -> Result<Admission, String> + Send>;

/// A server, whose world the worlds of clients follow.
///
/// See the [crate](crate) for an example.
pub struct Server<T> {
    clients: BTreeMap<ClientId, Peer<T>>,
    begin: Box<dyn Fn() -> ChangeSets + Send>,
    accepts: Accepts,
    patience: u64,
    limits: ServerLimits,
    tick: u64,
    /// The key of the proofs; made with the first client.
    key: Option<[u8; 16]>,
    received: VecDeque<(ClientId, Vec<u8>)>,
    joined: VecDeque<(ClientId, Vec<u8>)>,
    departed: VecDeque<(ClientId, Error)>,
}

/// A client, as the server sees it.
struct Peer<T> {
    id: ClientId,
    link: Link<T>,
    sets: ChangeSets,
    is_visible: Option<IsVisible>,
    state: State,
    limits: ServerLimits,
    /// The number of the last set that was sent, and the time.
    sent: u64,
    sent_at: u64,
    /// The bytes of all messages so far, and of the messages of the program among them.
    bytes: Bytes,
    /// The messages with sets that the client did not prove to have read.
    unproved: VecDeque<Unproved>,
    /// The last proof that came, and the bytes and the set that it stands for.
    proved: u64,
    read: Bytes,
    last_read: u64,
    acknowledged: u64,
    full: FullSets,
    values: SentValues,
    /// The bytes of messages that wait for [`Server::received`].
    untaken: usize,
    key: [u8; 16],
    /// The number of proofs so far.
    proofs: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    /// It did not identify itself.
    New,
    Joined,
    /// It was refused, and its link ends with this update.
    Refused(u64),
}

/// Bytes that were sent.
#[derive(Clone, Copy, Default)]
struct Bytes {
    all: usize,
    of_program: usize,
}

/// A message with a set.
struct Unproved {
    proof: u64,
    number: u64,
    is_full: bool,
    sent_at: u64,
    /// The bytes of all messages up to this one.
    bytes: Bytes,
}

/// The sets of values that were sent to a client.
#[derive(Default)]
struct SentValues {
    /// The number of the last one.
    last: u64,
    /// The last one of each update, and its time: of the last [`MOST_UPDATES`].
    updates: VecDeque<(u64, u64)>,
    /// The ranges of numbers that arrived in this update.
    arrived: Vec<Range<u64>>,
}

/// The full sets of a client.
#[derive(Default)]
struct FullSets {
    /// The time of the last one, and the number of the last one that was applied.
    at: Option<u64>,
    applied: u64,
    is_requested: bool,
    /// The number of the set that was applied last at the last request.
    requested_at: Option<u64>,
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
            accepts: Box::new(|_| Ok(Admission::default())),
            patience: PATIENCE,
            limits: ServerLimits::default(),
            tick: 0,
            key: None,
            received: VecDeque::new(),
            joined: VecDeque::new(),
            departed: VecDeque::new(),
        }
    }

    /// Sets the function that decides about a client before it gets its first set, by the token and the data of
    /// [`Client::identify`](crate::Client::identify). An error is the reason for which the client is refused, and is sent to
    /// it as [`Error::Refused`]. By default each client is accepted, and sees everything.
    ///
    /// ```
    /// use ecs_replication::{Admission, Server, udp};
    ///
    /// let server = Server::<udp::Peer>::default().accepts(|hello| match hello.token {
    ///     b"open sesame" => Ok(Admission::default()),
    ///     _ => Err("the password is wrong".into()),
    /// });
    /// ```
    #[must_use]
    pub fn accepts(
        mut self,
        accepts: impl FnMut(&Hello<'_>) -> Result<Admission, String> + Send + 'static,
    ) -> Self {
        self.accepts = Box::new(accepts);
        self
    }

    /// Sets the limits of all clients. They hold for the clients that connect later.
    #[must_use]
    pub const fn limits(mut self, limits: ServerLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the number of silent updates after which a client is given up, by default 600; a client sends something
    /// every 30.
    #[must_use]
    pub const fn gives_up_after(mut self, updates: u64) -> Self {
        self.patience = updates;
        self
    }

    /// Adds a client, which is sent everything when it has identified itself. If the server has as many clients as its
    /// [limits](Self::limits) allow, the connection ends, and [`departed`](Self::departed) returns [`Error::Full`].
    ///
    /// # Panics
    /// Panics if the operating system has no random numbers.
    pub fn connect(&mut self, transport: T) -> ClientId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = ClientId(NEXT.fetch_add(1, Ordering::Relaxed));
        if self.clients.len() >= self.limits.clients {
            self.part(id, Error::Full);
            return id;
        }
        let key = *self.key.get_or_insert_with(|| {
            crate::udp::random().expect("the operating system has random numbers")
        });
        let limits = LinkLimits {
            longest: LONGEST_HELLO,
            most_read: self.limits.read_bytes,
            most_sent: MOST_TO_CLIENT,
            most_early: MOST_TO_SERVER,
        };
        let link = Link::new(transport, limits, self.patience);
        let mut sets = (self.begin)();
        if link.longest_loose().is_some() {
            sets = sets.values_apart();
        }
        let peer = Peer {
            id,
            link,
            sets,
            is_visible: None,
            state: State::New,
            limits: self.limits,
            sent: 0,
            sent_at: 0,
            bytes: Bytes::default(),
            unproved: VecDeque::new(),
            proved: 0,
            read: Bytes::default(),
            last_read: 0,
            acknowledged: 0,
            full: FullSets::default(),
            values: SentValues::default(),
            untaken: 0,
            key,
            proofs: 0,
        };
        self.clients.insert(id, peer);
        id
    }

    fn part(&mut self, client: ClientId, error: Error) {
        push(&mut self.departed, (client, error), MOST_NEWS);
    }

    /// Ends the connection to a client. Returns `false` if there is no such client.
    pub fn disconnect(&mut self, client: ClientId) -> bool {
        let is_there = self.clients.remove(&client).is_some_and(|peer| peer.is_there());
        if is_there {
            self.part(client, Error::Disconnected);
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
        let peer = self.peer_mut(client);
        peer.map(|peer| peer.is_visible = Some(Box::new(is_visible))).is_some()
    }

    fn peer(&self, client: ClientId) -> Option<&Peer<T>> {
        self.clients.get(&client).filter(|peer| peer.is_there())
    }

    fn peer_mut(&mut self, client: ClientId) -> Option<&mut Peer<T>> {
        self.clients.get_mut(&client).filter(|peer| peer.is_there())
    }

    /// Sends the changes of the world to all clients, and reads their messages. Call it once a
    /// frame, with one world; in another world, clients get everything anew. The [tick](Self::tick) is one more than before.
    ///
    /// # Errors
    /// When a value of the world cannot be written. Clients that were to receive it get a full set the next time.
    pub fn update(&mut self, world: &mut World) -> Result<(), SaveError> {
        self.update_at(world, self.tick + 1)
    }

    /// Updates like [`update`](Self::update), and sets the tick that is sent with the changes, such as the number of the last
    /// step of a simulation. A tick that is not larger than the last one is replaced by the last one.
    ///
    /// # Errors
    /// Returns the errors of [`update`](Self::update).
    pub fn update_at(&mut self, world: &mut World, tick: u64) -> Result<(), SaveError> {
        self.tick = self.tick.max(tick);
        let Self { clients, accepts, received, joined, departed, tick, .. } = self;
        let mut result = Ok(());
        clients.retain(|id, peer| {
            if let State::Refused(until) = peer.state {
                return peer.end(until).is_ok();
            }
            let step = peer.receive(accepts, received, joined);
            let step = step.and_then(|()| peer.check());
            let step = step.and_then(|()| match peer.send(world, *tick) {
                Ok(sent) => sent,
                Err(error) => {
                    result = Err(error);
                    Ok(())
                }
            });
            let step = step.and_then(|()| peer.link.flush());
            let Err(error) = step else { return true };
            push(departed, (*id, error), MOST_NEWS);
            matches!(peer.state, State::Refused(_))
        });
        result
    }

    /// Returns the tick of the last update, which clients see by [`Client::tick`](crate::Client::tick); 0 before the first
    /// one.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// Returns the next message from a client, by [`Client::send`](crate::Client::send). Take all of them in each frame: a
    /// client with more than [`untaken_bytes`](ServerLimits::untaken_bytes) is disconnected.
    pub fn received(&mut self) -> Option<(ClientId, Vec<u8>)> {
        let (client, message) = self.received.pop_front()?;
        if let Some(peer) = self.clients.get_mut(&client) {
            peer.untaken -= message.len() + EACH;
        }
        Some((client, message))
    }

    /// Returns the next client that was accepted, and its data from [`Client::identify`](crate::Client::identify). Only the
    /// last 1,024 are kept.
    pub fn joined(&mut self) -> Option<(ClientId, Vec<u8>)> {
        self.joined.pop_front()
    }

    /// Returns the next client that is gone, and why. Only the last 1,024 are kept.
    pub fn departed(&mut self) -> Option<(ClientId, Error)> {
        self.departed.pop_front()
    }

    /// Sends a message to a client, behind the sets that were sent before. Returns `false` if there is no such client,
    /// its connection has ended, or it left more than [`unread_bytes`](ServerLimits::unread_bytes) unread. The next update
    /// disconnects such a client.
    pub fn send(&mut self, client: ClientId, message: &[u8]) -> bool {
        let Some(peer) = self.peer_mut(client) else { return false };
        peer.bytes.of_program += message.len() + EACH;
        peer.check_unread().is_ok() && peer.send_message(&ToClient::User(message)).is_ok()
    }

    /// Sends a message to a client once, at once, apart from all others: it may get lost, or arrive in another order. A
    /// message that is longer than a packet, and any message over an ordered transport, goes by [`send`](Self::send).
    /// Returns `false` like `send`.
    pub fn send_unordered(&mut self, client: ClientId, message: &[u8]) -> bool {
        let Some(peer) = self.peer_mut(client) else { return false };
        let loose = to_bytes(&LooseToClient::User(message));
        match (loose, peer.link.longest_loose()) {
            (Ok(bytes), Some(longest)) if bytes.len() <= longest => {
                peer.state == State::Joined && peer.link.send_loose(&bytes).is_ok()
            }
            _ => self.send(client, message),
        }
    }

    /// Returns the clients.
    pub fn clients(&self) -> impl Iterator<Item = ClientId> {
        self.clients.iter().filter(|(_, peer)| peer.is_there()).map(|(id, _)| *id)
    }

    /// Returns the numbers of the last set that was sent to a client, and of the last one that it acknowledged. They are equal
    /// if the client has everything that changed before the last update: while newest values are not acknowledged, the
    /// second number is smaller.
    #[must_use]
    pub fn progress(&self, client: ClientId) -> Option<(u64, u64)> {
        let peer = self.peer(client)?;
        let values = u64::from(peer.sets.has_pending_values());
        Some((peer.sent, peer.acknowledged.min(peer.sent.saturating_sub(values))))
    }

    /// Returns the traffic of the connection to a client.
    #[must_use]
    pub fn statistics(&self, client: ClientId) -> Option<Statistics> {
        self.peer(client).map(|peer| peer.link.statistics)
    }
}

/// Adds an entry to a list, and forgets the oldest one if there are more than `most`.
fn push<E>(list: &mut VecDeque<E>, entry: E, most: usize) {
    if list.len() == most {
        list.pop_front();
    }
    list.push_back(entry);
}

impl SentValues {
    fn note_arrived(&mut self, arrivals: Arrivals) -> Result<(), Error> {
        let mut next: u64 = 0;
        for (distance, count) in arrivals {
            let start = next.saturating_add(distance);
            next = start.saturating_add(count);
            if next > self.last + 1 {
                return Err(Error::FalseAcknowledgement);
            }
            self.arrived.push(start..next);
        }
        Ok(())
    }
}

impl<T: Transport> Peer<T> {
    fn is_there(&self) -> bool {
        !matches!(self.state, State::Refused(_))
    }

    fn send_message(&mut self, message: &ToClient<'_>) -> Result<(), Error> {
        let bytes = to_bytes(message)?;
        self.bytes.all += bytes.len();
        Ok(self.link.send(&bytes)?)
    }

    /// Sends the reason of a refusal again, until it is acknowledged.
    fn end(&mut self, until: u64) -> Result<(), Error> {
        while self.link.receive()?.is_some() {}
        self.link.flush()?;
        if self.link.now >= until || self.link.backlog() == 0 {
            return Err(Error::Disconnected);
        }
        Ok(())
    }

    fn receive(
        &mut self,
        accepts: &mut Accepts,
        received: &mut VecDeque<(ClientId, Vec<u8>)>,
        joined: &mut VecDeque<(ClientId, Vec<u8>)>,
    ) -> Result<(), Error> {
        while let Some(arrived) = self.link.receive()? {
            let bytes = match arrived {
                Arrived::Message(bytes) => bytes,
                Arrived::Loose(bytes) if self.state == State::Joined => {
                    match read(&bytes)? {
                        LooseToServer::Arrived(arrivals) => self.values.note_arrived(arrivals)?,
                        LooseToServer::User(message) => self.keep(message, received)?,
                    }
                    continue;
                }
                Arrived::Loose(_) => continue, // it overtook the first message
            };
            if self.state == State::New {
                let data = self.hello(&bytes, accepts)?;
                push(joined, (self.id, data), MOST_NEWS);
                continue;
            }
            match read(&bytes)? {
                ToServer::Hello { .. } => return Err(Error::Invalid),
                ToServer::Applied { proof, number, needs_full } => {
                    self.note_applied(proof, number)?;
                    if needs_full {
                        self.request_full(number)?;
                    }
                }
                ToServer::User(message) => self.keep(message, received)?,
            }
        }
        self.note_values();
        Ok(())
    }

    /// Keeps a message for the program.
    fn keep(
        &mut self,
        message: &[u8],
        received: &mut VecDeque<(ClientId, Vec<u8>)>,
    ) -> Result<(), Error> {
        self.untaken += message.len() + EACH;
        if self.untaken > self.limits.untaken_bytes {
            return Err(Error::Untaken(self.untaken));
        }
        received.push_back((self.id, message.to_vec()));
        Ok(())
    }

    /// Notes the values that arrived in this update, and how long that took.
    fn note_values(&mut self) {
        let SentValues { updates, arrived, .. } = &mut self.values;
        if arrived.is_empty() {
            return;
        }
        arrived.sort_unstable_by_key(|range| range.start);
        arrived.dedup_by(|next, range| {
            let overlaps = next.start <= range.end;
            if overlaps {
                range.end = range.end.max(next.end);
            }
            overlaps
        });
        let newest = arrived.last().map_or(0, |range| range.end);
        if let Some((_, sent_at)) = updates.iter().find(|(last, _)| *last + 1 >= newest) {
            self.link.note_round_trip(*sent_at);
        }
        self.link.progress_at = self.link.now;
        self.sets.acknowledge_values(|number| {
            let after = arrived.partition_point(|range| range.start <= number);
            after > 0 && arrived[after - 1].contains(&number)
        });
        arrived.clear();
    }

    /// Reads the first message of a client, and returns its data if the client is accepted.
    fn hello(&mut self, bytes: &[u8], accepts: &mut Accepts) -> Result<Vec<u8>, Error> {
        let protocol = protocol(bytes)?;
        let refusal = if protocol == PROTOCOL {
            let ToServer::Hello { token, data, .. } = read(bytes)? else {
                return Err(Error::Invalid);
            };
            match accepts(&Hello { client: self.id, token, data }) {
                Ok(Admission { is_visible }) => {
                    self.is_visible = is_visible.or(self.is_visible.take());
                    self.state = State::Joined;
                    self.link.accept_messages_of(LONGEST_MESSAGE);
                    return Ok(data.to_vec());
                }
                Err(why) => why,
            }
        } else {
            format!("it speaks version {protocol} of the protocol, the server {PROTOCOL}")
        };
        self.state = State::Refused(self.link.now + FAREWELL);
        self.send_message(&ToClient::Refused(&refusal))?;
        self.link.flush()?;
        Err(Error::Refused(refusal))
    }

    /// Notes that the client has read the set with this proof, and applied the sets up to this number.
    fn note_applied(&mut self, proof: u64, number: u64) -> Result<(), Error> {
        if let Some(at) = self.unproved.iter().position(|it| it.proof == proof) {
            for set in self.unproved.drain(..=at) {
                if set.is_full && set.number <= number {
                    self.full.applied = set.number;
                }
                (self.proved, self.read, self.last_read) = (set.proof, set.bytes, set.number);
            }
            self.link.progress_at = self.link.now;
        } else if proof != self.proved {
            return Err(Error::FalseAcknowledgement);
        }
        if number > self.last_read {
            return Err(Error::FalseAcknowledgement);
        }
        self.acknowledged = self.acknowledged.max(number);
        self.sets.acknowledge(self.acknowledged);
        Ok(())
    }

    /// Notes that the client, which has applied the sets up to this number, requests a full one.
    fn request_full(&mut self, number: u64) -> Result<(), Error> {
        if self.full.requested_at.is_some_and(|before| self.full.applied <= before) {
            return Err(Error::TooManyFullSets);
        }
        (self.full.is_requested, self.full.requested_at) = (true, Some(number));
        Ok(())
    }

    /// Checks that the client did all that it had to do by now.
    fn check(&mut self) -> Result<(), Error> {
        let now = self.link.now;
        if self.state == State::New && now >= self.limits.hello_updates {
            return Err(Error::NoHello(now));
        }
        if let Some(oldest) = self.unproved.front() {
            let silent = now - oldest.sent_at.max(self.link.progress_at);
            if silent > self.link.patience {
                return Err(Error::Unacknowledged(silent));
            }
        }
        self.check_unread()
    }

    const fn check_unread(&self) -> Result<(), Error> {
        let unread = self.bytes.of_program - self.read.of_program;
        if unread > self.limits.unread_bytes { Err(Error::Unread(unread)) } else { Ok(()) }
    }

    /// Returns a number that only a client knows that has read it.
    fn next_proof(&mut self) -> u64 {
        self.proofs += 1;
        let mut hasher = SipHasher24::new_with_key(&self.key);
        hasher.write_u64(self.id.0);
        hasher.write_u64(self.proofs);
        hasher.finish()
    }

    /// Sends the changes, unless too much is underway already.
    fn send(&mut self, world: &mut World, tick: u64) -> Result<Result<(), Error>, SaveError> {
        let has_room =
            self.bytes.all - self.read.all < MOST_BYTES && self.unproved.len() < MOST_SETS;
        if self.state != State::Joined || !has_room {
            return Ok(Ok(()));
        }
        let now = self.link.now;
        let is_over = |at: u64| now - at >= self.limits.full_set_updates;
        if self.full.is_requested && self.full.at.is_none_or(is_over) {
            self.full.is_requested = false;
            self.sets.restart();
        }
        let set = match &mut self.is_visible {
            Some(is_visible) => self.sets.drain_visible(world, is_visible)?,
            None => self.sets.drain(world)?,
        };
        let result = if set.is_empty() && now - self.sent_at < HEARTBEAT {
            Ok(())
        } else {
            self.send_set(&set, tick)
        };
        if result.is_err() {
            return Ok(result);
        }
        self.send_values(world, tick)
    }

    fn send_set(&mut self, set: &ChangeSet, tick: u64) -> Result<(), Error> {
        let now = self.link.now;
        (self.sent, self.sent_at) = (set.number(), now);
        if !set.is_empty() {
            self.link.statistics.add_set(set.as_bytes().len(), set.is_full());
        }
        if set.is_full() {
            self.full.at = Some(now);
        }
        let proof = self.next_proof();
        let message = ToClient::Set { proof, tick, set: set.as_bytes() };
        let result = self.send_message(&message);
        let (number, is_full, bytes) = (set.number(), set.is_full(), self.bytes);
        self.unproved.push_back(Unproved { proof, number, is_full, sent_at: now, bytes });
        result
    }

    /// Sends the values that changed, and again the ones that did not arrive in time.
    fn send_values(&mut self, world: &World, tick: u64) -> Result<Result<(), Error>, SaveError> {
        let Some(longest) = self.link.longest_loose() else { return Ok(Ok(())) };
        let (now, most) = (self.link.now, self.limits.value_bytes);
        let is_late = |sent_at: u64| now - sent_at >= self.link.repeats_values_after();
        let late = self.values.updates.iter().rev().find(|(_, sent_at)| is_late(*sent_at));
        let resend = late.map_or(0, |(last, _)| last + 1);
        let sets =
            self.sets.drain_values(world, longest.saturating_sub(VALUES_HEAD), most, resend)?;
        for set in &sets {
            self.values.last = set.number();
            let (number, set_bytes) = (set.number(), set.as_bytes());
            let values = LooseToClient::Values { tick, number, set: set_bytes };
            let sent = to_bytes(&values).and_then(|bytes| self.link.send_loose(&bytes));
            if let Err(error) = sent {
                return Ok(Err(error.into()));
            }
            self.link.statistics.add_values(set.as_bytes().len());
        }
        if !sets.is_empty() {
            push(&mut self.values.updates, (self.values.last, now), MOST_UPDATES);
        }
        Ok(Ok(()))
    }
}

impl<T> fmt::Debug for Server<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("clients", &self.clients.keys()).finish_non_exhaustive()
    }
}
