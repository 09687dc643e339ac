//! Entities that end while other ranks name them: their end reaches all ranks.
//!
//! ```text
//! rank 0   a    <- b        b moves to rank 1
//! rank 0   a                a is abroad: another rank has its stand-in
//! rank 1   (a)  <- b        so is b, as a component of rank 0 may name it
//!
//! a ends: rank 0 says so, rank 1 ends the stand-in, and with it b, as one world would
//! ```

use crate::identity::Index;
use crate::{Identity, ShardError, Shards, Transport};
use ecs::{Entity, SparseSet, World};
use std::collections::BTreeSet;

/// Entities of this rank whose end other ranks have to learn, and the ends that they have not learned yet.
#[derive(Default)]
pub(crate) struct Abroad {
    /// Entities that other ranks may have stand-ins of, and the stand-ins of this rank.
    entities: SparseSet<Identity, Entity>,
    ended: Vec<Identity>,
}

impl Abroad {
    pub(crate) fn contains(&self, entity: Entity) -> bool {
        self.entities.contains(entity)
    }

    /// Forgets entities that leave or end, without a message to other ranks.
    pub(crate) fn forget(&mut self, entities: &[Entity]) {
        for &entity in entities {
            self.entities.remove(entity);
        }
    }
}

impl<T: Transport> Shards<T> {
    /// Brings the index of identities up to date, and notes which entities ended.
    pub(crate) fn update_index(&mut self, world: &mut World) -> Result<(), ShardError> {
        let Some(index) = &mut self.index else {
            self.index = Some(Index::new(world)?);
            return Ok(());
        };
        index.update(world)?;
        for &entity in index.removed() {
            if let Some(&identity) = self.abroad.entities.get(entity)
                && world.get::<Identity>(entity) != Some(&identity)
            {
                self.abroad.entities.remove(entity);
                self.abroad.ended.push(identity);
            }
        }
        Ok(())
    }

    /// Notes entities whose end other ranks have to learn.
    pub(crate) fn send_abroad(
        &mut self,
        world: &mut World,
        entities: impl IntoIterator<Item = Entity>,
    ) -> Result<(), ShardError> {
        let mut entities = entities.into_iter().peekable();
        if !self.settles || entities.peek().is_none() {
            return Ok(());
        }
        if self.index.is_none() {
            self.update_index(world)?; // from now on it sees ends
        }
        for entity in entities {
            if let Some(identity) = world.get::<Identity>(entity) {
                self.abroad.entities.insert(entity, *identity);
            }
        }
        Ok(())
    }

    /// Ends the entities and stand-ins whose identities ended on another rank, and all that end with them, until no rank
    /// has anything new. Collective, if any component names entities.
    pub(crate) fn settle(&mut self, world: &mut World) -> Result<(), ShardError> {
        if !self.settles || self.ranks() == 1 {
            return Ok(());
        }
        let mut settled = BTreeSet::new();
        loop {
            if self.index.is_some() {
                self.update_index(world)?;
            }
            let mut own = std::mem::take(&mut self.abroad.ended);
            own.retain(|identity| !settled.contains(identity));
            let all: BTreeSet<Identity> = self.gather(own)?.into_iter().flatten().collect();
            if all.is_empty() {
                return Ok(());
            }
            for identity in &all {
                let entity = self.index.as_ref().and_then(|index| index.get(*identity));
                let Some(entity) = entity.filter(|it| self.abroad.contains(*it)) else { continue };
                self.abroad.forget(&[entity]);
                if world.despawn(entity).is_err() && world.is_alive(entity) {
                    return Err(ShardError::Survives(entity));
                }
            }
            settled.extend(all);
        }
    }

    /// Notes the entities of a loaded world that other ranks have stand-ins of. Collective, if any component names
    /// entities.
    pub(crate) fn load_abroad(&mut self, world: &mut World) -> Result<(), ShardError> {
        self.index = None;
        self.abroad = Abroad::default();
        if !self.settles || self.ranks() == 1 {
            return Ok(());
        }
        let stand_ins: Vec<Entity> = world.pool::<crate::StandIn>().keys().to_vec();
        let identity = |entity: &Entity| world.get::<Identity>(*entity).copied();
        let own: Vec<Identity> = stand_ins.iter().filter_map(identity).collect();
        let all = self.gather(own)?;
        if all.iter().any(|of_rank| !of_rank.is_empty()) {
            self.update_index(world)?;
        }
        let index = self.index.as_ref();
        let here = |identity: Identity| index.and_then(|index| index.get(identity));
        let named: Vec<Entity> = all.into_iter().flatten().filter_map(here).collect();
        self.send_abroad(world, named)
    }
}
