//! Matches as the tiles of ordered pools, with neighbours in all pools that are read, and single ones.
//!
//! A walk begins only if the keys of all pools are [marked](crate::storage::keys::Keys::band) as tiled. Then the members
//! of tiles and the single entities of a kind match, no other entities do, and no position comes twice (O1 to O4 of the
//! tiling). Positions are compared with the lengths of the pools, too.

use crate::pool::tiling::{BandSet, OfKind, Tile, Tiling};
use crate::query::bits::{BLOCK, ROOM, first_bits};
use crate::query::block::{Block, Found, HandlePlace, Want};
use crate::query::inputs::{Input, Inputs, Role};
use crate::query::pages::Search;
use crate::storage::values::{Lane, Presence};
use core::ops::Range;

/// The state of a walk: first along the tiles of the driver, then along the single entities of all kinds.
#[derive(Clone, Copy)]
pub(super) struct Runs<'w> {
    tiling: &'w Tiling,
    /// The tiles of the driver that are left, with their first positions.
    tiles: &'w [(u32, u32)],
    /// The kinds that are left, and the number of single entities of the first one that are not.
    kinds: &'w [OfKind],
    passed: usize,
    /// The kinds of matches have these bands, and lack those.
    required: BandSet,
    excluded: BandSet,
    /// The number of members of the next long tile that were skipped.
    skipped: u32,
    /// The number of matches that may be found at most.
    limit: usize,
}

impl<'w> Runs<'w> {
    /// Returns the walk, if the tiles of all pools show which members match.
    pub(super) fn new(inputs: &Inputs<'w>, tiling: &'w Tiling) -> Option<Self> {
        let driver = usize::from(inputs.driver.band()?);
        if !inputs.marked.is_empty() {
            return None;
        }
        let (mut required, mut excluded) = (0, 0);
        for input in inputs.all() {
            let band = match input.band {
                Some(band) => 1 << band,
                None if input.keys.len() == 0 => 0,
                None => return None,
            };
            match input.role {
                Role::Required if input.part == 0 => required |= band,
                Role::Excluded if input.part == 0 => excluded |= band,
                Role::Required | Role::Excluded => {}
                Role::Any(_) => return None,
            }
        }
        let tiles = &tiling.band(driver).row[..];
        let (kinds, limit) = (&tiling.kinds[..], usize::MAX);
        Some(Self { tiling, tiles, kinds, passed: 0, required, excluded, skipped: 0, limit })
    }

    /// Returns `true` if the entities of a kind match.
    #[inline(always)]
    fn matches(&self, kind: BandSet) -> bool {
        kind & self.required == self.required && kind & self.excluded == 0
    }

    /// Returns the number of matches of a tile: all members or none.
    #[inline(always)]
    fn len_of(&self, tile: u32) -> u32 {
        let Tile { kind, len } = self.tiling.tile(tile);
        if self.matches(kind) { len } else { 0 }
    }

    /// Returns the number of matches that are left.
    pub(super) fn left(&self) -> usize {
        let in_tiles: usize = self.tiles.iter().map(|(_, tile)| self.len_of(*tile) as usize).sum();
        let kinds = self.kinds.iter().filter(|of| self.matches(of.kind));
        let single: usize = kinds.map(|of| of.single.len()).sum();
        let is_first = self.kinds.first().is_some_and(|of| self.matches(of.kind));
        let passed = if is_first { self.passed } else { 0 };
        (in_tiles - self.skipped as usize + single - passed).min(self.limit)
    }

    /// Returns a walk along these matches only.
    pub(super) fn part(mut self, part: Range<usize>) -> Self {
        let mut skipped = part.start;
        while let Some((&(_, tile), others)) = self.tiles.split_first()
            && skipped >= self.len_of(tile) as usize
        {
            skipped -= self.len_of(tile) as usize;
            self.tiles = others;
        }
        if self.tiles.is_empty() {
            while let Some((of, others)) = self.kinds.split_first()
                && (!self.matches(of.kind) || skipped >= of.single.len())
            {
                skipped -= if self.matches(of.kind) { of.single.len() } else { 0 };
                self.kinds = others;
            }
            self.passed = skipped;
        } else {
            self.skipped = u32::try_from(skipped).unwrap_or(0);
        }
        Self { limit: part.len(), ..self }
    }

    /// Returns the number of matches, if they are the first members of all pools that are read, in one order.
    pub(super) fn front(&self, inputs: &Inputs<'_>) -> Option<usize> {
        let (mut first, left) = (0, self.left());
        for &(_, tile) in self.tiles {
            let len = self.len_of(tile);
            let starts = |input: &Input<'_>| self.start(tile, input) == first;
            if len == 0 || !inputs.required.iter().filter(|input| input.is_read()).all(starts) {
                break;
            }
            first += len;
        }
        let are_members = |input: &Input<'_>| left <= input.keys.len();
        let are_all = inputs.required.iter().all(are_members);
        (first as usize == left && are_all).then_some(left)
    }

    #[inline(always)]
    fn start(&self, tile: u32, input: &Input<'_>) -> u32 {
        self.tiling.start(tile, usize::from(input.band.unwrap_or(0)))
    }

    /// Returns `true` if the members of a tile have the pools of an optional part.
    fn has(inputs: &Inputs<'_>, kind: BandSet, part: u32) -> bool {
        let outer = inputs.parts[part as usize - 1];
        (outer == 0 || Self::has(inputs, kind, outer))
            && inputs.others(part).all(|input| {
                let is_there = input.band.is_some_and(|band| kind >> band & 1 != 0);
                is_there == (input.role == Role::Required)
            })
    }

    /// Finds the next run, or scattered matches: the members of single tiles.
    #[inline(always)]
    pub(super) fn next(&mut self, search: &mut Search<'w>, want: Want) -> Found {
        if self.limit == 0 {
            return Found::NONE;
        }
        while let Some((&(_, tile), others)) = self.tiles.split_first() {
            self.tiles = others;
            if self.len_of(tile) > 0 {
                return Found::run(self.run(tile, search));
            }
        }
        self.next_single(search, want)
    }

    /// Finds the run that begins with this tile, and returns its length.
    #[inline(always)]
    fn run(&mut self, tile: u32, search: &mut Search<'w>) -> usize {
        let Search { inputs, block, .. } = search;
        let Tile { kind, len } = self.tiling.tile(tile);
        for (part, presence) in (1..).zip(&mut block.presences) {
            *presence = Presence::of_all(Self::has(inputs, kind, part));
        }
        for input in inputs.read_ones() {
            let first = (self.start(tile, input) + self.skipped) as usize;
            block.lanes[input.lane as usize] = Lane { first, ..Lane::FRONT };
        }
        block.handles = HandlePlace::OfLane;
        let mut len = (len - self.skipped) as usize;
        self.skipped = 0;
        Self::check(kind, len, inputs, block);
        while len < self.limit
            && let Some((&(_, next), others)) = self.tiles.split_first()
            && self.len_of(next) > 0
            && self.goes_on(next, len, inputs, block)
        {
            len += self.len_of(next) as usize;
            Self::check(self.tiling.tile(next).kind, len, inputs, block);
            self.tiles = others;
        }
        len = len.min(self.limit);
        self.limit -= len;
        len
    }

    /// Checks that a run with this tile at its end is of members.
    #[inline(always)]
    fn check(kind: BandSet, len: usize, inputs: &Inputs<'w>, block: &Block<'w>) {
        for input in inputs.read_ones() {
            let end = block.lanes[input.lane as usize].first + len;
            let is_there = input.band.is_some_and(|band| kind >> band & 1 != 0);
            assert!(!is_there || end <= input.keys.len(), "a tile ends behind its members");
        }
    }

    /// Returns `true` if a tile continues a run of this length.
    fn goes_on(&self, tile: u32, len: usize, inputs: &Inputs<'w>, block: &Block<'w>) -> bool {
        let kind = self.tiling.tile(tile).kind;
        let is_next = |input: &Input<'w>| {
            let lane = &block.lanes[input.lane as usize];
            self.start(tile, input) as usize == lane.first + len
        };
        inputs.required.iter().filter(|input| input.is_read()).all(is_next)
            && (1..).zip(&block.presences).all(|(part, presence)| {
                let is_there = Self::has(inputs, kind, part);
                is_there == presence.is_some()
                    && (!is_there || inputs.others(part).filter(|it| it.is_read()).all(is_next))
            })
    }

    /// Finds the next single matches; only one, as a run, if a run is wanted.
    #[inline(never)]
    fn next_single(&mut self, search: &mut Search<'w>, want: Want) -> Found {
        let Search { inputs, block, .. } = search;
        let most = if want == Want::Run { 1 } else { BLOCK.min(self.limit) };
        let mut count = 0;
        while let Some(of) = self.kinds.first()
            && count < most
        {
            let end = of.single.len().min(self.passed + most - count);
            if self.passed == end || !self.matches(of.kind) {
                (self.kinds, self.passed) = (&self.kinds[1..], 0);
                continue;
            }
            if count == 0 {
                block.begin_rows(0);
            }
            let some = self.passed..end;
            block.noted[count..][..some.len()].copy_from_slice(&of.single[some.clone()]);
            for (part, bits) in (1..).zip(&mut block.bits[..inputs.parts.len()]) {
                if Self::has(inputs, of.kind, part) {
                    (count..count + some.len()).for_each(|at| bits[at / 64] |= 1 << (at % 64));
                }
            }
            for input in inputs.read_ones() {
                let Some(band) = input.band.map(usize::from) else { continue };
                if of.kind >> band & 1 != 0 {
                    let row = &mut block.rows[input.lane as usize][count..][..some.len()];
                    let positions = of.positions_from(some.start, band);
                    let mut greatest = 0;
                    for (cell, position) in row.iter_mut().zip(positions) {
                        greatest = greatest.max(position);
                        *cell = position.to_le();
                    }
                    let is_member = (greatest as usize) < input.keys.len();
                    assert!(is_member, "a single entity is behind the members");
                }
            }
            count += some.len();
            self.passed = end;
        }
        self.limit -= count;
        if count == 0 {
            return Found::NONE;
        }
        if want == Want::Run {
            for (lane, row) in block.lanes.iter_mut().zip(&block.rows) {
                *lane = Lane { first: u32::from_le(row[0]) as usize, ..Lane::FRONT };
            }
            for (presence, bits) in block.presences.iter_mut().zip(&block.bits) {
                *presence = Presence::of_all(bits[0] & 1 != 0);
            }
            block.handles = HandlePlace::OfLane;
            return Found::run(1);
        }
        block.end_rows();
        if block.presences.len() == 1 {
            block.set_order(&first_bits::<{ ROOM / 64 }>(count), false);
        }
        Found::scattered(count)
    }
}

impl core::fmt::Debug for Runs<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Runs").finish_non_exhaustive()
    }
}
