//! Watches: requests that are answered again and again, whenever something has changed.

use crate::budget::{Budget, Stop};
use crate::error::Error;
use crate::methods::each_once;
use crate::methods::edit::unknown_event;
use crate::methods::query::{GetComponents, component, names_of};
use crate::names;
use crate::out::{Out, text};
use crate::protocol::Protocol;
use ecs::by_name::KindChanges;
use ecs::{Entity, ObserverId, World};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// The most entities that a message of changes names.
const MOST_NAMED: usize = 100;
/// Changes are collected for so long.
const PACE: Duration = Duration::from_millis(100);
/// The most events that wait for a client. It misses further ones.
const MOST_EVENTS: usize = 256;

/// The bytes of a message of a watch, but for the last component in it.
pub(crate) const MESSAGE: usize = 256 << 10;

/// A watch, and the last values that it sent to its client.
pub(crate) enum Watch {
    Components(Components),
    Names { entity: Entity, last: BTreeSet<&'static str> },
    Changes { changes: Box<KindChanges>, next: Instant },
    Events { observer: ObserverId, events: Receiver<String>, waiting: Arc<[AtomicUsize; 2]> },
}

/// A watch of components. It looks at them one after another, over as many frames as that takes.
pub(crate) struct Components {
    entity: Entity,
    names: Vec<String>,
    is_strict: bool,
    /// The hashes of the values that were sent.
    last: Vec<Option<u64>>,
    /// The components that had an error the last time.
    wrong: Vec<String>,
    at: usize,
    changed: Out,
    removed: Vec<String>,
    errors: BTreeMap<String, Error>,
}

impl Components {
    fn news(&mut self, world: &World, budget: &Budget) -> Result<Option<Out>, Stop> {
        while self.at < self.names.len() && self.changed.len() < MESSAGE {
            self.look(world, budget)?;
            self.at += 1;
            if budget.is_turn_over() {
                return Ok(None);
            }
        }
        let has_ended = self.at == self.names.len();
        let is_wrong = has_ended && !self.errors.keys().eq(&self.wrong);
        let is_news = is_wrong || self.changed.len() > 0 || !self.removed.is_empty();
        let news = if is_news { Some(self.write(budget)?) } else { None };
        if has_ended {
            self.at = 0;
            self.wrong = std::mem::take(&mut self.errors).into_keys().collect();
        }
        Ok(news)
    }

    /// Compares a component with the value that was sent last.
    fn look(&mut self, world: &World, budget: &Budget) -> Result<(), Stop> {
        let (name, last) = (&self.names[self.at], &mut self.last[self.at]);
        let mut found = Out::default();
        let is_there = budget.piece(|| {
            budget.take_values(1)?;
            component(world, self.entity, name, (&mut found, budget))
        })?;
        match is_there {
            Ok(()) => {
                let hash = hash(&found);
                if last.replace(hash) != Some(hash) {
                    if self.changed.len() > 0 {
                        self.changed.push(",");
                    }
                    self.changed.mark();
                    self.changed.push(&found.into_text()?);
                }
            }
            Err(error) => {
                if last.take().is_some() {
                    self.removed.push(name.clone());
                }
                if !self.is_strict {
                    self.errors.insert(name.clone(), error);
                } else if error.code != Error::COMPONENT_NOT_PRESENT {
                    return Err(error.into());
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, budget: &Budget) -> Result<Out, Stop> {
        let (removed, errors) =
            budget.piece(|| Ok((text(&self.removed, budget)??, text(&self.errors, budget)??)))?;
        self.removed.clear();
        let changed = std::mem::take(&mut self.changed).into_text()?;
        let errors = if self.is_strict { String::new() } else { format!(",\"errors\":{errors}") };
        Ok(Out::from(format!("{{\"components\":{{{changed}}},\"removed\":{removed}{errors}}}")))
    }
}

fn hash(out: &Out) -> u64 {
    let mut hasher = DefaultHasher::new();
    out.parts().for_each(|part| hasher.write(part));
    hasher.finish()
}

/// Events that wait for a client, as JSON. It misses further ones.
pub(crate) struct EventQueue {
    sender: SyncSender<String>,
    /// The bytes of the waiting events, and their number.
    waiting: Arc<[AtomicUsize; 2]>,
}

impl EventQueue {
    /// Adds an event, if there is room for it. Without room, it is not even written.
    pub(crate) fn put(&self, event: &impl Serialize) {
        struct Room(Vec<u8>, usize);
        impl io::Write for Room {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                if bytes.len() > self.1 - self.0.len() {
                    return Err(io::ErrorKind::QuotaExceeded.into());
                }
                self.0.extend_from_slice(bytes);
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let [bytes, count] = &*self.waiting;
        let mut room = Room(Vec::new(), MESSAGE.saturating_sub(bytes.load(Ordering::Relaxed)));
        if count.load(Ordering::Relaxed) < MOST_EVENTS
            && serde_json::to_writer(&mut room, event).is_ok()
            && let Ok(text) = String::from_utf8(room.0)
        {
            let len = text.len();
            if self.sender.try_send(text).is_ok() {
                bytes.fetch_add(len, Ordering::Relaxed);
                count.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

#[derive(Deserialize)]
struct One {
    entity: Entity,
}

#[derive(Deserialize)]
struct Component {
    component: String,
}

#[derive(Deserialize)]
struct Event {
    event: String,
    entity: Option<Entity>,
}

impl Watch {
    pub(crate) fn new(
        protocol: &Protocol,
        world: &mut World,
        method: &str,
        params: &Value,
    ) -> Result<Self, Stop> {
        fn read<'de, P: Deserialize<'de>>(params: &'de Value) -> Result<P, Error> {
            P::deserialize(params).map_err(Error::invalid_params)
        }
        match method {
            "world.get_components+watch" => {
                let GetComponents { entity, components, strict } = read(params)?;
                if !world.is_alive(entity) {
                    return Err(Error::no_entity(entity).into());
                }
                let names = each_once(components)?;
                Ok(Self::Components(Components {
                    entity,
                    is_strict: strict,
                    last: vec![None; names.len()],
                    names,
                    wrong: Vec::new(),
                    at: 0,
                    changed: Out::default(),
                    removed: Vec::new(),
                    errors: BTreeMap::new(),
                }))
            }
            "world.list_components+watch" => {
                let One { entity } = read(params)?;
                if !world.is_alive(entity) {
                    return Err(Error::no_entity(entity).into());
                }
                Ok(Self::Names { entity, last: BTreeSet::new() })
            }
            "ecs.changes+watch" => {
                let Component { component } = read(params)?;
                let kind = names::kind(world, &component)?;
                let changes = Box::new(world.kind_changes(kind)?);
                Ok(Self::Changes { changes, next: Instant::now() })
            }
            "world.observe+watch" => {
                let Event { event, entity } = read(params)?;
                let known = protocol.options.events.iter().find(|known| known.name == event);
                let observe =
                    known.and_then(|known| known.observe).ok_or_else(|| unknown_event(&event))?;
                if let Some(entity) = entity.filter(|entity| !world.is_alive(*entity)) {
                    return Err(Error::no_entity(entity).into());
                }
                let (sender, events) = sync_channel(MOST_EVENTS);
                let waiting = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
                let queue = EventQueue { sender, waiting: Arc::clone(&waiting) };
                Ok(Self::Events { observer: observe(world, entity, queue), events, waiting })
            }
            _ => Err(Stop::Failed(Error::new(
                Error::METHOD_NOT_FOUND,
                format_args!("Method `{method}` not found"),
            ))),
        }
    }

    /// Returns the news for the client; `None` if there are none, or not yet.
    pub(crate) fn news(&mut self, world: &mut World, budget: &Budget) -> Result<Option<Out>, Stop> {
        match self {
            Self::Components(Components { entity, .. }) | Self::Names { entity, .. }
                if !world.is_alive(*entity) =>
            {
                Err(Error::no_entity(*entity).into())
            }
            Self::Components(components) => components.news(world, budget),
            Self::Names { entity, last } => {
                let names: BTreeSet<&str> = names_of(world, *entity).into_iter().collect();
                budget.piece(|| budget.take_values(1 + names.len()))?;
                let added: Vec<&&str> = names.difference(last).collect();
                let removed: Vec<&&str> = last.difference(&names).collect();
                if added.is_empty() && removed.is_empty() {
                    return Ok(None);
                }
                let news = json!({ "added": added, "removed": removed });
                *last = names;
                Ok(Some(short(&news, budget)))
            }
            Self::Changes { next, .. } if Instant::now() < *next => Ok(None),
            Self::Changes { changes, next } => {
                // They are found by words of bits, and cannot be read twice: they are paid first.
                let members = world.kind_entities(changes.kind()).len();
                budget.piece(|| budget.take_values(1 + members / 16))?;
                *next = Instant::now() + PACE;
                world.advance_kind(changes);
                let name = |all: &mut dyn Iterator<Item = Entity>, count: usize| json!({ "count": count, "entities": all.take(MOST_NAMED).collect::<Vec<Entity>>() });
                let (inserted, changed) = (changes.inserted(), changes.changed());
                let removed = changes.removed();
                if inserted.is_empty() && changed.is_empty() && removed.is_empty() {
                    return Ok(None);
                }
                let news = json!({
                    "inserted": name(&mut world.entities_in(inserted), inserted.len()),
                    "changed": name(&mut world.entities_in(changed), changed.len()),
                    "removed": name(&mut removed.iter().copied(), removed.len()),
                });
                Ok(Some(short(&news, budget)))
            }
            Self::Events { events, waiting, .. } => {
                let mut news = Out::from("[");
                while let Ok(text) = events.try_recv() {
                    waiting[0].fetch_sub(text.len(), Ordering::Relaxed);
                    waiting[1].fetch_sub(1, Ordering::Relaxed);
                    budget.spend_bytes(text.len());
                    news.push(if news.len() > 1 { "," } else { "" });
                    news.push(&text);
                    if budget.is_turn_over() {
                        break;
                    }
                }
                news.push("]");
                Ok((news.len() > 2).then_some(news))
            }
        }
    }

    /// Ends the watch.
    pub(crate) fn end(&mut self, world: &mut World) {
        if let Self::Events { observer, .. } = self {
            world.unobserve(*observer);
        }
    }
}

/// Returns a short message, whose entities are limited.
fn short(news: &Value, budget: &Budget) -> Out {
    let mut out = Out::default();
    out.put(news, budget);
    out
}
