//! Points by cells: a grid over all points, and smaller grids within its crowded cells.
//!
//! ```text
//!  all points               a crowded cell            items   [ · · | · | | · · · · · · · | · ]
//!  ┌───┬───┬───┐            ┌──┬──┬──┐                         cell by cell; the cells of a smaller grid divide the
//!  │ · │   │·  │            │· │  │··│                         range of their cell
//!  ├───┼───┼───┤            ├──┼──┼──┤
//!  │   │:::│   │  ────────> │ ·│··│ ·│                extras  items that came since the last build: a list for
//!  ├───┼───┼───┤            └──┴──┴──┘                         each cell
//!  │ · │   │ · │
//!  └───┴───┴───┘
//! ```
//!
//! A cell is found by [`Level::cell`], which never falls as a coordinate rises (M1). So each point in a box is in a cell
//! between the cells of its corners, however numbers are rounded. Cells at the border of a grid extend to the
//! border of the cell around it, or to infinity.

use crate::coordinate::Coordinate;
use core::array;
use core::f64::consts::PI;
use core::ops::Range;
use ecs::Entity;

/// The points of a cell, on average, when a grid is built.
const FILL: usize = 3;
/// A cell with more points than this gets a grid of its own.
const CROWD: usize = 32;
/// The most grids within one another.
const DEEPEST: u32 = 24;
/// The longest list of extras of a cell.
const LONGEST: u32 = 256;
/// The number of items that are compared at a time.
pub(crate) const LANES: usize = 8;
/// No child, and no extra.
const NONE: u32 = u32::MAX;

/// An entity and its point, which is NaN for one that was taken out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<const D: usize, S> {
    pub(crate) point: [S; D],
    pub(crate) entity: Entity,
}

/// An item that is not in `items`, and the next one of its cell.
#[derive(Clone, Copy, Debug)]
struct Extra<const D: usize, S> {
    item: Item<D, S>,
    next: u32,
    /// The number of extras in the list from here on.
    length: u32,
}

/// One grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level<const D: usize, S> {
    /// The bounds by which it was divided.
    low: [S; D],
    /// Cells per unit; 0 along axes with one cell.
    scale: [S; D],
    /// The side of a cell.
    side: [S; D],
    /// The number of cells along each axis.
    pub(crate) len: [u32; D],
    /// The difference of the numbers of neighbours along each axis.
    stride: [usize; D],
    /// The number of its first cell.
    first: usize,
    /// The first of its cells in `children`, if any cell has a child.
    children: Option<usize>,
    depth: u32,
    /// Bounds of the points in it, which may have become fewer.
    bounds: [[S; D]; 2],
}

/// A search. It gets the items and levels that may have answers.
pub(crate) trait Question<const D: usize, S>: Sized {
    /// Returns a bit for each item that may be an answer.
    fn test(&self, points: [&[S; LANES]; D]) -> u32;
    /// Takes an item that may be an answer.
    fn take(&mut self, entity: Entity, point: [S; D]);
    /// Looks at a level.
    fn enter(&mut self, cells: &Cells<D, S>, level: usize);
}

/// The points of all entities.
#[derive(Clone, Debug)]
pub(crate) struct Cells<const D: usize, S> {
    /// The coordinates of all items, by axis, and [`LANES`] more, so that each item begins a whole chunk. They are NaN
    /// for an item that was taken out.
    points: [Vec<S>; D],
    /// The entities of all items.
    entities: Vec<Entity>,
    /// The first item of each cell. The cells of a level are followed by the end of the last one.
    starts: Vec<u32>,
    /// The first level has all points. None if there is no point.
    levels: Vec<Level<D, S>>,
    /// The level within each cell, for levels with such cells.
    children: Vec<u32>,
    /// The first extra of each cell; empty if there are none.
    heads: Vec<u32>,
    extras: Vec<Extra<D, S>>,
    /// The number of items that were taken out since the last build.
    gaps: usize,
    /// For each item of a build, its cell.
    cell_of: Vec<u32>,
    /// The items of a cell while they are sorted.
    unsorted: Vec<Item<D, S>>,
}

pub(crate) fn is_finite<const D: usize, S: Coordinate>(point: &[S; D]) -> bool {
    point.iter().all(|it| it.is_finite())
}

/// Returns the bounds and the number of the finite points.
fn bounds_of<const D: usize, S: Coordinate>(items: &[Item<D, S>]) -> ([[S; D]; 2], usize) {
    let (mut low, mut high) = ([S::INFINITY; D], [S::ZERO - S::INFINITY; D]);
    let mut count = 0;
    for Item { point, .. } in items {
        if is_finite(point) {
            count += 1;
            for axis in 0..D {
                low[axis] = low[axis].smaller(point[axis]);
                high[axis] = high[axis].larger(point[axis]);
            }
        }
    }
    ([low, high], count)
}

impl<const D: usize, S: Coordinate> Level<D, S> {
    /// Divides these bounds into cells for `count` points. `first` is the number of its first cell.
    fn new(bounds: [[S; D]; 2], count: usize, first: usize, depth: u32) -> Self {
        let low: [S; D] = array::from_fn(|axis| bounds[0][axis].larger(S::ZERO - S::BOUND));
        let extent: [f64; D] = array::from_fn(|axis| {
            (bounds[1][axis].smaller(S::BOUND).wide() - low[axis].wide()).max(0.0)
        });
        let len = lengths(extent, count / FILL);
        let scale: [S; D] = array::from_fn(|axis| {
            let scale = S::of(f64::from(len[axis]) / extent[axis]);
            if len[axis] > 1 && scale.is_finite() { scale } else { S::ZERO }
        });
        // An axis that cannot be divided, because it is too short.
        let len = array::from_fn(|axis| if scale[axis] > S::ZERO { len[axis] } else { 1 });
        let side = array::from_fn(|axis| S::of(extent[axis] / f64::from(len[axis])));
        let stride = array::from_fn(|axis| len[..axis].iter().map(|it| *it as usize).product());
        Self { low, scale, side, len, stride, first, children: None, depth, bounds }
    }

    fn cell_count(&self) -> usize {
        self.len.iter().map(|it| *it as usize).product()
    }

    /// Returns the place along this axis of the cell with this coordinate. M1: it never falls as `at` rises, because
    /// no step of it does.
    #[inline(always)]
    pub(crate) fn cell(&self, axis: usize, at: S) -> u32 {
        ((at - self.low[axis]) * self.scale[axis]).whole().min(self.len[axis] - 1)
    }

    #[inline(always)]
    pub(crate) fn cells(&self, point: &[S; D]) -> [u32; D] {
        array::from_fn(|axis| self.cell(axis, point[axis]))
    }

    /// Returns the number of the cell at these places within the level.
    #[inline(always)]
    pub(crate) fn number(&self, cell: &[u32; D]) -> usize {
        (0..D).map(|axis| cell[axis] as usize * self.stride[axis]).sum()
    }

    /// Returns about where a cell begins; [`doubt`](Self::doubt) is the most that it is wrong by.
    #[inline(always)]
    fn edge(&self, axis: usize, cell: u32) -> S {
        self.low[axis] + S::of(cell.into()) * self.side[axis]
    }

    /// Returns more than the rounding errors of the distance between this coordinate and an edge.
    #[inline(always)]
    fn doubt(&self, axis: usize, at: S) -> S {
        let extent = S::of(self.len[axis].into()) * self.side[axis];
        (at.abs() + self.low[axis].abs() + extent) * S::EPSILON * S::of(8.0)
    }

    /// Returns at most the distance along an axis between this coordinate and the cells below `cell`.
    #[inline(always)]
    pub(crate) fn distance_below(&self, axis: usize, at: S, cell: u32) -> S {
        (at - self.edge(axis, cell) - self.doubt(axis, at)).larger(S::ZERO)
    }

    /// Returns at most the distance along an axis between this coordinate and the cells from `cell` on.
    #[inline(always)]
    pub(crate) fn distance_from(&self, axis: usize, at: S, cell: u32) -> S {
        (self.edge(axis, cell) - at - self.doubt(axis, at)).larger(S::ZERO)
    }

    /// Returns at most the distances along each axis but the first between a point and the row of a cell.
    #[inline(always)]
    pub(crate) fn distances_to_row(&self, point: &[S; D], cell: &[u32; D]) -> [S; D] {
        let mut distances = [S::ZERO; D];
        for axis in 1..D {
            let (at, doubt) = (point[axis], self.doubt(axis, point[axis]));
            let edge = self.edge(axis, cell[axis]);
            let below = if cell[axis] + 1 < self.len[axis] {
                at - (edge + self.side[axis])
            } else {
                S::ZERO
            };
            let above = if cell[axis] > 0 { edge - at } else { S::ZERO };
            distances[axis] = (below.larger(above) - doubt).larger(S::ZERO);
        }
        distances
    }

    /// Returns at most the distances along each axis between this point and those in the level.
    #[inline(always)]
    pub(crate) fn distances(&self, point: &[S; D]) -> [S; D] {
        let [low, high] = &self.bounds;
        array::from_fn(|axis| {
            (low[axis] - point[axis]).larger(point[axis] - high[axis]).larger(S::ZERO)
        })
    }
}

/// Divides lengths into about `cells` cells in all, with sides as equal as may be.
fn lengths<const D: usize>(extent: [f64; D], cells: usize) -> [u32; D] {
    #[expect(clippy::cast_precision_loss, reason = "it is rounded, anyway")]
    let cells = (cells as f64).max(1.0);
    let mut is_divided = extent.map(|it| it > 0.0);
    loop {
        let divided = || (0..D).filter(|axis| is_divided[*axis]);
        let axes = u32::try_from(divided().count()).unwrap_or(0);
        if axes == 0 {
            return [1; D];
        }
        // By logarithms, because the product of lengths may be too large or small for a number.
        let volume: f64 = divided().map(|axis| extent[axis].ln()).sum();
        let side = (volume - cells.ln()) / f64::from(axes);
        let too_short = divided().find(|axis| extent[*axis].ln() < side);
        if let Some(axis) = too_short {
            is_divided[axis] = false;
            continue;
        }
        return array::from_fn(|axis| {
            let count = if is_divided[axis] { (extent[axis].ln() - side).exp() } else { 1.0 };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "wanted")]
            let count = count.round() as u32;
            count.max(1)
        });
    }
}

impl<const D: usize, S: Coordinate> Default for Cells<D, S> {
    fn default() -> Self {
        Self {
            points: array::from_fn(|_| Vec::new()),
            entities: Vec::new(),
            starts: Vec::new(),
            levels: Vec::new(),
            children: Vec::new(),
            heads: Vec::new(),
            extras: Vec::new(),
            gaps: 0,
            cell_of: Vec::new(),
            unsorted: Vec::new(),
        }
    }
}

impl<const D: usize, S: Coordinate> Cells<D, S> {
    /// Replaces all by these items. Points that are not finite are left out. O(items), for points that are not
    /// spread over many orders of magnitude.
    pub(crate) fn build(&mut self, items: &[Item<D, S>]) {
        let Self { levels, starts, children, heads, extras, .. } = self;
        levels.clear();
        starts.clear();
        children.clear();
        heads.clear();
        extras.clear();
        self.gaps = 0;
        let (bounds, count) = bounds_of(items);
        self.points.iter_mut().for_each(|points| points.resize(items.len() + LANES, S::NAN));
        self.entities.resize(items.len(), Entity::PLACEHOLDER);
        if count > 0 {
            self.levels.push(Level::new(bounds, count, 0, 0));
            self.sort(0, items, 0);
        }
        self.points.iter_mut().for_each(|points| points.truncate(count + LANES));
        self.entities.truncate(count);
        let mut at = 0;
        while at < self.levels.len() {
            self.divide_crowds(at);
            at += 1;
        }
    }

    /// Sorts items by the cells of a level, and stores them from `from` on. Points that are not finite come last.
    fn sort(&mut self, level: usize, items: &[Item<D, S>], from: usize) {
        let level = &self.levels[level];
        let (cells, first) = (level.cell_count(), level.first);
        self.starts.resize(first + cells + 2, 0);
        let starts = &mut self.starts[first..];
        self.cell_of.clear();
        self.cell_of.extend(items.iter().map(|Item { point, .. }| {
            let cell = if is_finite(point) { level.number(&level.cells(point)) } else { cells };
            starts[cell] += 1;
            u32::try_from(cell).expect("there are fewer cells than entities")
        }));
        let mut end = u32::try_from(from).expect("there are fewer items than entities");
        for start in starts.iter_mut() {
            end += *start;
            *start = end;
        }
        // From behind, so that each start is where it belongs in the end, and equal cells keep their order.
        for (item, cell) in items.iter().zip(&self.cell_of).rev() {
            let start = &mut starts[*cell as usize];
            *start -= 1;
            let at = *start as usize;
            for axis in 0..D {
                self.points[axis][at] = item.point[axis];
            }
            self.entities[at] = item.entity;
        }
        self.starts.truncate(first + cells + 1);
    }

    /// Adds a level for each cell with many points.
    fn divide_crowds(&mut self, at: usize) {
        let Level { first, depth, .. } = self.levels[at];
        let cells = self.levels[at].cell_count();
        if depth == DEEPEST {
            return;
        }
        for cell in 0..cells {
            let range = self.starts[first + cell] as usize..self.starts[first + cell + 1] as usize;
            if range.len() <= CROWD {
                continue;
            }
            let mut unsorted = core::mem::take(&mut self.unsorted);
            unsorted.clear();
            unsorted.extend(range.clone().map(|at| self.item(at)));
            let (bounds, count) = bounds_of(&unsorted);
            let level = Level::new(bounds, count, self.starts.len(), depth + 1);
            if level.cell_count() == 1 {
                self.unsorted = unsorted;
                continue;
            }
            let children = *self.levels[at].children.get_or_insert_with(|| {
                self.children.resize(self.children.len() + cells, NONE);
                self.children.len() - cells
            });
            self.children[children + cell] = number_of(self.levels.len());
            self.levels.push(level);
            self.sort(self.levels.len() - 1, &unsorted, range.start);
            self.unsorted = unsorted;
        }
    }

    fn item(&self, at: usize) -> Item<D, S> {
        let point = array::from_fn(|axis| self.points[axis][at]);
        Item { point, entity: self.entities[at] }
    }

    #[inline(always)]
    pub(crate) fn level(&self, level: usize) -> &Level<D, S> {
        &self.levels[level]
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// Returns `true` if enough changed since the last build for another one to pay.
    pub(crate) fn is_worn(&self) -> bool {
        let longest = self.extras.last().map_or(0, |extra| extra.length);
        self.gaps + self.extras.len() > self.entities.len() / 4 || longest > LONGEST
    }

    /// Calls the question with some neighbouring cells of a level along the first axis, in the row with this number.
    #[inline(always)]
    pub(crate) fn ask<Q: Question<D, S>>(
        &self,
        level: &Level<D, S>,
        row: usize,
        [from, to]: [u32; 2],
        question: &mut Q,
    ) {
        let first = level.first + row;
        let cells = first + from as usize..first + to as usize + 1;
        let items = self.starts[cells.start] as usize..self.starts[cells.end] as usize;
        if level.children.is_none() || items.is_empty() {
            self.ask_items(items, question);
            if !self.heads.is_empty() {
                cells.for_each(|cell| self.ask_extras(level, cell, question));
            }
            return;
        }
        for cell in cells {
            let items = self.starts[cell] as usize..self.starts[cell + 1] as usize;
            if items.len() > CROWD
                && let Some(child) = self.child(level, cell)
            {
                question.enter(self, child);
            } else {
                self.ask_items(items, question);
                if !self.heads.is_empty() {
                    self.ask_extras(level, cell, question);
                }
            }
        }
    }

    #[inline(always)]
    fn ask_items<Q: Question<D, S>>(&self, items: Range<usize>, question: &mut Q) {
        for at in items.clone().step_by(LANES) {
            let points = array::from_fn(|axis| {
                self.points[axis][at..].first_chunk().expect("there are more points than items")
            });
            let lanes = (1 << (items.end - at).min(LANES)) - 1;
            let mut hits = question.test(points) & lanes;
            while hits != 0 {
                let lane = hits.trailing_zeros() as usize;
                hits &= hits - 1;
                let point = array::from_fn(|axis| points[axis][lane % LANES]);
                question.take(self.entities[at + lane], point);
            }
        }
    }

    /// Returns a radius around a point in which there are probably `count` items, and few more. `None` if there are no
    /// items about it to judge from.
    pub(crate) fn radius_of(&self, point: &[S; D], count: usize) -> Option<S> {
        let mut at = 0;
        let (level, home) = loop {
            let level = &self.levels[at];
            let cells = level.cells(point);
            match self.child(level, level.first + level.number(&cells)) {
                Some(child) => at = child,
                None => break (level, cells),
            }
        };
        let from: [u32; D] = array::from_fn(|axis| home[axis].saturating_sub(1));
        let to: [u32; D] = array::from_fn(|axis| (home[axis] + 1).min(level.len[axis] - 1));
        let (mut items, mut crowd) = (0_u32, 0_u32);
        for_each_row(level, from, to, |_, row| {
            let first = level.first + row;
            let starts = &self.starts[first + from[0] as usize..first + to[0] as usize + 2];
            items += starts[starts.len() - 1] - starts[0];
            if level.children.is_some() {
                crowd = starts.windows(2).fold(crowd, |most, it| most.max(it[1] - it[0]));
            }
        });
        // In clusters that are smaller than the cells, single cells say more than all.
        let own = level.first + level.number(&home);
        let cells: f64 = (0..D).map(|axis| f64::from(to[axis] + 1 - from[axis])).product();
        let in_own = f64::from(self.starts[own + 1] - self.starts[own]);
        let items = f64::from(items).max(in_own * cells / 3.0).max(f64::from(crowd) * cells / 5.0);
        let axes = (0..D).filter(|axis| level.len[*axis] > 1);
        let sides =
            axes.clone().map(|axis| level.side[axis].wide() * f64::from(to[axis] + 1 - from[axis]));
        let (volume, axes) = (sides.product::<f64>(), axes.count());
        let ball = [2.0, PI, PI * 4.0 / 3.0].get(axes.checked_sub(1)?)?;
        let wanted = 1.5 * f64::from(u32::try_from(count).ok()?) + 2.0;
        let power = volume * wanted / (ball * items);
        let radius = match axes {
            1 => power,
            2 => power.sqrt(),
            _ => power.cbrt(),
        };
        radius.is_finite().then(|| S::of(radius))
    }

    fn ask_extras<Q: Question<D, S>>(&self, level: &Level<D, S>, cell: usize, question: &mut Q) {
        debug_assert!(self.child(level, cell).is_none(), "extras are in the innermost cells");
        let mut next = self.heads[cell];
        while let Some(extra) = self.extras.get(next as usize) {
            let Item { point, entity } = extra.item;
            let points: [[S; LANES]; D] = point.map(|it| [it; LANES]);
            if question.test(points.each_ref()) & 1 != 0 {
                question.take(entity, point);
            }
            next = extra.next;
        }
    }

    fn child(&self, level: &Level<D, S>, cell: usize) -> Option<usize> {
        let child = self.children[level.children? + cell - level.first];
        (child != NONE).then_some(child as usize)
    }

    /// Returns the innermost cell of a point.
    fn find(&self, point: &[S; D]) -> usize {
        let mut at = 0;
        loop {
            let level = &self.levels[at];
            let cell = level.first + level.number(&level.cells(point));
            match self.child(level, cell) {
                Some(child) => at = child,
                None => return cell,
            }
        }
    }

    /// Moves an entity; a point that is not finite stands for none. There must have been a build with finite points.
    pub(crate) fn change(&mut self, entity: Entity, from: &[S; D], to: &[S; D]) {
        let old = is_finite(from).then(|| self.find(from));
        let new = is_finite(to).then(|| self.find(to));
        if new.is_some() {
            self.widen(to);
        }
        if let Some(cell) = old {
            if new == Some(cell) {
                self.replace(cell, entity, *to, entity);
                return;
            }
            self.replace(cell, entity, [S::NAN; D], Entity::PLACEHOLDER);
            self.gaps += 1;
        }
        if let Some(cell) = new {
            self.heads.resize(self.starts.len(), NONE);
            let (next, number) = (self.heads[cell], number_of(self.extras.len()));
            let length = 1 + self.extras.get(next as usize).map_or(0, |extra| extra.length);
            self.extras.push(Extra { item: Item { point: *to, entity }, next, length });
            self.heads[cell] = number;
        }
    }

    /// Widens the bounds of all levels around a point.
    fn widen(&mut self, point: &[S; D]) {
        let mut at = 0;
        loop {
            let level = &mut self.levels[at];
            for axis in 0..D {
                let [low, high] = &mut level.bounds;
                low[axis] = low[axis].smaller(point[axis]);
                high[axis] = high[axis].larger(point[axis]);
            }
            let level = &self.levels[at];
            match self.child(level, level.first + level.number(&level.cells(point))) {
                Some(child) => at = child,
                None => return,
            }
        }
    }

    /// Replaces the item of an entity in a cell without a level of its own.
    fn replace(&mut self, cell: usize, entity: Entity, point: [S; D], new: Entity) {
        let items = self.starts[cell] as usize..self.starts[cell + 1] as usize;
        if let Some(at) = self.entities[items.clone()].iter().position(|it| *it == entity) {
            let at = items.start + at;
            (0..D).for_each(|axis| self.points[axis][at] = point[axis]);
            self.entities[at] = new;
            return;
        }
        let mut next = self.heads.get(cell).copied().unwrap_or(NONE);
        while let Some(extra) = self.extras.get_mut(next as usize) {
            if extra.item.entity == entity {
                extra.item = Item { point, entity: new };
                return;
            }
            next = extra.next;
        }
    }

    /// Returns the bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        let coordinates = self.points.iter().map(Vec::capacity).sum::<usize>();
        let numbers = self.starts.capacity()
            + self.children.capacity()
            + self.heads.capacity()
            + self.cell_of.capacity();
        coordinates * size_of::<S>()
            + self.entities.capacity() * size_of::<Entity>()
            + self.unsorted.capacity() * size_of::<Item<D, S>>()
            + numbers * size_of::<u32>()
            + self.levels.capacity() * size_of::<Level<D, S>>()
            + self.extras.capacity() * size_of::<Extra<D, S>>()
    }
}

/// Calls `each` with the first cell of each row between two cells, inclusively, and with the row's number.
#[inline(always)]
pub(crate) fn for_each_row<const D: usize, S: Coordinate>(
    level: &Level<D, S>,
    from: [u32; D],
    to: [u32; D],
    mut each: impl FnMut(&[u32; D], usize),
) {
    let mut cell = from;
    loop {
        each(&cell, level.number(&cell) - cell[0] as usize);
        let mut axis = 1;
        loop {
            if axis == D {
                return;
            }
            if cell[axis] < to[axis] {
                cell[axis] += 1;
                break;
            }
            cell[axis] = from[axis];
            axis += 1;
        }
    }
}

fn number_of(length: usize) -> u32 {
    u32::try_from(length).expect("there are fewer than entities")
}
