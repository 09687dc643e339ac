//! Operations that replace the content of a world at once: they are refused inside edits, and announced by an event.

use crate::world::World;

/// An event: the content of a world was replaced at once, by [`World::clear`], `World::load`, [`World::copy_from`] or
/// `World::apply_delta`.
///
/// These operations call no hook and no observer for single components. They send this event instead, once, to the
/// observers that [`World::on`] registered. The operation is complete then, and the world can be read and edited. State
/// outside of the world that follows components, such as an index, sprites or the bodies of a physics engine, is to be
/// rebuilt from the world.
///
/// Rebuild the state from the content of the world, also after [`Cleared`](Self::Cleared): an observer that was
/// notified earlier may have spawned entities. [Collectors](World::collector) start anew: they forget all entities that
/// they listed before. Readers of [changes](World::changes) find removals and insertions.
///
/// Without an observer of this event, an operation pays for one lookup. No event is sent by an operation that fails, or
/// that ends by a panic of a component's `Drop` or `Clone`.
///
/// ```
/// use ecs::{Component, Entity, Replaced, Resource, World};
/// use std::collections::HashMap;
///
/// /// The number that is painted on a ship.
/// #[derive(Component, Clone)]
/// #[component(clone, on_insert = Fleet::add, on_remove = Fleet::remove)]
/// struct Number(u32);
///
/// /// The ships by their numbers.
/// #[derive(Resource, Default)]
/// #[resource(clone = skip)]
/// struct Fleet(HashMap<u32, Entity>);
///
/// impl Fleet {
///     fn add(world: &mut World, entity: Entity) {
///         let number = world.get::<Number>(entity).unwrap().0;
///         world.resource_mut::<Self>().0.insert(number, entity);
///     }
///     fn remove(world: &mut World, entity: Entity) {
///         let number = world.get::<Number>(entity).unwrap().0;
///         world.resource_mut::<Self>().0.remove(&number);
///     }
///     fn rebuild(world: &mut World, _: &Replaced) {
///         let ships = world.view::<&Number>().iter().map(|(entity, number)| (number.0, entity)).collect();
///         world.resource_mut::<Self>().0 = ships;
///     }
/// }
///
/// let mut world = World::new();
/// world.insert_resource(Fleet::default());
/// world.on(Fleet::rebuild);
///
/// let ship = world.spawn(Number(7)).id();
/// let saved = world.try_clone().unwrap();
/// world.despawn(ship).unwrap();
/// assert!(world.resource::<Fleet>().0.is_empty());
/// world.copy_from(&saved).unwrap();
/// assert_eq!(world.resource::<Fleet>().0[&7], ship);
/// world.clear();
/// assert!(world.resource::<Fleet>().0.is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Replaced {
    /// By [`World::clear`]: all entities were despawned.
    Cleared,
    /// By `World::load`: the world became a saved one.
    Loaded,
    /// By [`World::copy_from`]: the world became a copy of another one.
    Copied,
    /// By `World::apply_delta`: a delta was applied. Entities that it does not name are as they were, so a world that
    /// gets a delta each frame is followed at a lower cost by a reader of [changes](World::changes).
    Applied,
}

impl World {
    /// # Panics
    /// Panics inside a hook or an observer of components: the edit under way would go on in other content.
    #[track_caller]
    #[inline]
    pub(crate) fn refuse_while_notifying(&mut self, what: &str) {
        assert!(
            !self.is_in_edit(),
            "a world cannot be {what} by a hook or an observer: note the task, and do it after the edit"
        );
    }

    /// Notifies observers that the content was replaced. Collectors forget their lists.
    #[inline]
    pub(crate) fn announce(&mut self, replaced: Replaced) {
        self.observers.collectors.forget_all();
        self.send(&replaced);
    }
}
