//! Worlds of programs whose components differ: what changed its meaning is refused, and what is later is kept.

use crate::saves::{bytes_of, load};
use ecs::save::{Limits, SavedList, WorldSeed};
use ecs::{Component, Res, Resource, World};
use serde::de::DeserializeSeed;
use serde::{Deserialize, Serialize};

const CHANGED: &str = "its fields, their types or its variants are not those that were saved as version 1: raise the version, \
                       and name the type that it had, by `version = 2, from(1 = Old)`, or by `from(1 = Self)` if serde \
                       reads the old values as they are";

/// A program that knows these components.
fn program<L: SavedList>() -> World {
    let mut world = World::new();
    world.register::<L>();
    world
}

fn text_of(world: &World) -> String {
    serde_json::to_string(&world.save()).unwrap()
}

fn read_text(knowing: &World, text: &str, limits: Limits) -> Result<World, String> {
    let mut from = serde_json::Deserializer::from_str(text);
    let read = WorldSeed::new(knowing, &limits).deserialize(&mut from);
    read.map(|(world, _)| world).map_err(|error| error.to_string())
}

/// Checks that a program with a `New` refuses a file that has an `Old` of the same name and version.
#[track_caller]
fn refused<Old: Component, New: Component>(old: Old) {
    let (mut world, mut new) = (World::new(), program::<New>());
    world.spawn(old);
    let error = load(&mut new, &bytes_of(&world)).unwrap_err().to_string();
    assert!(error.starts_with("cannot load `it`") && error.ends_with(CHANGED), "{error}");
    let error = read_text(&new, &text_of(&world), Limits::default()).err().unwrap();
    assert!(error.starts_with(&format!("`it`: {CHANGED}")), "{error}");
}

/// A module with each type, so that they may have one name.
macro_rules! saved_as_it {
    ($($module:ident { $($type:tt)* })+) => {
        $(mod $module {
            #[derive(ecs::Component, serde::Serialize, serde::Deserialize, Clone, Debug, PartialEq)]
            #[component(save = "it")]
            $($type)*
        })+
    };
}
saved_as_it! {
    unsigned { pub struct It(pub u32); }
    signed { pub struct It(pub i32); }
    one { pub struct It { pub now: u8, pub most: u8 } }
    turned { pub struct It { pub most: u8, pub now: u8 } }
    more { pub struct It { pub now: u8, pub most: u8, #[serde(default)] pub least: u8 } }
    two { pub struct It(pub f32, pub f32); }
    long { pub struct It(pub f64); }
    three { pub enum It { Idle, Walking, Running } }
    fewer { pub enum It { Idle, Running } }
    inserted { pub enum It { Idle, Crawling, Walking, Running } }
    skipping { pub struct It { pub now: u8, #[serde(skip)] pub most: u8 } }
}

#[test]
fn changed_fields_and_variants_under_one_version_are_refused() {
    refused::<_, signed::It>(unsigned::It(u32::MAX));
    refused::<_, turned::It>(one::It { now: 1, most: 9 });
    refused::<_, more::It>(one::It { now: 1, most: 9 });
    refused::<_, skipping::It>(one::It { now: 1, most: 9 });
    refused::<_, long::It>(two::It(1.0, 2.0));
    refused::<_, fewer::It>(three::It::Walking);
    refused::<_, inserted::It>(three::It::Walking);
}

#[test]
fn changed_fields_of_resources_are_refused() {
    #[derive(Resource, Serialize, Deserialize)]
    #[resource(save = "score")]
    struct Old(u32);
    #[derive(Resource, Serialize, Deserialize)]
    #[resource(save = "score")]
    struct New(i32);
    let mut world = World::new();
    world.insert_resource(Old(3));
    let error = load(&mut program::<Res<New>>(), &bytes_of(&world)).unwrap_err().to_string();
    assert!(error.starts_with("cannot load `score`") && error.ends_with(CHANGED), "{error}");
}

/// The mend that the message names, where serde reads old values as they are.
#[test]
fn a_raised_version_reads_the_old_one_by_its_own_type() {
    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "it", version = 2, from(1 = Self))]
    struct Renamed {
        now: u8,
        highest: u8,
    }
    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "it", version = 2, from(1 = Self))]
    struct More {
        now: u8,
        most: u8,
        #[serde(default)]
        least: u8,
    }
    let mut world = World::new();
    let entity = world.spawn(one::It { now: 1, most: 9 }).id();
    let mut new = program::<Renamed>();
    load(&mut new, &bytes_of(&world)).unwrap();
    assert_eq!(new.get::<Renamed>(entity), Some(&Renamed { now: 1, highest: 9 }));
    let read = read_text(&program::<More>(), &text_of(&world), Limits::default()).unwrap();
    assert_eq!(read.get::<More>(entity), Some(&More { now: 1, most: 9, least: 0 }));
}

mod later {
    use super::*;

    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "it", version = 2)]
    pub struct It(pub u64, pub String);
    #[derive(Resource, Serialize, Deserialize, Debug, PartialEq)]
    #[resource(save = "score", version = 3)]
    pub struct Score(pub String);
    #[derive(Resource, Serialize, Deserialize, Debug, PartialEq)]
    #[resource(save = "score")]
    pub struct OldScore(pub u8);
}

#[test]
fn what_a_later_version_saved_is_kept_or_skipped_on_request() {
    let mut world = World::new();
    let value = || later::It(7, "seven".to_owned());
    let (entity, other) = (world.spawn(value()).id(), world.spawn(value()).id());
    world.insert_resource(later::Score("high".to_owned()));
    let bytes = bytes_of(&world);
    let mut old = program::<(unsigned::It, Res<later::OldScore>)>();
    let error = load(&mut old, &bytes).unwrap_err().to_string();
    let words = "it is of version 2, and this program has version 1: skip or keep it by `Limits::skip_unknown` or \
                 `Limits::keep_unknown`";
    assert!(error.starts_with("cannot load `it`") && error.ends_with(words), "{error}");

    let loaded = old.load(&bytes, &Limits::default().keep_unknown()).unwrap();
    let unknown: Vec<_> =
        loaded.unknown().iter().map(|it| (it.name(), it.version(), it.len())).collect();
    assert_eq!(unknown, [("it", 2, 2), ("score", 3, 0)]);
    assert!(old.len() == 2 && !old.has::<unsigned::It>(entity));
    assert_eq!(bytes_of(&old), bytes);
    old.despawn(other).unwrap();
    let mut new = program::<(later::It, Res<later::Score>)>();
    load(&mut new, &bytes_of(&old)).unwrap();
    assert_eq!((new.get::<later::It>(entity), new.pool::<later::It>().len()), (Some(&value()), 1));
    assert_eq!(new.resource::<later::Score>().0, "high");

    // A value of the old version beside them cannot be told from theirs.
    old.insert(entity, unsigned::It(1)).unwrap();
    let error = old.save().to_bytes(&mut Vec::new()).unwrap_err().to_string();
    assert!(error.starts_with("cannot save `it`: the world keeps values of it"), "{error}");

    old.load(&bytes, &Limits::default().skip_unknown()).unwrap();
    assert!(old.len() == 2 && old.pool::<unsigned::It>().is_empty());
    assert!(old.get_resource::<later::OldScore>().is_none());
    let read = read_text(&old, &text_of(&world), Limits::default().skip_unknown()).unwrap();
    assert!(read.len() == 2 && read.pool::<unsigned::It>().is_empty());
}
