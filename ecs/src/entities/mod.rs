//! The living entities: the allocator of handles and the record of each index.
//!
//! ```text
//! records   0            1            2            3
//!           gen 1        gen 0        gen 4        gen 0       0: no entity has this index
//!           {A, B}       1            {B}          place 0    its place in `free`
//! free      [ 3v2, 1v8 ]              the next handles to give out
//!                  ↑ taken 1          the last `taken` are reserved, not yet alive
//! ```

pub(crate) mod chunk;
pub(crate) mod holds;
mod keep;
#[cfg(feature = "serde")]
mod parts;

use crate::component::set::ComponentSet;
use crate::entities::holds::Holds;
use crate::entity::{Entity, sort_by_index};
use crate::storage::key::Key;
use crate::storage::keys::run_of;
use crate::storage::values::prefetch;
use crate::sync::AtomicU64;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::iter::{FusedIterator, Rev, Take};
use core::num::NonZeroU32;
use core::ops::RangeInclusive;
use core::slice;
use core::sync::atomic::{AtomicU64 as Counter, Ordering};

/// The record of an index: the generation of its entity, and the components that the entity may have (E4).
#[derive(Clone, Copy, Debug)]
struct Record {
    /// The generation of the living entity, or 0.
    generation: u32,
    /// One bit for each of the first 64 component numbers, set if the entity may have the component. For an index
    /// without an entity, the place of its next handle in `free`, or else [`NOWHERE`], or a number of the entity for
    /// which it is [held](Entities::hold).
    low: u64,
}

/// The bits of components with numbers that exceed the bits of `low`.
type High = [u64; ComponentSet::WORDS - 1];

/// No place in `free`.
const NOWHERE: u64 = u64::MAX;

/// The greatest index of a world's entities. Unit tests can reach it.
const GREATEST_INDEX: u32 = if cfg!(test) { 1_999 } else { u32::MAX - 1 };

/// The number of unused indices that [`spawn_at`](Entities::spawn_at) may skip: 24 bytes each.
const MOST_SKIPPED: u32 = 1 << 24;

/// The reason why no entity could be made with a given handle.
///
/// ```
/// # use ecs::{Entity, SpawnAtError, World};
/// let mut world = World::new();
/// let entity = world.spawn_empty().id();
/// let error = world.spawn_at(entity).unwrap_err();
/// assert_eq!(error, SpawnAtError::Taken(entity));
/// assert_eq!(error.to_string(), "the index of that entity is in use, by 0v1");
/// world.despawn(entity).unwrap();
/// assert_eq!(world.spawn_at(entity).unwrap_err(), SpawnAtError::Ended(entity));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpawnAtError {
    /// The index is in use by this entity.
    Taken(Entity),
    /// The entity was despawned before, or one with its index and a later generation was. A generation is never reused.
    Ended(Entity),
    /// The index is greater than the greatest index of entities.
    NoIndex(Entity),
    /// The index is more than 2^24 beyond the greatest one that was ever in use: the indices between would take
    /// hundreds of megabytes. The handle is probably wrong.
    TooFar(Entity),
}

impl fmt::Display for SpawnAtError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken(by) => write!(f, "the index of that entity is in use, by {by}"),
            Self::Ended(entity) => {
                write!(f, "entity {entity} was despawned: a generation is never reused")
            }
            Self::NoIndex(entity) => write!(f, "no world can have as many entities as {entity}"),
            Self::TooFar(entity) => write!(
                f,
                "the index of {entity} is more than {MOST_SKIPPED} beyond those in use: check the handle, or spawn \
                 entities with lower indices first"
            ),
        }
    }
}

impl core::error::Error for SpawnAtError {}

/// The allocator of entities.
///
/// The limits are parameters so that tests can come near them.
///
/// * E1: a record's generation is the generation of the entity alive there; 0 where none is.
/// * E2: `free` contains the next handle of each index that is neither alive nor retired, once.
/// * E3: `taken` counts the entities that are reserved and not yet alive: from the end of `free` backwards, then new
///   indices from `records.len()` on. It is 0 after a [`flush`](Self::flush).
/// * E4: an entity's set of components contains all that it has, and the mark if a relation points to it (R3). All
///   others in it are components that the entity had once, and no group watched their removal. The world upholds this.
/// * E5: the record of an index with a handle in `free` stores the handle's place there.
/// * E6: `high` is empty, or has as many entries as `records`. The entries of indices without an entity are empty.
#[derive(Debug)]
pub struct Entities<
    const MAX_INDEX: u32 = GREATEST_INDEX,
    const MAX_GENERATION: u32 = { Entity::MAX_GENERATION },
> {
    records: Vec<Record>,
    high: Vec<High>,
    free: Vec<Entity>,
    taken: AtomicU64,
    /// The numbers of entities that came alive and that ended. The difference is alive.
    begun: usize,
    ended: usize,
    /// The number of indices that are neither alive nor free: without further generations, or held.
    retired: usize,
    /// The holds of indices, if there ever was one.
    holds: Option<Box<Holds>>,
    /// `true` if only the `EntityAllocator` parameters of systems may reserve entities, in turns: systems without one
    /// may run at the same time.
    in_turns: bool,
    /// The number of the world of these entities; 0 until it is first needed. A copy gets another number.
    world: Counter,
    /// The number of the first one of the worlds that are copies of each other; 0 if there is no other one.
    family: u64,
}

const FIRST: NonZeroU32 = NonZeroU32::MIN;

/// Reserved entities are reserved in the copy, too.
impl<const MAX_INDEX: u32, const MAX_GENERATION: u32> Clone
    for Entities<MAX_INDEX, MAX_GENERATION>
{
    fn clone(&self) -> Self {
        let mut copy = Self::new();
        copy.clone_from(self);
        copy
    }

    /// Copies into the existing memory, as far as it is large enough. The number of the world stays if it is of the same
    /// family: a world that is rolled back has the same entities. Indices that are held are free in the copy, and used
    /// last.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        let family = source.family();
        if self.family() != family {
            (self.world, self.family) = (Counter::new(0), family);
        }
        self.records.clone_from(&source.records);
        self.high.clone_from(&source.high);
        self.free.clone_from(&source.free);
        self.taken = AtomicU64::new(source.taken.load(Ordering::Relaxed));
        (self.begun, self.ended, self.retired) = (source.begun, source.ended, source.retired);
        self.holds = None;
        let held = source.held_to_free();
        if !held.is_empty() {
            self.retired -= held.len();
            self.free.splice(0..0, held);
            for (place, entity) in (0..).zip(&self.free) {
                self.records[entity.index() as usize].low = place;
            }
        }
    }
}

impl<const MAX_INDEX: u32, const MAX_GENERATION: u32> Entities<MAX_INDEX, MAX_GENERATION> {
    pub(crate) const fn new() -> Self {
        Self {
            records: Vec::new(),
            high: Vec::new(),
            free: Vec::new(),
            taken: AtomicU64::new(0),
            begun: 0,
            ended: 0,
            retired: 0,
            holds: None,
            in_turns: false,
            world: Counter::new(0),
            family: 0,
        }
    }

    /// Returns the number of the first world with these entities: this one, or the world that it is a copy of.
    pub(crate) fn family(&self) -> u64 {
        if self.family == 0 { self.world() } else { self.family }
    }

    /// Returns the number of the world of these entities: never 0, and unique in the process.
    #[inline]
    pub(crate) fn world(&self) -> u64 {
        // Relaxed: threads share nothing but the number.
        match self.world.load(Ordering::Relaxed) {
            0 => self.number_world(),
            number => number,
        }
    }

    #[cold]
    fn number_world(&self) -> u64 {
        static NEXT: Counter = Counter::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let given = self.world.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
        given.err().unwrap_or(number) // another thread may have been first
    }

    /// Returns the number of living entities, including reserved ones.
    pub(crate) fn len(&self) -> usize {
        let (free, new) = self.reserved();
        self.alive() + free.len() + new as usize
    }

    /// Returns the number of living entities, without reserved ones.
    pub(crate) fn alive(&self) -> usize {
        self.begun.wrapping_sub(self.ended)
    }

    /// Returns a number that changes whenever an entity comes alive or ends.
    #[inline]
    pub(crate) fn turnover(&self) -> usize {
        self.begun.wrapping_add(self.ended)
    }

    /// Returns the number of indices without further generations.
    #[cfg(test)]
    pub(crate) fn retired(&self) -> usize {
        self.retired
    }

    /// Returns one more than the greatest index in use.
    #[inline]
    pub(crate) fn index_count(&self) -> usize {
        self.records.len()
    }

    /// Returns the living entity at `index`; reserved ones are not included.
    #[inline]
    pub(crate) fn at(&self, index: u32) -> Option<Entity> {
        let record = self.records.get(index as usize)?;
        NonZeroU32::new(record.generation).map(|generation| Entity::new(index, generation))
    }

    /// Returns all living entities in index order, without reserved ones.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = Entity> {
        (0..=MAX_INDEX).zip(&self.records).filter_map(|(index, record)| {
            Some(Entity::new(index, NonZeroU32::new(record.generation)?))
        })
    }

    /// Returns all living entities in index order, then reserved ones, in the order in which they were reserved.
    pub(crate) fn iter_all(&self) -> EntityIter<'_> {
        let (free, new) = self.reserved();
        let first = u32::try_from(self.records.len()).unwrap_or(u32::MAX); // unused if it is not an index
        let new = (first..=MAX_INDEX).take(new as usize);
        EntityIter { index: 0, records: self.records.iter(), free: free.iter().rev(), new }
    }

    /// Returns all living and reserved entities from this index on, in index order.
    #[inline]
    pub(crate) fn iter_from(&self, index: u32) -> impl Iterator<Item = Entity> {
        (index..=MAX_INDEX).zip(self.generations_from(to_usize(index.into()))).filter_map(
            |(index, generation)| Some(Entity::new(index, NonZeroU32::new(generation)?)),
        )
    }

    /// Returns the living generation at each index from this one on, or 0; reserved entities count as living.
    fn generations_from(&self, index: usize) -> impl Iterator<Item = u32> {
        let (reserved, new) = self.reserved();
        let first = (self.free.len() - reserved.len()) as u64;
        let generation = move |record: &Record| match record.generation {
            0 => {
                let at = record.low.checked_sub(first).map(to_usize); // E5
                let reserved = at.and_then(|at| reserved.get(at));
                reserved.map_or(0, |entity| entity.generation().get())
            }
            generation => generation,
        };
        let known = self.records.get(index..).unwrap_or(&[]);
        let new = (new as usize).saturating_sub(index.saturating_sub(self.records.len()));
        known.iter().map(generation).chain(core::iter::repeat_n(FIRST.get(), new))
    }

    /// Returns `true` if `entity` is alive or reserved.
    #[inline]
    pub(crate) fn contains(&self, entity: Entity) -> bool {
        self.is_alive(entity) || self.is_reserved(entity)
    }

    /// Returns `true` if `entity` is alive and not just reserved.
    #[inline]
    pub(crate) fn is_alive(&self, entity: Entity) -> bool {
        let record = self.records.get(entity.index() as usize);
        record.is_some_and(|record| record.generation == Key::generation(entity))
    }

    /// Returns `true` if `entity` is alive; makes reserved entities alive first.
    #[inline]
    pub(crate) fn ensure_alive(&mut self, entity: Entity) -> bool {
        self.is_alive(entity) || self.ensure_reserved_alive(entity)
    }

    #[cold]
    #[inline(never)]
    fn ensure_reserved_alive(&mut self, entity: Entity) -> bool {
        self.flush();
        self.is_alive(entity)
    }

    /// Returns the components that `entity`, which must be alive, may have (E4).
    #[inline]
    pub(crate) fn components(&self, entity: Entity) -> ComponentSet {
        debug_assert!(self.is_alive(entity), "only the living have components");
        self.components_at(entity.index() as usize)
    }

    #[inline]
    fn components_at(&self, index: usize) -> ComponentSet {
        let low = self.records[index].low;
        let [a, b, c] = self.high.get(index).copied().unwrap_or_default();
        ComponentSet::of_words([low, a, b, c])
    }

    /// Returns the entities with indices in this range that may have two or more of these components.
    pub(crate) fn with_several(
        &self,
        range: core::ops::Range<usize>,
        components: ComponentSet,
    ) -> impl Iterator<Item = Entity> {
        range.filter_map(move |index| {
            let own = self.components_at(index).intersection(components);
            let words = own.words();
            // At most one bit is set if one word is a power of two and all others are zero.
            let bits = words.iter().fold(0, |any, word| any | word);
            let sum = words.iter().fold(0, |sum: u64, word| sum.wrapping_add(*word));
            if bits & bits.wrapping_sub(1) == 0 && sum == bits && !own.is_coarse() {
                return None;
            }
            self.at(u32::try_from(index).ok()?)
        })
    }

    /// Notes that `entity`, which must be alive, has the component with this number.
    #[inline(always)]
    pub(crate) fn add(&mut self, entity: Entity, number: u32) {
        debug_assert!(self.is_alive(entity), "only the living have components");
        if number < u64::BITS {
            self.records[entity.index() as usize].low |= 1 << number;
        } else {
            self.add_high(entity.index() as usize, ComponentSet::of(number));
        }
    }

    /// Notes that `entity` has the component with this number, if it is alive; makes reserved entities alive first.
    /// Returns `true` if it is alive.
    #[inline(always)]
    pub(crate) fn add_if_alive(&mut self, entity: Entity, number: u32) -> bool {
        if number < u64::BITS
            && let Some(record) = self.records.get_mut(entity.index() as usize)
            && record.generation == Key::generation(entity)
        {
            record.low |= 1 << number;
            return true;
        }
        self.add_to_reserved(entity, number)
    }

    /// Notes a component like [`add_if_alive`](Self::add_if_alive), also with a number from 64 on.
    #[inline(never)]
    fn add_to_reserved(&mut self, entity: Entity, number: u32) -> bool {
        let is_alive = self.ensure_alive(entity);
        if is_alive {
            self.add(entity, number);
        }
        is_alive
    }

    /// Notes that `entity`, which was just made, has the components with these numbers below 64.
    #[inline(always)]
    pub(crate) fn set_low(&mut self, entity: Entity, low: u64) {
        self.records[entity.index() as usize].low |= low;
    }

    /// Notes that `entity`, which must be alive, has these components.
    #[inline]
    pub(crate) fn add_all(&mut self, entity: Entity, components: ComponentSet) {
        let [low, high @ ..] = components.words();
        self.records[entity.index() as usize].low |= low;
        if high != [0; ComponentSet::WORDS - 1] {
            self.add_high(entity.index() as usize, components);
        }
    }

    #[cold]
    #[inline(never)]
    fn add_high(&mut self, index: usize, components: ComponentSet) {
        self.high.resize(self.records.len(), High::default());
        for (bits, more) in self.high[index].iter_mut().zip(&components.words()[1..]) {
            *bits |= more;
        }
    }

    /// Notes that `entity`, which must be alive, has none of these components.
    #[inline]
    pub(crate) fn remove_all(&mut self, entity: Entity, components: ComponentSet) {
        debug_assert!(self.is_alive(entity), "only the living have components");
        let index = entity.index() as usize;
        self.records[index].low &= !components.words()[0];
        if let Some(high) = self.high.get_mut(index) {
            for (bits, less) in high.iter_mut().zip(&components.words()[1..]) {
                *bits &= !less;
            }
        }
    }

    /// Notes that `entity`, which must be alive, lost the component with this number. A component that shares its bit
    /// with others stays in the record, as the entity may have another one of them.
    #[inline]
    pub(crate) fn forget(&mut self, entity: Entity, number: u32) {
        if !ComponentSet::is_shared(number) {
            self.remove_all(entity, ComponentSet::of(number));
        }
    }

    /// Makes an entity.
    ///
    /// # Panics
    /// Panics if all indices are in use.
    #[inline]
    pub(crate) fn spawn(&mut self) -> Entity {
        self.flush();
        let Some(entity) = self.free.pop() else { return self.spawn_at_new_index() };
        self.records[entity.index() as usize] =
            Record { generation: Key::generation(entity), low: 0 };
        self.begun = self.begun.wrapping_add(1);
        entity
    }

    /// Makes an entity with an index that was never in use. A function of its own, so that [`spawn`](Self::spawn) needs
    /// no stack.
    #[inline(never)]
    fn spawn_at_new_index(&mut self) -> Entity {
        if self.holds.is_some() && self.free_dropped() {
            return self.spawn();
        }
        let entity = Entity::new(next_index::<MAX_INDEX>(self.records.len()), FIRST);
        self.records.push(Record { generation: FIRST.get(), low: 0 });
        self.follow();
        self.begun = self.begun.wrapping_add(1);
        entity
    }

    /// Makes the entity with this handle. Indices before it that were never in use become free.
    #[inline]
    pub(crate) fn spawn_at(&mut self, entity: Entity) -> Result<(), SpawnAtError> {
        self.flush();
        let (index, generation) = (entity.index(), entity.generation().get());
        if index > MAX_INDEX || generation > MAX_GENERATION {
            return Err(SpawnAtError::NoIndex(entity));
        }
        let unused = u32::try_from(self.records.len()).unwrap_or(u32::MAX);
        if index.saturating_sub(unused) > MOST_SKIPPED {
            return Err(SpawnAtError::TooFar(entity));
        }
        let alive = Record { generation, low: 0 };
        if let Some(record) = self.records.get(index as usize) {
            if let Some(generation) = NonZeroU32::new(record.generation) {
                return Err(SpawnAtError::Taken(Entity::new(index, generation)));
            }
            let place = to_usize(record.low); // E5
            if self.free.get(place).is_none_or(|next| next.generation() > entity.generation()) {
                return Err(SpawnAtError::Ended(entity));
            }
            self.take_free(place);
            self.records[index as usize] = alive;
        } else {
            // The order in which the lowest index is given out first.
            let kept = self.free.len() as u64;
            self.free.extend((unused..index).rev().map(|index| Entity::new(index, FIRST)));
            let places = (kept..self.free.len() as u64).rev();
            self.records.extend(places.map(|place| Record { generation: 0, low: place }));
            self.records.push(alive);
            self.follow();
        }
        self.begun = self.begun.wrapping_add(1);
        Ok(())
    }

    /// Extends `high` to as many entries as there are records, if it has any.
    #[inline(always)]
    fn follow(&mut self) {
        if !self.high.is_empty() {
            self.extend_high();
        }
    }

    #[cold]
    #[inline(never)]
    fn extend_high(&mut self) {
        self.high.resize(self.records.len(), High::default());
    }

    /// Makes `count` entities, or as many as there are indices for, and appends them to `made`; returns the number of
    /// new indices. Recycled indices come first, in index order, then neighbouring new indices.
    pub(crate) fn spawn_many(
        &mut self,
        count: usize,
        components: ComponentSet,
        made: &mut Vec<Entity>,
    ) -> usize {
        let [low, high @ ..] = components.words();
        let has_high = high != [0; ComponentSet::WORDS - 1];
        self.flush();
        if count > self.free.len() {
            self.free_dropped();
        }
        let recycled = count.min(self.free.len());
        let before = made.len();
        made.extend(self.free.drain(self.free.len() - recycled..));
        let again = &mut made[before..];
        // Pools are the fastest to fill and to iterate in index order.
        sort_by_index(again);
        for entity in again {
            self.records[entity.index() as usize] =
                Record { generation: entity.generation().get(), low };
        }
        let first = self.records.len();
        let left = to_usize(u64::from(MAX_INDEX) + 1 - first as u64);
        let new = (count - recycled).min(left);
        self.records.resize(first + new, Record { generation: FIRST.get(), low });
        self.follow();
        #[expect(clippy::cast_possible_truncation, reason = "none is above MAX_INDEX")]
        made.extend((first..first + new).map(|index| Entity::new(index as u32, FIRST)));
        self.begun = self.begun.wrapping_add(recycled + new);
        if has_high {
            for entity in &made[before..] {
                self.add_high(entity.index() as usize, components);
            }
        }
        new
    }

    /// Notes that these entities, which must be alive, have these components, if they are neighbours on one page.
    /// Returns `false` if they are not.
    #[inline]
    pub(crate) fn add_to_run(&mut self, entities: &[Entity], components: ComponentSet) -> bool {
        if run_of(entities).len() < entities.len() {
            return false;
        }
        let Some(entity) = entities.first() else { return true };
        let (first, generation) = (entity.index() as usize, entity.generation().get());
        let [low, high @ ..] = components.words();
        let Some(records) = self.records.get_mut(first..first + entities.len()) else {
            return false;
        };
        let differ = |differ, record: &Record| differ | (record.generation ^ generation);
        let are_alive = records.iter().fold(0, differ) == 0;
        if are_alive {
            for record in records {
                record.low |= low;
            }
            if high != [0; ComponentSet::WORDS - 1] {
                (0..entities.len()).for_each(|at| self.add_high(first + at, components));
            }
        }
        are_alive
    }

    /// Prefetches the record of `entity`.
    #[inline(always)]
    pub(crate) fn prefetch(&self, entity: Entity) {
        prefetch(self.records.as_ptr().wrapping_add(entity.index() as usize));
    }

    /// Makes room for `additional` entities.
    pub(crate) fn make_room(&mut self, additional: usize) {
        self.records.reserve(additional.saturating_sub(self.free.len()));
    }

    /// Makes room for the end of `count` entities; returns the number of free handles.
    pub(crate) fn make_room_to_free(&mut self, count: usize) -> usize {
        self.flush();
        self.free.reserve(count.min(self.alive()));
        self.free.len()
    }

    /// Reverses the handles from `before` on, which were freed last, so that they are reused in index order; only if
    /// they were freed in that order.
    pub(crate) fn turn_freed(&mut self, before: usize) {
        let freed = self.free.get_mut(before..).unwrap_or_default();
        if freed.len() > 1 && freed.is_sorted_by_key(|entity| entity.index()) {
            freed.reverse(); // the last one is used first
            for (place, entity) in (before..).zip(freed) {
                self.records[entity.index() as usize].low = place as u64;
            }
        }
    }

    /// Removes these components from all records.
    pub(crate) fn remove_from_all(&mut self, components: ComponentSet) {
        for index in 0..self.records.len() {
            if let Some(entity) = u32::try_from(index).ok().and_then(|index| self.at(index)) {
                self.remove_all(entity, components);
            }
        }
    }

    /// Ends `entity`, which must be alive. Its index is used again unless its generations are used up. No entity may be
    /// reserved meanwhile.
    #[inline]
    pub(crate) fn free(&mut self, entity: Entity) {
        debug_assert!(!self.has_reserved(), "reserved entities are counted from the end of `free`");
        debug_assert!(self.is_alive(entity), "only the living end");
        let index = entity.index() as usize;
        let is_used_up = Key::generation(entity) >= MAX_GENERATION;
        let low = if is_used_up { NOWHERE } else { self.free.len() as u64 };
        self.records[index] = Record { generation: 0, low };
        if let Some(high) = self.high.get_mut(index) {
            *high = High::default();
        }
        self.ended = self.ended.wrapping_add(1);
        if is_used_up {
            self.retired += 1;
        } else {
            self.free.push(entity.next());
        }
    }

    /// Removes the handle at this place from `free`.
    fn take_free(&mut self, place: usize) {
        self.free.swap_remove(place);
        if let Some(moved) = self.free.get(place) {
            self.records[moved.index() as usize].low = place as u64;
        }
    }

    /// Ends every entity. Their indices are given out next, in index order, which is the fastest for pools; then the
    /// indices that were free before.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.flush();
        if let Some(holds) = self.holds.take() {
            holds.sorted().into_iter().rev().for_each(|entity| self.release(entity, false));
        }
        self.free.reserve(self.alive());
        for index in (0..self.records.len()).rev() {
            if let Some(entity) = u32::try_from(index).ok().and_then(|index| self.at(index)) {
                self.free(entity);
            }
        }
    }

    /// Restricts reserving to `EntityAllocator` parameters, or allows it everywhere.
    #[inline]
    pub(crate) const fn set_in_turns(&mut self, in_turns: bool) {
        self.in_turns = in_turns;
    }

    /// Reserves an entity through a shared borrow, from any thread. It gets a record, without components, at the next
    /// [`flush`](Self::flush), but counts as living already.
    ///
    /// # Panics
    /// Panics if all indices are in use, or entities are reserved in turns only.
    #[inline]
    #[track_caller]
    pub(crate) fn reserve(&self) -> Entity {
        assert!(
            !self.in_turns,
            "a system of a schedule reserves entities by a parameter of type `EntityAllocator` or `SpawnCommands`, so \
             that systems that reserve take turns: to spawn, take `mut commands: SpawnCommands`"
        );
        self.reserve_in_turn()
    }

    /// Reserves an entity, like [`reserve`](Self::reserve), for the only caller that may reserve now.
    ///
    /// # Panics
    /// Panics if all indices are in use.
    pub(crate) fn reserve_in_turn(&self) -> Entity {
        // Relaxed: threads share nothing but the number; `free` and `records` do not change while `&self` is shared.
        let new = u64::from(MAX_INDEX) + 1 - self.records.len() as u64;
        let most = self.free.len() as u64 + new;
        let taken = self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |taken| {
            (taken < most).then(|| taken + 1)
        });
        let Ok(taken) = taken.map(to_usize) else { out_of_indices() };
        if let Some(at) = self.free.len().checked_sub(taken + 1) {
            return self.free[at];
        }
        let index = self.records.len() + (taken - self.free.len());
        Entity::new(next_index::<MAX_INDEX>(index), FIRST)
    }

    /// Returns the reserved entities: handles of recycled indices, and the number of new indices.
    fn reserved(&self) -> (&[Entity], u32) {
        let taken = to_usize(self.taken.load(Ordering::Relaxed));
        let recycled = taken.min(self.free.len());
        // There are at most as many as there are indices.
        let new = u32::try_from(taken - recycled).unwrap_or(u32::MAX);
        (&self.free[self.free.len() - recycled..], new)
    }

    #[inline]
    fn has_reserved(&self) -> bool {
        self.taken.load(Ordering::Relaxed) != 0
    }

    #[inline]
    fn is_reserved(&self, entity: Entity) -> bool {
        self.has_reserved() && {
            let (free, new) = self.reserved();
            let index = entity.index() as usize;
            match self.records.get(index) {
                Some(Record { generation: 0, low: place }) => {
                    let first = (self.free.len() - free.len()) as u64;
                    let at = place.checked_sub(first).map(to_usize); // E5
                    at.and_then(|at| free.get(at)) == Some(&entity)
                }
                Some(_) => false,
                None => entity.generation() == FIRST && index - self.records.len() < new as usize,
            }
        }
    }

    /// Makes reserved entities alive.
    #[inline]
    pub(crate) fn flush(&mut self) {
        if self.has_reserved() {
            self.flush_reserved();
        }
    }

    #[cold]
    fn flush_reserved(&mut self) {
        let (free, new) = self.reserved();
        let (kept, new) = (self.free.len() - free.len(), new as usize);
        self.records.reserve(new);
        self.begun = self.begun.wrapping_add(self.free.len() - kept + new);
        for entity in self.free.drain(kept..) {
            self.records[entity.index() as usize] =
                Record { generation: entity.generation().get(), low: 0 };
        }
        let record = Record { generation: FIRST.get(), low: 0 };
        self.records.resize(self.records.len() + new, record);
        self.follow();
        self.taken = AtomicU64::new(0);
    }

    /// Returns the bytes on the heap.
    #[inline]
    pub(crate) fn memory(&self) -> usize {
        self.records.capacity() * size_of::<Record>()
            + self.high.capacity() * size_of::<High>()
            + self.free.capacity() * size_of::<Entity>()
            + self.holds.as_ref().map_or(0, |holds| holds.memory())
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.records.shrink_to_fit();
        self.high.shrink_to_fit();
        self.free.shrink_to_fit();
    }

    /// Checks E1 to E3, E5 and E6.
    #[inline]
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        let alive = self.iter().count();
        if alive != self.alive() {
            return Err("E1: the number of living entities is wrong");
        }
        if alive + self.free.len() + self.retired != self.records.len() {
            return Err("E2: an index is neither alive nor free nor retired");
        }
        let mut seen = alloc::vec![false; self.records.len()];
        for (place, entity) in self.free.iter().enumerate() {
            let index = entity.index() as usize;
            if self.records[index].generation != 0 || core::mem::replace(&mut seen[index], true) {
                return Err("E2: a free handle is alive or listed twice");
            }
            if self.records[index].low != place as u64 {
                return Err("E5: a free handle is not in its place");
            }
        }
        if !self.high.is_empty() && self.high.len() != self.records.len() {
            return Err("E6: there are more or fewer high bits than records");
        }
        let mut dead = self.high.iter().zip(&self.records).filter(|(_, it)| it.generation == 0);
        if dead.any(|(high, _)| *high != High::default()) {
            return Err("E6: an index without an entity has components");
        }
        Ok(())
    }
}

#[inline]
fn next_index<const MAX_INDEX: u32>(index: usize) -> u32 {
    match u32::try_from(index) {
        Ok(index) if index <= MAX_INDEX => index,
        _ => out_of_indices(),
    }
}

/// Converts a number that is at most the number of indices, so it fits.
#[inline]
fn to_usize(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

#[cold]
pub(crate) fn out_of_indices() -> ! {
    panic!("no entity index is left: despawn entities before spawning more")
}

/// The iterator of [`World::entities`](crate::World::entities).
///
/// It has no destructor, so the world may be edited where the iterator is a temporary:
///
/// ```
/// # use ecs::World;
/// let mut world = World::new();
/// world.spawn_batch([(), ()]);
/// if let Some(first) = world.entities().next() {
///     world.despawn(first)?;
/// }
/// assert_eq!(world.len(), 1);
/// # Ok::<(), ecs::DespawnError>(())
/// ```
#[derive(Clone)]
pub struct EntityIter<'w> {
    /// The index of the next record.
    index: u32,
    records: slice::Iter<'w, Record>,
    /// Reserved entities whose index was free, and the indices of the others.
    free: Rev<slice::Iter<'w, Entity>>,
    new: Take<RangeInclusive<u32>>,
}

impl Iterator for EntityIter<'_> {
    type Item = Entity;

    #[inline]
    fn next(&mut self) -> Option<Entity> {
        for record in self.records.by_ref() {
            let index = self.index;
            self.index = index.wrapping_add(1); // the last index may be the last number
            if let Some(generation) = NonZeroU32::new(record.generation) {
                return Some(Entity::new(index, generation));
            }
        }
        let reserved = self.free.next().copied();
        reserved.or_else(|| Some(Entity::new(self.new.next()?, FIRST)))
    }
}

impl FusedIterator for EntityIter<'_> {}

impl fmt::Debug for EntityIter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// An allocator with eight indices and seven generations for each.
    type Small = Entities<7, 7>;

    #[test]
    fn used_up_indices_are_retired_and_no_handle_comes_again() {
        let mut entities = Small::new();
        let mut seen = BTreeSet::new();
        for _ in 0..8 * 7 {
            let entity = entities.spawn();
            assert!(seen.insert(entity), "{entity} was given out twice");
            entities.free(entity);
            assert!(!entities.contains(entity), "dead, even at the last generation");
            entities.check().unwrap();
        }
        assert_eq!((seen.len(), entities.retired(), entities.len()), (56, 8, 0));
        let spawn = std::panic::AssertUnwindSafe(|| entities.spawn());
        assert!(std::panic::catch_unwind(spawn).is_err());
        entities.check().unwrap();
    }

    #[test]
    #[should_panic(expected = "no entity index is left: despawn entities before spawning more")]
    fn spawning_beyond_the_last_index() {
        let mut entities = Small::new();
        for _ in 0..9 {
            entities.spawn();
        }
    }

    #[test]
    fn reserving_beyond_the_last_index_changes_nothing() {
        let mut entities = Small::new();
        let freed = entities.spawn();
        entities.free(freed);
        let reserved: BTreeSet<_> = (0..8).map(|_| entities.reserve()).collect();
        assert_eq!((reserved.len(), entities.len()), (8, 8));
        let reserve =
            || std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| entities.reserve()));
        assert!(reserve().is_err() && reserve().is_err());
        assert!(reserved.iter().all(|entity| entities.contains(*entity)));
        assert!(!entities.contains(freed));
        entities.flush();
        entities.check().unwrap();
        assert_eq!(entities.iter().collect::<BTreeSet<_>>(), reserved);
    }

    #[test]
    fn batches_and_spawns_after_a_clear_are_in_index_order() {
        let mut entities = Entities::<99>::new();
        let indices =
            |made: &[Entity]| made.iter().map(|entity| entity.index()).collect::<Vec<_>>();
        let batch = |entities: &mut Entities<99>, count| {
            let mut made = Vec::new();
            let new = entities.spawn_many(count, ComponentSet::EMPTY, &mut made);
            (made, new)
        };
        let (all, new) = batch(&mut entities, 10);
        assert_eq!((all.len(), new), (10, 10));
        all[2..8].iter().for_each(|entity| entities.free(*entity));
        let (again, new) = batch(&mut entities, 5);
        assert_eq!((indices(&again), new), ([3, 4, 5, 6, 7].into(), 0));
        again.iter().rev().for_each(|entity| entities.free(*entity));
        let (again, new) = batch(&mut entities, 8);
        assert_eq!((indices(&again), new), ([2, 3, 4, 5, 6, 7, 10, 11].into(), 2));
        entities.clear();
        let one_by_one: Vec<_> = (0..4).map(|_| entities.spawn()).collect();
        assert_eq!(indices(&one_by_one), [0, 1, 2, 3]);
        entities.check().unwrap();
    }

    #[test]
    fn no_bits_are_alive_by_themselves() {
        let mut entities = Small::new();
        let alive: Vec<_> = (0..4).map(|_| entities.spawn()).collect();
        entities.free(alive[1]);
        let all = (0..16).flat_map(|index| (0..16_u64).map(move |upper| upper << 32 | index));
        let found: Vec<_> =
            all.filter_map(Entity::from_bits).filter(|entity| entities.contains(*entity)).collect();
        assert_eq!(found, [alive[0], alive[2], alive[3]]);
    }

    #[test]
    fn components_with_high_numbers_are_copied_and_end_with_their_entity() {
        let mut entities = Small::new();
        let entity = entities.spawn();
        entities.add(entity, 70);
        assert!(entities.clone().components(entity).contains(70));
        entities.free(entity);
        entities.check().unwrap();
    }

    #[test]
    fn components_are_noted_for_one_entity_and_for_runs() {
        let [low, high] = [63, 64].map(ComponentSet::of);
        let mut entities = Entities::<99>::new();
        let mut made = Vec::new();
        entities.spawn_many(40, ComponentSet::EMPTY, &mut made);
        entities.add_all(made[0], low);
        assert!(entities.add_to_run(&made[20..30], low));
        entities.add(made[3], 63);
        assert!(entities.high.is_empty(), "no component has a number from 64 on");
        entities.add(made[4], 64);
        entities.add_all(made[5], low.union(high));
        assert!(entities.add_to_run(&made[6..16], low.union(high)));
        assert!(!entities.add_to_run(&[made[16], made[18]], low));
        let noted = |number| {
            let has = |entity: &&Entity| entities.components(**entity).contains(number);
            made.iter().filter(has).map(|entity| entity.index()).collect::<Vec<_>>()
        };
        assert_eq!(noted(63), [0, 3].into_iter().chain(5..16).chain(20..30).collect::<Vec<_>>());
        assert_eq!(noted(64), (4..16).collect::<Vec<_>>());
        entities.check().unwrap();
    }

    #[test]
    fn an_entity_is_made_with_the_greatest_index_and_generation() {
        let of = |index, generation| Entity::new(index, NonZeroU32::new(generation).unwrap());
        let mut entities = Small::new();
        for beyond in [of(8, 1), of(0, 8)] {
            assert_eq!(entities.spawn_at(beyond), Err(SpawnAtError::NoIndex(beyond)));
        }
        assert_eq!(entities.spawn_at(of(7, 7)), Ok(()));
        entities.check().unwrap();
    }

    #[test]
    fn the_last_entity_of_an_index_is_held() {
        let mut entities = Small::new();
        let first = entities.spawn();
        entities.free(first);
        let second = entities.spawn();
        entities.hold(second);
        assert!(!entities.is_held(second), "it is alive");
        entities.free(second);
        entities.hold(first);
        assert!(!entities.is_held(first), "its index was used again");
        entities.hold(second);
        assert!(entities.is_held(second));
        entities.check().unwrap();
    }

    #[test]
    fn a_free_index_is_not_held() {
        let mut entities = Small::new();
        let all = [(); 3].map(|()| entities.spawn());
        all.iter().for_each(|entity| entities.free(*entity));
        assert!(all.iter().all(|entity| !entities.is_held(*entity)));
    }

    #[test]
    fn a_used_up_index_is_held_for_its_last_entity_only() {
        let mut entities = Small::new();
        let all = [(); 7].map(|()| {
            let entity = entities.spawn();
            entities.free(entity);
            entity
        });
        for (at, entity) in all.iter().enumerate() {
            entities.hold(*entity);
            assert_eq!(entities.is_held(*entity), at == 6);
        }
        entities.check().unwrap();
    }

    #[test]
    fn the_memory_of_a_shrunk_allocator_is_that_of_its_lists() {
        let mut entities = Entities::<99>::new();
        entities.spawn_many(10, ComponentSet::EMPTY, &mut Vec::new());
        let [one, two] = [0, 1].map(|index| entities.at(index).unwrap());
        entities.add(one, 70);
        entities.free(one);
        entities.free(two);
        entities.shrink_to_fit();
        assert_eq!(entities.memory(), 10 * (16 + 24) + 2 * 8);
    }

    #[test]
    fn the_check_finds_each_mistake() {
        let broken = |change: fn(&mut Small)| {
            let mut entities = Small::new();
            let freed = entities.spawn();
            let alive = entities.spawn();
            entities.add(alive, 70);
            entities.free(freed);
            entities.check().unwrap();
            change(&mut entities);
            entities.check().unwrap_err()
        };
        assert!(broken(|entities| entities.begun = 5).starts_with("E1"));
        assert!(broken(|entities| entities.retired = 1).starts_with("E2"));
        assert!(broken(|entities| entities.free[0] = Entity::new(1, FIRST)).starts_with("E2"));
        assert!(broken(|entities| entities.records[0].low = 1).starts_with("E5"));
        assert!(broken(|entities| entities.high[0][0] = 1).starts_with("E6"));
        assert!(broken(|entities| entities.high.truncate(1)).starts_with("E6"));
    }
}
