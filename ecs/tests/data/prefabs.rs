//! Prefabs that are read from files by their names, and spawned.

use ecs::save::Prefabs;
use ecs::{
    ChildOf, Commands, Component, CopyError, Entity, Name, Prefab, Schedule, SpawnCommands, World,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::iter;

#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "health", clone)]
struct Health {
    now: u32,
    most: u32,
    #[serde(default)]
    armour: Armour,
}
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq)]
struct Armour {
    front: i16,
    back: i16,
    tilt: f32,
}
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "mind", clone)]
struct Mind {
    state: State,
    memory: BTreeMap<String, u8>,
    path: Vec<(u8, i64)>,
    wish: Option<Armour>,
    letter: char,
    big: u64,
    marks: Marks,
}
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Marks(bool, ());
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
enum State {
    Idle,
    Hunting { prey: String, since: u32 },
    Level(f32),
    Both(u8, u8),
}
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "aim", clone)]
struct Aim {
    at: Entity,
    range: u32,
}
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "fear", clone)]
struct Fear;
#[derive(Component, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[component(save = "load", clone)]
struct Load(u32);
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "cart", clone, requires(Load = Load(8)))]
struct Cart;
#[derive(Component, Serialize, Deserialize, Debug)]
#[component(save = "socket")]
struct Socket;
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
#[component(save = "id", clone, unique)]
struct Id(u32);

fn like() -> World {
    let mut world = World::new();
    world.register::<(Health, Mind, Aim, Fear, Load, Cart, Socket, Id, Name, ChildOf)>();
    world
}

fn read(world: &World, text: &str) -> Result<Prefabs, String> {
    let mut prefabs = Prefabs::new();
    prefabs
        .read(world, |seed| seed.read(&mut serde_json::Deserializer::from_str(text)))
        .map_err(|error| error.to_string())?;
    Ok(prefabs)
}

fn read_ron(world: &World, text: &str) -> Result<Prefabs, String> {
    let mut prefabs = Prefabs::new();
    prefabs
        .read(world, |seed| ron::Options::default().from_str_seed(text, seed))
        .map_err(|error| error.to_string())?;
    Ok(prefabs)
}

const ORCS: &str = r#"{
    "captain": {
        "inherits": "orc",
        "removes": ["fear"],
        "components": {
            "health": { "most": 30, "armour": { "front": 7 } },
            "ecs::Name": "captain",
            "aim": { "range": 9 }
        },
        "children": [{ "inherits": "club", "components": { "load": 4 } }]
    },
    "orc": {
        "components": {
            "health": { "now": 10, "most": 10, "armour": { "front": 1, "back": 2, "tilt": 0.1 } },
            "ecs::Name": "orc",
            "fear": null,
            "aim": { "at": "1v1", "range": 5 }
        },
        "children": [{ "inherits": "club" }, { "components": { "ecs::Name": "hat" } }]
    },
    "club": { "components": { "ecs::Name": "club", "load": 3, "aim": { "at": "0v1", "range": 1 } } },
    "king": { "inherits": "captain", "components": { "health": { "now": 90, "armour": { "tilt": 2 } } } }
}"#;

#[test]
fn prefabs_inherit_and_override_components_and_fields_in_any_order() {
    let mut world = like();
    let prefabs = read(&world, ORCS).unwrap();
    assert!(prefabs.names().eq(["captain", "club", "king", "orc"]));
    let king = world.spawn_prefab(prefabs.get("king").unwrap()).unwrap().id();
    let armour = Armour { front: 7, back: 2, tilt: 2.0 };
    assert_eq!(world.get::<Health>(king), Some(&Health { now: 90, most: 30, armour }));
    assert!(world.name(king) == Some("captain") && !world.has::<Fear>(king));
    let children: Vec<Entity> = world.children(king).collect();
    let names: Vec<_> = children.iter().map(|it| world.name(*it).unwrap()).collect();
    assert_eq!(names, ["club", "hat", "club"]);
    assert_eq!([children[0], children[2]].map(|it| world.get::<Load>(it).unwrap().0), [3, 4]);
    // Handles name the entities of the copy.
    assert_eq!(world.get::<Aim>(king), Some(&Aim { at: children[0], range: 9 }));
    for club in [children[0], children[2]] {
        assert_eq!(world.get::<Aim>(club), Some(&Aim { at: club, range: 1 }));
    }
    let orc = world.spawn_prefab(prefabs.get("orc").unwrap()).unwrap().id();
    let armour = Armour { front: 1, back: 2, tilt: 0.1 };
    assert_eq!(world.get::<Health>(orc), Some(&Health { now: 10, most: 10, armour }));
    assert!(world.has::<Fear>(orc));
    world.check_invariants();
}

#[test]
fn prefabs_are_read_from_ron_with_variants_and_all_kinds_of_values() {
    let mut world = like();
    let prefabs = read_ron(
        &world,
        r#"{
            "a": (components: { "mind": (
                state: Hunting(prey: "elf", since: 3), memory: {"x": 1}, path: [(1, -2), (3, 4)],
                wish: Some((front: 1, back: 2, tilt: 0.5)), letter: 'q', big: 7, marks: (true, ()),
            ) }),
            "b": (inherits: "a", components: { "mind": (letter: 'r') }),
            "c": (inherits: "b", components: { "mind": (wish: Some((back: 9)), state: Idle) }),
            "d": (inherits: "c", components: { "mind": (wish: None, path: [], state: Both(1, 2)) }),
            "e": (inherits: "d", components: { "mind": (state: Level(0.25), memory: {"y": 2}) }),
            "f": (inherits: "e", components: { "mind": () }),
        }"#,
    )
    .unwrap();
    let mut mind = |name| {
        let entity = world.spawn_prefab(prefabs.get(name).unwrap()).unwrap().id();
        world.get::<Mind>(entity).unwrap().clone()
    };
    let mut expected = Mind {
        state: State::Hunting { prey: "elf".to_owned(), since: 3 },
        memory: BTreeMap::from([("x".to_owned(), 1)]),
        path: vec![(1, -2), (3, 4)],
        wish: Some(Armour { front: 1, back: 2, tilt: 0.5 }),
        letter: 'q',
        big: 7,
        marks: Marks(true, ()),
    };
    assert_eq!(mind("a"), expected);
    expected.letter = 'r';
    assert_eq!(mind("b"), expected);
    expected.wish = Some(Armour { front: 1, back: 9, tilt: 0.5 });
    expected.state = State::Idle;
    assert_eq!(mind("c"), expected);
    (expected.wish, expected.path, expected.state) = (None, Vec::new(), State::Both(1, 2));
    assert_eq!(mind("d"), expected);
    (expected.state, expected.memory) = (State::Level(0.25), BTreeMap::from([("y".to_owned(), 2)]));
    assert_eq!(mind("e"), expected);
    assert_eq!(mind("f"), expected);
}

#[test]
fn mistakes_in_a_file_are_named_with_their_places_and_nothing_is_read() {
    let world = like();
    let refused = |text: &str, start: &str| {
        let error = read(&world, text).unwrap_err();
        assert!(error.starts_with(start), "{error}");
    };
    refused(
        r#"{"a":{"inherits":"ork"},"orc":{}}"#,
        "prefab `a`: it inherits `ork`, which is no prefab (the nearest is `orc`)",
    );
    refused(r#"{"a":{"inherits":"a"}}"#, "prefab `a`: it inherits itself: `a` inherits `a`");
    refused(
        r#"{"z":{},"a":{"inherits":"b"},"c":{"children":[{"inherits":"b"}]},"b":{"inherits":"c"}}"#,
        "prefab `b`: it inherits itself: `b` inherits `c` inherits `b`",
    );
    refused(r#"{"a":{},"a":{}}"#, "prefab `a`: it is there twice");
    refused(
        "{\"a\":{},\n \"b\":{\"children\":[{},\n {\"components\":{\"helth\":1}}]}}",
        "prefab `b`: children[1]: `helth`: the world knows no such component (the nearest is `health`)",
    );
    let lines = "{\"a\":{},\n \"b\":{\"components\":{\n \"health\":{\"mots\":1}}}}";
    let error = read(&world, lines).unwrap_err();
    assert_eq!(
        error,
        "prefab `b`: `health`: it has no field `mots` (the nearest is `most`) at line 3 column 17"
    );
    refused(
        r#"{"a":{"components":{"health":{"now":1,"most":1}}},"b":{"inherits":"a","components":{"health":{"mots":1}}}}"#,
        "prefab `b`: `health`: it has no field `mots`",
    );
    refused(
        r#"{"a":{"components":{"health":{"now":1,"most":1}}},"b":{"inherits":"a","components":{"health":{"armour":{"frnt":1}}}}}"#,
        "prefab `b`: `health`: it has no field `frnt`",
    );
    refused(
        r#"{"a":{"components":{"health":{"now":1}}}}"#,
        "prefab `a`: `health`: missing field `most`",
    );
    refused(r#"{"a":{"components":{"socket":null}}}"#, "prefab `a`: `Socket` may not be copied");
    refused(
        r#"{"a":{"components":{"aim":{"at":"1v1","range":1}}}}"#,
        "prefab `a`: `aim` of 0v1: it names 1v1",
    );
    refused(r#"{"a":{"outside":["0v1"]}}"#, "prefab `a`: a prefab keeps no handles");
    refused(r#"{"a":{"removes":["fear"]}}"#, "prefab `a`: `fear`: it is to be removed");
    refused(
        r#"{"a":{},"b":{"entity":"0v1","children":[{"inherits":"a"}]}}"#,
        "prefab `b`: a prefab that inherits names",
    );
    refused("[]", "invalid type: sequence, expected prefabs by their names");
    let error =
        read_ron(&world, "{\n \"a\": (components: {\n \"health\": (mots: 1)})}").unwrap_err();
    assert!(
        error.starts_with("3:") && error.contains("prefab `a`: `health`: it has no field `mots`"),
        "{error}"
    );
}

#[test]
fn a_later_file_may_inherit_from_an_earlier_one_and_an_error_adds_nothing() {
    let world = like();
    let mut prefabs = read(&world, ORCS).unwrap();
    let mut more = |text: &str| {
        let read = |seed: ecs::save::PrefabSeed<'_>| {
            seed.read(&mut serde_json::Deserializer::from_str(text))
        };
        prefabs.read(&world, read).map_err(|error| error.to_string())?;
        Ok::<usize, String>(prefabs.names().count())
    };
    let error = more(r#"{"chief":{"inherits":"king"},"orc":{}}"#).unwrap_err();
    assert!(
        error.starts_with("prefab `orc`: a file that was read before has a prefab of this name")
    );
    assert_eq!(more(r#"{"chief":{"inherits":"king"}}"#), Ok(5));
}

#[test]
fn a_required_component_is_made_and_may_be_removed() {
    let mut world = like();
    let text = r#"{
        "cart": { "components": { "cart": null } },
        "full": { "inherits": "cart", "components": { "load": 9 } },
        "empty": { "inherits": "cart", "removes": ["load"] },
        "copy of empty": { "inherits": "empty" },
        "bare": { "removes": ["load"], "components": { "cart": null } }
    }"#;
    let prefabs = read(&world, text).unwrap();
    let mut load = |name| {
        let entity = world.spawn_prefab(prefabs.get(name).unwrap()).unwrap().id();
        assert!(world.has::<Cart>(entity));
        world.get::<Load>(entity).map(|load| load.0)
    };
    let loads = ["cart", "full", "empty", "copy of empty", "bare"].map(&mut load);
    assert_eq!(loads, [Some(8), Some(9), None, None, None]);
}

#[test]
fn a_saved_entity_is_a_prefab() {
    let mut world = like();
    let ship = world.spawn_named("ship").id();
    let gun = world.spawn(ChildOf(ship)).id();
    world.insert(ship, Aim { at: gun, range: 3 }).unwrap();
    let saved = world.save();
    let text = serde_json::to_string(&saved.entity(ship).with_sources::<ChildOf>()).unwrap();
    let text = format!(
        r#"{{ "ship": {text}, "fast ship": {{ "inherits": "ship", "components": {{ "aim": {{ "range": 7 }} }} }} }}"#
    );
    let prefabs = read(&world, &text).unwrap();
    let fast = world.spawn_prefabs(prefabs.get("fast ship").unwrap(), 2).unwrap()[1];
    let gun = world.children(fast).next().unwrap();
    assert_eq!(world.get::<Aim>(fast), Some(&Aim { at: gun, range: 7 }));
}

fn orc() -> Prefab {
    let mut orc = like();
    let hat = orc.spawn_named("hat").id();
    let body = orc.spawn((Name::new("orc"), Load(3))).id();
    orc.insert(hat, ChildOf(body)).unwrap();
    Prefab::new(orc, body).unwrap()
}

#[test]
fn many_copies_are_spawned_at_once() {
    let (mut world, orc) = (World::new(), orc());
    assert_eq!(world.spawn_prefabs(&orc, 0).unwrap(), []);
    world.on_insert::<Load>(|world, _| assert_eq!(world.view::<Load>().count(), 100));
    let all = world.spawn_prefabs(&orc, 100).unwrap();
    assert!(all.iter().all(|it| world.name(*it) == Some("orc")));
    assert!(all.iter().all(|it| world.name(world.children(*it).next().unwrap()) == Some("hat")));
    world.check_invariants();
    assert_eq!((orc.world().len(), orc.world().name(orc.root())), (2, Some("orc")));
}

#[test]
fn commands_reserve_the_root_and_other_commands_follow() {
    let (mut world, orc) = (World::new(), orc());
    let mut commands = Commands::new();
    let made: Vec<Entity> =
        iter::repeat_with(|| commands.spawn_prefab(&world, &orc)).take(3).collect();
    commands.insert(made[1], Name::new("Gork"));
    assert!(world.is_alive(made[2]) && world.name(made[2]).is_none());
    commands.apply(&mut world).into_result().unwrap();
    assert_eq!([0, 1, 2].map(|it| world.name(made[it]).unwrap()), ["orc", "Gork", "orc"]);
    assert!(made.iter().all(|it| world.children(*it).len() == 1));
    world.check_invariants();

    // A root that ended is missing; one that has components is refused.
    let [gone, taken] = [(); 2].map(|()| commands.spawn_prefab(&world, &orc));
    world.despawn(gone).unwrap();
    world.insert(taken, Name::new("Mork")).unwrap();
    let applied = commands.apply(&mut world);
    assert_eq!((applied.missing, applied.refused, world.len()), (1, 1, 7));
    assert_eq!((world.name(taken), world.children(taken).len()), (Some("Mork"), 0));

    // So is one that other entities point to: it gets the components.
    let target = commands.spawn_prefab(&world, &orc);
    world.spawn(ChildOf(target));
    commands.apply(&mut world).into_result().unwrap();
    assert_eq!((world.name(target), world.children(target).len()), (Some("orc"), 2));
    world.check_invariants();

    // Commands for another world are dropped.
    commands.spawn_prefab(&world, &orc);
    assert_eq!(commands.apply(&mut World::new()).foreign, 1);
}

#[test]
fn systems_spawn_prefabs_of_a_resource() {
    fn summon(
        prefabs: &Prefabs,
        mut commands: SpawnCommands,
    ) -> Result<(), ecs::save::PrefabError> {
        let king = commands.spawn_prefab(prefabs.get("king")?);
        commands.insert(king, Load(1));
        Ok(())
    }
    let mut world = like();
    world.insert_resource(read(&world, ORCS).unwrap());
    let mut schedule = Schedule::new().add(summon);
    let snapshot = schedule.snapshot(&mut world).unwrap();
    schedule.run(&mut world).unwrap();
    assert_eq!(world.len(), 4);
    assert!(world.save().to_vec().is_ok(), "the resource stays, and is no error");
    schedule.restore(&mut world, &snapshot).unwrap();
    assert!(world.is_empty() && world.resource::<Prefabs>().get("orc").is_ok());
}

#[test]
fn a_unique_component_is_refused_twice() {
    let mut world = like();
    let prefabs = read(&world, r#"{"one":{"components":{"id":1},"children":[{}]}}"#).unwrap();
    let one = prefabs.get("one").unwrap();
    assert!(matches!(world.spawn_prefabs(one, 2), Err(CopyError::NotUnique(_))));
    world.spawn_prefab(one).unwrap();
    assert!(matches!(world.spawn_prefab(one), Err(CopyError::NotUnique(_))));
    let mut commands = Commands::new();
    let root = commands.spawn_prefab(&world, one);
    assert_eq!(commands.apply(&mut world).refused, 1);
    assert!(!world.is_alive(root) && world.len() == 2);
    world.check_invariants();
}

#[test]
fn a_prefab_of_a_world_has_a_living_root_and_may_be_copied() {
    let mut world = like();
    let root = world.spawn_empty().id();
    world.spawn(Socket);
    assert_eq!(Prefab::new(world, root).unwrap_err(), CopyError::NotCloned(vec!["Socket"]));
    let error = Prefab::new(World::new(), root).unwrap_err();
    assert_eq!(error, CopyError::NoSuchEntity(root));
}
