//! Values of components that are declared to be tracked, as they were when changes were read last.

use crate::entity::Entity;
use crate::format::checked::WriteValues;
use crate::storage::keys::Keys;
use alloc::vec::Vec;

/// The values of a pool as they are saved. Comparing them finds the changes of a component whose derive marks none.
#[derive(Debug)]
pub(crate) struct SeenValues {
    keys: Keys<Entity>,
    /// The positions where the bytes of each value begin, and where the last one ends.
    starts: Vec<usize>,
    bytes: Vec<u8>,
}

impl SeenValues {
    pub(crate) const fn new() -> Self {
        Self { keys: Keys::new(), starts: Vec::new(), bytes: Vec::new() }
    }

    /// Replaces the values by the ones that `write` writes, of a pool with these members. Calls `changed` with each entity
    /// whose value was another one or was not seen. If a value cannot be written, calls it with all entities, now and
    /// the next time. O(values).
    pub(crate) fn update(
        &mut self,
        keys: &Keys<Entity>,
        write: WriteValues<'_>,
        mut changed: impl FnMut(Entity),
    ) {
        let mut starts = Vec::with_capacity(keys.len() + 1);
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut next = |end| {
            starts.push(end);
            Some(starts.len() - 1).filter(|at| *at < keys.len())
        };
        if write(&mut next, &mut bytes).is_err() {
            *self = Self::new();
            return keys.dense().iter().copied().for_each(changed);
        }
        for (at, &entity) in keys.dense().iter().enumerate() {
            let old =
                self.keys.find(entity).map(|at| &self.bytes[self.starts[at]..self.starts[at + 1]]);
            if old != Some(&bytes[starts[at]..starts[at + 1]]) {
                changed(entity);
            }
        }
        if self.keys.dense() != keys.dense() {
            self.keys.clone_from(keys);
        }
        (self.starts, self.bytes) = (starts, bytes);
    }

    /// Returns the bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        let (sparse, dense) = self.keys.memory();
        sparse + dense + self.starts.capacity() * size_of::<usize>() + self.bytes.capacity()
    }
}
