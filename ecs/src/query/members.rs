//! Matches among the members of a list: each is looked up in the pools.

use crate::entity::Entity;
use crate::query::bits::{BLOCK, Multiversioned, first_bits};
use crate::query::block::{Block, Found, HandlePlace, Want};
use crate::query::inputs::Input;
use crate::query::pages::Search;
use crate::storage::sparse_array::{offset_of, page_of};
use crate::storage::values::{CELL, Lane, Presence};
use core::ops::Range;

/// One bit for each of some members.
type Few = [u64; BLOCK / 64];

/// The state of a walk through a list of entities: the members of a pool or of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemberWalk<'w> {
    pub(super) list: &'w [Entity],
    /// The place of the answer of an index that is walked instead of the list, if there is one.
    pub(super) answer: Option<usize>,
    pub(super) next: usize,
    pub(super) end: usize,
    /// `true` if all of them match.
    pub(super) all_match: bool,
    /// `true` if matches come in the order of the list, also within a block.
    pub(super) keeps_order: bool,
}

impl<'w> MemberWalk<'w> {
    /// Returns a walk through this list. Pools that begin with the list's entities are aligned.
    #[inline]
    pub(super) const fn new(list: &'w [Entity], all_match: bool) -> Self {
        Self { list, answer: None, next: 0, end: list.len(), all_match, keeps_order: false }
    }

    /// Returns a walk through the answer at this place of the restrictions, which has this length.
    pub(super) const fn of_answer((at, len): (usize, usize)) -> Self {
        Self { answer: Some(at), end: len, ..Self::new(&[], false) }
    }

    /// Returns a walk through these positions of the list only.
    pub(super) fn part(self, part: Range<usize>) -> Self {
        Self { next: part.start, end: part.end, ..self }
    }

    /// Returns the number of remaining members, and `true` if all match.
    pub(super) const fn left(&self) -> (usize, bool) {
        (self.end - self.next, self.all_match)
    }

    /// Finds the next block of matches.
    #[inline(always)]
    fn next(&mut self, list: &[Entity], search: &mut Search<'w>) -> Found {
        while self.next < self.end {
            let first = self.next;
            let (some, matches) = self.test(list, search, BLOCK);
            if matches != [0; BLOCK / 64] {
                let count = search.look_up(first, some, matches, self.keeps_order);
                if self.answer.is_none() {
                    search.block.handles = HandlePlace::Listed(first);
                }
                return Found::scattered(count);
            }
        }
        Found::NONE
    }

    /// Finds the next match, as a run.
    fn next_run(&mut self, list: &[Entity], search: &mut Search<'w>) -> Found {
        while self.next < self.end {
            let first = self.next;
            let (some, matches) = self.test(list, search, 1);
            if matches != [0; BLOCK / 64] {
                search.look_up(first, some, matches, true);
                search.make_run(first);
                return Found::run(1);
            }
        }
        Found::NONE
    }

    /// Returns the next members, this many at most, and one bit for each that is set if it matches.
    #[inline(always)]
    fn test<'l>(
        &mut self,
        list: &'l [Entity],
        search: &Search<'w>,
        most: usize,
    ) -> (&'l [Entity], Few) {
        let some = &list[self.next..self.end.min(self.next + most)];
        self.next += some.len();
        let mut matches = first_bits(some.len());
        if !self.all_match {
            for input in search.inputs.required.iter().filter(|input| !input.is_aligned) {
                let members = members_of(input, some);
                (0..matches.len()).for_each(|word| matches[word] &= members[word]);
            }
            let others = search.inputs.marked.iter().enumerate();
            for (_, marked) in others.filter(|(at, _)| Some(*at) != self.answer) {
                let marked = bits_of(some, |index| marked.has(index));
                (0..matches.len()).for_each(|word| matches[word] &= marked[word]);
            }
            matches = search.inputs.passing(0, matches, |input| members_of(input, some));
        }
        (some, matches)
    }

    /// Returns the number of matches. The walk must not have begun.
    #[inline(always)]
    fn count(&mut self, list: &[Entity], search: &Search<'w>) -> usize {
        let mut count = 0;
        while self.next < self.end {
            let (_, matches) = self.test(list, search, BLOCK);
            count += matches.iter().map(|bits| bits.count_ones() as usize).sum::<usize>();
        }
        count
    }
}

/// Answers a request about members.
pub(super) struct NextMembers<'a, 'w>(
    pub(super) &'a mut MemberWalk<'w>,
    pub(super) &'a mut Search<'w>,
    pub(super) Want,
);

impl Multiversioned for NextMembers<'_, '_> {
    type Output = Found;
    type Portable = Self;
    fn portable(self) -> Self {
        self
    }
    #[inline(always)]
    fn run(self) -> Found {
        let Self(members, search, want) = self;
        let answer = members.answer.map(|at| search.inputs.answer(at));
        let list = answer.as_ref().map_or(members.list, |list| list);
        match want {
            Want::Count => Found::run(members.count(list, search)),
            Want::Run => members.next_run(list, search),
            _ => members.next(list, search),
        }
    }
}

/// Returns the members of a pool among these entities, one bit each.
#[inline(always)]
fn members_of(input: &Input<'_>, some: &[Entity]) -> Few {
    bits_of(some, |index| input.has(index))
}

/// Returns one bit for each of these entities: the result of `is_it`.
#[inline(always)]
fn bits_of(some: &[Entity], is_it: impl Fn(u32) -> bool) -> Few {
    let mut bits = [0; BLOCK / 64];
    for (bits, some) in bits.iter_mut().zip(some.chunks(64)) {
        // There is no branch, so that many lookups overlap.
        let fold = |bits, entity: &Entity| bits << 1 | u64::from(is_it(entity.index()));
        *bits = some.iter().rev().fold(0, fold);
    }
    bits
}

impl<'w> Search<'w> {
    /// Makes a block of the matches among some members, which begin at position `first` of the list: finds their
    /// optional items and the positions of their values. Returns their number.
    #[inline(always)]
    fn look_up(&mut self, first: usize, some: &[Entity], matches: Few, keeps_order: bool) -> usize {
        let Self { inputs, block, is_cached, .. } = self;
        block.begin_rows(0);
        for (part, &outer) in (1..).zip(&inputs.parts) {
            let mut all = matches;
            if outer > 0 {
                all.copy_from_slice(&block.bits[outer as usize - 1][..matches.len()]);
            }
            let passing = inputs.passing(part, all, |input| members_of(input, some));
            block.bits[part as usize - 1][..passing.len()].copy_from_slice(&passing);
        }
        block.end_rows();
        let (split, count) = block.set_order(&matches, keeps_order);
        for input in inputs.read_ones() {
            if input.is_aligned {
                block.lanes[input.lane as usize] = Block::in_order(first);
                continue;
            }
            let row = &mut block.rows[input.lane as usize];
            let looked_up = if input.part == 0 { 0..count } else { split..count };
            for &byte in &block.order[looked_up] {
                let (at, index) =
                    (usize::from(byte / CELL), some[usize::from(byte / CELL)].index());
                let position = input.keys.page(page_of(index)).dense_index(offset_of(index));
                row[at] = position.to_le();
                if !*is_cached {
                    input.prefetch(position);
                }
            }
        }
        block.handles = HandlePlace::OfLane;
        count
    }

    /// Makes a run of a block with one match, which has this position in the list.
    fn make_run(&mut self, first: usize) {
        let Self { inputs, block, .. } = self;
        for input in inputs.read_ones() {
            let lane = input.lane as usize;
            let looked_up = u32::from_le(block.rows[lane][0]) as usize;
            let position = if input.is_aligned { first } else { looked_up };
            block.lanes[lane] = Lane { first: position, ..Lane::FRONT };
        }
        for (presence, bits) in block.presences.iter_mut().zip(&block.bits) {
            *presence = Presence::of_all(bits[0] & 1 != 0);
        }
        block.handles = HandlePlace::OfLane;
    }
}
