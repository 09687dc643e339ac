//! Finds the flights that can be heard at an airport.
//!
//! Replays recorded position reports of real aircraft. Every flight is an entity while reports of it arrive: it
//! is spawned, its components are inserted and removed as it moves, and it is despawned. Once a tick, systems
//! find the flights that are low and near the airport at the same time.
//!
//! ```text
//! cargo run --profile example -p ecs_examples --bin airspace -- --airport LFPG --svg map.svg --timeline tick.svg
//! ```
//!
//! The replay can be stopped and saved; another run continues it, with equal results:
//!
//! ```text
//! cargo run --profile example -p ecs_examples --bin airspace -- --until 1800 --save half.ecs
//! cargo run --profile example -p ecs_examples --bin airspace -- --resume half.ecs
//! ```
//!
//! The entities are in `components.rs` and `replay.rs`; the other files read, check, print, draw.

mod components;
mod replay;

mod airport;
mod cli;
mod error;
mod flights;
mod geo;
mod legend;
mod map;
mod palette;
mod paths;
mod report;
mod rows;
mod suggest;
mod summary;
mod tracks;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

use cli::Args;
use error::Error;
use replay::{Outcome, Replay};
use report::Reports;
use summary::Summary;

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output closed it, as in `airspace | head -1`.
        Err(Error::Print(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), Error> {
    let outcome = replay(args)?;
    let passes = outcome.flights.passes();
    if let Some(path) = &args.svg {
        let drawing = map::draw(&outcome, passes.first()).to_string();
        write(path, drawing)?;
    }
    if let (Some(path), Some(timeline)) = (&args.timeline, &outcome.timeline) {
        write(path, timeline)?;
    }
    let table = summary::table(&outcome, &passes);
    let summary = Summary::new(outcome.counts, &outcome.flights, &passes);
    writeln!(io::stdout().lock(), "{table}\n{summary}").map_err(Error::Print)
}

fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), Error> {
    std::fs::write(path, bytes).map_err(|source| Error::Write { path: path.to_owned(), source })
}

/// Plays the whole recording, with a progress bar if standard error is a terminal.
fn replay(args: &Args) -> Result<Outcome, Error> {
    let airport = airport::find(&args.airports, &args.airport)?;
    let progress = ProgressBar::no_length().with_finish(ProgressFinish::AndClear);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {percent}% of {total_bytes}") {
        progress.set_style(style);
    }
    let mut reports = Reports::new(&args.flights, rows::open(&args.flights, &progress)?)?;
    // A run that continues from the save may need a map.
    let (tracks, timeline) = (args.svg.is_some() || args.save.is_some(), args.timeline.is_some());
    let mut replay = Replay::new(airport, tracks, timeline, args.sharing.into());
    if let Some(path) = &args.resume {
        replay.resume(path)?;
    }
    while let Some(report) = reports.next()? {
        if args.until.is_some_and(|until| report.time_s > until) {
            break;
        }
        if !replay.has(&report) {
            replay.report(&report)?;
        }
    }
    progress.finish_and_clear();
    if let Some(path) = &args.save {
        write(path, &replay.save()?)?;
    }
    replay.finish()
}
