//! Files of each version of the formats, of which worlds are read for ever. `BLESS=1` writes those that are not there yet.

use crate::saves::{bytes_of, load};
use crate::worlds::{Friends, Generic, Number, Place, Tag, Text, assert_alike};
use ecs::save::{Applied, ChangeSets, Delta, Follower, Limits};
use ecs::{ChildOf, Entity, Group, Name, Res, Resource, World};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Resource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[resource(save = "season", clone)]
struct Season(u8);

fn empty() -> World {
    let mut world = World::new();
    world.register::<(Number, Text, Tag, Place, Friends, (Generic<u8>, Generic<u64>))>();
    world.register::<(Name, ChildOf, Res<Season>)>();
    world.declare_group(Group::observing::<(Number, Tag)>().without::<Text>()).unwrap();
    world
}

/// A world that has something of all that is written.
fn made() -> World {
    let mut world = empty();
    world.insert_resource(Season(3));
    let numbers = world.spawn_batch((0..70).map(|it| (Number(it * it * it), Tag)));
    world.despawn_batch(&[numbers[3], numbers[68], numbers[5]]);
    let ship =
        world.spawn_named("Argo").insert(Friends(vec![numbers[1], Entity::PLACEHOLDER])).id();
    let [a, b] = [(); 2].map(|()| world.spawn(ChildOf(ship)).id());
    world.move_related::<ChildOf>(b, 0);
    world
        .insert(a, (Text("ä".to_owned()), Place { x: 0.5, label: Some("b".to_owned()), y: 7 }))
        .unwrap();
    world.insert(numbers[40], (Generic(1_u8), Generic(1_u64 << 40), Text("c".to_owned()))).unwrap();
    world
}

/// The world, later.
fn later() -> World {
    let mut world = made();
    let all: Vec<Entity> = world.entities().collect();
    world.get_mut::<Number>(all[9]).unwrap().0 = 1;
    world.despawn(all[20]).unwrap();
    world.spawn((Number(5), Text("new".to_owned())));
    world
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden").join(name)
}

/// The bytes of a file in `tests/data/golden`.
fn read(name: &str) -> Vec<u8> {
    fs::read(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The bytes of a file in `tests/data/golden`, which are what this version writes.
fn file(name: &str, written: &[u8]) -> Vec<u8> {
    if !path(name).exists() && std::env::var_os("BLESS").is_some() {
        fs::write(path(name), written).unwrap();
    }
    let file = read(name);
    assert!(written == file, "{name}: this version writes something else");
    file
}

#[test]
fn worlds_of_all_versions_are_read() {
    let world = made();
    file("world_3.ecs", &bytes_of(&world));
    file("world_2.json", serde_json::to_string_pretty(&world.save()).unwrap().as_bytes());
    for version in 1..=3 {
        let mut loaded = empty();
        load(&mut loaded, &read(&format!("world_{version}.ecs"))).unwrap();
        assert_alike(&world, &loaded);
        assert_eq!(loaded.resource::<Season>(), &Season(3));
    }
    for version in 1..=2 {
        let text = read(&format!("world_{version}.json"));
        let mut from = serde_json::Deserializer::from_slice(&text);
        let (read, _) = empty().read_from(&mut from).unwrap();
        assert!(read.pool::<Number>().keys() == world.pool::<Number>().keys());
        assert_eq!(read.resource::<Season>(), &Season(3));
    }
}

#[test]
fn deltas_and_sets_of_this_version_are_applied() {
    let mut new = later();
    let delta = file("delta_3.ecs", Delta::between(&made(), &new).unwrap().as_bytes());
    let mut world = made();
    world.apply_delta(&delta, &Limits::default()).unwrap();
    assert_alike(&world, &new);
    let set = ChangeSets::default().drain(&mut new).unwrap();
    let set = file("changes_3.ecs", set.as_bytes());
    let (mut world, mut follower) = (empty(), Follower::default());
    let applied = world.apply_change_set(&set, &mut follower, &Limits::default()).unwrap();
    let ship = Name::find(&world, "Argo").unwrap();
    let ends = (world.children(ship).len(), world.get::<Friends>(ship).unwrap().0.len());
    assert_eq!((applied, ends), (Applied::Done, (2, 2)));
}

/// A reader of what `docs/format.md` says, and of nothing else.
struct Described<'b>(&'b [u8]);

impl<'b> Described<'b> {
    fn bytes(&mut self, count: usize) -> &'b [u8] {
        let (bytes, rest) = self.0.split_at(count);
        self.0 = rest;
        bytes
    }
    fn number(&mut self) -> usize {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            let byte = self.bytes(1)[0];
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        number
    }
    fn text(&mut self) -> &'b str {
        let len = self.number();
        std::str::from_utf8(self.bytes(len)).unwrap()
    }
    fn numbers(&mut self) -> Vec<usize> {
        (0..self.number()).map(|_| self.number()).collect()
    }
    /// The name, the version, the fingerprint and the content of a part.
    fn part(&mut self) -> (&'b str, usize, u32, Described<'b>) {
        let (name, version) = (self.text(), self.number());
        let fingerprint = u32::from_le_bytes(self.bytes(4).try_into().unwrap());
        let len = usize::from_le_bytes(self.bytes(8).try_into().unwrap());
        (name, version, fingerprint, Described(self.bytes(len)))
    }
}

#[test]
fn another_program_reads_a_world_by_the_description_of_the_format() {
    let world = made();
    let bytes = read("world_3.ecs");
    let mut file = Described(&bytes);
    assert_eq!(file.bytes(5), b"ecs\x03w");
    let generations = file.numbers();
    let free: Vec<[usize; 2]> =
        (0..file.number()).map(|_| [file.number(), file.number()]).collect();
    assert_eq!(free.len(), generations.iter().filter(|it| **it == 0).count());
    let mut names = Vec::new();
    for _ in 0..file.number() {
        let (name, version, fingerprint, mut part) = file.part();
        names.push(name);
        assert!(version == 1 && fingerprint != 0);
        let (count, flags) = (part.number(), part.bytes(1)[0]);
        let mut next = 0;
        let mut members = Vec::new();
        for _ in 0..count {
            let step = part.number();
            let index: usize =
                if step % 2 == 0 { next + step / 2 } else { next - step.div_ceil(2) };
            next = index + 1;
            let handle: Entity = format!("{index}v{}", generations[index]).parse().unwrap();
            members.push(handle);
        }
        if name != "number" {
            continue;
        }
        assert_eq!(flags, 1);
        assert!(world.pool::<Number>().keys() == members);
        let (pages, forms) = (part.number(), part.bytes(2)[0]);
        assert!(pages == 1 && forms < 16);
        for member in members {
            assert_eq!(world.get::<Number>(member), Some(&Number(part.number() as u64)));
        }
        assert!(part.0.is_empty());
    }
    assert!(names.is_sorted() && names.contains(&"number") && names.contains(&"ecs::ChildOf"));
    assert_eq!(file.number(), 1);
    let (name, _, fingerprint, season) = file.part();
    let fnv = |text: &str| {
        text.bytes()
            .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    };
    assert_eq!((name, fingerprint, season.0), ("season", fnv("(u8;)"), &[3][..]));
    assert_eq!(file.number(), 1, "one group keeps a list");
    let places = [file.numbers(), file.numbers()]
        .map(|all| all.iter().map(|at| names[*at]).collect::<Vec<_>>());
    assert_eq!(places, [vec!["number", "tag"], vec!["text"]]);
    assert!(file.numbers().len() == world.groups().next().unwrap().len() && file.0.is_empty());
}
