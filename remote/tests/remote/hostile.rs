//! A hundred hostile clients at once: no frame does more work for them than its budget.
//!
//! `ECS_SECONDS` sets how long they go on.

use crate::common::*;
use ecs::{ChildOf, Component, Name, World};
use ecs_remote::{Options, Work};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

#[derive(Component, Serialize, Deserialize)]
#[component(save = "heavy")]
struct Heavy(String);

/// The sorts of clients.
const SORTS: usize = 10;

/// Returns the head of a request with a body of this length.
fn head(address: SocketAddr, len: usize) -> String {
    format!(
        "POST / HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {len}\r\n\r\n"
    )
}

fn request(address: SocketAddr, body: &str) -> String {
    head(address, body.len()) + body
}

fn rpc(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

/// Requests that cost much.
fn costly(at: usize) -> Value {
    let all: Vec<String> = (0..2_000).map(|at| format!("{at}v1")).collect();
    let names: Vec<String> = (0..900).map(|at| format!("n{at}")).collect();
    let entities = json!({ "entities": all });
    match at % 14 {
        0 => rpc("world.query", &json!({ "data": { "components": vec!["heavy"; 500] } })),
        1 => rpc("world.query", &json!({ "data": { "option": "all" } })),
        2 => rpc("ecs.entities", &json!({ "text": "heavy=1" })),
        3 => rpc("ecs.tree", &json!({ "relation": "ecs::ChildOf", "open": all })),
        4 => rpc("ecs.selection", &entities),
        5 => rpc(
            "ecs.edit",
            &json!({ "entities": all, "component": "position", "path": ".x", "value": 1 }),
        ),
        6 => rpc("ecs.take_all", &entities),
        7 => rpc("ecs.put_back", &json!({ "taken": 1 + at % 20 })),
        8 => rpc("ecs.snapshot", &json!({ "name": "a" })),
        9 => rpc("ecs.restore", &json!({ "name": "a" })),
        10 => rpc("world.get_components", &json!({ "entity": "0v1", "components": names })),
        11 => rpc("world.reparent_entities", &json!({ "entities": all[..500], "parent": "1v1" })),
        12 => rpc("registry.schema", &Value::Null),
        _ => rpc("ecs.resources", &Value::Null),
    }
}

/// One connection of a client of this sort.
fn attack(
    address: SocketAddr,
    sort: usize,
    at: usize,
    is_over: &AtomicBool,
) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_millis(200)))?;
    stream.set_write_timeout(Some(Duration::from_millis(200)))?;
    let wait = || {
        let until = Instant::now() + Duration::from_millis(700);
        while Instant::now() < until && !is_over.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(20));
        }
    };
    let names: Vec<String> = (0..900).map(|at| format!("n{at}")).collect();
    match sort {
        0 => wait(), // sends nothing
        1 => {
            stream.write_all(b"POST / HTTP/1.1\r\nHost: loc")?;
            wait();
        }
        2 => {
            stream.write_all((head(address, 1 << 20) + "[[[[").as_bytes())?;
            wait();
        }
        3 => {
            for len in ["99999999999999999999", "18446744073709551615", "-1", "1048577"] {
                let mut stream = TcpStream::connect(address)?;
                let head = head(address, 0).replace("Length: 0", &format!("Length: {len}"));
                stream.write_all(head.as_bytes())?;
                drop(stream.read(&mut [0; 64]));
            }
        }
        4 => {
            // Many requests, one behind the other, whose answers are not read.
            let one = request(address, &costly(at).to_string());
            for _ in 0..50 {
                stream.write_all(one.as_bytes())?;
            }
            wait();
        }
        5 => {
            // Large answers, which are never read.
            stream.write_all(request(address, &costly(at % 2).to_string()).as_bytes())?;
            wait();
        }
        6 => {
            let watches = [
                rpc("world.get_components+watch", &json!({ "entity": "0v1", "components": names })),
                rpc(
                    "world.get_components+watch",
                    &json!({ "entity": "3v1", "components": ["heavy", "position"] }),
                ),
                rpc("ecs.changes+watch", &json!({ "component": "position" })),
                rpc("world.observe+watch", &json!({ "event": "explosion" })),
                rpc("world.list_components+watch", &json!({ "entity": "0v1" })),
            ];
            stream.write_all(request(address, &watches[at % 5].to_string()).as_bytes())?;
            wait();
        }
        7 => {
            let batch: Vec<Value> = (0..40).map(|it| costly(at + it)).collect();
            let batch = json!(batch).to_string();
            stream.write_all(request(address, &batch).as_bytes())?;
            drop(stream.read(&mut [0; 1 << 10]));
        }
        8 => {
            // Values within values, and many small ones.
            let deep = "[".repeat(1 << 19);
            let wide = format!("[{}0]", "{},".repeat(300_000));
            stream.write_all(
                request(address, if at.is_multiple_of(2) { &deep } else { &wide }).as_bytes(),
            )?;
            drop(stream.read(&mut [0; 1 << 10]));
        }
        _ => {
            let mut bytes = request(address, &costly(at).to_string()).into_bytes();
            for change in 0..8 {
                let place = (at * 7_919 + change * 104_729) % bytes.len();
                bytes[place] ^= 1 << (change % 8);
            }
            stream.write_all(&bytes)?;
            drop(stream.read(&mut [0; 1 << 10]));
        }
    }
    Ok(())
}

/// Returns the time that this thread has run on a processor; zero where the system does not say.
fn time_of_thread() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|it| it.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

fn large_world() -> World {
    let mut world = world().0;
    world.spawn_batch(
        (0..3_000_u16).map(|at| (Position { x: at.into(), y: 0.0 }, Name::new("one of many"))),
    );
    let root = world.spawn_named("root").id();
    world.spawn_batch((0..2_000).map(|_| (Marker, ChildOf(root))));
    world.spawn_batch((0..200).map(|_| Heavy("x".repeat(20_000))));
    world
}

#[test]
fn a_hundred_hostile_clients_get_no_more_of_a_frame_than_its_budget() {
    let seconds = std::env::var("ECS_SECONDS").map_or(1, |it| it.parse().expect("a number"));
    let most = Work { bytes: 300_000, values: 20_000 };
    let options = Options::new().port(0).frame_bytes(most.bytes).frame_values(most.values);
    let mut remote = options.event::<Explosion>("explosion").start().unwrap();
    let (address, is_over) = (remote.address(), Arc::new(AtomicBool::new(false)));
    let mut world = large_world();
    let mut threads = Vec::new();
    for at in 0..100 {
        let is_over = Arc::clone(&is_over);
        threads.push(thread::spawn(move || {
            for round in 0.. {
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                if attack(address, at % SORTS, at / SORTS + round * 11, &is_over).is_err() {
                    thread::sleep(Duration::from_millis(5));
                }
            }
        }));
    }
    // A client that does no harm is answered.
    let answered = Arc::new(AtomicUsize::new(0));
    let (count, over) = (Arc::clone(&answered), Arc::clone(&is_over));
    threads.push(thread::spawn(move || {
        while !over.load(Ordering::Relaxed) {
            // At the end, the port is closed.
            let Ok(answer) = ask(address, "ecs.world", Value::Null).join() else { continue };
            count.fetch_add(usize::from(answer["result"]["number"].is_u64()), Ordering::Relaxed);
        }
    }));
    let until = Instant::now() + Duration::from_secs(seconds);
    let (mut frames, mut full, mut sum, mut longest) =
        (0_u64, 0_u64, Work::default(), Duration::ZERO);
    while Instant::now() < until || answered.load(Ordering::Relaxed) == 0 {
        if frames % 10 == 0 {
            world.send(&Explosion { power: 1 });
        }
        let start = time_of_thread();
        remote.serve(&mut world);
        longest = longest.max(time_of_thread().saturating_sub(start));
        let work = remote.work();
        assert!(work.bytes <= most.bytes && work.values <= most.values, "{work:?}");
        frames += 1;
        full += u64::from(work.bytes > most.bytes / 2 || work.values > most.values / 2);
        (sum.bytes, sum.values) = (sum.bytes + work.bytes, sum.values + work.values);
        thread::sleep(Duration::from_micros(200));
    }
    is_over.store(true, Ordering::Relaxed);
    drop(remote);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    world.check_invariants();
    let answered = answered.load(Ordering::Relaxed);
    println!(
        "{frames} frames, {full} of them more than half full, {sum:?}, the longest {longest:?}; {answered} answers"
    );
    assert!(frames > 5 && sum.values > 1_000);
}
