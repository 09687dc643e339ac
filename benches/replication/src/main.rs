//! Bytes that a server sends to one client for equal scenes: `ecs_replication` beside `bevy_replicon`. `lightyear` sends by
//! `bevy_replicon`, too, since its version 0.27, and adds its own packets.
//!
//! ```sh
//! cargo run --manifest-path benches/replication/Cargo.toml
//! ```
//!
//! Nothing gets lost, and the client answers in each frame. Counted are the bytes of messages, without the headers of
//! a transport. `ecs_replication` needs no reliable transport, so its packets are included. `bevy_replicon` needs one,
//! and its packets are left out.

use bevy::ecs::component::{Mutable, StorageType};
use bevy::prelude::{App, MinimalPlugins, PluginGroup as _, PostUpdate};
use bevy::state::app::StatesPlugin;
use bevy_replicon::prelude::{
    AppRuleExt as _, ClientMessages, Replicated, RepliconPlugins, ServerMessages, ServerPlugin,
};
use bevy_replicon::test_app::{ServerTestAppExt as _, TestClientEntity};
use ecs::{Component, World};
use ecs_replication::{Client, Delivery, Server, Transport};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::rc::Rc;

#[derive(Component, Serialize, Deserialize, Clone, Copy)]
#[component(track, save = "position")]
struct Position {
    x: f32,
    y: f32,
}
#[derive(Component, Serialize, Deserialize, Clone, Copy)]
#[component(track, save = "health")]
struct Health(u32);

// By hand, as the attribute of the derive has the name of the other library's.
macro_rules! component_of_bevy {
    ($($name:ty)+) => {$(
        impl bevy::prelude::Component for $name {
            const STORAGE_TYPE: StorageType = StorageType::Table;
            type Mutability = Mutable;
        }
    )+};
}
component_of_bevy!(Position Health);

/// A scene: the entities at the start, how many move in a frame, and how many come and go in it.
struct Scene {
    name: &'static str,
    all: usize,
    moving: usize,
    renewed: usize,
}

const SCENES: [Scene; 4] = [
    Scene { name: "join: 1,000 entities", all: 1_000, moving: 0, renewed: 0 },
    Scene { name: "1,000 entities, all move", all: 1_000, moving: 1_000, renewed: 0 },
    Scene { name: "1,000 entities, 50 move", all: 1_000, moving: 50, renewed: 0 },
    Scene { name: "1,000 entities, 50 move, 10 come and go", all: 1_000, moving: 50, renewed: 10 },
];
const FRAMES: usize = 100;

fn position(number: usize, frame: usize) -> Position {
    let at = (number * 37 + frame * 11) as f32;
    Position { x: at * 0.37, y: at * 1.71 }
}

type Wire = Rc<RefCell<VecDeque<Vec<u8>>>>;

struct End {
    to: Wire,
    from: Wire,
}

impl Transport for End {
    fn delivery(&self) -> Delivery {
        Delivery::Unordered { longest: 1_200 }
    }
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        self.to.borrow_mut().push_back(message.to_vec());
        Ok(())
    }
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
        Ok(self.from.borrow_mut().pop_front())
    }
}

/// Returns the bytes to join, and the bytes of a later frame.
fn ours(scene: &Scene) -> (usize, usize) {
    let (there, back) = (Wire::default(), Wire::default());
    let (mut world, mut view) = (World::new(), World::new());
    view.register::<(Position, Health)>();
    let mut all: VecDeque<_> =
        world.spawn_batch((0..scene.all).map(|at| (position(at, 0), Health(100)))).into();
    let mut server = Server::default();
    server.connect(End { to: there.clone(), from: back.clone() });
    let mut client = Client::new(End { to: back, from: there.clone() });
    let (mut joined, mut total, mut before) = (0, 0, 0);
    for frame in 0..FRAMES + 30 {
        if frame >= 30 {
            for (at, entity) in all.iter().take(scene.moving).enumerate() {
                *world.get_mut::<Position>(*entity).unwrap() = position(at, frame);
            }
            for at in 0..scene.renewed {
                world.despawn(all.pop_back().unwrap()).unwrap();
                all.push_front(world.spawn((position(at, frame), Health(7))).id());
            }
        }
        server.update(&mut world).unwrap();
        let sent: usize = there.borrow().iter().map(Vec::len).sum();
        if frame < 30 {
            joined += sent;
        } else {
            total += sent;
        }
        client.update(&mut view).unwrap();
        before = before.max(view.len());
    }
    (0..8).for_each(|_| {
        server.update(&mut world).unwrap();
        client.update(&mut view).unwrap();
    });
    assert_eq!(view.len(), scene.all);
    (joined, total / FRAMES)
}

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins.set(ScheduleRunnerPlugin::run_once()),
        StatesPlugin,
        RepliconPlugins.set(ServerPlugin::new(PostUpdate)),
    ));
    app.replicate::<Position>().replicate::<Health>();
    app.finish();
    app
}

/// Carries the messages of both sides; returns the bytes of the server's.
fn exchange(server: &mut App, client: &mut App) -> usize {
    let of = **client.world().resource::<TestClientEntity>();
    let mut mine = client.world_mut().resource_mut::<ClientMessages>();
    let mut theirs = server.world_mut().resource_mut::<ServerMessages>();
    for (channel, message) in mine.drain_sent() {
        theirs.insert_received(of, channel, message);
    }
    let mut bytes = 0;
    theirs.retain_sent(|(_, channel, message)| {
        bytes += message.len();
        mine.insert_received(*channel, message.clone());
        false
    });
    bytes
}

fn bevy_replicon(scene: &Scene) -> (usize, usize) {
    let (mut server, mut client) = (app(), app());
    server.connect_client(&mut client);
    let world = server.world_mut();
    let mut all: VecDeque<_> = (0..scene.all)
        .map(|at| world.spawn((Replicated, position(at, 0), Health(100))).id())
        .collect();
    let (mut joined, mut total) = (0, 0);
    for frame in 0..FRAMES + 30 {
        if frame >= 30 {
            let world = server.world_mut();
            for (at, entity) in all.iter().take(scene.moving).enumerate() {
                *world.get_mut::<Position>(*entity).unwrap() = position(at, frame);
            }
            for at in 0..scene.renewed {
                world.despawn(all.pop_back().unwrap());
                all.push_front(world.spawn((Replicated, position(at, frame), Health(7))).id());
            }
        }
        server.update();
        let sent = exchange(&mut server, &mut client);
        if frame < 30 {
            joined += sent;
        } else {
            total += sent;
        }
        client.update();
    }
    let mut seen = client.world_mut().query::<&Position>();
    assert_eq!(seen.iter(client.world()).len(), scene.all);
    (joined, total / FRAMES)
}

fn main() {
    println!("| bytes to one client | ecs_replication | bevy_replicon |");
    println!("|---|---:|---:|");
    for scene in &SCENES {
        let (ours, theirs) = (ours(scene), bevy_replicon(scene));
        let (ours, theirs) =
            if scene.moving == 0 { (ours.0, theirs.0) } else { (ours.1, theirs.1) };
        println!(
            "| {}{} | {ours} | {theirs} |",
            scene.name,
            if scene.moving == 0 { "" } else { ", a frame" }
        );
    }
}
