//! A small world that is served, and a client that is not the library's.
#![allow(dead_code, reason = "each test uses a part")]
#![allow(missing_docs)]

use ecs::{ChildOf, Component, Entity, Name, Resource, World};
use ecs_remote::{Options, Protocol};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

#[derive(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[component(save = "position", track, default)]
pub struct Position {
    pub x: f32,
    pub y: f32,
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(save = "plan")]
pub enum Plan {
    Rest,
    Go {
        to: Position,
        #[component(entities)]
        by: Option<Entity>,
    },
    Wait(u32),
}

#[derive(Component, Debug)]
#[component(debug)]
pub struct Socket(pub u8);

#[derive(Component, Serialize, Deserialize)]
#[component(save = "locked", veto = Locked::may_go)]
pub struct Locked;

impl Locked {
    #[expect(clippy::unused_self, reason = "a veto takes the value")]
    fn may_go(&mut self) -> bool {
        false
    }
}

#[derive(Component, Serialize, Deserialize)]
#[component(save = "marker")]
pub struct Marker;

#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "follows", relation)]
pub struct Follows(pub Entity);

#[derive(Resource, Serialize, Deserialize, Debug, PartialEq)]
#[resource(save = "clock")]
pub struct Clock {
    pub seconds: f64,
    pub runs: bool,
}

#[derive(Serialize, Deserialize)]
pub struct Explosion {
    pub power: u32,
}

/// Returns a world with three named entities, one of them a child, and the entities.
pub fn world() -> (World, [Entity; 3]) {
    let mut world = World::new();
    world.register::<(Position, Plan, Locked, Marker, Follows)>();
    let ship = world.spawn((Name::new("ship"), Position { x: 1.0, y: 2.0 })).id();
    let gun = world.spawn((Name::new("gun"), Plan::Rest, ChildOf(ship))).id();
    let mine = world.spawn((Name::new("mine"), Socket(7), Follows(ship))).id();
    world.insert_resource(Clock { seconds: 1.5, runs: true });
    (world, [ship, gun, mine])
}

pub fn call(world: &mut World, method: &str, params: Value) -> Result<Value, (i32, String)> {
    answer(&mut Protocol::new(Options::new()), world, method, params)
}

pub fn answer(
    protocol: &mut Protocol,
    world: &mut World,
    method: &str,
    params: Value,
) -> Result<Value, (i32, String)> {
    let answer = protocol.answer(world, &[], method, params).map_err(|it| (it.code, it.message))?;
    world.check_invariants();
    Ok(serde_json::from_str(&answer).expect("answers are JSON"))
}

/// A world that is served by a thread, frame by frame.
pub struct Served {
    pub address: SocketAddr,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<World>>,
}

impl Served {
    pub fn new(options: Options, mut world: World) -> Self {
        let mut remote = options.port(0).start().expect("a port is free");
        let (address, is_over) = (remote.address(), Arc::new(AtomicBool::new(false)));
        let over = Arc::clone(&is_over);
        let thread = thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                remote.serve(&mut world);
                thread::sleep(Duration::from_millis(1));
            }
            world
        });
        Self { address, is_over, thread: Some(thread) }
    }

    /// Ends the server and returns its world.
    pub fn end(mut self) -> World {
        self.is_over.store(true, Ordering::Relaxed);
        let world = self.thread.take().expect("it ends once").join().expect("the world goes on");
        world.check_invariants();
        world
    }

    /// Sends bytes, and returns the whole answer.
    pub fn send(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        drop(stream.read_to_end(&mut answer));
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Posts a body with these headers besides, and returns the status and the body of the answer.
    pub fn post(&self, headers: &str, body: &str) -> (u16, String) {
        let host = format!("Host: {}\r\n", self.address);
        let host = if headers.contains("Host:") { "" } else { &host };
        let head = format!(
            "POST / HTTP/1.1\r\n{host}{headers}Connection: close\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        parse(&self.send((head + body).as_bytes()))
    }

    /// Calls a method as a program does.
    #[expect(clippy::needless_pass_by_value, reason = "callers write it in place")]
    pub fn call(&self, method: &str, params: Value) -> Value {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let (status, body) = self.post("Content-Type: application/json\r\n", &body.to_string());
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).expect("an answer is JSON")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// Sends a request, which has reached the port when this returns. The thread returns its answer.
#[expect(clippy::needless_pass_by_value, reason = "callers write it in place")]
pub fn ask(address: SocketAddr, method: &str, params: Value) -> JoinHandle<Value> {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
    let head = format!(
        "POST / HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(address).unwrap();
    drop(stream.write_all((head + &body).as_bytes())); // a refusal may end it
    thread::spawn(move || {
        let mut answer = Vec::new();
        drop(stream.read_to_end(&mut answer));
        let answer = String::from_utf8_lossy(&answer).into_owned();
        serde_json::from_str(&parse(&answer).1).unwrap_or_else(|_| answer.into())
    })
}

/// Returns the status and the body.
pub fn parse(answer: &str) -> (u16, String) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, body.to_owned())
}
