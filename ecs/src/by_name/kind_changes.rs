//! The entities of a kind in a world: its members, both ends of its relation, and its changes.

use crate::by_name::kind::KindError;
use crate::entity::Entity;
use crate::pool::WorldPool;
use crate::pool::kind::Kind;
use crate::pool::track::{EntitySet, TrackReader, Unread};
use crate::relation::ends::{Ends, Related};
use crate::storage::memory::MemoryUsage;
use crate::world::World;
use alloc::sync::Arc;
use core::fmt;

/// A reader of the changes of a tracked component of any [`Kind`]. It is like [`Changes`](crate::Changes), but does not
/// name the type. In another world, it [begins anew](World::advance_kind).
///
/// ```
/// use ecs::by_name::{Kind, KindChanges};
/// use ecs::{ChildOf, World};
///
/// let mut world = World::new();
/// let mut changes = world.kind_changes(Kind::of::<ChildOf>())?;
/// let parent = world.spawn_empty().id();
/// let child = world.spawn(ChildOf(parent)).id();
/// world.advance_kind(&mut changes);
/// assert!(world.entities_in(changes.inserted()).eq([child]));
/// world.despawn(child).unwrap();
/// world.advance_kind(&mut changes);
/// assert_eq!(changes.removed(), [child]);
/// # Ok::<(), ecs::by_name::KindError>(())
/// ```
pub struct KindChanges {
    kind: Kind,
    news: Arc<Unread>,
    reader: TrackReader,
}

impl KindChanges {
    /// Returns the kind of the component.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the entities that were given the component, and had it when the reader was brought up to date.
    /// [`World::entities_in`] lists them.
    #[must_use]
    pub fn inserted(&self) -> &EntitySet {
        &self.news.inserted
    }

    /// Returns the entities whose component was inserted, replaced, or may have been written, and that had it when the
    /// reader was brought up to date. [`World::entities_in`] lists them.
    #[must_use]
    pub fn changed(&self) -> &EntitySet {
        &self.news.changed
    }

    /// Returns the entities that lost the component, as often as they did.
    #[must_use]
    pub fn removed(&self) -> &[Entity] {
        &self.news.removed
    }
}

impl fmt::Debug for KindChanges {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KindChanges").field("of", &self.kind).finish_non_exhaustive()
    }
}

/// # Components by kind: members, relations and changes
impl World {
    /// Returns the entities that have a component of this kind, in the order of their values; none if the world has no
    /// pool of it. O(1).
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::by_name::Kind;
    /// let mut world = World::new();
    /// let bob = world.spawn_named("Bob").id();
    /// let kinds: Vec<Kind> = world.kinds().collect();
    /// assert_eq!(world.kind_entities(kinds[0]), [bob]);
    /// ```
    #[must_use]
    #[inline]
    pub fn kind_entities(&self, kind: Kind) -> &[Entity] {
        self.pools.of_kind(kind).map_or(&[], |pool| pool.keys())
    }

    /// Returns the bytes on the heap of the pool of this kind; none if the world has no pool of it. O(pages).
    ///
    /// ```
    /// # use ecs::{Name, World};
    /// # use ecs::by_name::Kind;
    /// let mut world = World::new();
    /// assert_eq!(world.kind_memory_usage(Kind::of::<Name>()).total(), 0);
    /// world.spawn_named("Bob");
    /// assert!(world.kind_memory_usage(Kind::of::<Name>()).values > 0);
    /// ```
    #[must_use]
    #[inline]
    pub fn kind_memory_usage(&self, kind: Kind) -> MemoryUsage {
        self.pools.of_kind(kind).map_or_else(MemoryUsage::default, <dyn WorldPool>::memory_usage)
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
    /// assert_eq!(world.kind_target(relation, child), Some(parent));
    /// assert!(world.kind_related(relation, parent).eq([child]));
    /// ```
    #[must_use]
    #[inline]
    pub fn kind_target(&self, kind: Kind, entity: Entity) -> Option<Entity> {
        self.pools.relations.get(kind.number)?.target(entity)
    }

    /// Returns the entities to which others point by the relation of this kind, in no order. O(1).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// # use ecs::by_name::Kind;
    /// let mut world = World::new();
    /// let parent = world.spawn_empty().id();
    /// world.spawn_batch([ChildOf(parent), ChildOf(parent)]);
    /// assert_eq!(world.kind_targets(Kind::of::<ChildOf>()), [parent]);
    /// ```
    #[must_use]
    #[inline]
    pub fn kind_targets(&self, kind: Kind) -> &[Entity] {
        self.pools.relations.get(kind.number).map_or(&[], Ends::targets)
    }

    /// Returns the entities that point to `target` by the relation of this kind, in order; none if the component is not
    /// a relation. O(1) to begin, and O(entities) to walk. See [`kind_target`](Self::kind_target) for an example.
    #[must_use]
    #[inline]
    pub fn kind_related(&self, kind: Kind, target: Entity) -> Related<'_> {
        let ends = self.pools.relations.get(kind.number);
        ends.map_or_else(Related::nobody, |ends: &Ends| ends.sources(target))
    }

    /// Returns a reader of all later changes of a component. O(pages of the component).
    ///
    /// # Errors
    /// Returns an error if the component does not say `#[component(track)]`.
    #[inline]
    pub fn kind_changes(&mut self, kind: Kind) -> Result<KindChanges, KindError> {
        if !kind.is_tracked() {
            return Err(KindError::NotAllowed(kind.name(), "track"));
        }
        self.know(kind);
        let mut reader = TrackReader::default();
        self.add_reader(kind.number, &mut reader, true);
        Ok(KindChanges { kind, news: Arc::default(), reader })
    }

    /// Brings the reader up to date, like [`World::advance`]: it shows the changes since the last time. A reader of
    /// another world begins anew, as if all components of this world had just been inserted. Back in a world that it has
    /// read, it goes on from there.
    #[inline]
    pub fn advance_kind(&mut self, changes: &mut KindChanges) {
        self.know(changes.kind);
        self.advance_reader(changes.kind.number, &mut changes.reader, &mut changes.news, true);
    }
}
