//! What is told before components and entities go, one or many; and what is left to be done then.

use crate::component::Parting;
use crate::component::set::ComponentSet;
use crate::entity::Entity;
use crate::pool::watch::Note;
use crate::world::World;
use crate::world::error::DespawnError;
use crate::world::frames::{Entry, Operation, Stage, Turn, WHOLE};
use crate::world::observe::{Kind, Topic};
use crate::world::tell::{Followers, Open};
use alloc::vec::Vec;
use core::ops::Range;

impl World {
    /// Before the end of an entity, which is alive: asks vetoes, and tells of it. Whether it is still to be ended.
    #[cold]
    #[inline(never)]
    pub(super) fn before_end(&mut self, entity: Entity) -> Result<bool, DespawnError> {
        let is_idle = self.telling.is_idle();
        if !is_idle {
            self.finish_entity(entity);
        }
        self.entities.flush();
        if !self.entities.is_alive(entity) {
            return Err(DespawnError::NoSuchEntity(entity));
        }
        if let Some(name) = self.pools.refusal(entity, &self.entities.components(entity)) {
            return Err(DespawnError::Refused(entity, name));
        }
        let silent = if is_idle { Vec::new() } else { self.forget_entity(entity) };
        let goes_on = self.tell_end(entity, &silent);
        self.entities.flush();
        Ok(goes_on)
    }

    /// Before the removal of a component, whose veto agreed: tells of it. Whether it is still to be removed.
    #[cold]
    #[inline(never)]
    pub(super) fn before_removal(&mut self, entity: Entity, number: u32) -> bool {
        if self.telling.is_idle() {
            return self.pools.has(number, entity) && self.tell_removal(entity, number);
        }
        self.finish(entity, number);
        if !self.pools.has(number, entity) {
            return false;
        }
        if self.telling.forget(entity, number) == Some(Kind::Insert) {
            return true;
        }
        if !self.has_listener(number, Kind::Remove) {
            return true;
        }
        if !self.pools.watch.calls_of_removal(number) {
            self.collect_end(entity, &[number], u64::MAX);
            return true;
        }
        if self.telling.is_idle() {
            return self.tell_removal(entity, number);
        }
        let open = Open::new(self, Operation::Removal);
        open.world.telling.push(entity, number, Kind::Remove, Stage::Unheard);
        open.world.tell_left(open.turn, entity)
    }

    /// Removes a component that an entity has, and drops it.
    pub(super) fn take_out_now(&mut self, entity: Entity, number: u32) {
        self.take_out(entity, number);
        self.pools.settle(&ComponentSet::of(number), &ComponentSet::EMPTY);
    }

    /// Takes a component out that an entity has; its pool is to be settled.
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

    /// Before the removal of a component from many: those of them that are still to lose it, and how many lost
    /// it meanwhile.
    #[cold]
    #[inline(never)]
    pub(super) fn before_removals(&mut self, all: &[Entity], number: u32) -> (Vec<Entity>, usize) {
        let is_idle = self.telling.is_idle();
        if !is_idle {
            self.finish_all(|world| all.iter().for_each(|entity| world.finish(*entity, number)));
        }
        let is_guarded = self.pools.watch.vetoes().contains(number);
        let mut told = all.to_vec();
        told.retain(|&entity| {
            self.pools.has(number, entity)
                && (!is_guarded || self.pools.at_mut(number).permits_removal(entity))
        });
        let mut vanished = 0;
        if !is_idle {
            told.retain(|&entity| {
                let is_unheard = self.telling.forget(entity, number) == Some(Kind::Insert);
                if is_unheard && self.pools.has(number, entity) {
                    self.take_out_now(entity, number); // nobody knows of it
                    vanished += 1;
                }
                !is_unheard
            });
        }
        if !self.has_listener(number, Kind::Remove) {
            return (told, vanished);
        }
        if !self.pools.watch.calls_of_removal(number) {
            for &entity in &told {
                self.collect_end(entity, &[number], u64::MAX);
            }
            return (told, vanished);
        }
        let mut notes = self.pools.watch.take_list();
        notes.extend(told.iter().map(|&entity| Note { entity, number, is_new: false }));
        let open = Open::going(self, notes, Operation::Removal);
        let (world, turn) = (&mut *open.world, open.turn);
        if world.telling.folded.is(turn) {
            if world.tell_folded(turn) {
                for &entity in &told {
                    world.collect_end(entity, &[number], u64::MAX);
                }
                return (told, vanished);
            }
            if !world.telling.has(turn) {
                return (Vec::new(), 0);
            }
        }
        let Range { start, end } = world.telling.range(turn.at);
        if !world.tell_at_once(turn, start, end) {
            return (Vec::new(), 0);
        }
        let mut others = 0;
        for at in start..end {
            let entity = world.telling.entries[at].entity;
            if world.telling.entries[at].stage == Stage::Done {
                continue;
            }
            if !world.pools.has(number, entity) {
                // Nobody heard of it yet, and another operation was faster.
                world.telling.entries[at].stage = Stage::Done;
                others += 1;
            } else if world.telling.forget(entity, number) == Some(Kind::Insert) {
                world.telling.entries[at].stage = Stage::Heard;
            } else if !world.tell(turn, at, true) {
                return (Vec::new(), 0);
            }
        }
        let entries = &world.telling.entries[start..end];
        let heard = entries.iter().filter(|entry| entry.stage == Stage::Heard);
        let left: Vec<Entity> = heard.map(|entry| entry.entity).collect();
        for &entity in &left {
            world.collect_heard(turn, entity);
        }
        let early = end - start - left.len() - others;
        (left, vanished + early)
    }

    /// Whether it points to one that ends with this frame, by a relation that ends it, too.
    fn still_follows(&mut self, turn: Turn, entity: Entity) -> bool {
        let World { pools, telling, .. } = self;
        let ending = pools.relations.iter().filter(|it| matches!(it.at_end, Parting::Despawn));
        let mut targets = ending.filter_map(|relation| relation.target(entity));
        targets.any(|target| telling.find_in(turn.at, target, |it| it.number == WHOLE).is_some())
    }

    /// Before the end of many entities: tells of it, after vetoes were asked, if they are to be. Those that are
    /// still to be ended, and how many ended meanwhile. A follower, which comes behind those that it follows, is
    /// spared if it does not point to one any more when it would be told of.
    #[cold]
    #[inline(never)]
    pub(super) fn before_ends(
        &mut self,
        all: &[Entity],
        ask: bool,
        followers: &Followers,
    ) -> (Vec<Entity>, usize) {
        let is_idle = self.telling.is_idle();
        if !is_idle {
            self.finish_all(|world| all.iter().for_each(|entity| world.finish_entity(*entity)));
        }
        self.entities.flush();
        let mut agreed = all.to_vec();
        agreed.retain(|&entity| {
            self.entities.is_alive(entity) && {
                let components = self.entities.components(entity);
                !ask || self.pools.refusal(entity, &components).is_none()
            }
        });
        let calls = |entity| self.pools.watch.calls_of_end(&self.entities.components(entity));
        if !agreed.iter().copied().any(calls) {
            for &entity in &agreed {
                let silent = self.forget_entity(entity);
                let numbers = self.told_of(entity, &silent);
                self.collect_end(entity, &numbers, u64::MAX);
            }
            return (agreed, 0);
        }
        let mut notes = self.pools.watch.take_list();
        if self.telling.is_idle() {
            for &entity in &agreed {
                self.note_end(entity, &mut notes);
            }
        }
        let open = Open::going(self, notes, Operation::End);
        let (world, turn) = (&mut *open.world, open.turn);
        if world.telling.folded.is(turn) {
            if world.tell_folded(turn) {
                for &entity in &agreed {
                    world.collect_components(entity);
                }
                return (agreed, 0);
            }
            if !world.telling.has(turn) {
                return (Vec::new(), 0);
            }
        } else {
            world.push_ends_at_once(turn, &agreed);
        }
        let Range { start, end } = world.telling.range(turn.at);
        if !world.tell_at_once(turn, start, end) {
            return (Vec::new(), 0);
        }
        for &entity in &agreed {
            let is_whole = |entry: &Entry| entry.number == WHOLE;
            if !world.entities.is_alive(entity) {
                continue;
            }
            if world.telling.find_in(turn.at, entity, is_whole).is_some() {
                // It comes twice, or was being told of when somebody met it.
                world.tell_last(turn, entity);
                if !world.telling.has(turn) {
                    return (Vec::new(), 0);
                }
                continue;
            }
            if followers.contains(entity)
                && world.telling.find_in(turn.at, entity, Entry::is_open).is_none()
                && !world.still_follows(turn, entity)
            {
                continue;
            }
            let but = world.telling.numbers(turn.at, entity);
            let numbers = world.told_of(entity, &but);
            world.push_end(entity, &numbers);
            world.tell_last(turn, entity);
            if !world.telling.has(turn) {
                return (Vec::new(), 0);
            }
        }
        let mut left = Vec::new();
        for &entity in &agreed {
            let is_open = |entry: &Entry| entry.number == WHOLE && entry.stage == Stage::Heard;
            if world.telling.find_in(turn.at, entity, is_open).is_some() {
                world.collect_heard(turn, entity); // once
                left.push(entity);
            }
        }
        let ended = agreed.iter().filter(|entity| !world.entities.is_alive(**entity)).count();
        drop(open);
        self.entities.flush();
        (left, ended)
    }

    /// Adds these ends to the last frame, as far as some are told of them at once.
    fn push_ends_at_once(&mut self, turn: Turn, all: &[Entity]) {
        for &entity in all {
            if self.telling.find_in(turn.at, entity, |_| true).is_some() {
                continue; // it comes twice
            }
            let silent = self.forget_entity(entity);
            for number in self.told_of(entity, &silent) {
                let topic = Topic { number, kind: Kind::Remove, at_once: true };
                if self.observers.has(topic) {
                    self.telling.push(entity, number, Kind::Remove, Stage::Unheard);
                }
            }
            for number in silent {
                // Whose insertion was forgotten: nobody is to be told of it.
                self.telling.push(entity, number, Kind::Insert, Stage::Heard);
            }
        }
    }
}
