//! A block: some matches and the positions of their values, which a matcher finds together.

use crate::entity::Entity;
use crate::query::bits::{NotedPlaces, PLACES, ROOM, note};
use crate::storage::keys::Keys;
use crate::storage::values::{
    Address, CELL, CellOrder, Lane, LaneWindow, Presence, SMALL_CELL_BITS, Window,
};
use alloc::vec::Vec;
use core::num::NonZeroU32;

/// Positions of matches in one pool, as cells of four bytes.
pub(super) type Positions = [u32; ROOM];

/// One bit for each match.
pub(super) type Bits = [u64; ROOM / 64];

/// Cells that contain their own index: 0, 1, and so on.
static IN_ORDER: Positions = {
    let (mut row, mut at) = ([0; ROOM], 0_u32);
    while (at as usize) < ROOM {
        row[at as usize] = at.to_le();
        at += 1;
    }
    row
};
/// The order in which each match has the next cell of a row.
static ORDER: NotedPlaces = {
    let (mut order, mut at) = ([0; PLACES], 0_u16);
    while (at as usize) < ROOM {
        order[at as usize] = at * CELL;
        at += 1;
    }
    order
};
/// The form of a block.
#[repr(usize)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// The values are neighbours in all pools.
    Run,
    /// The cells are listed by an order.
    Scattered,
    /// The matches are on one page, given by its bits.
    Words,
}

/// A request to a matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Want {
    /// The next block of matches.
    Block,
    /// The next block of matches, as words if possible.
    Words,
    /// The next run.
    Run,
    /// The number of matches.
    Count,
}

/// The form and the number of the found matches. 0 at the end.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) kind: BlockKind,
    pub(crate) len: usize,
}

impl Found {
    pub(crate) const NONE: Self = Self { kind: BlockKind::Run, len: 0 };

    #[inline(always)]
    pub(super) const fn run(len: usize) -> Self {
        Self { kind: BlockKind::Run, len }
    }

    #[inline(always)]
    pub(super) const fn scattered(len: usize) -> Self {
        Self { kind: BlockKind::Scattered, len }
    }
}

/// The way to the cells of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockLayout {
    /// One after the other, in rows.
    Rows,
    /// In rows, in the order of `order`.
    Ordered,
    /// On a page, at the offsets in `order`.
    OnPage,
}

/// The place of the handles of the matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HandlePlace {
    /// In the list, at the positions of a lane.
    OfLane,
    /// In the list, from this position on.
    Listed(usize),
    /// Stored in the block.
    Noted,
}

/// A block of matches.
#[derive(Debug)]
pub(super) struct Block<'w> {
    /// The positions of the values, one lane for each pool that is read.
    pub(super) lanes: Vec<Lane>,
    /// The matches that have each optional item.
    pub(super) presences: Vec<Presence>,
    /// The members of the pool that has the handles, and its lane; or the entities over which the query iterates.
    pub(super) list: &'w [Entity],
    pub(super) handle_lane: u32,
    pub(super) handles: HandlePlace,
    layout: BlockLayout,
    /// The cell of each match, as the number of bytes before it.
    pub(super) order: NotedPlaces,
    pub(super) noted: [Entity; ROOM],
    pub(super) rows: Vec<Positions>,
    /// One bit for each match, for each optional item.
    pub(super) bits: Vec<Bits>,
}

impl<'w> Block<'w> {
    pub(super) const fn new() -> Self {
        Self {
            lanes: Vec::new(),
            presences: Vec::new(),
            list: &[],
            handle_lane: 0,
            handles: HandlePlace::OfLane,
            layout: BlockLayout::Rows,
            order: [0; PLACES],
            noted: [Entity::new(0, NonZeroU32::MIN); ROOM],
            rows: Vec::new(),
            bits: Vec::new(),
        }
    }

    /// Makes room for this many pools that are read, and optional items.
    #[inline]
    pub(super) fn begin(&mut self, lanes: usize, parts: usize) {
        // A change of the number is enough: the contents are written for each block.
        if self.lanes.len() != lanes {
            self.lanes.resize(lanes, Lane::FRONT);
        }
        if self.presences.len() != parts {
            self.presences.resize(parts, Presence::NONE);
        }
    }

    /// Makes room like another block, without matches.
    pub(super) fn begin_like(&mut self, other: &Self) {
        self.begin(other.lanes.len(), other.presences.len());
        (self.list, self.handle_lane) = (other.list, other.handle_lane);
    }

    /// Makes room for at least this many rows, and clears the bits of optional items.
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

    /// Completes a block with matches, rows, bits and handles that were stored one after the other.
    #[inline]
    pub(super) fn end_rows(&mut self) {
        for (lane, row) in self.lanes.iter_mut().zip(&self.rows) {
            *lane = Lane { first: 0, cells: Address::of_cells(row) };
        }
        for (presence, bits) in self.presences.iter_mut().zip(&self.bits) {
            *presence = Presence(Address::new(bits, bits.len()));
        }
        self.handles = HandlePlace::Noted;
        self.layout = BlockLayout::Rows;
    }

    /// Selects these matches of all that were stored, one bit each. With one optional item, matches that lack it
    /// come first, which makes branches predictable, unless it `keeps_order`. Returns the number of matches that
    /// come first because they lack it, and the number of all.
    #[inline(always)]
    pub(super) fn set_order(&mut self, matches: &[u64], keeps_order: bool) -> (usize, usize) {
        self.layout = BlockLayout::Ordered;
        let ([there, ..], [_], false) = (&self.bits[..], &self.presences[..], keeps_order) else {
            return (0, note::<CELL>(matches.iter().copied().enumerate(), &mut self.order, 0));
        };
        let lack = matches.iter().zip(there).map(|(bits, there)| bits & !there);
        let have = matches.iter().zip(there).map(|(bits, there)| bits & there);
        let split = note::<CELL>(lack.enumerate(), &mut self.order, 0);
        (split, note::<CELL>(have.enumerate(), &mut self.order, split))
    }

    /// Completes a block with matches on a page, at the offsets in `order`.
    #[inline(always)]
    pub(super) fn set_on_page(&mut self) {
        (self.layout, self.handles) = (BlockLayout::OnPage, HandlePlace::OfLane);
    }

    /// Returns the cells of consecutive positions.
    #[inline]
    pub(super) fn in_order(first: usize) -> Lane {
        Lane { first, cells: Address::of_cells(&IN_ORDER) }
    }

    /// Returns the places of the values and handles.
    #[inline(always)]
    pub(super) fn lanes(&self) -> Lanes<'_> {
        let (handles, handle) = match self.handles {
            HandlePlace::OfLane => {
                let lane = self.lanes.get(self.handle_lane as usize);
                (self.list, lane.copied().unwrap_or(Lane::FRONT))
            }
            HandlePlace::Listed(first) => (self.list, Self::in_order(first)),
            HandlePlace::Noted => (&self.noted[..], Self::in_order(0)),
        };
        Lanes::new(&self.lanes, &self.presences, handles, handle)
    }

    /// Returns the cells of the `len` matches.
    #[inline(always)]
    pub(super) fn order(&self, len: usize) -> CellOrder {
        match self.layout {
            BlockLayout::OnPage => CellOrder::new(&self.order, len, SMALL_CELL_BITS),
            BlockLayout::Ordered => CellOrder::new(&self.order, len, !0),
            BlockLayout::Rows => CellOrder::new(&ORDER, len, !0),
        }
    }
}

/// A clone has equal matches; addresses into the block lead into the clone.
impl Clone for Block<'_> {
    fn clone(&self) -> Self {
        let (rows, bits) = (self.rows.clone(), self.bits.clone());
        let (mut lanes, mut presences) = (self.lanes.clone(), self.presences.clone());
        for lane in &mut lanes {
            lane.cells.first = moved(lane.cells.first, &self.rows, &rows);
        }
        for presence in &mut presences {
            presence.0.first = moved(presence.0.first.cast(), &self.bits, &bits).cast();
        }
        Self { lanes, presences, rows, bits, ..*self }
    }
}

/// Returns an address of copied data in the copy; returns any other address unchanged.
fn moved<T>(address: *const u8, from: &[T], to: &[T]) -> *const u8 {
    let offset = address.addr().wrapping_sub(from.as_ptr().addr());
    let is_copied = offset < size_of_val(from);
    if is_copied { to.as_ptr().cast::<u8>().wrapping_add(offset) } else { address }
}

/// The positions of a block's values, one pool after the other.
#[doc(hidden)]
#[derive(Debug)]
pub struct Lanes<'a> {
    pub(super) read: &'a [Lane],
    pub(super) optional: &'a [Presence],
    /// The handles, and their positions.
    pub(super) handles: &'a [Entity],
    pub(super) handle: Lane,
    /// `true` if the positions of a match belong to its handle.
    #[cfg(any(debug_assertions, ecs_checked))]
    pub(super) are_of_handles: bool,
}

impl<'a> Lanes<'a> {
    #[inline(always)]
    pub(super) const fn new(
        read: &'a [Lane],
        optional: &'a [Presence],
        handles: &'a [Entity],
        handle: Lane,
    ) -> Self {
        Self {
            read,
            optional,
            handles,
            handle,
            #[cfg(any(debug_assertions, ecs_checked))]
            are_of_handles: true,
        }
    }

    /// Returns the lanes of a run that begins with the first values of all pools.
    #[inline(always)]
    pub(crate) const fn front(members: &'a [Entity]) -> Self {
        Self::new(&[], &[], members, Lane::FRONT)
    }

    /// Returns the lanes of a run like [`front`](Self::front), of pools with different orders.
    #[inline(always)]
    pub(crate) const fn by_position(members: &'a [Entity]) -> Self {
        Self {
            #[cfg(any(debug_assertions, ecs_checked))]
            are_of_handles: false,
            ..Self::front(members)
        }
    }

    /// Returns the lane of the next pool that is read.
    #[inline(always)]
    pub(super) fn lane(&mut self) -> Lane {
        let Some((lane, others)) = self.read.split_first() else { return Lane::FRONT };
        self.read = others;
        *lane
    }

    /// Returns the window of the values of the next pool that is read, which has these members.
    #[inline(always)]
    pub(super) fn next<W: Window>(&mut self, values: W, keys: &Keys<Entity>) -> LaneWindow<W> {
        let (lane, _) = (self.lane(), keys);
        #[cfg(any(debug_assertions, ecs_checked))]
        if self.are_of_handles {
            return LaneWindow::expecting(values, lane, keys.dense(), self.handles, self.handle);
        }
        LaneWindow::new(values, lane)
    }

    /// Returns the matches that have the next optional item.
    #[inline(always)]
    pub(super) fn presence(&mut self) -> Presence {
        let Some((presence, others)) = self.optional.split_first() else { return Presence::NONE };
        self.optional = others;
        *presence
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_within_copied_data_move() {
        let (from, to) = ([1_u32, 2, 3], [4_u32, 5, 6]);
        let [first, end] = [0, 3].map(|at| from.as_ptr().wrapping_add(at).cast());
        assert_eq!(moved(first, &from, &to), to.as_ptr().cast());
        let last = first.wrapping_add(11);
        assert_eq!(moved(last, &from, &to), to.as_ptr().cast::<u8>().wrapping_add(11));
        assert_eq!(moved(end, &from, &to), end);
        let before = first.wrapping_sub(1);
        assert_eq!(moved(before, &from, &to), before);
    }
}
