//! Unknown components, kept and written back.

use crate::saves::{bytes_of, load};
use crate::worlds::{Friends, Number, Random, Tag, Text, edit, random, seeds};
use ecs::save::{Delta, Deltas, Limits};
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
    // Under other handles they would be lost.
    let (mut level, _) = editor.read(&bytes, &keeping()).unwrap();
    let mut other = lacking();
    let error = other.merge(&mut level).unwrap_err().to_string();
    let refused = "the world loaded `mood` as unknown, so handles in it cannot be replaced";
    assert!(error.starts_with(refused), "{error}");
    assert!(level.is_alive(entity) && other.is_empty() && has_mood(&level));
    // In parts.
    editor.load(&bytes, &keeping()).unwrap();
    assert!(has_mood(&editor));
    let kept = "cannot save `mood`: the world loaded it as unknown";
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

/// Three versions of one component, each of its own program, and of a resource.
mod hp {
    use super::{Component, Deserialize, Resource, Serialize};

    #[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[component(save = "hp", clone)]
    pub struct One(pub u32);
    #[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[component(save = "hp", version = 2, from(1 = One), clone)]
    pub struct Two {
        pub points: u32,
        pub most: u32,
    }
    impl From<One> for Two {
        fn from(old: One) -> Self {
            Self { points: old.0, most: 100 }
        }
    }
    /// Other fields under the first version.
    #[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[component(save = "hp", clone)]
    pub struct Other(pub String);

    #[derive(Resource, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[resource(save = "score", clone)]
    pub struct Score(pub u8);
    #[derive(Resource, Serialize, Deserialize, Debug, PartialEq)]
    #[resource(save = "score", version = 2, from(1 = Score))]
    pub struct Score2(pub u64);
    impl From<Score> for Score2 {
        fn from(old: Score) -> Self {
            Self(old.0.into())
        }
    }
}

fn of<L: ecs::save::SavedList>(bytes: &[u8]) -> World {
    let mut world = World::new();
    world.register::<L>();
    world.load(bytes, &keeping()).unwrap();
    world.check_invariants();
    world
}

#[test]
fn values_of_ones_own_are_saved_beside_kept_ones_of_another_version() {
    type Old = (hp::One, Res<hp::Score>, Number);
    type New = (hp::Two, Res<hp::Score2>, Number);
    let mut new = of::<New>(&bytes_of(&World::new()));
    let made = |points| hp::Two { points, most: points };
    let [a, b] = [10, 20].map(|points| new.spawn(made(points)).id());
    new.insert_resource(hp::Score2(1_000));

    // A program that knows the first version only.
    let mut old = of::<Old>(&bytes_of(&new));
    assert!(old.get::<hp::One>(a).is_none() && old.get_resource::<hp::Score>().is_none());
    let c = old.spawn(hp::One(3)).id();
    old.insert(b, hp::One(7)).unwrap();
    let bytes = bytes_of(&old);
    let (loaded, found) = World::new().read(&bytes, &keeping()).unwrap();
    let found: Vec<_> =
        found.unknown().iter().map(|it| (it.name(), it.version(), it.len())).collect();
    assert_eq!(found, [("hp", 2, 2), ("hp", 1, 2), ("score", 2, 0)]);
    // Programs that know neither, or only one of them, write both back.
    assert!(bytes_of(&loaded) == bytes);
    let again = of::<Old>(&bytes);
    assert_eq!(
        [a, b, c].map(|it| again.get::<hp::One>(it).map(|it| it.0)),
        [None, Some(7), Some(3)]
    );
    assert!(bytes_of(&again) == bytes);
    // One that knows both reads both; the value of the last one counts.
    let both = of::<New>(&bytes);
    let points = |world: &World, it| world.get::<hp::Two>(it).map(|it| (it.points, it.most));
    let expected = [Some((10, 10)), Some((7, 100)), Some((3, 100))];
    assert_eq!([a, b, c].map(|it| points(&both, it)), expected);
    assert_eq!(both.resource::<hp::Score2>(), &hp::Score2(1_000));
    let saved = of::<New>(&bytes_of(&both));
    assert_eq!([a, b, c].map(|it| points(&saved, it)), expected);

    // A value of one's own that is removed uncovers the kept one; a resource of one's own replaces it.
    let mut old = of::<Old>(&bytes);
    old.remove::<hp::One>(b);
    old.insert_resource(hp::Score(5));
    old.despawn(a).unwrap();
    let both = of::<New>(&bytes_of(&old));
    assert_eq!([a, b, c].map(|it| points(&both, it)), [None, Some((20, 20)), Some((3, 100))]);
    assert_eq!(both.resource::<hp::Score2>(), &hp::Score2(5));
    // Deltas and texts have the values of the program alone.
    let mut changed = old.try_clone().unwrap();
    changed.insert(b, hp::One(8)).unwrap();
    assert!(Delta::between(&old, &changed).unwrap_err().to_string().contains("leave_out_rest"));
    let (delta, _) = Deltas::default().leave_out_rest().between(&old, &changed).unwrap();
    old.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(points(&of::<New>(&bytes_of(&old)), b), Some((8, 100)));
    let text = serde_json::to_string(&old.save().leave_out_rest()).unwrap();
    assert_eq!(text.matches("\"hp\"").count(), 1);
}

#[test]
fn values_of_ones_own_are_saved_beside_kept_ones_of_the_same_version() {
    let mut world = knowing();
    let [glad, both] = [(); 2].map(|()| world.spawn(Mood("glad".to_owned())).id());
    world.insert_resource(Weather(3));
    let mut bytes = bytes_of(&world);
    for round in 1..5 {
        let mut editor = lacking();
        editor.load(&bytes, &keeping()).unwrap();
        editor.insert(both, Mood(format!("round {round}"))).unwrap();
        let sad = editor.spawn(Mood("sad".to_owned())).id();
        editor.insert_resource(Weather(round));
        bytes = bytes_of(&editor);
        let mut loaded = knowing();
        load(&mut loaded, &bytes).unwrap();
        loaded.check_invariants();
        let moods = [glad, both, sad].map(|it| &*loaded.get::<Mood>(it).unwrap().0);
        assert_eq!(moods, ["glad", &format!("round {round}"), "sad"]);
        assert_eq!(loaded.resource::<Weather>(), &Weather(round));
        assert_eq!(loaded.pool::<Mood>().len(), 2 + usize::from(round));
    }
}

#[test]
fn kept_values_of_other_fields_under_the_same_version_are_an_error() {
    let mut world = of::<hp::One>(&bytes_of(&World::new()));
    let entity = world.spawn(hp::One(3)).id();
    let mut editor = lacking();
    editor.load(&bytes_of(&world), &keeping()).unwrap();
    editor.insert(entity, hp::Other("many".to_owned())).unwrap();
    let error = editor.save().to_bytes(&mut Vec::new()).unwrap_err().to_string();
    assert_eq!(
        error,
        "cannot save `hp`: the world keeps values of its version 1 with other fields, from a time when the program had \
         not registered it: give the present fields another version, by `version = 2`, or leave out the kept values by \
         `Save::leave_out_rest`"
    );
    let mut bytes = Vec::new();
    editor.save().leave_out_rest().to_bytes(&mut bytes).unwrap();
    let loaded = of::<hp::Other>(&bytes);
    assert_eq!(loaded.get::<hp::Other>(entity), Some(&hp::Other("many".to_owned())));
}

#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "below", relation, acyclic, clone, requires(Number = Number(9)))]
struct Below(#[component(target)] Entity);

/// Sources keep their order; the last target of each counts; and no circle comes of both.
#[test]
fn kept_relations_and_those_of_ones_own_are_united() {
    let mut world = of::<(Below, Number)>(&bytes_of(&World::new()));
    let all = [(); 6].map(|()| world.spawn_empty().id());
    let [top, other, a, b, c, d] = all;
    for (source, target) in [(c, top), (b, top), (a, top), (other, c), (d, other)] {
        world.insert(source, Below(target)).unwrap();
    }
    world.remove::<Number>(a);
    let mut editor = World::new();
    editor.register::<Number>();
    editor.load(&bytes_of(&world), &keeping()).unwrap();
    editor.insert(b, Below(other)).unwrap(); // another target
    editor.insert(top, Below(c)).unwrap(); // a circle with the kept relations
    let late = editor.spawn(Below(top)).id();
    editor.insert(a, Below(top)).unwrap(); // the same target
    let bytes = bytes_of(&editor);
    for loaded in [
        of::<(Below, Number)>(&bytes),
        of::<(Below, Number)>(&bytes_of(&of::<(Below, Number)>(&bytes))),
    ] {
        assert!(
            loaded.related::<Below>(top).eq([late, a]),
            "the kept one of `c` would close a circle"
        );
        assert!(
            loaded.related::<Below>(other).eq([d, b])
                && loaded.related::<Below>(c).eq([other, top])
        );
        assert_eq!(loaded.pool::<Below>().len(), 6);
        assert_eq!(loaded.get::<Number>(a), Some(&Number(9)), "it was inserted with the relation");
    }
    let error = World::new().read(&bytes, &Limits::default()).unwrap_err();
    assert_eq!(error.component(), Some("below"));
}
