//! Reading entities and components.

use crate::error::Error;
use crate::methods::{check_alive, done};
use crate::names;
use crate::protocol::{Call, Outcome};
use crate::walk::{Shown, Walk};
use ecs::by_name::{Kind, KindQuery};
use ecs::{Entity, World};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The components that a query names.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Data {
    components: Vec<String>,
    option: Optional,
    has: Vec<String>,
}

/// `"all"`, or names.
#[derive(Deserialize)]
#[serde(untagged)]
enum Optional {
    All(All),
    Names(Vec<String>),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum All {
    All,
}

impl Default for Optional {
    fn default() -> Self {
        Self::Names(Vec::new())
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Filter {
    with: Vec<String>,
    without: Vec<String>,
}

#[derive(Deserialize)]
struct Query {
    /// A query in the grammar of `World::kinds_query`.
    text: Option<String>,
    data: Option<Data>,
    #[serde(default)]
    filter: Filter,
    #[serde(default)]
    strict: bool,
    limit: Option<usize>,
    cursor: Option<Entity>,
}

pub(super) fn query(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Query { text, data, filter, strict, limit, cursor } = call.params()?;
    let world = &*call.world;
    // A component that is not registered has no entity.
    let find = |name: &str| match names::kind(world, name) {
        Ok(kind) => Ok(Some(kind)),
        Err(error) if strict => Err(error),
        Err(_) => Ok(None),
    };
    let mut query = match &text {
        Some(text) => world.kinds_query(text).map_err(Error::invalid_params)?,
        None if data.is_none() => {
            return Err(Error::invalid_params("missing field `data`, or a query as `text`"));
        }
        None => KindQuery::new(),
    };
    let data = data.unwrap_or_default();
    let of_text = query.kinds().map(|kind| (names::short(world, kind).to_owned(), kind));
    let mut components: Vec<_> = of_text.collect();
    for (list, is_read) in [(&data.components, true), (&filter.with, false)] {
        for name in list {
            let Some(kind) = find(name)? else { return done(&[(); 0]) };
            query = query.with(kind);
            if is_read {
                components.push((name.clone(), kind));
            }
        }
    }
    for name in &filter.without {
        if let Some(kind) = find(name)? {
            query = query.without(kind);
        }
    }
    let all = matches!(data.option, Optional::All(All::All));
    if let Optional::Names(list) = data.option {
        for name in list {
            if let Some(kind) = find(&name)? {
                components.push((name, kind));
            }
        }
    }
    let mut has = Vec::new();
    for name in data.has {
        let kind = find(&name)?;
        has.push((name, kind));
    }
    let most = call.protocol.options.most_rows;
    Ok(Outcome::Later(Box::new(Walk {
        query,
        shown: Shown::Row { components, all, has },
        skip: 0,
        limit: limit.unwrap_or(most).min(most),
        bytes: call.protocol.options.most_bytes,
        is_whole: limit.is_none_or(|limit| limit > most),
        text: String::new(),
        value: None,
        from: cursor.map_or(0, |last| last.index().saturating_add(1)),
        total: None,
        seen: 0,
        rows: 0,
        out: Vec::new(),
    })))
}

/// The parameters of `world.get_components`.
#[derive(Deserialize)]
pub(crate) struct GetComponents {
    pub(crate) entity: Entity,
    pub(crate) components: Vec<String>,
    #[serde(default)]
    pub(crate) strict: bool,
}

/// The components of an entity, and why others are missing.
#[derive(Serialize, Default)]
pub(crate) struct Components {
    pub(crate) components: BTreeMap<String, Box<RawValue>>,
    pub(crate) errors: BTreeMap<String, Error>,
}

pub(super) fn get_components(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let params: GetComponents = call.params()?;
    check_alive(call, params.entity)?;
    let mut found = components(call.world, &params);
    if !params.strict {
        return done(&found);
    }
    found.errors.pop_first().map_or_else(|| done(&found.components), |(_, error)| Err(error))
}

/// Returns the requested components, and why others are missing.
pub(crate) fn components(world: &World, params: &GetComponents) -> Components {
    let mut found = Components::default();
    for name in &params.components {
        let value = names::kind(world, name).and_then(|kind| {
            names::value(world, params.entity, kind, name).unwrap_or_else(|| {
                Err(Error::new(
                    Error::COMPONENT_NOT_PRESENT,
                    format_args!("Component `{name}` not present in entity {}", params.entity),
                ))
            })
        });
        match value {
            Ok(value) => drop(found.components.insert(name.clone(), value)),
            Err(error) => drop(found.errors.insert(name.clone(), error)),
        }
    }
    found
}

#[derive(Deserialize)]
struct ListComponents {
    entity: Option<Entity>,
}

pub(super) fn list_components(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let ListComponents { entity } = call.params()?;
    match entity {
        None => done(&call.world.kinds().map(Kind::type_name).collect::<Vec<_>>()),
        Some(entity) => {
            check_alive(call, entity)?;
            done(&names_of(call.world, entity))
        }
    }
}

/// Returns the full names of an entity's components.
pub(crate) fn names_of(world: &World, entity: Entity) -> Vec<&'static str> {
    world.components(entity).map(Kind::type_name).collect()
}

pub(super) fn only_watched(_: &mut Call<'_>) -> Result<Outcome, Error> {
    Err(Error::new(
        Error::INVALID_REQUEST,
        "a watch is not part of a batch, and is answered as a stream",
    ))
}
