//! Edits of entities.

use crate::error::Error;
use crate::methods::{check_alive, done};
use crate::names;
use crate::patch::{NewValue, patch};
use crate::protocol::{Call, Outcome};
use ecs::by_name::{Kind, KindError, Values};
use ecs::{Entity, World};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

#[derive(Deserialize)]
struct Spawn {
    components: Map<String, Value>,
}

pub(super) fn spawn(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Spawn { components } = call.params()?;
    let values = read(call.world, components)?;
    let entity = call.world.spawn_values(values)?;
    done(&json!({ "entity": entity.to_bits() }))
}

#[derive(Deserialize)]
struct Insert {
    entity: Entity,
    components: Map<String, Value>,
}

pub(super) fn insert(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Insert { entity, components } = call.params()?;
    check_alive(call, entity)?;
    let values = read(call.world, components)?;
    call.world.insert_values(entity, values)?;
    done(&())
}

/// Reads values of components, and inserts none yet.
fn read(world: &mut World, components: Map<String, Value>) -> Result<Values, Error> {
    let mut values = Values::new();
    for (name, value) in components {
        let kind = names::kind(world, &name)?;
        read_text(world, &mut values, kind, &names::raw(&value)?)?;
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

pub(super) fn mutate(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Mutate { entity, component, path, new } = call.params()?;
    check_alive(call, entity)?;
    let kind = names::kind(call.world, &component)?;
    let new = new.raw()?;
    let found = saved_value(call.world, entity, kind, &component)?;
    let whole = patch(&found, &path, &new)?;
    let mut values = Values::new();
    read_text(call.world, &mut values, kind, &whole).map_err(explain)?;
    call.world.insert_values(entity, values)?;
    done(&())
}

/// Returns an entity's component as the text of JSON. Returns an error if the entity lacks it, or it is not saved.
pub(super) fn saved_value(
    world: &World,
    entity: Entity,
    kind: Kind,
    name: &str,
) -> Result<Box<RawValue>, Error> {
    let found = world.kind_value(kind, entity).ok_or_else(|| {
        Error::new(
            Error::COMPONENT_NOT_PRESENT,
            format_args!("Component `{name}` not present in entity {entity}"),
        )
    })?;
    match found.as_serialize() {
        Some(value) => names::raw(value),
        None => Err(KindError::NotAllowed(kind.name(), "save = \"name\"").into()),
    }
}

/// Reads the text of a value.
pub(super) fn read_text(
    world: &mut World,
    values: &mut Values,
    kind: Kind,
    text: &RawValue,
) -> Result<(), Error> {
    // Clients write a struct without fields as `{}`, and serde as `null`.
    let is_empty =
        serde_json::from_str::<Map<String, Value>>(text.get()).is_ok_and(|it| it.is_empty());
    if is_empty && values.read(world, kind, Value::Null).is_ok() {
        return Ok(());
    }
    Ok(values.read(world, kind, &mut serde_json::Deserializer::from_str(text.get()))?)
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

pub(super) fn remove(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Remove { entity, components } = call.params()?;
    check_alive(call, entity)?;
    let kinds: Result<Vec<Kind>, Error> =
        components.iter().map(|name| names::kind(call.world, name)).collect();
    for kind in kinds? {
        match call.world.remove_kind(kind, entity) {
            Ok(()) | Err(ecs::RemoveError::Missing(..)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    done(&())
}

#[derive(Deserialize)]
struct One {
    entity: Entity,
}

pub(super) fn despawn(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let One { entity } = call.params()?;
    call.world.despawn(entity)?;
    done(&())
}

#[derive(Deserialize)]
struct Reparent {
    entities: Vec<Entity>,
    parent: Option<Entity>,
}

pub(super) fn reparent(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Reparent { entities, parent } = call.params()?;
    for entity in entities.iter().chain(&parent) {
        check_alive(call, *entity)?;
    }
    for entity in entities {
        match parent {
            Some(parent) => call.world.attach(entity, parent)?,
            None => drop(call.world.detach(entity)),
        }
    }
    done(&())
}

#[derive(Deserialize)]
struct InsertDefault {
    entity: Entity,
    component: String,
}

pub(super) fn insert_default(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let InsertDefault { entity, component } = call.params()?;
    check_alive(call, entity)?;
    call.world.insert_kind_default(names::kind(call.world, &component)?, entity)?;
    done(&())
}

#[derive(Deserialize)]
struct Relate {
    entity: Entity,
    relation: String,
    target: Entity,
}

pub(super) fn relate(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Relate { entity, relation, target } = call.params()?;
    check_alive(call, entity)?;
    let kind = names::kind(call.world, &relation)?;
    if !kind.is_relation() {
        return Err(Error::invalid_params(format_args!("`{relation}` is not a relation")));
    }
    let mut values = Values::new();
    values.read(call.world, kind, json!(target))?;
    call.world.insert_values(entity, values)?;
    done(&())
}

#[derive(Deserialize)]
struct Sent {
    #[serde(alias = "message")]
    event: String,
    entity: Option<Entity>,
    #[serde(default)]
    value: Value,
}

pub(super) fn trigger(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Sent { event, entity, value } = call.params()?;
    let known = call.protocol.options.events.iter().find(|known| known.name == event);
    let known = known.ok_or_else(|| unknown_event(&event))?;
    (known.send)(call.world, entity, value)?;
    done(&())
}

pub(super) fn message(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Sent { event, entity, value } = call.params()?;
    let known = call.protocol.options.queues.iter().find(|known| known.name == event);
    let known = known.ok_or_else(|| unknown_event(&event))?;
    (known.send)(call.world, entity, value)?;
    done(&())
}

pub(crate) fn unknown_event(name: &str) -> Error {
    Error::new(
        Error::RESOURCE_ERROR,
        format_args!(
            "Unknown event type: `{name}`: `Options::event` and `Options::queue` make events known"
        ),
    )
}
