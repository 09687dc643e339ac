//! Telling in the usual case: nobody who is told does anything that meets what is being told.
//!
//! Then the notes of an operation, and a place among them, say all that a frame with its entries would. The first
//! operation inside, and who begins or ends an observer, *unfolds* them; `tell` goes on with the entries.
//!
//! ```text
//! notes   3 A | 3 B | 4 A | 4 B | 5 A | 5 B
//!         told         ^ observer 1 is told now
//! ```

use crate::component::Hook;
use crate::entity::Entity;
use crate::pool::watch::Note;
use crate::world::World;
use crate::world::frames::{Entry, Frame, Operation, Stage, Turn, WHOLE};
use crate::world::observe::{Call, Kind, Observer, Topic};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::mem;

/// The operation that is being told of, if it is the only one, and no other met it.
pub(super) struct Folded {
    /// What its frame says when it is unfolded.
    id: u64,
    operation: Operation,
    limit: u64,
    /// Whether some are told of all entities at once, after the others.
    is_batch: bool,
    /// None, if nothing is folded.
    notes: Vec<Note>,
    /// The note that is being told of; or the topic, while all its entities are told of at once.
    at: usize,
    is_at_once: bool,
    /// What the entry of that says.
    stage: Stage,
    last: u64,
}

impl Folded {
    pub(super) const fn new() -> Self {
        Self {
            id: 0,
            operation: Operation::Insertion,
            limit: 0,
            is_batch: false,
            notes: Vec::new(),
            at: 0,
            is_at_once: false,
            stage: Stage::Unheard,
            last: 0,
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    pub(super) fn is(&self, turn: Turn) -> bool {
        !self.is_empty() && self.id == turn.id
    }

    fn kind(&self, note: &Note) -> Kind {
        match self.operation {
            Operation::Insertion if note.is_new => Kind::Insert,
            Operation::Insertion => Kind::Update,
            Operation::Removal | Operation::End => Kind::Remove,
        }
    }

    /// What the entry of a note says, and who was told last in that stage.
    fn progress(&self, note: usize, topic: usize) -> (Stage, u64) {
        let (here, told, untold) = match (self.operation, self.is_at_once) {
            (Operation::Insertion, true) => (topic, Stage::Done, Stage::AtOnce),
            (Operation::Insertion, false) if self.is_batch => (note, Stage::AtOnce, Stage::Unheard),
            (Operation::Insertion, false) => (note, Stage::Done, Stage::Unheard),
            _ => (note, Stage::Heard, Stage::Unheard),
        };
        match here.cmp(&self.at) {
            Ordering::Less => (told, 0),
            Ordering::Equal => (self.stage, self.last),
            Ordering::Greater => (untold, 0),
        }
    }
}

/// Whether no component of an entity is noted twice, as far as a glance tells.
pub(super) fn are_distinct(notes: &[Note]) -> bool {
    let mut first = 0;
    (1..notes.len()).all(|at| {
        let (note, before) = (notes[at], notes[at - 1]);
        if note.entity == before.entity {
            return notes[first..at].iter().all(|other| other.number != note.number);
        }
        first = at;
        note.entity.index() > before.entity.index()
    })
}

impl World {
    /// Begins to tell of these notes, of which there are some. Nothing is being told of.
    pub(super) fn fold(&mut self, notes: Vec<Note>, operation: Operation, is_batch: bool) -> Turn {
        let limit = self.observers.next();
        let turn = self.telling.next_turn();
        let folded = &mut self.telling.folded;
        (folded.id, folded.operation, folded.limit) = (turn.id, operation, limit);
        (folded.is_batch, folded.notes) = (is_batch, notes);
        (folded.at, folded.is_at_once) = (0, false);
        self.pools.watch.set_telling(true);
        turn
    }

    /// Ends what is folded. What was not told yet, because of a panic, only collectors are told.
    pub(super) fn close_folded(&mut self) {
        let notes = mem::take(&mut self.telling.folded.notes);
        let Self { observers, pools, telling, .. } = self;
        let Folded { at, is_at_once, operation, limit, .. } = telling.folded;
        if operation == Operation::Insertion && !is_at_once {
            for note in notes.iter().skip(at + 1) {
                let kind = telling.folded.kind(note);
                observers.collectors.tell(note.number, kind, note.entity, limit);
            }
        }
        pools.watch.set_telling(false);
        pools.watch.put_back(notes);
    }

    /// Makes a frame with entries of what is folded, before anything meets it.
    #[inline]
    pub(super) fn unfold(&mut self) {
        if !self.telling.is_idle() {
            self.unfold_notes();
        }
    }

    #[cold]
    #[inline(never)]
    fn unfold_notes(&mut self) {
        self.end_taken();
        if self.telling.folded.is_empty() {
            return;
        }
        let notes = mem::take(&mut self.telling.folded.notes);
        let Folded { id, operation, limit, .. } = self.telling.folded;
        self.telling.push_frame(Frame::new(id, operation, limit));
        if operation == Operation::End {
            self.telling.push(notes[0].entity, WHOLE, Kind::Remove, Stage::Heard);
        }
        let mut topics = Vec::new();
        for (at, note) in notes.iter().enumerate() {
            let Note { entity, number, .. } = *note;
            let kind = self.telling.folded.kind(note);
            let known = topics.iter().position(|&topic| topic == (number, kind));
            let topic = known.unwrap_or_else(|| {
                topics.push((number, kind));
                topics.len() - 1
            });
            if self.has_listener(number, kind) {
                let (stage, last) = self.telling.folded.progress(at, topic);
                self.telling.entries.push(Entry { entity, number, kind, stage, last, before: 0 });
            }
        }
        self.pools.watch.put_back(notes);
    }

    /// Tells of what is folded. Whether all were told of all; if not, it was unfolded, or another world is in
    /// the place of this one.
    pub(super) fn tell_folded(&mut self) -> bool {
        self.deeper(Self::tell_notes) == Some(true)
    }

    fn tell_notes(&mut self) -> bool {
        let Folded { operation, is_batch, limit, .. } = self.telling.folded;
        let (mut at, mut known) = (0, None::<Listeners>);
        while let Some(&note) = self.telling.folded.notes.get(at) {
            let kind = self.telling.folded.kind(&note);
            let of = match &mut known {
                Some(of) if of.number == note.number && of.kind == kind => of,
                _ => known.insert(Listeners::of(self, note.number, kind)),
            };
            self.telling.folded.at = at;
            if of.are_collectors {
                self.observers.collectors.tell(note.number, kind, note.entity, limit);
            }
            let goes_on = if operation == Operation::Insertion {
                self.tell_hook(of, Stage::Each, note.entity)
                    && self.tell_each(of, note.entity)
                    && (is_batch || self.tell_list(of.at_once(), of.at_once, &[note.entity]))
            } else {
                self.tell_list(of.at_once(), of.at_once, &[note.entity])
                    && self.tell_each(of, note.entity)
                    && self.tell_hook(of, Stage::Heard, note.entity)
            };
            if !goes_on {
                return false;
            }
            at += 1;
        }
        self.telling.folded.at = at;
        !is_batch || self.tell_notes_at_once()
    }

    /// Tells those who are told of all entities at once, after the others.
    fn tell_notes_at_once(&mut self) -> bool {
        let mut topics: Vec<(u32, Kind)> = Vec::new();
        for note in &self.telling.folded.notes {
            let topic = (note.number, self.telling.folded.kind(note));
            if topics.last() != Some(&topic) && !topics.contains(&topic) {
                topics.push(topic);
            }
        }
        self.telling.folded.is_at_once = true;
        for (at, (number, kind)) in topics.into_iter().enumerate() {
            let topic = Topic { number, kind, at_once: true };
            if !self.observers.has(topic) {
                continue;
            }
            let folded = &mut self.telling.folded;
            folded.at = at;
            let is_it = |note: &&Note| note.number == number && folded.kind(note) == kind;
            let entities: Vec<Entity> =
                folded.notes.iter().filter(is_it).map(|note| note.entity).collect();
            let len = self.observers.list(topic).len();
            if !self.tell_list(topic, len, &entities) {
                return false;
            }
        }
        true
    }

    /// Tells a hook, if there is one. Whether it is still folded afterwards.
    #[inline(always)]
    fn tell_hook(&mut self, of: &Listeners, stage: Stage, entity: Entity) -> bool {
        let Some(hook) = of.hook else { return true };
        let folded = &mut self.telling.folded;
        (folded.stage, folded.last) = (stage, 0);
        hook(self, entity);
        !self.telling.folded.is_empty()
    }

    /// Tells those who are told entity by entity. Whether it is still folded afterwards.
    #[inline(always)]
    fn tell_each(&mut self, of: &Listeners, entity: Entity) -> bool {
        let Some((id, only)) = of.only else {
            return self.tell_list(of.each(), of.each, &[entity]);
        };
        let folded = &mut self.telling.folded;
        (folded.stage, folded.last) = (Stage::Each, id);
        only(self, entity);
        !self.telling.folded.is_empty()
    }

    /// Tells a list of so many observers, which stays as it is while this is folded. Whether it still is.
    #[inline(always)]
    fn tell_list(&mut self, topic: Topic, len: usize, entities: &[Entity]) -> bool {
        for at in 0..len {
            let at = if topic.kind == Kind::Remove { len - 1 - at } else { at };
            let Observer { id, call } = &self.observers.list(topic)[at];
            let (id, call) = (*id, call.clone());
            let folded = &mut self.telling.folded;
            folded.stage = if topic.at_once { Stage::AtOnce } else { Stage::Each };
            folded.last = id;
            self.call_now(&call, entities);
            if self.telling.folded.is_empty() {
                return false;
            }
        }
        true
    }
}

/// Who listens to what happens to a component.
struct Listeners {
    number: u32,
    kind: Kind,
    are_collectors: bool,
    hook: Option<Hook>,
    /// How many observers there are in either list.
    each: usize,
    at_once: usize,
    /// The only one who is told entity by entity, and captures nothing.
    only: Option<(u64, Hook)>,
}

impl Listeners {
    #[inline]
    fn of(world: &World, number: u32, kind: Kind) -> Self {
        let list = |at_once| world.observers.list(Topic { number, kind, at_once });
        let only = match list(false) {
            [Observer { id, call: Call::Each(call) }] => Some((*id, *call)),
            _ => None,
        };
        Self {
            number,
            kind,
            are_collectors: kind != Kind::Remove && world.observers.collectors.has(number, kind),
            hook: world.hook(number, kind),
            each: list(false).len(),
            at_once: list(true).len(),
            only,
        }
    }

    const fn each(&self) -> Topic {
        Topic { number: self.number, kind: self.kind, at_once: false }
    }

    const fn at_once(&self) -> Topic {
        Topic { number: self.number, kind: self.kind, at_once: true }
    }
}
