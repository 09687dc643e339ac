//! A harbour that a client watches over a socket: ships come and go by messages from another thread, and only
//! changes are sent. At the end the client and the world must agree.
//!
//! ```sh
//! cargo run --profile example -p ecs_examples --bin server
//! ```

use ecs::{Changes, Component, Entity, Mut, Resource, World};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread;

/// Ticks that go by after the last message.
const REST: u32 = 20;
/// The distance that a ship sails before it drops anchor.
const VOYAGE: f32 = 16.0;

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(track)]
struct Position {
    x: f32,
    y: f32,
}

/// A ship without one lies at anchor.
#[derive(Component)]
struct Course {
    x: f32,
    y: f32,
}

/// The strength of the ship; it sinks at 0.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(track)]
struct Hull(u32);

/// The ships by the names of their captains. Captains send names, not entities.
#[derive(Resource, Default)]
struct Register(BTreeMap<u32, Entity>);

/// An order from a captain to the server.
enum Order {
    Enter { captain: u32, x: f32, y: f32 },
    Sail { captain: u32, x: f32, y: f32 },
    Collide { captain: u32, damage: u32 },
    Leave { captain: u32 },
}

/// Executes an [`Order`]. The orders of a captain without a ship are ignored.
fn obey(world: &mut World, order: &Order) {
    world.resource_scope::<Register, _>(|world, Register(ships)| match *order {
        Order::Enter { captain, x, y } => {
            let ship = world.spawn((Position { x, y }, Hull(3))).id();
            if let Some(old) = ships.insert(captain, ship) {
                _ = world.despawn(old);
            }
        }
        Order::Sail { captain, x, y } => {
            _ = ships.get(&captain).map(|&ship| world.insert(ship, Course { x, y }));
        }
        Order::Collide { captain, damage } => {
            let Some(&ship) = ships.get(&captain) else { return };
            let Some(hull) = world.get_mut::<Hull>(ship) else { return };
            hull.0 = hull.0.saturating_sub(damage);
            if hull.0 == 0 {
                _ = world.despawn(ship);
            }
        }
        Order::Leave { captain } => _ = ships.remove(&captain).map(|ship| world.despawn(ship)),
    });
}

/// All ships with a course sail on. Only these are marked as moved.
fn sail(world: &mut World) {
    let mut arrived = Vec::new();
    for (ship, mut position, course) in world.view_mut::<(Mut<Position>, &Course)>() {
        position.x += course.x;
        position.y += course.y;
        if position.x.abs() + position.y.abs() > VOYAGE {
            arrived.push(ship);
        }
    }
    world.remove_batch::<Course>(&arrived);
}

/// A line of the protocol. A tick is any number of them, and `Tick`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Line {
    Gone(u64),
    Position(u64, Position),
    Hull(u64, Hull),
    Tick,
}

impl Line {
    fn write(self, to: &mut impl Write) -> io::Result<()> {
        let (tag, ship, [a, b]) = match self {
            Self::Gone(ship) => (0, ship, [0; 2]),
            Self::Position(ship, at) => (1, ship, [at.x.to_bits(), at.y.to_bits()]),
            Self::Hull(ship, hull) => (2, ship, [hull.0, 0]),
            Self::Tick => (3, 0, [0; 2]),
        };
        to.write_all(&[tag])?;
        to.write_all(&ship.to_le_bytes())?;
        to.write_all(&a.to_le_bytes())?;
        to.write_all(&b.to_le_bytes())
    }

    /// The next line, or nothing where the server closed the connection between two of them.
    fn read(from: &mut impl Read) -> io::Result<Option<Self>> {
        let mut tag = [0];
        if from.read(&mut tag)? == 0 {
            return Ok(None);
        }
        let (mut ship, mut a, mut b) = ([0; 8], [0; 4], [0; 4]);
        from.read_exact(&mut ship)?;
        from.read_exact(&mut a)?;
        from.read_exact(&mut b)?;
        let (ship, a, b) = (u64::from_le_bytes(ship), u32::from_le_bytes(a), u32::from_le_bytes(b));
        Ok(Some(match tag[0] {
            0 => Self::Gone(ship),
            1 => Self::Position(ship, Position { x: f32::from_bits(a), y: f32::from_bits(b) }),
            2 => Self::Hull(ship, Hull(a)),
            3 => Self::Tick,
            tag => return Err(io::Error::new(io::ErrorKind::InvalidData, format!("tag {tag}"))),
        }))
    }
}

/// The updates for a client: everything about ships that it does not have yet.
struct Deltas {
    moved: Changes<Position>,
    damaged: Changes<Hull>,
    lines: usize,
}

impl Deltas {
    fn new(world: &mut World) -> Self {
        Self { moved: world.changes(), damaged: world.changes(), lines: 0 }
    }

    /// Writes the changes since the last call.
    fn write(&mut self, world: &mut World, to: &mut impl Write) -> io::Result<()> {
        world.advance(&mut self.moved);
        world.advance(&mut self.damaged);
        let gone = self.moved.removed().iter().map(|ship| Line::Gone(ship.to_bits()));
        let (positions, hulls) = (world.view::<&Position>(), world.view::<&Hull>());
        let moved = positions.among(self.moved.changed()).into_iter();
        let damaged = hulls.among(self.damaged.changed()).into_iter();
        let lines = gone // first, as another ship may have the index of one that is gone
            .chain(moved.map(|(ship, &position)| Line::Position(ship.to_bits(), position)))
            .chain(damaged.map(|(ship, &hull)| Line::Hull(ship.to_bits(), hull)))
            .chain([Line::Tick]);
        for line in lines {
            line.write(to)?;
            self.lines += 1;
        }
        to.flush()
    }
}

/// Ships by their entities, as one side sees them.
type Ships = BTreeMap<u64, (Option<Position>, Option<Hull>)>;

/// Applies updates until the server is done.
fn watch(server: TcpStream) -> io::Result<Ships> {
    let (mut from, mut ships) = (BufReader::new(server), Ships::new());
    while let Some(line) = Line::read(&mut from)? {
        match line {
            Line::Gone(ship) => _ = ships.remove(&ship),
            Line::Position(ship, position) => ships.entry(ship).or_default().0 = Some(position),
            Line::Hull(ship, hull) => ships.entry(ship).or_default().1 = Some(hull),
            Line::Tick => {}
        }
    }
    Ok(ships)
}

/// The captains: they send this many orders, and are done.
#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn command(orders: &SyncSender<Order>, count: u32) {
    let mut state = 1_u32;
    let mut below = |limit| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % limit
    };
    for _ in 0..count {
        let (captain, x, y) = (below(200), below(9) as f32 - 4.0, below(9) as f32 - 4.0);
        let order = match below(10) {
            0..3 => Order::Enter { captain, x, y },
            3..6 => Order::Sail { captain, x: x / 8.0, y: y / 8.0 },
            6..8 => Order::Collide { captain, damage: 1 },
            _ => Order::Leave { captain },
        };
        if orders.send(order).is_err() {
            return; // the server is gone
        }
    }
}

/// The view of a client at the end.
struct Report {
    ticks: u32,
    ships: usize,
    /// The number of lines that were sent, and how many if each tick had sent all ships.
    lines: usize,
    lines_in_full: usize,
    agree: bool,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ticks, ships, lines, lines_in_full, agree } = self;
        let verdict = if *agree { "agree" } else { "do not agree" };
        write!(f, "{ticks} ticks, {lines} lines sent in place of {lines_in_full}: ")?;
        write!(f, "client and world {verdict} on {ships} ships")
    }
}

/// A server's life: until the captains are done, and a while longer.
fn serve(client: TcpStream, orders: &Receiver<Order>) -> io::Result<(Report, Ships)> {
    let mut client = BufWriter::new(client);
    let mut world = World::new();
    world.insert_resource(Register::default());
    let mut deltas = Deltas::new(&mut world);
    let (mut ticks, mut rest, mut lines_in_full) = (0, REST, 0);
    while rest > 0 {
        for _ in 0..50 {
            match orders.try_recv() {
                Ok(order) => obey(&mut world, &order),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    rest -= 1;
                    break;
                }
            }
        }
        sail(&mut world);
        deltas.write(&mut world, &mut client)?;
        ticks += 1;
        lines_in_full += world.len() * 2 + 1;
    }
    let seen = world.view::<(&Position, &Hull)>().into_iter();
    let ships: Ships =
        seen.map(|(ship, &at, &hull)| (ship.to_bits(), (Some(at), Some(hull)))).collect();
    let lines = deltas.lines;
    Ok((Report { ticks, ships: ships.len(), lines, lines_in_full, agree: false }, ships))
}

/// Captains, a server and its client, each on a thread.
fn run(orders: u32) -> io::Result<Report> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    let (to_server, from_captains) = sync_channel(64);
    // The closure drops its captures at its end, so that no client waits for a failed server.
    thread::scope(move |scope| {
        scope.spawn(move || command(&to_server, orders));
        let client = scope.spawn(move || TcpStream::connect(address).and_then(watch));
        let (mut report, ships) = serve(listener.accept()?.0, &from_captains)?;
        report.agree = client.join().expect("the client does not panic")? == ships;
        Ok(report)
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let report = run(20_000)?;
    println!("{report}");
    if report.agree { Ok(()) } else { Err("the client got a wrong message".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_have_the_state_of_the_server() {
        for orders in [0, 1, 10, 1_000, 5_000] {
            let report = run(orders).expect("the network is this machine's");
            assert!(report.agree && report.ticks >= REST, "{report}");
            assert!(report.ships > 0 || orders < 1_000, "{report}");
        }
    }

    #[test]
    fn it_ends_well_and_sends_little() {
        main().expect("client and world agree");
        let report = run(5_000).expect("the network is this machine's");
        assert!(report.lines < report.lines_in_full, "{report}");
        let end = format!(": client and world agree on {} ships", report.ships);
        assert!(report.to_string().ends_with(&end), "{report}");
    }

    #[test]
    fn lines_come_back_as_they_were_sent() {
        let (ship, at) = (7 << 32 | 3, Position { x: -1.5, y: f32::MAX });
        let lines =
            [Line::Gone(ship), Line::Position(ship, at), Line::Hull(ship, Hull(9)), Line::Tick];
        let mut sent = Vec::new();
        for line in lines {
            line.write(&mut sent).unwrap();
        }
        let mut from = &sent[..];
        for line in lines {
            assert_eq!(Line::read(&mut from).unwrap(), Some(line));
        }
        assert_eq!(Line::read(&mut from).unwrap(), None);
        assert!(Line::read(&mut &sent[..5]).is_err() && Line::read(&mut &[9; 17][..]).is_err());
    }
}
