//! Bytes that do not depend on which component a process used first.
//!
//! Components are numbered as they are first used, once a process: so the executable of the tests runs itself.

use crate::saves::bytes_of;
use crate::worlds::{Friends, Generic, Number, Place, Tag, Text};
use ecs::by_name::Kind;
use ecs::save::{ChangeSets, Delta, Limits};
use ecs::{AnyComponent, ChildOf, Component, Entity, Group, Name, Res, Resource, World};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::process::Command;

#[derive(Resource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[resource(save = "noon", clone)]
struct Noon(u8);
#[derive(Resource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[resource(save = "dawn", clone)]
struct Dawn(u8);
#[derive(Component, Clone)]
#[component(clone)]
struct Unsaved;
#[derive(Component, Clone)]
#[component(clone)]
struct Another;

/// Numbers the components, in this order or in reverse.
fn use_all(is_reversed: bool) {
    fn number<T: AnyComponent>() {
        let _ = Kind::of::<T>();
    }
    let mut uses: [fn(); 11] = [
        number::<Number>,
        number::<Text>,
        number::<Tag>,
        number::<Place>,
        number::<Friends>,
        number::<Generic<u8>>,
        number::<Generic<u64>>,
        number::<Name>,
        number::<ChildOf>,
        number::<Unsaved>,
        number::<Another>,
    ];
    if is_reversed {
        uses.reverse();
        World::new().insert_resource(Dawn(0));
    }
    for it in uses {
        it();
    }
}

fn empty() -> World {
    let mut world = World::new();
    world.declare_group(Group::observing::<(Tag, Number)>().without::<(Text, Friends)>()).unwrap();
    world.declare_group(Group::observing::<(Place, Tag)>().without::<Text>()).unwrap();
    world.declare_group(Group::observing::<(Number, Place)>().without::<Text>()).unwrap();
    world.register::<(Number, Text, Tag, Place, Friends, (Generic<u8>, Generic<u64>))>();
    world.register::<(Name, ChildOf, Res<Noon>, Res<Dawn>)>();
    world
}

/// Returns all that may be written of a world, as text.
fn written() -> String {
    let mut world = empty();
    world.insert_resource(Noon(1));
    world.insert_resource(Dawn(2));
    let place = |y| Place { x: 1.5, label: None, y };
    let tagged = world.spawn_batch((0..9).map(|it| (Number(it), Tag)));
    world.spawn_batch((0..9).map(|it| (Number(it), place(1), Generic(it), Generic(7_u8))));
    // Equally many entities have each of two components, in other orders.
    for entity in tagged.iter().rev() {
        world.remove::<Number>(*entity).unwrap();
        world.insert(*entity, (Number(3), place(2))).unwrap();
    }
    let parent = world.spawn_named("parent").id();
    world.insert(tagged[4], (ChildOf(parent), Friends(vec![parent]))).unwrap();
    world.despawn(tagged[2]).unwrap();
    let old = world.try_clone().unwrap();
    world.insert(tagged[5], Text("new".to_owned())).unwrap();
    world.despawn(tagged[6]).unwrap();
    let bytes = bytes_of(&world);
    let mut text = String::new();
    writeln!(text, "bytes {bytes:?}").unwrap();
    writeln!(text, "delta {:?}", Delta::between(&old, &world).unwrap().as_bytes()).unwrap();
    let set = ChangeSets::default().drain(&mut world).unwrap();
    writeln!(text, "changes {:?}", set.as_bytes()).unwrap();
    let json = serde_json::to_string(&world.save()).unwrap();
    writeln!(text, "json {json}").unwrap();
    let (read, _) = empty().read_from(&mut serde_json::Deserializer::from_str(&json)).unwrap();
    writeln!(text, "bytes of json {:?}", bytes_of(&read)).unwrap();
    let mut keeping = World::new();
    keeping.register::<Number>();
    keeping.load(&bytes, &Limits::default().keep_unknown()).unwrap();
    writeln!(text, "kept {:?}", bytes_of(&keeping)).unwrap();
    writeln!(text, "schema {}", world.save().schema_hash()).unwrap();
    let entities: Vec<Entity> = world.entities().collect();
    world.insert(entities[0], (Unsaved, Another)).unwrap();
    let error = world.save().to_bytes(&mut Vec::new()).unwrap_err();
    writeln!(text, "error {error}").unwrap();
    let left_out = world.save().leave_out_rest().to_bytes(&mut Vec::new()).unwrap();
    writeln!(text, "left out {left_out:?}").unwrap();
    // A group of pools that are full already, as many members in each.
    let mut late = World::new();
    let all = late.spawn_batch((0..20).map(Number));
    late.insert_batch(all.iter().rev().map(|it| (*it, Tag))).unwrap();
    late.declare_group(Group::observing::<(Number, Tag)>()).unwrap();
    writeln!(text, "late {:?}", bytes_of(&late)).unwrap();
    text
}

#[test]
fn equal_worlds_give_equal_bytes_whatever_component_was_used_first() {
    const NAME: &str = "first_use::equal_worlds_give_equal_bytes_whatever_component_was_used_first";
    if let Ok(order) = std::env::var("ECS_FIRST_USE") {
        use_all(order == "reversed");
        return println!("<<<{}>>>", written());
    }
    let run = |order: &str| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", NAME, "--nocapture"]).env("ECS_FIRST_USE", order);
        let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
        let (_, text) = output.split_once("<<<").unwrap_or_else(|| panic!("it failed: {output}"));
        text.split_once(">>>").expect("it ends").0.to_owned()
    };
    let (one, other) = (run("declared"), run("reversed"));
    assert_eq!(one.lines().count(), 10);
    for (one, other) in one.lines().zip(other.lines()) {
        assert_eq!(one, other);
    }
}
