//! Entities and components that were taken out of the world, and come back by an undo of the library.

use crate::budget::{Budget, Stop};
use crate::error::Error;
use crate::methods::edit::not_as_before;
use crate::methods::many::{self, Change};
use crate::methods::{check_alive, edited, kind, pay_for_removal, pay_for_trees};
use crate::protocol::{Call, Outcome, Protocol};
use ecs::by_name::{Despawned, Kind, OwnedValue};
use ecs::{ChildOf, Entity, World};
use serde::Deserialize;
use serde_json::json;
use std::collections::VecDeque;

/// The most that is kept, and the most bytes: the oldest is dropped for one more.
const MOST: usize = 200;
const MOST_BYTES: usize = 64 << 20;
/// About the bytes that an entity takes, beside its components.
const ENTITY: usize = 256;

/// Entities and components that were taken, by ascending numbers.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    last: u64,
    /// The sum of their bytes.
    len: usize,
    kept: VecDeque<(u64, Piece)>,
}

#[derive(Debug)]
pub(super) enum Piece {
    Entities(Despawned),
    /// Entities that were despawned one after another.
    All(Vec<Despawned>),
    Component(Entity, OwnedValue),
    /// The parent that an entity had, instead of the one that it has.
    Parent(Entity, Option<OwnedValue>),
    /// The changes that undo an edit of several entities.
    Edits(Vec<Change>),
}

impl Piece {
    /// Takes the price of putting it back.
    fn pay(&self, world: &World, budget: &Budget) -> Result<(), Stop> {
        match self {
            Self::Entities(entities) => budget.take_values(entities.entities().len()),
            Self::All(all) => {
                all.iter().try_for_each(|it| budget.take_values(1 + it.entities().len()))
            }
            Self::Component(..) => budget.take_values(1),
            Self::Parent(entity, before) => {
                let parent = world.parent(*entity);
                budget.take_values(1 + parent.map_or(0, |it| world.children(it).len()))?;
                budget.take_values(usize::from(before.is_some()))
            }
            Self::Edits(_) => Ok(()), // they pay when they are prepared
        }
    }

    /// Returns about how many bytes it keeps, beside the values themselves.
    fn len(&self) -> usize {
        match self {
            Self::Entities(entities) => entities.entities().len() * ENTITY,
            Self::All(all) => all.iter().map(|it| it.entities().len() * ENTITY).sum(),
            Self::Component(..) | Self::Parent(..) => ENTITY,
            Self::Edits(changes) => changes.iter().map(Change::len).sum(),
        }
    }

    /// Puts it back; returns it with the reason if it cannot be.
    fn put_back(self, world: &mut World, budget: &Budget) -> Result<(), (Self, Stop)> {
        match self {
            Self::Entities(entities) => restore(world, entities)
                .map_err(|(entities, error)| (Self::Entities(entities), error.into())),
            Self::Component(entity, value) => world
                .insert_value(entity, value)
                .map_err(|(value, error)| (Self::Component(entity, value), error.into())),
            Self::All(all) => {
                restore_all(world, all).map_err(|(all, error)| (Self::All(all), error.into()))
            }
            Self::Edits(mut changes) => {
                changes.retain(|change| world.is_alive(change.entity));
                match many::apply(world, &changes, budget) {
                    Ok(_) => Ok(()),
                    Err(stop) => Err((Self::Edits(changes), stop)),
                }
            }
            Self::Parent(entity, before) => {
                let parent = take_parent(world, entity);
                let Some(value) = before else { return Ok(()) };
                world.insert_value(entity, value).map_err(|(value, error)| {
                    if let Some(parent) = parent {
                        _ = world.insert_value(entity, parent);
                    }
                    (Self::Parent(entity, Some(value)), error.into())
                })
            }
        }
    }
}

/// Restores entities; returns them with the reason if they cannot come back.
fn restore(world: &mut World, entities: Despawned) -> Result<(), (Despawned, Error)> {
    world.restore(entities).map_err(|entities| {
        let error = match world.check_restore(&entities) {
            Err(error) => Error::new(Error::INTERNAL, error),
            Ok(()) => Error::new(Error::INTERNAL, "an entity is being despawned"),
        };
        (entities, error)
    })
}

/// Restores all entries, the last one first, or none of them.
fn restore_all(world: &mut World, mut all: Vec<Despawned>) -> Result<(), (Vec<Despawned>, Error)> {
    let mut roots = Vec::with_capacity(all.len());
    while let Some(last) = all.pop() {
        let root = last.entities().next();
        if let Err((last, mut error)) = restore(world, last) {
            all.push(last);
            for root in roots.into_iter().rev() {
                match world.take_entity(root) {
                    Ok(entities) => all.push(entities),
                    Err(more) => error = not_as_before(&error, more),
                }
            }
            return Err((all, error));
        }
        roots.extend(root);
    }
    Ok(())
}

/// Takes an entity from its parent, if it has one.
fn take_parent(world: &mut World, entity: Entity) -> Option<OwnedValue> {
    world.take_kind(Kind::of::<ChildOf>(), entity).ok()
}

impl Taken {
    /// Keeps a piece, and returns its number. The oldest of too many is dropped.
    pub(super) fn keep(&mut self, piece: Piece, world: &mut World) -> u64 {
        self.last += 1;
        self.len += piece.len();
        self.kept.push_back((self.last, piece));
        while self.kept.len() > MOST || self.len > MOST_BYTES && self.kept.len() > 1 {
            let Some((_, oldest)) = self.kept.pop_front() else { break };
            self.len -= oldest.len();
            match oldest {
                Piece::Entities(oldest) => world.discard(oldest),
                Piece::All(all) => all.into_iter().for_each(|oldest| world.discard(oldest)),
                _ => {}
            }
        }
        self.last
    }
}

#[derive(Deserialize)]
struct Take {
    entity: Entity,
    component: Option<String>,
}

pub(super) fn take(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Take { entity, component } = call.params()?;
    let piece = match component {
        None => {
            pay_for_trees(call.world, &[entity], call.budget)?;
            Piece::Entities(call.world.take_entity(entity)?)
        }
        Some(name) => {
            let kind = kind(call, &name)?;
            pay_for_removal(call.world, entity, kind, call.budget)?;
            Piece::Component(entity, call.world.take_kind(kind, entity)?)
        }
    };
    let number = call.protocol.taken.keep(piece, call.world);
    edited(call, &json!({ "taken": number }))
}

#[derive(Deserialize)]
struct Reparent {
    entity: Entity,
    parent: Option<Entity>,
}

pub(super) fn reparent(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Reparent { entity, parent } = call.params()?;
    for entity in [Some(entity), parent].into_iter().flatten() {
        check_alive(call, entity)?;
    }
    // Its place is found among the children of its parent.
    let siblings = call.world.parent(entity).map_or(0, |it| call.world.children(it).len());
    call.budget.take_values(1 + siblings)?;
    let before = take_parent(call.world, entity);
    let attached = parent.map_or(Ok(()), |parent| call.world.attach(entity, parent));
    if let Err(error) = attached {
        if let Some(before) = before {
            _ = call.world.insert_value(entity, before);
        }
        return Err(error.into());
    }
    let number = call.protocol.taken.keep(Piece::Parent(entity, before), call.world);
    edited(call, &json!({ "taken": number }))
}

#[derive(Deserialize)]
struct PutBack {
    taken: u64,
}

pub(super) fn put_back(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let PutBack { taken: number } = call.params()?;
    let Call { protocol: Protocol { taken, .. }, world, budget, .. } = &mut *call;
    let found = taken.kept.binary_search_by_key(&number, |(own, _)| *own);
    let Ok(at) = found else {
        let text =
            format!("nothing is kept under {number}: it was put back, or dropped for later ones");
        return Err(Error::invalid_params(text).into());
    };
    taken.kept[at].1.pay(world, budget)?;
    let Some((_, piece)) = taken.kept.remove(at) else { return edited(call, &()) };
    let len = piece.len();
    if let Err((piece, stop)) = piece.put_back(world, budget) {
        taken.len = taken.len - len + piece.len();
        taken.kept.insert(at, (number, piece)); // it may be tried again
        return Err(stop);
    }
    taken.len -= len;
    edited(call, &())
}
