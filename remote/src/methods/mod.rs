//! The methods that a server has, a file a subject.

mod define;
mod discover;
pub(crate) mod edit;
mod frames;
mod info;
mod many;
mod prefabs;
pub(crate) mod query;
mod resources;
mod schedules;
pub(crate) mod snapshots;
mod tree;
pub(crate) mod undo;

use crate::budget::{Budget, Stop};
use crate::error::Error;
use crate::out::Out;
use crate::protocol::{Call, Outcome};
use ecs::by_name::Kind;
use ecs::{Entity, World};
use serde::Serialize;
use std::collections::BTreeSet;

/// A method, and its description for clients.
pub(crate) struct Method {
    pub(crate) name: &'static str,
    /// The effect of the method.
    pub(crate) summary: &'static str,
    /// The names of its parameters; optional ones end with a question mark.
    pub(crate) params: &'static [&'static str],
    /// `true` if it edits the world.
    pub(crate) writes: bool,
    pub(crate) run: fn(&mut Call<'_>) -> Result<Outcome, Stop>,
}

macro_rules! methods {
    ($($name:literal ($($param:literal),*) $access:ident $run:path, $summary:literal;)*) => {
        &[$(Method {
            name: $name,
            summary: $summary,
            params: &[$($param),*],
            writes: methods!(@ $access),
            run: $run,
        }),*]
    };
    (@ reads) => { false };
    (@ writes) => { true };
}

/// All methods.
pub(crate) const ALL: &[Method] = methods! {
    "rpc.discover" () reads discover::discover, "Describes all methods in the form of OpenRPC.";
    "world.query" ("data?", "text?", "filter?", "strict?", "limit?", "cursor?") reads query::query,
        "Returns entities and their components. `text` is a query such as `Health, !Boss, Health.value < 10`. `limit` is the most rows, `cursor` the last entity of the page before.";
    "world.get_components" ("entity", "components", "strict?") reads query::get_components,
        "Returns components of an entity.";
    "world.get_components+watch" ("entity", "components", "strict?") reads query::only_watched,
        "Sends components of an entity whenever they change.";
    "world.list_components" ("entity?") reads query::list_components,
        "Returns the names of an entity's components, or of all.";
    "world.list_components+watch" ("entity") reads query::only_watched,
        "Sends the names of components that an entity gains and loses.";
    "world.spawn_entity" ("components") writes edit::spawn, "Spawns an entity with components.";
    "world.insert_components" ("entity", "components") writes edit::insert,
        "Inserts components into an entity, all or none.";
    "world.mutate_components" ("entity", "component", "path", "value?", "json?") writes edit::mutate,
        "Changes a field of a component.";
    "world.remove_components" ("entity", "components") writes edit::remove,
        "Removes components from an entity.";
    "world.despawn_entity" ("entity") writes edit::despawn, "Despawns an entity.";
    "world.reparent_entities" ("entities", "parent?") writes edit::reparent,
        "Makes entities children of another one, or of none.";
    "world.list_resources" () reads resources::list, "Returns the names of all resources.";
    "world.get_resources" ("resource") reads resources::get, "Returns a resource.";
    "world.insert_resources" ("resource", "value?", "json?") writes resources::insert, "Inserts a resource.";
    "world.mutate_resources" ("resource", "path", "value?", "json?") writes resources::mutate,
        "Changes a field of a resource.";
    "world.remove_resources" ("resource") writes resources::remove, "Removes a resource.";
    "world.trigger_event" ("event", "entity?", "value?") writes edit::trigger,
        "Sends an event to its observers, about an entity or about none.";
    "world.write_message" ("message", "value?") writes edit::message, "Adds an event to its queue.";
    "world.observe+watch" ("event", "entity?") reads query::only_watched,
        "Sends each event, or each that is about an entity.";
    "registry.schema" ("with_crates?", "without_crates?", "type_limit?") reads discover::schema,
        "Returns the shapes of components and resources as JSON Schema.";
    "schedule.list" () reads schedules::schedule_list, "Returns the names of all schedules.";
    "schedule.graph" ("schedule_label") reads schedules::schedule_graph,
        "Returns the systems of a schedule, their accesses, and which wait for which.";
    "ecs.world" () reads info::world,
        "Returns how many entities there are, and a number that is new for each world that replaces another.";
    "ecs.entities" ("with?", "without?", "text?", "value?", "offset?", "limit?") reads info::entities,
        "Returns a window of the list of entities, and how many match. `value` finds a `component` that `equals` a value, \
         or has one at a `path`; the text `Position.x=1` does the same.";
    "ecs.entity" ("entity") reads info::entity, "Returns all that is known of an entity.";
    "ecs.pools" () reads info::pools, "Returns each pool: how many have the component, and its bytes.";
    "ecs.shapes" ("components?", "resources?") reads info::shapes,
        "Returns the shapes of components and resources, with the declared ranges and units.";
    "ecs.groups" () reads info::groups, "Returns each group and how many members it has.";
    "ecs.plan" ("with?", "without?") reads info::plan, "Returns how a query finds its matches.";
    "ecs.times" () reads schedules::times, "Returns how long each system took in its last run.";
    "ecs.frames" ("after?", "forget?") reads frames::frames,
        "Returns the times of frames and systems in microseconds: the mean, the 99th percentile, the longest, the worst \
         frames, and the frames after a number. A frame ends when the world is served. `forget` begins anew.";
    "ecs.tree" ("relation", "entity?", "open?", "offset?", "limit?") reads tree::tree,
        "Returns a window of a tree by a relation: the sources of an entity, or the roots, and below each open one \
         its sources.";
    "ecs.resources" () reads resources::all, "Returns all resources, with the values of the saved ones.";
    "ecs.memory" () reads info::memory, "Returns the bytes that the world holds.";
    "ecs.events" () reads info::events, "Returns the names of events and queues.";
    "ecs.changes+watch" ("component") reads query::only_watched,
        "Sends the entities whose component was inserted, changed or removed.";
    "ecs.insert_default" ("entity", "component") writes edit::insert_default,
        "Inserts a component's default into an entity.";
    "ecs.define" ("component", "fields?") writes define::define,
        "Defines a component by a list of fields, each with a `name` and a `type`: i8 to u64, f32, f64, bool, entity, text, \
         {\"list\": type} or {\"record\": fields}. A component that is there with these fields is returned.";
    "ecs.redefine" ("component", "changes") writes define::redefine,
        "Changes the fields of a defined component and all its values, or none, by a list of changes: {\"add\": {field, type, \
         value?}}, {\"rename\": {field, to}}, {\"drop\": {field}} or {\"convert\": {field, type}}. A field of a record \
         is named `at.x`.";
    "ecs.relate" ("entity", "relation", "target") writes edit::relate,
        "Points an entity to another one by a relation.";
    "ecs.selection" ("entities") reads many::selection,
        "Returns the components that all of these entities have, with the paths at which their values differ.";
    "ecs.edit" ("entities", "component", "path?", "value?", "json?") writes many::edit,
        "Sets a component of entities, or the part at a path, in all or in none; without a path it is inserted where it \
         is missing. `json` is the text of a value. `ecs.put_back` undoes it under the number that is returned.";
    "ecs.take" ("entity", "component?") writes undo::take,
        "Despawns an entity or removes a component, to be put back under the number that is returned.";
    "ecs.take_all" ("entities") writes many::take,
        "Despawns entities, all or none, to be put back under the number that is returned.";
    "ecs.reparent" ("entity", "parent?") writes undo::reparent,
        "Moves an entity to another parent, or to none; the parent that it had, and its place, are put back under \
         the number that is returned.";
    "ecs.put_back" ("taken") writes undo::put_back, "Brings a taken entity or component back, once.";
    "ecs.snapshot" ("name") writes snapshots::take, "Saves the world under a name, in memory.";
    "ecs.snapshots" () reads snapshots::list, "Returns the names and bytes of all snapshots.";
    "ecs.restore" ("name") writes snapshots::restore, "Loads the world that was saved under a name.";
    "ecs.forget_snapshot" ("name") writes snapshots::forget, "Drops the world that was saved under a name.";
    "ecs.keep_prefab" ("name", "entity?", "json?") writes prefabs::keep,
        "Keeps an entity with all below it as a prefab under a name, or the text of one.";
    "ecs.prefabs" () reads prefabs::list, "Returns the names and bytes of all prefabs.";
    "ecs.get_prefab" ("name") reads prefabs::get, "Returns the text of a prefab.";
    "ecs.spawn_prefab" ("name", "count?") writes prefabs::spawn,
        "Spawns copies of a prefab, all or none, and returns their roots.";
    "ecs.forget_prefab" ("name") writes prefabs::forget, "Drops a prefab.";
};

/// The most names of components that a list in a request has, and the most entities.
const MOST_NAMES: usize = 1_000;
const MOST_ENTITIES: usize = 10_000;

/// Returns the result of a method that edits nothing. If it does not fit into the frame, the method is called again.
pub(crate) fn done(call: &Call<'_>, result: &impl Serialize) -> Result<Outcome, Stop> {
    let mut out = Out::default();
    out.write_or_fail(result, call.budget)?;
    Ok(Outcome::Done(out))
}

/// Returns the short result of a method that has edited the world.
pub(crate) fn edited(call: &Call<'_>, result: &impl Serialize) -> Result<Outcome, Stop> {
    let out = Out::from(serde_json::to_string(result).map_err(Error::from)?);
    call.budget.spend_bytes(out.len());
    Ok(Outcome::Done(out))
}

/// Returns an error unless the entity is alive.
pub(crate) fn check_alive(call: &Call<'_>, entity: Entity) -> Result<(), Error> {
    if call.world.is_alive(entity) { Ok(()) } else { Err(Error::no_entity(entity)) }
}

/// Returns an error for a list of entities that is too long, or has one that is not alive.
pub(crate) fn check_all(call: &Call<'_>, entities: &[Entity]) -> Result<(), Stop> {
    check_count(entities.len(), "entities", MOST_ENTITIES)?;
    call.budget.take_values(entities.len())?;
    Ok(entities.iter().try_for_each(|entity| check_alive(call, *entity))?)
}

pub(crate) fn check_count(count: usize, what: &str, most: usize) -> Result<(), Error> {
    if count <= most {
        return Ok(());
    }
    Err(Error::invalid_params(format_args!("{count} {what}: a request has at most {most}")))
}

/// Returns each name of a list once, in order.
pub(crate) fn each_once(mut names: Vec<String>) -> Result<Vec<String>, Error> {
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    check_count(names.len(), "names", MOST_NAMES)?;
    Ok(names)
}

/// Finds components by their names.
pub(crate) fn kinds(call: &Call<'_>, names: &[String]) -> Result<Vec<Kind>, Stop> {
    check_count(names.len(), "names", MOST_NAMES)?;
    names.iter().map(|name| kind(call, name)).collect()
}

/// Finds a component by its name.
pub(crate) fn kind(call: &Call<'_>, name: &str) -> Result<Kind, Stop> {
    call.budget.take_values(1)?;
    Ok(crate::names::kind(call.world, name)?)
}

/// Takes the price of an edit of these entities, and of all that point to them, directly or not: they may be despawned,
/// or lose their relation.
pub(crate) fn pay_for_trees(
    world: &World,
    entities: &[Entity],
    budget: &Budget,
) -> Result<(), Stop> {
    let relations: Vec<Kind> = world.kinds().filter(|kind| kind.is_relation()).collect();
    let mut seen: BTreeSet<Entity> = entities.iter().copied().collect();
    let mut left: Vec<Entity> = seen.iter().copied().collect();
    while let Some(entity) = left.pop() {
        budget.take_values(1)?;
        for relation in &relations {
            let sources = world.kind_related(*relation, entity);
            budget.take_values(sources.len())?;
            left.extend(sources.filter(|source| seen.insert(*source)));
        }
    }
    Ok(())
}

/// Takes the price of removing a component: a relation is found among the others to its target.
pub(crate) fn pay_for_removal(
    world: &World,
    entity: Entity,
    kind: Kind,
    budget: &Budget,
) -> Result<(), Stop> {
    let target = world.kind_target(kind, entity);
    budget.take_values(1 + target.map_or(0, |target| world.kind_related(kind, target).len()))
}
