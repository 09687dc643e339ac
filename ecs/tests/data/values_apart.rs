//! Values that are sent apart from change sets, over networks that lose, repeat and reorder them.

use crate::hostile::{mutate, outcome};
use crate::worlds::{Random, asked};
use ecs::save::{ChangeSets, Follower, Limits, Received, ValueSet};
use ecs::{ChildOf, Component, Entity, World};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq, PartialOrd)]
#[component(save = "place", track, clone)]
struct Spot(u64);
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq, PartialOrd)]
#[component(save = "speed", track, clone, layout = "soa")]
struct Pace {
    x: u64,
    y: u8,
}
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "label", track, clone)]
struct Label(String);
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "target", track, clone)]
struct Target(#[component(entities)] Entity);
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
#[component(save = "key", track, clone, unique)]
struct Key(u64);

fn empty() -> World {
    let mut world = World::new();
    world.register::<(Spot, Pace, Label, Target, Key, ChildOf)>();
    world
}

const LONGEST: usize = 300;

struct Pair {
    server: World,
    sets: ChangeSets,
    client: World,
    follower: Follower,
}

impl Pair {
    fn new() -> Self {
        let (server, client, follower) = (empty(), empty(), Follower::default());
        Self { server, sets: ChangeSets::default().values_apart(), client, follower }
    }

    fn set(&mut self) -> Vec<u8> {
        self.sets.drain(&mut self.server).unwrap().into_bytes()
    }

    fn values(&mut self) -> Vec<ValueSet> {
        self.sets.drain_values(&self.server, LONGEST, 100_000, 0).unwrap()
    }

    #[track_caller]
    fn value(&mut self) -> ValueSet {
        let mut values = self.values();
        assert_eq!(values.len(), 1);
        values.remove(0)
    }

    fn apply(&mut self, set: &[u8]) -> Received {
        let Self { client, follower, .. } = self;
        client.apply_change_set(set, follower, &Limits::default()).unwrap()
    }

    fn apply_values(&mut self, values: &ValueSet) -> Received {
        assert!(values.as_bytes().len() <= LONGEST, "{}", values.as_bytes().len());
        let Self { client, follower, .. } = self;
        client.apply_values(values.as_bytes(), follower, &Limits::default()).unwrap()
    }

    /// Applies a set, and acknowledges it.
    fn settle(&mut self) {
        let set = self.set();
        assert_eq!(self.apply(&set), Received::Applied);
        self.sets.acknowledge(self.follower.number());
    }

    fn here<T: Component + Clone>(&self, there: Entity) -> Option<T> {
        self.client.get::<T>(self.follower.get(there)?).cloned()
    }
}

#[test]
fn values_need_no_set_and_older_ones_are_passed_over() {
    let mut pair = Pair::new();
    let ship = pair.server.spawn(Spot(0)).id();
    pair.settle();
    let values = [1, 2, 3].map(|it| {
        pair.server.get_mut::<Spot>(ship).unwrap().0 = it;
        assert_eq!(pair.set().len(), 7, "the set is empty");
        pair.value()
    });
    for (at, expected) in [(1, 2), (0, 2), (1, 2), (2, 3), (0, 3)] {
        assert_eq!(pair.apply_values(&values[at]), Received::Applied);
        assert_eq!(pair.here::<Spot>(ship), Some(Spot(expected)));
    }
    pair.sets.acknowledge_values(|number| number == values[0].number());
    assert!(pair.sets.has_pending_values(), "the newest one was not acknowledged");
    pair.sets.acknowledge_values(|number| number == values[2].number());
    assert!(!pair.sets.has_pending_values() && pair.values().is_empty());
}

#[test]
fn values_that_are_not_acknowledged_are_sent_again_with_their_newest_value() {
    let mut pair = Pair::new();
    let ship = pair.server.spawn(Spot(0)).id();
    pair.settle();
    pair.server.get_mut::<Spot>(ship).unwrap().0 = 5;
    pair.set();
    let lost = pair.value();
    assert!(pair.values().is_empty());
    let again = pair.sets.drain_values(&pair.server, LONGEST, 1_000, lost.number() + 1).unwrap();
    assert!(again.len() == 1 && again[0].number() > lost.number());
    assert_eq!(pair.apply_values(&again[0]), Received::Applied);
    assert_eq!(pair.here::<Spot>(ship), Some(Spot(5)));
}

#[test]
fn values_wait_only_for_the_sets_about_their_own_entities() {
    let mut pair = Pair::new();
    let old = pair.server.spawn(Spot(0)).id();
    pair.settle();
    let new = pair.server.spawn((Spot(1), Pace { x: 1, y: 1 })).id();
    let late = pair.set();
    pair.server.get_mut::<Spot>(old).unwrap().0 = 10;
    pair.server.get_mut::<Spot>(new).unwrap().0 = 11;
    pair.set();
    let [of_old, of_new] = &pair.values()[..] else { panic!("there are two sets of values") };
    assert_eq!(pair.apply_values(of_new), Received::Missing);
    assert_eq!(pair.apply_values(of_old), Received::Applied);
    assert_eq!((pair.here::<Spot>(old), pair.here::<Spot>(new)), (Some(Spot(10)), None));
    assert_eq!(pair.apply(&late), Received::Applied);
    assert_eq!(pair.here::<Spot>(new), Some(Spot(1)));
    assert_eq!(pair.apply_values(of_new), Received::Applied);
    assert_eq!(pair.here::<Spot>(new), Some(Spot(11)));
}

#[test]
fn a_value_from_before_a_set_about_its_entity_is_late() {
    let mut pair = Pair::new();
    let ship = pair.server.spawn((Spot(0), Label(String::new()))).id();
    pair.settle();
    pair.server.get_mut::<Spot>(ship).unwrap().0 = 1;
    pair.set();
    let before = pair.value();
    pair.server.remove::<Spot>(ship);
    pair.settle();
    assert_eq!(pair.apply_values(&before), Received::Applied);
    assert_eq!(pair.here::<Spot>(ship), None, "the component does not come back");
    pair.server.insert(ship, Spot(7)).unwrap();
    pair.settle();
    assert_eq!(pair.apply_values(&before), Received::Applied);
    assert_eq!(pair.here::<Spot>(ship), Some(Spot(7)));
    pair.server.despawn(ship).unwrap();
    let next = pair.server.spawn(Spot(8)).id();
    assert_eq!(next.index(), ship.index());
    pair.settle();
    assert_eq!(pair.apply_values(&before), Received::Applied);
    assert_eq!(pair.here::<Spot>(next), Some(Spot(8)));
}

#[test]
fn values_from_before_a_full_set_are_late() {
    let mut pair = Pair::new();
    let ship = pair.server.spawn(Spot(0)).id();
    pair.settle();
    pair.server.get_mut::<Spot>(ship).unwrap().0 = 1;
    pair.set();
    let before = pair.value();
    pair.sets.restart();
    let full = pair.set();
    pair.server.get_mut::<Spot>(ship).unwrap().0 = 2;
    pair.set();
    let after = pair.value();
    assert_eq!(pair.apply_values(&after), Received::Missing);
    assert_eq!(pair.apply(&full), Received::Applied);
    assert_eq!(pair.apply_values(&before), Received::Late);
    assert_eq!(pair.here::<Spot>(ship), Some(Spot(1)));
    assert_eq!(pair.apply_values(&after), Received::Applied);
    assert_eq!(pair.here::<Spot>(ship), Some(Spot(2)));
}

#[test]
fn relations_handles_and_unique_values_stay_in_sets() {
    let mut pair = Pair::new();
    let [one, two] = [1, 2].map(|it| pair.server.spawn((Spot(it), Key(it))).id());
    pair.server.insert(one, (Target(two), ChildOf(two))).unwrap();
    pair.settle();
    pair.server.get_mut::<Target>(one).unwrap().0 = one;
    pair.server.insert(one, Key(3)).unwrap();
    pair.server.insert(two, Key(1)).unwrap();
    pair.settle();
    assert!(pair.values().is_empty());
    let here = pair.follower.get(one).unwrap();
    assert_eq!(pair.here::<Target>(one), Some(Target(here)));
    assert_eq!((pair.here(one), pair.here(two)), (Some(Key(3)), Some(Key(1))));
}

#[test]
fn a_value_that_is_too_long_goes_with_the_next_set() {
    let mut pair = Pair::new();
    let ship = pair.server.spawn((Spot(0), Label("short".into()))).id();
    pair.settle();
    for length in [1_000, 1_001, 5] {
        pair.server.get_mut::<Label>(ship).unwrap().0 = "x".repeat(length);
        pair.server.get_mut::<Spot>(ship).unwrap().0 += 1;
        pair.settle();
        for values in pair.values() {
            assert_eq!(pair.apply_values(&values), Received::Applied);
        }
        pair.sets.acknowledge_values(|_| true);
        if length == 1_000 {
            assert!(pair.sets.has_pending_values());
            pair.settle();
        }
        assert!(!pair.sets.has_pending_values());
        assert_eq!(pair.here::<Label>(ship).unwrap().0.len(), length);
        assert_eq!(pair.here::<Spot>(ship), pair.server.get::<Spot>(ship).cloned());
    }
}

#[test]
fn values_beyond_the_limit_come_first_the_next_time() {
    let mut pair = Pair::new();
    pair.server.spawn_batch((0..100).map(Spot));
    pair.settle();
    let mut seen = [0; 100];
    for round in 1..=50 {
        pair.server.view_mut::<&mut Spot>().into_iter().for_each(|(_, it)| it.0 = 1_000 * round);
        pair.set();
        let values = pair.sets.drain_values(&pair.server, LONGEST, 20, 0).unwrap();
        assert_eq!(values.len(), 1);
        assert_eq!(pair.apply_values(&values[0]), Received::Applied);
        for (seen, spot) in seen.iter_mut().zip(pair.client.pool::<Spot>().as_slice()) {
            *seen += u32::from(spot.0 == 1_000 * round);
        }
    }
    let (least, most) = (seen.iter().min().unwrap(), seen.iter().max().unwrap());
    assert!(*least > 0 && most - least <= 1, "{least} to {most}");
}

#[test]
fn values_of_an_entity_that_was_despawned_here_are_skipped() {
    let mut pair = Pair::new();
    let ship = pair.server.spawn(Spot(0)).id();
    pair.settle();
    pair.client.clear();
    pair.server.get_mut::<Spot>(ship).unwrap().0 = 1;
    pair.set();
    let values = pair.value();
    assert_eq!(pair.apply_values(&values), Received::Applied);
    assert!(pair.client.is_empty() && pair.follower.skipped().eq([(ship, 1)]));
}

#[test]
fn values_need_the_followers_world() {
    let mut pair = Pair::new();
    let ship = pair.server.spawn(Spot(0)).id();
    pair.settle();
    pair.server.get_mut::<Spot>(ship).unwrap().0 = 1;
    pair.set();
    let values = pair.value();
    let mut apply = |world: &mut World, bytes: &[u8]| {
        world.apply_values(bytes, &mut pair.follower, &Limits::default()).unwrap_err().to_string()
    };
    let error = apply(&mut empty(), values.as_bytes());
    assert!(error.contains("the follower belongs to another world"), "{error}");
    let error = apply(&mut pair.client, &values.as_bytes()[..4]);
    assert!(error.contains("the bytes end too early"), "{error}");
    let mut longer = values.as_bytes().to_vec();
    longer.push(0);
    let error = apply(&mut pair.client, &longer);
    assert!(error.contains("there are bytes behind the end"), "{error}");
}

/// A step of the server. All values grow.
fn edit(world: &mut World, now: u64, random: &mut Random) {
    let all: Vec<Entity> = world.entities().collect();
    for entity in &all {
        if random.below(3) == 0
            && let Some(spot) = world.get_mut::<Spot>(*entity)
        {
            spot.0 = now;
        }
        if random.below(6) == 0
            && let Some(pace) = world.get_mut::<Pace>(*entity)
        {
            *pace.x = now;
        }
    }
    if all.len() < 12 {
        world.spawn((Spot(now), Label("new".into())));
        return;
    }
    let [one, other] = [(); 2].map(|()| all[random.below(all.len())]);
    match random.below(9) {
        0 => drop(world.spawn((Spot(now), Pace { x: now, y: 1 }, ChildOf(one))).id()),
        1 => _ = world.despawn(one),
        2 => drop(world.remove::<Spot>(one)),
        3 => world.insert(one, Spot(now)).unwrap(),
        4 => drop(world.remove::<Pace>(one)),
        5 => world.insert(one, Pace { x: now, y: 2 }).unwrap(),
        6 => _ = world.attach(one, other),
        7 => world.insert(one, Target(other)).unwrap(),
        _ => {
            let length = [3, 20, 700][random.below(3)];
            world.insert(one, Label("ab".repeat(length))).unwrap();
        }
    }
}

/// Checks that the client has the components of the visible entities, and nothing else.
#[track_caller]
fn assert_equal(pair: &Pair, is_visible: impl Fn(Entity) -> bool) {
    pair.client.check_invariants();
    let (mut counts, here) = ([0; 3], |there| pair.follower.get(there).unwrap());
    for there in pair.server.entities().filter(|it| is_visible(*it)) {
        let has_any = pair.server.has::<Spot>(there) || pair.server.has::<Pace>(there);
        if !has_any && pair.follower.get(there).is_none() {
            continue;
        }
        assert_eq!(pair.here::<Spot>(there), pair.server.get::<Spot>(there).cloned(), "{there}");
        let pace = |world: &World, it| world.get::<Pace>(it).map(|it| (*it.x, *it.y));
        assert_eq!(pace(&pair.client, here(there)), pace(&pair.server, there), "{there}");
        assert_eq!(pair.here::<Label>(there), pair.server.get::<Label>(there).cloned(), "{there}");
        let has = [pair.server.has::<Spot>(there), pair.server.has::<Pace>(there)];
        counts[0] += usize::from(has[0]);
        counts[1] += usize::from(has[1]);
        counts[2] += usize::from(pair.server.has::<Label>(there));
    }
    let client = &pair.client;
    let pools =
        [client.pool::<Spot>().len(), client.pool::<Pace>().len(), client.pool::<Label>().len()];
    assert_eq!(pools, counts);
}

#[test]
fn a_client_is_equal_after_any_losses_and_no_value_goes_back() {
    for seed in 0..asked("ECS_FRAMES", 10) {
        let (mut pair, mut random) = (Pair::new(), Random(seed));
        let mut wire = VecDeque::new(); // sets, in order
        let mut loose: Vec<ValueSet> = Vec::new();
        let mut acknowledged = Vec::new();
        let mut visible = 1;
        let mut last = Vec::<(Entity, u64)>::new();
        for now in 1..300 {
            let is_over = now > 200;
            if !is_over {
                edit(&mut pair.server, now, &mut random);
                if seed % 2 == 1 && random.below(20) == 0 {
                    visible = [1, 2, 3][random.below(3)];
                }
            }
            if random.below(60) == 0 {
                pair.sets.restart();
            }
            let set = if seed % 2 == 1 {
                let is_visible = |_: &World, entity: Entity| entity.index().is_multiple_of(visible);
                pair.sets.drain_visible(&mut pair.server, is_visible).unwrap()
            } else {
                pair.sets.drain(&mut pair.server).unwrap()
            };
            if !set.is_empty() {
                wire.push_back(set);
            }
            let resend = if random.below(3) == 0 { u64::MAX - 1 } else { 0 };
            let most = if is_over { 100_000 } else { 400 };
            let values = pair.sets.drain_values(&pair.server, LONGEST, most, resend).unwrap();
            loose.extend(values);
            while is_over || random.below(3) > 0 {
                let Some(set) = wire.pop_front() else { break };
                assert_eq!(pair.apply(set.as_bytes()), Received::Applied);
            }
            if is_over || random.below(4) == 0 {
                pair.sets.acknowledge(pair.follower.number());
            }
            for _ in 0..loose.len() {
                let at = random.below(loose.len());
                let values = match random.below(4) {
                    0 => drop_of(&mut loose, at), // lost
                    1 => Some(loose[at].clone()), // and again
                    2 => None,
                    _ => Some(loose.swap_remove(at)),
                };
                let Some(values) = values else { continue };
                if pair.apply_values(&values) != Received::Missing {
                    acknowledged.push(values.number());
                }
                if loose.is_empty() {
                    break;
                }
            }
            if random.below(2) == 0 {
                pair.sets.acknowledge_values(|number| acknowledged.contains(&number));
            }
            let spots = pair
                .follower
                .known()
                .iter()
                .filter_map(|(there, here)| Some((there, pair.client.get::<Spot>(*here)?.0)));
            let spots: Vec<(Entity, u64)> = spots.collect();
            for (there, before) in last {
                let is = spots.iter().find(|(it, _)| *it == there);
                assert!(is.is_none_or(|(_, is)| *is >= before), "{seed} {now}: {there}");
            }
            last = spots;
        }
        assert!(!pair.sets.has_pending_values(), "seed {seed}");
        let is_visible = |entity: Entity| seed % 2 == 0 || entity.index().is_multiple_of(visible);
        assert_equal(&pair, is_visible);
    }
}

fn drop_of(loose: &mut Vec<ValueSet>, at: usize) -> Option<ValueSet> {
    loose.swap_remove(at);
    None
}

#[test]
fn mutated_values_do_no_harm() {
    let mut pair = Pair::new();
    pair.server.spawn_batch((0..9).map(|it| (Spot(it), Pace { x: it, y: 1 })));
    pair.server.spawn(Label("label".into()));
    pair.settle();
    pair.server.view_mut::<&mut Spot>().into_iter().for_each(|(_, it)| it.0 += 1);
    pair.server.view_mut::<&mut Pace>().into_iter().for_each(|(_, it)| *it.x += 1);
    pair.server.view_mut::<&mut Label>().into_iter().for_each(|(_, it)| it.0.push('s'));
    pair.set();
    let values = pair.value().as_bytes().to_vec();
    let mut random = Random(7);
    let (mut applied, mut refused) = (0, 0);
    for at in 0..asked("ECS_MUTATIONS", 1_000) {
        let mut bytes = values.clone();
        for _ in 0..=random.below(3) {
            mutate(&mut bytes, std::slice::from_ref(&values), &mut random);
        }
        let (mut world, mut follower) = (pair.client.try_clone().unwrap(), pair.follower.clone());
        let allowed = 300 * bytes.len() + 50_000;
        let limits = Limits::default().memory(allowed);
        let result = outcome(at, &bytes, allowed + 50_000, || {
            world.apply_values(&bytes, &mut follower, &limits)
        });
        world.check_invariants();
        if result.is_some() { applied += 1 } else { refused += 1 }
    }
    assert!(applied > 100 && refused > 100, "{applied} {refused}");
}
