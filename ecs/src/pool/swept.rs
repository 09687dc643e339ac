//! The pools that a batch of despawned entities is swept out of.

use crate::component::set::ComponentSet;
use alloc::vec::Vec;

/// The pools that a despawn under way takes entities out of.
pub(super) struct Swept {
    begun: ComponentSet,
    /// The pools that are [swept](crate::storage::untyped::is_swept): a bit each, and the numbers that share a bit.
    components: ComponentSet,
    shared: Vec<u32>,
}

impl Swept {
    pub(super) const NONE: Self =
        Self { begun: ComponentSet::EMPTY, components: ComponentSet::EMPTY, shared: Vec::new() };

    /// Adds these components, and returns the new ones.
    pub(super) fn begin(&mut self, components: &ComponentSet) -> ComponentSet {
        let new = components.difference(self.begun);
        self.begun = self.begun.union(new);
        new
    }

    /// Returns all components that were added.
    pub(super) const fn begun(&self) -> &ComponentSet {
        &self.begun
    }

    /// Notes that the pool with this number is swept.
    pub(super) fn insert(&mut self, number: u32) {
        self.components.insert(number);
        if ComponentSet::is_shared(number) {
            self.shared.push(number);
        }
    }

    /// Returns `true` if the pool with this number is swept.
    pub(super) fn contains(&self, number: u32) -> bool {
        self.components.contains(number)
            && (!ComponentSet::is_shared(number) || self.shared.contains(&number))
    }
}

impl Default for Swept {
    fn default() -> Self {
        Self::NONE
    }
}
