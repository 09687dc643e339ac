//! Resources that are saved with their world.

use crate::saves::{bytes_of, load};
use ecs::app::{Elapsed, Exit};
use ecs::copies::Copies;
use ecs::save::{Delta, Deltas, Limits, WorldSeed};
use ecs::{CopyError, Events, Name, NonSend, Res, Resource, World};
use serde::de::DeserializeSeed;
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use std::time::Duration;

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
#[resource(clone = skip, save = skip)]
struct Window(u8);
/// Has no attribute.
#[derive(Resource, Debug, PartialEq)]
struct Socket(u8);

fn score(points: u32) -> Score {
    Score { points, names: vec!["Ann".to_owned()] }
}

fn knowing() -> World {
    let mut world = World::new();
    world.register::<(Name, (Res<Score>, Res<Clock>))>();
    world
}

#[test]
fn resources_that_opt_in_come_back_and_others_stay_as_they_say() {
    let mut world = World::new();
    world.insert_resource(score(3));
    world.insert_resource(Window(1));
    let bytes = bytes_of(&world);
    let mut loaded = knowing();
    loaded.insert_resource(Window(2));
    loaded.insert_resource(Clock(9));
    loaded.insert_resource(score(8));
    let told = loaded.load(&bytes, &Limits::default()).unwrap();
    assert_eq!(loaded.resource::<Score>(), &score(3));
    // Neither is in the file, and one of them says that it stays.
    assert_eq!((loaded.resource::<Clock>(), loaded.resource::<Window>()), (&Clock(9), &Window(2)));
    assert_eq!(told.other_resources(), ["Clock"]);
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
    let (mut read, _) = world.read(&bytes, &Limits::default()).unwrap();
    assert_eq!((read.resource::<Clock>(), world.resource::<Clock>()), (&Clock(4), &Clock(5)));
    world.merge(&mut read).unwrap();
    assert_eq!((read.resource::<Clock>(), world.resource::<Clock>()), (&Clock(4), &Clock(5)));
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
        let error = load(world, &bytes).unwrap_err().to_string();
        let words = "it is lent by `World::resource_scope`: load after that";
        assert!(error.contains("`clock`") && error.ends_with(words), "{error}");
    });
    assert_eq!(world.resource::<Clock>(), &Clock(7));
    world.insert_resource(Window(1));
    world.resource_scope(|world: &mut World, _: &mut Window| {
        assert_eq!(
            bytes_of(world),
            [&bytes[..bytes.len() - 3], &[7], &bytes[bytes.len() - 2..]].concat()
        );
    });
}

#[test]
fn a_resource_that_says_nothing_is_named_wherever_it_would_be_forgotten() {
    let mut world = knowing();
    world.insert_resource(Socket(1));
    world.insert_resource(Clock(4));
    let unsaved = "cannot save `Socket`: the world has this resource, and it is not saved: add \
                   `#[resource(save = \"name\")]`, let it stay by `#[resource(save = skip)]`, or leave it out by \
                   `leave_out_resource` or `leave_out_rest`";
    let mut bytes = Vec::new();
    assert_eq!(world.save().to_bytes(&mut bytes).unwrap_err().to_string(), unsaved);
    assert_eq!(serde_json::to_string(&world.save()).unwrap_err().to_string(), unsaved);
    for (old, new) in [(&knowing(), &world), (&world, &knowing())] {
        assert_eq!(Delta::between(old, new).unwrap_err().to_string(), unsaved);
    }
    let lent = world.resource_scope(|world: &mut World, _: &mut Socket| {
        world.save().to_bytes(&mut Vec::new()).unwrap_err().to_string()
    });
    assert_eq!(lent, unsaved);

    // Some are chosen, or all that remain.
    world.insert_resource(Window(1));
    for save in [world.save().leave_out_resource::<Socket>(), world.save().leave_out_rest()] {
        bytes.clear();
        assert_eq!(save.to_bytes(&mut bytes).unwrap(), ["Socket"]);
        serde_json::to_string(&save).unwrap();
        let (read, told) = world.read(&bytes, &Limits::default()).unwrap();
        assert_eq!(
            (read.get_resource::<Clock>(), told.other_resources().len()),
            (Some(&Clock(4)), 0)
        );
        assert!(read.get_resource::<Socket>().is_none() && read.get_resource::<Window>().is_none());
    }
    let without = world.save().leave_out_resource::<Clock>().leave_out_resource::<Socket>();
    assert_eq!(without.to_bytes(&mut Vec::new()).unwrap(), ["Clock", "Socket"]);
    let error = world.save().leave_out_resource::<Clock>().to_bytes(&mut Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), unsaved);
    // With chosen components there are no resources.
    assert!(world.save().only::<Name>().to_bytes(&mut Vec::new()).unwrap().is_empty());

    let uncopied = CopyError::ResourcesNotCloned(vec!["Clock", "Socket"]);
    let text = "resource `Clock`, `Socket` may not be copied with its world: add `#[resource(clone)]`, or let it stay by \
                `#[resource(clone = skip)]` or by `Copies`";
    assert_eq!(world.try_clone().unwrap_err(), uncopied);
    assert_eq!(uncopied.to_string(), text);
    // A world that would keep its own is named, too, and changed in nothing.
    world.spawn_named("Bob");
    assert_eq!(world.copy_from(&knowing()).unwrap_err(), uncopied);
    assert_eq!((world.len(), world.resource::<Clock>()), (1, &Clock(4)));
    let copies = Copies::default().leave_out_resource::<Clock>();
    let (mut copy, left_out) = world.try_clone_by(&copies.clone().leave_out_rest()).unwrap();
    assert_eq!(left_out, ["Clock", "Socket"]);
    assert!(copy.get_resource::<Socket>().is_none() && copy.get_resource::<Window>().is_none());
    copy.insert_resource(Clock(1));
    copy.insert_resource(Window(9));
    let left_out = copy.copy_from_by(&copies.leave_out_resource::<Socket>(), &world).unwrap();
    assert_eq!(left_out, ["Clock", "Socket"]);
    assert_eq!((copy.resource::<Clock>(), copy.resource::<Window>()), (&Clock(1), &Window(9)));
}

#[test]
fn lent_resources_are_not_copied() {
    let (mut world, mut other) = (World::new(), World::new());
    world.insert_resource(score(1));
    world.insert_resource(Window(1));
    other.insert_resource(score(2));
    let lent = CopyError::ResourcesLent(vec!["Score"]);
    world.resource_scope(|world: &mut World, score: &mut Score| {
        score.points = 7;
        assert_eq!(world.try_clone().unwrap_err(), lent);
        assert_eq!(world.copy_from(&other).unwrap_err(), lent);
        assert_eq!(other.copy_from(world).unwrap_err(), lent);
        let copies = Copies::default().leave_out_resource::<Score>();
        assert!(world.copy_from_by(&copies, &other).unwrap() == ["Score"]);
    });
    assert_eq!((world.resource::<Score>(), other.resource::<Score>()), (&score(7), &score(2)));
    world.resource_scope(|world: &mut World, window: &mut Window| {
        window.0 = 8;
        world.copy_from(&other).unwrap();
    });
    assert_eq!((world.resource::<Score>(), world.resource::<Window>()), (&score(2), &Window(8)));
    let words = "resource `Score` is lent by `World::resource_scope`: copy the world after that, or let the resource stay by \
                 `#[resource(clone = skip)]` or by `Copies`";
    assert_eq!(lent.to_string(), words);
}

#[test]
fn resources_of_the_library_stay() {
    let mut world = World::new();
    world.insert_resource(Events::<u32>::from_iter([1, 2]));
    world.insert_resource(Exit(true));
    world.insert_resource(Elapsed(Duration::from_secs(1)));
    world.insert_resource(NonSend::new(Rc::new(3_u32)));
    let bytes = bytes_of(&world);
    let mut copy = world.try_clone().unwrap();
    assert!(copy.get_resource::<Events<u32>>().is_none() && copy.get_resource::<Exit>().is_none());
    copy.insert_resource(Exit(false));
    assert!(copy.load(&bytes, &Limits::default()).unwrap().other_resources().is_empty());
    world.copy_from(&copy).unwrap();
    assert!(world.resource::<Exit>().0 && world.resource::<Events<u32>>().len() == 2);
    assert_eq!(**world.resource::<NonSend<Rc<u32>>>().get(), 3);
    assert!(Delta::between(&copy, &world).unwrap().is_empty());
}

#[test]
fn deltas_have_the_resources_that_differ() {
    let mut old = knowing();
    old.insert_resource(Clock(4));
    old.insert_resource(score(1));
    old.insert_resource(Window(1));
    let mut new = knowing();
    new.insert_resource(Clock(4));
    new.insert_resource(score(1));
    new.insert_resource(Window(2));
    assert!(Delta::between(&old, &new).unwrap().is_empty());
    let apply = |old: &mut World, new: &World| {
        let delta = Delta::between(old, new).unwrap();
        old.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
        assert!(Delta::between(old, new).unwrap().is_empty());
        delta
    };
    new.resource_mut::<Score>().points = 2;
    let delta = apply(&mut old, &new);
    assert!(!delta.is_empty() && !delta.as_bytes().windows(5).any(|it| it == b"clock"));
    assert_eq!((old.resource::<Score>(), old.resource::<Window>()), (&score(2), &Window(1)));
    new.remove_resource::<Clock>();
    let delta = apply(&mut old, &new);
    assert!(!delta.is_empty() && old.get_resource::<Clock>().is_none());
    new.insert_resource(Clock(6));
    let mut bytes = apply(&mut old, &new).into_bytes();
    assert_eq!(old.resource::<Clock>(), &Clock(6));

    // A delta that cannot be applied changes nothing.
    new.spawn_empty();
    new.insert_resource(Clock(7));
    let delta = Delta::between(&old, &new).unwrap();
    let refused = |old: &mut World, bytes: &[u8], words: &str| {
        let error = old.apply_delta(bytes, &Limits::default()).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        assert!(old.is_empty() && old.get_resource::<Clock>().is_none_or(|it| it.0 == 6));
    };
    old.resource_scope(|old: &mut World, _: &mut Clock| {
        refused(
            old,
            delta.as_bytes(),
            "it is lent by `World::resource_scope`: apply the delta after that",
        );
        assert!(Delta::between(old, &new).unwrap_err().to_string().contains("it is lent by"));
    });
    let mut ignorant = World::new();
    ignorant.register::<Name>();
    refused(&mut ignorant, &bytes, "the world has no such component or resource");
    *bytes.last_mut().unwrap() = 0x80;
    refused(&mut old, &bytes, "`clock`");
    let place = bytes.len() - 2;
    bytes[place] = 2;
    refused(&mut old, &bytes, "a resource is marked neither as present nor as removed");
    bytes.truncate(place);
    refused(&mut old, &bytes, "`clock`");
    let left_out = Deltas::default().leave_out_resource::<Clock>();
    let (delta, names) = left_out.between(&old, &new).unwrap();
    assert_eq!(names, ["Clock"]);
    old.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
    assert_eq!((old.len(), old.resource::<Clock>()), (1, &Clock(6)));
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
    refused(others, "`clock`: its fields, their types or its variants differ from the ones");
    refused(r#""clock":{"version":1,"value":"noon"}"#, "`clock`: invalid type");
    refused(&format!("{clock},{clock}"), "`clock`: it is there twice");
    let error = read(r#"{"resources":{}}"#).unwrap_err();
    assert!(error.starts_with("`entities` is missing"), "{error}");
}
