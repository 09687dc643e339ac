//! Methods for the inspector, beside the methods of the protocol of Bevy.

use crate::budget::Stop;
use crate::methods::{check_alive, done, each_once, kind, kinds};
use crate::names;
use crate::out::Out;
use crate::parts::{Part, parts};
use crate::patch::Comparison;
use crate::protocol::{Call, Outcome};
use crate::shape::{of_component, to_json};
use crate::walk::{Shown, Walk, Wanted, line};
use ecs::by_name::{Kind, KindQuery};
use ecs::{Entity, World};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The number of lines that are shown at once.
pub(super) const MOST_LINES: usize = 200;
/// The entities that cost a value together, where they are only copied, or counted by pages.
pub(super) const COPIED: usize = 16;
const ENTITIES_OF_A_PAGE: usize = 64;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Entities {
    with: Vec<String>,
    without: Vec<String>,
    text: String,
    value: Option<ByValue>,
    offset: usize,
    limit: Option<usize>,
}

/// A value of a component, or of the part at a path.
#[derive(Deserialize)]
struct ByValue {
    component: String,
    #[serde(default)]
    path: String,
    equals: Value,
}

fn kind_query(call: &Call<'_>, with: &[String], without: &[String]) -> Result<KindQuery, Stop> {
    let query = kinds(call, with)?.into_iter().fold(KindQuery::new(), KindQuery::with);
    Ok(kinds(call, without)?.into_iter().fold(query, KindQuery::without))
}

pub(super) fn world(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    done(call, &json!({ "number": call.protocol.world_number, "entities": call.world.len() }))
}

pub(super) fn entities(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Entities { with, without, mut text, value, offset, limit } = call.params()?;
    let mut query = kind_query(call, &with, &without)?;
    let mut value = match value {
        None => None,
        Some(ByValue { component, path, equals }) => Some(Wanted {
            kind: kind(call, &component)?,
            path,
            comparison: Comparison::Equal,
            value: serde_json::to_string(&equals)?,
        }),
    };
    if value.is_none() {
        value = wanted_by(call.world, &text);
        text = if value.is_some() { String::new() } else { text };
    }
    if let Some(Wanted { kind, .. }) = value {
        query = query.with(kind);
    }
    let total = match (&with[..], &without[..]) {
        _ if !text.is_empty() || value.is_some() => None,
        ([], []) => Some(call.world.len()),
        ([only], []) => Some(call.world.kind_entities(kind(call, only)?).len()),
        _ => None,
    };
    let mut walk = Walk::new(query, Shown::Line, limit.unwrap_or(MOST_LINES).min(MOST_LINES), 0);
    (walk.skip, walk.text, walk.value, walk.total) = (offset, text.to_lowercase(), value, total);
    Ok(Outcome::Later(Box::new(walk)))
}

/// Returns the value that a text asks for, such as `Position.x<1` or `Name=ship`, if there is such a component.
fn wanted_by(world: &World, text: &str) -> Option<Wanted> {
    let (place, rest) = text.split_at(text.find(['=', '<', '>', '!'])?);
    let (sign, comparison) =
        Comparison::ALL.into_iter().find(|(sign, _)| rest.starts_with(sign))?;
    let (component, path) = place.split_at(place.find(['.', '[']).unwrap_or(place.len()));
    let kind = names::kind(world, component.trim()).ok()?;
    let text = rest[sign.len()..].trim();
    let is_json = serde_json::from_str::<&RawValue>(text).is_ok();
    let value = if is_json { text.to_owned() } else { serde_json::to_string(text).ok()? };
    Some(Wanted { kind, path: path.trim().to_owned(), comparison, value })
}

#[derive(Deserialize)]
struct One {
    entity: Entity,
}

pub(super) fn entity(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let One { entity } = call.params()?;
    check_alive(call, entity)?;
    let (world, budget) = (&*call.world, call.budget);
    let relations = world.kinds().filter(|kind| kind.is_relation());
    let pointed: Vec<Value> = relations
        .filter_map(|kind| {
            let count = world.kind_related(kind, entity).len();
            (count > 0).then(|| json!({ "relation": names::short(world, kind), "count": count }))
        })
        .collect();
    let kinds: Vec<Kind> = world.components(entity).collect();
    let mut out = Out::from("{\"line\":");
    out.write_or_fail(&line(world, entity), budget)?;
    out.push(&format!(",\"bits\":{},\"pointed_by\":", entity.to_bits()));
    out.write_or_fail(&pointed, budget)?;
    out.push(",\"components\":[");
    Ok(parts(out, move |call, at, out| {
        check_alive(call, entity)?;
        let Some(kind) = kinds.get(at).copied() else { return Ok(Part::End("]}".into())) };
        let (world, budget) = (&*call.world, call.budget);
        let name = names::short(world, kind);
        out.push("{\"name\":");
        out.put(&name, budget);
        out.push(",\"value\":");
        let written =
            out.or_null(budget, |out| names::write(world, entity, kind, name, (out, budget)))?;
        let Some(written) = written else { return Ok(Part::Skipped) };
        out.push(&format!(",\"is_saved\":{},\"target\":", kind.saved_as().is_some()));
        out.put(&world.kind_target(kind, entity), budget);
        out.put_error(written.err(), budget);
        out.push("}");
        Ok(Part::Written)
    }))
}

pub(super) fn pools(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let kinds: Vec<Kind> = call.world.kinds().collect();
    call.budget.take_values(kinds.len())?;
    Ok(parts("[", move |call, at, out| {
        let Some(kind) = kinds.get(at).copied() else { return Ok(Part::End("]".into())) };
        let world = &*call.world;
        let len = world.kind_entities(kind).len();
        call.budget.take_values(1 + len / ENTITIES_OF_A_PAGE)?;
        let pool = json!({
            "name": names::short(world, kind),
            "type": kind.type_name(),
            "saved_as": kind.saved_name(),
            "len": len,
            "bytes": world.kind_memory_usage(kind).total(),
            "size": kind.size(),
            "in_columns": kind.is_in_columns(),
            "tracked": kind.is_tracked(),
            "relation": kind.is_relation(),
            "indexed": kind.is_indexed(),
            "default": kind.has_default(),
            "defined": kind.defined_fields().and(kind.saved_as()).map(|(_, version)| version),
            "rules": kind.rules().map(|rule| rule.to_string()).collect::<Vec<_>>(),
        });
        out.write_or_fail(&pool, call.budget)?;
        Ok(Part::Written)
    }))
}

#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    components: Vec<String>,
    #[serde(default)]
    resources: Vec<String>,
}

pub(super) fn shapes(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Named { components, resources } = call.params()?;
    let (components, resources) = (each_once(components)?, each_once(resources)?);
    kinds(call, &components)?;
    Ok(parts("{", move |call, at, out| {
        let (name, shape) = if let Some(name) = components.get(at) {
            let kind = kind(call, name)?;
            (name, of_component(call.protocol.shapes.of(call.world, kind), kind))
        } else if let Some(name) = resources.get(at - components.len()) {
            let kind = names::resource(call.world, name)?;
            (name, to_json(call.protocol.shapes.of_resource(call.world, kind)))
        } else {
            return Ok(Part::End("}".into()));
        };
        out.write_or_fail(name, call.budget)?;
        out.push(":");
        out.write_or_fail(&shape, call.budget)?;
        Ok(Part::Written)
    }))
}

pub(super) fn groups(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let all = call.world.groups().map(|group| {
        json!({
            "group": group.to_string(),
            "len": group.len(),
            "owned": &*group.owned(),
            "observed": &*group.observed(),
            "excluded": &*group.excluded(),
        })
    });
    let all = all.collect::<Vec<Value>>();
    done(call, &all)
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Filter {
    with: Vec<String>,
    without: Vec<String>,
}

pub(super) fn plan(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Filter { with, without } = call.params()?;
    let query = kind_query(call, &with, &without)?;
    let plan = call.world.kind_rows(&query)?.explain();
    done(
        call,
        &json!({
            "text": plan.to_string(),
            "driver": plan.driver,
            "candidates": plan.candidates,
            "group": plan.group,
            "helpful": plan.helpful,
        }),
    )
}

pub(super) fn memory(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let memory = call.world.memory_usage();
    let pools: Vec<Value> = memory
        .pools
        .iter()
        .map(|(name, usage)| json!({ "name": name, "bytes": usage.total() }))
        .collect();
    done(
        call,
        &json!({
            "total": memory.total(),
            "entities": memory.entities,
            "tables": memory.tables,
            "groups": memory.groups,
            "observers": memory.observers,
            "resources": memory.resources,
            "pools": pools,
        }),
    )
}

pub(super) fn events(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let options = &call.protocol.options;
    let names = |list: &[crate::options::EventType]| -> Vec<String> {
        list.iter().map(|event| event.name.clone()).collect()
    };
    done(call, &json!({ "events": names(&options.events), "queues": names(&options.queues) }))
}
