//! Matches as slices: of one pool, of pools that have the same members in the same order, or of the
//! front of a group's pools.

use crate::entity::Entity;
use crate::query::block::Found;
use crate::query::pages::Search;
use crate::storage::values::{Lane, Presence};
use core::ops::Range;

/// So many members are compared at a time, where pools only seem to have the same.
const STRIDE: usize = 1024;

/// Where a walk along slices stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slices<'w> {
    pub(super) members: &'w [Entity],
    next: usize,
    /// Members before this have what is optional, no others.
    split: usize,
    /// Whether these are the first members of all required pools; or else that is compared.
    pub(super) are_aligned: bool,
    /// Whether the walk is along all of them, so that at its end all were compared.
    is_whole: bool,
}

impl<'w> Slices<'w> {
    /// These are the first members of all pools that are asked.
    #[inline]
    pub(super) const fn new(members: &'w [Entity]) -> Self {
        Self { members, next: 0, split: members.len(), are_aligned: true, is_whole: true }
    }

    /// These are the first members of all required pools, the first `split` of them those of the one that
    /// is optional.
    #[inline]
    pub(super) const fn with_split(members: &'w [Entity], split: usize) -> Self {
        Self { split, ..Self::new(members) }
    }

    /// All required pools seem to have these members in this order.
    #[inline]
    pub(super) const fn seemingly(members: &'w [Entity]) -> Self {
        Self { are_aligned: false, ..Self::new(members) }
    }

    /// Only those at these positions.
    pub(super) fn part(self, part: Range<usize>) -> Self {
        let (split, is_whole) = (self.split.min(part.end), part == (0..self.members.len()));
        Self { members: &self.members[..part.end], next: part.start, split, is_whole, ..self }
    }

    /// How many are left, and whether all match.
    pub(super) fn left(&self) -> (usize, bool) {
        (self.members.len() - self.next, self.are_aligned)
    }

    /// Finds the next run; or, where the pools turn out to have other members, the first that was not
    /// compared.
    pub(super) fn next(&mut self, search: &mut Search<'w>) -> Result<Found, usize> {
        let Search { inputs, block, .. } = search;
        let (first, len) = (self.next, self.members.len());
        if first == len {
            return Ok(Found::NONE);
        }
        let end = if !self.are_aligned {
            len.min(first + STRIDE)
        } else if first < self.split {
            self.split
        } else {
            len
        };
        if !self.are_aligned {
            if !inputs.are_in_step(first..end) {
                return Err(first);
            }
            if end == len && self.is_whole {
                inputs.mark_in_step(false);
            }
        }
        self.next = end;
        block.lanes.fill(Lane { first, ..Lane::FRONT });
        block.presences.fill(Presence::of_all(first < self.split));
        Ok(Found::run(end - first))
    }
}
