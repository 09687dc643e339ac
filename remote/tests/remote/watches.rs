//! Watches: clients are notified of events as they happen.

use crate::common::*;
use ecs_remote::{Options, Remote};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A client that watches; frames are run by the test.
struct Client(BufReader<TcpStream>);

impl Client {
    #[expect(clippy::needless_pass_by_value, reason = "callers write it in place")]
    fn new(remote: &Remote, method: &str, params: Value) -> Self {
        let body =
            json!({ "jsonrpc": "2.0", "id": 5, "method": method, "params": params }).to_string();
        let mut stream = TcpStream::connect(remote.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        let head = format!(
            "POST / HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            remote.address(),
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).unwrap();
        Self(BufReader::new(stream))
    }

    /// Runs frames until the next message comes.
    fn next(&mut self, remote: &mut Remote, world: &mut ecs::World) -> Value {
        let mut line = String::new();
        for _ in 0..1_000 {
            remote.serve(world);
            if self.0.read_line(&mut line).is_err() {
                continue; // nothing came yet; a part of a line stays
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return serde_json::from_str(data).unwrap();
            }
            line.clear();
        }
        panic!("nothing came");
    }
}

fn start() -> Remote {
    Options::new().port(0).event::<Explosion>("explosion").start().unwrap()
}

#[test]
fn components_are_sent_when_they_change() {
    let ((mut world, [ship, ..]), mut remote) = (world(), start());
    let params = json!({ "entity": ship, "components": ["position", "plan"] });
    let mut client = Client::new(&remote, "world.get_components+watch", params);
    let first = client.next(&mut remote, &mut world);
    assert_eq!(
        (&first["id"], &first["result"]["components"]),
        (&json!(5), &json!({ "position": { "x": 1.0, "y": 2.0 } }))
    );
    assert_eq!(first["result"]["errors"]["plan"]["code"], -23403);
    world.get_mut::<Position>(ship).unwrap().x = 9.0;
    let second = client.next(&mut remote, &mut world);
    assert_eq!(second["result"]["components"], json!({ "position": { "x": 9.0, "y": 2.0 } }));
    world.remove::<Position>(ship);
    assert_eq!(client.next(&mut remote, &mut world)["result"]["removed"], json!(["position"]));
    world.despawn(ship).unwrap();
    assert_eq!(client.next(&mut remote, &mut world)["error"]["code"], -23401);
    assert_eq!(remote.watches(), 0);
}

#[test]
fn names_of_components_are_sent_when_they_come_and_go() {
    let ((mut world, [ship, ..]), mut remote) = (world(), start());
    let mut client = Client::new(&remote, "world.list_components+watch", json!({ "entity": ship }));
    assert_eq!(
        client.next(&mut remote, &mut world)["result"]["added"].as_array().unwrap().len(),
        2
    );
    world.insert(ship, Marker).unwrap();
    world.remove::<Position>(ship);
    let news = client.next(&mut remote, &mut world);
    assert_eq!(
        news["result"],
        json!({ "added": ["remote::common::Marker"], "removed": ["remote::common::Position"] })
    );
}

#[test]
fn changes_of_tracked_components_are_sent() {
    let ((mut world, [ship, gun, _]), mut remote) = (world(), start());
    let mut client = Client::new(&remote, "ecs.changes+watch", json!({ "component": "position" }));
    while remote.watches() == 0 {
        remote.serve(&mut world);
    }
    world.insert(gun, Position::default()).unwrap();
    world.get_mut::<Position>(ship).unwrap().x = 9.0;
    let news = client.next(&mut remote, &mut world);
    assert_eq!(news["result"]["inserted"], json!({ "count": 1, "entities": [gun] }));
    assert_eq!(news["result"]["changed"], json!({ "count": 2, "entities": [ship, gun] }));
    world.despawn(gun).unwrap();
    assert_eq!(
        client.next(&mut remote, &mut world)["result"]["removed"],
        json!({ "count": 1, "entities": [gun] })
    );
}

#[test]
fn events_are_sent_and_their_observer_ends_with_the_client() {
    let ((mut world, _), mut remote) = (world(), start());
    let mut client = Client::new(&remote, "world.observe+watch", json!({ "event": "explosion" }));
    while remote.watches() == 0 {
        remote.serve(&mut world);
    }
    world.send(&Explosion { power: 3 });
    assert_eq!(client.next(&mut remote, &mut world)["result"], json!([{ "power": 3 }]));
    drop(client);
    for _ in 0..2_000 {
        remote.serve(&mut world);
        if remote.watches() == 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("the watch goes on without its client");
}

#[test]
fn events_about_an_entity_are_sent_to_those_who_observe_it() {
    let ((mut world, [ship, gun, _]), mut remote) = (world(), start());
    let params = json!({ "event": "explosion", "entity": ship });
    let mut client = Client::new(&remote, "world.observe+watch", params);
    while remote.watches() == 0 {
        remote.serve(&mut world);
    }
    world.send(&Explosion { power: 1 });
    world.send_to(gun, &Explosion { power: 2 }).unwrap();
    world.send_to(ship, &Explosion { power: 3 }).unwrap();
    assert_eq!(client.next(&mut remote, &mut world)["result"], json!([{ "power": 3 }]));
}

#[test]
fn a_strict_watch_outlives_the_removal_of_its_component() {
    let ((mut world, [ship, ..]), mut remote) = (world(), start());
    let params = json!({ "entity": ship, "components": ["position"], "strict": true });
    let mut client = Client::new(&remote, "world.get_components+watch", params);
    let mut next = |world: &mut ecs::World| client.next(&mut remote, world)["result"].take();
    let there = json!({ "components": { "position": { "x": 1.0, "y": 2.0 } }, "removed": [] });
    assert_eq!(next(&mut world), there);
    world.remove::<Position>(ship);
    assert_eq!(next(&mut world), json!({ "components": {}, "removed": ["position"] }));
    world.insert(ship, Position { x: 1.0, y: 2.0 }).unwrap();
    assert_eq!(next(&mut world), there);
}

#[test]
fn a_watch_of_nothing_is_an_error() {
    let ((mut world, [ship, ..]), mut remote) = (world(), start());
    for (method, params, code) in [
        ("world.get_components+watch", json!({ "entity": "99v1", "components": [] }), -23401),
        ("ecs.changes+watch", json!({ "component": "plan" }), -23402),
        ("world.observe+watch", json!({ "event": "rain" }), -23501),
        ("world.observe+watch", json!({ "event": "explosion", "entity": "99v1" }), -23401),
        (
            "world.get_components+watch",
            json!({ "entity": ship, "components": ["rain"], "strict": true }),
            -23402,
        ),
        ("world.rain+watch", Value::Null, -32601),
    ] {
        let mut client = Client::new(&remote, method, params);
        assert_eq!(client.next(&mut remote, &mut world)["error"]["code"], code, "{method}");
    }
    assert_eq!(remote.watches(), 0);
}
