//! A transport over UDP, for tests and local networks: nothing is encrypted. A program that reads the datagrams of another
//! one may send in its name; a program that does not read them may not.
//!
//! ```text
//! client                                     server
//! request  nonce, no cookie           ──>    keeps nothing
//!                                     <──    cookie: a keyed hash of the address, the nonce and the time
//! request  nonce, cookie              ──>    checks the hash, and gives the address a place
//!                                     <──    accepted: a token, which all later datagrams begin with
//! ```
//!
//! No answer is longer than its request.

use crate::{Delivery, Transport};
use siphasher::sip128::{Hasher128, SipHasher24};
use std::collections::HashMap;
use std::fmt;
use std::hash::Hasher;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::sync::{Arc, Weak};
use std::time::Instant;

/// The longest datagram that passes all usual networks in one piece.
const LONGEST: usize = 1_200;
/// The bytes of a datagram before its message: its kind, and the token of the connection.
const HEAD: usize = 9;
/// The most datagrams of a client that wait for the server to look at them.
const MOST_WAITING: usize = 128;
/// The most datagrams that are read in one call, so that a flood does not stop the server.
const MOST_READ: usize = 4_096;
/// The most clients, unless another number is set, and the most of one address.
const MOST_PEERS: usize = 256;
const MOST_OF_ADDRESS: usize = 64;
/// The seconds in which a cookie may be used.
const COOKIE_AGE: u32 = 15;
/// The updates after which a client repeats a request.
const REQUEST_WAIT: u32 = 8;
/// Both sides must have the same.
const VERSION: u8 = 1;
const DELIVERY: Delivery = Delivery::Unordered { longest: LONGEST - HEAD };

/// The kinds of datagrams: their first bytes.
mod kind {
    pub(super) const REQUEST: u8 = 0;
    pub(super) const COOKIE: u8 = 1;
    pub(super) const ACCEPTED: u8 = 2;
    pub(super) const REFUSED: u8 = 3;
    pub(super) const MESSAGE: u8 = 4;
    pub(super) const UNKNOWN: u8 = 5;
}

/// The time in seconds, and a hash.
type Cookie = [u8; 20];
/// A kind, the version, a nonce and a cookie.
const REQUEST_LENGTH: usize = 2 + 8 + size_of::<Cookie>();
/// Why a request is refused.
const NO_ROOM: u8 = 0;
const OTHER_VERSION: u8 = 1;

/// Returns bytes that no other program can guess.
pub(crate) fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}

/// Treats lost datagrams as sent: for want of room, or because no socket listens yet at the other end.
fn sent(result: io::Result<usize>) -> io::Result<()> {
    match result {
        Err(error) if !is_harmless(&error) => Err(error),
        _ => Ok(()),
    }
}

/// Returns an arrived datagram, if there is one.
fn arrived<R>(result: io::Result<R>) -> io::Result<Option<R>> {
    match result {
        Ok(arrived) => Ok(Some(arrived)),
        Err(error) if is_harmless(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns `true` for errors of one datagram, after which the socket works.
fn is_harmless(error: &io::Error) -> bool {
    use ErrorKind::{
        ConnectionRefused, ConnectionReset, HostUnreachable, Interrupted, NetworkUnreachable,
        WouldBlock,
    };
    matches!(
        error.kind(),
        WouldBlock
            | ConnectionRefused
            | ConnectionReset
            | HostUnreachable
            | NetworkUnreachable
            | Interrupted
    )
}

fn number(bytes: &[u8]) -> u64 {
    let mut number = [0; 8];
    number.copy_from_slice(&bytes[..8]);
    u64::from_le_bytes(number)
}

fn datagram(kind: u8, parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = vec![kind];
    parts.iter().for_each(|part| bytes.extend_from_slice(part));
    bytes
}

/// The end of a client.
pub struct Socket {
    udp: UdpSocket,
    nonce: [u8; 8],
    /// The last cookie of the server; zeros at first.
    cookie: Cookie,
    /// The token of the connection, when the server has accepted it.
    token: Option<[u8; 8]>,
    /// Updates until the request is sent again.
    wait: u32,
}

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
        Ok(Self { udp: socket, nonce: random()?, cookie: [0; 20], token: None, wait: 0 })
    }

    fn request(&mut self) -> io::Result<()> {
        self.wait = REQUEST_WAIT;
        let request = datagram(kind::REQUEST, &[&[VERSION], &self.nonce, &self.cookie]);
        sent(self.udp.send(&request))
    }

    /// Reads a datagram, and returns its message if it is one.
    fn read(&mut self, datagram: &[u8]) -> io::Result<Option<Vec<u8>>> {
        let Some((kind, rest)) = datagram.split_first() else { return Ok(None) };
        let has_nonce = rest.starts_with(&self.nonce);
        let has_token = self.token.is_some_and(|token| rest.starts_with(&token));
        match (*kind, rest.get(8..).unwrap_or_default()) {
            (kind::MESSAGE, message) if has_token => return Ok(Some(message.to_vec())),
            (kind::UNKNOWN, []) if has_token => {
                let what = "the server has ended the connection";
                return Err(io::Error::new(ErrorKind::ConnectionReset, what));
            }
            (kind::COOKIE, cookie) if has_nonce && self.token.is_none() => {
                if let Ok(cookie) = cookie.try_into()
                    && self.cookie != cookie
                {
                    self.cookie = cookie;
                    self.request()?;
                }
            }
            (kind::ACCEPTED, token) if has_nonce && self.token.is_none() => {
                self.token = token.try_into().ok();
            }
            (kind::REFUSED, [why]) if has_nonce && self.token.is_none() => {
                let what = match *why {
                    NO_ROOM => "the server has no room for another client",
                    _ => "the server speaks another version of the protocol",
                };
                return Err(io::Error::new(ErrorKind::ConnectionRefused, what));
            }
            _ => {} // a stranger sent it, or it is late
        }
        Ok(None)
    }
}

impl fmt::Debug for Socket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Socket").field("udp", &self.udp).finish_non_exhaustive()
    }
}

impl Transport for Socket {
    fn delivery(&self) -> Delivery {
        DELIVERY
    }
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        let Some(token) = &self.token else { return Ok(()) }; // lost
        sent(self.udp.send(&datagram(kind::MESSAGE, &[token, message])))
    }
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = [0; LONGEST];
        while let Some(length) = arrived(self.udp.recv(&mut bytes))? {
            if let Some(message) = self.read(&bytes[..length])? {
                return Ok(Some(message));
            }
        }
        if self.token.is_none() {
            if self.wait == 0 {
                self.request()?;
            }
            self.wait -= 1;
        }
        Ok(None)
    }
}

/// Makes and checks cookies, without memory of any.
struct Cookies {
    key: [u8; 16],
}

impl Cookies {
    fn hash(&self, what: u8, address: SocketAddr, nonce: u64, time: u32) -> u128 {
        let mut hasher = SipHasher24::new_with_key(&self.key);
        hasher.write_u8(what);
        match address.ip() {
            IpAddr::V4(ip) => hasher.write(&ip.to_ipv6_mapped().octets()),
            IpAddr::V6(ip) => hasher.write(&ip.octets()),
        }
        hasher.write_u16(address.port());
        hasher.write_u64(nonce);
        hasher.write_u32(time);
        hasher.finish128().as_u128()
    }

    fn make(&self, address: SocketAddr, nonce: u64, now: u32) -> Cookie {
        let mut cookie = [0; 20];
        cookie[..4].copy_from_slice(&now.to_le_bytes());
        cookie[4..].copy_from_slice(&self.hash(0, address, nonce, now).to_le_bytes());
        cookie
    }

    /// Returns the token of a connection, if the cookie was made for this address and nonce a short time ago.
    fn check(&self, address: SocketAddr, nonce: u64, cookie: &[u8], now: u32) -> Option<[u8; 8]> {
        let (time, _) = cookie.split_first_chunk()?;
        let time = u32::from_le_bytes(*time);
        let is_recent = now.checked_sub(time).is_some_and(|age| age <= COOKIE_AGE);
        let made = self.make(address, nonce, time);
        // All bytes are compared, so that the time of a comparison says nothing of the right ones.
        let differing = made.iter().zip(cookie).fold(0, |any, (a, b)| any | (a ^ b));
        if !is_recent || cookie.len() != made.len() || differing != 0 {
            return None;
        }
        self.hash(1, address, nonce, time).to_le_bytes().first_chunk().copied()
    }
}

/// A client that showed a valid cookie.
struct Place {
    nonce: u64,
    token: [u8; 8],
    inbox: SyncSender<Vec<u8>>,
    /// It is gone when the [`Peer`] is.
    is_open: Weak<()>,
}

/// The socket of a server, for all its clients. The system has one socket, however many clients there are.
///
/// An address gets a place only by a datagram with a valid cookie, which the listener sent to this address before.
pub struct Listener {
    socket: Arc<UdpSocket>,
    cookies: Cookies,
    start: Instant,
    peers: HashMap<SocketAddr, Place>,
    most_peers: usize,
    most_of_address: usize,
}

impl Listener {
    /// Returns a socket that receives at this address.
    ///
    /// # Errors
    /// When that is not to be had.
    pub fn bind(address: impl ToSocketAddrs) -> io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        socket.set_nonblocking(true)?;
        Ok(Self {
            socket: Arc::new(socket),
            cookies: Cookies { key: random()? },
            start: Instant::now(),
            peers: HashMap::new(),
            most_peers: MOST_PEERS,
            most_of_address: MOST_OF_ADDRESS,
        })
    }

    /// Sets the number of clients, by default 256, and the number of clients of one address, by default 64. Addresses
    /// of IPv6 count as one if their first 64 bits are equal.
    ///
    /// ```
    /// # use ecs_replication::udp::Listener;
    /// let listener = Listener::bind("127.0.0.1:0")?.most_peers(1_000, 10);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub const fn most_peers(mut self, all: usize, of_address: usize) -> Self {
        (self.most_peers, self.most_of_address) = (all, of_address);
        self
    }

    /// Returns the address at which it receives.
    ///
    /// # Errors
    /// When the system does not return one.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Receives the datagrams of all clients, up to the first valid request of a new one, whose transport it returns.
    /// Call it in each frame, until it returns `None`. It reads at most 4,096 datagrams.
    ///
    /// # Errors
    /// When the socket has failed.
    pub fn accept(&mut self) -> io::Result<Option<Peer>> {
        let mut bytes = [0; LONGEST];
        for _ in 0..MOST_READ {
            match self.socket.recv_from(&mut bytes) {
                Ok((length, from)) => {
                    if let Some(peer) = self.read(&bytes[..length], from)? {
                        return Ok(Some(peer));
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(error) if is_harmless(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    fn read(&mut self, bytes: &[u8], from: SocketAddr) -> io::Result<Option<Peer>> {
        match bytes {
            [kind::MESSAGE, rest @ ..] if rest.len() >= 8 => {
                let (token, message) = rest.split_at(8);
                self.pass_on(token, message, from)?;
            }
            [kind::REQUEST, VERSION, rest @ ..] if bytes.len() == REQUEST_LENGTH => {
                return self.answer(number(rest), &rest[8..], from);
            }
            [kind::REQUEST, _, rest @ ..] if rest.len() >= 8 => {
                self.send(kind::REFUSED, &[&rest[..8], &[OTHER_VERSION]], from)?;
            }
            _ => {} // not of this library
        }
        Ok(None)
    }

    /// Puts a message into the inbox of its client, if it has the client's token.
    fn pass_on(&mut self, token: &[u8], message: &[u8], from: SocketAddr) -> io::Result<()> {
        match self.peers.get(&from) {
            Some(peer) if peer.token != token => Ok(()), // a stranger sent it in the client's name
            Some(peer) => match peer.inbox.try_send(message.to_vec()) {
                Ok(()) | Err(TrySendError::Full(_)) => Ok(()),
                Err(TrySendError::Disconnected(_)) => {
                    self.peers.remove(&from);
                    self.send(kind::UNKNOWN, &[token], from)
                }
            },
            None => self.send(kind::UNKNOWN, &[token], from),
        }
    }

    /// Answers a request: by a cookie, or by the acceptance of a valid one.
    fn answer(&mut self, nonce: u64, cookie: &[u8], from: SocketAddr) -> io::Result<Option<Peer>> {
        let (sent_nonce, now) = (nonce.to_le_bytes(), self.seconds());
        let Some(token) = self.cookies.check(from, nonce, cookie, now) else {
            let cookie = self.cookies.make(from, nonce, now);
            self.send(kind::COOKIE, &[&sent_nonce, &cookie], from)?;
            return Ok(None);
        };
        let is_open = |place: &Place| place.is_open.strong_count() > 0;
        if let Some(place) = self.peers.get(&from).filter(|place| place.nonce == nonce) {
            // The acceptance was lost, or the request came twice. One that ended does not begin again.
            if is_open(place) {
                self.send(kind::ACCEPTED, &[&sent_nonce, &place.token], from)?;
            }
            return Ok(None);
        }
        self.peers.retain(|address, place| is_open(place) && *address != from);
        let network = network(from);
        let neighbours = self.peers.keys().filter(|it| self::network(**it) == network).count();
        if self.peers.len() >= self.most_peers || neighbours >= self.most_of_address {
            self.send(kind::REFUSED, &[&sent_nonce, &[NO_ROOM]], from)?;
            return Ok(None);
        }
        let (inbox, messages) = sync_channel(MOST_WAITING);
        let open = Arc::new(());
        let place = Place { nonce, token, inbox, is_open: Arc::downgrade(&open) };
        self.peers.insert(from, place);
        self.send(kind::ACCEPTED, &[&sent_nonce, &token], from)?;
        let socket = Arc::clone(&self.socket);
        Ok(Some(Peer { socket, to: from, token, inbox: messages, _open: open }))
    }

    fn send(&self, kind: u8, parts: &[&[u8]], to: SocketAddr) -> io::Result<()> {
        sent(self.socket.send_to(&datagram(kind, parts), to))
    }

    fn seconds(&self) -> u32 {
        u32::try_from(self.start.elapsed().as_secs()).unwrap_or(u32::MAX)
    }
}

/// Returns the part of an address that all addresses of one customer share.
fn network(address: SocketAddr) -> IpAddr {
    match address.ip() {
        IpAddr::V6(ip) if ip.to_ipv4_mapped().is_none() => {
            let [a, b, c, d, ..] = ip.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        ip => ip,
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { socket, peers, .. } = self;
        f.debug_struct("Listener")
            .field("socket", socket)
            .field("peers", &peers.len())
            .finish_non_exhaustive()
    }
}

/// The end of the server for one client, from [`Listener::accept`].
pub struct Peer {
    socket: Arc<UdpSocket>,
    to: SocketAddr,
    token: [u8; 8],
    inbox: Receiver<Vec<u8>>,
    _open: Arc<()>,
}

impl Peer {
    /// Returns the address of the client.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.to
    }
}

impl fmt::Debug for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Peer").field("to", &self.to).finish_non_exhaustive()
    }
}

impl Transport for Peer {
    fn delivery(&self) -> Delivery {
        DELIVERY
    }
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        sent(self.socket.send_to(&datagram(kind::MESSAGE, &[&self.token, message]), self.to))
    }
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self.inbox.try_recv() {
            Ok(datagram) => Ok(Some(datagram)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(ErrorKind::BrokenPipe.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(port: u16) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], port))
    }

    #[test]
    fn a_cookie_is_valid_for_its_address_nonce_and_time_only() {
        let cookies = Cookies { key: [7; 16] };
        let cookie = cookies.make(address(1), 5, 100);
        let check = |port, nonce, cookie: &[u8], now| {
            cookies.check(address(port), nonce, cookie, now).is_some()
        };
        assert!(check(1, 5, &cookie, 100) && check(1, 5, &cookie, 100 + COOKIE_AGE));
        assert!(!check(1, 5, &cookie, 99) && !check(1, 5, &cookie, 101 + COOKIE_AGE));
        assert!(!check(2, 5, &cookie, 100) && !check(1, 6, &cookie, 100));
        assert!(!check(1, 5, &cookie[..19], 100) && !check(1, 5, &[], 100));
        for at in 0..cookie.len() {
            let mut other = cookie;
            other[at] ^= 1;
            assert!(!check(1, 5, &other, 100), "byte {at}");
        }
        let other = Cookies { key: [8; 16] };
        assert_eq!(other.check(address(1), 5, &cookie, 100), None);
    }

    #[test]
    fn addresses_of_one_network_count_together() {
        let of = |ip: &str| network(SocketAddr::new(ip.parse().unwrap(), 1));
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:db8:1:2:ffff::"));
        assert_ne!(of("2001:db8:1:2::"), of("2001:db8:1:3::"));
        assert_ne!(of("10.0.0.1"), of("10.0.0.2"));
        assert_ne!(of("::ffff:10.0.0.1"), of("::ffff:10.0.0.2"));
    }
}
