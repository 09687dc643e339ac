//! Files of each version of the formats; worlds are read for ever. `BLESS=1` writes missing ones.

use crate::saves::{bytes_of, load};
use crate::worlds::{Friends, Generic, Number, Place, Tag, Text, assert_alike};
use ecs::save::{ChangeSets, Delta, Follower, Limits, Received};
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

/// The bytes of a file in `tests/data/golden`, equal to the output of this version.
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
    file("world_4.ecs", &bytes_of(&world));
    file("world_2.json", serde_json::to_string_pretty(&world.save()).unwrap().as_bytes());
    for version in 1..=4 {
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
    let delta = file("delta_4.ecs", Delta::between(&made(), &new).unwrap().as_bytes());
    let mut world = made();
    world.apply_delta(&delta, &Limits::default()).unwrap();
    assert_alike(&world, &new);
    let set = ChangeSets::default().drain(&mut new).unwrap();
    let set = file("changes_4.ecs", set.as_bytes());
    let (mut world, mut follower) = (empty(), Follower::default());
    let applied = world.apply_change_set(&set, &mut follower, &Limits::default()).unwrap();
    let ship = world.entity_named("Argo").unwrap();
    let ends = (world.children(ship).len(), world.get::<Friends>(ship).unwrap().0.len());
    assert_eq!((applied, ends), (Received::Applied, (2, 2)));
}

#[test]
fn files_that_were_cut_are_refused() {
    let (world, delta, set) = (read("world_4.ecs"), read("delta_4.ecs"), read("changes_4.ecs"));
    let limits = Limits::default();
    for end in 0..world.len() {
        assert!(load(&mut empty(), &world[..end]).is_err(), "a world of {end} bytes");
    }
    for end in 0..delta.len() {
        assert!(made().apply_delta(&delta[..end], &limits).is_err(), "a delta of {end} bytes");
    }
    for end in 0..set.len() {
        let applied = empty().apply_change_set(&set[..end], &mut Follower::default(), &limits);
        assert!(applied.is_err(), "a change set of {end} bytes");
    }
}

/// A reader written from `docs/format.md` alone.
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
    fn schema(&mut self) -> (&'b str, usize, u32) {
        let (name, version) = (self.text(), self.number());
        (name, version, u32::from_le_bytes(self.bytes(4).try_into().unwrap()))
    }
    /// The name, the version, the fingerprint and the content of a part with a length.
    fn part(&mut self) -> (&'b str, usize, u32, Described<'b>) {
        let (name, version, fingerprint) = self.schema();
        let len = usize::from_le_bytes(self.bytes(8).try_into().unwrap());
        (name, version, fingerprint, Described(self.bytes(len)))
    }
    fn indices(&mut self, count: usize) -> Vec<usize> {
        let mut next = 0;
        let step = |_| {
            let step = self.number();
            let index =
                if step.is_multiple_of(2) { next + step / 2 } else { next - step.div_ceil(2) };
            next = index + 1;
            index
        };
        (0..count).map(step).collect()
    }
    fn positions(&mut self) -> Vec<usize> {
        let mut next = 0;
        let place = |step| {
            next += step + 1;
            next - 1
        };
        self.numbers().into_iter().map(place).collect()
    }
    fn handles(&mut self) -> Vec<Entity> {
        let count = self.number();
        let indices = self.indices(count);
        indices.into_iter().map(|index| handle(index, self.number())).collect()
    }
    /// Reads the fields of a component before its values; `generation` is the one at an index.
    fn component(&mut self, generation: impl Fn(usize) -> usize) -> Component {
        let (count, flags) = (self.number(), self.bytes(1)[0]);
        let has = |flag| flags & flag != 0;
        let before = has(32).then(|| self.number());
        let others = has(32).then(|| self.positions());
        let indices = self.indices(others.as_ref().map_or(count, Vec::len));
        let generation = |index| if has(8) { self.number() } else { generation(index) };
        let generations: Vec<usize> = indices.iter().copied().map(generation).collect();
        let members = indices.into_iter().zip(generations).map(|(at, it)| handle(at, it)).collect();
        let lost = if has(64) { self.handles() } else { Vec::new() };
        if has(16) {
            assert!((0..self.number()).all(|_| !self.text().is_empty()));
        }
        let members: Vec<Entity> = members;
        if has(1) {
            // In the tests all members are on one page.
            let pages = if count == 0 { 0 } else { self.number() };
            assert!(pages == 1 && self.bytes(2)[0] < 16);
        }
        let lists =
            if has(2) { (0..self.number()).map(|_| self.numbers()).collect() } else { Vec::new() };
        let values_at = has(32).then(|| self.positions());
        Component { count, flags, before, others, members, lost, lists, values_at }
    }
}

/// The fields of a component.
#[derive(Debug)]
struct Component {
    count: usize,
    flags: u8,
    before: Option<usize>,
    others: Option<Vec<usize>>,
    members: Vec<Entity>,
    lost: Vec<Entity>,
    lists: Vec<Vec<usize>>,
    values_at: Option<Vec<usize>>,
}

fn handle(index: usize, generation: usize) -> Entity {
    format!("{index}v{generation}").parse().unwrap()
}

#[test]
fn another_program_reads_a_world_by_the_description_of_the_format() {
    let world = made();
    let bytes = read("world_4.ecs");
    let mut file = Described(&bytes);
    assert_eq!(file.bytes(5), b"ecs\x04w");
    let generations = file.numbers();
    let free: Vec<[usize; 2]> =
        (0..file.number()).map(|_| [file.number(), file.number()]).collect();
    assert_eq!(free.len(), generations.iter().filter(|it| **it == 0).count());
    let mut names = Vec::new();
    for _ in 0..file.number() {
        let (name, version, fingerprint, mut part) = file.part();
        names.push(name);
        assert!(version == 1 && fingerprint != 0);
        let of = part.component(|index| generations[index]);
        assert_eq!(of.members.len(), of.count);
        if name == "ecs::ChildOf" {
            let lists: Vec<Vec<Entity>> =
                of.lists.iter().map(|all| all.iter().map(|at| of.members[*at]).collect()).collect();
            let ship = world.entity_named("Argo").unwrap();
            assert_eq!(lists, [world.children(ship).collect::<Vec<_>>()]);
        }
        if name == "number" {
            assert!(of.flags == 1 && world.pool::<Number>().keys() == of.members);
            for member in of.members {
                assert_eq!(world.get::<Number>(member), Some(&Number(part.number() as u64)));
            }
            assert!(part.0.is_empty());
        }
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
    assert!(file.numbers().len() == world.groups().next().unwrap().len());
    assert_eq!(file.0, [0], "nothing was walked, so there is no order of pools");
}

#[test]
fn another_program_reads_a_delta_by_the_description_of_the_format() {
    let (old, new) = (made(), later());
    let bytes = read("delta_4.ecs");
    let mut file = Described(&bytes);
    assert_eq!(file.bytes(5), b"ecs\x04d");
    let [before, now, free] = [(); 3].map(|()| file.number());
    let mut alive: Vec<Option<Entity>> = vec![None; now.max(before)];
    for entity in old.entities() {
        alive[entity.index() as usize] = Some(entity);
    }
    let mut next = 0;
    for _ in 0..file.number() {
        next += file.number() + 1;
        let generation = file.number();
        alive[next - 1] = (generation > 0).then(|| handle(next - 1, generation));
    }
    assert!(alive.iter().flatten().copied().eq(new.entities()) && free == before - old.len());
    let (kept, more) = (file.number(), file.number());
    for _ in 0..more {
        assert!(handle(file.number(), file.number()) != Entity::PLACEHOLDER);
    }
    assert!(kept + more == now - new.len());
    let (mut keys, mut values) = (old.pool::<Number>().keys().to_vec(), Vec::new());
    values.extend(keys.iter().map(|key| old.get::<Number>(*key).unwrap().0));
    for _ in 0..file.number() {
        let (name, _, _, mut part) = file.part();
        let of = part.component(|index| alive[index].unwrap().generation().get() as usize);
        if name == "number" {
            assert_eq!(of.before, Some(keys.len()));
            keys.resize(of.count, Entity::PLACEHOLDER);
            values.resize(of.count, 0);
            for (at, member) in of.others.unwrap().into_iter().zip(of.members) {
                keys[at] = member;
            }
            for at in of.values_at.unwrap() {
                values[at] = part.number() as u64;
            }
            assert!(part.0.is_empty());
        }
    }
    assert_eq!(file.number(), 1, "one group has another list");
    let names = [(); 2].map(|()| (0..file.number()).map(|_| file.text()).collect::<Vec<_>>());
    assert_eq!(names, [vec!["number", "tag"], vec!["text"]]);
    assert!(file.numbers().len() == new.groups().next().unwrap().len());
    assert_eq!(file.0, [0], "no resource differs");
    assert!(new.pool::<Number>().keys() == keys);
    assert!(keys.iter().zip(values).all(|(key, it)| new.get::<Number>(*key).unwrap().0 == it));
}

#[test]
fn another_program_reads_a_change_set_by_the_description_of_the_format() {
    let mut world = made();
    let mut sets = world.change_sets().resource::<Season>();
    let (ship, gone) = (world.entity_named("Argo").unwrap(), world.spawn_named("gone").id());
    sets.drain(&mut world).unwrap();
    world.spawn(ChildOf(ship));
    sets.drain(&mut world).unwrap();
    let names = ["ecs::Name", "season", "ecs::ChildOf"]; // as these sets named them
    let [a, b, _] = world.children(ship).collect::<Vec<_>>()[..] else { unreachable!() };
    world.despawn(gone).unwrap();
    world.remove::<Name>(ship);
    world.insert(a, Name::new("a")).unwrap();
    world.move_related::<ChildOf>(a, 1);
    let fresh = world.spawn_empty().id();
    world.attach(fresh, b).unwrap();
    world.resource_mut::<Season>().0 = 4;
    let set = sets.drain(&mut world).unwrap();
    let mut file = Described(set.as_bytes());
    assert_eq!(file.bytes(5), b"ecs\x04c");
    assert_eq!((file.number(), file.number()), (3, 2 + 4 + 32));
    assert!(file.handles() == [gone]);
    for _ in 0..file.number() {
        let name = names[file.number()];
        let of = file.component(|_| unreachable!());
        let parts = of.members.iter().map(|it| match name {
            "ecs::Name" => assert_eq!(world.name(*it), Some(file.text())),
            _ => assert_eq!(world.parent(*it).unwrap().to_bits(), file.number() as u64),
        });
        assert_eq!(parts.count(), of.count);
        if name == "ecs::Name" {
            assert!(of.lost == [ship] && of.members == [a]);
        } else if of.flags & 128 != 0 {
            for _ in 0..file.number() {
                let (at, generation) = (file.number(), file.number());
                let before = (generation > 0).then(|| handle(file.number(), generation));
                let parent = world.parent(of.members[at]).unwrap();
                let place = world.children(parent).position(|it| it == of.members[at]).unwrap();
                assert_eq!(world.children(parent).nth(place.wrapping_sub(1)), before);
            }
        }
    }
    assert_eq!(
        [(); 4].map(|()| file.number()),
        [1, 1, 1, 4],
        "one part, of a season, which is there"
    );
    assert!(file.0.is_empty());
}
