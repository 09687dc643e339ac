//! Runs the mutants of `cargo mutants --list --json` against the tests of `ecs`: all are built into one copy of the tree
//! as switches, as the seeded bugs are. See `tests/mutants/README.md`.

mod edits;
mod places;
#[path = "../../../ecs/tests/layers/switched.rs"]
mod switched;

use edits::{Mutant, Switched, switch};
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// The test binaries in the order in which they run; `ecs` are the unit tests.
const TESTS: [&str; 10] = [
    "ecs",
    "it",
    "data",
    "random",
    "declared",
    "many_components",
    "tools",
    "tuning",
    "apps",
    "faults",
];

/// Tests are run in classes, the quick ones first.
const CLASSES: [Duration; 3] =
    [Duration::from_millis(20), Duration::from_millis(300), Duration::MAX];

/// A run that takes this much longer than its tests without a mutant has found an endless loop.
const LIMIT: Duration = Duration::from_secs(20);

/// A mutant that tests of this time do not catch has survived.
const ENOUGH: Duration = Duration::from_secs(40);

const SWITCH: &str = include_str!("switch.rs");

/// The outcome of a mutant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Caught(String),
    Survived,
    /// No test runs its code.
    Unreached,
    /// A condition cannot replace it.
    NotRun(&'static str),
    Uncompilable,
}

impl Outcome {
    fn text(&self) -> String {
        match self {
            Self::Caught(by) => format!("caught\t{by}"),
            Self::Survived => "survived\t".to_string(),
            Self::Unreached => "unreached\t".to_string(),
            Self::NotRun(why) => format!("not run\t{why}"),
            Self::Uncompilable => "does not compile\t".to_string(),
        }
    }
}

struct Tree {
    root: PathBuf,
    tree: PathBuf,
    target: PathBuf,
    mutants: Vec<Mutant>,
    outcomes: BTreeMap<u32, Outcome>,
}

impl Tree {
    /// Writes the copy with all mutants that have no outcome yet.
    fn write(&mut self) -> BTreeMap<String, Switched> {
        let mut files = BTreeMap::<String, Switched>::new();
        for file in self.mutants.iter().map(|mutant| mutant.file.clone()).collect::<BTreeSet<_>>() {
            let source = fs::read_to_string(self.root.join(&file)).unwrap();
            let numbered = (1..).zip(&self.mutants).filter(|(number, mutant)| {
                mutant.file == file && !self.outcomes.contains_key(number)
            });
            let (switched, unfit) = switch(&source, numbered);
            self.outcomes
                .extend(unfit.into_iter().map(|(number, why)| (number, Outcome::NotRun(why))));
            files.insert(file, switched);
        }
        let texts = files.iter().map(|(file, switched)| (file.clone(), switched.text.clone()));
        switched::make_tree(&self.root, &self.tree, texts.collect(), SWITCH);
        files
    }

    /// Leaves out the mutants that the compiler refuses. `known` lists those of the last run: if the list of mutants is
    /// the same, so are the sources, and the tree that was built is not touched.
    fn compile(&mut self, list: &str, known: &Path) {
        if let Some((numbers, of)) = fs::read_to_string(known).unwrap_or_default().split_once('\n')
            && of == list
        {
            let numbers = numbers.split_whitespace().map(|number| number.parse().unwrap());
            self.outcomes.extend(numbers.map(|number| (number, Outcome::Uncompilable)));
        }
        loop {
            let files = self.write();
            let refused = self.refused(&files);
            println!("{} mutants do not compile", refused.len());
            if refused.is_empty() {
                break;
            }
            self.outcomes.extend(refused.into_iter().map(|number| (number, Outcome::Uncompilable)));
        }
        let is_refused = |(number, outcome): (&u32, &Outcome)| {
            (*outcome == Outcome::Uncompilable).then(|| number.to_string())
        };
        let numbers: Vec<String> = self.outcomes.iter().filter_map(is_refused).collect();
        fs::write(known, format!("{}\n{list}", numbers.join(" "))).unwrap();
    }

    /// Returns the mutants at whose lines the compiler reports errors.
    fn refused(&self, files: &BTreeMap<String, Switched>) -> BTreeSet<u32> {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(&self.tree).env("CARGO_TARGET_DIR", &self.target);
        let features = "bytes,parallel,serde,tracing";
        cargo.args([
            "check",
            "-p",
            "ecs",
            "--lib",
            "--features",
            features,
            "--message-format=json",
        ]);
        let checked = cargo.stderr(Stdio::inherit()).output().unwrap();
        let (mut refused, mut other) = (BTreeSet::new(), String::new());
        for line in String::from_utf8_lossy(&checked.stdout).lines() {
            let message: serde_json::Value = serde_json::from_str(line).unwrap();
            let message = &message["message"];
            if message["level"] != "error" {
                continue;
            }
            for span in message["spans"].as_array().into_iter().flatten() {
                let Some(file) = span["file_name"].as_str().and_then(|file| files.get(file)) else {
                    continue;
                };
                let line = usize::try_from(span["line_start"].as_u64().unwrap()).unwrap();
                let on = |lines: &BTreeMap<u32, std::ops::Range<usize>>| {
                    let len =
                        lines.values().filter(|own| own.contains(&line)).map(|own| own.len()).min();
                    let on = lines
                        .iter()
                        .filter(|(_, own)| own.contains(&line) && Some(own.len()) == len);
                    on.map(|(number, _)| *number).collect::<Vec<_>>()
                };
                let own = on(&file.own);
                refused.extend(if own.is_empty() && span["is_primary"] == true {
                    on(&file.whole)
                } else {
                    own
                });
            }
            other.push_str(message["rendered"].as_str().unwrap_or_default());
        }
        assert!(checked.status.success() || !refused.is_empty(), "no mutant's code, but:\n{other}");
        refused
    }
}

/// A test: its binary, its name, and how long it runs.
struct Test {
    name: String,
    time: Duration,
}

/// The mutants that each test reaches.
struct Reached {
    /// The tests that reach each mutant, by binary, as places in the lists of tests.
    by: BTreeMap<u32, BTreeMap<usize, BTreeSet<usize>>>,
    /// The mutants that threads without a test's name reach, by binary.
    nameless: BTreeSet<(u32, usize)>,
    tests: Vec<Vec<Test>>,
}

/// Runs all tests without a mutant; records which mutants each reaches.
fn reach(tree: &Path, binaries: &[PathBuf]) -> Reached {
    let mut reached = Reached { by: BTreeMap::new(), nameless: BTreeSet::new(), tests: Vec::new() };
    for (at, binary) in binaries.iter().enumerate() {
        let file = tree.join("reached");
        let _ = fs::remove_file(&file);
        let start = Instant::now();
        let mut command = Command::new(binary);
        command.current_dir(tree.join("ecs")).env("ECS_REACHED", &file);
        // The times of tests are for nightly Rust.
        command.env("RUSTC_BOOTSTRAP", "1").args(["-Zunstable-options", "--report-time"]);
        let output = command.stderr(Stdio::null()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "without a mutant, {} fails: {text}", TESTS[at]);
        let test = |line: &str| {
            let (name, time) = line.strip_prefix("test ")?.split_once(" ... ok <")?;
            let name = name.split(" - should panic").next()?.to_string();
            Some(Test {
                name,
                time: Duration::from_secs_f64(time.strip_suffix("s>")?.parse().ok()?),
            })
        };
        let tests: Vec<Test> = text.lines().filter_map(test).collect();
        println!("{}: {} tests in {:.1} s", TESTS[at], tests.len(), start.elapsed().as_secs_f32());
        let places: BTreeMap<&str, usize> = tests.iter().map(|test| &*test.name).zip(0..).collect();
        for line in fs::read_to_string(&file).unwrap_or_default().lines() {
            let (number, thread) = line.split_once(' ').unwrap();
            let number = number.parse().unwrap();
            if let Some(&test) = places.get(thread) {
                reached.by.entry(number).or_default().entry(at).or_default().insert(test);
            } else {
                reached.nameless.insert((number, at));
            }
        }
        reached.tests.push(tests);
    }
    reached
}

impl Reached {
    /// Runs the tests that reach a mutant; returns what became of it.
    fn outcome(&self, tree: &Path, binaries: &[PathBuf], number: u32) -> Outcome {
        let by = self.by.get(&number);
        let (mut total, mut shortest) = (Duration::ZERO, Duration::ZERO);
        for longest in CLASSES {
            for (at, binary) in binaries.iter().enumerate() {
                let is_whole = longest == Duration::MAX && self.nameless.contains(&(number, at));
                let reaching = by.and_then(|by| by.get(&at));
                let is_chosen = |(place, test): &(usize, &Test)| {
                    let is_reaching = reaching.is_some_and(|reaching| reaching.contains(place));
                    is_whole || is_reaching && (shortest..longest).contains(&test.time)
                };
                let tests = self.tests[at].iter().enumerate().filter(is_chosen);
                let tests: Vec<&Test> = tests.map(|(_, test)| test).collect();
                if tests.is_empty() {
                    continue;
                }
                if total > ENOUGH {
                    return Outcome::Survived;
                }
                let time = tests.iter().map(|test| test.time).sum::<Duration>();
                total += time;
                let mut filters: Vec<String> = tests.iter().map(|test| test.name.clone()).collect();
                filters.push("--exact".to_string());
                if let Some(failed) =
                    switched::run(tree, binary, &filters, number, LIMIT + 4 * time)
                {
                    let failed = failed.trim_start_matches("test ").trim_end_matches(" ... FAILED");
                    return Outcome::Caught(format!("{}: {failed}", TESTS[at]));
                }
            }
            shortest = longest;
        }
        if by.is_some() || total > Duration::ZERO { Outcome::Survived } else { Outcome::Unreached }
    }
}

/// Reads the reasons of `survivors.md`: how many survivors of each name are accepted.
fn accepted(root: &Path) -> BTreeMap<String, usize> {
    let text = fs::read_to_string(root.join("tests/mutants/survivors.md")).unwrap_or_default();
    let mut accepted = BTreeMap::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("* `")) {
        let (name, rest) = line.split_once('`').expect("a name in quotes");
        let count = rest.trim().strip_prefix("× ").map_or(1, |count| count.parse().unwrap());
        *accepted.entry(name.to_string()).or_default() += count;
    }
    accepted
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let folder = root.join("target/mutants");
    let list = env::args().nth(1).expect("the list of cargo-mutants");
    let list = fs::read_to_string(list).unwrap();
    let mutants = serde_json::from_str(&list).unwrap();
    let tree = folder.join("tree");
    let mut tree =
        Tree { tree, target: root.join("target"), root, mutants, outcomes: BTreeMap::new() };
    tree.compile(&list, &folder.join("refused"));
    let named = switched::build(&tree.tree, &tree.target, &TESTS);
    let binaries: Vec<PathBuf> = TESTS.iter().map(|name| named[*name].clone()).collect();
    let reached = reach(&tree.tree, &binaries);
    let chosen: Vec<String> = env::args().skip(2).collect();
    // In the order of the arguments.
    let rank = |name: &str| chosen.iter().position(|part| name.contains(part));
    let mut left: Vec<u32> = (1..)
        .zip(&tree.mutants)
        .filter(|(number, _)| !tree.outcomes.contains_key(number))
        .filter(|(_, mutant)| chosen.is_empty() || rank(&mutant.name).is_some())
        .map(|(number, _)| number)
        .collect();
    left.sort_by_key(|number| rank(&tree.mutants[*number as usize - 1].name));
    println!("{} mutants, {} run", tree.mutants.len(), left.len());
    let outcomes = Mutex::new(std::mem::take(&mut tree.outcomes));
    let next = Mutex::new(left.iter());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(&number) = next.lock().unwrap().next() else { break };
                    let start = Instant::now();
                    let outcome = reached.outcome(&tree.tree, &binaries, number);
                    let name = &tree.mutants[number as usize - 1].name;
                    println!(
                        "{number} {name} ({:.1} s): {}",
                        start.elapsed().as_secs_f32(),
                        outcome.text()
                    );
                    outcomes.lock().unwrap().insert(number, outcome);
                }
            });
        }
    });
    report(&tree, &outcomes.into_inner().unwrap(), &folder);
}

/// Prints the counts, writes what became of each mutant, and fails if one survived that is not accepted.
fn report(tree: &Tree, outcomes: &BTreeMap<u32, Outcome>, folder: &Path) {
    let mut accepted = accepted(&tree.root);
    let mut counts = BTreeMap::<String, usize>::new();
    let (mut lines, mut survivors) = (String::new(), Vec::new());
    for (number, outcome) in outcomes {
        let mutant = &tree.mutants[*number as usize - 1];
        let text = outcome.text();
        lines.push_str(&format!("{}\t{text}\n", mutant.name));
        let mut kind = text.split('\t').next().unwrap().to_string();
        if matches!(outcome, Outcome::Survived | Outcome::Unreached) {
            match accepted.get_mut(&mutant.lasting_name()) {
                Some(count @ 1..) => {
                    *count -= 1;
                    kind = "survived, with a reason".to_string();
                }
                _ => survivors.push(mutant.name.clone()),
            }
        }
        *counts.entry(kind).or_default() += 1;
    }
    fs::write(folder.join("outcomes"), lines).unwrap();
    fs::write(folder.join("survivors"), survivors.join("\n")).unwrap();
    for (kind, count) in counts {
        println!("{kind}: {count}");
    }
    assert!(survivors.is_empty(), "not caught:\n{}", survivors.join("\n"));
}
