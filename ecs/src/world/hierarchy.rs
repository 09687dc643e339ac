//! Parents and children: a relation that is ready made.

use crate::entity::Entity;
use crate::pool::relations::{RelateError, Related};
use crate::world::World;
use core::cmp::Ordering;
use ecs_derive::Component;

/// A component, and a [relation](crate::Relation): the entity is a child of this one. Children end with their
/// parent, and nobody is above itself.
///
/// It may be inserted like any component, alone, in a bundle or a batch: what inserts it looks whether the parent
/// is alive, and closes no circle. [`World::attach`] says the same by name, and returns what is wrong.
///
/// ```
/// use ecs::{ChildOf, World};
///
/// let mut world = World::new();
/// let ship = world.spawn_empty().id();
/// let [turret, hold] = [(); 2].map(|()| world.spawn(ChildOf(ship)).id());
/// let gun = world.spawn(ChildOf(turret)).id();
/// assert!(world.children(ship).eq([turret, hold]));
/// assert!(world.ancestors(gun).eq([turret, ship]));
/// world.despawn(turret).unwrap();
/// assert!(!world.is_alive(gun) && world.children(ship).eq([hold]));
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[component(relation, at_end = despawn, acyclic, clone, track)]
#[cfg_attr(feature = "serde", component(save = "ecs::ChildOf"))]
pub struct ChildOf(pub Entity);

/// As the parent.
#[cfg(feature = "serde")]
impl serde::Serialize for ChildOf {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Of the parent.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for ChildOf {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Entity::deserialize(deserializer).map(Self)
    }
}

impl World {
    /// Makes `child` the last child of `parent`, away from where it was: [`relate`](Self::relate) with a
    /// [`ChildOf`]. If it is one already, it keeps its place. O(1); of a child that has children itself,
    /// O(ancestors of the parent).
    ///
    /// # Errors
    /// When one of them is not alive, or the parent is the child or below it; nothing has changed then.
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

    /// Makes `child` the child of `parent` at this position, or the last if there are fewer. As
    /// [`attach`](Self::attach), and O(children of the parent).
    ///
    /// # Errors
    /// As [`attach`](Self::attach).
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// let [parent, a, b] = [(); 3].map(|()| world.spawn_empty().id());
    /// world.attach(a, parent).unwrap();
    /// world.attach_at(b, parent, 0).unwrap();
    /// assert!(world.children(parent).eq([b, a]));
    /// ```
    pub fn attach_at(
        &mut self,
        child: Entity,
        parent: Entity,
        position: usize,
    ) -> Result<(), RelateError> {
        self.attach(child, parent)?;
        self.move_child(child, position);
        Ok(())
    }

    /// Takes `child` from its parent, which is returned: a removal of its [`ChildOf`]. O(1), on average.
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

    /// The children of `parent`, in order: [`related`](Self::related). O(1) to begin.
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

    /// The parent of `child`. O(1).
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

    /// The parent of `child`, its parent, and so on. O(1) a step.
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let root = world.spawn_empty().id();
    /// let child = world.spawn(ChildOf(root)).id();
    /// let grandchild = world.spawn(ChildOf(child)).id();
    /// assert!(world.ancestors(grandchild).eq([child, root]));
    /// ```
    pub fn ancestors(&self, child: Entity) -> impl Iterator<Item = Entity> {
        self.ancestors_of::<ChildOf>(child)
    }

    /// The children of `parent`, each followed by its own descendants. O(1) a step, on average over all; without
    /// recursion, and allocates nothing.
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let root = world.spawn_empty().id();
    /// let children = world.spawn_batch([ChildOf(root), ChildOf(root)]);
    /// let grandchild = world.spawn(ChildOf(children[0])).id();
    /// assert!(world.descendants(root).eq([children[0], grandchild, children[1]]));
    /// ```
    pub fn descendants(&self, parent: Entity) -> impl Iterator<Item = Entity> {
        self.descendants_of::<ChildOf>(parent)
    }

    /// The entities that have children and no parent. O(parents).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let root = world.spawn_empty().id();
    /// world.spawn(ChildOf(root));
    /// assert!(world.roots().eq([root]));
    /// ```
    pub fn roots(&self) -> impl Iterator<Item = Entity> {
        self.roots_of::<ChildOf>()
    }

    /// Puts `child` at this position among its siblings, or last if they are fewer. Whether it has a parent.
    /// O(siblings).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// let [a, b] = [(); 2].map(|()| world.spawn(ChildOf(parent)).id());
    /// world.move_child(b, 0);
    /// assert!(world.children(parent).eq([b, a]));
    /// ```
    pub fn move_child(&mut self, child: Entity, position: usize) -> bool {
        self.move_related::<ChildOf>(child, position)
    }

    /// Exchanges the positions of two siblings. Whether they are such. O(1).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// let [a, b] = [(); 2].map(|()| world.spawn(ChildOf(parent)).id());
    /// assert!(world.swap_children(a, b));
    /// assert!(world.children(parent).eq([b, a]));
    /// ```
    pub fn swap_children(&mut self, a: Entity, b: Entity) -> bool {
        self.swap_related::<ChildOf>(a, b)
    }

    /// Sorts the children of `parent`, by what the world says of them:
    /// [`sort_related_by`](Self::sort_related_by).
    ///
    /// # Panics
    /// As that.
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// let [b, a] = ["b", "a"].map(|name| world.spawn_named(name).insert(ChildOf(parent)).id());
    /// world.sort_children_by(parent, |world, a, b| world.name(a).cmp(&world.name(b)));
    /// assert!(world.children(parent).eq([a, b]));
    /// ```
    pub fn sort_children_by(
        &mut self,
        parent: Entity,
        compare: impl FnMut(&Self, Entity, Entity) -> Ordering,
    ) {
        self.sort_related_by::<ChildOf>(parent, compare);
    }
}
