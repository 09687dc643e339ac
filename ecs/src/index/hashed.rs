//! The index by equal keys.

use crate::component::data::IndexOwner;
use crate::entity::Entity;
use crate::index::entity_list::{EntityList, IndexIter};
use crate::index::kind::{HashedKey, IndexKind};
use crate::index::table::{BucketTable, hash_of};
use crate::internal::Internal;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt;
use core::hash::Hash;

/// The index of `#[component(index)]`: entities by equal keys.
///
/// A lookup costs about as much as in a hash map. The index has each key once, and none without entities.
///
/// ```
/// use ecs::{Component, World};
///
/// #[derive(Component)]
/// #[component(index(by = name))]
/// struct Sensor { name: String }
///
/// let mut world = World::new();
/// let sensor = world.spawn(Sensor { name: "north".into() }).id();
/// assert_eq!(world.index::<Sensor>().find("north"), Some(sensor));
/// assert_eq!(world.index::<Sensor>().find("south"), None);
/// ```
#[derive(Clone)]
pub struct Hashed<K> {
    table: BucketTable,
    buckets: Vec<Bucket<K>>,
    /// The numbers of buckets without a key.
    free: Vec<u32>,
    /// The numbers of buckets that [`finish`](IndexKind::finish) has to sort.
    mixed: Vec<u32>,
    owner: Option<IndexOwner>,
}

#[derive(Clone)]
struct Bucket<K> {
    key: Option<K>,
    hash: u32,
    /// The first of the entities, unless they are mixed.
    first: Entity,
    /// `true` if the entities may be out of order.
    is_mixed: bool,
    entities: EntityList,
}

impl<K> Bucket<K> {
    /// Sorts the entities, and finds the first.
    fn sort(&mut self) {
        if self.is_mixed {
            self.is_mixed = false;
            self.entities.sort();
        }
        self.first = self.entities.first().unwrap_or(self.first);
    }
}

impl<K> Default for Hashed<K> {
    fn default() -> Self {
        Self {
            table: BucketTable::default(),
            buckets: Vec::new(),
            free: Vec::new(),
            mixed: Vec::new(),
            owner: None,
        }
    }
}

impl<K: HashedKey> Hashed<K> {
    #[inline]
    fn bucket<Q: Eq + Hash + ?Sized>(&self, hash: u32, key: &Q) -> Option<(u32, &Bucket<K>)>
    where
        K: Borrow<Q>,
    {
        self.table.find(hash, |at| {
            let bucket = self.buckets.get(at as usize)?;
            (bucket.key.as_ref()?.borrow() == key).then_some((at, bucket))
        })
    }

    /// Adds a bucket without entities. `first` is the first entity that it gets.
    fn add_bucket(&mut self, hash: u32, key: K, first: Entity) -> u32 {
        let key = Some(key);
        let at = if let Some(at) = self.free.pop() {
            let bucket = &mut self.buckets[at as usize];
            (bucket.key, bucket.hash, bucket.first) = (key, hash, first);
            at
        } else {
            let (is_mixed, entities) = (false, EntityList::EMPTY);
            self.buckets.push(Bucket { key, hash, first, is_mixed, entities });
            u32::try_from(self.buckets.len() - 1).expect("there are fewer keys than entities")
        };
        self.table.insert(hash, at);
        at
    }

    /// Returns the entities with this key, in the order of their indices. O(1).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Clone, PartialEq, Eq, Hash)]
    /// # #[component(index)]
    /// # struct Team(u8);
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([Team(1), Team(1), Team(2)]);
    /// assert!(world.index::<Team>().get(&Team(1)).eq([entities[0], entities[1]]));
    /// ```
    #[inline]
    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> IndexIter<'_>
    where
        K: Borrow<Q>,
    {
        let bucket = self.bucket(hash_of(key), key);
        let entities = bucket.map_or_else(IndexIter::default, |(_, bucket)| bucket.entities.iter());
        entities.of(self.owner.as_ref())
    }

    /// Returns the first entity with this key, by index. O(1).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Clone, PartialEq, Eq, Hash)]
    /// # #[component(index)]
    /// # struct Team(u8);
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([Team(1), Team(1), Team(2)]);
    /// assert_eq!(world.index::<Team>().find(&Team(1)), Some(entities[0]));
    /// ```
    #[inline]
    #[must_use]
    pub fn find<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<Entity>
    where
        K: Borrow<Q>,
    {
        Some(self.bucket(hash_of(key), key)?.1.first)
    }

    /// Returns the keys that entities have, each once, in no order, and the entities of each.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Clone, PartialEq, Eq, Hash)]
    /// # #[component(index)]
    /// # struct Team(u8);
    /// # let mut world = World::new();
    /// world.spawn_batch([Team(1), Team(1), Team(2)]);
    /// let most = world.index::<Team>().iter().max_by_key(|(_, entities)| entities.len());
    /// assert_eq!(most.unwrap().0.0, 1);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&K, IndexIter<'_>)> {
        let owner = self.owner.as_ref();
        self.buckets
            .iter()
            .filter_map(move |it| Some((it.key.as_ref()?, it.entities.iter().of(owner))))
    }

    /// Returns the number of keys that entities have. O(1).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Clone, PartialEq, Eq, Hash)]
    /// # #[component(index)]
    /// # struct Team(u8);
    /// # let mut world = World::new();
    /// world.spawn_batch([Team(1), Team(1), Team(2)]);
    /// assert_eq!(world.index::<Team>().key_count(), 2);
    /// ```
    #[must_use]
    pub const fn key_count(&self) -> usize {
        self.buckets.len() - self.free.len()
    }
}

impl<K: HashedKey> IndexKind for Hashed<K> {
    type Key = K;
    type Place = u32;

    fn insert(&mut self, entity: Entity, key: &K) -> u32 {
        let hash = hash_of(key);
        let at = match self.bucket(hash, key) {
            Some((at, _)) => at,
            None => self.add_bucket(hash, key.clone(), entity),
        };
        let bucket = &mut self.buckets[at as usize];
        if let Some(is_sorted) = bucket.entities.append(entity) {
            if !is_sorted && !bucket.is_mixed {
                bucket.is_mixed = true;
                self.mixed.push(at);
            }
        } else {
            bucket.sort();
            bucket.entities.insert(entity);
            bucket.sort();
        }
        at
    }

    fn remove(&mut self, entity: Entity, place: u32) {
        let bucket = &mut self.buckets[place as usize];
        if !bucket.entities.take(entity, bucket.is_mixed) {
            bucket.sort();
            bucket.entities.remove(entity);
        }
        if let Some(first) = bucket.entities.first() {
            bucket.first = first;
        } else {
            self.table.remove(bucket.hash, place);
            self.free.push(place);
            bucket.entities = EntityList::EMPTY;
            bucket.key = None; // dropped last
        }
    }

    #[inline]
    fn is_at(&self, place: &u32, key: &K) -> bool {
        self.buckets[*place as usize].key.as_ref() == Some(key)
    }

    #[inline(never)]
    fn change(&mut self, entity: Entity, place: &mut u32, key: &K) {
        let old = core::mem::replace(place, self.insert(entity, key));
        self.remove(entity, old);
    }

    fn set_owner(&mut self, _: Internal<Self>, owner: IndexOwner) {
        self.owner = Some(owner);
    }

    fn finish(&mut self) {
        for number in self.mixed.drain(..) {
            self.buckets[number as usize].sort();
        }
    }

    /// Returns the bytes on the heap, without the bytes that keys own.
    fn memory(&self) -> usize {
        self.table.memory()
            + self.buckets.capacity() * size_of::<Bucket<K>>()
            + (self.free.capacity() + self.mixed.capacity()) * size_of::<u32>()
            + self.buckets.iter().map(|bucket| bucket.entities.memory()).sum::<usize>()
    }
}

impl<K: fmt::Debug> fmt::Debug for Hashed<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = self.buckets.iter().filter_map(|it| Some((it.key.as_ref()?, it.entities.len())));
        f.debug_map().entries(keys).finish()
    }
}
