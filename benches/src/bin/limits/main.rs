//! Measures the cost of each promise of the library, in turns, and writes a table for each workload; and counts
//! the instructions of batches.

mod growth;
mod table;

use clap::Parser;
use ecs_benches::ladders::{self, Ladder};
use ecs_benches::machine;
use ecs_benches::measure::{self, Effort};
use ecs_benches::program;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Measures the same work as done by ladders of implementations: each rung makes one promise of the
/// library more, from a bare one by hand to the library.
///
/// All rungs take turns within this process: every round visits each of them once. The results of
/// their loops are compared, too.
///
/// Then counts the instructions of each public batch, of n elements and of four times as many.
#[derive(Parser)]
struct Arguments {
    /// Ladders to measure: names of workloads or beginnings of names [default: all].
    #[arg(long, num_args = 1.., value_name = "WORKLOAD")]
    only: Vec<String>,
    /// Rounds; the median counts. 5 to 11 are sensible.
    #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Counts the instructions of batches only, and replaces their part of `limits.md`.
    #[arg(long)]
    growth: bool,
    /// Batches to be counted, without writing a file: parts of names [default: all].
    #[arg(long, num_args = 1.., value_name = "PART")]
    batches: Vec<String>,
    /// Does the batches of this many elements, as this program starts itself.
    #[arg(long, value_name = "COUNT", hide = true)]
    batches_of: Option<String>,
    /// The folder of `limits.md` [default: benches/results for a whole run, none for a part of
    /// one].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Arguments {
    fn ladders(&self) -> Result<Vec<Ladder>, String> {
        let name = |ladder: &Ladder| ladder.workload.name;
        program::named(ladders::all(), &self.only, "ladder", name, program::begins)
    }
}

const FILE: &str = "limits.md";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = Arguments::parse();
    if let Some(count) = &arguments.batches_of {
        growth::run(count, &arguments.batches)?;
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.growth || !arguments.batches.is_empty() {
        let out = program::out(arguments.out, arguments.batches.is_empty());
        return count_batches(&arguments.batches, out.as_deref());
    }
    let ladders = arguments.ladders()?;
    measure::settle_allocator();
    let effort = Effort { rounds: arguments.rounds, least: Duration::from_millis(5) };
    let mut results = Vec::new();
    for ladder in &ladders {
        eprint!("{}: ", ladder.workload.name);
        let result = measure::measure(ladder.workload, &ladder.rungs, effort);
        eprintln!("{}", result.brief());
        results.push(result);
    }

    let rungs = ladders.first().map_or(&[][..], |ladder| &ladder.rungs);
    let head = machine::describe("limits", "rung", rungs, effort);
    let table = table::table(&results, &ladders, &head);
    println!("{table}");
    let exit_code = program::exit_code(&results);
    let Some(out) = program::out(arguments.out, arguments.only.is_empty()) else {
        return Ok(exit_code);
    };
    program::write(&out, FILE, &table)?;
    let counted = count_batches(&[], Some(&out))?;
    Ok(if exit_code == ExitCode::SUCCESS { counted } else { exit_code })
}

/// Counts the instructions of these batches, or of all, and replaces their part of the file in this folder.
fn count_batches(named: &[String], out: Option<&Path>) -> Result<ExitCode, Box<dyn Error>> {
    let (text, faster) = growth::section(named)?;
    println!("{text}");
    if let Some(out) = out {
        let whole = fs::read_to_string(out.join(FILE))?;
        let ladders = whole.split(growth::HEADING).next().unwrap_or_default();
        program::write(out, FILE, &format!("{ladders}{text}"))?;
    }
    faster.iter().for_each(|batch| eprintln!("grows faster than n log n: {batch}"));
    Ok(if faster.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
