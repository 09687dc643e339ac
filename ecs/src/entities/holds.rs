//! Indices that are held for entities outside of the world, until these come back or are dropped.
//!
//! ```text
//! slots    [ {3v1 4v1}  -  {7v2} ]      the entities of each hold; a hold has the number of its slot
//! dropped  1                            counts holds that were dropped since: their entities are found by a search
//! ```

use crate::entity::{Entity, sort_by_index};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};

/// The indices of dropped holds are given back when one in this many was dropped: so a search costs each of them as
/// many steps.
const SEARCHED: usize = 32;

/// Entities whose indices are held.
#[derive(Debug)]
struct HeldEntities {
    entities: Vec<Entity>,
    /// The number of dropped holds of the world, shared with it.
    dropped: Arc<AtomicUsize>,
}

/// The right to entities whose indices are held. A dropped one gives the indices back, later.
#[derive(Debug)]
pub(crate) struct Hold {
    slot: usize,
    held: Arc<HeldEntities>,
}

impl Hold {
    /// Returns the entities.
    pub(crate) fn entities(&self) -> &[Entity] {
        &self.held.entities
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        // Relaxed: the search finds a hold by the number of its owners, which is one less only after this.
        self.held.dropped.fetch_add(1, Ordering::Relaxed);
    }
}

/// All holds of a world.
#[derive(Debug, Default)]
pub(super) struct Holds {
    slots: Vec<Option<Arc<HeldEntities>>>,
    vacant: Vec<usize>,
    dropped: Arc<AtomicUsize>,
}

impl Holds {
    /// Adds a hold of these entities.
    #[inline]
    pub(super) fn add(&mut self, entities: Vec<Entity>) -> Hold {
        let held = Arc::new(HeldEntities { entities, dropped: Arc::clone(&self.dropped) });
        let slot = self.vacant.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() - 1
        });
        self.slots[slot] = Some(Arc::clone(&held));
        Hold { slot, held }
    }

    /// Returns `true` if this hold is one of these.
    #[inline]
    pub(super) fn contains(&self, hold: &Hold) -> bool {
        let entry = self.slots.get(hold.slot).and_then(Option::as_ref);
        entry.is_some_and(|entities| Arc::ptr_eq(entities, &hold.held))
    }

    /// Removes a hold, which must be one of these.
    #[inline]
    pub(super) fn remove(&mut self, hold: &Hold) {
        debug_assert!(self.contains(hold), "the hold is of this world");
        self.slots[hold.slot] = None;
        self.vacant.push(hold.slot);
        // It will be counted as dropped.
        self.dropped.fetch_sub(1, Ordering::Relaxed);
    }

    /// Removes the holds that were dropped, if they are enough to be searched for, and returns their entities in the
    /// order in which their indices are given back.
    #[inline]
    pub(super) fn take_dropped(&mut self) -> Vec<Entity> {
        let held = self.slots.len() - self.vacant.len();
        let dropped = self.dropped.load(Ordering::Relaxed);
        let mut entities = Vec::new();
        // More were removed than dropped yet: see `remove`.
        if dropped > held || dropped * SEARCHED < held.max(1) {
            return entities;
        }
        for (slot, entry) in self.slots.iter_mut().enumerate() {
            if let Some(held) = entry.take_if(|held| Arc::strong_count(held) == 1) {
                self.vacant.push(slot);
                self.dropped.fetch_sub(1, Ordering::Relaxed);
                entities.extend(held.entities.iter().rev());
            }
        }
        entities
    }

    /// Returns all entities, in the order of their indices.
    #[inline]
    pub(super) fn sorted(&self) -> Vec<Entity> {
        let all = self.slots.iter().flatten().flat_map(|held| &held.entities);
        let mut all: Vec<Entity> = all.copied().collect();
        sort_by_index(&mut all);
        all
    }

    /// Returns the bytes on the heap.
    #[inline]
    pub(super) fn memory(&self) -> usize {
        let lists = self.slots.iter().flatten();
        size_of::<Self>()
            + self.slots.capacity() * size_of::<Option<Arc<HeldEntities>>>()
            + self.vacant.capacity() * size_of::<usize>()
            + lists
                .map(|held| {
                    size_of::<HeldEntities>() + held.entities.capacity() * size_of::<Entity>()
                })
                .sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    fn entity(index: u32) -> Entity {
        Entity::from_bits(1 << 32 | u64::from(index)).unwrap()
    }

    #[test]
    fn dropped_holds_give_their_entities_back_once() {
        let mut holds = Holds::default();
        let [one, two] = [5, 3].map(|index| holds.add(vec![entity(index), entity(index + 1)]));
        assert!(holds.take_dropped().is_empty() && holds.contains(&one) && holds.contains(&two));
        assert_eq!(holds.sorted(), [3, 4, 5, 6].map(entity));
        drop(one);
        assert_eq!(holds.take_dropped(), [6, 5].map(entity));
        assert!(holds.take_dropped().is_empty() && holds.contains(&two));
        let three = holds.add(vec![entity(9)]);
        assert_eq!((three.slot, holds.slots.len()), (0, 2), "the slot is used again");
        holds.remove(&two);
        assert!(!holds.contains(&two) && holds.take_dropped().is_empty());
        drop(two);
        assert!(holds.take_dropped().is_empty() && holds.contains(&three));
        drop(three);
        assert_eq!(holds.take_dropped(), [entity(9)]);
    }

    #[test]
    fn few_dropped_holds_of_many_are_not_searched_for() {
        let mut holds = Holds::default();
        let mut all: Vec<Hold> = (0..2 * 32).map(|at| holds.add(vec![entity(at)])).collect();
        all.pop();
        assert!(holds.take_dropped().is_empty());
        all.pop();
        assert_eq!(holds.take_dropped().len(), 2);
    }

    #[test]
    fn holds_of_other_worlds_are_not_contained() {
        let [mut one, mut other] = [(); 2].map(|()| Holds::default());
        let (hold, equal) = (one.add(vec![entity(1)]), other.add(vec![entity(1)]));
        assert!(one.contains(&hold) && !one.contains(&equal) && !Holds::default().contains(&hold));
    }
}
