//! An index, and where each entity is in it.

use crate::component::Ref;
use crate::component::data::IndexOwner;
use crate::component::data::{AnyIndex, Drain, IndexRule};
use crate::entity::Entity;
use crate::index::kind::{IndexKind, Indexed};
use crate::internal::Internal;
use crate::pool::Pool;
use crate::storage::keys::Keys;
use crate::storage::sparse_array::{PAGE_LEN, WORDS, offset_of, page_of};
use crate::storage::values::Container;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;

/// A component that is filed by a key: a type, or all definitions with one sort of index.
pub(crate) trait Keyed: 'static {
    type Key: 'static;
    type Index: IndexKind<Key = Self::Key>;
    type Pool: 'static;
    /// The storage of the values.
    type Values: 'static;
    /// A reference to a value.
    type Value<'a>: Copy;
    /// Returns the members and the values of a pool.
    fn parts(pool: &Self::Pool) -> (&Keys<Entity>, &Self::Values);
    /// Returns the value at this position.
    fn value(values: &Self::Values, at: usize) -> Option<Self::Value<'_>>;
    /// Calls `read` with the key of a value.
    fn read_key<R>(value: Self::Value<'_>, read: impl FnOnce(&Self::Key) -> R) -> R;
}

impl<T: Indexed> Keyed for T {
    type Key = <T as Indexed>::Key;
    type Index = <T as Indexed>::Index;
    type Pool = Pool<T>;
    type Values = T::Storage;
    type Value<'a> = Ref<'a, T>;

    #[inline(always)]
    fn parts(pool: &Pool<T>) -> (&Keys<Entity>, &T::Storage) {
        (pool.raw_keys(), pool.raw_values().get())
    }
    #[inline(always)]
    fn value(values: &T::Storage, at: usize) -> Option<Ref<'_, T>> {
        Container::get(values, at)
    }
    #[inline(always)]
    fn read_key<R>(value: Ref<'_, T>, read: impl FnOnce(&<T as Indexed>::Key) -> R) -> R {
        T::with_key(Internal::CALL, value, read)
    }
}

/// The index of `T`.
pub(crate) struct Filed<T: Keyed> {
    pub(crate) index: T::Index,
    /// The place of each entity, by its index, in pages; a page is empty if none of its entities was ever filed.
    places: Vec<Vec<Option<Filing<T>>>>,
    /// `false` after a panic in user code, which may have left anything.
    is_whole: bool,
    owner: IndexOwner,
}

/// An entity, and its place in the index.
struct Filing<T: Keyed> {
    entity: Entity,
    place: <T::Index as IndexKind>::Place,
}

impl<T: Keyed> Filed<T> {
    fn owned_by(owner: IndexOwner) -> Self {
        let mut index = T::Index::default();
        index.set_owner(Internal::CALL, owner);
        Self { index, places: Vec::new(), is_whole: true, owner }
    }

    /// Returns the index, and the places of the entities of a page.
    fn page(&mut self, page: usize) -> (&mut T::Index, &mut [Option<Filing<T>>]) {
        let Self { index, places, .. } = self;
        if page >= places.len() {
            places.resize_with(page + 1, Vec::new);
        }
        let places = &mut places[page];
        if places.is_empty() {
            places.resize_with(PAGE_LEN, || None);
        }
        (index, places)
    }

    /// Files entities with 64 neighbouring indices where their values in the pool require, if they are filed elsewhere.
    fn refile(&mut self, pool: &T::Pool, word: usize, bits: u64) {
        let (keys, values) = T::parts(pool);
        let page = keys.page(word / WORDS);
        #[expect(clippy::cast_possible_truncation, reason = "it is less than the length of a page")]
        let first = (word % WORDS * 64) as u32;
        let members = page.word(word % WORDS);
        let (index, places) = self.page(word / WORDS);
        let Some(places) = places[first as usize..].first_chunk_mut::<64>() else { return };
        // Values of a full word of neighbours are neighbours, too.
        let run = (bits & members == u64::MAX && page.is_sequential())
            .then(|| page.dense_index(first) as usize);
        if let Some(start) = run
            && let Some(entities) = keys.dense()[start..].first_chunk::<64>()
        {
            // By positions, because zipped iterators take twice as long.
            for at in 0..64 {
                let value = T::value(values, start + at);
                refile_one(index, &mut places[at], value.map(|value| (entities[at], value)));
            }
            return;
        }
        for_each_bit(bits, |bit| {
            let member = if members >> bit & 1 == 0 {
                None
            } else {
                let position = page.dense_index(first + bit) as usize;
                keys.dense().get(position).copied().zip(T::value(values, position))
            };
            refile_one(index, &mut places[bit as usize], member);
        });
    }

    /// Files an entity by a key, and takes it out of where it was.
    pub(super) fn file_at(&mut self, entity: Entity, key: &T::Key) {
        let (index, places) = self.page(page_of(entity.index()));
        let slot = &mut places[offset_of(entity.index()) as usize];
        if let Some(Filing { entity, place }) = slot.take() {
            index.remove(entity, place);
        }
        *slot = Some(Filing { entity, place: index.insert(entity, key) });
    }

    /// Returns `true` if the entity is filed.
    pub(super) fn has(&self, entity: Entity) -> bool {
        let page = self.places.get(page_of(entity.index()));
        let slot = page.and_then(|page| page.get(offset_of(entity.index()) as usize));
        slot.is_some_and(|slot| slot.as_ref().is_some_and(|filing| filing.entity == entity))
    }
}

/// Files a member of the pool where its key belongs; without one, takes out the entity that is filed in this slot.
#[inline(always)]
fn refile_one<T: Keyed>(
    index: &mut T::Index,
    slot: &mut Option<Filing<T>>,
    member: Option<(Entity, T::Value<'_>)>,
) {
    if let (Some(Filing { entity, place }), Some((now, value))) = (&mut *slot, member)
        && *entity == now
    {
        return T::read_key(value, |key| {
            if !index.is_at(place, key) {
                index.change(now, place, key);
            }
        });
    }
    file_anew(index, slot, member);
}

/// Takes out the entity that is filed in this slot, if any, and files a member of the pool, if any.
#[inline(never)]
fn file_anew<T: Keyed>(
    index: &mut T::Index,
    slot: &mut Option<Filing<T>>,
    member: Option<(Entity, T::Value<'_>)>,
) {
    if let Some(Filing { entity, place }) = slot.take() {
        index.remove(entity, place);
    }
    *slot = member.map(|(entity, value)| {
        let place = T::read_key(value, |key| index.insert(entity, key));
        Filing { entity, place }
    });
}

/// Calls `each` with the numbers of the bits that are set, in order.
#[inline(always)]
fn for_each_bit(mut bits: u64, mut each: impl FnMut(u32)) {
    while bits != 0 {
        each(bits.trailing_zeros());
        bits &= bits - 1;
    }
}

impl<T: Keyed> AnyIndex for Filed<T> {
    fn renew(&mut self, pool: &dyn Any, all: bool, drain: Drain<'_>) {
        let pool = pool.downcast_ref::<T::Pool>().expect("the index of a component has its pool");
        let is_whole = core::mem::replace(&mut self.is_whole, false);
        if !is_whole {
            *self = Self { is_whole: false, ..Self::owned_by(self.owner) };
        }
        drain(&mut |word, bits| {
            if is_whole {
                self.refile(pool, word, bits);
            }
        });
        if all || !is_whole {
            let (keys, _) = T::parts(pool);
            for page in 0..keys.page_count() {
                let words = (page * WORDS..).zip(keys.page(page).words());
                words.for_each(|(word, bits)| self.refile(pool, word, *bits));
            }
        }
        self.index.finish();
        self.is_whole = true;
    }

    fn owner(&self) -> IndexOwner {
        self.owner
    }

    fn memory(&self) -> usize {
        let pages = self.places.iter().map(|page| page.capacity() * size_of::<Option<Filing<T>>>());
        pages.sum::<usize>() + self.places.capacity() * size_of::<Vec<()>>() + self.index.memory()
    }
}

impl IndexRule {
    /// Returns the rule of a component with an index.
    #[must_use]
    pub const fn of<T: Indexed>() -> Self {
        Self::by::<T>()
    }

    /// Returns the rule of a component that is filed by a key.
    pub(super) const fn by<T: Keyed>() -> Self {
        Self {
            make: |number, name| Box::new(Filed::<T>::owned_by(IndexOwner::new(number, name))),
            unique: None,
            unique_value: None,
        }
    }
}

/// Returns the index of `T`, which this is.
#[inline]
pub(crate) fn typed<T: Keyed>(index: &dyn AnyIndex) -> &T::Index {
    let index: &dyn Any = index;
    &index.downcast_ref::<Filed<T>>().expect("the rule of a component is its own").index
}
