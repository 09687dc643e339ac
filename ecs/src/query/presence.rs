//! Presence of components: as a value, and as a filter of queries.

use crate::component::AnyComponent;
use crate::component::access::Access;
use crate::component::data::IndexOwner;
use crate::entity::Entity;
use crate::pool::Pool;
use crate::pool::list::Tests;
use crate::pool::pools::{NO_KEYS, Pools};
use crate::pool::track::EntitySet;
use crate::storage::keys::Keys;
use crate::tuples::{each, for_each_tuple};
use core::fmt;
use core::marker::PhantomData;

/// A term that is `true` if an entity has a `T`, and matches every entity. It yields a `bool` in a tuple, and a `Has`
/// in a field of a struct.
///
/// ```
/// # use ecs::{Component, Has, World};
/// #[derive(Component, Default)]
/// struct Audio(f32);
/// #[derive(Component, Default)]
/// struct Muted;
///
/// let mut world = World::new();
/// world.spawn_empty().add::<Audio>();
/// world.spawn_empty().add::<Audio>().add::<Muted>();
/// let muted: Vec<bool> =
///     world.view::<(&Audio, Has<Muted>)>().into_iter().map(|(_, _, muted)| muted).collect();
/// assert_eq!(muted, [false, true]);
/// ```
pub struct Has<T> {
    present: bool,
    of: PhantomData<fn() -> T>,
}

impl<T> Has<T> {
    #[inline]
    pub(crate) const fn new(present: bool) -> Self {
        Self { present, of: PhantomData }
    }

    /// Returns `true` if the entity has it.
    ///
    /// ```
    /// # use ecs::{Component, Has, Query, World};
    /// # #[derive(Component)] struct Audio(f32);
    /// # #[derive(Component)] struct Muted;
    /// # let mut world = World::new();
    /// world.spawn((Audio(1.0), Muted));
    /// #[derive(Query)]
    /// struct Heard<'w> { audio: &'w Audio, muted: Has<Muted> }
    /// assert!(world.view::<Heard>().single().unwrap().muted.get());
    /// ```
    #[must_use]
    pub const fn get(self) -> bool {
        self.present
    }
}

impl<T> Clone for Has<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Has<T> {}
impl<T> From<Has<T>> for bool {
    fn from(has: Has<T>) -> Self {
        has.present
    }
}
impl<T> fmt::Debug for Has<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.present.fmt(f)
    }
}

macro_rules! filter {
    ($(#[$doc:meta])* $name:ident: $access:ident of $list:ident) => {
        $(#[$doc])*
        pub struct $name<L>(PhantomData<fn() -> L>);

        impl<L> $name<L> {
            const PASSED: Self = Self(PhantomData);
        }
        impl<L: Tests> Filter for $name<L> {
            type Answers = ();
            const ACCESS: Access = Access::$access(L::$list);
            const PASSED: Self = Self::PASSED;
        }
        impl<L: Tests> sealed::Sealed for $name<L> {}
        impl<L> Clone for $name<L> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<L> Copy for $name<L> {}
        impl<L> fmt::Debug for $name<L> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    };
}

filter! {
    /// A filter and a term: entities that have all of `L`, a component or a tuple of components.
    ///
    /// A term that yields nothing if no other term follows, otherwise itself. It borrows nothing: another view may
    /// write the components that it tests.
    ///
    /// ```
    /// # use ecs::{Component, With, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # #[derive(Component)] struct Player;
    /// # let mut world = World::new();
    /// world.spawn((Health(3), Player));
    /// world.spawn(Health(7));
    /// let (_, health) = world.view::<(&Health, With<Player>)>().single().unwrap();
    /// assert_eq!(health.0, 3);
    /// ```
    With: All of WITH
}
filter! {
    /// A filter and a term: entities that have none of `L`, a component or a tuple of components.
    ///
    /// ```
    /// # use ecs::{Component, Without, World};
    /// # #[derive(Component)] struct Asleep;
    /// # #[derive(Component)] struct Dead;
    /// # let mut world = World::new();
    /// world.spawn(Dead);
    /// let awake = world.spawn_empty().id();
    /// let entity = world.view::<Without<(Asleep, Dead)>>().single().unwrap();
    /// assert_eq!(entity, awake);
    /// ```
    Without: All of WITHOUT
}
filter! {
    /// A filter and a term: entities that have at least one of `L`, a tuple of components.
    ///
    /// ```
    /// # use ecs::{Component, WithAny, World};
    /// # #[derive(Component)] struct Audio(f32);
    /// # #[derive(Component)] struct Near;
    /// # #[derive(Component)] struct Loud;
    /// # let mut world = World::new();
    /// let entity = world.spawn((Audio(1.0), Loud)).id();
    /// assert!(world.has::<(&Audio, WithAny<(Near, Loud)>)>(entity));
    /// assert!(!world.has::<WithAny<(Near,)>>(entity));
    /// ```
    WithAny: Any of WITH
}

/// The filters of a view: `()` at first, then the types that [`View::with`], [`View::without`] and [`View::with_any`]
/// return. For functions that take any view of a query.
///
/// ```
/// # use ecs::{Component, Filter, View, World};
/// # #[derive(Component)] struct Health(u32);
/// # #[derive(Component)] struct Player;
/// fn total<F: Filter>(view: &View<'_, Health, F>) -> u32 {
///     view.iter().map(|(_, health)| health.0).sum()
/// }
/// # let mut world = World::new();
/// world.spawn((Health(3), Player));
/// world.spawn(Health(4));
/// let all = world.view::<Health>();
/// assert_eq!((total(&all), total(&all.with::<Player>())), (7, 3));
/// ```
///
/// [`View::with`]: crate::View::with
/// [`View::without`]: crate::View::without
/// [`View::with_any`]: crate::View::with_any
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a filter of views",
    label = "not a filter",
    note = "write `F: Filter` in a function that takes any `View<'_, Query, F>`"
)]
pub trait Filter: sealed::Sealed {
    /// The answers of indexes that contain the matches.
    #[doc(hidden)]
    type Answers: Clone;
    /// The tests, which only need presence.
    #[doc(hidden)]
    const ACCESS: Access;
    /// The value that it yields as a term.
    #[doc(hidden)]
    const PASSED: Self;
    /// `true` if there are no tests.
    #[doc(hidden)]
    const IS_EMPTY: bool =
        matches!(Self::ACCESS, Access::Nothing) && Self::MARKED == 0 && !Self::HAS_ANSWERS;
    /// The number of sets of marked entities that contain the matches.
    #[doc(hidden)]
    const MARKED: usize = 0;
    /// Returns the members of the pool whose order the matches have, if there is one.
    #[doc(hidden)]
    const ORDER: Option<OrderOf> = None;
    /// `true` if there are answers of indexes.
    #[doc(hidden)]
    const HAS_ANSWERS: bool = false;
    /// Returns `true` if all answers have the entity with this index.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    fn are_in_answers(_: &Self::Answers, _: u32) -> bool {
        true
    }
    /// Calls `add` with each answer.
    #[doc(hidden)]
    fn for_each_answer(_: &Self::Answers, _: AddAnswer<'_>) {}
}

/// Receives the entities of an answer, and the index that gave it, if a world has it.
#[doc(hidden)]
pub type AddAnswer<'a> = &'a mut dyn FnMut(&mut dyn Iterator<Item = Entity>, Option<IndexOwner>);

/// Returns the members of a pool.
type OrderOf = fn(&Pools) -> &Keys<Entity>;

/// The filter of [`View::among`]: entities that are marked; or that an index has for some keys, if `A` is the answer of
/// that index.
///
/// ```
/// # use ecs::{Among, Component, View, World};
/// # #[derive(Component)]
/// # #[component(track)]
/// # struct Health(u32);
/// fn total(view: View<'_, Health, ((), Among)>) -> u32 {
///     view.into_iter().map(|(_, health)| health.0).sum()
/// }
/// # let mut world = World::new();
/// world.spawn(Health(3));
/// let mut seen = world.changes::<Health>();
/// world.spawn(Health(4));
/// world.advance(&mut seen);
/// assert_eq!(total(world.view::<Health>().among(seen.inserted())), 4);
/// ```
///
/// [`View::among`]: crate::View::among
pub struct Among<A = ()>(PhantomData<fn() -> A>);

impl Filter for Among {
    type Answers = ();
    const ACCESS: Access = Access::Nothing;
    const PASSED: Self = Self(PhantomData);
    const MARKED: usize = 1;
}
impl sealed::Sealed for Among {}
impl<A: IndexAnswer> Filter for Among<A> {
    type Answers = A;
    const ACCESS: Access = Access::Nothing;
    const PASSED: Self = Self(PhantomData);
    const HAS_ANSWERS: bool = true;
    #[inline]
    fn are_in_answers(answer: &A, index: u32) -> bool {
        answer.has_index(index)
    }
    #[inline]
    fn for_each_answer(answer: &A, add: AddAnswer<'_>) {
        add(&mut answer.clone(), answer.owner());
    }
}
impl<A: IndexAnswer> sealed::Sealed for Among<A> {}
impl<A> Clone for Among<A> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<A> Copy for Among<A> {}
impl<A> fmt::Debug for Among<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Among")
    }
}

/// The answer of an index: entities, each once at most.
#[doc(hidden)]
pub trait IndexAnswer: Iterator<Item = Entity> + Clone {
    /// Returns `true` if the entity with this index is in the answer.
    fn has_index(&self, index: u32) -> bool;
    /// Returns the identity of the index, if a world has it.
    fn owner(&self) -> Option<IndexOwner>;
}

/// Entities that [`View::among`] restricts a view to: an [`EntitySet`], or the answer of an index, [`IndexIter`] or
/// [`RangeIter`].
///
/// ```
/// # use ecs::{AmongEntities, Component, World};
/// # #[derive(Component, Clone, PartialEq, Eq, Hash)]
/// # #[component(index)]
/// # struct Team(u8);
/// fn count<'w>(world: &'w World, entities: impl AmongEntities<'w>) -> usize {
///     world.view::<&Team>().among(entities).count()
/// }
/// let mut world = World::new();
/// let entities = world.spawn_batch([Team(1), Team(2), Team(1)]);
/// assert_eq!(count(&world, &world.entity_set(entities[1..].iter().copied())), 2);
/// assert_eq!(count(&world, world.index::<Team>().get(&Team(1))), 2);
/// ```
///
/// [`View::among`]: crate::View::among
/// [`IndexIter`]: crate::iter::IndexIter
/// [`RangeIter`]: crate::iter::RangeIter
#[diagnostic::on_unimplemented(
    message = "a view cannot be among `{Self}`",
    label = "neither a set of entities nor the answer of an index",
    note = "make a set of any entities: `let set = world.entity_set(entities)`, then `among(&set)`"
)]
pub trait AmongEntities<'w> {
    /// The filter of the view.
    #[doc(hidden)]
    type Filter: Filter;
    /// Returns the set, or the answer.
    #[doc(hidden)]
    fn into_parts(self) -> (Option<&'w EntitySet>, <Self::Filter as Filter>::Answers);
}

impl<'w> AmongEntities<'w> for &'w EntitySet {
    type Filter = Among;
    #[inline]
    fn into_parts(self) -> (Option<&'w EntitySet>, ()) {
        (Some(self), ())
    }
}

impl<A: IndexAnswer> AmongEntities<'_> for A {
    type Filter = Among<A>;
    #[inline]
    fn into_parts(self) -> (Option<&'static EntitySet>, A) {
        (None, self)
    }
}

/// The filter of [`View::in_order_of`]: entities that have a `T`, in the order of its pool.
///
/// ```
/// # use ecs::{Component, InOrderOf, View, World};
/// # #[derive(Component)] struct Depth(u32);
/// # #[derive(Component)] struct Sprite(char);
/// fn draw(view: View<'_, &Sprite, ((), InOrderOf<Depth>)>) -> String {
///     view.into_iter().map(|(_, sprite)| sprite.0).collect()
/// }
/// # let mut world = World::new();
/// world.spawn_batch([(Depth(2), Sprite('b')), (Depth(1), Sprite('a'))]);
/// world.pool_mut::<Depth>().sort_by_key(|depth| depth.0).unwrap();
/// assert_eq!(draw(world.view::<&Sprite>().in_order_of::<Depth>()), "ab");
/// ```
///
/// [`View::in_order_of`]: crate::View::in_order_of
pub struct InOrderOf<T>(PhantomData<fn() -> T>);

impl<T: AnyComponent> Filter for InOrderOf<T> {
    type Answers = ();
    const ACCESS: Access = Access::All(<T as Tests>::WITH);
    const PASSED: Self = Self(PhantomData);
    const ORDER: Option<OrderOf> = Some(|pools| pools.get::<T>().map_or(&NO_KEYS, Pool::raw_keys));
}
impl<T: AnyComponent> sealed::Sealed for InOrderOf<T> {}
impl<T> Clone for InOrderOf<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for InOrderOf<T> {}
impl<T> fmt::Debug for InOrderOf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InOrderOf")
    }
}

/// Returns the first order that is not missing.
const fn first_order(orders: &[Option<OrderOf>]) -> Option<OrderOf> {
    each!(orders, |order| if let Some(order) = order {
        return Some(*order);
    });
    None
}

/// Checks that a view has no order yet.
///
/// # Panics
/// Panics if it has one. In a constant, that is a compile error.
#[track_caller]
pub(super) const fn refuse_second_order<F: Filter>() {
    assert!(
        F::ORDER.is_none(),
        "a view has one order: call `in_order_of` once, and `with` for other components that a match has"
    );
}

/// The most sets of marked entities of a view.
pub(super) const MOST_MARKED: usize = 2;

/// Checks the number of sets of marked entities.
///
/// # Panics
/// Panics if `F` has more than the most. In a constant, that is a compile error.
#[track_caller]
pub(super) const fn refuse_more_marked<F: Filter>() {
    assert!(
        F::MARKED <= MOST_MARKED,
        "a view is among two sets of marked entities at most: let another one be among the third, and ask which entities it `matches`"
    );
}

impl Filter for () {
    type Answers = ();
    const ACCESS: Access = Access::Nothing;
    const PASSED: Self = ();
}
impl sealed::Sealed for () {}

macro_rules! filter_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        #[diagnostic::do_not_recommend]
        impl<$($name: Filter),+> Filter for ($($name,)+) {
            type Answers = ($($name::Answers,)+);
            const ACCESS: Access = Access::All(&[$($name::ACCESS),+]);
            const PASSED: Self = ($($name::PASSED,)+);
            const MARKED: usize = 0 $(+ $name::MARKED)+;
            const ORDER: Option<OrderOf> = first_order(&[$($name::ORDER),+]);
            const HAS_ANSWERS: bool = $($name::HAS_ANSWERS)||+;
            #[inline]
            fn are_in_answers(answers: &Self::Answers, index: u32) -> bool {
                $($name::are_in_answers(&answers.$index, index))&&+
            }
            fn for_each_answer(answers: &Self::Answers, add: AddAnswer<'_>) {
                $($name::for_each_answer(&answers.$index, add);)+
            }
        }
        impl<$($name: Filter),+> sealed::Sealed for ($($name,)+) {}
    };
}
for_each_tuple!(filter_for_tuple);

/// Returns `true` if `entity` passes tests of presence.
pub(crate) fn passes(tests: &Access, pools: &Pools, entity: Entity) -> bool {
    match tests {
        Access::Nothing
        | Access::Everything
        | Access::Optional(_)
        | Access::Elsewhere(..)
        | Access::World(_) => true,
        Access::All(tests) | Access::Fields(_, tests) => {
            tests.iter().all(|test| passes(test, pools, entity))
        }
        Access::Any(tests) => tests.iter().any(|test| passes(test, pools, entity)),
        Access::Term(term) => {
            pools.keys_at(term.number()).find(entity).is_some() != term.is_exclusion()
        }
    }
}

/// Returns `true` if an entity is marked in all of these sets.
#[inline]
pub(super) fn are_marked(marked: &[Option<&EntitySet>], entity: Entity) -> bool {
    marked.iter().flatten().all(|marked| marked.has(entity.index()))
}

/// Marks `entity` as changed in the components that a query writes, if it matches there.
pub(crate) fn mark(access: &Access, pools: &Pools, entity: Entity) {
    match access {
        Access::All(parts) | Access::Fields(_, parts) => {
            parts.iter().for_each(|part| mark(part, pools, entity));
        }
        Access::Optional(part) if !passes(part, pools, entity) => {}
        Access::Optional(part) => mark(part, pools, entity),
        Access::Term(term) if term.marks() => {
            if let Some(track) = pools.watch.tracks.get(term.number()) {
                track.mark_one(entity.index());
            }
        }
        Access::Nothing
        | Access::Everything
        | Access::Elsewhere(..)
        | Access::Any(_)
        | Access::World(_)
        | Access::Term(_) => {}
    }
}

mod sealed {
    pub trait Sealed {}
}

#[cfg(test)]
mod tests {
    use crate::{Component, World};

    #[derive(Component)]
    #[component(track)]
    struct A(u32);
    #[derive(Component)]
    #[component(track)]
    struct B;

    #[test]
    fn one_match_is_marked_as_changed_in_the_components_that_are_written() {
        let mut world = World::new();
        let entity = world.spawn((A(1), B)).id();
        let mut seen = (world.changes::<A>(), world.changes::<B>());
        world.view_mut::<(&mut A, &B)>().get_mut(entity).unwrap().1.0 += 1;
        world.advance(&mut seen.0);
        world.advance(&mut seen.1);
        assert_eq!((seen.0.changed().len(), seen.1.changed().len()), (1, 0));
    }
}
