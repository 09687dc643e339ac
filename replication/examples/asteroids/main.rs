//! A world that two processes share: what the server sends is a snapshot, and then, tick by tick, what changed.
//!
//! The server starts its client as another process. Both talk over QUIC on this machine. In the end the client sends
//! its world back, and the server compares it with its own, byte by byte.
//!
//! ```text
//! cargo run --release -p ecs_replication
//! ```
//!
//! The world is in `asteroids.rs`; this is how it travels. A file of certificates would take the place of the one that
//! is made here, and is handed to the client when it is started.

mod game;

use ecs::World;
use ecs::save::{Delta, Limits};
use quinn::rustls::RootCertStore;
use quinn::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use quinn::{ClientConfig, Connection, Endpoint, RecvStream, SendStream, ServerConfig};
use std::error::Error;
use std::io::{self, Read};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{ExitCode, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::time::timeout;

type Failure = Box<dyn Error + Send + Sync>;

/// The name in the certificate.
const NAME: &str = "asteroids.example";
const BODIES: u32 = 2_000;
const TICKS: u32 = 300;
/// Nothing takes longer than this, unless something is wrong.
const PATIENCE: Duration = Duration::from_secs(20);
/// A longer message is none of ours.
const LONGEST: u32 = 1 << 24;

/// Sends bytes as one message. An empty one is the last.
async fn send(to: &mut SendStream, bytes: &[u8]) -> Result<(), Failure> {
    to.write_all(&u32::try_from(bytes.len())?.to_le_bytes()).await?;
    to.write_all(bytes).await?;
    Ok(())
}

/// The next message.
async fn receive(from: &mut RecvStream) -> Result<Vec<u8>, Failure> {
    let length = from.read_u32_le().await?;
    if length > LONGEST {
        return Err(format!("a message of {length} bytes is longer than any that is sent").into());
    }
    let mut bytes = vec![0; length as usize];
    from.read_exact(&mut bytes).await?;
    Ok(bytes)
}

/// All that is saved of a world.
fn saved(world: &World) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    world.save().to_bytes(&mut bytes)?;
    Ok(bytes)
}

/// What was sent.
struct Report {
    entities: usize,
    snapshot: usize,
    deltas: usize,
    /// What snapshots would have taken in place of deltas.
    in_full: usize,
}

/// Plays the game, and tells a client of it: of all first, of what is other then. Returns when the client agrees.
async fn serve(client: &Connection) -> Result<Report, Failure> {
    let (mut to, mut from) = client.open_bi().await?;
    let mut world = asteroids::begin(BODIES);
    let mut sent = world.try_clone()?; // what the client has
    let snapshot = saved(&world)?;
    send(&mut to, &snapshot).await?;
    let (mut deltas, mut in_full) = (0, 0);
    for tick in 0..TICKS {
        asteroids::step(&mut world, tick);
        let delta = Delta::between(&sent, &world)?;
        send(&mut to, delta.as_bytes()).await?;
        sent.copy_from(&world)?;
        deltas += delta.as_bytes().len();
        in_full += saved(&world)?.len();
    }
    send(&mut to, &[]).await?;
    to.finish()?;
    if receive(&mut from).await? != saved(&world)? {
        return Err("the client has another world".into());
    }
    Ok(Report { entities: world.len(), snapshot: snapshot.len(), deltas, in_full })
}

/// Follows a server until it is done, and sends what there is then.
async fn follow(server: &Connection) -> Result<(), Failure> {
    let (mut to, mut from) = server.accept_bi().await?;
    let (mut world, limits) = (asteroids::empty(), Limits::default());
    world.load(&receive(&mut from).await?, &limits)?;
    loop {
        let delta = receive(&mut from).await?;
        if delta.is_empty() {
            break;
        }
        world.apply_delta(&delta, &limits)?;
    }
    send(&mut to, &saved(&world)?).await?;
    to.finish()?;
    server.closed().await; // the server has read it
    Ok(())
}

/// A place for clients to come to, and the certificate that they are to trust.
fn listen() -> Result<(Endpoint, CertificateDer<'static>), Failure> {
    let made = rcgen::generate_simple_self_signed([NAME.to_owned()])?;
    let certificate = made.cert.der().clone();
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let config = ServerConfig::with_single_cert(vec![certificate.clone()], key)?;
    Ok((Endpoint::server(config, (Ipv4Addr::LOCALHOST, 0).into())?, certificate))
}

/// Starts this program as the client, and hands it the certificate.
async fn start_client(address: SocketAddr, certificate: &[u8]) -> Result<Child, Failure> {
    let mut client = Command::new(std::env::current_exe()?)
        .arg(address.to_string())
        .stdin(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let mut stdin = client.stdin.take().ok_or_else(|| io::Error::other("there is no pipe"))?;
    stdin.write_all(certificate).await?;
    Ok(client)
}

async fn run_server() -> Result<(), Failure> {
    let (endpoint, certificate) = listen()?;
    let mut client = start_client(endpoint.local_addr()?, &certificate).await?;
    let connection = timeout(PATIENCE, endpoint.accept()).await?.ok_or("nobody came")?.await?;
    let report = timeout(PATIENCE, serve(&connection)).await??;
    connection.close(0_u32.into(), b"done");
    endpoint.wait_idle().await;
    if !client.wait().await?.success() {
        return Err("the client failed".into());
    }
    let Report { entities, snapshot, deltas, in_full } = report;
    println!(
        "{snapshot} bytes of a snapshot, {deltas} of {TICKS} deltas in place of {in_full}: \
         the client has the server's world of {entities} entities, to the last byte"
    );
    Ok(())
}

async fn run_client(server: &str) -> Result<(), Failure> {
    let mut certificate = Vec::new();
    io::stdin().lock().read_to_end(&mut certificate)?;
    let mut roots = RootCertStore::empty();
    roots.add(certificate.into())?;
    let mut endpoint = Endpoint::client((Ipv4Addr::LOCALHOST, 0).into())?;
    endpoint.set_default_client_config(ClientConfig::with_root_certificates(Arc::new(roots))?);
    let connection = timeout(PATIENCE, endpoint.connect(server.parse()?, NAME)?).await??;
    timeout(PATIENCE, follow(&connection)).await??;
    endpoint.wait_idle().await;
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let (name, result) = match std::env::args().nth(1) {
        None => ("server", run_server().await),
        Some(server) => ("client", run_client(&server).await),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::FAILURE
        }
    }
}
