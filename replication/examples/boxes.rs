//! Clients that move a box each: they send where to, the server moves the boxes, and all clients see all of them.
//!
//! ```text
//! cargo run -p ecs_replication --example boxes -- server 127.0.0.1:5000
//! cargo run -p ecs_replication --example boxes -- client 127.0.0.1:5000
//! ```

use ecs::{Component, World};
use ecs_replication::{Client, Server, udp};
use serde::{Deserialize, Serialize};
use std::{collections::HashMap, env, error::Error, thread::sleep, time::Duration};

#[derive(Component, Serialize, Deserialize, Debug)]
#[component(track, save = "position")]
struct Position(f32, f32);
#[derive(Component, Serialize, Deserialize)]
#[component(track, save = "color")]
struct Color(u8, u8, u8);
#[derive(Serialize, Deserialize)]
struct Move(f32, f32);

const FRAME: Duration = Duration::from_millis(16);

fn serve(address: &str) -> Result<(), Box<dyn Error>> {
    let (mut world, mut server) = (World::new(), Server::default());
    let (mut listener, mut boxes) = (udp::Listener::bind(address)?, HashMap::new());
    loop {
        while let Some(socket) = listener.accept()? {
            let color = Color(socket.address().port().to_le_bytes()[0], 200, 100);
            let player = world.spawn((Position(0.0, 0.0), color)).id();
            boxes.insert(server.connect(socket), player);
        }
        while let Some((client, message)) = server.received() {
            if let Ok(Move(x, y)) = postcard::from_bytes(&message)
                && let Some(position) = world.get_mut::<Position>(boxes[&client])
            {
                (position.0, position.1) = (position.0 + x, position.1 + y);
            }
        }
        server.update(&mut world)?;
        while let Some((client, _)) = server.departed() {
            world.despawn(boxes[&client])?;
        }
        sleep(FRAME);
    }
}

fn follow(address: &str) -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    world.register::<(Position, Color)>();
    let mut client = Client::new(udp::Socket::connect(address)?);
    for frame in (0..=255_u8).cycle() {
        let direction = if frame < 128 { Move(1.0, 0.0) } else { Move(-1.0, 0.5) };
        client.send(&postcard::to_allocvec(&direction)?)?;
        client.update(&mut world)?;
        if frame % 64 == 0 {
            println!("{:?}", world.pool::<Position>().as_slice());
        }
        sleep(FRAME);
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    match &env::args().skip(1).collect::<Vec<_>>()[..] {
        [side, address] if side == "server" => serve(address),
        [side, address] if side == "client" => follow(address),
        _ => Err("which side, and which address? `server 127.0.0.1:5000`".into()),
    }
}
