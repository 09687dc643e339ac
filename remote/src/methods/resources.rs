//! Resources.

use crate::budget::{Budget, Stop};
use crate::error::Error;
use crate::methods::edit::{explain, weigh_text};
use crate::methods::{done, edited};
use crate::names;
use crate::out::Out;
use crate::parts::{Part, parts};
use crate::patch::{NewValue, patch};
use crate::protocol::{Call, Outcome};
use ecs::World;
use ecs::by_name::ResourceKind;
use serde::Deserialize;

pub(super) fn list(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let all = call.world.resource_kinds().into_iter();
    let there = all.filter(|kind| call.world.has_resource_kind(*kind));
    done(call, &there.map(ResourceKind::type_name).collect::<Vec<_>>())
}

pub(super) fn all(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let kinds = call.world.resource_kinds();
    call.budget.take_values(kinds.len())?;
    Ok(parts("[", move |call, at, out| {
        let Some(kind) = kinds.get(at).copied() else { return Ok(Part::End("]".into())) };
        if !call.world.has_resource_kind(kind) {
            return Ok(Part::Skipped);
        }
        let (name, budget) = (kind.type_name(), call.budget);
        out.push("{\"name\":");
        out.put(&name, budget);
        out.push(",\"value\":");
        let written = out.or_null(budget, |out| write(call.world, kind, out, budget))?;
        if written.is_none() {
            out.push("null");
        }
        out.push(&format!(",\"is_saved\":{}", written.is_some()));
        out.put_error(written.and_then(Result::err), budget);
        out.push("}");
        Ok(Part::Written)
    }))
}

/// Appends the value of a resource. Returns `None` if it is not saved. The inner error is about a value that JSON cannot
/// write.
fn write(
    world: &World,
    kind: ResourceKind,
    out: &mut Out,
    budget: &Budget,
) -> Result<Option<Result<(), Error>>, Stop> {
    let Some(value) = world.resource_kind_value(kind) else { return Ok(None) };
    let written = out.write(&value, budget)?;
    Ok(Some(written.map_err(|error| names::named(kind.name(), &error))))
}

#[derive(Deserialize)]
struct Named {
    resource: String,
}

pub(super) fn get(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Named { resource } = call.params()?;
    let kind = names::resource(call.world, &resource)?;
    let mut out = Out::from("{\"value\":");
    match write(call.world, kind, &mut out, call.budget)? {
        Some(written) => written?,
        None => return Err(absent(call.world, kind, &resource).into()),
    }
    out.push("}");
    Ok(Outcome::Done(out))
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

pub(super) fn insert(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Edit { resource, path: _, new } = call.params()?;
    put(call, names::resource(call.world, &resource)?, &new.text()?)
}

pub(super) fn mutate(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Edit { resource, path, new } = call.params()?;
    let kind = names::resource(call.world, &resource)?;
    let new = new.text()?;
    let mut found = Out::default();
    match write(call.world, kind, &mut found, call.budget)? {
        Some(written) => written?,
        None => return Err(absent(call.world, kind, &resource).into()),
    }
    let whole = patch(&found.into_text()?, &path, &new, call.budget)?;
    put(call, kind, &whole).map_err(|stop| match stop {
        Stop::Failed(error) => Stop::Failed(explain(error)),
        Stop::Later => Stop::Later,
    })
}

fn put(call: &mut Call<'_>, kind: ResourceKind, text: &str) -> Result<Outcome, Stop> {
    call.budget.take(weigh_text(text))?;
    call.world.insert_resource_kind(kind, &mut serde_json::Deserializer::from_str(text))?;
    edited(call, &())
}

pub(super) fn remove(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Named { resource } = call.params()?;
    call.world.remove_resource_kind(names::resource(call.world, &resource)?)?;
    edited(call, &())
}
