//! The entities of a kind in a world: its members, both ends of its relation, and its changes.

use crate::by_name::kind::KindError;
use crate::entity::Entity;
use crate::pool::WorldPool;
use crate::pool::kind::Kind;
use crate::pool::relations::{Ends, Related};
use crate::pool::track::{EntitySet, Reader, Unread};
use crate::storage::memory::MemoryUsage;
use crate::world::World;
use alloc::sync::Arc;
use core::fmt;

impl Kind {
    /// Returns the entities that have a component of this kind, in the order of their values; none if the world has no
    /// pool of it. O(1).
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::by_name::Kind;
    /// let mut world = World::new();
    /// let bob = world.spawn_named("Bob").id();
    /// let kinds: Vec<Kind> = world.kinds().collect();
    /// assert_eq!(kinds[0].entities(&world), [bob]);
    /// ```
    #[must_use]
    pub fn entities(self, world: &World) -> &[Entity] {
        world.pools.of_kind(self).map_or(&[], |pool| pool.keys())
    }

    /// Returns the bytes on the heap of the pool of this kind; none if the world has no pool of it. O(pages).
    ///
    /// ```
    /// # use ecs::{Name, World};
    /// # use ecs::by_name::Kind;
    /// let mut world = World::new();
    /// assert_eq!(Kind::of::<Name>().memory_usage(&world).total(), 0);
    /// world.spawn_named("Bob");
    /// assert!(Kind::of::<Name>().memory_usage(&world).values > 0);
    /// ```
    #[must_use]
    pub fn memory_usage(self, world: &World) -> MemoryUsage {
        world.pools.of_kind(self).map_or_else(MemoryUsage::default, WorldPool::memory_usage)
    }

    /// Returns the entity to which `entity` points by the relation of this kind. O(1).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// # use ecs::by_name::Kind;
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// let child = world.spawn(ChildOf(parent)).id();
    /// let relation = Kind::of::<ChildOf>();
    /// assert_eq!(relation.target(&world, child), Some(parent));
    /// assert!(relation.related(&world, parent).eq([child]));
    /// ```
    #[must_use]
    pub fn target(self, world: &World, entity: Entity) -> Option<Entity> {
        world.pools.relations.get(self.number)?.target(entity)
    }

    /// Returns the entities to which others point by the relation of this kind, in no order. O(1).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// # use ecs::by_name::Kind;
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// world.spawn_batch([ChildOf(parent), ChildOf(parent)]);
    /// assert_eq!(Kind::of::<ChildOf>().targets(&world), [parent]);
    /// ```
    #[must_use]
    pub fn targets(self, world: &World) -> &[Entity] {
        world.pools.relations.get(self.number).map_or(&[], Ends::targets)
    }

    /// Returns the entities that point to `target` by the relation of this kind, in order; none if the component is not
    /// a relation. O(1) to begin, and O(entities) to walk. See [`target`](Self::target) for an example.
    #[must_use]
    pub fn related(self, world: &World, target: Entity) -> Related<'_> {
        let ends = world.pools.relations.get(self.number);
        ends.map_or_else(Related::nobody, |ends: &Ends| ends.sources(target))
    }
}

/// A reader of the changes of a tracked component of any [`Kind`]. It is like [`Changes`](crate::Changes), but does not
/// name the type, and lists entities. In another world, it [begins anew](Self::advance).
///
/// ```
/// use ecs::by_name::{Kind, KindChanges};
/// use ecs::{ChildOf, World};
///
/// let mut world = World::new();
/// let mut changes = KindChanges::new(&mut world, Kind::of::<ChildOf>())?;
/// let parent = world.spawn_empty().id();
/// let child = world.spawn(ChildOf(parent)).id();
/// changes.advance(&mut world);
/// assert!(changes.inserted(&world).eq([child]));
/// world.despawn(child).unwrap();
/// changes.advance(&mut world);
/// assert_eq!(changes.removed(), [child]);
/// # Ok::<(), ecs::by_name::KindError>(())
/// ```
pub struct KindChanges {
    kind: Kind,
    news: Arc<Unread>,
    reader: Reader,
}

impl KindChanges {
    /// Returns a reader of all later changes of a component. O(pages of the component).
    ///
    /// # Errors
    /// Returns an error if the component does not say `#[component(track)]`.
    pub fn new(world: &mut World, kind: Kind) -> Result<Self, KindError> {
        if !kind.is_tracked() {
            return Err(KindError::NotAllowed(kind.name(), "track"));
        }
        world.know(kind);
        let mut reader = Reader::default();
        world.add_reader(kind.number, &mut reader, true);
        Ok(Self { kind, news: Arc::default(), reader })
    }

    /// Brings the reader up to date, like [`World::advance`]: it shows the changes since the last time. A reader of
    /// another world begins anew, as if all components of this world had just been inserted. Back in a world that it has
    /// read, it goes on from there.
    pub fn advance(&mut self, world: &mut World) {
        world.know(self.kind);
        world.advance_reader(self.kind.number, &mut self.reader, &mut self.news, true);
    }

    /// Returns the kind of the component.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the entities that were given the component and still have it, in the order of their indices.
    ///
    /// # Panics
    /// Panics if the reader was brought up to date in another world, and found such entities there.
    #[track_caller]
    pub fn inserted<'w>(&'w self, world: &'w World) -> impl Iterator<Item = Entity> + 'w {
        self.members(world, &self.news.inserted)
    }

    /// Returns the entities whose component was inserted, replaced, or may have been written, and that still have it,
    /// in the order of their indices.
    ///
    /// # Panics
    /// Panics like [`inserted`](Self::inserted).
    #[track_caller]
    pub fn changed<'w>(&'w self, world: &'w World) -> impl Iterator<Item = Entity> + 'w {
        self.members(world, &self.news.changed)
    }

    /// Returns the entities that lost the component, as often as they did.
    #[must_use]
    pub fn removed(&self) -> &[Entity] {
        &self.news.removed
    }

    #[track_caller]
    fn members<'w>(
        &'w self,
        world: &'w World,
        marked: &'w EntitySet,
    ) -> impl Iterator<Item = Entity> + 'w {
        marked.refuse_other(world.entities.world());
        let keys = world.pools.keys_at(self.kind.number);
        marked.indices().filter_map(|index| keys.at_index(index))
    }
}

impl fmt::Debug for KindChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KindChanges").field("of", &self.kind).finish_non_exhaustive()
    }
}
