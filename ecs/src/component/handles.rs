//! Handles of entities within components.

use crate::entity::Entity;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;

/// A value that holds handles of entities, which can be replaced. They are replaced when a component comes into
/// another world, or is copied together with the entities that it names.
///
/// `#[component(entities)]` marks a field of a component that holds handles. The field is an [`Entity`] or any type
/// that implements this trait: options, boxes, tuples, arrays and collections of such types. A struct of your own
/// maps the fields that hold handles:
///
/// ```
/// use ecs::{Component, Entity, MapEntities, World};
///
/// #[derive(Clone)]
/// struct Order { target: Option<Entity>, priority: u8 }
///
/// impl MapEntities for Order {
///     fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
///         self.target.map_entities(map);
///     }
/// }
///
/// #[derive(Component, Clone)]
/// #[component(clone)]
/// struct Orders(#[component(entities)] Vec<Order>);
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
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no handles of entities that are known of",
    label = "is marked by `#[component(entities)]`",
    note = "implement `MapEntities` for `{Self}` if there is an `Entity` in it, or leave the mark out"
)]
pub trait MapEntities {
    /// Replaces each handle by the handle that `map` returns for it.
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity);
}

impl MapEntities for Entity {
    #[inline]
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        *self = map(*self);
    }
}

/// Implements `MapEntities` for collections whose items can be changed in place.
macro_rules! map_items {
    ($($name:ident),+) => {
        $(impl<T: MapEntities> MapEntities for $name<T> {
            fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
                for item in self {
                    item.map_entities(map);
                }
            }
        })+
    };
}
map_items!(Vec, VecDeque);

impl<T: MapEntities> MapEntities for Option<T> {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        if let Some(item) = self {
            item.map_entities(map);
        }
    }
}

impl<T: MapEntities + ?Sized> MapEntities for Box<T> {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        (**self).map_entities(map);
    }
}

impl<T: MapEntities> MapEntities for [T] {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        for item in self {
            item.map_entities(map);
        }
    }
}

impl<T: MapEntities, const LEN: usize> MapEntities for [T; LEN] {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        self.as_mut_slice().map_entities(map);
    }
}

/// If two keys become equal, the value of the later one stays.
impl<K: MapEntities + Ord, V: MapEntities> MapEntities for BTreeMap<K, V> {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        let mapped = core::mem::take(self).into_iter().map(|mut pair| {
            pair.map_entities(map);
            pair
        });
        *self = mapped.collect();
    }
}

impl<T: MapEntities + Ord> MapEntities for BTreeSet<T> {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        let mapped = core::mem::take(self).into_iter().map(|mut item| {
            item.map_entities(map);
            item
        });
        *self = mapped.collect();
    }
}

/// Implements `MapEntities` for types without handles, so that they may stand beside handles in tuples and maps.
macro_rules! map_nothing {
    ($($name:ty),+) => {
        $(impl MapEntities for $name {
            #[inline]
            fn map_entities(&mut self, _: &mut dyn FnMut(Entity) -> Entity) {}
        })+
    };
}
map_nothing!(
    (),
    bool,
    char,
    u8,
    u16,
    u32,
    u64,
    u128,
    usize,
    i8,
    i16,
    i32,
    i64,
    i128,
    isize,
    f32,
    f64,
    String
);

macro_rules! map_tuple {
    ($($name:ident $index:tt),+) => {
        impl<$($name: MapEntities),+> MapEntities for ($($name,)+) {
            fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
                $(self.$index.map_entities(map);)+
            }
        }
    };
}
/// Stores a handle in a field of a relation. A field of another type, which is reported elsewhere, is left unchanged.
#[doc(hidden)]
pub fn set_entity<T: 'static>(field: &mut T, entity: Entity) {
    if let Some(field) = <dyn core::any::Any>::downcast_mut(field) {
        *field = entity;
    }
}

map_tuple!(A 0);
map_tuple!(A 0, B 1);
map_tuple!(A 0, B 1, C 2);
map_tuple!(A 0, B 1, C 2, D 3);

#[cfg(feature = "std")]
mod of_std {
    use super::MapEntities;
    use crate::entity::Entity;
    use alloc::vec::Vec;
    use core::hash::{BuildHasher, Hash};
    use std::collections::{HashMap, HashSet};

    impl<K, V, H> MapEntities for HashMap<K, V, H>
    where
        K: MapEntities + Eq + Hash,
        V: MapEntities,
        H: BuildHasher,
    {
        fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
            let pairs: Vec<_> = self.drain().collect();
            self.extend(pairs.into_iter().map(|mut pair| {
                pair.map_entities(map);
                pair
            }));
        }
    }

    impl<T: MapEntities + Eq + Hash, H: BuildHasher> MapEntities for HashSet<T, H> {
        fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
            let items: Vec<_> = self.drain().collect();
            self.extend(items.into_iter().map(|mut item| {
                item.map_entities(map);
                item
            }));
        }
    }
}
