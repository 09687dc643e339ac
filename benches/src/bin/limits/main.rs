//! Measures what each promise of the library costs, in turns, and writes a table for each workload.

mod table;

use clap::Parser;
use ecs_benches::ladders::{self, Ladder};
use ecs_benches::machine;
use ecs_benches::measure::{self, Effort};
use ecs_benches::program;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Measures the same work as done by ladders of implementations: each rung makes one promise of the
/// library more, from a bare one by hand to the library.
///
/// All rungs take turns within this process: every round visits each of them once. What their
/// loops answer is compared, too.
#[derive(Parser)]
struct Arguments {
    /// Ladders to measure: names of workloads or beginnings of names [default: all].
    #[arg(long, num_args = 1.., value_name = "WORKLOAD")]
    only: Vec<String>,
    /// Rounds, of which the median counts: 5 to 11 are sensible.
    #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
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

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = Arguments::parse();
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
    if let Some(out) = program::out(arguments.out, arguments.only.is_empty()) {
        program::write(&out, "limits.md", &table)?;
    }
    Ok(program::exit_code(&results))
}
