//! The age of a client's values over a network that loses packets, and their exactness at rest.
//! `ECS_ENTITIES=100000 cargo test --release -p ecs_replication --test values` takes a large world.

use ecs::by_name::{FieldValue, Fields};
use ecs::{Component, Entity, World};
use ecs_replication::{Client, ClientId, Delivery, Error, Server, ServerLimits, Transport};
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;
use std::rc::Rc;

/// The server's tick at which it was written.
#[derive(Component, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[component(save = "place", track)]
struct Place(u64);
#[derive(Component, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[component(save = "color", track)]
struct Color(u8);

fn empty() -> World {
    let mut world = World::new();
    world.register::<(Place, Color)>();
    world
}

/// Packets in one direction: each with the time at which it arrives.
type Wire = Rc<RefCell<VecDeque<(u64, Vec<u8>)>>>;

/// An end of a connection that loses some packets, and delays the others.
struct End {
    to: Wire,
    from: Wire,
    now: Rc<Cell<u64>>,
    latency: u64,
    /// The number of lost ones of a hundred packets.
    lost: u64,
    random: u64,
}

impl Transport for End {
    fn delivery(&self) -> Delivery {
        Delivery::Unordered { longest: 1_200 }
    }
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        assert!(message.len() <= 1_200);
        // Steele, Lea and Flood's `SplitMix64` ("Fast splittable pseudorandom number generators", 2014).
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.random ^ (self.random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        if (z ^ (z >> 31)) % 100 >= self.lost {
            self.to.borrow_mut().push_back((self.now.get() + self.latency, message.to_vec()));
        }
        Ok(())
    }
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut from = self.from.borrow_mut();
        let is_there = from.front().is_some_and(|(at, _)| *at <= self.now.get());
        Ok(if is_there { from.pop_front().map(|(_, message)| message) } else { None })
    }
}

const LATENCY: u64 = 3;

struct Game {
    world: World,
    server: Server<End>,
    id: ClientId,
    client: Client<End>,
    view: World,
    now: Rc<Cell<u64>>,
    /// The packets to the server.
    wire: Wire,
}

impl Game {
    fn new(lost: u64, value_bytes: usize) -> Self {
        let now = Rc::<Cell<u64>>::default();
        let [there, back] = [(); 2].map(|()| Wire::default());
        let end = |to: &Wire, from: &Wire, random| End {
            to: Rc::clone(to),
            from: Rc::clone(from),
            now: Rc::clone(&now),
            latency: LATENCY,
            lost,
            random,
        };
        let mut limits = ServerLimits::default();
        limits.value_bytes = value_bytes;
        let mut server = Server::default().limits(limits);
        let id = server.connect(end(&there, &back, 1));
        let client = Client::new(end(&back, &there, 2));
        let wire = Rc::clone(&back);
        Self { world: empty(), server, id, client, view: empty(), now, wire }
    }

    /// A frame, in which both sides are at the same time.
    fn frame(&mut self) {
        self.now.set(self.now.get() + 1);
        self.server.update(&mut self.world).unwrap();
        self.client.update(&mut self.view).unwrap();
        assert!(self.server.departed().is_none());
    }

    fn is_settled(&self) -> bool {
        self.client.is_joined()
            && self.server.progress(self.id).is_some_and(|(sent, done)| sent > 0 && sent == done)
    }

    #[track_caller]
    fn settle(&mut self) -> usize {
        self.frame();
        let frames = (1..3_000).find(|_| {
            self.frame();
            self.is_settled()
        });
        let frames = frames.expect("the client gets everything");
        // Exactly the server's entities and values.
        self.view.check_invariants();
        assert_eq!(self.view.len(), self.world.len());
        for (there, place, color) in self.world.view::<(&Place, Option<&Color>)>() {
            let here = self.client.follower().get(there).unwrap();
            assert_eq!(self.view.get::<Place>(here), Some(place));
            assert_eq!(self.view.get::<Color>(here), color);
        }
        assert_eq!(self.view.pool::<Place>().len(), self.world.pool::<Place>().len());
        assert_eq!(self.view.pool::<Color>().len(), self.world.pool::<Color>().len());
        frames
    }

    /// Writes the tick of the next update to all places.
    fn write(&mut self) {
        let tick = self.server.tick() + 1;
        self.world.view_mut::<&mut Place>().into_iter().for_each(|(_, place)| place.0 = tick);
    }
}

/// Returns the mean age of values, and of the newest packets, in updates; and the share of frames with newer values.
fn ages(lost_packets: u64) -> [f64; 3] {
    let mut game = Game::new(lost_packets, 1 << 16);
    let ships: Vec<Entity> = game.world.spawn_batch((0..40).map(|_| Place(0)));
    game.settle();
    let (mut all, mut packets, mut newer, mut count, mut before) = (0, 0, 0, 0_u32, 0);
    for frame in 0..1_000 {
        game.write();
        // Entities come and go, along with the values.
        if frame % 2 == 0 {
            let new = game.world.spawn((Place(game.server.tick() + 1), Color(3))).id();
            game.world.despawn(new).unwrap();
            let color = Color(u8::try_from(frame % 200).unwrap());
            let other = game.world.spawn((Place(game.server.tick() + 1), color)).id();
            if frame % 40 == 0 {
                game.world.clear_of(&ships);
            }
            assert!(game.world.is_alive(other) || frame % 40 == 0);
        }
        game.frame();
        if frame < 10 {
            continue;
        }
        let now = game.server.tick();
        let oldest = ships.iter().map(|ship| {
            let here = game.client.follower().get(*ship).unwrap();
            let place = game.view.get::<Place>(here).unwrap().0;
            all += now - place;
            place
        });
        let oldest = oldest.min().unwrap();
        assert!(oldest >= before, "{lost_packets} {frame}: a value goes back");
        packets += now - game.client.tick();
        newer += u64::from(oldest > before);
        before = oldest;
        count += 1;
    }
    game.settle();
    let per_frame = |sum: u64| f64::from(u32::try_from(sum).unwrap()) / f64::from(count);
    [per_frame(all) / 40.0, per_frame(packets), per_frame(newer)]
}

trait ClearOf {
    fn clear_of(&mut self, kept: &[Entity]);
}

impl ClearOf for World {
    /// Despawns all entities but these.
    fn clear_of(&mut self, kept: &[Entity]) {
        let others: Vec<Entity> = self.entities().filter(|it| !kept.contains(it)).collect();
        self.despawn_batch(&others);
    }
}

#[test]
fn values_are_as_old_as_the_newest_packet_whatever_gets_lost() {
    for (lost, most, newer) in [(0, 3.0, 1.0), (2, 3.05, 0.96), (10, 3.2, 0.85)] {
        let [values, packets, new] = ages(lost);
        println!("{lost} %: values {values:.3}, packets {packets:.3}, newer in {new:.3} of frames");
        assert!(values <= most && new >= newer, "{lost}: {values} {packets} {new}");
    }
}

#[test]
fn a_client_is_equal_after_every_settled_frame() {
    let count = std::env::var("ECS_ENTITIES").map_or(1_000, |text| text.parse().unwrap());
    for lost in [0, 10] {
        let mut game = Game::new(lost, 1 << 24);
        let all: Vec<Entity> = game.world.spawn_batch((0..count).map(|it| (Place(it), Color(1))));
        game.settle();
        for round in 0..4 {
            for entity in all.iter().skip(round).step_by(7) {
                if let Some(place) = game.world.get_mut::<Place>(*entity) {
                    place.0 += 1;
                }
            }
            let gone = all[round * 3];
            game.world.despawn(gone).unwrap();
            let _ = game.world.remove::<Color>(all[round * 3 + 1]);
            game.world.spawn(Place(9));
            let frames = game.settle();
            assert!(frames < 60 || lost > 0, "{frames}");
        }
        let statistics = game.server.statistics(game.id).unwrap();
        assert!(statistics.value_sets > 0 && statistics.full_sets == 1, "{statistics:?}");
    }
}

#[test]
fn values_beyond_the_budget_follow_in_turn() {
    let mut game = Game::new(0, 500);
    game.world.spawn_batch((0..300).map(|_| Place(0)));
    game.settle();
    for _ in 0..200 {
        game.write();
        let before = game.server.statistics(game.id).unwrap().value_bytes;
        game.frame();
        let sent = game.server.statistics(game.id).unwrap().value_bytes - before;
        assert!(sent > 0 && sent < 1_200, "{sent}");
    }
    let now = game.server.tick();
    let oldest = game.view.pool::<Place>().as_slice().iter().map(|it| it.0).min().unwrap();
    assert!(now - oldest < 60, "{}", now - oldest);
    game.settle();
}

#[test]
fn values_that_do_not_change_are_sent_until_they_arrive_and_not_longer() {
    let mut game = Game::new(30, 1 << 16);
    let ship = game.world.spawn(Place(0)).id();
    game.settle();
    game.world.get_mut::<Place>(ship).unwrap().0 = 7;
    game.settle();
    let sent = game.server.statistics(game.id).unwrap().value_sets;
    (0..100).for_each(|_| game.frame());
    assert_eq!(game.server.statistics(game.id).unwrap().value_sets, sent);
}

#[test]
fn values_that_were_not_sent_cannot_be_acknowledged() {
    for (arrivals, is_false) in [
        (vec![(0, 2)], false),
        (vec![(200, 1)], true),
        (vec![(0, u64::MAX)], true),
        (vec![(u64::MAX, 1)], true),
    ] {
        let mut game = Game::new(0, 1 << 16);
        let ship = game.world.spawn(Place(0)).id();
        game.settle();
        game.world.get_mut::<Place>(ship).unwrap().0 = 7;
        game.settle();
        assert!(game.server.statistics(game.id).unwrap().value_sets > 0);
        // A loose packet, as another program could send it.
        let loose = postcard::to_allocvec(&(0_u32, arrivals.clone())).unwrap();
        let packet = postcard::to_allocvec(&(0_u64, 0_u64, 2_u32, loose)).unwrap();
        game.wire.borrow_mut().push_back((0, packet));
        game.now.set(game.now.get() + 1);
        game.server.update(&mut game.world).unwrap();
        match game.server.departed() {
            Some((_, error)) => {
                assert!(is_false && matches!(error, Error::FalseAcknowledgement), "{error}");
            }
            None => assert!(!is_false, "{arrivals:?}"),
        }
    }
}

#[test]
fn unordered_messages_do_not_wait_and_long_ones_are_sent_like_others() {
    let mut game = Game::new(20, 1 << 16);
    game.settle();
    let (mut to_server, mut to_client) = (Vec::new(), Vec::new());
    for number in 0..200_u8 {
        game.client.send_unordered(&[number]).unwrap();
        assert!(game.server.send_unordered(game.id, &[number]));
        if number == 100 {
            game.client.send_unordered(&[7; 5_000]).unwrap();
            assert!(game.server.send_unordered(game.id, &[7; 5_000]));
        }
        game.frame();
        let now = game.now.get();
        let received = std::iter::from_fn(|| Some(game.server.received()?.1));
        to_server.extend(received.map(|message| (now, message)));
        let received = std::iter::from_fn(|| game.client.received());
        to_client.extend(received.map(|message| (now, message)));
    }
    for mut messages in [to_server, to_client] {
        let long: Vec<_> = messages.extract_if(.., |(_, it)| it.len() > 1).collect();
        assert!(long.len() == 1 && long[0].1 == [7; 5_000]);
        assert!((130..180).contains(&messages.len()), "{}", messages.len());
        // Each that arrives is as old as its packet.
        let sent_at = |(at, message): &(u64, Vec<u8>)| at - u64::from(message[0]);
        let late = messages.iter().map(sent_at).max().unwrap();
        let early = messages.iter().map(sent_at).min().unwrap();
        assert!(late - early <= 1, "{early} to {late}");
    }
}

#[test]
fn components_without_a_rust_type_reach_the_client_with_their_handles() {
    let mut game = Game::new(10, 1 << 16);
    for world in [&mut game.world, &mut game.view] {
        world.define("Poison", Fields::new().f32("damage").entity("by").text("source")).unwrap();
    }
    let snake = game.world.spawn(Place(1)).id();
    let hero = game.world.spawn(Place(2)).id();
    let kind = game.world.kind("Poison").unwrap();
    let values: [FieldValue; 3] = [2.5_f32.into(), snake.into(), "snake".into()];
    game.world.insert_fields(kind, hero, &values).unwrap();
    game.settle();
    let found = |game: &Game, field: &str| {
        let hero = game.client.follower().get(hero).unwrap();
        game.view.kind_value(kind, hero).and_then(|value| value.field(field))
    };
    let mapped = game.client.follower().get(snake).unwrap();
    assert_eq!(found(&game, "damage"), Some(2.5_f32.into()));
    assert_eq!(found(&game, "by"), Some(mapped.into()));
    assert_eq!(found(&game, "source"), Some("snake".into()));
    game.world.set_field(kind, hero, "damage", 1.5_f32).unwrap();
    game.settle();
    assert_eq!(found(&game, "damage"), Some(1.5_f32.into()));
    game.world.remove_kind(kind, hero).unwrap();
    game.settle();
    assert_eq!(found(&game, "damage"), None);
}
