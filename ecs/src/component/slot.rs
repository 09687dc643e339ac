//! The dense number of a component type in this process, assigned on first use.

use crate::component::set::MARK;
use crate::storage::values::Lasting;
use alloc::boxed::Box;
use core::any::{Any, TypeId};
use core::cmp::Ordering::{Equal, Greater, Less};
use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The number of the component type `T` in the registry, or a number that no type has.
///
/// Only the registry creates these, from the `TypeId` of `T`. So no hand-written [`Component`](crate::Component) can
/// reach another type's pool.
pub(crate) struct ComponentIndex<T> {
    index: u32,
    of: PhantomData<fn(T) -> T>,
}

impl<T: 'static> ComponentIndex<T> {
    /// Returns the number of `T` from the registry. Generic types use this, because all instances would share one
    /// `static`.
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

/// A `static` that caches the number of `T`, so that later uses cost one relaxed load.
///
/// The slot is invariant in `T`: a slot of a subtype would cache that type's number.
#[doc(hidden)]
pub struct ComponentSlot<T> {
    index: AtomicU32,
    of: PhantomData<fn(T) -> T>,
}

/// A number that no type has.
pub(crate) const UNKNOWN: u32 = u32::MAX;

impl<T: 'static> ComponentSlot<T> {
    #[must_use]
    #[expect(clippy::new_without_default, reason = "made in statics only")]
    pub const fn new() -> Self {
        Self { index: AtomicU32::new(UNKNOWN), of: PhantomData }
    }

    /// Returns the number of `T`, and caches it.
    #[inline]
    pub(crate) fn index(&self) -> ComponentIndex<T> {
        match self.known() {
            ComponentIndex { index: UNKNOWN, .. } => self.learn(),
            known => known,
        }
    }

    /// Returns the number of `T` if it is cached, or else a number that no type has.
    #[inline]
    pub(crate) fn known(&self) -> ComponentIndex<T> {
        // Relaxed suffices: nothing but the number is read, and every thread stores the same one.
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

/// A declaration without its type, to which the caller casts it.
type AnyDeclared = dyn Any + Send + Sync;

/// `true` if there is a declaration for any component type.
static IS_ANY_DECLARED: AtomicBool = AtomicBool::new(false);

/// Returns `true` if there is a declaration for any component type.
#[inline]
pub(crate) fn is_any_declared() -> bool {
    IS_ANY_DECLARED.load(Ordering::Acquire)
}

/// Returns the declaration for the component type with this id, if there is one.
#[inline]
pub(crate) fn declared_of(id: TypeId) -> Option<&'static AnyDeclared> {
    COMPONENTS.entry(id).declared.get().map(|declared| &**declared)
}

/// Stores a declaration for the component type with this id, unless there is one already.
#[inline]
pub(crate) fn declare(id: TypeId, new: Box<AnyDeclared>) {
    COMPONENTS.entry(id).declared.fill(Box::leak(Box::new(new)));
    IS_ANY_DECLARED.store(true, Ordering::Release);
}

/// The types of indexes of the process.
static INDEXES: TypeRegistry = TypeRegistry::from(0);

/// Returns the value of the index type with this id that stands for missing ones, made on first use.
#[inline]
pub(crate) fn empty_of(id: TypeId, make: fn() -> Box<AnyDeclared>) -> &'static AnyDeclared {
    let place = &INDEXES.entry(id).empty;
    let empty = place.get().unwrap_or_else(|| {
        place.fill(Box::leak(Box::new(make())));
        place.get().expect("it was filled")
    });
    &**empty
}

/// The component types of the process.
static COMPONENTS: TypeRegistry = TypeRegistry::from(MARK + 1);

/// Returns a number that no component type has, for a component without one.
#[inline]
pub(crate) fn new_number() -> u32 {
    COMPONENTS.next_number()
}

/// The resource types of the process, which have numbers of their own.
pub(crate) static RESOURCES: TypeRegistry = TypeRegistry::from(0);

/// A registry of all types of one kind that the process has used: a search tree in the order of their ids.
///
/// Ids are hashes, so types come in no order, and the tree stays low without being balanced. A type is
/// added by filling an empty place, and stays: so no lock is needed, and no `std`.
pub(crate) struct TypeRegistry {
    root: Branch,
    /// The next number.
    next: AtomicU32,
}

type Branch = Lasting<Registered>;

struct Registered {
    id: TypeId,
    number: u32,
    /// The declaration for the type, made at start-up.
    declared: Lasting<Box<AnyDeclared>>,
    /// A value of the type that stands for missing ones.
    empty: Lasting<Box<AnyDeclared>>,
    before: Branch,
    behind: Branch,
}

impl TypeRegistry {
    /// Returns an empty registry that assigns the numbers from this one on.
    const fn from(next: u32) -> Self {
        Self { root: Branch::new(), next: AtomicU32::new(next) }
    }

    /// Returns the number of the type with this id, and assigns the next one on the first call.
    #[inline]
    pub(crate) fn number(&self, id: TypeId) -> u32 {
        self.entry(id).number
    }

    #[inline]
    fn entry(&self, id: TypeId) -> &'static Registered {
        let (mut place, mut new) = (&self.root, None);
        loop {
            let Some(here) = place.get() else {
                // If another thread fills the place meanwhile, the search continues from there. If that thread added
                // the same type, `new` stays unused, with its number.
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

    #[inline]
    fn next_number(&self) -> u32 {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        assert!(number != UNKNOWN, "too many types");
        number
    }

    /// Creates an entry with the next number.
    #[inline]
    fn register(&self, id: TypeId) -> &'static Registered {
        let number = self.next_number();
        Box::leak(Box::new(Registered {
            id,
            number,
            declared: Lasting::new(),
            empty: Lasting::new(),
            before: Branch::new(),
            behind: Branch::new(),
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
