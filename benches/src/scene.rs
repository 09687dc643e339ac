//! The contents of scenes, by entity numbers: every library builds equal worlds from them.

use crate::components::{
    Audio, Colour, Force, Matrix, Position, Proximity, Rotation, Scale, Telling, Vec3, Velocity,
};
use crate::workload::Workload;

/// Entities with `Position` and `Velocity`: the workload's name and how many.
pub const MOVERS: [(&str, usize); 5] = [
    ("iter_1k", 1_000),
    ("simple_iter", 10_000),
    ("iter_100k", 100_000),
    ("iter_1m", 1_000_000),
    ("iter_10m", 10_000_000),
];

/// The movers of the scene where each has ended and another has begun.
pub const CHURNED: usize = 100_000;

/// The entities of the scenes with one, four and eight terms, each with eight components.
pub const WIDE: usize = 100_000;

/// The entities of each of the 26 kinds.
pub const KIND: usize = 20;

/// The movers of the scene with up to 1,024 combinations of components.
pub const TAGGED: usize = 100_000;

/// The entities that are inserted, and the entities that gain and lose a component.
pub const FEW: usize = 10_000;

/// The entities that are read by handle, and the entities that are spawned and despawned.
pub const MANY: usize = 1_000_000;

/// The workloads of [`FEW`] children, and how many are one parent's.
pub const SIBLINGS: [([&str; 2], usize); 3] = [
    (["relations_attach_10", "relations_detach_10"], 10),
    (["relations_attach_100", "relations_detach_100"], 100),
    (["relations_attach_10k", "relations_detach_10k"], FEW),
];

/// The links of a long chain.
pub const CHAIN: usize = 100_000;

/// Parents twice as many as needed; the first half and the second have the children by turns.
pub struct Family<W, E> {
    /// The world of the entities.
    pub world: W,
    /// One half, then the other.
    pub parents: Vec<E>,
    /// In the order in which they were made.
    pub children: Vec<E>,
    /// The entities, shuffled.
    pub shuffled: Vec<E>,
    /// `true` if they are at the second half of the parents.
    pub moved: bool,
}

impl<W, E: Copy> Family<W, E> {
    /// A world with [`FEW`] children, this many a parent.
    pub fn new(
        mut world: W,
        siblings: usize,
        spawn: fn(&mut W) -> E,
        attach: fn(&mut W, E, E),
    ) -> Self {
        let parents: Vec<E> = (0..FEW / siblings * 2).map(|_| spawn(&mut world)).collect();
        let children: Vec<E> = (0..FEW).map(|_| spawn(&mut world)).collect();
        let mut shuffled = children.clone();
        shuffle(&mut shuffled, 9);
        let mut family = Self { world, parents, children, shuffled, moved: true };
        family.move_all(attach);
        family
    }

    /// Moves each child to a parent of the other half.
    pub fn move_all(&mut self, attach: fn(&mut W, E, E)) -> usize {
        let (first, second) = self.parents.split_at(self.parents.len() / 2);
        let parents = if self.moved { first } else { second };
        for (at, &child) in self.children.iter().enumerate() {
            attach(&mut self.world, child, parents[at % parents.len()]);
        }
        self.moved = !self.moved;
        parents.len()
    }

    /// Detaches all, in random order, and attaches them again.
    pub fn part_all(&mut self, detach: fn(&mut W, E), attach: fn(&mut W, E, E)) -> usize {
        for &child in &self.shuffled {
            detach(&mut self.world, child);
        }
        self.move_all(attach)
    }

    /// Returns a hash of the children of all parents, in their order.
    pub fn check(&mut self, children: fn(&W, E) -> Vec<E>) -> usize
    where
        E: PartialEq,
    {
        let mut sum = 0_usize;
        for &parent in &self.parents {
            for (at, child) in children(&self.world, parent).into_iter().enumerate().take(8) {
                let number = self.children.iter().position(|it| *it == child).expect("a child");
                sum = sum.wrapping_mul(31).wrapping_add(number + at);
            }
        }
        sum
    }
}

/// The bundle of `simple_insert`: a matrix and three vectors, 100 bytes.
pub const fn mesh() -> (Matrix, Position, Rotation, Velocity) {
    (Matrix([1.0; 16]), Position(Vec3::ONE), Rotation(Vec3::ONE), Velocity(Vec3::ONE))
}

/// The bundle of `spawn_despawn`.
pub const fn mover() -> (Position, Velocity) {
    (Position(Vec3::ONE), Velocity(Vec3::ONE))
}

/// The handles that [`MANY`] spawns in a new world give, shuffled. Each new world gives the same.
pub fn shuffled<E>(mut spawn: impl FnMut() -> E) -> Vec<E> {
    let mut entities: Vec<_> = (0..MANY).map(|_| spawn()).collect();
    shuffle(&mut entities, 2);
    entities
}

/// The handles of a batch, shuffled as in [`shuffled`].
pub fn shuffled_batch<E>(batch: impl IntoIterator<Item = E>) -> Vec<E> {
    let mut batch = batch.into_iter();
    shuffled(|| batch.next().expect("as many as are spawned"))
}

/// Returns a world whose entities were despawned in random order, each followed by a spawn.
pub fn churned<W, E>(
    (mut world, mut entities): (W, Vec<E>),
    replace: impl Fn(&mut W, E, (Position, Velocity)) -> E,
) -> W {
    shuffle(&mut entities, 3);
    for (at, entity) in entities.into_iter().enumerate() {
        replace(&mut world, entity, (Position::of(at), Velocity::of(at)));
    }
    world
}

/// A world and its entities in random order, in which they are to be read or [replaced](respawn).
pub fn in_random_order<W, E>((world, mut entities): (W, Vec<E>)) -> (W, Vec<E>) {
    shuffle(&mut entities, 1);
    (world, entities)
}

/// Replaces each entity by another; how many.
#[inline]
pub fn respawn<W, E: Copy>(
    (world, entities): &mut (W, Vec<E>),
    replace: impl Fn(&mut W, E, (Position, Velocity)) -> E,
) -> usize {
    for entity in &mut *entities {
        *entity = replace(world, *entity, mover());
    }
    entities.len()
}

/// An edit of an entity, where commands of different kinds are recorded.
#[derive(Clone, Copy, Debug)]
pub enum Edit {
    /// It is given a component.
    Add,
    /// It loses that component.
    Remove,
    /// It is despawned, and another one is spawned.
    Respawn,
}

/// Returns the edit of the entity at this place, in this turn. Neighbours get different edits.
#[must_use]
pub const fn edit(at: usize, turn: usize) -> Edit {
    match (at + turn) % 3 {
        0 => Edit::Add,
        1 => Edit::Remove,
        _ => Edit::Respawn,
    }
}

/// The bundles of a batch of [`MANY`].
pub fn batch_of_movers() -> impl ExactSizeIterator<Item = (Position, Velocity)> {
    std::iter::repeat_n(mover(), MANY)
}

/// Returns `true` if a tagged mover has the letter of this number: each of A to J half of the time.
pub const fn has_tag(entity: usize, letter: u32) -> bool {
    letter < 10 && (mix(entity as u64) >> 32 >> letter) & 1 == 1
}

/// The components of a wide entity.
pub fn wide(entity: usize) -> Wide {
    (
        Position::of(entity),
        Velocity::of(entity),
        Proximity::of(entity),
        Audio::of(entity),
        Rotation::of(entity),
        Scale::of(entity),
        Colour::of(entity),
        Force::of(entity),
    )
}

/// See [`wide`].
pub type Wide = (Position, Velocity, Proximity, Audio, Rotation, Scale, Colour, Force);

/// The loop with several terms.
#[inline]
pub fn add<const N: usize>(position: &mut Position, others: [Vec3; N]) {
    for other in others {
        position.0 += other;
    }
}

/// Entities, some with some components: first all entities are spawned, then each component is
/// inserted into its members, in entity order or shuffled.
#[derive(Clone, Copy, Debug)]
pub struct Join {
    pub name: &'static str,
    pub entities: usize,
    pub shuffled: bool,
    /// For each component whether an entity has it, from the component's and the entity's number.
    /// The components are `Proximity`, `Audio`, `Position` and `Velocity`.
    members: &'static [fn(u64, usize) -> bool],
}

const TENTHS: &[fn(u64, usize) -> bool] = &[percent::<10>, percent::<10>];
const ALL_HALF: &[fn(u64, usize) -> bool] = &[percent::<100>, percent::<50>];

/// The scene of the count, in entity order.
pub const COUNT: Join =
    Join { name: "join_1m", entities: 1_000_000, shuffled: false, members: TENTHS };

/// The scene of the optional and the excluded term.
pub const SHUFFLED: Join = Join { shuffled: true, ..COUNT };

/// The scenes of the joins of two components.
pub const JOINS: [Join; 13] = [
    Join { name: "join_sum_1m", ..COUNT },
    Join { name: "join_all_half_100", entities: 100, members: ALL_HALF, ..COUNT },
    Join { name: "join_all_half_10k", entities: 10_000, members: ALL_HALF, ..COUNT },
    Join { name: "join_shuffled_1k", entities: 1_000, ..SHUFFLED },
    Join { name: "join_shuffled_10k", entities: 10_000, ..SHUFFLED },
    Join { name: "join_shuffled_100k", entities: 100_000, ..SHUFFLED },
    Join { name: "join_shuffled_1m", ..SHUFFLED },
    Join { name: "join_shuffled_10m", entities: 10_000_000, ..SHUFFLED },
    Join { name: "join_dense_1m", members: &[percent::<100>, percent::<100>], ..SHUFFLED },
    HALF,
    Join { name: "join_needle_1m", members: &[|_, at| at == NEEDLE, percent::<100>], ..SHUFFLED },
    Join {
        name: "join_one_match_1m",
        members: &[|_, at| at % 2 == 0, |_, at| at % 2 == 1 || at == NEEDLE],
        ..SHUFFLED
    },
    Join {
        name: "join_hostile_1m",
        members: &[|_, at| at % 64 == 0, |_, at| at % 64 == at / 64 % 2],
        ..SHUFFLED
    },
];

/// The scene of the join of four components.
pub const JOIN4: Join = Join {
    name: "join4_1m",
    members: &[percent::<50>, percent::<25>, percent::<12>, percent::<6>],
    ..SHUFFLED
};

/// An even entity far from both ends.
const NEEDLE: usize = 777_776;

fn percent<const SHARE: u64>(salt: u64, entity: usize) -> bool {
    (mix(entity as u64 ^ (salt << 32)) >> 32) % 100 < SHARE
}

impl Join {
    /// The entities that have the component of this number, in the order of insertion.
    pub fn members(&self, component: usize) -> Vec<usize> {
        let Some(has) = self.members.get(component) else {
            return Vec::new();
        };
        let salt = component as u64 + 1;
        let mut members: Vec<_> = (0..self.entities).filter(|&entity| has(salt, entity)).collect();
        if self.shuffled {
            shuffle(&mut members, salt);
        }
        members
    }

    /// The entities that have the first `components` components, in entity order.
    pub fn matches(&self, components: usize) -> impl Iterator<Item = usize> + use<> {
        let has = &self.members[..components];
        let matching = move |entity| (1..).zip(has).all(|(salt, has)| has(salt, entity));
        (0..self.entities).filter(move |&entity| matching(entity))
    }
}

/// Entities that are spawned in order, each with all of its components, and never edited: all have a `Position`, some a
/// `Velocity`, half a `Rotation`.
#[derive(Clone, Copy, Debug)]
pub struct Spawned {
    pub workload: Workload,
    pub entities: usize,
    /// The share, in hundredths, that has a `Velocity`.
    percent: u64,
    /// `true` if velocities are turned by rotations, or else positions are moved by velocities.
    pub turns: bool,
}

macro_rules! spawned {
    ($size:literal $entities:literal) => {
        spawned!($size $entities: 1 10 50 90)
    };
    ($size:literal $entities:literal: $($percent:literal)*) => {[$(
        Spawned {
            workload: Workload {
                name: concat!("spawned_all_", $percent, "pct_", $size),
                about: concat!(
                    $size, " entities, spawned in order, never edited: all × ", $percent, "%, a += b"
                ),
            },
            entities: $entities,
            percent: $percent,
            turns: false,
        },
        Spawned {
            workload: Workload {
                name: concat!("spawned_", $percent, "pct_half_", $size),
                about: concat!(
                    $size, " entities, spawned in order, never edited: ", $percent, "% × half, b += c"
                ),
            },
            entities: $entities,
            percent: $percent,
            turns: true,
        },
    )*]};
}

/// The scenes of spawned entities.
pub const SPAWNED: [[Spawned; 8]; 3] =
    [spawned!("10k" 10_000), spawned!("100k" 100_000), spawned!("1m" 1_000_000)];

impl Spawned {
    /// Returns `true` if the entity of this number has a `Velocity`, and if it has a `Rotation`.
    pub const fn has(&self, entity: usize) -> (bool, bool) {
        let random = mix(entity as u64);
        ((random >> 32) % 100 < self.percent, random & 1 == 1)
    }
}

/// Hands the components of the spawned entity of this number to a macro.
macro_rules! for_spawned {
    ($spawned:expr, $at:expr, $macro:ident) => {
        match $spawned.has($at) {
            (false, false) => $macro!(Position),
            (true, false) => $macro!(Position, Velocity),
            (false, true) => $macro!(Position, Rotation),
            (true, true) => $macro!(Position, Velocity, Rotation),
        }
    };
}
pub(crate) use for_spawned;

/// Entities of 500 kinds in random order, each kind with some of twelve components.
#[derive(Clone, Copy, Debug)]
pub struct Fragments {
    pub workload: Workload,
    entities: usize,
}

pub const FRAGMENTS: [Fragments; 2] = [
    Fragments {
        workload: Workload {
            name: "fragmented_15k",
            about: "15k entities of 500 random subsets of 12 components, 12 loops over two of them",
        },
        entities: 15_000,
    },
    Fragments {
        workload: Workload { name: "fragmented_150k", about: "the same of 150k entities" },
        entities: 150_000,
    },
];

impl Fragments {
    /// Returns the components of each entity: one bit for each letter.
    pub fn letters(&self) -> Vec<u32> {
        let mut subsets: Vec<u32> = (1..1 << 12).collect();
        shuffle(&mut subsets, 11);
        let kinds = &subsets[..500];
        let kind = |entity| (mix(entity as u64) >> 32) as usize % kinds.len();
        (0..self.entities).map(|entity| kinds[kind(entity)]).collect()
    }
}

/// Hands the twelve pairs of letters that are joined to a macro, each with a name.
macro_rules! for_pairs {
    ($macro:ident) => {
        $macro!(
            ab A B, bc B C, cd C D, de D E, ef E F, fg F G, gh G H, hi H I, ij I J, jk J K, kl K L,
            la L A,
        )
    };
}
pub(crate) use for_pairs;

/// The loop over a pair.
#[inline]
pub fn blend(into: &mut f32, other: f32) {
    *into = *into * 0.5 + other;
}

/// Keys to sort components by, in two random orders that alternate.
#[derive(Clone, Copy, Debug, Default)]
pub struct Orders {
    turns: usize,
}

impl Orders {
    /// The key of a number, in the next order.
    pub fn next(&mut self) -> impl Fn(f32) -> u32 + Copy + use<> {
        let factor = [0x9e37_79b1, 0x85eb_ca6b][self.turns % 2];
        self.turns += 1;
        move |number| number.to_bits().wrapping_mul(factor)
    }
}

/// A factor for a field, alternating, so that the field keeps its value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Factors {
    is_odd: bool,
}

impl Factors {
    pub fn next(&mut self) -> f32 {
        self.is_odd = !self.is_odd;
        if self.is_odd { 0.5 } else { 2.0 }
    }
}

/// The numbers to be sorted: all different.
#[expect(clippy::cast_precision_loss, reason = "all are below 2^24")]
pub fn numbers() -> impl Iterator<Item = f32> {
    (0..MANY).map(|number| number as f32)
}

/// Returns a number that distinguishes orders of sorted numbers.
pub fn ends(sorted: impl Fn(usize) -> f32) -> f32 {
    sorted(0) + 2.0 * sorted(MANY / 2) + 3.0 * sorted(MANY - 1)
}

/// Returns the order of insertion of a component whose pool determines the order of others.
pub fn order(seed: u64) -> Vec<usize> {
    let mut order: Vec<_> = (0..MANY).collect();
    shuffle(&mut order, seed);
    order
}

/// The light loops that threads share: the workload's name and how many movers there are.
pub const LIGHT: [(&str, usize); 4] =
    [("loop_1k", 1_000), ("loop_30k", 30_000), ("loop_100k", 100_000), ("loop_1m", MANY)];

/// Loops with more work for each item.
pub const MEDIUM: [(&str, usize); 2] = [("loop_30k_medium", 30_000), ("loop_1m_medium", MANY)];

/// The slow loop, and its number of items.
pub const SLOW: (&str, usize) = ("loop_64_slow", 64);

/// The shuffled join that threads share.
pub const SHARED_JOIN: Join = Join { name: "loop_join_1m", ..HALF };

const HALF: Join =
    Join { name: "join_half_1m", members: &[percent::<50>, percent::<50>], ..SHUFFLED };

/// The number of entities of the two heavy systems, which access different components.
pub const HEAVY: usize = 100_000;

/// The one.
#[inline]
pub fn steer(position: &mut Position, velocity: &Velocity) {
    let (at, by) = (&mut position.0, velocity.0);
    *at = Vec3 { x: (at.x + by.x).sin(), y: (at.y + by.y).sin(), z: (at.z + by.z).sin() };
}

/// The other one, which takes about as long.
#[inline]
pub fn turn(rotation: &mut Rotation, force: &Force) {
    let (at, by) = (&mut rotation.0, force.0);
    *at = Vec3 { x: (at.x + by.x).cos(), y: (at.y + by.y).cos(), z: (at.z + by.z).cos() };
}

/// Returns the components of both heavy systems.
pub fn heavy(entity: usize) -> (Position, Velocity, Rotation, Force) {
    (Position::of(entity), Velocity::of(entity), Rotation::of(entity), Force::of(entity))
}

/// The loop that takes some 3 ns an entity.
#[inline]
pub fn glide(position: &mut Position, velocity: &Velocity) {
    let Vec3 { x, y, z } = velocity.0;
    let speed = (x * x + y * y + z * z).sqrt() + 1.0;
    let at = &mut position.0;
    let glide = |at: f32, by: f32| (at + by / speed).sqrt() + 0.5;
    *at = Vec3 { x: glide(at.x, x), y: glide(at.y, y), z: glide(at.z, z) };
}

/// Takes some 10 µs, as each step waits for the one before.
#[inline]
pub fn toil(position: &mut Position, velocity: &Velocity) {
    for _ in 0..1_500 {
        position.0.x = (position.0.x + velocity.0.x).sqrt() + 0.5;
    }
}

/// Returns a hash of values that are no whole numbers, equal in any order.
pub fn bits(values: impl Iterator<Item = Vec3>) -> usize {
    values.fold(0, |sum: usize, Vec3 { x, y, z }| {
        [x, y, z].iter().fold(sum, |sum, part| sum.wrapping_add(part.to_bits() as usize))
    })
}

/// Hands the numbers of a hundred systems to a macro, behind its other arguments.
macro_rules! for_hundred {
    ($macro:ident! $($given:tt)*) => {
        $macro!($($given)* [
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33
            34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
            65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95
            96 97 98 99
        ]);
    };
}
pub(crate) use for_hundred;

/// Movers whose changes are read: the workload's name and their number.
pub const TRACKED: [(&str, usize); 2] = [("tracked_10k", 10_000), ("tracked_1m", MANY)];

/// The number of readers that take the changes of [`Changed::ALL`]'s first case: the workload's name and their number.
pub const ADVANCED: [(&str, usize); 3] = [("advance_1", 1), ("advance_4", 4), ("advance_16", 16)];

/// Which of [`MANY`] entities changed.
#[derive(Clone, Copy, Debug)]
pub struct Changed {
    pub name: &'static str,
    /// One of a hundred, in random order; or else the first ones.
    at_random: bool,
    count: usize,
}

impl Changed {
    pub const ALL: [Self; 3] = [
        Self { name: "changed_1m_random", at_random: true, count: MANY / 100 },
        Self { name: "changed_1m_run", at_random: false, count: MANY / 100 },
        Self { name: "changed_1m_none", at_random: false, count: 0 },
    ];

    /// The numbers of the changed entities.
    #[must_use]
    pub fn members(&self) -> Vec<usize> {
        let all = if self.at_random { order(5) } else { (0..MANY).collect() };
        all.into_iter().take(self.count).collect()
    }
}

/// A frame's losers and gainers of a component: each 1% of the entities. A tenth of them have it
/// at any time.
#[derive(Debug)]
pub struct Churn<E> {
    order: Vec<E>,
    oldest: usize,
}

impl<E> Churn<E> {
    pub const ENTITIES: usize = 200_000;
    const PART: usize = Self::ENTITIES / 100;
    const HELD: usize = 10 * Self::PART;

    /// # Panics
    /// Unless there are [`ENTITIES`](Self::ENTITIES) of them.
    pub fn new(mut entities: Vec<E>) -> Self {
        assert_eq!(entities.len(), Self::ENTITIES, "as many as are turned over");
        shuffle(&mut entities, 7);
        Self { order: entities, oldest: 0 }
    }

    /// Returns the entities that have the component before the first frame.
    pub fn first(&self) -> &[E] {
        &self.order[..Self::HELD]
    }

    /// The next frame's losers and gainers.
    #[inline]
    pub fn turn(&mut self) -> (&[E], &[E]) {
        let gain = (self.oldest + Self::HELD) % Self::ENTITIES;
        let lose = self.oldest;
        self.oldest = (lose + Self::PART) % Self::ENTITIES;
        (&self.order[lose..lose + Self::PART], &self.order[gain..gain + Self::PART])
    }
}

/// Puts `items` in an order that depends on their number and `seed` only.
pub fn shuffle<T>(items: &mut [T], seed: u64) {
    for last in (1..items.len()).rev() {
        let random = mix(seed.wrapping_mul(0x1000_0000_01b3) ^ last as u64) >> 32;
        items.swap(last, (random % (last as u64 + 1)) as usize);
    }
}

/// Returns a number that looks random.
pub const fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::{FRAGMENTS, SPAWNED};
    use std::collections::BTreeSet;

    #[test]
    fn fragments_are_of_500_kinds() {
        for fragments in FRAGMENTS {
            let kinds: BTreeSet<u32> = fragments.letters().into_iter().collect();
            assert_eq!(kinds.len(), 500);
        }
    }

    #[test]
    fn spawned_entities_have_components_by_chance() {
        let [small, ..] = SPAWNED;
        for spawned in small {
            let is_near = |has: fn((bool, bool)) -> bool, percent: u64| {
                let count = (0..10_000).filter(|&at| has(spawned.has(at))).count() as u64;
                count.abs_diff(percent * 100) < 200
            };
            assert!(is_near(|(velocity, _)| velocity, spawned.percent));
            assert!(is_near(|(_, rotation)| rotation, 50));
            assert!(is_near(|both| both == (true, true), spawned.percent / 2));
        }
    }
}
