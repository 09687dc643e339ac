//! Notifying hooks and observers of components that are inserted, updated and removed.
//!
//! They are called inside the operation, with the whole world, and may begin operations of their own. Two rules keep
//! what each of them sees in order:
//!
//! * *Finish first.* A nested edit of a component whose change has begun to be notified first notifies the remaining
//!   listeners.
//! * *Forget.* A change that no listener was notified of, the rest of a bundle or a batch, merges with a later one: an
//!   insertion and a removal vanish, others become one.
//!
//! A row ([`Row`]) stores how far the notification of one change is, so whoever notifies its listeners goes on where
//! another one was.

use crate::component::Hook;
use crate::entity::Entity;
use crate::pool::change_log::{Change, ChangeLog, Operation, Row, Stage};
use crate::pool::watch::Told;
use crate::world::World;
use crate::world::observe::{Call, Closure, Observer, Topic};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

/// An operation, until its listeners were notified or one panicked.
pub(super) struct Operating<'w> {
    pub(super) world: &'w mut World,
    id: u64,
    /// Its place among the operations.
    pub(super) at: usize,
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

/// The listeners of a change of a component.
struct Listeners {
    hook: Option<Hook>,
    /// How many observers are notified entity by entity, and how many with all entities at once.
    each: usize,
    at_once: usize,
    /// Whether the former only collect.
    only_collect: bool,
    /// The only one that is called entity by entity, and what its row stores meanwhile; without the closure if that is
    /// to be lent.
    only: Option<(Stage, u64, Option<Hook>)>,
    /// The observers' version that this was found out at.
    version: u32,
}

impl Listeners {
    #[inline]
    fn of(world: &World, number: u32, change: Change, limit: u64) -> Self {
        let observers = &world.observers;
        let list = |at_once| observers.until(Topic { number, change, at_once }, limit);
        let hook = world.hook(number, change);
        let only = match (hook, list(false)) {
            (Some(_), []) if change == Change::Remove => Some((Stage::Notified, 0, hook)),
            (Some(_), []) => Some((Stage::Each, 0, hook)),
            (None, &[Observer { id, call: Call::Each(call) }]) => {
                Some((Stage::Each, id, Some(call)))
            }
            (None, &[Observer { id, call: Call::EachShared(_) }]) => Some((Stage::Each, id, None)),
            _ => None,
        };
        Self {
            hook,
            each: list(false).len(),
            at_once: list(true).len(),
            only_collect: list(false).iter().all(Observer::collects),
            only,
            version: observers.version(),
        }
    }

    /// Whether none is called, entity by entity or `alone`.
    const fn are_silent(&self, alone: bool) -> bool {
        self.hook.is_none() && self.only_collect && (!alone || self.at_once == 0)
    }
}

impl World {
    /// Calls the only listener of an edit, which is complete.
    #[inline]
    pub(super) fn call_hook(&mut self, hook: Hook, entity: Entity) {
        self.enter_edit(|world| hook(world, entity));
    }

    /// Returns `true` if listeners are being notified of another edit.
    #[inline]
    pub(super) fn is_nested(&mut self) -> bool {
        self.pools.watch.is_notifying() && {
            self.end_moved();
            self.pools.watch.is_notifying()
        }
    }

    /// Returns `true` inside a hook or an observer of components.
    pub(super) fn is_in_edit(&mut self) -> bool {
        self.end_moved();
        self.calls.is_in_edit() || self.pools.watch.is_notifying()
    }

    pub(super) fn log(&mut self) -> &mut ChangeLog {
        &mut self.pools.watch.log
    }

    /// Begins an operation with the rows that were added.
    pub(super) fn operate(&mut self, operation: Operation) -> Operating<'_> {
        self.end_moved();
        let (id, depth, limit) = (self.calls.world(), self.calls.depth(), self.observers.next());
        let at = self.log().open(operation, limit, depth);
        if at == 0 {
            self.pools.watch.set_notifying(true);
        }
        Operating { world: self, id, at }
    }

    /// The hook of a component that is called for this change.
    pub(super) fn hook(&self, number: u32, change: Change) -> Option<Hook> {
        change.hook(self.pools.watch.hooks(number))
    }

    /// Notifies the listeners of a single edit's rows.
    ///
    /// In the usual case that is one row with one listener. Nothing is left to be done when it is called, so there is
    /// no operation.
    #[inline(never)]
    pub(super) fn notify_edit(&mut self) {
        let watch = &self.pools.watch;
        let [row] = *watch.log.added() else { return self.notify_insertions(false, true) };
        if watch.is_notifying() {
            return self.notify_insertions(false, false);
        }
        match watch.told(&row) {
            Told::Hook(hook) => self.call_hook(hook, row.entity),
            Told::Closure => self.call_closure(row),
            Told::Collectors => self.observers.collect(&row, u64::MAX),
            Told::Others => self.notify_insertions(false, false),
        }
    }

    #[inline(never)]
    fn call_closure(&mut self, row: Row) {
        let topic = Topic { number: row.number, change: row.change, at_once: false };
        let Some((id, call)) = self.observers.lend(topic, 0) else { return };
        self.enter_edit(|world| call(world, row.entity));
        self.observers.take_back(topic, 0, id, call);
    }

    /// Notifies the listeners of insertions, of which rows were added. In a batch, an entity may come several times if
    /// it `may_repeat`.
    #[cold]
    #[inline(never)]
    pub(super) fn notify_insertions(&mut self, is_batch: bool, may_repeat: bool) {
        let is_nested = self.is_nested();
        if !(is_nested || is_batch && may_repeat) && self.collect_added() {
            return;
        }
        let operating = self.operate(Operation::Insertion);
        let (world, at) = (&mut *operating.world, operating.at);
        if may_repeat {
            world.log().drop_repeated(at);
        }
        if is_nested {
            world.log().merge(at);
        }
        world.notify_rows(at, !is_batch);
        if is_batch {
            world.notify_at_once(at);
        }
    }

    /// Notifies collectors of the rows that were added, if nothing else listens to them. Returns whether that is so.
    fn collect_added(&mut self) -> bool {
        let Self { observers, pools, .. } = self;
        let watch = &mut pools.watch;
        if !watch.log.added().iter().all(|row| matches!(watch.told(row), Told::Collectors)) {
            return false;
        }
        watch.log.added().iter().for_each(|row| observers.collect(row, u64::MAX));
        watch.log.begin();
        true
    }

    /// Notifies listeners of an operation's rows entity by entity. Those that take all entities at once are notified if
    /// each entity is `alone`.
    pub(super) fn notify_rows(&mut self, operation: usize, alone: bool) {
        let rows = self.log().range(operation);
        self.enter_edit(|world| world.notify_range(operation, rows, alone));
    }

    /// As [`notify_rows`](Self::notify_rows), of some of an operation's rows, inside of a call.
    pub(super) fn notify_range(&mut self, operation: usize, rows: Range<usize>, alone: bool) {
        let mut at = rows.start;
        while at < rows.end {
            at = self.notify_run(operation, at, rows.end, alone);
        }
    }

    /// Notifies the listeners of a row, and of the rows up to `end` that have the same ones. Returns the next row.
    fn notify_run(&mut self, operation: usize, start: usize, end: usize, alone: bool) -> usize {
        let first = self.log()[start];
        let limit = self.log().limit(operation);
        let listeners = Listeners::of(self, first.number, first.change, limit);
        let only = listeners.only.filter(|_| !alone || listeners.at_once == 0);
        let topic = Topic { number: first.number, change: first.change, at_once: false };
        let lent = match only {
            Some((_, _, None)) => self.observers.lend(topic, 0),
            _ => None,
        };
        let only = only.and_then(|(stage, last, hook)| match (hook, &lent) {
            (Some(hook), _) => Some((stage, last, hook as &Closure)),
            (None, Some((_, lent))) => Some((stage, last, &**lent)),
            (None, None) => None,
        });
        let next = self.notify_like(operation, start..end, alone, &listeners, only);
        if let Some((id, lent)) = lent {
            self.observers.take_back(topic, 0, id, lent);
        }
        next
    }

    /// Notifies the listeners of rows, as far as they are like the first one; `only` is notified if there is no other.
    /// Returns the next row.
    fn notify_like(
        &mut self,
        operation: usize,
        rows: Range<usize>,
        alone: bool,
        listeners: &Listeners,
        only: Option<(Stage, u64, &Closure)>,
    ) -> usize {
        let (first, limit) = (self.log()[rows.start], self.log().limit(operation));
        let (id, version) = (self.calls.known_world(), listeners.version);
        let is_silent = listeners.are_silent(alone);
        for at in rows.clone() {
            let row = &mut self.pools.watch.log[at];
            if !row.is_like(&first) {
                return at;
            }
            if row.stage != Stage::Pending {
                self.notify_row(operation, at, alone);
            } else if let Some((stage, last, call)) = only {
                (row.stage, row.last) = (stage, last);
                let entity = row.entity;
                call(self, entity);
                self.refuse_exchange(id);
            } else if !is_silent {
                self.notify_lists(operation, at, listeners, alone);
            } else if listeners.each > 0 {
                row.stage =
                    if alone || first.is_removal() { Stage::Notified } else { Stage::AtOnce };
                self.observers.collect(row, limit);
            }
            if self.observers.version() != version {
                return at + 1;
            }
        }
        rows.end
    }

    /// Notifies all listeners of a row that no listener was notified of.
    fn notify_lists(&mut self, operation: usize, at: usize, of: &Listeners, alone: bool) {
        let Row { change, number, .. } = self.log()[at];
        let topic = |at_once| Topic { number, change, at_once };
        let at_once = if alone { of.at_once } else { 0 };
        let goes_on = if change == Change::Remove {
            self.notify_list(at, topic(true), at_once, of)
                && self.notify_list(at, topic(false), of.each, of)
                && self.notify_hook(at, Stage::Notified, of)
        } else {
            self.notify_hook(at, Stage::Each, of)
                && self.notify_list(at, topic(false), of.each, of)
                && self.notify_list(at, topic(true), at_once, of)
        };
        if !goes_on {
            self.notify_row(operation, at, alone); // from where it is
        }
    }

    /// Calls the hook of a row. Returns `false` if the listeners or the row were changed meanwhile.
    #[inline]
    fn notify_hook(&mut self, at: usize, stage: Stage, of: &Listeners) -> bool {
        let Some(hook) = of.hook else { return true };
        let row = &mut self.log()[at];
        (row.stage, row.last) = (stage, 0);
        let (entity, id) = (row.entity, self.calls.known_world());
        hook(self, entity);
        self.refuse_exchange(id);
        self.observers.version() == of.version && self.log()[at].stage == stage
    }

    /// Notifies the first `len` observers of a row in a list. Returns `false` if the listeners or the row were changed
    /// meanwhile.
    fn notify_list(&mut self, at: usize, topic: Topic, len: usize, of: &Listeners) -> bool {
        let stage = if topic.at_once { Stage::AtOnce } else { Stage::Each };
        let id = self.calls.known_world();
        for place in 0..len {
            let place = if topic.change == Change::Remove { len - 1 - place } else { place };
            let Some(observer) = self.observers.list(topic).get(place) else { return false };
            let row = &mut self.pools.watch.log[at];
            (row.stage, row.last) = (stage, observer.id);
            let entity = row.entity;
            match observer.call {
                Call::Each(call) => call(self, entity),
                Call::EachShared(_) => self.call_shared(topic, place, entity),
                Call::Batch(call) => call(self, &[entity]),
                Call::BatchShared(ref call) => {
                    let call = Arc::clone(call); // its observer may end
                    call(self, &[entity]);
                }
                Call::Collect(place) => {
                    self.observers.collectors.mention(place, entity, topic.change);
                }
            }
            self.refuse_exchange(id);
            if self.observers.version() != of.version || self.log()[at].stage != stage {
                return false;
            }
        }
        true
    }

    /// Calls the closure at this place of a topic's list.
    #[inline(never)]
    fn call_shared(&mut self, topic: Topic, place: usize, entity: Entity) {
        let id = self.calls.known_world();
        let Some((observer, call)) = self.observers.lend(topic, place) else { return };
        call(self, entity);
        self.refuse_exchange(id);
        self.observers.take_back(topic, place, observer, call);
    }

    /// Notifies the remaining listeners of a row.
    pub(super) fn notify_row(&mut self, operation: usize, at: usize, alone: bool) {
        let id = self.calls.known_world();
        while let Some(call) = self.next_call(operation, at, alone) {
            let entity = self.log()[at].entity;
            self.call(&call, &[entity]);
            self.refuse_exchange(id);
        }
    }

    #[inline]
    fn call(&mut self, call: &Call, entities: &[Entity]) {
        match (call, entities) {
            (Call::Each(observer), &[entity, ..]) => observer(self, entity),
            (Call::EachShared(observer), &[entity, ..]) => (observer.call)(self, entity),
            (Call::Batch(observer), _) => observer(self, entities),
            (Call::BatchShared(observer), _) => observer(self, entities),
            (Call::Collect(_), _) | (_, []) => {}
        }
    }

    /// The next listener of a row, to be called; collectors are notified on the way. Those that take all entities at
    /// once are passed over unless the entity is notified `alone`.
    fn next_call(&mut self, operation: usize, at: usize, alone: bool) -> Option<Call> {
        let limit = self.log().limit(operation);
        let Row { entity, number, change, .. } = self.log()[at];
        let (hook, is_removal) = (self.hook(number, change), change == Change::Remove);
        let row = &mut self.pools.watch.log[at];
        let first = if is_removal { limit } else { 0 };
        loop {
            match row.stage {
                Stage::Pending => {
                    (row.stage, row.last) =
                        (if is_removal { Stage::AtOnce } else { Stage::Hook }, first);
                }
                Stage::Hook => {
                    row.stage = if is_removal { Stage::Notified } else { Stage::Each };
                    if let Some(hook) = hook {
                        return Some(Call::Each(hook));
                    }
                }
                stage @ (Stage::Each | Stage::AtOnce) => {
                    let topic = Topic { number, change, at_once: stage == Stage::AtOnce };
                    if topic.at_once && !alone && self.observers.has(topic) {
                        return None;
                    }
                    let found = self.observers.next_of(topic, row.last, limit);
                    if let Some((last, call)) = found {
                        row.last = last;
                        if let Call::Collect(place) = call {
                            self.observers.collectors.mention(place, entity, change);
                            continue;
                        }
                        return Some(call);
                    }
                    row.last = first;
                    row.stage = match (topic.at_once, is_removal) {
                        (false, false) => Stage::AtOnce,
                        (true, false) => Stage::Done,
                        (true, true) => Stage::Each,
                        (false, true) => Stage::Hook,
                    };
                }
                Stage::Notified | Stage::Done => return None,
            }
        }
    }

    /// Notifies those that take all entities at once, of an operation's rows: one component and change after the
    /// other.
    pub(super) fn notify_at_once(&mut self, operation: usize) {
        if !self.observers.has_any_at_once() {
            return;
        }
        let mut topics: Vec<Topic> = Vec::new();
        let mut last = None;
        for row in self.pools.watch.log.of(operation) {
            if last.is_none_or(|last: &Row| !last.is_like(row)) {
                let topic = Topic { number: row.number, change: row.change, at_once: true };
                if !topics.contains(&topic) && self.observers.has(topic) {
                    topics.push(topic);
                }
                last = Some(row);
            }
        }
        for topic in topics {
            self.notify_topic_at_once(operation, topic);
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
                    Stage::Done => false,
                    Stage::Pending => true,
                    Stage::AtOnce if is_removal => id < row.last,
                    Stage::AtOnce => row.last < id,
                    _ => !is_removal,
                };
                if is_left && (row.number, row.change) == (topic.number, topic.change) {
                    (row.stage, row.last) = (Stage::AtOnce, id);
                    entities.push(row.entity);
                }
            }
            if !entities.is_empty() {
                self.enter_edit(|world| world.call(&call, &entities));
            }
        }
    }
}
