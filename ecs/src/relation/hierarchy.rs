//! Parents and children, by the relation [`ChildOf`].

use crate::entity::Entity;
use crate::relation::ends::{RelateError, Related};
use crate::world::World;
use ecs_derive::Component;

/// A component, and a [relation](crate::Relation): the entity is a child of this one. Children end with their
/// parent, and no entity is above itself.
///
/// It may be inserted like any component, alone, in a bundle or a batch. An insertion checks that the parent is alive
/// and that no circle is closed. [`World::attach`] does so by name, and returns an error instead of a panic.
///
/// ```
/// use ecs::{ChildOf, World};
///
/// let mut world = World::new();
/// let ship = world.spawn_empty().id();
/// let [turret, hold] = [(); 2].map(|()| world.spawn(ChildOf(ship)).id());
/// let gun = world.spawn(ChildOf(turret)).id();
/// assert!(world.children(ship).eq([turret, hold]));
/// assert!(world.ancestors_of::<ChildOf>(gun).eq([turret, ship]));
/// world.despawn(turret).unwrap();
/// assert!(!world.is_alive(gun) && world.children(ship).eq([hold]));
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[ecs(unlisted)]
#[component(relation, at_end = despawn, acyclic, clone, debug, track)]
#[cfg_attr(feature = "serde", component(save = "ecs::ChildOf"))]
pub struct ChildOf(pub Entity);

/// Serializes the parent.
#[cfg(feature = "serde")]
impl serde::Serialize for ChildOf {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Deserializes the parent.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for ChildOf {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Entity::deserialize(deserializer).map(Self)
    }
}

/// # Parents and children
impl World {
    /// Makes `child` the last child of `parent`, away from where it was: [`relate`](Self::relate) with a
    /// [`ChildOf`]. If it is one already, it keeps its place. O(1); of a child that has children itself,
    /// O(ancestors of the parent) or O(descendants of the child), whichever are fewer.
    ///
    /// # Errors
    /// Returns an error if one of them is not alive, or the parent is the child or below it; nothing has changed then.
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// let [parent, child] = [(); 2].map(|()| world.spawn_empty().id());
    /// world.attach(child, parent).unwrap();
    /// assert_eq!(world.parent(child), Some(parent));
    /// assert!(world.attach(parent, child).is_err());
    /// ```
    #[inline]
    pub fn attach(&mut self, child: Entity, parent: Entity) -> Result<(), RelateError> {
        self.relate(child, ChildOf(parent))
    }

    /// Removes `child` from its parent, and returns the parent: a removal of its [`ChildOf`]. O(1), on average.
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// let child = world.spawn(ChildOf(parent)).id();
    /// assert_eq!((world.detach(child), world.detach(child)), (Some(parent), None));
    /// ```
    #[inline]
    pub fn detach(&mut self, child: Entity) -> Option<Entity> {
        self.remove::<ChildOf>(child).map(|ChildOf(parent)| parent)
    }

    /// Returns the children of `parent`, in order: [`related`](Self::related). O(1) to begin.
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// let children = world.spawn_batch((0..3).map(|_| ChildOf(parent)));
    /// assert!(world.children(parent).eq(children));
    /// ```
    #[must_use]
    #[inline]
    pub fn children(&self, parent: Entity) -> Related<'_> {
        self.related::<ChildOf>(parent)
    }

    /// Returns the parent of `child`. O(1).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// let child = world.spawn(ChildOf(parent)).id();
    /// assert_eq!((world.parent(child), world.parent(parent)), (Some(parent), None));
    /// ```
    #[must_use]
    #[inline]
    pub fn parent(&self, child: Entity) -> Option<Entity> {
        self.target_of::<ChildOf>(child)
    }
}
