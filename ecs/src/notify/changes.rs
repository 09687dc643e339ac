//! Change detection: readers of inserted, changed and removed components.

use crate::component::Tracked;
use crate::entity::Entity;
use crate::pool::track::{EntitySet, TrackReader, Unread};
use crate::world::World;
use alloc::sync::Arc;
use core::fmt;
use core::marker::PhantomData;

/// A reader of the changes of a [tracked](Tracked) component: made by [`World::changes`], and brought up to date by
/// [`World::advance`].
///
/// It shows the changes between the last two calls of `advance`, or since it was made. Each reader has a place of its
/// own, and may be read at any time: nothing wraps around, and no change is missed. Removals are kept for it meanwhile,
/// 8 bytes each. A dropped reader costs nothing from the next edit or loop on. In another world, a reader [begins
/// anew](World::advance).
///
/// | | [`inserted`](Self::inserted) | [`changed`](Self::changed) | [`removed`](Self::removed) | observers |
/// |---|---|---|---|---|
/// | spawned with it, inserted | yes | yes | | `on_insert` |
/// | inserted over, `replace`, `patch` | | yes | | `on_update` |
/// | `get_mut`, and all that lends a `&mut T` | | yes | | |
/// | a loop with `&mut T` | | all matches, as it begins | | |
/// | a loop with [`Mut<T>`](crate::Mut) | | the ones that it writes | | |
/// | removed, despawned | | | yes | `on_remove` |
/// | cleared | | | yes | [`Replaced`](crate::Replaced) |
/// | loaded, copied | all that are there | all that are there | all that were there | [`Replaced`](crate::Replaced) |
/// | a relation, moved among those with its target | | | | |
/// | sorted, swapped, brought into a group | | | | |
///
/// A component that was inserted and removed between two calls is in `removed` only. An entity that lost its component
/// twice is there twice, and all entities that had one index are there in order.
///
/// A `&mut T` counts as written: a loop marks all its matches, also matches that a `break` leaves out, and so do
/// slices, whole. Use [`Mut`](crate::Mut) where that is too many. A veto may change its value without a mark.
///
/// ```
/// use ecs::{Component, World};
///
/// #[derive(Component)]
/// #[component(track)]
/// struct Health(u32);
///
/// let mut world = World::new();
/// let mut seen = world.changes::<Health>();
/// let [a, b] = [3, 4].map(|points| world.spawn(Health(points)).id());
/// world.advance(&mut seen);
/// assert_eq!(seen.inserted().len(), 2);
///
/// world.get_mut::<Health>(a).unwrap().0 = 0;
/// world.despawn(b).unwrap();
/// world.advance(&mut seen);
/// assert_eq!((seen.inserted().len(), seen.changed().len(), seen.removed()), (0, 1, &[b][..]));
/// ```
pub struct Changes<T: Tracked> {
    news: Arc<Unread>,
    reader: TrackReader,
    of: PhantomData<fn(T) -> T>,
}

impl<T: Tracked> Changes<T> {
    /// Returns a reader of its changes and its places.
    pub(crate) fn from_parts((news, reader): (Arc<Unread>, TrackReader)) -> Self {
        Self { news, reader, of: PhantomData }
    }

    /// Returns its changes and its places.
    pub(crate) fn into_parts(self) -> (Arc<Unread>, TrackReader) {
        (self.news, self.reader)
    }

    /// Returns the entities with a component that was inserted.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)]
    /// # #[component(track)]
    /// # struct Health(u32);
    /// # let mut world = World::new();
    /// let mut seen = world.changes::<Health>();
    /// world.spawn(Health(3));
    /// world.advance(&mut seen);
    /// let new = world.view::<Health>().among(seen.inserted());
    /// assert_eq!(new.single().unwrap().1.0, 3);
    /// ```
    #[must_use]
    pub fn inserted(&self) -> &EntitySet {
        &self.news.inserted
    }

    /// Returns the entities with a value that was inserted or replaced, or may have been written.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)]
    /// # #[component(track)]
    /// # struct Health(u32);
    /// # let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// let mut seen = world.changes::<Health>();
    /// world.patch::<Health>(entity, |health| health.0 = 4);
    /// world.advance(&mut seen);
    /// let changed = world.view::<Health>().among(seen.changed());
    /// assert_eq!(changed.single().unwrap().0, entity);
    /// ```
    #[must_use]
    pub fn changed(&self) -> &EntitySet {
        &self.news.changed
    }

    /// Returns the entities that lost the component, in order, each as often as it did. Entities of one batch or
    /// [`World::clear`] come in any order. An entity may have ended meanwhile, or have the component again.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)]
    /// # #[component(track)]
    /// # struct Health(u32);
    /// # let mut world = World::new();
    /// let mut seen = world.changes::<Health>();
    /// let entity = world.spawn(Health(3)).id();
    /// world.remove::<Health>(entity);
    /// world.insert(entity, Health(4)).unwrap();
    /// world.despawn(entity).unwrap();
    /// world.advance(&mut seen);
    /// assert_eq!(seen.removed(), [entity, entity]);
    /// ```
    #[must_use]
    pub fn removed(&self) -> &[Entity] {
        &self.news.removed
    }
}

impl<T: Tracked> fmt::Debug for Changes<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes")
            .field("of", &T::NAME)
            .field("inserted", &self.news.inserted)
            .field("changed", &self.news.changed)
            .field("removed", &self.news.removed.len())
            .finish_non_exhaustive()
    }
}

/// # Change detection
impl World {
    /// Returns a reader of all later changes of `T`. O(pages of `T`).
    ///
    /// From then on, and as long as the reader lives, edits of `T` and loops that write it keep marks. Without
    /// readers they cost as much as for a component that is not tracked.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)]
    /// # #[component(track)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// world.spawn(Health(3));
    /// let mut seen = world.changes::<Health>();
    /// world.advance(&mut seen);
    /// assert!(seen.inserted().is_empty()); // that was before
    /// ```
    #[must_use]
    pub fn changes<T: Tracked>(&mut self) -> Changes<T> {
        self.changes_from(true)
    }

    /// Returns a reader of changes to `T` from now on; or else all present components count as inserted.
    pub(crate) fn changes_from<T: Tracked>(&mut self, now: bool) -> Changes<T> {
        let mut reader = TrackReader::default();
        let number = self.pools.create::<T>().get();
        self.add_reader(number, &mut reader, now);
        Changes { news: Arc::default(), reader, of: PhantomData }
    }

    /// Begins to keep the changes of the component with this number, which has a pool, for a reader.
    pub(crate) fn add_reader(&mut self, number: u32, reader: &mut TrackReader, from_now: bool) {
        let world = self.entities.world();
        self.pools.add_reader(number, reader, from_now, world);
    }

    /// Replaces `unread` by the changes that this reader of the component with this number, which has a pool, has not
    /// been given; or adds them, if `unread` was not seen. A reader of another world begins anew.
    pub(crate) fn advance_reader(
        &mut self,
        number: u32,
        reader: &mut TrackReader,
        unread: &mut Arc<Unread>,
        were_seen: bool,
    ) {
        let world = self.entities.world();
        if !self.pools.advance(number, reader, unread, were_seen, world) {
            self.pools.add_reader(number, reader, false, world);
            self.pools.advance(number, reader, unread, true, world);
        }
    }

    /// Brings a reader up to date: it then shows the changes of `T` since the last call. O(pages of 1,024 indices with
    /// changes); O(1) if another reader with an equal place was brought up to date before. Other readers are not
    /// visited, neither here nor when one is dropped; changes are merged where no reader stands between them.
    ///
    /// A reader of another world begins anew, as if all components of type `T` had just been inserted. So it need not
    /// be replaced when the world is. Back in a world that it has read, it goes on from there. The sets that it shows
    /// belong to the world in which it was brought up to date.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)]
    /// # #[component(track)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// let mut seen = world.changes::<Health>();
    /// world.spawn(Health(3));
    /// world.advance(&mut seen);
    /// assert_eq!(seen.inserted().len(), 1);
    /// world.advance(&mut seen);
    /// assert_eq!(seen.inserted().len(), 0);
    /// ```
    pub fn advance<T: Tracked>(&mut self, changes: &mut Changes<T>) {
        self.advance_beyond(changes, true);
    }

    /// Advances like [`advance`](Self::advance), but keeps the earlier changes until they were read.
    pub(crate) fn advance_beyond<T: Tracked>(&mut self, changes: &mut Changes<T>, was_seen: bool) {
        let number = self.pools.create::<T>().get();
        let Changes { news, reader, .. } = changes;
        self.advance_reader(number, reader, news, was_seen);
    }
}
