//! The state of a world beside its sets: the living entities, and the sets of each.

use super::set::{Entity, Set, Sparse, number};
use crate::components::{Audio, Matrix, Position, Proximity, Rotation, Velocity};
use std::any::Any;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The record of an index: 16 bytes.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// The generation alive, or 0.
    generation: u32,
    /// The bits of the entity's components.
    signature: u64,
}

/// The living entities and their components, and the free handles.
#[derive(Debug, Default)]
pub struct Entities {
    records: Vec<Record>,
    free: Vec<Entity>,
}

impl Entities {
    #[inline]
    pub fn spawn(&mut self, signature: u64) -> Entity {
        if let Some(entity) = self.free.pop() {
            self.records[entity.index as usize] =
                Record { generation: entity.generation, signature };
            return entity;
        }
        let entity = Entity { index: number(self.records.len()), generation: 1 };
        self.records.push(Record { generation: 1, signature });
        entity
    }

    /// Adds bits to the signature of an entity. `true` if it is alive.
    #[inline]
    pub fn mark(&mut self, entity: Entity, bits: u64) -> bool {
        match self.records.get_mut(entity.index as usize) {
            Some(record) if record.generation == entity.generation => {
                record.signature |= bits;
                true
            }
            _ => false,
        }
    }

    /// Ends an entity. Its signature, if it was alive.
    #[inline]
    pub fn despawn(&mut self, entity: Entity) -> Option<u64> {
        let record = self.records.get_mut(entity.index as usize)?;
        if record.generation != entity.generation {
            return None;
        }
        let signature = record.signature;
        *record = Record { generation: 0, signature: 0 };
        self.free.push(Entity { generation: entity.generation + 1, ..entity });
        Some(signature)
    }

    pub fn alive(&self) -> usize {
        self.records.len() - self.free.len()
    }
}

/// A component: its bit, and a number that it gets when it is first used.
pub trait Numbered: Copy + 'static {
    const BIT: u32;
    fn number() -> usize;
    fn tagged<S>(set: Set<Self, Entity, S>) -> Tagged<S>;
    fn untagged<S>(set: &Tagged<S>) -> Option<&Set<Self, Entity, S>>;
    fn untagged_mut<S>(set: &mut Tagged<S>) -> Option<&mut Set<Self, Entity, S>>;
}

const UNKNOWN: usize = usize::MAX;
static NEXT: AtomicUsize = AtomicUsize::new(0);

#[cold]
#[inline(never)]
fn learn(known: &AtomicUsize) -> usize {
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    match known.compare_exchange(UNKNOWN, next, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => next,
        Err(number) => number,
    }
}

macro_rules! numbered {
    ($($name:ident $bit:literal,)*) => {
        /// A set with a tag for its type: a check takes one comparison.
        pub enum Tagged<S> {
            $($name(Set<$name, Entity, S>),)*
        }

        impl<S: Sparse> Entry for Box<Tagged<S>> {
            type Sparse = S;
            #[inline]
            fn new<T: Numbered>() -> Self {
                Box::new(T::tagged(Set::default()))
            }
            #[inline(always)]
            fn get<T: Numbered>(&self) -> Option<&Set<T, Entity, S>> {
                T::untagged(self)
            }
            #[inline(always)]
            fn get_mut<T: Numbered>(&mut self) -> Option<&mut Set<T, Entity, S>> {
                T::untagged_mut(self)
            }
            #[inline]
            fn remove(&mut self, entity: Entity) {
                match &mut **self {
                    $(Tagged::$name(set) => drop(set.remove(entity)),)*
                }
            }
        }

        $(impl Numbered for $name {
            const BIT: u32 = $bit;
            #[inline]
            fn number() -> usize {
                static KNOWN: AtomicUsize = AtomicUsize::new(UNKNOWN);
                match KNOWN.load(Ordering::Relaxed) {
                    UNKNOWN => learn(&KNOWN),
                    number => number,
                }
            }
            fn tagged<S>(set: Set<Self, Entity, S>) -> Tagged<S> {
                Tagged::$name(set)
            }
            #[inline(always)]
            fn untagged<S>(set: &Tagged<S>) -> Option<&Set<Self, Entity, S>> {
                if let Tagged::$name(set) = set { Some(set) } else { None }
            }
            #[inline(always)]
            fn untagged_mut<S>(set: &mut Tagged<S>) -> Option<&mut Set<Self, Entity, S>> {
                if let Tagged::$name(set) = set { Some(set) } else { None }
            }
        })*
    };
}

numbered!(Matrix 1, Position 2, Rotation 3, Velocity 4, Proximity 5, Audio 6,);

/// An entry of a table of sets: the set, whatever its type.
pub trait Entry: Sized + 'static {
    type Sparse: Sparse;
    fn new<T: Numbered>() -> Self;
    fn get<T: Numbered>(&self) -> Option<&Set<T, Entity, Self::Sparse>>;
    fn get_mut<T: Numbered>(&mut self) -> Option<&mut Set<T, Entity, Self::Sparse>>;
    fn remove(&mut self, entity: Entity);
}

/// A set of any type, which is checked by its id. To avoid the check takes unsafe code.
pub trait Erased<S>: Any {
    fn remove_erased(&mut self, entity: Entity);
}

impl<T: 'static, S: Sparse> Erased<S> for Set<T, Entity, S> {
    fn remove_erased(&mut self, entity: Entity) {
        self.remove(entity);
    }
}

impl<S: Sparse> Entry for Box<dyn Erased<S>> {
    type Sparse = S;
    fn new<T: Numbered>() -> Self {
        Box::new(Set::<T, Entity, S>::default())
    }
    #[inline(always)]
    fn get<T: Numbered>(&self) -> Option<&Set<T, Entity, S>> {
        let set: &dyn Any = &**self;
        set.downcast_ref()
    }
    #[inline(always)]
    fn get_mut<T: Numbered>(&mut self) -> Option<&mut Set<T, Entity, S>> {
        let set: &mut dyn Any = &mut **self;
        set.downcast_mut()
    }
    #[inline]
    fn remove(&mut self, entity: Entity) {
        self.remove_erased(entity);
    }
}

/// Sets by the numbers of their types, made on first use.
pub struct Pools<E> {
    entries: Vec<Option<E>>,
    /// Which sets have a bit: there are 64 bits, and any number of types.
    sharers: [Vec<usize>; 64],
    /// The sets that have these bits.
    remembered: (u64, Vec<usize>),
}

impl<E> Default for Pools<E> {
    fn default() -> Self {
        let (entries, sharers) = (Vec::new(), [const { Vec::new() }; 64]);
        Self { entries, sharers, remembered: (0, Vec::new()) }
    }
}

impl<E: Entry> Pools<E> {
    #[inline(always)]
    pub fn get<T: Numbered>(&self) -> Option<&Set<T, Entity, E::Sparse>> {
        self.entries.get(T::number())?.as_ref()?.get()
    }

    #[inline(always)]
    pub fn get_mut<T: Numbered>(&mut self) -> Option<&mut Set<T, Entity, E::Sparse>> {
        self.entries.get_mut(T::number())?.as_mut()?.get_mut()
    }

    /// Returns the set like [`get_mut`](Self::get_mut); makes it if there is none.
    #[inline(always)]
    pub fn make<T: Numbered>(&mut self) -> &mut Set<T, Entity, E::Sparse> {
        let number = T::number();
        if !matches!(self.entries.get(number), Some(Some(_))) {
            self.create::<T>(number);
        }
        self.entries[number].as_mut().and_then(E::get_mut).expect("there is one")
    }

    #[cold]
    #[inline(never)]
    fn create<T: Numbered>(&mut self, number: usize) {
        if number >= self.entries.len() {
            self.entries.resize_with(number + 1, || None);
        }
        self.sharers[T::BIT as usize].push(number);
        self.entries[number] = Some(E::new::<T>());
    }

    /// Removes an entity from the sets that have these bits.
    #[inline]
    pub fn remove_all(&mut self, entity: Entity, mut bits: u64) {
        while bits != 0 {
            for &number in &self.sharers[bits.trailing_zeros() as usize] {
                if let Some(entry) = &mut self.entries[number] {
                    entry.remove(entity);
                }
            }
            bits &= bits - 1;
        }
    }

    /// Removes components like [`remove_all`](Self::remove_all), from the sets of the previous call
    /// if the bits are equal. The processor predicts this branch, so it reads these sets before the
    /// bits arrive.
    #[inline]
    pub fn remove_all_as_before(&mut self, entity: Entity, bits: u64) {
        if self.remembered.0 != bits {
            self.remember(bits);
        }
        for &number in &self.remembered.1 {
            if let Some(entry) = &mut self.entries[number] {
                entry.remove(entity);
            }
        }
    }

    #[cold]
    fn remember(&mut self, bits: u64) {
        let sharers = self.sharers.iter().enumerate();
        let having = sharers.filter(|(bit, _)| bits >> bit & 1 != 0);
        self.remembered = (bits, having.flat_map(|(_, numbers)| numbers).copied().collect());
    }
}

/// A world that finds its sets by their types.
pub struct World<E> {
    pub entities: Entities,
    pub pools: Pools<E>,
}

impl<E> Default for World<E> {
    fn default() -> Self {
        Self { entities: Entities::default(), pools: Pools::default() }
    }
}
