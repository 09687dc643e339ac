//! Completing insertions, removals and despawns.
//!
//! Every edit ends here, so that all have one order. An insertion has stored values in their pools and components in
//! records. Then follow relations, marks of changes, rows of the changes for listeners, and groups. A removal leaves
//! groups that require the component, then its pool, relations, marks of changes and the record. At last it joins
//! groups that exclude the component. A despawn does so with all components at once. Listeners of removals were
//! notified before. No user code runs until values are dropped, which comes last.
//!
//! There are two exceptions:
//!
//! * A hook that is the only listener to an insertion or update adds no row. The code that inserts or changes the
//!   component calls the hook (`Inserter::hook`), so a component with a hook stays as cheap as one without.
//! * Contents that are replaced as a whole come from a world, a file or a delta with the final order of all pools.
//!   Completing each component would change that order. So `copy/copies`, `saved/build` and `saved/apply` mark
//!   differences, exchange pools, relations and records, and restore groups from the order. `World::clear` drops all.

use crate::component::set::ComponentSet;
use crate::entities::Entities;
use crate::entities::chunk::{AHEAD, CHUNK, EditChunk};
use crate::entity::Entity;
use crate::group::groups::Groups;
use crate::group::state::Departure;
use crate::pool::pools::{LastPosition, Pools};
use crate::pool::watch::{Fact, Question};
use crate::storage::untyped::is_swept;
use alloc::vec::Vec;

/// The weight of an entity in a group when it is decided if pools are swept. The entity would leave the group by an
/// exchange in each pool, and then each pool. Measured with a million in random order: one in 5, 7 and 12 despawned
/// took 370, 370 and 400 ns each, swept 78, 90 and 143. With ten thousand they took 71, 70 and 84, swept 44, 52 and
/// 77.
const GROUPED_WEIGHT: usize = 4;

/// A component that was inserted into an entity.
#[derive(Clone, Copy)]
pub(crate) struct Inserted {
    pub(crate) entity: Entity,
    pub(crate) number: u32,
    /// `true` if the entity had none before.
    pub(crate) is_new: bool,
    /// The target of the component, if it is a relation.
    pub(crate) target: Option<Entity>,
    /// The position of a new component in its pool, or [`NOWHERE`](LastPosition::NOWHERE).
    pub(crate) last: LastPosition,
}

/// Completes the insertion of one component, of an edit that `has_rows` already or has none yet. Returns `true` if the
/// edit has rows now. Without groups, none watches the component.
#[cold]
#[inline(never)]
pub(crate) fn insertion(
    pools: &mut Pools,
    entities: &mut Entities,
    groups: Option<&mut Groups>,
    inserted: Inserted,
    has_rows: bool,
) -> bool {
    let Inserted { entity, number, is_new, target, last } = inserted;
    if !pools.watch.answer(Question::Insertion, number) {
        return has_rows;
    }
    if let Some(target) = target {
        pools.relations.link(entities, number, entity, target);
    }
    let has_rows = pools.watch.add_insertion(entity, number, is_new, has_rows);
    if let Some(groups) = groups.filter(|_| is_new)
        && groups.watch(number)
    {
        groups.update_after(pools, entity, &entities.components(entity), number, last);
    }
    has_rows
}

/// Completes the insertion of these components into many entities. `given` are their numbers, and how many members
/// their pools had before; empty if they need [no rows](Question::Row). Returns `true` if no
/// entity comes twice, and none had a component before whose insertion has listeners.
///
/// Entities that `are_made` were spawned with just these components, and are the last ones of all these pools.
pub(crate) fn insertions(
    pools: &mut Pools,
    entities: &mut Entities,
    groups: &mut Groups,
    list: &[Entity],
    components: &ComponentSet,
    given: &[(u32, usize)],
    are_made: bool,
) -> bool {
    let are_new = insertions_before_groups(pools, entities, list, components, given);
    if groups.watched().intersects(components) {
        if are_made {
            groups.enter_new(pools, list, components);
        } else {
            groups.update_all(pools, list, |entity| entities.components(entity), components);
        }
    }
    are_new
}

/// Completes the insertion of components into entities that were just made, and have no others: each number was
/// inserted into the entities beside it. Groups come when all components are there, so outer ones come before inner
/// ones, whichever component completes these.
pub(crate) fn insertions_into_made(
    pools: &mut Pools,
    entities: &mut Entities,
    groups: &mut Groups,
    made: &[Entity],
    given: &[(u32, Vec<Entity>)],
) {
    let mut components = ComponentSet::EMPTY;
    for (number, list) in given {
        components.insert(*number);
        insertions_before_groups(
            pools,
            entities,
            list,
            &ComponentSet::of(*number),
            &[(*number, 0)],
        );
    }
    if groups.watched().intersects(&components) {
        groups.update_all(pools, made, |entity| entities.components(entity), &components);
    }
}

/// Completes insertions like [`insertions`], up to groups.
#[inline(always)]
fn insertions_before_groups(
    pools: &mut Pools,
    entities: &mut Entities,
    list: &[Entity],
    components: &ComponentSet,
    given: &[(u32, usize)],
) -> bool {
    if pools.watch.of(Fact::Relation).intersects(components) {
        pools.link_all(entities, list, components, given);
    }
    pools.note_all(list, given) // before groups move the new members
}

/// Completes the insertion of components that an entity was being given when a panic ended that. Its record is made
/// exact, but for its mark. Nothing was notified of them, so they add no rows. O(pools).
pub(crate) fn broken_insertion(
    pools: &mut Pools,
    entities: &mut Entities,
    groups: &mut Groups,
    entity: Entity,
) {
    if !entities.ensure_alive(entity) {
        return;
    }
    let had = entities.components(entity).difference(ComponentSet::MARKED);
    entities.remove_all(entity, had);
    for (number, pool) in pools.numbered() {
        if pool.contains(entity) {
            entities.add(entity, number);
        }
    }
    pools.link_all(entities, &[entity], &ComponentSet::ALL, &[]);
    let has = entities.components(entity);
    pools.track_new(&[entity], &has);
    groups.update_all(pools, &[entity], |_| has, &had.union(has));
}

/// Completes the removal of one component: takes it out of its pool and its entity out of groups. Returns `false` if
/// the entity has none. The value is dropped when the pool is finished, unless it is taken from there before.
#[inline(never)]
pub(crate) fn removal(
    pools: &mut Pools,
    entities: &mut Entities,
    groups: &mut Groups,
    entity: Entity,
    number: u32,
) -> bool {
    let Some(from) = pools.keys_at(number).find(entity) else { return false };
    let mut departure = Departure { number, from, by: from };
    if groups.require(number) {
        groups.leave(pools, entity, &mut departure);
    }
    pools.at_mut(number).set_mut().take_out_at(departure.from, departure.by);
    if pools.watch.is(Fact::Relation, number) {
        pools.relations.unlink(number, entity);
    }
    if pools.watch.is(Fact::Tracked, number) {
        pools.watch.track(number, |track| track.note_removal(entity));
    }
    if groups.watch(number) {
        entities.forget(entity, number);
        if groups.exclude(number) {
            groups.update(pools, entity, &entities.components(entity), number);
        }
    }
    true
}

/// Completes the removal of one component from many entities, and drops the values. Returns how many there were. `all`
/// are the entities that were named, also the ones that do not lose one: they decide how the others move, so that
/// listeners have no effect on their order.
pub(crate) fn removals(
    pools: &mut Pools,
    entities: &mut Entities,
    groups: &mut Groups,
    (list, all): (&[Entity], usize),
    number: u32,
) -> usize {
    let is_grouped = groups.name(number);
    let is_swept = if is_grouped {
        groups.are_swept_by(pools, number, all.saturating_mul(GROUPED_WEIGHT))
    } else {
        is_swept(pools.keys_at(number).len(), all)
    };
    if is_grouped && !is_swept || pools.relations.get(number).is_some() {
        let has_one = |entity: &&Entity| removal(pools, entities, groups, **entity, number);
        let count = list.iter().filter(has_one).count();
        pools.at_mut(number).set_mut().finish(false);
        return count;
    }
    if pools.watch.is(Fact::Tracked, number) {
        pools.track_removals(list, number);
    }
    let is_forgotten = is_grouped && !ComponentSet::is_shared(number); // otherwise the record keeps it: E4
    let forgotten = if is_forgotten { ComponentSet::of(number) } else { ComponentSet::EMPTY };
    let count = pools.at_mut(number).set_mut().take_out_living(list, is_swept, entities, forgotten);
    if is_grouped {
        groups.sweep_by(pools, number);
    }
    pools.at_mut(number).set_mut().finish(is_swept);
    count
}

/// Completes the despawn of an entity that may have these components, but leaves these in their pools. Without
/// `is_watched`, none of them is tracked, and the entity is at neither end of a relation. Groups are left, except
/// [swept](Groups::begin_sweep) ones.
#[inline(always)]
pub(crate) fn end(
    pools: &mut Pools,
    entities: &mut Entities,
    groups: &mut Groups,
    (entity, components): (Entity, &ComponentSet),
    is_watched: bool,
) {
    if is_watched {
        pools.end(entity, components);
    }
    entities.free(entity); // before any call, so that the record is found once
    if groups.require_any(components) {
        groups.leave_all(pools, entity, components);
    }
}

/// Completes the despawn of one entity that may have these components, and drops them.
#[inline(always)]
pub(crate) fn despawn(
    pools: &mut Pools,
    entities: &mut Entities,
    groups: &mut Groups,
    of: (Entity, &ComponentSet),
    is_watched: bool,
) {
    end(pools, entities, groups, of, is_watched);
    pools.remove_all(of.0, of.1);
}

/// Completes the despawn of the living ones among these entities, and drops their components. Returns how many were.
/// `all` decide how other members move, as in [`removals`].
#[inline(never)]
pub(crate) fn despawns(
    pools: &mut Pools,
    entities: &mut Entities,
    groups: &mut Groups,
    list: &[Entity],
    all: usize,
) -> usize {
    let weight = all.saturating_mul(GROUPED_WEIGHT);
    let all = if groups.begin_sweep(pools, weight) { weight } else { all };
    let followed = pools.watch.any_of(&[Fact::Relation, Fact::Target, Fact::Tracked]);
    let followed = Some(followed).filter(|followed| !followed.is_empty());
    let (mut chunk, mut count) = (EditChunk::new(), 0);
    list.iter().take(AHEAD).for_each(|first| entities.prefetch(*first));
    for (part, start) in list.chunks(CHUNK).zip((0..).step_by(CHUNK)) {
        let mut components = ComponentSet::EMPTY;
        for (at, &entity) in (start..).zip(part) {
            entities.prefetch_after(list, at);
            if !entities.is_alive(entity) {
                continue;
            }
            let own = entities.components(entity);
            let is_watched = followed.is_some_and(|followed| own.intersects(&followed));
            end(pools, entities, groups, (entity, &own), is_watched);
            components = components.union(own);
            count += 1;
            chunk.push(entity);
        }
        pools.take_out(chunk.take(), all, &components);
    }
    groups.sweep(pools);
    pools.finish_all();
    count
}
