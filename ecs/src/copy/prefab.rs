//! Prefabs: worlds whose copies are spawned as one entity with all that belongs to it.

use crate::copy::copies::Copies;
use crate::entity::Entity;
use crate::world::World;
use crate::world::error::CopyError;
use crate::world::handle::EntityMut;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

/// An entity with all that belongs to it, to be spawned many times: a small world, and the entity that stands for a copy,
/// its *root*. A file has several by name: see `Prefabs`, with the feature `serde`.
///
/// A clone is a pointer to the same world. Copies are independent of the prefab, like the copies that
/// [`World::spawn_copies_of`] makes.
///
/// ```
/// use ecs::{ChildOf, Name, Prefab, SpawnCommands, World};
///
/// let mut orc = World::new();
/// let body = orc.spawn_named("orc").id();
/// orc.spawn((Name::new("club"), ChildOf(body)));
/// let orc = Prefab::new(orc, body)?;
///
/// let mut world = World::new();
/// let first = world.spawn_prefab(&orc)?.insert(Name::new("Gork")).id();
/// let horde = world.spawn_prefabs(&orc, 9)?;
/// assert_eq!((world.name(first), world.name(horde[8])), (Some("Gork"), Some("orc")));
/// assert_eq!(world.children(horde[8]).len(), 1);
///
/// world.run(move |mut commands: SpawnCommands| _ = commands.spawn_prefab(&orc));
/// assert_eq!(world.len(), 22);
/// # Ok::<(), ecs::CopyError>(())
/// ```
#[derive(Clone)]
pub struct Prefab(Arc<PrefabContent>);

struct PrefabContent {
    world: World,
    /// All entities, the root first.
    entities: Vec<Entity>,
}

impl Prefab {
    /// Returns a prefab of all entities of a world; `root` is the one that stands for a copy.
    ///
    /// # Errors
    /// Returns an error if `root` is not alive, or a component may not be copied, like [`World::spawn_copies_of`].
    #[inline]
    pub fn new(world: World, root: Entity) -> Result<Self, CopyError> {
        if !world.is_alive(root) {
            return Err(CopyError::NoSuchEntity(root));
        }
        Copies::default().check_whole(&world)?;
        let others = world.entities().filter(|entity| *entity != root);
        let entities = core::iter::once(root).chain(others).collect();
        Ok(Self(Arc::new(PrefabContent { world, entities })))
    }

    /// Returns the world that is copied, to be looked at.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.0.world
    }

    /// Returns the entity of that world that stands for a copy.
    #[must_use]
    pub fn root(&self) -> Entity {
        self.0.entities[0]
    }
}

impl fmt::Debug for Prefab {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prefab").field("entities", &self.0.entities.len()).finish_non_exhaustive()
    }
}

/// # Prefabs
impl World {
    /// Spawns a copy of a prefab, and returns the copy of its root. O(components).
    ///
    /// # Errors
    /// Returns an error, and spawns nothing, if another entity has an equal
    /// [unique](crate::guide::indexes#unique-values) component.
    ///
    /// # Panics
    /// Panics like [`spawn_empty`](Self::spawn_empty), and if an observer despawns the root at once.
    ///
    /// See [`Prefab`] for an example.
    #[inline]
    pub fn spawn_prefab(&mut self, prefab: &Prefab) -> Result<EntityMut<'_>, CopyError> {
        let made = self.spawn_prefab_copies(prefab, 1, &[])?;
        Ok(self.entity_mut(made[0]))
    }

    /// Spawns `count` copies of a prefab, and returns the copies of its root. Observers are notified when all are complete.
    /// O(components of all); faster than one by one.
    ///
    /// # Errors
    /// Returns the errors of [`spawn_prefab`](Self::spawn_prefab).
    ///
    /// # Panics
    /// Panics like [`spawn_empty`](Self::spawn_empty).
    ///
    /// See [`Prefab`] for an example.
    #[inline]
    pub fn spawn_prefabs(
        &mut self,
        prefab: &Prefab,
        count: usize,
    ) -> Result<Vec<Entity>, CopyError> {
        let mut made = self.spawn_prefab_copies(prefab, count, &[])?;
        let each = prefab.0.entities.len();
        for copy in 1..count {
            made[copy] = made[copy * each];
        }
        made.truncate(count);
        Ok(made)
    }

    /// Spawns copies of a prefab. Their roots become the given entities, if there are any: they are alive, and have no
    /// component that the root has.
    #[inline]
    fn spawn_prefab_copies(
        &mut self,
        prefab: &Prefab,
        count: usize,
        given: &[Entity],
    ) -> Result<Vec<Entity>, CopyError> {
        let PrefabContent { world, entities } = &*prefab.0;
        self.spawn_checked(&Copies::default(), world, entities, count, given)
    }

    /// Makes an entity without components the root of a copy of a prefab.
    ///
    /// # Errors
    /// Returns `true` if the entity is not alive. Returns `false`, and spawns nothing, if it has components, or another
    /// entity has an equal unique component. In the latter case the entity ends.
    #[inline]
    pub(crate) fn spawn_prefab_at(&mut self, prefab: &Prefab, root: Entity) -> Result<(), bool> {
        self.entities.flush();
        if !self.entities.is_alive(root) {
            return Err(true);
        }
        if self.pools.iter().any(|pool| pool.contains(root)) {
            return Err(false);
        }
        self.spawn_prefab_copies(prefab, 1, &[root]).map(drop).map_err(|_| {
            self.despawn(root).ok();
            false
        })
    }
}
