//! Removals: the steps before a component leaves its pool, and after.
//!
//! Also the steps of an edit inside a listener that meets a change that is being notified.

use crate::edit::commit;
use crate::entity::Entity;
use crate::notify::change_log::{Change, ChangeRow, NotificationStage, Operation};
use crate::pool::watch::{Fact, Question};
use crate::world::World;
use crate::world::error::NoSuchEntityError;
use alloc::vec::Vec;

impl World {
    /// Removes a component that an entity may have, and others may watch: notifies listeners, then takes it out of its
    /// pool, which is to be finished. Returns `false` if the entity has none, or a listener took it.
    #[inline(never)]
    pub(crate) fn take_out(&mut self, entity: Entity, number: u32) -> bool {
        if self.pools.watch.answer(Question::NotifiedRemoval, number)
            && !self.announces_removal(entity, number)
        {
            return false;
        }
        let Self { pools, entities, groups, .. } = self;
        commit::removal(pools, entities, groups, entity, number)
    }

    /// Notifies listeners that an entity is about to lose a component that it may have. Returns `false` if it has none
    /// then.
    pub(crate) fn announces_removal(&mut self, entity: Entity, number: u32) -> bool {
        self.announce_removals(&mut [entity], number).0 > 0
    }

    /// Removes a component like [`take_out`](Self::take_out), and drops it.
    pub(super) fn drop_component(&mut self, entity: Entity, number: u32) {
        if self.take_out(entity, number) {
            self.pools.at_mut(number).set_mut().finish(false);
        }
    }

    /// Removes and drops the component with this number of these entities, unless a veto keeps it or another component
    /// needs it. Returns how many lost it.
    #[inline]
    pub(super) fn remove_from_all(&mut self, named: &[Entity], number: u32) -> usize {
        let is_guarded = self.pools.watch.is(Fact::Vetoed, number);
        let is_needed = self.pools.watch.is(Fact::Needed, number);
        let is_announced = self.pools.watch.answer(Question::NotifiedRemoval, number);
        if self.pools.keys_at(number).len() == 0 {
            return 0;
        }
        let mut left = Vec::new();
        let (mut list, mut count) = (named, None);
        if is_guarded || is_needed || is_announced {
            if self.is_nested() {
                for entity in named {
                    self.finish_insertions(*entity, number);
                }
            }
            let pool = self.pools.at_mut(number);
            let may_go = |entity: &Entity| pool.contains(*entity) && pool.permits_removal(*entity);
            left.extend(named.iter().copied().filter(may_go));
            if is_needed {
                left.retain(|entity| self.pools.check_removal(*entity, &[number]).is_ok());
            }
            if is_announced {
                let (len, had) = self.announce_removals(&mut left, number);
                left.truncate(len);
                count = Some(had);
            }
            list = &left;
        }
        let Self { pools, entities, groups, .. } = self;
        let removed = commit::removals(pools, entities, groups, (list, named.len()), number);
        count.unwrap_or(removed)
    }

    /// Notifies listeners that these entities are about to lose a component, to which vetoes agreed. Moves the entities
    /// from which the caller is to remove it, if they still have one, to the front of the list. Returns how many these
    /// are, and how many had one before.
    ///
    /// A removal that is being notified already goes on from where it is; its value is the caller's.
    #[cold]
    #[inline(never)]
    fn announce_removals(&mut self, list: &mut [Entity], number: u32) -> (usize, usize) {
        let is_nested = self.is_nested();
        if is_nested {
            for entity in &*list {
                self.finish_before_removal(*entity, number);
            }
        }
        self.log().begin();
        let (mut had, mut are_silent) = (0, true);
        for &entity in &*list {
            if self.pools.has(number, entity) {
                let is_silent = is_nested && self.take_over_removal(entity, number);
                let stage = if is_silent {
                    NotificationStage::Notified
                } else {
                    NotificationStage::Pending
                };
                self.log()
                    .add(ChangeRow { stage, ..ChangeRow::new(entity, number, Change::Remove) });
                (had, are_silent) = (had + 1, are_silent && is_silent);
            }
        }
        let operating = self.operate(Operation::Removal);
        let (world, at) = (&mut *operating.world, operating.at);
        if had > 1 {
            had -= world.log().drop_repeated();
        }
        if !are_silent && had > 1 {
            world.notify_batch(at, Operation::Removal);
        } else if !are_silent {
            world.notify_rows(at, true);
        }
        let mut left = 0;
        for row in world.log().of(at).filter(|row| row.stage != NotificationStage::Done) {
            list[left] = row.entity;
            left += 1;
        }
        (left, had)
    }

    /// Notifies listeners that an entity is about to lose these components in one edit, to which vetoes agreed. Leaves
    /// the ones in the list that the caller is to remove.
    #[cold]
    #[inline(never)]
    pub(super) fn announce_together(&mut self, entity: Entity, numbers: &mut Vec<u32>) {
        let is_nested = self.is_nested();
        if is_nested {
            for number in &*numbers {
                self.finish_before_removal(entity, *number);
            }
        }
        self.log().begin();
        let mut are_silent = true;
        for &number in &*numbers {
            if self.pools.has(number, entity) {
                let is_silent = is_nested && self.take_over_removal(entity, number);
                let stage = if is_silent {
                    NotificationStage::Notified
                } else {
                    NotificationStage::Pending
                };
                let row = ChangeRow::new(entity, number, Change::Remove);
                self.log().add(ChangeRow { stage, ..row });
                are_silent &= is_silent;
            }
        }
        let operating = self.operate(Operation::Removal);
        let (world, at) = (&mut *operating.world, operating.at);
        if !are_silent {
            world.notify_rows(at, true);
        }
        numbers.clear();
        let left = world.log().of(at).filter(|row| row.stage != NotificationStage::Done);
        numbers.extend(left.map(|row| row.number));
    }

    /// Returns `true` if an outer operation is about to remove a component of an entity.
    pub(crate) fn is_leaving(&mut self, entity: Entity, number: u32) -> bool {
        self.find_removal(entity, number).is_some()
    }

    /// Before a component is removed inside a listener: notifies the remaining listeners of its insertion, and of its
    /// removal by an outer operation.
    fn finish_before_removal(&mut self, entity: Entity, number: u32) {
        self.finish_insertions(entity, number);
        if let Some((operation, at)) = self.find_removal(entity, number) {
            self.log().forget(entity, number);
            self.finish_row(operation, at);
        }
    }

    /// Takes the removal of a component that an entity has from the outer operation that is about to do it, if there is
    /// one. Returns `true` if no listener is left to be notified of the removal. That is so if that operation notified
    /// all, no listener exists, or none was notified of the insertion. It is so, too, if all were notified because the
    /// entity is being despawned.
    fn take_over_removal(&mut self, entity: Entity, number: u32) -> bool {
        if let Some((_, at)) = self.find_removal(entity, number) {
            self.log()[at].stage = NotificationStage::Done;
            return true;
        }
        self.log().forget(entity, number) == Some(Change::Insert)
            || !self.pools.watch.idle_answer(Question::NotifiedRemoval).contains(number)
            || self.log().is_despawning(entity)
    }

    /// Returns the row of a removal that an outer operation is about to do, with the operation's place.
    fn find_removal(&mut self, entity: Entity, number: u32) -> Option<(usize, usize)> {
        self.find_row(entity, &|_, row| {
            row.number == number && row.is_removal() && row.stage != NotificationStage::Done
        })
    }

    /// Notifies the remaining listeners of insertions of a component that have begun to be notified.
    pub(super) fn finish_insertions(&mut self, entity: Entity, number: u32) {
        let is_it = |operation, row: &ChangeRow| {
            operation == Operation::Insertion && row.number == number && row.has_begun()
        };
        while let Some((operation, at)) = self.find_row(entity, &is_it) {
            self.finish_row(operation, at);
        }
    }

    /// Completes the removals of a component that have begun to be notified: notifies the remaining listeners, and
    /// removes it.
    pub(super) fn finish_removals(&mut self, entity: Entity, number: u32) {
        let is_it = |operation, row: &ChangeRow| {
            operation == Operation::Removal && row.number == number && row.has_begun()
        };
        while let Some((operation, at)) = self.find_row(entity, &is_it) {
            self.finish_row(operation, at);
            if self.log()[at].stage != NotificationStage::Done {
                self.log()[at].stage = NotificationStage::Done;
                let Self { pools, entities, groups, .. } = &mut *self;
                if commit::removal(pools, entities, groups, entity, number) {
                    pools.at_mut(number).set_mut().finish(false);
                }
            }
        }
    }

    /// Completes notifications under way of these components of an entity, before they are inserted inside a
    /// listener.
    ///
    /// # Errors
    /// Returns an error if the entity is being despawned.
    #[cold]
    #[inline(never)]
    pub(crate) fn finish_before_insertion(
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
        let goes = |_, row: &ChangeRow| row.number == number && row.is_removal() && row.has_begun();
        if self.log().is_despawning(entity) || self.find_row(entity, &goes).is_some() {
            return false;
        }
        self.finish_insertions(entity, number);
        true
    }
}
