//! What a join takes, told by the numbers of its components.

use crate::group::counts::{Asked, Term};
use crate::query::inputs::Role;
use crate::query::join::Held;
use crate::query::matcher::{Measured, Stores};

/// Returns what it takes to find the matches of a shape without groups; nothing that is optional is looked at. Takes as
/// long as counting the matches.
pub(crate) fn measure(stores: Stores<'_>, terms: &[Term]) -> Measured {
    let mut matcher = Held::asked(|inputs| {
        for term in terms {
            let role = match term.asked {
                Asked::Read | Asked::Required => Role::Required,
                Asked::Excluded => Role::Excluded,
                Asked::Optional => continue,
            };
            inputs.test_one(term.number, stores.pools.keys_at(term.number), role);
        }
    });
    matcher.measure(stores)
}
