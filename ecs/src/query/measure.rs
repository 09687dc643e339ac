//! What a join takes, told by the numbers of its components.

use crate::group::counts::{Term, TermRole};
use crate::group::groups::Groups;
use crate::query::inputs::{NEAR_PAGES, Role, most_looked_up};
use crate::query::join::Held;
use crate::query::matcher::{Source, Stores, is_small};
use crate::storage::sparse_array::PAGE_LEN;

/// What it takes to find the matches of a query without groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Measured {
    pub(crate) matches: usize,
    /// The members of the smallest pool.
    pub(crate) members: usize,
    /// The words of bits that are joined, or the members that are looked up.
    pub(crate) words: usize,
    pub(crate) looked_up: usize,
    /// Whether all pools have the same members in one order, so that nothing is searched.
    pub(crate) is_in_step: bool,
    /// Whether pages come from memory.
    pub(crate) is_far: bool,
    /// A group that owns some of what is read serves at most so many matches, and one that owns nothing.
    pub(crate) most_of_half: usize,
    pub(crate) most_of_list: usize,
}

/// Returns what it takes to find the matches of a shape without groups; nothing that is optional is looked at. Takes as
/// long as counting the matches.
pub(crate) fn measure(stores: Stores<'_>, terms: &[Term]) -> Measured {
    static NO_GROUPS: Groups = Groups::new();
    let stores = Stores { groups: &NO_GROUPS, ..stores };
    let mut matcher = Held::asked(|inputs| {
        for term in terms {
            let role = match term.role {
                TermRole::Read | TermRole::Required => Role::Required,
                TermRole::Excluded => Role::Excluded,
                TermRole::Optional => continue,
            };
            inputs.test_one(term.number, stores.pools.keys_at(term.number), role);
        }
    });
    matcher.finish(stores);
    matcher.choose(stores, None, true);
    let inputs = &matcher.search.inputs;
    let driver = inputs.driver;
    let (mut is_in_step, mut words, mut looked_up) = (false, 0, 0);
    match matcher.source().0 {
        Source::Slices(slices) => {
            let len = slices.members.len();
            is_in_step = slices.are_aligned || inputs.are_in_step(0..len);
            if is_in_step {
                inputs.mark_in_step(false);
            } else {
                looked_up = len;
            }
        }
        Source::Members(members) => looked_up = members.list.len(),
        Source::Pages => words = driver.page_count() * PAGE_LEN / 64,
    }
    let pages = if is_small(driver) { 0 } else { driver.page_count() };
    Measured {
        most_of_half: pages * most_looked_up(inputs, false),
        most_of_list: pages * most_looked_up(inputs, true),
        is_far: driver.page_count() > NEAR_PAGES,
        words,
        looked_up,
        is_in_step,
        members: driver.len(),
        matches: matcher.count_unseen(stores, None),
    }
}
