//! Some matches, and where their values are: what a matcher finds at a time, and a query reads.

use crate::entity::Entity;
use crate::query::bits::{Noted, PLACES, ROOM, note};
use crate::storage::values::{CELL, CellOrder, Lane, Presence, SMALL_CELL_BITS};
use alloc::vec::Vec;
use core::num::NonZeroU32;

/// Positions of matches in one pool, as cells of four bytes.
pub(super) type Positions = [u32; ROOM];

/// One bit a match.
pub(super) type Bits = [u64; ROOM / 64];

/// As cells: the first is 0, the next 1, and so on.
static IN_ORDER: Positions = {
    let (mut row, mut at) = ([0; ROOM], 0_u32);
    while (at as usize) < ROOM {
        row[at as usize] = at.to_le();
        at += 1;
    }
    row
};
/// The order in which the first match has the first cell of a row, and so on.
static ORDER: Noted = {
    let (mut order, mut at) = ([0; PLACES], 0_u16);
    while (at as usize) < ROOM {
        order[at as usize] = at * CELL;
        at += 1;
    }
    order
};
/// How the matches of a block are told.
#[repr(usize)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Their values are neighbours in all pools.
    Run,
    /// Their cells are those of an order.
    Scattered,
    /// They are on one page, and told by its bits.
    Words,
}

/// What is wanted of a matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Want {
    /// The next block of matches.
    Block,
    /// The same, as words where it can be.
    Words,
    /// The next run.
    Run,
    /// How many matches there are.
    Count,
}

/// How many matches a block has; or, of words, 1 or more. None at the end.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) kind: Kind,
    pub(crate) len: usize,
}

impl Found {
    pub(crate) const NONE: Self = Self { kind: Kind::Run, len: 0 };
    pub(super) const WORDS: Self = Self { kind: Kind::Words, len: 1 };

    #[inline(always)]
    pub(super) const fn run(len: usize) -> Self {
        Self { kind: Kind::Run, len }
    }

    #[inline(always)]
    pub(super) const fn scattered(len: usize) -> Self {
        Self { kind: Kind::Scattered, len }
    }
}

/// How the cells of a block are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// One after the other, in rows.
    Rows,
    /// In rows, as `order` says.
    Ordered,
    /// In a page, as `order` says.
    OnPage,
}

/// Where the handles of the matches are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Handles {
    /// Where the values of a lane are, in the list.
    OfLane,
    /// In the list, from there on.
    Listed(usize),
    /// Noted with the block.
    Noted,
}

/// A block of matches.
#[derive(Debug)]
pub(super) struct Block<'w> {
    /// Where the values are, one a pool that is read.
    pub(super) lanes: Vec<Lane>,
    /// Which have what is optional.
    pub(super) presences: Vec<Presence>,
    /// The members of the pool that tells the handles, and its lane; or those that are walked.
    pub(super) list: &'w [Entity],
    pub(super) handle_lane: u32,
    pub(super) handles: Handles,
    layout: Layout,
    /// Which cell a match has, as bytes before it.
    pub(super) order: Noted,
    pub(super) noted: [Entity; ROOM],
    pub(super) rows: Vec<Positions>,
    /// One bit a match, for each thing that is optional.
    pub(super) bits: Vec<Bits>,
}

impl<'w> Block<'w> {
    pub(super) const fn new() -> Self {
        Self {
            lanes: Vec::new(),
            presences: Vec::new(),
            list: &[],
            handle_lane: 0,
            handles: Handles::OfLane,
            layout: Layout::Rows,
            order: [0; PLACES],
            noted: [Entity::new(0, NonZeroU32::MIN); ROOM],
            rows: Vec::new(),
            bits: Vec::new(),
        }
    }

    /// Makes room for so many pools that are read, and things that are optional.
    #[inline]
    pub(super) fn begin(&mut self, lanes: usize, parts: usize) {
        // Others than those before; what is there is written for each block.
        if self.lanes.len() != lanes {
            self.lanes.resize(lanes, Lane::FRONT);
        }
        if self.presences.len() != parts {
            self.presences.resize(parts, Presence::NONE);
        }
    }

    /// Makes so many rows at least, and bits for what is optional, of which none is set.
    #[inline]
    pub(super) fn begin_rows(&mut self, required: usize) {
        let (rows, parts) = (self.lanes.len().max(required), self.presences.len());
        if self.rows.len() < rows {
            self.rows.resize(rows, [0; ROOM]);
        }
        if self.bits.len() < parts {
            self.bits.resize(parts, [0; ROOM / 64]);
        }
        self.bits[..parts].fill([0; ROOM / 64]);
    }

    /// The block has matches of which rows, bits and handles are noted, one after the other.
    #[inline]
    pub(super) fn end_rows(&mut self) {
        for (lane, row) in self.lanes.iter_mut().zip(&self.rows) {
            *lane = Lane { first: 0, cells: row.as_ptr().cast() };
        }
        for (presence, bits) in self.presences.iter_mut().zip(&self.bits) {
            *presence = Presence(bits.as_ptr());
        }
        self.handles = Handles::Noted;
        self.layout = Layout::Rows;
    }

    /// The matches are these of all that were noted, one bit each: if one thing is optional, first those that
    /// lack it, so that the processor predicts well which have it. How many lack it, and how many there are.
    #[inline(always)]
    pub(super) fn set_order(&mut self, matches: &[u64]) -> (usize, usize) {
        self.layout = Layout::Ordered;
        let ([there, ..], [_]) = (&self.bits[..], &self.presences[..]) else {
            return (0, note::<CELL>(matches.iter().copied().enumerate(), &mut self.order, 0));
        };
        let lack = matches.iter().zip(there).map(|(bits, there)| bits & !there);
        let have = matches.iter().zip(there).map(|(bits, there)| bits & there);
        let split = note::<CELL>(lack.enumerate(), &mut self.order, 0);
        (split, note::<CELL>(have.enumerate(), &mut self.order, split))
    }

    /// The matches are on a page, where `order` tells.
    #[inline(always)]
    pub(super) fn set_on_page(&mut self) {
        (self.layout, self.handles) = (Layout::OnPage, Handles::OfLane);
    }

    /// The cells of positions one after the other.
    #[inline]
    pub(super) fn in_order(first: usize) -> Lane {
        Lane { first, cells: IN_ORDER.as_ptr().cast() }
    }

    /// Where everything is.
    #[inline(always)]
    pub(super) fn lanes(&self) -> Lanes<'_> {
        let (handles, handle) = match self.handles {
            Handles::OfLane => {
                let lane = self.lanes.get(self.handle_lane as usize);
                (self.list, lane.copied().unwrap_or(Lane::FRONT))
            }
            Handles::Listed(first) => (self.list, Self::in_order(first)),
            Handles::Noted => (&self.noted[..], Self::in_order(0)),
        };
        Lanes { read: &self.lanes, optional: &self.presences, handles, handle }
    }

    /// Which cells the matches have.
    #[inline(always)]
    pub(super) fn order(&self) -> CellOrder {
        match self.layout {
            Layout::OnPage => CellOrder::new(&self.order, SMALL_CELL_BITS),
            Layout::Ordered => CellOrder::new(&self.order, !0),
            Layout::Rows => CellOrder::new(&ORDER, !0),
        }
    }
}

/// The same matches; what is noted of them is told by addresses in the copy.
impl Clone for Block<'_> {
    fn clone(&self) -> Self {
        let (rows, bits) = (self.rows.clone(), self.bits.clone());
        let (mut lanes, mut presences) = (self.lanes.clone(), self.presences.clone());
        for lane in &mut lanes {
            lane.cells = moved(lane.cells, &self.rows, &rows);
        }
        for presence in &mut presences {
            presence.0 = moved(presence.0.cast(), &self.bits, &bits).cast();
        }
        Self { lanes, presences, rows, bits, ..*self }
    }
}

/// An address of what was copied, in the copy; any other as it is.
fn moved<T>(address: *const u8, from: &[T], to: &[T]) -> *const u8 {
    let offset = address.addr().wrapping_sub(from.as_ptr().addr());
    let is_copied = offset < size_of_val(from);
    if is_copied { to.as_ptr().cast::<u8>().wrapping_add(offset) } else { address }
}

/// Where the values of a block are, one pool after the other.
#[doc(hidden)]
#[derive(Debug)]
pub struct Lanes<'a> {
    pub(super) read: &'a [Lane],
    pub(super) optional: &'a [Presence],
    /// The handles, and which of them the matches have.
    pub(super) handles: &'a [Entity],
    pub(super) handle: Lane,
}

impl<'a> Lanes<'a> {
    /// Those of a run that begins with the first values of all pools.
    #[inline(always)]
    pub(crate) const fn front(members: &'a [Entity]) -> Self {
        Self { read: &[], optional: &[], handles: members, handle: Lane::FRONT }
    }

    /// That of the next pool that is read.
    #[inline(always)]
    pub(super) fn lane(&mut self) -> Lane {
        let Some((lane, others)) = self.read.split_first() else { return Lane::FRONT };
        self.read = others;
        *lane
    }

    /// Which matches have the next thing that is optional.
    #[inline(always)]
    pub(super) fn presence(&mut self) -> Presence {
        let Some((presence, others)) = self.optional.split_first() else { return Presence::NONE };
        self.optional = others;
        *presence
    }
}
