//! Several entities at once: their common components, and one edit of all, or of none.

use crate::error::Error;
use crate::methods::edit::{explain, read_text, saved_value};
use crate::methods::undo::Piece;
use crate::methods::{check_alive, done};
use crate::names;
use crate::patch::{NewValue, part, patch};
use crate::protocol::{Call, Outcome};
use ecs::by_name::{Kind, Values};
use ecs::{DespawnError, Entity, World};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// The most entities of one request.
const MOST: usize = 10_000;
/// The number of entities for each look at the clock.
const CHECKED: usize = 32;

#[derive(Deserialize)]
struct Selected {
    entities: Vec<Entity>,
}

/// A component that all selected entities have: the value of the first one, and the paths at which others differ.
#[derive(Serialize)]
struct Common {
    name: &'static str,
    value: Box<RawValue>,
    is_saved: bool,
    mixed: BTreeSet<String>,
}

#[derive(Serialize)]
struct Selection {
    /// The entities that are alive.
    entities: Vec<Entity>,
    /// The number of entities whose values were compared, within half of the budget.
    compared: usize,
    components: Vec<Common>,
}

pub(super) fn selection(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Selected { mut entities } = call.params()?;
    check_count(entities.len())?;
    let deadline = Instant::now() + call.protocol.options.budget / 2;
    let world = &*call.world;
    entities.retain(|entity| world.is_alive(*entity));
    let Some(first) = entities.first() else {
        return done(&Selection { entities, compared: 0, components: Vec::new() });
    };
    let mut kinds: Vec<Kind> = world.components(*first).collect();
    kinds.retain(|kind| entities.iter().all(|it| world.kind_value(*kind, *it).is_some()));
    let mut components = Vec::new();
    for kind in &kinds {
        let name = names::short(world, *kind);
        let Some(value) = names::value(world, *first, *kind, name) else { continue };
        let is_saved = kind.saved_as().is_some();
        components.push(Common { name, value: value?, is_saved, mixed: BTreeSet::new() });
    }
    let mut compared = 0;
    for entity in &entities {
        if compared > 0 && compared % CHECKED == 0 && Instant::now() >= deadline {
            break;
        }
        compared += 1;
        for (kind, common) in kinds.iter().zip(&mut components) {
            if let Some(other) = names::value(world, *entity, *kind, common.name) {
                differ(common.value.get(), other?.get(), "", &mut common.mixed);
            }
        }
    }
    done(&Selection { entities, compared, components })
}

/// Adds the paths at which two values differ.
fn differ(a: &str, b: &str, path: &str, mixed: &mut BTreeSet<String>) {
    if a == b {
        return;
    }
    let fields = |text| serde_json::from_str::<BTreeMap<String, &RawValue>>(text).ok();
    let items = |text| serde_json::from_str::<Vec<&RawValue>>(text).ok();
    if let (Some(a), Some(b)) = (fields(a), fields(b))
        && a.keys().eq(b.keys())
    {
        for ((name, a), b) in a.iter().zip(b.values()) {
            differ(a.get(), b.get(), &format!("{path}.{name}"), mixed);
        }
    } else if let (Some(a), Some(b)) = (items(a), items(b))
        && a.len() == b.len()
    {
        for (at, (a, b)) in a.iter().zip(b).enumerate() {
            differ(a.get(), b.get(), &format!("{path}.{at}"), mixed);
        }
    } else {
        mixed.insert(path.to_owned());
    }
}

fn check_count(count: usize) -> Result<(), Error> {
    if count <= MOST {
        return Ok(());
    }
    Err(Error::invalid_params(format_args!("{count} entities: a request has at most {MOST}")))
}

#[derive(Deserialize)]
struct Edit {
    entities: Vec<Entity>,
    component: String,
    #[serde(default)]
    path: String,
    #[serde(flatten)]
    new: NewValue,
}

pub(super) fn edit(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Edit { entities, component, path, new } = call.params()?;
    check_count(entities.len())?;
    let new = new.raw()?;
    let kind = names::kind(call.world, &component)?;
    let mut edits = Vec::with_capacity(entities.len());
    for entity in entities {
        check_alive(call, entity)?;
        let is_new = path.is_empty() && call.world.kind_value(kind, entity).is_none();
        let new = if is_new { Put::Insert(new.clone()) } else { Put::Replace(new.clone()) };
        edits.push(Change { entity, kind, path: path.clone(), put: new });
    }
    let back = apply(call.world, &edits)?;
    let number = call.protocol.taken.keep(Piece::Edits(back), call.world);
    done(&serde_json::json!({ "taken": number }))
}

pub(super) fn take(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Selected { entities } = call.params()?;
    check_count(entities.len())?;
    for entity in &entities {
        check_alive(call, *entity)?;
    }
    let mut taken = Vec::with_capacity(entities.len());
    for entity in entities {
        match call.world.take_entity(entity) {
            Ok(despawned) => taken.push(despawned),
            Err(DespawnError::NoSuchEntity(_)) => {} // despawned with one before
            Err(error) => {
                while let Some(last) = taken.pop() {
                    if call.world.restore(last).is_err() {
                        let message = format!("{error}; and not all entities came back");
                        return Err(Error::new(Error::INTERNAL, message));
                    }
                }
                return Err(error.into());
            }
        }
    }
    let number = call.protocol.taken.keep(Piece::All(taken), call.world);
    done(&serde_json::json!({ "taken": number }))
}

/// A change of a component of an entity.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) entity: Entity,
    kind: Kind,
    path: String,
    put: Put,
}

#[derive(Debug)]
enum Put {
    /// Inserts the component.
    Insert(Box<RawValue>),
    /// Replaces the part at the path.
    Replace(Box<RawValue>),
    /// Removes these components, which an insertion brought.
    Remove(Vec<Kind>),
}

/// Carries out all changes, or none. Returns the changes that undo them, in their order.
///
/// All values are read before the first one is inserted. If an insertion is refused, the ones before are undone: their
/// observers are notified of both.
pub(super) fn apply(world: &mut World, changes: &[Change]) -> Result<Vec<Change>, Error> {
    let mut ready = Vec::with_capacity(changes.len());
    for change in changes {
        ready.push(prepare(world, change)?);
    }
    let mut done = Vec::with_capacity(ready.len());
    for one in ready {
        match carry_out(world, one) {
            Ok(back) => done.push(back),
            Err(error) => {
                done.reverse();
                if let Err(more) = apply(world, &done) {
                    let message =
                        format!("{}; and not all is as before: {}", error.message, more.message);
                    return Err(Error::new(Error::INTERNAL, message));
                }
                return Err(error);
            }
        }
    }
    done.reverse();
    Ok(done)
}

/// A change whose value was read, and the value before of the part that it replaces.
struct Ready<'c> {
    change: &'c Change,
    values: Values,
    before: Option<Box<RawValue>>,
}

fn prepare<'c>(world: &mut World, change: &'c Change) -> Result<Ready<'c>, Error> {
    let Change { entity, kind, path, put } = change;
    let (mut values, mut before) = (Values::new(), None);
    match put {
        Put::Insert(value) => read_text(world, &mut values, *kind, value)?,
        Put::Replace(value) => {
            let found = saved_value(world, *entity, *kind, kind.name())?;
            before = Some(RawValue::from_string(part(&found, path)?.to_owned())?);
            let whole = patch(&found, path, value)?;
            read_text(world, &mut values, *kind, &whole).map_err(explain)?;
        }
        Put::Remove(_) => {}
    }
    Ok(Ready { change, values, before })
}

fn carry_out(world: &mut World, ready: Ready<'_>) -> Result<Change, Error> {
    let Ready { change: Change { entity, kind, path, put }, values, before } = ready;
    let (entity, kind) = (*entity, *kind);
    let put = match put {
        Put::Insert(_) => {
            let had: Vec<Kind> = world.components(entity).collect();
            world.insert_values(entity, values)?;
            Put::Remove(world.components(entity).filter(|kind| !had.contains(kind)).collect())
        }
        Put::Replace(value) => {
            world.insert_values(entity, values)?;
            Put::Replace(before.unwrap_or_else(|| value.clone()))
        }
        Put::Remove(kinds) => {
            let value = saved_value(world, entity, kind, kind.name())?;
            for kind in kinds {
                match world.remove_kind(*kind, entity) {
                    Ok(()) | Err(ecs::RemoveError::Missing(..)) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            Put::Insert(value)
        }
    };
    Ok(Change { entity, kind, path: path.clone(), put })
}
