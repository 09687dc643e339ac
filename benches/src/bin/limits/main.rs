//! Measures what each promise of the library costs, in turns, and writes a table for each workload.

mod table;

use clap::Parser;
use ecs_benches::ladders::{self, Ladder};
use ecs_benches::machine;
use ecs_benches::measure::{self, Effort};
use std::error::Error;
use std::fs;
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
    /// Where to write `limits.md` [default: benches/results for a whole run, nowhere for a part of
    /// one].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Arguments {
    fn ladders(&self) -> Result<Vec<Ladder>, String> {
        let mut ladders = ladders::all();
        let is_named = |ladder: &Ladder, name: &String| ladder.workload.name.starts_with(&**name);
        if let Some(unknown) =
            self.only.iter().find(|name| !ladders.iter().any(|ladder| is_named(ladder, name)))
        {
            let known: Vec<_> = ladders.iter().map(|ladder| ladder.workload.name).collect();
            return Err(format!("no ladder is called {unknown}: {}", known.join(", ")));
        }
        if !self.only.is_empty() {
            ladders.retain(|ladder| self.only.iter().any(|name| is_named(ladder, name)));
        }
        Ok(ladders)
    }

    fn out(&self) -> Option<PathBuf> {
        let results = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("results");
        self.out.clone().or_else(|| self.only.is_empty().then(results))
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
    if let Some(out) = arguments.out() {
        fs::create_dir_all(&out)?;
        fs::write(out.join("limits.md"), &table)?;
        eprintln!("wrote limits.md to {}", out.display());
    }
    let agreed = results.iter().all(|result| result.disagreeing.is_empty());
    Ok(if agreed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
