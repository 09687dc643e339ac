//! A server and its clients over sockets.

mod common;
#[path = "common/proxy.rs"]
mod proxy;

use common::{Position, Random, Round, Secret, assert_follows, empty, step};
use ecs::save::ChangeSets;
use ecs::{Entity, World};
use ecs_replication::{Client, ClientId, Error, Server, udp};
use proxy::Proxy;
use std::net::UdpSocket;
use std::thread::sleep;
use std::time::Duration;

/// A server, its clients with their worlds, and the proxy between them.
struct Game {
    world: World,
    server: Server<udp::Peer>,
    listener: udp::Listener,
    proxy: Proxy,
    clients: Vec<(Client<udp::Socket>, World)>,
    ids: Vec<ClientId>,
}

impl Game {
    fn new() -> Self {
        let listener = udp::Listener::bind("127.0.0.1:0").unwrap();
        let proxy = Proxy::to(listener.local_addr().unwrap());
        let server = Server::new(|| ChangeSets::default().resource::<Round>());
        let (clients, ids) = (Vec::new(), Vec::new());
        Self { world: empty(), server, listener, proxy, clients, ids }
    }

    fn socket(&mut self) -> udp::Socket {
        udp::Socket::connect(self.proxy.address()).unwrap()
    }

    fn join(&mut self) {
        let client = Client::new(self.socket());
        self.clients.push((client, empty()));
    }

    /// A frame: of the server, the network and the clients.
    fn frame(&mut self) {
        while let Some(peer) = self.listener.accept().unwrap() {
            self.ids.push(self.server.connect(peer));
        }
        self.server.update(&mut self.world).unwrap();
        self.proxy.step();
        for (client, world) in &mut self.clients {
            client.update(world).unwrap();
        }
        self.proxy.step();
    }

    /// Goes on until something is so.
    #[track_caller]
    fn until(&mut self, is_so: impl Fn(&Self) -> bool) {
        for _ in 0..20_000 {
            if is_so(self) {
                return;
            }
            self.frame();
            sleep(Duration::from_micros(200));
        }
        panic!("that takes too long: {:?}", self.server);
    }

    /// Returns `true` if a client has the state of the server.
    fn is_done(&self, at: usize) -> bool {
        self.clients[at].0.is_joined()
            && self
                .server
                .progress(self.ids[at])
                .is_some_and(|(sent, done)| sent > 0 && sent == done)
    }
}

fn is_even(entity: Entity) -> bool {
    entity.index().is_multiple_of(2)
}

#[test]
fn a_server_and_three_clients_agree_through_a_proxy_that_loses_datagrams() {
    let (mut game, mut random) = (Game::new(), Random(3));
    game.join();
    (0..60).for_each(|_| step(&mut game.world, &mut random));
    game.until(|game| game.ids.len() == 1);
    for frame in 0..300 {
        step(&mut game.world, &mut random);
        match frame {
            40 => game.join(),
            80 => {
                // It may not see all.
                game.join();
                game.until(|game| game.ids.len() == 3);
                let id = game.ids[2];
                assert!(game.server.set_visibility(id, |_, entity| is_even(entity)));
            }
            150 => {
                // The first one connects again, with another socket, and the server learns of it late.
                let socket = game.socket();
                game.clients[0].0.reconnect(socket);
                game.until(|game| game.ids.len() == 4);
                let (old, new) = (game.ids[0], game.ids.pop().unwrap());
                assert!(game.server.disconnect(old) && !game.server.disconnect(old));
                assert!(
                    matches!(game.server.departed(), Some((it, Error::Disconnected)) if it == old)
                );
                game.ids[0] = new;
            }
            200 => {
                // The second one predicts that all are gone.
                game.clients[1].1.clear();
                game.clients[1].0.resync();
            }
            _ => {}
        }
        game.frame();
    }
    // Values that are different in each frame come to rest.
    game.frame();
    game.until(|game| (0..3).all(|at| game.is_done(at)));
    game.until(|game| !game.clients[1].0.follower().needs_full());
    for (at, (client, world)) in game.clients.iter().enumerate() {
        assert_follows(&game.world, client, world, |entity| at != 2 || is_even(entity));
    }
    assert!(game.proxy.lost > 100);
    let statistics = game.server.statistics(game.ids[1]).unwrap();
    assert!(statistics.full_sets == 2 && statistics.sets > 20, "{statistics:?}");
    assert!(statistics.packets_repeated > 10 && statistics.round_trip > 0, "{statistics:?}");
    assert!(statistics.bytes_sent > statistics.set_bytes && statistics.packets_received > 20);
    let of_client = game.clients[1].0.statistics();
    assert_eq!((of_client.sets, of_client.set_bytes), (statistics.sets, statistics.set_bytes));
}

#[test]
fn messages_come_once_in_order_and_name_entities_of_either_world() {
    let mut game = Game::new();
    let ship = game.world.spawn(Position(5, 5)).id();
    game.join();
    game.clients[0].1.spawn_batch((0..9).map(|_| Secret));
    game.until(|game| game.ids.len() == 1 && game.is_done(0));
    let here = game.clients[0].0.follower().get(ship).unwrap();
    assert_ne!(here, ship);
    for number in 0..40_u8 {
        let there = game.clients[0].0.follower().there(here).unwrap();
        let message = [&[number][..], &there.to_bits().to_le_bytes()].concat();
        game.clients[0].0.send(&message).unwrap();
        assert!(game.server.send(game.ids[0], &vec![number; 3_000]));
        game.frame();
    }
    let (mut from_client, mut from_server) = (Vec::new(), Vec::new());
    for _ in 0..20_000 {
        if from_client.len() == 40 && from_server.len() == 40 {
            break;
        }
        game.frame();
        sleep(Duration::from_micros(200));
        while let Some((id, message)) = game.server.received() {
            assert_eq!(id, game.ids[0]);
            assert_eq!(message[1..], ship.to_bits().to_le_bytes());
            from_client.push(message[0]);
        }
        while let Some(message) = game.clients[0].0.received() {
            assert_eq!(message.len(), 3_000);
            from_server.push(message[0]);
        }
    }
    assert!(from_client.iter().copied().eq(0..40) && from_server.iter().copied().eq(0..40));
}

#[test]
fn a_message_before_the_first_update_comes_behind_the_greeting() {
    let mut game = Game::new();
    game.join();
    game.clients[0].0.send(b"early").unwrap();
    game.until(|game| game.ids.len() == 1 && game.is_done(0));
    assert_eq!(game.server.received(), Some((game.ids[0], b"early".to_vec())));
    assert!(game.server.departed().is_none());
}

#[test]
fn a_client_without_a_component_names_it() {
    let mut game = Game::new();
    game.world.spawn(Position(5, 5));
    let mut client = Client::new(game.socket());
    let mut world = World::new();
    let error = (0..20_000).find_map(|_| {
        game.frame();
        sleep(Duration::from_micros(200));
        client.update(&mut world).err()
    });
    let error = error.expect("it is told").to_string();
    assert!(error.starts_with("a change set cannot be applied: cannot load `"), "{error}");
    assert!(error.contains("register it by `World::register`") && world.is_empty(), "{error}");
}

#[test]
fn a_side_that_hears_nothing_gives_up() {
    let mut game = Game::new();
    let nobody = UdpSocket::bind("127.0.0.1:0").unwrap();
    let mut client = Client::new(udp::Socket::connect(nobody.local_addr().unwrap()).unwrap());
    let mut world = empty();
    let error = (0..700).find_map(|_| client.update(&mut world).err()).unwrap();
    assert_eq!(error.to_string(), "nothing was heard for 601 updates");
    let socket = udp::Socket::connect(nobody.local_addr().unwrap()).unwrap();
    let mut client = Client::new(socket).gives_up_after(9);
    let error = (0..700).find_map(|_| client.update(&mut world).err()).unwrap();
    assert_eq!(error.to_string(), "nothing was heard for 10 updates");
    game.join();
    game.until(|game| game.ids.len() == 1 && game.is_done(0));
    game.clients.clear();
    (0..700).for_each(|_| game.frame());
    let (id, error) = game.server.departed().unwrap();
    assert!(game.ids == [id] && matches!(error, Error::Silent(601)), "{error}");
    assert!(game.server.statistics(id).is_none() && !game.server.send(id, b"late"));
}

#[test]
fn a_despawned_prediction_comes_back_if_the_server_does_not_agree() {
    let mut game = Game::new();
    let [right, wrong] = [(); 2].map(|()| game.world.spawn((Position(1, 0), Secret)).id());
    let client = Client::new(game.socket()).patience(5);
    game.clients.push((client, empty()));
    game.until(|game| game.ids.len() == 1 && game.is_done(0));
    let (client, world) = &mut game.clients[0];
    for there in [right, wrong] {
        let here = client.follower().get(there).unwrap();
        world.despawn(here).unwrap();
    }
    for _ in 0..3 {
        game.world.view_mut::<&mut Position>().into_iter().for_each(|(_, it)| it.0 += 1);
        game.frame();
    }
    assert!(game.clients[0].1.is_empty());
    game.world.despawn(right).unwrap();
    for _ in 0..200 {
        game.world.view_mut::<&mut Position>().into_iter().for_each(|(_, it)| it.0 += 1);
        game.frame();
    }
    game.until(|game| game.is_done(0));
    let (client, world) = &game.clients[0];
    assert_eq!(client.statistics().full_sets, 2);
    assert_follows(&game.world, client, world, |_| true);
    assert_eq!(world.len(), 1);
}

/// Each server has its own first client.
#[test]
fn an_id_names_a_client_of_its_own_server_only() {
    let mut games = [Game::new(), Game::new()];
    for game in &mut games {
        game.join();
        game.until(|game| game.ids.len() == 1 && game.is_done(0));
    }
    let [here, there] = &mut games;
    let id = here.ids[0];
    assert!(!there.server.disconnect(id) && !there.server.send(id, b"stranger"));
    assert!(!there.server.set_visibility(id, |_, _| false));
    assert!(there.server.progress(id).is_none() && there.server.statistics(id).is_none());
    assert!(there.server.clients().eq([there.ids[0]]) && here.server.disconnect(id));
}

#[test]
fn a_client_follows_into_one_world() {
    let mut game = Game::new();
    game.world.spawn(Position(5, 5));
    game.join();
    game.until(|game| game.ids.len() == 1 && game.is_done(0));
    let own = std::mem::replace(&mut game.clients[0].1, empty());
    let stranger = game.clients[0].1.spawn(Position(1, 1)).id();
    let mut error = None;
    for at in 0..20_000 {
        game.world.spawn(Position(at, 5));
        game.server.update(&mut game.world).unwrap();
        game.proxy.step();
        let (client, world) = &mut game.clients[0];
        error = client.update(world).err();
        if error.is_some() {
            break;
        }
        game.proxy.step();
        sleep(Duration::from_micros(200));
    }
    let error = error.expect("a set arrives").to_string();
    assert!(error.contains("the follower belongs to another world"), "{error}");
    let world = &game.clients[0].1;
    assert_eq!((world.len(), world.get::<Position>(stranger)), (1, Some(&Position(1, 1))));
    assert_eq!(own.len(), 1);
}
