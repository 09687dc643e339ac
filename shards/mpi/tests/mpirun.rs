//! Runs of several processes, started by `mpirun`.
#![allow(
    clippy::needless_pass_by_value,
    dead_code,
    reason = "the example of `ecs_shards` says why"
)]

#[path = "../../../examples/src/bin/epidemic/crowd.rs"]
mod crowd;
#[path = "../../examples/epidemic/run.rs"]
mod run;
#[path = "../../examples/epidemic/town.rs"]
mod town;

use run::Alone;
use std::fs;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const EPIDEMIC: &str = env!("CARGO_BIN_EXE_epidemic");

fn mpirun(ranks: usize, line: &str) -> Command {
    let mut command = Command::new("mpirun");
    // Containers run as root, and machines for tests have fewer processors than ranks.
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command.args(["--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]);
    command.args(["-n", &ranks.to_string(), EPIDEMIC]).args(line.split_whitespace());
    command
}

fn lines(output: &Output) -> Vec<String> {
    let wrong = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{wrong}");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

fn count(variable: &str, default: u32) -> u32 {
    std::env::var(variable).map_or(default, |count| count.parse().expect("a number"))
}

#[test]
fn each_tenth_step_is_equal_on_any_number_of_processes() {
    let (people, steps) = (count("ECS_AGENTS", 20_000), count("ECS_STEPS", 50));
    let expected = Alone::new(people, 1).run(steps);
    for ranks in 1..=4 {
        let output = mpirun(ranks, &format!("--agents {people} --steps {steps}")).output().unwrap();
        assert_eq!(lines(&output), expected, "on {ranks} ranks");
    }
}

#[test]
fn a_panic_on_one_process_ends_all_with_its_message() {
    let output = mpirun(3, "--agents 2000 --steps 1000000 --panic-after 20").output().unwrap();
    let wrong = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(wrong.contains("rank 2 failed: rank 2 panics after 20 steps"), "{wrong}");
}

#[test]
fn a_process_that_returns_early_ends_all_with_its_number() {
    for ranks in [2, 3] {
        let early = "--agents 2000 --steps 1000000 --return-after 20";
        let output = mpirun(ranks, early).output().unwrap();
        let wrong = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success());
        let last = ranks - 1;
        let expected = format!("failed: rank {last} ended before it sent its message");
        assert!(wrong.contains(&expected), "{wrong}");
    }
}

#[test]
fn an_error_on_one_process_ends_all_with_its_message() {
    let output =
        mpirun(2, "--agents 2000 --steps 10 --checkpoints /dev/null/none").output().unwrap();
    let wrong = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && wrong.contains("failed: checkpoint /dev/null/none"),
        "{wrong}"
    );
}

/// The processes of a run, found by their parent.
fn processes_of(run: &Child) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The name stands in brackets, then come the state and the parent.
        let parent = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1));
        if parent == Some(&run.id().to_string()) {
            found.push(process);
        }
    }
    found
}

fn is_running(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(')')
        .next()
        .and_then(|rest| rest.split_whitespace().next())
        .is_some_and(|it| it != "Z")
}

#[test]
fn a_killed_process_ends_the_others_and_the_run_goes_on_from_its_checkpoint() {
    let (people, steps) = (20_000, 80);
    let folder = tempfile::tempdir().unwrap();
    let saved = format!("--agents {people} --checkpoints {}", folder.path().display());
    let endless = mpirun(3, &format!("{saved} --steps 1000000"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut endless = endless.unwrap();
    let has_checkpoint =
        || fs::read_dir(folder.path()).unwrap().flatten().any(|it| it.path().extension().is_none());
    while !has_checkpoint() {
        assert!(endless.try_wait().unwrap().is_none(), "it ended too early");
        sleep(Duration::from_millis(10));
    }
    let ranks = processes_of(&endless);
    assert_eq!(ranks.len(), 3);
    let start = Instant::now();
    assert!(Command::new("kill").args(["-9", &ranks[1].to_string()]).status().unwrap().success());
    assert!(!endless.wait().unwrap().success());
    while ranks.iter().any(|rank| is_running(*rank)) {
        assert!(start.elapsed() < Duration::from_mins(1), "a rank goes on without the killed one");
        sleep(Duration::from_millis(10));
    }
    println!("all ranks ended {:.1} s after one was killed", start.elapsed().as_secs_f64());

    let output = mpirun(3, &format!("{saved} --steps {steps}")).output().unwrap();
    let (lines, expected) = (lines(&output), Alone::new(people, 1).run(steps));
    assert!(lines.len() < expected.len(), "it began anew");
    assert_eq!(lines, expected[expected.len() - lines.len()..]);
}
