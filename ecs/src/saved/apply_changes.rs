//! Applies a change set from an untrusted source: checks all of it first, and then makes its edits.

use crate::component::data::{Loose, WrittenAs};
use crate::component::set::ComponentSet;
use crate::entity::Entity;
use crate::format::budget::GROWING;
use crate::format::header::Content;
use crate::format::reader::{ReadError, wrong};
use crate::pool::WorldPool;
use crate::pool::kind::Kind;
use crate::relation::ends::{Ends, PlaceInList, Pointing};
use crate::saved::build::entity_size;
use crate::saved::change_set::{
    APART, EMPTIED, ENDED, FULL, NAMED, PARTS, RESOURCES, WHOLE, has, in_order,
};
use crate::saved::ends::{CIRCLE, DEAD, pay_relation};
use crate::saved::follower::{
    FollowedPart, Follower, KnownEntities, Piece, ReadChangeSet, Received, ReceivedPart,
};
use crate::saved::loaded::{Limits, LoadError};
use crate::saved::read::{ALL_INDICES, PartReader, handle, refuse_late};
use crate::saved::resource::ResourceSaving;
use crate::saved::{GENERATIONS, IN_SETS, LOST, PLACES};
use crate::storage::page::Page;
use crate::storage::sparse_array::{PAGE_SHIFT, page_of};
use crate::storage::sparse_set::SparseSet;
use crate::world::World;
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::num::NonZeroU32;

/// Returns `true` if a set lacks a required component of this kind, so that it is made here. A set of chosen entities
/// has all that is saved of them.
fn is_made(kind: Kind, is_whole: bool) -> bool {
    kind.saving().is_none() || !is_whole && !kind.is_tracked()
}

/// # Change sets: receiving
impl World {
    /// Applies a [`ChangeSet`](crate::save::ChangeSet), if it is the next one of its reader, or a full one. Updates the
    /// [`Follower`]: a new entity is spawned here and added to it, and an ended one is despawned and taken out.
    ///
    /// Components are removed first. If the set gives values of a [unique](crate::guide::indexes#unique-values) component,
    /// entities that it ends lose theirs here, too. Then resources are replaced, then all values are inserted, and then ended entities
    /// are despawned. In each step vetoes, hooks and observers are called like for any edit; for values, when all are
    /// in place. A component inserts required components only if no set carries these, because they are not tracked or
    /// not saved. All others are inserted and removed by sets alone.
    ///
    /// Handles in relations and in fields that are marked by `#[component(entities)]` are replaced by handles of this
    /// world. An entity that is named before any of its components is sent is spawned without components, so the handle
    /// stays valid later. The handle of an entity that is dead in the other world becomes [`Entity::PLACEHOLDER`].
    ///
    /// The sources of a target get the order that they have in the other world. Sources that point to it in this world
    /// only stay between them.
    ///
    /// Entities of this world's own stay as they are, unless a relation despawns them with one of the other world. A
    /// value that was written here in advance stays until a set has the next value of the other world. So does a
    /// component that was inserted or removed here. An entity that was despawned here [stays dead](Follower::skipped).
    /// A full set undoes all of these, and any set undoes the ones that it contradicts. If a relation of the set would
    /// close a circle with one that was written here in advance, the follower [needs a full set](Follower::needs_full).
    ///
    /// O(size of the set, and the sources of each target that had a source moved). For an acyclic relation, O(its
    /// members); for a full set, O(known entities), too.
    ///
    /// # Errors
    /// Returns an error if the bytes are not valid, or take more than the limits allow. So it does if the follower
    /// belongs to another world, or to this one before it was loaded. Nothing is changed then, with two exceptions,
    /// after which the follower [needs a full set](Follower::needs_full). An observer of a removal inserted relations with
    /// which the set would close a circle. Or an entity of this world keeps an equal value of a unique component, of the
    /// set or required by one of it.
    ///
    /// # Panics
    /// Panics if it is called by a hook or an observer, and like [`spawn_empty`](Self::spawn_empty).
    ///
    /// See [`ChangeSet`](crate::save::ChangeSet) for an example.
    #[inline]
    pub fn apply_change_set(
        &mut self,
        set: &[u8],
        follower: &mut Follower,
        limits: &Limits,
    ) -> Result<Received, LoadError> {
        self.refuse_while_notifying("changed by a set");
        let mut header = PartReader::new(set, limits.memory);
        let (number, flags) = match read_header(&mut header) {
            Ok(read) => read,
            Err(error) => return Err(header.fail(error)),
        };
        if !follower.is_of(&self.entities) {
            return Err(header.fail(ReadError::new(OTHER_WORLD)));
        }
        let is_full = flags & FULL != 0;
        let is_next = number == follower.number + u64::from(flags != 0);
        if number <= follower.number && (flags != 0 || number < follower.number) {
            return Ok(Received::Late);
        } else if !is_full && (follower.needs_full || !is_next) {
            return Ok(Received::Missing);
        }
        let Some(read) = self.remove_lost(set, follower, limits)? else {
            return Ok(Received::Missing);
        };
        let ReadChangeSet {
            told,
            parts,
            ended,
            emptied,
            mut resources,
            sent,
            gone,
            names,
            skipped,
            ..
        } = read;
        let ended: Vec<_> =
            ended.into_iter().filter_map(|there| Some((there, follower.get(there)?))).collect();
        self.entities.flush();
        if is_full {
            follower.touched.clear();
            follower.newest.clear();
        }
        if flags & APART != 0 && !is_full {
            let lost = parts.iter().flat_map(|part| part.lost.iter().copied());
            follower.touch(number, told.keys().iter().copied().chain(lost));
            follower.touch(number, emptied.iter().copied());
        }
        self.spawn_unknown(&told, &mut follower.known);
        let here = |there| follower.get(there).unwrap_or(Entity::PLACEHOLDER);
        sent.iter().for_each(|saving| resources.map_entities(saving, &mut |it| here(it)));
        self.resources.exchange(&mut resources);
        for saving in gone {
            drop(self.resources.take_by(&saving));
        }
        if is_full {
            follower.skipped.clear();
        }
        let emptied: Vec<Entity> =
            emptied.iter().filter_map(|there| follower.get(*there)).collect();
        let behind = self.give_changed(parts, &follower.known, flags & WHOLE != 0)?;
        for here in emptied {
            let _ = self.retain_numbered(here, &[]); // or it ended, or the veto refused
        }
        let here: Vec<Entity> = ended.iter().map(|(_, here)| *here).collect();
        self.despawn_batch(&here);
        for there in skipped.into_iter().chain(behind) {
            if !follower.skipped.contains(there) {
                follower.skipped.insert(there, number);
            }
        }
        for (there, here) in ended {
            if follower.get(there) == Some(here) && !self.is_alive(here) {
                follower.known.remove(there);
                follower.skipped.remove(there);
                follower.forget(there);
            }
        }
        if is_full {
            follower.names.clear();
            follower.full_number = number;
        }
        follower.names.extend(names);
        (follower.number, follower.needs_full) = (number, false);
        Ok(Received::Applied)
    }

    /// Removes the components that a set removes, and returns the rest of the set, or `None` if only a full set can be
    /// applied. From now on the follower needs a full set, until the whole set is applied.
    #[inline]
    fn remove_lost(
        &mut self,
        set: &[u8],
        follower: &mut Follower,
        limits: &Limits,
    ) -> Result<Option<ReadChangeSet>, LoadError> {
        loop {
            self.entities.flush();
            let read = self.read_set(set, follower, limits)?;
            follower.needs_full = true;
            let Some(read) = read else { return Ok(None) };
            follower.join(&self.entities);
            let known = |there: &Entity| follower.get(*there);
            // Another entity may be given the value of one that ends, or loses all: a veto may keep these.
            let leaving: Vec<Entity> = read.ended.iter().chain(&read.emptied).copied().collect();
            let lost = |part: &ReceivedPart| {
                let gives = part.kind.is_unique() && !part.changed.is_empty();
                [&part.lost[..], if gives { &leaving[..] } else { &[] }].concat()
            };
            let removes = read.parts.iter().any(|part| !lost(part).is_empty());
            // Components before the ones that they need.
            let mut order: Vec<u32> = read.parts.iter().map(|part| part.kind.number).collect();
            self.pools.rules.sort_removal(&mut order);
            let part = |number: &u32| read.parts.iter().find(|part| part.kind.number == *number);
            for part in order.iter().filter_map(part) {
                for entity in lost(part).iter().filter_map(known) {
                    self.part_changed(&read, follower, part.kind.number, entity);
                    let _ = self.remove_kind(part.kind, entity); // or it lacks it, or the veto refused
                }
            }
            // If an observer ended an entity, the rest of the set reads differently.
            let stays = |(there, here): (Entity, &Entity)| {
                read.is_spawned(*here) || known(&there).is_some_and(|here| self.is_alive(here))
            };
            if !removes || read.told.iter().all(stays) {
                return Ok(Some(read));
            }
        }
    }

    /// Takes relations from entities that a set lets point elsewhere, if they keep the component with this number of their
    /// target.
    #[inline]
    fn part_changed(
        &mut self,
        read: &ReadChangeSet,
        follower: &Follower,
        number: u32,
        target: Entity,
    ) {
        let mut relations = Vec::new();
        self.pools.rules.for_each_relation_to(number, &mut |relation| relations.push(relation));
        for part in read.parts.iter().filter(|part| relations.contains(&part.kind.number)) {
            let changed = part.changed.iter().filter_map(|there| follower.get(*there));
            let points = |source: &Entity| {
                let ends = self.pools.relations.get(part.kind.number);
                ends.is_some_and(|ends| ends.target(*source) == Some(target))
            };
            for source in changed.filter(points).collect::<Vec<_>>() {
                let _ = self.remove_kind(part.kind, source);
            }
        }
    }

    /// Reads a set, and checks all of it. Returns `None` if only a full set can be applied.
    #[inline]
    fn read_set(
        &self,
        set: &[u8],
        follower: &Follower,
        limits: &Limits,
    ) -> Result<Option<ReadChangeSet>, LoadError> {
        let mut one_by_one = false;
        loop {
            let mut applying = ChangeSetReading::new(self, follower, set, limits);
            applying.one_by_one = one_by_one;
            if let Err(error) = applying.read() {
                return Err(applying.parts.fail(error));
            }
            let ChangeSetReading { read, obstacle, .. } = applying;
            match obstacle {
                None => return Ok(Some(read)),
                Some(Obstacle::Conflict) => return Ok(None),
                Some(Obstacle::LostTarget) if one_by_one => return Ok(Some(read)),
                Some(Obstacle::LostTarget) => one_by_one = true,
            }
        }
    }

    /// Spawns the entities of the set that have no living counterpart here.
    #[inline]
    fn spawn_unknown(&mut self, told: &KnownEntities, known: &mut KnownEntities) {
        let is_alive = |here: &Entity| self.entities.is_alive(*here);
        let is_missing = |(there, here): &(Entity, &Entity)| {
            **here != Entity::PLACEHOLDER && !known.get(*there).is_some_and(is_alive)
        };
        let missing: Vec<Entity> = told.iter().filter(is_missing).map(|(there, _)| there).collect();
        let made = self.make(missing.len(), ComponentSet::EMPTY);
        for (there, here) in missing.into_iter().zip(made) {
            known.insert(there, here);
        }
    }

    /// Checks that targets have the component that their relation demands, or get it by this set. Some of them lack it.
    #[cold]
    #[inline]
    fn check_targets(
        &mut self,
        doubtful: Vec<Pointing>,
        given: &BTreeMap<Entity, Vec<Kind>>,
        is_whole: bool,
    ) -> Result<(), LoadError> {
        for pointing in doubtful {
            let target = pointing.target();
            let kinds = given.get(&target).cloned().unwrap_or_default();
            let given = self.given_with(Some(target), kinds, &|kind| is_made(kind, is_whole));
            if pointing.of_targets.is_some_and(|rule| !given.contains(&rule.number())) {
                let (component, entity) = (Some(pointing.name.into()), Some(target));
                let what = pointing.wrong_target().to_string();
                return Err(LoadError { component, entity, at: 0, what });
            }
        }
        Ok(())
    }

    /// Checks that entities may be given components of a set, and removes the ones that they replace.
    #[cold]
    #[inline]
    fn admit_changed(
        &mut self,
        given: BTreeMap<Entity, Vec<Kind>>,
        is_whole: bool,
    ) -> Result<(), LoadError> {
        let is_made = |kind: Kind| is_made(kind, is_whole);
        let admitted = given.into_iter().try_for_each(|(entity, kinds)| {
            self.admit_kinds(entity, kinds, &is_made).map(drop).map_err(|error| (entity, error))
        });
        admitted.map_err(|(entity, error)| LoadError {
            component: None,
            entity: Some(entity),
            at: 0,
            what: error.to_string(),
        })
    }

    /// Inserts the values of a set. Returns the sources that are in the wrong place, as the source before them is dead.
    #[inline]
    pub(super) fn give_changed(
        &mut self,
        parts: Vec<ReceivedPart>,
        known: &KnownEntities,
        is_whole: bool,
    ) -> Result<Vec<Entity>, LoadError> {
        let here = |entity: Entity| known.get(entity).copied().unwrap_or(Entity::PLACEHOLDER);
        let (mut given, mut doubtful) = (Vec::new(), Vec::new());
        for ReceivedPart { name, kind, changed, pieces, places, .. } in parts {
            let pool = self.pools.at(kind.number);
            let mut ends = Vec::new();
            let pieces: Vec<_> = pieces
                .into_iter()
                .map(|Piece { of, values }| {
                    let list: Vec<Entity> = changed[of].iter().map(|it| here(*it)).collect();
                    let values = pool.kind().map_loose(values, &mut |_, entity| here(entity));
                    let pointings = pool.kind().pointings(&*values);
                    let lacks = |it: &&Pointing| {
                        let rule = it.of_targets;
                        rule.is_some_and(|rule| !self.pools.has(rule.number(), it.target()))
                    };
                    doubtful.extend(pointings.iter().filter(lacks));
                    let targets = pointings.into_iter().map(Pointing::target);
                    ends.extend(list.iter().copied().zip(targets));
                    (list, values)
                })
                .collect();
            if let Some((_, true)) = pool.relation() {
                let before = self.pools.relations.get(kind.number);
                if before.is_some_and(|before| after(before, &ends, |_| true).has_circle()) {
                    let what = CIRCLE.to_owned();
                    return Err(LoadError { component: Some(name), entity: None, at: 0, what });
                }
            }
            if kind.is_unique() {
                let pieces: Vec<_> =
                    pieces.iter().map(|it| (&it.0[..], &*it.1 as &Loose)).collect();
                let checked = self.pools.check_unique_all(kind.number, &pieces, &|_| false);
                checked.map_err(|error| {
                    let what = error.to_string();
                    LoadError { component: Some(name), entity: None, at: 0, what }
                })?;
            }
            given.push((kind, changed, pieces, places));
        }
        if !self.pools.rules.is_empty() {
            let mut of = BTreeMap::<Entity, Vec<Kind>>::new();
            for (kind, changed, ..) in &given {
                changed.iter().for_each(|it| of.entry(here(*it)).or_default().push(*kind));
            }
            self.check_targets(doubtful, &of, is_whole)?;
            self.admit_changed(of, is_whole)?;
        }
        self.pools.watch.log.begin();
        let (mut gone, mut requiring, mut behind) = (Vec::new(), Vec::new(), Vec::new());
        for (kind, changed, pieces, places) in given {
            for (list, values) in pieces {
                let (new, replaced) = self.put_loose(&list, kind, values);
                gone.push(replaced);
                if kind.requires_any() {
                    requiring.push((kind, new));
                }
            }
            let Some(ends) = self.pools.relations.get_mut(kind.number) else { continue };
            let list: Vec<Entity> = changed.iter().map(|it| here(*it)).collect();
            let mut arranged = Vec::new();
            for (at, before) in
                places.into_iter().filter(|(at, _)| ends.target(list[*at]).is_some())
            {
                if before.is_some_and(|before| ends.target(here(before)).is_none()) {
                    behind.push(changed[at]);
                }
                arranged.push((at, before.map(here)));
            }
            ends.arrange(&list, &arranged);
        }
        drop(gone); // while all is whole
        let mut refused = None;
        for (kind, new) in requiring {
            for entity in new {
                // A set of chosen entities has all that is saved of them.
                let is_sent = |_, is_saved, is_tracked| is_saved && (is_whole || is_tracked);
                let error = self.insert_some_required(kind, entity, &is_sent, false).err();
                refused = refused.or(error.map(|what| LoadError {
                    component: Some(kind.name().to_owned()),
                    entity: Some(entity),
                    at: 0,
                    what,
                }));
            }
        }
        self.notify_all_added(true, true);
        refused.map_or(Ok(behind), Err)
    }
}

/// Returns an error if an entity of this world stands for two of the sender.
#[inline]
pub(super) fn refuse_same_here(here: &[Entity]) -> Result<()> {
    let mut sorted = here.to_vec();
    sorted.sort_unstable();
    let is_twice = |pair: &[Entity]| pair[0] == pair[1] && pair[0] != Entity::PLACEHOLDER;
    if sorted.windows(2).any(is_twice) {
        return wrong("two entities of the sender stand for one entity here");
    }
    Ok(())
}

/// Returns a relation's ends after the sources `ends` were inserted. Its other sources stay if `stays` returns `true`.
fn after(before: &Ends, ends: &[(Entity, Entity)], stays: impl Fn(Entity) -> bool) -> Ends {
    let changed: SparseSet<(), Entity> = ends.iter().map(|(source, _)| (*source, ())).collect();
    let all = before
        .targets()
        .iter()
        .flat_map(|target| before.sources(*target).map(move |source| (source, *target)));
    let old = all.filter(|(source, _)| !changed.contains(*source) && stays(*source));
    let most = before.len() + ends.len();
    before.with_ends((most, most), old.chain(ends.iter().copied()))
}

/// Reads the header of a set, its number, and its flags.
#[inline]
fn read_header(parts: &mut PartReader<'_>) -> Result<(u64, u8)> {
    parts.begin(Content::Changes)?;
    let (number, flags) = (parts.reader.number()?, parts.reader.byte()?);
    if flags == APART {
        return wrong("it has no section, and says that values come apart");
    }
    Ok((number, flags))
}

/// An error of a follower.
pub(super) const OTHER_WORLD: &str = "the follower belongs to another world, or to this one before it was loaded: begin with a new \
                           one, and request a full set";

/// The reason why a set cannot be applied as it is: a change that was made here in advance.
pub(super) enum Obstacle {
    /// The target of a relation was despawned.
    LostTarget,
    /// Relations of the set close a circle with others in this world.
    Conflict,
}

/// The reading of a set.
pub(super) struct ChangeSetReading<'w, 'b> {
    pub(super) world: &'w World,
    pub(super) follower: &'w Follower,
    is_full: bool,
    /// `true` if relations are read one by one, so that one whose target was despawned here can be passed over.
    one_by_one: bool,
    obstacle: Option<Obstacle>,
    pub(super) read: ReadChangeSet,
    pub(super) parts: PartReader<'b>,
}

type Result<T, E = ReadError> = core::result::Result<T, E>;

impl<'w, 'b> ChangeSetReading<'w, 'b> {
    #[inline]
    pub(super) fn new(
        world: &'w World,
        follower: &'w Follower,
        set: &'b [u8],
        limits: &Limits,
    ) -> Self {
        Self {
            world,
            follower,
            is_full: false,
            one_by_one: false,
            obstacle: None,
            read: ReadChangeSet::new(world.entities.index_count()),
            parts: PartReader::new(set, limits.memory),
        }
    }

    #[inline]
    fn read(&mut self) -> Result<()> {
        let (_, flags) = read_header(&mut self.parts)?;
        self.is_full = flags & FULL != 0;
        if flags & ENDED != 0 {
            self.read.ended = self.parts.handles()?;
        }
        if flags & PARTS != 0 {
            for _ in 0..self.parts.reader.count()? {
                let part = self.part()?;
                self.read.parts.push(part);
                self.parts.component = None;
            }
        }
        if flags & NAMED != 0 {
            for entity in self.parts.handles()? {
                self.refuse_ended(entity, "the entity was despawned, and is still named")?;
                self.here(entity)?;
            }
        }
        if flags & EMPTIED != 0 {
            self.read.emptied = self.parts.handles()?;
        }
        if flags & RESOURCES != 0 {
            for _ in 0..self.parts.reader.count()? {
                self.resource()?;
                self.parts.component = None;
            }
        }
        if flags & APART != 0 {
            self.parts.reader.pay(self.read.told.len(), 4 * size_of::<u64>())?; // their last sets
        }
        self.parts.end()?;
        self.add_gone()
    }

    /// Adds the ended entities and lost components that the set does not list: of entities whose index was reused, and,
    /// for a full set, all that it does not mention.
    #[inline]
    fn add_gone(&mut self) -> Result<()> {
        let (known, told) = (&self.follower.known, &self.read.told);
        let count = if self.is_full { known.len() } else { told.len() };
        self.parts.reader.pay(GROWING * count, size_of::<Entity>())?;
        if !self.is_full {
            let before = |entity: &Entity| known.raw_keys().at_index(entity.index());
            let others = told.keys().iter().filter_map(before).filter(|it| !told.contains(*it));
            self.read.ended.extend(others);
            return Ok(());
        }
        let ended = known.keys().iter().copied().filter(|it| !told.contains(*it));
        self.read.ended.extend(ended);
        in_order(&mut self.read.ended);
        for part in &mut self.read.parts {
            let pool = self.world.pools.at(part.kind.number);
            let is_lost = |(there, here): &(Entity, &Entity)| {
                pool.contains(**here) && !has(&part.changed, *there)
            };
            let lost = told.iter().filter(is_lost).map(|(there, _)| there);
            self.parts.reader.pay(GROWING * pool.len().min(told.len()), size_of::<Entity>())?;
            part.lost = lost.collect();
        }
        Ok(())
    }

    #[inline]
    fn refuse_ended(&mut self, entity: Entity, what: &str) -> Result<()> {
        if has(&self.read.ended, entity) {
            self.parts.entity = Some(entity);
            return wrong(what);
        }
        Ok(())
    }

    /// Reads the number of a component or a resource, and its name and schema if they were not sent before.
    #[inline]
    pub(super) fn head(&mut self, is_resource: bool) -> Result<FollowedPart> {
        let number = usize::try_from(self.parts.reader.number()?).unwrap_or(usize::MAX);
        let older = if self.is_full { &[][..] } else { &self.follower.names };
        let mut sent = older.iter().chain(&self.read.names);
        if number == older.len() + self.read.names.len() {
            let name = self.parts.reader.text()?;
            self.parts.name(name)?;
            self.parts.reader.pay(name.len(), 2)?;
            self.parts.reader.pay(GROWING, size_of::<FollowedPart>())?;
            let schema = self.parts.schema()?;
            let named = FollowedPart { name: name.to_owned(), schema, is_resource };
            if sent.any(|it| *it == named) {
                return wrong("it is there twice");
            }
            self.read.names.push(named.clone());
            return Ok(named);
        }
        let Some(named) = sent.nth(number) else {
            return wrong("a number stands for a name that was not sent");
        };
        self.parts.name(&named.name)?;
        if named.is_resource != is_resource {
            return wrong("a component is named as a resource, or a resource as a component");
        }
        self.parts.reader.pay(named.name.len(), 1)?;
        Ok(named.clone())
    }

    #[inline]
    fn resource(&mut self) -> Result<()> {
        let FollowedPart { name, schema, .. } = self.head(true)?;
        let world = self.world;
        let saving = world.known_resource(&name, schema)?;
        if world.resources.saved_by(saving).is_err() {
            return wrong("it is lent by `World::resource_scope`: apply the set after that");
        }
        let reader = &mut self.parts.reader;
        match reader.byte()? {
            0 => self.read.gone.push(saving),
            1 => {
                self.read.resources.read(&saving, schema.version, reader)?;
                self.read.sent.push(saving);
            }
            _ => return wrong("a resource is marked neither as present nor as removed"),
        }
        reader.pay(GROWING, size_of::<ResourceSaving>())
    }

    #[inline]
    fn part(&mut self) -> Result<ReceivedPart> {
        let FollowedPart { name, schema, .. } = self.head(false)?;
        let number = self.world.known_component(&name, schema)?;
        if self.read.parts.iter().any(|part| part.kind.number == number) {
            return wrong("it is there twice");
        }
        self.parts.reader.pay(GROWING, size_of::<ReceivedPart>())?;
        let pool = self.world.pools.at(number);
        let (count, flags) = self.parts.count_and_flags(IN_SETS)?;
        let is_relation = pool.relation().is_some();
        if flags & GENERATIONS == 0 || flags & PLACES != 0 && !is_relation {
            return wrong("its encoding is unknown");
        }
        let changed = self.parts.counted_handles(count)?;
        self.refuse_same_index(&changed)?;
        for entity in &changed {
            self.refuse_ended(*entity, "the entity was despawned, and still has the component")?;
        }
        let lost = if flags & LOST == 0 { Vec::new() } else { self.parts.handles()? };
        let mut here = self.all_here(&changed)?;
        let (mut pieces, targets) = self.values(pool, schema.version, &changed, &here)?;
        let mut places = Vec::new();
        if is_relation {
            self.check_relation(number, &lost, &mut here, &targets)?;
        }
        if flags & PLACES != 0 {
            places = self.places(number, &targets)?;
        }
        let skipped = changed.iter().zip(&here).filter(|(_, here)| **here == Entity::PLACEHOLDER);
        self.read.skipped.extend(skipped.map(|(there, _)| *there));
        pieces.retain(|piece| here[piece.of.start] != Entity::PLACEHOLDER);
        Ok(ReceivedPart { kind: pool.kind(), name, lost, changed, pieces, places })
    }

    /// Reads the values of entities that changed, and of a relation returns their targets.
    #[inline]
    pub(super) fn values(
        &mut self,
        pool: &dyn WorldPool,
        version: u32,
        changed: &[Entity],
        here: &[Entity],
    ) -> Result<(Vec<Piece>, Vec<Entity>)> {
        let PartReader { reader, entity, .. } = &mut self.parts;
        let pages = (self.read.next >> PAGE_SHIFT) + 1;
        reader.pay(here.len().min(pages), Page::MOST_MEMORY)?;
        reader.pay(GROWING * changed.len(), pool.kind().size())?; // where they are put
        let one_by_one = self.one_by_one && pool.relation().is_some();
        let (mut pieces, mut targets, mut late) = (Vec::new(), Vec::new(), Vec::new());
        let mut start = 0;
        while start < changed.len() {
            let is_here = |entity: &Entity| *entity != Entity::PLACEHOLDER;
            let alike = here[start..].iter().take_while(|it| is_here(it) == is_here(&here[start]));
            let count = if one_by_one { 1 } else { alike.count() };
            reader.pay(GROWING, size_of::<Piece>())?;
            let written = WrittenAs { version, as_bytes: false };
            let values = pool.as_saved().read(written, count, reader, &mut late);
            let values = values.map_err(|(at, error)| {
                *entity = changed.get(start + at).copied();
                error
            })?;
            refuse_late(&late)?;
            targets.extend(pool.kind().pointings(&*values).into_iter().map(Pointing::target));
            pieces.push(Piece { of: start..start + count, values });
            start += count;
        }
        Ok((pieces, targets))
    }

    /// Reads the places of sources that changed, which point to these targets by the relation with this number.
    #[inline]
    fn places(&mut self, number: u32, targets: &[Entity]) -> Result<Vec<PlaceInList>> {
        let reader = &mut self.parts.reader;
        let count = reader.count()?;
        reader.pay(count, 2 * size_of::<(PlaceInList, Entity)>())?; // and the same here, with order
        let sources = self.world.pools.relations.get(number).map_or(0, Ends::len);
        reader.pay(if count > 0 { sources } else { 0 }, 2 * size_of::<Entity>())?;
        let mut places: Vec<PlaceInList> = Vec::with_capacity(count);
        for _ in 0..count {
            let (at, generation) = (reader.number()?, reader.number()?);
            let before = match generation {
                0 => None,
                generation => Some(handle(reader.number()?, generation, ALL_INDICES)?),
            };
            let at = usize::try_from(at).ok().filter(|at| *at < targets.len());
            let Some(at) = at else {
                return wrong("a place belongs to none of the changed entities");
            };
            if places.last().is_some_and(|(last, _)| targets[*last] > targets[at]) {
                return wrong("places are not in the order of the targets");
            }
            places.push((at, before));
        }
        let mut positions: Vec<usize> = places.iter().map(|(at, _)| *at).collect();
        positions.sort_unstable();
        if positions.windows(2).any(|pair| pair[0] == pair[1]) {
            return wrong("an entity has two places");
        }
        Ok(places)
    }

    /// Returns the entities of this world that stand for these.
    #[inline]
    fn all_here(&mut self, entities: &[Entity]) -> Result<Vec<Entity>> {
        let mut here = Vec::with_capacity(entities.len());
        for entity in entities {
            here.push(self.here(*entity)?);
        }
        refuse_same_here(&here)?;
        Ok(here)
    }

    /// Returns an error if two of these entities, which are in order, have one index.
    #[inline]
    pub(super) fn refuse_same_index(&mut self, entities: &[Entity]) -> Result<()> {
        if let Some(pair) = entities.windows(2).find(|pair| pair[0].index() == pair[1].index()) {
            self.parts.entity = Some(pair[1]);
            return wrong("two entities have one index");
        }
        Ok(())
    }

    /// Returns the entity of this world that stands for this one, or [`Entity::PLACEHOLDER`] if it was despawned here.
    #[inline]
    fn here(&mut self, entity: Entity) -> Result<Entity> {
        let ReadChangeSet { told, next, .. } = &mut self.read;
        if let Some(here) = told.get(entity) {
            return Ok(*here);
        }
        let keys = told.raw_keys();
        if keys.at_index(entity.index()).is_some() {
            self.parts.entity = Some(entity);
            return wrong("two entities have one index");
        }
        // A record, and a place in each of the sets of listed, missing and known entities, with their pages.
        self.parts.reader.pay(1, entity_size(&self.world.pools) + 6 * size_of::<Entity>())?;
        let page = page_of(entity.index());
        let more = (page + 1).saturating_sub(keys.page_count());
        self.parts.reader.pay(2 * 2 * more, size_of::<usize>())?;
        if more > 0 || keys.page(page).is_empty() {
            self.parts.reader.pay(2, Page::MOST_MEMORY)?;
        }
        let here = match self.follower.known.get(entity) {
            Some(here) if self.world.entities.is_alive(*here) => *here,
            Some(_) if !self.is_full => Entity::PLACEHOLDER,
            _ => {
                let index = u32::try_from(*next).ok().filter(|index| *index < u32::MAX);
                let Some(index) = index else { return wrong("there are too many entities") };
                *next += 1;
                Entity::new(index, NonZeroU32::MIN)
            }
        };
        told.insert(entity, here);
        Ok(here)
    }

    /// Checks the targets of these sources, which are `here` so: one with a target that was despawned here becomes
    /// [`Entity::PLACEHOLDER`].
    #[inline]
    fn check_relation(
        &mut self,
        number: u32,
        lost: &[Entity],
        here: &mut [Entity],
        targets: &[Entity],
    ) -> Result<()> {
        let pool = self.world.pools.at(number);
        self.parts.reader.pay(here.len(), size_of::<(Entity, Entity)>() + size_of::<Pointing>())?;
        let mut ends = Vec::with_capacity(here.len());
        for (source, target) in here.iter_mut().zip(targets) {
            if target.index() == u32::MAX || has(&self.read.ended, *target) {
                return wrong(DEAD);
            }
            let target = self.here(*target)?;
            if target == Entity::PLACEHOLDER {
                *source = Entity::PLACEHOLDER;
                self.obstacle.get_or_insert(Obstacle::LostTarget);
            }
            if *source != Entity::PLACEHOLDER {
                ends.push((*source, target));
            }
        }
        let (Some((_, acyclic)), Some(before)) =
            (pool.relation(), self.world.pools.relations.get(number))
        else {
            return Ok(());
        };
        if acyclic && !ends.is_empty() {
            let known = &self.follower.known;
            let may_leave = if self.is_full { known.len() } else { lost.len() };
            let most = before.len() + ends.len() + may_leave;
            let pages = (self.read.next >> PAGE_SHIFT) + 1; // also of sources that changed or lost it
            self.parts.reader.pay(2 * most.min(pages), Page::MOST_MEMORY)?;
            self.parts.reader.pay(10 * most, size_of::<Entity>())?;
            pay_relation(most, most, self.read.next, &mut self.parts.reader.budget)?;
            // In a full set, a known entity keeps only the relations that are listed.
            let leaves = |there: &Entity| Some((*known.get(*there)?, ()));
            let leaving: SparseSet<(), Entity> = if self.is_full {
                known.keys().iter().filter_map(leaves).collect()
            } else {
                lost.iter().filter_map(leaves).collect()
            };
            if after(before, &ends, |source| !leaving.contains(source)).has_circle() {
                // Another relation in it may have been written here in advance.
                if self.is_full || after(before, &ends, |_| false).has_circle() {
                    return wrong(CIRCLE);
                }
                self.obstacle = Some(Obstacle::Conflict);
            }
        }
        Ok(())
    }
}
