//! Watches: requests that are answered again and again, whenever something has changed.

use crate::error::Error;
use crate::methods::edit::unknown_event;
use crate::methods::query::{GetComponents, components, names_of};
use crate::names;
use crate::protocol::Protocol;
use ecs::by_name::KindChanges;
use ecs::{Entity, ObserverId, World};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

/// The most entities that a message of changes names.
const MOST_NAMED: usize = 100;
/// Changes are collected for so long.
const PACE: Duration = Duration::from_millis(100);
/// The most events that wait for a client. It misses further ones.
const MOST_EVENTS: usize = 256;

/// A watch, and the last values that it sent to its client.
pub(crate) enum Watch {
    Components { params: GetComponents, last: BTreeMap<String, Box<RawValue>>, errors: Vec<String> },
    Names { entity: Entity, last: Vec<&'static str> },
    Changes { changes: Box<KindChanges>, next: Instant },
    Events { observer: ObserverId, events: Receiver<String> },
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

fn read<P: DeserializeOwned>(params: Value) -> Result<P, Error> {
    serde_json::from_value(params).map_err(Error::invalid_params)
}

impl Watch {
    pub(crate) fn new(
        protocol: &Protocol,
        world: &mut World,
        method: &str,
        params: Value,
    ) -> Result<Self, Error> {
        match method {
            "world.get_components+watch" => {
                let params: GetComponents = read(params)?;
                if !world.is_alive(params.entity) {
                    return Err(Error::no_entity(params.entity));
                }
                Ok(Self::Components { params, last: BTreeMap::new(), errors: Vec::new() })
            }
            "world.list_components+watch" => {
                let One { entity } = read(params)?;
                if !world.is_alive(entity) {
                    return Err(Error::no_entity(entity));
                }
                Ok(Self::Names { entity, last: Vec::new() })
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
                    return Err(Error::no_entity(entity));
                }
                let (sender, events) = sync_channel(MOST_EVENTS);
                Ok(Self::Events { observer: observe(world, entity, sender), events })
            }
            _ => Err(Error::new(
                Error::METHOD_NOT_FOUND,
                format_args!("Method `{method}` not found"),
            )),
        }
    }

    /// Returns the news for the client; `None` if there are none.
    pub(crate) fn news(&mut self, world: &mut World) -> Result<Option<Value>, Error> {
        match self {
            Self::Components { params, last, errors } => {
                if !world.is_alive(params.entity) {
                    return Err(Error::no_entity(params.entity));
                }
                let mut found = components(world, params);
                if params.strict {
                    found.errors.retain(|_, error| error.code != Error::COMPONENT_NOT_PRESENT);
                    if let Some((_, error)) = found.errors.pop_first() {
                        return Err(error);
                    }
                }
                let mut changed = Map::new();
                for (name, value) in &found.components {
                    if last.get(name).is_none_or(|last| last.get() != value.get()) {
                        changed.insert(name.clone(), serde_json::from_str(value.get())?);
                    }
                }
                let removed: Vec<String> = last
                    .keys()
                    .filter(|name| !found.components.contains_key(*name))
                    .cloned()
                    .collect();
                let wrong: Vec<String> = found.errors.keys().cloned().collect();
                if changed.is_empty() && removed.is_empty() && wrong == *errors {
                    return Ok(None);
                }
                (*last, *errors) = (found.components, wrong);
                let mut news = json!({ "components": changed, "removed": removed });
                if !params.strict {
                    news["errors"] = json!(found.errors);
                }
                Ok(Some(news))
            }
            Self::Names { entity, last } => {
                if !world.is_alive(*entity) {
                    return Err(Error::no_entity(*entity));
                }
                let names = names_of(world, *entity);
                let added: Vec<&str> =
                    names.iter().filter(|name| !last.contains(name)).copied().collect();
                let removed: Vec<&str> =
                    last.iter().filter(|name| !names.contains(name)).copied().collect();
                let is_news = !added.is_empty() || !removed.is_empty();
                let news = json!({ "added": added, "removed": removed });
                *last = names;
                Ok(is_news.then_some(news))
            }
            Self::Changes { next, .. } if Instant::now() < *next => Ok(None),
            Self::Changes { changes, next } => {
                *next = Instant::now() + PACE;
                world.advance_kind(changes);
                let name = |all: &mut dyn Iterator<Item = Entity>| {
                    let named: Vec<Entity> = all.take(MOST_NAMED).collect();
                    (named.len() + all.count(), named)
                };
                let (inserted, inserted_named) = name(&mut world.entities_in(changes.inserted()));
                let (changed, changed_named) = name(&mut world.entities_in(changes.changed()));
                let (removed, removed_named) = name(&mut changes.removed().iter().copied());
                let is_news = inserted + changed + removed > 0;
                Ok(is_news.then(|| {
                    json!({
                        "inserted": { "count": inserted, "entities": inserted_named },
                        "changed": { "count": changed, "entities": changed_named },
                        "removed": { "count": removed, "entities": removed_named },
                    })
                }))
            }
            Self::Events { events, .. } => {
                let texts: Vec<Value> =
                    events.try_iter().filter_map(|text| serde_json::from_str(&text).ok()).collect();
                Ok((!texts.is_empty()).then(|| texts.into()))
            }
        }
    }

    /// Ends the watch.
    pub(crate) fn end(self, world: &mut World) {
        if let Self::Events { observer, .. } = self {
            world.unobserve(observer);
        }
    }
}
