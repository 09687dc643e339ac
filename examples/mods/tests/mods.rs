//! The game with its own folder, and with folders that change while it runs.

use ecs::World;
use ecs_mods::{Game, Health};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data");

/// A copy of the game's folder.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    for entry in fs::read_dir(DATA).expect("the folder is there") {
        let entry = entry.expect("it is readable");
        fs::copy(entry.path(), folder.path().join(entry.file_name())).expect("it is copied");
    }
    folder
}

fn write(folder: &TempDir, file: &str, text: &str) {
    fs::write(folder.path().join(file), text).expect("it is written");
}

/// Replaces a part of a file, which must be there.
fn edit(folder: &TempDir, file: &str, from: &str, to: &str) {
    let text = fs::read_to_string(folder.path().join(file)).expect("it is there");
    assert!(text.contains(from), "{file}: {from}");
    write(folder, file, &text.replace(from, to));
}

/// The lines of all that an entity of this component has, by name.
fn shown(world: &World, component: &str) -> Vec<String> {
    let kind = world.kind(component).expect("it is known");
    let values =
        world.kind_entities(kind).iter().map(|it| world.kind_value(kind, *it).expect("it has it"));
    values
        .map(|it| {
            serde_json::to_string(it.as_serialize().expect("it is saved")).expect("it is JSON")
        })
        .collect()
}

#[test]
fn the_game_of_the_folder_is_the_same_each_time() {
    let play = || {
        let (mut game, errors) = Game::begin(Path::new(DATA), 7);
        assert_eq!(errors, Vec::<String>::new());
        let mut said = Vec::new();
        for _ in 0..40 {
            assert_eq!(game.turn(), Vec::<String>::new());
            said.extend(game.take_said());
        }
        (game.picture(), said)
    };
    let (picture, said) = play();
    assert!(said.iter().any(|it| it == "r dies"), "{said:?}");
    assert!(picture.contains('f'), "{picture}");
    assert_eq!(play(), (picture, said));
}

#[test]
fn a_script_that_changes_takes_over_at_the_next_reload() {
    let folder = folder();
    let (mut game, errors) = Game::begin(folder.path(), 7);
    assert_eq!(errors, Vec::<String>::new());
    write(
        &folder,
        "heal.rhai",
        "const QUERY = \"Health, Spreads\"; fn each() { this.Health.now = 50; }",
    );
    assert_eq!(game.reload(), Vec::<String>::new());
    assert_eq!(game.turn(), Vec::<String>::new());
    let most =
        |game: &Game| game.with_world(|it| it.view::<&Health>().iter().map(|(_, it)| it.now).max());
    assert!(most(&game) > Some(40), "bites take some");
    edit(&folder, "heal.rhai", "50", "1");
    assert_eq!(game.reload(), Vec::<String>::new());
    game.turn();
    assert!(most(&game) < Some(40));
}

#[test]
fn a_mistake_is_an_error_with_file_and_line_and_the_game_goes_on() {
    let folder = folder();
    let (mut game, _) = Game::begin(folder.path(), 7);
    // A mistake of the language: the last good version goes on.
    edit(&folder, "poison.rhai", "fn each() {", "fn each( {");
    let errors = game.reload();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].starts_with("poison.rhai:4:10: "), "{errors:?}");
    assert_eq!(game.turn(), Vec::<String>::new());
    // A mistake that shows when it runs: said once, and the system rests until the file changes.
    edit(&folder, "poison.rhai", "fn each( {", "fn each() {");
    write(
        &folder,
        "bad.rhai",
        "const QUERY = \"Health\";\n\nfn each() {\n    this.Health.now -= harm(3);\n}\n",
    );
    assert_eq!(game.reload(), Vec::<String>::new());
    let errors = game.turn();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].starts_with("bad.rhai:4:24: Function not found: harm"), "{errors:?}");
    assert_eq!(game.turn(), Vec::<String>::new());
    edit(&folder, "bad.rhai", "harm(3)", "1");
    assert_eq!(game.reload(), Vec::<String>::new());
    assert_eq!(game.turn(), Vec::<String>::new());
}

#[test]
fn errors_of_the_host_have_the_line_of_the_call() {
    let folder = folder();
    let (mut game, _) = Game::begin(folder.path(), 7);
    write(
        &folder,
        "bad.rhai",
        "const QUERY = \"Boss\";\nfn each() {\n    summon(\"dragon\", #{});\n}\n",
    );
    assert_eq!(game.reload(), Vec::<String>::new());
    assert_eq!(game.turn(), ["bad.rhai:3:5: there is no prefab `dragon`"]);
    write(&folder, "bad.rhai", "const QUERY = \"Bos\";\nfn each() {}\n");
    let errors = game.reload();
    assert_eq!(errors.len(), 1);
    assert!(
        errors[0].starts_with("bad.rhai: `QUERY`: ") && errors[0].contains("`Boss`"),
        "{errors:?}"
    );
    write(
        &folder,
        "bad.rhai",
        "const QUERY = \"Health\";\nfn each() { this.Health.now = \"much\"; }\n",
    );
    assert_eq!(game.reload(), Vec::<String>::new());
    let errors = game.turn();
    assert!(errors[0].starts_with("bad.rhai: `Health`: "), "{errors:?}");
}

#[test]
fn an_endless_script_is_stopped() {
    let folder = folder();
    let (mut game, _) = Game::begin(folder.path(), 7);
    write(
        &folder,
        "bad.rhai",
        "const QUERY = \"Boss\";\nfn each() {\n    let n = 0;\n    while true { n += 1; }\n}\n",
    );
    assert_eq!(game.reload(), Vec::<String>::new());
    let errors = game.turn();
    let line = errors[0].split(':').nth(1).and_then(|it| it.parse().ok());
    assert!(line.is_some_and(|line: u32| (2..=4).contains(&line)), "{errors:?}");
    assert!(
        errors[0].starts_with("bad.rhai:") && errors[0].ends_with("Too many operations"),
        "{errors:?}"
    );
    assert_eq!(game.turn(), Vec::<String>::new());
}

#[test]
fn components_and_monsters_change_while_the_game_runs() {
    let folder = folder();
    let (mut game, _) = Game::begin(folder.path(), 7);
    let before = game.with_world(|it| shown(it, "Hunts"));
    assert_eq!(before[0], r#"{"harm":1,"steps":2}"#);
    // A new field with a default, a renamed one, and a new component with a monster that has it.
    edit(
        &folder,
        "components.json",
        r#""harm": "i32""#,
        r#""bite": { "type": "i32", "was": "harm" }, "rage": { "type": "f32", "default": 0.5 }"#,
    );
    edit(&folder, "components.json", r#""Boss": {}"#, r#""Boss": {}, "Wings": { "span": "f32" }"#);
    edit(&folder, "hunt.rhai", "this.Hunts.harm", "this.Hunts.bite");
    edit(&folder, "monsters.json", "\"harm\"", "\"rage\": 0.0, \"bite\"");
    edit(
        &folder,
        "monsters.json",
        "\"fungus\": {",
        "\"bat\": { \"inherits\": \"rat\", \"components\": { \"Wings\": { \"span\": 2.5 } } },\n    \"fungus\": {",
    );
    write(
        &folder,
        "bats.rhai",
        "const QUERY = \"Boss\";\nfn each() { summon(\"bat\", #{ Place: #{ x: 1, y: 1 } }); }\n",
    );
    assert_eq!(game.reload(), Vec::<String>::new());
    let after = game.with_world(|it| shown(it, "Hunts"));
    assert_eq!(after.len(), before.len());
    assert_eq!(after[0], r#"{"bite":1,"steps":2,"rage":0.5}"#);
    assert_eq!(game.turn(), Vec::<String>::new());
    assert_eq!(game.with_world(|it| shown(it, "Wings")), [r#"{"span":2.5}"#]);
    // A change that cannot be made is refused whole.
    edit(
        &folder,
        "components.json",
        r#""Team": { "name": "text" }"#,
        r#""Team": { "name": "u8" }"#,
    );
    let errors = game.reload();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].starts_with("components.json: `Team`: "), "{errors:?}");
    assert_eq!(game.with_world(|it| shown(it, "Team"))[0], r#"{"name":"rats"}"#);
    assert_eq!(game.turn(), Vec::<String>::new());
}
