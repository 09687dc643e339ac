//! The state of a world that follows another one by change sets, and the content of a set.

use crate::component::data::Loose;
use crate::entities::Entities;
use crate::entity::Entity;
use crate::format::header::Schema;
use crate::pool::kind::Kind;
use crate::relation::ends::PlaceInList;
use crate::resource::Resources;
use crate::saved::resource::ResourceSaving;
use crate::storage::sparse_set::SparseSet;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// The entity of this world for each one of another world.
pub(super) type KnownEntities = SparseSet<Entity, Entity>;

/// The outcome of a change set: from [`World::apply_change_set`](crate::World::apply_change_set).
///
/// ```
/// # use ecs::World;
/// # use ecs::save::{Follower, Limits, Received};
/// # let (mut server, mut client, mut follower) = (World::new(), World::new(), Follower::default());
/// # client.register::<ecs::Name>();
/// let mut sent = server.change_sets();
/// server.spawn_named("Bob");
/// let set = sent.drain(&mut server).unwrap();
/// let mut apply = || client.apply_change_set(set.as_bytes(), &mut follower, &Limits::default());
/// assert_eq!(apply().unwrap(), Received::Applied);
/// assert_eq!(apply().unwrap(), Received::Late); // it came twice
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a set that is not applied is to be kept or asked for again"]
pub enum Received {
    /// The set was applied.
    Applied,
    /// This set or a later one was applied before; nothing was changed.
    Late,
    /// A set before this one was not applied, or the follower [needs a full set](Follower::needs_full); nothing was
    /// changed. Apply the set again when the others came, or [send a full one](crate::save::ChangeSets::restart).
    Missing,
}

/// The state of a world that follows another one by [change sets](crate::save::ChangeSet). It has the number of the
/// last set, and the entity of this world that stands for each one of the other world.
///
/// It belongs to the first world to which a set is applied with it, and to one reader,
/// [`ChangeSets`](crate::save::ChangeSets), of the other one. It may begin empty, or with the entities that
/// [`World::merge`](crate::World::merge) returned: `Follower::from(known)`. In a world that was
/// [loaded](crate::World::load), a new one may begin with each entity for itself.
///
/// A clone may go on in its world, or in a [copy](crate::World::try_clone) of it.
#[derive(Default)]
pub struct Follower {
    /// The number of its world; 0 until a set is applied.
    world: u64,
    /// The number of the first one of the worlds that are copies of each other; 0 until a set is applied.
    family: u64,
    pub(super) known: KnownEntities,
    /// The number of the last set that was applied.
    pub(super) number: u64,
    /// The number of the last full one.
    pub(super) full_number: u64,
    pub(super) needs_full: bool,
    /// The components and resources that sets name by numbers.
    pub(super) names: Vec<FollowedPart>,
    /// The entities of the other world to which a set could not be applied, and the number of the first such set.
    pub(super) skipped: SparseSet<u64, Entity>,
    /// The number of the last change set about each entity of the other world, if values come apart.
    pub(super) touched: SparseSet<u64, Entity>,
    /// The number of the last set of values that had one of the entity, for each component.
    pub(super) newest: Vec<(u32, SparseSet<u64, Entity>)>,
}

/// A component or a resource that takes part in sets.
#[derive(Clone, PartialEq)]
pub(super) struct FollowedPart {
    pub(super) name: String,
    pub(super) schema: Schema,
    pub(super) is_resource: bool,
}

impl Follower {
    /// Returns the entity of this world that stands for this one of the other world. O(1).
    #[must_use]
    #[inline]
    pub fn get(&self, there: Entity) -> Option<Entity> {
        self.known.get(there).copied()
    }

    /// Returns the entity of the other world for which this one stands. O([known](Self::known) entities).
    #[must_use]
    #[inline]
    pub fn there(&self, here: Entity) -> Option<Entity> {
        self.known.iter().find(|(_, it)| **it == here).map(|(there, _)| there)
    }

    /// Returns the entities of the other world, each with the one of this world that stands for it.
    #[must_use]
    pub const fn known(&self) -> &SparseSet<Entity, Entity> {
        &self.known
    }

    /// Makes an entity of this world stand for one of the other world, which may be sent later: for an entity that was
    /// spawned here in advance. Returns the entity that stood for it before. O(1).
    ///
    /// A full set despawns `here` if the other world does not have the entity.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::save::{Follower, Limits, Received};
    /// # let (mut server, mut client, mut follower) = (World::new(), World::new(), Follower::default());
    /// # client.register::<ecs::Name>();
    /// let mut sent = server.change_sets();
    /// let arrow = server.spawn_named("arrow").id(); // the client has spawned one in advance
    /// let here = client.spawn_empty().id();
    /// follower.insert(arrow, here);
    /// let set = sent.drain(&mut server).unwrap();
    /// assert_eq!(client.apply_change_set(set.as_bytes(), &mut follower, &Limits::default()).unwrap(), Received::Applied);
    /// assert_eq!((client.name(here), client.len()), (Some("arrow"), 1));
    /// ```
    #[inline]
    pub fn insert(&mut self, there: Entity, here: Entity) -> Option<Entity> {
        self.known.insert(there, here)
    }

    /// Returns the number of the last set that was applied; 0 if none was.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Returns the number of the last [full](crate::save::ChangeSet::is_full) set that was applied; 0 if none was.
    #[must_use]
    pub const fn full_number(&self) -> u64 {
        self.full_number
    }

    /// Returns `true` if only a [full](crate::save::ChangeSet::is_full) set can be applied. That is so after a
    /// [restart](Self::restart), and after a set whose relations form a circle with others in this world. It is so,
    /// too, after a set that was applied in part, because an observer panicked or made the rest impossible.
    #[must_use]
    pub const fn needs_full(&self) -> bool {
        self.needs_full
    }

    /// Forgets the number of the last set, so that the next one must be full; it may be of another reader. For a client
    /// that connects again, and keeps its entities.
    pub const fn restart(&mut self) {
        (self.number, self.full_number) = (0, 0);
        self.needs_full = true;
    }

    /// Returns the entities of the other world that this one could not follow, each with the number of the first set
    /// that was not applied to it. Their entity here was despawned, or stands behind one that was.
    ///
    /// An entity that was despawned here stays dead, until a full set restores it. If the other world despawns it, too,
    /// it is no longer returned.
    ///
    /// ```
    /// # use ecs::{Name, World};
    /// # use ecs::save::{Follower, Limits, Received};
    /// # let (mut server, mut client, mut follower) = (World::new(), World::new(), Follower::default());
    /// # client.register::<Name>();
    /// let mut sent = server.change_sets();
    /// let mut tell = |server: &mut World, client: &mut World, follower: &mut Follower| {
    ///     let set = sent.drain(server).unwrap();
    ///     assert_eq!(client.apply_change_set(set.as_bytes(), follower, &Limits::default()).unwrap(), Received::Applied);
    /// };
    /// let bob = server.spawn_named("Bob").id();
    /// tell(&mut server, &mut client, &mut follower);
    /// client.clear(); // a prediction
    /// server.insert(bob, Name::new("Rob")).unwrap();
    /// tell(&mut server, &mut client, &mut follower);
    /// assert!(client.is_empty() && follower.skipped().eq([(bob, 2)]));
    /// server.despawn(bob).unwrap(); // it was right
    /// tell(&mut server, &mut client, &mut follower);
    /// assert_eq!(follower.skipped().next(), None);
    /// ```
    #[inline]
    pub fn skipped(&self) -> impl Iterator<Item = (Entity, u64)> {
        self.skipped.iter().map(|(there, since)| (there, *since))
    }
}

impl Follower {
    /// Returns `true` if this world is its own, or may become that.
    #[inline]
    pub(super) fn is_of(&self, entities: &Entities) -> bool {
        match (self.world, self.family) {
            (0, 0) => true,
            (0, family) => family == entities.family(),
            (world, _) => world == entities.world(),
        }
    }

    /// Notes a set whose values come apart: values that were written before it are late for these entities.
    pub(super) fn touch(&mut self, number: u64, entities: impl Iterator<Item = Entity>) {
        entities.for_each(|there| _ = self.touched.insert(there, number));
    }

    /// Forgets the order of the values of an entity that ended.
    #[inline]
    pub(super) fn forget(&mut self, there: Entity) {
        self.touched.remove(there);
        self.newest.iter_mut().for_each(|(_, numbers)| _ = numbers.remove(there));
    }

    /// Belongs to this world from now on.
    #[inline]
    pub(super) fn join(&mut self, entities: &Entities) {
        (self.world, self.family) = (entities.world(), entities.family());
    }
}

/// A clone belongs to the first world to which a set is applied with it: its own, or a copy of that.
impl Clone for Follower {
    #[inline]
    fn clone(&self) -> Self {
        Self {
            world: 0,
            family: self.family,
            known: self.known.clone(),
            number: self.number,
            full_number: self.full_number,
            needs_full: self.needs_full,
            names: self.names.clone(),
            skipped: self.skipped.clone(),
            touched: self.touched.clone(),
            newest: self.newest.clone(),
        }
    }
}

impl From<SparseSet<Entity, Entity>> for Follower {
    /// Returns a follower with these entities of the other world, each with the one that stands for it.
    #[inline]
    fn from(known: SparseSet<Entity, Entity>) -> Self {
        Self { known, ..Self::default() }
    }
}

impl fmt::Debug for Follower {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { known, number, needs_full, skipped, .. } = self;
        f.debug_struct("Follower")
            .field("known", &known.len())
            .field("number", number)
            .field("needs_full", needs_full)
            .field("skipped", &skipped.len())
            .finish_non_exhaustive()
    }
}

/// The content of a set for one component.
pub(super) struct ReceivedPart {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) lost: Vec<Entity>,
    pub(super) changed: Vec<Entity>,
    pub(super) pieces: Vec<Piece>,
    pub(super) places: Vec<PlaceInList>,
}

/// Values of neighbours among the entities that changed.
pub(super) struct Piece {
    pub(super) of: Range<usize>,
    pub(super) values: Box<Loose>,
}

/// The content of a set.
pub(super) struct ReadChangeSet {
    /// The entities that the set lists, each with its entity of this world. An entity to be spawned has an unused
    /// index, from `first` on. One that was despawned here is [`Entity::PLACEHOLDER`].
    pub(super) told: KnownEntities,
    pub(super) first: usize,
    /// The next index for an entity that is to be spawned.
    pub(super) next: usize,
    pub(super) parts: Vec<ReceivedPart>,
    pub(super) ended: Vec<Entity>,
    pub(super) emptied: Vec<Entity>,
    pub(super) resources: Resources,
    /// The functions of the resources that were sent.
    pub(super) sent: Vec<ResourceSaving>,
    /// The resources that were removed.
    pub(super) gone: Vec<ResourceSaving>,
    /// The components and resources that this set names first.
    pub(super) names: Vec<FollowedPart>,
    /// The entities to which a part of the set is not applied.
    pub(super) skipped: Vec<Entity>,
}

impl ReadChangeSet {
    #[inline]
    pub(super) fn new(first: usize) -> Self {
        Self {
            told: KnownEntities::default(),
            first,
            next: first,
            parts: Vec::new(),
            ended: Vec::new(),
            emptied: Vec::new(),
            resources: Resources::new(),
            sent: Vec::new(),
            gone: Vec::new(),
            names: Vec::new(),
            skipped: Vec::new(),
        }
    }

    /// Returns `true` if this entity is to be spawned, or is passed over.
    pub(super) const fn is_spawned(&self, here: Entity) -> bool {
        here.index() as usize >= self.first
    }
}
