//! Measures the cost of queries in a build: CPU time of the compiler, and bytes of the program.

mod generate;
mod measure;
mod table;

use clap::Parser;
use ecs_benches::machine;
use ecs_benches::program;
use generate::{Form, PROGRAMS};
use measure::Builder;
use std::error::Error;
use std::path::PathBuf;

/// Generates programs that differ only in their library, builds them, and prints the cost that a
/// query adds to a build.
///
/// Each program has 20 components and 100 loops over two of them. The cost of the library itself and
/// of the rest of the program is measured by the same program without the loops, and subtracted.
#[derive(Parser)]
struct Arguments {
    /// Libraries to measure [default: all].
    #[arg(long, num_args = 1.., value_name = "LIBRARY")]
    libs: Vec<String>,
    /// The number of builds of each program; the median counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Measure only the cost of saved and other components.
    #[arg(long)]
    components: bool,
    /// The folder of `build.md` [default: benches/results for a whole run, none for a part of one].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let programs = program::named(
        PROGRAMS,
        &arguments.libs,
        "library here",
        |program| program.library,
        |library, name| library == name,
    )?;
    let builder = Builder::new()?;
    if arguments.components {
        println!("{}", table::components(builder.components(arguments.rounds)?));
        return Ok(());
    }
    let libraries = [builder.library("ecs")?, builder.library("hecs")?];
    let mut results = Vec::new();
    for program in programs {
        eprintln!("{}, {}", program.library, program.form.name());
        results.push((program, builder.measure(program, arguments.rounds)?));
    }
    let checked = builder.check_lists(arguments.rounds)?;
    let components = builder.components(arguments.rounds)?;
    let facts = machine::facts("build_cost", &["ecs", "hecs", "bevy_ecs"]);
    let table = table::table(&results, libraries, checked, components, &facts);
    println!("{table}");
    if let Some(out) = program::out(arguments.out, arguments.libs.is_empty()) {
        program::write(&out, "build.md", &table)?;
    }
    Ok(())
}

impl Form {
    const fn name(self) -> &'static str {
        match self {
            Self::For => "for",
            Self::ForEach => "for_each",
            Self::Chunk => "for_each_chunk",
            Self::System => "for, in a schedule",
        }
    }
}
