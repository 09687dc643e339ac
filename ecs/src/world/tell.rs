//! Telling hooks and observers of components that come, change and go.
//!
//! They are called inside the operation, with the whole world, and may begin operations of their own. Two
//! rules make that orderly:
//!
//! * *Finish first.* An operation on a component that somebody is being told of, or on an entity whose end is
//!   being told, first tells those who are left, and completes what they are told of.
//! * *Forget.* Of what nobody heard yet, the rest of a bundle or a batch, nobody hears any more when a later
//!   operation changes it again: an insertion and its removal vanish, others merge.
//!
//! ```text
//! frames    insert (A, B) into 3      despawn 5           an operation each, the inner ones last
//! entries   [ 3 A: told | 3 B: - ]    [ 5 C: telling ]    what each tells, entity by entity
//! ```
//!
//! An entry knows how far its telling is. So whoever finishes it goes on where it was, and the operation that
//! made it finds it done.

use crate::component::Hook;
use crate::component::set::ComponentSet;
use crate::entity::Entity;
use crate::pool::pools::Pools;
use crate::pool::watch::Note;
use crate::storage::sparse_set::SparseSet;
use crate::world::World;
use crate::world::folded::are_distinct;
use crate::world::frames::{Entry, Frame, Operation, Stage, Turn, WHOLE};
use crate::world::observe::{Call, Kind, Topic};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;
use core::sync::atomic::{AtomicU32, Ordering};

/// Entities that are to end because others do, to which they point.
pub(super) type Followers = SparseSet<(), Entity>;

/// A frame that ends with this, be it by a panic.
pub(super) struct Open<'w> {
    pub(super) world: &'w mut World,
    pub(super) turn: Turn,
}

impl<'w> Open<'w> {
    pub(super) fn new(world: &'w mut World, operation: Operation) -> Self {
        let turn = world.open(operation);
        Self { world, turn }
    }

    /// As [`new`](Self::new), for notes that need no frame yet.
    pub(super) fn folded(
        world: &'w mut World,
        notes: Vec<Note>,
        operation: Operation,
        is_batch: bool,
    ) -> Self {
        let turn = world.fold(notes, operation, is_batch);
        Self { world, turn }
    }

    /// For many that go, of which these are the notes: without a frame, if nobody is told of anything and no note
    /// comes twice. Else those of a removal are in the frame.
    pub(super) fn going(world: &'w mut World, notes: Vec<Note>, operation: Operation) -> Self {
        if world.telling.is_idle() && !notes.is_empty() && are_distinct(&notes) {
            return Self::folded(world, notes, operation, true);
        }
        let open = Self::new(world, operation);
        if operation == Operation::Removal {
            for &Note { entity, number, .. } in &notes {
                if open.world.telling.find_in(open.turn.at, entity, |_| true).is_none() {
                    open.world.telling.push(entity, number, Kind::Remove, Stage::Unheard);
                }
            }
        }
        open.world.pools.watch.put_back(notes);
        open
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.world.close(self.turn);
    }
}

/// A call within others, and how many these are; what it restores when it ends.
struct Deeper<'w> {
    world: &'w mut World,
    id: u64,
    calls: u32,
    is_alone: bool,
    base: usize,
    shared: Option<Arc<AtomicU32>>,
}

impl Drop for Deeper<'_> {
    fn drop(&mut self) {
        let (telling, shared) = (&mut self.world.telling, self.shared.take());
        if telling.world == self.id {
            telling.calls = self.calls;
            telling.is_alone = self.is_alone;
            telling.base = self.base;
            telling.take_back(shared);
        } else if let Some(over) = shared {
            over.fetch_min(self.calls, Ordering::Relaxed);
        }
    }
}

impl World {
    /// Calls an observer. What it returns, unless another world is in the place of this one now.
    ///
    /// # Panics
    /// When calls are nested so deeply that they seem not to end.
    pub(super) fn deeper<R>(&mut self, call: impl FnOnce(&mut Self) -> R) -> Option<R> {
        self.end_moved();
        let telling = &mut self.telling;
        let (id, calls, is_alone) = (telling.world(), telling.calls, telling.is_alone);
        let next = telling.base_of_next();
        let base = core::mem::replace(&mut telling.base, next);
        let shared = Some(telling.share());
        telling.calls = calls + 1;
        let deeper = Deeper { world: self, id, calls, is_alone, base, shared };
        let result = call(deeper.world);
        (deeper.world.telling.world == id).then_some(result)
    }

    /// Calls a hook, as [`alone`](Self::alone).
    pub(super) fn call_alone(&mut self, hook: Hook, entity: Entity) {
        self.alone(|world| hook(world, entity));
    }

    /// Calls the only one who is told of an edit, which is complete.
    #[inline]
    pub(super) fn alone(&mut self, call: impl FnOnce(&mut Self)) {
        self.deeper(|world| {
            world.telling.is_alone = true;
            call(world);
        });
    }

    /// Whether a hook or an observer is told of an edit.
    pub(super) fn is_told(&self) -> bool {
        self.telling.is_alone || self.pools.watch.is_telling()
    }

    /// Ends what nobody goes on to tell, because an observer moved this world away: what was to go stays.
    #[inline]
    pub(super) fn end_moved(&mut self) {
        if self.telling.was_moved() {
            self.forget_over();
        }
    }

    #[cold]
    #[inline(never)]
    fn forget_over(&mut self) {
        self.telling.forget_over();
        self.pools.watch.set_telling(!self.telling.is_idle());
    }

    fn call(&mut self, call: &Call, entities: &[Entity]) {
        self.deeper(|world| world.call_now(call, entities));
    }

    #[inline]
    pub(super) fn call_now(&mut self, call: &Call, entities: &[Entity]) {
        match (call, entities) {
            (Call::Batch(observer), _) => observer(self, entities),
            (Call::Each(observer), [entity, ..]) => observer(self, *entity),
            (Call::With(observer), [entity, ..]) => (observer.call)(self, *entity),
            (_, []) => {}
        }
    }

    fn open(&mut self, operation: Operation) -> Turn {
        self.end_moved();
        self.unfold();
        let limit = self.observers.next();
        let turn = self.telling.next_turn();
        let depth = self.telling.calls;
        self.telling.push_frame(Frame::new(turn.id, operation, limit, depth));
        if turn.at == 0 {
            self.pools.watch.set_telling(true);
        }
        turn
    }

    fn close(&mut self, turn: Turn) {
        if self.telling.world == turn.world && self.telling.folded.is(turn) {
            return self.close_folded();
        }
        if !self.telling.has(turn) {
            return;
        }
        let Self { telling, observers, .. } = self;
        let Frame { start, limit, operation, .. } = telling.frames[turn.at];
        if operation == Operation::Insertion {
            // There are such after a panic; nobody else hears that they came.
            let unheard = telling.entries[start..].iter().filter(|it| it.stage == Stage::Unheard);
            for entry in unheard {
                observers.collectors.tell(entry.number, entry.kind, entry.entity, limit);
            }
        }
        self.telling.frames.truncate(turn.at);
        self.telling.entries.truncate(start);
        if turn.at == 0 {
            self.pools.watch.set_telling(false);
        }
    }

    /// Whether a hook, an observer or a collector is told of this.
    pub(super) fn has_listener(&self, number: u32, kind: Kind) -> bool {
        let is_observed = |at_once| self.observers.has(Topic { number, kind, at_once });
        self.hook(number, kind).is_some()
            || is_observed(false)
            || is_observed(true)
            || self.observers.collectors.has(number, kind)
    }

    /// The hook of a component that is told of this.
    pub(super) fn hook(&self, number: u32, kind: Kind) -> Option<Hook> {
        kind.hook(self.pools.watch.hooks(number))
    }

    /// Who is told next of an entry. Those who are told at once only if it is told of `alone`.
    fn next_call(&mut self, turn: Turn, at: usize, alone: bool) -> Option<Call> {
        let Self { observers, pools, telling, .. } = self;
        let limit = telling.frames[turn.at].limit;
        let entry = &mut telling.entries[at];
        if entry.number == WHOLE {
            return None;
        }
        let goes = entry.goes();
        let first = if goes { limit } else { 0 };
        loop {
            let (stage, at_once) = (entry.stage, entry.stage == Stage::AtOnce);
            match stage {
                Stage::Unheard if goes && !pools.has(entry.number, entry.entity) => {
                    entry.stage = Stage::Done; // another operation was faster
                }
                Stage::Unheard => {
                    if !goes {
                        observers.collectors.tell(entry.number, entry.kind, entry.entity, limit);
                    }
                    entry.stage = if goes { Stage::AtOnce } else { Stage::Hook };
                    entry.last = first;
                }
                Stage::Hook => {
                    entry.stage = if goes { Stage::Heard } else { Stage::Each };
                    if let Some(hook) = entry.kind.hook(pools.watch.hooks(entry.number)) {
                        return Some(Call::Each(hook));
                    }
                }
                Stage::Each | Stage::AtOnce => {
                    let topic = entry.topic(at_once);
                    if at_once && !alone && observers.has(topic) {
                        return None;
                    }
                    let found = observers.next_of(topic, entry.last, limit);
                    if let Some((last, call)) = found {
                        entry.last = last;
                        return Some(call);
                    }
                    entry.last = first;
                    entry.stage = match (at_once, goes) {
                        (false, false) => Stage::AtOnce,
                        (true, false) => Stage::Done,
                        (true, true) => Stage::Each,
                        (false, true) => Stage::Hook,
                    };
                }
                Stage::Heard | Stage::Done => return None,
            }
        }
    }

    /// Tells those who are left of an entry. Whether the frame is still there.
    pub(super) fn tell(&mut self, turn: Turn, at: usize, alone: bool) -> bool {
        while self.telling.has(turn) {
            let entity = self.telling.entries[at].entity;
            let Some(call) = self.next_call(turn, at, alone) else { return true };
            self.call(&call, &[entity]);
        }
        false
    }

    /// Tells those who are told at once of the entries from `start` to `end`, a component after the other.
    /// Whether the frame is still there.
    pub(super) fn tell_at_once(&mut self, turn: Turn, start: usize, end: usize) -> bool {
        let waits = |entry: &Entry, pools: &Pools| match entry.stage {
            Stage::AtOnce => true,
            Stage::Unheard => entry.goes() && pools.has(entry.number, entry.entity),
            _ => false,
        };
        let limit = self.telling.frames[turn.at].limit;
        let mut topics: Vec<Topic> = Vec::new();
        for entry in &self.telling.entries[start..end] {
            let is_it = |topic: &Topic| topic.number == entry.number && topic.kind == entry.kind;
            if waits(entry, &self.pools) && !topics.iter().any(is_it) {
                topics.push(entry.topic(true));
            }
        }
        for topic in topics {
            let goes = topic.kind == Kind::Remove;
            let mut last = if goes { limit } else { 0 };
            while let Some((id, call)) = self.observers.next_of(topic, last, limit) {
                last = id;
                let mut entities = Vec::new();
                for entry in &mut self.telling.entries[start..end] {
                    let is_untold = match entry.stage {
                        Stage::AtOnce if goes => id < entry.last,
                        _ => goes || entry.last < id,
                    };
                    if entry.number == topic.number
                        && entry.kind == topic.kind
                        && is_untold
                        && waits(entry, &self.pools)
                    {
                        (entry.stage, entry.last) = (Stage::AtOnce, last);
                        entities.push(entry.entity);
                    }
                }
                if entities.is_empty() {
                    continue;
                }
                self.call(&call, &entities);
                if !self.telling.has(turn) {
                    return false;
                }
            }
        }
        true
    }

    /// Tells of what was noted. In a batch, an entity may come several times if it `may_repeat`.
    #[cold]
    #[inline(never)]
    pub(super) fn tell_insertions(&mut self, is_batch: bool, may_repeat: bool) {
        let notes = self.pools.watch.take_notes();
        if self.collect_notes(&notes, is_batch && may_repeat) {
            return self.pools.watch.put_back(notes);
        }
        if self.telling.is_idle() && (!may_repeat || are_distinct(&notes)) {
            let open = Open::folded(self, notes, Operation::Insertion, is_batch);
            if !open.world.tell_folded(open.turn) {
                open.world.tell_entries(open.turn, is_batch);
            }
            return;
        }
        let open = Open::new(self, Operation::Insertion);
        let (world, turn) = (&mut *open.world, open.turn);
        for note in &notes {
            let (entity, number) = (note.entity, note.number);
            if may_repeat {
                let is_it = |entry: &Entry| entry.number == number;
                if world.telling.find_in(turn.at, entity, is_it).is_some() {
                    continue;
                }
            }
            let kind = world.telling.merge(note);
            if world.has_listener(number, kind) {
                world.telling.push(entity, number, kind, Stage::Unheard);
            }
        }
        world.pools.watch.put_back(notes);
        world.tell_entries(turn, is_batch);
    }

    /// Tells of the insertions of a frame, if it is there.
    pub(super) fn tell_entries(&mut self, turn: Turn, is_batch: bool) {
        if !self.telling.has(turn) {
            return;
        }
        let Range { start, end } = self.telling.range(turn.at);
        for at in start..end {
            if !self.tell(turn, at, !is_batch) {
                return;
            }
        }
        if !is_batch || self.tell_at_once(turn, start, end) {
            self.telling.entries.truncate(start); // nobody is left to be told
        }
    }

    /// Tells collectors of what was noted, if nobody is to be called. Whether that is so.
    fn collect_notes(&mut self, notes: &[Note], may_repeat: bool) -> bool {
        self.unfold();
        let Self { observers, pools, telling, .. } = self;
        let (mut new, mut updated) = (ComponentSet::EMPTY, ComponentSet::EMPTY);
        for note in notes {
            if pools.watch.calls_of_insertion(note.number) {
                return false;
            }
            if may_repeat {
                if note.is_new { &mut new } else { &mut updated }.insert(note.number);
            }
        }
        if new.intersects(&updated) {
            return false; // an entity may be among both, and is told of once
        }
        for note in notes {
            let kind = telling.merge(note);
            observers.collectors.tell(note.number, kind, note.entity, u64::MAX);
        }
        true
    }

    /// Tells collectors of what goes of this entity, of which all others were told, and closes its entries.
    pub(super) fn collect_heard(&mut self, turn: Turn, entity: Entity) {
        let heard = self.telling.close_heard(turn.at, entity);
        self.collect_end(entity, &heard, self.telling.frames[turn.at].limit);
    }

    /// Finishes what is being told of this component, or of the end of its entity.
    #[inline(never)]
    pub(super) fn finish(&mut self, entity: Entity, number: u32) {
        self.unfold();
        while let Some((at, entry)) = self.telling.find(entity, |operation, entry| {
            entry.is_open() && (entry.number == number || operation == Operation::End)
        }) {
            self.finish_entry(at, entry);
        }
    }

    /// As [`finish`](Self::finish), of each of these components.
    #[cold]
    #[inline(never)]
    pub(super) fn finish_each(&mut self, entity: Entity, tell: fn(&mut dyn FnMut(u32))) {
        let mut numbers = Vec::new();
        tell(&mut |number| numbers.push(number));
        self.finish_all(|world| numbers.iter().for_each(|number| world.finish(entity, *number)));
    }

    /// Finishes several operations; again, if an observer puts another world in the place of this one, until none of
    /// them is under way in the world that is there.
    pub(super) fn finish_all(&mut self, finish: impl Fn(&mut Self)) {
        let mut last = 0;
        while last != self.telling.world() {
            last = self.telling.world();
            finish(self);
        }
    }

    /// Finishes what is being told of this entity.
    pub(super) fn finish_entity(&mut self, entity: Entity) {
        self.unfold();
        while let Some((at, entry)) = self.telling.find(entity, |_, entry| entry.is_open()) {
            self.finish_entry(at, entry);
        }
    }

    fn finish_entry(&mut self, frame: usize, at: usize) {
        let turn = self.telling.turn(frame);
        let Entry { entity, number, .. } = self.telling.entries[at];
        match self.telling.frames[frame].operation {
            Operation::Insertion => _ = self.tell(turn, at, true),
            Operation::Removal => {
                if self.tell(turn, at, true) && self.telling.entries[at].is_open() {
                    self.collect_heard(turn, entity);
                    self.take_out_now(entity, number);
                }
            }
            Operation::End => self.finish_end(turn, entity),
        }
    }

    /// Finishes an end that is being told of.
    fn finish_end(&mut self, turn: Turn, entity: Entity) {
        if self.finish_telling_end(turn, entity) {
            self.end_now(entity);
        }
    }

    /// Whether the end of an entity is being told of.
    pub(super) fn is_ending(&mut self, entity: Entity) -> bool {
        let is_end = |operation, entry: &Entry| operation == Operation::End && entry.is_open();
        self.telling.find(entity, is_end).is_some()
    }

    /// As [`finish_entity`](Self::finish_entity), but does not end it: whether all were told of its end, so that it
    /// is to be ended now.
    pub(super) fn take_over_end(&mut self, entity: Entity) -> bool {
        self.unfold();
        let mut is_told = false;
        while let Some((at, entry)) = self.telling.find(entity, |_, entry| entry.is_open()) {
            if self.telling.frames[at].operation == Operation::End {
                is_told |= self.finish_telling_end(self.telling.turn(at), entity);
            } else {
                self.finish_entry(at, entry);
            }
        }
        is_told
    }

    /// Tells those who are left of an end that is being told of. Whether it is still to be ended.
    fn finish_telling_end(&mut self, turn: Turn, entity: Entity) -> bool {
        if !self.tell_last(turn, entity) {
            return false; // or somebody else ended it
        }
        let told = self.telling.numbers(turn.at, entity);
        let heard = self.telling.close_heard(turn.at, entity);
        let limit = self.telling.frames[turn.at].limit;
        // Those who are told at once come first: of its other components nobody heard yet.
        let goes_on = told.contains(&WHOLE) || self.tell_end(entity, &told);
        if self.telling.world == turn.world {
            self.collect_end(entity, &heard, limit); // somebody else ended it, if not this
        }
        goes_on
    }

    /// The components of this entity of whose removal somebody is told, but these.
    pub(super) fn told_of(&self, entity: Entity, but: &[u32]) -> Vec<u32> {
        let mut told = Vec::new();
        self.for_each_told_of(entity, |number| {
            if !but.contains(&number) {
                told.push(number);
            }
        });
        told
    }

    /// Does this with the components of an entity of whose removal somebody is told.
    #[inline]
    fn for_each_told_of(&self, entity: Entity, mut note: impl FnMut(u32)) {
        let told = self.pools.watch.told_out().intersection(self.entities.components(entity));
        if !told.is_coarse() {
            return told.numbers().filter(|it| self.pools.has(*it, entity)).for_each(note);
        }
        for (number, _) in self.pools.numbered() {
            if told.contains(number)
                && self.pools.has(number, entity)
                && self.has_listener(number, Kind::Remove)
            {
                note(number);
            }
        }
    }

    /// Notes the components of an entity that ends, of whose removal somebody is told.
    pub(super) fn note_end(&self, entity: Entity, notes: &mut Vec<Note>) {
        self.for_each_told_of(entity, |number| notes.push(Note { entity, number, is_new: false }));
    }

    /// Tells collectors that an entity is about to end.
    pub(super) fn collect_components(&mut self, entity: Entity) {
        if self.pools.watch.collects_end(&self.entities.components(entity)) {
            let numbers = self.told_of(entity, &[]);
            self.collect_end(entity, &numbers, u64::MAX);
        }
    }

    /// Forgets the insertions of this entity's components that nobody heard of: of which nobody is to hear
    /// that they go, either.
    pub(super) fn forget_entity(&mut self, entity: Entity) -> Vec<u32> {
        let mut silent = Vec::new();
        while let Some((_, at)) = self.telling.find(entity, |operation, entry| {
            operation == Operation::Insertion && entry.stage == Stage::Unheard
        }) {
            let entry = &mut self.telling.entries[at];
            entry.stage = Stage::Done;
            if entry.kind == Kind::Insert {
                silent.push(entry.number);
            }
        }
        silent
    }

    /// Tells of the end of an entity, whose components these are told of already. Whether it is still to be
    /// ended.
    pub(super) fn tell_end(&mut self, entity: Entity, but: &[u32]) -> bool {
        if self.telling.is_idle() {
            return self.tell_end_alone(entity);
        }
        let numbers = self.told_of(entity, but);
        if numbers.is_empty() {
            return true;
        }
        if !self.pools.watch.calls_of_end(&self.entities.components(entity)) {
            self.collect_end(entity, &numbers, u64::MAX);
            return true;
        }
        let open = Open::new(self, Operation::End);
        open.world.push_end(entity, &numbers);
        open.world.tell_left(open.turn, entity)
    }

    /// Tells of the end of an entity, while nobody is told of anything. Whether it is still to be ended.
    fn tell_end_alone(&mut self, entity: Entity) -> bool {
        if self.pools.watch.calls_of_end(&self.entities.components(entity)) {
            let mut notes = self.pools.watch.take_list();
            self.note_end(entity, &mut notes);
            if notes.is_empty() {
                return true;
            }
            let open = Open::folded(self, notes, Operation::End, false);
            let (world, turn) = (&mut *open.world, open.turn);
            if !world.tell_folded(turn) {
                return world.telling.has(turn) && world.tell_left(turn, entity);
            }
        }
        self.collect_components(entity);
        true
    }

    /// Tells of the removal of a component that an entity has, while nobody is told of anything. Whether it is
    /// still to be removed.
    pub(super) fn tell_removal(&mut self, entity: Entity, number: u32) -> bool {
        if self.pools.watch.calls_of_removal(number) {
            let mut notes = self.pools.watch.take_list();
            notes.push(Note { entity, number, is_new: false });
            let open = Open::folded(self, notes, Operation::Removal, false);
            let (world, turn) = (&mut *open.world, open.turn);
            if !world.tell_folded(turn) {
                return world.telling.has(turn) && world.tell_left(turn, entity);
            }
        }
        self.collect_end(entity, &[number], u64::MAX);
        true
    }

    /// Tells those who are left of what goes of this entity, and then collectors. Whether it is still to go.
    pub(super) fn tell_left(&mut self, turn: Turn, entity: Entity) -> bool {
        let goes_on = self.tell_last(turn, entity);
        if goes_on {
            self.collect_heard(turn, entity);
        }
        goes_on
    }

    /// Tells collectors that an entity loses these components, of those that began before that observer.
    pub(super) fn collect_end(&mut self, entity: Entity, numbers: &[u32], limit: u64) {
        for &number in numbers {
            self.observers.collectors.tell(number, Kind::Remove, entity, limit);
        }
    }

    /// Adds an end to the last frame.
    pub(super) fn push_end(&mut self, entity: Entity, numbers: &[u32]) {
        self.telling.push(entity, WHOLE, Kind::Remove, Stage::Heard);
        for &number in numbers {
            self.telling.push(entity, number, Kind::Remove, Stage::Unheard);
        }
    }

    /// Tells of what goes of this entity, which the frame's last entries are about. Whether it is still to go.
    pub(super) fn tell_last(&mut self, turn: Turn, entity: Entity) -> bool {
        let is_left = |entry: &Entry| !matches!(entry.stage, Stage::Heard | Stage::Done);
        while let Some(at) = self.telling.find_in(turn.at, entity, is_left) {
            if !self.tell(turn, at, true) {
                return false;
            }
        }
        self.telling.find_in(turn.at, entity, |entry| entry.stage == Stage::Heard).is_some()
    }
}
