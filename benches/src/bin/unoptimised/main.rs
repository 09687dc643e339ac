//! Measures the library and hecs as an unoptimised build runs them, in turns, and writes a table.
//!
//! `cargo run -p ecs_benches --features peers --bin unoptimised`

mod libraries;
mod table;

use clap::Parser;
use ecs_benches::machine;
use ecs_benches::measure::{self, Effort};
use ecs_benches::program;
use libraries::WORKLOADS;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Measures loops and edits without optimisation, beside hecs.
///
/// Both libraries take turns within this process: every round visits each of them once. The results
/// of their loops are compared, too.
#[derive(Parser)]
struct Arguments {
    /// Workloads to measure: names or beginnings of names [default: all].
    #[arg(long, num_args = 1.., value_name = "WORKLOAD")]
    only: Vec<String>,
    /// Rounds; the median counts.
    #[arg(long, default_value_t = 21, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// The folder of `unoptimised.md` [default: benches/results for a whole run, none for a part of
    /// one].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = Arguments::parse();
    let workloads = program::named(
        WORKLOADS.map(|(workload, _)| workload),
        &arguments.only,
        "workload",
        |workload| workload.name,
        program::begins,
    )?;
    let libraries = libraries::libraries();
    measure::settle_allocator();
    let effort = Effort { rounds: arguments.rounds, least: Duration::from_millis(5) };
    let mut results = Vec::new();
    for workload in workloads {
        eprint!("{}: ", workload.name);
        let result = measure::measure(workload, &libraries, effort);
        eprintln!("{}", result.brief());
        results.push(result);
    }

    let head = machine::describe("unoptimised", "library", &libraries, effort);
    let table = table::table(&results, &libraries, &head);
    println!("{table}");
    if let Some(out) = program::out(arguments.out, arguments.only.is_empty()) {
        program::write(&out, "unoptimised.md", &table)?;
    }
    Ok(program::exit_code(&results))
}
