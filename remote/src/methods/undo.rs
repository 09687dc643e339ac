//! Entities and components that were taken out of the world, and come back by an undo.

use crate::error::Error;
use crate::methods::done;
use crate::names;
use crate::protocol::{Call, Outcome};
use ecs::Entity;
use ecs::by_name::{Despawned, OwnedValue};
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
enum Piece {
    Entities(Despawned),
    Component(Entity, OwnedValue),
}

#[derive(Deserialize)]
struct Take {
    entity: Entity,
    component: Option<String>,
}

pub(super) fn take(call: &mut Call<'_>) -> Result<Outcome, Error> {
    let Take { entity, component } = call.params()?;
    let piece = match component {
        None => Piece::Entities(Despawned::take(call.world, entity)?),
        Some(name) => {
            let kind = names::kind(call.world, &name)?;
            Piece::Component(entity, kind.take(call.world, entity)?)
        }
    };
    let taken = &mut call.protocol.taken;
    taken.last += 1;
    taken.kept.push_back((taken.last, piece));
    if taken.kept.len() > MOST
        && let Some((_, Piece::Entities(oldest))) = taken.kept.pop_front()
    {
        oldest.discard(call.world);
    }
    done(&json!({ "taken": call.protocol.taken.last }))
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
    match piece {
        Piece::Entities(entities) => entities.restore(call.world).map_err(|_| {
            Error::new(Error::INTERNAL, "the world was replaced since the entities were taken")
        })?,
        Piece::Component(entity, value) => {
            if let Err((value, error)) = value.insert(call.world, entity) {
                let kept = &mut call.protocol.taken.kept;
                let at = kept.partition_point(|(own, _)| *own < number);
                kept.insert(at, (number, Piece::Component(entity, value)));
                return Err(error.into());
            }
        }
    }
    done(&())
}
