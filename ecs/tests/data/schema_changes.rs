//! Worlds of programs whose components differ: changed meanings are refused, and later components are kept.

use crate::saves::{bytes_of, load};
use ecs::save::{Limits, SavedList, WorldSeed};
use ecs::{Component, Res, Resource, World};
use serde::de::DeserializeSeed;
use serde::{Deserialize, Serialize};

const CHANGED: &str = "its fields, their types or its variants differ from the ones saved as version 1: raise the \
 version, \
                       and name the type that it had, by `version = 2, from(1 = Old)`, or by `from(1 = Self)` if serde \
                       reads the old values as they are";

/// Returns a world with these components registered.
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
fn values_of_later_versions_are_kept_or_skipped_on_request() {
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

    // A value of the old version is saved beside them, and the later program cannot read it.
    old.insert(entity, unsigned::It(1)).unwrap();
    let both = bytes_of(&old);
    let mut again = program::<(unsigned::It, Res<later::OldScore>)>();
    again.load(&both, &Limits::default().keep_unknown()).unwrap();
    assert_eq!(again.get::<unsigned::It>(entity), Some(&unsigned::It(1)));
    let error = load(&mut new, &both).unwrap_err().to_string();
    assert!(error.contains("version 1 is not readable"), "{error}");

    old.load(&bytes, &Limits::default().skip_unknown()).unwrap();
    assert!(old.len() == 2 && old.pool::<unsigned::It>().is_empty());
    assert!(old.get_resource::<later::OldScore>().is_none());
    let read = read_text(&old, &text_of(&world), Limits::default().skip_unknown()).unwrap();
    assert!(read.len() == 2 && read.pool::<unsigned::It>().is_empty());
}

/// Formats that have names of fields, but have no word for some values.
mod named_formats {
    use super::*;
    use crate::worlds::{Number, random, seeds};
    use ecs::{ChildOf, Entity, Name};

    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "speed")]
    struct Speed {
        of: Vec<f64>,
    }
    #[expect(clippy::option_option, reason = "that is what is lost")]
    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "choice")]
    struct Choice(Vec<Option<Option<u8>>>);
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Nothing;
    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "empty")]
    struct Empty {
        of: Option<Nothing>,
        then: Option<()>,
    }
    #[derive(Resource, Serialize, Deserialize, Debug, PartialEq)]
    #[resource(save = "wind")]
    struct Wind(f32);

    /// Checks that a world is written as bytes and comes back, and that JSON refuses it with these words.
    #[track_caller]
    fn only_as_bytes<T>(value: &T, words: &str)
    where
        T: Component<Storage = Vec<T>> + Clone + std::fmt::Debug,
    {
        let mut world = World::new();
        world.spawn_empty();
        let entity = world.spawn(value.clone()).id();
        let mut loaded = program::<T>();
        load(&mut loaded, &bytes_of(&world)).unwrap();
        assert_eq!(format!("{:?}", loaded.get::<T>(entity).unwrap()), format!("{value:?}"));
        let error = serde_json::to_string(&world.save()).unwrap_err().to_string();
        assert!(error.starts_with(words), "{error}");
    }

    macro_rules! clone_by_bytes {
        ($($ty:ty)+) => {
            $(impl Clone for $ty {
                fn clone(&self) -> Self {
                    postcard::from_bytes(&postcard::to_allocvec(self).unwrap()).unwrap()
                }
            })+
        };
    }
    clone_by_bytes!(Speed Choice Empty);

    #[test]
    fn numbers_that_texts_lack_are_refused_when_they_are_saved() {
        for (value, word) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf"), (-f64::INFINITY, "-inf")] {
            let words =
                format!("cannot save `speed` of 1v1: {word} is no number in formats for people");
            only_as_bytes(&Speed { of: vec![1.0, value] }, &words);
        }
        let mut world = World::new();
        world.insert_resource(Wind(f32::NAN));
        let error = serde_json::to_string(&world.save()).unwrap_err().to_string();
        assert!(error.starts_with("cannot save `wind`: NaN is no number"), "{error}");
    }

    #[test]
    fn nested_options_are_refused_where_they_would_become_others() {
        let words = "of 1v1: `Some` of a value that is written as nothing, such as `Some(None)`";
        let choice = format!("cannot save `choice` {words}");
        only_as_bytes(&Choice(vec![None, Some(Some(1)), Some(None)]), &choice);
        let empty = format!("cannot save `empty` {words}");
        only_as_bytes(&Empty { of: Some(Nothing), then: None }, &empty);
        only_as_bytes(&Empty { of: None, then: Some(()) }, &empty);
        // Others are written.
        let mut world = World::new();
        let entity = world.spawn(Choice(vec![None, Some(Some(1))])).id();
        let read = read_text(&program::<Choice>(), &text_of(&world), Limits::default()).unwrap();
        assert_eq!(read.get::<Choice>(entity), world.get::<Choice>(entity));
    }

    /// Some formats write the fields of a struct one after the other, without their names.
    #[test]
    fn formats_that_write_structs_as_sequences_read_them_again() {
        for seed in seeds(5) {
            let mut world = random(seed);
            let mut all: Vec<Entity> = world.entities().collect();
            world.despawn_batch(&all.split_off(all.len().min(200)));
            world.insert_resource(Wind(f32::INFINITY));
            let knowing = program::<(Number, crate::worlds::Text, crate::worlds::Tag)>();
            let mut knowing = knowing;
            knowing.register::<(crate::worlds::Place, crate::worlds::Friends, Name, ChildOf)>();
            knowing
                .register::<(crate::worlds::Generic<u8>, crate::worlds::Generic<u64>, Res<Wind>)>();
            for bytes in [rmp_serde::to_vec(&world.save()), rmp_serde::to_vec_named(&world.save())]
            {
                let bytes = bytes.unwrap();
                let (read, _) =
                    knowing.read_from(&mut rmp_serde::Deserializer::new(&bytes[..])).unwrap();
                assert!(read.pool::<Number>().as_slice() == world.pool::<Number>().as_slice());
                assert!(read.entities().eq(world.entities()));
                assert!(read.resource::<Wind>().0.is_infinite());
                assert_eq!(text_without_wind(&read), text_without_wind(&world));
            }
        }
    }

    fn text_without_wind(world: &World) -> String {
        let mut bytes = Vec::new();
        ciborium::into_writer(&world.save(), &mut bytes).unwrap();
        format!("{bytes:?}")
    }

    #[test]
    fn errors_in_texts_name_the_component_and_the_entity() {
        #[derive(Component, Deserialize)]
        #[component(save = "stubborn")]
        struct Stubborn;
        impl Serialize for Stubborn {
            fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
                Err(serde::ser::Error::custom("not today"))
            }
        }
        let mut world = World::new();
        world.spawn_empty();
        world.spawn(Stubborn);
        let error = serde_json::to_string(&world.save()).unwrap_err().to_string();
        assert_eq!(error, "cannot save `stubborn` of 1v1: not today");

        let refused = |component: &str, words: &str| {
            let text = format!(
                r#"{{"entities":["0v1"],"free":[],"components":{{"speed":{{"version":1,{component}}}}}}}"#
            );
            let error = read_text(&program::<Speed>(), &text, Limits::default()).err().unwrap();
            assert!(error.starts_with(words), "{error}");
            assert_eq!(error.matches("speed").count(), 1, "{error}");
        };
        refused(r#""values":{}"#, "`speed`: invalid type: map");
        refused(r#""values":[["zero",{"of":[]}]]"#, "`speed`: ");
        refused(r#""values":[["0v1"]]"#, "`speed` of 0v1: its value is missing");
        refused(r#""values":[["0v1",{"of":[null]}]]"#, "`speed` of 0v1: invalid type: null");
        refused(r#""values":[["0v1",{"of":[]},1]]"#, "`speed`: ");
        refused(r#""values":[],"order":["0v1"]"#, "`speed`: ");
    }
}

/// One component that became several, and requirements of a later program.
mod more_components {
    use super::*;
    use ecs::save::Delta;
    use ecs::{Entity, Group, Replaced, Without};

    #[derive(Component, Serialize, Deserialize, Clone)]
    #[component(save = "body", clone)]
    struct OldBody {
        x: f32,
        health: u32,
        armour: Option<u32>,
    }
    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "body", version = 2, from(1 = OldBody as (Self, Health, Armour)))]
    struct Body(f32);
    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "health", requires(Alarm = Alarm(3)), on_insert = never)]
    struct Health(u32);
    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "armour")]
    struct Armour(u32);
    #[derive(Component, Debug, PartialEq)]
    struct Alarm(u8);

    fn never(_: &mut World, _: Entity) {
        panic!("nobody is notified of what is loaded");
    }

    impl From<OldBody> for (Body, Health, Armour) {
        fn from(OldBody { x, health, armour }: OldBody) -> Self {
            (Body(x), Health(health), Armour(armour.unwrap_or(0)))
        }
    }

    fn old_bodies() -> (World, Vec<Entity>) {
        let mut world = World::new();
        let all = world.spawn_batch((0..50).map(|it| OldBody { x: 0.5, health: it, armour: None }));
        world.insert(all[7], Armour(9)).unwrap();
        (world, all)
    }

    #[track_caller]
    fn check(world: &World, all: &[Entity]) {
        world.check_invariants();
        for (entity, health) in all.iter().zip(0..) {
            let armour = if health == 7 { 9 } else { 0 };
            assert_eq!(world.get::<Body>(*entity), Some(&Body(0.5)));
            assert_eq!(world.get::<Health>(*entity), Some(&Health(health)));
            assert_eq!(world.get::<Armour>(*entity), Some(&Armour(armour)), "its own stays");
            assert_eq!(world.get::<Alarm>(*entity), Some(&Alarm(3)), "as `Health` requires it");
        }
        assert_eq!(world.view::<(&Body, &Health)>().iter().count(), all.len());
    }

    #[test]
    fn one_old_component_becomes_several() {
        let (world, all) = old_bodies();
        let mut new = program::<(Body, Armour)>(); // the others have no pools before
        new.declare_group(Group::owning::<(Body, Armour)>()).unwrap();
        new.declare_group(Group::observing::<(Body, Health)>()).unwrap();
        new.on(|_, _: &Replaced| {});
        load(&mut new, &bytes_of(&world)).unwrap();
        check(&new, &all);
        check(
            &read_text(&program::<(Body, Armour)>(), &text_of(&world), Limits::default()).unwrap(),
            &all,
        );
        new.insert(all[0], Armour(1)).unwrap();
        new.despawn(all[1]).unwrap();
        new.check_invariants();
        // Entities that died while an older program kept their components get nothing.
        let mut keeping = program::<Armour>();
        keeping.load(&bytes_of(&world), &Limits::default().keep_unknown()).unwrap();
        keeping.despawn(all[49]).unwrap();
        load(&mut new, &bytes_of(&keeping)).unwrap();
        check(&new, &all[..49]);
    }

    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "a hull")]
    struct OldHull(u8);
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "a mast")]
    struct OldMast(u8);
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "z sail")]
    struct OldSail(u8);
    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "a hull", requires(Cloth = Cloth(99)))]
    struct Hull(u8);
    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "a mast", version = 2, from(1 = OldMast as (Self, Rope)))]
    struct Mast(u8);
    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "rope", requires(Cloth = Cloth(98)))]
    struct Rope(u8);
    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "z sail", version = 2, from(1 = OldSail as (Self, Cloth)))]
    struct Sail(u8);
    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "cloth")]
    struct Cloth(u8);

    impl From<OldMast> for (Mast, Rope) {
        fn from(OldMast(size): OldMast) -> Self {
            (Mast(size), Rope(size))
        }
    }
    impl From<OldSail> for (Sail, Cloth) {
        fn from(OldSail(size): OldSail) -> Self {
            (Sail(size), Cloth(size))
        }
    }

    /// The names sort such that the components come first that require the others.
    #[test]
    fn a_requirement_replaces_no_component_that_comes_of_an_old_value() {
        let mut world = World::new();
        let all = [
            world.spawn((OldHull(1), OldSail(5))).id(),
            world.spawn((OldMast(1), OldSail(6))).id(),
            world.spawn(OldMast(1)).id(),
            world.spawn(OldHull(1)).id(),
        ];
        let check = |world: &World| {
            let cloth = all.map(|entity| world.get::<Cloth>(entity).unwrap().0);
            assert_eq!(cloth, [5, 6, 98, 99]);
            world.check_invariants();
        };
        let mut new = program::<(Hull, Mast, Rope, Sail, Cloth)>();
        new.declare_group(Group::owning::<(Cloth, Rope)>()).unwrap();
        load(&mut new, &bytes_of(&world)).unwrap();
        check(&new);
        check(&read_text(&new, &text_of(&world), Limits::default()).unwrap());
    }

    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "deck")]
    struct OldDeck(u8);
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "deck", version = 2, from(1 = OldDeck as (Self, Cannon)), requires(Crew))]
    struct Deck(u8);
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "cannon", requires(Crew))]
    struct Cannon(u8);
    #[derive(Component, Default)]
    #[component(requires(Aims = Aims(Entity::PLACEHOLDER), Alarm = Alarm(1)))]
    struct Crew;
    #[derive(Component)]
    #[component(relation)]
    struct Aims(Entity);

    impl From<OldDeck> for (Deck, Cannon) {
        fn from(OldDeck(size): OldDeck) -> Self {
            (Deck(size), Cannon(size))
        }
    }

    #[test]
    fn relations_that_are_required_on_the_way_are_left_out() {
        let mut world = World::new();
        let entity = world.spawn(OldDeck(1)).id();
        let mut new = program::<(Deck, Cannon)>();
        load(&mut new, &bytes_of(&world)).unwrap();
        assert!(new.has::<(Deck, Cannon, Crew, Alarm, Without<Aims>)>(entity));
        new.check_invariants();
    }

    #[test]
    fn a_delta_of_values_that_became_several_is_refused() {
        let (old, all) = old_bodies();
        let (mut later, _) = old_bodies();
        later.get_mut::<OldBody>(all[3]).unwrap().health = 1;
        let delta = Delta::between(&old, &later).unwrap();
        let mut new = program::<(Body, Armour)>();
        load(&mut new, &bytes_of(&old)).unwrap();
        let error = new.apply_delta(delta.as_bytes(), &Limits::default()).unwrap_err().to_string();
        let why =
            "its old version became several components, which only saved worlds support: make ";
        assert!(error.contains(why), "{error}");
    }

    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "fire", requires(Fuel))]
    struct OldFire(u8);
    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "fire", requires(Fuel, Light, Smoke = Smoke(1)))]
    struct Fire(u8);
    #[derive(Component, Serialize, Deserialize, Debug, Default, PartialEq)]
    #[component(save = "fuel")]
    struct Fuel(u8);
    #[derive(Component, Serialize, Deserialize, Debug, Default, PartialEq)]
    #[component(save = "light", requires(Colour))]
    struct Light(u8);
    #[derive(Component, Debug, Default, PartialEq)]
    struct Smoke(u8);
    #[derive(Component, Debug, Default, PartialEq)]
    struct Colour(u8);

    #[test]
    fn newly_required_components_are_inserted_on_load() {
        let mut world = World::new();
        let [whole, without, lit] = [(); 3].map(|()| world.spawn(OldFire(1)).id());
        world.remove::<Fuel>(without).unwrap();
        world.insert(lit, Light(5)).unwrap();
        world.remove::<Colour>(lit).unwrap();
        let check = |new: &World| {
            new.check_invariants();
            assert!(new.has::<Fuel>(whole) && !new.has::<Fuel>(without), "as it was saved");
            assert_eq!(
                (new.get::<Light>(whole), new.get::<Light>(lit)),
                (Some(&Light(0)), Some(&Light(5)))
            );
            assert_eq!(
                (new.get::<Smoke>(lit), new.get::<Colour>(whole)),
                (Some(&Smoke(1)), Some(&Colour(0)))
            );
            assert!(new.has::<Colour>(lit), "no file has it");
        };
        let mut new = program::<(Fire, Fuel, Light)>();
        new.on_insert::<Smoke>(|_, _| panic!("nobody is notified of what is loaded"));
        new.declare_group(Group::owning::<(Fire, Light)>()).unwrap();
        load(&mut new, &bytes_of(&world)).unwrap();
        check(&new);
        check(
            &read_text(&program::<(Fire, Fuel, Light)>(), &text_of(&world), Limits::default())
                .unwrap(),
        );
        // Earlier requirements do not return, but components that no file has do.
        let mut bytes = Vec::new();
        new.remove::<Light>(whole).unwrap();
        new.insert(whole, Smoke(7)).unwrap();
        new.save().leave_out_rest().to_bytes(&mut bytes).unwrap();
        load(&mut new, &bytes).unwrap();
        assert_eq!((new.get::<Light>(whole), new.get::<Smoke>(whole)), (None, Some(&Smoke(1))));
    }
}
