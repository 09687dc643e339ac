//! Removals: what is done before a component leaves its pool, and when it has left.
//!
//! Also what an edit does that is made inside a listener, and meets a change that is being notified.

use crate::component::set::ComponentSet;
use crate::entity::Entity;
use crate::pool::change_log::{Change, Operation, Row, Stage};
use crate::world::World;
use crate::world::error::NoSuchEntityError;
use alloc::vec::Vec;

impl World {
    /// Notifies listeners that an entity is about to lose a component, whose veto agreed. Returns `true` if the caller
    /// is to remove it: the entity still has it.
    ///
    /// A removal that is being notified already goes on from where it is; the caller gets the value.
    #[cold]
    #[inline(never)]
    pub(super) fn announce_removal(&mut self, entity: Entity, number: u32) -> bool {
        if self.is_nested() {
            self.finish_insertions(entity, number);
            if let Some(goes) = self.take_over_removal(entity, number) {
                return goes;
            }
        }
        if !self.pools.has(number, entity) {
            return false;
        }
        if self.is_silent_removal(entity, number) {
            return true;
        }
        let rows = self.log();
        rows.begin();
        rows.add(Row::new(entity, number, Change::Remove));
        let operating = self.operate(Operation::Removal);
        let (world, at) = (&mut *operating.world, operating.at);
        world.notify_rows(at, true);
        let row = world.log().range(at).start;
        world.log()[row].stage != Stage::Done && world.pools.has(number, entity)
    }

    /// If an outer operation is about to remove this component, notifies the remaining listeners of that, and leaves the
    /// removal to the caller. Returns `true` then, and `false` if one of these listeners has completed it.
    fn take_over_removal(&mut self, entity: Entity, number: u32) -> Option<bool> {
        let is_it =
            |_, row: &Row| row.number == number && row.is_removal() && row.stage != Stage::Done;
        let (operation, at) = self.log().find(entity, is_it)?;
        self.log().forget(entity, number);
        self.notify_row(operation, at, true);
        let row = &mut self.log()[at];
        let is_completed = row.stage == Stage::Done;
        row.stage = Stage::Done;
        Some(!is_completed && self.pools.has(number, entity))
    }

    /// Returns `true` if no listener is to be notified of the removal of a component that the entity has: none listens,
    /// none knows that it was inserted, or all were notified of it as the entity is being despawned.
    fn is_silent_removal(&mut self, entity: Entity, number: u32) -> bool {
        self.log().forget(entity, number) == Some(Change::Insert)
            || !self.pools.watch.told_out().contains(number)
            || self.log().is_despawning(entity)
    }

    /// As [`announce_removal`](Self::announce_removal), of many entities whose vetoes are to be asked. Returns those whose
    /// component the caller is to remove, and how many more have lost it.
    #[cold]
    #[inline(never)]
    pub(super) fn announce_removals(
        &mut self,
        all: &[Entity],
        number: u32,
    ) -> (Vec<Entity>, usize) {
        let is_nested = self.is_nested();
        if is_nested {
            for &entity in all {
                self.finish_insertions(entity, number);
            }
        }
        let is_guarded = self.pools.watch.vetoes().contains(number);
        let mut left = all.to_vec();
        left.retain(|&entity| {
            self.pools.has(number, entity)
                && (!is_guarded || self.pools.at_mut(number).permits_removal(entity))
        });
        let early = if is_nested { self.remove_silently(&mut left, number) } else { 0 };
        if !self.pools.watch.told_out().contains(number) {
            return (left, early);
        }
        let rows = self.log();
        rows.begin();
        rows.extend(left.iter().map(|&entity| Row::new(entity, number, Change::Remove)));
        let operating = self.operate(Operation::Removal);
        let (world, at) = (&mut *operating.world, operating.at);
        world.log().drop_repeated(at);
        let announced = world.log().of(at).filter(|row| row.stage != Stage::Done).count();
        world.notify_at_once(at);
        world.notify_rows(at, true);
        let World { pools, .. } = world;
        let rows = pools.watch.log.of(at).filter(|row| row.stage != Stage::Done);
        let left: Vec<Entity> =
            rows.map(|row| row.entity).filter(|entity| pools.has(number, *entity)).collect();
        let count = early + announced - left.len();
        (left, count)
    }

    /// Removes a component at once from those of these entities of whose removal no listener is to be notified, inside
    /// a listener. Leaves the others; returns how many it removed.
    fn remove_silently(&mut self, entities: &mut Vec<Entity>, number: u32) -> usize {
        let mut count = 0;
        entities.retain(|&entity| {
            let (goes, stays) = match self.take_over_removal(entity, number) {
                Some(goes) => (goes, false),
                None if !self.pools.has(number, entity) => (false, false),
                None => {
                    let is_silent = self.is_silent_removal(entity, number);
                    (is_silent, !is_silent)
                }
            };
            if goes {
                self.take_out_now(entity, number);
                count += 1;
            }
            stays
        });
        entities.retain(|&entity| self.pools.has(number, entity)); // listeners were called
        count
    }

    /// Removes a component that an entity has, and drops it.
    pub(super) fn take_out_now(&mut self, entity: Entity, number: u32) {
        self.take_out(entity, number);
        self.pools.settle(&ComponentSet::of(number), &ComponentSet::EMPTY);
    }

    /// Takes a component that an entity has out of its pool, which is to be settled.
    pub(super) fn take_out(&mut self, entity: Entity, number: u32) {
        if self.groups.require(number) {
            self.groups.leave_at(&mut self.pools, entity, number);
        }
        self.pools.watch.track_removal(entity, number);
        self.pools.at_mut(number).take_out(&[entity], 1, false);
        if self.pools.watch.relations().contains(number) {
            self.pools.relations.unlink(number, entity);
        }
        if self.groups.watch(number) {
            self.note_removal(entity, number);
        }
    }

    /// Notifies the remaining listeners of insertions of a component that have begun to be notified.
    pub(super) fn finish_insertions(&mut self, entity: Entity, number: u32) {
        let is_it = |operation, row: &Row| {
            operation == Operation::Insertion && row.number == number && row.has_begun()
        };
        while let Some((operation, at)) = self.log().find(entity, is_it) {
            self.notify_row(operation, at, true);
        }
    }

    /// Completes the removals of a component that have begun to be notified: notifies the remaining listeners, and
    /// removes it.
    pub(super) fn finish_removals(&mut self, entity: Entity, number: u32) {
        let is_it = |operation, row: &Row| {
            operation == Operation::Removal && row.number == number && row.has_begun()
        };
        while let Some((operation, at)) = self.log().find(entity, is_it) {
            self.notify_row(operation, at, true);
            if self.log()[at].stage != Stage::Done {
                self.log()[at].stage = Stage::Done;
                if self.pools.has(number, entity) {
                    self.take_out_now(entity, number);
                }
            }
        }
    }

    /// Completes what is being notified of these components of an entity, before they are inserted inside a listener.
    ///
    /// # Errors
    /// If the entity is being despawned.
    #[cold]
    #[inline(never)]
    pub(super) fn finish_before_insertion(
        &mut self,
        entity: Entity,
        numbers: &[u32],
    ) -> Result<(), NoSuchEntityError> {
        if self.log().is_despawning(entity) {
            return Err(NoSuchEntityError(entity));
        }
        for &number in numbers {
            self.finish_insertions(entity, number);
            self.finish_removals(entity, number);
        }
        Ok(())
    }

    /// Before a component is changed in place inside a listener: notifies the remaining listeners of its insertion.
    /// Returns `false` if the change is not to be notified, as the component is about to go.
    #[cold]
    #[inline(never)]
    pub(super) fn finish_before_update(&mut self, entity: Entity, number: u32) -> bool {
        let goes = |_, row: &Row| row.number == number && row.is_removal() && row.has_begun();
        if self.log().is_despawning(entity) || self.log().find(entity, goes).is_some() {
            return false;
        }
        self.finish_insertions(entity, number);
        true
    }
}
