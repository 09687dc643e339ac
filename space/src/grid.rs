//! The index.

use crate::cells::{Cells, Item, is_finite};
use crate::coordinate::Coordinate;
use crate::search;
use core::fmt;
use core::ops::RangeInclusive;
use ecs::{Entity, IndexKind};

/// An index of entities by their points, in `D` dimensions. `S` is the type of a coordinate: `f32` or `f64`.
///
/// ```
/// use ecs::{Component, World};
/// use ecs_space::Grid;
///
/// #[derive(Component)]
/// #[component(index(kind = Grid<2>, by = 0))]
/// struct Place([f32; 2]);
///
/// let mut world = World::new();
/// let entities = world.spawn_batch((0..100_u8).map(|n| Place([n.into(), 0.0])));
/// let places = world.index::<Place>();
/// assert_eq!(places.near([50.0, 0.5], 1.0), entities[50..51]);
/// assert_eq!(places.nearest([50.2, 3.0], 2), entities[50..52]);
/// assert_eq!(places.inside([10.0, -1.0]..=[12.0, 1.0]), entities[10..13]);
///
/// for (_, place) in world.view_mut::<&mut Place>() {
///     place.0[1] += 7.0;
/// }
/// assert!(world.index::<Place>().near([50.0, 0.5], 1.0).is_empty());
/// ```
///
/// # Answers
///
/// Answers are exact: a loop over all entities finds the same. Distances are compared by their squares, which
/// are computed in `S` as `dx * dx + dy * dy + dz * dz`.
///
/// A point with a coordinate that is NaN or infinite is stored, and no question finds it. A question about such a point
/// finds nothing.
///
/// # Cost
///
/// A question about a region is O(entities about the region). The cells have about four points each, wherever the points
/// are: a crowded cell is divided again. Memory is O(entities), for any coordinates. Entities with equal points are
/// compared one by one.
///
/// The first question after changes files the entities that moved. If they are an eighth of all or more, all are sorted into
/// new cells, for 20 to 30 ns each.
#[derive(Clone)]
pub struct Grid<const D: usize, S = f32> {
    /// The entities and points, at their places. A place without an entity has [`Entity::PLACEHOLDER`] and NaN.
    slots: Vec<Item<D, S>>,
    free: Vec<u32>,
    cells: Cells<D, S>,
    /// Changes since the last question, unless there are too many.
    moves: Vec<Move<D, S>>,
    /// `true` if the cells have to be built, because there were too many changes to list them.
    is_stale: bool,
}

/// The room for answers, which spares most of them a second allocation.
const ROOM: usize = 32;

/// A change of a point. NaN stands for none.
#[derive(Clone, Copy)]
struct Move<const D: usize, S> {
    entity: Entity,
    from: [S; D],
    to: [S; D],
}

impl<const D: usize, S: Coordinate> Grid<D, S> {
    const NOWHERE: [S; D] = [S::NAN; D];

    /// Returns the entities at most `radius` away from a point, in the order of their indices. A negative radius, or NaN,
    /// finds nothing.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use ecs_space::Grid;
    /// #[derive(Component)]
    /// #[component(index(kind = Grid<3>, by = 0))]
    /// struct Place([f32; 3]);
    ///
    /// let mut world = World::new();
    /// let entities = world.spawn_batch([[0.0, 0.0, 4.0], [3.0, 0.0, 4.0], [3.0, 4.0, 4.0]].map(Place));
    /// assert_eq!(world.index::<Place>().near([0.0; 3], 5.0), entities[..2]);
    /// ```
    #[must_use]
    pub fn near(&self, point: [S; D], radius: S) -> Vec<Entity> {
        let mut found = Vec::with_capacity(ROOM);
        search::for_each_near(&self.cells, &point, radius, |entity, _| found.push(entity));
        found.sort_unstable();
        found
    }

    /// Calls `each` with the entities at most `radius` away from a point, and with their points. Their order is not
    /// stated: it may differ in a copy of the world. Allocates nothing, unlike [`near`](Self::near).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use ecs_space::Grid;
    /// # #[derive(Component)]
    /// # #[component(index(kind = Grid<2>, by = 0))]
    /// # struct Place([f32; 2]);
    /// # let mut world = World::new();
    /// world.spawn_batch([[0.0, 1.0], [2.0, 1.0], [9.0, 9.0]].map(Place));
    /// let mut middle = (0.0, 0);
    /// world.index::<Place>().for_each_near([0.0, 0.0], 3.0, |_, [x, _]| {
    ///     middle = (middle.0 + x, middle.1 + 1);
    /// });
    /// assert_eq!(middle, (2.0, 2));
    /// ```
    pub fn for_each_near(&self, point: [S; D], radius: S, each: impl FnMut(Entity, [S; D])) {
        search::for_each_near(&self.cells, &point, radius, each);
    }

    /// Returns the `count` entities that are nearest to a point, or all if there are fewer. The nearest comes first; of
    /// equally near ones, that with the lower index.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use ecs_space::Grid;
    /// # #[derive(Component)]
    /// # #[component(index(kind = Grid<2>, by = 0))]
    /// # struct Place([f32; 2]);
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([[0.0, 9.0], [2.0, 1.0], [0.0, 1.0]].map(Place));
    /// assert_eq!(world.index::<Place>().nearest([0.0, 0.0], 2), [entities[2], entities[1]]);
    /// ```
    #[must_use]
    pub fn nearest(&self, point: [S; D], count: usize) -> Vec<Entity> {
        self.nearest_where(point, count, |_| true)
    }

    /// Returns the `count` entities nearest to a point for which `is_wanted` returns `true`, in the order of
    /// [`nearest`](Self::nearest). `is_wanted` is called for entities about the point, in no stated order, and maybe twice.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use ecs_space::Grid;
    /// # #[derive(Component)]
    /// # #[component(index(kind = Grid<2>, by = 0))]
    /// # struct Place([f32; 2]);
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([[0.0, 9.0], [2.0, 1.0], [0.0, 1.0]].map(Place));
    /// let places = world.index::<Place>();
    /// let others = places.nearest_where([0.0, 1.0], 1, |other| other != entities[2]);
    /// assert_eq!(others, [entities[1]]);
    /// ```
    #[must_use]
    pub fn nearest_where(
        &self,
        point: [S; D],
        count: usize,
        is_wanted: impl FnMut(Entity) -> bool,
    ) -> Vec<Entity> {
        search::nearest(&self.cells, &point, count, is_wanted)
    }

    /// Returns the entities in a box, in the order of their indices. The box goes from the lowest coordinates to the
    /// highest ones, and includes them; they may be infinite. A box that ends before it begins has no entities.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use ecs_space::Grid;
    /// # #[derive(Component)]
    /// # #[component(index(kind = Grid<2>, by = 0))]
    /// # struct Place([f32; 2]);
    /// # let mut world = World::new();
    /// let entities = world.spawn_batch([[0.0, 0.0], [1.0, 2.0], [1.0, 3.0]].map(Place));
    /// let places = world.index::<Place>();
    /// assert_eq!(places.inside([0.0, 0.0]..=[1.0, 2.0]), entities[..2]);
    /// assert_eq!(places.inside([1.0, f32::NEG_INFINITY]..=[1.0, f32::INFINITY]), entities[1..]);
    /// ```
    #[must_use]
    pub fn inside(&self, area: RangeInclusive<[S; D]>) -> Vec<Entity> {
        let mut found = Vec::with_capacity(ROOM);
        search::for_each_inside(&self.cells, [area.start(), area.end()], |entity, _| {
            found.push(entity);
        });
        found.sort_unstable();
        found
    }

    /// Returns the number of entities, with those whose points are not finite. O(1).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use ecs_space::Grid;
    /// # #[derive(Component)]
    /// # #[component(index(kind = Grid<2>, by = 0))]
    /// # struct Place([f32; 2]);
    /// # let mut world = World::new();
    /// world.spawn_batch([[0.0, 0.0], [f32::NAN, 0.0]].map(Place));
    /// let places = world.index::<Place>();
    /// assert_eq!((places.len(), places.is_empty()), (2, false));
    /// ```
    #[must_use]
    pub const fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Returns `true` if there are no entities. O(1).
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Notes a change, for the next question.
    #[inline(always)]
    fn note(&mut self, entity: Entity, from: [S; D], to: [S; D]) {
        if self.is_stale {
            return;
        }
        if self.moves.len() >= self.slots.len() / 8 {
            self.is_stale = true;
            return;
        }
        self.moves.push(Move { entity, from, to });
    }
}

impl<const D: usize, S: Coordinate> IndexKind for Grid<D, S> {
    type Key = [S; D];
    type Place = u32;

    fn insert(&mut self, entity: Entity, key: &[S; D]) -> u32 {
        let item = Item { point: *key, entity };
        self.note(entity, Self::NOWHERE, *key);
        if let Some(place) = self.free.pop() {
            self.slots[place as usize] = item;
            return place;
        }
        self.slots.push(item);
        u32::try_from(self.slots.len() - 1).expect("there are fewer entities")
    }

    fn remove(&mut self, entity: Entity, place: u32) {
        let nothing = Item { point: Self::NOWHERE, entity: Entity::PLACEHOLDER };
        let old = core::mem::replace(&mut self.slots[place as usize], nothing);
        self.note(entity, old.point, Self::NOWHERE);
        self.free.push(place);
    }

    #[inline]
    fn is_at(&self, place: &u32, key: &[S; D]) -> bool {
        self.slots[*place as usize].point == *key
    }

    #[inline]
    fn change(&mut self, entity: Entity, place: &mut u32, key: &[S; D]) {
        let old = core::mem::replace(&mut self.slots[*place as usize].point, *key);
        self.note(entity, old, *key);
    }

    fn finish(&mut self) {
        if self.free.len() == self.slots.len() {
            self.slots.clear();
            self.free.clear();
        }
        if !self.is_stale && self.cells.is_empty() {
            self.is_stale = self.moves.iter().any(|it| is_finite(&it.to));
        }
        if !self.is_stale {
            for Move { entity, from, to } in &self.moves {
                self.cells.change(*entity, from, to);
            }
            self.is_stale = self.cells.is_worn();
        }
        self.moves.clear();
        if core::mem::take(&mut self.is_stale) {
            self.cells.build(&self.slots);
        }
    }

    fn memory(&self) -> usize {
        self.slots.capacity() * size_of::<Item<D, S>>()
            + self.free.capacity() * size_of::<u32>()
            + self.moves.capacity() * size_of::<Move<D, S>>()
            + self.cells.memory()
    }
}

impl<const D: usize, S: Coordinate> Default for Grid<D, S> {
    fn default() -> Self {
        const { assert!(D > 0, "a point has at least one coordinate") }
        let (slots, free, cells, moves) = Default::default();
        Self { slots, free, cells, moves, is_stale: false }
    }
}

impl<const D: usize, S: Coordinate> fmt::Debug for Grid<D, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid({} points)", self.len())
    }
}
