//! Pools whose values may be copied. This code is compiled once: it reaches values by the functions of [`Copying`].

use crate::component::data::{Copying, Loose};
use crate::entity::Entity;
use crate::pool::WorldPool;
use alloc::boxed::Box;
use alloc::vec::Vec;

impl dyn WorldPool + '_ {
    /// Returns the functions that copy its values, if these may be copied.
    #[inline]
    pub(crate) fn copying(&self) -> Option<Copying> {
        self.kind().operations().copied
    }

    /// Makes this pool a copy of a pool of its type, with values that may be copied. If that panics, this pool is empty.
    pub(crate) fn copy_from(&mut self, from: &dyn WorldPool) {
        let copying = self.copying().expect("values of the pool may be copied");
        self.take_history(from.as_any());
        let copy = |copies: &mut Loose, from: &Loose| {
            (copying.all)(copies, from);
            if let Some(keep_targets) = copying.keep_targets {
                keep_targets(copies, from, &|at| at);
            }
        };
        self.set_mut().copy_by(&copy, (from.raw_keys(), from.values()));
    }

    /// Returns copies of the values of these members, all of them `times` times one after the other; `None` if they may not
    /// be copied.
    pub(crate) fn copies_of(&self, members: &[Entity], times: usize) -> Option<Box<Loose>> {
        let (copying, values) = (self.copying()?, self.values().as_loose());
        let positions = members.iter().filter_map(|entity| self.raw_keys().find(*entity));
        let positions: Vec<usize> = positions.collect();
        let mut copies = (copying.some)(values, &positions, times);
        if let Some(keep_targets) = copying.keep_targets {
            keep_targets(&mut *copies, values, &|at| positions[at % positions.len()]);
        }
        Some(copies)
    }
}
