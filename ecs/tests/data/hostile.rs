//! Hostile bytes.

use crate::counting::{most_bytes, most_bytes_below};
use crate::saves::{bytes_of, load};
use crate::worlds::{Friends, Generic, Number, Place, Random, Tag, Text, asked, edit, random};
use ecs::save::{Limits, LoadError};
use ecs::{ChildOf, Component, Entity, Group, Name, Res, Resource, World};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Returns the most memory that `run` takes at a time. Checks that it is at most `allowed`. If `ECS_REFUSE` is set, the
/// allocator refuses more, which ends the process.
#[track_caller]
pub fn within(allowed: usize, run: impl FnOnce()) -> usize {
    let limit = if std::env::var_os("ECS_REFUSE").is_some() { allowed } else { usize::MAX };
    let most = most_bytes_below(limit, run);
    assert!(most <= allowed, "{most} bytes of {allowed}");
    most
}

/// Returns the result of `apply`, or nothing if the bytes are refused, at a place within them. Checks that it takes at
/// most `allowed` bytes of memory. A failure prints the bytes, and the number of their mutation.
pub fn outcome<T>(
    at: u64,
    bytes: &[u8],
    allowed: usize,
    apply: impl FnOnce() -> Result<T, LoadError>,
) -> Option<T> {
    let mut made = None;
    let run = || match apply() {
        Ok(new) => made = Some(new),
        Err(error) => assert!(error.at() <= bytes.len()),
    };
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| within(allowed, run))) {
        println!("mutation {at}: {bytes:?}");
        resume_unwind(panic);
    }
    made
}

/// Returns a world in which all components of the tests are registered.
pub fn knowing() -> World {
    let mut world = World::new();
    world
        .register::<(Number, Text, Tag, Place, Friends, Generic<u8>, Generic<u64>, Name, ChildOf)>(
        );
    world.register::<(Big, Units, Deep, Boxed, Tree, Shelf, Res<Score>, Res<Log>)>();
    world
}

#[derive(Resource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[resource(save = "score", clone)]
pub struct Score(u32);
#[derive(Resource, Serialize, Deserialize, Clone)]
#[resource(save = "log", clone)]
pub struct Log(Vec<String>);

#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "big", clone)]
pub struct Big(pub Option<[u64; 32]>);
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "units", clone)]
pub struct Units(Vec<()>);
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "deep", clone)]
pub struct Deep(pub Option<Box<Deep>>);
/// A kilobyte of five bytes.
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "boxed", clone)]
pub struct Boxed(Option<Box<[Option<[u64; 32]>; 4]>>);
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "tree", clone)]
pub struct Tree {
    trunk: Option<[u64; 32]>,
    branches: Vec<Tree>,
}
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "shelf", clone)]
pub struct Shelf(BTreeMap<u8, Option<[u64; 32]>>, HashMap<u8, Option<[u64; 32]>>);

/// The bytes of a world with one entity, and this component of it.
fn crafted(name: &str, values: &[u8]) -> Vec<u8> {
    crafted_of(&[1], name, &[1, 0, 0], values)
}

/// Returns bytes like [`crafted`], with generations of the indices, and the header of members.
fn crafted_of(generations: &[u8], name: &str, members: &[u8], values: &[u8]) -> Vec<u8> {
    let mut bytes = b"ecs\x01".to_vec();
    let [low, high] = u16::try_from(generations.len()).unwrap().to_le_bytes();
    bytes.extend([low | 0x80, high << 1 | low >> 7]); // seven bits a byte
    bytes.extend(generations);
    bytes.push(0); // free handles
    bytes.push(1); // components
    bytes.push(name.len().try_into().unwrap());
    bytes.extend(name.as_bytes());
    bytes.push(1); // version
    bytes.extend(((members.len() + values.len()) as u64).to_le_bytes());
    bytes.extend(members);
    bytes.extend(values);
    bytes.extend([0, 0]); // resources, groups
    bytes
}

/// The bytes of an empty world with this resource.
fn crafted_resource(name: &str, version: u8, value: &[u8]) -> Vec<u8> {
    let mut bytes = b"ecs\x01\x00\x00\x00\x01".to_vec();
    bytes.push(name.len().try_into().unwrap());
    bytes.extend(name.as_bytes());
    bytes.push(version);
    bytes.extend((value.len() as u64).to_le_bytes());
    bytes.extend(value);
    bytes.push(0);
    bytes
}

/// Checks that a world that is full refuses these bytes with these words, and is as it was.
#[track_caller]
fn refused(bytes: &[u8], words: &str) {
    let mut world = knowing();
    let entity = world.spawn((Number(3), Name::new("kept"))).id();
    let before = bytes_of(&world);
    let error = load(&mut world, bytes).unwrap_err().to_string();
    assert!(error.ends_with(words), "{error}");
    world.check_invariants();
    assert!(bytes_of(&world) == before && world.get::<Number>(entity) == Some(&Number(3)));
}

#[test]
fn a_file_made_by_hand_loads() {
    let mut world = knowing();
    load(&mut world, &crafted("number", &[7])).unwrap();
    assert_eq!(world.pool::<Number>().as_slice(), [Number(7)]);
    load(&mut world, &crafted_of(&[1, 1], "number", &[2, 0, 2, 3], &[7, 8])).unwrap();
    assert_eq!(world.pool::<Number>().as_slice(), [Number(7), Number(8)]);
}

#[test]
fn counts_are_not_trusted() {
    let huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
    let promised = "the bytes are too few for the number of elements";
    refused(&[&b"ecs\x01"[..], &huge].concat(), promised);
    refused(&[&b"ecs\x01\x01\x01"[..], &huge].concat(), promised);
    refused(&[&b"ecs\x01\x01\x01\x00"[..], &huge].concat(), promised);
    refused(&crafted_of(&[1], "number", &huge, &[]), promised);
    refused(&crafted("text", &huge), promised);
    let many = crafted_of(&[1], "number", &[2, 0, 0, 0], &[7, 8]);
    refused(&many, "more have it than there are entities");
}

#[test]
fn small_bytes_of_big_values_are_capped() {
    let count = 100_000_u32;
    let mut bytes = b"ecs\x01".to_vec();
    let number = [0xa0, 0x8d, 0x06]; // the same in seven bits a byte
    bytes.extend(number);
    bytes.extend(std::iter::repeat_n(1, count as usize));
    bytes.extend([0, 1, 3]);
    bytes.extend(b"big\x01");
    bytes.extend(u64::from(3 + 1 + 2 * count).to_le_bytes());
    bytes.extend(number);
    bytes.push(0);
    bytes.extend(std::iter::repeat_n(0, 2 * count as usize)); // steps, and `None`s
    bytes.extend([0, 0]); // resources, groups
    let world = knowing();
    let limits = Limits::default().memory(20_000_000);
    let mut error = String::new();
    let most = most_bytes(|| error = world.read(&bytes, &limits).unwrap_err().to_string());
    assert!(error.ends_with("it takes more memory than the limit"), "{error}");
    assert!(most < 21_000_000, "{most}");
    assert!(world.read(&bytes, &Limits::default()).is_ok());
}

/// The bytes of this many entities, each with this value.
fn crafted_many(count: u16, name: &str, value: &[u8]) -> Vec<u8> {
    let steps = vec![0; usize::from(count)];
    let [low, high] = count.to_le_bytes();
    let members = [&[low | 0x80, high << 1 | low >> 7, 0][..], &steps].concat();
    crafted_of(&vec![1; usize::from(count)], name, &members, &value.repeat(count.into()))
}

/// Memory within values counts as well: the limit holds for every type.
#[test]
fn memory_that_values_own_is_limited() {
    let mut world = knowing();
    world.register::<(Chain, Way)>();
    let cases: [(&str, &[u8]); 6] = [
        ("chain", &[0, 1, 0, 1, 0, 0]),
        ("way", &[1, 0, 1, 0, 1, 0, 0]),
        ("boxed", &[1, 0, 0, 0, 0]),
        ("shelf", &[1, 9, 0, 0]),
        ("shelf", &[0, 1, 9, 0]),
        ("tree", &[0, 1, 0, 1, 0, 0]),
    ];
    for (name, value) in cases {
        let bytes = crafted_many(5_000, name, value);
        let members = if name == "chain" { 5_000 * size_of::<Chain>() } else { 0 };
        let limit = 1_500_000 + members;
        let mut error = String::new();
        let limits = Limits::default().memory(limit);
        let most = most_bytes(|| error = world.read(&bytes, &limits).unwrap_err().to_string());
        assert!(error.ends_with("it takes more memory than the limit"), "{error}");
        assert!(most < limit + empty(&world), "{name} took {most} bytes");
        let most = most_bytes(|| assert!(world.read(&bytes, &Limits::default()).is_ok()));
        assert!(most > 3 * limit / 2, "{name} takes {most} bytes only");
    }
}

/// A list makes room for promised elements: not for many, and not in lists within lists before that is paid for.
#[test]
fn promises_of_lists_within_lists_are_not_trusted() {
    let promise = [0, 0x80, 0x08]; // no trunk, 1,024 branches
    let bytes = crafted("tree", &[&promise.repeat(60)[..], &[0; 2_000]].concat());
    let world = knowing();
    let most = most_bytes(|| assert!(world.read(&bytes, &Limits::default()).is_err()));
    assert!(most < 60 * 16 * 3 * size_of::<Tree>(), "{most}");
    let limits = Limits::default().memory(50_000);
    let most = most_bytes(|| assert!(world.read(&bytes, &limits).is_err()));
    assert!(most < 50_000 + empty(&world), "{most}");
}

/// 8 kB each, and each is on the stack several times until it is complete.
#[derive(Component, Serialize, Deserialize)]
#[component(save = "chain")]
struct Chain {
    weight: Option<[[u64; 32]; 32]>,
    next: Option<Box<Chain>>,
}
/// A list by the variants of an enum.
#[derive(Component, Serialize, Deserialize)]
#[component(save = "way")]
#[expect(clippy::large_enum_variant, reason = "that is what is tried")]
enum Way {
    End,
    Step(Option<[u64; 32]>, Box<Way>),
}

#[test]
fn large_values_within_large_values_end() {
    let mut world = World::new();
    world.register::<Chain>();
    let read = |len: usize| {
        let bytes = crafted("chain", &[&[0, 1].repeat(len)[..], &[0, 0]].concat());
        world.read(&bytes, &Limits::default()).map(drop)
    };
    read(10).unwrap();
    let error = read(40).unwrap_err().to_string();
    assert!(error.ends_with("or have more than 131072 bytes together"), "{error}");
}

#[test]
fn lists_of_nothing_end() {
    let (mut world, mut loaded, mut bytes) = (World::new(), World::new(), Vec::new());
    world.spawn_batch((0..10).map(|_| Units(vec![(); 1_000])));
    world.register::<Units>();
    world.save().to_bytes(&mut bytes).unwrap();
    loaded.register::<Units>();
    loaded.load(&bytes, &Limits::default()).unwrap();
    assert!(loaded.pool::<Units>().as_slice().iter().all(|units| units.0.len() == 1_000));
    // A file may have 2^20, and four for each value.
    let of = |len: [u8; 3]| world.read(&crafted("units", &len), &Limits::default()).map(drop);
    of([0x84, 0x80, 0x40]).unwrap();
    of([0x85, 0x80, 0x40]).unwrap_err();
    refused(&crafted("units", &[0xff, 0xff, 0xff, 0xff, 0x0f]), "too many elements take no bytes");
}

#[test]
fn nesting_ends() {
    refused(
        &crafted("deep", &[1; 100]),
        "values are nested deeper than 128, or have more than 131072 bytes together",
    );
    let mut bytes = crafted("deep", &[1, 1, 1, 0]);
    load(&mut knowing(), &bytes).unwrap();
    bytes = crafted("deep", &[1; 200]);
    let error = load(&mut knowing(), &bytes).unwrap_err();
    assert!(error.component() == Some("deep") && error.entity().is_some() && error.at() > 20);
}

#[test]
fn numbers_of_more_bits_than_they_have_are_refused() {
    let too_large = "a number is too large";
    let most = [&[0xff; 9][..], &[0x01]].concat(); // 2^64 - 1
    let mut world = knowing();
    load(&mut world, &crafted("number", &most)).unwrap();
    assert_eq!(world.pool::<Number>().as_slice(), [Number(u64::MAX)]);
    for last in [0x02, 0x03, 0x40, 0x7f, 0x81] {
        refused(&crafted("number", &[&most[..9], &[last]].concat()), too_large);
    }
    refused(&crafted("number", &[&[0x80; 10][..], &[0x01]].concat()), too_large);
    refused(&crafted("number", &[&[0x80; 70][..], &[0x01]].concat()), too_large);
    // Elsewhere, too: of 2^64 + 1 free handles one would be read.
    let [one, more] = [&[0x81], &[0x80; 8][..]];
    let count = [one, more, &[0x02]].concat();
    refused(&[&b"ecs\x01\x01\x00"[..], &count, &[0, 1, 0, 0, 0]].concat(), too_large);
    let mut world = World::new();
    world.register::<Long>();
    let mut read = |value: &[u8]| world.load(&crafted("long", value), &Limits::default()).map(drop);
    let most = [&[0xff; 18][..], &[0x03]].concat();
    read(&[&most[..], &most].concat()).unwrap();
    for last in [0x04, 0x7f, 0x83] {
        let long = [&most[..18], &[last]].concat();
        assert!(read(&[&long[..], &most].concat()).is_err());
        assert!(read(&[&most[..], &long].concat()).is_err());
    }
    // Smaller types are limited as well.
    let mut small = World::new();
    small.register::<Small>();
    let mut read =
        |value: &[u8]| small.load(&crafted("small", value), &Limits::default()).map(drop);
    read(&[0xff, 0xff, 0x03, 0xff, 0xff, 0xff, 0xff, 0x0f]).unwrap();
    assert!(
        read(&[0x80, 0x80, 0x04, 0]).is_err() && read(&[0, 0x80, 0x80, 0x80, 0x80, 0x10]).is_err()
    );
}

#[derive(Component, Serialize, Deserialize)]
#[component(save = "long")]
struct Long(u128, i128);
#[derive(Component, Serialize, Deserialize)]
#[component(save = "small")]
struct Small(u16, i32);

/// A file may list any entity as a member of a group: the ones that belong to it become members, each
/// once.
#[test]
fn groups_take_only_members_that_belong_to_them() {
    let group = || Group::observing::<(Number, Tag)>().without::<Text>();
    let grouped = |lists: &[u8]| {
        // 0 has all three; 1 lacks the text, so it belongs; 2 lacks the tag; 3 belongs.
        let mut bytes = b"ecs\x01\x04\x01\x01\x01\x01\x00\x03".to_vec();
        let number: &[u8] = &[4, 0, 0, 0, 0, 0, 5, 6, 7, 8];
        let tag: &[u8] = &[3, 0, 0, 0, 2];
        let text: &[u8] = &[1, 0, 0, 0];
        for (name, part) in [("number", number), ("tag", tag), ("text", text)] {
            bytes.push(name.len().try_into().unwrap());
            bytes.extend(name.as_bytes());
            bytes.push(1);
            bytes.extend((part.len() as u64).to_le_bytes());
            bytes.extend(part);
        }
        bytes.push(0);
        bytes.extend(lists);
        let mut world = knowing();
        world.declare_group(group()).unwrap();
        world.read(&bytes, &Limits::default()).map(|(world, _)| {
            world.check_invariants();
            let matches = world.view::<(&Number, &Tag)>().without::<Text>();
            let mut matches: Vec<_> = matches.iter().map(|(entity, ..)| entity).collect();
            let members = world.group(group()).unwrap().members();
            matches.sort_by_key(|entity| members.iter().position(|member| member == entity));
            assert_eq!(matches, members);
            members.iter().map(|entity| entity.index()).collect::<Vec<_>>()
        })
    };
    let list = |members: &[u8]| {
        [&[1, 2, 0, 1, 1, 2, members.len().try_into().unwrap()][..], members].concat()
    };
    assert_eq!(grouped(&[0]).unwrap(), [1, 3]);
    assert_eq!(grouped(&list(&[3, 1])).unwrap(), [3, 1]);
    assert_eq!(grouped(&list(&[0, 3, 1])).unwrap(), [3, 1], "0 has what is excluded");
    assert_eq!(grouped(&list(&[2, 3, 3])).unwrap(), [3, 1], "2 lacks what is required");
    let twice = [&[2][..], &list(&[1])[1..], &list(&[3])[1..]].concat();
    let error = grouped(&twice).unwrap_err().to_string();
    assert!(error.ends_with("a group is there twice"), "{error}");
    // Indices that the world did not declare may occur more often.
    assert_eq!(grouped(&[2, 1, 0, 0, 0, 1, 0, 0, 0]).unwrap(), [1, 3]);
    let unknown = grouped(&[1, 1, 3, 0, 0]).unwrap_err().to_string();
    assert!(unknown.ends_with("a group is of no component"), "{unknown}");
    let nobody = grouped(&list(&[4])).unwrap_err().to_string();
    assert!(nobody.ends_with("a member of a group is not alive"), "{nobody}");
}

#[test]
fn nobody_is_there_twice() {
    refused(&crafted_of(&[1, 1], "number", &[2, 0, 0, 1], &[7, 8]), "an entity is there twice");
    refused(&crafted_of(&[1, 0], "number", &[1, 0, 2], &[7]), "an index has no living entity");
    refused(
        b"ecs\x01\x02\x01\x00\x02\x01\x02\x01\x02\x00\x00\x00",
        "a free handle is alive, or is listed twice",
    );
    refused(
        b"ecs\x01\x01\x01\x01\x00\x02\x00\x00\x00",
        "a free handle is alive, or is listed twice",
    );
}

#[test]
fn names_are_in_order_and_the_last_part_of_a_name_counts() {
    let all = |names: &[&str], count: u8| {
        let mut bytes = b"ecs\x01\x01\x01\x00".to_vec();
        bytes.push(count);
        for (name, value) in names.iter().zip(7..) {
            bytes.push(name.len().try_into().unwrap());
            bytes.extend(name.as_bytes());
            bytes.extend([1, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, value]);
        }
        bytes.extend([0, 0]);
        bytes
    };
    let mut world = knowing();
    load(&mut world, &all(&["number", "number"], 2)).unwrap();
    assert_eq!(world.pool::<Number>().as_slice(), [Number(8)]);
    refused(&all(&["number", "mood", "number"], 3), "it is not in the order of the names");
    // So it is with unknown components.
    let keeping = Limits::default().keep_unknown();
    let read = |names: &[&str], count| World::new().read(&all(names, count), &keeping).map(drop);
    read(&["mood", "weather"], 2).unwrap();
    read(&["mood", "mood"], 2).unwrap();
    let error = read(&["weather", "mood"], 2).unwrap_err();
    assert_eq!((error.component(), error.entity()), (Some("mood"), None));
}

#[test]
fn relations_point_to_the_living_and_form_no_circle() {
    let child = |of: u64| -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut bits = 1 << 32 | of;
        while bits >= 0x80 {
            bytes.push(u8::try_from(bits & 0x7f).unwrap() | 0x80);
            bits >>= 7;
        }
        bytes.push(u8::try_from(bits).unwrap());
        bytes
    };
    let both = |a, b| [child(a), child(b)].concat();
    let of = |members: &[u8], values: &[u8]| crafted_of(&[1, 1], "ecs::ChildOf", members, values);
    let listed = [2, 2, 0, 0, 2, 1, 0, 1, 1];
    refused(&of(&listed, &both(1, 0)), "entities point to each other in a circle");
    refused(&of(&listed, &both(0, 0)), "entities point to each other in a circle");
    refused(&of(&listed, &both(7, 0)), "it points to an entity that is dead");
    refused(
        &of(&[2, 2, 0, 0, 1, 1, 0], &both(1, 0)),
        "not all entities with the relation are listed",
    );
    refused(&of(&[2, 2, 0, 0, 1, 2, 0, 0], &both(1, 0)), "an entity is listed twice");
    let wrong = "it is listed with sources that point to another entity";
    refused(&of(&[2, 2, 0, 0, 1, 2, 0, 1], &both(1, 0)), wrong);
    refused(&crafted_of(&[1], "number", &[1, 2, 0, 1, 1, 0], &[7]), "it is no relation");
}

#[test]
fn forms_of_pages_are_validated() {
    let exact = |generations: &[u8], members: &[u8], values: &[u8]| {
        crafted_of(generations, "number", members, values)
    };
    load(&mut knowing(), &exact(&[1], &[1, 1, 0, 1, 12, 0], &[7])).unwrap();
    let wrong = "a page has an impossible form";
    refused(&exact(&[1], &[1, 1, 0, 1, 16, 0], &[7]), wrong);
    refused(&exact(&[1], &[1, 1, 0, 1, 8, 0], &[7]), wrong);
    refused(&exact(&[1], &[1, 1, 0, 1, 1, 0], &[7]), wrong);
    refused(&exact(&[1], &[1, 1, 0, 1, 1, 255], &[7]), wrong);
    refused(&exact(&[1, 2], &[2, 1, 0, 0, 1, 4, 0], &[7, 7]), wrong);
    refused(&exact(&[1], &[1, 1, 0, 0], &[7]), "the page of an entity is missing");
    refused(&exact(&[1], &[1, 1, 0, 9], &[7]), "there are more pages than entities");
    let order = "a page is not in its stated order";
    refused(&exact(&[1, 1], &[2, 1, 2, 3, 1, 4, 0], &[7, 7]), order);
    let complete = "the order of a page is not complete";
    refused(&exact(&[1, 1, 1], &[2, 1, 0, 2, 1, 12, 0], &[7, 7]), order);
    // Index 1024 comes first, then 1: so 0 would be at position 0, if the order of its page were complete.
    let members = |form| [2, 1, 0x80, 0x10, 0xff, 0x0f, 2, form, 0, 4, 0];
    load(&mut knowing(), &exact(&[1; 1_025], &members(4), &[7, 7])).unwrap();
    refused(&exact(&[1; 1_025], &members(12), &[7, 7]), complete);
}

#[test]
fn resources_are_not_trusted() {
    let mut world = knowing();
    load(&mut world, &crafted_resource("score", 1, &[7])).unwrap();
    assert_eq!(world.get_resource::<Score>(), Some(&Score(7)));
    let huge = [0xff, 0xff, 0xff, 0xff, 0x0f];
    refused(&crafted_resource("score", 1, &[]), "it is shorter or longer than its stated length");
    refused(
        &crafted_resource("score", 1, &[7, 7]),
        "it is shorter or longer than its stated length",
    );
    refused(
        &crafted_resource("score", 2, &[7]),
        "`Limits::skip_unknown` or `Limits::keep_unknown`",
    );
    refused(&crafted_resource("log", 1, &huge), "the bytes end too early");
    let mut bytes = crafted_resource("score", 1, &[7]);
    let one = bytes[8..bytes.len() - 1].to_vec();
    bytes[7] = 2;
    bytes.splice(8..8, one);
    let last = bytes.len() - 2;
    bytes[last] = 9;
    let mut world = knowing();
    load(&mut world, &bytes).unwrap();
    assert_eq!(world.resource::<Score>(), &Score(9), "the last one counts");
}

#[test]
fn unknown_components_are_validated() {
    let limits = Limits::default().keep_unknown();
    let refused = |bytes: &[u8], words: &str| {
        let error = World::new().read(bytes, &limits).unwrap_err().to_string();
        assert!(error.ends_with(words), "{error}");
    };
    let of = |generations: &[u8], members: &[u8]| crafted_of(generations, "mood", members, &[7]);
    World::new().read(&of(&[1], &[1, 0, 0]), &limits).unwrap();
    World::new().read(&of(&[1], &[1, 8, 0, 3]), &limits).unwrap();
    refused(&of(&[1], &[1, 32, 0]), "its encoding is unknown");
    refused(&of(&[1], &[1, 0, 2]), "an index has no living entity");
    refused(&of(&[1], &[2, 0, 0]), "more have it than there are entities");
    let invalid =
        |it| format!("invalid handle {it}: indices are below 1, and generations start at 1");
    refused(&of(&[1], &[1, 8, 2, 1]), &invalid("1v1"));
    refused(&of(&[1], &[1, 8, 0, 0]), &invalid("0v0"));
    let mut short = of(&[1, 1], &[2, 0, 0, 0]);
    let length = short.len() - 2 - 5 - 8;
    short[length] = 2; // so it ends within the members
    refused(&short, "it is longer than its stated length");
}

#[test]
fn other_bytes_are_refused() {
    let bytes = crafted("number", &[7]);
    refused(b"", "these are not the bytes of a saved world");
    refused(b"ecs\x05", "it was made by a later version of the library");
    refused(&bytes[..bytes.len() - 1], "the bytes end too early");
    refused(&[&bytes[..], &[0]].concat(), "there are bytes behind the end");
    refused(&crafted("number", &[7, 7]), "it is shorter or longer than its stated length");
    refused(&crafted("text", &[1, 0xff]), "a text is not UTF-8");
    for of_another_kind in [32, 64] {
        let bytes = crafted_of(&[1], "number", &[1, of_another_kind, 0], &[7]);
        refused(&bytes, "its encoding is unknown");
    }
}

/// The memory of a world with pools and no entities, where few types have numbers.
const EMPTY: usize = 8_192;
/// Memory beside the loaded world: an empty world and its groups, and an error.
pub const SLACK: usize = 65_536;

/// Returns the memory of a world like this one, without entities. Tables of a world are as long as the greatest number of
/// its components, which depends on the tests that ran before.
pub fn empty(world: &World) -> usize {
    let bytes = bytes_of(&World::new());
    let read = || drop(world.read(&bytes, &Limits::default()).unwrap());
    read(); // the process allocates tables of its own once
    most_bytes(read).max(EMPTY)
}

#[test]
fn loading_takes_memory_in_proportion() {
    for seed in 0..40 {
        let world = random(seed);
        let bytes = bytes_of(&world);
        let values: usize = world.kinds().map(|kind| world.kind_memory_usage(kind).values).sum();
        let allowed = 32 * bytes.len() + values + EMPTY;
        let knowing = knowing();
        let limits = Limits::default().memory(allowed);
        let empty = empty(&knowing);
        within(allowed + empty, || assert!(knowing.read(&bytes, &limits).is_ok(), "{seed}"));
    }
}

/// Mutates saved worlds: `ECS_MUTATIONS` says how many times.
#[test]
fn mutated_files_do_no_harm() {
    let files: Vec<Vec<u8>> = (0..12).map(|seed| bytes_of(&small(seed))).collect();
    let (world, ignorant) = (knowing(), knowing_few());
    let empty = empty(&world);
    let mut random = Random(asked("ECS_SEED", 0));
    let (mut loaded, all) = (0, asked("ECS_MUTATIONS", 1_000));
    for at in 0..all {
        let mut bytes = files[random.below(files.len())].clone();
        for _ in 0..=random.below(3) {
            mutate(&mut bytes, &files, &mut random);
        }
        // A member takes a byte at least, and its value at most this many in memory.
        let allowed = 32 * bytes.len() + size_of::<Big>() * bytes.len() + EMPTY;
        let mut limits = Limits::default().memory(allowed);
        let mut world = &world;
        if random.below(4) == 0 {
            (world, limits) = (&ignorant, limits.keep_unknown());
        }
        let new = outcome(at, &bytes, allowed + empty, || world.read(&bytes, &limits));
        let Some((new, _)) = new else { continue };
        loaded += 1;
        let go_on = || goes_on(world, new, &mut random);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(go_on)) {
            println!("mutation {at}: {bytes:?}");
            resume_unwind(panic);
        }
    }
    println!("{loaded} of {all} are still worlds");
    assert!(loaded > all / 100, "only {loaded} of {all} are still worlds");
}

/// Checks that a world which was read is whole, is saved, read again as the same, and can be edited.
fn goes_on(known: &World, mut world: World, random: &mut Random) {
    world.check_invariants();
    if random.below(8) > 0 {
        return;
    }
    let limits = Limits::default().keep_unknown();
    let saved = |world: &World| {
        let mut bytes = Vec::new();
        world.save().to_bytes(&mut bytes).unwrap();
        bytes
    };
    let bytes = saved(&world);
    let (again, _) = known.read(&bytes, &limits).unwrap();
    assert!(saved(&again) == bytes, "it is saved as something else");
    // A component that is kept as unknown may not be inserted as well.
    if random.below(4) == 0 && known.kind("text").is_ok() {
        edit(&mut world, random, 2);
        let (again, _) = known.read(&saved(&world), &limits).unwrap();
        again.check_invariants();
    }
}

/// A world that keeps most of a file as unknown.
fn knowing_few() -> World {
    let mut world = World::new();
    world.register::<(Number, Name)>();
    world
}

pub fn small(seed: u64) -> World {
    let mut world = random(seed);
    world.insert_resource(Score(u32::try_from(seed).unwrap()));
    world.insert_resource(Log(vec!["begun".to_owned(); 3]));
    let all: Vec<Entity> = world.entities().collect();
    world.despawn_batch(all.get(60..).unwrap_or(&[]));
    let leaf = || Tree { trunk: None, branches: Vec::new() };
    world.spawn((Big(None), Units(vec![(); 3]), Deep(Some(Box::new(Deep(None))))));
    world.spawn((
        Boxed(Some(Box::new([None, Some([7; 32]), None, None]))),
        Tree { trunk: Some([1; 32]), branches: vec![leaf(), leaf()] },
        Shelf([(3, None), (9, Some([2; 32]))].into(), [(5, None)].into()),
    ));
    world
}

pub fn mutate(bytes: &mut Vec<u8>, files: &[Vec<u8>], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let byte = random.next().to_le_bytes()[0];
    match (random.below(7), bytes.get_mut(at)) {
        (0, Some(it)) => *it = byte,
        (1, Some(it)) => *it ^= 1 << (byte % 8),
        (2, Some(it)) => *it = it.wrapping_add(1),
        (3, Some(_)) => drop(bytes.remove(at)),
        (4, Some(_)) if byte < 20 => bytes.truncate(at),
        (5, Some(_)) => {
            let other = &files[random.below(files.len())];
            let from = random.below(other.len());
            let part = &other[from..other.len().min(from + usize::from(byte % 32))];
            let end = bytes.len().min(at + part.len());
            bytes.splice(at..end, part.iter().copied());
        }
        _ => bytes.insert(at, byte),
    }
    if bytes.is_empty() {
        bytes.push(byte);
    }
}
