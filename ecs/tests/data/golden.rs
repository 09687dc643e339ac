//! Files of each version of the formats, which are read for ever. `BLESS=1` writes those that are not there yet.

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
    let ship = world.spawn_named("Argo").insert(Friends(vec![numbers[1], Entity::NOBODY])).id();
    let [a, b] = [(); 2].map(|()| world.spawn(ChildOf(ship)).id());
    world.move_related::<ChildOf>(b, 0);
    world
        .insert(a, (Text("ä".to_owned()), Place { x: 0.5, label: Some("b".to_owned()), y: 7 }))
        .unwrap();
    world.insert(numbers[40], (Generic(1_u8), Generic(1_u64 << 40), Text("c".to_owned()))).unwrap();
    world
}

/// The same, later.
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
    file("world_2.ecs", &bytes_of(&world));
    file("world_2.json", serde_json::to_string_pretty(&world.save()).unwrap().as_bytes());
    for name in ["world_1", "world_2"] {
        let mut loaded = empty();
        load(&mut loaded, &read(&format!("{name}.ecs"))).unwrap();
        assert_alike(&world, &loaded);
        assert_eq!(loaded.resource::<Season>(), &Season(3));
        let text = read(&format!("{name}.json"));
        let mut from = serde_json::Deserializer::from_slice(&text);
        let (read, _) = empty().read_from(&mut from).unwrap();
        assert!(read.pool::<Number>().keys() == world.pool::<Number>().keys());
        assert_eq!(read.resource::<Season>(), &Season(3));
    }
}

#[test]
fn deltas_of_all_versions_and_sets_of_this_one_are_applied() {
    let mut new = later();
    file("delta_2.ecs", Delta::between(&made(), &new).unwrap().as_bytes());
    for name in ["delta_1.ecd", "delta_2.ecs"] {
        let mut world = made();
        world.apply_delta(&read(name), &Limits::default()).unwrap();
        assert_alike(&world, &new);
    }
    let set = ChangeSets::default().drain(&mut new).unwrap();
    let set = file("changes_3.ecc", set.as_bytes());
    let (mut world, mut follower) = (empty(), Follower::default());
    let applied = world.apply_change_set(&set, &mut follower, &Limits::default()).unwrap();
    let ship = Name::find(&world, "Argo").unwrap();
    let ends = (world.children(ship).len(), world.get::<Friends>(ship).unwrap().0.len());
    assert_eq!((applied, ends), (Applied::Done, (2, 2)));
}
