//! Files that are full of one thing each: none takes more memory than the limits allow, be it loaded or refused.

use crate::counting::uncounted;
use crate::hostile::{Big, empty, knowing, within};
use crate::worlds::{Friends, Number, Tag, Text};
use ecs::save::{Follower, Limits, WorldSeed};
use ecs::{ChildOf, Component, Group, Name, Res, Resource, World};
use serde::de::{DeserializeSeed, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::{Command, Output};

#[derive(Component, Serialize, Deserialize, Default)]
#[component(save = "nested")]
struct Nested(Vec<Vec<Vec<u8>>>);
#[derive(Component, Serialize, Deserialize, Default)]
#[component(save = "lines")]
struct Lines(Vec<String>);
#[derive(Component, Serialize, Deserialize, Default)]
#[component(save = "sets")]
struct Sets(Vec<BTreeSet<Option<[u64; 8]>>>, Vec<HashSet<u64>>, Vec<VecDeque<[u16; 9]>>);
#[derive(Component, Serialize, Deserialize, Default)]
#[component(save = "maps")]
struct Maps(Vec<BTreeMap<u8, Option<[u64; 8]>>>, HashMap<u16, String>);
#[derive(Component, Serialize, Deserialize, Default)]
#[component(save = "vast")]
struct Vast(Vec<Option<[[u64; 32]; 32]>>);
#[derive(Component, Serialize, Deserialize, Default)]
#[component(save = "boxes")]
struct Boxes(Vec<Option<Box<Option<[u64; 32]>>>>, Vec<Kinds>);
#[derive(Component, Serialize, Deserialize, Default)]
#[component(save = "small boxes")]
#[expect(clippy::vec_box, reason = "that is what is tried")]
struct SmallBoxes(Vec<Box<(u64, Option<u64>)>>, BTreeMap<(u64, [u64; 7]), u8>);
#[derive(Serialize, Deserialize)]
enum Kinds {
    Large(Box<[Option<[u64; 8]>; 4]>),
    Named { text: String },
}
#[derive(Component, Serialize, Deserialize, Default)]
#[component(save = "points", layout = "soa")]
#[derive(Clone)]
struct Points {
    x: u64,
    label: String,
}
/// Bytes that are no list.
#[derive(Component, Default)]
#[component(save = "blob")]
struct Blob(Vec<u8>);
impl Serialize for Blob {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}
impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Blob;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Blob, E> {
                Ok(Blob(bytes.to_vec()))
            }
        }
        deserializer.deserialize_byte_buf(Bytes)
    }
}
#[derive(Resource, Serialize, Deserialize)]
#[resource(save = "notes")]
struct Notes(Vec<String>);

/// Returns a world with all of these registered, with groups that keep lists and groups that own pools.
fn known() -> World {
    let mut world = knowing();
    world
        .register::<(Nested, Lines, Sets, Maps, Vast, Boxes, SmallBoxes, Blob, Points, Res<Notes>)>(
        );
    world.declare_group(Group::observing::<(Number, Tag)>().without::<Text>()).unwrap();
    world.declare_group(Group::owning::<(Text, Points)>()).unwrap();
    world
}

/// Returns the memory beside the loaded world: an empty world with its groups, and an error. At least 32 kB.
fn slack() -> usize {
    4 * empty(&knowing())
}

/// Checks that each limit holds, beside this many bytes, for any result: limits at which it is just read are among
/// them, and just refused. Returns whether it is read under the greatest one.
#[track_caller]
fn holds(name: &str, beside: usize, mut read: impl FnMut(&Limits) -> bool) -> bool {
    let slack = slack();
    let mut reads = |limits: Limits, memory| {
        let mut is_read = false;
        let run = || is_read = read(&limits.memory(memory));
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| within(memory + slack + beside, run)))
        {
            println!("{name}, {memory} bytes");
            resume_unwind(panic);
        }
        is_read
    };
    let (limits, [mut low, mut high]) = (Limits::default(), [1_000, 100_000_000]);
    let is_read = reads(limits, high);
    while high > low + low / 5 {
        let middle = low * (high / low).isqrt().max(1) * 11 / 10;
        *if reads(limits, middle) { &mut high } else { &mut low } = middle;
    }
    for memory in [0, low, high] {
        reads(limits.keep_unknown(), memory);
    }
    is_read
}

fn number(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(u8::try_from(number & 0x7f).unwrap() | 0x80);
        number >>= 7;
    }
    bytes.push(u8::try_from(number).unwrap());
    bytes
}

fn block(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u64).to_le_bytes()[..], bytes].concat()
}

fn text(text: &str) -> Vec<u8> {
    [number(text.len()), text.as_bytes().to_vec()].concat()
}

/// Parts with their names, each in version 1.
fn parts(all: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = number(all.len());
    for (name, part) in all {
        bytes.extend([text(name), vec![1, 0, 0, 0, 0], block(part)].concat());
    }
    bytes
}

/// A world of this many indices, all alive, with components, resources and groups.
fn world(indices: usize, components: &[u8], resources: &[u8], groups: &[u8]) -> Vec<u8> {
    let entities = [number(indices), vec![1; indices], vec![0]].concat();
    [b"ecs\x04w", &entities[..], components, resources, groups, &[0]].concat()
}

/// A component of one entity, with this value.
fn of_one(name: &str, value: &[u8]) -> Vec<u8> {
    world(1, &parts(&[(name, [&[1, 0, 0], value].concat())]), &[0], &[0])
}

/// Returns a list of `count` items.
fn many(count: usize, item: &[u8]) -> Vec<u8> {
    [number(count), item.repeat(count)].concat()
}

const MANY: usize = 8_000;

fn names() -> Vec<String> {
    (0..MANY / 4).map(|it| format!("{it:06}")).collect()
}

#[test]
#[expect(clippy::too_many_lines, reason = "it is a list of cases")]
fn bytes_stay_within_limits() {
    let names = names();
    let empty_parts: Vec<_> = names.iter().map(|name| (name.as_str(), Vec::new())).collect();
    let full_parts: Vec<_> = names.iter().map(|name| (name.as_str(), vec![1, 0, 0, 7])).collect();
    // One member a page.
    let pages = 150;
    let steps: Vec<u8> =
        (0..pages).flat_map(|it| if it == 0 { number(0) } else { number(2 * 1_023) }).collect();
    let scattered = |flags: u8, forms: &[u8], values: &[u8]| {
        [&number(pages)[..], &[flags], &steps, forms, values].concat()
    };
    let of_pages =
        |name: &str, part: Vec<u8>| world(pages * 1_024, &parts(&[(name, part)]), &[0], &[0]);
    let forms = [number(pages), [3, 0].repeat(pages)].concat();
    let children: Vec<u8> = [0x81, 0x80, 0x80, 0x80, 0x10].repeat(pages); // of 1v1
    let lists = [number(1), number(pages), (0..pages).flat_map(number).collect()].concat();
    let tags = [&number(MANY)[..], &[0], &vec![0; MANY], &vec![0; MANY]].concat();
    let members = [&number(MANY)[..], &[0], &vec![0; MANY]].concat();
    let long = "x".repeat(10 * MANY);
    let in_order = [number(MANY), (0..MANY).flat_map(number).collect()].concat();
    let group = [&[1, 2, 0, 1, 1, 2][..], &in_order].concat();
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("groups", world(0, &[0], &[0], &many(MANY, &[0, 0, 0]))),
        (
            "terms",
            world(1, &parts(&[("number", vec![1, 0, 0, 7])]), &[0], &{
                [&[1][..], &many(MANY, &[0]), &many(MANY, &[0]), &[0]].concat()
            }),
        ),
        ("members of groups", world(1, &[0], &[0], &[&[1, 0, 0][..], &many(MANY, &[0])].concat())),
        ("indices", world(MANY, &[0], &[0], &[0])),
        (
            "free handles",
            [
                &b"ecs\x04w"[..],
                &many(MANY, &[0]),
                &number(MANY),
                &{ (0..MANY).flat_map(|it| [number(it), vec![1]].concat()).collect::<Vec<u8>>() },
                &[0, 0, 0, 0],
            ]
            .concat(),
        ),
        ("unknown names", world(1, &parts(&empty_parts), &[0], &[0])),
        ("unknown components", world(1, &parts(&full_parts), &[0], &[0])),
        ("unknown resources", world(1, &[0], &parts(&full_parts), &[0])),
        (
            "bytes of an unknown resource",
            world(0, &[0], &parts(&[("unknown", long.as_bytes().to_vec())]), &[0]),
        ),
        ("a long name", world(1, &parts(&[(&long, vec![1, 0, 0, 7])]), &[0], &[0])),
        ("unknown bytes", of_one("unknown", long.as_bytes())),
        ("unknown members", world(MANY, &parts(&[("unknown", members.clone())]), &[0], &[0])),
        ("strings", of_one("lines", &many(MANY, &text("ab")))),
        ("a resource", world(0, &[0], &parts(&[("notes", many(MANY, &text("ab")))]), &[0])),
        ("a long string", of_one("text", &text(&long))),
        ("a blob", of_one("blob", &text(&long))),
        ("nested lists", of_one("nested", &many(MANY, &[1, 0]))),
        ("deeply nested lists", of_one("nested", &many(MANY / 2, &[2, 1, 1, 0]))),
        ("sets", of_one("sets", &[&many(MANY, &[1, 0])[..], &[0, 0]].concat())),
        ("sets of hashes", of_one("sets", &[&[0][..], &many(MANY, &[1, 7]), &[0]].concat())),
        (
            "queues",
            of_one(
                "sets",
                &[&[0, 0][..], &many(MANY / 8, &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1])].concat(),
            ),
        ),
        ("maps", of_one("maps", &[&many(MANY, &[1, 3, 0])[..], &[0]].concat())),
        (
            "a map",
            of_one(
                "maps",
                &[&[0][..], &number(MANY / 2), &{
                    (0..MANY / 2)
                        .flat_map(|it| [number(it % 65_536), text("a")].concat())
                        .collect::<Vec<u8>>()
                }]
                .concat(),
            ),
        ),
        ("large elements", of_one("vast", &many(MANY, &[0]))),
        ("few large elements", of_one("vast", &many(40, &[0]))),
        ("boxes", of_one("boxes", &[&many(MANY, &[1, 0])[..], &[0]].concat())),
        ("variants", of_one("boxes", &[&[0][..], &many(MANY, &[0, 0, 0, 0, 0])].concat())),
        ("small boxes", of_one("small boxes", &[&many(MANY, &[0, 0])[..], &[0]].concat())),
        (
            "large keys",
            of_one("small boxes", &{
                let key = |it| [&number(it)[..], &[0; 8]].concat();
                [&[0][..], &number(MANY), &(0..MANY).flat_map(key).collect::<Vec<_>>()].concat()
            }),
        ),
        ("handles", of_one("friends", &many(MANY, &[0x80, 0x80, 0x80, 0x80, 0x10]))),
        ("zero-sized values", world(MANY, &parts(&[("tag", members.clone())]), &[0], &[0])),
        (
            "columns",
            world(MANY, &parts(&[("points", [&tags[..], &vec![0; MANY]].concat())]), &[0], &[0]),
        ),
        (
            "a listed group",
            world(
                MANY,
                &parts(&[("number", tags.clone()), ("tag", members.clone()), ("text", vec![0, 0])]),
                &[0],
                &group,
            ),
        ),
        (
            "an owning group",
            world(
                2 * MANY,
                &parts(&[
                    (
                        "points",
                        [&number(MANY)[..], &[0], &vec![0; MANY], &vec![0; 2 * MANY]].concat(),
                    ),
                    (
                        "text",
                        [
                            &number(MANY)[..],
                            &[0],
                            &number(MANY),
                            &vec![0; MANY - 1],
                            &vec![0; MANY],
                        ]
                        .concat(),
                    ),
                ]),
                &[0],
                &[0],
            ),
        ),
        ("members on pages", of_pages("number", scattered(0, &[], &vec![7; pages]))),
        ("wide pages", of_pages("number", scattered(1, &forms, &vec![7; pages]))),
        ("pages of a relation", of_pages("ecs::ChildOf", scattered(2, &lists, &children))),
        (
            "parts of one name",
            world(1, &parts(&vec![("number", vec![1, 0, 0, 7]); MANY / 4]), &[0], &[0]),
        ),
        (
            "members in several parts",
            world(MANY, &parts(&vec![("tag", tags.clone()); 4]), &[0], &[0]),
        ),
        (
            "pages in several parts",
            world(
                pages * 1_024,
                &parts(&vec![("number", scattered(1, &forms, &vec![7; pages])); 3]),
                &[0],
                &[0],
            ),
        ),
        (
            "a relation in several parts",
            world(
                pages * 1_024,
                &parts(&vec![
                    ("ecs::ChildOf", scattered(2, &lists, &children[..5].repeat(pages)));
                    3
                ]),
                &[0],
                &[0],
            ),
        ),
        ("empty lists of a relation", of_one("ecs::ChildOf", &[&[][..], &[0]].concat())),
        (
            "lists of a relation",
            world(
                1,
                &parts(&[("ecs::ChildOf", [&[0, 2][..], &many(MANY, &[0])].concat())]),
                &[0],
                &[0],
            ),
        ),
    ];
    let (known, mut read) = (known(), Vec::new());
    for (name, bytes) in &cases {
        if holds(name, 0, |limits| known.read(bytes, limits).is_ok()) {
            read.push(*name);
        }
    }
    println!("{read:?}");
    assert!(read.len() > cases.len() / 2, "{read:?}");
}

/// A text with one entity, and a component with this value of it.
fn text_of_one(name: &str, value: &str) -> String {
    let part = format!(r#""{name}":{{"version":1,"values":[["0v1",{value}]]}}"#);
    format!(r#"{{"entities":["0v1"],"free":[],"components":{{{part}}}}}"#)
}

#[test]
#[expect(clippy::too_many_lines, reason = "it is a list of cases")]
fn texts_stay_within_limits() {
    let list = |items: &mut dyn Iterator<Item = String>| {
        format!("[{}]", items.collect::<Vec<_>>().join(","))
    };
    let many = |count: usize, item: &str| format!("[{}]", vec![item; count].join(","));
    let (none, all) = ("\"components\":{}", MANY / 2);
    let names: Vec<String> = names().iter().map(|name| format!("\"{name}\":0")).collect();
    let long = "x".repeat(10 * MANY);
    let entities = list(&mut (0..all).map(|it| format!("\"{it}v1\"")));
    let values = |step: usize, value: &str| {
        list(&mut (0..all).step_by(step).map(|it| format!("[\"{it}v1\",{value}]")))
    };
    let part = |name: &str, step: usize, value: &str| {
        format!(r#""{name}":{{"version":1,"values":{}}}"#, values(step, value))
    };
    let with = |components: &str| {
        format!(r#"{{"entities":{entities},"free":[],"components":{{{components}}}}}"#)
    };
    let order = list(&mut (0..all).step_by(1_024).map(|it| format!("\"{it}v1\"")));
    let children = part("ecs::ChildOf", 1_024, "\"1v1\"");
    let related = children.replace("]]}", &format!("]],\"order\":[{order}]}}"));
    let listed = [part("number", 1, "7"), part("tag", 1, "null")].join(",");
    let owned = [part("points", 1, r#"{"x":1,"label":""}"#), part("text", 2, "\"\"")].join(",");
    let eight = "[1,1,1,1,1,1,1,1]";
    let cases: Vec<(&str, String)> = vec![
        ("entities", with("")),
        ("free handles", format!(r#"{{"entities":[],"free":{entities},{none}}}"#)),
        (
            "retired indices",
            format!(r#"{{"entities":[],"retired":{},"free":[],{none}}}"#, {
                list(&mut (0..all).map(|it| it.to_string()))
            }),
        ),
        (
            "unknown names",
            format!(r#"{{"entities":[],"free":[],"components":{{{}}}}}"#, names.join(",")),
        ),
        (
            "unknown resources",
            format!(r#"{{"entities":[],"free":[],{none},"resources":{{{}}}}}"#, names.join(",")),
        ),
        ("a long name", text_of_one(&long, "0")),
        ("a long key", format!(r#"{{"{long}":0}}"#)),
        ("unknown lists", text_of_one("unknown", &many(all, "[[]]"))),
        ("strings", text_of_one("lines", &many(all, "\"ab\""))),
        (
            "a resource",
            format!(
                r#"{{"entities":[],"free":[],{none},"resources":{{"notes":{{"version":1,"value":{}}}}}}}"#,
                many(all, "\"ab\"")
            ),
        ),
        ("a long string", text_of_one("text", &format!("\"{long}\""))),
        ("a string for a number", text_of_one("number", &format!("\"{long}\""))),
        ("a string for a variant", text_of_one("boxes", &format!("[[],[\"{long}\"]]"))),
        ("a string for a handle", format!(r#"{{"entities":["{long}"]}}"#)),
        ("nested lists", text_of_one("nested", &many(all, "[[]]"))),
        ("deeply nested lists", text_of_one("nested", &many(all, "[[1],[]]"))),
        ("sets", text_of_one("sets", &format!("[{},[],[]]", many(all, "[null]")))),
        ("sets of hashes", text_of_one("sets", &format!("[[],{},[]]", many(all, "[7]")))),
        (
            "queues",
            text_of_one("sets", &format!("[[],[],{}]", many(all / 8, "[[1,1,1,1,1,1,1,1,1]]"))),
        ),
        ("maps", text_of_one("maps", &format!("[{},{{}}]", many(all, r#"{"3":null}"#)))),
        ("large elements", text_of_one("vast", &many(all, "null"))),
        ("few large elements", text_of_one("vast", &many(40, "null"))),
        ("boxes", text_of_one("boxes", &format!("[{},[]]", many(all, "null")))),
        (
            "variants",
            text_of_one(
                "boxes",
                &format!(
                    "[[],{}]",
                    many(all / 8, &format!(r#"{{"Large":[{eight},null,null,null]}}"#))
                ),
            ),
        ),
        (
            "named variants",
            text_of_one("boxes", &format!("[[],{}]", many(all / 8, r#"{"Named":{"text":"a"}}"#))),
        ),
        ("small boxes", text_of_one("small boxes", &format!("[{},{{}}]", many(all, "[0,null]")))),
        ("handles", text_of_one("friends", &many(all, "\"0v1\""))),
        ("numbers", with(&part("number", 1, "7"))),
        ("members on pages", with(&part("number", 1_000, "7"))),
        ("a listed group", with(&listed)),
        ("an owning group", with(&owned)),
        ("pages of a relation", with(&related)),
        (
            "lists of a relation",
            with(&children.replace("]]}", &format!("]],\"order\":{}}}", many(all, "[]")))),
        ),
    ];
    let (known, mut read) = (known(), Vec::new());
    for (name, text) in &cases {
        // The format repeats the unexpected string in its error.
        let beside = if *name == "a string for a number" { 4 * long.len() } else { 0 };
        let is_read = holds(name, beside, |limits| {
            let mut from = serde_json::Deserializer::from_str(text);
            WorldSeed::new(&known, limits).deserialize(&mut from).is_ok()
        });
        if is_read {
            read.push(*name);
        }
    }
    println!("{read:?}");
    assert!(read.len() > cases.len() / 2, "{read:?}");
}

thread_local! {
    static LIMITS: Cell<Limits> = Cell::new(Limits::default());
}

/// A world that is read within the limits of its thread, in a format that takes no seeds.
struct Within;

impl<'de> Deserialize<'de> for Within {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        WorldSeed::new(&known(), &LIMITS.get()).deserialize(deserializer).map(|_| Self)
    }
}

/// Formats that say how long a list is are believed no more than bytes are.
#[test]
fn promised_lengths_take_nothing() {
    let mut world = known();
    world.spawn(Vast(vec![None]));
    world.spawn(Nested(vec![vec![vec![1]]]));
    let mut bytes = Vec::new();
    ciborium::into_writer(&world.save(), &mut bytes).unwrap();
    let read = |bytes: &[u8], limits: &Limits| {
        LIMITS.set(*limits);
        ciborium::from_reader::<Within, _>(bytes).is_ok()
    };
    assert!(read(&bytes, &Limits::default()));
    let slack = slack();
    // A list of one element claims to have 2^60.
    let huge = [0x9b, 0x10, 0, 0, 0, 0, 0, 0, 0];
    for at in (0..bytes.len()).filter(|at| bytes[*at] == 0x81) {
        let promised = [&bytes[..at], &huge, &bytes[at + 1..]].concat();
        let limits = Limits::default().memory(50_000);
        within(50_000 + slack, || assert!(!read(&promised, &limits)));
    }
}

#[test]
fn deltas_stay_within_limits() {
    let mut before = known();
    let entities = before.spawn_batch((0..50).map(|it| (Number(it), Tag)));
    before.insert(entities[3], (ChildOf(entities[4]), Text(String::new()))).unwrap();
    let same = [&number(50)[..], &number(50), &[0, 0, 0, 0]].concat();
    let grown = [
        &number(50)[..],
        &number(50 + MANY),
        &[0],
        &number(MANY),
        &{ [number(50), vec![1], [0, 1].repeat(MANY - 1)].concat() },
        &[0, 0],
    ]
    .concat();
    let names = names();
    let of = |entities: &[u8], components: &[(&str, Vec<u8>)], groups: &[u8]| {
        [b"ecs\x04d", entities, &parts(components), groups, &[0]].concat()
    };
    let empty_parts: Vec<_> = names.iter().map(|name| (name.as_str(), Vec::new())).collect();
    let name = [&[1][..], &many(MANY, &text("number")), &[0, 0]].concat();
    let value = |value: Vec<u8>| [&[1, 33, 0, 1, 0, 0, 1, 12, 0, 1, 0][..], &value].concat();
    // All that are new come to a pool.
    let steps = [number(2 * 50), vec![0; MANY - 1]].concat();
    let all: Vec<u8> = vec![0; MANY];
    let pages = (50 + MANY) / 1_024 + 1;
    let coming = [
        &number(MANY)[..],
        &[33, 0],
        &number(MANY),
        &all,
        &steps,
        &number(pages),
        &{ [3, 0].repeat(pages) },
        &number(MANY),
        &all,
        &all,
    ]
    .concat();
    let cases = [
        ("groups", of(&same, &[], &many(MANY, &[0, 0, 0]))),
        ("terms", of(&same, &[], &name)),
        ("members of groups", of(&same, &[], &[&[1, 0, 0][..], &many(MANY, &[0])].concat())),
        ("indices", of(&grown, &[], &[0])),
        ("unknown names", of(&same, &empty_parts, &[0])),
        ("a long name", of(&same, &[(&"x".repeat(MANY), Vec::new())], &[0])),
        (
            "positions",
            of(&same, &[("number", [&[50, 32, 50, 0][..], &many(MANY, &[0])].concat())], &[0]),
        ),
        ("strings", of(&same, &[("lines", value(many(MANY, &text("a"))))], &[0])),
        ("nested lists", of(&same, &[("nested", value(many(MANY, &[1, 0])))], &[0])),
        ("large elements", of(&same, &[("vast", value(many(MANY, &[0])))], &[0])),
        ("members", of(&grown, &[("big", coming.clone())], &[0])),
        ("zero-sized members", of(&grown, &[("units", coming)], &[0])),
        (
            "lists",
            of(&same, &[("ecs::ChildOf", [&[1, 34, 1, 0][..], &many(MANY, &[0])].concat())], &[0]),
        ),
    ];
    let mut applied = Vec::new();
    for (name, bytes) in &cases {
        let is_applied = holds(name, 0, |limits| {
            let mut world = uncounted(|| {
                let mut world = known();
                world.copy_from(&before).unwrap();
                world
            });
            world.apply_delta(bytes, limits).is_ok()
        });
        if is_applied {
            applied.push(*name);
        }
    }
    println!("{applied:?}");
    assert!(applied.len() > 5, "{applied:?}");
}

#[test]
fn change_sets_stay_within_limits() {
    let handles = [number(MANY), vec![0; MANY], vec![1; MANY]].concat();
    let far = |first: usize| -> Vec<u8> {
        (0..200).flat_map(|it| number(2 * if it == 0 { first } else { 1_023 })).collect()
    };
    let of = |ended: &[u8], components: &[(&str, Vec<u8>)]| {
        let parts = components.iter().enumerate();
        let parts = parts.flat_map(|(at, (name, part))| {
            [number(at), text(name), vec![1, 0, 0, 0, 0], part.clone()].concat()
        });
        let count = number(components.len());
        [b"ecs\x04c\x01\x06", ended, &count, &parts.collect::<Vec<u8>>()].concat()
    };
    let names = names();
    let empty_parts: Vec<_> = names.iter().map(|name| (name.as_str(), vec![0, 8])).collect();
    let child: Vec<u8> = [0x80, 0x80, 0x80, 0x80, 0x10].to_vec();
    let value = |value: Vec<u8>| [&[1, 8, 0, 1][..], &value].concat();
    let changed = |count: usize, steps: &[u8], values: &[u8]| {
        [&number(count)[..], &[8], steps, &vec![1; count], values].concat()
    };
    let cases = [
        ("ended", of(&handles, &[])),
        ("lost", of(&[0], &[("friends", [vec![0, 8 | 64], handles].concat())])),
        ("changed", of(&[0], &[("number", changed(MANY, &vec![0; MANY], &vec![7; MANY]))])),
        ("pages", of(&[0], &[("number", changed(200, &far(0), &[7; 200]))])),
        ("relations", of(&[0], &[("ecs::ChildOf", changed(200, &far(1_024), &child.repeat(200)))])),
        ("unknown names", of(&[0], &empty_parts)),
        ("a long name", of(&[0], &[(&"x".repeat(MANY), Vec::new())])),
        ("strings", of(&[0], &[("lines", value(many(MANY, &text("a"))))])),
        ("nested lists", of(&[0], &[("nested", value(many(MANY, &[1, 0])))])),
        ("large elements", of(&[0], &[("vast", value(many(MANY, &[0])))])),
        ("handles", of(&[0], &[("friends", value(many(MANY, &child)))])),
    ];
    let mut applied = Vec::new();
    for (name, bytes) in &cases {
        let is_applied = holds(name, 0, |limits| {
            let (mut world, mut there) = (uncounted(known), Follower::default());
            uncounted(|| {
                world.spawn((Number(1), Name::new("own"), Friends::default(), Big(None)));
            });
            world.apply_change_set(bytes, &mut there, limits).is_ok()
        });
        if is_applied {
            applied.push(*name);
        }
    }
    println!("{applied:?}");
    assert!(applied.len() > 5, "{applied:?}");
}

/// Runs tests of this binary in a process of their own, whose allocator refuses more than the limits allow.
fn with_refusals(tests: &[&str]) -> Output {
    let binary = std::env::current_exe().unwrap();
    Command::new(binary).arg("--exact").args(tests).env("ECS_REFUSE", "1").output().unwrap()
}

#[test]
fn an_allocation_beyond_the_limit_ends_the_process() {
    let take = || drop(black_box(Vec::<u8>::with_capacity(2_000)));
    if std::env::var_os("ECS_REFUSE").is_some() {
        within(2_000, take);
        within(1_999, take);
        unreachable!("the process ended");
    }
    let output = with_refusals(&["memory_limits::an_allocation_beyond_the_limit_ends_the_process"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), None, "a signal ends it");
    assert!(error.contains("memory allocation of 2000 bytes failed"), "{error}");
}

#[test]
fn no_hostile_data_makes_an_allocation_fail() {
    let tests = [
        "memory_limits::bytes_stay_within_limits",
        "memory_limits::texts_stay_within_limits",
        "memory_limits::deltas_stay_within_limits",
        "memory_limits::change_sets_stay_within_limits",
        "hostile::mutated_files_do_no_harm",
        "texts::mutated_texts_do_no_harm",
        "deltas::mutated_deltas_do_no_harm",
        "changes::mutated_sets_do_no_harm",
    ];
    let output = with_refusals(&tests);
    let words = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(words.contains("8 passed"), "{words}");
}
