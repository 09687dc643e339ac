//! Notifying hooks and observers of components that are inserted, updated and removed.
//!
//! They are called inside the operation, with the whole world, and may begin operations of their own. Two rules keep
//! their view of the changes in order:
//!
//! * *Finish first.* If a nested edit meets a change that some listeners were notified of, it first notifies the
//!   remaining ones.
//! * *Forget.* A change that no listener was notified of, the rest of a bundle or a batch, merges with a later one: an
//!   insertion and a removal vanish, others become one.
//!
//! A row ([`ChangeRow`]) stores how far the notification of one change is, so it can be continued by another operation.

use crate::component::Hook;
use crate::entity::Entity;
use crate::notify::change_log::{
    Change, ChangeLog, ChangeRow, NotificationStage, Operation, are_distinct,
};
use crate::notify::observe::{Call, Observer, Topic};
use crate::pool::watch::Notified;
use crate::world::World;
use alloc::vec::Vec;
use core::ops::Range;

/// An operation, until its listeners were notified or one panicked.
pub(crate) struct Operating<'w> {
    pub(crate) world: &'w mut World,
    id: u64,
    /// Its place among the operations.
    pub(crate) at: usize,
}

impl Drop for Operating<'_> {
    fn drop(&mut self) {
        if self.world.calls.known_world() == self.id {
            let watch = &mut self.world.pools.watch;
            watch.log.close(self.at);
            if self.at == 0 {
                watch.set_notifying(false);
            }
        }
    }
}

impl World {
    /// Calls the only listener of an edit, which is complete.
    #[inline]
    pub(crate) fn call_hook(&mut self, hook: Hook, entity: Entity) {
        self.enter_edit(|world| hook(world, entity));
    }

    /// Returns `true` if listeners are being notified of another edit.
    #[inline]
    pub(crate) fn is_nested(&mut self) -> bool {
        self.pools.watch.is_notifying() && {
            self.end_moved();
            self.pools.watch.is_notifying()
        }
    }

    /// Returns `true` inside a hook or an observer of components.
    pub(crate) fn is_in_edit(&mut self) -> bool {
        self.end_moved();
        self.calls.is_in_edit() || self.pools.watch.is_notifying()
    }

    pub(crate) fn log(&mut self) -> &mut ChangeLog {
        &mut self.pools.watch.log
    }

    /// Returns the last row of `entity` for which `wanted` returns `true`, with its operation's place. Operations may be
    /// over since a listener returned, so they are ended before.
    pub(crate) fn find_row(
        &mut self,
        entity: Entity,
        wanted: &dyn Fn(Operation, &ChangeRow) -> bool,
    ) -> Option<(usize, usize)> {
        self.end_moved();
        self.log().find(entity, wanted)
    }

    /// Begins an operation with the rows that were added.
    pub(crate) fn operate(&mut self, operation: Operation) -> Operating<'_> {
        self.end_moved();
        let (id, depth, limit) = (self.calls.world(), self.calls.depth(), self.observers.next());
        let at = self.log().open(operation, limit, depth);
        if at == 0 {
            self.pools.watch.set_notifying(true);
        }
        Operating { world: self, id, at }
    }

    /// Returns the hook of a component that is called for this change.
    pub(super) fn hook(&self, number: u32, change: Change) -> Option<Hook> {
        change.hook(self.pools.watch.hooks(number))
    }

    /// Notifies the listeners of the rows that a single edit added, if there are any.
    #[inline]
    pub(crate) fn notify_added(&mut self) {
        if !self.pools.watch.log.added().is_empty() {
            self.notify_edit();
        }
    }

    /// Notifies the listeners of the rows that insertions added, like [`notify_insertions`](Self::notify_insertions), if
    /// there are any.
    #[inline]
    pub(crate) fn notify_all_added(&mut self, is_batch: bool, may_repeat: bool) {
        if !self.pools.watch.log.added().is_empty() {
            self.notify_insertions(is_batch, may_repeat);
        }
    }

    /// Notifies the listeners of a single edit's rows.
    ///
    /// In the usual case that is one row with one listener. Nothing is left to be done when it is called, so there is
    /// no operation.
    #[inline(never)]
    pub(crate) fn notify_edit(&mut self) {
        let watch = &self.pools.watch;
        let added = watch.log.added();
        if let [ChangeRow { entity, number, change, .. }] = *added
            && !watch.is_notifying()
        {
            match watch.notified(number, change) {
                Notified::Hook(hook) => return self.call_hook(hook, entity),
                Notified::Closure => return self.call_closure(entity, number, change),
                Notified::Collectors => return self.collect_added(),
                Notified::Others => {}
            }
        }
        let may_repeat = !are_distinct(added);
        self.notify_insertions(false, may_repeat);
    }

    #[inline(never)]
    fn call_closure(&mut self, entity: Entity, number: u32, change: Change) {
        let topic = Topic { number, change, at_once: false };
        let Some(list) = self.observers.lend(topic) else { return };
        if let [Observer { call: Call::EachShared(call), .. }] = &list[..] {
            self.enter_edit(|world| call(world, entity));
        }
        self.observers.take_back(topic, list);
    }

    /// Notifies the listeners of insertions whose rows were added. A component of an entity may come several times if it
    /// `may_repeat`.
    #[cold]
    #[inline(never)]
    pub(crate) fn notify_insertions(&mut self, is_batch: bool, may_repeat: bool) {
        let is_nested = self.is_nested();
        let watch = &self.pools.watch;
        let is_called = |row: &ChangeRow| {
            !matches!(watch.notified(row.number, row.change), Notified::Collectors)
        };
        let has_order = is_nested || may_repeat;
        if !has_order && !watch.log.added().iter().any(is_called) {
            return self.collect_added();
        }
        let operating = self.operate(Operation::Insertion);
        let (world, at) = (&mut *operating.world, operating.at);
        if may_repeat {
            world.log().drop_repeated();
        }
        if is_nested {
            world.log().merge(at);
        }
        if is_batch {
            world.notify_batch(at, Operation::Insertion);
        } else {
            world.notify_rows(at, true);
        }
    }

    /// Notifies collectors of the rows that were added, as nothing else listens to them.
    fn collect_added(&mut self) {
        let Self { observers, pools, .. } = self;
        let log = &mut pools.watch.log;
        log.added().iter().for_each(|row| observers.collect(row, u64::MAX));
        log.begin();
    }

    /// Notifies the listeners of a batch's rows. Listeners that take all entities at once are notified of insertions
    /// after the others, and of removals before them.
    pub(crate) fn notify_batch(&mut self, at: usize, operation: Operation) {
        let (topics, is_removal) = (self.topics(at), operation == Operation::Removal);
        if is_removal {
            self.notify_topics(at, &topics);
        }
        if topics.is_empty() || topics.iter().any(|topic| self.calls_each(*topic)) {
            self.notify_rows(at, is_removal);
        }
        if !is_removal {
            self.notify_topics(at, &topics);
        }
    }

    /// Notifies listeners of an operation's rows entity by entity. Listeners that take all entities at once are
    /// notified if each entity is `alone`.
    pub(crate) fn notify_rows(&mut self, operation: usize, alone: bool) {
        let rows = self.log().range(operation);
        self.enter_edit(|world| world.notify_range(operation, rows, alone));
    }

    /// Notifies listeners of some of an operation's rows, like [`notify_rows`](Self::notify_rows), inside of a call.
    pub(crate) fn notify_range(&mut self, operation: usize, rows: Range<usize>, alone: bool) {
        let (mut at, limit) = (rows.start, self.log().limit(operation));
        while at < rows.end {
            let ChangeRow { number, change, .. } = self.log()[at];
            let rows = at..rows.end;
            at = match self.pools.watch.notified(number, change) {
                Notified::Hook(call) if self.observers.next() == limit => {
                    self.notify_only(operation, rows, call, alone)
                }
                _ => self.notify_run(operation, rows, alone),
            };
        }
    }

    /// Calls the only listener of the first of these rows, and of the rows behind it that have the same one. Returns
    /// the next row.
    fn notify_only(
        &mut self,
        operation: usize,
        rows: Range<usize>,
        call: Hook,
        alone: bool,
    ) -> usize {
        let ChangeRow { number, change, .. } = self.log()[rows.start];
        let (id, version) = (self.calls.known_world(), self.observers.version());
        for at in rows.clone() {
            let row = &mut self.pools.watch.log[at];
            if row.number != number || row.change != change {
                return at;
            }
            if row.stage == NotificationStage::Pending {
                row.stage = NotificationStage::after(change);
                let entity = row.entity;
                call(self, entity);
                self.refuse_exchange(id);
            } else {
                self.notify_row(operation, at, alone);
            }
            if self.observers.version() != version {
                return at + 1;
            }
        }
        rows.end
    }

    /// Notifies the listeners of the first of these rows, and of the rows behind it that have the same ones. Returns
    /// the next row.
    #[inline(never)]
    fn notify_run(&mut self, operation: usize, rows: Range<usize>, alone: bool) -> usize {
        let ChangeRow { number, change, .. } = self.log()[rows.start];
        let (limit, version) = (self.log().limit(operation), self.observers.version());
        let is_called = !matches!(self.pools.watch.notified(number, change), Notified::Collectors);
        let topic = Topic { number, change, at_once: false };
        let is_collected = !self.observers.until(topic, limit).is_empty();
        for at in rows.clone() {
            let row = &mut self.pools.watch.log[at];
            if row.number != number || row.change != change {
                return at;
            }
            if row.stage != NotificationStage::Pending {
                self.notify_row(operation, at, alone);
            } else if is_called {
                self.notify_lists(operation, at, topic, alone);
            } else if is_collected {
                row.stage = if alone {
                    NotificationStage::after(change)
                } else {
                    NotificationStage::AtOnce
                };
                self.observers.collect(row, limit);
            }
            if self.observers.version() != version {
                return at + 1;
            }
        }
        rows.end
    }

    /// Notifies all listeners of a row that no listener was notified of; a removal is always `alone` then.
    #[inline]
    fn notify_lists(&mut self, operation: usize, at: usize, each: Topic, alone: bool) {
        let limit = self.log().limit(operation);
        let at_once = Topic { at_once: true, ..each };
        let goes_on = if each.change == Change::Remove {
            self.notify_list::<true>(at, at_once, limit)
                && self.notify_list::<true>(at, each, limit)
                && self.notify_hook(at, each, NotificationStage::Notified)
        } else {
            self.notify_hook(at, each, NotificationStage::Each)
                && self.notify_list::<false>(at, each, limit)
                && (!alone || self.notify_list::<false>(at, at_once, limit))
        };
        if !goes_on {
            self.notify_row(operation, at, alone); // from where it is
        }
    }

    /// Calls the hook of a row. Returns `false` if the listeners or the row were changed meanwhile.
    #[inline]
    fn notify_hook(&mut self, at: usize, of: Topic, stage: NotificationStage) -> bool {
        let Some(hook) = self.hook(of.number, of.change) else { return true };
        let (id, version) = (self.calls.known_world(), self.observers.version());
        let row = &mut self.log()[at];
        (row.stage, row.last) = (stage, 0);
        let entity = row.entity;
        hook(self, entity);
        self.refuse_exchange(id);
        self.observers.version() == version
    }

    /// Notifies the observers of a row in a list that have lower numbers than `limit`; the last one first, if they are
    /// of a `REMOVAL`. Returns `false` if the listeners or the row were changed meanwhile.
    fn notify_list<const REMOVAL: bool>(&mut self, at: usize, topic: Topic, limit: u64) -> bool {
        let (id, version) = (self.calls.known_world(), self.observers.version());
        let stage = NotificationStage::of_observers(topic.at_once);
        let Some(list) = self.observers.lend(topic) else { return true };
        let (len, mut goes_on) = (self.observers.until(topic, limit).len(), true);
        for place in 0..len {
            let place = if REMOVAL { len - 1 - place } else { place };
            let Observer { id: number, call } = &list[place];
            let row = &mut self.pools.watch.log[at];
            (row.stage, row.last) = (stage, *number);
            let entity = row.entity;
            if let Call::Each(call) = *call {
                call(self, entity);
            } else {
                self.call(call, topic.change, &[entity]);
            }
            if self.observers.version() != version {
                self.refuse_exchange(id);
                goes_on = false;
                break;
            }
        }
        self.observers.take_back(topic, list);
        goes_on
    }

    /// Notifies the remaining listeners of a row of an outer operation, which continues after that row.
    ///
    /// This is a call of its own, so operations that an observer begins are deeper than the one under way. If it moves
    /// the world away, only these are over.
    pub(crate) fn finish_row(&mut self, operation: usize, at: usize) {
        self.observers.renew();
        self.enter_edit(|world| world.notify_row(operation, at, true));
    }

    /// Notifies the remaining listeners of a row.
    #[inline(never)]
    fn notify_row(&mut self, operation: usize, at: usize, alone: bool) {
        let id = self.calls.known_world();
        while let Some(call) = self.next_call(operation, at, alone) {
            let ChangeRow { entity, change, .. } = self.log()[at];
            self.call(&call, change, &[entity]);
            self.refuse_exchange(id);
        }
    }

    /// Notifies a listener of a change of these entities: one, unless it takes all at once.
    #[inline(never)]
    fn call(&mut self, call: &Call, change: Change, entities: &[Entity]) {
        match (call, entities) {
            (Call::Batch(observer), _) => observer(self, entities),
            (Call::Each(observer), [entity, ..]) => observer(self, *entity),
            (Call::EachShared(observer), [entity, ..]) => observer(self, *entity),
            (Call::BatchShared(observer), _) => observer(self, entities),
            (Call::Collect(place), [entity, ..]) => {
                self.observers.collectors.mention(*place, *entity, change);
            }
            (_, []) => {}
        }
    }

    /// Returns the next listener of a row, to be notified. Listeners that take all entities at once are passed over
    /// unless the entity is notified `alone`.
    fn next_call(&mut self, operation: usize, at: usize, alone: bool) -> Option<Call> {
        let limit = self.log().limit(operation);
        let ChangeRow { number, change, .. } = self.log()[at];
        let (hook, is_removal) = (self.hook(number, change), change == Change::Remove);
        let row = &mut self.pools.watch.log[at];
        let first = if is_removal { limit } else { 0 };
        loop {
            match row.stage {
                NotificationStage::Pending => {
                    (row.stage, row.last) = (
                        if is_removal {
                            NotificationStage::AtOnce
                        } else {
                            NotificationStage::Hook
                        },
                        first,
                    );
                }
                NotificationStage::Hook => {
                    row.stage = if is_removal {
                        NotificationStage::Notified
                    } else {
                        NotificationStage::Each
                    };
                    if let Some(hook) = hook {
                        return Some(Call::Each(hook));
                    }
                }
                stage @ (NotificationStage::Each | NotificationStage::AtOnce) => {
                    let topic =
                        Topic { number, change, at_once: stage == NotificationStage::AtOnce };
                    if topic.at_once && !alone && self.observers.has(topic) {
                        return None;
                    }
                    let found = self.observers.next_of(topic, row.last, limit);
                    if let Some((last, call)) = found {
                        row.last = last;
                        return Some(call);
                    }
                    row.last = first;
                    row.stage = match (topic.at_once, is_removal) {
                        (false, false) => NotificationStage::AtOnce,
                        (true, false) => NotificationStage::Done,
                        (true, true) => NotificationStage::Each,
                        (false, true) => NotificationStage::Hook,
                    };
                }
                NotificationStage::Notified | NotificationStage::Done => return None,
            }
        }
    }

    /// Returns the topics of an operation's rows that listeners of all entities at once may have; empty if there are no
    /// such listeners.
    pub(crate) fn topics(&self, operation: usize) -> Vec<Topic> {
        let (mut topics, mut has_any) = (Vec::new(), false);
        if !self.observers.has_any_at_once() {
            return topics;
        }
        let mut last = None;
        for ChangeRow { number, change, .. } in self.pools.watch.log.of(operation) {
            if last != Some((number, change)) {
                last = Some((number, change));
                let topic = Topic { number: *number, change: *change, at_once: true };
                if !topics.contains(&topic) {
                    topics.push(topic);
                    has_any |= self.observers.has(topic);
                }
            }
        }
        if has_any { topics } else { Vec::new() }
    }

    /// Returns `true` if a hook or an observer is called entity by entity, or a collector lists entities.
    fn calls_each(&self, topic: Topic) -> bool {
        self.hook(topic.number, topic.change).is_some()
            || self.observers.has(Topic { at_once: false, ..topic })
    }

    /// Notifies the listeners of these topics that take all entities at once.
    pub(crate) fn notify_topics(&mut self, operation: usize, topics: &[Topic]) {
        for topic in topics {
            self.notify_topic_at_once(operation, *topic);
        }
    }

    fn notify_topic_at_once(&mut self, operation: usize, topic: Topic) {
        let limit = self.log().limit(operation);
        let is_removal = topic.change == Change::Remove;
        let mut last = if is_removal { limit } else { 0 };
        while let Some((id, call)) = self.observers.next_of(topic, last, limit) {
            last = id;
            let rows = self.log().of_mut(operation);
            let mut entities = Vec::with_capacity(rows.len());
            for row in rows {
                let is_left = match row.stage {
                    NotificationStage::Done => false,
                    NotificationStage::Pending => true,
                    NotificationStage::AtOnce if is_removal => id < row.last,
                    NotificationStage::AtOnce => row.last < id,
                    _ => !is_removal,
                };
                if is_left && (row.number, row.change) == (topic.number, topic.change) {
                    (row.stage, row.last) = (NotificationStage::AtOnce, id);
                    entities.push(row.entity);
                }
            }
            if !entities.is_empty() {
                self.enter_edit(|world| world.call(&call, topic.change, &entities));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps;
    use crate::{Commands, Component};
    use std::vec;

    #[derive(Component)]
    struct A;
    #[derive(Component)]
    struct B;

    /// The number of entities of a batch.
    const MANY: usize = 2_000;

    /// Asserts that this many entities are edited with a few steps each, by a world in which `observe`
    /// observes.
    fn takes_few_steps(observe: fn(&mut World, Entity), edit: fn(&mut World, &[Entity])) {
        let mut world = World::new();
        let all = world.spawn_batch((0..MANY).map(|_| ()));
        observe(&mut world, all[0]);
        steps::taken();
        edit(&mut world, &all);
        let taken = steps::taken();
        assert!(taken < 20 * MANY, "{taken} steps");
        world.check_invariants();
    }

    #[test]
    fn an_entity_that_comes_often_takes_no_more_steps() {
        let observe: fn(&mut World, Entity) = |world, _| {
            world.on_insert::<A>(|_, _| {});
            world.on_update::<A>(|_, _| {});
            world.on_remove::<A>(|_, _| {});
        };
        takes_few_steps(observe, |world, all| {
            world.insert_batch(vec![all[0]; MANY].into_iter().map(|it| (it, A))).unwrap();
        });
        takes_few_steps(observe, |world, all| {
            world.insert(all[0], A).unwrap();
            assert_eq!(world.remove_batch::<A>(&vec![all[0]; MANY]), 1);
        });
        takes_few_steps(observe, |world, all| {
            let mut commands = Commands::new();
            (0..MANY).for_each(|_| commands.insert(all[0], A));
            (0..MANY).for_each(|_| commands.remove::<A>(all[0]));
            assert_eq!(commands.apply(world).missing, 0);
        });
    }

    #[test]
    fn nested_edits_of_an_entity_that_came_often_take_no_more_steps() {
        let observe: fn(&mut World, Entity) = |world, one| {
            world.on_insert::<B>(|_, _| {});
            world.on_insert::<A>(move |world, entity| {
                if entity != one {
                    world.insert(one, B).unwrap();
                }
            });
        };
        takes_few_steps(observe, |world, all| {
            let often = vec![all[0]; MANY];
            world.insert_batch(often.iter().chain(all).map(|it| (*it, A))).unwrap();
        });
    }
}
