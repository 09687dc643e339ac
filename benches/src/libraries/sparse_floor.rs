//! The sparse floor: the same work by the leanest sparse set that one would write by hand for it.
//!
//! No world and no pages: flat arrays, and only the generations, masks and checks that the workload
//! asks for. The time of a library beyond this is the library's; the rest is the algorithm's and
//! the memory's.
//!
//! ```text
//! sparse  [ 1 | - | 0 | - ]   entity index → dense index
//! dense   [ 2 | 0 ]           dense index → entity index
//! values  [ c | a ]           in the order of dense
//! mask    [ 0101 ]            a bit an entity index, only where there are joins
//! ```

use crate::components::{Audio, Position, Proximity, Telling, Vec3, Velocity};
use crate::library::{Kind, Library};
use crate::scene::{self, Churn, Family, Join};

/// The work of a sparse set without a library.
pub fn library() -> Library {
    let mut floor = Library::new("sparse (floor)", None, Kind::SparseFloor);
    edits(&mut floor);
    lookups(&mut floor);
    spawns(&mut floor);
    joins(&mut floor);
    frames(&mut floor);
    relations(&mut floor);
    floor
}

/// The sparse array's value for entities without the component, above all dense indices.
const NONE: u32 = u32::MAX;

/// A sparse set with values. It distinguishes entities by index alone.
struct Set<T> {
    sparse: Vec<u32>,
    dense: Vec<u32>,
    values: Vec<T>,
}

impl<T> Set<T> {
    /// An empty set with cells for this many entities.
    fn over(entities: usize) -> Self {
        Self { sparse: vec![NONE; entities], dense: Vec::new(), values: Vec::new() }
    }

    #[inline]
    fn get(&self, entity: usize) -> Option<&T> {
        self.values.get(self.sparse[entity] as usize)
    }

    /// Adds a value, or replaces it.
    #[inline]
    fn insert(&mut self, entity: u32, value: T) {
        let cell = &mut self.sparse[entity as usize];
        if let Some(old) = self.values.get_mut(*cell as usize) {
            *old = value;
        } else {
            *cell = index(self.dense.len());
            self.dense.push(entity);
            self.values.push(value);
        }
    }

    /// Takes a value out; the last one takes its place.
    #[inline]
    fn remove(&mut self, entity: u32) -> Option<T> {
        let cell = &mut self.sparse[entity as usize];
        let at = *cell as usize;
        if at >= self.dense.len() {
            return None;
        }
        *cell = NONE;
        self.dense.swap_remove(at);
        if let Some(&moved) = self.dense.get(at) {
            self.sparse[moved as usize] = index(at);
        }
        Some(self.values.swap_remove(at))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "no scene has as many entities")]
#[inline]
fn index(number: usize) -> u32 {
    number as u32
}

/// A sparse set that joins: each word of the mask covers 64 entities.
struct Masked<T> {
    set: Set<T>,
    mask: Vec<u64>,
}

impl<T: Telling> Masked<T> {
    /// The members, in the order of insertion.
    fn of(entities: usize, members: impl IntoIterator<Item = usize>) -> Self {
        let mut pool =
            Self { set: Set::over(entities), mask: vec![0; entities.div_ceil(u64::BITS as usize)] };
        for at in members {
            pool.insert(index(at), T::of(at));
        }
        pool
    }

    fn joined(join: &Join, component: usize) -> Self {
        Self::of(join.entities, join.members(component))
    }

    #[inline]
    fn insert(&mut self, entity: u32, value: T) {
        self.mask[entity as usize / 64] |= 1 << (entity % 64);
        self.set.insert(entity, value);
    }

    #[inline]
    fn remove(&mut self, entity: u32) -> Option<T> {
        self.mask[entity as usize / 64] &= !(1 << (entity % 64));
        self.set.remove(entity)
    }

    /// The words of the entities that have both.
    #[inline]
    fn both<U>(&self, other: &Masked<U>) -> impl Iterator<Item = u64> {
        self.mask.iter().zip(&other.mask).map(|(a, b)| a & b)
    }

    /// Returns the `x` of an entity that the mask contains.
    #[inline]
    fn x(&self, entity: usize) -> f32 {
        self.set.get(entity).map_or(0.0, Telling::x)
    }
}

/// Visits the entities of the bits, in entity order.
#[inline]
fn each(words: impl Iterator<Item = u64>, mut visit: impl FnMut(usize)) {
    for (at, mut word) in words.enumerate() {
        while word != 0 {
            visit(at * 64 + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

fn edits(floor: &mut Library) {
    floor.add(
        "add_remove",
        || Set::over(scene::FEW),
        |set| {
            for entity in 0..index(scene::FEW) {
                set.insert(entity, Velocity(Vec3::ONE));
            }
            let added = set.dense.len();
            for entity in 0..index(scene::FEW) {
                set.remove(entity);
            }
            added - set.dense.len()
        },
    );
}

/// A handle.
#[derive(Clone, Copy)]
struct Entity {
    index: u32,
    generation: u32,
}

/// The position and the owner of an entity's value: checked before the value is read.
#[derive(Clone, Copy)]
struct Cell {
    dense_index: u32,
    generation: u32,
}

fn lookups(floor: &mut Library) {
    floor.add(
        "random_get",
        || {
            let count = index(scene::MANY);
            let mut order: Vec<_> =
                (0..count).map(|index| Entity { index, generation: 1 }).collect();
            scene::shuffle(&mut order, 1);
            let sparse: Vec<_> =
                (0..count).map(|dense_index| Cell { dense_index, generation: 1 }).collect();
            let values: Vec<_> = (0..scene::MANY).map(Position::of).collect();
            (sparse, values, order)
        },
        |(sparse, values, order)| {
            let read = |entity: &Entity| {
                let cell = sparse.get(entity.index as usize)?;
                if cell.generation != entity.generation {
                    return None;
                }
                values.get(cell.dense_index as usize).map(Telling::x)
            };
            order.iter().map(|entity| read(entity).unwrap_or(0.0)).sum::<f32>()
        },
    );
}

/// Entities with two components each, and only the state to spawn and despawn them.
#[derive(Default)]
struct Movers {
    generations: Vec<u32>,
    free: Vec<u32>,
    positions: Set<Position>,
    velocities: Set<Velocity>,
}

impl<T> Default for Set<T> {
    fn default() -> Self {
        Self::over(0)
    }
}

impl Movers {
    #[inline]
    fn spawn(&mut self, (position, velocity): (Position, Velocity)) -> Entity {
        let index = self.free.pop().unwrap_or_else(|| {
            self.generations.push(0);
            self.positions.sparse.push(NONE);
            self.velocities.sparse.push(NONE);
            index(self.generations.len() - 1)
        });
        self.positions.insert(index, position);
        self.velocities.insert(index, velocity);
        Entity { index, generation: self.generations[index as usize] }
    }

    /// Returns `true` if the entity was alive.
    #[inline]
    fn despawn(&mut self, entity: Entity) -> bool {
        let Some(generation) = self.generations.get_mut(entity.index as usize) else {
            return false;
        };
        if *generation != entity.generation {
            return false;
        }
        *generation += 1;
        self.free.push(entity.index);
        self.positions.remove(entity.index);
        self.velocities.remove(entity.index);
        true
    }

    fn alive(&self) -> usize {
        self.generations.len() - self.free.len()
    }

    /// The sum of all positions when they have moved.
    fn moved(&self) -> f64 {
        let velocity = |entity: u32| self.velocities.get(entity as usize).map_or(0.0, Telling::x);
        let movers = self.positions.dense.iter().zip(&self.positions.values);
        movers.map(|(&entity, p)| f64::from(p.x() * (velocity(entity) + 1.0))).sum()
    }
}

fn spawns(floor: &mut Library) {
    floor.add_checked(
        "respawn_10k",
        || {
            let mut movers = Movers::default();
            let spawned = (0..scene::FEW).map(|_| movers.spawn(scene::mover())).collect();
            scene::in_random_order((movers, spawned))
        },
        |movers| {
            scene::respawn(movers, |movers, entity, mover| {
                assert!(movers.despawn(entity), "it is alive");
                movers.spawn(mover)
            })
        },
        |(movers, _)| movers.moved(),
    );
    floor.add(
        "spawn_despawn_1m",
        || {
            let mut movers = Movers::default();
            scene::shuffled(|| movers.spawn(scene::mover()))
        },
        |entities| {
            let mut movers = Movers::default();
            for _ in &*entities {
                movers.spawn(scene::mover());
            }
            let spawned = movers.alive();
            for &entity in &*entities {
                assert!(movers.despawn(entity), "it is alive");
            }
            spawned - movers.alive()
        },
    );
}

type Pair = (Masked<Proximity>, Masked<Audio>);

fn pair(join: &Join) -> Pair {
    (Masked::joined(join, 0), Masked::joined(join, 1))
}

fn joins(floor: &mut Library) {
    floor.add(
        "join_1m",
        || pair(&scene::COUNT),
        |(a, b)| a.both(b).map(|word| word.count_ones() as usize).sum::<usize>(),
    );
    for join in scene::JOINS {
        floor.add(join.name, move || pair(&join), sum_of_two);
    }
    floor.add(
        "join4_1m",
        || {
            let join = scene::JOIN4;
            let others =
                (Masked::<Position>::joined(&join, 2), Masked::<Velocity>::joined(&join, 3));
            (pair(&join), others)
        },
        |((a, b), (p, v))| {
            let mut sum = 0.0;
            let words = a.both(b).zip(p.both(v)).map(|(ab, pv)| ab & pv);
            each(words, |entity| sum += a.x(entity) * b.x(entity) + p.x(entity) * v.x(entity));
            sum
        },
    );
}

/// By the masks, unless one set has far fewer members than its mask has words.
fn sum_of_two((a, b): &mut Pair) -> f32 {
    let mut sum = 0.0;
    if a.set.dense.len() < a.mask.len() / 4 {
        for (&entity, value) in a.set.dense.iter().zip(&a.set.values) {
            sum += value.x() * b.x(entity as usize);
        }
    } else {
        each(a.both(b), |entity| sum += a.x(entity) * b.x(entity));
    }
    sum
}

fn frames(floor: &mut Library) {
    floor.add(
        "frame_churn",
        || {
            let count = Churn::<u32>::ENTITIES;
            let churn = Churn::new((0..index(count)).collect());
            let mut audios = Masked::<Audio>::of(count, []);
            for &entity in churn.first() {
                audios.insert(entity, Audio(Vec3::ONE));
            }
            let positions = Masked::<Position>::of(count, 0..count);
            let velocities = Masked::<Velocity>::of(count, 0..count);
            ((positions, velocities), audios, churn)
        },
        |((positions, velocities), audios, churn)| {
            let (losers, gainers) = churn.turn();
            for &entity in losers {
                audios.remove(entity);
            }
            for &entity in gainers {
                audios.insert(entity, Audio(Vec3::ONE));
            }
            move_all(&mut positions.set, &velocities.set);
            let mut sum = 0.0;
            each(positions.both(audios), |entity| sum += positions.x(entity) * audios.x(entity));
            sum
        },
    );
}

/// Sets that were filled in one order are in step. That is found by one look at both dense arrays,
/// instead of two at the sparse ones for each entity.
fn move_all(positions: &mut Set<Position>, velocities: &Set<Velocity>) {
    if positions.dense == velocities.dense {
        for (p, v) in positions.values.iter_mut().zip(&velocities.values) {
            p.0 += v.0;
        }
        return;
    }
    for (&entity, p) in positions.dense.iter().zip(&mut positions.values) {
        if let Some(v) = velocities.get(entity as usize) {
            p.0 += v.0;
        }
    }
}

/// Parents and children as the author of `EnTT` published it, which `EnTT` leaves to its users. Each entity has links to
/// its parent, to its first child and to the siblings beside it. A link to the last child is added, as the others keep
/// children in order, too.
#[derive(Clone, Copy)]
struct Links {
    parent: u32,
    first: u32,
    last: u32,
    before: u32,
    after: u32,
}

struct Linked(Vec<Links>);

fn relations(floor: &mut Library) {
    for ([attach_row, detach_row], siblings) in scene::SIBLINGS {
        let family = move || Family::new(Linked(Vec::new()), siblings, spawn_linked, attach);
        floor.add_checked(attach_row, family, |it| it.move_all(attach), |it| it.check(children));
        floor.add_checked(
            detach_row,
            family,
            |it| it.part_all(detach, attach),
            |it| it.check(children),
        );
    }
}

fn spawn_linked(Linked(world): &mut Linked) -> u32 {
    world.push(Links { parent: NONE, first: NONE, last: NONE, before: NONE, after: NONE });
    index(world.len() - 1)
}

fn attach(linked: &mut Linked, child: u32, parent: u32) {
    if linked.0[child as usize].parent == parent {
        return;
    }
    detach(linked, child);
    let Linked(world) = linked;
    let before = core::mem::replace(&mut world[parent as usize].last, child);
    match world.get_mut(before as usize) {
        Some(before) => before.after = child,
        None => world[parent as usize].first = child,
    }
    let links = &mut world[child as usize];
    (links.parent, links.before) = (parent, before);
}

fn detach(Linked(world): &mut Linked, child: u32) {
    let Links { parent, before, after, .. } = world[child as usize];
    if parent == NONE {
        return;
    }
    match world.get_mut(before as usize) {
        Some(before) => before.after = after,
        None => world[parent as usize].first = after,
    }
    match world.get_mut(after as usize) {
        Some(after) => after.before = before,
        None => world[parent as usize].last = before,
    }
    let links = &mut world[child as usize];
    (links.parent, links.before, links.after) = (NONE, NONE, NONE);
}

fn children(Linked(world): &Linked, parent: u32) -> Vec<u32> {
    let linked = |at: u32| (at != NONE).then_some(at);
    let first = linked(world[parent as usize].first);
    core::iter::successors(first, |at| linked(world[*at as usize].after)).collect()
}
