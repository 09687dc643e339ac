//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

/// Replays recorded air traffic over one airport and prints the flights that could be heard there.
#[derive(Debug, Parser)]
#[command(
    name = "airspace",
    after_help = "As a table, for DuckDB or pandas, which takes the package `ecs_tables`:\n  \
                  cargo run --release -p ecs_tables --example tracks -- --parquet tracks.parquet"
)]
pub struct Args {
    /// Position reports, sorted by time: a .csv or .csv.gz file
    #[arg(
        long,
        value_name = "FILE",
        default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data/flights.csv"),
    )]
    pub flights: PathBuf,

    /// Airports: a .csv or .csv.gz file
    #[arg(
        long,
        value_name = "FILE",
        default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data/airports.csv"),
    )]
    pub airports: PathBuf,

    /// The airport to listen at
    #[arg(long, value_name = "ICAO", default_value = "LFPO")]
    pub airport: String,

    /// Draw the tracks around the airport into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Draw the timeline of the tick with the most flights into this file
    #[arg(long, value_name = "FILE")]
    pub timeline: Option<PathBuf>,

    /// Stop behind this second of the recording, and save there with `--save`
    #[arg(long, value_name = "SECOND")]
    pub until: Option<f64>,

    /// Save the world at the end, for another run to continue
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,

    /// Continue the saved run of the same recording
    #[arg(long, value_name = "FILE", conflicts_with = "airport")]
    pub resume: Option<PathBuf>,

    /// The policy by which threads share the systems of a tick that may overlap
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Sharing::Measured)]
    pub sharing: Sharing,
}

/// The policies of sharing, under the library's names.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Sharing {
    /// Share while it is measured to be faster
    Measured,
    Always,
    Never,
}

impl From<Sharing> for ecs::Sharing {
    fn from(sharing: Sharing) -> Self {
        match sharing {
            Sharing::Measured => Self::Measured,
            Sharing::Always => Self::Always,
            Sharing::Never => Self::Never,
        }
    }
}
