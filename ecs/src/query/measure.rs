//! The cost of a join, by the numbers of its components.

use crate::group::counts::{ShapeTerm, TermRole};
use crate::group::groups::Groups;
use crate::query::inputs::{NEAR_PAGES, Role, most_looked_up};
use crate::query::join::Held;
use crate::query::matcher::{MatchSource, Stores, is_small};
use crate::storage::sparse_array::PAGE_LEN;

/// The cost of finding the matches of a query without groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Measured {
    pub(crate) matches: usize,
    /// The members of the smallest pool.
    pub(crate) members: usize,
    /// The number of words of bits that are joined, and the number of members that are looked up.
    pub(crate) words: usize,
    pub(crate) looked_up: usize,
    /// `true` if all pools have equal members in one order, so that nothing is searched.
    pub(crate) is_in_step: bool,
    /// `true` if pages come from memory.
    pub(crate) is_far: bool,
    /// The most matches that a group serves well: a group that owns some of the pools that are read, and one that owns
    /// nothing.
    pub(crate) most_of_half: usize,
    pub(crate) most_of_list: usize,
}

/// Measures the cost of finding the matches of a shape without groups, ignoring optional terms. Takes as long as
/// counting the matches.
pub(crate) fn measure(stores: Stores<'_>, terms: &[ShapeTerm]) -> Measured {
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
        MatchSource::Slices(slices) => {
            let len = slices.members.len();
            is_in_step = slices.are_aligned || inputs.are_in_step(0..len);
            if is_in_step {
                inputs.mark_in_step(false);
            } else {
                looked_up = len;
            }
        }
        MatchSource::Runs(_) => is_in_step = true,
        MatchSource::Members(members) => looked_up = members.list.len(),
        MatchSource::Pages => words = driver.page_count() * PAGE_LEN / 64,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::index_of;
    use crate::{Component, Entity, World};
    use core::num::NonZeroU32;
    use std::vec::Vec;

    #[derive(Component)]
    struct A;
    #[derive(Component)]
    struct B;

    /// Measures the join of both components.
    fn measured(world: &World) -> Measured {
        let both = [index_of::<A>().get(), index_of::<B>().get()];
        let terms = both.map(|number| ShapeTerm::new(number, TermRole::Read));
        measure(world.stores(), &terms)
    }

    #[test]
    fn pools_in_one_order_need_no_search() {
        let mut world = World::new();
        let entities: Vec<Entity> = world.spawn_batch((0..1_900).map(|_| ()));
        for &entity in entities.iter().rev() {
            world.insert(entity, (A, B)).unwrap();
        }
        let found = measured(&world);
        assert_eq!((found.matches, found.members, found.is_in_step), (1_900, 1_900, true));
        assert_eq!((found.words, found.looked_up), (0, 0));
    }

    #[test]
    fn the_words_of_pools_in_other_orders_are_joined() {
        let mut world = World::new();
        let entities: Vec<Entity> = world.spawn_batch((0..1_900).map(|_| A));
        entities.iter().rev().for_each(|&entity| world.insert(entity, B).unwrap());
        let found = measured(&world);
        assert_eq!((found.matches, found.is_in_step), (1_900, false));
        assert_eq!((found.words, found.looked_up), (32, 0));
    }

    #[test]
    fn more_pages_are_farther_and_let_groups_have_more_matches() {
        let mut world = World::new();
        let mut spread = |index: u32| {
            let entity = Entity::new(index, NonZeroU32::MIN); // the pools do not test if it is alive
            world.pools.get_or_create::<A>().insert(entity, A);
            world.pools.get_or_create::<B>().insert(entity, B);
            measured(&world)
        };
        let found = spread(19 * 1_024);
        assert_eq!((found.most_of_half, found.most_of_list, found.is_far), (160, 40, false));
        let (near, far) = (spread(511 * 1_024), spread(512 * 1_024));
        assert!(!near.is_far && far.is_far);
    }
}
