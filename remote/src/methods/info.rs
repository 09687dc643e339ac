//! Methods for the inspector, beside the methods of the protocol of Bevy.

use crate::error::Error;
use crate::methods::{check_alive, done};
use crate::names;
use crate::patch::Comparison;
use crate::protocol::{Call, Outcome};
use crate::shape::{of_component, to_json};
use crate::walk::{Shown, Walk, Wanted, line};
use ecs::by_name::KindQuery;
use ecs::inspect::{StepInfo, StepKind};
use ecs::{Entity, Schedule, World};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The number of lines that are shown at once.
const MOST_LINES: usize = 200;
/// The deepest level of a tree that is shown: a relation may have circles.
const DEEPEST: usize = 64;

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

fn kind_query(world: &World, with: &[String], without: &[String]) -> Result<KindQuery, Error> {
    let mut query = KindQuery::new();
    for name in with {
        query = query.with(names::kind(world, name)?);
    }
    for name in without {
        query = query.without(names::kind(world, name)?);
    }
    Ok(query)
}

pub(super) fn world(call: &mut Call<'_>) -> Result<Outcome, Error> {
    done(&json!({ "number": call.protocol.world_number, "entities": call.world.len() }))
}

pub(super) fn entities(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Entities { with, without, mut text, value, offset, limit } = call.params()?;
    let mut query = kind_query(call.world, &with, &without)?;
    let mut value = match value {
        None => None,
        Some(ByValue { component, path, equals }) => Some(Wanted {
            kind: names::kind(call.world, &component)?,
            path,
            comparison: Comparison::Equal,
            value: names::raw(&equals)?,
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
        _ => Some(call.world.kind_rows(&query)?.count()),
    };
    Ok(Outcome::Later(Box::new(Walk {
        query,
        shown: Shown::Line,
        skip: offset,
        limit: limit.unwrap_or(MOST_LINES).min(MOST_LINES),
        bytes: call.protocol.options.most_bytes,
        is_whole: false,
        text: text.to_lowercase(),
        value,
        from: 0,
        total,
        seen: 0,
        rows: 0,
        out: Vec::new(),
    })))
}

/// Returns the value that a text asks for, such as `Position.x<1` or `Name=ship`, if there is such a component.
fn wanted_by(world: &World, text: &str) -> Option<Wanted> {
    let (place, rest) = text.split_at(text.find(['=', '<', '>', '!'])?);
    let (sign, comparison) =
        Comparison::ALL.into_iter().find(|(sign, _)| rest.starts_with(sign))?;
    let (component, path) = place.split_at(place.find(['.', '[']).unwrap_or(place.len()));
    let kind = names::kind(world, component.trim()).ok()?;
    let text = rest[sign.len()..].trim();
    let value = RawValue::from_string(text.to_owned()).ok().or_else(|| names::raw(text).ok())?;
    Some(Wanted { kind, path: path.trim().to_owned(), comparison, value })
}

#[derive(Deserialize)]
struct One {
    entity: Entity,
}

/// A component of an entity, as the inspector shows it.
#[derive(Serialize)]
struct Shows {
    name: &'static str,
    /// The saved value, or the text of its `Debug`.
    value: Box<RawValue>,
    is_saved: bool,
    target: Option<Entity>,
}

/// An entity, as the inspector shows it.
#[derive(Serialize)]
struct Whole {
    line: Value,
    bits: u64,
    components: Vec<Shows>,
    pointed_by: Vec<Value>,
}

pub(super) fn entity(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let One { entity } = call.params()?;
    check_alive(call, entity)?;
    let world = &*call.world;
    let mut components = Vec::new();
    for kind in world.components(entity) {
        let name = names::short(world, kind);
        let Some(value) = names::value(world, entity, kind, name) else { continue };
        components.push(Shows {
            name,
            value: value?,
            is_saved: kind.saved_as().is_some(),
            target: world.kind_target(kind, entity),
        });
    }
    let relations = world.kinds().filter(|kind| kind.is_relation());
    let pointed: Vec<Value> = relations
        .filter_map(|kind| {
            let count = world.kind_related(kind, entity).len();
            (count > 0).then(|| json!({ "relation": names::short(world, kind), "count": count }))
        })
        .collect();
    done(&Whole {
        line: line(world, entity),
        bits: entity.to_bits(),
        components,
        pointed_by: pointed,
    })
}

pub(super) fn pools(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let world = &*call.world;
    let all = world.kinds().map(|kind| {
        json!({
            "name": names::short(world, kind),
            "type": kind.type_name(),
            "saved_as": kind.saved_name(),
            "len": world.kind_entities(kind).len(),
            "bytes": world.kind_memory_usage(kind).total(),
            "size": kind.size(),
            "in_columns": kind.is_in_columns(),
            "tracked": kind.is_tracked(),
            "relation": kind.is_relation(),
            "indexed": kind.is_indexed(),
            "default": kind.has_default(),
            "rules": kind.rules().map(|rule| rule.to_string()).collect::<Vec<_>>(),
        })
    });
    done(&all.collect::<Vec<Value>>())
}

#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    components: Vec<String>,
    #[serde(default)]
    resources: Vec<String>,
}

pub(super) fn shapes(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Named { components, resources } = call.params()?;
    let mut shapes = serde_json::Map::new();
    for name in components {
        let kind = names::kind(call.world, &name)?;
        let shape = of_component(call.protocol.shapes.of(call.world, kind), kind);
        shapes.insert(name, shape);
    }
    for name in resources {
        let kind = names::resource(call.world, &name)?;
        let shape = to_json(call.protocol.shapes.of_resource(call.world, kind));
        shapes.insert(name, shape);
    }
    done(&shapes)
}

pub(super) fn groups(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let all = call.world.groups().map(|group| {
        json!({
            "group": group.to_string(),
            "len": group.len(),
            "owned": &*group.owned(),
            "observed": &*group.observed(),
            "excluded": &*group.excluded(),
        })
    });
    done(&all.collect::<Vec<Value>>())
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Filter {
    with: Vec<String>,
    without: Vec<String>,
}

pub(super) fn plan(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Filter { with, without } = call.params()?;
    let query = kind_query(call.world, &with, &without)?;
    let plan = call.world.kind_rows(&query)?.explain();
    done(&json!({
        "text": plan.to_string(),
        "driver": plan.driver,
        "candidates": plan.candidates,
        "group": plan.group,
        "helpful": plan.helpful,
    }))
}

pub(super) fn schedule_list(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let labels: Vec<&str> = call.schedules.iter().map(|(name, _)| *name).collect();
    done(&json!({
        "schedule_labels": labels,
        "unavailable_schedule_labels": [],
        "empty_schedule_labels": [],
    }))
}

#[derive(Deserialize)]
struct Graph {
    schedule_label: String,
}

pub(super) fn schedule_graph(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Graph { schedule_label: label } = call.params()?;
    let found = call.schedules.iter().find(|(name, _)| *name == label);
    let (name, schedule) = found.ok_or_else(|| {
        Error::new(
            Error::RESOURCE_ERROR,
            format_args!("Schedule with label={label} not found: `schedule.list` lists all"),
        )
    })?;
    let steps = schedule.steps();
    done(&json!({
        "schedule_data": schedule_data(name, &steps),
        "steps": steps.iter().map(step).collect::<Vec<Value>>(),
    }))
}

/// Returns a schedule in the form of Bevy: systems that refer to components by their positions in a list.
fn schedule_data(name: &str, steps: &[StepInfo]) -> Value {
    let is_system = |step: &StepInfo| matches!(step.kind, StepKind::System | StepKind::Sync);
    let mut components: Vec<&str> = Vec::new();
    let mut places = |names: &[&'static str]| -> Vec<usize> {
        let place = |name: &&'static str| {
            components.iter().position(|known| known == name).unwrap_or_else(|| {
                components.push(name);
                components.len() - 1
            })
        };
        names.iter().map(place).collect()
    };
    let systems: Vec<Value> = steps
        .iter()
        .filter(|step| is_system(step))
        .map(|step| {
            let access = json!({
                "reads": places(&step.reads),
                "writes": places(&step.writes),
                "reads_inverted": step.sees_world,
                "writes_inverted": step.sees_world && step.is_exclusive,
                "archetypal": [],
            });
            json!({
                "name": step.name,
                "apply_deferred": step.kind == StepKind::Sync,
                "exclusive": step.is_exclusive,
                "deferred": step.records,
                "filtered_accesses": [{ "access": access, "filter_sets": [] }],
            })
        })
        .collect();
    let system =
        |at: usize| json!({ "System": steps[..at].iter().filter(|it| is_system(it)).count() });
    let order =
        steps.iter().enumerate().filter(|(_, step)| is_system(step)).flat_map(|(at, step)| {
            let before = step.waits_for.iter().filter(|from| is_system(&steps[**from]));
            before.map(move |from| json!([system(*from), system(at)]))
        });
    let dependency: Vec<Value> = order.collect();
    let components: Vec<Value> =
        components.iter().map(|name| json!({ "name": name, "required": [] })).collect();
    json!({
        "name": name,
        "systems": systems,
        "system_sets": [],
        "hierarchy": [],
        "dependency": dependency,
        "components": components,
        "conflicts": [],
    })
}

fn step(step: &StepInfo) -> Value {
    json!({
        "name": step.name,
        "kind": match step.kind {
            StepKind::Sync => "sync",
            StepKind::List => "list",
            StepKind::Together => "together",
            _ => "system",
        },
        "depth": step.depth,
        "reads": step.reads,
        "writes": step.writes,
        "exclusive": step.is_exclusive,
        "sees_world": step.sees_world,
        "records": step.records,
        "on": step.is_on,
        "waits_for": step.waits_for,
    })
}

pub(super) fn times(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let took = |schedule: &Schedule| -> Vec<Value> {
        let times = schedule.times().zip(schedule.steps());
        let systems =
            times.filter(|(_, step)| matches!(step.kind, StepKind::System | StepKind::Sync));
        systems.map(|((name, took), _)| json!([name, took.as_secs_f64() * 1e6])).collect()
    };
    let all = call.schedules.iter();
    done(
        &all.map(|(name, schedule)| json!({ "schedule": name, "micros": took(schedule) }))
            .collect::<Vec<_>>(),
    )
}

#[derive(Deserialize)]
struct Tree {
    relation: String,
    entity: Option<Entity>,
    #[serde(default)]
    open: BTreeSet<Entity>,
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

pub(super) fn tree(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Tree { relation, entity, open, offset, limit } = call.params()?;
    let kind = names::kind(call.world, &relation)?;
    let world = &*call.world;
    let limit = limit.unwrap_or(MOST_LINES).min(MOST_LINES);
    let sources = |entity: Entity| world.kind_related(kind, entity).collect::<Vec<Entity>>();
    let top = if let Some(entity) = entity {
        check_alive(call, entity)?;
        sources(entity)
    } else {
        let targets = world.kind_targets(kind).iter().copied();
        let mut roots: Vec<Entity> =
            targets.filter(|target| world.kind_target(kind, *target).is_none()).collect();
        roots.sort_unstable();
        roots
    };
    let (mut total, mut rows) = (0, Vec::new());
    let mut levels = vec![top.into_iter()];
    while let Some(level) = levels.last_mut() {
        let Some(entity) = level.next() else {
            levels.pop();
            continue;
        };
        let depth = levels.len() - 1;
        if total >= offset && rows.len() < limit {
            let mut line = line(world, entity);
            line["sources"] = world.kind_related(kind, entity).len().into();
            line["depth"] = depth.into();
            rows.push(line);
        }
        total += 1;
        if depth < DEEPEST && open.contains(&entity) {
            levels.push(sources(entity).into_iter());
        }
    }
    done(&json!({ "total": total, "rows": rows }))
}

pub(super) fn memory(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let memory = call.world.memory_usage();
    let pools: Vec<Value> = memory
        .pools
        .iter()
        .map(|(name, usage)| json!({ "name": name, "bytes": usage.total() }))
        .collect();
    done(&json!({
        "total": memory.total(),
        "entities": memory.entities,
        "tables": memory.tables,
        "groups": memory.groups,
        "observers": memory.observers,
        "resources": memory.resources,
        "pools": pools,
    }))
}

pub(super) fn events(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let options = &call.protocol.options;
    let names = |list: &[crate::options::EventType]| -> Vec<String> {
        list.iter().map(|event| event.name.clone()).collect()
    };
    done(&json!({ "events": names(&options.events), "queues": names(&options.queues) }))
}
