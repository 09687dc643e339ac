//! Entities that are edited together, some at a time.

use crate::entities::Entities;
use crate::entity::Entity;
use core::num::NonZeroU32;

/// The number of entities that are edited at a time: so many that what one waits for in memory the others
/// wait for at the same time, and so few that what was loaded is still in the caches.
pub(crate) const CHUNK: usize = 128;

/// An entity's record is fetched from memory so many entities before it is looked at. All of a chunk
/// at once are slower to come than one a time: a million in random order ended in 26 ns each, so in 7.
pub(crate) const AHEAD: usize = 64;

impl Entities {
    /// Prefetches the record of the entity that is looked at [so much](AHEAD) after the one at `at`.
    #[inline(always)]
    pub(crate) fn warm_after(&self, list: &[Entity], at: usize) {
        if let Some(&later) = list.get(at + AHEAD) {
            self.prefetch(later);
        }
    }
}

/// Some entities that are edited together.
pub(crate) struct Chunk {
    entities: [Entity; CHUNK],
    len: usize,
}

impl Chunk {
    pub(crate) const fn new() -> Self {
        Self { entities: [Entity::new(0, NonZeroU32::MIN); CHUNK], len: 0 }
    }

    /// Returns the number of entities.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Adds an entity, for which there is room.
    #[inline]
    pub(crate) fn push(&mut self, entity: Entity) {
        self.entities[self.len % CHUNK] = entity;
        self.len += 1;
    }

    /// Takes all entities out, and returns them.
    pub(crate) fn take(&mut self) -> &mut [Entity] {
        &mut self.entities[..core::mem::take(&mut self.len)]
    }
}
