//! The dense number of a component type in this process, learned on first use.

use crate::storage::values::Lasting;
use alloc::boxed::Box;
use core::any::{Any, TypeId};
use core::cmp::Ordering::{Equal, Greater, Less};
use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The number of the component type `T`: the one that the registry knows `T` under, or one that no
/// type has.
///
/// Only the registry makes these, from the `TypeId` of `T`. So whatever a hand-written
/// [`Component`](crate::Component) does, it cannot lead to another type's pool.
pub(crate) struct ComponentIndex<T> {
    index: u32,
    of: PhantomData<fn(T) -> T>,
}

impl<T: 'static> ComponentIndex<T> {
    /// The number of `T`, by a look into the registry: the way of generic types, in which a
    /// `static` would be shared by all instances.
    #[must_use]
    pub(crate) fn registered() -> Self {
        Self { index: COMPONENTS.number(TypeId::of::<T>()), of: PhantomData }
    }
}

impl<T> ComponentIndex<T> {
    #[inline]
    pub(crate) fn get(self) -> u32 {
        self.index
    }
}

impl<T> Clone for ComponentIndex<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for ComponentIndex<T> {}

impl<T> fmt::Debug for ComponentIndex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ComponentIndex").field(&self.index).finish()
    }
}

/// A `static` that remembers the number of `T`: afterwards it is one relaxed load away.
///
/// Invariant in `T`: one of a subtype would remember that type's number.
#[doc(hidden)]
pub struct ComponentSlot<T> {
    index: AtomicU32,
    of: PhantomData<fn(T) -> T>,
}

/// No type has this number.
pub(crate) const UNKNOWN: u32 = u32::MAX;

impl<T: 'static> ComponentSlot<T> {
    #[must_use]
    #[expect(clippy::new_without_default, reason = "made in statics only")]
    pub const fn new() -> Self {
        Self { index: AtomicU32::new(UNKNOWN), of: PhantomData }
    }

    /// The number of `T`.
    #[inline]
    pub(crate) fn index(&self) -> ComponentIndex<T> {
        match self.known() {
            ComponentIndex { index: UNKNOWN, .. } => self.learn(),
            known => known,
        }
    }

    /// The number of `T` if it is known here, or else one that no type has.
    #[inline]
    pub(crate) fn known(&self) -> ComponentIndex<T> {
        // Relaxed: the number is all there is to learn, and every thread learns the same.
        ComponentIndex { index: self.index.load(Ordering::Relaxed), of: PhantomData }
    }

    #[cold]
    fn learn(&self) -> ComponentIndex<T> {
        let index = ComponentIndex::registered();
        self.index.store(index.index, Ordering::Relaxed);
        index
    }
}

impl<T> fmt::Debug for ComponentSlot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ComponentSlot").field(&self.index).finish()
    }
}

/// A declaration without its type, which the caller casts it to.
type AnyDeclared = dyn Any + Send + Sync;

/// `true` if anything is declared of any component type.
static IS_ANY_DECLARED: AtomicBool = AtomicBool::new(false);

/// Returns `true` if anything is declared of any component type.
#[inline]
pub(crate) fn is_any_declared() -> bool {
    IS_ANY_DECLARED.load(Ordering::Acquire)
}

/// Returns what was declared of the component type with this id, if anything was.
pub(crate) fn declared_of(id: TypeId) -> Option<&'static AnyDeclared> {
    COMPONENTS.entry(id).declared.get().map(|declared| &**declared)
}

/// Declares something of the component type with this id, unless something is declared already.
pub(crate) fn declare(id: TypeId, new: Box<AnyDeclared>) {
    COMPONENTS.entry(id).declared.fill(Box::leak(Box::new(new)));
    IS_ANY_DECLARED.store(true, Ordering::Release);
}

/// The component types of the process.
static COMPONENTS: Registry = Registry::new();

/// The resource types of the process, which have numbers of their own.
pub(crate) static RESOURCES: Registry = Registry::new();

/// Every type of one kind that was used in the process so far: a search tree in the order of their ids.
///
/// Ids are hashes, so types come in no order, and the tree stays low without being balanced. A type is
/// added by filling an empty place, and stays: so no lock is needed, and no `std`.
pub(crate) struct Registry {
    root: Place,
    /// The number of numbers that were given.
    given: AtomicU32,
}

type Place = Lasting<Registered>;

struct Registered {
    id: TypeId,
    number: u32,
    /// The declaration that was made of the type at start-up.
    declared: Lasting<Box<AnyDeclared>>,
    before: Place,
    behind: Place,
}

impl Registry {
    const fn new() -> Self {
        Self { root: Place::new(), given: AtomicU32::new(0) }
    }

    /// The number of the type with this id: the next one, when it is asked for the first time.
    pub(crate) fn number(&self, id: TypeId) -> u32 {
        self.entry(id).number
    }

    fn entry(&self, id: TypeId) -> &'static Registered {
        let (mut place, mut new) = (&self.root, None);
        loop {
            let Some(here) = place.get() else {
                // If another thread fills the place meanwhile, the search goes on from there. If it brings
                // the same type, this number is no type's.
                place.fill(new.get_or_insert_with(|| self.register(id)));
                continue;
            };
            place = match id.cmp(&here.id) {
                Less => &here.before,
                Equal => return here,
                Greater => &here.behind,
            };
        }
    }

    /// With the next number.
    fn register(&self, id: TypeId) -> &'static Registered {
        let number = self.given.fetch_add(1, Ordering::Relaxed);
        assert!(number != UNKNOWN, "too many types");
        Box::leak(Box::new(Registered {
            id,
            number,
            declared: Lasting::new(),
            before: Place::new(),
            behind: Place::new(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_type_has_one_number_on_every_thread_and_by_every_way() {
        struct A;
        struct B;
        static SLOT: ComponentSlot<A> = ComponentSlot::new();
        let numbers: Vec<u32> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| SLOT.index().get())).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(numbers.iter().all(|&number| number == numbers[0]));
        assert_eq!(ComponentIndex::<A>::registered().get(), numbers[0]);
        assert_ne!(ComponentIndex::<B>::registered().get(), numbers[0]);
    }
}
