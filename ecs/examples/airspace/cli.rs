//! The command line.

use std::path::PathBuf;

use clap::Parser;

/// Replays recorded air traffic over one airport and tells what could be heard there.
#[derive(Debug, Parser)]
#[command(name = "airspace")]
pub struct Args {
    /// Position reports, sorted by time: a .csv or .csv.gz file
    #[arg(
        long,
        value_name = "FILE",
        default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/flights.csv"),
    )]
    pub flights: PathBuf,

    /// Airports: a .csv or .csv.gz file
    #[arg(
        long,
        value_name = "FILE",
        default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/airports.csv"),
    )]
    pub airports: PathBuf,

    /// The airport to listen at
    #[arg(long, value_name = "ICAO", default_value = "LFPO")]
    pub airport: String,

    /// Draw the tracks around the airport into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}
