//! Worlds of many entities, compared with plain vectors.
//! `ECS_ENTITIES=20000000 cargo test --release -p ecs --test large` fills pools beyond 2^24 members, and batches of as
//! many rows; the default is small.

use ecs::save::Limits;
use ecs::{Component, Entity, Group, World};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[component(clone, save = "number")]
struct Number(u32);
#[derive(Component, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[component(clone, save = "twice")]
struct Twice(u64);
#[derive(Component, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[component(clone, save = "odd")]
struct Odd;

/// Returns the number of entities.
fn count() -> u32 {
    std::env::var("ECS_ENTITIES").map_or(60_000, |text| text.parse().unwrap())
}

/// A world beside its expected content: for each entity of a list its components.
struct Both {
    world: World,
    entities: Vec<Entity>,
    numbers: Vec<Option<u32>>,
    twice: Vec<Option<u64>>,
    odd: Vec<bool>,
}

impl Both {
    /// Makes this many entities; all have a number.
    fn new(count: u32) -> Self {
        let mut world = World::new();
        world.register::<(Number, Twice, Odd)>();
        let entities = world.spawn_batch((0..count).map(Number));
        let none = vec![None; entities.len()];
        let numbers = (0..count).map(Some).collect();
        Self { world, numbers, twice: none, odd: vec![false; entities.len()], entities }
    }

    /// Returns positions in steps of a prime, so that neighbours in dense arrays are on different pages.
    fn scattered(&self, every: usize) -> impl Iterator<Item = usize> + use<> {
        let len = self.entities.len();
        (0..len / every).map(move |at| at * 7_368_787 % len)
    }

    fn check(&self) {
        let Self { world, entities, numbers, twice, odd } = self;
        assert_eq!(world.len(), entities.len());
        let has = |at: usize| numbers[at].is_some() && twice[at].is_some();
        for (at, &entity) in entities.iter().enumerate() {
            assert_eq!(world.get::<Number>(entity).map(|it| it.0), numbers[at], "{entity}");
            assert_eq!(world.get::<Twice>(entity).map(|it| it.0), twice[at], "{entity}");
            assert_eq!(world.has::<Odd>(entity), odd[at], "{entity}");
        }
        let sum = |(count, sum): (usize, u64), next| (count + 1, sum + next);
        let both = (0..entities.len()).filter(|&at| has(at));
        let expected = both.clone().map(|at| twice[at].unwrap()).fold((0, 0), sum);
        let items = world.view::<(&Number, &Twice)>();
        let found = items.into_iter().map(|(_, number, twice)| {
            assert_eq!(u64::from(number.0) * 2, twice.0);
            twice.0
        });
        assert_eq!(found.fold((0, 0), sum), expected);
        let odd = both.filter(|&at| odd[at]).map(|at| twice[at].unwrap()).fold((0, 0), sum);
        let items = world.view::<(&Number, &Twice)>().with::<Odd>();
        assert_eq!(items.into_iter().map(|(_, _, twice)| twice.0).fold((0, 0), sum), odd);
    }
}

#[test]
fn pools_beyond_sixteen_million_members_keep_their_values() {
    let mut both = Both::new(count());
    let len = both.entities.len();

    // Components in another order than the entities.
    let places: Vec<_> = both.scattered(1).collect();
    let twice = |at: usize| 2 * at as u64;
    both.world
        .insert_batch(places.iter().map(|&at| (both.entities[at], Twice(twice(at)))))
        .unwrap();
    places.iter().for_each(|&at| both.twice[at] = Some(twice(at)));
    let odds: Vec<_> = places.iter().copied().filter(|at| at % 3 == 1).collect();
    both.world.insert_batch(odds.iter().map(|&at| (both.entities[at], Odd))).unwrap();
    odds.iter().for_each(|&at| both.odd[at] = true);
    both.check();

    // The last members fill the gaps of removed ones.
    for at in both.scattered(11) {
        assert_eq!(both.world.remove::<Number>(both.entities[at]).map(|it| it.0), both.numbers[at]);
        both.numbers[at] = None;
    }
    let some: Vec<_> = both.scattered(7).filter(|&at| both.twice[at].is_some()).collect();
    let removed: Vec<_> = some.iter().map(|&at| both.entities[at]).collect();
    assert_eq!(both.world.remove_batch::<Twice>(&removed), removed.len());
    some.iter().for_each(|&at| both.twice[at] = None);
    both.check();

    // A group reorders both pools.
    both.world.declare_group(Group::owning::<(Number, Twice)>()).unwrap();
    both.check();
    for at in both.scattered(13) {
        let (entity, value) = (both.entities[at], u32::try_from(at).unwrap());
        both.world.insert(entity, (Number(value), Twice(twice(at)))).unwrap();
        (both.numbers[at], both.twice[at]) = (Some(value), Some(twice(at)));
    }
    both.check();
    both.world.check_invariants();

    // Half of the entities end, and their handles with them.
    let (ended, left): (Vec<_>, Vec<_>) = (0..len).partition(|at| at % 2 == 1);
    let handles: Vec<_> = ended.iter().map(|&at| both.entities[at]).collect();
    assert_eq!(both.world.despawn_batch(&handles), handles.len());
    assert!(!handles.iter().any(|&entity| both.world.is_alive(entity)));
    both.entities = left.iter().map(|&at| both.entities[at]).collect();
    both.numbers = left.iter().map(|&at| both.numbers[at]).collect();
    both.twice = left.iter().map(|&at| both.twice[at]).collect();
    both.odd = left.iter().map(|&at| both.odd[at]).collect();
    both.check();
    let again = both.world.spawn_batch(ended.iter().map(|_| Odd));
    assert!(!again.iter().any(|entity| handles.binary_search(entity).is_ok()));
    both.entities.extend(&again);
    both.numbers.resize(len, None);
    both.twice.resize(len, None);
    both.odd.resize(len, true);
    both.check();

    // Saved, and loaded with the same handles.
    let mut bytes = Vec::new();
    both.world.save().to_bytes(&mut bytes).unwrap();
    both.world = World::new();
    both.world.register::<(Number, Twice, Odd)>();
    both.world.load(&bytes, &Limits::default().memory(1 << 36)).unwrap();
    both.check();
    both.world.check_invariants();
    both.world.clear();
    assert!(both.world.is_empty() && both.world.pool::<Number>().is_empty());
}
