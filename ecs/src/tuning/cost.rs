//! The cost of walks, edits and declarations, in units of a sixteenth of a match that is read without a group.
//!
//! The figures behind these are in `docs/decisions/0004-a-layout-that-tunes-itself.md`. Times vary tenfold with the
//! size of a world, ratios less: so costs are ratios.

use crate::group::state::Terms;
use crate::query::measure::Measured;

/// A match that is found among others by the words of bits, and read.
pub(super) const MATCH: u64 = 16;
/// A match if a word has more than [`DENSE`] matches, and a match if a group owns all pools that are read.
const DENSE_MATCH: u64 = 6;
const OWNED_MATCH: u64 = 2;
const DENSE: usize = 8;
/// A match if the matches with the optional component come first.
const SPLIT_MATCH: u64 = 4;
/// A word of bits that is joined.
const WORD: u64 = 2;
/// The start of a search.
const WALK: u64 = 12 * MATCH;
/// A match that is looked up in the pools that a group does not own, and one of a group that owns nothing. Both
/// in the caches, and if pages come from memory, as for a match without a group.
const HALF_MATCH: [u64; 2] = [20, 11];
const LISTED_MATCH: [u64; 2] = [40, 18];
/// An entity that enters or leaves a group: once for its list or the test, and once for each owned pool; in the caches,
/// and if pages come from memory.
const CROSSING: [u64; 2] = [3 * MATCH, 8 * MATCH];
const CROSSING_A_POOL: [u64; 2] = [3 * MATCH, 6 * MATCH];
/// Another edit of a component that a group names.
const MISS: [u64; 2] = [4 * MATCH, 12 * MATCH];
/// A member of the smallest pool when a group is declared.
const DECLARED: u64 = 3 * MATCH;

/// The cost of one walk of a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Walk {
    /// The cost without a group.
    pub(super) none: u64,
    /// The cost with a group that owns all pools that are read, some of them, or nothing.
    pub(super) owned: u64,
    pub(super) half: u64,
    pub(super) listed: u64,
}

impl Walk {
    pub(super) fn of(measured: &Measured, reads: bool, is_split: bool) -> Self {
        let Measured { matches, words, looked_up, is_in_step, is_far, .. } = *measured;
        if is_split {
            // Each match is looked up in the optional pool, or the matches that have the component come
            // first.
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

/// Returns the cost of a group for this many crossings and other edits.
pub(super) fn edits(terms: &Terms, crossings: u64, misses: u64, is_far: bool) -> u64 {
    let far = usize::from(is_far);
    let crossing = CROSSING[far] + CROSSING_A_POOL[far] * terms.owned.len() as u64;
    crossings * crossing + misses * MISS[far]
}

/// Returns the cost of declaring a group with this many members in its smallest pool.
pub(super) const fn declaration(members: usize) -> u64 {
    members as u64 * DECLARED
}
