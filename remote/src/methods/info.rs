//! Methods for the inspector, beside those of the protocol of Bevy.

use crate::error::Error;
use crate::methods::{check_alive, done};
use crate::names;
use crate::protocol::{Call, Outcome};
use crate::shape::to_json;
use crate::walk::{Shown, Walk, line};
use ecs::by_name::KindQuery;
use ecs::inspect::{StepInfo, StepKind};
use ecs::layout::Layout;
use ecs::{Entity, Schedule, World};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// So many lines are shown at once.
const MOST_LINES: usize = 200;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Entities {
    with: Vec<String>,
    without: Vec<String>,
    text: String,
    offset: usize,
    limit: Option<usize>,
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

pub(super) fn entities(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Entities { with, without, text, offset, limit } = call.params()?;
    let query = kind_query(call.world, &with, &without)?;
    let total = match (&with[..], &without[..]) {
        _ if !text.is_empty() => None,
        ([], []) => Some(call.world.len()),
        _ => Some(query.rows(call.world)?.count()),
    };
    Ok(Outcome::Later(Box::new(Walk {
        query,
        shown: Shown::Line,
        skip: offset,
        limit: limit.unwrap_or(MOST_LINES).min(MOST_LINES),
        bytes: call.protocol.options.most_bytes,
        is_whole: false,
        text: text.to_lowercase(),
        from: 0,
        total,
        seen: 0,
        rows: 0,
        out: Vec::new(),
    })))
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
            target: kind.target(world, entity),
        });
    }
    let relations = world.kinds().filter(|kind| kind.is_relation());
    let pointed: Vec<Value> = relations
        .filter_map(|kind| {
            let count = kind.related(world, entity).len();
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
            "len": kind.entities(world).len(),
            "bytes": kind.memory_usage(world).total(),
            "size": kind.size(),
            "in_columns": kind.is_in_columns(),
            "tracked": kind.is_tracked(),
            "relation": kind.is_relation(),
            "default": kind.has_default(),
        })
    });
    done(&all.collect::<Vec<Value>>())
}

#[derive(Deserialize)]
struct Named {
    components: Vec<String>,
}

pub(super) fn shapes(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Named { components } = call.params()?;
    let mut shapes = serde_json::Map::new();
    for name in components {
        let kind = names::kind(call.world, &name)?;
        let shape = to_json(call.protocol.shapes.of(call.world, kind));
        shapes.insert(name, shape);
    }
    done(&shapes)
}

pub(super) fn groups(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let all = call.world.groups().map(|group| {
        json!({
            "group": group.to_string(),
            "len": group.len(),
            "is_tuned": group.is_tuned(),
            "owned": &*group.owned(),
            "observed": &*group.observed(),
            "excluded": &*group.excluded(),
        })
    });
    done(&all.collect::<Vec<Value>>())
}

pub(super) fn layout_advice(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let mut layout = Layout::of(call.world);
    let text = layout.is_observing().then(|| layout.advice().to_string());
    done(&json!({ "is_observing": text.is_some(), "text": text }))
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
    let plan = query.rows(call.world)?.explain();
    done(&json!({
        "text": plan.to_string(),
        "driver": plan.driver,
        "candidates": plan.candidates,
        "group": plan.group,
        "helpful": plan.helpful,
    }))
}

pub(super) fn schedule_list(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let names: Vec<Value> = call
        .schedules
        .iter()
        .map(|(name, _)| json!({ "name": name, "schedule_label": name }))
        .collect();
    done(&json!({ "schedules": names }))
}

#[derive(Deserialize)]
struct Graph {
    #[serde(alias = "schedule_label", alias = "label")]
    schedule: String,
}

pub(super) fn schedule_graph(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Graph { schedule } = call.params()?;
    let (_, found) =
        call.schedules.iter().find(|(name, _)| *name == schedule).ok_or_else(|| {
            Error::invalid_params(format_args!(
                "no schedule `{schedule}`: `schedule.list` lists all"
            ))
        })?;
    let steps = found.steps();
    done(&json!({ "schedule": schedule, "steps": steps.iter().map(step).collect::<Vec<Value>>() }))
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
    offset: usize,
    limit: Option<usize>,
}

pub(super) fn tree(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Tree { relation, entity, offset, limit } = call.params()?;
    let kind = names::kind(call.world, &relation)?;
    let world = &*call.world;
    let limit = limit.unwrap_or(MOST_LINES).min(MOST_LINES);
    let show = |entity: Entity| {
        let mut line = line(world, entity);
        line["sources"] = kind.related(world, entity).len().into();
        line
    };
    let (total, rows) = if let Some(entity) = entity {
        check_alive(call, entity)?;
        let sources = kind.related(world, entity);
        (sources.len(), sources.skip(offset).take(limit).map(show).collect::<Vec<Value>>())
    } else {
        let targets = kind.targets(world).iter().copied();
        let mut roots: Vec<Entity> =
            targets.filter(|target| kind.target(world, *target).is_none()).collect();
        roots.sort_unstable();
        let shown = roots.iter().skip(offset).take(limit);
        (roots.len(), shown.map(|root| show(*root)).collect())
    };
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
