//! The side that follows.

use crate::link::{Arrived, EACH, Link, LinkLimits, MOST_TO_CLIENT, MOST_TO_SERVER};
use crate::message::{
    Arrivals, HEARTBEAT, LONGEST_IDENTITY, LooseToClient, LooseToServer, PATIENCE, PROTOCOL,
    ToClient, ToServer, read, to_bytes,
};
use crate::{Error, Statistics, Transport};
use ecs::save::{Follower, Limits, Received};
use ecs::{Entity, World};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;

/// A message from the server is at most so long, as it may have a whole world.
const LONGEST_MESSAGE: usize = 1 << 28;
/// The most bytes of messages that wait for [`Client::received`].
const MOST_UNTAKEN: usize = 1 << 24;
/// The limits of the connection. A server is trusted with more than a client is.
const LIMITS: LinkLimits = LinkLimits {
    longest: LONGEST_MESSAGE,
    most_read: usize::MAX,
    most_sent: MOST_TO_SERVER,
    most_early: MOST_TO_CLIENT,
};

/// The client's end of a connection, whose world follows a server's.
///
/// See the [crate](crate) for an example.
pub struct Client<T> {
    link: Link<T>,
    follower: Follower,
    limits: Limits,
    /// The token and the data of the first message.
    identity: (Vec<u8>, Vec<u8>),
    has_said_hello: bool,
    /// The server's tick of the last set.
    tick: u64,
    /// The proof of the last set that arrived.
    proof: u64,
    /// The numbers of the sets of values that arrived in this update, and in the one before.
    arrived: (Vec<u64>, Vec<u64>),
    /// The entities that could not follow, and since which update.
    skipped: BTreeMap<Entity, u64>,
    /// The last proof that was sent to the server, and the time.
    answered: (u64, u64),
    /// The last set at the request of a full one, until that arrives.
    asked: Option<u64>,
    wants_full: bool,
    patience: u64,
    received: VecDeque<Vec<u8>>,
    /// The bytes of messages that wait for [`Client::received`].
    untaken: usize,
}

impl<T: Transport> Client<T> {
    /// Returns a client that joins the server at the other end, at its next update.
    #[must_use]
    pub fn new(transport: T) -> Self {
        Self {
            link: Link::new(transport, LIMITS, PATIENCE),
            follower: Follower::default(),
            limits: Limits::default(),
            identity: (Vec::new(), Vec::new()),
            has_said_hello: false,
            tick: 0,
            proof: 0,
            arrived: (Vec::new(), Vec::new()),
            skipped: BTreeMap::new(),
            answered: (0, 0),
            asked: None,
            wants_full: false,
            patience: 60,
            received: VecDeque::new(),
            untaken: 0,
        }
    }

    /// Sets the token and the data by which the server decides whether the client may join, before it sends anything: see
    /// [`Server::accepts`](crate::Server::accepts). They are sent again by [`reconnect`](Self::reconnect).
    ///
    /// # Panics
    /// Panics if both have more than 8,000 bytes.
    ///
    /// ```
    /// # use ecs_replication::{Client, udp};
    /// let socket = udp::Socket::connect("127.0.0.1:5000")?;
    /// let client = Client::new(socket).identify(b"open sesame", b"Ali Baba");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    #[track_caller]
    pub fn identify(mut self, token: &[u8], data: &[u8]) -> Self {
        let length = token.len() + data.len();
        assert!(
            length <= LONGEST_IDENTITY,
            "a token and its data have {length} bytes, and at most {LONGEST_IDENTITY} are sent"
        );
        self.identity = (token.to_vec(), data.to_vec());
        self
    }

    /// Limits the memory that a change set may take, by [`Limits`].
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the number of updates for which an entity despawned here is [skipped](Follower::skipped), by default 60. Then the
    /// client requests a full set; until then the server may despawn the entity, too.
    #[must_use]
    pub const fn patience(mut self, updates: u64) -> Self {
        self.patience = updates;
        self
    }

    /// Sets the number of silent updates after which the client gives up, by default 600; the server sends something
    /// every 30.
    #[must_use]
    pub const fn gives_up_after(mut self, updates: u64) -> Self {
        self.link.patience = updates;
        self
    }

    /// Connects again, after the connection ended, and sends the token and the data of [`identify`](Self::identify) again.
    /// The world keeps its entities until the first set has arrived as a whole. This set is applied in one step: entities
    /// that the server does not have any more go, and all others have its values.
    pub fn reconnect(&mut self, transport: T) {
        self.link = Link::new(transport, LIMITS, self.link.patience);
        self.follower.restart();
        (self.has_said_hello, self.asked, self.wants_full) = (false, None, false);
        (self.tick, self.proof, self.answered) = (0, 0, (0, 0));
        self.arrived = (Vec::new(), Vec::new());
        self.skipped.clear();
    }

    /// Applies arrived sets to a world, always the same one, and answers. It is to be called once a frame.
    ///
    /// # Errors
    /// When the connection has ended, or a set cannot be applied. The world is as the last set left it; after
    /// [`reconnect`](Self::reconnect) it follows again.
    pub fn update(&mut self, world: &mut World) -> Result<(), Error> {
        self.say_hello()?;
        while let Some(arrived) = self.link.receive()? {
            let bytes = match arrived {
                Arrived::Message(bytes) => bytes,
                Arrived::Loose(bytes) => {
                    match read(&bytes)? {
                        LooseToClient::Values { tick, number, set } => {
                            self.apply_values(world, tick, number, set)?;
                        }
                        LooseToClient::User(message) => self.keep(message)?,
                    }
                    continue;
                }
            };
            match read(&bytes)? {
                ToClient::Refused(why) => {
                    let _ = self.link.flush(); // acknowledges it
                    return Err(Error::Refused(why.to_owned()));
                }
                ToClient::Set { proof, tick, set } => {
                    self.apply(world, set)?;
                    (self.proof, self.tick) = (proof, self.tick.max(tick));
                }
                ToClient::User(message) => self.keep(message)?,
            }
        }
        self.acknowledge_values()?;
        self.answer()?;
        self.link.flush()
    }

    /// Keeps a message for the program.
    fn keep(&mut self, message: &[u8]) -> Result<(), Error> {
        self.untaken += message.len() + EACH;
        if self.untaken > MOST_UNTAKEN {
            return Err(Error::Untaken(self.untaken));
        }
        self.received.push_back(message.to_vec());
        Ok(())
    }

    fn say_hello(&mut self) -> Result<(), Error> {
        if !self.has_said_hello {
            let (token, data) = &self.identity;
            let hello = ToServer::Hello { protocol: PROTOCOL, token, data };
            self.link.send(&to_bytes(&hello)?)?;
            self.has_said_hello = true;
        }
        Ok(())
    }

    fn apply(&mut self, world: &mut World, set: &[u8]) -> Result<(), Error> {
        let before = self.follower.number();
        match world.apply_change_set(set, &mut self.follower, &self.limits)? {
            Received::Applied if self.follower.number() == before => {} // nothing happened
            Received::Applied => {
                let is_full = self.follower.full_number() == self.follower.number();
                self.link.statistics.add_set(set.len(), is_full);
            }
            Received::Late => {}
            Received::Missing => self.wants_full = true,
        }
        if self.asked.is_some_and(|asked| self.follower.full_number() > asked) {
            (self.asked, self.wants_full) = (None, false);
        }
        Ok(())
    }

    fn apply_values(
        &mut self,
        world: &mut World,
        tick: u64,
        number: u64,
        set: &[u8],
    ) -> Result<(), Error> {
        // A full set is at work, or one is missing: the server sends the values again.
        if world.apply_values(set, &mut self.follower, &self.limits)? != Received::Missing {
            self.tick = self.tick.max(tick);
            self.arrived.0.push(number);
            self.link.statistics.add_values(set.len());
        }
        Ok(())
    }

    /// Acknowledges the sets of values of this update and of the one before, as acknowledgements may get lost.
    fn acknowledge_values(&mut self) -> Result<(), Error> {
        let (new, old) = &mut self.arrived;
        let mut all = [&new[..], &old[..]].concat();
        (*old, *new) = (std::mem::take(new), Vec::new());
        all.sort_unstable();
        all.dedup();
        let Some(longest) = self.link.longest_loose() else { return Ok(()) };
        let mut rest = &all[..];
        while !rest.is_empty() {
            // Each range takes at most 20 bytes, and the first number of a packet is counted from 0.
            let (mut ranges, mut next) = (Arrivals::new(), 0);
            while let Some(first) = rest.first()
                && 20 * ranges.len() + 40 <= longest
            {
                let run = rest.iter().zip(*first..).take_while(|(it, wanted)| *it == wanted);
                let count = run.count();
                ranges.push((first - next, count as u64));
                (next, rest) = (first + count as u64, &rest[count..]);
            }
            if ranges.is_empty() {
                break; // packets are too short for any
            }
            self.link.send_loose(&to_bytes(&LooseToServer::Arrived(ranges))?)?;
        }
        Ok(())
    }

    /// Acknowledges applied sets, and requests a full set if there is a reason.
    fn answer(&mut self) -> Result<(), Error> {
        let number = self.follower.number();
        self.wants_full |= number > 0 && self.follower.needs_full();
        let (before, now) = (std::mem::take(&mut self.skipped), self.link.now);
        for (entity, _) in self.follower.skipped() {
            let since = before.get(&entity).copied().unwrap_or(now);
            self.wants_full |= now - since >= self.patience;
            self.skipped.insert(entity, since);
        }
        let needs_full = self.wants_full && self.asked.is_none();
        let (proof, (answered, at)) = (self.proof, self.answered);
        if needs_full || answered != proof || self.link.now - at >= HEARTBEAT {
            self.link.send(&to_bytes(&ToServer::Applied { proof, number, needs_full })?)?;
            self.answered = (proof, self.link.now);
        }
        if needs_full {
            self.asked = Some(number);
        }
        Ok(())
    }

    /// Requests a full set, which undoes all local writes.
    pub const fn resync(&mut self) {
        self.wants_full = true;
    }

    /// Returns which entity of the world stands for which one of the server.
    #[must_use]
    pub const fn follower(&self) -> &Follower {
        &self.follower
    }

    /// Returns the same, to be changed: [`Follower::insert`] lets an entity that was spawned in advance stand for one of
    /// the server.
    pub const fn follower_mut(&mut self) -> &mut Follower {
        &mut self.follower
    }

    /// Returns the server's [tick](crate::Server::tick) of the newest set that was applied; 0 before the first one.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// Returns `true` if the world has everything that the server had when the client joined.
    #[must_use]
    pub const fn is_joined(&self) -> bool {
        self.follower.number() > 0
    }

    /// Sends a message to the server, for [`Server::received`](crate::Server::received): at the next update, and behind
    /// earlier messages.
    ///
    /// # Errors
    /// When the connection has ended.
    pub fn send(&mut self, message: &[u8]) -> Result<(), Error> {
        self.say_hello()?;
        Ok(self.link.send(&to_bytes(&ToServer::User(message))?)?)
    }

    /// Sends a message to the server once, at once, apart from all others: it may get lost, or arrive in another order. It
    /// is for inputs, each with the last few before it, so that none waits for a lost one. The server drops it until it
    /// has accepted the client. A message that is longer than a packet, and any message over an ordered transport, goes by
    /// [`send`](Self::send).
    ///
    /// # Errors
    /// When the connection has ended.
    pub fn send_unordered(&mut self, message: &[u8]) -> Result<(), Error> {
        let bytes = to_bytes(&LooseToServer::User(message))?;
        if self.link.longest_loose().is_some_and(|longest| bytes.len() <= longest) {
            return Ok(self.link.send_loose(&bytes)?);
        }
        self.send(message)
    }

    /// Returns the next message from the server. Take all of them in each frame: [`update`](Self::update) fails when more
    /// than 16 MiB wait.
    pub fn received(&mut self) -> Option<Vec<u8>> {
        let message = self.received.pop_front()?;
        self.untaken -= message.len() + EACH;
        Some(message)
    }

    /// Returns the traffic of the connection.
    #[must_use]
    pub const fn statistics(&self) -> Statistics {
        self.link.statistics
    }
}

impl<T> fmt::Debug for Client<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("follower", &self.follower).finish_non_exhaustive()
    }
}
