//! The entities of one key, in the order of their indices.
//!
//! ```text
//! One(e7)      Few [e2 e5 e7]      Many [ [e1 .. e900] [e905 .. e2000] .. ]     chunks, none empty
//! ```
//!
//! The order depends only on the entities, not on their history.

use crate::component::data::IndexOwner;
use crate::entity::Entity;
use crate::query::presence::IndexAnswer;
use alloc::vec;
use alloc::vec::Vec;
use core::iter::FusedIterator;
use core::slice;

/// The most entities of a chunk. An insertion moves half of a chunk on average.
const MOST: usize = 256;

/// Lists up to this length may be out of order for a while.
const SHORT: usize = 24;

/// A sorted list of entities with different indices.
#[derive(Clone, Debug)]
pub(crate) enum EntityList {
    One(Entity),
    Few(Vec<Entity>),
    Many { chunks: Vec<Vec<Entity>>, len: usize },
}

/// Returns the place of this index in a chunk, or where it belongs.
#[inline]
fn search(chunk: &[Entity], index: u32) -> Result<usize, usize> {
    match chunk.last() {
        Some(last) if last.index() < index => Err(chunk.len()), // filing in order appends
        _ => chunk.binary_search_by_key(&index, |entity| entity.index()),
    }
}

/// Returns the chunk in which this index is, or belongs.
#[inline]
fn chunk_of(chunks: &[Vec<Entity>], index: u32) -> usize {
    match chunks.last() {
        Some(last) if last[0].index() <= index => chunks.len() - 1,
        _ => chunks.partition_point(|chunk| chunk[0].index() <= index).saturating_sub(1),
    }
}

impl EntityList {
    pub(crate) const EMPTY: Self = Self::Few(Vec::new());

    pub(crate) const fn len(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Few(list) => list.len(),
            Self::Many { len, .. } => *len,
        }
    }

    /// Returns the first entity.
    #[inline]
    pub(crate) fn first(&self) -> Option<Entity> {
        match self {
            Self::One(one) => Some(*one),
            Self::Few(list) => list.first().copied(),
            Self::Many { chunks, .. } => chunks.first()?.first().copied(),
        }
    }

    /// Adds an entity. One with the same index is replaced.
    #[inline]
    pub(crate) fn insert(&mut self, entity: Entity) {
        match self {
            Self::Few(list) if list.is_empty() => *self = Self::One(entity),
            Self::One(other) => {
                let mut list = vec![*other];
                insert_into(&mut list, entity);
                *self = Self::Few(list);
            }
            Self::Few(list) => {
                if let ListInsertion::Divided(behind) = insert_into(list, entity) {
                    let len = list.len() + behind.len();
                    *self = Self::Many { chunks: vec![core::mem::take(list), behind], len };
                }
            }
            Self::Many { chunks, len } => {
                let number = chunk_of(chunks, entity.index());
                match insert_into(&mut chunks[number], entity) {
                    ListInsertion::Replaced => return,
                    ListInsertion::New => {}
                    ListInsertion::Divided(behind) => chunks.insert(number + 1, behind),
                }
                *len += 1;
            }
        }
    }

    /// Removes an entity, if it is in the list.
    #[inline]
    pub(crate) fn remove(&mut self, entity: Entity) {
        match self {
            Self::One(one) if *one == entity => *self = Self::EMPTY,
            Self::One(_) => {}
            Self::Few(list) => _ = remove_from(list, entity),
            Self::Many { chunks, len } => {
                let number = chunk_of(chunks, entity.index());
                if !remove_from(&mut chunks[number], entity) {
                    return;
                }
                *len -= 1;
                let left = chunks[number].len();
                let next = chunks.get(number + 1).map_or(MOST, Vec::len);
                if left == 0 {
                    chunks.remove(number);
                } else if left + next <= MOST / 2 {
                    let mut next = chunks.remove(number + 1);
                    chunks[number].append(&mut next);
                }
                if let [only] = &mut chunks[..] {
                    *self = Self::Few(core::mem::take(only));
                }
            }
        }
    }

    /// Appends an entity with another index than all others, if the list is short. Returns `true` if a sorted list remains
    /// sorted.
    #[inline]
    pub(super) fn append(&mut self, entity: Entity) -> Option<bool> {
        let before = match self {
            Self::Few(list) if (1..SHORT).contains(&list.len()) => {
                let before = list[list.len() - 1];
                list.push(entity);
                before
            }
            Self::One(other) => {
                let before = *other;
                *self = Self::Few(vec![before, entity]);
                before
            }
            Self::Few(list) if list.is_empty() => {
                *self = Self::One(entity);
                return Some(true);
            }
            _ => return None,
        };
        Some(before.index() < entity.index())
    }

    /// Removes an entity of a short list, which may be out of order before and after. Keeps the order of one that is not.
    #[inline]
    pub(super) fn take(&mut self, entity: Entity, is_mixed: bool) -> bool {
        let Self::Few(list) = self else { return false };
        let Some(at) = list.iter().position(|other| list.len() <= SHORT && *other == entity) else {
            return false;
        };
        let Some(mut moved) = list.pop() else { return false };
        if is_mixed {
            if let Some(place) = list.get_mut(at) {
                *place = moved;
            }
        } else {
            for place in list[at..].iter_mut().rev() {
                core::mem::swap(place, &mut moved);
            }
        }
        true
    }

    /// Sorts a list that is out of order.
    #[inline]
    pub(super) fn sort(&mut self) {
        let Self::Few(list) = self else { return };
        for end in 1..list.len() {
            let (new, mut at) = (list[end], end);
            while at > 0 && list[at - 1].index() > new.index() {
                list[at] = list[at - 1];
                at -= 1;
            }
            list[at] = new;
        }
    }

    /// Returns the entities, in order.
    #[inline]
    pub(crate) fn iter(&self) -> IndexIter<'_> {
        let (first, chunks): (&[Entity], &[Vec<Entity>]) = match self {
            Self::One(one) => (slice::from_ref(one), &[]),
            Self::Few(list) => (list, &[]),
            Self::Many { chunks, .. } => (&[], chunks),
        };
        let (front, chunks, back) = (first.iter(), chunks.iter(), [].iter());
        IndexIter { front, chunks, back, len: self.len(), owner: None }
    }

    /// Returns the bytes on the heap.
    #[inline]
    pub(crate) fn memory(&self) -> usize {
        match self {
            Self::One(_) => 0,
            Self::Few(list) => list.capacity() * size_of::<Entity>(),
            Self::Many { chunks, .. } => {
                let inside = chunks.iter().map(|chunk| chunk.capacity() * size_of::<Entity>());
                chunks.capacity() * size_of::<Vec<Entity>>() + inside.sum::<usize>()
            }
        }
    }
}

/// The result of an insertion into a chunk.
enum ListInsertion {
    /// An entity had the index.
    Replaced,
    New,
    /// The chunk was full, and has this part behind it now.
    Divided(Vec<Entity>),
}

/// Inserts an entity into a chunk. Entities that come in order leave full chunks behind.
#[inline]
fn insert_into(chunk: &mut Vec<Entity>, entity: Entity) -> ListInsertion {
    match search(chunk, entity.index()) {
        Ok(at) => {
            chunk[at] = entity;
            ListInsertion::Replaced
        }
        Err(at) if chunk.len() < MOST => {
            chunk.insert(at, entity);
            ListInsertion::New
        }
        Err(MOST) => ListInsertion::Divided(vec![entity]),
        Err(at) => {
            let mut behind = chunk.split_off(MOST / 2);
            match at.checked_sub(MOST / 2) {
                Some(at) => behind.insert(at, entity),
                None => chunk.insert(at, entity),
            }
            ListInsertion::Divided(behind)
        }
    }
}

/// Removes an entity from a chunk, and returns `true` if it was there.
#[inline]
fn remove_from(chunk: &mut Vec<Entity>, entity: Entity) -> bool {
    let found = search(chunk, entity.index()).ok().filter(|at| chunk[*at] == entity);
    found.map(|at| chunk.remove(at)).is_some()
}

/// The entities that an index has for a key, in the order of their indices: from [`Hashed::get`](crate::Hashed::get)
/// and [`Ordered::get`](crate::Ordered::get). An exact-size iterator.
///
/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component, Clone, PartialEq, Eq, Hash)]
/// # #[component(index)]
/// # struct Team(u8);
/// let mut world = World::new();
/// let entities = world.spawn_batch([Team(1), Team(1), Team(2)]);
/// let team = world.index::<Team>().get(&Team(1));
/// assert_eq!((team.len(), team.clone().next_back()), (2, Some(entities[1])));
/// assert!(team.eq([entities[0], entities[1]]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct IndexIter<'a> {
    front: slice::Iter<'a, Entity>,
    chunks: slice::Iter<'a, Vec<Entity>>,
    back: slice::Iter<'a, Entity>,
    len: usize,
    owner: Option<&'a IndexOwner>,
}

impl<'a> IndexIter<'a> {
    /// Returns this answer as one of the index with this identity.
    #[inline]
    pub(super) fn of(self, owner: Option<&'a IndexOwner>) -> Self {
        Self { owner, ..self }
    }

    /// Returns the identity of the index.
    #[inline]
    pub(super) const fn shared_owner(&self) -> Option<&'a IndexOwner> {
        self.owner
    }
}

impl IndexAnswer for IndexIter<'_> {
    /// O(log entities).
    #[inline]
    fn has_index(&self, index: u32) -> bool {
        let chunks = self.chunks.as_slice();
        [self.front.as_slice(), self.back.as_slice()].iter().any(|it| search(it, index).is_ok())
            || !chunks.is_empty() && search(&chunks[chunk_of(chunks, index)], index).is_ok()
    }
    #[inline]
    fn owner(&self) -> Option<IndexOwner> {
        self.owner.copied()
    }
}

impl Iterator for IndexIter<'_> {
    type Item = Entity;

    #[inline]
    fn next(&mut self) -> Option<Entity> {
        loop {
            if let Some(entity) = self.front.next() {
                self.len -= 1;
                return Some(*entity);
            }
            self.front = match self.chunks.next() {
                Some(chunk) => chunk.iter(),
                None if self.len > 0 => core::mem::take(&mut self.back),
                None => return None,
            };
        }
    }
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len, Some(self.len))
    }
    #[inline]
    fn count(self) -> usize {
        self.len
    }
    #[inline]
    fn fold<B, F: FnMut(B, Entity) -> B>(self, init: B, mut f: F) -> B {
        let Self { front, chunks, back, .. } = self;
        let all = front.fold(init, |all, entity| f(all, *entity));
        let all = chunks.flatten().fold(all, |all, entity| f(all, *entity));
        back.fold(all, |all, entity| f(all, *entity))
    }
}

impl DoubleEndedIterator for IndexIter<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Entity> {
        loop {
            if let Some(entity) = self.back.next_back() {
                self.len -= 1;
                return Some(*entity);
            }
            self.back = match self.chunks.next_back() {
                Some(chunk) => chunk.iter(),
                None if self.len > 0 => core::mem::take(&mut self.front),
                None => return None,
            };
        }
    }
}

impl ExactSizeIterator for IndexIter<'_> {}
impl FusedIterator for IndexIter<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use core::num::NonZeroU32;
    use std::collections::BTreeMap;

    fn entity(index: u32, generation: u32) -> Entity {
        Entity::new(index, NonZeroU32::new(generation).unwrap())
    }

    fn check(list: &EntityList, model: &BTreeMap<u32, Entity>) {
        assert!(list.iter().eq(model.values().copied()));
        assert!(list.iter().rev().eq(model.values().rev().copied()));
        assert_eq!((list.len(), list.iter().len()), (model.len(), model.len()));
        assert_eq!(list.iter().fold(0, |sum, _| sum + 1), model.len());
        if let EntityList::Many { chunks, .. } = list {
            assert!(chunks.len() > 1 && chunks.iter().all(|it| (1..=MOST).contains(&it.len())));
        }
    }

    #[test]
    fn a_list_is_sorted_after_any_edits() {
        for (seed, range) in [(1_u64, 8_u32), (2, 300), (3, 5_000)] {
            let (mut list, mut model, mut state) = (EntityList::EMPTY, BTreeMap::new(), seed);
            let mut random = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 33) as u32
            };
            for step in 0..20_000 {
                let (index, grows) = (random() % range, step / 5_000 % 2 == 0);
                if random() % 8 < if grows { 6 } else { 2 } {
                    let new = entity(index, 1 + random() % 2);
                    list.insert(new);
                    model.insert(index, new);
                } else {
                    let old = entity(index, 1 + random() % 2);
                    list.remove(old);
                    if model.get(&index) == Some(&old) {
                        model.remove(&index);
                    }
                }
                if step % 97 == 0 {
                    check(&list, &model);
                }
            }
            for old in model.values() {
                list.remove(*old);
            }
            check(&list, &BTreeMap::new());
        }
    }

    #[test]
    fn a_short_list_is_sorted_after_edits_out_of_order() {
        let (mut list, mut model, mut state) = (EntityList::EMPTY, BTreeMap::new(), 5_u64);
        for step in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let new = entity((state >> 33) as u32 % 30, 1);
            let is_mixed = step % 5 != 0;
            if !is_mixed {
                list.sort();
                check(&list, &model);
            }
            if model.remove(&new.index()).is_some() {
                if !list.take(new, is_mixed) {
                    list.sort();
                    list.remove(new);
                }
            } else {
                model.insert(new.index(), new);
                if list.append(new).is_none() {
                    list.sort();
                    list.insert(new);
                }
            }
            if !is_mixed {
                list.sort();
            }
        }
    }

    #[test]
    fn entities_that_come_in_order_fill_their_chunks() {
        let mut list = EntityList::EMPTY;
        (0..1_000).for_each(|index| list.insert(entity(index, 1)));
        let EntityList::Many { chunks, len } = &list else { panic!("a thousand are many") };
        assert_eq!((chunks.len(), *len, chunks[0].len()), (4, 1_000, MOST));
        assert!(list.memory() < 1_100 * size_of::<Entity>());
    }

    #[test]
    fn an_iterator_is_walked_from_both_ends() {
        let mut list = EntityList::EMPTY;
        (0..1_000).for_each(|index| list.insert(entity(index, 1)));
        let mut iter = list.iter();
        for at in 0..500 {
            assert_eq!(iter.next(), Some(entity(at, 1)));
            assert_eq!(iter.next_back(), Some(entity(999 - at, 1)));
        }
        assert_eq!((iter.next(), iter.next_back(), iter.len()), (None, None, 0));
        let mut iter = list.iter();
        assert_eq!(iter.nth(999), Some(entity(999, 1)));
        assert_eq!((iter.next_back(), iter.next()), (None, None));
    }
}
