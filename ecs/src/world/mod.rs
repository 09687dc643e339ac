//! The world: where entities, pools and queries are joined. One file an operation.

mod absorb;
#[cfg(feature = "serde")]
mod apply;
#[cfg(feature = "serde")]
mod apply_changes;
pub(crate) mod batch;
mod calls;
#[cfg(feature = "serde")]
pub(crate) mod change_set;
pub(crate) mod changes;
pub(crate) mod collect;
mod copy;
#[cfg(feature = "serde")]
pub(crate) mod delta;
mod despawn;
pub(crate) mod edit;
pub(crate) mod error;
pub(crate) mod group;
pub(crate) mod handle;
pub(crate) mod hierarchy;
pub(crate) mod inspect;
#[cfg(feature = "serde")]
mod kept;
pub(crate) mod kind;
#[cfg(feature = "serde")]
pub(crate) mod load;
#[cfg(feature = "serde")]
pub(crate) mod load_text;
pub(crate) mod name;
mod notify;
pub(crate) mod observe;
pub(crate) mod pool;
mod query;
mod relation;
mod remove;
pub(crate) mod replaced;
pub(crate) mod resource;
#[cfg(feature = "serde")]
mod restore;
pub(crate) mod rows;
#[cfg(feature = "serde")]
pub(crate) mod save;
#[cfg(feature = "serde")]
mod save_text;
#[cfg(feature = "serde")]
pub(crate) mod saved_list;
mod spawn;

use crate::entities::Entities;
use crate::group::groups::Groups;
use crate::pool::pools::Pools;
use crate::query::matcher::Stores;
use crate::resource::Resources;
use crate::world::calls::Calls;
use crate::world::observe::Observers;
#[cfg(feature = "serde")]
use alloc::sync::Arc;
use core::fmt;

/// Entities and their components.
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
    resources: Resources,
    observers: Observers,
    calls: Calls,
    /// What came out of a file and is not known; copies of the world share it.
    #[cfg(feature = "serde")]
    kept: Option<Arc<kept::Kept>>,
}

impl World {
    /// A world without entities; allocates nothing.
    ///
    /// ```
    /// assert!(ecs::World::new().is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self {
            entities: Entities::new(),
            pools: Pools::new(),
            groups: Groups::new(),
            resources: Resources::new(),
            observers: Observers::new(),
            calls: Calls::new(),
            #[cfg(feature = "serde")]
            kept: None,
        }
    }

    /// What queries are answered from.
    #[inline(always)]
    pub(crate) const fn stores(&self) -> Stores<'_> {
        Stores { pools: &self.pools, entities: &self.entities, groups: &self.groups }
    }

    /// How many entities are alive, [reserved](Self::reserve_entity) ones included. O(1).
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// world.spawn_empty();
    /// let _ = world.reserve_entity();
    /// assert_eq!(world.len(), 2);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    /// Whether no entity is alive or reserved. O(1).
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// assert!(world.is_empty());
    /// world.spawn_empty();
    /// assert!(!world.is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

/// Counts, and the names of resources: a world of a million entities is still a line.
#[expect(clippy::missing_fields_in_debug, reason = "who observes is not what the world holds")]
impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("entities", &self.entities.len())
            .field("pools", &self.pools)
            .field("groups", &self.groups().count())
            .field("resources", &self.resources)
            .finish()
    }
}
