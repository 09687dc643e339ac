//! Prefabs that the server keeps: entities as texts, with all below them.

use crate::budget::{Stop, Work};
use crate::error::Error;
use crate::methods::edit::weigh_text;
use crate::methods::{check_alive, done, edited, pay_for_trees};
use crate::names;
use crate::out::text;
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

pub(super) fn keep(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Keep { name, entity, json } = call.params()?;
    let kept = &call.protocol.prefabs;
    if kept.len() == MOST && !kept.contains_key(&name) {
        let text = format!("{MOST} prefabs are kept at most: keep one under a name that is there");
        return Err(Error::invalid_params(text).into());
    }
    let text = match (entity, json) {
        (Some(entity), None) => {
            check_alive(call, entity)?;
            pay_for_trees(call.world, &[entity], call.budget)?;
            let save = call.world.save().leave_out_rest().entity(entity);
            let save = save.with_sources::<ChildOf>().keep_outside();
            text(&save, call.budget)?.map_err(|error| names::named("a component", &error))?
        }
        (None, Some(json)) => {
            serde_json::from_str::<&RawValue>(&json).map_err(Error::invalid_params)?;
            json
        }
        _ => {
            let text = "give an `entity`, or the `json` of a prefab";
            return Err(Error::invalid_params(text).into());
        }
    };
    let bytes = text.len();
    call.protocol.prefabs.insert(name, text);
    edited(call, &json!({ "bytes": bytes }))
}

pub(super) fn list(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let kept = call.protocol.prefabs.iter();
    let all = kept.map(|(name, text)| json!({ "name": name, "bytes": text.len() }));
    let all = all.collect::<Vec<Value>>();
    done(call, &all)
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

pub(super) fn get(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Named { name } = call.params()?;
    let json = find(call, &name)?;
    done(call, &json!({ "name": name, "json": json }))
}

pub(super) fn forget(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Named { name } = call.params()?;
    find(call, &name)?;
    call.protocol.prefabs.remove(&name);
    edited(call, &())
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

pub(super) fn spawn(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Spawn { name, count } = call.params()?;
    if count > MOST_COPIES {
        let text = format!("{count} copies: a request spawns at most {MOST_COPIES}");
        return Err(Error::invalid_params(text).into());
    }
    let text = find(call, &name)?;
    let Work { bytes, values } = weigh_text(&text);
    call.budget.take(Work { bytes: bytes * count, values: values * count })?;
    let mut roots = Vec::with_capacity(count);
    for _ in 0..count {
        let spawned = call.world.spawn_from(&mut serde_json::Deserializer::from_str(&text));
        match spawned.map(|all| all.first().copied()) {
            Ok(root) => roots.extend(root),
            Err(error) => {
                for root in roots {
                    _ = call.world.despawn(root);
                }
                return Err(Error::new(Error::COMPONENT_ERROR, error).into());
            }
        }
    }
    edited(call, &json!({ "entities": roots }))
}
