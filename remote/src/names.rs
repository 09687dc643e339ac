//! Names of components and resources in requests and answers.
//!
//! A request names a component by the name under which it is saved, by the full name of its type, or as it is declared.
//! The answer uses the name of the request; without one, the full name of the type.

use crate::error::Error;
use ecs::by_name::{Kind, ResourceKind};
use ecs::{ChildOf, Entity, Name, World};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// The names in Bevy of components that the library has too.
const ALIASES: [&str; 4] = [
    "bevy_ecs::name::Name",
    "bevy_core::name::Name",
    "bevy_ecs::hierarchy::ChildOf",
    "bevy_hierarchy::components::parent::Parent",
];

/// Returns the component of this name.
pub(crate) fn kind(world: &World, name: &str) -> Result<Kind, Error> {
    match ALIASES.iter().position(|alias| *alias == name) {
        Some(0 | 1) => Ok(Kind::of::<Name>()),
        Some(_) => Ok(Kind::of::<ChildOf>()),
        None => Ok(world.kind(name)?),
    }
}

/// Returns the resource of this name.
pub(crate) fn resource(world: &World, name: &str) -> Result<ResourceKind, Error> {
    Ok(world.resource_kind(name)?)
}

/// Returns the shortest name that finds a component: the declared one, if no other component has it.
pub(crate) fn short(world: &World, kind: Kind) -> &'static str {
    if world.kind(kind.name()) == Ok(kind) { kind.name() } else { kind.type_name() }
}

/// Returns an entity's component as JSON: as it is saved, or the text of its `Debug`; `None` if the
/// entity lacks it. A parent that is requested by its name in Bevy is a number.
pub(crate) fn value(
    world: &World,
    entity: Entity,
    kind: Kind,
    name: &str,
) -> Option<Result<Box<RawValue>, Error>> {
    let value = world.kind_value(kind, entity)?;
    if kind == Kind::of::<ChildOf>()
        && ALIASES.contains(&name)
        && let Some(parent) = value.get::<ChildOf>()
    {
        return Some(raw(&parent.0.to_bits()));
    }
    Some(match (value.as_serialize(), value.as_debug()) {
        (Some(value), _) => raw(value),
        (None, Some(value)) => raw(&format!("{value:?}")),
        (None, None) => raw(&()),
    })
}

/// Returns a value as JSON.
pub(crate) fn raw(value: &(impl Serialize + ?Sized)) -> Result<Box<RawValue>, Error> {
    Ok(to_raw_value(value)?)
}
