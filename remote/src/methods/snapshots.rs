//! Saved worlds that the server keeps.

use crate::budget::{Budget, Stop, Work};
use crate::error::Error;
use crate::measure::measure;
use crate::methods::{done, edited};
use crate::protocol::{Call, Outcome};
use ecs::World;
use ecs::save::Limits;
use serde::Deserialize;
use serde_json::{Value, json};

/// The most snapshots that are kept.
const MOST: usize = 16;

#[derive(Deserialize)]
struct Named {
    name: String,
}

/// A saved world.
#[derive(Debug)]
pub(crate) struct Snapshot {
    bytes: Vec<u8>,
    /// The number of its entities and components.
    values: usize,
}

pub(super) fn take(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Named { name } = call.params()?;
    let kept = &call.protocol.snapshots;
    if kept.len() == MOST && !kept.contains_key(&name) {
        let text =
            format!("{MOST} snapshots are kept at most: take one under a name that is there");
        return Err(Error::invalid_params(text).into());
    }
    // A save does not stop in the middle, so its price is found out first.
    let values = pay_for_world(call.world, call.budget)?;
    measure_world(call.world, call.budget)?;
    let mut bytes = Vec::new();
    let left_out = call
        .world
        .save()
        .leave_out_rest()
        .to_bytes(&mut bytes)
        .map_err(|error| Error::new(Error::INTERNAL, error))?;
    let answer = json!({ "bytes": bytes.len(), "left_out": left_out });
    call.protocol.snapshots.insert(name, Snapshot { bytes, values });
    edited(call, &answer)
}

/// Takes the price of an edit of all entities and components, and returns their number.
fn pay_for_world(world: &World, budget: &Budget) -> Result<usize, Stop> {
    let members = world.kinds().map(|kind| world.kind_entities(kind).len());
    let values = world.len() + members.sum::<usize>();
    budget.take_values(values)?;
    Ok(values)
}

/// Takes the price of all values that are saved.
fn measure_world(world: &World, budget: &Budget) -> Result<(), Stop> {
    for kind in world.kinds().filter(|kind| kind.saved_as().is_some()) {
        for entity in world.kind_entities(kind) {
            if let Some(value) = world.kind_value(kind, *entity)
                && let Some(value) = value.as_serialize()
            {
                measure(value, budget)?;
            }
        }
    }
    for kind in world.resource_kinds() {
        if let Some(value) = world.resource_kind_value(kind) {
            measure(&value, budget)?;
        }
    }
    Ok(())
}

pub(super) fn list(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let kept = call.protocol.snapshots.iter();
    let all = kept.map(|(name, kept)| json!({ "name": name, "bytes": kept.bytes.len() }));
    let all = all.collect::<Vec<Value>>();
    done(call, &all)
}

pub(super) fn forget(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Named { name } = call.params()?;
    match call.protocol.snapshots.remove(&name) {
        Some(_) => edited(call, &()),
        None => Err(unknown(&name).into()),
    }
}

fn unknown(name: &str) -> Error {
    Error::invalid_params(format_args!("no snapshot `{name}`: `ecs.snapshot` takes one"))
}

pub(super) fn restore(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Named { name } = call.params()?;
    let kept = call.protocol.snapshots.get(&name).ok_or_else(|| unknown(&name))?;
    call.budget.take(Work { bytes: kept.bytes.len(), values: kept.values })?;
    pay_for_world(call.world, call.budget)?; // which ends
    let loaded = call
        .world
        .load(&kept.bytes, &Limits::default())
        .map_err(|error| Error::new(Error::INTERNAL, error))?;
    call.protocol.world_number += 1;
    edited(call, &json!({ "other_resources": loaded.other_resources() }))
}
