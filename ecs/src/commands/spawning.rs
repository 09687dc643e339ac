//! Command buffers of systems that spawn.

use crate::allocator::EntityAllocator;
use crate::commands::Commands;
use crate::copy::prefab::Prefab;
use crate::edit::bundle::Bundle;
use crate::entity::Entity;
use core::fmt;
use core::ops::{Deref, DerefMut};

/// The [`Commands`] of a system that spawns, with the handles for the new entities. A [`Param`](crate::Param).
///
/// It dereferences to [`Commands`], which record all other edits. Systems with a parameter of this type, or with a
/// [`EntityAllocator`], run in the order of their list, so that each run hands out equal handles in every sharing mode. Systems
/// with a `&mut Commands` alone may overlap.
///
/// ```
/// use ecs::{Component, SpawnCommands, View, World};
///
/// #[derive(Component)]
/// struct Gun { loaded: bool }
/// #[derive(Component)]
/// struct Bullet { from: ecs::Entity }
///
/// fn fire(guns: View<&mut Gun>, mut commands: SpawnCommands) {
///     for (entity, gun) in guns {
///         if std::mem::take(&mut gun.loaded) {
///             commands.spawn(Bullet { from: entity });
///         } else {
///             commands.despawn(entity);
///         }
///     }
/// }
///
/// let mut world = World::new();
/// world.spawn_batch([true, false].map(|loaded| Gun { loaded }));
/// world.run(fire);
/// assert_eq!((world.view::<Gun>().count(), world.view::<Bullet>().count()), (1, 1));
/// ```
pub struct SpawnCommands<'w> {
    commands: &'w mut Commands,
    allocator: EntityAllocator<'w>,
}

impl<'w> SpawnCommands<'w> {
    #[inline]
    pub(crate) const fn new(commands: &'w mut Commands, allocator: EntityAllocator<'w>) -> Self {
        Self { commands, allocator }
    }

    /// Records that an entity is to be made with the components of `bundle`, and returns its handle, which counts as
    /// alive at once. O(1), without a lock.
    ///
    /// Records a spawn like [`Commands::spawn`], with the [`EntityAllocator`] of the system.
    ///
    /// # Panics
    /// Panics if all indices are in use.
    ///
    /// ```
    /// # use ecs::{Component, SpawnCommands, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # #[derive(Component)] struct Armour(u32);
    /// fn enlist(mut commands: SpawnCommands) {
    ///     let soldier = commands.spawn(Health(3));
    ///     commands.insert(soldier, Armour(2));
    /// }
    /// # let mut world = World::new();
    /// world.run(enlist);
    /// assert_eq!(world.view::<(Health, Armour)>().count(), 1);
    /// ```
    #[inline]
    #[track_caller]
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> Entity {
        self.commands.spawn(self.allocator, bundle)
    }

    /// Records that an entity is to be made, and one more for each bundle that `others` returns for its handle; returns
    /// the handle of the first. O(new entities).
    ///
    /// # Panics
    /// Panics if all indices are in use.
    ///
    /// ```
    /// # use ecs::{Component, SpawnCommands, World};
    /// # #[derive(Component)] struct Ship;
    /// # #[derive(Component)] struct Gun(u32);
    /// # #[derive(Component)] #[component(relation)] struct PartOf(ecs::Entity);
    /// fn launch(mut commands: SpawnCommands) {
    ///     commands.spawn_with(Ship, |ship| [1, 2].map(|gun| (Gun(gun), PartOf(ship))));
    /// }
    /// # let mut world = World::new();
    /// world.run(launch);
    /// let ship = world.view::<Ship>().single().unwrap().0;
    /// assert!(world.view::<(Gun, PartOf)>().iter().all(|(_, _, part)| part.0 == ship));
    /// ```
    #[inline]
    #[track_caller]
    pub fn spawn_with<B: Bundle, I: IntoIterator<Item: Bundle>>(
        &mut self,
        bundle: B,
        others: impl FnOnce(Entity) -> I,
    ) -> Entity {
        self.commands.spawn_with(self.allocator, bundle, others)
    }

    /// Records that a copy of a [`Prefab`] is to be spawned, and returns the copy of its root: like
    /// [`Commands::spawn_prefab`], with the [`EntityAllocator`] of the system. O(1).
    ///
    /// # Panics
    /// Panics if all indices are in use.
    ///
    /// See [`Prefab`] for an example.
    #[inline]
    #[track_caller]
    pub fn spawn_prefab(&mut self, prefab: &Prefab) -> Entity {
        self.commands.spawn_prefab(self.allocator, prefab)
    }
}

impl Deref for SpawnCommands<'_> {
    type Target = Commands;
    #[inline]
    fn deref(&self) -> &Commands {
        self.commands
    }
}

impl DerefMut for SpawnCommands<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Commands {
        self.commands
    }
}

impl fmt::Debug for SpawnCommands<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.commands.fmt(f)
    }
}
