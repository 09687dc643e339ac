//! Lookups against a relation: components of the entities that point to a match.

use crate::component::Relation;
use crate::component::access::{Access, Mode};
use crate::entity::Entity;
use crate::internal::{InQueries, known};
use crate::pool::list::FilterList;
use crate::query::fetch::{Beside, EntityFetch, Fetch, Lookup, Map, Mapped, ReadOnlyFetch};
use crate::query::request::{Query, Term};
use crate::relation::ends::{IsTarget, Related};
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::slice;

/// A term that reads the entities that point to a match by the relation `R`, its sources: `Sources<ChildOf>`,
/// `Sources<ChildOf, &Position>`.
///
/// Matches are targets: at least one entity points to each of them. `Option<Sources<..>>` matches any entity. The term
/// yields an iterator over the sources, in the order of [`World::related`](crate::World::related). The iterator yields
/// their handles, or the items of the query `Q` for the sources that match it. It has one type in tuples and in
/// structs. A match costs one lookup; each source that `Q` reads costs as much as [`View::get`](crate::View::get).
///
/// `With<Sources<R>>` and `Without<Sources<R>>` are filters: entities that are a target, and entities that are not.
///
/// `Q` only reads. No other term of the query, and no view of the same split, may write components that `Q` reads: the
/// written match could be the source of another one. To write sources, take their handles and look them up in a view of
/// a [split](crate::World::split_mut).
///
/// [`View::for_each_chunk`](crate::View::for_each_chunk) gets [`SourceChunk`](crate::iter::SourceChunk)s.
///
/// ```
/// use ecs::{Component, Entity, Query, Sources, Without, World};
///
/// #[derive(Component)]
/// struct Belt { load: u32 }
/// #[derive(Component)]
/// struct Weight(u32);
/// #[derive(Component)]
/// #[component(relation)]
/// struct CarriedBy(Entity);
///
/// #[derive(Query)]
/// struct Loaded<'w> { belt: &'w mut Belt, items: Sources<'w, CarriedBy, &'w Weight> }
///
/// let mut world = World::new();
/// let belt = world.spawn(Belt { load: 0 }).id();
/// let idle = world.spawn(Belt { load: 0 }).id();
/// let items = world.spawn_batch([2, 3].map(|weight| (Weight(weight), CarriedBy(belt))));
///
/// for loaded in world.view_mut::<Loaded>() {
///     loaded.belt.load = loaded.items.map(|(_, weight)| weight.0).sum();
/// }
/// assert_eq!(world.get::<Belt>(belt).unwrap().load, 5);
///
/// let (_, _, carried) = world.view::<(&Belt, Sources<CarriedBy>)>().single().unwrap();
/// assert_eq!(carried.len(), 2);
/// assert!(carried.eq(items));
///
/// let unused = world.view::<(&Belt, Without<Sources<CarriedBy>>)>().single().unwrap();
/// assert_eq!(unused.0, idle);
/// ```
pub type Sources<'w, R, Q = Entity> = SourceIter<'w, R, <Q as Query>::Fetch>;

/// A fetch of the items of sources.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`Sources` only reads, and its query writes a component or may write one",
    label = "writes components of sources",
    note = "ask for `&T`; to write, take the handles by `Sources<R>`, and look them up in another view of a split"
)]
pub trait SourceFetch: ReadOnlyFetch {}
#[diagnostic::do_not_recommend]
impl<F: ReadOnlyFetch> SourceFetch for F {}

/// The sources of one entity: the iterator behind [`Sources`](crate::Sources). It iterates from either end.
///
/// ```
/// # use ecs::{ChildOf, Name, Sources, World};
/// let mut world = World::new();
/// let parent = world.spawn_named("Ann").id();
/// world.spawn(ChildOf(parent));
/// world.spawn((Name::from("Bob"), ChildOf(parent)));
/// world.spawn((Name::from("Eve"), ChildOf(parent)));
/// let (_, mut children) = world.view::<Sources<ChildOf, &Name>>().single().unwrap();
/// assert_eq!(children.next_back().map(|(_, name)| name.as_str()), Some("Eve"));
/// assert_eq!((children.handles().len(), children.count()), (2, 1));
/// ```
#[must_use = "an iterator does nothing before it is walked"]
pub struct SourceIter<'w, R: Relation, F: SourceFetch> {
    handles: Related<'w>,
    lookup: Lookup<'w, F>,
    of: PhantomData<fn() -> R>,
}

impl<'w, R: Relation, F: SourceFetch> SourceIter<'w, R, F> {
    #[inline]
    fn new(target: Entity, lookup: Lookup<'w, F>) -> Self {
        Self { handles: lookup.sources(target), lookup, of: PhantomData }
    }

    /// Returns the handles of the remaining sources, including sources that do not match the query of the term.
    /// O(1).
    ///
    /// See [`SourceIter`] for an example.
    #[must_use]
    #[inline]
    pub fn handles(&self) -> Related<'w> {
        self.handles.clone()
    }
}

impl<'w, R: Relation, F: SourceFetch> Iterator for SourceIter<'w, R, F> {
    type Item = F::Item<'w>;

    #[inline]
    fn next(&mut self) -> Option<F::Item<'w>> {
        self.handles.find_map(|source| self.lookup.get(source))
    }
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.handles.len();
        (if const { matches!(F::ACCESS, Access::Nothing) } { len } else { 0 }, Some(len))
    }
    #[inline]
    fn fold<B, G: FnMut(B, F::Item<'w>) -> B>(self, init: B, f: G) -> B {
        let Self { handles, lookup, .. } = self;
        handles.filter_map(|source| lookup.get(source)).fold(init, f)
    }
}

impl<R: Relation, F: SourceFetch> DoubleEndedIterator for SourceIter<'_, R, F> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        let lookup = &self.lookup;
        self.handles.by_ref().rev().find_map(|source| lookup.get(source))
    }
}

/// Iterators over handles alone have an exact size.
impl<R: Relation> ExactSizeIterator for SourceIter<'_, R, EntityFetch> {}
impl<R: Relation, F: SourceFetch> FusedIterator for SourceIter<'_, R, F> {}

impl<R: Relation, F: SourceFetch> Clone for SourceIter<'_, R, F> {
    fn clone(&self) -> Self {
        Self { handles: self.handles.clone(), ..*self }
    }
}

impl<R: Relation, F: SourceFetch> fmt::Debug for SourceIter<'_, R, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.handles()).finish()
    }
}

/// The sources of neighbouring matches, a [`SourceIter`] each: the form of the term [`Sources`](crate::Sources) in a
/// chunk.
///
/// ```
/// # use ecs::{Component, Entity, Sources, World};
/// # #[derive(Component)] struct Belt { load: usize }
/// # #[derive(Component)] #[component(relation)] struct CarriedBy(Entity);
/// let mut world = World::new();
/// let belt = world.spawn(Belt { load: 0 }).id();
/// world.spawn_batch((0..3).map(|_| CarriedBy(belt)));
/// world.view_mut::<(&mut Belt, Sources<CarriedBy>)>().for_each_chunk(|(_, belts, sources)| {
///     for (belt, items) in belts.iter_mut().zip(sources) {
///         belt.load = items.len();
///     }
/// });
/// assert_eq!(world.get::<Belt>(belt).unwrap().load, 3);
/// ```
pub struct SourceChunk<'w, R: Relation, F: SourceFetch> {
    targets: slice::Iter<'w, Entity>,
    lookup: Lookup<'w, F>,
    of: PhantomData<fn() -> R>,
}

impl<'w, R: Relation, F: SourceFetch> Iterator for SourceChunk<'w, R, F> {
    type Item = SourceIter<'w, R, F>;

    #[inline]
    fn next(&mut self) -> Option<SourceIter<'w, R, F>> {
        Some(SourceIter::new(*self.targets.next()?, self.lookup))
    }
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.targets.size_hint()
    }
}

impl<R: Relation, F: SourceFetch> ExactSizeIterator for SourceChunk<'_, R, F> {}
impl<R: Relation, F: SourceFetch> FusedIterator for SourceChunk<'_, R, F> {}

impl<R: Relation, F: SourceFetch> fmt::Debug for SourceChunk<'_, R, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SourceChunk({} targets)", self.targets.len())
    }
}

/// Looks up the sources of a match, and the items of `F` for them.
#[doc(hidden)]
pub struct OfSources<R, F>(PhantomData<fn() -> (R, F)>);

impl<R: Relation, F: SourceFetch> Map for OfSources<R, F> {
    type From = (EntityFetch, Beside<R, F>);
    type Plain = Self;
    type Item<'w> = SourceIter<'w, R, F>;
    type Chunk<'w> = SourceChunk<'w, R, F>;
    type ReadOnly = Mapped<Self>;
    const TESTS: Access = IsTarget::<R>::access(Mode::With);
    #[inline]
    fn map<'w>((entity, lookup): <Self::From as Fetch>::Item<'w>) -> Self::Item<'w> {
        SourceIter::new(entity, lookup)
    }
    #[inline]
    fn map_chunk<'w>((targets, lookup): <Self::From as Fetch>::Chunk<'w>) -> Self::Chunk<'w> {
        SourceChunk { targets: targets.iter(), lookup, of: PhantomData }
    }
}

known!(InQueries: ['w, R: Relation, F: SourceFetch] SourceIter<'w, R, F>,);

impl<R: Relation, F: SourceFetch> Term for SourceIter<'_, R, F> {
    type Fetch = Mapped<OfSources<R, F>>;
    type WithEntity = (EntityFetch, Mapped<OfSources<R, F>>);
}

#[diagnostic::do_not_recommend]
impl<R: Relation, F: SourceFetch> FilterList for SourceIter<'_, R, F> {
    type Tests = IsTarget<R>;
}

#[cfg(test)]
mod tests {
    use crate::{ChildOf, Component, Sources, World};
    use std::format;

    #[derive(Component)]
    struct A;

    #[test]
    fn sources_of_a_chunk_print_as_the_number_of_their_targets() {
        let mut world = World::new();
        for target in world.spawn_batch([A, A]) {
            world.spawn(ChildOf(target));
        }
        world.view::<(&A, Sources<ChildOf>)>().for_each_chunk(|(_, _, sources)| {
            assert_eq!(format!("{sources:?}"), "SourceChunk(2 targets)");
            assert_eq!(sources.map(|sources| sources.len()).sum::<usize>(), 2);
        });
    }
}
