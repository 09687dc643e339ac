//! An hour of air traffic as a table, for a data frame or a database.
//!
//! Replays recorded position reports. An aircraft is an entity for as long as it is heard of; in each tick a query takes
//! the rows of aircraft that were just heard of.
//!
//! ```text
//! cargo run --release -p ecs_tables --example tracks -- --parquet tracks.parquet --csv tracks.csv
//! duckdb -c "select callsign, max(position.altitude_ft) from 'tracks.parquet' group by all"
//! ```

use clap::Parser;
use ecs::{Component, Entity, Query, World};
use ecs_tables::{Columns, Table};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};

/// An aircraft is gone when it was not heard of for so long.
const SILENT_S: f64 = 60.0;

/// Writes recorded air traffic as tables.
#[derive(Parser)]
struct Args {
    /// Position reports, sorted by time: a .csv file
    #[arg(
        long,
        value_name = "FILE",
        default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/flights.csv"),
    )]
    flights: PathBuf,

    /// Write the tracks into this file
    #[arg(long, value_name = "FILE")]
    parquet: Option<PathBuf>,

    /// Write the tracks into this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// A line of the recording.
#[derive(Deserialize)]
struct Report {
    time_s: f64,
    icao24: String,
    callsign: String,
    lat: f64,
    lon: f64,
    altitude_ft: f64,
    groundspeed_kt: f64,
    track_deg: f64,
    vertical_rate_fpm: f64,
}

#[derive(Component, Clone, Serialize, Deserialize)]
struct Callsign(String);

#[derive(Component, Clone, Copy, Serialize, Deserialize)]
struct Position {
    lat: f64,
    lon: f64,
    altitude_ft: f64,
}

#[derive(Component, Clone, Copy, Serialize, Deserialize)]
struct Velocity {
    groundspeed_kt: f64,
    track_deg: f64,
    vertical_rate_fpm: f64,
}

#[derive(Component, Clone, Copy, Serialize, Deserialize)]
struct LastSeen(f64);

/// The components of an aircraft.
#[derive(Query)]
struct Sighting<'w> {
    entity: Entity,
    callsign: &'w Callsign,
    position: &'w Position,
    velocity: &'w Velocity,
    last_seen: &'w LastSeen,
}

/// A row of the table: it outlives the tick, and maybe the aircraft.
#[derive(Serialize, Deserialize)]
pub(crate) struct Row {
    time_s: f64,
    entity: Entity,
    callsign: String,
    position: Position,
    velocity: Velocity,
}

/// The sky, and the recorded rows.
#[derive(Default)]
struct Sky {
    world: World,
    aircraft: HashMap<String, Entity>,
    rows: Vec<Row>,
}

impl Sky {
    fn report(&mut self, report: Report) {
        let known = self.aircraft.get(&report.icao24).filter(|&&it| self.world.is_alive(it));
        let entity = known.copied().unwrap_or_else(|| self.world.spawn_empty().id());
        let Report { time_s, icao24, callsign, lat, lon, altitude_ft, .. } = report;
        let Report { groundspeed_kt, track_deg, vertical_rate_fpm, .. } = report;
        let velocity = Velocity { groundspeed_kt, track_deg, vertical_rate_fpm };
        let position = Position { lat, lon, altitude_ft };
        let heard = (Callsign(callsign), position, velocity, LastSeen(time_s));
        self.world.entity_mut(entity).insert(heard);
        self.aircraft.insert(icao24, entity);
    }

    /// Ends a tick: each report becomes a row, and silent aircraft are despawned.
    fn end_tick(&mut self, now_s: f64) {
        let mut silent = Vec::new();
        for sighting in self.world.view::<Sighting>() {
            let Sighting { entity, callsign, position, velocity, last_seen } = sighting;
            if last_seen.0 >= now_s {
                self.rows.push(Row {
                    time_s: now_s,
                    entity,
                    callsign: callsign.0.clone(),
                    position: *position,
                    velocity: *velocity,
                });
            } else if now_s - last_seen.0 > SILENT_S {
                silent.push(entity);
            }
        }
        self.world.despawn_batch(&silent);
    }
}

/// Plays the recording: all that was seen.
pub(crate) fn replay(flights: &Path) -> Result<Vec<Row>, Box<dyn Error>> {
    let (mut sky, mut now_s) = (Sky::default(), f64::NEG_INFINITY);
    for report in csv::Reader::from_path(flights)?.deserialize() {
        let report: Report = report?;
        if report.time_s > now_s {
            sky.end_tick(now_s);
            now_s = report.time_s;
        }
        sky.report(report);
    }
    sky.end_tick(now_s);
    Ok(sky.rows)
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let table = Table::of_records(&Columns::of::<Row>()?, replay(&args.flights)?)?;
    println!("{} sightings, {} columns", table.num_rows(), table.num_columns());
    if let Some(path) = &args.parquet {
        table.write_parquet(File::create(path)?)?;
        println!("{}: {} kB", path.display(), path.metadata()?.len() / 1000);
    }
    if let Some(path) = &args.csv {
        table.write_csv(File::create(path)?)?;
        println!("{}: {} kB", path.display(), path.metadata()?.len() / 1000);
    }
    Ok(())
}
