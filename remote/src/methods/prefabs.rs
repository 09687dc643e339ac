//! Prefabs that the server keeps: entities as texts, with all below them.

use crate::error::Error;
use crate::methods::{check_alive, done};
use crate::protocol::{Call, Outcome};
use ecs::{ChildOf, Entity};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The most prefabs that are kept, and the most copies that a request spawns.
const MOST: usize = 64;
const MOST_COPIES: usize = 1_000;

#[derive(Deserialize)]
struct Keep {
    name: String,
    entity: Option<Entity>,
    json: Option<String>,
}

pub(super) fn keep(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Keep { name, entity, json } = call.params()?;
    let kept = &call.protocol.prefabs;
    if kept.len() == MOST && !kept.contains_key(&name) {
        return Err(Error::invalid_params(format_args!(
            "{MOST} prefabs are kept at most: keep one under a name that is there"
        )));
    }
    let text = match (entity, json) {
        (Some(entity), None) => {
            check_alive(call, entity)?;
            let save = call.world.save().leave_out_rest().entity(entity);
            serde_json::to_string(&save.with_sources::<ChildOf>().keep_outside())?
        }
        (None, Some(text)) => {
            RawValue::from_string(text).map_err(Error::invalid_params)?.get().to_owned()
        }
        _ => return Err(Error::invalid_params("give an `entity`, or the `json` of a prefab")),
    };
    let bytes = text.len();
    call.protocol.prefabs.insert(name, text);
    done(&json!({ "bytes": bytes }))
}

pub(super) fn list(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let kept = call.protocol.prefabs.iter();
    let all = kept.map(|(name, text)| json!({ "name": name, "bytes": text.len() }));
    done(&all.collect::<Vec<Value>>())
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

pub(super) fn get(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Named { name } = call.params()?;
    done(&json!({ "name": name, "json": find(call, &name)? }))
}

pub(super) fn forget(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Named { name } = call.params()?;
    find(call, &name)?;
    call.protocol.prefabs.remove(&name);
    done(&())
}

fn find(call: &Call<'_>, name: &str) -> Result<String, Error> {
    call.protocol.prefabs.get(name).cloned().ok_or_else(|| {
        Error::invalid_params(format_args!("no prefab `{name}`: `ecs.keep_prefab` keeps one"))
    })
}

#[derive(Deserialize)]
struct Spawn {
    name: String,
    #[serde(default = "one")]
    count: usize,
}

const fn one() -> usize {
    1
}

pub(super) fn spawn(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Spawn { name, count } = call.params()?;
    if count > MOST_COPIES {
        return Err(Error::invalid_params(format_args!(
            "{count} copies: a request spawns at most {MOST_COPIES}"
        )));
    }
    let text = find(call, &name)?;
    let mut roots = Vec::with_capacity(count);
    for _ in 0..count {
        let spawned = call.world.spawn_from(&mut serde_json::Deserializer::from_str(&text));
        match spawned.map(|all| all.first().copied()) {
            Ok(root) => roots.extend(root),
            Err(error) => {
                for root in roots {
                    _ = call.world.despawn(root);
                }
                return Err(Error::new(Error::COMPONENT_ERROR, error));
            }
        }
    }
    done(&json!({ "entities": roots }))
}
