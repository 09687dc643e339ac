//! Clients that follow a server by change sets over a network that loses, repeats and reorders them.

use crate::following::{Client, Hull, Power, Shield, add_own, edit, empty, replace};
use crate::worlds::{Random, asked, seeds};
use ecs::save::{Applied, ChangeSet, ChangeSets, Follower, Limits};
use ecs::{ChildOf, Component, Entity, Res, Resource, World};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Resource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[resource(save = "round", clone)]
struct Round(u64);

fn with_rounds() -> World {
    let mut world = empty();
    world.register::<Res<Round>>();
    world
}

/// A client, its sets that are on their way, and what became of them.
struct Remote {
    client: Client,
    /// By the frame in which they arrive.
    underway: BTreeMap<u64, Vec<Vec<u8>>>,
    /// The number of the last set that was sent.
    sent: u64,
    /// `true` if it wrote something in advance that no full set has undone so far.
    is_ahead: bool,
    /// `true` if a set was missing, and none arrived since that repaired it.
    is_behind: bool,
}

#[derive(Debug, Default)]
struct Counts {
    late: u64,
    missing: u64,
    recovered: u64,
    equal: u64,
    predicted: u64,
    reconnected: u64,
}

impl Remote {
    fn new() -> Self {
        let mut client = Client::new(ChangeSets::default().resource::<Round>());
        client.world = with_rounds();
        Self { client, underway: BTreeMap::new(), sent: 0, is_ahead: false, is_behind: false }
    }

    /// Connects again, with the entities that it has.
    fn reconnect(&mut self) {
        self.client.sets = ChangeSets::default().resource::<Round>();
        self.client.known.restart();
        self.underway.clear();
        (self.sent, self.is_behind) = (0, true);
    }

    fn send(&mut self, server: &mut World, frame: u64, random: &mut Random) {
        let set = self.client.sets.drain(server).unwrap();
        self.sent = set.number();
        for _ in 0..[0, 1, 1, 1, 1, 1, 1, 1, 2, 3][random.below(10)] {
            let delay = [0, 0, 0, 0, 1, 2, 3, 9][random.below(8)];
            self.underway.entry(frame + delay).or_default().push(set.as_bytes().to_vec());
        }
    }

    fn receive(&mut self, frame: u64, random: &mut Random, counts: &mut Counts) {
        let mut arrived = self.underway.remove(&frame).unwrap_or_default();
        while !arrived.is_empty() {
            let set = arrived.swap_remove(random.below(arrived.len()));
            let Client { world, known, .. } = &mut self.client;
            let before = known.number();
            match world.apply_change_set(&set, known, &Limits::default()).unwrap() {
                Applied::Done => {
                    assert!(known.number() >= before);
                    self.is_ahead &= known.full_number() <= before;
                }
                Applied::Late => counts.late += 1,
                Applied::Missing => {
                    counts.missing += 1;
                    self.is_behind = true;
                }
            }
        }
    }

    /// Requests a full set now and then, if there is a reason.
    fn recover(&mut self, random: &mut Random) {
        let is_reason = self.is_behind || self.client.known.skipped().next().is_some();
        if is_reason && random.below(4) == 0 || random.below(200) == 0 {
            self.client.sets.restart();
        }
    }

    /// Checks that the worlds are equal, if all that was sent is here.
    fn check(&mut self, server: &World, counts: &mut Counts) {
        let Client { world, known, .. } = &mut self.client;
        if known.number() != self.sent || known.needs_full() || self.is_ahead {
            return;
        }
        counts.recovered += u64::from(std::mem::take(&mut self.is_behind));
        counts.equal += 1;
        assert_eq!(known.skipped().next(), None);
        assert_eq!(world.get_resource::<Round>(), server.get_resource::<Round>());
        self.client.own.retain(|own| self.client.world.is_alive(*own));
        self.client.assert_follows(server);
    }

    /// Writes something in advance, to entities of the server.
    fn predict(&mut self, random: &mut Random, counts: &mut Counts) {
        let Client { world, known, .. } = &mut self.client;
        let here: Vec<Entity> =
            known.known().iter().map(|(_, here)| *here).filter(|it| world.is_alive(*it)).collect();
        if here.len() < 2 {
            return;
        }
        let [one, other] = [(); 2].map(|()| here[random.below(here.len())]);
        match random.below(7) {
            0 => world.insert(one, Power(1)).unwrap(),
            1 => drop(world.remove::<(Hull, Shield)>(one)),
            2 => _ = world.despawn(one),
            3 => _ = world.attach(one, other),
            4 => _ = world.move_related::<ChildOf>(one, random.below(3)),
            5 => _ = world.remove_resource::<Round>(),
            _ => _ = world.despawn_batch(&here[..here.len() / 3]),
        }
        self.is_ahead = true;
        counts.predicted += 1;
    }
}

/// `ECS_FRAMES` says how many frames each world goes through.
#[test]
fn worlds_are_equal_after_every_recovery() {
    let frames = asked("ECS_FRAMES", 150);
    let mut counts = Counts::default();
    for seed in seeds(8) {
        let mut random = Random(seed);
        let mut server = with_rounds();
        let mut kept = server.try_clone().unwrap();
        let mut remotes = vec![Remote::new()];
        for frame in 0..frames {
            (0..random.below(6)).for_each(|_| edit(&mut server, &mut random));
            replace(&mut server, &mut kept, &mut random);
            match random.below(9) {
                0 => drop(server.insert_resource(Round(frame))),
                1 => drop(server.remove_resource::<Round>()),
                _ => {}
            }
            if server.len() > 100 {
                server.clear();
            }
            if random.below(20) == 0 && remotes.len() < 3 {
                remotes.push(Remote::new());
            } else if random.below(100) == 0 && remotes.len() > 1 {
                remotes.swap_remove(random.below(remotes.len()));
            }
            for remote in &mut remotes {
                if random.below(60) == 0 {
                    remote.reconnect();
                    counts.reconnected += 1;
                }
                if random.below(20) == 0 {
                    remote.predict(&mut random, &mut counts);
                }
                add_own(&mut remote.client, &mut random);
                remote.send(&mut server, frame, &mut random);
                remote.receive(frame, &mut random, &mut counts);
                remote.check(&server, &mut counts);
                remote.recover(&mut random);
            }
        }
    }
    println!("{counts:?}");
    let Counts { late, missing, recovered, equal, predicted, reconnected } = counts;
    for (count, least) in
        [(late, 10), (missing, 10), (recovered, 50), (equal, 9), (predicted, 99), (reconnected, 99)]
    {
        assert!(count * least > frames, "of {frames} frames a world, {counts:?}");
    }
}

/// A client that may see some entities only, which are others now and then.
#[test]
fn clients_have_all_visible_entities_and_nothing_else() {
    let frames = asked("ECS_FRAMES", 60);
    let (mut seen, mut unseen) = (0, 0);
    for seed in seeds(20) {
        let mut random = Random(seed);
        let mut server = empty();
        let mut kept = server.try_clone().unwrap();
        let mut client = Client::new(ChangeSets::default());
        let mut salt = 0;
        for _ in 0..frames {
            (0..random.below(6)).for_each(|_| edit(&mut server, &mut random));
            replace(&mut server, &mut kept, &mut random);
            if server.len() > 100 {
                server.clear();
            }
            if random.below(3) == 0 {
                salt += 1;
            }
            let is_visible = |entity: Entity| (entity.index() + salt) % 5 < 3;
            let Client { sets, world, known, .. } = &mut client;
            if random.below(20) == 0 {
                sets.restart();
            }
            let set = sets.drain_visible(&mut server, |_, entity| is_visible(entity)).unwrap();
            let applied = world.apply_change_set(set.as_bytes(), known, &Limits::default());
            assert_eq!(applied.unwrap(), Applied::Done);
            world.check_invariants();
            for (there, here) in known.known() {
                assert!(server.is_alive(there) && world.is_alive(*here), "{there} of {seed}");
            }
            seen += assert_seen::<Hull>(&server, &client, is_visible);
            seen += assert_seen::<Shield>(&server, &client, is_visible);
            assert_seen::<Power>(&server, &client, is_visible);
            unseen += server.pool::<Hull>().keys().iter().filter(|it| !is_visible(**it)).count();
            for parent in server.entities() {
                let there = server.children(parent).filter(|child| is_visible(*child));
                let there: Vec<Entity> = there.map(|child| client.here(child)).collect();
                if let Some(here) = client.known.get(parent) {
                    assert!(client.world.children(here).eq(there), "{parent} of {seed}");
                } else {
                    assert!(there.is_empty());
                }
            }
            let Client { sets, .. } = &mut client;
            let again = sets.drain_visible(&mut server, |_, entity| is_visible(entity)).unwrap();
            assert!(again.is_empty());
        }
    }
    let least = usize::try_from(10 * frames).unwrap();
    assert!(seen > 2 * least && unseen > least, "{seen}, {unseen}");
}

/// Checks that of this component the client has what it sees. Returns how many that are.
#[track_caller]
fn assert_seen<T: Component<Storage = Vec<T>> + PartialEq + std::fmt::Debug>(
    server: &World,
    client: &Client,
    is_visible: impl Fn(Entity) -> bool,
) -> usize {
    let mut count = 0;
    for (entity, value) in server.pool::<T>().iter().filter(|(it, _)| is_visible(*it)) {
        assert_eq!(client.world.get::<T>(client.here(entity)), Some(value), "{entity}");
        count += 1;
    }
    assert_eq!(client.world.pool::<T>().len(), count);
    count
}

fn followed() -> (World, World, Follower, ChangeSets) {
    let mut server = with_rounds();
    let sets = server.change_sets().resource::<Round>();
    (server, with_rounds(), Follower::default(), sets)
}

fn apply(client: &mut World, follower: &mut Follower, set: &ChangeSet) -> Applied {
    client.apply_change_set(set.as_bytes(), follower, &Limits::default()).unwrap()
}

#[test]
fn late_repeated_reordered_and_missing_sets_are_recognized() {
    let (mut server, mut client, mut follower, mut sets) = followed();
    let ship = server.spawn(Power(0)).id();
    let [first, second, third] = [1, 2, 3].map(|it| {
        server.get_mut::<Power>(ship).unwrap().0 = it;
        sets.drain(&mut server).unwrap()
    });
    let nothing = sets.drain(&mut server).unwrap();
    assert_eq!([&first, &second, &third, &nothing].map(ChangeSet::number), [1, 2, 3, 3]);
    let mut apply = |set| {
        let applied = apply(&mut client, &mut follower, set);
        (applied, client.pool::<Power>().as_slice().first().map_or(0, |it| it.0))
    };
    assert_eq!(apply(&second), (Applied::Missing, 0));
    assert_eq!(apply(&nothing), (Applied::Missing, 0), "a set without changes tells the number");
    assert_eq!(apply(&first), (Applied::Done, 1));
    assert_eq!(apply(&first), (Applied::Late, 1));
    assert_eq!(apply(&third), (Applied::Missing, 1));
    assert_eq!(apply(&second), (Applied::Done, 2));
    assert_eq!(apply(&third), (Applied::Done, 3));
    assert_eq!(apply(&nothing), (Applied::Done, 3));
    assert_eq!(apply(&second), (Applied::Late, 3));
}

#[test]
fn a_full_set_removes_despawned_entities_and_keeps_the_clients_own() {
    let (mut server, mut client, mut follower, mut sets) = followed();
    let [gone, poor, parent] = [(); 3].map(|()| server.spawn((Power(1), Shield(2))).id());
    let children = server.spawn_batch((0..3).map(|_| ChildOf(parent)));
    server.insert_resource(Round(1));
    assert_eq!(apply(&mut client, &mut follower, &sets.drain(&mut server).unwrap()), Applied::Done);
    let here = follower.get(parent).unwrap();
    let own = client.spawn((Power(7), ChildOf(here))).id();
    let alone = client.spawn(Shield(8)).id();
    server.despawn(gone).unwrap();
    server.remove::<Shield>(poor);
    server.remove_resource::<Round>();
    server.move_related::<ChildOf>(children[0], 2);
    server.despawn(children[1]).unwrap();
    let _lost = sets.drain(&mut server).unwrap();
    sets.restart();
    let full = sets.drain(&mut server).unwrap();
    assert!(full.is_full() && full.number() == 3);
    assert_eq!(apply(&mut client, &mut follower, &full), Applied::Done);
    assert!(follower.get(gone).is_none() && follower.known().len() == 4 && client.len() == 6);
    let poor = follower.get(poor).unwrap();
    assert!(client.has::<Power>(poor) && !client.has::<Shield>(poor));
    assert_eq!(client.get_resource::<Round>(), None);
    let [a, b] = [children[2], children[0]].map(|it| follower.get(it).unwrap());
    let order: Vec<Entity> = client.children(here).filter(|it| *it != own).collect();
    assert_eq!(order, [a, b]);
    assert_eq!(client.get::<Power>(own), Some(&Power(7)));
    assert_eq!(client.get::<Shield>(alone), Some(&Shield(8)));
}

#[test]
fn a_despawned_prediction_stays_until_the_server_agrees_or_a_full_set_comes() {
    let (mut server, mut client, mut follower, mut sets) = followed();
    let [right, wrong] = [(); 2].map(|()| server.spawn((Power(1), Shield(2))).id());
    assert_eq!(apply(&mut client, &mut follower, &sets.drain(&mut server).unwrap()), Applied::Done);
    client.clear();
    for entity in [right, wrong] {
        server.get_mut::<Power>(entity).unwrap().0 = 5;
    }
    assert_eq!(apply(&mut client, &mut follower, &sets.drain(&mut server).unwrap()), Applied::Done);
    assert!(client.is_empty(), "no entity comes back with one component only");
    assert_eq!(follower.skipped().count(), 2);
    server.despawn(right).unwrap();
    assert_eq!(apply(&mut client, &mut follower, &sets.drain(&mut server).unwrap()), Applied::Done);
    assert!(client.is_empty() && follower.skipped().eq([(wrong, 2)]));
    sets.restart();
    assert_eq!(apply(&mut client, &mut follower, &sets.drain(&mut server).unwrap()), Applied::Done);
    let here = follower.get(wrong).unwrap();
    let values = (client.get::<Power>(here), client.get::<Shield>(here));
    assert_eq!(values, (Some(&Power(5)), Some(&Shield(2))));
    assert!(client.len() == 1 && follower.skipped().next().is_none());
}

#[test]
fn a_child_whose_place_is_behind_a_despawned_one_is_skipped() {
    let (mut server, mut client, mut follower, mut sets) = followed();
    let parent = server.spawn(Power(1)).id();
    let children = server.spawn_batch((0..4).map(|_| ChildOf(parent)));
    assert_eq!(apply(&mut client, &mut follower, &sets.drain(&mut server).unwrap()), Applied::Done);
    client.despawn(follower.get(children[1]).unwrap()).unwrap();
    server.move_related::<ChildOf>(children[3], 2);
    assert_eq!(apply(&mut client, &mut follower, &sets.drain(&mut server).unwrap()), Applied::Done);
    assert!(follower.skipped().eq([(children[3], 2)]));
    sets.restart();
    assert_eq!(apply(&mut client, &mut follower, &sets.drain(&mut server).unwrap()), Applied::Done);
    let order = [0, 1, 3, 2].map(|at: usize| follower.get(children[at]).unwrap());
    assert!(client.children(follower.get(parent).unwrap()).eq(order));
    assert_eq!(follower.skipped().count(), 0);
}

#[test]
fn a_set_that_an_observer_panics_in_is_followed_by_a_full_one() {
    let (mut server, mut client, mut follower, mut sets) = followed();
    let ship = server.spawn((Power(1), Shield(2))).id();
    assert_eq!(apply(&mut client, &mut follower, &sets.drain(&mut server).unwrap()), Applied::Done);
    client.insert_resource(Round(0));
    client.on_remove::<Shield>(|world, _| {
        assert!(world.remove_resource::<Round>().is_none(), "once");
    });
    server.remove::<Shield>(ship);
    server.get_mut::<Power>(ship).unwrap().0 = 3;
    let set = sets.drain(&mut server).unwrap();
    let panics = std::panic::AssertUnwindSafe(|| apply(&mut client, &mut follower, &set));
    assert!(std::panic::catch_unwind(panics).is_err());
    assert!(follower.needs_full());
    assert_eq!(apply(&mut client, &mut follower, &set), Applied::Missing);
    sets.restart();
    assert_eq!(apply(&mut client, &mut follower, &sets.drain(&mut server).unwrap()), Applied::Done);
    let here = follower.get(ship).unwrap();
    assert!(client.get::<Power>(here) == Some(&Power(3)) && !client.has::<Shield>(here));
}

#[test]
fn resources_are_sent_if_they_changed_and_not_while_they_are_lent() {
    let (mut server, mut client, mut follower, mut sets) = followed();
    server.insert_resource(Round(4));
    let set = sets.drain(&mut server).unwrap();
    assert!(!set.is_empty() && !set.is_full());
    client.insert_resource(Round(9));
    client.resource_scope(|client: &mut World, _: &mut Round| {
        let applied = client.apply_change_set(set.as_bytes(), &mut follower, &Limits::default());
        let error = applied.unwrap_err().to_string();
        let words = "it is lent by `World::resource_scope`: apply the set after that";
        assert!(error.contains("`round`") && error.ends_with(words), "{error}");
    });
    assert_eq!(apply(&mut client, &mut follower, &set), Applied::Done);
    assert_eq!(client.resource::<Round>(), &Round(4));
    assert!(sets.drain(&mut server).unwrap().is_empty());
    // A full set does not say that it is gone while it is lent.
    let ship = server.spawn(Power(1)).id();
    sets.restart();
    server.resource_scope(|server: &mut World, round: &mut Round| {
        round.0 = 5;
        let set = sets.drain(server).unwrap();
        assert_eq!(apply(&mut client, &mut follower, &set), Applied::Done);
    });
    assert!(client.resource::<Round>().0 == 4 && follower.get(ship).is_some());
    let set = sets.drain(&mut server).unwrap();
    assert_eq!(apply(&mut client, &mut follower, &set), Applied::Done);
    assert_eq!(client.resource::<Round>().0, 5);
    assert!(sets.drain(&mut server).unwrap().is_empty());
}

/// A frame in which 100 of 1,000 entities move: its bytes, beside those of their values and handles.
#[test]
fn a_set_is_hardly_larger_than_its_values_and_handles() {
    let (mut server, mut client, mut follower, mut sets) = followed();
    let ships = server.spawn_batch((0..1_000).map(|it| (Power(it), Shield(it))));
    assert_eq!(apply(&mut client, &mut follower, &sets.drain(&mut server).unwrap()), Applied::Done);
    for frame in [1, 2, 3] {
        let mut plain = 0;
        for ship in ships.iter().step_by(10 * frame) {
            server.get_mut::<Power>(*ship).unwrap().0 += 100_000;
            server.get_mut::<Shield>(*ship).unwrap().0 += 100_000;
            plain += 2 * 3 + 2 * 2; // of both components, a value of three bytes, and a handle of two
        }
        let set = sets.drain(&mut server).unwrap();
        let bytes = set.as_bytes().len();
        assert!(bytes * 100 < plain * 115, "{bytes} of {plain}");
        assert_eq!(apply(&mut client, &mut follower, &set), Applied::Done);
    }
}
