//! A ship that its player steers without delay, over a connection that takes 100 ms each way and loses a tenth of its
//! packets. Each line shows the ship at one moment: on the server, as the player predicts it, and as others see it,
//! smoothly.
//!
//! ```text
//! cargo run -p ecs_replication --example predicted
//! ```

use ecs::{Component, World};
use ecs_replication::{Client, Delivery, Interpolated, Predicted, Server, Transport};
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::error::Error;
use std::io;
use std::rc::Rc;

#[derive(Component, Clone, Copy, Serialize, Deserialize)]
#[component(clone, track, save = "ship")]
struct Ship {
    place: f32,
    speed: f32,
}

/// The updates of a packet's way, at 60 a second.
const LATENCY: u64 = 6;
/// The ticks for which the player is ahead of the newest state, so that an input comes in time, and others are behind.
const AHEAD: u64 = 2 * LATENCY + 4;
const BEHIND: f64 = 4.0;

/// A tick of the game: on the server, and in the prediction.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "inputs may be large")]
fn play(world: &mut World, thrust: &f32) {
    for (_, ship) in world.view_mut::<&mut Ship>() {
        ship.speed += thrust;
        ship.place += ship.speed;
    }
}

/// Packets in one direction: each with the time at which it arrives.
type Wire = Rc<RefCell<VecDeque<(u64, Vec<u8>)>>>;

/// An end of a connection within this program.
struct End {
    to: Wire,
    from: Wire,
    now: Rc<Cell<u64>>,
    sent: u64,
}

impl Transport for End {
    fn delivery(&self) -> Delivery {
        Delivery::Unordered { longest: 1_200 }
    }
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        self.sent += 1;
        if !self.sent.is_multiple_of(10) {
            self.to.borrow_mut().push_back((self.now.get() + LATENCY, message.to_vec()));
        }
        Ok(())
    }
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut from = self.from.borrow_mut();
        let is_there = from.front().is_some_and(|(at, _)| *at <= self.now.get());
        Ok(if is_there { from.pop_front().map(|(_, message)| message) } else { None })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let now = Rc::<Cell<u64>>::default();
    let [there, back] = [(); 2].map(|()| Rc::default());
    let end = |to: &Rc<_>, from: &Rc<_>| End {
        to: Rc::clone(to),
        from: Rc::clone(from),
        now: Rc::clone(&now),
        sent: 0,
    };
    // The server.
    let (mut server, mut world) = (Server::default(), World::new());
    let ship = world.spawn(Ship { place: 0.0, speed: 0.0 }).id();
    let mut inputs = BTreeMap::<u64, f32>::new();
    server.connect(end(&there, &back));
    // The client has a world that follows the server, and one that is ahead.
    let (mut client, mut confirmed) = (Client::new(end(&back, &there)), World::new());
    let mut ahead = World::new();
    confirmed.register::<Ship>();
    ahead.register::<Ship>();
    let (mut predicted, mut newest) = (Predicted::new(60), VecDeque::new());
    let mut smooth = Interpolated::<Ship>::new(&mut confirmed, 8);

    println!("tick     server  predicted  tick   smooth  tick   ticks played again");
    for frame in 0..300_u16 {
        now.set(frame.into());
        while let Some((_, message)) = server.received() {
            let (newest, thrusts): (u64, Vec<f32>) = postcard::from_bytes(&message)?;
            let soon = server.tick() + 1..server.tick() + 60; // and no other tick, whatever a client says
            inputs.extend((0..=newest).rev().zip(thrusts).filter(|(at, _)| soon.contains(at)));
        }
        let tick = server.tick() + 1;
        play(&mut world, &inputs.remove(&tick).unwrap_or(0.0));
        server.update_at(&mut world, tick)?;

        client.update(&mut confirmed)?;
        let Some(here) = client.follower().get(ship) else { continue };
        smooth.record(&mut confirmed, client.tick());
        let again = predicted.confirm(&mut ahead, &mut confirmed, client.tick(), play)?;
        while predicted.tick() < client.tick() + AHEAD {
            let thrust = if frame % 60 < 30 { 0.1 } else { -0.1 };
            if let Some(tick) = predicted.play(&mut ahead, thrust, play)? {
                // The newest inputs, so that none waits for a lost packet.
                newest.push_front(thrust);
                newest.truncate(5);
                client.send_unordered(&postcard::to_allocvec(&(tick, &newest))?)?;
            }
        }
        let moment = f64::from(u32::try_from(client.tick())?) - BEHIND;
        if frame % 20 == 0
            && let Some(server_ship) = world.get::<Ship>(ship)
            && let Some(ahead_ship) =
                predicted.follower().get(here).and_then(|it| ahead.get::<Ship>(it))
            && let Some((before, after, share)) = smooth.get(here, moment)
        {
            let place = before.place + (after.place - before.place) * share;
            println!(
                "{tick:4} {:10.2} {:10.2} {:5} {place:8.2} {moment:5} {again:5}",
                server_ship.place,
                ahead_ship.place,
                predicted.tick(),
            );
        }
    }
    Ok(())
}
