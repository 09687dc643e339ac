//! Measures the library beside its peers, in turns, and writes a table and a chart.

mod chart;
mod table;

use clap::Parser;
use ecs_benches::libraries;
use ecs_benches::library::Library;
use ecs_benches::machine;
use ecs_benches::measure::{self, Effort};
use ecs_benches::program;
use ecs_benches::workload::{WORKLOADS, Workload};
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Measures `ecs` beside its peers (with `--features peers`) and beside plain Vecs.
///
/// All libraries take turns within this process: every round visits each of them once. What their
/// loops answer is compared, too.
#[derive(Parser)]
struct Arguments {
    /// Workloads to measure: names or beginnings of names [default: all].
    #[arg(long, num_args = 1.., value_name = "WORKLOAD")]
    only: Vec<String>,
    /// Libraries to measure, as the table names them or their first word [default: all].
    #[arg(long, num_args = 1.., value_name = "LIBRARY")]
    libs: Vec<String>,
    /// Rounds, of which the median counts: 5 to 11 are sensible.
    #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// A quick look: 3 shorter rounds, and no workload of 10M entities unless it is named.
    #[arg(long)]
    quick: bool,
    /// Run each loop just once a turn, when the other libraries have had the caches: for loops of
    /// many microseconds.
    #[arg(long)]
    cold: bool,
    /// Where to write `table.md` and `chart.svg` [default: benches/results for a whole run, nowhere
    /// for a part of one].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Arguments {
    fn workloads(&self) -> Result<Vec<Workload>, String> {
        let all = WORKLOADS.iter().copied();
        let name = |workload: &Workload| workload.name;
        let mut workloads = program::named(all, &self.only, "workload", name, program::begins)?;
        if self.only.is_empty() && self.quick {
            workloads.retain(|workload| !workload.is_big());
        }
        Ok(workloads)
    }

    fn libraries(&self) -> Result<Vec<Library>, String> {
        let is_named = |library: &'static str, name: &str| {
            library == name || library.split(' ').next() == Some(name)
        };
        program::named(
            libraries::all(),
            &self.libs,
            "library here",
            |library| library.name,
            is_named,
        )
    }

    fn effort(&self) -> Effort {
        let least = match (self.cold, self.quick) {
            (true, _) => Duration::ZERO,
            (false, true) => Duration::from_millis(1),
            (false, false) => Duration::from_millis(5),
        };
        Effort { rounds: if self.quick { 3 } else { self.rounds }, least }
    }

    fn out(&self) -> Option<PathBuf> {
        let whole = self.only.is_empty() && self.libs.is_empty() && !self.quick && !self.cold;
        program::out(self.out.clone(), whole)
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = Arguments::parse();
    let (workloads, libraries) = (arguments.workloads()?, arguments.libraries()?);
    measure::settle_allocator();
    let effort = arguments.effort();
    let mut results = Vec::new();
    for (at, &workload) in workloads.iter().enumerate() {
        eprint!("{}/{} {}: ", at + 1, workloads.len(), workload.name);
        let result = measure::measure(workload, &libraries, effort);
        eprintln!("{}", result.brief());
        results.push(result);
    }

    let table = table::table(
        &results,
        &libraries,
        &machine::describe("compare", "library", &libraries, effort),
    );
    println!("{table}");
    if let Some(out) = arguments.out() {
        fs::create_dir_all(&out)?;
        fs::write(out.join("table.md"), &table)?;
        chart::draw(&results, &libraries, &out.join("chart.svg"))?;
        eprintln!("wrote table.md and chart.svg to {}", out.display());
    }
    Ok(program::exit_code(&results))
}
