//! Saved worlds that the server keeps.

use crate::error::Error;
use crate::methods::done;
use crate::protocol::{Call, Outcome};
use ecs::save::Limits;
use serde::Deserialize;
use serde_json::{Value, json};

/// The most snapshots that are kept.
const MOST: usize = 16;

#[derive(Deserialize)]
struct Named {
    name: String,
}

pub(super) fn take(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Named { name } = call.params()?;
    let kept = &mut call.protocol.snapshots;
    if kept.len() == MOST && !kept.contains_key(&name) {
        return Err(Error::invalid_params(format_args!(
            "{MOST} snapshots are kept at most: take one under a name that is there"
        )));
    }
    let mut bytes = Vec::new();
    let left_out = call
        .world
        .save()
        .leave_out_rest()
        .to_bytes(&mut bytes)
        .map_err(|error| Error::new(Error::INTERNAL, error))?;
    let answer = json!({ "bytes": bytes.len(), "left_out": left_out });
    kept.insert(name, bytes);
    done(&answer)
}

pub(super) fn list(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let kept = call.protocol.snapshots.iter();
    done(
        &kept
            .map(|(name, bytes)| json!({ "name": name, "bytes": bytes.len() }))
            .collect::<Vec<Value>>(),
    )
}

pub(super) fn forget(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Named { name } = call.params()?;
    match call.protocol.snapshots.remove(&name) {
        Some(_) => done(&()),
        None => Err(unknown(&name)),
    }
}

fn unknown(name: &str) -> Error {
    Error::invalid_params(format_args!("no snapshot `{name}`: `ecs.snapshot` takes one"))
}

pub(super) fn restore(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Named { name } = call.params()?;
    let bytes = call.protocol.snapshots.get(&name).ok_or_else(|| unknown(&name))?;
    let loaded = call
        .world
        .load(bytes, &Limits::default())
        .map_err(|error| Error::new(Error::INTERNAL, error))?;
    call.protocol.world_number += 1;
    done(&json!({ "other_resources": loaded.other_resources() }))
}
