//! Applies values that were sent apart from change sets.

use crate::entity::Entity;
use crate::format::header::Content;
use crate::format::reader::{ReadError, wrong};
use crate::saved::apply_changes::{ChangeSetReading, OTHER_WORLD, refuse_same_here};
use crate::saved::follower::{FollowedPart, Follower, Received, ReceivedPart};
use crate::saved::loaded::{Limits, LoadError};
use crate::saved::newest::NewestValues;
use crate::saved::{GENERATIONS, IN_SETS};
use crate::storage::sparse_set::SparseSet;
use crate::world::World;
use alloc::vec::Vec;

/// # Values apart from sets: receiving
impl World {
    /// Applies a [`ValueSet`](crate::save::ValueSet), in any order with others and with change sets. A value that is older
    /// than the one in this world is passed over, and so is a value of an entity that was despawned here, which is
    /// then [skipped](Follower::skipped). Hooks and observers are called when all values are in place.
    ///
    /// Returns [`Received::Missing`], and changes nothing, if change sets did not bring the entities or components yet. Neither
    /// keep nor acknowledge such a set: its values are sent again. Returns [`Received::Late`] if a full set came since.
    /// O(size of the set).
    ///
    /// # Errors
    /// Returns an error if the bytes are not valid, or take more than the limits allow, or the follower belongs to another
    /// world. Then nothing is changed.
    ///
    /// # Panics
    /// Panics if it is called by a hook or an observer.
    ///
    /// See [`ChangeSets::values_apart`](crate::save::ChangeSets::values_apart) for an example.
    #[inline]
    pub fn apply_values(
        &mut self,
        values: &[u8],
        follower: &mut Follower,
        limits: &Limits,
    ) -> Result<Received, LoadError> {
        self.refuse_while_notifying("changed by values");
        self.entities.flush();
        let mut reading = ChangeSetReading::new(self, follower, values, limits);
        let read = match reading.read_values() {
            Ok(Ok(read)) => read,
            Ok(Err(received)) => return Ok(received),
            Err(error) => return Err(reading.parts.fail(error)),
        };
        for (component, entities) in read.newer {
            let at = follower.newest.iter().position(|(it, _)| *it == component);
            let at = at.unwrap_or_else(|| {
                follower.newest.push((component, SparseSet::default()));
                follower.newest.len() - 1
            });
            let numbers = &mut follower.newest[at].1;
            entities.into_iter().for_each(|there| _ = numbers.insert(there, read.number));
        }
        for there in read.skipped {
            if !follower.skipped.contains(there) {
                follower.skipped.insert(there, follower.number);
            }
        }
        self.give_changed(read.parts, &follower.known, false)?;
        Ok(Received::Applied)
    }
}

/// The content of a set of values.
struct ReadValues {
    number: u64,
    parts: Vec<ReceivedPart>,
    /// The entities with a new value, by component.
    newer: Vec<(u32, Vec<Entity>)>,
    skipped: Vec<Entity>,
}

impl ChangeSetReading<'_, '_> {
    /// Reads values, and checks all of them. Returns the reason if they are not to be applied.
    #[inline]
    fn read_values(&mut self) -> Result<Result<ReadValues, Received>, ReadError> {
        self.parts.begin(Content::Values)?;
        let follower = self.follower;
        let reader = &mut self.parts.reader;
        let (number, base, after) = (reader.number()?, reader.number()?, reader.number()?);
        if !follower.is_of(&self.world.entities) {
            return Err(ReadError::new(OTHER_WORLD));
        }
        if base > follower.number || follower.needs_full || follower.number == 0 {
            return Ok(Err(Received::Missing));
        } else if after < follower.full_number {
            return Ok(Err(Received::Late));
        }
        let mut read =
            ReadValues { number, parts: Vec::new(), newer: Vec::new(), skipped: Vec::new() };
        for _ in 0..self.parts.reader.count()? {
            self.value_part(after, &mut read)?;
            self.parts.component = None;
        }
        self.parts.end()?;
        Ok(Ok(read))
    }

    #[inline]
    fn value_part(&mut self, after: u64, read: &mut ReadValues) -> Result<(), ReadError> {
        let FollowedPart { name, schema, .. } = self.head(false)?;
        if !self.read.names.is_empty() {
            return wrong("a set of values cannot name a component first");
        }
        let number = self.world.known_component(&name, schema)?;
        if read.newer.iter().any(|(component, _)| *component == number) {
            return wrong("it is there twice");
        }
        let pool = self.world.pools.at(number);
        let (count, flags) = self.parts.count_and_flags(IN_SETS)?;
        if flags != GENERATIONS || !NewestValues::takes(pool.kind()) {
            return wrong("its values are sent by change sets only");
        }
        self.parts.reader.pay(1, size_of::<ReceivedPart>())?;
        let changed = self.parts.counted_handles(count)?;
        self.refuse_same_index(&changed)?;
        let follower = self.follower;
        let seen = follower.newest.iter().find(|(component, _)| *component == number);
        let is_newer = |there: Entity| {
            follower.touched.get(there).is_none_or(|last| after >= *last)
                && seen.and_then(|(_, seen)| seen.get(there)).is_none_or(|last| read.number > *last)
        };
        let (mut here, mut newer) = (Vec::with_capacity(count), Vec::new());
        for there in &changed {
            let known = follower.known.get(*there).filter(|_| is_newer(*there));
            let alive = known.filter(|here| self.world.entities.is_alive(**here));
            newer.extend(alive.map(|_| *there));
            if known.is_some() && alive.is_none() {
                read.skipped.push(*there);
            }
            here.push(alive.copied().unwrap_or(Entity::PLACEHOLDER));
        }
        refuse_same_here(&here)?;
        // A record of the value, and a place in the sets of records.
        self.parts.reader.pay(newer.len(), 4 * size_of::<(Entity, u64)>())?;
        let (mut pieces, _) = self.values(pool, schema.version, &changed, &here)?;
        pieces.retain(|piece| here[piece.of.start] != Entity::PLACEHOLDER);
        let (lost, places, kind) = (Vec::new(), Vec::new(), pool.kind());
        read.newer.push((number, newer));
        read.parts.push(ReceivedPart { kind, name, lost, changed, pieces, places });
        Ok(())
    }
}
