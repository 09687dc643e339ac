//! Schedules: their systems, and the times of these.

use crate::budget::Stop;
use crate::error::Error;
use crate::methods::done;
use crate::protocol::{Call, Outcome};
use ecs::Schedule;
use ecs::inspect::{StepInfo, StepKind};
use serde::Deserialize;
use serde_json::{Value, json};

pub(super) fn schedule_list(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let labels: Vec<&str> = call.schedules.iter().map(|(name, _)| *name).collect();
    done(
        call,
        &json!({
            "schedule_labels": labels,
            "unavailable_schedule_labels": [],
            "empty_schedule_labels": [],
        }),
    )
}

#[derive(Deserialize)]
struct Graph {
    schedule_label: String,
}

pub(super) fn schedule_graph(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Graph { schedule_label: label } = call.params()?;
    let found = call.schedules.iter().find(|(name, _)| *name == label);
    let (name, schedule) = found.ok_or_else(|| {
        Error::new(
            Error::RESOURCE_ERROR,
            format_args!("Schedule with label={label} not found: `schedule.list` lists all"),
        )
    })?;
    let steps = schedule.steps();
    done(
        call,
        &json!({
            "schedule_data": schedule_data(name, &steps),
            "steps": steps.iter().map(step).collect::<Vec<Value>>(),
        }),
    )
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
    let mut count = 0;
    let places: Vec<usize> = steps
        .iter()
        .map(|it| {
            count += usize::from(is_system(it));
            count - usize::from(is_system(it))
        })
        .collect();
    let system = |at: usize| json!({ "System": places[at] });
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

pub(super) fn times(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let took = |schedule: &Schedule| -> Vec<Value> {
        let times = schedule.times().zip(schedule.steps());
        let systems =
            times.filter(|(_, step)| matches!(step.kind, StepKind::System | StepKind::Sync));
        systems.map(|((name, took), _)| json!([name, took.as_secs_f64() * 1e6])).collect()
    };
    let all = call.schedules.iter();
    done(
        call,
        &all.map(|(name, schedule)| json!({ "schedule": name, "micros": took(schedule) }))
            .collect::<Vec<_>>(),
    )
}
