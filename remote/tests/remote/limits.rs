//! Limits of the queue, of answers and of connections, and the end of a server.

use crate::common::*;
use ecs::World;
use ecs_remote::{Options, Protocol};
use serde_json::{Value, json};
use std::io::{ErrorKind, Read};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

#[test]
fn requests_beyond_the_queue_are_refused_in_words_while_nobody_serves() {
    let options = Options::new().port(0).waiting(2, 1 << 20).patience(Duration::from_secs(2));
    let mut remote = options.start().unwrap();
    let address = remote.address();
    let spawn = || ask(address, "world.spawn_entity", json!({ "components": {} }));
    let asked: Vec<_> = (0..5).map(|_| spawn()).collect();
    let answers: Vec<Value> = asked.into_iter().map(|it| it.join().unwrap()).collect();
    let count = |text: &str| answers.iter().filter(|it| it.to_string().contains(text)).count();
    let full = "there is no room for another request: at most 2 requests of 1048576 bytes wait for the world, which is \
                paused or busy (`Options::waiting`)";
    assert_eq!((count(full), count("did not answer in time")), (3, 2), "{answers:?}");
    // Their clients have given up.
    let mut world = World::new();
    remote.serve(&mut world);
    assert!(world.is_empty());
    let asked = spawn();
    while !asked.is_finished() {
        remote.serve(&mut world);
    }
    assert_eq!(world.len(), 1);
}

#[test]
fn requests_with_more_values_than_the_queue_has_bytes_are_refused() {
    let options = Options::new().port(0).waiting(10, 50_000).patience(Duration::from_millis(50));
    let remote = options.start().unwrap();
    let entities = vec![1; 2_000];
    let asked = ask(remote.address(), "ecs.take_all", json!({ "entities": entities }));
    let answer = asked.join().unwrap().to_string();
    // A short request needs no room, and waits for the world.
    let short = ask(remote.address(), "ecs.world", Value::Null).join().unwrap().to_string();
    assert!(short.contains("did not answer in time"), "{short}");
    assert!(answer.contains("bytes more: at most 10 requests of 50000 bytes"), "{answer}");
}

#[test]
fn answers_beyond_the_room_of_all_answers_are_refused() {
    let mut world = World::new();
    world.spawn_batch((0..6_000_u16).map(|at| Position { x: at.into(), y: 0.0 }));
    let options = Options::new().port(0).limits(100_000, 500_000).frame_bytes(20_000);
    let mut remote = options.budget(Duration::from_secs(60)).start().unwrap();
    let params = json!({ "data": { "components": ["position"] } });
    let asked: Vec<_> =
        (0..8).map(|_| ask(remote.address(), "world.query", params.clone())).collect();
    thread::sleep(Duration::from_millis(200)); // then they take turns
    while !asked.iter().all(thread::JoinHandle::is_finished) {
        remote.serve(&mut world);
    }
    let answers: Vec<Value> = asked.into_iter().map(|it| it.join().unwrap()).collect();
    let whole =
        answers.iter().filter(|it| it["result"].as_array().is_some_and(|it| it.len() == 6_000));
    let is_refused = |it: &&Value| {
        let text = it["error"]["message"].as_str().unwrap_or_default();
        text.starts_with("the answers that are not sent yet have 1000000 bytes")
    };
    let (whole, refused) = (whole.count(), answers.iter().filter(is_refused).count());
    assert!(whole >= 2 && refused >= 1 && whole + refused == 8, "{whole} and {refused}");
}

#[test]
fn silent_connections_give_way_to_others() {
    let served = Served::new(Options::new().connections(16), world().0);
    // Four times as many as there are places.
    let silent: Vec<TcpStream> =
        (0..64).map(|_| TcpStream::connect(served.address).unwrap()).collect();
    for _ in 0..20 {
        assert_eq!(served.call("ecs.world", Value::Null)["result"]["entities"], 3);
    }
    let mut first = &silent[0];
    assert_eq!(first.read(&mut [0; 8]).unwrap_or(0), 0, "its place was given to another one");
    assert_eq!(served.end().len(), 3);
}

#[test]
fn connections_beyond_the_limit_are_refused_while_all_wait_for_the_world() {
    let options = Options::new().port(0).connections(4).patience(Duration::from_secs(30));
    let mut remote = options.start().unwrap();
    let asked: Vec<_> = (0..4).map(|_| ask(remote.address(), "ecs.world", Value::Null)).collect();
    let mut world = World::new();
    // A fifth one comes behind the four, and is refused. Its connection may end before the text of the refusal is read.
    let refused = loop {
        let answer = ask(remote.address(), "ecs.world", Value::Null).join().unwrap();
        if answer != "" {
            break answer;
        }
    };
    let refused = refused.as_str().unwrap();
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    assert!(refused.ends_with("all connections wait for the world, which is paused or busy"));
    while !asked.iter().all(thread::JoinHandle::is_finished) {
        remote.serve(&mut world);
    }
    for asked in asked {
        assert_eq!(asked.join().unwrap()["result"]["entities"], 0);
    }
}

#[test]
fn the_port_is_closed_when_drop_returns() {
    let mut port = 0;
    for _ in 0..30 {
        // Connections to the port were open, and it is free at once.
        let remote = Options::new().port(port).start().unwrap();
        port = remote.address().port();
        let open: Vec<TcpStream> =
            (0..4).map(|_| TcpStream::connect(remote.address()).unwrap()).collect();
        let address = remote.address();
        drop(remote);
        let error = TcpStream::connect(address).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
        drop(open);
    }
}

#[test]
fn a_second_server_on_a_port_is_an_error_that_names_the_port() {
    let first = Options::new().port(0).start().unwrap();
    let port = first.address().port();
    let error = Options::new().port(port).start().unwrap_err();
    let text = error.to_string();
    let start = format!(
        "cannot listen on port {port} of 127.0.0.1: another server listens there: end it, or choose another port by \
         `Options::port`, 0 for any ("
    );
    assert!(text.starts_with(&start) && error.kind() == ErrorKind::AddrInUse, "{text}");
    let error = Options::new().port(0).host("203.0.113.7").start().unwrap_err().to_string();
    assert!(
        error.contains("cannot listen on port 0 of 203.0.113.7: choose another address"),
        "{error}"
    );
}

#[test]
fn snapshots_prefabs_and_undos_are_kept_in_limited_numbers() {
    let (mut world, [ship, ..]) = world();
    let mut protocol = Protocol::new(Options::new());
    let mut call = |method: &str, params: Value| answer(&mut protocol, &mut world, method, params);
    for (method, most) in [("ecs.snapshot", 16), ("ecs.keep_prefab", 64)] {
        let params = |name: usize| json!({ "name": name.to_string(), "entity": ship });
        for name in 0..most {
            call(method, params(name)).unwrap();
        }
        let error = call(method, params(most)).unwrap_err();
        assert!(
            error.1.starts_with(&format!("{most} ")) && error.1.contains("at most"),
            "{error:?}"
        );
        call(method, params(0)).unwrap();
    }
    for at in 1..=201 {
        let params =
            json!({ "entities": [ship], "component": "position", "path": ".x", "value": at });
        assert_eq!(call("ecs.edit", params).unwrap()["taken"], at);
    }
    let error = call("ecs.put_back", json!({ "taken": 1 })).unwrap_err();
    assert!(error.1.contains("dropped for later ones"), "{error:?}");
    call("ecs.put_back", json!({ "taken": 2 })).unwrap();
    assert_eq!(world.get::<Position>(ship), Some(&Position { x: 1.0, y: 2.0 }));
}

#[test]
fn components_are_defined_in_limited_numbers() {
    let mut world = World::new();
    let mut protocol = Protocol::new(Options::new().definitions(3));
    let mut call = |method: &str, params: Value| answer(&mut protocol, &mut world, method, params);
    let define =
        |ty: &str| json!({ "component": "Limited", "fields": [{ "name": "a", "type": ty }] });
    let drop = |field: &str| json!({ "component": "Limited", "changes": [{ "drop": { "field": field } }] });
    let rename =
        json!({ "component": "Limited", "changes": [{ "rename": { "field": "a", "to": "b" } }] });
    call("ecs.define", define("u8")).unwrap();
    // One that is there, and refused ones, do not count.
    for _ in 0..3 {
        call("ecs.define", define("u8")).unwrap();
        call("ecs.define", define("u16")).unwrap_err();
        call("ecs.redefine", drop("none")).unwrap_err();
    }
    call("ecs.redefine", rename).unwrap();
    call("ecs.redefine", drop("b")).unwrap();
    let full = "clients of this server defined components 3 times, which the process keeps: raise `Options::definitions`";
    for (method, params) in [
        ("ecs.define", json!({ "component": "Limited2" })),
        (
            "ecs.redefine",
            json!({ "component": "Limited", "changes": [{ "add": { "field": "a", "type": "u8" } }] }),
        ),
    ] {
        assert_eq!(call(method, params).unwrap_err(), (-32602, full.to_owned()));
    }
    // A conversion that fails leaves a definition, too.
    let mut world = World::new();
    let mut protocol = Protocol::new(Options::new().definitions(2));
    let mut call = |method: &str, params: Value| answer(&mut protocol, &mut world, method, params);
    call(
        "ecs.define",
        json!({ "component": "Limited3", "fields": [{ "name": "a", "type": "text" }] }),
    )
    .unwrap();
    call("world.spawn_entity", json!({ "components": { "Limited3": { "a": "x" } } })).unwrap();
    let convert = json!({ "component": "Limited3", "changes": [{ "convert": { "field": "a", "type": "u8" } }] });
    let error = call("ecs.redefine", convert.clone()).unwrap_err();
    assert_eq!(error.1, "`a` of 0v1 cannot be converted: \"x\" becomes no `u8`");
    assert!(call("ecs.redefine", convert).unwrap_err().1.ends_with("raise `Options::definitions`"));
}

#[test]
fn definitions_have_limited_lengths() {
    let mut world = World::new();
    // The path of each field would have the name of its record.
    let fields: Vec<Value> =
        (0..900).map(|at| json!({ "name": format!("f{at}"), "type": "u8" })).collect();
    let record = json!({ "name": "r".repeat(500_000), "type": { "record": fields } });
    let params = json!({ "component": "Long", "fields": [record] });
    let error = call(&mut world, "ecs.define", params).unwrap_err();
    assert!(error.1.contains("have more than 65536 bytes"), "{error:?}");
    assert!(error.1.len() < 300, "{error:?}");
    let params = json!({ "component": "Short", "changes": vec![json!({ "drop": { "field": "a" } }); 1_001] });
    let error = call(&mut world, "ecs.redefine", params).unwrap_err();
    assert_eq!(error.1, "1001 changes: a request has at most 1000");
}
