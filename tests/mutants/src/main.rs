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
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// The test binaries in the order in which they run; `ecs` are the unit tests.
const ALL_TESTS: [&str; 14] = [
    "ecs",
    "it",
    "data",
    "random",
    "memory",
    "declared",
    "many_components",
    "calling_thread",
    "tools",
    "wrapped",
    "apps",
    "large",
    "faults",
];

/// The parts of the library, in the order in which their mutants are run.
const PARTS: [&str; 8] = [
    "src/storage/",
    "src/entities/",
    "src/group/",
    "src/query/",
    "src/notify/",
    "src/edit/commit",
    "src/format/",
    "src/saved/",
];

/// All tests, or the ones that `ECS_MUTANT_TESTS` names.
static TESTS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let chosen = env::var("ECS_MUTANT_TESTS").ok();
    let is_chosen =
        |name: &str| chosen.as_ref().is_none_or(|it| it.split(',').any(|it| it == name));
    ALL_TESTS.into_iter().filter(|name| is_chosen(name)).collect()
});

/// Tests of less effort than these times share a run, the least effort first.
const CLASSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(100)];

/// A run that takes this much longer than its tests without a mutant has found an endless loop.
const LIMIT: Duration = Duration::from_secs(3);

/// Each mutant is tried with tests of the first time; survivors are tried with more of them. A mutant that tests of the
/// last time do not catch has survived.
const PASSES: [Duration; 2] = [Duration::from_secs(4), Duration::from_secs(40)];

/// The number of tests that run first for a mutant: the last ones that caught others of its file.
const RECENT: usize = 6;

const SWITCH: &str = include_str!("switch.rs");

/// The outcome of a mutant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Caught(String),
    /// All its tests pass, or tests of this time.
    Survived(Duration),
    /// No test runs its code.
    Unreached,
    /// A condition cannot replace it.
    NotRun(&'static str),
    Uncompilable,
}

impl Outcome {
    fn is_caught(&self) -> bool {
        matches!(self, Self::Caught(_))
    }

    fn text(&self) -> String {
        match self {
            Self::Caught(by) => format!("caught\t{by}"),
            Self::Survived(Duration::MAX) => "survived\tall".to_string(),
            Self::Survived(time) => format!("survived\t{} ms", time.as_millis()),
            Self::Unreached => "unreached\t".to_string(),
            Self::NotRun(why) => format!("not run\t{why}"),
            Self::Uncompilable => "does not compile\t".to_string(),
        }
    }

    /// Reads the text of a mutant that was run.
    fn read(text: &str) -> Self {
        match text.split_once('\t').expect("an outcome and its detail") {
            ("caught", by) => Self::Caught(by.to_string()),
            ("survived", "all") => Self::Survived(Duration::MAX),
            ("survived", time) => {
                let time = time.strip_suffix(" ms").and_then(|time| time.parse().ok());
                Self::Survived(Duration::from_millis(time.expect("a time")))
            }
            ("unreached", _) => Self::Unreached,
            _ => panic!("no outcome of a run: {text}"),
        }
    }
}

/// The outcomes of all runs, in a file: the next run need not repeat the findings of an earlier
/// one.
struct Journal {
    file: PathBuf,
    /// A hash of each source file, without its tests.
    sources: BTreeMap<String, u64>,
}

impl Journal {
    fn new(file: PathBuf, root: &Path, mutants: &[Mutant]) -> Self {
        let hash = |file: &String| {
            let source = fs::read_to_string(root.join(file)).unwrap();
            let mut hasher = DefaultHasher::new();
            let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            code.trim_end().hash(&mut hasher);
            (file.clone(), hasher.finish())
        };
        let files: BTreeSet<_> = mutants.iter().map(|mutant| &mutant.file).collect();
        Self { file, sources: files.into_iter().map(hash).collect() }
    }

    fn key(&self, mutant: &Mutant) -> String {
        format!("{:016x}\t{}", self.sources[&mutant.file], mutant.name)
    }

    /// Returns the last outcome of each mutant whose file is as it was.
    fn read(&self, mutants: &[Mutant]) -> BTreeMap<u32, Outcome> {
        let text = fs::read_to_string(&self.file).unwrap_or_default();
        let line = |line| -> Option<(String, Outcome)> {
            let (hash, rest) = str::split_once(line, '\t')?;
            let (name, outcome) = rest.split_once('\t')?;
            Some((format!("{hash}\t{name}"), Outcome::read(outcome)))
        };
        let known: BTreeMap<String, Outcome> = text.lines().filter_map(line).collect();
        let outcome = |(number, mutant)| Some((number, known.get(&self.key(mutant))?.clone()));
        (1..).zip(mutants).filter_map(outcome).collect()
    }

    fn write(&self, mutant: &Mutant, outcome: &Outcome) {
        let file = fs::OpenOptions::new().append(true).create(true).open(&self.file);
        let line = format!("{}\t{}\n", self.key(mutant), outcome.text());
        file.and_then(|mut file| file.write_all(line.as_bytes())).unwrap();
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

    /// Leaves out the mutants that the compiler refuses. `known` lists the mutants of the last run: if the list of
    /// mutants is the same, so are the sources, and the tree that was built is not touched.
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
    /// The time for each mutant that it caught in earlier runs.
    effort: Duration,
}

/// The mutants that each test reaches.
struct Reached {
    /// The tests that reach each mutant, by binary, as places in the lists of tests.
    by: BTreeMap<u32, BTreeMap<usize, BTreeSet<usize>>>,
    /// The mutants that threads without a test's name reach, by binary.
    nameless: BTreeSet<(u32, usize)>,
    tests: Vec<Vec<Test>>,
}

/// Runs all tests without a mutant; records which mutants each reaches. Results in `folder` of a binary that is as old
/// are read instead: then interrupted runs go on in the same order.
fn reach(tree: &Path, binaries: &[PathBuf], folder: &Path) -> Reached {
    let mut reached = Reached { by: BTreeMap::new(), nameless: BTreeSet::new(), tests: Vec::new() };
    fs::create_dir_all(folder).unwrap();
    let changed = |file: &Path| fs::metadata(file).and_then(|file| file.modified()).ok();
    for (at, binary) in binaries.iter().enumerate() {
        let file = folder.join(TESTS[at]);
        let times = file.with_extension("times");
        if changed(&times) < changed(binary) {
            let _ = fs::remove_file(&file);
            let mut command = Command::new(binary);
            command.current_dir(tree.join("ecs")).env("ECS_REACHED", &file);
            // The times of tests are for nightly Rust.
            command.env("RUSTC_BOOTSTRAP", "1").args(["-Zunstable-options", "--report-time"]);
            let output = command.stderr(Stdio::null()).output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "without a mutant, {} fails: {text}", TESTS[at]);
            fs::write(&times, &*text).unwrap();
        }
        let text = fs::read_to_string(times).unwrap();
        let test = |line: &str| {
            let (name, time) = line.strip_prefix("test ")?.split_once(" ... ok <")?;
            let name = name.split(" - should panic").next()?.to_string();
            let time = Duration::from_secs_f64(time.strip_suffix("s>")?.parse().ok()?);
            Some(Test { name, time, effort: time })
        };
        let tests: Vec<Test> = text.lines().filter_map(test).collect();
        let time = tests.iter().map(|test| test.time).sum::<Duration>();
        println!("{}: {} tests in {:.1} s", TESTS[at], tests.len(), time.as_secs_f32());
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
    /// Reduces the effort of tests that caught mutants, so that they run first.
    fn count_kills(&mut self, known: &BTreeMap<u32, Outcome>) {
        let mut kills = BTreeMap::<&str, u32>::new();
        for outcome in known.values() {
            if let Outcome::Caught(by) = outcome {
                *kills.entry(by).or_default() += 1;
            }
        }
        for (binary, tests) in TESTS.iter().zip(&mut self.tests) {
            for test in tests {
                let kills = kills.get(&*format!("{binary}: {}", test.name)).unwrap_or(&0);
                test.effort = test.time / (1 + kills);
            }
        }
    }

    /// Returns the tests that reach a mutant, as lists; each is one run of a binary: the quick tests first.
    fn batches(&self, number: u32) -> Vec<(usize, Vec<usize>)> {
        let mut chosen = Vec::new();
        for (at, tests) in self.tests.iter().enumerate() {
            let named = self.by.get(&number).and_then(|by| by.get(&at));
            let is_whole = named.is_none() && self.nameless.contains(&(number, at));
            for (place, test) in tests.iter().enumerate() {
                if is_whole || named.is_some_and(|named| named.contains(&place)) {
                    let class = CLASSES.iter().position(|longest| test.effort < *longest);
                    // Each slow test runs by itself.
                    let key = class.map_or((CLASSES.len(), test.effort), |it| (it, Duration::ZERO));
                    chosen.push((key, at, place));
                }
            }
        }
        chosen.sort_unstable();
        let runs = chosen.chunk_by(|(key, at, _), (next, other, _)| key == next && at == other);
        runs.map(|run| (run[0].1, run.iter().map(|(.., place)| *place).collect())).collect()
    }

    /// Runs tests that reach a mutant until they took `enough` time, or one fails.
    fn outcome(&self, run: &Run, number: u32, enough: Duration) -> Outcome {
        let batches = self.batches(number);
        let file = &mutant(run.mutants, number).file;
        let recent = run.recent.lock().unwrap().get(file).cloned().unwrap_or_default();
        for (at, place) in recent {
            let reaches =
                |(other, tests): &(usize, Vec<usize>)| *other == at && tests.contains(&place);
            if batches.iter().any(reaches)
                && let Some(failed) = self.failed(run, at, &[place], number)
            {
                return Outcome::Caught(failed);
            }
        }
        let mut total = Duration::ZERO;
        for (at, tests) in &batches {
            let time: Duration = tests.iter().map(|place| self.tests[*at][*place].time).sum();
            if total + time > enough && !total.is_zero() {
                return Outcome::Survived(enough);
            }
            total += time;
            if let Some(failed) = self.failed(run, *at, tests, number) {
                return Outcome::Caught(failed);
            }
        }
        if batches.is_empty() { Outcome::Unreached } else { Outcome::Survived(Duration::MAX) }
    }

    /// Runs these tests of a binary with a mutant; returns the one that fails.
    fn failed(&self, run: &Run, at: usize, tests: &[usize], number: u32) -> Option<String> {
        let tests = tests.iter().map(|place| &self.tests[at][*place]);
        let time = tests.clone().map(|test| test.time).sum::<Duration>();
        let mut filters: Vec<String> = tests.map(|test| test.name.clone()).collect();
        filters.push("--exact".to_string());
        let limit = LIMIT + 4 * time;
        let failed = switched::run(run.tree, &run.binaries[at], &filters, number, limit)?;
        let name = failed.trim_start_matches("test ").trim_end_matches(" ... FAILED");
        let name = name.trim_end_matches(" - should panic");
        if let Some(place) = self.tests[at].iter().position(|test| test.name == name) {
            let mut recent = run.recent.lock().unwrap();
            let file = mutant(run.mutants, number).file.clone();
            let recent = recent.entry(file).or_default();
            recent.retain(|test| *test != (at, place));
            recent.insert(0, (at, place));
            recent.truncate(RECENT);
        }
        Some(format!("{}: {name}", TESTS[at]))
    }
}

/// The copied tree and its tests, by which mutants are run.
struct Run<'a> {
    tree: &'a Path,
    binaries: Vec<PathBuf>,
    mutants: &'a [Mutant],
    /// The last tests that caught mutants of each file, as binaries and places in the lists of tests.
    recent: Mutex<BTreeMap<String, Vec<(usize, usize)>>>,
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

/// Mutants are numbered from one.
fn mutant(mutants: &[Mutant], number: u32) -> &Mutant {
    &mutants[number as usize - 1]
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
    let mut reached = reach(&tree.tree, &binaries, &folder.join("reached"));
    let chosen: Vec<String> = env::args().skip(2).collect();
    let parts = if chosen.is_empty() { PARTS.map(String::from).to_vec() } else { chosen.clone() };
    let rank = |number: u32| {
        let name = &mutant(&tree.mutants, number).name;
        parts.iter().position(|part| name.contains(part))
    };
    let journal = Journal::new(folder.join("journal"), &tree.root, &tree.mutants);
    let mut known = journal.read(&tree.mutants);
    reached.count_kills(&known);
    if !chosen.is_empty() {
        // They are named because there are new tests.
        known.retain(|number, outcome| outcome.is_caught() || rank(*number).is_none());
    }
    let accepted = accepted(&tree.root);
    let is_accepted =
        |number: u32| accepted.contains_key(&mutant(&tree.mutants, number).lasting_name());
    let is_left = |number: &u32| {
        !tree.outcomes.contains_key(number)
            && !known.get(number).is_some_and(Outcome::is_caught)
            && rank(*number).is_some()
    };
    let mut left: Vec<u32> = (1..=tree.mutants.len() as u32).filter(is_left).collect();
    left.sort_by_key(|number| (is_accepted(*number), rank(*number)));
    println!("{} mutants, {} run", tree.mutants.len(), left.len());
    let run = Run { tree: &tree.tree, binaries, mutants: &tree.mutants, recent: Mutex::default() };
    for (pass, enough) in PASSES.into_iter().enumerate() {
        // For survivors with a reason, the first pass is enough.
        left.retain(|number| match known.get(number) {
            None => true,
            Some(Outcome::Survived(tried)) => {
                *tried < enough && !(pass > 0 && is_accepted(*number))
            }
            Some(_) => false,
        });
        run_pass(&run, &reached, &left, enough, &journal, &mut known);
    }
    tree.outcomes.extend(known);
    report(&tree, &folder);
}

/// Runs these mutants, two at a time, each for `enough` time of tests, and writes the outcomes down as they come.
fn run_pass(
    run: &Run,
    reached: &Reached,
    left: &[u32],
    enough: Duration,
    journal: &Journal,
    known: &mut BTreeMap<u32, Outcome>,
) {
    let (next, known) = (Mutex::new(left.iter()), Mutex::new(known));
    let work = || {
        loop {
            let Some(&number) = next.lock().unwrap().next() else { break };
            let mutant = mutant(run.mutants, number);
            let start = Instant::now();
            let outcome = reached.outcome(run, number, enough);
            let time = start.elapsed().as_secs_f32();
            println!("{number} {} ({time:.1} s): {}", mutant.name, outcome.text());
            let mut known = known.lock().unwrap();
            // Other tests may catch mutants that some tests do not.
            if outcome.is_caught() || TESTS.len() == ALL_TESTS.len() {
                journal.write(mutant, &outcome);
            }
            known.insert(number, outcome);
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
}

/// Prints the counts, writes the outcome of each mutant, and fails if one survived that is not accepted.
fn report(tree: &Tree, folder: &Path) {
    let mut accepted = accepted(&tree.root);
    let mut counts = BTreeMap::<String, usize>::new();
    let (mut lines, mut survivors) = (String::new(), Vec::new());
    for (number, outcome) in &tree.outcomes {
        let mutant = mutant(&tree.mutants, *number);
        let text = outcome.text();
        lines.push_str(&format!("{}\t{text}\n", mutant.name));
        let mut kind = text.split('\t').next().unwrap().to_string();
        if matches!(outcome, Outcome::Survived(_) | Outcome::Unreached) {
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
