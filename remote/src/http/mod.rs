//! HTTP: connections, each with a thread of its own, and refusals before a request is read.
//!
//! A browser lets any page send requests to this machine. So a request must name this server as its `Host`, which a page
//! that changed the address of its own name does not. It must come from a page of this server, if it comes from a page.
//! It must have a type that pages of others may not send unasked.

mod connection;
mod connections;
mod head;
mod rpc;

use crate::http::connection::Connection;
use crate::http::connections::Connections;
use crate::options::{Options, Page};
use crate::page;
use crate::remote::Request;
use crate::room::Room;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The most bytes of a request: of its head, and of its body.
const MOST_HEAD: usize = 16 << 10;
const MOST_BODY: usize = 1 << 20;

/// The state that the threads of connections share.
struct Server {
    requests: Sender<Request>,
    hosts: Vec<String>,
    token: Option<String>,
    pages: Vec<Page>,
    patience: Duration,
    connections: Connections,
    /// The room for waiting requests: their number, and their bytes.
    waiting: [Arc<Room>; 2],
}

/// A port that is listened on, until this is dropped.
pub(crate) struct Listening {
    address: SocketAddr,
    server: Arc<Server>,
    thread: Option<JoinHandle<()>>,
}

impl Listening {
    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }
}

/// Begins to listen.
pub(crate) fn listen(options: &mut Options, requests: Sender<Request>) -> io::Result<Listening> {
    let Options { host, port, .. } = &*options;
    let listener = TcpListener::bind((&**host, *port)).map_err(|error| {
        let why = match error.kind() {
            io::ErrorKind::AddrInUse => {
                "another server listens there: end it, or choose another port by `Options::port`, 0 for any"
            }
            _ => "choose another address by `Options::host` or `Options::port`",
        };
        io::Error::new(error.kind(), format!("cannot listen on port {port} of {host}: {why} ({error})"))
    })?;
    let address = listener.local_addr()?;
    options.port = address.port();
    let names = ["localhost", "127.0.0.1", "[::1]", &options.host];
    let server = Arc::new(Server {
        requests,
        hosts: names.iter().map(|name| format!("{name}:{}", options.port)).collect(),
        token: options.token.clone(),
        pages: page::ALL.iter().cloned().chain(std::mem::take(&mut options.pages)).collect(),
        patience: options.patience,
        connections: Connections::new(options.connections),
        waiting: [Room::new(options.waiting.0), Room::new(options.waiting.1)],
    });
    let of_thread = Arc::clone(&server);
    let run = move || accept(&listener, &of_thread);
    let thread = thread::Builder::new().name("ecs_remote".into()).spawn(run)?;
    Ok(Listening { address, server, thread: Some(thread) })
}

impl Drop for Listening {
    /// Closes the port, and waits until it is closed.
    fn drop(&mut self) {
        self.server.connections.end_all();
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(match address {
                SocketAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
                SocketAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
            });
        }
        // A connection wakes the thread that listens.
        let woken = TcpStream::connect_timeout(&address, Duration::from_secs(1));
        if let Some(thread) = self.thread.take()
            && (woken.is_ok() || thread.is_finished())
        {
            drop(thread.join());
        }
    }
}

fn accept(listener: &TcpListener, server: &Arc<Server>) {
    while !server.connections.is_over() {
        let Ok((stream, _)) = listener.accept() else {
            thread::sleep(Duration::from_millis(10)); // no file is left for it
            continue;
        };
        let Some(number) = server.connections.add(&stream) else {
            refuse(&stream);
            continue;
        };
        let of_thread = Arc::clone(server);
        let spawned = thread::Builder::new().spawn(move || {
            let server = &*of_thread;
            drop(Connection { stream, server, number, read: Vec::new() }.serve());
            server.connections.remove(number);
        });
        if spawned.is_err() {
            server.connections.remove(number);
        }
    }
}

/// Refuses a connection, without waiting for its request.
fn refuse(mut stream: &TcpStream) {
    const WHY: &str = "all connections wait for the world, which is paused or busy";
    let answer = head::head_of(503, "text/plain; charset=utf-8", true);
    let answer = format!("{answer}Content-Length: {}\r\n\r\n{WHY}", WHY.len());
    if stream.set_nonblocking(true).is_ok() {
        drop(stream.write(answer.as_bytes()));
        drop(stream.shutdown(Shutdown::Write));
        // Unread bytes would make the system discard the answer.
        drop(stream.read(&mut [0; MOST_HEAD]));
    }
}
