use crate::ends::Abroad;
use crate::ghosts::Audience;
use crate::identity::Index;
use crate::message::{Kind, decode, encode};
use crate::migrate::naming;
use crate::{Identity, ShardError, StandIn, Transport};
use ecs::World;
use ecs::save::Limits;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Counts of the bytes and messages that a rank has sent and received since it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traffic {
    /// Messages of all kinds.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Entities that moved to other ranks.
    pub migrated: u64,
    /// The bytes of their messages, empty ones included.
    pub migrated_bytes: u64,
    /// Ghosts shown: one that two ranks see counts twice, and each refresh counts anew.
    pub shown: u64,
    /// The bytes of their messages, empty ones included.
    pub shown_bytes: u64,
    /// Ghosts of other ranks that appeared here.
    pub appeared: u64,
    /// Ghosts of other ranks that ended here.
    pub ended: u64,
}

/// One rank's part in a run: connects its world with the worlds of the other ranks.
///
/// Each method that takes `&mut self` and returns a `Result` is *collective*: all ranks call the same ones in the same
/// order, and each waits for messages of others. [`migrate`](Self::migrate) and [`refresh`](Self::refresh) exchange one
/// message with each neighbour.
///
/// ```
/// use ecs::{Component, World};
/// use ecs_shards::{Channels, Identity, Shards};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Component, Serialize, Deserialize)]
/// #[component(save = "at")]
/// struct At(usize);
///
/// let entities = Channels::run(2, |channels| {
///     let mut world = World::new();
///     world.register::<At>();
///     let mut shards = Shards::new(channels, &mut world)?;
///     if shards.rank() == 0 {
///         world.spawn_batch((0..10).map(|at| (Identity(at as u64), At(at))));
///     }
///     shards.migrate::<At>(&mut world, |at| usize::from(at.0 >= 7))?;
///     assert_eq!(shards.reduce(world.len(), |a, b| a + b)?, 10);
///     Ok(world.len())
/// });
/// assert_eq!(entities.unwrap(), [7, 3]);
/// ```
pub struct Shards<T> {
    pub(crate) transport: T,
    /// In order, without this rank.
    pub(crate) neighbours: Vec<usize>,
    /// One for each neighbour, once there are ghosts.
    pub(crate) audiences: Vec<Audience>,
    /// The index of identities, made at its first use.
    pub(crate) index: Option<Index>,
    /// `true` if any rank had a component that names entities when the shards were made.
    pub(crate) settles: bool,
    pub(crate) abroad: Abroad,
    /// The number of stand-ins from which on unnamed ones are looked for.
    pub(crate) sweep_at: usize,
    /// The number of collective calls, equal on all ranks.
    call: u32,
    pub(crate) limits: Limits,
    pub(crate) traffic: Traffic,
}

impl<T: Transport> Shards<T> {
    /// Connects a world, whose saved components are registered, with the worlds of all other ranks. Each is a
    /// neighbour. Collective.
    ///
    /// # Errors
    /// When the ranks register different components, or a rank ended.
    pub fn new(transport: T, world: &mut World) -> Result<Self, ShardError> {
        let all: Vec<usize> = (0..transport.ranks()).collect();
        Self::with_neighbours(transport, world, &all)
    }

    /// Like [`new`](Self::new), but with these neighbours only: entities move to them, and they see ghosts. So the
    /// messages of a rank do not grow with the number of ranks. This rank itself may be named. Collective.
    ///
    /// # Errors
    /// Like `new`, and when one rank is another one's neighbour, but not the other way round.
    ///
    /// # Panics
    /// Panics if a neighbour is not less than the number of ranks.
    pub fn with_neighbours(
        transport: T,
        world: &mut World,
        neighbours: &[usize],
    ) -> Result<Self, ShardError> {
        let (own, ranks) = (transport.rank(), transport.ranks());
        let mut neighbours: Vec<usize> = neighbours.to_vec();
        neighbours.retain(|rank| *rank != own);
        neighbours.sort_unstable();
        neighbours.dedup();
        assert!(
            neighbours.last().is_none_or(|last| *last < ranks),
            "neighbour {neighbours:?} of {ranks} ranks: ranks count from 0"
        );
        world.register::<(Identity, StandIn)>();
        let mut shards = Self {
            transport,
            neighbours,
            audiences: Vec::new(),
            index: None,
            settles: false,
            abroad: Abroad::default(),
            sweep_at: 0,
            call: 0,
            limits: Limits::default(),
            traffic: Traffic::default(),
        };
        shards.compare(world)?;
        Ok(shards)
    }

    /// Checks that all ranks register the same components, and that neighbours name each other.
    fn compare(&mut self, world: &World) -> Result<(), ShardError> {
        let schema = world.save().schema_hash();
        self.settles = naming(world).next().is_some(); // so on all ranks, as the schema is equal
        let all = self.gather((schema, self.neighbours.clone()))?;
        let own = self.rank();
        for (rank, (other_schema, neighbours)) in all.iter().enumerate() {
            let what = if *other_schema != schema {
                "it registers other components, versions or fields"
            } else if neighbours.contains(&own) != self.neighbours.contains(&rank) {
                "one rank names the other as its neighbour, which does not name it"
            } else {
                continue;
            };
            return Err(ShardError::Mismatch { rank, what: what.to_owned() });
        }
        Ok(())
    }

    /// Sets the memory that a message may take; by default as much as [`Limits::default`].
    pub const fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Returns the number of this rank.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.transport.rank()
    }

    /// Returns the number of ranks.
    #[must_use]
    pub fn ranks(&self) -> usize {
        self.transport.ranks()
    }

    /// Returns the traffic of this rank since it began.
    #[must_use]
    pub const fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// Begins a collective call.
    pub(crate) fn begin(&mut self) {
        self.call = self.call.wrapping_add(1);
    }

    /// Sends a message to each of these ranks and returns their messages, all of the current call. Returns the number
    /// of bytes sent as well.
    pub(crate) fn exchange<S: Serialize, R: DeserializeOwned>(
        &mut self,
        kind: Kind,
        outgoing: &[(usize, S)],
        from: &[usize],
    ) -> Result<(Vec<R>, u64), ShardError> {
        let encode = |(to, content): &(usize, S)| {
            let bytes = encode(kind, self.call, content).map_err(ShardError::Transport)?;
            Ok((*to, bytes))
        };
        let outgoing: Vec<(usize, Vec<u8>)> =
            outgoing.iter().map(encode).collect::<Result<_, ShardError>>()?;
        let sent = outgoing.iter().map(|(_, bytes)| bytes.len() as u64).sum();
        self.traffic.messages += outgoing.len() as u64;
        self.traffic.bytes += sent;
        let received = self.transport.exchange(outgoing, from)?;
        let decode = |(from, bytes): (&usize, &Vec<u8>)| decode(*from, kind, self.call, bytes);
        let received = from.iter().zip(&received).map(decode).collect::<Result<_, _>>()?;
        Ok((received, sent))
    }
}

impl<T: Transport> std::fmt::Debug for Shards<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shards")
            .field("rank", &self.rank())
            .field("ranks", &self.ranks())
            .field("neighbours", &self.neighbours)
            .field("traffic", &self.traffic)
            .finish_non_exhaustive()
    }
}
