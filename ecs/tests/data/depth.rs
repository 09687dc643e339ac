//! Limits of nesting: equal when values are saved and when they are loaded.

use crate::saves::bytes_of;
use ecs::by_name::Kind;
use ecs::save::{Delta, Limits};
use ecs::{Component, Entity, Resource, World};
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::thread;

/// A chain; each of its steps is two levels.
#[derive(Component, Serialize, Deserialize, Clone, Default)]
#[component(save = "steps", clone)]
struct Steps(Option<Box<Step>>);
#[derive(Serialize, Deserialize, Clone)]
struct Step {
    length: [u64; 6],
    next: Option<Box<Step>>,
}
/// A chain by variants.
#[derive(Component, Serialize, Deserialize)]
#[component(save = "stairs")]
enum Stairs {
    Top,
    Stair(u8, Box<Stairs>),
}
#[derive(Resource, Serialize, Deserialize, Clone)]
#[resource(save = "way down", clone)]
struct WayDown(Steps);

fn steps(deep: usize) -> Steps {
    let step = |next| Some(Box::new(Step { length: [1; 6], next }));
    Steps((0..deep).fold(None, |next, _| step(next)))
}

fn stairs(deep: usize) -> Stairs {
    (0..deep).fold(Stairs::Top, |next, _| Stairs::Stair(1, Box::new(next)))
}

const TOO_DEEP: &str = "values are nested deeper than 128, and would not be loaded: keep them side by side in a list, \
                        where each names others by their positions";

#[test]
fn values_are_saved_no_deeper_than_they_are_loaded() {
    // A value of the largest depth, beyond the values that are read again when they are saved.
    let saved = |spawn: &dyn Fn(&mut World) -> Entity| {
        let mut world = World::new();
        world.spawn_batch((0..40).map(|_| Steps::default()));
        world.spawn_batch((0..40).map(|_| stairs(0)));
        let (entity, mut bytes) = (spawn(&mut world), b"before".to_vec());
        let result = world.save().to_bytes(&mut bytes);
        if let Err(error) = &result {
            assert!(
                bytes == b"before" && error.to_string().contains(&entity.to_string()),
                "{error}"
            );
        }
        let text = serde_json::to_string(&world.save());
        assert_eq!(result.is_ok(), text.is_ok(), "{text:?}");
        result
            .map(|_| world.read(&bytes[6..], &Limits::default()).unwrap())
            .map_err(|error| error.to_string())
    };
    saved(&|world| world.spawn(steps(63)).id()).unwrap();
    let error = saved(&|world| world.spawn(steps(64)).id()).unwrap_err();
    assert!(
        error.starts_with("cannot save `steps` of 80v1: ") && error.ends_with(TOO_DEEP),
        "{error}"
    );
    saved(&|world| world.spawn(stairs(63)).id()).unwrap();
    let error = saved(&|world| world.spawn(stairs(64)).id()).unwrap_err();
    assert!(
        error.starts_with("cannot save `stairs` of 80v1: ") && error.ends_with(TOO_DEEP),
        "{error}"
    );
}

#[test]
fn values_that_are_far_too_deep_are_refused_on_a_small_stack() {
    let run = || {
        let mut world = World::new();
        world.insert_resource(WayDown(steps(0)));
        world.spawn_batch((0..40).map(|_| Steps::default()));
        let old = world.try_clone().unwrap();
        let mut sets = world.change_sets();
        let deep = world.spawn(steps(10_000)).id();
        let refused = |error: &dyn Display| {
            let error = error.to_string();
            assert!(error.ends_with(TOO_DEEP), "{error}");
        };
        refused(&world.save().to_bytes(&mut Vec::new()).unwrap_err());
        refused(&serde_json::to_string(&world.save()).unwrap_err());
        refused(&Delta::between(&old, &world).unwrap_err());
        let value = Kind::of::<Steps>().value(&world, deep).unwrap();
        refused(&serde_json::to_string(&value).unwrap_err());
        assert!(sets.drain(&mut world).unwrap().is_empty(), "it is not tracked");
        world.despawn(deep).unwrap();
        world.insert_resource(WayDown(steps(10_000)));
        refused(&world.save().to_bytes(&mut Vec::new()).unwrap_err());
        refused(&serde_json::to_string(&world.save()).unwrap_err());
    };
    thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}

#[test]
fn texts_are_read_as_deep_as_bytes() {
    let mut world = World::new();
    world.spawn(steps(63));
    let read = |deep: usize| {
        let step = r#"{"length":[1,1,1,1,1,1],"next":"#.repeat(deep);
        let value = format!("{step}null{}", "}".repeat(deep));
        let part = format!(r#""steps":{{"version":1,"values":[["0v1",{value}]]}}"#);
        let text = format!(r#"{{"entities":["0v1"],"free":[],"components":{{{part}}}}}"#);
        let read = world.read_from(&mut serde_json::Deserializer::from_str(&text));
        read.map(|(world, _)| bytes_of(&world)).map_err(|error| error.to_string())
    };
    assert_eq!(read(63).unwrap(), bytes_of(&world));
    let error = read(64).unwrap_err();
    assert!(error.starts_with("`steps` of 0v1: values are nested deeper than 128"), "{error}");
}
