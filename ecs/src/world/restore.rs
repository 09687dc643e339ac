//! What all formats share: keys and what they take, relations at both ends, groups that keep lists.

use crate::entities::Entities;
use crate::entity::Entity;
use crate::format::budget::{Budget, GROWING};
use crate::format::reader::{ReadError, Reader, wrong};
use crate::group::groups::{Groups, ListedGroup};
use crate::pool::WorldPool;
use crate::pool::kind::Kind;
use crate::pool::pools::Pools;
use crate::pool::relations::Ends;
use crate::storage::keys::Keys;
use crate::storage::page::Page;
use crate::storage::sparse_array::{PAGE_SHIFT, page_of};
use crate::world::World;
use crate::world::build::Filled;
use crate::world::several::insert_late;
use alloc::vec::Vec;

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// Adds a member to keys that have room for it in the dense array. What it takes in the sparse array is paid for.
pub(super) fn add_key(keys: &mut Keys<Entity>, entity: Entity, budget: &mut Budget) -> Result {
    let page = page_of(entity.index());
    let more = (page + 1).saturating_sub(keys.page_count());
    budget.pay(GROWING * more, size_of::<usize>())?;
    if keys.page(page).is_empty() {
        budget.pay(1, Page::MOST_MEMORY)?;
    }
    if keys.push(entity).is_some() {
        return wrong("an entity is there twice");
    }
    Ok(())
}

/// Reads so many groups that keep lists, of these entities; `term` reads a component that a group requires or excludes.
/// Returns those that are `declared` and of known components.
pub(super) fn read_groups(
    reader: &mut Reader,
    count: usize,
    at: impl Fn(u64) -> Option<Entity>,
    declared: &Groups,
    mut term: impl FnMut(&mut Reader) -> Result<Option<u32>>,
) -> Result<Vec<ListedGroup>> {
    let mut groups: Vec<ListedGroup> = Vec::new();
    for _ in 0..count {
        let [required, excluded] = [reader.list(&mut term)?, reader.list(&mut term)?];
        let members = reader.list(|reader| match at(reader.number()?) {
            Some(entity) => Ok(entity),
            None => wrong("a member of a group is nobody"),
        })?;
        reader.pay(required.len() + excluded.len(), size_of::<u32>())?;
        let in_order = |term: Vec<Option<u32>>| {
            let mut term: Vec<u32> = term.into_iter().collect::<Option<_>>()?;
            term.sort_unstable();
            Some(term)
        };
        let (Some(required), Some(excluded)) = (in_order(required), in_order(excluded)) else {
            continue;
        };
        let group = ListedGroup { required, excluded, members };
        if groups.iter().any(|other| other.is_of(&group.required, &group.excluded)) {
            return wrong("a group is there twice");
        }
        if declared.lists().any(|(required, excluded, _)| group.is_of(required, excluded)) {
            groups.push(group);
        }
    }
    Ok(groups)
}

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

/// An entity that points to another takes so many bytes at most, without pages: in slots, lists, and when circles are
/// looked for.
const RELATED: usize = 160;

/// Pays for a relation that so many have, and point to so many targets by it, among so many indices.
pub(super) fn pay_relation(
    sources: usize,
    targets: usize,
    indices: usize,
    budget: &mut Budget,
) -> Result {
    let pages = (indices >> PAGE_SHIFT) + 1;
    budget.pay(sources, RELATED)?;
    // Pages of slots, of sources that were looked at, and of targets.
    budget.pay(2 * sources.min(pages) + targets.min(pages), Page::MOST_MEMORY)?;
    budget.pay(3 * GROWING * pages, size_of::<usize>())
}

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
    pools.relations.reserve(number, count, lists.len().min(count));
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

/// Gives the entities of a world whose groups are to be restored what else they are to have: those of which old values
/// became several, and those that have this component what it requires, but for relations, and for what is saved and was
/// required before.
pub(super) fn complete(world: &mut World, part: &mut Filled, budget: &mut Budget) -> Result {
    for (entity, late) in part.late.drain(..) {
        insert_late(world, entity, late);
    }
    let kind = world.pools.at(part.number).kind();
    let is_known = |kind: &Kind| {
        let name = kind.saving().map(|(name, _)| name);
        name.is_some_and(|name| part.required.iter().any(|required| name.is(required)))
    };
    let is_old = |kind: &Kind| kind.is_relation() || is_known(kind);
    let (old, new): (Vec<Kind>, Vec<Kind>) = kind.required().into_iter().partition(is_old);
    let Some(require) = kind.requiring_some().filter(|_| !new.is_empty()) else { return Ok(()) };
    let pool = world.pools.at(part.number);
    for kind in new {
        budget.pay(GROWING * pool.len(), kind.size() + size_of::<Entity>())?;
        budget.pay(pool.len().min(pool.raw_keys().page_count()), Page::MOST_MEMORY)?;
    }
    for entity in pool.keys().to_vec() {
        require(world, entity, &|number, _| old.iter().any(|kind| kind.number == number), true);
    }
    Ok(())
}
