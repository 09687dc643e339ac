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

/// Entities of three kinds, with numbers in no order, on several pages; few lack a sprite.
fn scattered(count: u32) -> World {
    let mut world = World::new();
    for at in 0..count {
        let number = at * 7_919 % count;
        let mut entity = world.spawn(Depth(number));
        if at % 17 != 0 {
            entity.insert(Sprite(number));
        }
        if at % 3 == 0 {
            entity.insert(Layer(number));
        }
        if at % 5 == 0 {
            entity.insert(Tag);
        }
    }
    for at in 0..count / 9 {
        world.spawn((Sprite(count + at), Layer(at))); // without a depth
    }
    world
}

/// The numbers of the entities of a pool, in its order, that have all and none of these.
fn numbers(world: &World, keeps: impl Fn(&World, Entity) -> bool) -> Vec<u32> {
    let depths = world.pool::<Depth>();
    depths.iter().filter(|(entity, _)| keeps(world, *entity)).map(|(_, depth)| depth.0).collect()
}

/// Walks a view in each way, and compares the numbers of the matches.
macro_rules! walks_in_order {
    ($world:ident, $expected:expr, $view:expr, |$item:pat_param| $number:expr) => {{
        let expected: Vec<u32> = $expected;
        let view = || $view.in_order_of::<Depth>();
        let all = |numbers: Vec<u32>, way: &str| {
            assert!(numbers == expected, "{way} of {}: {numbers:?}", stringify!($view));
        };
        all(view().into_iter().map(|$item| -> u32 { $number }).collect(), "for");
        all(view().iter().map(|$item| -> u32 { $number }).collect(), "iter");
        let mut found = Vec::new();
        view().for_each(|item| {
            found.push({
                let $item = item;
                $number
            })
        });
        all(found, "for_each");
        let mut begun = view().into_iter();
        let mut found: Vec<u32> = begun.by_ref().take(3).map(|$item| -> u32 { $number }).collect();
        found.extend(begun.clone().map(|$item| -> u32 { $number }));
        all(found, "a clone of an iterator half taken");
        let parts = view().into_parts(3);
        all(parts.into_iter().flatten().map(|$item| -> u32 { $number }).collect(), "into_parts");
        let folded = view().par_fold(
            Vec::new,
            |mut list: Vec<u32>, $item| {
                list.push($number);
                list
            },
            |a, b| [a, b].concat(),
        );
        all(folded, "par_fold");
        let shared = std::sync::Mutex::new(Vec::new());
        view().par_for_each(|item| {
            shared.lock().unwrap().push({
                let $item = item;
                $number
            })
        });
        let mut shared = shared.into_inner().unwrap();
        let mut sorted = expected.clone();
        shared.sort_unstable();
        sorted.sort_unstable();
        assert!(shared == sorted, "par_for_each");
        let (least, most) = view().iter().size_hint();
        assert!(least <= expected.len() && most.unwrap() >= expected.len());
        assert_eq!((view().count(), view().is_empty()), (expected.len(), expected.is_empty()));
        let members = $world.pool::<Depth>().len();
        let driver = if members > 0 { Some("Depth") } else { view().explain().driver };
        assert_eq!((view().explain().driver, view().explain().candidates), (driver, members));
    }};
}

fn check_walks_in_order(world: &World) {
    let has = |world: &World, entity| world.has::<&Sprite>(entity);
    walks_in_order!(world, numbers(world, |_, _| true), world.view::<&Depth>(), |it| it.1.0);
    let both = || numbers(world, has);
    walks_in_order!(world, both(), world.view::<(&Depth, &Sprite)>(), |it| it.2.0);
    walks_in_order!(world, both(), world.view::<&Sprite>(), |it| it.1.0);
    walks_in_order!(
        world,
        numbers(world, |world, it| has(world, it) && !world.has::<&Tag>(it)),
        world.view::<&Sprite>().without::<Tag>(),
        |it| it.1.0
    );
    walks_in_order!(
        world,
        numbers(world, |world, it| has(world, it) && world.has::<&Layer>(it)),
        world.view::<&Sprite>().with::<Layer>(),
        |it| it.1.0
    );
    walks_in_order!(
        world,
        numbers(world, |world, it| has(world, it)
            && (world.has::<&Layer>(it) || world.has::<&Tag>(it))),
        world.view::<&Sprite>().with_any::<(Layer, Tag)>(),
        |it| it.1.0
    );
    // Optional items, one or two: matches that lack them do not come first.
    let optional = |number: u32, layer: Option<&Layer>| {
        assert!(layer.is_none_or(|layer| layer.0 == number));
        number
    };
    walks_in_order!(world, both(), world.view::<(&Sprite, Option<&Layer>)>(), |it| {
        optional(it.1.0, it.2)
    });
    walks_in_order!(
        world,
        both(),
        world.view::<(&Sprite, Option<&Layer>, ecs::Has<Tag>)>(),
        |it| optional(it.1.0, it.2)
    );
    walks_in_order!(
        world,
        numbers(world, |_, _| true),
        world.view::<(Option<&Layer>, Entity)>(),
        |it| {
            let number = world.get::<Depth>(it.2).unwrap().0;
            optional(number, it.1)
        }
    );
    check_slices_in_order(world);
}

fn check_slices_in_order(world: &World) {
    let both = numbers(world, World::has::<&Sprite>);
    let view = || world.view::<(&Sprite, Option<&Layer>)>().in_order_of::<Depth>();
    let mut found = Vec::new();
    view().for_each_chunk(|(entities, sprites, layers)| {
        assert_eq!(entities.len(), sprites.len());
        for (at, (entity, sprite)) in entities.iter().zip(sprites).enumerate() {
            assert_eq!(world.get::<Sprite>(*entity), Some(sprite));
            assert_eq!(world.get::<Layer>(*entity), layers.map(|layers| &layers[at]));
            found.push(sprite.0);
        }
    });
    assert!(found == both, "slices {found:?}");
    let mut found = Vec::new();
    let sprites = world.view::<&Sprite>().in_order_of::<Depth>();
    if let Some((_, slice)) = sprites.as_slices() {
        assert!(slice.iter().map(|sprite| sprite.0).eq(both.iter().copied()));
    }
    sprites.for_each_chunk(|(_, sprites)| found.extend(sprites.iter().map(|sprite| sprite.0)));
    assert!(found == both, "slices {found:?}");
    let depths = world.view::<&Depth>().in_order_of::<Depth>();
    let (entities, slice) = depths.as_slices().unwrap();
    assert_eq!((entities, slice), (world.pool::<Depth>().keys(), world.pool::<Depth>().as_slice()));
}

/// In each of these worlds, other plans would take less time.
#[test]
fn a_view_in_the_order_of_a_pool_walks_it_in_each_way() {
    for count in [0, 1, 40, 3_000] {
        let mut world = scattered(count);
        check_walks_in_order(&world);
        world.pool_mut::<Depth>().sort_by_key(|depth| depth.0).unwrap();
        assert!(numbers(&world, |_, _| true).is_sorted());
        check_walks_in_order(&world);
        // Groups keep other pools in orders of their own.
        for declare in [
            |world: &mut World| world.declare_group(Group::owning::<(Sprite, Layer)>()),
            |world: &mut World| world.declare_group(Group::observing::<(Depth, Sprite)>()),
            |world: &mut World| world.declare_group(Group::owning::<Depth>().with::<Layer>()),
        ] {
            declare(&mut world).unwrap();
            check_walks_in_order(&world);
        }
        world.check_invariants();
    }
    let mut world = scattered(500);
    world.declare_group(Group::owning::<(Depth, Sprite)>()).unwrap();
    world.group_mut(Group::owning::<(Depth, Sprite)>()).unwrap().sort_by_key(|(depth, _)| depth.0);
    assert!(numbers(&world, World::has::<&Sprite>).is_sorted());
    check_walks_in_order(&world);
}

/// The guide describes the effect on the order.
#[test]
fn a_sorted_pool_is_appended_to_and_its_gaps_are_filled_by_the_last_member() {
    let mut world = World::new();
    let entities = numbered(&mut world, &[5, 1, 4, 2, 3]);
    let walk = |world: &World| -> Vec<u32> {
        let view = world.view::<&Sprite>().in_order_of::<Depth>();
        view.iter().map(|(_, sprite)| sprite.0).collect()
    };
    world.pool_mut::<Depth>().sort_by_key(|depth| depth.0).unwrap();
    world.remove::<Sprite>(entities[4]);
    assert_eq!(walk(&world), [1, 2, 4, 5]);
    world.insert(entities[4], Sprite(3)).unwrap();
    assert_eq!(walk(&world), [1, 2, 3, 4, 5], "sprites come and go, the order of depths stays");
    world.remove::<Depth>(entities[3]);
    assert_eq!(walk(&world), [1, 5, 3, 4]);
    world.insert(entities[3], Depth(2)).unwrap();
    assert_eq!(walk(&world), [1, 5, 3, 4, 2]);
    world.pool_mut::<Depth>().sort_by_key(|depth| depth.0).unwrap();
    assert_eq!(walk(&world), [1, 2, 3, 4, 5]);
}

#[test]
fn values_are_written_in_the_order_of_a_pool() {
    let mut world = scattered(700);
    world.pool_mut::<Depth>().sort_by_key(|depth| depth.0).unwrap();
    let mut next = 0;
    let expected = numbers(&world, World::has::<&Sprite>);
    for (_, sprite) in world.view_mut::<&mut Sprite>().in_order_of::<Depth>() {
        assert_eq!(sprite.0, expected[next]);
        next += 1;
        sprite.0 = u32::try_from(next).unwrap();
    }
    let view = world.view::<&Sprite>().in_order_of::<Depth>();
    assert!(view.iter().map(|(_, sprite)| sprite.0 as usize).eq(1..=expected.len()));
    let mut pairs = Vec::new();
    let mut view = world.view_mut::<&Sprite>().with::<Layer>().in_order_of::<Depth>();
    view.for_each_pair(|(_, a), (_, b)| pairs.push((a.0, b.0)));
    assert!(pairs.iter().all(|(a, b)| a < b) && pairs.len() > 1_000);
}
