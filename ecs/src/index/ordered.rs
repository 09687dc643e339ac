//! The index by keys in their order.

use crate::component::data::IndexOwner;
use crate::entity::Entity;
use crate::index::entity_list::{EntityList, IndexIter};
use crate::index::kind::{IndexKind, OrderedKey};
use crate::internal::Internal;
use crate::query::presence::IndexAnswer;
use alloc::collections::{BTreeMap, btree_map};
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;
use core::iter::FusedIterator;
use core::ops::{Bound, RangeBounds};

/// The index of `#[component(index(ordered))]`: entities in the order of their keys, and by ranges of them.
///
/// A search tree, which is never sorted anew. A lookup is O(log keys).
///
/// ```
/// use ecs::{Component, World};
///
/// #[derive(Component)]
/// #[component(index(ordered, by = points))]
/// struct Score { points: u32 }
///
/// let mut world = World::new();
/// let entities = world.spawn_batch([30, 10, 20].map(|points| Score { points }));
/// let scores = world.index::<Score>();
/// assert!(scores.range(15..).eq([entities[2], entities[0]]));
/// assert_eq!(scores.range(..).next_back(), Some(entities[0])); // the best
/// ```
#[derive(Clone)]
pub struct Ordered<K>(BTreeMap<K, EntityList>, Option<IndexOwner>);

impl<K> Default for Ordered<K> {
    fn default() -> Self {
        Self(BTreeMap::new(), None)
    }
}

impl<K: OrderedKey> Ordered<K> {
    /// Returns the entities with this key, in the order of their indices.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)]
    /// # #[component(index(ordered, by = points))]
    /// # struct Score { points: u32 }
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([30, 10, 30].map(|points| Score { points }));
    /// assert!(world.index::<Score>().get(&30).eq([entities[0], entities[2]]));
    /// ```
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> IndexIter<'_>
    where
        K: Borrow<Q>,
    {
        self.0.get(key).map_or_else(IndexIter::default, EntityList::iter).of(self.1.as_ref())
    }

    /// Returns the entities whose keys are in a range, by key and then by index. A range that ends before it begins is
    /// empty.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)]
    /// # #[component(index(ordered, by = points))]
    /// # struct Score { points: u32 }
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([30, 10, 20].map(|points| Score { points }));
    /// let scores = world.index::<Score>();
    /// assert!(scores.range(10..=20).eq([entities[1], entities[2]]));
    /// assert_eq!(scores.range(20..10).count(), 0);
    /// ```
    pub fn range<Q: Ord + ?Sized>(&self, range: impl RangeBounds<Q>) -> RangeIter<'_, K>
    where
        K: Borrow<Q>,
    {
        let keys =
            if is_backwards(&range) { btree_map::Range::default() } else { self.0.range(range) };
        RangeIter {
            front: IndexIter::default().of(self.1.as_ref()),
            keys,
            back: IndexIter::default(),
        }
    }

    /// Returns the keys that entities have, each once, in order, and the entities of each.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)]
    /// # #[component(index(ordered, by = points))]
    /// # struct Score { points: u32 }
    /// # let mut world = World::new();
    /// world.spawn_batch([30, 10, 30].map(|points| Score { points }));
    /// let counts = world.index::<Score>().iter().map(|(points, entities)| (*points, entities.len()));
    /// assert!(counts.eq([(10, 1), (30, 2)]));
    /// ```
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, IndexIter<'_>)> {
        self.0.iter().map(|(key, entities)| (key, entities.iter().of(self.1.as_ref())))
    }

    /// Returns the number of keys that entities have. O(1).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)]
    /// # #[component(index(ordered, by = points))]
    /// # struct Score { points: u32 }
    /// # let mut world = World::new();
    /// world.spawn_batch([30, 10, 30].map(|points| Score { points }));
    /// assert_eq!(world.index::<Score>().key_count(), 2);
    /// ```
    #[must_use]
    pub fn key_count(&self) -> usize {
        self.0.len()
    }
}

/// Returns `true` if a range ends before it begins, for which a search tree panics.
fn is_backwards<Q: Ord + ?Sized>(range: &impl RangeBounds<Q>) -> bool {
    use Bound::{Excluded, Included};
    match (range.start_bound(), range.end_bound()) {
        (Excluded(start), Excluded(end)) => start.cmp(end) != Ordering::Less,
        (Included(start) | Excluded(start), Included(end) | Excluded(end)) => start > end,
        _ => false,
    }
}

impl<K: OrderedKey> IndexKind for Ordered<K> {
    type Key = K;
    type Place = K;

    fn insert(&mut self, entity: Entity, key: &K) -> K {
        self.0.entry(key.clone()).or_insert(EntityList::EMPTY).insert(entity);
        key.clone()
    }

    fn remove(&mut self, entity: Entity, place: K) {
        let btree_map::Entry::Occupied(mut entry) = self.0.entry(place) else { return };
        entry.get_mut().remove(entity);
        if entry.get().len() == 0 {
            entry.remove();
        }
    }

    fn set_owner(&mut self, _: Internal<Self>, owner: IndexOwner) {
        self.1 = Some(owner);
    }

    #[inline]
    fn is_at(&self, place: &K, key: &K) -> bool {
        place == key
    }

    /// Returns the bytes on the heap, without the bytes that keys own and the bytes of the tree between its entries.
    fn memory(&self) -> usize {
        let entries = self.0.len() * size_of::<(K, EntityList)>();
        entries + self.0.values().map(EntityList::memory).sum::<usize>()
    }
}

impl<K: fmt::Debug> fmt::Debug for Ordered<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.iter().map(|(key, entities)| (key, entities.len()))).finish()
    }
}

/// The entities whose keys are in a range, by key and then by index: from [`Ordered::range`].
///
/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component)]
/// # #[component(index(ordered, by = points))]
/// # struct Score { points: u32 }
/// # let mut world = World::new();
/// let entities = world.spawn_batch([30, 10, 20].map(|points| Score { points }));
/// let mut best = world.index::<Score>().range(..).rev();
/// assert_eq!((best.next(), best.next()), (Some(entities[0]), Some(entities[2])));
/// ```
pub struct RangeIter<'a, K> {
    front: IndexIter<'a>,
    keys: btree_map::Range<'a, K, EntityList>,
    back: IndexIter<'a>,
}

impl<K> Clone for RangeIter<'_, K> {
    fn clone(&self) -> Self {
        Self { front: self.front.clone(), keys: self.keys.clone(), back: self.back.clone() }
    }
}

impl<K> fmt::Debug for RangeIter<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RangeIter")
    }
}

impl<K> Iterator for RangeIter<'_, K> {
    type Item = Entity;

    #[inline]
    fn next(&mut self) -> Option<Entity> {
        loop {
            if let Some(entity) = self.front.next() {
                return Some(entity);
            }
            let Some((_, entities)) = self.keys.next() else { return self.back.next() };
            self.front = entities.iter().of(self.front.shared_owner());
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.front.len() + self.back.len(), None)
    }
    fn count(self) -> usize {
        let between = self.keys.map(|(_, entities)| entities.len()).sum::<usize>();
        self.front.len() + between + self.back.len()
    }
}

impl<K> DoubleEndedIterator for RangeIter<'_, K> {
    #[inline]
    fn next_back(&mut self) -> Option<Entity> {
        loop {
            if let Some(entity) = self.back.next_back() {
                return Some(entity);
            }
            let Some((_, entities)) = self.keys.next_back() else { return self.front.next_back() };
            self.back = entities.iter();
        }
    }
}

impl<K> FusedIterator for RangeIter<'_, K> {}

impl<K> IndexAnswer for RangeIter<'_, K> {
    /// O(keys in the range).
    fn has_index(&self, index: u32) -> bool {
        self.front.has_index(index)
            || self.keys.clone().any(|(_, entities)| entities.iter().has_index(index))
            || self.back.has_index(index)
    }
    fn owner(&self) -> Option<IndexOwner> {
        self.front.owner()
    }
}
