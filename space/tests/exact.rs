//! Answers of the index and of a loop over all entities, after random edits.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "of random numbers, any digits are as good"
)]

use ecs::{Entity, IndexKind};
use ecs_space::{Coordinate, Grid};
use std::collections::BTreeMap;

/// A generator of random numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 ^ (self.0 >> 29)) >> 16
    }
    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
    /// Returns a number from 0 to 1.
    fn unit(&mut self) -> f64 {
        f64::from(self.next() as u32) / f64::from(u32::MAX)
    }
}

/// The distribution of the points of a test.
#[derive(Clone, Copy, Debug)]
enum Spread {
    Even,
    /// In clusters, beside some far away.
    Clusters,
    /// On whole numbers, so that many distances are equal.
    Lattice,
    /// Over all magnitudes that a number can have, and some that are none.
    Wild,
    /// Far from zero, so that coordinates have few digits left.
    Offset,
    OnOneSpot,
    /// On a line along the first axis.
    Flat,
}

const SPREADS: [Spread; 7] = [
    Spread::Even,
    Spread::Clusters,
    Spread::Lattice,
    Spread::Wild,
    Spread::Offset,
    Spread::OnOneSpot,
    Spread::Flat,
];

trait Number: Coordinate + PartialEq + std::iter::Sum {
    const MAX: f64;
    fn from_f64(number: f64) -> Self;
    fn into_f64(self) -> f64;
    fn squared(self) -> f64;
    fn naive<const D: usize>(a: &[Self; D], b: &[Self; D]) -> Self;
    fn is_number(self) -> bool;
}

macro_rules! numbers {
    ($($float:ident)+) => {
        $(
            impl Number for $float {
                const MAX: f64 = $float::MAX as f64;
                fn from_f64(number: f64) -> Self {
                    number as $float
                }
                fn into_f64(self) -> f64 {
                    self.into()
                }
                fn squared(self) -> f64 {
                    (self * self).into()
                }
                fn naive<const D: usize>(a: &[Self; D], b: &[Self; D]) -> Self {
                    (0..D).map(|axis| (a[axis] - b[axis]) * (a[axis] - b[axis])).sum()
                }
                fn is_number(self) -> bool {
                    self.is_finite()
                }
            }
        )+
    };
}
numbers! { f32 f64 }

fn point<const D: usize, S: Number>(random: &mut Random, spread: Spread) -> [S; D] {
    let cluster = random.below(4) as f64 * 1_000.0;
    std::array::from_fn(|axis| {
        S::from_f64(match spread {
            Spread::Even => random.unit() * 100.0,
            Spread::Clusters if random.below(50) == 0 => random.unit() * 1e9,
            Spread::Clusters => cluster + random.unit() * random.unit() * random.unit(),
            Spread::Lattice => random.below(12) as f64 - 6.0,
            Spread::Wild => {
                let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
                sign * match random.below(40) {
                    0 => f64::NAN,
                    1 => f64::INFINITY,
                    2 => 0.0,
                    3 => S::MAX,
                    _ => 10_f64.powf((random.unit() * 2.0 - 1.0) * S::MAX.log10()),
                }
            }
            Spread::Offset => 1e6 + random.unit() * 4.0,
            Spread::OnOneSpot => 3.0,
            Spread::Flat => {
                if axis == 0 {
                    random.unit()
                } else {
                    -2.0
                }
            }
        })
    })
}

/// An index, and the same entities in a map.
struct Both<const D: usize, S: Coordinate> {
    grid: Grid<D, S>,
    map: BTreeMap<Entity, (u32, [S; D])>,
    next: u32,
}

impl<const D: usize, S: Number> Both<D, S> {
    fn new() -> Self {
        Self { grid: Grid::default(), map: BTreeMap::new(), next: 0 }
    }

    fn insert(&mut self, point: [S; D]) {
        // Indices do not come in order.
        let index = self.next.wrapping_mul(0x9E37_79B1) >> 8;
        self.next += 1;
        let entity = Entity::from_bits(1 << 32 | u64::from(index)).unwrap();
        let place = self.grid.insert(entity, &point);
        self.map.insert(entity, (place, point));
    }

    /// Returns the first entity behind any index.
    fn any(&self, random: &mut Random) -> Option<Entity> {
        let index = random.below(1 << 24);
        let behind = self.map.range(Entity::from_bits(1 << 32 | index).unwrap()..);
        behind.map(|it| *it.0).next()
    }

    fn remove(&mut self, entity: Entity) {
        let (place, _) = self.map.remove(&entity).unwrap();
        self.grid.remove(entity, place);
    }

    fn change(&mut self, entity: Entity, to: [S; D]) {
        let (place, point) = self.map.get_mut(&entity).unwrap();
        if !self.grid.is_at(place, &to) {
            self.grid.change(entity, place, &to);
        }
        *point = to;
    }

    fn edit(&mut self, random: &mut Random, spread: Spread) {
        match random.below(8) {
            0 | 1 => {
                for _ in 0..random.below(400) {
                    self.insert(point(random, spread));
                }
            }
            2 => {
                for entity in self.map.keys().copied().collect::<Vec<_>>() {
                    self.change(entity, point(random, spread));
                }
            }
            3 if random.below(3) == 0 => {
                for entity in self.map.keys().copied().collect::<Vec<_>>() {
                    if random.below(10) != 0 {
                        self.remove(entity);
                    }
                }
            }
            _ => {
                for _ in 0..random.below(20) {
                    let Some(entity) = self.any(random) else { return };
                    match random.below(6) {
                        0 => self.remove(entity),
                        1 => self.insert(point(random, spread)),
                        2 => {
                            // A short way, in its cell for the most part.
                            let mut to = self.map[&entity].1;
                            to[0] = to[0] + S::from_f64(random.unit() * 0.01);
                            self.change(entity, to);
                        }
                        3 => {
                            let spread = SPREADS[random.below(7) as usize];
                            self.change(entity, point(random, spread));
                        }
                        _ => self.change(entity, point(random, spread)),
                    }
                }
            }
        }
    }

    /// Returns the entities whose points are finite, with these.
    fn finite(&self) -> impl Iterator<Item = (Entity, [S; D])> {
        let all = self.map.iter().map(|(entity, (_, point))| (*entity, *point));
        all.filter(|(_, point)| point.iter().all(|it| it.is_number()))
    }

    fn check(&self, random: &mut Random, spread: Spread) {
        assert_eq!(self.grid.len(), self.map.len());
        let mut at = point::<D, S>(random, spread);
        if let Some(entity) = self.any(random)
            && random.below(2) == 0
        {
            at = self.map[&entity].1; // a point of an entity
        }
        let is_asked = at.iter().all(|it| it.is_number());
        let other = self.any(random).map_or(at, |entity| self.map[&entity].1);
        let radius = match random.below(4) {
            0 => S::from_f64(random.unit() * 3.0),
            1 => at[0] - other[0], // negative, or exactly to a point
            2 => S::from_f64(10_f64.powf((random.unit() * 2.0 - 1.0) * S::MAX.log10())),
            _ => S::from_f64(random.unit() * 40.0),
        };
        let is_near = |point: &[S; D]| {
            let distance: f64 = S::naive(point, &at).into_f64();
            is_asked && radius >= S::from_f64(0.0) && distance <= radius.squared()
        };
        let near: Vec<_> = self.finite().filter(|it| is_near(&it.1)).map(|it| it.0).collect();
        assert_eq!(self.grid.near(at, radius), near, "near {at:?}, {radius:?}");
        let mut visited = Vec::new();
        self.grid.for_each_near(at, radius, |entity, point| {
            assert_eq!(self.map[&entity].1, point);
            visited.push(entity);
        });
        visited.sort();
        assert_eq!(visited, near);

        let (low, high) = if random.below(2) == 0 {
            (at, other)
        } else {
            (at, std::array::from_fn(|axis| at[axis] + radius))
        };
        let is_inside = |it: &[S; D]| (0..D).all(|a| low[a] <= it[a] && it[a] <= high[a]);
        let inside: Vec<_> = self.finite().filter(|it| is_inside(&it.1)).map(|it| it.0).collect();
        assert_eq!(self.grid.inside(low..=high), inside, "inside {low:?} to {high:?}");

        let mut nearest: Vec<_> = self
            .finite()
            .map(|(entity, point)| (S::naive(&point, &at).into_f64(), entity))
            .filter(|_| is_asked)
            .collect();
        nearest.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let nearest: Vec<_> = nearest.into_iter().map(|it| it.1).collect();
        let count = random.below(30) as usize;
        let first = &nearest[..count.min(nearest.len())];
        assert_eq!(self.grid.nearest(at, count), first, "{count} nearest {at:?}");
        let is_even = |entity: Entity| entity.index().is_multiple_of(2);
        let even = nearest.iter().copied().filter(|it| is_even(*it)).take(count);
        assert!(self.grid.nearest_where(at, count, is_even).into_iter().eq(even));
    }
}

/// `ECS_HISTORIES` is how many times as many histories there are.
fn test<const D: usize, S: Number>(histories: u64) {
    let times = std::env::var("ECS_HISTORIES").map_or(1, |it| it.parse().expect("a number"));
    for history in 0..histories * times {
        let spread = SPREADS[(history % 7) as usize];
        let (mut both, mut random) = (Both::<D, S>::new(), Random(history));
        for _ in 0..20 {
            both.edit(&mut random, spread);
            both.grid.finish();
            for _ in 0..2 {
                both.check(&mut random, spread);
            }
        }
    }
}

#[test]
fn answers_in_two_dimensions_are_those_of_a_loop() {
    test::<2, f32>(7);
    test::<2, f64>(7);
}

#[test]
fn answers_in_three_dimensions_are_those_of_a_loop() {
    test::<3, f32>(7);
    test::<3, f64>(7);
}

#[test]
fn answers_in_other_dimensions_are_those_of_a_loop() {
    test::<1, f32>(7);
    test::<4, f64>(7);
}

/// Compares answers about points on a border: at a radius that was computed from them.
fn test_borders<S: Number>(spreads: &[fn(&mut Random) -> f64]) {
    for spread in spreads {
        let (mut both, mut random) = (Both::<2, S>::new(), Random(1));
        for _ in 0..2_998 {
            both.insert([S::from_f64(spread(&mut random)), S::from_f64(0.0)]);
        }
        both.grid.finish();
        let points: Vec<(Entity, [S; 2])> = both.finite().collect();
        for _ in 0..150 {
            let at = [S::from_f64(spread(&mut random)), S::from_f64(0.0)];
            let to = points[random.below(2_998) as usize].1;
            let radius = if at[0] < to[0] { to[0] - at[0] } else { at[0] - to[0] };
            let is_near = |it: &[S; 2]| S::naive(it, &at).into_f64() <= S::squared(radius);
            let near = points.iter().filter(|it| is_near(&it.1)).map(|it| it.0);
            assert!(both.grid.near(at, radius).into_iter().eq(near), "{at:?}, {radius:?}");
            let is_wanted = |it: Entity| it.index().is_multiple_of(64);
            let mut nearest: Vec<_> = points
                .iter()
                .filter(|it| is_wanted(it.0))
                .map(|it| (S::naive(&it.1, &at).into_f64(), it.0))
                .collect();
            nearest.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let nearest = nearest.into_iter().map(|it| it.1).take(2);
            assert!(both.grid.nearest_where(at, 2, is_wanted).into_iter().eq(nearest), "{at:?}");
        }
    }
}

#[test]
fn rounding_loses_no_point_on_a_border() {
    test_borders::<f32>(&[
        |random| random.unit(),
        |random| 1_000.0 + random.unit() * 0.01,
        |random| random.unit() * 1e-18, // squares are 0, or have few digits
        |random| random.unit() * 1e-21,
        |random| random.below(1_000) as f64 / 10.0, // borders of cells
    ]);
    test_borders::<f64>(&[
        |random| 1e9 + random.unit() * 1e-5,
        |random| random.unit() * 1e-162,
        |random| random.below(1_000) as f64 / 10.0,
    ]);
}

#[test]
fn points_that_come_outside_of_the_grid_are_found() {
    let (mut both, mut random) = (Both::<2, f32>::new(), Random(1));
    for _ in 0..1_000 {
        both.insert(point(&mut random, Spread::Even));
    }
    both.grid.finish();
    let behind = both.next;
    (0..20_u8).for_each(|n| both.insert([9_010.0, 5.0 * f32::from(n)]));
    both.grid.finish();
    let far: Vec<Entity> = both.finite().filter(|it| it.1[0] > 8_999.0).map(|it| it.0).collect();
    assert_eq!(both.grid.inside([8_999.0, 0.0]..=[1e9, 99.0]), far);
    assert_eq!(both.grid.near([9_010.0, 50.0], 50.0), far);
    assert!(behind == 1_000 && far.len() == 20);
    for _ in 0..50 {
        let at = [9_010.0, point::<1, f32>(&mut random, Spread::Even)[0]];
        let mut nearest = far.clone();
        nearest.sort_by(|a, b| {
            let distance = |it| f32::naive(&both.map[it].1, &at);
            distance(a).total_cmp(&distance(b)).then(a.cmp(b))
        });
        for count in 1..4 {
            let found = both.grid.nearest_where(at, count, |it| far.contains(&it));
            assert_eq!(found, nearest[..count]);
        }
    }
}
