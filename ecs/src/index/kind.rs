//! The traits of indexed components, of kinds of indexes, and of their keys.

use crate::component::data::IndexOwner;
use crate::component::{AnyComponent, Ref};
use crate::entity::Entity;
use crate::internal::Internal;
use core::hash::Hash;

/// A kind of index: [`Hashed`](crate::Hashed), [`Ordered`](crate::Ordered), or one of yours, such as a grid of points.
///
/// When an index is asked, the world files each entity anew whose key has changed. It keeps the
/// [`Place`](Self::Place) where the index put the entity, so that an index need not search it. Questions are methods of
/// your own: [`World::index`](crate::World::index) lends the index itself.
///
/// An answer should not depend on the order in which entities came: then a copy of the world, or one that was loaded,
/// gives the same.
///
/// After a panic in one of these methods, the world replaces the index by its `Default`, and files all entities anew.
///
/// ```
/// use ecs::{Component, Entity, IndexKind, World};
/// use std::collections::BTreeMap;
///
/// /// Entities on a plane, by squares with sides of eight.
/// #[derive(Default)]
/// struct Grid(BTreeMap<(i32, i32), Vec<(Entity, Place)>>);
///
/// #[derive(Component, Clone, Copy, PartialEq)]
/// #[component(index(kind = Grid, by = Place::clone))]
/// struct Place { x: i32, y: i32 }
///
/// impl Place {
///     fn square(self) -> (i32, i32) {
///         (self.x.div_euclid(8), self.y.div_euclid(8))
///     }
/// }
///
/// impl IndexKind for Grid {
///     type Key = Place;
///     type Place = Place;
///
///     fn insert(&mut self, entity: Entity, key: &Place) -> Place {
///         let square = self.0.entry(key.square()).or_default();
///         let at = square.partition_point(|(other, _)| other.index() < entity.index());
///         square.insert(at, (entity, *key));
///         *key
///     }
///     fn remove(&mut self, entity: Entity, place: Place) {
///         let Some(square) = self.0.get_mut(&place.square()) else { return };
///         square.retain(|(other, _)| *other != entity);
///         if square.is_empty() {
///             self.0.remove(&place.square());
///         }
///     }
///     fn is_at(&self, place: &Place, key: &Place) -> bool {
///         place == key
///     }
/// }
///
/// impl Grid {
///     /// Returns the entities in a rectangle, without its right and lower sides.
///     fn within(&self, from: Place, to: Place) -> impl Iterator<Item = Entity> {
///         let (first, last) = (from.square(), to.square());
///         let columns = self.0.range((first.0, i32::MIN)..=(last.0, i32::MAX));
///         let squares = columns.filter(move |((_, y), _)| (first.1..=last.1).contains(y));
///         let is_inside = move |at: &Place| {
///             (from.x..to.x).contains(&at.x) && (from.y..to.y).contains(&at.y)
///         };
///         squares.flat_map(|(_, square)| square).filter(move |it| is_inside(&it.1)).map(|it| it.0)
///     }
/// }
///
/// let mut world = World::new();
/// let places = (0..100).map(|n| Place { x: n % 10, y: n / 10 });
/// world.spawn_batch(places);
/// let corner = || (Place { x: 0, y: 0 }, Place { x: 2, y: 2 });
/// assert_eq!(world.index::<Place>().within(corner().0, corner().1).count(), 4);
/// for (_, place) in world.view_mut::<&mut Place>() {
///     place.x += 1;
/// }
/// assert_eq!(world.index::<Place>().within(corner().0, corner().1).count(), 2);
/// ```
pub trait IndexKind: Default + Send + Sync + 'static {
    /// The value by which an entity is filed.
    type Key: 'static;
    /// The place of an entity in the index, by which [`remove`](Self::remove) finds it.
    type Place: Clone + Send + Sync + 'static;

    /// Files an entity, which is not filed.
    fn insert(&mut self, entity: Entity, key: &Self::Key) -> Self::Place;
    /// Takes out an entity, which was filed at this place.
    fn remove(&mut self, entity: Entity, place: Self::Place);
    /// Returns `true` if an entity with this key belongs at this place. It then stays there: loops that write a
    /// component mark entities whose key remains equal, too.
    fn is_at(&self, place: &Self::Place, key: &Self::Key) -> bool;
    /// Moves an entity to where this key belongs, from a place where [`is_at`](Self::is_at) returned `false`. By default,
    /// removes and inserts it.
    fn change(&mut self, entity: Entity, place: &mut Self::Place, key: &Self::Key) {
        self.remove(entity, place.clone());
        *place = self.insert(entity, key);
    }
    /// Ends some insertions, removals and changes, before a question. Does nothing by default: an index that keeps an order
    /// may restore it here, once.
    fn finish(&mut self) {}
    /// Returns the bytes on the heap, for [`World::memory_usage`](crate::World::memory_usage). 0 by default.
    fn memory(&self) -> usize {
        0
    }
    /// Stores the identity of the index, for its answers.
    #[doc(hidden)]
    fn set_owner(&mut self, _: Internal<Self>, _: IndexOwner) {}
}

/// A component with an index: `#[component(index)]`. The derive implements it.
///
/// ```
/// use ecs::{Component, Indexed, World};
///
/// #[derive(Component, Clone, PartialEq, Eq, Hash)]
/// #[component(index)]
/// struct Team(u8);
///
/// fn index_of<T: Indexed>(world: &World) -> &T::Index {
///     world.index::<T>()
/// }
/// let mut world = World::new();
/// world.spawn_batch([Team(1), Team(2), Team(1)]);
/// assert_eq!(index_of::<Team>(&world).get(&Team(1)).count(), 2);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no index",
    label = "not indexed",
    note = "add `#[component(index)]` to `{Self}`, which derives `Component`; or `#[component(index(ordered, by = field))]` \
            to find ranges"
)]
pub trait Indexed: AnyComponent {
    /// The key of a value.
    type Key: 'static;
    /// The index.
    type Index: IndexKind<Key = Self::Key>;
    /// Calls `read` with the key of a value.
    #[doc(hidden)]
    fn with_key<R>(
        _: Internal<Self>,
        value: Ref<'_, Self>,
        read: impl FnOnce(&Self::Key) -> R,
    ) -> R;
}

/// A key of a [`Hashed`](crate::Hashed) index.
///
/// ```
/// fn is_a_key<K: ecs::HashedKey>() {}
/// is_a_key::<(u8, String)>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of an index",
    label = "not `Clone + Eq + Hash + Send + Sync + 'static`",
    note = "derive `Clone`, `PartialEq`, `Eq` and `Hash` for it, or name a part of the component that has them: \
            `index(by = field)`",
    note = "a float is not a key, as NaN equals nothing and 0.0 equals -0.0: file by a rounded number, or by `to_bits`"
)]
pub trait HashedKey: Clone + Eq + Hash + Send + Sync + 'static {}
#[diagnostic::do_not_recommend]
impl<K: Clone + Eq + Hash + Send + Sync + 'static> HashedKey for K {}

/// A key of an [`Ordered`](crate::Ordered) index.
///
/// ```
/// fn is_a_key<K: ecs::OrderedKey>() {}
/// is_a_key::<(u8, String)>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of an ordered index",
    label = "not `Clone + Ord + Send + Sync + 'static`",
    note = "derive `Clone`, `PartialEq`, `Eq`, `PartialOrd` and `Ord` for it, or name a part of the component that has \
            them: `index(ordered, by = field)`",
    note = "a float is not a key, as NaN is neither more nor less than another: file by a rounded number, or by a type of \
            yours that compares by `f32::total_cmp`"
)]
pub trait OrderedKey: Clone + Ord + Send + Sync + 'static {}
#[diagnostic::do_not_recommend]
impl<K: Clone + Ord + Send + Sync + 'static> OrderedKey for K {}
