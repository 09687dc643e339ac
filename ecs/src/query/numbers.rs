//! The matches of terms that are given at run time, found by the common matcher.

use crate::component::access::Access;
use crate::entity::Entity;
use crate::query::inputs::Role;
use crate::query::join::{Held, Items};
use crate::query::matcher::Stores;
use crate::query::plan::{Plan, PlanKind};
use alloc::vec::Vec;

/// The components that a match has, and the ones that it lacks, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers {
    pub(crate) required: Vec<u32>,
    pub(crate) excluded: Vec<u32>,
}

impl Numbers {
    /// Returns a matcher with these inputs that has not begun.
    fn matcher<'w>(&self, stores: Stores<'w>) -> Held<'w> {
        Held::asked(|inputs| {
            for (numbers, role) in
                [(&self.required, Role::Required), (&self.excluded, Role::Excluded)]
            {
                for &number in numbers {
                    inputs.test_one(number, stores.pools.keys_at(number), role);
                }
            }
        })
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

    /// Returns the plan for finding the matches.
    pub(crate) fn plan(&self, stores: Stores<'_>, plan: Option<PlanKind>) -> Plan {
        self.matcher(stores).plan(stores, plan, &Access::Nothing)
    }
}
