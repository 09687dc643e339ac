//! Matches as slices: of one pool, of pools with equal members in equal order, or of the front of a group's pools.

use crate::entity::Entity;
use crate::query::block::Found;
use crate::query::pages::Search;
use crate::storage::values::{Lane, Presence};
use core::ops::Range;

/// The number of members that are compared at a time, if pools may be in step.
const STRIDE: usize = 1024;

/// The state of a walk along slices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slices<'w> {
    pub(super) members: &'w [Entity],
    next: usize,
    /// The number of members, at the front, that have the optional item.
    split: usize,
    /// `true` if these are the first members of all required pools; otherwise the members are compared.
    pub(super) are_aligned: bool,
    /// `true` if the walk covers all members, so that all are compared at its end.
    is_whole: bool,
}

impl<'w> Slices<'w> {
    /// Returns a walk along the first members of all pools.
    #[inline]
    pub(super) const fn new(members: &'w [Entity]) -> Self {
        Self { members, next: 0, split: members.len(), are_aligned: true, is_whole: true }
    }

    /// Returns a walk along the first members of all required pools. The first `split` are the members of the
    /// optional pool.
    #[inline]
    pub(super) const fn with_split(members: &'w [Entity], split: usize) -> Self {
        Self { split, ..Self::new(members) }
    }

    /// Returns a walk along members that all required pools seem to have in this order.
    #[inline]
    pub(super) const fn seemingly(members: &'w [Entity]) -> Self {
        Self { are_aligned: false, ..Self::new(members) }
    }

    /// Returns a walk along the members at these positions only.
    pub(super) fn part(self, part: Range<usize>) -> Self {
        let (split, is_whole) = (self.split.min(part.end), part == (0..self.members.len()));
        Self { members: &self.members[..part.end], next: part.start, split, is_whole, ..self }
    }

    /// Returns the number of remaining members, and `true` if all match.
    pub(super) fn left(&self) -> (usize, bool) {
        (self.members.len() - self.next, self.are_aligned)
    }

    /// Finds the next run. If the pools turn out to have other members, returns the first position that was not
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

#[cfg(test)]
mod tests {
    use crate::{Component, PlanKind, World};

    #[derive(Component)]
    struct A(usize);
    #[derive(Component)]
    struct B(usize);

    /// The members that differ are behind many equal ones, and are not among the samples.
    #[test]
    fn pools_that_differ_behind_equal_members_are_no_slices_later() {
        let mut world = World::new();
        let entities = world.spawn_batch((0..1_900).map(|_| ()));
        let mut order: Vec<usize> = (0..1_900).rev().collect();
        order.iter().for_each(|&at| world.insert(entities[at], A(at)).unwrap());
        order.swap(1_101, 1_102);
        order.iter().for_each(|&at| world.insert(entities[at], B(at)).unwrap());
        for _ in 0..2 {
            let view = world.view::<(&A, &B)>();
            assert_eq!(view.explain().kind, PlanKind::Dense);
            let both = view.into_iter().inspect(|(_, a, b)| assert_eq!(a.0, b.0));
            assert_eq!(both.count(), 1_900);
        }
    }
}
