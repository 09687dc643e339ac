//! The questions: points in a box, near a point, and nearest to one.

use crate::cells::{Cells, LANES, Level, Question, for_each_row};
use crate::coordinate::Coordinate;
use core::array;
use ecs::Entity;
use std::collections::BinaryHeap;

/// Returns the square of the distance between two points: the sum of the squares along each axis, in their order.
#[inline(always)]
fn squared<const D: usize, S: Coordinate>(a: &[S; D], b: &[S; D]) -> S {
    sum_of_squares(&array::from_fn::<_, D, _>(|axis| a[axis] - b[axis]))
}

/// Returns the squares of the distances between some points and another one.
#[inline(always)]
fn squared_lanes<const D: usize, S: Coordinate>(
    points: [&[S; LANES]; D],
    to: &[S; D],
) -> [S; LANES] {
    array::from_fn(|lane| squared(&array::from_fn(|axis| points[axis][lane]), to))
}

#[inline(always)]
fn sum_of_squares<const D: usize, S: Coordinate>(lengths: &[S; D]) -> S {
    lengths[1..].iter().fold(lengths[0] * lengths[0], |sum, it| sum + *it * *it)
}

/// Returns a bit for each lane for which `is_hit` returns `true`.
#[inline(always)]
fn hits(is_hit: impl Fn(usize) -> bool) -> u32 {
    (0..LANES).fold(0, |hits, lane| hits | u32::from(is_hit(lane)) << lane)
}

/// A part of space.
trait Region<const D: usize, S> {
    /// Returns a bit for each point in it.
    fn test(&self, points: [&[S; LANES]; D]) -> u32;
}

/// A box, with its sides.
struct Block<'a, const D: usize, S> {
    low: &'a [S; D],
    high: &'a [S; D],
}

impl<const D: usize, S: Coordinate> Region<D, S> for Block<'_, D, S> {
    #[inline(always)]
    fn test(&self, points: [&[S; LANES]; D]) -> u32 {
        let is_in = |axis: usize, lane: usize| {
            let at = points[axis][lane];
            u32::from(self.low[axis] <= at) & u32::from(at <= self.high[axis])
        };
        hits(|lane| (0..D).fold(1, |all, axis| all & is_in(axis, lane)) == 1)
    }
}

/// A circle, or a ball, with its surface.
struct Ball<'a, const D: usize, S> {
    point: &'a [S; D],
    /// The square of the radius.
    most: S,
}

impl<const D: usize, S: Coordinate> Region<D, S> for Ball<'_, D, S> {
    #[inline(always)]
    fn test(&self, points: [&[S; LANES]; D]) -> u32 {
        let squared = squared_lanes(points, self.point);
        hits(|lane| squared[lane] <= self.most)
    }
}

/// The search of all items in a region, which lies within a box. Calls `each` with them.
struct Window<'a, const D: usize, S, R, F> {
    low: &'a [S; D],
    high: &'a [S; D],
    region: R,
    each: F,
}

impl<const D: usize, S, R, F> Question<D, S> for Window<'_, D, S, R, F>
where
    S: Coordinate,
    R: Region<D, S>,
    F: FnMut(Entity, [S; D]),
{
    #[inline(always)]
    fn test(&self, points: [&[S; LANES]; D]) -> u32 {
        self.region.test(points)
    }

    #[inline(always)]
    fn take(&mut self, entity: Entity, point: [S; D]) {
        (self.each)(entity, point);
    }

    fn enter(&mut self, cells: &Cells<D, S>, level: usize) {
        let level = cells.level(level);
        let (from, to) = (level.cells(self.low), level.cells(self.high));
        for_each_row(level, from, to, |_, row| cells.ask(level, row, [from[0], to[0]], self));
    }
}

/// Calls `each` with the items in a box.
#[inline(always)]
pub(crate) fn for_each_inside<const D: usize, S: Coordinate>(
    cells: &Cells<D, S>,
    [low, high]: [&[S; D]; 2],
    each: impl FnMut(Entity, [S; D]),
) {
    let is_box = (0..D).all(|axis| low[axis] <= high[axis]); // false if one is NaN
    if is_box && !cells.is_empty() {
        Window { low, high, region: Block { low, high }, each }.enter(cells, 0);
    }
}

/// Calls `each` with the items whose squared distance is at most the square of `radius`.
#[inline(always)]
pub(crate) fn for_each_near<const D: usize, S: Coordinate>(
    cells: &Cells<D, S>,
    point: &[S; D],
    radius: S,
    each: impl FnMut(Entity, [S; D]),
) {
    let is_asked = radius >= S::ZERO && point.iter().all(|it| it.is_finite());
    if !is_asked || cells.is_empty() {
        return;
    }
    let most = radius * radius;
    // More than the distance along an axis at which a rounded square is not more than `most`.
    let reach = array::from_fn::<_, D, _>(|axis| {
        let doubt = (point[axis].abs() + radius) * S::EPSILON * S::of(8.0) + S::TINY;
        if most.is_finite() { radius + doubt } else { S::INFINITY }
    });
    let low = &array::from_fn(|axis| point[axis] - reach[axis]);
    let high = &array::from_fn(|axis| point[axis] + reach[axis]);
    Window { low, high, region: Ball { point, most }, each }.enter(cells, 0);
}

/// Returns the `count` nearest entities that are wanted, by distance and then by entity.
pub(crate) fn nearest<const D: usize, S: Coordinate>(
    cells: &Cells<D, S>,
    point: &[S; D],
    count: usize,
    mut is_wanted: impl FnMut(Entity) -> bool,
) -> Vec<Entity> {
    if cells.is_empty() || count == 0 || !point.iter().all(|it| it.is_finite()) {
        return Vec::new();
    }
    // All within a radius that was guessed are mostly enough, and quicker found than ordered on the way.
    let radius = cells.radius_of(point, count);
    let wider = radius.map(|radius| radius * S::of(1.7));
    for radius in [radius, wider].into_iter().flatten() {
        let mut found = Vec::with_capacity(4 * count.min(64));
        for_each_near(cells, point, radius, |entity, at| {
            found.push((squared(&at, point).rank(), entity));
        });
        if found.len() >= count {
            found.retain(|(_, entity)| is_wanted(*entity));
        }
        if found.len() >= count {
            if found.len() > 2 * count {
                found.select_nth_unstable(count);
                found.truncate(count);
            }
            found.sort_unstable();
            return found.into_iter().take(count).map(|it| it.1).collect();
        }
    }
    let best = BinaryHeap::with_capacity(count.min(64));
    let mut search = Nearest { point, count, is_wanted, best, worst: S::INFINITY };
    search.enter(cells, 0);
    search.best.into_sorted_vec().into_iter().map(|(_, entity)| entity).collect()
}

/// The search of the nearest items, ring by ring.
struct Nearest<'a, const D: usize, S, F> {
    point: &'a [S; D],
    count: usize,
    is_wanted: F,
    /// The best so far, by the rank of their squared distances. The worst is on top.
    best: BinaryHeap<(u64, Entity)>,
    /// The squared distance of the worst if there are `count`; otherwise infinite.
    worst: S,
}

impl<const D: usize, S: Coordinate, F: FnMut(Entity) -> bool> Question<D, S>
    for Nearest<'_, D, S, F>
{
    #[inline(always)]
    fn test(&self, points: [&[S; LANES]; D]) -> u32 {
        let squared = squared_lanes(points, self.point);
        hits(|lane| squared[lane] <= self.worst)
    }

    #[inline(always)]
    fn take(&mut self, entity: Entity, point: [S; D]) {
        self.insert(squared(&point, self.point), entity);
    }

    /// Looks at rings of cells around the point's own, until all others are farther than the worst.
    fn enter(&mut self, cells: &Cells<D, S>, level: usize) {
        let level = cells.level(level);
        let home = level.cells(self.point);
        let around = level.distances(self.point);
        if sum_of_squares(&around) > self.worst {
            return;
        }
        for ring in 0.. {
            self.ask_ring(cells, level, &home, ring);
            let mut is_last = true;
            let mut closest = S::INFINITY;
            for axis in 0..D {
                let mut side = |distance: S| {
                    is_last = false;
                    let mut distances = around;
                    distances[axis] = distance.larger(around[axis]);
                    closest = closest.smaller(sum_of_squares(&distances));
                };
                if home[axis] > ring {
                    side(level.distance_below(axis, self.point[axis], home[axis] - ring));
                }
                if level.len[axis] - home[axis] > ring + 1 {
                    side(level.distance_from(axis, self.point[axis], home[axis] + ring + 1));
                }
            }
            if is_last || closest > self.worst {
                return;
            }
        }
    }
}

impl<const D: usize, S: Coordinate, F: FnMut(Entity) -> bool> Nearest<'_, D, S, F> {
    /// Looks at the cells that are `ring` cells away along one axis, and no more along the others.
    #[inline(always)]
    fn ask_ring(&mut self, cells: &Cells<D, S>, level: &Level<D, S>, home: &[u32; D], ring: u32) {
        let from = array::from_fn(|axis| home[axis].saturating_sub(ring));
        let to: [u32; D] =
            array::from_fn(|axis| home[axis].saturating_add(ring).min(level.len[axis] - 1));
        for_each_row(level, from, to, |cell, row| {
            if sum_of_squares(&level.distances_to_row(self.point, cell)) > self.worst {
                return;
            }
            let is_on_ring = (1..D).any(|axis| home[axis].abs_diff(cell[axis]) == ring);
            if is_on_ring || ring == 0 {
                cells.ask(level, row, [from[0], to[0]], self);
                return;
            }
            if home[0] >= ring {
                cells.ask(level, row, [from[0], from[0]], self);
            }
            if home[0] + ring < level.len[0] {
                cells.ask(level, row, [to[0], to[0]], self);
            }
        });
    }

    /// Inserts an entity that is not farther than the worst.
    fn insert(&mut self, distance: S, entity: Entity) {
        let new = (distance.rank(), entity);
        let is_full = self.best.len() == self.count;
        if is_full && self.best.peek().is_some_and(|worst| *worst <= new) {
            return;
        }
        if !(self.is_wanted)(entity) {
            return;
        }
        if is_full {
            self.best.pop();
        }
        self.best.push(new);
        if self.best.len() == self.count
            && let Some((worst, _)) = self.best.peek()
        {
            self.worst = S::of_rank(*worst);
        }
    }
}
