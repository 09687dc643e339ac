//! The state of the ordered pools, at which repairs look first.

use crate::component::set::ComponentSet;
use crate::pool::pools::Pools;
use crate::pool::tiling::BandSet;

/// The state of all bands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Survey {
    /// The bands that were edited, and those with members that moved in ways that are not noted, or that the program
    /// sorts.
    pub(crate) edited: BandSet,
    pub(super) lost: BandSet,
    /// The components of all bands, and the bands that share a bit with others.
    pub(crate) components: ComponentSet,
    pub(crate) shared: BandSet,
    /// The number of edits and of members of all bands. While bands wait for their first order, only edited bands count.
    pub(super) edits: i64,
    pub(super) members: i64,
}

/// Looks at all bands.
pub(crate) fn survey(pools: &Pools) -> Survey {
    let components = ComponentSet::EMPTY;
    let mut all = Survey { edited: 0, lost: 0, components, shared: 0, edits: 0, members: 0 };
    let Some(tiling) = pools.tiling() else { return all };
    for (at, band) in tiling.bands() {
        let (keys, bit) = (pools.keys_at(band.number), 1 << at);
        all.components.insert(band.number);
        if ComponentSet::is_shared(band.number) {
            all.shared |= bit;
        }
        all.members += scale(keys.len());
        if keys.band().is_none() {
            all.edited |= bit;
            if keys.is_scattered() || keys.is_pinned() {
                all.lost |= bit;
            } else {
                let edits = i64::try_from(keys.edits()).unwrap_or(i64::MAX / 256);
                all.edits += edits + i64::from(!tiling.waits);
            }
        }
    }
    all
}

/// Returns a number of members in which prices are given.
pub(super) fn scale(members: usize) -> i64 {
    i64::try_from(members).unwrap_or(i64::MAX >> 32) + 64
}
