//! One entity, or an entity and its descendants, in any format and back.

use crate::worlds::Number;
use ecs::by_name::Kind;
use ecs::save::SaveEntity;
use ecs::{ChildOf, Component, Entity, Inserted, MapEntities, Name, World};
use serde::{Deserialize, Serialize};
use std::sync::Mutex;

#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "health", clone)]
struct Health {
    now: u32,
    most: u32,
}
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "aim", clone)]
struct Aim(Vec<Link>);
#[derive(MapEntities, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Link {
    to: Entity,
    mood: Mood,
}
#[derive(MapEntities, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
enum Mood {
    Calm,
    Angry { since: u32 },
    Level(u8),
}
#[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
#[component(relation, save = "part of")]
struct PartOf(Entity);
#[derive(Component, Default)]
#[component(save = skip)]
struct Socket;
#[derive(Component, Debug)]
struct Stray;

fn like() -> World {
    let mut world = World::new();
    world.register::<(Health, Aim, PartOf, ChildOf, Name, Number)>();
    world
}

/// A ship with two guns. The first one aims at the other one, at a dead entity and at a placeholder.
fn ship() -> (World, [Entity; 3]) {
    let mut world = like();
    let dead = world.spawn_empty().id();
    world.spawn_named("buoy");
    let ship = world.spawn((Name::new("ship"), Health { now: 3, most: 9 })).id();
    let guns = ["fore", "aft"].map(|name| world.spawn((Name::new(name), ChildOf(ship))).id());
    world.despawn(dead).unwrap();
    let link = |to, mood| Link { to, mood };
    let links = vec![
        link(guns[1], Mood::Angry { since: 7 }),
        link(dead, Mood::Calm),
        link(Entity::PLACEHOLDER, Mood::Level(3)),
    ];
    world.insert(guns[0], (Aim(links), PartOf(guns[1]))).unwrap();
    world.insert(ship, Socket).unwrap();
    (world, [ship, guns[0], guns[1]])
}

fn check(world: &World, new: &[Entity]) {
    let &[ship, fore, aft] = new else { panic!("{new:?}") };
    world.check_invariants();
    assert_eq!(
        [ship, fore, aft].map(|it| world.name(it)),
        [Some("ship"), Some("fore"), Some("aft")]
    );
    assert_eq!(world.get::<Health>(ship), Some(&Health { now: 3, most: 9 }));
    assert!(world.children(ship).eq([fore, aft]) && !world.has::<Socket>(ship));
    assert_eq!(world.get::<PartOf>(fore), Some(&PartOf(aft)));
    let link = |to, mood| Link { to, mood };
    let links = [
        link(aft, Mood::Angry { since: 7 }),
        link(Entity::PLACEHOLDER, Mood::Calm),
        link(Entity::PLACEHOLDER, Mood::Level(3)),
    ];
    assert_eq!(world.get::<Aim>(fore).unwrap().0, links);
}

/// Writes an entity in each format, and reads it into a world that has others.
fn through_all_formats(saved: &SaveEntity<'_>, mut check: impl FnMut(&World, &[Entity])) {
    let mut read = |read: &dyn Fn(&mut World) -> Vec<Entity>| {
        let mut world = like();
        let others = world.spawn_batch((0..3).map(Number));
        let new = read(&mut world);
        assert!(others.iter().all(|it| world.is_alive(*it)) && world.len() == 3 + new.len());
        check(&world, &new);
    };
    let text = serde_json::to_string(saved).unwrap();
    read(&|world| world.spawn_from(&mut serde_json::Deserializer::from_str(&text)).unwrap());
    let text = ron::to_string(saved).unwrap();
    read(&|world| world.spawn_from(&mut ron::Deserializer::from_str(&text).unwrap()).unwrap());
    let bytes = postcard::to_allocvec(saved).unwrap();
    read(&|world| world.spawn_from(&mut postcard::Deserializer::from_bytes(&bytes)).unwrap());
    for bytes in [rmp_serde::to_vec(saved), rmp_serde::to_vec_named(saved)].map(Result::unwrap) {
        read(&|world| world.spawn_from(&mut rmp_serde::Deserializer::new(&bytes[..])).unwrap());
    }
    let mut bytes = Vec::new();
    ciborium::into_writer(saved, &mut bytes).unwrap();
    let value: ciborium::Value = ciborium::from_reader(&bytes[..]).unwrap();
    let text = serde_json::to_string(&value).unwrap(); // handles are numbers
    read(&|world| world.spawn_from(&mut serde_json::Deserializer::from_str(&text)).unwrap());
}

#[test]
fn an_entity_and_its_descendants_go_through_all_formats() {
    let (world, [ship, ..]) = ship();
    through_all_formats(&world.save().entity(ship).with_sources::<ChildOf>(), check);
}

#[test]
fn one_entity_goes_alone() {
    let (world, [ship, ..]) = ship();
    through_all_formats(&world.save().entity(ship), |world, new| {
        assert_eq!(world.name(new[0]), Some("ship"));
        assert!(new.len() == 1 && world.children(new[0]).len() == 0);
    });
    let text = serde_json::to_string(&world.save().only::<Health>().entity(ship)).unwrap();
    assert_eq!(text, r#"{"entity":"2v1","components":{"health":{"now":3,"most":9}}}"#);
}

fn json(saved: &SaveEntity<'_>) -> Result<String, String> {
    serde_json::to_string(saved).map_err(|error| error.to_string())
}

fn spawn(world: &mut World, text: &str) -> Result<Vec<Entity>, String> {
    let before = world.save().leave_out_rest().to_vec().unwrap();
    let mut from = serde_json::Deserializer::from_str(text);
    let read = world.spawn_from(&mut from).map_err(|error| error.to_string());
    if read.is_err() {
        assert!(world.save().leave_out_rest().to_vec().unwrap() == before, "something was spawned");
    }
    world.check_invariants();
    read
}

#[test]
fn handles_of_other_living_entities_are_errors_or_kept() {
    let (mut world, [ship, fore, aft]) = ship();
    let error = json(&world.save().entity(fore)).unwrap_err();
    let start = "cannot save `aim` of 3v1: it names 4v1, which is alive and not saved with it: save both, by \
                 `SaveEntity::with_sources`, leave `aim` out by `Save::leave_out`";
    assert!(error.starts_with(start), "{error}");
    let text = json(&world.save().entity(fore).keep_outside()).unwrap();
    assert!(
        text.starts_with(r#"{"entity":"3v1","outside":["2v1","4v1"],"dead":["0v1"],"#),
        "{text}"
    );
    let copy = spawn(&mut world, &text).unwrap()[0];
    assert_eq!((world.parent(copy), world.get::<PartOf>(copy)), (Some(ship), Some(&PartOf(aft))));
    assert_eq!(world.get::<Aim>(copy).unwrap().0[0].to, aft);
    assert!(world.children(ship).eq([fore, aft, copy]));
    world.despawn(aft).unwrap();
    assert_eq!(spawn(&mut world, &text).unwrap_err(), "it keeps 4v1, which is not alive here");
    let left_out = json(&world.save().leave_out::<(Aim, PartOf, ChildOf)>().entity(fore)).unwrap();
    assert_eq!(left_out, r#"{"entity":"3v1","components":{"ecs::Name":"fore"}}"#);
}

#[test]
fn what_cannot_be_saved_with_an_entity_is_named() {
    let (mut world, [ship, ..]) = ship();
    world.insert(ship, Stray).unwrap();
    let error = json(&world.save().entity(ship)).unwrap_err();
    assert!(
        error.starts_with("cannot save `Stray`: entities have it, and it is not saved"),
        "{error}"
    );
    json(&world.save().leave_out::<Stray>().entity(ship)).unwrap();
    json(&world.save().leave_out_rest().entity(ship)).unwrap();
    world.despawn(ship).unwrap();
    let error = json(&world.save().entity(ship)).unwrap_err();
    assert_eq!(error, "no such entity: 2v1");
}

#[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
#[component(save = "locked")]
struct Locked(#[component(entities = ignore)] u32, Hidden);
#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Hidden(u32);

#[derive(Component, Serialize, Deserialize, Debug)]
#[component(save = "mutex")]
struct Behind(Mutex<Option<Veiled>>);
#[derive(Serialize, Deserialize, Debug)]
struct Veiled(Entity);
impl MapEntities for Veiled {
    fn map_entities(&mut self, _: &mut dyn FnMut(Entity) -> Entity) {}
    fn visit_entities(&self, _: &mut dyn FnMut(Entity)) {}
}

#[derive(Component, Serialize, Deserialize, Default, Debug, PartialEq)]
#[component(save = "load")]
struct Load(u32);
#[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
#[component(save = "cart", requires(Load = Load(8), Dust))]
struct Cart;
#[derive(Component, Default)]
#[component(save = skip)]
struct Dust;

#[test]
fn a_required_component_that_the_entity_lost_does_not_return() {
    let mut world = World::new();
    world.register::<(Cart, Load, ChildOf)>();
    let empty = world.spawn(Cart).id();
    world.remove::<Load>(empty);
    world.spawn((Cart, ChildOf(empty)));
    let text = json(&world.save().entity(empty).with_sources::<ChildOf>()).unwrap();
    assert!(
        text.starts_with(
            r#"{"entity":"0v1","removes":["load"],"components":{"cart":null},"others":"#
        )
    );
    let new = spawn(&mut world, &text).unwrap();
    let loads = [new[0], new[1]].map(|it| world.get::<Load>(it).map(|load| load.0));
    assert_eq!(loads, [None, Some(8)]);
    assert!(new.iter().all(|it| world.has::<Dust>(*it)), "it is not saved, and required");
    // A text that a person writes notes no lost components: the required ones are inserted.
    let new = spawn(&mut world, r#"{"components":{"cart":null}}"#).unwrap();
    assert!(world.get::<Load>(new[0]) == Some(&Load(8)) && world.has::<Dust>(new[0]));
}

#[derive(Deserialize)]
struct StrengthV1(u8);
#[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
#[component(save = "strength", version = 2, from(1 = StrengthV1 as (Self, Load)))]
struct Strength {
    most: u32,
}
impl From<StrengthV1> for (Strength, Load) {
    fn from(old: StrengthV1) -> Self {
        (Strength { most: old.0.into() }, Load(old.0.into()))
    }
}

#[test]
fn old_versions_are_converted() {
    let mut world = World::new();
    world.register::<(Strength, Load)>();
    let new = spawn(&mut world, r#"{"components":{"strength":7}}"#).unwrap()[0];
    let both = (world.get::<Strength>(new).unwrap().most, world.get::<Load>(new).unwrap().0);
    assert_eq!(both, (7, 7));
    let text = json(&world.save().only::<Strength>().entity(new)).unwrap();
    assert_eq!(
        text,
        r#"{"entity":"0v1","versions":{"strength":2},"components":{"strength":{"most":7}}}"#
    );
    let new = spawn(&mut world, &text).unwrap()[0];
    assert_eq!(world.get::<Strength>(new), Some(&Strength { most: 7 }));
    let text = text.replace('2', "3");
    let error = spawn(&mut world, &text).unwrap_err();
    assert!(error.starts_with("`strength`: version 3 is not readable"), "{error}");
}

#[test]
fn mistakes_in_a_text_are_named_with_their_places_and_nothing_is_spawned() {
    let mut world = like();
    world.register::<(Locked, Behind)>();
    let mut refused = |text: &str, error: &str| {
        let found = spawn(&mut world, text).unwrap_err();
        assert!(found.starts_with(error), "{found}");
    };
    refused("[]", "invalid type: sequence, expected an entity");
    refused(r#"{"component":{}}"#, "unknown key `component`: the keys are `entity`, `outside`");
    refused(
        r#"{"components":{"helth":{}}}"#,
        "`helth`: the world knows no such component (the nearest is `health`): register it",
    );
    refused(r#"{"components":{"health":{"now":1}}}"#, "`health`: missing field `most`");
    refused(
        r#"{"components":{"health":{"now":1,"mots":2}}}"#,
        "`health`: it has no field `mots` (the nearest is `most`)",
    );
    refused(
        r#"{"components":{"aim":[{"to":"0v1","mood":{"Angry":{"sins":1}}}]}}"#,
        "`aim`: it has no field `sins` (the nearest is `since`)",
    );
    refused(r#"{"components":{"aim":[{"tot":1}]}}"#, "`aim`: it has no field `tot`");
    refused(
        r#"{"components":{"ecs::Name":"a","ecs::Name":"b"}}"#,
        "`ecs::Name`: it is there twice",
    );
    refused(
        r#"{"children":[{},{"children":[{"components":{"health":1}}]}]}"#,
        "children[1]: children[0]: `health`: invalid type",
    );
    refused(
        r#"{"components":{"part of":"1v1"}}"#,
        "`part of` of 0v1: it names 1v1, and the text has no",
    );
    refused(r#"{"entity":"7v3","components":{"part of":"0v1"}}"#, "`part of` of 7v3: it names 0v1");
    refused(r#"{"components":{"part of":"4294967295v2147483647"}}"#, "`part of`");
    refused(
        r#"{"components":{"ecs::ChildOf":"1v1"},"children":[{}]}"#,
        "`ecs::ChildOf`: entities point to each other in a circle",
    );
    refused(
        r#"{"entity":"7v3","others":[{"entity":"7v3"}]}"#,
        "others[0]: two entities have the handle 7v3",
    );
    refused(
        r#"{"removes":["health"]}"#,
        "`health`: it is to be removed, and is neither inherited nor",
    );
    refused(r#"{"removes":["helth"]}"#, "`helth`: the world knows no such component");
    refused(r#"{"inherits":"orc"}"#, "only prefabs inherit");
    refused(r#"{"components":{"mutex":"0v1"}}"#, "`mutex` of 0v1: `Behind.0");
    let deep = format!("{}{}", r#"{"children":["#.repeat(40), "]}".repeat(40));
    refused(&deep, "children[0]: children[0]:");
    let error = spawn(&mut world, &deep).unwrap_err();
    assert!(
        error.contains("deeper than 32 levels") && error.contains("at line 1 column"),
        "{error}"
    );
}

#[test]
fn handles_of_a_text_are_its_entities_in_order() {
    let mut world = like();
    world.spawn_empty();
    let text = r#"{
        "components": { "part of": "2v1" },
        "children": [{ "components": { "aim": [{ "to": "0v1", "mood": "Calm" }] } }],
        "others": [{}]
    }"#;
    let new = world.spawn_from(&mut serde_json::Deserializer::from_str(text)).unwrap();
    assert_eq!(world.get::<PartOf>(new[0]), Some(&PartOf(new[2])));
    assert_eq!(world.get::<Aim>(new[1]).unwrap().0[0].to, new[0]);
    assert_eq!((world.parent(new[1]), world.parent(new[2])), (Some(new[0]), None));
}

#[test]
fn observers_are_notified_when_all_is_there() {
    let (from, [ship, ..]) = ship();
    let text = json(&from.save().entity(ship).with_sources::<ChildOf>()).unwrap();
    let mut world = like();
    world.on_insert::<Name>(|world, entity| {
        assert_eq!(world.view::<Name>().count(), 3);
        world.insert(entity, Number(1)).unwrap();
    });
    let collected = world.collector::<Inserted<Health>>();
    let new = spawn(&mut world, &text).unwrap();
    assert!(new.iter().all(|it| world.has::<Number>(*it)));
    assert_eq!(world.drain(collected), &new[..1]);
}

#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
#[component(save = "id", unique)]
struct Id(u32);

#[test]
fn a_unique_component_is_refused_twice() {
    let mut world = World::new();
    let one = world.spawn(Id(3)).id();
    let text = json(&world.save().entity(one)).unwrap();
    let error = spawn(&mut world, &text).unwrap_err();
    assert!(error.contains("`Id`") && error.contains("0v1"), "{error}");
    world.despawn(one).unwrap();
    let new = spawn(&mut world, &text).unwrap()[0];
    assert_eq!(world.get::<Id>(new), Some(&Id(3)));
    assert!(Kind::of::<Id>().is_unique());
}

#[test]
fn a_long_chain_of_descendants_is_a_flat_list() {
    let mut world = like();
    let first = world.spawn_named("0").id();
    let mut last = first;
    for _ in 0..1_000 {
        last = world.spawn(ChildOf(last)).id();
    }
    let text = json(&world.save().entity(first).with_sources::<ChildOf>()).unwrap();
    let new = spawn(&mut world, &text).unwrap();
    assert_eq!(new.len(), 1_001);
    assert_eq!(world.ancestors_of::<ChildOf>(new[1_000]).last(), Some(new[0]));
}
