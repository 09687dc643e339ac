//! Applying a delta that anybody may have made: all of it is checked first, aside, and then put in its place.

use crate::component::set::ComponentSet;
use crate::entities::Entities;
use crate::entity::Entity;
use crate::format::budget::GROWING;
use crate::format::header::{Content, check_name};
use crate::format::reader::{ReadError, Reader, wrong};
use crate::group::groups::ListedGroup;
use crate::pool::pools::Pools;
use crate::pool::relations::{Ends, Pointing};
use crate::pool::{Loose, WorldPool};
use crate::storage::keys::Keys;
use crate::storage::sparse_array::PAGE_SHIFT;
use crate::world::World;
use crate::world::build::entity_size;
use crate::world::delta::{HAS_KEYS, HAS_LISTS};
use crate::world::load::{Limits, LoadError};
use crate::world::replaced::Replaced;
use crate::world::restore::{pay_relation, read_groups};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// # Deltas
impl World {
    /// Becomes the world for which a [`Delta`](crate::save::Delta) was made, of which this is the one before. Components are
    /// found by their names among the pools of this world, see [`register`](Self::register); groups are to be those
    /// that the other world declared. O(what differs); and where entities, or members of a pool, came or went, O(indices)
    /// or O(members).
    ///
    /// Components that are not saved stay with those who stay; a relation among them to somebody who ended goes.
    /// Resources stay. Hooks and observers of components are not called. Observers of [`Replaced`] are notified once, when
    /// the delta is applied; readers of changes find the entities that the delta names; collectors forget what they listed.
    ///
    /// # Errors
    /// When the bytes are not right, or take more than the limits allow, or are not of this world as far as that is
    /// seen: by who is alive, and by how many have each component. This world is unchanged then.
    ///
    /// # Panics
    /// When it is called by a hook or an observer.
    ///
    /// See [`Delta`](crate::save::Delta) for an example.
    pub fn apply_delta(&mut self, delta: &[u8], limits: &Limits) -> Result<(), LoadError> {
        self.refuse_while_telling("changed by a delta");
        self.entities.flush();
        let reader = Reader::new(delta, limits.memory);
        let mut applying = Applying { world: self, reader, component: None, entity: None };
        let read = applying.read();
        let Applying { reader, component, entity, .. } = applying;
        match read {
            Ok(checked) => {
                self.commit(checked);
                self.announce(Replaced::Applied);
                Ok(())
            }
            Err(error) => {
                let (at, what) = (reader.at(), error.into_text());
                Err(LoadError { component, entity, at, what })
            }
        }
    }

    /// Puts what was checked in its place. Values that nobody has any more are dropped when all is done.
    fn commit(&mut self, checked: Checked) {
        let Checked { entities: new, ended, patches, lists, regroups } = checked;
        let Self { pools, entities, groups, .. } = self;
        let left = leave(pools, entities, &ended);
        if let Some(mut new) = new {
            new.keep_components(entities);
            *entities = new;
        }
        let mut gone = Vec::new();
        for Patch { number, keys, positions, values, relation } in patches {
            track(pools, number, keys.as_ref(), &positions);
            if let Some(keys) = &keys {
                note_members(pools.at(number).raw_keys(), keys, number, entities);
            }
            gone.push(pools.at_mut(number).patch(keys, &positions, values));
            if let Some(relation) = relation {
                if let Some(before) = pools.relations.get(number)
                    && pools.watch.tracks(number)
                {
                    let moved = relation.reordered_since(before);
                    pools.note_moves(number, moved);
                }
                pools.relations.replace(relation, entities);
            }
        }
        if regroups || !left.is_empty() {
            groups.clear();
            groups.rebuild(pools, &lists);
        }
        pools.finish(&left, &ComponentSet::EMPTY);
    }
}

/// Takes those components that are not saved from those who ended, and relations to them; the components of which
/// pools are to be finished.
fn leave(pools: &mut Pools, entities: &mut Entities, ended: &[Entity]) -> ComponentSet {
    let is_unsaved =
        |(number, pool): (u32, &dyn WorldPool)| pool.saved_as().is_none().then_some(number);
    let unsaved: Vec<u32> = pools.numbered().filter_map(is_unsaved).collect();
    let mut left = ComponentSet::EMPTY;
    for number in unsaved {
        let own = ended.iter().copied().filter(|entity| pools.has(number, *entity));
        let mut leaving: Vec<Entity> = own.collect();
        if let Some(relation) = pools.relations.get(number) {
            leaving.extend(ended.iter().flat_map(|target| relation.sources(*target)));
            leaving.sort_unstable();
            leaving.dedup();
        }
        for &entity in &leaving {
            pools.watch.track_removal(entity, number);
            pools.relations.unlink(number, entity);
            entities.forget(entity, number);
        }
        if !leaving.is_empty() {
            pools.at_mut(number).take_out(&leaving, leaving.len(), false);
            left.insert(number);
        }
    }
    left
}

/// Tells those who read changes of this component.
fn track(pools: &mut Pools, number: u32, keys: Option<&Keys<Entity>>, positions: &[usize]) {
    if !pools.watch.tracks_any(&ComponentSet::of(number)) {
        return;
    }
    let old = pools.keys_at(number);
    let new = keys.unwrap_or(old);
    let mark = |at: usize| {
        let entity = new.dense()[at];
        (entity, old.find(entity).is_none())
    };
    let moved = (0..new.len()).filter(|at| old.dense().get(*at) != Some(&new.dense()[*at]));
    let marks: Vec<(Entity, bool)> = positions.iter().copied().chain(moved).map(mark).collect();
    let gone = old.dense().iter().filter(|entity| new.find(**entity).is_none());
    let gone: Vec<Entity> = gone.copied().collect();
    for entity in gone {
        pools.watch.track_removal(entity, number);
    }
    for (entity, is_new) in marks {
        pools.watch.track(entity, number, is_new);
    }
}

/// Notes who became a member, and who is none any more.
fn note_members(old: &Keys<Entity>, new: &Keys<Entity>, number: u32, entities: &mut Entities) {
    let differ =
        |a: &Keys<Entity>, b: &Keys<Entity>, at: usize| a.dense().get(at) != b.dense().get(at);
    for (at, entity) in old.dense().iter().enumerate() {
        if differ(old, new, at) && new.find(*entity).is_none() && entities.is_alive(*entity) {
            entities.forget(*entity, number);
        }
    }
    for (at, entity) in new.dense().iter().enumerate() {
        if differ(old, new, at) && old.find(*entity).is_none() {
            entities.add(*entity, number);
        }
    }
}

/// All that a delta changes.
struct Checked {
    /// The entities, if others are alive or free.
    entities: Option<Entities>,
    /// Those who are not alive any more.
    ended: Vec<Entity>,
    patches: Vec<Patch>,
    /// The groups that keep lists.
    lists: Vec<ListedGroup>,
    /// Whether groups may have other members, or others in front.
    regroups: bool,
}

/// What changes in the pool with this number.
struct Patch {
    number: u32,
    keys: Option<Keys<Entity>>,
    positions: Vec<usize>,
    values: Box<Loose>,
    relation: Option<Ends>,
}

/// The reading of a delta, and where it is.
struct Applying<'w, 'b> {
    world: &'w World,
    reader: Reader<'b>,
    component: Option<String>,
    entity: Option<Entity>,
}

type Result<T, E = ReadError> = core::result::Result<T, E>;

const OF_ANOTHER: &str = "it is not this world that the delta was made for";

impl<'b> Applying<'_, 'b> {
    fn read(&mut self) -> Result<Checked> {
        let format = self.reader.header(Content::Delta)?;
        let (entities, ended) = self.entities()?;
        let living = entities.as_ref().unwrap_or(&self.world.entities);
        let mut patches: Vec<Patch> = Vec::new();
        let mut before = None;
        for _ in 0..self.reader.count()? {
            patches.push(self.part(format, &mut before, living)?);
            self.component = None;
        }
        self.check_ended(&ended, &patches)?;
        let has_keys = patches.iter().any(|patch| patch.keys.is_some());
        let (lists, are_others) = self.groups(living, has_keys || !ended.is_empty())?;
        if self.reader.left() > 0 {
            return wrong("there are bytes behind the end");
        }
        let regroups = are_others || has_keys;
        if regroups || !ended.is_empty() {
            self.pay_groups(&patches)?;
            self.reader.pay(GROWING * ended.len(), size_of::<Entity>())?; // where they had what is not saved
        }
        Ok(Checked { entities, ended, patches, lists, regroups })
    }

    /// Pays for the groups, where pools are patched.
    fn pay_groups(&mut self, patches: &[Patch]) -> Result<()> {
        let size_of_pool = |number| {
            let patch = patches.iter().find(|patch| patch.number == number);
            let keys = patch.and_then(|patch| patch.keys.as_ref());
            let keys = keys.unwrap_or_else(|| self.world.pools.keys_at(number));
            (keys.len(), keys.page_count())
        };
        self.reader.pay(self.world.groups.restoring_takes(size_of_pool), 1)
    }

    /// Who is alive and free afterwards, unless that is as it was; and who is not alive any more.
    fn entities(&mut self) -> Result<(Option<Entities>, Vec<Entity>)> {
        let old = &self.world.entities;
        let free_before = old.flushed_free();
        let (before, now, free) =
            (self.reader.number()?, self.reader.number()?, self.reader.number()?);
        if before != old.index_count() as u64 || free != free_before.len() as u64 {
            return wrong(OF_ANOTHER);
        }
        let changed = self.reader.count()?;
        let count = usize::try_from(now).unwrap_or(usize::MAX);
        if count > old.index_count().saturating_add(changed) {
            return wrong("more indices are promised than there are bytes");
        }
        self.reader.pay(changed, size_of::<(usize, u32)>())?;
        let (mut others, mut next) = (Vec::with_capacity(changed), 0_u64);
        for _ in 0..changed {
            let (step, generation) = (self.reader.number()?, self.reader.number()?);
            let index = next.checked_add(step).filter(|index| *index < now);
            let (Some(index), Ok(generation)) = (index, u32::try_from(generation)) else {
                return wrong("an index or a generation is greater than any");
            };
            others.push((index, generation));
            next = index + 1;
        }
        let kept = self.reader.number()?;
        let more = self.reader.count()?;
        let Some(kept) = usize::try_from(kept).ok().filter(|kept| *kept <= free_before.len())
        else {
            return wrong(OF_ANOTHER);
        };
        if changed == 0 && more == 0 && kept == free_before.len() && now == before {
            return Ok((None, Vec::new()));
        }
        self.reader.pay(count, entity_size(&self.world.pools))?;
        let mut generations = Vec::with_capacity(count);
        generations.extend(old.flushed_generations().take(count));
        let known = generations.len() as u64;
        let new = others.iter().filter(|(index, _)| *index >= known).count();
        if new != count - generations.len() {
            return wrong("nothing is said of an index");
        }
        generations.resize(count, 0);
        for (index, generation) in others {
            generations[usize::try_from(index).unwrap_or(usize::MAX)] = generation;
        }
        self.reader.pay(kept + more, size_of::<Entity>())?;
        let mut free = Vec::with_capacity(kept + more);
        free.extend_from_slice(&free_before[..kept]);
        for _ in 0..more {
            let (index, generation) = (self.reader.number()?, self.reader.number()?);
            let is_index = index < count as u64 && u32::try_from(generation).is_ok();
            match Entity::from_bits(generation << 32 | index).filter(|_| is_index) {
                Some(entity) => free.push(entity),
                None => return wrong("a free handle is none"),
            }
        }
        if free.iter().any(|entity| entity.index() as usize >= count) {
            return wrong("a free handle is none");
        }
        let new = Entities::of_parts(&generations, free).map_err(ReadError::new)?;
        let all_ended = || old.iter().filter(|entity| !new.is_alive(*entity));
        let count = all_ended().count();
        self.reader.pay(count, size_of::<Entity>())?;
        let mut ended = Vec::with_capacity(count);
        ended.extend(all_ended());
        Ok((Some(new), ended))
    }

    /// A component.
    fn part(
        &mut self,
        format: u8,
        before: &mut Option<&'b str>,
        living: &Entities,
    ) -> Result<Patch> {
        let name = self.reader.text()?;
        self.reader.pay(name.len(), 1)?;
        self.component = Some(name.to_owned());
        check_name(before.replace(name), name)?;
        let schema = self.reader.schema(format)?;
        let end = self.reader.block()? + self.reader.at();
        let Some(number) = self.world.saved_under(name)? else {
            return wrong("the world does not know it: `World::register` makes it known");
        };
        let pool = self.world.pools.at(number);
        if let Some((_, own)) = pool.kind().saving()
            && !schema.is_read_by(own)?
        {
            return wrong("it is of a later version than this program has");
        }
        let (before, flags) = (self.reader.number()?, self.reader.byte()?);
        if before != pool.len() as u64 {
            return wrong(OF_ANOTHER);
        }
        if flags > HAS_KEYS | HAS_LISTS {
            return wrong("it is of no known form");
        }
        let keys = if flags & HAS_KEYS == 0 { None } else { Some(self.keys(pool, living)?) };
        let members = keys.as_ref().unwrap_or(pool.raw_keys()).dense();
        let positions = self.positions(members.len())?;
        if positions.iter().filter(|at| **at >= pool.len()).count()
            != members.len().saturating_sub(pool.len())
        {
            return wrong("a member has no value");
        }
        // The pool's room, if it has to grow, and the values that go.
        let size = pool.kind().size();
        if members.len() > pool.len() && members.len() * size > pool.memory_usage().values {
            self.reader.pay(2 * members.len(), size)?;
        }
        let gone = positions.len() + pool.len().saturating_sub(members.len());
        self.reader.pay(GROWING * gone, size)?;
        if self.world.pools.watch.tracks_any(&ComponentSet::of(number)) {
            let notes = positions.len() + pool.len() + members.len();
            self.reader.pay(GROWING * notes, size_of::<(Entity, bool)>())?;
        }
        let values = pool.read_loose(schema.version, positions.len(), &mut self.reader);
        let values = values.map_err(|(at, error)| {
            self.entity = positions.get(at).and_then(|at| members.get(*at)).copied();
            error
        })?;
        let has_lists = flags & HAS_LISTS != 0;
        let relation = if has_lists {
            Some(self.relation(number, members, &positions, &*values, living)?)
        } else if pool.relation().is_some() && (keys.is_some() || !positions.is_empty()) {
            return wrong("who points to whom is missing");
        } else {
            None
        };
        if self.reader.at() != end {
            return wrong("it is shorter or longer than it is said to be");
        }
        Ok(Patch { number, keys, positions, values, relation })
    }

    /// Positions below this one, which ascend.
    fn positions(&mut self, len: usize) -> Result<Vec<usize>> {
        let mut next = 0_usize;
        self.reader.list(|reader| {
            let step = usize::try_from(reader.number()?).ok();
            match step.and_then(|step| next.checked_add(step)).filter(|at| *at < len) {
                Some(at) => {
                    next = at + 1;
                    Ok(at)
                }
                None => wrong("a position is behind the last"),
            }
        })
    }

    /// The members of a pool afterwards.
    fn keys(&mut self, pool: &dyn WorldPool, living: &Entities) -> Result<Keys<Entity>> {
        let len = usize::try_from(self.reader.number()?).ok();
        let Some(len) = len.filter(|len| *len <= living.alive()) else {
            return wrong("more have it than there are entities");
        };
        let positions = self.positions(len)?;
        self.reader.pay(len, size_of::<Entity>())?;
        let old = pool.keys();
        if positions.iter().filter(|at| **at >= old.len()).count() != len.saturating_sub(old.len())
        {
            return wrong("a position is nobody's");
        }
        let mut members = Vec::with_capacity(len);
        members.extend_from_slice(&old[..len.min(old.len())]);
        let mut next = 0_i64;
        for at in positions {
            let step = self.reader.number()?;
            let step = (step >> 1).cast_signed() ^ -(step & 1).cast_signed();
            let index = next.checked_add(step).and_then(|index| u32::try_from(index).ok());
            let Some(entity) = index.and_then(|index| living.at(index)) else {
                return wrong("an index is nobody's");
            };
            match members.get_mut(at) {
                Some(member) => *member = entity,
                None => members.push(entity), // the positions behind the old ones are all there
            }
            next = i64::from(entity.index()) + 1;
        }
        if let Some(dead) = members.iter().find(|entity| !living.is_alive(**entity)) {
            self.entity = Some(*dead);
            return wrong("it ended, and still has it");
        }
        let most_pages = (living.index_count() >> PAGE_SHIFT) + 1;
        Keys::read(members, most_pages, &mut self.reader)
    }

    /// Who points to whom afterwards, of these members with these new values.
    fn relation(
        &mut self,
        number: u32,
        members: &[Entity],
        positions: &[usize],
        values: &Loose,
        living: &Entities,
    ) -> Result<Ends> {
        let pools = &self.world.pools;
        let pool = pools.at(number);
        let (Some((_, acyclic)), Some(before)) = (pool.relation(), pools.relations.get(number))
        else {
            return wrong("it is no relation");
        };
        self.reader
            .pay(members.len(), size_of::<Option<Entity>>() + size_of::<(Entity, Entity)>())?;
        self.reader.pay(positions.len(), size_of::<Pointing>())?;
        let target = |at| before.target(*pool.keys().get(at)?);
        let mut targets: Vec<Option<Entity>> = (0..members.len()).map(target).collect();
        for (at, pointing) in positions.iter().zip(pool.pointings(values)) {
            targets[*at] = Some(pointing.target());
        }
        let (mut ends, lists) = (Vec::with_capacity(members.len()), self.reader.count()?);
        let most = (members.len(), lists.min(members.len()));
        pay_relation(most.0, most.1, living.index_count(), &mut self.reader.budget)?;
        for _ in 0..lists {
            let mut common = None;
            for _ in 0..self.reader.count()? {
                let at =
                    usize::try_from(self.reader.number()?).ok().filter(|at| *at < members.len());
                let Some(at) = at.filter(|_| ends.len() < members.len()) else {
                    return wrong(
                        "an entity is listed that has no such relation, or is listed twice",
                    );
                };
                self.entity = Some(members[at]);
                let target = targets[at].filter(|target| living.is_alive(*target));
                let Some(target) = target else {
                    return wrong("it points to an entity that is dead");
                };
                if common.is_some_and(|common| common != target) {
                    return wrong("it is listed with those that point to another entity");
                }
                common = Some(target);
                ends.push((members[at], target));
            }
        }
        self.entity = None;
        let relation = before.with_ends(most, ends.iter().copied());
        if ends.len() != members.len() || relation.len() != members.len() {
            return wrong("not all that have the relation are listed");
        }
        if acyclic && relation.has_circle() {
            return wrong("entities point to each other in a circle");
        }
        Ok(relation)
    }

    /// Refuses that somebody ends, and is still in a pool or pointed to.
    fn check_ended(&mut self, ended: &[Entity], patches: &[Patch]) -> Result<()> {
        let pools = &self.world.pools;
        for (number, pool) in pools.numbered() {
            let patch = patches.iter().find(|patch| patch.number == number);
            let has_keys = patch.is_some_and(|patch| patch.keys.is_some());
            let has_ends = patch.is_some_and(|patch| patch.relation.is_some());
            if pool.saved_as().is_none() || has_keys && (has_ends || pool.relation().is_none()) {
                continue;
            }
            let relation = pools.relations.get(number).filter(|_| !has_ends);
            let is_pointed_to =
                |entity| relation.is_some_and(|it| it.sources(entity).next().is_some());
            for &entity in ended {
                if !has_keys && pool.contains(entity) || is_pointed_to(entity) {
                    self.component = Some(pool.name().to_owned());
                    self.entity = Some(entity);
                    return wrong("it ended, and still has it, or is pointed to");
                }
            }
        }
        Ok(())
    }

    /// The groups that keep lists afterwards, and whether any is another; none, if all are as they were, unless they
    /// `are_needed`.
    fn groups(&mut self, living: &Entities, are_needed: bool) -> Result<(Vec<ListedGroup>, bool)> {
        let count = self.reader.count()?;
        if count == 0 && !are_needed {
            return Ok((Vec::new(), false));
        }
        let Self { world, reader, .. } = self;
        let at = |index| living.at(u32::try_from(index).ok()?);
        let others = read_groups(reader, count, at, &world.groups, |reader| {
            let name = reader.text()?;
            world.saved_under(name)
        })?;
        let mut lists = Vec::new();
        for (required, excluded, members) in world.groups.lists() {
            reader.pay(required.len() + excluded.len(), size_of::<u32>())?;
            reader.pay(members.len(), size_of::<Entity>())?;
            let is_other = others.iter().any(|other| other.is_of(required, excluded));
            if !is_other {
                let [required, excluded] = [required, excluded].map(<[u32]>::to_vec);
                lists.push(ListedGroup { required, excluded, members: members.to_vec() });
            }
        }
        lists.extend(others);
        Ok((lists, count > 0))
    }
}
