//! Readers of changes, collectors and queues of events, beside naive lists.

use super::components::*;
use super::expected::{Content, Note, What};
use super::op::Queue;
use super::place::Place;
use super::venom;
use ecs::{
    CollectorId, Entity, EntitySet, EventCursor, Events, Inserted, PlanKind, Removed, Tracked,
    Updated, Without, World,
};
use std::collections::{BTreeMap, BTreeSet};
use std::mem;

/// Advances a reader of changes, and may add to each `Marked` of a changed entity with a `Tag`. Returns the inserted, the
/// changed and the removed entities.
pub type Reader = Box<dyn FnMut(&mut World, Option<PlanKind>, bool) -> [Vec<Entity>; 3]>;

pub fn reader<T: Tracked>(world: &mut World) -> Reader {
    let mut changes = world.changes::<T>();
    Box::new(move |world, plan, writes| {
        world.advance(&mut changes);
        let among = |set: &EntitySet| -> Vec<Entity> {
            let view = world.view::<&T>().with_plan(plan).among(set);
            view.iter().map(|(entity, _)| entity).collect()
        };
        let removed = changes.removed().to_vec();
        let found = [among(changes.inserted()), among(changes.changed()), removed];
        if writes {
            mark(world, changes.changed());
        }
        found
    })
}

/// Changes the marked ones among these entities.
fn mark(world: &mut World, changed: &EntitySet) {
    let view = world.view_mut::<&mut Marked>().among(changed).with::<Tag>();
    view.for_each(|(_, marked)| marked.0 += 1);
}

/// Returns a reader of the component without a type.
pub fn kind_reader(world: &mut World) -> Reader {
    let kind = venom::kind(0);
    let mut changes = world.kind_changes(kind).unwrap();
    Box::new(move |world, _, writes| {
        world.advance_kind(&mut changes);
        let among = |set: &EntitySet| -> Vec<Entity> {
            let all = world.entities_in(set);
            all.filter(|entity| world.kind_value(kind, *entity).is_some()).collect()
        };
        let removed = changes.removed().to_vec();
        let found = [among(changes.inserted()), among(changes.changed()), removed];
        if writes {
            mark(world, changes.changed());
        }
        found
    })
}

impl Place {
    pub fn advance(&mut self, at: usize, writes: bool) {
        let Self { world, model, readers, hazy, .. } = self;
        let plans = [None, Some(PlanKind::Words), Some(PlanKind::Dense)];
        let (reader, comp, seen) = &mut readers[at];
        let [inserted, changed, mut removed] =
            reader(world, plans[(model.time % 3) as usize], writes);
        let (then, comp) = (mem::replace(seen, model.time), *comp);
        let shown = |list: Vec<Entity>| {
            let set: BTreeSet<_> = list.iter().copied().collect();
            assert_eq!(set.len(), list.len(), "each once");
            set
        };
        let since = |at: fn(&(u64, u64)) -> u64| -> BTreeSet<Entity> {
            let marks = model.marks.iter().filter(|(key, times)| key.0 == comp && at(times) > then);
            marks.map(|((_, entity), _)| *entity).collect()
        };
        let (inserted, changed) = (shown(inserted), shown(changed));
        assert_eq!(inserted, since(|times| times.0), "inserted");
        let expected = since(|times| times.1);
        if then < *hazy {
            assert!(changed.is_superset(&expected), "changed");
        } else {
            assert_eq!(changed, expected, "changed");
        }
        let lost = model.lost.iter().filter(|it| it.0 > then && it.1 == comp);
        let mut lost: Vec<Entity> = lost.map(|it| it.2).collect();
        lost.sort();
        removed.sort();
        assert_eq!(removed, lost, "removed");
        let oldest = readers.iter().map(|it| it.2).min().unwrap_or(0);
        model.lost.retain(|it| it.0 > oldest);
        for entity in changed.into_iter().filter(|_| writes) {
            let value = model.content.value(entity, Comp::Marked);
            if let Some(value) = value.filter(|_| model.content.has(entity, Comp::Tag)) {
                model.write(entity, Comp::Marked, value + 1);
            }
        }
    }
}

/// A collector, and the entities that it has listed.
pub struct Collector {
    id: CollectorId,
    comp: Comp,
    /// The notifications that it lists.
    whats: &'static [What],
    /// `true` if entities with a `Tag` are not drained.
    is_filtered: bool,
    /// The entities, and whether one of their notifications was of a removal.
    listed: BTreeMap<Entity, bool>,
}

impl Collector {
    pub fn new(world: &mut World, comp: Comp, way: u8) -> Self {
        let (id, whats): (_, &[What]) = typed!(comp, T => match way {
            0 => (world.collector::<Inserted<T>>(), &[What::Insert]),
            1 => (
                world.collector::<(Inserted<T>, Updated<T>, Without<Tag>)>(),
                &[What::Insert, What::Update],
            ),
            2 => (world.collector::<Removed<T>>(), &[What::Remove]),
            _ => (world.collector::<(Inserted<T>, Removed<T>)>(), &[What::Insert, What::Remove]),
        });
        Self { id, comp, whats, is_filtered: way == 1, listed: BTreeMap::new() }
    }

    pub fn list(&mut self, notes: &[Note]) {
        for (what, comp, entity) in notes {
            if *comp == self.comp && self.whats.contains(what) {
                *self.listed.entry(*entity).or_default() |= *what == What::Remove;
            }
        }
    }

    /// The content of the world was replaced.
    pub fn forget(&mut self) {
        self.listed.clear();
    }

    pub fn drain(&mut self, world: &mut World, content: &Content) {
        let mut drained = world.drain(self.id);
        drained.sort_unstable();
        let is_filtered = self.is_filtered;
        self.listed.retain(|entity, is_removed| {
            (*is_removed || content.is_alive(*entity))
                && !(is_filtered && content.has(*entity, Comp::Tag))
        });
        assert!(drained.iter().eq(self.listed.keys()), "collected: {drained:?}");
        self.listed.clear();
        assert!(world.drain(self.id).is_empty());
    }

    pub fn end(self, world: &mut World) {
        assert!(world.unobserve(self.id) && !world.unobserve(self.id));
    }
}

/// All events that were sent to a queue, and its readers.
#[derive(Clone, Default)]
pub struct Sent {
    all: Vec<u64>,
    /// The events before these are gone; those before the second number were sent before the last update.
    from: usize,
    updated: usize,
    readers: [(EventCursor, usize); 2],
    /// The number of copies of the queue, one of the other, since each reader read.
    copies: [usize; 2],
}

impl Sent {
    /// The number of events that a queue keeps.
    const LIMIT: usize = 20;
    /// A reader goes on in a copy of a copy, up to this many times.
    const MOST_COPIES: usize = 8;

    /// Returns the events that were sent to a copy of the queue.
    pub fn copied(&self) -> Self {
        Self { copies: self.copies.map(|copies| copies + 1), ..self.clone() }
    }

    pub const fn queue() -> Events<u64> {
        Events::with_limit(Self::LIMIT)
    }

    pub fn send(&mut self, event: u64) {
        self.all.push(event);
        self.from = self.from.max(self.all.len().saturating_sub(Self::LIMIT));
    }

    /// Returns the events that are in the queue.
    pub fn present(&self) -> &[u64] {
        &self.all[self.from..]
    }

    pub fn call(&mut self, queue: &mut Events<u64>, call: Queue) {
        match call {
            Queue::Send(first, count) => {
                let events = first..first + u64::from(count);
                queue.extend(events.clone());
                events.for_each(|event| self.send(event));
            }
            Queue::Update => {
                queue.update();
                self.from = self.from.max(self.updated);
                self.updated = self.all.len();
            }
            Queue::Read(at) => {
                let (cursor, seen) = &mut self.readers[at];
                if mem::take(&mut self.copies[at]) > Self::MOST_COPIES {
                    (*cursor, *seen) = (queue.cursor_at_end(), self.all.len());
                }
                let unread = queue.read(cursor);
                assert_eq!(unread.missed(), self.from.saturating_sub(*seen) as u64, "missed");
                assert!(unread.eq(&self.all[self.from.max(*seen)..]));
                *seen = self.all.len();
            }
            Queue::Drain => {
                assert!(queue.drain().eq(self.present().iter().copied()));
                self.from = self.all.len();
            }
        }
        assert!(queue.iter_kept().eq(self.present()));
    }
}
