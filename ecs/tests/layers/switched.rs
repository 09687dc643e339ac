//! A copy of the tree in which wrong code is built in as switches, and runs of its tests with one of them. Shared by the
//! seeded bugs, and by the mutants of `tests/mutants`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// The part of the tree that tests of `ecs` and its derives need.
const COPIED: [&str; 6] =
    ["ecs", "ecs_derive", "fuzz/corpus", "ui_tests/ui", "Cargo.lock", "rust-toolchain.toml"];

/// The test binaries that are unit tests.
const UNIT_TESTS: [&str; 2] = ["ecs", "ecs_derive"];

/// Writes a file if it has other contents: cargo builds by times.
fn write(path: &Path, text: &[u8]) {
    if fs::read(path).ok().as_deref() != Some(text) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Copies a file or a folder, except for the `changed` files. Removes files that an earlier copy has and the tree
/// has not.
fn copy(root: &Path, tree: &Path, file: &Path, changed: &BTreeMap<String, String>) {
    let from = root.join(file);
    if from.is_dir() {
        for entry in fs::read_dir(tree.join(file)).into_iter().flatten().map(Result::unwrap) {
            if !from.join(entry.file_name()).exists() {
                let remove =
                    if entry.path().is_dir() { fs::remove_dir_all } else { fs::remove_file };
                remove(entry.path()).unwrap();
            }
        }
        for entry in fs::read_dir(from).unwrap() {
            copy(root, tree, &file.join(entry.unwrap().file_name()), changed);
        }
    } else if !file.to_str().is_some_and(|file| changed.contains_key(file)) {
        write(&tree.join(file), &fs::read(from).unwrap());
    }
}

/// Makes a copy of the tree at `root` with these files changed. Each crate with a changed file gets the function
/// `switch`.
pub(crate) fn make_tree(
    root: &Path,
    tree: &Path,
    mut changed: BTreeMap<String, String>,
    switch: &str,
) {
    let source_of = |file: &str| fs::read_to_string(root.join(file)).unwrap();
    for name in ["ecs", "ecs_derive"] {
        if changed.keys().any(|file| file.starts_with(&format!("{name}/"))) {
            let file = format!("{name}/src/lib.rs");
            changed.entry(file.clone()).or_insert_with(|| source_of(&file)).push_str(switch);
        }
    }
    let manifest = source_of("Cargo.toml");
    // Another version, or cargo would mistake the build of one tree for the build of the other.
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = "));
    let version = version.expect("the version of the workspace").trim_matches('"');
    let lines = manifest.lines().map(|line| match line {
        _ if line.starts_with("members = ") => r#"members = ["ecs", "ecs_derive"]"#.to_string(),
        _ if line.starts_with("version = ") || line.starts_with("ecs") => {
            line.replace(version, "0.0.0")
        }
        _ => line.to_string(),
    });
    let manifest = lines.collect::<Vec<_>>().join("\n");
    changed.insert("Cargo.toml".to_string(), manifest);
    for file in COPIED {
        copy(root, tree, Path::new(file), &changed);
    }
    for (file, text) in changed {
        write(&tree.join(file), text.as_bytes());
    }
}

/// Builds these test binaries; returns the path of each by its name.
pub(crate) fn build(tree: &Path, target: &Path, tests: &[&str]) -> BTreeMap<String, PathBuf> {
    let mut cargo = Command::new(env!("CARGO"));
    // Always both, because the features of their dependencies depend on the packages that are built
    // together.
    cargo.current_dir(tree).args(["test", "--no-run", "-p", "ecs", "-p", "ecs_derive"]);
    // The dependencies are built there already, without the settings that `.cargo` has for the cases of `ui_tests`.
    cargo.env("CARGO_TARGET_DIR", target);
    for name in
        ["CARGO_PROFILE_DEV_CODEGEN_UNITS", "CARGO_PROFILE_DEV_DEBUG", "CARGO_ENCODED_RUSTFLAGS"]
    {
        cargo.env_remove(name);
    }
    if tests.iter().any(|test| UNIT_TESTS.contains(test)) {
        cargo.arg("--lib");
    }
    for test in tests.iter().filter(|test| !UNIT_TESTS.contains(test)) {
        cargo.args(["--test", test]);
    }
    let built = cargo.output().unwrap();
    let messages = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "the copied tree does not build:\n{messages}");
    let paths = messages.lines().filter(|line| line.trim_start().starts_with("Executable"));
    let paths = paths
        .filter_map(|line| Some(PathBuf::from(line.rsplit_once('(')?.1.trim_end_matches(')'))));
    let named = |path: PathBuf| {
        let name = path.file_name()?.to_str()?.rsplit_once('-')?.0.to_string();
        Some((name, path))
    };
    paths.filter_map(named).collect()
}

/// Runs tests with a bug, until one fails; returns its name. More processor time than `limit` is an endless loop;
/// twelve times as much by the clock is a wait without an end, also where other work shares the processors.
pub(crate) fn run(
    tree: &Path,
    binary: &Path,
    filters: &[String],
    bug: u32,
    limit: Duration,
) -> Option<String> {
    let mut shell = Command::new("sh");
    let script = format!(r#"ulimit -v 6000000; ulimit -t {}; exec "$0" "$@""#, limit.as_secs());
    shell.args(["-c", &script]).arg(binary).args(filters);
    shell.env("ECS_BUG", bug.to_string()).current_dir(tree.join("ecs"));
    let mut child = shell.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
    let end = Instant::now() + 12 * limit;
    let failed = loop {
        match receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(line) if line.contains("... FAILED") => break Some(line),
            Ok(line) if line.contains(" 0 passed; 0 failed;") => panic!("{filters:?} name no test"),
            Ok(_) => {}
            Err(mpsc::RecvTimeoutError::Timeout) => break Some("it does not end".to_string()),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                let status = child.wait().unwrap();
                return (!status.success()).then(|| status.to_string());
            }
        }
    };
    child.kill().unwrap();
    child.wait().unwrap();
    failed
}
