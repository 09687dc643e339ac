//! What is left to be done with a pool that was filled: the dead leave it, and relations are noted at both ends.

use crate::entities::Entities;
use crate::entity::Entity;
use crate::format::reader::ReadError;
use crate::pool::WorldPool;
use crate::pool::pools::Pools;
use crate::pool::relations::Ends;
use alloc::vec::Vec;

type Result<T, E = ReadError> = core::result::Result<T, E>;

/// Takes out of a pool what is not of the living, or points to one who is not; and out of the lists of its relation.
pub(super) fn leave_out_the_dead(
    pool: &mut dyn WorldPool,
    generations: &[u32],
    lists: &mut Vec<Vec<Entity>>,
) {
    let is_dead = |entity: Entity| {
        generations.get(entity.index() as usize) != Some(&entity.generation().get())
    };
    let members = pool.keys().iter().copied();
    let dead = members.filter(|it| is_dead(*it) || pool.target(*it).is_some_and(is_dead));
    for entity in dead.collect::<Vec<_>>() {
        pool.remove(entity);
    }
    for list in &mut *lists {
        list.retain(|entity| pool.contains(*entity));
    }
    lists.retain(|list| !list.is_empty());
}

/// So many bytes each entity takes about that points to another one: slots, lists, and their pages.
pub(super) const RELATED: usize = 160;

/// Restores who points to whom by the component with this number, if it is a relation, as these lists say, each of
/// one target.
pub(super) fn relate(
    pools: &mut Pools,
    entities: &mut Entities,
    number: u32,
    lists: &[Vec<Entity>],
) -> Result<(), (Option<Entity>, ReadError)> {
    let wrong = |entity, what: &str| Err((entity, ReadError::new(what)));
    let Some((_, acyclic)) = pools.at(number).relation() else {
        return if lists.is_empty() { Ok(()) } else { wrong(None, "it is no relation") };
    };
    let count = pools.at(number).len();
    if lists.iter().map(Vec::len).sum::<usize>() != count {
        return wrong(None, "not all that have the relation are listed");
    }
    for list in lists {
        let mut common = None;
        for &source in list {
            let target = pools.at(number).target(source);
            match target.filter(|target| entities.is_alive(*target)) {
                Some(target) if common.is_none_or(|it| it == target) => {
                    common = Some(target);
                    pools.relations.link(entities, number, source, target);
                }
                Some(_) => {
                    let what = "it is listed with those that point to another entity";
                    return wrong(Some(source), what);
                }
                None => return wrong(Some(source), "it points to an entity that is dead"),
            }
        }
    }
    let relation = pools.relations.get(number);
    if relation.is_none_or(|relation| relation.len() != count) {
        return wrong(None, "an entity is listed twice");
    }
    if acyclic && relation.is_some_and(Ends::has_circle) {
        return wrong(None, "entities point to each other in a circle");
    }
    Ok(())
}
