//! Entities that are edited together, a limited number at a time.

use crate::entities::Entities;
use crate::entity::Entity;
use crate::extent::masked;
use core::num::NonZeroU32;

/// The number of entities that are edited at a time: enough that their reads of memory overlap, and so few that the
/// loaded data is still in the caches.
pub(crate) const CHUNK: usize = 128;

/// An entity's record is prefetched this many entities before it is read. Prefetching a whole chunk at once is slower:
/// a million despawns in random order took 26 ns each, and take 7 ns so.
pub(crate) const AHEAD: usize = 64;

impl Entities {
    /// Prefetches the record of the entity that is read [this much](AHEAD) after the one at `at`.
    #[inline(always)]
    pub(crate) fn prefetch_after(&self, list: &[Entity], at: usize) {
        if let Some(&later) = list.get(at + AHEAD) {
            self.prefetch(later);
        }
    }
}

/// Entities that are edited together.
pub(crate) struct EditChunk {
    entities: [Entity; CHUNK],
    len: usize,
}

impl EditChunk {
    pub(crate) const fn new() -> Self {
        Self { entities: [Entity::new(0, NonZeroU32::MIN); CHUNK], len: 0 }
    }

    /// Returns the number of entities.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Adds an entity; there must be room.
    #[inline]
    pub(crate) fn push(&mut self, entity: Entity) {
        self.entities[masked!(self.len, CHUNK)] = entity;
        self.len += 1;
    }

    /// Removes all entities, and returns them.
    pub(crate) fn take(&mut self) -> &mut [Entity] {
        &mut self.entities[..core::mem::take(&mut self.len)]
    }
}
