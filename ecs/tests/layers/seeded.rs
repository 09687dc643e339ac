//! Seeded bugs: the patches of `tests/seeded`; each recreates a slip. The default test checks that they still apply.
//! The ignored one builds them all into a copy of the tree and runs each; see `tests/seeded/README.md`.

use crate::switched::{build, make_tree, run};
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A run of a test that takes more processor time has found an endless loop.
const LIMIT: Duration = Duration::from_secs(120);

/// The environment variable that chooses a bug, and the function that reads it.
const SWITCH: &str = r#"
pub(crate) fn seeded(number: u32) -> bool {
    extern crate std;
    static CHOSEN: std::sync::OnceLock<Option<u32>> = std::sync::OnceLock::new();
    *CHOSEN.get_or_init(|| std::env::var("ECS_BUG").ok()?.parse().ok()) == Some(number)
}
"#;

/// A patch of one place in one file.
struct Seed {
    number: u32,
    name: String,
    slip: String,
    /// The name of a test binary, and filters.
    test: Vec<String>,
    file: String,
    /// The unchanged lines before and after.
    around: [String; 2],
    right: String,
    wrong: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

impl Seed {
    /// Reads a file of `tests/seeded`.
    fn read(name: &str, patch: &str) -> Self {
        let number = name.split('-').next().and_then(|number| number.parse().ok());
        let mut lines = patch.lines();
        let mut next = |prefix: &str| {
            let line = lines.next().and_then(|line| line.strip_prefix(prefix));
            line.unwrap_or_else(|| panic!("{name}: a line with `{prefix}` is missing")).to_string()
        };
        let (slip, test, file) = (next(""), next("test: "), next("--- "));
        let lines: Vec<(&str, &str)> = lines.map(|line| line.split_at(line.len().min(1))).collect();
        let is_changed = |line: &(&str, &str)| line.0 == "-" || line.0 == "+";
        let first = lines.iter().position(is_changed).unwrap_or(0);
        let end = lines.iter().rposition(is_changed).map_or(0, |last| last + 1);
        let joined = |sign: &str, lines: &[(&str, &str)]| {
            let chosen = lines.iter().filter(|line| line.0 == sign);
            chosen.map(|line| line.1).collect::<Vec<_>>().join("\n")
        };
        Self {
            number: number.unwrap_or_else(|| panic!("{name}: the name has no number")),
            name: name.to_string(),
            slip,
            test: test.split(' ').map(String::from).collect(),
            file,
            around: [joined(" ", &lines[..first]), joined(" ", &lines[end..])],
            right: joined("-", &lines[first..end]),
            wrong: joined("+", &lines[first..end]),
        }
    }

    /// Returns the text that the seed replaces, and where its changed part begins in it.
    fn place(&self) -> (String, usize) {
        let [before, after] = &self.around;
        let mut place = before.clone();
        if !before.is_empty() {
            place.push('\n');
        }
        let start = place.len() + self.right.len() - self.right.trim_start().len();
        place.push_str(&self.right);
        if !after.is_empty() {
            place.push('\n');
            place.push_str(after);
        }
        (place, start)
    }

    /// Puts `new` in the place of the right lines, which must be in `source` exactly once.
    fn replace(&self, source: &str, new: &str) -> Result<String, String> {
        let (place, start) = self.place();
        let found: Vec<usize> = source.match_indices(&place).map(|(at, _)| at).collect();
        let [at] = found[..] else {
            return Err(format!(
                "{}: its right lines occur {} times in {}: write what is there now",
                self.name,
                found.len(),
                self.file
            ));
        };
        let (start, end) = (at + start, at + start + self.right.trim().len());
        Ok(format!("{}{new}{}", &source[..start], &source[end..]))
    }

    /// Returns code that is right or wrong, as the environment says.
    fn switched(&self) -> String {
        let (right, wrong) = (self.right.trim(), self.wrong.trim());
        let (head, tail) = ends(right);
        let inner = |text: &str| {
            let inner = text.strip_prefix(head).and_then(|text| text.strip_suffix(tail));
            let inner =
                inner.unwrap_or_else(|| panic!("{}: `{text}` is not {head}..{tail}", self.name));
            // A block at the start of an expression would be a statement.
            if inner.starts_with("const {") { format!("({inner})") } else { inner.to_string() }
        };
        let (right, wrong) = (inner(right), inner(wrong));
        let code = format!("if crate::seeded({}) {{ {wrong} }} else {{ {right} }}", self.number);
        if right.ends_with([';', '}']) || head.starts_with("let ") {
            format!("{head}{code}{tail}")
        } else {
            format!("{head}({code}){tail}")
        }
    }
}

/// Returns the parts of a line around the expression that a condition can replace.
fn ends(line: &str) -> (&str, &str) {
    let until = |mark: &str| line.find(mark).map_or("", |at| &line[..at + mark.len()]);
    if line.starts_with("let ") {
        let is_closure = line[until(" = ").len()..].starts_with('|');
        return (if is_closure { until("| ") } else { until(" = ") }, ";");
    }
    for (start, tail) in [("if ", " {"), ("if ", ""), ("&& ", ""), ("|| ", "")] {
        let inner = line.strip_prefix(start).and_then(|line| line.strip_suffix(tail));
        if inner.is_some_and(|inner| !inner.contains('{')) {
            return (start, tail);
        }
    }
    if line.ends_with(',') {
        let arm = until(" => ");
        return (if arm.is_empty() { until(": ") } else { arm }, ",");
    }
    ("", "")
}

fn seeds() -> Vec<Seed> {
    let files = fs::read_dir(root().join("tests/seeded")).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|file| file.extension() == Some(OsStr::new("diff"))).collect();
    files.sort();
    let name = |file: &Path| file.file_stem().unwrap().to_string_lossy().into_owned();
    files.iter().map(|file| Seed::read(&name(file), &fs::read_to_string(file).unwrap())).collect()
}

/// Returns `false` if the file of a unit test, or the folder of `it` or `data`, does not name this test. Other names are
/// made by macros, so they are only looked for when they run.
fn has_test(binary: &str, test: &str) -> bool {
    let names = |path: PathBuf, name: &str| {
        fs::read_to_string(path).is_ok_and(|source| source.contains(name))
    };
    if let Some((module, name)) = test.split_once("::tests::") {
        let file = root().join(binary).join("src").join(module.replace("::", "/"));
        let files = [file.with_extension("rs"), file.join("mod.rs"), file.join("tests.rs")];
        return files.into_iter().any(|file| names(file, name));
    }
    let name = test.rsplit("::").next().unwrap_or(test);
    !["it", "data"].contains(&binary)
        || ["", binary].iter().any(|folder| {
            let folder = root().join("ecs/tests").join(folder);
            let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
            files.flat_map(|file| [file.join("mod.rs"), file]).any(|file| names(file, name))
        })
}

#[test]
fn seeded_bugs_apply() {
    let seeds = seeds();
    let numbers: Vec<u32> = seeds.iter().map(|seed| seed.number).collect();
    assert!(
        (1..).zip(&numbers).all(|(at, number)| at == *number),
        "numbers have gaps: {numbers:?}"
    );
    let mistake = |seed: &Seed| {
        assert_ne!(seed.right.trim(), seed.wrong.trim(), "{}: it changes nothing", seed.name);
        assert!(
            seed.slip.ends_with('.'),
            "{}: the first line is a sentence about the slip",
            seed.name
        );
        seed.switched();
        let source = fs::read_to_string(root().join(&seed.file)).unwrap_or_default();
        let unknown = seed.test[1..].iter().find(|test| !has_test(&seed.test[0], test));
        let unknown = unknown.map(|test| format!("{}: there is no test `{test}`", seed.name));
        seed.replace(&source, "").err().or(unknown)
    };
    let mistakes: Vec<String> = seeds.iter().filter_map(mistake).collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

/// Returns the changed files of a tree that has all seeds as switches.
fn switched(seeds: &[Seed]) -> BTreeMap<String, String> {
    let mut changed = BTreeMap::<String, String>::new();
    for seed in seeds {
        let source = changed
            .entry(seed.file.clone())
            .or_insert_with(|| fs::read_to_string(root().join(&seed.file)).unwrap());
        *source =
            seed.replace(source, &seed.switched()).unwrap_or_else(|mistake| panic!("{mistake}"));
    }
    changed
}

/// Runs the seeds that `ECS_BUGS` lists ("17,20"), or all.
#[test]
#[ignore = "builds a tree with all seeds, which takes minutes"]
fn seeded_bugs_are_caught() {
    let seeds = seeds();
    let listed = env::var("ECS_BUGS").unwrap_or_default();
    let is_chosen = |seed: &&Seed| {
        listed.is_empty() || listed.split(',').any(|number| number.parse() == Ok(seed.number))
    };
    let tree = Path::new(env!("CARGO_TARGET_TMPDIR")).join("seeded/tree");
    make_tree(&root(), &tree, switched(&seeds), SWITCH);
    let chosen: Vec<&Seed> = seeds.iter().filter(is_chosen).collect();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("..");
    let tests: BTreeSet<&str> = chosen.iter().map(|seed| &*seed.test[0]).collect();
    let binaries = build(&tree, &target, &tests.into_iter().collect::<Vec<_>>());
    for (name, binary) in &binaries {
        let filters = chosen.iter().filter(|seed| seed.test[0] == *name);
        let filters: Vec<&[String]> = filters.map(|seed| &seed.test[1..]).collect();
        let is_whole = filters.iter().any(|filters| filters.is_empty());
        let filters = if is_whole { Vec::new() } else { filters.concat() };
        let failed = run(&tree, binary, &filters, 0, LIMIT);
        assert!(failed.is_none(), "without a bug, {name}: {failed:?}");
    }
    let mut survivors = Vec::new();
    for seed in chosen {
        let start = Instant::now();
        let binary = &binaries[&seed.test[0]];
        let caught = run(&tree, binary, &seed.test[1..], seed.number, LIMIT);
        let seconds = start.elapsed().as_secs_f32();
        println!("{} ({seconds:.1} s): {}", seed.name, caught.as_deref().unwrap_or("SURVIVED"));
        if caught.is_none() {
            survivors.push(format!("{}: {}", seed.name, seed.slip));
        }
    }
    assert!(survivors.is_empty(), "not caught:\n{}", survivors.join("\n"));
}
