//! The rules of the source tree: which file may import which, where unsafe may stand, how long
//! files may get.

use std::fs;
use std::path::Path;

/// Every file of `src`, lower layers first. A file imports only from files above it in this list.
const ORDER: &[&str] = &[
    // L0: nothing of the crate
    "entity.rs",
    "signature.rs",
    "text.rs",
    "tuples.rs",
    // L1: components and where they are
    "storage/values.rs",
    "storage/sparse_array.rs",
    "storage/keys.rs",
    "storage/sparse_set.rs",
    "entities.rs",
    "component/id.rs",
    "component/slot.rs",
    "component/mod.rs",
    "storage/pool.rs",
    "storage/pools.rs",
    "storage/mod.rs",
    // L2: pools and entities, never the world
    "bundle.rs",
    "query/access.rs",
    "query/list.rs",
    "query/row.rs",
    "query/fetch.rs",
    "query/terms.rs",
    "query/request.rs",
    "query/walk.rs",
    "query/join.rs",
    "query/view.rs",
    "query/split.rs",
    "query/mod.rs",
    // L3: the world
    "world/error.rs",
    "world/mod.rs",
    "world/name.rs",
    "world/handle.rs",
    "world/pool.rs",
    "world/spawn.rs",
    "world/edit.rs",
    "world/query.rs",
    "world/inspect.rs",
    "lib.rs",
];

/// The files of `world/` add methods to one type, so they see each other.
const ONE_CONCEPT: &str = "world/";

const UNSAFE_FILES: &[&str] =
    &["storage/values.rs", "storage/pools.rs", "query/fetch.rs", "query/terms.rs", "query/join.rs"];

const MAX_LINES: usize = 600;

/// The source without its tests, comments and string contents.
fn code(source: &str) -> Vec<String> {
    let product = source.split("#[cfg(test)]\nmod tests").next().unwrap_or(source);
    product
        .lines()
        .map(|line| {
            let line = line.split("//").next().unwrap_or("");
            line.split('"').step_by(2).collect::<Vec<_>>().join("\"\"")
        })
        .collect()
}

/// The file that a `crate::` path leads to: the longest part of it that is a module.
fn file_of(path: &str) -> Option<&'static str> {
    let words: Vec<&str> = path.split("::").collect();
    (1..=words.len()).rev().find_map(|len| {
        let module = words[..len].join("/");
        let names = [format!("{module}.rs"), format!("{module}/mod.rs")];
        ORDER.iter().copied().find(|file| names.iter().any(|name| name == file))
    })
}

/// The imports of a file that go against the order.
fn upward_imports(file: &str, source: &str) -> Vec<String> {
    let place = |file: &str| ORDER.iter().position(|other| *other == file);
    let mut found = Vec::new();
    for (number, line) in code(source).iter().enumerate() {
        for path in line.split("crate::").skip(1) {
            let end = path.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
            let Some(target) = file_of(&path[..end.unwrap_or(path.len())]) else { continue };
            let together = file.starts_with(ONE_CONCEPT) && target.starts_with(ONE_CONCEPT);
            if place(target) > place(file) && !together {
                found.push(format!("{file}:{}: imports from {target}, above it", number + 1));
            }
        }
    }
    found
}

/// What is wrong with the unsafe code of a file.
fn unsafe_mistakes(file: &str, source: &str) -> Vec<String> {
    let lines: Vec<&str> = source.lines().collect();
    let mut found = Vec::new();
    let mut any = false;
    for (number, line) in code(source).iter().enumerate() {
        let is_use = line.contains("unsafe {") || line.contains("unsafe impl");
        any |= is_use || line.contains("unsafe fn") || line.contains("unsafe trait");
        if is_use {
            let above = &lines[number.saturating_sub(5)..=number];
            if !above.iter().any(|line| line.contains("SAFETY:")) {
                found.push(format!("{file}:{}: unsafe without a SAFETY comment", number + 1));
            }
        }
    }
    if any && !UNSAFE_FILES.contains(&file) {
        found.push(format!("{file}: unsafe outside the files named for it"));
    }
    if any && !source.contains("#![expect(") {
        found.push(format!("{file}: unsafe without saying at the top why"));
    }
    found
}

fn too_long(file: &str, source: &str) -> Option<String> {
    let lines = code(source).len();
    (lines > MAX_LINES).then(|| format!("{file}: {lines} lines, at most {MAX_LINES} are allowed"))
}

fn files(dir: &Path, prefix: &str, found: &mut Vec<(String, String)>) {
    let mut entries: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap()).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files(&entry.path(), &format!("{name}/"), found);
        } else if !name.ends_with("tests.rs") {
            found.push((name, fs::read_to_string(entry.path()).unwrap()));
        }
    }
}

fn source_tree() -> Vec<(String, String)> {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut found);
    found
}

#[test]
fn every_file_has_its_place() {
    let tree = source_tree();
    for (file, _) in &tree {
        assert!(ORDER.contains(&file.as_str()), "{file} is not in the order of layers");
    }
    assert_eq!(tree.len(), ORDER.len(), "a file in the order of layers does not exist");
}

#[test]
fn imports_go_down() {
    let found: Vec<_> =
        source_tree().iter().flat_map(|(file, source)| upward_imports(file, source)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn unsafe_is_where_it_may_be_and_says_why() {
    assert!(UNSAFE_FILES.len() <= 5);
    let found: Vec<_> =
        source_tree().iter().flat_map(|(file, source)| unsafe_mistakes(file, source)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn files_are_short() {
    let found: Vec<_> =
        source_tree().iter().filter_map(|(file, source)| too_long(file, source)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_checks_find_what_they_look_for() {
    let import = "use crate::world::World;\n";
    assert_eq!(upward_imports("query/view.rs", import).len(), 1);
    assert!(upward_imports("lib.rs", import).is_empty());
    assert!(upward_imports("query/view.rs", "// use crate::world::World;\n").is_empty());
    assert!(upward_imports("storage/keys.rs", "use crate::storage::values::Storage;").is_empty());

    assert_eq!(unsafe_mistakes("entity.rs", "unsafe { x }").len(), 3);
    let right = "#![expect(unsafe_code)]\n// SAFETY: so.\nunsafe { x }";
    assert!(unsafe_mistakes("query/join.rs", right).is_empty());
    assert!(unsafe_mistakes("entity.rs", "let x = \"unsafe { }\"; // unsafe impl").is_empty());

    assert!(too_long("entity.rs", &"x\n".repeat(MAX_LINES + 1)).is_some());
    assert!(too_long("entity.rs", &"x\n".repeat(MAX_LINES)).is_none());
}
