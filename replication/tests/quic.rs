//! A server and its clients over QUIC, by each of its transports, and the example.

mod common;
#[path = "../examples/asteroids/game.rs"]
mod game;
#[path = "common/proxy.rs"]
mod proxy;

use common::{Random, Round, assert_follows, empty, step};
use ecs::World;
use ecs::save::ChangeSets;
use ecs_replication::quinn::{Datagrams, Stream, self_signed, trusting};
use ecs_replication::{Client, ClientId, Server, Transport};
use proxy::Proxy;
use quinn::{Connection, Endpoint};
use std::future::poll_fn;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::thread;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

const NAME: &str = "quic.example";
/// The runtime may have to wait for the processor.
const NEVER: u64 = 1 << 40;

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

/// Returns the results of two sides that run at the same time.
fn both<R>(
    runtime: &Runtime,
    one: impl Future<Output = R>,
    other: impl Future<Output = R>,
) -> [R; 2] {
    let (mut one, mut other) = (Box::pin(one), Box::pin(other));
    let (mut first, mut second) = (None, None);
    runtime.block_on(poll_fn(|context| {
        if first.is_none()
            && let Poll::Ready(result) = one.as_mut().poll(context)
        {
            first = Some(result);
        }
        if second.is_none()
            && let Poll::Ready(result) = other.as_mut().poll(context)
        {
            second = Some(result);
        }
        if first.is_some() && second.is_some() { Poll::Ready(()) } else { Poll::Pending }
    }));
    [first.unwrap(), second.unwrap()]
}

fn streams(runtime: &Runtime, [far, near]: [Connection; 2]) -> [Stream; 2] {
    let open = async { Stream::open(near).await.unwrap() };
    both(runtime, async { Stream::accept(far).await.unwrap() }, open)
}

/// Ends the proxy when it is dropped, also when a test fails.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Connects a client to a server through a proxy; calls `play` with both ends, while the proxy runs.
fn connected(play: impl FnOnce(&Runtime, [Connection; 2])) -> usize {
    let runtime = runtime();
    let (config, certificate) = self_signed(NAME).unwrap();
    let _entered = runtime.enter();
    let server = Endpoint::server(config, (Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    let mut client = Endpoint::client((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    client.set_default_client_config(trusting(certificate).unwrap());
    let mut proxy = Proxy::to(server.local_addr().unwrap());
    let (address, is_over) = (proxy.address(), AtomicBool::new(false));
    thread::scope(|scope| {
        let lost = scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                proxy.step();
                thread::sleep(Duration::from_micros(300));
            }
            proxy.lost
        });
        let ends = Ends(&is_over);
        let connect = |address: SocketAddr| client.connect(address, NAME).unwrap();
        let accept = async { server.accept().await.unwrap().await.unwrap() };
        let both = both(&runtime, accept, async { connect(address).await.unwrap() });
        play(&runtime, both);
        drop(ends);
        lost.join().unwrap()
    })
}

/// Plays until a client has the server's state.
fn play<T: Transport>(ends: [T; 2]) {
    let [far, near] = ends;
    let (mut world, mut view, mut random) = (empty(), empty(), Random(5));
    view.spawn_empty();
    let mut server =
        Server::new(|| ChangeSets::default().resource::<Round>()).gives_up_after(NEVER);
    let id = server.connect(far);
    let mut client = Client::new(near).gives_up_after(NEVER);
    let mut frame = |server: &mut Server<T>, client: &mut Client<T>, world: &mut World| {
        server.update(world).unwrap();
        client.update(&mut view).unwrap();
        thread::sleep(Duration::from_micros(300));
    };
    for _ in 0..200 {
        step(&mut world, &mut random);
        frame(&mut server, &mut client, &mut world);
    }
    frame(&mut server, &mut client, &mut world);
    let is_done = |server: &Server<T>, id: ClientId| {
        server.progress(id).is_some_and(|(sent, done)| sent > 1 && sent == done)
    };
    for _ in 0..100_000 {
        frame(&mut server, &mut client, &mut world);
        if is_done(&server, id) {
            break;
        }
    }
    assert!(is_done(&server, id), "{:?}", server.statistics(id));
    assert_follows(&world, &client, &view, |_| true);
    // The other side is notified of a disconnect.
    server.disconnect(id);
    drop(server);
}

#[test]
fn datagrams_of_quic_carry_a_world_over_a_network_that_loses_them() {
    let lost = connected(|_, ends| play(ends.map(|end| Datagrams::new(end).unwrap())));
    assert!(lost > 10, "{lost}");
}

#[test]
fn a_stream_of_quic_carries_a_world_over_a_network_that_loses_packets() {
    let lost = connected(|runtime, ends| play(streams(runtime, ends)));
    assert!(lost > 10, "{lost}");
}

#[test]
fn a_connection_that_is_closed_ends_both_transports() {
    connected(|runtime, [far, near]| {
        let [stream, mut other] = streams(runtime, [far.clone(), near]);
        let mut datagrams = Datagrams::new(far.clone()).unwrap();
        assert!(datagrams.receive().unwrap().is_none() && other.receive().unwrap().is_none());
        far.close(0_u32.into(), b"over");
        drop(stream);
        assert!(datagrams.receive().is_err() && datagrams.send(b"late").is_err());
        let ends = (0..100_000).any(|_| {
            thread::sleep(Duration::from_micros(200));
            other.receive().is_err()
        });
        assert!(ends && other.send(b"late").is_err());
    });
}

#[test]
fn a_stream_ends_at_a_message_longer_than_its_limit_and_keeps_few_messages() {
    connected(|runtime, ends| {
        let [mut far, mut near] = streams(runtime, ends);
        far.limit_incoming(100_000);
        let receive = |far: &mut Stream| {
            let result = (0..100_000).find_map(|_| {
                thread::sleep(Duration::from_micros(200));
                far.receive().transpose()
            });
            result.expect("a message or an error comes")
        };
        near.send(&vec![7; 100_000]).unwrap();
        assert_eq!(receive(&mut far).unwrap().len(), 100_000);
        near.send(&vec![7; 100_001]).unwrap();
        assert_eq!(receive(&mut far).unwrap_err().kind(), std::io::ErrorKind::InvalidData);
    });
}

/// Runs the example, which is built along with all tests of the package.
fn run(arguments: &[&str]) -> Output {
    let test = std::env::current_exe().unwrap();
    let program: PathBuf = test.ancestors().nth(2).unwrap().join("examples/asteroids");
    let output = Command::new(&program).args(arguments).output();
    output.unwrap_or_else(|error| panic!("{}: {error}; build the examples", program.display()))
}

#[test]
fn the_client_of_the_example_comes_to_the_servers_world() {
    let run = run(&[]);
    let [said, wrong] = [&run.stdout, &run.stderr].map(|it| String::from_utf8_lossy(it));
    assert!(run.status.success() && wrong.is_empty(), "{wrong}");
    let numbers: Vec<usize> = said.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [bytes, sets, snapshot, entities] = numbers[..] else { panic!("{said}") };
    assert!(sets > 50 && entities > 1_000 && bytes < sets * snapshot / 5, "{said}");
}

#[test]
fn the_client_of_the_example_reports_an_invalid_address() {
    let run = run(&["nowhere"]);
    assert!(!run.status.success());
    assert!(String::from_utf8_lossy(&run.stderr).starts_with("client: "));
}
