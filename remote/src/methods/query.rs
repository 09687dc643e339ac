//! Reading entities and components.

use crate::budget::{Budget, Stop};
use crate::error::Error;
use crate::methods::{check_alive, done, each_once, kind};
use crate::names;
use crate::out::{Out, text};
use crate::parts::{Part, parts};
use crate::protocol::{Call, Outcome};
use crate::walk::{Shown, Walk};
use ecs::by_name::{Kind, KindQuery};
use ecs::{Entity, World};
use serde::Deserialize;
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

pub(super) fn query(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Query { text, data, filter, strict, limit, cursor } = call.params()?;
    // A component that is not registered has no entity.
    let find = |name: &str| match kind(call, name) {
        Ok(kind) => Ok(Some(kind)),
        Err(Stop::Failed(_)) if !strict => Ok(None),
        Err(stop) => Err(stop),
    };
    let mut query = match &text {
        Some(text) => call.world.kinds_query(text).map_err(Error::invalid_params)?,
        None if data.is_none() => {
            return Err(Error::invalid_params("missing field `data`, or a query as `text`").into());
        }
        None => KindQuery::new(),
    };
    let data = data.unwrap_or_default();
    let of_text = query.kinds().map(|kind| (names::short(call.world, kind).to_owned(), kind));
    let mut components: Vec<_> = of_text.collect();
    for (list, is_read) in [(data.components, true), (filter.with, false)] {
        for name in each_once(list)? {
            let Some(kind) = find(&name)? else { return done(call, &[(); 0]) };
            query = query.with(kind);
            if is_read {
                components.push((name, kind));
            }
        }
    }
    for name in each_once(filter.without)? {
        if let Some(kind) = find(&name)? {
            query = query.without(kind);
        }
    }
    let all = matches!(data.option, Optional::All(All::All));
    if let Optional::Names(list) = data.option {
        for name in each_once(list)? {
            if let Some(kind) = find(&name)?
                && components.iter().all(|(other, _)| *other != name)
            {
                components.push((name, kind));
            }
        }
    }
    let mut has = Vec::new();
    for name in each_once(data.has)? {
        let kind = find(&name)?;
        has.push((name, kind));
    }
    let most = call.protocol.options.most_rows;
    let shown = Shown::Row { components, all, has };
    let from = cursor.map_or(0, |last| last.index().saturating_add(1));
    let mut walk = Walk::new(query, shown, limit.unwrap_or(most).min(most), from);
    walk.is_whole = limit.is_none_or(|limit| limit > most);
    Ok(Outcome::Later(Box::new(walk)))
}

/// The parameters of `world.get_components`.
#[derive(Deserialize)]
pub(crate) struct GetComponents {
    pub(crate) entity: Entity,
    pub(crate) components: Vec<String>,
    #[serde(default)]
    pub(crate) strict: bool,
}

pub(super) fn get_components(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let GetComponents { entity, components, strict } = call.params()?;
    check_alive(call, entity)?;
    let names = each_once(components)?;
    let mut errors: BTreeMap<String, Error> = BTreeMap::new();
    Ok(parts(if strict { "{" } else { "{\"components\":{" }, move |call, at, out| {
        check_alive(call, entity)?;
        let Some(name) = names.get(at) else {
            return Ok(Part::End(if strict {
                "}".to_owned()
            } else {
                format!("}},\"errors\":{}}}", text(&errors, call.budget)??)
            }));
        };
        match component(call.world, entity, name, (out, call.budget))? {
            Ok(()) => Ok(Part::Written),
            Err(error) if strict => Err(Stop::Failed(error)),
            Err(error) => {
                errors.insert(name.clone(), error);
                Ok(Part::Skipped)
            }
        }
    }))
}

/// Appends the name and the value of an entity's component, or returns why it is missing.
pub(crate) fn component(
    world: &World,
    entity: Entity,
    name: &str,
    (out, budget): (&mut Out, &Budget),
) -> Result<Result<(), Error>, Stop> {
    let kind = match names::kind(world, name) {
        Ok(kind) => kind,
        Err(error) => return Ok(Err(error)),
    };
    let written = budget.piece(|| {
        out.write_or_fail(name, budget)?;
        out.push(":");
        names::write(world, entity, kind, name, (out, budget))
    });
    match written {
        Ok(Some(written)) => Ok(written),
        Ok(None) => Ok(Err(Error::new(
            Error::COMPONENT_NOT_PRESENT,
            format_args!("Component `{name}` not present in entity {entity}"),
        ))),
        Err(Stop::Failed(error)) => Ok(Err(error)),
        Err(Stop::Later) => Err(Stop::Later),
    }
}

#[derive(Deserialize)]
struct ListComponents {
    entity: Option<Entity>,
}

pub(super) fn list_components(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let ListComponents { entity } = call.params()?;
    match entity {
        None => done(call, &call.world.kinds().map(Kind::type_name).collect::<Vec<_>>()),
        Some(entity) => {
            check_alive(call, entity)?;
            done(call, &names_of(call.world, entity))
        }
    }
}

/// Returns the full names of an entity's components.
pub(crate) fn names_of(world: &World, entity: Entity) -> Vec<&'static str> {
    world.components(entity).map(Kind::type_name).collect()
}

pub(super) fn only_watched(_: &mut Call<'_>) -> Result<Outcome, Stop> {
    Err(Stop::Failed(Error::new(
        Error::INVALID_REQUEST,
        "a watch is not part of a batch, and is answered as a stream",
    )))
}
