//! A proxy that loses, repeats and reorders datagrams.

use crate::common::Random;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};

/// Stands between a server and its clients.
pub struct Proxy {
    random: Random,
    server: SocketAddr,
    /// For each client: where it sends to, where that goes on from, and where the client is.
    wires: Vec<(UdpSocket, UdpSocket, Option<SocketAddr>)>,
    /// By when they go on: the wire, whether they go to the server, and the datagram.
    held: BTreeMap<usize, Vec<(usize, bool, Vec<u8>)>>,
    now: usize,
    pub lost: usize,
}

fn socket() -> UdpSocket {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    socket.set_nonblocking(true).unwrap();
    socket
}

impl Proxy {
    pub fn to(server: SocketAddr) -> Self {
        Self { random: Random(1), server, wires: vec![], held: BTreeMap::new(), now: 0, lost: 0 }
    }

    /// Returns an address for another client.
    pub fn address(&mut self) -> SocketAddr {
        let wire = (socket(), socket(), None);
        let address = wire.0.local_addr().unwrap();
        self.wires.push(wire);
        address
    }

    /// Takes in sent datagrams, and lets go the due ones.
    pub fn step(&mut self) {
        self.now += 1;
        let mut bytes = [0; 2_000];
        for at in 0..self.wires.len() {
            for is_to_server in [true, false] {
                let (near, far, client) = &mut self.wires[at];
                let socket = if is_to_server { &near } else { &far };
                loop {
                    match socket.recv_from(&mut bytes) {
                        Ok((len, from)) => {
                            if is_to_server {
                                *client = Some(from);
                            }
                            let times = [0, 0, 1, 1, 1, 1, 1, 1, 1, 2][self.random.below(10)];
                            self.lost += usize::from(times == 0);
                            for _ in 0..times {
                                let due = self.now + [0, 0, 0, 1, 2, 4][self.random.below(6)];
                                let datagram = (at, is_to_server, bytes[..len].to_vec());
                                self.held.entry(due).or_default().push(datagram);
                            }
                        }
                        Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                        Err(_) => {} // one side is gone
                    }
                }
            }
        }
        for (at, is_to_server, bytes) in self.held.remove(&self.now).unwrap_or_default() {
            let (near, far, client) = &self.wires[at];
            if is_to_server {
                let _ = far.send_to(&bytes, self.server);
            } else if let Some(client) = client {
                let _ = near.send_to(&bytes, client);
            }
        }
    }
}
