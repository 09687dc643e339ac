//! Builds a world from what a reader of any format returns. Pools are filled while the file is read; all else is
//! checked and made once, at the end.

use crate::component::data::Late;
use crate::entities::Entities;
use crate::entity::Entity;
use crate::format::budget::{Budget, GROWING};
use crate::format::header::Schema;
use crate::format::reader::ReadError;
use crate::group::groups::{Groups, ListedGroup};
use crate::pool::WorldPool;
use crate::pool::kind::Kind;
use crate::pool::pools::Pools;
use crate::saved::ends::{checked_ends, pay_relation};
use crate::saved::loaded::{Limits, LoadError, Loaded, Policy};
use crate::saved::read::Living;
use crate::storage::keys::Keys;
use crate::storage::page::Page;
use crate::storage::sparse_array::WORDS;
use crate::world::World;
use crate::world::several::insert_late;
use crate::world::unknown::UnknownParts;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// A world that is being read.
pub(super) struct Building {
    /// A world with the pools and groups of the reading world, and without entities until the end.
    pub(super) world: World,
    pub(super) loaded: Loaded,
    /// The unknown components and resources, if they are kept.
    pub(super) unknown_parts: Option<UnknownParts>,
    unknown: Policy,
    /// The generation that is alive at each index, or 0.
    pub(super) generations: Vec<u32>,
    pub(super) free: Vec<Entity>,
    /// The components whose pools are filled.
    pub(super) parts: Vec<Filled>,
}

/// A component that was read, without its members and values.
pub(super) struct Filled {
    pub(super) number: u32,
    pub(super) name: String,
    /// The positions of the sources of each target, if it is a relation.
    pub(super) lists: Vec<Vec<usize>>,
    /// The names of the saved components that it required when it was saved.
    pub(super) required: Vec<String>,
    /// Further components that old values became, and their entities.
    pub(super) late: Vec<(Entity, Late)>,
    /// The place for errors that are found after the component was read.
    pub(super) end: usize,
}

/// Returns the number of bytes for an index of a world with these pools, without components.
pub(super) fn entity_size(pools: &Pools) -> usize {
    let greatest = pools.numbered().map(|(number, _)| number).max();
    size_of::<u32>() + Entities::record_size(greatest.unwrap_or(0))
}

impl Building {
    /// Returns a world like this one, without entities, to be filled within these limits.
    pub(super) fn new(world: &World, limits: &Limits) -> Self {
        Self {
            world: world.empty_like(),
            loaded: Loaded::default(),
            unknown_parts: (limits.unknown == Policy::Keep).then(UnknownParts::default),
            unknown: limits.unknown,
            generations: Vec::new(),
            free: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Returns `true` if this entity is alive.
    pub(super) fn is_alive(&self, entity: Entity) -> bool {
        self.generations.is_alive(entity)
    }

    /// Returns `true` if values of this schema are read into the component or resource whose schema is `own`; `false`
    /// if they are to be left out or kept.
    ///
    /// # Errors
    /// Returns an error if they are unknown, and unknown parts are refused.
    pub(super) fn recognizes(&self, saved: Schema, own: Option<Schema>) -> Result<bool> {
        match own {
            Some(own) if saved.is_read_by(own)? => Ok(true),
            _ if self.unknown != Policy::Refuse => Ok(false),
            _ => Err(saved.unknown(
                own,
                "skip or keep it by `Limits::skip_unknown` or `Limits::keep_unknown`",
            )),
        }
    }

    /// Returns the component or resource that was found under a name, if values of this schema are read into it, like
    /// [`recognizes`](Self::recognizes).
    pub(super) fn recognized<T>(
        &self,
        found: Option<(T, Schema)>,
        saved: Schema,
    ) -> Result<Option<T>> {
        let (found, own) = found.unzip();
        let is_known = self.recognizes(saved, own)?;
        Ok(found.filter(|_| is_known))
    }

    /// Makes the entities with the components of the filled pools, both ends of relations, required components, and
    /// groups in the order of these lists. `end` is the place where the components end.
    pub(super) fn finish(
        mut self,
        groups: &[ListedGroup],
        end: usize,
        budget: &mut Budget,
    ) -> Result<(World, Loaded), LoadError> {
        let at = |at, component: Option<&Filled>, entity, error: ReadError| {
            let component = component.map(|part| part.name.clone());
            LoadError { component, entity, at, what: error.into_text() }
        };
        let world = &mut self.world;
        let entities = with_members(&self.generations, self.free, &self.parts, &world.pools);
        world.entities = entities.map_err(|what| at(end, None, None, ReadError::new(what)))?;
        for part in &self.parts {
            let related = relate(world, part, budget);
            related.map_err(|(entity, error)| at(part.end, Some(part), entity, error))?;
        }
        let mut requiring = Vec::new();
        for (entity, late) in self.parts.iter_mut().flat_map(|part| part.late.drain(..)) {
            let requires = insert_late(world, entity, late).into_iter();
            requiring.extend(requires.map(|require| (entity, require)));
        }
        for (entity, require) in requiring {
            require(world, entity, &|_, _, _| false, true);
        }
        for part in &self.parts {
            let completed = complete(world, part, budget);
            completed.map_err(|error| at(part.end, Some(part), None, error))?;
        }
        let paid = pay_groups(&world.groups, |number| world.pools.keys_at(number), budget);
        paid.map_err(|error| at(end, None, None, error))?;
        world.groups.restore(&mut world.pools, groups);
        world.unknown = self.unknown_parts.map(Arc::new);
        Ok((self.world, self.loaded))
    }
}

/// Makes the entities with these components. A record is made and filled while it is in the caches.
fn with_members(
    generations: &[u32],
    free: Vec<Entity>,
    parts: &[Filled],
    pools: &Pools,
) -> Result<Entities, &'static str> {
    let all: Vec<_> =
        parts.iter().map(|part| (part.number, pools.at(part.number).raw_keys())).collect();
    let numbers = all.iter().map(|(number, _)| *number);
    Entities::with_members(generations, free, numbers, |entities, page| {
        for (number, keys) in &all {
            for (word, bits) in (page * WORDS..).zip(keys.page(page).words()) {
                entities.add_word(word, *bits, *number);
            }
        }
    })
}

/// Pays for groups, to be restored when pools have these keys.
pub(super) fn pay_groups<'k>(
    groups: &Groups,
    keys: impl Fn(u32) -> &'k Keys<Entity>,
    budget: &mut Budget,
) -> Result {
    budget.pay(groups.restoring_takes(|number| (keys(number).len(), keys(number).page_count())), 1)
}

/// Removes from a pool the values of dead entities and the relations to dead entities, and from the lists of its
/// relation these sources.
pub(super) fn leave_out_the_dead(
    pool: &mut dyn WorldPool,
    generations: &[u32],
    lists: &mut Vec<Vec<usize>>,
) {
    let is_dead = |entity: Entity| !generations.is_alive(entity);
    let members = pool.keys().to_vec();
    let dead = members.iter().copied();
    let dead = dead.filter(|it| is_dead(*it) || pool.target(*it).is_some_and(is_dead));
    for entity in dead.collect::<Vec<_>>() {
        pool.remove(entity);
    }
    for list in &mut *lists {
        list.retain_mut(|at| pool.raw_keys().find(members[*at]).map(|now| *at = now).is_some());
    }
    lists.retain(|list| !list.is_empty());
}

/// Restores a relation from its lists; does nothing for other components.
fn relate(
    world: &mut World,
    part: &Filled,
    budget: &mut Budget,
) -> Result<(), (Option<Entity>, ReadError)> {
    let World { pools, entities, .. } = world;
    let Filled { number, lists, .. } = part;
    let pool = pools.at(*number);
    let (Some((_, acyclic)), Some(like)) = (pool.relation(), pools.relations.get(*number)) else {
        let is_none = lists.is_empty();
        return if is_none { Ok(()) } else { Err((None, ReadError::new("it is no relation"))) };
    };
    let paid = pay_relation(pool.len(), lists.len(), entities.index_count(), budget);
    paid.map_err(|error| (None, error))?;
    let members = pool.keys();
    let target = |at: usize| pool.target(members[at]).filter(|target| entities.is_alive(*target));
    let ends = checked_ends(like, acyclic, members, lists, &target)?;
    pools.relations.replace(ends, entities);
    Ok(())
}

/// Inserts the components that this component requires, and leaves groups to be restored by the caller. Required
/// relations are left out, and so are saved components that were required already when the world was saved.
fn complete(world: &mut World, part: &Filled, budget: &mut Budget) -> Result {
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
        require(world, entity, &|number, _, _| old.iter().any(|kind| kind.number == number), true);
    }
    Ok(())
}
