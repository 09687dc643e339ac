//! The budget of a frame: no call of `serve` does more. Edits beyond it are refused as a whole.

use crate::common::*;
use ecs::{ChildOf, Component, Entity, Name, Resource, World};
use ecs_remote::{Options, Protocol, Remote};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

#[derive(Component, Serialize, Deserialize)]
#[component(save = "large")]
struct Large(String);

/// A value that JSON cannot write.
#[derive(Component, Serialize, Deserialize)]
#[component(save = "board")]
struct Board(#[component(entities = ignore)] BTreeMap<(u8, u8), u8>);

#[derive(Resource, Serialize, Deserialize)]
#[resource(save = "boards")]
struct Boards(BTreeMap<(u8, u8), u8>);

fn board() -> BTreeMap<(u8, u8), u8> {
    BTreeMap::from([((1, 2), 3)])
}

/// Runs frames until all answers have come. Returns the numbers of the frames in which they came, and checks the work of
/// each frame.
fn serve_all(
    remote: &mut Remote,
    world: &mut World,
    most: (usize, usize),
    asked: &[JoinHandle<Value>],
) -> Vec<usize> {
    let mut came = vec![0; asked.len()];
    for frame in 1.. {
        remote.serve(world);
        let work = remote.work();
        assert!(work.bytes <= most.0 && work.values <= most.1, "{work:?}");
        for (came, _) in
            came.iter_mut().zip(asked).filter(|(came, it)| **came == 0 && it.is_finished())
        {
            *came = frame;
        }
        if came.iter().all(|came| *came > 0) {
            break;
        }
        thread::sleep(Duration::from_micros(100));
    }
    came
}

#[test]
fn a_query_of_large_components_goes_on_over_frames_within_the_bytes_of_each() {
    let mut world = World::new();
    world.spawn_batch((0..30).map(|_| (Large("x".repeat(100_000)), Position::default())));
    let mut remote = Options::new()
        .port(0)
        .frame_bytes(150_000)
        .budget(Duration::from_secs(60))
        .start()
        .unwrap();
    let components = vec!["large"; 12_000];
    let params = json!({ "data": { "components": components, "option": ["position", "large"] } });
    let asked = [ask(remote.address(), "world.query", params)];
    let frames = serve_all(&mut remote, &mut world, (150_000, 100_000), &asked);
    assert!(frames[0] >= 3_000_000 / 150_000, "{frames:?}");
    let [asked] = asked;
    let answer = asked.join().unwrap();
    let rows = answer["result"].as_array().unwrap_or_else(|| panic!("{answer}"));
    assert_eq!(rows.len(), 30);
    for row in rows {
        let components = row["components"].as_object().unwrap();
        assert_eq!((components.len(), components["large"].as_str().unwrap().len()), (2, 100_000));
    }
}

#[test]
fn a_value_that_takes_more_than_a_frame_is_an_error_in_its_place() {
    let (mut world, [ship, ..]) = world();
    world.insert(ship, Large("x".repeat(5_000))).unwrap();
    let mut protocol = Protocol::new(Options::new().frame_bytes(3_000));
    let mut call = |method: &str, params: Value| {
        answer(&mut protocol, &mut world, method, params).unwrap_or_else(|it| panic!("{it:?}"))
    };
    let why = "this takes more of a frame than its 3000 bytes: raise `Options::frame_bytes`, or ask for less";
    let rows =
        call("world.query", json!({ "data": { "components": ["position"], "option": "all" } }));
    assert_eq!(rows[0]["components"]["position"], json!({ "x": 1.0, "y": 2.0 }));
    assert_eq!(rows[0]["components"]["ecs::world::name::Name"], "ship");
    assert_eq!(rows[0]["errors"]["remote::budget::Large"]["message"], why);
    let params = json!({ "entity": ship, "components": ["large", "position"] });
    let got = call("world.get_components", params);
    assert_eq!(
        (&got["errors"]["large"]["message"], &got["components"]["position"]["x"]),
        (&json!(why), &json!(1.0))
    );
    for (method, params) in [
        ("ecs.entity", json!({ "entity": ship })),
        ("ecs.selection", json!({ "entities": [ship] })),
    ] {
        let whole = call(method, params);
        let all = whole["components"].as_array().unwrap();
        let large = all.iter().find(|it| it["name"] == "Large").unwrap();
        assert_eq!(
            (all.len(), &large["value"], &large["error"]["message"]),
            (3, &Value::Null, &json!(why))
        );
    }
    let params = json!({ "entity": ship, "components": ["large"], "strict": true });
    let error = answer(&mut protocol, &mut world, "world.get_components", params).unwrap_err();
    assert_eq!(error.1, why);
}

#[test]
fn a_value_that_json_cannot_write_is_an_error_in_its_place() {
    let (mut world, [ship, ..]) = world();
    world.insert(ship, Board(board())).unwrap();
    world.insert_resource(Boards(board()));
    let mut protocol = Protocol::new(Options::new());
    let mut call = |method: &str, params: Value| answer(&mut protocol, &mut world, method, params);
    let why = "`Board` cannot be written as JSON: key must be a string";
    let rows = call("world.query", json!({ "data": { "option": "all" } })).unwrap();
    assert_eq!(rows.as_array().unwrap().len(), 3);
    assert_eq!(rows[0]["errors"]["remote::budget::Board"]["message"], why);
    assert_eq!(rows[0]["components"].as_object().unwrap().len(), 2);
    assert_eq!(rows[1]["errors"], Value::Null);
    let params = json!({ "entity": ship, "components": ["board", "position"] });
    let got = call("world.get_components", params).unwrap();
    assert_eq!(
        (&got["errors"]["board"]["message"], &got["components"]["position"]["x"]),
        (&json!(why), &json!(1.0))
    );
    for (method, params) in [
        ("ecs.entity", json!({ "entity": ship })),
        ("ecs.selection", json!({ "entities": [ship, ship] })),
    ] {
        let whole = call(method, params).unwrap();
        let found = whole["components"]
            .as_array()
            .unwrap()
            .iter()
            .find(|it| it["name"] == "Board")
            .unwrap();
        assert_eq!((&found["value"], &found["error"]["message"]), (&Value::Null, &json!(why)));
    }
    let all = call("ecs.resources", Value::Null).unwrap();
    let name = "remote::budget::Boards";
    let found = all.as_array().unwrap().iter().find(|it| it["name"] == name).unwrap();
    let why = "`Boards` cannot be written as JSON: key must be a string";
    assert_eq!((&found["error"]["message"], &found["is_saved"]), (&json!(why), &json!(true)));
    assert!(all.as_array().unwrap().iter().any(|it| it["value"]["seconds"] == 1.5));
    assert_eq!(call("world.get_resources", json!({ "resource": "boards" })).unwrap_err().1, why);
    let params = json!({ "entity": ship, "component": "board", "path": "", "value": {} });
    assert!(
        call("world.mutate_components", params)
            .unwrap_err()
            .1
            .contains("cannot be written as JSON")
    );
    let error = call("ecs.keep_prefab", json!({ "name": "a", "entity": ship })).unwrap_err();
    assert!(error.1.contains("cannot be written as JSON"), "{error:?}");
    // A filter by such a value matches nothing.
    let found = call("ecs.entities", json!({ "text": "Board=1" })).unwrap();
    assert_eq!(found["total"], 0);
    // Bytes have no such limit.
    assert!(call("ecs.snapshot", json!({ "name": "a" })).is_ok());
}

/// Work that has to be whole, and exceeds a frame with the budget of [`whole`].
fn whole_work(ship: Entity, all: &[Entity]) -> Vec<(&'static str, Value, &'static str)> {
    let value = json!({ "x": 1.0, "y": 1.0 });
    vec![
        (
            "ecs.edit",
            json!({ "entities": all, "component": "position", "value": value }),
            "frame_values",
        ),
        ("ecs.take", json!({ "entity": ship }), "frame_values"),
        ("ecs.take_all", json!({ "entities": [ship] }), "frame_values"),
        ("world.despawn_entity", json!({ "entity": ship }), "frame_values"),
        (
            "world.reparent_entities",
            json!({ "entities": all[..5], "parent": null }),
            "frame_values",
        ),
        ("ecs.reparent", json!({ "entity": all[7] }), "frame_values"),
        ("ecs.put_back", json!({ "taken": 1 }), "frame_values"),
        ("ecs.take", json!({ "entity": all[7], "component": "ecs::ChildOf" }), "frame_values"),
        (
            "world.remove_components",
            json!({ "entity": all[7], "components": ["ecs::ChildOf"] }),
            "frame_values",
        ),
        ("ecs.snapshot", json!({ "name": "b" }), "frame_values"),
        ("ecs.restore", json!({ "name": "a" }), "frame_values"),
        ("ecs.keep_prefab", json!({ "name": "a", "entity": ship }), "frame_values"),
        ("ecs.spawn_prefab", json!({ "name": "p", "count": 900 }), "frame_bytes"),
        (
            "world.insert_components",
            json!({ "entity": ship, "components": { "large": "x".repeat(20_000) } }),
            "frame_bytes",
        ),
        (
            "world.mutate_components",
            json!({ "entity": all[9], "component": "large", "path": "", "value": "" }),
            "frame_bytes",
        ),
    ]
}

#[test]
fn whole_work_beyond_the_budget_is_refused_by_the_name_of_the_option_and_changes_nothing() {
    let (mut world, [_, gun, _]) = world();
    let mut protocol = Protocol::new(Options::new().frame_bytes(10_000).frame_values(150));
    let small = [
        ("ecs.snapshot", json!({ "name": "a" })),
        ("ecs.keep_prefab", json!({ "name": "p", "entity": gun })),
        ("ecs.reparent", json!({ "entity": gun })),
    ];
    for (method, params) in small {
        answer(&mut protocol, &mut world, method, params).unwrap();
    }
    let ship = world.spawn_named("root").id();
    let child = |at: u16| (Position { x: at.into(), y: 0.0 }, ChildOf(ship));
    let all = world.spawn_batch((0..200).map(child)).clone();
    world.attach(gun, ship).unwrap();
    world.insert(all[9], Large("x".repeat(20_000))).unwrap();
    let before = world.save().leave_out_rest().to_vec();
    for (method, params, option) in whole_work(ship, &all) {
        let error = answer(&mut protocol, &mut world, method, params).unwrap_err();
        let named = format!("raise `Options::{option}`");
        assert!(error.0 == -32000 && error.1.contains(&named), "{method}: {error:?}");
        assert_eq!(world.save().leave_out_rest().to_vec(), before, "{method}");
    }
    // The refused piece is kept: the child comes back when it has few siblings.
    world.detach(gun);
    answer(&mut protocol, &mut world, "ecs.put_back", json!({ "taken": 1 })).unwrap();
    assert!(world.parent(gun).is_some());
}

#[test]
fn whole_work_that_fits_into_a_frame_waits_for_the_next_one() {
    let (mut world, [ship, ..]) = world();
    let most = (4_000, 100_000);
    let options = Options::new().port(0).frame_bytes(most.0).budget(Duration::from_secs(60));
    let mut remote = options.start().unwrap();
    // Both take more than half of a frame.
    let text = "x".repeat(1_500);
    let params = |name: &str| json!({ "entity": ship, "components": { name: text } });
    let asked = [
        ask(remote.address(), "world.insert_components", params("large")),
        ask(remote.address(), "world.insert_components", params("ecs::Name")),
    ];
    world.register::<Large>();
    thread::sleep(Duration::from_millis(200));
    serve_all(&mut remote, &mut world, most, &asked);
    for asked in asked {
        assert_eq!(asked.join().unwrap()["result"], Value::Null);
    }
    assert!(world.has::<&Large>(ship) && world.name(ship) == Some(&*text));
}

#[test]
fn a_long_request_does_not_hold_up_others() {
    let mut world = world().0;
    world.spawn_batch((0..20_000_u16).map(|at| Position { x: at.into(), y: 0.0 }));
    let most = (4_000, 2_000);
    let options = Options::new().port(0).frame_bytes(most.0).frame_values(most.1);
    let mut remote = options.budget(Duration::from_secs(60)).start().unwrap();
    let long =
        ask(remote.address(), "world.query", json!({ "data": { "components": ["position"] } }));
    while remote.work().bytes == 0 {
        remote.serve(&mut world);
    }
    let mut frames = 0;
    for _ in 0..20 {
        let short = ask(remote.address(), "ecs.world", Value::Null);
        while !short.is_finished() {
            assert!(!long.is_finished());
            remote.serve(&mut world);
            frames += usize::from(remote.work().values > 1);
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(short.join().unwrap()["result"]["entities"], 20_003);
    }
    let frames_of_long = serve_all(&mut remote, &mut world, most, std::slice::from_ref(&long))[0];
    assert!(
        frames + frames_of_long >= 100,
        "the long one took {frames} and {frames_of_long} frames"
    );
    assert_eq!(long.join().unwrap()["result"].as_array().unwrap().len(), 20_001);
}

#[test]
fn lists_with_filters_and_trees_go_on_over_frames() {
    let mut world = World::new();
    let root = world.spawn_named("root").id();
    world.spawn_batch(
        (0..5_000_u16).map(|at| {
            (Name::new(format!("n{at}")), Position { x: at.into(), y: 0.0 }, ChildOf(root))
        }),
    );
    let most = (50_000, 1_000);
    let options = Options::new().port(0).frame_bytes(most.0).frame_values(most.1);
    let mut remote = options.budget(Duration::from_secs(60)).start().unwrap();
    let requests = [
        ("ecs.entities", json!({ "text": "n4999" }), 1),
        ("ecs.entities", json!({ "text": "Position.x>=4990" }), 10),
        ("ecs.entities", json!({ "with": ["position"], "without": ["marker"] }), 5_000),
        ("ecs.tree", json!({ "relation": "ecs::ChildOf", "open": [root], "offset": 5_000 }), 5_001),
    ];
    world.register::<Marker>();
    for (method, params, total) in requests {
        let asked = [ask(remote.address(), method, params)];
        let frames = serve_all(&mut remote, &mut world, most, &asked)[0];
        let [asked] = asked;
        assert_eq!(asked.join().unwrap()["result"]["total"], total, "{method}");
        assert!(frames > 5, "{method}: {frames}");
    }
}

/// A client that watches; frames are run by the test.
struct Watch(BufReader<TcpStream>);

impl Watch {
    #[expect(clippy::needless_pass_by_value, reason = "callers write it in place")]
    fn new(remote: &Remote, method: &str, params: Value) -> Self {
        let body =
            json!({ "jsonrpc": "2.0", "id": 5, "method": method, "params": params }).to_string();
        let address = remote.address();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
        let head = format!(
            "POST / HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).unwrap();
        Self(BufReader::new(stream))
    }

    /// Runs frames until the next message comes, and checks the work of each.
    fn next(&mut self, remote: &mut Remote, world: &mut World, most: (usize, usize)) -> Value {
        let mut line = String::new();
        for _ in 0..20_000 {
            remote.serve(world);
            let work = remote.work();
            assert!(work.bytes <= most.0 && work.values <= most.1, "{work:?}");
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

#[test]
fn a_watch_of_many_names_is_refused_or_looks_at_some_in_a_frame() {
    let (mut world, [ship, ..]) = world();
    let most = (5_000, 300);
    let options = Options::new().port(0).frame_bytes(most.0).frame_values(most.1);
    let mut remote = options.start().unwrap();
    let names: Vec<String> = (0..60).map(|at| format!("n{at}")).collect();
    let many: Vec<String> = (0..1_001).map(|at| format!("n{at}")).collect();
    let all = |names: &[String]| json!({ "entity": ship, "components": names });
    let mut refused = Watch::new(&remote, "world.get_components+watch", all(&many));
    let error = refused.next(&mut remote, &mut world, most);
    assert_eq!(error["error"]["code"], -32000, "{error}"); // a request of as many values
    let mut watch = Watch::new(
        &remote,
        "world.get_components+watch",
        all(&[&names[..], &["position".into()]].concat()),
    );
    let first = watch.next(&mut remote, &mut world, most);
    let errors = first["result"]["errors"].as_object().unwrap_or_else(|| panic!("{first}"));
    assert_eq!(errors.len(), 60);
    assert_eq!(first["result"]["components"]["position"]["x"], 1.0);
    world.get_mut::<Position>(ship).unwrap().x = 9.0;
    let second = watch.next(&mut remote, &mut world, most);
    assert_eq!(second["result"]["components"]["position"]["x"], 9.0);
    drop(remote);

    let mut remote = Options::new().port(0).start().unwrap();
    let mut refused = Watch::new(&remote, "world.get_components+watch", all(&many));
    let error = refused.next(&mut remote, &mut world, (1 << 20, 100_000));
    assert_eq!(error["error"]["message"], "1001 names: a request has at most 1000");
    let params = json!({ "data": { "has": many } });
    assert_eq!(
        call(&mut world, "world.query", params).unwrap_err().1,
        "1001 names: a request has at most 1000"
    );
}

/// An event that counts how often it is written.
#[derive(Deserialize)]
struct Counted(usize);

static WRITTEN: AtomicUsize = AtomicUsize::new(0);

impl Serialize for Counted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WRITTEN.fetch_add(1, Ordering::Relaxed);
        "x".repeat(self.0).serialize(serializer)
    }
}

#[test]
fn events_are_written_for_a_watch_while_there_is_room_for_them() {
    let mut world = World::new();
    let options = Options::new().port(0).event::<Counted>("counted");
    let mut remote = options.start().unwrap();
    let mut watch = Watch::new(&remote, "world.observe+watch", json!({ "event": "counted" }));
    while remote.watches() == 0 {
        remote.serve(&mut world);
    }
    (0..10_000).for_each(|_| world.send(&Counted(1)));
    let written = WRITTEN.swap(0, Ordering::Relaxed);
    assert_eq!(written, 256);
    let most = (1 << 20, 100_000);
    let news = watch.next(&mut remote, &mut world, most);
    assert_eq!(news["result"].as_array().unwrap().len(), 256);
    (0..10_000).for_each(|_| world.send(&Counted(10_000)));
    let written = WRITTEN.load(Ordering::Relaxed);
    let mut count = 0;
    while count < (256 << 10) / 10_002 {
        let news = watch.next(&mut remote, &mut world, most);
        count += news["result"].as_array().unwrap().len();
    }
    assert_eq!(count, (256 << 10) / 10_002);
    assert_eq!(written, 10_000); // each was begun, and stopped at the end of the room
}

/// Returns the whole world as bytes.
fn bytes_of(world: &World) -> Vec<u8> {
    world.save().leave_out_rest().to_vec().unwrap()
}

#[test]
fn entities_get_new_parents_all_or_none() {
    // `reparent_entities [8, 5]` under a descendant of 5.
    let mut world = World::new();
    let all = world.spawn_batch((0..9_u16).map(|at| Position { x: at.into(), y: 0.0 })).clone();
    world.attach(all[6], all[5]).unwrap();
    world.attach(all[8], all[2]).unwrap();
    world.attach(all[7], all[2]).unwrap();
    let before = bytes_of(&world);
    let params = json!({ "entities": [all[8], all[5]], "parent": all[6] });
    let error = call(&mut world, "world.reparent_entities", params).unwrap_err();
    assert!(error.0 == -23404 && error.1.contains("would close a circle"), "{error:?}");
    assert_eq!(bytes_of(&world), before);
    // An entity that may have no parent is found in the middle: those before move back to their places.
    world.insert(all[3], Rootless).unwrap();
    let before = bytes_of(&world);
    let params = json!({ "entities": [all[8], all[1], all[3]], "parent": all[5] });
    let error = call(&mut world, "world.reparent_entities", params).unwrap_err();
    assert!(error.1.contains("Rootless") && !error.1.contains("not all"), "{error:?}");
    assert_eq!(world.children(all[2]).collect::<Vec<_>>(), [all[8], all[7]]);
    assert!(world.parent(all[1]).is_none() && world.children(all[5]).eq([all[6]]));
    assert_eq!(bytes_of(&world).len(), before.len());
    let params = json!({ "entities": [all[8], all[1]], "parent": all[5] });
    call(&mut world, "world.reparent_entities", params).unwrap();
    assert!(world.children(all[5]).eq([all[6], all[8], all[1]]));
}

/// A component of entities without a parent.
#[derive(Component, Serialize, Deserialize)]
#[component(save = "rootless", excludes(ChildOf))]
struct Rootless;

#[test]
fn components_are_removed_all_or_none() {
    let (mut world, [ship, ..]) = world();
    world.insert(ship, (Locked, Marker)).unwrap();
    let before = bytes_of(&world);
    let params =
        json!({ "entity": ship, "components": ["position", "marker", "locked", "ecs::Name"] });
    let error = call(&mut world, "world.remove_components", params).unwrap_err();
    assert!(error.1.contains("Locked") && !error.1.contains("not all"), "{error:?}");
    assert_eq!(bytes_of(&world), before);
    let params = json!({ "entity": ship, "components": ["position", "marker"] });
    call(&mut world, "world.remove_components", params).unwrap();
    assert!(!world.has::<&Marker>(ship));
}

#[test]
fn entities_come_back_all_or_none() {
    let (mut world, [_, _, mine]) = world();
    let first = world.spawn(Follows(mine)).id();
    let second = world.spawn_named("second").id();
    let mut protocol = Protocol::new(Options::new());
    let mut call = |world: &mut World, method: &str, params: Value| {
        answer(&mut protocol, world, method, params)
    };
    call(&mut world, "ecs.take_all", json!({ "entities": [first, second] })).unwrap();
    call(&mut world, "ecs.take", json!({ "entity": mine })).unwrap();
    // The second one could come back; the first one points to an entity that has not.
    let error = call(&mut world, "ecs.put_back", json!({ "taken": 1 })).unwrap_err();
    assert!(error.1.contains("restore that first") && !error.1.contains("not all"), "{error:?}");
    assert!(!world.is_alive(first) && !world.is_alive(second));
    for taken in [2, 1] {
        call(&mut world, "ecs.put_back", json!({ "taken": taken })).unwrap();
    }
    assert!(world.is_alive(first) && world.name(second) == Some("second"));
    assert_eq!(world.get::<Follows>(first).map(|it| it.0), Some(mine));
}
