//! What a world keeps beside its sets: who is alive, and which set is whose.

use super::set::{Entity, Set, Sparse, number};
use crate::components::{Audio, Matrix, Position, Proximity, Rotation, Velocity};
use std::any::Any;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is known of an index: 16 bytes.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// The generation alive, or 0.
    generation: u32,
    /// The bits of the entity's components.
    signature: u64,
}

/// Who is alive and has which components, and the handles to be given out.
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

    /// Adds bits to the signature of an entity. Whether it is alive.
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
}

const UNKNOWN: usize = usize::MAX;
static NEXT: AtomicUsize = AtomicUsize::new(0);

#[cold]
fn learn(known: &AtomicUsize) -> usize {
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    match known.compare_exchange(UNKNOWN, next, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => next,
        Err(number) => number,
    }
}

macro_rules! numbered {
    ($($name:ident $bit:literal,)*) => {$(
        impl Numbered for $name {
            const BIT: u32 = $bit;
            #[inline]
            fn number() -> usize {
                static KNOWN: AtomicUsize = AtomicUsize::new(UNKNOWN);
                match KNOWN.load(Ordering::Relaxed) {
                    UNKNOWN => learn(&KNOWN),
                    number => number,
                }
            }
        }
    )*};
}

numbered!(Matrix 1, Position 2, Rotation 3, Velocity 4, Proximity 5, Audio 6,);

/// A set as a world sees it that does not know its type.
trait Erased: Any {
    fn remove(&mut self, entity: Entity);
}

impl<T: 'static, S: Sparse> Erased for Set<T, Entity, S> {
    fn remove(&mut self, entity: Entity) {
        self.remove(entity);
    }
}

/// Sets by the numbers of their types, made on first use. That they are of the right type is
/// checked: to spare that takes unsafe code.
pub struct Pools<S> {
    entries: Vec<Option<Box<dyn Erased>>>,
    /// Which sets have a bit: there are 64 bits, and any number of types.
    sharers: [Vec<usize>; 64],
    of: std::marker::PhantomData<S>,
}

impl<S> Default for Pools<S> {
    fn default() -> Self {
        let sharers = [const { Vec::new() }; 64];
        Self { entries: Vec::new(), sharers, of: std::marker::PhantomData }
    }
}

impl<S: Sparse> Pools<S> {
    #[inline]
    pub fn get<T: Numbered>(&self) -> Option<&Set<T, Entity, S>> {
        let entry: &dyn Any = self.entries.get(T::number())?.as_deref()?;
        entry.downcast_ref()
    }

    #[inline]
    pub fn get_mut<T: Numbered>(&mut self) -> Option<&mut Set<T, Entity, S>> {
        let entry: &mut dyn Any = self.entries.get_mut(T::number())?.as_deref_mut()?;
        entry.downcast_mut()
    }

    /// As [`get_mut`](Self::get_mut), of a set that is made if there is none.
    #[inline]
    pub fn make<T: Numbered>(&mut self) -> &mut Set<T, Entity, S> {
        if self.entries.get(T::number()).is_none_or(Option::is_none) {
            self.create::<T>();
        }
        self.get_mut::<T>().expect("there is one")
    }

    #[cold]
    fn create<T: Numbered>(&mut self) {
        let number = T::number();
        if number >= self.entries.len() {
            self.entries.resize_with(number + 1, || None);
        }
        self.sharers[T::BIT as usize].push(number);
        self.entries[number] = Some(Box::new(Set::<T, Entity, S>::default()));
    }

    /// Removes an entity from the sets that have these bits.
    #[inline]
    pub fn remove_all(&mut self, entity: Entity, mut bits: u64) {
        while bits != 0 {
            for &number in &self.sharers[bits.trailing_zeros() as usize] {
                if let Some(pool) = &mut self.entries[number] {
                    pool.remove(entity);
                }
            }
            bits &= bits - 1;
        }
    }
}
