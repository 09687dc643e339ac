//! What is being told, and how far: the operations under way, and the components that each tells of.

use crate::entity::Entity;
use crate::pool::watch::Note;
use crate::storage::sparse_set::SparseSet;
use crate::world::folded::Folded;
use crate::world::observe::{Kind, Topic};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// What is being told.
pub(super) struct Telling {
    /// Which world this is, among all that ever told anything; 0 if it did not yet. An observer may put
    /// another world in its place.
    pub(super) world: u64,
    /// The number of the last frame.
    pub(super) next: u64,
    pub(super) frames: Vec<Frame>,
    /// Those of each frame follow those of the frame before.
    pub(super) entries: Vec<Entry>,
    /// The only operation under way, which has no frame yet.
    pub(super) folded: Folded,
    /// How many calls of observers are one within the other.
    pub(super) calls: u32,
    /// The address where the stack of these calls begins.
    pub(super) base: usize,
    /// The address on the stack where the last call began, which may be over.
    last: usize,
    /// Whether the last of these is the only one who is told of an edit: nothing else is known of it.
    pub(super) is_alone: bool,
    /// The depth of a call that ended while another world was in the place of this one, or [`NONE`]: operations that
    /// began at this depth, or deeper, are over. The call sets it, so it is shared with the calls under way.
    over: Option<Arc<AtomicU32>>,
    /// A clone of `over` for the next outermost call, which takes it and gives it back: that is cheaper than to clone it.
    spare: Option<Arc<AtomicU32>>,
}

/// No call has this depth.
const NONE: u32 = u32::MAX;

/// An operation that is being told of.
pub(super) struct Frame {
    pub(super) id: u64,
    pub(super) operation: Operation,
    /// Where its entries begin.
    pub(super) start: usize,
    /// Observers from this number on began after the operation.
    pub(super) limit: u64,
    /// How many calls were under way when it began.
    depth: u32,
    /// The last entry of each entity, of those before `indexed`; made when it is first asked for.
    index: Option<Box<SparseSet<u32, Entity>>>,
    indexed: usize,
}

impl Frame {
    /// One whose entries are to follow.
    pub(super) const fn new(id: u64, operation: Operation, limit: u64, depth: u32) -> Self {
        Self { id, operation, start: 0, limit, depth, index: None, indexed: 0 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// Of what is there already.
    Insertion,
    /// Of components that are there until they were told of.
    Removal,
    /// Of entities that live until they were told of.
    End,
}

/// A component that is being told of, or is to be.
pub(super) struct Entry {
    pub(super) entity: Entity,
    /// The component's number; [`WHOLE`] for the entity itself.
    pub(super) number: u32,
    pub(super) kind: Kind,
    pub(super) stage: Stage,
    /// The last observer that was told in this stage.
    pub(super) last: u64,
    /// One more than the entry before it of the same entity, where that is indexed.
    pub(super) before: u32,
}

/// Who is to be told next. Of what came: the hook, each, all at once; of what goes the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Unheard,
    Hook,
    Each,
    AtOnce,
    /// All were told of what goes; it is still there.
    Heard,
    Done,
}

/// No component has this number.
pub(super) const WHOLE: u32 = u32::MAX;

/// A frame, as long as it is there.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    pub(super) world: u64,
    pub(super) id: u64,
    pub(super) at: usize,
}

/// The greatest number of nested calls.
pub(super) const DEEPEST: u32 = 256;

/// The number of bytes of the stack that nested calls may take: half of what the standard library gives a thread.
const MOST_STACK: usize = 1 << 20;

/// Fewer entries than these are looked through one by one.
const FEW: usize = 16;

impl Telling {
    pub(super) const fn new() -> Self {
        Self {
            world: 0,
            next: 0,
            frames: Vec::new(),
            entries: Vec::new(),
            folded: Folded::new(),
            calls: 0,
            base: 0,
            last: 0,
            is_alone: false,
            over: None,
            spare: None,
        }
    }

    /// Returns the address where the stack of one more call begins; addresses of locals tell how much the calls take.
    ///
    /// # Panics
    /// Panics if there are too many calls, or they take too much of the stack.
    #[inline]
    pub(super) fn base_of_next(&mut self) -> usize {
        let local = 0_u8;
        let here = core::ptr::from_ref(&local).addr();
        let last = core::mem::replace(&mut self.last, here);
        if self.calls == 0 {
            return here;
        }
        let used = self.base.wrapping_sub(here); // stacks grow downwards
        if used >= MOST_STACK || self.calls >= DEEPEST {
            return self.base_elsewhere(here, last);
        }
        self.base
    }

    /// Returns the address for a call that is not on the stack of the others: on the stack of another thread, what the
    /// calls take on the first one still counts.
    #[cold]
    #[inline(never)]
    fn base_elsewhere(&self, here: usize, last: usize) -> usize {
        let (calls, used) = (self.calls, self.base.wrapping_sub(here).cast_signed());
        if calls < DEEPEST && used < 0 {
            return here; // observers moved the world up the stack
        }
        if calls < DEEPEST && here.abs_diff(last) >= MOST_STACK {
            return here.wrapping_add(self.base.wrapping_sub(last));
        }
        panic!(
            "observers call each other without end: {calls} nested calls take {used} bytes of the stack; let one of \
             them check whether there is anything left to do"
        )
    }

    /// Returns `over`, to be shared with a call.
    #[inline]
    pub(super) fn share(&mut self) -> Arc<AtomicU32> {
        match self.spare.take() {
            Some(spare) if self.calls == 0 => spare,
            spare => {
                self.spare = spare;
                Arc::clone(self.over.get_or_insert_with(|| Arc::new(AtomicU32::new(NONE))))
            }
        }
    }

    /// Keeps what was shared with the outermost call for the next one.
    #[inline]
    pub(super) fn take_back(&mut self, shared: Option<Arc<AtomicU32>>) {
        if self.calls == 0 {
            self.spare = shared;
        }
    }

    /// Whether nothing is being told.
    pub(super) const fn is_idle(&self) -> bool {
        self.frames.is_empty() && self.folded.is_empty()
    }

    /// Returns `true` if a call ended while another world was in the place of this one.
    #[inline]
    pub(super) fn was_moved(&self) -> bool {
        self.over.as_ref().is_some_and(|over| over.load(Ordering::Relaxed) != NONE)
    }

    /// Forgets the operations that are over, as this world was moved away from them.
    pub(super) fn forget_over(&mut self) {
        // Relaxed: whoever finds the world has it from whoever moved it.
        let over = self.over.as_ref().map_or(NONE, |over| over.swap(NONE, Ordering::Relaxed));
        if self.folded.depth() >= over {
            self.folded = Folded::new();
        }
        let left = self.frames.partition_point(|frame| frame.depth < over);
        if let Some(frame) = self.frames.get(left) {
            self.entries.truncate(frame.start);
            self.frames.truncate(left);
        }
        if self.calls > over {
            self.calls = over;
            self.is_alone = over > 0; // in a call, whatever it is about
        }
    }

    /// The turn of the next frame.
    pub(super) fn next_turn(&mut self) -> Turn {
        self.next += 1;
        Turn { world: self.world(), id: self.next, at: self.frames.len() }
    }

    pub(super) fn push_frame(&mut self, frame: Frame) {
        self.frames.push(Frame { start: self.entries.len(), ..frame });
    }

    /// The entries of a frame.
    pub(super) fn range(&self, at: usize) -> Range<usize> {
        self.frames[at].start..self.end(at)
    }

    /// Which world this is.
    pub(super) fn world(&mut self) -> u64 {
        static WORLDS: AtomicU64 = AtomicU64::new(1);
        if self.world == 0 {
            self.world = WORLDS.fetch_add(1, Ordering::Relaxed);
        }
        self.world
    }

    pub(super) fn has(&self, turn: Turn) -> bool {
        let is_it = |frame: &Frame| frame.id == turn.id;
        self.world == turn.world && self.frames.get(turn.at).is_some_and(is_it)
    }

    pub(super) fn turn(&self, at: usize) -> Turn {
        Turn { world: self.world, id: self.frames[at].id, at }
    }

    /// Where the entries of a frame end.
    fn end(&self, at: usize) -> usize {
        self.frames.get(at + 1).map_or(self.entries.len(), |frame| frame.start)
    }

    /// Adds an entry to the last frame.
    pub(super) fn push(&mut self, entity: Entity, number: u32, kind: Kind, stage: Stage) {
        self.entries.push(Entry { entity, number, kind, stage, last: 0, before: 0 });
    }

    /// The last entry of this entity in a frame of which this is true.
    pub(super) fn find_in(
        &mut self,
        at: usize,
        entity: Entity,
        wanted: impl Fn(&Entry) -> bool,
    ) -> Option<usize> {
        let end = self.end(at);
        let Self { frames, entries, .. } = self;
        let Frame { start, index, indexed, .. } = &mut frames[at];
        if end - *start <= FEW {
            let is_it = |entry: &Entry| entry.entity == entity && wanted(entry);
            return Some(*start + entries[*start..end].iter().rposition(is_it)?);
        }
        let index = index.get_or_insert_default();
        let first = (*indexed).max(*start);
        for (place, entry) in (first + 1..).zip(&mut entries[first..end]) {
            let place = u32::try_from(place).expect("fewer components are told of at a time");
            entry.before = index.insert(entry.entity, place).unwrap_or(0);
        }
        *indexed = end;
        let mut next = index.get(entity).copied().unwrap_or(0);
        while let Some(place) = (next as usize).checked_sub(1) {
            if wanted(&entries[place]) {
                return Some(place);
            }
            next = entries[place].before;
        }
        None
    }

    /// The last entry of this entity of which this is true, and its frame.
    pub(super) fn find(
        &mut self,
        entity: Entity,
        wanted: impl Fn(Operation, &Entry) -> bool,
    ) -> Option<(usize, usize)> {
        (0..self.frames.len()).rev().find_map(|at| {
            let operation = self.frames[at].operation;
            let found = self.find_in(at, entity, |entry| wanted(operation, entry))?;
            Some((at, found))
        })
    }

    /// Forgets an insertion of this component that nobody heard of: what it was.
    pub(super) fn forget(&mut self, entity: Entity, number: u32) -> Option<Kind> {
        let (_, found) = self.find(entity, |operation, entry| {
            operation == Operation::Insertion
                && entry.number == number
                && entry.stage == Stage::Unheard
        })?;
        let entry = &mut self.entries[found];
        entry.stage = Stage::Done;
        Some(entry.kind)
    }

    /// What a note tells, when it merges with an insertion that nobody heard of.
    #[inline]
    pub(super) fn merge(&mut self, note: &Note) -> Kind {
        let is_first = self.frames.is_empty();
        let forgotten = if is_first { None } else { self.forget(note.entity, note.number) };
        let is_new = note.is_new || forgotten == Some(Kind::Insert);
        if is_new { Kind::Insert } else { Kind::Update }
    }

    /// The numbers of this entity's entries in a frame, the last one first.
    pub(super) fn numbers(&mut self, at: usize, entity: Entity) -> Vec<u32> {
        let mut numbers = Vec::new();
        while let Some(found) = self.find_in(at, entity, |entry| !numbers.contains(&entry.number)) {
            numbers.push(self.entries[found].number);
        }
        numbers
    }

    /// Closes the entries of this entity in a frame of which all were told: the components that go.
    pub(super) fn close_heard(&mut self, at: usize, entity: Entity) -> Vec<u32> {
        let mut numbers = Vec::new();
        while let Some(found) = self.find_in(at, entity, |entry| entry.stage == Stage::Heard) {
            let entry = &mut self.entries[found];
            entry.stage = Stage::Done;
            if entry.goes() && entry.number != WHOLE {
                numbers.push(entry.number);
            }
        }
        numbers
    }

    pub(super) fn memory(&self) -> usize {
        self.frames.capacity() * size_of::<Frame>() + self.entries.capacity() * size_of::<Entry>()
    }
}

impl Entry {
    pub(super) const fn topic(&self, at_once: bool) -> Topic {
        Topic { number: self.number, kind: self.kind, at_once }
    }

    pub(super) const fn goes(&self) -> bool {
        matches!(self.kind, Kind::Remove)
    }

    /// Whether somebody was told of it, and it is not complete.
    pub(super) const fn is_open(&self) -> bool {
        !matches!(self.stage, Stage::Unheard | Stage::Done)
    }
}
