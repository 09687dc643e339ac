//! The pools of a world, by component number and by component bit.
#![expect(
    unsafe_code,
    reason = "finding a pool by its type's number spares a hash and a check of types"
)]

use crate::component::slot::ComponentIndex;
use crate::component::{Component, index_of, known_index_of};
use crate::entity::Entity;
use crate::signature::Signature;
use crate::storage::pool::{ErasedPool, Pool};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::slice;

/// The pools of a world.
///
/// * P1: the entry at `index_of::<T>()` is a `Pool<T>` or missing, and what no type has is missing.
/// * P2: `sharers[b]` lists the entries whose component has bit `b`.
/// * P3: `remembered` lists the sharers of its bits.
/// * P4: the members of every entry are alive. The world upholds it.
pub struct Pools {
    entries: Entries,
    sharers: [Vec<u32>; Signature::BITS as usize],
    remembered: Remembered,
    /// The bits that several entries have.
    shared: Signature,
    /// The bits of components with a veto.
    guarded: Signature,
}

type Entry = Option<Box<dyn ErasedPool>>;

/// The pools by number.
///
/// The first ones are in place, so that finding a pool takes two loads less: random reads of far memory
/// are as many at a time as the processor keeps loads under way.
struct Entries {
    first: [Entry; FIRST],
    rest: Vec<Entry>,
}

/// More component types than most programs have.
const FIRST: usize = 64;

impl Entries {
    const fn new() -> Self {
        Self { first: [const { None }; FIRST], rest: Vec::new() }
    }

    #[inline(always)]
    fn get(&self, number: u32) -> Option<&dyn ErasedPool> {
        let number = number as usize;
        match self.first.get(number) {
            Some(entry) => entry.as_deref(),
            None => self.rest.get(number - FIRST)?.as_deref(),
        }
    }

    #[inline(always)]
    fn get_mut(&mut self, number: u32) -> Option<&mut (dyn ErasedPool + 'static)> {
        let number = number as usize;
        match self.first.get_mut(number) {
            Some(entry) => entry.as_deref_mut(),
            None => self.rest.get_mut(number - FIRST)?.as_deref_mut(),
        }
    }

    /// The entry with this number, made if there is none yet.
    fn entry(&mut self, number: u32) -> &mut Entry {
        let number = number as usize;
        if number < FIRST {
            return &mut self.first[number];
        }
        if number - FIRST >= self.rest.len() {
            self.rest.resize_with(number - FIRST + 1, || None);
        }
        &mut self.rest[number - FIRST]
    }

    fn iter(&self) -> impl Iterator<Item = &Box<dyn ErasedPool>> {
        self.first.iter().chain(&self.rest).flatten()
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut Box<dyn ErasedPool>> {
        self.first.iter_mut().chain(&mut self.rest).flatten()
    }
}

/// The entries whose components have some of these bits.
///
/// Entities that end one after the other often have the same bits. Then the processor goes on with
/// the pools of the last one's while it waits for the next one's record; pools that were found by
/// the bits of that would have to wait, too.
struct Remembered {
    bits: Signature,
    entries: Vec<u32>,
}

/// Where a component is that an entity was just given: it need not be looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// The address of its pool.
    pool: *const (),
    at: usize,
}

impl Placed {
    /// Nothing is known.
    pub(crate) const NOWHERE: Self = Self { pool: core::ptr::null(), at: 0 };

    /// The last component of a pool, which has any.
    #[inline]
    pub(crate) fn last_of<T: Component>(pool: &Pool<T>) -> Self {
        Self { pool: core::ptr::from_ref(pool).cast(), at: pool.len() - 1 }
    }
}

impl Pools {
    pub(crate) const fn new() -> Self {
        Self {
            entries: Entries::new(),
            sharers: [const { Vec::new() }; Signature::BITS as usize],
            remembered: Remembered { bits: Signature::EMPTY, entries: Vec::new() },
            shared: Signature::EMPTY,
            guarded: Signature::EMPTY,
        }
    }

    /// The pool of `T`, if the world has one.
    #[inline]
    pub(crate) fn get<T: Component>(&self) -> Option<&Pool<T>> {
        let pool = match self.entries.get(known_index_of::<T>().get()) {
            Some(pool) => pool,
            None => self.find::<T>()?,
        };
        // SAFETY: P1, and that index cannot be another type's: see `ComponentIndex`.
        Some(unsafe { &*core::ptr::from_ref(pool).cast::<Pool<T>>() })
    }

    /// As [`get`](Self::get), where the number was not known or there is no such pool.
    #[cold]
    #[inline(never)]
    fn find<T: Component>(&self) -> Option<&dyn ErasedPool> {
        self.entries.get(index_of::<T>().get())
    }

    /// The pool of `T`, if the world has one.
    #[inline]
    pub(crate) fn get_mut<T: Component>(&mut self) -> Option<&mut Pool<T>> {
        self.get_mut_at(index_of::<T>())
    }

    /// The pool of `T`, if the world has one, by its number: for where no user code may run, as the
    /// slot of `T` is.
    #[inline]
    pub(crate) fn get_mut_at<T: Component>(
        &mut self,
        index: ComponentIndex<T>,
    ) -> Option<&mut Pool<T>> {
        let pool = self.entries.get_mut(index.get())?;
        // SAFETY: as in `get`.
        Some(unsafe { &mut *core::ptr::from_mut(pool).cast::<Pool<T>>() })
    }

    /// The pool of `T`, made on first use.
    #[inline]
    pub(crate) fn get_or_create<T: Component>(&mut self) -> &mut Pool<T> {
        let pool = match self.entries.get_mut(known_index_of::<T>().get()) {
            Some(pool) => core::ptr::from_mut(pool),
            None => core::ptr::from_mut(self.find_or_create::<T>()),
        };
        // SAFETY: as in `get`; the pointer is to a pool that `self` is borrowed for.
        unsafe { &mut *pool.cast::<Pool<T>>() }
    }

    #[cold]
    fn find_or_create<T: Component>(&mut self) -> &mut (dyn ErasedPool + 'static) {
        const { assert!(T::BIT.count() == 1, "a component has exactly one bit") };
        let index = index_of::<T>().get();
        if self.entries.get(index).is_some() {
            return self.at_mut(index); // the number was not known here
        }
        for bit in T::BIT.bits() {
            self.sharers[bit as usize].push(index);
            if self.sharers[bit as usize].len() > 1 {
                self.shared = self.shared.union(T::BIT);
            }
        }
        if T::GUARDED {
            self.guarded = self.guarded.union(T::BIT);
        }
        self.remember(Signature::EMPTY);
        self.remembered.entries.reserve(self.sharers.iter().map(Vec::len).sum()); // none later
        &mut **self.entries.entry(index).insert(Box::new(Pool::<T>::default()))
    }

    /// All pools, in the order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &dyn ErasedPool> {
        self.entries.iter().map(|pool| &**pool)
    }

    /// The pool with this number, which the world has.
    #[inline]
    pub(crate) fn at(&self, number: u32) -> &dyn ErasedPool {
        self.entries.get(number).expect("the world has this pool")
    }

    /// The pool with this number, which the world has.
    #[inline]
    pub(crate) fn at_mut(&mut self, number: u32) -> &mut (dyn ErasedPool + 'static) {
        self.entries.get_mut(number).expect("the world has this pool")
    }

    /// Exchanges the component of `entity` in this pool, if it is not before position `to`, for the
    /// one there. Whether it is there now.
    #[inline]
    pub(crate) fn bring(
        &mut self,
        number: u32,
        entity: Entity,
        to: usize,
        placed: &mut Placed,
    ) -> bool {
        let pool = self.at_mut(number);
        if !core::ptr::addr_eq(pool, placed.pool) {
            return pool.bring(entity, to);
        }
        // It was the pool's last: behind all members of groups.
        if placed.at != to {
            pool.swap_positions(placed.at, to);
            placed.at = to;
        }
        true
    }

    /// Puts those of the first `end` entities of the pool with this number that were taken out behind
    /// the others, whose number it returns; and so in `all` pools, whose first are in the same order.
    pub(crate) fn sweep_fronts(&mut self, number: u32, end: usize, all: &[u32]) -> usize {
        let Some(mut pool) = self.entries.entry(number).take() else { return end };
        let len = pool.sweep_front(end, &mut |a, b| {
            for &other in all {
                if other != number {
                    self.at_mut(other).swap_positions(a, b);
                }
            }
        });
        *self.entries.entry(number) = Some(pool);
        len
    }

    /// Reorders the components of several pools, as [`exchanges`] that serve all of them say.
    ///
    /// [`exchanges`]: crate::storage::sort::exchanges
    pub(crate) fn exchange_all(&mut self, numbers: &[u32], start: usize, with: &[u32]) {
        for &number in numbers {
            self.at_mut(number).exchange_all(start, with);
        }
    }

    /// Whether at most one component of the world has each of these bits: then a signature tells
    /// which of their pools an entity is in.
    #[inline]
    pub(crate) fn are_unshared(&self, bits: Signature) -> bool {
        !self.shared.intersects(bits)
    }

    /// The entries whose component has this bit.
    #[inline]
    fn sharers(&self, bit: u32) -> &[u32] {
        &self.sharers[bit as usize]
    }

    /// The first component of `entity`, with this signature, whose veto refuses its removal.
    ///
    /// Calls the vetoes: user code, which may panic; nothing has changed by then.
    #[inline]
    pub(crate) fn refusal(&mut self, entity: Entity, signature: Signature) -> Option<&'static str> {
        if signature.intersects(self.guarded) { self.ask_vetoes(entity) } else { None }
    }

    #[inline(never)]
    fn ask_vetoes(&mut self, entity: Entity) -> Option<&'static str> {
        let guarded = self.entries.iter_mut().filter(|pool| pool.is_guarded());
        for pool in guarded {
            if !pool.permits_removal(entity) {
                return Some(pool.name());
            }
        }
        None
    }

    /// Removes all components of `entity`, which has this signature.
    ///
    /// Where dropping a value panics, the other components are removed before the panic goes on.
    pub(crate) fn remove_all(&mut self, entity: Entity, signature: Signature) {
        self.visit(signature, |pool: &mut dyn ErasedPool| pool.remove(entity));
    }

    /// Takes the components with these bits out of their pools, for entities of which `all` are
    /// taken out before the pools are [settled](Self::settle).
    pub(crate) fn take_out(&mut self, entities: &[Entity], bits: Signature, all: usize) {
        self.visit(bits, |pool: &mut dyn ErasedPool| pool.take_out(entities, all));
    }

    /// Drops what was taken out of the pools with these bits, and what was replaced in them.
    ///
    /// Where dropping a value panics, the other pools are settled before the panic goes on.
    pub(crate) fn settle(&mut self, bits: Signature, all: usize) {
        self.visit(bits, |pool: &mut dyn ErasedPool| pool.settle(all));
    }

    /// Calls `each` with the pools with these bits; goes on when it panics.
    #[inline]
    fn visit(&mut self, bits: Signature, each: impl FnMut(&mut dyn ErasedPool)) {
        if bits != self.remembered.bits {
            self.remember(bits);
        }
        let numbers = self.remembered.entries.iter();
        Visit { entries: &mut self.entries, numbers, each }.run();
    }

    #[inline(never)]
    fn remember(&mut self, bits: Signature) {
        let Remembered { bits: remembered, entries } = &mut self.remembered;
        *remembered = bits;
        entries.clear();
        entries.extend(bits.bits().flat_map(|bit| &self.sharers[bit as usize]));
    }

    /// The bits of components with a veto.
    #[inline]
    pub(crate) fn guarded(&self) -> Signature {
        self.guarded
    }

    /// Removes all components of all entities, with the same care.
    pub(crate) fn clear(&mut self) {
        Clearing(self.entries.iter_mut()).run();
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.entries.iter_mut().for_each(|pool| pool.shrink_to_fit());
    }

    /// Bytes that the tables take on the heap, the pools themselves not included.
    pub(crate) fn memory(&self) -> usize {
        self.entries.rest.capacity() * size_of::<Entry>()
            + self.sharers.iter().map(|list| list.capacity() * size_of::<u32>()).sum::<usize>()
            + self.remembered.entries.capacity() * size_of::<u32>()
            + self.entries.iter().map(|pool| size_of_val(&**pool)).sum::<usize>()
    }

    /// The bits of `bits` for which `entity` is in no pool any more.
    #[inline]
    pub(crate) fn bits_without(&self, entity: Entity, bits: Signature) -> Signature {
        if self.are_unshared(bits) {
            // One component has each, and it was just removed: nothing to look up.
            return bits;
        }
        bits.bits().fold(Signature::EMPTY, |gone, bit| {
            if self.any_sharer_has(bit, entity) { gone } else { gone.union(Signature::bit(bit)) }
        })
    }

    #[inline(never)]
    fn any_sharer_has(&self, bit: u32, entity: Entity) -> bool {
        let mut pools = self.sharers(bit).iter().filter_map(|&number| self.entries.get(number));
        pools.any(|pool| pool.contains(entity))
    }

    /// The pools that `entity`, with this signature, is in.
    pub(crate) fn of(
        &self,
        entity: Entity,
        signature: Signature,
    ) -> impl Iterator<Item = &dyn ErasedPool> {
        signature
            .bits()
            .flat_map(|bit| self.sharers(bit))
            .filter_map(|&number| self.entries.get(number))
            .filter(move |pool| pool.contains(entity))
    }
}

/// A visit to the pools with these numbers, where values are dropped; goes on when a drop panics.
struct Visit<'a, F: FnMut(&mut dyn ErasedPool)> {
    entries: &'a mut Entries,
    /// Those that are still to be visited.
    numbers: slice::Iter<'a, u32>,
    each: F,
}

impl<F: FnMut(&mut dyn ErasedPool)> Visit<'_, F> {
    #[inline]
    fn run(&mut self) {
        for &number in self.numbers.by_ref() {
            if let Some(pool) = self.entries.get_mut(number) {
                (self.each)(pool);
            }
        }
    }
}

impl<F: FnMut(&mut dyn ErasedPool)> Drop for Visit<'_, F> {
    fn drop(&mut self) {
        self.run();
    }
}

/// The clearing of all pools; goes on when a value's drop panics.
struct Clearing<'a, I: Iterator<Item = &'a mut Box<dyn ErasedPool>>>(I);

impl<'a, I: Iterator<Item = &'a mut Box<dyn ErasedPool>>> Clearing<'a, I> {
    fn run(&mut self) {
        self.0.by_ref().for_each(|pool| pool.clear());
    }
}

impl<'a, I: Iterator<Item = &'a mut Box<dyn ErasedPool>>> Drop for Clearing<'a, I> {
    fn drop(&mut self) {
        self.run();
    }
}

impl fmt::Debug for Pools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|pool| (pool.name(), pool.len()))).finish()
    }
}
