//! Who can be heard at the airport?
//!
//! Replays recorded position reports of real aircraft. Every flight is an entity for as long as it
//! is heard of: it is spawned, its components come and go as it moves, and it is despawned. Once a
//! tick, systems find out which flights are near the airport and low at the same time.
//!
//! ```text
//! cargo run --release --example airspace -- --airport LFPG --svg map.svg --timeline tick.svg
//! ```
//!
//! It can be stopped and saved, and another run goes on from there and comes to the same:
//!
//! ```text
//! cargo run --release --example airspace -- --until 1800 --save half.ecs
//! cargo run --release --example airspace -- --resume half.ecs
//! ```
//!
//! The entities are in `components.rs` and `replay.rs`; the other files read, check, print, draw.

#[path = "airspace/components.rs"]
mod components;
#[path = "airspace/replay.rs"]
mod replay;

#[path = "airspace/airport.rs"]
mod airport;
#[path = "airspace/cli.rs"]
mod cli;
#[path = "airspace/error.rs"]
mod error;
#[path = "airspace/flights.rs"]
mod flights;
#[path = "airspace/geo.rs"]
mod geo;
#[path = "airspace/legend.rs"]
mod legend;
#[path = "airspace/map.rs"]
mod map;
#[path = "airspace/palette.rs"]
mod palette;
#[path = "airspace/paths.rs"]
mod paths;
#[path = "airspace/report.rs"]
mod report;
#[path = "airspace/rows.rs"]
mod rows;
#[path = "airspace/suggest.rs"]
mod suggest;
#[path = "airspace/summary.rs"]
mod summary;
#[path = "airspace/tracks.rs"]
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
        // Whoever read the output has seen enough, as in `airspace | head -1`.
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
    // Who goes on from what is saved may want a map.
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
