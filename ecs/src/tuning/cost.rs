//! What walks, edits and declarations cost, in units of a sixteenth of a match that is read without a group.
//!
//! The figures behind these are in `docs/decisions/0036-a-layout-that-tunes-itself.md`. Times vary tenfold with the size
//! of a world, ratios less: so costs are ratios.

use crate::group::state::Terms;
use crate::query::measure::Measured;

/// A match that is found among others by the words of bits, and read.
pub(super) const MATCH: u64 = 16;
/// The same where a word holds more than [`DENSE`] matches, or where a group owns all that is read.
const DENSE_MATCH: u64 = 6;
const OWNED_MATCH: u64 = 2;
const DENSE: usize = 8;
/// A match where those that have what is optional are known to come first.
const SPLIT_MATCH: u64 = 4;
/// A word of bits that is joined.
const WORD: u64 = 2;
/// To begin a search.
const WALK: u64 = 12 * MATCH;
/// A match that is looked up in the pools that a group does not own, and of a group that owns nothing; the same where
/// pages come from memory, as a match without a group then does.
const HALF_MATCH: [u64; 2] = [20, 11];
const LISTED_MATCH: [u64; 2] = [40, 18];
/// An entity that enters or leaves a group: in its list, or to find out, and in each pool that is owned; where all is in
/// the caches, and where pages come from memory.
const CROSSING: [u64; 2] = [3 * MATCH, 8 * MATCH];
const CROSSING_A_POOL: [u64; 2] = [3 * MATCH, 6 * MATCH];
/// Another edit of a component that a group names.
const MISS: [u64; 2] = [4 * MATCH, 12 * MATCH];
/// A member of the smallest pool when a group is declared.
const DECLARED: u64 = 3 * MATCH;

/// What one walk of a shape costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Walk {
    /// Without a group.
    pub(super) none: u64,
    /// With a group that owns all that is read, some of it, or nothing.
    pub(super) owned: u64,
    pub(super) half: u64,
    pub(super) listed: u64,
}

impl Walk {
    pub(super) fn of(measured: &Measured, reads: bool, is_split: bool) -> Self {
        let Measured { matches, words, looked_up, is_in_step, is_far, .. } = *measured;
        if is_split {
            // Each match is looked up in the pool of what is optional, or those that have it come first.
            let none = WALK + matches as u64 * MATCH;
            let owned = matches as u64 * SPLIT_MATCH;
            return Self { none, owned, half: none, listed: none };
        }
        if !reads {
            let none = WALK + words as u64 * WORD + looked_up as u64 * MATCH;
            return Self { none, owned: 0, half: 0, listed: 0 };
        }
        let owned = matches as u64 * OWNED_MATCH;
        if is_in_step || measured.members <= 1 {
            let none = if measured.members <= 1 { owned } else { owned + WALK };
            return Self { none, owned, half: none, listed: none };
        }
        let a_match = if matches > words * DENSE { DENSE_MATCH } else { MATCH };
        let none = match looked_up {
            0 => WALK + words as u64 * WORD + matches as u64 * a_match,
            looked_up => WALK + looked_up as u64 * MATCH,
        };
        let looked_up = |most: usize, a_match: [u64; 2]| {
            let cost = WALK + matches as u64 * a_match[usize::from(is_far)];
            if matches <= most { cost.min(none) } else { none }
        };
        let half = looked_up(measured.most_of_half, HALF_MATCH);
        let listed = looked_up(measured.most_of_list, LISTED_MATCH);
        Self { none, owned, half, listed }
    }
}

/// What a group pays for so many crossings and other edits.
pub(super) fn edits(terms: &Terms, crossings: u64, misses: u64, is_far: bool) -> u64 {
    let far = usize::from(is_far);
    let crossing = CROSSING[far] + CROSSING_A_POOL[far] * terms.owned.len() as u64;
    crossings * crossing + misses * MISS[far]
}

/// What it costs to declare a group, the smallest pool of which has so many members.
pub(super) const fn declaration(members: usize) -> u64 {
    members as u64 * DECLARED
}
