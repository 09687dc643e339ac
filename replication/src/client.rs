//! The side that follows.

use crate::link::Link;
use crate::message::{HEARTBEAT, PATIENCE, PROTOCOL, ToClient, ToServer, read, to_bytes};
use crate::{Error, Statistics, Transport};
use ecs::World;
use ecs::save::{Follower, Limits, Received};
use std::collections::VecDeque;
use std::fmt;

/// A message from the server is at most so long, as it may have a whole world.
const LONGEST_MESSAGE: usize = 1 << 28;

/// The client's end of a connection, whose world follows a server's.
///
/// See the [crate](crate) for an example.
pub struct Client<T> {
    link: Link<T>,
    follower: Follower,
    limits: Limits,
    has_said_hello: bool,
    /// The number of the last set that was acknowledged to the server, and the time of that.
    told: (u64, u64),
    /// The last set at the request of a full one, until that arrives.
    asked: Option<u64>,
    wants_full: bool,
    patience: u64,
    received: VecDeque<Vec<u8>>,
}

impl<T: Transport> Client<T> {
    /// Returns a client that joins the server at the other end, at its next update.
    #[must_use]
    pub fn new(transport: T) -> Self {
        Self {
            link: Link::new(transport, LONGEST_MESSAGE, PATIENCE),
            follower: Follower::default(),
            limits: Limits::default(),
            has_said_hello: false,
            told: (0, 0),
            asked: None,
            wants_full: false,
            patience: 60,
            received: VecDeque::new(),
        }
    }

    /// Limits the memory that a change set may take, by [`Limits`].
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the number of sets that [skip](Follower::skipped) an entity despawned here before the
    /// client requests a full set, by default 60: until then the server may despawn it, too.
    #[must_use]
    pub const fn patience(mut self, sets: u64) -> Self {
        self.patience = sets;
        self
    }

    /// Sets the number of silent updates after which the client gives up, by default 600; the server sends something
    /// every 30.
    #[must_use]
    pub const fn gives_up_after(mut self, updates: u64) -> Self {
        self.link.patience = updates;
        self
    }

    /// Connects again, after the connection ended: the world keeps its entities, and the ones that the server does not
    /// have any more go with the first set.
    pub fn reconnect(&mut self, transport: T) {
        self.link = Link::new(transport, LONGEST_MESSAGE, self.link.patience);
        self.follower.restart();
        (self.has_said_hello, self.asked, self.wants_full) = (false, None, false);
        self.told = (0, 0);
    }

    /// Applies arrived sets to a world, always the same one, and answers. It is to be called once a frame.
    ///
    /// # Errors
    /// When the connection has ended, or a set cannot be applied. The world is as the last set left it; after
    /// [`reconnect`](Self::reconnect) it follows again.
    pub fn update(&mut self, world: &mut World) -> Result<(), Error> {
        self.say_hello()?;
        while let Some(bytes) = self.link.receive()? {
            match read(&bytes)? {
                ToClient::Refused(why) => return Err(Error::Refused(why.to_owned())),
                ToClient::Set(set) => self.apply(world, set)?,
                ToClient::User(message) => self.received.push_back(message.to_vec()),
            }
        }
        self.answer()?;
        self.link.flush()
    }

    fn say_hello(&mut self) -> Result<(), Error> {
        if !self.has_said_hello {
            self.link.send(&to_bytes(&ToServer::Hello { protocol: PROTOCOL })?)?;
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

    /// Acknowledges applied sets, and requests a full set if there is a reason.
    fn answer(&mut self) -> Result<(), Error> {
        let number = self.follower.number();
        let is_old = |(_, since): (_, u64)| number.saturating_sub(since) >= self.patience;
        self.wants_full |= number > 0 && self.follower.needs_full();
        self.wants_full |= self.follower.skipped().any(is_old);
        let needs_full = self.wants_full && self.asked.is_none();
        let (told, at) = self.told;
        if needs_full || told != number || self.link.now - at >= HEARTBEAT {
            self.link.send(&to_bytes(&ToServer::Applied { number, needs_full })?)?;
            self.told = (number, self.link.now);
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

    /// Returns the next message from the server.
    pub fn received(&mut self) -> Option<Vec<u8>> {
        self.received.pop_front()
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
