//! Measures the library beside its peers, in turns, and writes a table and charts.

mod chart;
mod promises;
mod systems;
mod table;
mod worlds;

use clap::Parser;
use ecs_benches::libraries;
use ecs_benches::library::Library;
use ecs_benches::machine::{self, Others};
use ecs_benches::markdown;
use ecs_benches::measure::{self, Effort, Measured};
use ecs_benches::program;
use ecs_benches::workload::{self, SYSTEMS, WORKLOADS, Workload};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Measures `ecs` beside its peers (with `--features peers`) and beside plain Vecs.
///
/// All libraries take turns within this process: every round visits each of them once. The results
/// of their loops are compared, too.
#[derive(Parser)]
struct Arguments {
    /// Workloads to measure: names or beginnings of names [default: all].
    #[arg(long, num_args = 1.., value_name = "WORKLOAD")]
    only: Vec<String>,
    /// Libraries to measure, as the table names them or their first word [default: all].
    #[arg(long, num_args = 1.., value_name = "LIBRARY")]
    libs: Vec<String>,
    /// Rounds; the median counts. 5 to 11 are sensible.
    #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// A quick look: 3 shorter rounds, and no workload of 2M or 10M entities unless its whole name is given.
    #[arg(long)]
    quick: bool,
    /// Run each loop, or each frame, just once a turn, when the other libraries have had the caches:
    /// for loops of many microseconds.
    #[arg(long)]
    cold: bool,
    /// The folder for `table.md`, `chart-light.svg` and `chart-dark.svg` [default: benches/results for
    /// a whole run, nowhere for a part of one].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Measure nothing: draw the charts again from the `table.md` that is there.
    #[arg(long)]
    redraw: bool,
}

impl Arguments {
    /// Returns the workloads of single loops, of worlds as programs have them, and of systems.
    fn workloads(&self) -> Result<[Vec<Workload>; 3], String> {
        let all =
            WORKLOADS.iter().copied().chain(workload::worlds()).chain(SYSTEMS.iter().copied());
        let name = |workload: &Workload| workload.name;
        let mut workloads = program::named(all, &self.only, "workload", name, program::begins)?;
        if self.quick {
            let is_named = |workload: &Workload| self.only.iter().any(|it| it == workload.name);
            workloads.retain(|workload| !workload.is_big() || is_named(workload));
        }
        let (systems, others): (_, Vec<_>) =
            workloads.into_iter().partition(|it| is_of_systems(it.name));
        let (worlds, loops) = others.into_iter().partition(Workload::is_of_worlds);
        Ok([loops, worlds, systems])
    }

    /// Returns the libraries of single loops, and the libraries of systems.
    fn libraries(&self) -> Result<[Vec<Library>; 2], String> {
        let is_named = |library: &'static str, name: &str| {
            library == name || library.split(' ').next() == Some(name)
        };
        let all = libraries::all().into_iter().chain(libraries::with_systems());
        let name = |library: &Library| library.name;
        let libraries = program::named(all, &self.libs, "library here", name, is_named)?;
        let has_systems = |library: &Library| library.workloads().any(is_of_systems);
        let (systems, others) = libraries.into_iter().partition(has_systems);
        Ok([others, systems])
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

fn is_of_systems(workload: &str) -> bool {
    SYSTEMS.iter().any(|it| it.name == workload)
}

fn measure(workloads: &[Workload], libraries: &[Library], effort: Effort) -> Vec<Measured> {
    let measured = workloads.iter().enumerate().map(|(at, &workload)| {
        eprint!("{}/{} {}: ", at + 1, workloads.len(), workload.name);
        let result = measure::measure(workload, libraries, effort);
        eprintln!("{}", result.brief());
        result
    });
    measured.collect()
}

fn draw(results: &chart::Results, out: &Path) -> Result<(), Box<dyn Error>> {
    for theme in &chart::THEMES {
        let path = out.join(format!("chart-{}.svg", theme.name));
        chart::draw(results, theme, &path)?;
        eprintln!("wrote {}", path.display());
    }
    Ok(())
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = Arguments::parse();
    if arguments.redraw {
        let out = program::out(arguments.out, true).expect("a whole run has a place");
        draw(&chart::read(&fs::read_to_string(out.join("table.md"))?), &out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let ([workloads, worlds, lists], [libraries, with_systems]) =
        (arguments.workloads()?, arguments.libraries()?);
    measure::settle_allocator();
    let (effort, others) = (arguments.effort(), Others::begin());
    let mut results = measure(&workloads, &libraries, effort);
    let of_worlds = measure(&worlds, &libraries, effort);
    let of_systems = measure(&lists, &with_systems, effort);

    let mut head = machine::describe("compare", "library", &libraries, effort);
    head.push(("others on the machine", others.told()));
    let mut table = markdown::head("The library beside its peers", &head);
    table::overview(&mut table, &results, &libraries);
    promises::overview(&mut table, &results, &libraries);
    worlds::overview(&mut table, &of_worlds, &libraries);
    systems::overview(&mut table, &of_systems, &with_systems);
    results.extend(of_worlds);
    table.push_str("\n## Each workload\n");
    table::details(&mut table, &results, &libraries);
    table::details(&mut table, &of_systems, &with_systems);
    println!("{table}");
    if let Some(out) = arguments.out() {
        fs::create_dir_all(&out)?;
        fs::write(out.join("table.md"), &table)?;
        eprintln!("wrote table.md to {}", out.display());
        draw(&chart::measured(&results, &libraries), &out)?;
    }
    let all: Vec<_> = results.into_iter().chain(of_systems).collect();
    Ok(program::exit_code(&all))
}
