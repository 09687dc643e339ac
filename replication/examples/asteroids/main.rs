//! A world that two processes share over QUIC.
//!
//! The server plays a game and starts its client as another process. In the end the client reports its content, and the
//! server compares that with its own world.
//!
//! ```text
//! cargo run --release -p ecs_replication --features self-signed --example asteroids
//! ```
//!
//! With `--record` the server records its game, and plays it again in the end: each tick has to have the same world.
//!
//! The world is in `game.rs`; this is how it travels. A file of certificates would take the place of the one that is
//! made here, and is handed to the client when it is started.

mod game;

use ecs::replay::Recording;
use ecs_replication::quinn::{Stream, self_signed, trusting};
use ecs_replication::{Client, Server};
use quinn::Endpoint;
use std::error::Error;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};

type Failure = Box<dyn Error + Send + Sync>;

/// The name in the certificate.
const NAME: &str = "asteroids.example";
const BODIES: u32 = 2_000;
const TICKS: u32 = 300;
/// The number of ticks after which a recording keeps a snapshot.
const KEPT: usize = 60;
const TICK: Duration = Duration::from_millis(2);
/// Nothing takes longer than this, unless something is wrong.
const PATIENCE: Duration = Duration::from_secs(20);
/// The number of ticks.
const UPDATES: u64 = 10_000;

/// Repeats a tick until it says that it is done.
fn run(mut tick: impl FnMut() -> Result<bool, Failure>) -> Result<(), Failure> {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        if tick()? {
            return Ok(());
        }
        sleep(TICK);
    }
    Err("it takes too long".into())
}

/// Returns the runtime that drives the connections.
fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread().worker_threads(1).enable_all().build()
}

/// Starts this program as the client, and hands it the certificate.
fn start_client(address: SocketAddr, certificate: &[u8]) -> Result<Child, Failure> {
    let mut client = Command::new(std::env::current_exe()?)
        .arg(address.to_string())
        .stdin(Stdio::piped())
        .spawn()?;
    let mut stdin = client.stdin.take().ok_or_else(|| io::Error::other("there is no pipe"))?;
    stdin.write_all(certificate)?;
    Ok(client)
}

/// Plays the game; records it, and plays it again in the end, if that is wanted.
fn run_server(is_recorded: bool) -> Result<(), Failure> {
    let (runtime, mut world) = (runtime()?, game::begin(BODIES));
    let mut recording = if is_recorded { Some(Recording::new(&mut world, KEPT)?) } else { None };
    let (config, certificate) = self_signed(NAME)?;
    let (endpoint, stream, mut process) = runtime.block_on(async {
        let endpoint = Endpoint::server(config, (Ipv4Addr::LOCALHOST, 0).into())?;
        let process = start_client(endpoint.local_addr()?, &certificate)?;
        let accept = async {
            let connection = endpoint.accept().await.ok_or("nobody came")?.await?;
            Ok::<_, Failure>(Stream::accept(connection).await?)
        };
        let stream = tokio::time::timeout(PATIENCE, accept).await??;
        Ok::<_, Failure>((endpoint, stream, process))
    })?;
    let mut server = Server::default().gives_up_after(UPDATES);
    let client = server.connect(stream);
    let (mut tick, mut answer) = (0, None);
    run(|| {
        if tick < TICKS {
            game::step(&mut world, tick);
            if let Some(recording) = &mut recording {
                recording.record(&mut world, &tick)?;
            }
            tick += 1;
        } else if tick == TICKS {
            let is_done =
                server.progress(client).is_none_or(|(sent, done)| sent > 0 && sent == done);
            tick += u32::from(is_done && server.send(client, b"what do you have?"));
        }
        server.update(&mut world)?;
        answer = server.received().map(|(_, answer)| answer);
        match server.departed() {
            Some((client, error)) => Err(format!("{client} is gone: {error}").into()),
            None => Ok(answer.is_some()),
        }
    })?;
    if answer != Some(game::listing(&world, Some)) {
        return Err("the client has another world".into());
    }
    let statistics = server.statistics(client).unwrap_or_default();
    server.disconnect(client);
    endpoint.close(0_u32.into(), b"done");
    runtime.block_on(endpoint.wait_idle());
    if !process.wait()?.success() {
        return Err("the client failed".into());
    }
    let mut snapshot = Vec::new();
    world.save().to_bytes(&mut snapshot)?;
    println!(
        "{} bytes in {} sets, of {} in a snapshot: the client has the server's world of {} entities",
        statistics.set_bytes,
        statistics.sets,
        snapshot.len(),
        world.len()
    );
    if let Some(recording) = recording {
        for (from, _) in recording.snapshots() {
            recording.replay(&mut world, from, |world, tick| game::step(world, *tick))?;
        }
        println!(
            "played {TICKS} ticks again, from each of {} snapshots",
            recording.snapshots().count()
        );
    }
    Ok(())
}

fn run_client(address: &str) -> Result<(), Failure> {
    let (runtime, mut world) = (runtime()?, game::empty());
    world.spawn_named("a camera, which is the client's own");
    let mut certificate = Vec::new();
    io::stdin().lock().read_to_end(&mut certificate)?;
    let address = address.parse()?;
    let (_endpoint, connection, stream) = runtime.block_on(async {
        let mut endpoint = Endpoint::client((Ipv4Addr::LOCALHOST, 0).into())?;
        endpoint.set_default_client_config(trusting(certificate)?);
        let connection = endpoint.connect(address, NAME)?.await?;
        let stream = Stream::open(connection.clone()).await?;
        Ok::<_, Failure>((endpoint, connection, stream))
    })?;
    let mut client = Client::new(stream).gives_up_after(UPDATES);
    let mut has_answered = false;
    run(|| {
        match client.update(&mut world) {
            Err(_) if has_answered && connection.close_reason().is_some() => return Ok(true),
            result => result?,
        }
        if client.received().is_some() {
            let there = |here| client.follower().there(here);
            let listing = game::listing(&world, there);
            client.send(&listing)?;
            has_answered = true;
        }
        Ok(false)
    })
}

fn main() -> ExitCode {
    let (name, result) = match std::env::args().nth(1) {
        None => ("server", run_server(false)),
        Some(option) if option == "--record" => ("server", run_server(true)),
        Some(address) => ("client", run_client(&address)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::FAILURE
        }
    }
}
