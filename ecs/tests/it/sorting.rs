//! Pools in the order that a user wants.

use crate::fixtures::{Ledger, Position, Tag, Tracked, panics};
use ecs::{Component, Entity, Group, SparseSet, World};
use std::cell::Cell;
use std::cmp::Ordering;

#[derive(Component, Clone, Debug, PartialEq)]
struct Depth(u32);
#[derive(Component, Clone, Debug, PartialEq)]
struct Sprite(u32);
#[derive(Component, Clone, Debug, PartialEq)]
struct Layer(u32);

fn depths(world: &World) -> Vec<u32> {
    world.pool::<Depth>().as_slice().iter().map(|depth| depth.0).collect()
}

/// Entities with the same number in each component.
fn numbered(world: &mut World, numbers: &[u32]) -> Vec<Entity> {
    world.spawn_batch(numbers.iter().map(|&n| (Depth(n), Sprite(n))))
}

#[test]
fn every_sort_gives_the_order_and_keeps_values_with_their_entities() {
    let numbers: Vec<u32> = (0..3_000).map(|at| at * 7_919 % 3_001).collect();
    let mut expected = numbers.clone();
    expected.sort_unstable();
    let sorts: [fn(&mut World); 3] = [
        |world| world.pool_mut::<Depth>().sort_by(|a, b| a.0.cmp(&b.0)).unwrap(),
        |world| world.pool_mut::<Depth>().sort_by_key(|depth| depth.0).unwrap(),
        |world| world.pool_mut::<Depth>().sort_unstable_by(|a, b| a.0.cmp(&b.0)).unwrap(),
    ];
    for sort in sorts {
        let mut world = World::new();
        let entities = numbered(&mut world, &numbers);
        sort(&mut world);
        world.check_invariants();
        assert_eq!(depths(&world), expected);
        for (entity, number) in entities.iter().zip(&numbers) {
            assert_eq!(world.get::<Depth>(*entity), Some(&Depth(*number)));
        }
        // Views over the pool follow its order, others do not care.
        assert!(world.view::<Depth>().into_iter().map(|(_, depth)| depth.0).eq(expected.clone()));
        assert!(world.view::<(Depth, Sprite)>().into_iter().all(|(_, d, s)| d.0 == s.0));
        assert_eq!(world.view::<(Depth, Sprite)>().count(), 3_000);
    }
}

#[test]
fn stable_sorts_keep_equal_members_in_order() {
    let mut world = World::new();
    let entities = numbered(&mut world, &[3, 1, 2, 1, 3, 2]);
    world.pool_mut::<Depth>().sort_by_key(|depth| depth.0).unwrap();
    let order = [1, 3, 2, 5, 0, 4].map(|at| entities[at]);
    assert_eq!(world.pool::<Depth>().keys(), order);
    world.pool_mut::<Depth>().sort_by(|a, b| b.0.cmp(&a.0)).unwrap();
    let order = [0, 4, 2, 5, 1, 3].map(|at| entities[at]);
    assert_eq!(world.pool::<Depth>().keys(), order);
}

#[test]
fn sorting_like_another_pool_takes_its_order_for_shared_entities() {
    let mut world = World::new();
    let entities = numbered(&mut world, &[5, 4, 3, 2, 1]);
    let only_depth = world.spawn(Depth(0)).id();
    let only_sprite = world.spawn(Sprite(9)).id();
    world.remove::<Sprite>(entities[1]);
    world.pool_mut::<Depth>().sort_by_key(|depth| depth.0).unwrap();
    world.pool_mut::<Sprite>().sort_like::<Depth>().unwrap();
    world.check_invariants();
    let sprites: Vec<u32> = world.pool::<Sprite>().as_slice().iter().map(|s| s.0).collect();
    assert_eq!(sprites, [1, 2, 3, 5, 9]);
    assert_eq!(world.pool::<Sprite>().keys()[4], only_sprite);
    assert_eq!(world.pool::<Depth>().keys()[0], only_depth);
    // A missing pool, and the pool itself: nothing moves.
    world.pool_mut::<Sprite>().sort_like::<Layer>().unwrap();
    world.pool_mut::<Sprite>().sort_like::<Sprite>().unwrap();
    let after: Vec<u32> = world.pool::<Sprite>().as_slice().iter().map(|s| s.0).collect();
    assert_eq!(after, sprites);
}

#[test]
fn a_pool_that_a_group_owns_refuses_and_names_the_group() {
    let mut world = World::new();
    numbered(&mut world, &[2, 1]);
    let drawn = Group::owning::<(Depth, Sprite)>();
    world.declare_group(drawn).unwrap();
    let words = "cannot sort the pool of `Depth`: the group owning (`Depth`, `Sprite`) keeps it in \
                 order; sort the group, by `World::group_mut`";
    let error = world.pool_mut::<Depth>().sort_by(|a, b| a.0.cmp(&b.0)).unwrap_err();
    assert_eq!(error.to_string(), words);
    assert_eq!(world.pool_mut::<Depth>().sort_by_key(|depth| depth.0), Err(error.clone()));
    assert_eq!(
        world.pool_mut::<Depth>().sort_unstable_by(|a, b| a.0.cmp(&b.0)),
        Err(error.clone())
    );
    assert_eq!(world.pool_mut::<Depth>().sort_like::<Sprite>(), Err(error));
    assert_eq!(depths(&world), [2, 1], "nothing moved");
    world.drop_group(drawn).unwrap();
    world.pool_mut::<Depth>().sort_by_key(|depth| depth.0).unwrap();
    assert_eq!(depths(&world), [1, 2]);
}

#[test]
fn a_group_is_sorted_in_all_pools_that_it_owns() {
    let mut world = World::new();
    let terms = Group::owning::<(Depth, Sprite)>().without::<Tag>();
    assert!(world.group_mut(terms).is_err());
    world.declare_group(terms).unwrap();
    for number in [4, 2, 5, 1, 3] {
        world.spawn(Depth(10 + number));
        world.spawn((Sprite(number), Depth(number)));
        world.spawn((Sprite(20 + number), Depth(20 + number), Tag));
    }
    let mut group = world.group_mut(terms).unwrap();
    group.sort_by(|(a, x), (b, y)| {
        assert_eq!((a.0, b.0), (x.0, y.0), "values of one entity come together");
        a.0.cmp(&b.0)
    });
    assert_eq!(group.members().len(), 5);
    world.check_invariants();
    let view = world.view::<(Depth, Sprite)>().without::<Tag>();
    assert_eq!(view.as_slices().unwrap().1, [1, 2, 3, 4, 5].map(Depth));
    assert_eq!(view.as_slices().unwrap().2, [1, 2, 3, 4, 5].map(Sprite));
}

#[test]
fn a_nested_group_stays_in_front_and_is_sorted_for_itself() {
    let mut world = World::new();
    let (outer, inner) =
        (Group::owning::<(Depth, Sprite)>(), Group::owning::<(Depth, Sprite, Layer)>());
    world.declare_group(outer).unwrap();
    world.declare_group(inner).unwrap();
    for number in [4, 2, 6, 1, 3, 5] {
        let entity = world.spawn((Depth(number), Sprite(number))).id();
        if number % 2 == 0 {
            world.insert(entity, Layer(number)).unwrap();
        }
    }
    world.group_mut(outer).unwrap().sort_by_key(|(depth, _)| depth.0);
    world.check_invariants();
    assert_eq!(depths(&world), [2, 4, 6, 1, 3, 5]);
    assert_eq!(world.pool::<Layer>().as_slice(), [2, 4, 6].map(Layer));
    world.group_mut(inner).unwrap().sort_by(|a, b| b.2.0.cmp(&a.2.0));
    world.check_invariants();
    assert_eq!(depths(&world), [6, 4, 2, 1, 3, 5]);
}

#[test]
fn some_members_of_a_group_come_first_in_each_of_its_parts() {
    let mut world = World::new();
    let (outer, inner) =
        (Group::owning::<(Depth, Sprite)>(), Group::owning::<(Depth, Sprite, Layer)>());
    world.declare_group(outer).unwrap();
    world.declare_group(inner).unwrap();
    let entities = numbered(&mut world, &[0, 1, 2, 3, 4, 5, 6, 7]);
    for number in [0, 2, 4, 6] {
        world.insert(entities[number as usize], Layer(number)).unwrap();
    }
    world.group_mut(outer).unwrap().sort_by_key(|(depth, _)| depth.0);
    assert_eq!(depths(&world), [0, 2, 4, 6, 1, 3, 5, 7]);
    let stranger = world.spawn(Depth(9)).id();
    let gone = world.spawn((Depth(8), Sprite(8))).id();
    world.despawn(gone).unwrap();
    // Members of both parts, one twice, one that is no member, one that is dead.
    let first = [5, 6, 3, 6, 4].map(|number| entities[number]);
    let mut group = world.group_mut(outer).unwrap();
    group.sort_as(&[&[gone, stranger], &first[..]].concat());
    assert_eq!(group.members().len(), 8);
    world.check_invariants();
    assert_eq!(depths(&world), [6, 4, 0, 2, 5, 3, 1, 7, 9]);
    assert_eq!(world.pool::<Sprite>().as_slice(), [6, 4, 0, 2, 5, 3, 1, 7].map(Sprite));
    assert_eq!(world.pool::<Layer>().as_slice(), [6, 4, 0, 2].map(Layer));
    // The inner group leaves the others of the outer one alone.
    world.group_mut(inner).unwrap().sort_as(&[entities[1], entities[2]]);
    world.check_invariants();
    assert_eq!(depths(&world), [2, 6, 4, 0, 5, 3, 1, 7, 9]);
    world.group_mut(inner).unwrap().sort_as(&[]);
    assert_eq!(depths(&world), [2, 6, 4, 0, 5, 3, 1, 7, 9]);
}

#[test]
fn a_comparison_that_panics_changes_nothing() {
    let ledger = Ledger::default();
    for bomb_at in [0, 1, 30, 200] {
        let mut world = World::new();
        world.spawn_batch((0..64).map(|at| (Depth(at * 37 % 64), ledger.tracked())));
        let before = depths(&world);
        let mut calls = 0;
        let mut compare = |a: &Depth, b: &Depth| {
            assert_ne!(calls, bomb_at, "tired of comparing");
            calls += 1;
            a.0.cmp(&b.0)
        };
        let sorted = panics(|| world.pool_mut::<Depth>().sort_by(&mut compare));
        assert!(sorted.is_some_and(|words| words.contains("tired of comparing")));
        assert_eq!(depths(&world), before);
        let key = |_: &Tracked| -> u32 { panic!("no key") };
        assert!(panics(|| world.pool_mut::<Tracked>().sort_by_key(key)).is_some());
        let terms = Group::owning::<(Depth, Tracked)>();
        world.declare_group(terms).unwrap();
        let tired = |_: (&Depth, &Tracked), _: (&Depth, &Tracked)| -> Ordering { panic!("no") };
        assert!(panics(|| world.group_mut(terms).unwrap().sort_by(tired)).is_some());
        world.check_invariants();
    }
    assert_eq!(ledger.alive(), 0);
}

#[test]
fn a_comparison_that_lies_ends_in_a_permutation() {
    let mut world = World::new();
    let entities = numbered(&mut world, &(0..500).collect::<Vec<_>>());
    let mut state = 1_u32;
    let mut lie = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        [Ordering::Less, Ordering::Equal, Ordering::Greater][(state >> 16) as usize % 3]
    };
    for _ in 0..20 {
        // The standard library may notice, and panic.
        let _ = panics(|| world.pool_mut::<Depth>().sort_by(|_, _| lie()));
        let _ = panics(|| world.pool_mut::<Depth>().sort_unstable_by(|_, _| lie()));
        world.check_invariants();
    }
    for (number, entity) in (0..).zip(&entities) {
        assert_eq!(world.get::<Depth>(*entity), Some(&Depth(number)));
    }
}

#[test]
fn nearly_sorted_pools_take_few_comparisons() {
    let count = 100_000_u32;
    let mut numbers: Vec<u32> = (0..count).collect();
    for at in 0..20 {
        numbers.swap(at * 4_999, at * 4_999 + 3_000);
    }
    let mut set: SparseSet<u32> = (0..).zip(numbers).collect();
    let mut calls = 0;
    set.sort_by(|a, b| {
        calls += 1;
        a.cmp(b)
    });
    assert!(set.as_slice().is_sorted());
    // A sort from scratch takes about 16 a member.
    assert!(calls < 8 * count, "{calls} comparisons");
    calls = 0;
    set.sort_by(|a, b| {
        calls += 1;
        a.cmp(b)
    });
    assert_eq!(calls, count - 1, "in order already");
}

#[test]
fn empty_and_single_pools_are_in_order() {
    let mut world = World::new();
    world.pool_mut::<Depth>().sort_by(|_, _| panic!("nothing to compare")).unwrap();
    world.pool_mut::<Depth>().sort_like::<Sprite>().unwrap();
    world.spawn((Depth(1), Position(0.0)));
    world.pool_mut::<Depth>().sort_unstable_by(|_, _| panic!("nothing to compare")).unwrap();
    let terms = Group::owning::<Position>();
    world.declare_group(terms).unwrap();
    world.group_mut(terms).unwrap().sort_by(|_, _| panic!("nothing to compare"));
    assert_eq!(depths(&world), [1]);
}

#[test]
fn comparisons_of_groups_may_panic_or_lie() {
    let (outer, inner) =
        (Group::owning::<(Depth, Sprite)>(), Group::owning::<(Depth, Sprite, Layer)>());
    let numbers: Vec<u32> = (0..12).map(|at| at * 7 % 12).collect();
    for bomb in 0..50_u32 {
        let mut world = World::new();
        world.declare_group(outer).unwrap();
        world.declare_group(inner).unwrap();
        let entities = numbered(&mut world, &numbers);
        for (entity, &number) in entities.iter().zip(&numbers).step_by(2) {
            world.insert(*entity, Layer(number)).unwrap();
        }
        let mut left = bomb;
        let order = |(a, _): (&Depth, &Sprite), (b, _): (&Depth, &Sprite)| {
            assert!(left > 0, "tired of comparing");
            left -= 1;
            b.0.cmp(&a.0)
        };
        let panicked = panics(|| world.group_mut(outer).unwrap().sort_by(order)).is_some();
        world.check_invariants();
        let sorted = |part: &[u32]| part.is_sorted_by(|a, b| a > b);
        assert_eq!(sorted(&depths(&world)[..6]) && sorted(&depths(&world)[6..]), !panicked);
        let mut state = bomb;
        let lies = |_: (&Depth, &Sprite, &Layer), _: (&Depth, &Sprite, &Layer)| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            [Ordering::Less, Ordering::Greater][(state >> 16) as usize % 2]
        };
        let _ = panics(|| world.group_mut(inner).unwrap().sort_by(lies));
        world.check_invariants();
        for (at, (entity, &number)) in entities.iter().zip(&numbers).enumerate() {
            assert_eq!(world.get::<Depth>(*entity), Some(&Depth(number)));
            assert_eq!(world.get::<Sprite>(*entity), Some(&Sprite(number)));
            assert_eq!(world.get::<Layer>(*entity), (at % 2 == 0).then_some(&Layer(number)));
        }
    }
}

#[test]
fn tags_take_the_order_of_another_pool() {
    let mut world = World::new();
    let entities = numbered(&mut world, &[3, 1, 4, 2]);
    world.insert_batch(entities.iter().map(|&entity| (entity, Tag))).unwrap();
    world.pool_mut::<Depth>().sort_by_key(|depth| depth.0).unwrap();
    world.pool_mut::<Tag>().sort_like::<Depth>().unwrap();
    world.check_invariants();
    assert_eq!(world.pool::<Tag>().keys(), world.pool::<Depth>().keys());
    assert_eq!(world.pool::<Tag>().keys(), [1, 3, 0, 2].map(|at| entities[at]));
}

thread_local! {
    /// The number of calls of a `Key`'s code that succeed before one panics.
    static FUSE: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Panics as it is made, compared or dropped.
#[derive(PartialEq, Eq)]
struct Key(u32);

impl Key {
    fn new(number: u32) -> Self {
        Self::tick();
        Self(number)
    }
    fn tick() {
        if !std::thread::panicking() {
            FUSE.set(FUSE.get().checked_sub(1).expect("tired"));
        }
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        Self::tick();
        self.0.cmp(&other.0)
    }
}
impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Drop for Key {
    fn drop(&mut self) {
        Self::tick();
    }
}

#[test]
fn keys_may_panic_as_they_are_compared_and_dropped() {
    let numbers: Vec<u32> = (0..16).map(|at| at * 7 % 16).collect();
    let mut sorted = [false; 2];
    for bomb in (0..300).chain([10_000]) {
        let mut world = World::new();
        let entities = numbered(&mut world, &numbers);
        FUSE.set(bomb);
        let by_key = || world.pool_mut::<Depth>().sort_by_key(|depth| Key::new(depth.0)).unwrap();
        let panicked = panics(by_key).is_some();
        FUSE.set(usize::MAX);
        world.check_invariants();
        assert!(if panicked { depths(&world) == numbers } else { depths(&world).is_sorted() });
        let terms = Group::owning::<(Depth, Sprite)>();
        world.declare_group(terms).unwrap();
        FUSE.set(bomb);
        let by_key =
            || world.group_mut(terms).unwrap().sort_by_key(|(depth, _)| Key::new(99 - depth.0));
        sorted = [sorted[0] || !panicked, panics(by_key).is_none() || sorted[1]];
        FUSE.set(usize::MAX);
        world.check_invariants();
        for (entity, &number) in entities.iter().zip(&numbers) {
            assert_eq!(world.get::<Depth>(*entity), Some(&Depth(number)));
            assert_eq!(world.get::<Sprite>(*entity), Some(&Sprite(number)));
        }
    }
    assert_eq!(sorted, [true, true], "the fuse was long enough in the end");
}
