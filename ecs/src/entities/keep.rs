//! Keeping indices for entities that are outside of the world, and may come back.

use crate::entities::holds::Hold;
use crate::entities::{Entities, NOWHERE, Record, to_usize};
use crate::entity::Entity;
use crate::storage::key::Key;
use alloc::vec::Vec;

/// Returns no place in `free` either, but a number of this entity: its index is held for it.
fn held(entity: Entity) -> u64 {
    !u64::from(Key::generation(entity))
}

impl<const MAX_INDEX: u32, const MAX_GENERATION: u32> Entities<MAX_INDEX, MAX_GENERATION> {
    /// Keeps the index of an entity that was freed from being used again, like a retired one, until
    /// [`release`](Self::release). Does nothing if it is used again already.
    pub(crate) fn hold(&mut self, entity: Entity) {
        let Some(record) = self.records.get(entity.index() as usize) else { return };
        let place = to_usize(record.low); // E5
        if record.generation != 0 {
            return;
        }
        if self.free.get(place) == Some(&entity.next()) {
            self.take_free(place);
            self.retired += 1;
        } else if record.low != NOWHERE || Key::generation(entity) < MAX_GENERATION {
            return;
        }
        self.records[entity.index() as usize].low = held(entity);
    }

    /// Keeps entities whose indices are all [held](Self::hold), until they are [returned](Self::end_hold) or the hold is
    /// dropped.
    #[inline]
    pub(crate) fn keep(&mut self, entities: Vec<Entity>) -> Hold {
        self.free_dropped();
        self.holds.get_or_insert_default().add(entities)
    }

    /// Returns `true` if this is a hold of these entities: neither of others, nor from before they were replaced.
    pub(crate) fn keeps(&self, hold: &Hold) -> bool {
        self.holds.as_ref().is_some_and(|holds| holds.contains(hold))
    }

    /// Ends a hold. The caller [releases](Self::release) its entities. Returns `false` if it is not one of these.
    #[inline]
    pub(crate) fn end_hold(&mut self, hold: &Hold) -> bool {
        let is_own = self.keeps(hold);
        if let Some(holds) = self.holds.as_mut().filter(|_| is_own) {
            holds.remove(hold);
        }
        is_own
    }

    /// Frees the indices of dropped holds, if these are not few among many. Returns `true` if there is a free index
    /// then.
    #[cold]
    #[inline(never)]
    pub(super) fn free_dropped(&mut self) -> bool {
        let dropped = self.holds.as_mut().map(|holds| holds.take_dropped());
        for entity in dropped.unwrap_or_default() {
            self.release(entity, false);
        }
        !self.free.is_empty()
    }

    /// Returns the next handles of the indices that are held, in the order of the indices.
    #[inline]
    pub(super) fn held_to_free(&self) -> Vec<Entity> {
        let held = self.holds.as_ref().map_or_else(Vec::new, |holds| holds.sorted());
        let has_next = |entity: &Entity| Key::generation(*entity) < MAX_GENERATION;
        held.into_iter().filter(has_next).map(Entity::next).collect()
    }

    /// Returns `true` if the index of an entity is [held](Self::hold) for it.
    pub(crate) fn is_held(&self, entity: Entity) -> bool {
        let record = self.records.get(entity.index() as usize);
        record.is_some_and(|record| record.generation == 0 && record.low == held(entity))
    }

    /// Restores an entity with an index that is [held](Self::hold), or frees the index.
    pub(crate) fn release(&mut self, entity: Entity, is_made: bool) {
        debug_assert!(self.is_held(entity), "only held indices are released");
        self.flush();
        let record = Record { generation: entity.generation().get(), low: 0 };
        self.records[entity.index() as usize] = record;
        self.begun = self.begun.wrapping_add(1);
        self.retired -= 1;
        if !is_made {
            self.free(entity);
        }
    }
}
