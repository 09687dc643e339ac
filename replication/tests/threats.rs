//! The lines of `docs/threats_replication.md`: strangers, and clients that break the rules.

#[path = "../../ecs/tests/counting/mod.rs"]
mod counting;

use ecs::{Component, World};
use ecs_replication::udp::{Listener, Peer, Socket};
use ecs_replication::{
    Admission, Client, ClientId, Delivery, Error, Server, ServerLimits, Transport,
};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, UdpSocket};
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::Duration;

#[derive(Component, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[component(save = "position", track)]
struct Position(u32);

/// Holds up tests that count bytes and sockets of the process, and all others meanwhile.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn empty() -> World {
    let mut world = World::new();
    world.register::<Position>();
    world
}

// UDP.

fn stranger(listener: &Listener) -> UdpSocket {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(listener.local_addr().unwrap()).unwrap();
    socket.set_nonblocking(true).unwrap();
    socket
}

/// Reads all datagrams that were sent to the listener.
fn accept(listener: &mut Listener) -> Option<Peer> {
    sleep(Duration::from_micros(200));
    listener.accept().unwrap()
}

fn answer(socket: &UdpSocket) -> Option<Vec<u8>> {
    let mut bytes = [0; 2_000];
    for _ in 0..10 {
        match socket.recv(&mut bytes) {
            Ok(length) => return Some(bytes[..length].to_vec()),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                sleep(Duration::from_micros(200));
            }
            Err(error) => panic!("{error}"),
        }
    }
    None
}

/// A request, with zeros as the cookie that the client does not have yet.
fn request(nonce: u8, cookie: &[u8]) -> Vec<u8> {
    [&[0, 1], &[nonce; 8][..], cookie].concat()
}

/// Requests a cookie, and returns it.
fn cookie(listener: &mut Listener, socket: &UdpSocket, nonce: u8) -> Vec<u8> {
    socket.send(&request(nonce, &[0; 20])).unwrap();
    assert!(accept(listener).is_none());
    let answer = answer(socket).expect("the listener sends a cookie");
    assert_eq!((answer[0], &answer[1..9]), (1, &[nonce; 8][..]));
    answer[9..].to_vec()
}

/// Joins by hand, and returns the token.
fn join(listener: &mut Listener, socket: &UdpSocket, nonce: u8) -> (Peer, Vec<u8>) {
    let cookie = cookie(listener, socket, nonce);
    socket.send(&request(nonce, &cookie)).unwrap();
    let peer = accept(listener).expect("the cookie is valid");
    let answer = answer(socket).unwrap();
    assert_eq!((answer.len(), answer[0], &answer[1..9]), (17, 2, &[nonce; 8][..]));
    (peer, answer[9..].to_vec())
}

#[test]
fn a_stranger_costs_the_listener_no_memory_and_no_socket() {
    let _alone = alone();
    let mut listener = Listener::bind("127.0.0.1:0").unwrap();
    let strangers: Vec<_> = (0..100).map(|_| stranger(&listener)).collect();
    let sockets = std::fs::read_dir("/proc/self/fd").map(Iterator::count).ok();
    let before = counting::bytes();
    for round in 0..20_u8 {
        for socket in &strangers {
            socket.send(&[round]).unwrap();
            socket.send(&request(round, &[0; 20])).unwrap();
            socket.send(&request(round, &[round; 20])).unwrap();
            socket.send(&[4; 30]).unwrap();
        }
        assert!(accept(&mut listener).is_none());
    }
    assert_eq!(counting::bytes() - before, 0);
    assert_eq!(std::fs::read_dir("/proc/self/fd").map(Iterator::count).ok(), sockets);
}

#[test]
fn all_clients_share_one_socket() {
    let _alone = alone();
    let mut listener = Listener::bind("127.0.0.1:0").unwrap();
    let strangers: Vec<_> = (0..20).map(|_| stranger(&listener)).collect();
    let sockets = std::fs::read_dir("/proc/self/fd").map(Iterator::count).ok();
    let peers: Vec<_> = strangers.iter().map(|it| join(&mut listener, it, 3)).collect();
    assert_eq!(std::fs::read_dir("/proc/self/fd").map(Iterator::count).ok(), sockets);
    assert_eq!(peers.len(), 20);
}

#[test]
fn no_answer_is_longer_than_its_request() {
    let _alone = alone();
    let mut listener = Listener::bind("127.0.0.1:0").unwrap();
    let socket = stranger(&listener);
    let mut answers = 0;
    for kind in 0..8 {
        for version in 0..3 {
            for length in 0..60 {
                let mut datagram = vec![7; length + 2];
                (datagram[0], datagram[1]) = (kind, version);
                for datagram in [&datagram[..], &datagram[..1], &[]] {
                    socket.send(datagram).unwrap();
                    assert!(accept(&mut listener).is_none());
                    if let Ok(answer) = socket.recv(&mut [0; 2_000]) {
                        assert!(answer <= datagram.len(), "{answer} bytes for {datagram:?}");
                        answers += 1;
                    }
                }
            }
        }
    }
    assert!(answers > 100, "{answers}");
}

#[test]
fn a_cookie_works_for_the_address_and_the_request_it_was_sent_for() {
    let _alone = alone();
    let mut listener = Listener::bind("127.0.0.1:0").unwrap();
    let (one, other) = (stranger(&listener), stranger(&listener));
    let made = cookie(&mut listener, &one, 1);
    for (socket, nonce) in [(&other, 1), (&one, 2)] {
        socket.send(&request(nonce, &made)).unwrap();
        assert!(accept(&mut listener).is_none());
        assert_eq!(answer(socket).unwrap()[0], 1, "it is sent a cookie of its own");
    }
    one.send(&request(1, &made)).unwrap();
    assert!(accept(&mut listener).is_some());
}

#[test]
fn a_repeated_request_begins_nothing_and_a_new_one_ends_the_old_connection() {
    let _alone = alone();
    let mut listener = Listener::bind("127.0.0.1:0").unwrap();
    let socket = stranger(&listener);
    let made = cookie(&mut listener, &socket, 1);
    socket.send(&request(1, &made)).unwrap();
    let mut peer = accept(&mut listener).unwrap();
    let accepted = answer(&socket).unwrap();
    socket.send(&request(1, &made)).unwrap();
    assert!(accept(&mut listener).is_none());
    assert_eq!(answer(&socket).unwrap(), accepted);
    assert!(peer.receive().unwrap().is_none());
    let (next, _) = join(&mut listener, &socket, 2);
    assert_eq!(peer.receive().unwrap_err().kind(), ErrorKind::BrokenPipe);
    drop(peer);
    // The listener does not begin a connection again that ended.
    drop(next);
    socket.send(&request(2, &made)).unwrap();
    assert!(accept(&mut listener).is_none());
}

#[test]
fn a_message_needs_the_token_of_its_connection_and_waits_among_a_limited_number() {
    let _alone = alone();
    let mut listener = Listener::bind("127.0.0.1:0").unwrap();
    let socket = stranger(&listener);
    let (mut peer, token) = join(&mut listener, &socket, 1);
    socket.send(&[&[4][..], &[9; 8], b"forged"].concat()).unwrap();
    socket.send(&[&[4][..], &token, b"right"].concat()).unwrap();
    assert!(accept(&mut listener).is_none());
    assert_eq!(peer.receive().unwrap().as_deref(), Some(&b"right"[..]));
    assert!(peer.receive().unwrap().is_none());
    for _ in 0..4 {
        (0..100).for_each(|_| _ = socket.send(&[&[4][..], &token, b"more"].concat()).unwrap());
        assert!(accept(&mut listener).is_none());
    }
    assert_eq!(std::iter::from_fn(|| peer.receive().unwrap()).count(), 128);
}

#[test]
fn a_full_listener_says_so() {
    let _alone = alone();
    for (all, of_address) in [(1, 9), (9, 1)] {
        let listener = Listener::bind("127.0.0.1:0").unwrap();
        let mut listener = listener.most_peers(all, of_address);
        let socket = stranger(&listener);
        let (peer, _) = join(&mut listener, &socket, 1);
        let mut client = Client::new(Socket::connect(listener.local_addr().unwrap()).unwrap());
        let error = until(|| {
            assert!(accept(&mut listener).is_none());
            client.update(&mut empty()).err()
        });
        let words = "the connection ended: the server has no room for another client";
        assert_eq!(error.to_string(), words);
        drop(peer);
        let other = stranger(&listener);
        drop(join(&mut listener, &other, 2));
    }
}

#[test]
fn a_client_learns_that_the_server_ended_its_connection() {
    let _alone = alone();
    let (mut listener, mut server) = (Listener::bind("127.0.0.1:0").unwrap(), Server::default());
    let (mut world, mut view) = (empty(), empty());
    let mut client = Client::new(Socket::connect(listener.local_addr().unwrap()).unwrap());
    until(|| {
        accept(&mut listener).map(|it| server.connect(it));
        server.update(&mut world).unwrap();
        client.update(&mut view).unwrap();
        client.is_joined().then_some(())
    });
    let id = server.clients().next().unwrap();
    assert!(server.disconnect(id));
    let error = until(|| {
        assert!(accept(&mut listener).is_none());
        client.update(&mut view).err()
    });
    assert_eq!(error.to_string(), "the connection ended: the server has ended the connection");
}

#[track_caller]
fn until<R>(mut step: impl FnMut() -> Option<R>) -> R {
    for _ in 0..2_000 {
        if let Some(result) = step() {
            return result;
        }
    }
    panic!("that takes too long");
}

// The server, over a stream: everything that is sent arrives.

type Wire = Rc<RefCell<VecDeque<Vec<u8>>>>;

struct Pipe {
    to: Wire,
    from: Wire,
}

impl Transport for Pipe {
    fn delivery(&self) -> Delivery {
        Delivery::Ordered
    }
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        self.to.borrow_mut().push_back(message.to_vec());
        Ok(())
    }
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
        Ok(self.from.borrow_mut().pop_front())
    }
}

fn pipe() -> [Pipe; 2] {
    let [there, back] = [(); 2].map(|()| Wire::default());
    [(&there, &back), (&back, &there)]
        .map(|(to, from)| Pipe { to: Rc::clone(to), from: Rc::clone(from) })
}

/// A server, and a client that is played by hand.
struct Game {
    server: Server<Pipe>,
    world: World,
    id: ClientId,
    wire: Pipe,
}

impl Game {
    fn new(change: impl FnOnce(&mut ServerLimits)) -> Self {
        let mut limits = ServerLimits::default();
        change(&mut limits);
        let mut server = Server::default().limits(limits);
        let [far, wire] = pipe();
        let id = server.connect(far);
        let mut world = empty();
        world.spawn_batch((0..1_000).map(Position));
        Self { server, world, id, wire }
    }

    fn say(&mut self, message: &impl Serialize) {
        self.wire.send(&postcard::to_allocvec(message).unwrap()).unwrap();
    }

    fn hello(&mut self) {
        self.say(&(0_u32, 2_u32, b"".as_slice(), b"".as_slice()));
    }

    fn applied(&mut self, proof: u64, number: u64, needs_full: bool) {
        self.say(&(1_u32, proof, number, needs_full));
    }

    fn update(&mut self) {
        self.server.update(&mut self.world).unwrap();
    }

    /// Returns the proof and the bytes of each message with a set that arrived.
    fn sets(&mut self) -> Vec<(u64, usize)> {
        let messages = std::iter::from_fn(|| self.wire.receive().unwrap());
        let sets = messages.map(|bytes| {
            let (kind, proof) = postcard::take_from_bytes::<(u32, u64)>(&bytes).unwrap().0;
            assert_eq!(kind, 1);
            (proof, bytes.len())
        });
        sets.collect()
    }

    /// Returns the reason for which the client is gone, within some updates.
    #[track_caller]
    fn end(&mut self, updates: usize) -> Error {
        for _ in 0..updates {
            self.update();
            if let Some((id, error)) = self.server.departed() {
                assert!(id == self.id && self.server.clients().next().is_none());
                return error;
            }
        }
        panic!("the client is still there");
    }
}

#[test]
fn a_client_that_does_not_identify_itself_is_ended_even_if_it_sends() {
    let _alone = alone();
    let mut game = Game::new(|limits| limits.hello_updates = 20);
    let error = game.end(25);
    assert!(matches!(error, Error::NoHello(20)), "{error}");
    // Over datagrams, an empty packet now and then does not help.
    let mut listener = Listener::bind("127.0.0.1:0").unwrap();
    let socket = stranger(&listener);
    let (peer, token) = join(&mut listener, &socket, 1);
    let mut server = Server::default();
    server.connect(peer);
    for _ in 0..299 {
        socket.send(&[&[4][..], &token, &[0, 0, 0]].concat()).unwrap();
        assert!(listener.accept().unwrap().is_none());
        server.update(&mut empty()).unwrap();
    }
    assert!(server.departed().is_none());
    (0..3).for_each(|_| server.update(&mut empty()).unwrap());
    let error = server.departed().unwrap().1;
    assert_eq!(error.to_string(), "the client did not identify itself within 300 updates");
}

#[test]
fn a_first_message_that_is_none_of_this_library_or_too_long_ends_the_client() {
    let mut game = Game::new(|_| {});
    game.say(&(1_u32, 0_u64, 0_u64, true));
    assert!(matches!(game.end(2), Error::Invalid));
    let mut game = Game::new(|_| {});
    game.say(&(0_u32, 2_u32, vec![7_u8; 9_000], b"".as_slice()));
    let error = game.end(2).to_string();
    assert!(error.contains("a message is longer than 8192 bytes"), "{error}");
    let mut game = Game::new(|_| {});
    game.hello();
    game.hello();
    assert!(matches!(game.end(2), Error::Invalid));
}

#[test]
fn a_client_of_another_version_is_refused_by_name() {
    let mut game = Game::new(|_| {});
    game.say(&(0_u32, 1_u32));
    let words = "the server refused the client: it speaks version 1 of the protocol, the server 2";
    assert_eq!(game.end(2).to_string(), words);
    let answer = game.wire.receive().unwrap().unwrap();
    assert!(String::from_utf8_lossy(&answer).contains("it speaks version 1"));
}

#[test]
fn a_full_server_ends_a_connection_and_says_why() {
    let mut game = Game::new(|limits| limits.clients = 1);
    let [far, _near] = pipe();
    let id = game.server.connect(far);
    assert!(matches!(game.server.departed(), Some((it, Error::Full)) if it == id));
    assert!(game.server.clients().eq([game.id]));
    assert!(game.server.disconnect(game.id));
    let [far, _near] = pipe();
    let id = game.server.connect(far);
    assert!(game.server.clients().eq([id]));
}

#[test]
fn full_sets_are_sent_seldom_however_often_they_are_requested() {
    let mut game = Game::new(|limits| limits.full_set_updates = 50);
    game.hello();
    let mut full = 0;
    for _ in 0..500 {
        game.update();
        for (proof, length) in game.sets() {
            full += usize::from(length > 1_000);
            // A request at each chance.
            game.applied(proof, full as u64, length > 1_000);
        }
    }
    assert!(game.server.departed().is_none());
    assert_eq!(full, 10);
    assert_eq!(game.server.statistics(game.id).unwrap().full_sets, 10);
}

#[test]
fn a_client_that_demands_full_sets_is_ended() {
    let mut game = Game::new(|_| {});
    game.hello();
    game.update();
    let [(proof, _)] = game.sets()[..] else { panic!("one set is sent") };
    game.applied(proof, 1, true);
    game.update();
    assert!(game.server.departed().is_none());
    game.applied(proof, 1, true);
    let error = game.end(1);
    assert!(matches!(error, Error::TooManyFullSets), "{error}");
}

#[test]
fn a_client_that_acknowledges_sets_it_never_got_is_ended() {
    for lie in [(0, 1), (1, 1), (1, 0), (u64::MAX, 0)] {
        let mut game = Game::new(|_| {});
        game.hello();
        game.update();
        game.applied(lie.0, lie.1, false);
        let error = game.end(1);
        assert!(matches!(error, Error::FalseAcknowledgement), "{lie:?}: {error}");
    }
    let mut game = Game::new(|_| {});
    game.hello();
    game.update();
    let (proof, _) = game.sets()[0];
    game.applied(proof, 2, false);
    assert!(matches!(game.end(1), Error::FalseAcknowledgement));
}

#[test]
fn a_client_that_does_not_read_keeps_a_limited_number_of_bytes_in_an_ordered_transport() {
    let mut game = Game::new(|_| {});
    game.hello();
    for _ in 0..400 {
        game.world.view_mut::<&mut Position>().into_iter().for_each(|(_, it)| it.0 += 100);
        game.update();
        game.applied(0, 0, false); // it says that it is there
    }
    let unread: usize = game.wire.from.borrow().iter().map(Vec::len).sum();
    assert!(unread < 300_000 && game.server.departed().is_none(), "{unread}");
    let error = loop {
        game.applied(0, 0, false);
        game.update();
        if let Some((_, error)) = game.server.departed() {
            break error;
        }
    };
    assert!(matches!(error, Error::Unacknowledged(601)), "{error}");
}

#[test]
fn messages_of_the_program_that_a_client_does_not_read_end_it() {
    let mut game = Game::new(|limits| limits.unread_bytes = 10_000);
    game.hello();
    for _ in 0..100 {
        game.update();
        for (proof, _) in game.sets_among_others() {
            game.applied(proof, 1, false);
        }
        assert!(game.server.send(game.id, &[7; 500]));
        // A set that proves that it was read.
        let next = game.world.entities().next().unwrap();
        game.world.get_mut::<Position>(next).unwrap().0 += 1;
    }
    game.update();
    assert!(game.server.departed().is_none());
    let sent = (0..100).take_while(|_| game.server.send(game.id, &[7; 500])).count();
    assert!((10..=18).contains(&sent), "{sent}");
    let error = game.end(1);
    assert!(matches!(error, Error::Unread(10_001..)), "{error}");
}

impl Game {
    /// Returns like [`sets`](Self::sets), and skips messages of the program.
    fn sets_among_others(&mut self) -> Vec<(u64, usize)> {
        self.wire.from.borrow_mut().retain(|bytes| bytes[0] == 1);
        self.sets()
    }
}

#[test]
fn messages_that_the_program_does_not_take_end_their_client() {
    let mut game = Game::new(|limits| {
        (limits.untaken_bytes, limits.read_bytes) = (100_000, 20_000);
    });
    game.hello();
    for _ in 0..1_000 {
        game.say(&(2_u32, vec![7_u8; 136]));
    }
    // An update reads only a part of them.
    game.update();
    let taken = std::iter::from_fn(|| game.server.received()).count();
    assert!((90..100).contains(&taken), "{taken}");
    for _ in 0..3 {
        game.update();
        assert!(game.server.departed().is_none());
    }
    let error = game.end(3);
    assert!(matches!(error, Error::Untaken(100_001..)), "{error}");
}

#[test]
fn a_client_is_ended_if_its_messages_are_longer_than_the_limit() {
    let mut game = Game::new(|_| {});
    game.hello();
    game.say(&(2_u32, vec![7_u8; 70_000]));
    let error = game.end(2).to_string();
    assert!(error.contains("a message is longer than 65536 bytes"), "{error}");
}

#[test]
fn news_that_the_program_does_not_take_are_limited() {
    let mut server = Server::default();
    for _ in 0..3_000 {
        let [far, _near] = pipe();
        let id = server.connect(far);
        server.disconnect(id);
    }
    assert_eq!(std::iter::from_fn(|| server.departed()).count(), 1_024);
}

// Clients that identify themselves.

/// A server that accepts the token "key", and shows each client the entities with even indices.
fn guarded() -> Server<Pipe> {
    Server::default().accepts(|hello| match hello.token {
        b"key" if hello.data == b"spy" => {
            Ok(Admission::seeing(|_, entity| entity.index().is_multiple_of(2)))
        }
        b"key" => Ok(Admission::default()),
        _ => Err("the key is wrong".into()),
    })
}

#[test]
fn a_client_is_accepted_by_its_token_before_it_gets_anything() {
    let (mut server, mut world) = (guarded(), empty());
    world.spawn_batch((0..10).map(Position));
    let [far, near] = pipe();
    let id = server.connect(far);
    let mut client = Client::new(near).identify(b"key", b"spy");
    let mut view = empty();
    assert!(server.joined().is_none());
    for _ in 0..3 {
        client.update(&mut view).unwrap();
        server.update(&mut world).unwrap();
    }
    assert_eq!(server.joined(), Some((id, b"spy".to_vec())));
    assert_eq!(view.len(), 5);

    let [far, near] = pipe();
    let id = server.connect(far);
    let mut client = Client::new(near).identify(b"lock", b"");
    let error = until(|| {
        server.update(&mut world).unwrap();
        client.update(&mut view).err()
    });
    assert_eq!(error.to_string(), "the server refused the client: the key is wrong");
    assert!(matches!(server.departed(), Some((it, Error::Refused(why)))
        if it == id && why == "the key is wrong"));
    assert!(!server.send(id, b"late") && server.statistics(id).is_none());
    assert!(server.joined().is_none() && !client.is_joined());
}

#[test]
fn a_client_that_reconnects_keeps_its_world_until_the_first_set_is_there() {
    let (mut server, mut world) = (guarded(), empty());
    let ids = world.spawn_batch((0..10).map(Position));
    let [far, near] = pipe();
    server.connect(far);
    let (mut client, mut view) = (Client::new(near).identify(b"key", b""), empty());
    for _ in 0..3 {
        client.update(&mut view).unwrap();
        server.update(&mut world).unwrap();
    }
    assert_eq!(view.len(), 10);
    let here = client.follower().get(ids[3]).unwrap();
    // Another server, whose world has changed meanwhile, and which is slow.
    let mut server = guarded();
    world.despawn(ids[0]).unwrap();
    let [far, near] = pipe();
    client.reconnect(near);
    server.connect(far);
    for _ in 0..5 {
        client.update(&mut view).unwrap();
        assert_eq!(view.len(), 10);
    }
    for _ in 0..3 {
        server.update(&mut world).unwrap();
        client.update(&mut view).unwrap();
        assert!(view.len() >= 9);
    }
    assert_eq!((view.len(), client.follower().get(ids[3])), (9, Some(here)));
}

#[test]
fn sets_carry_the_tick_of_the_server() {
    let (mut server, mut world) = (guarded(), empty());
    let [far, near] = pipe();
    server.connect(far);
    let (mut client, mut view) = (Client::new(near).identify(b"key", b""), empty());
    assert_eq!((server.tick(), client.tick()), (0, 0));
    client.update(&mut view).unwrap();
    for tick in [1, 2, 70, 71, 71] {
        world.spawn(Position(1));
        server.update_at(&mut world, tick).unwrap();
        client.update(&mut view).unwrap();
        assert_eq!((server.tick(), client.tick()), (tick, tick));
    }
    world.spawn(Position(1));
    server.update_at(&mut world, 5).unwrap();
    assert_eq!(server.tick(), 71);
    world.spawn(Position(1));
    server.update(&mut world).unwrap();
    client.update(&mut view).unwrap();
    assert_eq!((server.tick(), client.tick()), (72, 72));
}

#[test]
#[should_panic(expected = "a token and its data have 8001 bytes, and at most 8000 are sent")]
fn an_identity_that_is_too_long_panics() {
    let [_, near] = pipe();
    let _ = Client::new(near).identify(&[0; 4_000], &[0; 4_001]);
}

#[test]
fn an_address_names_its_peer() {
    let _alone = alone();
    let mut listener = Listener::bind("127.0.0.1:0").unwrap();
    let socket = stranger(&listener);
    let (peer, _) = join(&mut listener, &socket, 1);
    let address: SocketAddr = socket.local_addr().unwrap();
    assert_eq!(peer.address(), address);
}
