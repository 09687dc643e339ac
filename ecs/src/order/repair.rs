//! Repairs of a tiling after edits: their work is bounded by the edits since the last one.
//!
//! 1. The keys have noted which members left, and which positions others took. A member of a tile that is only out of
//!    place in some bands is moved back. Otherwise its place is empty. Single members are where they moved to.
//! 2. Each new member gets an empty place of its kind, or one behind a tile of its kind. Single members that lie there
//!    make room.
//! 3. The empty places that are left are filled by single members of the kind, or by its last ones.
//! 4. All other new members are single. Where there are enough of a kind, they become a tile.

use crate::component::set::ComponentSet;
use crate::entities::Entities;
use crate::entity::Entity;
use crate::order::survey::Survey;
use crate::pool::pools::Pools;
use crate::pool::tiling::{BandPositions, BandSet, MOST_BANDS, Tiling, bands_of, count_of, heap};
use crate::storage::keys::Keys;
use alloc::vec::Vec;

/// A place of a tile.
type Spot = (u32, u32);

/// The least number of single members that become a tile.
const LEAST: usize = 32;

/// The number of tiles of a kind behind which room is looked for: the last ones.
const MOST_TRIED: usize = 4;

/// The memory of repairs, kept for the next one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// Places that are wrong in a band.
    wrong: Vec<(u32, u32, BandSet)>,
    /// Positions of members that may have no place.
    noted: Vec<(usize, u32)>,
    /// For each band, one bit for each position of an empty place, if the band is the lowest of the kind.
    empty: Vec<Vec<u64>>,
    /// The empty places.
    empties: ByKind<Spot>,
    /// The members that got no place.
    left: ByKind<Entity>,
    /// One bit for each entity index that was seen.
    seen: Vec<u64>,
    members: Vec<Entity>,
    /// For each band, the number of exchanges because entities gained or lost its component.
    flips: Vec<i64>,
}

/// Lists, one for each kind, in the order of the kinds.
#[derive(Clone, Debug)]
struct ByKind<T>(Vec<(BandSet, Vec<T>)>);

impl<T> Default for ByKind<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Ord> ByKind<T> {
    fn push(&mut self, kind: BandSet, element: T) {
        let at = self.0.binary_search_by_key(&kind, |list| list.0);
        let at = at.unwrap_or_else(|at| {
            self.0.insert(at, (kind, Vec::new()));
            at
        });
        self.0[at].1.push(element);
    }

    /// Removes the last element of a kind.
    fn pop(&mut self, kind: BandSet) -> Option<T> {
        let at = self.0.binary_search_by_key(&kind, |list| list.0).ok()?;
        self.0[at].1.pop()
    }

    /// Removes all elements. Returns them sorted, with their kinds.
    fn take(&mut self) -> Vec<(BandSet, T)> {
        let mut all = Vec::new();
        for (kind, list) in &mut self.0 {
            list.sort_unstable();
            all.extend(list.drain(..).map(|element| (*kind, element)));
        }
        all
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|list| list.1.is_empty())
    }

    fn memory(&self) -> usize {
        heap(&self.0) + self.0.iter().map(|list| heap(&list.1)).sum::<usize>()
    }
}

/// A repair under way.
pub(super) struct Repair<'a> {
    pub(super) tiling: &'a mut Tiling,
    pub(super) pools: &'a mut Pools,
    pub(super) entities: &'a Entities,
    scratch: &'a mut Scratch,
    /// The components of all bands.
    pub(super) components: ComponentSet,
    /// The bands with components that share a bit in sets.
    shared: BandSet,
    /// The bands with members that may have moved.
    pub(super) touched: BandSet,
    /// The positions of the entity that is looked at.
    pub(super) positions: BandPositions,
    /// The bands with components that entities gained or lost.
    flipped: BandSet,
}

/// Sets a bit, and returns `true` if it was set.
fn set_bit(words: &mut Vec<u64>, bit: u32) -> bool {
    let (word, bit) = ((bit / 64) as usize, 1 << (bit % 64));
    if words.len() <= word {
        words.resize(word + 1, 0);
    }
    let was_set = words[word] & bit != 0;
    words[word] |= bit;
    was_set
}

#[expect(clippy::cast_possible_truncation, reason = "positions have 32 bits")]
pub(super) fn short(position: usize) -> u32 {
    position as u32
}

impl Repair<'_> {
    #[inline]
    fn keys(&self, band: usize) -> &Keys<Entity> {
        self.pools.keys_at(self.tiling.band(band).number)
    }

    #[inline]
    fn at(&self, band: usize, position: u32) -> Option<Entity> {
        self.keys(band).dense().get(position as usize).copied()
    }

    #[inline]
    fn position(&self, band: usize, entity: Entity) -> Option<u32> {
        self.keys(band).find_index(entity.index()).map(short)
    }

    /// Moves the member at a position of a band to another one. A single member there makes room.
    #[inline]
    fn bring(&mut self, band: usize, from: u32, to: u32) {
        if from == to {
            return;
        }
        if let Some(other) = self.at(band, to)
            && let Some(kind) = self.tiling.move_single(other, band, from)
        {
            self.touched |= kind;
        }
        let number = self.tiling.band(band).number;
        self.pools.at_mut(number).set_mut().swap_at(from as usize, to as usize);
    }

    /// Moves an entity with these positions to a place.
    fn put(&mut self, kind: BandSet, (tile, place): Spot) {
        for band in bands_of(kind) {
            let to = self.tiling.start(tile, band) + place;
            self.bring(band, self.positions[band], to);
        }
    }

    /// Returns the lowest band of a place's kind, and the position there.
    fn bit(&self, (tile, place): Spot) -> (usize, u32) {
        let band = self.tiling.tile(tile).kind.trailing_zeros() as usize;
        (band, self.tiling.start(tile, band) + place)
    }

    fn is_empty(&self, spot: Spot) -> bool {
        let (band, bit) = self.bit(spot);
        let word = self.scratch.empty.get(band).and_then(|words| words.get((bit / 64) as usize));
        word.is_some_and(|word| word >> (bit % 64) & 1 != 0)
    }

    fn set_empty(&mut self, spot: Spot) {
        let (band, bit) = self.bit(spot);
        if self.scratch.empty.len() <= band {
            self.scratch.empty.resize_with(band + 1, Vec::new);
        }
        set_bit(&mut self.scratch.empty[band], bit);
        let kind = self.tiling.tile(spot.0).kind;
        self.scratch.empties.push(kind, spot);
        self.touched |= kind;
    }

    fn clear_empty(&mut self, spot: Spot) {
        let (band, bit) = self.bit(spot);
        self.scratch.empty[band][(bit / 64) as usize] &= !(1 << (bit % 64));
    }

    /// Finds the positions that other members took, and moves the members of tiles back where possible.
    fn collect(&mut self, edited: BandSet) {
        for band in bands_of(edited) {
            self.cut(band);
        }
        for band in bands_of(edited) {
            let keys = self.pools.keys_at(self.tiling.band(band).number);
            for &(gone, position) in keys.gaps() {
                if let Some(kind) = self.tiling.remove_single(gone, &mut self.positions) {
                    self.touched |= kind;
                    let places = bands_of(kind).map(|band| (band, self.positions[band]));
                    self.scratch.noted.extend(places);
                }
                if let Some(&taken_by) = keys.dense().get(position as usize) {
                    self.scratch.note(self.tiling, band, position, taken_by);
                }
            }
            for (position, &entity) in (keys.kept()..).zip(&keys.dense()[keys.kept()..]) {
                self.scratch.note(self.tiling, band, short(position), entity);
            }
        }
        let mut wrong = core::mem::take(&mut self.scratch.wrong);
        wrong.sort_unstable();
        let mut rest = wrong.iter().peekable();
        while let Some(&(tile, place, mut bands)) = rest.next() {
            while let Some(more) = rest.next_if(|next| (next.0, next.1) == (tile, place)) {
                bands |= more.2;
            }
            self.mend((tile, place), bands);
        }
        wrong.clear();
        self.scratch.wrong = wrong;
    }

    /// Shortens tiles that end behind the last member of a band.
    fn cut(&mut self, band: usize) {
        let members = short(self.keys(band).len());
        while let Some(&(start, tile)) = self.tiling.band(band).row.last() {
            let of = self.tiling.tile(tile);
            if start + of.len <= members {
                break;
            }
            let left = members.saturating_sub(start);
            self.touched |= of.kind;
            for other in bands_of(of.kind) {
                let first = self.tiling.start(tile, other);
                self.scratch.noted.extend((left..of.len).map(|place| (other, first + place)));
            }
            self.tiling.resize(tile, left);
        }
    }

    /// Moves the member of a place back to the bands where it lies wrong; or notes that the place is empty.
    fn mend(&mut self, spot: Spot, wrong: BandSet) {
        let (tile, place) = spot;
        let right = self.tiling.tile(tile).kind & !wrong;
        if right != 0 {
            let first = right.trailing_zeros() as usize;
            let owner = self.at(first, self.tiling.start(tile, first) + place);
            if let Some(owner) = owner
                && bands_of(wrong).all(|band| self.position(band, owner).is_some())
            {
                for band in bands_of(wrong) {
                    let to = self.tiling.start(tile, band) + place;
                    if let Some(from) = self.position(band, owner) {
                        self.bring(band, from, to);
                        self.scratch.noted.push((band, from));
                    }
                }
                return;
            }
            self.scratch.noted.push((first, self.tiling.start(tile, first) + place));
            self.flip(wrong, right | wrong);
        }
        self.set_empty(spot);
    }

    /// Notes that an entity of a kind gained or lost these components.
    fn flip(&mut self, flipped: BandSet, of: BandSet) {
        self.flipped |= flipped;
        self.scratch.flips.resize(self.scratch.flips.len().max(MOST_BANDS), 0);
        for band in bands_of(flipped) {
            self.scratch.flips[band] += i64::from(2 * count_of(of));
        }
    }

    /// Returns the kind of an entity, and stores its positions.
    pub(super) fn look_at(&mut self, entity: Entity) -> BandSet {
        let own = self.entities.components(entity).intersection(self.components);
        let mut kind = 0;
        for (word, mut bits) in (0_u32..).zip(own.words()) {
            while bits != 0 {
                let number = word * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                if let Some(band) = self.tiling.band_with(number)
                    && !ComponentSet::is_shared(number)
                {
                    kind |= self.look_in(band, number, entity);
                }
            }
        }
        if self.shared != 0 && own.is_coarse() {
            for band in bands_of(self.shared) {
                kind |= self.look_in(band, self.tiling.band(band).number, entity);
            }
        }
        kind
    }

    /// Stores the position of an entity in a band, and returns the bit of that; or 0 without a position.
    #[inline(always)]
    fn look_in(&mut self, band: usize, number: u32, entity: Entity) -> BandSet {
        let Some(position) = self.pools.keys_at(number).find_index(entity.index()) else {
            return 0;
        };
        self.positions[band] = short(position);
        1 << band
    }

    /// Finds the members at the positions that were noted.
    fn find_members(&mut self) -> Vec<Entity> {
        let mut noted = core::mem::take(&mut self.scratch.noted);
        let mut members = core::mem::take(&mut self.scratch.members);
        members.extend(noted.drain(..).filter_map(|(band, position)| self.at(band, position)));
        self.scratch.noted = noted;
        members
    }

    /// Moves an entity to a place of its kind, if it has none.
    fn settle(&mut self, entity: Entity) {
        let kind = self.look_at(entity);
        self.touched |= kind;
        match self.tiling.kind_of_single(entity) {
            Some(own) if own == kind => return,
            Some(own) => {
                self.tiling.remove_single(entity, &mut [0; MOST_BANDS]);
                self.flip(kind ^ own, kind);
            }
            None => {
                let in_tile = |band| {
                    let spot = self.tiling.find(band, self.positions[band])?;
                    (!self.is_empty(spot)).then_some(spot)
                };
                if let Some(spot) = bands_of(kind).find_map(in_tile) {
                    let own = self.tiling.tile(spot.0).kind;
                    if own == kind {
                        return;
                    }
                    self.set_empty(spot); // it has gained components
                    self.flip(kind ^ own, kind);
                }
            }
        }
        if kind == 0 {
            return;
        }
        match self.next_empty(kind).or_else(|| self.behind(kind)) {
            Some(spot) => self.put(kind, spot),
            None => self.scratch.left.push(kind, entity),
        }
    }

    /// Returns an empty place of this kind, which is not empty any more.
    fn next_empty(&mut self, kind: BandSet) -> Option<Spot> {
        let spot = self.scratch.empties.pop(kind)?;
        self.clear_empty(spot);
        Some(spot)
    }

    /// Adds a place behind a tile of this kind, if there is room.
    fn behind(&mut self, kind: BandSet) -> Option<Spot> {
        let has_room = |&tile: &u32| {
            let len = self.tiling.tile(tile).len;
            bands_of(kind).all(|band| {
                let end = self.tiling.start(tile, band) + len;
                match self.tiling.next_start(tile, band) {
                    Some(next) => end < next,
                    None => (end as usize) < self.keys(band).len(),
                }
            })
        };
        let tiles = &self.tiling.of_kind(kind)?.tiles;
        let tile = *tiles.iter().rev().take(MOST_TRIED).find(|tile| has_room(tile))?;
        let len = self.tiling.tile(tile).len;
        self.tiling.resize(tile, len + 1);
        Some((tile, len))
    }

    /// Takes a single member of this kind, and stores its positions.
    fn take_single(&mut self, kind: BandSet) -> Option<Entity> {
        if let Some(entity) = self.scratch.left.pop(kind) {
            self.look_at(entity);
            return Some(entity);
        }
        let entity = *self.tiling.of_kind(kind)?.single.last()?;
        self.tiling.remove_single(entity, &mut self.positions);
        Some(entity)
    }

    /// Fills the empty places by single members, or by the last members of the kind.
    fn close(&mut self) {
        // The last ones first, so that the last member of a tile has its place.
        for (kind, spot) in self.scratch.empties.take().into_iter().rev() {
            if !self.is_empty(spot) {
                continue; // its tile was shortened
            }
            if self.take_single(kind).is_some() {
                self.clear_empty(spot);
                self.put(kind, spot);
                continue;
            }
            while self.is_empty(spot) {
                let tile = self.tiling.of_kind(kind).and_then(|of| of.tiles.last());
                let tile = *tile.expect("the tile of the place");
                let last = self.tiling.tile(tile).len - 1;
                if self.is_empty((tile, last)) {
                    self.clear_empty((tile, last));
                } else {
                    bands_of(kind).for_each(|band| {
                        self.positions[band] = self.tiling.start(tile, band) + last;
                    });
                    self.put(kind, spot);
                    self.clear_empty(spot);
                }
                self.tiling.resize(tile, last);
            }
        }
    }

    /// Makes the members that are left single, or tiles where there are enough of a kind.
    fn make_tiles(&mut self) {
        let left = self.scratch.left.take();
        let mut rest = &left[..];
        while let Some(&(kind, _)) = rest.first() {
            let some;
            (some, rest) = rest.split_at(rest.partition_point(|(of, _)| *of == kind));
            if self.are_enough(kind, some.len()) {
                let mut all = some.to_vec();
                while let Some(entity) = self.take_single(kind) {
                    all.push((kind, entity));
                }
                let mut all = &all[..];
                while self.are_enough(kind, all.len()) {
                    let made = self.make_tile(kind, all);
                    if made == 0 {
                        break;
                    }
                    all = &all[made..];
                }
                self.make_single(all);
            } else {
                self.make_single(some);
            }
        }
    }

    /// Returns `true` if `more` single members, added to the present ones of the kind, are enough for a tile.
    fn are_enough(&self, kind: BandSet, more: usize) -> bool {
        let Some(of) = self.tiling.of_kind(kind) else { return more >= LEAST };
        let members: usize = of.tiles.iter().map(|tile| self.tiling.tile(*tile).len as usize).sum();
        more + of.single.len() >= LEAST.max(usize::isqrt(members))
    }

    fn make_single(&mut self, members: &[(BandSet, Entity)]) {
        for &(_, entity) in members {
            let kind = self.look_at(entity);
            self.tiling.add_single(entity, kind, &self.positions);
        }
    }

    /// Makes a tile of the first ones of these members of a kind. Returns their number: 0 if all room is
    /// reserved for tiles without members.
    fn make_tile(&mut self, kind: BandSet, members: &[(BandSet, Entity)]) -> usize {
        let wanted = short(members.len());
        let (mut starts, mut room) = ([0; MOST_BANDS], wanted);
        let mut best = [(0, 0); MOST_BANDS];
        for band in bands_of(kind) {
            for gap in self.tiling.gaps(band, short(self.keys(band).len())) {
                if gap.1 >= wanted {
                    best[band] = gap;
                    break;
                } else if gap.1 > best[band].1 {
                    best[band] = gap;
                }
            }
            room = room.min(best[band].1);
        }
        for band in bands_of(kind) {
            // A tile before the gap may grow.
            let (start, len) = best[band];
            let is_last = (start + len) as usize == self.keys(band).len();
            starts[band] = if is_last { start } else { start + len - room };
        }
        if room == 0 {
            return 0;
        }
        let of = &members[..room as usize];
        for (place, (_, entity)) in (0..).zip(of) {
            self.look_at(*entity);
            for band in bands_of(kind) {
                self.bring(band, self.positions[band], starts[band] + place);
            }
        }
        self.tiling.add(kind, room, &starts);
        of.len()
    }

    /// Moves these members to places, and fills the places that are left.
    fn settle_all(&mut self, members: &mut Vec<Entity>) {
        for &entity in &*members {
            if !set_bit(&mut self.scratch.seen, entity.index()) {
                self.settle(entity);
            }
        }
        for entity in members.drain(..) {
            self.scratch.seen[(entity.index() / 64) as usize] = 0;
        }
        self.close();
        self.make_tiles();
    }

    /// Marks the bands as tiled.
    pub(super) fn finish(self) -> BandSet {
        for band in bands_of(self.touched) {
            let pool = self.pools.at_mut(self.tiling.band(band).number);
            let len = pool.len();
            #[expect(clippy::cast_possible_truncation, reason = "there are 64 bands")]
            pool.set_mut().keep(len, Some(band as u8));
        }
        self.flipped
    }
}

impl Scratch {
    /// Returns `true` if nothing is left of a repair.
    fn is_clear(&self) -> bool {
        self.wrong.is_empty()
            && self.noted.is_empty()
            && self.empties.is_empty()
            && self.left.is_empty()
            && self.members.is_empty()
            && self.empty.iter().chain([&self.seen]).flatten().all(|word| *word == 0)
    }

    /// Returns the bytes on the heap.
    #[inline]
    pub(crate) fn memory(&self) -> usize {
        heap(&self.wrong)
            + heap(&self.noted)
            + heap(&self.empty)
            + self.empty.iter().map(heap).sum::<usize>()
            + self.empties.memory()
            + self.left.memory()
            + heap(&self.seen)
            + heap(&self.members)
            + heap(&self.flips)
    }

    /// Returns the number of exchanges because entities gained or lost the component of this band, and forgets it.
    pub(crate) fn take_flips(&mut self, band: usize) -> i64 {
        self.flips.get_mut(band).map_or(0, core::mem::take)
    }

    /// Notes that a member took a position: as wrong if that is of a tile, and as its own if it is single.
    #[inline]
    fn note(&mut self, tiling: &mut Tiling, band: usize, position: u32, entity: Entity) {
        if let Some((tile, place)) = tiling.find(band, position) {
            self.wrong.push((tile, place, 1 << band));
        }
        if tiling.move_single(entity, band, position).is_none() {
            self.noted.push((band, position));
        }
    }
}

/// Begins a repair of the bands that were edited.
pub(super) fn begin<'a>(
    pools: &'a mut Pools,
    tiling: &'a mut Tiling,
    scratch: &'a mut Scratch,
    entities: &'a Entities,
    survey: Survey,
) -> Repair<'a> {
    let Survey { edited: touched, components, shared, .. } = survey;
    let positions = [0; MOST_BANDS];
    scratch.flips.clear();
    debug_assert!(scratch.is_clear(), "a repair left nothing to the next one");
    Repair { tiling, pools, entities, scratch, components, shared, touched, positions, flipped: 0 }
}

/// Repairs the order of all pools, which must have a tiling. Returns the bands with components that entities gained or
/// lost.
pub(crate) fn repair(
    pools: &mut Pools,
    scratch: &mut Scratch,
    entities: &Entities,
    survey: Survey,
) -> BandSet {
    let mut tiling = pools.tiling_mut().take().expect("some pools are ordered");
    let mut repair = begin(pools, &mut tiling, scratch, entities, survey);
    repair.collect(survey.edited);
    let mut members = repair.find_members();
    repair.settle_all(&mut members);
    repair.scratch.members = members;
    let flipped = repair.finish();
    *pools.tiling_mut() = Some(tiling);
    flipped
}
