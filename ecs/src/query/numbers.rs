//! The matches of terms that are given at run time, found by the common matcher.

use crate::component::access::Access;
use crate::entity::Entity;
use crate::query::inputs::{Inputs, Role};
use crate::query::join::{Held, Items};
use crate::query::matcher::Stores;
use crate::query::plan::{Plan, PlanKind};
use alloc::vec::Vec;

/// The components that a match has, and the ones that it lacks, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers {
    pub(crate) required: Vec<u32>,
    pub(crate) excluded: Vec<u32>,
    /// Sets of alternatives: a match has one component of each, or lacks one with `true` beside it.
    pub(crate) any: Vec<Vec<(u32, bool)>>,
}

impl Numbers {
    /// Returns a matcher with these inputs that has not begun.
    fn matcher<'w>(&self, stores: Stores<'w>) -> Held<'w> {
        Held::asked(|inputs| self.add_tests(inputs, stores, |_| true))
    }

    /// Adds the tests, of the required components the ones that `is_added` accepts.
    fn add_tests<'w>(
        &self,
        inputs: &mut Inputs<'w>,
        Stores { pools, .. }: Stores<'w>,
        is_added: impl Fn(u32) -> bool,
    ) {
        for &number in self.required.iter().filter(|number| is_added(**number)) {
            inputs.test_one(number, pools.keys_at(number), Role::Required);
        }
        for &number in &self.excluded {
            inputs.test_one(number, pools.keys_at(number), Role::Excluded);
        }
        for set in &self.any {
            let keys = |&(number, lacks): &(u32, bool)| (number, pools.keys_at(number), lacks);
            inputs.test_any(set.iter().map(keys));
        }
    }

    /// Returns all matches, found by this plan, if possible, or by the best one.
    pub(crate) fn entities<'w>(
        &self,
        stores: Stores<'w>,
        plan: Option<PlanKind>,
    ) -> Items<'w, Entity> {
        let mut matcher = self.matcher(stores);
        matcher.begin(stores, plan);
        Items::of_begun(stores, matcher)
    }

    /// Returns the matches from this index on, in the order of their indices.
    pub(crate) fn entities_from<'w>(&self, stores: Stores<'w>, index: u32) -> Items<'w, Entity> {
        let mut matcher = self.matcher(stores);
        matcher.begin_from(stores, index as usize);
        Items::of_begun(stores, matcher)
    }

    /// Returns the matches as runs: the entities of each are neighbours in all pools with these numbers. Matches have the
    /// components, except the ones with `true` beside them, which all entities of a run have, or none. Returns `None`
    /// if the query requires no component.
    pub(crate) fn runs<'w>(
        &self,
        stores: Stores<'w>,
        read: &(impl Iterator<Item = (u32, bool)> + Clone),
        plan: Option<PlanKind>,
    ) -> Option<EntityRuns<'w>> {
        let mut members = None;
        let mut matcher = Held::asked(|inputs| {
            for (number, is_optional) in read.clone() {
                let keys = stores.pools.keys_at(number);
                if is_optional {
                    inputs.optional(|inputs| inputs.read(number, keys, 0, 0));
                } else {
                    inputs.read(number, keys, 0, 0);
                }
            }
            self.add_tests(inputs, stores, |number| {
                read.clone().all(|read| read != (number, false))
            });
            members = inputs.required.first().map(|input| input.keys.dense());
        });
        matcher.begin_chunks(stores, plan);
        Some(EntityRuns { matcher, members: members? })
    }

    /// Returns the plan for finding the matches.
    #[inline]
    pub(crate) fn plan(&self, stores: Stores<'_>, plan: Option<PlanKind>) -> Plan {
        self.matcher(stores).plan(stores, plan, &Access::Nothing)
    }
}

/// Runs of matches, as their entities.
pub(crate) struct EntityRuns<'w> {
    matcher: Held<'w>,
    /// The members of the pool in whose order the entities are.
    members: &'w [Entity],
}

impl<'w> Iterator for EntityRuns<'w> {
    type Item = &'w [Entity];

    fn next(&mut self) -> Option<&'w [Entity]> {
        let len = self.matcher.next_chunk();
        if len == 0 {
            return None;
        }
        let first = self.matcher.chunk_lanes().handle.first;
        Some(&self.members[first..first + len])
    }
}
