//! Each method, without a transport.

use crate::common::*;
use ecs::{ChildOf, Component, Entity, Name, Resource, Schedule, View, World};
use ecs_remote::{Options, Protocol};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Mutex;

#[test]
fn a_query_returns_rows_under_the_requested_names() {
    let (mut world, [ship, gun, _]) = world();
    let data = json!({ "data": { "components": ["bevy_ecs::name::Name"], "option": ["position"], "has": ["plan", "nothing"] },
        "filter": { "without": ["Socket"] } });
    let rows = call(&mut world, "world.query", data).unwrap();
    assert_eq!(
        rows,
        json!([
            { "entity": ship.to_bits(), "components": { "bevy_ecs::name::Name": "ship", "position": { "x": 1.0, "y": 2.0 } },
              "has": { "plan": false, "nothing": false } },
            { "entity": gun.to_bits(), "components": { "bevy_ecs::name::Name": "gun" }, "has": { "plan": true, "nothing": false } },
        ])
    );
}

#[test]
fn a_query_is_a_text_too() {
    let (mut world, [ship, gun, mine]) = world();
    let name = |entity: Entity, name: &str| json!({ "entity": entity.to_bits(), "components": { "Name": name } });
    let rows = call(&mut world, "world.query", json!({ "text": "Name, Name > 'h'" })).unwrap();
    assert_eq!(
        rows.as_array().unwrap().len(),
        [ship, gun, mine].iter().filter(|it| world.name(**it) > Some("h")).count()
    );
    let rows = call(&mut world, "world.query", json!({ "text": "Name, Name == \"ship\"" }));
    assert_eq!(rows, Ok(json!([name(ship, "ship")])));
    // With the other form beside it, and in pages.
    let params = json!({ "text": "Name, ?Position, Position.x >= 1 | Socket, !ChildOf(*)", "data": { "has": ["Socket"] },
        "filter": { "with": ["position"] }, "limit": 1 });
    let rows = call(&mut world, "world.query", params).unwrap();
    assert_eq!(
        rows[0]["components"],
        json!({ "Name": "ship", "Position": { "x": 1.0, "y": 2.0 } })
    );
    assert_eq!(rows[0]["has"], json!({ "Socket": false }));
    let none = json!({ "text": "Name", "cursor": mine.to_bits() });
    assert_eq!(call(&mut world, "world.query", none), Ok(json!([])));
    let error = call(&mut world, "world.query", json!({ "limit": 3 })).unwrap_err();
    assert_eq!(error, (-32602, "missing field `data`, or a query as `text`".to_owned()));
    let (code, message) =
        call(&mut world, "world.query", json!({ "text": "Name, !Nam" })).unwrap_err();
    assert_eq!(code, -32602);
    let start = "the world knows no component `Nam` (the nearest is `Name`)";
    assert!(
        message.starts_with(start) && message.ends_with("\n  Name, !Nam\n         ^^^"),
        "{message}"
    );
}

#[test]
fn a_query_goes_on_behind_its_cursor() {
    let mut world = World::new();
    let all = world.spawn_batch((0..3_000_u16).map(|at| Position { x: at.into(), y: 0.0 }));
    for entity in all.iter().step_by(3) {
        world.despawn(*entity).unwrap();
    }
    let (mut found, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let params =
            json!({ "data": { "components": ["position"] }, "limit": 700, "cursor": cursor });
        let rows = call(&mut world, "world.query", params).unwrap();
        let rows = rows.as_array().unwrap();
        let Some(last) = rows.last() else { break };
        cursor = last["entity"].clone();
        found.extend(rows.iter().map(|row| row["entity"].as_u64().unwrap()));
    }
    let alive = all.iter().filter(|entity| world.is_alive(**entity));
    assert!(alive.map(|entity| entity.to_bits()).eq(found));
}

#[test]
fn a_query_of_unknown_components_has_no_rows_or_is_an_error() {
    let (mut world, _) = world();
    let data = |strict| json!({ "data": { "components": ["nothing"] }, "strict": strict });
    assert_eq!(call(&mut world, "world.query", data(false)), Ok(json!([])));
    let error = call(&mut world, "world.query", data(true)).unwrap_err();
    assert_eq!(error, (-23402, "Unknown component type: `nothing`".to_owned()));
}

#[test]
fn an_answer_with_too_many_rows_or_bytes_is_an_error() {
    let mut world = World::new();
    world.spawn_batch((0..500_u16).map(|at| Position { x: at.into(), y: 0.0 }));
    let params = json!({ "data": { "components": ["position"] } });
    let mut protocol = Protocol::new(Options::new().limits(499, 1 << 20));
    let error = answer(&mut protocol, &mut world, "world.query", params.clone()).unwrap_err();
    assert!(error.1.starts_with("more than 499 rows match: ask for a `limit`"), "{error:?}");
    let mut protocol = Protocol::new(Options::new().limits(500, 1_000));
    let error = answer(&mut protocol, &mut world, "world.query", params).unwrap_err();
    assert!(error.1.starts_with("the answer has more than 1000 bytes"), "{error:?}");
}

#[test]
fn components_are_listed_and_got() {
    let (mut world, [ship, gun, mine]) = world();
    let names = call(&mut world, "world.list_components", json!({ "entity": ship })).unwrap();
    let mut names: Vec<String> = serde_json::from_value(names).unwrap();
    names.sort();
    assert_eq!(names, ["ecs::world::name::Name", "remote::common::Position"]);
    let all = call(&mut world, "world.list_components", Value::Null).unwrap();
    assert!(all.as_array().unwrap().contains(&json!("remote::common::Locked")));

    let params = json!({ "entity": gun.to_bits(), "components": ["bevy_ecs::hierarchy::ChildOf", "ecs::ChildOf", "position"] });
    let found = call(&mut world, "world.get_components", params).unwrap();
    assert_eq!(
        found["components"],
        json!({ "bevy_ecs::hierarchy::ChildOf": ship.to_bits(), "ecs::ChildOf": "0v1" })
    );
    assert_eq!(found["errors"]["position"]["code"], -23403);
    let params = json!({ "entity": mine, "components": ["Socket"], "strict": true });
    assert_eq!(
        call(&mut world, "world.get_components", params),
        Ok(json!({ "Socket": "Socket(7)" }))
    );
}

#[test]
fn an_entity_is_spawned_with_all_components_or_not_at_all() {
    let (mut world, [ship, ..]) = world();
    let params = json!({ "components": { "position": { "x": 3.0, "y": 4.0 }, "marker": {}, "bevy_ecs::hierarchy::ChildOf": ship.to_bits() } });
    let spawned = call(&mut world, "world.spawn_entity", params).unwrap();
    let spawned = Entity::from_bits(spawned["entity"].as_u64().unwrap()).unwrap();
    assert_eq!(world.get::<Position>(spawned), Some(&Position { x: 3.0, y: 4.0 }));
    assert!(world.has::<Marker>(spawned) && world.parent(spawned) == Some(ship));

    let before = world.len();
    let params = json!({ "components": { "position": { "x": 3.0, "y": 4.0 }, "plan": "Dance" } });
    let error = call(&mut world, "world.spawn_entity", params).unwrap_err();
    assert!(error.0 == -23402 && error.1.contains("unknown variant `Dance`"), "{error:?}");
    let params = json!({ "components": { "ecs::ChildOf": "99v1" } });
    assert_eq!(call(&mut world, "world.spawn_entity", params).unwrap_err().0, -23402);
    assert_eq!(world.len(), before);
}

#[test]
fn components_are_inserted_all_or_none() {
    let (mut world, [ship, gun, _]) = world();
    let params = json!({ "entity": gun, "components": { "position": { "x": 5.0, "y": 6.0 }, "ecs::Name": 3 } });
    assert!(call(&mut world, "world.insert_components", params).is_err());
    assert!(!world.has::<Position>(gun));
    // A circle of parents is refused, and so is all that comes with it.
    let params = json!({ "entity": ship, "components": { "marker": {}, "ecs::ChildOf": gun } });
    let error = call(&mut world, "world.insert_components", params).unwrap_err();
    assert!(error.1.contains("would close a circle") && !world.has::<Marker>(ship), "{error:?}");
    let params = json!({ "entity": gun, "components": { "position": { "x": 5.0, "y": 6.0 } } });
    assert_eq!(call(&mut world, "world.insert_components", params), Ok(Value::Null));
    assert_eq!(world.get::<Position>(gun), Some(&Position { x: 5.0, y: 6.0 }));
}

#[test]
fn fields_are_mutated_within_variants_and_options() {
    let (mut world, [ship, gun, _]) = world();
    let mut mutate = |component, path, value: Value| {
        let params = json!({ "entity": gun, "component": component, "path": path, "value": value });
        call(&mut world, "world.mutate_components", params)
    };
    mutate("plan", "", json!({ "Go": { "to": { "x": 0.0, "y": 0.0 }, "by": null } })).unwrap();
    mutate("plan", ".to.x", json!(7.5)).unwrap();
    mutate("plan", ".by", json!(ship.to_bits())).unwrap();
    let error = mutate("plan", ".speed", json!(1)).unwrap_err();
    assert_eq!(error, (-23402, "no field `speed` on the path `.speed`".to_owned()));
    assert!(mutate("plan", ".to.x", json!("far")).is_err());
    assert_eq!(mutate("position", ".x", json!(1)).unwrap_err().0, -23403);
    assert_eq!(
        world.get::<Plan>(gun),
        Some(&Plan::Go { to: Position { x: 7.5, y: 0.0 }, by: Some(ship) })
    );
}

#[test]
fn an_infinite_number_is_named_as_the_reason_why_a_field_is_not_mutated() {
    let (mut world, [ship, ..]) = world();
    world.get_mut::<Position>(ship).unwrap().x = f32::INFINITY;
    let params = json!({ "entity": ship, "component": "position", "path": ".y", "value": 1 });
    let error = call(&mut world, "world.mutate_components", params).unwrap_err();
    assert!(
        error.1.ends_with("JSON has no infinite numbers, so insert the whole value if it has one"),
        "{error:?}"
    );
}

#[test]
fn unsaved_components_are_not_written() {
    let (mut world, [.., mine]) = world();
    let params = json!({ "entity": mine, "component": "Socket", "path": ".0", "value": 1 });
    let error = call(&mut world, "world.mutate_components", params).unwrap_err();
    assert_eq!(
        error.1,
        "`Socket` is not saved, so no value of it is read: add `#[component(save = \"name\")]` to it, or declare it by `by_name::Declaration`"
    );
}

#[test]
fn components_are_removed_unless_a_veto_refuses() {
    let (mut world, [ship, gun, _]) = world();
    let params = json!({ "entity": gun, "components": ["plan", "position"] });
    assert_eq!(call(&mut world, "world.remove_components", params), Ok(Value::Null));
    assert!(!world.has::<Plan>(gun));
    world.insert(ship, Locked).unwrap();
    let params = json!({ "entity": ship, "components": ["locked"] });
    assert!(call(&mut world, "world.remove_components", params).is_err());
    assert!(call(&mut world, "world.despawn_entity", json!({ "entity": ship })).is_err());
    assert!(world.is_alive(ship));
}

#[test]
fn entities_are_despawned_once() {
    let (mut world, [.., mine]) = world();
    assert_eq!(
        call(&mut world, "world.despawn_entity", json!({ "entity": mine })),
        Ok(Value::Null)
    );
    let error = call(&mut world, "world.despawn_entity", json!({ "entity": mine })).unwrap_err();
    assert_eq!(error, (-23401, "Entity 2v1 not found".to_owned()));
}

#[test]
fn entities_get_parents_and_lose_them() {
    let (mut world, [ship, gun, mine]) = world();
    let params = json!({ "entities": [mine], "parent": gun });
    call(&mut world, "world.reparent_entities", params).unwrap();
    assert_eq!(world.parent(mine), Some(gun));
    let params = json!({ "entities": [ship], "parent": mine });
    assert_eq!(call(&mut world, "world.reparent_entities", params).unwrap_err().0, -23404);
    call(&mut world, "world.reparent_entities", json!({ "entities": [mine, gun] })).unwrap();
    assert_eq!((world.parent(mine), world.parent(gun)), (None, None));
}

#[test]
fn resources_are_read_and_written_by_name() {
    let (mut world, _) = world();
    let list = call(&mut world, "world.list_resources", Value::Null).unwrap();
    assert_eq!(list, json!(["remote::common::Clock"]));
    let named = json!({ "resource": "clock" });
    let mutated = json!({ "resource": "remote::common::Clock", "path": ".seconds", "value": 9.0 });
    call(&mut world, "world.mutate_resources", mutated).unwrap();
    assert_eq!(
        call(&mut world, "world.get_resources", named.clone()),
        Ok(json!({ "value": { "seconds": 9.0, "runs": true } }))
    );
    call(&mut world, "world.remove_resources", named.clone()).unwrap();
    assert_eq!(call(&mut world, "world.get_resources", named).unwrap_err().0, -23502);
    let whole = json!({ "resource": "Clock", "value": { "seconds": 2.0, "runs": false } });
    call(&mut world, "world.insert_resources", whole).unwrap();
    assert_eq!(world.resource::<Clock>(), &Clock { seconds: 2.0, runs: false });
    let error =
        call(&mut world, "world.get_resources", json!({ "resource": "score" })).unwrap_err();
    assert_eq!(error, (-23501, "Unknown resource type: `score`".to_owned()));
}

#[test]
fn events_are_sent_by_name() {
    let (mut world, [ship, ..]) = world();
    world.on::<Explosion>(move |world, explosion| {
        world.insert(ship, Name::new(format!("hit by {}", explosion.power))).unwrap();
    });
    world.insert_resource(ecs::Events::<Explosion>::default());
    let mut protocol = Protocol::new(
        Options::new().event::<Explosion>("explosion").queue::<Explosion>("explosion"),
    );
    let event = json!({ "event": "explosion", "value": { "power": 5 } });
    answer(&mut protocol, &mut world, "world.trigger_event", event).unwrap();
    assert_eq!(world.name(ship), Some("hit by 5"));
    let message = json!({ "message": "explosion", "value": { "power": 6 } });
    answer(&mut protocol, &mut world, "world.write_message", message).unwrap();
    assert_eq!(world.resource::<ecs::Events<Explosion>>().len(), 1);
    let error =
        answer(&mut protocol, &mut world, "world.trigger_event", json!({ "event": "rain" }));
    let (code, message) = error.unwrap_err();
    assert!(code == -23501 && message.starts_with("Unknown event type: `rain`"), "{message}");
}

#[test]
fn an_event_is_sent_to_an_entity() {
    let (mut world, [ship, gun, _]) = world();
    world.on_entity::<Explosion>(|world, entity, explosion| {
        world.insert(entity, Name::new(format!("hit by {}", explosion.power))).unwrap();
    });
    let mut protocol = Protocol::new(Options::new().event::<Explosion>("explosion"));
    let mut trigger = |entity, world: &mut World| {
        let event = json!({ "event": "explosion", "entity": entity, "value": { "power": 5 } });
        answer(&mut protocol, world, "world.trigger_event", event)
    };
    trigger(gun, &mut world).unwrap();
    assert_eq!((world.name(ship), world.name(gun)), (Some("ship"), Some("hit by 5")));
    world.despawn(gun).unwrap();
    assert_eq!(trigger(gun, &mut world).unwrap_err().0, -23401);
}

#[test]
fn shapes_name_all_variants_and_fields() {
    let (mut world, _) = world();
    let params = json!({ "components": ["plan", "follows", "Socket"] });
    let shapes = call(&mut world, "ecs.shapes", params).unwrap();
    let shape =
        |kind: &str, of: Value, sample: Value| json!({ "kind": kind, "of": of, "sample": sample });
    let number =
        |kind: &str, name: &str| json!({ "kind": kind, "of": null, "sample": 0, "number": name });
    let float = number("float", "f32");
    let entity = shape("entity", Value::Null, json!("4294967295v2147483647"));
    let wait_shape = shape("newtype", number("uint", "u32"), json!(0));
    let to = shape("struct", json!([["x", float], ["y", float]]), json!({ "x": 0, "y": 0 }));
    let by = shape("option", entity.clone(), Value::Null);
    let go = json!([["to", to], ["by", by]]);
    let go = shape("struct", go, json!({ "to": { "x": 0, "y": 0 }, "by": null }));
    let variants = json!([
        ["Rest", shape("unit", Value::Null, Value::Null)],
        ["Go", go],
        ["Wait", wait_shape]
    ]);
    assert_eq!(shapes["plan"], shape("enum", variants, json!("Rest")));
    let nobody = entity["sample"].clone();
    assert_eq!(shapes["follows"], shape("newtype", entity, nobody));
    // Which is not saved: its derive lists its fields.
    assert_eq!(shapes["Socket"], shape("newtype", number("uint", "u8"), json!(0)));
}

#[test]
fn schemas_refer_to_types_that_are_there() {
    let (mut world, _) = world();
    let schema = call(&mut world, "registry.schema", json!({ "with_crates": ["remote"] })).unwrap();
    let plan = &schema["remote::common::Plan"];
    assert_eq!((&plan["kind"], &plan["shortPath"]), (&json!("Enum"), &json!("Plan")));
    let position = &schema["remote::common::Position"];
    assert_eq!(position["properties"]["x"], json!({ "type": { "$ref": "#/$defs/f32" } }));
    assert_eq!(
        position["reflectTypes"],
        json!(["Component", "Serialize", "Deserialize", "Default"])
    );
    assert!(schema.get("ecs::world::name::Name").is_none());
    let text = schema.to_string();
    for (at, start) in text.match_indices("#/$defs/") {
        let rest = &text[at + start.len()..];
        let name = &rest[..rest.find('"').unwrap()];
        assert!(schema.get(name).is_some(), "no schema of {name}");
    }
    assert_eq!(
        (&schema["f32"]["type"], &schema["bevy_ecs::entity::Entity"]["type"]),
        (&json!("float"), &json!("uint"))
    );
    let option = &schema["core::option::Option<bevy_ecs::entity::Entity>"];
    assert_eq!((&option["kind"], &option["oneOf"][0]), (&json!("Enum"), &json!("None")));
    let limit = json!({ "type_limit": { "with": ["Resource"] } });
    let resources = call(&mut world, "registry.schema", limit).unwrap();
    assert_eq!(
        resources.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["remote::common::Clock"]
    );
}

#[test]
fn the_list_of_entities_has_a_window_and_a_total() {
    let (mut world, [_, gun, _]) = world();
    let list = call(&mut world, "ecs.entities", json!({ "offset": 1, "limit": 1 })).unwrap();
    assert_eq!(list["total"], 3);
    let line = json!({ "entity": gun, "name": "gun", "parent": "0v1", "children": 0, "components": ["Name", "Plan", "ChildOf"] });
    let mut shown = list["rows"][0].clone();
    let sort = |value: &mut Value| {
        value["components"].as_array_mut().unwrap().sort_by_key(Value::to_string);
    };
    let mut line = line;
    sort(&mut shown);
    sort(&mut line);
    assert_eq!(shown, line);
    let found = call(&mut world, "ecs.entities", json!({ "text": "IN" })).unwrap();
    assert_eq!((&found["total"], &found["rows"][0]["name"]), (&json!(1), &json!("mine")));
    let with =
        call(&mut world, "ecs.entities", json!({ "with": ["Name"], "without": ["Plan"] })).unwrap();
    assert_eq!(with["total"], 2);
}

#[test]
fn entities_are_found_by_value() {
    let (mut world, [ship, gun, mine]) = world();
    let other = world.spawn(Position { x: 1.0, y: 3.0 }).id();
    let to = Position { x: 5.0, y: 0.0 };
    let plan = world.spawn(Plan::Go { to, by: Some(gun) }).id();
    let mut find = |params: Value| -> Value {
        let found = call(&mut world, "ecs.entities", params).unwrap();
        let rows = found["rows"].as_array().unwrap();
        assert_eq!(found["total"], rows.len());
        rows.iter().map(|row| row["entity"].clone()).collect()
    };
    let mut by = |component: &str, path: &str, equals: Value| {
        find(json!({ "value": { "component": component, "path": path, "equals": equals } }))
    };
    assert_eq!(by("Name", "", json!("ship")), json!([ship]));
    assert_eq!(by("position", ".x", json!(1)), json!([ship, other]), "1 equals 1.0");
    assert_eq!(by("position", "", json!({ "x": 1.0, "y": 3 })), json!([other]));
    assert_eq!(by("Plan", "", json!("Rest")), json!([gun]));
    assert_eq!(by("Plan", ".to.x", json!(5.0)), json!([plan]), "other variants have no such field");
    assert_eq!(by("Plan", ".by", json!(gun)), json!([plan]));
    assert_eq!(by("Socket", "", json!("Socket(7)")), json!([mine]), "it is shown by its `Debug`");
    assert_eq!(by("position", ".z", json!(1)), json!([]));
    let both = json!({ "value": { "component": "position", "path": "x", "equals": 1 }, "without": ["Name"] });
    assert_eq!(find(both), json!([other]));
    let both =
        json!({ "value": { "component": "position", "path": "x", "equals": 1 }, "text": "SHIP" });
    assert_eq!(find(both), json!([ship]));
    for (text, expected) in [
        ("position.x=1", vec![ship, other]),
        ("Name = ship", vec![ship]),
        (r#"Name="ship""#, vec![ship]),
        ("Plan.to.x=5", vec![plan]),
        ("remote::common::Plan=Rest", vec![gun]),
        (r#"position={"x":1,"y":3}"#, vec![other]),
        ("nothing=1", vec![]), // as a name
    ] {
        assert_eq!(find(json!({ "text": text })), json!(expected), "{text}");
    }
    let named = world.spawn(Name::new("nothing=1")).id();
    let found = call(&mut world, "ecs.entities", json!({ "text": "nothing=1" })).unwrap();
    assert_eq!(found["rows"][0]["entity"], json!(named));
    let unknown = json!({ "value": { "component": "nothing", "equals": 1 } });
    let error = call(&mut world, "ecs.entities", unknown).unwrap_err();
    assert_eq!(error.1, "Unknown component type: `nothing`");
}

#[test]
fn relations_are_shown_from_both_ends() {
    let (mut world, [ship, gun, mine]) = world();
    let roots = call(&mut world, "ecs.tree", json!({ "relation": "Follows" })).unwrap();
    assert_eq!((&roots["total"], &roots["rows"][0]["entity"]), (&json!(1), &json!(ship)));
    let sources =
        call(&mut world, "ecs.tree", json!({ "relation": "Follows", "entity": ship })).unwrap();
    assert_eq!(sources["rows"][0]["entity"], json!(mine));
    let open = json!({ "relation": "Follows", "open": [ship, gun], "offset": 1 });
    let below = call(&mut world, "ecs.tree", open).unwrap();
    let row = &below["rows"][0];
    assert_eq!(
        (&below["total"], &row["entity"], &row["depth"]),
        (&json!(2), &json!(mine), &json!(1))
    );
    call(&mut world, "ecs.relate", json!({ "entity": gun, "relation": "Follows", "target": mine }))
        .unwrap();
    assert_eq!(world.target_of::<Follows>(gun), Some(mine));
    let whole = call(&mut world, "ecs.entity", json!({ "entity": ship })).unwrap();
    assert_eq!(whole["pointed_by"].as_array().unwrap().len(), 2);
}

#[test]
fn schedules_are_shown_with_their_accesses() {
    fn fly(moving: View<&mut Position>) {
        moving.for_each(|(_, position)| position.x += 1.0);
    }
    fn look(_: View<&Position>) {}
    let (mut world, _) = world();
    let mut schedule = Schedule::new().add(fly).add(look);
    schedule.set_timed(true);
    schedule.run(&mut world).unwrap();
    let mut protocol = Protocol::new(Options::new());
    let mut call = |method, params| -> Value {
        let answer = protocol.answer(&mut world, &[("frame", &schedule)], method, params).unwrap();
        serde_json::from_str(&answer).unwrap()
    };
    let list = call("schedule.list", Value::Null);
    assert_eq!(
        list,
        json!({
            "schedule_labels": ["frame"],
            "unavailable_schedule_labels": [],
            "empty_schedule_labels": [],
        })
    );
    let graph = call("schedule.graph", json!({ "schedule_label": "frame" }));
    let system = |name: &str, reads: &[u32], writes: &[u32]| {
        json!({
            "name": name,
            "apply_deferred": false,
            "exclusive": false,
            "deferred": false,
            "filtered_accesses": [{
                "access": {
                    "reads": reads,
                    "writes": writes,
                    "reads_inverted": false,
                    "writes_inverted": false,
                    "archetypal": [],
                },
                "filter_sets": [],
            }],
        })
    };
    assert_eq!(
        graph["schedule_data"],
        json!({
            "name": "frame",
            "systems": [system("fly", &[], &[0]), system("look", &[0], &[])],
            "system_sets": [],
            "hierarchy": [],
            "dependency": [[{ "System": 0 }, { "System": 1 }]],
            "components": [{ "name": "Position", "required": [] }],
            "conflicts": [],
        })
    );
    assert_eq!(
        (&graph["steps"][0]["writes"], &graph["steps"][1]["waits_for"]),
        (&json!(["Position"]), &json!([0]))
    );
    assert_eq!(call("ecs.times", Value::Null)[0]["micros"].as_array().unwrap().len(), 2);
}

#[test]
fn pools_groups_plans_and_memory_are_shown() {
    let (mut world, _) = world();
    world.declare_group(ecs::Group::owning::<(Position, Marker)>()).unwrap();
    let pools = call(&mut world, "ecs.pools", Value::Null).unwrap();
    let position =
        pools.as_array().unwrap().iter().find(|pool| pool["name"] == "Position").unwrap();
    assert_eq!(
        (&position["len"], &position["saved_as"], &position["tracked"]),
        (&json!(1), &json!("position"), &json!(true))
    );
    assert_eq!(position["indexed"], json!(false));
    let groups = call(&mut world, "ecs.groups", Value::Null).unwrap();
    assert_eq!(groups[0]["owned"].as_array().unwrap().len(), 2);
    let plan = call(&mut world, "ecs.plan", json!({ "with": ["Name", "Position"] })).unwrap();
    assert!(plan["text"].as_str().unwrap().contains("`Position`"), "{plan}");
    let memory = call(&mut world, "ecs.memory", Value::Null).unwrap();
    assert_eq!(memory["total"], world.memory_usage().total());
}

#[test]
fn a_snapshot_is_restored() {
    let (mut world, [ship, ..]) = world();
    let mut protocol = Protocol::new(Options::new());
    let named = json!({ "name": "before" });
    answer(&mut protocol, &mut world, "ecs.snapshot", named.clone()).unwrap();
    world.despawn(ship).unwrap();
    let before = answer(&mut protocol, &mut world, "ecs.world", Value::Null).unwrap();
    answer(&mut protocol, &mut world, "ecs.restore", named).unwrap();
    let after = answer(&mut protocol, &mut world, "ecs.world", Value::Null).unwrap();
    assert_eq!((&before["entities"], &after["entities"]), (&json!(1), &json!(3)));
    assert_ne!(before["number"], after["number"]);
    assert_eq!(world.get::<Position>(ship), Some(&Position { x: 1.0, y: 2.0 }));
    let unknown = answer(&mut protocol, &mut world, "ecs.restore", json!({ "name": "after" }));
    assert_eq!(unknown.unwrap_err().1, "no snapshot `after`: `ecs.snapshot` takes one");
    for at in 1..16 {
        answer(&mut protocol, &mut world, "ecs.snapshot", json!({ "name": at.to_string() }))
            .unwrap();
    }
    assert!(answer(&mut protocol, &mut world, "ecs.snapshot", json!({ "name": "17th" })).is_err());
}

/// A component and a resource with a lock in a type without `MapEntities`, which hides a handle.
#[derive(Component, Serialize, Deserialize, Default)]
#[component(save = "remote::hidden")]
struct Hidden(Lock);
#[derive(Serialize, Deserialize, Default)]
struct Lock(Mutex<Option<Entity>>);
#[derive(Resource)]
struct Window;

#[test]
fn a_snapshot_that_could_not_be_restored_is_refused_and_what_stays_is_named() {
    let (mut world, [ship, ..]) = world();
    let mut protocol = Protocol::new(Options::new());
    let named = json!({ "name": "a" });
    world.insert_resource(Window);
    let taken = answer(&mut protocol, &mut world, "ecs.snapshot", named.clone()).unwrap();
    assert!(taken["left_out"].as_array().unwrap().contains(&json!("Window")), "{taken}");
    let restored = answer(&mut protocol, &mut world, "ecs.restore", named).unwrap();
    assert_eq!(restored, json!({ "other_resources": ["Window"] }));

    world.insert(ship, Hidden(Lock(Mutex::new(Some(ship))))).unwrap();
    let refused = answer(&mut protocol, &mut world, "ecs.snapshot", json!({ "name": "b" }));
    let (_, words) = refused.unwrap_err();
    let expected =
        format!("`Hidden.0.0` is the handle {ship}, and nothing replaces it in another world");
    assert!(words.contains(&expected) && words.contains("`#[derive(MapEntities)]`"), "{words}");
    let list = answer(&mut protocol, &mut world, "ecs.snapshots", Value::Null).unwrap();
    assert_eq!(list.as_array().unwrap().len(), 1);
}

#[test]
fn a_default_is_inserted() {
    let (mut world, [_, gun, _]) = world();
    call(&mut world, "ecs.insert_default", json!({ "entity": gun, "component": "Position" }))
        .unwrap();
    assert!(world.has::<Position>(gun));
    let error =
        call(&mut world, "ecs.insert_default", json!({ "entity": gun, "component": "Plan" }));
    assert!(error.unwrap_err().1.contains("#[component(default)]"));
}

#[test]
fn a_read_only_server_and_a_list_of_methods_refuse_others() {
    let (mut world, [ship, ..]) = world();
    let despawn = json!({ "entity": ship });
    let mut protocol =
        Protocol::new(Options::new().read_only().method("own", |_, _| Ok(Value::Null)));
    for method in ["world.despawn_entity", "own", "ecs.restore"] {
        let error = answer(&mut protocol, &mut world, method, despawn.clone()).unwrap_err();
        assert_eq!(error.1, format!("Method `{method}` is refused: this server is read-only"));
    }
    assert!(answer(&mut protocol, &mut world, "ecs.entity", despawn.clone()).is_ok());
    let mut protocol = Protocol::new(Options::new().allow(["ecs.pools"]));
    let error = answer(&mut protocol, &mut world, "ecs.entity", despawn).unwrap_err();
    assert_eq!(error, (-32601, "Method `ecs.entity` is not allowed here".to_owned()));
    let discovered = Protocol::new(Options::new().allow(["rpc.discover"]))
        .answer(&mut world, &[], "rpc.discover", Value::Null)
        .unwrap();
    let discovered: Value = serde_json::from_str(&discovered).unwrap();
    assert_eq!(discovered["methods"].as_array().unwrap().len(), 1);
}

#[test]
fn a_method_of_the_programs_own_is_called() {
    let (mut world, _) = world();
    let options =
        Options::new().method("own.count", |world, params| Ok(json!([world.len(), params])));
    let mut protocol = Protocol::new(options);
    assert_eq!(
        answer(&mut protocol, &mut world, "own.count", json!({ "a": 1 })),
        Ok(json!([3, { "a": 1 }]))
    );
    let error = answer(&mut protocol, &mut world, "own.other", Value::Null).unwrap_err();
    assert_eq!(error, (-32601, "Method `own.other` not found".to_owned()));
}

#[test]
fn a_panic_of_an_observer_is_an_error_of_the_request() {
    let (mut world, [ship, ..]) = world();
    world.on_remove::<Position>(|_, _| panic!("no"));
    let error = call(
        &mut world,
        "world.remove_components",
        json!({ "entity": ship, "components": ["position"] }),
    );
    assert_eq!(error, Err((-32603, "the request panicked: no".to_owned())));
    assert!(call(&mut world, "ecs.pools", Value::Null).is_ok());
}

#[test]
fn requests_with_wrong_parameters_are_errors_and_change_nothing() {
    let (mut world, [ship, ..]) = world();
    let before = world.len();
    let methods = call(&mut world, "rpc.discover", Value::Null).unwrap();
    for method in methods["methods"].as_array().unwrap() {
        let name = method["name"].as_str().unwrap();
        if ["world.despawn_entity", "ecs.take"].contains(&name) {
            continue; // for which an entity is enough
        }
        let wrong = [
            json!(7),
            json!([1, 2]),
            json!("x"),
            json!({ "entity": "99v9" }),
            json!({ "entity": 3 }),
            json!({ "entity": -1 }),
            json!({ "entity": 1e300 }),
            json!({ "entity": "0v0" }),
            json!({ "entity": ship, "component": 1 }),
            json!({ "entity": ship, "components": { "nothing": 1 } }),
            json!({ "resource": "nothing", "value": 1, "path": "a" }),
        ];
        for params in wrong {
            if let Err((code, message)) = call(&mut world, name, params) {
                assert!(code < 0 && !message.contains("panicked"), "{name}: {message}");
            }
        }
    }
    assert_eq!(world.len(), before);
}

/// Takes an entity, or a component of it, and returns the number.
fn taken(protocol: &mut Protocol, world: &mut World, params: Value) -> Value {
    answer(protocol, world, "ecs.take", params).unwrap()
}

#[test]
fn a_despawned_tree_comes_back_under_its_handles_with_all_components() {
    let (mut world, [ship, gun, mine]) = world();
    world.insert(gun, Socket(3)).unwrap(); // which is not saved
    let mut protocol = Protocol::new(Options::new());
    let undo = taken(&mut protocol, &mut world, json!({ "entity": ship }));
    assert!(!world.is_alive(ship) && !world.is_alive(gun) && world.is_alive(mine));
    answer(&mut protocol, &mut world, "ecs.put_back", undo.clone()).unwrap();
    assert_eq!((world.parent(gun), world.name(ship)), (Some(ship), Some("ship")));
    assert_eq!(world.get::<Socket>(gun).unwrap().0, 3);
    let error = answer(&mut protocol, &mut world, "ecs.put_back", undo).unwrap_err();
    let message = "nothing is kept under 1: it was put back, or dropped for later ones";
    assert_eq!(error, (-32602, message.to_owned()));
}

#[test]
fn a_component_that_is_not_saved_comes_back_where_it_was() {
    let (mut world, [_, _, mine]) = world();
    let mut protocol = Protocol::new(Options::new());
    let params = json!({ "entity": mine, "component": "Socket" });
    let undo = taken(&mut protocol, &mut world, params.clone());
    assert!(!world.has::<&Socket>(mine));
    let error = answer(&mut protocol, &mut world, "ecs.take", params).unwrap_err();
    assert_eq!(error.0, -23403);
    // While it has another one, the value is kept.
    world.insert(mine, Socket(1)).unwrap();
    assert!(answer(&mut protocol, &mut world, "ecs.put_back", undo.clone()).is_err());
    world.remove::<Socket>(mine).unwrap();
    answer(&mut protocol, &mut world, "ecs.put_back", undo).unwrap();
    assert_eq!(world.get::<Socket>(mine).unwrap().0, 7);
}

#[test]
fn the_oldest_of_too_many_taken_entities_is_dropped_and_its_index_used_again() {
    let mut world = World::new();
    let mut protocol = Protocol::new(Options::new());
    let take = |world: &mut World, protocol: &mut Protocol| {
        let entity = world.spawn_empty().id();
        taken(protocol, world, json!({ "entity": entity }));
        entity.index()
    };
    let indices: Vec<u32> = (0..201).map(|_| take(&mut world, &mut protocol)).collect();
    assert_eq!(indices, (0..201).collect::<Vec<u32>>());
    assert_eq!(world.spawn_empty().id().to_string(), "0v2");
    let put_back = |number, protocol: &mut Protocol, world: &mut World| {
        answer(protocol, world, "ecs.put_back", json!({ "taken": number }))
    };
    assert!(put_back(1, &mut protocol, &mut world).is_err());
    put_back(2, &mut protocol, &mut world).unwrap();
    put_back(201, &mut protocol, &mut world).unwrap();
    assert_eq!(world.len(), 3);
}

#[test]
fn entities_that_were_taken_from_a_replaced_world_do_not_come_back() {
    let (mut world, [ship, ..]) = world();
    let mut protocol = Protocol::new(Options::new());
    answer(&mut protocol, &mut world, "ecs.snapshot", json!({ "name": "a" })).unwrap();
    let undo = taken(&mut protocol, &mut world, json!({ "entity": ship }));
    answer(&mut protocol, &mut world, "ecs.restore", json!({ "name": "a" })).unwrap();
    let error = answer(&mut protocol, &mut world, "ecs.put_back", undo).unwrap_err();
    let message = "the entities are of another world, or this world was cleared, loaded or copied into since: restore \
                   entities in the world that they were taken out of";
    assert_eq!(error.1, message);
    assert!(world.is_alive(ship));
}

#[test]
fn entities_that_others_depend_on_come_back_first() {
    let (mut world, [ship, gun, _]) = world();
    let mut protocol = Protocol::new(Options::new());
    let [of_gun, of_ship] =
        [gun, ship].map(|it| taken(&mut protocol, &mut world, json!({ "entity": it })));
    let error = answer(&mut protocol, &mut world, "ecs.put_back", of_gun.clone()).unwrap_err();
    assert!(error.1.ends_with("which was taken out, too: restore that first"), "{}", error.1);
    for undo in [of_ship, of_gun] {
        answer(&mut protocol, &mut world, "ecs.put_back", undo).unwrap();
    }
    assert_eq!(world.parent(gun), Some(ship));
}

#[test]
fn a_child_comes_back_to_its_parent_and_place() {
    let (mut world, [ship, gun, mine]) = world();
    let more: Vec<_> = (0..2).map(|_| world.spawn(ChildOf(ship)).id()).collect();
    let children = [gun, more[0], more[1]];
    let mut protocol = Protocol::new(Options::new());
    for parent in [json!(mine), json!(null)] {
        let params = json!({ "entity": more[0], "parent": parent });
        let undo = answer(&mut protocol, &mut world, "ecs.reparent", params).unwrap();
        assert!(world.children(ship).eq([gun, more[1]]));
        answer(&mut protocol, &mut world, "ecs.put_back", undo).unwrap();
        assert!(world.children(ship).eq(children));
    }
    // Nor does a parent that is refused change anything.
    let params = json!({ "entity": ship, "parent": gun });
    assert_eq!(answer(&mut protocol, &mut world, "ecs.reparent", params).unwrap_err().0, -23404);
    let params = json!({ "entity": gun, "parent": gun });
    assert_eq!(answer(&mut protocol, &mut world, "ecs.reparent", params).unwrap_err().0, -23404);
    assert!(world.children(ship).eq(children));
    let undo = taken(&mut protocol, &mut world, json!({ "entity": gun, "component": "ChildOf" }));
    answer(&mut protocol, &mut world, "ecs.put_back", undo).unwrap();
    assert!(world.children(ship).eq(children));
    let root = answer(
        &mut protocol,
        &mut world,
        "ecs.reparent",
        json!({ "entity": mine, "parent": ship }),
    );
    answer(&mut protocol, &mut world, "ecs.put_back", root.unwrap()).unwrap();
    assert_eq!(world.parent(mine), None);
}
