//! Lookups along a relation: components of the entity to which a match points.

use crate::component::access::Access;
use crate::component::{AnyComponent, Ref, Relation};
use crate::internal::{InQueries, known};
use crate::query::fetch::{Elsewhere, EntityFetch, Fetch, Map, Mapped, Read};
use crate::query::request::Term;
use core::fmt;
use core::marker::PhantomData;

/// A term that reads a component of the entity to which a match points: `Up<ChildOf, &Global>`.
///
/// Matches have the relation `R`; `Option<Up<..>>` does not require it. In a tuple, it yields an `Option<&T>`, as the
/// target may lack a `T`; in a struct, an `Up`. It costs a lookup for each match.
///
/// No other term of the query, and no view of the same split, may write `T`: the written match could be the target of
/// another one. To write, iterate over [`World::by_depth`](crate::World::by_depth).
///
/// ```
/// use ecs::{ChildOf, Component, Query, Up, World};
///
/// #[derive(Component)]
/// struct Place(i32);
///
/// #[derive(Query)]
/// struct Seat<'w> { place: &'w Place, ship: Up<ChildOf, &'w Place> }
///
/// let mut world = World::new();
/// let ship = world.spawn(Place(10)).id();
/// let gun = world.spawn((Place(3), ChildOf(ship))).id();
///
/// let view = world.view::<(&Place, Up<ChildOf, &Place>)>();
/// assert_eq!(view.iter().map(|(entity, at, up)| (entity, at.0 + up.unwrap().0)).next(), Some((gun, 13)));
///
/// let seat = world.view::<Seat>().single().unwrap();
/// assert_eq!((seat.place.0, seat.ship.get().unwrap().0), (3, 10));
///
/// let all = world.view::<(&Place, Option<Up<ChildOf, &Place>>)>();
/// assert!(all.iter().any(|(entity, _, up)| entity == ship && up.is_none()));
/// ```
pub struct Up<R, T> {
    found: Option<T>,
    of: PhantomData<fn() -> R>,
}

impl<R, T> Up<R, T> {
    /// Returns the component of the target, if it has one.
    ///
    /// ```
    /// # use ecs::{ChildOf, Name, Query, Up, World};
    /// #[derive(Query)]
    /// struct Child<'w> { parent: Up<ChildOf, &'w Name> }
    /// let mut world = World::new();
    /// let parent = world.spawn_named("Alice").id();
    /// world.spawn(ChildOf(parent));
    /// let child = world.view::<Child>().single().unwrap();
    /// assert_eq!(child.parent.get().unwrap().as_str(), "Alice");
    /// ```
    #[must_use]
    pub fn get(self) -> Option<T> {
        self.found
    }
}

impl<R, T: Copy> Clone for Up<R, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<R, T: Copy> Copy for Up<R, T> {}

impl<R, T: fmt::Debug> fmt::Debug for Up<R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.found.fmt(f)
    }
}

/// Fetches `T` from the target of `R`.
#[doc(hidden)]
pub struct Above<R, T>(PhantomData<fn() -> (R, T)>);

impl<R: Relation, T: AnyComponent> Map for Above<R, T> {
    type From = (Read<R>, Elsewhere<T>);
    type Plain = Self;
    type Item<'w> = Option<Ref<'w, T>>;
    type Chunk<'w> = <Self::From as Fetch>::Chunk<'w>;
    type ReadOnly = Mapped<Self>;
    const TESTS: Access = Access::Nothing;
    #[inline]
    fn map<'w>((relation, pool): <Self::From as Fetch>::Item<'w>) -> Self::Item<'w> {
        pool?.get(relation.target())
    }
    #[inline(always)]
    fn map_chunk<'w>(chunk: <Self::From as Fetch>::Chunk<'w>) -> Self::Chunk<'w> {
        chunk
    }
}

/// Fetches `T` from the target of `R`, as a value of its own type.
#[doc(hidden)]
pub struct AboveAsUp<R, T>(PhantomData<fn() -> (R, T)>);

impl<R: Relation, T: AnyComponent> Map for AboveAsUp<R, T> {
    type From = Mapped<Above<R, T>>;
    type Plain = Above<R, T>;
    type Item<'w> = Up<R, Ref<'w, T>>;
    type Chunk<'w> = <Self::From as Fetch>::Chunk<'w>;
    type ReadOnly = Mapped<Self>;
    const TESTS: Access = Access::Nothing;
    #[inline]
    fn map<'w>(found: <Self::From as Fetch>::Item<'w>) -> Self::Item<'w> {
        Up { found, of: PhantomData }
    }
    #[inline(always)]
    fn map_chunk<'w>(chunk: <Self::From as Fetch>::Chunk<'w>) -> Self::Chunk<'w> {
        chunk
    }
}

known!(InQueries: ['w, R, T] Up<R, &'w T>,);

impl<R: Relation, T: AnyComponent> Term for Up<R, &T> {
    type Fetch = Mapped<AboveAsUp<R, T>>;
    type WithEntity = (EntityFetch, Mapped<Above<R, T>>);
}

#[cfg(test)]
mod tests {
    use crate::{ChildOf, Component, Has, Query, Up, World};
    use std::format;

    #[derive(Component, Debug, PartialEq)]
    struct Place(u32);

    #[derive(Query)]
    struct Seat<'w> {
        ship: Up<ChildOf, &'w Place>,
        place: Has<Place>,
    }

    #[test]
    fn values_of_fields_are_taken_and_print_like_what_they_contain() {
        let mut world = World::new();
        let ship = world.spawn(Place(7)).id();
        world.spawn(ChildOf(ship));
        let Seat { ship, place } = world.view::<Seat>().single().unwrap();
        assert_eq!(ship.get(), Some(&Place(7)));
        assert_eq!(format!("{ship:?}, {place:?}"), "Some(Place(7)), false");
        assert!(!bool::from(place) && bool::from(Has::<Place>::new(true)));
    }

    #[test]
    fn chunks_have_the_relations_and_the_pool_of_the_targets() {
        let mut world = World::new();
        let ship = world.spawn(Place(7)).id();
        world.spawn_batch([ChildOf(ship), ChildOf(ship)]);
        let mut found = Vec::new();
        world.view::<(Up<ChildOf, &Place>,)>().for_each_chunk(|(_, (relations, places))| {
            let places = places.unwrap();
            found.extend(relations.iter().map(|relation| places.get(relation.0).unwrap().0));
        });
        world.view::<Seat>().for_each_chunk(|((relations, places), _)| {
            found.push(places.unwrap().get(relations[1].0).unwrap().0);
        });
        assert_eq!(found, [7, 7, 7]);
    }
}
