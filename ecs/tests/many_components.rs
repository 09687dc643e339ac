//! More component types than a word has bits, and more than a set of them has places. A binary of its
//! own: component types are numbered in the order in which the process first uses them.

use ecs::by_name::{self, Despawned, FieldValue, Fields};
use ecs::save::{Delta, Limits};
use ecs::{ChildOf, Component, Entity, Group, PlanKind, World};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A component type for each number.
#[derive(Component, Debug, PartialEq)]
struct Numbered<const N: usize>(u32);

/// Numbers that look random and are the same in every run: Marsaglia's xorshift (2003).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).expect("below the limit")
    }
}

/// Operations on one of them.
struct Kind {
    insert: fn(&mut World, Entity, u32),
    insert_batch: fn(&mut World, &[Entity], u32),
    remove: fn(&mut World, Entity) -> Option<u32>,
    remove_batch: fn(&mut World, &[Entity]) -> usize,
    get: fn(&World, Entity) -> Option<u32>,
    has: fn(&World, Entity) -> bool,
    sum: fn(&World) -> (usize, u32),
}

impl Kind {
    const fn of<const N: usize>() -> Self {
        Self {
            insert: |world, entity, value| world.insert(entity, Numbered::<N>(value)).unwrap(),
            insert_batch: |world, entities, value| {
                let rows = entities.iter().map(|&entity| (entity, Numbered::<N>(value)));
                world.insert_batch(rows).unwrap();
            },
            remove: |world, entity| world.remove::<Numbered<N>>(entity).map(|removed| removed.0),
            remove_batch: |world, entities| world.remove_batch::<Numbered<N>>(entities),
            get: |world, entity| world.get::<Numbered<N>>(entity).map(|numbered| numbered.0),
            has: |world, entity| world.has::<Numbered<N>>(entity),
            sum: |world| {
                let (mut count, mut sum) = (0, 0);
                for (_, numbered) in world.view::<Numbered<N>>() {
                    count += 1;
                    sum += numbered.0;
                }
                (count, sum)
            },
        }
    }
}

/// Makes the pools of all kinds, in their order, so that each kind's number is one more than its own.
fn number_all(world: &World) {
    macro_rules! ask_for {
        ($($hundred:literal)*) => { $(ask_for!($hundred: 0 1 2 3 4 5 6 7 8 9);)* };
        ($hundred:literal: $($ten:literal)*) => {
            $(ask_for!($hundred, $ten: 0 1 2 3 4 5 6 7 8 9);)*
        };
        ($hundred:literal, $ten:literal: $($one:literal)*) => {
            $(assert!(world.pool::<Numbered<{ $hundred * 100 + $ten * 10 + $one }>>().is_empty());)*
        };
    }
    ask_for!(0 1 2 3 4 5 6 7 8 9);
}

macro_rules! kinds {
    ($($number:literal)*) => { [$(($number, Kind::of::<$number>())),*] };
}

/// Kinds around the borders: of a word, and of a set, in which the numbers from 255 on share a place.
const KINDS: [(usize, Kind); 20] =
    kinds!(0 1 2 62 63 64 65 127 128 253 254 255 256 257 258 990 996 997 998 999);

/// A world beside its expected content: for each entity the values of its kinds.
#[derive(Default)]
struct Both {
    world: World,
    model: BTreeMap<Entity, BTreeMap<usize, u32>>,
}

impl Both {
    /// A world of this many entities, with a component of each kind.
    fn with(entities: usize) -> Self {
        let mut both = Self::default();
        number_all(&both.world);
        for _ in 0..entities {
            both.model.insert(both.world.spawn_empty().id(), BTreeMap::new());
        }
        for (number, kind) in &KINDS {
            let entity = both.some(*number);
            (kind.insert)(&mut both.world, entity, 7);
            both.model.get_mut(&entity).unwrap().insert(*number, 7);
        }
        both.world.check_invariants();
        both
    }

    /// One of the entities.
    fn some(&self, at: usize) -> Entity {
        *self.model.keys().nth(at % self.model.len()).unwrap()
    }

    /// Every seventh entity, from some one on.
    fn several(&self, random: &mut Random) -> Vec<Entity> {
        self.model.keys().copied().skip(random.below(7)).step_by(7).collect()
    }

    fn step(&mut self, random: &mut Random) {
        let entity = self.some(random.below(1_000));
        // Most edits are of the kinds that groups are about.
        let at = match random.below(3) {
            0 => random.below(KINDS.len()),
            _ => KINDS.len() - 1 - random.below(4),
        };
        let (number, ref kind) = KINDS[at];
        let value = u32::try_from(random.below(1_000)).unwrap();
        match random.below(20) {
            0..8 => {
                (kind.insert)(&mut self.world, entity, value);
                self.model.get_mut(&entity).unwrap().insert(number, value);
            }
            8..14 => {
                let removed = self.model.get_mut(&entity).unwrap().remove(&number);
                assert_eq!((kind.remove)(&mut self.world, entity), removed);
            }
            14 => {
                let some = self.several(random);
                (kind.insert_batch)(&mut self.world, &some, value);
                for entity in some {
                    self.model.get_mut(&entity).unwrap().insert(number, value);
                }
            }
            15 => {
                let some = self.several(random);
                let mut remove = |entity| self.model.get_mut(entity).unwrap().remove(&number);
                let removed = some.iter().filter_map(&mut remove).count();
                assert_eq!((kind.remove_batch)(&mut self.world, &some), removed);
            }
            16 => {
                let some = self.several(random);
                assert_eq!(self.world.despawn_batch(&some), some.len());
                self.model.retain(|entity, _| !some.contains(entity));
                let made = self.world.spawn_batch(some.iter().map(|_| Numbered::<LAST>(value)));
                let row = BTreeMap::from([(LAST, value)]);
                self.model.extend(made.into_iter().map(|entity| (entity, row.clone())));
            }
            17 => {
                let row = BTreeMap::from([(1, value), (LAST - 1, value), (LAST, value)]);
                let bundle = (Numbered::<1>(value), Numbered::<{ LAST - 1 }>(value));
                let made = self.world.spawn((bundle, Numbered::<LAST>(value))).id();
                self.model.insert(made, row);
            }
            _ => {
                self.world.despawn(entity).unwrap();
                self.model.remove(&entity);
                assert!(!(kind.has)(&self.world, entity));
                self.model.insert(self.world.spawn_empty().id(), BTreeMap::new());
            }
        }
    }

    #[track_caller]
    fn check(&self) {
        self.world.check_invariants();
        assert_eq!(self.world.len(), self.model.len());
        let mut sums = [(0, 0); KINDS.len()];
        for (&entity, row) in &self.model {
            assert_eq!(self.world.components(entity).count(), row.len());
            for ((number, kind), sum) in KINDS.iter().zip(&mut sums) {
                let value = row.get(number).copied();
                assert_eq!((kind.get)(&self.world, entity), value, "kind {number} of {entity}");
                assert_eq!((kind.has)(&self.world, entity), value.is_some());
                if let Some(value) = value {
                    sum.0 += 1;
                    sum.1 += value;
                }
            }
        }
        for ((_, kind), sum) in KINDS.iter().zip(sums) {
            assert_eq!((kind.sum)(&self.world), sum);
        }
        self.check_joins();
    }

    /// Joins across the numbers; a group may keep one.
    #[track_caller]
    fn check_joins(&self) {
        let with = |all: &[usize], none: &[usize]| -> Vec<Entity> {
            let fits = |row: &BTreeMap<usize, u32>| {
                all.iter().all(|number| row.contains_key(number))
                    && !none.iter().any(|number| row.contains_key(number))
            };
            self.model.iter().filter(|(_, row)| fits(row)).map(|(entity, _)| *entity).collect()
        };
        macro_rules! check {
            ([$($all:expr),*] without [$($none:expr),*]) => {
                let world = &self.world;
                let view = world.view::<($(&Numbered<{ $all }>,)*)>()
                    $(.without::<Numbered<{ $none }>>())*;
                let expected = with(&[$($all),*], &[$($none),*]);
                assert_eq!(view.count(), expected.len());
                let mut found: Vec<_> = view.into_iter().map(|item| item.0).collect();
                found.sort_unstable();
                assert_eq!(found, expected);
            };
        }
        check!([LAST, LAST - 1] without []);
        check!([LAST, LAST - 1, LAST - 2] without []);
        check!([LAST - 1] without [LAST]);
        check!([1, LAST] without []);
        check!([LAST - 3, LAST] without [LAST - 2]);
        check!([LAST, 1] without [LAST - 3, 2]);
    }

    /// Takes entities out and gives them back, which leaves the orders of pools and groups.
    fn take_and_restore(&mut self, random: &mut Random) {
        let taken: Vec<Entity> = (0..3).map(|_| self.some(random.below(1_000))).collect();
        let orders = |world: &World| -> [Vec<Entity>; 3] {
            [
                world.view::<&Numbered<LAST>>().into_iter().map(|item| item.0).collect(),
                world.view::<&Numbered<{ LAST - 1 }>>().into_iter().map(|item| item.0).collect(),
                world
                    .view::<(&Numbered<{ LAST - 3 }>, &Numbered<LAST>)>()
                    .into_iter()
                    .map(|item| item.0)
                    .collect(),
            ]
        };
        let before = orders(&self.world);
        let undone: Vec<Despawned> =
            taken.iter().flat_map(|it| self.world.take_entity(*it)).collect();
        self.world.check_invariants();
        undone.into_iter().rev().for_each(|undone| self.world.restore(undone).unwrap());
        self.world.check_invariants();
        assert_eq!(orders(&self.world), before);
    }

    fn run(&mut self, seed: u64) {
        let mut random = Random(seed);
        for step in 0..600 {
            self.step(&mut random);
            if step % 20 == 0 {
                self.take_and_restore(&mut random);
            }
            if step % 60 == 0 {
                self.check();
            }
        }
        self.check();
    }
}

/// The greatest number of a kind. From it down to `LAST - 3` all are among [`KINDS`].
const LAST: usize = 999;

#[test]
fn a_thousand_component_types() {
    Both::with(200).run(0x9e37_79b9_7f4a_7c15);
}

#[test]
fn groups_of_components_beyond_the_two_hundred_and_fifty_fifth() {
    let mut both = Both::with(150);
    both.world.declare_group(Group::owning::<(Numbered<LAST>, Numbered<{ LAST - 1 }>)>()).unwrap();
    let nested =
        Group::owning::<(Numbered<LAST>, Numbered<{ LAST - 1 }>, Numbered<{ LAST - 2 }>)>();
    both.world.declare_group(nested).unwrap();
    let listed = Group::observing::<(Numbered<{ LAST - 3 }>, Numbered<LAST>)>();
    both.world.declare_group(listed.without::<Numbered<{ LAST - 2 }>>()).unwrap();
    both.world.declare_group(Group::observing::<(Numbered<1>, Numbered<LAST>)>()).unwrap();
    both.run(0xd6e8_feb8_6659_fd93);

    // Declared when there are members, and some that were.
    let mut late = Both::with(150);
    late.run(0x2545_f491_4f6c_dd1d);
    late.world.declare_group(Group::owning::<(Numbered<LAST>, Numbered<1>)>()).unwrap();
    late.world.declare_group(listed).unwrap();
    late.check();
    late.run(0x9e37_79b9_7f4a_7c15);

    late.world.clear();
    late.model.clear();
    late.check();
}

#[test]
fn groups_of_components_around_the_sixty_fourth() {
    type Outer = (Numbered<0>, Numbered<62>, Numbered<63>);
    let mut both = Both::with(100);
    both.world.declare_group(Group::owning::<Outer>().without::<Numbered<64>>()).unwrap();
    both.world.declare_group(Group::observing::<(Numbered<63>, Numbered<127>)>()).unwrap();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..500 {
        let entity = both.some(random.below(1_000));
        let (number, ref kind) = KINDS[random.below(9)];
        let row = both.model.get_mut(&entity).unwrap();
        if random.below(3) > 0 {
            (kind.insert)(&mut both.world, entity, 3);
            row.insert(number, 3);
        } else {
            assert_eq!((kind.remove)(&mut both.world, entity), row.remove(&number));
        }
        let has = |row: &BTreeMap<_, _>, all: &[usize]| all.iter().all(|it| row.contains_key(it));
        let rows = both.model.values().filter(|row| has(row, &[0, 62, 63]));
        let (with, without): (Vec<_>, Vec<_>) = rows.partition(|row| has(row, &[64]));
        let view = both.world.view::<Outer>();
        assert_eq!(view.count(), with.len() + without.len());
        assert_eq!(view.without::<Numbered<64>>().count(), without.len());
        let listed = both.model.values().filter(|row| has(row, &[63, 127])).count();
        assert_eq!(both.world.view::<(Numbered<63>, Numbered<127>)>().count(), listed);
    }
    both.check();
}

/// Components from number 255 on share a bit in sets.
#[test]
fn groups_are_walked_by_queries_that_read_what_they_own() {
    type Both<'w> = (&'w Numbered<998>, &'w Numbered<999>);
    let mut world = World::new();
    number_all(&world);
    world.spawn_batch((0..300).map(|at| (Numbered::<999>(at), Numbered::<1>(at))));
    world.spawn_batch((0..300).map(|at| (Numbered::<999>(at), Numbered::<998>(at))));
    world.spawn_batch(
        (0..300).map(|at| (Numbered::<1>(at), Numbered::<998>(at), Numbered::<999>(at))),
    );
    let is_walked = |world: &World| {
        [
            world.view::<Both>().explain(),
            world.view::<Both>().with::<Numbered<1>>().explain(),
            world.view::<Both>().with::<Numbered<997>>().explain(),
            world.view::<(&Numbered<998>, Option<&Numbered<999>>)>().explain(),
        ]
        .map(|plan| plan.kind == PlanKind::Group)
    };
    let group = Group::owning::<(Numbered<998>, Numbered<999>)>();
    world.declare_group(group).unwrap();
    assert_eq!(is_walked(&world), [true, false, false, false]);
    world.declare_group(group.with::<Numbered<1>>()).unwrap();
    assert_eq!(is_walked(&world), [true, true, false, false]);
}

/// Components from number 255 on share a bit in sets.
#[test]
fn edits_of_other_components_leave_the_order_of_a_group() {
    let mut world = World::new();
    number_all(&world);
    let group = Group::owning::<Numbered<1>>().without::<Numbered<998>>();
    world.declare_group(group).unwrap();
    let entities = world.spawn_batch((0..3).map(Numbered::<1>));
    world.insert(entities[0], Numbered::<999>(1)).unwrap();
    assert_eq!(world.group(group).unwrap().members(), entities);
    world.insert(entities[0], Numbered::<998>(1)).unwrap();
    assert_eq!(world.group(group).unwrap().len(), 2);
    world.check_invariants();
}

/// The numbers of both components are above 64.
#[test]
fn entities_that_survive_a_delta_keep_their_component_sets() {
    #[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[component(clone, save = "late")]
    struct Late(u32);
    #[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[component(clone, save = "later")]
    struct Later(u32);
    let mut world = World::new();
    number_all(&world);
    let entities = world.spawn_batch((0..30).map(|at| (Late(at), Later(at))));
    world.declare_group(Group::owning::<Later>().without::<Numbered<70>>()).unwrap();
    let old = world.try_clone().unwrap();
    let mut new = world.try_clone().unwrap();
    new.despawn_batch(&entities[3..5]);
    new.spawn_batch((0..40).map(Late));
    new.insert(entities[0], Late(100)).unwrap();
    let delta = Delta::between(&old, &new).unwrap();
    world.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
    world.check_invariants();
    assert_eq!(world.view::<(&Late, &Later)>().count(), 28);
    world.despawn(entities[0]).unwrap();
    assert_eq!(world.despawn_batch(&entities[5..20]), 15);
    world.check_invariants();
    assert_eq!((world.pool::<Late>().len(), world.pool::<Later>().len()), (52, 12));
    world.insert(entities[1], Numbered::<70>(1)).unwrap();
    world.check_invariants();
    assert_eq!(world.groups().next().unwrap().len(), 11);
    assert_eq!(world.components(entities[2]).count(), 2);
}

/// The last components share a place in the sets of components.
#[test]
fn a_batch_of_removals_leaves_the_other_components_in_the_sets() {
    type Pair = (Numbered<LAST>, Numbered<{ LAST - 1 }>);
    for group in [None, Some(Group::owning::<Pair>())] {
        let mut world = World::new();
        number_all(&world);
        if let Some(group) = group {
            world.declare_group(group).unwrap();
        }
        let pairs = (0..100).map(|at| (Numbered::<LAST>(at), Numbered::<{ LAST - 1 }>(at)));
        let entities = world.spawn_batch(pairs);
        assert_eq!(world.remove_batch::<Numbered<LAST>>(&entities[..60]), 60);
        world.check_invariants();
        assert_eq!(world.components(entities[0]).count(), 1);
        assert_eq!(world.despawn_batch(&entities[..50]), 50);
        assert_eq!(world.pool::<Numbered<{ LAST - 1 }>>().len(), 50);
    }
}

/// The relation has a number that shares its bit.
#[test]
fn a_target_takes_its_sources_with_it_whatever_groups_are_declared() {
    type Last = Numbered<LAST>;
    let declare: [fn(&mut World); 3] = [
        |world| world.declare_group(Group::observing::<Last>()).unwrap(),
        |world| world.declare_group(Group::owning::<Numbered<1>>().without::<Last>()).unwrap(),
        |world| world.declare_group(Group::owning::<Last>().with::<ChildOf>()).unwrap(),
    ];
    for declare in declare {
        let mut world = World::new();
        number_all(&world);
        let parent = world.spawn_empty().id();
        let child = world.spawn(ChildOf(parent)).id();
        declare(&mut world);
        world.check_invariants();
        world.despawn(parent).unwrap();
        assert!(!world.is_alive(child) && world.is_empty());
        world.check_invariants();
    }
}

/// The relation shares its bit with the other component, which has a lower number, and which the last source has.
#[test]
fn copied_and_merged_sources_keep_their_order() {
    #[derive(Component, Clone)]
    #[component(clone)]
    struct Late;
    #[derive(Component, Clone)]
    #[component(clone, relation)]
    struct After(Entity);
    let mut world = World::new();
    number_all(&world);
    assert!(world.pool::<Late>().is_empty());
    let parent = world.spawn_empty().id();
    let all = world.spawn_batch((0..3).map(|_| After(parent)));
    world.insert(all[2], Late).unwrap();
    let copies = world.spawn_copies_with::<After>(parent, 2).unwrap();
    let mut other = World::new();
    let new = other.merge(&mut world.try_clone().unwrap()).unwrap();
    let merged = *new.get(parent).unwrap();
    let expected = all.iter().map(|source| *new.get(*source).unwrap());
    assert!(other.related::<After>(merged).eq(expected));
    for copy in copies {
        let sources = world.related::<After>(copy);
        assert!(sources.len() == 3 && sources.is_sorted(), "of the copy {copy}");
    }
    world.check_invariants();
    other.check_invariants();
}

/// Returns how views are walked in a world with groups of these components.
fn plans<A: Component, B: Component, C: Component>(make: fn() -> (A, B, C)) -> Vec<String> {
    let mut world = World::new();
    number_all(&world);
    world.spawn_batch((0..300).map(|_| (make().0, make().1)));
    let both = world.spawn_batch((0..30).map(|_| (make().1, make().2)));
    let all = world.spawn(make()).id();
    let mut found = Vec::new();
    let mut look = |world: &World| {
        let two = world.view::<(&B, &C)>();
        found.push(format!("{:?}", two.as_slices().map(|slices| slices.0.len())));
        let fourth = world.view::<(&B, Option<&C>)>();
        let plans = [
            two.explain(),
            two.with::<A>().explain(),
            world.view::<(&B, &C, Option<&A>)>().explain(),
            fourth.explain(),
            world.view::<(&A, &B)>().explain(),
            world.view::<&B>().with::<C>().without::<A>().explain(),
        ];
        found.extend(plans.map(|plan| format!("{:?} {}", plan.kind, plan.candidates)));
        found.push(format!("{:?}", world.view::<&B>().with::<C>().into_iter().size_hint()));
        assert_eq!(world.view::<(&B, &C)>().with::<A>().count(), 1);
        assert_eq!(world.view::<(&A, &B)>().count(), 301);
        assert_eq!(fourth.into_iter().filter(|item| item.2.is_some()).count(), 31);
    };
    look(&world);
    world.declare_group(Group::owning::<(B, C)>()).unwrap();
    assert_eq!(
        world.group(Group::owning::<(B, C)>()).unwrap().members(),
        [&both[..], &[all]].concat()
    );
    look(&world);
    world.declare_group(Group::owning::<(A, B, C)>()).unwrap();
    look(&world);
    world.drop_group(Group::owning::<(B, C)>()).unwrap();
    world.drop_group(Group::owning::<(A, B, C)>()).unwrap();
    world.declare_group(Group::owning::<B>().with::<C>().without::<A>()).unwrap();
    look(&world);
    world.check_invariants();
    found
}

#[test]
fn groups_of_shared_numbers_serve_the_same_views() {
    let low = plans(|| (Numbered::<1>(1), Numbered::<2>(2), Numbered::<3>(3)));
    assert_eq!(plans(|| (Numbered::<997>(1), Numbered::<998>(2), Numbered::<999>(3))), low);
    assert_eq!(plans(|| (Numbered::<1>(1), Numbered::<998>(2), Numbered::<999>(3))), low);
    assert_eq!(plans(|| (Numbered::<997>(1), Numbered::<998>(2), Numbered::<3>(3))), low);
}

/// A batch of removals that sweeps a pool keeps the order of the others. That holds where the component shares its
/// bit with a relation, or with one that a group owns.
#[test]
fn batches_leave_orders_that_no_number_decides() {
    fn orders<A: Component, B: Component>(make: fn(u32) -> (A, B)) -> [Vec<Entity>; 2] {
        let mut world = World::new();
        number_all(&world);
        world.declare_group(Group::owning::<Numbered<LAST>>()).unwrap();
        let parent = world.spawn_empty().id();
        world.spawn(ChildOf(parent));
        let all = world.spawn_batch((0..20).map(make));
        let some: Vec<Entity> = all.iter().copied().step_by(3).collect();
        world.remove_batch::<A>(&some);
        world.despawn_batch(&all[5..11]);
        world.check_invariants();
        [world.pool::<A>().keys().to_vec(), world.pool::<B>().keys().to_vec()]
    }
    let late = orders(|at| (Numbered::<998>(at), Numbered::<997>(at)));
    assert_eq!(late, orders(|at| (Numbered::<3>(at), Numbered::<4>(at))));
}

#[test]
fn three_hundred_definitions_are_components_like_others() {
    let mut world = World::new();
    let kinds: Vec<by_name::Kind> = (0..300)
        .map(|at| {
            let fields = if at % 3 == 0 { Fields::new() } else { Fields::new().u32("at") };
            world.define(&format!("Many{at}"), fields).unwrap()
        })
        .collect();
    let entities: Vec<Entity> = (0..40).map(|_| world.spawn_empty().id()).collect();
    for (at, kind) in kinds.iter().enumerate() {
        for entity in entities.iter().skip(at % 7).step_by(1 + at % 5) {
            let values = [FieldValue::U32(entity.index())];
            world.insert_fields(*kind, *entity, &values[usize::from(at % 3 == 0)..]).unwrap();
        }
    }
    world.check_invariants();
    let mut random = Random(1);
    for _ in 0..500 {
        let (kind, entity) = (kinds[random.below(300)], entities[random.below(40)]);
        let _ = world.remove_kind(kind, entity);
    }
    world.despawn_batch(&entities[..10]);
    world.check_invariants();
    for (at, kind) in kinds.iter().enumerate().filter(|(at, _)| at % 3 > 0) {
        for entity in world.kind_entities(*kind) {
            let value = world.kind_value(*kind, *entity).unwrap();
            assert_eq!(value.field("at"), Some(FieldValue::U32(entity.index())), "{at}");
        }
    }
    let tag = kinds[0];
    let tagged = world.kind_entities(tag)[0];
    assert_eq!(format!("{:?}", world.kind_value(tag, tagged).unwrap()), "Many0");
    let copy = world.try_clone().unwrap();
    assert_eq!(copy.kind_entities(tag), world.kind_entities(tag));
}

/// Has a number after all others, when it is used here first.
#[derive(Component, Default, Clone, Debug, PartialEq)]
#[component(default, clone)]
struct Late(u32);

#[test]
fn definitions_beyond_the_places_of_a_set_keep_their_rules_and_indexes() {
    let mut world = World::new();
    number_all(&world);
    _ = world.pool_mut::<Late>();
    // Each requires and needs the one before, excludes one far away, and is found by its number.
    let name = |at: usize| format!("Ruled{at}");
    let mut kinds: Vec<by_name::Kind> = Vec::new();
    for at in 0..300 {
        let mut fields = Fields::new().u32("at").index("at");
        if at % 30 > 0 {
            fields = fields.requires(&name(at - 1)).needs(&name(at - 1));
        } else {
            fields = fields.requires("Late");
        }
        if at >= 30 {
            fields = fields.excludes(&name(at - 30));
        }
        kinds.push(world.define(&name(at), fields).unwrap());
    }
    let mut random = Random(7);
    let entities: Vec<Entity> = (0..30).map(|_| world.spawn_empty().id()).collect();
    for round in 0..600 {
        let (at, entity) = (random.below(300), entities[random.below(30)]);
        let has = |world: &World, at: usize| world.kind_value(kinds[at], entity).is_some();
        let chain = at / 30 * 30..=at;
        if round % 3 > 0 {
            let excluded = |other: usize| {
                other.checked_sub(30).is_some_and(|it| has(&world, it))
                    || other + 30 < 300 && has(&world, other + 30)
            };
            let is_free = !chain.clone().any(excluded);
            let inserted = world.insert_fields(kinds[at], entity, &[entity.index().into()]);
            assert_eq!(inserted.is_ok(), is_free, "{at} {inserted:?}");
            if is_free {
                assert!(chain.clone().all(|it| has(&world, it)) && world.has::<Late>(entity));
            }
        } else {
            let is_needed = at % 30 < 29 && has(&world, at + 1);
            let expected = has(&world, at) && !is_needed;
            assert_eq!(world.remove_kind(kinds[at], entity).is_ok(), expected, "{at}");
        }
        if round % 50 == 0 {
            world.check_invariants();
            let found = world.kind_index(kinds[at]).unwrap().get(entity.index()).unwrap();
            let all = world.kind_entities(kinds[at]).iter().copied();
            let value = |it: &Entity| world.kind_value(kinds[at], *it).unwrap().field("at");
            let mut scan: Vec<Entity> =
                all.filter(|it| value(it) == Some(FieldValue::U32(entity.index()))).collect();
            scan.sort_unstable();
            assert!(found.eq(scan));
        }
    }
    let mut copy = world.try_clone().unwrap();
    copy.check_invariants();
    let taken = copy.take_entity(entities[3]).unwrap();
    copy.restore(taken).unwrap();
    copy.check_invariants();
}
