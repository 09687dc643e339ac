//! Worlds that are saved and loaded.

use crate::worlds::{Friends, Number, Tag};
use ecs::save::{Delta, Limits, LoadError, WorldSeed};
use ecs::{ChildOf, Component, Entity, Group, MapEntities, Name, World};
use serde::de::DeserializeSeed;
use serde::{Deserialize, Serialize};

pub fn bytes_of(world: &World) -> Vec<u8> {
    let mut bytes = Vec::new();
    assert!(world.save().to_bytes(&mut bytes).unwrap().is_empty(), "all is saved");
    bytes
}

pub fn load(world: &mut World, bytes: &[u8]) -> Result<(), LoadError> {
    world.load(bytes, &Limits::default()).map(|_| ())
}

#[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
#[component(save = "health")]
struct Health(u32);
#[derive(Component)]
struct Socket;

#[test]
fn unsaved_components_are_named_and_the_rest_is_saved() {
    let mut world = World::new();
    let entity = world.spawn((Health(3), Socket)).id();
    let mut bytes = Vec::new();
    let words = "cannot save `Socket`: entities have it, and it is not saved: add `#[component(save = \"name\")]` or \
                 `#[component(save = skip)]`, declare it by `by_name::Declaration`, or leave it out by `leave_out` or \
                 `leave_out_rest`";
    let text = serde_json::to_string(&world.save()).unwrap_err().to_string();
    let error = world.save().to_bytes(&mut bytes).unwrap_err().to_string();
    assert_eq!((&*error, &*text, bytes.len()), (words, words, 0));
    assert_eq!(world.save().leave_out_rest().to_bytes(&mut Vec::new()).unwrap(), ["Socket"]);
    assert_eq!(world.save().leave_out::<Socket>().to_bytes(&mut bytes).unwrap(), ["Socket"]);
    let mut loaded = World::new();
    loaded.register::<Health>();
    load(&mut loaded, &bytes).unwrap();
    assert_eq!(loaded.get::<Health>(entity), Some(&Health(3)));
}

/// Is a component like others, and stays out of all files.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(save = skip, clone, track, debug)]
struct Picture(u32);

#[test]
fn a_component_that_says_skip_is_left_out_of_all_that_is_saved() {
    let mut world = World::new();
    world.register::<Health>();
    let entity = world.spawn((Health(3), Picture(7))).id();
    world.spawn(Picture(8));
    assert_eq!(world.view::<Picture>().count(), 2);
    let mut bytes = Vec::new();
    assert_eq!(world.save().to_bytes(&mut bytes).unwrap(), ["Picture"]);
    assert_eq!(world.save().to_vec().unwrap(), bytes);
    let mut written = Vec::new();
    assert_eq!(world.save().to_writer(&mut written).unwrap(), ["Picture"]);
    assert_eq!(written, bytes);
    let text = serde_json::to_string(&world.save()).unwrap();
    assert!(text.contains("health") && !text.contains("Picture"), "{text}");
    let mut from = serde_json::Deserializer::from_str(&text);
    let mut loaded = World::new();
    loaded.register::<Health>();
    load(&mut loaded, &bytes).unwrap();
    for read in [loaded, world.read_from(&mut from).unwrap().0] {
        assert_eq!((read.len(), read.get::<Health>(entity)), (2, Some(&Health(3))));
        assert!(!read.has::<Picture>(entity));
    }
    // Deltas and change sets.
    let (old, _) = world.read(&bytes, &Limits::default()).unwrap();
    let mut sets = world.change_sets();
    world.get_mut::<Picture>(entity).unwrap().0 = 9;
    assert!(Delta::between(&old, &world).unwrap().is_empty());
    assert!(sets.drain(&mut world).unwrap().is_empty());
}

#[test]
fn a_writer_that_fails_is_the_error() {
    let mut world = World::new();
    world.spawn(Health(3));
    let mut small = [0; 4];
    let error = world.save().to_writer(&mut small[..]).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::WriteZero);
    world.spawn(Socket);
    let error = world.save().to_writer(&mut small[..]).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
}

#[test]
fn unknown_names_are_listed_with_their_bytes() {
    let mut world = World::new();
    let entity = world.spawn((Health(3), Name::new("Bob"))).id();
    let bytes = bytes_of(&world);
    let mut loaded = World::new();
    loaded.register::<Name>();
    let error = loaded.load(&bytes, &Limits::default()).unwrap_err();
    let words = "the world has no such component or resource: register it by `World::register`, or skip or keep it by \
                 `Limits::skip_unknown` or `Limits::keep_unknown`";
    assert!(error.component() == Some("health") && error.to_string().ends_with(words), "{error}");
    assert!(loaded.is_empty(), "it is as it was");
    let told = loaded.load(&bytes, &Limits::default().skip_unknown()).unwrap();
    let [unknown] = told.unknown() else { panic!("one is unknown") };
    assert_eq!((unknown.name(), unknown.version(), unknown.len()), ("health", 1, 1));
    assert!(!unknown.bytes().is_empty() && loaded.name(entity) == Some("Bob"));
}

mod versions {
    use super::*;

    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "target")]
    pub struct V1(pub u32);
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "target", version = 2)]
    pub struct V2(pub String);
    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "target", version = 3, from(1 = V1, 2 = V2))]
    pub struct Target {
        pub number: u64,
        pub note: String,
    }

    impl From<V1> for Target {
        fn from(V1(number): V1) -> Self {
            Self { number: number.into(), note: String::new() }
        }
    }
    impl From<V2> for Target {
        fn from(V2(note): V2) -> Self {
            Self { number: 0, note }
        }
    }
}

#[test]
fn earlier_versions_are_made_into_later_ones() {
    use versions::{Target, V1, V2};
    let load_target = |bytes: &[u8]| {
        let mut loaded = World::new();
        loaded.register::<Target>();
        load(&mut loaded, bytes).map(|()| loaded)
    };
    let mut world = World::new();
    let entity = world.spawn(V1(7)).id();
    let loaded = load_target(&bytes_of(&world)).unwrap();
    assert_eq!(loaded.get::<Target>(entity), Some(&Target { number: 7, note: String::new() }));
    let mut world = World::new();
    let entity = world.spawn(V2("x".to_owned())).id();
    let newer = load_target(&bytes_of(&world)).unwrap();
    assert_eq!(newer.get::<Target>(entity), Some(&Target { number: 0, note: "x".to_owned() }));
    // Later versions than the program's are refused.
    let mut old = World::new();
    old.register::<V1>();
    let error = load(&mut old, &bytes_of(&newer)).unwrap_err();
    assert_eq!(error.component(), Some("target"));
    assert!(
        error.to_string().contains("it is of version 3, and this program has version 1"),
        "{error}"
    );
}

mod layouts {
    use super::*;

    #[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[component(save = "point")]
    pub struct Rows {
        pub x: f32,
        pub label: String,
    }
    #[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[component(save = "point", layout = "soa")]
    pub struct Columns {
        pub x: f32,
        pub label: String,
    }
}

#[test]
fn files_do_not_depend_on_the_layout() {
    let mut rows = World::new();
    let mut columns = World::new();
    for x in [0.5, 1.5] {
        rows.spawn(layouts::Rows { x, label: "a".to_owned() });
        columns.spawn(layouts::Columns { x, label: "a".to_owned() });
    }
    assert_eq!(bytes_of(&rows), bytes_of(&columns));
    let mut loaded = World::new();
    loaded.register::<layouts::Columns>();
    load(&mut loaded, &bytes_of(&rows)).unwrap();
    assert_eq!(loaded.pool::<layouts::Columns>().as_slice().x, [0.5, 1.5]);
}

#[test]
fn parts_of_a_world_are_saved_and_brought_into_another() {
    let mut world = World::new();
    let outside = world.spawn(Number(9)).id();
    let ship = world.spawn((Tag, Number(1))).insert(ChildOf(outside)).id();
    let [a, b] = [(); 2].map(|()| world.spawn((Tag, ChildOf(ship))).id());
    world.move_related::<ChildOf>(b, 0);
    world.insert(a, Friends(vec![b, outside])).unwrap();
    let mut bytes = Vec::new();
    let part = world.save().only::<(Tag, ChildOf, Friends)>().matching::<&Tag>();
    assert!(part.to_bytes(&mut bytes).unwrap().is_empty());
    let mut other = World::new();
    other.register::<(Tag, ChildOf, Friends, Number)>();
    other.spawn_batch((0..5).map(Number));
    let (mut level, _) = other.read(&bytes, &Limits::default()).unwrap();
    level.check_invariants();
    assert!(level.len() == 3 && !level.is_alive(outside) && level.children(ship).eq([b, a]));
    let new = other.merge(&mut level).unwrap();
    other.check_invariants();
    let new = |entity| *new.get(entity).unwrap();
    assert!(other.children(new(ship)).eq([new(b), new(a)]));
    assert_eq!(other.get::<Friends>(new(a)).unwrap().0, [new(b), Entity::PLACEHOLDER]);
    assert_eq!(other.get::<Number>(new(ship)), None);
}

#[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
#[component(save = "ignored")]
struct Ignored(#[component(entities = ignore)] Option<Entity>);

/// Its `MapEntities` finds no handles.
#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub struct Handles(pub Vec<Entity>);

impl MapEntities for Handles {
    fn map_entities(&mut self, _: &mut dyn FnMut(Entity) -> Entity) {}
    fn visit_entities(&self, _: &mut dyn FnMut(Entity)) {}
}

#[derive(Component, Serialize, Deserialize)]
#[component(save = "forgotten")]
struct Forgotten(Handles);
/// Is saved like [`Forgotten`], and does not mind.
#[derive(Component, Serialize, Deserialize)]
#[component(save = "forgotten")]
struct Writer(#[component(entities = ignore)] Handles);

#[test]
fn forgotten_handles_are_refused_with_figures() {
    let mut world = World::new();
    let entity = world.spawn_empty().id();
    world.insert(entity, Ignored(Some(entity))).unwrap();
    let mut loaded = World::new();
    loaded.register::<(Ignored, Forgotten)>();
    load(&mut loaded, &bytes_of(&world)).unwrap();
    assert_eq!(loaded.get::<Ignored>(entity), Some(&Ignored(Some(entity))));
    world.insert(entity, Writer(Handles(vec![entity; 3]))).unwrap();
    let error = load(&mut loaded, &bytes_of(&world)).unwrap_err();
    assert_eq!(error.component(), Some("forgotten"));
    let figures = "3 entity handles, and only 0 of them are replaced";
    assert!(error.to_string().contains(figures), "{error}");
    assert_eq!(loaded.get::<Ignored>(entity), Some(&Ignored(Some(entity))));
}

/// Earlier versions: one has a handle more, and one a handle less.
mod of_handles {
    use super::*;

    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "squad")]
    pub struct V1(#[component(entities)] pub [Entity; 2]);
    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "squad", version = 2, from(1 = V1))]
    pub struct Squad {
        #[component(entities)]
        pub leader: Entity,
    }
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "squad", version = 2, from(1 = V1))]
    pub struct Forgetful(Handles);

    impl From<V1> for Squad {
        fn from(V1([leader, _]): V1) -> Self {
            Self { leader }
        }
    }
    impl From<V1> for Forgetful {
        fn from(V1(all): V1) -> Self {
            Self(Handles(vec![all[0]]))
        }
    }
}

#[test]
fn earlier_versions_may_have_had_more_handles() {
    let mut world = World::new();
    let entity = world.spawn_empty().id();
    world.insert(entity, of_handles::V1([entity; 2])).unwrap();
    let bytes = bytes_of(&world);
    let mut loaded = World::new();
    loaded.register::<of_handles::Squad>();
    load(&mut loaded, &bytes).unwrap();
    let squad = of_handles::Squad { leader: entity };
    assert_eq!(loaded.get::<of_handles::Squad>(entity), Some(&squad));
    let mut loaded = World::new();
    loaded.register::<of_handles::Forgetful>();
    let error = load(&mut loaded, &bytes).unwrap_err().to_string();
    assert!(error.contains("1 entity handles, and only 0 of them are replaced"), "{error}");
}

#[test]
fn forgotten_handles_are_refused_in_formats_for_people() {
    let mut world = World::new();
    let entity = world.spawn_empty().id();
    world.insert(entity, (Ignored(Some(entity)), Friends(vec![entity]))).unwrap();
    let read = |world: &World| {
        let text = serde_json::to_string(&world.save()).unwrap();
        let mut known = World::new();
        known.register::<(Ignored, Friends, Forgotten)>();
        known.read_from(&mut serde_json::Deserializer::from_str(&text)).map(drop)
    };
    read(&world).unwrap();
    world.insert(entity, Writer(Handles(vec![entity; 3]))).unwrap();
    let error = read(&world).unwrap_err().to_string();
    let figures = "`forgotten`: it contains 3 entity handles, and only 0 of them are replaced";
    assert!(error.starts_with(figures), "{error}");
}

/// Components that only formats with names of fields can read.
mod named {
    use super::*;

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(untagged)]
    pub enum Either {
        Number(u32),
        Who(Entity),
        Text(String),
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    pub struct Inner {
        pub rest: Vec<Either>,
    }
    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "loose")]
    pub struct Loose {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub note: Option<String>,
        #[serde(flatten)]
        pub inner: Inner,
    }

    /// Its `MapEntities` finds no handles.
    impl MapEntities for Inner {
        fn map_entities(&mut self, _: &mut dyn FnMut(Entity) -> Entity) {}
        fn visit_entities(&self, _: &mut dyn FnMut(Entity)) {}
    }
}

#[test]
fn formats_for_people_take_all_that_serde_does() {
    use named::{Either, Inner, Loose};
    let mut world = World::new();
    let loose = |rest| Loose { note: None, inner: Inner { rest } };
    let entity = world.spawn(loose(vec![Either::Number(3), Either::Text("x".to_owned())])).id();
    let read = |world: &World| {
        let text = serde_json::to_string(&world.save()).unwrap();
        let read = world.read_from(&mut serde_json::Deserializer::from_str(&text));
        read.map(|(read, _)| (read, text))
    };
    let (same, text) = read(&world).unwrap();
    assert!(text.contains(r#"[["0v1",{"rest":[3,"x"]}]]"#), "{text}");
    assert_eq!(same.get::<Loose>(entity), world.get::<Loose>(entity));
    // Handles are found in such, too.
    world.insert(entity, loose(vec![Either::Number(1), Either::Who(entity)])).unwrap();
    let error = serde_json::to_string(&world.save()).unwrap_err().to_string();
    let refused = "cannot save `loose` of 0v1: `Loose.rest[1]` is the handle 0v1";
    assert!(error.starts_with(refused), "{error}");
}

#[test]
fn formats_that_count_fields_find_as_many() {
    let mut world = World::new();
    let fields = |world: &World| {
        let mut bytes = Vec::new();
        ciborium::into_writer(&world.save(), &mut bytes).unwrap();
        let value: ciborium::Value = ciborium::from_reader(&bytes[..]).unwrap();
        value.as_map().unwrap().len()
    };
    assert_eq!(fields(&world), 3);
    let last = format!("1v{LAST}").parse().unwrap();
    world.spawn_at(last).unwrap();
    world.despawn(last).unwrap();
    assert_eq!(fields(&world), 4);
}

/// The greatest generation: the index is not used again.
const LAST: u32 = (1 << 31) - 1;

#[test]
fn used_up_indices_stay_retired() {
    let mut world = World::new();
    let last = format!("1v{LAST}").parse().unwrap();
    world.spawn_at(last).unwrap();
    world.despawn(last).unwrap();
    let spare = world.spawn_at("2v7".parse().unwrap()).unwrap().id();
    world.despawn(spare).unwrap();
    let spawned = |world: &mut World| -> Vec<String> {
        (0..4).map(|_| world.spawn_empty().id().to_string()).collect()
    };
    let mut loaded = World::new();
    load(&mut loaded, &bytes_of(&world)).unwrap();
    let text = serde_json::to_string(&world.save()).unwrap();
    assert!(text.contains(r#""retired":[1],"free":["0v1","2v8"]"#), "{text}");
    let read = |text: &str| {
        World::new().read_from(&mut serde_json::Deserializer::from_str(text)).map(|read| read.0)
    };
    let mut from_text = read(&text).unwrap();
    from_text.check_invariants();
    // In a part of the world, too, whose last entity is left out.
    let expected = ["2v8", "0v1", "3v1", "4v1"];
    for world in [&mut world, &mut loaded, &mut from_text] {
        assert_eq!(spawned(world), expected);
    }
    let mut part = World::new();
    part.spawn_at(last).unwrap();
    let saved = part.save().matching::<&Number>();
    let mut bytes = Vec::new();
    saved.to_bytes(&mut bytes).unwrap();
    let text = serde_json::to_string(&saved).unwrap();
    let (binary, _) = part.read(&bytes, &Limits::default()).unwrap();
    for mut world in [binary, read(&text).unwrap()] {
        assert_eq!(spawned(&mut world)[..2], ["0v1", "2v1"], "{text}");
    }
    let wrong = read(&text.replace("[1]", "[0]")).unwrap_err().to_string();
    assert!(wrong.starts_with("0v1 is alive or free, and its index is retired"), "{wrong}");
    assert!(read(r#"{"entities":[],"free":[],"retired":[]}"#).is_err());
}

#[test]
fn readers_of_changes_learn_of_a_load_and_observers_do_not() {
    let mut world = World::new();
    let entity = world.spawn(Friends(vec![])).id();
    let bytes = bytes_of(&world);
    let mut changes = world.changes::<Friends>();
    world.advance(&mut changes);
    world.on_insert::<Friends>(|_, _| panic!("nobody is told"));
    load(&mut world, &bytes).unwrap();
    world.advance(&mut changes);
    assert_eq!((changes.removed(), changes.inserted().len()), (&[entity][..], 1));
}

#[test]
fn handles_are_text_for_people() {
    let entity: Entity = "12v3".parse().unwrap();
    assert_eq!(serde_json::to_string(&entity).unwrap(), "\"12v3\"");
    assert_eq!(serde_json::from_str::<Entity>("\"12v3\"").unwrap(), entity);
    assert!(serde_json::from_str::<Entity>("\"12\"").is_err());
}

#[test]
fn edited_texts_are_validated() {
    let refused = |text: &str, words: &str| {
        let mut world = World::new();
        world.register::<(Health, ChildOf, versions::Target)>();
        let error = world.read_from(&mut serde_json::Deserializer::from_str(text)).unwrap_err();
        assert!(error.to_string().starts_with(words), "{error}");
    };
    let with = |components: &str| {
        let entities = r#""entities":["0v1","1v1"],"free":[]"#;
        format!("{{{entities},\"components\":{{{components}}}}}")
    };
    refused("[]", "invalid type: sequence, expected a saved world");
    refused(r#"{"free":[]}"#, "`entities` is missing: the keys are `entities`, `retired`, `free`");
    refused(r#"{"entities":[],"free":[]}"#, "`components` is missing");
    refused(r#"{"planets":[]}"#, "unknown key `planets`: the keys are `entities`");
    refused(r#"{"entities":["0v1","0v2"],"free":[],"#, "two entities have one index");
    refused(r#"{"entities":["0v1"],"free":["0v2"],"components":{}}"#, "a free handle is alive");
    refused(r#"{"entities":["4000000000v1"],"free":[],"#, "indices are missing");
    refused(&with(r#""health":{"values":[]}"#), "`health`: `version` is missing: the keys are");
    refused(
        &with(r#""health":{"version":0,"values":[["0v1",1]]}"#),
        "`health` of 0v1: version 0 is not readable",
    );
    let twice = r#""health":{"version":1,"values":[["0v1",1],["0v1",1]]}"#;
    refused(&with(twice), "`health` of 0v1: an entity is there twice");
    let dead = r#""health":{"version":1,"values":[["7v1",1]]}"#;
    refused(&with(dead), "`health` of 7v1: it is not among the entities");
    let other = r#""health":{"version":1,"values":[["0v1","much"]]}"#;
    refused(&with(other), "`health` of 0v1: invalid type: string \"much\", expected u32");
    let alone = r#""ecs::ChildOf":{"version":1,"values":[["0v1","1v1"]]}"#;
    refused(&with(alone), "`ecs::ChildOf`: not all entities with the relation are listed");
    let dead = r#""ecs::ChildOf":{"version":1,"values":[["0v1","9v1"]],"order":[["0v1"]]}"#;
    refused(&with(dead), "`ecs::ChildOf` of 0v1: it points to an entity that is dead");
    // An older version is converted to the later one; unknown names are listed.
    let text =
        with(r#""target":{"version":1,"values":[["0v1",7]]},"mood":{"version":1,"values":[]}"#);
    let mut world = World::new();
    world.register::<versions::Target>();
    let limits = Limits::default().skip_unknown();
    let mut from = serde_json::Deserializer::from_str(&text);
    let (read, told) = WorldSeed::new(&world, &limits).deserialize(&mut from).unwrap();
    assert_eq!(read.pool::<versions::Target>().as_slice()[0].number, 7);
    assert_eq!(told.unknown()[0].name(), "mood");
}

/// Values that bytes cannot hold, each by an attribute of serde that needs names of fields, or does not read its own
/// output.
mod nameless {
    use super::*;

    macro_rules! components {
        ($($(#[$attribute:meta])* $name:ident $save:literal { $($(#[$of_field:meta])* $field:ident: $ty:ty),+ })+) => {
            $(
                #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
                #[component(save = $save)]
                $(#[$attribute])*
                pub struct $name { $($(#[$of_field])* pub $field: $ty),+ }
            )+
        };
    }
    components! {
        Skipping "skipping" { #[serde(skip_serializing_if = "Option::is_none", default)] note: Option<u8> }
        Flat "flat" { #[serde(flatten)] inner: Inner }
        OneWay "one way" { #[serde(skip_deserializing)] cache: u8, kept: u8 }
        Wide "wide" { of: Vec<Either> }
        Tagging "tagging" { of: Tagged }
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    pub struct Inner {
        pub a: u8,
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(untagged)]
    pub enum Either {
        Number(u8),
        Text(String),
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(tag = "kind")]
    pub enum Tagged {
        One { a: u8 },
    }
    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "variants")]
    pub enum Variants {
        Named {
            #[serde(skip_serializing_if = "Option::is_none")]
            note: Option<u8>,
        },
    }
    /// Fields without names do not reveal that one is skipped.
    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "pair")]
    pub struct Pair(
        pub u8,
        #[serde(skip_serializing_if = "Option::is_none", default)] pub Option<u8>,
    );
    #[derive(ecs::Resource, Serialize, Deserialize, Debug, PartialEq)]
    #[resource(save = "weather")]
    pub struct Weather(pub Either);
}

#[test]
fn unreadable_values_are_not_saved_as_bytes() {
    use nameless::*;
    fn refused<T: Component>(value: T, name: &str, why: &str) {
        let mut world = World::new();
        world.spawn_empty();
        let entity = world.spawn(value).id();
        let mut bytes = b"before".to_vec();
        let error = world.save().to_bytes(&mut bytes).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with(&format!("cannot save `{name}` of {entity}: ")), "{text}");
        assert!(
            text.contains(why) && text.ends_with("save in a format for people, such as JSON"),
            "{text}"
        );
        assert_eq!(bytes, b"before");
    }
    refused(
        Skipping { note: None },
        "skipping",
        "its field `note` is skipped by `skip_serializing_if`",
    );
    refused(Variants::Named { note: None }, "variants", "its field `note` is skipped");
    refused(Flat { inner: Inner { a: 1 } }, "flat", "as with serde's `flatten`");
    refused(OneWay { cache: 1, kept: 2 }, "one way", "1 of its 2 bytes are left over");
    refused(Wide { of: vec![Either::Number(1)] }, "wide", "as with serde's `untagged`");
    refused(Tagging { of: Tagged::One { a: 1 } }, "tagging", "it cannot be read back (");
    refused(Pair(1, None), "pair", "cannot be read back (the bytes end too early)");

    let mut world = World::new();
    world.insert_resource(Weather(Either::Number(1)));
    let error = world.save().to_bytes(&mut Vec::new()).unwrap_err();
    assert!(error.to_string().starts_with("cannot save `weather`: "), "{error}");
}

#[test]
fn a_field_that_is_skipped_is_found_however_late() {
    use nameless::Skipping;
    let mut world = World::new();
    world.spawn_batch((0..1_000).map(|_| Skipping { note: Some(7) }));
    let mut bytes = Vec::new();
    world.save().to_bytes(&mut bytes).unwrap(); // nothing is skipped, and all is read again
    let (read, _) = world.read(&bytes, &Limits::default()).unwrap();
    assert_eq!(read.view::<&Skipping>().iter().count(), 1_000);
    let late = world.spawn(Skipping { note: None }).id();
    let error = world.save().to_bytes(&mut bytes).unwrap_err();
    assert!(error.to_string().contains(&format!("of {late}: its field")), "{error}");
}

#[test]
fn bytes_equal_those_of_postcard() {
    use std::collections::BTreeMap;
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "all")]
    struct All {
        small: (bool, u8, i8, char, char, ()),
        unsigned: [(u16, u32, u64, u128); 3],
        signed: [(i16, i32, i64, i128); 4],
        floats: (f32, f64),
        texts: (String, Option<String>, Option<u8>),
        lists: (Vec<u16>, BTreeMap<u8, String>, [u8; 3]),
        variants: [Kinds; 4],
        nothing: Nothing,
        wrapped: Wrapped,
    }
    #[derive(Serialize, Deserialize)]
    enum Kinds {
        Unit,
        Newtype(i32),
        Tuple(u8, u16),
        Struct { a: i64 },
    }
    #[derive(Serialize, Deserialize)]
    struct Nothing;
    #[derive(Serialize, Deserialize)]
    struct Wrapped(u64);

    let all = All {
        small: (true, 200, -3, 'a', '🦀', ()),
        unsigned: [
            (0, 127, 128, 1 << 100),
            (u16::MAX, u32::MAX, u64::MAX, u128::MAX),
            (1, 2, 3, 4),
        ],
        signed: [
            (0, -1, 63, -64),
            (i16::MIN, i32::MIN, i64::MIN, i128::MIN),
            (i16::MAX, i32::MAX, i64::MAX, i128::MAX),
            (-65, 64, -8_192, 1 << 90),
        ],
        floats: (1.5, -0.0),
        texts: ("text".to_owned(), Some(String::new()), None),
        lists: (vec![1, 300], BTreeMap::from([(1, "x".to_owned())]), [7, 8, 9]),
        variants: [Kinds::Unit, Kinds::Newtype(-5), Kinds::Tuple(1, 500), Kinds::Struct { a: -7 }],
        nothing: Nothing,
        wrapped: Wrapped(1 << 40),
    };
    let by_postcard = postcard::to_allocvec(&all).unwrap();
    let mut world = World::new();
    world.spawn(all);
    let mut bytes = Vec::new();
    world.save().to_bytes(&mut bytes).unwrap();
    assert!(bytes.windows(by_postcard.len()).any(|some| some == by_postcard));
    world.read(&bytes, &Limits::default()).unwrap();
}

#[test]
fn a_loaded_group_leaves_out_the_entities_that_it_excludes() {
    let mut world = World::new();
    world.spawn((Number(1), Tag));
    let lacking = world.spawn(Number(2)).id();
    let group = Group::owning::<Number>().without::<Tag>();
    let mut loaded = World::new();
    loaded.register::<(Number, Tag)>();
    loaded.declare_group(group).unwrap();
    load(&mut loaded, &bytes_of(&world)).unwrap();
    loaded.check_invariants();
    assert_eq!(loaded.group(group).unwrap().members(), [lacking]);
}
