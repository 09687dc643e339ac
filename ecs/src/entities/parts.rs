//! The parts of the entities of a saved world: generations and free handles are read and written as lists.

use crate::component::set::ComponentSet;
use crate::entities::{Counter, Entities, GREATEST_INDEX, High, NOWHERE, Record};
use crate::entity::Entity;
use crate::storage::sparse_array::PAGE_LEN;
use alloc::vec::Vec;
use core::sync::atomic::Ordering;

/// The entities of a world, divided into parts and assembled from them.
impl Entities {
    /// Returns the number of bytes for each index, if this is the greatest number of a component.
    pub(crate) const fn record_size(number: u32) -> usize {
        size_of::<Record>() + if number < u64::BITS { 0 } else { size_of::<High>() }
    }

    /// Returns the number of indices after a flush.
    pub(crate) fn flushed_count(&self) -> usize {
        self.records.len() + self.reserved().1 as usize
    }

    /// Returns the living generation at each index, or 0; reserved entities count as living.
    pub(crate) fn flushed_generations(&self) -> impl Iterator<Item = u32> {
        self.generations_from(0)
    }

    /// Returns the free handles, without reserved ones. Indices that are held are free in a file, and used last.
    pub(crate) fn flushed_free(&self) -> Vec<Entity> {
        let mut free = self.held_to_free();
        free.extend_from_slice(&self.free[..self.free.len() - self.reserved().0.len()]);
        free
    }

    /// Becomes the entities of the same world as `old`. Copies the components that entities may have, for entities
    /// that are alive in both.
    pub(crate) fn replace(&mut self, old: &Self) {
        self.world = Counter::new(old.world.load(Ordering::Relaxed));
        self.family = old.family;
        let is_same =
            |new: &Record, old: &Record| new.generation == old.generation && new.generation != 0;
        if !old.high.is_empty() {
            self.high.resize(self.records.len(), High::default());
        }
        for (at, (new, before)) in self.records.iter_mut().zip(&old.records).enumerate() {
            if is_same(new, before) {
                new.low = before.low;
                if let (Some(high), Some(before)) = (self.high.get_mut(at), old.high.get(at)) {
                    *high = *before;
                }
            }
        }
    }

    /// Notes the component with this number for each of 64 neighbours with a set bit; all of them must be alive. The
    /// members of a pool may lie far apart, so each pool makes a pass over neighbours.
    pub(crate) fn add_word(&mut self, word: usize, mut bits: u64, number: u32) {
        let low = 1_u64.checked_shl(number).unwrap_or(0);
        if bits == !0 && low != 0 {
            for record in &mut self.records[word * 64..][..64] {
                record.low |= low;
            }
            return;
        }
        while bits != 0 {
            let index = word * 64 + bits.trailing_zeros() as usize;
            self.records[index].low |= low;
            if low == 0 {
                self.add_high(index, ComponentSet::of(number));
            }
            bits &= bits - 1;
        }
    }

    /// Returns entities with these generations alive, one for each index or 0, and these handles free.
    pub(crate) fn of_parts(generations: &[u32], free: Vec<Entity>) -> Result<Self, &'static str> {
        Self::check_generations(generations)?;
        Self::with_members(generations, free, core::iter::empty(), |_, _| {})
    }

    /// Refuses generations that no entity can have.
    pub(crate) fn check_generations(generations: &[u32]) -> Result<(), &'static str> {
        if generations.len() > GREATEST_INDEX as usize + 1 {
            return Err("there are more indices than a world has");
        }
        if generations.iter().any(|&generation| generation > Entity::MAX_GENERATION) {
            return Err("a generation is too large");
        }
        Ok(())
    }

    /// Returns entities with these generations, which must be [checked](Self::check_generations). Calls `add` with the
    /// number of each page of indices, to note the components of its entities, which have these `numbers`.
    pub(crate) fn with_members(
        generations: &[u32],
        free: Vec<Entity>,
        mut numbers: impl Iterator<Item = u32>,
        mut add: impl FnMut(&mut Self, usize),
    ) -> Result<Self, &'static str> {
        let record = |&generation: &u32| Record {
            generation,
            low: if generation == 0 { NOWHERE } else { 0 },
        };
        let mut all = Self::new();
        all.records.reserve_exact(generations.len());
        if numbers.any(|number| number >= u64::BITS) {
            all.high.reserve_exact(generations.len());
        }
        for (page, some) in generations.chunks(PAGE_LEN).enumerate() {
            all.records.extend(some.iter().map(record));
            all.begun += some.iter().filter(|generation| **generation != 0).count();
            add(&mut all, page);
        }
        all.follow(); // the last pages may have no component with a high number
        for (place, entity) in (0..).zip(&free) {
            match all.records.get_mut(entity.index() as usize) {
                Some(Record { generation: 0, low }) if *low == NOWHERE => *low = place,
                _ => return Err("a free handle is alive, or is listed twice"),
            }
        }
        all.retired = all.records.len() - all.begun - free.len();
        all.free = free;
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loaded_indices_are_alive_free_or_retired() {
        let free = Entity::new(0, core::num::NonZeroU32::MIN);
        let of = |generations: &[u32], free: &[Entity]| {
            Entities::of_parts(generations, free.to_vec()).map(|entities| entities.check().unwrap())
        };
        assert_eq!([of(&[0, 1], &[free]), of(&[0, 1], &[])], [Ok(()), Ok(())]);
        assert!(of(&[0, 1], &[free, free]).is_err(), "listed twice");
        assert!(of(&[1], &[free]).is_err(), "alive");
        assert!(of(&[Entity::MAX_GENERATION + 1], &[]).is_err());
    }

    #[test]
    fn there_are_as_many_indices_and_generations_as_entities_may_have() {
        let of = |generations: &[u32]| Entities::check_generations(generations);
        assert!(of(&[1; GREATEST_INDEX as usize + 1]).is_ok());
        assert!(of(&[1; GREATEST_INDEX as usize + 2]).is_err());
        assert!(of(&[0, Entity::MAX_GENERATION]).is_ok());
    }

    #[test]
    fn reserved_entities_are_saved_as_living_ones() {
        let mut entities = Entities::new();
        let made = [(); 3].map(|()| entities.spawn());
        made.iter().for_each(|entity| entities.free(*entity));
        let reserved = entities.reserve();
        assert_eq!(reserved.index(), 2);
        assert_eq!(entities.flushed_generations().collect::<Vec<_>>(), [0, 0, 2]);
        assert_eq!(entities.flushed_free(), [0, 1].map(|at: usize| made[at].next()));
        assert_eq!(entities.flushed_count(), 3);
        assert_eq!([(); 3].map(|()| entities.reserve().index()), [1, 0, 3]);
        assert_eq!(entities.flushed_generations().collect::<Vec<_>>(), [2, 2, 2, 1]);
        assert_eq!((entities.flushed_count(), entities.flushed_free().len()), (4, 0));
    }

    #[test]
    fn components_are_noted_for_all_of_64_neighbours() {
        let noted = |bits, number| {
            let mut entities: Entities = Entities::of_parts(&[1; 192], Vec::new()).unwrap();
            entities.add_word(1, bits, number);
            let has = |index: &usize| entities.components_at(*index).contains(number);
            (0..192).filter(has).collect::<Vec<_>>()
        };
        for number in [3, 63, 64, 70] {
            assert_eq!(noted(!0, number), (64..128).collect::<Vec<_>>(), "{number}");
            assert_eq!(noted(1 << 63 | 2, number), [65, 127], "{number}");
        }
    }

    /// Loading notes components page by page.
    #[test]
    fn loaded_entities_have_high_numbers_on_the_first_page_only() {
        let generations = vec![1; 1_500];
        let numbers = core::iter::once(70);
        let add = |entities: &mut Entities, page: usize| {
            if page == 0 {
                entities.add_word(0, 0b101, 70);
            }
        };
        let entities: Entities =
            Entities::with_members(&generations, Vec::new(), numbers, add).unwrap();
        entities.check().unwrap();
        let has = |index| entities.components_at(index).contains(70);
        assert!(has(0) && !has(1) && has(2) && !has(1_499));
    }
}
