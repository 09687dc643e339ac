//! Names of components and resources in requests and answers.
//!
//! A request names a component by the name under which it is saved, by the full name of its type, or as it is declared.
//! The answer uses the name of the request; without one, the full name of the type.

use crate::budget::{Budget, Stop};
use crate::error::Error;
use crate::out::{Out, debug_text};
use ecs::by_name::{Kind, ResourceKind};
use ecs::{ChildOf, Entity, Name, World};

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

/// Appends an entity's component as JSON: as it is saved, or the text of its `Debug`. Returns `None` if the entity lacks
/// it. The inner error is about a value that JSON cannot write. A parent that is requested by its name in Bevy is a number.
pub(crate) fn write(
    world: &World,
    entity: Entity,
    kind: Kind,
    name: &str,
    (out, budget): (&mut Out, &Budget),
) -> Result<Option<Result<(), Error>>, Stop> {
    budget.take_values(1)?;
    let Some(value) = world.kind_value(kind, entity) else { return Ok(None) };
    if kind == Kind::of::<ChildOf>()
        && ALIASES.contains(&name)
        && let Some(parent) = value.get::<ChildOf>()
    {
        return Ok(Some(out.write(&parent.0.to_bits(), budget)?));
    }
    let written = match (value.as_serialize(), value.as_debug()) {
        (Some(value), _) => out.write(value, budget)?,
        (None, Some(value)) => out.write(&debug_text(value, budget)?, budget)?,
        (None, None) => out.write(&(), budget)?,
    };
    Ok(Some(written.map_err(|error| named(kind.name(), &error))))
}

/// Returns the text of a component, as [`write`] appends it.
pub(crate) fn text(
    world: &World,
    entity: Entity,
    kind: Kind,
    name: &str,
    budget: &Budget,
) -> Result<Option<Result<String, Error>>, Stop> {
    let mut out = Out::default();
    let written = write(world, entity, kind, name, (&mut out, budget))?;
    Ok(written.map(|written| written.and_then(|()| out.into_text())))
}

/// Adds the name of a component or a resource to an error about its value.
pub(crate) fn named(name: &str, error: &Error) -> Error {
    Error::new(error.code, format_args!("`{name}` {}", error.message))
}
