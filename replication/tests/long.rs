//! A server that runs for long, while clients join, lose messages and leave.
//! `ECS_SERVER_ROUNDS=360 cargo test --release -p ecs_replication --test long` simulates an hour.

mod common;
#[path = "../../ecs/tests/counting/mod.rs"]
mod counting;

use common::{Random, Round, assert_follows, empty, step};
use ecs::World;
use ecs::save::ChangeSets;
use ecs_replication::{Client, ClientId, Delivery, Server, Transport};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::rc::Rc;

/// Messages on their way in one direction.
type Wire = Rc<RefCell<VecDeque<Vec<u8>>>>;

/// An end of a connection that loses one in ten messages.
struct End {
    to: Wire,
    from: Wire,
    random: Random,
}

impl Transport for End {
    fn delivery(&self) -> Delivery {
        Delivery::Unordered { longest: 1_200 }
    }
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        // The other end and its wires are dropped together.
        if Rc::strong_count(&self.to) == 1 {
            return Err(ErrorKind::BrokenPipe.into());
        }
        if self.random.below(10) > 0 {
            self.to.borrow_mut().push_back(message.to_vec());
        }
        Ok(())
    }
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
        Ok(self.from.borrow_mut().pop_front())
    }
}

fn connection(seed: u64) -> [End; 2] {
    let [there, back] = [(); 2].map(|()| Wire::default());
    let end = |to: &Wire, from: &Wire, seed| End {
        to: Rc::clone(to),
        from: Rc::clone(from),
        random: Random(seed),
    };
    [end(&there, &back, 2 * seed), end(&back, &there, 2 * seed + 1)]
}

struct Game {
    world: World,
    server: Server<End>,
    clients: Vec<(ClientId, Client<End>, World)>,
    random: Random,
    joined: u64,
}

impl Game {
    fn join(&mut self) {
        self.joined += 1;
        let [of_server, of_client] = connection(self.joined);
        let id = self.server.connect(of_server);
        self.clients.push((id, Client::new(of_client), empty()));
    }

    /// Drops a client, and disconnects it at the server in half of the cases.
    fn leave(&mut self) {
        let (id, ..) = self.clients.swap_remove(self.random.below(self.clients.len()));
        if self.random.below(2) == 0 {
            assert!(self.server.disconnect(id));
        }
    }

    /// A frame of the server and of each client. A connection that ended without a word is noticed.
    fn frame(&mut self) {
        self.server.update(&mut self.world).unwrap();
        while self.server.departed().is_some() {}
        for (_, client, world) in &mut self.clients {
            client.update(world).unwrap();
        }
    }

    /// Ten seconds at 30 frames a second. Checks at the end that each client has the state of the server.
    fn round(&mut self) {
        for frame in 0..300 {
            match (frame % 30, self.random.below(4)) {
                (0, 0 | 1) if self.clients.len() < 6 => self.join(),
                (15, 0) if !self.clients.is_empty() => self.leave(),
                _ => {}
            }
            step(&mut self.world, &mut self.random);
            if self.world.len() > 400 {
                self.world.clear();
            }
            self.frame();
        }
        let is_done = |game: &Self| {
            let progress = |(id, ..): &(ClientId, _, _)| game.server.progress(*id);
            game.clients.iter().all(|client| {
                client.1.is_joined()
                    && !client.1.follower().needs_full()
                    && progress(client).is_some_and(|(sent, done)| sent > 0 && sent == done)
            })
        };
        for _ in 0..2_000 {
            self.frame();
            if is_done(self) {
                break;
            }
        }
        assert!(is_done(self), "{:?}", self.server);
        for (_, client, world) in &self.clients {
            assert_follows(&self.world, client, world, |_| true);
        }
    }

    /// Returns the bytes that the server keeps without clients and entities.
    fn bytes(&mut self) -> isize {
        self.clients.clear();
        self.world.clear();
        (0..3).for_each(|_| self.frame());
        assert_eq!(self.server.clients().count(), 0);
        counting::bytes()
    }
}

#[test]
fn memory_stays_flat_while_clients_join_and_leave() {
    let rounds = std::env::var("ECS_SERVER_ROUNDS").map_or(4, |text| text.parse().unwrap());
    let server = Server::new(|| ChangeSets::default().resource::<Round>());
    let (clients, random) = (Vec::with_capacity(8), Random(9));
    let mut game = Game { world: empty(), server, clients, random, joined: 0 };
    let mut bytes = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        game.round();
        bytes.push(game.bytes());
    }
    // Capacities grow to the needs of the busiest round.
    let (early, late) = bytes.split_at(rounds / 2);
    let slack = if rounds < 100 { 64_000 } else { 16_000 };
    assert!(late.iter().max().unwrap() - early.iter().max().unwrap() < slack, "{bytes:?}");
    assert!(game.joined > 2 * rounds as u64, "{}", game.joined);
    println!("{} clients joined; {} bytes remain", game.joined, bytes[rounds - 1]);
}
