//! Builds a world from the parts that a reader of any format returns. Pools are filled while the file is read;
//! all else is checked and made once, at the end.

use crate::component::data::{Late, WholePool};
use crate::component::rules::ComponentRule;
use crate::entities::Entities;
use crate::entity::Entity;
use crate::format::budget::{Budget, GROWING};
use crate::format::header::Schema;
use crate::format::reader::ReadError;
use crate::group::groups::{Groups, ListedGroup};
use crate::pool::WorldPool;
use crate::pool::kind::Kind;
use crate::pool::pools::Pools;
use crate::relation::ends::RelateError;
use crate::saved::defined::read_kind;
use crate::saved::ends::{checked_ends, pay_relation};
use crate::saved::loaded::{Limits, LoadError, Loaded, Policy};
use crate::saved::order::RestoredOrder;
use crate::saved::read::Living;
use crate::saved::several::insert_late;
use crate::saved::unknown::UnknownParts;
use crate::storage::keys::Keys;
use crate::storage::page::Page;
use crate::storage::sparse_array::WORDS;
use crate::storage::sparse_set::SparseSet;
use crate::world::World;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// The bytes that a definition takes at most: with its pool, and for each letter of its fields.
const A_DEFINITION: usize = 4_096;
const BYTES_A_LETTER: usize = 64;

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

/// A component that was read, without its values.
pub(super) struct Filled {
    pub(super) number: u32,
    pub(super) name: String,
    /// The parts of the file that have its values: one, unless a program kept others that it did not know.
    pub(super) pieces: Vec<FilledPart>,
    /// The place for errors that are found after the component was read.
    pub(super) end: usize,
}

/// A part of a file that has values of a component.
pub(super) struct FilledPart {
    /// The members whose values are in this part, if it is one of several.
    pub(super) members: Vec<Entity>,
    /// The positions of the sources of each target, if it is a relation: among the members of this part.
    pub(super) lists: Vec<Vec<usize>>,
    /// The names of the saved components that it required when it was saved.
    pub(super) required: Vec<String>,
    /// Further components that old values became, and their entities.
    pub(super) late: Vec<(Entity, Late)>,
}

impl Filled {
    /// Leaves each member of several parts to the last of them, whose value the pool has. Leaves out the relations of
    /// earlier parts that would close a circle with relations of later ones, and merges the lists of sources.
    fn unite(&mut self, pools: &mut Pools) {
        if self.pieces.len() < 2 {
            return;
        }
        let mut last = SparseSet::<usize, Entity>::default();
        for (at, piece) in self.pieces.iter().enumerate() {
            piece.members.iter().for_each(|member| _ = last.insert(*member, at));
        }
        let pool = pools.at_mut(self.number);
        if pool.relation().is_some_and(|(_, acyclic)| acyclic) {
            for source in of_circles(pool, &last) {
                pool.remove(source);
                last.remove(source);
            }
        }
        let (mut lists, mut places) =
            (Vec::<Vec<usize>>::new(), SparseSet::<usize, Entity>::default());
        for (at, piece) in self.pieces.iter_mut().enumerate() {
            let is_its = |member: Entity| last.get(member) == Some(&at);
            for source in piece.lists.iter().flatten().map(|place| piece.members[*place]) {
                let Some(position) = pool.raw_keys().find(source).filter(|_| is_its(source)) else {
                    continue;
                };
                let target = pool.target(source).unwrap_or(source);
                if let Some(place) = places.get(target) {
                    lists[*place].push(position);
                } else {
                    places.insert(target, lists.len());
                    lists.push(Vec::from([position]));
                }
            }
            piece.lists.clear();
            piece.members.retain(|member| is_its(*member));
            piece.late.retain(|(member, _)| is_its(*member));
        }
        self.pieces[0].lists = lists;
    }
}

/// Pays for the members of one of several parts with values of a component: for their values, of this size, if they join
/// others, and for [uniting](Filled::unite) the parts.
pub(super) fn pay_piece(pool: &dyn WorldPool, size: usize, budget: &mut Budget) -> Result {
    const A_MEMBER: usize = 128;
    let pages = pool.raw_keys().page_count();
    budget.pay(GROWING * pool.len(), size + A_MEMBER)?;
    budget.pay(4 * pool.len().min(pages), Page::MOST_MEMORY)?;
    budget.pay(4 * GROWING * pages, size_of::<usize>())
}

/// Returns the sources of circles, except sources of the last part that a circle has. `parts` has the part of
/// each source. O(sources).
fn of_circles(pool: &dyn WorldPool, parts: &SparseSet<usize, Entity>) -> Vec<Entity> {
    let (mut walks, mut left_out) = (SparseSet::<usize, Entity>::default(), Vec::new());
    for (walk, &source) in pool.keys().iter().enumerate() {
        let mut at = source;
        while walks.get(at).is_none()
            && let Some(target) = pool.target(at)
        {
            walks.insert(at, walk);
            at = target;
        }
        if walks.get(at) != Some(&walk) || pool.target(at).is_none() {
            continue;
        }
        let mut circle = Vec::from([at]);
        let mut next = pool.target(at).filter(|next| *next != at);
        while let Some(source) = next {
            circle.push(source);
            next = pool.target(source).filter(|next| *next != at);
        }
        let part = |source: &Entity| parts.get(*source).copied().unwrap_or(0);
        let last = circle.iter().map(part).max();
        left_out.extend(circle.into_iter().filter(|source| Some(part(source)) < last));
    }
    left_out
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

    /// Defines a component of this name and schema that the world lacks, by the text of its fields, and returns its number.
    /// Returns `None` if these are not the fields of the schema, or the name is one of another component.
    pub(super) fn define(
        &mut self,
        name: &str,
        schema: Schema,
        fields: &str,
        budget: &mut Budget,
    ) -> Result<Option<u32>> {
        let has_name = |kind: Kind| kind.name() == name || kind.is_called(name);
        if self.world.kinds().any(has_name) {
            return Ok(None);
        }
        budget.pay(1, A_DEFINITION)?;
        budget.pay(fields.len(), BYTES_A_LETTER)?;
        let Some(kind) = read_kind(name, schema, fields) else { return Ok(None) };
        let before = entity_size(&self.world.pools);
        self.world.know(kind);
        let more = entity_size(&self.world.pools) - before;
        budget.pay(self.generations.len(), more)?;
        Ok(Some(kind.number))
    }

    /// Makes the entities with the components of the filled pools, both ends of relations, required components, and
    /// groups in the order of these lists. `end` is the place where the components end.
    pub(super) fn finish(
        mut self,
        groups: &[ListedGroup],
        order: RestoredOrder,
        end: usize,
        budget: &mut Budget,
    ) -> Result<(World, Loaded), LoadError> {
        let at = |at, component: Option<&Filled>, entity, error: ReadError| {
            let component = component.map(|part| part.name.clone());
            LoadError { component, entity, at, what: error.into_text() }
        };
        let world = &mut self.world;
        self.parts.iter_mut().for_each(|part| part.unite(&mut world.pools));
        let entities = with_members(&self.generations, self.free, &self.parts, &world.pools);
        world.entities = entities.map_err(|what| at(end, None, None, ReadError::new(what)))?;
        for part in &self.parts {
            let related = relate(world, part, budget);
            related.map_err(|(entity, error)| at(part.end, Some(part), entity, error))?;
        }
        let mut requiring = Vec::new();
        let pieces = self.parts.iter_mut().flat_map(|part| &mut part.pieces);
        for (entity, late) in pieces.flat_map(|piece| piece.late.drain(..)) {
            let requires = insert_late(world, entity, late).into_iter();
            requiring.extend(requires.map(|require| (entity, require)));
        }
        for (entity, require) in requiring {
            let required = require(world, entity, &|_, _, _| false, true);
            required.map_err(|error| at(end, None, Some(entity), ReadError::new(error)))?;
        }
        for part in &self.parts {
            let completed = complete(world, part, budget);
            completed.map_err(|(entity, error)| at(part.end, Some(part), entity, error))?;
        }
        // After required components, which may be unique, too.
        for (number, pool) in world.pools.numbered() {
            let Some(rule) = pool.unique() else { continue };
            let (members, name, pool) = (pool.keys(), pool.name(), pool.as_any());
            let checked = (rule.check_pool)(WholePool { world: None, pool, members, patch: None });
            checked.map_err(|(entity, other)| {
                let part = self.parts.iter().find(|part| part.number == number);
                let place = part.map_or(end, |part| part.end);
                at(place, part, Some(entity), not_unique(name, other))
            })?;
        }
        let World { pools, entities, .. } = &*world;
        let checked = pools.rules.check_all(
            &|number| pools.keys_at(number),
            &|number| pools.relations.get(number),
            &|it| entities.is_alive(it),
        );
        checked.map_err(|(entity, rule)| at(end, None, Some(entity), broken(entity, rule)))?;
        let paid = pay_groups(&world.groups, |number| world.pools.keys_at(number), budget);
        paid.map_err(|error| at(end, None, None, error))?;
        world.groups.restore(&mut world.pools, groups);
        if let Some((order, mut numbers)) = order {
            for name in &order.names {
                numbers.push(world.saved_under(name).ok().flatten().map(|(number, _)| number));
            }
            let World { order: own, pools, entities, groups, .. } = world;
            own.restore(order, &numbers, pools, entities, groups);
        }
        world.unknown = self.unknown_parts.map(Arc::new);
        world.pools.track_all_new(); // for indexes: there are no readers yet
        Ok((self.world, self.loaded))
    }
}

/// Returns the error of an entity that breaks a rule between components.
pub(super) fn broken(entity: Entity, rule: ComponentRule) -> ReadError {
    ReadError::new(RelateError::Rule(entity, rule).to_string())
}

/// Returns the error of a unique component that this other entity has, too.
pub(super) fn not_unique(name: &'static str, other: Entity) -> ReadError {
    ReadError::new(RelateError::NotUnique(name, other).to_string())
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
    let Filled { number, pieces, .. } = part;
    let lists = &pieces[0].lists; // of all: see `unite`
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
fn complete(
    world: &mut World,
    part: &Filled,
    budget: &mut Budget,
) -> Result<(), (Option<Entity>, ReadError)> {
    let are_several = part.pieces.len() > 1;
    part.pieces.iter().try_for_each(|piece| {
        let members = are_several.then_some(&piece.members[..]);
        complete_piece(world, part.number, piece, members, budget)
    })
}

/// Inserts the components that a component requires into these members, or all, like [`complete`].
fn complete_piece(
    world: &mut World,
    number: u32,
    part: &FilledPart,
    members: Option<&[Entity]>,
    budget: &mut Budget,
) -> Result<(), (Option<Entity>, ReadError)> {
    let kind = world.pools.at(number).kind();
    let is_known = |kind: &Kind| {
        let name = kind.saving().map(|(name, _)| name);
        name.is_some_and(|name| part.required.iter().any(|required| name.is(required)))
    };
    let is_old = |kind: &Kind| kind.is_relation() || is_known(kind);
    let (old, new): (Vec<Kind>, Vec<Kind>) = kind.required().into_iter().partition(is_old);
    if new.is_empty() {
        return Ok(());
    }
    let pool = world.pools.at(number);
    let members = members.unwrap_or(pool.keys()).to_vec();
    for kind in new {
        let values = budget.pay(GROWING * members.len(), kind.size() + size_of::<Entity>());
        let pages = members.len().min(pool.raw_keys().page_count());
        let paid = values.and_then(|()| budget.pay(pages, Page::MOST_MEMORY));
        paid.map_err(|error| (None, error))?;
    }
    let is_old = |number, _, _| old.iter().any(|kind| kind.number == number);
    members.into_iter().try_for_each(|entity| {
        let required = world.insert_some_required(kind, entity, &is_old, true);
        required.map_err(|error| (Some(entity), ReadError::new(error)))
    })
}
