//! Values that are sent apart from change sets: the newest ones, until the other world acknowledges them.
//!
//! ```text
//! header    see `format/header`
//! number    of the set of values: each has a larger one than all before
//! base      the number of the change set that has to be applied before
//! after     the number of the last change set that was written before
//! parts     of components: see `saved`
//! ```
//!
//! A value is *pending* from its change until a set of values with it is acknowledged, and is written again until then.
//! An entity is *unsettled* while a change set about it is not acknowledged. Its values need that set, and other values
//! do not wait for it.

use crate::entity::Entity;
use crate::format::header::Content;
use crate::format::writer::write_number;
use crate::pool::kind::Kind;
use crate::pool::pools::Pools;
use crate::saved::GENERATIONS;
use crate::saved::change_set::{ChangeSet, ChangeSets, SentComponent};
use crate::saved::error::SaveError;
use crate::saved::write::{write_generations, write_members};
use crate::storage::sparse_set::SparseSet;
use crate::world::World;
use alloc::vec::Vec;
use core::ops::Range;

/// The most bytes of a set of values before its parts, and of a part before its members.
const HEAD: usize = 5 + 4 * 10;
const PART_HEAD: usize = 2 * 5 + 1;
/// The mark of a value that is longer than a set of values may be, and is written to change sets.
const LONG: u64 = u64::MAX;

/// Newest values of components as bytes, from [`ChangeSets::drain_values`], for [`World::apply_values`]. Each set can be
/// applied alone, and in any order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueSet {
    number: u64,
    bytes: Vec<u8>,
}

impl ValueSet {
    /// Returns the number of the set, by which it is [acknowledged](ChangeSets::acknowledge_values). Later sets have
    /// larger numbers.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Returns the bytes, to be sent.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The values of a reader that are sent apart.
#[derive(Debug, Default)]
pub(super) struct NewestValues {
    /// For each component, the entities whose newest value was not acknowledged. Each has the number of the last set
    /// with the value; 0 if there is none, or [`LONG`].
    pending: Vec<(u32, SparseSet<u64, Entity>)>,
    /// Values for the next change set, as they are too long.
    long: Vec<(u32, Entity)>,
    /// The number of the last change set about each unsettled entity.
    unsettled: SparseSet<u64, Entity>,
    /// The number of the last full set, until it is acknowledged.
    full: u64,
    /// The number of the last set of values.
    number: u64,
    /// The place among the due values with which the next call begins.
    next: usize,
}

/// A value that is due: its component's place in the list, its entity, and its bytes.
struct Due {
    is_unsettled: bool,
    at: usize,
    entity: Entity,
    bytes: Range<usize>,
}

impl NewestValues {
    /// Returns `true` if the values of a component are sent apart. A relation and handles need the entities that they
    /// name, and unique values each other.
    pub(super) const fn takes(kind: Kind) -> bool {
        !kind.is_relation() && !kind.holds_entities() && !kind.is_unique()
    }

    #[inline]
    pub(super) fn begin_anew(&mut self) {
        let Self { pending, long, unsettled, .. } = self;
        pending.clear();
        long.clear();
        unsettled.clear();
    }

    #[inline]
    fn of(&mut self, component: u32) -> &mut SparseSet<u64, Entity> {
        let at = self.pending.iter().position(|(it, _)| *it == component);
        let at = at.unwrap_or_else(|| {
            self.pending.push((component, SparseSet::default()));
            self.pending.len() - 1
        });
        &mut self.pending[at].1
    }

    /// Returns `true` if a value of this entity was too long before.
    #[inline]
    pub(super) fn is_long(&mut self, component: u32, entity: Entity) -> bool {
        self.of(component).get(entity) == Some(&LONG)
    }

    /// Returns the entities whose values are to be written to the next change set.
    #[inline]
    pub(super) fn take_long(&mut self, component: u32) -> impl Iterator<Item = Entity> {
        self.long.extract_if(.., move |(it, _)| *it == component).map(|(_, entity)| entity)
    }

    /// Notes the content of a change set, and the values that are newer than the set.
    #[inline]
    pub(super) fn note_set(
        &mut self,
        set: &ChangeSet,
        parts: &[SentComponent],
        newer: Vec<(u32, Vec<Entity>)>,
    ) {
        let number = set.number();
        if set.is_full() {
            self.full = number;
        } else {
            for SentComponent { number: component, lost, changed, .. } in parts {
                for entity in changed.iter().chain(lost) {
                    self.unsettled.insert(*entity, number);
                    let pending = self.of(*component);
                    if pending.get(*entity).is_some_and(|sent| *sent != LONG) {
                        pending.remove(*entity);
                    }
                }
            }
        }
        for (component, entities) in newer {
            let pending = self.of(component);
            entities.into_iter().for_each(|entity| _ = pending.insert(entity, 0));
        }
    }

    /// Removes the values of entities that ended, lost the component, or are not visible any more.
    #[inline]
    fn retain(&mut self, pools: &Pools, shown: Option<&SparseSet<(), Entity>>) {
        for (component, pending) in &mut self.pending {
            let pool = pools.at(*component);
            pending.retain(|entity, _| {
                pool.contains(entity) && shown.is_none_or(|shown| shown.contains(entity))
            });
        }
    }

    /// Returns the values that were not sent, and those whose last set has a smaller number than `resend`.
    #[inline]
    fn due(&self, resend: u64) -> Vec<(usize, Entity)> {
        let lists = self.pending.iter().enumerate();
        let due = lists.flat_map(|(at, (_, pending))| {
            let due = pending.iter().filter(move |(_, sent)| **sent < resend.max(1));
            due.map(move |(entity, _)| (at, entity))
        });
        due.collect()
    }

    /// Appends due values, until there are `most` bytes.
    #[inline]
    fn write(
        &mut self,
        due: &[(usize, Entity)],
        most: usize,
        pools: &Pools,
        bytes: &mut Vec<u8>,
    ) -> Result<Vec<Due>, SaveError> {
        let mut written: Vec<Due> = Vec::new();
        let start = if self.next < due.len() { self.next } else { 0 };
        for part in [&due[start..], &due[..start]] {
            for list in part.chunk_by(|a, b| a.0 == b.0) {
                let (at, first) = (list[0].0, written.len());
                let pool = pools.at(self.pending[at].0);
                let mut rest = list.iter().map(|(_, entity)| *entity);
                let mut next = |before: usize| {
                    if let Some(last) = written[first..].last_mut() {
                        last.bytes.end = before;
                    }
                    let entity = if before < most { rest.next()? } else { return None };
                    let is_unsettled = self.unsettled.contains(entity);
                    let bytes = before..before;
                    written.push(Due { is_unsettled, at, entity, bytes });
                    pool.raw_keys().find(entity)
                };
                let result = pool.as_saved().write(&mut next, bytes);
                result.map_err(|(at, error)| match pool.kind().saving() {
                    Some((name, _)) => SaveError::new(&name, pool.keys().get(at).copied(), &error),
                    None => SaveError::new(&"a component", None, &error),
                })?;
            }
        }
        let count = written.len();
        self.next = if count < due.len() { (start + count) % due.len() } else { 0 };
        Ok(written)
    }
}

/// The number of bytes of a number.
const fn length_of(number: u64) -> usize {
    (64 - (number | 1).leading_zeros() as usize).div_ceil(7)
}

/// # Values apart from sets
impl ChangeSets {
    /// Sends values of changed components apart from the sets, by [`drain_values`](Self::drain_values): for a network
    /// that loses packets, where new values need not wait for lost ones. Sets are then about entities and components
    /// that come, go or move, and have their values at that time.
    ///
    /// Relations, components with handles, unique components and resources stay in the sets. A value that is longer than
    /// a set of values may be goes with the next set.
    ///
    /// ```
    /// use ecs::{Component, World};
    /// use ecs::save::{ChangeSets, Follower, Limits, Received};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    /// #[component(track, save = "health")]
    /// struct Health(u32);
    ///
    /// let (mut server, mut client, mut follower) = (World::new(), World::new(), Follower::default());
    /// client.register::<Health>();
    /// let mut sets = ChangeSets::default().values_apart();
    /// let hero = server.spawn(Health(3)).id();
    /// let set = sets.drain(&mut server)?;
    /// assert_eq!(client.apply_change_set(set.as_bytes(), &mut follower, &Limits::default())?, Received::Applied);
    /// sets.acknowledge(set.number());
    ///
    /// let mut newest = Vec::new();
    /// for health in [2, 1] {
    ///     server.get_mut::<Health>(hero).unwrap().0 = health;
    ///     assert!(sets.drain(&mut server)?.is_empty());
    ///     newest.extend(sets.drain_values(&server, 1_000, 60_000, 0)?);
    /// }
    /// // The first one is late.
    /// for values in newest.iter().rev() {
    ///     assert_eq!(client.apply_values(values.as_bytes(), &mut follower, &Limits::default())?, Received::Applied);
    ///     assert_eq!(client.get::<Health>(follower.get(hero).unwrap()), Some(&Health(1)));
    /// }
    /// sets.acknowledge_values(|number| number == newest[1].number());
    /// assert!(!sets.has_pending_values());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn values_apart(mut self) -> Self {
        self.newest = Some(NewestValues::default());
        self
    }

    /// Returns the values that changed before the last [`drain`](Self::drain) and were not returned since, as sets of
    /// at most `longest` bytes. Values in sets with smaller numbers than `resend` are returned again, unless they were
    /// [acknowledged](Self::acknowledge_values). If there are more than `most` bytes of values, the others come first in
    /// the next call. Call it after each `drain`, with the same world. O(values that are not acknowledged).
    ///
    /// # Errors
    /// Returns an error if a value cannot be written.
    ///
    /// See [`values_apart`](Self::values_apart) for an example.
    #[inline]
    pub fn drain_values(
        &mut self,
        world: &World,
        longest: usize,
        most: usize,
        resend: u64,
    ) -> Result<Vec<ValueSet>, SaveError> {
        let mut sets = Vec::new();
        if self.is_full || self.world != world.calls.known_world() {
            return Ok(sets); // the next set has everything
        }
        let Some(mut newest) = self.newest.take() else { return Ok(sets) };
        newest.retain(&world.pools, self.shown.as_ref());
        let (due, mut bytes) = (newest.due(resend), Vec::new());
        let written = newest.write(&due, most, &world.pools, &mut bytes);
        if let Ok(written) = written {
            self.pack(&mut newest, written, &bytes, longest, &mut sets);
            self.newest = Some(newest);
            return Ok(sets);
        }
        self.newest = Some(newest);
        written.map(|_| sets)
    }

    /// Puts values into sets of at most `longest` bytes.
    #[inline]
    fn pack(
        &self,
        newest: &mut NewestValues,
        mut written: Vec<Due>,
        bytes: &[u8],
        longest: usize,
        sets: &mut Vec<ValueSet>,
    ) {
        written.sort_unstable_by_key(|it| (it.is_unsettled, it.at, it.entity.index()));
        let mut rest = &written[..];
        while let Some(first) = rest.first() {
            let (mut length, mut last) = (HEAD, None);
            let fits = |due: &&Due| {
                let next = match last {
                    Some((at, index)) if at == due.at => i64::from(index) + 1,
                    _ => {
                        length += PART_HEAD;
                        0
                    }
                };
                last = Some((due.at, due.entity.index()));
                let step = (i64::from(due.entity.index()) - next).unsigned_abs() << 1 | 1;
                length += length_of(step)
                    + length_of(due.entity.generation().get().into())
                    + due.bytes.len();
                length <= longest && due.is_unsettled == first.is_unsettled
            };
            let count = rest.iter().take_while(fits).count();
            if count == 0 {
                let component = newest.pending[first.at].0;
                newest.pending[first.at].1.insert(first.entity, LONG);
                newest.long.push((component, first.entity));
                rest = &rest[1..];
                continue;
            }
            let (taken, others) = rest.split_at(count);
            sets.push(self.value_set(newest, taken, bytes));
            rest = others;
        }
    }

    #[inline]
    fn value_set(&self, newest: &mut NewestValues, values: &[Due], bytes: &[u8]) -> ValueSet {
        newest.number += 1;
        let unsettled = values.iter().filter_map(|it| newest.unsettled.get(it.entity));
        let base = unsettled.copied().max().unwrap_or(0).max(newest.full);
        let mut set = Vec::new();
        Content::Values.write_header(&mut set);
        let parts = || values.chunk_by(|a, b| a.at == b.at);
        for number in [newest.number, base, self.number, parts().count() as u64] {
            write_number(number, &mut set);
        }
        for part in parts() {
            let (component, pending) = &mut newest.pending[part[0].at];
            let entities: Vec<Entity> = part.iter().map(|it| it.entity).collect();
            entities.iter().for_each(|entity| _ = pending.insert(*entity, newest.number));
            // A change set had a value of the component before, and named it.
            write_number(self.number_of(*component).unwrap_or(usize::MAX) as u64, &mut set);
            write_number(part.len() as u64, &mut set);
            set.push(GENERATIONS);
            write_members(&entities, &mut set);
            write_generations(&entities, &mut set);
            part.iter().for_each(|it| set.extend_from_slice(&bytes[it.bytes.clone()]));
        }
        ValueSet { number: newest.number, bytes: set }
    }

    /// Notes that the change sets up to this number were applied, so that values of their entities need not wait for
    /// them. O(entities of sets that were not acknowledged).
    ///
    /// See [`values_apart`](Self::values_apart) for an example.
    #[inline]
    pub fn acknowledge(&mut self, number: u64) {
        if let Some(newest) = &mut self.newest {
            newest.unsettled.retain(|_, of| *of > number);
            if newest.full <= number {
                newest.full = 0;
            }
        }
    }

    /// Notes that the sets of values arrived for whose numbers `has_arrived` returns `true`. O(values that are not
    /// acknowledged).
    ///
    /// See [`values_apart`](Self::values_apart) for an example.
    pub fn acknowledge_values(&mut self, has_arrived: impl Fn(u64) -> bool) {
        for (_, pending) in self.newest.iter_mut().flat_map(|newest| &mut newest.pending) {
            pending.retain(|_, sent| *sent == 0 || *sent == LONG || !has_arrived(*sent));
        }
    }

    /// Returns `true` if some values were not acknowledged, or not returned yet.
    ///
    /// See [`values_apart`](Self::values_apart) for an example.
    #[must_use]
    #[inline]
    pub fn has_pending_values(&self) -> bool {
        let mut lists = self.newest.iter().flat_map(|newest| &newest.pending);
        lists.any(|(_, pending)| pending.as_slice().iter().any(|sent| *sent != LONG))
            || self.newest.as_ref().is_some_and(|newest| !newest.long.is_empty())
    }
}
