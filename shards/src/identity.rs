use crate::ShardError;
use ecs::{Changes, Component, Entity, EntityRef, SparseSet, World};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;

/// The number of an entity that is the same on all ranks, whichever world the entity lives in.
///
/// Each entity of a run has another one. For a result that does not depend on the number of ranks, make identities from
/// numbers that do not. The first entities count from 0, and an entity that is born in the run takes
/// [`child`](Self::child).
#[derive(
    Component, Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[component(save = "shards::id", track, clone, debug)]
pub struct Identity(pub u64);

impl Identity {
    /// Returns the identity of an entity that this one made: the `nth` of a step. It is a hash, so among a million of
    /// entities two are the same once in 37 million runs.
    ///
    /// ```
    /// use ecs_shards::Identity;
    ///
    /// let parent = Identity(7);
    /// assert_eq!(parent.child(3, 0), parent.child(3, 0));
    /// assert!(parent.child(3, 0) != parent.child(3, 1) && parent.child(3, 0) != parent.child(4, 0));
    /// ```
    #[must_use]
    pub const fn child(self, step: u32, nth: u32) -> Self {
        Self(mix(mix(self.0) ^ ((step as u64) << 32 | nth as u64)))
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "identity {}", self.0)
    }
}

/// A step of `SplitMix64`, by Steele, Lea and Flood ("Fast splittable pseudorandom number generators", 2014).
const fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Marks an entity that stands for one of another rank: components here name that one. It has an [`Identity`], and
/// nothing else.
///
/// When the entity itself comes, it takes the place of its stand-in under the same handle. A stand-in ends when its entity
/// does, in the next [`migrate`](crate::Shards::migrate), or when no saved component names it any more. To despawn a
/// stand-in is to despawn its entity.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[component(save = "shards::stand_in", clone, debug)]
pub struct StandIn;

/// The entities of a world by identity, kept up to date by their changes.
pub(crate) struct Index {
    changes: Changes<Identity>,
    entities: HashMap<Identity, Entity>,
    identities: SparseSet<Identity, Entity>,
}

impl Index {
    /// Returns the index of a world without identities.
    pub(crate) fn empty(world: &mut World) -> Self {
        let changes = world.changes::<Identity>();
        Self { changes, entities: HashMap::new(), identities: SparseSet::default() }
    }

    pub(crate) fn new(world: &mut World) -> Result<Self, ShardError> {
        let mut index = Self::empty(world);
        for (entity, identity) in world.pool::<Identity>() {
            index.add(entity, *identity)?;
        }
        Ok(index)
    }

    /// Notes the changes of identities since the last call. Returns how many came and how many went.
    pub(crate) fn update(&mut self, world: &mut World) -> Result<[usize; 2], ShardError> {
        world.advance(&mut self.changes);
        let view = || world.view::<&Identity>().among(self.changes.changed());
        let changed: Vec<(Entity, Identity)> =
            view().iter().map(|(entity, identity)| (entity, *identity)).collect();
        let removed = self.changes.removed().iter().copied();
        let all: Vec<Entity> = removed.chain(changed.iter().map(|(entity, _)| *entity)).collect();
        for entity in all {
            if let Some(identity) = self.identities.remove(entity)
                && self.entities.get(&identity) == Some(&entity)
            {
                self.entities.remove(&identity);
            }
        }
        let counts = [self.changes.inserted().len(), self.changes.removed().len()];
        changed.into_iter().try_for_each(|(entity, identity)| self.add(entity, identity))?;
        Ok(counts)
    }

    /// Returns the entities that lost their identity before the last [`update`](Self::update).
    pub(crate) fn removed(&self) -> &[Entity] {
        self.changes.removed()
    }

    fn add(&mut self, entity: Entity, identity: Identity) -> Result<(), ShardError> {
        self.identities.insert(entity, identity);
        match self.entities.insert(identity, entity) {
            None => Ok(()),
            Some(_) => Err(ShardError::SameIdentity(identity)),
        }
    }

    pub(crate) fn get(&self, identity: Identity) -> Option<Entity> {
        self.entities.get(&identity).copied()
    }

    pub(crate) fn entity<'w>(&self, world: &'w World, identity: Identity) -> Option<EntityRef<'w>> {
        world.get_entity(self.get(identity)?).ok()
    }
}
