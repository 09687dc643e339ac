//! The matches of a join as runs, each as long as it can be, however they were found.

use crate::entity::Entity;
use crate::query::block::{Block, Found, Kind, Lanes};
use crate::query::inputs::Inputs;
use crate::storage::values::{Lane, Presence};
use alloc::vec::Vec;

/// Matches whose values are neighbours in all pools.
#[derive(Debug)]
struct Run {
    lanes: Vec<Lane>,
    presences: Vec<Presence>,
    len: usize,
}

impl Run {
    const fn new() -> Self {
        Self { lanes: Vec::new(), presences: Vec::new(), len: 0 }
    }

    /// Whether another run goes on where this one ends, in the pools that both read.
    fn goes_on(&self, next: &Self, inputs: &Inputs<'_>) -> bool {
        let is_alike = self
            .presences
            .iter()
            .map(|it| it.is_some())
            .eq(next.presences.iter().map(|it| it.is_some()));
        is_alike
            && inputs.read_ones().all(|input| {
                let is_there = match input.part {
                    0 => true,
                    part => self.presences[part as usize - 1].is_some(),
                };
                let [before, after] = [self, next].map(|run| run.lanes[input.lane as usize]);
                !is_there || before.first + self.len == after.first
            })
    }
}

/// Puts blocks of matches together to runs.
#[derive(Debug)]
pub(super) struct Chunks {
    /// The present block, and how many of its matches were taken.
    found: Found,
    taken: usize,
    /// The run that is given next, as far as it is known.
    pending: Run,
    /// What the block goes on with.
    next: Run,
    /// The run that was given last.
    given: Run,
}

impl Chunks {
    pub(super) const fn new() -> Self {
        Self {
            found: Found::NONE,
            taken: 0,
            pending: Run::new(),
            next: Run::new(),
            given: Run::new(),
        }
    }

    /// Forgets all.
    #[inline]
    pub(super) fn clear(&mut self) {
        (self.found, self.taken, self.pending.len) = (Found::NONE, 0, 0);
    }

    /// Whether the next block is to be found before it goes on.
    pub(super) const fn needs_block(&self) -> bool {
        self.taken == self.found.len
    }

    /// Goes on with a block; or, if there is none any more, with what is left. How long the run is that
    /// is complete then, or 0.
    pub(super) fn enter(&mut self, found: Found) -> usize {
        (self.found, self.taken) = (found, 0);
        if found.len == 0 { self.give() } else { 0 }
    }

    /// Takes the next matches of the block. How long the run is that they end, or 0.
    pub(super) fn take(&mut self, inputs: &Inputs<'_>, block: &Block<'_>) -> usize {
        let Run { lanes, presences, len } = &mut self.next;
        presences.clear();
        if self.found.kind == Kind::Run {
            lanes.clear();
            lanes.extend_from_slice(&block.lanes);
            presences.extend_from_slice(&block.presences);
            *len = self.found.len;
        } else {
            block.lanes_of(self.taken, inputs, lanes);
            let parts = 0..block.presences.len();
            presences.extend(parts.map(|part| Presence::of_all(block.has(part, self.taken))));
            *len = 1;
        }
        self.taken += *len;
        if self.pending.len > 0 && self.pending.goes_on(&self.next, inputs) {
            self.pending.len += self.next.len;
            return 0;
        }
        let len = self.give();
        core::mem::swap(&mut self.pending, &mut self.next);
        len
    }

    /// Gives the run that was put together.
    fn give(&mut self) -> usize {
        core::mem::swap(&mut self.given, &mut self.pending);
        self.pending.len = 0;
        self.given.len
    }

    /// Where the values are of the run that was given last.
    pub(super) fn lanes<'a>(&'a self, handle_lane: u32, handles: &'a [Entity]) -> Lanes<'a> {
        let handle = self.given.lanes[handle_lane as usize];
        Lanes::new(&self.given.lanes, &self.given.presences, handles, handle)
    }
}
