//! Several entities at once: their common components, and one edit of all, or of none.

use crate::budget::{Budget, Stop};
use crate::error::Error;
use crate::methods::edit::{explained, not_as_before, read_text, saved_value};
use crate::methods::undo::Piece;
use crate::methods::{MOST_ENTITIES, check_all, check_count, edited, kind, pay_for_trees};
use crate::names;
use crate::out::Out;
use crate::patch::{NewValue, part, patch};
use crate::protocol::{Call, Job, Outcome};
use crate::walk::check_len;
use ecs::by_name::{Kind, Value, Values};
use ecs::{DespawnError, Entity, World};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The components that cost a value together, where each is only looked for.
const KINDS: usize = 16;

#[derive(Deserialize)]
struct Selected {
    entities: Vec<Entity>,
}

/// A component that all selected entities have: the value of the first one, and the paths at which others differ.
#[derive(Debug)]
struct Common {
    kind: Kind,
    name: &'static str,
    value: Result<String, Error>,
    mixed: BTreeSet<String>,
}

/// A comparison of entities, one after another.
#[derive(Debug)]
struct Selection {
    /// The entities that were alive.
    entities: Vec<Entity>,
    /// The kinds that all entities have, as far as they were looked at.
    kinds: Vec<Kind>,
    components: Vec<Common>,
    at: Place,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    /// Finds out whether this entity lacks some of the kinds.
    Kinds(usize),
    /// Writes the first entity's component of this kind.
    Values(usize),
    /// Compares this entity's component of this kind.
    Compared(usize, usize),
}

pub(super) fn selection(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Selected { mut entities } = call.params()?;
    check_count(entities.len(), "entities", MOST_ENTITIES)?;
    call.budget.take_values(entities.len())?;
    entities.retain(|entity| call.world.is_alive(*entity));
    let first = entities.first().copied();
    let kinds = first.map_or(Vec::new(), |first| call.world.components(first).collect());
    let at = Place::Kinds(1);
    Ok(Outcome::Later(Box::new(Selection { entities, kinds, components: Vec::new(), at })))
}

impl Selection {
    /// Does a piece of the work. Returns `false` if all is done.
    fn go_on(&mut self, world: &World, budget: &Budget) -> Result<bool, Stop> {
        budget.take_values(1)?;
        self.at = match self.at {
            Place::Kinds(at) => {
                let Some(entity) = self.entities.get(at) else {
                    self.at = Place::Values(0);
                    return Ok(true);
                };
                budget.take_values(self.kinds.len())?;
                self.kinds.retain(|kind| world.kind_value(*kind, *entity).is_some());
                Place::Kinds(at + 1)
            }
            Place::Values(at) => {
                let (Some(kind), Some(first)) = (self.kinds.get(at), self.entities.first()) else {
                    self.at = Place::Compared(1, 0);
                    return Ok(true);
                };
                let name = names::short(world, *kind);
                let value = match budget.piece(|| names::text(world, *first, *kind, name, budget)) {
                    Ok(value) => value,
                    Err(Stop::Failed(error)) => Some(Err(error)),
                    Err(Stop::Later) => return Err(Stop::Later),
                };
                if let Some(value) = value {
                    self.components.push(Common {
                        kind: *kind,
                        name,
                        value,
                        mixed: BTreeSet::new(),
                    });
                }
                Place::Values(at + 1)
            }
            Place::Compared(at, of) => {
                let Some(entity) = self.entities.get(at) else { return Ok(false) };
                let Some(common) = self.components.get_mut(of) else {
                    self.at = Place::Compared(at + 1, 0);
                    return Ok(true);
                };
                if let Ok(value) = &common.value
                    && let Some(Ok(other)) =
                        names::text(world, *entity, common.kind, common.name, budget)?
                {
                    differ(value, &other, "", &mut common.mixed, budget)?;
                }
                Place::Compared(at, of + 1)
            }
        };
        Ok(true)
    }

    fn write(&self, budget: &Budget) -> Result<Out, Stop> {
        let mut out = Out::from("{\"entities\":");
        out.write_or_fail(&self.entities, budget)?;
        out.push(&format!(",\"compared\":{},\"components\":[", self.entities.len()));
        for (at, Common { kind, name, value, mixed }) in self.components.iter().enumerate() {
            out.push(if at > 0 { ",{\"name\":" } else { "{\"name\":" });
            out.put(name, budget);
            out.push(",\"value\":");
            out.mark();
            out.push(value.as_deref().unwrap_or("null"));
            out.push(&format!(",\"is_saved\":{},\"mixed\":", kind.saved_as().is_some()));
            out.write_or_fail(mixed, budget)?;
            out.put_error(value.as_ref().err().cloned(), budget);
            out.push("}");
        }
        out.push("]}");
        Ok(out)
    }
}

impl Job for Selection {
    fn step(&mut self, call: &mut Call<'_>) -> Result<Option<Out>, Stop> {
        let budget = call.budget;
        while budget.piece(|| self.go_on(call.world, budget))? {
            check_len(self.len(), call.protocol.options.most_bytes)?;
            if budget.is_turn_over() {
                return Ok(None);
            }
        }
        Ok(Some(budget.piece(|| self.write(budget))?))
    }

    fn len(&self) -> usize {
        let len = |it: &Common| it.value.as_ref().map_or(0, String::len);
        self.components.iter().map(len).sum()
    }
}

/// Adds the paths at which two values differ.
fn differ(
    a: &str,
    b: &str,
    path: &str,
    mixed: &mut BTreeSet<String>,
    budget: &Budget,
) -> Result<(), Stop> {
    budget.take_values(1)?;
    budget.take_bytes(a.len() + path.len())?;
    if a == b {
        return Ok(());
    }
    let fields = |text| serde_json::from_str::<BTreeMap<String, &RawValue>>(text).ok();
    let items = |text| serde_json::from_str::<Vec<&RawValue>>(text).ok();
    if let (Some(a), Some(b)) = (fields(a), fields(b))
        && a.keys().eq(b.keys())
    {
        for ((name, a), b) in a.iter().zip(b.values()) {
            differ(a.get(), b.get(), &format!("{path}.{name}"), mixed, budget)?;
        }
    } else if let (Some(a), Some(b)) = (items(a), items(b))
        && a.len() == b.len()
    {
        for (at, (a, b)) in a.iter().zip(b).enumerate() {
            differ(a.get(), b.get(), &format!("{path}.{at}"), mixed, budget)?;
        }
    } else {
        mixed.insert(path.to_owned());
    }
    Ok(())
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

pub(super) fn edit(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Edit { entities, component, path, new } = call.params()?;
    check_all(call, &entities)?;
    let (new, path): (Arc<str>, Arc<str>) = (new.text()?.into(), path.into());
    let kind = kind(call, &component)?;
    let change = |entity: Entity| {
        let is_new = path.is_empty() && call.world.kind_value(kind, entity).is_none();
        let new = Arc::clone(&new);
        let put = if is_new { Put::Insert(new) } else { Put::Replace(new) };
        Change { entity, kind, path: Arc::clone(&path), put }
    };
    let edits: Vec<Change> = entities.into_iter().map(change).collect();
    let back = apply(call.world, &edits, call.budget)?;
    let number = call.protocol.taken.keep(Piece::Edits(back), call.world);
    edited(call, &json!({ "taken": number }))
}

pub(super) fn take(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Selected { entities } = call.params()?;
    check_all(call, &entities)?;
    pay_for_trees(call.world, &entities, call.budget)?;
    let mut taken = Vec::with_capacity(entities.len());
    for entity in entities {
        match call.world.take_entity(entity) {
            Ok(despawned) => taken.push(despawned),
            Err(DespawnError::NoSuchEntity(_)) => {} // despawned with one before
            Err(error) => {
                let mut error = Error::from(error);
                for last in taken.into_iter().rev() {
                    if call.world.restore(last).is_err() {
                        error = not_as_before(&error, "an entity did not come back");
                    }
                }
                return Err(error.into());
            }
        }
    }
    let number = call.protocol.taken.keep(Piece::All(taken), call.world);
    edited(call, &json!({ "taken": number }))
}

/// A change of a component of an entity.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) entity: Entity,
    kind: Kind,
    path: Arc<str>,
    put: Put,
}

#[derive(Debug)]
enum Put {
    /// Inserts the component.
    Insert(Arc<str>),
    /// Replaces the part at the path.
    Replace(Arc<str>),
    /// Removes these components, which an insertion brought.
    Remove(Vec<Kind>),
}

impl Change {
    /// Returns about how many bytes it keeps.
    pub(super) fn len(&self) -> usize {
        size_of::<Self>()
            + match &self.put {
                Put::Insert(text) | Put::Replace(text) => text.len(),
                Put::Remove(kinds) => size_of_val(&**kinds),
            }
    }
}

/// Carries out all changes, or none. Returns the changes that undo them, in their order.
///
/// All values are read, and the price is paid, before the first one is inserted. If an insertion is refused, the ones
/// before are undone: their observers are notified of both.
pub(super) fn apply(
    world: &mut World,
    changes: &[Change],
    budget: &Budget,
) -> Result<Vec<Change>, Stop> {
    let mut ready = Vec::with_capacity(changes.len());
    for change in changes {
        ready.push(prepare(world, change, budget)?);
    }
    let mut done = Vec::with_capacity(ready.len());
    for one in ready {
        match carry_out(world, one) {
            Ok(back) => done.push(back),
            Err(mut error) => {
                for back in done.iter().rev() {
                    let undone = prepare(world, back, &Budget::unlimited());
                    if let Err(more) = undone.and_then(|ready| Ok(carry_out(world, ready)?)) {
                        error = not_as_before(&error, more);
                    }
                }
                return Err(error.into());
            }
        }
    }
    done.reverse();
    Ok(done)
}

/// A change whose value was read, and the value before of the part that it replaces, or of the component that it
/// removes.
struct Ready<'c> {
    change: &'c Change,
    /// The kind of the component with its present fields.
    present: Kind,
    values: Values,
    before: String,
}

fn prepare<'c>(world: &mut World, change: &'c Change, budget: &Budget) -> Result<Ready<'c>, Stop> {
    let Change { entity, kind, path, put } = change;
    let (mut values, mut before) = (Values::new(), String::new());
    // The fields of a defined component may have changed since: a whole value is read as it was written.
    let present = world.kind_value(*kind, *entity).map_or(*kind, Value::kind);
    budget.take_values(2)?;
    match put {
        Put::Insert(value) => {
            budget.take_values(world.kinds().count() / KINDS)?;
            read_text(world, &mut values, (*kind, value), budget)?;
        }
        Put::Replace(value) => {
            let found = saved_value(world, *entity, (*kind, kind.name()), budget)?;
            part(&found, path, budget)?.clone_into(&mut before);
            let whole = patch(&found, path, value, budget)?;
            let of = if path.is_empty() { *kind } else { present };
            read_text(world, &mut values, (of, &whole), budget).map_err(explained)?;
        }
        Put::Remove(_) => before = saved_value(world, *entity, (*kind, kind.name()), budget)?,
    }
    Ok(Ready { change, present, values, before })
}

fn carry_out(world: &mut World, ready: Ready<'_>) -> Result<Change, Error> {
    let Ready { change: Change { entity, path, put, .. }, present, values, before } = ready;
    let entity = *entity;
    let put = match put {
        Put::Insert(_) => {
            let had: Vec<Kind> = world.components(entity).collect();
            world.insert_values(entity, values)?;
            Put::Remove(world.components(entity).filter(|kind| !had.contains(kind)).collect())
        }
        Put::Replace(_) => {
            world.insert_values(entity, values)?;
            Put::Replace(before.into())
        }
        Put::Remove(kinds) => {
            for kind in kinds {
                match world.remove_kind(*kind, entity) {
                    Ok(()) | Err(ecs::RemoveError::Missing(..)) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            Put::Insert(before.into())
        }
    };
    Ok(Change { entity, kind: present, path: Arc::clone(path), put })
}
