//! A transport over UDP, for tests and local networks: nothing is encrypted, and any program may send in another's
//! name.

use crate::{Delivery, Transport};
use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, ToSocketAddrs, UdpSocket};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::sync::{Arc, Weak};

/// The longest datagram that passes all usual networks in one piece.
const LONGEST: usize = 1_200;
/// The most datagrams of a client that wait for the server to look at them.
const MOST_WAITING: usize = 4_096;
const DELIVERY: Delivery = Delivery::Unordered { longest: LONGEST };

/// Treats lost datagrams as sent: for want of room, or because no socket listens yet at the other end.
fn sent(result: io::Result<usize>) -> io::Result<()> {
    match result {
        Err(error)
            if !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::ConnectionRefused) =>
        {
            Err(error)
        }
        _ => Ok(()),
    }
}

/// Returns an arrived datagram, if there is one.
fn arrived<R>(result: io::Result<R>) -> io::Result<Option<R>> {
    match result {
        Ok(arrived) => Ok(Some(arrived)),
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(None),
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => Ok(None),
        Err(error) => Err(error),
    }
}

/// The end of a client.
#[derive(Debug)]
pub struct Socket(UdpSocket);

impl Socket {
    /// Returns a socket that sends to this address, and receives from there only.
    ///
    /// # Errors
    /// When there is no such address, or no socket to be had.
    pub fn connect(server: impl ToSocketAddrs) -> io::Result<Self> {
        let server = server.to_socket_addrs()?.next().ok_or(ErrorKind::AddrNotAvailable)?;
        let local = if server.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
        let socket = UdpSocket::bind(local)?;
        socket.connect(server)?;
        socket.set_nonblocking(true)?;
        Ok(Self(socket))
    }
}

impl Transport for Socket {
    fn delivery(&self) -> Delivery {
        DELIVERY
    }
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        sent(self.0.send(message))
    }
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = [0; LONGEST];
        Ok(arrived(self.0.recv(&mut bytes))?.map(|len| bytes[..len].to_vec()))
    }
}

/// The socket of a server, for all its clients.
#[derive(Debug)]
pub struct Listener {
    socket: UdpSocket,
    /// The receivers of datagrams by sender, and the socket, which may be gone.
    peers: HashMap<SocketAddr, (SyncSender<Vec<u8>>, Weak<UdpSocket>)>,
}

impl Listener {
    /// Returns a socket that receives at this address.
    ///
    /// # Errors
    /// When that is not to be had.
    pub fn bind(address: impl ToSocketAddrs) -> io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        socket.set_nonblocking(true)?;
        Ok(Self { socket, peers: HashMap::new() })
    }

    /// Returns the address at which it receives.
    ///
    /// # Errors
    /// When the system does not return one.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Receives the datagrams of all clients, up to the first datagram from a new one, whose
    /// transport it returns. Call it in each frame, until it returns `None`.
    ///
    /// # Errors
    /// When the socket has failed.
    pub fn accept(&mut self) -> io::Result<Option<Peer>> {
        let mut bytes = [0; LONGEST];
        while let Some((len, from)) = arrived(self.socket.recv_from(&mut bytes))? {
            let mut datagram = bytes[..len].to_vec();
            if let Some((peer, _)) = self.peers.get(&from) {
                match peer.try_send(datagram) {
                    Ok(()) | Err(TrySendError::Full(_)) => continue,
                    Err(TrySendError::Disconnected(back)) => datagram = back,
                }
            }
            let (peer, inbox) = sync_channel(MOST_WAITING);
            let _ = peer.send(datagram); // both ends are here
            let socket = Arc::new(self.socket.try_clone()?);
            self.peers.retain(|_, (_, socket)| socket.strong_count() > 0);
            self.peers.insert(from, (peer, Arc::downgrade(&socket)));
            return Ok(Some(Peer { socket, to: from, inbox }));
        }
        Ok(None)
    }
}

/// The end of the server for one client, from [`Listener::accept`].
#[derive(Debug)]
pub struct Peer {
    socket: Arc<UdpSocket>,
    to: SocketAddr,
    inbox: Receiver<Vec<u8>>,
}

impl Peer {
    /// Returns the address of the client.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.to
    }
}

impl Transport for Peer {
    fn delivery(&self) -> Delivery {
        DELIVERY
    }
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        sent(self.socket.send_to(message, self.to))
    }
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self.inbox.try_recv() {
            Ok(datagram) => Ok(Some(datagram)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(ErrorKind::BrokenPipe.into()),
        }
    }
}
