//! Entities and components that were taken out of the world, and come back by an undo of the library.

use crate::error::Error;
use crate::methods::many::{self, Change};
use crate::methods::{check_alive, done};
use crate::names;
use crate::protocol::{Call, Outcome};
use ecs::by_name::{Despawned, Kind, OwnedValue};
use ecs::{ChildOf, Entity, World};
use serde::Deserialize;
use serde_json::json;
use std::collections::VecDeque;

/// The most that is kept: the oldest is dropped for one more.
const MOST: usize = 200;

/// Entities and components that were taken, by ascending numbers.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    last: u64,
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
    /// Puts it back; returns it with the reason if it cannot be.
    fn put_back(self, world: &mut World) -> Result<(), (Self, Error)> {
        match self {
            Self::Entities(entities) => world.restore(entities).map_err(|entities| {
                let error = match world.check_restore(&entities) {
                    Err(error) => Error::new(Error::INTERNAL, error),
                    Ok(()) => Error::new(Error::INTERNAL, "an entity is being despawned"),
                };
                (Self::Entities(entities), error)
            }),
            Self::Component(entity, value) => world
                .insert_value(entity, value)
                .map_err(|(value, error)| (Self::Component(entity, value), error.into())),
            Self::All(mut all) => {
                while let Some(last) = all.pop() {
                    if let Err((Self::Entities(last), error)) = Self::Entities(last).put_back(world)
                    {
                        all.push(last);
                        return Err((Self::All(all), error));
                    }
                }
                Ok(())
            }
            Self::Edits(mut changes) => {
                changes.retain(|change| world.is_alive(change.entity));
                match many::apply(world, &changes) {
                    Ok(_) => Ok(()),
                    Err(error) => Err((Self::Edits(changes), error)),
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

/// Takes an entity from its parent, if it has one.
fn take_parent(world: &mut World, entity: Entity) -> Option<OwnedValue> {
    world.take_kind(Kind::of::<ChildOf>(), entity).ok()
}

impl Taken {
    /// Keeps a piece, and returns its number. The oldest of too many is dropped.
    pub(super) fn keep(&mut self, piece: Piece, world: &mut World) -> u64 {
        self.last += 1;
        self.kept.push_back((self.last, piece));
        let oldest = if self.kept.len() > MOST { self.kept.pop_front() } else { None };
        match oldest {
            Some((_, Piece::Entities(oldest))) => world.discard(oldest),
            Some((_, Piece::All(all))) => all.into_iter().for_each(|oldest| world.discard(oldest)),
            _ => {}
        }
        self.last
    }
}

#[derive(Deserialize)]
struct Take {
    entity: Entity,
    component: Option<String>,
}

pub(super) fn take(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Take { entity, component } = call.params()?;
    let piece = match component {
        None => Piece::Entities(call.world.take_entity(entity)?),
        Some(name) => {
            let kind = names::kind(call.world, &name)?;
            Piece::Component(entity, call.world.take_kind(kind, entity)?)
        }
    };
    let number = call.protocol.taken.keep(piece, call.world);
    done(&json!({ "taken": number }))
}

#[derive(Deserialize)]
struct Reparent {
    entity: Entity,
    parent: Option<Entity>,
}

pub(super) fn reparent(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Reparent { entity, parent } = call.params()?;
    for entity in [Some(entity), parent].into_iter().flatten() {
        check_alive(call, entity)?;
    }
    let before = take_parent(call.world, entity);
    let attached = parent.map_or(Ok(()), |parent| call.world.attach(entity, parent));
    if let Err(error) = attached {
        if let Some(before) = before {
            _ = call.world.insert_value(entity, before);
        }
        return Err(error.into());
    }
    let number = call.protocol.taken.keep(Piece::Parent(entity, before), call.world);
    done(&json!({ "taken": number }))
}

#[derive(Deserialize)]
struct PutBack {
    taken: u64,
}

pub(super) fn put_back(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let PutBack { taken: number } = call.params()?;
    let kept = &mut call.protocol.taken.kept;
    let found = kept.binary_search_by_key(&number, |(own, _)| *own).ok();
    let Some((_, piece)) = found.and_then(|at| kept.remove(at)) else {
        return Err(Error::invalid_params(format_args!(
            "nothing is kept under {number}: it was put back, or {MOST} more were taken"
        )));
    };
    if let Err((piece, error)) = piece.put_back(call.world) {
        let kept = &mut call.protocol.taken.kept;
        let at = kept.partition_point(|(own, _)| *own < number);
        kept.insert(at, (number, piece)); // it may be tried again
        return Err(error);
    }
    done(&())
}
