//! The methods that the inspector's page needs, without a browser.

use crate::common::*;
use ecs::by_name::Kind;
use ecs::{Component, Entity, Name, Resource, World};
use ecs_remote::{Options, Protocol};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(save = "wide")]
struct Wide {
    big: u128,
    small: i128,
    zero: f32,
    near: u64,
}

const WIDE: Wide = Wide { big: u128::MAX, small: i128::MIN, zero: -0.0, near: u64::MAX };

#[derive(Resource, Debug, PartialEq, Serialize, Deserialize)]
#[resource(save = "score")]
struct Score {
    points: u128,
    runs: bool,
    best: Vec<f32>,
}

#[test]
fn numbers_of_any_size_are_edited_and_kept() {
    let mut world = World::new();
    let entity = world.spawn(WIDE).id();
    let edit = |world: &mut World, path: &str, new: Value| {
        let mut params = json!({ "entity": entity, "component": "wide", "path": path });
        params.as_object_mut().unwrap().append(&mut new.as_object().unwrap().clone());
        call(world, "world.mutate_components", params)
    };
    edit(&mut world, ".near", json!({ "value": 7 })).unwrap();
    edit(&mut world, ".small", json!({ "json": "-18446744073709551617" })).unwrap();
    let wide = world.get::<Wide>(entity).unwrap();
    assert_eq!(*wide, Wide { near: 7, small: -18_446_744_073_709_551_617, ..WIDE });
    assert!(wide.zero.is_sign_negative());
    edit(&mut world, ".big", json!({ "json": "340282366920938463463374607431768211454" })).unwrap();
    assert_eq!(world.get::<Wide>(entity).unwrap().big, u128::MAX - 1);

    let error = |new| edit(&mut world, ".near", new).unwrap_err().1;
    let errors =
        [json!({}), json!({ "json": "1 2" }), json!({ "json": "1", "value": 1 })].map(error);
    assert_eq!(errors[0], "missing field `value`");
    assert!(
        errors[1].starts_with("`json` is not the text of JSON: trailing characters"),
        "{errors:?}"
    );
    assert_eq!(errors[2], "give `value` or `json`, not both");
}

#[test]
fn a_field_of_a_resource_is_edited_and_the_others_stay() {
    let mut world = World::new();
    world.insert_resource(Score { points: u128::MAX, runs: true, best: vec![0.1, -0.0] });
    let params = json!({ "resource": "score", "path": ".runs", "value": false });
    call(&mut world, "world.mutate_resources", params).unwrap();
    let score = Score { points: u128::MAX, runs: false, best: vec![0.1, -0.0] };
    assert_eq!(*world.resource::<Score>(), score);
    let json = r#"{"points":340282366920938463463374607431768211453,"runs":true,"best":[]}"#;
    call(&mut world, "world.insert_resources", json!({ "resource": "score", "json": json }))
        .unwrap();
    assert_eq!(world.resource::<Score>().points, u128::MAX - 2);
}

#[test]
fn the_shape_of_a_resource_is_found_without_a_change() {
    let mut world = World::new();
    world.insert_resource(Score { points: 5, runs: true, best: vec![1.0] });
    let shapes = call(&mut world, "ecs.shapes", json!({ "resources": ["score"] })).unwrap();
    let fields = shapes["score"]["of"].as_array().unwrap();
    assert_eq!((&fields[0][0], &fields[0][1]["number"]), (&json!("points"), &json!("u128")));
    assert_eq!(
        (&fields[1][1]["kind"], &fields[2][1]["of"]["number"]),
        (&json!("bool"), &json!("f32"))
    );
    assert_eq!(*world.resource::<Score>(), Score { points: 5, runs: true, best: vec![1.0] });
}

#[derive(Component, Default, Serialize, Deserialize)]
#[component(save = "lamp")]
struct Lamp {
    #[component(range = 0.0..=1.0, unit = "%")]
    power: Option<f32>,
    #[component(range = ..10)]
    steps: [u8; 2],
    name: String,
}

#[derive(Component, Serialize, Deserialize)]
#[component(save = "depth", range = 0.., unit = "m")]
struct Depth(f64);

#[derive(Component, Serialize, Deserialize)]
#[component(save = "state")]
enum State {
    On {
        #[component(unit = "s")]
        since: u32,
    },
    Off,
}

#[test]
fn shapes_have_the_declared_ranges_and_units() {
    let mut world = World::new();
    world.register::<(Lamp, Depth, State)>();
    let shapes =
        call(&mut world, "ecs.shapes", json!({ "components": ["lamp", "depth", "state"] }))
            .unwrap();
    let lamp = &shapes["lamp"]["of"];
    let range =
        json!({ "from": "0.0", "to": "1.0", "is_end_excluded": false, "text": "0.0..=1.0" });
    let power = &lamp[0][1]["of"];
    assert_eq!((&power["range"], &power["unit"]), (&range, &json!("%")));
    let range = json!({ "from": null, "to": "10", "is_end_excluded": true, "text": "..10" });
    let steps = lamp[1][1]["of"].as_array().unwrap();
    assert!(
        steps.iter().all(|step| step["range"] == range && step.get("unit").is_none()),
        "{steps:?}"
    );
    assert_eq!(lamp[2][1], json!({ "kind": "text", "of": null, "sample": "" }));
    let depth = &shapes["depth"]["of"];
    assert_eq!((&depth["unit"], &depth["range"]["text"]), (&json!("m"), &json!("0..")));
    assert_eq!(shapes["state"]["of"][0][1]["of"][0][1]["unit"], "s");
}

#[test]
fn numbers_are_found_by_order_and_by_all_of_their_digits() {
    let mut world = World::new();
    let near: Vec<Entity> = (0..5_u8)
        .map(|at| world.spawn(Wide { big: u128::MAX - u128::from(at), ..WIDE }).id())
        .collect();
    let mut find = |text: &str| {
        let found = call(&mut world, "ecs.entities", json!({ "text": text })).unwrap();
        let rows = found["rows"].as_array().unwrap().iter().map(|row| row["entity"].clone());
        rows.collect::<Vec<Value>>()
    };
    let entities = |list: &[Entity]| list.iter().map(|it| json!(it)).collect::<Vec<Value>>();
    let big = u128::MAX - 2;
    assert_eq!(find(&format!("wide.big={big}")), entities(&near[2..3]));
    assert_eq!(find(&format!("wide.big > {big}")), entities(&near[..2]));
    assert_eq!(find(&format!("Wide.big<={big}")), entities(&near[2..]));
    assert_eq!(find(&format!("wide.big!={big}")), entities(&[&near[..2], &near[3..]].concat()));
    assert_eq!(find("wide.zero<0.1").len(), 5);
    assert_eq!(find("wide.zero>=0.1").len(), 0);
}

fn fleet(world: &mut World) -> Vec<Entity> {
    (0..3_u8)
        .map(|at| world.spawn((Position { x: f32::from(at), y: 2.0 }, Plan::Rest)).id())
        .collect()
}

#[test]
fn a_selection_has_the_common_components_and_the_paths_that_differ() {
    let (mut world, _) = world();
    let fleet = fleet(&mut world);
    world.insert(fleet[0], Name::new("first")).unwrap();
    world.insert(fleet[2], Plan::Wait(3)).unwrap();
    let dead = world.spawn(()).id();
    world.despawn(dead).unwrap();
    let entities = [&fleet[..], &[dead]].concat();
    let found = call(&mut world, "ecs.selection", json!({ "entities": entities })).unwrap();
    assert_eq!((&found["entities"], &found["compared"]), (&json!(fleet), &json!(3)));
    let all = found["components"].as_array().unwrap();
    let mixed = |name: &str| {
        let found = all.iter().find(|it| it["name"] == name);
        found.map(|it| (it["value"].clone(), it["mixed"].clone()))
    };
    assert_eq!(mixed("Position"), Some((json!({ "x": 0.0, "y": 2.0 }), json!([".x"]))));
    assert_eq!(mixed("Plan"), Some((json!("Rest"), json!([""]))));
    assert_eq!(mixed("Name"), None);
    assert_eq!(
        call(&mut world, "ecs.selection", json!({ "entities": [] })).unwrap()["compared"],
        0
    );
    let many = json!({ "entities": vec![fleet[0]; 10_001] });
    let error = call(&mut world, "ecs.selection", many).unwrap_err().1;
    assert_eq!(error, "10001 entities: a request has at most 10000");
}

#[test]
fn an_edit_of_several_entities_is_done_in_all_and_undone_in_all() {
    let (mut world, _) = world();
    let fleet = fleet(&mut world);
    let mut protocol = Protocol::new(Options::new());
    let params = json!({ "entities": fleet, "component": "position", "path": ".y", "json": "9.5" });
    let taken = answer(&mut protocol, &mut world, "ecs.edit", params).unwrap();
    let place = |world: &World| {
        fleet.iter().filter_map(|it| world.get::<Position>(*it).cloned()).collect::<Vec<_>>()
    };
    let position = |x, y| Position { x, y };
    assert_eq!(place(&world), [position(0.0, 9.5), position(1.0, 9.5), position(2.0, 9.5)]);
    world.get_mut::<Position>(fleet[0]).unwrap().x = 4.0;
    world.despawn(fleet[2]).unwrap();
    answer(&mut protocol, &mut world, "ecs.put_back", taken).unwrap();
    assert_eq!(place(&world), [position(4.0, 2.0), position(1.0, 2.0)]);
}

#[test]
fn an_insertion_into_several_entities_replaces_and_is_undone() {
    let (mut world, [ship, gun, mine]) = world();
    let mut protocol = Protocol::new(Options::new());
    let value = json!({ "x": 7.0, "y": 7.0 });
    let params = json!({ "entities": [ship, gun, mine], "component": "position", "value": value });
    let taken = answer(&mut protocol, &mut world, "ecs.edit", params).unwrap();
    let seven = Position { x: 7.0, y: 7.0 };
    assert!([ship, gun, mine].iter().all(|it| world.get::<Position>(*it) == Some(&seven)));
    answer(&mut protocol, &mut world, "ecs.put_back", taken).unwrap();
    assert_eq!(world.get::<Position>(ship), Some(&Position { x: 1.0, y: 2.0 }));
    assert!(!world.has::<Position>(gun) && !world.has::<Position>(mine));
}

#[test]
fn an_edit_that_one_entity_refuses_changes_none() {
    let (mut world, [ship, gun, mine]) = world();
    let fleet = fleet(&mut world);
    let all = |world: &World| -> Vec<Option<Position>> {
        fleet.iter().map(|it| world.get::<Position>(*it).cloned()).collect()
    };
    let before = all(&world);
    let mut edit = |entities: &[Entity], component: &str, path: &str, json: &str| {
        let params =
            json!({ "entities": entities, "component": component, "path": path, "json": json });
        call(&mut world, "ecs.edit", params).unwrap_err().1
    };
    // A field that is missing, a value of another type, an entity without the component.
    assert_eq!(edit(&fleet, "position", ".z", "1"), "no field `z` on the path `.z`");
    assert!(edit(&fleet, "position", ".x", "\"a\"").contains("invalid type"));
    let others = [&fleet[..], &[mine]].concat();
    let error = edit(&others, "position", ".x", "1");
    assert!(error.contains("not present in entity"), "{error}");
    // The gun is a child of the ship, so only the last insertion closes a circle.
    let error = edit(&[mine, ship], "ChildOf", "", &json!(gun).to_string());
    assert!(error.contains("circle"), "{error}");
    assert_eq!(all(&world), before);
    assert_eq!((world.parent(mine), world.parent(ship)), (None, None));
    assert!(world.kind_value(Kind::of::<Position>(), mine).is_none());
}

#[test]
fn several_entities_are_despawned_and_come_back_or_none_is() {
    let (mut world, [ship, gun, mine]) = world();
    let mut protocol = Protocol::new(Options::new());
    let params = json!({ "entities": [ship, gun, mine] });
    let taken = answer(&mut protocol, &mut world, "ecs.take_all", params.clone()).unwrap();
    assert_eq!(world.len(), 0);
    answer(&mut protocol, &mut world, "ecs.put_back", taken).unwrap();
    assert_eq!((world.len(), world.parent(gun), world.name(mine)), (3, Some(ship), Some("mine")));
    world.insert(mine, Locked).unwrap();
    let error = answer(&mut protocol, &mut world, "ecs.take_all", params).unwrap_err();
    assert!(error.1.contains("Locked"), "{error:?}");
    assert_eq!((world.len(), world.parent(gun)), (3, Some(ship)));
}

#[test]
fn a_prefab_is_kept_and_spawned_with_all_below_it() {
    let (mut world, [ship, _, mine]) = world();
    let mut protocol = Protocol::new(Options::new());
    let mut call = |world: &mut World, method: &str, params: Value| {
        answer(&mut protocol, world, method, params)
    };
    call(&mut world, "ecs.keep_prefab", json!({ "name": "ship", "entity": ship })).unwrap();
    let params = json!({ "name": "ship", "count": 2 });
    let spawned = call(&mut world, "ecs.spawn_prefab", params).unwrap();
    let copies: Vec<Entity> = serde_json::from_value(spawned["entities"].clone()).unwrap();
    for copy in copies {
        assert_eq!(world.get::<Position>(copy), Some(&Position { x: 1.0, y: 2.0 }));
        assert_eq!(
            world.children(copy).map(|it| world.name(it)).collect::<Vec<_>>(),
            [Some("gun")]
        );
    }
    // A handle of an entity outside stays, and components that are not saved are left out.
    call(&mut world, "ecs.keep_prefab", json!({ "name": "mine", "entity": mine })).unwrap();
    let spawned = call(&mut world, "ecs.spawn_prefab", json!({ "name": "mine" })).unwrap();
    let copy: Entity = serde_json::from_value(spawned["entities"][0].clone()).unwrap();
    assert_eq!(
        (world.get::<Follows>(copy).map(|it| it.0), world.has::<Socket>(copy)),
        (Some(ship), false)
    );

    let text = r#"{ "components": { "position": { "x": 5, "y": 6 } } }"#;
    call(&mut world, "ecs.keep_prefab", json!({ "name": "own", "json": text })).unwrap();
    let own = call(&mut world, "ecs.get_prefab", json!({ "name": "own" })).unwrap();
    assert_eq!(own["json"], text);
    let all = call(&mut world, "ecs.prefabs", json!({})).unwrap();
    let names: Vec<&Value> = all.as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["mine", "own", "ship"]);

    let before = world.len();
    let wrong = r#"{ "components": { "positoin": 1 } }"#;
    call(&mut world, "ecs.keep_prefab", json!({ "name": "own", "json": wrong })).unwrap();
    let error = call(&mut world, "ecs.spawn_prefab", json!({ "name": "own" })).unwrap_err().1;
    assert!(error.contains("the nearest is `position`") && world.len() == before, "{error}");
    call(&mut world, "ecs.forget_prefab", json!({ "name": "own" })).unwrap();
    let error = call(&mut world, "ecs.spawn_prefab", json!({ "name": "own" })).unwrap_err().1;
    assert_eq!(error, "no prefab `own`: `ecs.keep_prefab` keeps one");
    let error = call(&mut world, "ecs.keep_prefab", json!({ "name": "x" })).unwrap_err().1;
    assert_eq!(error, "give an `entity`, or the `json` of a prefab");
    let error = call(&mut world, "ecs.spawn_prefab", json!({ "name": "ship", "count": 1_001 }));
    assert_eq!(error.unwrap_err().1, "1001 copies: a request spawns at most 1000");
}

#[test]
fn a_snapshot_is_forgotten() {
    let (mut world, _) = world();
    let mut protocol = Protocol::new(Options::new());
    let mut call = |method: &str| {
        answer(&mut protocol, &mut world, method, json!({ "name": "a" })).map_err(|it| it.1)
    };
    call("ecs.snapshot").unwrap();
    call("ecs.forget_snapshot").unwrap();
    let unknown = "no snapshot `a`: `ecs.snapshot` takes one".to_owned();
    assert_eq!(call("ecs.forget_snapshot"), Err(unknown.clone()));
    assert_eq!(call("ecs.restore"), Err(unknown));
}
