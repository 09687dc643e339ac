//! Relations of saved worlds, deltas and change sets: their memory, and their checks.

use crate::entity::Entity;
use crate::format::budget::{Budget, GROWING};
use crate::format::reader::ReadError;
use crate::relation::ends::Ends;
use crate::storage::page::Page;
use crate::storage::sparse_array::PAGE_SHIFT;
use alloc::vec::Vec;

pub(crate) const CIRCLE: &str = "entities point to each other in a circle";
pub(crate) const DEAD: &str = "it points to an entity that is dead";

/// The most bytes that a relation of one entity takes, without pages: in slots, in lists, and in the search for
/// circles.
const RELATED: usize = 160;

/// Pays for a relation with these numbers of sources, targets and indices.
#[inline]
pub(crate) fn pay_relation(
    sources: usize,
    targets: usize,
    indices: usize,
    budget: &mut Budget,
) -> Result<(), ReadError> {
    let pages = (indices >> PAGE_SHIFT) + 1;
    budget.pay(sources, RELATED)?;
    // Pages of slots, of visited sources, and of targets.
    budget.pay(2 * sources.min(pages) + targets.min(pages), Page::MOST_MEMORY)?;
    budget.pay(3 * GROWING * pages, size_of::<usize>())
}

/// Returns the relation of these members. `lists` has, for each target, the positions of its sources, in order;
/// `target` returns the target of the member at a position, if that is alive. The caller has paid for it.
///
/// # Errors
/// Returns an error if a source is not exactly once in the list of its target, or an acyclic relation has a circle.
/// It has the source, if the error is about one.
#[inline]
pub(crate) fn checked_ends(
    like: &Ends,
    acyclic: bool,
    members: &[Entity],
    lists: &[Vec<usize>],
    target: &dyn Fn(usize) -> Option<Entity>,
) -> Result<Ends, (Option<Entity>, ReadError)> {
    let wrong = |entity, what: &str| Err((entity, ReadError::new(what)));
    let count = members.len();
    if lists.iter().map(Vec::len).sum::<usize>() != count {
        return wrong(None, "not all entities with the relation are listed");
    }
    let mut ends = like.with_ends((count, lists.len().min(count)), core::iter::empty());
    for list in lists {
        let mut common = None;
        for &at in list {
            let source = members[at];
            let Some(target) = target(at) else { return wrong(Some(source), DEAD) };
            if *common.get_or_insert(target) != target {
                let what = "it is listed with sources that point to another entity";
                return wrong(Some(source), what);
            }
            ends.point(source, target);
        }
    }
    if ends.len() != count {
        return wrong(None, "an entity is listed twice");
    }
    if acyclic && ends.has_circle() {
        return wrong(None, CIRCLE);
    }
    Ok(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relation_pays_for_its_members_and_their_pages() {
        let is_enough = |members: (usize, usize), indices, room| {
            pay_relation(members.0, members.1, indices, &mut Budget::new(room)).is_ok()
        };
        // In three pages, two of slots and of visited sources for each, and one of targets.
        let pages = |count| count * Page::MOST_MEMORY;
        let pointers = 3 * 3 * 3 * size_of::<usize>();
        let room = 5 * RELATED + pages(3 + 3 + 3) + pointers;
        assert!(is_enough((5, 4), 2_048, room) && !is_enough((5, 4), 2_048, room - 1));
        // No more pages than members.
        let room = 2 * RELATED + pages(2 + 2 + 1) + pointers;
        assert!(is_enough((2, 1), 3_071, room) && !is_enough((2, 1), 3_071, room - 1));
        assert!(!is_enough((2, 1), 3_072, room), "a fourth page");
    }
}
