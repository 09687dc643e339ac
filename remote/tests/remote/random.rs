//! Random requests: each is answered or refused, and a refused one changes nothing.
//!
//! `ECS_REQUESTS` sets their number, `ECS_SEED` the first seed.

use crate::common::*;
use ecs::by_name::{Fields, Kind};
use ecs::{ChildOf, Component, Entity, Name, World};
use ecs_remote::{Options, Protocol};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

#[derive(Component, Serialize, Deserialize)]
#[component(save = "table")]
struct Table(#[component(entities = ignore)] BTreeMap<(u8, u8), u8>);

#[derive(Component, Serialize, Deserialize)]
#[component(save = "pole", excludes(ChildOf))]
struct Pole(u8);

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() >> 11).unwrap() % end
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }

    fn some<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| make(self)).collect()
    }

    /// Returns any value.
    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 9 } else { 11 }) {
            0 => Value::Null,
            1 => json!(true),
            2 => json!(self.below(5)),
            3 => json!(self.next()),
            4 => json!(-1.5e300),
            5 => json!("x".repeat(self.below(40))),
            6 => json!("3v1"),
            7 => json!({ "x": self.below(9), "y": 1.5 }),
            8 => self.pick(&[json!("Rest"), json!({ "Wait": 3 }), json!({}), json!([])]),
            9 => self.some(4, |it| it.value(depth - 1)).into(),
            _ => {
                let fields = self.some(4, |it| (it.name(), it.value(depth - 1)));
                Map::from_iter(fields).into()
            }
        }
    }

    fn name(&mut self) -> String {
        const NAMES: &[&str] = &[
            "position",
            "plan",
            "Socket",
            "locked",
            "marker",
            "follows",
            "table",
            "pole",
            "Name",
            "ecs::ChildOf",
            "bevy_ecs::hierarchy::ChildOf",
            "remote::common::Position",
            "nothing",
            "",
            "clock",
            "explosion",
            "x",
            "Poison",
            "Potion",
        ];
        self.pick(NAMES).to_owned()
    }

    fn field_type(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 8 } else { 10 }) {
            0 => json!("f23"),
            8 => json!({ "list": self.field_type(depth - 1) }),
            9 => json!({ "record": self.fields(depth - 1) }),
            _ => self.pick(&["u8", "i16", "f32", "bool", "entity", "text"]).into(),
        }
    }

    fn fields(&mut self, depth: usize) -> Value {
        const NAMES: &[&str] = &["x", "y", "z", "at", "a b"];
        self.some(4, |it| json!({ "name": it.pick(NAMES), "type": it.field_type(depth) })).into()
    }

    fn change(&mut self) -> Value {
        let field = self.pick(&["x", "y", "z", "at", "at.x", "none"]);
        match self.below(5) {
            0 => json!({ "drop": { "field": field } }),
            1 => json!({ "rename": { "field": field, "to": self.pick(&["x", "y", "w", ""]) } }),
            2 => json!({ "convert": { "field": field, "type": self.field_type(1) } }),
            3 => {
                json!({ "add": { "field": field, "type": self.field_type(1), "value": self.value(1) } })
            }
            _ => json!({ "add": { "field": field, "type": self.field_type(1) } }),
        }
    }

    fn entity(&mut self, world: &World) -> Value {
        let alive: Vec<Entity> = world.entities().collect();
        match self.below(20) {
            0 => json!("9999v1"),
            1 => json!(self.next()),
            2 => Value::Null,
            _ if alive.is_empty() => json!(0),
            3 => json!(self.pick(&alive).to_bits()),
            _ => json!(self.pick(&alive)),
        }
    }

    /// Returns a value for a parameter of this name.
    fn parameter(&mut self, name: &str, method: &str, world: &World) -> Value {
        if self.below(40) == 0 {
            return self.value(3);
        }
        match name {
            "entity" | "target" | "parent" | "cursor" => self.entity(world),
            "entities" | "open" => self.some(5, |it| it.entity(world)).into(),
            "components" if method.contains("insert") || method.contains("spawn") => {
                let fields = self.some(3, |it| (it.name(), it.value(2)));
                Map::from_iter(fields).into()
            }
            "components" | "with" | "without" | "resources" | "with_crates" => {
                self.some(4, Self::name).into()
            }
            "component" if method.ends_with("define") => {
                self.pick(&["Poison", "Potion", "Name"]).into()
            }
            "fields" => self.fields(2),
            "changes" => self.some(2, Self::change).into(),
            "component" | "relation" | "resource" | "event" | "message" => self.name().into(),
            "path" => self.pick(&["", ".x", ".y", ".0", ".Go.to.x", ".to", "[1]", ".x.y"]).into(),
            "json" => self.pick(&["1", "{\"x\":1,\"y\":2}", "{", "[]", "null", "\"Rest\""]).into(),
            "text" => {
                self.pick(&["", "sh", "position.x=1", "Name!=ship", "table=1", "plan<3"]).into()
            }
            "name" => self.pick(&["a", "b"]).into(),
            "taken" => self.below(40).into(),
            "limit" | "offset" | "count" | "after" => self.pick(&[0, 1, 3, 900, usize::MAX]).into(),
            "strict" | "forget" => json!(self.below(2) == 0),
            "data" => json!({
                "components": self.some(2, Self::name),
                "option": if self.below(3) == 0 { json!("all") } else { self.some(3, Self::name).into() },
                "has": self.some(2, Self::name),
            }),
            "filter" => {
                json!({ "with": self.some(1, Self::name), "without": self.some(2, Self::name) })
            }
            _ => self.value(2),
        }
    }
}

/// Returns all that can be seen of a world, without orders of pools.
fn picture(world: &World) -> (BTreeMap<Entity, Vec<String>>, Vec<String>) {
    let defined = |kind: Kind| Some(format!("{kind}: {}", kind.defined_fields()?));
    let mut defined: Vec<String> = world.kinds().filter_map(defined).collect();
    defined.sort();
    let relations: Vec<_> = world.kinds().filter(|kind| kind.is_relation()).collect();
    let picture = |entity: Entity| {
        let values = world.kind_values(entity).map(|value| {
            let text = match value.as_serialize() {
                Some(value) => serde_json::to_string(value).unwrap_or_else(|it| it.to_string()),
                None => String::new(),
            };
            format!("{}: {text}", value.kind().type_name())
        });
        let mut all: Vec<String> = values.collect();
        all.sort();
        for relation in &relations {
            let sources: Vec<Entity> = world.kind_related(*relation, entity).collect();
            all.push(format!("{sources:?}"));
        }
        (entity, all)
    };
    (world.entities().map(picture).collect(), defined)
}

fn start() -> (World, Protocol) {
    let (mut world, [ship, gun, _]) = world();
    world.register::<Table>();
    world.spawn((Table(BTreeMap::from([((1, 2), 3)])), Position::default()));
    world.spawn((Pole(1), Follows(gun)));
    world.spawn((Locked, ChildOf(ship)));
    for at in 0..12_u16 {
        world.spawn((Name::new(format!("n{at}")), Position { x: at.into(), y: 0.5 }, ChildOf(gun)));
    }
    let poison = world.define("Poison", Fields::new().f32("x").entity("y")).unwrap();
    for _ in 0..4 {
        let entity = world.spawn_empty().id();
        world.insert_kind_default(poison, entity).unwrap();
    }
    let options = Options::new().frame_bytes(3_000).frame_values(400).limits(50, 20_000);
    let options = options.event::<Explosion>("explosion").queue::<Explosion>("explosion");
    (world, Protocol::new(options))
}

#[test]
fn random_requests_are_answered_or_change_nothing() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |it| it.parse().expect("a number"))
    };
    let mut random = Random(number("ECS_SEED", 1).max(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let (mut world, mut protocol) = start();
    let about = call(&mut world, "rpc.discover", Value::Null).unwrap();
    let methods: Vec<(String, Vec<String>)> = about["methods"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            let params =
                it["x-params"].as_array().unwrap().iter().map(|it| it.as_str().unwrap().to_owned());
            (it["name"].as_str().unwrap().to_owned(), params.collect())
        })
        .collect();
    let (mut answered, mut refused) = (0_u64, BTreeMap::<i32, u64>::new());
    for at in 0..number("ECS_REQUESTS", 4_000) {
        if at % 500 == 0 || world.len() > 60 || world.len() < 6 {
            world.check_invariants();
            (world, protocol) = start();
        }
        let (method, names) = random.pick(&methods);
        let mut params = Map::new();
        for name in names {
            let name = name.trim_end_matches('?');
            if random.below(8) > 0 {
                params.insert(name.to_owned(), random.parameter(name, &method, &world));
            }
        }
        let params = if random.below(100) == 0 { random.value(3) } else { params.into() };
        let before = picture(&world);
        match protocol.answer(&mut world, &[], &method, params.clone()) {
            Ok(text) => {
                answered += 1;
                serde_json::from_str::<Value>(&text)
                    .unwrap_or_else(|it| panic!("{method}: {it}: {text}"));
                assert!(text.len() <= 20_000 + 3_000, "{method} {params}: {} bytes", text.len());
            }
            Err(error) => {
                *refused.entry(error.code).or_default() += 1;
                assert!(!error.message.contains("panicked"), "{method} {params}: {error}");
                assert_eq!(picture(&world), before, "{method} {params}: {error}");
            }
        }
    }
    world.check_invariants();
    println!("{answered} answered, refused by code: {refused:?}");
    assert!(answered > 1_000 && refused.len() > 5);
}
