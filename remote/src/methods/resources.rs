//! Resources.

use crate::error::Error;
use crate::methods::done;
use crate::methods::edit::explain;
use crate::names;
use crate::patch::{NewValue, patch};
use crate::protocol::{Call, Outcome};
use ecs::World;
use ecs::by_name::ResourceKind;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub(super) fn list(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let all = call.world.resource_kinds().into_iter();
    let there = all.filter(|kind| call.world.has_resource_kind(*kind));
    done(&there.map(ResourceKind::type_name).collect::<Vec<_>>())
}

/// A resource, as the inspector shows it.
#[derive(Serialize)]
struct Shows {
    name: &'static str,
    is_saved: bool,
    value: Option<Box<RawValue>>,
}

pub(super) fn all(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let world = &*call.world;
    let all = world.resource_kinds().into_iter().filter(|kind| world.has_resource_kind(*kind));
    let shown: Result<Vec<Shows>, Error> = all
        .map(|kind| {
            let value =
                world.resource_kind_value(kind).map(|value| names::raw(&value)).transpose()?;
            Ok(Shows { name: kind.type_name(), is_saved: value.is_some(), value })
        })
        .collect();
    done(&shown?)
}

#[derive(Deserialize)]
struct Named {
    resource: String,
}

#[derive(Serialize)]
struct Got<V> {
    value: V,
}

pub(super) fn get(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Named { resource } = call.params()?;
    let kind = names::resource(call.world, &resource)?;
    match call.world.resource_kind_value(kind) {
        Some(value) => done(&Got { value }),
        None => Err(absent(call.world, kind, &resource)),
    }
}

/// Returns why a resource has no value to be shown.
fn absent(world: &World, kind: ResourceKind, name: &str) -> Error {
    if world.has_resource_kind(kind) {
        return ecs::by_name::ResourceKindError::NotSaved(kind.type_name()).into();
    }
    Error::new(Error::RESOURCE_NOT_PRESENT, format_args!("Resource `{name}` not present"))
}

#[derive(Deserialize)]
struct Edit {
    resource: String,
    #[serde(default)]
    path: String,
    #[serde(flatten)]
    new: NewValue,
}

pub(super) fn insert(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Edit { resource, path: _, new } = call.params()?;
    put(call.world, names::resource(call.world, &resource)?, &new.raw()?)
}

pub(super) fn mutate(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Edit { resource, path, new } = call.params()?;
    let kind = names::resource(call.world, &resource)?;
    let new = new.raw()?;
    let found =
        call.world.resource_kind_value(kind).ok_or_else(|| absent(call.world, kind, &resource))?;
    let whole = patch(&names::raw(&found)?, &path, &new)?;
    put(call.world, kind, &whole).map_err(explain)
}

fn put(world: &mut World, kind: ResourceKind, text: &RawValue) -> Result<Outcome, Error> {
    world.insert_resource_kind(kind, &mut serde_json::Deserializer::from_str(text.get()))?;
    done(&())
}

pub(super) fn remove(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Named { resource } = call.params()?;
    call.world.remove_resource_kind(names::resource(call.world, &resource)?)?;
    done(&())
}
