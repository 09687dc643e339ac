//! Other component types, which are numbered before a history's own.
//!
//! Component types get numbers in the order in which the process first uses them, and those from 255 on share a bit in
//! sets. `ECS_OTHER_TYPES` says how many types are numbered first.

use ecs::Component;
use ecs::copies::Copies;
use std::process::Command;
use std::sync::Once;

#[derive(Component)]
struct Filler<const N: usize>;

/// The name of the variable that says how many other types are numbered first.
const OTHER_TYPES: &str = "ECS_OTHER_TYPES";

/// Numbers other types, on the first call in the process, if the environment says so.
pub fn number_first() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let count = super::environment(OTHER_TYPES, 0);
        assert!(count <= ALL.len(), "{OTHER_TYPES} is at most {}", ALL.len());
        ALL[..count].iter().for_each(|number| number());
    });
}

/// Runs tests of this binary whose names contain one of these texts, in a process in which this many other types
/// are numbered first. `variables` are for its environment. Returns the output of the tests.
pub fn run_after(others: usize, tests: &[&str], variables: &[(&str, usize)]) -> String {
    let mut process = Command::new(std::env::current_exe().unwrap());
    process.args(tests).args(["--nocapture", "--include-ignored", "--skip=after_others"]);
    process.env(OTHER_TYPES, others.to_string());
    process.envs(variables.iter().map(|(name, value)| (name, value.to_string())));
    let output = process.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "with {OTHER_TYPES}={others}: {said}");
    assert!(!said.contains(" 0 passed"), "no test has such a name: {said}");
    said
}

macro_rules! fillers {
    ($($ten:literal)*) => { [$(fillers!(@ $ten: 0 1 2 3 4 5 6 7 8 9)),*].as_flattened() };
    (@ $ten:literal: $($one:literal)*) => {
        [$((|| drop(Copies::default().leave_out::<Filler<{ $ten * 10 + $one }>>())) as fn()),*]
    };
}
const ALL: &[fn()] =
    fillers!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26);
