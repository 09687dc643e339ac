use crate::fixtures::{Position, Promising, Random, panics};
use ecs::{Entity, EntityMap, SparseSet};
use std::collections::BTreeMap;

#[test]
fn against_a_map_through_every_form_of_page() {
    let mut random = Random(88_172_645_463_325_252);
    // Universes from one crowded page to some sparse ones.
    for universe in [600, 3_000, 100_000] {
        let (mut set, mut map) = (SparseSet::new(), BTreeMap::new());
        for _ in 0..20_000 {
            let (key, value) = (u32::try_from(random.next() % universe).unwrap(), random.next());
            match random.next() % 5 {
                0..3 => assert_eq!(set.insert(key, value), map.insert(key, value)),
                3 => assert_eq!(set.remove(key), map.remove(&key)),
                _ => assert_eq!(set.get_mut(key).copied(), map.get(&key).copied()),
            }
            assert_eq!((set.len(), set.contains(key)), (map.len(), map.contains_key(&key)));
        }
        let sorted: BTreeMap<_, _> = set.iter().map(|(key, value)| (key, *value)).collect();
        assert_eq!(sorted, map);
        set.clear();
        assert!(set.is_empty() && set.memory_usage().sparse < 2_000);
    }
}

#[test]
fn absent_keys_are_found_nowhere_among_ordered_members() {
    let mut random = Random(88_172_645_463_325_252);
    let mut random = |limit| random.below(limit);
    for step in 0..400 {
        // Whole pages in index order, and one that is not full, from its start or not.
        let first = [0, 0, 0, 5, 1_024][random(5)];
        let len = [1, 3, 700, 1_023, 1_024, 2_500][random(6)];
        let mut set: SparseSet<u32> = (first..first + len).map(|key| (key, !key)).collect();
        let mut map: BTreeMap<u32, u32> = set.iter().map(|(key, value)| (key, *value)).collect();
        for _ in 0..random(12) {
            let (next, last) = (set.keys().last().map_or(0, |key| key + 1), set.keys().last());
            let some = set.keys().get(random(set.len().max(1))).copied();
            let key = match random(6) {
                0 => u32::try_from(random(6_000)).unwrap(),
                1 => some.unwrap_or(9),
                2 => last.copied().unwrap_or(3_000),
                3 => 40_000,
                _ => next,
            };
            if random(3) == 0 {
                assert_eq!(set.remove(key), map.remove(&key));
            } else {
                assert_eq!(set.insert(key, step), map.insert(key, step));
            }
        }
        for key in (0..6_100).chain([39_999, 40_000, 40_001]) {
            assert_eq!(set.get(key), map.get(&key), "{key} of {:?}", set.keys());
        }
    }
}

#[test]
fn sorting_keeps_pairs_together() {
    let mut set: SparseSet<u32> = (0..1000).map(|key| (key * 3, key * 7919 % 1000)).collect();
    let pairs: BTreeMap<_, _> = set.iter().map(|(key, value)| (key, *value)).collect();
    set.sort_by(Ord::cmp);
    assert!(set.as_slice().is_sorted());
    assert!(set.keys().iter().all(|key| set.get(*key) == pairs.get(key)));
    // Equal values stay in their order.
    let mut set: SparseSet<u32> = (0..100).map(|key| (key, key % 2)).collect();
    set.sort_by(Ord::cmp);
    assert!(set.keys()[..50].is_sorted() && set.keys()[50..].is_sorted());
}

#[test]
fn comparators_may_panic_or_lie() {
    for bomb in 0..30 {
        let mut set: SparseSet<u32> = (0..10).map(|key| (key, 10 - key)).collect();
        let mut left = bomb;
        let panicked = panics(|| {
            set.sort_by(|a, b| {
                assert!(left > 0, "enough");
                left -= 1;
                a.cmp(b)
            });
        });
        if panicked.is_some() {
            assert_eq!(set.as_slice(), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], "as it was");
        }
    }
    let mut set: SparseSet<u32> = (0..100).map(|key| (key, key)).collect();
    let mut flip = false;
    let _ = panics(|| {
        set.sort_by(|_, _| {
            flip = !flip;
            if flip { core::cmp::Ordering::Less } else { core::cmp::Ordering::Greater }
        });
    });
    assert!(set.iter().all(|(key, value)| key == *value));
    assert_eq!(set.keys().iter().sum::<u32>(), 4950);
}

#[test]
fn sets_are_cloned_and_iterated_in_their_order() {
    let mut set: SparseSet<String> = (0..3_000).map(|key| (key * 7, key.to_string())).collect();
    set.remove(21);
    let mut copy = set.clone();
    assert_eq!((copy.keys(), copy.as_slice()), (set.keys(), set.as_slice()));
    for (_, value) in &mut copy {
        value.push('!');
    }
    let mut at = 0;
    for (key, value) in &copy {
        assert_eq!((key, value), (set.keys()[at], &format!("{}!", set.as_slice()[at])));
        at += 1;
    }
    assert_eq!(at, 2_999);
    let pairs: Vec<_> = set.iter().map(|(key, value)| (key, value.clone())).collect();
    assert_eq!(set.into_iter().collect::<Vec<_>>(), pairs);
    assert_eq!(copy.get(14).map(String::as_str), Some("2!"), "a copy is a set of its own");
}

#[test]
fn retain_drain_and_swap() {
    let mut set: SparseSet<String> = (0..100).map(|key| (key, key.to_string())).collect();
    set.retain(|key, value| {
        value.push('!');
        key % 3 == 0
    });
    assert_eq!(set.len(), 34);
    assert!(set.iter().all(|(key, value)| *value == format!("{key}!")));
    set.swap(0, 99);
    assert_eq!(set.get(99).unwrap(), "99!");
    let mut left = 5;
    let _ = panics(|| {
        set.retain(|_, _| {
            left -= 1;
            assert!(left > 0, "enough");
            false
        });
    });
    assert_eq!(set.len(), 30);
    assert!(set.iter().all(|(key, value)| *value == format!("{key}!") && set.contains(key)));
    let drained = set.drain();
    assert_eq!(drained.take(3).count(), 3);
    assert!(set.is_empty() && !set.contains(99));
    assert_eq!(set.insert_with(4, || "new".into()), None);
}

#[test]
fn strangers_are_refused() {
    let mut set: SparseSet<u8> = [(5, 1), (u32::MAX, 2)].into_iter().collect();
    assert_eq!((set.get(4), set.get(u32::MAX - 1)), (None, None));
    assert_eq!(set.remove(6), None);
    assert_eq!(
        panics(|| set.swap(5, 7)).unwrap(),
        "cannot swap 7: it is not a member of this sparse set"
    );
    assert!(panics(|| set.reserve(usize::MAX)).unwrap().contains("capacity overflow"));
    assert_eq!(set.remove(u32::MAX), Some(2));
    assert_eq!(format!("{set:?}"), "{5: 1}");
}

/// The handle with this index and generation.
fn handle(index: u64, generation: u64) -> Entity {
    Entity::from_bits(generation << 32 | index).unwrap()
}

#[test]
fn the_last_inserted_generation_of_an_index_is_the_member() {
    for count in [1, 3, 200, 1_500] {
        let mut pool = EntityMap::<Position>::default();
        for at in 0..count {
            // Positions in index order, and out of it.
            let index = if count == 200 { at * 7 % count } else { at };
            assert_eq!(pool.insert(handle(index, 1), Position(index as f32)), None);
        }
        for index in (0..count).step_by(2) {
            let (old, new) = (handle(index, 1), handle(index, 2));
            assert_eq!(pool.insert(new, Position(-1.0)), Some(Position(index as f32)));
            assert_eq!(pool.get(new), Some(&Position(-1.0)));
            assert!(!pool.contains(old) && pool.remove(old).is_none());
        }
        assert_eq!(pool.len() as u64, count);
        assert!(pool.keys().iter().all(|key| pool.contains(*key)));
        for index in 0..count {
            let (old, new) = (pool.remove(handle(index, 1)), pool.remove(handle(index, 2)));
            let odd = !index.is_multiple_of(2);
            assert_eq!((old.is_some(), new.is_some()), (odd, !odd));
        }
        assert!(pool.is_empty());
    }
}

#[test]
fn an_order_may_name_strangers_and_a_key_twice() {
    let mut set: SparseSet<char> = (0..).zip('a'..='d').collect();
    set.sort_as(&[3, 9, 3, 1, 9, 3]);
    assert_eq!((set.as_slice(), set.keys()), (&['d', 'b', 'a', 'c'][..], &[3, 1, 0, 2][..]));
    assert!(set.iter().all(|(key, value)| set.get(key) == Some(value)));
    let mut pool: EntityMap<Position> = EntityMap::default();
    for (index, generation) in [(0, 1), (1, 2)] {
        pool.insert(handle(index, generation), Position(index as f32));
    }
    pool.sort_as(&[handle(1, 1), handle(0, 1), handle(1, 2)]);
    assert_eq!(pool.keys(), [handle(0, 1), handle(1, 2)], "dead handles are strangers");
}

#[test]
fn a_set_is_filled_again_while_its_drain_is_half_taken() {
    let mut set: SparseSet<String> = (0..10).map(|key| (key, key.to_string())).collect();
    let mut drained = set.drain();
    assert_eq!(drained.next(), Some((0, "0".into())));
    set.extend((5..8).map(|key| (key, "new".into())));
    assert!(drained.map(|(_, value)| value).eq((1..10).map(|key: u32| key.to_string())));
    assert_eq!(
        (set.as_slice(), set.contains(4)),
        (&["new", "new", "new"].map(String::from)[..], false)
    );
}

#[test]
fn iterators_may_lie_about_their_length() {
    let set: SparseSet<u32> = Promising((0..100).map(|key| (key, key)), usize::MAX).collect();
    assert_eq!(set.len(), 100);
}

#[test]
fn members_may_be_of_the_last_generation() {
    let last = (1 << 31) - 1;
    for (count, step) in [1, 3, 700, 1_500].into_iter().flat_map(|it| [(it, 1), (it, 11)]) {
        let mut pool = EntityMap::<Position>::default();
        for index in (0..count).map(|at| at * step % count) {
            assert_eq!(pool.insert(handle(index, last), Position(index as f32)), None);
        }
        for index in 0..count {
            assert_eq!(pool.get(handle(index, last)), Some(&Position(index as f32)));
            let others = [1, last >> 1, last - 1].map(|generation| handle(index, generation));
            assert!(others.iter().all(|it| !pool.contains(*it) && pool.remove(*it).is_none()));
        }
        for index in (0..count).step_by(3) {
            assert!(pool.insert(handle(index, last - 1), Position(-1.0)).is_some());
            assert!(!pool.contains(handle(index, last)));
        }
        for index in 0..count {
            let generation = if index % 3 == 0 { last - 1 } else { last };
            assert!(pool.remove(handle(index, generation)).is_some());
        }
        assert!(pool.is_empty());
    }
}
