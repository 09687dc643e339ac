//! The matches of a join as runs of greatest length.

use crate::entity::Entity;
use crate::query::block::{Block, Lanes};
use crate::query::inputs::Inputs;
use crate::storage::values::{Lane, Presence};
use alloc::vec::Vec;

/// Matches with neighbouring values in all pools.
#[derive(Clone, Debug, Default)]
struct MatchRun {
    lanes: Vec<Lane>,
    presences: Vec<Presence>,
    len: usize,
}

impl MatchRun {
    /// Replaces the run by a block.
    fn set(&mut self, block: &Block<'_>, len: usize) {
        self.lanes.clone_from(&block.lanes);
        self.presences.clone_from(&block.presences);
        self.len = len;
    }

    /// Returns `true` if a block continues the run, in the pools that are read.
    fn goes_on(&self, block: &Block<'_>, inputs: &Inputs<'_>) -> bool {
        let mut presences = self.presences.iter().zip(&block.presences);
        self.len > 0
            && presences.all(|(before, after)| before.is_some() == after.is_some())
            && inputs.read_ones().all(|input| {
                let [before, after] =
                    [&self.lanes, &block.lanes].map(|lanes| lanes[input.lane as usize].first);
                let is_there = match input.part {
                    0 => true,
                    part => self.presences[part as usize - 1].is_some(),
                };
                !is_there || before + self.len == after
            })
    }
}

/// Merges runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunks {
    /// The run that is returned next, as far as it was found.
    pending: MatchRun,
    /// The run that was returned last.
    given: MatchRun,
}

impl Chunks {
    /// Removes both runs.
    #[inline]
    pub(super) fn clear(&mut self) {
        (self.pending.len, self.given.len) = (0, 0);
    }

    /// Adds a block, which is a run of `len` matches, or 0 at the end. Returns the length of the run that is complete
    /// then, or 0.
    pub(super) fn take(&mut self, len: usize, inputs: &Inputs<'_>, block: &Block<'_>) -> usize {
        if len > 0 && self.pending.goes_on(block, inputs) {
            self.pending.len += len;
            return 0;
        }
        core::mem::swap(&mut self.given, &mut self.pending);
        self.pending.set(block, len);
        self.given.len
    }

    /// Returns the positions of the values of the last returned run.
    pub(super) fn lanes<'a>(&'a self, handle_lane: u32, handles: &'a [Entity]) -> Lanes<'a> {
        let MatchRun { lanes, presences, .. } = &self.given;
        Lanes::new(lanes, presences, handles, lanes[handle_lane as usize])
    }
}
