//! Matches among the members of a list: each is looked up in the pools.

use crate::entity::Entity;
use crate::query::bits::{BLOCK, Task, note};
use crate::query::block::{Block, Found, Handles};
use crate::query::inputs::{UNREAD, is_cached};
use crate::query::pages::Search;
use crate::storage::keys::Keys;
use crate::storage::sparse_array::{offset_of, page_of};
use crate::storage::values::CELL;

/// One bit for each of some members.
type Few = [u64; BLOCK / 64];

/// Where a walk through a list of entities stands: the members of a pool or of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Members<'w> {
    list: &'w [Entity],
    next: usize,
    /// Whether all of them match.
    all_match: bool,
    /// Whether what they lead to is in the caches.
    is_cached: bool,
}

impl<'w> Members<'w> {
    /// These. Pools whose first members they are, are aligned.
    #[inline]
    pub(super) const fn new(list: &'w [Entity], all_match: bool, is_cached: bool) -> Self {
        Self { list, next: 0, all_match, is_cached }
    }

    /// From this one on.
    #[inline]
    pub(super) const fn from(self, next: usize) -> Self {
        Self { next, ..self }
    }

    /// Whether these are the members of the pool with these keys.
    #[inline]
    pub(super) fn is_of(&self, keys: &Keys<Entity>) -> bool {
        core::ptr::eq(self.list, keys.dense())
    }

    /// How many are left, and whether all match.
    pub(super) const fn left(&self) -> (usize, bool) {
        (self.list.len() - self.next, self.all_match)
    }

    pub(super) const fn list(&self) -> &'w [Entity] {
        self.list
    }

    /// Finds the next block of matches.
    #[inline(always)]
    pub(super) fn next(&mut self, search: &mut Search<'w>) -> Found {
        while self.next < self.list.len() {
            let (first, some) = self.take();
            let matches = if self.all_match { first_of(some.len()) } else { search.test(some) };
            if matches.iter().any(|bits| *bits != 0) {
                let count = search.look_up(some, matches, true, self.is_cached);
                return Found::scattered(finish(first, some.len(), count, search));
            }
        }
        Found::NONE
    }

    /// The next members, and where the first of them is.
    #[inline(always)]
    fn take(&mut self) -> (usize, &'w [Entity]) {
        let first = self.next;
        self.next = self.list.len().min(first + BLOCK);
        (first, &self.list[first..self.next])
    }

    /// How many match; up to `most` are counted. It has not begun.
    pub(super) fn count(&mut self, search: &mut Search<'w>, most: usize) -> usize {
        if self.all_match {
            return self.list.len();
        }
        let mut count = 0;
        while self.next < self.list.len() && count < most {
            let (_, some) = self.take();
            count += search.test(some).iter().map(|bits| bits.count_ones() as usize).sum::<usize>();
        }
        count
    }
}

/// Makes a block of members that were looked up.
#[inline(always)]
fn finish(first: usize, len: usize, count: usize, search: &mut Search<'_>) -> usize {
    let Search { inputs, block, .. } = search;
    block.end_rows();
    if count < len || block.presences.len() == 1 {
        block.set_ordered();
    }
    for input in inputs.required.iter().filter(|input| input.is_aligned && input.lane != UNREAD) {
        block.lanes[input.lane as usize] = Block::in_order(first);
    }
    block.handles = Handles::Listed(first);
    count
}

/// The first bits, as many as there are entities.
#[inline(always)]
fn first_of(len: usize) -> Few {
    core::array::from_fn(|word| match len.saturating_sub(word * 64) {
        rest @ 0..64 => (1 << rest) - 1,
        _ => !0,
    })
}

/// Those of these entities, one bit each, whose indices have a property.
#[inline(always)]
fn bits_of(some: &[Entity], has: impl Fn(u32) -> bool) -> Few {
    let mut bits = [0; BLOCK / 64];
    for (bits, some) in bits.iter_mut().zip(some.chunks(64)) {
        // Without a branch, so that many lookups are under way at once.
        let fold = |bits, entity: &Entity| bits << 1 | u64::from(has(entity.index()));
        *bits = some.iter().rev().fold(0, fold);
    }
    bits
}

impl<'w> Search<'w> {
    /// Which of these match, that are members of all aligned pools.
    #[inline(always)]
    fn test(&self, some: &[Entity]) -> Few {
        let mut matches = first_of(some.len());
        for input in self.inputs.required.iter().filter(|input| !input.is_aligned) {
            let members = bits_of(some, |index| input.has(index));
            (0..matches.len()).for_each(|word| matches[word] &= members[word]);
        }
        if self.inputs.tests == 0 {
            return matches;
        }
        self.inputs.passing(0, matches, |input| bits_of(some, |index| input.has(index)))
    }

    /// Finds out where the values of these matches are, but of aligned pools, and in which order they
    /// are read: those that have what is optional after the others, if it may be. How many there are.
    #[inline(always)]
    fn look_up(&mut self, some: &[Entity], matches: Few, reorder: bool, is_cached: bool) -> usize {
        let Self { inputs, block, .. } = self;
        block.begin_rows(0);
        for (part, &outer) in (1..).zip(&inputs.parts) {
            let mut all = matches;
            if outer > 0 {
                all.copy_from_slice(&block.bits[outer as usize - 1][..matches.len()]);
            }
            let passing =
                inputs.passing(part, all, |input| bits_of(some, |index| input.has(index)));
            block.bits[part as usize - 1][..passing.len()].copy_from_slice(&passing);
        }
        // Those before `split` have nothing optional, if they are told apart.
        let (mut count, mut split) = (0, 0);
        match &block.bits[..] {
            [there, ..] if reorder && block.presences.len() == 1 => {
                for (word, bits) in matches.iter().enumerate() {
                    count = note::<CELL>(word * 64, bits & !there[word], &mut block.order, count);
                }
                split = count;
                for (word, bits) in there[..matches.len()].iter().enumerate() {
                    count = note::<CELL>(word * 64, *bits, &mut block.order, count);
                }
            }
            _ => {
                for (word, bits) in matches.iter().enumerate() {
                    count = note::<CELL>(word * 64, *bits, &mut block.order, count);
                }
            }
        }
        for input in inputs.read_ones().filter(|input| !input.is_aligned) {
            let first = if input.part == 0 { 0 } else { split };
            let row = &mut block.rows[input.lane as usize];
            for &byte in &block.order[first..count] {
                let at = usize::from(byte / CELL);
                let index = some[at].index();
                let page = input.keys.page(page_of(index));
                row[at] = page.dense_index(offset_of(index)).to_le();
            }
        }
        if !is_cached {
            let order = || block.order[..count].iter().map(|byte| usize::from(*byte / CELL));
            block.prefetch(inputs, order);
        }
        count
    }
}

/// Makes those of a list of entities that match a block, in the order of the list.
pub(super) struct FindAll<'a, 'w>(pub(super) &'a [Entity], pub(super) &'a mut Search<'w>);

impl Task for FindAll<'_, '_> {
    type Output = usize;
    #[inline(always)]
    fn run(self) -> usize {
        let Self(list, search) = self;
        let Search { inputs, block, entities } = search;
        block.begin_rows(1);
        block.noted[..list.len()].copy_from_slice(list);
        let mut alive = [0; BLOCK / 64];
        if let Some(driver) = inputs.required.iter().find(|input| input.is_aligned) {
            let keys = driver.keys.lookup();
            let len = driver.keys.len();
            let row = &mut block.rows[driver.row(0, inputs.lanes)];
            for (at, (&entity, cell)) in list.iter().zip(row).enumerate() {
                if let Some(position) = keys.find(entity, len) {
                    alive[at / 64] |= 1 << (at % 64);
                    #[expect(clippy::cast_possible_truncation, reason = "indices have 32 bits")]
                    let position32 = position as u32;
                    *cell = position32.to_le();
                    driver.values.prefetch(position);
                }
            }
        } else {
            for (at, &entity) in list.iter().enumerate() {
                alive[at / 64] |= u64::from(entities.is_alive(entity)) << (at % 64);
            }
        }
        let mut matches = search.test(list);
        (0..matches.len()).for_each(|word| matches[word] &= alive[word]);
        let count = search.look_up(list, matches, false, is_cached(search.inputs.driver));
        search.block.end_rows();
        search.block.set_ordered();
        count
    }
}
