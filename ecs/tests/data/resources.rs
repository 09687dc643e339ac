//! Resources that are saved with their world.

use crate::saves::{bytes_of, load};
use ecs::save::{Limits, WorldSeed};
use ecs::{Name, Res, Resource, World};
use serde::de::DeserializeSeed;
use serde::{Deserialize, Serialize};

#[derive(Resource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[resource(save = "score", clone)]
struct Score {
    points: u32,
    names: Vec<String>,
}
#[derive(Resource, Serialize, Deserialize, Debug, PartialEq)]
#[resource(save = "clock")]
struct Clock(u64);
#[derive(Resource, Debug, PartialEq)]
struct Window(u8);

fn score(points: u32) -> Score {
    Score { points, names: vec!["Ann".to_owned()] }
}

fn knowing() -> World {
    let mut world = World::new();
    world.register::<(Name, (Res<Score>, Res<Clock>))>();
    world
}

#[test]
fn resources_that_opt_in_come_back_and_others_stay() {
    let mut world = World::new();
    world.insert_resource(score(3));
    world.insert_resource(Window(1));
    let bytes = bytes_of(&world);
    let mut loaded = knowing();
    loaded.insert_resource(Window(2));
    loaded.insert_resource(Clock(9));
    loaded.insert_resource(score(8));
    load(&mut loaded, &bytes).unwrap();
    assert_eq!(loaded.resource::<Score>(), &score(3));
    // Neither is in the file.
    assert_eq!((loaded.resource::<Clock>(), loaded.resource::<Window>()), (&Clock(9), &Window(2)));
    loaded.remove_resource::<Clock>();
    assert_eq!(bytes_of(&loaded), bytes);
    // A resource that was never inserted is found by its name only.
    let mut loaded = knowing();
    load(&mut loaded, &bytes).unwrap();
    assert_eq!(loaded.get_resource::<Score>(), Some(&score(3)));
    // A copy of the world has the names, too.
    let mut copy = world.try_clone().unwrap();
    copy.remove_resource::<Score>();
    load(&mut copy, &bytes).unwrap();
    assert_eq!(copy.get_resource::<Score>(), Some(&score(3)));
}

#[test]
fn a_world_that_is_read_has_the_resources_of_the_file() {
    let mut world = knowing();
    world.insert_resource(Clock(4));
    let bytes = bytes_of(&world);
    world.insert_resource(Clock(5));
    let (read, _) = world.read(&bytes, &Limits::default()).unwrap();
    assert_eq!((read.resource::<Clock>(), world.resource::<Clock>()), (&Clock(4), &Clock(5)));
    world.merge(read);
    assert_eq!(world.resource::<Clock>(), &Clock(5));
}

#[test]
fn a_part_of_the_components_is_saved_without_resources() {
    let mut world = knowing();
    world.insert_resource(Clock(4));
    let mut bytes = Vec::new();
    world.save().only::<Name>().to_bytes(&mut bytes).unwrap();
    let (read, _) = world.read(&bytes, &Limits::default()).unwrap();
    assert_eq!(read.get_resource::<Clock>(), None);
    bytes.clear();
    world.save().matching::<&Name>().to_bytes(&mut bytes).unwrap();
    let (read, _) = world.read(&bytes, &Limits::default()).unwrap();
    assert_eq!(read.get_resource::<Clock>(), Some(&Clock(4)));
}

mod versions {
    use super::*;

    #[derive(Resource, Serialize, Deserialize)]
    #[resource(save = "clock", version = 1)]
    pub struct Seconds(pub u32);
    #[derive(Resource, Serialize, Deserialize, Debug, PartialEq)]
    #[resource(save = "clock", version = 2, from(1 = Seconds))]
    pub struct Milliseconds(pub u64);

    impl From<Seconds> for Milliseconds {
        fn from(Seconds(seconds): Seconds) -> Self {
            Self(1_000 * u64::from(seconds))
        }
    }
}

#[test]
fn earlier_versions_are_made_into_later_ones() {
    use versions::{Milliseconds, Seconds};
    let mut old = World::new();
    old.insert_resource(Seconds(3));
    let mut new = World::new();
    new.register::<Res<Milliseconds>>();
    load(&mut new, &bytes_of(&old)).unwrap();
    assert_eq!(new.resource::<Milliseconds>(), &Milliseconds(3_000));
    let error = load(&mut old, &bytes_of(&new)).unwrap_err();
    assert!(
        error.to_string().contains("it is of version 2, and this program has version 1"),
        "{error}"
    );
    assert_eq!((error.component(), old.resource::<Seconds>().0), (Some("clock"), 3));
    let text = serde_json::to_string(&old.save()).unwrap();
    let (read, _) = new.read_from(&mut serde_json::Deserializer::from_str(&text)).unwrap();
    assert_eq!(read.resource::<Milliseconds>(), &Milliseconds(3_000));
}

#[test]
fn unknown_and_repeated_names_are_reported() {
    let mut world = World::new();
    world.insert_resource(Clock(4));
    let bytes = bytes_of(&world);
    let told = World::new().load(&bytes, &Limits::default().skip_unknown()).unwrap();
    let [unknown] = told.unknown() else { panic!("one is unknown") };
    assert!(unknown.is_resource() && unknown.len() == 0 && unknown.bytes() == [4]);
    assert_eq!((unknown.name(), unknown.version()), ("clock", 1));
    world.insert_resource(versions::Seconds(1));
    let error = world.save().to_bytes(&mut Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "cannot save `clock`: two resources have this name");
    let error = load(&mut world, &bytes).unwrap_err();
    assert!(error.to_string().ends_with("two resources of the world have this name"), "{error}");
}

#[test]
fn lent_resources_are_not_saved_and_stay() {
    let mut world = World::new();
    world.insert_resource(Clock(4));
    let bytes = bytes_of(&world);
    world.resource_scope(|world: &mut World, clock: &mut Clock| {
        let error = world.save().to_bytes(&mut Vec::new()).unwrap_err();
        let words = "cannot save `clock`: it is lent by `World::resource_scope`: save after that";
        assert_eq!(error.to_string(), words);
        clock.0 = 7;
        load(world, &bytes).unwrap();
    });
    assert_eq!(world.resource::<Clock>(), &Clock(7));
}

#[test]
fn people_read_and_write_resources() {
    let mut world = knowing();
    world.insert_resource(score(3));
    world.insert_resource(Clock(4));
    let text = serde_json::to_string(&world.save()).unwrap();
    let clock = r#""clock":{"version":1,"fingerprint":2046588244,"value":4}"#;
    let all =
        r#""score":{"version":1,"fingerprint":3927689899,"value":{"points":3,"names":["Ann"]}}"#;
    assert!(text.ends_with(&format!("\"resources\":{{{clock},{all}}}}}")), "{text}");
    let read = |text: &str| {
        let (knowing, limits) = (knowing(), Limits::default().skip_unknown());
        let mut from = serde_json::Deserializer::from_str(text);
        let read = WorldSeed::new(&knowing, &limits).deserialize(&mut from);
        read.map_err(|error| error.to_string())
    };
    let (loaded, _) = read(&text.replace(":4", ":5")).unwrap();
    assert_eq!((loaded.resource::<Score>(), loaded.resource::<Clock>()), (&score(3), &Clock(5)));
    let (_, told) = read(&text.replace("clock", "sundial")).unwrap();
    assert!(told.unknown()[0].name() == "sundial" && told.unknown()[0].is_resource());
    let refused = |with: &str, words: &str| {
        let error = read(&text.replace(clock, with)).unwrap_err();
        assert!(error.starts_with(words), "{error}");
    };
    refused(r#""clock":{"value":4}"#, "`clock`: `version` is missing");
    refused(r#""clock":{"version":1}"#, "`clock`: `value` is missing");
    refused(
        r#""clock":{"hour":1}"#,
        "`clock`: unknown key `hour`: the keys are `version`, `fingerprint`, `value`",
    );
    refused(r#""clock":{"version":0,"value":4}"#, "`clock`: version 0 is not readable");
    let others = r#""clock":{"version":1,"fingerprint":1,"value":4}"#;
    refused(others, "`clock`: its fields, their types or its variants are not those");
    refused(r#""clock":{"version":1,"value":"noon"}"#, "`clock`: invalid type");
    refused(&format!("{clock},{clock}"), "`clock`: it is there twice");
    let error = read(r#"{"resources":{}}"#).unwrap_err();
    assert!(error.starts_with("`entities` is missing"), "{error}");
}
