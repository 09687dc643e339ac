//! Measures the library beside its peers, in turns, and writes a table and a chart.

mod chart;
mod table;

use clap::Parser;
use ecs_benches::libraries;
use ecs_benches::library::Library;
use ecs_benches::machine;
use ecs_benches::measure::{self, Effort};
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
        let is_named =
            |workload: &Workload, name: &String| workload.name.starts_with(name.as_str());
        if let Some(unknown) =
            self.only.iter().find(|name| !WORKLOADS.iter().any(|w| is_named(w, name)))
        {
            let known: Vec<_> = WORKLOADS.iter().map(|workload| workload.name).collect();
            return Err(format!("no workload is called {unknown}: {}", known.join(", ")));
        }
        let wanted = |workload: &&Workload| {
            if self.only.is_empty() {
                !(self.quick && workload.is_big())
            } else {
                self.only.iter().any(|name| is_named(workload, name))
            }
        };
        Ok(WORKLOADS.iter().filter(wanted).copied().collect())
    }

    fn libraries(&self) -> Result<Vec<Library>, String> {
        let mut libraries = libraries::all();
        let is_named = |library: &Library, name: &String| {
            library.name == *name || library.name.split(' ').next() == Some(name)
        };
        if let Some(unknown) =
            self.libs.iter().find(|name| !libraries.iter().any(|l| is_named(l, name)))
        {
            let known: Vec<_> = libraries.iter().map(|library| library.name).collect();
            return Err(format!("no library here is called {unknown}: {}", known.join(", ")));
        }
        if !self.libs.is_empty() {
            libraries.retain(|library| self.libs.iter().any(|name| is_named(library, name)));
        }
        Ok(libraries)
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
        let results = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("results");
        self.out.clone().or_else(|| whole.then(results))
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
    let agreed = results.iter().all(|result| result.disagreeing.is_empty());
    Ok(if agreed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
