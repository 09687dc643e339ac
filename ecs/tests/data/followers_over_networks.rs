//! Clients that follow a server by change sets over a network that loses, repeats and reorders them.

use crate::followers::{Power, Shield, empty};
use ecs::save::{ChangeSet, ChangeSets, Follower, Limits, Received};
use ecs::{ChildOf, Entity, Res, Resource, World};
use serde::{Deserialize, Serialize};

#[derive(Resource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[resource(save = "round", clone)]
struct Round(u64);

fn with_rounds() -> World {
    let mut world = empty();
    world.register::<Res<Round>>();
    world
}

fn followed() -> (World, World, Follower, ChangeSets) {
    let mut server = with_rounds();
    let sets = server.change_sets().resource::<Round>();
    (server, with_rounds(), Follower::default(), sets)
}

fn apply(client: &mut World, follower: &mut Follower, set: &ChangeSet) -> Received {
    client.apply_change_set(set.as_bytes(), follower, &Limits::default()).unwrap()
}

fn follow(client: &mut World, follower: &mut Follower, server: &mut World, sets: &mut ChangeSets) {
    assert_eq!(apply(client, follower, &sets.drain(server).unwrap()), Received::Applied);
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
    assert_eq!(apply(&second), (Received::Missing, 0));
    assert_eq!(apply(&nothing), (Received::Missing, 0), "a set without changes tells the number");
    assert_eq!(apply(&first), (Received::Applied, 1));
    assert_eq!(apply(&first), (Received::Late, 1));
    assert_eq!(apply(&third), (Received::Missing, 1));
    assert_eq!(apply(&second), (Received::Applied, 2));
    assert_eq!(apply(&third), (Received::Applied, 3));
    assert_eq!(apply(&nothing), (Received::Applied, 3));
    assert_eq!(apply(&second), (Received::Late, 3));
}

#[test]
fn a_full_set_removes_despawned_entities_and_keeps_the_clients_own() {
    let (mut server, mut client, mut follower, mut sets) = followed();
    let [gone, poor, parent] = [(); 3].map(|()| server.spawn((Power(1), Shield(2))).id());
    let children = server.spawn_batch((0..3).map(|_| ChildOf(parent)));
    server.insert_resource(Round(1));
    follow(&mut client, &mut follower, &mut server, &mut sets);
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
    assert_eq!(apply(&mut client, &mut follower, &full), Received::Applied);
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
    follow(&mut client, &mut follower, &mut server, &mut sets);
    client.clear();
    for entity in [right, wrong] {
        server.get_mut::<Power>(entity).unwrap().0 = 5;
    }
    follow(&mut client, &mut follower, &mut server, &mut sets);
    assert!(client.is_empty(), "no entity comes back with one component only");
    assert_eq!(follower.skipped().count(), 2);
    server.despawn(right).unwrap();
    follow(&mut client, &mut follower, &mut server, &mut sets);
    assert!(client.is_empty() && follower.skipped().eq([(wrong, 2)]));
    sets.restart();
    follow(&mut client, &mut follower, &mut server, &mut sets);
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
    follow(&mut client, &mut follower, &mut server, &mut sets);
    client.despawn(follower.get(children[1]).unwrap()).unwrap();
    server.move_related::<ChildOf>(children[3], 2);
    follow(&mut client, &mut follower, &mut server, &mut sets);
    assert!(follower.skipped().eq([(children[3], 2)]));
    sets.restart();
    follow(&mut client, &mut follower, &mut server, &mut sets);
    let order = [0, 1, 3, 2].map(|at: usize| follower.get(children[at]).unwrap());
    assert!(client.children(follower.get(parent).unwrap()).eq(order));
    assert_eq!(follower.skipped().count(), 0);
}

#[test]
fn a_set_that_an_observer_panics_in_is_followed_by_a_full_one() {
    let (mut server, mut client, mut follower, mut sets) = followed();
    let ship = server.spawn((Power(1), Shield(2))).id();
    follow(&mut client, &mut follower, &mut server, &mut sets);
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
    assert_eq!(apply(&mut client, &mut follower, &set), Received::Missing);
    sets.restart();
    follow(&mut client, &mut follower, &mut server, &mut sets);
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
    assert_eq!(apply(&mut client, &mut follower, &set), Received::Applied);
    assert_eq!(client.resource::<Round>(), &Round(4));
    assert!(sets.drain(&mut server).unwrap().is_empty());
    // A full set does not say that it is gone while it is lent.
    let ship = server.spawn(Power(1)).id();
    sets.restart();
    server.resource_scope(|server: &mut World, round: &mut Round| {
        round.0 = 5;
        let set = sets.drain(server).unwrap();
        assert_eq!(apply(&mut client, &mut follower, &set), Received::Applied);
    });
    assert!(client.resource::<Round>().0 == 4 && follower.get(ship).is_some());
    let set = sets.drain(&mut server).unwrap();
    assert_eq!(apply(&mut client, &mut follower, &set), Received::Applied);
    assert_eq!(client.resource::<Round>().0, 5);
    assert!(sets.drain(&mut server).unwrap().is_empty());
}

/// A frame in which 100 of 1,000 entities move: its bytes, beside the bytes of their values and
/// handles.
#[test]
fn a_set_is_hardly_larger_than_its_values_and_handles() {
    let (mut server, mut client, mut follower, mut sets) = followed();
    let ships = server.spawn_batch((0..1_000).map(|it| (Power(it), Shield(it))));
    follow(&mut client, &mut follower, &mut server, &mut sets);
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
        assert_eq!(apply(&mut client, &mut follower, &set), Received::Applied);
    }
}
