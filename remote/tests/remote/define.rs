//! Components that clients define.

use crate::common::*;
use ecs::by_name::{FieldType, Fields};
use ecs::{Entity, World};
use ecs_remote::{Options, Protocol};
use serde_json::{Value, json};

/// Defines a component with a field of each form.
fn poison() -> Value {
    json!({ "component": "Poison", "fields": [
        { "name": "damage", "type": "f32" },
        { "name": "by", "type": "entity" },
        { "name": "at", "type": { "record": [{ "name": "x", "type": "i16" }, { "name": "y", "type": "i16" }] } },
        { "name": "tags", "type": { "list": "text" } },
        { "name": "is_slow", "type": "bool" },
    ] })
}

/// A server with a world that has defined a component, and an entity with a value of it.
struct Defined {
    world: World,
    protocol: Protocol,
    entity: Entity,
}

impl Defined {
    fn new() -> Self {
        let mut defined = Self {
            world: world().0,
            protocol: Protocol::new(Options::new()),
            entity: Entity::PLACEHOLDER,
        };
        let answer = defined.call("ecs.define", poison());
        let fields =
            "{damage:f32;by:Option<Entity>;at:{x:i16;y:i16;};tags:Vec<String>;is_slow:bool;}";
        assert_eq!(answer, json!({ "component": "Poison", "version": 1, "fields": fields }));
        let ship = defined.world.entities().next().unwrap();
        let value = json!({ "damage": 2.5, "by": ship, "at": { "x": 1, "y": -2 }, "tags": ["a", "b"], "is_slow": true });
        let spawned =
            defined.call("world.spawn_entity", json!({ "components": { "Poison": value } }));
        defined.entity = Entity::from_bits(spawned["entity"].as_u64().unwrap()).unwrap();
        defined
    }

    fn try_call(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        answer(&mut self.protocol, &mut self.world, method, params)
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.try_call(method, params).unwrap_or_else(|error| panic!("{method}: {error:?}"))
    }

    #[expect(clippy::needless_pass_by_value, reason = "callers write it in place")]
    fn change(&mut self, changes: Value) -> Result<Value, (i32, String)> {
        self.try_call("ecs.redefine", json!({ "component": "Poison", "changes": changes }))
    }

    fn value(&mut self) -> Value {
        let params = json!({ "entity": self.entity, "components": ["Poison"], "strict": true });
        self.call("world.get_components", params)["Poison"].clone()
    }
}

#[test]
fn a_client_defines_a_component_and_edits_its_values() {
    let mut on = Defined::new();
    let place = Fields::new().i16("x").i16("y");
    let fields = Fields::new().f32("damage").entity("by").record("at", place);
    let fields = fields.list("tags", FieldType::Text).bool("is_slow");
    let kind = on.world.kind("Poison").unwrap();
    assert_eq!(kind.defined_fields(), Some(&fields));
    // Again, it is the same.
    assert_eq!(on.call("ecs.define", poison())["version"], 1);

    let entity = on.entity;
    on.call(
        "world.mutate_components",
        json!({ "entity": entity, "component": "Poison", "path": ".at.y", "value": 7 }),
    );
    let params =
        json!({ "entities": [entity], "component": "Poison", "path": ".tags", "json": "[\"c\"]" });
    on.call("ecs.edit", params);
    assert_eq!(
        on.value(),
        json!({ "damage": 2.5, "by": "0v1", "at": { "x": 1, "y": 7 }, "tags": ["c"], "is_slow": true })
    );
    let rows = on.call("world.query", json!({ "text": "Poison, Poison.at.y == 7" }));
    assert_eq!(rows[0]["entity"], entity.to_bits());
    let other = on.call("world.spawn_entity", json!({ "components": {} }))["entity"].clone();
    on.call("ecs.insert_default", json!({ "entity": other, "component": "Poison" }));
    assert_eq!(on.call("ecs.entities", json!({ "with": ["Poison"] }))["total"], 2);
    // A tag has no fields.
    on.call("ecs.define", json!({ "component": "mods::Cursed" }));
    on.call(
        "world.insert_components",
        json!({ "entity": entity, "components": { "mods::Cursed": {} } }),
    );
    assert_eq!(on.call("ecs.entities", json!({ "with": ["mods::Cursed"] }))["total"], 1);
}

#[test]
fn a_defined_component_is_listed_with_its_fields() {
    let mut on = Defined::new();
    let pools = on.call("ecs.pools", Value::Null);
    let pool = |name: &str| {
        pools.as_array().unwrap().iter().find(|it| it["name"] == name).unwrap().clone()
    };
    assert_eq!((&pool("Poison")["defined"], &pool("Poison")["len"]), (&json!(1), &json!(1)));
    assert_eq!(pool("Position")["defined"], Value::Null);
    assert!(
        on.call("world.list_components", Value::Null)
            .as_array()
            .unwrap()
            .contains(&json!("Poison"))
    );
    let shapes = on.call("ecs.shapes", json!({ "components": ["Poison"] }));
    let of = &shapes["Poison"]["of"];
    assert_eq!((&of[0][0], &of[0][1]["number"]), (&json!("damage"), &json!("f32")));
    assert_eq!((&of[1][1]["kind"], &of[1][1]["of"]["kind"]), (&json!("option"), &json!("entity")));
    assert_eq!((&of[2][1]["kind"], &of[2][1]["of"][1][0]), (&json!("struct"), &json!("y")));
    assert_eq!((&of[3][1]["kind"], &of[3][1]["of"]["kind"]), (&json!("list"), &json!("text")));
    let schema = on.call("registry.schema", Value::Null);
    let properties = &schema["Poison"]["properties"];
    assert_eq!(properties["damage"]["type"]["$ref"], "#/$defs/f32");
    assert_eq!(properties["at"]["type"]["$ref"], "#/$defs/Record");
    assert_eq!(schema["Record"]["properties"]["x"]["type"]["$ref"], "#/$defs/i16");
    assert_eq!(schema["Poison"]["shortPath"], "Poison");
}

#[test]
fn fields_are_added_renamed_dropped_and_converted_with_all_values() {
    let mut on = Defined::new();
    let answer = on.change(json!([
        { "add": { "field": "colour", "type": "text", "value": "green" } },
        { "add": { "field": "at.z", "type": "i16" } },
        { "rename": { "field": "damage", "to": "harm" } },
        { "drop": { "field": "tags" } },
        { "convert": { "field": "is_slow", "type": "u8" } },
    ]));
    let fields = "{harm:f32;by:Option<Entity>;at:{x:i16;y:i16;z:i16;};is_slow:u8;colour:String;}";
    assert_eq!(answer, Ok(json!({ "component": "Poison", "version": 2, "fields": fields })));
    assert_eq!(
        on.value(),
        json!({ "harm": 2.5, "by": "0v1", "at": { "x": 1, "y": -2, "z": 0 }, "is_slow": 1, "colour": "green" })
    );
    // Shapes that were found out before are found out anew.
    let shapes = on.call("ecs.shapes", json!({ "components": ["Poison"] }));
    assert_eq!(shapes["Poison"]["of"][0][0], "harm");
    let pools = on.call("ecs.pools", Value::Null);
    assert!(
        pools.as_array().unwrap().iter().any(|it| it["name"] == "Poison" && it["defined"] == 2)
    );
    let list = json!([{ "add": { "field": "all", "type": { "list": "u8" }, "value": [1, 2] } },
        { "add": { "field": "to", "type": { "record": [{ "name": "n", "type": "i64" }] }, "value": { "n": -1 } } }]);
    assert_eq!(on.change(list).unwrap()["version"], 3);
    assert_eq!((&on.value()["all"], &on.value()["to"]), (&json!([1, 2]), &json!({ "n": -1 })));
}

#[test]
fn wrong_definitions_and_changes_are_refused_and_change_nothing() {
    let mut on = Defined::new();
    let before = (on.value(), on.world.kind("Poison").unwrap());
    let mut define = |component: &str, fields: Value| {
        on.try_call("ecs.define", json!({ "component": component, "fields": fields })).unwrap_err()
    };
    let one = |name: &str, ty: Value| json!([{ "name": name, "type": ty }]);
    let (code, unknown) = define("A", one("a", json!("f23")));
    assert!(
        code == -32602 && unknown.starts_with("unknown variant `f23`, expected one of `i8`"),
        "{unknown}"
    );
    assert!(define("A", json!([{ "name": "a" }])).1.starts_with("missing field `type`"));
    assert!(
        define("A", json!([{ "name": "a", "type": "u8", "of": 1 }]))
            .1
            .contains("unknown field `of`")
    );
    assert_eq!(
        define("A", one("a b", json!("u8"))),
        (-23402, "`a b` is no name: write letters, digits and `_`, and a letter first; a component may have several such \
                  words, with `::` between them".to_owned())
    );
    assert!(
        define("A", one("a", json!({ "record": [] })))
            .1
            .starts_with("the record `a` has no fields")
    );
    assert!(
        define("Poison", one("a", json!("u8")))
            .1
            .starts_with("the world has a `Poison` with other fields")
    );
    assert!(
        define("position", one("a", json!("u8")))
            .1
            .starts_with("the world has another component `position`")
    );

    let mut change = |changes: Value| on.change(changes).unwrap_err().1;
    assert_eq!(
        change(json!([{ "drop": { "field": "none" } }])),
        "there is no field `none`: name one of the fields before the change"
    );
    assert!(
        change(json!([{ "ad": {} }]))
            .starts_with("unknown variant `ad`, expected one of `add`, `rename`")
    );
    assert!(change(json!([{ "rename": { "field": "damage" } }])).starts_with("missing field `to`"));
    assert!(
        change(
            json!([{ "drop": { "field": "by" } }, { "rename": { "field": "at", "to": "tags" } }])
        )
        .starts_with("the field `tags` is there twice")
    );
    assert_eq!(
        change(json!([{ "add": { "field": "a", "type": "u8", "value": 300 } }])),
        "no `u8`: invalid value: integer `300`, expected u8"
    );
    let record = json!({ "record": [{ "name": "n", "type": "u8" }] });
    let missing = json!([{ "add": { "field": "a", "type": record, "value": {} } }]);
    assert_eq!(change(missing), "no `{n:u8;}`: missing field `n`");
    assert_eq!(
        change(json!([{ "convert": { "field": "damage", "type": "i8" } }])),
        "`damage` of 3v1 cannot be converted: 2.5 becomes no `i8`"
    );
    assert!(
        change(json!([{ "convert": { "field": "by", "type": "i8" } }]))
            .starts_with("`by` cannot be changed")
    );
    let typed = json!({ "component": "position", "changes": [{ "drop": { "field": "x" } }] });
    let error = on.try_call("ecs.redefine", typed).unwrap_err().1;
    assert!(error.starts_with("`Position` has a type in Rust"), "{error}");
    assert_eq!((on.value(), on.world.kind("Poison").unwrap()), before);
}

#[test]
fn edits_before_a_change_of_the_fields_are_undone_after_it() {
    let mut on = Defined::new();
    let entity = on.entity;
    let edit = |path: &str, json: &str| json!({ "entities": [entity], "component": "Poison", "path": path, "json": json });
    let damage = on.call("ecs.edit", edit(".damage", "9"));
    let x = on.call("ecs.edit", edit(".at.x", "9"));
    let whole = r#"{"damage":1,"by":null,"at":{"x":3,"y":4},"tags":[],"is_slow":false}"#;
    let whole = on.call("ecs.edit", edit("", whole));
    let taken = on.call("ecs.take", json!({ "entity": entity, "component": "Poison" }));
    on.change(
        json!([{ "rename": { "field": "damage", "to": "harm" } }, { "drop": { "field": "by" } },
        { "drop": { "field": "tags" } }]),
    )
    .unwrap();
    on.call("ecs.put_back", taken);
    let value = |harm: f32, x: u8, y: i8, is_slow| json!({ "harm": harm, "at": { "x": x, "y": y }, "is_slow": is_slow });
    assert_eq!(on.value(), value(1.0, 3, 4, false));
    on.call("ecs.put_back", whole);
    assert_eq!(on.value(), value(9.0, 9, -2, true));
    on.call("ecs.put_back", x);
    assert_eq!(on.value(), value(9.0, 1, -2, true));
    let error = on.try_call("ecs.put_back", damage).unwrap_err().1;
    assert_eq!(error, "no field `damage` on the path `.damage`");
    assert_eq!(on.value(), value(9.0, 1, -2, true));
    // An inserted component is removed, also with other fields.
    let other = on.call("world.spawn_entity", json!({ "components": {} }))["entity"].clone();
    let harm = r#"{"harm":1,"at":{"x":3,"y":4},"is_slow":false}"#;
    let params = json!({ "entities": [other], "component": "Poison", "json": harm });
    let inserted = on.call("ecs.edit", params);
    on.change(json!([{ "drop": { "field": "at" } }])).unwrap();
    on.call("ecs.put_back", inserted);
    assert_eq!(on.call("ecs.entities", json!({ "with": ["Poison"] }))["total"], 1);
}

#[test]
fn a_snapshot_of_the_fields_before_is_restored() {
    let mut on = Defined::new();
    on.call("ecs.snapshot", json!({ "name": "before" }));
    on.change(json!([{ "rename": { "field": "damage", "to": "harm" } }])).unwrap();
    let mutate = json!({ "entity": on.entity, "component": "Poison", "path": ".harm", "value": 9 });
    on.call("world.mutate_components", mutate);
    on.call("ecs.restore", json!({ "name": "before" }));
    assert_eq!(on.value()["harm"], 2.5);
}

#[test]
fn a_change_of_fields_beyond_the_budget_is_refused_and_changes_nothing() {
    let mut on = Defined::new();
    for _ in 0..60 {
        on.call("world.spawn_entity", json!({ "components": {} }));
    }
    let entities: Vec<Entity> = on.world.entities().collect();
    let poison = on.world.kind("Poison").unwrap();
    for entity in entities {
        on.world.insert_kind_default(poison, entity).unwrap();
    }
    let mut refused = |options: Options, changes: Value| {
        on.protocol = Protocol::new(options);
        let before = on.world.save().leave_out_rest().to_vec();
        let error = on.change(changes).unwrap_err();
        assert_eq!(on.world.save().leave_out_rest().to_vec(), before);
        error
    };
    let rename = json!([{ "rename": { "field": "damage", "to": "harm" } }]);
    let (code, error) = refused(Options::new().frame_values(300), rename.clone());
    assert!(code == -32000 && error.contains("raise `Options::frame_values`"), "{error}");
    let (_, error) = refused(Options::new().frame_bytes(500), rename.clone());
    assert!(error.contains("raise `Options::frame_bytes`"), "{error}");
    // A value of 2,000 bytes for each of 64 entities.
    let long = json!([{ "add": { "field": "text", "type": "text", "value": "x".repeat(2_000) } }]);
    let (_, error) = refused(Options::new().frame_bytes(100_000), long.clone());
    assert!(error.contains("raise `Options::frame_bytes`"), "{error}");
    on.protocol = Protocol::new(Options::new());
    on.change(long).unwrap();
    on.change(rename).unwrap();
    assert_eq!(on.world.kind_entities(on.world.kind("Poison").unwrap()).len(), 64);
}

#[test]
fn a_read_only_server_refuses_definitions() {
    let mut protocol = Protocol::new(Options::new().read_only());
    let mut world = World::new();
    for (method, params) in [
        ("ecs.define", poison()),
        ("ecs.redefine", json!({ "component": "Poison", "changes": [] })),
    ] {
        let error = answer(&mut protocol, &mut world, method, params).unwrap_err();
        assert_eq!(error.1, format!("Method `{method}` is refused: this server is read-only"));
    }
    assert!(world.kind("Poison").is_err());
}
