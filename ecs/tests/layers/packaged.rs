//! The files of the package of `ecs` include and read no files outside of it: they are not there for users.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// Folders of the package. `Cargo.toml` names them.
const PACKAGED: [&str; 3] = ["src", "guide", "tests/it"];

/// Returns the path `..`-free, as the file system is not asked.
fn normal(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            found.pop();
        } else {
            found.push(part);
        }
    }
    found
}

/// Returns the files outside of the package that a file needs; paths are from the package on.
fn outside(file: &Path, source: &str) -> Vec<String> {
    let folder = file.parent().unwrap();
    let starts = ["include_str!(\"", "include_bytes!(\"", "include!(\"", "#[path = \""];
    let mut found = Vec::new();
    for line in source.lines() {
        for start in starts {
            let Some((_, rest)) = line.split_once(start) else { continue };
            let path = rest.split('"').next().unwrap();
            let target = normal(&Path::new("package").join(folder).join(path));
            let is_in =
                PACKAGED.iter().any(|dir| target.starts_with(Path::new("package").join(dir)));
            if !is_in && target != Path::new("package/README.md") {
                found.push(format!("{} needs {path}", file.display()));
            }
        }
        if line.contains("CARGO_MANIFEST_DIR") {
            found.push(format!("{} reads files", file.display()));
        }
    }
    found
}

fn add(root: &Path, folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(root.join(folder)).unwrap() {
        let file = folder.join(entry.unwrap().file_name());
        if root.join(&file).is_dir() {
            add(root, &file, found);
        } else {
            found.extend(outside(&file, &fs::read_to_string(root.join(&file)).unwrap()));
        }
    }
}

#[test]
fn packaged_files_need_no_others() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let folders = PACKAGED.map(|folder| format!("\"/{folder}\""));
    assert!(manifest.contains(&format!("include = [{}, ", folders.join(", "))));
    let mut found = Vec::new();
    PACKAGED.iter().for_each(|folder| add(root, Path::new(folder), &mut found));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn files_outside_of_the_package_are_found() {
    let of = |source: &str| outside(Path::new("src/a/b.rs"), source).len();
    assert_eq!(
        of("#[doc = include_str!(\"../../README.md\")] #[path = \"../../tests/it/c.rs\"]"),
        0
    );
    assert_eq!(of("#[doc = include_str!(\"../../../README.md\")]"), 1);
    assert_eq!(of("#[path = \"../../tests/data/c.rs\"]\nenv!(\"CARGO_MANIFEST_DIR\")"), 2);
}
