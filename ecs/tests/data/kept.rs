//! Unknown components, kept and written back.

use crate::saves::{bytes_of, load};
use crate::worlds::{Friends, Number, Random, Tag, Text, edit, random, seeds};
use ecs::save::Limits;
use ecs::{ChildOf, Component, Entity, Name, Relation, Res, Resource, World};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "mood", clone)]
struct Mood(String);
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "follows", relation, clone)]
struct Follows(#[component(target)] Entity);
#[derive(Resource, Serialize, Deserialize, Debug, PartialEq)]
#[resource(save = "weather")]
struct Weather(u8);

fn keeping() -> Limits {
    Limits::default().keep_unknown()
}

/// Worlds with all components, and worlds that lack the moods, the relation and the weather.
fn knowing() -> World {
    let mut world = World::new();
    world.register::<(Number, Name, Mood, Follows, ChildOf, Friends, Res<Weather>)>();
    world
}
fn lacking() -> World {
    let mut world = World::new();
    world.register::<(Number, Name)>();
    world
}

#[test]
fn unknown_components_are_written_back_unchanged() {
    for seed in seeds(15) {
        let world = random(seed);
        let bytes = bytes_of(&world);
        let mut editor = lacking();
        editor.load(&bytes, &keeping()).unwrap();
        let kept = bytes_of(&editor);
        let mut again = lacking();
        again.load(&kept, &keeping()).unwrap();
        assert!(bytes_of(&again) == kept, "seed {seed}");
        let has_relations = world.kinds().any(|kind| kind.name() == "ChildOf");
        if !has_relations && world.groups().next().is_none() {
            assert!(kept == bytes, "seed {seed}");
        }
        // Programs with all components find them all, after edits as well.
        let all: Vec<Entity> = editor.entities().collect();
        let gone: Vec<Entity> = all.iter().copied().step_by(3).collect();
        editor.despawn_batch(&gone);
        for _ in 0..gone.len() / 2 {
            editor.spawn(Number(5)); // under used indices
        }
        let mut knowing = knowing();
        knowing.register::<(Text, Tag)>();
        knowing.load(&bytes_of(&editor), &keeping()).unwrap();
        knowing.check_invariants();
        for entity in all {
            let is_alive = !gone.contains(&entity);
            let text = world.get::<Text>(entity).filter(|_| is_alive);
            assert_eq!((knowing.get::<Text>(entity), knowing.is_alive(entity)), (text, is_alive));
            let friends = world.get::<Friends>(entity).filter(|_| is_alive);
            assert_eq!(knowing.get::<Friends>(entity), friends);
        }
        edit(&mut knowing, &mut Random(seed), 20);
    }
}

#[test]
fn relations_of_the_dead_and_to_them_are_left_out() {
    let mut world = knowing();
    let [a, b, c, d] = [(); 4].map(|()| world.spawn(Number(1)).id());
    world.insert(b, Follows(a)).unwrap();
    world.insert(c, Follows(a)).unwrap();
    world.insert(d, Follows(c)).unwrap();
    world.insert(a, Follows(d)).unwrap();
    let bytes = bytes_of(&world);
    let edited = |dead: Entity| {
        let mut editor = lacking();
        editor.load(&bytes, &keeping()).unwrap();
        editor.despawn(dead).unwrap();
        let mut loaded = knowing();
        load(&mut loaded, &bytes_of(&editor)).unwrap();
        loaded.check_invariants();
        loaded
    };
    let loaded = edited(c);
    assert!(loaded.related::<Follows>(a).eq([b]) && loaded.related::<Follows>(d).eq([a]));
    let loaded = edited(a);
    assert!(loaded.related::<Follows>(c).eq([d]) && loaded.pool::<Follows>().len() == 1);
    assert_eq!(Follows(a).target(), a);
}

#[test]
fn resources_are_kept_too() {
    let mut world = knowing();
    world.insert_resource(Weather(3));
    let mut editor = lacking();
    editor.load(&bytes_of(&world), &keeping()).unwrap();
    let copy = editor.try_clone().unwrap();
    for editor in [editor, copy] {
        let mut loaded = knowing();
        load(&mut loaded, &bytes_of(&editor)).unwrap();
        assert_eq!(loaded.resource::<Weather>(), &Weather(3));
    }
}

#[test]
fn nothing_is_kept_but_in_exact_loads_of_all() {
    let mut world = knowing();
    let entity = world.spawn((Number(1), Mood("glad".to_owned()))).id();
    let bytes = bytes_of(&world);
    let has_mood = |editor: &World| {
        let mut loaded = knowing();
        load(&mut loaded, &bytes_of(editor)).unwrap();
        loaded.get::<Mood>(entity).is_some()
    };
    // Unknown components are not kept without a request.
    let (mut editor, skipping) = (lacking(), Limits::default().skip_unknown());
    editor.load(&bytes, &skipping).unwrap();
    assert!(!has_mood(&editor));
    // Under other handles.
    let (level, _) = editor.read(&bytes, &keeping()).unwrap();
    let mut other = lacking();
    other.merge(level);
    assert!(!has_mood(&other));
    // In parts.
    editor.load(&bytes, &keeping()).unwrap();
    assert!(has_mood(&editor));
    let kept = "cannot save `mood`: the world keeps it without knowing it";
    let error = editor.save().matching::<&Number>().to_bytes(&mut Vec::new()).unwrap_err();
    assert!(error.to_string().starts_with(kept), "{error}");
    let error = serde_json::to_string(&editor.save()).unwrap_err();
    assert!(error.to_string().starts_with(kept), "{error}");
    serde_json::to_string(&editor.save().leave_out_rest()).unwrap();
    let matching = editor.save().matching::<&Number>().leave_out_rest();
    for part in [editor.save().only::<Number>(), matching] {
        let mut bytes = Vec::new();
        part.to_bytes(&mut bytes).unwrap();
        let (read, _) = world.read(&bytes, &keeping()).unwrap();
        assert_eq!((read.len(), read.get::<Mood>(entity)), (1, None));
    }
    // They are gone after the next load, and when no entity has them any more.
    editor.load(&bytes, &skipping).unwrap();
    assert!(!has_mood(&editor));
    editor.load(&bytes, &keeping()).unwrap();
    editor.despawn(entity).unwrap();
    let told = lacking().load(&bytes_of(&editor), &skipping).unwrap();
    assert!(told.unknown().is_empty());
}

#[test]
fn unknown_components_that_are_registered_later_are_an_error() {
    let mut world = knowing();
    world.spawn(Mood("glad".to_owned()));
    world.insert_resource(Weather(3));
    let bytes = bytes_of(&world);
    let mut editor = lacking();
    editor.load(&bytes, &keeping()).unwrap();
    let refused = |editor: &World, name: &str| {
        let error = editor.save().to_bytes(&mut Vec::new()).unwrap_err().to_string();
        let words = "the world keeps values of it that it did not know when it was loaded, beside those that it has now: register \
                     it before, or take away one of both";
        assert_eq!(error, format!("cannot save `{name}`: {words}"));
    };
    editor.insert_resource(Weather(4));
    refused(&editor, "weather");
    editor.spawn(Mood("sad".to_owned()));
    refused(&editor, "mood");
}
