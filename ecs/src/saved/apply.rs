//! Applies a delta from an untrusted source: reads and checks all of it first, and then replaces the
//! differences.

use crate::component::data::{Loose, WholePool};
use crate::component::set::ComponentSet;
use crate::copy::replaced::Replaced;
use crate::entities::Entities;
use crate::entity::Entity;
use crate::format::budget::GROWING;
use crate::format::header::Content;
use crate::format::reader::{ReadError, Reader, wrong};
use crate::group::groups::ListedGroup;
use crate::pool::WorldPool;
use crate::pool::pools::Pools;
use crate::pool::watch::Fact;
use crate::relation::ends::{Ends, Pointing};
use crate::resource::Resources;
use crate::saved::build::{broken, entity_size, not_unique, pay_groups};
use crate::saved::ends::{checked_ends, pay_relation};
use crate::saved::loaded::{Limits, LoadError};
use crate::saved::read::{OF_ANOTHER, PartReader, ReadBody, refuse_late};
use crate::saved::resource::ResourceSaving;
use crate::saved::{IN_DELTAS, LISTS};
use crate::storage::keys::Keys;
use crate::world::World;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// # Deltas
impl World {
    /// Applies a [`Delta`](crate::save::Delta) between this world and a newer one, and so makes this world equal to the
    /// newer one. Components are found by their names among the pools of this world, see [`register`](Self::register).
    /// This world must declare the groups of the other. O(differences); if entities, or members of a pool, were added
    /// or removed, O(indices) or O(members).
    ///
    /// Living entities keep their unsaved components, but for relations to entities that ended, and the world keeps its
    /// unsaved resources. Hooks and observers of components are not called. Observers of [`Replaced`] are notified once, when the delta is
    /// applied. Readers of changes find the entities that the delta names; collectors forget their lists.
    ///
    /// # Errors
    /// Returns an error if the bytes are not valid or take more than the limits allow, or if a resource that differs is
    /// lent by [`resource_scope`](Self::resource_scope). It also returns one if they are seen to be for another world:
    /// by the living entities, and the number of members of each pool. This world is unchanged then.
    ///
    /// # Panics
    /// Panics if it is called by a hook or an observer.
    ///
    /// See [`Delta`](crate::save::Delta) for an example.
    #[inline]
    pub fn apply_delta(&mut self, delta: &[u8], limits: &Limits) -> Result<(), LoadError> {
        self.refuse_while_notifying("changed by a delta");
        self.entities.flush();
        let parts = PartReader::new(delta, limits.memory);
        let mut applying = DeltaReading { world: self, parts };
        match applying.read() {
            Ok(checked) => {
                self.commit(checked);
                self.announce(Replaced::Applied);
                Ok(())
            }
            Err(error) => Err(applying.parts.fail(error)),
        }
    }

    /// Commits a checked delta. Replaced values are dropped when all is done.
    #[inline]
    fn commit(&mut self, checked: CheckedDelta) {
        let CheckedDelta { entities: new, ended, patches, lists, regroups, mut resources, lost } =
            checked;
        self.resources.exchange(&mut resources); // these are dropped at the end
        let _lost: Vec<_> = lost.iter().map(|saving| self.resources.take_by(saving)).collect();
        let Self { pools, entities, groups, .. } = self;
        let left = leave(pools, entities, &ended);
        if let Some(mut new) = new {
            new.replace(entities);
            *entities = new;
        }
        let mut gone = Vec::new();
        for PoolPatch { number, keys, positions, values, relation } in patches {
            track(pools, number, keys.as_ref(), &positions);
            if let Some(keys) = &keys {
                note_members(pools.at(number).raw_keys(), keys, number, entities);
            }
            gone.push(pools.at_mut(number).set_mut().put_at(keys, &positions, values));
            if let Some(relation) = relation {
                if let Some(before) = pools.relations.get(number)
                    && pools.watch.is(Fact::Tracked, number)
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
        pools.finish(&left);
    }
}

/// Removes unsaved components of ended entities, and relations to these. Returns the components whose pools the caller
/// finishes.
#[inline]
fn leave(pools: &mut Pools, entities: &mut Entities, ended: &[Entity]) -> ComponentSet {
    let is_unsaved =
        |(number, pool): (u32, &dyn WorldPool)| pool.kind().saving().is_none().then_some(number);
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
            pools.watch.track(number, |track| track.note_removal(entity));
            pools.relations.unlink(number, entity);
            entities.forget(entity, number);
        }
        if !leaving.is_empty() {
            pools.at_mut(number).set_mut().take_out_members(&leaving, leaving.len(), false);
            left.insert(number);
        }
    }
    left
}

/// Marks the changes of this component for readers of changes.
#[inline]
fn track(pools: &mut Pools, number: u32, keys: Option<&Keys<Entity>>, positions: &[usize]) {
    if !pools.watch.is(Fact::Tracked, number) {
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
        pools.watch.track(number, |track| track.note_removal(entity));
    }
    for (entity, is_new) in marks {
        pools.watch.track(number, |track| track.note(entity, is_new));
    }
}

/// Updates the records of entities that became members, or stopped being members.
#[inline]
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

/// The content of a delta.
struct CheckedDelta {
    /// The entities after the delta, if others are alive or free.
    entities: Option<Entities>,
    /// The entities that are no longer alive.
    ended: Vec<Entity>,
    patches: Vec<PoolPatch>,
    /// The groups that keep lists.
    lists: Vec<ListedGroup>,
    /// `true` if groups may have other members, or other members in front.
    regroups: bool,
    /// The resources that have other values, and the ones that the world loses.
    resources: Resources,
    lost: Vec<ResourceSaving>,
}

/// The changes of the pool with this number.
struct PoolPatch {
    number: u32,
    keys: Option<Keys<Entity>>,
    positions: Vec<usize>,
    values: Box<Loose>,
    relation: Option<Ends>,
}

/// The reading of a delta.
struct DeltaReading<'w, 'b> {
    world: &'w World,
    parts: PartReader<'b>,
}

type Result<T, E = ReadError> = core::result::Result<T, E>;

impl<'b> DeltaReading<'_, 'b> {
    #[inline]
    fn read(&mut self) -> Result<CheckedDelta> {
        self.parts.begin(Content::Delta)?;
        let (entities, ended) = self.entities()?;
        let living = entities.as_ref().unwrap_or(&self.world.entities);
        let mut patches: Vec<PoolPatch> = Vec::new();
        let mut before = None;
        for _ in 0..self.parts.reader.count()? {
            patches.push(self.part(&mut before, living)?);
        }
        self.check_ended(&ended, &patches)?;
        self.check_rules(living, &patches)?;
        let has_keys = patches.iter().any(|patch| patch.keys.is_some());
        let (lists, are_others) = self.groups(living, has_keys || !ended.is_empty())?;
        let (resources, lost) = self.resources()?;
        self.parts.end()?;
        let regroups = are_others || has_keys;
        if regroups || !ended.is_empty() {
            let keys_of = |number| {
                let patch = patches.iter().find(|patch| patch.number == number);
                let keys = patch.and_then(|patch| patch.keys.as_ref());
                keys.unwrap_or_else(|| self.world.pools.keys_at(number))
            };
            pay_groups(&self.world.groups, keys_of, &mut self.parts.reader.budget)?;
            self.parts.reader.pay(GROWING * ended.len(), size_of::<Entity>())?; // where they had unsaved components
        }
        Ok(CheckedDelta { entities, ended, patches, lists, regroups, resources, lost })
    }

    /// Returns the entities that are alive and free afterwards, or `None` if all stay; and the entities that end.
    #[inline]
    fn entities(&mut self) -> Result<(Option<Entities>, Vec<Entity>)> {
        let Self { world: World { entities: old, pools, .. }, parts } = self;
        let free_before = old.flushed_free();
        let reader = &mut parts.reader;
        let (before, now, free) = (reader.number()?, reader.number()?, reader.number()?);
        if before != old.index_count() as u64 || free != free_before.len() as u64 {
            return wrong(OF_ANOTHER);
        }
        let others = changed_generations(reader, now)?;
        let count = usize::try_from(now).unwrap_or(usize::MAX);
        if count > old.index_count().saturating_add(others.len()) {
            return wrong("the bytes are too few for the number of indices");
        }
        let Some(kept) =
            usize::try_from(reader.number()?).ok().and_then(|it| free_before.get(..it))
        else {
            return wrong(OF_ANOTHER);
        };
        let more = parts.free(count)?;
        if others.is_empty() && more.is_empty() && kept.len() == free_before.len() && now == before
        {
            return Ok((None, Vec::new()));
        }
        parts.reader.pay(count, entity_size(pools))?;
        let mut generations = Vec::with_capacity(count);
        generations.extend(old.flushed_generations().take(count));
        let new = others.iter().filter(|(index, _)| *index >= generations.len()).count();
        if new != count - generations.len() {
            return wrong("an index is neither alive nor free nor retired");
        }
        generations.resize(count, 0);
        for (index, generation) in others {
            generations[index] = generation;
        }
        parts.reader.pay(kept.len() + more.len(), size_of::<Entity>())?;
        let free = [kept, &more].concat();
        let new = Entities::of_parts(&generations, free).map_err(ReadError::new)?;
        let all_ended = || old.iter().filter(|entity| !new.is_alive(*entity));
        parts.reader.pay(all_ended().count(), size_of::<Entity>())?;
        let mut ended = Vec::with_capacity(all_ended().count());
        ended.extend(all_ended());
        Ok((Some(new), ended))
    }

    /// Reads a component.
    #[inline]
    fn part(&mut self, before: &mut Option<&'b str>, living: &Entities) -> Result<PoolPatch> {
        let Self { world, parts } = self;
        let head = parts.head(before, false)?;
        let number = world.known_component(head.name, head.schema)?;
        let pool = world.pools.at(number);
        let body = parts.body(IN_DELTAS, pool, head.schema.version, living)?;
        refuse_late(&body.late)?;
        let ReadBody { flags, keys, positions, values, lists, .. } = body;
        let count = keys.as_ref().map_or(pool.len(), Keys::len);
        // The pool's room, if it has to grow, and the values that go.
        let size = pool.kind().size();
        if count > pool.len() && count * size > pool.memory_usage().values {
            parts.reader.pay(2 * count, size)?;
        }
        let gone = positions.len() + pool.len().saturating_sub(count);
        parts.reader.pay(GROWING * gone, size)?;
        if world.pools.watch.is(Fact::Tracked, number) {
            let notes = positions.len() + pool.len() + count;
            parts.reader.pay(GROWING * notes, size_of::<(Entity, bool)>())?;
        }
        let is_other = keys.is_some() || !positions.is_empty();
        let mut patch = PoolPatch { number, keys, positions, values, relation: None };
        if flags & LISTS != 0 || pool.relation().is_some() && is_other {
            patch.relation = Some(self.relation(&patch, &lists, living)?);
        }
        let Self { world, parts } = self;
        let pool = world.pools.at(number);
        if let (Some(rule), true) = (pool.unique(), is_other) {
            parts.reader.pay(GROWING * count, size + size_of::<Entity>())?;
            let members = patch.keys.as_ref().unwrap_or(pool.raw_keys()).dense();
            let patch = Some((&patch.positions[..], &*patch.values as &Loose));
            let whole = WholePool { world: None, pool: pool.as_any(), members, patch };
            (rule.check_pool)(whole).map_err(|(entity, other)| {
                parts.entity = Some(entity);
                not_unique(pool.name(), other)
            })?;
        }
        self.parts.close(&head)?;
        Ok(patch)
    }

    /// Returns the relation that the members of a patch have afterwards, with the new values.
    #[inline]
    fn relation(
        &mut self,
        patch: &PoolPatch,
        lists: &[Vec<usize>],
        living: &Entities,
    ) -> Result<Ends> {
        let Self { world: World { pools, .. }, parts } = self;
        let PoolPatch { number, keys, positions, values, .. } = patch;
        let pool = pools.at(*number);
        let (Some((_, acyclic)), Some(before)) = (pool.relation(), pools.relations.get(*number))
        else {
            return wrong("it is no relation");
        };
        let keys = keys.as_ref().unwrap_or(pool.raw_keys());
        parts.reader.pay(keys.len(), size_of::<Option<Entity>>())?;
        parts.reader.pay(positions.len(), size_of::<Pointing>())?;
        pay_relation(keys.len(), lists.len(), living.index_count(), &mut parts.reader.budget)?;
        let target = |at| before.target(*pool.keys().get(at)?);
        let mut targets: Vec<Option<Entity>> = (0..keys.len()).map(target).collect();
        for (at, pointing) in positions.iter().zip(pool.kind().pointings(&**values)) {
            targets[*at] = Some(pointing.target());
        }
        let target = |at: usize| targets[at].filter(|target| living.is_alive(*target));
        let ends = checked_ends(before, acyclic, keys.dense(), lists, &target);
        ends.map_err(|(entity, error)| {
            parts.entity = entity;
            error
        })
    }

    /// Returns an error if an entity would break a rule between components.
    #[inline]
    fn check_rules(&mut self, living: &Entities, patches: &[PoolPatch]) -> Result<()> {
        let pools = &self.world.pools;
        let keys = |number| {
            let patch = patches.iter().find(|patch| patch.number == number);
            patch.and_then(|patch| patch.keys.as_ref()).unwrap_or_else(|| pools.keys_at(number))
        };
        let ends = |number| {
            let patch = patches.iter().find(|patch| patch.number == number);
            let changed = patch.and_then(|patch| patch.relation.as_ref());
            changed.or_else(|| pools.relations.get(number))
        };
        if patches.iter().all(|patch| patch.keys.is_none() && patch.relation.is_none()) {
            return Ok(());
        }
        let checked = pools.rules.check_all(&keys, &ends, &|entity| living.is_alive(entity));
        checked.map_err(|(entity, rule)| {
            self.parts.entity = Some(entity);
            broken(entity, rule)
        })
    }

    /// Returns an error if an ended entity is still in a pool or the target of a relation.
    #[inline]
    fn check_ended(&mut self, ended: &[Entity], patches: &[PoolPatch]) -> Result<()> {
        let pools = &self.world.pools;
        for (number, pool) in pools.numbered() {
            let patch = patches.iter().find(|patch| patch.number == number);
            let has_keys = patch.is_some_and(|patch| patch.keys.is_some());
            let has_ends = patch.is_some_and(|patch| patch.relation.is_some());
            if pool.kind().saving().is_none() || has_keys && (has_ends || pool.relation().is_none())
            {
                continue;
            }
            let relation = pools.relations.get(number).filter(|_| !has_ends);
            let is_pointed_to =
                |entity| relation.is_some_and(|it| it.sources(entity).next().is_some());
            for &entity in ended {
                if !has_keys && pool.contains(entity) || is_pointed_to(entity) {
                    self.parts.component = Some(pool.name().to_owned());
                    self.parts.entity = Some(entity);
                    return wrong(
                        "the entity was despawned, and still has the component or sources by it",
                    );
                }
            }
        }
        Ok(())
    }

    /// Returns the resources that have other values, and the functions of the ones that are gone.
    #[inline]
    fn resources(&mut self) -> Result<(Resources, Vec<ResourceSaving>)> {
        let Self { world, parts } = self;
        let (mut resources, mut lost, mut before) = (Resources::new(), Vec::new(), None);
        for _ in 0..parts.reader.count()? {
            let head = parts.head(&mut before, false)?;
            let saving = world.known_resource(head.name, head.schema)?;
            if world.resources.saved_by(saving).is_err() {
                return wrong("it is lent by `World::resource_scope`: apply the delta after that");
            }
            parts.reader.pay(GROWING, size_of::<ResourceSaving>())?;
            match parts.reader.byte()? {
                0 => lost.push(saving),
                1 => resources.read(&saving, head.schema.version, &mut parts.reader)?,
                _ => return wrong("a resource is marked neither as present nor as removed"),
            }
            parts.close(&head)?;
        }
        Ok((resources, lost))
    }

    /// Returns the groups that keep lists afterwards, and `true` if any differs. The list is empty if none differs,
    /// unless they `are_needed`.
    #[inline]
    fn groups(&mut self, living: &Entities, are_needed: bool) -> Result<(Vec<ListedGroup>, bool)> {
        let Self { world, parts } = self;
        let others = parts.groups(living, &world.groups, |reader| {
            Ok(world.saved_under(reader.text()?)?.map(|(number, _)| number))
        })?;
        if others.is_empty() && !are_needed {
            return Ok((others, false));
        }
        let reader = &mut parts.reader;
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
        let are_others = !others.is_empty();
        lists.extend(others);
        Ok((lists, are_others))
    }
}

/// Reads the changed generations of indices below `count`.
#[inline]
fn changed_generations(reader: &mut Reader, count: u64) -> Result<Vec<(usize, u32)>> {
    let mut next = 0_u64;
    reader.list(|reader| {
        let (step, generation) = (reader.number()?, reader.number()?);
        let index = next.checked_add(step).filter(|index| *index < count);
        let (Some(index), Ok(generation)) = (index, u32::try_from(generation)) else {
            return wrong("an index or a generation is too large");
        };
        next = index + 1;
        Ok((usize::try_from(index).unwrap_or(usize::MAX), generation))
    })
}
