//! The world: joins entities, pools, groups and resources, and gives access to them.
//!
//! ```text
//!                           World
//!   entities   pools   groups   resources   order   tuner      parts, each with its own folder
//!       │        │       │          │         │       │
//!       │        │     group     resource   order              their methods on the world
//!       └───┬────┘
//!   handle  │  query                                           one entity, or all matches of a query
//!   name    │  pool                                            entities by name, one pool
//!        inspect                                               all of it: memory, invariants
//! ```
//!
//! Other methods of the world are in folders of their own:
//!
//! ```text
//! edit/ ──> notify/                        edits, and their listeners
//! relation/   copy/   by_name/   saved/    built on edits
//! ```
//!
//! * `handle`: `EntityRef` and `EntityMut`. `query`: views and lookups. `pool`: the pool of one type, as users see it.
//! * `group`: declared groups. `order`: pools in one order.
//! * `resource`, `name`, `inspect`. `error`: the errors of edits, one small type for each operation.

use crate::entities::Entities;
use crate::group::groups::Groups;
use crate::notify::calls::Calls;
use crate::notify::observe::Observers;
use crate::order::PoolOrder;
use crate::pool::pools::Pools;
use crate::resource::Resources;
use alloc::boxed::Box;
#[cfg(feature = "serde")]
use alloc::sync::Arc;
use core::fmt;

/// Entities and their components.
///
/// Ids, readers, buffers and values that a program keeps belong to their world, wherever it is moved. In another one, ids
/// of observers and collectors find nothing, commands are dropped and counted, values and followers are errors, sets of
/// entities panic, and readers and cursors begin anew. Only a handle, an [`Entity`](crate::Entity), does not say to which
/// world it belongs. A copy is another world. A world that is loaded, or becomes a copy of a stranger, has other
/// entities.
///
/// ```
/// use ecs::{Component, World};
///
/// #[derive(Component, Default)]
/// struct Proximity { distance: f32 }
/// #[derive(Component, Default)]
/// struct Audio { volume: f32 }
///
/// let mut world = World::new();
/// let mut entity = world.spawn_empty();
/// entity.add::<Proximity>();
/// entity.insert(Audio { volume: 4.0 });
/// let entity = entity.id();
///
/// for (_, proximity, audio) in world.view_mut::<(&mut Proximity, &Audio)>() {
///     proximity.distance += audio.volume;
/// }
/// assert_eq!(world.get::<Proximity>(entity).unwrap().distance, 4.0);
/// ```
pub struct World {
    pub(crate) entities: Entities,
    pub(crate) pools: Pools,
    pub(crate) groups: Groups,
    pub(crate) resources: Resources,
    pub(crate) observers: Observers,
    pub(crate) calls: Calls,
    /// The journal of the innermost call under way that takes entities out.
    pub(crate) taking: Option<Box<crate::by_name::undo::Journal>>,
    /// The upkeep of the order of pools.
    pub(crate) order: PoolOrder,
    /// Unknown components and resources of a file; copies of the world share them.
    #[cfg(feature = "serde")]
    pub(crate) unknown: Option<Arc<crate::saved::unknown::UnknownParts>>,
}

/// # Creating a world
impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

/// Prints counts, and the names of resources: a world of a million entities is still a line.
#[expect(clippy::missing_fields_in_debug, reason = "observers are no content of the world")]
impl fmt::Debug for World {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("entities", &self.entities.len())
            .field("pools", &self.pools)
            .field("groups", &self.groups().count())
            .field("resources", &self.resources)
            .finish()
    }
}

// In the order in which the documentation of `World` shows their methods. Blank lines keep it.

mod query;

pub(crate) mod resource;

pub(crate) mod name;

mod order;

pub(crate) mod group;

pub(crate) mod inspect;

pub(crate) mod pool;

pub(crate) mod handle;

pub(crate) mod error;
