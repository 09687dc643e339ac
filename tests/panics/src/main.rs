//! Programs in which user code panics, with `ecs` and with its peers. After each panic the world is asked whether it
//! is consistent, is used further, and is dropped; a ledger lists values that are lost or dropped twice.
//!
//! Each program runs in a process of its own. The table is written into `README.md`.
//!
//! ```sh
//! cargo run --manifest-path tests/panics/Cargo.toml            # all
//! cargo run --manifest-path tests/panics/Cargo.toml hecs twice drop   # one of them, in this process
//! ```

#![forbid(unsafe_code)]

mod ledger;
mod libraries;
mod library;
mod programs;

use crate::library::Library;
use crate::programs::{PROGRAMS, Program};
use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(20);
/// The number of runs of each program.
const RUNS: usize = 5;
/// The number of mistakes of a run that the table shows: the worst.
const SHOWN: usize = 2;
const TABLE: &str = "<!-- table -->\n";

type Run = fn(&str, &str) -> String;

/// The libraries, with their versions in the lock file.
const LIBRARIES: [(&str, Run); 7] = [
    entry::<libraries::ecs::Ecs>(),
    entry::<libraries::bevy_ecs::Bevy>(),
    entry::<libraries::hecs::Hecs>(),
    entry::<libraries::shipyard::Shipyard>(),
    entry::<libraries::specs::Specs>(),
    entry::<libraries::sparsey::Sparsey>(),
    entry::<libraries::flecs_ecs::Flecs>(),
];

const fn entry<L: Library>() -> (&'static str, Run) {
    (L::NAME, programs::run::<L>)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [library, program, variant] = &arguments[..] {
        let (_, run) = LIBRARIES.iter().find(|(name, _)| name == library).expect("a library");
        println!("\nverdict: {}", run(program, variant));
        // The process ends without destructors of the libraries' own threads.
        return ExitCode::SUCCESS;
    }
    let rows: Vec<[String; LIBRARIES.len()]> = PROGRAMS
        .iter()
        .map(|program| LIBRARIES.map(|(library, _)| cell(library, program)))
        .collect();
    let table = table(&rows);
    print!("{table}");
    write(&table);
    // Two destructors that panic in one call end a process by the rules of the language.
    let is_promised = |(program, row): (&Program, &[String; _])| match program.name {
        "twice" => row[0].split("; ").all(|verdict| verdict.contains("abort ")),
        _ => row[0] == "consistent",
    };
    let is_promised = PROGRAMS.iter().zip(&rows).all(is_promised);
    if is_promised { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs the variants of a program, several times: some libraries walk hash tables in a random order. Returns the
/// verdicts, shortened.
fn cell(library: &str, program: &Program) -> String {
    let verdict = |variant: &&str| {
        let short =
            |verdict: String| verdict.split(", ").take(SHOWN).collect::<Vec<_>>().join(", ");
        let verdicts: BTreeSet<_> =
            (0..RUNS).map(|_| short(child(library, program.name, variant))).collect();
        verdicts.into_iter().collect::<Vec<_>>().join(" *or* ")
    };
    let verdicts: Vec<_> = program.variants.iter().map(verdict).collect();
    if verdicts.iter().all(|verdict| *verdict == verdicts[0]) {
        return verdicts[0].clone();
    }
    let each = program.variants.iter().zip(&verdicts);
    each.map(|(variant, verdict)| format!("{variant}: {verdict}")).collect::<Vec<_>>().join("; ")
}

/// Runs one program in a process of its own.
fn child(library: &str, program: &str, variant: &str) -> String {
    let mut child = Command::new(std::env::current_exe().expect("a path"))
        .args([library, program, variant])
        .env("RUST_BACKTRACE", "0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a process");
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if start.elapsed() > LIMIT {
            child.kill().expect("a child that runs");
            child.wait().expect("a child");
            return format!("hangs for {} s", LIMIT.as_secs());
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let output = child.wait_with_output().expect("what it printed");
    let output = String::from_utf8_lossy(&output.stdout);
    let line = |start| output.lines().rev().find_map(|line| line.strip_prefix(start));
    match (line("verdict: "), line("so far: "), status.signal()) {
        (Some(verdict), _, None) => verdict.to_owned(),
        (_, Some(so_far), Some(6)) => so_far.to_owned(),
        (_, Some(so_far), Some(11)) => so_far.replace("abort", "segmentation fault"),
        _ => format!("{status}"),
    }
}

/// Returns the version of a library in the lock file.
fn version(library: &str) -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let entry =
        lock.split_once(&format!("name = \"{library}\"\nversion = \"")).expect("it is locked").1;
    entry.split_once('"').expect("a version").0
}

fn table(rows: &[[String; LIBRARIES.len()]]) -> String {
    let names = LIBRARIES.map(|(name, _)| match name {
        "ecs" => "ecs".to_owned(),
        name => format!("{name} {}", version(name)),
    });
    let mut table =
        format!("| program | {} |\n|---|{}\n", names.join(" | "), "---|".repeat(names.len()));
    for (program, row) in PROGRAMS.iter().zip(rows) {
        table += &format!("| **{}**: {} | {} |\n", program.name, program.panics, row.join(" | "));
    }
    table
}

/// Replaces the table of the file beside this crate.
fn write(table: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let text = std::fs::read_to_string(path).expect("the file is there");
    let (before, rest) = text.split_once(TABLE).expect("a mark before the table");
    let (_, after) = rest.split_once(TABLE).expect("a mark behind the table");
    std::fs::write(path, format!("{before}{TABLE}{table}{TABLE}{after}")).expect("it is writable");
}
