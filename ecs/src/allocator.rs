//! An allocator of entities for use while the world is borrowed.

use crate::entities::Entities;
use crate::entity::Entity;

/// Reserves entities, like [`World::reserve_entity`](crate::World::reserve_entity), while a view borrows the world:
/// from [`View::allocator`](crate::View::allocator). It is a reference, to be copied, and to be shared by threads.
///
/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component)] struct Cell { size: u32 }
/// # let mut world = World::new();
/// # world.spawn_batch((0..10).map(|size| Cell { size }));
/// let cells = world.view_mut::<&mut Cell>();
/// let (handles, mut born) = (cells.allocator(), Vec::new());
/// for (_, cell) in cells {
///     if cell.size > 6 {
///         cell.size /= 2;
///         born.push((handles.reserve_entity(), Cell { size: cell.size }));
///     }
/// }
/// world.insert_batch(born).unwrap();
/// assert_eq!(world.view::<Cell>().count(), 13);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct EntityAllocator<'w> {
    entities: &'w Entities,
    /// `true` if its system takes turns with others that reserve.
    takes_turns: bool,
}

impl<'w> EntityAllocator<'w> {
    #[inline]
    pub(crate) const fn new(entities: &'w Entities) -> Self {
        Self { entities, takes_turns: false }
    }

    /// Returns this allocator for a system that has it as a parameter.
    #[inline]
    pub(crate) const fn taking_turns(self) -> Self {
        Self { takes_turns: true, ..self }
    }

    /// Returns the number of its world.
    #[inline]
    pub(crate) fn world(self) -> u64 {
        self.entities.world()
    }

    /// Reserves an entity, like [`World::reserve_entity`](crate::World::reserve_entity). O(1), without a lock.
    ///
    /// # Panics
    /// Panics like [`World::reserve_entity`](crate::World::reserve_entity); an allocator that is a parameter works in
    /// every system.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let view = world.view_mut::<&mut Health>();
    /// let entity = view.allocator().reserve_entity();
    /// world.insert(entity, Health(3)).unwrap();
    /// ```
    #[must_use]
    #[inline]
    #[track_caller]
    pub fn reserve_entity(self) -> Entity {
        if self.takes_turns { self.entities.reserve_in_turn() } else { self.entities.reserve() }
    }
}
