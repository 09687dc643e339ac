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
use crate::pool::watch::{Note, Told};
use crate::world::World;
use crate::world::frames::{Entry, Frame, Operation, Stage, Turn, WHOLE};
use crate::world::observe::{Call, Kind, Observer, Topic};
use crate::world::tell::Open;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::mem;

/// The operation that is being told of, if it is the only one, and no other met it.
pub(super) struct Folded {
    /// What its frame says when it is unfolded.
    id: u64,
    operation: Operation,
    limit: u64,
    depth: u32,
    /// Whether some are told of all entities at once: of what came after the others, of what goes before them.
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
            depth: 0,
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

    /// How many calls were under way when it began.
    pub(super) const fn depth(&self) -> u32 {
        self.depth
    }

    pub(super) fn is(&self, turn: Turn) -> bool {
        !self.is_empty() && self.id == turn.id
    }

    fn kind(&self, note: &Note) -> Kind {
        match self.operation {
            Operation::Insertion => kind_of(note),
            Operation::Removal | Operation::End => Kind::Remove,
        }
    }

    /// What the entry of a note says, and who was told last in that stage; `at_once`, whether some are told of all
    /// of its topic at once.
    fn progress(&self, note: usize, topic: usize, at_once: bool) -> (Stage, u64) {
        let goes = self.operation != Operation::Insertion;
        let here = if self.is_at_once { topic } else { note };
        let (told, untold) = match (goes, self.is_at_once) {
            (false, true) => (Stage::Done, Stage::AtOnce),
            (false, false) if self.is_batch => (Stage::AtOnce, Stage::Unheard),
            (false, false) => (Stage::Done, Stage::Unheard),
            // Of what goes, 0 is behind the last one who is told at once.
            (true, true) => (Stage::AtOnce, Stage::Unheard),
            (true, false) if self.is_batch && at_once => (Stage::Heard, Stage::AtOnce),
            (true, false) => (Stage::Heard, Stage::Unheard),
        };
        match here.cmp(&self.at) {
            Ordering::Less => (told, 0),
            Ordering::Equal => (self.stage, self.last),
            Ordering::Greater => (untold, 0),
        }
    }

    /// Whether the end of a note's entity has begun to be told, other than of many at once.
    fn has_end_begun(&self, notes: &[Note], note: usize) -> bool {
        let is_here = || notes.get(self.at).is_some_and(|here| here.entity == notes[note].entity);
        !self.is_at_once && (note <= self.at || is_here())
    }
}

/// Whether no component of an entity is noted twice, as far as the entities' order tells, or their indices: those of
/// one entity stand together.
pub(super) fn are_distinct(notes: &[Note]) -> bool {
    let (mut first, mut last, mut is_rising) = (0, None::<Entity>, true);
    for (at, note) in notes.iter().enumerate() {
        if last == Some(note.entity) {
            if notes[first..at].iter().any(|other| other.number == note.number) {
                return false;
            }
            continue;
        }
        is_rising &= last.is_none_or(|last| last.index() < note.entity.index());
        (first, last) = (at, Some(note.entity));
    }
    is_rising || are_apart(notes)
}

/// Whether the notes of an entity stand together.
fn are_apart(notes: &[Note]) -> bool {
    let most = notes.iter().map(|note| note.entity.index()).max().unwrap_or(0);
    let (mut seen, mut last) = (vec![0_u64; most as usize / 64 + 1], None);
    notes.iter().all(|&Note { entity, .. }| {
        if last == Some(entity) {
            return true;
        }
        last = Some(entity);
        let (word, bit) = (&mut seen[entity.index() as usize / 64], 1 << (entity.index() % 64));
        let is_first = *word & bit == 0;
        *word |= bit;
        is_first
    })
}

/// What the note of an insertion tells.
const fn kind_of(note: &Note) -> Kind {
    if note.is_new { Kind::Insert } else { Kind::Update }
}

impl World {
    /// Begins to tell of these notes, of which there are some. Nothing is being told of.
    pub(super) fn fold(&mut self, notes: Vec<Note>, operation: Operation, is_batch: bool) -> Turn {
        self.end_moved();
        let limit = self.observers.next();
        let (turn, depth) = (self.telling.next_turn(), self.telling.calls);
        let folded = &mut self.telling.folded;
        folded.depth = depth;
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
        self.end_moved();
        if self.telling.folded.is_empty() {
            return;
        }
        let notes = mem::take(&mut self.telling.folded.notes);
        let Folded { id, operation, limit, depth, .. } = self.telling.folded;
        self.telling.push_frame(Frame::new(id, operation, limit, depth));
        let (mut topics, mut ended) = (Vec::new(), None);
        for (at, note) in notes.iter().enumerate() {
            let Note { entity, number, .. } = *note;
            let kind = self.telling.folded.kind(note);
            let known = topics.iter().position(|&topic| topic == (number, kind));
            let topic = known.unwrap_or_else(|| {
                topics.push((number, kind));
                topics.len() - 1
            });
            let folded = &self.telling.folded;
            let has_begun = operation != Operation::End || folded.has_end_begun(&notes, at);
            let at_once = self.observers.has(Topic { number, kind, at_once: true });
            let (stage, last) = folded.progress(at, topic, at_once);
            if operation == Operation::End && has_begun && ended != Some(entity) {
                ended = Some(entity);
                self.telling.push(entity, WHOLE, Kind::Remove, Stage::Heard);
            }
            // Of an end that is yet to be told, those hear that are told at once.
            if self.has_listener(number, kind) && (has_begun || at_once) {
                self.telling.entries.push(Entry { entity, number, kind, stage, last, before: 0 });
            }
        }
        self.pools.watch.put_back(notes);
    }

    /// Tells of what a single edit noted.
    ///
    /// In the usual case that is one component, and one is to be called. Nobody is left to be told then, so nothing
    /// need be known of it.
    #[inline(never)]
    pub(super) fn tell_edit(&mut self) {
        let watch = &self.pools.watch;
        let [note] = *watch.notes() else { return self.tell_insertions(false, true) };
        if watch.is_telling() {
            return self.tell_insertions(false, false);
        }
        match watch.told(&note) {
            Told::Hook(hook) => self.call_alone(hook, note.entity),
            Told::Closure => self.tell_closure(note),
            Told::Others => self.tell_one(note),
        }
    }

    /// Tells of one component, while nobody is told of anything.
    #[inline(never)]
    fn tell_one(&mut self, note: Note) {
        let kind = kind_of(&note);
        let of = Listeners::of(self, note.number, kind);
        let only = match (of.hook, of.each, of.at_once) {
            (None, 1, 0) => of.each(),
            (None, 0, 1) => of.at_once(),
            (None, 0, 0) => return self.collect_one(&of, note.entity, u64::MAX),
            _ => return self.tell_several(note, &of),
        };
        self.collect_one(&of, note.entity, u64::MAX);
        let call = self.observers.list(only)[0].call.clone();
        self.alone(|world| world.call_now(&call, &[note.entity]));
    }

    /// As [`tell_one`](Self::tell_one), several who listen.
    fn tell_several(&mut self, note: Note, of: &Listeners) {
        let notes = self.pools.watch.take_notes();
        let open = Open::folded(self, notes, Operation::Insertion, false);
        let (world, turn) = (&mut *open.world, open.turn);
        if world.deeper(|world| world.tell_run(turn, note, of)) != Some(true) {
            world.tell_entries(turn, false);
        }
    }

    #[inline(always)]
    fn collect_one(&mut self, of: &Listeners, entity: Entity, limit: u64) {
        if of.are_collectors {
            self.observers.collectors.tell(of.number, of.kind, entity, limit);
        }
    }

    #[inline(never)]
    fn tell_closure(&mut self, note: Note) {
        let list = Topic { number: note.number, kind: kind_of(&note), at_once: false }.list();
        let Some((id, call)) = self.observers.lend(note.number, list) else { return };
        let here = self.telling.world();
        self.alone(|world| call(world, note.entity));
        if self.telling.world == here {
            self.observers.take_back(note.number, list, id, call);
        }
    }

    /// Tells of what is folded. Whether all were told of all; if not, it was unfolded, or another world is in
    /// the place of this one.
    pub(super) fn tell_folded(&mut self, turn: Turn) -> bool {
        self.deeper(|world| world.tell_notes(turn)) == Some(true)
    }

    fn tell_notes(&mut self, turn: Turn) -> bool {
        let Folded { operation, is_batch, .. } = self.telling.folded;
        let goes = operation != Operation::Insertion;
        if is_batch && goes && !self.tell_notes_at_once(turn) {
            return false;
        }
        (self.telling.folded.at, self.telling.folded.is_at_once) = (0, false);
        let mut is_any_at_once = false;
        while let Some(&note) = self.telling.folded.notes.get(self.telling.folded.at) {
            let of = Listeners::of(self, note.number, self.telling.folded.kind(&note));
            is_any_at_once |= of.at_once > 0;
            if !self.tell_run(turn, note, &of) {
                return false;
            }
        }
        !is_batch || goes || !is_any_at_once || self.tell_notes_at_once(turn)
    }

    /// Tells these of the note at hand, and of those after it of the same. Whether it is still folded afterwards.
    fn tell_run(&mut self, turn: Turn, first: Note, of: &Listeners) -> bool {
        let Folded { is_batch, limit, .. } = self.telling.folded;
        let (goes, at_once) = (of.kind == Kind::Remove, if is_batch { 0 } else { of.at_once });
        if let (Some((id, call)), None, false, 0) = (of.only, of.hook, of.are_collectors, at_once) {
            (self.telling.folded.stage, self.telling.folded.last) = (Stage::Each, id);
            return self.tell_same(first, |world, entity| {
                call(world, entity);
                world.is_folded(turn)
            });
        }
        if !of.are_called(is_batch) && !of.are_collectors {
            return self.tell_same(first, |_, _| true);
        }
        self.tell_same(first, |world, entity| {
            world.collect_one(of, entity, limit);
            if goes {
                world.tell_list(turn, of.at_once(), at_once, &[entity])
                    && world.tell_list(turn, of.each(), of.each, &[entity])
                    && world.tell_hook(turn, of, Stage::Heard, entity)
            } else {
                world.tell_hook(turn, of, Stage::Each, entity)
                    && world.tell_list(turn, of.each(), of.each, &[entity])
                    && world.tell_list(turn, of.at_once(), at_once, &[entity])
            }
        })
    }

    /// Does this with the entity of the note at hand, and with those of the notes after it that tell the same, as
    /// long as it says so. Whether it always did.
    #[inline(always)]
    fn tell_same(&mut self, first: Note, mut tell: impl FnMut(&mut Self, Entity) -> bool) -> bool {
        let (mut at, mut note) = (self.telling.folded.at, first);
        while tell(self, note.entity) {
            at += 1;
            self.telling.folded.at = at;
            note = match self.telling.folded.notes.get(at) {
                Some(next) if next.number == first.number && next.is_new == first.is_new => *next,
                _ => return true,
            };
        }
        false
    }

    /// Whether this is still what is folded, in the same world.
    #[inline(always)]
    fn is_folded(&self, turn: Turn) -> bool {
        self.telling.folded.is(turn) && self.telling.world == turn.world
    }

    /// Tells those who are told of all entities at once.
    fn tell_notes_at_once(&mut self, turn: Turn) -> bool {
        let mut topics: Vec<(u32, Kind)> = Vec::new();
        for note in &self.telling.folded.notes {
            let topic = (note.number, self.telling.folded.kind(note));
            if topics.last() != Some(&topic) && !topics.contains(&topic) {
                topics.push(topic);
            }
        }
        self.telling.folded.is_at_once = true;
        for (at, &(number, kind)) in topics.iter().enumerate() {
            let topic = Topic { number, kind, at_once: true };
            if !self.observers.has(topic) {
                continue;
            }
            let folded = &mut self.telling.folded;
            folded.at = at;
            let all = folded.notes.iter();
            let entities: Vec<Entity> = if topics.len() == 1 {
                all.map(|note| note.entity).collect()
            } else {
                let is_it = |note: &&Note| note.number == number && folded.kind(note) == kind;
                all.filter(is_it).map(|note| note.entity).collect()
            };
            let len = self.observers.list(topic).len();
            if !self.tell_list(turn, topic, len, &entities) {
                return false;
            }
        }
        true
    }

    /// Tells a hook, if there is one. Whether it is still folded afterwards.
    #[inline(always)]
    fn tell_hook(&mut self, turn: Turn, of: &Listeners, stage: Stage, entity: Entity) -> bool {
        let Some(hook) = of.hook else { return true };
        let folded = &mut self.telling.folded;
        (folded.stage, folded.last) = (stage, 0);
        hook(self, entity);
        self.is_folded(turn)
    }

    /// Tells a list of so many observers, which stays as it is while this is folded. Whether it still is.
    #[inline(always)]
    fn tell_list(&mut self, turn: Turn, topic: Topic, len: usize, entities: &[Entity]) -> bool {
        let list = topic.list();
        self.telling.folded.stage = if topic.at_once { Stage::AtOnce } else { Stage::Each };
        for at in 0..len {
            let at = if topic.kind == Kind::Remove { len - 1 - at } else { at };
            let Some(observer) = self.observers.at(topic.number, list, at) else { return true };
            self.telling.folded.last = observer.id;
            match observer.call {
                Call::Each(call) => call(self, entities[0]),
                Call::Batch(call) => call(self, entities),
                Call::With(ref call) => {
                    let call = Arc::clone(&call.call); // its observer may end
                    call(self, entities[0]);
                }
            }
            if !self.is_folded(turn) {
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

    /// Whether any is called entity by entity: in a batch, others are called in the end.
    const fn are_called(&self, is_batch: bool) -> bool {
        self.hook.is_some() || self.each > 0 || !is_batch && self.at_once > 0
    }

    const fn each(&self) -> Topic {
        Topic { number: self.number, kind: self.kind, at_once: false }
    }

    const fn at_once(&self) -> Topic {
        Topic { number: self.number, kind: self.kind, at_once: true }
    }
}
