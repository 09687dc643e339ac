//! The check of a tiling: for tests, and for tilings read from a file.

use crate::entity::Entity;
use crate::pool::pools::Pools;
use crate::pool::tiling::{BandSet, MOST_BANDS, OfKind, Tiling, bands_of};
use crate::storage::keys::Keys;
use alloc::vec::Vec;

/// A band, with the facts about each of its positions.
struct CheckedBand<'a> {
    members: &'a [Entity],
    /// For each position, `true` if it is noted that its member changed.
    noted: Vec<bool>,
    /// For each position, `true` if it is of a tile or of a single entity.
    covered: Vec<bool>,
}

impl CheckedBand<'_> {
    /// Returns the member of a position, if no change is noted.
    fn kept(&self, position: u32) -> Option<Entity> {
        let at = position as usize;
        (!*self.noted.get(at)?).then(|| self.members[at])
    }

    fn cover(&mut self, position: u32) -> Result<(), &'static str> {
        match self.covered.get_mut(position as usize) {
            Some(true) => Err("O1: a position is of two"),
            Some(covered) => {
                *covered = true;
                Ok(())
            }
            None => Ok(()), // behind the members
        }
    }
}

/// Returns `true` if it is noted that an entity left.
fn has_left(keys: &Keys<Entity>, entity: Entity) -> bool {
    keys.gaps().iter().any(|(gone, _)| *gone == entity)
}

/// Checks O1 to O4.
#[inline]
pub(crate) fn check(pools: &Pools) -> Result<(), &'static str> {
    let Some(tiling) = pools.tiling() else { return Ok(()) };
    let mut bands: Bands<'_> = [const { None }; MOST_BANDS];
    for (at, band) in tiling.bands() {
        bands[at] = checked(tiling, at, pools.keys_at(band.number))?;
    }
    if tiling.waits {
        let has_none = tiling.kinds.is_empty();
        return if has_none { Ok(()) } else { Err("O4: bands that wait for an order have tiles") };
    }
    for of in &tiling.kinds {
        check_tiles(pools, tiling, of, &bands)?;
        check_single(pools, tiling, of, &mut bands)?;
    }
    check_covered(&bands)
}

/// The bands; `None` for a scattered band, whose positions are not checked.
type Bands<'a> = [Option<CheckedBand<'a>>; MOST_BANDS];

/// Checks a band by itself, and returns the positions that its tiles cover.
#[inline]
fn checked<'a>(
    tiling: &Tiling,
    at: usize,
    keys: &'a Keys<Entity>,
) -> Result<Option<CheckedBand<'a>>, &'static str> {
    let mut end = 0;
    for &(start, tile) in &tiling.band(at).row {
        let of = tiling.tile(tile);
        if of.kind >> at & 1 == 0 || tiling.start(tile, at) != start || start < end {
            return Err("O1: the tiles of a band overlap, or differ from the row");
        }
        if of.len == 0 {
            return Err("O1: a tile has no members");
        }
        end = start.checked_add(of.len).ok_or("O1: a tile ends behind all positions")?;
    }
    let is_edited = keys.edits() != 0 || keys.kept() != keys.len();
    if keys.band().is_some_and(|mark| usize::from(mark) != at || tiling.waits || is_edited) {
        return Err("O2: a band is marked despite its edits");
    }
    if keys.is_scattered() {
        return Ok(None);
    }
    let state = keys.noted();
    let most = keys.len() + state.gaps.len();
    if state.tiled as usize > most
        || end > state.tiled
        || state.least > state.tiled
        || state.least as usize > keys.len()
        || state.gaps.iter().any(|(_, position)| *position >= state.tiled)
    {
        return Err("O2: changes are noted of more positions than there are");
    }
    let members = keys.dense();
    let mut noted: Vec<bool> = (0..members.len()).map(|at| at >= keys.kept()).collect();
    for (_, position) in keys.gaps() {
        if let Some(noted) = noted.get_mut(*position as usize) {
            *noted = true;
        }
    }
    let covered = alloc::vec![false; members.len()];
    let mut checked = CheckedBand { members, noted, covered };
    for &(start, tile) in &tiling.band(at).row {
        (start..start + tiling.tile(tile).len).try_for_each(|position| checked.cover(position))?;
    }
    Ok(Some(checked))
}

/// Returns `true` if an entity is at no kept position of bands that its kind lacks.
#[inline]
fn lacks(pools: &Pools, tiling: &Tiling, bands: &Bands<'_>, kind: BandSet, entity: Entity) -> bool {
    tiling.bands().filter(|(at, _)| kind >> at & 1 == 0).all(|(at, band)| {
        let Some(checked) = &bands[at] else { return true };
        let found = pools.keys_at(band.number).find(entity);
        found.is_none_or(|position| checked.noted[position])
    })
}

/// Checks O2 for the tiles of a kind.
#[inline]
fn check_tiles(
    pools: &Pools,
    tiling: &Tiling,
    of: &OfKind,
    bands: &Bands<'_>,
) -> Result<(), &'static str> {
    for &tile in &of.tiles {
        if tiling.tile(tile).kind != of.kind {
            return Err("O1: a tile is listed for another kind");
        }
        for place in 0..tiling.tile(tile).len {
            let mut owners = bands_of(of.kind)
                .filter_map(|at| bands[at].as_ref()?.kept(tiling.start(tile, at) + place));
            let is_here = |band: usize, owner: Entity| {
                let Some(checked) = &bands[band] else { return true };
                let found = pools.keys_at(tiling.band(band).number).find(owner);
                let here = (tiling.start(tile, band) + place) as usize;
                found.is_none_or(|position| position == here || checked.noted[position])
            };
            if let Some(owner) = owners.next()
                && (owners.any(|other| other != owner)
                    || !bands_of(of.kind).all(|band| is_here(band, owner))
                    || !lacks(pools, tiling, bands, of.kind, owner))
            {
                return Err("O2: a place has two members, or one of another kind");
            }
        }
    }
    Ok(())
}

/// Checks O3 for the single entities of a kind.
#[inline]
fn check_single(
    pools: &Pools,
    tiling: &Tiling,
    of: &OfKind,
    bands: &mut Bands<'_>,
) -> Result<(), &'static str> {
    for (at, &entity) in of.single.iter().enumerate() {
        for band in bands_of(of.kind) {
            let position = of.position(at, band);
            let Some(checked) = &mut bands[band] else { continue };
            checked.cover(position)?;
            let keys = pools.keys_at(tiling.band(band).number);
            let has_moved = || keys.find(entity).is_some() || has_left(keys, entity);
            let is_there = match checked.kept(position) {
                Some(member) => member == entity,
                None => keys.edits() > 0 && has_moved(),
            };
            if !is_there {
                return Err("O3: a single entity is elsewhere");
            }
        }
        if !lacks(pools, tiling, bands, of.kind, entity) || !tiling.is_single(entity, of.kind, at) {
            return Err("O3: a single entity is of another kind");
        }
    }
    Ok(())
}

/// Checks O4.
#[inline]
fn check_covered(bands: &Bands<'_>) -> Result<(), &'static str> {
    let is_known = |checked: &CheckedBand<'_>| {
        checked.noted.iter().zip(&checked.covered).all(|(noted, covered)| *noted || *covered)
    };
    if !bands.iter().flatten().all(is_known) {
        return Err("O4: a member is in no tile, and not single");
    }
    Ok(())
}
