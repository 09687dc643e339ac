//! The matches of terms that only the running program knows: found by the same matcher.

use crate::component::access::Access;
use crate::entity::Entity;
use crate::query::inputs::{Inputs, Role};
use crate::query::join::{Held, Items};
use crate::query::matcher::Stores;
use crate::query::plan::{Plan, PlanKind};
use alloc::vec::Vec;

/// The components that a match has, and those that it lacks, by their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers {
    pub(crate) required: Vec<u32>,
    pub(crate) excluded: Vec<u32>,
}

impl Numbers {
    fn ask<'w>(&self, stores: Stores<'w>, inputs: &mut Inputs<'w>) {
        for (numbers, role) in [(&self.required, Role::Required), (&self.excluded, Role::Excluded)]
        {
            for &number in numbers {
                inputs.test_one(number, stores.pools.keys_at(number), role);
            }
        }
    }

    /// All matches, found in this way, if it can be, or in the best one.
    pub(crate) fn entities<'w>(
        &self,
        stores: Stores<'w>,
        plan: Option<PlanKind>,
    ) -> Items<'w, Entity> {
        Items::of_asked(stores, plan, |inputs| self.ask(stores, inputs))
    }

    /// Returns the matches whose index is this one or greater, in the order of their indices.
    pub(crate) fn entities_from<'w>(&self, stores: Stores<'w>, index: u32) -> Items<'w, Entity> {
        Items::of_asked_from(stores, index, |inputs| self.ask(stores, inputs))
    }

    /// How matches are found.
    pub(crate) fn plan(&self, stores: Stores<'_>, plan: Option<PlanKind>) -> Plan {
        let mut matcher = Held::asked(|inputs| self.ask(stores, inputs));
        matcher.plan(stores, plan, &Access::Nothing)
    }
}
