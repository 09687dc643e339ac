//! The tiles of ordered pools: stretches of members that lie alike in all their pools.
//!
//! ```text
//! A   [ 4  7  1 | 9  3 | 8 | 6  2  5 ]     4 7 1: kind AB    9 3: kind ABC    8: kind AB, single    6 2 5: kind A
//! B   [ 4  7  1 | 9  3 | 8 ]
//! C   [ 9  3 ]
//! ```
//!
//! A *band* is an ordered pool. A *kind* is a set of bands; the entities of a kind have just these components among the
//! ordered ones. A *tile* has neighbours of one kind, in one order in each pool of the kind. All other members are
//! *single*: they lie wherever there is room, and make room for tiles.
//!
//! Keys note the positions that their members left since the last repair. All other positions are *kept*.
//!
//! * O1: no position of a band is of two tiles, of two single entities, or of both. Each tile has a member.
//! * O2: a tile has one member at the kept positions of a place. It is at no other kept position of any band.
//! * O3: a single entity is at its kept positions, and at no kept position of other bands.
//! * O4: each kept position is of a tile or of a single entity; unless the bands wait for their first order. Then there are no
//!   tiles and no single entities.

use crate::entity::Entity;
use crate::storage::sparse_set::SparseSet;
use alloc::vec::Vec;

/// The most bands: the bits of a [`BandSet`].
pub(crate) const MOST_BANDS: usize = 64;

/// A set of bands, one bit each.
pub(crate) type BandSet = u64;

/// One position for each band.
pub(crate) type BandPositions = [u32; MOST_BANDS];

/// An ordered pool.
#[derive(Clone, Debug, Default)]
pub(crate) struct Band {
    /// The number of its component, or [`NONE`].
    pub(crate) number: u32,
    /// Its tiles, with their first positions, in order.
    pub(crate) row: Vec<(u32, u32)>,
}

/// The number of no component.
const NONE: u32 = u32::MAX;

/// Neighbours of one kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tile {
    pub(crate) kind: BandSet,
    pub(crate) len: u32,
}

/// The entities of a kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct OfKind {
    pub(crate) kind: BandSet,
    /// The tiles, in the order in which they were made.
    pub(crate) tiles: Vec<u32>,
    pub(crate) single: Vec<Entity>,
    /// The positions of each single entity, `stride` for each: one for each band, up to the highest one of the kind.
    positions: Vec<u32>,
    stride: usize,
}

/// The place of a single entity: its kind, and its place within the kind.
type Seat = (u32, u32);

/// The tiles of all ordered pools of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tiling {
    bands: Vec<Band>,
    /// The band of each component number, if any is ordered.
    by_number: Vec<u8>,
    tiles: Vec<Tile>,
    /// The first position of each tile in each band, `stride` for each tile.
    starts: Vec<u32>,
    stride: usize,
    pub(crate) unused: Vec<u32>,
    pub(crate) kinds: Vec<OfKind>,
    /// The places of kinds in the list, in the order of the kinds.
    by_kind: Vec<(BandSet, u32)>,
    seats: SparseSet<Seat, Entity>,
    /// `true` if there are no tiles yet: all bands wait for their first order.
    pub(crate) waits: bool,
}

/// Returns the numbers of the bands of a kind.
#[inline(always)]
pub(crate) fn bands_of(mut kind: BandSet) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let band = (kind != 0).then(|| kind.trailing_zeros() as usize);
        kind &= kind.wrapping_sub(1);
        band
    })
}

/// Returns the number of bands of a kind.
pub(crate) const fn count_of(kind: BandSet) -> u32 {
    kind.count_ones()
}

/// Returns the number of tiles that begin at or before this position.
#[inline(always)]
fn up_to(row: &[(u32, u32)], position: u32) -> usize {
    row.partition_point(|tile| tile.0 <= position)
}

/// Returns the bytes of a list on the heap.
pub(crate) fn heap<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

impl OfKind {
    /// Returns the position of a single entity in a band of the kind.
    #[inline(always)]
    pub(crate) fn position(&self, at: usize, band: usize) -> u32 {
        self.positions[at * self.stride + band]
    }

    /// Returns the positions of the single entities from this one on, in a band of the kind.
    #[inline(always)]
    pub(crate) fn positions_from(&self, at: usize, band: usize) -> impl Iterator<Item = u32> {
        let positions = self.positions.get(at * self.stride + band..).unwrap_or(&[]);
        positions.iter().step_by(self.stride.max(1)).copied()
    }
}

impl Tiling {
    /// Returns the band with this number; it must exist.
    #[inline(always)]
    pub(crate) fn band(&self, band: usize) -> &Band {
        &self.bands[band]
    }

    /// Returns the numbers of all bands, and the bands.
    #[inline]
    pub(crate) fn bands(&self) -> impl Iterator<Item = (usize, &Band)> {
        self.bands.iter().enumerate().filter(|(_, band)| band.number != NONE)
    }

    /// Returns all bands.
    #[inline]
    pub(crate) fn all(&self) -> BandSet {
        self.bands().fold(0, |all, (band, _)| all | 1 << band)
    }

    /// Returns the component numbers of all bands.
    pub(crate) fn numbers(&self) -> Vec<u32> {
        self.bands().map(|(_, band)| band.number).collect()
    }

    /// Returns the band of the component with this number.
    #[inline(always)]
    pub(crate) fn band_with(&self, number: u32) -> Option<usize> {
        let band = *self.by_number.get(number as usize)?;
        (band != u8::MAX).then_some(usize::from(band))
    }

    /// Adds a band without tiles. Returns `None` if there are too many.
    pub(crate) fn add_band(&mut self, number: u32) -> Option<usize> {
        let at = match self.bands.iter().position(|band| band.number == NONE) {
            Some(at) => at,
            None if self.bands.len() == MOST_BANDS => return None,
            None => {
                self.bands.push(Band::default());
                self.bands.len() - 1
            }
        };
        self.bands[at].number = number;
        if self.by_number.len() <= number as usize {
            self.by_number.resize(number as usize + 1, u8::MAX);
        }
        self.by_number[number as usize] = u8::try_from(at).unwrap_or(u8::MAX);
        if at >= self.stride {
            self.widen((at + 1).next_power_of_two().max(8));
        }
        Some(at)
    }

    /// Makes room for this many bands.
    fn widen(&mut self, stride: usize) {
        let mut starts = alloc::vec![0; self.tiles.len() * stride];
        if self.stride > 0 {
            let rows = self.starts.chunks(self.stride);
            for (to, from) in starts.chunks_mut(stride).zip(rows) {
                to[..from.len()].copy_from_slice(from);
            }
        }
        (self.starts, self.stride) = (starts, stride);
    }

    #[inline(always)]
    pub(crate) fn tile(&self, tile: u32) -> Tile {
        self.tiles[tile as usize]
    }

    /// Returns the first position of a tile in a band of its kind.
    #[inline(always)]
    pub(crate) fn start(&self, tile: u32, band: usize) -> u32 {
        self.starts[tile as usize * self.stride + band]
    }

    /// Returns the tile that has this position of a band, and its place there.
    #[inline]
    pub(crate) fn find(&self, band: usize, position: u32) -> Option<(u32, u32)> {
        let row = &self.bands[band].row;
        let (start, tile) = match row.last() {
            Some(last) if last.0 <= position => *last,
            _ => row[up_to(row, position).checked_sub(1)?],
        };
        let place = position - start;
        (place < self.tile(tile).len).then_some((tile, place))
    }

    /// Returns the first position of the tile that follows this one in a band.
    #[inline]
    pub(crate) fn next_start(&self, tile: u32, band: usize) -> Option<u32> {
        let row = &self.bands[band].row;
        row.get(up_to(row, self.start(tile, band))).map(|next| next.0)
    }

    /// Returns the entities of a kind.
    #[inline]
    pub(crate) fn of_kind(&self, kind: BandSet) -> Option<&OfKind> {
        let at = self.by_kind.binary_search_by_key(&kind, |of| of.0).ok()?;
        Some(&self.kinds[self.by_kind[at].1 as usize])
    }

    /// Returns the place of the entities of a kind in the list of all.
    fn kind_at(&mut self, kind: BandSet) -> usize {
        match self.by_kind.binary_search_by_key(&kind, |of| of.0) {
            Ok(at) => self.by_kind[at].1 as usize,
            Err(at) => {
                let (place, stride) =
                    (self.kinds.len(), (BandSet::BITS - kind.leading_zeros()) as usize);
                #[expect(clippy::cast_possible_truncation, reason = "fewer than entities")]
                self.by_kind.insert(at, (kind, place as u32));
                self.kinds.push(OfKind { kind, stride, ..OfKind::default() });
                place
            }
        }
    }

    /// Returns the gaps between tiles in a band with this many members: first positions and lengths, in order.
    pub(crate) fn gaps(&self, band: usize, members: u32) -> impl Iterator<Item = (u32, u32)> {
        let tiles = self.band(band).row.iter().map(|&(start, tile)| (start, self.tile(tile).len));
        let mut end = 0;
        tiles.chain([(members, 0)]).filter_map(move |(start, len)| {
            let gap = (end, start.saturating_sub(end));
            end = start + len;
            (gap.1 > 0).then_some(gap)
        })
    }

    /// Adds a tile with these first positions in the bands of its kind.
    pub(crate) fn add(&mut self, kind: BandSet, len: u32, starts: &BandPositions) {
        #[expect(clippy::cast_possible_truncation, reason = "fewer than members")]
        let id = self.unused.pop().unwrap_or_else(|| {
            self.tiles.push(Tile::default());
            self.starts.resize(self.tiles.len() * self.stride, 0);
            self.tiles.len() as u32 - 1
        });
        self.tiles[id as usize] = Tile { kind, len };
        for band in bands_of(kind) {
            self.starts[id as usize * self.stride + band] = starts[band];
        }
        self.enlist(id);
    }

    /// Removes all tiles and single entities: all bands wait for their first order.
    pub(crate) fn restart(&mut self) {
        self.waits = true;
        self.bands.iter_mut().for_each(|band| band.row.clear());
        self.tiles.clear();
        self.starts.clear();
        self.unused.clear();
        self.kinds.clear();
        self.by_kind.clear();
        self.seats.clear();
    }

    /// Returns all tiles, with unused ones.
    #[cfg(feature = "serde")]
    pub(crate) fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// Returns the bytes on the heap.
    #[inline]
    pub(crate) fn memory(&self) -> usize {
        let rows = self.bands.iter().map(|band| heap(&band.row));
        let of_kind = |of: &OfKind| heap(&of.tiles) + heap(&of.single) + heap(&of.positions);
        rows.sum::<usize>()
            + self.kinds.iter().map(of_kind).sum::<usize>()
            + heap(&self.bands)
            + heap(&self.by_number)
            + heap(&self.tiles)
            + heap(&self.starts)
            + heap(&self.unused)
            + heap(&self.kinds)
            + heap(&self.by_kind)
            + self.seats.memory_usage().total()
    }

    /// Adds a tile to the lists of its bands and its kind.
    fn enlist(&mut self, tile: u32) {
        let kind = self.tile(tile).kind;
        for band in bands_of(kind) {
            let start = self.start(tile, band);
            let row = &mut self.bands[band].row;
            row.insert(up_to(row, start), (start, tile));
        }
        let at = self.kind_at(kind);
        self.kinds[at].tiles.push(tile);
    }

    /// Removes a tile from the lists of its bands and its kind.
    fn delist(&mut self, tile: u32) {
        let kind = self.tile(tile).kind;
        for band in bands_of(kind) {
            let start = self.start(tile, band);
            let row = &mut self.bands[band].row;
            row.remove(up_to(row, start) - 1);
        }
        let at = self.kind_at(kind);
        self.kinds[at].tiles.retain(|other| *other != tile);
    }

    /// Changes the number of members of a tile; removes the tile if it has none.
    pub(crate) fn resize(&mut self, tile: u32, len: u32) {
        if len == 0 {
            self.delist(tile);
            self.unused.push(tile);
        }
        self.tiles[tile as usize].len = len;
    }

    /// Returns `true` if this entity is at this place among the single entities of a kind.
    pub(crate) fn is_single(&self, entity: Entity, kind: BandSet, at: usize) -> bool {
        self.seats
            .get(entity)
            .is_some_and(|seat| self.kinds[seat.0 as usize].kind == kind && seat.1 as usize == at)
    }

    /// Returns the kind of a single entity, if it is one.
    #[inline]
    pub(crate) fn kind_of_single(&self, entity: Entity) -> Option<BandSet> {
        let (kind, _) = self.seats.get(entity)?;
        Some(self.kinds[*kind as usize].kind)
    }

    /// Adds a single entity with these positions in the bands of its kind.
    pub(crate) fn add_single(&mut self, entity: Entity, kind: BandSet, positions: &BandPositions) {
        let at = self.kind_at(kind);
        let of = &mut self.kinds[at];
        #[expect(clippy::cast_possible_truncation, reason = "fewer than entities")]
        self.seats.insert(entity, (at as u32, of.single.len() as u32));
        of.single.push(entity);
        of.positions.extend_from_slice(&positions[..of.stride]);
    }

    /// Moves a single entity to this position of a band. Returns its kind, or `None` if it is not single.
    #[inline]
    pub(crate) fn move_single(&mut self, entity: Entity, band: usize, to: u32) -> Option<BandSet> {
        let &(kind, at) = self.seats.get(entity)?;
        let of = &mut self.kinds[kind as usize];
        let is_of_kind = of.kind >> band & 1 != 0;
        if is_of_kind {
            of.positions[at as usize * of.stride + band] = to;
        }
        is_of_kind.then_some(of.kind)
    }

    /// Removes a single entity. Returns its kind, and stores its positions, if it was one.
    pub(crate) fn remove_single(
        &mut self,
        entity: Entity,
        positions: &mut BandPositions,
    ) -> Option<BandSet> {
        let (kind, at) = self.seats.remove(entity)?;
        let of = &mut self.kinds[kind as usize];
        let (stride, at, last) = (of.stride, at as usize, of.single.len() - 1);
        positions[..stride].copy_from_slice(&of.positions[at * stride..][..stride]);
        of.single.swap_remove(at);
        of.positions.copy_within(last * stride.., at * stride);
        of.positions.truncate(last * stride);
        if let Some(moved) = of.single.get(at)
            && let Some(seat) = self.seats.get_mut(*moved)
        {
            seat.1 = u32::try_from(at).unwrap_or(seat.1);
        }
        Some(of.kind)
    }

    /// Removes a band. The kinds of its entities lack it then.
    pub(crate) fn remove_band(&mut self, band: usize) {
        let tiles: Vec<u32> = self.bands[band].row.iter().map(|tile| tile.1).collect();
        for tile in tiles {
            self.delist(tile);
            self.tiles[tile as usize].kind &= !(1 << band);
            if self.tile(tile).kind == 0 {
                self.unused.push(tile);
            } else {
                self.enlist(tile);
            }
        }
        let mut positions = [0; MOST_BANDS];
        for at in 0..self.kinds.len() {
            let kind = self.kinds[at].kind;
            if kind >> band & 1 == 0 {
                continue;
            }
            while let Some(&entity) = self.kinds[at].single.last() {
                self.remove_single(entity, &mut positions);
                if kind != 1 << band {
                    self.add_single(entity, kind & !(1 << band), &positions);
                }
            }
        }
        self.kinds.retain(|of| of.kind >> band & 1 == 0);
        self.by_kind.clear();
        for (at, of) in (0..).zip(&self.kinds) {
            let place = self.by_kind.partition_point(|other| other.0 < of.kind);
            self.by_kind.insert(place, (of.kind, at));
            for entity in &of.single {
                if let Some(seat) = self.seats.get_mut(*entity) {
                    seat.0 = at;
                }
            }
        }
        self.by_number[self.bands[band].number as usize] = u8::MAX;
        self.bands[band] = Band { number: NONE, ..Band::default() };
    }
}

/// Tilings from files. The parts are put together as they were written; [`check`](crate::order::check) decides if they fit.
#[cfg(feature = "serde")]
impl Tiling {
    /// Returns a tiling with bands of these component numbers.
    pub(crate) fn with_bands(numbers: &[Option<u32>]) -> Self {
        let mut tiling = Self::default();
        for number in numbers {
            tiling.bands.push(Band { number: NONE, row: Vec::new() });
            let at = tiling.bands.len() - 1;
            let Some(number) = *number else { continue };
            tiling.bands[at].number = number;
            if tiling.by_number.len() <= number as usize {
                tiling.by_number.resize(number as usize + 1, u8::MAX);
            }
            tiling.by_number[number as usize] = u8::try_from(at).unwrap_or(u8::MAX);
        }
        tiling.widen(numbers.len().next_power_of_two().max(8));
        tiling
    }

    /// Adds the next tile, with its first positions in bands.
    pub(crate) fn push_tile(&mut self, tile: Tile, starts: impl Iterator<Item = (usize, u32)>) {
        let first = self.starts.len();
        self.tiles.push(tile);
        self.starts.resize(first + self.stride, 0);
        starts.for_each(|(band, start)| self.starts[first + band] = start);
    }

    /// Sets the tiles of a band, in their order.
    pub(crate) fn set_row(&mut self, band: usize, tiles: &[u32]) {
        self.bands[band].row = tiles.iter().map(|tile| (self.start(*tile, band), *tile)).collect();
    }

    /// Adds a kind with these tiles.
    pub(crate) fn add_kind(&mut self, kind: BandSet, tiles: Vec<u32>) {
        let at = self.kind_at(kind);
        self.kinds[at].tiles = tiles;
    }
}
