//! Views: the borrowed pools of one query, iterable and addressable.

use crate::allocator::EntityAllocator;
use crate::component::AnyComponent;
use crate::entity::Entity;
use crate::pool::list::FilterList;
use crate::query::error::{DisjointError, SingleError};
use crate::query::fetch::ReadOnlyFetch;
use crate::query::iters::{IntoParts, IterCombinations, IterMany};
use crate::query::join::{Items, Join};
use crate::query::plan::{Plan, PlanKind};
use crate::query::presence::{
    AmongEntities, Filter, InOrderOf, With, WithAny, Without, refuse_more_marked,
    refuse_second_order,
};
use crate::query::request::{Chunk, Item, OnePool, Query, ReadOnly};
use crate::text::entities;
use alloc::vec::{self, Vec};
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;

/// All entities that match the query `Q` and the filter `F`, with their components: from [`World::view`] and
/// [`World::view_mut`].
///
/// | task | methods |
/// |---|---|
/// | loop over all matches | [`for_each`](Self::for_each), [`iter`](Self::iter), [`iter_mut`](Self::iter_mut), [`read_only`](Self::read_only) |
/// | over slices | [`for_each_chunk`](Self::for_each_chunk), [`as_slices`](Self::as_slices), [`as_mut_slices`](Self::as_mut_slices) |
/// | over a list of entities, or pairs | [`iter_many`](Self::iter_many), [`for_each_many`](Self::for_each_many), [`for_each_pair`](Self::for_each_pair), [`iter_combinations`](Self::iter_combinations) |
/// | in an order | [`sorted_by`](Self::sorted_by), [`sorted_by_key`](Self::sorted_by_key), [`in_order_of`](Self::in_order_of) |
/// | only some matches | [`with`](Self::with), [`without`](Self::without), [`with_any`](Self::with_any), [`among`](Self::among) |
/// | look up an entity, or several | [`get`](Self::get), [`get_mut`](Self::get_mut), [`matches`](Self::matches), [`get_many`](Self::get_many), [`get_disjoint_mut`](Self::get_disjoint_mut), [`get_disjoint_vec_mut`](Self::get_disjoint_vec_mut) |
/// | the only match | [`single`](Self::single) |
/// | count | [`count`](Self::count), [`is_empty`](Self::is_empty), [`len`](Self::len) |
/// | divide among threads | [`into_parts`](Self::into_parts) |
#[cfg_attr(
    feature = "parallel",
    doc = " | share the loop among threads | [`par_for_each`](Self::par_for_each), [`par_for_each_chunk`](Self::par_for_each_chunk), [`par_fold`](Self::par_fold) |"
)]
/// | spawn during the loop | [`allocator`](Self::allocator) |
/// | see how matches are found | [`explain`](Self::explain) |
///
/// ```
/// use ecs::{Component, World};
///
/// #[derive(Component)]
/// struct Position(f32);
/// #[derive(Component)]
/// struct Velocity(f32);
/// #[derive(Component)]
/// struct Frozen;
///
/// let mut world = World::new();
/// for at in 0..10 {
///     let mut entity = world.spawn_empty();
///     entity.insert((Position(at as f32), Velocity(1.0)));
///     if at % 2 == 0 {
///         entity.insert(Frozen);
///     }
/// }
/// let moving = world.view_mut::<(&mut Position, &Velocity)>().without::<Frozen>();
/// for (_, position, velocity) in moving {
///     position.0 += velocity.0;
/// }
/// let frozen = world.view::<Position>().with::<Frozen>();
/// assert_eq!(frozen.count(), 5);
/// assert_eq!(frozen.iter().map(|(_, position)| position.0).sum::<f32>(), 20.0);
/// ```
///
/// A view is iterable, by value, by reference, and through [`for_each`](Self::for_each), which is up to three times as fast
/// for consecutive values such as `[f32; 3]`.
///
/// The borrow checker verifies access: nothing can be inserted or removed while a view lives, and no item outlives its
/// view's borrow of the world. The order of iteration is unspecified, but depends only on the history of calls.
///
/// Making a view takes some nanoseconds for each term and allocates nothing. A loop that searches for its matches borrows
/// 6 KB from its thread, and 1.3 KB for each term if matches are scattered. The first such loop of a thread allocates
/// them, and so does a nested one; later loops reuse them.
///
/// [`World::view`]: crate::World::view
/// [`World::view_mut`]: crate::World::view_mut
pub struct View<'w, Q: Query, F: Filter = ()> {
    join: Join<'w, Q::Fetch, F>,
}

impl<'w, Q: Query> View<'w, Q> {
    /// Returns the view of a join that was made for `Q`.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub(crate) const fn new(join: Join<'w, Q::Fetch, ()>) -> Self {
        Self { join }
    }
}

impl<'w, Q: Query, F: Filter> View<'w, Q, F> {
    /// Returns an allocator of entities, to be used while the view lives, and while its items do. O(1).
    ///
    /// In a system, take an `EntityAllocator` as a parameter. Systems with one take turns in the order of their
    /// schedule, so that each gets equal entities in each run, with any number of threads. The allocator of a view
    /// panics in a system of a schedule.
    ///
    /// ```
    /// # use ecs::{Commands, Component, World};
    /// # #[derive(Component)] struct Hen { eggs: u32 }
    /// # #[derive(Component)] struct Chick;
    /// # let mut world = World::new();
    /// # world.spawn_batch([Hen { eggs: 1 }, Hen { eggs: 0 }]);
    /// let mut commands = Commands::new();
    /// let hens = world.view_mut::<&mut Hen>();
    /// let handles = hens.allocator();
    /// for (_, hen) in hens {
    ///     (0..std::mem::take(&mut hen.eggs)).for_each(|_| _ = commands.spawn(handles, Chick));
    /// }
    /// commands.apply(&mut world);
    /// assert_eq!(world.view::<Chick>().count(), 1);
    /// ```
    #[must_use]
    #[inline]
    pub const fn allocator(&self) -> EntityAllocator<'w> {
        self.join.allocator()
    }

    /// Restricts the view to entities that have all of `L`, a component or a tuple of components.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// world.spawn_named("Bob").insert(Health(4));
    /// assert_eq!(world.view::<Health>().with::<ecs::Name>().count(), 1);
    /// ```
    #[must_use]
    #[inline]
    pub fn with<L: FilterList>(self) -> View<'w, Q, (F, With<L::Tests>)> {
        View { join: self.join.filter() }
    }

    /// Restricts the view to entities that have none of `L`, a component or a tuple of components.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// world.spawn_named("Bob").insert(Health(4));
    /// assert_eq!(world.view::<Health>().without::<ecs::Name>().single().unwrap().0, entity);
    /// ```
    #[must_use]
    #[inline]
    pub fn without<L: FilterList>(self) -> View<'w, Q, (F, Without<L::Tests>)> {
        View { join: self.join.filter() }
    }

    /// Restricts the view to entities that have at least one of `L`, a tuple of components.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Audio(f32);
    /// # #[derive(Component)] struct Near;
    /// # #[derive(Component)] struct Loud;
    /// let mut world = World::new();
    /// world.spawn((Audio(1.0), Near));
    /// world.spawn(Audio(1.0));
    /// assert_eq!(world.view::<Audio>().with_any::<(Near, Loud)>().count(), 1);
    /// ```
    #[must_use]
    #[inline]
    pub fn with_any<L: FilterList>(self) -> View<'w, Q, (F, WithAny<L::Tests>)> {
        View { join: self.join.filter() }
    }

    /// Restricts the view to the entities of a set or of the answer of an index.
    ///
    /// A set has the changed or inserted entities of [`World::advance`], or any others. A page of 1,024 neighbouring indices
    /// without them is skipped without reading the pools. A view can have two sets: then both must contain the entity.
    ///
    /// The answer of an index, from [`World::index`], is looked up entity by entity, and nothing else is read. A view can have
    /// several answers, and the shortest is looked up. Their entities may come in any order, like all of a view;
    /// [`iter_many`](Self::iter_many) keeps the order of an answer. [`matches`](Self::matches) and [`get`](Self::get) search an
    /// answer: O(log entities), or for a range O(keys in it).
    ///
    /// A mutable view borrows the whole world, its indexes too. So take both as parameters of a system, as here; or make a
    /// set of the answer before, by [`World::entity_set`].
    ///
    /// # Panics
    /// Panics if the entities are of another world, or of this one before it was loaded.
    ///
    /// ```
    /// # use ecs::{Component, Index, View, World};
    /// #[derive(Component, Clone, PartialEq, Eq, Hash)]
    /// #[component(index)]
    /// struct Team(u8);
    /// #[derive(Component)]
    /// struct Health(u32);
    ///
    /// fn heal(teams: Index<Team>, healths: View<&mut Health>) {
    ///     for (_, health) in healths.among(teams.get(&Team(3))) {
    ///         health.0 += 1;
    ///     }
    /// }
    /// let mut world = World::new();
    /// world.spawn_batch((0..100).map(|n| (Team(n % 10), Health(5))));
    /// world.run(heal);
    /// for (_, health) in world.view::<&Health>().among(world.index::<Team>().get(&Team(3))) {
    ///     assert_eq!(health.0, 6);
    /// }
    /// ```
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// #[derive(Component)]
    /// #[component(track)]
    /// struct Position(f32);
    /// #[derive(Component)]
    /// struct Label(&'static str);
    ///
    /// let mut world = World::new();
    /// let boat = world.spawn((Position(0.0), Label("boat"))).id();
    /// world.spawn((Position(1.0), Label("rock")));
    /// let mut moved = world.changes::<Position>();
    /// world.get_mut::<Position>(boat).unwrap().0 += 1.0;
    ///
    /// world.advance(&mut moved);
    /// for (_, label) in world.view::<&Label>().among(moved.changed()) {
    ///     assert_eq!(label.0, "boat");
    /// }
    /// ```
    ///
    /// [`World::advance`]: crate::World::advance
    /// [`World::entity_set`]: crate::World::entity_set
    /// [`World::index`]: crate::World::index
    #[must_use]
    #[inline]
    #[track_caller]
    pub fn among<A: AmongEntities<'w>>(self, entities: A) -> View<'w, Q, (F, A::Filter)> {
        const { refuse_more_marked::<(F, A::Filter)>() };
        View { join: self.join.among(entities) }
    }

    /// Restricts the view to entities that have a `T`, and walks them in the order of its pool. [`PoolMut::sort_by`] and the
    /// like make that order, or a [group](crate::guide::groups) that owns the pool. Each way to walk the view keeps that
    /// order, except for loops that threads share. O(members of the pool), each looked up in the other pools.
    ///
    /// The pool keeps its order until it is edited: an insertion appends a member, a removal moves the last one into the
    /// gap. So sort it again before a walk that needs the order; a pool that is almost sorted takes little time.
    ///
    /// Without this, the order of a view of several terms is unspecified: by the smallest pool, by a group, or by the
    /// indices.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// #[derive(Component)]
    /// struct Depth(u32);
    /// #[derive(Component, Debug, PartialEq)]
    /// struct Sprite(char);
    /// #[derive(Component)]
    /// struct Hidden;
    ///
    /// let mut world = World::new();
    /// world.spawn_batch([(Depth(3), Sprite('c')), (Depth(1), Sprite('a')), (Depth(2), Sprite('b'))]);
    /// world.spawn((Depth(0), Sprite('x'), Hidden));
    /// world.spawn(Depth(2));
    ///
    /// world.pool_mut::<Depth>().sort_by_key(|depth| depth.0).unwrap();
    /// let sprites = world.view::<&Sprite>().without::<Hidden>().in_order_of::<Depth>();
    /// assert_eq!(sprites.iter().map(|(_, sprite)| sprite.0).collect::<String>(), "abc");
    /// ```
    ///
    /// [`PoolMut::sort_by`]: crate::PoolMut::sort_by
    #[doc(alias = "order_by")]
    #[must_use]
    #[inline]
    pub fn in_order_of<T: AnyComponent>(self) -> View<'w, Q, (F, InOrderOf<T>)> {
        const { refuse_second_order::<F>() };
        View { join: self.join.filter() }
    }

    /// Returns `true` if `entity` matches. O(terms).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// assert!(world.view::<Health>().matches(entity));
    /// ```
    #[must_use]
    #[inline]
    pub fn matches(&self, entity: Entity) -> bool {
        self.join.contains(entity)
    }

    /// Returns the number of matches. O(1) for a single component, or if a group contains exactly the matches.
    /// Otherwise counts bits, O(pages), or looks up the members of a small pool. O(indices) if no component is
    /// required.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// assert_eq!(world.view::<Health>().count(), 1);
    /// ```
    #[must_use]
    pub fn count(&self) -> usize {
        self.join.count()
    }

    /// Returns `true` if no entity matches. The search ends at the first match.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// assert!(!world.view::<Health>().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.join.any()
    }

    /// Returns the item of `entity`, if it matches. O(terms).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// assert_eq!(world.view::<Health>().get(entity), Some((entity, &Health(3))));
    /// ```
    #[must_use]
    #[inline]
    pub fn get(&self, entity: Entity) -> Option<Item<'w, Q>>
    where
        Q::Fetch: ReadOnlyFetch,
    {
        self.join.copied().find(entity)
    }

    /// Returns the item of `entity`, to be changed, if it matches. O(terms).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// world.view_mut::<&mut Health>().get_mut(entity).unwrap().1.0 = 7;
    /// assert_eq!(world.get::<Health>(entity), Some(&Health(7)));
    /// ```
    #[must_use]
    #[inline]
    pub fn get_mut(&mut self, entity: Entity) -> Option<Item<'_, Q>> {
        self.join.reborrow().find(entity)
    }

    /// Returns the items of several entities, to be changed. O(`N` × terms), and O(`N`²) to compare the handles.
    ///
    /// # Errors
    /// Returns an error if one of them does not match, or is repeated.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug)] struct Health(u32);
    /// let mut world = World::new();
    /// let a = world.spawn(Health(1)).id();
    /// let b = world.spawn(Health(2)).id();
    /// let mut view = world.view_mut::<&mut Health>();
    /// let [(_, x), (_, y)] = view.get_disjoint_mut([a, b]).unwrap();
    /// core::mem::swap(x, y);
    /// assert!(view.get_disjoint_mut([a, a]).is_err());
    /// ```
    #[doc(alias = "get_many_mut")]
    pub fn get_disjoint_mut<const N: usize>(
        &mut self,
        entities: [Entity; N],
    ) -> Result<[Item<'_, Q>; N], DisjointError> {
        let (mut items, mut at) = ([const { None }; N], 0);
        self.join.reborrow().find_all(&entities, |item| {
            items[at] = Some(item);
            at += 1;
        })?;
        Ok(all_found(items))
    }

    /// Returns the items of the entities of a slice, in its order, to be changed. O(`n` × terms + `n` log `n`).
    /// Allocates the list.
    ///
    /// [`for_each_many`](Self::for_each_many) needs no list, and accepts repeated entities.
    ///
    /// # Errors
    /// Returns an error if one of them does not match, or is repeated.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug)] struct Health(u32);
    /// # let mut world = World::new();
    /// let party = world.spawn_batch([Health(1), Health(9), Health(2)]);
    /// let mut view = world.view_mut::<&mut Health>();
    /// let mut healths = view.get_disjoint_vec_mut(&party)?;
    /// let sum: u32 = healths.iter().map(|(_, health)| health.0).sum();
    /// healths.iter_mut().for_each(|(_, health)| health.0 = sum / 3);
    /// assert_eq!(world.get::<Health>(party[1]).unwrap().0, 4);
    /// # Ok::<(), ecs::DisjointError>(())
    /// ```
    pub fn get_disjoint_vec_mut(
        &mut self,
        entities: &[Entity],
    ) -> Result<Vec<Item<'_, Q>>, DisjointError> {
        let mut items = Vec::with_capacity(entities.len());
        self.join.reborrow().find_all(entities, |item| items.push(item))?;
        Ok(items)
    }

    /// Returns the items of several entities, which may be repeated. O(`N` × terms).
    ///
    /// # Errors
    /// Returns [`DisjointError::NoMatch`] if one of them does not match.
    ///
    /// ```
    /// # use ecs::{Component, DisjointError, World};
    /// # #[derive(Component, Debug)] struct Health(u32);
    /// # let mut world = World::new();
    /// let [a, b] = [world.spawn(Health(1)).id(), world.spawn_empty().id()];
    /// let view = world.view::<&Health>();
    /// let [(_, x), (_, y)] = view.get_many([a, a]).unwrap();
    /// assert_eq!((x.0, y.0), (1, 1));
    /// assert_eq!(view.get_many([a, b]).unwrap_err(), DisjointError::NoMatch(b));
    /// ```
    pub fn get_many<const N: usize>(
        &self,
        entities: [Entity; N],
    ) -> Result<[Item<'w, Q>; N], DisjointError>
    where
        Q::Fetch: ReadOnlyFetch,
    {
        let items = entities.map(|entity| self.get(entity));
        match items.iter().position(Option::is_none) {
            Some(at) => Err(DisjointError::NoMatch(entities[at])),
            None => Ok(all_found(items)),
        }
    }

    /// Calls `f` with each pair of different matches, once, in the order of the view, to be changed. O(n²) lookups;
    /// allocates a list of the matches.
    ///
    /// [`iter_combinations`](Self::iter_combinations) is an iterator over items for reading. [Tracked](crate::Tracked)
    /// components are marked for each pair.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Body { at: f32, pull: f32 }
    /// # let mut world = World::new();
    /// world.spawn_batch([1.0, 2.0, 4.0].map(|at| Body { at, pull: 0.0 }));
    /// world.view_mut::<&mut Body>().for_each_pair(|(_, a), (_, b)| {
    ///     let distance = b.at - a.at;
    ///     a.pull += 1.0 / distance;
    ///     b.pull -= 1.0 / distance;
    /// });
    /// assert_eq!(world.view::<&Body>().iter().map(|(_, body)| body.pull).sum::<f32>(), 0.0);
    /// ```
    pub fn for_each_pair(&mut self, mut f: impl FnMut(Item<'_, Q>, Item<'_, Q>)) {
        let matches: Vec<Entity> = self.join.entities().collect();
        for (at, first) in matches.iter().enumerate() {
            for second in &matches[at + 1..] {
                if let Ok([a, b]) = self.get_disjoint_mut([*first, *second]) {
                    f(a, b);
                }
            }
        }
    }

    /// Returns the only match. The search ends soon after a second one is found.
    ///
    /// # Errors
    /// Returns an error if there is none, or more than one.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug)] struct Player(u32);
    /// let mut world = World::new();
    /// let error = world.view::<Player>().single().unwrap_err();
    /// assert_eq!(error.to_string(), "no entity matches the query");
    /// world.spawn(Player(7));
    /// assert_eq!(world.view::<Player>().single().unwrap().1.0, 7);
    /// ```
    pub fn single(self) -> Result<Item<'w, Q>, SingleError> {
        let mut items = self.into_iter();
        match (items.next(), items.next()) {
            (Some(item), None) => Ok(item),
            (None, _) => Err(SingleError::None),
            (Some(_), Some(_)) => Err(SingleError::Several),
        }
    }

    /// Returns an iterator over the items.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// assert_eq!(world.view::<Health>().iter().map(|(_, health)| health.0).sum::<u32>(), 3);
    /// ```
    #[inline]
    pub fn iter(&self) -> Items<'w, Q, F>
    where
        Q::Fetch: ReadOnlyFetch,
    {
        self.join.copied().into_iter()
    }

    /// Returns a view of the same matches that only reads: its items have shared references in place of exclusive ones.
    /// So a function that only looks borrows the view as shared, and needs no `mut`. Costs as much as making a view.
    ///
    /// A query with `&T` in place of each `&mut T` and `Mut<T>` has equal items. A derived query yields its
    /// fields as a tuple, and an enum an `Option` of the fields of each variant.
    ///
    /// ```
    /// # use ecs::{Component, Entity, View, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Place(f32);
    /// # #[derive(Component)] struct Speed(f32);
    /// fn nearest(movers: &View<(&mut Place, &Speed)>, to: f32) -> Option<Entity> {
    ///     let places = movers.read_only();
    ///     let distance = |entity| (places.get(entity).unwrap().1.0 - to).abs();
    ///     let all = places.iter().map(|(entity, ..)| entity);
    ///     all.min_by(|a, b| distance(*a).total_cmp(&distance(*b)))
    /// }
    ///
    /// fn push(mut movers: View<(&mut Place, &Speed)>) {
    ///     let Some(first) = nearest(&movers, 5.0) else { return };
    ///     let (_, place, speed) = movers.get_mut(first).unwrap();
    ///     place.0 += speed.0;
    /// }
    /// let mut world = World::new();
    /// world.spawn((Place(1.0), Speed(1.0)));
    /// let near = world.spawn((Place(4.0), Speed(2.0))).id();
    /// world.run(push);
    /// assert_eq!(world.get::<Place>(near), Some(&Place(6.0)));
    /// ```
    #[inline]
    pub fn read_only(&self) -> View<'_, ReadOnly<Q>, F> {
        View { join: self.join.read_only() }
    }

    /// Returns an iterator over the items, to be changed; the view can be used again afterwards.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// let mut view = world.view_mut::<&mut Health>();
    /// view.iter_mut().for_each(|(_, health)| health.0 += 1);
    /// assert_eq!(view.get_mut(entity).unwrap().1.0, 4);
    /// ```
    #[inline]
    pub fn iter_mut(&mut self) -> Items<'_, Q, F> {
        self.join.reborrow().into_iter()
    }

    /// Calls `f` with the matches as slices: one for each group of matches with neighbouring values in every pool.
    /// Values are neighbours in pools that were filled in one order, and in pools of components that are always
    /// inserted and removed together.
    ///
    /// A tuple query passes `(&[Entity], &[A], &mut [B], ..)`, a derived query a tuple of its fields in their order; an
    /// optional term passes an `Option` of a slice. The compiler vectorises loops over slices best.
    ///
    /// A query that requires no component has no slices: that does not compile.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Component)] struct Velocity(f32);
    /// let mut world = World::new();
    /// world.spawn_batch((0..5_000).map(|_| (Position(0.0), Velocity(1.0))));
    /// let mut chunks = 0;
    /// world.view_mut::<(&mut Position, &Velocity)>().for_each_chunk(|(_, positions, velocities)| {
    ///     for (position, velocity) in positions.iter_mut().zip(velocities) {
    ///         position.0 += velocity.0;
    ///     }
    ///     chunks += 1;
    /// });
    /// assert_eq!(chunks, 1);
    /// ```
    pub fn for_each_chunk(self, f: impl FnMut(Chunk<'w, Q>)) {
        const { Join::<Q::Fetch, F>::ACCESS.refuse_no_slices() };
        self.join.for_each_chunk(f);
    }

    /// Returns the matches as slices, if they are consecutive in all pools. That holds for a view of one component,
    /// and for one with a group that owns the pools of all components that it reads.
    ///
    /// The slices are like in [`for_each_chunk`](Self::for_each_chunk). O(1).
    ///
    /// ```
    /// # use ecs::{Component, Group, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Position(f32);
    /// # #[derive(Component, Debug, PartialEq)] struct Velocity(f32);
    /// let mut world = World::new();
    /// world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
    /// let entity = world.spawn((Position(1.0), Velocity(2.0))).id();
    /// world.spawn(Position(3.0));
    /// let view = world.view::<(Position, Velocity)>();
    /// assert_eq!(view.as_slices(), Some((&[entity][..], &[Position(1.0)][..], &[Velocity(2.0)][..])));
    /// ```
    #[must_use]
    #[inline]
    pub fn as_slices(&self) -> Option<Chunk<'w, Q>>
    where
        Q::Fetch: ReadOnlyFetch,
    {
        self.join.copied().slices()
    }

    /// Returns the matches as slices, like [`as_slices`](Self::as_slices), to be changed.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// let mut view = world.view_mut::<&mut Health>();
    /// let (_, healths) = view.as_mut_slices().unwrap();
    /// healths[0].0 = 4;
    /// assert_eq!(world.get::<Health>(entity), Some(&Health(4)));
    /// ```
    #[must_use]
    #[inline]
    pub fn as_mut_slices(&mut self) -> Option<Chunk<'_, Q>> {
        const { Join::<Q::Fetch, F>::ACCESS.refuse_guards() };
        self.join.reborrow().slices()
    }

    /// Returns the plan by which the view finds its matches. Counts them if a group seems to help.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Component)] struct Rare;
    /// let mut world = World::new();
    /// world.spawn_batch((0..5_000).map(|_| Position(0.0)));
    /// world.spawn((Position(1.0), Rare));
    /// let plan = world.view::<(Position, Rare)>().explain();
    /// assert_eq!(plan.to_string(), "looks up the 1 member of `Rare` in the other pools");
    /// ```
    #[must_use]
    pub fn explain(&self) -> Plan {
        self.join.plan()
    }

    /// Returns this view with a plan that it uses if possible: for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn with_plan(self, plan: impl Into<Option<PlanKind>>) -> Self {
        Self { join: self.join.with_plan(plan.into()) }
    }

    /// Calls `f` with the items of a list of entities, in its order: for entities that match, as often as they are
    /// listed.
    ///
    /// This is [`get_mut`](Self::get_mut) in a loop, and takes as long if all values are in the caches. In a large
    /// world it takes less: some dozens of entities are looked up, and prefetched from memory, before the first of them
    /// is read. Allocates nothing.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([Health(3), Health(4)]);
    /// let hits = [entities[1], entities[0], entities[1]];
    /// world.view_mut::<&mut Health>().for_each_many(&hits, |(_, health)| health.0 -= 1);
    /// assert_eq!(world.pool::<Health>().as_slice(), [Health(2), Health(2)]);
    /// ```
    #[inline]
    pub fn for_each_many<E: Borrow<Entity>>(
        &mut self,
        entities: impl IntoIterator<Item = E>,
        f: impl FnMut(Item<'_, Q>),
    ) {
        self.join.for_each_many(entities.into_iter().map(|entity| *entity.borrow()), f);
    }

    /// Returns the items of a list of entities, in its order: for entities that match, as often as they are listed.
    /// They outlive the iterator. O(terms) each.
    ///
    /// [`for_each_many`](Self::for_each_many) takes less time in a large world.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([Health(3), Health(4)]);
    /// let healths = world.view::<Health>().iter_many([entities[1], entities[0]]);
    /// assert_eq!(healths.map(|(_, health)| health.0).collect::<Vec<_>>(), [4, 3]);
    /// ```
    pub fn iter_many<L: IntoIterator<Item: Borrow<Entity>>>(
        &self,
        entities: L,
    ) -> IterMany<'w, Q, F, L::IntoIter>
    where
        Q::Fetch: ReadOnlyFetch,
    {
        self.join.iter_many(entities.into_iter())
    }

    /// Returns the items in the order of a key, equal ones in the order of the view. O(n log n); allocates the items.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Depth(u32);
    /// # let mut world = World::new();
    /// world.spawn_batch([Depth(2), Depth(1)]);
    /// let depths = world.view::<Depth>().sorted_by_key(|(_, depth)| depth.0);
    /// assert_eq!(depths.map(|(_, depth)| depth.0).collect::<Vec<_>>(), [1, 2]);
    /// ```
    pub fn sorted_by_key<K: Ord>(
        self,
        mut key: impl FnMut(&Item<'w, Q>) -> K,
    ) -> vec::IntoIter<Item<'w, Q>> {
        self.sorted_by(|a, b| key(a).cmp(&key(b)))
    }

    /// Returns the items in the order of `compare`, equal ones in the order of the view. O(n log n); allocates the
    /// items.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Depth(f32);
    /// # let mut world = World::new();
    /// world.spawn_batch([Depth(2.0), Depth(1.0)]);
    /// let depths = world.view::<Depth>().sorted_by(|(_, a), (_, b)| a.0.total_cmp(&b.0));
    /// assert_eq!(depths.map(|(_, depth)| depth.0).collect::<Vec<_>>(), [1.0, 2.0]);
    /// ```
    pub fn sorted_by(
        self,
        compare: impl FnMut(&Item<'w, Q>, &Item<'w, Q>) -> Ordering,
    ) -> vec::IntoIter<Item<'w, Q>> {
        let mut items: Vec<_> = self.into_iter().collect();
        items.sort_by(compare);
        items.into_iter()
    }

    /// Returns every combination of `N` different matches, once, each in the order of the view. O(nᴺ); allocates the
    /// items, which are copied for each combination.
    ///
    /// Mutable items cannot be in two combinations: [`for_each_pair`](Self::for_each_pair) lends two at a time, and
    /// [`get_disjoint_mut`](Self::get_disjoint_mut) the items of some entities.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Position(f32);
    /// # let mut world = World::new();
    /// world.spawn_batch([Position(1.0), Position(2.0), Position(4.0)]);
    /// let pairs = world.view::<Position>().iter_combinations();
    /// let distances: Vec<f32> = pairs.map(|[(_, a), (_, b)]| b.0 - a.0).collect();
    /// assert_eq!(distances, [1.0, 3.0, 2.0]);
    /// ```
    pub fn iter_combinations<const N: usize>(&self) -> IterCombinations<'w, Q, N>
    where
        Q::Fetch: ReadOnlyFetch,
        Item<'w, Q>: Clone,
    {
        IterCombinations::new(self.iter().collect())
    }

    /// Calls `f` with each item.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
    /// # let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// world.view_mut::<&mut Health>().for_each(|(_, health)| health.0 += 1);
    /// assert_eq!(world.get::<Health>(entity), Some(&Health(4)));
    /// ```
    #[inline]
    pub fn for_each(self, mut f: impl FnMut(Item<'w, Q>)) {
        self.join.fold((), |(), item| f(item));
    }

    /// Divides the matches into `count` parts, an iterator each, for threads of your own. Each part has about as many
    /// positions or indices, so the numbers of matches differ; some may have none. With a `count` of zero there is one
    /// part, so no match is lost. O(1) for each part. A part of several pools begins its search with its first item: it
    /// takes some kilobytes, unless the thread keeps them from a search that is over.
    ///
    /// [`par_for_each`](Self::par_for_each) is for loops that threads of rayon's pool share. A `Vec` of the parts can
    /// be shared by rayon, too: `parts.into_par_iter().flatten_iter()` is an iterator of rayon over the items.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Component)] struct Velocity(f32);
    /// # let mut world = World::new();
    /// world.spawn_batch((0..5_000).map(|_| (Position(0.0), Velocity(1.0))));
    /// let view = world.view_mut::<(&mut Position, &Velocity)>();
    /// std::thread::scope(|scope| {
    ///     for half in view.into_parts(2) {
    ///         scope.spawn(|| half.for_each(|(_, position, velocity)| position.0 += velocity.0));
    ///     }
    /// });
    /// assert!(world.view::<Position>().iter().all(|(_, position)| position.0 == 1.0));
    /// ```
    pub fn into_parts(self, count: usize) -> IntoParts<'w, Q, F> {
        self.join.into_parts(count.max(1))
    }

    /// Calls `f` with each item, on several threads if that takes less time: the idle ones of rayon's pool, the
    /// global one or the pool of [`install`]. Without the feature `parallel`, behaves like
    /// [`for_each`](Self::for_each).
    ///
    /// The first items are timed on the calling thread. If the others seem to take more than 50 µs, they are shared, in
    /// parts of about 25 µs; a shorter loop costs some 0.1 µs more than `for_each`. The assignment of items to threads,
    /// and their order, differ from run to run: besides its item, `f` can write an atomic, a lock, or a result of
    /// [`par_fold`](Self::par_fold). Shared loops may be nested.
    ///
    /// # Panics
    /// Panics with the payload of `f` if that panics. All threads have ended their loops then, and none begins another
    /// part.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// #[derive(Component)]
    /// struct Position(f32);
    /// #[derive(Component)]
    /// struct Velocity(f32);
    ///
    /// let mut world = World::new();
    /// world.spawn_batch((0..100_000).map(|_| (Position(0.0), Velocity(1.0))));
    /// world.view_mut::<(&mut Position, &Velocity)>().par_for_each(|(_, position, velocity)| {
    ///     position.0 += velocity.0;
    /// });
    /// assert!(world.view::<Position>().iter().all(|(_, position)| position.0 == 1.0));
    /// ```
    ///
    /// [`install`]: https://docs.rs/rayon/latest/rayon/struct.ThreadPool.html#method.install
    pub fn par_for_each(self, f: impl Fn(Item<'w, Q>) + Sync) {
        self.join.par_for_each(f);
    }

    /// Calls `f` with the matches as slices, like [`for_each_chunk`](Self::for_each_chunk), but on several threads,
    /// like [`par_for_each`](Self::par_for_each). Slices also end where a part ends, so their lengths differ from run
    /// to run.
    ///
    /// # Panics
    /// Panics if `f` does.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Component)] struct Velocity(f32);
    /// let mut world = World::new();
    /// world.spawn_batch((0..5_000).map(|_| (Position(0.0), Velocity(1.0))));
    /// let view = world.view_mut::<(&mut Position, &Velocity)>();
    /// view.par_for_each_chunk(|(_, positions, velocities)| {
    ///     for (position, velocity) in positions.iter_mut().zip(velocities) {
    ///         position.0 += velocity.0;
    ///     }
    /// });
    /// assert!(world.view::<Position>().iter().all(|(_, position)| position.0 == 1.0));
    /// ```
    pub fn par_for_each_chunk(self, f: impl Fn(Chunk<'w, Q>) + Sync) {
        const { Join::<Q::Fetch, F>::ACCESS.refuse_no_slices() };
        self.join.par_for_each_chunk(f);
    }

    /// Folds the items, on several threads if that takes less time, like [`par_for_each`](Self::par_for_each). Each
    /// part of the view is folded from an `identity`, and results of neighbours are combined, two at a time, until one
    /// is left.
    ///
    /// The number of parts, and the order of combination, depend on the view alone. So the result is equal each time,
    /// to the last bit of a sum of floats: on any number of threads, shared or not, and without the feature `parallel`.
    /// There are 16 parts or more, and for a million items some hundreds.
    ///
    /// # Panics
    /// Panics with the payload of one of the three functions if that panics.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Mass(f64);
    /// let mut world = World::new();
    /// world.spawn_batch((0..5_000).map(|at| Mass(at as f64 * 0.1)));
    /// let masses = || world.view::<Mass>();
    /// let sum = masses().par_fold(|| 0.0, |sum, (_, mass)| sum + mass.0, |left, right| left + right);
    /// assert!((sum - 1_249_750.0).abs() < 1e-6);
    ///
    /// let heavy = masses().par_fold(
    ///     Vec::new,
    ///     |mut list, (entity, mass)| {
    ///         if mass.0 > 499.0 {
    ///             list.push(entity);
    ///         }
    ///         list
    ///     },
    ///     |mut left, mut right| {
    ///         left.append(&mut right);
    ///         left
    ///     },
    /// );
    /// assert_eq!(heavy.len(), 9);
    /// ```
    pub fn par_fold<B: Send>(
        self,
        identity: impl Fn() -> B + Sync,
        fold: impl Fn(B, Item<'w, Q>) -> B + Sync,
        combine: impl Fn(B, B) -> B + Sync,
    ) -> B {
        self.join.par_fold(identity, fold, combine)
    }
}

/// Returns the items; all must be found.
fn all_found<T, const N: usize>(items: [Option<T>; N]) -> [T; N] {
    items.map(|item| item.expect("all were found"))
}

impl<Q: Query<Fetch: OnePool>> View<'_, Q> {
    /// Returns the number of matches of a view of one component. O(1).
    ///
    /// Other views have [`count`](Self::count).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # let mut world = World::new();
    /// world.spawn_batch([Health(3), Health(4)]);
    /// let view = world.view::<Health>();
    /// assert_eq!((view.len(), view.iter().len()), (2, 2));
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.join.count()
    }
}

#[diagnostic::do_not_recommend]
impl<'w, Q: Query, F: Filter> IntoIterator for View<'w, Q, F> {
    type Item = Item<'w, Q>;
    type IntoIter = Items<'w, Q, F>;
    #[inline]
    fn into_iter(self) -> Items<'w, Q, F> {
        self.join.into_iter()
    }
}

#[diagnostic::do_not_recommend]
impl<'w, Q: Query<Fetch: ReadOnlyFetch>, F: Filter> IntoIterator for &View<'w, Q, F> {
    type Item = Item<'w, Q>;
    type IntoIter = Items<'w, Q, F>;
    #[inline]
    fn into_iter(self) -> Items<'w, Q, F> {
        self.iter()
    }
}

#[diagnostic::do_not_recommend]
impl<'v, Q: Query, F: Filter> IntoIterator for &'v mut View<'_, Q, F> {
    type Item = Item<'v, Q>;
    type IntoIter = Items<'v, Q, F>;
    #[inline]
    fn into_iter(self) -> Items<'v, Q, F> {
        self.iter_mut()
    }
}

impl<Q: Query, F: Filter> fmt::Debug for View<'_, Q, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "View<{}>({})", core::any::type_name::<Q>(), entities(self.count()))
    }
}
