//! Indexed and unique components in files, texts, deltas and change sets.

use crate::saves::bytes_of;
use ecs::save::{ChangeSets, Delta, Follower, Limits};
use ecs::{Component, Entity, World};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
#[component(save = "team", clone, track, index)]
struct Team(u8);
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
#[component(save = "callsign", clone, track, unique)]
struct Callsign(String);
/// Has the name in files, and no rule: it makes files that break the rule.
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
#[component(save = "callsign", clone, track)]
struct AnyCallsign(String);

fn call(text: &str) -> Callsign {
    Callsign(text.into())
}

fn any(text: &str) -> AnyCallsign {
    AnyCallsign(text.into())
}

fn knowing() -> World {
    let mut world = World::new();
    world.register::<(Team, Callsign)>();
    world
}

#[track_caller]
fn check(world: &World) {
    for team in 0..8 {
        let found: Vec<Entity> = world.index::<Team>().get(&Team(team)).collect();
        let mut scan: Vec<Entity> =
            world.view::<&Team>().iter().filter(|it| it.1.0 == team).map(|it| it.0).collect();
        scan.sort_unstable();
        assert_eq!(found, scan);
    }
    for (entity, call) in world.view::<&Callsign>() {
        assert_eq!(world.find(call), Some(entity));
    }
    assert_eq!(world.index::<Callsign>().key_count(), world.view::<Callsign>().count());
}

fn filled() -> World {
    let mut world = knowing();
    world.spawn_batch((0..20).map(|n| (Team(n % 5), call(&n.to_string()))));
    world
}

#[test]
fn loads_are_seen_and_a_second_holder_is_refused() {
    let world = filled();
    let mut other = knowing();
    other.spawn_batch((0..3).map(|n| (Team(7), call(&format!("other {n}")))));
    check(&other);
    other.load(&bytes_of(&world), &Limits::default()).unwrap();
    check(&other);
    assert_eq!(other.index::<Team>().get(&Team(3)).count(), 4);
    let text = serde_json::to_string(&world.save()).unwrap();
    let mut from = serde_json::Deserializer::from_str(&text);
    let (read, _) = knowing().read_from(&mut from).unwrap();
    check(&read);
    assert_eq!(read.index::<Callsign>().key_count(), 20);

    let mut wrong = World::new();
    wrong.spawn_batch([any("a"), any("b"), any("a")]);
    let (bytes, before) = (bytes_of(&wrong), bytes_of(&other));
    let error = other.load(&bytes, &Limits::default()).unwrap_err().to_string();
    assert!(error.contains("`Callsign` is unique, and entity 0v1 has an equal one"), "{error}");
    let text = serde_json::to_string(&wrong.save()).unwrap();
    let mut from = serde_json::Deserializer::from_str(&text);
    assert!(other.read_from(&mut from).is_err());
    assert!(bytes_of(&other) == before);
    check(&other);
}

#[test]
fn deltas_are_seen_and_a_second_holder_is_refused() {
    let old = filled();
    let mut new = old.try_clone().unwrap();
    let all: Vec<Entity> = new.entities().collect();
    new.despawn(all[3]).unwrap();
    new.insert_batch([(all[4], call("new")), (all[5], call("4")), (all[6], call("3"))]).unwrap();
    new.view_mut::<&mut Team>().for_each(|(_, team)| team.0 ^= 1);
    new.spawn((Team(6), call("6")));
    check(&new);
    let mut world = old.try_clone().unwrap();
    check(&world);
    let delta = Delta::between(&old, &new).unwrap();
    world.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
    check(&world);
    assert!(bytes_of(&world) == bytes_of(&new));

    let mut one = World::new();
    one.spawn_batch([any("a"), any("b")]);
    let mut two = one.try_clone().unwrap();
    let second = two.entities().nth(1).unwrap();
    two.get_mut::<AnyCallsign>(second).unwrap().0 = "a".into();
    let mut world = knowing();
    world.load(&bytes_of(&one), &Limits::default()).unwrap();
    let (delta, before) = (Delta::between(&one, &two).unwrap(), bytes_of(&world));
    let error = world.apply_delta(delta.as_bytes(), &Limits::default()).unwrap_err().to_string();
    assert!(error.contains("`Callsign` is unique, and entity 0v1 has an equal one"), "{error}");
    assert!(bytes_of(&world) == before);
    check(&world);
}

#[test]
fn change_sets_are_seen_and_a_second_holder_is_refused() {
    let (mut server, mut client) = (filled(), knowing());
    let (mut news, mut known) = (ChangeSets::default(), Follower::default());
    let mut follow = |server: &mut World, client: &mut World| {
        let set = news.drain(server).unwrap();
        client.apply_change_set(set.as_bytes(), &mut known, &Limits::default()).map(drop)
    };
    follow(&mut server, &mut client).unwrap();
    check(&client);
    assert_eq!(client.index::<Callsign>().key_count(), 20);
    let all: Vec<Entity> = server.entities().collect();
    server.despawn(all[3]).unwrap(); // its value goes to another one in the same set
    server.insert_batch([(all[4], call("new")), (all[5], call("4")), (all[6], call("3"))]).unwrap();
    server.view_mut::<&mut Team>().for_each(|(_, team)| team.0 ^= 1);
    server.spawn((Team(6), call("6")));
    follow(&mut server, &mut client).unwrap();
    check(&client);
    assert_eq!(client.index::<Callsign>().key_count(), 20);

    let mut server = World::new();
    let b = server.spawn_batch([any("a"), any("b")])[1];
    let (mut news, mut known, mut client) = (ChangeSets::default(), Follower::default(), knowing());
    let mut follow = |server: &mut World, client: &mut World| {
        let set = news.drain(server).unwrap();
        client.apply_change_set(set.as_bytes(), &mut known, &Limits::default()).map(drop)
    };
    follow(&mut server, &mut client).unwrap();
    server.get_mut::<AnyCallsign>(b).unwrap().0 = "a".into();
    let error = follow(&mut server, &mut client).unwrap_err().to_string();
    assert!(error.contains("`Callsign` is unique, and entity "), "{error}");
    assert_eq!(client.index::<Callsign>().key_count(), 2);
    check(&client);
}
