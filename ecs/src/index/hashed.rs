//! The index by equal keys.

use crate::entity::Entity;
use crate::index::entity_list::{EntityList, IndexIter};
use crate::index::kind::{HashedKey, IndexKind};
use crate::index::table::{BucketTable, hash_of};
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt;
use core::hash::Hash;

/// The index of `#[component(index)]`: entities by equal keys.
///
/// A lookup costs what it does in a hash map. The index has each key once, and none without entities.
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
}

#[derive(Clone)]
struct Bucket<K> {
    key: Option<K>,
    hash: u32,
    entities: EntityList,
}

impl<K> Default for Hashed<K> {
    fn default() -> Self {
        Self { table: BucketTable::default(), buckets: Vec::new(), free: Vec::new() }
    }
}

impl<K: HashedKey> Hashed<K> {
    #[inline]
    fn bucket<Q: Eq + Hash + ?Sized>(&self, hash: u32, key: &Q) -> Option<u32>
    where
        K: Borrow<Q>,
    {
        self.table.find(hash, |at| {
            let bucket = self.buckets.get(at as usize).and_then(|bucket| bucket.key.as_ref());
            bucket.is_some_and(|own| own.borrow() == key)
        })
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
        match self.bucket(hash_of(key), key) {
            Some(at) => self.buckets[at as usize].entities.iter(),
            None => IndexIter::default(),
        }
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
        let at = self.bucket(hash_of(key), key)?;
        self.buckets.get(at as usize)?.entities.first()
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
        self.buckets.iter().filter_map(|it| Some((it.key.as_ref()?, it.entities.iter())))
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
        let at = self.bucket(hash, key).unwrap_or_else(|| {
            let new = Bucket { key: Some(key.clone()), hash, entities: EntityList::EMPTY };
            let at = if let Some(at) = self.free.pop() {
                self.buckets[at as usize] = new;
                at
            } else {
                self.buckets.push(new);
                u32::try_from(self.buckets.len() - 1).expect("there are fewer keys than entities")
            };
            self.table.insert(hash, at);
            at
        });
        self.buckets[at as usize].entities.insert(entity);
        at
    }

    fn remove(&mut self, entity: Entity, place: u32) {
        let bucket = &mut self.buckets[place as usize];
        bucket.entities.remove(entity);
        if bucket.entities.len() == 0 {
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

    #[inline]
    fn change(&mut self, entity: Entity, place: &mut u32, key: &K) {
        let old = core::mem::replace(place, self.insert(entity, key));
        self.remove(entity, old);
    }

    /// Returns the bytes on the heap, without those that keys own.
    fn memory(&self) -> usize {
        self.table.memory()
            + self.buckets.capacity() * size_of::<Bucket<K>>()
            + self.free.capacity() * size_of::<u32>()
            + self.buckets.iter().map(|bucket| bucket.entities.memory()).sum::<usize>()
    }
}

impl<K: fmt::Debug> fmt::Debug for Hashed<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = self.buckets.iter().filter_map(|it| Some((it.key.as_ref()?, it.entities.len())));
        f.debug_map().entries(keys).finish()
    }
}
