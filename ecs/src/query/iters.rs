//! Iterators of views with other orders: over parts, over lists of entities, over combinations.
//!
//! They have named types. The destructor of an iterator without a name might access the world, so a variable with it
//! would borrow the world to the end of its scope.

use crate::entity::Entity;
use crate::query::fetch::{Fetch, ReadOnlyFetch};
use crate::query::join::{Join, JoinRest, PartItems};
use crate::query::presence::Filter;
use crate::query::request::{Item, Query};
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::iter::FusedIterator;
use core::{array, fmt};

impl<'w, F: Fetch, T: Filter> Join<'w, F, T> {
    /// Divides the items into `count` parts, with about as many positions or indices each.
    pub(crate) fn into_parts<Q: Query<Fetch = F>>(self, count: usize) -> IntoParts<'w, Q, T> {
        IntoParts { rest: self.begin_parts(count), left: count, count }
    }

    /// Returns the items of the matches among these entities.
    pub(crate) fn iter_many<Q, I>(&self, entities: I) -> IterMany<'w, Q, T, I>
    where
        F: ReadOnlyFetch,
        Q: Query<Fetch = F>,
    {
        IterMany { join: self.copied(), entities }
    }
}

/// The parts of a view's items, an iterator each: from [`View::into_parts`](crate::View::into_parts).
///
/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component)] struct Health(u32);
/// # let mut world = World::new();
/// world.spawn_batch((0..100).map(Health));
/// let parts = world.view::<Health>().into_parts(4);
/// assert_eq!((parts.len(), parts.map(Iterator::count).sum::<usize>()), (4, 100));
/// ```
pub struct IntoParts<'w, Q: Query, F: Filter = ()> {
    rest: JoinRest<'w, Q::Fetch, F>,
    /// The number of parts that are left.
    left: usize,
    count: usize,
}

impl<'w, Q: Query, F: Filter> Iterator for IntoParts<'w, Q, F> {
    type Item = PartItems<'w, Q, F>;

    fn next(&mut self) -> Option<PartItems<'w, Q, F>> {
        self.left = self.left.checked_sub(1)?;
        Some(self.rest.take())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<Q: Query, F: Filter> ExactSizeIterator for IntoParts<'_, Q, F> {}
impl<Q: Query, F: Filter> FusedIterator for IntoParts<'_, Q, F> {}

impl<Q: Query, F: Filter> fmt::Debug for IntoParts<'_, Q, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IntoParts({} of {})", self.left, self.count)
    }
}

/// The items of the entities of a list that match: from [`View::iter_many`](crate::View::iter_many).
///
/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component)] struct Health(u32);
/// # let mut world = World::new();
/// let entities = world.spawn_batch([Health(3), Health(4)]);
/// let mut healths = world.view::<Health>().iter_many(&entities);
/// assert_eq!(healths.next().map(|(_, health)| health.0), Some(3));
/// ```
pub struct IterMany<'w, Q: Query, F: Filter, I> {
    join: Join<'w, Q::Fetch, F>,
    entities: I,
}

impl<'w, Q, F, I> Iterator for IterMany<'w, Q, F, I>
where
    Q: Query<Fetch: ReadOnlyFetch>,
    F: Filter,
    I: Iterator<Item: Borrow<Entity>>,
{
    type Item = Item<'w, Q>;

    #[inline]
    fn next(&mut self) -> Option<Item<'w, Q>> {
        let join = &self.join;
        self.entities.find_map(|entity| join.copied().find(*entity.borrow()))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.entities.size_hint().1)
    }

    #[inline]
    fn fold<B, G: FnMut(B, Item<'w, Q>) -> B>(self, init: B, f: G) -> B {
        let Self { join, entities } = self;
        entities.filter_map(move |entity| join.copied().find(*entity.borrow())).fold(init, f)
    }
}

impl<'w, Q, F, I> FusedIterator for IterMany<'w, Q, F, I>
where
    Q: Query<Fetch: ReadOnlyFetch>,
    F: Filter,
    I: FusedIterator<Item: Borrow<Entity>>,
{
}

impl<Q: Query, F: Filter, I> fmt::Debug for IterMany<'_, Q, F, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IterMany").finish_non_exhaustive()
    }
}

/// The combinations of `N` different items: from [`View::iter_combinations`](crate::View::iter_combinations).
///
/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component)] struct Health(u32);
/// # let mut world = World::new();
/// world.spawn_batch((0..5).map(Health));
/// let mut triples = world.view::<Health>().iter_combinations::<3>();
/// assert_eq!(triples.next().map(|three| three.map(|(_, health)| health.0)), Some([0, 1, 2]));
/// assert_eq!(triples.count(), 9);
/// ```
pub struct IterCombinations<'w, Q: Query, const N: usize> {
    items: Vec<Item<'w, Q>>,
    /// The positions of the next combination, which ascend.
    next: Option<[usize; N]>,
}

impl<'w, Q: Query, const N: usize> IterCombinations<'w, Q, N> {
    pub(super) fn new(items: Vec<Item<'w, Q>>) -> Self {
        let next = (N <= items.len()).then(|| array::from_fn(|at| at));
        Self { items, next }
    }
}

impl<'w, Q: Query, const N: usize> Iterator for IterCombinations<'w, Q, N>
where
    Item<'w, Q>: Clone,
{
    type Item = [Item<'w, Q>; N];

    fn next(&mut self) -> Option<[Item<'w, Q>; N]> {
        let (choice, items) = (self.next?, &self.items);
        // The last position that can advance does; the positions behind it follow.
        let last = |place: usize| items.len() - N + place;
        self.next = (0..N).rev().find(|&place| choice[place] < last(place)).map(|place| {
            let first = choice[place] + 1;
            array::from_fn(|at| if at < place { choice[at] } else { first + at - place })
        });
        Some(choice.map(|at| items[at].clone()))
    }
}

impl<'w, Q: Query, const N: usize> FusedIterator for IterCombinations<'w, Q, N> where
    Item<'w, Q>: Clone
{
}

impl<Q: Query, const N: usize> fmt::Debug for IterCombinations<'_, Q, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IterCombinations({N} of {})", self.items.len())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Component, World};
    use std::format;
    use std::vec::Vec;

    #[derive(Component)]
    struct A;

    #[test]
    fn iterators_return_how_many_items_are_left_and_print_in_a_line() {
        let mut world = World::new();
        let mut entities = world.spawn_batch([A, A]);
        entities.push(world.spawn_empty().id());
        let mut many = world.view::<A>().iter_many(&entities);
        assert_eq!(many.size_hint(), (0, Some(3)));
        assert_eq!(format!("{many:?}"), "IterMany { .. }");
        assert!(many.next().is_some());
        assert_eq!((many.size_hint(), many.count()), ((0, Some(2)), 1));
        let mut parts = world.view::<A>().into_parts(3);
        assert_eq!((parts.size_hint(), parts.len()), ((3, Some(3)), 3));
        assert!(parts.next().is_some());
        assert_eq!(format!("{parts:?}"), "IntoParts(2 of 3)");
        assert_eq!(parts.collect::<Vec<_>>().len(), 2);
        let pairs = world.view::<A>().iter_combinations::<2>();
        assert_eq!(format!("{pairs:?}"), "IterCombinations(2 of 2)");
    }
}
