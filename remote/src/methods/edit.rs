//! Edits of entities.

use crate::budget::{Budget, Stop, Work};
use crate::error::Error;
use crate::methods::{
    MOST_NAMES, check_alive, check_all, check_count, each_once, edited, kind, kinds,
    pay_for_removal, pay_for_trees,
};
use crate::names;
use crate::out::text;
use crate::patch::{NewValue, count_values, patch};
use crate::protocol::{Call, Outcome};
use ecs::by_name::{Kind, KindError, Values};
use ecs::{ChildOf, Entity, RemoveError, World};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Deserialize)]
struct Spawn {
    components: Map<String, Value>,
}

pub(super) fn spawn(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Spawn { components } = call.params()?;
    let values = read(call, components)?;
    let entity = call.world.spawn_values(values)?;
    edited(call, &json!({ "entity": entity.to_bits() }))
}

#[derive(Deserialize)]
struct Insert {
    entity: Entity,
    components: Map<String, Value>,
}

pub(super) fn insert(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Insert { entity, components } = call.params()?;
    check_alive(call, entity)?;
    let values = read(call, components)?;
    call.world.insert_values(entity, values)?;
    edited(call, &())
}

/// Reads values of components, and inserts none yet.
fn read(call: &mut Call<'_>, components: Map<String, Value>) -> Result<Values, Stop> {
    check_count(components.len(), "components", MOST_NAMES)?;
    let mut values = Values::new();
    for (name, value) in components {
        let kind = kind(call, &name)?;
        let text = serde_json::to_string(&value)?;
        read_text(call.world, &mut values, (kind, &text), call.budget)?;
    }
    Ok(values)
}

#[derive(Deserialize)]
struct Mutate {
    entity: Entity,
    component: String,
    #[serde(default)]
    path: String,
    #[serde(flatten)]
    new: NewValue,
}

pub(super) fn mutate(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Mutate { entity, component, path, new } = call.params()?;
    check_alive(call, entity)?;
    let kind = kind(call, &component)?;
    let new = new.text()?;
    let found = saved_value(call.world, entity, (kind, &component), call.budget)?;
    let whole = patch(&found, &path, &new, call.budget)?;
    let mut values = Values::new();
    read_text(call.world, &mut values, (kind, &whole), call.budget).map_err(explained)?;
    call.world.insert_values(entity, values)?;
    edited(call, &())
}

/// Returns an entity's component as the text of JSON. Returns an error if the entity lacks it, or it is not saved.
pub(super) fn saved_value(
    world: &World,
    entity: Entity,
    (kind, name): (Kind, &str),
    budget: &Budget,
) -> Result<String, Stop> {
    let found = world.kind_value(kind, entity).ok_or_else(|| {
        Error::new(
            Error::COMPONENT_NOT_PRESENT,
            format_args!("Component `{name}` not present in entity {entity}"),
        )
    })?;
    match found.as_serialize() {
        Some(value) => Ok(text(value, budget)?.map_err(|error| names::named(name, &error))?),
        None => Err(KindError::NotAllowed(kind.name(), "save = \"name\"").into()),
    }
}

/// Returns the work of reading a text of JSON.
pub(super) fn weigh_text(text: &str) -> Work {
    Work { bytes: text.len(), values: count_values(text.as_bytes()) }
}

/// Reads the text of a value.
pub(super) fn read_text(
    world: &mut World,
    values: &mut Values,
    (kind, text): (Kind, &str),
    budget: &Budget,
) -> Result<(), Stop> {
    budget.take(weigh_text(text))?;
    // Clients write a struct without fields as `{}`, and serde as `null`.
    if text == "{}" && values.read(world, kind, Value::Null).is_ok() {
        return Ok(());
    }
    Ok(values.read(world, kind, &mut serde_json::Deserializer::from_str(text))?)
}

/// Adds the possible reason to the error of a value, one of whose fields was replaced.
pub(super) fn explained(stop: Stop) -> Stop {
    match stop {
        Stop::Failed(error) => Stop::Failed(explain(error)),
        Stop::Later => Stop::Later,
    }
}

/// Adds the possible reason to an error of a value, if one of its fields was replaced.
pub(super) fn explain(mut error: Error) -> Error {
    if error.message.contains("invalid type: null") {
        error.message += "; JSON has no infinite numbers, so insert the whole value if it has one";
    }
    error
}

#[derive(Deserialize)]
struct Remove {
    entity: Entity,
    components: Vec<String>,
}

pub(super) fn remove(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Remove { entity, components } = call.params()?;
    check_alive(call, entity)?;
    let components = each_once(components)?;
    let kinds = kinds(call, &components)?;
    for kind in &kinds {
        pay_for_removal(call.world, entity, *kind, call.budget)?;
    }
    let mut taken = Vec::new();
    for kind in kinds {
        match call.world.take_kind(kind, entity) {
            Ok(value) => taken.push(value),
            Err(RemoveError::Missing(..)) => {}
            Err(error) => {
                let mut error = Error::from(error);
                for value in taken.into_iter().rev() {
                    if let Err((_, more)) = call.world.insert_value(entity, value) {
                        error = not_as_before(&error, more);
                    }
                }
                return Err(error.into());
            }
        }
    }
    edited(call, &())
}

/// Returns the error of an edit that could not be undone as a whole.
pub(super) fn not_as_before(error: &Error, more: impl std::fmt::Display) -> Error {
    let message = format!("{}; and not all is as before: {more}", error.message);
    Error::new(Error::INTERNAL, message)
}

#[derive(Deserialize)]
struct One {
    entity: Entity,
}

pub(super) fn despawn(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let One { entity } = call.params()?;
    pay_for_trees(call.world, &[entity], call.budget)?;
    call.world.despawn(entity)?;
    edited(call, &())
}

#[derive(Deserialize)]
struct Reparent {
    entities: Vec<Entity>,
    parent: Option<Entity>,
}

pub(super) fn reparent(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Reparent { entities, parent } = call.params()?;
    check_all(call, &entities)?;
    if let Some(parent) = parent {
        check_alive(call, parent)?;
        // A circle is found before anything has moved.
        let above: BTreeSet<Entity> =
            call.world.ancestors_of::<ChildOf>(parent).chain([parent]).collect();
        call.budget.take_values(above.len())?;
        if let Some(entity) = entities.iter().find(|entity| above.contains(entity)) {
            call.world.attach(*entity, parent)?;
        }
    }
    // The children of the parents before, in their orders.
    let before: BTreeSet<Entity> =
        entities.iter().filter_map(|entity| call.world.parent(*entity)).collect();
    let mut children = Vec::new();
    for parent in before {
        let all = call.world.children(parent);
        call.budget.take_values(all.len())?;
        children.push((parent, all.collect::<Vec<Entity>>()));
    }
    let mut moved = Vec::new();
    for entity in entities {
        let from = call.world.parent(entity);
        if parent.is_none() {
            call.world.detach(entity);
        }
        let attached = parent.map_or(Ok(()), |parent| call.world.attach(entity, parent));
        if let Err(error) = attached {
            return Err(move_back(call.world, moved, &children, error.into()).into());
        }
        moved.push((entity, from));
    }
    edited(call, &())
}

/// Moves entities back to their parents, and children to their places. Returns the error that made it necessary.
fn move_back(
    world: &mut World,
    moved: Vec<(Entity, Option<Entity>)>,
    children: &[(Entity, Vec<Entity>)],
    mut error: Error,
) -> Error {
    for (entity, parent) in moved.into_iter().rev() {
        match parent {
            Some(parent) => {
                if let Err(more) = world.attach(entity, parent) {
                    error = not_as_before(&error, more);
                }
            }
            None => drop(world.detach(entity)),
        }
    }
    for (parent, children) in children {
        let places: BTreeMap<Entity, usize> =
            children.iter().enumerate().map(|(at, child)| (*child, at)).collect();
        let place = |child: Entity| places.get(&child).copied().unwrap_or(usize::MAX);
        world.sort_related_by::<ChildOf>(*parent, |_, a, b| place(a).cmp(&place(b)));
    }
    error
}

#[derive(Deserialize)]
struct InsertDefault {
    entity: Entity,
    component: String,
}

pub(super) fn insert_default(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let InsertDefault { entity, component } = call.params()?;
    check_alive(call, entity)?;
    let kind = kind(call, &component)?;
    call.world.insert_kind_default(kind, entity)?;
    edited(call, &())
}

#[derive(Deserialize)]
struct Relate {
    entity: Entity,
    relation: String,
    target: Entity,
}

pub(super) fn relate(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Relate { entity, relation, target } = call.params()?;
    check_alive(call, entity)?;
    let kind = kind(call, &relation)?;
    if !kind.is_relation() {
        let text = format!("`{relation}` is not a relation");
        return Err(Error::invalid_params(text).into());
    }
    let mut values = Values::new();
    values.read(call.world, kind, json!(target))?;
    call.world.insert_values(entity, values)?;
    edited(call, &())
}

#[derive(Deserialize)]
struct Sent {
    #[serde(alias = "message")]
    event: String,
    entity: Option<Entity>,
    #[serde(default)]
    value: Value,
}

pub(super) fn trigger(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Sent { event, entity, value } = call.params()?;
    let known = call.protocol.options.events.iter().find(|known| known.name == event);
    let known = known.ok_or_else(|| unknown_event(&event))?;
    (known.send)(call.world, entity, value)?;
    edited(call, &())
}

pub(super) fn message(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Sent { event, entity, value } = call.params()?;
    let known = call.protocol.options.queues.iter().find(|known| known.name == event);
    let known = known.ok_or_else(|| unknown_event(&event))?;
    (known.send)(call.world, entity, value)?;
    edited(call, &())
}

pub(crate) fn unknown_event(name: &str) -> Error {
    Error::new(
        Error::RESOURCE_ERROR,
        format_args!(
            "Unknown event type: `{name}`: `Options::event` and `Options::queue` make events known"
        ),
    )
}
