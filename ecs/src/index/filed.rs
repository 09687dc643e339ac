//! An index, and where each entity is in it.

use crate::component::data::{AnyIndex, Drain, IndexRule};
use crate::entity::Entity;
use crate::index::kind::{IndexKind, Indexed};
use crate::internal::Internal;
use crate::pool::Pool;
use crate::storage::keys::Keys;
use crate::storage::sparse_array::{PAGE_LEN, WORDS};
use crate::storage::sparse_set::SparseSet;
use crate::storage::values::Container;
use alloc::boxed::Box;
use core::any::Any;

/// The index of `T`.
pub(crate) struct Filed<T: Indexed> {
    pub(crate) index: T::Index,
    places: SparseSet<<T::Index as IndexKind>::Place, Entity>,
    /// `false` after a panic in user code, which may have left anything.
    is_whole: bool,
}

impl<T: Indexed> Filed<T> {
    fn new() -> Self {
        Self { index: T::Index::default(), places: SparseSet::default(), is_whole: true }
    }

    /// Files the entity with this index where its value in the pool requires, if it is filed elsewhere.
    fn refile(&mut self, pool: &Pool<T>, index: u32) {
        let Self { index: own, places, .. } = self;
        let (members, filed) = (pool.raw_keys(), places.raw_keys());
        let (from, to) = (filed.find_index(index), members.find_index(index));
        let (Some(from), Some(to)) = (from, to) else {
            if from.is_some() {
                self.take_out(index);
            }
            if to.is_some() {
                self.file(pool, index);
            }
            return;
        };
        let entity = members.dense()[to];
        if filed.dense()[from] != entity {
            self.take_out(index);
            return self.file(pool, index);
        }
        let value = Container::get(pool.raw_values().get(), to);
        let (Some(value), Some(place)) = (value, places.as_mut_slice().get_mut(from)) else {
            return;
        };
        T::with_key(Internal::CALL, value, |key| {
            if !own.is_at(place, key) {
                own.change(entity, place, key);
            }
        });
    }

    /// Takes the entity with this index out.
    fn take_out(&mut self, index: u32) {
        let Some(entity) = self.places.raw_keys().at_index(index) else { return };
        if let Some(place) = self.places.remove(entity) {
            self.index.remove(entity, place);
        }
    }

    /// Files the entity with this index, which is not filed, if the pool has it.
    fn file(&mut self, pool: &Pool<T>, index: u32) {
        let Some(entity) = pool.raw_keys().at_index(index) else { return };
        let Some(value) = pool.get(entity) else { return };
        let place = T::with_key(Internal::CALL, value, |key| self.index.insert(entity, key));
        self.places.insert(entity, place);
    }

    /// Files an entity by a key, and takes it out of where it was.
    pub(super) fn file_at(&mut self, entity: Entity, key: &T::Key) {
        self.take_out(entity.index());
        let place = self.index.insert(entity, key);
        self.places.insert(entity, place);
    }

    /// Returns `true` if the entity is filed.
    pub(super) fn has(&self, entity: Entity) -> bool {
        self.places.contains(entity)
    }

    fn file_all(&mut self, pool: &Pool<T>) {
        self.index = T::Index::default();
        self.places.clear();
        for_each_index(pool.raw_keys(), &mut |index| self.file(pool, index));
    }
}

/// Calls `each` with the indices of the members, in order.
fn for_each_index(keys: &Keys<Entity>, each: &mut dyn FnMut(u32)) {
    for number in 0..keys.page_count() {
        for (word, bits) in (number * WORDS..).zip(keys.page(number).words()) {
            let mut bits = *bits;
            while bits != 0 {
                let index = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                each(u32::try_from(index).expect("an index has 32 bits"));
            }
        }
    }
}

const _: () = assert!(PAGE_LEN == WORDS * 64, "words of neighbouring pages are neighbours");

impl<T: Indexed> AnyIndex for Filed<T> {
    fn renew(&mut self, pool: &dyn Any, all: bool, drain: Drain<'_>) {
        let pool = pool.downcast_ref::<Pool<T>>().expect("the index of a component has its pool");
        let is_whole = core::mem::replace(&mut self.is_whole, false);
        if is_whole {
            drain(&mut |index| self.refile(pool, index));
            if all {
                for_each_index(pool.raw_keys(), &mut |index| self.refile(pool, index));
            }
        } else {
            drain(&mut |_| ());
            self.file_all(pool);
        }
        self.is_whole = true;
    }

    fn memory(&self) -> usize {
        let places = self.places.memory_usage();
        places.total() + self.index.memory()
    }
}

impl IndexRule {
    /// Returns the rule of a component with an index.
    #[must_use]
    pub const fn of<T: Indexed>() -> Self {
        Self { make: || Box::new(Filed::<T>::new()), unique: None }
    }
}

/// Returns the index of `T`, which this is.
#[inline]
pub(crate) fn typed<T: Indexed>(index: &dyn AnyIndex) -> &T::Index {
    let index: &dyn Any = index;
    &index.downcast_ref::<Filed<T>>().expect("the rule of a component is its own").index
}
