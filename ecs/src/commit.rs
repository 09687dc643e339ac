//! Completing insertions: what follows once values are in their pools and records name them.
//!
//! Every way to insert ends here, so that all keep one order: relations, marks of changes, rows of the changes that
//! listeners are to be notified of, and groups. No user code runs.

use crate::component::set::ComponentSet;
use crate::entities::Entities;
use crate::entity::Entity;
use crate::group::groups::Groups;
use crate::pool::pools::{KnownPosition, Pools};

/// A component that an entity was given.
#[derive(Clone, Copy)]
pub(crate) struct Inserted {
    pub(crate) entity: Entity,
    pub(crate) number: u32,
    /// Whether the entity had none before.
    pub(crate) is_new: bool,
    /// What the component points to, if it is a relation.
    pub(crate) target: Option<Entity>,
    /// Where a new one is in its pool, as far as that is known.
    pub(crate) known: KnownPosition,
}

/// Completes the insertion of one component, of an edit that `has_rows` already or has none yet. Returns `true` if the
/// edit has rows now. Without groups, none watches the component.
#[cold]
#[inline(never)]
pub(crate) fn insertion(
    pools: &mut Pools,
    entities: &mut Entities,
    groups: Option<&mut Groups>,
    inserted: Inserted,
    has_rows: bool,
) -> bool {
    let Inserted { entity, number, is_new, target, known } = inserted;
    if let Some(target) = target {
        pools.relations.link(entities, number, entity, target);
    }
    let has_rows = pools.watch.add_insertion(entity, number, is_new, has_rows);
    if is_new
        && let Some(groups) = groups
        && groups.watch(number)
    {
        groups.update_after(pools, entity, &entities.components(entity), number, known);
    }
    has_rows
}

/// Completes the insertion of these components into many entities. `given` are their numbers, and how many members their
/// pools had before; empty if they need [no rows](crate::pool::watch::Watch::needs_rows). Returns `true` if no entity had any of those that listeners are notified of, and none
/// comes twice.
///
/// Entities that `are_made` were spawned with just these components, and are the last ones of all these pools.
pub(crate) fn insertions(
    pools: &mut Pools,
    entities: &mut Entities,
    groups: &mut Groups,
    list: &[Entity],
    components: &ComponentSet,
    given: &[(u32, usize)],
    are_made: bool,
) -> bool {
    if pools.watch.relations().intersects(components) {
        pools.link_all(entities, list, components);
    }
    let are_new = pools.note_all(list, given); // before groups move what stands behind
    if groups.watched().intersects(components) {
        if are_made {
            groups.welcome(pools, list, components);
        } else {
            groups.update_all(pools, list, |entity| entities.components(entity), components);
        }
    }
    are_new
}
