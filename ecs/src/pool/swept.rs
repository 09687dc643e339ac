//! The pools out of which a batch of despawned entities is swept.

use crate::component::set::ComponentSet;
use alloc::vec::Vec;

/// The pools out of which despawned entities are [swept](crate::storage::bulk::is_swept).
#[derive(Default)]
pub(crate) struct Swept {
    components: ComponentSet,
    /// The numbers that share a bit.
    shared: Vec<u32>,
}

impl Swept {
    pub(crate) const NONE: &'static Self =
        &Self { components: ComponentSet::EMPTY, shared: Vec::new() };

    pub(super) fn insert(&mut self, number: u32) {
        self.components.insert(number);
        if ComponentSet::is_shared(number) {
            self.shared.push(number);
        }
    }

    pub(super) fn contains(&self, number: u32) -> bool {
        self.components.contains(number)
            && (!ComponentSet::is_shared(number) || self.shared.contains(&number))
    }
}
