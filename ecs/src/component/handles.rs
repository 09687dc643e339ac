//! Handles of entities within components and resources.

use crate::entity::{Entity, EntityOf};
use crate::text::{MEND_HANDLES, Text};
use crate::tuples::{each, for_each_tuple};
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, BinaryHeap, LinkedList, VecDeque};
use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::cmp::Reverse;
use core::marker::PhantomData;
use core::num;
use core::panic::UnwindSafe;
use core::time::Duration;

/// A value that holds handles of entities, which can be replaced. They are replaced when a component comes into
/// another world, or is copied together with the entities that it names.
///
/// `#[derive(MapEntities)]` implements it for a struct or an enum that stands within components: each field whose type
/// implements this trait is visited. So do [`Entity`], numbers, texts, and options, boxes, tuples, arrays and
/// collections of such types.
///
/// A component needs no derive of this trait: `#[derive(Component)]` visits its fields in the same way. If a field holds
/// handles that nothing replaces, an error names it: the compiler's, if the component declares `clone` or `save`, and
/// otherwise [`World::merge`](crate::World::merge)'s.
///
/// ```
/// use ecs::{Component, Entity, MapEntities, World};
///
/// #[derive(MapEntities, Clone)]
/// struct Order { target: Option<Entity>, priority: u8 }
///
/// #[derive(Component, Clone)]
/// #[component(clone)]
/// struct Orders(Vec<Order>);
///
/// let mut prefab = World::new();
/// let goal = prefab.spawn_empty().id();
/// prefab.spawn(Orders(vec![Order { target: Some(goal), priority: 1 }]));
///
/// let mut world = World::new();
/// world.spawn_empty();
/// let copies = world.spawn_copies_of(&prefab, 1).unwrap();
/// assert_eq!(world.get::<Orders>(copies[1]).unwrap().0[0].target, Some(copies[0]));
/// ```
///
/// # Handles that the derives see
///
/// A field of numbers, texts and types without handles needs no word. The derives look through types of other crates,
/// aliases and collections, because [`Entity`] is not [`UnwindSafe`], and so is no type that holds one. They do not look
/// into the two kinds of types for which that does not hold:
///
/// * A trait object, such as `Box<dyn Brain>`, may hold handles, so the field is refused like one that does.
///   `#[component(entities = ignore)]` on the field, or `#[entities(ignore)]` with this derive, leaves it as it is.
/// * A lock in a type without this derive hides its content. `Mutex` and `RwLock` themselves implement this trait.
///
/// A field whose type depends on a type parameter needs the mark `#[component(entities)]` or
/// `#[component(entities = ignore)]` if it may hold handles. Unmarked, a type that declares `clone` or `save` is a
/// component only for parameters without handles. With this derive, each type parameter must implement this trait.
///
/// Values that are saved are checked once more: each handle that serde writes must be one that
/// [`visit_entities`](Self::visit_entities) visits.
#[diagnostic::on_unimplemented(
    message = "no handles of entities are found in `{Self}`",
    label = "does not implement `MapEntities`",
    note = "add `#[derive(MapEntities)]` to `{Self}` if there is an `Entity` in it, or leave the mark out"
)]
pub trait MapEntities {
    /// `false` if no value of the type holds a handle.
    #[doc(hidden)]
    const MAY_HOLD: bool = true;

    /// Replaces each handle by the handle that `map` returns for it.
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity);

    /// Calls `visit` with each handle that [`map_entities`](Self::map_entities) replaces, and with
    /// [`Entity::PLACEHOLDER`] for a field whose handles stay as they are. Handles in a field that serde skips may be
    /// left out.
    fn visit_entities(&self, visit: &mut dyn FnMut(Entity));
}

impl MapEntities for Entity {
    #[inline]
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        *self = map(*self);
    }
    #[inline]
    fn visit_entities(&self, visit: &mut dyn FnMut(Entity)) {
        visit(*self);
    }
}

impl<T> MapEntities for EntityOf<T> {
    #[inline]
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        self.map(map);
    }
    #[inline]
    fn visit_entities(&self, visit: &mut dyn FnMut(Entity)) {
        visit(self.entity());
    }
}

/// Implements `MapEntities` for collections and wrappers of `T`: `$items` yields the values of one in turn.
macro_rules! map_items {
    ($([$($param:tt)*] $ty:ty, |$this:ident| $items_mut:expr, $items:expr;)+) => {
        $(impl<$($param)*> MapEntities for $ty {
            const MAY_HOLD: bool = T::MAY_HOLD;

            fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
                let $this = self;
                for item in $items_mut {
                    item.map_entities(map);
                }
            }
            fn visit_entities(&self, visit: &mut dyn FnMut(Entity)) {
                let $this = self;
                for item in $items {
                    item.visit_entities(visit);
                }
            }
        })+
    };
}
map_items! {
    [T: MapEntities] [T], |it| it, it;
    [T: MapEntities, const LEN: usize] [T; LEN], |it| it, it;
    [T: MapEntities] Vec<T>, |it| it, it;
    [T: MapEntities] VecDeque<T>, |it| it, it;
    [T: MapEntities] LinkedList<T>, |it| it, it;
    [T: MapEntities] Option<T>, |it| it.iter_mut(), it.iter();
    [T: MapEntities + ?Sized] Box<T>, |it| [&mut **it], [&**it];
    [T: MapEntities] Reverse<T>, |it| [&mut it.0], [&it.0];
    [T: MapEntities] RefCell<T>, |it| [it.get_mut()], [&*it.borrow()];
    [T: MapEntities + Copy] Cell<T>, |it| [it.get_mut()], [it.get()];
}

/// Implements `MapEntities` for collections whose items have to be taken out to be replaced. If two keys become equal,
/// the value of the later one stays.
macro_rules! map_sorted {
    ($([$($param:tt)*] $ty:ty, $may_hold:expr;)+) => {
        $(impl<$($param)*> MapEntities for $ty {
            const MAY_HOLD: bool = $may_hold;

            fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
                let items = core::mem::take(self).into_iter();
                self.extend(items.map(|mut item| {
                    item.map_entities(map);
                    item
                }));
            }
            fn visit_entities(&self, visit: &mut dyn FnMut(Entity)) {
                self.iter().for_each(|item| item.visit_entities(visit));
            }
        })+
    };
}
map_sorted! {
    [T: MapEntities + Ord] BTreeSet<T>, T::MAY_HOLD;
    [T: MapEntities + Ord] BinaryHeap<T>, T::MAY_HOLD;
}

impl<K: MapEntities + Ord, V: MapEntities> MapEntities for BTreeMap<K, V> {
    const MAY_HOLD: bool = K::MAY_HOLD || V::MAY_HOLD;

    /// Replaces keys and values. If two keys become equal, the value of the later one stays.
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        let pairs = core::mem::take(self).into_iter();
        self.extend(pairs.map(|mut pair| {
            pair.map_entities(map);
            pair
        }));
    }
    fn visit_entities(&self, visit: &mut dyn FnMut(Entity)) {
        for (key, value) in self {
            key.visit_entities(visit);
            value.visit_entities(visit);
        }
    }
}

impl<T: MapEntities, E: MapEntities> MapEntities for Result<T, E> {
    const MAY_HOLD: bool = T::MAY_HOLD || E::MAY_HOLD;

    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        match self {
            Ok(value) => value.map_entities(map),
            Err(error) => error.map_entities(map),
        }
    }
    fn visit_entities(&self, visit: &mut dyn FnMut(Entity)) {
        match self {
            Ok(value) => value.visit_entities(visit),
            Err(error) => error.visit_entities(visit),
        }
    }
}

/// Implements `MapEntities` for types without handles, so that they may stand beside handles in tuples and maps.
macro_rules! map_nothing {
    ($($ty:ty),+) => {
        $(impl MapEntities for $ty {
            const MAY_HOLD: bool = false;

            #[inline]
            fn map_entities(&mut self, _: &mut dyn FnMut(Entity) -> Entity) {}
            #[inline]
            fn visit_entities(&self, _: &mut dyn FnMut(Entity)) {}
        })+
    };
}
map_nothing!((), bool, char, u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);
map_nothing!(num::NonZeroU8, num::NonZeroU16, num::NonZeroU32, num::NonZeroU64, num::NonZeroUsize);
map_nothing!(num::NonZeroI8, num::NonZeroI16, num::NonZeroI32, num::NonZeroI64, num::NonZeroIsize);
map_nothing!(f32, f64, String, str, &'static str, Arc<str>, Rc<str>, Duration);

impl<T: ?Sized> MapEntities for PhantomData<T> {
    const MAY_HOLD: bool = false;

    #[inline]
    fn map_entities(&mut self, _: &mut dyn FnMut(Entity) -> Entity) {}
    #[inline]
    fn visit_entities(&self, _: &mut dyn FnMut(Entity)) {}
}

macro_rules! map_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        impl<$($name: MapEntities),+> MapEntities for ($($name,)+) {
            const MAY_HOLD: bool = $($name::MAY_HOLD)||+;

            fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
                $(self.$index.map_entities(map);)+
            }
            fn visit_entities(&self, visit: &mut dyn FnMut(Entity)) {
                $(self.$index.visit_entities(visit);)+
            }
        }
    };
}
for_each_tuple!(map_tuple);

#[cfg(feature = "std")]
mod of_std {
    use super::MapEntities;
    use crate::entity::Entity;
    use alloc::vec::Vec;
    use core::hash::{BuildHasher, Hash};
    use std::collections::{HashMap, HashSet};
    use std::sync::{Mutex, PoisonError, RwLock};

    impl<K, V, H> MapEntities for HashMap<K, V, H>
    where
        K: MapEntities + Eq + Hash,
        V: MapEntities,
        H: BuildHasher,
    {
        const MAY_HOLD: bool = K::MAY_HOLD || V::MAY_HOLD;

        fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
            let pairs: Vec<_> = self.drain().collect();
            self.extend(pairs.into_iter().map(|mut pair| {
                pair.map_entities(map);
                pair
            }));
        }
        fn visit_entities(&self, visit: &mut dyn FnMut(Entity)) {
            for (key, value) in self {
                key.visit_entities(visit);
                value.visit_entities(visit);
            }
        }
    }

    impl<T: MapEntities + Eq + Hash, H: BuildHasher> MapEntities for HashSet<T, H> {
        const MAY_HOLD: bool = T::MAY_HOLD;

        fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
            let items: Vec<_> = self.drain().collect();
            self.extend(items.into_iter().map(|mut item| {
                item.map_entities(map);
                item
            }));
        }
        fn visit_entities(&self, visit: &mut dyn FnMut(Entity)) {
            self.iter().for_each(|item| item.visit_entities(visit));
        }
    }

    /// Locks it to visit its content.
    impl<T: MapEntities> MapEntities for Mutex<T> {
        const MAY_HOLD: bool = T::MAY_HOLD;

        fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
            self.get_mut().unwrap_or_else(PoisonError::into_inner).map_entities(map);
        }
        fn visit_entities(&self, visit: &mut dyn FnMut(Entity)) {
            self.lock().unwrap_or_else(PoisonError::into_inner).visit_entities(visit);
        }
    }

    /// Locks it for reading to visit its content.
    impl<T: MapEntities> MapEntities for RwLock<T> {
        const MAY_HOLD: bool = T::MAY_HOLD;

        fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
            self.get_mut().unwrap_or_else(PoisonError::into_inner).map_entities(map);
        }
        fn visit_entities(&self, visit: &mut dyn FnMut(Entity)) {
            self.read().unwrap_or_else(PoisonError::into_inner).visit_entities(visit);
        }
    }
}

/// Stores a handle in a field of a relation. A field of another type, which is reported elsewhere, is left unchanged.
#[doc(hidden)]
pub fn set_entity<T: 'static>(field: &mut T, entity: Entity) {
    if let Some(field) = <dyn core::any::Any>::downcast_mut(field) {
        *field = entity;
    }
}

/// Stores a handle in a field of a relation that states the kind of its target.
#[doc(hidden)]
pub fn set_entity_of<T>(field: &mut EntityOf<T>, entity: Entity) {
    *field = EntityOf::new(entity);
}

/// A field that may hold handles, and the way they are treated when its value comes into another
/// world.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct HandleField {
    /// The name of the field, behind the name of its variant: `target`, `Attack.target`.
    path: &'static str,
    /// Its type, as it is written.
    ty: &'static str,
    fate: Fate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// There are none.
    None,
    Mapped,
    /// They stay as they are, as the field declares.
    Kept,
    /// There may be some, and nothing replaces them.
    Forgotten,
}

impl HandleField {
    /// A field that is marked by `entities`, or the target of a relation.
    #[must_use]
    pub const fn mapped(path: &'static str, ty: &'static str) -> Self {
        Self { path, ty, fate: Fate::Mapped }
    }

    /// A field that is marked by `entities = ignore`.
    #[must_use]
    pub const fn kept(path: &'static str, ty: &'static str) -> Self {
        Self { path, ty, fate: Fate::Kept }
    }

    /// An unmarked field, with the constants of [`HandleProbe`]: whether its type maps handles, and whether it
    /// is free of handles.
    #[must_use]
    #[inline]
    pub const fn probed(
        path: &'static str,
        ty: &'static str,
        maps: Option<bool>,
        is_free: bool,
    ) -> Self {
        let fate = match maps {
            Some(true) => Fate::Mapped,
            Some(false) => Fate::None,
            None if is_free => Fate::None,
            None => Fate::Forgotten,
        };
        Self { path, ty, fate }
    }

    pub(crate) const fn is_mapped(&self) -> bool {
        matches!(self.fate, Fate::Mapped)
    }

    /// Returns the error for handles that nothing replaces, in a field of the type `of`. They stay as they are by `stay`.
    #[inline]
    pub(crate) const fn refusal(&self, of: &str, stay: &str) -> Text {
        let Self { path, ty, .. } = *self;
        let text = Text::new().push("`").push(of).push(".").push(path).push("`, of the type `");
        let text = text.push(ty).push("`, may hold handles of entities, and nothing replaces them");
        text.push(MEND_HANDLES).push("them, or let them stay as they are by ").push(stay)
    }

    /// Checks that nothing is forgotten in this field of the type `of`.
    ///
    /// # Panics
    /// Panics if the field may hold handles that nothing replaces. They stay as they are by `stay`.
    #[track_caller]
    #[inline]
    pub const fn check(&self, of: &str, stay: &str) {
        if matches!(self.fate, Fate::Forgotten) {
            self.refusal(of, stay).panic()
        }
    }
}

/// Panics if any of these fields, of this type, holds handles that nothing replaces.
#[track_caller]
#[inline]
pub(crate) const fn check_all(fields: &[HandleField], of: &str, stay: &str) {
    each!(fields, |field| field.check(of, stay));
}

/// Returns `true` if handles in any of these fields are replaced.
pub(crate) const fn any_mapped(fields: &[HandleField]) -> bool {
    any(fields, Fate::Mapped)
}

/// Returns `true` if handles in any of these fields stay as they are on purpose.
#[cfg(feature = "serde")]
pub(crate) const fn any_kept(fields: &[HandleField]) -> bool {
    any(fields, Fate::Kept)
}

const fn any(fields: &[HandleField], fate: Fate) -> bool {
    each!(fields, |field| if field.fate as u8 == fate as u8 {
        return true;
    });
    false
}

/// Returns the first of these fields that may hold handles that nothing replaces.
pub(crate) fn forgotten(fields: &'static [HandleField]) -> Option<&'static HandleField> {
    fields.iter().find(|field| field.fate == Fate::Forgotten)
}

/// A probe of the type of a field: constants of one name. The compiler prefers the inherent one. No trait of a
/// user has these names, because such a trait might be implemented for all types.
#[doc(hidden)]
#[derive(Debug)]
pub struct HandleProbe<T>(PhantomData<fn() -> T>);

impl<T: MapEntities> HandleProbe<T> {
    /// `Some`, as handles are mapped: `true` if there may be some.
    pub const __ECS_MAPS: Option<bool> = Some(T::MAY_HOLD);
}

impl<T: UnwindSafe> HandleProbe<T> {
    /// `true`: a type that holds a handle is not `UnwindSafe`.
    pub const __ECS_IS_FREE: bool = true;
}

/// The constants of types that do not map handles, or may hold some.
#[doc(hidden)]
pub trait Unmapped {
    const __ECS_MAPS: Option<bool> = None;
    const __ECS_IS_FREE: bool = false;
}
impl<T> Unmapped for HandleProbe<T> {}

/// A field whose handles are replaced if its type implements [`MapEntities`].
#[doc(hidden)]
#[derive(Debug)]
pub struct MappedField<'a, T: ?Sized>(pub &'a mut T);

impl<T: MapEntities + ?Sized> MappedField<'_, T> {
    #[inline]
    pub fn __ecs_map(self, map: &mut dyn FnMut(Entity) -> Entity) {
        self.0.map_entities(map);
    }
}

/// A field whose handles are visited if its type implements [`MapEntities`].
#[doc(hidden)]
#[derive(Debug)]
pub struct VisitedField<'a, T: ?Sized>(pub &'a T);

impl<T: MapEntities + ?Sized> VisitedField<'_, T> {
    #[inline]
    pub fn __ecs_visit(self, visit: &mut dyn FnMut(Entity)) {
        self.0.visit_entities(visit);
    }
}

/// The fields of other types: nothing is replaced or visited.
#[doc(hidden)]
pub trait UnmappedField: Sized {
    #[inline]
    fn __ecs_map(self, _: &mut dyn FnMut(Entity) -> Entity) {}
    #[inline]
    fn __ecs_visit(self, _: &mut dyn FnMut(Entity)) {}
}
impl<T: ?Sized> UnmappedField for MappedField<'_, T> {}
impl<T: ?Sized> UnmappedField for VisitedField<'_, T> {}

/// The handles in components: a bound of generic components, whose fields cannot be probed.
#[doc(hidden)]
#[derive(Debug)]
pub enum Handles {}

/// `T` holds no handles.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{T}` may hold handles of entities, and nothing replaces them",
    label = "not a component with such a parameter",
    note = "mark the field by `#[component(entities)]` if `{T}` implements `MapEntities`, or by \
            `#[component(entities = ignore)]` if its handles stay as they are"
)]
pub trait NoneIn<T> {}
#[diagnostic::do_not_recommend]
impl<T: UnwindSafe> NoneIn<T> for Handles {}
