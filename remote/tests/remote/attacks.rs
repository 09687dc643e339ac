//! Attacks by other pages, programs and people: none of them ends or stalls the world.

use crate::common::*;
use ecs_remote::Options;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

const JSON: &str = "Content-Type: application/json\r\n";
const SPAWN: &str =
    r#"{"jsonrpc":"2.0","id":1,"method":"world.spawn_entity","params":{"components":{}}}"#;

/// Returns how many entities the world has, by a request of its own.
fn len(served: &Served) -> u64 {
    served.call("ecs.entities", json!({}))["result"]["total"].as_u64().expect("a number")
}

fn served() -> Served {
    Served::new(Options::new(), world().0)
}

#[test]
fn a_simple_request_of_another_site_is_refused() {
    let served = served();
    let (status, body) =
        served.post("Content-Type: text/plain\r\nOrigin: http://evil.example\r\n", SPAWN);
    assert_eq!((status, &*body), (403, "pages of others are refused"));
    for origin in [
        "null",
        "http://evil.example:15702",
        "https://localhost:1",
        "http://127.0.0.1.evil.example",
        "http://127.0.0.1",
        "http://localhost:1",
        "file://",
    ] {
        assert_eq!(served.post(&format!("{JSON}Origin: {origin}\r\n"), SPAWN).0, 403, "{origin}");
    }
    for plain in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
        let (status, body) = served.post(&format!("Content-Type: {plain}\r\n"), SPAWN);
        assert_eq!((status, &*body), (415, "the content type is not application/json"));
    }
    assert_eq!(served.post("", SPAWN).0, 415);
    assert_eq!(len(&served), 3);
}

#[test]
fn a_page_of_this_server_is_served() {
    let served = served();
    let origin = format!("{JSON}Origin: http://{}\r\n", served.address);
    assert_eq!(served.post(&origin, SPAWN).0, 200);
    assert_eq!(len(&served), 4);
}

#[test]
fn a_host_of_another_name_is_refused() {
    let served = served();
    let port = served.address.port();
    let others = ["evil.example", "localhost.evil.example", "127.0.0.1@evil.example", "0.0.0.0"];
    let others = others.map(|name| format!("{name}:{port}"));
    for host in others.into_iter().chain(["127.0.0.1".into(), "127.0.0.1:1".into(), String::new()])
    {
        let (status, body) = served.post(&format!("{JSON}Host: {host}\r\n"), SPAWN);
        assert_eq!((status, &*body), (421, "the host is not this server"), "{host}");
    }
    let none = format!("POST / HTTP/1.1\r\n{JSON}Content-Length: {}\r\n\r\n{SPAWN}", SPAWN.len());
    assert_eq!(parse(&served.send(none.as_bytes())).0, 421);
    let two = format!("{JSON}Host: localhost:{port}\r\nHost: evil.example\r\n");
    assert_eq!(served.post(&two, SPAWN).0, 400);
    assert_eq!(served.post(&format!("{JSON}Host: localhost:{port}\r\n"), SPAWN).0, 200);
    // The page too: its address would be the other name's.
    let get = "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert_eq!(parse(&served.send(get.as_bytes())).0, 421);
}

#[test]
fn other_methods_of_http_are_refused() {
    let served = served();
    for method in ["PUT", "OPTIONS", "DELETE", "TRACE"] {
        let head = format!(
            "{method} / HTTP/1.1\r\nHost: {}\r\n{JSON}Content-Length: 0\r\n\r\n",
            served.address
        );
        assert_eq!(parse(&served.send(head.as_bytes())).0, 405, "{method}");
    }
    let answer = served.send(
        format!("GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", served.address)
            .as_bytes(),
    );
    let head = answer.split("\r\n\r\n").next().unwrap();
    assert!(
        head.contains("X-Frame-Options: DENY")
            && head.contains("nosniff")
            && !head.contains("Access-Control")
    );
}

#[test]
fn large_bodies_and_heads_are_refused_unread() {
    let served = served();
    let head = format!(
        "POST / HTTP/1.1\r\nHost: {}\r\n{JSON}Content-Length: 99999999999\r\n\r\n",
        served.address
    );
    assert_eq!(parse(&served.send(head.as_bytes())).0, 413);
    let spaces = " ".repeat(2 << 20);
    assert_eq!(served.post(JSON, &spaces).0, 413);
    let long = format!("X-Long: {}\r\n", "x".repeat(40_000));
    assert_eq!(served.post(&long, SPAWN).0, 431);
    let chunked = format!(
        "POST / HTTP/1.1\r\nHost: {}\r\n{JSON}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        served.address
    );
    assert_eq!(parse(&served.send(chunked.as_bytes())).0, 411);
    assert_eq!(parse(&served.send(b"\x16\x03\x01 no http\r\n\r\n")).0, 400);
    let deep = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{}"#, "[".repeat(100_000));
    let (status, body) = served.post(JSON, &deep);
    assert!(status == 200 && body.contains("-32700"), "{body}");
    assert_eq!(len(&served), 3);
}

/// Returns the bytes of a request that posts a body to a host.
fn posted(host: impl std::fmt::Display, body: &str) -> String {
    let len = body.len();
    format!("POST / HTTP/1.1\r\nHost: {host}\r\n{JSON}Content-Length: {len}\r\n\r\n{body}")
}

#[test]
fn a_request_within_another_one_is_not_carried_out() {
    let served = served();
    let hidden = posted(served.address, SPAWN);
    let host = format!("Host: {}\r\n", served.address);
    let length = format!("Content-Length: {}\r\n", hidden.len());
    for (head, status) in [
        (format!("GET / HTTP/1.1\r\n{host}{length}"), 400),
        (format!("GET / HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n"), 400),
        (format!("POST / HTTP/1.1\r\n{host}{JSON}Content-Length: 0\r\n{length}"), 400),
        (format!("POST / HTTP/1.1\r\n{host}{JSON}Content-Length: 0, 5\r\n"), 400),
        (format!("POST / HTTP/1.1\r\n{host}{JSON}Transfer-Encoding: chunked\r\n{length}"), 411),
        (format!("POST / HTTP/1.1\r\n{host}Content-Type: text/plain\r\n{length}"), 415),
    ] {
        let answer = served.send(format!("{head}\r\n{hidden}").as_bytes());
        assert_eq!((parse(&answer).0, answer.matches("HTTP/1.1").count()), (status, 1), "{head}");
    }
    assert_eq!(len(&served), 3);
}

#[test]
fn each_request_of_a_connection_is_checked() {
    let served = served();
    let both = posted(served.address, SPAWN) + &posted("evil.example", SPAWN);
    let answer = served.send(both.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("HTTP/1.1 421"), "{answer}");
    assert_eq!(len(&served), 4);
}

#[test]
fn too_many_watches_are_refused_and_others_served() {
    let served = served();
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"ecs.changes+watch","params":{"component":"position"}}"#;
    let watch = || {
        let mut stream = TcpStream::connect(served.address).unwrap();
        stream.write_all(posted(served.address, body).as_bytes()).unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        (stream, String::from_utf8_lossy(&status).into_owned())
    };
    let watches: Vec<(TcpStream, String)> = (0..32).map(|_| watch()).collect();
    assert!(watches.iter().all(|(_, status)| status == "HTTP/1.1 200"));
    assert_eq!(watch().1, "HTTP/1.1 503");
    assert_eq!(len(&served), 3);
    drop(watches);
    let until = Instant::now() + Duration::from_secs(20);
    while watch().1 != "HTTP/1.1 200" {
        assert!(Instant::now() < until, "the places of clients that left are not free");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn requests_for_entities_that_are_not_alive_are_errors() {
    let mut world = world().0;
    let dead = world.spawn_empty().id();
    world.despawn(dead).unwrap();
    let served = Served::new(Options::new().event::<Explosion>("explosion"), world);
    let parts = json!({ "components": [], "component": "position", "path": ".x", "value": 1 });
    for method in [
        "world.get_components",
        "world.list_components",
        "world.insert_components",
        "world.mutate_components",
        "world.remove_components",
        "world.despawn_entity",
        "world.reparent_entities",
        "world.trigger_event",
        "ecs.entity",
        "ecs.tree",
        "ecs.insert_default",
        "ecs.relate",
        "ecs.take",
        "ecs.reparent",
    ] {
        for entity in [json!(dead), json!("4294967295v2147483647"), json!(dead.to_bits())] {
            let mut params = parts.clone();
            params["entity"] = entity.clone();
            params["entities"] = json!([entity]);
            if method == "world.insert_components" {
                params["components"] = json!({});
            }
            params["relation"] = "follows".into();
            params["target"] = params["entity"].clone();
            params["event"] = "explosion".into();
            if method == "world.trigger_event" {
                params["value"] = json!({ "power": 1 });
            }
            let answer = served.call(method, params);
            assert_eq!(answer["error"]["code"], -23401, "{method} of {entity}: {answer}");
        }
    }
    let params = json!({ "data": {}, "cursor": "4294967295v2147483647" });
    assert_eq!(served.call("world.query", params)["result"], json!([]));
    let most = json!({ "offset": usize::MAX, "limit": usize::MAX, "relation": "follows" });
    for method in ["ecs.entities", "ecs.tree"] {
        assert_eq!(served.call(method, most.clone())["result"]["rows"], json!([]), "{method}");
    }
    assert_eq!(served.end().len(), 3);
}

#[test]
fn a_token_is_needed_where_there_is_one() {
    let served = Served::new(Options::new().token("secret"), world().0);
    for wrong in [
        "",
        "Authorization: Bearer secre\r\n",
        "Authorization: secret\r\n",
        "Authorization: Bearer secres\r\n",
    ] {
        assert_eq!(served.post(&format!("{JSON}{wrong}"), SPAWN).0, 401, "{wrong}");
    }
    let watch = r#"{"jsonrpc":"2.0","id":1,"method":"ecs.changes+watch","params":{"component":"position"}}"#;
    assert_eq!(served.post(JSON, watch).0, 401);
    assert_eq!(served.post(&format!("{JSON}Authorization: Bearer secret\r\n"), SPAWN).0, 200);
    assert_eq!(served.end().len(), 4);
}

#[test]
fn invalid_requests_are_errors() {
    let served = served();
    for (body, code) in [
        ("{", -32700),
        ("[]", -32600),
        ("7", -32600),
        ("[7]", -32600),
        (r#"{"id":1,"method":"ecs.pools"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"no"}"#, -32601),
    ] {
        let (status, answer) = served.post(JSON, body);
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let answer = answer.get(0).unwrap_or(&answer);
        assert_eq!((status, &answer["error"]["code"]), (200, &json!(code)), "{body}");
    }
    let many = format!("[{}]", vec![SPAWN; 257].join(","));
    assert!(served.post(JSON, &many).1.contains("a batch has 1 to 256 requests, not 257"));
    assert_eq!(len(&served), 3);
}

#[test]
fn a_batch_is_answered_in_order_and_notifications_are_not() {
    let served = served();
    let batch = json!([
        { "jsonrpc": "2.0", "id": "a", "method": "ecs.entities", "params": { "limit": 0 } },
        { "jsonrpc": "2.0", "method": "world.spawn_entity", "params": { "components": {} } },
        { "jsonrpc": "2.0", "id": "b", "method": "ecs.entities", "params": { "limit": 0 } },
    ]);
    let (_, answer) = served.post(JSON, &batch.to_string());
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer.as_array().unwrap().len(), 2);
    assert_eq!((&answer[0]["id"], &answer[1]["id"]), (&json!("a"), &json!("b")));
    assert_eq!(
        served.post(JSON, r#"{"jsonrpc":"2.0","method":"ecs.pools"}"#),
        (204, String::new())
    );
    assert_eq!(served.end().len(), 4);
}

#[test]
fn clients_that_send_slowly_do_not_keep_others_from_being_served() {
    let served = served();
    let slow: Vec<TcpStream> = (0..64)
        .map(|_| {
            let mut stream = TcpStream::connect(served.address).unwrap();
            stream.write_all(b"POST / HTTP/1.1\r\nHost: loc").unwrap();
            stream
        })
        .collect();
    assert_eq!(len(&served), 3);
    // Each is given up after some seconds.
    let mut first = &slow[0];
    first.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    assert_eq!(first.read(&mut [0; 8]).unwrap_or(0), 0);
    assert_eq!(served.end().len(), 3);
}

#[test]
fn a_client_that_does_not_read_does_not_stall_the_world() {
    let mut world = world().0;
    world.spawn_batch((0..50_000_u16).map(|at| Position { x: at.into(), y: 0.0 }));
    let served = Served::new(Options::new(), world);
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"world.query","params":{"data":{"components":["position"]}}}"#;
    let request = format!(
        "POST / HTTP/1.1\r\nHost: {}\r\n{JSON}Content-Length: {}\r\n\r\n{body}",
        served.address,
        body.len()
    );
    let silent: Vec<TcpStream> = (0..4)
        .map(|_| {
            let mut stream = TcpStream::connect(served.address).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            stream
        })
        .collect();
    let watch = r#"{"jsonrpc":"2.0","id":1,"method":"ecs.changes+watch","params":{"component":"position"}}"#;
    let mut watching = TcpStream::connect(served.address).unwrap();
    let request = format!(
        "POST / HTTP/1.1\r\nHost: {}\r\n{JSON}Content-Length: {}\r\n\r\n{watch}",
        served.address,
        watch.len()
    );
    watching.write_all(request.as_bytes()).unwrap();
    for _ in 0..50 {
        assert_eq!(len(&served), 50_003);
    }
    drop((silent, watching));
    assert_eq!(served.end().len(), 50_003);
}

#[test]
fn a_thousand_requests_at_once_are_all_answered() {
    let served = served();
    thread::scope(|scope| {
        for at in 0..1_000 {
            let served = &served;
            thread::Builder::new()
                .stack_size(128 << 10)
                .spawn_scoped(scope, move || {
                    let params = json!({ "components": { "ecs::Name": at.to_string() } });
                    assert!(served.call("world.spawn_entity", params)["result"]["entity"].is_u64());
                })
                .unwrap();
        }
    });
    assert_eq!(served.end().len(), 1_003);
}

#[test]
fn a_world_that_is_not_served_answers_that_it_is_paused() {
    let remote = Options::new().port(0).patience(Duration::from_millis(50)).start().unwrap();
    let address = remote.address();
    let asked = thread::spawn(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!(
            "POST / HTTP/1.1\r\nHost: {address}\r\n{JSON}Connection: close\r\nContent-Length: {}\r\n\r\n",
            SPAWN.len()
        );
        stream.write_all((head + SPAWN).as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    });
    assert!(asked.join().unwrap().contains("the world did not answer in time"));
    // The client got an error, so the request is not carried out later.
    let (mut remote, mut world) = (remote, ecs::World::new());
    remote.serve(&mut world);
    assert!(world.is_empty());
}

#[test]
fn a_long_request_goes_on_over_frames() {
    let mut world = world().0;
    world.spawn_batch((0..20_000_u16).map(|at| Position { x: at.into(), y: 0.0 }));
    let mut remote = Options::new().port(0).budget(Duration::ZERO).start().unwrap();
    let address = remote.address();
    let asked = thread::spawn(move || {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"world.query","params":{"data":{"components":["position"]}}}"#;
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!(
            "POST / HTTP/1.1\r\nHost: {address}\r\n{JSON}Connection: close\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + body).as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    });
    let mut frames = 0;
    while !asked.is_finished() {
        remote.serve(&mut world);
        frames += 1;
        thread::sleep(Duration::from_micros(100));
    }
    let (_, body) = parse(&asked.join().unwrap());
    let rows: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(rows["result"].as_array().unwrap().len(), 20_001);
    assert!(frames >= 20_001 / 64, "{frames}");
}
